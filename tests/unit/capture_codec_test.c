/* SPDX-License-Identifier: MIT */
/* Every payload: what is encoded is decoded, field by field, for random structs. */
#include "../support/cmocka_all.h"

#include "../golden/capture_json.h"
#include "capture_fill.h"

#include "capture/cap_framing.h"

#include <stdio.h>
#include <string.h>

enum { ROUNDS = 300 };

static struct fg_memory_sink *json_text(uint32_t type, const void *payload, const void **out_text,
                                        size_t *out_size)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    struct fgi_json json = { .sink = &sink };
    fgi_test_payload_json(&json, type, payload);
    assert_int_equal(fgi_json_finish(&json), FG_OK);
    *out_text = fg_memory_sink_bytes(memory, out_size);
    return memory;
}

static void assert_same(uint32_t type, const void *left, const void *right, unsigned round)
{
    const void *left_text;
    const void *right_text;
    size_t left_size;
    size_t right_size;
    struct fg_memory_sink *a = json_text(type, left, &left_text, &left_size);
    struct fg_memory_sink *b = json_text(type, right, &right_text, &right_size);
    if (left_size != right_size || memcmp(left_text, right_text, left_size) != 0) {
        fail_msg("round %u: %.4s differs:\n%.*s\n%.*s", round, (const char *)&type, (int)left_size,
                 (const char *)left_text, (int)right_size, (const char *)right_text);
    }
    fg_memory_sink_destroy(a);
    fg_memory_sink_destroy(b);
}

static void round_trip(const struct fgi_codec_entry *entry, unsigned round)
{
    union {
        uint64_t align;
        unsigned char bytes[512];
    } in = { 0 }, out = { 0 };
    assert_true(entry->size <= sizeof in);
    struct fill fill = { .state = round * 1000003u + entry->type };
    struct fgi_arena arena = { 0 };
    struct fgi_bytes bytes = { 0 };
    if (entry->type == FG_CAPTURE_TOPO) {
        fill_topology(&fill, (struct fg_cap_topology *)&in);
    } else {
        fill_payload(&fill, entry->fields, &in);
        fill_settle(&fill, entry->type, &in);
    }
    struct fgi_codec encoder = { .mode = FGI_CODEC_ENCODE, .out = &bytes };
    entry->fields(&encoder, &in);
    assert_int_equal(fgi_c_result(&encoder), FG_OK);
    /* Bytes behind a payload are those of a later version: ignored. */
    size_t size = bytes.size;
    if (!fill_ends_early(entry->type, &in)) {
        fgi_put_u32(&bytes, 0xabcdef);
    }
    struct fgi_codec decoder = { .mode = FGI_CODEC_DECODE,
                                 .in = fgi_reader_make(bytes.data, bytes.size),
                                 .arena = &arena };
    entry->fields(&decoder, &out);
    assert_int_equal(fgi_c_result(&decoder), FG_OK);
    if (entry->type != FG_CAPTURE_ZRAW) {
        assert_int_equal(decoder.in.position, size);
    }
    assert_same(entry->type, &in, &out, round);
    fgi_bytes_finish(&bytes);
    fgi_arena_finish(&arena);
    fgi_arena_finish(&fill.arena);
}

static void every_payload_comes_back_as_it_went(void **state)
{
    (void)state;
    for (size_t i = 0; fgi_codec_at(i) != NULL; i++) {
        for (unsigned round = 0; round < ROUNDS; round++) {
            round_trip(fgi_codec_at(i), round);
        }
    }
}

/* Bytes of the payload without the fields that its kind got later; its size if it has none. */
static size_t size_without_appended(const struct fgi_codec_entry *entry, const void *payload)
{
    uint64_t copy[64];
    struct fgi_bytes bytes = { 0 };
    memcpy(copy, payload, sizeof copy);
    if (entry->type == FG_CAPTURE_MDEF) {
        ((struct fg_cap_metric *)copy)->accuracy = 0;
    } else if (entry->type == FG_CAPTURE_REVT) {
        ((struct fg_cap_resource_events *)copy)->detail_count = 0;
    }
    struct fgi_codec encoder = { .mode = FGI_CODEC_ENCODE, .out = &bytes };
    entry->fields(&encoder, copy);
    size_t size = bytes.size;
    fgi_bytes_finish(&bytes);
    return size;
}

static void a_cut_payload_is_refused_and_never_read_past_its_end(void **state)
{
    (void)state;
    for (size_t i = 0; fgi_codec_at(i) != NULL; i++) {
        const struct fgi_codec_entry *entry = fgi_codec_at(i);
        uint64_t in[64] = { 0 };
        struct fill fill = { .state = i };
        struct fgi_bytes bytes = { 0 };
        fill_payload(&fill, entry->fields, in);
        fill_settle(&fill, entry->type, in);
        struct fgi_codec encoder = { .mode = FGI_CODEC_ENCODE, .out = &bytes };
        entry->fields(&encoder, in);
        const size_t without = size_without_appended(entry, in);
        for (size_t size = 0; size < bytes.size; size++) {
            if (size == without) {
                continue; /* what an earlier writer left: whole */
            }
            uint64_t out[64] = { 0 };
            struct fgi_arena arena = { 0 };
            unsigned char *exact = test_malloc(size + 1); /* so that a sanitizer sees its end */
            memcpy(exact + 1, bytes.data, size);
            struct fgi_codec decoder = { .mode = FGI_CODEC_DECODE,
                                         .in = fgi_reader_make(exact + 1, size),
                                         .arena = &arena };
            entry->fields(&decoder, out);
            assert_int_equal(fgi_c_result(&decoder), FG_ERR_CORRUPT);
            test_free(exact);
            fgi_arena_finish(&arena);
        }
        fgi_bytes_finish(&bytes);
        fgi_arena_finish(&fill.arena);
    }
}

/* ---- No member of a struct is forgotten ------------------------------------------------------ */

struct cover {
    const unsigned char *base;
    size_t size;
    unsigned char seen[512];
    unsigned depth;
};

static void mark(struct cover *cover, const void *member, size_t size)
{
    const unsigned char *at = member;
    if (cover->depth == 0 && at >= cover->base && at < cover->base + cover->size) {
        memset(cover->seen + (at - cover->base), 1, size);
    }
}

static void cover_value(void *context, const char *name, enum fgi_codec_kind kind, void *value)
{
    static const size_t sizes[] = {
        [FGI_KIND_U32] = 4,    [FGI_KIND_U64] = 8,
        [FGI_KIND_I64] = 8,    [FGI_KIND_F64] = 8,
        [FGI_KIND_OPT32] = 4,  [FGI_KIND_OPT64] = 8,
        [FGI_KIND_SYMBOL] = 4, [FGI_KIND_TEXT] = sizeof(struct fg_cap_text),
        [FGI_KIND_U16] = 2
    };
    (void)name;
    mark(context, value, sizes[kind]);
}

static void cover_list(void *context, const char *name, const void **items, size_t *count,
                       size_t item_size)
{
    (void)name;
    (void)item_size;
    mark(context, items, sizeof *items);
    mark(context, count, sizeof *count);
    *count = 0;
}

static void cover_nothing(void *context)
{
    (void)context;
}

static void cover_struct(void *context, const char *name)
{
    (void)context;
    (void)name;
}

static void assert_covered(const char *name, fgi_fields *fields, size_t size)
{
    uint64_t payload[64] = { 0 };
    struct cover cover = { .base = (const unsigned char *)payload, .size = size };
    struct fgi_codec_visitor visitor = { .value = cover_value,
                                         .list_begin = cover_list,
                                         .list_end = cover_nothing,
                                         .struct_begin = cover_struct,
                                         .struct_end = cover_nothing,
                                         .context = &cover };
    struct fgi_codec codec = { .mode = FGI_CODEC_VISIT, .visitor = &visitor };
    fields(&codec, payload);
    /* What is left is padding: fewer than 8 bytes in front of an 8-byte boundary. */
    for (size_t i = 0; i < size; i++) {
        if (!cover.seen[i]) {
            size_t end = (i + 7) & ~(size_t)7;
            for (size_t j = i; j < end; j++) {
                if (cover.seen[j] || i % 4 != 0) {
                    fail_msg("%s: the member at byte %zu is not visited", name, i);
                }
            }
            if (i % 8 == 0) {
                fail_msg("%s: the member at byte %zu is not visited", name, i);
            }
            i = end - 1;
        }
    }
}

static void every_member_of_every_payload_is_visited(void **state)
{
    (void)state;
    for (size_t i = 0; fgi_codec_at(i) != NULL; i++) {
        assert_covered(fgi_codec_at(i)->name, fgi_codec_at(i)->fields, fgi_codec_at(i)->size);
    }
    assert_covered("FRAM", fgi_fields_frame_visit, sizeof(struct fg_cap_frame));
    assert_covered("pass", fgi_fields_pass_shape, sizeof(struct fg_cap_cpu_pass));
    assert_covered("GPU pass", fgi_fields_gpu_pass_shape, sizeof(struct fg_cap_gpu_pass));
}

/* ---- Frames against templates ---------------------------------------------------------------- */

struct known {
    struct fg_cap_topology topology;
    struct fgi_template shapes;
};

static const struct fg_cap_topology *known_topology(void *context, uint32_t id)
{
    struct known *known = context;
    return id == 7 ? &known->topology : NULL;
}

static const struct fgi_template *known_template(void *context, uint32_t id)
{
    struct known *known = context;
    return id == 3 ? &known->shapes : NULL;
}

static void frame_round_trip(unsigned round)
{
    struct fill fill = { .state = round, .max_items = round % 9 };
    struct fgi_arena arena = { 0 };
    struct fgi_bytes bytes = { 0 };
    struct fgi_bytes template_bytes = { 0 };
    struct fgi_shapes shapes = { 0 };
    struct fgi_shapes base = { 0 };
    struct known known = { 0 };
    struct fg_cap_frame frame = { 0 };
    struct fg_cap_frame out = { 0 };
    fill_topology(&fill, &known.topology);
    fill_payload(&fill, fgi_fields_frame_visit, &frame);
    frame.topology = 7;
    fill_settle_frame(&fill, &frame, &known.topology);

    struct fgi_codec encoder = { .mode = FGI_CODEC_ENCODE, .out = &bytes };
    assert_int_equal(fgi_shapes_encode(&shapes, &encoder, &frame), FG_OK);
    /* The template is a frame of the same size with other contents here and there. */
    struct fg_cap_frame like = frame;
    struct fg_cap_cpu_pass passes[16];
    if (frame.pass_count != 0) {
        memcpy(passes, frame.passes, frame.pass_count * sizeof *passes);
    }
    for (size_t i = 0; i < frame.pass_count; i++) {
        passes[i].ref_count += fill_random(&fill) % 2;
    }
    like.passes = passes;
    assert_int_equal(fgi_shapes_encode(&base, &encoder, &like), FG_OK);
    struct fgi_codec template_encoder = { .mode = FGI_CODEC_ENCODE, .out = &template_bytes };
    fgi_shapes_put_template(&template_encoder, &base, 3);
    struct fgi_codec template_decoder = {
        .mode = FGI_CODEC_DECODE,
        .in = fgi_reader_make(template_bytes.data, template_bytes.size),
        .arena = &arena,
    };
    fgi_fields_template(&template_decoder, &known.shapes);
    assert_int_equal(fgi_c_result(&template_decoder), FG_OK);

    fgi_frame_encode(&encoder, &frame, &shapes, &base, 3);
    struct fgi_frame_context context = { known_topology, known_template, &known };
    struct fgi_frame_outcome outcome;
    struct fgi_codec decoder = { .mode = FGI_CODEC_DECODE,
                                 .in = fgi_reader_make(bytes.data, bytes.size),
                                 .arena = &arena };
    fgi_frame_decode(&decoder, &out, &context, &outcome);
    assert_int_equal(fgi_c_result(&decoder), FG_OK);
    assert_int_equal(decoder.in.position, bytes.size);
    assert_false(outcome.pass_range || outcome.resource_range);
    assert_false(outcome.topology_unknown || outcome.template_unknown);
    assert_same(FG_CAPTURE_FRAM, &frame, &out, round);

    fgi_shapes_finish(&shapes);
    fgi_shapes_finish(&base);
    fgi_bytes_finish(&bytes);
    fgi_bytes_finish(&template_bytes);
    fgi_arena_finish(&arena);
    fgi_arena_finish(&fill.arena);
}

static void frames_come_back_through_templates_that_differ(void **state)
{
    (void)state;
    for (unsigned round = 0; round < ROUNDS * 3; round++) {
        frame_round_trip(round);
    }
}

/* ---- Counts that lie ------------------------------------------------------------------------- */

static void a_count_that_cannot_fit_is_refused_before_memory_is_asked_for(void **state)
{
    (void)state;
    /* A list of 2^32 - 1 features in a META of 200 bytes. */
    struct fgi_bytes bytes = { 0 };
    fgi_put_zeros(&bytes, 16 + 3 + 14);
    fgi_put_varint(&bytes, UINT32_MAX);
    fgi_put_zeros(&bytes, 150);
    struct fgi_arena arena = { .limit_bytes = 4096 };
    struct fg_cap_meta meta = { 0 };
    struct fgi_codec decoder = { .mode = FGI_CODEC_DECODE,
                                 .in = fgi_reader_make(bytes.data, bytes.size),
                                 .arena = &arena };
    fgi_fields_meta(&decoder, &meta);
    assert_int_equal(fgi_c_result(&decoder), FG_ERR_CORRUPT);
    assert_int_equal(arena.used_bytes, 0);
    fgi_bytes_finish(&bytes);
}

/* ---- Header and framing ---------------------------------------------------------------------- */

static void header_checks_come_in_the_order_of_the_format(void **state)
{
    (void)state;
    uint8_t bytes[FG_CAPTURE_HEADER_BYTES];
    struct fgi_cap_header header = { .version = 1, .min_reader = 1 };
    struct fgi_cap_header out;
    fgi_cap_header_store(bytes, &header);
    assert_memory_equal(bytes, "SGPT\1\0\1\0\0\0\0\0", 12);
    assert_int_equal(fgi_cap_header_load(bytes, 31, &out), FG_CAPTURE_DEFECT_short_header);
    assert_int_equal(fgi_cap_header_load(bytes, 32, &out), 0);
    /* Flags and directory may change without the checksum changing. */
    memset(bytes + 16, 0xff, 16);
    bytes[8] = 1;
    assert_int_equal(fgi_cap_header_load(bytes, 32, &out), 0);
    assert_int_equal(out.flags, FG_CAPTURE_FLAG_CLOSED);
    bytes[6] = 2;
    assert_int_equal(fgi_cap_header_load(bytes, 32, &out), FG_CAPTURE_DEFECT_header_checksum);
    header.min_reader = 2;
    fgi_cap_header_store(bytes, &header);
    assert_int_equal(fgi_cap_header_load(bytes, 32, &out), FG_CAPTURE_DEFECT_newer_format);
    bytes[0] = 'G';
    assert_int_equal(fgi_cap_header_load(bytes, 32, &out), FG_CAPTURE_DEFECT_bad_magic);
}

static void nanoseconds_of_ticks_are_exact_or_unknown(void **state)
{
    (void)state;
    assert_int_equal(fgi_cap_ticks_ns(12, 625, 12), 625);
    assert_int_equal(fgi_cap_ticks_ns(1, 1, 2), 1);
    assert_int_equal(fgi_cap_ticks_ns(1, 1, 3), 0);
    assert_true(fgi_cap_ticks_ns(1, 0, 1) == FG_CAP_UNKNOWN);
    assert_true(fgi_cap_ticks_ns(1, 1, 0) == FG_CAP_UNKNOWN);
    assert_true(fgi_cap_ticks_ns(UINT64_MAX, 1, 1) == FG_CAP_UNKNOWN);
    assert_true(fgi_cap_ticks_ns(INT64_MAX, 1000, 1) == INT64_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_payload_comes_back_as_it_went),
        cmocka_unit_test(a_cut_payload_is_refused_and_never_read_past_its_end),
        cmocka_unit_test(every_member_of_every_payload_is_visited),
        cmocka_unit_test(frames_come_back_through_templates_that_differ),
        cmocka_unit_test(a_count_that_cannot_fit_is_refused_before_memory_is_asked_for),
        cmocka_unit_test(header_checks_come_in_the_order_of_the_format),
        cmocka_unit_test(nanoseconds_of_ticks_are_exact_or_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
