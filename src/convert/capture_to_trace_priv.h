/* SPDX-License-Identifier: MIT */
/* What the files of the capture converter share. */
#ifndef FGI_CAPTURE_TO_TRACE_PRIV_H
#define FGI_CAPTURE_TO_TRACE_PRIV_H
#include "base/hash.h"
#include "capture/cap_ahead.h"
#include "convert/capture_to_trace.h"
#include "convert/capture_to_trace_clock.h"
#include "convert/capture_to_trace_foreign.h"
#include "convert/capture_to_trace_state.h"
#include "trace/build.h"
#include <frameglass/capture.h>

/* ---- what loading arguments stands on, for the life of the trace --------------------------- */

/** Rows of things that have numbers in the capture: [first_b, first_b + count). */
struct fgi_ref_range {
    uint32_t kind; /**< enum fg_cap_ref_kind */
    uint64_t a, first_b;
    uint32_t count;
    size_t offset;      /**< into rows */
    uint32_t first_row; /**< rows follow each other from here on; FG_NONE: they are at `offset` */
};
struct fgi_frame_source {
    uint64_t offset;        /**< of its FRAM record */
    uint32_t frame_row;     /**< row of its CPU span, or FG_NONE */
    uint32_t first_gpu;     /**< into gpu_sources, which are linked; or FG_NONE */
    size_t instance_offset; /**< into ref_rows: the row of each instance, or FG_NONE */
    uint32_t instance_count;
};
struct fgi_gpu_source {
    uint64_t offset; /**< of a GSPN record */
    uint32_t next;   /**< of the same frame, or FG_NONE */
};
/** Arguments of one row. */
struct fgi_cached_args {
    const struct fg_trace_arg *args;
    uint32_t count;
};
/** Those of the frame, or of the record with lists of arguments, that was asked for last. */
struct fgi_args_cache {
    bool is_valid;
    uint32_t of; /**< index of the frame, or of the record */
    struct fgi_arena arena;
    struct fgi_cached_args *lists; /**< of a frame: one for each instance, then its own */
    uint32_t count;                /**< of a record: how many lists */
};
enum { FGI_ARG_RECORDS_CACHED = 16 };
/** List `index` of the record, one of arg_records, has arguments of the row. */
struct fgi_arg_place {
    uint32_t row, record, index;
};
/** What a track of the trace was made from. */
struct fgi_track_key {
    uint32_t cap_track, clock;  /**< ids of the capture; of a counter its track, and whatever */
    uint32_t track;             /**< of the trace */
    const char *counter, *unit; /**< names of a counter, which live with the trace; else NULL */
    bool is_double;
};
struct fgi_capture_backing {
    const struct fg_allocator *allocator;
    struct fg_capture *capture;
    bool owns_capture;
    FGI_TABLE(struct fgi_track_key) tracks; /**< by number in the trace */
    FGI_TABLE(uint32_t) processes;          /**< ids of the capture, by number in the trace */
    struct fg_trace *trace;
    struct fgi_map64 texts; /**< symbol to text id */
    FGI_TABLE(struct fgi_frame_source) frames;
    FGI_TABLE(struct fgi_gpu_source) gpu_sources;
    FGI_TABLE(uint32_t) ref_rows; /**< rows that ranges and frames point into */
    FGI_TABLE(struct fg_cap_pipeline) pipelines;
    FGI_TABLE(uint64_t) arg_records;            /**< offsets of ARGS and ARGT */
    FGI_TABLE(struct fgi_arg_place) arg_places; /**< by row, then as stored */
    struct fgi_args_cache cache;
    /** By number of the record, modulo: rows of a few tracks are asked for in turn. */
    struct fgi_args_cache record_caches[FGI_ARG_RECORDS_CACHED];
};

/* ---- the conversion ------------------------------------------------------------------------- */

/** A GPU pass of a frame that is waiting for its times. */
struct fgi_instance {
    uint32_t graph_pass, kind, label; /**< label: text id */
    uint32_t track, submission, parent, logical;
    uint32_t status; /**< enum fg_cap_span_status, or FGI_INSTANCE_WAITING */
    uint32_t origin, clock;
    uint64_t begin_ticks, end_ticks;
    bool open_at_loss; /**< LOST names it */
};
#define FGI_INSTANCE_WAITING UINT32_MAX

struct fgi_semaphore_use {
    uint64_t id, value;
    uint32_t frame, submission;
    bool is_signal;
};
struct fgi_pending_frame {
    bool is_open; /**< not emitted yet */
    struct fgi_arena arena;
    uint32_t topology; /**< of the trace; FG_NONE */
    uint32_t cap_topology;
    uint32_t cpu_clock, cpu_track;
    int64_t begin_ns, end_ns, submit_ns;
    struct fg_cap_cpu_pass *passes;
    size_t pass_count;
    struct fgi_instance *instances;
    uint32_t instance_count;
    size_t submission_count;
};

struct fgi_thread_zone {
    int64_t start_ns, end_ns;
    uint32_t name;
    uint32_t depth; /**< of those that are told at their end */
    uint64_t sequence;
    bool is_closed, is_lost, is_forced;
};
struct fgi_thread_state {
    uint32_t track; /**< of the capture */
    uint64_t next_sequence;
    bool has_sequence;
    uint64_t dropped_count;
    int64_t last_ns;                         /**< of its latest event */
    bool is_unordered;                       /**< zones were told at their ends */
    FGI_TABLE(struct fgi_thread_zone) zones; /**< since the last time that none was open */
    FGI_TABLE(uint32_t) open;                /**< indices into zones */
};

/** A track of the capture, and a clock that something on it runs on. */
struct fgi_track_clock {
    uint32_t track, clock;
};
/** A frame of the first reading, when clocks are not yet known. */
struct fgi_seen_frame {
    uint64_t begin_ticks, end_ticks;
    uint32_t clock, frame;
};
/** Time of a frame's CPU side; for what says no frame. */
struct fgi_frame_time {
    int64_t begin_ns, end_ns;
    uint32_t frame;
};

struct fgi_submission_rows {
    uint32_t frame, submission;
    uint32_t first_row, last_row; /**< GPU spans by time; FG_NONE */
    int64_t first_ns, last_ns;
};

/** Arguments that came in a record of their own: where, as in struct fgi_arg_place. */
struct fgi_arg_list {
    struct fg_cap_ref owner;
    uint32_t record, index;
};

struct fgi_conversion {
    const struct fg_allocator *allocator;
    struct fg_capture *capture;
    struct fgi_builder *builder;
    struct fgi_capture_backing *backing;
    struct fgi_clocks clocks;
    FGI_TABLE(struct fg_cap_track) cap_tracks;
    FGI_TABLE(struct fg_cap_process) cap_processes;
    struct fgi_map64 cap_track_at, cap_process_at, thread_at; /**< ids to places in tables */
    struct fgi_map64 track_of;   /**< (track of the capture, clock) to the one of the trace */
    struct fgi_map64 track_uses; /**< capture's track to bits: 1 blocks of spans, 2 anything else */
    struct fgi_map64 track_clock_uses; /**< pairs that are in the table below */
    FGI_TABLE(struct fgi_track_clock) track_clocks;
    struct fgi_map64 topology_of; /**< the capture's id to an index of the trace */
    struct fgi_map64 frame_of;    /**< frame number to index, from the first reading */
    uint32_t frame_total;
    FGI_TABLE(struct fgi_seen_frame) seen_frames;
    FGI_TABLE(struct fgi_frame_time) frame_times; /**< by begin; once clocks are solved */
    size_t last_frame_time;                       /**< where the last look ended */
    FGI_TABLE(struct fgi_pending_frame) pending;  /**< by frame index */
    FGI_TABLE(struct fgi_semaphore_use) semaphores;
    FGI_TABLE(struct fgi_submission_rows) submissions;
    FGI_TABLE(struct fgi_ref_range) refs;
    FGI_TABLE(uint32_t) symbol_texts;           /**< text by symbol; 0: not asked for yet */
    FGI_TABLE(uint32_t) block_frames;           /**< of the block at hand */
    size_t refs_checked;                        /**< of refs, which are spans of blocks in order */
    const struct fgi_span_columns *ahead_spans; /**< of the record at hand, read ahead; or NULL */
    const struct fgi_link_columns *ahead_links;
    FGI_TABLE(struct fg_cap_dependency) dependencies;
    FGI_TABLE(struct fgi_arg_list) arg_lists;
    FGI_TABLE(struct fgi_thread_state) threads;
    FGI_TABLE(struct fg_cap_stack) stacks;
    struct fgi_map64 stack_of;
    FGI_TABLE(struct fg_cap_metric) metrics;
    struct fgi_map64 counter_of; /**< hash of name, kind and track to a counter */
    struct fgi_foreign foreign;
    struct fgi_drops frame_drops, summary_drops;
    uint64_t lost_events; /**< sum of all loss marks */
    uint32_t default_process;
    uint32_t cpu_fallback, gpu_fallback; /**< tracks for what names none */
    bool has_lost;
    int64_t lost_ns;
    int64_t first_frame_ns;
    /**
     * The first reading looks at blocks as hard as the second one. It need not, as long as both
     * meet the same blocks: then a damaged one has not made a track that nothing is on.
     */
    bool is_careful;
    uint64_t blocks_seen, blocks_read; /**< sums over blocks, of the first and second reading */
    bool wants_refs;                   /**< there are DEPS or ARGS records */
    /** Rows that are there, and passes that may become some; no more than so many. */
    uint64_t pass_total, max_rows;
    bool is_over_limit;
};

/* capture_to_trace_see.c: a record, in the first reading and in the second. */
void fgi_convert_see_first(struct fgi_conversion *c, const struct fg_capture_record *record);
void fgi_convert_see_second(struct fgi_conversion *c, const struct fg_capture_record *record);
/* capture_to_trace.c */
/** Text id of a symbol. */
uint32_t fgi_convert_symbol(struct fgi_conversion *c, uint32_t symbol);
/** Track of the trace for a track of the capture on a clock; made when it is new. */
uint32_t fgi_convert_track(struct fgi_conversion *c, uint32_t cap_track, uint32_t clock,
                           enum fg_track_kind kind_if_none);
/** There may be so many rows; false: no, and the conversion has failed. */
bool fgi_convert_may_have(struct fgi_conversion *c, uint64_t rows);
uint32_t fgi_convert_frame_index(const struct fgi_conversion *c, uint64_t frame);
/** All frames by time, when clocks are solved. */
void fgi_convert_frame_times(struct fgi_conversion *c);
/** Frame in whose CPU side a time lies; FG_NONE. */
uint32_t fgi_convert_frame_at(struct fgi_conversion *c, int64_t time_ns);
/** Counter of a name on a track of the capture; FG_NONE: there is none. */
uint32_t fgi_convert_counter_find(const struct fgi_conversion *c, uint32_t name, uint32_t cap_track,
                                  bool is_double);
/** A counter by name; adds a sample. */
void fgi_convert_counter(struct fgi_conversion *c, uint32_t name, uint32_t unit, uint32_t cap_track,
                         int64_t time_ns, const struct fg_cap_value *value);
/** Remember rows that follow each other under a kind of reference. */
void fgi_convert_ref_run(struct fgi_conversion *c, uint32_t kind, uint64_t a, uint64_t first_b,
                         uint32_t first_row, uint32_t count);
/** Remember rows under a kind of reference. */
void fgi_convert_refs(struct fgi_conversion *c, uint32_t kind, uint64_t a, uint64_t first_b,
                      const uint32_t *rows, uint32_t count);

/* capture_to_trace_graph.c */
void fgi_convert_topology(struct fgi_conversion *c, const struct fg_cap_topology *topology);
/** Text id of a scope path "a/b"; 0 = none. */
uint32_t fgi_convert_scope_path(struct fgi_conversion *c, const struct fg_cap_topology *topology,
                                uint32_t scope);
/* capture_to_trace_frame.c */
void fgi_convert_frame(struct fgi_conversion *c, const struct fg_cap_frame *frame, uint64_t offset);
void fgi_convert_gpu_frame(struct fgi_conversion *c, const struct fg_cap_gpu_frame *gpu,
                           uint64_t offset);
/* capture_to_trace_gpu.c: rows of a frame that has all that it will get; it is closed. */
void fgi_convert_emit_frame(struct fgi_conversion *c, uint32_t index);
/* capture_to_trace_link.c */
/** Dependencies that were read ahead; the columns are used up. */
void fgi_convert_link_columns(struct fgi_conversion *c, const struct fgi_link_columns *from);
/** Semaphores and dependencies, when all rows are there. */
void fgi_convert_links(struct fgi_conversion *c);
/* capture_to_trace_block.c */
void fgi_convert_span_block(struct fgi_conversion *c, const struct fg_cap_span_block *block);
/** The same of columns, which are used up. */
void fgi_convert_span_columns(struct fgi_conversion *c, const struct fgi_span_columns *from);
/* capture_to_trace_events.c */
/** An end without a begin, or what should not be inside of another. */
void fgi_convert_malformed(struct fgi_conversion *c, uint32_t track, int64_t time_ns, uint32_t name,
                           uint32_t frame);
void fgi_convert_events(struct fgi_conversion *c, const struct fg_cap_events *events);
void fgi_convert_close_threads(struct fgi_conversion *c);
void fgi_convert_samples(struct fgi_conversion *c, const struct fg_cap_samples *samples);
/** `count` events of a track were lost before a time: a mark, and part of the losses. */
void fgi_convert_loss(struct fgi_conversion *c, uint32_t track, int64_t time_ns, uint32_t frame,
                      uint64_t count);
void fgi_convert_note(struct fgi_conversion *c, const struct fg_cap_note *note);
void fgi_convert_device_lost(struct fgi_conversion *c, const struct fg_cap_device_lost *lost);
/* capture_to_trace_meta.c */
void fgi_convert_meta(struct fgi_conversion *c, const struct fg_cap_meta *meta);
void fgi_convert_defects(struct fgi_conversion *c);
/* capture_to_trace_args.c */
/** struct fgi_args_loader over a backing. */
enum fg_result fgi_convert_load_args(void *backing, uint32_t row, struct fg_trace_arg *out_args,
                                     uint32_t capacity, uint32_t *out_count);

/* capture_to_trace_work.c */
/** struct fgi_work_loader over a backing. */
enum fg_result fgi_convert_load_work(void *backing, uint32_t frame, struct fgi_arena *arena,
                                     struct fgi_frame_work *out_work);

/** Add an item to a table of the conversion; false and the builder has failed when refused. */
#define FGI_PUT(c, table, ...)                                                                     \
    (fgi_convert_grow((c)->builder, (c)->allocator, (void **)&(table).items, &(table).capacity,    \
                      sizeof *(table).items, (table).count + 1)                                    \
         ? ((table).items[(table).count++] = (__VA_ARGS__), true)                                  \
         : false)
bool fgi_convert_grow(struct fgi_builder *builder, const struct fg_allocator *allocator,
                      void **items, size_t *capacity, size_t item_size, size_t needed);
#define FGI_FREE_TABLE(allocator, table)                                                           \
    fgi_free((allocator), (table).items, (table).capacity * sizeof *(table).items)

#endif
