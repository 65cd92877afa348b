/* SPDX-License-Identifier: MIT */
#include "same_comparison.h"
#include "cmocka_all.h"
#include <string.h>

static void assert_same_figures(const struct fg_compare_figures *a,
                                const struct fg_compare_figures *b)
{
    assert_int_equal(a->longest, b->longest);
    assert_int_equal(a->pass, b->pass);
    assert_int_equal(a->frames, b->frames);
    assert_true(a->count == b->count && a->total_ns == b->total_ns);
    assert_true(a->median_ns == b->median_ns);
    assert_memory_equal(&a->mean_ns, &b->mean_ns, sizeof a->mean_ns);
    assert_memory_equal(&a->work, &b->work, sizeof a->work);
}

static void assert_same_row(const struct fg_compare_row *a, const struct fg_compare_row *b)
{
    assert_string_equal(a->name, b->name);
    assert_string_equal(a->scope, b->scope);
    assert_string_equal(a->track, b->track);
    assert_string_equal(a->work_unit, b->work_unit);
    assert_int_equal(a->ordinal, b->ordinal);
    assert_int_equal(a->is_gpu, b->is_gpu);
    assert_int_equal(a->state, b->state);
    assert_int_equal(a->cause, b->cause);
    assert_memory_equal(&a->delta_ns, &b->delta_ns, sizeof a->delta_ns);
    assert_memory_equal(&a->noise_ns, &b->noise_ns, sizeof a->noise_ns);
    assert_same_figures(&a->sides[0], &b->sides[0]);
    assert_same_figures(&a->sides[1], &b->sides[1]);
}

/* Everything but the rows. */
static void assert_same_frames(const struct fg_compare_reply *a, const struct fg_compare_reply *b)
{
    assert_memory_equal(a->frames, b->frames, sizeof a->frames);
    assert_memory_equal(a->length_ns, b->length_ns, sizeof a->length_ns);
    assert_memory_equal(a->topology, b->topology, sizeof a->topology);
    assert_int_equal(a->same, b->same);
    assert_memory_equal(&a->gpu, &b->gpu, sizeof a->gpu);
    assert_memory_equal(&a->cpu, &b->cpu, sizeof a->cpu);
    assert_int_equal(a->resource_count, b->resource_count);
    assert_int_equal(a->counter_count, b->counter_count);
    for (uint32_t i = 0; i < a->resource_count; i++) {
        const struct fg_compare_resource *x = &a->resources[i], *y = &b->resources[i];
        assert_string_equal(x->name, y->name);
        assert_string_equal(x->text[0], y->text[0]);
        assert_string_equal(x->text[1], y->text[1]);
        assert_int_equal(x->state, y->state);
        assert_memory_equal(x->bytes, y->bytes, sizeof x->bytes);
    }
    for (uint32_t i = 0; i < a->counter_count; i++) {
        assert_string_equal(a->counters[i].name, b->counters[i].name);
        assert_string_equal(a->counters[i].unit, b->counters[i].unit);
        assert_memory_equal(a->counters[i].mean, b->counters[i].mean, sizeof a->counters[i].mean);
    }
}

void fgt_assert_same_comparison(const struct fg_compare_reply *a, const struct fg_compare_reply *b)
{
    assert_same_frames(a, b);
    assert_int_equal(a->row_count, b->row_count);
    for (uint32_t i = 0; i < a->row_count; i++) {
        assert_same_row(&a->rows[i], &b->rows[i]);
    }
}

uint32_t fgt_compare_in_steps(const struct fg_compare_request *request, uint64_t rows,
                              const struct fg_compare_reply *expected)
{
    struct fg_task *task = NULL;
    struct fg_task_progress progress = { 0 };
    struct fg_compare_reply reply;
    bool were_frames_told = false;
    assert_int_equal(fg_task_compare(request, FG_TASK_NORMAL, &task), FG_OK);
    assert_int_equal(fg_task_result_compare(task, &reply), FG_ERR_STATE);
    while (!progress.is_done) {
        uint64_t done = progress.done_rows;
        uint32_t oversized = progress.oversized_steps;
        assert_int_equal(fg_task_step(task, rows, &progress), FG_OK);
        assert_true(progress.done_rows >= done && progress.done_rows <= progress.total_rows);
        assert_int_equal(progress.oversized_steps - oversized,
                         rows > 0 && progress.done_rows - done > rows);
        assert_int_equal(progress.stage_count, FG_COMPARE_ROWS);
        if (progress.stage == FG_COMPARE_FRAMES) {
            were_frames_told = true;
            assert_int_equal(fg_task_result_compare(task, &reply), FG_OK);
            assert_same_frames(&reply, expected);
            assert_int_equal(reply.row_count, 0);
        } else {
            assert_int_equal(fg_task_result_compare(task, &reply),
                             progress.is_done ? FG_OK : FG_ERR_STATE);
        }
    }
    assert_true(were_frames_told);
    fgt_assert_same_comparison(&reply, expected);
    fg_task_destroy(task);
    return progress.steps;
}
