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
    uint32_t summed; /**< complete ones of them, as Frameglass sums them up */
    uint64_t summed_ns;
    uint32_t drawn; /**< spans in the picture */
    uint32_t nodes, barriers;
};

struct foreign_draws;
/** Put a trace on the renderer's device. `trace` outlives it. NULL: said on standard error. */
struct foreign_draws *foreign_draws_open(const struct fg_trace *trace);
/** Lanes lie below each other and share the height. False: said on standard error. */
bool foreign_draws(struct foreign_draws *draws, const struct foreign_draws_window *window,
                   struct foreign_draws_picture *out_picture);
/** NULL is legal. */
void foreign_draws_close(struct foreign_draws *draws);

#endif
