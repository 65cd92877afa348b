/* SPDX-License-Identifier: MIT */
/* What the program counts: METRICS. */
#include "view/view_priv.h"
#include <frameglass/trace_state.h>
#include <string.h>

enum {
    TAG_WINDOW = 0x1901,
    TAG_FIRST = 0x1902,
    TAG_LIMIT = 0x1903,
    TAG_ALL = 0x1940,
    TAG_NAME = 0x1941,
    TAG_UNIT = 0x1942,
    TAG_DESCRIPTION = 0x1943,
    TAG_KIND = 0x1944,
    TAG_ACCURACY = 0x1945,
    TAG_COUNTER = 0x1946,
    TAG_TYPE = 0x1947,
    TAG_LAST = 0x1948,
    TAG_LAST_TIME = 0x1949,
    TAG_SAMPLES = 0x194A,
    TAG_LOW = 0x194B,
    TAG_HIGH = 0x194C,
};

enum { TYPE_NOTHING = 0, TYPE_I64 = 1, TYPE_F64 = 3 };

static uint64_t bits_of(union fg_counter_value value)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void put_facts(struct fgi_ask *ask, uint32_t first, uint32_t count)
{
    uint32_t *name = fgi_u32s(ask, TAG_NAME, count);
    uint32_t *unit = fgi_u32s(ask, TAG_UNIT, count);
    uint32_t *description = fgi_u32s(ask, TAG_DESCRIPTION, count);
    uint8_t *kind = fgi_u8s(ask, TAG_KIND, count);
    uint8_t *accuracy = fgi_u8s(ask, TAG_ACCURACY, count);
    uint32_t *counter = fgi_u32s(ask, TAG_COUNTER, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_metric *metric = fg_trace_metric(ask->trace, first + i);
        name[i] = fgi_name(ask, metric->name);
        unit[i] = fgi_name(ask, metric->unit);
        description[i] = fgi_name(ask, metric->description);
        kind[i] = (uint8_t)metric->kind;
        accuracy[i] = (uint8_t)metric->accuracy;
        counter[i] = metric->counter;
    }
}

static enum fg_result put_values(struct fgi_ask *ask, const struct fgi_range *window,
                                 uint32_t first, uint32_t count)
{
    uint8_t *type = fgi_u8s(ask, TAG_TYPE, count);
    uint64_t *last = fgi_u64s(ask, TAG_LAST, count);
    int64_t *last_time = fgi_i64s(ask, TAG_LAST_TIME, count);
    uint64_t *samples = fgi_u64s(ask, TAG_SAMPLES, count);
    uint64_t *low = fgi_u64s(ask, TAG_LOW, count);
    uint64_t *high = fgi_u64s(ask, TAG_HIGH, count);
    for (uint32_t i = 0; ask->reply->result == FG_OK && i < count; i++) {
        const struct fg_trace_metric *metric = fg_trace_metric(ask->trace, first + i);
        const struct fg_trace_counter *counter = fg_trace_counter(ask->trace, metric->counter);
        struct fg_counter_figures figures;
        if (counter == NULL) {
            continue; /* never published: nothing is what it says */
        }
        enum fg_result result = fg_trace_counter_figures(
            ask->trace, metric->counter, window->start_ns, window->end_ns, &figures);
        if (result != FG_OK) {
            return result;
        }
        samples[i] = figures.count;
        low[i] = figures.count > 0 ? bits_of(figures.low) : 0;
        high[i] = figures.count > 0 ? bits_of(figures.high) : 0;
        if (figures.has_last) {
            type[i] = counter->is_double ? TYPE_F64 : TYPE_I64;
            last[i] = bits_of(figures.last);
            last_time[i] = figures.last_ns;
        }
    }
    return ask->reply->result;
}

enum fg_result fgi_answer_METRICS(struct fgi_ask *ask)
{
    struct fgi_range window;
    struct fg_trace_info info;
    enum fg_result result = fgi_ask_range(ask, TAG_WINDOW, &window);
    struct fgi_page page = fgi_ask_page(ask, TAG_FIRST, TAG_LIMIT);
    result = result == FG_OK ? ask->request->result : result;
    if (result != FG_OK) {
        return result;
    }
    fg_trace_get_info(ask->trace, &info);
    uint32_t left = page.first < info.metrics ? info.metrics - page.first : 0;
    uint32_t count = left < page.limit ? left : page.limit;
    fgi_reply_u32(ask->reply, TAG_ALL, info.metrics);
    put_facts(ask, page.first, count);
    if (count < left) {
        ask->reply->flags |= FGI_REPLY_OVERFLOW;
    }
    return put_values(ask, &window, page.first, count);
}
