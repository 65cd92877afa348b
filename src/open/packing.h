/* SPDX-License-Identifier: MIT */
/* Packings that are undone before any format looks at the bytes. */
#ifndef FGI_PACKING_H
#define FGI_PACKING_H
#include <frameglass/base.h>

/** What an unpacker is given. */
struct fgi_unpack {
    const struct fg_allocator *allocator; /**< NULL = libc */
    const struct fg_source *packed;
    const struct fg_sink *sink;
    /** As in struct fg_open_options; NULL = never called. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

struct fgi_packing {
    const char *name;
    bool (*sniff)(const uint8_t *head, size_t size);
    /**
     * Write everything that is packed to the sink.
     *
     * @return FG_OK; FG_ERR_CORRUPT: the stream is damaged or cut at diag->offset of the packed
     *         bytes, and what comes before has been written; FG_ERR_CANCELLED; FG_ERR_NO_MEMORY;
     *         what the source or the sink returned
     */
    enum fg_result (*unpack)(const struct fgi_unpack *work, struct fg_diag *diag);
};

/** The packing that these first bytes show; NULL: none. */
const struct fgi_packing *fgi_packing_find(const uint8_t *head, size_t size);

/**
 * The packed bytes in order, one piece after another: the loop that every unpacker has.
 *
 * @param consume is given a piece and its offset; returns FG_OK to go on
 */
FG_MUST_USE enum fg_result fgi_unpack_pieces(
    const struct fgi_unpack *work, struct fg_diag *diag, void *context,
    enum fg_result (*consume)(void *context, uint64_t offset, const uint8_t *bytes, size_t size));

#endif
