/* SPDX-License-Identifier: MIT */
/* Primitives become meshes of the scene's geometry. */
#include "gltf_priv.h"

enum { MODE_TRIANGLES = 4, MODE_STRIP = 5, MODE_FAN = 6 };

/** Where a primitive's vertices come from. Those that are not there have no elements. */
struct sources {
    struct gltf_accessor positions;
    struct gltf_accessor normals;
    struct gltf_accessor uvs;
    struct gltf_accessor indices;
    uint32_t index_count;
};

/** @return false: failed; out->count is 0 when the attribute is not there */
static bool read_attribute(struct gltf *gltf, const struct gltf_place *attributes, const char *name,
                           uint32_t components, bool whole_numbers, struct gltf_accessor *out)
{
    uint32_t index;
    *out = (struct gltf_accessor){ .count = 0 };
    if (!rd_gltf_index(gltf, attributes, name, &index)) {
        return false;
    }
    if (index == GLTF_NONE) {
        return true;
    }
    if (!rd_gltf_accessor(gltf, index, out)) {
        return false;
    }
    const bool readable =
        out->component == GLTF_FLOAT ||
        (whole_numbers && (out->component == GLTF_U8 || out->component == GLTF_U16));
    return (out->components == components && readable) ||
           rd_gltf_fail(gltf, attributes, "%s: expected VEC%u of %s in %s", name, components,
                        whole_numbers ? "5121, 5123 or 5126" : "5126", out->name);
}

static bool read_indices(struct gltf *gltf, const struct gltf_place *primitive,
                         struct sources *sources)
{
    uint32_t index;
    if (!rd_gltf_index(gltf, primitive, "indices", &index)) {
        return false;
    }
    sources->index_count = sources->positions.count;
    if (index != GLTF_NONE) {
        if (!rd_gltf_accessor(gltf, index, &sources->indices)) {
            return false;
        }
        if (sources->indices.components != 1 || sources->indices.component == GLTF_FLOAT) {
            return rd_gltf_fail(gltf, primitive, "indices: expected SCALAR of 5121, 5123 or 5125");
        }
        sources->index_count = sources->indices.count;
    }
    return sources->index_count % 3 == 0 ||
           rd_gltf_fail(gltf, primitive, "%u indices: expected three for each triangle",
                        sources->index_count);
}

static bool read_sources(struct gltf *gltf, const struct gltf_place *primitive,
                         struct sources *sources)
{
    struct gltf_place attributes;
    *sources = (struct sources){ .index_count = 0 };
    if (!rd_gltf_child(gltf, primitive, "attributes", &attributes) ||
        !read_attribute(gltf, &attributes, "POSITION", 3, false, &sources->positions) ||
        !read_attribute(gltf, &attributes, "NORMAL", 3, false, &sources->normals) ||
        !read_attribute(gltf, &attributes, "TEXCOORD_0", 2, true, &sources->uvs)) {
        return false;
    }
    const uint32_t count = sources->positions.count;
    if (count == 0) {
        return rd_gltf_fail(gltf, primitive, "no POSITION: expected one");
    }
    if ((sources->normals.count != 0 && sources->normals.count != count) ||
        (sources->uvs.count != 0 && sources->uvs.count != count)) {
        return rd_gltf_fail(gltf, &attributes, "expected as many of each as of POSITION, %u",
                            count);
    }
    return read_indices(gltf, primitive, sources);
}

static bool read_vertex(const struct sources *sources, uint32_t index, struct rd_vertex *out)
{
    *out = (struct rd_vertex){ .normal = { 0, 1, 0 } };
    rd_gltf_element(&sources->positions, index, out->position);
    if (sources->normals.count != 0) {
        rd_gltf_element(&sources->normals, index, out->normal);
    }
    if (sources->uvs.count != 0) {
        rd_gltf_element(&sources->uvs, index, out->uv);
    }
    bool finite = isfinite(out->uv[0]) && isfinite(out->uv[1]);
    for (int i = 0; i < 3; i++) {
        finite = finite && isfinite(out->position[i]) && isfinite(out->normal[i]);
    }
    return finite;
}

/** Normals are unit vectors; whatever else a file holds must not reach the shaders. */
static void set_normal(struct rd_vertex *vertex, struct rd_vec3 n)
{
    const float length = rd_length(n);
    const struct rd_vec3 unit =
        length > 0.0f && isfinite(length) ? rd_scale(n, 1.0f / length) : rd_vec3(0, 1, 0);
    memcpy(vertex->normal, &unit, sizeof(vertex->normal));
}

static struct rd_vec3 vector_of(const float *values)
{
    return rd_vec3(values[0], values[1], values[2]);
}

/** Without normals every triangle is flat, so that none of its corners can be shared. */
static void make_flat(struct rd_vertex *corners)
{
    const struct rd_vec3 a = vector_of(corners[0].position);
    const struct rd_vec3 n = rd_cross(rd_sub(vector_of(corners[1].position), a),
                                      rd_sub(vector_of(corners[2].position), a));
    for (int i = 0; i < 3; i++) {
        set_normal(&corners[i], n);
    }
}

static bool add_vertices(struct gltf *gltf, const struct gltf_place *primitive,
                         const struct sources *sources, struct rd_geometry *geometry)
{
    const bool flat = sources->normals.count == 0;
    const uint32_t count = flat ? sources->index_count : sources->positions.count;
    const uint32_t first = geometry->vertex_count;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t index =
            flat && sources->indices.count != 0 ? rd_gltf_integer(&sources->indices, i) : i;
        struct rd_vertex *vertex = &geometry->vertices[first + i];
        if (!read_vertex(sources, index, vertex)) {
            return rd_gltf_fail(gltf, primitive, "vertex %u is not finite: expected numbers",
                                index);
        }
        set_normal(vertex, vector_of(vertex->normal));
        if (flat && i % 3 == 2) {
            make_flat(vertex - 2);
        }
    }
    geometry->vertex_count += count;
    return true;
}

/** The other side of two-sided triangles: the same vertices, with the normals turned around. */
static void add_backs(struct rd_geometry *geometry, const struct rd_mesh *mesh)
{
    const uint32_t first = (uint32_t)mesh->vertex_offset;
    const uint32_t count = geometry->vertex_count - first;
    for (uint32_t i = 0; i < count; i++) {
        struct rd_vertex back = geometry->vertices[first + i];
        for (int axis = 0; axis < 3; axis++) {
            back.normal[axis] = -back.normal[axis];
        }
        geometry->vertices[geometry->vertex_count++] = back;
    }
    for (uint32_t i = 0; i < mesh->index_count; i += 3) {
        const uint32_t *front = &geometry->indices[mesh->first_index + i];
        uint32_t *back = &geometry->indices[geometry->index_count];
        back[0] = front[0] + count;
        back[1] = front[2] + count;
        back[2] = front[1] + count;
        geometry->index_count += 3;
    }
}

static void add_indices(const struct sources *sources, bool mirrored, struct rd_geometry *geometry)
{
    const bool shared = sources->normals.count != 0 && sources->indices.count != 0;
    for (uint32_t i = 0; i < sources->index_count; i++) {
        const uint32_t corner = !mirrored || i % 3 == 0 ? i : i / 3 * 3 + 3 - i % 3;
        geometry->indices[geometry->index_count++] =
            shared ? rd_gltf_integer(&sources->indices, corner) : corner;
    }
}

/** Every index has a vertex: before anything is read through it. */
static bool check_indices(struct gltf *gltf, const struct gltf_place *primitive,
                          const struct sources *sources)
{
    for (uint32_t i = 0; i < sources->indices.count; i++) {
        const uint32_t index = rd_gltf_integer(&sources->indices, i);
        if (index >= sources->positions.count) {
            return rd_gltf_fail(gltf, primitive, "index %u is %u: expected one below %u", i, index,
                                sources->positions.count);
        }
    }
    return true;
}

static bool read_mode(struct gltf *gltf, const struct gltf_place *primitive, uint64_t *out_mode)
{
    if (!rd_gltf_uint(gltf, primitive, "mode", MODE_TRIANGLES, MODE_FAN, out_mode)) {
        return false;
    }
    return (*out_mode != MODE_STRIP && *out_mode != MODE_FAN) ||
           rd_gltf_fail(gltf, primitive, "mode %u: strips and fans are not read",
                        (unsigned)*out_mode);
}

bool rd_gltf_add_primitive(struct gltf *gltf, const struct gltf_place *primitive,
                           struct gltf_variant variant, struct rd_geometry *geometry,
                           uint32_t *out_slot)
{
    struct sources sources;
    uint64_t mode;
    *out_slot = GLTF_NONE;
    if (!read_mode(gltf, primitive, &mode)) {
        return false;
    }
    if (mode != MODE_TRIANGLES) {
        return true; /* Points and lines: there is no pass that would draw them. */
    }
    if (!read_sources(gltf, primitive, &sources) || !check_indices(gltf, primitive, &sources)) {
        return false;
    }
    if (geometry->mesh_count == RD_MESH_SLOTS) {
        return rd_gltf_fail(gltf, primitive, "expected at most %d different primitives",
                            RD_MESH_SLOTS);
    }
    const uint32_t sides = variant.two_sided ? 2 : 1;
    const uint32_t vertex_count =
        sources.normals.count == 0 ? sources.index_count : sources.positions.count;
    if (vertex_count > RD_MAX_VERTICES || sources.index_count > RD_MAX_INDICES / 2 ||
        !rd_geometry_reserve(geometry, vertex_count * sides, sources.index_count * sides)) {
        return rd_gltf_fail(gltf, primitive, "expected at most %d vertices and %d indices in all",
                            RD_MAX_VERTICES, RD_MAX_INDICES);
    }
    struct rd_mesh *mesh = &geometry->meshes[geometry->mesh_count];
    *mesh = (struct rd_mesh){
        .first_index = geometry->index_count,
        .index_count = sources.index_count,
        .vertex_offset = (int32_t)geometry->vertex_count,
    };
    if (!add_vertices(gltf, primitive, &sources, geometry)) {
        return false;
    }
    add_indices(&sources, variant.mirrored, geometry);
    rd_geometry_bound(geometry, mesh);
    if (variant.two_sided) {
        add_backs(geometry, mesh);
        mesh->index_count *= 2;
    }
    *out_slot = geometry->mesh_count++;
    return true;
}
