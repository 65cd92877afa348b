/* SPDX-License-Identifier: MIT */
/*
 * What is reached from some rows along dependencies, hop by hop, on the device: focus and slices.
 * One graph serves all questions: it goes on with the question that control words tell, by as many
 * small hops as there is room to tell of, and the large one behind them.
 */
#ifndef FGI_GPU_REACH_H
#define FGI_GPU_REACH_H
#include "engine/vulkan/gpu_links.h"

enum fgi_gpu_reach_flags {
    FGI_GPU_REACH_SLICE = 1, /**< whether there is more behind the last hop is asked for */
    FGI_GPU_REACH_RANGE = 2, /**< rows that do not meet the range are not gone through */
};
enum fgi_gpu_reach_ways {
    FGI_GPU_REACH_OUT = 1,
    FGI_GPU_REACH_IN = 2,
};
enum {
    FGI_GPU_REACH_RECORDS = 1024, /**< hops of one run */
    FGI_GPU_REACH_ALONE = 1024,   /**< the most that alone_rows can say */
};

/** Control words of a question: struct reach_words of kernels/reach.glsl. */
struct fgi_gpu_reach_words {
    struct fgi_gpu_column_push out_offsets, out_links, out_others;
    struct fgi_gpu_column_push in_offsets, in_links, in_others;
    struct fgi_gpu_column_push families;
    /** Bits by row; none = all. One graph serves all questions, so this is no use of its nodes:
        what makes the bits is over before the question begins. */
    struct fgi_gpu_column_push passing;
    struct fgi_gpu_column_push best, rows, via, mask, offsets, edges, won;
    int64_t start_ns, end_ns;
    uint32_t wanted;     /**< families */
    uint32_t directions; /**< enum fgi_gpu_reach_ways */
    uint32_t flags;      /**< enum fgi_gpu_reach_flags */
    uint32_t capacity, max_hops, max_rows;
    uint32_t seed_count; /**< rows that lie in `rows`, each once */
    uint32_t record_room;
    uint32_t alone_rows, alone_edges; /**< hops up to these are one group's work */
};
/** struct reach_state of kernels/reach.glsl; struct fg_gpu_focus_state tells a part of it. */
struct fgi_gpu_reach_state {
    uint32_t first, count, hop; /**< of the hop that is next */
    uint32_t edge_base, is_done, expand, edges, won;
    uint32_t record_count; /**< hops that the last run did */
    uint32_t hidden, outside, overflow, is_limited;
    uint32_t behind; /**< rows that were reached and not expanded: the capacity of a hop */
    uint32_t reserved[2];
};
/** Of a hop. */
struct fgi_gpu_reach_record {
    uint32_t expanded, found, edges, reserved;
};

struct fgi_gpu_reach {
    const struct fgi_gpu_links *links;
    struct fg_compute_memory words, state, records;
    struct fg_compute_memory arguments; /**< of three dispatches */
    struct fg_compute_memory sums;
    struct fgi_gpu_column_memory best, rows, via, mask, offsets, edges, won;
};

/**
 * Take memory.
 *
 * @param links borrowed
 * @param reach zero; fgi_gpu_reach_end() also after a failure
 */
FG_MUST_USE enum fg_result fgi_gpu_reach_take(const struct fgi_gpu_links *links,
                                              struct fgi_gpu_reach *reach);
void fgi_gpu_reach_end(struct fgi_gpu_reach *reach);
/** Fill in the columns, and write the words: not while work is in flight. */
void fgi_gpu_reach_write(struct fgi_gpu_reach *reach, struct fgi_gpu_reach_words *words);
/** Add the nodes that begin the question of the words. */
FG_MUST_USE enum fg_result fgi_gpu_reach_begin(const struct fgi_gpu_reach *reach,
                                               const struct fg_compute_sink *sink);
/** Add the nodes that go on with it. */
FG_MUST_USE enum fg_result fgi_gpu_reach_go_on(const struct fgi_gpu_reach *reach,
                                               const struct fg_compute_sink *sink);

#endif
