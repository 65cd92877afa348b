/* SPDX-License-Identifier: MIT */
/*
 * Frames of the process's loop and of up to FG_LOOPS_MAX more. What a loop is doing is one atomic
 * word: begin and end change it or are refused, so two threads never have the same frame in hand,
 * and a source that ends the frame which it is called for is refused instead of waiting for itself.
 *
 * The history is written by whoever ends a frame of the process, one at a time, and read without a
 * lock: a reader that was overtaken notices by the slot's sequence, and the writer notices nothing.
 */
#include "base/clock.h"
#include "record/instrument/stats_priv.h"

#include <string.h>

enum phase {
    PHASE_CLOSED = 0,
    PHASE_BUSY = 1,    /* somebody begins or ends a frame */
    PHASE_OPEN = 2,    /* a frame is open */
    PHASE_IGNORED = 3, /* begun while the mode was OFF: its end is no mistake and no frame */
};

struct fg_loop {
    uint64_t state; /* atomic: begins so far << 2 | enum phase */
    bool is_used;   /* atomic */
    const char *name;
    int64_t waited_ns; /* atomic: of the open frame */
    /* These belong to whoever made the phase BUSY: acquire and release of `state` hand them on. */
    uint64_t number;
    uint64_t begin_ticks;
    int64_t begin_ns;
};
/* The first is the process's. */
static struct fg_loop loops[1 + FG_LOOPS_MAX] = { { .is_used = true, .name = "" } };

static uint64_t state_of(uint64_t serial, enum phase phase)
{
    return serial << 2 | (uint64_t)phase;
}

static enum phase phase_of(uint64_t state)
{
    return (enum phase)(state & 3);
}

/* ---- numbers --------------------------------------------------------------------------------- */

enum {
    BEGINS = 1024, /* newest begins of frames of the process that are kept */
    BEGINS_SURE = BEGINS / 2,
};
static uint64_t begin_ticks_of[BEGINS]; /* atomic; of frame number n at (n - 1) % BEGINS */
static uint64_t newest_number;          /* atomic; stored with release once the ticks are */

static void note_begin(uint64_t number, uint64_t ticks)
{
    /* Release, so that whoever sees it also sees that the number before is taken. */
    __atomic_store_n(&begin_ticks_of[(number - 1) % BEGINS], ticks, __ATOMIC_RELEASE);
    __atomic_store_n(&newest_number, number, __ATOMIC_RELEASE);
}

static uint64_t begin_of(uint64_t number)
{
    return __atomic_load_n(&begin_ticks_of[(number - 1) % BEGINS], __ATOMIC_ACQUIRE);
}

/* The last of the numbers oldest - 1 to `newest` that had begun by then. */
static uint64_t search(uint64_t ticks, uint64_t oldest, uint64_t newest)
{
    uint64_t low = oldest - 1, high = newest;
    while (low < high) {
        const uint64_t middle = high - (high - low) / 2;
        if (begin_of(middle) <= ticks) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

uint64_t fgi_frame_number_at(uint64_t ticks)
{
    uint64_t newest = __atomic_load_n(&newest_number, __ATOMIC_ACQUIRE);
    if (newest == 0 || begin_of(newest) <= ticks) {
        return newest;
    }
    for (;;) {
        const uint64_t oldest = newest > BEGINS_SURE ? newest - BEGINS_SURE + 1 : 1;
        const uint64_t found = search(ticks, oldest, newest);
        const uint64_t now = __atomic_load_n(&newest_number, __ATOMIC_ACQUIRE);
        /* Half of the ring is between what is read and what is written, or it is read again. */
        if (now - newest < BEGINS_SURE) {
            return found;
        }
        newest = now;
    }
}

/* ---- history --------------------------------------------------------------------------------- */

enum {
    ROW_WORDS = sizeof(struct fg_loop_row) / sizeof(uint64_t),
    HEAD_WORDS = offsetof(struct fg_loop_row, values) / sizeof(uint64_t),
    VALUE_WORDS = sizeof(struct fg_frame_value) / sizeof(uint64_t),
};
_Static_assert(sizeof(struct fg_loop_row) % sizeof(uint64_t) == 0 &&
                   offsetof(struct fg_loop_row, values) % sizeof(uint64_t) == 0 &&
                   sizeof(struct fg_frame_value) % sizeof(uint64_t) == 0,
               "rows are copied by words");

/* All of it atomic. Row i (from 0) has sequence 2 i + 2 when it is whole, 2 i + 1 before. */
static struct {
    uint64_t sequence;
    uint64_t words[ROW_WORDS];
} history[FG_HISTORY_FRAMES];
static uint64_t history_end; /* rows so far; stored with release once the row is whole */

static size_t words_of(uint32_t value_count)
{
    return HEAD_WORDS + (size_t)value_count * VALUE_WORDS;
}

static void keep(const struct fg_loop_row *row)
{
    uint64_t words[ROW_WORDS];
    const uint64_t index = __atomic_load_n(&history_end, __ATOMIC_RELAXED);
    const size_t slot = (size_t)(index % FG_HISTORY_FRAMES);
    const size_t count = words_of(row->value_count);
    memcpy(words, row, count * sizeof words[0]);
    __atomic_store_n(&history[slot].sequence, 2 * index + 1, __ATOMIC_RELAXED);
    for (size_t i = 0; i < count; i++) {
        /* Release, paired with the acquire in copy_row(): who sees a word sees the sequence. */
        __atomic_store_n(&history[slot].words[i], words[i], __ATOMIC_RELEASE);
    }
    __atomic_store_n(&history[slot].sequence, 2 * index + 2, __ATOMIC_RELEASE);
    __atomic_store_n(&history_end, index + 1, __ATOMIC_RELEASE);
}

/* False: it was overwritten before or meanwhile. */
static bool copy_row(uint64_t index, struct fg_loop_row *row)
{
    uint64_t words[ROW_WORDS];
    const size_t slot = (size_t)(index % FG_HISTORY_FRAMES);
    size_t count = HEAD_WORDS;
    if (__atomic_load_n(&history[slot].sequence, __ATOMIC_ACQUIRE) != 2 * index + 2) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        words[i] = __atomic_load_n(&history[slot].words[i], __ATOMIC_ACQUIRE);
        if (i + 1 == HEAD_WORDS) {
            memcpy(row, words, HEAD_WORDS * sizeof words[0]);
            count = words_of(row->value_count);
        }
    }
    memcpy(row->values, words + HEAD_WORDS, (count - HEAD_WORDS) * sizeof words[0]);
    memset(row->values + row->value_count, 0,
           (FG_HISTORY_FRAME_COUNTERS - row->value_count) * sizeof row->values[0]);
    return __atomic_load_n(&history[slot].sequence, __ATOMIC_RELAXED) == 2 * index + 2;
}

size_t fgi_frames_count(void)
{
    const uint64_t end = __atomic_load_n(&history_end, __ATOMIC_ACQUIRE);
    return end < FG_HISTORY_FRAMES ? (size_t)end : FG_HISTORY_FRAMES;
}

size_t fgi_frames_copy(struct fg_loop_row *rows, size_t capacity)
{
    const uint64_t end = __atomic_load_n(&history_end, __ATOMIC_ACQUIRE);
    const size_t kept = end < FG_HISTORY_FRAMES ? (size_t)end : FG_HISTORY_FRAMES;
    size_t count = 0;
    for (uint64_t i = end - (kept < capacity ? kept : capacity); i < end; i++) {
        /* What was overwritten is the oldest, and so is all before it: the rest has no hole. */
        count = copy_row(i, &rows[count]) ? count + 1 : 0;
    }
    return count;
}

/* ---- loops ----------------------------------------------------------------------------------- */

enum fg_result fg_loop_create(const char *name, struct fg_loop **out_loop)
{
    if (out_loop == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!fgi_instrument_ready()) {
        return FG_ERR_STATE;
    }
    const size_t size = name == NULL ? 0 : strlen(name);
    const uint32_t number = size == 0 ? 0 : fgi_name_register(name, size);
    if (size != 0 && number == 0) {
        return FG_ERR_LIMIT;
    }
    for (uint32_t i = 1; i <= FG_LOOPS_MAX; i++) {
        bool expected = false;
        if (__atomic_compare_exchange_n(&loops[i].is_used, &expected, true, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED)) {
            loops[i].name = fgi_name_text(number, NULL);
            loops[i].number = 0;
            *out_loop = &loops[i];
            return FG_OK;
        }
    }
    return FG_ERR_LIMIT;
}

void fg_loop_destroy(struct fg_loop *loop)
{
    if (loop != NULL) {
        const uint64_t state = __atomic_load_n(&loop->state, __ATOMIC_ACQUIRE);
        __atomic_store_n(&loop->state, state_of(state >> 2, PHASE_CLOSED), __ATOMIC_RELEASE);
        __atomic_store_n(&loop->is_used, false, __ATOMIC_RELEASE);
    }
}

static void count_malformed(void)
{
    if (fg_instrument_mode() != FG_INSTRUMENT_OFF) {
        fgi_loss_add(&fgi_losses.malformed_frames, 1);
    }
}

/* The loop that is meant; NULL: there is none, or nothing may be done (also from within a sink). */
static struct fg_loop *usable(struct fg_loop *loop)
{
    struct fg_loop *used = loop != NULL ? loop : &loops[0];
    const bool may = fgi_instrument_ready() && !fgi_drain_is_mine();
    return may && __atomic_load_n(&used->is_used, __ATOMIC_ACQUIRE) ? used : NULL;
}

/* State of the loop with the frame that was begun; 0 = refused. */
static uint64_t begin(struct fg_loop *loop)
{
    uint64_t state = __atomic_load_n(&loop->state, __ATOMIC_ACQUIRE);
    const uint64_t serial = (state >> 2) + 1;
    if (phase_of(state) != PHASE_CLOSED ||
        !__atomic_compare_exchange_n(&loop->state, &state, state_of(serial, PHASE_BUSY), false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        count_malformed();
        return 0;
    }
    enum phase phase = PHASE_IGNORED;
    if (fg_instrument_mode() != FG_INSTRUMENT_OFF) {
        phase = PHASE_OPEN;
        loop->number++;
        loop->begin_ns = fgi_clock_monotonic_ns();
        loop->begin_ticks = fgi_ticks_now();
        __atomic_store_n(&loop->waited_ns, 0, __ATOMIC_RELAXED);
        if (loop == &loops[0]) {
            note_begin(loop->number, loop->begin_ticks);
        }
    }
    __atomic_store_n(&loop->state, state_of(serial, phase), __ATOMIC_RELEASE);
    return state_of(serial, phase);
}

static void measure(struct fg_loop *loop, struct fg_loop_row *row)
{
    const int64_t waited_ns = __atomic_load_n(&loop->waited_ns, __ATOMIC_RELAXED);
    row->number = loop->number;
    row->begin_ns = loop->begin_ns;
    row->duration_ns = fgi_clock_monotonic_ns() - loop->begin_ns;
    row->work_ns = waited_ns < row->duration_ns ? row->duration_ns - waited_ns : 0;
    row->fps = row->duration_ns > 0 ? 1e9 / (double)row->duration_ns : 0;
}

/* Consumers get the frame; with one of the process also what the threads wrote. */
static void tell(const struct fgi_frame_report *report)
{
    if (fgi_writer_takes(report)) {
        return;
    }
    if (fgi_drain_enter()) {
        if (fgi_writer_runs()) {
            fgi_drain_locked(); /* it has no room: what waits there comes first */
        }
        fgi_streams_frame(report);
        if (report->loop == 0) {
            fgi_drain_locked();
        }
        /* After its zones, which are in the rings by now. */
        fgi_history_frame(report);
        fgi_drain_leave();
    }
}

static void finish(struct fg_loop *loop)
{
    struct fg_loop_row row;
    const bool is_process = loop == &loops[0];
    memset(&row, 0, offsetof(struct fg_loop_row, values));
    if (is_process) {
        const int64_t collect_ns = fgi_clock_monotonic_ns();
        fgi_sources_collect();
        row.collection_ns = fgi_clock_monotonic_ns() - collect_ns;
        row.value_count = fgi_metrics_end_frame(row.values);
    }
    measure(loop, &row);
    const struct fgi_producer *thread = fgi_thread_own();
    const struct fgi_frame_report report = {
        .loop = (uint32_t)(loop - loops),
        .loop_name = loop->name,
        .number = row.number,
        .begin_ticks = loop->begin_ticks,
        .end_ticks = fgi_ticks_now(),
        .thread = thread != NULL ? thread->context.thread : 0,
        .thread_number = fgi_thread_number(),
        .row = &row,
    };
    if (is_process) {
        keep(&row);
    }
    tell(&report);
}

/* End the frame of this begin (0 = whichever is open). True: it was one, and is published. */
static bool end(struct fg_loop *loop, uint64_t serial, bool is_quiet)
{
    uint64_t state = __atomic_load_n(&loop->state, __ATOMIC_ACQUIRE);
    const enum phase phase = phase_of(state);
    if ((phase != PHASE_OPEN && phase != PHASE_IGNORED) || (serial != 0 && serial != state >> 2) ||
        !__atomic_compare_exchange_n(&loop->state, &state, state_of(state >> 2, PHASE_BUSY), false,
                                     __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) {
        if (!is_quiet) {
            count_malformed();
        }
        return false;
    }
    const bool is_frame = phase == PHASE_OPEN && fg_instrument_mode() != FG_INSTRUMENT_OFF;
    if (is_frame) {
        finish(loop);
    } else if (loop == &loops[0]) {
        fgi_metrics_give_up_frame();
    }
    __atomic_store_n(&loop->state, state_of(state >> 2, PHASE_CLOSED), __ATOMIC_RELEASE);
    return is_frame;
}

bool fg_loop_begin(struct fg_loop *loop)
{
    loop = usable(loop);
    return loop != NULL && phase_of(begin(loop)) == PHASE_OPEN;
}

bool fg_loop_end(struct fg_loop *loop)
{
    loop = usable(loop);
    return loop != NULL && end(loop, 0, false);
}

struct fg_loop_scope fg_loop_scope_begin(struct fg_loop *loop)
{
    loop = usable(loop);
    return (struct fg_loop_scope){ loop, loop != NULL ? begin(loop) >> 2 : 0 };
}

void fg_loop_scope_end(struct fg_loop_scope *scope)
{
    struct fg_loop *loop = scope != NULL && scope->serial != 0 ? usable(scope->loop) : NULL;
    if (loop != NULL) {
        (void)end(loop, scope->serial, true);
        scope->serial = 0;
    }
}

void fg_loop_waited(struct fg_loop *loop, int64_t duration_ns)
{
    loop = usable(loop);
    if (loop != NULL && duration_ns > 0 &&
        phase_of(__atomic_load_n(&loop->state, __ATOMIC_ACQUIRE)) == PHASE_OPEN) {
        (void)__atomic_fetch_add(&loop->waited_ns, duration_ns, __ATOMIC_RELAXED);
    }
}
