/* SPDX-License-Identifier: MIT */
/* Find the directories: through the header, or from the end of the file. FORMAT.md, 9.1. */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"

#include <string.h>

/* Load the payload of a DIRE into capture->directory. *out_valid: it is one. */
static enum fg_result read_directory(struct fg_capture *capture, uint64_t offset,
                                     struct fgi_section *out_section, bool *out_valid)
{
    struct fgi_cap_framing framing;
    *out_valid = false;
    capture->directory_index = SIZE_MAX;
    enum fg_result result = fgi_candidate(capture, offset, &framing, out_valid);
    if (result != FG_OK || !*out_valid || framing.type != FG_CAPTURE_DIRE ||
        framing.length > capture->max_payload_bytes) {
        *out_valid = false;
        return result;
    }
    result = FGI_GROW(capture->allocator, capture->directory, capture->directory_capacity,
                      (size_t)framing.length + 1, SIZE_MAX / 2);
    if (result == FG_OK) {
        result = fgi_read_exact(capture, offset + FG_CAPTURE_FRAMING_BYTES, capture->directory,
                                framing.length);
    }
    *out_valid = result == FG_OK && fgi_cap_directory_load(capture->directory, framing.length,
                                                           offset, &capture->directory_head);
    if (*out_valid) {
        *out_section = (struct fgi_section){
            .offset = capture->directory_head.section_offset,
            .directory_offset = offset,
            .directory_end = offset + FG_CAPTURE_FRAMING_BYTES + framing.length,
        };
    }
    return result;
}

enum fg_result fgi_load_directory(struct fg_capture *capture, size_t index)
{
    if (capture->directory_index == index) {
        return FG_OK;
    }
    struct fgi_section section;
    bool valid;
    enum fg_result result =
        read_directory(capture, capture->sections[index].directory_offset, &section, &valid);
    if (result == FG_OK && !valid) {
        /* It was valid before: the file changed under us. */
        result = FG_ERR_IO;
    }
    if (result == FG_OK) {
        capture->directory_index = index;
    }
    return result;
}

bool fgi_section_of(const struct fg_capture *capture, uint64_t offset, size_t *out_index)
{
    size_t low = 0;
    size_t high = capture->section_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (capture->sections[middle].directory_offset > offset) {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    *out_index = low;
    return low < capture->section_count && capture->sections[low].offset <= offset;
}

/* What the header says, when it says something true. */
static enum fg_result directory_of_header(struct fg_capture *capture, struct fgi_section *section,
                                          bool *out_found)
{
    const struct fgi_cap_header *header = &capture->header;
    *out_found = false;
    if ((header->flags & FG_CAPTURE_FLAG_CLOSED) == 0) {
        return FG_OK;
    }
    if (header->directory_offset == 0) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_directory_missing, 0, 0);
        return FG_OK;
    }
    if (header->directory_offset < FG_CAPTURE_HEADER_BYTES ||
        header->directory_offset > capture->size ||
        header->directory_length > capture->size - header->directory_offset) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_directory_range, 0, header->directory_offset);
        return FG_OK;
    }
    enum fg_result result = read_directory(capture, header->directory_offset, section, out_found);
    if (result == FG_OK && *out_found &&
        section->directory_end - section->directory_offset != header->directory_length) {
        *out_found = false;
    }
    if (result == FG_OK && !*out_found) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_directory_damaged, header->directory_offset,
                           0);
    }
    return result;
}

/* The last valid directory in the window [begin, end + 7) of the file, the window in memory. */
static enum fg_result last_directory_in(struct fg_capture *capture, uint64_t begin,
                                        const uint8_t *window, size_t size,
                                        struct fgi_section *section, bool *out_found)
{
    static const uint8_t mark[8] = { 'S', 'R', 'E', 'C', 'D', 'I', 'R', 'E' };
    for (size_t i = size >= sizeof mark ? size - sizeof mark + 1 : 0; i > 0; i--) {
        if (memcmp(window + i - 1, mark, sizeof mark) == 0) {
            enum fg_result result = read_directory(capture, begin + i - 1, section, out_found);
            if (result != FG_OK || *out_found) {
                return result;
            }
        }
    }
    return FG_OK;
}

static enum fg_result search_backwards(struct fg_capture *capture, struct fgi_section *section,
                                       bool *out_found)
{
    enum { WINDOW = FGI_CHUNK_BYTES, OVERLAP = 7 };
    uint8_t *window = fgi_malloc(capture->allocator, WINDOW);
    if (window == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    uint64_t lowest = FG_CAPTURE_HEADER_BYTES;
    if (capture->size > FGI_SEARCH_BYTES + (uint64_t)FG_CAPTURE_HEADER_BYTES) {
        lowest = capture->size - FGI_SEARCH_BYTES;
    }
    uint64_t end = capture->size;
    enum fg_result result = FG_OK;
    *out_found = false;
    while (result == FG_OK && !*out_found && end > lowest) {
        uint64_t begin = end - lowest > WINDOW ? end - WINDOW : lowest;
        size_t size = (size_t)(end - begin);
        result = fgi_read_exact(capture, begin, window, size);
        if (result == FG_OK) {
            result = last_directory_in(capture, begin, window, size, section, out_found);
        }
        end = begin > lowest ? begin + OVERLAP : lowest;
    }
    fgi_free(capture->allocator, window, WINDOW);
    return result;
}

static enum fg_result add_section(struct fg_capture *capture, const struct fgi_section *section)
{
    enum fg_result result =
        FGI_GROW(capture->allocator, capture->sections, capture->section_capacity,
                 capture->section_count + 1, SIZE_MAX / sizeof *section);
    if (result == FG_OK) {
        capture->sections[capture->section_count++] = *section;
    }
    return result;
}

static void reverse_sections(struct fg_capture *capture)
{
    for (size_t i = 0, j = capture->section_count; i + 1 < j; i++, j--) {
        struct fgi_section swap = capture->sections[i];
        capture->sections[i] = capture->sections[j - 1];
        capture->sections[j - 1] = swap;
    }
    capture->directory_index = SIZE_MAX;
}

/* From the last one backwards. Offsets only go down, so this ends. */
static enum fg_result follow_links(struct fg_capture *capture, struct fgi_section section)
{
    enum fg_result result = add_section(capture, &section);
    while (result == FG_OK && capture->directory_head.previous_offset != 0) {
        uint64_t link = capture->directory_head.previous_offset;
        struct fgi_section before;
        bool valid;
        result = read_directory(capture, link, &before, &valid);
        if (result != FG_OK) {
            break;
        }
        if (!valid || before.directory_end != section.offset) {
            fgi_capture_defect(capture, FG_CAPTURE_DEFECT_directory_link, section.directory_offset,
                               link);
            break;
        }
        section = before;
        result = add_section(capture, &section);
    }
    reverse_sections(capture);
    return result;
}

enum fg_result fgi_find_directories(struct fg_capture *capture)
{
    struct fgi_section section;
    bool found;
    enum fg_result result = directory_of_header(capture, &section, &found);
    if (result == FG_OK && !found) {
        result = search_backwards(capture, &section, &found);
    }
    if (result == FG_OK && found) {
        result = follow_links(capture, section);
    }
    return result;
}
