/* SPDX-License-Identifier: MIT */
/* Whose GPU pass is it: brackets, listeners, fragments, contexts, passes of nobody. */
#include "record_bed.h"
#include "../support/cmocka_all.h"

#include <string.h>

static const struct fg_graph_pass two_passes[] = {
    { .id = 7, .name = "shadows", .ref_count = 1 },
    { .id = 8, .name = "lighting", .ref_count = 2 },
};
static const struct fg_graph_desc two_graph = { .passes = two_passes, .pass_count = 2 };

static void passes_belong_to_the_bracket_around_them_whatever_they_are_called(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_frame_set_graph(bed.frame, &two_graph);
    fg_commands_graph_pass_begin(bed.commands[0], 0, "shadows");
    bed_pass(&bed, 0, "lighting", 1000);
    bed_pass(&bed, 0, "cascade", 2000);
    bed_pass(&bed, 0, "cascade", 3000);
    fg_commands_graph_pass_end(bed.commands[0]);
    fg_commands_graph_pass_begin(bed.commands[0], 1, "lighting");
    bed_pass(&bed, 0, "cascade", 4000);
    fg_commands_graph_pass_end(bed.commands[0]);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_frame *frame = &seen.frames[0];
    assert_int_equal(frame->pass_count, 4);
    const char *const owners[] = { "shadows", "shadows", "shadows", "lighting" };
    const char *const labels[] = { "lighting", "cascade", "cascade", "cascade" };
    for (size_t i = 0; i < 4; i++) {
        assert_string_equal(frame->passes[i].owner, owners[i]);
        assert_string_equal(frame->passes[i].label, labels[i]);
        assert_int_equal(seen_duration(&frame->passes[i]), 1000 * (int64_t)(i + 1));
    }
    assert_int_equal(frame->dropped, 0);
    seen_free(&seen);
    bed_close(&bed);
}

static void a_pass_outside_of_every_bracket_is_kept_as_unattributed(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_frame_set_graph(bed.frame, &two_graph);
    bed_pass(&bed, 0, "before", 500);
    fg_commands_graph_pass_begin(bed.commands[0], 0, "shadows");
    bed_pass(&bed, 0, "inside", 500);
    fg_commands_graph_pass_end(bed.commands[0]);
    bed_pass(&bed, 0, "after", 500);
    bed_end(&bed);
    bed_begin(&bed, 1); /* a frame without any graph */
    bed_pass(&bed, 0, "alone", 500);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].pass_count, 3);
    assert_int_equal(seen.frames[0].passes[0].graph_pass, FG_CAP_NONE);
    assert_int_equal(seen.frames[0].passes[1].graph_pass, 0);
    assert_int_equal(seen.frames[0].passes[2].graph_pass, FG_CAP_NONE);
    assert_int_equal(seen.frames[1].passes[0].graph_pass, FG_CAP_NONE);
    assert_int_equal(seen.frames[1].passes[0].span.status, FG_CAP_SPAN_OK);
    seen_free(&seen);
    bed_close(&bed);
}

static int fail_in_the_middle(void *context)
{
    struct bed *bed = context;
    bed_pass(bed, 0, "partial", 700);
    return -5;
}

static void the_bracket_is_closed_when_the_pass_fails(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_graph_listeners listeners = { 0 };
    struct fg_graph_listener recorder = fg_graph_recorder();
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_frame_set_graph(bed.frame, &two_graph);
    assert_int_equal(fg_graph_listeners_add(&listeners, &recorder), FG_OK);
    struct fg_graph_event event = { .pass = 0, .name = "shadows", .commands = bed.commands[0] };
    assert_int_equal(fg_graph_pass_run(&listeners, &event, fail_in_the_middle, &bed), -5);
    bed_pass(&bed, 0, "after", 300);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_string_equal(seen.frames[0].passes[0].owner, "shadows");
    assert_int_equal(seen.frames[0].passes[1].graph_pass, FG_CAP_NONE);
    assert_int_equal(seen.frames[0].dropped, 0);
    seen_free(&seen);
    bed_close(&bed);
}

static jmp_buf way_out;

static int leave_by_longjmp(void *context)
{
    struct bed *bed = context;
    bed_pass(bed, 0, "partial", 700);
    longjmp(way_out, 1);
}

static void a_bracket_left_by_longjmp_is_closed_by_the_next_one_and_counted(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_graph_listeners listeners = { 0 };
    struct fg_graph_listener recorder = fg_graph_recorder();
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_frame_set_graph(bed.frame, &two_graph);
    assert_int_equal(fg_graph_listeners_add(&listeners, &recorder), FG_OK);
    struct fg_graph_event event = { .pass = 0, .name = "shadows", .commands = bed.commands[0] };
    if (setjmp(way_out) == 0) {
        (void)fg_graph_pass_run(&listeners, &event, leave_by_longjmp, &bed);
    }
    event.pass = 1;
    fg_graph_pass_begin(&listeners, &event);
    bed_pass(&bed, 0, "next", 300);
    bed_end(&bed); /* this one is never ended at all */
    seen_bed(&seen, &bed);
    const struct seen_frame *frame = &seen.frames[0];
    assert_string_equal(frame->passes[0].owner, "shadows");
    assert_string_equal(frame->passes[1].owner, "lighting");
    assert_int_equal(frame->drops[FG_CAP_DROP_UNBALANCED], 2);
    assert_int_equal(frame->cpu_passes[0].flags & FG_CAP_CPU_PASS_FAILED, FG_CAP_CPU_PASS_FAILED);
    seen_free(&seen);
    bed_close(&bed);
}

static char calls[64];

static void note_begin(void *context, const struct fg_graph_event *event)
{
    (void)event;
    strcat(calls, (const char *)context);
}

static void note_end(void *context, const struct fg_graph_event *event)
{
    char upper[2] = { (char)(*(const char *)context - 32), 0 };
    (void)event;
    strcat(calls, upper);
}

static void several_listeners_hear_the_bracket_and_removal_mirrors_adding(void **state)
{
    struct fg_graph_listeners listeners = { 0 };
    char names[2][2] = { "a", "b" };
    struct fg_graph_listener a = { note_begin, note_end, names[0] };
    struct fg_graph_listener b = { note_begin, note_end, names[1] };
    struct fg_graph_event event = { 0 };
    (void)state;
    calls[0] = 0;
    fg_graph_pass_begin(&listeners, &event); /* nobody */
    fg_graph_pass_end(&listeners, &event);
    assert_int_equal(fg_graph_listeners_add(&listeners, &a), FG_OK);
    assert_int_equal(fg_graph_listeners_add(&listeners, &b), FG_OK);
    fg_graph_pass_begin(&listeners, &event);
    fg_graph_pass_end(&listeners, &event);
    assert_string_equal(calls, "abBA");
    assert_int_equal(fg_graph_listeners_remove(&listeners, &a), FG_OK);
    assert_int_equal(fg_graph_listeners_remove(&listeners, &a), FG_ERR_NOT_FOUND);
    fg_graph_pass_begin(&listeners, &event);
    fg_graph_pass_end(&listeners, &event);
    assert_string_equal(calls, "abBAbB");
    assert_int_equal(fg_graph_listeners_remove(&listeners, &b), FG_OK);
    assert_int_equal(listeners.count, 0);
    for (int i = 0; i < FG_GRAPH_LISTENERS_MAX; i++) {
        assert_int_equal(fg_graph_listeners_add(&listeners, &a), FG_OK);
    }
    assert_int_equal(fg_graph_listeners_add(&listeners, &b), FG_ERR_LIMIT);
}

static void command_buffers_of_several_queues_make_one_frame(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .queue_count = 3 }, NULL);
    bed_begin(&bed, 3);
    fg_frame_set_graph(bed.frame, &two_graph);
    for (uint32_t queue = 0; queue < 3; queue++) {
        fg_commands_graph_pass_begin(bed.commands[queue], queue % 2, NULL);
        bed_pass(&bed, queue, "part", 1000 * (queue + 1));
        fg_commands_graph_pass_end(bed.commands[queue]);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_frame *frame = &seen.frames[0];
    assert_int_equal(seen.frame_count, 1);
    assert_int_equal(frame->pass_count, 3);
    assert_int_equal(frame->gpu_records, 3); /* one per clock */
    assert_true(frame->last);
    for (uint32_t i = 0; i < 3; i++) {
        assert_int_equal(frame->passes[i].graph_pass, i % 2);
        assert_int_equal(frame->passes[i].track, i + 1);
        assert_int_equal(frame->passes[i].submission, i);
        assert_int_equal(seen_duration(&frame->passes[i]), 1000 * (i + 1));
        for (uint32_t k = 0; k < i; k++) { /* another query set each */
            assert_int_not_equal(frame->passes[i].span.origin, frame->passes[k].span.origin);
        }
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void a_logical_pass_is_made_of_fragments_over_queues(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .queue_count = 2 }, NULL);
    bed_begin(&bed, 2);
    const uint32_t queues[] = { 0, 0, 1 };
    const uint64_t logical[] = { 42, 0, 42 };
    for (size_t i = 0; i < 3; i++) {
        fg_gpu_pass_begin(bed.commands[queues[i]],
                          &(struct fg_gpu_pass_desc){ .label = "split", .logical = logical[i] });
        fg_software_work(bed.native[queues[i]], 100, 0);
        fg_gpu_pass_end(bed.commands[queues[i]]);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_pass *passes = seen.frames[0].passes;
    assert_int_equal(passes[0].logical, 0);
    assert_int_equal(passes[0].fragment, 0);
    assert_int_equal(passes[1].logical, FG_CAP_NONE);
    assert_int_equal(passes[2].logical, 0);
    assert_int_equal(passes[2].fragment, 1);
    seen_free(&seen);
    bed_close(&bed);
}

static void markers_are_a_kind_of_their_own_and_lie_inside(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_gpu_pass_begin(bed.commands[0],
                      &(struct fg_gpu_pass_desc){ .label = "whole", .kind = FG_GPU_PASS_RENDER });
    fg_gpu_draw(bed.commands[0], 3, 1);
    fg_gpu_pass_begin(bed.commands[0],
                      &(struct fg_gpu_pass_desc){ .label = "trees", .kind = FG_GPU_PASS_MARKER });
    fg_gpu_draw(bed.commands[0], 600, 20);
    fg_software_work(bed.native[0], 250, 0);
    fg_gpu_pass_end(bed.commands[0]);
    fg_software_work(bed.native[0], 250, 0);
    fg_gpu_pass_end(bed.commands[0]);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_pass *passes = seen.frames[0].passes;
    assert_int_equal(passes[1].kind, FG_CAP_GPU_PASS_MARKER);
    assert_int_equal(passes[1].parent, 0);
    assert_int_equal(seen_duration(&passes[0]), 500);
    assert_int_equal(seen_duration(&passes[1]), 250);
    assert_int_equal(passes[0].work_count, 2); /* markers structure work, they do not own it */
    assert_int_equal(passes[1].work_count, 0);
    seen_free(&seen);
    bed_close(&bed);
}

static void descriptors_are_never_modified(void **state)
{
    struct bed bed;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    struct fg_attachment attachments[2] = { { .format = 37, .load = FG_LOAD_CLEAR },
                                            { .format = 126, .kind = FG_ATTACHMENT_DEPTH } };
    struct fg_gpu_pass_desc desc = { .label = "pass",
                                     .kind = FG_GPU_PASS_RENDER,
                                     .attachments = attachments,
                                     .attachment_count = 2,
                                     .statistics = true };
    struct fg_gpu_pass_desc before;
    struct fg_attachment attachments_before[2];
    memcpy(&before, &desc, sizeof desc);
    memcpy(attachments_before, attachments, sizeof attachments);
    fg_gpu_pass_begin(bed.commands[0], &desc);
    fg_gpu_pass_end(bed.commands[0]);
    fg_gpu_pass_begin(bed.commands[0], NULL); /* no descriptor at all: S1.6 */
    fg_gpu_pass_end(bed.commands[0]);
    bed_end(&bed);
    assert_memory_equal(&before, &desc, sizeof desc);
    assert_memory_equal(attachments_before, attachments, sizeof attachments);
    struct seen seen;
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].passes[1].kind, FG_CAP_GPU_PASS_COMPUTE);
    seen_free(&seen);
    bed_close(&bed);
}

static void the_bracket_names_debug_groups_unless_told_not_to(void **state)
{
    (void)state;
    for (int off = 0; off < 2; off++) {
        struct bed bed;
        uint32_t open;
        struct fg_session_options options = { .flags = off ? FG_SESSION_NO_DEBUG_LABELS : 0 };
        bed_open(&bed, NULL, &options);
        bed_begin(&bed, 1);
        fg_commands_graph_pass_begin(bed.commands[0], 0, "shadows");
        fg_commands_graph_pass_begin(bed.commands[0], 1, "lighting");
        bed_end(&bed);
        assert_int_equal(fg_software_label_count(bed.native[0], &open), off ? 0 : 2);
        assert_int_equal(open, 0);
        bed_close(&bed);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_belong_to_the_bracket_around_them_whatever_they_are_called),
        cmocka_unit_test(a_pass_outside_of_every_bracket_is_kept_as_unattributed),
        cmocka_unit_test(the_bracket_is_closed_when_the_pass_fails),
        cmocka_unit_test(a_bracket_left_by_longjmp_is_closed_by_the_next_one_and_counted),
        cmocka_unit_test(several_listeners_hear_the_bracket_and_removal_mirrors_adding),
        cmocka_unit_test(command_buffers_of_several_queues_make_one_frame),
        cmocka_unit_test(a_logical_pass_is_made_of_fragments_over_queues),
        cmocka_unit_test(markers_are_a_kind_of_their_own_and_lie_inside),
        cmocka_unit_test(descriptors_are_never_modified),
        cmocka_unit_test(the_bracket_names_debug_groups_unless_told_not_to),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
