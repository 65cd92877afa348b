/* SPDX-License-Identifier: MIT */
/* Views and pieces of rings, taken and given back at random, against lists of what is out. */
#include "fake_vulkan.h"

#include "cmocka_all.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 300 };

static struct fg_compute *compute;
static uint32_t seed;

static uint32_t any(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static void renew(uint64_t block_bytes, uint64_t budget_bytes)
{
    struct fg_compute_options options = fake_options();
    options.block_bytes = block_bytes;
    options.budget_bytes = budget_bytes;
    fg_compute_destroy(compute);
    compute = NULL;
    assert_int_equal(fg_compute_create(&options, &compute, NULL), FG_OK);
}

static int setup(void **state)
{
    (void)state;
    fake_reset();
    seed = 7;
    renew(0, 0);
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fg_compute_destroy(compute);
    compute = NULL;
    fake_forget();
    return fake.alive == 0 ? 0 : -1;
}

static bool overlap(const struct fg_compute_memory *a, const struct fg_compute_memory *b)
{
    return a->view.buffer == b->view.buffer &&
           a->view.offset_bytes < b->view.offset_bytes + b->view.size_bytes &&
           b->view.offset_bytes < a->view.offset_bytes + a->view.size_bytes;
}

static void check_view(const struct fg_compute_memory *memory, enum fg_compute_memory_kind kind,
                       uint64_t size_bytes)
{
    const struct fg_compute_facts *facts = fg_compute_get_facts(compute);
    assert_int_equal(memory->view.size_bytes, size_bytes);
    assert_int_equal(memory->view.offset_bytes % facts->alignment_bytes, 0);
    assert_true(memory->view.offset_bytes + size_bytes <= facts->block_bytes);
    assert_true(memory->view.address ==
                ((uint64_t)memory->view.buffer << 32) + memory->view.offset_bytes);
    if (kind == FG_COMPUTE_UPLOAD || kind == FG_COMPUTE_READBACK) {
        memset(memory->host, 1, size_bytes);
    } else {
        assert_null(memory->host);
    }
}

static void views_never_overlap_and_come_back_whole(void **state)
{
    (void)state;
    static struct fg_compute_memory out[MOST];
    struct fg_compute_counts counts;
    uint32_t out_count = 0;
    renew(1 << 22, 0);
    for (uint32_t step = 0; step < 6000; step++) {
        if (out_count < MOST && any(100) < (step % 1000 < 500 ? 60u : 40u)) {
            const enum fg_compute_memory_kind kind =
                (enum fg_compute_memory_kind)any(FG_COMPUTE_MEMORY_KINDS);
            const uint64_t size_bytes = 1 + any(any(20) == 0 ? 1 << 22 : 20000);
            struct fg_compute_memory *memory = &out[out_count];
            assert_int_equal(fg_compute_memory_take(compute, kind, size_bytes, memory), FG_OK);
            check_view(memory, kind, size_bytes);
            for (uint32_t i = 0; i < out_count; i++) {
                assert_false(overlap(memory, &out[i]));
            }
            out_count++;
        } else if (out_count > 0) {
            const uint32_t at = any(out_count);
            fg_compute_memory_free(compute, &out[at]);
            assert_null(out[at].block);
            out[at] = out[--out_count];
        }
        fg_compute_get_counts(compute, &counts);
        assert_int_equal(counts.views, out_count);
        assert_int_equal(counts.block_bytes, fake.allocated_bytes);
        assert_true(counts.used_bytes <= counts.block_bytes);
    }
    while (out_count > 0) {
        fg_compute_memory_free(compute, &out[--out_count]);
    }
    fg_compute_get_counts(compute, &counts);
    assert_int_equal(counts.used_bytes, 0);
    assert_true(counts.block_bytes <= fg_compute_get_facts(compute)->budget_bytes / 8 ||
                counts.blocks <= FG_COMPUTE_MEMORY_KINDS);
    assert_true(counts.peak_used_bytes > 0);
    assert_int_equal(counts.refused, 0);
    fg_compute_memory_free(compute, &out[0]);
    fg_compute_memory_free(compute, NULL);
}

static void what_comes_back_in_any_order_is_one_piece_again(void **state)
{
    (void)state;
    enum { PARTS = 16, BLOCK_BYTES = 1 << 20 };
    struct fg_compute_memory parts[PARTS];
    struct fg_compute_memory whole;
    struct fg_compute_counts counts;
    for (uint32_t round = 0; round < 200; round++) {
        for (uint32_t i = 0; i < PARTS; i++) {
            assert_int_equal(
                fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, BLOCK_BYTES / PARTS, &parts[i]),
                FG_OK);
        }
        for (uint32_t left = PARTS; left > 0; left--) {
            const uint32_t at = any(left);
            fg_compute_memory_free(compute, &parts[at]);
            parts[at] = parts[left - 1];
        }
        assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, BLOCK_BYTES, &whole),
                         FG_OK);
        fg_compute_get_counts(compute, &counts);
        assert_int_equal(counts.blocks, 1);
        assert_int_equal(counts.block_bytes, BLOCK_BYTES);
        fg_compute_memory_free(compute, &whole);
    }
}

static void what_is_larger_than_a_block_is_refused(void **state)
{
    (void)state;
    struct fg_compute_memory memory = { .host = &seed };
    struct fg_compute_counts counts;
    renew(1 << 20, 0);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, (1 << 20) + 1, &memory),
                     FG_ERR_LIMIT);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 0, &memory),
                     FG_ERR_ARGUMENT);
    assert_ptr_equal(memory.host, &seed);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 1 << 20, &memory), FG_OK);
    fg_compute_get_counts(compute, &counts);
    assert_int_equal(counts.refused, 1);
    assert_int_equal(fake.allocated_bytes, 1 << 20);
}

static void a_budget_is_never_exceeded_and_can_be_used_up(void **state)
{
    (void)state;
    struct fg_compute_memory memory;
    uint64_t taken_bytes = 0;
    const uint64_t budget_bytes = 10000 * 256;
    renew(1 << 20, budget_bytes);
    enum fg_result result = FG_OK;
    while (result == FG_OK) {
        result = fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 100 * 256, &memory);
        taken_bytes += result == FG_OK ? memory.view.size_bytes : 0;
        assert_true(fake.allocated_bytes <= budget_bytes);
        assert_int_equal(fg_compute_memory_left(compute), budget_bytes - fake.allocated_bytes);
    }
    assert_int_equal(result, FG_ERR_LIMIT);
    /* The last block is as large as what was asked for: hardly anything is lost to blocks. */
    assert_true(taken_bytes > budget_bytes - 4 * 100 * 256);
}

static void empty_blocks_are_kept_and_make_room_for_others(void **state)
{
    (void)state;
    enum { PARTS = 4, PART_BYTES = 1 << 20 };
    struct fg_compute_memory parts[8 * PARTS];
    struct fg_compute_counts counts;
    const uint64_t budget_bytes = 8 * PARTS * PART_BYTES;
    renew(PART_BYTES, budget_bytes);
    for (uint32_t round = 0; round < 3; round++) {
        for (uint32_t i = 0; i < PARTS; i++) {
            assert_int_equal(
                fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, PART_BYTES, &parts[i]), FG_OK);
        }
        for (uint32_t i = 0; i < PARTS; i++) {
            fg_compute_memory_free(compute, &parts[i]);
        }
        fg_compute_get_counts(compute, &counts);
        assert_int_equal(counts.blocks, PARTS);
        assert_int_equal(fake.allocated_bytes, PARTS * PART_BYTES);
        assert_int_equal(fg_compute_memory_left(compute), budget_bytes);
    }
    /* All of the budget is there for another kind. */
    for (uint32_t i = 0; i < 8 * PARTS; i++) {
        assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_UPLOAD, PART_BYTES, &parts[i]),
                         FG_OK);
        assert_true(fake.allocated_bytes <= budget_bytes);
    }
    for (uint32_t i = 0; i < 8 * PARTS; i++) {
        fg_compute_memory_free(compute, &parts[i]);
    }
    fg_compute_get_counts(compute, &counts);
    assert_int_equal(counts.blocks, PARTS);
    assert_int_equal(counts.refused, 0);
}

static void what_the_device_says_is_left_counts_too(void **state)
{
    (void)state;
    struct fg_compute_memory memory;
    fake.has_budget = true;
    fake.budget_bytes = 3 << 20;
    renew(1 << 20, 0);
    assert_true((fg_compute_get_facts(compute)->flags & FG_COMPUTE_MEMORY_BUDGET) != 0);
    assert_int_equal(fg_compute_memory_left(compute), 3 << 20);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 1 << 20, &memory), FG_OK);
    assert_int_equal(fg_compute_memory_left(compute), 2 << 20);
    fake.budget_bytes = (1 << 20) + 1000;
    assert_int_equal(fg_compute_memory_left(compute), 1000);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 5000, &memory),
                     FG_ERR_LIMIT);
}

static void where_a_block_is_refused_what_is_needed_may_do(void **state)
{
    (void)state;
    struct fg_compute_memory memory;
    fake.largest_bytes = 300 * 1024;
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 200 * 1024, &memory),
                     FG_OK);
    assert_int_equal(fake.allocated_bytes, 200 * 1024);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 400 * 1024, &memory),
                     FG_ERR_NO_MEMORY);
}

static void control_memory_is_written_where_it_differs(void **state)
{
    (void)state;
    struct fg_compute_memory control;
    struct fg_compute_memory second;
    struct fg_compute_counts counts;
    const uint32_t words[4] = { 1, 0, 3, 4 };
    const uint32_t other[4] = { 1, 9, 3, 8 };
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_CONTROL, 16, &control), FG_OK);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_CONTROL, 16, &second), FG_OK);
    assert_int_equal(fg_compute_write(compute, &control, 0, words, 16), 12);
    assert_int_equal(fg_compute_write(compute, &control, 0, words, 16), 0);
    assert_int_equal(fg_compute_write(compute, &control, 0, other, 16), 8);
    assert_int_equal(fg_compute_write(compute, &control, 8, other, 4), 4);
    assert_int_equal(fg_compute_write(compute, &second, 0, other, 6), 6);
    fg_compute_get_counts(compute, &counts);
    assert_int_equal(counts.written_bytes, 30);
}

/* Rings. */

struct piece {
    uint64_t offset_bytes, size_bytes, serial;
};

static void pieces_of_a_ring_never_overlap_and_only_wait_for_room(void **state)
{
    (void)state;
    enum { RING_BYTES = 64 * 256, PIECES = 256 };
    static struct piece out[PIECES];
    struct fg_compute_ring *ring = NULL;
    uint32_t out_count = 0;
    uint64_t serial = 1;
    uint64_t busy = 0;
    assert_int_equal(fg_compute_ring_create(compute, FG_COMPUTE_UPLOAD, RING_BYTES, &ring), FG_OK);
    for (uint32_t step = 0; step < 20000; step++) {
        if (any(4) == 0) {
            const uint64_t done = serial > 6 ? serial - any(6) : 0;
            uint32_t left = 0;
            fg_compute_ring_complete(ring, done);
            for (uint32_t i = 0; i < out_count; i++) {
                if (out[i].serial > done) {
                    out[left++] = out[i];
                }
            }
            out_count = left;
        }
        struct fg_compute_memory memory;
        const uint64_t size_bytes = 1 + any(any(10) == 0 ? RING_BYTES : 3000);
        const enum fg_result result = fg_compute_ring_take(ring, size_bytes, serial, &memory);
        if (result == FG_ERR_BUSY) {
            busy++;
            /* Never without a reason: with nothing out there is room for anything. */
            assert_true(out_count != 0);
        } else {
            assert_int_equal(result, FG_OK);
            assert_true(memory.view.offset_bytes + size_bytes <= RING_BYTES);
            assert_int_equal(memory.view.size_bytes, size_bytes);
            for (uint32_t i = 0; i < out_count; i++) {
                assert_true(memory.view.offset_bytes >= out[i].offset_bytes + out[i].size_bytes ||
                            out[i].offset_bytes >= memory.view.offset_bytes + size_bytes);
            }
            memset(memory.host, 2, size_bytes);
            assert_true(out_count < PIECES);
            out[out_count++] = (struct piece){ memory.view.offset_bytes, size_bytes, serial };
        }
        serial += any(2);
    }
    assert_true(busy > 100);
    assert_int_equal(fg_compute_ring_get_busy(ring), busy);
    fg_compute_ring_destroy(ring);
}

static void a_ring_says_what_it_cannot_do(void **state)
{
    (void)state;
    struct fg_compute_ring *ring = NULL;
    struct fg_compute_memory memory;
    assert_int_equal(fg_compute_ring_create(compute, FG_COMPUTE_DEVICE, 4096, &ring),
                     FG_ERR_ARGUMENT);
    assert_int_equal(fg_compute_ring_create(compute, FG_COMPUTE_CONTROL, 4096, &ring),
                     FG_ERR_ARGUMENT);
    assert_int_equal(fg_compute_ring_create(compute, FG_COMPUTE_READBACK, 4096, &ring), FG_OK);
    assert_int_equal(fg_compute_ring_take(ring, 4097, 5, &memory), FG_ERR_LIMIT);
    assert_int_equal(fg_compute_ring_take(ring, 4096, 5, &memory), FG_OK);
    assert_int_equal(fg_compute_ring_take(ring, 1, 4, &memory), FG_ERR_ARGUMENT);
    assert_int_equal(fg_compute_ring_take(ring, 1, 5, &memory), FG_ERR_BUSY);
    fg_compute_ring_complete(ring, 4);
    assert_int_equal(fg_compute_ring_take(ring, 1, 5, &memory), FG_ERR_BUSY);
    fg_compute_ring_complete(ring, 5);
    assert_int_equal(fg_compute_ring_take(ring, 4096, 5, &memory), FG_OK);
    fg_compute_ring_destroy(ring);
    fg_compute_ring_destroy(NULL);
}

static void a_part_of_a_view_has_its_own_address(void **state)
{
    (void)state;
    const struct fg_compute_view view = { (VkBuffer)(uintptr_t)3, 512, 1024, 0x300000200 };
    const struct fg_compute_view part = fg_compute_view_part(view, 100, 24);
    assert_true(part.buffer == view.buffer && part.offset_bytes == 612 && part.size_bytes == 24 &&
                part.address == 0x300000264);
    const struct fg_compute_view without = { (VkBuffer)(uintptr_t)3, 512, 1024, 0 };
    assert_true(fg_compute_view_part(without, 100, 24).address == 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(views_never_overlap_and_come_back_whole),
        TEST(what_comes_back_in_any_order_is_one_piece_again),
        TEST(what_is_larger_than_a_block_is_refused),
        TEST(a_budget_is_never_exceeded_and_can_be_used_up),
        TEST(empty_blocks_are_kept_and_make_room_for_others),
        TEST(what_the_device_says_is_left_counts_too),
        TEST(where_a_block_is_refused_what_is_needed_may_do),
        TEST(control_memory_is_written_where_it_differs),
        TEST(pieces_of_a_ring_never_overlap_and_only_wait_for_room),
        TEST(a_ring_says_what_it_cannot_do),
        TEST(a_part_of_a_view_has_its_own_address),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
