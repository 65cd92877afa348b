/* SPDX-License-Identifier: MIT */
/* frameglass frames: CPU and GPU time of each frame, and what bounds it. */
#include "base/arena.h"
#include "base/json.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/verdict_output.h"
#include <frameglass/trace.h>
#include <frameglass/trace_structure.h>

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct frames {
    const struct fg_trace *trace;
    const struct fg_frame_row *rows;
    uint32_t count;
    struct fg_verdict_window window;
};

static enum fg_result print_json(const struct frames *frames)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 1 };
    fgi_json_object_begin(&json);
    fgi_json_key(&json, "rows");
    fgi_json_array_begin(&json);
    for (uint32_t i = 0; i < frames->count; i++) {
        const struct fg_frame_row *row = &frames->rows[i];
        const struct fg_trace_frame *frame = fg_trace_frame(frames->trace, row->frame);
        fgi_json_inline_object_begin(&json);
        fgi_json_key_uint(&json, "frame", frame->id);
        fgi_json_key_int(&json, "start_ns", frame->start_ns);
        fgi_json_key_int_or_null(&json, "frame_ns", row->frame_ns >= 0, row->frame_ns);
        fgi_json_key_int_or_null(&json, "cpu_ns", row->cpu_ns >= 0, row->cpu_ns);
        fgi_json_key_int_or_null(&json, "cpu_work_ns", row->cpu_work_ns >= 0, row->cpu_work_ns);
        fgi_json_key_int_or_null(&json, "present_wait_ns", frame->present_wait_ns >= 0,
                                 frame->present_wait_ns);
        fgi_json_key_int_or_null(&json, "gpu_ns", row->gpu_ns >= 0, row->gpu_ns);
        fgi_json_key_int_or_null(&json, "gpu_busy_ns", row->gpu_busy_ns >= 0, row->gpu_busy_ns);
        fgi_json_key_uint(&json, "spans", row->spans);
        fgi_json_key_uint(&json, "dropped", frame->dropped);
        fgi_json_key_int_or_null(&json, "topology", frame->topology != FG_NONE, frame->topology);
        fgi_json_key_text_or_null(&json, "verdict", row->verdict_name);
        fgi_json_key_text_or_null(&json, "basis", fgi_verdict_basis(row));
        fgi_json_object_end(&json);
    }
    fgi_json_array_end(&json);
    fgi_json_key(&json, "window");
    fgi_verdict_json(&json, &frames->window);
    fgi_json_object_end(&json);
    return fgi_json_finish(&json);
}

/* Follows one counter from frame to frame. */
struct follower {
    uint32_t counter; /**< FG_NONE: there is no such counter */
    uint32_t next;    /**< the first sample that no frame had yet */
    bool is_known;
    int64_t value; /**< as of the frame that was asked for last */
};

/* The size in pixels at which frames are rendered, as far as the application tells it: the first
   pair of integer counters called X.width and X.height. */
struct resolution {
    struct follower width;
    struct follower height;
};

/* The integer counter that is called `stem` and `ending`; FG_NONE. */
static uint32_t find_counter(const struct fg_trace *trace, const char *stem, size_t stem_size,
                             const char *ending)
{
    const struct fg_trace_counter *counter;
    for (uint32_t i = 0; (counter = fg_trace_counter(trace, i)) != NULL; i++) {
        const char *name = fg_trace_text(trace, counter->name);
        if (!counter->is_double && strncmp(name, stem, stem_size) == 0 &&
            strcmp(name + stem_size, ending) == 0) {
            return i;
        }
    }
    return FG_NONE;
}

static struct resolution find_resolution(const struct fg_trace *trace)
{
    static const char ending[] = ".width";
    const struct fg_trace_counter *counter;
    for (uint32_t i = 0; (counter = fg_trace_counter(trace, i)) != NULL; i++) {
        const char *name = fg_trace_text(trace, counter->name);
        size_t size = strlen(name);
        size_t stem_size = size < sizeof ending ? 0 : size - (sizeof ending - 1);
        if (!counter->is_double && stem_size > 0 && strcmp(name + stem_size, ending) == 0) {
            uint32_t height = find_counter(trace, name, stem_size, ".height");
            if (height != FG_NONE) {
                return (struct resolution){ { .counter = i }, { .counter = height } };
            }
        }
    }
    return (struct resolution){ { .counter = FG_NONE }, { .counter = FG_NONE } };
}

/* Takes the samples up to the end of the frame with this index; frames are asked for in order. */
static void follow(const struct fg_trace *trace, struct follower *follower, uint32_t frame)
{
    const struct fg_trace_frame *after = fg_trace_frame(trace, frame + 1);
    struct fg_trace_sample sample;
    while (fg_trace_samples(trace, follower->counter, follower->next, &sample, 1) == 1 &&
           (after == NULL || sample.time_ns < after->start_ns)) {
        follower->next++;
        follower->is_known = true;
        follower->value = sample.value.integer;
    }
}

enum { REMARK_SIZE = 160 };

/* Appends to a list; what does not fit is cut. */
FG_PRINTF(2, 3)
static void remark(char *remarks, const char *format, ...)
{
    size_t used = strlen(remarks);
    va_list arguments;
    if (used > 0 && used + 2 < REMARK_SIZE) {
        memcpy(remarks + used, ", ", 3);
        used += 2;
    }
    va_start(arguments, format);
    (void)vsnprintf(remarks + used, REMARK_SIZE - used, format, arguments);
    va_end(arguments);
}

static void remark_resolution(const struct fg_trace *trace, uint32_t frame,
                              struct resolution *resolution, char *remarks)
{
    struct resolution before = *resolution;
    follow(trace, &resolution->width, frame);
    follow(trace, &resolution->height, frame);
    if (before.width.is_known && before.height.is_known &&
        (before.width.value != resolution->width.value ||
         before.height.value != resolution->height.value)) {
        remark(remarks, "resolution %" PRId64 "x%" PRId64 " -> %" PRId64 "x%" PRId64,
               before.width.value, before.height.value, resolution->width.value,
               resolution->height.value);
    }
}

/* What a person should see about a frame at once; "" for most. */
static void remark_frame(const struct fg_trace *trace, const struct fg_frame_row *row,
                         struct resolution *resolution, char *remarks)
{
    static const struct {
        uint32_t flags;
        const char *text;
    } by_flag[] = {
        { FG_FRAME_LOST, "device lost" },    { FG_FRAME_DROPPED, "dropped spans" },
        { FG_FRAME_NO_GPU, "no GPU times" }, { FG_FRAME_NOTE, "note" },
        { FG_FRAME_PAUSE, "a pause" },
    };
    const struct fg_topology *topology =
        fg_trace_topology(trace, fg_trace_frame(trace, row->frame)->topology);
    bool is_cpu = (row->flags & FG_FRAME_CPU_HITCH) != 0;
    bool is_gpu = (row->flags & FG_FRAME_GPU_HITCH) != 0;
    if (is_cpu || is_gpu) {
        remark(remarks, "hitch (%s%s%s)", is_cpu ? "CPU" : "", is_cpu && is_gpu ? " and " : "",
               is_gpu ? "GPU" : "");
    }
    for (size_t i = 0; i < sizeof by_flag / sizeof *by_flag; i++) {
        if ((row->flags & by_flag[i].flags) != 0) {
            remark(remarks, "%s", by_flag[i].text);
        }
    }
    if (fgi_verdict_is_open(row)) {
        remark(remarks, "neither side fills it");
    }
    remark_resolution(trace, row->frame, resolution, remarks);
    /* Graphs may alternate from frame to frame: only the first time of each is news. */
    if (row->frame > 0 && topology != NULL && topology->first_frame == row->frame) {
        remark(remarks, "new topology");
    }
}

static struct fgi_cell word(const char *text)
{
    return (struct fgi_cell){ .is_known = text != NULL, .text = text };
}

/* The verdict for people: a guess says that it is one. */
static const char *bound_by(const struct fg_frame_row *row)
{
    static const char *const inferred[FG_VERDICTS] = { [FG_VERDICT_CPU] = "cpu (inferred)",
                                                       [FG_VERDICT_GPU] = "gpu (inferred)",
                                                       [FG_VERDICT_PRESENT] =
                                                           "present (inferred)" };
    return (row->flags & FG_FRAME_INFERRED) != 0 ? inferred[row->verdict] : row->verdict_name;
}

static void print_window(const struct frames *frames)
{
    char text[FGI_VERDICT_TEXT];
    printf("\n%s %s.\n",
           frames->window.verdict_name != NULL ? "Together" : "What bounds them together",
           fgi_verdict_text(&frames->window, text));
    if (fgi_verdict_doubt(frames->trace) != NULL) {
        puts(fgi_verdict_doubt(frames->trace));
    }
}

static enum fg_result print_table(const struct frames *frames, bool as_csv)
{
    static const struct fgi_column columns[] = {
        { "frame", FGI_COLUMN_COUNT, "frame" },
        { "start", FGI_COLUMN_DURATION, NULL },
        { NULL, FGI_COLUMN_COUNT, "start_ns" },
        { NULL, FGI_COLUMN_COUNT, "frame_ns" },
        { "cpu", FGI_COLUMN_DURATION, "cpu_ns" },
        { "cpu work", FGI_COLUMN_DURATION, "cpu_work_ns" },
        { "present wait", FGI_COLUMN_DURATION, "present_wait_ns" },
        { "gpu", FGI_COLUMN_DURATION, "gpu_ns" },
        { "gpu busy", FGI_COLUMN_DURATION, "gpu_busy_ns" },
        { "spans", FGI_COLUMN_COUNT, "spans" },
        { "dropped", FGI_COLUMN_COUNT, "dropped" },
        { "topology", FGI_COLUMN_COUNT, "topology" },
        { NULL, FGI_COLUMN_TEXT, "verdict" },
        { NULL, FGI_COLUMN_TEXT, "basis" },
        { "bound by", FGI_COLUMN_TEXT, NULL },
        { "", FGI_COLUMN_TEXT, NULL },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    struct fgi_arena texts = { 0 };
    struct resolution resolution = find_resolution(frames->trace);
    int64_t origin_ns = 0;
    if (frames->count > 0 && frames->rows[0].frame > 0) {
        follow(frames->trace, &resolution.width, frames->rows[0].frame - 1);
        follow(frames->trace, &resolution.height, frames->rows[0].frame - 1);
    }
    for (uint32_t i = 0; i < frames->count; i++) {
        const struct fg_frame_row *row = &frames->rows[i];
        const struct fg_trace_frame *frame = fg_trace_frame(frames->trace, row->frame);
        origin_ns = i == 0 ? frame->start_ns : origin_ns;
        char remarks[REMARK_SIZE] = "";
        remark_frame(frames->trace, row, &resolution, remarks);
        const char *kept = fgi_arena_text(&texts, remarks, strlen(remarks));
        struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_number((int64_t)frame->id),
            fgi_cell_number(frame->start_ns - origin_ns),
            fgi_cell_number(frame->start_ns),
            fgi_cell_maybe(row->frame_ns),
            fgi_cell_maybe(row->cpu_ns),
            fgi_cell_maybe(row->cpu_work_ns),
            fgi_cell_maybe(frame->present_wait_ns),
            fgi_cell_maybe(row->gpu_ns),
            fgi_cell_maybe(row->gpu_busy_ns),
            fgi_cell_number(row->spans),
            fgi_cell_number(frame->dropped),
            fgi_cell_maybe(frame->topology != FG_NONE ? (int64_t)frame->topology : -1),
            word(row->verdict_name),
            word(fgi_verdict_basis(row)),
            word(bound_by(row)),
            fgi_cell_text(kept != NULL ? kept : ""),
        };
        fgi_table_row(&table, cells);
    }
    if (as_csv) {
        fgi_table_print_csv(&table);
    } else {
        fgi_table_print(&table);
    }
    if (!as_csv && frames->count == 0) {
        struct fg_trace_info info;
        fg_trace_get_info(frames->trace, &info);
        printf("\n%s\n", info.frames == 0 ? "There are no frames in this trace: only programs that "
                                            "mark theirs have any."
                                          : "No frame of these numbers is in this trace.");
    }
    if (!as_csv && frames->count > 0) {
        print_window(frames);
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&texts);
    return result;
}

int fgi_cmd_frames(int argc, char **argv)
{
    bool as_json = false;
    bool as_csv = false;
    const char *engine = NULL;
    struct fgi_option_range range = { 0 };
    const struct fgi_option options[] = {
        FGI_OPTION_ONE_ENGINE(&engine),
        FGI_OPTION_JSON(&as_json),
        FGI_OPTION_CSV(&as_csv),
        { .name = "frames",
          .kind = FGI_OPTION_RANGE,
          .value = &range,
          .argument = "A:B",
          .about = "only frames from A to before B" },
    };
    const struct fgi_command_line line = {
        .name = "frames",
        .operands = "FILE",
        .about = "CPU and GPU time of each frame, and what bounds it.",
        .notes = "A time that cannot be told is shown as - (null in JSON, nothing in CSV). A hitch "
                 "is a frame over\n1.5 times the median of the 31 frames around it, by more than a "
                 "tenth "
                 "of the longer side's\nmedian.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    struct fgi_input input;
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status == FGI_GO && as_json && as_csv) {
        status = fgi_command_fail(line.name, FGI_EXIT_USAGE, "--json and --csv exclude each other");
    }
    if (status == FGI_GO) {
        status = fgi_input_open_engine(line.name, path, engine, &input);
    }
    if (status != FGI_GO) {
        return status;
    }
    uint32_t first;
    uint32_t end;
    struct frames frames = { .trace = input.trace };
    fgi_input_frame_range(&input, &range, &first, &end);
    enum fg_result result = fg_query_frames(input.query, first, end, &frames.rows, &frames.count);
    if (result == FG_OK) {
        result = fg_query_verdict(input.query, first, end, &frames.window);
    }
    if (result == FG_OK) {
        result = as_json ? print_json(&frames) : print_table(&frames, as_csv);
    }
    fgi_input_close(&input);
    return fgi_output_end(line.name, result, FGI_EXIT_DONE);
}
