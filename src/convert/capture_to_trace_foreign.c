/* SPDX-License-Identifier: MIT */
/*
 * A capture that was made from a trace of another format (export_sgpt.c). Its clocks are of the
 * foreign kind, and everything on such a clock is taken as it is said: tracks are there because
 * they are named, ends of unfinished spans stand, depths are believed.
 */
#include "convert/capture_to_trace_foreign.h"
#include "convert/capture_to_trace_priv.h"
#include "convert/capture_to_trace_track.h"
#include "trace/build_amend.h"

bool fgi_convert_is_foreign(const struct fgi_conversion *c, uint32_t clock)
{
    const struct fgi_clock_map *map = fgi_clocks_find(&c->clocks, clock);
    return map->cap.id == clock && map->cap.kind == FG_CAP_CLOCK_FOREIGN;
}

/* The track of a converted trace: it runs on the clock that it was stated with. */
static uint32_t own_track(struct fgi_conversion *c, uint32_t id)
{
    struct fgi_foreign *foreign = &c->foreign;
    if (id == FG_CAP_NONE) {
        return FG_NONE;
    }
    if (!foreign->has_track || foreign->last_id != id) {
        const struct fg_cap_track *from = fgi_convert_find_track(c, id);
        uint32_t clock = from ? from->clock : FG_CAP_NONE;
        foreign->last_track = fgi_convert_track(c, id, clock, FG_TRACK_THREAD);
        foreign->last_id = id;
        foreign->has_track = true;
    }
    return foreign->last_track;
}

/* ---- CONV ------------------------------------------------------------------------------------ */

void fgi_convert_see_conversion(struct fgi_conversion *c, const struct fg_cap_conversion *from)
{
    if (!fgi_convert_may_have(c, c->frame_total + from->frame_count)) {
        return;
    }
    for (size_t i = 0; i < from->frame_count; i++) {
        uint32_t index = 0;
        if (!fgi_map64_get(&c->frame_of, from->frames[i].frame, &index)) {
            fgi_builder_fail(c->builder,
                             fgi_map64_put(&c->frame_of, from->frames[i].frame, c->frame_total));
        }
        c->frame_total++;
    }
}

static uint32_t text_of(struct fgi_conversion *c, struct fg_cap_text text)
{
    return fgi_builder_text(c->builder, text.data, text.size);
}

static void put_frame(struct fgi_conversion *c, const struct fgi_clock_map *clock,
                      const struct fg_cap_converted_frame *from)
{
    struct fg_trace_frame frame = {
        .id = from->frame,
        .start_ns = fgi_clock_axis_ns(clock, (uint64_t)from->begin_ticks),
        .cpu_end_ns = fgi_clock_axis_ns(clock, (uint64_t)from->end_ticks),
        .submit_ns = fgi_clock_axis_ns(clock, (uint64_t)from->submit_ticks),
        .topology = FG_NONE,
        .level = from->level,
        .track = own_track(c, from->track),
        .dropped = from->dropped,
        .missing = from->missing,
        .overhead_ns = from->recorder_ns,
        .latency_ns = from->latency_ns,
        .wait_ns = from->wait_ns,
        .present_wait_ns = from->present_wait_ns,
        .has_submit = (from->flags & FG_CAP_CONVERTED_SUBMITTED) != 0,
        .has_gpu = (from->flags & FG_CAP_CONVERTED_HAS_GPU) != 0,
        .is_lost = (from->flags & FG_CAP_CONVERTED_LOST) != 0,
    };
    frame.cpu_end_ns = frame.cpu_end_ns > frame.start_ns ? frame.cpu_end_ns : frame.start_ns;
    if (fgi_builder_frame(c->builder, &frame, NULL, 0) == FG_NONE) {
        return;
    }
    /* By frame index, as those of records that rows and arguments are made from: here of none. */
    (void)FGI_PUT(c, c->pending, (struct fgi_pending_frame){ .topology = FG_NONE });
    (void)FGI_PUT(c, c->backing->frames,
                  (struct fgi_frame_source){
                      .offset = UINT64_MAX, .frame_row = FG_NONE, .first_gpu = FG_NONE });
}

void fgi_convert_conversion(struct fgi_conversion *c, const struct fg_cap_conversion *from)
{
    struct fg_trace *trace = c->backing->trace;
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, from->clock);
    trace->info.level = from->level;
    trace->info.other_events += from->other_events;
    trace->metas.count = 0;
    for (size_t i = 0; i < from->meta_count; i++) {
        if (from->metas[i].key.size > 0) {
            uint32_t key = text_of(c, from->metas[i].key);
            fgi_builder_meta(c->builder, key, text_of(c, from->metas[i].value));
        }
    }
    for (size_t i = 0; i < from->loss_count; i++) {
        fgi_builder_loss(c->builder, text_of(c, from->losses[i].name), from->losses[i].value);
    }
    for (size_t i = 0; i < from->skipped_count; i++) {
        fgi_builder_skipped(c->builder, text_of(c, from->skipped[i].name), from->skipped[i].value);
    }
    for (size_t i = 0; i < from->repair_count; i++) {
        const struct fg_cap_repair *repair = &from->repairs[i];
        uint32_t kind = text_of(c, repair->kind);
        if (kind != 0) {
            fgi_builder_repair(c->builder, fg_trace_text(trace, kind), repair->count,
                               repair->first_offset);
        }
    }
    for (size_t i = 0; i < from->frame_count; i++) {
        put_frame(c, clock, &from->frames[i]);
    }
    c->foreign.is_told = true;
}

/* ---- ROWS ------------------------------------------------------------------------------------ */

void fgi_convert_rows(struct fgi_conversion *c, const struct fg_cap_rows *rows)
{
    c->foreign.runs.count = 0;
    c->foreign.block = rows->block;
    for (size_t i = 0; i < rows->run_count; i++) {
        (void)FGI_PUT(c, c->foreign.runs, rows->runs[i]);
    }
    c->foreign.at = 0;
    c->foreign.used = 0;
    uint32_t first = fgi_builder_rows(c->builder);
    for (size_t i = 0; i < rows->parent_count; i++) {
        const struct fg_cap_row_parent *from = &rows->parents[i];
        if (from->index < FG_CAP_BLOCK_SPANS) {
            (void)FGI_PUT(c, c->foreign.parents,
                          (struct fg_cap_row_parent){ first + from->index, from->parent });
        }
    }
}

void fgi_convert_parents(struct fgi_conversion *c)
{
    uint32_t rows = fgi_builder_rows(c->builder);
    struct fgi_amend amend = fgi_amend_begin(c->builder);
    for (size_t i = 0; i < c->foreign.parents.count; i++) {
        const struct fg_cap_row_parent *said = &c->foreign.parents.items[i];
        bool is_row =
            said->parent == FG_NONE || (said->parent < rows && said->parent != said->index);
        if (said->index >= rows || !is_row) {
            fgi_builder_repair(c->builder, "parent_without_span", 1, UINT64_MAX);
        } else if (fgi_amend_row(&amend, said->index)) {
            fgi_amend_parent(&amend, said->parent);
        }
    }
    fgi_amend_finish(&amend);
}

uint32_t fgi_convert_row_kinds(struct fgi_conversion *c, uint32_t block, uint32_t most,
                               uint32_t *classes, uint32_t *status)
{
    struct fgi_foreign *foreign = &c->foreign;
    while (foreign->at < foreign->runs.count &&
           foreign->used >= foreign->runs.items[foreign->at].count) {
        foreign->at++;
        foreign->used = 0;
    }
    if (foreign->block != block || foreign->at == foreign->runs.count) {
        return most;
    }
    const struct fg_cap_row_run *run = &foreign->runs.items[foreign->at];
    uint32_t left = run->count - foreign->used;
    uint32_t count = left < most ? left : most;
    foreign->used += count;
    *classes = run->classes;
    *status = run->status <= FG_SPAN_FORCED ? run->status : *status;
    return count;
}

/* ---- MARK ------------------------------------------------------------------------------------ */

void fgi_convert_marks(struct fgi_conversion *c, const struct fg_cap_marks *marks)
{
    const struct fgi_clock_map *clock = fgi_clocks_find(&c->clocks, marks->clock);
    for (size_t i = 0; i < marks->mark_count; i++) {
        const struct fg_cap_mark *from = &marks->marks[i];
        struct fg_trace_instant instant = {
            .time_ns = fgi_clock_axis_ns(clock, (uint64_t)from->ticks),
            .track = own_track(c, from->track),
            .name = fgi_convert_symbol(c, from->name),
            .frame = fgi_convert_frame_index(c, from->frame),
            .is_note = (from->flags & FG_CAP_MARK_NOTE) != 0,
            .is_loss = (from->flags & FG_CAP_MARK_LOSS) != 0,
            .has_value = (from->flags & FG_CAP_MARK_VALUE) != 0,
            .value = from->value,
        };
        instant.category = fgi_convert_symbol(c, from->category);
        (void)fgi_builder_instant(c->builder, &instant);
    }
}
