/* SPDX-License-Identifier: MIT */
/* A detailed capture: the tree, and its way into a session. */
#ifndef FGI_DETAIL_PRIV_H
#define FGI_DETAIL_PRIV_H
#include "record/session_priv.h"
#include <frameglass/detail.h>

/* Spans and arguments that are written under one hold of the recorder's lock. */
#define FGI_DETAIL_CHUNK_NODES     256u
#define FGI_DETAIL_CHUNK_ARGUMENTS 2048u

#define FGI_DETAIL_KEYS 64u

/** Keys that every node has, and the category of nodes: X(member, text) */
#define FGI_DETAIL_WORDS(X)                                                                        \
    X(node, "node")                                                                                \
    X(id, "id")                                                                                    \
    X(total_ns, "total ns")                                                                        \
    X(self_ns, "self ns")                                                                          \
    X(draws, "draws")                                                                              \
    X(self_draws, "self draws")                                                                    \
    X(culled, "culled")

/** Where a chunk of nodes is put together for the writer. */
struct fgi_detail_chunk {
    struct {
#define FGI_DETAIL_WORD(member, text) uint32_t member;
        FGI_DETAIL_WORDS(FGI_DETAIL_WORD)
#undef FGI_DETAIL_WORD
    } words; /**< symbols, of this chunk */
    struct {
        const char *key;
        uint32_t symbol;
    } keys[FGI_DETAIL_KEYS]; /**< of this chunk, by the place of the text in memory */
    struct fg_cap_block_span spans[FGI_DETAIL_CHUNK_NODES + 1]; /**< and a loss */
    uint32_t nodes[FGI_DETAIL_CHUNK_NODES + 1];                 /**< whose span it is */
    struct fg_cap_argument_list lists[FGI_DETAIL_CHUNK_NODES];
    struct fg_cap_argument arguments[FGI_DETAIL_CHUNK_ARGUMENTS];
};

/**
 * One frame's nodes. While a node is open its total and draws hold what they were at the begin, and
 * its own ones what its children have had so far.
 */
struct fg_nodes {
    const struct fgi_recorder *recorder; /**< whose clock; NULL = the system's */
    uint64_t (*draws_so_far)(void *context);
    void *draws_context;
    struct fg_node_cost *costs;
    struct fg_node_attribute *attributes;
    char *texts;
    size_t nodes_max, attributes_max, text_bytes_max;
    size_t attribute_count, text_bytes;
    uint32_t innermost; /**< index of the node that is open */
    uint32_t skipped;   /**< open ones that found no room, inside of it */
    int64_t begin_ns;   /**< of the frame, on the host's clock */
    int64_t last_ns;    /**< from there; times never go back */
    uint64_t told_draws;
    uint64_t last_counted, counted; /**< the latest answer, and what they come to */
    struct fg_detail_tree tree;     /**< its nodes: NULL until a frame has ended */
};

struct fg_detail {
    uint32_t is_on;  /**< the next frame is captured, or one is open: the one load when it is not */
    bool is_open;    /**< a frame is */
    bool is_endless; /**< no count was given */
    uint32_t frames_left;
    uint64_t next_number;
    const struct fg_allocator *allocator;
    char *track;
    size_t track_size;
    struct fg_session *session; /**< NULL = in memory only */
    struct fgi_detail_chunk *chunk;
    struct fg_nodes nodes;
};

/* detail_write.c */
/** The tree of the frame that has ended, into the session. Takes the recorder's lock. */
FG_MUST_USE enum fg_result fgi_detail_write(struct fg_detail *detail);

#endif
