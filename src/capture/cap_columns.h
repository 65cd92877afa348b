/* SPDX-License-Identifier: MIT */
/*
 * Blocks of spans and lists of dependencies as columns, decoded in bulk: for who reads very many of
 * them. What is not exactly as FORMAT.md has it is left to the codec, which says what is wrong.
 */
#ifndef FGI_CAP_COLUMNS_H
#define FGI_CAP_COLUMNS_H
#include <frameglass/capture.h>

/** A SPAN record. Columns that it does not have are NULL; values are those of the struct. */
struct fgi_span_columns {
    uint32_t id, track, clock;
    uint32_t count;
    int64_t *begin_ticks;
    int64_t *end_ticks;
    uint32_t *depth, *name, *category, *flags;
    uint64_t *frame, *object;
    int64_t *value;
};
/** Item i as the struct that the codec would make of it. */
struct fg_cap_block_span fgi_span_columns_item(const struct fgi_span_columns *spans, uint32_t i);

/** A DEPS record whose references all name spans of blocks. */
struct fgi_link_columns {
    uint32_t count;
    uint32_t *from_block, *from_index, *to_block, *to_index;
    uint32_t *family, *flags, *name;
};

/**
 * Id, track, clock and count alone. Looks at no more than FGI_SPAN_HEAD_BYTES of the payload;
 * false: the codec has to read it.
 */
bool fgi_span_columns_head(const uint8_t *payload, size_t size, struct fgi_span_columns *out_spans);
enum { FGI_SPAN_HEAD_BYTES = 64 };
/** Bytes that the columns of a payload need; 0: the codec has to read it. */
size_t fgi_span_columns_size(const uint8_t *payload, size_t size);
size_t fgi_link_columns_size(const uint8_t *payload, size_t size);
/**
 * Decode and check all that a payload alone can break.
 *
 * @param memory as many bytes as the size says, aligned for 64 bits; the columns point into it
 * @return false: the codec has to read it
 *
 * Threads: any; nothing is allocated.
 */
bool fgi_span_columns_decode(const uint8_t *payload, size_t size, void *memory,
                             struct fgi_span_columns *out_spans);
bool fgi_link_columns_decode(const uint8_t *payload, size_t size, void *memory,
                             struct fgi_link_columns *out_links);

#endif
