/* SPDX-License-Identifier: MIT */
/*
 * The history of the process: the newest events of all its threads, numbered in the order in which
 * they came out of the rings. The provider's cursor and the recordings read it.
 *
 * `history` guards everything here. It is held for a piece of events at a time, by those who append
 * and by those who copy out, so that the end of a frame never waits for somebody's long copy. Only
 * the holder of `drain` appends; that is what makes the steps of an append one.
 */
#include "record/instrument/history.h"

#include <string.h>

enum {
    PIECE_EVENTS = 128, /* 9 KiB: a microsecond or two of copying */
    MARKS = 64,
};

/* Losses that came after an event and before the next one. */
struct loss_mark {
    uint64_t sequence;
    uint64_t lost;
};

static struct {
    struct fg_process_event *events;
    size_t capacity;
    uint64_t oldest; /* sequence; 0 = empty */
    uint64_t newest; /* sequence; 0 = nothing yet */
    uint64_t read;   /* the highest sequence that somebody was given, a session or a reader */
    uint64_t lost;   /* producer drops that are in the marks, or were */
    struct loss_mark marks[MARKS];
    size_t first_mark, mark_count;
    uint32_t frame_name, created_name, destroyed_name, malformed_name;
} history;

/* ---- appending ------------------------------------------------------------------------------- */

/* Memory comes with the first event. Without it events are counted as overwritten. */
static void prepare(void)
{
    if (history.events != NULL) {
        return;
    }
    const size_t capacity = fgi_instrument_options()->history_events;
    struct fg_process_event *events =
        fgi_calloc(fgi_instrument_allocator(), capacity, sizeof *events);
    history.frame_name = fgi_name_register("Frame", 5);
    history.created_name = fgi_name_register("Diagnostics/ObjectCreated", 25);
    history.destroyed_name = fgi_name_register("Diagnostics/ObjectDestroyed", 27);
    history.malformed_name = fgi_name_register("Diagnostics/MalformedZone", 25);
    fgi_mutex_lock(fgi_history_lock);
    history.events = events;
    history.capacity = capacity;
    fgi_mutex_unlock(fgi_history_lock);
}

/* What was lost since the last time was lost after the newest event. */
static void mark_losses(void)
{
    const uint64_t lost = __atomic_load_n(&fgi_losses.producer_drops, __ATOMIC_RELAXED);
    if (lost == history.lost) {
        return;
    }
    struct loss_mark *mark = &history.marks[(history.first_mark + history.mark_count - 1) % MARKS];
    if (history.mark_count == 0 ||
        (mark->sequence != history.newest && history.mark_count < MARKS)) {
        mark = &history.marks[(history.first_mark + history.mark_count) % MARKS];
        *mark = (struct loss_mark){ .sequence = history.newest };
        history.mark_count++;
    }
    /* With all marks taken the last one moves: its losses are then known a little later. */
    mark->sequence = history.newest;
    mark->lost += lost - history.lost;
    history.lost = lost;
}

/* The oldest event is another one now: losses before it are out of every reader's sight. */
static void pass_marks(void)
{
    while (history.mark_count != 0 && history.marks[history.first_mark].sequence < history.oldest) {
        fgi_loss_add(&fgi_losses.dropped_before_start, history.marks[history.first_mark].lost);
        history.first_mark = (history.first_mark + 1) % MARKS;
        history.mark_count--;
    }
}

/* Of the sequences up to `last`, those that nobody was given. */
static uint64_t unread_to(uint64_t first, uint64_t last)
{
    if (first <= history.read) {
        first = history.read + 1;
    }
    return last < first ? 0 : last - first + 1;
}

static void append_one(struct fg_process_event *event)
{
    event->sequence = ++history.newest;
    if (history.events == NULL) {
        fgi_loss_add(&fgi_losses.overwritten, 1);
        return;
    }
    if (history.oldest == 0) {
        history.oldest = event->sequence;
    } else if (history.newest - history.oldest == history.capacity) {
        fgi_loss_add(&fgi_losses.overwritten, unread_to(history.oldest, history.oldest));
        history.oldest++;
    }
    history.events[(event->sequence - 1) % history.capacity] = *event;
}

static void append(struct fg_process_event *events, size_t count)
{
    fgi_mutex_lock(fgi_history_lock);
    mark_losses();
    for (size_t i = 0; i < count; i++) {
        append_one(&events[i]);
    }
    if (fgi_streams_are_open()) {
        history.read = history.newest; /* a session has them: it is a reader, too */
    }
    pass_marks();
    fgi_mutex_unlock(fgi_history_lock);
}

/* ---- what comes out of a ring ---------------------------------------------------------------- */

static uint64_t time_of(uint64_t ticks)
{
    const int64_t time_ns = fgi_ticks_monotonic_ns(ticks);
    return time_ns < 0 ? 0 : (uint64_t)time_ns;
}

/*
 * Zones have a serial of 32 bits; everything else of a ring is told apart by its place there, and
 * frames of further loops by their number.
 */
static uint64_t correlation_of(const struct fg_ring_event *event, uint64_t position)
{
    return event->serial != 0 ? event->serial : UINT64_C(1) << 63 | position;
}

static uint64_t loop_correlation(const struct fgi_frame_report *report)
{
    return UINT64_C(1) << 62 | (uint64_t)report->loop << 48 | (report->number & 0xffffffffffff);
}

/* What ended at the time that it has began earlier. */
static void begin_at(struct fg_process_event *event, uint64_t begin_ticks)
{
    const uint64_t end_ns = event->time_ns;
    event->time_ns = time_of(begin_ticks);
    event->duration_ns = end_ns > event->time_ns ? end_ns - event->time_ns : 0;
}

static struct fg_process_event translate(const struct fg_ring_event *event, uint32_t thread,
                                         uint64_t position)
{
    struct fg_process_event out = {
        .time_ns = time_of(event->ticks),
        .frame = fgi_frame_number_at(event->ticks),
        .thread = thread,
        .correlation = correlation_of(event, position),
        .parent = event->parent,
        .name = event->label >> 3,
        .category = event->label & 7,
    };
    switch (event->kind) {
    case FG_RING_ZONE:
    case FG_RING_ZONE_FORCED:
        out.kind = FG_PROCESS_EVENT_ZONE;
        begin_at(&out, event->value);
        out.flags = event->kind == FG_RING_ZONE_FORCED ? 1 : 0;
        break;
    case FG_RING_OBJECT_CREATED:
    case FG_RING_OBJECT_DESTROYED: {
        const bool is_created = event->kind == FG_RING_OBJECT_CREATED;
        out.kind = is_created ? FG_PROCESS_EVENT_OBJECT_CREATED : FG_PROCESS_EVENT_OBJECT_DESTROYED;
        out.value = (int64_t)event->value;
        out.name = is_created ? history.created_name : history.destroyed_name;
        break;
    }
    case FG_RING_MALFORMED:
        out.kind = FG_PROCESS_EVENT_MALFORMED;
        if (event->value != 0 && event->value < event->ticks) {
            begin_at(&out, event->value);
        }
        out.name = out.name != 0 ? out.name : history.malformed_name;
        break;
    default:
        out.kind = FG_PROCESS_EVENT_MARKER;
        out.value = (int64_t)event->value;
        break;
    }
    return out;
}

void fgi_history_take(const struct fgi_batch *batch)
{
    struct fg_process_event events[PIECE_EVENTS];
    size_t count = 0;
    uint64_t position = batch->thread->tail;
    prepare();
    for (size_t piece = 0; piece < 2; piece++) {
        for (size_t i = 0; i < batch->piece_counts[piece]; i++, position++) {
            events[count++] =
                translate(&batch->pieces[piece][i], batch->thread->context.thread, position);
            if (count == PIECE_EVENTS) {
                append(events, count);
                count = 0;
            }
        }
    }
    if (count != 0) {
        append(events, count);
    }
}

/*
 * Frames of the process are FRAME events; those of a further loop are zones with its name, so that
 * a number is that of one frame.
 */
void fgi_history_frame(const struct fgi_frame_report *report)
{
    if (fg_instrument_mode() != FG_INSTRUMENT_FULL) {
        return;
    }
    prepare();
    const bool is_own = report->loop == 0;
    const uint64_t begin_ns = time_of(report->begin_ticks), end_ns = time_of(report->end_ticks);
    struct fg_process_event event = {
        .time_ns = begin_ns,
        .duration_ns = end_ns > begin_ns ? end_ns - begin_ns : 0,
        .frame = is_own ? report->number : fgi_frame_number_at(report->end_ticks),
        .thread = report->thread,
        .correlation = is_own ? report->number : loop_correlation(report),
        .name = is_own ? history.frame_name
                       : fgi_name_register(report->loop_name, strlen(report->loop_name)),
        .kind = is_own ? FG_PROCESS_EVENT_FRAME : FG_PROCESS_EVENT_ZONE,
        .category = FG_CATEGORY_CORE,
    };
    append(&event, 1);
}

/* ---- reading --------------------------------------------------------------------------------- */

static void copy_out(uint64_t first, struct fg_process_event *events, size_t count)
{
    const size_t begin = (size_t)((first - 1) % history.capacity);
    const size_t to_end = history.capacity - begin;
    const size_t head = count < to_end ? count : to_end;
    memcpy(events, history.events + begin, head * sizeof *events);
    memcpy(events + head, history.events, (count - head) * sizeof *events);
    if (first + count - 1 > history.read) {
        history.read = first + count - 1;
    }
}

/*
 * One piece of the events from `next` to `last`; 0 = all done, or others were faster and wrote over
 * `next`: then the page ends here, and the caller's next page begins with the gap.
 */
static size_t copy_piece(uint64_t next, uint64_t last, struct fg_process_event *events,
                         size_t capacity)
{
    size_t count = 0;
    fgi_mutex_lock(fgi_history_lock);
    if (history.oldest != 0 && next >= history.oldest && next <= last) {
        const uint64_t left = last - next + 1;
        count = capacity < PIECE_EVENTS ? capacity : PIECE_EVENTS;
        count = left < count ? (size_t)left : count;
        copy_out(next, events, count);
    }
    fgi_mutex_unlock(fgi_history_lock);
    return count;
}

void fg_instrument_read_events(uint64_t after, struct fg_process_event *events, size_t capacity,
                               struct fg_process_event_page *out_page)
{
    struct fg_process_event_page page = { 0 };
    if (fgi_instrument_ready()) {
        fgi_drain();
        fgi_mutex_lock(fgi_history_lock);
        page.oldest = history.oldest;
        page.newest = history.newest;
        fgi_mutex_unlock(fgi_history_lock);
    }
    page.producer_drops = __atomic_load_n(&fgi_losses.producer_drops, __ATOMIC_RELAXED);
    if (after < page.newest) {
        const uint64_t first = page.oldest != 0 ? page.oldest : page.newest + 1;
        page.gap = first - 1 > after ? first - 1 - after : 0;
        uint64_t next = after + 1 + page.gap;
        while (events != NULL && page.event_count < capacity) {
            const size_t count = copy_piece(next, page.newest, events + page.event_count,
                                            capacity - page.event_count);
            if (count == 0) {
                break;
            }
            page.event_count += count;
            next += count;
        }
    }
    if (out_page != NULL) {
        *out_page = page;
    }
}

uint64_t fgi_history_newest(void)
{
    fgi_mutex_lock(fgi_history_lock);
    const uint64_t newest = history.newest;
    fgi_mutex_unlock(fgi_history_lock);
    return newest;
}

size_t fgi_history_copy_newest(uint64_t after, uint64_t last, struct fg_process_event *events,
                               size_t capacity)
{
    size_t kept = 0;
    /* Backwards: what is written over meanwhile is the oldest, and the rest stays whole. */
    while (kept < capacity && last > after) {
        fgi_mutex_lock(fgi_history_lock);
        const uint64_t oldest = history.oldest;
        size_t count = capacity - kept < PIECE_EVENTS ? capacity - kept : PIECE_EVENTS;
        if (last - after < count) {
            count = (size_t)(last - after);
        }
        if (oldest == 0 || last < oldest) {
            count = 0;
        } else if (last - oldest + 1 < count) {
            count = (size_t)(last - oldest + 1);
        }
        if (count != 0) {
            copy_out(last - count + 1, events + capacity - kept - count, count);
        }
        fgi_mutex_unlock(fgi_history_lock);
        if (count == 0) {
            break;
        }
        kept += count;
        last -= count;
    }
    return kept;
}
