/* SPDX-License-Identifier: MIT */
/* Captures in memory, and the traces and engines that they become. */
#ifndef CONVERT_BED_H
#define CONVERT_BED_H
#include "capture_sample.h"
#include "trace/engine.h"
#include <frameglass/capture.h>

struct convert_bed {
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    struct sample sample; /**< writes into memory */
    struct fg_memory_view view;
    struct fg_source source;
    struct fg_capture *capture;
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
};

/** An empty capture to write into. */
void convert_bed_open(struct convert_bed *bed);
/** Close the capture (or leave it open, as after a crash) and load it. */
void convert_bed_load(struct convert_bed *bed, bool close);
/** Load these bytes instead; false when they are no capture at all. Memory: `bytes` stays. */
bool convert_bed_load_bytes(struct convert_bed *bed, const void *bytes, size_t size);
void convert_bed_unload(struct convert_bed *bed);
void convert_bed_close(struct convert_bed *bed);

/** The i-th span of this name; its row, or FG_NONE. */
uint32_t convert_bed_find(const struct convert_bed *bed, const char *name, uint32_t i,
                          struct fg_trace_span *out_span);
/** Count of a repair or a loss; 0 when there is none. */
uint64_t convert_bed_repairs(const struct convert_bed *bed, const char *kind);
uint64_t convert_bed_losses(const struct convert_bed *bed, const char *reason);

#endif
