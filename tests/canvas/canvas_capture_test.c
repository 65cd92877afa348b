/* SPDX-License-Identifier: MIT */
/* What the canvas tells the profiler, read back from its capture; and that it tells nothing while
 * off. */
#include "cmocka_all.h"

#include "canvas_frame.h"
#include "canvas_script.h"

#include <frameglass/instrument.h>
#include <frameglass/open.h>
#include <frameglass/trace.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 320, HEIGHT = 240, SPANS_MAX = 4096 };

static struct cv_canvas canvas; /* large */

/* ---- an allocator that counts ---------------------------------------------------------------- */

static uint64_t allocation_count;

static void *counted_resize(void *context, void *block, size_t old_size, size_t new_size)
{
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    __atomic_add_fetch(&allocation_count, 1, __ATOMIC_RELAXED);
    return realloc(block, new_size);
}

static const struct fg_allocator counted = { .resize = counted_resize };

/* ---- runs ------------------------------------------------------------------------------------ */

static void open_canvas(const char *scene, const char *capture_path)
{
    const struct cv_canvas_options options = {
        .platform = { .width_px = WIDTH, .height_px = HEIGHT, .is_headless = true },
        .scene = scene,
        .samples = 1,
        .capture_path = capture_path,
        .allocator = &counted,
    };
    allocation_count = 0;
    assert_true(cv_canvas_init(&canvas, &options));
}

static void play(const char *text, uint64_t frames)
{
    const struct cv_script script = { .text = text };
    for (uint64_t i = 0; i < frames; i++) {
        uint32_t idle_ms;
        cv_script_play(&script, canvas.frame_count, &canvas.editor, &idle_ms);
        assert_true(cv_canvas_frame(&canvas));
    }
}

/* ---- the capture read back ------------------------------------------------------------------- */

struct seen {
    struct fg_document *document;
    struct fg_trace *trace;
    struct fg_trace_span spans[SPANS_MAX];
    uint32_t count;
};
static struct seen seen;

static void read_capture(const char *path)
{
    struct fg_diag diag;
    assert_int_equal(fg_open_path(path, NULL, &diag, &seen.document), FG_OK);
    assert_int_equal(fg_document_load(seen.document, &diag), FG_OK);
    seen.trace = fg_document_trace(seen.document);
    assert_int_equal(fg_trace_spans(seen.trace, 0, seen.spans, SPANS_MAX, &seen.count), FG_OK);
    assert_true(seen.count < SPANS_MAX);
}

static const char *name_of(uint32_t row)
{
    return row == FG_NONE ? "" : fg_trace_text(seen.trace, seen.spans[row].name);
}

/** Whether the canvas said it: frames of the process are called "frame", too. */
static bool is_ours(const struct fg_trace_span *span)
{
    const char *category = fg_trace_text(seen.trace, span->category);
    return (span->classes & FG_CLASS_ZONE) != 0 && strcmp(category, "graphics") == 0;
}

/** Zones of this name; each must lie in a zone called `parent` ("" = in none) and be whole. */
static uint32_t count_zones(const char *name, const char *parent)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < seen.count; i++) {
        const struct fg_trace_span *span = &seen.spans[i];
        if (!is_ours(span) || strcmp(name_of(i), name) != 0) {
            continue;
        }
        assert_int_equal(span->status, FG_SPAN_COMPLETE);
        assert_string_equal(name_of(span->parent), parent);
        count++;
    }
    return count;
}

static uint32_t count_passes(const char *name)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < seen.count; i++) {
        count += (seen.spans[i].classes & FG_CLASS_GPU_PASS) != 0 && strcmp(name_of(i), name) == 0;
    }
    return count;
}

/** Sample `i` of a counter of frames. */
static int64_t sample(const char *name, uint32_t i)
{
    const struct fg_trace_counter *counter;
    for (uint32_t k = 0; (counter = fg_trace_counter(seen.trace, k)) != NULL; k++) {
        struct fg_trace_sample found;
        if (strcmp(fg_trace_text(seen.trace, counter->name), name) == 0) {
            assert_int_equal(fg_trace_samples(seen.trace, k, i, &found, 1), 1);
            return found.value.integer;
        }
    }
    fail_msg("there is no counter %s", name);
    return 0;
}

static uint32_t count_instants(const char *name)
{
    const struct fg_trace_instant *instant;
    uint32_t count = 0;
    for (uint32_t i = 0; (instant = fg_trace_instant(seen.trace, i)) != NULL; i++) {
        count += strstr(fg_trace_text(seen.trace, instant->name), name) != NULL;
    }
    return count;
}

static void make_path(char path[32])
{
    (void)snprintf(path, 32, "/tmp/canvas-XXXXXX");
    const int handle = mkstemp(path);
    assert_true(handle >= 0);
    (void)fclose(fdopen(handle, "w"));
}

/* Frame 2 begins a drag and frame 4 ends it; the others reuse the picture. */
static const char drag[] = "2 press 16 16\n2 move 40 40\n3 move 60 50\n4 release\n";
enum { FRAMES = 6 };

static void the_phases_are_in_the_capture_as_they_nest(void **state)
{
    char path[32];
    (void)state;
    make_path(path);
    open_canvas("grid", path);
    play(drag, FRAMES);
    assert_true(cv_canvas_finish(&canvas));
    read_capture(path);
    assert_int_equal(count_zones("frame", ""), FRAMES);
    assert_int_equal(count_zones("scene", "frame"), FRAMES);
    assert_int_equal(count_zones("drawPicture", "scene"), FRAMES);
    assert_int_equal(count_zones("recordPicture", "scene"), 3); /* first, drag, rest */
    assert_int_equal(count_zones("volatile", "scene"), 2);
    assert_int_equal(count_zones("layout:compute", "frame"), 2); /* first, after the drag */
    assert_int_equal(count_zones("sectionTitles", "frame"), FRAMES);
    assert_int_equal(count_zones("componentLabels", "frame"), FRAMES);
    assert_int_equal(count_zones("selection", "frame"), FRAMES);
    assert_int_equal(count_zones("rulers", "frame"), FRAMES);
    assert_int_equal(count_zones("flush", "frame"), FRAMES);
    assert_int_equal(count_passes("scene"), FRAMES);
    assert_int_equal(count_passes("rulers"), FRAMES);
    assert_int_equal(count_instants("picture missed: first frame"), 1);
    assert_int_equal(count_instants("picture missed: a node began to move"), 1);
    assert_int_equal(count_instants("picture missed: a node came to rest"), 1);
    assert_int_equal(count_instants("picture missed"), 3);
    for (uint32_t i = 0; i < FRAMES; i++) {
        assert_int_equal(sample("nodes", i), 300);
        assert_int_equal(sample("culled", i), 300 - 10 * 8);
        /* The picture or what is left of it, what moves, the selection, the rulers. */
        assert_int_equal(sample("draws", i), 10 * 8 + (i >= 2) + 1);
        assert_int_equal(sample("picture recorded", i), i == 0 || i == 2 || i == 4);
    }
    fg_document_close(seen.document);
    (void)remove(path);
}

/* ---- debug groups, as the driver tells of them ----------------------------------------------- */

static struct {
    uint32_t begun[CV_PHASES], depth, deepest;
    bool is_heard, is_paired;
} groups;

static void APIENTRY on_message(GLenum source, GLenum type, GLuint id, GLenum severity,
                                GLsizei length, const GLchar *message, const void *context)
{
    (void)source;
    (void)id;
    (void)severity;
    (void)length;
    (void)context;
    if (type == GL_DEBUG_TYPE_PUSH_GROUP) {
        groups.is_heard = true;
        groups.depth++;
        groups.deepest = groups.depth > groups.deepest ? groups.depth : groups.deepest;
        for (int i = 0; i < CV_PHASES; i++) {
            groups.begun[i] += strcmp(message, cv_phase_name((enum cv_phase)i)) == 0;
        }
    } else if (type == GL_DEBUG_TYPE_POP_GROUP) {
        groups.is_paired = groups.is_paired && groups.depth > 0;
        groups.depth -= groups.depth > 0;
    }
}

/** False: the driver tells of no groups. */
static bool listen_to_groups(void)
{
    const PFNGLDEBUGMESSAGECALLBACKPROC listen =
        (PFNGLDEBUGMESSAGECALLBACKPROC)canvas.platform->get("glDebugMessageCallback");
    memset(&groups, 0, sizeof groups);
    groups.is_paired = true;
    if (listen == NULL || canvas.gl.PushDebugGroup == NULL) {
        return false;
    }
    canvas.gl.Enable(GL_DEBUG_OUTPUT);
    canvas.gl.Enable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
    listen(on_message, NULL);
    canvas.gl.PushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, 0, -1, "heard");
    canvas.gl.PopDebugGroup();
    return groups.is_heard;
}

static void each_phase_is_a_debug_group(const char *capture_path, const char *script)
{
    static const uint32_t expected[CV_PHASES] = {
        [CV_PHASE_FRAME] = FRAMES,          [CV_PHASE_LAYOUT] = 2,
        [CV_PHASE_SCENE] = FRAMES,          [CV_PHASE_RECORD_PICTURE] = 3,
        [CV_PHASE_DRAW_PICTURE] = FRAMES,   [CV_PHASE_VOLATILE] = 2,
        [CV_PHASE_SECTION_TITLES] = FRAMES, [CV_PHASE_COMPONENT_LABELS] = FRAMES,
        [CV_PHASE_SELECTION] = FRAMES,      [CV_PHASE_RULERS] = FRAMES,
        [CV_PHASE_FLUSH] = FRAMES,
    };
    open_canvas("grid", capture_path);
    const bool is_heard = listen_to_groups();
    play(script, FRAMES);
    if (is_heard) {
        for (int i = 0; i < CV_PHASES; i++) {
            assert_int_equal(groups.begun[i], expected[i]);
        }
        assert_true(groups.is_paired);
        assert_int_equal(groups.depth, 0);
        assert_int_equal(groups.deepest, 3); /* frame, scene, what is in it */
    }
    assert_true(cv_canvas_finish(&canvas));
    if (!is_heard) {
        skip();
    }
}

static void with_the_hud_alone_each_phase_is_a_debug_group(void **state)
{
    char script[sizeof drag + 32];
    (void)state;
    (void)snprintf(script, sizeof script, "0 key P shift\n%s", drag);
    each_phase_is_a_debug_group(NULL, script);
}

static void in_a_capture_each_phase_is_a_debug_group_once(void **state)
{
    char path[32];
    (void)state;
    make_path(path);
    each_phase_is_a_debug_group(path, drag);
    (void)remove(path);
}

/** A span of this name, in one called `parent`, on the track of nodes. */
static const struct fg_trace_span *find_node(const char *name, const char *parent)
{
    for (uint32_t i = 0; i < seen.count; i++) {
        const struct fg_trace_track *track = fg_trace_track(seen.trace, seen.spans[i].track);
        if (strcmp(fg_trace_text(seen.trace, track->name), "nodes") == 0 &&
            strcmp(name_of(i), name) == 0 && strcmp(name_of(seen.spans[i].parent), parent) == 0) {
            return &seen.spans[i];
        }
    }
    return NULL;
}

static void a_detailed_capture_has_each_node_once(void **state)
{
    char path[32];
    uint32_t nodes = 0;
    (void)state;
    make_path(path);
    open_canvas("nested", path);
    play("1 key P shift alt\n", 3);
    assert_true(cv_canvas_finish(&canvas));
    read_capture(path);
    for (uint32_t i = 0; i < seen.count; i++) {
        const struct fg_trace_track *track = fg_trace_track(seen.trace, seen.spans[i].track);
        nodes += strcmp(fg_trace_text(seen.trace, track->name), "nodes") == 0;
    }
    assert_int_equal(nodes, 1 + 1 + 18); /* the frame, the page, all nodes once */
    assert_non_null(find_node("frame 0", "page"));
    assert_non_null(find_node("frame 5", "frame 4"));
    assert_non_null(find_node("half inside", "frame 3"));
    assert_non_null(find_node("outside", "frame 0")); /* culled, and there all the same */
    fg_document_close(seen.document);
    (void)remove(path);
}

static void a_detailed_capture_needs_neither_hud_nor_capture(void **state)
{
    (void)state;
    open_canvas("nested", NULL);
    const PFNGLDRAWARRAYSPROC real = canvas.gl.DrawArrays;
    play("1 key P shift alt\n", 2);
    assert_true(cv_profile_is_on(canvas.profile));
    assert_int_equal(cv_profile_draws_seen(canvas.profile), 12 + 1);
    play("", 1);
    assert_false(cv_profile_is_on(canvas.profile));
    assert_ptr_equal(canvas.gl.DrawArrays, real);
    assert_true(cv_canvas_finish(&canvas));
}

static void while_it_is_off_the_profiler_does_nothing(void **state)
{
    const PFNGLDRAWARRAYSPROC *slot = &canvas.gl.DrawArrays;
    (void)state;
    open_canvas("grid", NULL);
    const PFNGLDRAWARRAYSPROC real = *slot;
    const uint64_t owned_bytes = fg_instrument_owned_bytes();
    play("", 3);
    assert_false(cv_profile_is_on(canvas.profile));
    assert_int_equal(allocation_count, 0);
    assert_ptr_equal(*slot, real);
    assert_int_equal(fg_instrument_mode(), FG_INSTRUMENT_OFF);
    assert_int_equal(fg_instrument_owned_bytes(), owned_bytes);
    assert_int_equal(cv_profile_draws_seen(canvas.profile), 0);
    assert_true(cv_canvas_finish(&canvas));
    assert_int_equal(allocation_count, 0);
}

static void the_hud_is_drawn_last_and_counted_apart(void **state)
{
    static uint8_t without[WIDTH * HEIGHT * 4], with[WIDTH * HEIGHT * 4];
    uint32_t changed = 0;
    (void)state;
    open_canvas("grid", NULL);
    const PFNGLDRAWARRAYSPROC real = canvas.gl.DrawArrays;
    play("", 2);
    cv_targets_read(&canvas.painter.targets, without);
    play("2 key P shift\n", 3);
    cv_targets_read(&canvas.painter.targets, with);
    for (uint32_t i = 0; i < sizeof(with); i++) {
        changed += with[i] != without[i];
    }
    assert_true(changed > 1000);
    assert_ptr_not_equal(canvas.gl.DrawArrays, real);
    assert_int_equal(cv_profile_draws_seen(canvas.profile), 10 * 8 + 1);
    assert_int_equal(canvas.facts.counts.draw_count, 10 * 8 + 1);
    /* Switched on again it needs no new memory of its own; off, the table is as it was. */
    play("5 key P shift\n", 2);
    assert_ptr_equal(canvas.gl.DrawArrays, real);
    cv_targets_read(&canvas.painter.targets, with);
    assert_memory_equal(with, without, sizeof(with));
    const uint64_t before = allocation_count;
    play("", 3);
    assert_int_equal(allocation_count, before);
    assert_int_equal(canvas.gl.GetError(), GL_NO_ERROR);
    assert_true(cv_canvas_finish(&canvas));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(while_it_is_off_the_profiler_does_nothing),
        cmocka_unit_test(the_phases_are_in_the_capture_as_they_nest),
        cmocka_unit_test(with_the_hud_alone_each_phase_is_a_debug_group),
        cmocka_unit_test(in_a_capture_each_phase_is_a_debug_group_once),
        cmocka_unit_test(a_detailed_capture_has_each_node_once),
        cmocka_unit_test(a_detailed_capture_needs_neither_hud_nor_capture),
        cmocka_unit_test(the_hud_is_drawn_last_and_counted_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
