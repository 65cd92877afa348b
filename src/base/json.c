/* SPDX-License-Identifier: MIT */
#include "base/json.h"

#include "base/strings.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { JSON_BUFFER_BYTES = 1 << 16, JSON_MAX_DEPTH = 63 };

static void flush(struct fgi_json *json)
{
    if (json->result == FG_OK) {
        json->result = json->buffer.result;
    }
    if (json->result == FG_OK && json->buffer.size != 0) {
        json->result = json->sink->write(json->sink->context, json->buffer.data, json->buffer.size);
    }
    fgi_bytes_clear(&json->buffer);
}

static void raw(struct fgi_json *json, const char *text, size_t size)
{
    if (json->result != FG_OK) {
        return;
    }
    fgi_put_raw(&json->buffer, text, size);
    if (json->buffer.size >= JSON_BUFFER_BYTES) {
        flush(json);
    }
}

static bool is_inline(const struct fgi_json *json)
{
    return json->indent == 0 || (json->is_inline >> json->depth & 1) != 0;
}

static void new_line(struct fgi_json *json)
{
    static const char spaces[] = "                                ";
    size_t count = (size_t)json->indent * json->depth;
    raw(json, "\n", 1);
    while (count != 0) {
        size_t part = count < sizeof spaces - 1 ? count : sizeof spaces - 1;
        raw(json, spaces, part);
        count -= part;
    }
}

/* What stands between the item before and the one that begins now. */
static void separate(struct fgi_json *json)
{
    if (json->after_key) {
        json->after_key = false;
        return;
    }
    bool has_item = (json->has_item >> json->depth & 1) != 0;
    json->has_item |= (uint64_t)1 << json->depth;
    if (has_item) {
        raw(json, ",", 1);
    }
    if (json->depth == 0) {
        return;
    }
    if (!is_inline(json)) {
        new_line(json);
    } else if (has_item && json->indent != 0) {
        raw(json, " ", 1);
    }
}

static void open(struct fgi_json *json, const char *bracket, bool on_one_line)
{
    bool inherited = (json->is_inline >> json->depth & 1) != 0;
    separate(json);
    raw(json, bracket, 1);
    if (json->depth == JSON_MAX_DEPTH) {
        json->result = json->result != FG_OK ? json->result : FG_ERR_LIMIT;
        return;
    }
    uint64_t bit = (uint64_t)1 << ++json->depth;
    json->has_item &= ~bit;
    json->is_inline = on_one_line || inherited ? json->is_inline | bit : json->is_inline & ~bit;
}

static void close(struct fgi_json *json, const char *bracket)
{
    bool has_item = (json->has_item >> json->depth & 1) != 0;
    bool one_line = is_inline(json);
    if (json->depth != 0) {
        json->depth--;
    }
    if (has_item && !one_line) {
        new_line(json);
    }
    raw(json, bracket, 1);
}

void fgi_json_object_begin(struct fgi_json *json)
{
    open(json, "{", false);
}

void fgi_json_object_end(struct fgi_json *json)
{
    close(json, "}");
}

void fgi_json_array_begin(struct fgi_json *json)
{
    open(json, "[", false);
}

void fgi_json_array_end(struct fgi_json *json)
{
    close(json, "]");
}

void fgi_json_inline_object_begin(struct fgi_json *json)
{
    open(json, "{", true);
}

void fgi_json_inline_array_begin(struct fgi_json *json)
{
    open(json, "[", true);
}

static void quoted(struct fgi_json *json, const char *text, size_t size)
{
    size_t start = 0;
    raw(json, "\"", 1);
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c >= 0x20 && c != '"' && c != '\\' && c != 0x7f) {
            continue;
        }
        char escape[8];
        int length = c == '"' || c == '\\' ? snprintf(escape, sizeof escape, "\\%c", c)
                     : c == '\n'           ? snprintf(escape, sizeof escape, "\\n")
                     : c == '\t'           ? snprintf(escape, sizeof escape, "\\t")
                                           : snprintf(escape, sizeof escape, "\\u%04x", c);
        raw(json, text + start, i - start);
        raw(json, escape, (size_t)length);
        start = i + 1;
    }
    raw(json, text + start, size - start);
    raw(json, "\"", 1);
}

static void quoted_repaired(struct fgi_json *json, const char *text, size_t size)
{
    if (fgi_utf8_valid(text, size)) {
        quoted(json, text, size);
        return;
    }
    struct fgi_bytes repaired = { .allocator = json->buffer.allocator };
    if (fgi_bytes_reserve(&repaired, size * 3)) {
        size_t needed = fgi_utf8_repair(text, size, (char *)repaired.data, size * 3);
        quoted(json, (const char *)repaired.data, needed);
    } else if (json->result == FG_OK) {
        json->result = repaired.result;
    }
    fgi_bytes_finish(&repaired);
}

void fgi_json_key(struct fgi_json *json, const char *key)
{
    separate(json);
    quoted_repaired(json, key, strlen(key));
    raw(json, json->indent != 0 ? ": " : ":", json->indent != 0 ? 2 : 1);
    json->after_key = true;
}

void fgi_json_text_sized(struct fgi_json *json, const char *text, size_t size)
{
    separate(json);
    quoted_repaired(json, text, size);
}

void fgi_json_text(struct fgi_json *json, const char *text)
{
    fgi_json_text_sized(json, text, strlen(text));
}

static void number(struct fgi_json *json, const char *text, int length)
{
    separate(json);
    raw(json, text, (size_t)length);
}

void fgi_json_int(struct fgi_json *json, int64_t value)
{
    char text[24];
    number(json, text, snprintf(text, sizeof text, "%lld", (long long)value));
}

void fgi_json_uint(struct fgi_json *json, uint64_t value)
{
    char text[24];
    number(json, text, snprintf(text, sizeof text, "%llu", (unsigned long long)value));
}

void fgi_json_exact_double(struct fgi_json *json, double value)
{
    char text[64];
    if (!isfinite(value)) {
        fgi_json_null(json);
        return;
    }
    int length = snprintf(text, sizeof text, "%.15g", value);
    if (strtod(text, NULL) != value) {
        length = snprintf(text, sizeof text, "%.17g", value);
    }
    number(json, text, length);
}

static void thousandths(struct fgi_json *json, const char *sign, uint64_t magnitude)
{
    char text[32];
    number(json, text,
           snprintf(text, sizeof text, "%s%llu.%03u", sign, (unsigned long long)(magnitude / 1000),
                    (unsigned)(magnitude % 1000)));
}

void fgi_json_thousandths(struct fgi_json *json, int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    thousandths(json, value < 0 ? "-" : "", magnitude);
}

void fgi_json_thousandths_uint(struct fgi_json *json, uint64_t value)
{
    thousandths(json, "", value);
}

void fgi_json_bool(struct fgi_json *json, bool value)
{
    number(json, value ? "true" : "false", value ? 4 : 5);
}

void fgi_json_null(struct fgi_json *json)
{
    number(json, "null", 4);
}

void fgi_json_key_text(struct fgi_json *json, const char *key, const char *text)
{
    fgi_json_key(json, key);
    fgi_json_text(json, text);
}

void fgi_json_key_int(struct fgi_json *json, const char *key, int64_t value)
{
    fgi_json_key(json, key);
    fgi_json_int(json, value);
}

void fgi_json_key_int_or_null(struct fgi_json *json, const char *key, bool is_known, int64_t value)
{
    fgi_json_key(json, key);
    if (is_known) {
        fgi_json_int(json, value);
    } else {
        fgi_json_null(json);
    }
}

void fgi_json_key_uint_or_null(struct fgi_json *json, const char *key, bool is_known,
                               uint64_t value)
{
    fgi_json_key(json, key);
    if (is_known) {
        fgi_json_uint(json, value);
    } else {
        fgi_json_null(json);
    }
}

void fgi_json_key_text_or_null(struct fgi_json *json, const char *key, const char *text)
{
    fgi_json_key(json, key);
    if (text) {
        fgi_json_text(json, text);
    } else {
        fgi_json_null(json);
    }
}

void fgi_json_key_uint(struct fgi_json *json, const char *key, uint64_t value)
{
    fgi_json_key(json, key);
    fgi_json_uint(json, value);
}

void fgi_json_key_bool(struct fgi_json *json, const char *key, bool value)
{
    fgi_json_key(json, key);
    fgi_json_bool(json, value);
}

enum fg_result fgi_json_finish(struct fgi_json *json)
{
    raw(json, "\n", 1);
    flush(json);
    fgi_bytes_finish(&json->buffer);
    return json->result;
}
