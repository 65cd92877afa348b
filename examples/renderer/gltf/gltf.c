/* SPDX-License-Identifier: MIT */
/* Nodes become instances and lights; the rest is called from here. */
#include "gltf_priv.h"

#include <stdio.h>
#include <stdlib.h>

/* A scene of the size of a building: what shadow cascades and haze are made for, in metres. */
static const float small_m = 6.0f;
static const float large_m = 100.0f;
static const float fitting_m = 20.0f;
static const float default_fov_y = 0.92f;

/** Slots of one primitive: as it is, and mirrored; one higher, so that 0 is "not there yet". */
struct slots {
    uint32_t by_mirroring[2];
};

struct walk {
    struct gltf *gltf;
    struct rd_geometry *geometry;
    struct rd_scene *scene;
    uint32_t mesh_count;
    uint32_t *first_primitive; /**< of each mesh, and one more */
    struct slots *slots;       /**< of all primitives */
    uint8_t *visited;          /**< of each node */
    bool has_camera;
    struct rd_mat4 camera;
};

static struct rd_mat4 matrix_of(const float t[3], const float q[4], const float s[3])
{
    const float x = q[0];
    const float y = q[1];
    const float z = q[2];
    const float w = q[3];
    return (struct rd_mat4){ {
        s[0] * (1 - 2 * (y * y + z * z)),
        s[0] * 2 * (x * y + z * w),
        s[0] * 2 * (x * z - y * w),
        0,
        s[1] * 2 * (x * y - z * w),
        s[1] * (1 - 2 * (x * x + z * z)),
        s[1] * 2 * (y * z + x * w),
        0,
        s[2] * 2 * (x * z + y * w),
        s[2] * 2 * (y * z - x * w),
        s[2] * (1 - 2 * (x * x + y * y)),
        0,
        t[0],
        t[1],
        t[2],
        1,
    } };
}

static bool read_matrix(struct gltf *gltf, const struct gltf_place *node, struct rd_mat4 *out)
{
    float t[3] = { 0, 0, 0 };
    float q[4] = { 0, 0, 0, 1 };
    float s[3] = { 1, 1, 1 };
    if (!rd_gltf_numbers(gltf, node, "translation", 3, t) ||
        !rd_gltf_numbers(gltf, node, "rotation", 4, q) ||
        !rd_gltf_numbers(gltf, node, "scale", 3, s)) {
        return false;
    }
    *out = matrix_of(t, q, s);
    return rd_gltf_numbers(gltf, node, "matrix", 16, out->m);
}

static struct rd_vec3 axis(const struct rd_mat4 *m, int column)
{
    return rd_vec3(m->m[column * 4], m->m[column * 4 + 1], m->m[column * 4 + 2]);
}

static struct rd_vec3 transform(const struct rd_mat4 *m, struct rd_vec3 p)
{
    return rd_add(rd_add(rd_scale(axis(m, 0), p.x), rd_scale(axis(m, 1), p.y)),
                  rd_add(rd_scale(axis(m, 2), p.z), axis(m, 3)));
}

/** No less than what the matrix stretches anything by; exact where its axes are at right angles. */
static float stretch(const struct rd_mat4 *m)
{
    float largest = 0;
    for (int i = 0; i < 3; i++) {
        float sum = 0;
        for (int j = 0; j < 3; j++) {
            sum += fabsf(rd_dot(axis(m, i), axis(m, j)));
        }
        largest = fmaxf(largest, sum);
    }
    return sqrtf(largest);
}

static bool add_instance(struct walk *walk, const struct rd_mat4 *m, uint32_t slot,
                         const struct gltf_surface *surface)
{
    struct rd_scene *scene = walk->scene;
    const struct rd_mesh *mesh = &walk->geometry->meshes[slot];
    if (!rd_scene_reserve(scene, 1)) {
        return rd_gltf_fail(walk->gltf, NULL, "expected at most %d meshes in nodes",
                            RD_MAX_INSTANCES);
    }
    const struct rd_vec3 center = transform(m, mesh->center);
    struct rd_instance *instance = &scene->instances[scene->instance_count++];
    *instance = (struct rd_instance){
        .sphere = { center.x, center.y, center.z, mesh->radius * stretch(m) },
        .mesh = slot,
        .material = surface->material,
        .casts_shadow = !surface->glows,
    };
    for (int row = 0; row < 3; row++) {
        for (int column = 0; column < 4; column++) {
            instance->rows[row][column] = m->m[column * 4 + row];
        }
    }
    scene->mesh_instances[slot]++;
    return true;
}

static bool primitive_place(struct gltf *gltf, uint32_t mesh, uint32_t index,
                            struct gltf_place *out_place)
{
    struct gltf_place place;
    if (!rd_gltf_find(gltf, "meshes", mesh, &place)) {
        return false;
    }
    out_place->object = json_array_get(json_object_get(place.object, "primitives"), index);
    (void)snprintf(out_place->name, sizeof(out_place->name), "meshes[%u].primitives[%u]", mesh,
                   index);
    return json_is_object(out_place->object) || rd_gltf_fail(gltf, out_place, "expected an object");
}

static bool place_primitive(struct walk *walk, uint32_t mesh, uint32_t index,
                            const struct rd_mat4 *m, bool mirrored)
{
    struct gltf *gltf = walk->gltf;
    struct gltf_place primitive;
    struct gltf_surface surface;
    uint32_t material;
    if (!primitive_place(gltf, mesh, index, &primitive) ||
        !rd_gltf_index(gltf, &primitive, "material", &material) ||
        !rd_gltf_surface(gltf, walk->scene, material, &surface)) {
        return false;
    }
    uint32_t *kept =
        &walk->slots[walk->first_primitive[mesh] + index].by_mirroring[mirrored ? 1 : 0];
    if (*kept == 0) {
        const struct gltf_variant variant = { mirrored, surface.two_sided };
        uint32_t slot;
        if (!rd_gltf_add_primitive(gltf, &primitive, variant, walk->geometry, &slot)) {
            return false;
        }
        *kept = slot == GLTF_NONE ? GLTF_NONE : slot + 1;
    }
    return *kept == GLTF_NONE || add_instance(walk, m, *kept - 1, &surface);
}

static bool place_mesh(struct walk *walk, const struct gltf_place *node, uint32_t mesh,
                       const struct rd_mat4 *m)
{
    if (mesh >= walk->mesh_count) {
        return rd_gltf_fail(walk->gltf, node, "mesh: expected an index below %u", walk->mesh_count);
    }
    const float volume = rd_dot(rd_cross(axis(m, 0), axis(m, 1)), axis(m, 2));
    if (volume == 0.0f) {
        return true; /* Scaled to nothing: that is how a file hides a node. */
    }
    const uint32_t count = walk->first_primitive[mesh + 1] - walk->first_primitive[mesh];
    for (uint32_t i = 0; i < count; i++) {
        if (!place_primitive(walk, mesh, i, m, volume < 0.0f)) {
            return false;
        }
    }
    return true;
}

/** Point lights, and spot lights as if they were; the sun is the renderer's own. */
static bool place_light(struct walk *walk, const struct gltf_place *node, const struct rd_mat4 *m)
{
    struct gltf *gltf = walk->gltf;
    struct rd_scene *scene = walk->scene;
    const struct gltf_place top = { gltf->root, "" };
    struct gltf_place reference;
    struct gltf_place all;
    struct gltf_place light = { NULL, "extensions.KHR_lights_punctual.lights" };
    uint32_t index;
    if (!rd_gltf_extension(gltf, node, "KHR_lights_punctual", &reference)) {
        return false;
    }
    if (reference.object == NULL) {
        return true;
    }
    if (!rd_gltf_index(gltf, &reference, "light", &index) ||
        !rd_gltf_extension(gltf, &top, "KHR_lights_punctual", &all)) {
        return false;
    }
    light.object = json_array_get(json_object_get(all.object, "lights"), index);
    float color[3] = { 1, 1, 1 };
    float intensity = 1;
    float range = 0;
    const char *type;
    if (!json_is_object(light.object)) {
        return rd_gltf_fail(gltf, &reference, "light: expected the index of a light");
    }
    if (!rd_gltf_text(gltf, &light, "type", &type) ||
        !rd_gltf_numbers(gltf, &light, "color", 3, color) ||
        !rd_gltf_number(gltf, &light, "intensity", &intensity) ||
        !rd_gltf_number(gltf, &light, "range", &range)) {
        return false;
    }
    if (type != NULL && strcmp(type, "directional") == 0) {
        return true;
    }
    if (scene->light_count == RD_MAX_LIGHTS) {
        return rd_gltf_fail(gltf, node, "expected at most %d lights", RD_MAX_LIGHTS);
    }
    const struct rd_vec3 at = axis(m, 3);
    scene->lights[scene->light_count++] = (struct rd_light){
        .position = { at.x, at.y, at.z },
        /* Without a range: to where it gives what the eye would not miss. */
        .reach = range > 0 ? range : sqrtf(fmaxf(intensity, 0) * 8.0f),
        .color = { color[0] * intensity, color[1] * intensity, color[2] * intensity },
    };
    return true;
}

static bool note_camera(struct walk *walk, const struct gltf_place *node, const struct rd_mat4 *m)
{
    struct gltf *gltf = walk->gltf;
    struct gltf_place camera;
    struct gltf_place perspective;
    uint32_t index;
    if (!rd_gltf_index(gltf, node, "camera", &index)) {
        return false;
    }
    if (index == GLTF_NONE || walk->has_camera) {
        return true;
    }
    float fov_y = default_fov_y;
    if (!rd_gltf_find(gltf, "cameras", index, &camera) ||
        !rd_gltf_child(gltf, &camera, "perspective", &perspective) ||
        !rd_gltf_number(gltf, &perspective, "yfov", &fov_y)) {
        return false;
    }
    if (perspective.object == NULL) {
        return true;
    }
    walk->has_camera = true;
    walk->camera = *m;
    walk->scene->viewpoint.fov_y = fminf(fmaxf(fov_y, 0.1f), 2.5f);
    return true;
}

static bool visit(struct walk *walk, uint32_t index, const struct rd_mat4 *above, uint32_t depth);

static bool visit_list(struct walk *walk, const struct gltf_place *place, const char *key,
                       const struct rd_mat4 *m, uint32_t depth)
{
    const json_t *list = json_object_get(place->object, key);
    if (list != NULL && !json_is_array(list)) {
        return rd_gltf_fail(walk->gltf, place, "%s: expected a list of nodes", key);
    }
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *item = json_array_get(list, i);
        const json_int_t index = json_integer_value(item);
        if (!json_is_integer(item) || index < 0 || index >= GLTF_MAX_ITEMS) {
            return rd_gltf_fail(walk->gltf, place, "%s: expected indices of nodes", key);
        }
        if (!visit(walk, (uint32_t)index, m, depth)) {
            return false;
        }
    }
    return true;
}

static bool is_finite(const struct rd_mat4 *m)
{
    bool finite = true;
    for (int i = 0; i < 16; i++) {
        finite = finite && isfinite(m->m[i]) && fabsf(m->m[i]) < 1e12f;
    }
    return finite;
}

static bool visit(struct walk *walk, uint32_t index, const struct rd_mat4 *above, uint32_t depth)
{
    struct gltf *gltf = walk->gltf;
    struct gltf_place node;
    struct rd_mat4 own;
    uint32_t mesh;
    if (!rd_gltf_find(gltf, "nodes", index, &node) || !read_matrix(gltf, &node, &own) ||
        !rd_gltf_index(gltf, &node, "mesh", &mesh)) {
        return false;
    }
    if (walk->visited[index] != 0) {
        return rd_gltf_fail(gltf, &node, "reached twice: expected a tree");
    }
    if (depth == GLTF_MAX_DEPTH) {
        return rd_gltf_fail(gltf, &node, "expected at most %d nodes above one another",
                            GLTF_MAX_DEPTH);
    }
    walk->visited[index] = 1;
    const struct rd_mat4 m = rd_mul(above, &own);
    if (!is_finite(&m)) {
        return rd_gltf_fail(gltf, &node, "its place is beyond all measure");
    }
    return (mesh == GLTF_NONE || place_mesh(walk, &node, mesh, &m)) &&
           place_light(walk, &node, &m) && note_camera(walk, &node, &m) &&
           visit_list(walk, &node, "children", &m, depth + 1);
}

struct bounds {
    struct rd_vec3 center;
    float radius;
};

static struct bounds bound(const struct rd_scene *scene)
{
    struct rd_vec3 low = rd_vec3(1e30f, 1e30f, 1e30f);
    struct rd_vec3 high = rd_vec3(-1e30f, -1e30f, -1e30f);
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        const float *s = scene->instances[i].sphere;
        low = rd_vec3(fminf(low.x, s[0] - s[3]), fminf(low.y, s[1] - s[3]),
                      fminf(low.z, s[2] - s[3]));
        high = rd_vec3(fmaxf(high.x, s[0] + s[3]), fmaxf(high.y, s[1] + s[3]),
                       fmaxf(high.z, s[2] + s[3]));
    }
    return (struct bounds){ rd_scale(rd_add(low, high), 0.5f),
                            rd_length(rd_sub(high, low)) * 0.5f };
}

static void scale_scene(struct rd_scene *scene, float k)
{
    for (uint32_t i = 0; i < scene->instance_count; i++) {
        struct rd_instance *instance = &scene->instances[i];
        for (int j = 0; j < 12; j++) {
            instance->rows[j / 4][j % 4] *= k;
        }
        for (int j = 0; j < 4; j++) {
            instance->sphere[j] *= k;
        }
    }
    for (uint32_t i = 0; i < scene->light_count; i++) {
        struct rd_light *light = &scene->lights[i];
        light->reach *= k;
        for (int j = 0; j < 3; j++) {
            light->position[j] *= k;
            light->color[j] *= k * k; /* What it gives falls off with the square of the way. */
        }
    }
}

static void choose_viewpoint(const struct walk *walk, const struct bounds *bounds, float k)
{
    struct rd_viewpoint *viewpoint = &walk->scene->viewpoint;
    const struct rd_vec3 center = rd_scale(bounds->center, k);
    const float radius = bounds->radius * k;
    walk->scene->has_viewpoint = true;
    if (!walk->has_camera) {
        viewpoint->fov_y = default_fov_y;
        viewpoint->target = center;
        viewpoint->at =
            rd_add(center, rd_scale(rd_normalize(rd_vec3(0.5f, 0.45f, 1)), radius * 1.6f));
        viewpoint->orbits = true;
        return;
    }
    /* It looks along -z; at what is as far away as the middle of the scene, in that direction. */
    const struct rd_vec3 forward = rd_normalize(rd_scale(axis(&walk->camera, 2), -1.0f));
    viewpoint->at = rd_scale(axis(&walk->camera, 3), k);
    const float distance = rd_dot(rd_sub(center, viewpoint->at), forward);
    viewpoint->target = rd_add(viewpoint->at, rd_scale(forward, fmaxf(distance, 0.25f * radius)));
}

/** Size, viewpoint, and what the renderer expects of a scene in which nothing moves. */
static bool finish_scene(const struct walk *walk)
{
    struct rd_scene *scene = walk->scene;
    if (scene->instance_count == 0) {
        return rd_gltf_fail(walk->gltf, NULL, "nothing to draw: expected nodes with triangles");
    }
    const struct bounds bounds = bound(scene);
    if (!(bounds.radius > 0.0f) || !isfinite(bounds.radius)) {
        return rd_gltf_fail(walk->gltf, NULL, "nothing to draw: all its triangles are one point");
    }
    const bool fits = bounds.radius >= small_m && bounds.radius <= large_m;
    const float k = fits ? 1.0f : fitting_m / bounds.radius;
    scale_scene(scene, k);
    choose_viewpoint(walk, &bounds, k);
    scene->fixed_light_count = scene->light_count;
    scene->first_orb = scene->instance_count;
    return true;
}

/** The version, and extensions without which the file makes no sense. */
static bool check_document(struct gltf *gltf)
{
    static const char *const known[] = { "KHR_lights_punctual", "KHR_materials_emissive_strength",
                                         "KHR_materials_unlit" };
    const struct gltf_place top = { gltf->root, "" };
    struct gltf_place asset;
    const char *version;
    if (gltf->root == NULL || !rd_gltf_child(gltf, &top, "asset", &asset) ||
        !rd_gltf_text(gltf, &asset, "version", &version)) {
        return false;
    }
    if (version == NULL || strncmp(version, "2.", 2) != 0) {
        return rd_gltf_fail(gltf, NULL, "asset.version %.20s: expected glTF 2.0",
                            version != NULL ? version : "is not there");
    }
    const json_t *required = json_object_get(gltf->root, "extensionsRequired");
    for (size_t i = 0; i < json_array_size(required); i++) {
        const char *name = json_string_value(json_array_get(required, i));
        bool found = false;
        for (size_t k = 0; name != NULL && k < sizeof(known) / sizeof(known[0]); k++) {
            found = found || strcmp(name, known[k]) == 0;
        }
        if (!found) {
            return rd_gltf_fail(gltf, NULL, "it requires %.60s, which is not read",
                                name != NULL ? name : "something without a name");
        }
    }
    return true;
}

/** Where the primitives of each mesh begin in one list of all. */
static bool prepare(struct walk *walk)
{
    struct gltf *gltf = walk->gltf;
    uint32_t total = 0;
    walk->mesh_count = rd_gltf_count(gltf, "meshes");
    walk->first_primitive = calloc((size_t)walk->mesh_count + 1, sizeof(uint32_t));
    walk->visited = calloc((size_t)rd_gltf_count(gltf, "nodes") + 1, 1);
    for (uint32_t i = 0; walk->first_primitive != NULL && i < walk->mesh_count; i++) {
        struct gltf_place place;
        if (!rd_gltf_find(gltf, "meshes", i, &place)) {
            return false;
        }
        const size_t count = json_array_size(json_object_get(place.object, "primitives"));
        if (count == 0 || count > GLTF_MAX_ITEMS - total) {
            return rd_gltf_fail(gltf, &place, "primitives: expected a list of some");
        }
        total += (uint32_t)count;
        walk->first_primitive[i + 1] = total;
    }
    walk->slots = calloc((size_t)total + 1, sizeof(*walk->slots));
    return (walk->first_primitive != NULL && walk->visited != NULL && walk->slots != NULL) ||
           rd_gltf_fail(gltf, NULL, "out of memory");
}

static bool walk_scene(struct walk *walk)
{
    struct gltf *gltf = walk->gltf;
    const struct gltf_place top = { gltf->root, "" };
    const struct rd_mat4 one = rd_identity();
    struct gltf_place scene;
    uint32_t index;
    if (!check_document(gltf) || !prepare(walk) || !rd_gltf_surfaces(gltf, walk->scene) ||
        !rd_gltf_index(gltf, &top, "scene", &index)) {
        return false;
    }
    return rd_gltf_find(gltf, "scenes", index == GLTF_NONE ? 0 : index, &scene) &&
           visit_list(walk, &scene, "nodes", &one, 0) && finish_scene(walk);
}

bool rd_gltf_load(const char *path, struct rd_geometry *geometry, struct rd_scene *scene,
                  struct rd_log *log)
{
    struct gltf gltf = { .path = path, .log = log };
    struct walk walk = { .gltf = &gltf, .geometry = geometry, .scene = scene };
    const bool ok = rd_gltf_open(&gltf) && walk_scene(&walk);
    free(walk.first_primitive);
    free(walk.slots);
    free(walk.visited);
    rd_gltf_close(&gltf);
    return ok;
}
