/* SPDX-License-Identifier: MIT */
/* A capture of blocks of spans and dependencies, written through the public writer. */
#ifndef SPAN_FILE_H
#define SPAN_FILE_H
#include <frameglass/capture_writer.h>

struct span_file;

/** `processes` processes that share `tracks` threads evenly, on a clock of nanoseconds. */
FG_MUST_USE enum fg_result span_file_create(const struct fg_sink *sink, uint32_t processes,
                                            uint32_t tracks, struct span_file **out_file);
/** Does not finish the capture. NULL is legal. */
void span_file_destroy(struct span_file *file);
/** Symbol of a text; 0 once something has failed. */
uint32_t span_file_name(struct span_file *file, const char *text);
/** By begin inside a track, equal ones the longer first. */
void span_file_add(struct span_file *file, uint32_t track, const struct fg_cap_block_span *span);
/** What is left of a track becomes a block. */
void span_file_end_block(struct span_file *file, uint32_t track);
/** All blocks; from here on only dependencies are added. */
void span_file_end_spans(struct span_file *file);
/** By source, then by target; numbers are positions in the file. */
void span_file_link(struct span_file *file, uint32_t source, uint32_t target, uint32_t family,
                    uint32_t flags);
/** Ends the capture. First failure of all calls. */
FG_MUST_USE enum fg_result span_file_close(struct span_file *file);

#endif
