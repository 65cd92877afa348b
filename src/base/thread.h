/* SPDX-License-Identifier: MIT */
/* Threads, one mutex, one condition: what the parts above need of them and no more. */
#ifndef FGI_THREAD_H
#define FGI_THREAD_H
#include <frameglass/base.h>

struct fgi_mutex;
struct fgi_thread;

/** FG_OK or FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_mutex_create(const struct fg_allocator *allocator,
                                            struct fgi_mutex **out_mutex);
void fgi_mutex_destroy(struct fgi_mutex *mutex);
void fgi_mutex_lock(struct fgi_mutex *mutex);
void fgi_mutex_unlock(struct fgi_mutex *mutex);
/** Sleep until woken or `timeout_ns` is over (spurious wake-ups happen); the caller holds it. */
void fgi_mutex_wait(struct fgi_mutex *mutex, int64_t timeout_ns);
void fgi_mutex_wake_all(struct fgi_mutex *mutex);

/** FG_OK, FG_ERR_NO_MEMORY, FG_ERR_UNSUPPORTED (no threads here). */
FG_MUST_USE enum fg_result fgi_thread_create(const struct fg_allocator *allocator,
                                             void (*run)(void *context), void *context,
                                             struct fgi_thread **out_thread);
/** Waits for its end and frees it. */
void fgi_thread_join(struct fgi_thread *thread);
void fgi_sleep_ns(int64_t duration_ns);
/** Processors that threads of this process may use; at least 1. */
unsigned fgi_processor_count(void);
/** Small number of the calling thread, from 1, unique in the process and never reused. */
uint32_t fgi_thread_number(void);
/** The operating system's number for the calling thread. */
uint64_t fgi_thread_os_id(void);
/** What the operating system calls the calling thread; "" when it does not say. */
void fgi_thread_os_name(char *name, size_t size);
/** Id of the process; changes in a fork's child. */
uint32_t fgi_process_id(void);

/** A value of each thread that is handed to `at_end` when the thread ends. Never given back. */
struct fgi_thread_key {
    uint64_t handle;
};
/** FG_OK, FG_ERR_LIMIT (the process has no more keys). */
FG_MUST_USE enum fg_result fgi_thread_key_create(void (*at_end)(void *value),
                                                 struct fgi_thread_key *out_key);
/** The calling thread's value; NULL takes it back. False: memory ran out. */
bool fgi_thread_key_set(struct fgi_thread_key key, void *value);
/** From now on called in every child of a fork, by its only thread. FG_OK, FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_fork_watch(void (*in_child)(void));

#endif
