/* SPDX-License-Identifier: MIT */
/*
 * What the two readings of a capture do with each record (capture_to_trace.c). The second one:
 *
 *   META       metadata                          NOTE       a note
 *   TOPO       a topology                        LOST       an instant, and what was open
 *   FRAM+GSPN  a frame; CPU spans, scope and     SPAN ZRAW  spans of a thread
 *              GPU pass spans; counters;         SMPL       samples with their stacks
 *              semaphores as dependencies        MSMP       counters
 *   DEPS       dependencies                      REVT       resources, and instants
 *   ARGS       arguments                         SUMM       losses and cost
 *   ARGT       the same, as trees                CONV       what a converted trace says of itself
 *   MARK       instants of a converted trace     ROWS       classes of its spans
 */
#include "base/alloc.h"
#include "convert/capture_to_trace_lists.h"
#include "convert/capture_to_trace_priv.h"
#include "convert/capture_to_trace_state.h"
#include "convert/capture_to_trace_track.h"

/* ---- first reading --------------------------------------------------------------------------- */

static void see_frame(struct fgi_conversion *c, const struct fg_cap_frame *frame)
{
    uint32_t index = 0;
    if (!fgi_map64_get(&c->frame_of, frame->frame, &index)) {
        fgi_builder_fail(c->builder, fgi_map64_put(&c->frame_of, frame->frame, c->frame_total));
    }
    (void)FGI_PUT(c, c->seen_frames,
                  (struct fgi_seen_frame){ frame->begin_ticks, frame->end_ticks, frame->clock,
                                           c->frame_total });
    c->frame_total++;
    /* What a frame says of its graph is kept for all of its passes. */
    const struct fg_cap_topology *topology =
        frame->pass_count > 0 ? fg_capture_topology(c->capture, frame->topology) : NULL;
    uint64_t passes = topology && topology->pass_count > frame->pass_count ? topology->pass_count
                                                                           : frame->pass_count;
    c->pass_total += passes + frame->gpu_pass_count;
    if (!fgi_convert_may_have(c, c->pass_total)) {
        return;
    }
    fgi_convert_mark_use(c, frame->track, frame->clock, FGI_USED_BY_OTHERS);
    for (size_t i = 0; i < frame->pass_count; i++) {
        if (frame->passes[i].track != FG_CAP_NONE) {
            fgi_convert_mark_use(c, frame->passes[i].track, frame->clock, FGI_USED_BY_OTHERS);
        }
    }
}

static void see_pipeline(struct fgi_conversion *c, const struct fg_cap_pipeline *pipeline)
{
    for (size_t i = 0; i < c->backing->pipelines.count; i++) {
        if (c->backing->pipelines.items[i].label == pipeline->label) {
            return;
        }
    }
    (void)FGI_PUT(c, c->backing->pipelines, *pipeline);
}

/* Which blocks there were, whatever their order. */
static void note_block(uint64_t *blocks, const struct fg_capture_record *record)
{
    if ((int)record->type == FG_CAPTURE_SPAN) {
        *blocks += fgi_mix64(record->offset);
    }
}

void fgi_convert_see_first(struct fgi_conversion *c, const struct fg_capture_record *record)
{
    note_block(&c->blocks_seen, record);
    if (c->ahead_spans) {
        fgi_convert_mark_use(c, c->ahead_spans->track, c->ahead_spans->clock, FGI_USED_BY_BLOCKS);
        return;
    }
    switch ((int)record->type) {
    case FG_CAPTURE_CLKS:
        fgi_builder_fail(c->builder, fgi_clocks_see(&c->clocks, record->clock));
        break;
    case FG_CAPTURE_TRAK:
        fgi_convert_see_track(c, record->track);
        break;
    case FG_CAPTURE_PROC:
        fgi_convert_see_process(c, record->process);
        break;
    case FG_CAPTURE_PIPE:
        see_pipeline(c, record->pipeline);
        break;
    case FG_CAPTURE_FRAM:
        see_frame(c, record->frame);
        break;
    case FG_CAPTURE_SPAN:
        fgi_convert_mark_use(c, record->span_block->track, record->span_block->clock,
                             FGI_USED_BY_BLOCKS);
        break;
    case FG_CAPTURE_ZRAW:
        fgi_convert_mark_use(c, record->events->track, record->events->clock, FGI_USED_BY_OTHERS);
        break;
    case FG_CAPTURE_SMPL:
        fgi_convert_mark_use(c, record->samples->track, record->samples->clock, FGI_USED_BY_OTHERS);
        break;
    case FG_CAPTURE_DEPS:
    case FG_CAPTURE_ARGS:
    case FG_CAPTURE_ARGT:
        c->wants_refs = true;
        break;
    case FG_CAPTURE_CONV:
        fgi_convert_see_conversion(c, record->conversion);
        break;
    default:
        break;
    }
}

/* ---- second reading -------------------------------------------------------------------------- */

static void see_stacks(struct fgi_conversion *c, const struct fg_cap_stacks *stacks)
{
    for (size_t i = 0; i < stacks->stack_count; i++) {
        struct fg_cap_stack stack = stacks->stacks[i];
        stack.function = fgi_convert_symbol(c, stack.function); /* a text id from here on */
        if (FGI_PUT(c, c->stacks, stack)) {
            fgi_builder_fail(c->builder,
                             fgi_map64_put(&c->stack_of, stack.id, (uint32_t)c->stacks.count - 1));
        }
    }
}

static void see_summary(struct fgi_conversion *c, const struct fg_cap_summary *summary)
{
    c->summary_drops = (struct fgi_drops){ 0 };
    fgi_convert_drops(&c->summary_drops, summary->drops, summary->drop_count);
    c->backing->trace->info.overhead_ns = summary->recorder_ns == FG_CAP_UNKNOWN ? -1
                                          : summary->recorder_ns > INT64_MAX
                                              ? INT64_MAX
                                              : (int64_t)summary->recorder_ns;
}

static void see_dependencies(struct fgi_conversion *c, const struct fg_cap_dependencies *deps)
{
    for (size_t i = 0; i < deps->dependency_count; i++) {
        (void)FGI_PUT(c, c->dependencies, deps->dependencies[i]);
    }
}

static void see_unknown(struct fgi_conversion *c, const struct fg_capture_record *record)
{
    switch ((int)record->type) {
#define KNOWN(name, a, b, d, e, payload) case FG_CAPTURE_##name:
        FG_CAPTURE_RECORDS(KNOWN)
#undef KNOWN
        return; /* used by the reader itself, or by the first reading */
    default:
        break;
    }
    char name[4];
    for (int i = 0; i < 4; i++) {
        char letter = (char)(record->type >> (8 * i) & 0xff);
        name[i] = letter > 32 && letter < 127 ? letter : '?';
    }
    fgi_builder_skipped(c->builder, fgi_builder_text(c->builder, name, 4), 1);
}

/* False: nothing to do, or `record` says again what is known; metrics may change when restated. */
static bool is_news(const struct fg_capture_record *record)
{
    return record->data && (!record->restated || (int)record->type == FG_CAPTURE_MDEF);
}

/* What a program says of its frames and its graphs; false: none of these. */
static bool see_frames(struct fgi_conversion *c, const struct fg_capture_record *record)
{
    switch ((int)record->type) {
    case FG_CAPTURE_META:
        fgi_convert_meta(c, record->meta);
        return true;
    case FG_CAPTURE_TOPO:
        fgi_convert_topology(c, record->topology);
        return true;
    case FG_CAPTURE_FRAM:
        if (record->incomplete) {
            fgi_builder_repair(c->builder, "frame_without_template", 1, record->offset);
        }
        fgi_convert_frame(c, record->frame, record->offset);
        return true;
    case FG_CAPTURE_GSPN:
        fgi_convert_gpu_frame(c, record->gpu_frame, record->offset);
        return true;
    case FG_CAPTURE_NOTE:
        fgi_convert_note(c, record->note);
        return true;
    case FG_CAPTURE_LOST:
        fgi_convert_device_lost(c, record->device_lost);
        return true;
    case FG_CAPTURE_SUMM:
        see_summary(c, record->summary);
        return true;
    default:
        return false;
    }
}

/* What its threads did, and what goes with it; false: none of these. */
static bool see_threads(struct fgi_conversion *c, const struct fg_capture_record *record)
{
    switch ((int)record->type) {
    case FG_CAPTURE_SPAN:
        fgi_convert_span_block(c, record->span_block);
        return true;
    case FG_CAPTURE_ZRAW:
        fgi_convert_events(c, record->events);
        return true;
    case FG_CAPTURE_DEPS:
        see_dependencies(c, record->dependencies);
        return true;
    case FG_CAPTURE_ARGS:
        fgi_convert_arguments(c, record->arguments, record->offset);
        return true;
    case FG_CAPTURE_STAK:
        see_stacks(c, record->stacks);
        return true;
    case FG_CAPTURE_SMPL:
        fgi_convert_samples(c, record->samples);
        return true;
    case FG_CAPTURE_MDEF:
        fgi_convert_metric(c, record->metric);
        return true;
    case FG_CAPTURE_MSMP:
        fgi_convert_metric_samples(c, record->metric_samples);
        return true;
    case FG_CAPTURE_REVT:
        fgi_convert_resource_events(c, record->resource_events);
        return true;
    default:
        return false;
    }
}

/* What only a converted trace says; false: none of these. */
static bool see_converted(struct fgi_conversion *c, const struct fg_capture_record *record)
{
    switch ((int)record->type) {
    case FG_CAPTURE_CONV:
        fgi_convert_conversion(c, record->conversion);
        return true;
    case FG_CAPTURE_ROWS:
        fgi_convert_rows(c, record->rows);
        return true;
    case FG_CAPTURE_MARK:
        fgi_convert_marks(c, record->marks);
        return true;
    case FG_CAPTURE_ARGT:
        fgi_convert_trees(c, record->trees, record->offset);
        return true;
    default:
        return false;
    }
}

void fgi_convert_see_second(struct fgi_conversion *c, const struct fg_capture_record *record)
{
    note_block(&c->blocks_read, record);
    if (c->ahead_spans) {
        fgi_convert_span_columns(c, c->ahead_spans);
    } else if (c->ahead_links) {
        fgi_convert_link_columns(c, c->ahead_links);
    } else if (!is_news(record) ||
               (!see_frames(c, record) && !see_threads(c, record) && !see_converted(c, record))) {
        see_unknown(c, record);
    }
}
