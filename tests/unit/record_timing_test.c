/* SPDX-License-Identifier: MIT */
/* Tables of GPU times without a session; averages; numbers for people. */
#include "record_bed.h"
#include <frameglass/timing.h>
#include "../support/cmocka_all.h"

#include <string.h>

struct tables {
    int count;
    struct fg_timing_row rows[3][2];
    char labels[3][2][16];
    uint32_t row_count[3];
    int64_t busy_ns[3];
};

static void keep_table(void *context, const struct fg_timing_table *table)
{
    struct tables *tables = context;
    assert_int_equal(table->frame, tables->count);
    assert_true(tables->count < 3);
    tables->row_count[tables->count] = table->row_count;
    tables->busy_ns[tables->count] = table->busy_ns;
    for (uint32_t i = 0; i < table->row_count && i < 2; i++) {
        tables->rows[tables->count][i] = table->rows[i];
        (void)strncpy(tables->labels[tables->count][i], table->rows[i].label, 15);
    }
    tables->count++;
}

static void armed_frames_give_one_table_each_without_any_session(void **state)
{
    struct bed bed = { 0 };
    struct tables tables = { 0 };
    (void)state;
    struct fg_software_options options = { .latency_ns = 5000000, .start_ticks = 77 };
    assert_int_equal(fg_software_device_create(&options, &bed.device), FG_OK);
    assert_int_equal(fg_software_commands_create(bed.device, &bed.native[0]), FG_OK);
    assert_null(fg_frame_begin(bed.device));
    assert_int_equal(fg_device_arm_frames(bed.device, 3, NULL, NULL), FG_ERR_ARGUMENT);
    assert_int_equal(fg_device_arm_frames(bed.device, 3, keep_table, &tables), FG_OK);
    assert_int_equal(fg_device_arm_frames(bed.device, 1, keep_table, &tables), FG_ERR_BUSY);
    for (int i = 0; i < 6; i++) {
        bed_begin(&bed, 1);
        bed_pass(&bed, 0, "first", 1000 + i);
        bed_pass(&bed, 0, "second", 2000);
        bed_end(&bed);
        fg_software_advance(bed.device, 2000000);
    }
    assert_null(fg_frame_begin(bed.device));
    assert_int_equal(tables.count, 3);
    for (int i = 0; i < 3; i++) {
        assert_int_equal(tables.row_count[i], 2);
        assert_string_equal(tables.labels[i][0], "first");
        assert_string_equal(tables.labels[i][1], "second");
        assert_true(tables.rows[i][1].valid);
        assert_int_equal(tables.rows[i][0].duration_ns, 1000 + i);
        assert_int_equal(tables.busy_ns[i], 3000 + i);
        assert_int_equal(tables.rows[i][1].begin_ns, 1000 + i);
        assert_int_equal(tables.rows[i][1].begin_ticks, 77 + 2000000u * (unsigned)i + 1000 + i);
        assert_int_equal(tables.rows[i][1].kind, FG_GPU_PASS_COMPUTE);
    }
    fg_software_commands_destroy(bed.native[0]);
    fg_device_destroy(bed.device);
}

static void the_ring_averages_the_last_64_values(void **state)
{
    struct fg_ring ring = { 0 };
    (void)state;
    assert_int_equal(fg_ring_average(&ring), 0);
    fg_ring_add(&ring, 10);
    fg_ring_add(&ring, 11);
    assert_int_equal(fg_ring_average(&ring), 11); /* 10.5, to nearest */
    for (int i = 0; i < 64; i++) {
        fg_ring_add(&ring, 5);
    }
    assert_int_equal(fg_ring_average(&ring), 5);
    fg_ring_add(&ring, -64 * 10 + 5);
    assert_int_equal(fg_ring_average(&ring), -5);
}

static void durations_are_written_with_three_digits(void **state)
{
    static const struct {
        int64_t ns;
        const char *text;
    } cases[] = {
        { 0, "0 ns" },
        { 999, "999 ns" },
        { -871, "-871 ns" },
        { 1000, "1.00 us" },
        { 9994, "9.99 us" },
        { 9995, "10.0 us" },
        { 12340, "12.3 us" },
        { 99949, "99.9 us" },
        { 99950, "100 us" },
        { 999499, "999 us" },
        { 999500, "1.00 ms" },
        { 4560000, "4.56 ms" },
        { 1200000000, "1.20 s" },
        { 999499999999, "999 s" },
        { 12345000000000, "12345 s" },
        { INT64_MAX, "9223372037 s" },
        { INT64_MIN, "-9223372037 s" },
    };
    char out[FG_FORMAT_NS_SIZE];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_string_equal(fg_format_ns(cases[i].ns, out), cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(armed_frames_give_one_table_each_without_any_session),
        cmocka_unit_test(the_ring_averages_the_last_64_values),
        cmocka_unit_test(durations_are_written_with_three_digits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
