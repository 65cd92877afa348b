/* SPDX-License-Identifier: MIT */
/* Objects that live in the process, called resources on screen: textures, buffers, voices. */
#ifndef FG_OBJECT_H
#define FG_OBJECT_H
#include <frameglass/diagnostics.h>
FG_BEGIN_DECLS

enum fg_object_type {
    FG_OBJECT_UNKNOWN = 0,
    FG_OBJECT_TEXTURE_2D = 1,
    FG_OBJECT_TEXTURE_3D = 2,
    FG_OBJECT_TEXTURE_CUBE = 3,
    FG_OBJECT_VERTEX_BUFFER = 4,
    FG_OBJECT_INDEX_BUFFER = 5,
    FG_OBJECT_RENDER_TARGET_2D = 6,
    FG_OBJECT_RENDER_TARGET_CUBE = 7,
    FG_OBJECT_AUDIO_VOICE = 8,
    FG_OBJECT_CUSTOM = 9,
};
/** "texture 2d", ...; never NULL. */
FG_API const char *fg_object_type_name(enum fg_object_type type);

#define FG_OBJECT_NAME_MAX 4096       /* bytes */
#define FG_OBJECTS_MAX     (1u << 20) /* that live at once */

/** Zero is every field's default. Borrowed for the call. */
struct fg_object_desc {
    enum fg_object_type type;
    enum fg_accuracy accuracy; /**< of size_bytes */
    const char *name;    /**< NULL = none, or as before; repaired, and cut at FG_OBJECT_NAME_MAX */
    uint64_t size_bytes; /**< 0 with a texture's fields filled: they tell, as an estimate */
    uint32_t format;     /**< VkFormat; 0 = not said */
    uint32_t width, height, depth; /**< 0 = 1 where another is said */
    uint32_t mip_count;            /**< 0 = 1; those past the last of one texel do not exist */
    uint32_t layer_count;          /**< with the faces of cubes; 0 = 1, of cubes 6 */
};
/** A live resource. Inactive when zero: calls with it do nothing. To share it, copy the number. */
struct fg_object {
    uint64_t id; /**< grows, never reused */
};
/**
 * Inactive while the mode is OFF (and never registered later), or refused and counted: memory ran
 * out, or FG_OBJECTS_MAX live.
 */
FG_API struct fg_object fg_object_create(const struct fg_object_desc *desc);
/** All of it in place, in every mode: same id. False: it does not live. */
FG_API bool fg_object_update(struct fg_object object, const struct fg_object_desc *desc);
/** In every mode. False: it does not live (any more). `object` is inactive then. */
FG_API bool fg_object_destroy(struct fg_object *object);
/**
 * Payload of a texture: per mip columns x rows x depth x bytes per texel (blocks of compressed
 * formats count whole) x layers; saturates at 2^64 - 1; 0 for an unknown format.
 */
FG_API uint64_t fg_texture_bytes(const struct fg_object_desc *desc);

FG_END_DECLS
#endif
