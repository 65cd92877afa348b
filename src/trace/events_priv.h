/* SPDX-License-Identifier: MIT */
/* What the files that make the event list share. */
#ifndef FGI_EVENTS_PRIV_H
#define FGI_EVENTS_PRIV_H
#include "base/hash.h"
#include "trace/engine.h"
#include "trace/model.h"
#include "trace/frame_work.h"

/** More events than this are refused: nobody reads them, and scopes multiply what a file says. */
#define FGI_EVENTS_MAX (1u << 22)

/** How one pass uses one resource: versions, or FG_NONE. */
struct fgi_event_use {
    uint32_t read, written;
    uint8_t access; /**< enum fg_event_access bits */
};
/** Uses by pass and resource, so that a binding finds its version in one step. */
struct fgi_event_uses {
    struct fgi_map64 group_of; /**< id of a resource to the index of one of its versions */
    struct fgi_map64 use_of;   /**< pass << 32 | group to an index of `items` */
    FGI_TABLE(struct fgi_event_use) items;
};

/** Events in the making. Tables are in the arena of the question. */
struct fgi_events {
    const struct fg_trace *trace;
    const struct fgi_question *question;
    const struct fg_topology *topology;   /**< may be NULL */
    const struct fg_frame_pass *of_frame; /**< may be NULL */
    struct fgi_frame_work work;
    uint32_t frame;
    FGI_TABLE(struct fg_event) items;
    FGI_TABLE(struct fg_event_binding) bindings;
    FGI_TABLE(uint32_t) scope_paths; /**< of the scope events, in their order */
    struct fgi_event_uses uses;
    uint8_t *pass_marks;     /**< by pass: FGI_EVENT_PASS_* */
    uint8_t *resource_marks; /**< by resource version; zero between uses */
    enum fg_result result;
};
enum { FGI_EVENT_PASS_HAS_WORK = 1, FGI_EVENT_PASS_LISTED = 2 };

/** Room for one item more in a table of the arena. False, and `result` is set, when refused. */
bool fgi_events_grow(struct fgi_events *m, void **items, size_t *capacity, size_t item_size,
                     size_t count);
#define FGI_EVENTS_PUT(m, table, ...)                                                              \
    (fgi_events_grow((m), (void **)&(table).items, &(table).capacity, sizeof *(table).items,       \
                     (table).count)                                                                \
         ? ((table).items[(table).count++] = (__VA_ARGS__), true)                                  \
         : false)

/* events_use.c: what the newest event uses. */
FG_MUST_USE enum fg_result fgi_event_uses_make(struct fgi_events *m);
void fgi_event_uses_finish(struct fgi_event_uses *uses);
/** What the graph declares for a pass; nothing when it was told already. */
void fgi_events_put_uses(struct fgi_events *m, uint32_t pass);
void fgi_events_put_attachments(struct fgi_events *m, const struct fgi_work_pass *pass);
void fgi_events_put_bindings(struct fgi_events *m, uint32_t pass, const struct fgi_work_call *call);

/* events_times.c: rows, tracks and times of submissions, scopes and graph passes. */
void fgi_events_measure(struct fgi_events *m);

#endif
