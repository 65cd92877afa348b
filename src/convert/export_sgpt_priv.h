/* SPDX-License-Identifier: MIT */
/* What the files of the capture writer share. */
#ifndef FGI_EXPORT_SGPT_PRIV_H
#define FGI_EXPORT_SGPT_PRIV_H
#include "convert/exporter_priv.h"
#include "trace/model.h"
#include <frameglass/capture_writer.h>

/** Memory that is used again for every record of a kind. */
struct fgi_to_sgpt {
    const struct fgi_export *work;
    const struct fg_allocator *allocator;
    const struct fg_trace *trace;
    struct fg_trace_info info;
    struct fg_capture_writer *writer;
    uint64_t section_bytes; /**< written when the section began */
    uint64_t section_records;
    enum fg_result result;          /**< the first failure */
    uint32_t *symbols;              /**< by text id; 0 = not given yet */
    uint32_t text_count;            /**< of symbols */
    FGI_TABLE(uint32_t) block_rows; /**< first row of each block, by its id */
};

/** Keep a failure; false once there is one. */
bool fgi_to_sgpt_ok(struct fgi_to_sgpt *to, enum fg_result result);
/** After each record: hand it on, end the section when that is due. False: there is a failure. */
bool fgi_to_sgpt_put(struct fgi_to_sgpt *to, enum fg_result result);
/** Symbol of a text of the trace. */
uint32_t fgi_to_sgpt_symbol(struct fgi_to_sgpt *to, uint32_t text);
/** Text of the trace, in place. */
struct fg_cap_text fgi_to_sgpt_text(const struct fgi_to_sgpt *to, uint32_t text);
/** Number of a frame of the trace, by its index. */
uint64_t fgi_to_sgpt_frame(const struct fgi_to_sgpt *to, uint32_t frame);
/** How a record names a row. */
struct fg_cap_ref fgi_to_sgpt_ref(const struct fgi_to_sgpt *to, uint32_t row);
/** Say that `count` things of a kind found no room; nothing when it is 0. */
void fgi_to_sgpt_lacks(const struct fgi_to_sgpt *to, const char *what, uint64_t count);

/* export_sgpt_rows.c: spans with their arguments. */
void fgi_to_sgpt_rows(struct fgi_to_sgpt *to);
/* export_sgpt_rest.c */
void fgi_to_sgpt_marks(struct fgi_to_sgpt *to);
void fgi_to_sgpt_metrics(struct fgi_to_sgpt *to);
void fgi_to_sgpt_stacks(struct fgi_to_sgpt *to);
void fgi_to_sgpt_objects(struct fgi_to_sgpt *to);
void fgi_to_sgpt_links(struct fgi_to_sgpt *to);

#endif
