/* SPDX-License-Identifier: MIT */
/* HUD and engine say the same of frames of which it is known what bounds them: the truth. */
#include "workload.h"

#include <frameglass/open.h>
#include <frameglass/trace.h>
#include <frameglass/trace_query.h>

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct loaded {
    char path[32];
    struct fg_document *document;
    struct fg_query *query;
    const struct fg_frame_row *rows;
    uint32_t count;
};

static void load(struct loaded *loaded, const struct workload *workload, bool close,
                 struct workload_seen *out_seen)
{
    struct fg_diag diag;
    (void)snprintf(loaded->path, sizeof loaded->path, "/tmp/verdict-XXXXXX");
    const int handle = mkstemp(loaded->path);
    assert_true(handle >= 0);
    (void)fclose(fdopen(handle, "w"));
    assert_true(workload_run(workload, loaded->path, close, out_seen));
    assert_int_equal(fg_open_path(loaded->path, NULL, &diag, &loaded->document), FG_OK);
    assert_int_equal(fg_document_load(loaded->document, &diag), FG_OK);
    assert_int_equal(
        fg_query_create(fg_document_engine(loaded->document), NULL, NULL, NULL, &loaded->query),
        FG_OK);
    assert_int_equal(fg_query_frames(loaded->query, 0, FG_NONE, &loaded->rows, &loaded->count),
                     FG_OK);
    assert_int_equal(loaded->count, WORKLOAD_FRAMES + 1);
}

static void unload(struct loaded *loaded)
{
    fg_query_destroy(loaded->query);
    fg_document_close(loaded->document);
    (void)remove(loaded->path);
}

static void check_frames(const struct workload *workload, const struct loaded *loaded,
                         const struct workload_seen *seen)
{
    for (uint32_t i = 0; i < WORKLOAD_FRAMES; i++) {
        const struct fg_frame_row *row = &loaded->rows[i];
        const struct fg_hud_sample *sample = &seen->samples[i];
        const bool is_inferred = (row->flags & FG_FRAME_INFERRED) != 0;
        if ((int)row->verdict != (int)workload_truth(workload, i) ||
            is_inferred != (row->verdict_name != NULL && workload_is_inferred(workload))) {
            fail_msg("%s, frame %u: the engine says %d%s", workload->name, (unsigned)i,
                     (int)row->verdict, is_inferred ? ", inferred" : "");
        }
        /* The HUD takes the pause for the time before the next frame, the capture for after it. */
        const uint64_t pause = workload->pause_after;
        const bool is_beside = i == 0 || (pause != 0 && (i == pause || i == pause + 1));
        if (!is_beside) {
            assert_int_equal(sample->verdict, row->verdict);
            assert_int_equal(sample->is_inferred, is_inferred);
            assert_true(sample->frame_ns == row->frame_ns);
            assert_true(sample->cpu_ns == row->cpu_work_ns);
            assert_true(sample->gpu_ns == row->gpu_busy_ns);
        }
    }
}

static void both_say_what_is_true_of_frames_and_of_all_together(void **state)
{
    const struct workload *workload;
    (void)state;
    for (size_t i = 0; (workload = workload_at(i)) != NULL; i++) {
        struct workload_seen seen;
        struct loaded loaded;
        struct fg_verdict_window window;
        load(&loaded, workload, true, &seen);
        check_frames(workload, &loaded, &seen);
        assert_int_equal(loaded.rows[WORKLOAD_FRAMES].verdict, FG_VERDICT_UNKNOWN);
        assert_int_equal(fg_query_verdict(loaded.query, 1, WORKLOAD_FRAMES, &window), FG_OK);
        assert_int_equal(window.frame_count, WORKLOAD_FRAMES - 1);
        assert_int_equal(window.verdict, workload->window_truth);
        assert_int_equal(seen.statistics.verdict, workload->window_truth);
        assert_int_equal(window.inferred_count, seen.statistics.inferred_count);
        for (int k = FG_VERDICT_CPU; k < FG_VERDICTS; k++) {
            assert_int_equal(window.counts[k], seen.statistics.verdict_counts[k]);
        }
        assert_int_equal(!!(loaded.rows[17].flags & FG_FRAME_PAUSE), workload->pause_after == 17);
        unload(&loaded);
    }
}

static void times_of_the_last_frames_may_still_come_while_a_capture_has_no_end(void **state)
{
    struct workload_seen seen;
    struct loaded loaded;
    (void)state;
    load(&loaded, workload_find("untimed-gpu"), false, &seen);
    for (uint32_t i = 0; i < loaded.count; i++) {
        const bool is_late = i + FG_HUD_GPU_LATE_FRAMES < loaded.count;
        assert_int_equal(loaded.rows[i].verdict, is_late ? FG_VERDICT_GPU : FG_VERDICT_UNKNOWN);
        assert_int_equal(!!(loaded.rows[i].flags & FG_FRAME_INFERRED), is_late);
    }
    unload(&loaded);
}

static void a_window_of_no_frames_says_nothing(void **state)
{
    struct workload_seen seen;
    struct loaded loaded;
    struct fg_verdict_window window;
    (void)state;
    load(&loaded, workload_find("cpu"), true, &seen);
    assert_int_equal(fg_query_verdict(loaded.query, 7, 7, &window), FG_OK);
    assert_int_equal(window.frame_count, 0);
    assert_int_equal(window.verdict, FG_VERDICT_UNKNOWN);
    assert_null(window.verdict_name);
    assert_int_equal(fg_query_verdict(loaded.query, WORKLOAD_FRAMES, FG_NONE, &window), FG_OK);
    assert_int_equal(window.frame_count, 1); /* the last one, which has no length */
    assert_int_equal(window.counts[FG_VERDICT_UNKNOWN], 1);
    assert_null(window.verdict_name);
    unload(&loaded);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_say_what_is_true_of_frames_and_of_all_together),
        cmocka_unit_test(times_of_the_last_frames_may_still_come_while_a_capture_has_no_end),
        cmocka_unit_test(a_window_of_no_frames_says_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
