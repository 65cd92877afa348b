/* SPDX-License-Identifier: MIT */
/* The workgroup size reader, on modules that are put together here word by word. */
#include "record/spirv.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_WORDS = 256 };

struct builder {
    uint32_t words[MAX_WORDS];
    size_t count;
};

static void instruction(struct builder *b, uint32_t opcode, size_t count, const uint32_t *operands)
{
    b->words[b->count++] = (uint32_t)(count + 1) << 16 | opcode;
    memcpy(b->words + b->count, operands, count * 4);
    b->count += count;
}

#define INSTRUCTION(b, opcode, ...)                                                                \
    instruction((b), (opcode), sizeof((uint32_t[]){ __VA_ARGS__ }) / 4, (uint32_t[]){ __VA_ARGS__ })

enum { VERTEX = 0, COMPUTE = 5 };

static void start(struct builder *b)
{
    memset(b, 0, sizeof *b);
    const uint32_t header[5] = { 0x07230203, 0x00010600, 0, 100, 0 };
    memcpy(b->words, header, sizeof header);
    b->count = 5;
}

/** Names of up to 7 letters. */
static void entry_point(struct builder *b, uint32_t model, uint32_t id, const char *name)
{
    uint32_t packed[2] = { 0 };
    for (size_t i = 0; name[i] != 0; i++) {
        packed[i / 4] |= (uint32_t)name[i] << (i % 4 * 8);
    }
    INSTRUCTION(b, 15, model, id, packed[0], packed[1]);
}

/** int32 type 10, constants 11..13, specialization constants 21..23 with ids 0..2. */
static void constants(struct builder *b)
{
    for (uint32_t i = 0; i < 3; i++) {
        INSTRUCTION(b, 71, 21 + i, 1, i);
    }
    INSTRUCTION(b, 21, 10, 32, 0);
    for (uint32_t i = 0; i < 3; i++) {
        INSTRUCTION(b, 43, 10, 11 + i, 5 + i);
        INSTRUCTION(b, 50, 10, 21 + i, 8 + i);
    }
}

static void body(struct builder *b)
{
    INSTRUCTION(b, 54, 1, 50, 0, 2);
    INSTRUCTION(b, 248, 51);
    b->words[b->count++] = 1 << 16 | 253;
    b->words[b->count++] = 1 << 16 | 56;
}

static void expect(const struct builder *b, const char *name,
                   const struct fgi_spirv_specialization *specialization, uint32_t x, uint32_t y,
                   uint32_t z)
{
    struct fgi_spirv_workgroup group = { 0 };
    struct fg_diag diag = { 0 };
    assert_int_equal(fgi_spirv_workgroup(b->words, b->count, name, specialization, &group, &diag),
                     FG_OK);
    assert_int_equal(group.known, x != 0);
    assert_int_equal(group.size[0], x);
    assert_int_equal(group.size[1], y);
    assert_int_equal(group.size[2], z);
}

static void expect_failure(const struct builder *b, const char *name, enum fg_result result,
                           uint64_t offset)
{
    struct fgi_spirv_workgroup group = { true, { 1, 2, 3 } };
    struct fg_diag diag = { 0 };
    assert_int_equal(fgi_spirv_workgroup(b->words, b->count, name, NULL, &group, &diag), result);
    assert_int_equal(diag.offset, offset);
    assert_true(diag.message[0] != 0);
    assert_true(group.known && group.size[2] == 3);
}

static void local_size_is_read(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 16, 50, 17, 64, 2, 3);
    body(&b);
    expect(&b, "main", NULL, 64, 2, 3);
    expect(&b, NULL, NULL, 64, 2, 3);
    expect_failure(&b, "mai", FG_ERR_NOT_FOUND, 0);
    expect_failure(&b, "main2", FG_ERR_NOT_FOUND, 0);
}

static void local_size_id_takes_what_the_pipeline_specializes(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 331, 50, 38, 21, 12, 23);
    constants(&b);
    body(&b);
    const struct fgi_spirv_specialization none = { 0 };
    const struct fgi_spirv_constant given[] = { { 7, 99 }, { 2, 4 }, { 0, 256 } };
    const struct fgi_spirv_specialization some = { given, 3 };
    expect(&b, "main", &none, 8, 6, 10);
    expect(&b, "main", &some, 256, 6, 4);
    expect(&b, "main", NULL, 0, 0, 0);
}

static void workgroup_size_constant_overrides_the_mode(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 16, 50, 17, 64, 2, 3);
    INSTRUCTION(&b, 71, 30, 11, 25);
    constants(&b);
    INSTRUCTION(&b, 51, 9, 30, 21, 11, 11);
    body(&b);
    const struct fgi_spirv_constant given = { 0, 32 };
    expect(&b, "main", &(struct fgi_spirv_specialization){ &given, 1 }, 32, 5, 5);
    expect(&b, "main", &(struct fgi_spirv_specialization){ 0 }, 8, 5, 5);
    expect(&b, "main", NULL, 0, 0, 0);
}

static void constant_workgroup_size_needs_no_specialization(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 71, 30, 11, 25);
    constants(&b);
    INSTRUCTION(&b, 44, 9, 30, 13, 12, 11);
    body(&b);
    expect(&b, "main", NULL, 7, 6, 5);
}

static void each_entry_point_has_its_own_size(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "blur");
    entry_point(&b, COMPUTE, 60, "main");
    entry_point(&b, VERTEX, 70, "main");
    entry_point(&b, VERTEX, 80, "draw");
    INSTRUCTION(&b, 16, 50, 17, 64, 1, 1);
    INSTRUCTION(&b, 16, 60, 17, 8, 8, 1);
    body(&b);
    expect(&b, "blur", NULL, 64, 1, 1);
    expect(&b, "main", NULL, 8, 8, 1);
    expect(&b, "draw", NULL, 0, 0, 0);
    expect(&b, NULL, NULL, 0, 0, 0);
}

static void computed_and_wide_constants_are_unknown(void **state)
{
    (void)state;
    const struct fgi_spirv_specialization none = { 0 };
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 331, 50, 38, 24, 12, 13);
    constants(&b);
    INSTRUCTION(&b, 52, 10, 24, 132, 21, 22);
    body(&b);
    expect(&b, "main", &none, 0, 0, 0);

    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 331, 50, 38, 14, 14, 14);
    INSTRUCTION(&b, 21, 10, 64, 0);
    INSTRUCTION(&b, 43, 10, 14, 4, 0);
    body(&b);
    expect(&b, "main", &none, 0, 0, 0);

    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    body(&b);
    expect(&b, "main", &none, 0, 0, 0);
}

static void what_stands_in_functions_is_not_read(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    body(&b);
    INSTRUCTION(&b, 16, 50, 17, 64, 2, 3);
    expect(&b, "main", NULL, 0, 0, 0);
}

static void broken_modules_are_refused_with_a_reason(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    b.count = 4;
    expect_failure(&b, NULL, FG_ERR_FORMAT, 0);
    start(&b);
    b.words[0] = 0x03022307;
    expect_failure(&b, NULL, FG_ERR_FORMAT, 0);
    b.words[0] = 0x46464952;
    expect_failure(&b, NULL, FG_ERR_FORMAT, 0);
    start(&b);
    expect_failure(&b, NULL, FG_ERR_NOT_FOUND, 0);
    b.words[b.count++] = 0x00000011;
    expect_failure(&b, NULL, FG_ERR_CORRUPT, 20);
    b.words[5] = 3 << 16 | 17;
    expect_failure(&b, NULL, FG_ERR_CORRUPT, 20);
    b.words[5] = 1 << 16 | 15;
    expect_failure(&b, NULL, FG_ERR_CORRUPT, 20);
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    INSTRUCTION(&b, 16, 50, 17, 64, 0, 1);
    expect_failure(&b, "main", FG_ERR_CORRUPT, 0);
    assert_int_equal(fgi_spirv_workgroup(NULL, 0, NULL, NULL, NULL, NULL), FG_ERR_ARGUMENT);
}

static uint32_t random_word(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 32);
}

/** The copy is of the exact size and on its own, so that a sanitizer sees any read past it. */
static void damaged_modules_never_read_past_their_end(void **state)
{
    (void)state;
    struct builder b;
    start(&b);
    entry_point(&b, COMPUTE, 50, "main");
    entry_point(&b, VERTEX, 51, "draw");
    INSTRUCTION(&b, 331, 50, 38, 21, 12, 23);
    INSTRUCTION(&b, 71, 30, 11, 25);
    constants(&b);
    INSTRUCTION(&b, 51, 9, 30, 21, 11, 22);
    body(&b);
    const struct fgi_spirv_constant given = { 0, 32 };
    const struct fgi_spirv_specialization specialization = { &given, 1 };
    uint64_t seed = 1;
    for (int round = 0; round < 60000; round++) {
        size_t count = random_word(&seed) % 4 == 0 ? random_word(&seed) % (b.count + 1) : b.count;
        uint32_t *copy = test_malloc(count * 4 + 1);
        memcpy(copy, b.words, count * 4);
        for (uint32_t flips = random_word(&seed) % 4; flips > 0 && count > 0; flips--) {
            size_t at = random_word(&seed) % count;
            copy[at] = random_word(&seed) % 2 ? copy[at] ^ 1u << random_word(&seed) % 32
                                              : random_word(&seed) % 80;
        }
        struct fgi_spirv_workgroup group = { 0 };
        struct fg_diag diag = { 0 };
        enum fg_result result = fgi_spirv_workgroup(copy, count, round % 2 ? "main" : NULL,
                                                    &specialization, &group, &diag);
        assert_int_equal(result != FG_OK, diag.message[0] != 0);
        assert_true(!group.known || (group.size[0] && group.size[1] && group.size[2]));
        assert_true(diag.offset <= count * 4);
        test_free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(local_size_is_read),
        cmocka_unit_test(local_size_id_takes_what_the_pipeline_specializes),
        cmocka_unit_test(workgroup_size_constant_overrides_the_mode),
        cmocka_unit_test(constant_workgroup_size_needs_no_specialization),
        cmocka_unit_test(each_entry_point_has_its_own_size),
        cmocka_unit_test(computed_and_wide_constants_are_unknown),
        cmocka_unit_test(what_stands_in_functions_is_not_read),
        cmocka_unit_test(broken_modules_are_refused_with_a_reason),
        cmocka_unit_test(damaged_modules_never_read_past_their_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
