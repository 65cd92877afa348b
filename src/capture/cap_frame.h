/* SPDX-License-Identifier: MIT */
/* FRAM and TMPL: a frame is stored against a template of what equal frames share. FORMAT.md, 6. */
#ifndef FGI_CAP_FRAME_H
#define FGI_CAP_FRAME_H
#include "capture/cap_codec.h"

/** TMPL. The times of the passes are not part of it and stay zero. */
struct fgi_template {
    uint32_t id;
    const struct fg_cap_cpu_pass *passes;
    size_t pass_count;
    const struct fg_cap_gpu_pass *gpu_passes;
    size_t gpu_pass_count;
};
fgi_fields fgi_fields_template;

/** A pass's part of a template; the visitor sees the times as well. */
fgi_fields fgi_fields_pass_shape;
fgi_fields fgi_fields_gpu_pass_shape;

/** Everything of FRAM in front of the template's number; enough for a directory's entry. */
fgi_fields fgi_fields_frame_head;
/** Visiting only: the whole frame, as the struct has it. */
fgi_fields fgi_fields_frame_visit;

/** Shapes as bytes, one behind another, passes first; ends[i] is where shape i ends. */
struct fgi_shapes {
    struct fgi_bytes bytes;
    size_t *ends;
    size_t capacity; /**< of ends */
    size_t pass_count;
    size_t gpu_pass_count;
};
/** The bytes of one shape. */
const uint8_t *fgi_shapes_at(const struct fgi_shapes *shapes, size_t index, size_t *out_size);
void fgi_shapes_finish(struct fgi_shapes *shapes);
/** Encode all shapes of a frame; `codec` encodes and its output is ignored. */
enum fg_result fgi_shapes_encode(struct fgi_shapes *shapes, struct fgi_codec *codec,
                                 const struct fg_cap_frame *frame);
/** Bytes of those shapes that differ; SIZE_MAX when the counts do. */
size_t fgi_shapes_difference(const struct fgi_shapes *shapes, const struct fgi_shapes *other);
/** TMPL's payload. */
void fgi_shapes_put_template(struct fgi_codec *codec, const struct fgi_shapes *shapes, uint32_t id);

/**
 * FRAM's payload.
 *
 * @param shapes   of the frame
 * @param base     of the template; NULL: no passes at all
 * @param template_id ignored without base
 */
void fgi_frame_encode(struct fgi_codec *codec, const struct fg_cap_frame *frame,
                      const struct fgi_shapes *shapes, const struct fgi_shapes *base,
                      uint32_t template_id);

/** What decoding a frame needs of what came before; each may be NULL: not known. */
struct fgi_frame_context {
    const struct fg_cap_topology *(*topology)(void *context, uint32_t id);
    const struct fgi_template *(*find_template)(void *context, uint32_t id);
    void *context;
};
/** What came of it, beside the codec's result. The numbers are the first of their kind. */
struct fgi_frame_outcome {
    bool topology_unknown;
    bool template_unknown;
    uint32_t template_id;
    bool pass_range;
    uint32_t bad_pass;
    bool resource_range;
    uint32_t bad_resource;
};
void fgi_frame_decode(struct fgi_codec *codec, struct fg_cap_frame *frame,
                      const struct fgi_frame_context *context, struct fgi_frame_outcome *outcome);

/** Ranges inside a topology. True when all is well. */
bool fgi_topology_check(const struct fg_cap_topology *topology, struct fgi_frame_outcome *outcome);
/** Ranges of a frame against its topology (NULL: those that need none). */
bool fgi_frame_check(const struct fg_cap_frame *frame, const struct fg_cap_topology *topology,
                     struct fgi_frame_outcome *outcome);

#endif
