/* SPDX-License-Identifier: MIT */
/* Rows that are added before all of them is known. Only until fgi_builder_finish(). */
#ifndef FGI_BUILD_AMEND_H
#define FGI_BUILD_AMEND_H
#include "trace/build.h"

/** A row, with its columns at hand: item `at` of `block`. */
struct fgi_amend {
    struct fgi_builder *builder;
    struct fgi_cursor cursor; /**< over the rows that are in sealed blocks */
    const struct fgi_block *block;
    uint32_t at;
};
struct fgi_amend fgi_amend_begin(struct fgi_builder *builder);
/** Rows may come in any order; near each other they are quick. False: the builder has failed. */
bool fgi_amend_row(struct fgi_amend *amend, uint32_t row);
/** The end of the row at hand; one before its start is clamped, and counted. */
void fgi_amend_end_ns(struct fgi_amend *amend, int64_t end_ns);
/** The row at hand has no end: it is unfinished, and ends with the trace. */
void fgi_amend_open_end(struct fgi_amend *amend);
void fgi_amend_name(struct fgi_amend *amend, uint32_t name);
/** @param parent a row, or FG_NONE; meant on tracks with `stored_depth` */
void fgi_amend_parent(struct fgi_amend *amend, uint32_t parent);
void fgi_amend_finish(struct fgi_amend *amend);

#endif
