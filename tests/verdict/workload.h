/* SPDX-License-Identifier: MIT */
/*
 * Frames of which it is known what bounds them, because they were made so: on the software device,
 * recorded and told to a HUD at once.
 */
#ifndef FGT_WORKLOAD_H
#define FGT_WORKLOAD_H
#include <frameglass/hud.h>

enum { WORKLOAD_FRAMES = 41 };

enum workload_times {
    WORKLOAD_UNTIMED, /**< the device has no timestamps */
    WORKLOAD_TIMED,
    WORKLOAD_NOISE, /**< it has some, and it is known that they are not of execution */
};

struct workload {
    const char *name;
    const char *about;
    /** What of each frame there is, in turn; a frame is as long as the CPU works and waits. */
    struct workload_frame {
        int64_t cpu_ns, gpu_ns, present_wait_ns, other_wait_ns;
        enum fg_hud_verdict truth;
    } turns[4];
    uint32_t turn_count;
    enum workload_times times;
    uint64_t pause_after; /**< this frame three seconds pass; 0 = never */
    enum fg_hud_verdict window_truth;
};
/** Verdicts of its frames, as far as they can be told, are inferred. */
static inline bool workload_is_inferred(const struct workload *workload)
{
    return workload->times != WORKLOAD_TIMED;
}
/** NULL past the last one. */
const struct workload *workload_at(size_t index);
const struct workload *workload_find(const char *name);
/** Of frame `number`; unknown where a pause follows. */
enum fg_hud_verdict workload_truth(const struct workload *workload, uint64_t number);

/** What a HUD said. Its first frame has no length, nor has the capture's last one. */
struct workload_seen {
    struct fg_hud_sample samples[WORKLOAD_FRAMES];
    struct fg_hud_statistics statistics;
};
/**
 * One frame more is recorded than the HUD is told of.
 *
 * @param path of the capture
 * @param close false: leave it open, as after a crash
 */
bool workload_run(const struct workload *workload, const char *path, bool close,
                  struct workload_seen *out_seen);

#endif
