/* SPDX-License-Identifier: MIT */
/*
 * Dependencies on the device: for each row those out of it and those into it, in the order of their
 * numbers; recorded ones before those that follow from frame graphs, as these are numbered.
 */
#ifndef FGI_GPU_LINKS_H
#define FGI_GPU_LINKS_H
#include "engine/vulkan/gpu_columns.h"

/** So that the dependencies of all rows, both ways, can be numbered. */
#define FGI_GPU_LINKS_MAX ((uint32_t)INT32_MAX / 2)

/** One direction: those of row r are [offsets[r], offsets[r + 1]). */
struct fgi_gpu_links_way {
    struct fgi_gpu_column_memory offsets; /**< rows + 1 */
    struct fgi_gpu_column_memory links;   /**< their numbers */
    struct fgi_gpu_column_memory others;  /**< the row at the other end of each */
};

/** What is only needed while they are made. */
struct fgi_gpu_links_making {
    struct fgi_gpu_column_memory sources, targets; /**< by number: to be filled before */
    struct fgi_gpu_column_memory spare_keys[2], spare_payload, digits;
    struct fg_compute_memory sums;
};

struct fgi_gpu_links {
    struct fg_gpu_trace *gpu;
    uint32_t count;
    struct fgi_gpu_links_way out, in;
    struct fgi_gpu_column_memory families; /**< by number: FG_FAMILY(); to be filled */
    struct fgi_gpu_links_making making;
};

/**
 * Take the memory of so many dependencies, at most FGI_GPU_LINKS_MAX, also for making them.
 *
 * @param links zero; fgi_gpu_links_end() also after a failure
 */
FG_MUST_USE enum fg_result fgi_gpu_links_take(struct fg_gpu_trace *gpu, uint32_t count,
                                              struct fgi_gpu_links *links);
/** Add the nodes that make both directions from sources and targets. */
FG_MUST_USE enum fg_result fgi_gpu_links_make(struct fgi_gpu_links *links,
                                              const struct fg_compute_sink *sink);
/** They are made: what that needed is given back. */
void fgi_gpu_links_made(struct fgi_gpu_links *links);
void fgi_gpu_links_end(struct fgi_gpu_links *links);
/** Say that a node reads one direction. */
void fgi_gpu_links_use(struct fgi_prim_node *node, const struct fgi_gpu_links *links,
                       const struct fgi_gpu_links_way *way);

struct fg_gpu_links;
/** What the public lists stand on. */
const struct fgi_gpu_links *fgi_gpu_links_inside(const struct fg_gpu_links *links);

#endif
