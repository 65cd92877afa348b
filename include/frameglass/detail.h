/* SPDX-License-Identifier: MIT */
/*
 * A detailed capture: what each node of a scene cost, in one frame or a few.
 *
 *     fg_detail_create(NULL, &detail);                      all memory, once
 *     fg_detail_begin(detail, session, 1);                  a key was pressed: the next frame
 *     each frame:
 *         struct fg_nodes *nodes = fg_detail_frame_begin(detail);    NULL: nobody wants to know
 *         fg_node_begin(nodes, &(const struct fg_node){ .id = 7, .name = "card" });
 *             fg_node_draws(nodes, 2);                      or let the options count them
 *             fg_node_begin(nodes, &child); fg_node_culled(nodes); fg_node_end(nodes);
 *         fg_node_end(nodes);
 *         fg_detail_frame_end(detail);                      into the capture, as a track "nodes"
 *     fg_detail_get(detail);                                the same tree in memory
 *
 * In the capture the frame and its nodes are spans on a track of their own, with their total and
 * own time, draws, whether they were culled, and the attributes as arguments: whoever reads spans
 * reads them. A frame that is captured costs a few clock reads for each node; the others one load
 * and a branch, and the calls on NULL a branch. Nothing is asked of a HUD.
 *
 * Nodes may repeat, and nest in themselves: it is their place in the tree that counts. What is open
 * at the end of the frame is closed there, and says so; what finds no room is counted, its time and
 * draws are its parent's own. Both are told in the capture and by fg_detail_get().
 *
 * Threads: one at a time per detail. Several details may record into one session.
 */
#ifndef FG_DETAIL_H
#define FG_DETAIL_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_detail;
struct fg_nodes;
struct fg_session;

/** Zero is every field's default. Borrowed for the call; texts are copied. */
struct fg_detail_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the detail */
    const char *track;                    /**< name of the track; NULL = "nodes" */
    /** Maxima of one frame. All memory is taken at the creation: some 200 bytes a node. */
    uint32_t nodes_max;      /**< 0 = 16384 */
    uint32_t attributes_max; /**< 0 = 4 times nodes_max */
    uint32_t text_bytes_max; /**< of all names; 0 = 32 times nodes_max */
    /**
     * Draws so far, a number that only grows: asked when a node begins and when it ends: what
     * fg_draw_counter_total() gives, say. NULL = only those that are told.
     */
    uint64_t (*draws_so_far)(void *context);
    void *draws_context;
};

#define FG_NODE_ATTRIBUTES_MAX 16  /* of one node; more are left out */
#define FG_NODE_DEPTH_MAX      512 /* deeper nodes find no room */

/** How complex a node is: "fills", "strokes", "effects", "blur radius", whatever matters. */
struct fg_node_attribute {
    const char *key; /**< a literal, or a text that outlives the detail */
    double value;
};

/** Borrowed for the call; the name is copied. */
struct fg_node {
    uint64_t id;      /**< the application's; UINT64_MAX = none */
    const char *name; /**< NULL = no name */
    const struct fg_node_attribute *attributes;
    uint32_t attribute_count;
};

/** @return FG_OK, FG_ERR_ARGUMENT, FG_ERR_LIMIT (maxima too large), FG_ERR_NO_MEMORY */
FG_API FG_MUST_USE enum fg_result fg_detail_create(const struct fg_detail_options *options,
                                                   struct fg_detail **out_detail);
/** A frame that is open is given up. NULL is legal. */
FG_API void fg_detail_destroy(struct fg_detail *detail);

/**
 * Capture the next frames in detail; those that begin from now on. One that runs goes on with the
 * new count.
 *
 * @param session     running; borrowed until the capture has ended. NULL = only for fg_detail_get()
 * @param frame_count 0 = until fg_detail_end()
 * @return FG_OK; FG_ERR_ARGUMENT (no detail); FG_ERR_STATE (the session does not run, or a frame of
 *         a capture into another one is open)
 */
FG_API enum fg_result fg_detail_begin(struct fg_detail *detail, struct fg_session *session,
                                      uint32_t frame_count);
/** No further frame; one that is open is captured still. NULL is legal. */
FG_API void fg_detail_end(struct fg_detail *detail);
/** Whether the next frame will be captured, or the open one is. */
FG_API bool fg_detail_is_on(const struct fg_detail *detail);

/**
 * @return lent until fg_detail_frame_end(); NULL when this frame is not captured, or detail is
 *         NULL: then everything that takes it does nothing. A frame that is open ends before
 */
FG_API struct fg_nodes *fg_detail_frame_begin(struct fg_detail *detail);
/**
 * @return FG_OK, also when no frame is open; why it could not be written: FG_ERR_STATE (the session
 *         has stopped), its first failure. fg_detail_get() has it in any case
 */
FG_API enum fg_result fg_detail_frame_end(struct fg_detail *detail);

/* The calls behind those below, for bindings: nodes is not NULL. */
FG_API void fg_nodes_push(struct fg_nodes *nodes, const struct fg_node *node);
FG_API void fg_nodes_pop(struct fg_nodes *nodes);
FG_API void fg_nodes_mark_culled(struct fg_nodes *nodes);
FG_API void fg_nodes_add_draws(struct fg_nodes *nodes, uint64_t count);

static inline void fg_node_begin(struct fg_nodes *nodes, const struct fg_node *node)
{
    if (nodes != NULL) {
        fg_nodes_push(nodes, node);
    }
}
/** The innermost node ends. Without one it is counted (`stray_ends`), and nothing else happens. */
static inline void fg_node_end(struct fg_nodes *nodes)
{
    if (nodes != NULL) {
        fg_nodes_pop(nodes);
    }
}
/** The innermost node is not drawn: it is out of sight. */
static inline void fg_node_culled(struct fg_nodes *nodes)
{
    if (nodes != NULL) {
        fg_nodes_mark_culled(nodes);
    }
}
/** Draws of the innermost node, besides those that are counted. */
static inline void fg_node_draws(struct fg_nodes *nodes, uint64_t count)
{
    if (nodes != NULL) {
        fg_nodes_add_draws(nodes, count);
    }
}

/* ---- the answer ------------------------------------------------------------------------------ */

enum fg_node_flags {
    FG_NODE_CULLED = 1u << 0,
    FG_NODE_UNCLOSED = 1u << 1, /**< ended by the end of the frame */
};
/** Totals are own times and those of all children, exactly; so are draws. */
struct fg_node_cost {
    uint64_t id;
    const char *name; /**< "" = none */
    uint32_t parent;  /**< index; of the frame itself UINT32_MAX */
    uint32_t depth;   /**< of the frame itself 0 */
    uint32_t flags;   /**< enum fg_node_flags */
    uint32_t attribute_count;
    const struct fg_node_attribute *attributes;
    int64_t begin_ns; /**< from the frame's begin */
    int64_t total_ns;
    int64_t self_ns;
    uint64_t draws;
    uint64_t self_draws;
};
struct fg_detail_tree {
    uint64_t number; /**< of the captured frame among those of the detail, from 0 */
    const struct fg_node_cost *nodes; /**< in the order of their begins; the first is the frame */
    uint32_t node_count;
    uint32_t culled_count;
    uint32_t unclosed_count;
    uint32_t stray_ends;      /**< without a begin */
    uint64_t lost_nodes;      /**< no room: nodes_max or FG_NODE_DEPTH_MAX */
    uint64_t lost_attributes; /**< no room: attributes_max or FG_NODE_ATTRIBUTES_MAX */
    uint64_t cut_names;       /**< no room: text_bytes_max */
};
/** The last captured frame that ended: lent until the next begins. NULL: there is none. */
FG_API const struct fg_detail_tree *fg_detail_get(const struct fg_detail *detail);

FG_END_DECLS
#endif
