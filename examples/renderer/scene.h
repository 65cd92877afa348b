/* SPDX-License-Identifier: MIT */
/* The courtyard: meshes, where they stand, and the lights. Structures are laid out as shaders read
 * them. */
#ifndef RD_SCENE_H
#define RD_SCENE_H

#include "linear.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RD_MAX_INSTANCES = 640,
    RD_MAX_LIGHTS = 128,
    RD_PARTICLE_COUNT = 384,
    RD_MESH_SLOTS = 16, /**< as MESH_COUNT in the shaders */
    RD_MAX_VERTICES = 32768,
    RD_MAX_INDICES = 131072,
    RD_HITCH_FACTOR = 3 /**< how often everything is drawn in the frame that hitches */
};

enum rd_mesh_id {
    RD_MESH_PLANE,
    RD_MESH_BOX,
    RD_MESH_SHAFT,
    RD_MESH_CAPITAL,
    RD_MESH_SPHERE,
    RD_MESH_DOME,
    RD_MESH_RING,
    RD_MESH_DISK,
    RD_MESH_URN,
    RD_MESH_CYPRESS,
    RD_MESH_ARCH,
    RD_MESH_BRAZIER,
    RD_MESH_COUNT
};

/** As the switch in gbuffer.frag. */
enum rd_material {
    RD_MATERIAL_FLOOR,
    RD_MATERIAL_LIMESTONE,
    RD_MATERIAL_MARBLE,
    RD_MATERIAL_GOLD,
    RD_MATERIAL_BRONZE,
    RD_MATERIAL_GLOW,
    RD_MATERIAL_LEAVES,
    RD_MATERIAL_WATER,
    RD_MATERIAL_TILES,
    RD_MATERIAL_GRASS
};

struct rd_vertex {
    float position[3];
    float normal[3];
};

struct rd_mesh {
    uint32_t first_index;
    uint32_t index_count;
    int32_t vertex_offset;
    struct rd_vec3 center; /**< of a sphere around it */
    float radius;
};

/** Vertices and indices of all meshes; the arrays are the caller's. */
struct rd_geometry {
    struct rd_vertex *vertices; /**< RD_MAX_VERTICES */
    uint32_t *indices;          /**< RD_MAX_INDICES */
    uint32_t vertex_count;
    uint32_t index_count;
    struct rd_mesh meshes[RD_MESH_COUNT];
};

/** @return false when the arrays are too small */
bool rd_geometry_build(struct rd_geometry *geometry);

struct rd_instance {
    float rows[3][4];
    float sphere[4];
    uint32_t mesh;
    uint32_t material;
    uint32_t casts_shadow;
    uint32_t tint; /**< rgba8 */
};

struct rd_light {
    float position[3];
    float reach;
    float color[3];
    float unused;
};

struct rd_particle {
    float position[3];
    float brightness;
    float velocity[3];
    float seed;
};

/** An indirect draw, and where its list of visible instances begins. */
struct rd_draw_command {
    uint32_t index_count;
    uint32_t instance_count;
    uint32_t first_index;
    int32_t vertex_offset;
    uint32_t first_instance;
    uint32_t base;
    uint32_t padding[2];
};

struct rd_scene {
    struct rd_instance instances[RD_MAX_INSTANCES];
    uint32_t instance_count;
    uint32_t first_orb; /**< those from here on move */
    struct rd_light lights[RD_MAX_LIGHTS];
    uint32_t light_count;
    uint32_t fixed_light_count;
    uint32_t mesh_instances[RD_MESH_COUNT];
};

/** Put everything in its place. */
void rd_scene_init(struct rd_scene *scene, const struct rd_geometry *geometry, uint32_t seed);
/** Move what moves. */
void rd_scene_update(struct rd_scene *scene, const struct rd_geometry *geometry, float seconds);
/** Draws that show nothing yet, with room for RD_HITCH_FACTOR times the scene. */
void rd_scene_draws(const struct rd_scene *scene, const struct rd_geometry *geometry,
                    struct rd_draw_command out_draws[RD_MESH_SLOTS]);
void rd_scene_particles(struct rd_particle out_particles[RD_PARTICLE_COUNT], uint32_t seed);

#endif
