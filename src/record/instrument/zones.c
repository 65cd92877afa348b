/* SPDX-License-Identifier: MIT */
/*
 * Zones and markers away from their quick paths (instrument_hot.h): first uses, other compilers,
 * full rings, changes of mode, and everything that a program can do wrong. A wrong end is counted,
 * seen as an event, and harms no other zone than those it is about.
 */
#include "record/instrument/instrument_priv.h"

static uint32_t present_state(void)
{
    return __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
}

/* ---- beginning ------------------------------------------------------------------------------- */

static bool label_is_known(uint32_t label)
{
    return label >> 3 != 0 && label >> 3 < fgi_name_count();
}

struct fg_zone fg_zone_begin_label(uint32_t label)
{
    const struct fg_zone inactive = { 0 };
    if (fgi_state_mode(present_state()) != FG_INSTRUMENT_FULL || !label_is_known(label)) {
        return inactive;
    }
    struct fgi_producer *thread = fgi_thread_own();
    if (thread == NULL) {
        fgi_loss_add(&fgi_losses.producer_drops, 1);
        return inactive;
    }
    struct fg_thread_context *context = &thread->context;
    if (context->depth == FG_ZONE_DEPTH_MAX) {
        fgi_loss_add(&fgi_losses.malformed_zones, 1);
        return inactive;
    }
    return fg_hot_push(context, context->state, label, fgi_ticks_now());
}

struct fg_zone fg_zone_begin(const char *name, enum fg_category category)
{
    const struct fg_zone inactive = { 0 };
    return fgi_state_mode(present_state()) == FG_INSTRUMENT_FULL
               ? fg_zone_begin_label(fg_label_register(name, category))
               : inactive;
}

/* ---- ending ---------------------------------------------------------------------------------- */

/* The zone at `depth` ends now; the stack is the caller's to cut. */
static void write_zone(const struct fg_thread_context *context, uint32_t depth,
                       enum fg_ring_kind kind, uint64_t ticks)
{
    const struct fg_zone_slot *slot = &context->open[depth];
    const struct fg_ring_event event = {
        .ticks = ticks,
        .label = slot->label,
        .kind = (uint16_t)kind,
        .depth = (uint16_t)(depth - 1),
        .value = slot->begin_ticks,
        .serial = slot->serial,
        .parent = context->open[depth - 1].serial,
    };
    fgi_thread_write(&event);
}

/* An end that fits no open zone of this thread. */
static bool end_of_nothing(const struct fgi_producer *thread)
{
    const uint32_t depth = thread->context.depth;
    const struct fg_ring_event event = {
        .ticks = fgi_ticks_now(),
        .kind = FG_RING_MALFORMED,
        .depth = (uint16_t)depth,
        .parent = thread->context.open[depth].serial,
    };
    fgi_loss_add(&fgi_losses.malformed_zones, 1);
    fgi_thread_write(&event);
    return false;
}

void fgi_zones_end_by_force(void)
{
    struct fgi_producer *thread = fgi_thread_own();
    if (thread == NULL || thread->context.depth == 0) {
        return;
    }
    struct fg_thread_context *context = &thread->context;
    const uint64_t ticks = fgi_ticks_now();
    fgi_loss_add(&fgi_losses.malformed_zones, context->depth);
    for (uint32_t depth = context->depth; depth != 0; depth--) {
        write_zone(context, depth, FG_RING_ZONE_FORCED, ticks);
    }
    __atomic_store_n(&context->depth, 0, __ATOMIC_RELEASE);
}

/* Not the innermost: those inside end with it, said to be forced; it is what is malformed. */
static bool end_with_inner(struct fg_thread_context *context, uint32_t depth)
{
    const uint64_t ticks = fgi_ticks_now();
    for (uint32_t inner = context->depth; inner > depth; inner--) {
        write_zone(context, inner, FG_RING_ZONE_FORCED, ticks);
    }
    write_zone(context, depth, FG_RING_MALFORMED, ticks);
    __atomic_store_n(&context->depth, depth - 1, __ATOMIC_RELEASE);
    fgi_loss_add(&fgi_losses.malformed_zones, 1);
    return false;
}

bool fg_zone_end(struct fg_zone zone)
{
    const uint32_t state = present_state();
    if (zone.id == 0 || fgi_state_mode(state) != FG_INSTRUMENT_FULL) {
        return true;
    }
    struct fgi_producer *thread = fgi_thread_own();
    if (zone.state != state) {
        return true; /* given up when the mode changed; its stack was reset just now */
    }
    if (thread == NULL) {
        fgi_loss_add(&fgi_losses.malformed_zones, 1); /* another thread's: this one has none */
        return false;
    }
    struct fg_thread_context *context = &thread->context;
    if (zone.id >> 32 != context->thread || zone.depth >= context->depth ||
        context->open[zone.depth + 1].serial != (uint32_t)zone.id) {
        return end_of_nothing(thread);
    }
    if (zone.depth + 1 != context->depth) {
        return end_with_inner(context, zone.depth + 1);
    }
    write_zone(context, context->depth, FG_RING_ZONE, fgi_ticks_now());
    __atomic_store_n(&context->depth, zone.depth, __ATOMIC_RELEASE);
    return true;
}

/* ---- markers --------------------------------------------------------------------------------- */

void fgi_ring_write(enum fg_ring_kind kind, uint32_t label, uint64_t value)
{
    if (fgi_state_mode(present_state()) != FG_INSTRUMENT_FULL) {
        return;
    }
    const struct fgi_producer *thread = fgi_thread_own();
    const uint32_t depth = thread != NULL ? thread->context.depth : 0;
    const struct fg_ring_event event = {
        .ticks = fgi_ticks_now(),
        .label = label,
        .kind = (uint16_t)kind,
        .depth = (uint16_t)depth,
        .value = value,
        .parent = thread != NULL ? thread->context.open[depth].serial : 0,
    };
    fgi_thread_write(&event);
}

void fg_mark_label(uint32_t label, int64_t value)
{
    if (label_is_known(label)) {
        fgi_ring_write(FG_RING_MARK, label, (uint64_t)value);
    }
}

void fg_mark(const char *name, enum fg_category category, int64_t value)
{
    if (fgi_state_mode(present_state()) == FG_INSTRUMENT_FULL) {
        fg_mark_label(fg_label_register(name, category), value);
    }
}
