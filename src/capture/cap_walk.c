/* SPDX-License-Identifier: MIT */
/* From record to record, and over damage to the next one. FORMAT.md, 3 and 9.2. */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"

#include <string.h>

static enum fg_result read_source(struct fg_capture *capture, uint64_t offset, uint8_t *out,
                                  size_t size)
{
    while (size != 0) {
        size_t got = 0;
        enum fg_result result =
            capture->source.read_at(capture->source.context, offset, out, size, &got);
        if (result != FG_OK || got == 0 || got > size) {
            return result != FG_OK ? result : FG_ERR_IO;
        }
        out += got;
        offset += got;
        size -= got;
    }
    return FG_OK;
}

/* Hold what follows `offset`, for a reader that goes on from where it was; false: nothing is. */
static bool hold_near(struct fg_capture *capture, uint64_t offset)
{
    uint64_t left = capture->size - offset;
    size_t size = left < FGI_NEAR_BYTES ? (size_t)left : FGI_NEAR_BYTES;
    bool is_read = read_source(capture, offset, capture->near_bytes, size) == FG_OK;
    capture->near_offset = offset;
    capture->near_size = is_read ? size : 0;
    return is_read;
}

static bool is_held(const struct fg_capture *capture, uint64_t offset, size_t size)
{
    return offset >= capture->near_offset && offset - capture->near_offset <= capture->near_size &&
           capture->near_size - (size_t)(offset - capture->near_offset) >= size;
}

/* The header changes when a file is closed, and the end of one that grows: these are read anew. */
static bool is_worth_holding(const struct fg_capture *capture, uint64_t offset, size_t size)
{
    return size < FGI_NEAR_BYTES / 4 && offset >= FG_CAPTURE_HEADER_BYTES && !capture->follow &&
           offset == capture->read_end && offset <= capture->size && capture->size - offset >= size;
}

enum fg_result fgi_read_exact(struct fg_capture *capture, uint64_t offset, void *bytes, size_t size)
{
    bool held = is_held(capture, offset, size) ||
                (is_worth_holding(capture, offset, size) && hold_near(capture, offset));
    capture->read_end = offset + size;
    if (!held) {
        return read_source(capture, offset, bytes, size);
    }
    memcpy(bytes, capture->near_bytes + (offset - capture->near_offset), size);
    return FG_OK;
}

static enum fg_result checksum(struct fg_capture *capture, uint64_t offset, uint64_t length,
                               uint32_t *out_crc)
{
    uint32_t crc = 0;
    if (fgi_crc_index_covers(capture, offset, length)) {
        return fgi_crc_index_range(capture, offset, length, out_crc);
    }
    while (length != 0) {
        size_t part = length < FGI_CHUNK_BYTES ? (size_t)length : FGI_CHUNK_BYTES;
        enum fg_result result = fgi_read_exact(capture, offset, capture->chunk, part);
        if (result != FG_OK) {
            return result;
        }
        crc = fgi_crc32(crc, capture->chunk, part);
        offset += part;
        length -= part;
    }
    *out_crc = crc;
    return FG_OK;
}

enum fg_result fgi_candidate(struct fg_capture *capture, uint64_t offset,
                             struct fgi_cap_framing *out_framing, bool *out_valid)
{
    uint8_t bytes[FG_CAPTURE_FRAMING_BYTES];
    *out_valid = false;
    *out_framing = (struct fgi_cap_framing){ 0 };
    if (offset > capture->size || capture->size - offset < sizeof bytes) {
        return FG_OK;
    }
    enum fg_result result = fgi_read_exact(capture, offset, bytes, sizeof bytes);
    if (result != FG_OK) {
        return result;
    }
    *out_framing = fgi_cap_framing_load(bytes);
    if (out_framing->sync != FG_CAPTURE_SYNC ||
        out_framing->length > capture->size - offset - sizeof bytes) {
        return FG_OK;
    }
    uint32_t crc;
    result = checksum(capture, offset + sizeof bytes, out_framing->length, &crc);
    *out_valid = result == FG_OK && crc == out_framing->crc;
    if (result == FG_OK && !*out_valid) {
        fgi_crc_index_wasted(capture, out_framing->length);
        result = fgi_crc_index_due(capture) ? fgi_crc_index_build(capture) : FG_OK;
    }
    return result;
}

enum fg_result fgi_load_payload(struct fg_capture *capture, uint64_t offset, uint32_t length)
{
    enum fg_result result = FGI_GROW(capture->allocator, capture->payload,
                                     capture->payload_capacity, (size_t)length + 1, SIZE_MAX / 2);
    if (result != FG_OK) {
        return result;
    }
    return fgi_read_exact(capture, offset + FG_CAPTURE_FRAMING_BYTES, capture->payload, length);
}

/* The smallest offset from `from` on where a record begins; the end of the file when none does. */
static enum fg_result search(struct fg_capture *capture, uint64_t from, uint64_t *out_offset)
{
    static const uint8_t sync[4] = { 'S', 'R', 'E', 'C' };
    uint8_t window[4096];
    while (from < capture->size && capture->size - from >= FG_CAPTURE_FRAMING_BYTES) {
        size_t size =
            capture->size - from < sizeof window ? (size_t)(capture->size - from) : sizeof window;
        enum fg_result result = fgi_read_exact(capture, from, window, size);
        if (result != FG_OK) {
            return result;
        }
        for (size_t i = 0; i + sizeof sync <= size; i++) {
            if (memcmp(window + i, sync, sizeof sync) != 0) {
                continue;
            }
            struct fgi_cap_framing framing;
            bool valid;
            result = fgi_candidate(capture, from + i, &framing, &valid);
            if (result != FG_OK || valid) {
                *out_offset = from + i;
                return result;
            }
        }
        from += size - (sizeof sync - 1);
    }
    *out_offset = capture->size;
    return FG_OK;
}

/* Where a directory says that the next record begins. */
static enum fg_result directory_step(struct fg_capture *capture, size_t section, uint64_t offset,
                                     uint64_t *out_offset)
{
    enum fg_result result = fgi_load_directory(capture, section);
    if (result != FG_OK) {
        return result;
    }
    *out_offset = capture->sections[section].directory_offset;
    for (uint32_t i = 0; i < capture->directory_head.record_count; i++) {
        struct fgi_cap_record_entry entry = fgi_cap_directory_record(capture->directory, i);
        if (entry.offset > offset) {
            *out_offset = entry.offset;
            break;
        }
    }
    return FG_OK;
}

/* FORMAT.md, 9.2, step 4: where to go on after damage at `offset`. */
static enum fg_result step_over(struct fg_capture *capture, uint64_t offset,
                                const struct fgi_cap_framing *framing, bool bad_checksum,
                                uint64_t *out_offset)
{
    size_t section;
    if (fgi_section_of(capture, offset, &section)) {
        return directory_step(capture, section, offset, out_offset);
    }
    if (bad_checksum) {
        uint64_t end = offset + FG_CAPTURE_FRAMING_BYTES + framing->length;
        struct fgi_cap_framing next;
        bool valid = false;
        enum fg_result result = fgi_candidate(capture, end, &next, &valid);
        if (result != FG_OK) {
            return result;
        }
        if (valid || end == capture->size) {
            *out_offset = end;
            return FG_OK;
        }
    }
    return search(capture, offset + 1, out_offset);
}

enum fg_result fgi_walk(struct fg_capture *capture, uint64_t *position,
                        struct fgi_cap_framing *out_framing, uint64_t *out_offset)
{
    bool growing = capture->follow && !capture->closed;
    while (*position < capture->size) {
        uint64_t offset = *position;
        uint64_t left = capture->size - offset;
        bool valid = false;
        if (left < FG_CAPTURE_FRAMING_BYTES) {
            if (!growing) {
                fgi_capture_defect(capture, FG_CAPTURE_DEFECT_short_record, offset, left);
                *position = capture->size;
            }
            return FG_ERR_NOT_FOUND;
        }
        enum fg_result result = fgi_candidate(capture, offset, out_framing, &valid);
        if (result != FG_OK) {
            return result;
        }
        if (valid) {
            *out_offset = offset;
            *position = offset + FG_CAPTURE_FRAMING_BYTES + out_framing->length;
            return FG_OK;
        }
        bool sync = out_framing->sync == FG_CAPTURE_SYNC;
        bool fits = out_framing->length <= left - FG_CAPTURE_FRAMING_BYTES;
        if (growing && sync && !fits) {
            return FG_ERR_NOT_FOUND;
        }
        uint64_t next;
        result = step_over(capture, offset, out_framing, sync && fits, &next);
        if (result != FG_OK) {
            return result;
        }
        if (!sync) {
            fgi_capture_defect(capture, FG_CAPTURE_DEFECT_garbage, offset, next - offset);
        } else if (!fits) {
            fgi_capture_defect(capture, FG_CAPTURE_DEFECT_short_record, offset,
                               out_framing->length);
        } else {
            fgi_capture_defect(capture, FG_CAPTURE_DEFECT_bad_checksum, offset, out_framing->type);
        }
        capture->last_damage = offset;
        *position = next;
    }
    return FG_ERR_NOT_FOUND;
}
