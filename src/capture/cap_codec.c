/* SPDX-License-Identifier: MIT */
/* The primitive fields of payloads, in all directions. */
#include "capture/cap_codec.h"

#include <string.h>

void fgi_c_fail(struct fgi_codec *codec, enum fg_result result)
{
    if (codec->result == FG_OK) {
        codec->result = result;
    }
    codec->in.failed = true;
}

enum fg_result fgi_c_result(const struct fgi_codec *codec)
{
    if (codec->result != FG_OK) {
        return codec->result;
    }
    if (codec->mode == FGI_CODEC_ENCODE) {
        return codec->out->result;
    }
    return codec->mode == FGI_CODEC_DECODE && codec->in.failed ? FG_ERR_CORRUPT : FG_OK;
}

static void visit(struct fgi_codec *codec, const char *name, enum fgi_codec_kind kind, void *value)
{
    codec->visitor->value(codec->visitor->context, name, kind, value);
}

static void refer(struct fgi_codec *codec, enum fgi_codec_ref kind, uint32_t id)
{
    if (codec->on_ref != NULL && !codec->in.failed) {
        codec->on_ref(codec->context, kind, id);
    }
}

void fgi_c_u32(struct fgi_codec *codec, const char *name, uint32_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_varint(codec->out, *value);
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_varint32(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_U32, value);
        break;
    }
}

void fgi_c_u64(struct fgi_codec *codec, const char *name, uint64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_varint(codec->out, *value);
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_varint(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_U64, value);
        break;
    }
}

void fgi_c_i64(struct fgi_codec *codec, const char *name, int64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_svarint(codec->out, *value);
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_svarint(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_I64, value);
        break;
    }
}

void fgi_c_f64(struct fgi_codec *codec, const char *name, double *value)
{
    uint64_t bits;
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        memcpy(&bits, value, sizeof bits);
        fgi_put_u64(codec->out, bits);
        break;
    case FGI_CODEC_DECODE:
        bits = fgi_get_u64(&codec->in);
        memcpy(value, &bits, sizeof bits);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_F64, value);
        break;
    }
}

void fgi_c_opt32(struct fgi_codec *codec, const char *name, uint32_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_varint(codec->out, (uint32_t)(*value + 1u));
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_varint32(&codec->in) - 1u;
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_OPT32, value);
        break;
    }
}

void fgi_c_opt64(struct fgi_codec *codec, const char *name, uint64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_varint(codec->out, *value + 1u);
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_varint(&codec->in) - 1u;
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_OPT64, value);
        break;
    }
}

void fgi_c_fix64(struct fgi_codec *codec, const char *name, uint64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_u64(codec->out, *value);
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_u64(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_U64, value);
        break;
    }
}

void fgi_c_symbol(struct fgi_codec *codec, const char *name, uint32_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        if (codec->spell_out != NULL) {
            size_t size;
            const char *text = fgi_strings_get(codec->spell_out, *value, &size);
            fgi_put_text(codec->out, text, size);
            return;
        }
        fgi_put_varint(codec->out, *value);
        break;
    case FGI_CODEC_DECODE:
        *value = fgi_get_varint32(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_SYMBOL, value);
        return;
    }
    if (*value != 0) {
        refer(codec, FGI_REF_SYMBOL, *value);
    }
}

void fgi_c_text(struct fgi_codec *codec, const char *name, struct fg_cap_text *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_text(codec->out, value->data != NULL ? value->data : "", value->size);
        break;
    case FGI_CODEC_DECODE:
        value->data = fgi_get_text(&codec->in, &value->size);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_TEXT, value);
        break;
    }
}

void fgi_c_ref(struct fgi_codec *codec, const char *name, enum fgi_codec_ref kind, uint32_t *value)
{
    fgi_c_u32(codec, name, value);
    if (codec->mode != FGI_CODEC_VISIT) {
        refer(codec, kind, *value);
    }
}

void fgi_c_ref_opt(struct fgi_codec *codec, const char *name, enum fgi_codec_ref kind,
                   uint32_t *value)
{
    fgi_c_opt32(codec, name, value);
    if (codec->mode != FGI_CODEC_VISIT && *value != FG_CAP_NONE) {
        refer(codec, kind, *value);
    }
}

void fgi_c_delta(struct fgi_codec *codec, const char *name, uint64_t base, uint64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_svarint(codec->out, (int64_t)(*value - base));
        break;
    case FGI_CODEC_DECODE:
        *value = base + (uint64_t)fgi_get_svarint(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_U64, value);
        break;
    }
}

void fgi_c_udelta(struct fgi_codec *codec, const char *name, uint64_t base, uint64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_varint(codec->out, *value - base);
        break;
    case FGI_CODEC_DECODE:
        *value = base + fgi_get_varint(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_U64, value);
        break;
    }
}

void fgi_c_step(struct fgi_codec *codec, const char *name, int64_t *before, int64_t *value)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_svarint(codec->out, (int64_t)((uint64_t)*value - (uint64_t)*before));
        break;
    case FGI_CODEC_DECODE:
        *value = (int64_t)((uint64_t)*before + (uint64_t)fgi_get_svarint(&codec->in));
        break;
    case FGI_CODEC_VISIT:
        visit(codec, name, FGI_KIND_I64, value);
        break;
    }
    *before = *value;
}

void fgi_c_struct_begin(struct fgi_codec *codec, const char *name)
{
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->struct_begin(codec->visitor->context, name);
    }
}

void fgi_c_struct_end(struct fgi_codec *codec)
{
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->struct_end(codec->visitor->context);
    }
}

bool fgi_c_appended(const struct fgi_codec *codec, bool is_said)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        return is_said;
    case FGI_CODEC_DECODE:
        return !codec->in.failed && fgi_reader_left(&codec->in) != 0;
    case FGI_CODEC_VISIT:
        break;
    }
    return true;
}

void *fgi_c_items(struct fgi_codec *codec, const void **items, size_t *count, size_t item_size,
                  size_t min_bytes)
{
    if (codec->mode != FGI_CODEC_DECODE) {
        return (void *)*items;
    }
    *items = NULL;
    if (codec->in.failed) {
        *count = 0;
    }
    if (*count == 0) {
        return NULL;
    }
    if (min_bytes != 0 && *count > fgi_reader_left(&codec->in) / min_bytes) {
        *count = 0;
        fgi_c_fail(codec, FG_ERR_CORRUPT);
        return NULL;
    }
    void *memory = fgi_arena_alloc(codec->arena, *count, item_size);
    if (memory == NULL) {
        *count = 0;
        fgi_c_fail(codec, FG_ERR_NO_MEMORY);
    }
    *items = memory;
    return memory;
}

void fgi_c_list(struct fgi_codec *codec, const char *name, const void **items, size_t *count,
                size_t item_size, size_t min_bytes, fgi_fields *fields)
{
    switch (codec->mode) {
    case FGI_CODEC_ENCODE:
        fgi_put_varint(codec->out, *count);
        break;
    case FGI_CODEC_DECODE:
        *count = fgi_get_varint32(&codec->in);
        break;
    case FGI_CODEC_VISIT:
        codec->visitor->list_begin(codec->visitor->context, name, items, count, item_size);
        break;
    }
    unsigned char *item = fgi_c_items(codec, items, count, item_size, min_bytes);
    for (size_t i = 0; i < *count && !codec->in.failed; i++) {
        fields(codec, item + i * item_size);
    }
    if (codec->mode == FGI_CODEC_VISIT) {
        codec->visitor->list_end(codec->visitor->context);
    }
}

void fgi_fields_u32_item(struct fgi_codec *codec, void *payload)
{
    fgi_c_u32(codec, NULL, payload);
}

void fgi_fields_text_item(struct fgi_codec *codec, void *payload)
{
    fgi_c_text(codec, NULL, payload);
}

void fgi_fields_drop(struct fgi_codec *codec, void *payload)
{
    struct fg_cap_drop *drop = payload;
    fgi_c_struct_begin(codec, NULL);
    fgi_c_u32(codec, "reason", &drop->reason);
    fgi_c_u64(codec, "count", &drop->count);
    fgi_c_struct_end(codec);
}

/* A symbol in a value is a 64-bit member of the struct but a 32-bit number of the file. */
static void symbol_value(struct fgi_codec *codec, struct fg_cap_value *value)
{
    uint32_t symbol = (uint32_t)value->u;
    fgi_c_symbol(codec, "u", &symbol);
    if (codec->mode == FGI_CODEC_DECODE) {
        value->u = symbol;
    }
}

void fgi_c_value(struct fgi_codec *codec, const char *name, struct fg_cap_value *value)
{
    if (codec->mode == FGI_CODEC_VISIT && codec->visitor->typed != NULL) {
        codec->visitor->typed(codec->visitor->context, name, value);
        return;
    }
    fgi_c_struct_begin(codec, name);
    fgi_c_u32(codec, "kind", &value->kind);
    if (codec->mode == FGI_CODEC_VISIT) {
        fgi_c_i64(codec, "i", &value->i);
        fgi_c_u64(codec, "u", &value->u);
        fgi_c_f64(codec, "f", &value->f);
        fgi_c_text(codec, "text", &value->text);
        fgi_c_struct_end(codec);
        return;
    }
    switch (value->kind) {
    case FG_CAP_VALUE_INT:
        fgi_c_i64(codec, "i", &value->i);
        break;
    case FG_CAP_VALUE_UINT:
    case FG_CAP_VALUE_BOOL:
        fgi_c_u64(codec, "u", &value->u);
        break;
    case FG_CAP_VALUE_F64:
        fgi_c_f64(codec, "f", &value->f);
        break;
    case FG_CAP_VALUE_SYMBOL:
        symbol_value(codec, value);
        break;
    default:
        fgi_c_text(codec, "text", &value->text);
        break;
    }
}
