/* SPDX-License-Identifier: MIT */
#include "gpu/commands/command_types.h"

#include <string.h>

#define NUMBER(name, kind)                                                                         \
    {                                                                                              \
#name, kind, sizeof(name), 0, NULL, NULL                                                   \
    }
static const struct fgi_command_type common[] = {
    NUMBER(int, FGI_VALUE_SIGNED),
    NUMBER(unsigned, FGI_VALUE_UNSIGNED),
    NUMBER(intptr_t, FGI_VALUE_SIGNED),
    NUMBER(int32_t, FGI_VALUE_SIGNED),
    NUMBER(int64_t, FGI_VALUE_SIGNED),
    NUMBER(uint32_t, FGI_VALUE_UNSIGNED),
    NUMBER(uint64_t, FGI_VALUE_UNSIGNED),
    NUMBER(float, FGI_VALUE_FLOAT),
    NUMBER(double, FGI_VALUE_FLOAT),
    NUMBER(char, FGI_VALUE_CHARACTER),
    { "void", FGI_VALUE_BYTE, 1, 0, NULL, NULL },
};

static const struct fgi_command_type anything = { "void *",       FGI_VALUE_OFFSET,
                                                  sizeof(void *), 0,
                                                  NULL,           NULL };

static const struct fgi_command_type *find_in(const struct fgi_command_type *types, size_t count,
                                              const char *name, size_t length)
{
    for (size_t i = 0; i < count; i++) {
        if (strncmp(types[i].name, name, length) == 0 && types[i].name[length] == '\0') {
            return &types[i];
        }
    }
    return NULL;
}

static const struct fgi_command_type *find_type(const char *name, size_t length)
{
    const struct fgi_command_type *type =
        find_in(common, sizeof common / sizeof *common, name, length);
    if (type == NULL) {
        type = find_in(fgi_types_opengl.types, fgi_types_opengl.count, name, length);
    }
    return type != NULL ? type
                        : find_in(fgi_types_vulkan.types, fgi_types_vulkan.count, name, length);
}

/* ---- parameters ------------------------------------------------------------------------------ */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct word {
    const char *at;
    size_t length;
};

static bool word_is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(word.at, text, word.length) == 0;
}

/** Step over what is no word. The end of the parameter gives an empty one. */
static struct word next_word(const char **at, const char *end)
{
    struct word word = { NULL, 0 };
    while (*at < end && !is_word(**at)) {
        (*at)++;
    }
    word.at = *at;
    while (*at < end && is_word(**at)) {
        (*at)++;
        word.length++;
    }
    return word;
}

/** What an FGI_ARRAY() in the text says, to be looked up when all names are known. */
struct promise {
    struct word count, stride;
};

static bool reads_promise(struct word word, struct fgi_command_field *field)
{
    static const struct {
        const char *word;
        enum fgi_field_shape shape;
        enum fgi_count_rule rule;
    } promises[] = {
        { "FGI_ARRAY", FGI_SHAPE_POINTER, FGI_COUNT_AS_TOLD },
        { "FGI_BYTES", FGI_SHAPE_POINTER, FGI_COUNT_AS_TOLD },
        { "FGI_CLEAR_VALUES", FGI_SHAPE_POINTER, FGI_COUNT_OF_BUFFER },
        { "FGI_TEXT", FGI_SHAPE_TEXT, FGI_COUNT_AS_TOLD },
        { "FGI_MARKER", FGI_SHAPE_TEXT, FGI_COUNT_OR_ALL },
    };
    for (size_t i = 0; i < sizeof promises / sizeof *promises; i++) {
        if (word_is(word, promises[i].word)) {
            field->shape = promises[i].shape;
            field->count_rule = promises[i].rule;
            return true;
        }
    }
    return false;
}

static bool parse_one(const char *at, const char *end, struct fgi_command_field *field,
                      struct promise *promise)
{
    struct word words[6], type = { NULL, 0 };
    size_t count = 0;
    const bool is_pointer = memchr(at, '*', (size_t)(end - at)) != NULL;
    for (struct word word = next_word(&at, end); word.length != 0 && count < 6;
         word = next_word(&at, end)) {
        words[count++] = word;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        if (word_is(words[i], "FGI_STRIDED")) {
            promise->count = words[++i];
            promise->stride = words[++i];
        } else if (reads_promise(words[i], field)) {
            promise->count = words[++i];
        } else if (!word_is(words[i], "const")) {
            type = words[i];
        }
    }
    field->type = find_type(type.at, type.length);
    if (field->type == NULL || count < 2) {
        return false;
    }
    if (is_pointer && field->shape == FGI_SHAPE_PLAIN) {
        field->shape = FGI_SHAPE_POINTER;
        if (field->type->kind == FGI_VALUE_BYTE) { /* of whatever size */
            field->shape = FGI_SHAPE_PLAIN;
            field->type = &anything;
        }
    }
    field->name = words[count - 1].at;
    field->name_length = (uint32_t)words[count - 1].length;
    return true;
}

/** A number, or another parameter's value. */
static void keep_promise(struct fgi_command_field *field, const struct promise *promise,
                         const struct fgi_command_field *fields, size_t count)
{
    field->count = 1;
    if (promise->count.length != 0 && promise->count.at[0] >= '0' && promise->count.at[0] <= '9') {
        field->count = (uint16_t)(promise->count.at[0] - '0');
    }
    for (size_t i = 0; i < count; i++) {
        const struct word name = { fields[i].name, fields[i].name_length };
        if (name.length == promise->count.length &&
            memcmp(name.at, promise->count.at, name.length) == 0) {
            field->count = fields[i].offset;
            field->count_size = (uint8_t)fields[i].type->size;
            field->count_is_signed = fields[i].type->kind == FGI_VALUE_SIGNED;
        }
        if (name.length == promise->stride.length &&
            memcmp(name.at, promise->stride.at, name.length) == 0) {
            field->stride_at = fields[i].offset;
        }
    }
}

size_t fgi_command_fields(const char *parameters, struct fgi_command_field *out_fields)
{
    struct promise promises[FGI_COMMAND_FIELDS_MAX];
    size_t count = 0;
    const char *at = parameters + 1; /* behind the bracket */
    const char *const end = parameters + strlen(parameters) - 1;
    if ((size_t)(end - at) == strlen("void") && memcmp(at, "void", strlen("void")) == 0) {
        return 0;
    }
    while (at < end && count < FGI_COMMAND_FIELDS_MAX) {
        const char *stop = at;
        for (int depth = 0; stop < end && (*stop != ',' || depth != 0); stop++) {
            depth += (*stop == '(') - (*stop == ')');
        }
        out_fields[count] = (struct fgi_command_field){ .offset = (uint16_t)(count * 8) };
        promises[count] = (struct promise){ { NULL, 0 }, { NULL, 0 } };
        if (!parse_one(at, stop, &out_fields[count], &promises[count])) {
            return 0;
        }
        count++;
        at = stop + 1;
    }
    for (size_t i = 0; i < count; i++) {
        keep_promise(&out_fields[i], &promises[i], out_fields, count);
    }
    return count;
}

/* ---- copies ---------------------------------------------------------------------------------- */

/** An error clears nothing, and nothing of it is read. */
static int64_t values_of_buffer(uint32_t kind)
{
    enum { COLOR = 0x1800, DEPTH = 0x1801, STENCIL = 0x1802 };
    return kind == COLOR ? 4 : kind == DEPTH || kind == STENCIL ? 1 : 0;
}

int64_t fgi_field_count(const struct fgi_command_field *field, const uint8_t *around)
{
    uint32_t small = 0;
    uint64_t large = 0;
    if (field->count_size == 0) {
        return field->count;
    }
    if (field->count_size == sizeof small) {
        memcpy(&small, around + field->count, sizeof small);
        if (field->count_rule == FGI_COUNT_OF_BUFFER) {
            return values_of_buffer(small);
        }
        if (field->count_rule == FGI_COUNT_OR_ALL && small == 0) {
            return -1;
        }
        return field->count_is_signed ? (int32_t)small : (int64_t)small;
    }
    memcpy(&large, around + field->count, sizeof large);
    return large > INT64_MAX ? INT64_MAX : (int64_t)large;
}

uint32_t fgi_field_kept(const struct fgi_command_field *field, int64_t count)
{
    const int64_t most = field->shape == FGI_SHAPE_TEXT        ? FGI_COMMAND_CHARACTERS_MAX
                         : field->type->kind == FGI_VALUE_BYTE ? FGI_COMMAND_BYTES_MAX
                                                               : FGI_COMMAND_ELEMENTS_MAX;
    return (uint32_t)(count < 0 ? 0 : count < most ? count : most);
}

void fgi_command_append(struct fgi_command_bytes *to, const void *bytes, size_t size)
{
    if (to->is_full || size > to->max_count - to->count) {
        to->is_full = true;
        return;
    }
    if (size != 0) {
        memcpy(to->bytes + to->count, bytes, size);
        to->count += size;
    }
}

/** A text as its length and its characters. */
static void copy_text(struct fgi_command_bytes *to, const struct fgi_command_field *field,
                      const char *text, int64_t count)
{
    const uint32_t length = (uint32_t)strnlen(text, count < 0 || count > FGI_COMMAND_CHARACTERS_MAX
                                                        ? FGI_COMMAND_CHARACTERS_MAX
                                                        : fgi_field_kept(field, count));
    fgi_command_append(to, &length, sizeof length);
    fgi_command_append(to, text, length);
}

static void copy_elements(struct fgi_command_bytes *to, const struct fgi_command_field *field,
                          const uint8_t *elements, const uint8_t *around)
{
    const struct fgi_command_type *type = field->type;
    const uint32_t kept = fgi_field_kept(field, fgi_field_count(field, around));
    uint32_t stride = type->size;
    if (field->stride_at != 0) {
        memcpy(&stride, around + field->stride_at, sizeof stride);
    }
    for (uint32_t i = 0; i < kept && !to->is_full; i++) {
        fgi_command_append(to, elements + (size_t)i * stride, type->size);
    }
    for (uint32_t i = 0; i < kept && type->kind == FGI_VALUE_STRUCT && !to->is_full; i++) {
        fgi_command_copy(to, type->fields, type->count, elements + (size_t)i * stride);
    }
}

void fgi_command_copy(struct fgi_command_bytes *to, const struct fgi_command_field *fields,
                      size_t count, const uint8_t *around)
{
    for (size_t i = 0; i < count && !to->is_full; i++) {
        const struct fgi_command_field *field = &fields[i];
        const void *pointer = NULL;
        if (field->shape == FGI_SHAPE_PLAIN) {
            if (field->type->kind == FGI_VALUE_STRUCT) {
                fgi_command_copy(to, field->type->fields, field->type->count,
                                 around + field->offset);
            }
            continue;
        }
        memcpy(&pointer, around + field->offset, sizeof pointer);
        if (pointer == NULL) {
            continue;
        }
        if (field->shape == FGI_SHAPE_TEXT) {
            copy_text(to, field, pointer, fgi_field_count(field, around));
        } else {
            copy_elements(to, field, pointer, around);
        }
    }
}
