/* SPDX-License-Identifier: MIT */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include "../golden/capture_json.h"

#include <stdlib.h>
#include <string.h>

void bed_begin(struct bed *bed, const struct fg_capture_writer_options *options)
{
    memset(bed, 0, sizeof *bed);
    assert_int_equal(fg_memory_sink_create(NULL, 0, &bed->memory, &bed->sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&bed->sink, options, &bed->sample.writer), FG_OK);
}

void bed_end(struct bed *bed)
{
    fg_capture_writer_destroy(bed->sample.writer);
    fg_memory_sink_destroy(bed->memory);
}

struct fg_source bed_source(struct bed *bed, struct fg_memory_view *view)
{
    view->bytes = fg_memory_sink_bytes(bed->memory, &view->size);
    return fg_memory_source(view);
}

uint8_t *bed_copy(struct bed *bed, size_t *out_size)
{
    const void *bytes = fg_memory_sink_bytes(bed->memory, out_size);
    uint8_t *copy = malloc(*out_size + 1);
    assert_non_null(copy);
    memcpy(copy, bytes, *out_size);
    return copy;
}

struct fg_memory_sink *json_of(const struct fg_source *source, const char **out_text,
                               size_t *out_size)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fgi_test_capture_json(source, NULL, &sink), FG_OK);
    *out_text = fg_memory_sink_bytes(memory, out_size);
    return memory;
}

static void *counting_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct counting *counting = context;
    if (size == 0) {
        counting->held_bytes -= old_size;
        free(block);
        return NULL;
    }
    bool over =
        counting->cap_bytes != 0 && counting->held_bytes - old_size + size > counting->cap_bytes;
    if (counting->call_count++ >= counting->refuse_after || over) {
        counting->refused = true;
        return NULL;
    }
    void *moved = realloc(block, size);
    if (moved != NULL) {
        counting->held_bytes += size - old_size;
        counting->peak_bytes = counting->held_bytes > counting->peak_bytes ? counting->held_bytes
                                                                           : counting->peak_bytes;
    }
    return moved;
}

void counting_begin(struct counting *counting)
{
    memset(counting, 0, sizeof *counting);
    counting->allocator.resize = counting_resize;
    counting->allocator.context = counting;
    counting->refuse_after = SIZE_MAX;
}

struct fg_capture *bed_open(struct bed *bed, struct fg_memory_view *view)
{
    struct fg_source source = bed_source(bed, view);
    struct fg_capture *capture = NULL;
    assert_int_equal(fg_capture_open(&source, NULL, NULL, &capture), FG_OK);
    return capture;
}

void bed_write_small(struct bed *bed, unsigned frames)
{
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 1000 };
    bed_begin(bed, &options);
    sample_begin(&bed->sample);
    for (unsigned i = 0; i < frames; i++) {
        uint32_t topology = sample_topology(&bed->sample, i / 50, BED_PASSES);
        sample_frame(&bed->sample, i, topology, BED_PASSES, i % 4);
        if (i >= 2) {
            sample_gpu_frame(&bed->sample, i - 2, BED_PASSES, UINT32_MAX);
        }
    }
    assert_int_equal(bed->sample.result, FG_OK);
}

uint64_t bed_read_all(struct fg_capture *capture)
{
    struct fg_capture_record record;
    uint64_t count = 0;
    enum fg_result result;
    while ((result = fg_capture_next(capture, &record)) == FG_OK) {
        count++;
    }
    assert_int_equal(result, FG_ERR_NOT_FOUND);
    return count;
}
