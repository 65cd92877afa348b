/* SPDX-License-Identifier: MIT */
/*
 * The tokenizer. What a token cannot finish in its piece goes on in `partial` with the next one
 * (json_pieces.c).
 */
#include "base/json_read.h"
#include "base/json_read_priv.h"

#include <string.h>

void fgi_json_start(struct fgi_json_reader *reader, const struct fg_allocator *allocator)
{
    *reader =
        (struct fgi_json_reader){ .allocator = allocator, .max_text_bytes = FGI_JSON_TEXT_BYTES };
    reader->carry.allocator = allocator;
    reader->key_carry.allocator = allocator;
}

void fgi_json_finish_reading(struct fgi_json_reader *reader)
{
    if (reader != NULL) {
        fgi_bytes_finish(&reader->carry);
        fgi_bytes_finish(&reader->key_carry);
    }
}

uint64_t fgi_json_offset(const struct fgi_json_reader *reader)
{
    return reader->piece_offset + (uint64_t)(reader->at - reader->piece);
}

void fgi_json_feed(struct fgi_json_reader *reader, const void *bytes, size_t size)
{
    static const uint8_t nothing[1];
    reader->piece_offset += (uint64_t)(reader->end - reader->piece);
    reader->piece = reader->at = size > 0 ? bytes : nothing;
    reader->end = reader->piece + size;
}

void fgi_json_close(struct fgi_json_reader *reader)
{
    fgi_json_feed(reader, NULL, 0);
    reader->is_closed = true;
}

/* ---- small parts ----------------------------------------------------------------------------- */

void fgi_json_mend(struct fgi_json_reader *r, enum fgi_json_mend kind, const uint8_t *p)
{
    if (r->mends[kind]++ == 0) {
        r->mend_offset[kind] = r->piece_offset + (uint64_t)(p - r->piece);
    }
}

enum fgi_json_token fgi_json_broken(struct fgi_json_reader *r, const uint8_t *p)
{
    if (!r->is_broken) {
        r->is_broken = true;
        r->at = p;
        r->broken_offset = fgi_json_offset(r);
    }
    return FGI_JSON_BROKEN;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/*
 * A string whose quote is behind `p`. Of a value the token; of a key FGI_JSON_MORE, and *out_done
 * tells whether it is whole.
 */
static inline enum fgi_json_token begin_string(struct fgi_json_reader *r,
                                               struct fgi_json_item *item, const uint8_t *p,
                                               bool is_key, bool *out_done)
{
    uint8_t flags = 0;
    bool after_escape = false;
    const uint8_t *quote = fgi_scan_string(p, r->end, &flags, &after_escape);
    r->text_flags = flags;
    *out_done = quote != r->end;
    if (quote != r->end) {
        r->at = quote + 1;
        return fgi_json_end_string(r, item, p, (size_t)(quote - p), is_key);
    }
    fgi_bytes_clear(&r->carry);
    r->partial = is_key ? FGI_PARTIAL_KEY : FGI_PARTIAL_STRING;
    r->after_escape = after_escape;
    if (!fgi_json_keep(r, &r->carry, p, (size_t)(quote - p), fgi_json_text_limit(r) + 1)) {
        return fgi_json_broken(r, p);
    }
    return fgi_json_piece_is_used(r);
}

static enum fgi_json_token begin_word(struct fgi_json_reader *r, struct fgi_json_item *item,
                                      const uint8_t *p)
{
    const uint8_t *q = fgi_scan_word(p, r->end);
    if (q != r->end) {
        r->at = q;
        return fgi_json_end_word(r, item, p, (size_t)(q - p));
    }
    fgi_bytes_clear(&r->carry);
    r->partial = FGI_PARTIAL_WORD;
    return fgi_json_keep(r, &r->carry, p, (size_t)(q - p), fgi_json_text_limit(r) + 1)
               ? fgi_json_piece_is_used(r)
               : fgi_json_broken(r, p);
}

/* ---- containers ------------------------------------------------------------------------------ */

static inline enum fgi_json_token open_container(struct fgi_json_reader *r,
                                                 struct fgi_json_item *item, const uint8_t *p,
                                                 bool is_object)
{
    if (r->depth == FGI_JSON_DEPTH) {
        return fgi_json_broken(r, p);
    }
    fgi_json_set_key(r, item);
    item->text = NULL;
    item->size = 0;
    item->flags = 0;
    item->offset = r->token_offset;
    uint64_t bit = UINT64_C(1) << (r->depth % 64);
    uint64_t *word = &r->is_object[r->depth / 64];
    *word = is_object ? *word | bit : *word & ~bit;
    r->depth++;
    r->expect = is_object ? FGI_EXPECT_KEY : FGI_EXPECT_VALUE;
    r->is_first = true;
    r->at = p + 1;
    return is_object ? FGI_JSON_OBJECT : FGI_JSON_ARRAY;
}

static inline enum fgi_json_token close_container(struct fgi_json_reader *r,
                                                  struct fgi_json_item *item, const uint8_t *p)
{
    bool was_object = fgi_json_in_object(r);
    if (r->depth == 0 || (*p == '}') != was_object) {
        return fgi_json_broken(r, p);
    }
    r->depth--;
    fgi_json_after_value(r);
    r->at = p + 1;
    item->key = NULL;
    item->key_size = 0;
    item->offset = r->piece_offset + (uint64_t)(p - r->piece);
    return was_object ? FGI_JSON_OBJECT_END : FGI_JSON_ARRAY_END;
}

/* ---- items read by other means --------------------------------------------------------------- */

bool fgi_json_is_in_list(const struct fgi_json_reader *reader, bool *out_is_comma_due)
{
    *out_is_comma_due = reader->expect == FGI_EXPECT_COMMA;
    return reader->depth > 0 && reader->partial == FGI_PARTIAL_NONE && !reader->is_broken &&
           !fgi_json_in_object(reader) &&
           (reader->expect == FGI_EXPECT_COMMA || reader->expect == FGI_EXPECT_VALUE);
}

void fgi_json_skip(struct fgi_json_reader *reader, const uint8_t *at)
{
    reader->at = at;
    fgi_json_after_value(reader);
}

void fgi_json_jump(struct fgi_json_reader *reader, uint64_t offset, bool has_read_items)
{
    fgi_json_feed(reader, NULL, 0);
    reader->piece_offset = offset;
    if (has_read_items) {
        fgi_json_after_value(reader);
    }
}

/* ---- the grammar ----------------------------------------------------------------------------- */

/* After a value: a comma, the end of the container, or what should have had a comma before it. */
static inline enum fgi_json_token take_comma(struct fgi_json_reader *r, struct fgi_json_item *item,
                                             const uint8_t *p)
{
    bool object = fgi_json_in_object(r);
    if (*p == ',') {
        r->at = p + 1;
    } else if (*p == '}' || *p == ']') {
        return close_container(r, item, p);
    } else if (*p == '"' || (!object && (*p == '{' || *p == '['))) {
        fgi_json_mend(r, FGI_JSON_MISSING_COMMA, p);
        r->at = p;
    } else {
        return fgi_json_broken(r, p);
    }
    r->expect = object ? FGI_EXPECT_KEY : FGI_EXPECT_VALUE;
    return FGI_JSON_MORE;
}

/* The beginning of a value at p. FGI_JSON_MORE: go on (a comma too many was passed over). */
static inline enum fgi_json_token take_value(struct fgi_json_reader *r, struct fgi_json_item *item,
                                             const uint8_t *p)
{
    bool done = false;
    r->token_offset = r->piece_offset + (uint64_t)(p - r->piece);
    if (*p == '"') {
        return begin_string(r, item, p + 1, false, &done);
    }
    if (fgi_is_word(*p)) {
        return begin_word(r, item, p);
    }
    if (*p == '{' || *p == '[') {
        return open_container(r, item, p, *p == '{');
    }
    if (r->expect != FGI_EXPECT_VALUE) {
        return fgi_json_broken(r, p);
    }
    if (*p == ']' && r->depth > 0) {
        if (!r->is_first) {
            fgi_json_mend(r, FGI_JSON_EXTRA_COMMA, p);
        }
        return close_container(r, item, p);
    }
    if (*p == ',') {
        fgi_json_mend(r, FGI_JSON_EXTRA_COMMA, p);
        r->at = p + 1;
        return FGI_JSON_MORE;
    }
    return fgi_json_broken(r, p);
}

/* Where a key is due. */
static inline enum fgi_json_token take_key(struct fgi_json_reader *r, struct fgi_json_item *item,
                                           const uint8_t *p, bool *out_is_used)
{
    bool done = true;
    enum fgi_json_token token = FGI_JSON_MORE;
    if (*p == '"') {
        token = begin_string(r, item, p + 1, true, &done);
    } else if (*p == '}') {
        if (!r->is_first) {
            fgi_json_mend(r, FGI_JSON_EXTRA_COMMA, p);
        }
        token = close_container(r, item, p);
    } else if (*p == ',') {
        fgi_json_mend(r, FGI_JSON_EXTRA_COMMA, p);
        r->at = p + 1;
    } else {
        token = fgi_json_broken(r, p);
    }
    *out_is_used = !done;
    return token;
}

/* After a resync: an object that begins with a quoted key. */
static enum fgi_json_token seek(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    const uint8_t *p = r->at;
    while (p < r->end) {
        if (r->expect == FGI_EXPECT_BRACE) {
            p = memchr(p, '{', (size_t)(r->end - p));
            if (p == NULL) {
                break;
            }
            r->token_offset = r->piece_offset + (uint64_t)(p - r->piece);
            r->expect = FGI_EXPECT_QUOTE;
            p++;
            continue;
        }
        if (*p == '"') {
            r->expect = FGI_EXPECT_VALUE;
            enum fgi_json_token token = open_container(r, item, p, true);
            r->at = p; /* the quote is still to be read */
            item->key = NULL;
            item->key_size = 0;
            return token;
        }
        r->expect = fgi_is_blank(*p) ? FGI_EXPECT_QUOTE : FGI_EXPECT_BRACE;
        p += fgi_is_blank(*p);
    }
    return fgi_json_piece_is_used(r);
}

void fgi_json_resync(struct fgi_json_reader *reader, unsigned depth)
{
    reader->is_broken = false;
    reader->partial = FGI_PARTIAL_NONE;
    reader->depth = depth;
    reader->expect = FGI_EXPECT_BRACE;
    if (depth > 0) { /* as if it were an array */
        reader->is_object[(depth - 1) / 64] &= ~(UINT64_C(1) << ((depth - 1) % 64));
    }
}

enum fgi_json_token fgi_json_next(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    if (r->is_broken || r->result != FG_OK) {
        return FGI_JSON_BROKEN;
    }
    if (r->partial != FGI_PARTIAL_NONE) {
        bool done;
        enum fgi_json_token token = fgi_json_go_on(r, item, &done);
        if (done) {
            return token;
        }
    }
    for (;;) {
        if (r->expect >= FGI_EXPECT_BRACE) {
            return seek(r, item);
        }
        const uint8_t *p = fgi_scan_blank(r->at, r->end);
        if (p == r->end) {
            return fgi_json_piece_is_used(r);
        }
        enum fgi_json_token token = FGI_JSON_MORE;
        bool is_used = false;
        switch ((enum fgi_json_expect)r->expect) {
        case FGI_EXPECT_COMMA:
            token = take_comma(r, item, p);
            break;
        case FGI_EXPECT_KEY:
            token = take_key(r, item, p, &is_used);
            break;
        case FGI_EXPECT_COLON:
            if (*p != ':') {
                return fgi_json_broken(r, p);
            }
            r->at = p + 1;
            r->expect = FGI_EXPECT_MEMBER;
            break;
        default:
            token = take_value(r, item, p);
            is_used = r->partial != FGI_PARTIAL_NONE;
            break;
        }
        if (token != FGI_JSON_MORE || is_used) {
            return token;
        }
    }
}
