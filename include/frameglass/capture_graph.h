/* SPDX-License-Identifier: MIT */
/* Payload structs of a capture: conventions, and the frame graph. Layout: docs/FORMAT.md. */
#ifndef FG_CAPTURE_GRAPH_H
#define FG_CAPTURE_GRAPH_H
#include <frameglass/base.h>

FG_BEGIN_DECLS

/*
 * Conventions of all payload structs:
 * - an array is a pointer and a count; after decoding it lives as long as the record does;
 * - `symbol` numbers come from fg_capture_writer_symbol(); 0 is the empty string;
 * - a reference that is not there is FG_CAP_NONE; a number that is not known is FG_CAP_UNKNOWN,
 *   which is never the same as zero;
 * - ticks are of the clock that the record names; nanoseconds are computed when reading;
 * - values of an enumeration that a reader does not know are kept as they are.
 */
#define FG_CAP_NONE    UINT32_MAX
#define FG_CAP_UNKNOWN UINT64_MAX

/**
 * Text carried in place, not as a symbol. Not necessarily terminated. NULL with size 0 is empty.
 */
struct fg_cap_text {
    const char *data;
    size_t size;
};

/** How much is recorded. */
enum fg_cap_level {
    FG_CAP_LEVEL_TIMING = 0,
    FG_CAP_LEVEL_STRUCTURE = 1,
    FG_CAP_LEVEL_WORKLOAD = 2,
    FG_CAP_LEVEL_VERBOSE = 3,
};

/* ---- TOPO: the frame graph as it was compiled ------------------------------------------------ */

/** One link of the scope chains: scopes form a forest, parents before children. */
struct fg_cap_scope {
    uint32_t name;   /**< symbol */
    uint32_t parent; /**< index of a scope before this one, or FG_CAP_NONE */
};

enum fg_cap_pass_flags {
    FG_CAP_PASS_SIDE_EFFECT = 1, /**< survives culling whatever its reference count */
    FG_CAP_PASS_ASYNC = 2,       /**< meant for another queue than the frame's main one */
};

/** A pass of the frame graph. Edges are indices into the topology's resource versions. */
struct fg_cap_graph_pass {
    uint64_t id;    /**< the application's own number */
    uint32_t name;  /**< symbol */
    uint32_t scope; /**< index into scopes, or FG_CAP_NONE */
    uint32_t flags; /**< enum fg_cap_pass_flags */
    const uint32_t *reads;
    size_t read_count;
    const uint32_t *writes;
    size_t write_count;
    const uint32_t *creates;
    size_t create_count;
};

enum fg_cap_resource_flags {
    FG_CAP_RESOURCE_TRANSIENT = 1, /**< lives inside the frame */
    FG_CAP_RESOURCE_IMPORTED = 2,  /**< comes from outside the graph */
};
enum fg_cap_resource_kind {
    FG_CAP_RESOURCE_OTHER = 0,
    FG_CAP_RESOURCE_BUFFER = 1,
    FG_CAP_RESOURCE_TEXTURE = 2,
};

/**
 * One version of a resource. Fields of the other kind stay zero. `format` has the numbers of
 * Vulkan's VkFormat, `usage` those of VkBufferUsageFlags or VkImageUsageFlags, whatever the API.
 */
struct fg_cap_resource {
    uint64_t id;   /**< same for all versions of one resource */
    uint32_t name; /**< symbol */
    uint32_t version;
    uint32_t flags;    /**< enum fg_cap_resource_flags */
    uint32_t producer; /**< index of the pass that makes this version, or FG_CAP_NONE */
    uint32_t kind;     /**< enum fg_cap_resource_kind */
    uint64_t usage;
    uint64_t footprint_bytes; /**< declared, computed when recording; FG_CAP_UNKNOWN possible */
    uint64_t size_bytes;      /**< buffer */
    uint64_t clear_offset;    /**< buffer: the range that is cleared */
    uint64_t clear_bytes;     /**< 0 = not cleared */
    uint32_t format;          /**< texture */
    uint32_t dimension;       /**< texture: 1, 2 or 3 */
    uint32_t width;
    uint32_t height;
    uint32_t depth;
    uint32_t mip_count;
    uint32_t layer_count;
    uint32_t sample_count;
};

enum fg_cap_gpu_pass_kind {
    FG_CAP_GPU_PASS_OTHER = 0,
    FG_CAP_GPU_PASS_RENDER = 1,
    FG_CAP_GPU_PASS_COMPUTE = 2,
    FG_CAP_GPU_PASS_TRANSFER = 3,
    FG_CAP_GPU_PASS_RAY_TRACING = 4,
    FG_CAP_GPU_PASS_MARKER = 5,     /**< a part of a pass; never mixed with pass spans */
    FG_CAP_GPU_PASS_SUBMISSION = 6, /**< a whole submission that could not be timed per pass */
};

/** An entry of the topology's GPU-pass list, which frames refer to by index. */
struct fg_cap_topology_gpu_pass {
    uint32_t owner; /**< index of the graph pass, or FG_CAP_NONE: unattributed */
    uint32_t kind;  /**< enum fg_cap_gpu_pass_kind */
    uint32_t label; /**< symbol */
};

/** An order between two passes that no resource explains. */
struct fg_cap_edge {
    uint32_t from; /**< graph pass */
    uint32_t to;   /**< graph pass */
};

struct fg_cap_topology {
    uint32_t id;   /**< set by the writer and the reader */
    uint64_t hash; /**< content hash, equal across files for equal content; set by the writer */
    uint32_t name; /**< symbol; which graph, when there are several */
    const struct fg_cap_scope *scopes;
    size_t scope_count;
    const struct fg_cap_graph_pass *passes;
    size_t pass_count;
    const struct fg_cap_resource *resources;
    size_t resource_count;
    const struct fg_cap_topology_gpu_pass *gpu_passes;
    size_t gpu_pass_count;
    const struct fg_cap_edge *edges;
    size_t edge_count;
};

FG_END_DECLS
#endif
