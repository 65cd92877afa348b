/* SPDX-License-Identifier: MIT */
/* Open any input that the product can read: bytes in, a trace out. */
#ifndef FG_OPEN_H
#define FG_OPEN_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

struct fg_compute_runner;
struct fg_engine;
struct fg_trace;

/**
 * An opened input, in two steps: opening finds the format, undoes gzip and zstd and reads the index
 * (which is enough for the frame strip); loading makes the trace.
 *
 * Threads: one at a time, with its trace and engine. Only fg_document_close() and the two that lend
 * the trace and the engine accept NULL.
 */
struct fg_document;

enum fg_open_flags {
    /** The input may still be growing: what is not complete at its end is no damage yet. */
    FG_OPEN_FOLLOW = 1u << 0,
};
/** Who answers questions about the trace; all give the same answers. */
enum fg_open_engine {
    /** The CPU; of large traces whoever answered a first question faster, where there is a device
     *  and the input is not followed. */
    FG_OPEN_ENGINE_AUTO = 0,
    FG_OPEN_ENGINE_CPU = 1,
    FG_OPEN_ENGINE_VULKAN = 2, /**< where there is none, and of what is followed, the CPU in its
                                    place: fg_engine_get_info() says why */
};
/** Zero is every field's default. Borrowed for the call, except where said. */
struct fg_open_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the document */
    /**
     * Memory for spans of formats whose spans can be read again when they are needed; 0 = 2 GiB.
     * Captures (sgpt) are none of them yet: all of their spans stay in memory, 32 to 80 bytes each.
     */
    uint64_t budget_bytes;
    /**
     * Most rows of a trace: spans, and passes that could become spans. What stands for more is
     * refused with FG_ERR_LIMIT before memory is spent on it. 0 = 134,217,728, but no more than
     * 1,048,576 and 16 for each byte of the input: a few bytes can stand for very many rows, and no
     * recorder writes such.
     */
    uint64_t max_rows;
    uint64_t spool_memory_bytes; /**< unpacked bytes held in memory before a temporary file takes
                                      them; 0 = 256 MiB */
    uint64_t spool_limit_bytes;  /**< most bytes that an input may unpack to; 0 = 64 GiB */
    uint32_t flags;              /**< enum fg_open_flags */
    const char *format;          /**< name of a format that is not to be guessed; NULL = guess */
    /**
     * Called now and then during long work with the steps done and the steps in all (0: unknown);
     * false cancels. NULL = never called. Copied: it is also used by fg_document_load().
     */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    uint32_t engine; /**< enum fg_open_engine */
    /**
     * Called at most once for each trace that is loaded, when a device is wanted: who submits to
     * it (compute_runner.h), for this document alone, lent until it is closed; NULL, and why in
     * `diag`, where there is none. Copied: it is used by fg_document_load(). NULL = no device.
     */
    const struct fg_compute_runner *(*runner)(void *context, struct fg_diag *diag);
    void *runner_context;
};
#define FG_OPEN_OPTIONS(...) (&(const struct fg_open_options){ __VA_ARGS__ })

/**
 * Open a file by its name, or standard input for "-".
 *
 * @param path         copied
 * @param options      NULL = all defaults
 * @param diag         where and why, on failure; NULL is legal
 * @param out_document owned by the caller, see fg_document_close(); untouched on failure
 * @return FG_OK, FG_ERR_NOT_FOUND, FG_ERR_IO, FG_ERR_FORMAT (no known format), FG_ERR_VERSION,
 *         FG_ERR_CORRUPT, FG_ERR_LIMIT (unpacks to too much), FG_ERR_CANCELLED,
 *         FG_ERR_UNSUPPORTED (a compression that this build cannot undo), FG_ERR_NO_MEMORY
 *
 * Threads: any.
 */
FG_API FG_MUST_USE enum fg_result fg_open_path(const char *path,
                                               const struct fg_open_options *options,
                                               struct fg_diag *diag,
                                               struct fg_document **out_document);
/**
 * As fg_open_path(), from bytes that somebody else holds.
 *
 * @param source copied; its context is borrowed until fg_document_close()
 */
FG_API FG_MUST_USE enum fg_result fg_open_source(const struct fg_source *source,
                                                 const struct fg_open_options *options,
                                                 struct fg_diag *diag,
                                                 struct fg_document **out_document);
/** Ends the trace too. NULL is legal. */
FG_API void fg_document_close(struct fg_document *document);

/** Name of the format: "sgpt". Static memory. */
FG_API const char *fg_document_format(const struct fg_document *document);
/** How it was packed, outermost first: "", "gzip", "zstd", "gzip+zstd". Lent until close. */
FG_API const char *fg_document_packing(const struct fg_document *document);
/**
 * Why the packed stream could not be undone to its end, or NULL. What came before is used, and the
 * format's own recovery does the rest. Lent until close.
 */
FG_API const char *fg_document_packing_defect(const struct fg_document *document);

/** One frame of the frame strip: what the index alone gives. */
struct fg_strip_frame {
    uint64_t frame;   /**< the recorder's frame number */
    int64_t cpu_ns;   /**< the frame's CPU work; -1 = not known */
    int64_t gpu_ns;   /**< last end less first begin of its GPU spans; -1 = has not landed */
    uint32_t dropped; /**< everything that was refused on this frame */
};
/** Frames that the index knows; 0 when the format has no index. */
FG_API uint64_t fg_document_frame_count(const struct fg_document *document);
/**
 * Frames `first` to `first + count` of the index, in file order. Works before fg_document_load().
 *
 * @param out_frames `count` items
 * @return how many were written: fewer than `count` only at the end
 */
FG_API size_t fg_document_frames(const struct fg_document *document, uint64_t first, size_t count,
                                 struct fg_strip_frame *out_frames);

/**
 * Read the payloads and make the trace. A second call does nothing.
 *
 * @return FG_OK, also when damage was stepped over (the trace counts it); FG_ERR_IO,
 *         FG_ERR_CORRUPT (nothing of use), FG_ERR_LIMIT, FG_ERR_CANCELLED, FG_ERR_NO_MEMORY
 *
 * Threads: one at a time.
 */
FG_API FG_MUST_USE enum fg_result fg_document_load(struct fg_document *document,
                                                   struct fg_diag *diag);
/**
 * Look whether an input that was opened with FG_OPEN_FOLLOW has grown. When it has and a trace is
 * loaded, trace and engine are made anew: what was lent before is gone. Frames, tracks,
 * processes, topologies, passes and counters keep their numbers, and so do rows up to
 * fg_trace_info.firm_rows; text ids and lanes may change.
 * When that fails, the old ones stay. Inputs that came packed or through a pipe never grow.
 *
 * Making a trace anew costs as much as loading: it takes at most a quarter of the time, since after
 * one that took t (over 50 ms) polls within 3 t say that nothing has grown. Poll as often as you
 * like.
 *
 * @param out_grown what happened
 * @return as fg_document_load()
 *
 * Threads: one at a time.
 */
FG_API FG_MUST_USE enum fg_result fg_document_poll(struct fg_document *document,
                                                   struct fg_diag *diag, bool *out_grown);
/** The trace: lent until close or a poll that found growth; NULL before fg_document_load(). */
FG_API struct fg_trace *fg_document_trace(const struct fg_document *document);
/** Answers questions over the trace (trace_query.h): lent as the trace; NULL before loading. */
FG_API struct fg_engine *fg_document_engine(const struct fg_document *document);

/** Formats that can be read: name of number `index` and one line about it; NULL past the end. */
FG_API const char *fg_open_format_name(unsigned index, const char **out_about);

FG_END_DECLS
#endif
