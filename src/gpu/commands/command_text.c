/* SPDX-License-Identifier: MIT */
#include "gpu/commands/command_text.h"

#include "base/hash.h"
#include "base/strings.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ----------------------------------------------------------------------------------- */

void fgi_print_flush(struct fgi_command_text *text)
{
    if (text->result == FG_OK && text->used != 0) {
        text->result = text->sink->write(text->sink->context, text->buffer, text->used);
    }
    text->used = 0;
}

void fgi_print_add(struct fgi_command_text *text, const char *bytes, size_t size)
{
    while (size != 0) {
        const size_t room = sizeof text->buffer - text->used, some = size < room ? size : room;
        memcpy(text->buffer + text->used, bytes, some);
        text->used += some;
        bytes += some;
        size -= some;
        if (text->used == sizeof text->buffer) {
            fgi_print_flush(text);
        }
    }
}

void fgi_print_put(struct fgi_command_text *text, const char *words)
{
    fgi_print_add(text, words, strlen(words));
}

void fgi_print_words(struct fgi_command_text *text, const char *format, ...)
{
    char words[512];
    va_list list;
    va_start(list, format);
    (void)vsnprintf(words, sizeof words, format, list);
    va_end(list);
    fgi_print_put(text, words);
}

void fgi_print_quote(struct fgi_command_text *text, const char *bytes, size_t size)
{
    char repaired[3 * FGI_COMMAND_CHARACTERS_MAX];
    size = size < FGI_COMMAND_CHARACTERS_MAX ? size : FGI_COMMAND_CHARACTERS_MAX;
    size = fgi_utf8_repair(bytes, size, repaired, sizeof repaired);
    fgi_print_put(text, "\"");
    for (size_t i = 0; i < size;) {
        const char c = repaired[i];
        const size_t length = fgi_utf8_showable(&repaired[i], size - i);
        if (length == 0) { /* the bytes behind its first are no characters */
            fgi_print_words(text, "\\x%02x", (unsigned)(uint8_t)c);
            i++;
        } else {
            fgi_print_add(text, "\\", c == '"' || c == '\\');
            fgi_print_add(text, &repaired[i], length);
            i += length;
        }
    }
    fgi_print_put(text, "\"");
}

/* ---- objects --------------------------------------------------------------------------------- */

/** In the order in which the text names them, per type. 0: there is no room for another. */
static uint32_t number_of(struct fgi_command_text *text, const struct fgi_command_type *type,
                          uint64_t object)
{
    struct fg_command_list *list = text->list;
    const uint32_t mask = list->objects_max - 1;
    const uint64_t hash = fgi_mix64(object ^ (uint64_t)(uintptr_t)type << 16);
    uint32_t at = (uint32_t)hash & mask, same = 0;
    while (list->objects[at].type != NULL) {
        if (list->objects[at].type == type && list->objects[at].object == object) {
            return list->objects[at].number;
        }
        at = (at + 1) & mask;
    }
    if (text->object_count == list->objects_max / 2) {
        return 0;
    }
    for (uint32_t i = 0; i < list->objects_max; i++) {
        same += list->objects[i].type == type;
    }
    list->objects[at] = (struct fgi_command_object){ type, object, same + 1 };
    text->object_count++;
    return same + 1;
}

static void put_name(struct fgi_command_text *text, const char *kind, uint64_t object)
{
    const struct fg_command_list *list = text->list;
    const char *name =
        list->name_of != NULL ? list->name_of(list->name_context, kind, object) : NULL;
    if (name != NULL) {
        fgi_print_put(text, " ");
        fgi_print_quote(text, name, strnlen(name, FGI_COMMAND_CHARACTERS_MAX));
    }
}

void fgi_print_object(struct fgi_command_text *text, const struct fgi_command_type *type,
                      uint64_t object)
{
    if (object == 0) {
        fgi_print_put(text, "VK_NULL_HANDLE");
        return;
    }
    const uint32_t number = number_of(text, type, object);
    if (number != 0) {
        fgi_print_words(text, "%s#%" PRIu32, type->name + strlen("Vk"), number);
    } else {
        fgi_print_words(text, "%s 0x%" PRIx64, type->name + strlen("Vk"), object);
    }
    put_name(text, type->name, object);
}

/** An object of OpenGL: its number is what the program calls it. */
static void put_number(struct fgi_command_text *text, const struct fgi_command_type *type,
                       uint64_t object)
{
    char kind[32];
    fgi_print_words(text, "%" PRIu64, object);
    if (object != 0) {
        (void)snprintf(kind, sizeof kind, "%s", type->name + strlen("fgi_gl_"));
        for (char *c = kind; *c != '\0'; c++) {
            *c = *c == '_' ? ' ' : *c;
        }
        put_name(text, kind, object);
    }
}

/* ---- values ---------------------------------------------------------------------------------- */

static uint64_t get_unsigned(const uint8_t *bytes, uint32_t size)
{
    uint8_t byte = 0;
    uint32_t small = 0;
    uint64_t large = 0;
    switch (size) {
    case 1:
        memcpy(&byte, bytes, 1);
        return byte;
    case 4:
        memcpy(&small, bytes, 4);
        return small;
    default:
        memcpy(&large, bytes, 8);
        return large;
    }
}

/** The shortest text that is the same number; with a point whatever the locale says. */
static void put_real(struct fgi_command_text *text, double value, bool is_float)
{
    char words[40];
    bool is_same = false;
    for (int digits = 6; !is_same && digits <= (is_float ? 9 : 17); digits++) {
        (void)snprintf(words, sizeof words, "%.*g", digits, value);
        const double read = strtod(words, NULL);
        is_same = is_float ? (float)read == (float)value : read == value;
    }
    for (char *c = words; *c != '\0'; c++) {
        *c = *c == ',' ? '.' : *c;
    }
    fgi_print_put(text, words);
}

static void put_float(struct fgi_command_text *text, const uint8_t *bytes, uint32_t size)
{
    float small = 0;
    double large = 0;
    if (size == sizeof small) {
        memcpy(&small, bytes, sizeof small);
        put_real(text, (double)small, true);
    } else {
        memcpy(&large, bytes, sizeof large);
        put_real(text, large, false);
    }
}

static void put_enum(struct fgi_command_text *text, const struct fgi_command_type *type,
                     uint64_t value)
{
    for (uint32_t i = 0; i < type->count; i++) {
        if (type->values[i].value == value) {
            fgi_print_put(text, type->values[i].name);
            return;
        }
    }
    fgi_print_words(text, value < 16 ? "%" PRIu64 : "0x%" PRIx64, value);
}

static void put_flags(struct fgi_command_text *text, const struct fgi_command_type *type,
                      uint64_t value)
{
    const char *between = "";
    if (value == 0) {
        fgi_print_put(text, "0");
    }
    for (uint32_t i = 0; i < type->count && value != 0; i++) {
        const uint64_t bits = type->values[i].value;
        if ((value & bits) == bits) {
            fgi_print_words(text, "%s%s", between, type->values[i].name);
            between = " | ";
            value &= ~bits;
        }
    }
    if (value != 0) {
        fgi_print_words(text, "%s0x%" PRIx64, between, value);
    }
}

/** Integers are shown as such where floats of the same bits would be next to nothing. */
static void put_color(struct fgi_command_text *text, const uint8_t *bytes)
{
    uint32_t words[4];
    bool are_floats = true;
    memcpy(words, bytes, sizeof words);
    for (int i = 0; i < 4; i++) {
        const uint32_t exponent = words[i] >> 23 & 0xff;
        are_floats = are_floats && exponent != 0xff && (exponent != 0 || words[i] << 1 == 0);
    }
    for (uint32_t i = 0; i < 4; i++) {
        fgi_print_put(text, i == 0 ? "{" : ", ");
        if (are_floats) {
            put_float(text, bytes + i * 4, 4);
        } else {
            fgi_print_words(text, "%" PRIu32, words[i]);
        }
    }
    fgi_print_put(text, "}");
}

/** Where something lies in memory says nothing, and is another place in every run. */
static void put_offset(struct fgi_command_text *text, uint64_t value)
{
    if (value <= INT32_MAX) {
        fgi_print_words(text, "0x%" PRIx64, value);
    } else {
        fgi_print_words(text, "memory");
    }
}

static void put_value(struct fgi_command_text *text, const struct fgi_command_type *type,
                      const uint8_t *bytes, const uint8_t **behind)
{
    switch (type->kind) {
    case FGI_VALUE_UNSIGNED:
        fgi_print_words(text, "%" PRIu64, get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_SIGNED:
        fgi_print_words(text, "%" PRId64,
                        type->size == 4 ? (int32_t)get_unsigned(bytes, 4)
                                        : (int64_t)get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_FLOAT:
        put_float(text, bytes, type->size);
        break;
    case FGI_VALUE_BOOL:
        fgi_print_put(text, get_unsigned(bytes, type->size) != 0 ? "true" : "false");
        break;
    case FGI_VALUE_ENUM:
        put_enum(text, type, get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_FLAGS:
        put_flags(text, type, get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_OBJECT:
        fgi_print_object(text, type, get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_NAME:
        put_number(text, type, get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_OFFSET:
        put_offset(text, get_unsigned(bytes, type->size));
        break;
    case FGI_VALUE_STRUCT:
        fgi_print_put(text, "{");
        fgi_print_fields(text, type->fields, type->count, bytes, behind);
        fgi_print_put(text, "}");
        break;
    case FGI_VALUE_COLOR:
        put_color(text, bytes);
        break;
    case FGI_VALUE_BYTE:
        fgi_print_words(text, "%02x", bytes[0]);
        break;
    case FGI_VALUE_CHARACTER:
        fgi_print_quote(text, (const char *)bytes, 1);
        break;
    }
}

/** Of a pointer: what it is to lies behind. */
static void put_elements(struct fgi_command_text *text, const struct fgi_command_field *field,
                         const uint8_t *around, const uint8_t **behind)
{
    const int64_t count = fgi_field_count(field, around);
    const uint32_t kept = fgi_field_kept(field, count);
    const uint8_t *elements = *behind;
    const bool are_bytes = field->type->kind == FGI_VALUE_BYTE;
    const bool is_one = field->count_size == 0 && field->count == 1;
    *behind += (size_t)kept * field->type->size;
    fgi_print_put(text, is_one ? "" : "[");
    for (uint32_t i = 0; i < kept; i++) {
        fgi_print_put(text, i == 0 ? "" : !are_bytes ? ", " : i % 4 == 0 ? " " : "");
        put_value(text, field->type, elements + (size_t)i * field->type->size, behind);
    }
    if (count > kept) {
        fgi_print_words(text, ", and %" PRId64 " more", count - kept);
    }
    fgi_print_put(text, is_one ? "" : "]");
}

static void put_text(struct fgi_command_text *text, const uint8_t **behind)
{
    uint32_t length = 0;
    memcpy(&length, *behind, sizeof length);
    fgi_print_quote(text, (const char *)*behind + sizeof length, length);
    *behind += sizeof length + length;
}

static void put_field(struct fgi_command_text *text, const struct fgi_command_field *field,
                      const uint8_t *around, const uint8_t **behind)
{
    const uint8_t *at = around + field->offset;
    if (field->shape != FGI_SHAPE_PLAIN) {
        const void *pointer = NULL;
        memcpy(&pointer, at, sizeof pointer);
        if (pointer == NULL) {
            fgi_print_put(text, "NULL");
        } else if (field->shape == FGI_SHAPE_TEXT) {
            put_text(text, behind);
        } else {
            put_elements(text, field, around, behind);
        }
        return;
    }
    fgi_print_put(text, field->count > 1 ? "[" : "");
    for (uint32_t i = 0; i < field->count; i++) {
        fgi_print_put(text, i == 0 ? "" : ", ");
        put_value(text, field->type, at + (size_t)i * field->type->size, behind);
    }
    fgi_print_put(text, field->count > 1 ? "]" : "");
}

void fgi_print_fields(struct fgi_command_text *text, const struct fgi_command_field *fields,
                      size_t count, const uint8_t *around, const uint8_t **behind)
{
    for (size_t i = 0; i < count; i++) {
        fgi_print_put(text, i == 0 ? "" : ", ");
        fgi_print_add(text, fields[i].name, fields[i].name_length);
        fgi_print_put(text, " = ");
        put_field(text, &fields[i], around, behind);
    }
}
