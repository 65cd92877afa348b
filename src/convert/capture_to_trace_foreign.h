/* SPDX-License-Identifier: MIT */
/* Captures of traces of other formats, for the files of the capture converter. */
#ifndef FGI_CAPTURE_TO_TRACE_FOREIGN_H
#define FGI_CAPTURE_TO_TRACE_FOREIGN_H
#include "trace/build.h"
#include <frameglass/capture.h>

struct fgi_conversion;

/** What a converted trace says of the rows to come. */
struct fgi_foreign {
    bool is_told; /**< there was a CONV record: losses are its own */
    FGI_TABLE(struct fg_cap_row_run) runs;
    FGI_TABLE(struct fg_cap_row_parent) parents; /**< that are said; by row of the trace */
    uint32_t block;                              /**< that the runs are of */
    size_t at;                                   /**< run of the next row */
    uint32_t used;                               /**< rows of it that have been */
    bool has_track;                              /**< the track that was looked for last: */
    uint32_t last_id, last_track;
};

/** A clock on which everything is taken as it is said. */
bool fgi_convert_is_foreign(const struct fgi_conversion *c, uint32_t clock);
/** First reading: numbers of frames. */
void fgi_convert_see_conversion(struct fgi_conversion *c, const struct fg_cap_conversion *from);
void fgi_convert_conversion(struct fgi_conversion *c, const struct fg_cap_conversion *from);
void fgi_convert_rows(struct fgi_conversion *c, const struct fg_cap_rows *rows);
/**
 * What ROWS says of the next spans of a block: how many of them, `most` at most, are alike. What it
 * says nothing of stays as it is.
 */
uint32_t fgi_convert_row_kinds(struct fgi_conversion *c, uint32_t block, uint32_t most,
                               uint32_t *classes, uint32_t *status);
/** Parents that are said, when all rows are there. */
void fgi_convert_parents(struct fgi_conversion *c);
void fgi_convert_marks(struct fgi_conversion *c, const struct fg_cap_marks *marks);

#endif
