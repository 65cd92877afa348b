/* SPDX-License-Identifier: MIT */
/* A trace of another tool as a capture: foreign clock, rows of every class, marks, nested
 * arguments. */
#include "capture_sample.h"

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TEXT(literal)                                                                              \
    (struct fg_cap_text)                                                                           \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

enum { CLOCK = 0, TRACK_MAIN = 0, TRACK_GPU = 1, TRACK_REQUESTS = 2, TRACK_MEMORY = 3 };

static void did(struct sample *sample, enum fg_result result)
{
    sample->result = sample->result != FG_OK ? sample->result : result;
}

static void put_context(struct sample *sample)
{
    const struct fg_cap_meta meta = { .level = FG_CAP_LEVEL_STRUCTURE,
                                      .producer = TEXT("frameglass sample") };
    const struct fg_cap_clock clock = { .id = CLOCK,
                                        .kind = FG_CAP_CLOCK_FOREIGN,
                                        .host_clock = FG_CAP_NONE,
                                        .name = sample_symbol(sample, "trace"),
                                        .period_num = 1,
                                        .period_den = 1,
                                        .valid_bits = 64 };
    const struct fg_cap_process processes[] = {
        { 0, 4242, sample_symbol(sample, "renderer"), -1 },
        { 1, UINT64_C(0xfffffffffffffffe), 0, 7 }, /* as two's complement: a pid of -2 */
    };
    const struct fg_cap_track tracks[] = {
        { TRACK_MAIN, FG_CAP_TRACK_THREAD, 0, FG_CAP_NONE, CLOCK, sample_symbol(sample, "main"),
          4243, 0, 0 },
        { TRACK_GPU, FG_CAP_TRACK_GPU_QUEUE, 0, FG_CAP_NONE, CLOCK,
          sample_symbol(sample, "stream 7"), 7, 1, 1 },
        { TRACK_REQUESTS, FG_CAP_TRACK_ASYNC, 1, TRACK_MAIN, CLOCK,
          sample_symbol(sample, "requests"), UINT64_MAX, 0, 2 },
        { TRACK_MEMORY, FG_CAP_TRACK_COUNTER, 1, FG_CAP_NONE, CLOCK,
          sample_symbol(sample, "memory"), 0, 0, INT64_MAX },
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_meta(sample->writer, &meta));
        did(sample, fg_capture_writer_clock(sample->writer, &clock));
    }
    for (size_t i = 0; i < COUNT(processes) && sample->result == FG_OK; i++) {
        did(sample, fg_capture_writer_process(sample->writer, &processes[i]));
    }
    for (size_t i = 0; i < COUNT(tracks) && sample->result == FG_OK; i++) {
        did(sample, fg_capture_writer_track(sample->writer, &tracks[i]));
    }
}

static void put_conversion(struct sample *sample)
{
    const struct fg_cap_pair metas[] = { { TEXT("dialect"), TEXT("invented") },
                                         { TEXT("a na\xc3\xafve key"), TEXT("") } };
    const struct fg_cap_limit losses[] = { { TEXT("ring full"), 3 },
                                           { TEXT("samples"), UINT64_MAX } };
    const struct fg_cap_limit skipped[] = { { TEXT("heap dumps"), 2 } };
    const struct fg_cap_repair repairs[] = { { TEXT("missing_comma"), 4, 77 },
                                             { TEXT("unclosed"), 1, FG_CAP_UNKNOWN } };
    const struct fg_cap_converted_frame frames[] = {
        { 100, -500, 1000, 900, 7, FG_CAP_LEVEL_VERBOSE, TRACK_MAIN, 2, 1, 0, 700, 12, 13 },
        { 102, 1000, 2000, 0, 0, FG_CAP_LEVEL_TIMING, FG_CAP_NONE, 0, 0, -1, -1, -1, -1 },
    };
    const struct fg_cap_conversion conversion = {
        .format = TEXT("chrome"),
        .version = 1,
        .level = FG_CAP_NONE,
        .clock = CLOCK,
        .other_events = 5,
        .metas = metas,
        .meta_count = COUNT(metas),
        .losses = losses,
        .loss_count = COUNT(losses),
        .skipped = skipped,
        .skipped_count = COUNT(skipped),
        .repairs = repairs,
        .repair_count = COUNT(repairs),
        .frames = frames,
        .frame_count = COUNT(frames),
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_conversion(sample->writer, &conversion));
    }
}

static void put_block(struct sample *sample, uint32_t id, uint32_t track,
                      const struct fg_cap_block_span *spans, size_t count)
{
    const struct fg_cap_span_block block = {
        .id = id, .track = track, .clock = CLOCK, .spans = spans, .span_count = count
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_span_block(sample->writer, &block));
    }
}

/* Rows 0 to 3 on the CPU, 4 and 5 on a queue; the last hangs on what launched it. */
static void put_rows(struct sample *sample)
{
    const uint64_t none = FG_CAP_UNKNOWN;
    const uint32_t encode = sample_symbol(sample, "encode");
    const uint32_t launch = sample_symbol(sample, "launch");
    const uint32_t kernel = sample_symbol(sample, "kernel<float, 4>");
    const uint32_t runtime = sample_symbol(sample, "runtime");
    const struct fg_cap_block_span cpu[] = {
        { -500, 1000, 0, encode, 0, 0, 100, none, 0 },
        { -500, 400, 1, launch, runtime, 0, 100, 17, 0 },
        { 400, 400, 1, launch, runtime, 0, none, 18, 0 },
        { 500, 1500, 1, encode, 0, FG_CAP_BLOCK_SPAN_UNFINISHED, none, none, 0 },
    };
    const struct fg_cap_block_span gpu[] = {
        { 600, 900, 0, kernel, 0, 0, none, 17, 0 },
        { 700, 1100, 0, kernel, 0, FG_CAP_BLOCK_SPAN_FORCED, none, 18, -9 },
    };
    const struct fg_cap_row_run cpu_runs[] = { { 1, 1 | 2, 0 }, { 2, 1024, 0 }, { 1, 64, 1 } };
    const struct fg_cap_row_run gpu_runs[] = { { 1, 4 | 512, 3 } };
    const struct fg_cap_row_parent parents[] = { { 0, 1 }, { 1, FG_CAP_NONE } };
    const struct fg_cap_rows rows[] = {
        { .block = 0, .runs = cpu_runs, .run_count = COUNT(cpu_runs) },
        { .block = 1,
          .runs = gpu_runs,
          .run_count = COUNT(gpu_runs),
          .parents = parents,
          .parent_count = COUNT(parents) },
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_rows(sample->writer, &rows[0]));
        put_block(sample, 0, TRACK_MAIN, cpu, COUNT(cpu));
    }
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_rows(sample->writer, &rows[1]));
        put_block(sample, 1, TRACK_GPU, gpu, COUNT(gpu));
    }
}

static void put_marks(struct sample *sample)
{
    const uint64_t none = FG_CAP_UNKNOWN;
    const struct fg_cap_mark marks[] = {
        { INT64_MIN, FG_CAP_NONE, sample_symbol(sample, "start"), 0, 0, none, 0 },
        { 450, TRACK_MAIN, sample_symbol(sample, "resize"), sample_symbol(sample, "window"),
          FG_CAP_MARK_VALUE, 100, -640 },
        { 500, TRACK_GPU, sample_symbol(sample, "look here"), 0, FG_CAP_MARK_NOTE, 102, 0 },
        { 500, TRACK_REQUESTS, 0, sample_symbol(sample, "loss"),
          FG_CAP_MARK_VALUE | FG_CAP_MARK_LOSS, none, INT64_MAX },
    };
    const struct fg_cap_marks list = { CLOCK, marks, COUNT(marks) };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_marks(sample->writer, &list));
    }
}

/* One argument of every kind, in groups three deep; and a list that is empty. */
static void put_trees(struct sample *sample)
{
    const uint32_t key = sample_symbol(sample, "key");
    const uint32_t word = sample_symbol(sample, "word");
    const struct fg_cap_tree_argument arguments[] = {
        { sample_symbol(sample, "args"), 0, 0, 0, { .kind = FG_CAP_VALUE_INT } },
        { key, 1, 1, 1, { .kind = FG_CAP_VALUE_INT, .i = INT64_MIN } },
        { key, 1, 2, 2, { .kind = FG_CAP_VALUE_UINT, .u = UINT64_MAX } },
        { 0, 1, 0, 0, { .kind = FG_CAP_VALUE_INT } },
        { key, 2, 3, 3, { .kind = FG_CAP_VALUE_F64, .f = -0.1 } },
        { 0, 2, 0, 0, { .kind = FG_CAP_VALUE_INT } },
        { 0, 3, 4, 4, { .kind = FG_CAP_VALUE_SYMBOL, .u = word } },
        { 0, 3, 4, 0, { .kind = FG_CAP_VALUE_TEXT, .text = TEXT("a text \xe2\x82\xac") } },
        { key, 0, 5, 0, { .kind = FG_CAP_VALUE_BOOL, .u = 1 } },
        { key, 0, 6, 0, { .kind = FG_CAP_VALUE_INT } },
        { key, 0, 7, 0, { .kind = FG_CAP_VALUE_INT, .i = -1 } },
        { key, 0, 8, 0, { .kind = FG_CAP_VALUE_UINT, .u = 4096 } },
        { key, 0, 9, 0, { .kind = FG_CAP_VALUE_UINT, .u = 5 } },
        { key, 0, 10, 0, { .kind = FG_CAP_VALUE_UINT, .u = 0 } },
        { key, 0, 11, 0, { .kind = FG_CAP_VALUE_UINT, .u = 18 } },
        { key, 0, 12, 0, { .kind = FG_CAP_VALUE_INT, .i = 1500 } },
    };
    const struct fg_cap_tree trees[] = {
        { { FG_CAP_REF_BLOCK_SPAN, 0, 1 }, arguments, COUNT(arguments) },
        { { FG_CAP_REF_BLOCK_SPAN, 1, 0 }, NULL, 0 },
    };
    const struct fg_cap_trees list = { trees, COUNT(trees) };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_trees(sample->writer, &list));
    }
}

void sample_converted(struct sample *sample)
{
    put_context(sample);
    put_conversion(sample);
    put_rows(sample);
    put_marks(sample);
    put_trees(sample);
}
