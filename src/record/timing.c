/* SPDX-License-Identifier: MIT */
/* Tables of GPU times for the next frames, and small helpers to show numbers. */
#include "base/sort.h"
#include "record/record_priv.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define ROWS_MAX (1u << 22)

enum fg_result fg_device_arm_frames(struct fg_device *device, uint32_t count,
                                    fg_timing_callback *callback, void *context)
{
    if (device == NULL || (count != 0 && callback == NULL)) {
        return FG_ERR_ARGUMENT;
    }
    struct fgi_recorder *recorder = device->recorder;
    if (!fgi_recorder_is_ours(recorder)) {
        return FG_ERR_STATE;
    }
    enum fg_result result = FG_OK;
    fgi_mutex_lock(recorder->lock);
    if (recorder->dead || recorder->lost) {
        result = FG_ERR_DEVICE_LOST;
    } else if (count != 0 && (recorder->armed_left != 0 || recorder->armed_pending != 0)) {
        result = FG_ERR_BUSY;
    } else {
        recorder->armed_left = count;
        recorder->armed_next = 0;
        if (count != 0) {
            recorder->armed_callback = callback;
            recorder->armed_context = context;
        }
    }
    fgi_mutex_unlock(recorder->lock);
    return result;
}

bool fg_device_times_are_of_execution(const struct fg_device *device)
{
    return device == NULL || !device->caps.not_of_execution;
}

/** Terminated labels: copied behind each other into one block. */
static size_t label_bytes(const struct fg_frame *frame)
{
    size_t bytes = 0;
    for (size_t i = 0; i < frame->instance_count; i++) {
        size_t size;
        (void)fgi_instance_label(frame, &frame->instances[i], &size);
        bytes += size + 1;
    }
    return bytes;
}

static void fill_rows(struct fgi_recorder *recorder, const struct fg_frame *frame, char *text,
                      struct fg_timing_table *table)
{
    uint64_t epoch = UINT64_MAX;
    for (size_t i = 0; i < frame->instance_count; i++) {
        if (frame->spans[i].status == FG_CAP_SPAN_OK && frame->spans[i].begin_ticks < epoch) {
            epoch = frame->spans[i].begin_ticks;
        }
    }
    for (size_t i = 0; i < frame->instance_count; i++) {
        const struct fgi_instance *instance = &frame->instances[i];
        const struct fgi_span *span = &frame->spans[i];
        struct fg_timing_row *row = &recorder->armed_rows[i];
        size_t size;
        const char *label = fgi_instance_label(frame, instance, &size);
        memcpy(text, label, size);
        text[size] = 0;
        *row = (struct fg_timing_row){
            .label = text, .kind = (enum fg_gpu_pass_kind)fgi_instance_kind(frame, instance)
        };
        text += size + 1;
        table->dropped += span->status == FG_CAP_SPAN_NO_SLOT ? 1 : 0;
        if (span->status == FG_CAP_SPAN_OK) {
            row->valid = true;
            row->begin_ticks = span->begin_ticks;
            row->end_ticks = span->end_ticks;
            row->begin_ns =
                fgi_ticks_to_ns((int64_t)(span->begin_ticks - epoch), recorder->clocks.period);
            row->duration_ns = fgi_ticks_to_ns((int64_t)(span->end_ticks - span->begin_ticks),
                                               recorder->clocks.period);
        }
    }
}

static bool begins_before(void *context, uint32_t a, uint32_t b)
{
    const struct fg_timing_row *rows = context;
    return rows[a].begin_ns < rows[b].begin_ns;
}

/** Passes lie in each other and, of several queues, beside each other: each time counts once. */
static int64_t busy_ns(const struct fgi_recorder *recorder, uint32_t row_count)
{
    struct fg_timing_row *rows = recorder->armed_rows;
    const size_t bytes = (row_count + (size_t)1) * sizeof(uint32_t);
    uint32_t *order = fgi_malloc(recorder->allocator, bytes);
    uint32_t count = 0;
    for (uint32_t i = 0; order != NULL && i < row_count; i++) {
        if (rows[i].valid && rows[i].duration_ns >= 0) {
            order[count++] = i;
        }
    }
    int64_t busy = -1;
    if (count > 0 &&
        fgi_sort_u32(recorder->allocator, order, count, begins_before, rows) == FG_OK) {
        int64_t until_ns = rows[order[0]].begin_ns;
        busy = 0;
        for (uint32_t i = 0; i < count; i++) {
            const struct fg_timing_row *row = &rows[order[i]];
            const int64_t from_ns = row->begin_ns > until_ns ? row->begin_ns : until_ns;
            const int64_t end_ns = row->begin_ns + row->duration_ns;
            busy += end_ns > from_ns ? end_ns - from_ns : 0;
            until_ns = end_ns > until_ns ? end_ns : until_ns;
        }
    }
    fgi_free(recorder->allocator, order, bytes);
    return busy;
}

void fgi_timing_report(struct fgi_recorder *recorder, const struct fg_frame *frame)
{
    if (!frame->armed) {
        return;
    }
    recorder->armed_pending--;
    struct fg_timing_table table = { .frame = frame->armed_number, .busy_ns = -1 };
    size_t bytes = label_bytes(frame) + 1;
    char *text = fgi_malloc(recorder->allocator, bytes);
    if (text != NULL &&
        FGI_GROW(recorder->allocator, recorder->armed_rows, recorder->armed_row_capacity,
                 frame->instance_count, ROWS_MAX) == FG_OK) {
        fill_rows(recorder, frame, text, &table);
        table.rows = recorder->armed_rows;
        table.row_count = (uint32_t)frame->instance_count;
        table.busy_ns = busy_ns(recorder, table.row_count);
    } else {
        table.dropped = (uint32_t)frame->instance_count;
    }
    recorder->armed_callback(recorder->armed_context, &table);
    fgi_free(recorder->allocator, text, bytes);
}

void fg_ring_add(struct fg_ring *ring, int64_t value)
{
    if (ring->count == FG_RING_SIZE) {
        ring->sum -= ring->values[ring->next];
    } else {
        ring->count++;
    }
    ring->values[ring->next] = value;
    ring->sum += value;
    ring->next = (ring->next + 1) % FG_RING_SIZE;
}

int64_t fg_ring_average(const struct fg_ring *ring)
{
    if (ring->count == 0) {
        return 0;
    }
    int64_t half = ring->count / 2;
    return (ring->sum + (ring->sum >= 0 ? half : -half)) / (int64_t)ring->count;
}

/** Three significant digits of value / scale, 100 <= digits <= 1000, and where the point goes. */
static uint64_t three_digits(uint64_t value, uint64_t scale, unsigned *out_decimals)
{
    unsigned decimals = 2;
    for (uint64_t power = 100;; power /= 10, decimals--) {
        uint64_t digits = (value / scale) * power + ((value % scale) * power + scale / 2) / scale;
        if (digits < 1000 || decimals == 0) {
            *out_decimals = decimals;
            return digits;
        }
    }
}

const char *fg_format_ns(int64_t ns, char out[FG_FORMAT_NS_SIZE])
{
    static const char *const units[] = { "us", "ms", "s" };
    static const unsigned powers[] = { 1, 10, 100 };
    uint64_t value = ns < 0 ? 0 - (uint64_t)ns : (uint64_t)ns;
    const char *sign = ns < 0 ? "-" : "";
    if (value < 1000) {
        (void)snprintf(out, FG_FORMAT_NS_SIZE, "%s%u ns", sign, (unsigned)value);
        return out;
    }
    uint64_t scale = 1000;
    size_t unit = 0;
    unsigned decimals;
    uint64_t digits = three_digits(value, scale, &decimals);
    while (digits >= 1000 && unit < 2) { /* rounding may carry: 999.6 us is 1.00 ms */
        scale *= 1000;
        unit++;
        digits = three_digits(value, scale, &decimals);
    }
    unsigned power = powers[decimals];
    if (decimals == 0) {
        (void)snprintf(out, FG_FORMAT_NS_SIZE, "%s%" PRIu64 " %s", sign, digits, units[unit]);
    } else {
        (void)snprintf(out, FG_FORMAT_NS_SIZE, "%s%u.%0*u %s", sign, (unsigned)digits / power,
                       (int)decimals, (unsigned)digits % power, units[unit]);
    }
    return out;
}
