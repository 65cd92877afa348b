/* SPDX-License-Identifier: MIT */
/*
 * Read JSON from bytes that come in pieces of any size. No recursion, no document in memory, no
 * floating point; and lenient, because what other programs write is often not quite JSON. What was
 * not right but could be read is counted by kind; what could not is FGI_JSON_BROKEN, after which
 * fgi_json_resync() finds the next object.
 *
 *     fgi_json_feed(&reader, bytes, size);
 *     while ((token = fgi_json_next(&reader, &item)) != FGI_JSON_MORE) ...
 */
#ifndef FGI_JSON_READ_H
#define FGI_JSON_READ_H
#include "base/bytes.h"
#include <frameglass/base.h>

enum fgi_json_token {
    FGI_JSON_MORE, /**< the piece is used up: feed the next one, or fgi_json_close() */
    FGI_JSON_END,  /**< closed, and nothing is left */
    FGI_JSON_OBJECT,
    FGI_JSON_OBJECT_END,
    FGI_JSON_ARRAY,
    FGI_JSON_ARRAY_END,
    FGI_JSON_STRING, /**< `text` is what is between the quotes: see FGI_JSON_ESCAPED */
    FGI_JSON_NUMBER, /**< `text` as written: see fgi_decimal_read() */
    FGI_JSON_WORD,   /**< true, false, null, NaN, inf, or anything else without quotes */
    FGI_JSON_RAW,    /**< the container that fgi_json_take() asked for, with its brackets */
    FGI_JSON_BROKEN, /**< no JSON at `offset`; every later call says so until fgi_json_resync() */
};

/** What a text has; 0: plain ASCII. */
enum fgi_json_text_flags {
    FGI_JSON_ESCAPED = 1, /**< a backslash: fgi_json_unescape() */
    FGI_JSON_CONTROL = 2, /**< a byte below 0x20, which should have been escaped */
    FGI_JSON_HIGH = 4,    /**< a byte over 0x7f: UTF-8, or meant to be */
    FGI_JSON_CUT = 8,     /**< longer than what is kept: this is its beginning */
};

/** What was not JSON and was read all the same. */
enum fgi_json_mend {
    FGI_JSON_MISSING_COMMA,
    FGI_JSON_EXTRA_COMMA, /**< before the first, after the last, or twice */
    FGI_JSON_CONTROL_BYTE,
    FGI_JSON_UNCLOSED, /**< the input ends inside an object, array, string or number */
};
#define FGI_JSON_MENDS 4

/** Text is lent until the next call with the reader. Not terminated. */
struct fgi_json_item {
    uint64_t offset; /**< of the first byte of the value */
    const char *key; /**< in objects; NULL elsewhere */
    size_t key_size;
    const char *text;
    size_t size;
    uint8_t key_flags, flags; /**< enum fgi_json_text_flags */
};

/** Containers inside each other that are followed; those taken whole may be deeper. */
#define FGI_JSON_DEPTH 512

/** Zero is a valid reader of nothing. Threads: one. */
struct fgi_json_reader {
    const struct fg_allocator *allocator; /**< NULL = libc */
    size_t max_text_bytes; /**< most of a string that is kept when it is split; 0 = 1 MiB */
    uint64_t mends[FGI_JSON_MENDS];
    uint64_t mend_offset[FGI_JSON_MENDS]; /**< of the first */
    uint64_t broken_offset;
    unsigned depth;
    enum fg_result result; /**< FG_ERR_NO_MEMORY: everything after it is FGI_JSON_BROKEN */

    const uint8_t *piece, *at, *end;
    uint64_t piece_offset;
    uint64_t is_object[FGI_JSON_DEPTH / 64];
    struct fgi_bytes carry;     /* the beginning of a token that the piece before held */
    struct fgi_bytes key_carry; /* likewise of a key whose value is still to come */
    const char *key;
    size_t key_size;
    uint64_t token_offset;
    size_t take_bytes;  /* FGI_JSON_RAW: most that is kept */
    uint64_t take_nest; /* brackets open in it */
    uint8_t key_flags, text_flags;
    uint8_t expect, partial;
    bool has_key, is_closed, in_string, after_escape, after_quote, is_first, is_broken;
};

void fgi_json_start(struct fgi_json_reader *reader, const struct fg_allocator *allocator);
/** NULL is legal. */
void fgi_json_finish_reading(struct fgi_json_reader *reader);
/** The next bytes, borrowed until the call of fgi_json_next() that gives FGI_JSON_MORE. */
void fgi_json_feed(struct fgi_json_reader *reader, const void *bytes, size_t size);
/** There are no more bytes: a number at the end is whole, everything else that is open is cut. */
void fgi_json_close(struct fgi_json_reader *reader);
enum fgi_json_token fgi_json_next(struct fgi_json_reader *reader, struct fgi_json_item *out_item);
/**
 * After FGI_JSON_OBJECT or FGI_JSON_ARRAY: the next token is FGI_JSON_RAW, all of it as it stands;
 * what is inside is only looked at for brackets and strings.
 *
 * @param max_bytes most that is kept of it; 0: it is skipped, and `size` is 0
 */
void fgi_json_take(struct fgi_json_reader *reader, size_t max_bytes);
/**
 * Go on at the next object that begins with a quoted key, as if it were an item of an array at
 * `depth` (which must have been open, or 0).
 */
void fgi_json_resync(struct fgi_json_reader *reader, unsigned depth);
/** A text of the piece itself stays for as long as the piece does. */
static inline bool fgi_json_is_of_piece(const struct fgi_json_reader *reader, const char *text)
{
    return (uintptr_t)text - (uintptr_t)reader->piece < (uintptr_t)(reader->end - reader->piece);
}
/**
 * Is the next byte where an item of an array is due, or a comma and one? Such items may be read by
 * other means, see fgi_json_skip().
 */
bool fgi_json_is_in_list(const struct fgi_json_reader *reader, bool *out_is_comma_due);
/** Go on behind an item that was read by other means: at `at` of this piece. */
void fgi_json_skip(struct fgi_json_reader *reader, const uint8_t *at);
/** The piece is done with, the next one is at `offset`: behind such items, if there were any. */
void fgi_json_jump(struct fgi_json_reader *reader, uint64_t offset, bool has_read_items);
/** Offset of the next byte. */
uint64_t fgi_json_offset(const struct fgi_json_reader *reader);

/** What was not right in a text. */
struct fgi_json_bad {
    uint64_t escapes; /**< that do not exist, and halves of a pair of surrogates */
    uint64_t nulls;   /**< U+0000, rightly escaped, for which a text that ends at one has no room */
};
/**
 * Undo escapes. Lone surrogates and the null character become U+FFFD, escapes that do not exist
 * stay as they are. A zero that is there as a byte becomes U+FFFD, too; it is one of
 * FGI_JSON_CONTROL_BYTE and not counted again.
 *
 * @param out     at least 3 * `size` bytes; may not be `text`
 * @param out_bad added to; NULL is legal
 * @return bytes written
 */
size_t fgi_json_unescape(const char *text, size_t size, char *out, struct fgi_json_bad *out_bad);

/** A number as written, exactly: whole * 10^9 + billionths, both with the sign taken off. */
struct fgi_decimal {
    uint64_t whole;      /**< saturates at UINT64_MAX */
    uint32_t billionths; /**< what is smaller is rounded to nearest, half away from zero */
    bool is_negative;
    bool is_integer;   /**< nothing behind the point, and no saturation */
    bool is_saturated; /**< too large */
};
/**
 * Read digits, a point, an exponent; blanks around them are skipped.
 *
 * @param shift  the value is multiplied by 10^shift: 3 makes nanoseconds of microseconds
 * @return false: it is no number
 */
bool fgi_decimal_read(const char *text, size_t size, int shift, struct fgi_decimal *out_decimal);

#endif
