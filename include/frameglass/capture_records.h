/* SPDX-License-Identifier: MIT */
/* Payload structs of a capture: context, tracks, clocks, notes. Layout: docs/FORMAT.md. */
#ifndef FG_CAPTURE_RECORDS_H
#define FG_CAPTURE_RECORDS_H
#include <frameglass/capture_frames.h>

FG_BEGIN_DECLS

/* ---- META ------------------------------------------------------------------------------------ */

struct fg_cap_pair {
    struct fg_cap_text key;
    struct fg_cap_text value;
};
struct fg_cap_limit {
    struct fg_cap_text name;
    uint64_t value;
};

/** META: once, at the start; a text that is withheld is empty. Lists are sorted by key. */
struct fg_cap_meta {
    uint64_t session_hi; /**< 128 random bits that name the recording */
    uint64_t session_lo;
    int64_t start_wall_ns;       /**< since 1970 UTC; 0 = withheld */
    uint32_t level;              /**< enum fg_cap_level */
    uint32_t development;        /**< 0 unknown, 1 production, 2 development */
    struct fg_cap_text producer; /**< what wrote the file: name and version */
    struct fg_cap_text program;
    struct fg_cap_text note;
    struct fg_cap_text engine_version;
    struct fg_cap_text engine_revision;
    struct fg_cap_text build_flags;
    struct fg_cap_text adapter_vendor;
    struct fg_cap_text adapter_architecture;
    struct fg_cap_text adapter_device;
    struct fg_cap_text adapter_description;
    struct fg_cap_text driver;
    struct fg_cap_text driver_version;
    struct fg_cap_text api; /**< "Vulkan 1.3", ... */
    struct fg_cap_text os;
    const struct fg_cap_text *features;
    size_t feature_count;
    const struct fg_cap_limit *limits;
    size_t limit_count;
    const struct fg_cap_pair *settings; /**< the renderer's: resolutions, upscaler, ... */
    size_t setting_count;
};

/* ---- SYMS, CLKS, PROC, TRAK, PIPE ------------------------------------------------------------ */

struct fg_cap_symbol {
    uint32_t id; /**< from 1 */
    struct fg_cap_text text;
};
/** SYMS: written by the writer itself. */
struct fg_cap_symbols {
    const struct fg_cap_symbol *symbols;
    size_t symbol_count;
};

enum fg_cap_clock_kind {
    FG_CAP_CLOCK_MONOTONIC = 0, /**< the host's monotonic clock, the axis of everything */
    FG_CAP_CLOCK_TSC = 1,       /**< the processor's counter */
    FG_CAP_CLOCK_DEVICE = 2,    /**< a GPU's timestamps */
    FG_CAP_CLOCK_FOREIGN = 3,   /**< of a converted trace */
};
enum fg_cap_clock_domain {
    FG_CAP_DOMAIN_HOST = 0,       /**< this is the host's clock */
    FG_CAP_DOMAIN_CALIBRATED = 1, /**< readings relate it to the host's clock */
    FG_CAP_DOMAIN_NOMINAL = 2,    /**< no relation known: anchored per frame at submit */
};
/** Both clocks read at once. */
struct fg_cap_reading {
    uint64_t ticks;        /**< of this clock, unwrapped like all ticks of it */
    uint64_t host_ticks;   /**< of the clock that `host_clock` names */
    uint64_t deviation_ns; /**< how far apart the two readings can be */
};
/** CLKS: a clock and the readings since its last statement. A later statement replaces fields. */
struct fg_cap_clock {
    uint32_t id;
    uint32_t kind;       /**< enum fg_cap_clock_kind */
    uint32_t domain;     /**< enum fg_cap_clock_domain */
    uint32_t host_clock; /**< id of the clock that it is paired with, or FG_CAP_NONE */
    uint32_t name;       /**< symbol */
    uint32_t reason;     /**< symbol: why it is nominal */
    uint64_t period_num; /**< nanoseconds per tick = num / den; num 0 = unknown (readings tell) */
    uint64_t period_den;
    uint32_t valid_bits;    /**< of the raw counter */
    uint64_t first_reading; /**< number of readings[0] among all readings of this clock */
    const struct fg_cap_reading *readings;
    size_t reading_count;
};

/** PROC. A later statement of an id replaces the earlier one. */
struct fg_cap_process {
    uint32_t id;
    uint64_t os_id; /**< FG_CAP_UNKNOWN possible */
    uint32_t name;  /**< symbol */
    int64_t sort;   /**< order of showing, then id */
};

enum fg_cap_track_kind {
    FG_CAP_TRACK_THREAD = 0,
    FG_CAP_TRACK_GPU_QUEUE = 1,
    FG_CAP_TRACK_ASYNC = 2,
    FG_CAP_TRACK_COUNTER = 3,
};
/** TRAK. A later statement of an id replaces the earlier one. */
struct fg_cap_track {
    uint32_t id;
    uint32_t kind;        /**< enum fg_cap_track_kind */
    uint32_t process;     /**< id, or FG_CAP_NONE */
    uint32_t parent;      /**< id of a track, or FG_CAP_NONE */
    uint32_t clock;       /**< clock that it usually runs on, or FG_CAP_NONE */
    uint32_t name;        /**< symbol */
    uint64_t os_id;       /**< thread id; queue: family << 32 | index; FG_CAP_UNKNOWN possible */
    uint32_t queue_flags; /**< queue: bits of VkQueueFlagBits */
    int64_t sort;
};

/** PIPE: what is known of a pipeline; works name it by its label. */
struct fg_cap_pipeline {
    uint32_t label;         /**< symbol */
    uint32_t kind;          /**< enum fg_cap_gpu_pass_kind: RENDER, COMPUTE or RAY_TRACING */
    uint32_t shader_module; /**< symbol */
    uint32_t entry_point;   /**< symbol */
    uint32_t workgroup_x;   /**< all three 0 = unknown */
    uint32_t workgroup_y;
    uint32_t workgroup_z;
    uint64_t vertex_layout_hash; /**< 0 = none */
};

/* ---- NOTE, CNTR, SUMM, LOST ------------------------------------------------------------------ */

/** NOTE: something that a person or the program wanted to say. */
struct fg_cap_note {
    uint64_t frame; /**< FG_CAP_UNKNOWN = of no frame */
    uint32_t clock; /**< FG_CAP_NONE = no time */
    int64_t ticks;
    uint32_t category; /**< symbol */
    struct fg_cap_text text;
};

struct fg_cap_counter_summary {
    uint32_t name; /**< symbol */
    uint32_t unit; /**< symbol */
    uint64_t count;
    double minimum;
    double maximum;
    double last;
};
/** CNTR: at most once, at the end; frames carry the counters themselves. */
struct fg_cap_counters {
    const struct fg_cap_counter_summary *counters;
    size_t counter_count;
};

/** SUMM: losses and cost of the whole recording; written at stop, the last one counts. */
struct fg_cap_summary {
    uint64_t frame_count;
    uint64_t gpu_frame_count; /**< frames whose GPU times all came */
    uint64_t recorder_ns;     /**< sum over frames; FG_CAP_UNKNOWN possible */
    uint64_t recorded_cpu_ns; /**< CPU time of the frames, to compare with */
    uint64_t write_ns;        /**< part of recorder_ns spent in the sink; likewise */
    uint64_t growth_count;    /**< times that memory grew at a frame's end */
    uint64_t memory_peak_bytes;
    const struct fg_cap_drop *drops; /**< over all frames */
    size_t drop_count;
};

struct fg_cap_instance_ref {
    uint64_t frame;
    uint32_t instance;
};
/** LOST: the device is gone. */
struct fg_cap_device_lost {
    uint64_t frame; /**< the newest frame that was submitted; FG_CAP_UNKNOWN possible */
    uint32_t clock; /**< FG_CAP_NONE = no time */
    uint64_t ticks;
    struct fg_cap_text reason;
    const struct fg_cap_instance_ref *open; /**< begun and not ended, as far as known */
    size_t open_count;
};

FG_END_DECLS
#endif
