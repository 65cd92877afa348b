/* SPDX-License-Identifier: MIT */
/* A trace of a case, made span by span, and an engine over it. */
#ifndef FGT_SCENE_BED_H
#define FGT_SCENE_BED_H
#include "trace/build.h"
#include <frameglass/trace_query.h>

struct fgt_scene {
    struct fgi_builder *builder;
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;
};

bool fgt_scene_begin(struct fgt_scene *scene);
/** A track of stored depths: parents and depths are what is said. */
uint32_t fgt_scene_track(struct fgt_scene *scene, uint32_t process);
void fgt_scene_span(struct fgt_scene *scene, uint32_t track, uint32_t depth, uint32_t parent,
                    int64_t start, int64_t end);
bool fgt_scene_end(struct fgt_scene *scene);
void fgt_scene_close(struct fgt_scene *scene);

#endif
