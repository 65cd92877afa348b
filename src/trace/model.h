/* SPDX-License-Identifier: MIT */
/* What a loaded trace is inside: tables, the block store, and lanes as permutations of rows. */
#ifndef FGI_MODEL_H
#define FGI_MODEL_H
#include "base/arena.h"
#include "base/sort.h"
#include "base/strings.h"
#include "trace/blocks.h"
#include "trace/frame_work.h"
#include "trace/rising.h"
#include "trace/span_words.h"
#include <frameglass/trace.h>
#include <frameglass/trace_state.h>
#include <frameglass/trace_structure.h>

#define FGI_TABLE(type)                                                                            \
    struct {                                                                                       \
        type *items;                                                                               \
        size_t count, capacity;                                                                    \
    }

/** Samples of one counter in time order; `order` of equal times is the stored one. */
struct fgi_counter_data {
    FGI_TABLE(int64_t) times;
    FGI_TABLE(uint64_t) values; /**< the bits of an int64 or a double */
    uint64_t low, high;         /**< of them; 0 where there is none */
};
/** Family and flags that dependencies of the trace have. */
struct fgi_link_kind {
    uint32_t family, flags;
};
/** Dependencies (links.c). */
struct fgi_links {
    uint32_t count;
    struct fgi_rising sources;    /**< by number */
    uint32_t *targets;            /**< by number */
    uint32_t *by_target;          /**< numbers by target, then number */
    struct fgi_rising in_targets; /**< targets, in that order */
    uint8_t *kinds;               /**< by number, into kind_list; `kind_bits` bits each */
    size_t kind_bytes;
    unsigned kind_bits;
    FGI_TABLE(struct fgi_link_kind) kind_list;
};
/** A fragment and the first one of its pass; sorted by first, then row. */
struct fgi_fragment {
    uint32_t first, row;
};

/** Rows [first, end). */
struct fgi_row_range {
    uint32_t first, end;
};

/** Arguments made when they are asked for, instead of being kept. */
struct fgi_args_loader {
    /** At most `capacity` arguments of a row; *out_count says how many there are. */
    enum fg_result (*load)(void *context, uint32_t row, struct fg_trace_arg *out_args,
                           uint32_t capacity, uint32_t *out_count);
    void *context;
    uint64_t bytes; /**< what is kept to find them again */
};

struct fg_trace {
    const struct fg_allocator *allocator;
    struct fg_trace_info info; /**< counts of tables are filled in when it is asked for */
    struct fgi_strings strings;
    struct fgi_arena arena; /**< structures of topologies and frames */
    struct fgi_block_store *store;
    struct fgi_args_loader args_loader; /**< load == NULL: all are kept */
    struct fgi_work_loader work_loader;
    /** What the loaders stand on; ended with the trace. */
    void (*backing_destroy)(void *backing);
    void *backing;

    FGI_TABLE(struct fg_trace_process) processes;
    FGI_TABLE(struct fg_trace_track) tracks;
    FGI_TABLE(struct fg_trace_lane) lanes;
    uint32_t *lane_first; /**< lanes.count + 1 positions in lane_rows */
    uint32_t *lane_rows;  /**< rows by lane; inside by start, longer first, row */
    FGI_TABLE(struct fg_trace_clock) clocks;
    FGI_TABLE(struct fg_trace_pass) passes;
    FGI_TABLE(struct fg_trace_frame) frames;
    struct fgi_row_range *frame_rows; /**< by frame: where its GPU passes are; NULL: no frames */
    FGI_TABLE(struct fg_frame_pass *) frame_passes; /**< by frame; NULL where there are none */
    FGI_TABLE(struct fg_trace_instant) instants;
    FGI_TABLE(uint32_t) instant_order; /**< by time, then index */
    FGI_TABLE(struct fg_trace_counter) counters;
    FGI_TABLE(struct fgi_counter_data) counter_data;
    FGI_TABLE(struct fg_trace_metric) metrics;
    FGI_TABLE(struct fg_trace_object) objects;
    FGI_TABLE(struct fg_trace_object_event) object_events; /**< by object, then as stored */
    FGI_TABLE(uint32_t) object_event_order;                /**< by time, then as stored */
    FGI_TABLE(struct fg_trace_gap) gaps;
    FGI_TABLE(struct fg_trace_track_loss) track_losses;
    uint64_t loss_counters[FG_TRACE_LOSS_COUNTERS]; /**< UINT64_MAX = not told */
    struct fgi_links links;                         /**< dependencies */
    FGI_TABLE(struct fgi_fragment) fragments;
    FGI_TABLE(struct fg_trace_repair) repairs;
    FGI_TABLE(struct fg_trace_defect) defects;
    FGI_TABLE(struct fg_trace_meta) metas;
    FGI_TABLE(struct fg_trace_tally) losses;
    FGI_TABLE(struct fg_trace_tally) skipped;
    FGI_TABLE(struct fg_trace_stack) stacks;
    FGI_TABLE(uint32_t) stack_frames;
    FGI_TABLE(struct fg_topology) topologies;
    /* Each list of arguments: a header (value.natural = count), then the arguments. */
    FGI_TABLE(struct fg_trace_arg) args;
};

/** Row count; at most UINT32_MAX - 1. */
static inline uint32_t fgi_trace_rows(const struct fg_trace *trace)
{
    return (uint32_t)trace->store->row_count;
}
static inline struct fgi_cursor fgi_trace_cursor(const struct fg_trace *trace)
{
    return (struct fgi_cursor){ .store = trace->store };
}
/** Id of a text, added when it is new; bad UTF-8 is repaired. Also when the trace is finished. */
FG_MUST_USE enum fg_result fgi_trace_add_text(struct fg_trace *trace, const char *text, size_t size,
                                              uint32_t *out_id);
/** The public form of item i of a block. */
void fgi_trace_fill_span(const struct fg_trace *trace, const struct fgi_block *block, uint32_t i,
                         struct fg_trace_span *out_span);

/*
 * Dependencies, numbered by source, then as stored (links.c). How they are kept is nobody else's
 * business. Numbers and rows must be in range.
 */
uint32_t fgi_link_count(const struct fg_trace *trace);
/** Dependencies whose source is `row`: numbers [*out_first, returned end). */
uint32_t fgi_links_out(const struct fg_trace *trace, uint32_t row, uint32_t *out_first);
/** Dependencies whose target is `row`: positions [*out_first, returned end), by number. */
uint32_t fgi_links_in(const struct fg_trace *trace, uint32_t row, uint32_t *out_first);
/** Number of the dependency at a position of the order by target. */
uint32_t fgi_link_in(const struct fg_trace *trace, uint32_t position);
uint32_t fgi_link_source(const struct fg_trace *trace, uint32_t link);
uint32_t fgi_link_target(const struct fg_trace *trace, uint32_t link);
uint32_t fgi_link_family(const struct fg_trace *trace, uint32_t link);
uint32_t fgi_link_flags(const struct fg_trace *trace, uint32_t link);
void fgi_links_finish(const struct fg_allocator *allocator, struct fgi_links *links);

/** Whether the device's times tell how long it worked: a capture says where they do not. */
bool fgi_trace_times_are_of_execution(const struct fg_trace *trace);

static inline char fgi_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}
/** Contained, ASCII letters without case. */
bool fgi_text_contains(const char *text, const char *part);

/** True when a span meets the window: the one rule. */
static inline bool fgi_meets(int64_t start, int64_t end, int64_t a, int64_t b)
{
    return start == end ? start >= a && start < b : start < b && end > a;
}
static inline uint64_t fgi_duration(int64_t start, int64_t end)
{
    return (uint64_t)end - (uint64_t)start;
}

/** First position in [low, high) of a lane whose span starts at or after `time`. */
uint32_t fgi_lower_bound(struct fgi_cursor *cursor, const uint32_t *rows, uint32_t low,
                         uint32_t high, int64_t time);
/** The same; the steps are added to. */
uint32_t fgi_lower_bound_steps(struct fgi_cursor *cursor, const uint32_t *rows, uint32_t low,
                               uint32_t high, int64_t time, uint64_t *steps);

/** Compute parents, depths, lanes and lane_rows of all spans (nest.c). Tracks are in `lane`. */
struct fgi_builder;
FG_MUST_USE enum fg_result fgi_nest(struct fgi_builder *builder);
/** Fill in what follows from the topologies: lifetimes, readers, sums (topology.c). */
FG_MUST_USE enum fg_result fgi_topology_finish(struct fg_trace *trace,
                                               struct fg_topology *topology);

/** Tell the memory that a trace holds, by name (memory.c); the same name may come twice. */
typedef void fgi_see_memory(void *context, const char *name, uint64_t bytes);
void fgi_trace_memory(const struct fg_trace *trace, fgi_see_memory *see, void *context);
void fgi_links_memory(const struct fg_trace *trace, fgi_see_memory *see, void *context);

/** Frees everything, what the loaders stand on included. NULL is legal. */
void fgi_trace_destroy(struct fg_trace *trace);

#endif
