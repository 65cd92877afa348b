/* SPDX-License-Identifier: MIT */
/* A few bytes can stand for very many rows: that is refused before memory is spent on it. */
#include "capture_bed.h"
#include "cmocka_all.h"
#include <frameglass/open.h>
#include <frameglass/trace.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 4096, FRAMES = 1536, FEW_FRAMES = 16 };

/* Frames that share one template of very many passes, and never get any times. */
static uint8_t *many_passes(uint64_t frames, size_t *out_size)
{
    struct bed bed;
    struct fg_cap_gpu_pass *gpu = calloc(PASSES, sizeof *gpu);
    assert_non_null(gpu);
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    for (uint32_t i = 0; i < PASSES; i++) {
        gpu[i] = (struct fg_cap_gpu_pass){ .gpu_pass = FG_CAP_NONE,
                                           .graph_pass = FG_CAP_NONE,
                                           .track = SAMPLE_TRACK_QUEUE,
                                           .submission = FG_CAP_NONE,
                                           .parent = FG_CAP_NONE,
                                           .logical = FG_CAP_NONE };
    }
    for (uint64_t frame = 0; frame < frames; frame++) {
        const struct fg_cap_frame payload = { .frame = frame,
                                              .topology = FG_CAP_NONE,
                                              .clock = SAMPLE_CLOCK_HOST,
                                              .track = SAMPLE_TRACK_CPU,
                                              .begin_ticks = 1000 * frame,
                                              .end_ticks = 1000 * frame + 10,
                                              .submit_ticks = FG_CAP_UNKNOWN,
                                              .wait_ticks = FG_CAP_UNKNOWN,
                                              .present_wait_ticks = FG_CAP_UNKNOWN,
                                              .recorder_ns = FG_CAP_UNKNOWN,
                                              .gpu_passes = gpu,
                                              .gpu_pass_count = PASSES };
        assert_int_equal(fg_capture_writer_frame(bed.sample.writer, &payload), FG_OK);
    }
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    uint8_t *bytes = bed_copy(&bed, out_size);
    bed_end(&bed);
    free(gpu);
    return bytes;
}

static enum fg_result load(const uint8_t *bytes, size_t size, uint64_t max_rows,
                           struct counting *counting, struct fg_diag *diag)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_document *document = NULL;
    counting_begin(counting);
    const struct fg_open_options options = { .allocator = &counting->allocator,
                                             .max_rows = max_rows };
    assert_int_equal(fg_open_source(&source, &options, diag, &document), FG_OK);
    enum fg_result result = fg_document_load(document, diag);
    fg_document_close(document);
    assert_int_equal(counting->held_bytes, 0);
    return result;
}

static void few_bytes_for_many_rows_are_refused_early(void **state)
{
    size_t size;
    uint8_t *bytes = many_passes(FRAMES, &size);
    struct counting counting;
    struct fg_diag diag = { 0 };
    (void)state;
    /* Six million passes in a file that stands for no more than one million and 16 a byte. */
    assert_true(size * 16 + (1u << 20) < (size_t)PASSES * FRAMES);
    assert_int_equal(load(bytes, size, 0, &counting, &diag), FG_ERR_LIMIT);
    assert_non_null(strstr(diag.message, "rows"));
    assert_true(counting.peak_bytes < 16u << 20);
    free(bytes);
    /* Whoever asks for so many gets them, and not one more. */
    const uint64_t few = (uint64_t)PASSES * FEW_FRAMES;
    bytes = many_passes(FEW_FRAMES, &size);
    assert_int_equal(load(bytes, size, 0, &counting, &diag), FG_OK);
    assert_int_equal(load(bytes, size, few, &counting, &diag), FG_OK);
    assert_int_equal(load(bytes, size, few - 1, &counting, &diag), FG_ERR_LIMIT);
    free(bytes);
}

static void rows_that_scopes_multiply_count(void **state)
{
    struct bed bed;
    size_t size;
    struct counting counting;
    struct fg_diag diag = { 0 };
    (void)state;
    bed_begin(&bed, NULL);
    sample_begin(&bed.sample);
    uint32_t topology = sample_topology(&bed.sample, 0, 8);
    sample_frame(&bed.sample, 1, topology, 8, 0);
    sample_gpu_frame(&bed.sample, 1, 8, UINT32_MAX);
    assert_int_equal(fg_capture_writer_close(bed.sample.writer), FG_OK);
    uint8_t *bytes = bed_copy(&bed, &size);
    assert_int_equal(load(bytes, size, 100, &counting, &diag), FG_OK);
    /* 8 passes and 8 GPU passes are told by the frame; spans and scopes come on top. */
    assert_int_equal(load(bytes, size, 16, &counting, &diag), FG_ERR_LIMIT);
    assert_int_equal(load(bytes, size, 15, &counting, &diag), FG_ERR_LIMIT);
    free(bytes);
    bed_end(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_bytes_for_many_rows_are_refused_early),
        cmocka_unit_test(rows_that_scopes_multiply_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
