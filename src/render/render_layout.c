/* SPDX-License-Identifier: MIT */
/* Which tracks and lanes are shown, and where; and what of a name is drawn. */
#include "base/alloc.h"
#include "base/font.h"
#include "render/render_priv.h"
#include "trace/model.h"

#include <string.h>

enum {
    GUTTER_PX = 196, /* as in the page; of a narrow picture a quarter */
    RULER_PX = 22,
    HEAD_PX = 15,
    ELLIPSIS = 0x2026,
};
/* Heights of a lane, the first one with which all lanes fit. */
static const uint32_t heights[] = { 18, 15, 13, 10, 8, 6, 5, 4, 3 };

/* GPU queues first, then what else runs, then threads. */
static uint32_t rank_of(const struct fg_trace_track *track)
{
    switch (track->kind) {
    case FG_TRACK_GPU_QUEUE:
        return 0;
    case FG_TRACK_ASYNC:
        return 1;
    default:
        return 2;
    }
}

static bool is_wanted(const struct fgi_render_options *options, uint32_t index)
{
    const struct fg_trace_track *track = fg_trace_track(options->trace, index);
    bool found = options->tracks == NULL;
    for (uint32_t i = 0; i < options->track_count && !found; i++) {
        found = options->tracks[i] == index;
    }
    return found && track->lane_count > 0 && track->kind != FG_TRACK_COUNTER;
}

/* The best rank of a process's tracks: those of one process follow each other. */
static enum fg_result rank_processes(const struct fgi_render *render, uint8_t **out_ranks,
                                     size_t count)
{
    const struct fg_trace_track *track;
    uint8_t *ranks = fgi_malloc(render->options.allocator, count + 1);
    if (ranks == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memset(ranks, 3, count + 1);
    for (uint32_t i = 0; (track = fg_trace_track(render->options.trace, i)) != NULL; i++) {
        const size_t process = track->process < count ? track->process : count;
        if (rank_of(track) < ranks[process]) {
            ranks[process] = (uint8_t)rank_of(track);
        }
    }
    *out_ranks = ranks;
    return FG_OK;
}

struct order {
    const struct fg_trace *trace;
    const uint8_t *ranks;
    size_t processes;
    bool by_process;
};

static bool comes_before(const struct order *o, uint32_t a, uint32_t b)
{
    const struct fg_trace_track *one = fg_trace_track(o->trace, a);
    const struct fg_trace_track *other = fg_trace_track(o->trace, b);
    const size_t p = one->process < o->processes ? one->process : o->processes;
    const size_t q = other->process < o->processes ? other->process : o->processes;
    if (o->by_process && p != q) {
        return o->ranks[p] != o->ranks[q] ? o->ranks[p] < o->ranks[q] : p < q;
    }
    return rank_of(one) != rank_of(other) ? rank_of(one) < rank_of(other) : a < b;
}

/* A heap: there may be very many tracks. */
static void sink_down(const struct order *o, struct fgi_render_track *tracks, size_t at,
                      size_t count)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && comes_before(o, tracks[child].track, tracks[child + 1].track)) {
            child++;
        }
        if (!comes_before(o, tracks[at].track, tracks[child].track)) {
            return;
        }
        const struct fgi_render_track moved = tracks[at];
        tracks[at] = tracks[child];
        tracks[child] = moved;
    }
}

static void sort_tracks(const struct order *o, struct fgi_render_track *tracks, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sink_down(o, tracks, i, count);
    }
    for (size_t end = count; end-- > 1;) {
        const struct fgi_render_track last = tracks[0];
        tracks[0] = tracks[end];
        tracks[end] = last;
        sink_down(o, tracks, 0, end);
    }
}

/* Those that are wanted, in order; a line names the process where there are several. */
static enum fg_result choose_tracks(struct fgi_render *render)
{
    const struct fg_trace *trace = render->options.trace;
    struct order order = { .trace = trace, .processes = trace->processes.count };
    uint32_t first_process = FG_NONE, count = 0;
    uint8_t *ranks = NULL;
    enum fg_result result = rank_processes(render, &ranks, order.processes);
    if (result != FG_OK) {
        return result;
    }
    for (uint32_t i = 0; i < render->track_capacity; i++) {
        if (is_wanted(&render->options, i)) {
            const uint32_t process = fg_trace_track(trace, i)->process;
            first_process = count == 0 ? process : first_process;
            order.by_process = order.by_process || process != first_process;
            render->tracks[count++] = (struct fgi_render_track){ .track = i, .process = FG_NONE };
        }
    }
    order.ranks = ranks;
    sort_tracks(&order, render->tracks, count);
    uint32_t before = FG_NONE;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t process = fg_trace_track(trace, render->tracks[i].track)->process;
        render->tracks[i].process = order.by_process && process != before ? process : FG_NONE;
        before = process;
    }
    render->counts.tracks = count;
    fgi_free(render->options.allocator, ranks, order.processes + 1);
    return FG_OK;
}

/* ---- heights --------------------------------------------------------------------------------- */

static uint32_t lanes_of(const struct fgi_render *render, uint32_t index)
{
    return fg_trace_track(render->options.trace, render->tracks[index].track)->lane_count;
}

/* What is over the first lane of a track: a gap, and the line of its process. */
static uint32_t above(const struct fgi_render *render, uint32_t index)
{
    const uint32_t head = render->tracks[index].process != FG_NONE ? render->head_px : 0;
    return render->gap_px + head;
}

static uint64_t whole_height(const struct fgi_render *render)
{
    uint64_t height = render->ruler_px + render->gap_px;
    for (uint32_t i = 0; i < render->counts.tracks; i++) {
        height += above(render, i) + (uint64_t)lanes_of(render, i) * render->row_px;
    }
    return height;
}

static void choose_heights(struct fgi_render *render)
{
    const uint32_t scale = render->options.scale;
    const size_t count = sizeof heights / sizeof *heights;
    render->ruler_px = RULER_PX * scale;
    render->head_px = HEAD_PX * scale;
    for (size_t i = 0; i < count; i++) {
        render->row_px = heights[i] * scale;
        render->gap_px = (heights[i] >= 10 ? 5 : 2) * scale;
        if (whole_height(render) <= render->options.height_px) {
            break;
        }
    }
}

/* The lanes of a track from `y` on, as long as they fit; how many did. */
static uint32_t place_lanes(struct fgi_render *render, const struct fg_trace_track *track,
                            uint32_t y, uint32_t end)
{
    const uint32_t scale = render->options.scale;
    const uint32_t inset = render->row_px >= 6 * scale ? scale : 0;
    const uint32_t below = render->row_px > 3 * scale ? scale : 0;
    const uint32_t cpu = rank_of(track) == 2 ? 2 : 0; /* the graphics processor is the subject */
    uint32_t placed = 0;
    while (placed < track->lane_count && y + render->row_px <= end) {
        const uint32_t lane = track->first_lane + placed;
        const uint32_t depth = fg_trace_lane(render->options.trace, lane)->depth;
        const uint32_t level = depth < FGI_HUE_LEVELS - 1 - cpu ? depth + cpu : FGI_HUE_LEVELS - 1;
        render->slots[lane] = render->counts.lanes;
        render->lanes[render->counts.lanes++] =
            (struct fgi_render_lane){ .lane = lane,
                                      .y_px = y + inset,
                                      .height_px = render->row_px - inset - below,
                                      .level = level };
        y += render->row_px;
        placed++;
    }
    return placed;
}

static void place_tracks(struct fgi_render *render)
{
    const bool fits = whole_height(render) <= render->options.height_px;
    /* Else a line at the bottom says what is missing. */
    const uint32_t end = render->options.height_px - (fits ? 0 : render->head_px);
    uint32_t y = render->ruler_px, count = 0;
    for (uint32_t i = 0; i < render->counts.tracks; i++) {
        struct fgi_render_track *shown = &render->tracks[i];
        const struct fg_trace_track *track = fg_trace_track(render->options.trace, shown->track);
        y += above(render, i);
        const uint32_t placed = place_lanes(render, track, y, end);
        render->counts.left_out += track->lane_count - placed;
        if (placed > 0) {
            shown->y_px = (int32_t)y;
            shown->height_px = placed * render->row_px;
            count = i + 1;
        }
        y = placed < track->lane_count ? end : y + placed * render->row_px;
    }
    render->counts.tracks = count;
}

/* ---- names ----------------------------------------------------------------------------------- */

static enum fg_result add_name(struct fgi_render *render, const char *name,
                               struct fgi_render_kind *kind)
{
    enum fg_result result =
        FGI_GROW(render->options.allocator, render->glyphs, render->glyph_capacity,
                 render->glyph_count + FGI_RENDER_TEXT, UINT32_MAX);
    if (result != FG_OK) {
        return result;
    }
    uint8_t *glyphs = render->glyphs + render->glyph_count;
    uint32_t count = 0;
    while (*name != '\0' && count < FGI_RENDER_TEXT) {
        glyphs[count++] = (uint8_t)fgi_font_glyph(fgi_font_next(&name));
    }
    if (*name != '\0') {
        glyphs[count - 1] = (uint8_t)fgi_font_glyph(ELLIPSIS);
    }
    kind->first_glyph = (uint32_t)render->glyph_count;
    kind->glyph_count = count;
    render->glyph_count += count;
    return FG_OK;
}

static enum fg_result take_kinds(struct fgi_render *render)
{
    const struct fg_trace *trace = render->options.trace;
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; i < render->trace_names; i++) {
        render->kind_of_name[i] = FG_NONE;
    }
    for (uint32_t i = 0; i < render->trace_kinds && result == FG_OK; i++) {
        const struct fgi_kind *from = &trace->store->kinds.items[i];
        struct fgi_render_kind *kind = &render->kinds[i];
        const char *name = fg_trace_text(trace, from->name);
        uint32_t *known =
            from->name < render->trace_names ? &render->kind_of_name[from->name] : NULL;
        if (known != NULL && *known != FG_NONE) {
            *kind = render->kinds[*known];
        } else {
            kind->hue = fgi_render_hue(name);
            result = add_name(render, name, kind);
        }
        if (known != NULL) {
            *known = i;
        }
        kind->status = from->status;
    }
    if (result == FG_OK && render->glyph_count > 0) {
        memset(render->glyphs + render->glyph_count, 0, sizeof(uint32_t)); /* read by words */
    }
    return result;
}

static enum fg_result take_memory(struct fgi_render *render)
{
    const struct fg_allocator *allocator = render->options.allocator;
    const struct fg_trace *trace = render->options.trace;
    render->track_capacity = (uint32_t)trace->tracks.count;
    render->trace_lanes = (uint32_t)trace->lanes.count;
    render->trace_names = fg_trace_text_count(trace);
    render->trace_kinds = (uint32_t)trace->store->kinds.count;
    render->lane_capacity = render->options.height_px;
    render->tracks = fgi_calloc(allocator, render->track_capacity + 1u, sizeof *render->tracks);
    render->lanes = fgi_calloc(allocator, render->lane_capacity, sizeof *render->lanes);
    render->slots = fgi_malloc(allocator, (render->trace_lanes + 1u) * sizeof *render->slots);
    render->kinds = fgi_calloc(allocator, render->trace_kinds + 1u, sizeof *render->kinds);
    render->kind_of_name =
        fgi_calloc(allocator, render->trace_names + 1u, sizeof *render->kind_of_name);
    if (render->tracks == NULL || render->lanes == NULL || render->slots == NULL ||
        render->kinds == NULL || render->kind_of_name == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memset(render->slots, 0xff, (render->trace_lanes + 1u) * sizeof *render->slots);
    return FG_OK;
}

/* A time is brought to 31 bits of the window, so that one product of 64 bits gives its place. */
static void choose_scale(struct fgi_render *render)
{
    const uint64_t range = fgi_duration(render->options.start_ns, render->options.end_ns);
    int shift = -30;
    for (uint64_t rest = range; rest > 1; rest >>= 1) {
        shift++;
    }
    const uint64_t brought = shift >= 0 ? range >> shift : range << -shift;
    render->shift = shift;
    render->multiplier = ((uint64_t)render->plot_width_px << FGI_RENDER_FRACTION) / brought;
}

enum fg_result fgi_render_lay_out(struct fgi_render *render)
{
    const struct fgi_render_options *options = &render->options;
    const uint32_t gutter = GUTTER_PX * options->scale;
    render->plot_x_px = gutter < options->width_px / 4 ? gutter : options->width_px / 4;
    render->plot_width_px = options->width_px - render->plot_x_px;
    choose_scale(render);
    enum fg_result result = take_memory(render);
    result = result == FG_OK ? choose_tracks(render) : result;
    if (result == FG_OK) {
        choose_heights(render);
        place_tracks(render);
        result = take_kinds(render);
    }
    return result;
}
