/* SPDX-License-Identifier: MIT */
/*
 * The operating system that a WebAssembly module has: none. One thread, no files, no clock. Bytes
 * come from the embedder through a source of its own; what would have to wait or start a thread
 * says that it cannot.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/memory_hint.h"
#include "base/thread.h"

#include <assert.h>
#include <wasi/api.h>

/* Nothing that runs in the page measures itself: a clock that stands still is honest and pure. */
int64_t fgi_clock_monotonic_ns(void)
{
    return 0;
}

int64_t fgi_clock_wall_ns(void)
{
    return 0;
}

enum fg_result fg_file_source_open(const char *path, struct fg_file_source **out_file,
                                   struct fg_source *out_source)
{
    (void)path;
    (void)out_file;
    (void)out_source;
    return FG_ERR_UNSUPPORTED;
}

void fg_file_source_close(struct fg_file_source *file)
{
    (void)file;
}

enum fg_result fg_file_sink_open(const char *path, struct fg_file_sink **out_file,
                                 struct fg_sink *out_sink)
{
    (void)path;
    (void)out_file;
    (void)out_sink;
    return FG_ERR_UNSUPPORTED;
}

enum fg_result fg_file_sink_close(struct fg_file_sink *file)
{
    (void)file;
    return FG_OK;
}

/* One thread: a mutex is always free. The object is there for its address. */
struct fgi_mutex {
    const struct fg_allocator *allocator;
};

enum fg_result fgi_mutex_create(const struct fg_allocator *allocator, struct fgi_mutex **out_mutex)
{
    struct fgi_mutex *mutex = fgi_calloc(allocator, 1, sizeof *mutex);
    if (mutex == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    mutex->allocator = allocator;
    *out_mutex = mutex;
    return FG_OK;
}

void fgi_mutex_destroy(struct fgi_mutex *mutex)
{
    if (mutex != NULL) {
        fgi_free(mutex->allocator, mutex, sizeof *mutex);
    }
}

void fgi_mutex_lock(struct fgi_mutex *mutex)
{
    (void)mutex;
}

void fgi_mutex_unlock(struct fgi_mutex *mutex)
{
    (void)mutex;
}

void fgi_mutex_wait(struct fgi_mutex *mutex, int64_t timeout_ns)
{
    (void)mutex;
    (void)timeout_ns;
}

void fgi_mutex_wake_all(struct fgi_mutex *mutex)
{
    (void)mutex;
}

enum fg_result fgi_thread_create(const struct fg_allocator *allocator, void (*run)(void *context),
                                 void *context, struct fgi_thread **out_thread)
{
    (void)allocator;
    (void)run;
    (void)context;
    (void)out_thread;
    return FG_ERR_UNSUPPORTED;
}

void fgi_thread_join(struct fgi_thread *thread)
{
    (void)thread;
}

void fgi_sleep_ns(int64_t duration_ns)
{
    (void)duration_ns;
}

unsigned fgi_processor_count(void)
{
    return 1;
}

uint32_t fgi_thread_number(void)
{
    return 1;
}

uint64_t fgi_thread_os_id(void)
{
    return 1;
}

void fgi_thread_os_name(char *name, size_t size)
{
    if (size != 0) {
        name[0] = 0;
    }
}

enum fg_result fgi_thread_key_create(void (*at_end)(void *value), struct fgi_thread_key *out_key)
{
    (void)at_end;
    out_key->handle = 0;
    return FG_OK; /* the only thread never ends */
}

bool fgi_thread_key_set(struct fgi_thread_key key, void *value)
{
    (void)key;
    (void)value;
    return true;
}

enum fg_result fgi_fork_watch(void (*in_child)(void))
{
    (void)in_child;
    return FG_OK; /* and has no children */
}

uint32_t fgi_process_id(void)
{
    return 1;
}

/*
 * What the C library's printing stands on. Nothing here prints, but snprintf() is linked with it,
 * and without these the module would want them of its embedder. A broken contract traps.
 */
_Noreturn void __assert_fail(const char *condition, const char *file, int line,
                             const char *function)
{
    (void)condition;
    (void)file;
    (void)line;
    (void)function;
    __builtin_trap();
}

_Noreturn void __wasi_proc_exit(__wasi_exitcode_t code)
{
    (void)code;
    __builtin_trap();
}

__wasi_errno_t __wasi_fd_close(__wasi_fd_t descriptor)
{
    (void)descriptor;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_seek(__wasi_fd_t descriptor, __wasi_filedelta_t offset,
                              __wasi_whence_t whence, __wasi_filesize_t *out_offset)
{
    (void)descriptor;
    (void)offset;
    (void)whence;
    (void)out_offset;
    return __WASI_ERRNO_BADF;
}

__wasi_errno_t __wasi_fd_write(__wasi_fd_t descriptor, const __wasi_ciovec_t *pieces, size_t count,
                               __wasi_size_t *out_written)
{
    (void)descriptor;
    (void)pieces;
    (void)count;
    (void)out_written;
    return __WASI_ERRNO_BADF;
}

void fgi_memory_hint_large(void *block, size_t size)
{
    (void)block;
    (void)size;
}
