/* SPDX-License-Identifier: MIT */
/*
 * A head-up display: what a frame cost, drawn into the frame. This header is its statistics; what
 * is drawn of them is hud_draw.h, by whom hud_vulkan.h and hud_opengl.h. It knows no graphics API.
 *
 *     fg_hud_create(FG_HUD_OPTIONS(.budget_ns = 8333333), &hud);
 *     each frame: ... draw, draw the HUD last, submit, present, and then
 *     fg_hud_frame(hud, &(const struct fg_hud_frame){ .number = n, .cpu_ns = work_ns });
 *     when a result of the GPU lands: fg_hud_gpu(hud, its_frame, ns);
 *
 * So what is shown is of frames that are over. One frame that goes to several windows is one HUD.
 *
 * Definitions. "The window" is the last FG_HUD_FRAMES frames, "the long window" the last
 * FG_HUD_LONG_FRAMES frame times.
 * - Frame time of a frame: from the frame before's present to its own. The first frame has none;
 * nor has a frame after a gap. All means, FPS and lows are over the frames that have one.
 * - Gap: the application said fg_hud_idle() since the last frame, or the time between the presents
 *   less the frame's CPU time is over the gap limit. Gaps are counted and shown, and are in no
 *   other number.
 * - CPU time: what the application did for the frame, from the start of rendering to after the
 *   submit, without its waits; less what the HUD itself took of it.
 * - GPU time of a frame: as told for that frame's number, less the HUD's own where that is told. A
 *   frame without one is `pending`, and `missing` from FG_HUD_GPU_LATE_FRAMES frames later on or
 *   when it was told so; a result that lands still later lands at its frame while that is in the
 *   window. Missing samples are in no mean and are never stood in for by older ones.
 * - FPS: 1e9 / mean frame time of the window, so that long frames count by their length.
 * - 1 % low: 1e9 / p99 of the long window, 0.1 % low: 1e9 / p99.9, both by nearest rank (the value
 *   at position ceil(p * n) of the sorted ones); unknown under 100 and 1000 frame times.
 * - Class of a frame: `within` its budget when its frame time is at most 5 % over it (a display's
 *   period is never met exactly), `over` up to twice that, `far over` above.
 * - Histogram: of the long window, FG_HUD_BINS bins of three budgets together; the last one also
 *   has all that is longer.
 * - Milliseconds of a pass: the mean over the last FG_HUD_PASS_FRAMES frames, in which a frame
 *   that it did not run in counts 0. It leaves when it ran in none of them. Passes are told apart
 *   by their path, so "draw" in "scene" is not "draw" in "overlay".
 * - Verdict of a frame: what bounds it, by the rule that the command line and the page use. Without
 *   a GPU time it is inferred from frame, CPU and present wait, and says so. It is unknown where
 * CPU and GPU together do not fill the frame and no present wait explains it. Of the window: what
 * more than half of the frames that can be told are bound by, or `mixed`.
 *
 * A HUD belongs to one thread at a time. NULL is legal for every `hud` and does nothing. Disabled,
 * no function reads a clock or allocates; memory is allocated by fg_hud_create() alone.
 */
#ifndef FG_HUD_H
#define FG_HUD_H
#include <frameglass/base.h>
#include <frameglass/session.h>
FG_BEGIN_DECLS

struct fg_hud;

#define FG_HUD_FRAMES          120
#define FG_HUD_LONG_FRAMES     1000
#define FG_HUD_GPU_LATE_FRAMES 8
#define FG_HUD_PASS_FRAMES     32
#define FG_HUD_BINS            36

enum fg_hud_flags {
    FG_HUD_DISABLED = 1u << 0, /**< starts disabled */
    /** fg_hud_frame.cpu_ns leaves out what drawing the HUD took: it is not taken off again. */
    FG_HUD_CPU_WITHOUT_HUD = 1u << 1,
    FG_HUD_NO_PROCESS_MEMORY = 1u << 2, /**< the operating system is not asked for it */
    /** GPU times that are told are shown, and no verdict is of them: !
     * fg_device_times_are_of_execution(). */
    FG_HUD_GPU_NOT_OF_EXECUTION = 1u << 3,
};

/** Zero is every field's default. Borrowed for the call. */
struct fg_hud_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the HUD */
    uint32_t flags;                       /**< enum fg_hud_flags */
    int64_t budget_ns;                    /**< of one frame; 0 = 16,666,667 */
    int64_t gap_limit_ns; /**< 0 = one second; negative = only gaps that were said */
    uint32_t pass_max;    /**< passes told apart at once, 1 .. 1024; 0 = 64 */
    uint32_t metric_max;  /**< 1 .. 64; 0 = 16 */
    /** What the time is; NULL = CLOCK_MONOTONIC. Present times are of the same clock. */
    int64_t (*now_ns)(void *context);
    void *clock_context;
};
/** For C. In C++ fill a variable: a literal has no address there. */
#define FG_HUD_OPTIONS(...) (&(const struct fg_hud_options){ __VA_ARGS__ })

/**
 * @param options NULL = all defaults
 * @param out_hud owned: fg_hud_destroy(); untouched on failure
 * @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_hud_create(const struct fg_hud_options *options,
                                                struct fg_hud **out_hud);
FG_API void fg_hud_destroy(struct fg_hud *hud);

/** Begin anew: no frame is known. Nothing happens when it is enabled. */
FG_API void fg_hud_enable(struct fg_hud *hud);
FG_API void fg_hud_disable(struct fg_hud *hud);
/** False for NULL. */
FG_API bool fg_hud_is_enabled(const struct fg_hud *hud);
/** Another budget from now on, for what is in the windows too. 0 = 16,666,667. */
FG_API void fg_hud_set_budget(struct fg_hud *hud, int64_t budget_ns);

/* ---- what the application tells -------------------------------------------------------------- */

/** What a frame knows beside its times. */
enum fg_hud_has {
    FG_HUD_HAS_ITEMS = 1u << 0,    /**< item_count */
    FG_HUD_HAS_CULLED = 1u << 1,   /**< culled_count: of this frame's own culling */
    FG_HUD_HAS_DRAWS = 1u << 2,    /**< draw_count, without the HUD's */
    FG_HUD_HAS_TEXTURES = 1u << 3, /**< texture_count, texture_bytes */
};

enum fg_hud_cache {
    FG_HUD_CACHE_UNKNOWN = 0, /**< there is no row for it */
    FG_HUD_CACHE_HIT = 1,
    FG_HUD_CACHE_RECORDED = 2, /**< missed, and recorded anew */
    FG_HUD_CACHE_VOLATILE = 3, /**< missed, because what is drawn changes each frame */
    FG_HUD_CACHE_NONE = 4,     /**< the frame did without */
};

/** One pass of a frame, in the order of their begins: a pass lies in the last one of less depth. */
struct fg_hud_pass {
    const char *name; /**< copied, up to 47 bytes */
    uint32_t depth;   /**< 0 = outermost; at most one more than the pass before */
    int64_t ns;       /**< negative = it ran, for a time that is not known: left out */
};

/** A frame that was presented. Zero is unknown for every time. Borrowed for the call. */
struct fg_hud_frame {
    uint64_t number;    /**< rises from frame to frame; what GPU times are told for */
    int64_t present_ns; /**< when present returned; 0 = now */
    int64_t cpu_ns;
    int64_t present_wait_ns; /**< waited for the display or paced, in the frame; not in cpu_ns */
    uint32_t has;            /**< enum fg_hud_has */
    uint64_t item_count;     /**< whatever the application draws: nodes, objects, ... */
    uint64_t culled_count;
    uint64_t draw_count;
    uint64_t texture_count;
    uint64_t texture_bytes;
    enum fg_hud_cache cache;
    const char *cache_reason; /**< why it missed; copied, up to 23 bytes; NULL = not said */
    const struct fg_hud_pass *passes;
    size_t pass_count; /**< beside those of fg_hud_pass_begin() */
};
/** A frame whose number does not rise is counted as refused and otherwise ignored. */
FG_API void fg_hud_frame(struct fg_hud *hud, const struct fg_hud_frame *frame);
/** The application waits for something to do: the time up to the next present is a gap. */
FG_API void fg_hud_idle(struct fg_hud *hud);

/**
 * The GPU time of a frame, whenever it is known: before fg_hud_frame() of that number too. Told
 * twice, the last one holds.
 *
 * @param gpu_ns negative = it will never be known (a disjoint timer, no query was free)
 */
FG_API void fg_hud_gpu(struct fg_hud *hud, uint64_t frame_number, int64_t gpu_ns);
/** What of that time was the HUD's own drawing. */
FG_API void fg_hud_own_gpu(struct fg_hud *hud, uint64_t frame_number, int64_t gpu_ns);
/**
 * What somebody else's renderer of the draw list took. Ours say it by themselves.
 *
 * @param cpu_ns in the application's frame
 */
FG_API void fg_hud_own_cost(struct fg_hud *hud, int64_t cpu_ns, uint32_t draw_count);

/**
 * Time a part of the frame that is being made. Passes nest. What is open at fg_hud_frame() ends
 * there, and is counted as unclosed, as is an end without a begin.
 */
FG_API void fg_hud_pass_begin(struct fg_hud *hud, const char *name);
FG_API void fg_hud_pass_end(struct fg_hud *hud);

/**
 * A number with a name, shown until it is told again.
 *
 * @param name  copied, up to 23 bytes; there is room for metric_max of them
 * @param value INT64_MIN = not known
 */
FG_API void fg_hud_metric(struct fg_hud *hud, const char *name, int64_t value, enum fg_unit unit);
/** Memory of the GPU in use by this process, and how much it may use; negative = not known. */
FG_API void fg_hud_gpu_memory(struct fg_hud *hud, int64_t used_bytes, int64_t budget_bytes);

/* ---- what came of it ------------------------------------------------------------------------- */

enum fg_hud_verdict {
    FG_HUD_VERDICT_UNKNOWN = 0,
    FG_HUD_VERDICT_CPU = 1,
    FG_HUD_VERDICT_GPU = 2,
    FG_HUD_VERDICT_PRESENT = 3,
    FG_HUD_VERDICT_BALANCED = 4,
    FG_HUD_VERDICT_MIXED = 5, /**< of windows only */
};
#define FG_HUD_VERDICTS 6

enum fg_hud_class {
    FG_HUD_CLASS_UNKNOWN = 0, /**< no frame time */
    FG_HUD_CLASS_WITHIN = 1,
    FG_HUD_CLASS_OVER = 2,
    FG_HUD_CLASS_FAR_OVER = 3,
};

enum fg_hud_gpu_state {
    FG_HUD_GPU_PENDING = 0,
    FG_HUD_GPU_MEASURED = 1,
    FG_HUD_GPU_MISSING = 2,
};

/** One frame of the window. Negative times are not known. */
struct fg_hud_sample {
    uint64_t number;
    int64_t frame_ns;
    int64_t cpu_ns;
    int64_t gpu_ns;
    int64_t present_wait_ns;
    int64_t own_gpu_ns; /**< taken off gpu_ns */
    int64_t own_cpu_ns; /**< drawing of the HUD in this frame, taken off cpu_ns */
    enum fg_hud_gpu_state gpu_state;
    enum fg_hud_class frame_class;
    enum fg_hud_verdict verdict;
    bool is_inferred;  /**< the verdict */
    bool is_after_gap; /**< so it has no frame time */
};

/** Over the frames of the window that have the number. */
struct fg_hud_range {
    uint32_t count; /**< 0 = nothing is known, and the rest is 0 */
    int64_t min_ns;
    int64_t mean_ns; /**< rounded to nearest */
    int64_t max_ns;
};

struct fg_hud_statistics {
    uint64_t frame_count;  /**< since it was enabled */
    uint32_t window_count; /**< of them in the window */
    uint64_t gap_count;    /**< since it was enabled */
    int64_t gap_ns;
    struct fg_hud_range frame, cpu, gpu, present_wait;
    double fps; /**< 0 = not known, as the lows */
    double low_1_percent_fps;
    double low_01_percent_fps;
    uint32_t long_count; /**< frame times in the long window */
    uint32_t histogram[FG_HUD_BINS];
    int64_t budget_ns;
    uint32_t class_counts[4]; /**< of the window, by enum fg_hud_class */
    uint32_t gpu_pending_count;
    uint32_t gpu_missing_count;
    int64_t gpu_newest_ns; /**< the newest GPU time; negative = none of the last 8 frames has one */
    uint32_t gpu_newest_age; /**< how many frames before the newest it is */
    enum fg_hud_verdict verdict;
    uint32_t verdict_counts[FG_HUD_VERDICTS]; /**< of the window's frames */
    uint32_t inferred_count;                  /**< of the frames that can be told */
    struct fg_hud_range own_cpu;              /**< feeding, building and drawing the HUD */
    struct fg_hud_range own_gpu;
    uint32_t own_draw_count; /**< in the newest frame */
    int64_t process_bytes;   /**< resident; negative = not known, as the next two */
    int64_t gpu_used_bytes;
    int64_t gpu_budget_bytes;
    /* What was told and found no place, since it was enabled. */
    uint64_t refused_frames;
    uint64_t gpu_lost;        /**< times of frames that are not, or no longer, in the window */
    uint64_t unclosed_passes; /**< begins without an end, and ends without a begin */
    uint64_t refused_passes;
    uint64_t refused_metrics;
};
/** FG_OK; FG_ERR_STATE: disabled or NULL, nothing is known and `out_statistics` is all zero. */
FG_API enum fg_result fg_hud_get_statistics(const struct fg_hud *hud,
                                            struct fg_hud_statistics *out_statistics);
/** The window, oldest first: the newest `capacity` frames of it. Returns how many were written. */
FG_API size_t fg_hud_get_samples(const struct fg_hud *hud, struct fg_hud_sample *samples,
                                 size_t capacity);

struct fg_hud_pass_row {
    const char *name; /**< lent until the next call that feeds */
    uint32_t depth;
    int64_t mean_ns;
    int64_t last_ns; /**< in the newest frame, sums of one path added; negative = did not run */
};
/** Passes, parents before what is in them, else in the order they came. Returns how many. */
FG_API size_t fg_hud_get_passes(const struct fg_hud *hud, struct fg_hud_pass_row *rows,
                                size_t capacity);
/** "cpu", "gpu", "present", "balanced", "mixed"; NULL for unknown. */
FG_API const char *fg_hud_verdict_name(enum fg_hud_verdict verdict);

FG_END_DECLS
#endif
