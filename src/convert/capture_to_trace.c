/* SPDX-License-Identifier: MIT */
/*
 * A capture is read twice. The first time gathers what times and tracks stand on: clocks with all
 * their readings, tracks, frame numbers. The second makes the trace. What either does with a record
 * is in capture_to_trace_see.c.
 *
 * A frame becomes rows when its last GPU record has come, or at the end. Whatever cannot be placed
 * is counted as a repair or a loss, by name.
 */
#include "convert/capture_to_trace.h"
#include "base/alloc.h"
#include "base/result.h"
#include "convert/capture_to_trace_lists.h"
#include "convert/capture_to_trace_priv.h"
#include "convert/capture_to_trace_track.h"
#include <inttypes.h>
#include <string.h>

bool fgi_convert_grow(struct fgi_builder *builder, const struct fg_allocator *allocator,
                      void **items, size_t *capacity, size_t item_size, size_t needed)
{
    if (fgi_builder_result(builder) == FG_OK) {
        fgi_builder_fail(builder, fgi_grow(allocator, items, capacity, item_size, needed, FG_NONE));
    }
    return fgi_builder_result(builder) == FG_OK;
}

/* ---- how much there may be ------------------------------------------------------------------- */

#define MAX_ROWS           (UINT64_C(1) << 27)
#define MAX_ROWS_ANY_INPUT (UINT64_C(1) << 20)
#define MAX_ROWS_OF_A_BYTE 16

static uint64_t default_max_rows(const struct fg_capture *capture)
{
    struct fg_capture_info info;
    fg_capture_get_info(capture, &info);
    uint64_t bytes = info.size_bytes < MAX_ROWS ? info.size_bytes : MAX_ROWS;
    uint64_t rows = MAX_ROWS_ANY_INPUT + bytes * MAX_ROWS_OF_A_BYTE;
    return rows < MAX_ROWS ? rows : MAX_ROWS;
}

bool fgi_convert_may_have(struct fgi_conversion *c, uint64_t rows)
{
    if (rows > c->max_rows && !c->is_over_limit) {
        c->is_over_limit = true;
        fgi_builder_fail(c->builder, FG_ERR_LIMIT);
    }
    return fgi_builder_result(c->builder) == FG_OK;
}

/* ---- names, tracks, frames, counters --------------------------------------------------------- */

static uint32_t symbol_text(void *context, uint32_t symbol)
{
    return fgi_convert_symbol(context, symbol);
}

uint32_t fgi_convert_symbol(struct fgi_conversion *c, uint32_t symbol)
{
    uint32_t id = 0;
    if (symbol == 0 || fgi_map64_get(&c->backing->texts, symbol, &id)) {
        return id;
    }
    size_t size = 0;
    const char *text = fg_capture_symbol(c->capture, symbol, &size);
    if (size == 0) {
        return 0; /* unknown so far: it may be defined later */
    }
    id = fgi_builder_text(c->builder, text, size);
    fgi_builder_fail(c->builder, fgi_map64_put(&c->backing->texts, symbol, id));
    return id;
}

uint32_t fgi_convert_frame_index(const struct fgi_conversion *c, uint64_t frame)
{
    uint32_t index = FG_NONE;
    return frame != FG_CAP_UNKNOWN && fgi_map64_get(&c->frame_of, frame, &index) ? index : FG_NONE;
}

/* Names are below 2^32 and tracks few: the key is exact. */
static uint64_t counter_key(uint32_t name, uint32_t cap_track, bool is_double)
{
    return (uint64_t)name << 32 | (uint64_t)(cap_track & 0x7fffffff) << 1 | is_double;
}

uint32_t fgi_convert_counter_find(const struct fgi_conversion *c, uint32_t name, uint32_t cap_track,
                                  bool is_double)
{
    uint32_t counter = FG_NONE;
    return fgi_map64_get(&c->counter_of, counter_key(name, cap_track, is_double), &counter)
               ? counter
               : FG_NONE;
}

/* The counter of a name on a track; made when it is new, with a track of its own. */
uint32_t fgi_convert_make_counter(struct fgi_conversion *c, uint32_t name, uint32_t unit,
                                  uint32_t cap_track, bool is_double)
{
    uint32_t counter = fgi_convert_counter_find(c, name, cap_track, is_double);
    if (counter != FG_NONE) {
        return counter;
    }
    const struct fg_cap_track *from = fgi_convert_find_track(c, cap_track);
    bool has_track =
        from && from->kind == FG_CAP_TRACK_COUNTER && fgi_convert_is_foreign(c, from->clock);
    struct fg_trace_track track = {
        .name = name,
        .process = from ? fgi_convert_process(c, from->process) : 0,
        .kind = FG_TRACK_COUNTER,
        .clock = c->clocks.maps.items[0].trace_clock,
    };
    struct fg_trace_counter made = { .name = name, .unit = unit, .is_double = is_double };
    if (has_track) {
        made.track = fgi_convert_track(c, cap_track, from->clock, FG_TRACK_COUNTER);
    } else {
        made.track = fgi_builder_track(c->builder, &track, false);
        (void)FGI_PUT(c, c->backing->tracks,
                      (struct fgi_track_key){ .cap_track = cap_track,
                                              .clock = FG_CAP_NONE,
                                              .track = made.track,
                                              .counter = fg_trace_text(c->backing->trace, name),
                                              .unit = fg_trace_text(c->backing->trace, unit),
                                              .is_double = is_double });
    }
    counter = fgi_builder_counter(c->builder, &made);
    if (counter != FG_NONE) {
        fgi_builder_fail(
            c->builder,
            fgi_map64_put(&c->counter_of, counter_key(name, cap_track, is_double), counter));
    }
    return counter;
}

void fgi_convert_counter(struct fgi_conversion *c, uint32_t name, uint32_t unit, uint32_t cap_track,
                         int64_t time_ns, const struct fg_cap_value *value)
{
    bool is_double = value->kind == FG_CAP_VALUE_F64;
    struct fg_trace_sample sample = { .time_ns = time_ns };
    if (is_double) {
        sample.value.real = value->f;
    } else if (value->kind == FG_CAP_VALUE_UINT || value->kind == FG_CAP_VALUE_BOOL) {
        sample.value.integer = value->u > INT64_MAX ? INT64_MAX : (int64_t)value->u;
        if (value->u > INT64_MAX) {
            fgi_builder_repair(c->builder, "clamped_counter", 1, UINT64_MAX);
        }
    } else if (value->kind == FG_CAP_VALUE_INT) {
        sample.value.integer = value->i;
    } else {
        fgi_builder_repair(c->builder, "counter_without_number", 1, UINT64_MAX);
        return;
    }
    uint32_t counter = fgi_convert_make_counter(c, name, unit, cap_track, is_double);
    if (counter != FG_NONE) {
        fgi_builder_sample(c->builder, counter, &sample);
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool goes_on(const struct fgi_capture_to_trace_options *options, uint64_t done,
                    uint64_t total)
{
    return !options->progress || options->progress(options->progress_context, done, total);
}

static enum fg_result read_all(
    struct fgi_conversion *c, const struct fgi_capture_to_trace_options *options,
    enum fgi_ahead_depth depth,
    void (*see)(struct fgi_conversion *, const struct fg_capture_record *), uint64_t done_before)
{
    struct fg_capture_info info;
    struct fg_capture_record record;
    struct fgi_ahead *ahead = NULL;
    unsigned count = 0;
    fg_capture_get_info(c->capture, &info);
    fg_capture_rewind(c->capture);
    enum fg_result result = fgi_ahead_create(c->capture, depth, &ahead);
    while (result == FG_OK && fgi_builder_result(c->builder) == FG_OK) {
        result = fgi_ahead_next(ahead, &record, &c->ahead_spans, &c->ahead_links);
        if (result != FG_OK) {
            break;
        }
        see(c, &record);
        if (count++ % 64 == 0 &&
            !goes_on(options, done_before + record.offset, info.size_bytes * 2)) {
            result = FG_ERR_CANCELLED;
        }
    }
    fgi_ahead_destroy(ahead);
    c->ahead_spans = NULL;
    c->ahead_links = NULL;
    return result == FG_OK || result == FG_ERR_NOT_FOUND ? fgi_builder_result(c->builder) : result;
}

static void backing_destroy(void *context)
{
    struct fgi_capture_backing *backing = context;
    fgi_map64_finish(&backing->texts);
    fgi_arena_finish(&backing->cache.arena);
    for (size_t i = 0; i < FGI_ARG_RECORDS_CACHED; i++) {
        fgi_arena_finish(&backing->record_caches[i].arena);
    }
    FGI_FREE_TABLE(backing->allocator, backing->tracks);
    FGI_FREE_TABLE(backing->allocator, backing->processes);
    FGI_FREE_TABLE(backing->allocator, backing->frames);
    FGI_FREE_TABLE(backing->allocator, backing->gpu_sources);
    FGI_FREE_TABLE(backing->allocator, backing->ref_rows);
    FGI_FREE_TABLE(backing->allocator, backing->pipelines);
    FGI_FREE_TABLE(backing->allocator, backing->arg_records);
    FGI_FREE_TABLE(backing->allocator, backing->arg_places);
    if (backing->owns_capture) {
        fg_capture_close(backing->capture);
    }
    fgi_free(backing->allocator, backing, sizeof *backing);
}

static void conversion_finish(struct fgi_conversion *c)
{
    for (size_t i = 0; i < c->pending.count; i++) {
        fgi_arena_finish(&c->pending.items[i].arena);
    }
    for (size_t i = 0; i < c->threads.count; i++) {
        FGI_FREE_TABLE(c->allocator, c->threads.items[i].zones);
        FGI_FREE_TABLE(c->allocator, c->threads.items[i].open);
    }
    fgi_clocks_finish(&c->clocks);
    FGI_FREE_TABLE(c->allocator, c->cap_tracks);
    FGI_FREE_TABLE(c->allocator, c->cap_processes);
    FGI_FREE_TABLE(c->allocator, c->seen_frames);
    FGI_FREE_TABLE(c->allocator, c->frame_times);
    FGI_FREE_TABLE(c->allocator, c->pending);
    FGI_FREE_TABLE(c->allocator, c->semaphores);
    FGI_FREE_TABLE(c->allocator, c->submissions);
    FGI_FREE_TABLE(c->allocator, c->refs);
    FGI_FREE_TABLE(c->allocator, c->symbol_texts);
    FGI_FREE_TABLE(c->allocator, c->block_frames);
    FGI_FREE_TABLE(c->allocator, c->dependencies);
    FGI_FREE_TABLE(c->allocator, c->arg_lists);
    FGI_FREE_TABLE(c->allocator, c->threads);
    FGI_FREE_TABLE(c->allocator, c->stacks);
    FGI_FREE_TABLE(c->allocator, c->metrics);
    FGI_FREE_TABLE(c->allocator, c->foreign.runs);
    FGI_FREE_TABLE(c->allocator, c->foreign.parents);
    fgi_map64_finish(&c->cap_track_at);
    fgi_map64_finish(&c->cap_process_at);
    fgi_map64_finish(&c->thread_at);
    fgi_map64_finish(&c->track_of);
    fgi_map64_finish(&c->track_uses);
    fgi_map64_finish(&c->track_clock_uses);
    FGI_FREE_TABLE(c->allocator, c->track_clocks);
    fgi_map64_finish(&c->topology_of);
    fgi_map64_finish(&c->frame_of);
    fgi_map64_finish(&c->stack_of);
    fgi_map64_finish(&c->counter_of);
}

static enum fg_result convert(struct fgi_conversion *c,
                              const struct fgi_capture_to_trace_options *options)
{
    struct fg_capture_info info;
    fg_capture_get_info(c->capture, &info);
    enum fg_result result = read_all(c, options, c->is_careful ? FGI_AHEAD_BLOCKS : FGI_AHEAD_HEADS,
                                     fgi_convert_see_first, 0);
    if (result == FG_OK) {
        result = fgi_clocks_solve(&c->clocks, c->builder, symbol_text, c);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_convert_make_tracks(c, options->previous);
    fgi_convert_frame_times(c);
    result = read_all(c, options, FGI_AHEAD_BLOCKS, fgi_convert_see_second, info.size_bytes);
    fg_capture_get_info(c->capture, &info);
    if (!info.closed) {
        c->backing->trace->info.firm_rows = fgi_builder_rows(c->builder);
    }
    for (uint32_t i = 0; i < c->pending.count && result == FG_OK; i++) {
        fgi_convert_emit_frame(c, i); /* those whose last GPU times never came */
    }
    if (result == FG_OK) {
        fgi_convert_close_threads(c);
        fgi_convert_parents(c);
        fgi_convert_links(c);
        fgi_convert_metrics(c);
        fgi_convert_losses(c);
        fgi_convert_defects(c);
        result = fgi_builder_result(c->builder);
    }
    struct fg_trace_info *out = &c->backing->trace->info;
    out->format = "sgpt";
    out->version = info.version;
    out->closed = info.closed;
    out->recovered = info.recovered;
    out->is_growing = !info.closed;
    return result;
}

/* Once from the beginning; *out_again: it has to be done carefully. Everything else is ended. */
static enum fg_result attempt(struct fg_capture *capture,
                              const struct fgi_capture_to_trace_options *options, bool is_careful,
                              bool *out_over_limit, bool *out_again, struct fg_trace **out_trace)
{
    const struct fg_allocator *allocator = options->allocator;
    struct fgi_builder *builder = NULL;
    struct fgi_capture_backing *backing = fgi_calloc(allocator, 1, sizeof *backing);
    enum fg_result result =
        backing ? fgi_builder_create(allocator, options->budget_bytes, &builder) : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        fgi_free(allocator, backing, sizeof *backing);
        return result;
    }
    struct fg_trace *trace = fgi_builder_trace(builder);
    *backing = (struct fgi_capture_backing){ .allocator = allocator,
                                             .capture = capture,
                                             .trace = trace,
                                             .texts = { .allocator = allocator },
                                             .cache = { .arena = { .allocator = allocator } } };
    for (size_t i = 0; i < FGI_ARG_RECORDS_CACHED; i++) {
        backing->record_caches[i].arena.allocator = allocator;
    }
    trace->backing = backing;
    trace->backing_destroy = backing_destroy;
    trace->args_loader = (struct fgi_args_loader){ fgi_convert_load_args, backing, 0 };
    trace->work_loader = (struct fgi_work_loader){ fgi_convert_load_work, backing };
    struct fgi_conversion c = {
        .allocator = allocator,
        .capture = capture,
        .builder = builder,
        .backing = backing,
        .clocks = { .allocator = allocator },
        .max_rows = options->max_rows ? options->max_rows : default_max_rows(capture),
        .is_careful = is_careful,
        .cap_track_at = { .allocator = allocator },
        .cap_process_at = { .allocator = allocator },
        .thread_at = { .allocator = allocator },
        .track_of = { .allocator = allocator },
        .track_uses = { .allocator = allocator },
        .track_clock_uses = { .allocator = allocator },
        .topology_of = { .allocator = allocator },
        .frame_of = { .allocator = allocator },
        .stack_of = { .allocator = allocator },
        .counter_of = { .allocator = allocator },
    };
    result = convert(&c, options);
    *out_again = result == FG_OK && !is_careful && c.blocks_seen != c.blocks_read;
    *out_over_limit = c.is_over_limit;
    conversion_finish(&c);
    if (result == FG_OK && !*out_again) {
        result = fgi_builder_finish(builder, out_trace);
        backing->owns_capture = options->owns_capture && result == FG_OK;
    }
    fgi_builder_destroy(builder);
    return result;
}

enum fg_result fgi_capture_to_trace(struct fg_capture *capture,
                                    const struct fgi_capture_to_trace_options *options,
                                    struct fg_diag *diag, struct fg_trace **out_trace)
{
    const struct fgi_capture_to_trace_options defaults = { 0 };
    options = options ? options : &defaults;
    bool is_over_limit = false, again = false;
    enum fg_result result = attempt(capture, options, false, &is_over_limit, &again, out_trace);
    if (again) {
        result = attempt(capture, options, true, &is_over_limit, &again, out_trace);
    }
    if (is_over_limit) {
        return fgi_fail(diag, FG_ERR_LIMIT, 0,
                        "the capture stands for more than %" PRIu64
                        " rows, which may be damage: raise max_rows to load it all the same",
                        options->max_rows ? options->max_rows : default_max_rows(capture));
    }
    return result == FG_OK ? FG_OK
                           : fgi_fail(diag, result, 0, "the capture could not be loaded: %s",
                                      fg_result_text(result));
}
