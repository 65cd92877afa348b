/* SPDX-License-Identifier: MIT */
/*
 * The frame, feature by feature. Each function declares its passes and leaves the versions that it
 * makes in the frame for those that come later.
 */
#ifndef RD_PASSES_H
#define RD_PASSES_H

#include "../frame.h"

void rd_add_imports(struct rd_frame *frame);
void rd_add_upload(struct rd_frame *frame);
void rd_add_culling(struct rd_frame *frame);
void rd_add_shadows(struct rd_frame *frame);
void rd_add_geometry(struct rd_frame *frame);
void rd_add_occlusion(struct rd_frame *frame);
void rd_add_light_clusters(struct rd_frame *frame);
void rd_add_lighting(struct rd_frame *frame);
void rd_add_atmosphere(struct rd_frame *frame);
void rd_add_fireflies_motion(struct rd_frame *frame);
void rd_add_fireflies(struct rd_frame *frame);
void rd_add_temporal(struct rd_frame *frame);
void rd_add_exposure(struct rd_frame *frame);
void rd_add_bloom(struct rd_frame *frame);
void rd_add_debug_views(struct rd_frame *frame);
/** Between the picture and the display; nothing when the frame has no maps. */
void rd_add_heat(struct rd_frame *frame);
void rd_add_output(struct rd_frame *frame);

/** Draw every mesh with the visible instances that a list names. */
bool rd_draw_meshes(struct rd_frame *frame, enum rd_pipeline_id pipeline, uint16_t draws,
                    uint32_t cascade);

#endif
