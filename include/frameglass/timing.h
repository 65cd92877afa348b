/* SPDX-License-Identifier: MIT */
/* GPU times without a capture: a table for the next frames, and two helpers to show numbers. */
#ifndef FG_TIMING_H
#define FG_TIMING_H
#include <frameglass/base.h>
#include <frameglass/gpu.h>
FG_BEGIN_DECLS

struct fg_timing_row {
    const char *label;
    enum fg_gpu_pass_kind kind;
    bool valid; /**< false: no time came; the numbers are 0 */
    uint64_t begin_ticks;
    uint64_t end_ticks; /**< as the device gave them, wraps undone, no other change */
    int64_t begin_ns;   /**< since the first begin of the frame */
    int64_t duration_ns;
};
/** Borrowed for the call. Rows in the order of recording, command buffer by command buffer. */
struct fg_timing_table {
    uint64_t frame; /**< counted from 0 since fg_device_arm_frames() */
    const struct fg_timing_row *rows;
    uint32_t row_count;
    uint32_t dropped; /**< passes that got no timer */
    /**
     * How long at least one of the rows ran, as `gpu_busy_ns` of a capture's frame: what a HUD is
     * told with fg_hud_gpu(). Negative: no time came.
     */
    int64_t busy_ns;
};
typedef void fg_timing_callback(void *context, const struct fg_timing_table *table);

/**
 * Time the next `count` frames, with or without sessions. The callback comes once per frame when
 * its results have landed, under the conditions of fg_session_options.notify. 0 disarms.
 *
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_BUSY (already armed), FG_ERR_DEVICE_LOST
 */
FG_API FG_MUST_USE enum fg_result fg_device_arm_frames(struct fg_device *device, uint32_t count,
                                                       fg_timing_callback *callback, void *context);

/**
 * False where the driver is known to take times when it takes commands in, and not when they run
 * (OpenGL of llvmpipe). Captures say so by themselves, in `driver.times`, and nothing in them is
 * judged by these times; a HUD is told with FG_HUD_GPU_NOT_OF_EXECUTION. True for NULL.
 */
FG_API bool fg_device_times_are_of_execution(const struct fg_device *device);

#define FG_RING_SIZE 64
/** Average over the last 64 values. Zero is valid and empty. */
struct fg_ring {
    int64_t values[FG_RING_SIZE];
    uint32_t count;
    uint32_t next;
    int64_t sum;
};
FG_API void fg_ring_add(struct fg_ring *ring, int64_t value);
/** Rounded to nearest; 0 when empty. */
FG_API int64_t fg_ring_average(const struct fg_ring *ring);

#define FG_FORMAT_NS_SIZE 40
/** "871 ns", "12.3 us", "4.56 ms", "1.20 s": three significant digits, exact below 1000 ns. */
FG_API const char *fg_format_ns(int64_t ns, char out[FG_FORMAT_NS_SIZE]);

FG_END_DECLS
#endif
