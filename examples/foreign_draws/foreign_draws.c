/* SPDX-License-Identifier: MIT */
#include "foreign_draws.h"
#include "foreign_mask.h"
#include "foreign_picture.h"

#include <frameglass/gpu_trace_numbers.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { RING_BYTES = 8 << 20, SPANS_AT_MOST = 1 << 20 };

struct foreign_draws {
    const struct fg_trace *trace;
    const struct foreign_draws_window *window;
    struct foreign_device device;
    struct foreign_nodes nodes;
    struct fg_gpu_trace *gpu;
    struct fg_compute_memory table;
    struct foreign_mask mask;
    struct fg_gpu_filter *filter;
    struct fg_gpu_population *population;
    struct fg_gpu_view *view;
    struct foreign_picture picture;
    uint32_t lanes, rows, marked, summed;
    uint64_t summed_ns;
};

/* Submit all nodes that were added, wait, and begin anew. */
static bool run(struct foreign_draws *s)
{
    const bool done = foreign_device_begin(&s->device) &&
                      foreign_ok(foreign_nodes_encode(&s->nodes, s->device.commands), "encoding") &&
                      foreign_device_finish(&s->device);
    return done;
}

static bool upload(struct foreign_draws *s)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(&s->nodes);
    struct fg_compute_ring *ring = NULL;
    struct fg_gpu_trace_counts counts;
    if (!foreign_ok(
            fg_gpu_trace_create(
                FG_GPU_TRACE_OPTIONS(.compute = s->device.compute, .trace = s->trace), &s->gpu),
            "a trace on the device") ||
        !foreign_ok(fg_compute_ring_create(s->device.compute, FG_COMPUTE_UPLOAD, RING_BYTES, &ring),
                    "memory of uploads")) {
        return false;
    }
    enum fg_result result;
    bool done = true;
    uint64_t serial = 0;
    while (done && (result = fg_gpu_trace_upload(s->gpu, &sink, ring, ++serial, 0)) == FG_OK) {
        done = run(s);
        foreign_nodes_clear(&s->nodes);
        fg_compute_ring_complete(ring, serial);
    }
    fg_compute_ring_destroy(ring);
    fg_gpu_trace_get_counts(s->gpu, &counts);
    s->lanes = counts.lanes;
    s->rows = counts.rows;
    return done && (counts.is_complete || foreign_ok(result, "uploading"));
}

/* Run what was added, then bring a few bytes of the device's. */
static bool read_back(struct foreign_draws *s, struct fg_compute_view view, void *out_bytes)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(&s->nodes);
    struct fg_compute_memory memory;
    if (!foreign_ok(fg_compute_memory_take(s->device.compute, FG_COMPUTE_READBACK, view.size_bytes,
                                           &memory),
                    "memory of a result")) {
        return false;
    }
    const struct fg_compute_use seen = { memory.view, FG_COMPUTE_READ, VK_PIPELINE_STAGE_HOST_BIT,
                                         VK_ACCESS_HOST_READ_BIT };
    const bool done =
        foreign_ok(
            fg_compute_sink_add(&sink, FG_COMPUTE_NODE(.name = "result", .kind = FG_COMPUTE_COPY,
                                                       .source = view, .target = memory.view)),
            "a copy") &&
        foreign_ok(fg_compute_sink_add(&sink, FG_COMPUTE_NODE(.name = "result is there",
                                                              .kind = FG_COMPUTE_PUBLISH,
                                                              .uses = &seen, .use_count = 1)),
                   "a copy") &&
        run(s);
    foreign_nodes_clear(&s->nodes);
    memcpy(out_bytes, memory.host, view.size_bytes);
    fg_compute_memory_free(s->device.compute, &memory);
    return done;
}

/* The mask is computed here; what is made of it is Frameglass's. */
static bool judge(struct foreign_draws *s)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(&s->nodes);
    const struct fg_filter_terms all = { .text = NULL };
    return foreign_columns_create(&s->device, s->gpu, &s->table) &&
           foreign_mask_create(&s->device, s->gpu, &s->table, &s->mask) &&
           foreign_ok(foreign_mask_add(&s->mask, s->gpu, &s->nodes), "a mask") &&
           foreign_ok(fg_gpu_filter_create(s->gpu, &all, &s->mask.bits.view, &s->filter),
                      "a filter") &&
           foreign_ok(fg_gpu_filter_judge(s->filter, &sink), "judging") &&
           read_back(s, fg_compute_view_part(fg_gpu_filter_count(s->filter), 0, sizeof s->marked),
                     &s->marked);
}

/* Groups never mix clocks, not even the one of all spans: there is one for each. */
static bool add_up(struct foreign_draws *s, const struct fg_gpu_numbers *numbers)
{
    enum { TOTALS = 3, GROUPS_AT = 2 };
    uint32_t totals[TOTALS];
    struct fg_gpu_numbers_results results;
    fg_gpu_numbers_get_results(numbers, &results);
    if (!read_back(s, fg_compute_view_part(results.totals, 0, sizeof totals), totals)) {
        return false;
    }
    for (uint32_t i = 0; i < totals[GROUPS_AT]; i++) {
        struct fg_gpu_group group;
        const struct fg_compute_view view = fg_compute_view_part(
            fg_gpu_numbers_group_chunk(numbers, 0), i * sizeof group, sizeof group);
        if (!read_back(s, view, &group)) {
            return false;
        }
        s->summed += group.count;
        s->summed_ns += group.sum[0] | (uint64_t)group.sum[1] << 32;
    }
    return true;
}

/* The same mask where spans are summed up. */
static bool sum_up(struct foreign_draws *s)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(&s->nodes);
    struct fg_gpu_numbers *numbers = NULL;
    const bool done =
        foreign_ok(
            fg_gpu_numbers_create(FG_GPU_NUMBERS_OPTIONS(.gpu = s->gpu, .mask = &s->mask.bits.view,
                                                         .by = FG_AGGREGATE_ALL),
                                  &numbers),
            "numbers") &&
        foreign_ok(fg_gpu_numbers_add_groups(numbers, &sink), "numbers") && add_up(s, numbers);
    foreign_nodes_clear(&s->nodes);
    fg_gpu_numbers_destroy(numbers);
    return done;
}

static bool populate(struct foreign_draws *s)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(&s->nodes);
    const struct fg_gpu_filter *filter = s->window->is_masked ? s->filter : NULL;
    const uint32_t count = s->window->is_masked ? s->marked : s->rows;
    const bool done =
        foreign_ok(fg_gpu_population_create(s->gpu, filter, count, 0, &s->population),
                   "a population") &&
        foreign_ok(fg_gpu_population_build(s->population, &sink), "building a population") &&
        run(s);
    foreign_nodes_clear(&s->nodes);
    return done;
}

/* Every lane, all of its spans. */
static bool ask(struct foreign_draws *s)
{
    const struct fg_gpu_view_window window = { .start_ns = s->window->start_ns,
                                               .end_ns = s->window->end_ns,
                                               .width_px = s->window->width_px,
                                               .detail = FG_DETAIL_EXACT };
    unsigned level = 0;
    uint32_t bins = 0;
    fg_gpu_view_bins_of(&window, &level, &bins);
    const struct fg_gpu_view_sizes sizes = {
        .gpu = s->gpu, .targets = s->lanes, .slots = s->lanes * (bins + 2), .spans = SPANS_AT_MOST
    };
    struct fg_gpu_view_target *targets = calloc(s->lanes, sizeof *targets);
    if (targets == NULL || !foreign_ok(fg_gpu_view_create(&sizes, &s->view), "a view")) {
        free(targets);
        return false;
    }
    for (uint32_t i = 0; i < s->lanes; i++) {
        targets[i] = (struct fg_gpu_view_target){ .lane = i, .previous_mode = FG_VIEW_NONE };
    }
    const bool done = foreign_ok(fg_gpu_view_ask(s->view, &window, targets, s->lanes), "a window");
    free(targets);
    return done;
}

/* One submission: what is there to draw is found and drawn, and nobody on the host looks at it. */
static bool render(struct foreign_draws *s)
{
    const struct fg_compute_sink sink = foreign_nodes_sink(&s->nodes);
    const struct foreign_draws_window *window = s->window;
    if (!foreign_picture_create(&s->device, window->width_px, window->height_px, &s->picture)) {
        return false;
    }
    s->picture.push.table = s->table.view.address;
    s->picture.push.start_ns = window->start_ns;
    s->picture.push.end_ns = window->end_ns;
    s->picture.push.width_px = window->width_px;
    s->picture.push.lane_count = s->lanes;
    return foreign_ok(fg_gpu_view_add(s->view, s->population, &sink), "a view") &&
           foreign_ok(foreign_picture_add(&s->picture, s->gpu, s->view, &s->nodes), "a pass") &&
           run(s);
}

static bool hand_over(struct foreign_draws *s, struct foreign_draws_picture *out_picture)
{
    const size_t bytes = (size_t)s->window->width_px * s->window->height_px * 4;
    struct fg_gpu_view_results results;
    out_picture->nodes = s->nodes.count;
    out_picture->barriers = s->nodes.barriers;
    out_picture->marked = s->marked;
    out_picture->summed = s->summed;
    out_picture->summed_ns = s->summed_ns;
    foreign_nodes_clear(&s->nodes);
    fg_gpu_view_get_results(s->view, &results);
    const struct fg_compute_view spans =
        fg_compute_view_part(results.totals, sizeof(uint32_t), sizeof(uint32_t));
    if (!read_back(s, spans, &out_picture->drawn)) {
        return false;
    }
    if (out_picture->drawn > SPANS_AT_MOST) {
        fprintf(stderr, "%u spans are more than this renderer draws\n", out_picture->drawn);
        return false;
    }
    out_picture->pixels = malloc(bytes);
    if (out_picture->pixels != NULL) {
        memcpy(out_picture->pixels, s->picture.pixels.host, bytes);
    }
    return out_picture->pixels != NULL;
}

/* What one picture needs. */
static void close_picture(struct foreign_draws *s)
{
    foreign_nodes_clear(&s->nodes);
    (void)vkDeviceWaitIdle(s->device.device);
    foreign_picture_destroy(&s->device, &s->picture);
    fg_gpu_view_destroy(s->view);
    fg_gpu_population_destroy(s->population);
    s->picture = (struct foreign_picture){ .width_px = 0 };
    s->view = NULL;
    s->population = NULL;
}

bool foreign_draws(struct foreign_draws *s, const struct foreign_draws_window *window,
                   struct foreign_draws_picture *out_picture)
{
    *out_picture = (struct foreign_draws_picture){ .pixels = NULL };
    s->window = window;
    const bool done = populate(s) && ask(s) && render(s) && hand_over(s, out_picture);
    close_picture(s);
    return done;
}

struct foreign_draws *foreign_draws_open(const struct fg_trace *trace)
{
    struct foreign_draws *s = calloc(1, sizeof *s);
    if (s == NULL) {
        return NULL;
    }
    s->trace = trace;
    bool done = foreign_device_create(&s->device);
    s->nodes.compute = s->device.compute;
    done = done && upload(s);
    if (done && s->rows == 0) {
        fprintf(stderr, "there is no span to draw\n");
        done = false;
    }
    if (!done || !judge(s) || !sum_up(s)) {
        foreign_draws_close(s);
        return NULL;
    }
    return s;
}

void foreign_draws_close(struct foreign_draws *s)
{
    if (s == NULL) {
        return;
    }
    foreign_nodes_finish(&s->nodes);
    if (s->device.compute != NULL) {
        fg_gpu_filter_destroy(s->filter);
        foreign_mask_destroy(&s->device, &s->mask);
        if (s->table.view.size_bytes > 0) {
            fg_compute_memory_free(s->device.compute, &s->table);
        }
        fg_gpu_trace_destroy(s->gpu);
    }
    foreign_device_destroy(&s->device);
    free(s);
}
