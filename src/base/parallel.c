/* SPDX-License-Identifier: MIT */
#include "base/parallel.h"
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
