/* SPDX-License-Identifier: MIT */
#include "overdraw_gl_bed.h"
#include "cmocka_all.h"

#include <string.h>

static void load(void *member, fg_opengl_function function)
{
    memcpy(member, &function, sizeof function);
}

static void compile(struct gl_bed *bed, GLenum stage, const char *text)
{
    const char *const texts[] = { bed->egl.es ? "#version 300 es\n" : "#version 330 core\n", text };
    const GLuint shader = bed->egl.gl.CreateShader(stage);
    GLint is_compiled = 0;
    bed->egl.gl.ShaderSource(shader, 2, texts, NULL);
    bed->egl.gl.CompileShader(shader);
    bed->gl.GetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    assert_true(is_compiled);
    bed->egl.gl.AttachShader(bed->program, shader);
}

void gl_bed_open(struct gl_bed *bed, bool es)
{
    static const char vertex[] = "uniform highp vec4 box;\n"
                                 "uniform highp float depth;\n"
                                 "void main() {\n"
                                 "    vec2 part = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                 "    gl_Position = vec4(mix(box.xy, box.zw, part), depth, 1);\n"
                                 "}\n";
    GLint is_linked = 0;
    memset(bed, 0, sizeof *bed);
    assert_true(egl_bed_open(&bed->egl, es, false));
#define LOAD(name, type) load(&bed->gl.name, bed->egl.get_proc_address("gl" #name));
    GL_BED_FUNCTIONS(LOAD)
#undef LOAD
    bed->program = bed->egl.gl.CreateProgram();
    compile(bed, GL_VERTEX_SHADER, vertex);
    compile(bed, GL_FRAGMENT_SHADER, FG_OVERDRAW_OPENGL_FRAGMENT);
    bed->egl.gl.LinkProgram(bed->program);
    bed->egl.gl.GetProgramiv(bed->program, GL_LINK_STATUS, &is_linked);
    assert_true(is_linked);
    bed->box_at = bed->egl.gl.GetUniformLocation(bed->program, "box");
    bed->depth_at = bed->egl.gl.GetUniformLocation(bed->program, "depth");
}

void gl_bed_close(struct gl_bed *bed)
{
    assert_int_equal(bed->egl.gl.GetError(), GL_NO_ERROR);
    egl_bed_close(&bed->egl);
}

static uint32_t next(uint32_t *seed)
{
    *seed = *seed * 1664525u + 1013904223u;
    return *seed >> 8;
}

static int between(uint32_t *seed, int low, int high)
{
    return low + (int)(next(seed) % (uint32_t)(high - low + 1));
}

void scene_make(struct scene *scene, uint32_t seed, uint32_t count)
{
    const int width = (int)scene->width_px, height = (int)scene->height_px;
    scene->count = count;
    for (uint32_t i = 0; i < count; i++) {
        struct rectangle *r = &scene->rectangles[i];
        r->x0 = between(&seed, -20, width);
        r->y0 = between(&seed, -20, height);
        r->x1 = r->x0 + between(&seed, 1, width);
        r->y1 = r->y0 + between(&seed, 1, height);
        const bool is_clipped = between(&seed, 0, 2) == 0;
        r->clip[0] = is_clipped ? between(&seed, 0, width / 2) : 0;
        r->clip[1] = is_clipped ? between(&seed, 0, height / 2) : 0;
        r->clip[2] = is_clipped ? r->clip[0] + between(&seed, 0, width / 2) : width;
        r->clip[3] = is_clipped ? r->clip[1] + between(&seed, 0, height / 2) : height;
        r->depth = (float)between(&seed, 1, 15) / 16.0f;
        r->id = (uint64_t)between(&seed, 1, 12) * 1000003u; /* some are of one item */
    }
}

void scene_draw(const struct scene *scene, struct gl_bed *bed, struct fg_overdraw_opengl *maps)
{
    const float width = (float)scene->width_px / 2, height = (float)scene->height_px / 2;
    bed->egl.gl.UseProgram(bed->program);
    bed->egl.gl.Enable(GL_SCISSOR_TEST);
    if (scene->tests_depth) {
        bed->egl.gl.Enable(GL_DEPTH_TEST);
        bed->gl.DepthFunc(GL_LESS);
        bed->gl.DepthMask(GL_TRUE);
    }
    for (uint32_t i = 0; i < scene->count; i++) {
        const struct rectangle *r = &scene->rectangles[i];
        bed->gl.Scissor(r->clip[0], (int)scene->height_px - r->clip[3], r->clip[2] - r->clip[0],
                        r->clip[3] - r->clip[1]);
        bed->gl.Uniform4f(bed->box_at, (float)r->x0 / width - 1, 1 - (float)r->y1 / height,
                          (float)r->x1 / width - 1, 1 - (float)r->y0 / height);
        bed->gl.Uniform1f(bed->depth_at, r->depth * 2 - 1);
        fg_overdraw_opengl_item(maps, r->id);
        bed->egl.gl.DrawArrays(GL_TRIANGLE_STRIP, 0, 4);
    }
    bed->gl.Disable(GL_SCISSOR_TEST);
    bed->gl.Disable(GL_DEPTH_TEST);
}

static bool is_in(const struct rectangle *r, int x, int y)
{
    return x >= r->x0 && x < r->x1 && y >= r->y0 && y < r->y1 && x >= r->clip[0] &&
           x < r->clip[2] && y >= r->clip[1] && y < r->clip[3];
}

void scene_truth(const struct scene *scene, const struct fg_overdraw_costs *costs, float *values,
                 uint64_t *fragments)
{
    if (fragments != NULL) {
        memset(fragments, 0, scene->count * sizeof *fragments);
    }
    for (int y = 0; y < (int)scene->height_px; y++) {
        for (int x = 0; x < (int)scene->width_px; x++) {
            float nearest = 1.0f, value = 0.0f;
            for (uint32_t i = 0; i < scene->count; i++) {
                const struct rectangle *r = &scene->rectangles[i];
                if (!is_in(r, x, y) || (scene->tests_depth && r->depth >= nearest)) {
                    continue;
                }
                nearest = scene->tests_depth ? r->depth : nearest;
                value += costs != NULL ? fg_overdraw_costs_weight(costs, r->id) : 1.0f;
                if (fragments != NULL) {
                    fragments[i]++;
                }
            }
            values[(size_t)y * scene->width_px + (size_t)x] = value;
        }
    }
}
