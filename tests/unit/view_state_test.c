/* SPDX-License-Identifier: MIT */
/* Metrics, live resources, losses, and marks with values, as a client of the view gets them. */
#include "view_bed.h"
#include "cmocka_all.h"
#include <frameglass/trace_state.h>

static struct fgt_reply ask_plain(struct fgt_view_bed *bed, uint16_t kind)
{
    struct fgt_request request;
    fgt_request_begin(&request, kind, bed->number);
    return fgt_ask(bed->view, &request);
}

/* Is the name of a column's row this? The reply brings all names, from 0 on. */
static bool is_name(const struct fgt_reply *reply, uint16_t tag, uint32_t i, const char *name)
{
    return fgt_text_is(reply, FGI_TAG_NAMES, fgt_u32(reply, tag, i), name);
}

static void info_counts_what_there_is(void **state)
{
    struct fgt_view_bed *bed = *state;
    static const uint64_t wanted[] = { 2, 4, 3, 4, 10 };
    struct fgt_reply info = ask_plain(bed, FGI_KIND_INFO);
    assert_int_equal(fgt_count(&info, 0x055B), 5);
    for (uint32_t i = 0; i < 5; i++) {
        assert_int_equal(fgt_u64(&info, 0x055B, i), wanted[i]);
    }
    fgt_reply_finish(&info);
}

/* ---- METRICS --------------------------------------------------------------------------------- */

static void a_metric_without_a_value_is_not_zero(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply reply = ask_plain(bed, FGI_KIND_METRICS);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x1940, 0), 2);
    assert_true(is_name(&reply, 0x1941, 0, "draws"));
    assert_true(is_name(&reply, 0x1942, 0, "count"));
    assert_int_equal(fgt_u8(&reply, 0x1944, 0), 2);
    assert_int_equal(fgt_u8(&reply, 0x1945, 0), 0);
    assert_int_equal(fgt_u32(&reply, 0x1946, 0), FG_NONE);
    assert_int_equal(fgt_u8(&reply, 0x1947, 0), 0);
    /* A counter that nobody defined: nothing is told of it but its values. */
    assert_true(is_name(&reply, 0x1941, 1, "GPU memory"));
    assert_int_equal(fgt_u8(&reply, 0x1944, 1), 255);
    assert_int_equal(fgt_u8(&reply, 0x1945, 1), 255);
    assert_int_equal(fgt_u32(&reply, 0x1946, 1), 0);
    assert_int_equal(fgt_u8(&reply, 0x1947, 1), 1);
    assert_int_equal(fgt_u64(&reply, 0x1948, 1), 1011);
    assert_int_equal(fgt_u64(&reply, 0x1949, 1), 11000);
    assert_int_equal(fgt_u64(&reply, 0x194A, 1), 12);
    assert_int_equal(fgt_u64(&reply, 0x194B, 1), 1000);
    assert_int_equal(fgt_u64(&reply, 0x194C, 1), 1011);
    fgt_reply_finish(&reply);
}

static void metrics_of_a_window_and_of_a_page(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_METRICS, bed->number);
    fgt_request_i64s(&request, 0x1901, 2001, 3000);
    fgt_request_u32(&request, 0x1902, 1);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x1941), 1);
    assert_int_equal(fgt_u64(&reply, 0x194A, 0), 0); /* none came */
    assert_int_equal(fgt_u8(&reply, 0x1947, 0), 1);  /* and one holds */
    assert_int_equal(fgt_u64(&reply, 0x1948, 0), 1002);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_METRICS, bed->number);
    fgt_request_i64s(&request, 0x1901, -50, 0);
    fgt_request_u32(&request, 0x1903, 1);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x1941), 1);
    assert_true(reply.flags & FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_METRICS, bed->number);
    fgt_request_i64s(&request, 0x1901, 5, 5);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
}

/* ---- OBJECTS --------------------------------------------------------------------------------- */

static void live_resources_are_told_with_what_is_known_of_them(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply reply = ask_plain(bed, FGI_KIND_OBJECTS);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x1A40, 0), 3);
    static const uint64_t counts[] = { 3, 3, 1, 2 };
    static const uint64_t bytes[] = { 450, 1300, 900, 400 };
    static const uint64_t unknown[] = { 1, 1, 0, 1 };
    for (uint32_t i = 0; i < 4; i++) {
        assert_int_equal(fgt_u64(&reply, 0x1A41, i), counts[i]);
        assert_int_equal(fgt_u64(&reply, 0x1A42, i), bytes[i]);
        assert_int_equal(fgt_u64(&reply, 0x1A43, i), unknown[i]);
    }
    assert_int_equal(fgt_u64(&reply, 0x1A44, 0), 1350); /* with the old one, that always lived */
    assert_int_equal(fgt_u64(&reply, 0x1A45, 0), 3000);
    assert_int_equal(fgt_u64(&reply, 0x1A49, 0), 1);
    assert_true(is_name(&reply, 0x1A4A, 0, "albedo"));
    assert_true(is_name(&reply, 0x1A4B, 0, "texture"));
    assert_int_equal(fgt_u64(&reply, 0x1A4C, 0), 400);
    assert_int_equal(fgt_u8(&reply, 0x1A4D, 0), 1);
    assert_int_equal(fgt_u32(&reply, 0x1A4E, 0), 37);
    assert_int_equal(fgt_u32(&reply, 0x1A4F, 0), 13);
    assert_int_equal(fgt_u32(&reply, 0x1A4F, 1), 7);
    assert_int_equal(fgt_u64(&reply, 0x1A50, 0), 1000);
    assert_int_equal(fgt_u64(&reply, 0x1A51, 0), INT64_MAX);
    assert_int_equal(fgt_u32(&reply, 0x1A52, 0), 1);
    assert_int_equal(fgt_u32(&reply, 0x1A53, 0), FG_NONE);
    assert_int_equal(fgt_u32(&reply, 0x1A54, 0), 2);
    assert_int_equal(fgt_u64(&reply, 0x1A4C, 1), UINT64_MAX); /* buffer 3 */
    assert_true((int64_t)fgt_u64(&reply, 0x1A50, 2) == INT64_MIN);
    assert_int_equal(fgt_u8(&reply, 0x1A4D, 2), 255);
    assert_true(is_name(&reply, 0x1A58, 0, "texture"));
    assert_int_equal(fgt_count(&reply, 0x1A58), 3);
    assert_int_equal(fgt_u64(&reply, 0x1A5A, 2), UINT64_MAX); /* not known comes last */
    fgt_reply_finish(&reply);
}

static void resources_of_a_window_are_chosen_sorted_and_searched(void **state)
{
    struct fgt_view_bed *bed = *state;
    const uint32_t by_size[] = { 1, 1 }, wrong[] = { 6, 0 };
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_OBJECTS, bed->number);
    fgt_request_i64s(&request, 0x1A01, 1000, 2501);
    fgt_request_u32(&request, 0x1A02, 1);
    fgt_request_put(&request, 0x1A05, FGI_TYPE_U32, by_size, 2);
    fgt_request_u32(&request, 0x1A07, 4);
    fgt_request_u32(&request, 0x1A08, 0);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x1A48), 3);
    assert_int_equal(fgt_u32(&reply, 0x1A48, 0), 1);
    assert_int_equal(fgt_u64(&reply, 0x1A4C, 1), 100); /* before it grew */
    assert_int_equal(fgt_u32(&reply, 0x1A48, 2), 2);
    assert_int_equal(fgt_u8(&reply, 0x1A55, 0), 1); /* gone since */
    assert_int_equal(fgt_count(&reply, 0x1A60), 4);
    assert_int_equal(fgt_u64(&reply, 0x1A61, 3), 3);
    assert_int_equal(fgt_u64(&reply, 0x1A62, 3), 450);
    assert_int_equal(fgt_u64(&reply, 0x1A61, 0), 4); /* of a quarter: 9, that was there, too */
    assert_int_equal(fgt_count(&reply, 0x1A68), 2);
    assert_int_equal(fgt_u8(&reply, 0x1A69, 1), 3);
    assert_int_equal(fgt_u64(&reply, 0x1A6A, 1), 400);
    assert_true(is_name(&reply, 0x1A6B, 1, "albedo"));
    fgt_reply_finish(&reply);

    fgt_request_begin(&request, FGI_KIND_OBJECTS, bed->number);
    fgt_request_put(&request, 0x1A06, FGI_TYPE_TEXT, "TEXT", 4);
    fgt_request_u32(&request, 0x1A02, 2);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x1A48), 1);
    assert_true(is_name(&reply, 0x1A4A, 0, "Depth"));
    assert_int_equal(fgt_u32(&reply, 0x1A53, 0), 4);
    fgt_reply_finish(&reply);

    static const struct {
        uint16_t tag;
        uint32_t value;
        uint32_t status;
    } refused[] = { { 0x1A02, 4, FG_ERR_ARGUMENT },
                    { 0x1A07, 16385, FG_ERR_ARGUMENT },
                    { 0x1A08, 4, FG_ERR_NOT_FOUND } };
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        fgt_request_begin(&request, FGI_KIND_OBJECTS, bed->number);
        fgt_request_u32(&request, refused[i].tag, refused[i].value);
        reply = fgt_ask(bed->view, &request);
        assert_int_equal(reply.status, refused[i].status);
        fgt_reply_finish(&reply);
    }
    fgt_request_begin(&request, FGI_KIND_OBJECTS, bed->number);
    fgt_request_put(&request, 0x1A05, FGI_TYPE_U32, wrong, 2);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
}

/* ---- LOSSES ---------------------------------------------------------------------------------- */

static void losses_are_where_they_were_noticed(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    struct fgt_reply reply = ask_plain(bed, FGI_KIND_LOSSES);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_count(&reply, 0x1B41), FG_TRACE_LOSS_COUNTERS);
    assert_int_equal(fgt_u64(&reply, 0x1B41, 0), 10);
    assert_int_equal(fgt_u64(&reply, 0x1B41, 3), 0);          /* known, and none */
    assert_int_equal(fgt_u64(&reply, 0x1B41, 1), UINT64_MAX); /* not told */
    assert_int_equal(fgt_count(&reply, 0x1B48), 4);
    assert_int_equal(fgt_u32(&reply, 0x1B48, 2), 1);
    assert_int_equal(fgt_u64(&reply, 0x1B49, 3), 7500);
    assert_int_equal(fgt_u64(&reply, 0x1B4A, 3), 3500); /* the gap before it on that track */
    assert_true((int64_t)fgt_u64(&reply, 0x1B4A, 2) == INT64_MIN);
    assert_int_equal(fgt_u64(&reply, 0x1B4B, 3), 4);
    assert_int_equal(fgt_u32(&reply, 0x1B4C, 3), 7);
    assert_int_equal(fgt_count(&reply, 0x1B50), 2);
    assert_int_equal(fgt_u32(&reply, 0x1B50, 0), 0);
    assert_int_equal(fgt_u64(&reply, 0x1B51, 0), 7);
    assert_int_equal(fgt_u32(&reply, 0x1B52, 0), 3);
    assert_int_equal(fgt_u64(&reply, 0x1B53, 0), 1500);
    assert_int_equal(fgt_u64(&reply, 0x1B54, 0), 7500);
    fgt_reply_finish(&reply);
    /* From 4000 on: what was lost before 5500 on the other track, and before 7500 here. */
    fgt_request_begin(&request, FGI_KIND_LOSSES, bed->number);
    fgt_request_i64s(&request, 0x1B01, 4000, 4100);
    fgt_request_u32(&request, 0x1B03, 1);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_u32(&reply, 0x1B40, 0), 2);
    assert_int_equal(fgt_count(&reply, 0x1B48), 1);
    assert_int_equal(fgt_u64(&reply, 0x1B49, 0), 5500);
    assert_true(reply.flags & FGI_REPLY_OVERFLOW);
    assert_int_equal(fgt_count(&reply, 0x1B50), 2); /* of the whole trace */
    fgt_reply_finish(&reply);
}

/* ---- MARKS ----------------------------------------------------------------------------------- */

static void marks_have_values_and_losses_come_when_asked(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    struct fgt_reply reply = ask_plain(bed, FGI_KIND_MARKS);
    assert_int_equal(fgt_u32(&reply, 0x0940, 0), 2);
    assert_int_equal(fgt_u8(&reply, 0x0946, 0), 1);
    assert_true((int64_t)fgt_u64(&reply, 0x0947, 0) == -640);
    assert_true(is_name(&reply, 0x0948, 0, "window"));
    assert_int_equal(fgt_u8(&reply, 0x0946, 1), 0);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_MARKS, bed->number);
    fgt_request_u32(&request, 0x0902, 4);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x0941), 4);
    assert_int_equal(fgt_u8(&reply, 0x0941, 0), 3);
    assert_int_equal(fgt_u64(&reply, 0x0947, 3), 4);
    fgt_reply_finish(&reply);
}

static void many_marks_come_as_bins(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_MARKS, bed->number);
    fgt_request_u32(&request, 0x0902, 7);
    fgt_request_u32(&request, 0x0905, 1);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT); /* a width needs a window */
    fgt_reply_finish(&reply);
    fgt_request_i64s(&request, 0x0901, 100, 8292);
    fgt_request_u32(&request, 0x0904, 5);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_u32(&reply, 0x0940, 0), 6);
    assert_int_equal(fgt_count(&reply, 0x0941), 0);
    assert_int_equal(fgt_u32(&reply, 0x0951, 0), 13); /* 8192 ns on one pixel */
    /* All of them begin in the first bin: one for each track, and one for the whole trace. */
    assert_int_equal(fgt_count(&reply, 0x0958), 3);
    assert_int_equal(fgt_u32(&reply, 0x0959, 0), 0);
    assert_int_equal(fgt_u32(&reply, 0x095B, 0), 4);
    assert_int_equal(fgt_u8(&reply, 0x095A, 0), 5);
    assert_int_equal(fgt_u64(&reply, 0x095C, 0), 500);
    assert_true(is_name(&reply, 0x095D, 0, "resize"));
    assert_int_equal(fgt_u32(&reply, 0x0959, 2), FG_NONE);
    assert_int_equal(fgt_u8(&reply, 0x095A, 2), 2);
    assert_false(reply.flags & FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&reply);
    fgt_request_u32(&request, 0x0904, 6); /* as many as there are: one by one */
    reply = fgt_ask(bed->view, &request);
    assert_int_not_equal(reply.status, FG_OK); /* a tag twice */
    fgt_reply_finish(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(info_counts_what_there_is),
        cmocka_unit_test(a_metric_without_a_value_is_not_zero),
        cmocka_unit_test(metrics_of_a_window_and_of_a_page),
        cmocka_unit_test(live_resources_are_told_with_what_is_known_of_them),
        cmocka_unit_test(resources_of_a_window_are_chosen_sorted_and_searched),
        cmocka_unit_test(losses_are_where_they_were_noticed),
        cmocka_unit_test(marks_have_values_and_losses_come_when_asked),
        cmocka_unit_test(many_marks_come_as_bins),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
