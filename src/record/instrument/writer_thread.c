/* SPDX-License-Identifier: MIT */
/*
 * The optional thread that empties the rings (fg_instrument_options.writer_period_ns). It is there
 * while a session takes what comes out of them. Threads that end frames then only leave a copy of
 * the frame here: they never wait for it, nor for what it writes.
 *
 * `writer` guards what is below. It is taken under no other lock and under `drain`; nothing is
 * taken under it.
 */
#include "record/instrument/stream_priv.h"

#include <string.h>

enum { REPORTS_MAX = 64 };

struct report {
    struct fgi_frame_report frame;
    struct fg_loop_row row;
};
static struct fgi_thread *thread;
static uint32_t holders;
static uint64_t generation; /* of the thread that is meant; another one ends */
static struct report waiting[REPORTS_MAX];
static size_t waiting_count;
/* Taken over by a drain; belong to `drain`. */
static struct report taken[REPORTS_MAX];
static size_t taken_count;

static bool is_wanted(uint64_t own)
{
    return own == generation;
}

static void run(void *context)
{
    const uint64_t own = (uint64_t)(uintptr_t)context;
    const int64_t period_ns = fgi_instrument_options()->writer_period_ns;
    bool goes_on = true;
    while (goes_on) {
        fgi_mutex_lock(fgi_writer_lock);
        if (is_wanted(own)) {
            fgi_mutex_wait(fgi_writer_lock, period_ns);
        }
        goes_on = is_wanted(own);
        fgi_mutex_unlock(fgi_writer_lock);
        fgi_drain();
    }
}

static bool is_left_out(void)
{
    return !fgi_instrument_ready() || fgi_instrument_options()->writer_period_ns <= 0;
}

enum fg_result fgi_writer_hold(bool *out_is_held)
{
    enum fg_result result = FG_OK;
    *out_is_held = false;
    if (is_left_out()) {
        return FG_OK;
    }
    fgi_mutex_lock(fgi_writer_lock);
    if (holders == 0) {
        generation++;
        result = fgi_thread_create(fgi_instrument_allocator(), run, (void *)(uintptr_t)generation,
                                   &thread);
    }
    *out_is_held = result == FG_OK;
    holders += *out_is_held ? 1 : 0;
    fgi_mutex_unlock(fgi_writer_lock);
    return result;
}

void fgi_writer_release(void)
{
    struct fgi_thread *ended = NULL;
    fgi_mutex_lock(fgi_writer_lock);
    if (--holders == 0) {
        generation++;
        ended = thread;
        thread = NULL;
        fgi_mutex_wake_all(fgi_writer_lock);
    }
    fgi_mutex_unlock(fgi_writer_lock);
    if (ended != NULL) {
        fgi_thread_join(ended);
        fgi_drain(); /* a frame that was left here meanwhile */
    }
}

bool fgi_writer_runs(void)
{
    if (is_left_out()) {
        return false;
    }
    fgi_mutex_lock(fgi_writer_lock);
    const bool runs = thread != NULL;
    fgi_mutex_unlock(fgi_writer_lock);
    return runs;
}

bool fgi_writer_takes(const struct fgi_frame_report *report)
{
    bool is_taken = false;
    if (is_left_out()) {
        return false;
    }
    fgi_mutex_lock(fgi_writer_lock);
    /* So many frames within one period: the frame's own thread empties the rings for once. */
    if (thread != NULL && waiting_count < REPORTS_MAX) {
        struct report *to = &waiting[waiting_count++];
        *to = (struct report){ .frame = *report, .row = *report->row };
        is_taken = true;
    }
    fgi_mutex_unlock(fgi_writer_lock);
    return is_taken;
}

void fgi_writer_begin_reports(void)
{
    if (is_left_out()) {
        return;
    }
    fgi_mutex_lock(fgi_writer_lock);
    memcpy(taken, waiting, waiting_count * sizeof waiting[0]);
    taken_count = waiting_count;
    waiting_count = 0;
    fgi_mutex_unlock(fgi_writer_lock);
    for (size_t i = 0; i < taken_count; i++) {
        taken[i].frame.row = &taken[i].row;
        fgi_streams_frame(&taken[i].frame);
    }
}

void fgi_writer_end_reports(void)
{
    for (size_t i = 0; i < taken_count; i++) {
        fgi_history_frame(&taken[i].frame);
    }
    taken_count = 0;
}
