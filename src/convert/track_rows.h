/* SPDX-License-Identifier: MIT */
/* The spans of one track in the order in which they nest, for formats that are trees. */
#ifndef FGI_TRACK_ROWS_H
#define FGI_TRACK_ROWS_H
#include "convert/exporter.h"

struct fgi_track_row {
    int64_t start_ns, end_ns;
    uint32_t row, name;
    uint32_t parent; /**< position in the list, or FG_NONE */
    uint32_t depth;
    bool is_complete;
};

/**
 * Spans by start, the longer first, the outer first, then row: a parent comes before its children.
 *
 * @param out_rows  owned: fgi_free(allocator, rows, (count + 1) * sizeof *rows)
 */
FG_MUST_USE enum fg_result fgi_track_rows(const struct fgi_export *work, uint32_t track,
                                          struct fgi_track_row **out_rows, uint32_t *out_count);

#endif
