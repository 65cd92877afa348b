/* SPDX-License-Identifier: MIT */
/* Cases of reachability, projection, hierarchy and paths, asked of a trace made of each. */
#include "cases.h"
#include "scene_bed.h"
#include <frameglass/trace_path.h>
#include <math.h>
#include <string.h>

enum { ROWS_MAX = 4096 };
#define NONE_NUMBER 4294967295.0

static bool is_bit(const uint64_t *bits, uint32_t i)
{
    return bits && (bits[i / 64] >> (i % 64) & 1);
}

/* ---- traversal and focus --------------------------------------------------------------------- */

/* Rows 0 to count - 1 and links from compressed rows. Links to a row in `skipped` are left out. */
static bool scene_of_links(struct fgt_scene *scene, uint32_t count, const json_t *nodes,
                           const json_t *offsets, const json_t *neighbors, uint64_t skipped)
{
    if (!fgt_scene_begin(scene)) {
        return false;
    }
    uint32_t track = fgt_scene_track(scene, FG_NONE);
    for (uint32_t i = 0; i < count; i++) {
        fgt_scene_span(scene, track, 0, FG_NONE, i, i + 1);
    }
    for (size_t i = 0; i + 1 < json_array_size(offsets); i++) {
        uint32_t source = (uint32_t)(nodes ? fgt_case_natural_at(nodes, i) : i);
        uint64_t end = fgt_case_natural_at(offsets, i + 1);
        for (uint64_t k = fgt_case_natural_at(offsets, i); k < end; k++) {
            uint32_t target = (uint32_t)fgt_case_natural_at(neighbors, k);
            if (target >= 64 || !(skipped >> target & 1)) {
                fgi_builder_dependency(scene->builder,
                                       &(struct fg_trace_dependency){ source, target, 0, 0 });
            }
        }
    }
    return fgt_scene_end(scene);
}

static bool is_text(const json_t *value, const char *text)
{
    return json_is_string(value) && strcmp(json_string_value(value), text) == 0;
}

static bool try_traversal(const struct fgt_case *c)
{
    const json_t *offsets = fgt_case_input(c, "outgoingOffsets");
    const json_t *seeds = fgt_case_input(c, "seeds");
    const json_t *active_seeds = fgt_case_input(c, "activeSeedCount");
    const json_t *active_depth = fgt_case_input(c, "activeDepth");
    const json_t *direction = fgt_case_input(c, "direction");
    uint32_t count = (uint32_t)json_array_size(offsets) - 1;
    uint64_t hops = fgt_case_natural(fgt_case_input(c, "maxDepth"));
    uint32_t rows[64];
    double reached[ROWS_MAX];
    struct fgt_scene scene;
    struct fg_focus_request request = {
        .seeds = rows,
        .seed_count = (uint32_t)json_array_size(seeds),
        .direction = is_text(direction, "both")       ? FG_LINKS_BOTH
                     : is_text(direction, "incoming") ? FG_LINKS_IN
                                                      : FG_LINKS_OUT,
    };
    struct fg_focus_reply reply;
    if (count > ROWS_MAX || request.seed_count > 64) {
        return fgt_case_differs(c, "it is larger than expected");
    }
    for (uint32_t i = 0; i < request.seed_count; i++) {
        rows[i] = (uint32_t)fgt_case_natural_at(seeds, i);
    }
    if (active_seeds && fgt_case_natural(active_seeds) < request.seed_count) {
        request.seed_count = (uint32_t)fgt_case_natural(active_seeds);
    }
    if (active_depth && fgt_case_natural(active_depth) < hops) {
        hops = fgt_case_natural(active_depth);
    }
    request.hops = (uint32_t)hops;
    bool ok =
        scene_of_links(&scene, count, NULL, offsets, fgt_case_input(c, "outgoingNeighbors"), 0) &&
        fg_query_focus(scene.query, &request, &reply) == FG_OK;
    for (uint32_t i = 0; i < count && ok; i++) {
        reached[i] = is_bit(reply.mask, i);
    }
    ok = ok ? fgt_case_agree(c, "reached", reached, count)
            : fgt_case_differs(c, "it could not be asked");
    fgt_scene_close(&scene);
    return ok;
}

/* What has been reached before is where no link leads to; the frontier are the seeds. */
static bool try_frontier(const struct fgt_case *c)
{
    const json_t *neighbors = fgt_case_input(c, "neighbors");
    const json_t *frontier = fgt_case_input(c, "frontier");
    const json_t *nodes = fgt_case_input(c, "sparseNodes");
    uint64_t bits = fgt_case_natural(fgt_case_input(c, "reachedBits"));
    uint32_t count = 0;
    uint32_t seeds[64];
    struct fgt_scene scene;
    struct fg_focus_request request = {
        .seeds = seeds,
        .seed_count = (uint32_t)json_array_size(frontier),
        .hops = 2,
        .direction = FG_LINKS_OUT,
        .capacity = (uint32_t)fgt_case_natural(fgt_case_input(c, "capacity")),
    };
    struct fg_focus_reply reply;
    for (size_t i = 0; i < json_array_size(neighbors); i++) {
        uint32_t row = (uint32_t)fgt_case_natural_at(neighbors, i);
        count = row >= count ? row + 1 : count;
    }
    for (size_t i = 0; i < json_array_size(nodes); i++) {
        uint32_t row = (uint32_t)fgt_case_natural_at(nodes, i);
        count = row >= count ? row + 1 : count;
    }
    for (uint32_t i = 0; i < request.seed_count && i < 64; i++) {
        seeds[i] = (uint32_t)fgt_case_natural_at(frontier, i);
    }
    bool ok =
        scene_of_links(&scene, count, nodes, fgt_case_input(c, "sparseOffsets"), neighbors, bits) &&
        fg_query_focus(scene.query, &request, &reply) == FG_OK;
    const struct fg_focus_hop none = { 0 };
    const struct fg_focus_hop *next = ok && reply.hop_count > 1 ? &reply.hops[1] : &none;
    double rows[64];
    for (uint32_t i = 0; i < next->count && i < 64; i++) {
        rows[i] = reply.rows[next->first + i];
        bits |= UINT64_C(1) << (reply.rows[next->first + i] % 64);
    }
    ok = ok && fgt_case_agree(c, "nextFrontier", rows, next->expanded);
    if (ok && (next->count != fgt_case_natural(fgt_case_expected(c, "nextCount")) ||
               next->overflow != fgt_case_natural(fgt_case_expected(c, "overflow")) ||
               bits != fgt_case_natural(fgt_case_expected(c, "reachedBits")))) {
        ok = fgt_case_differs(c, "%u rows next, %u too many", next->count, next->overflow);
    }
    fgt_scene_close(&scene);
    return ok;
}

static bool try_capacity(const struct fgt_case *c)
{
    const json_t *rows = fgt_case_input(c, "rows");
    double ours[64];
    size_t count = json_array_size(rows) < 64 ? json_array_size(rows) : 64;
    for (size_t i = 0; i < count; i++) {
        const json_t *row = json_array_get(rows, i);
        ours[i] = fg_focus_capacity((uint32_t)fgt_case_natural_at(row, 0),
                                    (uint32_t)fgt_case_natural_at(row, 1));
    }
    return fgt_case_agree(c, "capacity", ours, count);
}

/* ---- projection and hierarchy ---------------------------------------------------------------- */

static bool try_projection(const struct fgt_case *c)
{
    const json_t *parents = fgt_case_input(c, "parents");
    const json_t *visible = fgt_case_input(c, "visible");
    uint32_t count = (uint32_t)(parents ? json_array_size(parents)
                                        : fgt_case_natural(fgt_case_input(c, "chainLength")));
    static uint64_t mask[ROWS_MAX / 64 + 1];
    double rows[ROWS_MAX], last = NONE_NUMBER;
    struct fgt_scene scene;
    struct fg_project_request request = {
        .mask = mask, .max_depth = (uint32_t)fgt_case_natural(fgt_case_input(c, "maxDepth"))
    };
    struct fg_project_reply reply;
    if (count == 0 || count > ROWS_MAX || !fgt_scene_begin(&scene)) {
        return fgt_case_differs(c, "%u rows", count);
    }
    uint32_t track = fgt_scene_track(&scene, FG_NONE);
    memset(mask, 0, sizeof mask);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = (uint32_t)(parents ? fgt_case_natural_at(parents, i) : i - 1u);
        bool is_visible = visible ? fgt_case_natural_at(visible, i) != 0
                                  : i == fgt_case_natural(fgt_case_input(c, "visibleRow"));
        mask[i / 64] |= (uint64_t)is_visible << (i % 64);
        fgt_scene_span(&scene, track, 0, parent, 0, 1);
    }
    bool ok = fgt_scene_end(&scene) && fg_query_project(scene.query, &request, &reply) == FG_OK;
    for (uint32_t i = 0; i < count && ok; i++) {
        rows[i] = reply.rows[i];
        last = reply.rows[i] != FG_NONE ? i : last;
    }
    const json_t *resolved = fgt_case_expected(c, "lastResolvedRow");
    ok = ok && fgt_case_agree(c, "ancestors", rows, count) &&
         fgt_case_agree(c, "output", rows, count);
    if (ok && resolved && fgt_case_real(resolved) != last) {
        ok = fgt_case_differs(c, "the last resolved row is %g", last);
    }
    fgt_scene_close(&scene);
    return ok;
}

/* Lanes of an expanded thread are depths; lines left free behind each stand for taller ones. */
static bool try_hierarchy(const struct fgt_case *c)
{
    const json_t *processes = fgt_case_input(c, "parentStates");
    const json_t *threads = fgt_case_input(c, "childStates");
    uint32_t each = (uint32_t)fgt_case_natural(fgt_case_input(c, "childrenPerParent"));
    uint32_t gap = (uint32_t)fgt_case_natural(fgt_case_input(c, "collapsedChildHeight")) - 1;
    uint32_t lanes = (uint32_t)fgt_case_natural(fgt_case_input(c, "expandedChildHeight")) - gap;
    uint32_t count = (uint32_t)json_array_size(threads);
    uint8_t folded_processes[64] = { 0 }, folded_tracks[64] = { 0 };
    double heights[64] = { 0 }, offsets[64];
    struct fgt_scene scene;
    const struct fg_layout_item *items = NULL;
    uint32_t item_count = 0, lines = 0;
    if (count > 64 || json_array_size(processes) > 64 || each == 0 || !fgt_scene_begin(&scene)) {
        return fgt_case_differs(c, "%u threads", count);
    }
    for (uint32_t p = 0; p < json_array_size(processes); p++) {
        (void)fgi_builder_process(scene.builder, 0, p);
        folded_processes[p] = fgt_case_natural_at(processes, p) == 0;
    }
    for (uint32_t t = 0; t < count; t++) {
        uint32_t track = fgt_scene_track(&scene, t / each);
        folded_tracks[t] = fgt_case_natural_at(threads, t) == 0;
        for (uint32_t depth = 0; depth < lanes; depth++) {
            fgt_scene_span(&scene, track, depth, FG_NONE, 0, 100 - depth);
        }
    }
    const struct fg_layout_request request = { folded_processes, folded_tracks, gap, 0 };
    bool ok = fgt_scene_end(&scene) &&
              fg_query_layout(scene.query, &request, &items, &item_count, &lines) == FG_OK;
    for (uint32_t i = 0; i < item_count && ok; i++) {
        const struct fg_view_target *target = &items[i].target;
        uint32_t t = target->kind == FG_VIEW_PROCESS ? target->index * each
                     : target->kind == FG_VIEW_TRACK
                         ? target->index
                         : fg_trace_lane(scene.trace, target->index)->track;
        heights[t] += heights[t] == 0 ? 1 + gap : 1;
    }
    double sum = 0;
    for (uint32_t t = 0; t < count; t++) {
        offsets[t] = sum;
        sum += heights[t];
    }
    ok = ok && sum == lines && fgt_case_agree(c, "heights", heights, count) &&
         fgt_case_agree(c, "offsets", offsets, count);
    fgt_scene_close(&scene);
    return ok;
}

/* ---- critical path --------------------------------------------------------------------------- */

/* Largest number that the cases take for a duration. */
#define LARGEST 3.402823e38

static bool is_duration(double value)
{
    return value >= 0 && value <= LARGEST;
}

/* Nanoseconds of a unit. Where durations come near LARGEST it stands for our own largest. */
static double scale_of(const json_t *durations)
{
    double largest = 0;
    for (size_t i = 0; i < json_array_size(durations); i++) {
        double value = fgt_case_real_at(durations, i);
        largest = is_duration(value) && value > largest ? value : largest;
    }
    return largest * 1e6 > 4e18 ? 18446744073709549568.0 / LARGEST : 1e6;
}

/*
 * No span of ours has a duration that is no number: such rows count as those whose parent is none.
 */
static bool scene_of_parents(struct fgt_scene *scene, const json_t *parents,
                             const json_t *durations, double scale, bool *has_bad_duration,
                             bool *has_bad_parent)
{
    uint32_t count = (uint32_t)json_array_size(parents);
    if (!fgt_scene_begin(scene)) {
        return false;
    }
    uint32_t track = fgt_scene_track(scene, FG_NONE);
    *has_bad_duration = *has_bad_parent = false;
    for (uint32_t i = 0; i < count; i++) {
        uint32_t parent = (uint32_t)fgt_case_natural_at(parents, i);
        double duration = fgt_case_real_at(durations, i);
        *has_bad_parent |= parent != FG_NONE && parent >= count;
        if (!is_duration(duration)) {
            *has_bad_duration = true;
            parent = count;
            duration = 0;
        }
        uint64_t ns = (uint64_t)nearbyint(duration * scale);
        fgt_scene_span(scene, track, 0, parent, FG_TIME_MIN, (int64_t)((uint64_t)FG_TIME_MIN + ns));
    }
    return fgt_scene_end(scene);
}

static bool agree_summary(const struct fgt_case *c, const struct fg_path_reply *reply,
                          double longest, uint32_t flags)
{
    const json_t *summary = fgt_case_expected(c, "summary");
    const json_t *largest = fgt_case_expected(c, "maximumDuration");
    uint32_t bits = (uint32_t)fgt_case_natural_at(summary, 0);
    float expected;
    memcpy(&expected, &bits, sizeof expected);
    if (summary &&
        (!fgt_case_near(longest, expected) || reply->endpoint != fgt_case_natural_at(summary, 1) ||
         reply->max_hops != fgt_case_natural_at(summary, 2) ||
         flags != fgt_case_natural_at(summary, 3))) {
        return fgt_case_differs(c, "summary %g, %u, %u, %u", longest, reply->endpoint,
                                reply->max_hops, flags);
    }
    if (largest && !fgt_case_near(longest, fgt_case_real(largest))) {
        return fgt_case_differs(c, "the largest is %g", longest);
    }
    const json_t *endpoint = fgt_case_expected(c, "endpoint");
    const json_t *wanted = fgt_case_expected(c, "flags");
    if ((endpoint && reply->endpoint != fgt_case_natural(endpoint)) ||
        (wanted && flags != fgt_case_natural(wanted))) {
        return fgt_case_differs(c, "endpoint %u, flags %u", reply->endpoint, flags);
    }
    return true;
}

static bool agree_rows(const struct fgt_case *c, const struct fg_path_reply *reply, double scale)
{
    uint32_t count = reply->figure_rows;
    double lengths[256], slacks[256], predecessors[256], roots[256], hops[256], mask[256] = { 0 };
    for (uint32_t i = 0; i < count; i++) {
        lengths[i] = (double)reply->lengths[i] / scale;
        slacks[i] = (double)reply->slacks[i] / scale;
        predecessors[i] = reply->predecessors[i];
        roots[i] = reply->roots[i];
        hops[i] = reply->hops[i];
    }
    for (uint32_t i = 0; i < reply->chain_count; i++) {
        mask[reply->chain[i]] = 1;
    }
    return fgt_case_agree(c, "pathDurations", lengths, count) &&
           fgt_case_agree(c, "slackDurations", slacks, count) &&
           fgt_case_agree(c, "criticalPredecessors", predecessors, count) &&
           fgt_case_agree(c, "rootIndices", roots, count) &&
           fgt_case_agree(c, "hopCounts", hops, count) &&
           fgt_case_agree(c, "criticalMask", mask, count);
}

static bool try_path(const struct fgt_case *c)
{
    const json_t *parents = fgt_case_input(c, "parents");
    const json_t *durations = fgt_case_input(c, "durations");
    double scale = scale_of(durations);
    struct fgt_scene scene;
    struct fg_path_reply reply;
    bool has_bad_duration, has_bad_parent;
    const struct fg_path_request request = {
        .by = FG_PATH_BY_PARENTS,
        .figures =
            FG_PATH_LENGTHS | FG_PATH_SLACKS | FG_PATH_PREDECESSORS | FG_PATH_HOPS | FG_PATH_ROOTS,
        .max_chain = (uint32_t)fgt_case_natural(fgt_case_input(c, "maximumCriticalPathLength")),
    };
    if (json_array_size(parents) > 256) {
        return fgt_case_differs(c, "it has more rows than expected");
    }
    bool ok =
        scene_of_parents(&scene, parents, durations, scale, &has_bad_duration, &has_bad_parent) &&
        fg_query_path(scene.query, &request, &reply) == FG_OK;
    if (ok) {
        uint32_t flags = reply.flags & ~(uint32_t)FG_PATH_INVALID_PARENT;
        flags |= (has_bad_parent ? 1u : 0u) | (has_bad_duration ? 2u : 0u);
        ok = agree_summary(c, &reply, (double)reply.length_ns / scale, flags) &&
             agree_rows(c, &reply, scale);
    } else {
        ok = fgt_case_differs(c, "it could not be asked");
    }
    fgt_scene_close(&scene);
    return ok;
}

static const struct fgt_case_operation operations[] = {
    { "graph-traversal", try_traversal },
    { "focus-frontier", try_frontier },
    { "focus-capacity", try_capacity },
    { "ancestor-projection", try_projection },
    { "hierarchy", try_hierarchy },
    { "critical-path", try_path },
    { NULL, NULL },
};
static const struct fgt_case_yield yields[] = {
    { NULL, NULL, NULL },
};
const struct fgt_case_part fgt_cases_graph = { "graph", operations, yields };
