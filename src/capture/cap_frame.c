/* SPDX-License-Identifier: MIT */
/* A frame against its template, both directions. FORMAT.md, 6.3. */
#include "capture/cap_frame.h"

#include "base/alloc.h"

#include <string.h>

/* ---- Shapes as bytes ------------------------------------------------------------------------- */

const uint8_t *fgi_shapes_at(const struct fgi_shapes *shapes, size_t index, size_t *out_size)
{
    size_t begin = index != 0 ? shapes->ends[index - 1] : 0;
    *out_size = shapes->ends[index] - begin;
    return shapes->bytes.data + begin;
}

void fgi_shapes_finish(struct fgi_shapes *shapes)
{
    fgi_free(shapes->bytes.allocator, shapes->ends, shapes->capacity * sizeof *shapes->ends);
    fgi_bytes_finish(&shapes->bytes);
    shapes->ends = NULL;
    shapes->capacity = 0;
}

enum fg_result fgi_shapes_encode(struct fgi_shapes *shapes, struct fgi_codec *codec,
                                 const struct fg_cap_frame *frame)
{
    size_t count = frame->pass_count + frame->gpu_pass_count;
    fgi_bytes_clear(&shapes->bytes);
    shapes->pass_count = frame->pass_count;
    shapes->gpu_pass_count = frame->gpu_pass_count;
    enum fg_result result =
        FGI_GROW(shapes->bytes.allocator, shapes->ends, shapes->capacity, count, UINT32_MAX);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_bytes *out = codec->out;
    codec->out = &shapes->bytes;
    for (size_t i = 0; i < frame->pass_count; i++) {
        fgi_fields_pass_shape(codec, (void *)&frame->passes[i]);
        shapes->ends[i] = shapes->bytes.size;
    }
    for (size_t i = 0; i < frame->gpu_pass_count; i++) {
        fgi_fields_gpu_pass_shape(codec, (void *)&frame->gpu_passes[i]);
        shapes->ends[frame->pass_count + i] = shapes->bytes.size;
    }
    codec->out = out;
    return shapes->bytes.result;
}

static bool shape_equal(const struct fgi_shapes *left, const struct fgi_shapes *right, size_t index)
{
    size_t left_size;
    size_t right_size;
    const uint8_t *a = fgi_shapes_at(left, index, &left_size);
    const uint8_t *b = fgi_shapes_at(right, index, &right_size);
    return left_size == right_size && memcmp(a, b, left_size) == 0;
}

size_t fgi_shapes_difference(const struct fgi_shapes *shapes, const struct fgi_shapes *other)
{
    if (shapes->pass_count != other->pass_count ||
        shapes->gpu_pass_count != other->gpu_pass_count) {
        return SIZE_MAX;
    }
    size_t difference = 0;
    for (size_t i = 0; i < shapes->pass_count + shapes->gpu_pass_count; i++) {
        if (!shape_equal(shapes, other, i)) {
            size_t size;
            (void)fgi_shapes_at(shapes, i, &size);
            difference += size;
        }
    }
    return difference;
}

static size_t passes_end(const struct fgi_shapes *shapes)
{
    return shapes->pass_count != 0 ? shapes->ends[shapes->pass_count - 1] : 0;
}

void fgi_shapes_put_template(struct fgi_codec *codec, const struct fgi_shapes *shapes, uint32_t id)
{
    size_t split = passes_end(shapes);
    fgi_put_varint(codec->out, id);
    fgi_put_varint(codec->out, shapes->pass_count);
    fgi_put_raw(codec->out, shapes->bytes.data, split);
    fgi_put_varint(codec->out, shapes->gpu_pass_count);
    fgi_put_raw(codec->out, shapes->bytes.data + split, shapes->bytes.size - split);
}

/* ---- Encoding -------------------------------------------------------------------------------- */

/* The shapes [first, first + count) that are not those of the template. */
static void put_changes(struct fgi_codec *codec, const struct fgi_shapes *shapes,
                        const struct fgi_shapes *base, size_t first, size_t count)
{
    size_t changed = 0;
    for (size_t i = 0; i < count; i++) {
        changed += shape_equal(shapes, base, first + i) ? 0 : 1;
    }
    fgi_put_varint(codec->out, changed);
    size_t next = 0;
    for (size_t i = 0; i < count && changed != 0; i++) {
        if (!shape_equal(shapes, base, first + i)) {
            size_t size;
            const uint8_t *bytes = fgi_shapes_at(shapes, first + i, &size);
            fgi_put_varint(codec->out, i - next);
            fgi_put_raw(codec->out, bytes, size);
            next = i + 1;
        }
    }
}

/* Begin and end of the timed passes, each from the end of the one before. */
static void pass_times(struct fgi_codec *codec, struct fg_cap_cpu_pass *passes, size_t count,
                       uint64_t begin_ticks)
{
    uint64_t before = begin_ticks;
    for (size_t i = 0; i < count && !codec->in.failed; i++) {
        if ((passes[i].flags & FG_CAP_CPU_PASS_TIMED) != 0) {
            fgi_c_delta(codec, NULL, before, &passes[i].begin_ticks);
            fgi_c_udelta(codec, NULL, passes[i].begin_ticks, &passes[i].end_ticks);
            before = passes[i].end_ticks;
        }
    }
}

void fgi_frame_encode(struct fgi_codec *codec, const struct fg_cap_frame *frame,
                      const struct fgi_shapes *shapes, const struct fgi_shapes *base,
                      uint32_t template_id)
{
    fgi_fields_frame_head(codec, (void *)frame);
    if (base == NULL) {
        fgi_put_varint(codec->out, 0);
        return;
    }
    fgi_put_varint(codec->out, (uint64_t)template_id + 1);
    put_changes(codec, shapes, base, 0, frame->pass_count);
    put_changes(codec, shapes, base, frame->pass_count, frame->gpu_pass_count);
    pass_times(codec, (void *)frame->passes, frame->pass_count, frame->begin_ticks);
}

/* ---- Decoding -------------------------------------------------------------------------------- */

/* One more shape that the frame spells out. An index out of range is refused only after the whole
 * payload was decoded: bytes that are malformed come first. */
static void take_change(struct fgi_codec *codec, void *shapes, size_t count, size_t item_size,
                        uint64_t index, fgi_fields *fields, struct fgi_frame_outcome *outcome)
{
    union {
        struct fg_cap_cpu_pass pass;
        struct fg_cap_gpu_pass gpu_pass;
    } ignored = { 0 };
    void *item = &ignored;
    if (index < count) {
        item = (char *)shapes + index * item_size;
        memset(item, 0, item_size);
    } else if (!outcome->pass_range) {
        outcome->pass_range = true;
        outcome->bad_pass = index > UINT32_MAX ? UINT32_MAX : (uint32_t)index;
    }
    fields(codec, item);
}

/* A copy of the template's shapes, with those replaced that the frame spells out. */
static void *take_changes(struct fgi_codec *codec, const void *shapes, size_t count,
                          size_t item_size, size_t min_bytes, fgi_fields *fields,
                          struct fgi_frame_outcome *outcome)
{
    void *copy = NULL;
    if (count != 0) {
        copy = fgi_arena_alloc(codec->arena, count, item_size);
        if (copy == NULL) {
            fgi_c_fail(codec, FG_ERR_NO_MEMORY);
            return NULL;
        }
        memcpy(copy, shapes, count * item_size);
    }
    size_t changed = fgi_get_count(&codec->in, min_bytes);
    uint64_t next = 0;
    for (size_t i = 0; i < changed && !codec->in.failed; i++) {
        next += fgi_get_varint32(&codec->in);
        if (!codec->in.failed) {
            take_change(codec, copy, count, item_size, next, fields, outcome);
            next++;
        }
    }
    return copy;
}

/* What a GPU pass of the topology's list says, put where spelled-out passes have it. */
static void fill_from_topology(struct fg_cap_gpu_pass *passes, size_t count,
                               const struct fg_cap_topology *topology)
{
    for (size_t i = 0; i < count; i++) {
        struct fg_cap_gpu_pass *pass = &passes[i];
        if (pass->gpu_pass == FG_CAP_NONE) {
            continue;
        }
        pass->graph_pass = FG_CAP_NONE;
        if (topology != NULL && pass->gpu_pass < topology->gpu_pass_count) {
            const struct fg_cap_topology_gpu_pass *entry = &topology->gpu_passes[pass->gpu_pass];
            pass->graph_pass = entry->owner;
            pass->kind = entry->kind;
            pass->label = entry->label;
        }
    }
}

void fgi_frame_decode(struct fgi_codec *codec, struct fg_cap_frame *frame,
                      const struct fgi_frame_context *context, struct fgi_frame_outcome *outcome)
{
    *outcome = (struct fgi_frame_outcome){ .template_id = FG_CAP_NONE };
    fgi_fields_frame_head(codec, frame);
    fgi_c_opt32(codec, NULL, &outcome->template_id);
    if (codec->in.failed) {
        return;
    }
    const struct fg_cap_topology *topology = NULL;
    if (frame->topology != FG_CAP_NONE) {
        topology = context->topology(context->context, frame->topology);
        outcome->topology_unknown = topology == NULL;
    }
    if (outcome->template_id == FG_CAP_NONE) {
        return;
    }
    const struct fgi_template *base =
        context->find_template(context->context, outcome->template_id);
    if (base == NULL) {
        outcome->template_unknown = true;
        return;
    }
    struct fg_cap_cpu_pass *passes = take_changes(
        codec, base->passes, base->pass_count, sizeof *passes, 5, fgi_fields_pass_shape, outcome);
    struct fg_cap_gpu_pass *gpu_passes =
        take_changes(codec, base->gpu_passes, base->gpu_pass_count, sizeof *gpu_passes, 9,
                     fgi_fields_gpu_pass_shape, outcome);
    if (codec->in.failed) {
        return;
    }
    frame->passes = passes;
    frame->pass_count = base->pass_count;
    frame->gpu_passes = gpu_passes;
    frame->gpu_pass_count = base->gpu_pass_count;
    pass_times(codec, passes, frame->pass_count, frame->begin_ticks);
    fill_from_topology(gpu_passes, frame->gpu_pass_count, topology);
    if (!codec->in.failed && !outcome->pass_range) {
        (void)fgi_frame_check(frame, topology, outcome);
    }
}
