/* SPDX-License-Identifier: MIT */
/* A courtyard in the evening: a pool between two arcades, a round temple at its end, cypresses
 * behind. */
#include "scene.h"

enum { ORB_COUNT = 18, ARCADE_BAYS = 12, COURTYARD_INSTANCES = 640 };

static const float bay_m = 3.0f;
static const float arcade_x_m = 8.2f;

/** A number in [0, 1) that belongs to a seed and an index. */
static float random_at(uint32_t seed, uint32_t index)
{
    uint32_t x = seed * 747796405u + index * 2891336453u + 1u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    x = (x >> 22) ^ x;
    return (float)(x >> 8) / 16777216.0f;
}

static uint32_t pack_color(float r, float g, float b)
{
    return (uint32_t)(r * 255.0f) | (uint32_t)(g * 255.0f) << 8 | (uint32_t)(b * 255.0f) << 16;
}

struct placement {
    enum rd_mesh_id mesh;
    enum rd_material material;
    struct rd_vec3 at;
    struct rd_vec3 scale;
    float yaw;
    bool no_shadow;
    bool upside_down;
    uint32_t tint;
};

static void set_instance(struct rd_instance *instance, const struct rd_mesh *mesh,
                         const struct placement *where)
{
    const float c = cosf(where->yaw);
    const float s = sinf(where->yaw);
    /* Upside down is half a turn around x, so that triangles keep facing outwards. */
    const float flip = where->upside_down ? -1.0f : 1.0f;
    const struct rd_vec3 k = where->scale;
    const float rows[3][4] = { { c * k.x, 0, s * k.z * flip, where->at.x },
                               { 0, k.y * flip, 0, where->at.y },
                               { -s * k.x, 0, c * k.z * flip, where->at.z } };
    memcpy(instance->rows, rows, sizeof(rows));
    const float center[4] = { mesh->center.x, mesh->center.y, mesh->center.z, 1 };
    for (int row = 0; row < 3; row++) {
        instance->sphere[row] = 0;
        for (int i = 0; i < 4; i++) {
            instance->sphere[row] += rows[row][i] * center[i];
        }
    }
    instance->sphere[3] = mesh->radius * fmaxf(k.x, fmaxf(k.y, k.z));
    instance->mesh = (uint32_t)where->mesh;
    instance->material = (uint32_t)where->material;
    instance->casts_shadow = !where->no_shadow;
    instance->tint = where->tint;
}

static void place(struct rd_scene *scene, const struct rd_geometry *geometry,
                  struct placement where)
{
    if (scene->instance_count == scene->instance_capacity) {
        return;
    }
    set_instance(&scene->instances[scene->instance_count++], &geometry->meshes[where.mesh], &where);
    scene->mesh_instances[where.mesh]++;
}

static void add_light(struct rd_scene *scene, struct rd_vec3 at, float reach, float r, float g,
                      float b)
{
    if (scene->light_count == RD_MAX_LIGHTS) {
        return;
    }
    scene->lights[scene->light_count++] =
        (struct rd_light){ { at.x, at.y, at.z }, reach, { r, g, b }, 0.0f };
}

static void place_box(struct rd_scene *scene, const struct rd_geometry *geometry,
                      enum rd_material material, struct rd_vec3 center, struct rd_vec3 half)
{
    place(scene, geometry,
          (struct placement){
              .mesh = RD_MESH_BOX, .material = material, .at = center, .scale = half });
}

/** Plinth, foot, shaft, capital and slab. */
static void place_column(struct rd_scene *scene, const struct rd_geometry *geometry,
                         struct rd_vec3 foot, float radius, float height, enum rd_material material)
{
    const float moulding = radius * 0.6f;
    const struct rd_vec3 round = rd_vec3(radius, radius, radius);
    place_box(scene, geometry, material, rd_add(foot, rd_vec3(0, 0.06f, 0)),
              rd_vec3(radius * 1.4f, 0.06f, radius * 1.4f));
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_CAPITAL,
                              .material = material,
                              .at = rd_add(foot, rd_vec3(0, 0.12f + moulding, 0)),
                              .scale = round,
                              .upside_down = true });
    const float bottom = 0.12f + moulding * 0.9f;
    const float top = height - 0.12f - moulding;
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_SHAFT,
                              .material = material,
                              .at = rd_add(foot, rd_vec3(0, bottom, 0)),
                              .scale = rd_vec3(radius, top - bottom, radius) });
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_CAPITAL,
                              .material = material,
                              .at = rd_add(foot, rd_vec3(0, top, 0)),
                              .scale = round });
    place_box(scene, geometry, material, rd_add(foot, rd_vec3(0, height - 0.06f, 0)),
              rd_vec3(radius * 1.4f, 0.06f, radius * 1.4f));
}

static void place_ground(struct rd_scene *scene, const struct rd_geometry *geometry)
{
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_PLANE,
                              .material = RD_MATERIAL_GRASS,
                              .at = rd_vec3(0, -0.04f, 0),
                              .scale = rd_vec3(160, 1, 160) });
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_PLANE,
                              .material = RD_MATERIAL_FLOOR,
                              .at = rd_vec3(0, 0, -1),
                              .scale = rd_vec3(13.5f, 1, 24) });
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_PLANE,
                              .material = RD_MATERIAL_WATER,
                              .at = rd_vec3(0, 0.16f, 2.5f),
                              .scale = rd_vec3(2.7f, 1, 8.0f),
                              .no_shadow = true });
    for (int side = -1; side <= 1; side += 2) {
        const float s = (float)side;
        place_box(scene, geometry, RD_MATERIAL_MARBLE, rd_vec3(2.9f * s, 0.13f, 2.5f),
                  rd_vec3(0.2f, 0.13f, 8.4f));
        place_box(scene, geometry, RD_MATERIAL_MARBLE, rd_vec3(0, 0.13f, 2.5f + 8.2f * s),
                  rd_vec3(2.7f, 0.13f, 0.2f));
    }
}

/** One side: columns, arches between them, the wall above, the roof, a second row behind. */
static void place_arcade(struct rd_scene *scene, const struct rd_geometry *geometry, float side)
{
    const float height = 3.3f;
    const float z0 = -bay_m * ARCADE_BAYS * 0.5f;
    const float x = arcade_x_m * side;
    for (int i = 0; i <= ARCADE_BAYS; i++) {
        place_column(scene, geometry, rd_vec3(x, 0, z0 + bay_m * (float)i), 0.27f, height,
                     RD_MATERIAL_LIMESTONE);
    }
    for (int i = 0; i < ARCADE_BAYS; i++) {
        place(scene, geometry,
              (struct placement){ .mesh = RD_MESH_ARCH,
                                  .material = RD_MATERIAL_LIMESTONE,
                                  .at = rd_vec3(x, height, z0 + bay_m * ((float)i + 0.5f)),
                                  .scale = rd_vec3(1.2f, 1.15f, 1.1f),
                                  .yaw = RD_PI * 0.5f });
    }
    const float top = height + 1.4f * 1.15f;
    const float length = bay_m * ARCADE_BAYS * 0.5f + 0.5f;
    place_box(scene, geometry, RD_MATERIAL_LIMESTONE, rd_vec3(x, top + 0.14f, 0),
              rd_vec3(0.42f, 0.14f, length));
    place_box(scene, geometry, RD_MATERIAL_MARBLE, rd_vec3(x, top + 0.34f, 0),
              rd_vec3(0.52f, 0.07f, length + 0.1f));
    place_box(scene, geometry, RD_MATERIAL_TILES, rd_vec3(x + 2.2f * side, top + 0.50f, 0),
              rd_vec3(2.9f, 0.10f, length + 0.2f));
    place_box(scene, geometry, RD_MATERIAL_LIMESTONE, rd_vec3(x + 4.4f * side, top * 0.5f, 0),
              rd_vec3(0.25f, top * 0.5f, length));
    for (int i = 1; i < ARCADE_BAYS; i += 2) {
        const struct rd_vec3 lamp = rd_vec3(x + 2.1f * side, 3.35f, z0 + bay_m * ((float)i + 0.5f));
        place(scene, geometry,
              (struct placement){ .mesh = RD_MESH_SPHERE,
                                  .material = RD_MATERIAL_GLOW,
                                  .at = lamp,
                                  .scale = rd_vec3(0.16f, 0.16f, 0.16f),
                                  .no_shadow = true,
                                  .tint = pack_color(1.0f, 0.62f, 0.28f) });
        add_light(scene, lamp, 7.0f, 11.0f, 5.6f, 2.0f);
    }
}

static void place_temple(struct rd_scene *scene, const struct rd_geometry *geometry)
{
    enum { COLUMNS = 10 };
    const struct rd_vec3 center = rd_vec3(0, 0, -12.5f);
    const float ring = 3.5f;
    const float floor_y = 0.75f;
    const float height = 4.3f;
    for (int i = 0; i < 3; i++) {
        const float r = 5.3f - 0.45f * (float)i;
        place(scene, geometry,
              (struct placement){ .mesh = RD_MESH_DISK,
                                  .material = RD_MATERIAL_MARBLE,
                                  .at = rd_add(center, rd_vec3(0, 0.25f * (float)i, 0)),
                                  .scale = rd_vec3(r, 0.25f, r) });
    }
    for (int i = 0; i < COLUMNS; i++) {
        const float a = 2.0f * RD_PI * ((float)i + 0.5f) / COLUMNS;
        place_column(scene, geometry,
                     rd_add(center, rd_vec3(ring * sinf(a), floor_y, ring * cosf(a))), 0.31f,
                     height, RD_MATERIAL_MARBLE);
    }
    const struct rd_vec3 top = rd_add(center, rd_vec3(0, floor_y + height, 0));
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_RING,
                              .material = RD_MATERIAL_LIMESTONE,
                              .at = top,
                              .scale = rd_vec3(ring, 2.6f, ring) });
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_DOME,
                              .material = RD_MATERIAL_BRONZE,
                              .at = rd_add(top, rd_vec3(0, 0.72f, 0)),
                              .scale = rd_vec3(3.7f, 2.9f, 3.7f) });
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_URN,
                              .material = RD_MATERIAL_GOLD,
                              .at = rd_add(top, rd_vec3(0, 3.58f, 0)),
                              .scale = rd_vec3(0.7f, 0.7f, 0.7f) });
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_DISK,
                              .material = RD_MATERIAL_LIMESTONE,
                              .at = rd_add(center, rd_vec3(0, floor_y, 0)),
                              .scale = rd_vec3(0.75f, 0.9f, 0.75f) });
    const struct rd_vec3 heart = rd_add(center, rd_vec3(0, floor_y + 1.85f, 0));
    place(scene, geometry,
          (struct placement){ .mesh = RD_MESH_SPHERE,
                              .material = RD_MATERIAL_GOLD,
                              .at = heart,
                              .scale = rd_vec3(0.95f, 0.95f, 0.95f) });
    for (int i = 0; i < 6; i++) {
        const float a = 2.0f * RD_PI * (float)i / 6.0f;
        const struct rd_vec3 at =
            rd_add(center, rd_vec3(2.3f * sinf(a), floor_y + 0.45f, 2.3f * cosf(a)));
        place(scene, geometry,
              (struct placement){ .mesh = RD_MESH_SPHERE,
                                  .material = RD_MATERIAL_GLOW,
                                  .at = at,
                                  .scale = rd_vec3(0.13f, 0.13f, 0.13f),
                                  .no_shadow = true,
                                  .tint = pack_color(1.0f, 0.55f, 0.22f) });
        add_light(scene, at, 6.0f, 10.0f, 4.6f, 1.4f);
    }
}

/** Urns and braziers along the pool. */
static void place_furniture(struct rd_scene *scene, const struct rd_geometry *geometry)
{
    for (int side = -1; side <= 1; side += 2) {
        const float x = 4.3f * (float)side;
        for (int i = 0; i < 4; i++) {
            const float z = -4.4f + 4.6f * (float)i;
            if (i % 2 == 0) {
                place_box(scene, geometry, RD_MATERIAL_LIMESTONE, rd_vec3(x, 0.35f, z),
                          rd_vec3(0.42f, 0.35f, 0.42f));
                place(scene, geometry,
                      (struct placement){ .mesh = RD_MESH_URN,
                                          .material = RD_MATERIAL_BRONZE,
                                          .at = rd_vec3(x, 0.7f, z),
                                          .scale = rd_vec3(0.75f, 0.75f, 0.75f) });
                continue;
            }
            place(scene, geometry,
                  (struct placement){ .mesh = RD_MESH_BRAZIER,
                                      .material = RD_MATERIAL_BRONZE,
                                      .at = rd_vec3(x, 0, z),
                                      .scale = rd_vec3(1.1f, 1.1f, 1.1f) });
            place(scene, geometry,
                  (struct placement){ .mesh = RD_MESH_SPHERE,
                                      .material = RD_MATERIAL_GLOW,
                                      .at = rd_vec3(x, 1.36f, z),
                                      .scale = rd_vec3(0.3f, 0.2f, 0.3f),
                                      .no_shadow = true,
                                      .tint = pack_color(1.0f, 0.42f, 0.12f) });
            add_light(scene, rd_vec3(x, 1.7f, z), 7.5f, 17.0f, 6.4f, 1.5f);
        }
    }
}

static void place_trees(struct rd_scene *scene, const struct rd_geometry *geometry, uint32_t seed)
{
    for (uint32_t i = 0; i < 44; i++) {
        const float along = -1.0f + 2.0f * (float)i / 43.0f;
        const float z = -21.0f - 5.0f * random_at(seed, i * 3);
        const float height = 6.5f + 5.5f * random_at(seed, i * 3 + 1);
        place(scene, geometry,
              (struct placement){
                  .mesh = RD_MESH_CYPRESS,
                  .material = RD_MATERIAL_LEAVES,
                  .at = rd_vec3(along * 34.0f + 1.2f * random_at(seed, i * 3 + 2), -0.1f, z),
                  .scale = rd_vec3(1.15f, height, 1.15f),
                  .yaw = 6.0f * random_at(seed, i * 7) });
    }
    for (int side = -1; side <= 1; side += 2) {
        for (uint32_t i = 0; i < 9; i++) {
            const float height = 7.0f + 4.0f * random_at(seed + 1, i);
            place(scene, geometry,
                  (struct placement){
                      .mesh = RD_MESH_CYPRESS,
                      .material = RD_MATERIAL_LEAVES,
                      .at = rd_vec3(17.5f * (float)side, -0.1f, -16.0f + 4.4f * (float)i),
                      .scale = rd_vec3(1.2f, height, 1.2f),
                      .yaw = (float)i });
        }
    }
}

bool rd_scene_init(struct rd_scene *scene, const struct rd_geometry *geometry, uint32_t seed)
{
    *scene = (struct rd_scene){ .texture_px = 1 };
    if (!rd_scene_reserve(scene, COURTYARD_INSTANCES)) {
        return false;
    }
    place_ground(scene, geometry);
    place_arcade(scene, geometry, -1.0f);
    place_arcade(scene, geometry, 1.0f);
    place_temple(scene, geometry);
    place_furniture(scene, geometry);
    place_trees(scene, geometry, seed);
    scene->fixed_light_count = scene->light_count;
    scene->first_orb = scene->instance_count;
    for (uint32_t i = 0; i < ORB_COUNT; i++) {
        place(scene, geometry,
              (struct placement){ .mesh = RD_MESH_SPHERE, .scale = rd_vec3(1, 1, 1) });
    }
    rd_scene_update(scene, geometry, 0.0f);
    return true;
}

void rd_scene_update(struct rd_scene *scene, const struct rd_geometry *geometry, float seconds)
{
    static const float colors[6][3] = { { 0.25f, 0.75f, 1.0f }, { 1.0f, 0.30f, 0.55f },
                                        { 0.35f, 1.0f, 0.65f }, { 0.70f, 0.42f, 1.0f },
                                        { 1.0f, 0.72f, 0.25f }, { 0.30f, 0.50f, 1.0f } };
    scene->light_count = scene->fixed_light_count;
    for (uint32_t i = 0; scene->first_orb + i < scene->instance_count; i++) {
        const float t = seconds * 0.35f + (float)i * 2.0f * RD_PI / ORB_COUNT;
        const float x = 2.05f * sinf(t) + 0.45f * sinf(t * 3.0f + (float)i);
        const float z = 2.5f + 7.0f * cosf(t);
        const float y = 0.95f + 0.45f * sinf(seconds * 0.9f + (float)i * 1.7f);
        const float *color = colors[i % 6];
        const float radius = 0.12f + 0.05f * (float)(i % 3);
        const struct placement where = {
            .mesh = RD_MESH_SPHERE,
            .material = RD_MATERIAL_GLOW,
            .at = rd_vec3(x, y, z),
            .scale = rd_vec3(radius, radius, radius),
            .no_shadow = true,
            .tint = pack_color(color[0], color[1], color[2]),
        };
        set_instance(&scene->instances[scene->first_orb + i], &geometry->meshes[RD_MESH_SPHERE],
                     &where);
        add_light(scene, where.at, 5.5f, color[0] * 7.0f, color[1] * 7.0f, color[2] * 7.0f);
    }
}

void rd_scene_particles(struct rd_particle out_particles[RD_PARTICLE_COUNT], uint32_t seed)
{
    for (uint32_t i = 0; i < RD_PARTICLE_COUNT; i++) {
        out_particles[i] = (struct rd_particle){
            .position = { -7.0f + 14.0f * random_at(seed, i * 5),
                          0.3f + 2.5f * random_at(seed, i * 5 + 1),
                          -13.0f + 24.0f * random_at(seed, i * 5 + 2) },
            .seed = 1.0f + 97.0f * random_at(seed, i * 5 + 3),
        };
    }
}
