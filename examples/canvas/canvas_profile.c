/* SPDX-License-Identifier: MIT */
#include "canvas_profile.h"

#include "canvas_load.h"

#include <frameglass/detail.h>
#include <frameglass/draw_counter.h>
#include <frameglass/gpu_opengl.h>
#include <frameglass/hud_opengl.h>
#include <frameglass/instrument.h>
#include <frameglass/timing.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t finish_timeout_ns = 2000000000;
static const char hud_label[] = "hud", heat_label[] = "heat map";

struct cv_profile {
    struct cv_profile_options options;
    bool is_on, shows_hud;
    uint64_t frame_number; /**< of the canvas */
    uint64_t armed_at;     /**< frame_number when the device was asked for times */
    int64_t begin_ns, cpu_ns, waited_ns, heat_begin_ns, heat_ns;
    bool has_heat; /**< the HUD has rows for what heat maps cost */
    uint64_t draws_seen;
    struct fg_device *device; /**< NULL: there are no times of the device */
    struct fg_session *session;
    struct fg_frame *frame;
    struct fg_commands *commands;
    struct fg_draw_counter *counter;
    struct fg_hud *hud;
    struct fg_hud_opengl *hud_renderer;
    uint32_t labels[CV_PHASES];
    struct fg_zone zones[CV_PHASES];
    struct fg_detail *detail; /**< made when it is asked for first */
    struct fg_nodes *nodes;   /**< of this frame; NULL = it is not captured in detail */
    struct cv_node_watch watch;
};

const char *cv_phase_name(enum cv_phase phase)
{
    static const char *const names[] = {
        "frame",         "layout:compute",  "scene",     "recordPicture", "drawPicture", "volatile",
        "sectionTitles", "componentLabels", "selection", "rulers",        "flush",
    };
    return names[phase];
}

/** Phases that are passes on the device; the others lie in them or have no draws. */
static bool is_pass(enum cv_phase phase)
{
    return phase == CV_PHASE_SCENE ||
           (phase >= CV_PHASE_SECTION_TITLES && phase <= CV_PHASE_RULERS);
}

/* ---- on and off ------------------------------------------------------------------------------ */

/** When the times of a frame have come; on this thread, in the begin or the end of a later one. */
static void on_times(void *context, const struct fg_timing_table *table)
{
    struct cv_profile *profile = context;
    const uint64_t number = profile->armed_at + table->frame;
    int64_t own_ns = 0, heat_ns = 0;
    bool has_heat = false;
    for (uint32_t i = 0; i < table->row_count; i++) {
        const struct fg_timing_row *row = &table->rows[i];
        if (row->valid && strcmp(row->label, hud_label) == 0) {
            own_ns += row->duration_ns;
        } else if (row->valid && strcmp(row->label, heat_label) == 0) {
            has_heat = true;
            heat_ns += row->duration_ns;
        }
    }
    if (has_heat || profile->has_heat) {
        fg_hud_metric(profile->hud, "heat map GPU", has_heat ? heat_ns : INT64_MIN, FG_UNIT_NS);
    }
    fg_hud_own_gpu(profile->hud, number, own_ns);
    fg_hud_gpu(profile->hud, number,
               table->busy_ns > heat_ns ? table->busy_ns - heat_ns : table->busy_ns);
}

static void make_device(struct cv_profile *profile)
{
    if (profile->device != NULL) {
        return;
    }
    const struct fg_opengl_options options = {
        .allocator = profile->options.allocator,
        .get_proc_address = profile->options.get,
        .native_context = profile->options.context,
    };
    const enum fg_result result = fg_opengl_device_create(&options, &profile->device);
    if (result != FG_OK) {
        fprintf(stderr, "canvas: no times of the device: %s\n", fg_result_text(result));
    }
}

static void make_counter(struct cv_profile *profile)
{
    const struct fg_draw_slot slots[] = {
        { "glDrawArrays", (void **)&profile->options.gl->DrawArrays },
    };
    if (profile->counter == NULL &&
        fg_draw_counter_create(profile->options.allocator, slots, 1, &profile->counter) != FG_OK) {
        profile->counter = NULL; /* then nothing is counted by it */
    }
}

static void make_hud(struct cv_profile *profile)
{
    const bool is_timed = fg_device_times_are_of_execution(profile->device);
    const struct fg_hud_options options = {
        .allocator = profile->options.allocator,
        .flags = is_timed ? 0 : FG_HUD_GPU_NOT_OF_EXECUTION,
    };
    const struct fg_hud_opengl_options renderer = {
        .allocator = profile->options.allocator,
        .get_proc_address = profile->options.get,
    };
    struct fg_diag diag = { .offset = 0 };
    if (profile->hud == NULL && fg_hud_create(&options, &profile->hud) != FG_OK) {
        profile->hud = NULL;
        return;
    }
    if (profile->hud_renderer == NULL &&
        fg_hud_opengl_create(&renderer, &profile->hud_renderer, &diag) != FG_OK) {
        profile->hud_renderer = NULL;
        fprintf(stderr, "canvas: the HUD cannot be drawn: %s\n", diag.message);
    }
}

/** Times of every frame from now on, or of none any more. */
static void ask_for_times(struct cv_profile *profile, bool wants_times)
{
    if (profile->device == NULL) {
        return;
    }
    profile->armed_at = profile->frame_number;
    const enum fg_result result = fg_device_arm_frames(
        profile->device, wants_times ? UINT32_MAX : 0, wants_times ? on_times : NULL, profile);
    if (result != FG_OK) {
        fprintf(stderr, "canvas: no times of the device for the HUD: %s\n", fg_result_text(result));
    }
}

static void show_hud(struct cv_profile *profile, bool shows_hud)
{
    if (profile->shows_hud == shows_hud) {
        return;
    }
    profile->shows_hud = shows_hud;
    if (shows_hud) {
        make_device(profile);
        make_hud(profile);
        fg_hud_enable(profile->hud);
    } else {
        fg_hud_disable(profile->hud);
    }
    ask_for_times(profile, shows_hud);
}

static void switch_on(struct cv_profile *profile)
{
    make_counter(profile);
    if (profile->counter != NULL && fg_draw_counter_enable(profile->counter) != FG_OK) {
        fprintf(stderr, "canvas: draws are not counted\n");
    }
    profile->is_on = true;
}

static void switch_off(struct cv_profile *profile)
{
    (void)fg_draw_counter_disable(profile->counter);
    profile->draws_seen = 0;
    profile->is_on = false;
}

/* ---- the capture ----------------------------------------------------------------------------- */

static bool begin_capture(struct cv_profile *profile)
{
    (void)fg_instrument_set_mode(fg_instrument_build_mode());
    fg_thread_set_name("main thread");
    for (int i = 0; i < CV_PHASES; i++) {
        profile->labels[i] =
            fg_label_register(cv_phase_name((enum cv_phase)i), FG_CATEGORY_GRAPHICS);
    }
    make_device(profile);
    const struct fg_session_options options = {
        .allocator = profile->options.allocator,
        .path = profile->options.capture_path,
        .note = "the canvas of the examples",
    };
    enum fg_result result = fg_session_create(profile->device, &options, &profile->session);
    if (result == FG_OK) {
        (void)fg_session_set_meta(profile->session, "engine.name", "canvas");
        (void)fg_session_set_meta(profile->session, "canvas.scene", profile->options.scene);
        result = fg_session_start(profile->session);
    }
    if (result != FG_OK) {
        fprintf(stderr, "canvas: cannot record into %s: %s\n", profile->options.capture_path,
                fg_result_text(result));
    }
    return result == FG_OK;
}

static bool end_capture(struct cv_profile *profile)
{
    if (profile->session == NULL) {
        return true;
    }
    const enum fg_result result = fg_session_finish(profile->session, finish_timeout_ns);
    fg_session_destroy(profile->session);
    profile->session = NULL;
    (void)fg_instrument_set_mode(FG_INSTRUMENT_OFF);
    if (result != FG_OK && result != FG_ERR_TIMEOUT) {
        fprintf(stderr, "canvas: the capture: %s\n", fg_result_text(result));
        return false;
    }
    return true;
}

bool cv_profile_create(const struct cv_profile_options *options, struct cv_profile **out_profile)
{
    struct cv_profile *profile = calloc(1, sizeof(*profile));
    if (profile == NULL) {
        return false;
    }
    profile->options = *options;
    (void)fg_instrument_set_mode(FG_INSTRUMENT_OFF);
    *out_profile = profile;
    return options->capture_path == NULL || begin_capture(profile);
}

bool cv_profile_destroy(struct cv_profile *profile)
{
    if (profile == NULL) {
        return true;
    }
    const bool is_written = end_capture(profile);
    switch_off(profile);
    fg_detail_destroy(profile->detail);
    fg_draw_counter_destroy(profile->counter);
    fg_device_destroy(profile->device);
    fg_hud_opengl_destroy(profile->hud_renderer);
    fg_hud_destroy(profile->hud);
    free(profile);
    return is_written;
}

bool cv_profile_is_on(const struct cv_profile *profile)
{
    return profile != NULL && profile->is_on;
}

uint64_t cv_profile_draws_seen(const struct cv_profile *profile)
{
    return profile != NULL ? profile->draws_seen : 0;
}

/* ---- nodes, in a detailed capture ------------------------------------------------------------ */

static void begin_node(void *context, const struct cv_node *node, bool is_culled)
{
    struct cv_profile *profile = context;
    cv_commands_scope_begin(profile->options.commands, node->name);
    if (is_culled) {
        cv_commands_scope_begin(profile->options.commands, "culled");
        cv_commands_scope_end(profile->options.commands);
    }
    const struct fg_node_attribute attributes[] = {
        { "fills", node->fill_count },
        { "strokes", node->stroke_count },
        { "effects", node->effect_count },
        { "blur radius", (double)cv_node_blur(node) },
    };
    const struct fg_node told = {
        .id = node->id,
        .name = node->name,
        .attributes = attributes,
        .attribute_count = sizeof(attributes) / sizeof(attributes[0]),
    };
    fg_node_begin(profile->nodes, &told);
    if (is_culled) {
        fg_node_culled(profile->nodes);
    }
}

static void end_node(void *context)
{
    struct cv_profile *profile = context;
    fg_node_end(profile->nodes);
    cv_commands_scope_end(profile->options.commands);
}

const struct cv_node_watch *cv_profile_watch(struct cv_profile *profile)
{
    if (profile == NULL ||
        (profile->nodes == NULL && !cv_commands_is_on(profile->options.commands))) {
        return NULL;
    }
    profile->watch = (struct cv_node_watch){ profile, begin_node, end_node };
    return &profile->watch;
}

static void begin_detail(struct cv_profile *profile)
{
    const struct fg_detail_options options = { .allocator = profile->options.allocator };
    enum fg_result result = FG_OK;
    if (profile->detail == NULL) {
        result = fg_detail_create(&options, &profile->detail);
    }
    if (result == FG_OK) {
        result = fg_detail_begin(profile->detail, profile->session, 1);
    }
    if (result != FG_OK) {
        fprintf(stderr, "canvas: no detailed capture: %s\n", fg_result_text(result));
    }
}

/** The dearest nodes, for a person: where nothing is recorded, nobody else would tell of them. */
static void print_detail(const struct fg_detail_tree *tree)
{
    enum { ROWS = 10 };
    uint32_t rows[ROWS], count = 0;
    for (uint32_t i = 1; i < tree->node_count; i++) {
        uint32_t at = count < ROWS ? count++ : ROWS;
        for (; at > 0 && tree->nodes[rows[at - 1]].self_ns < tree->nodes[i].self_ns; at--) {
            if (at < ROWS) {
                rows[at] = rows[at - 1];
            }
        }
        if (at < ROWS) {
            rows[at] = i;
        }
    }
    fprintf(stderr, "%-32s %10s %10s %6s\n", "node", "self ms", "total ms", "draws");
    for (uint32_t i = 0; i < count; i++) {
        const struct fg_node_cost *node = &tree->nodes[rows[i]];
        fprintf(stderr, "%-32s %10.3f %10.3f %6llu\n", node->name, (double)node->self_ns / 1e6,
                (double)node->total_ns / 1e6, (unsigned long long)node->draws);
    }
}

static void end_detail(struct cv_profile *profile)
{
    const enum fg_result result = fg_detail_frame_end(profile->detail);
    profile->nodes = NULL;
    if (result != FG_OK) {
        fprintf(stderr, "canvas: the detailed capture: %s\n", fg_result_text(result));
    }
    if (profile->session == NULL) {
        print_detail(fg_detail_get(profile->detail));
    }
}

/* ---- frames ---------------------------------------------------------------------------------- */

void cv_profile_frame_begin(struct cv_profile *profile, bool shows_hud, bool wants_detail)
{
    if (profile == NULL) {
        return;
    }
    show_hud(profile, shows_hud);
    const bool is_on = shows_hud || wants_detail || profile->session != NULL;
    if (is_on != profile->is_on) {
        if (is_on) {
            switch_on(profile);
        } else {
            switch_off(profile);
        }
    }
    if (!is_on) {
        return;
    }
    if (wants_detail) {
        begin_detail(profile);
    }
    profile->waited_ns = 0;
    profile->heat_ns = 0;
    (void)fg_loop_begin(NULL);
    profile->frame = fg_frame_begin(profile->device);
    profile->commands = fg_opengl_commands_begin(profile->device, profile->frame);
    if (wants_detail) {
        (void)fg_session_note(profile->session, "a detailed capture of this frame");
    }
}

/** Numbers of the frame: of the device's frames where there are any, else of the process. */
static void tell_numbers(struct cv_profile *profile, const struct cv_frame_facts *facts)
{
    const struct {
        const char *name;
        enum fg_unit unit;
        int64_t value;
    } numbers[] = {
        { "nodes", FG_UNIT_COUNT, facts->counts.node_count },
        { "culled", FG_UNIT_COUNT, facts->counts.culled_count },
        { "draws", FG_UNIT_COUNT, facts->counts.draw_count },
        { "picture recorded", FG_UNIT_COUNT, facts->cache == CV_CACHE_RECORD },
        { "textures", FG_UNIT_COUNT, facts->texture_count },
        { "texture bytes", FG_UNIT_BYTES, (int64_t)facts->texture_bytes },
        { "vertex bytes", FG_UNIT_BYTES, (int64_t)facts->buffer_bytes },
    };
    for (size_t i = 0; i < sizeof(numbers) / sizeof(numbers[0]); i++) {
        fg_frame_counter(profile->frame, numbers[i].name, numbers[i].unit, numbers[i].value);
    }
    if (facts->cache == CV_CACHE_RECORD) {
        char text[64];
        (void)snprintf(text, sizeof(text), "picture missed: %s", facts->miss_reason);
        (void)fg_session_note(profile->session, text);
    }
    FG_GAUGE_SET("Canvas/Nodes", FG_UNIT_COUNT, facts->counts.node_count);
    FG_GAUGE_SET("Canvas/Culled", FG_UNIT_COUNT, facts->counts.culled_count);
    FG_GAUGE_SET("Canvas/TextureBytes", FG_UNIT_BYTES, facts->texture_bytes);
    FG_FRAME_COUNTER_ADD("Canvas/Draws", FG_UNIT_COUNT, facts->counts.draw_count);
}

static void feed_hud(struct cv_profile *profile, const struct cv_frame_facts *facts)
{
    static const enum fg_hud_cache states[] = { FG_HUD_CACHE_HIT, FG_HUD_CACHE_RECORDED,
                                                FG_HUD_CACHE_VOLATILE, FG_HUD_CACHE_NONE };
    const struct fg_hud_frame frame = {
        .number = profile->frame_number,
        .cpu_ns = profile->cpu_ns,
        .present_wait_ns = facts->present_wait_ns,
        .has = FG_HUD_HAS_ITEMS | FG_HUD_HAS_CULLED | FG_HUD_HAS_DRAWS | FG_HUD_HAS_TEXTURES,
        .item_count = facts->counts.node_count,
        .culled_count = facts->counts.culled_count,
        .draw_count = profile->counter != NULL ? profile->draws_seen : facts->counts.draw_count,
        .texture_count = facts->texture_count,
        .texture_bytes = facts->texture_bytes,
        .cache = states[facts->cache],
        .cache_reason = facts->miss_reason,
    };
    fg_hud_metric(profile->hud, "vertices", (int64_t)facts->buffer_bytes, FG_UNIT_BYTES);
    profile->has_heat |= profile->heat_ns > 0;
    if (profile->has_heat) {
        fg_hud_metric(profile->hud, "heat map CPU",
                      profile->heat_ns > 0 ? profile->heat_ns : INT64_MIN, FG_UNIT_NS);
    }
    fg_hud_frame(profile->hud, &frame);
    if (profile->device == NULL) {
        fg_hud_gpu(profile->hud, profile->frame_number, -1);
    }
}

void cv_profile_frame_end(struct cv_profile *profile, const struct cv_frame_facts *facts)
{
    if (profile == NULL) {
        return;
    }
    if (profile->is_on) {
        struct fg_draw_counts seen = { .draws = 0 };
        fg_draw_counter_take(profile->counter, &seen);
        profile->draws_seen = seen.draws;
        tell_numbers(profile, facts);
        fg_frame_waited(profile->frame, FG_WAIT_OTHER, profile->waited_ns);
        fg_frame_waited(profile->frame, FG_WAIT_PRESENT, facts->present_wait_ns);
        fg_loop_waited(NULL, profile->waited_ns + facts->present_wait_ns);
        fg_commands_end(profile->commands);
        fg_frame_end(profile->frame);
        (void)fg_loop_end(NULL);
        profile->frame = NULL;
        profile->commands = NULL;
        if (profile->shows_hud) {
            feed_hud(profile, facts);
        }
    }
    profile->frame_number++;
}

void cv_profile_idle(struct cv_profile *profile)
{
    if (cv_profile_is_on(profile)) {
        fg_hud_idle(profile->hud);
    }
}

void cv_profile_waited(struct cv_profile *profile, int64_t duration_ns)
{
    if (profile != NULL) {
        profile->waited_ns += duration_ns;
    }
}

/* ---- phases and draws ------------------------------------------------------------------------ */

/** Passes have their debug groups from the device while something is recorded; the others never. */
static bool has_own_group(const struct cv_profile *profile, enum cv_phase phase)
{
    const bool is_of_device =
        is_pass(phase) && profile->session != NULL && profile->commands != NULL;
    return profile->is_on && !is_of_device && profile->options.gl->PushDebugGroup != NULL;
}

void cv_profile_phase_begin(struct cv_profile *profile, enum cv_phase phase)
{
    const char *name = cv_phase_name(phase);
    /* A group of our own is in a list of calls by itself; the device's goes past the table. */
    if (profile != NULL && !has_own_group(profile, phase)) {
        cv_commands_scope_begin(profile->options.commands, name);
    }
    if (!cv_profile_is_on(profile)) {
        return;
    }
    if (phase == CV_PHASE_FRAME) {
        profile->begin_ns = cv_now_ns();
        profile->nodes = fg_detail_frame_begin(profile->detail);
    }
    profile->zones[phase] = fg_zone_begin_label(profile->labels[phase]);
    fg_hud_pass_begin(profile->hud, name);
    if (is_pass(phase)) {
        fg_gpu_pass_begin(profile->commands, &(const struct fg_gpu_pass_desc){
                                                 .label = name, .kind = FG_GPU_PASS_RENDER });
    }
    if (has_own_group(profile, phase)) {
        profile->options.gl->PushDebugGroup(GL_DEBUG_SOURCE_APPLICATION, (GLuint)phase, -1, name);
    }
}

void cv_profile_phase_end(struct cv_profile *profile, enum cv_phase phase)
{
    if (profile != NULL && !has_own_group(profile, phase)) {
        cv_commands_scope_end(profile->options.commands);
    }
    if (!cv_profile_is_on(profile)) {
        return;
    }
    if (has_own_group(profile, phase)) {
        profile->options.gl->PopDebugGroup();
    }
    if (is_pass(phase)) {
        fg_gpu_pass_end(profile->commands);
    }
    fg_hud_pass_end(profile->hud);
    (void)fg_zone_end(profile->zones[phase]);
    if (phase == CV_PHASE_FRAME) {
        profile->cpu_ns = cv_now_ns() - profile->begin_ns - profile->heat_ns;
        if (profile->nodes != NULL) {
            end_detail(profile);
        }
    }
}

void cv_profile_draw(struct cv_profile *profile, uint32_t vertex_count)
{
    if (cv_profile_is_on(profile)) {
        fg_gpu_draw(profile->commands, vertex_count, 1);
        fg_node_draws(profile->nodes, 1);
    }
}

/* ---- heat maps ------------------------------------------------------------------------------ */

void cv_profile_heat_begin(struct cv_profile *profile)
{
    cv_commands_pause(profile->options.commands);
    if (cv_profile_is_on(profile)) {
        profile->heat_begin_ns = cv_now_ns();
        fg_gpu_pass_begin(profile->commands, &(const struct fg_gpu_pass_desc){
                                                 .label = heat_label, .kind = FG_GPU_PASS_RENDER });
        fg_draw_counter_pause(profile->counter);
    }
}

void cv_profile_heat_end(struct cv_profile *profile)
{
    cv_commands_resume(profile->options.commands);
    if (cv_profile_is_on(profile)) {
        fg_draw_counter_resume(profile->counter);
        fg_gpu_pass_end(profile->commands);
        profile->heat_ns += cv_now_ns() - profile->heat_begin_ns;
    }
}

/* ---- the HUD --------------------------------------------------------------------------------- */

void cv_profile_draw_hud(struct cv_profile *profile, int width_px, int height_px, int keep_px)
{
    if (!cv_profile_is_on(profile) || !profile->shows_hud || profile->hud_renderer == NULL) {
        return;
    }
    const struct fg_hud_target target = {
        .width_px = (uint32_t)width_px,
        .height_px = (uint32_t)height_px,
        .offset_x_px = (uint32_t)keep_px,
        .offset_y_px = (uint32_t)keep_px,
    };
    struct fg_hud_list list;
    fg_gpu_pass_begin(profile->commands, &(const struct fg_gpu_pass_desc){
                                             .label = hud_label, .kind = FG_GPU_PASS_RENDER });
    /* Our renderer goes past the table; one that did not would count itself. */
    fg_draw_counter_pause(profile->counter);
    if (fg_hud_build(profile->hud, &target, &list)) {
        fg_hud_opengl_draw(profile->hud_renderer, &list);
    }
    fg_draw_counter_resume(profile->counter);
    fg_gpu_pass_end(profile->commands);
}
