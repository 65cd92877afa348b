/* SPDX-License-Identifier: MIT */
/* The protocol from inside: what a question is answered from. */
#ifndef FGI_VIEW_PRIV_H
#define FGI_VIEW_PRIV_H
#include "base/strings.h"
#include "base/thread.h"
#include "view/message.h"
#include "view/view.h"
#include <frameglass/trace_find.h>
#include <frameglass/trace_query.h>
#include <frameglass/trace_structure.h>
#include <frameglass/trace_task.h>

enum { FGI_VIEW_TRACES = 16 };

enum fgi_view_state {
    FGI_STATE_KNOWN = 0,
    FGI_STATE_LOADING = 1,
    FGI_STATE_LOADED = 2,
    FGI_STATE_FAILED = 3,
};

/** Terms of a filter as a client says them: what makes the engine's mask is kept besides. */
struct fgi_view_terms {
    struct fg_filter_terms terms; /**< names and categories are names of clients */
    const uint32_t *seeds;        /**< of a focus */
    uint32_t seed_count;
    uint32_t reach[4]; /**< direction, hops, families, capacity */
    const uint32_t *rows;
    uint32_t row_count;
};

/**
 * A filter as clients know it. Its number holds when the trace is made anew; then it has no
 * engine's filter until somebody uses it again.
 */
struct fgi_view_filter {
    uint32_t number;        /**< 0 = slot is free */
    uint32_t engine_filter; /**< 0 = to be made */
    uint32_t uses;          /**< times made by clients, less times destroyed */
    uint32_t made;          /**< times made in the engine */
    uint64_t last_used;
    struct fgi_view_terms terms;
    void *memory; /**< that the terms point into; owned */
    size_t memory_bytes;
};

/** Names that clients have, by number. */
struct fgi_view_names {
    const struct fg_allocator *allocator;
    struct fgi_strings table;
    uint32_t *of_text; /**< by text id of the trace at hand: the name + 1; 0 = has none yet */
    size_t capacity;
};

/** Work in steps over a trace, and what it needs to outlive a request. */
struct fgi_job {
    struct fg_query *query; /**< borrowed by a request, owned by a slot */
    struct fg_query *other; /**< over another trace; NULL or owned */
    struct fg_task *task;   /**< owned */
};

/** A task that a client has on its way. */
struct fgi_view_task {
    uint32_t number; /**< 0 = slot is free */
    uint16_t kind;   /**< whose answer it makes */
    uint16_t channel;
    uint32_t client, generation;
    uint64_t last_used; /**< turn of the view in which a client asked for it */
    uint64_t last_turn; /**< in which it was begun or stepped */
    uint32_t steps_held;
    int64_t asked_ns; /**< when it was asked for */
    struct fg_task_budget budget;
    struct fgi_view *view;
    struct fgi_job job;
};

/** Scores of all rows that a client had kept. */
struct fgi_view_scores {
    uint32_t number; /**< 0 = slot is free */
    uint32_t engine_scores;
};

struct fgi_view_trace {
    uint32_t number; /**< 0 = slot is free */
    uint8_t state;   /**< enum fgi_view_state */
    bool is_live;
    bool has_ended;   /**< its end was written: it will not grow any more */
    bool is_troubled; /**< it is followed, and `failure` says why it cannot be */
    bool is_given_up; /**< and never will be */
    char *label, *format, *packing, *failure; /**< NULL or owned */
    enum fg_result failure_result;
    uint64_t size_bytes;
    uint64_t done, total;
    uint64_t revision;
    struct fgi_view_frame *frames; /**< owned */
    size_t frame_count;
    uint16_t flags; /**< enum fgi_reply_flag that every reply over it carries */

    /* Guarded by `asking`. */
    const struct fg_trace *trace;
    struct fg_engine *engine;
    struct fgi_view_names names;
    uint32_t firm_rows; /**< rows that will stay as they are when the input grows */
    struct fgi_view_filter filters[FGI_MAX_FILTERS];
    uint32_t last_filter;   /**< number */
    uint64_t filter_clock;  /**< counts uses */
    uint32_t gpu_filter;    /**< engine's, of GPU passes; 0 = not made yet */
    uint32_t encode_filter; /**< of encoded passes */
    struct fgi_view_task tasks[FGI_MAX_TASKS];
    uint32_t last_task;
    struct fgi_view_scores scores[FGI_MAX_SCORES]; /**< round and round */
    uint32_t last_scores;
};

struct fgi_view_client {
    uint32_t number; /**< 0 = slot is free */
    uint64_t last_seen;
    uint32_t newest[FGI_MAX_CHANNELS]; /**< generations */
};

struct fgi_view {
    struct fgi_view_options options;
    /**
     * Guards everything below that is not guarded by `asking`. Never held while an engine works.
     */
    struct fgi_mutex *state;
    /**
     * Guards engines and traces: one question at a time. Taken before `state` where both are held.
     */
    struct fgi_mutex *asking;
    struct fgi_view_trace traces[FGI_VIEW_TRACES];
    uint64_t task_clock; /**< counts turns of tasks; guarded by `asking` */
    uint32_t last_trace;
    struct fgi_view_client clients[FGI_MAX_CLIENTS];
    uint32_t last_client;
    uint64_t client_clock;
};

/** A question while it is answered. */
struct fgi_ask {
    struct fgi_view *view;
    struct fgi_request *request;
    struct fgi_reply *reply;
    struct fgi_arena *arena;
    /* Of kinds that need a loaded trace; `asking` is held. */
    struct fgi_view_trace *entry;
    const struct fg_trace *trace;
    struct fg_query *query;
    const char *text; /**< what to do about the failure; NULL = the result's own text */
};

/** The entry of a trace number; NULL. `state` is held. */
struct fgi_view_trace *fgi_view_find(struct fgi_view *view, uint32_t number);
/** Note the generation of a request that has arrived; true when a newer one came before it. */
bool fgi_view_superseded(struct fgi_view *view, const struct fgi_request *request);
/** Is a generation out of date? */
bool fgi_view_is_past(struct fgi_view *view, uint32_t client, uint16_t channel,
                      uint32_t generation);
/** Give a number to a new client. */
uint32_t fgi_view_client_add(struct fgi_view *view);
/** Fail with a text: `return fgi_ask_fail(...)`. Static text. */
enum fg_result fgi_ask_fail(struct fgi_ask *ask, enum fg_result result, const char *text);

/* Parameters that several kinds have. All return FG_OK, FG_ERR_FORMAT or FG_ERR_ARGUMENT. */

struct fgi_range {
    bool is_given;
    int64_t start_ns, end_ns;
};
/** A window of i64[2] with start < end. */
FG_MUST_USE enum fg_result fgi_ask_range(struct fgi_ask *ask, uint16_t tag, struct fgi_range *out);
/** As fgi_ask_range(), but it must be there. */
FG_MUST_USE enum fg_result fgi_ask_window(struct fgi_ask *ask, uint16_t tag, struct fgi_range *out);
struct fgi_frames {
    bool is_given;
    uint32_t first, end;
};
/** A range of frames u32[2] with first <= end. */
FG_MUST_USE enum fg_result fgi_ask_frames(struct fgi_ask *ask, uint16_t tag,
                                          struct fgi_frames *out);
/** Page: first row, and a limit that is not 0. */
struct fgi_page {
    uint32_t first, limit;
};
struct fgi_page fgi_ask_page(struct fgi_ask *ask, uint16_t first_tag, uint16_t limit_tag);
/** Engine's id of the filter in section `tag`. FG_ERR_NOT_FOUND when it is gone. */
FG_MUST_USE enum fg_result fgi_ask_filter(struct fgi_ask *ask, uint16_t tag, uint32_t *out_filter);
/** Terminated copy of a text section; NULL when it is missing. */
const char *fgi_ask_text(struct fgi_ask *ask, uint16_t tag);

/** What FIRST and LIMIT leave of `all` items. Sets OVERFLOW when that is not the rest of them. */
struct fgi_page fgi_page_of(struct fgi_ask *ask, struct fgi_page page, uint64_t all);

struct fg_selection;
/** The selection of kinds 33 to 36 and 38; `base` is the kind * 256. Its lists are in the arena. */
FG_MUST_USE enum fg_result fgi_ask_selection(struct fgi_ask *ask, uint16_t base,
                                             struct fg_selection *out);
/** Engine's id of kept scores; FG_ERR_NOT_FOUND when they are gone. 0 where none are asked for. */
FG_MUST_USE enum fg_result fgi_ask_scores(struct fgi_ask *ask, uint16_t tag, uint32_t *out_scores);
/** Rows of a section, at most FGI_MAX_ROWS. */
FG_MUST_USE enum fg_result fgi_ask_rows(struct fgi_ask *ask, uint16_t tag,
                                        const uint32_t **out_rows, uint32_t *out_count);
/** Lanes and groups of two sections, in this order; `modes` may be NULL. */
struct fg_view_target;
FG_MUST_USE enum fg_result fgi_ask_targets(struct fgi_ask *ask, uint16_t lanes_tag,
                                           uint16_t groups_tag, const struct fgi_section *modes,
                                           const struct fg_view_target **out_targets,
                                           uint32_t *out_count);

/* Work in steps: answered at once, or as a TASK. */

struct fgi_job_ops {
    /** Read the request and begin the work over job->query; job->other may be made. */
    enum fg_result (*begin)(struct fgi_ask *ask, struct fgi_job *job, uint32_t scheduling);
    /** Put the answer of the work, which is done, or of the stages that are. */
    enum fg_result (*put)(struct fgi_ask *ask, struct fgi_job *job);
    bool has_parts;        /**< the answer of a stage before the last one is of use */
    const char *stages[3]; /**< in order; of fewer: the first with parts, else the last */
    const char *too_much;  /**< what to do about FG_ERR_LIMIT; or NULL */
};
extern const struct fgi_job_ops fgi_filter_job, fgi_path_job, fgi_aggregate_job, fgi_histogram_job,
    fgi_buckets_job, fgi_anomalies_job, fgi_groups_job, fgi_links_job, fgi_focus_job, fgi_slice_job,
    fgi_stats_job, fgi_search_job, fgi_compare_job;
/** Begin, go on to the end, put. */
FG_MUST_USE enum fg_result fgi_job_answer(struct fgi_ask *ask, const struct fgi_job_ops *ops);
/** End all tasks, of every trace: one may stand on two of them. `asking` is held. */
void fgi_view_tasks_end(struct fgi_view *view);

/** Sections that say what something is compared with. */
struct fgi_base_tags {
    uint16_t window, frames, filter, trace;
};
/** Which spans those are, and of which trace (NULL is legal); of another one job->other is made. */
FG_MUST_USE enum fg_result fgi_ask_base(struct fgi_ask *ask, const struct fgi_base_tags *tags,
                                        struct fgi_job *job, struct fg_selection *out,
                                        const struct fg_trace **out_trace);

/* What several replies say. */

/** Is a key of this dimension (enum fg_aggregate_by) a text of the trace? */
bool fgi_is_text_key(uint32_t by);

/** Span flags of docs/PROTOCOL.md, section 3, without the CLIPPED ones. */
uint32_t fgi_span_flags(const struct fgi_ask *ask, const struct fg_trace_span *span);
uint32_t fgi_status_flags(uint32_t classes, enum fg_span_status status);
/** Offset from t0 as an exact double; false when it had to be saturated. */
bool fgi_relative(int64_t time_ns, int64_t t0_ns, double *out_offset);
/** Index of the bin of level `level` that holds a time. */
int64_t fgi_bin_of(int64_t time_ns, unsigned level);
/** Sections `tag` WINDOW, `tag` + 1 LEVEL and `tag` + 2 ORIGIN. */
void fgi_put_window(struct fgi_ask *ask, uint16_t tag, int64_t start_ns, int64_t end_ns,
                    unsigned level);
/** A span by its row. FG_ERR_NOT_FOUND, or what reading a block again met. */
FG_MUST_USE enum fg_result fgi_span_at(const struct fgi_ask *ask, uint32_t row,
                                       struct fg_trace_span *out_span);
/** Name (of clients) and track of a row; 0 and FG_NONE for none. */
FG_MUST_USE enum fg_result fgi_put_row(struct fgi_ask *ask, uint32_t row, uint32_t *out_name,
                                       uint32_t *out_track);
/** ns as a double, at most 2^53. */
double fgi_ns_double(uint64_t ns);
/** Clock of a track; NULL. */
const struct fg_trace_clock *fgi_track_clock(const struct fg_trace *trace, uint32_t track);
/** -1 for "no bound is claimed". */
int64_t fgi_clock_bound(const struct fg_trace_clock *clock);

/** Resource versions and edges of a topology; `of_frame` NULL = of no frame. */
FG_MUST_USE enum fg_result fgi_put_resources(struct fgi_ask *ask,
                                             const struct fg_topology *topology,
                                             const struct fg_frame_pass *of_frame);

typedef enum fg_result (*fgi_answer_fn)(struct fgi_ask *ask);
#define FGI_ANSWER_DECLARE(number, name, loaded)                                                   \
    enum fg_result fgi_answer_##name(struct fgi_ask *ask);
FGI_KINDS(FGI_ANSWER_DECLARE)
#undef FGI_ANSWER_DECLARE

/* Columns: typed, zeroed, in the reply's arena; NULL once the reply has failed. */
uint8_t *fgi_u8s(struct fgi_ask *ask, uint16_t tag, size_t count);
uint16_t *fgi_u16s(struct fgi_ask *ask, uint16_t tag, size_t count);
int32_t *fgi_i32s(struct fgi_ask *ask, uint16_t tag, size_t count);
uint32_t *fgi_u32s(struct fgi_ask *ask, uint16_t tag, size_t count);
uint64_t *fgi_u64s(struct fgi_ask *ask, uint16_t tag, size_t count);
int64_t *fgi_i64s(struct fgi_ask *ask, uint16_t tag, size_t count);
double *fgi_f64s(struct fgi_ask *ask, uint16_t tag, size_t count);

/* view_names.c */
/** Name of a text of the trace, for the reply; FG_NONE stays what it is. */
uint32_t fgi_name(struct fgi_ask *ask, uint32_t text);
/** Text id in the trace at hand of a name that a client sent; FG_NONE when it has no such text. */
uint32_t fgi_text_of_name(const struct fgi_ask *ask, uint32_t name);
/** The trace is made anew: its text ids mean nothing any more. */
void fgi_view_names_forget(struct fgi_view_names *names);
void fgi_view_names_finish(struct fgi_view_names *names);

/* answer_filter.c: the trace is made anew, or goes. */
void fgi_view_filters_forget(struct fgi_view_trace *entry);
void fgi_view_filters_finish(struct fgi_view_trace *entry, const struct fg_allocator *allocator);

#endif
