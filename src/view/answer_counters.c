/* SPDX-License-Identifier: MIT */
/* Counters of a window: COUNTERS. */
#include "view/view_priv.h"

enum {
    TAG_WINDOW = 0x0801,
    TAG_WIDTH = 0x0802,
    TAG_COUNTERS = 0x0803,
    TAG_OUT_WINDOW = 0x0840,
    TAG_COUNTER = 0x0848,
    TAG_MODE = 0x0849,
    TAG_SAMPLES = 0x084A,
    TAG_BINS = 0x084B,
    TAG_LOW = 0x084C,
    TAG_HIGH = 0x084D,
    TAG_SAMPLE_TIME = 0x0850,
    TAG_SAMPLE_VALUE = 0x0851,
    TAG_BIN_OFFSET = 0x0858,
    TAG_BIN_LOW = 0x0859,
    TAG_BIN_HIGH = 0x085A,
    TAG_BIN_LAST = 0x085B,
};

enum { MODE_SAMPLES = 0, MODE_BINS = 1, MODE_NONE = 255 };

static double value_of(const struct fg_trace_counter *counter, union fg_counter_value value)
{
    return counter->is_double ? value.real : (double)value.integer;
}

static enum fg_result read_counters(struct fgi_ask *ask, struct fg_counters_request *out)
{
    struct fgi_range window;
    enum fg_result result = fgi_ask_window(ask, TAG_WINDOW, &window);
    size_t count = 0;
    if (result != FG_OK) {
        return result;
    }
    *out = (struct fg_counters_request){
        .start_ns = window.start_ns,
        .end_ns = window.end_ns,
        .width_px = fgi_request_u32(ask->request, TAG_WIDTH, 0),
        .counters = fgi_request_u32s(ask->request, TAG_COUNTERS, ask->arena, &count),
    };
    out->counter_count = (uint32_t)count;
    if (out->width_px == 0 || out->width_px > FGI_MAX_WIDTH_PX) {
        return fgi_ask_fail(ask, FG_ERR_ARGUMENT, "the width must be 1 to 16384 pixels");
    }
    if (count > FGI_MAX_LANES) {
        return fgi_ask_fail(ask, FG_ERR_LIMIT, "too many counters: ask in parts");
    }
    for (size_t i = 0; i < count; i++) {
        if (fg_trace_counter(ask->trace, out->counters[i]) == NULL) {
            return fgi_ask_fail(ask, FG_ERR_NOT_FOUND, "there is no counter of this number");
        }
    }
    return ask->request->result;
}

static void put_answers(struct fgi_ask *ask, const struct fg_counters_request *from,
                        const struct fg_counters_reply *answer)
{
    uint32_t count = from->counter_count;
    uint32_t *number = fgi_u32s(ask, TAG_COUNTER, count);
    uint8_t *mode = fgi_u8s(ask, TAG_MODE, count);
    uint32_t *samples = fgi_u32s(ask, TAG_SAMPLES, (size_t)count + 1);
    uint32_t *bins = fgi_u32s(ask, TAG_BINS, (size_t)count + 1);
    double *low = fgi_f64s(ask, TAG_LOW, count);
    double *high = fgi_f64s(ask, TAG_HIGH, count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_counter_answer *one = &answer->answers[i];
        const struct fg_trace_counter *counter = fg_trace_counter(ask->trace, from->counters[i]);
        number[i] = from->counters[i];
        mode[i] = !one->answered ? MODE_NONE : one->has_bins ? MODE_BINS : MODE_SAMPLES;
        samples[i + 1] = samples[i] + (mode[i] == MODE_SAMPLES ? one->count : 0);
        bins[i + 1] = bins[i] + (mode[i] == MODE_BINS ? one->count : 0);
        low[i] = one->has_range ? value_of(counter, one->low) : 0;
        high[i] = one->has_range ? value_of(counter, one->high) : 0;
    }
}

static void put_samples(struct fgi_ask *ask, const struct fg_counters_request *from,
                        const struct fg_counters_reply *answer)
{
    double *time = fgi_f64s(ask, TAG_SAMPLE_TIME, answer->sample_count);
    double *value = fgi_f64s(ask, TAG_SAMPLE_VALUE, answer->sample_count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    uint32_t at = 0;
    for (uint32_t i = 0; i < from->counter_count; i++) {
        const struct fg_counter_answer *one = &answer->answers[i];
        const struct fg_trace_counter *counter = fg_trace_counter(ask->trace, from->counters[i]);
        for (uint32_t k = 0; one->answered && !one->has_bins && k < one->count; k++, at++) {
            const struct fg_trace_sample *sample = &answer->samples[one->first + k];
            fgi_relative(sample->time_ns, from->start_ns, &time[at]);
            value[at] = counter->is_double ? sample->value.real : (double)sample->value.integer;
        }
    }
}

static void put_bins(struct fgi_ask *ask, const struct fg_counters_request *from,
                     const struct fg_counters_reply *answer)
{
    uint32_t *offset = fgi_u32s(ask, TAG_BIN_OFFSET, answer->bin_count);
    double *low = fgi_f64s(ask, TAG_BIN_LOW, answer->bin_count);
    double *high = fgi_f64s(ask, TAG_BIN_HIGH, answer->bin_count);
    double *last = fgi_f64s(ask, TAG_BIN_LAST, answer->bin_count);
    if (ask->reply->result != FG_OK) {
        return;
    }
    int64_t origin = fgi_bin_of(from->start_ns, answer->level);
    uint32_t at = 0;
    for (uint32_t i = 0; i < from->counter_count; i++) {
        const struct fg_counter_answer *one = &answer->answers[i];
        const struct fg_trace_counter *counter = fg_trace_counter(ask->trace, from->counters[i]);
        for (uint32_t k = 0; one->answered && one->has_bins && k < one->count; k++, at++) {
            const struct fg_counter_bin *bin = &answer->bins[one->first + k];
            offset[at] = (uint32_t)((uint64_t)bin->bin - (uint64_t)origin);
            low[at] = value_of(counter, bin->low);
            high[at] = value_of(counter, bin->high);
            last[at] = value_of(counter, bin->last);
        }
    }
}

enum fg_result fgi_answer_COUNTERS(struct fgi_ask *ask)
{
    struct fg_counters_request from;
    struct fg_counters_reply answer;
    enum fg_result result = read_counters(ask, &from);
    if (result == FG_OK) {
        result = fg_query_counters(ask->query, &from, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_put_window(ask, TAG_OUT_WINDOW, from.start_ns, from.end_ns, answer.level);
    put_answers(ask, &from, &answer);
    put_samples(ask, &from, &answer);
    put_bins(ask, &from, &answer);
    if (answer.unanswered != 0) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return FG_OK;
}
