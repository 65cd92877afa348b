/* SPDX-License-Identifier: MIT */
/* Lines of a reply gathered over hubs, and the line under a pointer. */
#include "trace/links_rules.h"
#include "trace/model.h"

/* ---- bundles --------------------------------------------------------------------------------- */

struct hubs {
    int64_t source_ns, target_ns;
    int32_t source_y, target_y;
};

static int compare_hubs(const struct hubs *a, const struct hubs *b)
{
    if (a->source_ns != b->source_ns) {
        return a->source_ns < b->source_ns ? -1 : 1;
    }
    if (a->target_ns != b->target_ns) {
        return a->target_ns < b->target_ns ? -1 : 1;
    }
    if (a->source_y != b->source_y) {
        return a->source_y < b->source_y ? -1 : 1;
    }
    return a->target_y != b->target_y ? (a->target_y < b->target_y ? -1 : 1) : 0;
}

static bool hubs_before(void *context, uint32_t a, uint32_t b)
{
    const struct hubs *hubs = context;
    return compare_hubs(&hubs[a], &hubs[b]) < 0;
}

/* Number of each line's bundle, by first line: groups are named by their first, then renumbered. */
static void name_groups(const struct hubs *hubs, const uint32_t *order, uint32_t count,
                        uint32_t *group)
{
    uint32_t first = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (i == 0 || compare_hubs(&hubs[order[i - 1]], &hubs[order[i]]) != 0) {
            first = order[i];
        }
        group[order[i]] = first;
    }
}

enum fg_result fgi_bundle_lines(const struct fgi_question *question,
                                const struct fg_links_request *request,
                                const struct fg_allocator *allocator, struct fg_link_line *lines,
                                struct fg_links_reply *reply)
{
    const struct fgi_hub_grid grid = fgi_hub_grid(request);
    lines += reply->exact_count;
    uint32_t count = reply->line_count - reply->exact_count;
    if (count == 0) {
        return FG_OK;
    }
    struct hubs *hubs = fgi_arena_alloc(question->arena, count, sizeof *hubs);
    uint32_t *order = fgi_arena_alloc(question->arena, count, sizeof *order);
    uint32_t *group = fgi_arena_alloc(question->arena, count, sizeof *group);
    struct fg_link_bundle *bundles = fgi_arena_alloc(question->arena, count, sizeof *bundles);
    if (!hubs || !order || !group || !bundles) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_link_line *line = &lines[i];
        hubs[i] = (struct hubs){
            .source_ns = fgi_hub_ns(&grid, line->from_ns),
            .target_ns = fgi_hub_ns(&grid, line->to_ns),
            .source_y = fgi_hub_y(&grid, request->places[line->source_place].y),
            .target_y = fgi_hub_y(&grid, request->places[line->target_place].y),
        };
        order[i] = i;
    }
    enum fg_result result = fgi_sort_u32(allocator, order, count, hubs_before, hubs);
    if (result != FG_OK) {
        return result;
    }
    name_groups(hubs, order, count, group);
    for (uint32_t i = 0; i < count; i++) {
        if (group[i] == i) {
            bundles[reply->bundle_count] =
                (struct fg_link_bundle){ hubs[i].source_ns, hubs[i].target_ns, hubs[i].source_y,
                                         hubs[i].target_y, 0 };
            lines[i].bundle = reply->bundle_count++;
        } else {
            lines[i].bundle = lines[group[i]].bundle;
        }
        bundles[lines[i].bundle].lines++;
    }
    reply->bundles = bundles;
    return FG_OK;
}

/* ---- picking --------------------------------------------------------------------------------- */

struct point {
    double x, y;
};

/*
 * In pixels from the window's start and the view's top: near numbers, made from exact differences.
 */
static struct point on_screen(const struct fg_links_request *request, double px_per_y, int64_t ns,
                              int32_t y)
{
    double window = (double)((uint64_t)request->end_ns - (uint64_t)request->start_ns);
    double distance = ns >= request->start_ns
                          ? (double)((uint64_t)ns - (uint64_t)request->start_ns)
                          : -(double)((uint64_t)request->start_ns - (uint64_t)ns);
    return (struct point){ distance / window * request->width_px,
                           (double)((int64_t)y - request->top_y) * px_per_y };
}

/* Square of the distance to the straight piece between two points. */
static double distance_squared(struct point at, struct point a, struct point b)
{
    double dx = b.x - a.x;
    double dy = b.y - a.y;
    double length = dx * dx + dy * dy;
    double t = length > 0 ? ((at.x - a.x) * dx + (at.y - a.y) * dy) / length : 0;
    t = t < 0 ? 0 : t > 1 ? 1 : t;
    double x = a.x + t * dx - at.x;
    double y = a.y + t * dy - at.y;
    return x * x + y * y;
}

/* The largest whole number of sixteenths that is not above the distance; at most `limit` + 1. */
static uint32_t sixteenths(double squared, uint32_t limit)
{
    uint32_t low = 0, high = limit + 1;
    while (low < high) {
        uint32_t middle = low + (high - low + 1) / 2;
        if ((double)middle * middle <= squared * 256.0) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

static double line_distance(const struct fg_links_request *request,
                            const struct fg_links_reply *reply, const struct fg_link_line *line,
                            double px_per_y, struct point at)
{
    struct point way[4];
    unsigned count = 0;
    way[count++] =
        on_screen(request, px_per_y, line->from_ns, request->places[line->source_place].y);
    if (line->bundle != FG_NONE) {
        const struct fg_link_bundle *bundle = &reply->bundles[line->bundle];
        way[count++] = on_screen(request, px_per_y, bundle->source_hub_ns, bundle->source_hub_y);
        way[count++] = on_screen(request, px_per_y, bundle->target_hub_ns, bundle->target_hub_y);
    }
    way[count++] = on_screen(request, px_per_y, line->to_ns, request->places[line->target_place].y);
    double best = distance_squared(at, way[0], way[1]);
    for (unsigned i = 2; i < count; i++) {
        double next = distance_squared(at, way[i - 1], way[i]);
        best = next < best ? next : best;
    }
    return best;
}

void fg_links_pick(const struct fg_links_request *request, const struct fg_links_reply *reply,
                   const struct fg_links_pointer *pointer, uint32_t *out_line,
                   uint32_t *out_sixteenths)
{
    const struct point at = { pointer->x_px, pointer->y_px };
    const double tolerance_px = pointer->tolerance_px;
    const uint32_t most = tolerance_px < 65536 ? (uint32_t)(tolerance_px * 16) : 65536u * 16;
    uint32_t best = FG_NONE;
    uint32_t best_distance = 0;
    for (uint32_t i = 0; i < reply->line_count; i++) {
        double squared = line_distance(request, reply, &reply->lines[i], pointer->px_per_y, at);
        if (!(squared <= tolerance_px * tolerance_px)) {
            continue;
        }
        uint32_t distance = sixteenths(squared, most);
        bool is_lower =
            best == FG_NONE || distance < best_distance ||
            (distance == best_distance && reply->lines[i].link < reply->lines[best].link);
        if (is_lower) {
            best = i;
            best_distance = distance;
        }
    }
    *out_line = best;
    if (out_sixteenths) {
        *out_sixteenths = best_distance;
    }
}
