/* SPDX-License-Identifier: MIT */
/* A copy in which nothing is left that a person chose: from the reader to a writer of its own. */
#include "capture/cap_redact_priv.h"

#include "base/alloc.h"
#include "base/result.h"

#include <string.h>

/* Frames name topologies again and again: those that the writer has forgotten are read again. */
enum { TOPOLOGIES_KEPT = 1024, TEMPLATES_KEPT = 64 };

/* ---- Records --------------------------------------------------------------------------------- */

/* What damage has made impossible is left out; anything else that fails ends the copy. */
static enum fg_result count(struct fgi_redaction *redaction, enum fg_result result)
{
    if (result == FG_ERR_ARGUMENT || result == FG_ERR_NOT_FOUND) {
        redaction->report.refused_count++;
        return FG_OK;
    }
    redaction->report.kept_count += result == FG_OK;
    return result;
}

static enum fg_result put_meta(struct fgi_redaction *redaction, const struct fg_cap_meta *from)
{
    struct fg_cap_meta meta;
    enum fg_result result = fgi_redact_meta(redaction, from, &meta);
    if (result == FG_OK) {
        result = fg_capture_writer_meta(redaction->writer, &meta);
    }
    redaction->has_meta = true;
    return result;
}

/* A decoded payload of our own, with its names rewritten; NULL: see *result. */
static void *rewritten(struct fgi_redaction *redaction, uint32_t type, const void *payload,
                       uint32_t length, enum fg_result *result)
{
    const struct fgi_codec_entry *entry = fgi_codec_find(type);
    void *decoded = fgi_arena_alloc(&redaction->arena, 1, entry->size);
    struct fgi_codec codec = {
        .mode = FGI_CODEC_DECODE,
        .in = fgi_reader_make(payload, length),
        .arena = &redaction->arena,
    };
    if (decoded == NULL) {
        *result = FG_ERR_NO_MEMORY;
        return NULL;
    }
    entry->fields(&codec, decoded);
    *result = fgi_c_result(&codec);
    if (*result == FG_OK) {
        *result = fgi_redact_fields(redaction, type, entry->fields, decoded);
    }
    return *result == FG_OK ? decoded : NULL;
}

/* Stacks are defined once for the whole file, however often the source says them. */
static enum fg_result put_stacks(struct fgi_redaction *redaction, const struct fg_cap_stacks *list)
{
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < list->stack_count && result == FG_OK; i++) {
        const struct fg_cap_stacks one = { .stacks = &list->stacks[i], .stack_count = 1 };
        result = fg_capture_writer_stacks(redaction->writer, &one);
        result = result == FG_ERR_ARGUMENT ? FG_OK : result;
    }
    return result;
}

/* ---- Topologies and frames ------------------------------------------------------------------- */

static enum fg_result put_topology(struct fgi_redaction *redaction, const void *payload,
                                   uint32_t length, uint32_t *out_id)
{
    enum fg_result result;
    const struct fg_cap_topology *topology =
        rewritten(redaction, FG_CAPTURE_TOPO, payload, length, &result);
    return topology != NULL ? fg_capture_writer_topology(redaction->writer, topology, out_id)
                            : result;
}

static enum fg_result take_topology(struct fgi_redaction *redaction,
                                    const struct fg_capture_record *record)
{
    struct fgi_redact_topology known = { .offset = record->offset, .length = record->length };
    enum fg_result result = put_topology(redaction, record->payload, record->length, &known.id);
    if (result != FG_OK) {
        return result;
    }
    result = FGI_GROW(redaction->allocator, redaction->topologies, redaction->topology_capacity,
                      redaction->topology_count + 1, UINT32_MAX - 1);
    if (result == FG_OK) {
        redaction->topologies[redaction->topology_count] = known;
        result = fgi_map64_put(&redaction->topology_index, record->topology->id,
                               (uint32_t)redaction->topology_count++);
    }
    return result;
}

/* The writer keeps the newest topologies only. */
static enum fg_result renew_topology(struct fgi_redaction *redaction,
                                     struct fgi_redact_topology *known)
{
    uint8_t *payload = fgi_arena_alloc(&redaction->arena, (size_t)known->length + 1, 1);
    if (payload == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_read_exact(
        redaction->capture, known->offset + FG_CAPTURE_FRAMING_BYTES, payload, known->length);
    return result == FG_OK ? put_topology(redaction, payload, known->length, &known->id) : result;
}

static enum fg_result put_frame(struct fgi_redaction *redaction, const struct fg_cap_frame *from)
{
    struct fg_cap_frame frame;
    uint32_t index = 0;
    enum fg_result result = fgi_redact_frame(redaction, from, &frame);
    if (result != FG_OK) {
        return result;
    }
    if (from->topology == FG_CAP_NONE ||
        !fgi_map64_get(&redaction->topology_index, from->topology, &index)) {
        if (from->topology != FG_CAP_NONE) {
            fgi_redact_without_graph(&frame);
        }
        return fg_capture_writer_frame(redaction->writer, &frame);
    }
    struct fgi_redact_topology *known = &redaction->topologies[index];
    frame.topology = known->id;
    result = fg_capture_writer_frame(redaction->writer, &frame);
    if (result == FG_ERR_NOT_FOUND) {
        result = renew_topology(redaction, known);
        frame.topology = known->id;
        if (result == FG_OK) {
            result = fg_capture_writer_frame(redaction->writer, &frame);
        }
    }
    return result;
}

/* ---- All kinds ------------------------------------------------------------------------------- */

static enum fg_result put_decoded(struct fgi_redaction *redaction, uint32_t type,
                                  const void *payload)
{
    struct fg_capture_writer *writer = redaction->writer;
    switch (type) {
    case FG_CAPTURE_CLKS:
        return fg_capture_writer_clock(writer, payload);
    case FG_CAPTURE_PROC:
        return fg_capture_writer_process(writer, payload);
    case FG_CAPTURE_TRAK:
        return fg_capture_writer_track(writer, payload);
    case FG_CAPTURE_PIPE:
        return fg_capture_writer_pipeline(writer, payload);
    case FG_CAPTURE_MDEF:
        return fg_capture_writer_metric(writer, payload);
    case FG_CAPTURE_GSPN:
        return fg_capture_writer_gpu_frame(writer, payload);
    case FG_CAPTURE_CNTR:
        return fg_capture_writer_counters(writer, payload);
    case FG_CAPTURE_SUMM:
        return fg_capture_writer_summary(writer, payload);
    case FG_CAPTURE_LOST:
        return fg_capture_writer_device_lost(writer, payload);
    case FG_CAPTURE_SPAN:
        return fg_capture_writer_span_block(writer, payload);
    case FG_CAPTURE_DEPS:
        return fg_capture_writer_dependencies(writer, payload);
    case FG_CAPTURE_ARGS:
        return fg_capture_writer_arguments(writer, payload);
    case FG_CAPTURE_STAK:
        return put_stacks(redaction, payload);
    case FG_CAPTURE_SMPL:
        return fg_capture_writer_samples(writer, payload);
    case FG_CAPTURE_MSMP:
        return fg_capture_writer_metric_samples(writer, payload);
    case FG_CAPTURE_REVT:
        return fg_capture_writer_resource_events(writer, payload);
    case FG_CAPTURE_ZRAW:
        return fg_capture_writer_events(writer, payload);
    case FG_CAPTURE_CONV:
        return fg_capture_writer_conversion(writer, payload);
    case FG_CAPTURE_ROWS:
        return fg_capture_writer_rows(writer, payload);
    case FG_CAPTURE_MARK:
        return fg_capture_writer_marks(writer, payload);
    case FG_CAPTURE_ARGT:
        return fg_capture_writer_trees(writer, payload);
    default:
        return FG_ERR_ARGUMENT;
    }
}

static enum fg_result put_record(struct fgi_redaction *redaction,
                                 const struct fg_capture_record *record)
{
    static const struct fg_cap_meta nothing;
    enum fg_result result = FG_OK;
    switch (record->type) {
    case FG_CAPTURE_DIRE:
    case FG_CAPTURE_CKPT:
    case FG_CAPTURE_SYMS:
    case FG_CAPTURE_TMPL:
        return FG_OK; /* the writer makes its own */
    case FG_CAPTURE_NOTE:
        redaction->report.note_count++;
        return FG_OK;
    default:
        break;
    }
    if (!fgi_codec_is_known(record->type)) {
        redaction->report.unknown_count++;
        return FG_OK;
    }
    if (record->type == FG_CAPTURE_META) {
        return count(redaction, put_meta(redaction, record->meta));
    }
    if (!redaction->has_meta) {
        result = put_meta(redaction, &nothing);
    }
    if (result != FG_OK) {
        return result;
    }
    if (record->type == FG_CAPTURE_TOPO) {
        return count(redaction, take_topology(redaction, record));
    }
    if (record->type == FG_CAPTURE_FRAM) {
        return count(redaction, put_frame(redaction, record->frame));
    }
    const void *payload =
        rewritten(redaction, record->type, record->payload, record->length, &result);
    return payload != NULL ? count(redaction, put_decoded(redaction, record->type, payload))
                           : result;
}

/* ---- One making of the copy ------------------------------------------------------------------ */

struct progress {
    const struct fg_capture_redact_options *options;
    uint64_t before; /* steps of an earlier making */
    uint64_t all;
};

static bool go_on(const struct progress *progress, uint64_t done)
{
    const struct fg_capture_redact_options *options = progress->options;
    return options->progress == NULL ||
           options->progress(options->progress_context, progress->before + done, progress->all);
}

static enum fg_result copy_all(struct fgi_redaction *redaction, const struct progress *progress)
{
    static const struct fg_cap_meta nothing;
    struct fg_capture_record record;
    enum fg_result result;
    while ((result = fg_capture_next(redaction->capture, &record)) == FG_OK) {
        fgi_arena_reset(&redaction->arena);
        result = put_record(redaction, &record);
        if (result == FG_OK && !go_on(progress, record.offset)) {
            result = FG_ERR_CANCELLED;
        }
        if (result != FG_OK) {
            return result;
        }
    }
    result = result == FG_ERR_NOT_FOUND ? FG_OK : result;
    if (result == FG_OK && !redaction->has_meta) {
        result = put_meta(redaction, &nothing);
    }
    return result == FG_OK ? fg_capture_writer_close(redaction->writer) : result;
}

static enum fg_result make(struct fg_capture *capture, const struct fg_allocator *allocator,
                           const struct progress *progress, const struct fg_sink *sink,
                           struct fg_capture_redact_report *out_report)
{
    const struct fg_capture_writer_options options = {
        .allocator = allocator,
        .topologies_kept = TOPOLOGIES_KEPT,
        .templates_kept = TEMPLATES_KEPT,
        .flush_frames = 64,
        .max_buffer_bytes = SIZE_MAX / 2,
    };
    struct fgi_redaction redaction = {
        .allocator = allocator,
        .capture = capture,
        .aliases = { .allocator = allocator },
        .arena = { .allocator = allocator },
        .topology_index = { .allocator = allocator },
    };
    enum fg_result result = fg_capture_writer_create(sink, &options, &redaction.writer);
    if (result == FG_OK) {
        result = copy_all(&redaction, progress);
    }
    *out_report = redaction.report;
    fg_capture_writer_destroy(redaction.writer);
    fgi_aliases_finish(&redaction.aliases);
    fgi_arena_finish(&redaction.arena);
    fgi_free(allocator, redaction.topologies,
             redaction.topology_capacity * sizeof *redaction.topologies);
    fgi_map64_finish(&redaction.topology_index);
    return result;
}

/* ---- A sink that goes forward only ----------------------------------------------------------- */

/* The header of a closed file is known when it is closed, but stands at its beginning. */
struct forward {
    const struct fg_sink *sink; /* NULL: the first making, of which only the header is kept */
    uint8_t head[FG_CAPTURE_HEADER_BYTES];
    bool is_begun;
};

static enum fg_result forward_write(void *context, const void *bytes, size_t size)
{
    struct forward *forward = context;
    const uint8_t *from = bytes;
    if (!forward->is_begun) {
        /* A writer's first bytes are its header, all of it. */
        forward->is_begun = true;
        if (forward->sink == NULL) {
            memcpy(forward->head, from, sizeof forward->head);
            return FG_OK;
        }
        enum fg_result result =
            forward->sink->write(forward->sink->context, forward->head, sizeof forward->head);
        if (result != FG_OK) {
            return result;
        }
        from += sizeof forward->head;
        size -= sizeof forward->head;
    }
    return forward->sink == NULL || size == 0
               ? FG_OK
               : forward->sink->write(forward->sink->context, from, size);
}

static enum fg_result forward_patch(void *context, uint64_t offset, const void *bytes, size_t size)
{
    struct forward *forward = context;
    if (forward->sink == NULL) {
        memcpy(forward->head + offset, bytes, size);
    }
    return FG_OK;
}

static enum fg_result make_forward(struct fg_capture *capture,
                                   const struct fg_capture_redact_options *options,
                                   const struct fg_sink *sink,
                                   struct fg_capture_redact_report *out_report)
{
    struct forward forward = { 0 };
    const struct fg_sink through = {
        .write = forward_write,
        .patch = forward_patch,
        .context = &forward,
    };
    struct progress progress = { .options = options, .all = 2 * capture->size };
    enum fg_result result = make(capture, options->allocator, &progress, &through, out_report);
    if (result != FG_OK) {
        return result;
    }
    fg_capture_rewind(capture);
    forward.sink = sink;
    forward.is_begun = false;
    progress.before = capture->size;
    return make(capture, options->allocator, &progress, &through, out_report);
}

enum fg_result fg_capture_redact(const struct fg_source *source,
                                 const struct fg_capture_redact_options *options,
                                 const struct fg_sink *sink, struct fg_diag *diag,
                                 struct fg_capture_redact_report *out_report)
{
    static const struct fg_capture_redact_options defaults;
    struct fg_capture *capture = NULL;
    struct fg_capture_redact_report report = { 0 };
    if (sink == NULL || sink->write == NULL) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "no sink");
    }
    options = options != NULL ? options : &defaults;
    const struct fg_capture_options reading = { .allocator = options->allocator };
    enum fg_result result = fg_capture_open(source, &reading, diag, &capture);
    if (result != FG_OK) {
        return result;
    }
    if (sink->patch == NULL) {
        result = make_forward(capture, options, sink, &report);
    } else {
        const struct progress progress = { .options = options, .all = capture->size };
        result = make(capture, options->allocator, &progress, sink, &report);
    }
    if (result != FG_OK) {
        (void)fgi_fail(diag, result, capture->position, "redacting: %s", fg_result_text(result));
    } else if (out_report != NULL) {
        *out_report = report;
    }
    fg_capture_close(capture);
    return result;
}
