/* SPDX-License-Identifier: MIT */
/*
 * What a window shows. Lanes, and groups where there is memory to fold them, are answered by the
 * device, so many at a time as it has room for; other groups by the host. Budgets are of all
 * answers in their order, whoever made them.
 */
#include "engine/vulkan/engine_view.h"
#include <stddef.h>
#include <string.h>

enum {
    SLOTS_AT_ONCE = 1 << 20,
    MEMBER_SLOTS_AT_MOST = 1 << 24, /* of what is asked at once */
    SPANS_AT_FIRST = 1 << 16,
    SPANS_AT_MOST = 1 << 30,
};

struct asking {
    struct fgi_engine_vulkan *vulkan;
    const struct fgi_question *question;
    const struct fg_view_request *request;
    struct fg_gpu_population *population;
    struct fg_gpu_view_window window;
    unsigned level;
    uint32_t bins_of_target, slots_of_target;
    struct fg_gpu_view_target *targets; /**< of the device, in their order */
    uint32_t device_count;
    uint32_t *lanes;               /**< of each of these that is folded; else 0 */
    struct fg_view_target *others; /**< of the host */
    bool *is_other;                /**< by target */
    uint32_t other_count;
    struct fg_view_reply host; /**< of all of these */
    struct fgi_cursor cursor;
    struct fg_view_answer *answers;
    struct fg_view_bins *bins;
    size_t bins_count, bins_capacity;
    struct fg_trace_span *spans;
    size_t span_count, spans_capacity;
    uint32_t answered;   /**< targets */
    uint32_t other_next; /**< the host's that comes next */
    uint32_t spans_room; /**< on the device */
    bool has_folds;      /**< some target of the device is a group */
    bool is_full;
};

/* ---- who answers ----------------------------------------------------------------------------- */

/** How many lanes a target has, and the only one where there is one. */
static uint32_t lanes_of(const struct asking *a, const struct fg_view_target *target,
                         uint32_t *out_lane)
{
    const struct fg_trace *trace = a->vulkan->engine.trace;
    *out_lane = target->index;
    if (target->kind == FG_VIEW_TRACK) {
        *out_lane = trace->tracks.items[target->index].first_lane;
        return trace->tracks.items[target->index].lane_count;
    }
    if (target->kind == FG_VIEW_PROCESS) {
        *out_lane = a->vulkan->views->process_lane[target->index];
        return a->vulkan->views->process_lanes[target->index];
    }
    return 1;
}

/** What the device is asked, if it is. */
static enum fg_result see_target(struct asking *a, const struct fg_view_target *target,
                                 bool *out_is_other)
{
    uint32_t lane = 0;
    const uint32_t lanes = lanes_of(a, target, &lane);
    struct fg_gpu_view_target asked = { .lane = lanes > 0 ? lane : FG_NONE,
                                        .previous_mode = target->previous_mode };
    /* A group is counted by its bins, which reach a budget even where spans are shown then. */
    *out_is_other =
        lanes > 0 && target->kind != FG_VIEW_LANE && a->request->max_bins < a->bins_of_target;
    if (lanes > 1 && !*out_is_other) {
        struct fg_gpu_fold *fold = NULL;
        *out_is_other = lanes > fgi_gpu_views_members(a->vulkan) ||
                        (uint64_t)lanes * a->slots_of_target > MEMBER_SLOTS_AT_MOST;
        const enum fg_result result =
            *out_is_other ? FG_OK
                          : fgi_gpu_views_fold(a->vulkan, a->population, target->kind, &fold);
        if (result != FG_OK) {
            return result;
        }
        *out_is_other = fold == NULL;
        asked.lane = target->index;
        asked.kind = target->kind;
    }
    if (!*out_is_other) {
        a->lanes[a->device_count] = lanes > 1 ? lanes : 0;
        a->has_folds = a->has_folds || lanes > 1;
        a->targets[a->device_count++] = asked;
    }
    return FG_OK;
}

static enum fg_result sort_targets(struct asking *a)
{
    const struct fg_view_request *request = a->request;
    const size_t room = (size_t)request->target_count + 1;
    struct fgi_arena *arena = a->question->arena;
    enum fg_result result = FG_OK;
    a->targets = fgi_arena_take(arena, room, sizeof *a->targets);
    a->lanes = fgi_arena_take(arena, room, sizeof *a->lanes);
    a->others = fgi_arena_take(arena, room, sizeof *a->others);
    a->is_other = fgi_arena_take(arena, room, sizeof *a->is_other);
    a->answers = fgi_arena_alloc(arena, room, sizeof *a->answers);
    if (!a->targets || !a->lanes || !a->others || !a->is_other || !a->answers) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < request->target_count && result == FG_OK; i++) {
        result = see_target(a, &request->targets[i], &a->is_other[i]);
        if (result == FG_OK && a->is_other[i]) {
            a->others[a->other_count++] = request->targets[i];
        }
    }
    return result;
}

/** Groups that the device does not fold. False: they reach a budget by themselves, or there is
 * nothing else. */
static bool ask_host(struct asking *a, enum fg_result *out_result)
{
    struct fg_view_request request = *a->request;
    if (a->other_count == 0) {
        return true;
    }
    if (a->device_count == 0) {
        return false;
    }
    request.targets = a->others;
    request.target_count = a->other_count;
    *out_result = fgi_host_view(&a->vulkan->engine, a->question, &request, &a->host);
    return *out_result != FG_ERR_LIMIT && (*out_result != FG_OK || a->host.unanswered == 0);
}

/* ---- the answer ------------------------------------------------------------------------------ */

/** More room in the answer's memory. */
static bool grow(struct fgi_arena *arena, void **items, size_t *capacity, size_t item_bytes,
                 size_t count, size_t needed)
{
    if (needed <= *capacity) {
        return true;
    }
    const size_t room = needed > *capacity * 2 ? needed : *capacity * 2;
    void *more = fgi_arena_take(arena, room, item_bytes);
    if (!more) {
        return false;
    }
    if (count > 0) {
        memcpy(more, *items, count * item_bytes);
    }
    *items = more;
    *capacity = room;
    return true;
}

static bool make_room(struct asking *a, size_t bins, size_t spans)
{
    struct fgi_arena *arena = a->question->arena;
    return grow(arena, (void **)&a->bins, &a->bins_capacity, sizeof *a->bins, a->bins_count,
                a->bins_count + bins) &&
           grow(arena, (void **)&a->spans, &a->spans_capacity, sizeof *a->spans, a->span_count,
                a->span_count + spans);
}

static bool fits(const struct asking *a, uint64_t bins, uint64_t spans)
{
    return a->bins_count + bins <= a->request->max_bins &&
           a->span_count + spans <= a->request->max_spans;
}

/* The device's are as ours, so that millions of them are taken over as they are. */
_Static_assert(sizeof(struct fg_gpu_view_bins) == sizeof(struct fg_view_bins) &&
                   offsetof(struct fg_gpu_view_bins, longest_ns) ==
                       offsetof(struct fg_view_bins, longest_ns) &&
                   offsetof(struct fg_gpu_view_bins, row) == offsetof(struct fg_view_bins, row) &&
                   offsetof(struct fg_gpu_view_bins, classes) ==
                       offsetof(struct fg_view_bins, classes) &&
                   offsetof(struct fg_gpu_view_bins, status) ==
                       offsetof(struct fg_view_bins, status),
               "struct fg_gpu_view_bins is as struct fg_view_bins");

static void put_bins(struct asking *a, const struct fg_gpu_view_bins *found, uint32_t count)
{
    if (count > 0) {
        memcpy(a->bins + a->bins_count, found, count * sizeof *found);
        a->bins_count += count;
    }
}

static enum fg_result put_spans(struct asking *a, const uint32_t *rows, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (!fgi_cursor_at(&a->cursor, rows[i])) {
            return a->cursor.result;
        }
        fgi_trace_fill_span(a->vulkan->engine.trace, a->cursor.block, rows[i] - a->cursor.first_row,
                            &a->spans[a->span_count++]);
    }
    a->question->visits->spans += count;
    return FG_OK;
}

/** Where the next answer's bins and spans begin. */
static struct fg_view_answer *next_answer(struct asking *a, const struct fg_view_answer *known)
{
    struct fg_view_answer *answer = &a->answers[a->answered++];
    *answer = *known;
    answer->first_bins = (uint32_t)a->bins_count;
    answer->first_span = (uint32_t)a->span_count;
    return answer;
}

/** The host's answers that come next, before one of the device's or the end. */
static enum fg_result put_host(struct asking *a)
{
    while (!a->is_full && a->answered < a->request->target_count && a->is_other[a->answered]) {
        const struct fg_view_answer *known = &a->host.answers[a->other_next];
        if (!fits(a, known->bins_count, known->span_count)) {
            a->is_full = true;
            break;
        }
        if (!make_room(a, known->bins_count, known->span_count)) {
            return FG_ERR_NO_MEMORY;
        }
        (void)next_answer(a, known);
        if (known->bins_count > 0) {
            memcpy(a->bins + a->bins_count, a->host.bins + known->first_bins,
                   known->bins_count * sizeof *a->bins);
        }
        if (known->span_count > 0) {
            memcpy(a->spans + a->span_count, a->host.spans + known->first_span,
                   known->span_count * sizeof *a->spans);
        }
        a->bins_count += known->bins_count;
        a->span_count += known->span_count;
        a->other_next++;
    }
    return FG_OK;
}

/* ---- the device's ---------------------------------------------------------------------------- */

/** What of the answers at hand fits: how many, and what they come to. */
struct fitting {
    uint32_t targets, bins, spans;
    size_t all_bins, all_spans; /**< with the host's answers between them */
};

/** Budgets are also taken up by the host's answers between them. */
static struct fitting see_fitting(const struct asking *a, const struct fg_gpu_view_answer *found,
                                  uint32_t count)
{
    struct fitting fitting = { 0 };
    uint64_t bins = 0, spans = 0, host_bins = 0, host_spans = 0;
    uint32_t target = a->answered;
    uint32_t other = a->other_next;
    for (; fitting.targets < count; fitting.targets++, target++) {
        for (; a->is_other[target]; target++, other++) {
            host_bins += a->host.answers[other].bins_count;
            host_spans += a->host.answers[other].span_count;
        }
        bins += found[fitting.targets].bins_count;
        spans += found[fitting.targets].span_count;
        if (!fits(a, bins + host_bins, spans + host_spans)) {
            break;
        }
        fitting.bins = (uint32_t)bins;
        fitting.spans = (uint32_t)spans;
        fitting.all_bins = (size_t)(bins + host_bins);
        fitting.all_spans = (size_t)(spans + host_spans);
    }
    return fitting;
}

static enum fg_result put_found(struct asking *a, const struct fg_gpu_view_answer *found,
                                uint32_t count, const struct fitting *fitting,
                                const struct fg_gpu_view_bins *bins, const uint32_t *rows)
{
    /* All of these at once: how much they are is known. */
    enum fg_result result =
        make_room(a, fitting->all_bins, fitting->all_spans) ? FG_OK : FG_ERR_NO_MEMORY;
    for (uint32_t i = 0; i < fitting->targets && result == FG_OK; i++) {
        const struct fg_gpu_view_answer *one = &found[i];
        const struct fg_view_answer known = { .mode = one->mode,
                                              .bins_mode = one->bins_mode,
                                              .blend = one->blend,
                                              .span_count = one->span_count,
                                              .bins_count = one->bins_count };
        result = put_host(a);
        if (result == FG_OK) {
            (void)next_answer(a, &known);
            put_bins(a, bins, one->bins_count);
            result = put_spans(a, rows, one->span_count);
            bins += one->bins_count;
            rows += one->span_count;
        }
    }
    if (result == FG_OK && fitting->targets < count) {
        result = put_host(a);
        a->is_full = true;
    }
    return result;
}

/** How much of the device's targets is asked at once, and what it takes. */
static struct fg_gpu_view_sizes at_once(const struct asking *a, uint32_t done)
{
    const uint32_t left = a->device_count - done;
    uint32_t most = SLOTS_AT_ONCE / a->slots_of_target;
    const uint32_t by_spans = fgi_gpu_views_targets(a->vulkan, a->spans_room);
    most = most < by_spans ? most : by_spans;
    most = most > 0 ? most : 1;
    most = most < left ? most : left;
    struct fg_gpu_view_sizes sizes = { .spans = a->spans_room };
    for (; sizes.targets < most; sizes.targets++) {
        const uint32_t lanes = a->lanes[done + sizes.targets];
        const uint64_t slots = (uint64_t)(sizes.members + lanes) * a->slots_of_target;
        if (sizes.targets > 0 && (slots > MEMBER_SLOTS_AT_MOST ||
                                  lanes > fgi_gpu_views_members(a->vulkan) - sizes.members)) {
            break;
        }
        sizes.members += lanes;
        sizes.member_slots = (uint32_t)slots;
    }
    sizes.slots = sizes.targets * a->slots_of_target;
    return sizes;
}

/** Run what is asked of some targets. More spans than there is room for: more room, and again. */
static enum fg_result find(struct asking *a, uint32_t done, uint32_t *out_count,
                           struct fitting *out_fitting)
{
    struct fgi_engine_vulkan *vulkan = a->vulkan;
    struct fgi_gpu_views *views = NULL;
    for (;;) {
        const struct fg_gpu_view_sizes sizes = at_once(a, done);
        enum fg_result result = fgi_gpu_views_of(vulkan, &sizes, &views);
        result = result == FG_OK ? fgi_gpu_views_keep(vulkan, a->population, a->has_folds) : result;
        if (result == FG_OK) {
            result = fg_gpu_view_ask(views->view, &a->window, a->targets + done, sizes.targets);
            result = result == FG_OK ? result : fgi_gpu_fall_back(vulkan, result, "a view");
        }
        if (result == FG_OK) {
            result = fgi_gpu_views_run(vulkan, a->question, sizes.targets, "a view");
        }
        if (result != FG_OK) {
            return result;
        }
        a->question->visits->bins += (uint64_t)(sizes.targets + sizes.members) * a->bins_of_target;
        *out_count = sizes.targets;
        *out_fitting = see_fitting(a, views->answers.items, sizes.targets);
        if (out_fitting->spans <= views->view->sizes.spans) {
            return FG_OK;
        }
        if (out_fitting->spans > SPANS_AT_MOST) {
            return fgi_gpu_fall_back(vulkan, FG_ERR_LIMIT, "more spans than a view has room for");
        }
        a->spans_room = out_fitting->spans;
    }
}

static enum fg_result answer_some(struct asking *a, uint32_t *done)
{
    uint32_t count = 0;
    struct fitting fitting;
    if (fgi_question_cancelled(a->question)) {
        return FG_ERR_CANCELLED;
    }
    enum fg_result result = find(a, *done, &count, &fitting);
    result = result == FG_OK ? fgi_gpu_views_read(a->vulkan, a->question, fitting.bins,
                                                  fitting.spans, "bins and spans of a view")
                             : result;
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_gpu_views *views = a->vulkan->views;
    *done += count;
    return put_found(a, views->answers.items, count, &fitting, views->bins.items,
                     views->rows.items);
}

static enum fg_result answer_targets(struct asking *a)
{
    uint32_t done = 0;
    enum fg_result result = FG_OK;
    while (result == FG_OK && done < a->device_count && !a->is_full) {
        result = answer_some(a, &done);
    }
    return result == FG_OK ? put_host(a) : result;
}

/* ---- the view -------------------------------------------------------------------------------- */

static enum fg_result put_reply(struct asking *a, struct fg_view_reply *out_reply)
{
    const uint32_t count = a->request->target_count;
    for (uint32_t i = a->answered; i < count; i++) {
        a->answers[i] = (struct fg_view_answer){ .mode = FG_VIEW_NONE,
                                                 .bins_mode = FG_VIEW_NONE,
                                                 .first_span = (uint32_t)a->span_count,
                                                 .first_bins = (uint32_t)a->bins_count };
    }
    *out_reply = (struct fg_view_reply){ .level = a->level,
                                         .answers = count > 0 ? a->answers : NULL,
                                         .spans = a->spans,
                                         .span_count = (uint32_t)a->span_count,
                                         .bins = a->bins,
                                         .bins_count = (uint32_t)a->bins_count,
                                         .unanswered = count - a->answered };
    return a->answered == 0 && count > 0 ? FG_ERR_LIMIT : FG_OK;
}

static enum fg_result open_asking(struct asking *a)
{
    const struct fg_view_request *request = a->request;
    struct fgi_gpu_views *views = NULL;
    enum fg_result result = fgi_gpu_population_of(a->vulkan, request->filter, &a->population);
    if (result != FG_OK) {
        return result;
    }
    a->window = (struct fg_gpu_view_window){ .start_ns = request->start_ns,
                                             .end_ns = request->end_ns,
                                             .width_px = request->width_px,
                                             .wide_px = request->wide_px,
                                             .detail = request->detail,
                                             .handoff = request->handoff };
    fg_gpu_view_bins_of(&a->window, &a->level, &a->bins_of_target);
    a->slots_of_target = a->bins_of_target + 2;
    a->spans_room = request->max_spans < SPANS_AT_FIRST ? request->max_spans : SPANS_AT_FIRST;
    const struct fg_gpu_view_sizes sizes = { .targets = 1,
                                             .slots = a->slots_of_target,
                                             .spans = a->spans_room };
    result = fgi_gpu_views_of(a->vulkan, &sizes, &views);
    return result == FG_OK ? sort_targets(a) : result;
}

/** False in `out_answers`: all of it is the host's to answer. */
static enum fg_result view_on_device(struct asking *a, struct fg_view_reply *out_reply,
                                     bool *out_answers)
{
    enum fg_result result = open_asking(a);
    if (result != FG_OK) {
        return result;
    }
    *out_answers = ask_host(a, &result);
    if (result != FG_OK || !*out_answers) {
        return result;
    }
    a->cursor = fgi_trace_cursor(a->vulkan->engine.trace);
    result = answer_targets(a);
    fgi_cursor_finish(&a->cursor);
    return result == FG_OK ? put_reply(a, out_reply) : result;
}

enum fg_result fgi_vulkan_view(struct fg_engine *engine, const struct fgi_question *question,
                               const struct fg_view_request *request,
                               struct fg_view_reply *out_reply)
{
    struct asking asking = { .vulkan = fgi_vulkan(engine),
                             .question = question,
                             .request = request };
    enum fg_result result = FG_ERR_STATE;
    bool answers = true;
    if (fgi_gpu_ready(asking.vulkan)) {
        result = view_on_device(&asking, out_reply, &answers);
    }
    if (!answers || !fgi_gpu_answered(asking.vulkan, result)) {
        return fgi_host_view(engine, question, request, out_reply);
    }
    return result;
}
