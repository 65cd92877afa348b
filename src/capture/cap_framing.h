/* SPDX-License-Identifier: MIT */
/* The outer layer of the format: header, framing, directories as bytes. FORMAT.md, 2, 3, 8. */
#ifndef FGI_CAP_FRAMING_H
#define FGI_CAP_FRAMING_H
#include "base/bytes.h"
#include <frameglass/capture.h>

struct fgi_cap_header {
    uint32_t version;
    uint32_t min_reader;
    uint32_t flags;
    uint64_t directory_offset;
    uint64_t directory_length;
};
/** Fills all 32 bytes, checksum included. */
void fgi_cap_header_store(uint8_t bytes[FG_CAPTURE_HEADER_BYTES],
                          const struct fgi_cap_header *header);
/** The checks of FORMAT.md, 2, in their order; 0 or the defect. */
enum fg_capture_defect_kind fgi_cap_header_load(const uint8_t *bytes, size_t size,
                                                struct fgi_cap_header *out_header);

struct fgi_cap_framing {
    uint32_t sync;
    uint32_t type;
    uint32_t length;
    uint32_t crc;
};
void fgi_cap_framing_store(uint8_t bytes[FG_CAPTURE_FRAMING_BYTES], uint32_t type,
                           const void *payload, size_t length);
struct fgi_cap_framing fgi_cap_framing_load(const uint8_t bytes[FG_CAPTURE_FRAMING_BYTES]);

/** DIRE without its lists. */
struct fgi_cap_directory {
    uint64_t self_offset;
    uint64_t previous_offset;
    uint64_t session_lo;
    uint32_t flags;
    uint32_t record_count;
    uint32_t frame_count;
    uint64_t section_offset;
};
enum {
    FGI_DIRECTORY_FINAL = 1,
    FGI_DIRECTORY_HEAD_BYTES = 48,
    FGI_DIRECTORY_RECORD_BYTES = 16,
    FGI_DIRECTORY_FRAME_BYTES = 40,
    FGI_FRAME_ENTRY_UPDATE = 1, /**< flag of an entry whose frame is in an earlier section */
};
struct fgi_cap_record_entry {
    uint32_t type;
    uint32_t length;
    uint64_t offset;
};
/** Bytes of a DIRE payload. */
uint64_t fgi_cap_directory_size(uint32_t record_count, uint32_t frame_count);
void fgi_cap_directory_store(uint8_t bytes[FGI_DIRECTORY_HEAD_BYTES],
                             const struct fgi_cap_directory *directory);
void fgi_cap_record_entry_store(uint8_t *bytes, const struct fgi_cap_record_entry *entry);
struct fgi_cap_record_entry fgi_cap_record_entry_load(const uint8_t *bytes);
void fgi_cap_frame_entry_store(uint8_t *bytes, const struct fg_capture_frame_entry *entry);
struct fg_capture_frame_entry fgi_cap_frame_entry_load(const uint8_t *bytes);
/**
 * Read and check a DIRE payload as far as it says something about itself (FORMAT.md, 9.1).
 *
 * @param offset where its framing is
 */
bool fgi_cap_directory_load(const uint8_t *payload, size_t size, uint64_t offset,
                            struct fgi_cap_directory *out_directory);
/** The entries of a loaded directory's payload. */
struct fgi_cap_record_entry fgi_cap_directory_record(const uint8_t *payload, uint32_t index);
struct fg_capture_frame_entry fgi_cap_directory_frame(const uint8_t *payload,
                                                      const struct fgi_cap_directory *directory,
                                                      uint32_t index);

/** Nanoseconds of a tick difference; FG_CAP_UNKNOWN without a period or over 2^63 - 1 ticks. */
uint64_t fgi_cap_ticks_ns(uint64_t ticks, uint64_t period_num, uint64_t period_den);

/** How long a frame took on the GPU, as directories say it: spans of one clock, all records. */
struct fgi_gpu_extent {
    bool any;
    uint32_t clock;
    uint64_t begin_ticks;
    uint64_t end_ticks;
};
void fgi_gpu_extent_add(struct fgi_gpu_extent *extent, const struct fg_cap_gpu_frame *gpu);

#endif
