/* SPDX-License-Identifier: MIT */
/* Metrics and losses of a trace, as they are asked for. */
#include "trace/model.h"
#include <string.h>

/* ---- metrics --------------------------------------------------------------------------------- */

static size_t first_at(const struct fgi_counter_data *data, int64_t time_ns)
{
    size_t low = 0, high = data->times.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (data->times.items[middle] < time_ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static union fg_counter_value value_at(const struct fgi_counter_data *data, size_t i)
{
    union fg_counter_value value;
    memcpy(&value, &data->values.items[i], sizeof value);
    return value;
}

/* Not a number is neither low nor high, unless there is nothing else. */
static bool is_below(bool is_double, union fg_counter_value a, union fg_counter_value b)
{
    if (!is_double) {
        return a.integer < b.integer;
    }
    bool is_b_number = b.real == b.real;
    return a.real < b.real || (!is_b_number && a.real == a.real);
}

static bool is_above(bool is_double, union fg_counter_value a, union fg_counter_value b)
{
    if (!is_double) {
        return a.integer > b.integer;
    }
    bool is_b_number = b.real == b.real;
    return a.real > b.real || (!is_b_number && a.real == a.real);
}

enum fg_result fg_trace_counter_figures(const struct fg_trace *trace, uint32_t counter,
                                        int64_t start_ns, int64_t end_ns,
                                        struct fg_counter_figures *out_figures)
{
    if (counter >= trace->counters.count) {
        return FG_ERR_NOT_FOUND;
    }
    if (start_ns == 0 && end_ns == 0) {
        start_ns = FG_TIME_MIN;
        end_ns = INT64_MAX;
    }
    if (start_ns >= end_ns) {
        return FG_ERR_ARGUMENT;
    }
    const struct fgi_counter_data *data = &trace->counter_data.items[counter];
    bool is_double = trace->counters.items[counter].is_double;
    size_t first = first_at(data, start_ns);
    size_t end = first_at(data, end_ns);
    *out_figures = (struct fg_counter_figures){ .count = end - first, .has_last = end > 0 };
    if (end > 0) {
        out_figures->last = value_at(data, end - 1);
        out_figures->last_ns = data->times.items[end - 1];
    }
    for (size_t i = first; i < end; i++) {
        union fg_counter_value value = value_at(data, i);
        if (i == first || is_below(is_double, value, out_figures->low)) {
            out_figures->low = value;
        }
        if (i == first || is_above(is_double, value, out_figures->high)) {
            out_figures->high = value;
        }
    }
    return FG_OK;
}

/* ---- losses ---------------------------------------------------------------------------------- */

const char *fg_trace_loss_counter_name(unsigned counter)
{
    static const char *const names[FG_TRACE_LOSS_COUNTERS] = {
        [FG_TRACE_PRODUCER_DROPS] = "producer drops",
        [FG_TRACE_OVERWRITTEN] = "history overwritten",
        [FG_TRACE_DROPPED_BEFORE_START] = "dropped before start",
        [FG_TRACE_MALFORMED_ZONES] = "malformed zones",
        [FG_TRACE_MALFORMED_FRAMES] = "malformed frames",
        [FG_TRACE_SOURCE_FAILURES] = "source failures",
        [FG_TRACE_REFUSED_METRICS] = "metrics refused",
        [FG_TRACE_FRAME_COUNTERS_LEFT_OUT] = "frame counters left out",
        [FG_TRACE_REFUSED_OBJECTS] = "resources refused",
    };
    return counter < FG_TRACE_LOSS_COUNTERS ? names[counter] : NULL;
}

uint64_t fg_trace_loss_counter(const struct fg_trace *trace, unsigned counter)
{
    return counter < FG_TRACE_LOSS_COUNTERS ? trace->loss_counters[counter] : UINT64_MAX;
}
