/* SPDX-License-Identifier: MIT */
#include "canvas_frame.h"

#include "canvas_layout.h"
#include "canvas_scenes.h"

#include <stdio.h>
#include <string.h>

static const uint32_t paper = 0xe5e7ebff;
static const uint64_t wait_max_ns = 10000000000;

static bool build_scene(struct cv_canvas *canvas, const struct cv_canvas_options *options)
{
    const struct cv_scene *scene =
        options->scene != NULL ? cv_scene_find(options->scene) : cv_scene_at(0);
    const int width_px = options->platform.width_px, height_px = options->platform.height_px;
    if (scene == NULL) {
        fprintf(stderr, "canvas: there is no scene %s\n", options->scene);
        return false;
    }
    if (!cv_document_init(&canvas->document) ||
        !scene->build(&canvas->document, width_px, height_px)) {
        fprintf(stderr, "canvas: out of memory\n");
        return false;
    }
    cv_editor_init(&canvas->editor, &canvas->document, width_px, height_px);
    (void)cv_layout_compute(&canvas->document);
    /* The first frame has a layout phase, too. */
    canvas->document.needs_layout = true;
    if (scene->fits) {
        cv_editor_fit(&canvas->editor);
    }
    return true;
}

bool cv_canvas_init(struct cv_canvas *canvas, const struct cv_canvas_options *options)
{
    const int samples = options->samples > 0 ? options->samples : 4;
    memset(canvas, 0, sizeof(*canvas));
    canvas->is_bare = options->is_bare;
    canvas->allocator = options->allocator;
    canvas->trusts_software = options->trusts_software;
    canvas->cache.is_off = options->has_no_cache;
    canvas->cache.except = CV_NONE;
    if (!build_scene(canvas, options) || !cv_platform_open(&options->platform, &canvas->platform) ||
        !cv_gl_load(&canvas->gl, canvas->platform->get)) {
        return false;
    }
    int width_px = 0, height_px = 0;
    canvas->platform->get_size(canvas->platform, &width_px, &height_px);
    canvas->editor.view.width_px = width_px;
    canvas->editor.view.height_px = height_px;
    if (!cv_painter_init(&canvas->painter, &canvas->gl, width_px, height_px, samples,
                         canvas->platform->has_window)) {
        fprintf(stderr, "canvas: the device does not take the shaders or the targets\n");
        return false;
    }
    cv_load_init(&canvas->load, &options->load, &canvas->painter);
    const struct cv_profile_options profile = {
        .gl = &canvas->gl,
        .get = canvas->platform->get,
        .context = canvas->platform->context,
        .capture_path = options->capture_path,
        .scene = options->scene != NULL ? options->scene : cv_scene_at(0)->name,
        .commands = &canvas->commands,
        .allocator = options->allocator,
    };
    cv_commands_init(&canvas->commands,
                     &(const struct cv_commands_options){ .gl = &canvas->gl,
                                                          .programs = &canvas->painter.programs,
                                                          .path = options->commands_path,
                                                          .allocator = options->allocator });
    if (!cv_profile_create(&profile, &canvas->profile)) {
        return false;
    }
    canvas->painter.profile = canvas->profile;
    return true;
}

bool cv_canvas_finish(struct cv_canvas *canvas)
{
    cv_heat_destroy(canvas->heat);
    const bool is_written = cv_profile_destroy(canvas->profile) && !canvas->commands.has_failed;
    canvas->painter.profile = NULL;
    cv_commands_finish(&canvas->commands);
    for (int i = 0; i < CV_FRAMES_IN_FLIGHT; i++) {
        if (canvas->in_flight[i] != NULL) {
            canvas->gl.DeleteSync(canvas->in_flight[i]);
        }
    }
    cv_painter_finish(&canvas->painter);
    cv_platform_close(canvas->platform);
    cv_overlay_finish(&canvas->overlay);
    cv_cache_finish(&canvas->cache);
    cv_document_finish(&canvas->document);
    memset(canvas, 0, sizeof(*canvas));
    return is_written;
}

/** A window that has another size now: its framebuffer is the platform's, all else is made anew. */
static bool follow_size(struct cv_canvas *canvas)
{
    struct cv_targets *targets = &canvas->painter.targets;
    int width_px = 0, height_px = 0;
    canvas->platform->get_size(canvas->platform, &width_px, &height_px);
    if (width_px <= 0 || height_px <= 0 ||
        (width_px == targets->screen.width_px && height_px == targets->screen.height_px)) {
        return true; /* a window without a size is hidden */
    }
    const int samples = targets->samples;
    cv_targets_finish(targets);
    canvas->editor.view.width_px = width_px;
    canvas->editor.view.height_px = height_px;
    return cv_targets_init(targets, &canvas->gl, width_px, height_px, samples,
                           canvas->platform->has_window);
}

/** Not more frames in flight than so many: else a slow device would be ever further behind. */
static void wait_for_older(struct cv_canvas *canvas)
{
    GLsync *slot = &canvas->in_flight[canvas->frame_count % CV_FRAMES_IN_FLIGHT];
    if (*slot == NULL) {
        return;
    }
    const int64_t begin_ns = cv_profile_is_on(canvas->profile) ? cv_now_ns() : 0;
    (void)canvas->gl.ClientWaitSync(*slot, GL_SYNC_FLUSH_COMMANDS_BIT, wait_max_ns);
    canvas->gl.DeleteSync(*slot);
    *slot = NULL;
    if (cv_profile_is_on(canvas->profile)) {
        cv_profile_waited(canvas->profile, cv_now_ns() - begin_ns);
    }
}

/** Of this frame's nodes: the detailed capture, or the heat map's. */
static const struct cv_node_watch *choose_watch(struct cv_canvas *canvas)
{
    const struct cv_node_watch *watch = cv_profile_watch(canvas->profile);
    return watch != NULL ? watch : cv_heat_watch(canvas->heat);
}

static void draw_volatile(struct cv_canvas *canvas, uint32_t moving)
{
    cv_profile_phase_begin(canvas->profile, CV_PHASE_VOLATILE);
    cv_picture_record(&canvas->cache.moving, &canvas->document, moving, CV_NONE);
    cv_painter_store(&canvas->painter, CV_STORE_VOLATILE, &canvas->cache.moving.mesh);
    cv_painter_draw_picture(&canvas->painter, CV_STORE_VOLATILE, &canvas->cache.moving,
                            &canvas->document, &canvas->editor.view, choose_watch(canvas));
    cv_profile_phase_end(canvas->profile, CV_PHASE_VOLATILE);
}

static void record_picture(struct cv_canvas *canvas, uint32_t moving)
{
    cv_profile_phase_begin(canvas->profile, CV_PHASE_RECORD_PICTURE);
    if (!cv_cache_record(&canvas->cache, &canvas->document, moving)) {
        fprintf(stderr, "canvas: no memory for the picture\n");
    }
    cv_painter_store(&canvas->painter, CV_STORE_PICTURE, &canvas->cache.picture.mesh);
    cv_profile_phase_end(canvas->profile, CV_PHASE_RECORD_PICTURE);
}

static void draw_scene(struct cv_canvas *canvas)
{
    struct cv_cache *cache = &canvas->cache;
    const uint32_t moving = canvas->editor.moving;
    cv_profile_phase_begin(canvas->profile, CV_PHASE_SCENE);
    cv_load_cpu(&canvas->load, canvas->frame_count);
    cv_load_gpu(&canvas->load, canvas->frame_count, &canvas->painter);
    cv_cache_look(cache, &canvas->document, moving);
    if (cache->state == CV_CACHE_RECORD || cache->state == CV_CACHE_NONE) {
        record_picture(canvas, moving);
    }
    cv_profile_phase_begin(canvas->profile, CV_PHASE_DRAW_PICTURE);
    cv_painter_draw_picture(&canvas->painter, CV_STORE_PICTURE, &cache->picture, &canvas->document,
                            &canvas->editor.view, choose_watch(canvas));
    cv_profile_phase_end(canvas->profile, CV_PHASE_DRAW_PICTURE);
    canvas->painter.counts.node_count--; /* the page is no node of the document */
    if (moving != CV_NONE) {
        draw_volatile(canvas, moving);
    }
    cv_profile_phase_end(canvas->profile, CV_PHASE_SCENE);
}

static void draw_overlay(struct cv_canvas *canvas, struct cv_profile *profile)
{
    struct cv_overlay *overlay = &canvas->overlay;
    struct cv_painter *painter = &canvas->painter;
    const struct cv_document *document = &canvas->document;
    const struct cv_view *view = &canvas->editor.view;
    if (canvas->is_bare) {
        return;
    }
    cv_profile_phase_begin(profile, CV_PHASE_SECTION_TITLES);
    cv_overlay_section_titles(overlay, painter, document, view);
    cv_profile_phase_end(profile, CV_PHASE_SECTION_TITLES);
    cv_profile_phase_begin(profile, CV_PHASE_COMPONENT_LABELS);
    cv_overlay_component_labels(overlay, painter, document, view);
    cv_profile_phase_end(profile, CV_PHASE_COMPONENT_LABELS);
    cv_profile_phase_begin(profile, CV_PHASE_SELECTION);
    cv_overlay_selection(overlay, painter, document, view, canvas->editor.selected);
    cv_profile_phase_end(profile, CV_PHASE_SELECTION);
    cv_profile_phase_begin(profile, CV_PHASE_RULERS);
    cv_overlay_rulers(overlay, painter, document, view, canvas->editor.selected);
    cv_profile_phase_end(profile, CV_PHASE_RULERS);
}

/** What the frame draws once more, for a map: its phases are over. */
static void draw_again(void *context, const struct cv_node_watch *watch)
{
    struct cv_canvas *canvas = context;
    struct cv_painter *painter = &canvas->painter;
    const struct cv_view *view = &canvas->editor.view;
    cv_painter_draw_picture(painter, CV_STORE_PICTURE, &canvas->cache.picture, &canvas->document,
                            view, watch);
    if (canvas->editor.moving != CV_NONE) {
        cv_painter_draw_picture(painter, CV_STORE_VOLATILE, &canvas->cache.moving,
                                &canvas->document, view, watch);
    }
    draw_overlay(canvas, NULL);
}

static void draw_heat(struct cv_canvas *canvas)
{
    cv_heat_frame_drawn(canvas->heat);
    if (canvas->heat == NULL) {
        return;
    }
    cv_profile_heat_begin(canvas->profile);
    cv_heat_draw(canvas->heat, &(const struct cv_heat_scene){
                                   .painter = &canvas->painter,
                                   .draw = draw_again,
                                   .context = canvas,
                                   .keep_px = canvas->is_bare ? 0 : CV_RULER_PX,
                               });
    cv_profile_heat_end(canvas->profile);
}

/** Maps are made while somebody looks at them, and nothing of them is there else. */
static void follow_heat(struct cv_canvas *canvas, bool wants_detail)
{
    struct cv_editor *editor = &canvas->editor;
    if (editor->heat == CV_HEAT_OFF && canvas->heat != NULL) {
        cv_heat_destroy(canvas->heat);
        canvas->heat = NULL;
    }
    if (editor->heat == CV_HEAT_OFF) {
        return;
    }
    const struct cv_heat_options options = { &canvas->gl, canvas->platform->get, canvas->allocator,
                                             canvas->trusts_software };
    if (canvas->heat == NULL && !cv_heat_create(&options, &canvas->heat)) {
        editor->heat = CV_HEAT_OFF;
        return;
    }
    cv_heat_frame_begin(canvas->heat, editor->heat, !wants_detail);
}

static void collect_facts(struct cv_canvas *canvas)
{
    const struct cv_painter *painter = &canvas->painter;
    canvas->facts = (struct cv_frame_facts){
        .counts = painter->counts,
        .cache = canvas->cache.state,
        .miss_reason = canvas->cache.miss_reason,
        .texture_count = painter->targets.texture_count,
        .texture_bytes = painter->targets.texture_bytes,
    };
    for (int i = 0; i < CV_STORES; i++) {
        canvas->facts.buffer_bytes += painter->stores[i].size_bytes;
    }
}

static void render(struct cv_canvas *canvas)
{
    struct cv_profile *profile = canvas->profile;
    cv_profile_phase_begin(profile, CV_PHASE_FRAME);
    if (canvas->document.needs_layout) {
        cv_profile_phase_begin(profile, CV_PHASE_LAYOUT);
        (void)cv_layout_compute(&canvas->document);
        cv_profile_phase_end(profile, CV_PHASE_LAYOUT);
    }
    cv_painter_begin(&canvas->painter, paper);
    draw_scene(canvas);
    draw_overlay(canvas, profile);
    cv_painter_end(&canvas->painter);
    draw_heat(canvas);
    cv_profile_draw_hud(profile, canvas->editor.view.width_px, canvas->editor.view.height_px,
                        canvas->is_bare ? 0 : CV_RULER_PX);
    cv_profile_phase_begin(profile, CV_PHASE_FLUSH);
    canvas->in_flight[canvas->frame_count % CV_FRAMES_IN_FLIGHT] =
        canvas->gl.FenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    canvas->gl.Flush();
    cv_profile_phase_end(profile, CV_PHASE_FLUSH);
    cv_profile_phase_end(profile, CV_PHASE_FRAME);
}

bool cv_canvas_frame(struct cv_canvas *canvas)
{
    struct cv_editor *editor = &canvas->editor;
    if (!follow_size(canvas)) {
        fprintf(stderr, "canvas: no targets of the new size\n");
        return false;
    }
    follow_heat(canvas, editor->wants_detail);
    cv_profile_frame_begin(canvas->profile, editor->shows_hud, editor->wants_detail);
    cv_commands_frame_begin(&canvas->commands, editor->wants_list, editor->wants_renderdoc);
    editor->wants_detail = false;
    editor->wants_list = false;
    editor->wants_renderdoc = false;
    editor->is_dirty = false;
    wait_for_older(canvas);
    render(canvas);
    cv_commands_frame_end(&canvas->commands);
    collect_facts(canvas);
    const bool is_on = cv_profile_is_on(canvas->profile);
    const int64_t begin_ns = is_on ? cv_now_ns() : 0;
    canvas->platform->present(canvas->platform);
    canvas->facts.present_wait_ns = is_on ? cv_now_ns() - begin_ns : 0;
    cv_commands_presented(&canvas->commands);
    cv_profile_frame_end(canvas->profile, &canvas->facts);
    canvas->frame_count++;
    return true;
}
