/* SPDX-License-Identifier: MIT */
#include "capture/cap_framing.h"

#include "base/clock.h"
#include "base/hash.h"

_Static_assert(FG_CAPTURE_MAGIC == 0x54504753u, "SGPT");
_Static_assert(FG_CAPTURE_SYNC == 0x43455253u, "SREC");
_Static_assert((uint32_t)FG_CAPTURE_META == 0x4154454du, "META");
_Static_assert((uint32_t)FG_CAPTURE_SYMS == 0x534d5953u, "SYMS");
_Static_assert((uint32_t)FG_CAPTURE_TOPO == 0x4f504f54u, "TOPO");
_Static_assert((uint32_t)FG_CAPTURE_TMPL == 0x4c504d54u, "TMPL");
_Static_assert((uint32_t)FG_CAPTURE_FRAM == 0x4d415246u, "FRAM");
_Static_assert((uint32_t)FG_CAPTURE_GSPN == 0x4e505347u, "GSPN");
_Static_assert((uint32_t)FG_CAPTURE_CNTR == 0x52544e43u, "CNTR");
_Static_assert((uint32_t)FG_CAPTURE_NOTE == 0x45544f4eu, "NOTE");
_Static_assert((uint32_t)FG_CAPTURE_DIRE == 0x45524944u, "DIRE");
_Static_assert((uint32_t)FG_CAPTURE_CLKS == 0x534b4c43u, "CLKS");
_Static_assert((uint32_t)FG_CAPTURE_PROC == 0x434f5250u, "PROC");
_Static_assert((uint32_t)FG_CAPTURE_TRAK == 0x4b415254u, "TRAK");
_Static_assert((uint32_t)FG_CAPTURE_PIPE == 0x45504950u, "PIPE");
_Static_assert((uint32_t)FG_CAPTURE_SUMM == 0x4d4d5553u, "SUMM");
_Static_assert((uint32_t)FG_CAPTURE_LOST == 0x54534f4cu, "LOST");
_Static_assert((uint32_t)FG_CAPTURE_SPAN == 0x4e415053u, "SPAN");
_Static_assert((uint32_t)FG_CAPTURE_DEPS == 0x53504544u, "DEPS");
_Static_assert((uint32_t)FG_CAPTURE_ARGS == 0x53475241u, "ARGS");
_Static_assert((uint32_t)FG_CAPTURE_STAK == 0x4b415453u, "STAK");
_Static_assert((uint32_t)FG_CAPTURE_SMPL == 0x4c504d53u, "SMPL");
_Static_assert((uint32_t)FG_CAPTURE_MDEF == 0x4645444du, "MDEF");
_Static_assert((uint32_t)FG_CAPTURE_MSMP == 0x504d534du, "MSMP");
_Static_assert((uint32_t)FG_CAPTURE_REVT == 0x54564552u, "REVT");
_Static_assert((uint32_t)FG_CAPTURE_ZRAW == 0x5741525au, "ZRAW");
_Static_assert((uint32_t)FG_CAPTURE_CONV == 0x564e4f43u, "CONV");
_Static_assert((uint32_t)FG_CAPTURE_ROWS == 0x53574f52u, "ROWS");
_Static_assert((uint32_t)FG_CAPTURE_MARK == 0x4b52414du, "MARK");
_Static_assert((uint32_t)FG_CAPTURE_ARGT == 0x54475241u, "ARGT");
_Static_assert((uint32_t)FG_CAPTURE_CKPT == 0x54504b43u, "CKPT");

void fgi_cap_header_store(uint8_t bytes[FG_CAPTURE_HEADER_BYTES],
                          const struct fgi_cap_header *header)
{
    fgi_store_u32(bytes, FG_CAPTURE_MAGIC);
    fgi_store_u16(bytes + 4, (uint16_t)header->version);
    fgi_store_u16(bytes + 6, (uint16_t)header->min_reader);
    fgi_store_u32(bytes + 8, header->flags);
    fgi_store_u32(bytes + 12, fgi_crc32(0, bytes, 8));
    fgi_store_u64(bytes + 16, header->directory_offset);
    fgi_store_u64(bytes + 24, header->directory_length);
}

enum fg_capture_defect_kind fgi_cap_header_load(const uint8_t *bytes, size_t size,
                                                struct fgi_cap_header *out_header)
{
    if (size < FG_CAPTURE_HEADER_BYTES) {
        return FG_CAPTURE_DEFECT_short_header;
    }
    if (fgi_load_u32(bytes) != FG_CAPTURE_MAGIC) {
        return FG_CAPTURE_DEFECT_bad_magic;
    }
    if (fgi_load_u32(bytes + 12) != fgi_crc32(0, bytes, 8)) {
        return FG_CAPTURE_DEFECT_header_checksum;
    }
    *out_header = (struct fgi_cap_header){
        .version = fgi_load_u16(bytes + 4),
        .min_reader = fgi_load_u16(bytes + 6),
        .flags = fgi_load_u32(bytes + 8),
        .directory_offset = fgi_load_u64(bytes + 16),
        .directory_length = fgi_load_u64(bytes + 24),
    };
    return out_header->min_reader > FG_CAPTURE_VERSION ? FG_CAPTURE_DEFECT_newer_format
                                                       : (enum fg_capture_defect_kind)0;
}

void fgi_cap_framing_store(uint8_t bytes[FG_CAPTURE_FRAMING_BYTES], uint32_t type,
                           const void *payload, size_t length)
{
    fgi_store_u32(bytes, FG_CAPTURE_SYNC);
    fgi_store_u32(bytes + 4, type);
    fgi_store_u32(bytes + 8, (uint32_t)length);
    fgi_store_u32(bytes + 12, fgi_crc32(0, payload, length));
}

struct fgi_cap_framing fgi_cap_framing_load(const uint8_t bytes[FG_CAPTURE_FRAMING_BYTES])
{
    return (struct fgi_cap_framing){
        .sync = fgi_load_u32(bytes),
        .type = fgi_load_u32(bytes + 4),
        .length = fgi_load_u32(bytes + 8),
        .crc = fgi_load_u32(bytes + 12),
    };
}

/* ---- Directories ----------------------------------------------------------------------------- */

uint64_t fgi_cap_directory_size(uint32_t record_count, uint32_t frame_count)
{
    return FGI_DIRECTORY_HEAD_BYTES + (uint64_t)record_count * FGI_DIRECTORY_RECORD_BYTES +
           (uint64_t)frame_count * FGI_DIRECTORY_FRAME_BYTES;
}

void fgi_cap_directory_store(uint8_t bytes[FGI_DIRECTORY_HEAD_BYTES],
                             const struct fgi_cap_directory *directory)
{
    fgi_store_u64(bytes, directory->self_offset);
    fgi_store_u64(bytes + 8, directory->previous_offset);
    fgi_store_u64(bytes + 16, directory->session_lo);
    fgi_store_u32(bytes + 24, directory->flags);
    fgi_store_u32(bytes + 28, directory->record_count);
    fgi_store_u32(bytes + 32, directory->frame_count);
    fgi_store_u32(bytes + 36, 0);
    fgi_store_u64(bytes + 40, directory->section_offset);
}

void fgi_cap_record_entry_store(uint8_t *bytes, const struct fgi_cap_record_entry *entry)
{
    fgi_store_u32(bytes, entry->type);
    fgi_store_u32(bytes + 4, entry->length);
    fgi_store_u64(bytes + 8, entry->offset);
}

struct fgi_cap_record_entry fgi_cap_record_entry_load(const uint8_t *bytes)
{
    return (struct fgi_cap_record_entry){
        .type = fgi_load_u32(bytes),
        .length = fgi_load_u32(bytes + 4),
        .offset = fgi_load_u64(bytes + 8),
    };
}

void fgi_cap_frame_entry_store(uint8_t *bytes, const struct fg_capture_frame_entry *entry)
{
    fgi_store_u64(bytes, entry->frame);
    fgi_store_u64(bytes + 8, entry->offset);
    fgi_store_u64(bytes + 16, entry->gpu_ns);
    fgi_store_u64(bytes + 24, entry->cpu_ns);
    fgi_store_u32(bytes + 32, entry->dropped);
    fgi_store_u32(bytes + 36, entry->flags);
}

struct fg_capture_frame_entry fgi_cap_frame_entry_load(const uint8_t *bytes)
{
    return (struct fg_capture_frame_entry){
        .frame = fgi_load_u64(bytes),
        .offset = fgi_load_u64(bytes + 8),
        .gpu_ns = fgi_load_u64(bytes + 16),
        .cpu_ns = fgi_load_u64(bytes + 24),
        .dropped = fgi_load_u32(bytes + 32),
        .flags = fgi_load_u32(bytes + 36),
    };
}

struct fgi_cap_record_entry fgi_cap_directory_record(const uint8_t *payload, uint32_t index)
{
    return fgi_cap_record_entry_load(payload + FGI_DIRECTORY_HEAD_BYTES +
                                     (size_t)index * FGI_DIRECTORY_RECORD_BYTES);
}

struct fg_capture_frame_entry fgi_cap_directory_frame(const uint8_t *payload,
                                                      const struct fgi_cap_directory *directory,
                                                      uint32_t index)
{
    return fgi_cap_frame_entry_load(payload + FGI_DIRECTORY_HEAD_BYTES +
                                    (size_t)directory->record_count * FGI_DIRECTORY_RECORD_BYTES +
                                    (size_t)index * FGI_DIRECTORY_FRAME_BYTES);
}

/* The offsets of records ascend inside the section. */
static bool records_fit(const uint8_t *payload, const struct fgi_cap_directory *directory)
{
    uint64_t next = directory->section_offset;
    for (uint32_t i = 0; i < directory->record_count; i++) {
        struct fgi_cap_record_entry entry = fgi_cap_directory_record(payload, i);
        if (entry.offset < next || entry.offset >= directory->self_offset) {
            return false;
        }
        next = entry.offset + 1;
    }
    return true;
}

/* So do those of its frames; updates follow them and name frames before it. */
static bool frames_fit(const uint8_t *payload, const struct fgi_cap_directory *directory)
{
    uint64_t next = directory->section_offset;
    bool updates = false;
    for (uint32_t i = 0; i < directory->frame_count; i++) {
        struct fg_capture_frame_entry entry = fgi_cap_directory_frame(payload, directory, i);
        if ((entry.flags & FGI_FRAME_ENTRY_UPDATE) != 0) {
            updates = true;
            if (entry.offset >= directory->section_offset) {
                return false;
            }
        } else if (updates || entry.offset < next || entry.offset >= directory->self_offset) {
            return false;
        } else {
            next = entry.offset + 1;
        }
    }
    return true;
}

bool fgi_cap_directory_load(const uint8_t *payload, size_t size, uint64_t offset,
                            struct fgi_cap_directory *out_directory)
{
    if (size < FGI_DIRECTORY_HEAD_BYTES) {
        return false;
    }
    struct fgi_cap_directory directory = {
        .self_offset = fgi_load_u64(payload),
        .previous_offset = fgi_load_u64(payload + 8),
        .session_lo = fgi_load_u64(payload + 16),
        .flags = fgi_load_u32(payload + 24),
        .record_count = fgi_load_u32(payload + 28),
        .frame_count = fgi_load_u32(payload + 32),
        .section_offset = fgi_load_u64(payload + 40),
    };
    if (directory.self_offset != offset || directory.section_offset > offset ||
        directory.section_offset < FG_CAPTURE_HEADER_BYTES ||
        directory.previous_offset >= directory.section_offset ||
        (directory.previous_offset == 0) != (directory.section_offset == FG_CAPTURE_HEADER_BYTES) ||
        fgi_cap_directory_size(directory.record_count, directory.frame_count) > size) {
        return false;
    }
    *out_directory = directory;
    return records_fit(payload, &directory) && frames_fit(payload, &directory);
}

/* ---- Times of a frame ------------------------------------------------------------------------ */

uint64_t fgi_cap_ticks_ns(uint64_t ticks, uint64_t period_num, uint64_t period_den)
{
    if (period_num == 0 || period_den == 0 || ticks > INT64_MAX) {
        return FG_CAP_UNKNOWN;
    }
    return (uint64_t)fgi_ticks_to_ns((int64_t)ticks,
                                     (struct fgi_rational){ period_num, period_den });
}

void fgi_gpu_extent_add(struct fgi_gpu_extent *extent, const struct fg_cap_gpu_frame *gpu)
{
    if (extent->any && extent->clock != gpu->clock) {
        return;
    }
    for (size_t i = 0; i < gpu->span_count; i++) {
        const struct fg_cap_gpu_span *span = &gpu->spans[i];
        if (span->status != FG_CAP_SPAN_OK) {
            continue;
        }
        if (!extent->any) {
            *extent =
                (struct fgi_gpu_extent){ true, gpu->clock, span->begin_ticks, span->end_ticks };
        }
        extent->begin_ticks =
            span->begin_ticks < extent->begin_ticks ? span->begin_ticks : extent->begin_ticks;
        extent->end_ticks =
            span->end_ticks > extent->end_ticks ? span->end_ticks : extent->end_ticks;
    }
}
