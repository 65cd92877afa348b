/* SPDX-License-Identifier: MIT */
/* A thread beside the renderer's own, for what a frame needs and the device does not wait for. */
#ifndef RD_WORKER_H
#define RD_WORKER_H

struct rd_worker;

/** @param name borrowed. NULL: no thread; then work is done where it starts. */
struct rd_worker *rd_worker_create(const char *name);
/** NULL is accepted. */
void rd_worker_destroy(struct rd_worker *worker);
/** Begin; one at a time. @param context borrowed until rd_worker_wait() */
void rd_worker_start(struct rd_worker *worker, void (*work)(void *context), void *context);
/** Until it is done. */
void rd_worker_wait(struct rd_worker *worker);

#endif
