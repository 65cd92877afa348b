/* SPDX-License-Identifier: MIT */
#include "canvas_target.h"

#include <string.h>

enum { TEXEL_BYTES = 4 };

static void count(struct cv_targets *targets, const struct cv_target *target, int samples)
{
    targets->texture_count++;
    targets->texture_bytes +=
        (uint64_t)target->width_px * (uint64_t)target->height_px * TEXEL_BYTES * (uint64_t)samples;
}

static bool is_complete(const struct cv_gl *gl, GLuint framebuffer)
{
    gl->BindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    return gl->CheckFramebufferStatus(GL_FRAMEBUFFER) == GL_FRAMEBUFFER_COMPLETE;
}

static void make_read(struct cv_targets *targets, struct cv_target *target)
{
    const struct cv_gl *gl = targets->gl;
    gl->GenTextures(1, &target->texture);
    gl->BindTexture(GL_TEXTURE_2D, target->texture);
    gl->TexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, target->width_px, target->height_px, 0, GL_RGBA,
                   GL_UNSIGNED_BYTE, NULL);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    gl->TexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MAG_FILTER, GL_NEAREST);
    gl->GenFramebuffers(1, &target->read);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->read);
    gl->FramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, target->texture,
                             0);
    count(targets, target, 1);
}

static void make_drawn(struct cv_targets *targets, struct cv_target *target)
{
    const struct cv_gl *gl = targets->gl;
    gl->GenRenderbuffers(1, &target->renderbuffer);
    gl->BindRenderbuffer(GL_RENDERBUFFER, target->renderbuffer);
    gl->RenderbufferStorageMultisample(GL_RENDERBUFFER, targets->samples, GL_RGBA8,
                                       target->width_px, target->height_px);
    gl->GenFramebuffers(1, &target->drawn);
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->drawn);
    gl->FramebufferRenderbuffer(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_RENDERBUFFER,
                                target->renderbuffer);
    count(targets, target, targets->samples);
}

static bool make(struct cv_targets *targets, struct cv_target *target, int width_px, int height_px,
                 bool has_samples, bool has_window)
{
    target->width_px = width_px;
    target->height_px = height_px;
    if (!has_window) {
        make_read(targets, target);
    }
    target->drawn = target->read;
    if (has_samples && targets->samples > 1) {
        make_drawn(targets, target);
    }
    return is_complete(targets->gl, target->read) && is_complete(targets->gl, target->drawn);
}

static void destroy(struct cv_target *target, const struct cv_gl *gl)
{
    if (target->renderbuffer != 0) {
        gl->DeleteFramebuffers(1, &target->drawn);
        gl->DeleteRenderbuffers(1, &target->renderbuffer);
    }
    if (target->texture != 0) {
        gl->DeleteFramebuffers(1, &target->read);
        gl->DeleteTextures(1, &target->texture);
    }
    memset(target, 0, sizeof(*target));
}

bool cv_targets_init(struct cv_targets *targets, const struct cv_gl *gl, int width_px,
                     int height_px, int samples, bool has_window)
{
    *targets = (struct cv_targets){ .gl = gl, .samples = samples };
    return make(targets, &targets->screen, width_px, height_px, true, has_window);
}

void cv_targets_finish(struct cv_targets *targets)
{
    if (targets->gl == NULL) {
        return;
    }
    destroy(&targets->screen, targets->gl);
    destroy(&targets->scratch, targets->gl);
    for (int i = 0; i < CV_LAYERS_MAX; i++) {
        destroy(&targets->layers[i], targets->gl);
    }
}

static const struct cv_target *get(struct cv_targets *targets, struct cv_target *target,
                                   bool has_samples)
{
    if (target->texture == 0 &&
        !make(targets, target, targets->screen.width_px + 2 * CV_LAYER_MARGIN_PX,
              targets->screen.height_px + 2 * CV_LAYER_MARGIN_PX, has_samples, false)) {
        destroy(target, targets->gl);
        return NULL;
    }
    return target;
}

const struct cv_target *cv_targets_layer(struct cv_targets *targets, uint32_t depth)
{
    return depth < CV_LAYERS_MAX ? get(targets, &targets->layers[depth], true) : NULL;
}

const struct cv_target *cv_targets_scratch(struct cv_targets *targets)
{
    return get(targets, &targets->scratch, false);
}

void cv_target_resolve(const struct cv_target *target, const struct cv_gl *gl, int x, int y,
                       int width_px, int height_px)
{
    if (target->drawn != target->read) {
        gl->BindFramebuffer(GL_READ_FRAMEBUFFER, target->drawn);
        gl->BindFramebuffer(GL_DRAW_FRAMEBUFFER, target->read);
        gl->Disable(GL_SCISSOR_TEST);
        gl->BlitFramebuffer(x, y, x + width_px, y + height_px, x, y, x + width_px, y + height_px,
                            GL_COLOR_BUFFER_BIT, GL_NEAREST);
        gl->Enable(GL_SCISSOR_TEST);
    }
    gl->BindFramebuffer(GL_FRAMEBUFFER, target->read);
}

void cv_targets_read(const struct cv_targets *targets, uint8_t *pixels)
{
    const struct cv_gl *gl = targets->gl;
    const int height = targets->screen.height_px;
    const size_t row_bytes = (size_t)targets->screen.width_px * TEXEL_BYTES;
    gl->BindFramebuffer(GL_FRAMEBUFFER, targets->screen.read);
    gl->PixelStorei(GL_PACK_ALIGNMENT, 1);
    /* OpenGL's rows come from below: each into its place. */
    for (int y = 0; y < height; y++) {
        gl->ReadPixels(0, height - 1 - y, targets->screen.width_px, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                       pixels + (size_t)y * row_bytes);
    }
}
