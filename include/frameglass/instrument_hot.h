/* SPDX-License-Identifier: MIT */
/*
 * What the macros of instrument.h expand to: the few loads and stores that a zone, a marker or a
 * counter costs. The structures are here so that they can be inlined; they are no interface, their
 * layout is the same at every level, and only the functions below and the recorder touch them.
 */
#ifndef FG_INSTRUMENT_HOT_H
#define FG_INSTRUMENT_HOT_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

#define FG_ZONE_DEPTH_MAX 64  /* open zones of one thread */
#define FG_METRICS_MAX    512 /* metrics of the process */

/** Kinds of what a thread writes into its ring. Numbers as in docs/FORMAT.md, ZRAW. */
enum fg_ring_kind {
    FG_RING_NONE = 0,
    FG_RING_MARK = 3,           /**< `value` is the marker's */
    FG_RING_ZONE = 6,           /**< a zone that ended: `value` is its begin in ticks */
    FG_RING_ZONE_FORCED = 7,    /**< the same, ended by the end of an outer zone */
    FG_RING_OBJECT_CREATED = 8, /**< `value` is the object's id */
    FG_RING_OBJECT_DESTROYED = 9,
    FG_RING_MALFORMED = 10, /**< an end that fits no open zone; `value` is its begin, if known */
};

/** 32 bytes; the first 24 lie as in a ZRAW record. */
struct fg_ring_event {
    uint64_t ticks; /**< when it was written: the end of a zone */
    uint32_t label; /**< name << 3 | category */
    uint16_t kind;  /**< enum fg_ring_kind */
    uint16_t depth; /**< zones open around it */
    uint64_t value;
    uint32_t serial; /**< number of the zone in its thread, from 1; 0 = not a zone */
    uint32_t parent; /**< serial of the zone around it; 0 = none */
};

struct fg_zone_slot {
    uint64_t begin_ticks;
    uint32_t label;
    uint32_t serial;
};

/** What one thread writes and nobody else. Others read it with relaxed or acquire loads. */
struct fg_thread_context {
    uint32_t state; /**< fg_instrument_state for which all below is valid; differs = slow path */
    uint32_t depth; /**< open zones */
    uint32_t serial;
    uint32_t thread;    /**< number, from 1, never reused */
    uint32_t ring_mask; /**< size - 1; the size is a power of two */
    uint32_t reserved;
    uint64_t head;  /**< events written so far; stored with release */
    uint64_t limit; /**< head at which the ring may be full: then the slow path looks */
    struct fg_ring_event *ring;
    struct fg_zone_slot open[FG_ZONE_DEPTH_MAX];
    int64_t counted[FG_METRICS_MAX]; /**< what this thread added to each counter */
};

/**
 * Mode in bits 0 and 1, generation above. Written when the mode changes, read by everything.
 * A thread's context with another state takes the slow path, which sets it right.
 */
FG_API extern uint32_t fg_instrument_state;

FG_END_DECLS
#endif
