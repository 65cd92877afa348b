/* SPDX-License-Identifier: MIT */
/* Lists of the canvas's frames on whatever OpenGL is here. */
#include "canvas_frame.h"
#include "canvas_scenes.h"
#include "canvas_script.h"
#include "command_bed.h"

#include "../support/cmocka_all.h"
#include "../support/failing_memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char path[] = "command_canvas_test.txt";
static struct cv_canvas canvas; /* large */
static struct failing failing;
static struct fg_allocator allocator;

static void open_canvas(const char *scene, bool is_bare)
{
    failing = (struct failing){ .countdown = -1 };
    allocator = failing_allocator(&failing);
    const struct cv_canvas_options options = {
        .platform = { .width_px = 640, .height_px = 480, .is_headless = true },
        .scene = scene,
        .samples = 1,
        .is_bare = is_bare,
        .commands_path = path,
        .allocator = &allocator,
    };
    (void)unlink(path);
    assert_true(cv_canvas_init(&canvas, &options));
}

static void close_canvas(void)
{
    assert_true(cv_canvas_finish(&canvas));
    assert_int_equal(failing.alive, 0);
    (void)unlink(path);
}

static void frames(const char *script, int count)
{
    const struct cv_script played = { .text = script };
    for (int i = 0; i < count; i++) {
        uint32_t idle_ms;
        cv_script_play(&played, canvas.frame_count, &canvas.editor, &idle_ms);
        assert_true(cv_canvas_frame(&canvas));
    }
}

/** What the key has written. */
static char *read_list(void)
{
    static char text[1 << 20];
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    (void)fclose(file);
    (void)unlink(path);
    return text;
}

static void a_known_frame_has_a_known_list(void **state)
{
    (void)state;
    open_canvas("nested", true);
    frames("2 key L shift\n", 4);
    command_same_file(read_list(), "canvas_nested.txt");
    close_canvas();
}

static void frames_of_all_scenes_have_as_many_draws_as_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; cv_scene_at(i) != NULL; i++) {
        open_canvas(cv_scene_at(i)->name, false);
        frames("1 key P shift\n", 3); /* the HUD: its counter is on */
        frames("3 key L shift\n", 1);
        assert_int_equal(cv_profile_draws_seen(canvas.profile), canvas.facts.counts.draw_count);
        const char *text = read_list();
        assert_int_equal(command_sum(text, "draws"), canvas.facts.counts.draw_count);
        assert_int_equal(command_sum(text, "calls that did not fit"), 0);
        /* Phases are named by the driver's debug groups. */
        assert_non_null(strstr(text, "\n         glPushDebugGroup(source = "
                                     "GL_DEBUG_SOURCE_APPLICATION, id = 0, length = -1, message = "
                                     "\"frame\")\n"));
        assert_non_null(strstr(text, "\n           glPushDebugGroup(source = "
                                     "GL_DEBUG_SOURCE_APPLICATION, id = 2, length = -1, message = "
                                     "\"scene\")\n"));
        assert_non_null(strstr(text, "\n         glPopDebugGroup()\n\nSums\n"));
        close_canvas();
    }
}

static void a_dragged_node_is_in_its_phase(void **state)
{
    (void)state;
    open_canvas("stack", true);
    frames("0 press 320 240\n1 move 330 250\n2 key L shift\n", 3);
    const char *text = read_list();
    const char *picture = strstr(text, "\n             \"drawPicture\"\n");
    const char *moving = strstr(text, "\n             \"volatile\"\n");
    assert_true(picture != NULL && moving != NULL && picture < moving);
    assert_non_null(strstr(moving, "glDrawArrays"));
    assert_int_equal(command_sum(text, "draws"), canvas.facts.counts.draw_count);
    close_canvas();
}

static void off_nothing_is_made_or_wrapped(void **state)
{
    (void)state;
    open_canvas("stack", true);
    const struct cv_gl table = canvas.gl;
    const long alive = failing.alive;
    for (int i = 0; i < 3; i++) {
        frames("", 1);
        assert_null(canvas.commands.list);
        assert_memory_equal(&canvas.gl, &table, sizeof table);
        assert_int_equal(failing.alive, alive);
    }
    frames("3 key L shift\n", 1);
    assert_non_null(canvas.commands.list); /* kept for the next time */
    assert_memory_equal(&canvas.gl, &table, sizeof table);
    const long with_list = failing.alive;
    failing.countdown = 0;
    frames("", 2);
    frames("6 key L shift\n", 1);
    assert_false(failing.refused);
    assert_int_equal(failing.alive, with_list);
    assert_memory_equal(&canvas.gl, &table, sizeof table);
    failing.countdown = -1;
    close_canvas();
}

static void without_memory_the_frame_is_drawn_and_a_word_said(void **state)
{
    (void)state;
    open_canvas("stack", true);
    failing.countdown = 0;
    failing.stays = true;
    frames("0 key L shift\n1 key L shift\n", 2);
    assert_true(failing.refused);
    assert_true(canvas.facts.counts.draw_count > 0);
    assert_true(canvas.commands.has_failed);
    failing = (struct failing){ .countdown = -1, .alive = failing.alive };
    assert_false(cv_canvas_finish(&canvas)); /* so that the program's status tells */
    assert_int_equal(access(path, F_OK), -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_known_frame_has_a_known_list),
        cmocka_unit_test(frames_of_all_scenes_have_as_many_draws_as_are_counted),
        cmocka_unit_test(a_dragged_node_is_in_its_phase),
        cmocka_unit_test(off_nothing_is_made_or_wrapped),
        cmocka_unit_test(without_memory_the_frame_is_drawn_and_a_word_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
