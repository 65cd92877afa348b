/* SPDX-License-Identifier: MIT */
/* The tokenizer. What a token cannot finish in its piece goes on in `partial` with the next one. */
#include "base/json_read.h"
#include "base/json_scan.h"

#include <string.h>

enum expect {
    EXPECT_VALUE, /* an item: of an array, or of the input itself */
    EXPECT_KEY,
    EXPECT_COLON,
    EXPECT_MEMBER, /* the value of a key */
    EXPECT_COMMA,
    EXPECT_BRACE, /* after fgi_json_resync(): an object */
    EXPECT_QUOTE, /* and in it a key */
};
enum partial {
    PARTIAL_NONE,
    PARTIAL_KEY,
    PARTIAL_STRING,
    PARTIAL_WORD,
    PARTIAL_TAKE,
};

#define DEFAULT_TEXT_BYTES ((size_t)1 << 20)

void fgi_json_start(struct fgi_json_reader *reader, const struct fg_allocator *allocator)
{
    *reader =
        (struct fgi_json_reader){ .allocator = allocator, .max_text_bytes = DEFAULT_TEXT_BYTES };
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

static inline bool in_object(const struct fgi_json_reader *r)
{
    return r->depth > 0 && (r->is_object[(r->depth - 1) / 64] >> ((r->depth - 1) % 64) & 1);
}

static void mend(struct fgi_json_reader *r, enum fgi_json_mend kind, const uint8_t *p)
{
    if (r->mends[kind]++ == 0) {
        r->mend_offset[kind] = r->piece_offset + (uint64_t)(p - r->piece);
    }
}

static enum fgi_json_token broken(struct fgi_json_reader *r, const uint8_t *p)
{
    if (!r->is_broken) {
        r->is_broken = true;
        r->at = p;
        r->broken_offset = fgi_json_offset(r);
    }
    return FGI_JSON_BROKEN;
}

/* Keep bytes of a piece that is about to go. */
static bool keep(struct fgi_json_reader *r, struct fgi_bytes *carry, const uint8_t *from,
                 size_t size, size_t limit)
{
    size_t room = carry->size < limit ? limit - carry->size : 0;
    fgi_put_raw(carry, from, size < room ? size : room);
    if (carry->result != FG_OK) {
        r->result = carry->result;
    }
    return carry->result == FG_OK;
}

static size_t text_limit(const struct fgi_json_reader *r)
{
    return r->max_text_bytes > 0 ? r->max_text_bytes : DEFAULT_TEXT_BYTES;
}

/* What was kept: a text that is empty is there all the same. */
static const uint8_t *kept_text(const struct fgi_bytes *carry)
{
    return carry->size > 0 ? carry->data : (const uint8_t *)"";
}

/* The key of a value that is still to come must outlive the piece it was in. */
static bool keep_key(struct fgi_json_reader *r)
{
    bool is_due = r->expect == EXPECT_COLON || r->expect == EXPECT_MEMBER ||
                  (r->partial > PARTIAL_KEY && in_object(r));
    const uint8_t *key = (const uint8_t *)r->key;
    if (!is_due || key < r->piece || key >= r->end) {
        return true;
    }
    fgi_bytes_clear(&r->key_carry);
    bool done = keep(r, &r->key_carry, key, r->key_size, SIZE_MAX);
    r->key = (const char *)kept_text(&r->key_carry);
    return done;
}

/* Nothing of the piece is left. */
static enum fgi_json_token piece_is_used(struct fgi_json_reader *r)
{
    r->at = r->end;
    if (!r->is_closed) {
        return keep_key(r) ? FGI_JSON_MORE : broken(r, r->end);
    }
    bool is_seeking = r->expect == EXPECT_BRACE || r->expect == EXPECT_QUOTE;
    if (!is_seeking && (r->depth > 0 || r->partial != PARTIAL_NONE)) {
        mend(r, FGI_JSON_UNCLOSED, r->end);
        r->depth = 0;
        r->partial = PARTIAL_NONE;
        r->expect = EXPECT_VALUE;
    }
    return FGI_JSON_END;
}

static inline void after_value(struct fgi_json_reader *r)
{
    r->expect = r->depth > 0 ? EXPECT_COMMA : EXPECT_VALUE;
    r->is_first = false;
}

static inline void set_key(const struct fgi_json_reader *r, struct fgi_json_item *item)
{
    bool has = in_object(r);
    item->key = has ? r->key : NULL;
    item->key_size = has ? r->key_size : 0;
    item->key_flags = has ? r->key_flags : 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

static inline void set_text(struct fgi_json_reader *r, struct fgi_json_item *item,
                            const uint8_t *text, size_t size, size_t limit)
{
    item->text = (const char *)text;
    item->size = size < limit ? size : limit;
    item->flags = r->text_flags | (size > limit ? FGI_JSON_CUT : 0);
    item->offset = r->token_offset;
}

static enum fgi_json_token string_is_whole(struct fgi_json_reader *r, struct fgi_json_item *item,
                                           const uint8_t *text, size_t size, bool is_key)
{
    if (r->text_flags & FGI_JSON_CONTROL) {
        mend(r, FGI_JSON_CONTROL_BYTE, r->at);
    }
    if (is_key) {
        size_t limit = text_limit(r);
        r->key = (const char *)text;
        r->key_size = size < limit ? size : limit;
        r->key_flags = r->text_flags;
        r->expect = EXPECT_COLON;
        return FGI_JSON_MORE;
    }
    set_text(r, item, text, size, text_limit(r));
    set_key(r, item);
    after_value(r);
    return FGI_JSON_STRING;
}

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
        return string_is_whole(r, item, p, (size_t)(quote - p), is_key);
    }
    fgi_bytes_clear(&r->carry);
    r->partial = is_key ? PARTIAL_KEY : PARTIAL_STRING;
    r->after_escape = after_escape;
    if (!keep(r, &r->carry, p, (size_t)(quote - p), text_limit(r) + 1)) {
        return broken(r, p);
    }
    return piece_is_used(r);
}

/* More of a string that an earlier piece began. */
static enum fgi_json_token continue_string(struct fgi_json_reader *r, struct fgi_json_item *item,
                                           bool *out_done)
{
    bool is_key = r->partial == PARTIAL_KEY;
    const uint8_t *from = r->at;
    const uint8_t *quote = fgi_scan_string(from, r->end, &r->text_flags, &r->after_escape);
    *out_done = quote != r->end;
    if (!keep(r, &r->carry, from, (size_t)(quote - from), text_limit(r) + 1)) {
        return broken(r, from);
    }
    if (quote == r->end) {
        return piece_is_used(r);
    }
    r->partial = PARTIAL_NONE;
    r->at = quote + 1;
    if (!is_key) {
        return string_is_whole(r, item, kept_text(&r->carry), r->carry.size, false);
    }
    fgi_bytes_clear(&r->key_carry);
    if (!keep(r, &r->key_carry, kept_text(&r->carry), r->carry.size, SIZE_MAX)) {
        return broken(r, quote);
    }
    return string_is_whole(r, item, kept_text(&r->key_carry), r->key_carry.size, true);
}

static enum fgi_json_token word_is_whole(struct fgi_json_reader *r, struct fgi_json_item *item,
                                         const uint8_t *text, size_t size)
{
    size_t sign = size > 0 && (text[0] == '-' || text[0] == '+');
    bool is_number = size > sign && ((text[sign] >= '0' && text[sign] <= '9') || text[sign] == '.');
    r->text_flags = 0;
    set_text(r, item, text, size, text_limit(r));
    set_key(r, item);
    after_value(r);
    return is_number ? FGI_JSON_NUMBER : FGI_JSON_WORD;
}

static enum fgi_json_token begin_word(struct fgi_json_reader *r, struct fgi_json_item *item,
                                      const uint8_t *p)
{
    const uint8_t *q = fgi_scan_word(p, r->end);
    if (q != r->end) {
        r->at = q;
        return word_is_whole(r, item, p, (size_t)(q - p));
    }
    fgi_bytes_clear(&r->carry);
    r->partial = PARTIAL_WORD;
    return keep(r, &r->carry, p, (size_t)(q - p), text_limit(r) + 1) ? piece_is_used(r)
                                                                     : broken(r, p);
}

static enum fgi_json_token continue_word(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    const uint8_t *from = r->at;
    const uint8_t *q = fgi_scan_word(from, r->end);
    if (!keep(r, &r->carry, from, (size_t)(q - from), text_limit(r) + 1)) {
        return broken(r, from);
    }
    /* At the end of the input it may have been cut, unless nothing was around it. */
    if (q == r->end && !(r->is_closed && r->depth == 0)) {
        return piece_is_used(r);
    }
    r->partial = PARTIAL_NONE;
    r->at = q;
    return word_is_whole(r, item, r->carry.data, r->carry.size);
}

/* ---- containers ------------------------------------------------------------------------------ */

static inline enum fgi_json_token open_container(struct fgi_json_reader *r,
                                                 struct fgi_json_item *item, const uint8_t *p,
                                                 bool is_object)
{
    if (r->depth == FGI_JSON_DEPTH) {
        return broken(r, p);
    }
    set_key(r, item);
    item->text = NULL;
    item->size = 0;
    item->flags = 0;
    item->offset = r->token_offset;
    uint64_t bit = UINT64_C(1) << (r->depth % 64);
    uint64_t *word = &r->is_object[r->depth / 64];
    *word = is_object ? *word | bit : *word & ~bit;
    r->depth++;
    r->expect = is_object ? EXPECT_KEY : EXPECT_VALUE;
    r->is_first = true;
    r->at = p + 1;
    return is_object ? FGI_JSON_OBJECT : FGI_JSON_ARRAY;
}

static inline enum fgi_json_token close_container(struct fgi_json_reader *r,
                                                  struct fgi_json_item *item, const uint8_t *p)
{
    bool was_object = in_object(r);
    if (r->depth == 0 || (*p == '}') != was_object) {
        return broken(r, p);
    }
    r->depth--;
    after_value(r);
    r->at = p + 1;
    item->key = NULL;
    item->key_size = 0;
    item->offset = r->piece_offset + (uint64_t)(p - r->piece);
    return was_object ? FGI_JSON_OBJECT_END : FGI_JSON_ARRAY_END;
}

void fgi_json_take(struct fgi_json_reader *reader, size_t max_bytes)
{
    reader->depth--;
    reader->partial = PARTIAL_TAKE;
    reader->take_bytes = max_bytes;
    reader->take_nest = 0;
    reader->in_string = reader->after_escape = reader->after_quote = false;
    reader->text_flags = 0;
    reader->at--; /* the bracket is part of it */
    fgi_bytes_clear(&reader->carry);
}

static enum fgi_json_token continue_take(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    struct fgi_scan_take scan = {
        .nest = r->take_nest,
        .in_string = r->in_string,
        .after_escape = r->after_escape,
        .after_quote = r->after_quote,
    };
    const uint8_t *from = r->at;
    const uint8_t *p = fgi_scan_take(&scan, from, r->end);
    r->take_nest = scan.nest;
    r->in_string = scan.in_string;
    r->after_escape = scan.after_escape;
    r->after_quote = scan.after_quote;
    if (scan.is_broken) {
        r->partial = PARTIAL_NONE;
        return broken(r, p);
    }
    bool is_whole = scan.nest == 0 && p != from;
    if (is_whole && r->carry.size == 0) {
        r->partial = PARTIAL_NONE;
        r->at = p;
        set_text(r, item, from, (size_t)(p - from), r->take_bytes);
    } else {
        size_t limit = r->take_bytes > 0 ? r->take_bytes + 1 : 1;
        if (!keep(r, &r->carry, from, (size_t)(p - from), limit)) {
            return broken(r, from);
        }
        if (!is_whole) {
            return piece_is_used(r);
        }
        r->partial = PARTIAL_NONE;
        r->at = p;
        set_text(r, item, r->carry.data, r->carry.size, r->take_bytes);
    }
    set_key(r, item);
    after_value(r);
    return FGI_JSON_RAW;
}

/* ---- items read by other means --------------------------------------------------------------- */

bool fgi_json_is_in_list(const struct fgi_json_reader *reader, bool *out_is_comma_due)
{
    *out_is_comma_due = reader->expect == EXPECT_COMMA;
    return reader->depth > 0 && reader->partial == PARTIAL_NONE && !reader->is_broken &&
           !in_object(reader) && (reader->expect == EXPECT_COMMA || reader->expect == EXPECT_VALUE);
}

void fgi_json_skip(struct fgi_json_reader *reader, const uint8_t *at)
{
    reader->at = at;
    after_value(reader);
}

void fgi_json_jump(struct fgi_json_reader *reader, uint64_t offset, bool has_read_items)
{
    fgi_json_feed(reader, NULL, 0);
    reader->piece_offset = offset;
    if (has_read_items) {
        after_value(reader);
    }
}

/* ---- the grammar ----------------------------------------------------------------------------- */

/* After a value: a comma, the end of the container, or what should have had a comma before it. */
static inline enum fgi_json_token take_comma(struct fgi_json_reader *r, struct fgi_json_item *item,
                                             const uint8_t *p)
{
    bool object = in_object(r);
    if (*p == ',') {
        r->at = p + 1;
    } else if (*p == '}' || *p == ']') {
        return close_container(r, item, p);
    } else if (*p == '"' || (!object && (*p == '{' || *p == '['))) {
        mend(r, FGI_JSON_MISSING_COMMA, p);
        r->at = p;
    } else {
        return broken(r, p);
    }
    r->expect = object ? EXPECT_KEY : EXPECT_VALUE;
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
    if (r->expect != EXPECT_VALUE) {
        return broken(r, p);
    }
    if (*p == ']' && r->depth > 0) {
        if (!r->is_first) {
            mend(r, FGI_JSON_EXTRA_COMMA, p);
        }
        return close_container(r, item, p);
    }
    if (*p == ',') {
        mend(r, FGI_JSON_EXTRA_COMMA, p);
        r->at = p + 1;
        return FGI_JSON_MORE;
    }
    return broken(r, p);
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
            mend(r, FGI_JSON_EXTRA_COMMA, p);
        }
        token = close_container(r, item, p);
    } else if (*p == ',') {
        mend(r, FGI_JSON_EXTRA_COMMA, p);
        r->at = p + 1;
    } else {
        token = broken(r, p);
    }
    *out_is_used = !done;
    return token;
}

/* What was begun in an earlier piece. */
static enum fgi_json_token go_on(struct fgi_json_reader *r, struct fgi_json_item *item,
                                 bool *out_done)
{
    *out_done = true;
    if (r->partial == PARTIAL_TAKE) {
        return continue_take(r, item);
    }
    if (r->at == r->end && !r->is_closed) {
        return piece_is_used(r);
    }
    if (r->partial == PARTIAL_WORD) {
        return continue_word(r, item);
    }
    bool is_whole = false;
    bool is_key = r->partial == PARTIAL_KEY;
    enum fgi_json_token token = continue_string(r, item, &is_whole);
    *out_done = !(is_key && is_whole);
    return token;
}

/* After a resync: an object that begins with a quoted key. */
static enum fgi_json_token seek(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    const uint8_t *p = r->at;
    while (p < r->end) {
        if (r->expect == EXPECT_BRACE) {
            p = memchr(p, '{', (size_t)(r->end - p));
            if (p == NULL) {
                break;
            }
            r->token_offset = r->piece_offset + (uint64_t)(p - r->piece);
            r->expect = EXPECT_QUOTE;
            p++;
            continue;
        }
        if (*p == '"') {
            r->expect = EXPECT_VALUE;
            enum fgi_json_token token = open_container(r, item, p, true);
            r->at = p; /* the quote is still to be read */
            item->key = NULL;
            item->key_size = 0;
            return token;
        }
        r->expect = fgi_is_blank(*p) ? EXPECT_QUOTE : EXPECT_BRACE;
        p += fgi_is_blank(*p);
    }
    return piece_is_used(r);
}

void fgi_json_resync(struct fgi_json_reader *reader, unsigned depth)
{
    reader->is_broken = false;
    reader->partial = PARTIAL_NONE;
    reader->depth = depth;
    reader->expect = EXPECT_BRACE;
    if (depth > 0) { /* as if it were an array */
        reader->is_object[(depth - 1) / 64] &= ~(UINT64_C(1) << ((depth - 1) % 64));
    }
}

enum fgi_json_token fgi_json_next(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    if (r->is_broken || r->result != FG_OK) {
        return FGI_JSON_BROKEN;
    }
    if (r->partial != PARTIAL_NONE) {
        bool done;
        enum fgi_json_token token = go_on(r, item, &done);
        if (done) {
            return token;
        }
    }
    for (;;) {
        if (r->expect >= EXPECT_BRACE) {
            return seek(r, item);
        }
        const uint8_t *p = fgi_scan_blank(r->at, r->end);
        if (p == r->end) {
            return piece_is_used(r);
        }
        enum fgi_json_token token = FGI_JSON_MORE;
        bool is_used = false;
        switch ((enum expect)r->expect) {
        case EXPECT_COMMA:
            token = take_comma(r, item, p);
            break;
        case EXPECT_KEY:
            token = take_key(r, item, p, &is_used);
            break;
        case EXPECT_COLON:
            if (*p != ':') {
                return broken(r, p);
            }
            r->at = p + 1;
            r->expect = EXPECT_MEMBER;
            break;
        default:
            token = take_value(r, item, p);
            is_used = r->partial != PARTIAL_NONE;
            break;
        }
        if (token != FGI_JSON_MORE || is_used) {
            return token;
        }
    }
}
