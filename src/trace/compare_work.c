/* SPDX-License-Identifier: MIT */
/* What the spans of either side did, and what that says about their time. */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include <math.h>

/* Amounts that differ by less are the same work. */
#define WORK_TOLERANCE 0.01
/* A pass has costs that do not grow with its work: only beyond this is its rate another. */
#define RATE_TOLERANCE 1.1
enum { ARGS_MAX = 1 << 20 };

bool fgi_compare_is_sampled(const struct fgi_compare_side *side, uint32_t frame)
{
    uint64_t length = side->end - side->first;
    uint64_t at = frame - side->first;
    if (side->is_frameless) {
        return true;
    }
    if (side->trace->frames.items[frame].dropped > 0 ||
        side->trace->frames.items[frame].missing > 0) {
        return false; /* something of it was not recorded */
    }
    return length <= FGI_COMPARE_WORK_FRAMES ||
           at * FGI_COMPARE_WORK_FRAMES / length != (at + 1) * FGI_COMPARE_WORK_FRAMES / length;
}

struct args {
    struct fg_trace_arg *items;
    size_t capacity;
};

static enum fg_result read_span(struct fgi_compare_side *side, const struct fgi_compare_span *span,
                                struct args *args)
{
    uint32_t count = 0;
    struct fgi_work_amounts work;
    enum fg_result result =
        fg_trace_span_args(side->trace, span->row, args->items, (uint32_t)args->capacity, &count);
    if (result == FG_OK && count > args->capacity) {
        result = FGI_GROW(side->allocator, args->items, args->capacity, count, ARGS_MAX);
        if (result == FG_OK) {
            result = fg_trace_span_args(side->trace, span->row, args->items,
                                        (uint32_t)args->capacity, &count);
        }
    }
    if (result == FG_OK) {
        fgi_work_of_args(side->trace, args->items, count, &work);
        fgi_work_add(&side->groups.items[span->group].work, &work);
    }
    return result;
}

/* By frame: the arguments of a frame are made together. */
enum fg_result fgi_compare_read_work(struct fgi_comparison *c, struct fgi_compare_step *step)
{
    struct fgi_compare_side *side = &c->sides[c->which];
    struct args args = { 0 };
    enum fg_result result = FG_OK;
    for (; c->at < side->spans.count && result == FG_OK && fgi_compare_take(step, 1) > 0; c->at++) {
        result = read_span(side, &side->spans.items[side->span_order[c->at]], &args);
    }
    fgi_free(side->allocator, args.items, args.capacity * sizeof *args.items);
    result = result == FG_OK ? step->result : result;
    if (result != FG_OK || c->at < side->spans.count) {
        return result;
    }
    for (uint32_t frame = side->first; frame < side->end; frame++) {
        side->work_frames +=
            fgi_compare_is_sampled(side, frame) && fgi_compare_is_told(side, frame, true);
    }
    c->is_over = true;
    return FG_OK;
}

/* Amount of a frame; below 0 when it is not known. */
static double amount_of(const struct fgi_compare_side *side, const struct fgi_compare_group *group,
                        unsigned unit, enum fgi_work_state *out_state)
{
    *out_state = FGI_WORK_NONE;
    if (!group || side->work_frames == 0) {
        return -1;
    }
    *out_state = (enum fgi_work_state)group->work.units[unit].state;
    bool is_known = *out_state == FGI_WORK_ENCODED || *out_state == FGI_WORK_READ_BACK;
    return is_known ? group->work.units[unit].amount / side->work_frames : -1;
}

/* How far two amounts are apart: 0 = the same work. */
static double difference_of(const double amounts[2])
{
    if (amounts[0] == 0 || amounts[1] == 0) {
        return amounts[0] == amounts[1] ? 0 : INFINITY;
    }
    double difference = fabs(log(amounts[FG_COMPARE_NEW] / amounts[FG_COMPARE_BASE]));
    return difference > WORK_TOLERANCE ? difference : 0;
}

/*
 * The unit in which the work of both sides is known in the same way and differs most: that is what
 * changed. Where nothing did, the first that is known on both sides, or else on one.
 */
static void choose_unit(const struct fgi_compare_side sides[2],
                        const struct fgi_compare_group *const groups[2], struct fg_compare_row *row)
{
    double best = -1;
    for (unsigned unit = 0; unit < FGI_WORK_UNITS; unit++) {
        enum fgi_work_state states[2];
        double amounts[2];
        for (int i = 0; i < 2; i++) {
            amounts[i] = amount_of(&sides[i], groups[i], unit, &states[i]);
        }
        bool is_any = amounts[0] > 0 || amounts[1] > 0;
        bool is_both = is_any && amounts[0] >= 0 && amounts[1] >= 0 && states[0] == states[1];
        double rank = is_both ? 1 + difference_of(amounts) : is_any ? 0 : -1;
        if (rank <= best) {
            continue;
        }
        best = rank;
        for (int i = 0; i < 2; i++) {
            /* Of two ways of counting only the base's is said, or the one that there is. */
            bool is_said = is_both || (amounts[i] > 0 && (i == 0 || amounts[0] <= 0));
            row->sides[i].work = is_said ? amounts[i] : -1;
            if (is_said) {
                row->work_unit = fgi_work_unit_text((enum fgi_work_unit)unit, states[i]);
            }
        }
    }
}

/* Why a claimed difference is there, as far as the work tells. */
static enum fg_compare_cause cause_of(const struct fg_compare_row *row)
{
    const struct fg_compare_figures *base = &row->sides[FG_COMPARE_BASE];
    const struct fg_compare_figures *other = &row->sides[FG_COMPARE_NEW];
    bool is_slower = row->delta_ns > 0;
    bool is_more = other->work > base->work;
    if (difference_of((const double[2]){ base->work, other->work }) == 0) {
        return is_slower ? FG_CAUSE_SLOWER : FG_CAUSE_FASTER;
    }
    if (is_slower != is_more) {
        return is_slower ? FG_CAUSE_LESS_WORK_SLOWER : FG_CAUSE_MORE_WORK_FASTER;
    }
    /* What the work alone would make of the base's time; nothing where there was none before. */
    double expected = base->work > 0 ? base->mean_ns * (other->work / base->work) : INFINITY;
    bool is_beyond = is_slower ? other->mean_ns > expected * RATE_TOLERANCE
                               : other->mean_ns * RATE_TOLERANCE < expected && other->work > 0;
    if (is_beyond && fg_compare_is_claimed(other->mean_ns - expected, row->noise_ns)) {
        return is_slower ? FG_CAUSE_MORE_WORK_SLOWER : FG_CAUSE_LESS_WORK_FASTER;
    }
    return is_slower ? FG_CAUSE_MORE_WORK : FG_CAUSE_LESS_WORK;
}

void fgi_compare_explain(const struct fgi_compare_side sides[2],
                         const struct fgi_compare_group *const groups[2],
                         struct fg_compare_row *row)
{
    if (row->is_gpu) {
        choose_unit(sides, groups, row);
    }
    if (row->noise_ns < 0) {
        return;
    }
    if (!fg_compare_is_claimed(row->delta_ns, row->noise_ns)) {
        row->cause = FG_CAUSE_NOISE;
    } else if (row->state == FG_COMPARE_BOTH && row->sides[0].work >= 0 &&
               row->sides[1].work >= 0) {
        row->cause = (uint8_t)cause_of(row);
    }
}
