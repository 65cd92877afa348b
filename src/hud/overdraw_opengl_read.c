/* SPDX-License-Identifier: MIT */
/* Maps on their way back: copied into a buffer in order with the draws, taken when that is done. */
#include "hud/overdraw_opengl_priv.h"

#include "base/alloc.h"

#define FLUSH 1u /* GL_SYNC_FLUSH_COMMANDS_BIT: else it might never be done */

/** What can be read of the framebuffer that is bound for reading. */
static void choose_pixels(const struct fg_overdraw_opengl *r, struct fgi_overdraw_read *read)
{
    const bool is_byte = r->format == FG_OVERDRAW_FORMAT_R8;
    read->pixel_format = FGI_HUD_GL_RED;
    read->pixel_type = is_byte ? FGI_HUD_GL_UNSIGNED_BYTE : FGI_OVERDRAW_GL_FLOAT;
    if (r->gl.is_es) {
        /* One pair is always legal, and one is the driver's own. */
        int format = 0, type = 0;
        r->gl.GetIntegerv(FGI_OVERDRAW_GL_IMPLEMENTATION_COLOR_READ_FORMAT, &format);
        r->gl.GetIntegerv(FGI_OVERDRAW_GL_IMPLEMENTATION_COLOR_READ_TYPE, &type);
        if ((fgi_hud_gl_enum)format != read->pixel_format ||
            (fgi_hud_gl_enum)type != read->pixel_type) {
            read->pixel_format = FGI_OVERDRAW_GL_RGBA;
        }
    }
}

static uint32_t component_count(const struct fgi_overdraw_read *read)
{
    return read->pixel_format == FGI_OVERDRAW_GL_RGBA ? 4 : 1;
}

/** Copy, with the context's own way of packing out of the way. */
static void copy(struct fg_overdraw_opengl *r, struct fgi_overdraw_read *read)
{
    static const fgi_hud_gl_enum names[4] = { FGI_OVERDRAW_GL_PACK_ALIGNMENT,
                                              FGI_OVERDRAW_GL_PACK_ROW_LENGTH,
                                              FGI_OVERDRAW_GL_PACK_SKIP_ROWS,
                                              FGI_OVERDRAW_GL_PACK_SKIP_PIXELS };
    static const int plain[4] = { 1, 0, 0, 0 };
    const struct fgi_hud_gl *gl = &r->gl;
    int before[4], buffer = 0, framebuffer = 0;
    gl->GetIntegerv(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
    gl->GetIntegerv(FGI_OVERDRAW_GL_READ_FRAMEBUFFER_BINDING, &framebuffer);
    for (int i = 0; i < 4; i++) {
        gl->GetIntegerv(names[i], &before[i]);
        gl->PixelStorei(names[i], plain[i]);
    }
    r->more.BindFramebuffer(FGI_OVERDRAW_GL_READ_FRAMEBUFFER, r->framebuffer);
    choose_pixels(r, read);
    const size_t bytes = (size_t)r->width_px * r->height_px * component_count(read) *
                         (read->pixel_type == FGI_OVERDRAW_GL_FLOAT ? sizeof(float) : 1);
    if (read->buffer == 0) {
        gl->GenBuffers(1, &read->buffer);
    }
    gl->BindBuffer(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER, read->buffer);
    if (read->buffer_bytes != bytes) {
        gl->BufferData(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER, (ptrdiff_t)bytes, NULL,
                       FGI_OVERDRAW_GL_STREAM_READ);
        read->buffer_bytes = bytes;
    }
    r->more.ReadPixels(0, 0, (int)r->width_px, (int)r->height_px, read->pixel_format,
                       read->pixel_type, NULL);
    for (int i = 0; i < 4; i++) {
        gl->PixelStorei(names[i], before[i]);
    }
    r->more.BindFramebuffer(FGI_OVERDRAW_GL_READ_FRAMEBUFFER, (unsigned)framebuffer);
    gl->BindBuffer(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER, (unsigned)buffer);
}

enum fg_result fg_overdraw_opengl_read(struct fg_overdraw_opengl *r)
{
    if (r == NULL || !r->has_map || r->is_open) {
        return FG_ERR_STATE;
    }
    if (r->read_count == r->read_max) {
        return FG_ERR_BUSY;
    }
    if (fgi_overdraw_gl_is_lost(r)) {
        return FG_ERR_DEVICE_LOST;
    }
    struct fgi_overdraw_read *read = &r->reads[(r->read_first + r->read_count) % r->read_max];
    copy(r, read);
    read->map = (struct fg_overdraw_map){
        .kind = r->frame.kind,
        .clock = r->clock,
        .width_px = r->width_px,
        .height_px = r->height_px,
        .limit = fg_overdraw_limit(r->format),
        .frame = r->frame.number,
    };
    read->fence = r->more.FenceSync(FGI_OVERDRAW_GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
    if (read->fence == NULL) {
        return FG_ERR_DEVICE_LOST;
    }
    r->read_count++;
    return FG_OK;
}

static bool reserve(struct fg_overdraw_opengl *r, size_t count)
{
    if (r->value_capacity < count) {
        fgi_free(r->allocator, r->values, r->value_capacity * sizeof *r->values);
        r->values = fgi_malloc(r->allocator, count * sizeof *r->values);
        r->value_capacity = r->values != NULL ? count : 0;
    }
    return r->values != NULL;
}

/** OpenGL's rows come from below: each into its place. */
static void take(struct fg_overdraw_opengl *r, const struct fgi_overdraw_read *read,
                 const void *pixels)
{
    const uint32_t step = component_count(read);
    const size_t row_size = (size_t)read->map.width_px * step;
    for (uint32_t y = 0; y < read->map.height_px; y++) {
        const size_t from = (read->map.height_px - 1 - y) * row_size;
        float *row = r->values + (size_t)y * read->map.width_px;
        for (uint32_t x = 0; x < read->map.width_px; x++) {
            const size_t at = from + (size_t)x * step;
            row[x] = read->pixel_type == FGI_OVERDRAW_GL_FLOAT
                         ? ((const float *)pixels)[at]
                         : (float)((const uint8_t *)pixels)[at];
        }
    }
}

/** Map it, take it. The binding is as it was. */
static bool fill(struct fg_overdraw_opengl *r, const struct fgi_overdraw_read *read)
{
    int buffer = 0;
    bool is_whole = false;
    r->gl.GetIntegerv(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER_BINDING, &buffer);
    r->gl.BindBuffer(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER, read->buffer);
    const void *pixels =
        r->more.MapBufferRange(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER, 0, (ptrdiff_t)read->buffer_bytes,
                               FGI_OVERDRAW_GL_MAP_READ_BIT);
    if (pixels != NULL) {
        take(r, read, pixels);
        is_whole = r->more.UnmapBuffer(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER);
    }
    r->gl.BindBuffer(FGI_OVERDRAW_GL_PIXEL_PACK_BUFFER, (unsigned)buffer);
    return is_whole;
}

static void drop_oldest(struct fg_overdraw_opengl *r)
{
    struct fgi_overdraw_read *read = &r->reads[r->read_first];
    r->more.DeleteSync(read->fence);
    read->fence = NULL;
    r->read_first = (r->read_first + 1) % r->read_max;
    r->read_count--;
}

enum fg_result fg_overdraw_opengl_poll(struct fg_overdraw_opengl *r,
                                       struct fg_overdraw_map *out_map)
{
    if (r == NULL || out_map == NULL || r->read_count == 0) {
        return FG_ERR_NOT_FOUND;
    }
    const struct fgi_overdraw_read *read = &r->reads[r->read_first];
    if (!fgi_overdraw_gl_is_lost(r)) {
        const fgi_hud_gl_enum state = r->more.ClientWaitSync(read->fence, FLUSH, 0);
        if (state == FGI_OVERDRAW_GL_TIMEOUT_EXPIRED) {
            return FG_ERR_BUSY;
        }
        if (state == FGI_OVERDRAW_GL_ALREADY_SIGNALED ||
            state == FGI_OVERDRAW_GL_CONDITION_SATISFIED) {
            if (!reserve(r, (size_t)read->map.width_px * read->map.height_px)) {
                return FG_ERR_NO_MEMORY;
            }
            if (fill(r, read)) {
                *out_map = read->map;
                out_map->values = r->values;
                drop_oldest(r);
                return FG_OK;
            }
        }
    }
    drop_oldest(r);
    return FG_ERR_DEVICE_LOST;
}

void fgi_overdraw_gl_destroy_reads(struct fg_overdraw_opengl *r)
{
    while (r->read_count > 0) {
        drop_oldest(r);
    }
    for (uint32_t i = 0; i < r->read_max; i++) {
        if (r->reads[i].buffer != 0) {
            r->gl.DeleteBuffers(1, &r->reads[i].buffer);
        }
    }
    fgi_free(r->allocator, r->values, r->value_capacity * sizeof *r->values);
}
