/* SPDX-License-Identifier: MIT */
/*
 * A renderer with a Vulkan device, a command graph and shaders of its own, which lets Frameglass
 * find what to draw: it includes public headers alone, submits by itself, and draws spans from the
 * rows and the indirect command that a view leaves on the device.
 */
#ifndef FOREIGN_DRAWS_H
#define FOREIGN_DRAWS_H
#include <stdbool.h>
#include <stdint.h>

struct fg_trace;

struct foreign_draws_window {
    int64_t start_ns, end_ns;
    uint32_t width_px, height_px;
    /** Draw those alone that the renderer's own mask lets pass: see foreign_mask.h. */
    bool is_masked;
};
struct foreign_draws_picture {
    uint8_t *pixels; /**< RGBA, `width_px` * `height_px`; free() */
    uint32_t marked; /**< rows of the renderer's mask */
    uint32_t drawn;  /**< spans in the picture */
    uint32_t nodes, barriers;
};

/** Lanes lie below each other and share the height. False: said on standard error. */
bool foreign_draws(const struct fg_trace *trace, const struct foreign_draws_window *window,
                   struct foreign_draws_picture *out_picture);

#endif
