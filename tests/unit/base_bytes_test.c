/* SPDX-License-Identifier: MIT */
#include "base/alloc.h"
#include "base/arena.h"
#include "base/bytes.h"
#include "base/hash.h"

#include "cmocka_all.h"

#include <stdlib.h>

static void varints_round_trip_and_are_shortest(void **state)
{
    (void)state;
    struct fgi_bytes bytes = { 0 };
    uint64_t values[70 * 3];
    size_t count = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        values[count++] = (uint64_t)1 << bit;
        values[count++] = ((uint64_t)1 << bit) - 1;
        values[count++] = UINT64_MAX >> bit;
    }
    for (size_t i = 0; i < count; i++) {
        size_t before = bytes.size;
        fgi_put_varint(&bytes, values[i]);
        size_t significant = 1;
        while (significant < 10 && values[i] >> (7 * significant) != 0) {
            significant++;
        }
        assert_int_equal(bytes.size - before, significant);
        fgi_put_svarint(&bytes, (int64_t)values[i]);
    }
    struct fgi_reader reader = fgi_reader_make(bytes.data, bytes.size);
    for (size_t i = 0; i < count; i++) {
        assert_true(fgi_get_varint(&reader) == values[i]);
        assert_true(fgi_get_svarint(&reader) == (int64_t)values[i]);
    }
    assert_false(reader.failed);
    assert_int_equal(fgi_reader_left(&reader), 0);
    fgi_bytes_finish(&bytes);
}

static void malformed_varints_fail_and_stay_failed(void **state)
{
    (void)state;
    static const struct {
        size_t size;
        uint8_t data[12];
    } cases[] = {
        { 0, { 0 } },
        { 1, { 0x80 } },
        { 2, { 0x81, 0x00 } }, /* not the shortest form */
        { 11, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01 } },
        { 10, { 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02 } },
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct fgi_reader reader = fgi_reader_make(cases[i].data, cases[i].size);
        assert_int_equal(fgi_get_varint(&reader), 0);
        assert_true(reader.failed);
        assert_int_equal(reader.position, 0);
        assert_int_equal(fgi_get_u8(&reader), 0);
        assert_null(fgi_get_raw(&reader, 0));
    }
}

static void counts_that_cannot_fit_are_refused(void **state)
{
    (void)state;
    struct fgi_bytes bytes = { 0 };
    fgi_put_varint(&bytes, 3);
    fgi_put_zeros(&bytes, 11);
    struct fgi_reader reader = fgi_reader_make(bytes.data, bytes.size);
    assert_int_equal(fgi_get_count(&reader, 4), 0);
    assert_true(reader.failed);
    reader = fgi_reader_make(bytes.data, bytes.size);
    assert_int_equal(fgi_get_count(&reader, 3), 3);
    fgi_bytes_finish(&bytes);
}

static void a_buffer_stops_at_its_limit_and_says_so_once(void **state)
{
    (void)state;
    struct fgi_bytes bytes = { .limit = 10 };
    fgi_put_u64(&bytes, 1);
    fgi_put_u32(&bytes, 2);
    fgi_put_u8(&bytes, 3);
    assert_int_equal(bytes.result, FG_ERR_LIMIT);
    assert_int_equal(bytes.size, 8);
    fgi_bytes_finish(&bytes);
}

static void little_endian_whatever_the_machine(void **state)
{
    (void)state;
    struct fgi_bytes bytes = { 0 };
    static const uint8_t expected[] = { 0x22, 0x11, 0x66, 0x55, 0x44, 0x33, 8, 7,
                                        6,    5,    4,    3,    2,    1,    0, 0 };
    fgi_put_u16(&bytes, 0x1122);
    fgi_put_u32(&bytes, 0x33445566);
    fgi_put_u64(&bytes, 0x0102030405060708);
    fgi_put_align(&bytes, 8);
    assert_int_equal(bytes.size, sizeof expected);
    assert_memory_equal(bytes.data, expected, sizeof expected);
    struct fgi_reader reader = fgi_reader_make(bytes.data, bytes.size);
    assert_int_equal(fgi_get_u8(&reader), 0x22);
    assert_int_equal(fgi_get_u8(&reader), 0x11);
    assert_int_equal(fgi_get_u32(&reader), 0x33445566);
    assert_true(fgi_get_u64(&reader) == 0x0102030405060708);
    fgi_bytes_finish(&bytes);
}

static void crc32_is_the_one_of_zlib(void **state)
{
    (void)state;
    assert_int_equal(fgi_crc32(0, "", 0), 0);
    assert_int_equal(fgi_crc32(0, "123456789", 9), 0xcbf43926);
    assert_int_equal(fgi_crc32(fgi_crc32(0, "1234", 4), "56789", 5), 0xcbf43926);
}

/* One bit at a time, as the polynomial says. */
static uint32_t crc32_by_bits(uint32_t crc, const uint8_t *in, size_t size)
{
    crc = ~crc;
    for (size_t i = 0; i < 8 * size; i++) {
        crc ^= (uint32_t)(in[i / 8] >> i % 8 & 1);
        crc = (crc >> 1) ^ (0xedb88320u & (0u - (crc & 1)));
    }
    return ~crc;
}

static void crc32_of_any_length_from_any_address_is_that_of_its_bits(void **state)
{
    uint8_t bytes[96];
    (void)state;
    for (size_t i = 0; i < sizeof bytes; i++) {
        bytes[i] = (uint8_t)fgi_mix64(i);
    }
    for (size_t from = 0; from < 9; from++) {
        for (size_t size = 0; size <= sizeof bytes - from; size++) {
            assert_int_equal(fgi_crc32((uint32_t)size, bytes + from, size),
                             crc32_by_bits((uint32_t)size, bytes + from, size));
        }
    }
}

static void hash64_is_pinned_because_files_hold_it(void **state)
{
    (void)state;
    /* FNV-1a of "" is its offset basis, of "a" 0xaf63dc4c8601ec8c; then the mix. */
    assert_true(fgi_hash64(0, "", 0) == fgi_mix64(0xcbf29ce484222325u));
    assert_true(fgi_hash64(0, "a", 1) == fgi_mix64(0xaf63dc4c8601ec8cu));
    assert_true(fgi_mix64(1) == 0x5692161d100b05e5u);
    assert_true(fgi_hash64(1, "a", 1) != fgi_hash64(0, "a", 1));
}

static void map_holds_what_was_put(void **state)
{
    (void)state;
    struct fgi_map64 map = { 0 };
    uint32_t value = 0;
    assert_false(fgi_map64_get(&map, 0, &value));
    for (uint32_t i = 0; i < 5000; i++) {
        assert_int_equal(fgi_map64_put(&map, (uint64_t)i * 4096, i), FG_OK);
    }
    assert_int_equal(fgi_map64_put(&map, 4096, 77), FG_OK);
    assert_int_equal(map.count, 5000);
    for (uint32_t i = 0; i < 5000; i++) {
        assert_true(fgi_map64_get(&map, (uint64_t)i * 4096, &value));
        assert_int_equal(value, i == 1 ? 77 : i);
        assert_false(fgi_map64_get(&map, (uint64_t)i * 4096 + 1, &value));
    }
    fgi_map64_finish(&map);
}

static void growth_respects_the_maximum(void **state)
{
    (void)state;
    uint32_t *items = NULL;
    size_t capacity = 0;
    assert_int_equal(FGI_GROW(NULL, items, capacity, 3, 100), FG_OK);
    assert_in_range(capacity, 3, 100);
    assert_int_equal(FGI_GROW(NULL, items, capacity, 100, 100), FG_OK);
    assert_int_equal(capacity, 100);
    assert_int_equal(FGI_GROW(NULL, items, capacity, 101, 100), FG_ERR_LIMIT);
    assert_int_equal(capacity, 100);
    assert_null(fgi_calloc(NULL, SIZE_MAX / 2, 3));
    fgi_free(NULL, items, capacity * sizeof *items);
}

static void arena_is_zeroed_aligned_and_limited(void **state)
{
    (void)state;
    struct fgi_arena arena = { .limit_bytes = 1 << 16 };
    size_t got = 0;
    for (unsigned char *block; (block = fgi_arena_alloc(&arena, 1, 100)) != NULL; got++) {
        assert_int_equal((uintptr_t)block % 16, 0);
        for (size_t i = 0; i < 100; i++) {
            assert_int_equal(block[i], 0);
            block[i] = 0xff;
        }
    }
    assert_in_range(got, 100, 65536 / 100);
    fgi_arena_reset(&arena);
    assert_non_null(fgi_arena_alloc(&arena, 1, 100));
    assert_string_equal(fgi_arena_text(&arena, "hello world", 5), "hello");
    assert_null(fgi_arena_alloc(&arena, SIZE_MAX / 2, 8));
    fgi_arena_finish(&arena);
    fgi_arena_finish(NULL);
}

/* Sums up what is taken of it. */
static void *count_allocations(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)old_size;
    *(unsigned *)context += new_size != 0;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

static void the_same_work_again_takes_no_memory_after_a_reset(void **state)
{
    (void)state;
    unsigned taken = 0;
    const struct fg_allocator allocator = { count_allocations, &taken };
    struct fgi_arena arena = { .allocator = &allocator };
    for (unsigned round = 0; round < 4; round++) {
        const unsigned before = taken;
        for (size_t megabytes = 1; megabytes <= 8; megabytes *= 2) {
            assert_non_null(fgi_arena_take(&arena, 100, 16));
            assert_non_null(fgi_arena_take(&arena, megabytes, 1 << 20));
        }
        assert_true(round < 1 || taken == before);
        fgi_arena_reset(&arena);
    }
    assert_in_range(arena.used_bytes, 15 << 20, 17 << 20);
    fgi_arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(varints_round_trip_and_are_shortest),
        cmocka_unit_test(malformed_varints_fail_and_stay_failed),
        cmocka_unit_test(counts_that_cannot_fit_are_refused),
        cmocka_unit_test(a_buffer_stops_at_its_limit_and_says_so_once),
        cmocka_unit_test(little_endian_whatever_the_machine),
        cmocka_unit_test(crc32_is_the_one_of_zlib),
        cmocka_unit_test(crc32_of_any_length_from_any_address_is_that_of_its_bits),
        cmocka_unit_test(hash64_is_pinned_because_files_hold_it),
        cmocka_unit_test(map_holds_what_was_put),
        cmocka_unit_test(growth_respects_the_maximum),
        cmocka_unit_test(arena_is_zeroed_aligned_and_limited),
        cmocka_unit_test(the_same_work_again_takes_no_memory_after_a_reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
