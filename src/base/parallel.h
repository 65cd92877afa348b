/* SPDX-License-Identifier: MIT */
/* The same function on a few threads at once, each with a number of its own. */
#ifndef FGI_PARALLEL_H
#define FGI_PARALLEL_H
#include <frameglass/base.h>

/** No more workers than this run together. */
#define FGI_PARALLEL_MAX 16u

/**
 * Calls run(context, 0) to run(context, workers - 1), and returns when all have. The caller's own
 * thread is one of them; where threads are not to be had (no memory, none on this system) it does
 * the work of those, too, one after the other.
 */
void fgi_parallel(const struct fg_allocator *allocator, unsigned workers,
                  void (*run)(void *context, unsigned worker), void *context);

/** An allocator that several threads may use at once, over one that they may not. */
struct fgi_shared_allocator {
    struct fg_allocator allocator; /**< what the threads get */
    const struct fg_allocator *under;
    struct fgi_mutex *mutex; /**< guards `under` */
};
/** `under` outlives it. FG_OK, FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_shared_allocator_init(struct fgi_shared_allocator *shared,
                                                     const struct fg_allocator *under);
/** What was allocated stays, and may be freed through `under`. */
void fgi_shared_allocator_finish(struct fgi_shared_allocator *shared);

#endif
