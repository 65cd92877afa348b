/* SPDX-License-Identifier: MIT */
/* Meshes, placement, camera and text of the demo renderer. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "camera.h"
#include "scene.h"

static struct rd_geometry geometry;
static struct rd_scene scene;

static int setup(void **state)
{
    (void)state;
    return rd_geometry_build(&geometry) && rd_scene_init(&scene, &geometry, 7) ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    rd_geometry_release(&geometry);
    rd_scene_finish(&scene);
    return 0;
}

static struct rd_vec3 corner(const struct rd_mesh *mesh, uint32_t index, bool normal)
{
    const struct rd_vertex *v =
        &geometry
             .vertices[mesh->vertex_offset + (int32_t)geometry.indices[mesh->first_index + index]];
    const float *f = normal ? v->normal : v->position;
    return rd_vec3(f[0], f[1], f[2]);
}

static void triangles_face_where_their_normals_point(void **state)
{
    (void)state;
    for (int m = 0; m < RD_MESH_COUNT; m++) {
        const struct rd_mesh *mesh = &geometry.meshes[m];
        uint32_t wrong = 0;
        assert_true(mesh->index_count > 0);
        for (uint32_t i = 0; i < mesh->index_count; i += 3) {
            const struct rd_vec3 a = corner(mesh, i, false);
            const struct rd_vec3 face = rd_cross(rd_sub(corner(mesh, i + 1, false), a),
                                                 rd_sub(corner(mesh, i + 2, false), a));
            const struct rd_vec3 n =
                rd_add(rd_add(corner(mesh, i, true), corner(mesh, i + 1, true)),
                       corner(mesh, i + 2, true));
            wrong += rd_length(face) > 1e-5f && rd_dot(face, n) < 0.0f;
        }
        assert_int_equal(wrong, 0);
    }
}

static void spheres_contain_their_meshes(void **state)
{
    (void)state;
    for (int m = 0; m < RD_MESH_COUNT; m++) {
        const struct rd_mesh *mesh = &geometry.meshes[m];
        for (uint32_t i = 0; i < mesh->index_count; i++) {
            const float distance = rd_length(rd_sub(corner(mesh, i, false), mesh->center));
            assert_true(distance <= mesh->radius * 1.0001f);
        }
    }
}

static void the_scene_fits_and_every_mesh_is_used(void **state)
{
    (void)state;
    uint32_t sum = 0;
    assert_true(scene.instance_count < scene.instance_capacity);
    assert_int_equal(geometry.mesh_count, RD_MESH_COUNT);
    assert_true(scene.light_count > 30 && scene.light_count < RD_MAX_LIGHTS);
    for (int m = 0; m < RD_MESH_COUNT; m++) {
        assert_true(scene.mesh_instances[m] > 0);
        sum += scene.mesh_instances[m];
    }
    assert_int_equal(sum, scene.instance_count);
}

static void draw_lists_have_room_for_the_hitch(void **state)
{
    (void)state;
    struct rd_draw_command draws[RD_MESH_SLOTS];
    rd_scene_draws(&scene, &geometry, draws);
    for (int m = 0; m + 1 < RD_MESH_COUNT; m++) {
        assert_int_equal(draws[m + 1].base - draws[m].base,
                         scene.mesh_instances[m] * RD_HITCH_FACTOR);
        assert_int_equal(draws[m].instance_count, 0);
    }
}

static void a_seed_gives_the_same_scene_again(void **state)
{
    (void)state;
    const size_t bytes = scene.instance_count * sizeof(struct rd_instance);
    for (uint32_t seed = 7; seed <= 8; seed++) {
        struct rd_scene again = { 0 };
        assert_true(rd_scene_init(&again, &geometry, seed));
        assert_int_equal(again.instance_count, scene.instance_count);
        assert_memory_equal(again.lights, scene.lights, sizeof(scene.lights));
        assert_int_equal(memcmp(again.instances, scene.instances, bytes) == 0, seed == 7);
        rd_scene_finish(&again);
    }
}

static void an_inverse_undoes_its_matrix(void **state)
{
    (void)state;
    const struct rd_mat4 view =
        rd_look_at(rd_vec3(1, 2, 3), rd_vec3(-4, 0.5f, -7), rd_vec3(0, 1, 0));
    const struct rd_mat4 projection = rd_perspective(0.9f, 1.7f, 0.1f);
    const struct rd_mat4 both = rd_mul(&projection, &view);
    const struct rd_mat4 inverse = rd_inverse(&both);
    const struct rd_mat4 one = rd_mul(&both, &inverse);
    for (int i = 0; i < 16; i++) {
        assert_true(fabsf(one.m[i] - (i % 5 == 0 ? 1.0f : 0.0f)) < 1e-3f);
    }
}

static void cascades_that_are_not_refreshed_stay(void **state)
{
    (void)state;
    struct rd_camera camera = { .started = false };
    struct rd_frame_constants first;
    struct rd_frame_constants second;
    struct rd_camera_input input = {
        .width_px = 320, .height_px = 180, .shadow_px = 512, .refresh = { true, true, true, true }
    };
    rd_camera_update(&camera, &input, &first);
    input.frame = 60;
    input.seconds = 2.0f;
    input.refresh[3] = false;
    rd_camera_update(&camera, &input, &second);
    assert_memory_not_equal(&first.cascade_view_proj[0], &second.cascade_view_proj[0],
                            sizeof(struct rd_mat4));
    assert_memory_equal(&first.cascade_view_proj[3], &second.cascade_view_proj[3],
                        sizeof(struct rd_mat4));
    assert_memory_equal(&second.previous_view_proj, &first.plain_view_proj, sizeof(struct rd_mat4));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(triangles_face_where_their_normals_point),
        cmocka_unit_test(spheres_contain_their_meshes),
        cmocka_unit_test(the_scene_fits_and_every_mesh_is_used),
        cmocka_unit_test(draw_lists_have_room_for_the_hitch),
        cmocka_unit_test(a_seed_gives_the_same_scene_again),
        cmocka_unit_test(an_inverse_undoes_its_matrix),
        cmocka_unit_test(cascades_that_are_not_refreshed_stay),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
