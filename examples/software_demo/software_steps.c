/* SPDX-License-Identifier: MIT */
#include "software_steps.h"

/* VkFormat values, as captures hold them. */
enum {
    RGBA8 = 37,
    RGBA8_SRGB = 43,
    RGB10A2 = 64,
    RG16F = 83,
    RGBA16F = 97,
    R32F = 100,
    B10G11R11F = 122,
    D32F = 126,
    R8 = 9,
    BC7 = 146,
};

enum { KIB = 1024, MIB = 1024 * 1024 };

const struct sd_resource sd_resources[SD_RESOURCE_COUNT] = {
    [SD_GEOMETRY] = { .name = "scene geometry", .size_bytes = 46 * MIB },
    [SD_MATERIALS] = { .name = "materials", .size_bytes = 96 * KIB },
    [SD_TEXTURES] = { .name = "texture array",
                      .format = BC7,
                      .side_px = 1024,
                      .layers = 96,
                      .mips = true },
    [SD_CONSTANTS] = { .name = "frame constants", .size_bytes = 1 * KIB },
    [SD_INSTANCES] = { .name = "instances", .size_bytes = 640 * KIB },
    [SD_LIGHTS] = { .name = "lights", .size_bytes = 16 * KIB },
    [SD_VISIBILITY] = { .name = "visibility", .size_bytes = 32 * KIB, .kept = true },
    [SD_SPARKS] = { .name = "sparks", .size_bytes = 512 * KIB, .kept = true },
    [SD_EXPOSURE] = { .name = "exposure", .size_bytes = 16, .kept = true },
    [SD_SHADOW_ATLAS] = { .name = "shadow atlas",
                          .format = D32F,
                          .side_px = 2048,
                          .layers = SD_CASCADE_COUNT,
                          .kept = true },
    [SD_HISTORY] = { .name = "history", .format = RGBA16F, .divisor = 1, .kept = true },
    [SD_BACKBUFFER] = { .name = "back buffer", .format = RGBA8_SRGB, .divisor = 1 },
    [SD_DRAWS] = { .name = "draws", .size_bytes = 192 * KIB },
    [SD_SHADOW_DRAWS] = { .name = "shadow draws", .size_bytes = 384 * KIB },
    [SD_DEPTH] = { .name = "depth", .format = D32F, .divisor = 1 },
    [SD_PYRAMID] = { .name = "depth pyramid", .format = R32F, .divisor = 2, .mips = true },
    [SD_ALBEDO] = { .name = "albedo", .format = RGBA8_SRGB, .divisor = 1 },
    [SD_NORMALS] = { .name = "normals", .format = RGB10A2, .divisor = 1 },
    [SD_MOTION] = { .name = "motion", .format = RG16F, .divisor = 1 },
    [SD_OCCLUSION] = { .name = "occlusion", .format = R8, .divisor = 2 },
    [SD_OCCLUSION_BLURRED] = { .name = "occlusion blurred", .format = R8, .divisor = 1 },
    [SD_CLUSTERS] = { .name = "light clusters", .size_bytes = 288 * KIB },
    [SD_LIGHT] = { .name = "light", .format = RGBA16F, .divisor = 1 },
    [SD_HAZE] = { .name = "haze", .format = RGBA16F, .divisor = 4 },
    [SD_REFLECTIONS] = { .name = "reflections", .format = RGBA16F, .divisor = 1 },
    [SD_COMPOSED] = { .name = "composed", .format = RGBA16F, .divisor = 1 },
    [SD_FILTERED] = { .name = "filtered", .format = RGBA16F, .divisor = 1 },
    [SD_HISTOGRAM] = { .name = "brightness histogram", .size_bytes = 1 * KIB },
    [SD_BLOOM_1] = { .name = "bloom 1", .format = B10G11R11F, .divisor = 2 },
    [SD_BLOOM_2] = { .name = "bloom 2", .format = B10G11R11F, .divisor = 4 },
    [SD_BLOOM_3] = { .name = "bloom 3", .format = B10G11R11F, .divisor = 8 },
    [SD_BLOOM_4] = { .name = "bloom 4", .format = B10G11R11F, .divisor = 16 },
    [SD_TONED] = { .name = "toned", .format = RGBA8, .divisor = 1 },
    [SD_VIEW_NORMALS] = { .name = "normals view", .format = RGBA8, .divisor = 1 },
    [SD_VIEW_OVERDRAW] = { .name = "overdraw view", .format = RGBA8, .divisor = 1 },
};

/* References, spelled short so that the table below can be read as one. */
#define SAMPLED(id)                                                                                \
    {                                                                                              \
        SD_##id, RD_USE_SAMPLED                                                                    \
    }
#define READ(id)                                                                                   \
    {                                                                                              \
        SD_##id, RD_USE_STORAGE_READ                                                               \
    }
#define STORE(id)                                                                                  \
    {                                                                                              \
        SD_##id, RD_USE_STORAGE_WRITE                                                              \
    }
#define UNIFORM(id)                                                                                \
    {                                                                                              \
        SD_##id, RD_USE_UNIFORM                                                                    \
    }
#define INDIRECT(id)                                                                               \
    {                                                                                              \
        SD_##id, RD_USE_INDIRECT | RD_USE_STORAGE_READ                                             \
    }
#define FETCH(id)                                                                                  \
    {                                                                                              \
        SD_##id, RD_USE_GEOMETRY                                                                   \
    }
#define COLOR(id)                                                                                  \
    {                                                                                              \
        SD_##id, RD_USE_COLOR                                                                      \
    }
#define DEPTH(id)                                                                                  \
    {                                                                                              \
        SD_##id, RD_USE_DEPTH_WRITE                                                                \
    }
#define TEST(id)                                                                                   \
    {                                                                                              \
        SD_##id, RD_USE_DEPTH_READ                                                                 \
    }
#define COPY(id)                                                                                   \
    {                                                                                              \
        SD_##id, RD_USE_COPY_TO                                                                    \
    }
#define END                                                                                        \
    {                                                                                              \
        SD_END, 0                                                                                  \
    }

#define RASTER   RD_PASS_RASTER
#define COMPUTE  RD_PASS_COMPUTE
#define TRANSFER RD_PASS_TRANSFER

#define CASCADE(number, name_text, fixed, draw_count)                                              \
    {                                                                                              \
        .scope = "shadows", .name = name_text, .kind = RASTER,                                     \
        .reads = { UNIFORM(CONSTANTS), READ(INSTANCES), FETCH(GEOMETRY), INDIRECT(SHADOW_DRAWS),   \
                   END },                                                                          \
        .makes = { DEPTH(SHADOW_ATLAS), END }, .fixed_ns = fixed, .draws = draw_count,             \
        .cascade = number                                                                          \
    }

#define BLOOM_DOWN(name_text, from, to, cost)                                                      \
    {                                                                                              \
        .scope = "post/bloom", .name = name_text, .kind = RASTER, .reads = { SAMPLED(from), END }, \
        .makes = { COLOR(to), END }, .ns_per_kilopixel = cost, .draws = 1                          \
    }

const struct sd_step sd_steps[] = {
    { .scope = "",
      .name = "upload",
      .kind = TRANSFER,
      .reads = { END },
      .makes = { COPY(CONSTANTS), COPY(INSTANCES), COPY(LIGHTS), END },
      .fixed_ns = 41000 },
    { .scope = "lighting",
      .name = "light clusters",
      .kind = COMPUTE,
      .flags = RD_PASS_ASYNC,
      .reads = { UNIFORM(CONSTANTS), READ(LIGHTS), END },
      .makes = { STORE(CLUSTERS), END },
      .fixed_ns = 310000,
      .workgroup = { 64, 1 },
      .threads = 2304 },
    { .scope = "sparks",
      .name = "sparks move",
      .kind = COMPUTE,
      .flags = RD_PASS_ASYNC,
      .reads = { UNIFORM(CONSTANTS), END },
      .makes = { STORE(SPARKS), END },
      .fixed_ns = 180000,
      .workgroup = { 64, 1 },
      .threads = 16384 },
    { .scope = "culling",
      .name = "reset draws",
      .kind = TRANSFER,
      .reads = { END },
      .makes = { COPY(DRAWS), COPY(SHADOW_DRAWS), END },
      .fixed_ns = 9000 },
    { .scope = "culling",
      .name = "cull early",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), READ(INSTANCES), READ(VISIBILITY), END },
      .makes = { STORE(DRAWS), END },
      .fixed_ns = 36000,
      .workgroup = { 64, 1 },
      .threads = 8192 },
    { .scope = "culling",
      .name = "cull cascades",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), READ(INSTANCES), END },
      .makes = { STORE(SHADOW_DRAWS), END },
      .fixed_ns = 61000,
      .workgroup = { 64, 1 },
      .threads = 32768 },
    CASCADE(1, "cascade 0", 420000, 14),
    CASCADE(2, "cascade 1", 390000, 18),
    CASCADE(3, "cascade 2", 510000, 26),
    CASCADE(4, "cascade 3", 640000, 34),
    { .scope = "geometry",
      .name = "depth early",
      .kind = RASTER,
      .reads = { UNIFORM(CONSTANTS), READ(INSTANCES), FETCH(GEOMETRY), INDIRECT(DRAWS), END },
      .makes = { DEPTH(DEPTH), END },
      .fixed_ns = 180000,
      .ns_per_kilopixel = 190,
      .draws = 30 },
    { .scope = "geometry",
      .name = "depth pyramid",
      .kind = COMPUTE,
      .reads = { SAMPLED(DEPTH), END },
      .makes = { STORE(PYRAMID), END },
      .ns_per_kilopixel = 60,
      .workgroup = { 8, 8 },
      .divisor = 2 },
    { .scope = "geometry",
      .name = "cull late",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), READ(INSTANCES), SAMPLED(PYRAMID), END },
      .makes = { STORE(DRAWS), STORE(VISIBILITY), END },
      .fixed_ns = 44000,
      .workgroup = { 64, 1 },
      .threads = 8192 },
    { .scope = "geometry",
      .name = "g-buffer",
      .kind = RASTER,
      .reads = { UNIFORM(CONSTANTS), READ(INSTANCES), FETCH(GEOMETRY), INDIRECT(DRAWS),
                 READ(MATERIALS), SAMPLED(TEXTURES), END },
      .makes = { COLOR(ALBEDO), COLOR(NORMALS), COLOR(MOTION), DEPTH(DEPTH) },
      .fixed_ns = 210000,
      .ns_per_kilopixel = 640,
      .draws = 42 },
    { .scope = "lighting",
      .name = "occlusion",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), SAMPLED(DEPTH), SAMPLED(NORMALS), END },
      .makes = { STORE(OCCLUSION), END },
      .ns_per_kilopixel = 540,
      .workgroup = { 8, 8 },
      .divisor = 2 },
    { .scope = "lighting",
      .name = "occlusion blur",
      .kind = COMPUTE,
      .reads = { SAMPLED(OCCLUSION), SAMPLED(DEPTH), END },
      .makes = { STORE(OCCLUSION_BLURRED), END },
      .ns_per_kilopixel = 150,
      .workgroup = { 8, 8 } },
    { .scope = "lighting",
      .name = "sun and lights",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), SAMPLED(ALBEDO), SAMPLED(NORMALS), SAMPLED(DEPTH),
                 SAMPLED(OCCLUSION_BLURRED), SAMPLED(SHADOW_ATLAS), READ(LIGHTS), READ(CLUSTERS) },
      .makes = { STORE(LIGHT), END },
      .ns_per_kilopixel = 1350,
      .workgroup = { 8, 8 } },
    { .scope = "lighting",
      .name = "sky",
      .kind = RASTER,
      .reads = { UNIFORM(CONSTANTS), TEST(DEPTH), END },
      .makes = { COLOR(LIGHT), END },
      .ns_per_kilopixel = 210,
      .draws = 1 },
    { .scope = "atmosphere",
      .name = "haze",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), SAMPLED(DEPTH), SAMPLED(SHADOW_ATLAS), END },
      .makes = { STORE(HAZE), END },
      .ns_per_kilopixel = 330,
      .workgroup = { 8, 8 },
      .divisor = 4 },
    { .scope = "lighting",
      .name = "reflections",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), SAMPLED(LIGHT), SAMPLED(DEPTH), SAMPLED(NORMALS),
                 SAMPLED(PYRAMID), END },
      .makes = { STORE(REFLECTIONS), END },
      .ns_per_kilopixel = 1150,
      .workgroup = { 8, 8 } },
    { .scope = "lighting",
      .name = "composite",
      .kind = COMPUTE,
      .reads = { SAMPLED(LIGHT), SAMPLED(HAZE), SAMPLED(REFLECTIONS), SAMPLED(ALBEDO),
                 SAMPLED(DEPTH), END },
      .makes = { STORE(COMPOSED), END },
      .ns_per_kilopixel = 290,
      .workgroup = { 8, 8 } },
    { .scope = "sparks",
      .name = "sparks",
      .kind = RASTER,
      .reads = { UNIFORM(CONSTANTS), READ(SPARKS), TEST(DEPTH), END },
      .makes = { COLOR(COMPOSED), END },
      .fixed_ns = 90000,
      .ns_per_kilopixel = 40,
      .draws = 1,
      .instances = 16384 },
    { .scope = "post",
      .name = "temporal filter",
      .kind = COMPUTE,
      .reads = { UNIFORM(CONSTANTS), SAMPLED(COMPOSED), SAMPLED(MOTION), SAMPLED(DEPTH), END },
      .makes = { STORE(FILTERED), STORE(HISTORY), END },
      .ns_per_kilopixel = 420,
      .workgroup = { 8, 8 } },
    { .scope = "post",
      .name = "histogram",
      .kind = COMPUTE,
      .reads = { SAMPLED(FILTERED), END },
      .makes = { STORE(HISTOGRAM), END },
      .ns_per_kilopixel = 70,
      .workgroup = { 16, 8 } },
    { .scope = "post",
      .name = "exposure",
      .kind = COMPUTE,
      .reads = { READ(HISTOGRAM), END },
      .makes = { STORE(EXPOSURE), END },
      .fixed_ns = 7000,
      .workgroup = { 128, 1 },
      .threads = 128 },
    BLOOM_DOWN("down 1", FILTERED, BLOOM_1, 90),
    BLOOM_DOWN("down 2", BLOOM_1, BLOOM_2, 30),
    BLOOM_DOWN("down 3", BLOOM_2, BLOOM_3, 12),
    BLOOM_DOWN("down 4", BLOOM_3, BLOOM_4, 8),
    BLOOM_DOWN("up 3", BLOOM_4, BLOOM_3, 14),
    BLOOM_DOWN("up 2", BLOOM_3, BLOOM_2, 34),
    BLOOM_DOWN("up 1", BLOOM_2, BLOOM_1, 95),
    { .scope = "debug",
      .name = "show normals",
      .kind = RASTER,
      .reads = { SAMPLED(NORMALS), END },
      .makes = { COLOR(VIEW_NORMALS), END },
      .ns_per_kilopixel = 60,
      .draws = 1 },
    { .scope = "debug",
      .name = "show overdraw",
      .kind = RASTER,
      .reads = { SAMPLED(DEPTH), SAMPLED(ALBEDO), END },
      .makes = { COLOR(VIEW_OVERDRAW), END },
      .ns_per_kilopixel = 60,
      .draws = 1 },
    { .scope = "post",
      .name = "tonemap",
      .kind = RASTER,
      .reads = { SAMPLED(FILTERED), SAMPLED(BLOOM_1), READ(EXPOSURE), END },
      .makes = { COLOR(TONED), END },
      .ns_per_kilopixel = 180,
      .draws = 1 },
    { .scope = "",
      .name = "display",
      .kind = RASTER,
      .reads = { UNIFORM(CONSTANTS), END },
      .makes = { COLOR(TONED), END },
      .fixed_ns = 55000,
      .draws = 12 },
    { .scope = "",
      .name = "present",
      .kind = RASTER,
      .flags = RD_PASS_SIDE_EFFECT,
      .reads = { SAMPLED(TONED), END },
      .makes = { COLOR(BACKBUFFER), END },
      .ns_per_kilopixel = 50,
      .draws = 1 },
};
const uint32_t sd_step_count = sizeof(sd_steps) / sizeof(sd_steps[0]);
