/* SPDX-License-Identifier: MIT */
/*
 * What arguments are: enough of it to copy them when a call is made, with everything that they
 * point to, and to print them later. The parameters of a call are read like a structure whose
 * members lie 8 bytes apart.
 */
#ifndef FGI_COMMAND_TYPES_H
#define FGI_COMMAND_TYPES_H
#include <frameglass/base.h>

enum fgi_value_kind {
    FGI_VALUE_UNSIGNED,
    FGI_VALUE_SIGNED,
    FGI_VALUE_FLOAT,
    FGI_VALUE_BOOL,
    FGI_VALUE_ENUM,   /**< of `values` */
    FGI_VALUE_FLAGS,  /**< of `values`; those of several bits come first */
    FGI_VALUE_OBJECT, /**< of Vulkan */
    FGI_VALUE_NAME,   /**< of OpenGL: an object's number */
    FGI_VALUE_OFFSET, /**< a pointer that may be none: a small one is an offset into a buffer */
    FGI_VALUE_STRUCT, /**< of `fields` */
    FGI_VALUE_COLOR,  /**< four floats or integers, nobody says which */
    FGI_VALUE_BYTE,
    FGI_VALUE_CHARACTER,
};

struct fgi_named_value {
    uint64_t value;
    const char *name;
};

struct fgi_command_type {
    const char *name; /**< "VkViewport"; of OpenGL's objects what a person calls them */
    enum fgi_value_kind kind;
    uint32_t size;
    uint32_t count; /**< of the table */
    const struct fgi_named_value *values;
    const struct fgi_command_field *fields;
};

enum fgi_field_shape {
    FGI_SHAPE_PLAIN,   /**< so many, there */
    FGI_SHAPE_POINTER, /**< to so many */
    FGI_SHAPE_TEXT,    /**< so many characters, or up to 0 */
};

/** What another parameter's value says of the number. */
enum fgi_count_rule {
    FGI_COUNT_AS_TOLD,
    FGI_COUNT_OF_BUFFER, /**< it is a kind of buffer: so many values clear that */
    FGI_COUNT_OR_ALL,    /**< 0 = up to the text's end, as negative ones are */
};

/** A member, or a parameter. */
struct fgi_command_field {
    const char *name; /**< not terminated: parameters are pieces of a text */
    uint32_t name_length;
    uint16_t offset;
    uint8_t shape;
    uint8_t count_size; /**< 0: as many as `count`; else that is where the number is */
    bool count_is_signed;
    uint8_t count_rule;
    uint16_t count;
    uint16_t stride_at; /**< where the bytes between two are; 0 = side by side */
    const struct fgi_command_type *type;
};

/* Of arrays and texts not more is kept; the text says how many there were. */
#define FGI_COMMAND_ELEMENTS_MAX   256
#define FGI_COMMAND_BYTES_MAX      64
#define FGI_COMMAND_CHARACTERS_MAX 200
#define FGI_COMMAND_FIELDS_MAX     16 /**< of a call */

/** Of an API, and those that both have. NULL: there is none of that name. */
struct fgi_type_table {
    const struct fgi_command_type *types;
    size_t count;
};
extern const struct fgi_type_table fgi_types_opengl;
extern const struct fgi_type_table fgi_types_vulkan; /**< empty without Vulkan's headers */

/**
 * Read the text of parameters: "(VkCommandBuffer commandBuffer, uint32_t vertexCount)".
 *
 * @param out_fields room for FGI_COMMAND_FIELDS_MAX
 * @return their number; 0 also when a type is not known
 */
size_t fgi_command_fields(const char *parameters, struct fgi_command_field *out_fields);

/** How many a pointer is to, as the structure around it says; negative = up to the text's end. */
int64_t fgi_field_count(const struct fgi_command_field *field, const uint8_t *around);
/** What of these is kept. */
uint32_t fgi_field_kept(const struct fgi_command_field *field, int64_t count);

/** Memory that bytes are appended to. */
struct fgi_command_bytes {
    uint8_t *bytes;
    size_t count, max_count;
    bool is_full; /**< something did not fit: what is there now is not complete */
};
void fgi_command_append(struct fgi_command_bytes *to, const void *bytes, size_t size);
/** What fields of the structure point to, in their order, each followed by what that points to. */
void fgi_command_copy(struct fgi_command_bytes *to, const struct fgi_command_field *fields,
                      size_t count, const uint8_t *around);

#endif
