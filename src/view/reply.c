/* SPDX-License-Identifier: MIT */
#include "view/message.h"
#include <assert.h>
#include <string.h>

static size_t type_bytes(enum fgi_section_type type)
{
    static const uint8_t sizes[] = { 0, 1, 2, 4, 8, 8, 8, 1, 1, 4 };
    return sizes[type];
}

static void add(struct fgi_reply *reply, uint16_t tag, enum fgi_section_type type, const void *data,
                size_t count, size_t bytes)
{
    if (reply->result != FG_OK) {
        return;
    }
    if (bytes > FGI_MAX_REPLY_BYTES || count > UINT32_MAX) {
        reply->result = FG_ERR_LIMIT;
        return;
    }
    assert(reply->section_count < FGI_MAX_SECTIONS);
    reply->sections[reply->section_count++] = (struct fgi_section){
        .tag = tag,
        .type = (uint8_t)type,
        .count = (uint32_t)count,
        .bytes = (uint32_t)bytes,
        .data = data,
    };
}

void fgi_reply_put(struct fgi_reply *reply, uint16_t tag, enum fgi_section_type type,
                   const void *data, size_t count)
{
    if (count > FGI_MAX_REPLY_BYTES) {
        reply->result = reply->result == FG_OK ? FG_ERR_LIMIT : reply->result;
        return;
    }
    add(reply, tag, type, data, count, count * type_bytes(type));
}

void *fgi_reply_column(struct fgi_reply *reply, uint16_t tag, enum fgi_section_type type,
                       size_t count)
{
    if (reply->result != FG_OK) {
        return NULL;
    }
    /* One more, so that an empty column is memory too and NULL means refused. */
    void *column = fgi_arena_alloc(reply->arena, count + 1, type_bytes(type));
    if (column == NULL) {
        reply->result = FG_ERR_NO_MEMORY;
        return NULL;
    }
    fgi_reply_put(reply, tag, type, column, count);
    return column;
}

void fgi_reply_u8(struct fgi_reply *reply, uint16_t tag, uint8_t value)
{
    uint8_t *column = fgi_reply_column(reply, tag, FGI_TYPE_U8, 1);
    if (column != NULL) {
        *column = value;
    }
}

void fgi_reply_u32(struct fgi_reply *reply, uint16_t tag, uint32_t value)
{
    uint32_t *column = fgi_reply_column(reply, tag, FGI_TYPE_U32, 1);
    if (column != NULL) {
        *column = value;
    }
}

void fgi_reply_u64(struct fgi_reply *reply, uint16_t tag, uint64_t value)
{
    uint64_t *column = fgi_reply_column(reply, tag, FGI_TYPE_U64, 1);
    if (column != NULL) {
        *column = value;
    }
}

void fgi_reply_i64(struct fgi_reply *reply, uint16_t tag, int64_t value)
{
    int64_t *column = fgi_reply_column(reply, tag, FGI_TYPE_I64, 1);
    if (column != NULL) {
        *column = value;
    }
}

void fgi_reply_text(struct fgi_reply *reply, uint16_t tag, const char *text)
{
    const char *used = text == NULL ? "" : text;
    fgi_reply_put(reply, tag, FGI_TYPE_TEXT, used, strlen(used));
}

void fgi_reply_texts_sized(struct fgi_reply *reply, uint16_t tag, const char *const *texts,
                           const size_t *sizes, size_t count)
{
    uint64_t total = 0;
    for (size_t i = 0; i < count; i++) {
        total += sizes[i];
    }
    uint64_t bytes = ((uint64_t)count + 1) * 4 + total;
    if (reply->result != FG_OK || bytes > FGI_MAX_REPLY_BYTES) {
        reply->result = reply->result == FG_OK ? FG_ERR_LIMIT : reply->result;
        return;
    }
    uint8_t *data = fgi_arena_alloc(reply->arena, (size_t)bytes, 1);
    if (data == NULL) {
        reply->result = FG_ERR_NO_MEMORY;
        return;
    }
    uint8_t *text = data + (count + 1) * 4;
    uint32_t offset = 0;
    for (size_t i = 0; i < count; i++) {
        if (sizes[i] != 0) {
            memcpy(text + offset, texts[i], sizes[i]);
        }
        offset += (uint32_t)sizes[i];
        fgi_store_u32(data + (i + 1) * 4, offset);
    }
    add(reply, tag, FGI_TYPE_TEXTS, data, count, (size_t)bytes);
}

void fgi_reply_texts(struct fgi_reply *reply, uint16_t tag, const char *const *texts, size_t count)
{
    size_t *sizes = fgi_arena_alloc(reply->arena, count + 1, sizeof *sizes);
    if (sizes == NULL) {
        reply->result = reply->result == FG_OK ? FG_ERR_NO_MEMORY : reply->result;
        return;
    }
    for (size_t i = 0; i < count; i++) {
        sizes[i] = texts[i] == NULL ? 0 : strlen(texts[i]);
    }
    fgi_reply_texts_sized(reply, tag, texts, sizes, count);
}

uint32_t fgi_reply_name(struct fgi_reply *reply, uint32_t name)
{
    if (name != UINT32_MAX && name >= reply->names_used) {
        reply->names_used = name + 1;
    }
    return name;
}

static void put_header(const struct fgi_reply *reply, const struct fgi_request *request,
                       enum fg_result status, uint32_t size, uint32_t sections,
                       struct fgi_bytes *out)
{
    fgi_put_u32(out, FGI_REPLY_MAGIC);
    fgi_put_u16(out, FGI_PROTOCOL_VERSION);
    fgi_put_u16(out, request->kind);
    fgi_put_u32(out, size);
    fgi_put_u16(out, (uint16_t)sections);
    fgi_put_u16(out, reply->flags);
    fgi_put_u32(out, request->id);
    fgi_put_u32(out, reply->client);
    fgi_put_u32(out, request->trace);
    fgi_put_u32(out, request->generation);
    fgi_put_u32(out, reply->names);
    fgi_put_u32(out, (uint32_t)status);
    fgi_put_u64(out, reply->revision);
}

static bool is_error_tag(uint16_t tag)
{
    return tag == FGI_TAG_ERROR_TEXT || tag == FGI_TAG_ERROR_OFFSET;
}

enum fg_result fgi_reply_finish(struct fgi_reply *reply, const struct fgi_request *request,
                                enum fg_result status, struct fgi_bytes *out)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < reply->section_count; i++) {
        bool error = is_error_tag(reply->sections[i].tag);
        if (error == (status != FG_OK)) {
            reply->sections[kept++] = reply->sections[i];
        }
    }
    uint64_t size = FGI_MESSAGE_HEADER + (uint64_t)kept * FGI_SECTION_ENTRY;
    for (uint32_t i = 0; i < kept; i++) {
        size += (reply->sections[i].bytes + UINT64_C(7)) & ~UINT64_C(7);
    }
    if (size > FGI_MAX_REPLY_BYTES) {
        return FG_ERR_LIMIT;
    }
    if (!fgi_bytes_reserve(out, (size_t)size)) {
        return out->result;
    }
    put_header(reply, request, status, (uint32_t)size, kept, out);
    uint32_t offset = (uint32_t)(FGI_MESSAGE_HEADER + kept * FGI_SECTION_ENTRY);
    for (uint32_t i = 0; i < kept; i++) {
        const struct fgi_section *section = &reply->sections[i];
        fgi_put_u16(out, section->tag);
        fgi_put_u8(out, section->type);
        fgi_put_u8(out, 0);
        fgi_put_u32(out, section->count);
        fgi_put_u32(out, offset);
        fgi_put_u32(out, section->bytes);
        offset += (section->bytes + 7) & ~7u;
    }
    for (uint32_t i = 0; i < kept; i++) {
        fgi_put_raw(out, reply->sections[i].data, reply->sections[i].bytes);
        fgi_put_align(out, 8);
    }
    return out->result;
}
