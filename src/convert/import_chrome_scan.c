/* SPDX-License-Identifier: MIT */
#include "convert/import_chrome_scan.h"
#include "base/json_scan.h"

#include <string.h>

/* A text longer than this is the tokenizer's, which knows what is kept of it. */
enum { TEXT_BYTES = 1 << 16 };

#define IS(text) (memcmp(key, text, sizeof(text) - 1) == 0)

static inline enum fgi_chrome_key key_of(const char *key, size_t size)
{
    switch (size) {
    case 1:
        return key[0] == 's' ? FGI_CHROME_KEY_INSTANT_SCOPE : FGI_CHROME_KEY_OTHER;
    case 2:
        return IS("ph")   ? FGI_CHROME_KEY_PHASE
               : IS("ts") ? FGI_CHROME_KEY_TS
               : IS("id") ? FGI_CHROME_KEY_ID
               : IS("bp") ? FGI_CHROME_KEY_BIND_POINT
               : IS("sf") ? FGI_CHROME_KEY_STACK_FRAME
                          : FGI_CHROME_KEY_OTHER;
    case 3:
        return IS("pid")   ? FGI_CHROME_KEY_PID
               : IS("tid") ? FGI_CHROME_KEY_TID
               : IS("cat") ? FGI_CHROME_KEY_CATEGORY
               : IS("dur") ? FGI_CHROME_KEY_DUR
               : IS("id2") ? FGI_CHROME_KEY_ID2
                           : FGI_CHROME_KEY_OTHER;
    case 4:
        return IS("name")   ? FGI_CHROME_KEY_NAME
               : IS("args") ? FGI_CHROME_KEY_ARGS
                            : FGI_CHROME_KEY_OTHER;
    case 5:
        return IS("scope")   ? FGI_CHROME_KEY_SCOPE
               : IS("stack") ? FGI_CHROME_KEY_STACK
                             : FGI_CHROME_KEY_OTHER;
    case 6:
        return IS("weight") ? FGI_CHROME_KEY_WEIGHT : FGI_CHROME_KEY_OTHER;
    case 7:
        return IS("bind_id")   ? FGI_CHROME_KEY_BIND_ID
               : IS("flow_in") ? FGI_CHROME_KEY_FLOW_IN
                               : FGI_CHROME_KEY_OTHER;
    case 8:
        return IS("flow_out") ? FGI_CHROME_KEY_FLOW_OUT : FGI_CHROME_KEY_OTHER;
    default:
        return FGI_CHROME_KEY_OTHER;
    }
}

enum fgi_chrome_key fgi_chrome_key_of(const char *key, size_t size)
{
    return key_of(key, size);
}

/* What makes a member another's: each returns where it ends, `end` where the bytes do, or NULL. */

static inline const uint8_t *scan_text(struct fgi_chrome_part *part, const uint8_t *p,
                                       const uint8_t *end)
{
    uint8_t flags = 0;
    bool after_escape = false;
    const uint8_t *quote = fgi_scan_string(p, end, &flags, &after_escape);
    if (quote == end) {
        return end;
    }
    part->text = (const char *)p;
    part->size = (uint32_t)(quote - p);
    part->flags = flags;
    part->token = FGI_JSON_STRING;
    return (flags & FGI_JSON_CONTROL) != 0 || quote - p > TEXT_BYTES ? NULL : quote + 1;
}

static inline const uint8_t *scan_number(struct fgi_chrome_part *part, const uint8_t *p,
                                         const uint8_t *end)
{
    const uint8_t *q = fgi_scan_word(p, end);
    size_t sign = *p == '-' || *p == '+';
    size_t size = (size_t)(q - p);
    bool is_number = size > sign && ((p[sign] >= '0' && p[sign] <= '9') || p[sign] == '.');
    part->text = (const char *)p;
    part->size = (uint32_t)size;
    part->flags = 0;
    part->token = is_number ? FGI_JSON_NUMBER : FGI_JSON_WORD;
    if (part->key == FGI_CHROME_KEY_TS || part->key == FGI_CHROME_KEY_DUR) {
        struct fgi_decimal decimal;
        part->has_ns = fgi_decimal_read(part->text, size, 3, &decimal) && decimal.is_integer &&
                       !decimal.is_negative && decimal.whole < (uint64_t)INT64_MAX;
        part->ns = part->has_ns ? (int64_t)decimal.whole : 0;
    }
    return size > TEXT_BYTES ? NULL : q;
}

static const uint8_t *scan_container(struct fgi_chrome_part *part, const uint8_t *p,
                                     const uint8_t *end)
{
    struct fgi_scan_take take = { 0 };
    const uint8_t *q = fgi_scan_take(&take, p, end);
    if (take.is_broken) {
        return NULL;
    }
    if (take.nest != 0) {
        return end;
    }
    bool is_kept = part->key == FGI_CHROME_KEY_ARGS || part->key == FGI_CHROME_KEY_STACK ||
                   part->key == FGI_CHROME_KEY_ID2;
    part->text = (const char *)p;
    part->size = is_kept ? (uint32_t)(q - p) : 0;
    part->flags = is_kept ? 0 : FGI_JSON_CUT;
    part->token = FGI_JSON_RAW;
    return q;
}

static inline const uint8_t *scan_value(struct fgi_chrome_part *part, const uint8_t *p,
                                        const uint8_t *end)
{
    if (*p == '"') {
        return scan_text(part, p + 1, end);
    }
    if (fgi_is_word(*p)) {
        return scan_number(part, p, end);
    }
    return *p == '{' || *p == '[' ? scan_container(part, p, end) : NULL;
}

/* A key and its value; p is behind the blanks before it. */
static inline const uint8_t *scan_member(struct fgi_chrome_part *part, const uint8_t *p,
                                         const uint8_t *end)
{
    uint8_t flags = 0;
    if (*p != '"') {
        return NULL;
    }
    const uint8_t *key = p + 1;
    p = fgi_scan_plain(key, end, &flags);
    if (p == end || *p != '"') {
        return p == end ? end : NULL;
    }
    part->has_ns = false;
    part->key = (uint8_t)key_of((const char *)key, (size_t)(p - key));
    p = fgi_scan_blank(p + 1, end);
    if (p == end || *p != ':') {
        return p == end ? end : NULL;
    }
    p = fgi_scan_blank(p + 1, end);
    return p == end ? end : scan_value(part, p, end);
}

/* The event whose bracket is before p. */
static inline const uint8_t *scan_event(struct fgi_chrome_scan *scan, const uint8_t *p,
                                        const uint8_t *end, uint32_t *part_count)
{
    for (uint32_t i = scan->part_count; i < scan->part_capacity; i++) {
        p = fgi_scan_blank(p, end);
        p = p < end ? scan_member(&scan->parts[i], p, end) : end;
        p = p != NULL ? fgi_scan_blank(p, end) : NULL;
        if (p == NULL || p == end) {
            return p;
        }
        if (*p == '}') {
            *part_count = i + 1;
            return p + 1;
        }
        if (*p != ',') {
            return NULL;
        }
        p++;
    }
    return NULL;
}

enum fgi_chrome_stop fgi_chrome_scan(struct fgi_chrome_scan *scan, const uint8_t *bytes,
                                     const uint8_t *end, bool is_comma_due,
                                     const uint8_t **out_stop)
{
    *out_stop = bytes;
    scan->record_count = scan->part_count = 0;
    while (scan->record_count < scan->record_capacity) {
        const uint8_t *p = fgi_scan_blank(*out_stop, end);
        if (is_comma_due && p < end) {
            p = *p == ',' ? fgi_scan_blank(p + 1, end) : NULL;
        }
        if (p == NULL || (p < end && *p != '{')) {
            return FGI_CHROME_STOP_ODD;
        }
        const uint8_t *begin = p;
        uint32_t count = 0;
        p = p < end ? scan_event(scan, p + 1, end, &count) : end;
        /* What ends where the bytes do may go on behind them, unless its bracket was there. */
        if (p == NULL) {
            bool is_full = scan->record_count > 0 && scan->part_capacity - scan->part_count < 64;
            return is_full ? FGI_CHROME_STOP_FULL : FGI_CHROME_STOP_ODD;
        }
        if (count == 0) {
            return FGI_CHROME_STOP_CUT;
        }
        scan->records[scan->record_count++] = (struct fgi_chrome_record){
            .begin = begin, .first = scan->part_count, .count = count - scan->part_count
        };
        scan->part_count = count;
        *out_stop = p;
        is_comma_due = true;
    }
    return FGI_CHROME_STOP_FULL;
}
