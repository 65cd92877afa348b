/* SPDX-License-Identifier: MIT */
/* Bytes that come once, in order, kept so that they can be read at offsets. */
#ifndef FGI_SPOOL_H
#define FGI_SPOOL_H
#include <frameglass/base.h>

/** The first bytes are held in memory, the rest in a temporary file that has no name. */
struct fgi_spool;

/**
 * @param allocator    NULL = libc; outlives the spool
 * @param memory_bytes held in memory before the temporary file is made
 * @param limit_bytes  a write beyond it fails with FG_ERR_LIMIT
 * @return FG_OK, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_spool_create(const struct fg_allocator *allocator,
                                            uint64_t memory_bytes, uint64_t limit_bytes,
                                            struct fgi_spool **out_spool);
void fgi_spool_destroy(struct fgi_spool *spool);
/** Where the bytes go in. Borrowed until destroy. Threads: one at a time. */
struct fg_sink fgi_spool_sink(struct fgi_spool *spool);
/** Where they are read. Borrowed until destroy. Threads: any, once writing is over. */
struct fg_source fgi_spool_source(struct fgi_spool *spool);

#endif
