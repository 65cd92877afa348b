/* SPDX-License-Identifier: MIT */
/* Scenes from glTF files: what is read, what is refused and how that is said, and that nothing in a
 * file does harm. No device. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "gltf.h"

static const char gltf_path[] = "gltf_test.gltf";
static const char glb_path[] = "gltf_test.glb";
static const char bundled_path[] = FG_SOURCE_DIR "/examples/renderer/scenes/colonnade.glb";

struct loaded {
    struct rd_geometry geometry;
    struct rd_scene scene;
    struct rd_log log;
    bool ok;
};

static struct loaded *load(const char *path)
{
    struct loaded *loaded = calloc(1, sizeof(*loaded));
    assert_non_null(loaded);
    loaded->ok = rd_gltf_load(path, &loaded->geometry, &loaded->scene, &loaded->log);
    return loaded;
}

static void unload(struct loaded *loaded)
{
    rd_geometry_release(&loaded->geometry);
    rd_scene_finish(&loaded->scene);
    free(loaded);
}

static void write_file(const char *path, const void *bytes, size_t size)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    assert_int_equal(fclose(file), 0);
}

/*
 * A triangle with corners (0,0,0), (1,0,0), (0,1,0): 36 bytes of positions, then three indices of
 * 16 bits. What differs is put into the places of the template.
 */
#define TRIANGLE_URI                                                                               \
    "data:application/octet-stream;base64,"                                                        \
    "AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAABAAIA"

struct parts {
    const char *version;
    const char *top;   /* more at the top, with a comma at its end */
    const char *nodes; /* the list's content */
    const char *roots;
    const char *primitive; /* all of it */
    const char *positions; /* the accessor's fields */
    const char *indices;
    const char *view; /* of the positions */
    const char *buffer;
    const char *materials;
};

static const struct parts good = {
    .version = "2.0",
    .top = "",
    .nodes = "{\"mesh\":0}",
    .roots = "0",
    .primitive = "{\"attributes\":{\"POSITION\":0},\"indices\":1}",
    .positions = "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"",
    .indices = "\"bufferView\":1,\"componentType\":5123,\"count\":3,\"type\":\"SCALAR\"",
    .view = "\"buffer\":0,\"byteLength\":36",
    .buffer = "\"byteLength\":42,\"uri\":\"" TRIANGLE_URI "\"",
    .materials = "{\"doubleSided\":true}",
};

static struct loaded *load_parts(const struct parts *parts)
{
    static char text[8192];
    const int length =
        snprintf(text, sizeof(text),
                 "{\"asset\":{\"version\":\"%s\"},%s\"scenes\":[{\"nodes\":[%s]}],\"nodes\":[%s],"
                 "\"meshes\":[{\"primitives\":[%s]}],\"accessors\":[{%s},{%s}],"
                 "\"bufferViews\":[{%s},{\"buffer\":0,\"byteOffset\":36,\"byteLength\":6}],"
                 "\"buffers\":[{%s}],\"materials\":[%s]}",
                 parts->version, parts->top, parts->roots, parts->nodes, parts->primitive,
                 parts->positions, parts->indices, parts->view, parts->buffer, parts->materials);
    write_file(gltf_path, text, (size_t)length);
    return load(gltf_path);
}

static void assert_near(float value, float expected)
{
    if (fabsf(value - expected) > 1e-3f * fmaxf(1.0f, fabsf(expected))) {
        fail_msg("%f: expected %f", (double)value, (double)expected);
    }
}

static void a_triangle_becomes_a_mesh_with_a_flat_normal(void **state)
{
    (void)state;
    struct loaded *loaded = load_parts(&good);
    assert_string_equal(loaded->log.text, "");
    assert_true(loaded->ok);
    assert_int_equal(loaded->geometry.mesh_count, 1);
    assert_int_equal(loaded->geometry.vertex_count, 3);
    assert_int_equal(loaded->geometry.index_count, 3);
    for (int i = 0; i < 3; i++) {
        assert_near(loaded->geometry.vertices[i].normal[2], 1);
        assert_int_equal(loaded->geometry.indices[i], i);
    }
    assert_near(loaded->geometry.vertices[1].position[0], 1);
    assert_int_equal(loaded->scene.instance_count, 1);
    assert_true(loaded->scene.has_viewpoint && loaded->scene.viewpoint.orbits);
    unload(loaded);
}

static void a_node_stands_where_those_above_it_put_it(void **state)
{
    (void)state;
    struct parts parts = good;
    /* A quarter turn around y, twice the size, ten along x; then five up and six along z. */
    parts.nodes = "{\"children\":[1],\"translation\":[10,0,0],\"scale\":[2,2,2],"
                  "\"rotation\":[0,0.70710678,0,0.70710678]},"
                  "{\"mesh\":0,\"matrix\":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,5,6,1]},"
                  "{\"mesh\":0,\"translation\":[0,0,-20]}";
    parts.roots = "0,2";
    struct loaded *loaded = load_parts(&parts);
    assert_string_equal(loaded->log.text, "");
    assert_int_equal(loaded->scene.instance_count, 2);
    assert_int_equal(loaded->geometry.mesh_count, 1);
    assert_int_equal(loaded->scene.mesh_instances[0], 2);
    const struct rd_instance *instance = &loaded->scene.instances[0];
    /* z goes to x. The scene is of a building's size, so nothing is scaled. */
    assert_near(instance->rows[0][3], 10 + 12);
    assert_near(instance->rows[1][3], 10);
    assert_near(instance->rows[2][3], 0);
    assert_near(instance->rows[2][0], -2);
    assert_near(instance->rows[0][2], 2);
    /* The corner (1,0,0) is inside the sphere that culling looks at. */
    const float corner[3] = { instance->rows[0][0] + instance->rows[0][3],
                              instance->rows[1][0] + instance->rows[1][3],
                              instance->rows[2][0] + instance->rows[2][3] };
    const struct rd_vec3 way =
        rd_vec3(corner[0] - instance->sphere[0], corner[1] - instance->sphere[1],
                corner[2] - instance->sphere[2]);
    assert_true(rd_length(way) <= instance->sphere[3] * 1.0001f);
    unload(loaded);
}

static void a_mirrored_node_gets_triangles_that_are_turned_around(void **state)
{
    (void)state;
    struct parts parts = good;
    parts.nodes = "{\"mesh\":0},{\"mesh\":0,\"scale\":[-1,1,1]},{\"mesh\":0,\"scale\":[1,-1,1]},"
                  "{\"mesh\":0,\"scale\":[0,1,1]}";
    parts.roots = "0,1,2,3";
    struct loaded *loaded = load_parts(&parts);
    assert_true(loaded->ok);
    assert_int_equal(loaded->geometry.mesh_count, 2);
    /* Scaled to nothing is not drawn. */
    assert_int_equal(loaded->scene.instance_count, 3);
    assert_int_equal(loaded->scene.mesh_instances[1], 2);
    const uint32_t *turned = &loaded->geometry.indices[loaded->geometry.meshes[1].first_index];
    assert_true(turned[0] == 0 && turned[1] == 2 && turned[2] == 1);
    unload(loaded);
}

static void a_double_sided_material_has_a_back_that_faces_the_other_way(void **state)
{
    (void)state;
    struct parts parts = good;
    parts.primitive = "{\"attributes\":{\"POSITION\":0},\"indices\":1,\"material\":0}";
    struct loaded *loaded = load_parts(&parts);
    assert_true(loaded->ok);
    assert_int_equal(loaded->geometry.index_count, 6);
    assert_int_equal(loaded->geometry.meshes[0].index_count, 6);
    assert_near(loaded->geometry.vertices[4].normal[2], -1);
    const uint32_t *back = loaded->geometry.indices + 3;
    assert_true(back[0] == 3 && back[1] == 5 && back[2] == 4);
    unload(loaded);
}

static void materials_become_surfaces(void **state)
{
    (void)state;
    struct parts parts = good;
    parts.materials = "{\"pbrMetallicRoughness\":{\"baseColorFactor\":[0.5,0.25,0,1],"
                      "\"metallicFactor\":0.5,\"roughnessFactor\":0.25}},"
                      "{\"emissiveFactor\":[0.5,1,0],\"extensions\":"
                      "{\"KHR_materials_emissive_strength\":{\"emissiveStrength\":4}}}";
    parts.primitive = "{\"attributes\":{\"POSITION\":0},\"material\":1}";
    struct loaded *loaded = load_parts(&parts);
    assert_string_equal(loaded->log.text, "");
    assert_int_equal(loaded->scene.surface_count, 3);
    const struct rd_surface *plain = &loaded->scene.surfaces[1];
    const struct rd_surface *glow = &loaded->scene.surfaces[2];
    assert_near(plain->color[1], 0.25f);
    assert_near(plain->metal, 0.5f);
    assert_near(plain->roughness, 0.25f);
    assert_near(glow->emission, 4);
    assert_near(glow->color[0], 0.5f);
    assert_int_equal(loaded->scene.instances[0].material, RD_MATERIAL_SURFACE + 2);
    assert_int_equal(loaded->scene.instances[0].casts_shadow, 0);
    unload(loaded);
}

static void lights_and_the_camera_follow_their_nodes(void **state)
{
    (void)state;
    struct parts parts = good;
    parts.top = "\"extensions\":{\"KHR_lights_punctual\":{\"lights\":[{\"type\":\"point\","
                "\"color\":[1,0.5,0],\"intensity\":8,\"range\":3},{\"type\":\"directional\"}]}},"
                "\"cameras\":[{\"type\":\"perspective\",\"perspective\":{\"yfov\":0.7}}],";
    parts.nodes =
        "{\"mesh\":0,\"scale\":[40,40,40]},"
        "{\"translation\":[1,2,3],\"extensions\":{\"KHR_lights_punctual\":{\"light\":0}}},"
        "{\"extensions\":{\"KHR_lights_punctual\":{\"light\":1}}},"
        "{\"camera\":0,\"translation\":[0,1,30]}";
    parts.roots = "0,1,2,3";
    struct loaded *loaded = load_parts(&parts);
    assert_string_equal(loaded->log.text, "");
    assert_int_equal(loaded->scene.light_count, 1);
    assert_near(loaded->scene.lights[0].position[1], 2);
    assert_near(loaded->scene.lights[0].color[1], 4);
    assert_near(loaded->scene.lights[0].reach, 3);
    const struct rd_viewpoint *eye = &loaded->scene.viewpoint;
    assert_false(eye->orbits);
    assert_near(eye->fov_y, 0.7f);
    assert_near(eye->at.z, 30);
    assert_true(eye->target.z < 30 && fabsf(eye->target.x) < 1e-3f);
    unload(loaded);
}

static void scenes_of_another_size_are_brought_to_that_of_a_building(void **state)
{
    (void)state;
    static const char *const sizes[] = { "0.001", "1", "5000" };
    for (size_t i = 0; i < 3; i++) {
        char nodes[128];
        struct parts parts = good;
        (void)snprintf(nodes, sizeof(nodes), "{\"mesh\":0,\"scale\":[%s,%s,%s]}", sizes[i],
                       sizes[i], sizes[i]);
        parts.nodes = nodes;
        struct loaded *loaded = load_parts(&parts);
        assert_true(loaded->ok);
        const float radius = loaded->scene.instances[0].sphere[3];
        assert_true(radius > 5 && radius < 100);
        unload(loaded);
    }
}

/** What is wrong, and what the message must say of it besides the file. */
struct refusal {
    size_t part; /* offset in struct parts */
    const char *value;
    const char *text;
};
#define PART(field) offsetof(struct parts, field)

static void what_is_wrong_is_named_with_the_file_the_place_and_what_was_expected(void **state)
{
    (void)state;
    static const struct refusal refusals[] = {
        { PART(version), "1.0", "asset.version 1.0: expected glTF 2.0" },
        { PART(top), "\"extensionsRequired\":[\"KHR_draco_mesh_compression\"],",
          "it requires KHR_draco_mesh_compression" },
        { PART(top), "\"scene\":4,", "scenes[4]: not there: expected an index below 1" },
        { PART(top), "\"scene\":-1,", "scene: expected a whole number" },
        { PART(roots), "7", "nodes[7]: not there: expected an index below 1" },
        { PART(roots), "0,0", "nodes[0]: reached twice: expected a tree" },
        { PART(roots), "\"a\"", "scenes[0]: nodes: expected indices of nodes" },
        { PART(roots), "", "nothing to draw" },
        { PART(nodes), "{\"children\":[0]}", "nodes[0]: reached twice" },
        { PART(nodes), "{\"mesh\":9}", "nodes[0]: mesh: expected an index below 1" },
        { PART(nodes), "{\"mesh\":0,\"scale\":[1,2]}", "nodes[0]: scale: expected a list of 3" },
        { PART(nodes), "{\"mesh\":0,\"translation\":[1e30,0,0]}", "nodes[0]: its place is" },
        { PART(nodes), "{\"mesh\":0,\"matrix\":7}", "matrix: expected a list of 16 numbers" },
        { PART(nodes), "3", "nodes[0]: expected an object" },
        { PART(primitive), "{\"indices\":1}", "meshes[0].primitives[0]: no POSITION" },
        { PART(primitive), "{\"attributes\":{\"POSITION\":0},\"mode\":5}", "strips and fans" },
        { PART(primitive), "{\"attributes\":{\"POSITION\":0},\"material\":3}", "materials[3]" },
        { PART(primitive), "{\"attributes\":{\"POSITION\":1}}", "POSITION: expected VEC3 of 5126" },
        { PART(primitive), "{\"attributes\":{\"POSITION\":0},\"indices\":0}",
          "indices: expected SCALAR" },
        { PART(primitive), "", "meshes[0]: primitives: expected a list of some" },
        { PART(positions), "\"componentType\":5126,\"count\":3,\"type\":\"VEC3\"",
          "bufferViews[4294967295]: not there" },
        { PART(positions), "\"bufferView\":0,\"componentType\":5126,\"count\":4,\"type\":\"VEC3\"",
          "accessors[0]: 4 elements of 12 bytes, 12 apart, from 0 on: expected them inside "
          "bufferViews[0], which has 36 bytes" },
        { PART(positions),
          "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\","
          "\"byteOffset\":4",
          "accessors[0]: 3 elements" },
        { PART(positions), "\"bufferView\":0,\"componentType\":5126,\"count\":0,\"type\":\"VEC3\"",
          "accessors[0]: 0 elements" },
        { PART(positions), "\"bufferView\":0,\"componentType\":5120,\"count\":3,\"type\":\"VEC3\"",
          "accessors[0]: componentType 5120: expected 5121" },
        { PART(positions), "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"MAT4\"",
          "accessors[0]: type: expected SCALAR" },
        { PART(positions),
          "\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"VEC3\",\"sparse\":{}",
          "accessors[0]: sparse" },
        { PART(indices),
          "\"bufferView\":0,\"componentType\":5125,\"count\":3,\"type\":\"SCALAR\",\"byteOffset\":"
          "12",
          "index 0 is 1065353216: expected one below 3" },
        { PART(indices), "\"bufferView\":1,\"componentType\":5123,\"count\":2,\"type\":\"SCALAR\"",
          "2 indices: expected three for each triangle" },
        { PART(view), "\"buffer\":0,\"byteLength\":43",
          "bufferViews[0]: 43 bytes at 0: expected a part of buffers[0], which has 42" },
        { PART(view), "\"buffer\":3,\"byteLength\":36", "buffer: expected an index below 1" },
        { PART(view), "\"buffer\":0,\"byteOffset\":4294967295,\"byteLength\":36", "byteOffset" },
        { PART(buffer), "\"byteLength\":420,\"uri\":\"" TRIANGLE_URI "\"",
          "buffers[0]: 42 bytes: expected byteLength, 420" },
        { PART(buffer), "\"byteLength\":42,\"uri\":\"no such file.bin\"",
          "buffers[0]: uri \"no such file.bin\": No such file" },
        { PART(buffer), "\"byteLength\":42,\"uri\":\"https://example.com/a.bin\"",
          "expected a file beside the document" },
        { PART(buffer), "\"byteLength\":42,\"uri\":\"/etc/hostname\"", "expected a file beside" },
        { PART(buffer), "\"byteLength\":42,\"uri\":\"data:,abc\"", "expected data:TYPE;base64" },
        { PART(buffer), "\"byteLength\":1,\"uri\":\"data:application/x;base64,A*\"", "not base64" },
        { PART(buffer), "\"byteLength\":42", "expected a uri, or the binary chunk" },
        { PART(materials), "{\"pbrMetallicRoughness\":[]}",
          "materials[0].pbrMetallicRoughness: expected an object" },
        { PART(materials), "{\"pbrMetallicRoughness\":{\"baseColorTexture\":{\"index\":2}}}",
          "textures[2]: not there" },
    };
    for (size_t i = 0; i < sizeof(refusals) / sizeof(refusals[0]); i++) {
        struct parts parts = good;
        *(const char **)(void *)((char *)&parts + refusals[i].part) = refusals[i].value;
        struct loaded *loaded = load_parts(&parts);
        if (loaded->ok || strstr(loaded->log.text, refusals[i].text) == NULL ||
            strncmp(loaded->log.text, gltf_path, strlen(gltf_path)) != 0) {
            fail_msg("'%s' gave '%s': expected '%s'", refusals[i].value, loaded->log.text,
                     refusals[i].text);
        }
        unload(loaded);
    }
    (void)remove(gltf_path);
}

static void files_that_are_no_scenes_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
    } files[] = {
        { "", 0, "line 1" },
        { "{", 1, "expected a glTF 2.0 document" },
        { "[]", 2, "not an object" },
        { "\x7f"
          "ELF",
          4, "line 1" },
        { "glTF", 4, "cut short: expected a .glb header" },
        { "glTF\1\0\0\0\x14\0\0\0\0\0\0\0JSON", 20, ".glb version 1: expected 2" },
        { "glTF\2\0\0\0\xff\0\0\0\0\0\0\0JSON", 20, "20 bytes of the 255 that its header says" },
        { "glTF\2\0\0\0\x04\0\0\0\0\0\0\0JSON", 20, "expected at least 20" },
        { "glTF\2\0\0\0\x14\0\0\0\1\0\0\0JSON", 20, "chunk 0: 1 bytes go past the end" },
        { "glTF\2\0\0\0\x14\0\0\0\0\0\0\0BIN\0", 20, "expected JSON first" },
    };
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        write_file(glb_path, files[i].bytes, files[i].size);
        struct loaded *loaded = load(glb_path);
        if (loaded->ok || strstr(loaded->log.text, files[i].text) == NULL) {
            fail_msg("file %zu gave '%s': expected '%s'", i, loaded->log.text, files[i].text);
        }
        unload(loaded);
    }
    struct loaded *loaded = load("no such scene.gltf");
    assert_string_equal(loaded->log.text, "no such scene.gltf: No such file or directory");
    unload(loaded);
}

struct bytes {
    uint8_t *data;
    size_t size;
};

static struct bytes read_bundled(void)
{
    struct bytes bytes = { malloc(1 << 20), 0 };
    FILE *file = fopen(bundled_path, "rb");
    assert_non_null(file);
    assert_non_null(bytes.data);
    bytes.size = fread(bytes.data, 1, 1 << 20, file);
    (void)fclose(file);
    assert_true(bytes.size > 1000 && bytes.size < 300 * 1024);
    return bytes;
}

static void the_bundled_scene_is_a_few_hundred_places_of_a_few_meshes(void **state)
{
    (void)state;
    struct loaded *loaded = load(bundled_path);
    assert_string_equal(loaded->log.text, "");
    assert_in_range(loaded->scene.instance_count, 300, 600);
    assert_in_range(loaded->geometry.mesh_count, 15, 40);
    assert_int_equal(loaded->scene.texture_count, 2);
    assert_int_equal(loaded->scene.texture_left_out_count, 0);
    assert_in_range(loaded->scene.light_count, 8, RD_MAX_LIGHTS - 1);
    assert_false(loaded->scene.viewpoint.orbits);
    for (uint32_t m = 0; m < loaded->geometry.mesh_count; m++) {
        const struct rd_mesh *mesh = &loaded->geometry.meshes[m];
        for (uint32_t i = 0; i < mesh->index_count; i++) {
            const int64_t vertex =
                mesh->vertex_offset + (int64_t)loaded->geometry.indices[mesh->first_index + i];
            assert_true(vertex < loaded->geometry.vertex_count);
        }
    }
    unload(loaded);
}

static uint32_t next_random(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

/** What a loader makes of a damaged file is refused with a reason, or fits into its own limits. */
static void check_loaded(const struct loaded *loaded)
{
    if (!loaded->ok) {
        assert_int_not_equal(loaded->log.text[0], '\0');
        return;
    }
    for (uint32_t i = 0; i < loaded->scene.instance_count; i++) {
        const struct rd_instance *instance = &loaded->scene.instances[i];
        assert_true(instance->mesh < loaded->geometry.mesh_count);
        assert_true(instance->material < RD_MATERIAL_SURFACE + loaded->scene.surface_count);
        assert_true(isfinite(instance->sphere[3]));
    }
    for (uint32_t i = 0; i < loaded->scene.surface_count; i++) {
        assert_true(loaded->scene.surfaces[i].texture <= loaded->scene.texture_count);
    }
}

static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    struct bytes bytes = read_bundled();
    uint8_t *damaged = malloc(bytes.size);
    assert_non_null(damaged);
    uint32_t seed = 1;
    int refused = 0;
    for (int round = 0; round < 120; round++) {
        size_t size = bytes.size;
        memcpy(damaged, bytes.data, size);
        if (round % 3 == 0) {
            size = next_random(&seed) % size;
        } else {
            /* Digits for digits in the JSON: other numbers, in a document that still parses. */
            for (int i = 0; i < 3;) {
                const size_t at = 20 + next_random(&seed) % 42000;
                if (round % 3 == 2 || (damaged[at] >= '0' && damaged[at] <= '9')) {
                    damaged[at] = round % 3 == 2 ? (uint8_t)next_random(&seed)
                                                 : (uint8_t)('0' + next_random(&seed) % 10);
                    i++;
                }
            }
        }
        write_file(glb_path, damaged, size);
        struct loaded *loaded = load(glb_path);
        check_loaded(loaded);
        refused += !loaded->ok;
        unload(loaded);
    }
    /* Cut ones and most with bytes of no meaning; other digits often make another valid scene. */
    assert_true(refused > 60);
    free(damaged);
    free(bytes.data);
    (void)remove(glb_path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_triangle_becomes_a_mesh_with_a_flat_normal),
        cmocka_unit_test(a_node_stands_where_those_above_it_put_it),
        cmocka_unit_test(a_mirrored_node_gets_triangles_that_are_turned_around),
        cmocka_unit_test(a_double_sided_material_has_a_back_that_faces_the_other_way),
        cmocka_unit_test(materials_become_surfaces),
        cmocka_unit_test(lights_and_the_camera_follow_their_nodes),
        cmocka_unit_test(scenes_of_another_size_are_brought_to_that_of_a_building),
        cmocka_unit_test(what_is_wrong_is_named_with_the_file_the_place_and_what_was_expected),
        cmocka_unit_test(files_that_are_no_scenes_are_refused),
        cmocka_unit_test(the_bundled_scene_is_a_few_hundred_places_of_a_few_meshes),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
