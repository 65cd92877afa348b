/* SPDX-License-Identifier: MIT */
/* Spans and bins of a picture by a device, from what a view leaves there. */
#include "render/render_device.h"
#include "base/alloc.h"
#include "base/font.h"
#include "base/result.h"
#include "render/render_priv.h"
#include "render/render_target.h"
#include <frameglass/gpu_trace_views.h>

#include <string.h>

enum {
    COLUMNS = 6,
    COLUMN_BINS = 4, /* the first four are FG_GPU_COLUMN_START to FG_GPU_COLUMN_KIND */
    COLUMN_ROWS = 5,
    STRIPS_MAX = 64,
    ITEM_QUADS = 3,
    SPANS_AT_FIRST = 1 << 16,
    ELLIPSIS = 0x2026,
};
#define RING_BYTES (UINT64_C(16) << 20)

/* As in shaders/render_scene.glsl. */
struct scene {
    int64_t start_ns, end_ns;
    uint64_t chunks, answers, lanes, slots, kinds, glyphs, dots, colors;
    uint32_t first[COLUMNS];
    uint32_t shift_of[COLUMNS];
    int32_t shift;
    uint32_t multiplier;
    uint32_t level, scale;
    uint32_t width_px, height_px;
    uint32_t plot_x_px, plot_width_px;
    uint32_t lane_color, bad, on_hue, ellipsis;
};

/* Tables that the host writes once. */
enum table { LANES, SLOTS, KINDS, GLYPHS, DOTS, COLORS, CHUNKS, SCENE, TABLES };

struct drawer {
    struct fgi_render *render;
    const struct fgi_render_device *device;
    const struct fg_compute_runner *runner;
    struct fg_compute *compute;
    struct fg_compute_graph *graph;
    struct fg_gpu_trace *gpu;
    struct fg_gpu_population *population;
    struct fg_gpu_view *view;
    struct fg_compute_memory tables[TABLES];
    struct fg_compute_memory totals;
    struct fgi_render_target target;
    struct fgi_render_strip strips[STRIPS_MAX];
    uint32_t strip_count;
    uint32_t rows;
    uint32_t spans; /**< that there is room for */
};

/* ---- memory ---------------------------------------------------------------------------------- */

static enum fg_result write_table(struct drawer *d, enum table table, const void *bytes,
                                  size_t size)
{
    struct fg_compute_memory *memory = &d->tables[table];
    fg_compute_memory_free(d->compute, memory);
    enum fg_result result =
        fg_compute_memory_take(d->compute, FG_COMPUTE_CONTROL, size > 0 ? size : 1, memory);
    if (result == FG_OK && size > 0) {
        (void)fg_compute_write(d->compute, memory, 0, bytes, size);
    }
    return result;
}

static enum fg_result write_dots(struct drawer *d)
{
    uint32_t words[FGI_FONT_GLYPHS][2] = { { 0 } };
    for (uint32_t glyph = 0; glyph < FGI_FONT_GLYPHS; glyph++) {
        for (uint32_t dot = 0; dot < FGI_FONT_WIDTH * FGI_FONT_HEIGHT; dot++) {
            if (fgi_font_dot(glyph, dot % FGI_FONT_WIDTH, dot / FGI_FONT_WIDTH)) {
                words[glyph][dot / 32] |= UINT32_C(1) << dot % 32;
            }
        }
    }
    return write_table(d, DOTS, words, sizeof words);
}

static enum fg_result write_tables(struct drawer *d)
{
    const struct fgi_render *r = d->render;
    const struct {
        enum table table;
        const void *bytes;
        size_t size;
    } tables[] = {
        { LANES, r->lanes, r->counts.lanes * sizeof *r->lanes },
        { SLOTS, r->slots, r->trace_lanes * sizeof *r->slots },
        { KINDS, r->kinds, r->trace_kinds * sizeof *r->kinds },
        { GLYPHS, r->glyphs, (r->glyph_count + 3) / 4 * 4 },
        { COLORS, r->colors, sizeof r->colors },
    };
    enum fg_result result = write_dots(d);
    for (size_t i = 0; i < sizeof tables / sizeof *tables && result == FG_OK; i++) {
        result = write_table(d, tables[i].table, tables[i].bytes, tables[i].size);
    }
    return result;
}

/* The picture as it is, in pieces that are no larger than a view. */
static enum fg_result take_strips(struct drawer *d)
{
    const struct fgi_render_options *options = &d->render->options;
    const uint64_t row_bytes = (uint64_t)options->width_px * sizeof(uint32_t);
    const uint64_t rows = fg_compute_get_facts(d->compute)->block_bytes / row_bytes;
    enum fg_result result = FG_OK;
    for (uint32_t y = 0; y < options->height_px && result == FG_OK;) {
        struct fgi_render_strip *strip = &d->strips[d->strip_count];
        if (d->strip_count == STRIPS_MAX || rows == 0) {
            return FG_ERR_LIMIT;
        }
        strip->y_px = y;
        strip->height_px = options->height_px - y < rows ? options->height_px - y : (uint32_t)rows;
        result = fg_compute_memory_take(d->compute, FG_COMPUTE_READBACK,
                                        strip->height_px * row_bytes, &strip->memory);
        if (result == FG_OK) {
            memcpy(strip->memory.host, d->render->pixels + (size_t)y * options->width_px,
                   strip->height_px * row_bytes);
            y += strip->height_px;
            d->strip_count++;
        }
    }
    return result;
}

static void take_pixels(struct drawer *d)
{
    const uint32_t width = d->render->options.width_px;
    for (uint32_t i = 0; i < d->strip_count; i++) {
        const struct fgi_render_strip *strip = &d->strips[i];
        memcpy(d->render->pixels + (size_t)strip->y_px * width, strip->memory.host,
               (size_t)strip->height_px * width * sizeof(uint32_t));
    }
}

/* ---- the trace ------------------------------------------------------------------------------- */

/* What the graph has, then what `drawing` says, in one submission; the graph is empty again. */
static enum fg_result run(struct drawer *d, const struct fgi_render_drawing *drawing)
{
    VkCommandBuffer commands = VK_NULL_HANDLE;
    enum fg_result result = fg_compute_graph_compile(d->graph);
    result = result == FG_OK ? d->runner->begin(d->runner->context, &commands) : result;
    result = result == FG_OK ? fg_compute_graph_encode(d->graph, commands) : result;
    if (result == FG_OK && drawing != NULL) {
        fgi_render_target_record(&d->target, commands, d->strips, d->strip_count, drawing);
    }
    result = result == FG_OK ? d->runner->submit(d->runner->context) : result;
    result = result == FG_OK ? d->runner->wait(d->runner->context) : result;
    if (result == FG_ERR_DEVICE_LOST) {
        fg_compute_set_lost(d->compute);
    }
    fg_compute_graph_clear(d->graph);
    return result;
}

static enum fg_result upload(struct drawer *d)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    struct fg_compute_ring *ring = NULL;
    enum fg_result result =
        fg_compute_ring_create(d->compute, FG_COMPUTE_UPLOAD, RING_BYTES, &ring);
    for (uint64_t serial = 1; result == FG_OK; serial++) {
        result = fg_gpu_trace_upload(d->gpu, &sink, ring, serial, 0);
        result = result == FG_OK ? run(d, NULL) : result;
        fg_compute_ring_complete(ring, serial);
    }
    fg_compute_ring_destroy(ring);
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

static enum fg_result open_trace(struct drawer *d)
{
    const struct fgi_render_options *options = &d->render->options;
    struct fg_gpu_trace_counts counts;
    enum fg_result result = fg_compute_graph_create(d->compute, NULL, &d->graph);
    if (result == FG_OK) {
        result = fg_gpu_trace_create(FG_GPU_TRACE_OPTIONS(.allocator = options->allocator,
                                                          .compute = d->compute,
                                                          .trace = options->trace),
                                     &d->gpu);
    }
    result = result == FG_OK ? upload(d) : result;
    if (result != FG_OK) {
        return result;
    }
    fg_gpu_trace_get_counts(d->gpu, &counts);
    d->rows = counts.rows;
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    result = fg_gpu_population_create(d->gpu, NULL, counts.rows, 0, &d->population);
    result = result == FG_OK ? fg_gpu_population_build(d->population, &sink) : result;
    return result == FG_OK ? run(d, NULL) : result;
}

/* ---- the view -------------------------------------------------------------------------------- */

static enum fg_result ask(struct drawer *d, unsigned *out_level)
{
    const struct fgi_render *r = d->render;
    const struct fg_gpu_view_window window = { .start_ns = r->options.start_ns,
                                               .end_ns = r->options.end_ns,
                                               .width_px = r->plot_width_px,
                                               .detail = r->options.detail };
    uint32_t bins = 0;
    fg_gpu_view_bins_of(&window, out_level, &bins);
    const struct fg_gpu_view_sizes sizes = { .gpu = d->gpu,
                                             .targets = r->counts.lanes,
                                             .slots = r->counts.lanes * (bins + 2),
                                             .spans = d->spans };
    const size_t bytes = r->counts.lanes * sizeof(struct fg_gpu_view_target);
    struct fg_gpu_view_target *targets = fgi_malloc(r->options.allocator, bytes);
    enum fg_result result = targets != NULL ? FG_OK : FG_ERR_NO_MEMORY;
    fg_gpu_view_destroy(d->view);
    d->view = NULL;
    result = result == FG_OK ? fg_gpu_view_create(&sizes, &d->view) : result;
    for (uint32_t i = 0; i < r->counts.lanes && result == FG_OK; i++) {
        targets[i] =
            (struct fg_gpu_view_target){ .lane = r->lanes[i].lane, .previous_mode = FG_VIEW_NONE };
    }
    result = result == FG_OK ? fg_gpu_view_ask(d->view, &window, targets, r->counts.lanes) : result;
    fgi_free(r->options.allocator, targets, bytes);
    return result;
}

/* Its nodes, and how much there was, for the host. */
static enum fg_result add_view(struct drawer *d, const struct fg_gpu_view_results *results)
{
    const struct fg_compute_sink sink = fg_compute_graph_sink(d->graph);
    const struct fg_compute_use seen = { d->totals.view, FG_COMPUTE_READ,
                                         VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT };
    enum fg_result result = fg_gpu_view_add(d->view, d->population, &sink);
    if (result == FG_OK) {
        result = fg_compute_sink_add(
            &sink, FG_COMPUTE_NODE(.name = "totals", .kind = FG_COMPUTE_COPY,
                                   .source = fg_compute_view_part(results->totals, 0,
                                                                  d->totals.view.size_bytes),
                                   .target = d->totals.view));
    }
    return result == FG_OK
               ? fg_compute_sink_add(&sink, FG_COMPUTE_NODE(.name = "totals are there",
                                                            .kind = FG_COMPUTE_PUBLISH,
                                                            .uses = &seen, .use_count = 1))
               : result;
}

/* ---- the scene ------------------------------------------------------------------------------- */

struct chunks {
    const struct drawer *d;
    uint32_t column;
    uint32_t count, row_bytes;
};

static struct chunks chunks_of(const struct drawer *d, uint32_t column,
                               const struct fg_gpu_view_results *results)
{
    struct chunks chunks = { .d = d, .column = column, .row_bytes = sizeof(uint32_t) };
    if (column == COLUMN_BINS) {
        chunks.count = results->bins_chunks;
        chunks.row_bytes = sizeof(struct fg_gpu_view_bins) / ITEM_QUADS;
    } else if (column == COLUMN_ROWS) {
        chunks.count = results->spans_chunks;
    } else {
        chunks.count = fg_gpu_trace_chunk_count(d->gpu, (enum fg_gpu_column)column);
        chunks.row_bytes = column <= FG_GPU_COLUMN_END ? sizeof(uint64_t) : sizeof(uint32_t);
    }
    return chunks;
}

static struct fg_compute_view chunk_at(const struct chunks *chunks, uint32_t index)
{
    return chunks->column == COLUMN_BINS ? fg_gpu_view_bins_chunk(chunks->d->view, index)
           : chunks->column == COLUMN_ROWS
               ? fg_gpu_view_spans_chunk(chunks->d->view, index)
               : fg_gpu_trace_chunk(chunks->d->gpu, (enum fg_gpu_column)chunks->column, index);
}

/* Addresses of all chunks; a chunk has a power of two rows, where it is not the only one. */
static enum fg_result write_chunks(struct drawer *d, const struct fg_gpu_view_results *results,
                                   struct scene *scene)
{
    uint64_t *addresses = NULL;
    size_t capacity = 0, count = 0;
    enum fg_result result = FG_OK;
    for (uint32_t column = 0; column < COLUMNS && result == FG_OK; column++) {
        const struct chunks chunks = chunks_of(d, column, results);
        scene->first[column] = (uint32_t)count;
        result = FGI_GROW(d->render->options.allocator, addresses, capacity, count + chunks.count,
                          UINT32_MAX);
        for (uint32_t i = 0; i < chunks.count && result == FG_OK; i++) {
            addresses[count++] = chunk_at(&chunks, i).address;
        }
        const uint64_t rows =
            chunks.count > 0 ? chunk_at(&chunks, 0).size_bytes / chunks.row_bytes : 1;
        while (UINT64_C(1) << scene->shift_of[column] < rows) {
            scene->shift_of[column]++;
        }
    }
    if (result == FG_OK) {
        result = write_table(d, CHUNKS, addresses, count * sizeof *addresses);
        scene->chunks = d->tables[CHUNKS].view.address;
    }
    fgi_free(d->render->options.allocator, addresses, capacity * sizeof *addresses);
    return result;
}

static enum fg_result write_scene(struct drawer *d, const struct fg_gpu_view_results *results,
                                  unsigned level)
{
    const struct fgi_render *r = d->render;
    struct scene scene = {
        .start_ns = r->options.start_ns,
        .end_ns = r->options.end_ns,
        .answers = results->answers.address,
        .lanes = d->tables[LANES].view.address,
        .slots = d->tables[SLOTS].view.address,
        .kinds = d->tables[KINDS].view.address,
        .glyphs = d->tables[GLYPHS].view.address,
        .dots = d->tables[DOTS].view.address,
        .colors = d->tables[COLORS].view.address,
        .shift = r->shift,
        .multiplier = (uint32_t)r->multiplier,
        .level = level,
        .scale = r->options.scale,
        .width_px = r->options.width_px,
        .height_px = r->options.height_px,
        .plot_x_px = r->plot_x_px,
        .plot_width_px = r->plot_width_px,
        .lane_color = r->theme->lane,
        .bad = r->theme->bad,
        .on_hue = r->theme->on_hue,
        .ellipsis = fgi_font_glyph(ELLIPSIS),
    };
    enum fg_result result = write_chunks(d, results, &scene);
    return result == FG_OK ? write_table(d, SCENE, &scene, sizeof scene) : result;
}

/* ---- all of it ------------------------------------------------------------------------------- */

/* One submission. Whether all spans had room is known after it. */
static enum fg_result draw_once(struct drawer *d, uint32_t totals[2])
{
    const struct fgi_render *r = d->render;
    struct fg_gpu_view_results results;
    unsigned level = 0;
    enum fg_result result = ask(d, &level);
    if (result != FG_OK) {
        return result;
    }
    fg_gpu_view_get_results(d->view, &results);
    result = write_scene(d, &results, level);
    result = result == FG_OK ? add_view(d, &results) : result;
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_render_drawing drawing = {
        .area = { { (int32_t)r->plot_x_px, (int32_t)r->ruler_px },
                  { r->plot_width_px, r->options.height_px - r->ruler_px } },
        .scene = d->tables[SCENE].view.address,
        .draws = { [FGI_RENDER_BINS] = results.draw_bins, [FGI_RENDER_SPANS] = results.draw_spans },
    };
    result = run(d, &drawing);
    memcpy(totals, d->totals.host, 2 * sizeof *totals);
    return result;
}

static enum fg_result draw(struct drawer *d)
{
    uint32_t totals[2] = { 0, 0 };
    d->spans = d->rows < SPANS_AT_FIRST ? d->rows : SPANS_AT_FIRST;
    enum fg_result result =
        fg_compute_memory_take(d->compute, FG_COMPUTE_READBACK, sizeof totals, &d->totals);
    result = result == FG_OK ? write_tables(d) : result;
    result = result == FG_OK ? take_strips(d) : result;
    result = result == FG_OK ? draw_once(d, totals) : result;
    if (result == FG_OK && totals[1] > d->spans) {
        /* More than there was room for, and a picture without some: again, over the board. */
        for (uint32_t i = 0; i < d->strip_count; i++) {
            fg_compute_memory_free(d->compute, &d->strips[i].memory);
        }
        d->strip_count = 0;
        d->spans = totals[1];
        result = take_strips(d);
        result = result == FG_OK ? draw_once(d, totals) : result;
    }
    if (result == FG_OK) {
        take_pixels(d);
        d->render->counts.bins = totals[0];
        d->render->counts.spans = totals[1];
    }
    return result;
}

static void close_drawer(struct drawer *d)
{
    fgi_render_target_finish(&d->target);
    fg_compute_graph_destroy(d->graph);
    fg_gpu_view_destroy(d->view);
    fg_gpu_population_destroy(d->population);
    fg_gpu_trace_destroy(d->gpu);
    for (uint32_t i = 0; i < TABLES; i++) {
        fg_compute_memory_free(d->compute, &d->tables[i]);
    }
    for (uint32_t i = 0; i < d->strip_count; i++) {
        fg_compute_memory_free(d->compute, &d->strips[i].memory);
    }
    fg_compute_memory_free(d->compute, &d->totals);
}

enum fg_result fgi_render_on_device(struct fgi_render *render,
                                    const struct fgi_render_device *device, struct fg_diag *diag)
{
    struct drawer drawer = { .render = render,
                             .device = device,
                             .runner = device->runner,
                             .compute = device->runner->compute };
    fgi_render_board(render);
    render->counts.bins = render->counts.spans = 0;
    if (render->counts.lanes == 0) {
        return FG_OK;
    }
    enum fg_result result = fgi_render_target_init(&drawer.target, device, render->options.width_px,
                                                   render->options.height_px, diag);
    result = result == FG_OK ? open_trace(&drawer) : result;
    result = result == FG_OK ? draw(&drawer) : result;
    close_drawer(&drawer);
    return result;
}
