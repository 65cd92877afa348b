/* SPDX-License-Identifier: MIT */
/* The terms of a filter while it is made. */
#ifndef FGI_FILTER_TERMS_H
#define FGI_FILTER_TERMS_H
#include "engine/cpu/engine_cpu_priv.h"

struct fgi_bytes;

/** Terms with their lists turned into sets of bits, so that a row is judged in constant time. */
struct fgi_judge {
    struct fg_filter_terms terms; /**< its lists were the caller's: they may be gone */
    const uint64_t *text, *names, *categories, *tracks;
    const uint64_t *mask; /**< bits past mask_rows are 0 */
    uint32_t mask_rows;
    const uint64_t *similar; /**< parents that are hidden; NULL = none */
};
/** What it needs is copied into the arena. False when refused. */
bool fgi_judge_make(const struct fg_trace *trace, struct fgi_arena *arena,
                    const struct fg_filter_terms *terms, struct fgi_judge *out_judge);
bool fgi_judge_passes(const struct fgi_judge *judge, const struct fg_trace *trace,
                      const struct fgi_block *block, uint32_t i);
/** Equal bytes for equal terms; only while the caller's lists are there. Failures: key->result. */
void fgi_judge_put_key(struct fgi_bytes *key, const struct fg_allocator *allocator,
                       struct fgi_arena *arena, const struct fgi_judge *judge);
/** Do the two durations differ by at most so many percent of the parent's? */
bool fgi_is_similar(uint64_t parent_ns, uint64_t child_ns, uint32_t percent);

#endif
