/* SPDX-License-Identifier: MIT */
/*
 * What the HUD looks like: a draw list of quads, for hud_vulkan.h, hud_opengl.h, the renderer into
 * memory at the end of this header, or one of the application's own.
 *
 * Every quad is axis-aligned, lies on whole pixels and samples one small atlas with nearest
 * filtering; blended in order as color.rgb * a + target * (1 - a) with a = color.a * atlas. So
 * every renderer gives the same picture, up to the rounding of its target.
 */
#ifndef FG_HUD_DRAW_H
#define FG_HUD_DRAW_H
#include <frameglass/hud.h>
FG_BEGIN_DECLS

#define FG_HUD_ATLAS_WIDTH  128
#define FG_HUD_ATLAS_HEIGHT 64
#define FG_HUD_QUADS_MAX    5120

enum fg_hud_corner {
    FG_HUD_TOP_LEFT = 0,
    FG_HUD_TOP_RIGHT = 1,
    FG_HUD_BOTTOM_LEFT = 2,
    FG_HUD_BOTTOM_RIGHT = 3,
};

/** Where it is drawn. Zero is the default of all but the size. Borrowed for the call. */
struct fg_hud_target {
    uint32_t width_px; /**< required, as height_px */
    uint32_t height_px;
    enum fg_hud_corner corner;
    uint32_t offset_x_px; /**< kept free at the corner's sides, for rulers; beside a margin */
    uint32_t offset_y_px;
    uint32_t scale;     /**< target pixels per dot of the font; 0 = by the target's height. Lowered
                             until the panel fits, down to 1 */
    uint32_t pass_rows; /**< at most so many lines of passes, up to 32; 0 = 9 */
};

/** Instance data of a quad: 20 bytes. Pixels of the target from its top left; atlas texels. */
struct fg_hud_quad {
    int16_t x_px;
    int16_t y_px;
    int16_t width_px;
    int16_t height_px;
    uint16_t u; /**< of the left top; a rectangle is one solid texel: u_size and v_size are 0 */
    uint16_t v;
    uint16_t u_size;
    uint16_t v_size;
    uint8_t color[4]; /**< red, green, blue as sRGB encodes them; straight alpha */
};

/** Lent until the next call that takes the same HUD. */
struct fg_hud_list {
    const struct fg_hud_quad *quads;
    uint32_t quad_count; /**< 0 .. FG_HUD_QUADS_MAX */
    uint32_t width_px;   /**< of the target */
    uint32_t height_px;
    uint32_t scale; /**< that was chosen */
    int32_t panel_x_px;
    int32_t panel_y_px;
    uint32_t panel_width_px;
    uint32_t panel_height_px;
    uint64_t dropped_quads; /**< that found no room */
    struct fg_hud *hud;     /**< who is told what drawing took; NULL = nobody */
};

/**
 * Coverage of the glyphs and of the solid texel: one byte a texel, 0 or 255, row by row.
 *
 * @param texels FG_HUD_ATLAS_WIDTH * FG_HUD_ATLAS_HEIGHT bytes
 */
FG_API void fg_hud_atlas_write(uint8_t *texels);

/**
 * Lay out what is known now. Several targets may be built in one frame.
 *
 * @param out_list an empty list when the HUD is disabled or NULL
 * @return true when there is something to draw
 */
FG_API bool fg_hud_build(struct fg_hud *hud, const struct fg_hud_target *target,
                         struct fg_hud_list *out_list);

/** Pixels in memory: red, green, blue, alpha bytes. */
struct fg_hud_pixels {
    uint8_t *pixels; /**< borrowed */
    uint32_t width_px;
    uint32_t height_px;
    size_t stride_bytes; /**< from row to row; 0 = width_px * 4 */
    /**
     * True: blended as a GPU does in a target of an sRGB format, in linear light. False: blended as
     * the bytes are.
     */
    bool is_srgb;
};
/** Draw into memory: exact, for tests and pictures. What lies outside the pixels is cut off. */
FG_API void fg_hud_memory_draw(const struct fg_hud_list *list, const struct fg_hud_pixels *pixels);

FG_END_DECLS
#endif
