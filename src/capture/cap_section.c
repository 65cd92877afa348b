/* SPDX-License-Identifier: MIT */
/* Sections: directories, checkpoints, the end of a file, and a copy with an end of its own. */
#include "capture/cap_writer_priv.h"

#include "base/alloc.h"

/*
 * A section holds at most 65,536 records, unless its checkpoint has more than an eighth of them; it
 * is ended early enough for one put and its company.
 */
enum { SECTION_RECORDS = 65536, PUT_RECORDS = 16, COPY_BYTES = 1 << 16 };
/* A section has at least this many times the bytes and the records of its checkpoint. */
enum { CHECKPOINT_PART = 8 };

enum fg_result fgi_section_reserve(struct fg_capture_writer *writer, size_t count)
{
    return FGI_GROW(writer->allocator, writer->records, writer->record_capacity,
                    writer->record_count + count, UINT32_MAX);
}

void fgi_section_add_record(struct fg_capture_writer *writer, uint32_t type, uint32_t length,
                            uint64_t offset)
{
    writer->records[writer->record_count++] = (struct fgi_cap_record_entry){
        .type = type,
        .length = length,
        .offset = offset,
    };
}

/* The payload of a directory over the current section that will stand at `offset`. */
static void encode_directory(const struct fg_capture_writer *writer, uint64_t offset,
                             uint32_t flags, struct fgi_bytes *out)
{
    uint8_t bytes[FGI_DIRECTORY_HEAD_BYTES];
    struct fgi_cap_directory directory = {
        .self_offset = offset,
        .previous_offset = writer->previous_directory,
        .session_lo = writer->session_lo,
        .flags = flags,
        .record_count = (uint32_t)writer->record_count,
        .frame_count = (uint32_t)(writer->frames.count + writer->updates.count),
        .section_offset = writer->section_offset,
    };
    fgi_cap_directory_store(bytes, &directory);
    fgi_put_raw(out, bytes, sizeof bytes);
    for (size_t i = 0; i < writer->record_count; i++) {
        fgi_cap_record_entry_store(bytes, &writer->records[i]);
        fgi_put_raw(out, bytes, FGI_DIRECTORY_RECORD_BYTES);
    }
    for (size_t i = 0; i < writer->frames.count; i++) {
        fgi_cap_frame_entry_store(bytes, &writer->frames.items[i]);
        fgi_put_raw(out, bytes, FGI_DIRECTORY_FRAME_BYTES);
    }
    for (size_t i = 0; i < writer->updates.count; i++) {
        fgi_cap_frame_entry_store(bytes, &writer->updates.items[i]);
        fgi_put_raw(out, bytes, FGI_DIRECTORY_FRAME_BYTES);
    }
}

enum fg_result fgi_section_end(struct fg_capture_writer *writer, uint32_t flags)
{
    uint64_t offset = fgi_writer_offset(writer);
    fgi_bytes_clear(&writer->body);
    encode_directory(writer, offset, flags, &writer->body);
    enum fg_result result = fgi_writer_commit(writer, FG_CAPTURE_DIRE, &writer->body);
    if (result != FG_OK) {
        return result;
    }
    writer->previous_directory = offset;
    writer->section_offset = fgi_writer_offset(writer);
    writer->record_count = 0;
    writer->frames.count = 0;
    writer->updates.count = 0;
    writer->section++;
    return FG_OK;
}

enum fg_result fgi_section_checkpoint(struct fg_capture_writer *writer)
{
    fgi_bytes_clear(&writer->body);
    fgi_put_varint(&writer->body, writer->stats.checkpoint_count);
    fgi_put_u64(&writer->body, writer->session_hi);
    fgi_put_u64(&writer->body, writer->session_lo);
    fgi_put_varint(&writer->body, writer->stats.frame_count);
    fgi_put_varint(&writer->body, writer->stats.record_count);
    return fgi_writer_commit(writer, FG_CAPTURE_CKPT, &writer->body);
}

/* Everything that is still in use, once more. What failed is made up for by the next put. */
static enum fg_result restate(struct fg_capture_writer *writer)
{
    uint64_t before = fgi_writer_offset(writer);
    size_t records_before = writer->record_count;
    enum fg_result result = fgi_writer_restate_definitions(writer);
    if (result == FG_OK) {
        result = fgi_writer_restate_topologies(writer);
    }
    if (result == FG_OK) {
        result = fgi_writer_restate_templates(writer);
    }
    writer->checkpoint_cost_bytes += fgi_writer_offset(writer) - before;
    writer->checkpoint_record_count += writer->record_count - records_before;
    writer->restating = result != FG_OK;
    return result;
}

/* What is restated grows with the tracks there are: more of it must not mean only that. */
static bool is_due(const struct fg_capture_writer *writer)
{
    uint64_t bytes = writer->checkpoint_cost_bytes * CHECKPOINT_PART;
    bytes = bytes > writer->options.checkpoint_bytes ? bytes : writer->options.checkpoint_bytes;
    uint64_t records = (uint64_t)writer->checkpoint_record_count * CHECKPOINT_PART;
    records = records > SECTION_RECORDS ? records : SECTION_RECORDS;
    return fgi_writer_offset(writer) - writer->section_offset >= bytes ||
           writer->record_count >= records - PUT_RECORDS;
}

/* A directory without its checkpoint, when memory runs out between them, is completed later. */
static enum fg_result begin_next(struct fg_capture_writer *writer)
{
    if (!writer->restating) {
        enum fg_result result = fgi_section_end(writer, 0);
        if (result != FG_OK) {
            return result;
        }
        writer->checkpoint_cost_bytes = 0;
        writer->checkpoint_record_count = 0;
        writer->restating = true;
    }
    if (writer->record_count == 0) {
        enum fg_result result = fgi_section_checkpoint(writer);
        if (result != FG_OK) {
            return result;
        }
        writer->stats.checkpoint_count++;
    }
    return restate(writer);
}

enum fg_result fgi_section_maybe_end(struct fg_capture_writer *writer)
{
    return writer->restating || is_due(writer) ? begin_next(writer) : FG_OK;
}

enum fg_result fg_capture_writer_checkpoint(struct fg_capture_writer *writer)
{
    if (writer == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (writer->failure != FG_OK) {
        return writer->failure;
    }
    return writer->closed || !writer->has_meta ? FG_ERR_STATE : begin_next(writer);
}

static void final_header(const struct fg_capture_writer *writer, uint64_t directory_offset,
                         uint64_t directory_length, uint8_t bytes[FG_CAPTURE_HEADER_BYTES])
{
    struct fgi_cap_header header = {
        .version = FG_CAPTURE_VERSION,
        .min_reader = writer->options.min_reader,
        .flags = FG_CAPTURE_FLAG_CLOSED,
        .directory_offset = directory_offset,
        .directory_length = directory_length,
    };
    fgi_cap_header_store(bytes, &header);
}

enum fg_result fg_capture_writer_close(struct fg_capture_writer *writer)
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
    uint64_t offset = fgi_writer_offset(writer);
    enum fg_result result = fgi_section_end(writer, FGI_DIRECTORY_FINAL);
    if (result == FG_OK) {
        result = fg_capture_writer_flush(writer);
    }
    if (result != FG_OK) {
        return result;
    }
    writer->closed = true;
    if (writer->sink.patch == NULL) {
        return FG_OK;
    }
    /* The pointer first: with the mark set it must lead somewhere, whenever this is cut short. */
    uint8_t header[FG_CAPTURE_HEADER_BYTES];
    final_header(writer, offset, writer->section_offset - offset, header);
    result = writer->sink.patch(writer->sink.context, 16, header + 16, 16);
    if (result == FG_OK) {
        result = writer->sink.patch(writer->sink.context, 8, header + 8, 4);
    }
    writer->failure = result;
    return result;
}

/* The bytes [begin, end) of what was written so far. */
static enum fg_result copy_range(const struct fg_source *written, const struct fg_sink *sink,
                                 uint64_t begin, uint64_t end, uint8_t *chunk)
{
    while (begin < end) {
        size_t want = end - begin < COPY_BYTES ? (size_t)(end - begin) : COPY_BYTES;
        size_t got = 0;
        enum fg_result result = written->read_at(written->context, begin, chunk, want, &got);
        if (result == FG_OK && got != want) {
            result = FG_ERR_IO;
        }
        if (result == FG_OK) {
            result = sink->write(sink->context, chunk, want);
        }
        if (result != FG_OK) {
            return result;
        }
        begin += want;
    }
    return FG_OK;
}

enum fg_result fg_capture_writer_snapshot(struct fg_capture_writer *writer,
                                          const struct fg_source *written,
                                          const struct fg_sink *sink)
{
    if (writer == NULL || written == NULL || sink == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (writer->closed || !writer->has_meta) {
        return FG_ERR_STATE;
    }
    enum fg_result result = fg_capture_writer_flush(writer);
    if (result != FG_OK) {
        return result;
    }
    uint8_t *chunk = fgi_malloc(writer->allocator, COPY_BYTES);
    if (chunk == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    uint64_t offset = fgi_writer_offset(writer);
    struct fgi_bytes *body = &writer->body;
    fgi_bytes_clear(body);
    encode_directory(writer, offset, FGI_DIRECTORY_FINAL, body);
    uint8_t header[FG_CAPTURE_HEADER_BYTES];
    uint8_t framing[FG_CAPTURE_FRAMING_BYTES];
    final_header(writer, offset, body->size + (uint64_t)sizeof framing, header);
    result = body->result;
    if (result == FG_OK) {
        fgi_cap_framing_store(framing, FG_CAPTURE_DIRE, body->data, body->size);
        result = sink->write(sink->context, header, sizeof header);
    }
    if (result == FG_OK) {
        result = copy_range(written, sink, sizeof header, offset, chunk);
    }
    if (result == FG_OK) {
        result = sink->write(sink->context, framing, sizeof framing);
    }
    if (result == FG_OK) {
        result = sink->write(sink->context, body->data, body->size);
    }
    fgi_free(writer->allocator, chunk, COPY_BYTES);
    return result;
}
