/* SPDX-License-Identifier: MIT */
#include "game_jobs.h"

#include <frameglass/instrument.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { QUEUE_PARTS = 256, THREADS_MAX = 64 };

struct part {
    struct gm_job job;
    uint32_t number;
};
struct gm_jobs {
    pthread_mutex_t lock; /* guards what follows */
    pthread_cond_t some;  /* there is a part to take, or all end */
    pthread_cond_t done;  /* the last part is done, or there is room again */
    struct part queue[QUEUE_PARTS];
    uint32_t first, queued;
    uint32_t running;
    bool ending;
    pthread_t threads[THREADS_MAX]; /* these two are the creator's */
    uint32_t thread_count;
};

/* With the lock; without it while the job runs. */
static void run_one(struct gm_jobs *jobs)
{
    const struct part part = jobs->queue[jobs->first];
    jobs->first = (jobs->first + 1) % QUEUE_PARTS;
    jobs->queued--;
    jobs->running++;
    (void)pthread_mutex_unlock(&jobs->lock);
    {
        /* The name is another one each time, so the macro, which reads it once, does not fit. */
        const struct fg_zone zone = fg_zone_begin(part.job.name, FG_CATEGORY_APPLICATION);
        part.job.run(part.job.context, part.number);
        (void)fg_zone_end(zone);
    }
    FG_FRAME_COUNTER_ADD("Jobs/Run", FG_UNIT_COUNT, 1);
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->running--;
    (void)pthread_cond_broadcast(&jobs->done);
}

static void *work(void *context)
{
    struct gm_jobs *jobs = context;
    (void)pthread_mutex_lock(&jobs->lock);
    for (uint32_t i = 0; i < jobs->thread_count; i++) {
        if (pthread_equal(jobs->threads[i], pthread_self())) {
            char name[32];
            (void)snprintf(name, sizeof(name), "worker %u", i + 1);
            fg_thread_set_name(name);
        }
    }
    while (!jobs->ending) {
        if (jobs->queued != 0) {
            run_one(jobs);
        } else {
            (void)pthread_cond_wait(&jobs->some, &jobs->lock);
        }
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    return NULL;
}

struct gm_jobs *gm_jobs_create(uint32_t thread_count)
{
    struct gm_jobs *jobs = calloc(1, sizeof(*jobs));
    bool ok = jobs != NULL && thread_count <= THREADS_MAX;
    if (!ok) {
        free(jobs);
        return NULL;
    }
    (void)pthread_mutex_init(&jobs->lock, NULL);
    (void)pthread_cond_init(&jobs->some, NULL);
    (void)pthread_cond_init(&jobs->done, NULL);
    (void)pthread_mutex_lock(&jobs->lock); /* threads look for their number when all are there */
    while (ok && jobs->thread_count < thread_count) {
        ok = pthread_create(&jobs->threads[jobs->thread_count], NULL, work, jobs) == 0;
        jobs->thread_count += ok ? 1 : 0;
    }
    (void)pthread_mutex_unlock(&jobs->lock);
    if (!ok) {
        gm_jobs_destroy(jobs);
        return NULL;
    }
    return jobs;
}

void gm_jobs_destroy(struct gm_jobs *jobs)
{
    if (jobs == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&jobs->lock);
    jobs->ending = true;
    (void)pthread_cond_broadcast(&jobs->some);
    (void)pthread_mutex_unlock(&jobs->lock);
    for (uint32_t i = 0; i < jobs->thread_count; i++) {
        (void)pthread_join(jobs->threads[i], NULL);
    }
    (void)pthread_cond_destroy(&jobs->some);
    (void)pthread_cond_destroy(&jobs->done);
    (void)pthread_mutex_destroy(&jobs->lock);
    free(jobs);
}

void gm_jobs_start(struct gm_jobs *jobs, const struct gm_job *job, uint32_t part_count)
{
    (void)pthread_mutex_lock(&jobs->lock);
    for (uint32_t i = 0; i < part_count; i++) {
        while (jobs->queued == QUEUE_PARTS) {
            run_one(jobs);
        }
        const uint32_t at = (jobs->first + jobs->queued++) % QUEUE_PARTS;
        jobs->queue[at] = (struct part){ .job = *job, .number = i };
    }
    (void)pthread_cond_broadcast(&jobs->some);
    (void)pthread_mutex_unlock(&jobs->lock);
}

void gm_jobs_wait(struct gm_jobs *jobs)
{
    FG_ZONE("Jobs/Wait");
    (void)pthread_mutex_lock(&jobs->lock);
    while (jobs->queued != 0 || jobs->running != 0) {
        if (jobs->queued != 0) {
            run_one(jobs);
        } else {
            (void)pthread_cond_wait(&jobs->done, &jobs->lock);
        }
    }
    (void)pthread_mutex_unlock(&jobs->lock);
}
