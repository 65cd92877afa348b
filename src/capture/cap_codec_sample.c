/* SPDX-License-Identifier: MIT */
/* STAK, SMPL, MDEF, MSMP, REVT, ZRAW. FORMAT.md, 7.5 to 7.8. */
#include "capture/cap_codec.h"

void fgi_fields_stack(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_stack *stack = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "id", &stack->id);
    fgi_c_opt32(codec, "parent", &stack->parent);
    fgi_c_symbol(codec, "function", &stack->function);
    fgi_c_symbol(codec, "file", &stack->file);
    fgi_c_symbol(codec, "module", &stack->module);
    fgi_c_u32(codec, "line", &stack->line);
    fgi_c_u64(codec, "address", &stack->address);
    fgi_c_struct_end(codec);
}

void fgi_fields_stacks(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_stacks *stacks = payload;
    FGI_C_LIST(codec, stacks, stacks, stack_count, 7, fgi_fields_stack);
}

static void fields_sample(struct fgi_codec *codec, struct fg_cap_sample *sample, int64_t *before)
{
    fgi_c_struct_begin(codec, NULL);
    fgi_c_step(codec, "ticks", before, &sample->ticks);
    fgi_c_ref_opt(codec, "stack", FGI_REF_STACK, &sample->stack);
    fgi_c_u64(codec, "weight", &sample->weight);
    fgi_c_struct_end(codec);
}

static void fields_metric_sample(struct fgi_codec *codec, struct fg_cap_metric_sample *sample,
                                 int64_t *before)
{
    fgi_c_struct_begin(codec, NULL);
    fgi_c_step(codec, "ticks", before, &sample->ticks);
    fgi_c_value(codec, "value", &sample->value);
    fgi_c_struct_end(codec);
}

static void fields_resource_event(struct fgi_codec *codec, struct fg_cap_resource_event *event,
                                  int64_t *before)
{
    fgi_c_struct_begin(codec, NULL);
    fgi_c_step(codec, "ticks", before, &event->ticks);
    fgi_c_u32(codec, "kind", &event->kind);
    fgi_c_u64(codec, "resource", &event->resource);
    fgi_c_opt64(codec, "frame", &event->frame);
    fgi_c_symbol(codec, "name", &event->name);
    fgi_c_symbol(codec, "type", &event->type);
    fgi_c_opt32(codec, "heap", &event->heap);
    fgi_c_opt64(codec, "size_bytes", &event->size_bytes);
    fgi_c_struct_end(codec);
}

static void fields_resource_detail(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_resource_detail *detail = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "event", &detail->event);
    fgi_c_u32(codec, "format", &detail->format);
    fgi_c_u32(codec, "width", &detail->width);
    fgi_c_u32(codec, "height", &detail->height);
    fgi_c_u32(codec, "depth", &detail->depth);
    fgi_c_u32(codec, "mip_count", &detail->mip_count);
    fgi_c_u32(codec, "layer_count", &detail->layer_count);
    fgi_c_u32(codec, "accuracy", &detail->accuracy);
    fgi_c_struct_end(codec);
}

/* The three lists whose items step from the time of the one before. */
static void *begin_steps(struct fgi_codec *codec, const char *name, const void **items,
                         size_t *count, size_t item_size, size_t min_bytes)
{
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_begin(codec->visitor->context, name, items, count, item_size);
        return (void *)*items;
    }
    uint32_t stored = (uint32_t)*count;
    fgi_c_u32(codec, name, &stored);
    if (codec->mode == FGI_CODEC_DECODE) {
        *count = stored;
    }
    return fgi_c_items(codec, items, count, item_size, min_bytes);
}

static void end_steps(struct fgi_codec *codec)
{
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_end(codec->visitor->context);
    }
}

void fgi_fields_samples(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_samples *list = payload;
    int64_t before = 0;
    fgi_c_ref(codec, "track", FGI_REF_TRACK, &list->track);
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &list->clock);
    fgi_c_symbol(codec, "unit", &list->unit);
    struct fg_cap_sample *items = begin_steps(codec, "samples", (const void **)&list->samples,
                                              &list->sample_count, sizeof *items, 3);
    for (size_t i = 0; i < list->sample_count && !codec->in.failed; i++) {
        fields_sample(codec, &items[i], &before);
    }
    end_steps(codec);
}

void fgi_fields_metric(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_metric *metric = payload;
    fgi_c_u32(codec, "id", &metric->id);
    fgi_c_u32(codec, "kind", &metric->kind);
    fgi_c_ref_opt(codec, "track", FGI_REF_TRACK, &metric->track);
    fgi_c_symbol(codec, "name", &metric->name);
    fgi_c_symbol(codec, "unit", &metric->unit);
    fgi_c_symbol(codec, "description", &metric->description);
    if (fgi_c_appended(codec, metric->accuracy != 0)) {
        fgi_c_u32(codec, "accuracy", &metric->accuracy);
    }
}

void fgi_fields_metric_samples(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_metric_samples *list = payload;
    int64_t before = 0;
    fgi_c_ref(codec, "metric", FGI_REF_METRIC, &list->metric);
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &list->clock);
    struct fg_cap_metric_sample *items = begin_steps(
        codec, "samples", (const void **)&list->samples, &list->sample_count, sizeof *items, 3);
    for (size_t i = 0; i < list->sample_count && !codec->in.failed; i++) {
        fields_metric_sample(codec, &items[i], &before);
    }
    end_steps(codec);
}

void fgi_fields_resource_events(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_resource_events *list = payload;
    int64_t before = 0;
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &list->clock);
    struct fg_cap_resource_event *items = begin_steps(codec, "events", (const void **)&list->events,
                                                      &list->event_count, sizeof *items, 8);
    for (size_t i = 0; i < list->event_count && !codec->in.failed; i++) {
        fields_resource_event(codec, &items[i], &before);
    }
    end_steps(codec);
    if (!fgi_c_appended(codec, list->detail_count != 0)) {
        return;
    }
    FGI_C_LIST(codec, list, details, detail_count, 8, fields_resource_detail);
    if (codec->mode == FGI_CODEC_DECODE && !fgi_resource_details_check(list)) {
        fgi_c_fail(codec, FG_ERR_CORRUPT);
    }
}

/* ---- ZRAW: fixed width, so that memory of a ring is a payload as it stands ------------------- */

static void visit_event(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_event *event = payload;
    const struct fgi_codec_visitor *visitor = codec->visitor;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u64(codec, "ticks", &event->ticks);
    fgi_c_symbol(codec, "symbol", &event->symbol);
    visitor->value(visitor->context, "kind", FGI_KIND_U16, &event->kind);
    visitor->value(visitor->context, "depth", FGI_KIND_U16, &event->depth);
    fgi_c_u64(codec, "value", &event->value);
    fgi_c_struct_end(codec);
}

static void encode_events(struct fgi_codec *codec, const struct fg_cap_events *events)
{
    fgi_put_u32(codec->out, events->track);
    fgi_put_u32(codec->out, events->clock);
    fgi_put_u64(codec->out, events->first_sequence);
    fgi_put_u64(codec->out, events->dropped_count);
    fgi_put_u32(codec->out, (uint32_t)events->event_count);
    fgi_put_u32(codec->out, sizeof(struct fg_cap_event));
    fgi_put_zeros(codec->out, 16);
    for (size_t i = 0; i < events->event_count; i++) {
        fgi_put_u64(codec->out, events->events[i].ticks);
        fgi_put_u32(codec->out, events->events[i].symbol);
        fgi_put_u16(codec->out, events->events[i].kind);
        fgi_put_u16(codec->out, events->events[i].depth);
        fgi_put_u64(codec->out, events->events[i].value);
    }
}

static void decode_events(struct fgi_codec *codec, struct fg_cap_events *events)
{
    struct fgi_reader *in = &codec->in;
    events->track = fgi_get_u32(in);
    events->clock = fgi_get_u32(in);
    events->first_sequence = fgi_get_u64(in);
    events->dropped_count = fgi_get_u64(in);
    events->event_count = fgi_get_u32(in);
    size_t event_size = fgi_get_u32(in);
    (void)fgi_get_raw(in, 16);
    if (event_size < sizeof(struct fg_cap_event)) {
        fgi_c_fail(codec, FG_ERR_CORRUPT);
    }
    struct fg_cap_event *items = fgi_c_items(codec, (const void **)&events->events,
                                             &events->event_count, sizeof *items, event_size);
    for (size_t i = 0; i < events->event_count; i++) {
        const uint8_t *raw = fgi_get_raw(in, event_size);
        items[i] = (struct fg_cap_event){
            .ticks = fgi_load_u64(raw),
            .symbol = fgi_load_u32(raw + 8),
            .kind = fgi_load_u16(raw + 12),
            .depth = fgi_load_u16(raw + 14),
            .value = fgi_load_u64(raw + 16),
        };
    }
}

/* References of both directions, in the order of the fields. */
static void refer_events(struct fgi_codec *codec, const struct fg_cap_events *events)
{
    if (codec->on_ref == NULL || codec->in.failed) {
        return;
    }
    codec->on_ref(codec->context, FGI_REF_TRACK, events->track);
    codec->on_ref(codec->context, FGI_REF_CLOCK, events->clock);
    for (size_t i = 0; i < events->event_count; i++) {
        const struct fg_cap_event *event = &events->events[i];
        if (event->kind != FG_CAP_EVENT_NONE && event->symbol != 0) {
            codec->on_ref(codec->context, FGI_REF_SYMBOL, event->symbol);
        }
    }
}

void fgi_fields_events(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_events *events = payload;
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        encode_events(codec, events);
        refer_events(codec, events);
        break;
    case FGI_CODEC_DECODE:
        decode_events(codec, events);
        refer_events(codec, events);
        break;
    case FGI_CODEC_VISIT:
        fgi_c_u32(codec, "track", &events->track);
        fgi_c_u32(codec, "clock", &events->clock);
        fgi_c_u64(codec, "first_sequence", &events->first_sequence);
        fgi_c_u64(codec, "dropped_count", &events->dropped_count);
        FGI_C_LIST(codec, events, events, event_count, 0, visit_event);
        break;
    }
}
