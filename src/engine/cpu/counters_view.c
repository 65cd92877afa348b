/* SPDX-License-Identifier: MIT */
/* Counters in a window: the samples, or where there are more than pixels, bins of them. */
#include "base/alloc.h"
#include "engine/cpu/engine_cpu_priv.h"
#include <string.h>

struct counting {
    const struct fgi_question *question;
    const struct fg_counters_request *request;
    const struct fg_trace *trace;
    unsigned level;
    struct fg_trace_sample *samples;
    size_t sample_count, sample_capacity;
    struct fg_counter_bin *bins;
    size_t bin_count, bin_capacity;
};

static size_t first_at(const struct fgi_counter_data *data, int64_t time)
{
    size_t low = 0, high = data->times.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (data->times.items[middle] < time) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static union fg_counter_value value_of(const struct fgi_counter_data *data, size_t i)
{
    union fg_counter_value value;
    memcpy(&value, &data->values.items[i], sizeof value);
    return value;
}

static bool is_less(bool is_double, union fg_counter_value a, union fg_counter_value b)
{
    return is_double ? a.real < b.real : a.integer < b.integer;
}

static void widen(bool is_double, union fg_counter_value value, union fg_counter_value *low,
                  union fg_counter_value *high)
{
    *low = is_less(is_double, value, *low) ? value : *low;
    *high = is_less(is_double, *high, value) ? value : *high;
}

static size_t items_so_far(const struct counting *c)
{
    return c->sample_count + c->bin_count;
}

static enum fg_result put_samples(struct counting *c, const struct fgi_counter_data *data,
                                  size_t first, size_t end, struct fg_counter_answer *answer)
{
    answer->first = (uint32_t)c->sample_count;
    if (end - first > c->request->max_items - items_so_far(c)) {
        answer->answered = false;
        return FG_OK;
    }
    if (!FGI_ANSWER_GROW(c->question->arena, c->samples, c->sample_capacity,
                         c->sample_count + (end - first))) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t i = first; i < end; i++) {
        struct fg_trace_sample *sample = &c->samples[c->sample_count++];
        sample->time_ns = data->times.items[i];
        memcpy(&sample->value, &data->values.items[i], sizeof sample->value);
    }
    answer->count = (uint32_t)(end - first);
    return FG_OK;
}

static enum fg_result put_bins(struct counting *c, const struct fgi_counter_data *data,
                               bool is_double, struct fg_counter_answer *answer)
{
    int64_t first_bin = c->request->start_ns >> c->level;
    int64_t last_bin = (c->request->end_ns - 1) >> c->level;
    size_t i = first_at(data, (int64_t)((uint64_t)first_bin << c->level));
    answer->has_bins = true;
    answer->first = (uint32_t)c->bin_count;
    for (; i < data->times.count && data->times.items[i] >> c->level <= last_bin; i++) {
        int64_t bin = data->times.items[i] >> c->level;
        union fg_counter_value value = value_of(data, i);
        if (answer->count == 0 || c->bins[c->bin_count - 1].bin != bin) {
            if (items_so_far(c) >= c->request->max_items) {
                answer->answered = false;
                c->bin_count = answer->first;
                answer->count = 0;
                return FG_OK;
            }
            if (!FGI_ANSWER_GROW(c->question->arena, c->bins, c->bin_capacity, c->bin_count + 1)) {
                return FG_ERR_NO_MEMORY;
            }
            c->bins[c->bin_count++] =
                (struct fg_counter_bin){ .bin = bin, .low = value, .high = value };
            answer->count++;
        }
        struct fg_counter_bin *to = &c->bins[c->bin_count - 1];
        widen(is_double, value, &to->low, &to->high);
        to->last = value;
        to->count++;
    }
    return FG_OK;
}

static enum fg_result answer_counter(struct counting *c, uint32_t counter,
                                     struct fg_counter_answer *answer)
{
    const struct fgi_counter_data *data = &c->trace->counter_data.items[counter];
    bool is_double = c->trace->counters.items[counter].is_double;
    answer->answered = true;
    answer->has_range = data->times.count > 0;
    memcpy(&answer->low, &data->low, sizeof answer->low);
    memcpy(&answer->high, &data->high, sizeof answer->high);
    size_t first = first_at(data, c->request->start_ns);
    size_t end = first_at(data, c->request->end_ns);
    if (end - first > c->request->width_px) {
        return put_bins(c, data, is_double, answer);
    }
    return put_samples(c, data, first - (first > 0), end, answer);
}

enum fg_result fgi_cpu_counters(struct fg_engine *engine, const struct fgi_question *question,
                                const struct fg_counters_request *request,
                                struct fg_counters_reply *out_reply)
{
    struct counting c = {
        .question = question,
        .request = request,
        .trace = engine->trace,
        .level = fgi_view_level(request->start_ns, request->end_ns, request->width_px),
    };
    struct fg_counter_answer *answers = NULL;
    *out_reply = (struct fg_counters_reply){ .level = c.level };
    if (request->counter_count == 0) {
        return FG_OK;
    }
    answers = fgi_arena_alloc(question->arena, request->counter_count, sizeof *answers);
    if (!answers) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < request->counter_count; i++) {
        if (fgi_question_cancelled(question)) {
            return FG_ERR_CANCELLED;
        }
        enum fg_result result = answer_counter(&c, request->counters[i], &answers[i]);
        if (result != FG_OK) {
            return result;
        }
        out_reply->unanswered += !answers[i].answered;
    }
    out_reply->answers = answers;
    out_reply->samples = c.samples;
    out_reply->bins = c.bins;
    out_reply->sample_count = (uint32_t)c.sample_count;
    out_reply->bin_count = (uint32_t)c.bin_count;
    return FG_OK;
}
