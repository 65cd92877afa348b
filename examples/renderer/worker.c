/* SPDX-License-Identifier: MIT */
#include "worker.h"

#include <frameglass/instrument.h>
#include <pthread.h>
#include <stdlib.h>

struct rd_worker {
    const char *name;
    pthread_t thread;
    pthread_mutex_t lock;   /**< guards what follows */
    pthread_cond_t changed; /**< there is work, it is done, or all ends */
    void (*work)(void *context);
    void *context;
    bool ending;
};

static void *run(void *argument)
{
    struct rd_worker *worker = argument;
    fg_thread_set_name(worker->name);
    (void)pthread_mutex_lock(&worker->lock);
    while (!worker->ending) {
        if (worker->work == NULL) {
            (void)pthread_cond_wait(&worker->changed, &worker->lock);
            continue;
        }
        (void)pthread_mutex_unlock(&worker->lock);
        worker->work(worker->context); /* nobody changes it until it is done */
        (void)pthread_mutex_lock(&worker->lock);
        worker->work = NULL;
        (void)pthread_cond_broadcast(&worker->changed);
    }
    (void)pthread_mutex_unlock(&worker->lock);
    return NULL;
}

struct rd_worker *rd_worker_create(const char *name)
{
    struct rd_worker *worker = calloc(1, sizeof(*worker));
    if (worker == NULL) {
        return NULL;
    }
    worker->name = name;
    (void)pthread_mutex_init(&worker->lock, NULL);
    (void)pthread_cond_init(&worker->changed, NULL);
    if (pthread_create(&worker->thread, NULL, run, worker) != 0) {
        (void)pthread_cond_destroy(&worker->changed);
        (void)pthread_mutex_destroy(&worker->lock);
        free(worker);
        return NULL;
    }
    return worker;
}

void rd_worker_destroy(struct rd_worker *worker)
{
    if (worker == NULL) {
        return;
    }
    rd_worker_wait(worker);
    (void)pthread_mutex_lock(&worker->lock);
    worker->ending = true;
    (void)pthread_cond_broadcast(&worker->changed);
    (void)pthread_mutex_unlock(&worker->lock);
    (void)pthread_join(worker->thread, NULL);
    (void)pthread_cond_destroy(&worker->changed);
    (void)pthread_mutex_destroy(&worker->lock);
    free(worker);
}

void rd_worker_start(struct rd_worker *worker, void (*work)(void *context), void *context)
{
    if (worker == NULL) {
        work(context);
        return;
    }
    (void)pthread_mutex_lock(&worker->lock);
    worker->work = work;
    worker->context = context;
    (void)pthread_cond_broadcast(&worker->changed);
    (void)pthread_mutex_unlock(&worker->lock);
}

void rd_worker_wait(struct rd_worker *worker)
{
    if (worker == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&worker->lock);
    while (worker->work != NULL) {
        (void)pthread_cond_wait(&worker->changed, &worker->lock);
    }
    (void)pthread_mutex_unlock(&worker->lock);
}
