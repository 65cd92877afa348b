/* SPDX-License-Identifier: MIT */
/*
 * Recordings: each is a place in the history from which on it is kept, and stopping copies what is
 * there of it. So several cost nothing while they run, and a change of the mode only pauses them;
 * what the history no longer has when it is asked is counted.
 */
#include "capture/cnatrace.h"
#include "record/instrument/history.h"

enum { RECORDINGS_MAX = 64 };

struct place {
    uint32_t serial;  /* of the recording that has this slot; 0 = free */
    uint32_t maximum; /* events to keep */
    uint64_t after;   /* sequence of the last event before it */
    uint64_t drops;   /* producer drops before it */
};

/* `history` guards both. */
static struct place places[RECORDINGS_MAX];
static uint32_t last_serial;

static uint64_t producer_drops(void)
{
    return __atomic_load_n(&fgi_losses.producer_drops, __ATOMIC_RELAXED);
}

struct fg_recording fg_recording_start(uint32_t maximum)
{
    struct fg_recording recording = { 0 };
    if (maximum == 0 || fg_instrument_mode() != FG_INSTRUMENT_FULL || !fgi_instrument_ready()) {
        return recording;
    }
    fgi_drain();
    struct place place = {
        .maximum = maximum < FG_CNATRACE_EVENTS_MAX ? maximum : FG_CNATRACE_EVENTS_MAX,
        .after = fgi_history_newest(),
        .drops = producer_drops(),
    };
    fgi_mutex_lock(fgi_history_lock);
    for (uint32_t i = 0; i < RECORDINGS_MAX; i++) {
        if (places[i].serial == 0) {
            last_serial = last_serial == UINT32_MAX ? 1 : last_serial + 1;
            place.serial = last_serial;
            places[i] = place;
            recording = (struct fg_recording){ .slot = i + 1, .serial = place.serial };
            break;
        }
    }
    fgi_mutex_unlock(fgi_history_lock);
    return recording;
}

/* Takes the recording out of its slot; false: there is none. */
static bool consume(struct fg_recording *recording, struct place *out_place)
{
    const struct fg_recording asked = *recording;
    *recording = (struct fg_recording){ 0 };
    if (asked.slot == 0 || asked.slot > RECORDINGS_MAX || !fgi_instrument_ready()) {
        return false;
    }
    fgi_mutex_lock(fgi_history_lock);
    *out_place = places[asked.slot - 1];
    const bool is_there = out_place->serial == asked.serial && asked.serial != 0;
    if (is_there) {
        places[asked.slot - 1] = (struct place){ 0 };
    }
    fgi_mutex_unlock(fgi_history_lock);
    return is_there;
}

static enum fg_result add_names(struct fg_cnatrace *trace, uint32_t count)
{
    enum fg_result result = FG_OK;
    for (uint32_t i = 1; i < count && result == FG_OK; i++) {
        size_t size = 0;
        const char *text = fgi_name_text(i, &size);
        result = fgi_cnatrace_add_name(trace, i, text, size);
    }
    return result;
}

enum fg_result fg_recording_stop(struct fg_recording *recording, struct fg_cnatrace **out_trace)
{
    struct place place;
    if (recording == NULL || out_trace == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!consume(recording, &place)) {
        return FG_ERR_STATE;
    }
    fgi_drain();
    const uint64_t newest = fgi_history_newest();
    const uint64_t happened = newest - place.after;
    const uint64_t dropped = producer_drops() - place.drops;
    const size_t capacity = happened < place.maximum ? (size_t)happened : place.maximum;
    /* Asked after the newest event is known: its name and those of all before it are counted. */
    const uint32_t name_count = fgi_name_count();
    struct fg_cnatrace *trace = NULL;
    struct fg_process_event *events = NULL;
    enum fg_result result =
        fgi_cnatrace_make(fgi_instrument_allocator(), name_count == 0 ? 0 : name_count - 1,
                          capacity, &trace, &events);
    if (result != FG_OK) {
        return result;
    }
    result = add_names(trace, name_count);
    if (result == FG_OK) {
        const size_t kept = fgi_history_copy_newest(place.after, newest, events, capacity);
        result = fgi_cnatrace_finish(trace, capacity - kept, kept, happened - kept + dropped);
    }
    if (result != FG_OK) {
        fg_cnatrace_free(trace);
        return result;
    }
    *out_trace = trace;
    return FG_OK;
}
