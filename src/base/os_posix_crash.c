/* SPDX-License-Identifier: MIT */
/*
 * Handlers for the signals of crashes. What runs inside of one is below the line "in the handler":
 * no locks, no allocation, no stdio; a test lists what this file may call.
 */
#include "base/crash.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <time.h>
#include <unistd.h>

enum { WATCHES_MAX = 8, SIGNALS = 5, WAIT_STEPS = 500, WAIT_STEP_MS = 10 };

static const struct {
    int number;
    enum fgi_crash_signal signal;
    const char *name;
} signals[SIGNALS] = {
    { SIGSEGV, FGI_CRASH_SEGV, "SIGSEGV" }, { SIGBUS, FGI_CRASH_BUS, "SIGBUS" },
    { SIGABRT, FGI_CRASH_ABRT, "SIGABRT" }, { SIGILL, FGI_CRASH_ILL, "SIGILL" },
    { SIGFPE, FGI_CRASH_FPE, "SIGFPE" },
};

/* guarded by `lock`, except that handlers read what was written before they were installed */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct sigaction before[SIGNALS];
static bool installed[SIGNALS];

static _Atomic(const struct fgi_crash_watch *) watches[WATCHES_MAX];
/** The thread whose handler runs the callbacks; 0 = none. */
static _Atomic uintptr_t owner;

/* Of the owner only. */
static sigjmp_buf way_out;
static volatile sig_atomic_t is_trying;

/* ---- in the handler -------------------------------------------------------------------------- */

static void call_watches(int index, const siginfo_t *info)
{
    struct fgi_crash crash = {
        .signal = signals[index].signal,
        .name = signals[index].name,
        /* A positive code is the kernel's: only then is there an address. */
        .address = info->si_code > 0 ? (uintptr_t)info->si_addr : 0,
    };
    for (int i = 0; i < WATCHES_MAX; i++) {
        /* seq_cst: after the store of `owner`; partner: fgi_crash_unwatch() */
        const struct fgi_crash_watch *watch =
            atomic_load_explicit(&watches[i], memory_order_seq_cst);
        if (watch != NULL && (watch->signals & crash.signal) != 0) {
            watch->call(watch->context, &crash);
        }
    }
}

static void wait_for_owner(void)
{
    for (int i = 0; i < WAIT_STEPS; i++) {
        /* acquire: nothing is read that the owner wrote; it only keeps the order of the steps */
        if (atomic_load_explicit(&owner, memory_order_acquire) == 0) {
            return;
        }
        (void)poll(NULL, 0, WAIT_STEP_MS);
    }
}

static void set_default(int number)
{
    struct sigaction action = { .sa_handler = SIG_DFL };
    (void)sigemptyset(&action.sa_mask);
    (void)sigaction(number, &action, NULL);
}

/** What the process would have done without us. */
static void run_before(int index, siginfo_t *info, void *machine)
{
    int number = signals[index].number;
    const struct sigaction *action = &before[index];
    bool was_sent = info->si_code <= 0;
    bool is_function = (action->sa_flags & SA_SIGINFO) != 0 ||
                       (action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN);
    if (is_function) {
        if ((action->sa_flags & SA_RESETHAND) != 0) {
            set_default(number);
        }
        (void)pthread_sigmask(SIG_BLOCK, &action->sa_mask, NULL);
        if ((action->sa_flags & SA_SIGINFO) != 0) {
            action->sa_sigaction(number, info, machine);
        } else {
            action->sa_handler(number);
        }
        return;
    }
    if (action->sa_handler == SIG_IGN && was_sent) {
        return;
    }
    set_default(number);
    if (was_sent) {
        (void)raise(number); /* a fault happens again by itself, with the machine as it was */
    }
}

static void on_signal(int number, siginfo_t *info, void *machine)
{
    int saved = errno;
    uintptr_t self = (uintptr_t)pthread_self();
    uintptr_t found = 0;
    int index = 0;
    while (index < SIGNALS - 1 && signals[index].number != number) {
        index++;
    }
    if (atomic_compare_exchange_strong_explicit(&owner, &found, self, memory_order_seq_cst,
                                                memory_order_seq_cst)) {
        call_watches(index, info);
        is_trying = 0;
        /* release: all of the callbacks; partners: wait_for_owner(), fgi_crash_unwatch() */
        atomic_store_explicit(&owner, 0, memory_order_release);
    } else if (found != self) {
        wait_for_owner();
    } else if (is_trying) {
        siglongjmp(way_out, 1);
    }
    run_before(index, info, machine);
    errno = saved;
}

bool fgi_crash_try(void (*part)(void *context), void *context)
{
    if (sigsetjmp(way_out, 1) != 0) {
        is_trying = 0;
        return false;
    }
    is_trying = 1;
    part(context);
    is_trying = 0;
    return true;
}

enum fg_result fgi_crash_file_open(struct fgi_crash_file *file, const char *path)
{
    *file = (struct fgi_crash_file){ .descriptor = -1, .failed = true };
    int descriptor;
    do {
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor < 0 && errno == EINTR);
    if (descriptor < 0) {
        return errno == EEXIST ? FG_ERR_BUSY : FG_ERR_IO;
    }
    *file = (struct fgi_crash_file){ .descriptor = descriptor };
    return FG_OK;
}

void fgi_crash_file_write(struct fgi_crash_file *file, const void *bytes, size_t size)
{
    const char *next = bytes;
    while (size != 0 && !file->failed) {
        ssize_t put = write(file->descriptor, next, size);
        if (put <= 0) {
            file->failed = put == 0 || errno != EINTR;
            continue;
        }
        next += put;
        size -= (size_t)put;
        file->size_bytes += (uint64_t)put;
    }
}

void fgi_crash_file_close(struct fgi_crash_file *file, uint64_t size_bytes)
{
    if (file->descriptor < 0) {
        return;
    }
    if (size_bytes != file->size_bytes && ftruncate(file->descriptor, (off_t)size_bytes) != 0) {
        file->failed = true; /* the last record is cut off then: readers say so */
    }
    (void)close(file->descriptor);
    file->descriptor = -1;
}

static int64_t read_clock(clockid_t clock)
{
    struct timespec now = { 0 };
    (void)clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t fgi_crash_wall_ns(void)
{
    return read_clock(CLOCK_REALTIME);
}

int64_t fgi_crash_monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

/* ---- outside of it --------------------------------------------------------------------------- */

static bool is_ours(const struct sigaction *action)
{
    return (action->sa_flags & SA_SIGINFO) != 0 && action->sa_sigaction == on_signal;
}

/**
 * SA_NODEFER: a fault inside of the handler must come to it, or the process would be gone at once.
 */
static enum fg_result install(uint32_t mask)
{
    struct sigaction action = { .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
    action.sa_sigaction = on_signal;
    (void)sigemptyset(&action.sa_mask);
    for (int i = 0; i < SIGNALS; i++) {
        if ((mask & signals[i].signal) == 0 || installed[i]) {
            continue;
        }
        if (sigaction(signals[i].number, NULL, &before[i]) != 0 ||
            sigaction(signals[i].number, &action, NULL) != 0) {
            return FG_ERR_IO;
        }
        installed[i] = true;
    }
    return FG_OK;
}

/** Where somebody came after us, ours stays: theirs may call it. */
static void uninstall(uint32_t still_watched)
{
    for (int i = 0; i < SIGNALS; i++) {
        struct sigaction now;
        if (installed[i] && (still_watched & signals[i].signal) == 0 &&
            sigaction(signals[i].number, NULL, &now) == 0 && is_ours(&now)) {
            (void)sigaction(signals[i].number, &before[i], NULL);
            installed[i] = false;
        }
    }
}

static uint32_t watched_signals(void)
{
    uint32_t mask = 0;
    for (int i = 0; i < WATCHES_MAX; i++) {
        /* relaxed: under `lock` */
        const struct fgi_crash_watch *watch =
            atomic_load_explicit(&watches[i], memory_order_relaxed);
        mask |= watch != NULL ? watch->signals : 0;
    }
    return mask;
}

enum fg_result fgi_crash_watch(const struct fgi_crash_watch *watch)
{
    enum fg_result result = FG_ERR_LIMIT;
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < WATCHES_MAX && result == FG_ERR_LIMIT; i++) {
        if (atomic_load_explicit(&watches[i], memory_order_relaxed) != NULL) {
            continue;
        }
        result = install(watch->signals);
        if (result == FG_OK) {
            /* release: what `watch` points to; partner: call_watches() */
            atomic_store_explicit(&watches[i], watch, memory_order_release);
        } else {
            uninstall(watched_signals());
        }
    }
    (void)pthread_mutex_unlock(&lock);
    return result;
}

void fgi_crash_unwatch(const struct fgi_crash_watch *watch)
{
    (void)pthread_mutex_lock(&lock);
    for (int i = 0; i < WATCHES_MAX; i++) {
        if (atomic_load_explicit(&watches[i], memory_order_relaxed) == watch) {
            /* seq_cst: before the load of `owner` below; partner: call_watches() */
            atomic_store_explicit(&watches[i], NULL, memory_order_seq_cst);
        }
    }
    uninstall(watched_signals());
    (void)pthread_mutex_unlock(&lock);
    /* A handler that had found it is done with it when there is no owner. */
    uintptr_t self = (uintptr_t)pthread_self();
    for (;;) {
        uintptr_t now = atomic_load_explicit(&owner, memory_order_seq_cst);
        if (now == 0 || now == self) {
            return;
        }
        (void)poll(NULL, 0, WAIT_STEP_MS);
    }
}
