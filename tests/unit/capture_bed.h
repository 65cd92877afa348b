/* SPDX-License-Identifier: MIT */
/* What tests of whole captures share: a file in memory, its records as text. */
#ifndef FGI_TEST_CAPTURE_BED_H
#define FGI_TEST_CAPTURE_BED_H
#include "../golden/capture_sample.h"

#include <frameglass/capture_writer.h>

/** A writer into memory. */
struct bed {
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct sample sample;
};
void bed_begin(struct bed *bed, const struct fg_capture_writer_options *options);
void bed_end(struct bed *bed);
/** The bytes so far, as a source that stays valid until the next write. */
struct fg_source bed_source(struct bed *bed, struct fg_memory_view *view);

/** The capture that was written so far. */
struct fg_capture *bed_open(struct bed *bed, struct fg_memory_view *view);
/** All records to the end, which must be one; how many. */
uint64_t bed_read_all(struct fg_capture *capture);

enum { BED_FRAMES = 120, BED_PASSES = 5 };
/** Frames whose GPU times come two frames later, in sections of a few thousand bytes. */
void bed_write_small(struct bed *bed, unsigned frames);

/** A copy of the bytes; free with free(). */
uint8_t *bed_copy(struct bed *bed, size_t *out_size);

/** All of a capture as canonical JSON; free with fg_memory_sink_destroy(). */
struct fg_memory_sink *json_of(const struct fg_source *source, const char **out_text,
                               size_t *out_size);

/** An allocator that counts, with a cap, and refuses on request. */
struct counting {
    struct fg_allocator allocator;
    size_t held_bytes;
    size_t peak_bytes;
    size_t cap_bytes;    /**< 0 = none; an allocation over it is refused */
    size_t call_count;   /**< allocations and growths */
    size_t refuse_after; /**< refuse all calls from this one on; SIZE_MAX = none */
    bool refused;
};
void counting_begin(struct counting *counting);

#endif
