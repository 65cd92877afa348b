/* SPDX-License-Identifier: MIT */
/* The frame graphs of a trace: topologies, their passes and resource versions, and what follows. */
#ifndef FG_TRACE_STRUCTURE_H
#define FG_TRACE_STRUCTURE_H
#include <frameglass/trace.h>

FG_BEGIN_DECLS

/** A size that is not known. Never zero. */
#define FG_UNKNOWN_BYTES UINT64_MAX

enum fg_node_kind {
    FG_NODE_UNKNOWN = 0,
    FG_NODE_BUFFER = 1,
    FG_NODE_TEXTURE = 2,
    FG_NODE_ACCELERATION = 3,
};

/** A pass of a topology, in execution order. Its lists hold indices of resource versions. */
struct fg_topology_pass {
    uint64_t id;       /**< the application's own number */
    uint32_t pass;     /**< index into the passes of the trace: its identity */
    uint32_t name;     /**< text id */
    uint32_t scope;    /**< text id of its scope path; 0 = outermost */
    uint32_t scope_at; /**< index of its scope; none where there are not so many */
    bool side_effect;  /**< kept whoever reads it */
    bool async;        /**< meant for another queue */
    const uint32_t *reads, *writes, *creates;
    uint32_t read_count, write_count, create_count;
};

/** A scope of passes; parents come before children. */
struct fg_topology_scope {
    uint32_t name;   /**< text id */
    uint32_t path;   /**< text id: names from the outermost one on, joined with "/" */
    uint32_t parent; /**< index, or FG_NONE */
};

/** One version of a resource. Fields of the other kind are zero. */
struct fg_topology_resource {
    uint64_t id; /**< the same for all versions */
    uint32_t name;
    uint32_t version;
    uint32_t previous; /**< index of the version before it, or FG_NONE */
    enum fg_node_kind kind;
    bool transient, imported;
    uint32_t producer;               /**< pass that makes this version, or FG_NONE */
    uint32_t first_write, last_read; /**< passes, or FG_NONE: the lifetime */
    const uint32_t *readers;         /**< passes, ascending */
    uint32_t reader_count;
    uint64_t footprint_bytes; /**< declared, never allocated; or FG_UNKNOWN_BYTES */
    uint64_t usage;           /**< VkBufferUsageFlags or VkImageUsageFlags */
    uint64_t size_bytes, clear_offset_bytes, clear_bytes;
    uint32_t format, dimension, width, height, depth, mips, layers, samples;
};

struct fg_topology {
    uint64_t hash;
    uint32_t name;
    uint32_t frame_count; /**< frames that use it */
    uint32_t first_frame; /**< index, or FG_NONE */
    const struct fg_topology_pass *passes;
    uint32_t pass_count;
    const struct fg_topology_scope *scopes;
    uint32_t scope_count;
    const struct fg_topology_resource *resources;
    uint32_t resource_count;
    const uint32_t *edges; /**< 2 * edge_count passes: orders that no resource explains */
    uint32_t edge_count;
    uint64_t declared_bytes; /**< sum of the known footprints, each resource once at its largest */
    uint64_t peak_bytes;     /**< largest sum of footprints alive at one pass */
    uint32_t unknown_bytes_count; /**< resources whose footprint is not known: not in the sums */
};

/** What one frame made of a pass. */
struct fg_frame_pass {
    bool is_known; /**< the frame says something about this pass */
    bool culled;
    bool failed;        /**< left by an error */
    uint32_t ref_count; /**< readers left after culling */
};

FG_API const struct fg_topology *fg_trace_topology(const struct fg_trace *trace, uint32_t i);
/**
 * What a frame made of the passes of its topology: `pass_count` items, lent until the trace ends.
 * NULL when the frame has no topology or nothing was recorded.
 */
FG_API const struct fg_frame_pass *fg_trace_frame_passes(const struct fg_trace *trace,
                                                         uint32_t frame);
/**
 * Everything that a pass depends on, however far: passes that made what it reads, what those read,
 * and orders without a resource.
 *
 * @param out_passes    pass_count items, 1 = is an input (the pass itself is not, unless in a ring)
 * @param out_resources resource_count items, 1 = is read by the pass or by one of its inputs
 * @return FG_OK, FG_ERR_ARGUMENT (no such pass), FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_topology_inputs(const struct fg_topology *topology,
                                                     uint32_t pass, uint8_t *out_passes,
                                                     uint8_t *out_resources);

FG_END_DECLS
#endif
