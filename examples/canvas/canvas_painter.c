/* SPDX-License-Identifier: MIT */
#include "canvas_painter.h"

#include "canvas_profile.h"

static void store_init(struct cv_store *store, const struct cv_gl *gl)
{
    gl->GenVertexArrays(1, &store->array);
    gl->GenBuffers(1, &store->buffer);
    gl->BindVertexArray(store->array);
    gl->BindBuffer(GL_ARRAY_BUFFER, store->buffer);
    gl->EnableVertexAttribArray(0);
    gl->EnableVertexAttribArray(1);
    gl->VertexAttribPointer(0, 2, GL_FLOAT, GL_FALSE, sizeof(struct cv_vertex), NULL);
    gl->VertexAttribPointer(1, 4, GL_UNSIGNED_BYTE, GL_TRUE, sizeof(struct cv_vertex),
                            (const void *)offsetof(struct cv_vertex, rgba));
}

bool cv_painter_init(struct cv_painter *painter, const struct cv_gl *gl, int width_px,
                     int height_px, int samples, bool has_window)
{
    *painter = (struct cv_painter){ .gl = gl };
    if (!cv_programs_init(&painter->programs, gl)) {
        return false;
    }
    gl->GenVertexArrays(1, &painter->no_array);
    for (int i = 0; i < CV_STORES; i++) {
        store_init(&painter->stores[i], gl);
    }
    return cv_targets_init(&painter->targets, gl, width_px, height_px, samples, has_window);
}

void cv_painter_finish(struct cv_painter *painter)
{
    const struct cv_gl *gl = painter->gl;
    if (gl == NULL) {
        return;
    }
    for (int i = 0; i < CV_STORES; i++) {
        gl->DeleteVertexArrays(1, &painter->stores[i].array);
        gl->DeleteBuffers(1, &painter->stores[i].buffer);
    }
    gl->DeleteVertexArrays(1, &painter->no_array);
    cv_targets_finish(&painter->targets);
    cv_programs_finish(&painter->programs, gl);
}

void cv_painter_begin(struct cv_painter *painter, uint32_t color)
{
    const struct cv_gl *gl = painter->gl;
    const struct cv_target *screen = &painter->targets.screen;
    painter->counts = (struct cv_counts){ .node_count = 0 };
    gl->BindFramebuffer(GL_FRAMEBUFFER, screen->drawn);
    gl->Viewport(0, 0, screen->width_px, screen->height_px);
    gl->Enable(GL_BLEND);
    gl->BlendFunc(GL_ONE, GL_ONE_MINUS_SRC_ALPHA);
    gl->Disable(GL_SCISSOR_TEST);
    gl->ClearColor((float)(color >> 24) / 255, (float)(color >> 16 & 0xff) / 255,
                   (float)(color >> 8 & 0xff) / 255, 1);
    gl->Clear(GL_COLOR_BUFFER_BIT);
    gl->Enable(GL_SCISSOR_TEST);
    gl->Scissor(0, 0, screen->width_px, screen->height_px);
}

void cv_painter_end(struct cv_painter *painter)
{
    const struct cv_target *screen = &painter->targets.screen;
    cv_target_resolve(screen, painter->gl, 0, 0, screen->width_px, screen->height_px);
    painter->gl->Disable(GL_SCISSOR_TEST);
}

void cv_painter_store(struct cv_painter *painter, enum cv_store_use use, const struct cv_mesh *mesh)
{
    const GLenum often = use == CV_STORE_PICTURE ? GL_STATIC_DRAW : GL_STREAM_DRAW;
    struct cv_store *store = &painter->stores[use];
    store->size_bytes = (uint64_t)mesh->count * sizeof(mesh->vertices[0]);
    painter->gl->BindBuffer(GL_ARRAY_BUFFER, store->buffer);
    painter->gl->BufferData(GL_ARRAY_BUFFER, (GLsizeiptr)store->size_bytes, mesh->vertices, often);
}

void cv_painter_draw(struct cv_painter *painter, GLenum mode, uint32_t first, uint32_t count)
{
    painter->gl->DrawArrays(mode, (GLint)first, (GLsizei)count);
    if (!painter->is_mapping) {
        painter->counts.draw_count++;
        cv_profile_draw(painter->profile, count);
    }
}

void cv_painter_use_solid(const struct cv_painter *painter, float x_scale, float y_scale, float x,
                          float y)
{
    const struct cv_programs *programs = &painter->programs;
    const bool is_map = painter->is_mapping;
    painter->gl->UseProgram(is_map ? programs->map_solid : programs->solid);
    painter->gl->Uniform4f(is_map ? programs->map_solid_view : programs->solid_view, x_scale,
                           y_scale, x, y);
}

void cv_painter_draw_overlay(struct cv_painter *painter, uint32_t first, uint32_t count)
{
    const struct cv_gl *gl = painter->gl;
    const struct cv_target *screen = &painter->targets.screen;
    gl->BindVertexArray(painter->stores[CV_STORE_OVERLAY].array);
    cv_painter_use_solid(painter, 2 / (float)screen->width_px, -2 / (float)screen->height_px, -1,
                         1);
    gl->Scissor(0, 0, screen->width_px, screen->height_px);
    cv_painter_draw(painter, GL_TRIANGLES, first, count);
}

void cv_painter_burn(struct cv_painter *painter, uint32_t rounds)
{
    const struct cv_gl *gl = painter->gl;
    gl->BindVertexArray(painter->no_array);
    gl->UseProgram(painter->programs.burn);
    gl->Uniform4f(painter->programs.burn_box, -1, -1, 1, 1);
    gl->Uniform1i(painter->programs.burn_rounds, (GLint)rounds);
    cv_painter_draw(painter, GL_TRIANGLE_STRIP, 0, 4);
}
