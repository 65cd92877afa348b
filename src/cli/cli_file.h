/* SPDX-License-Identifier: MIT */
/* A file that a command writes: it is there whole, or what was there before still is. */
#ifndef FGI_CLI_FILE_H
#define FGI_CLI_FILE_H
#include <frameglass/base.h>

/** Zero it before the first use. */
struct fgi_out_file {
    struct fg_file_sink *file;
    char *path; /**< owned: where it shall be in the end, links resolved */
    char *part; /**< owned: the same with an ending, while it grows; NULL: written in place */
};

/**
 * Open a file beside `path` that takes its place in fgi_out_file_end(). What is no regular file (a
 * pipe, a device), or lies in a folder where no other may be made, is written in place.
 *
 * @param out_file end it with fgi_out_file_end(), on FG_OK only
 * @param out_sink borrowed until then
 * @return FG_OK, FG_ERR_IO, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_out_file_begin(const char *path, struct fgi_out_file *out_file,
                                              struct fg_sink *out_sink);
/**
 * Close it and put it in its place. After a failure the file of that name is what it was.
 *
 * @param result what writing has given so far
 * @return `result`, or FG_ERR_IO
 */
FG_MUST_USE enum fg_result fgi_out_file_end(struct fgi_out_file *file, enum fg_result result);

#endif
