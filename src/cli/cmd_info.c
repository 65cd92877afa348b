/* SPDX-License-Identifier: MIT */
/* frameglass info: what an input holds. */
#include "base/json.h"
#include "cli/cli_input.h"
#include "cli/cli_output.h"
#include "cli/info_memory.h"
#include "cli/info_state.h"
#include "cli/verdict_output.h"
#include "convert/meta_values.h"
#include "open/document.h"
#include <frameglass/trace_engine.h>
#include <frameglass/trace_state.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *clock_kind_name(enum fg_clock_kind kind)
{
    switch (kind) {
    case FG_CLOCK_HOST:
        return "host";
    case FG_CLOCK_CALIBRATED:
        return "calibrated";
    case FG_CLOCK_NOMINAL:
        return "nominal";
    }
    return "nominal";
}

static void json_clocks(struct fgi_json *json, const struct fg_trace *trace)
{
    const struct fg_trace_clock *clock;
    fgi_json_key(json, "clocks");
    fgi_json_array_begin(json);
    for (uint32_t i = 0; (clock = fg_trace_clock(trace, i)) != NULL; i++) {
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "name", fg_trace_text(trace, clock->name));
        fgi_json_key_text(json, "kind", clock_kind_name(clock->kind));
        fgi_json_key_text(json, "reason", fg_trace_text(trace, clock->reason));
        fgi_json_key_uint_or_null(json, "bound_ns", clock->kind == FG_CLOCK_CALIBRATED,
                                  clock->bound_ns);
        fgi_json_key_uint(json, "period_num", clock->period_num);
        fgi_json_key_uint(json, "period_den", clock->period_den);
        fgi_json_key_uint(json, "valid_bits", clock->valid_bits);
        fgi_json_key_uint(json, "readings", clock->pair_count);
        fgi_json_key_uint(json, "rejected_readings", clock->rejected_count);
        const bool is_known = clock->drift_over_ns > 0;
        fgi_json_key_int_or_null(json, "drift_ns", is_known, clock->drift_ns);
        fgi_json_key_uint_or_null(json, "drift_error_ns", is_known, clock->drift_error_ns);
        fgi_json_key_uint_or_null(json, "drift_over_ns", is_known, clock->drift_over_ns);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
}

static void json_tallies(struct fgi_json *json, const struct fg_trace *trace, const char *key,
                         const struct fg_trace_tally *(*get)(const struct fg_trace *, uint32_t))
{
    const struct fg_trace_tally *tally;
    fgi_json_key(json, key);
    fgi_json_object_begin(json);
    for (uint32_t i = 0; (tally = get(trace, i)) != NULL; i++) {
        fgi_json_key_uint(json, fg_trace_text(trace, tally->name), tally->count);
    }
    fgi_json_object_end(json);
}

static void json_repairs(struct fgi_json *json, const struct fg_trace *trace)
{
    const struct fg_trace_repair *repair;
    fgi_json_key(json, "repairs");
    fgi_json_object_begin(json);
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        fgi_json_key_uint(json, repair->kind, repair->count);
    }
    fgi_json_object_end(json);
}

/* Dependencies that nobody recorded: they follow from something else, and are counted apart. */
static uint64_t count_derived(const struct fg_trace *trace)
{
    struct fg_trace_dependency dependency;
    uint64_t count = 0;
    for (uint32_t i = 0; fg_trace_dependency(trace, i, &dependency); i++) {
        count += (dependency.flags & FG_DEPENDENCY_DERIVED) != 0;
    }
    return count;
}

static void json_counts(struct fgi_json *json, const struct fg_trace_info *info, uint64_t derived)
{
    fgi_json_key_uint(json, "spans", info->spans);
    fgi_json_key_uint(json, "unfinished", info->unfinished);
    fgi_json_key_uint(json, "instants", info->instants);
    fgi_json_key_uint(json, "counters", info->counters);
    fgi_json_key_uint(json, "counter_samples", info->counter_samples);
    fgi_json_key_uint(json, "samples", info->samples);
    fgi_json_key_uint(json, "objects", info->objects);
    fgi_json_key_uint(json, "other_events", info->other_events);
    fgi_json_key_uint(json, "dependencies", info->dependencies - derived);
    fgi_json_key_uint(json, "derived_dependencies", derived);
    fgi_json_key_uint(json, "names", info->names);
    fgi_json_key_uint(json, "processes", info->processes);
    fgi_json_key_uint(json, "tracks", info->tracks);
    fgi_json_key_uint(json, "lanes", info->lanes);
    fgi_json_key_uint(json, "frames", info->frames);
    fgi_json_key_uint(json, "resources", info->resources);
    fgi_json_key_uint(json, "topologies", info->topologies);
}

static void json_text_or_null(struct fgi_json *json, const char *key, const char *text)
{
    fgi_json_key(json, key);
    if (text != NULL) {
        fgi_json_text(json, text);
    } else {
        fgi_json_null(json);
    }
}

static void json_engine(struct fgi_json *json, const struct fg_engine *engine)
{
    struct fg_engine_info info;
    fg_engine_get_info(engine, &info);
    fgi_json_key(json, "engine");
    fgi_json_object_begin(json);
    fgi_json_key_text(json, "name", info.name);
    fgi_json_key_text(json, "answers", info.answers);
    json_text_or_null(json, "device", info.device);
    json_text_or_null(json, "reason", info.reason);
    fgi_json_object_end(json);
}

static enum fg_result print_json(const struct fgi_input *input)
{
    struct fg_sink sink = fgi_output_sink();
    struct fgi_json json = { .sink = &sink, .indent = 2 };
    struct fg_trace_info info;
    fg_trace_get_info(input->trace, &info);
    fgi_json_object_begin(&json);
    fgi_json_key_text(&json, "format", info.format);
    fgi_json_key_uint(&json, "version", info.version);
    fgi_json_key_bool(&json, "closed", info.closed);
    fgi_json_key_bool(&json, "recovered", info.recovered);
    json_counts(&json, &info, count_derived(input->trace));
    fgi_json_key(&json, "start_ns");
    if (info.has_range) {
        fgi_json_int(&json, info.start_ns);
        fgi_json_key_int(&json, "end_ns", info.end_ns);
    } else {
        fgi_json_null(&json);
        fgi_json_key(&json, "end_ns");
        fgi_json_null(&json);
    }
    json_tallies(&json, input->trace, "dropped", fg_trace_loss);
    json_repairs(&json, input->trace);
    fgi_json_key_uint(&json, "skipped_records", info.skipped_records);
    json_clocks(&json, input->trace);
    struct fg_verdict_window window = { 0 };
    enum fg_result result = fg_query_verdict(input->query, 0, FG_NONE, &window);
    fgi_json_key(&json, "verdict");
    fgi_verdict_json(&json, &window);
    if (result == FG_OK) {
        result = fgi_info_state_json(&json, input->trace, input->query);
    }
    fgi_info_memory_json(&json, input->trace);
    json_engine(&json, input->engine);
    fgi_json_key(&json, "meta");
    fgi_json_object_begin(&json);
    fgi_meta_json(&json, input->trace);
    fgi_json_object_end(&json);
    fgi_json_object_end(&json);
    enum fg_result finished = fgi_json_finish(&json);
    return result != FG_OK ? result : finished;
}

enum { LABEL_WIDTH = 26 };

/* One line of the summary: a word on the left, everything else aligned behind it. */
static void label(const char *word)
{
    printf("  %-*s", LABEL_WIDTH, word);
    if (strlen(word) >= LABEL_WIDTH) {
        printf(" ");
    }
}

static void print_head(const struct fgi_input *input, const struct fg_trace_info *info)
{
    const char *packing = fg_document_packing(input->document);
    const struct fg_source *source = fgi_document_source(input->document);
    uint64_t size_bytes = 0;
    char size[40];
    (void)source->size(source->context, &size_bytes);
    printf("%s: %s version %u, %s%s%s, %s\n", fgi_input_name(input), info->format,
           (unsigned)info->version, fgi_bytes_text(size_bytes, size, sizeof size),
           packing[0] != '\0' ? " unpacked from " : "", packing,
           !info->closed     ? "not closed"
           : info->recovered ? "closed, damaged"
                             : "closed");
}

/* A count of nanoseconds since 1970 as a date: "2026-03-01 10:15:22 UTC". */
static void print_date(const char *wall_ns)
{
    int64_t seconds = strtoll(wall_ns, NULL, 10) / 1000000000;
    int64_t days = seconds / 86400;
    int64_t rest = seconds % 86400;
    /* Years that begin in March put the leap day last; 719468 days from there to 1970. */
    int64_t shifted = days + 719468;
    int64_t era = shifted / 146097;
    int64_t day_of_era = shifted % 146097;
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / 146096) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month_from_march = (5 * day_of_year + 2) / 153;
    int64_t day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    int64_t month = month_from_march < 10 ? month_from_march + 3 : month_from_march - 9;
    int64_t year = era * 400 + year_of_era + (month <= 2);
    printf("%04d-%02d-%02d %02d:%02d:%02d UTC\n", (int)year, (int)month, (int)day,
           (int)(rest / 3600), (int)(rest / 60 % 60), (int)(rest % 60));
}

static enum fg_result print_verdict(const struct fgi_input *input)
{
    struct fg_verdict_window window = { 0 };
    enum fg_result result = fg_query_verdict(input->query, 0, FG_NONE, &window);
    if (result == FG_OK && window.verdict_name != NULL) {
        char text[FGI_VERDICT_TEXT];
        label("verdict");
        puts(fgi_verdict_text(&window, text));
    }
    if (result == FG_OK && fgi_verdict_doubt(input->trace) != NULL) {
        label("");
        puts(fgi_verdict_doubt(input->trace));
    }
    return result;
}

static void print_meta(const struct fg_trace *trace)
{
    static const char limit[] = "limit.";
    const struct fg_trace_meta *meta;
    struct fgi_bytes values = { 0 };
    uint32_t limit_count = 0;
    for (uint32_t i = 0; (meta = fg_trace_meta(trace, i)) != NULL; i++) {
        const char *key = fg_trace_text(trace, meta->key);
        if (strncmp(key, limit, sizeof limit - 1) == 0) {
            limit_count++;
        } else if (strcmp(key, "start_wall_ns") == 0) {
            label("recorded");
            print_date(fg_trace_text(trace, meta->value));
        } else if (fgi_meta_values(trace, i, &values) && values.result == FG_OK) {
            char plain[FGI_PLAIN_TEXT];
            char plain_values[1024];
            label(fgi_plain_text(key, plain, sizeof plain));
            puts(fgi_plain_text((const char *)values.data, plain_values, sizeof plain_values));
        }
    }
    fgi_bytes_finish(&values);
    if (limit_count > 0) {
        label("device limits");
        printf("%u (--json has them)\n", (unsigned)limit_count);
    }
}

static void print_content(const struct fg_trace_info *info)
{
    char length[40];
    label("frames");
    printf("%" PRIu64, info->frames);
    if (info->has_range) {
        printf(", %s from the first begin to the last end",
               fgi_duration_text(info->end_ns - info->start_ns, length, sizeof length));
    }
    if (info->has_extent &&
        (!info->has_range || info->first_ns != info->start_ns || info->last_ns != info->end_ns)) {
        printf(", %s with what is no complete span",
               fgi_duration_text(info->last_ns - info->first_ns, length, sizeof length));
    }
    printf("\n");
    label("spans");
    printf("%" PRIu64 " on %" PRIu64 " track%s, %" PRIu64 " lane%s, %" PRIu64 " name%s",
           info->spans, info->tracks, fgi_plural(info->tracks), info->lanes,
           fgi_plural(info->lanes), info->names, fgi_plural(info->names));
    if (info->unfinished > 0) {
        printf("; %" PRIu64 " of them unfinished", info->unfinished);
    }
    printf("\n");
    label("frame graphs");
    printf("%" PRIu64 " topologies, %" PRIu64 " passes, %" PRIu64 " resource versions\n",
           info->topologies, info->passes, info->resources);
    label("counters");
    printf("%" PRIu64 " with %" PRIu64 " samples\n", info->counters, info->counter_samples);
    label("instants");
    printf("%" PRIu64, info->instants);
    if (info->notes > 0) {
        printf(", %" PRIu64 " of them notes", info->notes);
    }
    printf("\n");
    label("dependencies");
    printf("%" PRIu64 "\n", info->dependencies);
}

/* The newest notes: why there is a dump of the flight recorder is one of them. */
static void print_notes(const struct fg_trace *trace, uint64_t count)
{
    enum { NOTES_SHOWN = 8 };
    const struct fg_trace_instant *instant;
    uint64_t number = 0;
    bool is_first = true;
    for (uint32_t i = 0; (instant = fg_trace_instant(trace, i)) != NULL; i++) {
        if (!instant->is_note || number++ + NOTES_SHOWN < count) {
            continue;
        }
        char text[FGI_PLAIN_TEXT];
        const struct fg_trace_frame *frame =
            instant->frame != FG_NONE ? fg_trace_frame(trace, instant->frame) : NULL;
        label(is_first ? "notes" : "");
        is_first = false;
        if (frame != NULL) {
            printf("frame %" PRIu64 ": ", frame->id);
        }
        puts(fgi_plain_text(fg_trace_text(trace, instant->name), text, sizeof text));
    }
}

/* What the program says of itself: tables of it come at the end. */
static void print_program(const struct fg_trace *trace, const struct fg_trace_info *info)
{
    const struct fg_trace_metric *metric;
    uint32_t unpublished = 0;
    for (uint32_t i = 0; (metric = fg_trace_metric(trace, i)) != NULL; i++) {
        unpublished += metric->counter == FG_NONE;
    }
    if (info->metrics > 0) {
        label("metrics");
        printf("%u", (unsigned)info->metrics);
        if (unpublished > 0) {
            printf(", %u of them without a value", (unsigned)unpublished);
        }
        printf("\n");
    }
    if (info->objects > 0) {
        struct fg_object_sum sums[FG_OBJECT_SETS];
        char size[40];
        fg_trace_object_sums(trace, FG_TIME_MIN, INT64_MAX, sums);
        const struct fg_object_sum *live = &sums[FG_OBJECTS_LIVE];
        label("live resources");
        printf("%" PRIu64 " of %" PRIu64, live->count, info->objects);
        if (live->count > 0 && live->size_bytes != UINT64_MAX) {
            printf(", %s", fgi_bytes_text(live->size_bytes, size, sizeof size));
        }
        if (live->unknown_count > 0) {
            printf(", %" PRIu64 " of a size that is not known", live->unknown_count);
        }
        printf("\n");
    }
}

/* A drift that the two readings could be wrong by is none. */
static void print_drift(const struct fg_trace_clock *clock)
{
    char size[40], over[40];
    const uint64_t off = (uint64_t)(clock->drift_ns < 0 ? -clock->drift_ns : clock->drift_ns);
    const bool is_seen = off > clock->drift_error_ns;
    if (clock->drift_over_ns == 0) {
        return;
    }
    const uint64_t shown = is_seen ? off : clock->drift_error_ns;
    printf(", %s %s in %s",
           !is_seen              ? "drift below"
           : clock->drift_ns > 0 ? "fast by"
                                 : "slow by",
           fgi_duration_text(shown < INT64_MAX ? (int64_t)shown : INT64_MAX, size, sizeof size),
           fgi_duration_text((int64_t)clock->drift_over_ns, over, sizeof over));
}

static void print_clocks(const struct fg_trace *trace)
{
    const struct fg_trace_clock *clock;
    for (uint32_t i = 0; (clock = fg_trace_clock(trace, i)) != NULL; i++) {
        char bound[40];
        char name[FGI_PLAIN_TEXT];
        char reason[FGI_PLAIN_TEXT];
        label(i == 0 ? "clocks" : "");
        printf("%s: %s", fgi_plain_text(fg_trace_text(trace, clock->name), name, sizeof name),
               clock_kind_name(clock->kind));
        if (clock->kind == FG_CLOCK_CALIBRATED) {
            printf(" within %s by %u readings (%u rejected)",
                   fgi_duration_text((int64_t)clock->bound_ns, bound, sizeof bound),
                   (unsigned)clock->pair_count, (unsigned)clock->rejected_count);
            print_drift(clock);
        } else if (clock->kind == FG_CLOCK_NOMINAL) {
            printf(" (%s): for looking, not for measuring across clocks",
                   fgi_plain_text(fg_trace_text(trace, clock->reason), reason, sizeof reason));
        }
        printf("\n");
    }
}

static void print_losses(const struct fg_trace *trace, const struct fg_trace_info *info)
{
    const struct fg_trace_tally *loss;
    const struct fg_trace_repair *repair;
    label("dropped");
    for (uint32_t i = 0; (loss = fg_trace_loss(trace, i)) != NULL; i++) {
        printf("%s%" PRIu64 " %s", i > 0 ? ", " : "", loss->count,
               fg_trace_text(trace, loss->name));
    }
    puts(info->losses == 0 ? "nothing" : "");
    if (info->device_lost) {
        label("device");
        puts("was lost while recording");
    }
    for (uint32_t i = 0; (repair = fg_trace_repair(trace, i)) != NULL; i++) {
        label(i == 0 ? "repairs" : "");
        printf("%" PRIu64 " %s\n", repair->count, repair->kind);
    }
    if (info->skipped_records > 0) {
        label("not shown");
        printf("%" PRIu64 " records of kinds that this version does not know\n",
               info->skipped_records);
    }
    if (info->overhead_ns >= 0 && info->frames > 0) {
        char per_frame[40];
        label("recording cost");
        printf("%s a frame\n", fgi_duration_text(info->overhead_ns / (int64_t)info->frames,
                                                 per_frame, sizeof per_frame));
    }
}

static void print_memory(const struct fg_trace *trace, uint64_t spans)
{
    char size[40];
    uint64_t bytes = fgi_info_memory_bytes(trace);
    label("memory");
    printf("%s", fgi_bytes_text(bytes, size, sizeof size));
    if (spans > 0) {
        uint64_t tenths = bytes * 10 / spans;
        printf(", %" PRIu64 ".%u bytes a span", tenths / 10, (unsigned)(tenths % 10));
    }
    printf("\n");
}

static enum fg_result print_summary(const struct fgi_input *input)
{
    struct fg_trace_info info;
    fg_trace_get_info(input->trace, &info);
    print_head(input, &info);
    print_content(&info);
    enum fg_result result = print_verdict(input);
    print_notes(input->trace, info.notes);
    print_program(input->trace, &info);
    print_clocks(input->trace);
    print_losses(input->trace, &info);
    print_memory(input->trace, info.spans);
    print_meta(input->trace);
    return result != FG_OK ? result : fgi_info_state_print(input->trace, input->query);
}

int fgi_cmd_info(int argc, char **argv)
{
    bool as_json = false;
    const char *engine = NULL;
    const struct fgi_option options[] = {
        FGI_OPTION_ONE_ENGINE(&engine),
        FGI_OPTION_JSON(&as_json),
    };
    const struct fgi_command_line line = {
        .name = "info",
        .operands = "FILE",
        .about = "What a capture holds: counts, clocks, losses, metadata.",
        .options = options,
        .option_count = sizeof options / sizeof *options,
        .operand_min = 1,
        .operand_max = 1,
    };
    const char *path;
    struct fgi_input input;
    int status = fgi_command_parse(&line, argc, argv, &path);
    if (status == FGI_GO) {
        status = fgi_input_open_engine(line.name, path, engine, &input);
    }
    if (status != FGI_GO) {
        return status;
    }
    enum fg_result result = FG_OK;
    if (as_json) {
        result = print_json(&input);
    } else {
        result = print_summary(&input);
    }
    fgi_input_close(&input);
    return fgi_output_end(line.name, result, FGI_EXIT_DONE);
}
