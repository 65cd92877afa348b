/* SPDX-License-Identifier: MIT */
/* The writer: its life, its buffer, and the records that need nothing special. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

#include <string.h>

/*
 * The buffer keeps at least this much room at a frame's end, so that it does not grow inside one.
 */
enum { SLACK_BYTES = 1 << 20 };

static struct fg_capture_writer_options with_defaults(const struct fg_capture_writer_options *given)
{
    struct fg_capture_writer_options options = { 0 };
    if (given != NULL) {
        options = *given;
    }
    if (options.checkpoint_bytes == 0) {
        options.checkpoint_bytes = 4u << 20;
    }
    if (options.flush_frames == 0) {
        options.flush_frames = 1;
    }
    if (options.topologies_kept == 0) {
        options.topologies_kept = 64;
    }
    if (options.templates_kept == 0) {
        options.templates_kept = 16;
    }
    if (options.min_reader == 0) {
        options.min_reader = FG_CAPTURE_MIN_READER;
    }
    if (options.max_buffer_bytes == 0) {
        options.max_buffer_bytes = 256u << 20;
    }
    return options;
}

/* Room for `size` more bytes, grown by at least the slack or to the double. */
static enum fg_result buffer_reserve(struct fg_capture_writer *writer, size_t size)
{
    struct fgi_bytes *buffer = &writer->buffer;
    if (size <= buffer->capacity - buffer->size) {
        return FG_OK;
    }
    size_t want = size > SLACK_BYTES ? size : SLACK_BYTES;
    want = want > buffer->capacity ? want : buffer->capacity;
    if (want > buffer->limit - buffer->size && size <= buffer->limit - buffer->size) {
        want = buffer->limit - buffer->size;
    }
    if (!fgi_bytes_reserve(buffer, want)) {
        enum fg_result result = buffer->result;
        buffer->result = FG_OK;
        return result;
    }
    writer->stats.growth_count++;
    return FG_OK;
}

static void set_allocators(struct fg_capture_writer *writer)
{
    const struct fg_allocator *allocator = writer->allocator;
    size_t limit = SIZE_MAX / 2;
    if (writer->options.max_buffer_bytes < limit) {
        limit = (size_t)writer->options.max_buffer_bytes;
    }
    writer->buffer = (struct fgi_bytes){ .allocator = allocator, .limit = limit };
    writer->body = writer->stacks_body = writer->symbols_body = writer->spelled = writer->buffer;
    writer->shapes.bytes = writer->buffer;
    writer->strings.allocator = allocator;
    writer->strings.arena.allocator = allocator;
    writer->definition_index.allocator = allocator;
    writer->stack_index.allocator = allocator;
    writer->topology_ids.allocator = allocator;
}

enum fg_result fg_capture_writer_create(const struct fg_sink *sink,
                                        const struct fg_capture_writer_options *options,
                                        struct fg_capture_writer **out_writer)
{
    if (sink == NULL || sink->write == NULL || out_writer == NULL) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_allocator *allocator = options != NULL ? options->allocator : NULL;
    struct fg_capture_writer *writer = fgi_calloc(allocator, 1, sizeof *writer);
    if (writer == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    writer->allocator = allocator;
    writer->sink = *sink;
    writer->options = with_defaults(options);
    set_allocators(writer);
    writer->section = 1;
    writer->section_offset = FG_CAPTURE_HEADER_BYTES;
    writer->templates =
        fgi_calloc(allocator, writer->options.templates_kept, sizeof *writer->templates);
    enum fg_result result =
        writer->templates != NULL ? buffer_reserve(writer, SLACK_BYTES) : FG_ERR_NO_MEMORY;
    if (result != FG_OK) {
        fg_capture_writer_destroy(writer);
        return result;
    }
    uint8_t bytes[FG_CAPTURE_HEADER_BYTES];
    struct fgi_cap_header header = {
        .version = FG_CAPTURE_VERSION,
        .min_reader = writer->options.min_reader,
    };
    fgi_cap_header_store(bytes, &header);
    fgi_put_raw(&writer->buffer, bytes, sizeof bytes);
    *out_writer = writer;
    return FG_OK;
}

void fg_capture_writer_destroy(struct fg_capture_writer *writer)
{
    if (writer == NULL) {
        return;
    }
    const struct fg_allocator *allocator = writer->allocator;
    fgi_writer_finish_templates(writer);
    fgi_writer_finish_topologies(writer);
    fgi_bytes_finish(&writer->buffer);
    fgi_bytes_finish(&writer->body);
    fgi_bytes_finish(&writer->stacks_body);
    fgi_bytes_finish(&writer->symbols_body);
    fgi_bytes_finish(&writer->spelled);
    fgi_shapes_finish(&writer->shapes);
    fgi_strings_finish(&writer->strings);
    fgi_ids_finish(allocator, &writer->pending_symbols);
    fgi_ids_finish(allocator, &writer->seen_symbols);
    fgi_ids_finish(allocator, &writer->pending_stacks);
    fgi_map64_finish(&writer->definition_index);
    fgi_map64_finish(&writer->stack_index);
    fgi_free(allocator, writer->symbol_sections,
             writer->symbol_capacity * sizeof *writer->symbol_sections);
    fgi_free(allocator, writer->definitions,
             writer->definition_capacity * sizeof *writer->definitions);
    fgi_free(allocator, writer->stacks, writer->stack_capacity * sizeof *writer->stacks);
    fgi_free(allocator, writer->records, writer->record_capacity * sizeof *writer->records);
    fgi_free(allocator, writer->frames.items,
             writer->frames.capacity * sizeof *writer->frames.items);
    fgi_free(allocator, writer->updates.items,
             writer->updates.capacity * sizeof *writer->updates.items);
    fgi_free(allocator, writer->recent, FGI_RECENT_FRAMES * sizeof *writer->recent);
    fgi_free(allocator, writer, sizeof *writer);
}

uint64_t fgi_writer_offset(const struct fg_capture_writer *writer)
{
    return writer->buffer_offset + writer->buffer.size;
}

enum fg_result fgi_writer_begin(struct fg_capture_writer *writer)
{
    if (writer == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (writer->failure != FG_OK) {
        return writer->failure;
    }
    if (writer->closed || !writer->has_meta) {
        return FG_ERR_STATE;
    }
    writer->seen_symbols.count = 0;
    return fgi_section_maybe_end(writer);
}

struct fgi_codec fgi_writer_codec(struct fg_capture_writer *writer, struct fgi_bytes *out)
{
    return (struct fgi_codec){
        .mode = FGI_CODEC_ENCODE,
        .out = out,
        .on_ref = fgi_writer_note_ref,
        .context = writer,
    };
}

static void append(struct fg_capture_writer *writer, uint32_t type, const struct fgi_bytes *body)
{
    uint8_t framing[FG_CAPTURE_FRAMING_BYTES];
    uint64_t offset = fgi_writer_offset(writer);
    fgi_cap_framing_store(framing, type, body->data, body->size);
    fgi_put_raw(&writer->buffer, framing, sizeof framing);
    fgi_put_raw(&writer->buffer, body->data, body->size);
    fgi_section_add_record(writer, type, (uint32_t)body->size, offset);
    writer->stats.record_count++;
}

enum fg_result fgi_writer_commit(struct fg_capture_writer *writer, uint32_t type,
                                 const struct fgi_bytes *body)
{
    enum fg_result result = writer->ref_result != FG_OK ? writer->ref_result : body->result;
    if (result == FG_OK) {
        result = fgi_writer_encode_pending(writer);
    }
    bool has_symbols = writer->pending_symbols.count != 0;
    bool has_stacks = writer->pending_stacks.count != 0;
    uint64_t total = body->size + (uint64_t)FG_CAPTURE_FRAMING_BYTES;
    total += has_symbols ? writer->symbols_body.size + FG_CAPTURE_FRAMING_BYTES : 0;
    total += has_stacks ? writer->stacks_body.size + FG_CAPTURE_FRAMING_BYTES : 0;
    if (result == FG_OK && total > writer->buffer.limit) {
        result = FG_ERR_LIMIT;
    }
    if (result == FG_OK) {
        result = fgi_section_reserve(writer, 3);
    }
    if (result == FG_OK) {
        result = buffer_reserve(writer, (size_t)total);
    }
    if (result == FG_OK) {
        if (has_symbols) {
            append(writer, FG_CAPTURE_SYMS, &writer->symbols_body);
        }
        if (has_stacks) {
            append(writer, FG_CAPTURE_STAK, &writer->stacks_body);
        }
        append(writer, type, body);
    }
    fgi_writer_end_pending(writer, result == FG_OK);
    return result;
}

enum fg_result fgi_writer_put(struct fg_capture_writer *writer, uint32_t type, fgi_fields *fields,
                              const void *payload)
{
    fgi_bytes_clear(&writer->body);
    struct fgi_codec codec = fgi_writer_codec(writer, &writer->body);
    fields(&codec, (void *)payload);
    return fgi_writer_commit(writer, type, &writer->body);
}

/* The records that have no rules beyond their fields. */
static enum fg_result put_plain(struct fg_capture_writer *writer, uint32_t type,
                                const void *payload)
{
    if (payload == NULL) {
        return FG_ERR_ARGUMENT;
    }
    enum fg_result result = fgi_writer_begin(writer);
    if (result != FG_OK) {
        return result;
    }
    return fgi_writer_put(writer, type, fgi_codec_find(type)->fields, payload);
}

enum fg_result fg_capture_writer_meta(struct fg_capture_writer *writer,
                                      const struct fg_cap_meta *meta)
{
    if (writer == NULL || meta == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (writer->failure != FG_OK) {
        return writer->failure;
    }
    if (writer->has_meta || writer->closed) {
        return FG_ERR_STATE;
    }
    enum fg_result result = fgi_writer_put(writer, FG_CAPTURE_META, fgi_fields_meta, meta);
    if (result == FG_OK) {
        writer->has_meta = true;
        writer->session_hi = meta->session_hi;
        writer->session_lo = meta->session_lo;
    }
    return result;
}

enum fg_result fg_capture_writer_note(struct fg_capture_writer *writer,
                                      const struct fg_cap_note *note)
{
    return put_plain(writer, FG_CAPTURE_NOTE, note);
}

enum fg_result fg_capture_writer_counters(struct fg_capture_writer *writer,
                                          const struct fg_cap_counters *counters)
{
    return put_plain(writer, FG_CAPTURE_CNTR, counters);
}

enum fg_result fg_capture_writer_summary(struct fg_capture_writer *writer,
                                         const struct fg_cap_summary *summary)
{
    return put_plain(writer, FG_CAPTURE_SUMM, summary);
}

enum fg_result fg_capture_writer_device_lost(struct fg_capture_writer *writer,
                                             const struct fg_cap_device_lost *lost)
{
    return put_plain(writer, FG_CAPTURE_LOST, lost);
}

enum fg_result fg_capture_writer_arguments(struct fg_capture_writer *writer,
                                           const struct fg_cap_arguments *arguments)
{
    return put_plain(writer, FG_CAPTURE_ARGS, arguments);
}

enum fg_result fg_capture_writer_samples(struct fg_capture_writer *writer,
                                         const struct fg_cap_samples *samples)
{
    return put_plain(writer, FG_CAPTURE_SMPL, samples);
}

enum fg_result fg_capture_writer_metric_samples(struct fg_capture_writer *writer,
                                                const struct fg_cap_metric_samples *list)
{
    return put_plain(writer, FG_CAPTURE_MSMP, list);
}

enum fg_result fg_capture_writer_resource_events(struct fg_capture_writer *writer,
                                                 const struct fg_cap_resource_events *list)
{
    if (list != NULL && !fgi_resource_details_check(list)) {
        return FG_ERR_ARGUMENT;
    }
    return put_plain(writer, FG_CAPTURE_REVT, list);
}

enum fg_result fg_capture_writer_events(struct fg_capture_writer *writer,
                                        const struct fg_cap_events *events)
{
    return put_plain(writer, FG_CAPTURE_ZRAW, events);
}

enum fg_result fg_capture_writer_conversion(struct fg_capture_writer *writer,
                                            const struct fg_cap_conversion *conversion)
{
    return put_plain(writer, FG_CAPTURE_CONV, conversion);
}

enum fg_result fg_capture_writer_rows(struct fg_capture_writer *writer,
                                      const struct fg_cap_rows *rows)
{
    return put_plain(writer, FG_CAPTURE_ROWS, rows);
}

enum fg_result fg_capture_writer_marks(struct fg_capture_writer *writer,
                                       const struct fg_cap_marks *marks)
{
    return put_plain(writer, FG_CAPTURE_MARK, marks);
}

enum fg_result fg_capture_writer_trees(struct fg_capture_writer *writer,
                                       const struct fg_cap_trees *trees)
{
    return put_plain(writer, FG_CAPTURE_ARGT, trees);
}

enum fg_result fg_capture_writer_flush(struct fg_capture_writer *writer)
{
    if (writer == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (writer->failure != FG_OK) {
        return writer->failure;
    }
    writer->unflushed_count = 0;
    if (writer->buffer.size != 0) {
        writer->failure =
            writer->sink.write(writer->sink.context, writer->buffer.data, writer->buffer.size);
        if (writer->failure != FG_OK) {
            return writer->failure;
        }
        writer->buffer_offset += writer->buffer.size;
        writer->buffer.size = 0;
        writer->stats.flush_count++;
    }
    return buffer_reserve(writer, SLACK_BYTES);
}

void fg_capture_writer_get_stats(const struct fg_capture_writer *writer,
                                 struct fg_capture_writer_stats *out_stats)
{
    *out_stats = writer->stats;
    out_stats->written_bytes = writer->buffer_offset;
    out_stats->pending_bytes = writer->buffer.size;
    out_stats->topology_count = writer->next_topology;
    out_stats->template_count = writer->next_template;
    out_stats->symbol_count = fgi_strings_count(&writer->strings) - 1;
}
