/* SPDX-License-Identifier: MIT */
/* SPAN by columns, DEPS, ARGS. FORMAT.md, 7.3, 7.4. */
#include "capture/cap_codec.h"

#include <string.h>

enum {
    COLUMN_DEPTH = 1,
    COLUMN_CATEGORY = 2,
    COLUMN_FLAGS = 4,
    COLUMN_FRAME = 8,
    COLUMN_OBJECT = 16,
    COLUMN_VALUE = 32,
};

/* Which columns hold anything but their default. */
static uint32_t columns_of(const struct fg_cap_span_block *block)
{
    uint32_t columns = 0;
    for (size_t i = 0; i < block->span_count; i++) {
        const struct fg_cap_block_span *span = &block->spans[i];
        columns |= span->depth != 0 ? COLUMN_DEPTH : 0;
        columns |= span->category != 0 ? COLUMN_CATEGORY : 0;
        columns |= span->flags != 0 ? COLUMN_FLAGS : 0;
        columns |= span->frame != FG_CAP_UNKNOWN ? COLUMN_FRAME : 0;
        columns |= span->object != FG_CAP_UNKNOWN ? COLUMN_OBJECT : 0;
        columns |= span->value != 0 ? COLUMN_VALUE : 0;
    }
    return columns;
}

static void visit_block_span(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_block_span *span = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_i64(codec, "begin_ticks", &span->begin_ticks);
    fgi_c_i64(codec, "end_ticks", &span->end_ticks);
    fgi_c_u32(codec, "depth", &span->depth);
    fgi_c_symbol(codec, "name", &span->name);
    fgi_c_symbol(codec, "category", &span->category);
    fgi_c_u32(codec, "flags", &span->flags);
    fgi_c_opt64(codec, "frame", &span->frame);
    fgi_c_opt64(codec, "object", &span->object);
    fgi_c_i64(codec, "value", &span->value);
    fgi_c_struct_end(codec);
}

/* Begins and ends. A decoded time that would leave int64 is refused: the unsigned deltas only go
 * up, so a value below its base has wrapped. */
static void time_columns(struct fgi_codec *codec, struct fg_cap_block_span *spans, size_t count,
                         int64_t first_ticks)
{
    int64_t before = first_ticks;
    for (size_t i = 0; i < count; i++) {
        uint64_t begin = (uint64_t)spans[i].begin_ticks;
        fgi_c_udelta(codec, NULL, (uint64_t)before, &begin);
        if (codec->mode == FGI_CODEC_DECODE && (int64_t)begin < before) {
            fgi_c_fail(codec, FG_ERR_CORRUPT);
            return;
        }
        if (codec->mode == FGI_CODEC_DECODE) {
            spans[i].begin_ticks = (int64_t)begin;
        }
        before = (int64_t)begin;
    }
    for (size_t i = 0; i < count; i++) {
        uint64_t end = (uint64_t)spans[i].end_ticks;
        fgi_c_udelta(codec, NULL, (uint64_t)spans[i].begin_ticks, &end);
        if (codec->mode == FGI_CODEC_DECODE) {
            spans[i].end_ticks = (int64_t)end;
            if (spans[i].end_ticks < spans[i].begin_ticks) {
                fgi_c_fail(codec, FG_ERR_CORRUPT);
                return;
            }
        }
    }
}

static void other_columns(struct fgi_codec *codec, struct fg_cap_block_span *spans, size_t count,
                          uint32_t columns)
{
    for (size_t i = 0; i < count && (columns & COLUMN_DEPTH) != 0; i++) {
        fgi_c_u32(codec, NULL, &spans[i].depth);
    }
    for (size_t i = 0; i < count; i++) {
        fgi_c_symbol(codec, NULL, &spans[i].name);
    }
    for (size_t i = 0; i < count && (columns & COLUMN_CATEGORY) != 0; i++) {
        fgi_c_symbol(codec, NULL, &spans[i].category);
    }
    for (size_t i = 0; i < count && (columns & COLUMN_FLAGS) != 0; i++) {
        fgi_c_u32(codec, NULL, &spans[i].flags);
    }
    for (size_t i = 0; i < count && (columns & COLUMN_FRAME) != 0; i++) {
        fgi_c_opt64(codec, NULL, &spans[i].frame);
    }
    for (size_t i = 0; i < count && (columns & COLUMN_OBJECT) != 0; i++) {
        fgi_c_opt64(codec, NULL, &spans[i].object);
    }
    for (size_t i = 0; i < count && (columns & COLUMN_VALUE) != 0; i++) {
        fgi_c_i64(codec, NULL, &spans[i].value);
    }
}

/* The header's range must be the one that the spans have. */
static void check_range(struct fgi_codec *codec, const struct fg_cap_span_block *block)
{
    if (codec->mode != FGI_CODEC_DECODE || codec->in.failed) {
        return;
    }
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < block->span_count; i++) {
        last = block->spans[i].end_ticks > last ? block->spans[i].end_ticks : last;
    }
    if (block->spans[0].begin_ticks != block->first_ticks || last != block->last_ticks) {
        fgi_c_fail(codec, FG_ERR_CORRUPT);
    }
}

void fgi_fields_span_block(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_span_block *block = payload;
    uint64_t first = (uint64_t)block->first_ticks;
    uint64_t last = (uint64_t)block->last_ticks;
    fgi_c_u32(codec, "id", &block->id);
    fgi_c_ref(codec, "track", FGI_REF_TRACK, &block->track);
    fgi_c_ref(codec, "clock", FGI_REF_CLOCK, &block->clock);
    if (codec->mode == FGI_CODEC_VISIT) {
        fgi_c_i64(codec, "first_ticks", &block->first_ticks);
        fgi_c_i64(codec, "last_ticks", &block->last_ticks);
        FGI_C_LIST(codec, block, spans, span_count, 3, visit_block_span);
        return;
    }
    fgi_c_fix64(codec, "first_ticks", &first);
    fgi_c_fix64(codec, "last_ticks", &last);
    uint32_t count = (uint32_t)block->span_count;
    uint32_t columns = codec->mode == FGI_CODEC_ENCODE ? columns_of(block) : 0;
    fgi_c_u32(codec, "span_count", &count);
    fgi_c_u32(codec, "columns", &columns);
    struct fg_cap_block_span *spans = NULL;
    if (codec->mode == FGI_CODEC_DECODE) {
        block->first_ticks = (int64_t)first;
        block->last_ticks = (int64_t)last;
        block->span_count = count;
        if (count == 0 || count > FG_CAP_BLOCK_SPANS) {
            fgi_c_fail(codec, FG_ERR_CORRUPT);
        }
    }
    spans = fgi_c_items(codec, (const void **)&block->spans, &block->span_count, sizeof *spans, 3);
    if (codec->in.failed) {
        return;
    }
    for (size_t i = 0; i < block->span_count && codec->mode == FGI_CODEC_DECODE; i++) {
        spans[i].frame = spans[i].object = FG_CAP_UNKNOWN;
    }
    time_columns(codec, spans, block->span_count, block->first_ticks);
    other_columns(codec, spans, block->span_count, columns);
    check_range(codec, block);
}

static void fields_ref(struct fgi_codec *codec, const char *name, struct fg_cap_ref *ref)
{
    fgi_c_struct_begin(codec, name);
    fgi_c_u32(codec, "kind", &ref->kind);
    fgi_c_u64(codec, "a", &ref->a);
    fgi_c_u64(codec, "b", &ref->b);
    fgi_c_struct_end(codec);
}

/* value = base + step, where the sum must not wrap. */
static void up_step(struct fgi_codec *codec, uint64_t base, uint64_t *value)
{
    fgi_c_udelta(codec, NULL, base, value);
    if (codec->mode == FGI_CODEC_DECODE && *value < base) {
        fgi_c_fail(codec, FG_ERR_CORRUPT);
    }
}

/* Stored as steps from the dependency before, which is what sorting by source is for. */
static void stored_dependency(struct fgi_codec *codec, struct fg_cap_dependency *dependency,
                              struct fg_cap_ref *before)
{
    uint64_t kind = dependency->from.kind;
    up_step(codec, before->kind, &kind);
    if (codec->mode == FGI_CODEC_DECODE) {
        dependency->from.kind = (uint32_t)kind;
        if (kind > UINT32_MAX) {
            fgi_c_fail(codec, FG_ERR_CORRUPT);
        }
    }
    uint64_t base_a = kind == before->kind ? before->a : 0;
    up_step(codec, base_a, &dependency->from.a);
    bool same = kind == before->kind && dependency->from.a == before->a;
    up_step(codec, same ? before->b : 0, &dependency->from.b);
    fgi_c_u32(codec, NULL, &dependency->to.kind);
    fgi_c_delta(codec, NULL, dependency->from.a, &dependency->to.a);
    fgi_c_delta(codec, NULL, dependency->from.b, &dependency->to.b);
    fgi_c_u32(codec, NULL, &dependency->family);
    fgi_c_u32(codec, NULL, &dependency->flags);
    fgi_c_symbol(codec, NULL, &dependency->name);
    *before = dependency->from;
}

static void visit_dependency(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_dependency *dependency = payload;
    fgi_c_struct_begin(codec, NULL);
    fields_ref(codec, "from", &dependency->from);
    fields_ref(codec, "to", &dependency->to);
    fgi_c_u32(codec, "family", &dependency->family);
    fgi_c_u32(codec, "flags", &dependency->flags);
    fgi_c_symbol(codec, "name", &dependency->name);
    fgi_c_struct_end(codec);
}

void fgi_fields_dependencies(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_dependencies *list = payload;
    if (codec->mode == FGI_CODEC_VISIT) {
        FGI_C_LIST(codec, list, dependencies, dependency_count, 9, visit_dependency);
        return;
    }
    uint32_t count = (uint32_t)list->dependency_count;
    fgi_c_u32(codec, "dependencies", &count);
    if (codec->mode == FGI_CODEC_DECODE) {
        list->dependency_count = count;
    }
    struct fg_cap_dependency *dependencies =
        fgi_c_items(codec, (const void **)&list->dependencies, &list->dependency_count,
                    sizeof *dependencies, 9);
    struct fg_cap_ref before = { 0 };
    for (size_t i = 0; i < list->dependency_count && !codec->in.failed; i++) {
        stored_dependency(codec, &dependencies[i], &before);
    }
}

static void fields_argument(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_argument *argument = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_symbol(codec, "key", &argument->key);
    fgi_c_value(codec, "value", &argument->value);
    fgi_c_struct_end(codec);
}

static void fields_argument_list(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_argument_list *list = payload;
    fgi_c_struct_begin(codec, NULL);
    fields_ref(codec, "owner", &list->owner);
    FGI_C_LIST(codec, list, arguments, argument_count, 3, fields_argument);
    fgi_c_struct_end(codec);
}

/** An argument of a number, in one go: thousands are written at the end of a frame. */
static void encode_number(struct fgi_bytes *out, const struct fg_cap_argument *argument)
{
    const struct fg_cap_value *value = &argument->value;
    if (out->capacity - out->size < 3 * FGI_VARINT_MAX &&
        !fgi_bytes_reserve(out, 3 * FGI_VARINT_MAX)) {
        return;
    }
    uint8_t *at = fgi_store_varint(out->data + out->size, argument->key);
    at = fgi_store_varint(at, value->kind);
    if (value->kind == FG_CAP_VALUE_F64) {
        uint64_t bits;
        memcpy(&bits, &value->f, sizeof bits);
        fgi_store_u64(at, bits);
        at += sizeof bits;
    } else {
        at =
            fgi_store_varint(at, value->kind == FG_CAP_VALUE_INT ? fgi_zigzag(value->i) : value->u);
    }
    out->size = (size_t)(at - out->data);
}

/**
 * As fields_argument_list(). Neighbours have the same keys at the same places mostly, and what the
 * list before has told of need not be told again.
 */
static void encode_argument_list(struct fgi_codec *codec, struct fg_cap_argument_list *list,
                                 const struct fg_cap_argument_list *before)
{
    struct fgi_bytes *out = codec->out;
    if (!fgi_bytes_reserve(out, 4 * FGI_VARINT_MAX)) {
        return;
    }
    uint8_t *at = fgi_store_varint(out->data + out->size, list->owner.kind);
    at = fgi_store_varint(at, list->owner.a);
    at = fgi_store_varint(at, list->owner.b);
    at = fgi_store_varint(at, list->argument_count);
    out->size = (size_t)(at - out->data);
    for (size_t i = 0; i < list->argument_count; i++) {
        const struct fg_cap_argument *argument = &list->arguments[i];
        const bool is_told = before != NULL && i < before->argument_count &&
                             before->arguments[i].key == argument->key;
        if (argument->value.kind > FG_CAP_VALUE_BOOL || !is_told) {
            fields_argument(codec, (void *)argument);
        } else {
            encode_number(out, argument);
        }
    }
}

void fgi_fields_arguments(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_arguments *arguments = payload;
    if (codec->mode == FGI_CODEC_ENCODE && codec->spell_out == NULL) {
        struct fg_cap_argument_list *lists = (struct fg_cap_argument_list *)arguments->lists;
        fgi_put_varint(codec->out, arguments->list_count);
        for (size_t i = 0; i < arguments->list_count; i++) {
            encode_argument_list(codec, &lists[i], i != 0 ? &lists[i - 1] : NULL);
        }
        return;
    }
    FGI_C_LIST(codec, arguments, lists, list_count, 4, fields_argument_list);
}
