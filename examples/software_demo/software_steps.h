/* SPDX-License-Identifier: MIT */
/* The passes of a frame and the resources between them, as two tables. */
#ifndef SD_SOFTWARE_STEPS_H
#define SD_SOFTWARE_STEPS_H

#include <frame_graph.h>

enum sd_resource_id {
    SD_GEOMETRY,
    SD_MATERIALS,
    SD_TEXTURES,
    SD_CONSTANTS,
    SD_INSTANCES,
    SD_LIGHTS,
    SD_VISIBILITY,
    SD_SPARKS,
    SD_EXPOSURE,
    SD_SHADOW_ATLAS,
    SD_HISTORY,
    SD_BACKBUFFER,
    SD_IMPORTED_COUNT, /**< those above live longer than a frame */
    SD_DRAWS = SD_IMPORTED_COUNT,
    SD_SHADOW_DRAWS,
    SD_DEPTH,
    SD_PYRAMID,
    SD_ALBEDO,
    SD_NORMALS,
    SD_MOTION,
    SD_OCCLUSION,
    SD_OCCLUSION_BLURRED,
    SD_CLUSTERS,
    SD_LIGHT,
    SD_HAZE,
    SD_REFLECTIONS,
    SD_COMPOSED,
    SD_FILTERED,
    SD_HISTOGRAM,
    SD_BLOOM_1,
    SD_BLOOM_2,
    SD_BLOOM_3,
    SD_BLOOM_4,
    SD_TONED,
    SD_VIEW_NORMALS,
    SD_VIEW_OVERDRAW,
    SD_RESOURCE_COUNT,
    SD_END = 0xff /**< of a list of references */
};

struct sd_resource {
    const char *name;
    uint64_t size_bytes; /**< buffers */
    uint32_t format;     /**< textures: a VkFormat value */
    uint32_t divisor;    /**< textures: of the internal resolution; 0 = `side_px` */
    uint32_t side_px;
    uint32_t layers;
    bool mips; /**< down to one texel */
    bool kept; /**< a later frame reads it */
};

extern const struct sd_resource sd_resources[SD_RESOURCE_COUNT];

/** A resource, and how a pass touches it. */
struct sd_ref {
    uint8_t resource; /**< enum sd_resource_id, or SD_END */
    uint16_t use;     /**< enum rd_use */
};

enum { SD_MAX_REFS = 8, SD_MAX_MAKES = 4, SD_CASCADE_COUNT = 4 };

struct sd_step {
    const char *scope; /**< "outer" or "outer/inner"; "" = none */
    const char *name;
    enum rd_pass_kind kind;
    uint32_t flags; /**< enum rd_pass_flag */
    /** Read; then what is made: a transient's first maker creates it, later ones replace it. */
    struct sd_ref reads[SD_MAX_REFS];
    struct sd_ref makes[SD_MAX_MAKES];
    uint32_t fixed_ns;         /**< of GPU time */
    uint32_t ns_per_kilopixel; /**< of the internal resolution */
    uint32_t draws;            /**< indirect ones where the draws are read, else 1 */
    uint32_t instances;        /**< of its one draw, a square; 0 = a triangle that fills all */
    uint32_t workgroup[2];     /**< of dispatches */
    uint32_t divisor;          /**< of the internal resolution, for dispatches; 0 = 1 */
    uint32_t threads;          /**< of dispatches that do not follow the resolution; 0 = they do */
    uint8_t cascade;           /**< from 1: runs only when that shadow is refreshed */
};

extern const struct sd_step sd_steps[];
extern const uint32_t sd_step_count;

#endif
