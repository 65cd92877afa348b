/* SPDX-License-Identifier: MIT */
/*
 * A trace as a capture, through the writer that recorders use: what it was before does not matter.
 * Loading it gives an equal trace, row by row (FORMAT.md, 7.10): ticks are the trace's nanoseconds,
 * tracks are stated in its order, and a block of spans is a run of rows of one track whose starts
 * ascend. What a capture has only as the record of a frame (its graph, its GPU passes) is not made
 * up again: it is left out, and told. A capture is better copied.
 */
#include "base/alloc.h"
#include "base/hash.h"
#include "convert/export_sgpt_priv.h"

#include <string.h>

enum {
    FLUSH_BYTES = 1 << 20,
    SECTION_BYTES = 4 << 20,
    SECTION_RECORDS = 60000, /* the format allows 65,536, what the writer adds included */
};

bool fgi_to_sgpt_ok(struct fgi_to_sgpt *to, enum fg_result result)
{
    to->result = to->result != FG_OK ? to->result : result;
    return to->result == FG_OK;
}

bool fgi_to_sgpt_put(struct fgi_to_sgpt *to, enum fg_result result)
{
    if (!fgi_to_sgpt_ok(to, result)) {
        return false;
    }
    struct fg_capture_writer_stats stats;
    fg_capture_writer_get_stats(to->writer, &stats);
    uint64_t bytes = stats.written_bytes + stats.pending_bytes;
    if (bytes - to->section_bytes > SECTION_BYTES ||
        stats.record_count - to->section_records > SECTION_RECORDS) {
        if (!fgi_to_sgpt_ok(to, fg_capture_writer_checkpoint(to->writer))) {
            return false;
        }
        fg_capture_writer_get_stats(to->writer, &stats);
        to->section_bytes = stats.written_bytes + stats.pending_bytes;
        to->section_records = stats.record_count;
    }
    return stats.pending_bytes < FLUSH_BYTES ||
           fgi_to_sgpt_ok(to, fg_capture_writer_flush(to->writer));
}

struct fg_cap_text fgi_to_sgpt_text(const struct fgi_to_sgpt *to, uint32_t text)
{
    struct fg_cap_text out;
    out.data = fgi_strings_get(&to->trace->strings, text, &out.size);
    return out;
}

uint32_t fgi_to_sgpt_symbol(struct fgi_to_sgpt *to, uint32_t text)
{
    if (text == 0 || (text < to->text_count && to->symbols[text] != 0)) {
        return text != 0 ? to->symbols[text] : 0;
    }
    uint32_t symbol = 0;
    struct fg_cap_text from = fgi_to_sgpt_text(to, text);
    (void)fgi_to_sgpt_ok(to, fg_capture_writer_symbol(to->writer, from.data, from.size, &symbol));
    if (text < to->text_count) { /* texts of arguments that are loaded on demand come later */
        to->symbols[text] = symbol;
    }
    return symbol;
}

uint64_t fgi_to_sgpt_frame(const struct fgi_to_sgpt *to, uint32_t frame)
{
    const struct fg_trace_frame *from = fg_trace_frame(to->trace, frame);
    return from != NULL ? from->id : FG_CAP_UNKNOWN;
}

struct fg_cap_ref fgi_to_sgpt_ref(const struct fgi_to_sgpt *to, uint32_t row)
{
    size_t low = 0, high = to->block_rows.count;
    while (low < high) { /* the first block that begins after the row */
        size_t middle = low + (high - low) / 2;
        if (to->block_rows.items[middle] <= row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return (struct fg_cap_ref){ .kind = FG_CAP_REF_BLOCK_SPAN,
                                .a = low - 1,
                                .b = row - to->block_rows.items[low - 1] };
}

void fgi_to_sgpt_lacks(const struct fgi_to_sgpt *to, const char *what, uint64_t count)
{
    if (count != 0 && to->work->lacks != NULL) {
        to->work->lacks(to->work->lacks_context, what, count);
    }
}

/* ---- what everything stands on --------------------------------------------------------------- */

/* The same trace makes the same bytes: the number follows from what is in it. */
static void put_meta(struct fgi_to_sgpt *to)
{
    const struct fg_trace_info *info = &to->info;
    const uint64_t figures[] = {
        info->spans, info->instants,           info->counter_samples,  info->dependencies,
        info->names, (uint64_t)info->first_ns, (uint64_t)info->last_ns
    };
    static const char producer[] = "frameglass import";
    const struct fg_cap_meta meta = {
        .session_hi = fgi_hash64(1, figures, sizeof figures),
        .session_lo = fgi_hash64(2, figures, sizeof figures),
        .producer = { producer, sizeof producer - 1 },
    };
    (void)fgi_to_sgpt_put(to, fg_capture_writer_meta(to->writer, &meta));
}

/* The clock that calibrated ones are related to. */
static uint32_t host_clock(const struct fgi_to_sgpt *to)
{
    const struct fg_trace_clock *clock;
    for (uint32_t i = 0; (clock = fg_trace_clock(to->trace, i)) != NULL; i++) {
        if (clock->kind == FG_CLOCK_HOST) {
            return i;
        }
    }
    return FG_CAP_NONE;
}

/* Ticks are nanoseconds. Two readings that say so keep a clock calibrated, and its bound. */
static void put_clock(struct fgi_to_sgpt *to, uint32_t id, const struct fg_trace_clock *from,
                      uint32_t host)
{
    const struct fg_cap_reading readings[] = { { 0, 0, from->bound_ns }, { 1, 1, from->bound_ns } };
    bool is_calibrated = from->kind == FG_CLOCK_CALIBRATED && host != FG_CAP_NONE;
    const struct fg_cap_clock clock = {
        .id = id,
        .kind = FG_CAP_CLOCK_FOREIGN,
        .domain = from->kind == FG_CLOCK_HOST ? FG_CAP_DOMAIN_HOST
                  : is_calibrated             ? FG_CAP_DOMAIN_CALIBRATED
                                              : FG_CAP_DOMAIN_NOMINAL,
        .host_clock = is_calibrated ? host : FG_CAP_NONE,
        .name = fgi_to_sgpt_symbol(to, from->name),
        .reason = fgi_to_sgpt_symbol(to, from->reason),
        .period_num = 1,
        .period_den = 1,
        .valid_bits = from->valid_bits,
        .readings = readings,
        .reading_count = is_calibrated ? 2 : 0,
    };
    (void)fgi_to_sgpt_put(to, fg_capture_writer_clock(to->writer, &clock));
}

static void put_clocks(struct fgi_to_sgpt *to)
{
    const struct fg_trace_clock *clock;
    uint32_t host = host_clock(to);
    uint64_t others = 0;
    uint32_t count = 0;
    for (; (clock = fg_trace_clock(to->trace, count)) != NULL; count++) {
        struct fg_trace_clock first = *clock;
        others += clock->period_num != clock->period_den || clock->rejected_count != 0 ||
                  (clock->kind == FG_CLOCK_CALIBRATED && clock->pair_count != 2);
        /* A host that comes later cannot be named yet: what is said of a clock last counts. */
        first.kind =
            clock->kind == FG_CLOCK_CALIBRATED && host > count ? FG_CLOCK_NOMINAL : clock->kind;
        put_clock(to, count, &first, host);
    }
    for (uint32_t i = 0; i < count; i++) {
        clock = fg_trace_clock(to->trace, i);
        if (clock->kind == FG_CLOCK_CALIBRATED && host > i && host != FG_CAP_NONE) {
            put_clock(to, i, clock, host);
        }
    }
    if (count == 0) {
        put_clock(to, 0, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST, .valid_bits = 64 }, host);
    }
    fgi_to_sgpt_lacks(to, "readings and periods of clocks", others);
}

static void put_tracks(struct fgi_to_sgpt *to)
{
    const struct fg_trace_process *process;
    const struct fg_trace_track *track;
    for (uint32_t i = 0; (process = fg_trace_process(to->trace, i)) != NULL; i++) {
        const struct fg_cap_process out = { .id = i,
                                            .os_id = (uint64_t)process->id,
                                            .name = fgi_to_sgpt_symbol(to, process->name),
                                            .sort = i };
        (void)fgi_to_sgpt_put(to, fg_capture_writer_process(to->writer, &out));
    }
    for (uint32_t i = 0; (track = fg_trace_track(to->trace, i)) != NULL; i++) {
        const struct fg_cap_track out = { .id = i,
                                          .kind = (uint32_t)track->kind,
                                          .process = track->process,
                                          .parent = FG_CAP_NONE,
                                          .clock = track->clock,
                                          .name = fgi_to_sgpt_symbol(to, track->name),
                                          .os_id = (uint64_t)track->id,
                                          .sort = i };
        if (!fgi_to_sgpt_put(to, fg_capture_writer_track(to->writer, &out))) {
            return;
        }
    }
}

/* ---- what the trace says of itself ----------------------------------------------------------- */

static struct fg_cap_text text_of(const char *text)
{
    return (struct fg_cap_text){ text, text != NULL ? strlen(text) : 0 };
}

static void fill_tallies(const struct fgi_to_sgpt *to, struct fg_cap_limit *out,
                         const struct fg_trace_tally *(*get)(const struct fg_trace *, uint32_t))
{
    const struct fg_trace_tally *tally;
    for (uint32_t i = 0; (tally = get(to->trace, i)) != NULL; i++) {
        out[i] = (struct fg_cap_limit){ fgi_to_sgpt_text(to, tally->name), tally->count };
    }
}

static void fill_frames(const struct fgi_to_sgpt *to, struct fg_cap_converted_frame *out)
{
    const struct fg_trace_frame *from;
    uint64_t graphs = 0;
    for (uint32_t i = 0; (from = fg_trace_frame(to->trace, i)) != NULL; i++) {
        out[i] = (struct fg_cap_converted_frame){
            .frame = from->id,
            .begin_ticks = from->start_ns,
            .end_ticks = from->cpu_end_ns,
            .submit_ticks = from->submit_ns,
            .flags = (from->has_submit ? FG_CAP_CONVERTED_SUBMITTED : 0u) |
                     (from->has_gpu ? FG_CAP_CONVERTED_HAS_GPU : 0u) |
                     (from->is_lost ? FG_CAP_CONVERTED_LOST : 0u),
            .level = from->level,
            .track = from->track,
            .dropped = from->dropped,
            .missing = from->missing,
            .recorder_ns = from->overhead_ns,
            .latency_ns = from->latency_ns,
            .wait_ns = from->wait_ns,
            .present_wait_ns = from->present_wait_ns,
        };
        graphs += from->topology != FG_NONE;
    }
    fgi_to_sgpt_lacks(to, "graphs of frames", graphs);
}

/* Everything that says what was left out of the foreign file, and its frames. */
static void put_conversion(struct fgi_to_sgpt *to)
{
    const struct fg_trace_info *info = &to->info;
    struct fgi_arena arena = { .allocator = to->allocator };
    struct fg_cap_pair *metas = fgi_arena_alloc(&arena, info->metas + 1, sizeof *metas);
    struct fg_cap_limit *losses = fgi_arena_alloc(&arena, info->losses + 1, sizeof *losses);
    struct fg_cap_limit *skipped = fgi_arena_alloc(&arena, info->skipped + 1, sizeof *skipped);
    struct fg_cap_repair *repairs = fgi_arena_alloc(&arena, info->repairs + 1, sizeof *repairs);
    struct fg_cap_converted_frame *frames =
        fgi_arena_alloc(&arena, info->frames + 1, sizeof *frames);
    if (metas && losses && skipped && repairs && frames) {
        const struct fg_trace_meta *meta;
        const struct fg_trace_repair *repair;
        for (uint32_t i = 0; (meta = fg_trace_meta(to->trace, i)) != NULL; i++) {
            metas[i] = (struct fg_cap_pair){ fgi_to_sgpt_text(to, meta->key),
                                             fgi_to_sgpt_text(to, meta->value) };
        }
        for (uint32_t i = 0; (repair = fg_trace_repair(to->trace, i)) != NULL; i++) {
            repairs[i] = (struct fg_cap_repair){ text_of(repair->kind), repair->count,
                                                 repair->first_offset };
        }
        fill_tallies(to, losses, fg_trace_loss);
        fill_tallies(to, skipped, fg_trace_skipped);
        fill_frames(to, frames);
        const struct fg_cap_conversion conversion = {
            .format = text_of(info->format),
            .version = info->version,
            .level = info->level,
            .other_events = info->other_events,
            .metas = metas,
            .meta_count = info->metas,
            .losses = losses,
            .loss_count = info->losses,
            .skipped = skipped,
            .skipped_count = info->skipped,
            .repairs = repairs,
            .repair_count = info->repairs,
            .frames = frames,
            .frame_count = (size_t)info->frames,
        };
        (void)fgi_to_sgpt_put(to, fg_capture_writer_conversion(to->writer, &conversion));
    } else {
        (void)fgi_to_sgpt_ok(to, FG_ERR_NO_MEMORY);
    }
    fgi_arena_finish(&arena);
}

/* What the program counted of itself. */
static void put_summary(struct fgi_to_sgpt *to)
{
    static const uint32_t reasons[FG_TRACE_LOSS_COUNTERS] = {
        [FG_TRACE_PRODUCER_DROPS] = FG_CAP_DROP_RING_FULL,
        [FG_TRACE_OVERWRITTEN] = FG_CAP_DROP_OVERWRITTEN,
        [FG_TRACE_DROPPED_BEFORE_START] = FG_CAP_DROP_BEFORE_START,
        [FG_TRACE_MALFORMED_ZONES] = FG_CAP_DROP_MALFORMED_ZONE,
        [FG_TRACE_MALFORMED_FRAMES] = FG_CAP_DROP_MALFORMED_FRAME,
        [FG_TRACE_SOURCE_FAILURES] = FG_CAP_DROP_SOURCE_FAILED,
        [FG_TRACE_REFUSED_METRICS] = FG_CAP_DROP_METRIC_REFUSED,
        [FG_TRACE_FRAME_COUNTERS_LEFT_OUT] = FG_CAP_DROP_COUNTER_LEFT_OUT,
        [FG_TRACE_REFUSED_OBJECTS] = FG_CAP_DROP_OBJECT_REFUSED,
    };
    struct fg_cap_drop drops[FG_TRACE_LOSS_COUNTERS];
    struct fg_cap_summary summary = {
        .frame_count = to->info.frames,
        .recorder_ns = to->info.overhead_ns < 0 ? FG_CAP_UNKNOWN : (uint64_t)to->info.overhead_ns,
        .write_ns = FG_CAP_UNKNOWN,
        .memory_peak_bytes = FG_CAP_UNKNOWN,
        .drops = drops,
    };
    for (unsigned i = 0; i < FG_TRACE_LOSS_COUNTERS; i++) {
        uint64_t count = fg_trace_loss_counter(to->trace, i);
        if (count != UINT64_MAX) {
            drops[summary.drop_count++] = (struct fg_cap_drop){ reasons[i], count };
        }
    }
    if (summary.drop_count != 0 || to->info.overhead_ns >= 0) {
        (void)fgi_to_sgpt_put(to, fg_capture_writer_summary(to->writer, &summary));
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void put_all(struct fgi_to_sgpt *to)
{
    put_meta(to);
    put_clocks(to);
    put_tracks(to);
    put_conversion(to);
    fgi_to_sgpt_rows(to);
    fgi_to_sgpt_marks(to);
    fgi_to_sgpt_metrics(to);
    fgi_to_sgpt_stacks(to);
    fgi_to_sgpt_objects(to);
    fgi_to_sgpt_links(to);
    put_summary(to);
    fgi_to_sgpt_lacks(to, "frame graphs", to->info.topologies);
    fgi_to_sgpt_lacks(to, "places of damage", to->info.defects);
    if (to->result == FG_OK) {
        (void)fgi_to_sgpt_ok(to, fg_capture_writer_close(to->writer));
    }
}

static enum fg_result write_sgpt(const struct fgi_export *work)
{
    struct fgi_to_sgpt to = { .work = work, .allocator = work->allocator, .trace = work->trace };
    const struct fg_capture_writer_options options = { .allocator = work->allocator };
    fg_trace_get_info(work->trace, &to.info);
    to.text_count = fg_trace_text_count(work->trace);
    to.symbols = fgi_calloc(work->allocator, (size_t)to.text_count + 1, sizeof *to.symbols);
    to.result = to.symbols != NULL ? fg_capture_writer_create(work->sink, &options, &to.writer)
                                   : FG_ERR_NO_MEMORY;
    if (to.result == FG_OK) {
        put_all(&to);
    }
    fg_capture_writer_destroy(to.writer);
    fgi_free(work->allocator, to.symbols, ((size_t)to.text_count + 1) * sizeof *to.symbols);
    fgi_free(work->allocator, to.block_rows.items,
             to.block_rows.capacity * sizeof *to.block_rows.items);
    return to.result;
}

const struct fgi_exporter fgi_exporter_sgpt = {
    .name = "sgpt",
    .about = "a capture: loading it gives the same trace",
    .write = write_sgpt,
};
