/* SPDX-License-Identifier: MIT */
#include "convert/capture_to_trace_listing.h"
#include <string.h>

uint32_t fgi_list_intern(struct fgi_listing *l, const char *text, size_t size)
{
    uint32_t id = 0;
    enum fg_result result = fgi_trace_add_text(l->backing->trace, text, size, &id);
    l->result = l->result != FG_OK ? l->result : result;
    return id;
}

uint32_t fgi_list_symbol(struct fgi_listing *l, uint32_t symbol)
{
    size_t size = 0;
    const char *text = fg_capture_symbol(l->backing->capture, symbol, &size);
    return fgi_list_intern(l, text, size);
}

static bool make_room(struct fgi_listing *l)
{
    if (l->count < l->capacity) {
        return true;
    }
    uint32_t capacity = l->capacity == 0 ? 16 : l->capacity * 2;
    struct fg_trace_arg *more = fgi_arena_alloc(&l->backing->cache.arena, capacity, sizeof *more);
    if (!more) {
        l->result = FG_ERR_NO_MEMORY;
        return false;
    }
    if (l->count > 0) {
        memcpy(more, l->out, l->count * sizeof *more);
    }
    l->out = more;
    l->capacity = capacity;
    return true;
}

void fgi_list_put(struct fgi_listing *l, const char *key, struct fg_trace_arg arg)
{
    arg.key = fgi_list_intern(l, key, strlen(key));
    arg.depth = l->depth;
    if (l->result == FG_OK && make_room(l)) {
        l->out[l->count++] = arg;
    }
}

void fgi_list_number(struct fgi_listing *l, const char *key, uint64_t value, uint8_t quality)
{
    fgi_list_put(
        l, key,
        (struct fg_trace_arg){ .kind = FG_ARG_UINT, .quality = quality, .value.natural = value });
}

void fgi_list_bytes(struct fgi_listing *l, const char *key, uint64_t value, uint8_t quality)
{
    fgi_list_put(
        l, key,
        (struct fg_trace_arg){ .kind = value == FG_CAP_UNKNOWN ? FG_ARG_UNKNOWN : FG_ARG_BYTES,
                               .quality = quality,
                               .value.natural = value });
}

void fgi_list_unknown(struct fgi_listing *l, const char *key, uint8_t quality)
{
    fgi_list_put(l, key, (struct fg_trace_arg){ .kind = FG_ARG_UNKNOWN, .quality = quality });
}

/* A number of which 0 means that nobody said it. */
void fgi_list_said(struct fgi_listing *l, const char *key, uint64_t value)
{
    if (value == 0) {
        fgi_list_unknown(l, key, FG_QUALITY_PLAIN);
    } else {
        fgi_list_number(l, key, value, FG_QUALITY_PLAIN);
    }
}

void fgi_list_object(struct fgi_listing *l, const char *key, uint64_t value)
{
    fgi_list_put(l, key, (struct fg_trace_arg){ .kind = FG_ARG_OBJECT, .value.natural = value });
}

void fgi_list_text(struct fgi_listing *l, const char *key, uint32_t text)
{
    fgi_list_put(l, key, (struct fg_trace_arg){ .kind = FG_ARG_TEXT, .value.text = text });
}

void fgi_list_word(struct fgi_listing *l, const char *key, const char *word)
{
    fgi_list_text(l, key, fgi_list_intern(l, word, strlen(word)));
}

void fgi_list_begin(struct fgi_listing *l, const char *key)
{
    fgi_list_put(l, key, (struct fg_trace_arg){ .kind = FG_ARG_GROUP });
    l->depth++;
}

void fgi_list_end(struct fgi_listing *l)
{
    l->depth--;
}
