/* SPDX-License-Identifier: MIT */
/*
 * Frame graphs: what a graph looks like, and the bracket around the execution of each of its
 * passes.
 *
 * The bracket is all that a frame graph has to announce. It knows nothing about profiling: it calls
 * a list of listeners, of which a recorder may be one. See fg_graph_pass_begin().
 */
#ifndef FG_GRAPH_H
#define FG_GRAPH_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_commands;
struct fg_frame;

/** Index of no pass and no resource. */
#define FG_GRAPH_NONE UINT32_MAX

enum fg_resource_kind {
    FG_RESOURCE_UNKNOWN = 0, /**< nothing is known but the name; the footprint is unknown, not 0 */
    FG_RESOURCE_BUFFER = 1,
    FG_RESOURCE_TEXTURE = 2,
};

enum fg_resource_flags {
    FG_RESOURCE_TRANSIENT = 1u << 0, /**< made and dropped by the graph inside the frame */
    FG_RESOURCE_IMPORTED = 1u << 1,  /**< lives outside the graph */
    FG_RESOURCE_CLEARED = 1u << 2,   /**< buffers: clear_offset_bytes and clear_size_bytes count */
};

/** Typed description of a resource, never a string. Zero fields are "not said". */
struct fg_resource_desc {
    enum fg_resource_kind kind;
    uint32_t usage; /**< VkBufferUsageFlags or VkImageUsageFlags */

    uint64_t size_bytes; /**< buffers */
    uint64_t clear_offset_bytes;
    uint64_t clear_size_bytes;

    uint32_t format;    /**< textures: a VkFormat value; other interfaces map theirs to it */
    uint32_t dimension; /**< 1, 2 or 3; 0 = 2 */
    uint32_t width;
    uint32_t height;  /**< 0 = 1 */
    uint32_t depth;   /**< of a 3-D texture; 0 = 1 */
    uint32_t layers;  /**< 0 = 1 */
    uint32_t mips;    /**< 0 = 1 */
    uint32_t samples; /**< 0 = 1 */
};

/**
 * Bytes that a resource declares: the size of a buffer; the block-rounded bytes of every mip and
 * layer of a texture, times its samples. Saturates at UINT64_MAX.
 *
 * @return false when it cannot be told (kind or format unknown); *out_bytes is then 0
 *
 * It is what was declared, not what was allocated: aliasing and padding are not in it.
 * Threads: any.
 */
FG_API bool fg_resource_footprint(const struct fg_resource_desc *desc, uint64_t *out_bytes);

/** One version of one resource: every write makes a new version, which is a node of its own. */
struct fg_graph_resource {
    /**
     * The same for all versions; the graph's own number. Not 0 where attachments, bindings or
     * indirect work shall name it: there 0 says nothing.
     */
    uint64_t id;
    uint32_t version; /**< from 0 */
    uint32_t flags;   /**< enum fg_resource_flags */
    const char *name; /**< NULL = "" */
    struct fg_resource_desc desc;
};

enum fg_graph_pass_flags {
    FG_GRAPH_PASS_CULLED = 1u << 0,      /**< did not run in this frame; belongs to the frame */
    FG_GRAPH_PASS_SIDE_EFFECT = 1u << 1, /**< kept whoever reads it; belongs to the topology */
    FG_GRAPH_PASS_ASYNC = 1u << 2,       /**< meant for another queue than the frame's main one */
};

/** One pass. Lists hold indices into fg_graph_desc.resources. */
struct fg_graph_pass {
    uint64_t id;               /**< the application's own number */
    const char *name;          /**< NULL = "": need not be unique, is never a key */
    const char *const *scopes; /**< the scopes around it, outermost first */
    uint32_t scope_count;
    uint32_t flags;     /**< enum fg_graph_pass_flags */
    uint32_t ref_count; /**< references that kept it alive; belongs to the frame */
    const uint32_t *reads;
    uint32_t read_count;
    const uint32_t *writes; /**< the versions that it makes of resources that existed */
    uint32_t write_count;
    const uint32_t *creates; /**< the versions that did not exist before */
    uint32_t create_count;
};

/** An order between two passes that no resource explains; indices of passes. */
struct fg_graph_edge {
    uint32_t from;
    uint32_t to;
};

/**
 * A whole graph as compiled for one frame. A pass is known by its index in `passes`; culled passes
 * stay in, marked. The producer of a resource version is the pass that creates or writes it.
 */
struct fg_graph_desc {
    const char *name; /**< which graph, when an application has several; NULL = "" */
    const struct fg_graph_pass *passes;
    uint32_t pass_count;
    const struct fg_graph_resource *resources;
    uint32_t resource_count;
    const struct fg_graph_edge *edges;
    uint32_t edge_count;
    /**
     * 0 = hash the graph each time. Otherwise a number that changes whenever anything but the cull
     * flags and reference counts does: the graph is hashed only when it is new.
     */
    uint64_t revision;
};

/**
 * Say which graph this frame runs. Once per frame, before fg_frame_end(), at best before the first
 * bracket. Everything is copied. A frame without a graph is a frame whose passes have no graph
 * pass.
 *
 * @param frame NULL: does nothing
 *
 * A graph with an index out of range is refused as a whole and counted in the frame.
 * Threads: one at a time per frame.
 */
FG_API void fg_frame_set_graph(struct fg_frame *frame, const struct fg_graph_desc *graph);

/** What listeners are told. Borrowed for the call. */
struct fg_graph_event {
    uint32_t pass;    /**< index in fg_graph_desc.passes; FG_GRAPH_NONE where there is none */
    const char *name; /**< for debug groups; NULL = "" */
    /** The recorder's handle of the command buffer that the pass records into; NULL = none. */
    struct fg_commands *commands;
    void *user; /**< whatever the graph wants to pass on */
};

/** One consumer of the bracket. Either function may be NULL. */
struct fg_graph_listener {
    void (*pass_begin)(void *context, const struct fg_graph_event *event);
    void (*pass_end)(void *context, const struct fg_graph_event *event);
    void *context; /**< borrowed while it is added */
};

#define FG_GRAPH_LISTENERS_MAX 8

/**
 * Zero is a valid empty list. The graph owns it. Threads: one changes it while nobody announces.
 */
struct fg_graph_listeners {
    uint32_t count;
    struct fg_graph_listener items[FG_GRAPH_LISTENERS_MAX];
};

/** Copied. FG_OK, FG_ERR_LIMIT (already 8). The others stay as they are. */
FG_API FG_MUST_USE enum fg_result fg_graph_listeners_add(struct fg_graph_listeners *listeners,
                                                         const struct fg_graph_listener *listener);
/** The mirror of adding: takes out the latest equal one. FG_OK, FG_ERR_NOT_FOUND. */
FG_API enum fg_result fg_graph_listeners_remove(struct fg_graph_listeners *listeners,
                                                const struct fg_graph_listener *listener);

/** The recorder as a listener: brackets go to event->commands. One constant, needs no context. */
FG_API struct fg_graph_listener fg_graph_recorder(void);

/* The calls behind the size check below; use fg_graph_pass_begin() and fg_graph_pass_end(). */
FG_API void fg_graph_announce_begin(const struct fg_graph_listeners *listeners,
                                    const struct fg_graph_event *event);
FG_API void fg_graph_announce_end(const struct fg_graph_listeners *listeners,
                                  const struct fg_graph_event *event);

/** A pass is about to be executed. Listeners are called in the order in which they were added. */
static inline void fg_graph_pass_begin(const struct fg_graph_listeners *listeners,
                                       const struct fg_graph_event *event)
{
    if (listeners->count != 0) {
        fg_graph_announce_begin(listeners, event);
    }
}

/** The pass was executed, or gave up: called on every exit. Listeners in the reverse order. */
static inline void fg_graph_pass_end(const struct fg_graph_listeners *listeners,
                                     const struct fg_graph_event *event)
{
    if (listeners->count != 0) {
        fg_graph_announce_end(listeners, event);
    }
}

/**
 * Begin, run, end, whatever `run` returns. A run that leaves by longjmp is closed by the next
 * bracket, by fg_commands_end() or by fg_frame_end() of the recorder, and counted as unclosed.
 *
 * @return what `run` returned
 */
FG_API int fg_graph_pass_run(const struct fg_graph_listeners *listeners,
                             const struct fg_graph_event *event, int (*run)(void *context),
                             void *context);

/**
 * The recorder's end of the bracket, for a graph without a listener list: every GPU pass begun in
 * between on these commands belongs to graph pass `pass`. Graph passes do not nest: a begin while
 * one is open closes that one and is counted. NULL commands: does nothing.
 *
 * Threads: the one that records into the commands.
 */
FG_API void fg_commands_graph_pass_begin(struct fg_commands *commands, uint32_t pass,
                                         const char *name);
FG_API void fg_commands_graph_pass_end(struct fg_commands *commands);

FG_END_DECLS
#endif
