/* SPDX-License-Identifier: MIT */
/*
 * How much is drawn, without a line in the drawing code: while a counter is enabled, the
 * application's own dispatch slots hold wrappers that count and forward everything.
 *
 *     static const struct fg_draw_slot slots[] = {
 *         { "glDrawArrays", (void **)&gl.DrawArrays },
 *         { "glDrawElements", (void **)&gl.DrawElements },
 *     };
 *     fg_draw_counter_create(NULL, slots, 2, &counter);
 *     fg_draw_counter_enable(counter);                while somebody looks
 *     each frame: fg_draw_counter_take(counter, &counts);
 *     fg_draw_counter_disable(counter);               the slots hold what they held
 *
 * Known are the draw, dispatch and trace entry points of OpenGL 3.3 to 4.6, OpenGL ES 3 and Vulkan
 * command buffers, with their older names (ARB, EXT, OES, NV, KHR, AMD): see
 * fg_draw_counter_knows(). Immediate mode and display lists are not counted.
 *
 * Counted is what is called, and so for Vulkan what is recorded: once per recording, however often
 * it is submitted.
 *
 * Several counters: up to FG_DRAW_COUNTERS_MAX are enabled at once, each with its own slots and
 * counts (one per dispatch table: tables of two devices forward to different functions). Two may
 * share a slot: the later one forwards to the earlier, both count, and they are disabled in the
 * opposite order.
 */
#ifndef FG_DRAW_COUNTER_H
#define FG_DRAW_COUNTER_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_draw_counter;

#define FG_DRAW_COUNTERS_MAX 4

/** A place in the application's dispatch table. */
struct fg_draw_slot {
    const char *name; /**< "glDrawArrays", "vkCmdDraw": names that are not known are skipped */
    void **function;  /**< the pointer that the application calls through; NULL in it: skipped */
};

/** Everything since the last take. Arguments are counted as told: nothing is read from the GPU. */
struct fg_draw_counts {
    uint64_t calls;     /**< of draw entry points */
    uint64_t draws;     /**< a multi-draw counts as many as it is told; of each call below, one */
    uint64_t vertices;  /**< of draws without indices, times their instances */
    uint64_t indices;   /**< of draws with indices, times their instances */
    uint64_t instances; /**< of both */
    /** Of the draws: sizes are on the GPU (indirect, transform feedback, mesh tasks), in no sum. */
    uint64_t unsized_draws;
    /** Of the calls: how many draws they make is on the GPU. In `draws` one each. */
    uint64_t uncounted_calls;
    uint64_t uncounted_draws_max; /**< the most that they may make */
    uint64_t dispatches;
    uint64_t workgroups; /**< of dispatches that are not indirect */
    uint64_t traces;     /**< ray tracing calls */
};

/** Whether the entry point can be counted. Threads: any. */
FG_API bool fg_draw_counter_knows(const char *name);

/**
 * Nothing is changed yet.
 *
 * @param slots       copied; what they point to outlives the counter
 * @param out_counter owned; untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT (also: one name twice); FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_draw_counter_create(const struct fg_allocator *allocator,
                                                         const struct fg_draw_slot *slots,
                                                         size_t count,
                                                         struct fg_draw_counter **out_counter);
/** Disables. NULL is legal. Between frames, as fg_draw_counter_disable(). */
FG_API void fg_draw_counter_destroy(struct fg_draw_counter *counter);

/**
 * Put the wrappers in, and start from zero. Nothing happens when it is enabled.
 *
 * Where a slot was left by fg_draw_counter_disable() and holds somebody else's function, that is
 * what is wrapped now; the place of the wrapper that was left stays taken.
 *
 * @return FG_OK; FG_ERR_ARGUMENT (counter is NULL); FG_ERR_LIMIT (FG_DRAW_COUNTERS_MAX places are
 *         taken: enabled, or left)
 *
 * Threads: none may draw through the slots meanwhile: between frames.
 */
FG_API FG_MUST_USE enum fg_result fg_draw_counter_enable(struct fg_draw_counter *counter);
/**
 * Stop counting, and put back what the slots held. A slot that somebody has patched since, or a
 * later counter, stays as it is: the wrapper behind it only forwards, until this is called again or
 * for ever. NULL is legal, and so is a counter that is not enabled.
 *
 * @return FG_OK; FG_ERR_BUSY (a slot was changed by somebody else, and was left)
 */
FG_API enum fg_result fg_draw_counter_disable(struct fg_draw_counter *counter);

/**
 * The counts since the last take, which start again from zero: every call is in exactly one take.
 *
 * @param out_counts all zero when counter is NULL. NULL is legal: nothing is taken
 *
 * Threads: any, one at a time; also while others draw, of which there may be any number.
 */
FG_API void fg_draw_counter_take(struct fg_draw_counter *counter,
                                 struct fg_draw_counts *out_counts);

/**
 * Draws since the counter was enabled, taken or not: the difference of two readings is what was
 * drawn in between, by whatever thread. 0 when counter is NULL or not enabled. Threads: as take.
 */
FG_API uint64_t fg_draw_counter_total(const struct fg_draw_counter *counter);

/** The calling thread's draws are not counted from here to the resume: a profiler's own. Nests. */
FG_API void fg_draw_counter_pause(struct fg_draw_counter *counter);
FG_API void fg_draw_counter_resume(struct fg_draw_counter *counter);

FG_END_DECLS
#endif
