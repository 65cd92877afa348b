/* SPDX-License-Identifier: MIT */
/*
 * What a frame gave the device, as whoever made the trace can tell it. It is not kept with the
 * trace: a loader makes it when somebody asks. Texts are text ids.
 */
#ifndef FGI_FRAME_WORK_H
#define FGI_FRAME_WORK_H
#include "base/arena.h"
#include <frameglass/trace_events.h>

struct fgi_work_binding {
    uint32_t slot, name;
    uint64_t resource; /**< the id of a resource of the graph, or any other number; 0 = none */
    bool is_read_only; /**< what is bound so cannot be written */
};
/** A draw of an indirect call whose counts were read back. */
struct fgi_work_draw {
    uint32_t name;
    uint64_t x, y, z;
};
struct fgi_work_call {
    uint8_t kind;    /**< FG_EVENT_DRAW, _DISPATCH, _COPY or _WORK */
    uint8_t quality; /**< enum fg_event_quality */
    bool is_single;  /**< it makes one draw or dispatch: what was read back are its own counts */
    uint32_t name, pipeline;
    uint64_t x, y, z;
    const struct fgi_work_binding *bindings;
    const struct fgi_work_draw *draws; /**< when there are several: then the call has no counts */
    uint32_t binding_count, draw_count;
};
struct fgi_work_attachment {
    uint32_t slot, text;
    uint32_t resource; /**< resource version in the topology of the frame, or FG_NONE */
    uint8_t access;    /**< enum fg_event_access bits; 0 = not known */
};
/** A GPU pass; index = number in the frame. */
struct fgi_work_pass {
    uint32_t row;        /**< or FG_NONE: its times never came */
    uint32_t name;       /**< its label */
    uint32_t graph_pass; /**< position in the topology, or none */
    uint32_t submission; /**< or none */
    uint32_t parent;     /**< pass before this one that encloses it, or none */
    const struct fgi_work_attachment *attachments;
    const struct fgi_work_call *calls;
    uint32_t attachment_count, call_count;
};
struct fgi_work_semaphore {
    uint64_t id, value;
};
struct fgi_work_submission {
    uint32_t name;
    const struct fgi_work_semaphore *waits, *signals;
    uint32_t wait_count, signal_count;
};
struct fgi_frame_work {
    const struct fgi_work_submission *submissions;
    const struct fgi_work_pass *passes;
    uint32_t submission_count, pass_count;
    uint32_t wait_name;   /**< what waiting for a semaphore is called */
    uint32_t signal_name; /**< and signalling it */
};

/** Makes the work of a frame; everything lives in the arena. load == NULL: nothing is known. */
struct fgi_work_loader {
    enum fg_result (*load)(void *context, uint32_t frame, struct fgi_arena *arena,
                           struct fgi_frame_work *out_work);
    void *context;
};

struct fg_trace;
struct fgi_question;
/** fg_query_events() without its checks: one implementation for all engines (events.c). */
FG_MUST_USE enum fg_result fgi_events_make(const struct fg_trace *trace,
                                           const struct fgi_question *question, uint32_t frame,
                                           struct fg_events_reply *out_reply);

#endif
