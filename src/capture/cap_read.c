/* SPDX-License-Identifier: MIT */
/* The reader: its life, reading in order, seeking, following. */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"
#include "base/result.h"

enum { DEFAULT_MAX_DEFECTS = 4096 };
static const uint64_t default_max_payload_bytes = 1u << 30;

static enum fg_result result_of(enum fg_capture_defect_kind defect)
{
    switch (defect) {
    case FG_CAPTURE_DEFECT_short_header:
    case FG_CAPTURE_DEFECT_bad_magic:
        return FG_ERR_FORMAT;
    case FG_CAPTURE_DEFECT_newer_format:
        return FG_ERR_VERSION;
    default:
        return FG_ERR_CORRUPT;
    }
}

/* The header as it is now; also while following, because closing changes it. */
static enum fg_result read_header(struct fg_capture *capture, struct fg_diag *diag)
{
    uint8_t bytes[FG_CAPTURE_HEADER_BYTES];
    enum fg_result result = capture->source.size(capture->source.context, &capture->size);
    if (result != FG_OK) {
        return fgi_fail(diag, result, 0, "the size of the file cannot be read");
    }
    size_t size = capture->size < sizeof bytes ? (size_t)capture->size : sizeof bytes;
    result = fgi_read_exact(capture, 0, bytes, size);
    if (result != FG_OK) {
        return fgi_fail(diag, result, 0, "the header cannot be read");
    }
    enum fg_capture_defect_kind defect = fgi_cap_header_load(bytes, size, &capture->header);
    if (defect != 0) {
        return fgi_fail(diag, result_of(defect), 0, "%s: %s", fg_capture_defect_name(defect),
                        fg_capture_defect_text(defect));
    }
    capture->closed = (capture->header.flags & FG_CAPTURE_FLAG_CLOSED) != 0;
    return FG_OK;
}

static void begin_pass(struct fg_capture *capture)
{
    capture->position = FG_CAPTURE_HEADER_BYTES;
    capture->from_start = true;
    capture->records_taken = 0;
    capture->bytes_taken = 0;
    capture->meta_taken = false;
    capture->taken_count = 0;
    capture->last_damage = 0;
    capture->any_frame = false;
    capture->skipped_count = 0;
    fgi_known_begin_pass(capture);
}

static void set_allocators(struct fg_capture *capture)
{
    const struct fg_allocator *allocator = capture->allocator;
    capture->arena.allocator = allocator;
    capture->lasting.allocator = allocator;
    capture->template_arena.allocator = allocator;
    capture->scan_arena.allocator = allocator;
    capture->symbol_index.allocator = allocator;
    capture->ids.allocator = allocator;
    capture->topology_index.allocator = allocator;
    capture->template_index.allocator = allocator;
    capture->frame_passes.allocator = allocator;
    capture->scan_clock_index.allocator = allocator;
}

enum fg_result fg_capture_open(const struct fg_source *source,
                               const struct fg_capture_options *options, struct fg_diag *diag,
                               struct fg_capture **out_capture)
{
    static const struct fg_capture_options defaults;
    if (source == NULL || out_capture == NULL) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "no source");
    }
    options = options != NULL ? options : &defaults;
    struct fg_capture *capture = fgi_calloc(options->allocator, 1, sizeof *capture);
    if (capture == NULL) {
        return fgi_fail(diag, FG_ERR_NO_MEMORY, 0, "no memory for the reader");
    }
    capture->allocator = options->allocator;
    capture->source = *source;
    capture->max_payload_bytes =
        options->max_payload_bytes != 0 ? options->max_payload_bytes : default_max_payload_bytes;
    capture->max_defects = options->max_defects != 0 ? options->max_defects : DEFAULT_MAX_DEFECTS;
    capture->follow = (options->flags & FG_CAPTURE_FOLLOW) != 0;
    capture->directory_index = SIZE_MAX;
    set_allocators(capture);
    enum fg_result result = read_header(capture, diag);
    if (result != FG_OK) {
        fg_capture_close(capture);
        return result;
    }
    capture->chunk = fgi_malloc(capture->allocator, FGI_CHUNK_BYTES);
    result = capture->chunk != NULL ? fgi_find_directories(capture) : FG_ERR_NO_MEMORY;
    if (result == FG_OK) {
        result = fgi_strip_build(capture);
    }
    if (result != FG_OK) {
        fg_capture_close(capture);
        return fgi_fail(diag, result, 0, "reading the directories: %s", fg_result_text(result));
    }
    capture->opening_defects = capture->defect_count;
    begin_pass(capture);
    *out_capture = capture;
    return FG_OK;
}

void fg_capture_close(struct fg_capture *capture)
{
    if (capture == NULL) {
        return;
    }
    const struct fg_allocator *allocator = capture->allocator;
    fgi_known_finish(capture);
    fgi_strip_finish(capture);
    fgi_crc_index_finish(capture);
    fgi_arena_finish(&capture->arena);
    fgi_free(allocator, capture->payload, capture->payload_capacity);
    fgi_free(allocator, capture->directory, capture->directory_capacity);
    fgi_free(allocator, capture->chunk, FGI_CHUNK_BYTES);
    fgi_free(allocator, capture->sections, capture->section_capacity * sizeof *capture->sections);
    fgi_free(allocator, capture->taken, capture->taken_capacity * sizeof *capture->taken);
    fgi_free(allocator, capture->defects, capture->defect_capacity * sizeof *capture->defects);
    fgi_free(allocator, capture, sizeof *capture);
}

void fg_capture_get_info(const struct fg_capture *capture, struct fg_capture_info *out_info)
{
    *out_info = (struct fg_capture_info){
        .version = capture->header.version,
        .min_reader = capture->header.min_reader,
        .closed = capture->closed,
        .recovered = !capture->closed || capture->damaged,
        .size_bytes = capture->size,
        .skipped_count = capture->skipped_count,
        .record_count = capture->records_taken,
    };
}

const struct fg_capture_frame_entry *fg_capture_frames(const struct fg_capture *capture,
                                                       size_t *out_count)
{
    *out_count = capture->frame_count;
    return capture->frames;
}

/* ---- In order -------------------------------------------------------------------------------- */

/* Remember the record for the comparison with its directory. */
enum fg_result fgi_capture_take(struct fg_capture *capture, const struct fgi_cap_framing *framing,
                                uint64_t offset)
{
    if (!capture->from_start) {
        return FG_OK;
    }
    enum fg_result result = FGI_GROW(capture->allocator, capture->taken, capture->taken_capacity,
                                     capture->taken_count + 1, SIZE_MAX / sizeof *capture->taken);
    if (result == FG_OK) {
        capture->taken[capture->taken_count++] = (struct fgi_cap_record_entry){
            .type = framing->type,
            .length = framing->length,
            .offset = offset,
        };
    }
    return result;
}

static enum fg_result read_one(struct fg_capture *capture, struct fg_capture_record *out_record,
                               bool *out_used)
{
    struct fgi_cap_framing framing;
    uint64_t offset;
    enum fg_result result = fgi_walk(capture, &capture->position, &framing, &offset);
    if (result == FG_OK) {
        result = fgi_capture_take(capture, &framing, offset);
    }
    if (result == FG_OK && framing.length <= capture->max_payload_bytes) {
        result = fgi_load_payload(capture, offset, framing.length);
    }
    if (result == FG_OK) {
        result = fgi_decode(capture, &framing, offset, out_record, out_used);
    }
    return result;
}

enum fg_result fg_capture_next(struct fg_capture *capture, struct fg_capture_record *out_record)
{
    if (capture == NULL || out_record == NULL) {
        return FG_ERR_ARGUMENT;
    }
    bool used = false;
    while (!used) {
        uint64_t position = capture->position;
        size_t taken = capture->taken_count;
        size_t defects = capture->defect_count;
        uint64_t defect_total = capture->defect_total;
        enum fg_result result = read_one(capture, out_record, &used);
        if (result != FG_OK) {
            if (result != FG_ERR_NOT_FOUND) {
                /* Nothing was given out: with memory or luck the same record comes again. */
                capture->position = position;
                capture->taken_count = taken;
                capture->defect_count = defects;
                capture->defect_total = defect_total;
            }
            return result;
        }
    }
    return FG_OK;
}

void fg_capture_rewind(struct fg_capture *capture)
{
    if (capture == NULL) {
        return;
    }
    capture->defect_count = capture->opening_defects;
    capture->defect_total = capture->opening_defects;
    begin_pass(capture);
}

/* Where reading must begin so that every name is known at `offset`. */
static uint64_t checkpoint_before(const struct fg_capture *capture, uint64_t offset)
{
    size_t index;
    if (fgi_section_of(capture, offset, &index)) {
        return capture->sections[index].offset;
    }
    return index != 0 ? capture->sections[index - 1].directory_end
                      : (uint64_t)FG_CAPTURE_HEADER_BYTES;
}

enum fg_result fg_capture_seek(struct fg_capture *capture, uint64_t offset)
{
    if (capture == NULL || offset < FG_CAPTURE_HEADER_BYTES || offset > capture->size) {
        return FG_ERR_ARGUMENT;
    }
    uint64_t skipped_count = capture->skipped_count;
    enum fg_result result = FG_OK;
    uint64_t from = checkpoint_before(capture, offset);
    uint64_t to = offset;
    capture->from_start = false;
    capture->any_frame = false;
    capture->taken_count = 0;
    if (from != capture->known_from || capture->known_to == capture->known_from) {
        fgi_known_forget_templates(capture);
        capture->position = from;
    } else if (offset <= capture->known_to) {
        /* Definitions never change: going back, more is known than has to be. */
        to = capture->known_to;
        capture->position = offset;
    } else {
        capture->position = capture->known_to;
    }
    capture->muted = true;
    while (result == FG_OK && capture->position < offset) {
        struct fg_capture_record record;
        bool used;
        result = read_one(capture, &record, &used);
    }
    capture->muted = false;
    capture->skipped_count = skipped_count;
    if (result == FG_OK) { /* reading may have passed a checkpoint and forgotten: set it anew */
        capture->known_from = from;
        capture->known_to = capture->position > to ? capture->position : to;
    }
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

enum fg_result fg_capture_poll(struct fg_capture *capture, bool *out_grown)
{
    if (capture == NULL || out_grown == NULL) {
        return FG_ERR_ARGUMENT;
    }
    if (!capture->follow) {
        return FG_ERR_STATE;
    }
    *out_grown = false;
    if (capture->closed) {
        return FG_OK;
    }
    uint64_t size = capture->size;
    enum fg_result result = read_header(capture, NULL);
    if (result != FG_OK) {
        capture->size = size;
        return result;
    }
    if (capture->closed) {
        *out_grown = true;
    }
    return fgi_strip_continue(capture, out_grown);
}
