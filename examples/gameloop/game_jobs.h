/* SPDX-License-Identifier: MIT */
/* Worker threads and the work that they share. Each job is a zone on the thread that ran it. */
#ifndef GAME_JOBS_H
#define GAME_JOBS_H
#include <stdbool.h>
#include <stdint.h>

struct gm_jobs;
struct gm_job {
    const char *name; /**< of its zone; lives for ever */
    void (*run)(void *context, uint32_t part);
    void *context; /**< borrowed until the next gm_jobs_wait() */
};

/** @param thread_count 0 = jobs run where they are waited for. NULL: out of memory or threads. */
struct gm_jobs *gm_jobs_create(uint32_t thread_count);
void gm_jobs_destroy(struct gm_jobs *jobs);
/** Call job->run() with every part from 0, somewhere, in any order. */
void gm_jobs_start(struct gm_jobs *jobs, const struct gm_job *job, uint32_t part_count);
/** Help until all that was started is done. */
void gm_jobs_wait(struct gm_jobs *jobs);

#endif
