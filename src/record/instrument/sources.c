/* SPDX-License-Identifier: MIT */
/*
 * Sources: functions of the application that are asked at each end of a frame, so that it need not
 * publish all the time what is only looked at then. `metrics` guards their list, and is not held
 * while one runs: it may register metrics, take a snapshot, or remove itself.
 */
#include "record/instrument/stats_priv.h"

#include <string.h>

struct source {
    fg_metric_source *call;
    void *context;
    uint32_t registration;
};
static struct source sources[FG_METRIC_SOURCES_MAX]; /* in the order of their registration */
static uint32_t source_count;
static uint32_t last_registration;

/* Where it is in the list; source_count = not there. Under `metrics`. */
static uint32_t find(uint32_t registration)
{
    uint32_t at = 0;
    while (at < source_count && sources[at].registration != registration) {
        at++;
    }
    return at;
}

uint32_t fg_metric_source_add(fg_metric_source *source, void *context)
{
    uint32_t registration = 0;
    if (source == NULL || !fgi_instrument_ready()) {
        return 0;
    }
    fgi_mutex_lock(fgi_metrics_lock);
    /* Numbers are not used twice, so that a late remove never hits somebody else's. */
    if (source_count < FG_METRIC_SOURCES_MAX && last_registration < UINT32_MAX) {
        registration = ++last_registration;
        sources[source_count++] = (struct source){ source, context, registration };
    }
    fgi_mutex_unlock(fgi_metrics_lock);
    return registration;
}

void fg_metric_source_remove(uint32_t registration)
{
    if (registration == 0 || !fgi_instrument_ready()) {
        return;
    }
    fgi_mutex_lock(fgi_metrics_lock);
    const uint32_t at = find(registration);
    if (at < source_count) {
        source_count--;
        memmove(&sources[at], &sources[at + 1], (source_count - at) * sizeof sources[0]);
    }
    fgi_mutex_unlock(fgi_metrics_lock);
}

void fgi_sources_collect(void)
{
    struct source due[FG_METRIC_SOURCES_MAX];
    fgi_mutex_lock(fgi_metrics_lock);
    const uint32_t count = source_count;
    memcpy(due, sources, count * sizeof due[0]);
    fgi_mutex_unlock(fgi_metrics_lock);
    for (uint32_t i = 0; i < count; i++) {
        fgi_mutex_lock(fgi_metrics_lock);
        const bool is_there = find(due[i].registration) < source_count;
        fgi_mutex_unlock(fgi_metrics_lock);
        /* One that was called before may have removed it. */
        if (is_there && !due[i].call(due[i].context)) {
            fgi_loss_add(&fgi_losses.source_failures, 1);
        }
    }
}
