/* SPDX-License-Identifier: MIT */
#include "scene_bed.h"
#include "engine/cpu/engine_cpu.h"
#include <string.h>

bool fgt_scene_begin(struct fgt_scene *scene)
{
    memset(scene, 0, sizeof *scene);
    if (fgi_builder_create(NULL, 0, &scene->builder) != FG_OK) {
        return false;
    }
    (void)fgi_builder_clock(scene->builder, &(struct fg_trace_clock){ .kind = FG_CLOCK_HOST });
    return true;
}

/* Its parents, and depths, are what is said. */
uint32_t fgt_scene_track(struct fgt_scene *scene, uint32_t process)
{
    const struct fg_trace_track track = { .process = process, .kind = FG_TRACK_THREAD };
    return fgi_builder_track(scene->builder, &track, true);
}

void fgt_scene_span(struct fgt_scene *scene, uint32_t track, uint32_t depth, uint32_t parent,
                    int64_t start, int64_t end)
{
    struct fgi_span_in span = fgi_span_in_make(track, 0, start, end);
    span.depth = depth;
    span.parent = parent;
    (void)fgi_builder_span(scene->builder, &span);
}

bool fgt_scene_end(struct fgt_scene *scene)
{
    return fgi_builder_finish(scene->builder, &scene->trace) == FG_OK &&
           fgi_engine_cpu_create(NULL, scene->trace, &scene->engine) == FG_OK &&
           fg_query_create(scene->engine, NULL, NULL, NULL, &scene->query) == FG_OK;
}

void fgt_scene_close(struct fgt_scene *scene)
{
    fg_query_destroy(scene->query);
    fgi_engine_destroy(scene->engine);
    fgi_trace_destroy(scene->trace);
    fgi_builder_destroy(scene->builder);
}
