/* SPDX-License-Identifier: MIT */
#include "span_bed.h"
#include "engine/cpu/engine_cpu.h"
#include <stdio.h>
#include <string.h>

static void add_span(struct fgi_builder *builder, const struct fgt_bed_span *span)
{
    char category[16];
    struct fgi_span_in in = fgi_span_in_make(span->thread, fgi_builder_text(builder, "span", 4),
                                             span->start_ns, span->end_ns);
    (void)snprintf(category, sizeof category, "%u", span->category);
    in.category = fgi_builder_text(builder, category, strlen(category));
    in.classes = span->classes;
    in.depth = span->depth;
    in.parent = span->parent ? span->parent - 1 : FG_NONE;
    (void)fgi_builder_span(builder, &in);
}

bool fgt_bed_open_linked(struct fgt_bed *bed, const struct fgt_bed_span *spans, uint32_t count,
                         uint32_t threads, uint32_t threads_per_process, const uint32_t (*links)[2],
                         size_t link_count)
{
    struct fgi_builder *builder = NULL;
    *bed = (struct fgt_bed){ .rows = count };
    if (fgi_builder_create(NULL, 0, &builder) != FG_OK) {
        return false;
    }
    (void)fgi_builder_clock(builder, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    for (uint32_t t = 0; t < threads; t++) {
        if (t % threads_per_process == 0) {
            (void)fgi_builder_process(builder, 0, t / threads_per_process);
        }
        const struct fg_trace_track track = { .process = t / threads_per_process,
                                              .kind = FG_TRACK_THREAD,
                                              .id = t };
        (void)fgi_builder_track(builder, &track, true);
    }
    for (uint32_t i = 0; i < count; i++) {
        add_span(builder, &spans[i]);
    }
    for (size_t i = 0; i < link_count; i++) {
        fgi_builder_dependency(builder,
                               &(struct fg_trace_dependency){ links[i][0], links[i][1], 0, 0 });
    }
    bool is_open = fgi_builder_finish(builder, &bed->trace) == FG_OK &&
                   fgi_engine_cpu_create(NULL, bed->trace, &bed->engine) == FG_OK &&
                   fg_query_create(bed->engine, NULL, NULL, NULL, &bed->query) == FG_OK;
    fgi_builder_destroy(builder);
    if (!is_open) {
        fgt_bed_close(bed);
    }
    return is_open;
}

bool fgt_bed_open(struct fgt_bed *bed, const struct fgt_bed_span *spans, uint32_t count,
                  uint32_t threads, uint32_t threads_per_process)
{
    return fgt_bed_open_linked(bed, spans, count, threads, threads_per_process, NULL, 0);
}

void fgt_bed_close(struct fgt_bed *bed)
{
    fg_query_destroy(bed->query);
    fgi_engine_destroy(bed->engine);
    fgi_trace_destroy(bed->trace);
    *bed = (struct fgt_bed){ 0 };
}

uint32_t fgt_bed_lane(const struct fgt_bed *bed, uint32_t thread, uint32_t depth, uint32_t overlap)
{
    const struct fg_trace_lane *lane;
    for (uint32_t i = 0; (lane = fg_trace_lane(bed->trace, i)) != NULL; i++) {
        if (lane->track == thread && lane->depth == depth && lane->overlap == overlap) {
            return i;
        }
    }
    return FG_NONE;
}

uint32_t fgt_bed_category(const struct fgt_bed *bed, uint32_t row)
{
    struct fgi_cursor cursor = fgi_trace_cursor(bed->trace);
    struct fg_trace_span span = { 0 };
    if (fgi_cursor_at(&cursor, row)) {
        fgi_trace_fill_span(bed->trace, cursor.block, row - cursor.first_row, &span);
    }
    fgi_cursor_finish(&cursor);
    return span.category;
}

struct fg_view_target fgt_bed_target(uint32_t kind, uint32_t index)
{
    return (struct fg_view_target){ (uint8_t)kind, FG_VIEW_NONE, index };
}

uint32_t fgt_bed_filter(const struct fgt_bed *bed, const struct fg_filter_terms *terms)
{
    uint32_t filter = FG_NONE, rows = 0;
    return fg_query_filter_create(bed->query, terms, &filter, &rows) == FG_OK ? filter : FG_NONE;
}

uint32_t fgt_bed_shown(const struct fgt_bed *bed, const struct fg_view_target *targets,
                       uint32_t target_count, int64_t start_ns, int64_t end_ns, uint32_t filter,
                       uint32_t *rows)
{
    struct fg_view_reply reply;
    const struct fg_view_request request = {
        .start_ns = start_ns,
        .end_ns = end_ns,
        .width_px = 1,
        .filter = filter,
        .targets = targets,
        .target_count = target_count,
        .detail = FG_DETAIL_EXACT,
    };
    if (target_count == 0 || fg_query_view(bed->query, &request, &reply) != FG_OK) {
        return 0; /* a window that is none shows nothing */
    }
    for (uint32_t i = 0; i < reply.span_count; i++) {
        rows[i] = reply.spans[i].row;
    }
    return reply.span_count;
}

bool fgt_bed_longest(const struct fgt_bed *bed, struct fg_view_target target, uint32_t filter,
                     unsigned level, int64_t first, uint32_t pixels, uint32_t *rows)
{
    struct fg_view_reply reply;
    const int64_t width = INT64_C(1) << level;
    const struct fg_view_request request = {
        .start_ns = first * width,
        .end_ns = (first + pixels) * width,
        .width_px = pixels,
        .filter = filter,
        .targets = &target,
        .target_count = 1,
        .wide_px = FG_VIEW_WIDTH_MAX,
        .detail = FG_DETAIL_REPRESENTATIVE,
    };
    for (uint32_t i = 0; i < pixels; i++) {
        rows[i] = FG_NONE;
    }
    if (fg_query_view(bed->query, &request, &reply) != FG_OK || reply.level != level ||
        reply.answers[0].mode != FG_VIEW_REPRESENTATIVE) {
        return false;
    }
    for (uint32_t i = 0; i < reply.bins_count; i++) {
        const struct fg_view_bins *bins = &reply.bins[i];
        for (int64_t bin = bins->first; bin < bins->first + bins->count; bin++) {
            if (bin >= first && bin < first + pixels) {
                rows[bin - first] = bins->row;
            }
        }
    }
    return true;
}
