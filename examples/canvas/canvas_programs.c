/* SPDX-License-Identifier: MIT */
#include "canvas_programs.h"

#include <stdio.h>

static const char solid_vertex[] = "#version 330 core\n"
                                   "layout(location = 0) in vec2 place;\n"
                                   "layout(location = 1) in vec4 color;\n"
                                   "uniform vec4 view;\n"
                                   "out vec4 shade;\n"
                                   "void main() {\n"
                                   "    shade = color;\n"
                                   "    gl_Position = vec4(place * view.xy + view.zw, 0, 1);\n"
                                   "}\n";
static const char solid_fragment[] = "#version 330 core\n"
                                     "in vec4 shade;\n"
                                     "layout(location = 0) out vec4 color;\n"
                                     "void main() { color = shade; }\n";

static const char box_vertex[] = "#version 330 core\n"
                                 "uniform vec4 box;\n"
                                 "void main() {\n"
                                 "    vec2 part = vec2(gl_VertexID & 1, gl_VertexID >> 1);\n"
                                 "    gl_Position = vec4(mix(box.xy, box.zw, part), 0, 1);\n"
                                 "}\n";
static const char layer_fragment[] =
    "#version 330 core\n"
    "uniform sampler2D source;\n"
    "uniform ivec2 shift;\n"
    "uniform float opacity;\n"
    "layout(location = 0) out vec4 color;\n"
    "void main() { color = texelFetch(source, ivec2(gl_FragCoord.xy) + shift, 0) * opacity; }\n";
/*
 * What is not inside is empty, whatever the texture holds there. A weight follows from the one
 * before by two products: the exponential function for each of them is what took the time.
 */
static const char blur_fragment[] =
    "#version 330 core\n"
    "uniform sampler2D source;\n"
    "uniform ivec4 inside;\n"
    "uniform ivec2 step;\n"
    "uniform float radius;\n"
    "uniform float total;\n"
    "layout(location = 0) out vec4 color;\n"
    "void main() {\n"
    "    ivec2 here = ivec2(gl_FragCoord.xy);\n"
    "    int at = here.x * step.x + here.y * step.y, reach = int(ceil(radius));\n"
    "    int first = max(-reach, inside.x * step.x + inside.y * step.y - at);\n"
    "    int last = min(reach, inside.z * step.x + inside.w * step.y - 1 - at);\n"
    "    float sigma = max(radius * 0.5, 0.1), scale = 1.0 / (2.0 * sigma * sigma);\n"
    "    float weight = exp(-float(first * first) * scale);\n"
    "    float change = exp(-float(2 * first + 1) * scale), bend = exp(-2.0 * scale);\n"
    "    vec4 sum = vec4(0);\n"
    "    for (int i = first; i <= last; i++) {\n"
    "        sum += texelFetch(source, here + step * i, 0) * weight;\n"
    "        weight *= change;\n"
    "        change *= bend;\n"
    "    }\n"
    "    color = sum / total;\n"
    "}\n";
/* Leaves the picture as it is, but a compiler cannot know that. */
static const char burn_fragment[] =
    "#version 330 core\n"
    "uniform int rounds;\n"
    "layout(location = 0) out vec4 color;\n"
    "void main() {\n"
    "    float x = fract(gl_FragCoord.x * 0.013 + gl_FragCoord.y * 0.017);\n"
    "    for (int i = 0; i < rounds; i++) { x = fract(x * 3.71 + sin(x) * 0.37); }\n"
    "    color = x > 1.5 ? vec4(1) : vec4(0);\n"
    "}\n";

/** @param head goes before the source; "" */
static GLuint compile(const struct cv_gl *gl, GLenum stage, const char *head, const char *source)
{
    const char *const sources[] = { head, source };
    char log[512] = "";
    GLint is_compiled = 0;
    const GLuint shader = gl->CreateShader(stage);
    gl->ShaderSource(shader, 2, sources, NULL);
    gl->CompileShader(shader);
    gl->GetShaderiv(shader, GL_COMPILE_STATUS, &is_compiled);
    if (!is_compiled) {
        gl->GetShaderInfoLog(shader, sizeof(log), NULL, log);
        fprintf(stderr, "canvas: a shader does not compile: %s\n", log);
    }
    return shader;
}

static GLuint make(const struct cv_gl *gl, const char *vertex, const char *fragment_head,
                   const char *fragment)
{
    char log[512] = "";
    GLint is_linked = 0;
    const GLuint program = gl->CreateProgram();
    const GLuint first = compile(gl, GL_VERTEX_SHADER, "", vertex);
    const GLuint second = compile(gl, GL_FRAGMENT_SHADER, fragment_head, fragment);
    gl->AttachShader(program, first);
    gl->AttachShader(program, second);
    gl->LinkProgram(program);
    gl->DeleteShader(first);
    gl->DeleteShader(second);
    gl->GetProgramiv(program, GL_LINK_STATUS, &is_linked);
    if (!is_linked) {
        gl->GetProgramInfoLog(program, sizeof(log), NULL, log);
        fprintf(stderr, "canvas: a program does not link: %s\n", log);
        gl->DeleteProgram(program);
        return 0;
    }
    return program;
}

bool cv_programs_init(struct cv_programs *programs, const struct cv_gl *gl)
{
    programs->solid = make(gl, solid_vertex, "", solid_fragment);
    programs->layer = make(gl, box_vertex, "", layer_fragment);
    programs->blur = make(gl, box_vertex, "", blur_fragment);
    programs->burn = make(gl, box_vertex, "", burn_fragment);
    programs->solid_view = gl->GetUniformLocation(programs->solid, "view");
    programs->layer_box = gl->GetUniformLocation(programs->layer, "box");
    programs->layer_shift = gl->GetUniformLocation(programs->layer, "shift");
    programs->layer_opacity = gl->GetUniformLocation(programs->layer, "opacity");
    programs->blur_box = gl->GetUniformLocation(programs->blur, "box");
    programs->blur_inside = gl->GetUniformLocation(programs->blur, "inside");
    programs->blur_step = gl->GetUniformLocation(programs->blur, "step");
    programs->blur_radius = gl->GetUniformLocation(programs->blur, "radius");
    programs->blur_total = gl->GetUniformLocation(programs->blur, "total");
    programs->burn_box = gl->GetUniformLocation(programs->burn, "box");
    programs->burn_rounds = gl->GetUniformLocation(programs->burn, "rounds");
    return programs->solid != 0 && programs->layer != 0 && programs->blur != 0 &&
           programs->burn != 0;
}

bool cv_programs_make_maps(struct cv_programs *programs, const struct cv_gl *gl,
                           const char *fragment)
{
    static const char version[] = "#version 330 core\n";
    if (programs->map_solid == 0) {
        programs->map_solid = make(gl, solid_vertex, version, fragment);
        programs->map_solid_view = gl->GetUniformLocation(programs->map_solid, "view");
    }
    if (programs->map_box == 0) {
        programs->map_box = make(gl, box_vertex, version, fragment);
        programs->map_box_box = gl->GetUniformLocation(programs->map_box, "box");
    }
    return programs->map_solid != 0 && programs->map_box != 0;
}

void cv_programs_finish(struct cv_programs *programs, const struct cv_gl *gl)
{
    gl->DeleteProgram(programs->solid);
    gl->DeleteProgram(programs->layer);
    gl->DeleteProgram(programs->blur);
    gl->DeleteProgram(programs->burn);
    gl->DeleteProgram(programs->map_solid);
    gl->DeleteProgram(programs->map_box);
}
