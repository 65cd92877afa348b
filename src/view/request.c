/* SPDX-License-Identifier: MIT */
#include "view/message.h"
#include <string.h>

static uint32_t element_bytes(uint8_t type)
{
    switch (type) {
    case FGI_TYPE_U8:
    case FGI_TYPE_TEXT:
        return 1;
    case FGI_TYPE_U16:
        return 2;
    case FGI_TYPE_U32:
    case FGI_TYPE_I32:
        return 4;
    case FGI_TYPE_U64:
    case FGI_TYPE_I64:
    case FGI_TYPE_F64:
        return 8;
    default:
        return 0;
    }
}

/* n + 1 offsets that rise from 0 to the number of text bytes behind them. */
static bool texts_are_sound(const uint8_t *data, uint32_t count, uint32_t bytes)
{
    uint64_t table = ((uint64_t)count + 1) * 4;
    if (table > bytes) {
        return false;
    }
    uint32_t previous = 0;
    for (uint32_t i = 0; i <= count; i++) {
        uint32_t offset = fgi_load_u32(data + (size_t)i * 4);
        if (offset < previous || (i == 0 && offset != 0)) {
            return false;
        }
        previous = offset;
    }
    return table + previous == bytes;
}

static bool section_is_sound(const struct fgi_section *section)
{
    if (section->type == FGI_TYPE_TEXTS) {
        return texts_are_sound(section->data, section->count, section->bytes);
    }
    uint64_t size = element_bytes(section->type);
    return size != 0 && size * section->count == section->bytes;
}

static enum fg_result parse_header(const uint8_t *bytes, size_t size, struct fgi_request *out)
{
    if (size < FGI_MESSAGE_HEADER || fgi_load_u32(bytes) != FGI_REQUEST_MAGIC) {
        return FG_ERR_FORMAT;
    }
    out->version = fgi_load_u16(bytes + 4);
    out->kind = fgi_load_u16(bytes + 6);
    out->section_count = fgi_load_u16(bytes + 12);
    out->channel = fgi_load_u16(bytes + 14);
    out->id = fgi_load_u32(bytes + 16);
    out->client = fgi_load_u32(bytes + 20);
    out->trace = fgi_load_u32(bytes + 24);
    out->generation = fgi_load_u32(bytes + 28);
    out->names = fgi_load_u32(bytes + 32);
    uint32_t message = fgi_load_u32(bytes + 8);
    if (message < FGI_MESSAGE_HEADER || message % 8 != 0 || message > size) {
        return FG_ERR_FORMAT;
    }
    out->size = message;
    if (out->version != FGI_PROTOCOL_VERSION) {
        return FG_ERR_VERSION;
    }
    if (message > FGI_MAX_REQUEST_BYTES || out->section_count > FGI_MAX_SECTIONS) {
        return FG_ERR_LIMIT;
    }
    bool reserved = fgi_load_u32(bytes + 36) != 0 || fgi_load_u64(bytes + 40) != 0;
    return reserved || out->channel >= FGI_MAX_CHANNELS ? FG_ERR_ARGUMENT : FG_OK;
}

static bool tag_is_new(const struct fgi_request *request, uint32_t count, uint16_t tag)
{
    for (uint32_t i = 0; i < count; i++) {
        if (request->sections[i].tag == tag) {
            return false;
        }
    }
    return true;
}

enum fg_result fgi_request_parse(const uint8_t *bytes, size_t size, struct fgi_request *out_request)
{
    memset(out_request, 0, sizeof *out_request);
    enum fg_result result = parse_header(bytes, size, out_request);
    uint32_t count = out_request->section_count;
    out_request->section_count = 0;
    if (result != FG_OK) {
        return result;
    }
    uint64_t end = FGI_MESSAGE_HEADER + (uint64_t)count * FGI_SECTION_ENTRY;
    if (end > out_request->size) {
        return FG_ERR_FORMAT;
    }
    for (uint32_t i = 0; i < count; i++) {
        const uint8_t *entry = bytes + FGI_MESSAGE_HEADER + (size_t)i * FGI_SECTION_ENTRY;
        uint32_t offset = fgi_load_u32(entry + 8);
        struct fgi_section section = {
            .tag = fgi_load_u16(entry),
            .type = entry[2],
            .count = fgi_load_u32(entry + 4),
            .bytes = fgi_load_u32(entry + 12),
        };
        if (entry[3] != 0) {
            return FG_ERR_ARGUMENT;
        }
        if (offset % 8 != 0 || offset < end ||
            (uint64_t)offset + section.bytes > out_request->size) {
            return FG_ERR_FORMAT;
        }
        section.data = bytes + offset;
        if (!section_is_sound(&section) || !tag_is_new(out_request, i, section.tag)) {
            return FG_ERR_FORMAT;
        }
        end = (uint64_t)offset + section.bytes;
        out_request->sections[i] = section;
        out_request->section_count = i + 1;
    }
    return FG_OK;
}

const struct fgi_section *fgi_request_section(struct fgi_request *request, uint16_t tag,
                                              enum fgi_section_type type)
{
    for (uint32_t i = 0; i < request->section_count; i++) {
        if (request->sections[i].tag != tag) {
            continue;
        }
        if (request->sections[i].type == type) {
            return &request->sections[i];
        }
        request->result = FG_ERR_FORMAT;
    }
    return NULL;
}

const struct fgi_section *fgi_request_exact(struct fgi_request *request, uint16_t tag,
                                            enum fgi_section_type type, uint32_t count)
{
    const struct fgi_section *section = fgi_request_section(request, tag, type);
    if (section != NULL && section->count != count) {
        request->result = FG_ERR_FORMAT;
        return NULL;
    }
    return section;
}

uint32_t fgi_request_u32(struct fgi_request *request, uint16_t tag, uint32_t missing)
{
    const struct fgi_section *section = fgi_request_exact(request, tag, FGI_TYPE_U32, 1);
    return section == NULL ? missing : fgi_section_u32(section, 0);
}

uint32_t fgi_section_u32(const struct fgi_section *section, uint32_t index)
{
    return fgi_load_u32(section->data + (size_t)index * 4);
}

int64_t fgi_section_i64(const struct fgi_section *section, uint32_t index)
{
    return (int64_t)fgi_load_u64(section->data + (size_t)index * 8);
}

uint64_t fgi_section_u64(const struct fgi_section *section, uint32_t index)
{
    return fgi_load_u64(section->data + (size_t)index * 8);
}

const uint32_t *fgi_request_u32s(struct fgi_request *request, uint16_t tag, struct fgi_arena *arena,
                                 size_t *out_count)
{
    *out_count = 0;
    const struct fgi_section *section = fgi_request_section(request, tag, FGI_TYPE_U32);
    if (section == NULL || section->count == 0) {
        return NULL;
    }
    uint32_t *copy = fgi_arena_alloc(arena, section->count, sizeof *copy);
    if (copy == NULL) {
        request->result = FG_ERR_NO_MEMORY;
        return NULL;
    }
    for (uint32_t i = 0; i < section->count; i++) {
        copy[i] = fgi_section_u32(section, i);
    }
    *out_count = section->count;
    return copy;
}
