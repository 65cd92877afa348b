/* SPDX-License-Identifier: MIT */
/* The comparison of two sides, from the question to the answer. */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include <math.h>

static const uint64_t default_budget_bytes = UINT64_C(1) << 30;

static enum fg_result begin_side(const struct fg_compare_request *request, int which,
                                 struct fgi_compare_side *side)
{
    const struct fg_compare_frames *from = &request->sides[which];
    const struct fg_query *base = request->sides[FG_COMPARE_BASE].query;
    if (!from->query || (from->has_frames && from->first > from->end)) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_trace *trace = from->query->engine->trace;
    uint32_t count = (uint32_t)trace->frames.count;
    uint64_t budget = request->budget_bytes ? request->budget_bytes : default_budget_bytes;
    *side = (struct fgi_compare_side){
        .query = from->query,
        .trace = trace,
        .allocator = base->allocator,
        .question = &base->question,
        .by = request->by,
        .budget_bytes = budget / 2,
        .end = count,
        .is_frameless = count == 0 && !from->has_frames,
    };
    if (side->is_frameless) { /* the whole trace stands for one */
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

static enum fg_result compare(struct fgi_compare_side sides[2], struct fg_compare_reply *reply)
{
    enum fg_result result = FG_OK;
    for (int i = 0; i < 2 && result == FG_OK; i++) {
        enum fg_result (*const steps[])(struct fgi_compare_side *) = { fgi_compare_gather,
                                                                       fgi_compare_see_culled,
                                                                       fgi_compare_read_work };
        for (size_t k = 0; k < sizeof steps / sizeof *steps && result == FG_OK; k++) {
            result = steps[k](&sides[i]);
        }
        reply->frames[i] = sides[i].is_frameless ? 0 : sides[i].end - sides[i].first;
    }
    enum fg_result (*const parts[])(struct fgi_compare_side *, struct fg_compare_reply *) = {
        fgi_compare_rows, fgi_compare_totals, fgi_compare_graphs, fgi_compare_counters
    };
    for (size_t k = 0; k < sizeof parts / sizeof *parts && result == FG_OK; k++) {
        result = parts[k](sides, reply);
    }
    return result;
}

enum fg_result fg_compare(const struct fg_compare_request *request,
                          struct fg_compare_reply *out_reply)
{
    struct fgi_compare_side sides[2] = { 0 };
    struct fg_compare_reply reply = { .topology = { FG_NONE, FG_NONE } };
    if (!request || !out_reply || request->by > FG_STATS_BY_CATEGORY ||
        !request->sides[FG_COMPARE_BASE].query) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = begin_side(request, FG_COMPARE_BASE, &sides[0]);
    if (result == FG_OK) {
        result = begin_side(request, FG_COMPARE_NEW, &sides[1]);
    }
    if (result == FG_OK) {
        result = compare(sides, &reply);
        fgi_compare_side_finish(&sides[0]);
        fgi_compare_side_finish(&sides[1]);
    }
    if (result == FG_OK) {
        *out_reply = reply;
    }
    return result;
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
