/* SPDX-License-Identifier: MIT */
/*
 * One event: its members in any order, then what its phase makes of it.
 *
 *     X            a span
 *     B E          a span (import_chrome_edges.c)
 *     b e n        an asynchronous span, or an instant of one (import_chrome_async.c)
 *     S F T p      likewise, of the older kind
 *     i I          an instant
 *     s t f        a dependency (import_chrome_flow.c); bind_id on X and B likewise
 *     C            samples of counters (import_chrome_counter.c)
 *     P            a sample with its stack (import_chrome_sample.c)
 *     N D O v V    events of resources (import_chrome_object.c)
 *     M            names (import_chrome_meta.c)
 *     R c ( ) a =  counted among the other events, and so is what nobody knows
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"

#include <stdio.h>
#include <string.h>

/* Most of the arguments of one event that is looked into; it is shown however long it is. */
#define ARGS_BYTES  ((size_t)64 << 20)
#define STACK_BYTES ((size_t)1 << 20)

void fgi_chrome_event_begin(struct fgi_chrome *c, uint64_t offset)
{
    c->event = (struct fgi_chrome_event){
        .offset = offset,
        .pid = FG_NONE,
        .tid = FG_NONE,
        .id = FG_NONE,
        .scope = FG_NONE,
        .bind_id = FG_NONE,
        .stack_frame = FG_NONE,
    };
    c->saved.size = 0;
}

/* ---- members --------------------------------------------------------------------------------- */

static void take_time(struct fgi_chrome *c, enum fgi_json_token token,
                      const struct fgi_json_item *item, struct fgi_chrome_time *out_time,
                      uint8_t *out_state)
{
    struct fgi_decimal decimal;
    if (!fgi_chrome_decimal(item, token, 3, &decimal)) {
        *out_state = FGI_CHROME_BAD;
        return;
    }
    *out_state = FGI_CHROME_GIVEN;
    *out_time = fgi_chrome_time_of(&decimal);
    if (out_time->ns == INT64_MAX || (out_time->ns == INT64_MIN && decimal.is_saturated)) {
        fgi_chrome_repair(c, "clamped_time");
        out_time->ns = out_time->ns == INT64_MAX ? FG_TIME_MAX : INT64_MIN;
    }
}

/* Numbers, texts and words are ids as they are written. */
static uint32_t take_id(struct fgi_chrome *c, const struct fgi_json_item *item)
{
    return fgi_chrome_id(c, item->text, item->size, item->flags);
}

static bool is_id(enum fgi_chrome_key key)
{
    return key == FGI_CHROME_KEY_PID || key == FGI_CHROME_KEY_TID || key == FGI_CHROME_KEY_ID ||
           key == FGI_CHROME_KEY_SCOPE || key == FGI_CHROME_KEY_BIND_ID ||
           key == FGI_CHROME_KEY_STACK_FRAME;
}

static bool is_true(enum fgi_json_token token, const struct fgi_json_item *item)
{
    return (token == FGI_JSON_WORD || token == FGI_JSON_STRING)
               ? item->size == 4 && memcmp(item->text, "true", 4) == 0
               : token == FGI_JSON_NUMBER && !(item->size == 1 && item->text[0] == '0');
}

static void take_container(struct fgi_chrome *c, enum fgi_chrome_key key)
{
    size_t keep = key == FGI_CHROME_KEY_ARGS                                 ? ARGS_BYTES
                  : key == FGI_CHROME_KEY_STACK || key == FGI_CHROME_KEY_ID2 ? STACK_BYTES
                                                                             : 0;
    fgi_json_take(&c->reader, keep);
}

/* What is only lent must be kept when the piece that it lies in goes. Saving more moves it. */
static void save_raw(struct fgi_chrome *c, struct fgi_chrome_raw *raw)
{
    if (raw->text != NULL && raw->saved_at == SIZE_MAX) {
        raw->saved_at = c->saved.size;
        fgi_put_raw(&c->saved, raw->text, raw->size);
        if (c->saved.result != FG_OK) {
            fgi_builder_fail(c->builder, c->saved.result);
            *raw = (struct fgi_chrome_raw){ .saved_at = SIZE_MAX };
        }
    }
}

void fgi_chrome_event_save(struct fgi_chrome *c)
{
    struct fgi_chrome_raw *raws[] = { &c->event.args, &c->event.stack, &c->event.id2 };
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        save_raw(c, raws[i]);
    }
    for (size_t i = 0; i < sizeof raws / sizeof *raws; i++) {
        if (raws[i]->text != NULL) {
            raws[i]->text = (const char *)c->saved.data + raws[i]->saved_at;
        }
    }
}

static void take_raw(struct fgi_chrome *c, enum fgi_chrome_key key,
                     const struct fgi_json_item *item)
{
    const struct fgi_chrome_raw raw = {
        .text = item->text, .size = item->size, .saved_at = SIZE_MAX, .flags = item->flags
    };
    struct fgi_chrome_event *e = &c->event;
    if (key == FGI_CHROME_KEY_ARGS) {
        e->args = raw;
        e->has_extra |= item->size > 2;
    } else if (key == FGI_CHROME_KEY_STACK) {
        e->stack = raw;
        e->has_extra = true;
    } else if (key == FGI_CHROME_KEY_ID2) {
        e->id2 = raw;
    } else {
        if (is_id(key)) {
            fgi_chrome_repair(c, "bad_id");
        }
        e->has_extra = true;
    }
}

static void take_scalar(struct fgi_chrome *c, enum fgi_chrome_key key, enum fgi_json_token token,
                        const struct fgi_json_item *item)
{
    struct fgi_chrome_event *e = &c->event;
    switch (key) {
    case FGI_CHROME_KEY_PHASE:
        e->phase = item->size == 1 ? item->text[0] : item->size > 1 ? '?' : 0;
        break;
    case FGI_CHROME_KEY_NAME:
        e->has_name = !(token == FGI_JSON_WORD && item->size == 4);
        e->name = e->has_name ? fgi_chrome_text(c, item->text, item->size, item->flags) : 0;
        break;
    case FGI_CHROME_KEY_CATEGORY:
        e->category = fgi_chrome_text(c, item->text, item->size, item->flags);
        break;
    case FGI_CHROME_KEY_PID:
        e->pid = take_id(c, item);
        break;
    case FGI_CHROME_KEY_TID:
        e->tid = take_id(c, item);
        break;
    case FGI_CHROME_KEY_TS:
        take_time(c, token, item, &e->ts, &e->ts_state);
        break;
    case FGI_CHROME_KEY_DUR:
        take_time(c, token, item, &e->dur, &e->dur_state);
        break;
    case FGI_CHROME_KEY_ID:
        e->id = take_id(c, item);
        e->has_id = true;
        e->has_extra = true;
        break;
    case FGI_CHROME_KEY_SCOPE:
        e->scope = take_id(c, item);
        break;
    case FGI_CHROME_KEY_BIND_ID:
        e->bind_id = take_id(c, item);
        break;
    case FGI_CHROME_KEY_BIND_POINT:
        e->binds_enclosing = item->size == 1 && item->text[0] == 'e';
        break;
    case FGI_CHROME_KEY_FLOW_IN:
        e->flow_in = is_true(token, item);
        break;
    case FGI_CHROME_KEY_FLOW_OUT:
        e->flow_out = is_true(token, item);
        break;
    case FGI_CHROME_KEY_INSTANT_SCOPE:
        e->is_global = item->size == 1 && item->text[0] == 'g';
        break;
    case FGI_CHROME_KEY_STACK_FRAME:
        e->stack_frame = take_id(c, item);
        e->has_extra = true;
        break;
    case FGI_CHROME_KEY_WEIGHT:
        (void)fgi_chrome_natural(item, token, &e->weight);
        break;
    default:
        e->has_extra = true;
        break;
    }
}

void fgi_chrome_event_member(struct fgi_chrome *c, enum fgi_json_token token,
                             const struct fgi_json_item *item)
{
    enum fgi_chrome_key key = fgi_chrome_key_of(item->key, item->key_size);
    c->event.has_members = true;
    if (token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY) {
        take_container(c, key);
    } else if (token == FGI_JSON_RAW) {
        take_raw(c, key, item);
        if (!fgi_json_is_of_piece(&c->reader, item->text)) {
            fgi_chrome_event_save(c);
        }
    } else {
        take_scalar(c, key, token, item);
    }
}

void fgi_chrome_event_parts(struct fgi_chrome *c, const struct fgi_chrome_part *parts,
                            uint32_t count)
{
    c->event.has_members = count > 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct fgi_chrome_part *part = &parts[i];
        const struct fgi_json_item item = { .text = part->text,
                                            .size = part->size,
                                            .flags = part->flags };
        if (part->has_ns) {
            bool is_start = part->key == FGI_CHROME_KEY_TS;
            *(is_start ? &c->event.ts : &c->event.dur) = (struct fgi_chrome_time){ .ns = part->ns };
            *(is_start ? &c->event.ts_state : &c->event.dur_state) = FGI_CHROME_GIVEN;
        } else if (part->token == FGI_JSON_RAW) {
            take_raw(c, (enum fgi_chrome_key)part->key, &item);
        } else {
            take_scalar(c, (enum fgi_chrome_key)part->key, (enum fgi_json_token)part->token, &item);
        }
    }
}

/* ---- the whole ------------------------------------------------------------------------------- */

int64_t fgi_chrome_start_ns(struct fgi_chrome *c, uint32_t thread)
{
    const struct fgi_chrome_event *e = &c->event;
    struct fgi_chrome_thread *t = thread != FG_NONE ? &c->threads.items[thread] : NULL;
    int64_t ns = fgi_chrome_round(e->ts);
    if (e->ts_state != FGI_CHROME_GIVEN) {
        fgi_chrome_repair(c, e->ts_state == FGI_CHROME_BAD ? "bad_time" : "missing_time");
        ns = t != NULL && t->has_time ? t->last_ns : c->last_ns;
    }
    c->last_ns = ns;
    if (t != NULL) {
        t->last_ns = ns;
        t->has_time = true;
    }
    return ns;
}

/* Where the span ends, and whether that is known. */
static void set_end(struct fgi_chrome *c, struct fgi_span_in *span)
{
    const struct fgi_chrome_event *e = &c->event;
    bool is_mark = e->dur.billionths == 0 && (e->dur.ns == -1 || e->dur.ns == -1000);
    if (e->dur_state == FGI_CHROME_ABSENT) {
        fgi_chrome_repair(c, "missing_duration");
    } else if (e->dur_state == FGI_CHROME_BAD) {
        fgi_chrome_repair(c, "bad_duration");
    } else if (e->dur.ns < 0 && is_mark) {
        fgi_chrome_repair(c, "open_duration");
        span->status = FG_SPAN_UNFINISHED;
        span->open_end = true;
    } else if (e->dur.ns < 0) {
        fgi_chrome_repair(c, "negative_duration");
    } else if (e->ts_state == FGI_CHROME_GIVEN) {
        span->end_ns = fgi_chrome_round(fgi_chrome_add(e->ts, e->dur));
    } else {
        span->end_ns = fgi_chrome_round(
            fgi_chrome_add((struct fgi_chrome_time){ .ns = span->start_ns }, e->dur));
    }
    if (span->end_ns > FG_TIME_MAX) {
        fgi_chrome_repair(c, "clamped_time");
        span->end_ns = FG_TIME_MAX;
    }
}

static void add_span(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    uint32_t thread = fgi_chrome_thread(c, e->pid, e->tid);
    uint32_t track = fgi_chrome_track(c, thread);
    if (track == FG_NONE) {
        return;
    }
    int64_t start = fgi_chrome_start_ns(c, thread);
    struct fgi_span_in span = fgi_span_in_make(track, e->name, start, start);
    span.category = e->category;
    span.classes = fgi_chrome_classes(c, thread, e->category, e->name);
    set_end(c, &span);
    if (!e->has_name) {
        fgi_chrome_repair(c, "missing_name");
    }
    if (fgi_chrome_is_untimed(c, &span)) {
        return;
    }
    uint32_t row = fgi_builder_span(c->builder, &span);
    if (row == FG_NONE) {
        return;
    }
    if (e->has_extra) {
        fgi_chrome_place(c, row, e->offset);
    }
    if (span.classes & (FG_CLASS_GPU_PASS | FG_CLASS_RUNTIME)) {
        fgi_chrome_gpu_span(c, row, span.classes);
    }
    if (e->bind_id != FG_NONE) {
        fgi_chrome_flow_of_span(c, row, start);
    }
}

static void add_instant(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    bool has_thread = !e->is_global || e->tid != FG_NONE;
    uint32_t thread = has_thread ? fgi_chrome_thread(c, e->pid, e->tid) : FG_NONE;
    struct fg_trace_instant instant = {
        .time_ns = fgi_chrome_start_ns(c, thread),
        .track = e->is_global ? FG_NONE : fgi_chrome_track(c, thread),
        .name = e->name,
        .category = e->category,
        .frame = FG_NONE,
    };
    struct fgi_json_item item;
    enum fgi_json_token token;
    struct fgi_decimal bytes;
    if (e->args.size > 2 &&
        strcmp(fg_trace_text(fgi_builder_trace(c->builder), e->name), "[memory]") == 0 &&
        fgi_chrome_member(c, e->args.text, e->args.size, "Bytes", &item, &token) &&
        fgi_chrome_decimal(&item, token, 0, &bytes) && bytes.whole <= (uint64_t)INT64_MAX) {
        instant.has_value = true;
        instant.value = bytes.is_negative ? -(int64_t)bytes.whole : (int64_t)bytes.whole;
    } else if (e->args.size > 2) {
        fgi_chrome_repair(c, "instant_arguments");
    }
    (void)fgi_builder_instant(c->builder, &instant);
}

void fgi_chrome_other_event(struct fgi_chrome *c, const char *what)
{
    const struct fgi_chrome_event *e = &c->event;
    fgi_builder_trace(c->builder)->info.other_events++;
    if (what != NULL && c->meta_count < FGI_CHROME_METAS && e->ts_state == FGI_CHROME_GIVEN) {
        char key[300];
        char value[64];
        (void)snprintf(key, sizeof key, "%s.%s", what,
                       fg_trace_text(fgi_builder_trace(c->builder), e->name));
        (void)snprintf(value, sizeof value, "%lld ns", (long long)fgi_chrome_round(e->ts));
        fgi_chrome_meta(c, key, value);
    }
}

static void dispatch(struct fgi_chrome *c)
{
    switch (c->event.phase) {
    case 'X':
        add_span(c);
        return;
    case 'B':
    case 'E':
        fgi_chrome_edge(c, c->event.phase == 'E');
        return;
    case 'i':
    case 'I':
        add_instant(c);
        return;
    case 'b':
    case 'e':
    case 'n':
    case 'S':
    case 'F':
    case 'T':
    case 'p':
        fgi_chrome_async_event(c);
        return;
    case 's':
    case 't':
    case 'f':
        fgi_chrome_flow_event(c);
        return;
    case 'C':
        fgi_chrome_counter_event(c);
        return;
    case 'P':
        fgi_chrome_sample_event(c);
        return;
    case 'N':
    case 'D':
    case 'O':
        fgi_chrome_object_event(c);
        return;
    case 'v':
    case 'V':
        fgi_chrome_memory_event(c);
        return;
    case 'M':
        fgi_chrome_meta_event(c);
        return;
    case 'R':
        fgi_chrome_other_event(c, "mark");
        return;
    case 'c':
        fgi_chrome_other_event(c, "clock_sync");
        return;
    case '(':
    case ')':
    case 'a':
    case '=':
        fgi_chrome_other_event(c, NULL);
        return;
    default:
        fgi_chrome_repair(c, "unknown_phase");
        fgi_chrome_other_event(c, NULL);
        return;
    }
}

/* {"local": "0x1"} or {"global": "0x1"} stands for `id`. */
static void read_id2(struct fgi_chrome *c)
{
    struct fgi_json_item item;
    enum fgi_json_token token;
    struct fgi_chrome_event *e = &c->event;
    const char *keys[] = { "local", "global" };
    for (size_t i = 0; i < 2 && !e->has_id; i++) {
        if (fgi_chrome_member(c, e->id2.text, e->id2.size, keys[i], &item, &token) &&
            token != FGI_JSON_RAW) {
            e->id = fgi_chrome_id(c, item.text, item.size, item.flags);
            e->id_is_local = i == 0;
            e->has_id = e->has_id2 = true;
        }
    }
}

bool fgi_chrome_event_end(struct fgi_chrome *c)
{
    struct fgi_chrome_event *e = &c->event;
    if (e->phase == 0) {
        return false;
    }
    if (e->id2.size > 0) {
        read_id2(c);
    }
    c->event_count++;
    dispatch(c);
    return true;
}
