/* SPDX-License-Identifier: MIT */
/*
 * Metrics: a table that only grows, and whose entries do not change once they are published by the
 * count. What is counted lies elsewhere: each thread adds to slots of its own, and whoever asks
 * adds those up; a gauge is one atomic here.
 *
 * `metrics` guards registration and what changed between two looks. Updates and sums never take it.
 */
#include "base/hash.h"
#include "base/strings.h"
#include "record/instrument/stats_priv.h"

#include <string.h>

struct metric {
    const char *name;
    size_t name_size;
    uint64_t hash;
    enum fg_metric_kind kind;
    uint32_t unit;
    enum fg_accuracy accuracy;
    bool is_touched; /* atomic: somebody set it or added to it */
    int64_t shared;  /* atomic: a gauge's value; what threads without a context added */

    uint64_t frame_begin; /* sum at the last frame's end; belongs to whoever ends a frame */
    int64_t frame_value;  /* atomic: in the last complete frame */
    bool has_frame;       /* atomic: there was one since it was touched */

    int64_t seen; /* value at the last look; with `change` under `metrics` */
    uint64_t change;
};
static struct metric metrics[FG_METRICS_MAX];
/* Stored with release once an entry is written; loads with acquire pair with it. */
static uint32_t metric_count;

static uint32_t count_now(void)
{
    return __atomic_load_n(&metric_count, __ATOMIC_ACQUIRE);
}

/* ---- registration ---------------------------------------------------------------------------- */

/* The name as it is stored; 0 = it cannot be. */
static size_t clean_name(const char *name, char out[FG_METRIC_NAME_MAX])
{
    const size_t size = name == NULL ? 0 : strnlen(name, FG_METRIC_NAME_MAX + 1);
    if (size > FG_METRIC_NAME_MAX) {
        return 0;
    }
    const size_t needed = fgi_utf8_repair(name, size, out, FG_METRIC_NAME_MAX);
    return needed <= FG_METRIC_NAME_MAX ? needed : 0;
}

static bool is_known(const struct fg_metric_desc *desc)
{
    return (unsigned)desc->kind <= FG_METRIC_FRAME_COUNTER &&
           (unsigned)desc->unit <= FG_UNIT_BASIS_POINTS &&
           (unsigned)desc->accuracy <= FG_ACCURACY_UNAVAILABLE;
}

/* Id of a new entry; 0 = no room. Under `metrics`. */
static uint32_t add(const struct fg_metric_desc *desc, const char *name, size_t size, uint64_t hash)
{
    char *copy =
        metric_count == FG_METRICS_MAX ? NULL : fgi_malloc(fgi_instrument_allocator(), size + 1);
    if (copy == NULL) {
        return 0;
    }
    memcpy(copy, name, size);
    copy[size] = '\0';
    metrics[metric_count] = (struct metric){ .name = copy,
                                             .name_size = size,
                                             .hash = hash,
                                             .kind = desc->kind,
                                             .unit = desc->unit,
                                             .accuracy = desc->accuracy };
    __atomic_store_n(&metric_count, metric_count + 1, __ATOMIC_RELEASE);
    return metric_count;
}

/* Id of the entry of this name; 0 = it is something else, or there is no room. Under `metrics`. */
static uint32_t find_or_add(const struct fg_metric_desc *desc, const char *name, size_t size)
{
    const uint64_t hash = fgi_hash64(0, name, size);
    for (uint32_t i = 0; i < metric_count; i++) {
        const struct metric *metric = &metrics[i];
        if (metric->hash == hash && metric->name_size == size &&
            memcmp(metric->name, name, size) == 0) {
            const bool is_same = metric->kind == desc->kind &&
                                 metric->unit == (uint32_t)desc->unit &&
                                 metric->accuracy == desc->accuracy;
            return is_same ? i + 1 : 0;
        }
    }
    return add(desc, name, size, hash);
}

struct fg_metric fg_metric_register(const struct fg_metric_desc *desc)
{
    struct fg_metric metric = { 0 };
    if (!fgi_instrument_ready()) {
        return metric;
    }
    if (desc != NULL && is_known(desc)) {
        char name[FG_METRIC_NAME_MAX];
        const size_t size = clean_name(desc->name, name);
        if (size != 0) {
            fgi_mutex_lock(fgi_metrics_lock);
            metric.id = find_or_add(desc, name, size);
            fgi_mutex_unlock(fgi_metrics_lock);
        }
    }
    if (metric.id == 0) {
        fgi_loss_add(&fgi_losses.refused_metrics, 1);
    }
    return metric;
}

/* ---- updates --------------------------------------------------------------------------------- */

static struct metric *entry_of(struct fg_metric metric, bool is_gauge)
{
    /* Of an inert handle the index is the largest there is. */
    const uint32_t index = metric.id - 1;
    if (index >= count_now() || (metrics[index].kind == FG_METRIC_GAUGE) != is_gauge) {
        return NULL;
    }
    return &metrics[index];
}

/* Stored once only: a line that all threads write would be the price of every update. */
static void touch(struct metric *entry)
{
    if (!__atomic_load_n(&entry->is_touched, __ATOMIC_RELAXED)) {
        __atomic_store_n(&entry->is_touched, true, __ATOMIC_RELAXED);
    }
}

void fg_metric_add(struct fg_metric metric, int64_t amount)
{
    struct metric *entry = entry_of(metric, false);
    if (entry == NULL || fg_instrument_mode() == FG_INSTRUMENT_OFF || !fgi_instrument_ready()) {
        return;
    }
    struct fgi_producer *thread = fgi_thread_own();
    if (thread != NULL) {
        /* Nobody else writes it; the sum is modulo 2^64, as of the atomic below. */
        int64_t *slot = &thread->context.counted[metric.id - 1];
        const uint64_t sum = (uint64_t)__atomic_load_n(slot, __ATOMIC_RELAXED) + (uint64_t)amount;
        __atomic_store_n(slot, (int64_t)sum, __ATOMIC_RELAXED);
    } else {
        (void)__atomic_fetch_add(&entry->shared, amount, __ATOMIC_RELAXED);
    }
    touch(entry);
}

void fg_gauge_set(struct fg_metric metric, int64_t value)
{
    struct metric *entry = entry_of(metric, true);
    if (entry != NULL && fg_instrument_mode() != FG_INSTRUMENT_OFF) {
        __atomic_store_n(&entry->shared, value, __ATOMIC_RELAXED);
        touch(entry);
    }
}

void fg_gauge_add(struct fg_metric metric, int64_t amount)
{
    struct metric *entry = entry_of(metric, true);
    if (entry != NULL) {
        (void)__atomic_fetch_add(&entry->shared, amount, __ATOMIC_RELAXED);
        touch(entry);
    }
}

/* ---- sums ------------------------------------------------------------------------------------ */

/*
 * What all threads together added to each of the first `count` metrics, those included that are
 * gone. A thread's sums move to the retired ones while it leaves the list, under `threads`: so
 * under the same lock each is counted once.
 */
static void sum_up(uint64_t sums[FG_METRICS_MAX], uint32_t count)
{
    fgi_mutex_lock(fgi_threads_lock);
    for (uint32_t i = 0; i < count; i++) {
        sums[i] = (uint64_t)fgi_threads_retired(i) +
                  (uint64_t)__atomic_load_n(&metrics[i].shared, __ATOMIC_RELAXED);
    }
    for (const struct fgi_producer *thread = fgi_threads_first_unlocked(); thread != NULL;
         thread = thread->next) {
        for (uint32_t i = 0; i < count; i++) {
            sums[i] += (uint64_t)__atomic_load_n(&thread->context.counted[i], __ATOMIC_RELAXED);
        }
    }
    fgi_mutex_unlock(fgi_threads_lock);
}

static uint64_t step_frame(struct metric *metric, uint64_t sum)
{
    const uint64_t counted = sum - metric->frame_begin;
    metric->frame_begin = sum;
    return counted;
}

uint32_t fgi_metrics_end_frame(struct fg_frame_value *values)
{
    uint64_t sums[FG_METRICS_MAX];
    uint64_t left_out = 0;
    const uint32_t count = count_now();
    uint32_t value_count = 0;
    sum_up(sums, count);
    for (uint32_t i = 0; i < count; i++) {
        struct metric *metric = &metrics[i];
        if (metric->kind != FG_METRIC_FRAME_COUNTER) {
            continue;
        }
        const int64_t value = (int64_t)step_frame(metric, sums[i]);
        /* Updates that are inlined do not touch; but their first one did, or the sum tells. */
        if (value != 0) {
            touch(metric);
        } else if (!__atomic_load_n(&metric->is_touched, __ATOMIC_RELAXED)) {
            continue;
        }
        __atomic_store_n(&metric->frame_value, value, __ATOMIC_RELAXED);
        /* Pairs with the acquire in look(): the value is there. */
        __atomic_store_n(&metric->has_frame, true, __ATOMIC_RELEASE);
        if (value_count < FG_HISTORY_FRAME_COUNTERS) {
            values[value_count++] = (struct fg_frame_value){ .metric = i + 1, .value = value };
        } else {
            left_out++;
        }
    }
    if (left_out != 0) {
        fgi_loss_add(&fgi_losses.frame_counters_left_out, left_out);
    }
    return value_count;
}

void fgi_metrics_give_up_frame(void)
{
    uint64_t sums[FG_METRICS_MAX];
    const uint32_t count = count_now();
    sum_up(sums, count);
    for (uint32_t i = 0; i < count; i++) {
        if (metrics[i].kind == FG_METRIC_FRAME_COUNTER) {
            (void)step_frame(&metrics[i], sums[i]);
        }
    }
}

/* ---- views ----------------------------------------------------------------------------------- */

static struct fg_metric_row look(uint32_t index, uint64_t sum)
{
    struct metric *metric = &metrics[index];
    struct fg_metric_row row = { .id = index + 1,
                                 .name = metric->name,
                                 .kind = metric->kind,
                                 .unit = metric->unit,
                                 .accuracy = metric->accuracy };
    if (metric->kind == FG_METRIC_FRAME_COUNTER) {
        row.is_published = __atomic_load_n(&metric->has_frame, __ATOMIC_ACQUIRE);
        row.value = __atomic_load_n(&metric->frame_value, __ATOMIC_RELAXED);
    } else {
        row.is_published = sum != 0 || __atomic_load_n(&metric->is_touched, __ATOMIC_RELAXED);
        row.value = (int64_t)sum;
    }
    return row;
}

/* Number of the row's change: a new one where it differs from the last look. Under `metrics`. */
static uint64_t note_change(const struct fg_metric_row *row)
{
    struct metric *metric = &metrics[row->id - 1];
    if (row->is_published && (metric->change == 0 || metric->seen != row->value)) {
        metric->seen = row->value;
        metric->change++;
    }
    return metric->change;
}

void fgi_metrics_each(void (*visit)(void *context, const struct fgi_metric_view *metric),
                      void *context)
{
    uint64_t sums[FG_METRICS_MAX];
    const uint32_t count = count_now();
    if (!fgi_instrument_ready()) {
        return;
    }
    sum_up(sums, count);
    for (uint32_t i = 0; i < count; i++) {
        struct fgi_metric_view view = { .row = look(i, sums[i]) };
        fgi_mutex_lock(fgi_metrics_lock);
        view.change = note_change(&view.row);
        fgi_mutex_unlock(fgi_metrics_lock);
        visit(context, &view);
    }
}
