/* SPDX-License-Identifier: MIT */
/* GSPN: GPU times of a frame. FORMAT.md, 6.4. */
#include "capture/cap_codec.h"

enum { LAYOUT_LISTED = 0, LAYOUT_SEQUENTIAL = 1 };

static void visit_gpu_span(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_gpu_span *span = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "instance", &span->instance);
    fgi_c_u32(codec, "status", &span->status);
    fgi_c_u32(codec, "origin", &span->origin);
    fgi_c_u64(codec, "begin_ticks", &span->begin_ticks);
    fgi_c_u64(codec, "end_ticks", &span->end_ticks);
    fgi_c_struct_end(codec);
}

/*
 * Every instance from 0 on, all of them fine, all from one pool: the usual case, two numbers each.
 */
static uint32_t layout_of(const struct fg_cap_gpu_frame *gpu)
{
    for (size_t i = 0; i < gpu->span_count; i++) {
        const struct fg_cap_gpu_span *span = &gpu->spans[i];
        if (span->instance != i || span->status != FG_CAP_SPAN_OK ||
            span->origin != gpu->spans[0].origin) {
            return LAYOUT_LISTED;
        }
    }
    return gpu->span_count != 0 ? LAYOUT_SEQUENTIAL : LAYOUT_LISTED;
}

static void stored_instance(struct fgi_codec *codec, struct fg_cap_gpu_span *span,
                            uint32_t expected)
{
    uint64_t instance = span->instance;
    fgi_c_delta(codec, NULL, expected, &instance);
    if (codec->mode == FGI_CODEC_DECODE) {
        span->instance = (uint32_t)instance;
        if (instance > UINT32_MAX) {
            fgi_c_fail(codec, FG_ERR_CORRUPT);
        }
    }
    fgi_c_u32(codec, NULL, &span->status);
    fgi_c_u32(codec, NULL, &span->origin);
}

/* The times that this status has; returns where the next span counts from. */
static uint64_t stored_times(struct fgi_codec *codec, struct fg_cap_gpu_span *span, uint64_t before)
{
    switch (span->status) {
    case FG_CAP_SPAN_OK:
        fgi_c_delta(codec, NULL, before, &span->begin_ticks);
        fgi_c_udelta(codec, NULL, span->begin_ticks, &span->end_ticks);
        return span->end_ticks;
    case FG_CAP_SPAN_INVALID:
        fgi_c_delta(codec, NULL, before, &span->begin_ticks);
        fgi_c_delta(codec, NULL, span->begin_ticks, &span->end_ticks);
        return span->end_ticks;
    case FG_CAP_SPAN_OPEN:
        fgi_c_delta(codec, NULL, before, &span->begin_ticks);
        return span->begin_ticks;
    default:
        return before;
    }
}

static void stored_spans(struct fgi_codec *codec, struct fg_cap_gpu_frame *gpu)
{
    bool decode = codec->mode == FGI_CODEC_DECODE;
    uint32_t layout = decode ? 0 : layout_of(gpu);
    uint32_t count = (uint32_t)gpu->span_count;
    uint32_t origin = gpu->span_count != 0 && !decode ? gpu->spans[0].origin : 0;
    fgi_c_u32(codec, NULL, &layout);
    fgi_c_u32(codec, NULL, &count);
    if (layout == LAYOUT_SEQUENTIAL) {
        fgi_c_u32(codec, NULL, &origin);
    }
    if (decode) {
        gpu->span_count = count;
        if (layout > LAYOUT_SEQUENTIAL) {
            fgi_c_fail(codec, FG_ERR_CORRUPT);
        }
    }
    struct fg_cap_gpu_span *spans = fgi_c_items(codec, (const void **)&gpu->spans, &gpu->span_count,
                                                sizeof *spans, layout == LAYOUT_SEQUENTIAL ? 2 : 3);
    uint64_t before = gpu->epoch_ticks;
    uint32_t expected = 0;
    for (size_t i = 0; i < gpu->span_count && !codec->in.failed; i++) {
        if (layout == LAYOUT_LISTED) {
            stored_instance(codec, &spans[i], expected);
        } else if (decode) {
            spans[i].instance = (uint32_t)i;
            spans[i].origin = origin;
        }
        expected = spans[i].instance + 1;
        before = stored_times(codec, &spans[i], before);
    }
}

static void fields_statistics(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_statistics *statistics = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "instance", &statistics->instance);
    fgi_c_u32(codec, "mask", &statistics->mask);
    if (codec->mode == FGI_CODEC_DECODE) {
        statistics->value_count = 0;
        for (uint32_t bits = statistics->mask; bits != 0; bits &= bits - 1) {
            statistics->value_count++;
        }
    }
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_begin(codec->visitor->context, "values",
                                   (const void **)&statistics->values, &statistics->value_count,
                                   sizeof *statistics->values);
    }
    uint64_t *values = fgi_c_items(codec, (const void **)&statistics->values,
                                   &statistics->value_count, sizeof *values, 1);
    for (size_t i = 0; i < statistics->value_count && !codec->in.failed; i++) {
        fgi_c_u64(codec, NULL, &values[i]);
    }
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_end(codec->visitor->context);
    }
    fgi_c_struct_end(codec);
}

static void fields_resolved(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_resolved *resolved = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "instance", &resolved->instance);
    fgi_c_u32(codec, "work", &resolved->work);
    fgi_c_u32(codec, "draw", &resolved->draw);
    fgi_c_u64(codec, "x", &resolved->x);
    fgi_c_u32(codec, "y", &resolved->y);
    fgi_c_u32(codec, "z", &resolved->z);
    fgi_c_struct_end(codec);
}

void fgi_fields_gpu_frame(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_gpu_frame *gpu = payload;
    fgi_c_u64(codec, "frame", &gpu->frame);
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &gpu->clock);
    fgi_c_u32(codec, "flags", &gpu->flags);
    fgi_c_u32(codec, "instance_count", &gpu->instance_count);
    fgi_c_fix64(codec, "epoch_ticks", &gpu->epoch_ticks);
    fgi_c_opt64(codec, "latency_ns", &gpu->latency_ns);
    if (codec->mode == FGI_CODEC_VISIT) {
        FGI_C_LIST(codec, gpu, spans, span_count, 0, visit_gpu_span);
    } else {
        stored_spans(codec, gpu);
    }
    FGI_C_LIST(codec, gpu, statistics, statistics_count, 2, fields_statistics);
    FGI_C_LIST(codec, gpu, resolved, resolved_count, 6, fields_resolved);
}
