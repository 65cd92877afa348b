/* SPDX-License-Identifier: MIT */
/* Level OFF: options, zones, names, the history and recordings are there, and do nothing. */
#include "record/instrument/instrument_priv.h"

enum fg_result fg_instrument_configure(const struct fg_instrument_options *options)
{
    return options == NULL ? FG_ERR_ARGUMENT : FG_ERR_UNSUPPORTED;
}

uint64_t fg_instrument_owned_bytes(void)
{
    return 0;
}

uint32_t fg_label_register(const char *name, enum fg_category category)
{
    (void)name;
    (void)category;
    return 0;
}

struct fg_zone fg_zone_begin_label(uint32_t label)
{
    (void)label;
    return (struct fg_zone){ 0 };
}

struct fg_zone fg_zone_begin(const char *name, enum fg_category category)
{
    (void)name;
    (void)category;
    return (struct fg_zone){ 0 };
}

bool fg_zone_end(struct fg_zone zone)
{
    (void)zone;
    return true;
}

void fg_mark_label(uint32_t label, int64_t value)
{
    (void)label;
    (void)value;
}

void fg_mark(const char *name, enum fg_category category, int64_t value)
{
    (void)name;
    (void)category;
    (void)value;
}

void fg_thread_set_name(const char *name)
{
    (void)name;
}

void fg_instrument_drain(void)
{
}

void fg_instrument_read_events(uint64_t after, struct fg_process_event *events, size_t capacity,
                               struct fg_process_event_page *out_page)
{
    (void)after;
    (void)events;
    (void)capacity;
    if (out_page != NULL) {
        *out_page = (struct fg_process_event_page){ 0 };
    }
}

const char *fg_instrument_name(uint32_t name)
{
    (void)name;
    return "";
}

struct fg_recording fg_recording_start(uint32_t maximum)
{
    (void)maximum;
    return (struct fg_recording){ 0 };
}

enum fg_result fg_recording_stop(struct fg_recording *recording, struct fg_cnatrace **out_trace)
{
    (void)out_trace;
    if (recording != NULL) {
        *recording = (struct fg_recording){ 0 };
    }
    return FG_ERR_STATE;
}
