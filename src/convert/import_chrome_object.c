/* SPDX-License-Identifier: MIT */
/*
 * N, O and D: an object that is made, was there at a time (a snapshot), is gone. It is known by
 * process, name, scope and id, because the same number is used by many.
 *
 * v and V, memory dumps: each allocator of a process is a resource, and a dump says how large it is
 * then. Only outermost allocators: "malloc/allocated_objects" is a part of "malloc".
 */
#include "convert/import_chrome_priv.h"

#include <stdio.h>
#include <string.h>

/* Small numbers, from a place where no real address is. */
static uint64_t number_of(struct fgi_chrome *c, uint32_t pid, uint32_t name, uint32_t scope,
                          uint32_t id)
{
    uint32_t a = fgi_chrome_pair(c, FGI_PAIR_OBJECT_NAME, pid, name, NULL);
    uint32_t b = fgi_chrome_pair(c, FGI_PAIR_OBJECT_ID, scope, id, NULL);
    return (uint64_t)fgi_chrome_pair(c, FGI_PAIR_OBJECT, a, b, NULL) + 1;
}

void fgi_chrome_object_event(struct fgi_chrome *c)
{
    const struct fgi_chrome_event *e = &c->event;
    char name[300];
    const struct fg_trace_object_event event = {
        .time_ns = fgi_chrome_start_ns(c, FG_NONE),
        .kind = e->phase == 'N'   ? FG_TRACE_OBJECT_MADE
                : e->phase == 'D' ? FG_TRACE_OBJECT_GONE
                                  : FG_TRACE_OBJECT_LIVES,
        .frame = FG_NONE,
        .type = e->name,
        .size_bytes = UINT64_MAX,
        .accuracy = FG_TRACE_ACCURACY_UNKNOWN,
    };
    struct fg_trace_object_event named = event;
    (void)snprintf(name, sizeof name, "%s %s",
                   fg_trace_text(fgi_builder_trace(c->builder), e->name),
                   e->has_id ? fgi_chrome_id_text(c, e->id) : "");
    named.name = fgi_builder_cstr(c->builder, name);
    fgi_builder_trace(c->builder)->info.other_events++;
    fgi_builder_object_event(c->builder, number_of(c, e->pid, e->name, e->scope, e->id), &named);
}

/* ---- memory dumps ---------------------------------------------------------------------------- */

/* {"type": "scalar", "units": "bytes", "value": "1a2b"}: hexadecimal. */
static bool read_size(struct fgi_chrome *c, const char *text, size_t size, uint64_t *out_bytes)
{
    struct fgi_json_item item;
    enum fgi_json_token token;
    uint64_t value = 0;
    if (!fgi_chrome_member(c, text, size, "value", &item, &token) || token == FGI_JSON_RAW ||
        item.size == 0 || item.size > 16) {
        return false;
    }
    for (size_t i = 0; i < item.size; i++) {
        char digit = fgi_ascii_lower(item.text[i]);
        bool is_letter = digit >= 'a' && digit <= 'f';
        if (!is_letter && (digit < '0' || digit > '9')) {
            return false;
        }
        value = value << 4 | (uint64_t)(is_letter ? digit - 'a' + 10 : digit - '0');
    }
    *out_bytes = value;
    return true;
}

static void add_allocator(struct fgi_chrome *c, int64_t ns, const struct fgi_json_item *allocator)
{
    struct fgi_json_item attrs, amount;
    enum fgi_json_token token;
    uint64_t bytes = 0;
    bool is_part = memchr(allocator->key, '/', allocator->key_size) != NULL;
    if (is_part ||
        !fgi_chrome_member(c, allocator->text, allocator->size, "attrs", &attrs, &token) ||
        token != FGI_JSON_RAW ||
        !fgi_chrome_member(c, attrs.text, attrs.size, "size", &amount, &token) ||
        token != FGI_JSON_RAW || !read_size(c, amount.text, amount.size, &bytes)) {
        return;
    }
    uint32_t name = fgi_chrome_text(c, allocator->key, allocator->key_size, allocator->key_flags);
    const struct fg_trace_object_event event = {
        .time_ns = ns,
        .kind = FG_TRACE_OBJECT_RESIZED,
        .frame = FG_NONE,
        .name = name,
        .type = fgi_builder_cstr(c->builder, "memory allocator"),
        .size_bytes = bytes,
        .accuracy = FG_TRACE_EXACT,
    };
    fgi_builder_object_event(c->builder, number_of(c, c->event.pid, name, FG_NONE, FG_NONE),
                             &event);
}

void fgi_chrome_memory_event(struct fgi_chrome *c)
{
    const struct fgi_chrome_raw *args = &c->event.args;
    struct fgi_json_item dumps, allocators, item;
    enum fgi_json_token token;
    struct fgi_chrome_members members;
    int64_t ns = fgi_chrome_start_ns(c, FG_NONE);
    fgi_builder_trace(c->builder)->info.other_events++;
    if (!fgi_chrome_member(c, args->text, args->size, "dumps", &dumps, &token) ||
        token != FGI_JSON_RAW ||
        !fgi_chrome_member(c, dumps.text, dumps.size, "allocators", &allocators, &token) ||
        token != FGI_JSON_RAW) {
        return;
    }
    fgi_chrome_members_begin(&members, c->allocator, allocators.text, allocators.size);
    while (fgi_chrome_members_next(&members, &item, &token)) {
        if (token == FGI_JSON_RAW && item.key != NULL) {
            add_allocator(c, ns, &item);
        }
    }
    fgi_chrome_members_end(&members);
}
