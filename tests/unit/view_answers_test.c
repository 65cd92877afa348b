/* SPDX-License-Identifier: MIT */
/* What the small trace of view_bed.c looks like through the protocol. */
#include "view_bed.h"
#include "base/strings.h"
#include "cmocka_all.h"
#include "trace/model.h"
#include <frameglass/trace.h>

static struct fgt_reply ask_plain(struct fgt_view_bed *bed, uint16_t kind)
{
    struct fgt_request request;
    fgt_request_begin(&request, kind, bed->number);
    return fgt_ask(bed->view, &request);
}

static void hello_tells_the_limits_and_the_traces(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_HELLO, 0);
    struct fgt_reply first = fgt_ask(bed->view, &request);
    struct fgt_reply second = fgt_ask(bed->view, &request);
    assert_int_equal(first.status, FG_OK);
    assert_int_equal(fgt_u32(&first, 0x0140, 0), first.client);
    assert_int_not_equal(first.client, second.client);
    assert_int_equal(fgt_u32(&first, 0x0141, 1), 1);
    assert_int_equal(fgt_u32(&first, 0x0142, 1), FGI_MAX_BUFFER_BYTES);
#define ONE_MORE(number, name, loaded) +1
    assert_int_equal(fgt_count(&first, 0x0143), 0 FGI_KINDS(ONE_MORE));
#undef ONE_MORE
    assert_true(fgt_text_is(&first, 0x0144, 0, "frameglass"));
    assert_true(fgt_text_is(&first, 0x0242, 0, "small.sgpt"));
    fgt_reply_finish(&first);
    fgt_reply_finish(&second);
}

static void the_strip_needs_no_loading(void **state)
{
    struct fgt_view_bed bed;
    (void)state;
    fgt_view_bed_make(&bed);
    struct fgt_reply strip = ask_plain(&bed, FGI_KIND_STRIP);
    assert_int_equal(strip.status, FG_OK);
    assert_int_equal(bed.loads, 0);
    assert_int_equal(fgt_u32(&strip, 0x0440, 0), 12);
    assert_int_equal(fgt_u64(&strip, 0x0441, 11), 111);
    assert_int_equal(fgt_u64(&strip, 0x0444, 9), UINT64_MAX);
    assert_int_equal(fgt_u8(&strip, 0x0447, 5), 4);
    assert_int_equal(fgt_u8(&strip, 0x0447, 6), 0);
    assert_int_equal(fgt_u8(&strip, 0x0447, 7), 1);
    assert_int_equal(fgt_u8(&strip, 0x0447, 9), 8);
    fgt_reply_finish(&strip);
    struct fgt_reply info = ask_plain(&bed, FGI_KIND_INFO);
    assert_int_equal(info.status, FG_ERR_STATE);
    fgt_reply_finish(&info);
    fgt_view_bed_finish(&bed);
}

static void the_strip_comes_in_pages(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_STRIP, bed->number);
    fgt_request_u32(&request, 0x0401, 10);
    fgt_request_u32(&request, 0x0402, 1);
    struct fgt_reply strip = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&strip, 0x0441), 1);
    assert_int_equal(fgt_u64(&strip, 0x0441, 0), 110);
    assert_int_equal(strip.flags & FGI_REPLY_OVERFLOW, FGI_REPLY_OVERFLOW);
    fgt_reply_finish(&strip);
}

static void loading_is_asked_for_and_told(void **state)
{
    struct fgt_view_bed bed;
    (void)state;
    fgt_view_bed_make(&bed);
    bed.load_fails = true;
    struct fgt_reply load = ask_plain(&bed, FGI_KIND_LOAD);
    assert_int_equal(fgt_u8(&load, 0x0241, 0), 3);
    assert_int_equal(fgt_u32(&load, 0x024A, 0), FG_ERR_CORRUPT);
    assert_true(fgt_text_is(&load, 0x0249, 0, "nothing of use is in it"));
    fgt_reply_finish(&load);
    bed.load_fails = false;
    bed.load_is_late = true;
    load = ask_plain(&bed, FGI_KIND_LOAD);
    assert_int_equal(fgt_u8(&load, 0x0241, 0), 1);
    fgt_reply_finish(&load);
    fgi_view_progress(bed.view, bed.number, 3, 10);
    load = ask_plain(&bed, FGI_KIND_LOAD);
    assert_int_equal(bed.loads, 2); /* it is under way: not asked again */
    assert_int_equal(fgt_u64(&load, 0x0246, 0), 3);
    assert_int_equal(fgt_u64(&load, 0x0247, 0), 10);
    uint64_t before = load.revision;
    fgt_reply_finish(&load);
    fgt_view_bed_attach(&bed);
    struct fgt_reply traces = ask_plain(&bed, FGI_KIND_TRACES);
    assert_int_equal(fgt_u8(&traces, 0x0241, 0), 2);
    assert_true(fgt_u64(&traces, 0x0248, 0) > before);
    fgt_reply_finish(&traces);
    fgt_view_bed_finish(&bed);
}

static void info_holds_everything_that_is_known(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply info = ask_plain(bed, FGI_KIND_INFO);
    assert_int_equal(info.status, FG_OK);
    assert_int_equal(fgt_u64(&info, 0x0540, 0), 36);
    assert_int_equal(fgt_u64(&info, 0x0540, 13), 12);
    assert_int_equal(fgt_u64(&info, 0x0540, 17), 1);
    assert_int_equal(fgt_u64(&info, 0x0541, 0), 10);
    assert_true(fgt_text_is(&info, 0x0542, 0, "sgpt"));
    assert_int_equal(fgt_u8(&info, 0x0543, 2), 2);
    assert_int_equal(fgt_u64(&info, 0x0545, 0), 3);
    assert_true(fgt_text_is(&info, 0x0546, 0, "clamped_time"));
    assert_int_equal(fgt_u8(&info, 0x0552, 1), 1);
    assert_int_equal(fgt_u64(&info, 0x0553, 0), 0);
    assert_int_equal(fgt_u64(&info, 0x0553, 1), 50);
    assert_int_equal(fgt_u64(&info, 0x0555, 2), 125);
    assert_int_equal(fgt_u64(&info, 0x0555, 3), 3);
    assert_int_equal(fgt_u64(&info, 0x0559, 0), 1234);
    assert_int_equal(fgt_u32(&info, 0x055A, 0), FG_NONE); /* "GPU memory" is the application's */
    assert_int_equal(fgt_u32(&info, 0x055A, 1), FG_NONE);
    /* The name of the reason came along, and is where NAMES_FIRST says. */
    assert_int_equal(fgt_u32(&info, FGI_TAG_NAMES_FIRST, 0), 0);
    assert_true(fgt_text_is(&info, FGI_TAG_NAMES, fgt_u32(&info, 0x0544, 0), "pool was full"));
    fgt_reply_finish(&info);
}

static void names_are_sent_once(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_TRACKS, bed->number);
    struct fgt_reply tracks = fgt_ask(bed->view, &request);
    fgt_reply_finish(&tracks);
    fgt_request_begin(&request, FGI_KIND_NAMES, bed->number);
    struct fgt_reply names = fgt_ask(bed->view, &request);
    uint32_t all = names.names;
    assert_true(all > 3); /* those that anybody was given, not all texts of the trace */
    assert_true(all < fg_trace_text_count(bed->trace));
    assert_int_equal(fgt_count(&names, FGI_TAG_NAMES), all);
    assert_true(fgt_text_is(&names, FGI_TAG_NAMES, 0, ""));
    fgt_reply_finish(&names);
    fgt_request_begin(&request, FGI_KIND_TRACKS, bed->number);
    request.names = all;
    tracks = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&tracks, FGI_TAG_NAMES), 0);
    assert_int_equal(tracks.names, all);
    fgt_reply_finish(&tracks);
    request.names = all - 1;
    fgt_request_begin(&request, FGI_KIND_NAMES, bed->number);
    request.names = all - 1;
    names = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_count(&names, FGI_TAG_NAMES), 1);
    assert_int_equal(fgt_u32(&names, FGI_TAG_NAMES_FIRST, 0), all - 1);
    fgt_reply_finish(&names);
    /* A client that claims more than there are is set right. */
    request.names = UINT32_MAX;
    names = fgt_ask(bed->view, &request);
    assert_int_equal(names.names, all);
    fgt_reply_finish(&names);
}

/* Arguments whose texts get their ids while the question is answered. */
static enum fg_result load_late(void *context, uint32_t row, struct fg_trace_arg *out_args,
                                uint32_t capacity, uint32_t *out_count)
{
    struct fg_trace *trace = context;
    struct fg_trace_arg arg = { .kind = FG_ARG_TEXT };
    (void)row;
    assert_int_equal(fgi_strings_add(&trace->strings, "late key", 8, &arg.key), FG_OK);
    assert_int_equal(fgi_strings_add(&trace->strings, "late value", 10, &arg.value.text), FG_OK);
    if (capacity > 0) {
        out_args[0] = arg;
    }
    *out_count = 1;
    return FG_OK;
}

static void names_that_an_answer_makes_come_with_it(void **state)
{
    struct fgt_view_bed bed;
    struct fgt_request request;
    (void)state;
    fgt_view_bed_make(&bed);
    fgt_view_bed_attach(&bed);
    bed.trace->args_loader = (struct fgi_args_loader){ .load = load_late, .context = bed.trace };
    fgt_request_begin(&request, FGI_KIND_SPAN, bed.number);
    fgt_request_u32(&request, 0x0F01, 3);
    struct fgt_reply span = fgt_ask(bed.view, &request);
    assert_int_equal(span.status, FG_OK);
    assert_int_equal(fgt_u32(&span, FGI_TAG_NAMES_FIRST, 0), 0);
    assert_true(fgt_text_is(&span, FGI_TAG_NAMES, fgt_u32(&span, 0x0F51, 0), "late key"));
    assert_true(
        fgt_text_is(&span, FGI_TAG_NAMES, (uint32_t)fgt_u64(&span, 0x0F54, 0), "late value"));
    assert_int_equal(span.names, fgt_count(&span, FGI_TAG_NAMES));
    fgt_reply_finish(&span);
    fgt_view_bed_finish(&bed);
}

static void tracks_carry_their_clock(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply tracks = ask_plain(bed, FGI_KIND_TRACKS);
    assert_int_equal(fgt_count(&tracks, 0x0648), 3);
    assert_int_equal(fgt_u8(&tracks, 0x064A, 1), 1);
    assert_int_equal(fgt_u8(&tracks, 0x064C, 0), 0);
    assert_int_equal(fgt_u8(&tracks, 0x064C, 1), 1);
    assert_int_equal(fgt_u64(&tracks, 0x064D, 1), 50);
    assert_int_equal(fgt_u32(&tracks, 0x0642, 0), 0x80000000u);
    assert_int_equal(fgt_u32(&tracks, 0x0652, 1), 24);
    assert_int_equal(fgt_count(&tracks, 0x0660), 1);
    fgt_reply_finish(&tracks);
}

static struct fgt_reply view_in(struct fgt_view_bed *bed, int64_t from, int64_t to, uint32_t width,
                                uint32_t fields)
{
    struct fgt_request request;
    static const uint32_t lanes[] = { 1 };
    static const uint32_t groups[] = { 0, 0x80000000u };
    fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
    fgt_request_i64s(&request, 0x0701, from, to);
    fgt_request_u32(&request, 0x0702, width);
    fgt_request_put(&request, 0x0703, FGI_TYPE_U32, lanes, 1);
    fgt_request_put(&request, 0x0704, FGI_TYPE_U32, groups, 2);
    fgt_request_u32(&request, 0x0709, fields);
    return fgt_ask(bed->view, &request);
}

static struct fgt_reply view_of(struct fgt_view_bed *bed, int64_t from, int64_t to, uint32_t fields)
{
    return view_in(bed, from, to, 1000, fields);
}

static void a_view_is_exact_where_there_is_room(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply view = view_of(bed, 7000, 8000, 7);
    assert_int_equal(view.status, FG_OK);
    assert_int_equal(fgt_u32(&view, 0x0741, 0), 0);
    assert_int_equal(fgt_u64(&view, 0x0742, 0), 7000);
    assert_int_equal(fgt_u8(&view, 0x0749, 0), 0);
    assert_int_equal(fgt_u32(&view, 0x0748, 2), 0x80000000u);
    assert_int_equal(fgt_u32(&view, 0x074A, 1), 2);
    assert_true(fgt_f64(&view, 0x0751, 0) == 300.0);
    assert_true(fgt_f64(&view, 0x0752, 1) == 1000.0);
    assert_int_equal(fgt_u32(&view, 0x0755, 0), FG_CLASS_GPU_PASS);
    assert_int_equal(fgt_u32(&view, 0x0756, 0), 7);
    assert_int_equal(fgt_u32(&view, 0x0757, 0), 1);
    assert_int_equal(fgt_u32(&view, 0x0758, 0), 1);
    fgt_reply_finish(&view);
}

static void far_away_times_are_saturated_and_say_so(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_reply view = view_of(bed, INT64_MIN, INT64_MAX, 0);
    assert_int_equal(view.status, FG_OK);
    uint32_t level = fgt_u32(&view, 0x0741, 0);
    assert_true(level >= 53 && level <= 54);
    uint32_t count = fgt_count(&view, 0x0750);
    for (uint32_t i = 0; i < count; i++) {
        assert_true(fgt_f64(&view, 0x0751, i) == 9007199254740992.0);
        assert_int_equal(fgt_u32(&view, 0x0755, i) & 0x3000000, 0x3000000);
    }
    /* Whatever the mode, nothing that is there is missing. */
    assert_true(fgt_count(&view, 0x0750) + fgt_count(&view, 0x0760) > 0);
    fgt_reply_finish(&view);
}

static void bins_say_what_they_are_coloured_by(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    struct fgt_reply plain = view_in(bed, 0, 12000, 2, 0);
    assert_int_equal(fgt_count(&plain, 0x0768) + fgt_count(&plain, 0x0769), 0);
    assert_int_equal(fgt_count(&plain, 0x076A), 0);
    fgt_reply_finish(&plain);
    struct fgt_reply view = view_in(bed, 0, 12000, 2, 2 | 8 | 16);
    uint32_t count = fgt_count(&view, 0x0760);
    assert_true(count > 0);
    assert_int_equal(fgt_count(&view, 0x0768), count);
    assert_int_equal(fgt_count(&view, 0x0769), count);
    for (uint32_t i = 0; i < count; i++) {
        fgt_request_begin(&request, FGI_KIND_SPAN, bed->number);
        fgt_request_u32(&request, 0x0F01, fgt_u32(&view, 0x0761, i));
        struct fgt_reply span = fgt_ask(bed->view, &request);
        assert_int_equal(span.status, FG_OK);
        assert_int_equal(fgt_u32(&view, 0x0768, i), fgt_u32(&span, 0x0F41, 13));
        assert_int_equal(fgt_u32(&view, 0x0769, i), fgt_u32(&span, 0x0F41, 10));
        uint64_t length = fgt_u64(&span, 0x0F40, 1) - fgt_u64(&span, 0x0F40, 0);
        assert_true(fgt_f64(&view, 0x076A, i) == (double)length);
        fgt_reply_finish(&span);
    }
    fgt_reply_finish(&view);
}

static void views_refuse_what_makes_no_sense(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    struct fgt_reply reply;
    static const uint32_t none[] = { 99 };
    static const struct {
        int64_t from, to;
        uint32_t width;
        enum fg_result expected;
    } cases[] = {
        { 5, 5, 100, FG_ERR_ARGUMENT },
        { 6, 5, 100, FG_ERR_ARGUMENT },
        { INT64_MAX, INT64_MIN, 1, FG_ERR_ARGUMENT },
        { 0, 10, 0, FG_ERR_ARGUMENT },
        { 0, 10, 16385, FG_ERR_ARGUMENT },
        { 0, 10, 16384, FG_OK },
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
        fgt_request_i64s(&request, 0x0701, cases[i].from, cases[i].to);
        fgt_request_u32(&request, 0x0702, cases[i].width);
        reply = fgt_ask(bed->view, &request);
        assert_int_equal(reply.status, cases[i].expected);
        fgt_reply_finish(&reply);
    }
    fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
    fgt_request_i64s(&request, 0x0701, 0, 10);
    fgt_request_u32(&request, 0x0702, 10);
    fgt_request_put(&request, 0x0703, FGI_TYPE_U32, none, 1);
    reply = fgt_ask(bed->view, &request);
    assert_int_not_equal(reply.status, FG_OK);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_VIEW, bed->number);
    fgt_request_i64s(&request, 0x0701, 0, 10);
    fgt_request_u32(&request, 0x0702, 10);
    fgt_request_u32(&request, 0x0705, 77);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&reply);
}

static void counters_and_marks_are_in_their_window(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    static const uint32_t counters[] = { 0 };
    fgt_request_begin(&request, FGI_KIND_COUNTERS, bed->number);
    fgt_request_i64s(&request, 0x0801, 1500, 3500);
    fgt_request_u32(&request, 0x0802, 1000);
    fgt_request_put(&request, 0x0803, FGI_TYPE_U32, counters, 1);
    struct fgt_reply reply = fgt_ask(bed->view, &request);
    assert_int_equal(reply.status, FG_OK);
    assert_int_equal(fgt_u8(&reply, 0x0849, 0), 0);
    assert_true(fgt_f64(&reply, 0x0850, 0) == -500.0); /* what holds at the window's begin */
    assert_true(fgt_f64(&reply, 0x0851, 0) == 1001.0);
    assert_true(fgt_f64(&reply, 0x084D, 0) == 1011.0);
    fgt_reply_finish(&reply);
    fgt_request_begin(&request, FGI_KIND_MARKS, bed->number);
    fgt_request_u32(&request, 0x0902, 2);
    reply = fgt_ask(bed->view, &request);
    assert_int_equal(fgt_u32(&reply, 0x0940, 0), 1);
    assert_int_equal(fgt_u8(&reply, 0x0941, 0), 2);
    assert_int_equal(fgt_u32(&reply, 0x0945, 0), 7);
    assert_true(
        fgt_text_is(&reply, FGI_TAG_NAMES, fgt_u32(&reply, 0x0944, 0), "this is where it hitches"));
    fgt_reply_finish(&reply);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(hello_tells_the_limits_and_the_traces),
        cmocka_unit_test(the_strip_needs_no_loading),
        cmocka_unit_test(the_strip_comes_in_pages),
        cmocka_unit_test(loading_is_asked_for_and_told),
        cmocka_unit_test(info_holds_everything_that_is_known),
        cmocka_unit_test(names_are_sent_once),
        cmocka_unit_test(names_that_an_answer_makes_come_with_it),
        cmocka_unit_test(tracks_carry_their_clock),
        cmocka_unit_test(a_view_is_exact_where_there_is_room),
        cmocka_unit_test(far_away_times_are_saturated_and_say_so),
        cmocka_unit_test(bins_say_what_they_are_coloured_by),
        cmocka_unit_test(views_refuse_what_makes_no_sense),
        cmocka_unit_test(counters_and_marks_are_in_their_window),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
