/* SPDX-License-Identifier: MIT */
/* Blocks that are decoded in bulk and ahead are what the codec makes of them, or left to it. */
#include "capture/cap_ahead.h"
#include "base/bytes.h"
#include "base/hash.h"
#include "capture/cap_codec.h"
#include "convert/capture_to_trace.h"
#include "trace/model.h"
#include <frameglass/capture_writer.h>

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3000, SPANS_MAX = 40 };

static uint64_t random_state;
static uint64_t below(uint64_t limit)
{
    random_state += UINT64_C(0x9e3779b97f4a7c15);
    return fgi_mix64(random_state) % limit;
}

/* Small ones mostly, and every now and then as many bits as there are. */
static uint64_t any_number(void)
{
    return below(UINT64_MAX) >> (below(3) == 0 ? below(64) : 56 + below(8));
}

static void encode(struct fgi_bytes *bytes, fgi_fields *fields, void *payload)
{
    struct fgi_codec codec = { .mode = FGI_CODEC_ENCODE, .out = bytes };
    fgi_bytes_clear(bytes);
    fields(&codec, payload);
    assert_int_equal(fgi_c_result(&codec), FG_OK);
}

static enum fg_result decode(const struct fgi_bytes *bytes, size_t size, struct fgi_arena *arena,
                             fgi_fields *fields, void *payload)
{
    struct fgi_codec codec = { .mode = FGI_CODEC_DECODE,
                               .in = fgi_reader_make(bytes->data, size),
                               .arena = arena };
    fields(&codec, payload);
    return fgi_c_result(&codec);
}

static int compare_spans(const void *a, const void *b)
{
    const struct fg_cap_block_span *x = a;
    const struct fg_cap_block_span *y = b;
    if (x->begin_ticks != y->begin_ticks) {
        return x->begin_ticks < y->begin_ticks ? -1 : 1;
    }
    return x->end_ticks > y->end_ticks ? -1 : x->end_ticks < y->end_ticks;
}

static void make_block(struct fg_cap_span_block *block, struct fg_cap_block_span *spans)
{
    uint64_t columns = below(64);
    size_t count = 1 + below(SPANS_MAX);
    for (size_t i = 0; i < count; i++) {
        int64_t begin = (int64_t)(any_number() / 4) - (below(9) == 0 ? INT64_MAX / 4 : 0);
        spans[i] = (struct fg_cap_block_span){
            .begin_ticks = begin,
            .end_ticks = begin + (int64_t)(any_number() / 4),
            .depth = columns & 1 ? (uint32_t)any_number() : 0,
            .name = (uint32_t)any_number(),
            .category = columns & 2 ? (uint32_t)any_number() : 0,
            .flags = columns & 4 ? (uint32_t)below(32) : 0,
            .frame = columns & 8 ? any_number() : FG_CAP_UNKNOWN,
            .object = columns & 16 ? any_number() : FG_CAP_UNKNOWN,
            .value = columns & 32 ? (int64_t)any_number() : 0,
        };
    }
    qsort(spans, count, sizeof *spans, compare_spans);
    *block = (struct fg_cap_span_block){ .id = (uint32_t)any_number(),
                                         .track = 1,
                                         .clock = 2,
                                         .first_ticks = spans[0].begin_ticks,
                                         .last_ticks = INT64_MIN,
                                         .spans = spans,
                                         .span_count = count };
    for (size_t i = 0; i < count; i++) {
        block->last_ticks =
            spans[i].end_ticks > block->last_ticks ? spans[i].end_ticks : block->last_ticks;
    }
}

/* True: it was decoded, and what the codec says of every item is the same. */
static bool same_spans(const struct fgi_bytes *bytes, size_t size, struct fgi_arena *arena)
{
    struct fg_cap_span_block block = { 0 };
    struct fgi_span_columns spans;
    size_t needed = fgi_span_columns_size(bytes->data, size);
    uint64_t *memory = test_malloc(needed + 8);
    bool sound = needed > 0 && fgi_span_columns_decode(bytes->data, size, memory, &spans);
    if (sound) {
        assert_int_equal(decode(bytes, size, arena, fgi_fields_span_block, &block), FG_OK);
        assert_int_equal(fgi_block_spans_check(&block), block.span_count);
        assert_int_equal(block.id, spans.id);
        assert_int_equal(block.track, spans.track);
        assert_int_equal(block.clock, spans.clock);
        assert_int_equal(block.span_count, spans.count);
        for (uint32_t i = 0; i < spans.count; i++) {
            struct fg_cap_block_span item = fgi_span_columns_item(&spans, i);
            assert_memory_equal(&item, &block.spans[i], sizeof item);
        }
    }
    test_free(memory);
    return sound;
}

static void columns_of_spans_are_what_the_codec_reads(void **state)
{
    struct fgi_bytes bytes = { 0 };
    struct fgi_arena arena = { 0 };
    struct fg_cap_block_span spans[SPANS_MAX];
    struct fg_cap_span_block block;
    unsigned refused = 0;
    (void)state;
    random_state = 1;
    for (unsigned round = 0; round < ROUNDS; round++) {
        make_block(&block, spans);
        encode(&bytes, fgi_fields_span_block, &block);
        assert_true(same_spans(&bytes, bytes.size, &arena));
        /* Whatever is broken, the two never disagree. */
        bytes.data[below(bytes.size)] ^= (uint8_t)(1 + below(255));
        refused += !same_spans(&bytes, bytes.size, &arena);
        refused += !same_spans(&bytes, below(bytes.size + 1), &arena);
        fgi_arena_reset(&arena);
    }
    assert_true(refused > ROUNDS);
    fgi_arena_finish(&arena);
    fgi_bytes_finish(&bytes);
}

static int compare_links(const void *a, const void *b)
{
    const struct fg_cap_dependency *x = a;
    const struct fg_cap_dependency *y = b;
    const uint64_t keys[2][4] = { { x->from.a, x->from.b, x->to.a, x->to.b },
                                  { y->from.a, y->from.b, y->to.a, y->to.b } };
    for (int i = 0; i < 4; i++) {
        if (keys[0][i] != keys[1][i]) {
            return keys[0][i] < keys[1][i] ? -1 : 1;
        }
    }
    return 0;
}

static bool same_links(const struct fgi_bytes *bytes, size_t size, struct fgi_arena *arena)
{
    struct fg_cap_dependencies list = { 0 };
    struct fgi_link_columns links;
    size_t needed = fgi_link_columns_size(bytes->data, size);
    uint64_t *memory = test_malloc(needed + 8);
    bool sound = needed > 0 && fgi_link_columns_decode(bytes->data, size, memory, &links);
    if (sound) {
        assert_int_equal(decode(bytes, size, arena, fgi_fields_dependencies, &list), FG_OK);
        assert_int_equal(fgi_dependencies_check(&list), list.dependency_count);
        assert_int_equal(list.dependency_count, links.count);
        for (uint32_t i = 0; i < links.count; i++) {
            const struct fg_cap_dependency *d = &list.dependencies[i];
            assert_int_equal(d->from.kind, 0);
            assert_int_equal(d->to.kind, 0);
            assert_true(d->from.a == links.from_block[i] && d->from.b == links.from_index[i]);
            assert_true(d->to.a == links.to_block[i] && d->to.b == links.to_index[i]);
            assert_true(d->family == links.family[i] && d->flags == links.flags[i]);
            assert_int_equal(d->name, links.name[i]);
        }
    }
    test_free(memory);
    return sound;
}

static void columns_of_dependencies_are_what_the_codec_reads(void **state)
{
    struct fgi_bytes bytes = { 0 };
    struct fgi_arena arena = { 0 };
    struct fg_cap_dependency links[SPANS_MAX];
    (void)state;
    random_state = 2;
    for (unsigned round = 0; round < ROUNDS; round++) {
        size_t count = 1 + below(SPANS_MAX);
        for (size_t i = 0; i < count; i++) {
            links[i] = (struct fg_cap_dependency){
                .from = { .a = (uint32_t)any_number() / 8, .b = below(9) },
                .to = { .a = (uint32_t)any_number() / 8, .b = below(9) },
                .family = (uint32_t)below(8),
                .flags = (uint32_t)any_number(),
                .name = (uint32_t)below(3)
            };
        }
        qsort(links, count, sizeof *links, compare_links);
        encode(&bytes, fgi_fields_dependencies, &(struct fg_cap_dependencies){ links, count });
        assert_true(same_links(&bytes, bytes.size, &arena));
        bytes.data[below(bytes.size)] ^= (uint8_t)(1 + below(255));
        (void)same_links(&bytes, bytes.size, &arena);
        (void)same_links(&bytes, below(bytes.size + 1), &arena);
        fgi_arena_reset(&arena);
    }
    fgi_arena_finish(&arena);
    fgi_bytes_finish(&bytes);
}

/* ---- whole captures -------------------------------------------------------------------------- */

/* Two tracks of blocks, dependencies between them, one to nowhere. */
static void write_capture(struct fg_memory_sink **memory)
{
    struct fg_sink sink;
    struct fg_capture_writer *writer;
    struct fg_cap_block_span spans[SPANS_MAX];
    uint32_t name = 0;
    assert_int_equal(fg_memory_sink_create(NULL, 0, memory, &sink), FG_OK);
    assert_int_equal(fg_capture_writer_create(&sink, NULL, &writer), FG_OK);
    assert_int_equal(fg_capture_writer_meta(writer, &(struct fg_cap_meta){ 0 }), FG_OK);
    const struct fg_cap_clock clock = {
        .host_clock = FG_CAP_NONE, .period_num = 1, .period_den = 1, .valid_bits = 64
    };
    assert_int_equal(fg_capture_writer_clock(writer, &clock), FG_OK);
    assert_int_equal(fg_capture_writer_symbol(writer, "name", 4, &name), FG_OK);
    for (uint32_t t = 0; t < 2; t++) {
        const struct fg_cap_track track = {
            .id = t, .process = FG_CAP_NONE, .parent = FG_CAP_NONE, .name = name
        };
        assert_int_equal(fg_capture_writer_track(writer, &track), FG_OK);
    }
    for (uint32_t block = 0; block < 6; block++) {
        for (uint32_t i = 0; i < SPANS_MAX; i++) {
            spans[i] = (struct fg_cap_block_span){ .begin_ticks = block * 1000 + i,
                                                   .end_ticks = block * 1000 + i + 30,
                                                   .depth = i % 3,
                                                   .name = name,
                                                   .frame = FG_CAP_UNKNOWN,
                                                   .object = FG_CAP_UNKNOWN };
        }
        assert_int_equal(fg_capture_writer_span_block(
                             writer, &(struct fg_cap_span_block){ .id = block,
                                                                  .track = block / 3,
                                                                  .spans = spans,
                                                                  .span_count = SPANS_MAX }),
                         FG_OK);
    }
    const struct fg_cap_dependency links[] = { { .from = { .a = 0, .b = 5 }, .to = { .a = 5 } },
                                               { .from = { .a = 1 }, .to = { .a = 2, .b = 3 } },
                                               { .from = { .a = 4 }, .to = { .a = 9 } } };
    assert_int_equal(
        fg_capture_writer_dependencies(writer, &(struct fg_cap_dependencies){ links, 3 }), FG_OK);
    assert_int_equal(fg_capture_writer_close(writer), FG_OK);
    fg_capture_writer_destroy(writer);
}

/* What a plain reading finds: spans of sound blocks, and which tracks they are on. */
static uint32_t count_spans(struct fg_capture *capture, uint32_t *out_tracks, size_t *out_defects)
{
    struct fg_capture_record record;
    uint32_t spans = 0;
    *out_tracks = 0;
    while (fg_capture_next(capture, &record) == FG_OK) {
        if ((int)record.type == FG_CAPTURE_SPAN && record.data) {
            spans += (uint32_t)record.span_block->span_count;
            *out_tracks |= 1u << record.span_block->track % 32;
        }
    }
    (void)fg_capture_defects(capture, out_defects);
    return spans;
}

/* Loaded, whatever is broken, as a plain reading says; gives the trace's dependencies. */
static uint32_t check_load(const uint8_t *bytes, size_t size)
{
    struct fg_memory_view view = { bytes, size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_capture *capture = NULL;
    struct fg_trace *trace = NULL;
    struct fg_trace_info info = { 0 };
    uint32_t tracks = 0;
    size_t defects = 0;
    if (fg_capture_open(&source, NULL, NULL, &capture) != FG_OK) {
        return 0;
    }
    uint32_t spans = count_spans(capture, &tracks, &defects);
    assert_int_equal(fgi_capture_to_trace(capture, NULL, NULL, &trace), FG_OK);
    fg_trace_get_info(trace, &info);
    assert_int_equal(info.spans, spans);
    assert_int_equal(info.tracks, (tracks & 1) + (tracks >> 1 & 1));
    assert_int_equal(info.defects, defects);
    fgi_trace_destroy(trace);
    fg_capture_close(capture);
    return (uint32_t)info.dependencies;
}

static void blocks_that_are_read_ahead_are_those_of_a_plain_reading(void **state)
{
    struct fg_memory_sink *memory = NULL;
    size_t size = 0;
    (void)state;
    write_capture(&memory);
    const uint8_t *bytes = fg_memory_sink_bytes(memory, &size);
    assert_int_equal(check_load(bytes, size), 2);
    uint8_t *damaged = test_malloc(size);
    memcpy(damaged, bytes, size);
    for (size_t i = FG_CAPTURE_HEADER_BYTES; i < size; i++) {
        damaged[i] ^= (uint8_t)(1 + i % 255);
        (void)check_load(damaged, size);
        damaged[i] = bytes[i];
    }
    /* Nothing is left of the second track: it is not there. */
    for (size_t i = 0, blocks = 0; i + 44 < size; i++) {
        if (memcmp(bytes + i, "SPAN", 4) == 0 && ++blocks > 3) {
            damaged[i + 40] ^= 1;
        }
    }
    (void)check_load(damaged, size);
    test_free(damaged);
    fg_memory_sink_destroy(memory);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(columns_of_spans_are_what_the_codec_reads),
        cmocka_unit_test(columns_of_dependencies_are_what_the_codec_reads),
        cmocka_unit_test(blocks_that_are_read_ahead_are_those_of_a_plain_reading),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
