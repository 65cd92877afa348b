/* SPDX-License-Identifier: MIT */
/*
 * Copies of a capture that say more or less than it does: with notes added, or with everything left
 * out that a person chose. The byte layout is docs/FORMAT.md; what a redacted copy still tells is
 * docs/SHARING.md.
 */
#ifndef FG_CAPTURE_COPY_H
#define FG_CAPTURE_COPY_H
#include <frameglass/capture.h>

FG_BEGIN_DECLS

/* ---- More notes ------------------------------------------------------------------------------ */

/** A note to be added. */
struct fg_capture_new_note {
    uint64_t frame;  /**< number of the frame that it belongs to; FG_CAP_UNKNOWN = of none */
    bool has_time;   /**< false: it is about the whole frame, or the whole capture */
    int64_t time_ns; /**< of the host's clock, as a loaded trace counts */
    struct fg_cap_text text; /**< UTF-8, not empty */
};

/** How the copy is made: `head`, then the input's bytes from 32 to `keep_bytes`, then `tail`. */
struct fg_capture_amendment {
    uint8_t head[FG_CAPTURE_HEADER_BYTES]; /**< of a closed file: points to the directory in tail */
    uint64_t keep_bytes;                   /**< the end of the last record that stays */
    uint8_t *tail;                         /**< owned: the notes and the last directory */
    size_t tail_bytes;
};

/**
 * Say how a closed copy with more notes is made. Records are kept as they are, damaged ones too:
 * the copy has the defects that its source has, those of its end excepted, and no others (what ran
 * past the end may end inside of it now: then its checksum is bad). A file that was never closed
 * gets its end.
 *
 * @param source        read during the call
 * @param options       NULL = all defaults
 * @param note_count    0 is legal: the copy is closed then, and says nothing new
 * @param diag          NULL or where to say why not
 * @param out_amendment untouched on failure; see fg_capture_amendment_finish()
 * @return FG_OK, FG_ERR_ARGUMENT (a note without text), FG_ERR_CORRUPT (no record is valid, or
 *         one runs over the end of the last section: fg_capture_repair() mends that),
 *         FG_ERR_UNSUPPORTED (a time is given, and no clock of the host is in the capture),
 *         FG_ERR_LIMIT (the end would be larger than a record may be), or what fg_capture_open()
 *         returns
 *
 * Source: docs/FORMAT.md, section 8.
 */
FG_API FG_MUST_USE enum fg_result fg_capture_amend(const struct fg_source *source,
                                                   const struct fg_capture_options *options,
                                                   const struct fg_capture_new_note *notes,
                                                   size_t note_count, struct fg_diag *diag,
                                                   struct fg_capture_amendment *out_amendment);
/** @param allocator that of the call which made it; NULL = libc */
FG_API void fg_capture_amendment_finish(const struct fg_allocator *allocator,
                                        struct fg_capture_amendment *amendment);

/* ---- Nothing that a person chose ------------------------------------------------------------- */

/** Zero is every field's default. Borrowed for the call. */
struct fg_capture_redact_options {
    const struct fg_allocator *allocator; /**< NULL = libc */
    /** Steps done and steps in all; false cancels. NULL = never called. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
};

/** Records of the source, by what became of them. Definitions that are restated count each time. */
struct fg_capture_redact_report {
    uint64_t kept_count;
    uint64_t note_count;    /**< left out: notes */
    uint64_t unknown_count; /**< left out: of kinds that this library does not know */
    uint64_t refused_count; /**< left out: they need what damage has taken */
};

/**
 * Write a closed copy without names and texts of anybody's choosing: "pass 1" and "resource 2" take
 * their place, equal names staying equal. Structure, work and times are those of the source. What
 * is left in it is listed in docs/SHARING.md.
 *
 * @param source     read during the call; what it grows by meanwhile is not in the copy
 * @param options    NULL = all defaults
 * @param sink       is only written forward, if it cannot be patched: the copy is made twice then,
 *                   the first time to know its header
 * @param diag       NULL or where to say why not
 * @param out_report NULL is legal
 * @return FG_OK, FG_ERR_CANCELLED, what fg_capture_open() returns, or the sink's failure
 */
FG_API FG_MUST_USE enum fg_result fg_capture_redact(const struct fg_source *source,
                                                    const struct fg_capture_redact_options *options,
                                                    const struct fg_sink *sink,
                                                    struct fg_diag *diag,
                                                    struct fg_capture_redact_report *out_report);

FG_END_DECLS
#endif
