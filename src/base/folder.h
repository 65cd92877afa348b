/* SPDX-License-Identifier: MIT */
/* Files in one folder: which there are, and to be rid of them. Not in WebAssembly. */
#ifndef FGI_FOLDER_H
#define FGI_FOLDER_H
#include <frameglass/base.h>

/** A regular file. Lent for the call. */
struct fgi_folder_file {
    const char *name;
    uint64_t size_bytes;
    int64_t changed_ns; /**< since 1970 UTC */
};
/**
 * Call for each regular file, in no order, until it returns other than FG_OK.
 * FG_OK, FG_ERR_NOT_FOUND, FG_ERR_IO, what `visit` returned. Threads: any.
 */
FG_MUST_USE enum fg_result fgi_folder_each(
    const char *folder, enum fg_result (*visit)(void *context, const struct fgi_folder_file *file),
    void *context);
/** One folder, for the user alone; there may be one already. FG_OK, FG_ERR_IO */
FG_MUST_USE enum fg_result fgi_folder_make(const char *path);
bool fgi_file_exists(const char *path);
/** FG_OK, FG_ERR_IO */
enum fg_result fgi_file_remove(const char *path);
/** Replaces `to` when it is there. FG_OK, FG_ERR_IO */
FG_MUST_USE enum fg_result fgi_file_rename(const char *from, const char *to);

#endif
