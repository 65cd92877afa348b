/* SPDX-License-Identifier: MIT */
/* Spans, one by one or by columns, into blocks. */
#include "base/alloc.h"
#include "trace/build.h"
#include <string.h>

/* Depths over this are taken for it. */
enum { STORED_DEPTH_MAX = UINT16_MAX };

struct fgi_span_in fgi_span_in_make(uint32_t track, uint32_t name, int64_t start_ns, int64_t end_ns)
{
    return (struct fgi_span_in){
        .track = track,
        .name = name,
        .start_ns = start_ns,
        .end_ns = end_ns,
        .parent = FGI_FIND,
        .frame = FG_NONE,
        .pass = FG_NONE,
        .origin = FG_NONE,
        .logical = FG_NONE,
    };
}

/* False: no memory, and the builder has failed. */
static bool have_open_block(struct fgi_builder *builder)
{
    if (!builder->open.start_ns) {
        fgi_builder_fail(builder, fgi_blocks_open(builder->trace->store, &builder->open));
    }
    return builder->result == FG_OK;
}

void fgi_builder_finish_spans(struct fgi_builder *builder)
{
    if (builder->trace) {
        fgi_blocks_discard(builder->trace->store, &builder->open);
    }
    for (size_t i = 0; i < builder->depths.count; i++) {
        fgi_free(builder->allocator, builder->depths.items[i],
                 FGI_BLOCK_SPANS * sizeof *builder->depths.items[i]);
    }
    fgi_free(builder->allocator, builder->depths.items,
             builder->depths.capacity * sizeof *builder->depths.items);
}

static uint32_t keep_args(struct fgi_builder *builder, const struct fg_trace_arg *args,
                          uint32_t count)
{
    struct fg_trace *trace = builder->trace;
    if (count == 0 || builder->result != FG_OK) {
        return FG_NONE;
    }
    size_t first = trace->args.count;
    fgi_builder_fail(builder, FGI_GROW(trace->allocator, trace->args.items, trace->args.capacity,
                                       first + 1 + count, FG_NONE));
    if (builder->result != FG_OK) {
        return FG_NONE;
    }
    trace->args.items[first] = (struct fg_trace_arg){ .value.natural = count };
    memcpy(trace->args.items + first + 1, args, count * sizeof *args);
    trace->args.count += 1 + (size_t)count;
    return (uint32_t)first;
}

/* Depths of the block that is being filled, for who has any; NULL once something has failed. */
static uint16_t *open_depths(struct fgi_builder *builder)
{
    size_t block = builder->trace->store->slot_count;
    fgi_builder_fail(builder, FGI_GROW(builder->allocator, builder->depths.items,
                                       builder->depths.capacity, block + 1, FG_NONE));
    while (builder->result == FG_OK && builder->depths.count <= block) {
        builder->depths.items[builder->depths.count++] = NULL;
    }
    if (builder->result == FG_OK && !builder->depths.items[block]) {
        builder->depths.items[block] =
            fgi_calloc(builder->allocator, FGI_BLOCK_SPANS, sizeof(uint16_t));
        fgi_builder_fail(builder, builder->depths.items[block] ? FG_OK : FG_ERR_NO_MEMORY);
    }
    return builder->result == FG_OK ? builder->depths.items[block] : NULL;
}

/* A depth is kept only where a track says its own: traces that are nested by time need none. */
static void keep_depths(struct fgi_builder *builder, uint32_t track, uint32_t first,
                        const uint32_t *depth, uint32_t count)
{
    uint32_t any = 0;
    if (builder->track_stored_depth.items[track] == 0) {
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        any |= depth[i];
    }
    uint16_t *depths = any != 0 ? open_depths(builder) : NULL;
    for (uint32_t i = 0; depths && i < count; i++) {
        builder->clamped_depths += depth[i] > STORED_DEPTH_MAX;
        depths[first + i] = (uint16_t)(depth[i] < STORED_DEPTH_MAX ? depth[i] : STORED_DEPTH_MAX);
    }
}

void fgi_builder_seal(struct fgi_builder *builder)
{
    if (builder->open.count == 0 || builder->result != FG_OK) {
        return;
    }
    struct fgi_block sealed = builder->open;
    sealed.object = builder->open_has_object ? sealed.object : NULL;
    for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
        sealed.extra[c] = builder->open_extras >> c & 1 ? sealed.extra[c] : NULL;
    }
    fgi_builder_fail(builder, fgi_blocks_close(builder->trace->store, &builder->open, &sealed));
    builder->open_extras = 0;
    builder->open_has_object = false;
}

/*
 * Where items [i, i + count) of a column of the open block go; the items before them say nothing
 * when these are the first that do. NULL: neither do these.
 */
static uint32_t *open_column(struct fgi_builder *builder, enum fgi_column column, uint32_t i,
                             bool says)
{
    uint32_t *items = builder->open.extra[column];
    if (builder->open_extras >> column & 1) {
        return items + i;
    }
    if (!says) {
        return NULL;
    }
    uint32_t none = fgi_column_default(column);
    for (uint32_t k = 0; k < i; k++) {
        items[k] = none;
    }
    builder->open_extras |= 1u << column;
    return items + i;
}

static uint64_t *open_objects(struct fgi_builder *builder, uint32_t i, bool says)
{
    if (!builder->open_has_object && says) {
        memset(builder->open.object, 0, i * sizeof *builder->open.object);
        builder->open_has_object = true;
    }
    return builder->open_has_object ? builder->open.object + i : NULL;
}

static void put_extra(struct fgi_builder *builder, uint32_t i, enum fgi_column column,
                      uint32_t value)
{
    uint32_t *item = open_column(builder, column, i, value != fgi_column_default(column));
    if (item) {
        *item = value;
    }
}

static void put_extras(struct fgi_builder *builder, uint32_t i, const struct fgi_span_in *span,
                       uint32_t row, uint32_t args)
{
    put_extra(builder, i, FGI_COLUMN_CATEGORY, span->category);
    put_extra(builder, i, FGI_COLUMN_FRAME, span->frame);
    put_extra(builder, i, FGI_COLUMN_PASS, span->pass);
    put_extra(builder, i, FGI_COLUMN_SCOPE, span->scope);
    put_extra(builder, i, FGI_COLUMN_ORIGIN, span->origin);
    put_extra(builder, i, FGI_COLUMN_LOGICAL, span->logical == FGI_FIND ? row : span->logical);
    put_extra(builder, i, FGI_COLUMN_ARGS, args);
    uint64_t *object = open_objects(builder, i, span->object != 0);
    if (object) {
        *object = span->object;
    }
}

static void keep_fragment(struct fgi_builder *builder, uint32_t first, uint32_t row)
{
    struct fg_trace *trace = builder->trace;
    fgi_builder_fail(builder,
                     FGI_GROW(trace->allocator, trace->fragments.items, trace->fragments.capacity,
                              trace->fragments.count + 1, FG_NONE));
    if (builder->result == FG_OK) {
        trace->fragments.items[trace->fragments.count++] = (struct fgi_fragment){ first, row };
    }
}

static void keep_open_end(struct fgi_builder *builder, uint32_t row)
{
    fgi_builder_fail(builder,
                     FGI_GROW(builder->trace->allocator, builder->open_ends.items,
                              builder->open_ends.capacity, builder->open_ends.count + 1, FG_NONE));
    if (builder->result == FG_OK) {
        builder->open_ends.items[builder->open_ends.count++] = row;
    }
}

/* There may be `count` rows more, on a track that there is. */
static bool may_add(struct fgi_builder *builder, uint32_t track, uint32_t count)
{
    if ((uint64_t)fgi_builder_rows(builder) + count > FGI_FIND) {
        fgi_builder_fail(builder, FG_ERR_LIMIT);
    }
    if (track >= builder->trace->tracks.count) {
        fgi_builder_fail(builder, FG_ERR_ARGUMENT);
    }
    return builder->result == FG_OK && have_open_block(builder);
}

uint32_t fgi_builder_span(struct fgi_builder *builder, const struct fgi_span_in *span)
{
    if (!may_add(builder, span->track, 1)) {
        return FG_NONE;
    }
    uint32_t row = fgi_builder_rows(builder);
    int64_t start = fgi_builder_legal_time(builder, span->start_ns);
    int64_t end = span->open_end ? start : fgi_builder_legal_time(builder, span->end_ns);
    if (end < start) {
        fgi_builder_repair(builder, "end_before_start", 1, UINT64_MAX);
        end = start;
    }
    fgi_builder_saw_time(builder, start);
    fgi_builder_saw_time(builder, end);
    struct fgi_block *block = &builder->open;
    uint32_t i = block->count++;
    block->start_ns[i] = start;
    block->end_ns[i] = end;
    block->name[i] = span->name;
    block->lane[i] = span->track;
    block->parent[i] = span->parent;
    block->classes[i] = (uint16_t)span->classes;
    block->status[i] = (uint8_t)span->status;
    put_extras(builder, i, span, row, keep_args(builder, span->args, span->arg_count));
    keep_depths(builder, span->track, i, &span->depth, 1);
    if (span->logical != FG_NONE) {
        keep_fragment(builder, span->logical == FGI_FIND ? row : span->logical, row);
    }
    if (span->open_end && builder->result == FG_OK) {
        keep_open_end(builder, row);
    }
    builder->trace->tracks.items[span->track].span_count++;
    if (block->count == FGI_BLOCK_SPANS) {
        fgi_builder_seal(builder);
    }
    return builder->result == FG_OK ? row : FG_NONE;
}

/* ---- by columns ------------------------------------------------------------------------------ */

/* The times can stay as they are. */
static bool are_legal(const struct fgi_spans_in *spans, int64_t *out_first, int64_t *out_last)
{
    int64_t first = spans->start_ns[0], last = spans->end_ns[0];
    bool bad = false;
    for (uint32_t i = 0; i < spans->count; i++) {
        int64_t start = spans->start_ns[i], end = spans->end_ns[i];
        first = start < first ? start : first;
        last = end > last ? end : last;
        bad |= end < start;
    }
    *out_first = first;
    *out_last = last;
    return !bad && last <= FG_TIME_MAX;
}

static void put_column(struct fgi_builder *builder, enum fgi_column column, uint32_t i,
                       const uint32_t *values, uint32_t count)
{
    uint32_t none = fgi_column_default(column);
    uint32_t differs = 0;
    for (uint32_t k = 0; values && k < count; k++) {
        differs |= values[k] ^ none;
    }
    uint32_t *items = open_column(builder, column, i, differs != 0);
    for (uint32_t k = 0; items && k < count; k++) {
        items[k] = values ? values[k] : none;
    }
}

static void put_objects(struct fgi_builder *builder, uint32_t i, const uint64_t *values,
                        uint32_t count)
{
    uint64_t any = 0;
    for (uint32_t k = 0; values && k < count; k++) {
        any |= values[k];
    }
    uint64_t *items = open_objects(builder, i, any != 0);
    for (uint32_t k = 0; items && k < count; k++) {
        items[k] = values ? values[k] : 0;
    }
}

/* Items [from, from + count) into the open block, which has room for them. */
static void put_columns(struct fgi_builder *builder, const struct fgi_spans_in *spans,
                        uint32_t from, uint32_t count)
{
    struct fgi_block *block = &builder->open;
    uint32_t i = block->count;
    memcpy(block->start_ns + i, spans->start_ns + from, count * sizeof *block->start_ns);
    memcpy(block->end_ns + i, spans->end_ns + from, count * sizeof *block->end_ns);
    memcpy(block->name + i, spans->name + from, count * sizeof *block->name);
    for (uint32_t k = 0; k < count; k++) {
        block->lane[i + k] = spans->track;
        block->parent[i + k] = FGI_FIND;
        block->classes[i + k] = (uint16_t)spans->classes;
    }
    memset(block->status + i, (int)spans->status, count);
    for (unsigned c = 0; c < FGI_COLUMN_COUNT; c++) {
        const uint32_t *values = c == FGI_COLUMN_CATEGORY ? spans->category
                                 : c == FGI_COLUMN_FRAME  ? spans->frame
                                                          : NULL;
        put_column(builder, (enum fgi_column)c, i, values ? values + from : NULL, count);
    }
    put_objects(builder, i, spans->object ? spans->object + from : NULL, count);
    if (spans->depth) {
        keep_depths(builder, spans->track, i, spans->depth + from, count);
    }
    block->count += count;
}

static void put_one(struct fgi_builder *builder, const struct fgi_spans_in *spans, uint32_t i)
{
    struct fgi_span_in span =
        fgi_span_in_make(spans->track, spans->name[i], spans->start_ns[i], spans->end_ns[i]);
    span.classes = spans->classes;
    span.status = spans->status;
    span.category = spans->category ? spans->category[i] : 0;
    span.frame = spans->frame ? spans->frame[i] : FG_NONE;
    span.depth = spans->depth ? spans->depth[i] : 0;
    span.object = spans->object ? spans->object[i] : 0;
    (void)fgi_builder_span(builder, &span);
}

uint32_t fgi_builder_spans(struct fgi_builder *builder, const struct fgi_spans_in *spans)
{
    if (!may_add(builder, spans->track, spans->count)) {
        return FG_NONE;
    }
    uint32_t row = fgi_builder_rows(builder);
    int64_t first = 0, last = 0;
    if (!are_legal(spans, &first, &last)) {
        for (uint32_t i = 0; i < spans->count; i++) {
            put_one(builder, spans, i);
        }
        return builder->result == FG_OK ? row : FG_NONE;
    }
    fgi_builder_saw_time(builder, first);
    fgi_builder_saw_time(builder, last);
    builder->trace->tracks.items[spans->track].span_count += spans->count;
    for (uint32_t from = 0; from < spans->count && have_open_block(builder);) {
        uint32_t room = FGI_BLOCK_SPANS - builder->open.count;
        uint32_t count = spans->count - from < room ? spans->count - from : room;
        put_columns(builder, spans, from, count);
        from += count;
        if (builder->open.count == FGI_BLOCK_SPANS) {
            fgi_builder_seal(builder);
        }
    }
    return builder->result == FG_OK ? row : FG_NONE;
}
