/* SPDX-License-Identifier: MIT */
/*
 * What is drawn: meshes, where they stand, what they are made of, the lights, and where the eye is.
 * Either the courtyard that scene.c builds, or a file that gltf.h reads. Structures that the GPU
 * sees are laid out as shaders read them.
 */
#ifndef RD_SCENE_H
#define RD_SCENE_H

#include "linear.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    RD_MAX_INSTANCES = 16384,
    RD_MAX_LIGHTS = 128,
    RD_MAX_SURFACES = 256,
    RD_MAX_TEXTURES = 64,
    RD_PARTICLE_COUNT = 384,
    RD_MESH_SLOTS = 256, /**< as MESH_COUNT in the shaders */
    RD_MAX_VERTICES = 1 << 22,
    RD_MAX_INDICES = 1 << 24,
    RD_HITCH_FACTOR = 3 /**< how often everything is drawn in the frame that hitches */
};

/** The courtyard's meshes. */
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
    RD_MATERIAL_GRASS,
    RD_MATERIAL_SURFACE /**< and above: entries of the scene's table of surfaces */
};

struct rd_vertex {
    float position[3];
    float normal[3];
    float uv[2];
};

struct rd_mesh {
    uint32_t first_index;
    uint32_t index_count;
    int32_t vertex_offset;
    struct rd_vec3 center; /**< of a sphere around it */
    float radius;
};

/** Vertices and indices of all meshes, on the heap. Zero is empty. */
struct rd_geometry {
    struct rd_vertex *vertices;
    uint32_t *indices;
    uint32_t vertex_count;
    uint32_t index_count;
    uint32_t vertex_capacity;
    uint32_t index_capacity;
    struct rd_mesh meshes[RD_MESH_SLOTS];
    uint32_t mesh_count;
};

/** Room for so many more. @return false: beyond RD_MAX_*, or no memory; nothing has changed */
bool rd_geometry_reserve(struct rd_geometry *geometry, uint32_t vertices, uint32_t indices);
/** The sphere around a mesh whose vertices are the newest ones, from its offset on. */
void rd_geometry_bound(const struct rd_geometry *geometry, struct rd_mesh *mesh);
/** The courtyard's meshes. @return false: no memory */
bool rd_geometry_build(struct rd_geometry *geometry);
/** Vertices and indices go; counts and meshes, which describe what was uploaded, stay. */
void rd_geometry_release(struct rd_geometry *geometry);

struct rd_instance {
    float rows[3][4];
    float sphere[4];
    uint32_t mesh;
    uint32_t material;
    uint32_t casts_shadow;
    uint32_t tint; /**< rgba8 */
};

/** One entry of the table of surfaces. */
struct rd_surface {
    float color[4]; /**< linear; times the texture */
    float roughness;
    float metal;
    float emission;   /**< how many times its colour it gives off */
    uint32_t texture; /**< layer of the array of textures; layer 0 is white */
};

/** Linear reading of sRGB bytes; all textures of a scene have the same size. */
struct rd_texture {
    uint8_t *rgba; /**< texture_px * texture_px pixels; on the heap */
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

/** Where the eye stands. */
struct rd_viewpoint {
    struct rd_vec3 at;
    struct rd_vec3 target;
    float fov_y; /**< radians */
    bool orbits; /**< goes around the target; else it sways where it stands */
};

/** Zero is empty. */
struct rd_scene {
    struct rd_instance *instances; /**< on the heap */
    uint32_t instance_count;
    uint32_t instance_capacity;
    uint32_t first_orb; /**< those from here on move */
    struct rd_light lights[RD_MAX_LIGHTS];
    uint32_t light_count;
    uint32_t fixed_light_count;
    uint32_t mesh_instances[RD_MESH_SLOTS];
    struct rd_surface surfaces[RD_MAX_SURFACES];
    uint32_t surface_count;
    struct rd_texture textures[RD_MAX_TEXTURES];
    uint32_t texture_count;
    uint32_t texture_left_out_count; /**< pictures of a kind that is not read */
    uint32_t texture_px;             /**< a power of two */
    bool has_viewpoint;              /**< else the eye walks along the courtyard's pool */
    struct rd_viewpoint viewpoint;
};

/** Room for so many more. @return false: beyond RD_MAX_INSTANCES, or no memory */
bool rd_scene_reserve(struct rd_scene *scene, uint32_t instances);
void rd_scene_finish(struct rd_scene *scene);

/** The courtyard: put everything in its place. @return false: no memory */
bool rd_scene_init(struct rd_scene *scene, const struct rd_geometry *geometry, uint32_t seed);
/** Move what moves. */
void rd_scene_update(struct rd_scene *scene, const struct rd_geometry *geometry, float seconds);
/** Draws that show nothing yet, with room for RD_HITCH_FACTOR times the scene. */
void rd_scene_draws(const struct rd_scene *scene, const struct rd_geometry *geometry,
                    struct rd_draw_command out_draws[RD_MESH_SLOTS]);
void rd_scene_particles(struct rd_particle out_particles[RD_PARTICLE_COUNT], uint32_t seed);

#endif
