/* SPDX-License-Identifier: MIT */
/*
 * C: each numeric argument is a sample of a counter of its own, known by process, name, id and
 * argument. Samples are whole numbers until one is not: then all of that counter become doubles. A
 * counter is of its process, whatever thread its events name, or none.
 */
#include "convert/import_chrome_priv.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static uint32_t counter_track(struct fgi_chrome *c, uint32_t process)
{
    while (c->counter_tracks.count <= process) {
        if (!FGI_CHROME_PUSH(c, c->counter_tracks, FG_NONE)) {
            return FG_NONE;
        }
    }
    uint32_t *track = &c->counter_tracks.items[process];
    if (*track == FG_NONE) {
        const struct fg_trace_track made = {
            .name = fgi_builder_cstr(c->builder, "counters"),
            .process = fgi_chrome_builder_process(c, process),
            .kind = FG_TRACK_COUNTER,
            .clock = c->clock,
            .id = (int64_t)process,
        };
        *track = fgi_builder_track(c->builder, &made, false);
    }
    return *track;
}

/* "name", "name[id]", "name: argument", unless that says nothing more. */
static uint32_t counter_name(struct fgi_chrome *c, const char *argument)
{
    char name[600];
    const struct fgi_chrome_event *e = &c->event;
    const char *plain = fg_trace_text(fgi_builder_trace(c->builder), e->name);
    bool is_silent =
        argument[0] == '\0' || strcmp(argument, "value") == 0 || strcmp(argument, plain) == 0;
    const char *id = e->has_id ? fgi_chrome_id_text(c, e->id) : "";
    (void)snprintf(name, sizeof name, "%s%s%s%s%s%s", plain, id[0] ? "[" : "", id, id[0] ? "]" : "",
                   is_silent ? "" : ": ", is_silent ? "" : argument);
    return fgi_builder_cstr(c->builder, name);
}

static uint32_t counter_of(struct fgi_chrome *c, const struct fgi_json_item *item)
{
    const struct fgi_chrome_event *e = &c->event;
    bool is_new = false;
    uint32_t process = fgi_chrome_process(c, e->pid);
    uint32_t argument =
        fgi_chrome_text(c, item->key ? item->key : "", item->key_size, item->key_flags);
    uint32_t index = fgi_chrome_pair(c, FGI_PAIR_COUNTER_NAME, process, e->name, NULL);
    index = fgi_chrome_pair(c, FGI_PAIR_COUNTER_ID, index, e->has_id ? e->id : FG_NONE, NULL);
    index = fgi_chrome_pair(c, FGI_PAIR_COUNTER_ARG, index, argument, &is_new);
    if (is_new && process != FG_NONE) {
        const struct fg_trace_counter counter = {
            .name = counter_name(c, fg_trace_text(fgi_builder_trace(c->builder), argument)),
            .track = counter_track(c, process),
        };
        if (fgi_builder_result(c->builder) == FG_OK) {
            (void)fgi_builder_counter(c->builder, &counter);
            (void)FGI_CHROME_PUSH(c, c->counter_is_real, 0);
        }
    }
    return index < c->counter_is_real.count ? index : FG_NONE;
}

/* From now on its samples are doubles. */
static void make_real(struct fgi_chrome *c, uint32_t counter)
{
    struct fg_trace *trace = fgi_builder_trace(c->builder);
    struct fgi_counter_data *data = &trace->counter_data.items[counter];
    for (size_t i = 0; i < data->values.count; i++) {
        double real = (double)(int64_t)data->values.items[i];
        memcpy(&data->values.items[i], &real, sizeof real);
    }
    trace->counters.items[counter].is_double = true;
    c->counter_is_real.items[counter] = 1;
}

/* Anything that strtod() reads, which must be terminated. */
static double real_of(const struct fgi_json_item *item)
{
    char text[64];
    size_t size = item->size < sizeof text - 1 ? item->size : sizeof text - 1;
    memcpy(text, item->text, size);
    text[size] = '\0';
    return strtod(text, NULL);
}

static void add_sample(struct fgi_chrome *c, int64_t ns, const struct fgi_json_item *item,
                       enum fgi_json_token token)
{
    struct fgi_decimal decimal;
    struct fg_trace_sample sample = { .time_ns = ns };
    if (!fgi_chrome_decimal(item, token, 0, &decimal)) {
        fgi_chrome_repair(c, "counter_without_value");
        return;
    }
    uint32_t counter = counter_of(c, item);
    if (counter == FG_NONE) {
        return;
    }
    bool is_whole = decimal.is_integer && decimal.whole <= (uint64_t)INT64_MAX;
    if (!is_whole && !c->counter_is_real.items[counter]) {
        make_real(c, counter);
    }
    if (c->counter_is_real.items[counter]) {
        double real = real_of(item);
        if (!isfinite(real)) {
            fgi_chrome_repair(c, "counter_without_value");
            return;
        }
        sample.value.real = real;
    } else {
        sample.value.integer =
            decimal.is_negative ? -(int64_t)decimal.whole : (int64_t)decimal.whole;
    }
    fgi_builder_sample(c->builder, counter, &sample);
}

void fgi_chrome_counter_event(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    struct fgi_chrome_members members;
    struct fgi_json_item item;
    enum fgi_json_token token;
    bool has_any = false;
    int64_t ns = fgi_chrome_start_ns(c, FG_NONE);
    if (e->args.size > 0) {
        fgi_chrome_members_begin(&members, c->allocator, e->args.text, e->args.size);
        while (fgi_chrome_members_next(&members, &item, &token)) {
            add_sample(c, ns, &item, token);
            has_any = true;
        }
        fgi_chrome_members_end(&members);
    }
    if (!has_any) {
        fgi_chrome_repair(c, "counter_without_value");
    }
}
