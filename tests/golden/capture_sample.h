/* SPDX-License-Identifier: MIT */
/* Small captures that are the same on every run: for goldens, damage tests, seeds. */
#ifndef FGI_TEST_CAPTURE_SAMPLE_H
#define FGI_TEST_CAPTURE_SAMPLE_H
#include <frameglass/capture_writer.h>

/** Tracks and clocks that every sample has. */
enum {
    SAMPLE_CLOCK_HOST = 1,
    SAMPLE_CLOCK_GPU = 2,
    SAMPLE_TRACK_CPU = 1,
    SAMPLE_TRACK_QUEUE = 2,
};

struct sample {
    struct fg_capture_writer *writer;
    enum fg_result result; /**< first failure; later calls do nothing */
};

/** META, clocks, a process and two tracks. */
void sample_begin(struct sample *sample);
/** A symbol; 0 after a failure. */
uint32_t sample_symbol(struct sample *sample, const char *text);
/** A topology of `pass_count` passes; `variant` changes its names. */
uint32_t sample_topology(struct sample *sample, unsigned variant, unsigned pass_count);
/** A frame of that topology with one GPU pass for each pass; `variant` changes its work. */
void sample_frame(struct sample *sample, uint64_t frame, uint32_t topology, unsigned pass_count,
                  unsigned variant);
/** Its GPU times; the pass `missing` has none (UINT32_MAX: all came). */
void sample_gpu_frame(struct sample *sample, uint64_t frame, unsigned pass_count, uint32_t missing);
/** One of every kind of record, most with every field set. */
void sample_everything(struct sample *sample);
/** What a process says of itself, with the fields that came after the first files of version 1. */
void sample_process(struct sample *sample);
/** What a trace of another format becomes: every field of CONV, ROWS, MARK and ARGT. */
void sample_converted(struct sample *sample);

#endif
