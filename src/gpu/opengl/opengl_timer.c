/* SPDX-License-Identifier: MIT */
/* Query objects: issued in the stream of commands, and read without ever waiting. */
#include "base/alloc.h"
#include "gpu/opengl/opengl_priv.h"

#include <string.h>

/* A driver without memory for queries is not asked for them in every frame. */
#define RETRY_NS 1000000000

static uint32_t count_names(uint32_t count, const uint32_t *names)
{
    uint32_t made = 0;
    for (uint32_t i = 0; names != NULL && i < count; i++) {
        made += names[i] != 0;
    }
    return made;
}

static void delete_names(struct fgi_opengl_device *device, uint32_t count, uint32_t *names)
{
    uint32_t made = count_names(count, names);
    if (made != 0 && fgi_opengl_is_here(device)) {
        device->gl.DeleteQueries((int)count, names); /* zeros in it are ignored */
        memset(names, 0, count * sizeof *names);
        fgi_opengl_count(&device->queries_alive, 0 - made);
    }
}

bool fgi_opengl_make_names(struct fgi_opengl_device *device, uint32_t count, uint32_t *names)
{
    if (device->now_ns() < device->names_next_ns) {
        return false;
    }
    /* No error is asked for: it could be the application's. A name that was made is not 0. */
    device->gl.GenQueries((int)count, names);
    uint32_t made = count_names(count, names);
    fgi_opengl_count(&device->queries_made, made);
    fgi_opengl_count(&device->queries_alive, made);
    if (made != count) {
        delete_names(device, count, names);
        device->names_next_ns = device->now_ns() + RETRY_NS;
    }
    return made == count;
}

static bool make_arrays(struct fgi_opengl_device *device, struct fgi_timer *timer, bool statistics)
{
    const struct fg_allocator *allocator = device->base.allocator;
    timer->names = fgi_calloc(allocator, timer->name_count, sizeof *timer->names);
    timer->states = fgi_calloc(allocator, timer->slots, sizeof *timer->states);
    if (statistics) {
        timer->statistics = fgi_calloc(allocator, FGI_OPENGL_SETS * device->statistic_count,
                                       sizeof *timer->statistics);
        timer->sets = fgi_calloc(allocator, timer->slots, sizeof *timer->sets);
        if (timer->statistics == NULL || timer->sets == NULL) {
            return false;
        }
    }
    if (device->timing == FG_OPENGL_TIMING_ELAPSED) {
        timer->segments = fgi_calloc(allocator, timer->name_count, sizeof *timer->segments);
        timer->extents = fgi_calloc(allocator, timer->slots, sizeof *timer->extents);
        if (timer->segments == NULL || timer->extents == NULL) {
            return false;
        }
    }
    return timer->names != NULL && timer->states != NULL;
}

enum fg_result fgi_opengl_timer_create(struct fg_device *base, uint32_t queue, uint32_t slots,
                                       bool statistics, uint32_t indirect_slots,
                                       struct fgi_timer **out_timer)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)queue;
    (void)indirect_slots;
    if (device->timing == FG_OPENGL_TIMING_NONE || !fgi_opengl_is_here(device)) {
        return FG_ERR_UNSUPPORTED;
    }
    if (device->lost) {
        return FG_ERR_DEVICE_LOST;
    }
    struct fgi_timer *timer = fgi_calloc(base->allocator, 1, sizeof *timer);
    if (timer == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    statistics = statistics && device->statistic_count != 0;
    timer->slots = slots;
    timer->name_count = 2 * slots;
    if (!make_arrays(device, timer, statistics) ||
        !fgi_opengl_make_names(device, timer->name_count, timer->names)) {
        fgi_opengl_timer_destroy(base, timer);
        return FG_ERR_NO_MEMORY;
    }
    *out_timer = timer;
    return FG_OK;
}

/** End what a recording without an end has left running: deleted as it is, it would stay. */
static void stop(struct fgi_opengl_device *device, const struct fgi_timer *timer)
{
    fgi_opengl_elapsed_stop(device, timer);
    fgi_opengl_statistics_stop(device, timer);
}

void fgi_opengl_timer_destroy(struct fg_device *base, struct fgi_timer *timer)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    const struct fg_allocator *allocator = base->allocator;
    if (timer == NULL) {
        return;
    }
    if (device->timing_now == timer || device->counting_now == timer) {
        if (fgi_opengl_is_here(device)) {
            stop(device, timer);
        }
        device->timing_now = device->timing_now == timer ? NULL : device->timing_now;
        device->counting_now = device->counting_now == timer ? NULL : device->counting_now;
    }
    delete_names(device, timer->name_count, timer->names);
    delete_names(device, timer->sets_made * device->statistic_count, timer->statistics);
    fgi_free(allocator, timer->names, timer->name_count * sizeof *timer->names);
    fgi_free(allocator, timer->statistics,
             FGI_OPENGL_SETS * device->statistic_count * sizeof *timer->statistics);
    fgi_free(allocator, timer->sets, timer->slots * sizeof *timer->sets);
    fgi_free(allocator, timer->states, timer->slots * sizeof *timer->states);
    fgi_free(allocator, timer->segments, timer->name_count * sizeof *timer->segments);
    fgi_free(allocator, timer->extents, timer->slots * sizeof *timer->extents);
    fgi_free(allocator, timer, sizeof *timer);
}

bool fgi_opengl_timer_begin(struct fg_device *base, struct fgi_timer *timer, void *commands,
                            uint32_t flags)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)commands;
    (void)flags;
    if (device->lost || !fgi_opengl_is_here(device)) {
        return false;
    }
    stop(device, timer);
    memset(timer->states, 0, timer->used);
    timer->used = 0;
    timer->disjoint = device->disjoint;
    timer->doubted = false;
    fgi_opengl_order_begin(device, timer);
    timer->sets_used = 0;
    timer->segment_count = timer->segments_read = 0;
    timer->open = 0;
    timer->begun_ns = device->now_ns();
    return true;
}

void fgi_opengl_slot_begin(struct fg_device *base, struct fgi_timer *timer, void *commands,
                           uint32_t slot, bool statistics)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)commands;
    timer->used = slot >= timer->used ? slot + 1 : timer->used;
    if (!fgi_opengl_is_here(device)) {
        timer->states[slot] = FGI_OPENGL_LEFT_OUT;
        return;
    }
    timer->states[slot] = FGI_OPENGL_BEGUN;
    if (device->timing == FG_OPENGL_TIMING_STAMPS) {
        device->gl.QueryCounter(timer->names[2 * slot], FGI_GL_TIMESTAMP);
    } else {
        fgi_opengl_elapsed_begin(device, timer, slot);
    }
    if (statistics) {
        fgi_opengl_statistics_begin(device, timer, slot);
    }
}

void fgi_opengl_slot_end(struct fg_device *base, struct fgi_timer *timer, void *commands,
                         uint32_t slot, bool statistics)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)commands;
    if ((timer->states[slot] & FGI_OPENGL_BEGUN) == 0) {
        return;
    }
    if (!fgi_opengl_is_here(device)) {
        timer->states[slot] |= FGI_OPENGL_LEFT_OUT;
        return;
    }
    if (statistics) {
        fgi_opengl_statistics_end(device, timer, slot);
    }
    if (device->timing == FG_OPENGL_TIMING_STAMPS) {
        device->gl.QueryCounter(timer->names[2 * slot + 1], FGI_GL_TIMESTAMP);
    } else {
        fgi_opengl_elapsed_end(device, timer, slot);
    }
    timer->states[slot] |= FGI_OPENGL_ENDED;
}

/** A result that is asked for before it is available is waited for, so this asks that first. */
bool fgi_opengl_result(struct fgi_opengl_device *device, uint32_t query, uint64_t *out_value)
{
    unsigned available = 0;
    device->gl.GetQueryObjectuiv(query, FGI_GL_QUERY_RESULT_AVAILABLE, &available);
    if (available == 0) {
        return false;
    }
    device->gl.GetQueryObjectui64v(query, FGI_GL_QUERY_RESULT, out_value);
    return true;
}

void fgi_opengl_count_impossible(struct fgi_opengl_device *device, struct fgi_timer *timer,
                                 uint32_t slot)
{
    if ((timer->states[slot] & FGI_OPENGL_TOLD) == 0) {
        timer->states[slot] |= FGI_OPENGL_TOLD;
        fgi_opengl_count(&device->passes_impossible, 1);
    }
}

/**
 * Some drivers call stamps available that were in flight when the context moved to another thread,
 * with a value of 0. That is no time: it is looked for once more, and refused when it stays.
 */
static void doubt_zeros(struct fgi_opengl_device *device, struct fgi_timer *timer, uint32_t slot,
                        struct fgi_slot_result *out)
{
    const bool is_zero =
        (out->has_begin && out->begin_ticks == 0) || (out->has_end && out->end_ticks == 0);
    if (is_zero && !timer->doubted) {
        timer->doubted = true;
        out->has_begin = out->has_end = false; /* and with it all after it, for this look */
    } else if (is_zero && out->has_end) {
        out->refused = true;
        fgi_opengl_count_impossible(device, timer, slot);
    }
}

static void take_stamps(struct fgi_opengl_device *device, struct fgi_timer *timer, uint32_t slot,
                        struct fgi_slot_result *out)
{
    const uint32_t *names = &timer->names[2 * slot];
    out->has_begin = fgi_opengl_result(device, names[0], &out->begin_ticks);
    out->has_end = out->has_begin && (timer->states[slot] & FGI_OPENGL_ENDED) != 0 &&
                   fgi_opengl_result(device, names[1], &out->end_ticks);
    doubt_zeros(device, timer, slot, out);
    out->begin_ticks &= device->tick_mask;
    out->end_ticks &= device->tick_mask;
}

/** False: neither this slot nor one after it has a result, because queries end in their order. */
static bool read_slot(struct fgi_opengl_device *device, struct fgi_timer *timer, uint32_t slot,
                      struct fgi_slot_result *out)
{
    if ((timer->states[slot] & FGI_OPENGL_LEFT_OUT) != 0) {
        out->refused = true;
        return true;
    }
    if (device->timing == FG_OPENGL_TIMING_STAMPS) {
        take_stamps(device, timer, slot, out);
    } else {
        fgi_opengl_elapsed_take(device, timer, slot, out);
    }
    if (out->has_end && !fgi_opengl_statistics_take(device, timer, slot, out)) {
        out->has_end = out->refused = false; /* all of the slot, or nothing */
    }
    return out->has_begin;
}

/** What ran since the use began may have been disturbed: none of it is believed. */
static void refuse(struct fgi_opengl_device *device, struct fgi_timer *timer, uint32_t first,
                   uint32_t count, struct fgi_slot_result *out)
{
    for (uint32_t i = 0; i < count && first + i < timer->used; i++) {
        uint8_t *state = &timer->states[first + i];
        if ((*state & FGI_OPENGL_BEGUN) == 0) {
            continue;
        }
        out[i] = (struct fgi_slot_result){ .refused = true };
        if ((*state & FGI_OPENGL_TOLD) == 0) {
            *state |= FGI_OPENGL_TOLD;
            fgi_opengl_count(&device->passes_disjoint, 1);
        }
    }
}

/**
 * A lost context calls everything available, and a disturbed clock shows in no result: both are
 * asked for after the results were read, and decide whether they count.
 */
enum fg_result fgi_opengl_timer_read(struct fg_device *base, struct fgi_timer *timer,
                                     struct fgi_landing *landing, uint32_t first, uint32_t count,
                                     struct fgi_slot_result *out)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)landing;
    memset(out, 0, count * sizeof *out);
    if (device->lost) {
        return FG_ERR_DEVICE_LOST;
    }
    if (!fgi_opengl_is_here(device)) {
        return FG_OK;
    }
    if (device->timing == FG_OPENGL_TIMING_ELAPSED) {
        fgi_opengl_elapsed_read(device, timer);
    }
    for (uint32_t i = 0; i < count && first + i < timer->used; i++) {
        if (!read_slot(device, timer, first + i, &out[i])) {
            break;
        }
    }
    if (fgi_opengl_is_lost(device)) {
        memset(out, 0, count * sizeof *out);
        return FG_ERR_DEVICE_LOST;
    }
    fgi_opengl_check_disjoint(device);
    if (timer->disjoint != device->disjoint) {
        refuse(device, timer, first, count, out);
    } else if (device->timing == FG_OPENGL_TIMING_STAMPS) {
        fgi_opengl_order_judge(device, timer, first, count, out);
    }
    return FG_OK;
}
