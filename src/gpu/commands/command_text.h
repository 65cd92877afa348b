/* SPDX-License-Identifier: MIT */
/* Text of values, from the bytes that were copied. */
#ifndef FGI_COMMAND_TEXT_H
#define FGI_COMMAND_TEXT_H
#include "gpu/commands/command_list_priv.h"

/** Text on its way to a sink. The first failure stays. */
struct fgi_command_text {
    struct fg_command_list *list;
    const struct fg_sink *sink;
    enum fg_result result;
    uint32_t object_count;
    size_t used;
    char buffer[4096];
};

void fgi_print_add(struct fgi_command_text *text, const char *bytes, size_t size);
void fgi_print_put(struct fgi_command_text *text, const char *words);
FG_PRINTF(2, 3) void fgi_print_words(struct fgi_command_text *text, const char *format, ...);
/** In quotes, as well-formed UTF-8 without anything that moves the cursor. */
void fgi_print_quote(struct fgi_command_text *text, const char *bytes, size_t size);
void fgi_print_flush(struct fgi_command_text *text);

/** "Pipeline#3", and its name if it has one. */
void fgi_print_object(struct fgi_command_text *text, const struct fgi_command_type *type,
                      uint64_t object);
/**
 * "name = value, name = value".
 *
 * @param around what the fields are in
 * @param behind what they point to; moved over it
 */
void fgi_print_fields(struct fgi_command_text *text, const struct fgi_command_field *fields,
                      size_t count, const uint8_t *around, const uint8_t **behind);

#endif
