/* SPDX-License-Identifier: MIT */
/* What is of whole frames: their CPU and GPU times, and the counters that differ. */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include <math.h>
#include <string.h>

/* ---- times of frames ------------------------------------------------------------------------- */

static int64_t gpu_time(const struct fg_frame_row *row)
{
    return row->gpu_ns;
}
static int64_t cpu_time(const struct fg_frame_row *row)
{
    return row->cpu_ns;
}

/* The spread of the frames' own times; frames of which they are not known are left out. */
static enum fg_result spread_of(struct fgi_compare_side *side,
                                int64_t (*time)(const struct fg_frame_row *),
                                struct fgi_compare_spread *out)
{
    const struct fg_frame_row *rows = NULL;
    uint32_t count = 0, values = 0, compared = 0;
    enum fg_result result = side->is_frameless ? FG_OK
                                               : fg_query_frames(side->query, side->wide_first,
                                                                 side->wide_end, &rows, &count);
    if (result != FG_OK) {
        return result;
    }
    size_t bytes = ((size_t)count + 1) * sizeof(struct fgi_compare_value);
    struct fgi_compare_value *items = fgi_malloc(side->allocator, bytes);
    if (!items) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        int64_t ns = time(&rows[i]);
        uint32_t frame = side->wide_first + i;
        if (ns >= 0) {
            items[values++] = (struct fgi_compare_value){ frame, (double)ns };
            compared += frame >= side->first && frame < side->end;
        }
    }
    result = fgi_compare_spread(side, items, values, compared, 1, 1, out);
    fgi_free(side->allocator, items, bytes);
    return result;
}

static enum fg_result total_of(struct fgi_compare_side sides[2],
                               int64_t (*time)(const struct fg_frame_row *),
                               struct fg_compare_total *out)
{
    struct fgi_compare_spread spreads[2];
    for (int i = 0; i < 2; i++) {
        enum fg_result result = spread_of(&sides[i], time, &spreads[i]);
        if (result != FG_OK) {
            return result;
        }
        out->mean_ns[i] = spreads[i].mean_ns;
    }
    bool is_known = spreads[0].mean_ns >= 0 && spreads[1].mean_ns >= 0;
    out->delta_ns = is_known ? spreads[1].mean_ns - spreads[0].mean_ns : 0;
    out->noise_ns = is_known ? fgi_compare_noise(&spreads[0], &spreads[1]) : -1;
    return FG_OK;
}

enum fg_result fgi_compare_totals(struct fgi_compare_side sides[2], struct fg_compare_reply *reply)
{
    enum fg_result result = total_of(sides, gpu_time, &reply->gpu);
    return result == FG_OK ? total_of(sides, cpu_time, &reply->cpu) : result;
}

/* ---- counters -------------------------------------------------------------------------------- */

static double value_of(const struct fg_trace_counter *counter, uint64_t bits)
{
    union fg_counter_value value;
    memcpy(&value, &bits, sizeof value);
    return counter->is_double ? value.real : (double)value.integer;
}

/* Where a frame ends: the next one begins. */
static int64_t end_of_frame(const struct fg_trace *trace, uint32_t frame)
{
    return frame + 1 < trace->frames.count ? trace->frames.items[frame + 1].start_ns : INT64_MAX;
}

/* Mean of the value that a counter has at the end of each frame; false when it never had one. */
static bool mean_of(const struct fgi_compare_side *side, uint32_t counter, double *out_mean)
{
    const struct fgi_counter_data *data = &side->trace->counter_data.items[counter];
    double sum = 0;
    uint32_t frames = 0;
    for (uint32_t frame = side->first; frame < side->end && !side->is_frameless; frame++) {
        int64_t end_ns = end_of_frame(side->trace, frame);
        size_t low = 0;
        size_t high = data->times.count;
        while (low < high) {
            size_t middle = low + (high - low) / 2;
            if (data->times.items[middle] < end_ns) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        if (low > 0) {
            sum += value_of(&side->trace->counters.items[counter], data->values.items[low - 1]);
            frames++;
        }
    }
    *out_mean = frames > 0 ? sum / frames : 0;
    return frames > 0 && isfinite(*out_mean);
}

static bool are_alike(const struct fgi_compare_side sides[2], const uint32_t counters[2])
{
    const struct fg_trace_counter *items[2];
    for (int i = 0; i < 2; i++) {
        items[i] = &sides[i].trace->counters.items[counters[i]];
    }
    return strcmp(fg_trace_text(sides[0].trace, items[0]->name),
                  fg_trace_text(sides[1].trace, items[1]->name)) == 0 &&
           strcmp(fg_trace_text(sides[0].trace, items[0]->unit),
                  fg_trace_text(sides[1].trace, items[1]->unit)) == 0;
}

/* The counter of the new side with name and unit of one of the base that no other one has. */
static uint32_t other_of(const struct fgi_compare_side sides[2], uint32_t counter,
                         const uint8_t *taken)
{
    uint32_t count = (uint32_t)sides[FG_COMPARE_NEW].trace->counters.count;
    for (uint32_t i = 0; i < count; i++) {
        /* Of one trace mostly the same number. */
        uint32_t at = (uint32_t)(((uint64_t)counter + i) % count);
        if (!taken[at] && are_alike(sides, (const uint32_t[2]){ counter, at })) {
            return at;
        }
    }
    return FG_NONE;
}

/* How many times as much; changes of sign and to or from nothing are beyond all of these. */
static double ratio_of(const struct fg_compare_counter *counter)
{
    double a = fabs(counter->mean[0]);
    double b = fabs(counter->mean[1]);
    bool is_beyond = a == 0 || b == 0 || (counter->mean[0] < 0) != (counter->mean[1] < 0);
    return is_beyond ? INFINITY : a > b ? a / b : b / a;
}

static bool counter_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_compare_counter *x = (const struct fg_compare_counter *)context + a;
    const struct fg_compare_counter *y = (const struct fg_compare_counter *)context + b;
    double ratios[2] = { ratio_of(x), ratio_of(y) };
    if (ratios[0] != ratios[1]) {
        return ratios[0] > ratios[1];
    }
    int order = strcmp(x->name, y->name);
    return order != 0 ? order < 0 : strcmp(x->unit, y->unit) < 0;
}

static enum fg_result see_counters(struct fgi_compare_side sides[2], uint8_t *taken,
                                   struct fg_compare_counter *items, uint32_t *out_count)
{
    struct fgi_arena *arena = sides->question->arena;
    for (uint32_t i = 0; i < sides->trace->counters.count; i++) {
        const struct fg_trace_counter *counter = &sides->trace->counters.items[i];
        struct fg_compare_counter item;
        uint32_t other = other_of(sides, i, taken);
        if (fgi_question_cancelled(sides->question)) {
            return FG_ERR_CANCELLED;
        }
        if (other == FG_NONE) {
            continue;
        }
        taken[other] = 1;
        if (!mean_of(&sides[0], i, &item.mean[0]) || !mean_of(&sides[1], other, &item.mean[1]) ||
            item.mean[0] == item.mean[1]) {
            continue;
        }
        const char *name = fg_trace_text(sides->trace, counter->name);
        const char *unit = fg_trace_text(sides->trace, counter->unit);
        item.name = fgi_arena_text(arena, name, strlen(name));
        item.unit = fgi_arena_text(arena, unit, strlen(unit));
        if (!item.name || !item.unit) {
            return FG_ERR_NO_MEMORY;
        }
        items[(*out_count)++] = item;
    }
    return FG_OK;
}

enum fg_result fgi_compare_counters(struct fgi_compare_side sides[2],
                                    struct fg_compare_reply *reply)
{
    struct fgi_arena *arena = sides->question->arena;
    size_t count = sides->trace->counters.count;
    size_t others = sides[FG_COMPARE_NEW].trace->counters.count;
    struct fg_compare_counter *items = fgi_arena_alloc(arena, count + 1, sizeof *items);
    struct fg_compare_counter *sorted = fgi_arena_alloc(arena, count + 1, sizeof *sorted);
    uint32_t *order = fgi_arena_alloc(arena, count + 1, sizeof *order);
    uint8_t *taken = fgi_arena_alloc(arena, others + 1, 1);
    if (!items || !sorted || !order || !taken) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t kept = 0;
    enum fg_result result = see_counters(sides, taken, items, &kept);
    for (uint32_t i = 0; i < kept; i++) {
        order[i] = i;
    }
    if (result == FG_OK) {
        result = fgi_sort_u32(sides->allocator, order, kept, counter_before, items);
    }
    for (uint32_t i = 0; i < kept; i++) {
        sorted[i] = items[order[i]];
    }
    reply->counters = sorted;
    reply->counter_count = kept;
    return result;
}
