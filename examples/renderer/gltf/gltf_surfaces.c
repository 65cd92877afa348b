/* SPDX-License-Identifier: MIT */
/* Materials become the scene's table of surfaces, and their pictures its textures. */
#include "gltf_priv.h"

#include <stdlib.h>

/** What a material is while it is read. */
struct material {
    float color[4];
    float emission[3];
    float strength;
    float metal;
    float roughness;
    struct gltf_place color_texture;
    struct gltf_place metal_texture;
    struct gltf_place emission_texture;
};

/** The bytes of an image, lent by a buffer or fetched into `out_fetched`, the caller's to free. */
static bool image_bytes(struct gltf *gltf, uint32_t index, struct gltf_bytes *out_bytes,
                        struct gltf_bytes *out_fetched)
{
    struct gltf_place image;
    const char *uri;
    uint32_t view;
    uint32_t stride;
    if (!rd_gltf_find(gltf, "images", index, &image) || !rd_gltf_text(gltf, &image, "uri", &uri) ||
        !rd_gltf_index(gltf, &image, "bufferView", &view)) {
        return false;
    }
    if (view != GLTF_NONE) {
        return rd_gltf_view(gltf, view, out_bytes, &stride);
    }
    if (uri == NULL) {
        return rd_gltf_fail(gltf, &image, "expected a uri or a bufferView");
    }
    if (!rd_gltf_fetch(gltf, &image, uri, out_fetched)) {
        return false;
    }
    *out_bytes = *out_fetched;
    return true;
}

static bool is_png(const struct gltf_bytes *bytes)
{
    static const uint8_t signature[8] = { 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n' };
    return bytes->size >= sizeof(signature) &&
           memcmp(bytes->bytes, signature, sizeof(signature)) == 0;
}

/** @param out_layer 0, white, when the picture is of a kind that is not read */
static bool load_image(struct gltf *gltf, uint32_t index, struct rd_scene *scene,
                       uint32_t *out_layer)
{
    struct gltf_bytes bytes;
    struct gltf_bytes fetched = { NULL, 0 };
    struct gltf_place image;
    *out_layer = 0;
    if (!image_bytes(gltf, index, &bytes, &fetched) ||
        !rd_gltf_find(gltf, "images", index, &image)) {
        return false;
    }
    bool ok = true;
    if (!is_png(&bytes)) {
        scene->texture_left_out_count++;
    } else if (scene->texture_count == RD_MAX_TEXTURES) {
        ok = rd_gltf_fail(gltf, &image, "expected at most %d pictures", RD_MAX_TEXTURES);
    } else {
        uint8_t *rgba = rd_gltf_png(&bytes, scene->texture_px);
        ok = rgba != NULL || rd_gltf_fail(gltf, &image, "damaged: expected a PNG picture");
        if (ok) {
            scene->textures[scene->texture_count++] = (struct rd_texture){ rgba };
            *out_layer = scene->texture_count;
        }
    }
    free(fetched.bytes);
    return ok;
}

/** A picture is loaded once, whoever uses it. Layers are one higher than what they are kept as. */
static bool texture_layer(struct gltf *gltf, const struct gltf_place *reference, uint32_t *layers,
                          struct rd_scene *scene, uint32_t *out_layer)
{
    uint32_t texture;
    uint32_t image;
    struct gltf_place place;
    *out_layer = 0;
    if (reference->object == NULL) {
        return true;
    }
    if (!rd_gltf_index(gltf, reference, "index", &texture) ||
        !rd_gltf_find(gltf, "textures", texture, &place) ||
        !rd_gltf_index(gltf, &place, "source", &image)) {
        return false;
    }
    if (image == GLTF_NONE) {
        scene->texture_left_out_count++;
        return true;
    }
    if (image >= rd_gltf_count(gltf, "images")) {
        return rd_gltf_fail(gltf, &place, "source: expected an index below %u",
                            rd_gltf_count(gltf, "images"));
    }
    if (layers[image] == 0) {
        if (!load_image(gltf, image, scene, out_layer)) {
            return false;
        }
        layers[image] = *out_layer + 1;
    }
    *out_layer = layers[image] - 1;
    return true;
}

static bool read_material(struct gltf *gltf, const struct gltf_place *place,
                          struct material *out_material)
{
    struct gltf_place pbr;
    struct gltf_place strength;
    *out_material =
        (struct material){ .color = { 1, 1, 1, 1 }, .strength = 1, .metal = 1, .roughness = 1 };
    return rd_gltf_child(gltf, place, "pbrMetallicRoughness", &pbr) &&
           rd_gltf_numbers(gltf, &pbr, "baseColorFactor", 4, out_material->color) &&
           rd_gltf_number(gltf, &pbr, "metallicFactor", &out_material->metal) &&
           rd_gltf_number(gltf, &pbr, "roughnessFactor", &out_material->roughness) &&
           rd_gltf_child(gltf, &pbr, "baseColorTexture", &out_material->color_texture) &&
           rd_gltf_child(gltf, &pbr, "metallicRoughnessTexture", &out_material->metal_texture) &&
           rd_gltf_numbers(gltf, place, "emissiveFactor", 3, out_material->emission) &&
           rd_gltf_child(gltf, place, "emissiveTexture", &out_material->emission_texture) &&
           rd_gltf_extension(gltf, place, "KHR_materials_emissive_strength", &strength) &&
           rd_gltf_number(gltf, &strength, "emissiveStrength", &out_material->strength);
}

static float clamp(float value, float low, float high)
{
    return fminf(fmaxf(value, low), high);
}

/** What the G-buffer can hold of it: one colour, which is that of the glow where there is one. */
static struct rd_surface surface_of(const struct material *material, uint32_t layer)
{
    struct rd_surface surface = {
        .roughness = clamp(material->roughness, 0, 1),
        .metal = clamp(material->metal, 0, 1),
        .texture = layer,
    };
    for (int i = 0; i < 4; i++) {
        surface.color[i] = clamp(material->color[i], 0, 1);
    }
    if (material->metal_texture.object != NULL) {
        /* Those factors only scale a texture that is not read: neither polished nor metal. */
        surface.roughness = 0.8f;
        surface.metal = 0.0f;
    }
    const float *e = material->emission;
    const float brightest = fmaxf(e[0], fmaxf(e[1], e[2]));
    if (brightest > 0.0f && material->emission_texture.object == NULL) {
        for (int i = 0; i < 3; i++) {
            surface.color[i] = clamp(e[i] / brightest, 0, 1);
        }
        surface.emission = clamp(brightest * material->strength, 0, 100);
        surface.metal = 0.0f;
        surface.texture = 0;
    }
    return surface;
}

bool rd_gltf_surfaces(struct gltf *gltf, struct rd_scene *scene)
{
    const uint32_t count = rd_gltf_count(gltf, "materials");
    const uint32_t image_count = rd_gltf_count(gltf, "images");
    scene->texture_px = image_count > 0 ? GLTF_TEXTURE_PX : 1;
    scene->surfaces[0] = (struct rd_surface){ .color = { 0.8f, 0.8f, 0.8f, 1 }, .roughness = 0.8f };
    scene->surface_count = 1;
    if (count >= RD_MAX_SURFACES) {
        return rd_gltf_fail(gltf, NULL, "%u materials: expected fewer than %d", count,
                            RD_MAX_SURFACES);
    }
    uint32_t *layers = calloc((size_t)image_count + 1, sizeof(*layers));
    if (layers == NULL) {
        return rd_gltf_fail(gltf, NULL, "out of memory");
    }
    bool ok = true;
    for (uint32_t i = 0; ok && i < count; i++) {
        struct gltf_place place;
        struct material material;
        uint32_t layer;
        ok = rd_gltf_find(gltf, "materials", i, &place) && read_material(gltf, &place, &material) &&
             texture_layer(gltf, &material.color_texture, layers, scene, &layer);
        if (ok) {
            scene->surfaces[scene->surface_count++] = surface_of(&material, layer);
        }
    }
    free(layers);
    return ok;
}

bool rd_gltf_surface(struct gltf *gltf, const struct rd_scene *scene, uint32_t material,
                     struct gltf_surface *out_surface)
{
    *out_surface = (struct gltf_surface){ .material = RD_MATERIAL_SURFACE };
    if (material == GLTF_NONE) {
        return true;
    }
    struct gltf_place place;
    if (!rd_gltf_find(gltf, "materials", material, &place)) {
        return false;
    }
    out_surface->material = RD_MATERIAL_SURFACE + material + 1;
    out_surface->two_sided = json_is_true(json_object_get(place.object, "doubleSided"));
    out_surface->glows = scene->surfaces[material + 1].emission > 0;
    return true;
}
