/* SPDX-License-Identifier: MIT */
/* Text: UTF-8 repair, and a table that gives each distinct string one small number. */
#ifndef FGI_STRINGS_H
#define FGI_STRINGS_H
#include "base/arena.h"
#include "base/hash.h"
#include <frameglass/base.h>

/**
 * True when the bytes are well-formed UTF-8 (no surrogates, no overlong forms, at most U+10FFFF).
 */
bool fgi_utf8_valid(const char *text, size_t size);
/**
 * Length of the well-formed character at `text`, 1 to 4, if a person may be shown it as it is. 0:
 * it is none, or would drive a terminal (C0 and C1 controls), part a line, turn the direction of
 * text or not be seen at all (zero-width ones): to be spelled out, byte for byte.
 */
size_t fgi_utf8_showable(const char *text, size_t size);
/**
 * Copy into `out`, each maximal ill-formed part replaced by U+FFFD, as the Unicode Standard
 * recommends (section 3.9). Returns the bytes that the whole result needs (never more than 3 *
 * size); writes at most `capacity` of them and only whole characters.
 */
size_t fgi_utf8_repair(const char *text, size_t size, char *out, size_t capacity);

/** Interned strings. Index 0 is always the empty string. Zero is a valid table. Threads: one. */
struct fgi_strings {
    const struct fg_allocator *allocator; /**< NULL = libc */
    struct fgi_arena arena;
    struct fgi_strings_entry *entries;
    size_t count; /**< 0 until the first use; then at least 1 */
    size_t capacity;
    uint32_t *slots; /**< open addressing, index + 1 */
    size_t slot_capacity;
};
/** Index of a text, added when it is new. FG_OK, FG_ERR_NO_MEMORY, FG_ERR_LIMIT (2^32 - 1). */
FG_MUST_USE enum fg_result fgi_strings_add(struct fgi_strings *strings, const char *text,
                                           size_t size, uint32_t *out_index);
/** Index of a text that is there. */
bool fgi_strings_find(const struct fgi_strings *strings, const char *text, size_t size,
                      uint32_t *out_index);
/** Terminated text, stable until finish; "" for an index out of range. out_size may be NULL. */
const char *fgi_strings_get(const struct fgi_strings *strings, uint32_t index, size_t *out_size);
/** Number of strings, the empty one included (so at least 1). */
uint32_t fgi_strings_count(const struct fgi_strings *strings);
/** Memory that it holds. */
uint64_t fgi_strings_bytes(const struct fgi_strings *strings);
void fgi_strings_finish(struct fgi_strings *strings);

#endif
