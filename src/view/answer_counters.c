/* SPDX-License-Identifier: MIT */
/* What is drawn beside the boxes: COUNTERS and MARKS. */
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
    TAG_MARKS_WINDOW = 0x0901,
    TAG_MARKS_KINDS = 0x0902,
    TAG_MARKS_FIRST = 0x0903,
    TAG_MARKS_LIMIT = 0x0904,
    TAG_MARKS_ALL = 0x0940,
    TAG_MARK_KIND = 0x0941,
    TAG_MARK_TIME = 0x0942,
    TAG_MARK_TRACK = 0x0943,
    TAG_MARK_NAME = 0x0944,
    TAG_MARK_FRAME = 0x0945,
};

enum { MODE_SAMPLES = 0, MODE_BINS = 1, MODE_NONE = 255 };
enum { MARK_INSTANT = 1, MARK_NOTE = 2 };

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

enum fg_result fgi_answer_MARKS(struct fgi_ask *ask)
{
    struct fgi_range window;
    enum fg_result result = fgi_ask_range(ask, TAG_MARKS_WINDOW, &window);
    struct fgi_page page = fgi_ask_page(ask, TAG_MARKS_FIRST, TAG_MARKS_LIMIT);
    uint32_t kinds = fgi_request_u32(ask->request, TAG_MARKS_KINDS, 0);
    kinds = kinds == 0 ? MARK_INSTANT | MARK_NOTE : kinds;
    const struct fg_marks_request from = {
        .start_ns = window.start_ns,
        .end_ns = window.end_ns,
        .skip_instants = (kinds & MARK_INSTANT) == 0,
        .skip_notes = (kinds & MARK_NOTE) == 0,
        .first = page.first,
        .limit = page.limit,
    };
    struct fg_marks_reply answer;
    result = result == FG_OK ? ask->request->result : result;
    if (result == FG_OK) {
        result = fg_query_marks(ask->query, &from, &answer);
    }
    if (result != FG_OK) {
        return result;
    }
    fgi_reply_u32(ask->reply, TAG_MARKS_ALL, answer.total);
    uint8_t *kind = fgi_u8s(ask, TAG_MARK_KIND, answer.count);
    int64_t *time = fgi_i64s(ask, TAG_MARK_TIME, answer.count);
    uint32_t *track = fgi_u32s(ask, TAG_MARK_TRACK, answer.count);
    uint32_t *name = fgi_u32s(ask, TAG_MARK_NAME, answer.count);
    uint32_t *frame = fgi_u32s(ask, TAG_MARK_FRAME, answer.count);
    if (ask->reply->result != FG_OK) {
        return ask->reply->result;
    }
    for (uint32_t i = 0; i < answer.count; i++) {
        const struct fg_trace_instant *mark = fg_trace_instant(ask->trace, answer.instants[i]);
        kind[i] = mark->is_note ? MARK_NOTE : MARK_INSTANT;
        time[i] = mark->time_ns;
        track[i] = mark->track;
        name[i] = fgi_name(ask, mark->name);
        frame[i] = mark->frame;
    }
    if ((uint64_t)page.first + answer.count < answer.total) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return FG_OK;
}
