/* SPDX-License-Identifier: MIT */
/* Questions to a trace engine. Every engine gives the same answers: src/trace/engine.h. */
#ifndef FG_TRACE_QUERY_H
#define FG_TRACE_QUERY_H
#include <frameglass/trace.h>

FG_BEGIN_DECLS

/** Answers questions over one trace. Threads: one at a time, with all of its queries. */
struct fg_engine;
/**
 * Memory of answers: everything that a call below returns is lent until the query is reset or
 * destroyed. Cheap to reset: one per client or per request.
 */
struct fg_query;

/** @param allocator NULL = libc  @param cancelled NULL; asked now and then; true ends the work */
FG_API FG_MUST_USE enum fg_result fg_query_create(struct fg_engine *engine,
                                                  const struct fg_allocator *allocator,
                                                  bool (*cancelled)(void *context), void *context,
                                                  struct fg_query **out_query);
FG_API void fg_query_reset(struct fg_query *query);
/** NULL is legal here, and nowhere else in the questions. */
FG_API void fg_query_destroy(struct fg_query *query);

/**
 * What answering has looked at since the query was made or last reset: work is bounded by counts,
 * not by times. Every item that is read counts each time.
 */
struct fg_visits {
    uint64_t bins;          /**< stored bins */
    uint64_t spans;         /**< rows whose columns were read */
    uint64_t dependencies;  /**< links that were followed or judged */
    uint64_t steps;         /**< of searches in sorted order */
    uint64_t control_bytes; /**< of requests: all that a change of the view writes */
};
FG_API void fg_query_visits(const struct fg_query *query, struct fg_visits *out_visits);

/*
 * One rule everywhere: a span [s, e) meets [a, b) if s < b and e > a; one of zero length if
 * a <= s < b. A range is given as start and end with start < end; start = end = 0 means everything.
 * All calls return FG_OK, FG_ERR_ARGUMENT, FG_ERR_NOT_FOUND (filter, row, lane), FG_ERR_NO_MEMORY,
 * FG_ERR_CANCELLED, or what reading a block again met.
 */

/* ---- filters --------------------------------------------------------------------------------- */

/** All terms hold together; zero is every term's "all". Arrays are borrowed for the call. */
struct fg_filter_terms {
    const char *text; /**< the name contains it, ASCII letters without case; NULL or "" = any */
    const uint32_t *names, *categories, *tracks; /**< one of; NULL = any */
    uint32_t name_count, category_count, track_count;
    uint32_t required_classes; /**< all of these bits */
    uint32_t excluded_classes; /**< none of these bits */
    uint32_t status_mask;      /**< bit (1 << status) for each that passes; 0 = all */
    uint64_t min_duration_ns;
    uint64_t max_duration_ns; /**< 0 = any */
    bool has_frames;
    uint32_t first_frame, end_frame; /**< frame indices, end exclusive */
    bool has_range;
    int64_t start_ns, end_ns; /**< meets this window */
    /* The next two look at spans and their direct children as they are stored, whatever the rest of
       the terms hides. */
    uint64_t short_child_ns; /**< hides spans inside a parent that are not longer; 0 = none */
    /** Hides parents of which a direct child's duration differs from their own by at most so many
        percent of it: 1 to 100; 0 = none. */
    uint32_t similar_parent_percent;
    /** The caller's own choice: bit row % 64 of word row / 64; rows past it do not pass; NULL: all.
        Equal bits are equal terms, wherever they are kept. */
    const uint64_t *mask;
    uint32_t mask_rows;
};
/**
 * Make a filter. Filters live until they are destroyed as often as they were made; equal terms give
 * the same id. Id 0 is "everything" in every request.
 */
FG_API FG_MUST_USE enum fg_result fg_query_filter_create(struct fg_query *query,
                                                         const struct fg_filter_terms *terms,
                                                         uint32_t *out_filter, uint32_t *out_rows);
FG_API enum fg_result fg_query_filter_destroy(struct fg_query *query, uint32_t filter);

/* ---- views ----------------------------------------------------------------------------------- */

enum fg_view_mode {
    FG_VIEW_EXACT = 0,          /**< every span that meets the window, no bins */
    FG_VIEW_REPRESENTATIVE = 1, /**< bins, few spans each: draw the longest */
    FG_VIEW_DENSITY = 2,        /**< bins, many spans each: draw how much they cover */
    FG_VIEW_NONE = 255,         /**< not answered (budget); or no mode before this one */
};
enum fg_view_kind {
    FG_VIEW_LANE = 0,
    FG_VIEW_TRACK = 1,   /**< folded: all lanes of a track merged */
    FG_VIEW_PROCESS = 2, /**< folded: all lanes of a process merged */
};
/** Which representation a target has; what is zoomed in far enough is exact with all of them. */
enum fg_view_detail {
    FG_DETAIL_AUTO = 0,           /**< bins are representative while few, density when many */
    FG_DETAIL_EXACT = 1,          /**< spans at every zoom; the budget may not suffice */
    FG_DETAIL_REPRESENTATIVE = 2, /**< bins are representative at every zoom */
    FG_DETAIL_DENSITY = 3,        /**< bins are density at every zoom */
};
/**
 * Where spans and bins take turns. By pixels per span: spans from 4 on (what is on screen stays a
 * little longer: spans down to 3, bins up to 5). Smooth: from 5 down to 3 both are answered.
 * Representative bins take turns with density at 1/4 pixel per span (1/5 and 1/3 likewise).
 */
enum fg_view_handoff {
    FG_HANDOFF_HARD = 0,
    FG_HANDOFF_SMOOTH = 1,
};
struct fg_view_target {
    uint8_t kind;          /**< enum fg_view_kind */
    uint8_t previous_mode; /**< what is on screen now (hysteresis); FG_VIEW_NONE = nothing */
    uint32_t index;        /**< lane, track or process */
};
#define FG_VIEW_TARGETS_MAX 16384
#define FG_VIEW_WIDTH_MAX   16384

struct fg_view_request {
    int64_t start_ns, end_ns; /**< the window, start < end */
    uint32_t width_px;
    uint32_t filter;
    const struct fg_view_target *targets;
    uint32_t target_count;
    uint32_t max_spans; /**< 0 = 65,536 */
    uint32_t max_bins;  /**< runs count once; 0 = 262,144 */
    uint32_t wide_px;   /**< spans this wide are always exact; 0 = 24; at least 4 */
    uint8_t detail;     /**< enum fg_view_detail */
    uint8_t handoff;    /**< enum fg_view_handoff */
};
/**
 * `count` bins of one level that say the same: from bin index `first`; bin b of level k covers
 * [b * 2^k, (b + 1) * 2^k). More than one only where one span covers all of them wholly.
 */
struct fg_view_bins {
    int64_t first;
    uint64_t covered_ns; /**< of each bin: length of the union of its spans */
    uint64_t longest_ns; /**< whole duration of `row` */
    uint32_t count;
    uint32_t starts;         /**< spans that start in each of the bins */
    uint32_t row;            /**< longest span that meets it; ties: lowest row */
    uint32_t name, category; /**< of that row, like the rest */
    uint16_t classes;
    uint8_t status; /**< enum fg_span_status */
};
struct fg_view_answer {
    uint8_t mode;      /**< enum fg_view_mode: of the two, the one that counts more */
    uint8_t bins_mode; /**< what the bins are drawn as when there are any: enum fg_view_mode */
    /** Weight of the bins, 255 = all. Between, all spans of the window come with the bins. */
    uint8_t blend;
    uint32_t first_span, span_count;
    uint32_t first_bins, bins_count;
};
struct fg_view_reply {
    unsigned level; /**< k: the largest with 2^k <= ns per pixel, 0 below that */
    const struct fg_view_answer *answers; /**< one per target */
    /** By answer, then start, then longer first, then row. Wide ones when bins are given too. */
    const struct fg_trace_span *spans;
    uint32_t span_count;
    const struct fg_view_bins *bins; /**< by answer, ascending, never overlapping */
    uint32_t bins_count;
    uint32_t unanswered; /**< targets with FG_VIEW_NONE: a budget was reached */
};
/**
 * What a window shows. Cost: targets and pixels, not spans. Answers keep their order; when a budget
 * does not suffice the later ones are not answered. FG_ERR_LIMIT: not even the first fits.
 * A folded group lists those wide spans that are the longest somewhere: what a person sees of them.
 */
FG_API FG_MUST_USE enum fg_result fg_query_view(struct fg_query *query,
                                                const struct fg_view_request *request,
                                                struct fg_view_reply *out_reply);

/* ---- statistics ------------------------------------------------------------------------------ */

enum fg_stats_by {
    FG_STATS_BY_NAME = 0, /**< all but scopes: these are hulls of passes that are counted */
    FG_STATS_BY_PASS = 1, /**< spans that belong to a graph pass, by the pass's identity */
    FG_STATS_BY_TRACK = 2,
    FG_STATS_BY_SCOPE = 3,    /**< scope spans, by scope path */
    FG_STATS_BY_CATEGORY = 4, /**< all but scopes; key 0: those without one */
    FG_STATS_BY_ALL = 5, /**< one row for each clock, key 0. Scopes are in it and in all below */
    FG_STATS_BY_PROCESS = 6,
    FG_STATS_BY_LANE = 7,
    FG_STATS_BY_DEPTH = 8,
    FG_STATS_BY_STATUS = 9,   /**< enum fg_span_status */
    FG_STATS_BY_CLASSES = 10, /**< all classification bits as a number */
    FG_STATS_BY_FRAME = 11,   /**< spans that belong to a frame, by its index */
};
enum fg_stats_figures {
    FG_STATS_ALL = 0,
    FG_STATS_TOTALS = 1, /**< self, busy, median and p95 stay 0: a fraction of the work */
};
struct fg_stats_request {
    uint32_t by;      /**< enum fg_stats_by */
    uint32_t figures; /**< enum fg_stats_figures */
    uint32_t filter;
    int64_t start_ns, end_ns; /**< spans that meet it, whole spans count; 0, 0 = all */
    bool has_frames;
    uint32_t first_frame, end_frame; /**< frame indices, end exclusive */
    const uint32_t *tracks;          /**< only these; NULL = all */
    uint32_t track_count;
};
/**
 * Complete spans of one group. Groups never mix clocks: a name that occurs under two clocks has two
 * rows. Sums saturate at UINT64_MAX.
 */
struct fg_stats_row {
    uint32_t key;   /**< text id, pass, track, text id of the scope path, or what `by` says */
    uint32_t name;  /**< text id; of a lane its track's; 0 where the dimension is a number */
    uint32_t track; /**< FG_NONE when several */
    uint32_t clock;
    uint64_t count;
    uint64_t total_ns, self_ns, busy_ns, min_ns, median_ns, p95_ns, max_ns;
    int64_t start_ns, end_ns; /**< smallest start, largest end */
    uint64_t unfinished;      /**< rows without an end: not in the figures */
    uint64_t zeroes;          /**< spans of length 0: many mean a clock too coarse */
    uint32_t longest;         /**< row; FG_NONE when there is no complete span */
};
struct fg_stats_reply {
    const struct fg_stats_row *rows; /**< total descending, then name, track, clock, key */
    uint32_t count;
    uint64_t sum_ns; /**< of all totals */
};
/**
 * The table of spans by a dimension; lent. Cost: the selected rows, once; without FG_STATS_TOTALS
 * also the self time of every span and sorting each group's times.
 */
FG_API FG_MUST_USE enum fg_result fg_query_stats(struct fg_query *query,
                                                 const struct fg_stats_request *request,
                                                 struct fg_stats_reply *out_reply);

/* ---- frames ---------------------------------------------------------------------------------- */

enum fg_frame_flags {
    FG_FRAME_GPU_HITCH = 1, /**< the rule is in docs/PROTOCOL.md */
    FG_FRAME_CPU_HITCH = 2,
    FG_FRAME_DROPPED = 4,
    FG_FRAME_NO_GPU = 8, /**< no GPU times, in a trace that has a GPU */
    FG_FRAME_NEW_TOPOLOGY = 16,
    FG_FRAME_NOTE = 32,
    FG_FRAME_LOST = 64,
    FG_FRAME_INFERRED = 128, /**< the verdict is a guess: it had no GPU time to go by */
    FG_FRAME_PAUSE = 256,    /**< over a second in which nothing was done for it: not judged */
};
/** What bounds a frame. The rule is written in docs/VERDICT.md. */
enum fg_verdict {
    FG_VERDICT_UNKNOWN = 0, /**< a number is missing, or nothing that was measured bounds it */
    FG_VERDICT_CPU = 1,
    FG_VERDICT_GPU = 2,
    FG_VERDICT_PRESENT = 3,
    FG_VERDICT_BALANCED = 4,
    FG_VERDICT_MIXED = 5, /**< of windows only: nothing bounds more than half of it */
};
#define FG_VERDICTS 6
/** Numbers that cannot be told are -1. */
struct fg_frame_row {
    uint32_t frame, spans;       /**< index; rows that belong to it */
    int64_t cpu_ns, cpu_work_ns; /**< begin to the end of its CPU side; that less its waits */
    int64_t gpu_ns; /**< last end less first begin of its GPU passes; not across clocks */
    int64_t gpu_busy_ns;
    int64_t gpu_start_ns, gpu_end_ns; /**< 0, 0 when gpu_ns is -1 */
    int64_t frame_ns;                 /**< to the next frame's begin */
    enum fg_verdict verdict;
    const char *verdict_name; /**< "cpu" ...; NULL while it cannot be told */
    uint32_t flags;           /**< enum fg_frame_flags */
};
/** Rows of frames [first, end), end clipped; borrowed while the engine lives. Cost: none. */
FG_API FG_MUST_USE enum fg_result fg_query_frames(struct fg_query *query, uint32_t first,
                                                  uint32_t end,
                                                  const struct fg_frame_row **out_rows,
                                                  uint32_t *out_count);
/** What bounds many frames. */
struct fg_verdict_window {
    uint32_t frame_count;
    uint32_t counts[FG_VERDICTS]; /**< frames by enum fg_verdict; of FG_VERDICT_UNKNOWN, too */
    uint32_t inferred_count;      /**< of those that can be told */
    enum fg_verdict verdict;      /**< of more than half of those that can be told, or mixed */
    const char *verdict_name;     /**< "cpu" ... "mixed"; NULL: none can be told */
};
/** Of frames [first, end), end clipped to what is there. Cost: each of them once. */
FG_API FG_MUST_USE enum fg_result fg_query_verdict(struct fg_query *query, uint32_t first,
                                                   uint32_t end,
                                                   struct fg_verdict_window *out_window);
/** One frame of a series. */
struct fg_series_item {
    uint32_t frame;
    uint32_t count;
    uint64_t total_ns;
};
/**
 * Complete spans of the pass of a row (or, where it has none, of its name) on its clock, summed by
 * frame over the frames [first, end); frames without any have no item. Lent. Cost: every row once.
 */
FG_API FG_MUST_USE enum fg_result fg_query_series(struct fg_query *query, uint32_t row,
                                                  uint32_t first_frame, uint32_t end_frame,
                                                  const struct fg_series_item **out_items,
                                                  uint32_t *out_count);

FG_END_DECLS
#endif
