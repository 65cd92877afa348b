/* SPDX-License-Identifier: MIT */
/* How much work a span was, from its arguments; and what that says about its time. */
#include "compare_bed.h"
#include "cmocka_all.h"
#include "trace/format_name.h"
#include "trace/work_figures.h"
#include <stdlib.h>
#include <string.h>

/* Arguments as text: dots for depth, then key and value: "..vertices=30", "..count=?", ".draw". */
struct list {
    struct fg_trace_arg items[64];
    uint32_t count;
};
static struct list list_of(struct compare_bed *bed, const char *const *lines)
{
    struct list list = { .count = 0 };
    for (; *lines; lines++) {
        struct fg_trace_arg *arg = &list.items[list.count++];
        const char *key = *lines + strspn(*lines, ".");
        const char *value = strchr(key, '=');
        size_t size = value ? (size_t)(value - key) : strlen(key);
        arg->depth = (uint16_t)(key - *lines);
        arg->key = fgi_builder_text(bed->builder, key, size);
        arg->kind = !value ? FG_ARG_GROUP : FG_ARG_UINT;
        if (value && value[1] == '?') {
            arg->kind = FG_ARG_UNKNOWN;
        } else if (value && strchr(value, 'x')) {
            arg->kind = FG_ARG_TEXT;
            arg->value.text = fgi_builder_cstr(bed->builder, value + 1);
        } else if (value) {
            arg->value.natural = strtoull(value + 1, NULL, 10);
        }
    }
    return list;
}
#define LIST(bed, ...) list_of((bed), (const char *const[]){ __VA_ARGS__, NULL })

static struct fgi_work_amounts work_of(struct compare_bed *bed, struct list list)
{
    struct fgi_work_amounts work;
    fgi_work_of_args(fgi_builder_trace(bed->builder), list.items, list.count, &work);
    return work;
}

static void assert_work(const struct fgi_work_amounts *work, enum fgi_work_unit unit,
                        enum fgi_work_state state, long long amount)
{
    assert_int_equal(work->units[unit].state, state);
    if (state == FGI_WORK_ENCODED || state == FGI_WORK_READ_BACK) {
        assert_int_equal((long long)work->units[unit].amount, amount);
    }
}

static void work_is_added_up_in_its_own_units(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    struct fgi_work_amounts work =
        work_of(&bed, LIST(&bed, "work", ".draw calls=4", ".draw", "..vertices=6", "..instances=10",
                           ".draw indexed", "..repeat=3", "..indices=30", "..instances=2", ".copy",
                           "..bytes=512", ".clear", "attachments", ".color", "..width=64",
                           "..height=32", ".depth", "..width=64", "..height=40", "statistics",
                           ".fragment invocations=999", ".compute invocations=1"));
    assert_work(&work, FGI_WORK_VERTICES, FGI_WORK_ENCODED, 60 + 180);
    assert_work(&work, FGI_WORK_PIXELS, FGI_WORK_ENCODED, 64 * 40);
    assert_work(&work, FGI_WORK_BYTES, FGI_WORK_ENCODED, 512);
    assert_work(&work, FGI_WORK_FRAGMENTS, FGI_WORK_READ_BACK, 999);
    assert_work(&work, FGI_WORK_INVOCATIONS, FGI_WORK_NONE, 0);
    work = work_of(&bed, LIST(&bed, "work", ".dispatch", "..x=4", "..y=5", "..z=2", "..repeat=3",
                              "..workgroup size=8 x 4 x 1"));
    assert_work(&work, FGI_WORK_INVOCATIONS, FGI_WORK_ENCODED, 40 * 3 * 32);
    fgi_builder_destroy(bed.builder);
}

static void what_is_not_known_is_not_zero(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    struct fgi_work_amounts work =
        work_of(&bed, LIST(&bed, "work", ".draw", "..vertices=6", "..instances=1", ".draw indirect",
                           "..count=?", "..draws at most=1"));
    assert_work(&work, FGI_WORK_VERTICES, FGI_WORK_UNKNOWN, 0);
    work = work_of(
        &bed, LIST(&bed, "work", ".dispatch", "..x=4", "..y=5", "..z=2", "..workgroup size=?"));
    assert_work(&work, FGI_WORK_INVOCATIONS, FGI_WORK_UNKNOWN, 0);
    work = work_of(&bed, LIST(&bed, "work", ".copy", "..bytes=?", ".draw mesh tasks", "..x=1"));
    assert_work(&work, FGI_WORK_BYTES, FGI_WORK_UNKNOWN, 0);
    assert_work(&work, FGI_WORK_VERTICES, FGI_WORK_UNKNOWN, 0);
    work = work_of(&bed,
                   LIST(&bed, "work", ".draw", "..vertices=6", "..instances=1", ".not listed=3"));
    assert_work(&work, FGI_WORK_VERTICES, FGI_WORK_UNKNOWN, 0);
    work = work_of(&bed, LIST(&bed, "attachments", ".color", "..width=?", "..height=?"));
    assert_work(&work, FGI_WORK_PIXELS, FGI_WORK_UNKNOWN, 0);
    fgi_builder_destroy(bed.builder);
}

static void counts_that_were_read_back_say_so(void **state)
{
    struct compare_bed bed;
    (void)state;
    compare_bed_begin(&bed);
    struct list indirect =
        LIST(&bed, "work", ".draw", "..vertices=6", "..instances=2", ".draw indexed indirect",
             "..count=?", "..draws at most=2", "resolved", ".work 1, draw 0", "..x=30", "..y=3",
             "..z=0", ".work 1, draw 1", "..x=10", "..y=1", "..z=0");
    struct fgi_work_amounts work = work_of(&bed, indirect);
    assert_work(&work, FGI_WORK_VERTICES, FGI_WORK_READ_BACK, 12 + 90 + 10);
    indirect.count -= 4; /* the second draw's counts did not come */
    work = work_of(&bed, indirect);
    assert_work(&work, FGI_WORK_VERTICES, FGI_WORK_UNKNOWN, 0);
    work = work_of(&bed, LIST(&bed, "work", ".dispatch indirect", "..count=?",
                              "..workgroup size=64 x 1 x 1", "resolved", ".work 0, draw 0", "..x=7",
                              "..y=2", "..z=1"));
    assert_work(&work, FGI_WORK_INVOCATIONS, FGI_WORK_READ_BACK, 14 * 64);
    assert_string_equal(fgi_work_unit_text(FGI_WORK_INVOCATIONS, FGI_WORK_READ_BACK),
                        "invocations (read back)");
    fgi_builder_destroy(bed.builder);
}

/* A pass of 20 frames with one time and one number of vertices, then 20 with another. */
static struct fg_compare_row explain(int64_t base_ns, const char *base_work, int64_t new_ns,
                                     const char *new_work)
{
    struct compare_bed bed;
    compare_bed_begin(&bed);
    uint32_t pass = compare_bed_pass(&bed, "draw", "", 0);
    for (uint32_t frame = 0; frame < 40; frame++) {
        const char *work = frame < 20 ? base_work : new_work;
        struct list list = LIST(&bed, "work", ".draw", work, "..instances=1");
        if (work[0] == '.' && work[2] == 'c') { /* an indirect one, as it was read back */
            list = LIST(&bed, "work", ".draw indirect", "..draws at most=1", "resolved",
                        ".work 0, draw 0", "..x=100", "..y=1");
        }
        (void)compare_bed_frame(&bed, FG_NONE, NULL, 0, 0);
        compare_bed_span(&bed, true, pass, frame < 20 ? base_ns : new_ns, list.items, list.count);
    }
    compare_bed_end(&bed);
    struct fg_compare_reply reply = compare_beds(&bed, 0, 20, &bed, 20, 40);
    struct fg_compare_row row = reply.rows[0];
    compare_bed_finish(&bed);
    row.name = row.scope = row.track = NULL; /* were lent */
    return row;
}

static void the_cause_sets_time_against_work(void **state)
{
    (void)state;
    static const struct {
        int64_t base_ns, new_ns;
        const char *base, *other;
        enum fg_compare_cause cause;
    } cases[] = {
        { 1000, 1000, "..vertices=100", "..vertices=300", FG_CAUSE_NOISE },
        { 1000, 2900, "..vertices=100", "..vertices=300", FG_CAUSE_MORE_WORK },
        { 1000, 1200, "..vertices=100", "..vertices=300", FG_CAUSE_MORE_WORK },
        { 1000, 3299, "..vertices=100", "..vertices=300", FG_CAUSE_MORE_WORK },
        { 1000, 3302, "..vertices=100", "..vertices=300", FG_CAUSE_MORE_WORK_SLOWER },
        { 3000, 1000, "..vertices=300", "..vertices=100", FG_CAUSE_LESS_WORK },
        { 3000, 900, "..vertices=300", "..vertices=100", FG_CAUSE_LESS_WORK_FASTER },
        { 1000, 1100, "..vertices=1000", "..vertices=1009", FG_CAUSE_SLOWER },
        { 1000, 900, "..vertices=1000", "..vertices=1000", FG_CAUSE_FASTER },
        { 1000, 900, "..vertices=100", "..vertices=200", FG_CAUSE_MORE_WORK_FASTER },
        { 1000, 1100, "..vertices=200", "..vertices=100", FG_CAUSE_LESS_WORK_SLOWER },
        { 1000, 1100, "..vertices=0", "..vertices=100", FG_CAUSE_MORE_WORK },
        { 1000, 1100, "..vertices=?", "..vertices=100", FG_CAUSE_NOT_TOLD },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fg_compare_row row =
            explain(cases[i].base_ns, cases[i].base, cases[i].new_ns, cases[i].other);
        assert_int_equal(row.cause, cases[i].cause);
    }
    struct fg_compare_row row = explain(1000, "..vertices=100", 2900, "..vertices=300");
    assert_string_equal(row.work_unit, "vertices");
    assert_int_equal((int)row.sides[0].work, 100);
    assert_int_equal((int)row.sides[1].work, 300);
}

static void encoded_is_never_set_against_read_back(void **state)
{
    (void)state;
    struct fg_compare_row row = explain(1000, "..vertices=100", 2000, "..count=?");
    assert_int_equal(row.cause, FG_CAUSE_NOT_TOLD);
    assert_string_equal(row.work_unit, "vertices");
    assert_int_equal((int)row.sides[0].work, 100);
    assert_int_equal((int)row.sides[1].work, -1);
    row = explain(1000, "..count=?", 2000, "..count=?");
    assert_int_equal(row.cause, FG_CAUSE_SLOWER);
    assert_string_equal(row.work_unit, "vertices (read back)");
}

static void formats_are_called_as_people_do(void **state)
{
    static const struct {
        uint32_t format;
        const char *name;
    } cases[] = {
        { 37, "RGBA8" },       { 43, "RGBA8 sRGB" },      { 97, "RGBA16F" },
        { 126, "D32F" },       { 130, "D32F S8 UINT" },   { 122, "B10G11R11F" },
        { 4, "R5G6B5" },       { 146, "BC7 SRGB BLOCK" }, { 184, "ASTC 12x12 SRGB BLOCK" },
        { 185, "format 185" }, { 0, "format 0" },
    };
    char room[FGI_FORMAT_NAME];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_string_equal(fgi_format_name(cases[i].format, room, sizeof room), cases[i].name);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_is_added_up_in_its_own_units),
        cmocka_unit_test(what_is_not_known_is_not_zero),
        cmocka_unit_test(counts_that_were_read_back_say_so),
        cmocka_unit_test(the_cause_sets_time_against_work),
        cmocka_unit_test(encoded_is_never_set_against_read_back),
        cmocka_unit_test(formats_are_called_as_people_do),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
