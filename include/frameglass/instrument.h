/* SPDX-License-Identifier: MIT */
/*
 * Instrumentation: what an application writes everywhere and forgets.
 *
 *     FG_ZONE("Game/Update");                        until the end of the block (GCC, Clang, C++)
 *     FG_ZONE_BEGIN(zone, "decode"); ... FG_ZONE_END(zone);          with every compiler
 *     FG_EVENT("level loaded", level);                a marker with a value
 *     FG_COUNTER_ADD("Audio/VoiceCreations", FG_UNIT_COUNT, 1);
 *     FG_GAUGE_SET("memory/heap", FG_UNIT_BYTES, bytes);
 *     FG_FRAME_COUNTER_ADD("Graphics/DrawCalls", FG_UNIT_COUNT, 1);
 *     FG_FRAME();                                     the block is one frame of the process
 *
 * FG_LEVEL says what they are: 0 (or not defined) nothing at all, their arguments are checked and
 * never evaluated; 1 metrics and frames; 2 zones and events too. One level for a whole program; it
 * needs a library that was built for it (CMake: FRAMEGLASS_LEVEL) and does not link with a lesser
 * one. Names are literals or texts that live for ever; they are read once per place.
 *
 * Threads: any, at any time; a zone ends on the thread that began it. Nothing here aborts or waits
 * for a disk but the end of a frame, which empties the rings into sessions (unless the writer
 * thread does); what finds no room is counted (struct fg_instrument_losses).
 */
#ifndef FG_INSTRUMENT_H
#define FG_INSTRUMENT_H
#include <frameglass/diagnostics.h>
#include <frameglass/instrument_hot.h>
#include <frameglass/session.h>

#ifndef FG_LEVEL
#define FG_LEVEL 0
#endif
#if FG_LEVEL != 0 && FG_LEVEL != 1 && FG_LEVEL != 2
#error "FG_LEVEL is 0 (OFF), 1 (STATS) or 2 (FULL)"
#endif
FG_BEGIN_DECLS

/* ---- metrics --------------------------------------------------------------------------------- */

/** Inert when zero: updates do nothing. May be copied. */
struct fg_metric {
    uint32_t id; /**< from 1 */
};
#define FG_METRIC_NAME_MAX 4096
struct fg_metric_desc {
    const char *name; /**< 1 to FG_METRIC_NAME_MAX bytes, counted after bad UTF-8 is repaired */
    enum fg_metric_kind kind;
    enum fg_unit unit;
    enum fg_accuracy accuracy;
};
/**
 * The metric of this name; made now if there is none, in every mode. Inert, and counted as refused:
 * the name is empty or too long, another kind, unit or accuracy has it, there are FG_METRICS_MAX,
 * or memory ran out. Inert in a library of level OFF.
 */
FG_API struct fg_metric fg_metric_register(const struct fg_metric_desc *desc);
/** Counters and frame counters. Ignored while the mode is OFF. */
FG_API void fg_metric_add(struct fg_metric metric, int64_t amount);
/** Gauges. Ignored while the mode is OFF. */
FG_API void fg_gauge_set(struct fg_metric metric, int64_t value);
/** Gauges that follow what comes and goes: counted in every mode, so that they never drift. */
FG_API void fg_gauge_add(struct fg_metric metric, int64_t amount);

/* ---- zones and markers ----------------------------------------------------------------------- */

/** Number of a name and category; 0 = refused (empty, over 4,096 bytes, limits, no memory). */
FG_API uint32_t fg_label_register(const char *name, enum fg_category category);
/** Inactive: the mode is not FULL, an unknown label, or FG_ZONE_DEPTH_MAX are open (malformed). */
FG_API struct fg_zone fg_zone_begin_label(uint32_t label);
/** The same with a look-up of the name: for bindings, and places that run rarely. */
FG_API struct fg_zone fg_zone_begin(const char *name, enum fg_category category);
/**
 * False, and counted as malformed: the wrong thread, ended before, or not the innermost (then the
 * zones inside are ended by force). True: done, or there was nothing to do.
 */
FG_API bool fg_zone_end(struct fg_zone zone);
FG_API void fg_mark_label(uint32_t label, int64_t value);
FG_API void fg_mark(const char *name, enum fg_category category, int64_t value);

/* ---- frames ---------------------------------------------------------------------------------- */

/** A loop that makes frames of its own. The process has one: NULL, which counters belong to. */
struct fg_loop;
#define FG_LOOPS_MAX 8
/**
 * @param name copied; NULL = none
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_LIMIT (FG_LOOPS_MAX, or the name finds no room),
 *         FG_ERR_STATE (a fork's child, or no memory for the first use), FG_ERR_UNSUPPORTED (a
 *         library of level OFF)
 */
FG_API FG_MUST_USE enum fg_result fg_loop_create(const char *name, struct fg_loop **out_loop);
/** Its open frame is given up. NULL is legal, and nothing. */
FG_API void fg_loop_destroy(struct fg_loop *loop);
/**
 * Begin a frame, on any thread. False: one is open (counted as malformed), or the mode is OFF. An
 * application that is suspended begins none, and so publishes none.
 */
FG_API bool fg_loop_begin(struct fg_loop *loop);
/**
 * End it: sources are collected, frame counters read and reset, rings emptied.
 * False: none is open, or called by a source (counted as malformed); or the mode is OFF, and an
 * open frame is given up.
 */
FG_API bool fg_loop_end(struct fg_loop *loop);
/** Part of the open frame that was no work: pacing, waiting for events. Added up. */
FG_API void fg_loop_waited(struct fg_loop *loop, int64_t duration_ns);

/** A frame that ends with its block. Inactive when zero: ending it does nothing. */
struct fg_loop_scope {
    struct fg_loop *loop;
    uint64_t serial; /**< of the begin; 0 = it was refused */
};
FG_API struct fg_loop_scope fg_loop_scope_begin(struct fg_loop *loop);
/** Ends the frame that it began, and no other; silent where that has ended already. */
FG_API void fg_loop_scope_end(struct fg_loop_scope *scope);

/**
 * Called once at each valid end of a frame of the process, on its thread, with no lock held; false
 * = it failed. It may do everything but begin or end a frame of the process.
 */
typedef bool fg_metric_source(void *context);
#define FG_METRIC_SOURCES_MAX 64
/** @return number of the registration; 0 = refused (NULL, or FG_METRIC_SOURCES_MAX are there) */
FG_API uint32_t fg_metric_source_add(fg_metric_source *source, void *context);
/** Also from within the source itself. From another thread it may still be called once more. */
FG_API void fg_metric_source_remove(uint32_t registration);

FG_END_DECLS
#include <frameglass/instrument_macros.h>
#endif
