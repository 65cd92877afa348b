/* SPDX-License-Identifier: MIT */
/* A redacted copy from inside. */
#ifndef FGI_CAP_REDACT_PRIV_H
#define FGI_CAP_REDACT_PRIV_H
#include "base/arena.h"
#include "capture/cap_alias.h"
#include "capture/cap_codec.h"
#include "capture/cap_reader_priv.h"
#include <frameglass/capture_copy.h>

/** A topology of the source, and its number in the copy. */
struct fgi_redact_topology {
    uint64_t offset; /**< of its record */
    uint32_t length;
    uint32_t id;
};

/** One making of the copy. */
struct fgi_redaction {
    const struct fg_allocator *allocator;
    struct fg_capture *capture;       /**< the source */
    struct fg_capture_writer *writer; /**< the copy */
    struct fgi_aliases aliases;
    struct fgi_arena arena; /**< of the record at hand */
    struct fgi_redact_topology *topologies;
    size_t topology_count;
    size_t topology_capacity;
    struct fgi_map64 topology_index; /**< from the source's number */
    bool has_meta;
    struct fg_capture_redact_report report;
};

/* cap_redact_fields.c */
/**
 * Rewrite a payload in place, its lists included: names become aliases, numbers that may be
 * addresses or hashes are counted anew, and every text or symbol for which there is no rule is
 * emptied.
 *
 * @param type   a record type
 * @param fields describes `payload`
 */
FG_MUST_USE enum fg_result fgi_redact_fields(struct fgi_redaction *redaction, uint32_t type,
                                             fgi_fields *fields, void *payload);

/* cap_redact_frame.c */
/** FRAM: a copy of the frame, rewritten, in the arena. */
FG_MUST_USE enum fg_result fgi_redact_frame(struct fgi_redaction *redaction,
                                            const struct fg_cap_frame *frame,
                                            struct fg_cap_frame *out_frame);
/** What is known of a frame whose graph is lost: no pass of it means anything. */
void fgi_redact_without_graph(struct fg_cap_frame *frame);
/** META: what the device says of itself, and nothing else. */
FG_MUST_USE enum fg_result fgi_redact_meta(struct fgi_redaction *redaction,
                                           const struct fg_cap_meta *meta,
                                           struct fg_cap_meta *out_meta);

#endif
