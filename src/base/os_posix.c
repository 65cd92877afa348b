/* SPDX-License-Identifier: MIT */
/* Every call to a POSIX operating system that the lower floors make. */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/memory_hint.h"
#include "base/thread.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#if defined(__has_include)
#if __has_include(<sys/prctl.h>)
#include <sys/prctl.h>
#endif
#if __has_include(<sys/syscall.h>)
#include <sys/syscall.h>
#endif
#endif

static int64_t read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t fgi_clock_monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

int64_t fgi_clock_wall_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

/* Files. */

struct fg_file_source {
    int descriptor;
};

static enum fg_result file_read_at(void *context, uint64_t offset, void *bytes, size_t size,
                                   size_t *out_read)
{
    const struct fg_file_source *file = context;
    size_t done = 0;
    *out_read = 0;
    if (offset > (uint64_t)INT64_MAX - size) {
        return FG_OK; /* past any end there can be */
    }
    while (done < size) {
        ssize_t got =
            pread(file->descriptor, (char *)bytes + done, size - done, (off_t)(offset + done));
        if (got == 0) {
            break;
        }
        if (got < 0) {
            if (errno == EINTR) {
                continue;
            }
            return FG_ERR_IO;
        }
        done += (size_t)got;
    }
    *out_read = done;
    return FG_OK;
}

static enum fg_result file_size(void *context, uint64_t *out_size_bytes)
{
    const struct fg_file_source *file = context;
    struct stat status;
    if (fstat(file->descriptor, &status) != 0 || status.st_size < 0) {
        return FG_ERR_IO;
    }
    *out_size_bytes = (uint64_t)status.st_size;
    return FG_OK;
}

enum fg_result fg_file_source_open(const char *path, struct fg_file_source **out_file,
                                   struct fg_source *out_source)
{
    struct stat status;
    if (path == NULL || out_file == NULL || out_source == NULL) {
        return FG_ERR_ARGUMENT;
    }
    /* Asked first, because opening a named pipe and closing it again breaks it for its writer. */
    if (stat(path, &status) == 0 && !S_ISREG(status.st_mode)) {
        return FG_ERR_UNSUPPORTED;
    }
    /* O_NONBLOCK: a named pipe without a writer would hang here; it does nothing to files. */
    int descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (descriptor < 0) {
        return errno == ENOENT || errno == ENOTDIR ? FG_ERR_NOT_FOUND : FG_ERR_IO;
    }
    if (fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) {
        close(descriptor);
        return FG_ERR_UNSUPPORTED;
    }
    struct fg_file_source *file = fgi_calloc(NULL, 1, sizeof *file);
    if (file == NULL) {
        close(descriptor);
        return FG_ERR_NO_MEMORY;
    }
    file->descriptor = descriptor;
    *out_file = file;
    *out_source = (struct fg_source){ .read_at = file_read_at, .size = file_size, .context = file };
    return FG_OK;
}

void fg_file_source_close(struct fg_file_source *file)
{
    if (file != NULL) {
        close(file->descriptor);
        fgi_free(NULL, file, sizeof *file);
    }
}

struct fg_file_sink {
    int descriptor;
};

static enum fg_result file_write(void *context, const void *bytes, size_t size)
{
    const struct fg_file_sink *file = context;
    const char *next = bytes;
    while (size != 0) {
        ssize_t put = write(file->descriptor, next, size);
        if (put < 0) {
            if (errno == EINTR) {
                continue;
            }
            return FG_ERR_IO;
        }
        next += put;
        size -= (size_t)put;
    }
    return FG_OK;
}

static enum fg_result file_patch(void *context, uint64_t offset, const void *bytes, size_t size)
{
    const struct fg_file_sink *file = context;
    const char *next = bytes;
    while (size != 0) {
        ssize_t put = pwrite(file->descriptor, next, size, (off_t)offset);
        if (put < 0) {
            if (errno == EINTR) {
                continue;
            }
            return FG_ERR_IO;
        }
        next += put;
        offset += (uint64_t)put;
        size -= (size_t)put;
    }
    return FG_OK;
}

enum fg_result fg_file_sink_open(const char *path, struct fg_file_sink **out_file,
                                 struct fg_sink *out_sink)
{
    if (path == NULL || out_file == NULL || out_sink == NULL) {
        return FG_ERR_ARGUMENT;
    }
    int descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
    if (descriptor < 0) {
        return FG_ERR_IO;
    }
    struct fg_file_sink *file = fgi_calloc(NULL, 1, sizeof *file);
    if (file == NULL) {
        close(descriptor);
        return FG_ERR_NO_MEMORY;
    }
    file->descriptor = descriptor;
    *out_file = file;
    *out_sink = (struct fg_sink){ .write = file_write, .patch = file_patch, .context = file };
    struct stat status;
    if (fstat(descriptor, &status) == 0 && !S_ISREG(status.st_mode)) {
        out_sink->patch = NULL; /* a pipe or a terminal: what is written is gone */
    }
    return FG_OK;
}

enum fg_result fg_file_sink_close(struct fg_file_sink *file)
{
    if (file == NULL) {
        return FG_OK;
    }
    int status = close(file->descriptor);
    fgi_free(NULL, file, sizeof *file);
    return status == 0 ? FG_OK : FG_ERR_IO;
}

/* Threads. */

struct fgi_mutex {
    const struct fg_allocator *allocator;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* on CLOCK_MONOTONIC */
};

enum fg_result fgi_mutex_create(const struct fg_allocator *allocator, struct fgi_mutex **out_mutex)
{
    struct fgi_mutex *mutex = fgi_calloc(allocator, 1, sizeof *mutex);
    if (mutex == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    pthread_condattr_t attributes;
    mutex->allocator = allocator;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_mutex_init(&mutex->lock, NULL);
    pthread_cond_init(&mutex->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    *out_mutex = mutex;
    return FG_OK;
}

void fgi_mutex_destroy(struct fgi_mutex *mutex)
{
    if (mutex != NULL) {
        pthread_cond_destroy(&mutex->changed);
        pthread_mutex_destroy(&mutex->lock);
        fgi_free(mutex->allocator, mutex, sizeof *mutex);
    }
}

void fgi_mutex_lock(struct fgi_mutex *mutex)
{
    pthread_mutex_lock(&mutex->lock);
}

void fgi_mutex_unlock(struct fgi_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->lock);
}

void fgi_mutex_wait(struct fgi_mutex *mutex, int64_t timeout_ns)
{
    int64_t until = fgi_clock_monotonic_ns() + (timeout_ns > 0 ? timeout_ns : 0);
    struct timespec deadline = { .tv_sec = (time_t)(until / 1000000000),
                                 .tv_nsec = (long)(until % 1000000000) };
    pthread_cond_timedwait(&mutex->changed, &mutex->lock, &deadline);
}

void fgi_mutex_wake_all(struct fgi_mutex *mutex)
{
    pthread_cond_broadcast(&mutex->changed);
}

struct fgi_thread {
    const struct fg_allocator *allocator;
    pthread_t handle;
    void (*run)(void *context);
    void *context;
};

static void *thread_main(void *context)
{
    struct fgi_thread *thread = context;
    thread->run(thread->context);
    return NULL;
}

enum fg_result fgi_thread_create(const struct fg_allocator *allocator, void (*run)(void *context),
                                 void *context, struct fgi_thread **out_thread)
{
    struct fgi_thread *thread = fgi_calloc(allocator, 1, sizeof *thread);
    if (thread == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    *thread = (struct fgi_thread){ .allocator = allocator, .run = run, .context = context };
    if (pthread_create(&thread->handle, NULL, thread_main, thread) != 0) {
        fgi_free(allocator, thread, sizeof *thread);
        return FG_ERR_NO_MEMORY;
    }
    *out_thread = thread;
    return FG_OK;
}

void fgi_thread_join(struct fgi_thread *thread)
{
    if (thread != NULL) {
        pthread_join(thread->handle, NULL);
        fgi_free(thread->allocator, thread, sizeof *thread);
    }
}

/* Processors of the calling thread's mask, which threads that it makes inherit; 0: not known. */
static long allowed_processors(void)
{
    long count = 0;
#ifdef SYS_sched_getaffinity
    uint64_t mask[128] = { 0 }; /* of 8,192: a system of more says that this is too little */
    if (syscall(SYS_sched_getaffinity, 0, sizeof mask, mask) > 0) {
        for (size_t i = 0; i < sizeof mask / sizeof mask[0]; i++) {
            for (uint64_t left = mask[i]; left != 0; left &= left - 1) {
                count++;
            }
        }
    }
#endif
    return count;
}

unsigned fgi_processor_count(void)
{
    long count = allowed_processors();
    if (count == 0) {
        count = sysconf(_SC_NPROCESSORS_ONLN);
    }
    return count < 1 ? 1 : count > 1024 ? 1024 : (unsigned)count;
}

void fgi_sleep_ns(int64_t duration_ns)
{
    struct timespec left = { .tv_sec = (time_t)(duration_ns / 1000000000),
                             .tv_nsec = (long)(duration_ns % 1000000000) };
    while (duration_ns > 0 && nanosleep(&left, &left) != 0 && errno == EINTR) {
    }
}

uint32_t fgi_thread_number(void)
{
    static atomic_uint last;
    static _Thread_local uint32_t number;
    if (number == 0) {
        /* relaxed: only uniqueness matters */
        number = atomic_fetch_add_explicit(&last, 1, memory_order_relaxed) + 1;
    }
    return number;
}

uint64_t fgi_thread_os_id(void)
{
#ifdef SYS_gettid
    return (uint64_t)syscall(SYS_gettid);
#else
    return fgi_thread_number();
#endif
}

void fgi_thread_os_name(char *name, size_t size)
{
    char text[17] = "";
#ifdef PR_GET_NAME
    (void)prctl(PR_GET_NAME, text, 0, 0, 0);
#endif
    if (size != 0) {
        const size_t length = strlen(text) < size ? strlen(text) : size - 1;
        memcpy(name, text, length);
        name[length] = 0;
    }
}

enum fg_result fgi_thread_key_create(void (*at_end)(void *value), struct fgi_thread_key *out_key)
{
    pthread_key_t key;
    if (pthread_key_create(&key, at_end) != 0) {
        return FG_ERR_LIMIT;
    }
    out_key->handle = (uint64_t)key;
    return FG_OK;
}

bool fgi_thread_key_set(struct fgi_thread_key key, void *value)
{
    return pthread_setspecific((pthread_key_t)key.handle, value) == 0;
}

enum fg_result fgi_fork_watch(void (*in_child)(void))
{
    return pthread_atfork(NULL, NULL, in_child) == 0 ? FG_OK : FG_ERR_NO_MEMORY;
}

uint32_t fgi_process_id(void)
{
    return (uint32_t)getpid();
}

void fgi_memory_hint_large(void *block, size_t size)
{
#ifdef MADV_HUGEPAGE
    const uintptr_t large = (uintptr_t)2 << 20;
    uintptr_t first = ((uintptr_t)block + large - 1) / large * large;
    uintptr_t end = ((uintptr_t)block + size) / large * large;
    if (block != NULL && end > first) { /* whole large pages; where there are none, it is refused */
        (void)madvise((void *)first, end - first, MADV_HUGEPAGE);
    }
#else
    (void)block;
    (void)size;
#endif
}
