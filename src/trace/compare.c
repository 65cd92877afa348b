/* SPDX-License-Identifier: MIT */
/* The comparison of two sides, from the question to the answer. */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include <math.h>
#include <string.h>

static const uint64_t default_budget_bytes = UINT64_C(1) << 30;

/* Rows between two looks at whether to stop. */
enum { ASK_ROWS = 65536 };

static bool is_stopped(struct fgi_compare_step *step)
{
    if (step->result == FG_OK && step->done - step->asked_at >= ASK_ROWS) {
        step->asked_at = step->done;
        step->result = fgi_question_cancelled(step->question) ? FG_ERR_CANCELLED : FG_OK;
    }
    return step->result != FG_OK;
}

uint64_t fgi_compare_take(struct fgi_compare_step *step, uint64_t pieces)
{
    uint64_t room = step->done > 0 || step->left > 0 ? step->left : 1;
    pieces = pieces < ASK_ROWS ? pieces : ASK_ROWS;
    pieces = pieces < room ? pieces : room;
    return fgi_compare_take_one(step, pieces) ? pieces : 0;
}

bool fgi_compare_take_one(struct fgi_compare_step *step, uint64_t rows)
{
    if (is_stopped(step) || (step->done > 0 && rows > step->left)) {
        return false;
    }
    step->left -= rows < step->left ? rows : step->left;
    step->done += rows;
    return true;
}

static enum fg_result begin_side(const struct fg_compare_request *request, int which,
                                 struct fgi_compare_side *side)
{
    const struct fg_compare_frames *from = &request->sides[which];
    const struct fg_query *base = request->sides[FG_COMPARE_BASE].query;
    if (!from->query || (from->has_frames && (from->has_range || from->first > from->end)) ||
        (from->has_range && from->start_ns >= from->end_ns)) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_trace *trace = from->query->engine->trace;
    uint32_t count = (uint32_t)trace->frames.count;
    uint64_t budget = request->budget_bytes ? request->budget_bytes : default_budget_bytes;
    *side = (struct fgi_compare_side){
        .query = from->query,
        .trace = trace,
        .allocator = base->allocator,
        .by = request->by,
        .budget_bytes = budget / 2,
        .end = count,
        .is_frameless = from->has_range || (count == 0 && !from->has_frames),
        .has_range = from->has_range,
        .start_ns = from->start_ns,
        .end_ns = from->end_ns,
        .group_of = { .allocator = base->allocator },
        .cell_of = { .allocator = base->allocator },
    };
    if (side->is_frameless) { /* all that is compared stands for one */
        side->end = side->wide_end = 1;
        return FG_OK;
    }
    if (from->has_frames) {
        side->first = from->first < count ? from->first : count;
        side->end = from->end < count ? from->end : count;
    }
    side->wide_first = side->first > FGI_COMPARE_AROUND ? side->first - FGI_COMPARE_AROUND : 0;
    side->wide_end = side->end < count - FGI_COMPARE_AROUND && count > FGI_COMPARE_AROUND
                         ? side->end + FGI_COMPARE_AROUND
                         : count;
    return FG_OK;
}

/* ---- in steps -------------------------------------------------------------------------------- */

static const struct {
    fgi_compare_phase *go;
    uint32_t which;
} phases[] = {
    { fgi_compare_times, 0 },    { fgi_compare_times, 1 },     { fgi_compare_hashes, 0 },
    { fgi_compare_hashes, 1 },   { fgi_compare_resources, 0 }, { fgi_compare_resources, 1 },
    { fgi_compare_counters, 0 }, { fgi_compare_gather, 0 },    { fgi_compare_place, 0 },
    { fgi_compare_culled, 0 },   { fgi_compare_read_work, 0 }, { fgi_compare_gather, 1 },
    { fgi_compare_place, 1 },    { fgi_compare_culled, 1 },    { fgi_compare_read_work, 1 },
    { fgi_compare_pair_up, 0 },  { fgi_compare_pair_up, 1 },   { fgi_compare_rows, 0 },
};
enum { PHASE_COUNT = sizeof phases / sizeof *phases, FRAME_PHASES = 7 };

/* A step ends where a stage does. */
static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct fgi_comparison *c = (struct fgi_comparison *)work;
    struct fgi_compare_step step = { .question = question, .left = max_rows };
    uint32_t stage = work->stage;
    enum fg_result result = FG_OK;
    do {
        c->is_over = false;
        c->which = phases[c->phase].which;
        result = phases[c->phase].go(c, &step);
        if (result == FG_OK && c->is_over) {
            c->phase++;
            c->at = 0;
            work->stage += c->phase == FRAME_PHASES || c->phase == PHASE_COUNT;
        }
    } while (result == FG_OK && c->is_over && work->stage == stage);
    work->is_done = work->stage == work->stage_count;
    work->done_rows += step.done;
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct fgi_comparison *c = (struct fgi_comparison *)work;
    const struct fg_allocator *allocator = c->allocator;
    fgi_map64_finish(&c->hashes);
    fgi_map64_finish(&c->resource_of);
    fgi_map64_finish(&c->pair_of);
    fgi_free(allocator, c->resources.items, c->resources.capacity * sizeof *c->resources.items);
    fgi_free(allocator, c->pairs.items, c->pairs.capacity * sizeof *c->pairs.items);
    fgi_free(allocator, c->values, c->value_capacity * sizeof *c->values);
    fgi_compare_side_finish(&c->sides[0]);
    fgi_compare_side_finish(&c->sides[1]);
    fgi_free(allocator, c, sizeof *c);
}

static const struct fgi_task_ops ops = { step, destroy };

/* What can be said before anything was looked at; cells are added when they are known. */
static uint64_t expected_rows(const struct fgi_comparison *c)
{
    uint64_t rows = c->sides[FG_COMPARE_BASE].trace->counters.count;
    for (int i = 0; i < 2; i++) {
        const struct fgi_compare_side *side = &c->sides[i];
        rows += fgi_trace_rows(side->trace) + (side->wide_end - side->wide_first) +
                2 * (uint64_t)(side->end - side->first);
    }
    return rows;
}

/* From the first time to the last, within the range; -1: frames, or nothing has a time. */
static int64_t length_of(const struct fgi_compare_side *side)
{
    struct fg_trace_info info;
    fg_trace_get_info(side->trace, &info);
    if (!side->is_frameless || !info.has_extent) {
        return -1;
    }
    int64_t first = info.first_ns, last = info.last_ns;
    if (side->has_range) {
        first = side->start_ns > first ? side->start_ns : first;
        last = side->end_ns < last ? side->end_ns : last;
    }
    uint64_t length = first < last ? (uint64_t)last - (uint64_t)first : 0;
    return length < INT64_MAX ? (int64_t)length : INT64_MAX;
}

static bool is_legal(const struct fg_compare_request *request)
{
    return request && request->by <= FG_STATS_BY_CATEGORY && request->sides[FG_COMPARE_BASE].query;
}

static enum fg_result begin(const struct fg_compare_request *request, struct fgi_comparison **out)
{
    const struct fg_allocator *allocator = request->sides[FG_COMPARE_BASE].query->allocator;
    struct fgi_compare_side sides[2];
    enum fg_result result = begin_side(request, FG_COMPARE_BASE, &sides[0]);
    if (result == FG_OK) {
        result = begin_side(request, FG_COMPARE_NEW, &sides[1]);
    }
    if (result != FG_OK) {
        return result;
    }
    struct fgi_comparison *c = fgi_calloc(allocator, 1, sizeof *c);
    if (!c) {
        return FG_ERR_NO_MEMORY;
    }
    c->allocator = c->hashes.allocator = c->resource_of.allocator = c->pair_of.allocator =
        allocator;
    memcpy(c->sides, sides, sizeof c->sides);
    c->base.reply = (struct fg_compare_reply){ .topology = { FG_NONE, FG_NONE } };
    for (int i = 0; i < 2; i++) {
        c->base.reply.frames[i] = sides[i].is_frameless ? 0 : sides[i].end - sides[i].first;
        c->base.reply.length_ns[i] = length_of(&sides[i]);
    }
    c->base.work = (struct fgi_work){ .ops = &ops,
                                      .kind = FGI_WORK_COMPARE,
                                      .total_rows = expected_rows(c),
                                      .stage_count = FG_COMPARE_ROWS };
    *out = c;
    return FG_OK;
}

enum fg_result fg_compare(const struct fg_compare_request *request,
                          struct fg_compare_reply *out_reply)
{
    struct fgi_comparison *c = NULL;
    if (!is_legal(request) || !out_reply) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin(request, &c);
    if (result == FG_OK) {
        result = fgi_work_run(&c->base.work, &request->sides[FG_COMPARE_BASE].query->question);
        if (result == FG_OK) {
            *out_reply = c->base.reply;
        }
        destroy(&c->base.work);
    }
    return result;
}

enum fg_result fg_task_compare(const struct fg_compare_request *request, uint32_t scheduling,
                               struct fg_task **out_task)
{
    struct fgi_comparison *c = NULL;
    struct fg_task *task = NULL;
    if (!is_legal(request) || !out_task) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result =
        fgi_task_create(request->sides[FG_COMPARE_BASE].query, scheduling, &task);
    if (result != FG_OK) {
        return result;
    }
    result = begin(request, &c);
    return fgi_task_set(task, result, c ? &c->base.work : NULL, out_task);
}

enum fg_result fg_task_result_compare(struct fg_task *task, struct fg_compare_reply *out_reply)
{
    const struct fgi_compare_work *work =
        (const struct fgi_compare_work *)fgi_task_work(task, FGI_WORK_COMPARE);
    if (!work) {
        return FG_ERR_ARGUMENT;
    }
    if (work->work.stage == 0) {
        return FG_ERR_STATE;
    }
    *out_reply = work->reply;
    return FG_OK;
}

bool fg_compare_is_claimed(double delta_ns, double noise_ns)
{
    return noise_ns >= 0 && fabs(delta_ns) > noise_ns;
}

const char *fg_compare_cause_text(uint32_t cause)
{
    static const char *const texts[] = {
        [FG_CAUSE_NOT_TOLD] = "",
        [FG_CAUSE_NOISE] = "within the noise",
        [FG_CAUSE_MORE_WORK] = "more work",
        [FG_CAUSE_LESS_WORK] = "less work",
        [FG_CAUSE_SLOWER] = "slower rate",
        [FG_CAUSE_FASTER] = "faster rate",
        [FG_CAUSE_MORE_WORK_SLOWER] = "more work and slower rate",
        [FG_CAUSE_LESS_WORK_FASTER] = "less work and faster rate",
        [FG_CAUSE_MORE_WORK_FASTER] = "faster, although more work",
        [FG_CAUSE_LESS_WORK_SLOWER] = "slower, although less work",
    };
    return cause < sizeof texts / sizeof *texts ? texts[cause] : "";
}
