/* SPDX-License-Identifier: MIT */
/* PNG pictures become textures of one size. */
#include "gltf_priv.h"

#include <png.h>
#include <stdlib.h>

enum { MAX_SIDE_PX = 8192, TEXEL_BYTES = 4 };

/** Shrink or stretch, each pixel from the four nearest: enough for pictures of about that size. */
static void resample(const uint8_t *from, uint32_t width, uint32_t height, uint32_t side,
                     uint8_t *out)
{
    for (uint32_t y = 0; y < side; y++) {
        const float fy = fmaxf(((float)y + 0.5f) * (float)height / (float)side - 0.5f, 0.0f);
        const uint32_t y0 = (uint32_t)fy;
        const uint32_t y1 = y0 + 1 < height ? y0 + 1 : y0;
        for (uint32_t x = 0; x < side; x++) {
            const float fx = fmaxf(((float)x + 0.5f) * (float)width / (float)side - 0.5f, 0.0f);
            const uint32_t x0 = (uint32_t)fx;
            const uint32_t x1 = x0 + 1 < width ? x0 + 1 : x0;
            const uint8_t *p[4] = { from + ((size_t)y0 * width + x0) * TEXEL_BYTES,
                                    from + ((size_t)y0 * width + x1) * TEXEL_BYTES,
                                    from + ((size_t)y1 * width + x0) * TEXEL_BYTES,
                                    from + ((size_t)y1 * width + x1) * TEXEL_BYTES };
            const float u = fx - (float)x0;
            const float v = fy - (float)y0;
            for (int c = 0; c < TEXEL_BYTES; c++) {
                const float top = (float)p[0][c] * (1 - u) + (float)p[1][c] * u;
                const float bottom = (float)p[2][c] * (1 - u) + (float)p[3][c] * u;
                *out++ = (uint8_t)(top * (1 - v) + bottom * v + 0.5f);
            }
        }
    }
}

uint8_t *rd_gltf_png(const struct gltf_bytes *png, uint32_t texture_px)
{
    png_image image = { .version = PNG_IMAGE_VERSION };
    uint8_t *pixels = NULL;
    uint8_t *texture = NULL;
    if (!png_image_begin_read_from_memory(&image, png->bytes, png->size)) {
        return NULL;
    }
    image.format = PNG_FORMAT_RGBA;
    if (image.width <= MAX_SIDE_PX && image.height <= MAX_SIDE_PX) {
        pixels = malloc(PNG_IMAGE_SIZE(image));
    }
    if (pixels != NULL && png_image_finish_read(&image, NULL, pixels, 0, NULL)) {
        texture = malloc((size_t)texture_px * texture_px * TEXEL_BYTES);
    }
    if (texture != NULL) {
        resample(pixels, image.width, image.height, texture_px, texture);
    }
    png_image_free(&image);
    free(pixels);
    return texture;
}
