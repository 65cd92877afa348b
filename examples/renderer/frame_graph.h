/* SPDX-License-Identifier: MIT */
/*
 * The renderer's frame graph: passes, versions of resources, and what follows from them.
 *
 * Each frame declares its passes in the order in which they make sense, compiles, and executes:
 *
 *     rd_graph_reset -> rd_graph_add_pass / read / write / create -> rd_graph_compile ->
 * rd_graph_execute
 *
 * A write makes a new version of a resource, so every reference says which contents it means.
 * Compiling counts references, culls what nobody reads, orders the rest, and finds how long each
 * resource lives. This file and its sources know neither a graphics interface nor a profiler:
 * formats are the back end's numbers, memory is offsets, and whoever wants to know when a pass runs
 * adds a listener.
 *
 * Threads: a graph belongs to one thread.
 */
#ifndef RD_FRAME_GRAPH_H
#define RD_FRAME_GRAPH_H

#include <stdbool.h>
#include <stdint.h>

enum {
    RD_GRAPH_MAX_PASSES = 96,
    RD_GRAPH_MAX_SCOPES = 32,
    RD_GRAPH_MAX_RESOURCES = 96,
    RD_GRAPH_MAX_VERSIONS = 256,
    RD_GRAPH_MAX_EDGES = 512,
    RD_GRAPH_MAX_LISTENERS = 8,
    RD_GRAPH_NONE = 0xffff
};

enum rd_pass_kind { RD_PASS_RASTER, RD_PASS_COMPUTE, RD_PASS_TRANSFER };

enum rd_pass_flag {
    RD_PASS_SIDE_EFFECT = 1, /**< runs even when nobody reads what it writes */
    RD_PASS_NEW_BATCH = 2,   /**< a good place to begin another command buffer */
    RD_PASS_ASYNC = 4        /**< may run beside the rest, on a queue of its own */
};

/** How a pass touches a resource. Stages follow from the kind of the pass. */
enum rd_use {
    RD_USE_SAMPLED = 1 << 0,
    RD_USE_STORAGE_READ = 1 << 1,
    RD_USE_STORAGE_WRITE = 1 << 2,
    RD_USE_COLOR = 1 << 3,
    RD_USE_DEPTH_WRITE = 1 << 4,
    RD_USE_DEPTH_READ = 1 << 5,
    RD_USE_INDIRECT = 1 << 6,
    RD_USE_UNIFORM = 1 << 7,
    RD_USE_GEOMETRY = 1 << 8, /**< vertex and index fetch */
    RD_USE_COPY_FROM = 1 << 9,
    RD_USE_COPY_TO = 1 << 10
};

enum rd_resource_kind { RD_RESOURCE_TEXTURE, RD_RESOURCE_BUFFER };

struct rd_texture_desc {
    uint32_t width_px;
    uint32_t height_px;
    uint32_t layer_count; /**< 0 = 1 */
    uint32_t mip_count;   /**< 0 = 1 */
    uint32_t format;      /**< the back end's number */
};

struct rd_buffer_desc {
    uint64_t size_bytes;
};

struct rd_resource {
    const char *name; /**< borrowed until the next reset */
    enum rd_resource_kind kind;
    bool imported;  /**< lives outside the graph */
    bool kept;      /**< imported, and its last version is read by a later frame */
    void *external; /**< imported: what the importer gave, handed back untouched */
    struct rd_texture_desc texture;
    struct rd_buffer_desc buffer;
    uint16_t last_version;   /**< newest version, an index into versions */
    uint16_t first_position; /**< in execution order; RD_GRAPH_NONE = no live pass touches it */
    uint16_t last_position;
    uint32_t uses; /**< every enum rd_use of the live passes */
};

/** One state of a resource's contents. Version 0 of an imported resource has no producer. */
struct rd_version {
    uint16_t resource;
    uint16_t number;
    uint16_t producer;  /**< pass, or RD_GRAPH_NONE */
    uint16_t readers;   /**< passes that read it, culled ones included */
    uint16_t ref_count; /**< readers that remained after culling, keeping included */
};

enum rd_edge_kind { RD_EDGE_READ, RD_EDGE_WRITE, RD_EDGE_CREATE };

struct rd_edge {
    enum rd_edge_kind kind;
    uint16_t version;  /**< read: the one read; write, create: the one produced */
    uint16_t previous; /**< write: the version it replaces; else RD_GRAPH_NONE */
    uint32_t use;      /**< enum rd_use bits */
};

typedef bool rd_pass_execute(void *user, uint32_t argument);

struct rd_pass {
    const char *name; /**< borrowed until the next reset */
    uint16_t scope;   /**< innermost scope, or RD_GRAPH_NONE */
    enum rd_pass_kind kind;
    uint32_t flags;
    uint16_t first_edge;
    uint16_t edge_count;
    uint16_t ref_count; /**< its products that are still wanted */
    bool culled;
    rd_pass_execute *execute;
    void *user;
    uint32_t argument;
};

struct rd_scope {
    const char *name;
    uint16_t parent; /**< RD_GRAPH_NONE = outermost */
};

struct rd_graph;

/** Told around every pass that runs. `end` is called on every exit, the failing pass included. */
struct rd_graph_listener {
    void *user;
    void (*begin)(void *user, const struct rd_graph *graph, uint16_t pass);
    void (*end)(void *user, const struct rd_graph *graph, uint16_t pass);
};

struct rd_graph {
    struct rd_pass passes[RD_GRAPH_MAX_PASSES];
    struct rd_scope scopes[RD_GRAPH_MAX_SCOPES];
    struct rd_resource resources[RD_GRAPH_MAX_RESOURCES];
    struct rd_version versions[RD_GRAPH_MAX_VERSIONS];
    struct rd_edge edges[RD_GRAPH_MAX_EDGES];
    uint16_t order[RD_GRAPH_MAX_PASSES]; /**< live passes as they will run */
    uint16_t pass_count;
    uint16_t scope_count;
    uint16_t resource_count;
    uint16_t version_count;
    uint16_t edge_count;
    uint16_t order_count;
    const char *error; /**< the first thing that went wrong since the reset, or NULL */
    struct rd_graph_listener listeners[RD_GRAPH_MAX_LISTENERS];
    uint16_t listener_count;
};

/** Forget passes, resources and errors; listeners stay. Also the first initialisation of zeroed
 * memory. */
void rd_graph_reset(struct rd_graph *graph);

/** @return false when the list is full. The same user may listen once. */
bool rd_graph_add_listener(struct rd_graph *graph, const struct rd_graph_listener *listener);
void rd_graph_remove_listener(struct rd_graph *graph, const void *user);

/** A named group of passes; the same name under the same parent gives the same scope. */
uint16_t rd_graph_scope(struct rd_graph *graph, uint16_t parent, const char *name);

/** Everything that a pass needs to run. */
struct rd_pass_desc {
    const char *name;
    uint16_t scope; /**< from rd_graph_scope(), or RD_GRAPH_NONE */
    enum rd_pass_kind kind;
    uint32_t flags;           /**< enum rd_pass_flag */
    rd_pass_execute *execute; /**< NULL = nothing to do */
    void *user;
    uint32_t argument;
};

/**
 * Begin to declare a pass. Reads, writes and creations go to the newest pass only.
 * All declaring functions return RD_GRAPH_NONE after an error; the first error stays in `error`.
 */
uint16_t rd_graph_add_pass(struct rd_graph *graph, const struct rd_pass_desc *desc);

uint16_t rd_graph_import_texture(struct rd_graph *graph, const char *name,
                                 const struct rd_texture_desc *desc, void *external);
uint16_t rd_graph_import_buffer(struct rd_graph *graph, const char *name,
                                const struct rd_buffer_desc *desc, void *external);

/** A later frame reads this imported resource's last version: whoever makes it stays alive. */
void rd_graph_keep(struct rd_graph *graph, uint16_t version);

void rd_graph_read(struct rd_graph *graph, uint16_t pass, uint16_t version, uint32_t use);
/** Replace a version by a new one. What was there before counts as read. */
uint16_t rd_graph_write(struct rd_graph *graph, uint16_t pass, uint16_t version, uint32_t use);
uint16_t rd_graph_create_texture(struct rd_graph *graph, uint16_t pass, const char *name,
                                 const struct rd_texture_desc *desc, uint32_t use);
uint16_t rd_graph_create_buffer(struct rd_graph *graph, uint16_t pass, const char *name,
                                const struct rd_buffer_desc *desc, uint32_t use);

/**
 * Count references, cull, order, find lifetimes.
 *
 * A pass runs after the producers of what it reads, and before a later pass replaces it. Among
 * passes that are free to run, the one declared first does.
 * @return false: a declaration failed, or two passes wait for each other; see `error`.
 */
bool rd_graph_compile(struct rd_graph *graph);

/** Hash of everything that compile saw: equal hashes need equal resources. */
uint64_t rd_graph_hash(const struct rd_graph *graph);

/** What the back end needs around passes; both may be NULL. */
struct rd_graph_backend {
    void *user;
    bool (*before)(void *user, const struct rd_graph *graph, uint16_t position);
};

/** Run the live passes in order, bracketed for the listeners. Stops at the first that fails. */
bool rd_graph_execute(const struct rd_graph *graph, const struct rd_graph_backend *backend);

/** One thing to put into shared memory, alive over positions [first, last]. */
struct rd_placement {
    uint64_t size_bytes;
    uint64_t alignment_bytes;
    uint16_t first_position;
    uint16_t last_position;
    uint64_t offset_bytes; /**< out */
};

/**
 * Give every item an offset so that items alive at once do not overlap. Large ones first, lowest
 * offset that fits.
 * @param count at most RD_GRAPH_MAX_RESOURCES
 * @return the bytes needed in all
 */
uint64_t rd_graph_place(struct rd_placement *items, uint32_t count);

#endif
