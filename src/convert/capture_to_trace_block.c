/* SPDX-License-Identifier: MIT */
/*
 * Blocks of spans: what is nothing but a complete span goes into the trace by columns, everything
 * else one by one.
 */
#include "base/alloc.h"
#include "convert/capture_to_trace_priv.h"

/* Where a span of a block is placed. */
struct block_place {
    uint32_t track;
    const struct fgi_clock_map *clock;
    bool is_foreign;
};

static void put_block_instant(struct fgi_conversion *c, const struct block_place *place,
                              const struct fg_cap_block_span *from, uint32_t frame)
{
    int64_t time_ns = fgi_clock_axis_ns(place->clock, (uint64_t)from->begin_ticks);
    uint32_t name = fgi_convert_symbol(c, from->name);
    if (from->flags & FG_CAP_BLOCK_SPAN_MALFORMED) {
        fgi_convert_malformed(c, place->track, time_ns, name, frame);
    } else if (!(from->flags & FG_CAP_BLOCK_SPAN_LOSS)) {
        struct fg_trace_instant marker = {
            .time_ns = time_ns,
            .track = place->track,
            .name = name,
            .category = fgi_convert_symbol(c, from->category),
            .frame = frame,
            .has_value = from->value != 0,
            .value = from->value,
        };
        (void)fgi_builder_instant(c->builder, &marker);
    } else if (from->value > 0) {
        fgi_convert_loss(c, place->track, time_ns, frame, (uint64_t)from->value);
    } else {
        fgi_builder_repair(c->builder, "loss_without_count", 1, UINT64_MAX);
    }
}

static uint32_t put_block_span(struct fgi_conversion *c, uint32_t block,
                               const struct block_place *place,
                               const struct fg_cap_block_span *from, uint32_t frame)
{
    int64_t start = fgi_clock_axis_ns(place->clock, (uint64_t)from->begin_ticks);
    int64_t end = fgi_clock_axis_ns(place->clock, (uint64_t)from->end_ticks);
    struct fgi_span_in span =
        fgi_span_in_make(place->track, fgi_convert_symbol(c, from->name), start, end);
    span.category = fgi_convert_symbol(c, from->category);
    span.classes = FG_CLASS_ZONE;
    span.depth = from->depth;
    span.frame = frame;
    span.object = from->object == FG_CAP_UNKNOWN ? 0 : from->object;
    if (from->flags & FG_CAP_BLOCK_SPAN_UNFINISHED) {
        span.status = FG_SPAN_UNFINISHED;
        span.open_end = true;
    } else if (from->flags & FG_CAP_BLOCK_SPAN_FORCED) {
        span.status = FG_SPAN_FORCED;
    }
    if (place->is_foreign) {
        span.open_end = false;
        (void)fgi_convert_row_kinds(c, block, 1, &span.classes, &span.status);
    }
    struct fg_trace_arg value = { .kind = FG_ARG_INT, .value.integer = from->value };
    if (from->value != 0) {
        value.key = fgi_builder_cstr(c->builder, "value");
        span.args = &value;
        span.arg_count = 1;
    }
    return fgi_builder_span(c->builder, &span);
}

static struct block_place place_of(struct fgi_conversion *c, uint32_t track, uint32_t clock)
{
    return (struct block_place){
        .track = fgi_convert_track(c, track, clock, FG_TRACK_THREAD),
        .clock = fgi_clocks_find(&c->clocks, clock),
        .is_foreign = fgi_convert_is_foreign(c, clock),
    };
}

static uint32_t frame_of(struct fgi_conversion *c, const struct block_place *place, uint64_t frame,
                         int64_t begin_ticks)
{
    return frame != FG_CAP_UNKNOWN
               ? fgi_convert_frame_index(c, frame)
               : fgi_convert_frame_at(c, fgi_clock_axis_ns(place->clock, (uint64_t)begin_ticks));
}

/* Span or marker `i` of a block. */
static void put_item(struct fgi_conversion *c, uint32_t block, uint32_t i,
                     const struct block_place *place, const struct fg_cap_block_span *from)
{
    const uint32_t instant =
        FG_CAP_BLOCK_SPAN_INSTANT | FG_CAP_BLOCK_SPAN_LOSS | FG_CAP_BLOCK_SPAN_MALFORMED;
    uint32_t frame = frame_of(c, place, from->frame, from->begin_ticks);
    if (from->flags & instant) {
        put_block_instant(c, place, from, frame);
        return;
    }
    uint32_t row = put_block_span(c, block, place, from, frame);
    if (c->wants_refs && row != FG_NONE) {
        fgi_convert_ref_run(c, FG_CAP_REF_BLOCK_SPAN, block, i, row, 1);
    }
}

void fgi_convert_span_block(struct fgi_conversion *c, const struct fg_cap_span_block *block)
{
    const struct block_place place = place_of(c, block->track, block->clock);
    for (size_t i = 0; i < block->span_count; i++) {
        put_item(c, block->id, (uint32_t)i, &place, &block->spans[i]);
    }
}

/* ---- by columns ------------------------------------------------------------------------------ */

/* Text ids of symbols, in place. Symbols are numbered from 1 on, so that a list is enough. */
static void symbols_to_texts(struct fgi_conversion *c, uint32_t *symbols, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t symbol = symbols[i];
        uint32_t text = symbol < c->symbol_texts.count ? c->symbol_texts.items[symbol] : 0;
        if (text == 0 && symbol != 0) {
            text = fgi_convert_symbol(c, symbol);
            while (c->symbol_texts.count <= symbol && FGI_PUT(c, c->symbol_texts, 0)) {
            }
            if (symbol < c->symbol_texts.count) {
                c->symbol_texts.items[symbol] = text;
            }
        }
        symbols[i] = text;
    }
}

/* Frames of items [first, first + count), before times are converted; NULL: there are none. */
static const uint32_t *find_frames(struct fgi_conversion *c, const struct block_place *place,
                                   const struct fgi_span_columns *from, uint32_t first,
                                   uint32_t count)
{
    if (!from->frame && c->frame_times.count == 0) {
        return NULL;
    }
    c->block_frames.count = 0;
    for (uint32_t i = first; i < first + count; i++) {
        uint64_t frame = from->frame ? from->frame[i] : FG_CAP_UNKNOWN;
        if (!FGI_PUT(c, c->block_frames, frame_of(c, place, frame, from->begin_ticks[i]))) {
            return NULL;
        }
    }
    return c->block_frames.items;
}

/* Items [first, first + count), none of which has flags or a value. The columns are used up. */
static void put_plain(struct fgi_conversion *c, const struct block_place *place,
                      const struct fgi_span_columns *from, uint32_t first, uint32_t count)
{
    struct fgi_spans_in in = {
        .track = place->track,
        .start_ns = from->begin_ticks + first,
        .end_ns = from->end_ticks + first,
        .name = from->name + first,
        .category = from->category ? from->category + first : NULL,
        .depth = from->depth ? from->depth + first : NULL,
        .object = from->object ? from->object + first : NULL,
        .frame = find_frames(c, place, from, first, count),
    };
    fgi_clock_axis_all(place->clock, from->begin_ticks + first, count);
    fgi_clock_axis_all(place->clock, from->end_ticks + first, count);
    symbols_to_texts(c, from->name + first, count);
    if (from->category) {
        symbols_to_texts(c, from->category + first, count);
    }
    for (uint32_t i = first; from->object && i < first + count; i++) {
        from->object[i] = from->object[i] == FG_CAP_UNKNOWN ? 0 : from->object[i];
    }
    uint32_t row = fgi_builder_rows(c->builder);
    for (uint32_t done = 0; done < count && fgi_builder_result(c->builder) == FG_OK;) {
        in.classes = FG_CLASS_ZONE;
        in.status = FG_SPAN_COMPLETE;
        in.count = count - done;
        if (place->is_foreign) {
            in.count = fgi_convert_row_kinds(c, from->id, count - done, &in.classes, &in.status);
        }
        (void)fgi_builder_spans(c->builder, &in);
        done += in.count;
        in.start_ns += in.count;
        in.end_ns += in.count;
        in.name += in.count;
        in.category = in.category ? in.category + in.count : NULL;
        in.depth = in.depth ? in.depth + in.count : NULL;
        in.object = in.object ? in.object + in.count : NULL;
        in.frame = in.frame ? in.frame + in.count : NULL;
    }
    if (c->wants_refs && fgi_builder_result(c->builder) == FG_OK) {
        fgi_convert_ref_run(c, FG_CAP_REF_BLOCK_SPAN, from->id, first, row, count);
    }
}

static bool is_plain(const struct fgi_span_columns *from, uint32_t i)
{
    return (!from->flags || from->flags[i] == 0) && (!from->value || from->value[i] == 0);
}

void fgi_convert_span_columns(struct fgi_conversion *c, const struct fgi_span_columns *from)
{
    const struct block_place place = place_of(c, from->track, from->clock);
    for (uint32_t i = 0; i < from->count && fgi_builder_result(c->builder) == FG_OK;) {
        uint32_t end = i;
        if (!from->flags && !from->value) {
            end = from->count;
        }
        while (end < from->count && is_plain(from, end)) {
            end++;
        }
        if (end > i) {
            put_plain(c, &place, from, i, end - i);
            i = end;
        } else {
            const struct fg_cap_block_span item = fgi_span_columns_item(from, i);
            put_item(c, from->id, i, &place, &item);
            i++;
        }
    }
}
