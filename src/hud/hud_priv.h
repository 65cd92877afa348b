/* SPDX-License-Identifier: MIT */
/* What is behind a HUD. Never leaves this folder. */
#ifndef FGI_HUD_PRIV_H
#define FGI_HUD_PRIV_H
#include "base/alloc.h"
#include "base/verdict.h"
#include <frameglass/hud_draw.h>

#define FGI_HUD_BUDGET_NS    INT64_C(16666667)
#define FGI_HUD_GAP_NS       FGI_VERDICT_GAP_NS
#define FGI_HUD_LONGEST_NS   (INT64_C(1) << 52) /* 52 days: sums of a long window cannot overflow */
#define FGI_HUD_EARLY        16                 /* GPU times of frames that were not told yet */
#define FGI_HUD_PASS_DEPTH   32
#define FGI_HUD_PASS_NAME    48
#define FGI_HUD_METRIC_NAME  24
#define FGI_HUD_MEMORY_EVERY 30 /* frames from one look at the process's memory to the next */
#define FGI_HUD_NO_PASS      UINT32_MAX
#define FGI_HUD_REFUSED      (UINT32_MAX - 1)

/** A frame of the window. Times as they were told; negative = not known. */
struct fgi_hud_frame {
    uint64_t number;
    int64_t frame_ns;
    int64_t cpu_ns; /**< the HUD's drawing is taken off already */
    int64_t present_wait_ns;
    int64_t gpu_ns; /**< with the HUD's */
    int64_t own_gpu_ns;
    int64_t own_draw_ns; /**< build and draw, in the application's frame */
    int64_t own_feed_ns;
    enum fg_hud_gpu_state gpu_state;
    enum fgi_verdict verdict;
    bool is_inferred;
    bool is_after_gap;
};

/** The last frame times, in the order they came and sorted. */
struct fgi_hud_long {
    int64_t times[FG_HUD_LONG_FRAMES];
    int64_t sorted[FG_HUD_LONG_FRAMES];
    uint32_t count;
    uint32_t next;
};

struct fgi_hud_pass {
    uint64_t path; /**< hash of the names from the outermost pass on */
    uint32_t parent;
    uint32_t depth;
    char name[FGI_HUD_PASS_NAME];
    int64_t ring[FG_HUD_PASS_FRAMES];
    int64_t sum_ns;  /**< of the ring */
    int64_t now_ns;  /**< of the frame that is being made; negative = did not run in it */
    int64_t last_ns; /**< of the newest frame */
    uint64_t last_run;
    bool is_used;
};

struct fgi_hud_passes {
    struct fgi_hud_pass *rows;
    uint32_t *order; /**< used rows: parents first */
    uint32_t max;
    uint32_t count;
    uint64_t frame; /**< frames that are over */
    struct {
        uint32_t pass;
        int64_t begin_ns;
    } open[FGI_HUD_PASS_DEPTH];
    uint32_t open_count;
    uint32_t refused_depth; /**< begun on top of a full stack */
    uint64_t refused;
    uint64_t unclosed;
};

struct fgi_hud_metric {
    char name[FGI_HUD_METRIC_NAME];
    int64_t value;
    enum fg_unit unit;
};

struct fgi_hud_early {
    uint64_t number;
    int64_t gpu_ns, own_gpu_ns;
    bool has_gpu, has_own;
};

struct fg_hud {
    const struct fg_allocator *allocator;
    uint32_t flags;
    uint32_t metric_max;
    int64_t budget_ns;
    int64_t gap_limit_ns;
    int64_t (*now_ns)(void *context);
    void *clock_context;
    bool is_enabled;

    struct fgi_hud_passes passes;
    struct fgi_hud_metric *metrics;

    /* From here on: what is known since it was enabled. */
    struct fgi_hud_frame frames[FG_HUD_FRAMES]; /**< a ring; the newest is at frame_count - 1 */
    uint64_t frame_count;
    int64_t present_ns; /**< of the newest frame */
    bool is_idle;
    uint64_t gap_count;
    int64_t gap_ns;
    struct fgi_hud_long lasting;
    struct fgi_hud_early early[FGI_HUD_EARLY];
    uint32_t early_count;

    struct fg_hud_frame newest; /**< counts; its pointers are not used */
    char cache_reason[FGI_HUD_METRIC_NAME];
    uint32_t metric_count;
    int64_t process_bytes;
    int64_t gpu_used_bytes;
    int64_t gpu_budget_bytes;

    int64_t own_draw_ns; /**< since the last frame was told, as is own_draws */
    uint32_t own_draws;
    uint32_t own_draws_newest;
    uint64_t refused_frames;
    uint64_t gpu_lost;
    uint64_t refused_metrics;

    /** Of the list, which is built anew each time. */
    struct fg_hud_quad quads[FG_HUD_QUADS_MAX];
};

int64_t fgi_hud_now(const struct fg_hud *hud);
/** From one time to another; 0 where it goes back, and at most FGI_HUD_LONGEST_NS. */
int64_t fgi_hud_span(int64_t begin_ns, int64_t end_ns);
/** Up to now. */
int64_t fgi_hud_since(const struct fg_hud *hud, int64_t begin_ns);
/** Copy at most `capacity` - 1 bytes of whole UTF-8 characters. NULL = "". */
void fgi_hud_copy_name(char *out, size_t capacity, const char *name);

/* ---- hud_window.c ---- */
uint32_t fgi_hud_window_count(const struct fg_hud *hud);
/** The frame `age` frames before the newest. */
const struct fgi_hud_frame *fgi_hud_window_frame(const struct fg_hud *hud, uint32_t age);
/** Its GPU time without the HUD's; negative = not known. */
int64_t fgi_hud_gpu_of(const struct fgi_hud_frame *frame);
enum fg_hud_class fgi_hud_class_of(int64_t frame_ns, int64_t budget_ns);
void fgi_hud_judge(const struct fg_hud *hud, struct fgi_hud_frame *frame);

/* ---- hud_long.c ---- */
void fgi_hud_long_add(struct fgi_hud_long *lasting, int64_t frame_ns);
/** The value that `permille` thousandths do not exceed, by nearest rank; count > 0. */
int64_t fgi_hud_long_rank(const struct fgi_hud_long *lasting, uint32_t permille);
/** Counts in FG_HUD_BINS bins of three budgets. */
void fgi_hud_long_bins(const struct fgi_hud_long *lasting, int64_t budget_ns, uint32_t *bins);

/* ---- hud_passes.c ---- */
void fgi_hud_passes_reset(struct fgi_hud_passes *passes);
/** Take in a frame's list. */
void fgi_hud_passes_add(struct fgi_hud_passes *passes, const struct fg_hud_pass *list,
                        size_t count);
void fgi_hud_passes_end_frame(struct fgi_hud_passes *passes, int64_t now_ns);
int64_t fgi_hud_pass_mean(const struct fgi_hud_passes *passes, uint32_t index);

#endif
