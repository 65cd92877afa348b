/* SPDX-License-Identifier: MIT */
/*
 * What reading JSON is made of. json_read.c has the grammar, json_pieces.c what does not end in the
 * piece that it began in: both end a token in the same way, which is here, for both to inline.
 */
#ifndef FGI_JSON_READ_PRIV_H
#define FGI_JSON_READ_PRIV_H
#include "base/json_read.h"
#include "base/json_scan.h"

enum fgi_json_expect {
    FGI_EXPECT_VALUE, /* an item: of an array, or of the input itself */
    FGI_EXPECT_KEY,
    FGI_EXPECT_COLON,
    FGI_EXPECT_MEMBER, /* the value of a key */
    FGI_EXPECT_COMMA,
    FGI_EXPECT_BRACE, /* after fgi_json_resync(): an object */
    FGI_EXPECT_QUOTE, /* and in it a key */
};
enum fgi_json_partial {
    FGI_PARTIAL_NONE,
    FGI_PARTIAL_KEY,
    FGI_PARTIAL_STRING,
    FGI_PARTIAL_WORD,
    FGI_PARTIAL_TAKE,
};

#define FGI_JSON_TEXT_BYTES ((size_t)1 << 20)

/* json_read.c */
void fgi_json_mend(struct fgi_json_reader *r, enum fgi_json_mend kind, const uint8_t *p);
enum fgi_json_token fgi_json_broken(struct fgi_json_reader *r, const uint8_t *p);
/* json_pieces.c */
/** Keep bytes of a piece that is about to go. */
bool fgi_json_keep(struct fgi_json_reader *r, struct fgi_bytes *carry, const uint8_t *from,
                   size_t size, size_t limit);
/** Nothing of the piece is left. */
enum fgi_json_token fgi_json_piece_is_used(struct fgi_json_reader *r);
/** What was begun in an earlier piece; *out_done: the token is for the caller. */
enum fgi_json_token fgi_json_go_on(struct fgi_json_reader *r, struct fgi_json_item *item,
                                   bool *out_done);

static inline bool fgi_json_in_object(const struct fgi_json_reader *r)
{
    return r->depth > 0 && (r->is_object[(r->depth - 1) / 64] >> ((r->depth - 1) % 64) & 1);
}

static inline size_t fgi_json_text_limit(const struct fgi_json_reader *r)
{
    return r->max_text_bytes > 0 ? r->max_text_bytes : FGI_JSON_TEXT_BYTES;
}

static inline void fgi_json_after_value(struct fgi_json_reader *r)
{
    r->expect = r->depth > 0 ? FGI_EXPECT_COMMA : FGI_EXPECT_VALUE;
    r->is_first = false;
}

static inline void fgi_json_set_key(const struct fgi_json_reader *r, struct fgi_json_item *item)
{
    bool has = fgi_json_in_object(r);
    item->key = has ? r->key : NULL;
    item->key_size = has ? r->key_size : 0;
    item->key_flags = has ? r->key_flags : 0;
}

static inline void fgi_json_set_text(struct fgi_json_reader *r, struct fgi_json_item *item,
                                     const uint8_t *text, size_t size, size_t limit)
{
    item->text = (const char *)text;
    item->size = size < limit ? size : limit;
    item->flags = r->text_flags | (size > limit ? FGI_JSON_CUT : 0);
    item->offset = r->token_offset;
}

static inline enum fgi_json_token fgi_json_end_string(struct fgi_json_reader *r,
                                                      struct fgi_json_item *item,
                                                      const uint8_t *text, size_t size, bool is_key)
{
    if (r->text_flags & FGI_JSON_CONTROL) {
        fgi_json_mend(r, FGI_JSON_CONTROL_BYTE, r->at);
    }
    if (is_key) {
        size_t limit = fgi_json_text_limit(r);
        r->key = (const char *)text;
        r->key_size = size < limit ? size : limit;
        r->key_flags = r->text_flags;
        r->expect = FGI_EXPECT_COLON;
        return FGI_JSON_MORE;
    }
    fgi_json_set_text(r, item, text, size, fgi_json_text_limit(r));
    fgi_json_set_key(r, item);
    fgi_json_after_value(r);
    return FGI_JSON_STRING;
}

static inline enum fgi_json_token fgi_json_end_word(struct fgi_json_reader *r,
                                                    struct fgi_json_item *item, const uint8_t *text,
                                                    size_t size)
{
    size_t sign = size > 0 && (text[0] == '-' || text[0] == '+');
    bool is_number = size > sign && ((text[sign] >= '0' && text[sign] <= '9') || text[sign] == '.');
    r->text_flags = 0;
    fgi_json_set_text(r, item, text, size, fgi_json_text_limit(r));
    fgi_json_set_key(r, item);
    fgi_json_after_value(r);
    return is_number ? FGI_JSON_NUMBER : FGI_JSON_WORD;
}

#endif
