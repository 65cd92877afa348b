/* SPDX-License-Identifier: MIT */
/* Meshes made by turning profiles, and a few made of faces. */
#include "scene.h"

enum { MAX_PROFILE = 48, COURTYARD_VERTICES = 32768, COURTYARD_INDICES = 131072 };

struct point {
    float r; /**< distance from the axis */
    float y;
};

static void begin_mesh(struct rd_geometry *geometry, enum rd_mesh_id id)
{
    geometry->meshes[id] = (struct rd_mesh){
        .first_index = geometry->index_count,
        .vertex_offset = (int32_t)geometry->vertex_count,
    };
}

static uint32_t add_vertex(struct rd_geometry *geometry, struct rd_vec3 p, struct rd_vec3 n)
{
    if (geometry->vertex_count == geometry->vertex_capacity) {
        return 0;
    }
    geometry->vertices[geometry->vertex_count] =
        (struct rd_vertex){ .position = { p.x, p.y, p.z }, .normal = { n.x, n.y, n.z } };
    return geometry->vertex_count++;
}

static void add_triangle(struct rd_geometry *geometry, enum rd_mesh_id id, uint32_t a, uint32_t b,
                         uint32_t c)
{
    const uint32_t base = (uint32_t)geometry->meshes[id].vertex_offset;
    if (geometry->index_count + 3 > geometry->index_capacity) {
        return;
    }
    geometry->indices[geometry->index_count++] = a - base;
    geometry->indices[geometry->index_count++] = b - base;
    geometry->indices[geometry->index_count++] = c - base;
}

/** Counter-clockwise seen from where the normal points. */
static void add_quad(struct rd_geometry *geometry, enum rd_mesh_id id, const struct rd_vec3 p[4],
                     struct rd_vec3 n)
{
    uint32_t v[4];
    for (int i = 0; i < 4; i++) {
        v[i] = add_vertex(geometry, p[i], n);
    }
    add_triangle(geometry, id, v[0], v[1], v[2]);
    add_triangle(geometry, id, v[0], v[2], v[3]);
}

static void end_mesh(struct rd_geometry *geometry, enum rd_mesh_id id)
{
    struct rd_mesh *mesh = &geometry->meshes[id];
    mesh->index_count = geometry->index_count - mesh->first_index;
    rd_geometry_bound(geometry, mesh);
}

/** The outward normal of the profile's edge from point i to the next. */
static struct point edge_normal(const struct point *profile, uint32_t i)
{
    const float dr = profile[i + 1].r - profile[i].r;
    const float dy = profile[i + 1].y - profile[i].y;
    const float length = sqrtf(dr * dr + dy * dy);
    return length > 0.0f ? (struct point){ dy / length, -dr / length } : (struct point){ 0, 0 };
}

/**
 * Turn a profile, given from the bottom up, around the y axis. A point given twice makes a crease.
 * @param flutes how many grooves run up the side; 0 = none
 */
static void turn(struct rd_geometry *geometry, enum rd_mesh_id id, const struct point *profile,
                 uint32_t count, uint32_t segments, uint32_t flutes)
{
    struct point normals[MAX_PROFILE];
    for (uint32_t i = 0; i < count; i++) {
        const struct point before = i > 0 ? edge_normal(profile, i - 1) : (struct point){ 0, 0 };
        const struct point after = i + 1 < count ? edge_normal(profile, i) : (struct point){ 0, 0 };
        normals[i] = (struct point){ before.r + after.r, before.y + after.y };
    }
    const uint32_t first = geometry->vertex_count;
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t s = 0; s <= segments; s++) {
            const float angle = 2.0f * RD_PI * (float)s / (float)segments;
            const float phase = angle * (float)flutes;
            const float r =
                profile[i].r * (flutes > 0 ? 1.0f - 0.05f * (0.5f - 0.5f * cosf(phase)) : 1.0f);
            /* In a groove the normal leans towards its middle. */
            const float lean = flutes > 0 ? 0.55f * sinf(phase) : 0.0f;
            const struct rd_vec3 n = rd_vec3(normals[i].r * cosf(angle - lean), normals[i].y,
                                             normals[i].r * sinf(angle - lean));
            (void)add_vertex(geometry, rd_vec3(r * cosf(angle), profile[i].y, r * sinf(angle)),
                             rd_normalize(n));
        }
    }
    for (uint32_t i = 0; i + 1 < count; i++) {
        for (uint32_t s = 0; s < segments; s++) {
            const uint32_t a = first + i * (segments + 1) + s;
            const uint32_t b = a + segments + 1;
            if (profile[i].r > 0.0f) {
                add_triangle(geometry, id, a, b, a + 1);
            }
            if (profile[i + 1].r > 0.0f) {
                add_triangle(geometry, id, a + 1, b, b + 1);
            }
        }
    }
}

static void build_plane(struct rd_geometry *geometry)
{
    const struct rd_vec3 corners[4] = { rd_vec3(-1, 0, 1), rd_vec3(1, 0, 1), rd_vec3(1, 0, -1),
                                        rd_vec3(-1, 0, -1) };
    begin_mesh(geometry, RD_MESH_PLANE);
    add_quad(geometry, RD_MESH_PLANE, corners, rd_vec3(0, 1, 0));
    end_mesh(geometry, RD_MESH_PLANE);
}

/** Two units wide in every direction, around the origin. */
static void build_box(struct rd_geometry *geometry)
{
    begin_mesh(geometry, RD_MESH_BOX);
    for (int face = 0; face < 6; face++) {
        const float side = face % 2 == 0 ? 1.0f : -1.0f;
        const int axis = face / 2;
        float n[3] = { 0, 0, 0 };
        n[axis] = side;
        struct rd_vec3 corners[4];
        for (int i = 0; i < 4; i++) {
            const float u = i == 1 || i == 2 ? 1.0f : -1.0f;
            const float v = i >= 2 ? 1.0f : -1.0f;
            float p[3];
            p[axis] = side;
            p[(axis + 1) % 3] = u * side;
            p[(axis + 2) % 3] = v;
            corners[i] = rd_vec3(p[0], p[1], p[2]);
        }
        add_quad(geometry, RD_MESH_BOX, corners, rd_vec3(n[0], n[1], n[2]));
    }
    end_mesh(geometry, RD_MESH_BOX);
}

static void build_sphere(struct rd_geometry *geometry)
{
    struct point profile[15];
    for (int i = 0; i < 15; i++) {
        const float a = -0.5f * RD_PI + RD_PI * (float)i / 14.0f;
        profile[i] = (struct point){ i == 0 || i == 14 ? 0.0f : cosf(a), sinf(a) };
    }
    begin_mesh(geometry, RD_MESH_SPHERE);
    turn(geometry, RD_MESH_SPHERE, profile, 15, 24, 0);
    end_mesh(geometry, RD_MESH_SPHERE);
}

/** A shell of radius 1, open below, thick enough to cast a shadow from both sides. */
static void build_dome(struct rd_geometry *geometry)
{
    struct point profile[26];
    for (int i = 0; i < 12; i++) {
        const float a = 0.5f * RD_PI * (float)i / 11.0f;
        profile[13 + i] = (struct point){ i == 11 ? 0.0f : cosf(a), sinf(a) };
        profile[11 - i] = (struct point){ i == 11 ? 0.0f : 0.93f * cosf(a), 0.93f * sinf(a) };
    }
    profile[12] = (struct point){ 1.0f, 0.0f };
    begin_mesh(geometry, RD_MESH_DOME);
    turn(geometry, RD_MESH_DOME, profile, 25, 36, 0);
    end_mesh(geometry, RD_MESH_DOME);
}

/** Grooved, a little thinner at the top; radius 1 at the foot, one unit high. */
static void build_shaft(struct rd_geometry *geometry)
{
    static const struct point profile[] = {
        { 1.0f, 0.0f }, { 0.985f, 0.33f }, { 0.93f, 0.7f }, { 0.85f, 1.0f }
    };
    begin_mesh(geometry, RD_MESH_SHAFT);
    turn(geometry, RD_MESH_SHAFT, profile, 4, 48, 12);
    end_mesh(geometry, RD_MESH_SHAFT);
}

/** A moulding between shaft and slab; turned over it is the foot. */
static void build_capital(struct rd_geometry *geometry)
{
    static const struct point profile[] = { { 0.84f, 0.0f },  { 0.95f, 0.02f }, { 0.98f, 0.07f },
                                            { 0.93f, 0.12f }, { 0.93f, 0.12f }, { 0.90f, 0.2f },
                                            { 0.98f, 0.3f },  { 1.18f, 0.42f }, { 1.3f, 0.5f },
                                            { 1.3f, 0.5f },   { 1.3f, 0.6f },   { 1.3f, 0.6f },
                                            { 0.0f, 0.6f } };
    begin_mesh(geometry, RD_MESH_CAPITAL);
    turn(geometry, RD_MESH_CAPITAL, profile, 13, 24, 0);
    end_mesh(geometry, RD_MESH_CAPITAL);
}

/** The beam that lies on a circle of columns: mean radius 1. */
static void build_ring(struct rd_geometry *geometry)
{
    static const struct point profile[] = { { 0.88f, 0.0f },  { 1.1f, 0.0f },   { 1.1f, 0.0f },
                                            { 1.1f, 0.09f },  { 1.1f, 0.09f },  { 1.13f, 0.1f },
                                            { 1.13f, 0.1f },  { 1.13f, 0.17f }, { 1.13f, 0.17f },
                                            { 1.22f, 0.22f }, { 1.22f, 0.22f }, { 1.22f, 0.26f },
                                            { 1.22f, 0.26f }, { 0.88f, 0.3f },  { 0.88f, 0.3f },
                                            { 0.88f, 0.0f } };
    begin_mesh(geometry, RD_MESH_RING);
    turn(geometry, RD_MESH_RING, profile, 16, 48, 0);
    end_mesh(geometry, RD_MESH_RING);
}

static void build_disk(struct rd_geometry *geometry)
{
    static const struct point profile[] = { { 1.0f, 0.0f },  { 1.0f, 0.9f },  { 1.0f, 0.9f },
                                            { 0.99f, 1.0f }, { 0.99f, 1.0f }, { 0.0f, 1.0f } };
    begin_mesh(geometry, RD_MESH_DISK);
    turn(geometry, RD_MESH_DISK, profile, 6, 48, 0);
    end_mesh(geometry, RD_MESH_DISK);
}

static void build_urn(struct rd_geometry *geometry)
{
    static const struct point profile[] = {
        { 0.0f, 0.0f },   { 0.42f, 0.0f },  { 0.42f, 0.0f },  { 0.42f, 0.1f },  { 0.2f, 0.2f },
        { 0.17f, 0.3f },  { 0.34f, 0.42f }, { 0.56f, 0.66f }, { 0.62f, 0.92f }, { 0.52f, 1.16f },
        { 0.33f, 1.32f }, { 0.3f, 1.42f },  { 0.44f, 1.55f }, { 0.5f, 1.58f },  { 0.5f, 1.58f },
        { 0.4f, 1.58f },  { 0.4f, 1.58f },  { 0.24f, 1.4f },  { 0.0f, 1.36f }
    };
    begin_mesh(geometry, RD_MESH_URN);
    turn(geometry, RD_MESH_URN, profile, 19, 28, 0);
    end_mesh(geometry, RD_MESH_URN);
}

static void build_brazier(struct rd_geometry *geometry)
{
    static const struct point profile[] = { { 0.0f, 0.0f },   { 0.34f, 0.0f },  { 0.34f, 0.05f },
                                            { 0.07f, 0.12f }, { 0.05f, 0.6f },  { 0.09f, 0.66f },
                                            { 0.05f, 0.72f }, { 0.06f, 0.95f }, { 0.3f, 1.02f },
                                            { 0.46f, 1.2f },  { 0.46f, 1.2f },  { 0.40f, 1.2f },
                                            { 0.40f, 1.2f },  { 0.24f, 1.08f }, { 0.0f, 1.06f } };
    begin_mesh(geometry, RD_MESH_BRAZIER);
    turn(geometry, RD_MESH_BRAZIER, profile, 15, 24, 0);
    end_mesh(geometry, RD_MESH_BRAZIER);
}

/** A slender tree of radius 1 and height 1, its outline uneven. */
static void build_cypress(struct rd_geometry *geometry)
{
    struct point profile[18];
    for (int i = 0; i < 18; i++) {
        const float t = (float)i / 17.0f;
        const float swell = sinf(RD_PI * powf(t, 0.62f)) * (1.0f - 0.25f * t);
        const float ragged = 1.0f + 0.10f * sinf(t * 41.0f) + 0.06f * sinf(t * 97.0f);
        profile[i] = (struct point){ i == 17 ? 0.0f : fmaxf(swell * ragged, 0.08f), t };
    }
    begin_mesh(geometry, RD_MESH_CYPRESS);
    turn(geometry, RD_MESH_CYPRESS, profile, 18, 18, 9);
    end_mesh(geometry, RD_MESH_CYPRESS);
}

/** A wall piece with a half-round opening of radius 1; 2.5 wide, 1.4 high, 0.6 deep. */
static void build_arch(struct rd_geometry *geometry)
{
    enum { STEPS = 14 };
    const float width = 1.25f;
    const float height = 1.4f;
    const float depth = 0.3f;
    begin_mesh(geometry, RD_MESH_ARCH);
    for (int side = -1; side <= 1; side += 2) {
        const float z = depth * (float)side;
        for (int i = -1; i <= STEPS; i++) {
            const float a = RD_PI * (float)(i < 0 ? 0 : i) / STEPS;
            const float b = RD_PI * (float)(i >= STEPS ? STEPS : i + 1) / STEPS;
            /* The outermost pieces are upright triangles beside the opening. */
            const struct rd_vec3 inner_a = rd_vec3(i < 0 ? width : cosf(a), sinf(a), z);
            const struct rd_vec3 inner_b =
                rd_vec3(i >= STEPS ? -width : (i < 0 ? 1.0f : cosf(b)), i < 0 ? 0.0f : sinf(b), z);
            const struct rd_vec3 outer_a = rd_vec3(width * cosf(a), height, z);
            const struct rd_vec3 outer_b = rd_vec3(width * cosf(i < 0 ? 0.0f : b), height, z);
            const struct rd_vec3 front[4] = { inner_a, outer_a, outer_b, inner_b };
            const struct rd_vec3 back[4] = { inner_b, outer_b, outer_a, inner_a };
            add_quad(geometry, RD_MESH_ARCH, side > 0 ? front : back, rd_vec3(0, 0, (float)side));
        }
    }
    for (int i = 0; i < STEPS; i++) {
        const float a = RD_PI * (float)i / STEPS;
        const float b = RD_PI * (float)(i + 1) / STEPS;
        const float middle = (a + b) * 0.5f;
        const struct rd_vec3 inside[4] = { rd_vec3(cosf(a), sinf(a), depth),
                                           rd_vec3(cosf(b), sinf(b), depth),
                                           rd_vec3(cosf(b), sinf(b), -depth),
                                           rd_vec3(cosf(a), sinf(a), -depth) };
        add_quad(geometry, RD_MESH_ARCH, inside, rd_vec3(-cosf(middle), -sinf(middle), 0));
    }
    for (int side = -1; side <= 1; side += 2) {
        const float x = width * (float)side;
        const float d = depth * (float)side;
        const struct rd_vec3 outside[4] = { rd_vec3(x, 0, d), rd_vec3(x, 0, -d),
                                            rd_vec3(x, height, -d), rd_vec3(x, height, d) };
        add_quad(geometry, RD_MESH_ARCH, outside, rd_vec3((float)side, 0, 0));
    }
    const struct rd_vec3 top[4] = { rd_vec3(-width, height, depth), rd_vec3(width, height, depth),
                                    rd_vec3(width, height, -depth),
                                    rd_vec3(-width, height, -depth) };
    add_quad(geometry, RD_MESH_ARCH, top, rd_vec3(0, 1, 0));
    end_mesh(geometry, RD_MESH_ARCH);
}

bool rd_geometry_build(struct rd_geometry *geometry)
{
    if (!rd_geometry_reserve(geometry, COURTYARD_VERTICES, COURTYARD_INDICES)) {
        return false;
    }
    build_plane(geometry);
    build_box(geometry);
    build_shaft(geometry);
    build_capital(geometry);
    build_sphere(geometry);
    build_dome(geometry);
    build_ring(geometry);
    build_disk(geometry);
    build_urn(geometry);
    build_cypress(geometry);
    build_arch(geometry);
    build_brazier(geometry);
    geometry->mesh_count = RD_MESH_COUNT;
    return geometry->vertex_count < geometry->vertex_capacity &&
           geometry->index_count < geometry->index_capacity;
}
