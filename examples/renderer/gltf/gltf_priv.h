/* SPDX-License-Identifier: MIT */
/* A glTF document while it is read. Everything from the file is checked before it is used. */
#ifndef RD_GLTF_PRIV_H
#define RD_GLTF_PRIV_H

#include "../gltf.h"

#include <jansson.h>

enum {
    GLTF_MAX_JSON_BYTES = 64 << 20,
    GLTF_MAX_BUFFER_BYTES = 512 << 20,
    GLTF_MAX_BUFFERS = 64,
    GLTF_MAX_ITEMS = 1 << 20, /**< of any list: more than that is no scene for this renderer */
    GLTF_MAX_DEPTH = 64,      /**< of nodes in nodes */
    GLTF_TEXTURE_PX = 512     /**< the largest side that textures are kept at */
};

#define GLTF_NONE UINT32_MAX

struct gltf_bytes {
    uint8_t *bytes; /**< on the heap */
    size_t size;
};

struct gltf {
    const char *path;
    struct rd_log *log;
    json_t *root;
    struct gltf_bytes file;  /**< a .glb whole; its chunks are parts of it */
    struct gltf_bytes chunk; /**< the binary chunk of a .glb, inside `file` */
    struct gltf_bytes buffers[GLTF_MAX_BUFFERS];
    bool buffer_is_chunk[GLTF_MAX_BUFFERS];
    uint32_t buffer_count;
};

/** An object of the document, and what to call it: "accessors[3]". */
struct gltf_place {
    const json_t *object;
    char name[64];
};

/** Fail with "FILE: PLACE: text". @return false */
bool rd_gltf_fail(struct gltf *gltf, const struct gltf_place *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* gltf_bytes.c: where bytes come from. */
bool rd_gltf_open(struct gltf *gltf);
void rd_gltf_close(struct gltf *gltf);
/** A file beside the document, or what a data URI holds. @param out_bytes owned, its bytes freed */
bool rd_gltf_fetch(struct gltf *gltf, const struct gltf_place *place, const char *uri,
                   struct gltf_bytes *out_bytes);

/* gltf_document.c: parts of the document. */
/** How many items a list at the top has; 0 when it is not there. */
uint32_t rd_gltf_count(const struct gltf *gltf, const char *list);
bool rd_gltf_find(struct gltf *gltf, const char *list, uint32_t index,
                  struct gltf_place *out_place);
/** An object inside another. @return false: failed; place->object is NULL when it is not there */
bool rd_gltf_child(struct gltf *gltf, const struct gltf_place *place, const char *key,
                   struct gltf_place *out_place);
/** An extension's object, as for rd_gltf_child(). */
bool rd_gltf_extension(struct gltf *gltf, const struct gltf_place *place, const char *key,
                       struct gltf_place *out_place);
/** Whole numbers up to a maximum; `fallback` when it is not there. */
bool rd_gltf_uint(struct gltf *gltf, const struct gltf_place *place, const char *key,
                  uint64_t fallback, uint64_t maximum, uint64_t *out_value);
/** An index; GLTF_NONE when it is not there. */
bool rd_gltf_index(struct gltf *gltf, const struct gltf_place *place, const char *key,
                   uint32_t *out_index);
/** Exactly so many finite numbers, or the key is not there and `values` stay as they are. */
bool rd_gltf_numbers(struct gltf *gltf, const struct gltf_place *place, const char *key,
                     uint32_t count, float *values);
bool rd_gltf_number(struct gltf *gltf, const struct gltf_place *place, const char *key,
                    float *value);
/** A text, or NULL when it is not there. */
bool rd_gltf_text(struct gltf *gltf, const struct gltf_place *place, const char *key,
                  const char **out_text);

/** @param out_bytes borrowed from the document's buffers */
bool rd_gltf_view(struct gltf *gltf, uint32_t index, struct gltf_bytes *out_bytes,
                  uint32_t *out_stride_bytes);

enum gltf_component { GLTF_U8 = 5121, GLTF_U16 = 5123, GLTF_U32 = 5125, GLTF_FLOAT = 5126 };

/** Elements that are known to lie inside their buffer. */
struct gltf_accessor {
    const uint8_t *bytes;
    uint32_t count;
    uint32_t stride_bytes;
    enum gltf_component component;
    uint32_t components; /**< 1 to 4 */
    char name[64];       /**< for messages */
};

bool rd_gltf_accessor(struct gltf *gltf, uint32_t index, struct gltf_accessor *out_accessor);
/** One element as numbers; whole ones count from 0 to 1. */
void rd_gltf_element(const struct gltf_accessor *accessor, uint32_t index, float *out_values);
uint32_t rd_gltf_integer(const struct gltf_accessor *accessor, uint32_t index);

/* gltf_meshes.c */
/** How a primitive is wanted: as it is, or with its triangles turned around. */
struct gltf_variant {
    bool mirrored;
    bool two_sided;
};
/** Add one primitive to the geometry. @param out_slot the mesh; GLTF_NONE: nothing to draw */
bool rd_gltf_add_primitive(struct gltf *gltf, const struct gltf_place *primitive,
                           struct gltf_variant variant, struct rd_geometry *geometry,
                           uint32_t *out_slot);

/* gltf_surfaces.c */
struct gltf_surface {
    uint32_t material; /**< for rd_instance */
    bool two_sided;
    bool glows;
};
/** Fill in the scene's table and textures. Entry 0 is for primitives without a material. */
bool rd_gltf_surfaces(struct gltf *gltf, struct rd_scene *scene);
/** @param material GLTF_NONE = none */
bool rd_gltf_surface(struct gltf *gltf, const struct rd_scene *scene, uint32_t material,
                     struct gltf_surface *out_surface);

/* gltf_image.c */
/** A PNG in memory, as texture_px * texture_px pixels. @return NULL: it is none, or no memory */
uint8_t *rd_gltf_png(const struct gltf_bytes *png, uint32_t texture_px);

#endif
