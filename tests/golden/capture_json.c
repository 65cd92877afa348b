/* SPDX-License-Identifier: MIT */
#include "capture_json.h"

#include "capture/cap_codec.h"
#include "capture/cap_frame.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void hex_bits(struct fgi_json *json, double value)
{
    uint64_t bits;
    char text[17];
    memcpy(&bits, &value, sizeof bits);
    (void)snprintf(text, sizeof text, "%016" PRIx64, bits);
    fgi_json_text(json, text);
}

static void print_key(struct fgi_json *json, const char *name)
{
    if (name != NULL) {
        fgi_json_key(json, name);
    }
}

static void print_text(struct fgi_json *json, const struct fg_cap_text *text)
{
    fgi_json_text_sized(json, text->data != NULL ? text->data : "", text->size);
}

static void print_value(void *context, const char *name, enum fgi_codec_kind kind, void *value)
{
    struct fgi_json *json = context;
    print_key(json, name);
    switch (kind) {
    case FGI_KIND_U16:
        fgi_json_uint(json, *(const uint16_t *)value);
        break;
    case FGI_KIND_U32:
    case FGI_KIND_SYMBOL:
        fgi_json_uint(json, *(const uint32_t *)value);
        break;
    case FGI_KIND_U64:
        fgi_json_uint(json, *(const uint64_t *)value);
        break;
    case FGI_KIND_I64:
        fgi_json_int(json, *(const int64_t *)value);
        break;
    case FGI_KIND_F64:
        hex_bits(json, *(const double *)value);
        break;
    case FGI_KIND_OPT32:
        if (*(const uint32_t *)value == FG_CAP_NONE) {
            fgi_json_null(json);
        } else {
            fgi_json_uint(json, *(const uint32_t *)value);
        }
        break;
    case FGI_KIND_OPT64:
        if (*(const uint64_t *)value == FG_CAP_UNKNOWN) {
            fgi_json_null(json);
        } else {
            fgi_json_uint(json, *(const uint64_t *)value);
        }
        break;
    case FGI_KIND_TEXT:
        print_text(json, value);
        break;
    }
}

static void list_begin(void *context, const char *name, const void **items, size_t *count,
                       size_t item_size)
{
    (void)items;
    (void)count;
    (void)item_size;
    fgi_json_key(context, name);
    fgi_json_array_begin(context);
}

static void list_end(void *context)
{
    fgi_json_array_end(context);
}

static void struct_begin(void *context, const char *name)
{
    print_key(context, name);
    fgi_json_object_begin(context);
}

static void struct_end(void *context)
{
    fgi_json_object_end(context);
}

static void print_typed(void *context, const char *name, struct fg_cap_value *value)
{
    struct fgi_json *json = context;
    print_key(json, name);
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "kind", value->kind);
    fgi_json_key(json, "value");
    switch (value->kind) {
    case FG_CAP_VALUE_INT:
        fgi_json_int(json, value->i);
        break;
    case FG_CAP_VALUE_UINT:
    case FG_CAP_VALUE_BOOL:
    case FG_CAP_VALUE_SYMBOL:
        fgi_json_uint(json, value->u);
        break;
    case FG_CAP_VALUE_F64:
        hex_bits(json, value->f);
        break;
    default:
        print_text(json, &value->text);
        break;
    }
    fgi_json_object_end(json);
}

void fgi_test_payload_json(struct fgi_json *json, uint32_t type, const void *payload)
{
    struct fgi_codec_visitor visitor = {
        .value = print_value,
        .list_begin = list_begin,
        .list_end = list_end,
        .struct_begin = struct_begin,
        .struct_end = struct_end,
        .typed = print_typed,
        .context = json,
    };
    struct fgi_codec codec = { .mode = FGI_CODEC_VISIT, .visitor = &visitor };
    const struct fgi_codec_entry *entry = fgi_codec_find(type);
    if (payload == NULL || (entry == NULL && type != FG_CAPTURE_FRAM)) {
        fgi_json_null(json);
        return;
    }
    fgi_fields *fields = entry != NULL ? entry->fields : fgi_fields_frame_visit;
    fgi_json_object_begin(json);
    fields(&codec, (void *)payload);
    fgi_json_object_end(json);
}

static void print_fourcc(struct fgi_json *json, uint32_t type)
{
    /* Each byte as the character of that number, in UTF-8. */
    char text[8];
    size_t size = 0;
    for (int i = 0; i < 4; i++) {
        uint8_t byte = (uint8_t)(type >> (8 * i));
        if (byte < 0x80) {
            text[size++] = (char)byte;
        } else {
            text[size++] = (char)(0xc0 | byte >> 6);
            text[size++] = (char)(0x80 | (byte & 0x3f));
        }
    }
    fgi_json_text_sized(json, text, size);
}

static void print_number(struct fgi_json *json, uint64_t value)
{
    print_value(json, NULL, FGI_KIND_OPT64, &value);
}

static void print_frames(struct fgi_json *json, const struct fg_capture *capture)
{
    size_t count;
    const struct fg_capture_frame_entry *frames = fg_capture_frames(capture, &count);
    fgi_json_key(json, "frames");
    fgi_json_array_begin(json);
    for (size_t i = 0; i < count; i++) {
        fgi_json_inline_array_begin(json);
        fgi_json_uint(json, frames[i].frame);
        fgi_json_uint(json, frames[i].offset);
        print_number(json, frames[i].gpu_ns);
        print_number(json, frames[i].cpu_ns);
        fgi_json_uint(json, frames[i].dropped);
        fgi_json_array_end(json);
    }
    fgi_json_array_end(json);
}

static enum fg_result print_records(struct fgi_json *json, struct fg_capture *capture)
{
    struct fg_capture_record record;
    enum fg_result result;
    fgi_json_key(json, "records");
    fgi_json_array_begin(json);
    while ((result = fg_capture_next(capture, &record)) == FG_OK) {
        fgi_json_object_begin(json);
        fgi_json_key(json, "type");
        print_fourcc(json, record.type);
        fgi_json_key_uint(json, "offset", record.offset);
        fgi_json_key_uint(json, "length", record.length);
        if (record.incomplete) {
            fgi_json_key_bool(json, "incomplete", true);
        }
        fgi_json_key(json, "payload");
        fgi_test_payload_json(json, record.type, record.data);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
    return result == FG_ERR_NOT_FOUND ? FG_OK : result;
}

static void print_defects(struct fgi_json *json, const struct fg_capture *capture)
{
    size_t count;
    const struct fg_capture_defect *defects = fg_capture_defects(capture, &count);
    fgi_json_key(json, "defects");
    fgi_json_array_begin(json);
    for (size_t i = 0; i < count; i++) {
        fgi_json_inline_array_begin(json);
        fgi_json_text(json, fg_capture_defect_name(defects[i].kind));
        fgi_json_uint(json, defects[i].offset);
        fgi_json_uint(json, defects[i].detail);
        fgi_json_array_end(json);
    }
    fgi_json_array_end(json);
}

static void print_refusal(struct fgi_json *json, const struct fg_diag *diag)
{
    size_t size = strcspn(diag->message, ":");
    fgi_json_key(json, "refused");
    fgi_json_text_sized(json, diag->message, size);
}

enum fg_result fgi_test_capture_json(const struct fg_source *source,
                                     const struct fg_capture_options *options,
                                     const struct fg_sink *sink)
{
    struct fgi_json json = { .sink = sink, .indent = 0 };
    struct fg_diag diag = { 0 };
    struct fg_capture *capture = NULL;
    enum fg_result result = fg_capture_open(source, options, &diag, &capture);
    fgi_json_object_begin(&json);
    if (result == FG_ERR_FORMAT || result == FG_ERR_VERSION || result == FG_ERR_CORRUPT) {
        print_refusal(&json, &diag);
        fgi_json_object_end(&json);
        return fgi_json_finish(&json);
    }
    if (result != FG_OK) {
        enum fg_result ended = fgi_json_finish(&json);
        return ended != FG_OK && result == FG_OK ? ended : result;
    }
    struct fg_capture_info info;
    fg_capture_get_info(capture, &info);
    fgi_json_key_uint(&json, "version", info.version);
    fgi_json_key_uint(&json, "min_reader", info.min_reader);
    fgi_json_key_bool(&json, "closed", info.closed);
    print_frames(&json, capture);
    result = print_records(&json, capture);
    fg_capture_get_info(capture, &info);
    fgi_json_key_uint(&json, "skipped", info.skipped_count);
    print_defects(&json, capture);
    fgi_json_object_end(&json);
    fg_capture_close(capture);
    enum fg_result written = fgi_json_finish(&json);
    return result != FG_OK ? result : written;
}
