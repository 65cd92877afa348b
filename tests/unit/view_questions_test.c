/* SPDX-License-Identifier: MIT */
/* Filters, figures, search, one span, structure, cancelling, several traces. */
#include "view_bed.h"
#include <frameglass/trace_events.h>
#include "cmocka_all.h"
#include <frameglass/trace.h>

static struct fgt_reply ask_u32(struct fgt_view_bed *bed, uint16_t kind, uint16_t tag,
                                uint32_t value)
{
    struct fgt_request request;
    fgt_request_begin(&request, kind, bed->number);
    fgt_request_u32(&request, tag, value);
    return fgt_ask(bed->view, &request);
}

static uint32_t make_filter(struct fgt_view_bed *bed, int64_t least_ns, uint32_t *out_rows)
{
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_FILTER_CREATE, bed->number);
    fgt_request_i64s(&request, 0x0A07, least_ns, 0);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_OK);
    uint32_t number = fgt_u32(&reply, 0x0A40, 0);
    *out_rows = fgt_u32(&reply, 0x0A41, 0);
    fgt_reply_finish(&reply);
    return number;
}

static uint32_t destroy_filter(struct fgt_view_bed *bed, uint32_t number)
{
    struct fgt_reply reply = ask_u32(bed, FGI_KIND_FILTER_DESTROY, 0x0B01, number);
    uint32_t status = reply.status;
    fgt_reply_finish(&reply);
    return status;
}

static void equal_filters_are_one_and_end_as_often_as_they_were_made(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t rows;
    uint32_t first = make_filter(bed, 500, &rows);
    assert_int_equal(rows, 1); /* the slow shade of frame 7 */
    assert_int_equal(make_filter(bed, 500, &rows), first);
    uint32_t other = make_filter(bed, 100, &rows);
    assert_int_equal(rows, 24);
    assert_int_not_equal(other, first);
    assert_int_equal(destroy_filter(bed, first), FG_OK);
    struct fgt_reply stats = ask_u32(bed, FGI_KIND_STATS, 0x0C05, first);
    assert_int_equal(stats.status, FG_OK);
    assert_int_equal(fgt_u64(&stats, 0x0C45, 0), 1);
    fgt_reply_finish(&stats);
    assert_int_equal(destroy_filter(bed, first), FG_OK);
    assert_int_equal(destroy_filter(bed, first), FG_ERR_NOT_FOUND);
    stats = ask_u32(bed, FGI_KIND_STATS, 0x0C05, first);
    assert_int_equal(stats.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&stats);
    assert_int_equal(destroy_filter(bed, other), FG_OK);
}

static void the_least_recently_used_filter_goes_first(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t rows;
    uint32_t numbers[FGI_MAX_FILTERS + 1];
    for (uint32_t i = 0; i < FGI_MAX_FILTERS; i++) {
        numbers[i] = make_filter(bed, 1 + (int64_t)i, &rows);
    }
    struct fgt_reply used = ask_u32(bed, FGI_KIND_STATS, 0x0C05, numbers[0]);
    assert_int_equal(used.status, FG_OK);
    fgt_reply_finish(&used);
    numbers[FGI_MAX_FILTERS] = make_filter(bed, 1000, &rows);
    assert_int_equal(destroy_filter(bed, numbers[1]), FG_ERR_NOT_FOUND);
    assert_int_equal(destroy_filter(bed, numbers[0]), FG_OK);
    for (uint32_t i = 2; i <= FGI_MAX_FILTERS; i++) {
        assert_int_equal(destroy_filter(bed, numbers[i]), FG_OK);
    }
}

static struct fgt_reply stats_by(struct fgt_view_bed *bed, uint32_t by, uint32_t column,
                                 uint32_t ascending)
{
    struct fgt_request request;
    const uint32_t sort[] = { column, ascending };
    fgt_request_begin(&request, FGI_KIND_STATS, bed->number);
    fgt_request_u32(&request, 0x0C01, by);
    fgt_request_put(&request, 0x0C06, FGI_TYPE_U32, sort, 2);
    return fgt_ask(bed->view, &request);
}

static void statistics_never_mix_clocks_and_sort_as_asked(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply stats = stats_by(bed, 0, 0, 0);
    assert_int_equal(stats.status, FG_OK);
    /* "depth" on the device, "depth" on the host, "shade". */
    assert_int_equal(fgt_u32(&stats, 0x0C40, 0), 3);
    assert_int_equal(fgt_u64(&stats, 0x0C46, 0), 12 * 180 + 400);
    assert_int_equal(fgt_u64(&stats, 0x0C4A, 0), 180);
    assert_int_equal(fgt_u64(&stats, 0x0C4C, 0), 580);
    assert_int_equal(fgt_u64(&stats, 0x0C41, 0), 12 * 180 + 400 + 1200 + 600);
    assert_true(fgt_text_is(&stats, FGI_TAG_NAMES, fgt_u32(&stats, 0x0C54, 0), "graphics"));
    fgt_reply_finish(&stats);
    stats = stats_by(bed, 0, 7, 1);
    assert_int_equal(fgt_u64(&stats, 0x0C4C, 0), 50);
    assert_int_equal(fgt_u64(&stats, 0x0C4C, 2), 580);
    fgt_reply_finish(&stats);
    stats = stats_by(bed, 0, 8, 0);
    assert_true(fgt_text_is(&stats, FGI_TAG_NAMES, fgt_u32(&stats, 0x0C43, 0), "shade"));
    fgt_reply_finish(&stats);
    stats = stats_by(bed, 0, 9, 0);
    assert_int_equal(stats.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&stats);
    stats = stats_by(bed, 4, 0, 0);
    assert_int_equal(stats.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&stats);
    stats = stats_by(bed, 1, 0, 0);
    assert_true(fgt_text_is(&stats, FGI_TAG_NAMES, fgt_u32(&stats, 0x0C53, 0), "lighting"));
    fgt_reply_finish(&stats);
}

static void statistics_come_in_pages_and_ranges(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    static const uint32_t frames[] = { 7, 8 };
    fgt_request_begin(&request, FGI_KIND_STATS, bed->number);
    fgt_request_put(&request, 0x0C03, FGI_TYPE_U32, frames, 2);
    fgt_request_u32(&request, 0x0C07, 1);
    fgt_request_u32(&request, 0x0C08, 1);
    struct fgt_reply stats = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_u32(&stats, 0x0C40, 0), 3);
    assert_int_equal(fgt_count(&stats, 0x0C43), 1);
    assert_int_equal(fgt_u64(&stats, 0x0C46, 0), 100);
    assert_int_equal(stats.flags & FGI_REPLY_OVERFLOW, FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&stats);
}

static void frames_have_their_figures(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply frames = ask_u32(bed, FGI_KIND_FRAMES, 0x0D01, 5);
    assert_int_equal(frames.status, FG_OK);
    assert_int_equal(fgt_count(&frames, 0x0D41), 7);
    assert_int_equal(fgt_u64(&frames, 0x0D42, 0), 105);
    assert_int_equal(fgt_u32(&frames, 0x0D4B, 0), 3);
    assert_int_equal(fgt_u64(&frames, 0x0D46, 2), 700);
    assert_int_equal(fgt_u64(&frames, 0x0D47, 2), 680);
    assert_int_equal(fgt_u64(&frames, 0x0D54, 2), UINT64_MAX);
    assert_true((fgt_u16(&frames, 0x0D4E, 2) & 1) != 0);
    assert_true((fgt_u16(&frames, 0x0D4E, 2) & 32) != 0);
    assert_true((fgt_u16(&frames, 0x0D4E, 1) & 1) == 0);
    fgt_reply_finish(&frames);
    frames = ask_u32(bed, FGI_KIND_FRAMES, 0x0D01, 4000000000u);
    assert_int_equal(frames.status, FG_OK);
    assert_int_equal(fgt_count(&frames, 0x0D41), 0);
    fgt_reply_finish(&frames);
}

static void search_finds_spans_page_by_page_and_other_things_once(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_SEARCH, bed->number);
    fgt_request_put(&request, 0x0E01, FGI_TYPE_TEXT, "DEPTH", 5);
    fgt_request_u32(&request, 0x0E03, 20);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u32(&reply, 0x0E40, 0), 24);
    assert_int_equal(fgt_count(&reply, 0x0E42), 20);
    /* The pass and the resource "depth buffer". */
    assert_int_equal(fgt_count(&reply, 0x0E50), 2);
    assert_int_equal(fgt_u8(&reply, 0x0E50, 0), 1);
    assert_int_equal(fgt_u8(&reply, 0x0E50, 1), 2);
    assert_int_equal(fgt_u32(&reply, 0x0E52, 1), 0);
    uint32_t next = fgt_u32(&reply, 0x0E41, 0);
    fgt_reply_finish(&reply);
    fgt_request_u32(&request, 0x0E02, next);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x0E42), 4);
    assert_int_equal(fgt_count(&reply, 0x0E50), 0);
    assert_int_equal(fgt_u32(&reply, 0x0E41, 0), FG_NONE);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_SEARCH, bed->number);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
}

static void a_span_tells_all_and_unknown_is_not_zero(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply span = ask_u32(bed, FGI_KIND_SPAN, 0x0F01, 23); /* shade of frame 7 */
    assert_int_equal(span.status, FG_OK);
    assert_int_equal(fgt_u64(&span, 0x0F40, 0), 7420);
    assert_int_equal(fgt_u64(&span, 0x0F40, 1), 8000);
    assert_int_equal(fgt_u64(&span, 0x0F46, 0), 580);
    assert_int_equal(fgt_u32(&span, 0x0F41, 7), 7);
    assert_int_equal(fgt_u32(&span, 0x0F41, 12), 1);
    assert_true(fgt_text_is(&span, FGI_TAG_NAMES, fgt_u32(&span, 0x0F41, 9), "shade"));
    assert_int_equal(fgt_u64(&span, 0x0F44, 0), 50);
    assert_int_equal(fgt_u8(&span, 0x0F45, 0), 1);
    assert_int_equal(fgt_count(&span, 0x0F50), 4);
    assert_int_equal(fgt_u8(&span, 0x0F52, 1), FG_ARG_UINT);
    assert_int_equal(fgt_u8(&span, 0x0F53, 1), FG_QUALITY_ENCODED);
    assert_int_equal(fgt_u64(&span, 0x0F54, 1), 14);
    assert_int_equal(fgt_u8(&span, 0x0F52, 2), FG_ARG_UNKNOWN);
    assert_int_equal(fgt_u64(&span, 0x0F54, 2), 0);
    assert_true(fgt_text_is(&span, FGI_TAG_NAMES, (uint32_t)fgt_u64(&span, 0x0F54, 3), "opaque"));
    assert_int_equal(fgt_count(&span, 0x0F60), 2); /* once, although the graph says so as well */
    assert_int_equal(fgt_u8(&span, 0x0F62, 0), FG_DEPENDENCY_DATA);
    assert_int_equal(fgt_u8(&span, 0x0F62, 1), FG_DEPENDENCY_QUEUE);
    assert_int_equal(fgt_u32(&span, 0x0F60, 0), fgt_u32(&span, 0x0F60, 1));
    fgt_reply_finish(&span);
    span = ask_u32(bed, FGI_KIND_SPAN, 0x0F01, 36);
    assert_int_equal(span.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&span);
}

static void small_gaps_between_clocks_are_not_claimed(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply span = ask_u32(bed, FGI_KIND_SPAN, 0x0F01, 22); /* depth of frame 7 */
    assert_int_equal(fgt_u8(&span, 0x0F62, 0), FG_DEPENDENCY_SUBMIT);
    assert_int_equal(fgt_u8(&span, 0x0F63, 0), 1);
    assert_int_equal(fgt_u64(&span, 0x0F64, 0), 240);                /* well over the bound of 50 */
    assert_int_equal(fgt_u8(&span, 0x0F62, 1), FG_DEPENDENCY_QUEUE); /* of the frame before */
    assert_int_equal(fgt_u64(&span, 0x0F64, 1), 700);
    assert_int_equal(fgt_count(&span, 0x0F65), 2);
    assert_int_equal(fgt_u64(&span, 0x0F69, 0), 20); /* one clock: exact */
    fgt_reply_finish(&span);
}

static void picking_takes_the_span_or_the_nearest(void **state)
{
    struct fgt_view_bed *bed = *state;
    static const struct {
        int64_t time, tolerance;
        uint32_t row;
    } cases[] = {
        { 7350, 0, 22 },  { 7410, 0, FG_NONE }, { 7412, 20, 23 },
        { 7405, 20, 22 }, { 8000, 0, FG_NONE },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct fgt_request request;
        fgt_request_begin(&request, FGI_KIND_PICK, bed->number);
        fgt_request_u32(&request, 0x1001, 1);
        fgt_request_put(&request, 0x1003, FGI_TYPE_I64, &cases[i].time, 1);
        fgt_request_put(&request, 0x1004, FGI_TYPE_I64, &cases[i].tolerance, 1);
        struct fgt_reply reply = fgt_ask(bed->view, &request);
        assert_int_equal(reply.status, FG_OK);
        assert_int_equal(fgt_u32(&reply, 0x1040, 0), cases[i].row);
        fgt_reply_finish(&reply);
    }
    struct fgt_reply reply = ask_u32(bed, FGI_KIND_PICK, 0x1001, 1);
    assert_int_equal(reply.status, FG_ERR_ARGUMENT);
    fgt_reply_finish(&reply);
}

static void structure_says_what_a_frame_made_of_it(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply reply = ask_u32(bed, FGI_KIND_STRUCTURE, 0x1101, 7);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_count(&reply, 0x1148), 3);
    assert_int_equal(fgt_u16(&reply, 0x114A, 1), 2);
    assert_int_equal(fgt_u16(&reply, 0x114A, 2), 1);
    assert_int_equal(fgt_u64(&reply, 0x114C, 1), 580);
    assert_int_equal(fgt_u64(&reply, 0x114C, 2), UINT64_MAX);
    assert_int_equal(fgt_u64(&reply, 0x114D, 0), 50);
    assert_int_equal(fgt_u32(&reply, 0x114E, 1), 23);
    assert_int_equal(fgt_u16(&reply, 0x1154, 0), 1);
    assert_int_equal(fgt_u16(&reply, 0x1154, 2), 4); /* only the culled pass makes it */
    assert_int_equal(fgt_u64(&reply, 0x1155, 1), UINT64_MAX);
    assert_int_equal(fgt_u32(&reply, 0x1157, 1), 320);
    assert_int_equal(fgt_u32(&reply, 0x1145, 0), 1);
    assert_int_equal(fgt_count(&reply, 0x1160), 4);
    assert_int_equal(fgt_u8(&reply, 0x1162, 0), 6);
    fgt_reply_finish(&reply);
    reply = ask_u32(bed, FGI_KIND_STRUCTURE, 0x1102, 0);
    assert_int_equal(fgt_u16(&reply, 0x114A, 2), 16);
    assert_int_equal(fgt_u32(&reply, 0x114B, 0), FG_NONE);
    fgt_reply_finish(&reply);
    reply = ask_u32(bed, FGI_KIND_STRUCTURE, 0x1102, 1);
    assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&reply);
    reply = ask_u32(bed, FGI_KIND_STRUCTURE, 0x1101, 99);
    assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&reply);
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_TOPOLOGIES, bed->number);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_u64(&reply, 0x1440, 0), 0xABCDEF);
    assert_int_equal(fgt_u32(&reply, 0x1443, 0), 12);
    assert_int_equal(fgt_u64(&reply, 0x1446, 0), 230400 + 64);
    assert_int_equal(fgt_u64(&reply, 0x1447, 0), 230400);
    assert_int_equal(fgt_u32(&reply, 0x1448, 0), 1);
    fgt_reply_finish(&reply);
}

static void events_come_in_pages_with_what_they_bind(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    struct fgt_reply all = ask_u32(bed, FGI_KIND_EVENTS, 0x1601, 7);
    /* submission; depth: gpu; shade, in its scope's place: gpu, draw; debug, culled; signal */
    static const uint8_t kinds[] = { 0, 2, 3, 2, 3, 4, 8, 10 };
    static const uint8_t depths[] = { 0, 1, 2, 1, 2, 3, 1, 1 };
    assert_int_equal(all.status, FG_OK);
    assert_int_equal(fgt_u32(&all, 0x1640, 0), 8);
    assert_int_equal(fgt_u32(&all, 0x1641, 0), 0);
    for (uint32_t i = 0; i < 8; i++) {
        assert_int_equal(fgt_u8(&all, 0x1642, i), kinds[i]);
        assert_int_equal(fgt_u8(&all, 0x1643, i), depths[i]);
    }
    assert_int_equal(fgt_u32(&all, 0x1644, 4), 23);
    assert_int_equal(fgt_u64(&all, 0x1649, 4), 580);
    assert_int_equal(fgt_u64(&all, 0x1649, 5), UINT64_MAX); /* -1: a call is not measured */
    assert_int_equal(fgt_u64(&all, 0x164B, 5), 36);
    fgt_reply_finish(&all);
    fgt_request_begin(&request, FGI_KIND_EVENTS, bed->number);
    fgt_request_u32(&request, 0x1601, 7);
    fgt_request_u32(&request, 0x1602, 4);
    fgt_request_u32(&request, 0x1603, 2);
    struct fgt_reply page = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&page, 0x1642), 2);
    assert_true(page.flags & FGI_REPLY_OVERFLOW);
    assert_int_equal(fgt_count(&page, 0x1650), 2); /* an attachment and a binding */
    assert_int_equal(fgt_u32(&page, 0x1650, 1), 5);
    assert_int_equal(fgt_u32(&page, 0x1653, 1), 0);
    assert_int_equal(fgt_u8(&page, 0x1655, 1), FG_EVENT_READS);
    assert_int_equal(fgt_u32(&page, 0x1656, 1), 0); /* "depth" made it */
    fgt_reply_finish(&page);
    page = ask_u32(bed, FGI_KIND_EVENTS, 0x1601, 12);
    assert_int_equal(page.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&page);
}

static void a_series_has_one_item_for_each_frame(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply reply = ask_u32(bed, FGI_KIND_SERIES, 0x1501, 23);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_count(&reply, 0x1540), 12);
    assert_int_equal(fgt_u64(&reply, 0x1541, 7), 580);
    assert_int_equal(fgt_u64(&reply, 0x1543, 0), 180);
    assert_int_equal(fgt_u64(&reply, 0x1543, 1), 180);
    assert_int_equal(fgt_u64(&reply, 0x1543, 2), 580);
    fgt_reply_finish(&reply);
}

static uint32_t hello(struct fgt_view_bed *bed)
{
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_HELLO, 0);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    uint32_t client = reply.client;
    fgt_reply_finish(&reply);
    return client;
}

static uint32_t ask_generation(struct fgt_view_bed *bed, uint16_t kind, uint32_t client,
                               uint16_t channel, uint32_t generation)
{
    struct fgt_request request;
    fgt_request_begin(&request, kind, bed->number);
    request.client = client;
    request.channel = channel;
    request.generation = generation;
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    uint32_t status = reply.status;
    fgt_reply_finish(&reply);
    return status;
}

static void a_newer_generation_cancels_older_ones_of_its_channel(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t mine = hello(bed);
    uint32_t other = hello(bed);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, mine, 3, 5), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, mine, 3, 4), FG_ERR_CANCELLED);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, mine, 3, 5), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, mine, 2, 1), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, other, 3, 1), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, mine, 3, 0), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_CANCEL, mine, 3, 9), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, mine, 3, 8), FG_ERR_CANCELLED);
    /* Nobody's client cancels nothing. */
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, 4000, 3, 9), FG_OK);
    assert_int_equal(ask_generation(bed, FGI_KIND_TRACKS, 4000, 3, 8), FG_OK);
}

static void two_traces_are_told_apart(void **state)
{
    struct fgt_view_bed *bed = *state;
    const struct fgi_view_input input = { .label = "other.sgpt", .size_bytes = UINT64_MAX };
    uint32_t number = 0;
    assert_int_equal(fgi_view_add(bed->view, &input, &number), FG_OK);
    assert_int_not_equal(number, bed->number);
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_TRACES, 0);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&reply, 0x0240), 2);
    assert_true(fgt_text_is(&reply, 0x0242, 1, "other.sgpt"));
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_INFO, number);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_STATE);
    fgt_reply_finish(&reply);
    fgi_view_remove(bed->view, number);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&reply);
    assert_int_equal(fgi_view_add(bed->view, &input, &number), FG_OK);
    assert_int_equal(number, 3); /* numbers are never given again */
    fgi_view_remove(bed->view, number);
}

static void a_reloaded_trace_has_a_new_revision_and_the_same_filters(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t rows;
    uint32_t filter = make_filter(bed, 500, &rows);
    struct fgt_reply before = ask_u32(bed, FGI_KIND_STATS, 0x0C05, filter);
    fgt_view_bed_attach(bed);
    struct fgt_reply after = ask_u32(bed, FGI_KIND_STATS, 0x0C05, filter);
    assert_int_equal(before.status, FG_OK);
    assert_int_equal(after.status, FG_OK);
    assert_int_equal(after.revision, before.revision + 1);
    assert_int_equal(fgt_u32(&after, 0x0C40, 0), fgt_u32(&before, 0x0C40, 0));
    fgt_reply_finish(&before);
    fgt_reply_finish(&after);
    fgt_view_bed_attach(bed);
    assert_int_equal(make_filter(bed, 500, &rows), filter); /* the same, before anybody used it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(equal_filters_are_one_and_end_as_often_as_they_were_made),
        cmocka_unit_test(the_least_recently_used_filter_goes_first),
        cmocka_unit_test(statistics_never_mix_clocks_and_sort_as_asked),
        cmocka_unit_test(statistics_come_in_pages_and_ranges),
        cmocka_unit_test(frames_have_their_figures),
        cmocka_unit_test(search_finds_spans_page_by_page_and_other_things_once),
        cmocka_unit_test(a_span_tells_all_and_unknown_is_not_zero),
        cmocka_unit_test(small_gaps_between_clocks_are_not_claimed),
        cmocka_unit_test(picking_takes_the_span_or_the_nearest),
        cmocka_unit_test(structure_says_what_a_frame_made_of_it),
        cmocka_unit_test(events_come_in_pages_with_what_they_bind),
        cmocka_unit_test(a_series_has_one_item_for_each_frame),
        cmocka_unit_test(a_newer_generation_cancels_older_ones_of_its_channel),
        cmocka_unit_test(two_traces_are_told_apart),
        cmocka_unit_test(a_reloaded_trace_has_a_new_revision_and_the_same_filters),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
