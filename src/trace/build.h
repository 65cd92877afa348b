/* SPDX-License-Identifier: MIT */
/*
 * Make a trace: what importers and the capture converter fill. The first failure is kept
 * (`fgi_builder_result`), later calls do nothing, and fgi_builder_finish() reports it: a whole
 * importer checks once.
 */
#ifndef FGI_BUILD_H
#define FGI_BUILD_H
#include "trace/model.h"

struct fgi_builder;

/** Let the builder find the parent (and the depth) by time. */
#define FGI_FIND (UINT32_MAX - 1)

/** One span to add. `track` must exist. */
struct fgi_span_in {
    uint32_t track;
    uint32_t name;
    uint32_t category;
    uint32_t classes;
    uint32_t status; /**< enum fg_span_status */
    int64_t start_ns;
    int64_t end_ns;
    bool open_end; /**< end_ns is not known: the trace's last time */
    /**
     * Depth and parent as the source knows them. On a track made with `stored_depth` the depth is
     * meant, and parent may be FGI_FIND; on others both are found by time and ignored here.
     */
    uint32_t depth, parent;
    uint32_t frame;   /**< or FG_NONE */
    uint32_t pass;    /**< or FG_NONE */
    uint32_t scope;   /**< 0 = none */
    uint32_t origin;  /**< or FG_NONE */
    uint32_t logical; /**< row of the first fragment, or FG_NONE; FGI_FIND: this row itself is it */
    uint64_t object;
    const struct fg_trace_arg *args; /**< kept by the trace, unless a loader makes them */
    uint32_t arg_count;
};
/** A span with all "none" values. */
struct fgi_span_in fgi_span_in_make(uint32_t track, uint32_t name, int64_t start_ns,
                                    int64_t end_ns);

/** @param budget_bytes memory for blocks that can be loaded again; 0 = 2 GiB */
FG_MUST_USE enum fg_result fgi_builder_create(const struct fg_allocator *allocator,
                                              uint64_t budget_bytes,
                                              struct fgi_builder **out_builder);
void fgi_builder_destroy(struct fgi_builder *builder);
enum fg_result fgi_builder_result(const struct fgi_builder *builder);
/** Keep a failure, unless one is kept. */
void fgi_builder_fail(struct fgi_builder *builder, enum fg_result result);
/** Rows that were added. */
uint32_t fgi_builder_rows(const struct fgi_builder *builder);
/** The trace in the making: `info` is the importer's to fill (format, version, closed...). */
struct fg_trace *fgi_builder_trace(struct fgi_builder *builder);

/** Each returns an index or id; FG_NONE (text: 0) once something has failed. UTF-8 is repaired. */
uint32_t fgi_builder_text(struct fgi_builder *builder, const char *text, size_t size);
uint32_t fgi_builder_cstr(struct fgi_builder *builder, const char *text);
uint32_t fgi_builder_process(struct fgi_builder *builder, uint32_t name, int64_t id);
uint32_t fgi_builder_clock(struct fgi_builder *builder, const struct fg_trace_clock *clock);
/** @param stored_depth spans of it say their depth */
uint32_t fgi_builder_track(struct fgi_builder *builder, const struct fg_trace_track *track,
                           bool stored_depth);
/** Identity of a pass, added when it is new. */
uint32_t fgi_builder_pass(struct fgi_builder *builder, uint32_t name, uint32_t scope,
                          uint32_t ordinal);
/** Identity of the next pass of that name in that scope: of `before` with an ordinal one higher. */
uint32_t fgi_builder_pass_after(struct fgi_builder *builder, uint32_t before);
/** @param passes pass_count items of the frame's topology, copied; NULL = none */
uint32_t fgi_builder_frame(struct fgi_builder *builder, const struct fg_trace_frame *frame,
                           const struct fg_frame_pass *passes, uint32_t pass_count);
/** The row. */
uint32_t fgi_builder_span(struct fgi_builder *builder, const struct fgi_span_in *span);
/** Many spans of a track, alike and without arguments. A column that is NULL says nothing. */
struct fgi_spans_in {
    uint32_t track;
    uint32_t classes;
    uint32_t status; /**< enum fg_span_status */
    uint32_t count;  /**< at least 1 */
    const int64_t *start_ns, *end_ns;
    const uint32_t *name;
    const uint32_t *category, *frame; /**< NULL: 0, FG_NONE */
    const uint32_t *depth;            /**< meant on tracks with `stored_depth` */
    const uint64_t *object;
};
/** The same as fgi_builder_span() for each; the first row. */
uint32_t fgi_builder_spans(struct fgi_builder *builder, const struct fgi_spans_in *spans);
uint32_t fgi_builder_instant(struct fgi_builder *builder, const struct fg_trace_instant *instant);
/** Adds a counter; `track` must be a counter track. */
uint32_t fgi_builder_counter(struct fgi_builder *builder, const struct fg_trace_counter *counter);
void fgi_builder_sample(struct fgi_builder *builder, uint32_t counter,
                        const struct fg_trace_sample *sample);
/** In the order of the definitions; counters that none of them names get one at the end. */
uint32_t fgi_builder_metric(struct fgi_builder *builder, const struct fg_trace_metric *metric);
/**
 * Something happened to the resource that the program calls `id`. Zero, UINT64_MAX and
 * FG_TRACE_ACCURACY_UNKNOWN are what is not said: it stays what it was. `object` is found here.
 */
void fgi_builder_object_event(struct fgi_builder *builder, uint64_t id,
                              const struct fg_trace_object_event *event);
/** What the program lost of one kind, in all; the last word counts. */
void fgi_builder_loss_counter(struct fgi_builder *builder, enum fg_trace_loss_counter counter,
                              uint64_t count);
/** Ends that are not rows are counted as a repair and left out when the trace is finished. */
void fgi_builder_dependency(struct fgi_builder *builder,
                            const struct fg_trace_dependency *dependency);
/** Many of them, by columns; an end may be FG_NONE. */
struct fgi_links_in {
    uint32_t count;
    const uint32_t *source, *target, *family, *flags;
};
void fgi_builder_links(struct fgi_builder *builder, const struct fgi_links_in *links);
/** @param frames text ids, innermost first */
void fgi_builder_stack(struct fgi_builder *builder, int64_t time_ns, uint32_t track,
                       uint64_t weight, const uint32_t *frames, uint32_t frame_count);
void fgi_builder_meta(struct fgi_builder *builder, uint32_t key, uint32_t value);
/** Add to a loss, a skipped record type (by name) or a repair (by kind; static text). */
void fgi_builder_loss(struct fgi_builder *builder, uint32_t reason, uint64_t count);
void fgi_builder_skipped(struct fgi_builder *builder, uint32_t name, uint64_t count);
void fgi_builder_repair(struct fgi_builder *builder, const char *kind, uint64_t count,
                        uint64_t offset);
void fgi_builder_defect(struct fgi_builder *builder, const char *kind, uint64_t offset,
                        uint32_t text);
/**
 * Copies everything; readers, lifetimes, `previous` and sums are filled in here. Indices that are
 * out of range are left out and counted as a repair.
 */
uint32_t fgi_builder_topology(struct fgi_builder *builder, const struct fg_topology *topology);

/**
 * Sort, nest, make lanes. The builder is empty afterwards and still to be destroyed.
 *
 * @param out_trace owned; untouched on failure
 */
FG_MUST_USE enum fg_result fgi_builder_finish(struct fgi_builder *builder,
                                              struct fg_trace **out_trace);

#define FGI_RECENT_KINDS 512u
struct fgi_recent_kind {
    uint64_t key;
    uint32_t kind;
    bool is_there;
};
/** Dependencies as they came (links.c). */
struct fgi_new_links {
    size_t count;
    uint32_t *sources, *targets;
    size_t source_capacity, target_capacity;
    uint8_t *kinds;
    size_t kind_capacity; /**< bytes */
    unsigned kind_width;  /**< bytes of each: 1 or 4; 0 = none is there */
    bool is_unsorted;     /**< by source */
    uint32_t last_kind;
    struct fgi_map64 kind_of; /**< family << 32 | flags */
    struct fgi_recent_kind recent[FGI_RECENT_KINDS];
};

/** What the files of the builder share. */
struct fgi_builder {
    const struct fg_allocator *allocator;
    struct fg_trace *trace;
    enum fg_result result;
    struct fgi_block open; /**< the block that is being filled; count rows */
    uint32_t open_extras;  /**< bit by column: it is filled; columns that are not have no meaning */
    bool open_has_object;
    FGI_TABLE(uint8_t) track_stored_depth;
    FGI_TABLE(uint16_t *) depths; /**< by block: depths of its rows; NULL: all 0, or by time */
    uint64_t clamped_depths;
    FGI_TABLE(uint32_t) open_ends; /**< rows that end with the trace */
    struct fgi_new_links links;
    struct fgi_map64 pass_map;
    struct fgi_map64 object_of;        /**< number of the latest object by the program's id */
    FGI_TABLE(uint32_t) object_latest; /**< by object: its latest event */
    bool has_time;
    int64_t first_ns, last_ns;
};
/** The block that is being filled becomes one of the trace's (build_spans.c). */
void fgi_builder_seal(struct fgi_builder *builder);
void fgi_builder_finish_spans(struct fgi_builder *builder);
/** Depth of a row of a track that stores depths. */
static inline uint32_t fgi_builder_depth(const struct fgi_builder *builder, uint32_t row)
{
    size_t block = row / FGI_BLOCK_SPANS;
    return block < builder->depths.count && builder->depths.items[block]
               ? builder->depths.items[block][row % FGI_BLOCK_SPANS]
               : 0;
}
/** The smallest and largest time of everything follows from these. */
void fgi_builder_saw_time(struct fgi_builder *builder, int64_t time_ns);
/** A time in the legal range; what was not is counted. */
int64_t fgi_builder_legal_time(struct fgi_builder *builder, int64_t time_ns);
FG_MUST_USE enum fg_result fgi_builder_order_counters(struct fgi_builder *builder);
void fgi_builder_finish_links(struct fgi_builder *builder);
/** Dependencies by source and by target; those without spans are left out (links.c). */
FG_MUST_USE enum fg_result fgi_builder_order_links(struct fgi_builder *builder);
/** Metrics of counters that have none, events by object, gaps of all losses (build_state.c). */
FG_MUST_USE enum fg_result fgi_builder_finish_state(struct fgi_builder *builder);

#endif
