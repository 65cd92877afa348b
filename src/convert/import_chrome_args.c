/* SPDX-License-Identifier: MIT */
/*
 * Arguments, read from the file when they are asked for. Kept is only where the event of a row
 * begins. Everything that the event says is shown: what is in "args" first on its own, then, under
 * their own names, the members that the trace has no place for (tts, id, cname...).
 */
#include "base/alloc.h"
#include "convert/import_chrome_priv.h"
#include "convert/utf16_source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHUNK_ROWS = 1024,
    READ_BYTES = 16 << 10,
    ARGS_MAX = 65536,       /* of one row */
    TEXT_BYTES = 256 << 10, /* of one text */
};

/* By row: 0 = nothing is known, otherwise the offset less `base`, plus 1. */
struct fgi_chrome_chunk {
    uint64_t base;
    bool has_base;
    uint32_t deltas[CHUNK_ROWS];
};

static struct fgi_chrome_chunk *chunk_of(struct fgi_chrome *c, uint32_t row)
{
    struct fgi_chrome_places *places = &c->kept->places;
    while (places->chunks.count <= row / CHUNK_ROWS) {
        if (!FGI_CHROME_PUSH(c, places->chunks, NULL)) {
            return NULL;
        }
    }
    struct fgi_chrome_chunk **chunk = &places->chunks.items[row / CHUNK_ROWS];
    if (*chunk == NULL) {
        *chunk = fgi_calloc(c->allocator, 1, sizeof **chunk);
        if (*chunk == NULL) {
            fgi_builder_fail(c->builder, FG_ERR_NO_MEMORY);
        }
    }
    return *chunk;
}

void fgi_chrome_place(struct fgi_chrome *c, uint32_t row, uint64_t offset)
{
    struct fgi_chrome_places *places = &c->kept->places;
    struct fgi_chrome_chunk *chunk = chunk_of(c, row);
    if (chunk == NULL) {
        return;
    }
    if (!chunk->has_base) {
        chunk->has_base = true;
        chunk->base = offset;
    }
    if (offset >= chunk->base && offset - chunk->base < UINT32_MAX) {
        chunk->deltas[row % CHUNK_ROWS] = (uint32_t)(offset - chunk->base) + 1;
    } else if (FGI_CHROME_PUSH(c, places->far_offsets, offset)) {
        fgi_builder_fail(c->builder,
                         fgi_map64_put(&places->far, row, (uint32_t)places->far_offsets.count - 1));
    }
}

uint64_t fgi_chrome_places_bytes(const struct fgi_chrome_places *places)
{
    uint64_t bytes = places->chunks.capacity * sizeof *places->chunks.items +
                     places->far_offsets.capacity * sizeof *places->far_offsets.items;
    for (size_t i = 0; i < places->chunks.count; i++) {
        bytes += places->chunks.items[i] != NULL ? sizeof *places->chunks.items[i] : 0;
    }
    return bytes;
}

static bool place_of(const struct fgi_chrome_places *places, uint32_t row, uint64_t *out_offset)
{
    uint32_t index;
    if (row / CHUNK_ROWS >= places->chunks.count) {
        return false;
    }
    const struct fgi_chrome_chunk *chunk = places->chunks.items[row / CHUNK_ROWS];
    if (chunk != NULL && chunk->deltas[row % CHUNK_ROWS] != 0) {
        *out_offset = chunk->base + chunk->deltas[row % CHUNK_ROWS] - 1;
        return true;
    }
    if (!fgi_map64_get(&places->far, row, &index)) {
        return false;
    }
    *out_offset = places->far_offsets.items[index];
    return true;
}

/* ---- reading --------------------------------------------------------------------------------- */

struct loading {
    struct fgi_chrome_kept *kept;
    struct fg_trace_arg *out;
    uint32_t capacity;
    uint32_t count;
    bool only_args;   /* of an end: what else it says is said by the beginning */
    bool in_args;     /* inside the member "args" */
    unsigned outside; /* reader's depth around the arguments that are of depth 0 */
    uint32_t index[FGI_JSON_DEPTH + 1]; /* by depth: position in an array */
    struct fgi_bytes text;
    enum fg_result result;
};

/* Names of members that the row itself shows. */
static bool is_of_row(const struct fgi_json_item *item)
{
    static const char *const keys[] = { "ph", "name", "cat", "pid", "tid", "ts", "dur" };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        if (fgi_chrome_is_key(item, keys[i])) {
            return true;
        }
    }
    return false;
}

static uint32_t text_of(struct loading *l, const char *text, size_t size, uint8_t flags)
{
    uint32_t id = 0;
    if (flags & (FGI_JSON_ESCAPED | FGI_JSON_CONTROL)) {
        fgi_bytes_clear(&l->text);
        if (!fgi_bytes_reserve(&l->text, 3 * size + 1)) {
            l->result = FG_ERR_NO_MEMORY;
            return 0;
        }
        size = fgi_json_unescape(text, size, (char *)l->text.data, NULL);
        text = (const char *)l->text.data;
    }
    enum fg_result result = fgi_trace_add_text(l->kept->trace, text, size, &id);
    l->result = l->result == FG_OK ? result : l->result;
    return id;
}

static void set_number(struct loading *l, const struct fgi_json_item *item,
                       struct fg_trace_arg *arg)
{
    struct fgi_decimal decimal;
    char text[64];
    arg->kind = FG_ARG_TEXT;
    if (!fgi_decimal_read(item->text, item->size, 0, &decimal)) {
        arg->value.text = text_of(l, item->text, item->size, 0); /* "1.#INF" */
        return;
    }
    bool is_small = decimal.whole <= (uint64_t)INT64_MAX;
    if (decimal.is_integer && is_small) {
        arg->kind = FG_ARG_INT;
        arg->value.integer = decimal.is_negative ? -(int64_t)decimal.whole : (int64_t)decimal.whole;
    } else if (decimal.is_integer && !decimal.is_negative) {
        arg->kind = FG_ARG_UINT;
        arg->value.natural = decimal.whole;
    } else if ((decimal.is_saturated && memchr(item->text, '.', item->size) == NULL &&
                memchr(item->text, 'e', item->size) == NULL) ||
               item->size >= sizeof text) {
        arg->value.text = text_of(l, item->text, item->size, 0); /* more digits than 64 bits */
    } else {
        memcpy(text, item->text, item->size);
        text[item->size] = '\0';
        arg->kind = FG_ARG_DOUBLE;
        arg->value.real = strtod(text, NULL);
    }
}

static void set_word(struct loading *l, const struct fgi_json_item *item, struct fg_trace_arg *arg)
{
    static const char *const unknown[] = { "null", "NaN",  "nan",      "-nan",      "NAN",
                                           "inf",  "-inf", "Infinity", "-Infinity", "None" };
    arg->kind = FG_ARG_TEXT;
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        if (strlen(unknown[i]) == item->size && memcmp(unknown[i], item->text, item->size) == 0) {
            arg->kind = FG_ARG_UNKNOWN;
            return;
        }
    }
    bool is_true = item->size == 4 && memcmp(item->text, "true", 4) == 0;
    if (is_true || (item->size == 5 && memcmp(item->text, "false", 5) == 0)) {
        arg->kind = FG_ARG_BOOL;
        arg->value.natural = is_true;
        return;
    }
    arg->value.text = text_of(l, item->text, item->size, item->flags);
}

static void add_argument(struct loading *l, enum fgi_json_token token,
                         const struct fgi_json_item *item, unsigned depth)
{
    if (l->count++ >= l->capacity) {
        return;
    }
    char number[24];
    struct fg_trace_arg arg = { .depth = (uint16_t)depth, .kind = FG_ARG_GROUP };
    if (item->key != NULL) {
        arg.key = text_of(l, item->key, item->key_size, item->key_flags);
    } else {
        int size = snprintf(number, sizeof number, "%u", (unsigned)l->index[depth]);
        arg.key = text_of(l, number, (size_t)size, 0);
    }
    if (token == FGI_JSON_STRING) {
        arg.kind = FG_ARG_TEXT;
        arg.value.text = text_of(l, item->text, item->size, item->flags);
    } else if (token == FGI_JSON_NUMBER) {
        set_number(l, item, &arg);
    } else if (token == FGI_JSON_WORD) {
        set_word(l, item, &arg);
    }
    l->out[l->count - 1] = arg;
}

/* A token of the event. False: it is over, or enough has been read. */
static bool see(struct loading *l, struct fgi_json_reader *reader, enum fgi_json_token token,
                const struct fgi_json_item *item)
{
    bool is_container = token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY;
    unsigned around = reader->depth - (is_container ? 1u : 0u);
    if (token == FGI_JSON_OBJECT_END || token == FGI_JSON_ARRAY_END) {
        l->in_args &= reader->depth > 1;
        return reader->depth > 0;
    }
    if (around == 0) {
        return is_container;
    }
    if (around == 1 && item->key != NULL && !l->in_args) {
        bool is_args = fgi_chrome_is_key(item, "args");
        if (is_args && is_container) {
            l->in_args = true;
            l->outside = 2;
            l->index[0] = 0;
            return true;
        }
        if ((l->only_args && !is_args) || is_of_row(item)) {
            if (is_container) {
                fgi_json_take(reader, 0);
            }
            return true;
        }
        l->outside = 1;
    }
    if (token == FGI_JSON_RAW) {
        return true;
    }
    unsigned depth = around - l->outside;
    add_argument(l, token, item, depth);
    l->index[depth]++;
    l->index[depth + 1] = 0;
    return l->count < ARGS_MAX && l->result == FG_OK;
}

/* The event at an offset of the source. */
static void load_event(struct loading *l, uint64_t offset)
{
    struct fgi_json_reader reader;
    struct fgi_json_item item;
    const struct fgi_chrome_kept *kept = l->kept;
    uint8_t *bytes = fgi_malloc(kept->allocator, READ_BYTES);
    if (bytes == NULL) {
        l->result = FG_ERR_NO_MEMORY;
        return;
    }
    fgi_json_start(&reader, kept->allocator);
    reader.max_text_bytes = TEXT_BYTES;
    l->in_args = false;
    l->outside = 1;
    for (bool more = true; more && l->result == FG_OK;) {
        size_t got = 0;
        enum fgi_json_token token;
        l->result = kept->source.read_at(kept->source.context, offset, bytes, READ_BYTES, &got);
        if (l->result != FG_OK || got == 0) {
            break;
        }
        offset += got;
        fgi_json_feed(&reader, bytes, got);
        while (more && (token = fgi_json_next(&reader, &item)) != FGI_JSON_MORE) {
            more = token != FGI_JSON_BROKEN && see(l, &reader, token, &item);
        }
    }
    if (reader.result != FG_OK && l->result == FG_OK) {
        l->result = reader.result;
    }
    fgi_json_finish_reading(&reader);
    fgi_free(kept->allocator, bytes, READ_BYTES);
}

static void load_ends(struct loading *l, uint32_t row)
{
    const struct fgi_chrome_end_args *ends = l->kept->ends.items;
    size_t low = 0, high = l->kept->ends.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (ends[middle].row < row) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low < l->kept->ends.count && ends[low].row == row && l->result == FG_OK) {
        l->only_args = true;
        load_event(l, ends[low].offset);
    }
}

enum fg_result fgi_chrome_load_args(void *context, uint32_t row, struct fg_trace_arg *out_args,
                                    uint32_t capacity, uint32_t *out_count)
{
    struct fgi_chrome_kept *kept = context;
    struct loading loading = { .kept = kept, .out = out_args, .capacity = capacity };
    uint64_t offset;
    loading.text.allocator = kept->allocator;
    if (place_of(&kept->places, row, &offset)) {
        load_event(&loading, offset);
    }
    load_ends(&loading, row);
    fgi_bytes_finish(&loading.text);
    *out_count = loading.count;
    return loading.result;
}

void fgi_chrome_kept_destroy(void *context)
{
    struct fgi_chrome_kept *kept = context;
    if (kept == NULL) {
        return;
    }
    const struct fg_allocator *allocator = kept->allocator;
    struct fgi_chrome_places *places = &kept->places;
    for (size_t i = 0; i < places->chunks.count; i++) {
        fgi_free(allocator, places->chunks.items[i], sizeof *places->chunks.items[i]);
    }
    fgi_free(allocator, places->chunks.items,
             places->chunks.capacity * sizeof(struct fgi_chrome_chunk *));
    fgi_free(allocator, places->far_offsets.items, places->far_offsets.capacity * sizeof(uint64_t));
    fgi_map64_finish(&places->far);
    fgi_free(allocator, kept->ends.items, kept->ends.capacity * sizeof *kept->ends.items);
    fgi_utf16_source_destroy(kept->wide);
    fgi_free(allocator, kept, sizeof *kept);
}
