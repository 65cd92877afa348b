/* SPDX-License-Identifier: MIT */
/* The frame strip: what directories list, and what they would list of the parts that they do not
 * describe (the end of a file that was not closed, or what is before a broken link). */
#include "capture/cap_reader_priv.h"

#include "base/alloc.h"

static enum fg_result add_frame(struct fg_capture *capture,
                                const struct fg_capture_frame_entry *entry)
{
    enum fg_result result = FGI_GROW(capture->allocator, capture->frames, capture->frame_capacity,
                                     capture->frame_count + 1, SIZE_MAX / sizeof *entry);
    if (result != FG_OK) {
        return result;
    }
    if (capture->frame_count != 0 &&
        capture->frames[capture->frame_count - 1].frame >= entry->frame) {
        capture->frames_ascend = false;
    }
    capture->frames[capture->frame_count++] = *entry;
    return FG_OK;
}

/* The entry whose FRAM is at `offset`; entries ascend by offset. */
static struct fg_capture_frame_entry *entry_at(struct fg_capture *capture, uint64_t offset)
{
    size_t low = 0;
    size_t high = capture->frame_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (capture->frames[middle].offset < offset) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < capture->frame_count && capture->frames[low].offset == offset;
    return found ? &capture->frames[low] : NULL;
}

/* The newest entry of a frame; SIZE_MAX when it is not listed. */
static size_t entry_of(const struct fg_capture *capture, uint64_t frame)
{
    enum { LOOK_BACK = 4096 };
    size_t low = 0;
    size_t high = capture->frame_count;
    if (!capture->frames_ascend) {
        for (size_t i = high; i > 0 && high - i < LOOK_BACK; i--) {
            if (capture->frames[i - 1].frame == frame) {
                return i - 1;
            }
        }
        return SIZE_MAX;
    }
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (capture->frames[middle].frame < frame) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < capture->frame_count && capture->frames[low].frame == frame ? low : SIZE_MAX;
}

static enum fg_result add_directory(struct fg_capture *capture, size_t index)
{
    enum fg_result result = fgi_load_directory(capture, index);
    for (uint32_t i = 0; result == FG_OK && i < capture->directory_head.frame_count; i++) {
        struct fg_capture_frame_entry entry =
            fgi_cap_directory_frame(capture->directory, &capture->directory_head, i);
        bool update = (entry.flags & FGI_FRAME_ENTRY_UPDATE) != 0;
        entry.flags = 0;
        if (!update) {
            result = add_frame(capture, &entry);
            continue;
        }
        struct fg_capture_frame_entry *listed = entry_at(capture, entry.offset);
        if (listed != NULL && listed->frame == entry.frame) {
            *listed = entry;
        }
    }
    return result;
}

/* ---- Parts without a directory --------------------------------------------------------------- */

static uint64_t scan_ns(const struct fg_capture *capture, uint32_t clock, uint64_t ticks)
{
    uint32_t index;
    if (!fgi_map64_get(&capture->scan_clock_index, clock, &index)) {
        return FG_CAP_UNKNOWN;
    }
    const struct fg_cap_clock *known = &capture->scan_clocks[index];
    return fgi_cap_ticks_ns(ticks, known->period_num, known->period_den);
}

static enum fg_result scan_clock(struct fg_capture *capture, struct fgi_codec *codec)
{
    struct fg_cap_clock clock = { 0 };
    uint32_t index;
    fgi_fields_clock(codec, &clock);
    enum fg_result result = fgi_c_result(codec);
    clock.readings = NULL;
    if (result != FG_OK || fgi_map64_get(&capture->scan_clock_index, clock.id, &index)) {
        if (result == FG_OK) {
            capture->scan_clocks[index] = clock;
        }
        return result;
    }
    result = FGI_GROW(capture->allocator, capture->scan_clocks, capture->scan_clock_capacity,
                      capture->scan_clock_count + 1, UINT32_MAX - 1);
    if (result == FG_OK) {
        result = fgi_map64_put(&capture->scan_clock_index, clock.id,
                               (uint32_t)capture->scan_clock_count);
    }
    if (result == FG_OK) {
        capture->scan_clocks[capture->scan_clock_count++] = clock;
    }
    return result;
}

static enum fg_result scan_frame(struct fg_capture *capture, struct fgi_codec *codec,
                                 uint64_t offset)
{
    struct fg_cap_frame frame = { 0 };
    fgi_fields_frame_head(codec, &frame);
    enum fg_result result = fgi_c_result(codec);
    if (result != FG_OK) {
        return result;
    }
    uint64_t dropped = 0;
    for (size_t i = 0; i < frame.drop_count; i++) {
        uint64_t count = frame.drops[i].count;
        dropped = count > UINT32_MAX - dropped ? UINT32_MAX : dropped + count;
    }
    struct fg_capture_frame_entry entry = {
        .frame = frame.frame,
        .offset = offset,
        .gpu_ns = FG_CAP_UNKNOWN,
        .cpu_ns = scan_ns(capture, frame.clock, frame.end_ticks - frame.begin_ticks),
        .dropped = (uint32_t)dropped,
    };
    return add_frame(capture, &entry);
}

/* What was gathered of this frame's GPU times so far, or a new place for it. */
static enum fg_result gathered(struct fg_capture *capture, uint64_t frame, size_t strip_index,
                               struct fgi_scanned_frame **out_scanned)
{
    enum { LOOK_BACK = 4096 };
    for (size_t i = capture->scanned_count; i > 0 && capture->scanned_count - i < LOOK_BACK; i--) {
        if (capture->scanned[i - 1].strip_index == strip_index) {
            *out_scanned = &capture->scanned[i - 1];
            return FG_OK;
        }
    }
    enum fg_result result =
        FGI_GROW(capture->allocator, capture->scanned, capture->scanned_capacity,
                 capture->scanned_count + 1, SIZE_MAX / sizeof **out_scanned);
    if (result == FG_OK) {
        *out_scanned = &capture->scanned[capture->scanned_count++];
        **out_scanned = (struct fgi_scanned_frame){ .frame = frame, .strip_index = strip_index };
    }
    return result;
}

static enum fg_result scan_gpu_frame(struct fg_capture *capture, struct fgi_codec *codec)
{
    struct fg_cap_gpu_frame gpu = { 0 };
    fgi_fields_gpu_frame(codec, &gpu);
    enum fg_result result = fgi_c_result(codec);
    size_t index = result == FG_OK ? entry_of(capture, gpu.frame) : SIZE_MAX;
    if (index == SIZE_MAX) {
        return result;
    }
    /* Times that a directory gives are those of more records than are read here. */
    struct fgi_scanned_frame *scanned;
    bool listed = capture->frames[index].gpu_ns != FG_CAP_UNKNOWN;
    size_t count = capture->scanned_count;
    result = gathered(capture, gpu.frame, index, &scanned);
    if (result != FG_OK) {
        return result;
    }
    if (listed && capture->scanned_count != count) {
        capture->scanned_count = count;
        return FG_OK;
    }
    fgi_gpu_extent_add(&scanned->extent, &gpu);
    if (scanned->extent.any) {
        capture->frames[index].gpu_ns =
            scan_ns(capture, scanned->extent.clock,
                    scanned->extent.end_ticks - scanned->extent.begin_ticks);
    }
    return FG_OK;
}

static enum fg_result scan_record(struct fg_capture *capture, const struct fgi_cap_framing *framing,
                                  uint64_t offset)
{
    if (framing->length > capture->max_payload_bytes ||
        (framing->type != FG_CAPTURE_CLKS && framing->type != FG_CAPTURE_FRAM &&
         framing->type != FG_CAPTURE_GSPN)) {
        return FG_OK;
    }
    enum fg_result result = fgi_load_payload(capture, offset, framing->length);
    if (result != FG_OK) {
        return result;
    }
    fgi_arena_reset(&capture->scan_arena);
    struct fgi_codec codec = {
        .mode = FGI_CODEC_DECODE,
        .in = fgi_reader_make(capture->payload, framing->length),
        .arena = &capture->scan_arena,
    };
    if (framing->type == FG_CAPTURE_CLKS) {
        result = scan_clock(capture, &codec);
    } else if (framing->type == FG_CAPTURE_FRAM) {
        result = scan_frame(capture, &codec, offset);
    } else {
        result = scan_gpu_frame(capture, &codec);
    }
    return result == FG_ERR_CORRUPT ? FG_OK : result;
}

/* Reading in order will name what is damaged here; this only looks for frames. */
static enum fg_result scan(struct fg_capture *capture, uint64_t *position, uint64_t end,
                           bool *out_any)
{
    uint64_t last_damage = capture->last_damage;
    enum fg_result result = FG_OK;
    capture->muted = true;
    while (result == FG_OK && *position < end) {
        struct fgi_cap_framing framing;
        uint64_t offset;
        result = fgi_walk(capture, position, &framing, &offset);
        if (result == FG_OK && offset < end) {
            *out_any = true;
            result = scan_record(capture, &framing, offset);
        }
    }
    capture->muted = false;
    capture->last_damage = last_damage;
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

enum fg_result fgi_strip_build(struct fg_capture *capture)
{
    bool any = false;
    uint64_t position = FG_CAPTURE_HEADER_BYTES;
    enum fg_result result = FG_OK;
    capture->frames_ascend = true;
    if (capture->section_count != 0) {
        result = scan(capture, &position, capture->sections[0].offset, &any);
        position = capture->sections[capture->section_count - 1].directory_end;
    }
    for (size_t i = 0; i < capture->section_count && result == FG_OK; i++) {
        result = add_directory(capture, i);
    }
    capture->scan_position = position;
    if (result == FG_OK) {
        result = scan(capture, &capture->scan_position, capture->size, &any);
    }
    return result;
}

enum fg_result fgi_strip_continue(struct fg_capture *capture, bool *out_grown)
{
    return scan(capture, &capture->scan_position, capture->size, out_grown);
}

void fgi_strip_finish(struct fg_capture *capture)
{
    fgi_map64_finish(&capture->scan_clock_index);
    fgi_free(capture->allocator, capture->scan_clocks,
             capture->scan_clock_capacity * sizeof *capture->scan_clocks);
    fgi_free(capture->allocator, capture->scanned,
             capture->scanned_capacity * sizeof *capture->scanned);
    fgi_free(capture->allocator, capture->frames,
             capture->frame_capacity * sizeof *capture->frames);
    fgi_arena_finish(&capture->scan_arena);
}
