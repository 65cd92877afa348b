/* SPDX-License-Identifier: MIT */
/* What bounds a frame: the one published rule, used by HUD, command line and page alike. */
#ifndef FGI_VERDICT_H
#define FGI_VERDICT_H
#include <frameglass/base.h>

enum fgi_verdict {
    FGI_VERDICT_UNKNOWN = 0, /**< a number is missing, or nothing that was measured bounds it */
    FGI_VERDICT_CPU = 1,
    FGI_VERDICT_GPU = 2,
    FGI_VERDICT_PRESENT = 3,
    FGI_VERDICT_BALANCED = 4,
    FGI_VERDICT_MIXED = 5, /**< of windows only: no verdict holds for more than half of it */
};
#define FGI_VERDICTS 6

/** Nanoseconds of one frame; negative = not known. */
struct fgi_verdict_input {
    int64_t frame_ns;        /**< from this frame's begin to the next one's */
    int64_t cpu_work_ns;     /**< CPU time of the frame less its waits */
    int64_t gpu_ns;          /**< busy time of the GPU: union of the frame's GPU spans */
    int64_t present_wait_ns; /**< spent waiting for present; negative = the frame has none */
};

/** How long after a frame its GPU time may still come, in frames. */
#define FGI_VERDICT_LATE_FRAMES 8
/** A frame that is so much longer than what was done for it is a pause, and not judged. */
#define FGI_VERDICT_GAP_NS INT64_C(1000000000)

enum fgi_gpu_time {
    FGI_GPU_TIME_PENDING = 0, /**< it may still come: nothing is said yet */
    FGI_GPU_TIME_WHOLE = 1,
    FGI_GPU_TIME_PART = 2,    /**< that of some passes is missing: it is at least gpu_ns */
    FGI_GPU_TIME_MISSING = 3, /**< it will not come */
};
/** How a capture's settings say that its device's times are not of execution: then they are
 * FGI_GPU_TIME_MISSING, whatever came. */
#define FGI_META_TIMES                  "driver.times"
#define FGI_META_TIMES_NOT_OF_EXECUTION "not of execution"

struct fgi_judgement {
    enum fgi_verdict verdict;
    bool is_inferred; /**< a guess: by fgi_verdict_inferred(). False where nothing is said */
};
/**
 * What is said of a frame, by all who say it. By the rule where the GPU time is whole, or where a
 * part of it is enough to be bound by it; without it by inference.
 */
struct fgi_judgement fgi_verdict_judge(const struct fgi_verdict_input *input,
                                       enum fgi_gpu_time gpu_time);

/**
 * The rule. With tolerance t = 15 % of frame_ns:
 * - unknown when frame_ns, cpu_work_ns or gpu_ns is missing or frame_ns is 0;
 * - present-bound when present_wait_ns > t and both cpu_work_ns and gpu_ns are under frame_ns - t;
 * - unknown when present_wait_ns is no longer than t and cpu_work_ns and gpu_ns together are under
 *   frame_ns - t: not even one after the other could they fill it, and what did was not measured;
 * - balanced when cpu_work_ns and gpu_ns both reach frame_ns - t, or are within t of each other;
 * - otherwise bound by the larger of the two.
 */
enum fgi_verdict fgi_verdict_of_frame(const struct fgi_verdict_input *input);
/**
 * What can be said without gpu_ns, which is ignored: a guess, to be shown as one. Of the frame less
 * its present wait, is more than t left that the CPU did not work? Then it waited for something
 * else, and that is taken for the GPU:
 * - unknown when frame_ns or cpu_work_ns is missing or frame_ns is 0;
 * - gpu-bound when cpu_work_ns is under frame_ns - present_wait_ns - t;
 * - otherwise present-bound when present_wait_ns > t, else cpu-bound. It is never balanced.
 * A present that blocks because the GPU is behind looks like one that waits for the display.
 */
enum fgi_verdict fgi_verdict_inferred(const struct fgi_verdict_input *input);
/**
 * Of many frames: what more than half of those that can be told are bound by; mixed when there is
 * no such verdict, unknown when none can be told.
 *
 * @param counts frames by enum fgi_verdict; the last entry is ignored
 */
enum fgi_verdict fgi_verdict_of_window(const uint32_t counts[FGI_VERDICTS]);
/** "cpu", "gpu", "present", "balanced", "mixed"; NULL for unknown. */
const char *fgi_verdict_name(enum fgi_verdict verdict);

#endif
