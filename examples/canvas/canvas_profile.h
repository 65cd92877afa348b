/* SPDX-License-Identifier: MIT */
/*
 * Everything that the canvas tells a profiler: its frames, their eleven phases, what is drawn, what
 * the cache did, and with a detailed capture each node. canvas_profile.c and, for heat maps,
 * canvas_heat.c are the only files that know which profiler that is.
 *
 * While nothing is looked at and nothing is recorded the profiler is off: no clock is read, nothing
 * is allocated, no slot of the table is touched.
 */
#ifndef CANVAS_PROFILE_H
#define CANVAS_PROFILE_H
#include "canvas_cache.h"
#include "canvas_commands.h"
#include "canvas_painter.h"

struct fg_allocator;

enum cv_phase {
    CV_PHASE_FRAME,
    CV_PHASE_LAYOUT,
    CV_PHASE_SCENE,
    CV_PHASE_RECORD_PICTURE,
    CV_PHASE_DRAW_PICTURE,
    CV_PHASE_VOLATILE,
    CV_PHASE_SECTION_TITLES,
    CV_PHASE_COMPONENT_LABELS,
    CV_PHASE_SELECTION,
    CV_PHASE_RULERS,
    CV_PHASE_FLUSH,
    CV_PHASES,
};
const char *cv_phase_name(enum cv_phase phase);

struct cv_profile;

struct cv_profile_options {
    struct cv_gl *gl;             /**< the table, whose slots may be wrapped while it is on */
    cv_gl_getter *get;            /**< of the platform */
    const void *context;          /**< its handle; NULL = not known */
    const char *capture_path;     /**< recorded from the begin on; NULL = nothing is recorded */
    const char *scene;            /**< for the metadata */
    struct cv_commands *commands; /**< who is told of phases and nodes as well; NULL = nobody */
    const struct fg_allocator *allocator; /**< of the profiler; NULL = libc */
};
/** What a frame was, told at its end. */
struct cv_frame_facts {
    struct cv_counts counts;
    enum cv_cache_state cache;
    const char *miss_reason;
    uint32_t texture_count;
    uint64_t texture_bytes;
    uint64_t buffer_bytes;
    int64_t present_wait_ns;
};

/** False: the capture cannot be begun, or no memory; said on standard error. Off, if no path. */
bool cv_profile_create(const struct cv_profile_options *options, struct cv_profile **out_profile);
/** The capture is finished. False: it could not be written. NULL is legal. */
bool cv_profile_destroy(struct cv_profile *profile);

/** Before a frame: switch on or off as this one wants it. */
void cv_profile_frame_begin(struct cv_profile *profile, bool shows_hud, bool wants_detail);
/** After a frame was presented. */
void cv_profile_frame_end(struct cv_profile *profile, const struct cv_frame_facts *facts);
/** Nothing happens until there is something new to show. */
void cv_profile_idle(struct cv_profile *profile);
/** The frame waited for an older one on the device. */
void cv_profile_waited(struct cv_profile *profile, int64_t duration_ns);
bool cv_profile_is_on(const struct cv_profile *profile);
/** Draws that the wrapped table saw in the newest frame; 0 while it is off. */
uint64_t cv_profile_draws_seen(const struct cv_profile *profile);

/** Phases end in the opposite order of their begins. */
void cv_profile_phase_begin(struct cv_profile *profile, enum cv_phase phase);
void cv_profile_phase_end(struct cv_profile *profile, enum cv_phase phase);
/** One draw of so many vertices. */
void cv_profile_draw(struct cv_profile *profile, uint32_t vertex_count);
/**
 * What is drawn in between is a heat map: the scene once more. It is in no figure of the frame, and
 * the HUD has rows of its own for what it costs.
 */
void cv_profile_heat_begin(struct cv_profile *profile);
void cv_profile_heat_end(struct cv_profile *profile);
/** Who wants to know of each node of this frame; NULL = nobody. */
const struct cv_node_watch *cv_profile_watch(struct cv_profile *profile);
/** Draw the HUD into the bound framebuffer, if it is shown. @param keep_px free at the left top */
void cv_profile_draw_hud(struct cv_profile *profile, int width_px, int height_px, int keep_px);

#endif
