/* SPDX-License-Identifier: MIT */
/* The canvas without a device: document, layout, triangles, cache, editor, scripts, truth. */
#include "cmocka_all.h"

#include "canvas_cache.h"
#include "canvas_editor.h"
#include "canvas_layout.h"
#include "canvas_scenes.h"
#include "canvas_script.h"
#include "canvas_text.h"
#include "canvas_truth.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 480 };

static struct cv_rect at(float x, float y, float width, float height)
{
    return (struct cv_rect){ x, y, x + width, y + height };
}

static void build(struct cv_document *document, const char *scene)
{
    assert_true(cv_document_init(document));
    assert_true(cv_scene_find(scene)->build(document, WIDTH, HEIGHT));
    (void)cv_layout_compute(document);
}

/* ---- the document ---------------------------------------------------------------------------- */

static void nodes_leave_the_tree_with_all_below_them(void **state)
{
    struct cv_document document;
    (void)state;
    assert_true(cv_document_init(&document));
    const uint32_t frame = cv_document_add(&document, 0, CV_FRAME, "frame", at(0, 0, 9, 9));
    const uint32_t first = cv_document_add(&document, frame, CV_GROUP, "group", at(0, 0, 0, 0));
    (void)cv_document_add(&document, first, CV_TEXT, "text", at(0, 0, 9, 9));
    const uint32_t last = cv_document_add(&document, frame, CV_ELLIPSE, "last", at(0, 0, 9, 9));
    assert_int_equal(document.node_count, 4);
    assert_int_equal(cv_document_add(&document, last, CV_TEXT, "x", at(0, 0, 1, 1)), CV_NONE);
    const uint64_t version = document.version;
    cv_document_remove(&document, first);
    assert_int_equal(document.node_count, 2);
    assert_true(document.version > version);
    assert_int_equal(document.nodes[frame].first_child, last);
    assert_int_equal(document.nodes[last].previous, CV_NONE);
    cv_document_remove(&document, last);
    assert_int_equal(document.nodes[frame].first_child, CV_NONE);
    assert_int_equal(document.nodes[frame].last_child, CV_NONE);
    cv_document_finish(&document);
}

static void a_tree_is_no_deeper_than_its_maximum(void **state)
{
    struct cv_document document;
    uint32_t parent = 0, depth = 0;
    (void)state;
    assert_true(cv_document_init(&document));
    for (uint32_t next; depth < 1000; parent = next, depth++) {
        next = cv_document_add(&document, parent, CV_GROUP, "group", at(0, 0, 0, 0));
        if (next == CV_NONE) {
            break;
        }
    }
    assert_int_equal(depth, CV_DEPTH_MAX - 1);
    cv_document_finish(&document);
}

static void the_topmost_and_deepest_node_is_hit(void **state)
{
    struct cv_document document;
    (void)state;
    assert_true(cv_document_init(&document));
    const uint32_t frame = cv_document_add(&document, 0, CV_FRAME, "frame", at(10, 10, 100, 100));
    const uint32_t below = cv_document_add(&document, frame, CV_RECTANGLE, "a", at(80, 0, 50, 50));
    const uint32_t above = cv_document_add(&document, frame, CV_ELLIPSE, "b", at(80, 0, 50, 50));
    document.nodes[frame].clips = true;
    cv_node_add_fill(&document.nodes[frame], 0xffffffff);
    cv_node_add_fill(&document.nodes[below], 0xff0000ff);
    cv_node_add_fill(&document.nodes[above], 0x00ff00ff);
    assert_int_equal(cv_document_hit(&document, 105, 35), above);
    assert_int_equal(cv_document_hit(&document, 91, 11), below); /* the ellipse's corner */
    assert_int_equal(cv_document_hit(&document, 20, 20), frame);
    assert_int_equal(cv_document_hit(&document, 120, 35), CV_NONE); /* clipped */
    cv_document_finish(&document);
}

static void layouts_place_rows_in_columns_from_the_inside(void **state)
{
    struct cv_document document;
    (void)state;
    assert_true(cv_document_init(&document));
    const uint32_t column = cv_document_add(&document, 0, CV_FRAME, "column", at(5, 5, 0, 0));
    const uint32_t row = cv_document_add(&document, column, CV_FRAME, "row", at(0, 0, 0, 0));
    const uint32_t low = cv_document_add(&document, column, CV_RECTANGLE, "low", at(0, 0, 10, 7));
    const uint32_t a = cv_document_add(&document, row, CV_RECTANGLE, "a", at(0, 0, 30, 10));
    const uint32_t b = cv_document_add(&document, row, CV_RECTANGLE, "b", at(0, 0, 20, 40));
    document.nodes[column].layout = (struct cv_layout){ CV_COLUMN, 4, 3, .hugs = true };
    document.nodes[row].layout =
        (struct cv_layout){ CV_ROW, 6, 2, .is_centered = true, .hugs = true };
    assert_int_equal(cv_layout_compute(&document), 2);
    const struct cv_node *nodes = document.nodes;
    assert_true(nodes[row].width == 2 + 30 + 6 + 20 + 2 && nodes[row].height == 2 + 40 + 2);
    assert_true(nodes[a].x == 2 && nodes[a].y == 2 + 15 && nodes[b].x == 38 && nodes[b].y == 2);
    assert_true(nodes[row].x == 3 && nodes[row].y == 3);
    assert_true(nodes[low].x == 3 && nodes[low].y == 3 + 44 + 4);
    assert_true(nodes[column].width == 66 && nodes[column].height == 3 + 44 + 4 + 7 + 3);
    const uint64_t version = document.version;
    assert_int_equal(cv_layout_compute(&document), 0);
    document.needs_layout = true;
    assert_int_equal(cv_layout_compute(&document), 2);
    assert_int_equal(document.version, version); /* nothing moved: the picture is still good */
    cv_document_finish(&document);
}

/* ---- triangles ------------------------------------------------------------------------------- */

static double area_of(const struct cv_mesh *mesh)
{
    double area = 0;
    for (uint32_t i = 0; i < mesh->count; i += 3) {
        const struct cv_vertex *v = &mesh->vertices[i];
        const double a = (double)(v[1].x - v[0].x) * (double)(v[2].y - v[0].y) -
                         (double)(v[1].y - v[0].y) * (double)(v[2].x - v[0].x);
        area += fabs(a) / 2;
    }
    return area;
}

static void a_filled_polygon_covers_its_area_once(void **state)
{
    /* A star, a comb and a spiral, both ways around. */
    static const struct cv_point comb[] = { { 0, 0 },  { 50, 0 }, { 50, 30 }, { 40, 30 },
                                            { 40, 8 }, { 30, 8 }, { 30, 30 }, { 20, 30 },
                                            { 20, 8 }, { 10, 8 }, { 10, 30 }, { 0, 30 } };
    struct cv_point points[12];
    const struct cv_ink ink = cv_ink_solid(0xff);
    (void)state;
    for (int backwards = 0; backwards < 2; backwards++) {
        struct cv_mesh mesh = { .count = 0 };
        for (int i = 0; i < 12; i++) {
            points[i] = comb[backwards ? 11 - i : i];
        }
        cv_mesh_fill(&mesh, points, 12, &ink);
        assert_int_equal(mesh.count, 3 * 10);
        assert_int_equal(lround(area_of(&mesh)), 50 * 30 - 2 * 10 * 22);
        cv_mesh_finish(&mesh);
    }
}

static void a_stroke_lies_half_on_either_side(void **state)
{
    struct cv_mesh mesh = { .count = 0 };
    float x0 = 1e9f, x1 = -1e9f;
    (void)state;
    cv_mesh_frame(&mesh, at(10, 10, 100, 50), 4, 0xff);
    for (uint32_t i = 0; i < mesh.count; i++) {
        x0 = fminf(x0, mesh.vertices[i].x);
        x1 = fmaxf(x1, mesh.vertices[i].x);
    }
    assert_true(x0 == 8 && x1 == 112);
    assert_int_equal(lround(area_of(&mesh)), 104 * 54 - 96 * 46);
    cv_mesh_finish(&mesh);
}

static void gradients_reach_both_colors(void **state)
{
    struct cv_mesh mesh = { .count = 0 };
    const struct cv_ink ink = { 0xff0000ff, 0x0000ff80, { 10, 0 }, { 1.0f / 100, 0 } };
    const struct cv_point points[4] = { { 10, 0 }, { 110, 0 }, { 110, 9 }, { 10, 9 } };
    (void)state;
    cv_mesh_fill(&mesh, points, 4, &ink);
    for (uint32_t i = 0; i < mesh.count; i++) {
        const uint8_t *rgba = mesh.vertices[i].rgba;
        const bool is_left = mesh.vertices[i].x == 10;
        assert_int_equal(rgba[0], is_left ? 255 : 0);
        assert_int_equal(rgba[2], is_left ? 0 : 128); /* premultiplied */
        assert_int_equal(rgba[3], is_left ? 255 : 128);
    }
    cv_mesh_finish(&mesh);
}

static void every_letter_has_lines_within_its_place(void **state)
{
    (void)state;
    for (char c = '!'; c <= '~'; c++) {
        const char text[2] = { c, '\0' };
        struct cv_mesh mesh = { .count = 0 };
        cv_text_add(&mesh, text, (struct cv_point){ 0, 0 }, (struct cv_point){ 0, 1 }, 6, 0xff);
        assert_true(mesh.count >= 6);
        for (uint32_t i = 0; i < mesh.count; i++) {
            assert_true(mesh.vertices[i].x > -1 && mesh.vertices[i].x < 5);
            assert_true(mesh.vertices[i].y > -1 && mesh.vertices[i].y < 9);
        }
        cv_mesh_finish(&mesh);
    }
    assert_true(cv_text_width("abc", 6) == 16);
}

/* ---- the cache ------------------------------------------------------------------------------- */

static void look(struct cv_cache *cache, const struct cv_editor *editor, enum cv_cache_state state,
                 const char *reason)
{
    cv_cache_look(cache, editor->document, editor->moving);
    assert_int_equal(cache->state, state);
    if (reason == NULL) {
        assert_null(cache->miss_reason);
    } else {
        assert_string_equal(cache->miss_reason, reason);
    }
    if (state == CV_CACHE_RECORD || state == CV_CACHE_NONE) {
        assert_true(cv_cache_record(cache, editor->document, editor->moving));
    }
}

static void send(struct cv_editor *editor, enum cv_event_kind kind, float x, float y)
{
    cv_editor_handle(editor, &(const struct cv_event){ .kind = kind, .x = x, .y = y, .factor = 2 });
}

static void the_cache_says_why_it_missed(void **state)
{
    struct cv_document document;
    struct cv_editor editor;
    struct cv_cache cache = { .except = CV_NONE };
    (void)state;
    build(&document, "grid");
    cv_editor_init(&editor, &document, WIDTH, HEIGHT);
    look(&cache, &editor, CV_CACHE_RECORD, "first frame");
    look(&cache, &editor, CV_CACHE_HIT, NULL);
    send(&editor, CV_EVENT_PAN, 10, 10);
    send(&editor, CV_EVENT_ZOOM, 10, 10);
    look(&cache, &editor, CV_CACHE_HIT, NULL); /* a view is not the document */
    send(&editor, CV_EVENT_ZOOM, 10, 10);
    send(&editor, CV_EVENT_PRESS, 100, 100);
    assert_int_not_equal(editor.selected, CV_NONE);
    send(&editor, CV_EVENT_MOVE, 101, 100);
    look(&cache, &editor, CV_CACHE_HIT, NULL); /* a hand that trembles */
    send(&editor, CV_EVENT_MOVE, 120, 100);
    look(&cache, &editor, CV_CACHE_RECORD, "a node began to move");
    assert_int_equal(cache.picture.node_count, 300); /* the page, and all cells but one */
    send(&editor, CV_EVENT_MOVE, 130, 100);
    look(&cache, &editor, CV_CACHE_VOLATILE, "a node moves");
    send(&editor, CV_EVENT_RELEASE, 0, 0);
    look(&cache, &editor, CV_CACHE_RECORD, "a node came to rest");
    look(&cache, &editor, CV_CACHE_HIT, NULL);
    cv_editor_handle(&editor, &(const struct cv_event){ .kind = CV_EVENT_KEY, .key = CV_KEY_LEFT });
    look(&cache, &editor, CV_CACHE_RECORD, "a node was nudged");
    cv_editor_handle(&editor,
                     &(const struct cv_event){ .kind = CV_EVENT_KEY, .key = CV_KEY_DELETE });
    look(&cache, &editor, CV_CACHE_RECORD, "a node was removed");
    cache.is_off = true;
    look(&cache, &editor, CV_CACHE_NONE, "switched off");
    look(&cache, &editor, CV_CACHE_NONE, "switched off");
    cache.is_off = false;
    look(&cache, &editor, CV_CACHE_RECORD, "first frame");
    cv_cache_finish(&cache);
    cv_document_finish(&document);
}

static void a_drag_moves_by_what_the_pointer_moved(void **state)
{
    struct cv_document document;
    struct cv_editor editor;
    (void)state;
    build(&document, "grid");
    cv_editor_init(&editor, &document, WIDTH, HEIGHT);
    send(&editor, CV_EVENT_ZOOM, 0, 0); /* twice as large */
    send(&editor, CV_EVENT_PRESS, 10, 10);
    send(&editor, CV_EVENT_MOVE, 50, 30);
    send(&editor, CV_EVENT_MOVE, 70, 50);
    send(&editor, CV_EVENT_RELEASE, 0, 0);
    assert_int_equal(editor.selected, 1);
    assert_true(document.nodes[1].x == 30 && document.nodes[1].y == 20);
    cv_document_finish(&document);
}

/* ---- scripts --------------------------------------------------------------------------------- */

static void scripts_play_in_their_frames(void **state)
{
    struct cv_document document;
    struct cv_editor editor;
    struct cv_script script = { .text = "2 key P shift\n# a remark\n3 to 5 pan -10 0\n6 idle 25\n"
                                        "7 key P shift alt\n" };
    uint32_t idle_ms;
    (void)state;
    build(&document, "grid");
    cv_editor_init(&editor, &document, WIDTH, HEIGHT);
    for (uint64_t frame = 0; frame < 8; frame++) {
        cv_script_play(&script, frame, &editor, &idle_ms);
        assert_int_equal(idle_ms, frame == 6 ? 25 : 0);
        assert_int_equal(editor.shows_hud, frame >= 2);
        assert_int_equal(editor.wants_detail, frame >= 7);
        assert_int_equal((int)editor.view.x, frame < 3   ? 0
                                             : frame > 5 ? 30
                                                         : 10 * ((int)frame - 2));
    }
    cv_document_finish(&document);
}

static void built_in_scripts_are_understood_and_others_are_refused(void **state)
{
    static const char *const names[] = { "still", "pan", "zoom", "drag", "edit", "tour" };
    struct cv_script script;
    char path[] = "/tmp/canvas-script-XXXXXX";
    (void)state;
    /* Through a file, because what is built in is not checked when it is opened. */
    for (size_t i = 0; i <= sizeof(names) / sizeof(names[0]); i++) {
        const bool is_last = i == sizeof(names) / sizeof(names[0]);
        assert_true(is_last || cv_script_open(&script, names[i]));
        const int handle = mkstemp(path);
        FILE *file = fdopen(handle, "w");
        assert_non_null(file);
        fputs(is_last ? "3 jump 4\n" : script.text, file);
        (void)fclose(file);
        assert_int_equal(cv_script_open(&script, path), !is_last);
        cv_script_close(&script);
        (void)remove(path);
        memcpy(path + sizeof(path) - 7, "XXXXXX", 6);
    }
    assert_false(cv_script_open(&script, "/nowhere/at/all"));
}

/* ---- the truth ------------------------------------------------------------------------------- */

static void the_truth_of_known_scenes_is_what_arithmetic_says(void **state)
{
    static const struct {
        const char *scene;
        uint32_t nodes, culled, draws, overdraw_max;
        uint64_t fragments;
    } known[] = {
        { "grid", 300, 0, 300, 1, 300 * 24 * 24 },
        { "stack", 8, 0, 8, 8, 8 * WIDTH * HEIGHT },
        /* Frames and the halves that hang in; what is outside of a frame that clips is culled. */
        { "nested", 18, 6, 12, 7,
          608 * 448 + 576 * 416 + 544 * 384 + 512 * 352 + 480 * 320 + 448 * 288 + 6 * 8 * 16 },
        { "large", 10000, 10000 - 16 * 12, 16 * 12, 1, 16 * 12 * 32 * 32 },
    };
    static uint16_t overdraw[WIDTH * HEIGHT];
    const struct cv_view view = { 0, 0, 1, WIDTH, HEIGHT };
    (void)state;
    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        struct cv_document document;
        struct cv_truth truth;
        build(&document, known[i].scene);
        cv_truth_tell(&document, &view, CV_NONE, true, overdraw, &truth);
        assert_int_equal(truth.node_count, known[i].nodes);
        assert_int_equal(truth.node_count, document.node_count);
        assert_int_equal(truth.culled_count, known[i].culled);
        assert_int_equal(truth.scene_draws, known[i].draws);
        assert_int_equal(truth.overlay_draws, 0);
        assert_int_equal(truth.overdraw_max, known[i].overdraw_max);
        assert_int_equal(truth.fragment_count, known[i].fragments);
        assert_true(truth.is_exact);
        cv_document_finish(&document);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nodes_leave_the_tree_with_all_below_them),
        cmocka_unit_test(a_tree_is_no_deeper_than_its_maximum),
        cmocka_unit_test(the_topmost_and_deepest_node_is_hit),
        cmocka_unit_test(layouts_place_rows_in_columns_from_the_inside),
        cmocka_unit_test(a_filled_polygon_covers_its_area_once),
        cmocka_unit_test(a_stroke_lies_half_on_either_side),
        cmocka_unit_test(gradients_reach_both_colors),
        cmocka_unit_test(every_letter_has_lines_within_its_place),
        cmocka_unit_test(the_cache_says_why_it_missed),
        cmocka_unit_test(a_drag_moves_by_what_the_pointer_moved),
        cmocka_unit_test(scripts_play_in_their_frames),
        cmocka_unit_test(built_in_scripts_are_understood_and_others_are_refused),
        cmocka_unit_test(the_truth_of_known_scenes_is_what_arithmetic_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
