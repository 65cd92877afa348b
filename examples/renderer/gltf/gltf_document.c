/* SPDX-License-Identifier: MIT */
/* Parts of a glTF document, checked as they are taken out. */
#include "gltf_priv.h"

#include <stdarg.h>
#include <stdio.h>

bool rd_gltf_fail(struct gltf *gltf, const struct gltf_place *place, const char *format, ...)
{
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, sizeof(text), format, arguments);
    va_end(arguments);
    const bool named = place != NULL && place->name[0] != '\0';
    return rd_fail(gltf->log, "%s: %s%s%s", gltf->path, named ? place->name : "", named ? ": " : "",
                   text);
}

uint32_t rd_gltf_count(const struct gltf *gltf, const char *list)
{
    const size_t count = json_array_size(json_object_get(gltf->root, list));
    return count < GLTF_MAX_ITEMS ? (uint32_t)count : GLTF_MAX_ITEMS;
}

bool rd_gltf_find(struct gltf *gltf, const char *list, uint32_t index, struct gltf_place *out_place)
{
    const json_t *object =
        index < GLTF_MAX_ITEMS ? json_array_get(json_object_get(gltf->root, list), index) : NULL;
    (void)snprintf(out_place->name, sizeof(out_place->name), "%s[%u]", list, index);
    out_place->object = object;
    if (object == NULL) {
        return rd_gltf_fail(gltf, out_place, "not there: expected an index below %u",
                            rd_gltf_count(gltf, list));
    }
    return json_is_object(object) || rd_gltf_fail(gltf, out_place, "expected an object");
}

bool rd_gltf_child(struct gltf *gltf, const struct gltf_place *place, const char *key,
                   struct gltf_place *out_place)
{
    out_place->object = json_object_get(place->object, key);
    (void)snprintf(out_place->name, sizeof(out_place->name), "%.40s%s%.22s", place->name,
                   place->name[0] != '\0' ? "." : "", key);
    return out_place->object == NULL || json_is_object(out_place->object) ||
           rd_gltf_fail(gltf, out_place, "expected an object");
}

bool rd_gltf_extension(struct gltf *gltf, const struct gltf_place *place, const char *key,
                       struct gltf_place *out_place)
{
    struct gltf_place all;
    return rd_gltf_child(gltf, place, "extensions", &all) &&
           rd_gltf_child(gltf, &all, key, out_place);
}

bool rd_gltf_uint(struct gltf *gltf, const struct gltf_place *place, const char *key,
                  uint64_t fallback, uint64_t maximum, uint64_t *out_value)
{
    const json_t *item = json_object_get(place->object, key);
    const json_int_t value = json_integer_value(item);
    /* Some writers put whole numbers down as 3.0; that is not glTF, and means the same. */
    const double real = json_real_value(item);
    *out_value = fallback;
    if (item == NULL) {
        return true;
    }
    if (json_is_real(item) && real >= 0 && real <= (double)maximum &&
        real == (double)(uint64_t)real) {
        *out_value = (uint64_t)real;
        return true;
    }
    if (!json_is_integer(item) || value < 0 || (uint64_t)value > maximum) {
        return rd_gltf_fail(gltf, place, "%s: expected a whole number from 0 to %llu", key,
                            (unsigned long long)maximum);
    }
    *out_value = (uint64_t)value;
    return true;
}

bool rd_gltf_index(struct gltf *gltf, const struct gltf_place *place, const char *key,
                   uint32_t *out_index)
{
    uint64_t value;
    if (!rd_gltf_uint(gltf, place, key, GLTF_NONE, GLTF_MAX_ITEMS, &value)) {
        return false;
    }
    *out_index = (uint32_t)value;
    return true;
}

bool rd_gltf_numbers(struct gltf *gltf, const struct gltf_place *place, const char *key,
                     uint32_t count, float *values)
{
    const json_t *list = json_object_get(place->object, key);
    if (list == NULL) {
        return true;
    }
    bool ok = json_array_size(list) == count;
    for (uint32_t i = 0; ok && i < count; i++) {
        const json_t *item = json_array_get(list, i);
        values[i] = (float)json_number_value(item);
        ok = json_is_number(item) && isfinite(values[i]);
    }
    return ok || rd_gltf_fail(gltf, place, "%s: expected a list of %u numbers", key, count);
}

bool rd_gltf_number(struct gltf *gltf, const struct gltf_place *place, const char *key,
                    float *value)
{
    const json_t *item = json_object_get(place->object, key);
    if (item == NULL) {
        return true;
    }
    *value = (float)json_number_value(item);
    return (json_is_number(item) && isfinite(*value)) ||
           rd_gltf_fail(gltf, place, "%s: expected a number", key);
}

bool rd_gltf_text(struct gltf *gltf, const struct gltf_place *place, const char *key,
                  const char **out_text)
{
    const json_t *item = json_object_get(place->object, key);
    *out_text = json_string_value(item);
    return item == NULL || *out_text != NULL ||
           rd_gltf_fail(gltf, place, "%s: expected a text", key);
}

bool rd_gltf_view(struct gltf *gltf, uint32_t index, struct gltf_bytes *out_bytes,
                  uint32_t *out_stride_bytes)
{
    struct gltf_place place;
    uint32_t buffer;
    uint64_t offset;
    uint64_t length;
    uint64_t stride;
    if (!rd_gltf_find(gltf, "bufferViews", index, &place) ||
        !rd_gltf_index(gltf, &place, "buffer", &buffer) ||
        !rd_gltf_uint(gltf, &place, "byteOffset", 0, GLTF_MAX_BUFFER_BYTES, &offset) ||
        !rd_gltf_uint(gltf, &place, "byteLength", 0, GLTF_MAX_BUFFER_BYTES, &length) ||
        !rd_gltf_uint(gltf, &place, "byteStride", 0, 252, &stride)) {
        return false;
    }
    if (buffer >= gltf->buffer_count) {
        return rd_gltf_fail(gltf, &place, "buffer: expected an index below %u", gltf->buffer_count);
    }
    const struct gltf_bytes *bytes = &gltf->buffers[buffer];
    if (offset > bytes->size || length > bytes->size - offset || length == 0) {
        return rd_gltf_fail(
            gltf, &place, "%llu bytes at %llu: expected a part of buffers[%u], which has %zu",
            (unsigned long long)length, (unsigned long long)offset, buffer, bytes->size);
    }
    *out_bytes = (struct gltf_bytes){ bytes->bytes + offset, (size_t)length };
    *out_stride_bytes = (uint32_t)stride;
    return true;
}

static uint32_t component_bytes(enum gltf_component component)
{
    return component == GLTF_U8 ? 1 : component == GLTF_U16 ? 2 : 4;
}

/** SCALAR and VEC2 to VEC4 in the types that meshes use; no sparse ones. */
static bool read_type(struct gltf *gltf, const struct gltf_place *place,
                      struct gltf_accessor *accessor)
{
    static const char *const types[] = { "SCALAR", "VEC2", "VEC3", "VEC4" };
    const char *type;
    uint64_t component;
    if (!rd_gltf_text(gltf, place, "type", &type) ||
        !rd_gltf_uint(gltf, place, "componentType", 0, UINT16_MAX, &component)) {
        return false;
    }
    if (json_object_get(place->object, "sparse") != NULL) {
        return rd_gltf_fail(gltf, place, "sparse accessors are not read");
    }
    for (uint32_t i = 0; type != NULL && i < 4; i++) {
        accessor->components = strcmp(type, types[i]) == 0 ? i + 1 : accessor->components;
    }
    if (accessor->components == 0) {
        return rd_gltf_fail(gltf, place, "type: expected SCALAR, VEC2, VEC3 or VEC4");
    }
    if (component != GLTF_U8 && component != GLTF_U16 && component != GLTF_U32 &&
        component != GLTF_FLOAT) {
        return rd_gltf_fail(gltf, place, "componentType %llu: expected 5121, 5123, 5125 or 5126",
                            (unsigned long long)component);
    }
    accessor->component = (enum gltf_component)component;
    return true;
}

bool rd_gltf_accessor(struct gltf *gltf, uint32_t index, struct gltf_accessor *out_accessor)
{
    struct gltf_place place;
    struct gltf_bytes view;
    uint64_t offset;
    uint64_t count;
    uint32_t view_index;
    *out_accessor = (struct gltf_accessor){ .count = 0 };
    if (!rd_gltf_find(gltf, "accessors", index, &place) || !read_type(gltf, &place, out_accessor) ||
        !rd_gltf_index(gltf, &place, "bufferView", &view_index) ||
        !rd_gltf_uint(gltf, &place, "byteOffset", 0, GLTF_MAX_BUFFER_BYTES, &offset) ||
        !rd_gltf_uint(gltf, &place, "count", 0, RD_MAX_INDICES, &count) ||
        !rd_gltf_view(gltf, view_index, &view, &out_accessor->stride_bytes)) {
        return false;
    }
    const uint32_t element = component_bytes(out_accessor->component) * out_accessor->components;
    if (out_accessor->stride_bytes == 0) {
        out_accessor->stride_bytes = element;
    }
    const uint64_t stride = out_accessor->stride_bytes;
    if (count == 0 || stride < element || offset > view.size ||
        (count - 1) * stride + element > view.size - offset) {
        return rd_gltf_fail(gltf, &place,
                            "%llu elements of %u bytes, %llu apart, from %llu on: expected them "
                            "inside bufferViews[%u], which has %zu bytes",
                            (unsigned long long)count, element, (unsigned long long)stride,
                            (unsigned long long)offset, view_index, view.size);
    }
    out_accessor->bytes = view.bytes + offset;
    out_accessor->count = (uint32_t)count;
    memcpy(out_accessor->name, place.name, sizeof(out_accessor->name));
    return true;
}

uint32_t rd_gltf_integer(const struct gltf_accessor *accessor, uint32_t index)
{
    const uint8_t *p = accessor->bytes + (size_t)index * accessor->stride_bytes;
    uint32_t value = 0;
    for (uint32_t i = component_bytes(accessor->component); i > 0; i--) {
        value = value << 8 | p[i - 1];
    }
    return value;
}

void rd_gltf_element(const struct gltf_accessor *accessor, uint32_t index, float *out_values)
{
    const uint8_t *p = accessor->bytes + (size_t)index * accessor->stride_bytes;
    for (uint32_t i = 0; i < accessor->components; i++) {
        uint32_t bits = p[0];
        switch (accessor->component) {
        case GLTF_U8:
            out_values[i] = (float)bits / 255.0f;
            break;
        case GLTF_U16:
            bits |= (uint32_t)p[1] << 8;
            out_values[i] = (float)bits / 65535.0f;
            break;
        default:
            bits |= (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
            memcpy(&out_values[i], &bits, sizeof(bits));
            break;
        }
        p += component_bytes(accessor->component);
    }
}
