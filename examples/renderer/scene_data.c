/* SPDX-License-Identifier: MIT */
/* Memory of geometry and scene, and what follows from both whoever filled them in. */
#include "scene.h"

#include <stdlib.h>

/** Grow by doubling, so that many small calls cost little. @return 0: too many, or no memory */
static uint32_t grow(void **items, uint32_t count, uint32_t capacity, uint32_t more,
                     uint32_t maximum, size_t item_bytes)
{
    if (more > maximum - count) {
        return 0;
    }
    const uint32_t needed = count + more;
    if (needed <= capacity) {
        return capacity > 0 ? capacity : 1;
    }
    uint32_t wanted = capacity > maximum / 2 ? maximum : capacity * 2;
    wanted = wanted > needed ? wanted : needed;
    void *grown = realloc(*items, wanted * item_bytes);
    if (grown == NULL) {
        return 0;
    }
    *items = grown;
    return wanted;
}

bool rd_geometry_reserve(struct rd_geometry *geometry, uint32_t vertices, uint32_t indices)
{
    void *grown = geometry->vertices;
    uint32_t capacity = grow(&grown, geometry->vertex_count, geometry->vertex_capacity, vertices,
                             RD_MAX_VERTICES, sizeof(struct rd_vertex));
    if (capacity == 0) {
        return false;
    }
    geometry->vertices = grown;
    geometry->vertex_capacity = capacity;
    grown = geometry->indices;
    capacity = grow(&grown, geometry->index_count, geometry->index_capacity, indices,
                    RD_MAX_INDICES, sizeof(uint32_t));
    if (capacity == 0) {
        return false;
    }
    geometry->indices = grown;
    geometry->index_capacity = capacity;
    return true;
}

void rd_geometry_bound(const struct rd_geometry *geometry, struct rd_mesh *mesh)
{
    struct rd_vec3 low = rd_vec3(1e30f, 1e30f, 1e30f);
    struct rd_vec3 high = rd_vec3(-1e30f, -1e30f, -1e30f);
    for (uint32_t i = (uint32_t)mesh->vertex_offset; i < geometry->vertex_count; i++) {
        const float *p = geometry->vertices[i].position;
        low = rd_vec3(fminf(low.x, p[0]), fminf(low.y, p[1]), fminf(low.z, p[2]));
        high = rd_vec3(fmaxf(high.x, p[0]), fmaxf(high.y, p[1]), fmaxf(high.z, p[2]));
    }
    mesh->center = rd_scale(rd_add(low, high), 0.5f);
    mesh->radius = rd_length(rd_sub(high, low)) * 0.5f;
}

void rd_geometry_release(struct rd_geometry *geometry)
{
    free(geometry->vertices);
    free(geometry->indices);
    geometry->vertices = NULL;
    geometry->indices = NULL;
    geometry->vertex_capacity = 0;
    geometry->index_capacity = 0;
}

bool rd_scene_reserve(struct rd_scene *scene, uint32_t instances)
{
    void *grown = scene->instances;
    const uint32_t capacity = grow(&grown, scene->instance_count, scene->instance_capacity,
                                   instances, RD_MAX_INSTANCES, sizeof(struct rd_instance));
    if (capacity == 0) {
        return false;
    }
    scene->instances = grown;
    scene->instance_capacity = capacity;
    return true;
}

void rd_scene_finish(struct rd_scene *scene)
{
    for (uint32_t i = 0; i < scene->texture_count; i++) {
        free(scene->textures[i].rgba);
    }
    free(scene->instances);
    *scene = (struct rd_scene){ 0 };
}

void rd_scene_draws(const struct rd_scene *scene, const struct rd_geometry *geometry,
                    struct rd_draw_command out_draws[RD_MESH_SLOTS])
{
    uint32_t base = 0;
    memset(out_draws, 0, sizeof(out_draws[0]) * RD_MESH_SLOTS);
    for (uint32_t i = 0; i < geometry->mesh_count; i++) {
        out_draws[i] = (struct rd_draw_command){
            .index_count = geometry->meshes[i].index_count,
            .first_index = geometry->meshes[i].first_index,
            .vertex_offset = geometry->meshes[i].vertex_offset,
            .base = base,
        };
        base += scene->mesh_instances[i] * RD_HITCH_FACTOR;
    }
}
