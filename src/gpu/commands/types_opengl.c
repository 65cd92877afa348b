/* SPDX-License-Identifier: MIT */
/* What OpenGL's numbers are. */
#include "gpu/commands/command_types.h"
#include "gpu/commands/opengl_names.h"
#include "gpu/draws/words.h"

#define VALUE(name, value) { value, "GL_" #name },
static const struct fgi_named_value enums[] = { { 0, "GL_NONE" }, FGI_GL_ENUMS(VALUE) };
static const struct fgi_named_value primitives[] = { FGI_GL_PRIMITIVES(VALUE) };
static const struct fgi_named_value factors[] = { VALUE(ZERO, 0) VALUE(ONE, 1)
                                                      FGI_GL_ENUMS(VALUE) };
static const struct fgi_named_value clear_masks[] = { FGI_GL_CLEAR_MASKS(VALUE) };
static const struct fgi_named_value barriers[] = { FGI_GL_BARRIERS(VALUE) };

#define COUNT(table) (sizeof(table) / sizeof *(table))
#define NAMED(name, kind, table)                                                                   \
    {                                                                                              \
#name, kind, sizeof(name), COUNT(table), table, NULL                                       \
    }
#define PLAIN(name, kind)                                                                          \
    {                                                                                              \
#name, kind, sizeof(name), 0, NULL, NULL                                                   \
    }
static const struct fgi_command_type types[] = {
    NAMED(fgi_gl_enum, FGI_VALUE_ENUM, enums),
    NAMED(fgi_gl_primitive, FGI_VALUE_ENUM, primitives),
    NAMED(fgi_gl_factor, FGI_VALUE_ENUM, factors),
    NAMED(fgi_gl_clear_mask, FGI_VALUE_FLAGS, clear_masks),
    NAMED(fgi_gl_barriers, FGI_VALUE_FLAGS, barriers),
    PLAIN(fgi_gl_boolean, FGI_VALUE_BOOL),
    PLAIN(fgi_gl_program, FGI_VALUE_NAME),
    PLAIN(fgi_gl_pipeline, FGI_VALUE_NAME),
    PLAIN(fgi_gl_framebuffer, FGI_VALUE_NAME),
    PLAIN(fgi_gl_renderbuffer, FGI_VALUE_NAME),
    PLAIN(fgi_gl_texture, FGI_VALUE_NAME),
    PLAIN(fgi_gl_buffer, FGI_VALUE_NAME),
    PLAIN(fgi_gl_vertex_array, FGI_VALUE_NAME),
    PLAIN(fgi_gl_sampler, FGI_VALUE_NAME),
    PLAIN(fgi_gl_query, FGI_VALUE_NAME),
    PLAIN(fgi_gl_offset, FGI_VALUE_OFFSET),
};
const struct fgi_type_table fgi_types_opengl = { types, COUNT(types) };
