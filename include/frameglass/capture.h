/* SPDX-License-Identifier: MIT */
/*
 * Write, read and repair captures (.sgpt). The byte layout is docs/FORMAT.md, the normative text.
 */
#ifndef FG_CAPTURE_H
#define FG_CAPTURE_H
#include <frameglass/capture_converted.h>
#include <frameglass/capture_events.h>
#include <frameglass/capture_records.h>

FG_BEGIN_DECLS

#define FG_FOURCC(a, b, c, d)                                                                      \
    ((uint32_t)(a) | (uint32_t)(b) << 8 | (uint32_t)(c) << 16 | (uint32_t)(d) << 24)

#define FG_CAPTURE_MAGIC         FG_FOURCC('S', 'G', 'P', 'T')
#define FG_CAPTURE_SYNC          FG_FOURCC('S', 'R', 'E', 'C')
#define FG_CAPTURE_VERSION       1
#define FG_CAPTURE_MIN_READER    1
#define FG_CAPTURE_HEADER_BYTES  32
#define FG_CAPTURE_FRAMING_BYTES 16
#define FG_CAPTURE_FLAG_CLOSED   1u

/** Every kind of record, once: X(name, a, b, c, d, payload struct). */
#define FG_CAPTURE_RECORDS(X)                                                                      \
    X(META, 'M', 'E', 'T', 'A', meta)                                                              \
    X(SYMS, 'S', 'Y', 'M', 'S', symbols)                                                           \
    X(TOPO, 'T', 'O', 'P', 'O', topology)                                                          \
    X(TMPL, 'T', 'M', 'P', 'L', template_record)                                                   \
    X(FRAM, 'F', 'R', 'A', 'M', frame)                                                             \
    X(GSPN, 'G', 'S', 'P', 'N', gpu_frame)                                                         \
    X(CNTR, 'C', 'N', 'T', 'R', counters)                                                          \
    X(NOTE, 'N', 'O', 'T', 'E', note)                                                              \
    X(DIRE, 'D', 'I', 'R', 'E', directory)                                                         \
    X(CLKS, 'C', 'L', 'K', 'S', clock)                                                             \
    X(PROC, 'P', 'R', 'O', 'C', process)                                                           \
    X(TRAK, 'T', 'R', 'A', 'K', track)                                                             \
    X(PIPE, 'P', 'I', 'P', 'E', pipeline)                                                          \
    X(SUMM, 'S', 'U', 'M', 'M', summary)                                                           \
    X(LOST, 'L', 'O', 'S', 'T', device_lost)                                                       \
    X(SPAN, 'S', 'P', 'A', 'N', span_block)                                                        \
    X(DEPS, 'D', 'E', 'P', 'S', dependencies)                                                      \
    X(ARGS, 'A', 'R', 'G', 'S', arguments)                                                         \
    X(STAK, 'S', 'T', 'A', 'K', stacks)                                                            \
    X(SMPL, 'S', 'M', 'P', 'L', samples)                                                           \
    X(MDEF, 'M', 'D', 'E', 'F', metric)                                                            \
    X(MSMP, 'M', 'S', 'M', 'P', metric_samples)                                                    \
    X(REVT, 'R', 'E', 'V', 'T', resource_events)                                                   \
    X(ZRAW, 'Z', 'R', 'A', 'W', events)                                                            \
    X(CONV, 'C', 'O', 'N', 'V', conversion)                                                        \
    X(ROWS, 'R', 'O', 'W', 'S', rows)                                                              \
    X(MARK, 'M', 'A', 'R', 'K', marks)                                                             \
    X(ARGT, 'A', 'R', 'G', 'T', trees)                                                             \
    X(CKPT, 'C', 'K', 'P', 'T', checkpoint)

enum fg_capture_type {
#define FG_CAPTURE_ENUM(name, a, b, c, d, payload) FG_CAPTURE_##name = (int)FG_FOURCC(a, b, c, d),
    FG_CAPTURE_RECORDS(FG_CAPTURE_ENUM)
#undef FG_CAPTURE_ENUM
};

/** Every defect that a reader names: X(value, name, what it means). Append only. */
#define FG_CAPTURE_DEFECTS(X)                                                                      \
    X(1, short_header, "the file is shorter than its header")                                      \
    X(2, bad_magic, "the first four bytes are not SGPT")                                           \
    X(3, newer_format, "the file asks for a newer reader")                                         \
    X(4, header_checksum, "the header does not match its checksum")                                \
    X(5, directory_missing, "the file is closed but points to no directory")                       \
    X(6, directory_range, "the directory pointer does not fit in the file")                        \
    X(7, directory_damaged, "there is no valid directory where one must be")                       \
    X(8, directory_link, "a directory's link backwards leads to no directory")                     \
    X(9, directory_mismatch, "a directory's entry disagrees with the record there")                \
    X(10, garbage, "bytes that belong to no record were skipped")                                  \
    X(11, short_record, "a record runs past the end of the file")                                  \
    X(12, bad_checksum, "a record's payload does not match its checksum")                          \
    X(13, bad_payload, "a record's payload cannot be decoded")                                     \
    X(14, meta_missing, "the first record is not META")                                            \
    X(15, meta_repeated, "META comes more than once")                                              \
    X(16, symbol_unknown, "a symbol was used before it was defined")                               \
    X(17, symbol_changed, "a symbol was defined again with another text")                          \
    X(18, topology_unknown, "a frame names a topology that was not defined before it")             \
    X(19, topology_changed, "a topology was defined again with another content")                   \
    X(20, template_unknown, "a frame names a template that was not defined before it")             \
    X(21, template_changed, "a template was defined again with another content")                   \
    X(22, track_unknown, "a record names a track that was not defined before it")                  \
    X(23, clock_unknown, "a record names a clock that was not defined before it")                  \
    X(24, process_unknown, "a track names a process that was not defined before it")               \
    X(25, metric_unknown, "samples name a metric that was not defined before them")                \
    X(26, stack_unknown, "a record names a stack that was not defined before it")                  \
    X(27, pass_range, "a pass index is outside of its list")                                       \
    X(28, resource_range, "a resource index is outside of its topology")                           \
    X(29, frame_unknown, "GPU times name a frame that was not recorded before them")               \
    X(30, frame_order, "a frame's number is not greater than the one before")                      \
    X(31, instance_mismatch, "GPU times count other GPU passes than their frame")                  \
    X(32, bad_order, "entries are not in the order that the format asks for")

enum fg_capture_defect_kind {
#define FG_CAPTURE_DEFECT_ENUM(value, name, text) FG_CAPTURE_DEFECT_##name = (value),
    FG_CAPTURE_DEFECTS(FG_CAPTURE_DEFECT_ENUM)
#undef FG_CAPTURE_DEFECT_ENUM
};
/** Name of a defect ("bad_checksum"), and its meaning; never NULL. Threads: any. */
FG_API const char *fg_capture_defect_name(enum fg_capture_defect_kind kind);
FG_API const char *fg_capture_defect_text(enum fg_capture_defect_kind kind);

struct fg_capture_defect {
    enum fg_capture_defect_kind kind;
    uint64_t offset; /**< where in the file: of the record, or of the first byte skipped */
    uint64_t detail; /**< bytes skipped, or the number that was wrong */
};

/* ---- Reading (writing is capture_writer.h) --------------------------------------------------- */

/** Entry of the frame strip: what the directories say, before any payload is read. */
struct fg_capture_frame_entry {
    uint64_t frame;
    uint64_t offset; /**< of the FRAM record */
    uint64_t gpu_ns; /**< last end less first begin; FG_CAP_UNKNOWN while not landed */
    uint64_t cpu_ns; /**< FG_CAP_UNKNOWN possible */
    uint32_t dropped;
    uint32_t flags; /**< 0 */
};

/** A decoded record. `data` points to the payload struct; which one follows from `type`. */
struct fg_capture_record {
    uint32_t type;   /**< a FourCC: enum fg_capture_type or one that this reader does not know */
    uint64_t offset; /**< of the framing */
    uint32_t length; /**< payload bytes */
    bool restated;   /**< says again what was said before with the same id: a checkpoint's copy */
    bool incomplete; /**< FRAM: its template is lost, passes and GPU passes are not known */
    const void *payload; /**< raw bytes; borrowed until the next call that reads */
    /** All NULL: a type not known, or DIRE, TMPL, CKPT, which the reader uses itself. */
    union {
        const void *data;
        const struct fg_cap_meta *meta;
        const struct fg_cap_symbols *symbols;
        const struct fg_cap_topology *topology;
        const struct fg_cap_frame *frame;
        const struct fg_cap_gpu_frame *gpu_frame;
        const struct fg_cap_counters *counters;
        const struct fg_cap_note *note;
        const struct fg_cap_clock *clock;
        const struct fg_cap_process *process;
        const struct fg_cap_track *track;
        const struct fg_cap_pipeline *pipeline;
        const struct fg_cap_summary *summary;
        const struct fg_cap_device_lost *device_lost;
        const struct fg_cap_span_block *span_block;
        const struct fg_cap_dependencies *dependencies;
        const struct fg_cap_arguments *arguments;
        const struct fg_cap_stacks *stacks;
        const struct fg_cap_samples *samples;
        const struct fg_cap_metric *metric;
        const struct fg_cap_metric_samples *metric_samples;
        const struct fg_cap_resource_events *resource_events;
        const struct fg_cap_events *events;
        const struct fg_cap_conversion *conversion;
        const struct fg_cap_rows *rows;
        const struct fg_cap_marks *marks;
        const struct fg_cap_trees *trees;
    };
};

struct fg_capture_info {
    uint32_t version;
    uint32_t min_reader;
    bool closed;    /**< the writer reached its end */
    bool recovered; /**< not closed, or damaged: read in part by its own records */
    uint64_t size_bytes;
    uint64_t skipped_count; /**< records of unknown types seen so far: parts not shown */
    uint64_t record_count;  /**< valid records seen so far */
};

enum fg_capture_open_flags {
    FG_CAPTURE_FOLLOW = 1, /**< the file may still be growing: see fg_capture_poll() */
};
/** Zero is every field's default. Borrowed for the call. */
struct fg_capture_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the capture */
    uint64_t max_payload_bytes; /**< a larger record is skipped as bad_payload; 0 = 1 GiB */
    uint32_t max_defects;       /**< kept in the list; the rest is counted; 0 = 4096 */
    uint32_t flags;             /**< enum fg_capture_open_flags */
};

struct fg_capture;

/**
 * Open a capture. Reads the header and the directories, no other payload; a file that was not
 * closed is searched from its end for the last directory and only what follows it is scanned.
 *
 * @param source      borrowed until fg_capture_close(); read at offsets, never whole
 * @param options     NULL = all defaults
 * @param diag        NULL or where to say why not; starts with the defect's name
 * @param out_capture owned; untouched on failure
 * @return FG_OK, FG_ERR_FORMAT (bad_magic, short_header), FG_ERR_VERSION (newer_format),
 *         FG_ERR_CORRUPT (header_checksum), FG_ERR_NO_MEMORY, FG_ERR_IO
 *
 * Threads: one at a time; open a second one for a second thread.
 */
FG_API FG_MUST_USE enum fg_result fg_capture_open(const struct fg_source *source,
                                                  const struct fg_capture_options *options,
                                                  struct fg_diag *diag,
                                                  struct fg_capture **out_capture);
FG_API void fg_capture_close(struct fg_capture *capture);

FG_API void fg_capture_get_info(const struct fg_capture *capture, struct fg_capture_info *out_info);

/** The frame strip, in file order; borrowed until the next poll or close. */
FG_API const struct fg_capture_frame_entry *fg_capture_frames(const struct fg_capture *capture,
                                                              size_t *out_count);

/**
 * The next record in file order, decoded. Damage is skipped, and named in the list of defects.
 *
 * @param out_record its structs are borrowed until the next call of next, rewind, seek or close
 * @return FG_OK; FG_ERR_NOT_FOUND at the end (after fg_capture_poll() there may be more);
 *         FG_ERR_NO_MEMORY, FG_ERR_IO
 */
FG_API FG_MUST_USE enum fg_result fg_capture_next(struct fg_capture *capture,
                                                  struct fg_capture_record *out_record);
/** Back to the first record. Defects found so far are forgotten, as they will be found again. */
FG_API void fg_capture_rewind(struct fg_capture *capture);
/**
 * Continue at a record whose offset a frame entry gave. Reads what the nearest checkpoint before it
 * and the records since then define, so that every name resolves.
 * FG_OK, FG_ERR_ARGUMENT (past the end), FG_ERR_NO_MEMORY, FG_ERR_IO.
 */
FG_API FG_MUST_USE enum fg_result fg_capture_seek(struct fg_capture *capture, uint64_t offset);

/**
 * Look whether the file has grown, or was closed meanwhile. While a file that was opened to be
 * followed is not closed, a record at its end that is not complete yet is no defect.
 * FG_OK and whether there is something new, FG_ERR_STATE (not opened with FG_CAPTURE_FOLLOW),
 * FG_ERR_IO, FG_ERR_NO_MEMORY.
 */
FG_API FG_MUST_USE enum fg_result fg_capture_poll(struct fg_capture *capture, bool *out_grown);

/** Text of a symbol seen so far, terminated; "" when unknown. Lent until fg_capture_close(). */
FG_API const char *fg_capture_symbol(const struct fg_capture *capture, uint32_t symbol,
                                     size_t *out_size);
/** A topology seen so far; NULL when unknown. Lent until fg_capture_close(). */
FG_API const struct fg_cap_topology *fg_capture_topology(const struct fg_capture *capture,
                                                         uint32_t id);

/** Defects found so far, in the order of finding; borrowed until the next call that reads. */
FG_API const struct fg_capture_defect *fg_capture_defects(const struct fg_capture *capture,
                                                          size_t *out_count);
/** How many were found, those that the list has no room for included. */
FG_API uint64_t fg_capture_defect_count(const struct fg_capture *capture);

/* ---- Repairing ------------------------------------------------------------------------------- */

struct fg_capture_repair_report {
    uint64_t kept_count; /**< records copied, byte for byte */
    /** Left out: intact but against the format, or GPU times without their frame. */
    uint64_t dropped_count;
    uint64_t skipped_bytes; /**< bytes of no record */
    uint64_t defect_count;  /**< defects of the input */
};
/**
 * Copy every record that a reader can use into a fresh, closed file. Nothing is invented: payloads
 * are copied byte for byte, only directories and header are new. A name that is lost stays lost:
 * what refers to it is kept, and a reader of the copy says so again.
 *
 * @param sink a file or memory; without a patch function the copy is not marked as closed;
 *             NULL: nothing is copied, the report says what would be
 * @return FG_OK (also when nothing was wrong), what fg_capture_open() returns, or the sink's
 * failure
 */
FG_API FG_MUST_USE enum fg_result fg_capture_repair(const struct fg_source *source,
                                                    const struct fg_capture_options *options,
                                                    const struct fg_sink *sink,
                                                    struct fg_diag *diag,
                                                    struct fg_capture_repair_report *out_report);

FG_END_DECLS
#endif
