/* SPDX-License-Identifier: MIT */
/* Write a capture, forward, through a sink. The byte layout is docs/FORMAT.md. */
#ifndef FG_CAPTURE_WRITER_H
#define FG_CAPTURE_WRITER_H
#include <frameglass/capture.h>

FG_BEGIN_DECLS

struct fg_capture_writer;

/** Zero is every field's default. Borrowed for the call. */
struct fg_capture_writer_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the writer */
    uint64_t checkpoint_bytes; /**< distance of checkpoints and partial directories; 0 = 4 MiB */
    uint32_t flush_frames;     /**< frames per write to the sink; 0 = 1: a kill loses nothing */
    uint32_t topologies_kept;  /**< topologies that stay usable by id; 0 = 64 */
    uint32_t templates_kept;   /**< 0 = 16 */
    uint32_t min_reader;       /**< minimum reader version in the header; 0 = the least needed */
    uint64_t max_buffer_bytes; /**< most memory between two flushes; 0 = 256 MiB */
};

struct fg_capture_writer_stats {
    uint64_t written_bytes; /**< handed to the sink */
    uint64_t pending_bytes; /**< still in the buffer */
    uint64_t frame_count;
    uint64_t record_count;
    uint64_t checkpoint_count;
    uint64_t topology_count; /**< distinct ones */
    uint64_t template_count; /**< distinct ones written */
    uint64_t growth_count;   /**< times that the buffer grew */
    uint64_t flush_count;
    uint64_t symbol_count;
};

/**
 * Begin a capture: the header goes to the sink with the first flush.
 *
 * @param sink       copied; what it points to is borrowed until destroy
 * @param options    NULL = all defaults
 * @param out_writer owned; untouched on failure
 *
 * Threads: one at a time (the caller's lock). Nothing here blocks except the sink itself.
 */
FG_API FG_MUST_USE enum fg_result fg_capture_writer_create(
    const struct fg_sink *sink, const struct fg_capture_writer_options *options,
    struct fg_capture_writer **out_writer);
/** Does not close: what was not flushed is lost, as in a crash. NULL is legal. */
FG_API void fg_capture_writer_destroy(struct fg_capture_writer *writer);

/** The number of a text in this file, given now when it is new. Writes nothing yet. */
FG_API FG_MUST_USE enum fg_result fg_capture_writer_symbol(struct fg_capture_writer *writer,
                                                           const char *text, size_t size,
                                                           uint32_t *out_symbol);

/*
 * Each put call appends one record, preceded by the symbols that need defining. Structs are
 * borrowed for the call. Results: FG_OK, FG_ERR_ARGUMENT (breaks a rule that the struct states),
 * FG_ERR_NO_MEMORY, FG_ERR_LIMIT (buffer or record too large), FG_ERR_STATE (closed, META not
 * first), or the sink's failure. A record that fails is not in the file, not even in part; after
 * a failure of the sink the writer is dead and every call returns that failure.
 */
#define FG_PUT(name) FG_API FG_MUST_USE enum fg_result fg_capture_writer_##name

/** Must be the first put, once. */
FG_PUT(meta)(struct fg_capture_writer *writer, const struct fg_cap_meta *meta);
FG_PUT(process)(struct fg_capture_writer *writer, const struct fg_cap_process *process);
FG_PUT(track)(struct fg_capture_writer *writer, const struct fg_cap_track *track);
FG_PUT(clock)(struct fg_capture_writer *writer, const struct fg_cap_clock *clock);
FG_PUT(pipeline)(struct fg_capture_writer *writer, const struct fg_cap_pipeline *pipeline);
FG_PUT(metric)(struct fg_capture_writer *writer, const struct fg_cap_metric *metric);
FG_PUT(note)(struct fg_capture_writer *writer, const struct fg_cap_note *note);
FG_PUT(counters)(struct fg_capture_writer *writer, const struct fg_cap_counters *counters);
FG_PUT(summary)(struct fg_capture_writer *writer, const struct fg_cap_summary *summary);
FG_PUT(device_lost)(struct fg_capture_writer *writer, const struct fg_cap_device_lost *lost);
FG_PUT(span_block)(struct fg_capture_writer *writer, const struct fg_cap_span_block *block);
FG_PUT(dependencies)(struct fg_capture_writer *writer, const struct fg_cap_dependencies *list);
FG_PUT(arguments)(struct fg_capture_writer *writer, const struct fg_cap_arguments *arguments);
FG_PUT(stacks)(struct fg_capture_writer *writer, const struct fg_cap_stacks *stacks);
FG_PUT(samples)(struct fg_capture_writer *writer, const struct fg_cap_samples *samples);
FG_PUT(metric_samples)(struct fg_capture_writer *writer, const struct fg_cap_metric_samples *list);
FG_PUT(resource_events)
(struct fg_capture_writer *writer, const struct fg_cap_resource_events *list);
FG_PUT(events)(struct fg_capture_writer *writer, const struct fg_cap_events *events);
/* Of a trace that was converted: all of its clocks are of kind FG_CAP_CLOCK_FOREIGN. */
FG_PUT(conversion)(struct fg_capture_writer *writer, const struct fg_cap_conversion *conversion);
FG_PUT(rows)(struct fg_capture_writer *writer, const struct fg_cap_rows *rows);
FG_PUT(marks)(struct fg_capture_writer *writer, const struct fg_cap_marks *marks);
FG_PUT(trees)(struct fg_capture_writer *writer, const struct fg_cap_trees *trees);

/**
 * The id of a topology with this content; written when the file does not have it (or has it only
 * before the last checkpoint). An id stays usable while at most `topologies_kept` others were
 * asked for since; after that a frame that names it gets FG_ERR_NOT_FOUND: ask here again.
 *
 * @param topology id and hash are ignored
 */
FG_PUT(topology)
(struct fg_capture_writer *writer, const struct fg_cap_topology *topology, uint32_t *out_id);
/** FRAM, and what goes with the end of a frame: checkpoint when due, flush. */
FG_PUT(frame)(struct fg_capture_writer *writer, const struct fg_cap_frame *frame);
/** GSPN. Also FG_ERR_NOT_FOUND when the frame was not put. Flushed with the next frame. */
FG_PUT(gpu_frame)(struct fg_capture_writer *writer, const struct fg_cap_gpu_frame *gpu_frame);
/** A record whose payload is ready: ring memory (ZRAW), or a kind that only the caller knows. */
FG_PUT(raw)(struct fg_capture_writer *writer, uint32_t type, const void *payload, size_t size);
#undef FG_PUT

/** Hand everything to the sink now. */
FG_API FG_MUST_USE enum fg_result fg_capture_writer_flush(struct fg_capture_writer *writer);
/** End the section now, whatever its size: a directory, and the checkpoint of the next one. */
FG_API FG_MUST_USE enum fg_result fg_capture_writer_checkpoint(struct fg_capture_writer *writer);
/** Final directory, flush, header's flags and pointer. Only destroy may follow. */
FG_API FG_MUST_USE enum fg_result fg_capture_writer_close(struct fg_capture_writer *writer);
/**
 * A closed capture of everything so far, while the recording goes on.
 *
 * @param written reads what the sink got (everything is flushed first)
 * @param sink    gets the copy
 */
FG_API FG_MUST_USE enum fg_result fg_capture_writer_snapshot(struct fg_capture_writer *writer,
                                                             const struct fg_source *written,
                                                             const struct fg_sink *sink);
FG_API void fg_capture_writer_get_stats(const struct fg_capture_writer *writer,
                                        struct fg_capture_writer_stats *out_stats);

FG_END_DECLS
#endif
