/* SPDX-License-Identifier: MIT */
/*
 * Pictures of a window of a trace: tracks below each other, spans in the colours of their names, as
 * the page draws them. What is drawn is decided here, in whole pixels; who fills them is the CPU,
 * from the answers of an engine (below), or a device (render_device.h), from what a view leaves
 * there. Both fill the same pixels.
 *
 *     fgi_render_create(&options, &render);
 *     fgi_render_on_cpu(render, query);
 *     fgi_png_write(&sink, fgi_render_pixels(render), width_px, height_px);
 */
#ifndef FGI_RENDER_H
#define FGI_RENDER_H
#include <frameglass/trace_query.h>

struct fgi_render;

enum { FGI_RENDER_LEAST_PX = 64, FGI_RENDER_MOST_PX = 16384, FGI_RENDER_MOST_SCALE = 8 };

/** Zero is the default of every field that is not said to be required. */
struct fgi_render_options {
    const struct fg_allocator *allocator;
    const struct fg_trace *trace; /**< required; outlives the picture */
    int64_t start_ns, end_ns;     /**< required: start < end */
    uint32_t width_px, height_px; /**< required: FGI_RENDER_LEAST_PX to FGI_RENDER_MOST_PX */
    uint32_t scale;               /**< pixels of a dot; 0 = 1 */
    uint32_t detail;              /**< enum fg_view_detail */
    bool is_light;                /**< dark on light ground */
    const uint32_t *tracks;       /**< only these, borrowed for the call; NULL = all */
    uint32_t track_count;
};
/**
 * Lay a picture out, with everything in it but spans.
 *
 * @param out_render owned: fgi_render_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_render_create(const struct fgi_render_options *options,
                                             struct fgi_render **out_render);
/** NULL is legal. */
void fgi_render_destroy(struct fgi_render *render);

/** Fill in the spans, as an engine answers. FG_OK, or what a question returned. */
FG_MUST_USE enum fg_result fgi_render_on_cpu(struct fgi_render *render, struct fg_query *query);

/** Rows from the top; red in the lowest byte, then green, blue, and 255. */
const uint32_t *fgi_render_pixels(const struct fgi_render *render);

/** What the picture shows. */
struct fgi_render_counts {
    uint32_t tracks, lanes;
    uint32_t left_out; /**< lanes that had no room: said in the picture, too */
    uint64_t spans;    /**< drawn as what they are */
    uint64_t bins;     /**< of several spans each, equal neighbours counted once */
};
struct fgi_render_counts fgi_render_get_counts(const struct fgi_render *render);

#endif
