/* SPDX-License-Identifier: MIT */
/* The event list of one frame: what it gave the device, call by call, and what each call used. */
#ifndef FG_TRACE_EVENTS_H
#define FG_TRACE_EVENTS_H
#include <frameglass/trace_query.h>

FG_BEGIN_DECLS

enum fg_event_kind {
    FG_EVENT_SUBMISSION = 0,
    FG_EVENT_SCOPE = 1,
    FG_EVENT_GRAPH_PASS = 2,
    FG_EVENT_GPU_PASS = 3,
    FG_EVENT_DRAW = 4,
    FG_EVENT_DISPATCH = 5,
    FG_EVENT_COPY = 6,
    FG_EVENT_WORK = 7, /**< any other call */
    /** A graph pass that gave the device nothing, at its place in the graph. */
    FG_EVENT_CULLED = 8,
    FG_EVENT_WAIT = 9, /**< the submission waits for a semaphore */
    FG_EVENT_SIGNAL = 10,
};
/** Where the counts of an event come from. */
enum fg_event_quality {
    FG_EVENT_NO_COUNTS = 0,
    FG_EVENT_ENCODED = 1,
    FG_EVENT_RESOLVED = 2,
    FG_EVENT_NOT_KNOWN = 3, /**< an indirect call whose counts were not read back */
};

/** One event; a tree in order: a child is one deeper than its parent. Texts are text ids. */
struct fg_event {
    uint8_t kind;    /**< enum fg_event_kind */
    uint8_t depth;   /**< nesting beyond 255 is shown flat */
    uint8_t quality; /**< enum fg_event_quality, of x, y, z */
    uint32_t row;    /**< its span, or FG_NONE; of a graph pass the longest, of a scope the hull */
    uint32_t name;
    uint32_t pass;  /**< position in the topology, or FG_NONE */
    uint32_t track; /**< or FG_NONE: several, or not known */
    /**
     * Of a submission, scope or graph pass: from the first begin to the last end of the GPU passes
     * in it; of several clocks nothing is told.
     */
    int64_t start_ns;    /**< 0 where the duration is not known */
    int64_t duration_ns; /**< -1 = never measured, or never came */
    /**
     * Draws: vertices or indices, instances, draws. Dispatches: groups. Copies: bytes, 0, 0.
     * Semaphores: number, value, 0.
     */
    uint64_t x, y, z;
    uint32_t pipeline; /**< 0 = none */
};

enum fg_event_binding_kind {
    FG_EVENT_BINDING_CALL = 0,       /**< a binding of a call */
    FG_EVENT_BINDING_ATTACHMENT = 1, /**< of a GPU pass */
    FG_EVENT_BINDING_USE = 2, /**< what the graph declares for a pass, at its first event only */
};
enum fg_event_access {
    FG_EVENT_READS = 1,
    FG_EVENT_WRITES = 2,
    FG_EVENT_CREATES = 4,
};
/** What an event uses. Texts are text ids, 0 = none. */
struct fg_event_binding {
    uint32_t event; /**< number of the event in the frame */
    uint8_t kind;   /**< enum fg_event_binding_kind */
    uint8_t access; /**< enum fg_event_access bits; 0 = not known */
    uint32_t slot;
    uint32_t resource; /**< resource version in the topology, or FG_NONE */
    uint32_t name;     /**< of the resource, also when it is not of the graph */
    uint32_t producer; /**< pass that made what is read, or FG_NONE */
    uint32_t text;     /**< "clear, store" of an attachment */
};

struct fg_events_reply {
    uint32_t topology; /**< that passes and resources are of, or FG_NONE */
    const struct fg_event *events;
    uint32_t count;
    const struct fg_event_binding *bindings; /**< by event */
    uint32_t binding_count;
};
/**
 * All events of a frame in the order in which they were submitted. A culled pass comes before the
 * first work of a pass that is behind it in the graph; so does a pass that was kept but gave the
 * device nothing. Calls of a GPU pass come before the passes inside it: their order is not
 * recorded.
 *
 * @return as all questions; FG_ERR_NOT_FOUND: no such frame
 */
FG_API FG_MUST_USE enum fg_result fg_query_events(struct fg_query *query, uint32_t frame,
                                                  struct fg_events_reply *out_reply);

FG_END_DECLS
#endif
