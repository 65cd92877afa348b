/* SPDX-License-Identifier: MIT */
/* Reading JSON: what does not end in the piece of the input that it began in. */
#include "base/json_read_priv.h"

bool fgi_json_keep(struct fgi_json_reader *r, struct fgi_bytes *carry, const uint8_t *from,
                   size_t size, size_t limit)
{
    size_t room = carry->size < limit ? limit - carry->size : 0;
    fgi_put_raw(carry, from, size < room ? size : room);
    if (carry->result != FG_OK) {
        r->result = carry->result;
    }
    return carry->result == FG_OK;
}

/* What was kept: a text that is empty is there all the same. */
static const uint8_t *kept_text(const struct fgi_bytes *carry)
{
    return carry->size > 0 ? carry->data : (const uint8_t *)"";
}

/* The key of a value that is still to come must outlive the piece it was in. */
static bool keep_key(struct fgi_json_reader *r)
{
    bool is_due = r->expect == FGI_EXPECT_COLON || r->expect == FGI_EXPECT_MEMBER ||
                  (r->partial > FGI_PARTIAL_KEY && fgi_json_in_object(r));
    const uint8_t *key = (const uint8_t *)r->key;
    if (!is_due || key < r->piece || key >= r->end) {
        return true;
    }
    fgi_bytes_clear(&r->key_carry);
    bool done = fgi_json_keep(r, &r->key_carry, key, r->key_size, SIZE_MAX);
    r->key = (const char *)kept_text(&r->key_carry);
    return done;
}

enum fgi_json_token fgi_json_piece_is_used(struct fgi_json_reader *r)
{
    r->at = r->end;
    if (!r->is_closed) {
        return keep_key(r) ? FGI_JSON_MORE : fgi_json_broken(r, r->end);
    }
    bool is_seeking = r->expect == FGI_EXPECT_BRACE || r->expect == FGI_EXPECT_QUOTE;
    if (!is_seeking && (r->depth > 0 || r->partial != FGI_PARTIAL_NONE)) {
        fgi_json_mend(r, FGI_JSON_UNCLOSED, r->end);
        r->depth = 0;
        r->partial = FGI_PARTIAL_NONE;
        r->expect = FGI_EXPECT_VALUE;
    }
    return FGI_JSON_END;
}

/* More of a string that an earlier piece began. */
static enum fgi_json_token continue_string(struct fgi_json_reader *r, struct fgi_json_item *item,
                                           bool *out_done)
{
    bool is_key = r->partial == FGI_PARTIAL_KEY;
    const uint8_t *from = r->at;
    const uint8_t *quote = fgi_scan_string(from, r->end, &r->text_flags, &r->after_escape);
    *out_done = quote != r->end;
    if (!fgi_json_keep(r, &r->carry, from, (size_t)(quote - from), fgi_json_text_limit(r) + 1)) {
        return fgi_json_broken(r, from);
    }
    if (quote == r->end) {
        return fgi_json_piece_is_used(r);
    }
    r->partial = FGI_PARTIAL_NONE;
    r->at = quote + 1;
    if (!is_key) {
        return fgi_json_end_string(r, item, kept_text(&r->carry), r->carry.size, false);
    }
    fgi_bytes_clear(&r->key_carry);
    if (!fgi_json_keep(r, &r->key_carry, kept_text(&r->carry), r->carry.size, SIZE_MAX)) {
        return fgi_json_broken(r, quote);
    }
    return fgi_json_end_string(r, item, kept_text(&r->key_carry), r->key_carry.size, true);
}

static enum fgi_json_token continue_word(struct fgi_json_reader *r, struct fgi_json_item *item)
{
    const uint8_t *from = r->at;
    const uint8_t *q = fgi_scan_word(from, r->end);
    if (!fgi_json_keep(r, &r->carry, from, (size_t)(q - from), fgi_json_text_limit(r) + 1)) {
        return fgi_json_broken(r, from);
    }
    /* At the end of the input it may have been cut, unless nothing was around it. */
    if (q == r->end && !(r->is_closed && r->depth == 0)) {
        return fgi_json_piece_is_used(r);
    }
    r->partial = FGI_PARTIAL_NONE;
    r->at = q;
    return fgi_json_end_word(r, item, r->carry.data, r->carry.size);
}

void fgi_json_take(struct fgi_json_reader *reader, size_t max_bytes)
{
    reader->depth--;
    reader->partial = FGI_PARTIAL_TAKE;
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
        r->partial = FGI_PARTIAL_NONE;
        return fgi_json_broken(r, p);
    }
    bool is_whole = scan.nest == 0 && p != from;
    if (is_whole && r->carry.size == 0) {
        r->partial = FGI_PARTIAL_NONE;
        r->at = p;
        fgi_json_set_text(r, item, from, (size_t)(p - from), r->take_bytes);
    } else {
        size_t limit = r->take_bytes > 0 ? r->take_bytes + 1 : 1;
        if (!fgi_json_keep(r, &r->carry, from, (size_t)(p - from), limit)) {
            return fgi_json_broken(r, from);
        }
        if (!is_whole) {
            return fgi_json_piece_is_used(r);
        }
        r->partial = FGI_PARTIAL_NONE;
        r->at = p;
        fgi_json_set_text(r, item, r->carry.data, r->carry.size, r->take_bytes);
    }
    fgi_json_set_key(r, item);
    fgi_json_after_value(r);
    return FGI_JSON_RAW;
}

enum fgi_json_token fgi_json_go_on(struct fgi_json_reader *r, struct fgi_json_item *item,
                                   bool *out_done)
{
    *out_done = true;
    if (r->partial == FGI_PARTIAL_TAKE) {
        return continue_take(r, item);
    }
    if (r->at == r->end && !r->is_closed) {
        return fgi_json_piece_is_used(r);
    }
    if (r->partial == FGI_PARTIAL_WORD) {
        return continue_word(r, item);
    }
    bool is_whole = false;
    bool is_key = r->partial == FGI_PARTIAL_KEY;
    enum fgi_json_token token = continue_string(r, item, &is_whole);
    *out_done = !(is_key && is_whole);
    return token;
}
