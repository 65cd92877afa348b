/* SPDX-License-Identifier: MIT */
/* Where a document's bytes come from: files, data URIs, the chunks of a .glb. */
#include "gltf_priv.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

static const uint32_t glb_magic = 0x46546c67; /* "glTF" */
static const uint32_t json_chunk = 0x4e4f534a;
static const uint32_t binary_chunk = 0x004e4942;

static uint32_t read_u32(const uint8_t *bytes)
{
    return (uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
           (uint32_t)bytes[3] << 24;
}

static bool read_all(FILE *file, size_t maximum, struct gltf_bytes *out)
{
    size_t capacity = 1 << 16;
    uint8_t *bytes = malloc(capacity);
    size_t size = 0;
    while (bytes != NULL) {
        size += fread(bytes + size, 1, capacity - size, file);
        if (size < capacity) {
            break;
        }
        void *grown = capacity < maximum ? realloc(bytes, capacity * 2) : NULL;
        if (grown == NULL) {
            free(bytes);
            errno = EFBIG;
            return false;
        }
        bytes = grown;
        capacity *= 2;
    }
    if (bytes == NULL || ferror(file)) {
        free(bytes);
        return false;
    }
    *out = (struct gltf_bytes){ bytes, size };
    return true;
}

static bool read_file(const char *path, struct gltf_bytes *out)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL) {
        return false;
    }
    const bool ok = read_all(file, GLTF_MAX_BUFFER_BYTES, out);
    const int error = errno;
    (void)fclose(file);
    errno = error;
    return ok;
}

static bool parse_json(struct gltf *gltf, const uint8_t *bytes, size_t size)
{
    json_error_t error;
    if (size > GLTF_MAX_JSON_BYTES) {
        return rd_gltf_fail(gltf, NULL, "%zu bytes of JSON: expected at most %d", size,
                            GLTF_MAX_JSON_BYTES);
    }
    gltf->root = json_loadb((const char *)bytes, size, JSON_REJECT_DUPLICATES, &error);
    if (gltf->root == NULL) {
        return rd_gltf_fail(gltf, NULL, "line %d, column %d: %s: expected a glTF 2.0 document",
                            error.line, error.column, error.text);
    }
    return json_is_object(gltf->root) ||
           rd_gltf_fail(gltf, NULL, "the document is not an object: expected glTF 2.0");
}

/** The header, a JSON chunk, and at most one binary chunk that is ours. */
static bool parse_glb(struct gltf *gltf)
{
    const struct gltf_bytes *file = &gltf->file;
    if (file->size < 20) {
        return rd_gltf_fail(gltf, NULL, "cut short: expected a .glb header of 20 bytes");
    }
    const uint32_t version = read_u32(file->bytes + 4);
    const uint32_t length = read_u32(file->bytes + 8);
    if (version != 2) {
        return rd_gltf_fail(gltf, NULL, ".glb version %u: expected 2", version);
    }
    if (length > file->size) {
        return rd_gltf_fail(gltf, NULL, "cut short: %zu bytes of the %u that its header says",
                            file->size, length);
    }
    if (length < 20) {
        return rd_gltf_fail(gltf, NULL, "its header says %u bytes: expected at least 20", length);
    }
    uint32_t at = 12;
    for (int i = 0; length - at >= 8; i++) {
        const uint32_t size = read_u32(file->bytes + at);
        const uint32_t kind = read_u32(file->bytes + at + 4);
        if (size > length - at - 8) {
            return rd_gltf_fail(gltf, NULL, "chunk %d: %u bytes go past the end of the file", i,
                                size);
        }
        if ((i == 0) != (kind == json_chunk)) {
            return rd_gltf_fail(gltf, NULL, "chunk %d: expected JSON first, and only first", i);
        }
        if (i == 0 && !parse_json(gltf, file->bytes + at + 8, size)) {
            return false;
        }
        if (i == 1 && kind == binary_chunk) {
            gltf->chunk = (struct gltf_bytes){ file->bytes + at + 8, size };
        }
        at += 8 + size;
    }
    return true;
}

static int base64_value(char c)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = c != '\0' ? strchr(letters, c) : NULL;
    return found != NULL ? (int)(found - letters) : -1;
}

/** @return false: no memory, or not base64 */
static bool decode_base64(const char *text, struct gltf_bytes *out)
{
    size_t length = strlen(text);
    while (length > 0 && text[length - 1] == '=') {
        length--;
    }
    uint8_t *bytes = malloc(length / 4 * 3 + 3);
    size_t size = 0;
    uint32_t bits = 0;
    if (bytes == NULL) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const int value = base64_value(text[i]);
        if (value < 0) {
            free(bytes);
            return false;
        }
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 != 0) {
            bytes[size++] = (uint8_t)(bits >> (6 - i % 4 * 2));
        }
    }
    *out = (struct gltf_bytes){ bytes, size };
    return true;
}

static int hex_value(char c)
{
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    const char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/** The path of a file named relative to the document. @return false: too long */
static bool resolve(const char *document, const char *uri, char *out, size_t capacity)
{
    const char *slash = strrchr(document, '/');
    size_t length = slash != NULL ? (size_t)(slash - document) + 1 : 0;
    if (length >= capacity) {
        return false;
    }
    memcpy(out, document, length);
    for (const char *c = uri; *c != '\0'; c++) {
        if (length + 1 >= capacity) {
            return false;
        }
        const int high = *c == '%' ? hex_value(c[1]) : -1;
        const int low = high >= 0 ? hex_value(c[2]) : -1;
        out[length++] = low > 0 || high > 0 ? (char)(high * 16 + low) : *c;
        c += low >= 0 ? 2 : 0;
    }
    out[length] = '\0';
    return true;
}

bool rd_gltf_fetch(struct gltf *gltf, const struct gltf_place *place, const char *uri,
                   struct gltf_bytes *out_bytes)
{
    if (strncmp(uri, "data:", 5) == 0) {
        const char *comma = strchr(uri, ',');
        if (comma == NULL || comma - uri < 12 || memcmp(comma - 7, ";base64", 7) != 0) {
            return rd_gltf_fail(gltf, place, "uri: expected data:TYPE;base64,DATA");
        }
        return decode_base64(comma + 1, out_bytes) ||
               rd_gltf_fail(gltf, place, "uri: the data is not base64");
    }
    char path[4096];
    if (strstr(uri, "://") != NULL || uri[0] == '/') {
        return rd_gltf_fail(gltf, place, "uri \"%.80s\": expected a file beside the document", uri);
    }
    if (!resolve(gltf->path, uri, path, sizeof(path))) {
        return rd_gltf_fail(gltf, place, "uri: longer than a path can be");
    }
    errno = 0;
    return read_file(path, out_bytes) ||
           rd_gltf_fail(gltf, place, "uri \"%.80s\": %s", uri,
                        errno != 0 ? strerror(errno) : "cannot be read");
}

static bool load_buffer(struct gltf *gltf, uint32_t index)
{
    struct gltf_place place;
    struct gltf_bytes *buffer = &gltf->buffers[index];
    const char *uri;
    uint64_t declared;
    if (!rd_gltf_find(gltf, "buffers", index, &place) ||
        !rd_gltf_uint(gltf, &place, "byteLength", 0, GLTF_MAX_BUFFER_BYTES, &declared) ||
        !rd_gltf_text(gltf, &place, "uri", &uri)) {
        return false;
    }
    if (uri != NULL) {
        if (!rd_gltf_fetch(gltf, &place, uri, buffer)) {
            return false;
        }
    } else if (index == 0 && gltf->chunk.bytes != NULL) {
        gltf->buffer_is_chunk[index] = true;
        *buffer = gltf->chunk;
    } else {
        return rd_gltf_fail(gltf, &place, "expected a uri, or the binary chunk of a .glb");
    }
    if (buffer->size < declared) {
        return rd_gltf_fail(gltf, &place, "%zu bytes: expected byteLength, %llu", buffer->size,
                            (unsigned long long)declared);
    }
    buffer->size = declared;
    return true;
}

bool rd_gltf_open(struct gltf *gltf)
{
    errno = 0;
    if (!read_file(gltf->path, &gltf->file)) {
        return rd_gltf_fail(gltf, NULL, "%s", errno != 0 ? strerror(errno) : "cannot be read");
    }
    const bool binary = gltf->file.size >= 4 && read_u32(gltf->file.bytes) == glb_magic;
    if (!(binary ? parse_glb(gltf) : parse_json(gltf, gltf->file.bytes, gltf->file.size))) {
        return false;
    }
    const uint32_t count = rd_gltf_count(gltf, "buffers");
    if (count > GLTF_MAX_BUFFERS) {
        return rd_gltf_fail(gltf, NULL, "%u buffers: expected at most %d", count, GLTF_MAX_BUFFERS);
    }
    for (uint32_t i = 0; i < count; i++) {
        gltf->buffer_count++;
        if (!load_buffer(gltf, i)) {
            return false;
        }
    }
    return true;
}

void rd_gltf_close(struct gltf *gltf)
{
    for (uint32_t i = 0; i < gltf->buffer_count; i++) {
        if (!gltf->buffer_is_chunk[i]) {
            free(gltf->buffers[i].bytes);
        }
    }
    free(gltf->file.bytes);
    json_decref(gltf->root);
}
