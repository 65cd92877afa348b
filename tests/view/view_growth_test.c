/* SPDX-License-Identifier: MIT */
/* A client of the view over a capture that grows: what it holds stays valid. */
#include "../support/view_bed.h"
#include "../unit/capture_bed.h"
#include "base/thread.h"
#include "cmocka_all.h"
#include "open/document.h"
#include <frameglass/open.h>
#include <frameglass/trace.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { PASSES = 4, ALL_NAMES = 4096 };

/* A file that is written while a home follows it. */
struct live {
    struct bed bed;    /* the writer */
    uint8_t *bytes[3]; /* the file at each stage: closing it changes its header */
    size_t sizes[3];
    const uint8_t *_Atomic seen; /* what the home sees of it; relaxed: tests change it at rest, or
                                    readers may find either */
    atomic_size_t seen_size;
    struct fg_source source;
    struct fg_document *document;
    struct fgi_view *view;
    uint32_t number;
    /* The client. */
    uint32_t names;
    char *texts[ALL_NAMES];
};

static void mark_size(struct live *live, unsigned stage)
{
    assert_int_equal(live->bed.sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_flush(live->bed.sample.writer), FG_OK);
    live->bytes[stage] = bed_copy(&live->bed, &live->sizes[stage]);
}

static void show(struct live *live, unsigned stage, size_t size)
{
    atomic_store_explicit(&live->seen, live->bytes[stage], memory_order_relaxed);
    atomic_store_explicit(&live->seen_size, size, memory_order_relaxed);
}

static enum fg_result read_at(void *context, uint64_t offset, void *into, size_t size,
                              size_t *out_size)
{
    struct live *live = context;
    size_t all = atomic_load_explicit(&live->seen_size, memory_order_relaxed);
    *out_size = offset >= all ? 0 : size < all - offset ? size : all - (size_t)offset;
    memcpy(into, atomic_load_explicit(&live->seen, memory_order_relaxed) + offset, *out_size);
    return FG_OK;
}

static enum fg_result size_of(void *context, uint64_t *out_size)
{
    struct live *live = context;
    *out_size = atomic_load_explicit(&live->seen_size, memory_order_relaxed);
    return FG_OK;
}

/* A track that wants to be shown before all others, and a counter of its own. */
static void write_early_track(struct live *live)
{
    struct sample *sample = &live->bed.sample;
    const struct fg_cap_track track = { .id = 9,
                                        .kind = FG_CAP_TRACK_THREAD,
                                        .process = 1,
                                        .parent = FG_CAP_NONE,
                                        .clock = SAMPLE_CLOCK_HOST,
                                        .name = sample_symbol(sample, "loader thread"),
                                        .os_id = 77,
                                        .sort = -100 };
    const struct fg_cap_block_span span = { .begin_ticks = 100,
                                            .end_ticks = 200,
                                            .name = sample_symbol(sample, "load"),
                                            .frame = FG_CAP_UNKNOWN,
                                            .object = FG_CAP_UNKNOWN };
    const struct fg_cap_span_block block = {
        .id = 11, .track = 9, .clock = SAMPLE_CLOCK_HOST, .spans = &span, .span_count = 1
    };
    assert_int_equal(fg_capture_writer_track(sample->writer, &track), FG_OK);
    assert_int_equal(fg_capture_writer_span_block(sample->writer, &block), FG_OK);
}

/* A metric, a resource and a loss for each stage; only the first metric has values. */
static void write_process(struct live *live, uint32_t stage)
{
    struct sample *sample = &live->bed.sample;
    static const char *const names[] = { "first", "second" };
    const struct fg_cap_metric metric = { .id = 50 - stage,
                                          .kind = FG_CAP_METRIC_GAUGE,
                                          .track = FG_CAP_NONE,
                                          .name = sample_symbol(sample, names[stage]),
                                          .accuracy = FG_CAP_ACCURACY_ESTIMATED };
    const struct fg_cap_metric_sample samples[] = { { 1000 + stage, { .i = 5 + (int)stage } } };
    const struct fg_cap_metric_samples values = { 50, SAMPLE_CLOCK_HOST, samples, 1 };
    const struct fg_cap_resource_event events[] = {
        { .ticks = 900 + stage,
          .resource = 70 - stage,
          .frame = FG_CAP_UNKNOWN,
          .heap = FG_CAP_NONE,
          .size_bytes = 100 },
    };
    const struct fg_cap_resource_events resources = { .clock = SAMPLE_CLOCK_HOST,
                                                      .events = events,
                                                      .event_count = 1 };
    const struct fg_cap_block_span loss = { .begin_ticks = 2000 + stage,
                                            .end_ticks = 2000 + stage,
                                            .flags =
                                                FG_CAP_BLOCK_SPAN_INSTANT | FG_CAP_BLOCK_SPAN_LOSS,
                                            .frame = FG_CAP_UNKNOWN,
                                            .object = FG_CAP_UNKNOWN,
                                            .value = 3 };
    const struct fg_cap_span_block block = { .id = 10 + 2 * stage,
                                             .track = SAMPLE_TRACK_CPU,
                                             .clock = SAMPLE_CLOCK_HOST,
                                             .spans = &loss,
                                             .span_count = 1 };
    assert_int_equal(fg_capture_writer_metric(sample->writer, &metric), FG_OK);
    assert_int_equal(fg_capture_writer_metric_samples(sample->writer, &values), FG_OK);
    assert_int_equal(fg_capture_writer_resource_events(sample->writer, &resources), FG_OK);
    assert_int_equal(fg_capture_writer_span_block(sample->writer, &block), FG_OK);
}

static void write_capture(struct live *live)
{
    struct sample *sample = &live->bed.sample;
    bed_begin(&live->bed, NULL);
    sample_begin(sample);
    uint32_t topology = sample_topology(sample, 0, PASSES);
    for (uint64_t frame = 1; frame <= 4; frame++) {
        sample_frame(sample, frame, topology, PASSES, 0);
        if (frame < 4) {
            sample_gpu_frame(sample, frame, PASSES, UINT32_MAX);
        }
    }
    write_process(live, 0);
    mark_size(live, 0); /* the GPU times of frame 4 have not landed */
    write_early_track(live);
    write_process(live, 1);
    uint32_t other = sample_topology(sample, 1, PASSES);
    sample_gpu_frame(sample, 4, PASSES, UINT32_MAX);
    for (uint64_t frame = 5; frame <= 6; frame++) {
        sample_frame(sample, frame, other, PASSES, 0);
        sample_gpu_frame(sample, frame, PASSES, UINT32_MAX);
    }
    mark_size(live, 1);
    assert_int_equal(fg_capture_writer_close(sample->writer), FG_OK);
    live->bytes[2] = bed_copy(&live->bed, &live->sizes[2]);
}

static void strip_frame(const void *document, size_t index, struct fgi_view_frame *out_frame)
{
    struct fg_strip_frame frame;
    assert_int_equal(fg_document_frames(document, index, 1, &frame), 1);
    *out_frame = (struct fgi_view_frame){ frame.frame, frame.cpu_ns, frame.gpu_ns, frame.dropped };
}

static struct fgi_view_input describe(const struct live *live)
{
    return (struct fgi_view_input){ .label = "live.sgpt",
                                    .format = fg_document_format(live->document),
                                    .packing = "",
                                    .size_bytes = UINT64_MAX,
                                    .is_live = true,
                                    .frame_count = (size_t)fg_document_frame_count(live->document),
                                    .frame_of = strip_frame,
                                    .context = live->document };
}

static void load(void *context, uint32_t number)
{
    struct live *live = context;
    assert_int_equal(fg_document_load(live->document, NULL), FG_OK);
    fgi_view_attach(live->view, number, fg_document_trace(live->document),
                    fg_document_engine(live->document));
}

static bool grow(struct live *live)
{
    bool grown = false;
    assert_int_equal(fgi_document_grow(live->document, NULL, &grown), FG_OK);
    if (grown) {
        const struct fgi_view_input input = describe(live);
        assert_int_equal(fgi_view_replace(live->view, live->number, &input,
                                          fg_document_trace(live->document),
                                          fg_document_engine(live->document)),
                         FG_OK);
    }
    fgi_document_forget(live->document);
    return grown;
}

/* It has grown; right after a slow machine made the trace anew it may take a while to be seen. */
static void must_grow(struct live *live)
{
    bool grown = grow(live);
    for (int i = 0; i < 2000 && !grown; i++) {
        fgi_sleep_ns(10000000);
        grown = grow(live);
    }
    assert_true(grown);
}

static int open_live(void **state)
{
    struct live *live = calloc(1, sizeof *live);
    if (live == NULL) {
        return -1;
    }
    write_capture(live);
    show(live, 0, live->sizes[0]);
    live->source = (struct fg_source){ .context = live, .read_at = read_at, .size = size_of };
    assert_int_equal(fg_open_source(&live->source, FG_OPEN_OPTIONS(.flags = FG_OPEN_FOLLOW), NULL,
                                    &live->document),
                     FG_OK);
    const struct fgi_view_options options = { .load = load, .context = live };
    const struct fgi_view_input input = describe(live);
    assert_int_equal(fgi_view_create(&options, &live->view), FG_OK);
    assert_int_equal(fgi_view_add(live->view, &input, &live->number), FG_OK);
    load(live, live->number);
    *state = live;
    return 0;
}

static int close_live(void **state)
{
    struct live *live = *state;
    fgi_view_destroy(live->view);
    fg_document_close(live->document);
    for (uint32_t i = 0; i < live->names; i++) {
        free(live->texts[i]);
    }
    for (int i = 0; i < 3; i++) {
        free(live->bytes[i]);
    }
    bed_end(&live->bed);
    free(live);
    return 0;
}

/* Ask as a client does that keeps its names: none may ever be said otherwise. */
static struct fgt_reply ask(struct live *live, struct fgt_request *request)
{
    request->names = live->names;
    struct fgt_reply reply = fgt_ask(live->view, request);
    uint32_t count = fgt_count(&reply, FGI_TAG_NAMES);
    const uint8_t *names = fgt_section(&reply, FGI_TAG_NAMES, &count);
    for (uint32_t i = 0; names && i < count; i++) {
        uint32_t begin = fgi_load_u32(names + (size_t)i * 4);
        uint32_t end = fgi_load_u32(names + (size_t)i * 4 + 4);
        assert_true(live->names < ALL_NAMES);
        assert_int_equal(fgt_u32(&reply, FGI_TAG_NAMES_FIRST, 0) + i, live->names);
        live->texts[live->names] = calloc(1, (size_t)(end - begin) + 1);
        memcpy(live->texts[live->names++], names + ((size_t)count + 1) * 4 + begin, end - begin);
    }
    assert_int_equal(reply.names, live->names);
    return reply;
}

static struct fgt_reply ask_row(struct live *live, uint32_t row)
{
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_SPAN, live->number);
    fgt_request_u32(&request, 0x0F01, row);
    return ask(live, &request);
}

static struct fgt_reply ask_plain(struct live *live, uint16_t kind)
{
    struct fgt_request request;
    fgt_request_begin(&request, kind, live->number);
    return ask(live, &request);
}

static unsigned liveness(struct live *live)
{
    struct fgt_reply traces = ask_plain(live, FGI_KIND_TRACES);
    unsigned value = fgt_u8(&traces, 0x024C, 0);
    fgt_reply_finish(&traces);
    return value;
}

static void what_the_program_says_keeps_its_numbers_when_it_grows(void **state)
{
    struct live *live = *state;
    struct fgt_reply first = ask_plain(live, FGI_KIND_METRICS);
    struct fgt_reply lost = ask_plain(live, FGI_KIND_LOSSES);
    uint32_t at = 0;
    while (strcmp(live->texts[fgt_u32(&first, 0x1941, at)], "first") != 0) {
        at++;
    }
    assert_int_equal(fgt_u64(&first, 0x1948, at), 5);
    assert_int_equal(fgt_u64(&first, 0x194A, at), 1);
    assert_int_equal(fgt_u64(&lost, 0x1B51, 0), 3);
    show(live, 1, live->sizes[1]);
    must_grow(live);
    struct fgt_reply more = ask_plain(live, FGI_KIND_METRICS);
    struct fgt_reply objects = ask_plain(live, FGI_KIND_OBJECTS);
    struct fgt_reply lost_since = ask_plain(live, FGI_KIND_LOSSES);
    assert_int_equal(fgt_u32(&more, 0x1941, at), fgt_u32(&first, 0x1941, at));
    assert_int_equal(fgt_u32(&more, 0x1946, at), fgt_u32(&first, 0x1946, at));
    assert_int_equal(fgt_u64(&more, 0x1948, at), 6);
    assert_int_equal(fgt_u64(&more, 0x194A, at), 2);
    /* The one that came later was never published. */
    assert_string_equal(live->texts[fgt_u32(&more, 0x1941, at + 1)], "second");
    assert_int_equal(fgt_u8(&more, 0x1947, at + 1), 0);
    assert_int_equal(fgt_u32(&more, 0x1946, at + 1), FG_NONE);
    assert_int_equal(fgt_count(&objects, 0x1A48), 2);
    assert_int_equal(fgt_u64(&objects, 0x1A49, 0), 70);
    assert_int_equal(fgt_u64(&objects, 0x1A49, 1), 69);
    assert_int_equal(fgt_u64(&lost_since, 0x1B51, 0), 6);
    assert_int_equal(fgt_u64(&lost_since, 0x1B4A, 1), fgt_u64(&lost_since, 0x1B49, 0));
    fgt_reply_finish(&first);
    fgt_reply_finish(&more);
    fgt_reply_finish(&objects);
    fgt_reply_finish(&lost);
    fgt_reply_finish(&lost_since);
}

static void rows_names_and_tracks_stay_when_it_grows(void **state)
{
    struct live *live = *state;
    uint32_t firm = 0;
    struct fgt_reply tracks = ask_plain(live, FGI_KIND_TRACKS);
    struct fgt_reply spans[64];
    uint32_t count = 0;
    for (; count < 64; count++) {
        spans[count] = ask_row(live, count);
        if (spans[count].status != FG_OK) {
            fgt_reply_finish(&spans[count]);
            break;
        }
        firm += !(fgt_u32(&spans[count], 0x0F42, 0) & 0x100000);
    }
    assert_in_range(firm, 10, count - 1); /* those of frame 4 are provisional */
    uint64_t revision = spans[0].revision;
    assert_int_equal(liveness(live), 1);
    show(live, 1, live->sizes[1]);
    must_grow(live);
    assert_false(grow(live));
    for (uint32_t row = 0; row < firm; row++) {
        struct fgt_reply again = ask_row(live, row);
        assert_int_equal(again.revision, revision + 1);
        for (uint32_t id = 0; id < 16; id++) {
            if (id != 4 && id != 5) { /* lane and depth in it may be others */
                assert_int_equal(fgt_u32(&again, 0x0F41, id), fgt_u32(&spans[row], 0x0F41, id));
            }
        }
        assert_int_equal(fgt_u64(&again, 0x0F40, 0), fgt_u64(&spans[row], 0x0F40, 0));
        assert_int_equal(fgt_count(&again, 0x0F51), fgt_count(&spans[row], 0x0F51));
        fgt_reply_finish(&again);
    }
    struct fgt_reply more = ask_plain(live, FGI_KIND_TRACKS);
    uint32_t before = fgt_count(&tracks, 0x0648);
    assert_true(fgt_count(&more, 0x0648) > before);
    for (uint32_t i = 0; i < before; i++) {
        assert_int_equal(fgt_u32(&more, 0x0648, i), fgt_u32(&tracks, 0x0648, i));
        assert_int_equal(fgt_u8(&more, 0x064A, i), fgt_u8(&tracks, 0x064A, i));
    }
    for (uint32_t i = 0; i < fgt_count(&tracks, 0x0662); i++) {
        assert_int_equal(fgt_u32(&more, 0x0660, i), fgt_u32(&tracks, 0x0660, i));
        assert_int_equal(fgt_u32(&more, 0x0662, i), fgt_u32(&tracks, 0x0662, i));
    }
    fgt_reply_finish(&more);
    fgt_reply_finish(&tracks);
    for (uint32_t i = 0; i < count; i++) {
        fgt_reply_finish(&spans[i]);
    }
}

static uint32_t rows_of(struct live *live, uint32_t filter)
{
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_STATS, live->number);
    fgt_request_u32(&request, 0x0C05, filter);
    struct fgt_reply reply = ask(live, &request);
    assert_int_equal(reply.status, FG_OK);
    uint64_t rows = 0;
    for (uint32_t i = 0; i < fgt_count(&reply, 0x0C45); i++) {
        rows += fgt_u64(&reply, 0x0C45, i);
    }
    fgt_reply_finish(&reply);
    return (uint32_t)rows;
}

/* A filter by name, by the client's number of it, and by track. */
static uint32_t filter_of(struct live *live, const char *name, uint32_t track)
{
    struct fgt_request request;
    uint32_t id = 0;
    while (id < live->names && strcmp(live->texts[id], name) != 0) {
        id++;
    }
    assert_in_range(id, 1, live->names - 1);
    fgt_request_begin(&request, FGI_KIND_FILTER_CREATE, live->number);
    fgt_request_u32(&request, 0x0A02, id);
    fgt_request_u32(&request, 0x0A04, track);
    struct fgt_reply reply = ask(live, &request);
    assert_int_equal(reply.status, FG_OK);
    uint32_t number = fgt_u32(&reply, 0x0A40, 0);
    fgt_reply_finish(&reply);
    return number;
}

static void a_filter_keeps_its_number_and_its_meaning(void **state)
{
    struct live *live = *state;
    struct fgt_reply tracks = ask_plain(live, FGI_KIND_TRACKS);
    uint32_t queue = 0;
    while (fgt_u8(&tracks, 0x064A, queue) != FG_TRACK_GPU_QUEUE) {
        queue++;
    }
    fgt_reply_finish(&tracks);
    for (uint32_t row = 0; row < 20; row++) {
        struct fgt_reply span = ask_row(live, row);
        fgt_reply_finish(&span);
    }
    uint32_t filter = filter_of(live, "gpu pass 0.0", queue);
    assert_int_equal(rows_of(live, filter), 3);
    show(live, 1, live->sizes[1]);
    must_grow(live);
    assert_int_equal(rows_of(live, filter), 4); /* frames 5 and 6 have another graph */
    assert_int_equal(filter_of(live, "gpu pass 0.0", queue), filter);
    show(live, 2, live->sizes[2]);
    must_grow(live);
    assert_int_equal(filter_of(live, "gpu pass 0.0", queue), filter);
    struct fgt_request request;
    for (int i = 0; i < 3; i++) { /* it was made three times */
        assert_int_equal(rows_of(live, filter), 4);
        fgt_request_begin(&request, FGI_KIND_FILTER_DESTROY, live->number);
        fgt_request_u32(&request, 0x0B01, filter);
        struct fgt_reply reply = ask(live, &request);
        assert_int_equal(reply.status, FG_OK);
        fgt_reply_finish(&reply);
    }
    fgt_request_begin(&request, FGI_KIND_STATS, live->number);
    fgt_request_u32(&request, 0x0C05, filter);
    struct fgt_reply gone = ask(live, &request);
    assert_int_equal(gone.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&gone);
}

static void the_end_of_a_capture_is_told(void **state)
{
    struct live *live = *state;
    show(live, 1, live->sizes[1]);
    must_grow(live);
    assert_int_equal(liveness(live), 1);
    struct fgt_reply info = ask_plain(live, FGI_KIND_INFO);
    assert_true(info.flags & FGI_REPLY_PROVISIONAL);
    fgt_reply_finish(&info);
    show(live, 2, live->sizes[2]);
    must_grow(live);
    assert_int_equal(liveness(live), 2);
    info = ask_plain(live, FGI_KIND_INFO);
    assert_false(info.flags & FGI_REPLY_PROVISIONAL);
    fgt_reply_finish(&info);
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_STRIP, live->number);
    struct fgt_reply strip = ask(live, &request);
    assert_int_equal(fgt_u32(&strip, 0x0440, 0), 6);
    fgt_reply_finish(&strip);
}

/* ---- asked while it grows -------------------------------------------------------------------- */

struct asking {
    struct live *live;
    atomic_bool is_over; /* relaxed: a late look asks once more */
    unsigned failures;
};

static void ask_all_the_time(void *context)
{
    struct asking *asking = context;
    for (uint32_t i = 0; !atomic_load_explicit(&asking->is_over, memory_order_relaxed); i++) {
        struct fgi_bytes out = { 0 };
        struct fgi_bytes in = { 0 };
        struct fgt_request request;
        fgt_request_begin(&request, i % 2 ? FGI_KIND_SPAN : FGI_KIND_EVENTS, asking->live->number);
        fgt_request_u32(&request, i % 2 ? 0x0F01 : 0x1601, i % 3);
        fgt_request_end(&request, &in);
        asking->failures += fgi_view_answer(asking->live->view, in.data, in.size, &out) != FG_OK ||
                            fgi_load_u32(out.data + 36) != FG_OK;
        fgi_bytes_finish(&in);
        fgi_bytes_finish(&out);
    }
}

static void it_can_be_asked_while_it_grows(void **state)
{
    struct live *live = *state;
    struct asking asking = { .live = live };
    struct fgi_thread *thread = NULL;
    assert_int_equal(fgi_thread_create(NULL, ask_all_the_time, &asking, &thread), FG_OK);
    for (size_t size = live->sizes[0]; size < live->sizes[1]; size += 97) {
        show(live, 1, size);
        (void)grow(live);
    }
    show(live, 2, live->sizes[2]);
    (void)grow(live);
    atomic_store_explicit(&asking.is_over, true, memory_order_relaxed);
    fgi_thread_join(thread);
    assert_int_equal(asking.failures, 0);
}

int main(void)
{
#define OVER_LIVE(test) cmocka_unit_test_setup_teardown(test, open_live, close_live)
    const struct CMUnitTest tests[] = {
        OVER_LIVE(rows_names_and_tracks_stay_when_it_grows),
        OVER_LIVE(what_the_program_says_keeps_its_numbers_when_it_grows),
        OVER_LIVE(a_filter_keeps_its_number_and_its_meaning),
        OVER_LIVE(the_end_of_a_capture_is_told),
        OVER_LIVE(it_can_be_asked_while_it_grows),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
