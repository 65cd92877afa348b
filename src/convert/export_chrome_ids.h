/* SPDX-License-Identifier: MIT */
/* The numbers of processes and threads in Trace Event JSON. */
#ifndef FGI_EXPORT_CHROME_IDS_H
#define FGI_EXPORT_CHROME_IDS_H
#include "convert/exporter.h"

/**
 * The source's own numbers, where it has some, readers hold them (for many, numbers are doubles),
 * and nobody before has the same; others get numbers above all of these, in their order.
 */
struct fgi_chrome_ids {
    const struct fg_allocator *allocator;
    int64_t *processes, *tracks; /**< owned */
    uint32_t process_count, track_count;
    int64_t no_process; /**< of tracks that are in none */
    int64_t first_lane; /**< of what lies on extra lane 0; the other lanes follow */
};
/** End it with fgi_chrome_ids_finish(), also when this fails. */
FG_MUST_USE enum fg_result fgi_chrome_ids_make(struct fgi_chrome_ids *ids,
                                               const struct fg_trace *trace);
void fgi_chrome_ids_finish(struct fgi_chrome_ids *ids);

#endif
