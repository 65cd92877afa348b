/* SPDX-License-Identifier: MIT */
/* The reader from inside: one struct, its parts by file. */
#ifndef FGI_CAP_READER_PRIV_H
#define FGI_CAP_READER_PRIV_H
#include "base/arena.h"
#include "base/hash.h"
#include "capture/cap_codec.h"
#include "capture/cap_frame.h"
#include "capture/cap_framing.h"
#include <frameglass/capture.h>

/** A part of the file that a valid directory describes. */
struct fgi_section {
    uint64_t offset;           /**< of the first record */
    uint64_t directory_offset; /**< of the DIRE; where the section ends */
    uint64_t directory_end;
};

/**
 * What is known of a symbol or a topology. `pass` tells in which reading of the file it was met.
 */
struct fgi_known_symbol {
    const char *text; /**< terminated, in the lasting arena */
    size_t size;
    uint32_t pass;
};
struct fgi_known_topology {
    struct fg_cap_topology *topology; /**< in the lasting arena: until the capture is closed */
    uint64_t content_hash;            /**< of the payload */
    uint32_t pass;
};
struct fgi_known_template {
    struct fgi_template shapes; /**< lists in the template arena */
    uint64_t content_hash;
};

/** GPU times of a frame that no directory lists. */
struct fgi_scanned_frame {
    uint64_t frame;
    size_t strip_index;
    struct fgi_gpu_extent extent;
};

/** The first missing thing of each kind in the record being decoded. */
struct fgi_missing {
    bool any[FGI_REF_COUNT];
    uint32_t id[FGI_REF_COUNT];
};

enum { FGI_NEAR_BYTES = 8192 }; /**< of the source that are held for small reads */

struct fg_capture {
    const struct fg_allocator *allocator;
    struct fg_source source;
    uint64_t max_payload_bytes;
    uint32_t max_defects;
    bool follow;
    struct fgi_cap_header header;
    bool closed;
    uint64_t size; /**< what is looked at; polls raise it */

    /* Reading bytes: cap_walk.c. Small records in a row are one read of the source. */
    uint8_t near_bytes[FGI_NEAR_BYTES];
    uint64_t near_offset;
    size_t near_size;  /**< 0: nothing is held */
    uint64_t read_end; /**< where the last read ended */
    uint8_t *payload;  /**< of the record that was read last */
    size_t payload_capacity;
    uint8_t *chunk; /**< FGI_CHUNK_BYTES, for checksums and searches */

    /* Checksums of long ranges: cap_crc_index.c. */
    uint64_t wasted_bytes; /**< checked for candidates that were no records */
    uint32_t *crc_steps;   /**< NULL until it is worth it */
    size_t crc_step_count;

    /* Directories: cap_recover.c. */
    struct fgi_section *sections; /**< ascending */
    size_t section_count;
    size_t section_capacity;
    uint8_t *directory; /**< payload of the directory of sections[directory_index] */
    size_t directory_capacity;
    size_t directory_index; /**< SIZE_MAX = none is loaded */
    struct fgi_cap_directory directory_head;

    /* The frame strip: cap_strip.c. */
    struct fg_capture_frame_entry *frames;
    size_t frame_count;
    size_t frame_capacity;
    bool frames_ascend; /**< by number, so that they can be searched */
    struct fgi_scanned_frame *scanned;
    size_t scanned_count;
    size_t scanned_capacity;
    uint64_t scan_position;
    struct fgi_map64 scan_clock_index;
    struct fg_cap_clock *scan_clocks; /**< without readings */
    size_t scan_clock_count;
    size_t scan_clock_capacity;
    struct fgi_arena scan_arena;

    /* Reading in order: cap_read.c. */
    uint64_t position;
    uint32_t pass;   /**< number of this reading; a rewind begins the next */
    bool from_start; /**< false after a seek: what was skipped is not missed */
    /** Everything in [known_from, known_to) was read, from a checkpoint on; equal = nothing. */
    uint64_t known_from;
    uint64_t known_to;
    uint64_t records_taken;
    uint64_t bytes_taken; /**< of records, framing included */
    bool meta_taken;
    struct fgi_arena arena; /**< of the record that was decoded last */
    struct fgi_missing missing;
    struct fgi_cap_record_entry *taken; /**< since the last directory, to compare it with */
    size_t taken_count;
    size_t taken_capacity;
    uint64_t last_damage; /**< offset; 0 = none yet */
    bool any_frame;
    uint64_t last_frame;
    uint64_t skipped_count;

    /* Definitions: cap_known.c. */
    struct fgi_arena lasting;
    struct fgi_known_symbol *symbols;
    size_t symbol_count;
    size_t symbol_capacity;
    struct fgi_map64 symbol_index;
    uint32_t *symbol_passes; /**< by number, if that is small: the last pass it was met in */
    size_t symbol_pass_capacity;
    struct fgi_map64 ids; /**< kind << 32 | id: the pass in which it was met */
    struct fgi_known_topology *topologies;
    size_t topology_count;
    size_t topology_capacity;
    struct fgi_map64 topology_index;
    struct fgi_arena template_arena;
    struct fgi_known_template *templates;
    size_t template_count;
    size_t template_capacity;
    struct fgi_map64 template_index;
    struct fgi_map64 frame_passes; /**< frame: its GPU passes, or FGI_PASSES_UNKNOWN */

    struct fg_capture_defect *defects;
    size_t defect_count; /**< in the list */
    size_t defect_capacity;
    uint64_t defect_total;
    size_t opening_defects; /**< those of the directories, which a rewind keeps */
    bool damaged;           /**< any defect but a cut end */
    bool muted;             /**< reading ahead: defects will be found again */
};

enum { FGI_CHUNK_BYTES = 1 << 16, FGI_SEARCH_BYTES = 16 << 20 };
#define FGI_PASSES_UNKNOWN (UINT32_MAX - 1)

/* cap_defects.c */
void fgi_capture_defect(struct fg_capture *capture, enum fg_capture_defect_kind kind,
                        uint64_t offset, uint64_t detail);

/* cap_walk.c */
/** Read exactly `size` bytes inside capture->size. FG_OK, FG_ERR_IO. */
enum fg_result fgi_read_exact(struct fg_capture *capture, uint64_t offset, void *bytes,
                              size_t size);
/** Whether the candidate at `offset` is a record (FORMAT.md, 3). FG_OK, FG_ERR_IO. */
enum fg_result fgi_candidate(struct fg_capture *capture, uint64_t offset,
                             struct fgi_cap_framing *out_framing, bool *out_valid);
/** The payload of a valid record into capture->payload. FG_OK, FG_ERR_IO, FG_ERR_NO_MEMORY. */
enum fg_result fgi_load_payload(struct fg_capture *capture, uint64_t offset, uint32_t length);
/**
 * The next record at or after *position (FORMAT.md, 9.2). *position moves behind it.
 * FG_OK; FG_ERR_NOT_FOUND: the end, or nothing complete yet; FG_ERR_IO, FG_ERR_NO_MEMORY.
 */
enum fg_result fgi_walk(struct fg_capture *capture, uint64_t *position,
                        struct fgi_cap_framing *out_framing, uint64_t *out_offset);

/* cap_crc_index.c */
void fgi_crc_index_wasted(struct fg_capture *capture, uint64_t size);
/** So much was wasted that an index pays. */
bool fgi_crc_index_due(const struct fg_capture *capture);
enum fg_result fgi_crc_index_build(struct fg_capture *capture);
bool fgi_crc_index_covers(const struct fg_capture *capture, uint64_t offset, uint64_t size);
/** CRC-32 of a range that the index covers. */
enum fg_result fgi_crc_index_range(struct fg_capture *capture, uint64_t offset, uint64_t size,
                                   uint32_t *out_crc);
void fgi_crc_index_finish(struct fg_capture *capture);

/* cap_recover.c */
enum fg_result fgi_find_directories(struct fg_capture *capture);
/** Load the directory of a section; out NULL is legal. */
enum fg_result fgi_load_directory(struct fg_capture *capture, size_t index);
/** The section that `offset` is in; false when none describes it. */
bool fgi_section_of(const struct fg_capture *capture, uint64_t offset, size_t *out_index);

/* cap_strip.c */
/** The frames of all directories, and of what no directory describes. */
enum fg_result fgi_strip_build(struct fg_capture *capture);
/** Frames of what was written since. */
enum fg_result fgi_strip_continue(struct fg_capture *capture, bool *out_grown);
void fgi_strip_finish(struct fg_capture *capture);

/* cap_known.c */
/** The codec's on_ref: notes what is missing. */
void fgi_known_ref(void *context, enum fgi_codec_ref kind, uint32_t id);
enum fg_result fgi_known_add_symbols(struct fg_capture *capture,
                                     const struct fg_cap_symbols *symbols, bool *out_changed,
                                     uint32_t *out_changed_id);
bool fgi_known_id(const struct fg_capture *capture, enum fgi_codec_ref kind, uint32_t id);
enum fg_result fgi_known_add_id(struct fg_capture *capture, enum fgi_codec_ref kind, uint32_t id);
/** Index of a topology or template met in this pass; false when there is none. */
bool fgi_known_topology_at(const struct fg_capture *capture, uint32_t id, uint32_t *out_index);
const struct fg_cap_topology *fgi_known_topology(void *capture, uint32_t id);
const struct fgi_template *fgi_known_template(void *capture, uint32_t id);
/** Keep the topology whose payload is loaded. */
enum fg_result fgi_known_add_topology(struct fg_capture *capture, uint32_t id, uint32_t length);
enum fg_result fgi_known_add_template(struct fg_capture *capture, uint32_t id, uint32_t length);
/** FG_OK: new or the same; FG_ERR_CORRUPT: this id has another content. */
enum fg_result fgi_known_same_topology(const struct fg_capture *capture, uint32_t id,
                                       uint32_t length, bool *out_known);
enum fg_result fgi_known_same_template(const struct fg_capture *capture, uint32_t id,
                                       uint32_t length, bool *out_known);
void fgi_known_forget_templates(struct fg_capture *capture);
/** Nothing counts as met any more; texts and topologies stay readable. */
void fgi_known_begin_pass(struct fg_capture *capture);
void fgi_known_finish(struct fg_capture *capture);

/* cap_read.c */
/** Remember a record for the comparison with its directory. FG_OK, FG_ERR_NO_MEMORY. */
enum fg_result fgi_capture_take(struct fg_capture *capture, const struct fgi_cap_framing *framing,
                                uint64_t offset);

/* cap_decode.c */
/**
 * Decode the record whose payload is loaded, name what is wrong with it, learn what it defines.
 *
 * @param out_used false: refused
 */
enum fg_result fgi_decode(struct fg_capture *capture, const struct fgi_cap_framing *framing,
                          uint64_t offset, struct fg_capture_record *out_record, bool *out_used);

#endif
