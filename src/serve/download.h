/* SPDX-License-Identifier: MIT */
/*
 * The whole of an input as something to save. Bytes are made while they are read, a piece at a
 * time: a reader that is slow holds its own download up and nothing else.
 */
#ifndef FGI_DOWNLOAD_H
#define FGI_DOWNLOAD_H
#include <frameglass/base.h>

/** A download in the making; owned by whoever reads it. */
struct fgi_download {
    char name[128];      /**< of a file: letters, digits, and . _ - only */
    const char *type;    /**< Content-Type; static */
    uint64_t size_bytes; /**< UINT64_MAX = known only at its end */
    /**
     * The next bytes, in order from 0; waits for them. 0 bytes are the end.
     *
     * @return FG_OK, or why it cannot go on: what was read before is not the whole of it then
     */
    enum fg_result (*read)(void *context, uint64_t offset, void *bytes, size_t size,
                           size_t *out_read);
    /** Ends the work on it, also when it was never read. */
    void (*close)(void *context);
    void *context;
};

/**
 * What a download writes, in a thread of its own: called once, when the first bytes are asked for.
 *
 * @param sink     FG_ERR_CANCELLED from its write: nobody reads any more
 * @return FG_OK when everything was written
 */
typedef enum fg_result (*fgi_download_write)(void *context, const struct fg_sink *sink);

/**
 * Make a download of what `write` will write. Memory: one bounded buffer.
 *
 * @param context transferred on success: `end` is called with it when the download is closed
 * @return FG_OK, FG_ERR_NO_MEMORY; `name`, `type` are the caller's to fill
 */
FG_MUST_USE enum fg_result fgi_download_create(const struct fg_allocator *allocator,
                                               fgi_download_write write, void (*end)(void *context),
                                               void *context, struct fgi_download *out_download);
/**
 * The name of a file from a label: its ending is replaced, and what is not safe becomes "_".
 *
 * @param size at least 64
 */
void fgi_download_name(char *name, size_t size, const char *label, const char *ending);

#endif
