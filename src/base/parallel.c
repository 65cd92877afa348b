/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"
#include "base/alloc.h"
#include "base/thread.h"

struct share {
    void (*run)(void *context, unsigned worker);
    void *context;
    unsigned worker;
    struct fgi_thread *thread;
};

static void run_share(void *context)
{
    struct share *share = context;
    share->run(share->context, share->worker);
}

void fgi_parallel(const struct fg_allocator *allocator, unsigned workers,
                  void (*run)(void *context, unsigned worker), void *context)
{
    struct share shares[FGI_PARALLEL_MAX] = { 0 };
    unsigned started = workers < FGI_PARALLEL_MAX ? workers : FGI_PARALLEL_MAX;
    for (unsigned i = 1; i < started; i++) {
        shares[i] = (struct share){ run, context, i, NULL };
        if (fgi_thread_create(allocator, run_share, &shares[i], &shares[i].thread) != FG_OK) {
            started = i;
        }
    }
    if (workers > 0) {
        run(context, 0);
    }
    for (unsigned i = started > 0 ? started : 1; i < workers; i++) {
        run(context, i);
    }
    for (unsigned i = 1; i < started; i++) {
        fgi_thread_join(shares[i].thread);
    }
}

static void *resize_shared(void *context, void *block, size_t old_size, size_t size)
{
    struct fgi_shared_allocator *shared = context;
    fgi_mutex_lock(shared->mutex);
    void *resized = shared->under->resize(shared->under->context, block, old_size, size);
    fgi_mutex_unlock(shared->mutex);
    return resized;
}

enum fg_result fgi_shared_allocator_init(struct fgi_shared_allocator *shared,
                                         const struct fg_allocator *under)
{
    *shared = (struct fgi_shared_allocator){ .allocator = { resize_shared, shared },
                                             .under = fgi_allocator(under) };
    return fgi_mutex_create(under, &shared->mutex);
}

void fgi_shared_allocator_finish(struct fgi_shared_allocator *shared)
{
    fgi_mutex_destroy(shared->mutex);
    shared->mutex = NULL;
}
