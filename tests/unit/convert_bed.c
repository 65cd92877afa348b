/* SPDX-License-Identifier: MIT */
#include "convert_bed.h"

#include "convert/capture_to_trace.h"
#include "engine/cpu/engine_cpu.h"
#include "trace/model.h"

#include "cmocka_all.h"

#include <string.h>

void convert_bed_open(struct convert_bed *bed)
{
    memset(bed, 0, sizeof *bed);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &bed->memory, &bed->sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&bed->sink, NULL, &bed->sample.writer), FG_OK);
}

bool convert_bed_load_bytes(struct convert_bed *bed, const void *bytes, size_t size)
{
    bed->view = (struct fg_memory_view){ bytes, size };
    bed->source = fg_memory_source(&bed->view);
    if (fg_capture_open(&bed->source, NULL, NULL, &bed->capture) != FG_OK) {
        return false;
    }
    assert_int_equal(fgi_capture_to_trace(bed->capture, NULL, NULL, &bed->trace), FG_OK);
    assert_int_equal(fgi_engine_cpu_create(NULL, bed->trace, &bed->engine), FG_OK);
    assert_int_equal(fg_query_create(bed->engine, NULL, NULL, NULL, &bed->query), FG_OK);
    return true;
}

void convert_bed_load(struct convert_bed *bed, bool close)
{
    assert_int_equal(bed->sample.result, FG_OK);
    assert_int_equal(close ? fg_capture_writer_close(bed->sample.writer)
                           : fg_capture_writer_flush(bed->sample.writer),
                     FG_OK);
    size_t size = 0;
    const void *bytes = fg_memory_sink_bytes(bed->memory, &size);
    assert_true(convert_bed_load_bytes(bed, bytes, size));
}

void convert_bed_unload(struct convert_bed *bed)
{
    fg_query_destroy(bed->query);
    fgi_engine_destroy(bed->engine);
    fgi_trace_destroy(bed->trace);
    fg_capture_close(bed->capture);
    bed->query = NULL;
    bed->engine = NULL;
    bed->trace = NULL;
    bed->capture = NULL;
}

void convert_bed_close(struct convert_bed *bed)
{
    convert_bed_unload(bed);
    fg_capture_writer_destroy(bed->sample.writer);
    fg_memory_sink_destroy(bed->memory);
}

uint32_t convert_bed_find(const struct convert_bed *bed, const char *name, uint32_t i,
                          struct fg_trace_span *out_span)
{
    uint32_t count = 1;
    for (uint32_t row = 0; count == 1; row++) {
        assert_int_equal(fg_trace_spans(bed->trace, row, out_span, 1, &count), FG_OK);
        if (count == 1 && strcmp(fg_trace_text(bed->trace, out_span->name), name) == 0 &&
            i-- == 0) {
            return row;
        }
    }
    return FG_NONE;
}

uint64_t convert_bed_repairs(const struct convert_bed *bed, const char *kind)
{
    const struct fg_trace_repair *repair;
    for (uint32_t i = 0; (repair = fg_trace_repair(bed->trace, i)) != NULL; i++) {
        if (strcmp(repair->kind, kind) == 0) {
            return repair->count;
        }
    }
    return 0;
}

uint64_t convert_bed_losses(const struct convert_bed *bed, const char *reason)
{
    const struct fg_trace_tally *loss;
    for (uint32_t i = 0; (loss = fg_trace_loss(bed->trace, i)) != NULL; i++) {
        if (strcmp(fg_trace_text(bed->trace, loss->name), reason) == 0) {
            return loss->count;
        }
    }
    return 0;
}
