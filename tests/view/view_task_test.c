/* SPDX-License-Identifier: MIT */
/* TASK: which stages are told, who goes first, how large steps are, what becomes of tasks left. */
#include "cmocka_all.h"
#include "view_bed.h"

#define MILLISECOND INT64_C(1000000)

enum { OWN_CHOICE = 0 };

/* A message of TASK: `tag` is START, STEP or END. */
static struct fgt_reply ask(struct fgt_view_bed *bed, uint16_t tag, uint32_t value, uint64_t rows,
                            uint32_t scheduling)
{
    static const uint32_t lanes[] = { 0, 1 };
    static const int32_t y[] = { 10, 30 };
    static const int32_t in_view[] = { 0, 40 };
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_TASK, bed->number);
    fgt_request_u32(&request, tag, value);
    if (tag == 0x2502) {
        fgt_request_put(&request, 0x2504, FGI_TYPE_U64, &rows, 1);
    }
    fgt_request_u32(&request, 0x2505, scheduling);
    fgt_request_put(&request, 0x0E01, FGI_TYPE_TEXT, "de", 2);
    fgt_request_u32(&request, 0x2108, 1);
    fgt_request_u32(&request, 0x210B, 5);
    fgt_request_i64s(&request, 0x1D01, 0, 12000);
    fgt_request_u32(&request, 0x1D02, 1000);
    fgt_request_put(&request, 0x1D03, FGI_TYPE_U32, lanes, 2);
    fgt_request_put(&request, 0x1D05, FGI_TYPE_I32, y, 2);
    fgt_request_put(&request, 0x1D06, FGI_TYPE_I32, in_view, 2);
    return fgt_ask(bed->view, &request);
}

static uint32_t start(struct fgt_view_bed *bed, uint16_t kind, uint32_t scheduling)
{
    struct fgt_reply reply = ask(bed, 0x2501, kind, 0, scheduling);
    assert_int_equal(reply.status, FG_OK);
    uint32_t task = fgt_u32(&reply, 0x2540, 0);
    assert_int_not_equal(task, 0);
    fgt_reply_finish(&reply);
    return task;
}

static void end(struct fgt_view_bed *bed, uint32_t task)
{
    struct fgt_reply reply = ask(bed, 0x2503, task, 0, 0);
    assert_int_equal(reply.status, FG_OK);
    fgt_reply_finish(&reply);
}

/* Steps of 5 rows until stage 1 is told and until the end. The replies are the caller's. */
static void run(struct fgt_view_bed *bed, uint16_t kind, uint16_t column, const char *first_stage,
                const char *second_stage, struct fgt_reply *out_stage, struct fgt_reply *out_end)
{
    uint32_t task = start(bed, kind, 0);
    unsigned told = 0;
    *out_stage = (struct fgt_reply){ 0 };
    for (unsigned steps = 0; steps < 1000; steps++) {
        struct fgt_reply reply = ask(bed, 0x2502, task, 5, 0);
        assert_int_equal(reply.status, FG_OK);
        if (fgt_u32(&reply, 0x2540, 0) == 0) {
            assert_int_equal(fgt_u64(&reply, 0x2541, 2), 2);
            assert_int_equal(fgt_count(&reply, 0x2542), 0);
            *out_end = reply;
            assert_true(told <= 1);
            return;
        }
        bool is_second = fgt_u64(&reply, 0x2541, 2) == 1;
        assert_int_equal(fgt_u64(&reply, 0x2541, 3), 2);
        assert_true(fgt_text_is(&reply, 0x2542, 0, is_second ? second_stage : first_stage));
        if (fgt_count(&reply, column) > 0) {
            assert_true(is_second);
            told++;
            fgt_reply_finish(out_stage);
            *out_stage = reply;
        } else {
            fgt_reply_finish(&reply);
        }
    }
    fail();
}

static void totals_are_told_as_soon_as_they_are_there(void **state)
{
    static const struct {
        uint16_t kind, count, sum, later;
    } works[] = { { FGI_KIND_STATS, 0x0C45, 0x0C46, 0x0C4A },
                  { FGI_KIND_AGGREGATE, 0x214C, 0x214F, 0x2153 },
                  { FGI_KIND_AGGREGATE, 0x214C, 0x214F, 0x2156 } };
    for (unsigned i = 0; i < sizeof works / sizeof *works; i++) {
        struct fgt_reply totals, whole;
        run(*state, works[i].kind, works[i].sum, "totals", "percentiles", &totals, &whole);
        uint32_t rows = fgt_count(&whole, works[i].sum);
        uint64_t known = 0;
        assert_true(rows > 0);
        assert_int_equal(fgt_count(&totals, works[i].sum), rows);
        for (uint32_t k = 0; k < rows; k++) {
            assert_int_equal(fgt_u64(&totals, works[i].sum, k), fgt_u64(&whole, works[i].sum, k));
            assert_int_equal(fgt_u64(&totals, works[i].count, k),
                             fgt_u64(&whole, works[i].count, k));
            assert_int_equal(fgt_u64(&totals, works[i].later, k), 0);
            known += fgt_u64(&whole, works[i].later, k);
        }
        assert_true(known > 0);
        fgt_reply_finish(&totals);
        fgt_reply_finish(&whole);
    }
}

static void an_index_of_lines_is_a_stage_that_has_no_answer_of_its_own(void **state)
{
    struct fgt_reply part, whole;
    fgt_view_bed_renew(*state);
    fgt_view_bed_attach(*state);
    run(*state, FGI_KIND_LINKS, 0x1D40, "index", "lines", &part, &whole);
    assert_int_equal(part.sections, 0);
    assert_true(fgt_count(&whole, 0x1D40) > 0);
    fgt_reply_finish(&whole);
}

/* Was the step held? Tells how many rows the task has looked at so far. */
static bool step(struct fgt_view_bed *bed, uint32_t task, uint64_t rows, uint64_t *out_done)
{
    struct fgt_reply reply = ask(bed, 0x2502, task, rows, 0);
    assert_int_equal(reply.status, FG_OK);
    bool is_held = fgt_count(&reply, 0x2543) > 0;
    *out_done = fgt_u64(&reply, 0x2541, 0);
    fgt_reply_finish(&reply);
    return is_held;
}

static void work_in_the_background_makes_way(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t slow = start(bed, FGI_KIND_SEARCH, 2);
    uint64_t done, of_slow = 0, of_urgent = 0;
    assert_false(step(bed, slow, 1, &of_slow)); /* nobody else is there */
    assert_int_equal(of_slow, 1);
    uint32_t urgent = start(bed, FGI_KIND_SEARCH, 0);
    unsigned held = 0;
    for (unsigned i = 0; i < 12; i++) { /* both are asked for, in turn */
        assert_false(step(bed, urgent, 1, &done));
        assert_int_equal(done, ++of_urgent);
        bool is_held = step(bed, slow, 1, &done);
        held += is_held;
        of_slow += !is_held;
        assert_int_equal(done, of_slow);
    }
    assert_int_equal(held, 9); /* one turn of four */
    /* one that nobody asks for any more holds nobody for long */
    while (step(bed, slow, 1, &done)) {
    }
    assert_false(step(bed, slow, 1, &done));
    uint32_t equal = start(bed, FGI_KIND_SEARCH, 2);
    assert_false(step(bed, slow, 1, &done));
    end(bed, equal);
    end(bed, urgent);
    end(bed, slow);
}

/* Rows of the steps of a task whose every step takes 16 ms. */
static void count_steps(struct fgt_view_bed *bed, uint32_t scheduling, uint64_t out_rows[3])
{
    uint32_t task = start(bed, FGI_KIND_SEARCH, scheduling);
    uint64_t before = 0;
    bed->tick_ns = 16 * MILLISECOND;
    for (unsigned i = 0; i < 3; i++) {
        uint64_t done;
        assert_false(step(bed, task, OWN_CHOICE, &done));
        out_rows[i] = done - before;
        before = done;
    }
    bed->tick_ns = 0;
    end(bed, task);
}

static void steps_are_as_large_as_their_class_has_time_for(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint64_t rows[3];
    bed->step_rows = 8;
    fgt_view_bed_renew(bed);
    fgt_view_bed_attach(bed);
    count_steps(bed, 2, rows); /* 16 ms are what it may take */
    assert_int_equal(rows[0], 8);
    assert_int_equal(rows[1], 8);
    assert_int_equal(rows[2], 8);
    count_steps(bed, 0, rows); /* 4 ms: an eighth less each time */
    assert_int_equal(rows[0], 8);
    assert_int_equal(rows[1], 7);
    assert_int_equal(rows[2], 6);
    uint32_t task = start(bed, FGI_KIND_SEARCH, 0);
    uint64_t done;
    assert_false(step(bed, task, 3, &done)); /* who says how many has as many */
    assert_int_equal(done, 3);
    end(bed, task);
    bed->step_rows = 0;
    fgt_view_bed_renew(bed);
    fgt_view_bed_attach(bed);
}

static void a_task_that_nobody_asks_for_ends(void **state)
{
    struct fgt_view_bed *bed = *state;
    uint32_t left = start(bed, FGI_KIND_SEARCH, 0);
    uint64_t done;
    bed->now_ns += 200000 * MILLISECOND;
    uint32_t kept = start(bed, FGI_KIND_SEARCH, 0);
    bed->now_ns += 200000 * MILLISECOND;
    assert_false(step(bed, kept, 1, &done));
    struct fgt_reply reply = ask(bed, 0x2502, left, 1, 0);
    assert_int_equal(reply.status, FG_ERR_NOT_FOUND);
    fgt_reply_finish(&reply);
    end(bed, kept);
}

static void a_search_in_steps_finds_what_a_search_finds(void **state)
{
    struct fgt_view_bed *bed = *state;
    struct fgt_request request;
    fgt_request_begin(&request, FGI_KIND_SEARCH, bed->number);
    fgt_request_put(&request, 0x0E01, FGI_TYPE_TEXT, "de", 2);
    struct fgt_reply direct = fgt_ask(bed->view, &request);
    uint32_t task = start(bed, FGI_KIND_SEARCH, 0);
    struct fgt_reply reply = ask(bed, 0x2502, task, 7, 0);
    unsigned steps = 1;
    for (; fgt_u32(&reply, 0x2540, 0) != 0; steps++) {
        assert_int_equal(fgt_u64(&reply, 0x2541, 0), 7 * steps);
        assert_int_equal(fgt_count(&reply, 0x0E42), 0);
        fgt_reply_finish(&reply);
        reply = ask(bed, 0x2502, task, 7, 0);
    }
    assert_true(steps > 3);
    uint32_t found = fgt_count(&direct, 0x0E42);
    assert_true(found > 0);
    assert_int_equal(fgt_count(&reply, 0x0E42), found);
    assert_int_equal(fgt_u32(&reply, 0x0E40, 0), fgt_u32(&direct, 0x0E40, 0));
    assert_int_equal(fgt_count(&reply, 0x0E50), fgt_count(&direct, 0x0E50));
    for (uint32_t i = 0; i < found; i++) {
        assert_int_equal(fgt_u32(&reply, 0x0E42, i), fgt_u32(&direct, 0x0E42, i));
    }
    fgt_reply_finish(&reply);
    fgt_reply_finish(&direct);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(totals_are_told_as_soon_as_they_are_there),
        cmocka_unit_test(an_index_of_lines_is_a_stage_that_has_no_answer_of_its_own),
        cmocka_unit_test(work_in_the_background_makes_way),
        cmocka_unit_test(steps_are_as_large_as_their_class_has_time_for),
        cmocka_unit_test(a_task_that_nobody_asks_for_ends),
        cmocka_unit_test(a_search_in_steps_finds_what_a_search_finds),
    };
    return cmocka_run_group_tests(tests, fgt_view_setup, fgt_view_teardown);
}
