/* SPDX-License-Identifier: MIT */
/* Pipeline statistics: one query for each number, all begun and ended together. */
#include "gpu/opengl/opengl_priv.h"

static const uint32_t *names_of(const struct fgi_opengl_device *device,
                                const struct fgi_timer *timer, uint32_t slot)
{
    return &timer->statistics[timer->sets[slot] * device->statistic_count];
}

/** A set of queries for a slot. False: there are no more, or the driver has no memory. */
static bool take_set(struct fgi_opengl_device *device, struct fgi_timer *timer, uint32_t slot)
{
    if (timer->statistics == NULL || timer->sets_used == FGI_OPENGL_SETS) {
        return false;
    }
    if (timer->sets_used == timer->sets_made) {
        uint32_t *names = &timer->statistics[timer->sets_made * device->statistic_count];
        if (!fgi_opengl_make_names(device, device->statistic_count, names)) {
            return false;
        }
        timer->sets_made++;
    }
    timer->sets[slot] = (uint8_t)timer->sets_used++;
    return true;
}

/** Each target has one query at a time; the application may be using one. */
static bool is_free(const struct fgi_opengl_device *device)
{
    for (uint32_t i = 0; i < device->statistic_count; i++) {
        int theirs = 0;
        device->gl.GetQueryiv(device->statistic_targets[i], FGI_GL_CURRENT_QUERY, &theirs);
        if (theirs != 0) {
            return false;
        }
    }
    return true;
}

void fgi_opengl_statistics_stop(struct fgi_opengl_device *device, const struct fgi_timer *timer)
{
    if (device->counting_now == NULL || (timer != NULL && timer != device->counting_now)) {
        return;
    }
    for (uint32_t i = 0; i < device->statistic_count; i++) {
        device->gl.EndQuery(device->statistic_targets[i]);
    }
    device->counting_now = NULL;
}

void fgi_opengl_statistics_begin(struct fgi_opengl_device *device, struct fgi_timer *timer,
                                 uint32_t slot)
{
    fgi_opengl_statistics_stop(device, NULL);
    if (!is_free(device) || !take_set(device, timer, slot)) {
        return;
    }
    for (uint32_t i = 0; i < device->statistic_count; i++) {
        device->gl.BeginQuery(device->statistic_targets[i], names_of(device, timer, slot)[i]);
    }
    device->counting_now = timer;
    timer->states[slot] |= FGI_OPENGL_COUNTING;
}

void fgi_opengl_statistics_end(struct fgi_opengl_device *device, struct fgi_timer *timer,
                               uint32_t slot)
{
    if ((timer->states[slot] & FGI_OPENGL_COUNTING) != 0 && device->counting_now == timer) {
        fgi_opengl_statistics_stop(device, timer);
        timer->states[slot] |= FGI_OPENGL_COUNTED;
    }
}

bool fgi_opengl_statistics_take(struct fgi_opengl_device *device, const struct fgi_timer *timer,
                                uint32_t slot, struct fgi_slot_result *out)
{
    if ((timer->states[slot] & FGI_OPENGL_COUNTED) == 0) {
        return true;
    }
    for (uint32_t i = 0; i < device->statistic_count; i++) {
        if (!fgi_opengl_result(device, names_of(device, timer, slot)[i], &out->statistics[i])) {
            return false;
        }
    }
    out->has_statistics = true;
    return true;
}
