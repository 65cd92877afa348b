/* SPDX-License-Identifier: MIT */
/* COMPARE: the bytes that docs/PROTOCOL.md promises. */
#include "view_bed.h"
#include "cmocka_all.h"
#include <frameglass/trace_query.h>

static struct fgt_request compare(struct fgt_view_bed *bed, uint32_t base, uint32_t other)
{
    struct fgt_request request;
    const uint32_t frames[2][2] = { { base, base + 1 }, { other, other + 1 } };
    fgt_request_begin(&request, FGI_KIND_COMPARE, bed->number);
    fgt_request_put(&request, 0x1701, FGI_TYPE_U32, frames[0], 2);
    fgt_request_put(&request, 0x1702, FGI_TYPE_U32, frames[1], 2);
    return request;
}

static int64_t i64_of(const struct fgt_reply *reply, uint16_t tag, uint32_t index)
{
    return (int64_t)fgt_u64(reply, tag, index);
}

static void assert_slow_frame(const struct fgt_reply *reply)
{
    assert_int_equal(reply->status, FG_OK);
    assert_int_equal(fgt_u32(reply, 0x1740, 0), 3);
    assert_int_equal(fgt_u32(reply, 0x1741, 0), 1);
    assert_int_equal(fgt_u32(reply, 0x1741, 1), 1);
    assert_int_equal((int)fgt_f64(reply, 0x1742, 0), 300);
    assert_int_equal((int)fgt_f64(reply, 0x1742, 1), 700);
    assert_int_equal((int)fgt_f64(reply, 0x1743, 0), 300);
    assert_int_equal(fgt_u32(reply, 0x1744, 1), 0);
    assert_int_equal(fgt_u8(reply, 0x1745, 0), 1);
    assert_int_equal(i64_of(reply, 0x1746, 1), -1);
    assert_true(fgt_text_is(reply, 0x1748, 0, "shade"));
    assert_true(fgt_text_is(reply, 0x1749, 0, "lighting"));
    assert_true(fgt_text_is(reply, 0x174A, 0, "graphics queue"));
    assert_int_equal(fgt_u8(reply, 0x174B, 0), 0);
    assert_int_equal(fgt_u32(reply, 0x174C, 0), 11);
    assert_int_equal(fgt_u32(reply, 0x174D, 0), 23);
    assert_int_equal(fgt_u64(reply, 0x174E, 0), 1);
    assert_int_equal(fgt_u64(reply, 0x174F, 0), 1);
    assert_int_equal((int)fgt_f64(reply, 0x1750, 0), 180);
    assert_int_equal((int)fgt_f64(reply, 0x1751, 0), 580);
    assert_int_equal(i64_of(reply, 0x1752, 0), 180);
    assert_int_equal(i64_of(reply, 0x1753, 0), 580);
    assert_int_equal((int)fgt_f64(reply, 0x1754, 0), 400);
    /* Only the ticks of 41.67 ns are seen: 3 (1 + 6 / 11) sqrt(2 * 41.67^2 / 6). */
    assert_int_equal((int)fgt_f64(reply, 0x1755, 0), 111);
    assert_int_equal(fgt_u8(reply, 0x1756, 0), 0);
    assert_true(fgt_text_is(reply, 0x1757, 0, ""));
    assert_int_equal((int)fgt_f64(reply, 0x1758, 0), -1);
    assert_int_equal((int)fgt_f64(reply, 0x1759, 0), -1);
    assert_int_equal(fgt_u32(reply, 0x175A, 0), 1);
    assert_int_equal(fgt_u32(reply, 0x175B, 0), 1);
    assert_int_equal(fgt_u8(reply, 0x175C, 0), 1);
    assert_int_equal(fgt_u32(reply, 0x175D, 0), 0);
    /* Ties by name, then the GPU before the CPU. */
    assert_true(fgt_text_is(reply, 0x1748, 2, "depth"));
    assert_int_equal(fgt_u8(reply, 0x175C, 1), 1);
    assert_int_equal(fgt_u8(reply, 0x175C, 2), 0);
    assert_int_equal(fgt_u8(reply, 0x1756, 2), 1);
    assert_int_equal(fgt_count(reply, 0x1760), 0);
    assert_true(fgt_text_is(reply, 0x1768, 0, "GPU memory"));
    assert_true(fgt_text_is(reply, 0x1769, 0, "bytes"));
    assert_int_equal((int)fgt_f64(reply, 0x176A, 0), 1003);
    assert_int_equal((int)fgt_f64(reply, 0x176B, 0), 1007);
}

static void two_frames_of_a_trace_are_compared(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request = compare(bed, 3, 7);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_slow_frame(&reply);
    assert_int_equal(reply.flags & FGI_REPLY_OVERFLOW, 0);
    fgt_reply_finish(&reply);
}

static void two_traces_are_compared_like_two_ranges(void **state)
{
    struct fgt_view_bed *bed = *state;
    const struct fgi_view_input input = { .label = "other", .format = "sgpt", .packing = "" };
    uint32_t other = 0;
    assert_int_equal(fgi_view_add(bed->view, &input, &other), FG_OK);
    struct fgt_request request = compare(bed, 3, 7);
    fgt_request_u32(&request, 0x1703, other);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_STATE); /* not loaded yet */
    fgt_reply_finish(&reply);
    fgi_view_attach(bed->view, other, bed->trace, bed->engine);
    reply = fgt_ask(bed->view, &request);
    assert_slow_frame(&reply);
    fgt_reply_finish(&reply);
    fgi_view_remove(bed->view, other);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&reply);
}

static void rows_come_in_pages(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request = compare(bed, 3, 7);
    fgt_request_u32(&request, 0x1705, 1);
    fgt_request_u32(&request, 0x1706, 1);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_u32(&reply, 0x1740, 0), 3);
    assert_int_equal(fgt_count(&reply, 0x1754), 1);
    assert_true(fgt_text_is(&reply, 0x1748, 0, "depth"));
    assert_int_equal(reply.flags & FGI_REPLY_OVERFLOW, FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&reply);
}

/* All of frame 3, and one nanosecond of frame 7: the slow pass meets it, and counts whole. */
static void windows_are_compared_like_one_frame_each(void **state)
{
    struct fgt_view_bed *bed = *state;
    const int64_t base[] = { 3000, 3610 }, other[] = { 7500, 7501 }, backwards[] = { 9, 9 };
    const uint32_t frames[] = { 3, 4 };
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_COMPARE, bed->number);
    fgt_request_put(&request, 0x1707, FGI_TYPE_I64, base, 2);
    fgt_request_put(&request, 0x1708, FGI_TYPE_I64, other, 2);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x1740, 0), 3);
    assert_int_equal(fgt_u32(&reply, 0x1741, 0), 0);
    assert_int_equal((int)fgt_f64(&reply, 0x1742, 1), -1);
    assert_int_equal(i64_of(&reply, 0x1746, 0), 610);
    assert_int_equal(i64_of(&reply, 0x1746, 1), 1);
    assert_true(fgt_text_is(&reply, 0x1748, 0, "shade"));
    assert_int_equal((int)fgt_f64(&reply, 0x1750, 0), 180);
    assert_int_equal((int)fgt_f64(&reply, 0x1751, 0), 580);
    assert_int_equal((int)fgt_f64(&reply, 0x1755, 0), -1);
    assert_true(fgt_text_is(&reply, 0x1748, 1, "depth"));
    assert_int_equal((int)fgt_f64(&reply, 0x1754, 1), -100);
    assert_int_equal(fgt_u8(&reply, 0x174B, 1), 2);
    fgt_reply_finish(&reply);

    fgt_request_put(&request, 0x1702, FGI_TYPE_U32, frames, 2);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_COMPARE, bed->number);
    fgt_request_put(&request, 0x1708, FGI_TYPE_I64, backwards, 2);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
}

static void every_grouping_answers_and_others_are_refused(void **state)
{
    struct fgt_view_bed *bed = *state;
    static const uint32_t rows[] = { 3, 3, 2, 0, 2 };
    for (uint32_t by = 0; by <= FG_STATS_BY_CATEGORY + 1; by++) {
        struct fgt_request request;
        fgt_request_begin(&request, FGI_KIND_COMPARE, bed->number);
        fgt_request_u32(&request, 0x1704, by);
        struct fgt_reply reply = fgt_ask(bed->view, &request);
        assert_int_equal(reply.status, by <= FG_STATS_BY_CATEGORY ? FG_OK : FG_ERR_ARGUMENT);
        if (by <= FG_STATS_BY_CATEGORY) {
            assert_int_equal(fgt_u32(&reply, 0x1740, 0), rows[by]);
            assert_int_equal(fgt_u32(&reply, 0x1741, 1), 12);
        }
        fgt_reply_finish(&reply);
    }
    struct fgt_request request;
    const uint32_t backwards[] = { 5, 4 };
    fgt_request_begin(&request, FGI_KIND_COMPARE, bed->number);
    fgt_request_put(&request, 0x1702, FGI_TYPE_U32, backwards, 2);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
}

/* A message of TASK with what a comparison of frames 3 and 7 is asked with. */
static struct fgt_reply ask_task(struct fgt_view_bed *bed, uint16_t tag, uint32_t value)
{
    const uint64_t rows = 2;
    struct fgt_request request = compare(bed, 3, 7);
    request.kind = FGI_KIND_TASK;
    fgt_request_u32(&request, tag, value);
    fgt_request_put(&request, 0x2504, FGI_TYPE_U64, &rows, 1);
    return fgt_ask(bed->view, &request);
}

static void in_steps_whole_frames_are_told_first(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply reply = ask_task(bed, 0x2501, FGI_KIND_COMPARE);
    unsigned told = 0, steps = 0;
    for (uint32_t task = 0; (task = fgt_u32(&reply, 0x2540, 0)) != 0; steps++) {
        bool are_frames_known = fgt_u64(&reply, 0x2541, 2) == 1;
        assert_int_equal(fgt_u64(&reply, 0x2541, 3), 2);
        assert_true(fgt_text_is(&reply, 0x2542, 0, are_frames_known ? "rows" : "frames"));
        if (fgt_count(&reply, 0x1742) > 0) {
            assert_true(are_frames_known);
            assert_int_equal((int)fgt_f64(&reply, 0x1742, 1), 700);
            assert_true(fgt_text_is(&reply, 0x1768, 0, "GPU memory"));
            assert_int_equal(fgt_count(&reply, 0x1740), 0);
            assert_int_equal(fgt_count(&reply, 0x1754), 0);
            told++;
        }
        fgt_reply_finish(&reply);
        reply = ask_task(bed, 0x2502, task);
        assert_int_equal(reply.status, FG_OK);
    }
    assert_int_equal(told, 1);
    assert_true(steps > 10);
    assert_slow_frame(&reply);
    fgt_reply_finish(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(two_frames_of_a_trace_are_compared),
        cmocka_unit_test(two_traces_are_compared_like_two_ranges),
        cmocka_unit_test(rows_come_in_pages),
        cmocka_unit_test(in_steps_whole_frames_are_told_first),
        cmocka_unit_test(windows_are_compared_like_one_frame_each),
        cmocka_unit_test(every_grouping_answers_and_others_are_refused),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
