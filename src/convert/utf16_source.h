/* SPDX-License-Identifier: MIT */
/* UTF-16 read as UTF-8, at any offset and without holding it. */
#ifndef FGI_UTF16_SOURCE_H
#define FGI_UTF16_SOURCE_H
#include <frameglass/base.h>

enum fgi_utf16 {
    FGI_UTF16_NONE,
    FGI_UTF16_LITTLE,
    FGI_UTF16_BIG,
};
/** By its byte order mark, or by zeros beside the first character of JSON. */
enum fgi_utf16 fgi_utf16_sniff(const uint8_t *head, size_t size);

struct fgi_utf16_source;
/**
 * Reads all of `from` once. The mark is left out, lone surrogates become U+FFFD.
 *
 * @param from copied; its context is borrowed
 * @return FG_OK, FG_ERR_IO, FG_ERR_NO_MEMORY
 *
 * Threads: reads of the result one at a time.
 */
FG_MUST_USE enum fg_result fgi_utf16_source_create(const struct fg_source *from,
                                                   enum fgi_utf16 order,
                                                   const struct fg_allocator *allocator,
                                                   struct fgi_utf16_source **out_wide,
                                                   struct fg_source *out_source);
/** NULL is legal. */
void fgi_utf16_source_destroy(struct fgi_utf16_source *wide);
/** Where in the file the character lies that begins at or before an offset of the UTF-8. */
uint64_t fgi_utf16_source_place(struct fgi_utf16_source *wide, uint64_t offset);

#endif
