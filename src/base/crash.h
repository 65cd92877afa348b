/* SPDX-License-Identifier: MIT */
/*
 * What a program can still do when it crashes. Everything here that is marked so may be called in
 * the callback, which runs in a signal handler: it uses nothing but what POSIX allows there.
 */
#ifndef FGI_CRASH_H
#define FGI_CRASH_H
#include <frameglass/base.h>

/** Signals, as bits. */
enum fgi_crash_signal {
    FGI_CRASH_SEGV = 1u << 0,
    FGI_CRASH_BUS = 1u << 1,
    FGI_CRASH_ABRT = 1u << 2,
    FGI_CRASH_ILL = 1u << 3,
    FGI_CRASH_FPE = 1u << 4,
    FGI_CRASH_ALL = 0x1f,
};

struct fgi_crash {
    enum fgi_crash_signal signal;
    const char *name;  /**< "SIGSEGV" */
    uintptr_t address; /**< that the fault was about; 0 = none is known, or it was sent */
};

/** Who is told of crashes. Borrowed from fgi_crash_watch() to fgi_crash_unwatch(). */
struct fgi_crash_watch {
    uint32_t signals;
    /**
     * In the handler, on the thread that crashed, on its alternate stack where it has one: be
     * frugal (2 KiB). Not called again until it has returned: a second thread that crashes
     * meanwhile waits, for five seconds at most. Then the handler runs that was there before.
     */
    void (*call)(void *context, const struct fgi_crash *crash);
    void *context;
};
/** FG_OK, FG_ERR_LIMIT (8 are watching), FG_ERR_IO. */
FG_MUST_USE enum fg_result fgi_crash_watch(const struct fgi_crash_watch *watch);
/** After it returns `watch` is not touched any more. Handlers of ours go with the last one. */
void fgi_crash_unwatch(const struct fgi_crash_watch *watch);

/* ---- in the callback only -------------------------------------------------------------------- */

/** Run a part that may crash itself; false: it did, and was left where it was. Not nested. */
bool fgi_crash_try(void (*part)(void *context), void *context);

struct fgi_crash_file {
    int descriptor;
    uint64_t size_bytes; /**< written so far */
    bool failed;         /**< a write was refused: the rest does nothing */
};
/** Make a new file. FG_OK, FG_ERR_BUSY (it is there already), FG_ERR_IO. */
FG_MUST_USE enum fg_result fgi_crash_file_open(struct fgi_crash_file *file, const char *path);
void fgi_crash_file_write(struct fgi_crash_file *file, const void *bytes, size_t size);
/** Closed, and cut to `size_bytes`. */
void fgi_crash_file_close(struct fgi_crash_file *file, uint64_t size_bytes);
int64_t fgi_crash_wall_ns(void);
int64_t fgi_crash_monotonic_ns(void);

#endif
