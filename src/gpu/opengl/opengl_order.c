/* SPDX-License-Identifier: MIT */
/*
 * Stamps that cannot be. The commands of one context run in their order, so no stamp is earlier
 * than what was known when its use of the queries began: the latest stamp that had landed by then,
 * or a reading of the GL clock. Some drivers hand out what a query held before, as if it were new.
 *
 * That only goes wrong where the clock does, so what was known is forgotten when a reading says
 * that the clock was set back, or when nothing agrees with it any longer.
 */
#include "gpu/opengl/opengl_priv.h"

#include <string.h>

enum {
    /* So much later than the GPU may a reading seem to be. The recorder makes a clock nominal long
     * before; what is stale is a frame old. */
    READING_SLACK_NS = 5000000,
    /* So much further than the host's clock may stamps seem to go, beside an eighth. */
    STAMP_SLACK_NS = 1000000,
    /* Uses in a row without a believed stamp, and uses that only a reading speaks against. */
    USES_MAX = 8,
};

static int64_t difference(const struct fgi_opengl_device *device, uint64_t later, uint64_t earlier)
{
    return fgi_ticks_difference(later, earlier, (unsigned)device->timestamp_bits);
}

/** Whether a narrow counter cannot have come around since. */
static bool is_recent(const struct fgi_opengl_device *device, const struct fgi_opengl_floor *floor)
{
    return device->tick_mask == UINT64_MAX ||
           (uint64_t)(device->now_ns() - floor->since_ns) < device->tick_mask / 4;
}

static bool is_known(const struct fgi_opengl_device *device, const struct fgi_opengl_floor *floor)
{
    return floor->is_set && floor->era == device->floor.era && is_recent(device, floor);
}

void fgi_opengl_order_forget(struct fgi_opengl_device *device)
{
    device->floor = (struct fgi_opengl_floor){ .era = device->floor.era + 1 };
    device->behind_in_row = 0;
}

void fgi_opengl_order_reading(struct fgi_opengl_device *device, const struct fgi_clock_pair *pair)
{
    const int64_t slack_ns = pair->deviation_ns + READING_SLACK_NS;
    const uint64_t ticks = (pair->device_ticks - (uint64_t)slack_ns) & device->tick_mask;
    bool known = is_known(device, &device->floor);
    if (known && difference(device, device->floor.ticks, pair->device_ticks) > slack_ns) {
        fgi_opengl_order_forget(device); /* the clock was set back */
        known = false;
    }
    if (device->readings_against < USES_MAX &&
        (!known || difference(device, ticks, device->floor.ticks) > 0)) {
        device->floor.is_set = device->floor.is_reading = true;
        device->floor.ticks = ticks;
        device->floor.since_ns = pair->host_ns - slack_ns;
    }
}

/** Nothing of a use agrees: once it is the stamps, often it is what they are held against. */
static void note_behind(struct fgi_opengl_device *device, struct fgi_timer *timer)
{
    if (timer->behind) {
        return;
    }
    timer->behind = true;
    device->readings_against += timer->floor.is_reading && device->readings_against < USES_MAX;
    if (++device->behind_in_row >= USES_MAX) {
        fgi_opengl_order_forget(device);
    }
}

/** What is to be seen from now on. A time that the host has not seen pass says nothing. */
static void raise(struct fgi_opengl_device *device, const struct fgi_timer *timer,
                  const struct fgi_slot_result *slot)
{
    const struct fgi_opengl_floor *floor = &device->floor;
    const bool known = is_known(device, floor);
    const uint64_t from_ticks = known ? floor->ticks : slot->begin_ticks;
    const int64_t host_ns = device->now_ns() - (known ? floor->since_ns : timer->begun_ns);
    const int64_t later_ns = difference(device, slot->end_ticks, from_ticks);
    device->behind_in_row = 0;
    if (difference(device, slot->end_ticks, slot->begin_ticks) < 0 || (known && later_ns <= 0) ||
        later_ns > host_ns + host_ns / 8 + STAMP_SLACK_NS) {
        return;
    }
    device->floor.is_set = true;
    device->floor.is_reading = false;
    device->floor.ticks = slot->end_ticks;
    device->floor.since_ns = timer->begun_ns; /* not later than the stamp */
}

void fgi_opengl_order_begin(const struct fgi_opengl_device *device, struct fgi_timer *timer)
{
    timer->floor = device->floor;
    timer->behind = false;
}

void fgi_opengl_order_judge(struct fgi_opengl_device *device, struct fgi_timer *timer,
                            uint32_t first, uint32_t count, struct fgi_slot_result *slots)
{
    for (uint32_t i = 0; i < count && first + i < timer->used; i++) {
        struct fgi_slot_result *slot = &slots[i];
        if (!slot->has_end || slot->refused) {
            continue;
        }
        if (is_known(device, &timer->floor) &&
            (difference(device, slot->begin_ticks, timer->floor.ticks) < 0 ||
             difference(device, slot->end_ticks, timer->floor.ticks) < 0)) {
            slot->refused = true;
            fgi_opengl_count_impossible(device, timer, first + i);
            note_behind(device, timer);
        } else {
            raise(device, timer, slot);
        }
    }
}
