/* SPDX-License-Identifier: MIT */
/* Kinds 28 to 39 over the small trace of the view's tests: 12 frames of encode, depth and shade. */
#include "cmocka_all.h"
#include "view_bed.h"
#include <string.h>

enum { FRAMES = 12, ROWS = 36, LINKS = 24, CLIENT_CHANNEL = 9 };

static struct fgt_reply ask(struct fgt_view_bed *bed, struct fgt_request *request)
{
    return fgt_ask(bed->view, request);
}

static uint64_t sum_u64(const struct fgt_reply *reply, uint16_t tag)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < fgt_count(reply, tag); i++) {
        sum += fgt_u64(reply, tag, i);
    }
    return sum;
}

static uint64_t sum_u32(const struct fgt_reply *reply, uint16_t tag)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < fgt_count(reply, tag); i++) {
        sum += fgt_u32(reply, tag, i);
    }
    return sum;
}

static uint32_t hello(struct fgt_view_bed *bed)
{
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_HELLO, 0);
    struct fgt_reply reply = ask(bed, &request);
    uint32_t client = fgt_u32(&reply, 0x0140, 0);
    fgt_reply_finish(&reply);
    return client;
}

static uint32_t status_of(struct fgt_view_bed *bed, struct fgt_request *request)
{
    struct fgt_reply reply = ask(bed, request);
    uint32_t status = reply.status;
    fgt_reply_finish(&reply);
    return status;
}

/* The row of the pass "shade" of a frame: the last one of a slice that is found by its start. */
static uint32_t shade_of(struct fgt_view_bed *bed, uint32_t frame)
{
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_PICK, bed->number);
    fgt_request_u32(&request, 0x1002, 1);
    const int64_t time = (int64_t)frame * 1000 + 500;
    fgt_request_put(&request, 0x1003, FGI_TYPE_I64, &time, 1);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    uint32_t row = fgt_u32(&reply, 0x1040, 0);
    fgt_reply_finish(&reply);
    return row;
}

static void the_minimap_has_every_start_once(void **state)
{
    struct fgt_view_bed *bed = *state;
    for (uint32_t kind = 1; kind <= 2; kind++) {
        struct fgt_request request;
        fgt_request_begin(&request, FGI_KIND_MINIMAP, bed->number);
        fgt_request_u32(&request, 0x1C01, kind);
        struct fgt_reply reply = ask(bed, &request);
        assert_int_equal(reply.status, FG_OK);
        assert_int_equal(sum_u32(&reply, 0x1C53), ROWS);
        uint32_t groups = fgt_count(&reply, 0x1C48);
        assert_int_equal(groups, kind == 1 ? 3 : 1);
        assert_int_equal(fgt_u32(&reply, 0x1C4A, groups), fgt_count(&reply, 0x1C50));
        fgt_reply_finish(&reply);
    }
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_MINIMAP, bed->number);
    fgt_request_u32(&request, 0x1C01, 0);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
}

static void begin_links(struct fgt_view_bed *bed, struct fgt_request *request)
{
    static const uint32_t lanes[] = { 0, 1 };
    static const int32_t y[] = { 10, 30 };
    static const int32_t in_view[] = { 0, 40 };
    fgt_request_begin(request, FGI_KIND_LINKS, bed->number);
    fgt_request_i64s(request, 0x1D01, 0, FRAMES * 1000);
    fgt_request_u32(request, 0x1D02, 1000);
    fgt_request_put(request, 0x1D03, FGI_TYPE_U32, lanes, 2);
    fgt_request_put(request, 0x1D05, FGI_TYPE_I32, y, 2);
    fgt_request_put(request, 0x1D06, FGI_TYPE_I32, in_view, 2);
}

static void every_dependency_is_a_line_or_is_counted_once(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    begin_links(bed, &request);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    uint32_t lines = fgt_count(&reply, 0x1D40);
    assert_true(lines > 0);
    assert_int_equal(lines + sum_u64(&reply, 0x1D59) - fgt_u64(&reply, 0x1D58, 3), LINKS);
    for (uint32_t i = 0; i < lines; i++) {
        assert_true(fgt_u32(&reply, 0x1D45, i) < 2);
        assert_true(fgt_f64(&reply, 0x1D48, i) >= fgt_f64(&reply, 0x1D47, i));
    }
    fgt_reply_finish(&reply);
}

static void a_selected_span_has_its_lines_whatever_the_budget_is(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    const uint32_t budget[] = { 1, 0 };
    uint32_t row = shade_of(bed, 4);
    begin_links(bed, &request);
    fgt_request_put(&request, 0x1D09, FGI_TYPE_U32, budget, 2);
    fgt_request_u32(&request, 0x1D0C, row);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u64(&reply, 0x1D58, 1), 1);
    assert_int_equal(fgt_u32(&reply, 0x1D42, 0), row);
    assert_int_equal(fgt_u8(&reply, 0x1D4A, 0) & 1, 1);
    assert_int_equal(fgt_u8(&reply, 0x1D49, 0), 4);
    fgt_reply_finish(&reply);
}

static void lines_that_cannot_be_are_refused(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    begin_links(bed, &request);
    fgt_request_u32(&request, 0x1D04, 0);
    assert_int_equal(status_of(bed, &request), FG_ERR_FORMAT); /* one place has no y */
    begin_links(bed, &request);
    fgt_request_u32(&request, 0x1D0A, 3);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
    begin_links(bed, &request);
    const uint32_t budget[] = { 65537, 0 };
    fgt_request_put(&request, 0x1D09, FGI_TYPE_U32, budget, 2);
    assert_int_equal(status_of(bed, &request), FG_ERR_LIMIT);
    fgt_request_begin(&request, FGI_KIND_LINKS, bed->number);
    fgt_request_i64s(&request, 0x1D01, 0, 1000);
    fgt_request_u32(&request, 0x1D02, 10);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT); /* IN_VIEW is missing */
}

static void a_filter_of_a_focus_has_the_rows_that_it_reaches(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    const uint32_t seeds[] = { shade_of(bed, 2), shade_of(bed, 2), shade_of(bed, 6), 5000 };
    const uint32_t reach[] = { 2, 1, 0, 0 }; /* what they waited for, one hop */
    fgt_request_begin(&request, FGI_KIND_FOCUS, bed->number);
    fgt_request_put(&request, 0x1E01, FGI_TYPE_U32, seeds, 4);
    fgt_request_put(&request, 0x1E02, FGI_TYPE_U32, reach, 4);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x1E40, 0), 4);
    assert_int_equal(fgt_u32(&reply, 0x1E41, 0), 2);
    assert_int_equal(fgt_u32(&reply, 0x1E41, 1), 1);
    assert_int_equal(fgt_u32(&reply, 0x1E41, 2), 1);
    assert_int_equal(sum_u32(&reply, 0x1E42), 4);
    fgt_reply_finish(&reply);

    fgt_request_begin(&request, FGI_KIND_FILTER_CREATE, bed->number);
    fgt_request_put(&request, 0x0A0C, FGI_TYPE_U32, seeds, 4);
    fgt_request_put(&request, 0x0A0D, FGI_TYPE_U32, reach, 4);
    reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x0A41, 0), 4);
    uint32_t filter = fgt_u32(&reply, 0x0A40, 0);
    fgt_reply_finish(&reply);

    /* It is made anew with the trace, and composes with chosen rows. */
    fgt_view_bed_attach(bed);
    fgt_request_begin(&request, FGI_KIND_STATS, bed->number);
    fgt_request_u32(&request, 0x0C05, filter);
    reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(sum_u64(&reply, 0x0C45), 4);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_FILTER_CREATE, bed->number);
    fgt_request_put(&request, 0x0A0C, FGI_TYPE_U32, seeds, 4);
    fgt_request_put(&request, 0x0A0E, FGI_TYPE_U32, seeds, 4);
    reply = ask(bed, &request);
    assert_int_equal(fgt_u32(&reply, 0x0A41, 0), 2);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_FOCUS, bed->number);
    const uint32_t sideways[] = { 3, 1, 0, 0 };
    fgt_request_put(&request, 0x1E02, FGI_TYPE_U32, sideways, 4);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
}

static void a_path_is_the_chain_that_ends_in_a_span(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    uint32_t row = shade_of(bed, 3);
    fgt_request_begin(&request, FGI_KIND_PATH, bed->number);
    fgt_request_u32(&request, 0x1F02, row);
    fgt_request_u32(&request, 0x1F08, row);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u64(&reply, 0x1F40, 0), 50 + 100 + 180);
    assert_int_equal(fgt_u32(&reply, 0x1F41, 0), row);
    assert_int_equal(fgt_u32(&reply, 0x1F43, 5), 3);
    assert_int_equal(fgt_u64(&reply, 0x1F44, 0), 50 + 100 + 180);
    assert_int_equal(fgt_u64(&reply, 0x1F50, 0), 0);
    assert_int_equal(fgt_u64(&reply, 0x1F51, 0), 330);
    uint32_t pieces = fgt_count(&reply, 0x1F48);
    assert_int_equal(fgt_u32(&reply, 0x1F4A, pieces - 1), row);
    fgt_reply_finish(&reply);

    fgt_request_begin(&request, FGI_KIND_PATH, bed->number);
    fgt_request_u32(&request, 0x1F07, 1);
    reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x1F41, 0), shade_of(bed, 7)); /* the slow frame */
    assert_int_equal(fgt_count(&reply, 0x1F48), 1);
    assert_int_equal(reply.flags & FGI_REPLY_OVERFLOW, FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_PATH, bed->number);
    fgt_request_u32(&request, 0x1F01, 2);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
}

static void a_slice_tells_what_led_to_a_span(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_SLICE, bed->number);
    fgt_request_u32(&request, 0x2001, shade_of(bed, 3));
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_count(&reply, 0x2040), 3);
    assert_int_equal(fgt_u32(&reply, 0x2040, 0), shade_of(bed, 3));
    assert_int_equal((int32_t)fgt_u32(&reply, 0x2041, 2), -2);
    /* What each was reached from, by what, and how long was waited there. */
    assert_int_equal(fgt_u32(&reply, 0x2049, 0), FG_NONE);
    assert_int_equal(fgt_u32(&reply, 0x2049, 1), fgt_u32(&reply, 0x2040, 0));
    assert_int_equal(fgt_u32(&reply, 0x2049, 2), fgt_u32(&reply, 0x2040, 1));
    for (uint32_t i = 1; i < 3; i++) {
        uint64_t gap = fgt_u64(&reply, 0x2046, i - 1) - fgt_u64(&reply, 0x2047, i);
        bool is_claimed = fgt_u8(&reply, 0x2043, i) != 0;
        assert_int_equal(fgt_u64(&reply, 0x204B, i), is_claimed ? gap : 0);
        assert_true(fgt_u8(&reply, 0x204A, i) <= 31);
    }
    assert_int_equal(fgt_u8(&reply, 0x204A, 1), 4); /* depth was written, then read */
    assert_int_equal(sum_u32(&reply, 0x2048), 0);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_SLICE, bed->number);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND);
}

static void groups_histogram_and_buckets_are_of_the_same_spans(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    static const uint32_t by[] = { 0, 1, 2, 3, 4, 5, 6, 7, 8, 11 };
    uint64_t total = 0;
    for (unsigned i = 0; i < sizeof by / sizeof *by; i++) {
        fgt_request_begin(&request, FGI_KIND_AGGREGATE, bed->number);
        fgt_request_u32(&request, 0x2108, by[i]);
        fgt_request_u32(&request, 0x210B, 1);
        struct fgt_reply reply = ask(bed, &request);
        assert_int_equal(reply.status, FG_OK);
        assert_int_equal(fgt_u64(&reply, 0x2141, 0), ROWS);
        assert_int_equal(sum_u64(&reply, 0x214C), ROWS);
        total = i == 0 ? sum_u64(&reply, 0x214F) : total;
        assert_int_equal(sum_u64(&reply, 0x214F), total);
        fgt_reply_finish(&reply);
    }
    assert_int_equal(total, FRAMES * (50 + 100 + 180) + 400);
    fgt_request_begin(&request, FGI_KIND_HISTOGRAM, bed->number);
    fgt_request_u32(&request, 0x2209, 1);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(sum_u64(&reply, 0x2242), ROWS);
    assert_int_equal(fgt_u64(&reply, 0x2249, 0), ROWS);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_BUCKETS, bed->number);
    fgt_request_u32(&request, 0x2308, 7);
    reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_count(&reply, 0x2348), 7);
    assert_int_equal(sum_u64(&reply, 0x2348), ROWS);
    assert_int_equal(sum_u64(&reply, 0x234B), total);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_AGGREGATE, bed->number);
    fgt_request_u32(&request, 0x2108, 12);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
    fgt_request_begin(&request, FGI_KIND_BUCKETS, bed->number);
    fgt_request_u32(&request, 0x2308, 65537);
    assert_int_equal(status_of(bed, &request), FG_ERR_LIMIT);
}

static void begin_groups(struct fgt_view_bed *bed, struct fgt_request *request, uint32_t by)
{
    static const uint32_t base[] = { 0, 7 }, scored[] = { 7, 8 }; /* before the hitch, and it */
    fgt_request_begin(request, FGI_KIND_GROUP_SCORES, bed->number);
    fgt_request_u32(request, 0x2608, by);
    fgt_request_put(request, 0x260D, FGI_TYPE_U32, base, 2);
    fgt_request_put(request, 0x2602, FGI_TYPE_U32, scored, 2);
}

static void groups_that_take_longer_than_they_did_are_scored(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    begin_groups(bed, &request, 1);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x2640, 0), 3);
    assert_int_equal(fgt_u32(&reply, 0x2641, 0), 1);
    /* shade takes 580 in place of 180; the others what they did */
    assert_true(fgt_text_is(&reply, 0x2648, 0, "shade"));
    assert_int_equal(fgt_u64(&reply, 0x264F, 0), 580);
    assert_int_equal(fgt_u64(&reply, 0x2650, 0), 180);
    assert_int_equal(fgt_u64(&reply, 0x264E, 0), 7);
    assert_int_equal(fgt_u64(&reply, 0x2654, 0), 580 * UINT64_C(1000000) / 180);
    assert_int_equal(fgt_u64(&reply, 0x2655, 0), fgt_u64(&reply, 0x2654, 0) - 1000000);
    assert_int_equal(fgt_u32(&reply, 0x2653, 0), 32);
    assert_int_equal(fgt_u8(&reply, 0x2656, 0), 255);
    assert_int_equal(fgt_u32(&reply, 0x2649, 0), FG_NONE); /* a text */
    assert_int_equal(fgt_u64(&reply, 0x2655, 1), 0);
    assert_int_equal(fgt_u8(&reply, 0x2656, 1), 1);
    fgt_reply_finish(&reply);

    begin_groups(bed, &request, 4);
    fgt_request_u32(&request, 0x2611, 1); /* the first of them */
    reply = ask(bed, &request);
    assert_int_equal(fgt_count(&reply, 0x2649), 1);
    assert_true(fgt_u32(&reply, 0x2649, 0) < 3 &&
                fgt_u32(&reply, 0x2649, 0) == fgt_u32(&reply, 0x264A, 0));
    assert_int_equal(reply.flags & FGI_REPLY_OVERFLOW, FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&reply);
}

static void groups_without_a_score_say_why(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    /* Of frames each is only on its own side. */
    begin_groups(bed, &request, 8);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    uint32_t flags[2] = { 0, 0 };
    for (uint32_t i = 0; i < fgt_count(&reply, 0x2653); i++) {
        assert_int_equal(fgt_u8(&reply, 0x2656, i), 0);
        bool is_base = fgt_u32(&reply, 0x2653, i) == 2;
        flags[is_base]++;
        assert_int_equal(fgt_u64(&reply, is_base ? 0x264D : 0x264E, i), 0);
        assert_int_equal(fgt_u32(&reply, is_base ? 0x2649 : 0x264A, i), FG_NONE);
    }
    assert_int_equal(flags[0], fgt_u32(&reply, 0x2641, 2));
    assert_int_equal(flags[1], fgt_u32(&reply, 0x2641, 1));
    assert_true(flags[0] > 0 && flags[1] > 0);
    fgt_reply_finish(&reply);
}

static void groups_may_be_of_the_cpu_or_of_a_gpu_alone(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t counts[4];
    for (uint32_t kinds = 0; kinds < 4; kinds++) {
        struct fgt_request request;
        begin_groups(bed, &request, 1);
        fgt_request_u32(&request, 0x260B, kinds);
        struct fgt_reply reply = ask(bed, &request);
        assert_int_equal(reply.status, FG_OK);
        counts[kinds] = fgt_u32(&reply, 0x2640, 0);
        fgt_reply_finish(&reply);
    }
    assert_int_equal(counts[1], 1);
    assert_int_equal(counts[2], 2);
    assert_true(counts[0] == 3 && counts[3] == 3);
}

static void scores_of_groups_that_cannot_be_are_refused(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    const uint64_t rule[] = { 1, 2, 3 };
    begin_groups(bed, &request, 12);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
    begin_groups(bed, &request, 1);
    fgt_request_u32(&request, 0x260B, 4);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
    begin_groups(bed, &request, 1);
    fgt_request_u32(&request, 0x260F, 99);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND);
    begin_groups(bed, &request, 1);
    fgt_request_put(&request, 0x260A, FGI_TYPE_U64, rule, 3);
    assert_int_equal(status_of(bed, &request), FG_ERR_FORMAT);
    begin_groups(bed, &request, 1);
    fgt_request_i64s(&request, 0x260C, 5, 5);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
    begin_groups(bed, &request, 1);
    fgt_request_u32(&request, 0x2605, 77);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND);
    begin_groups(bed, &request, 1);
    fgt_request_u32(&request, 0x260E, 77);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND);
}

/* Scores of all rows against all of their name, kept. */
static uint32_t keep_scores(struct fgt_view_bed *bed)
{
    struct fgt_request request;
    const uint32_t frames[] = { 0, 7 };
    fgt_request_begin(&request, FGI_KIND_ANOMALIES, bed->number);
    fgt_request_put(&request, 0x240D, FGI_TYPE_U32, frames, 2);
    fgt_request_u32(&request, 0x2411, 1);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x2448, 0), shade_of(bed, 7));
    uint32_t scores = fgt_u32(&reply, 0x2440, 0);
    assert_int_not_equal(scores, 0);
    fgt_reply_finish(&reply);
    return scores;
}

static void every_row_says_why_it_has_a_score_or_none(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    uint32_t scores = keep_scores(bed);
    const uint32_t rows[] = { shade_of(bed, 7), shade_of(bed, 2) };
    fgt_request_begin(&request, FGI_KIND_ROW_SCORES, bed->number);
    fgt_request_u32(&request, 0x2701, scores);
    fgt_request_put(&request, 0x2702, FGI_TYPE_U32, rows, 2);
    struct fgt_reply reply = ask(bed, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_true(fgt_u8(&reply, 0x2740, 0) >= 128);
    assert_true(fgt_u8(&reply, 0x2740, 1) < 128);
    assert_int_equal(fgt_u8(&reply, 0x2741, 0), 0);
    fgt_reply_finish(&reply);

    fgt_request_begin(&request, FGI_KIND_ROW_SCORES, bed->number);
    assert_int_equal(status_of(bed, &request), FG_ERR_ARGUMENT);
    fgt_request_begin(&request, FGI_KIND_ROW_SCORES, bed->number);
    fgt_request_u32(&request, 0x2701, scores + 1);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND);
    fgt_request_begin(&request, FGI_KIND_ROW_SCORES, bed->number);
    fgt_request_u32(&request, 0x2701, scores);
    fgt_request_u32(&request, 0x2702, 5000);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND);
}

/* ---- tasks ----------------------------------------------------------------------------------- */

static void begin_work(struct fgt_view_bed *bed, struct fgt_request *request, uint16_t kind)
{
    begin_links(bed, request);
    request->kind = kind;
    fgt_request_u32(request, 0x1E01, 9);
    fgt_request_u32(request, 0x2001, 9);
    fgt_request_u32(request, 0x2108, 1);
    fgt_request_u32(request, 0x210B, 1);
    fgt_request_u32(request, 0x2209, 1);
    fgt_request_u32(request, 0x1F08, 1);
    fgt_request_u32(request, 0x0A09, 1);
}

static struct fgt_reply step(struct fgt_view_bed *bed, uint16_t tag, uint32_t value,
                             uint32_t client, uint32_t generation)
{
    struct fgt_request request;
    const uint64_t rows = 5;
    begin_work(bed, &request, FGI_KIND_TASK);
    request.client = client;
    request.channel = CLIENT_CHANNEL;
    request.generation = generation;
    fgt_request_u32(&request, tag, value);
    if (tag == 0x2502) {
        fgt_request_put(&request, 0x2504, FGI_TYPE_U64, &rows, 1);
    }
    return ask(bed, &request);
}

static uint32_t start(struct fgt_view_bed *bed, uint16_t kind, uint32_t client, uint32_t generation)
{
    struct fgt_reply reply = step(bed, 0x2501, kind, client, generation);
    assert_int_equal(reply.status, FG_OK);
    uint32_t task = fgt_u32(&reply, 0x2540, 0);
    assert_int_not_equal(task, 0);
    assert_int_equal(fgt_u64(&reply, 0x2541, 0), 0);
    fgt_reply_finish(&reply);
    return task;
}

static void a_task_ends_with_the_answer_that_is_given_at_once(void **state)
{
    struct fgt_view_bed *bed = *state;
    static const struct {
        uint16_t kind, tag;
    } works[] = { { FGI_KIND_AGGREGATE, 0x214F },    { FGI_KIND_AGGREGATE, 0x2154 },
                  { FGI_KIND_HISTOGRAM, 0x2242 },    { FGI_KIND_BUCKETS, 0x234B },
                  { FGI_KIND_PATH, 0x1F4A },         { FGI_KIND_PATH, 0x1F50 },
                  { FGI_KIND_GROUP_SCORES, 0x2651 }, { FGI_KIND_STATS, 0x0C49 },
                  { FGI_KIND_LINKS, 0x1D40 },        { FGI_KIND_FOCUS, 0x1E48 },
                  { FGI_KIND_SLICE, 0x204B },        { FGI_KIND_SLICE, 0x2049 },
                  { FGI_KIND_FILTER_CREATE, 0x0A41 } };
    for (unsigned i = 0; i < sizeof works / sizeof *works; i++) {
        struct fgt_request request;
        begin_work(bed, &request, works[i].kind);
        struct fgt_reply direct = ask(bed, &request);
        assert_int_equal(direct.status, FG_OK);
        uint32_t task = start(bed, works[i].kind, 0, 0);
        struct fgt_reply reply = step(bed, 0x2502, task, 0, 0);
        for (unsigned steps = 1; fgt_u32(&reply, 0x2540, 0) != 0; steps++) {
            assert_true(steps < 1000);
            assert_true(fgt_u64(&reply, 0x2541, 1) >= fgt_u64(&reply, 0x2541, 0));
            assert_int_equal(fgt_u64(&reply, 0x2541, 4), steps);
            fgt_reply_finish(&reply);
            reply = step(bed, 0x2502, task, 0, 0);
        }
        uint32_t count = 0;
        const uint8_t *expected = fgt_section(&direct, works[i].tag, &count);
        uint32_t got = 0;
        const uint8_t *values = fgt_section(&reply, works[i].tag, &got);
        assert_true(count > 0 && got == count);
        assert_memory_equal(values, expected, (size_t)count * 4);
        fgt_reply_finish(&reply);
        fgt_reply_finish(&direct);
        reply = step(bed, 0x2502, task, 0, 0);
        assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
        fgt_reply_finish(&reply);
    }
}

static uint32_t step_status(struct fgt_view_bed *bed, uint16_t tag, uint32_t value, uint32_t client,
                            uint32_t generation)
{
    struct fgt_reply reply = step(bed, tag, value, client, generation);
    uint32_t status = reply.status;
    fgt_reply_finish(&reply);
    return status;
}

static void a_task_ends_when_it_is_not_wanted_any_more(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t client = hello(bed);
    uint32_t task = start(bed, FGI_KIND_AGGREGATE, client, 5);
    assert_int_equal(step_status(bed, 0x2503, task, client, 5), FG_OK);
    assert_int_equal(step_status(bed, 0x2502, task, client, 5), FG_ERR_NOT_FOUND);

    task = start(bed, FGI_KIND_AGGREGATE, client, 6);
    uint32_t newer = start(bed, FGI_KIND_BUCKETS, client, 7);
    assert_int_equal(step_status(bed, 0x2502, task, client, 6), FG_ERR_CANCELLED);
    assert_int_equal(step_status(bed, 0x2502, task, client, 7), FG_ERR_NOT_FOUND);
    fgt_view_bed_attach(bed); /* the trace is made anew */
    assert_int_equal(step_status(bed, 0x2502, newer, client, 7), FG_ERR_NOT_FOUND);

    uint32_t first = start(bed, FGI_KIND_PATH, client, 8);
    uint32_t second = start(bed, FGI_KIND_PATH, client, 8);
    for (unsigned i = 0; i < FGI_MAX_TASKS - 1; i++) {
        start(bed, FGI_KIND_HISTOGRAM, client, 8);
    }
    assert_int_equal(step_status(bed, 0x2502, first, client, 8), FG_ERR_NOT_FOUND);
    assert_int_equal(step_status(bed, 0x2502, second, client, 8), FG_OK);
    assert_int_equal(step_status(bed, 0x2501, FGI_KIND_VIEW, client, 8), FG_ERR_ARGUMENT);
    assert_int_equal(step_status(bed, 0x2505, 3, client, 8), FG_ERR_ARGUMENT);
}

static void views_have_a_representation_and_say_which(void **state)
{
    struct fgt_view_bed *bed = *state;
    for (uint32_t detail = 0; detail <= 4; detail++) {
        const uint32_t lane = 1;
        const uint32_t details[] = { detail, detail == 0 };
        struct fgt_request request;
        fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
        fgt_request_i64s(&request, 0x0701, 0, FRAMES * 1000);
        fgt_request_u32(&request, 0x0702, 16);
        fgt_request_put(&request, 0x0703, FGI_TYPE_U32, &lane, 1);
        fgt_request_put(&request, 0x070B, FGI_TYPE_U32, details, 2);
        struct fgt_reply reply = ask(bed, &request);
        if (detail == 4) {
            assert_int_equal(reply.status, FG_ERR_ARGUMENT);
        } else if (detail > 0) {
            assert_int_equal(fgt_u8(&reply, 0x0749, 0), detail - 1);
        }
        fgt_reply_finish(&reply);
    }
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
    fgt_request_i64s(&request, 0x0701, 0, 1000);
    fgt_request_u32(&request, 0x0702, 16);
    fgt_request_u32(&request, 0x070A, 1);
    assert_int_equal(status_of(bed, &request), FG_ERR_NOT_FOUND); /* no scores of this number */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_minimap_has_every_start_once),
        cmocka_unit_test(every_dependency_is_a_line_or_is_counted_once),
        cmocka_unit_test(a_selected_span_has_its_lines_whatever_the_budget_is),
        cmocka_unit_test(lines_that_cannot_be_are_refused),
        cmocka_unit_test(a_filter_of_a_focus_has_the_rows_that_it_reaches),
        cmocka_unit_test(a_path_is_the_chain_that_ends_in_a_span),
        cmocka_unit_test(a_slice_tells_what_led_to_a_span),
        cmocka_unit_test(groups_histogram_and_buckets_are_of_the_same_spans),
        cmocka_unit_test(groups_that_take_longer_than_they_did_are_scored),
        cmocka_unit_test(groups_without_a_score_say_why),
        cmocka_unit_test(groups_may_be_of_the_cpu_or_of_a_gpu_alone),
        cmocka_unit_test(scores_of_groups_that_cannot_be_are_refused),
        cmocka_unit_test(every_row_says_why_it_has_a_score_or_none),
        cmocka_unit_test(a_task_ends_with_the_answer_that_is_given_at_once),
        cmocka_unit_test(a_task_ends_when_it_is_not_wanted_any_more),
        cmocka_unit_test(views_have_a_representation_and_say_which),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
