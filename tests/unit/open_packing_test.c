/* SPDX-License-Identifier: MIT */
/* The spool, and gzip and zstd around an input: whole, cut, damaged, too large. */
#include "open/packing.h"
#include "open/spool.h"
#include <frameglass/open.h>

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

enum { MIB = 1 << 20 };

/* Bytes that do not repeat soon, and do not pack well. */
static uint8_t *make_bytes(size_t size)
{
    uint8_t *bytes = malloc(size);
    uint32_t state = 12345;
    for (size_t i = 0; i < size; i++) {
        state = state * 1664525u + 1013904223u;
        bytes[i] = (uint8_t)(state >> 24);
    }
    return bytes;
}

static struct fgi_spool *make_spool(uint64_t memory_bytes, uint64_t limit_bytes)
{
    struct fgi_spool *spool = NULL;
    assert_int_equal(fgi_spool_create(NULL, memory_bytes, limit_bytes, &spool), FG_OK);
    return spool;
}

static void assert_spool_holds(struct fgi_spool *spool, const uint8_t *bytes, size_t size)
{
    struct fg_source source = fgi_spool_source(spool);
    uint64_t total = 0;
    size_t got = 0;
    uint8_t *copy = malloc(size + 10);
    assert_int_equal(source.size(source.context, &total), FG_OK);
    assert_int_equal(total, size);
    assert_int_equal(source.read_at(source.context, 0, copy, size + 10, &got), FG_OK);
    assert_int_equal(got, size);
    assert_memory_equal(copy, bytes, size);
    free(copy);
}

static void spool_reads_across_memory_and_file(void **state)
{
    (void)state;
    size_t size = 3 * MIB + 17;
    uint8_t *bytes = make_bytes(size);
    struct fgi_spool *spool = make_spool(MIB, 1 << 30);
    struct fg_sink sink = fgi_spool_sink(spool);
    for (size_t at = 0; at < size; at += 99991) {
        size_t part = size - at < 99991 ? size - at : 99991;
        assert_int_equal(sink.write(sink.context, bytes + at, part), FG_OK);
    }
    assert_spool_holds(spool, bytes, size);
    struct fg_source source = fgi_spool_source(spool);
    uint8_t some[100];
    size_t got = 0;
    assert_int_equal(source.read_at(source.context, MIB - 50, some, 100, &got), FG_OK);
    assert_int_equal(got, 100);
    assert_memory_equal(some, bytes + MIB - 50, 100);
    assert_int_equal(source.read_at(source.context, size - 3, some, 100, &got), FG_OK);
    assert_int_equal(got, 3);
    assert_int_equal(source.read_at(source.context, UINT64_MAX, some, 100, &got), FG_OK);
    assert_int_equal(got, 0);
    fgi_spool_destroy(spool);
    fgi_spool_destroy(NULL);
    free(bytes);
}

static void spool_refuses_what_is_over_its_limit(void **state)
{
    (void)state;
    struct fgi_spool *spool = make_spool(MIB, 10);
    struct fg_sink sink = fgi_spool_sink(spool);
    assert_int_equal(sink.write(sink.context, "0123456789", 10), FG_OK);
    assert_int_equal(sink.write(sink.context, "x", 1), FG_ERR_LIMIT);
    assert_spool_holds(spool, (const uint8_t *)"0123456789", 10);
    fgi_spool_destroy(spool);
}

/* A growing array of packed bytes. */
struct packed {
    uint8_t *bytes;
    size_t size;
};

static void add_gzip(struct packed *packed, const uint8_t *bytes, size_t size)
{
    z_stream stream = { 0 };
    assert_int_equal(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
    size_t room = deflateBound(&stream, size);
    packed->bytes = realloc(packed->bytes, packed->size + room);
    stream.next_in = (Bytef *)(uintptr_t)bytes;
    stream.avail_in = (uInt)size;
    stream.next_out = packed->bytes + packed->size;
    stream.avail_out = (uInt)room;
    assert_int_equal(deflate(&stream, Z_FINISH), Z_STREAM_END);
    packed->size += stream.total_out;
    deflateEnd(&stream);
}

static void add_zstd(struct packed *packed, const uint8_t *bytes, size_t size)
{
    size_t room = ZSTD_compressBound(size);
    packed->bytes = realloc(packed->bytes, packed->size + room);
    size_t used = ZSTD_compress(packed->bytes + packed->size, room, bytes, size, 3);
    assert_false(ZSTD_isError(used));
    packed->size += used;
}

static void add_raw(struct packed *packed, const void *bytes, size_t size)
{
    packed->bytes = realloc(packed->bytes, packed->size + size);
    memcpy(packed->bytes + packed->size, bytes, size);
    packed->size += size;
}

static enum fg_result unpack(const struct packed *packed, struct fgi_spool *spool,
                             struct fg_diag *diag)
{
    struct fg_memory_view view = { packed->bytes, packed->size };
    struct fg_source source = fg_memory_source(&view);
    struct fg_sink sink = fgi_spool_sink(spool);
    const struct fgi_packing *packing = fgi_packing_find(packed->bytes, packed->size);
    assert_non_null(packing);
    return packing->unpack(&(struct fgi_unpack){ .packed = &source, .sink = &sink }, diag);
}

typedef void add_packed(struct packed *packed, const uint8_t *bytes, size_t size);

static void check_members(add_packed *add)
{
    size_t size = 600000;
    uint8_t *bytes = make_bytes(size);
    struct packed packed = { 0 };
    struct fgi_spool *spool = make_spool(MIB, 1 << 30);
    struct fg_diag diag = { 0 };
    add(&packed, bytes, 300000);
    add(&packed, bytes + 300000, 0);
    add(&packed, bytes + 300000, 300000);
    assert_int_equal(unpack(&packed, spool, &diag), FG_OK);
    assert_spool_holds(spool, bytes, size);
    fgi_spool_destroy(spool);
    free(packed.bytes);
    free(bytes);
}

static void gzip_of_several_members_is_one_stream(void **state)
{
    (void)state;
    check_members(add_gzip);
}

static void zstd_of_several_frames_is_one_stream(void **state)
{
    (void)state;
    check_members(add_zstd);
}

/* Every cut gives what came before it, and says where it ended. */
static void check_cuts(add_packed *add)
{
    size_t size = 300000;
    uint8_t *bytes = make_bytes(size);
    struct packed packed = { 0 };
    add(&packed, bytes, size);
    size_t whole = packed.size;
    for (packed.size = 20; packed.size < whole; packed.size += 9973) {
        struct fgi_spool *spool = make_spool(MIB, 1 << 30);
        struct fg_diag diag = { 0 };
        uint64_t got = 0;
        assert_int_equal(unpack(&packed, spool, &diag), FG_ERR_CORRUPT);
        assert_int_equal(diag.offset, packed.size);
        assert_non_null(strstr(diag.message, "cut short"));
        struct fg_source source = fgi_spool_source(spool);
        assert_int_equal(source.size(source.context, &got), FG_OK);
        assert_true(got < size);
        assert_spool_holds(spool, bytes, (size_t)got);
        fgi_spool_destroy(spool);
    }
    free(packed.bytes);
    free(bytes);
}

static void a_cut_gzip_stream_gives_what_came_before(void **state)
{
    (void)state;
    check_cuts(add_gzip);
}

static void a_cut_zstd_stream_gives_what_came_before(void **state)
{
    (void)state;
    check_cuts(add_zstd);
}

static void check_damage(add_packed *add)
{
    size_t size = 300000;
    uint8_t *bytes = make_bytes(size);
    struct packed packed = { 0 };
    struct fgi_spool *spool = make_spool(MIB, 1 << 30);
    struct fg_diag diag = { 0 };
    add(&packed, bytes, size);
    memset(packed.bytes + packed.size / 2, 0xFF, 64);
    memset(packed.bytes + packed.size - 8, 0x55, 8); /* the checksum, where there is one */
    enum fg_result result = unpack(&packed, spool, &diag);
    /* zstd without a checksum cannot see changed literals; what it sees, it must say. */
    assert_true(result == FG_ERR_CORRUPT || add == add_zstd);
    if (result == FG_ERR_CORRUPT) {
        assert_true(diag.offset > 0 && diag.offset <= packed.size);
        assert_true(diag.message[0] != '\0');
    }
    fgi_spool_destroy(spool);
    free(packed.bytes);
    free(bytes);
}

static void a_damaged_gzip_stream_is_named(void **state)
{
    (void)state;
    check_damage(add_gzip);
}

static void a_damaged_zstd_stream_does_not_crash(void **state)
{
    (void)state;
    check_damage(add_zstd);
}

static void gzip_padding_is_fine_and_garbage_is_not(void **state)
{
    (void)state;
    struct packed packed = { 0 };
    struct fg_diag diag = { 0 };
    uint8_t zeros[512] = { 0 };
    add_gzip(&packed, (const uint8_t *)"abc", 3);
    size_t member_size = packed.size;
    struct fgi_spool *spool = make_spool(MIB, 100);
    add_raw(&packed, zeros, sizeof zeros);
    assert_int_equal(unpack(&packed, spool, &diag), FG_OK);
    assert_spool_holds(spool, (const uint8_t *)"abc", 3);
    fgi_spool_destroy(spool);
    packed.size = member_size;
    add_raw(&packed, "garbage", 7);
    spool = make_spool(MIB, 100);
    assert_int_equal(unpack(&packed, spool, &diag), FG_ERR_CORRUPT);
    assert_int_equal(diag.offset, member_size);
    assert_spool_holds(spool, (const uint8_t *)"abc", 3);
    fgi_spool_destroy(spool);
    free(packed.bytes);
}

static void what_unpacks_to_too_much_is_refused(void **state)
{
    (void)state;
    uint8_t *zeros = calloc(8, MIB);
    add_packed *const packers[] = { add_gzip, add_zstd };
    for (size_t i = 0; i < 2; i++) {
        struct packed packed = { 0 };
        struct fg_diag diag = { 0 };
        packers[i](&packed, zeros, 8 * MIB);
        assert_true(packed.size < MIB / 10);
        struct fgi_spool *spool = make_spool(MIB, 2 * MIB);
        assert_int_equal(unpack(&packed, spool, &diag), FG_ERR_LIMIT);
        fgi_spool_destroy(spool);
        free(packed.bytes);
    }
    free(zeros);
}

static bool stop_at_once(void *context, uint64_t done, uint64_t total)
{
    (void)done;
    *(uint64_t *)context = total;
    return false;
}

static void unpacking_can_be_cancelled(void **state)
{
    (void)state;
    struct packed packed = { 0 };
    struct fg_diag diag = { 0 };
    uint64_t total = 0;
    add_gzip(&packed, (const uint8_t *)"abc", 3);
    struct fg_memory_view view = { packed.bytes, packed.size };
    struct fg_source source = fg_memory_source(&view);
    struct fgi_spool *spool = make_spool(MIB, 100);
    struct fg_sink sink = fgi_spool_sink(spool);
    struct fgi_unpack work = {
        .packed = &source, .sink = &sink, .progress = stop_at_once, .progress_context = &total
    };
    assert_int_equal(fgi_packing_find(packed.bytes, packed.size)->unpack(&work, &diag),
                     FG_ERR_CANCELLED);
    assert_int_equal(total, packed.size);
    fgi_spool_destroy(spool);
    free(packed.bytes);
}

/* The bytes do not look like JSON: only who says so has it read as such. */
static void a_stated_format_is_that_of_what_is_packed(void **state)
{
    (void)state;
    static const char json[] = ";[{\"ph\":\"X\",\"name\":\"a\",\"ts\":1,\"dur\":2}]";
    add_packed *const packers[] = { add_gzip, add_zstd };
    for (size_t i = 0; i < 2; i++) {
        struct packed packed = { 0 };
        struct fg_document *document = NULL;
        struct fg_diag diag;
        packers[i](&packed, (const uint8_t *)json, sizeof json - 1);
        struct fg_memory_view view = { packed.bytes, packed.size };
        struct fg_source source = fg_memory_source(&view);
        struct fg_open_options options = { .format = NULL };
        assert_int_equal(fg_open_source(&source, &options, &diag, &document), FG_ERR_FORMAT);
        options.format = "chrome";
        assert_int_equal(fg_open_source(&source, &options, &diag, &document), FG_OK);
        assert_string_equal(fg_document_format(document), "chrome");
        fg_document_close(document);
        free(packed.bytes);
    }
}

static void other_bytes_are_not_taken_for_a_packing(void **state)
{
    (void)state;
    assert_null(fgi_packing_find((const uint8_t *)"SGPT", 4));
    assert_null(fgi_packing_find((const uint8_t *)"\x1f\x8b", 2));
    assert_null(fgi_packing_find((const uint8_t *)"\x1f\x8b\x07", 3));
    assert_null(fgi_packing_find((const uint8_t *)"\x28\xb5\x2f", 3));
    assert_null(fgi_packing_find(NULL, 0));
    assert_string_equal(fgi_packing_find((const uint8_t *)"\x5a\x2a\x4d\x18", 4)->name, "zstd");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spool_reads_across_memory_and_file),
        cmocka_unit_test(spool_refuses_what_is_over_its_limit),
        cmocka_unit_test(gzip_of_several_members_is_one_stream),
        cmocka_unit_test(zstd_of_several_frames_is_one_stream),
        cmocka_unit_test(a_cut_gzip_stream_gives_what_came_before),
        cmocka_unit_test(a_cut_zstd_stream_gives_what_came_before),
        cmocka_unit_test(a_damaged_gzip_stream_is_named),
        cmocka_unit_test(a_damaged_zstd_stream_does_not_crash),
        cmocka_unit_test(gzip_padding_is_fine_and_garbage_is_not),
        cmocka_unit_test(what_unpacks_to_too_much_is_refused),
        cmocka_unit_test(unpacking_can_be_cancelled),
        cmocka_unit_test(a_stated_format_is_that_of_what_is_packed),
        cmocka_unit_test(other_bytes_are_not_taken_for_a_packing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
