/* SPDX-License-Identifier: MIT */
/*
 * As much of OpenGL as the recorder needs, so that it builds without GL's headers. A test holds
 * every name against Khronos' own.
 */
#ifndef FGI_OPENGL_API_H
#define FGI_OPENGL_API_H
#include <stdint.h>

/** X(name, value) */
#define FGI_OPENGL_ENUMS(X)                                                                        \
    X(VENDOR, 0x1F00)                                                                              \
    X(RENDERER, 0x1F01)                                                                            \
    X(VERSION, 0x1F02)                                                                             \
    X(EXTENSIONS, 0x1F03)                                                                          \
    X(NUM_EXTENSIONS, 0x821D)                                                                      \
    X(QUERY_COUNTER_BITS, 0x8864)                                                                  \
    X(CURRENT_QUERY, 0x8865)                                                                       \
    X(QUERY_RESULT, 0x8866)                                                                        \
    X(QUERY_RESULT_AVAILABLE, 0x8867)                                                              \
    X(TIME_ELAPSED, 0x88BF)                                                                        \
    X(TIMESTAMP, 0x8E28)                                                                           \
    X(RESET_NOTIFICATION_STRATEGY, 0x8256)                                                         \
    X(LOSE_CONTEXT_ON_RESET, 0x8252)                                                               \
    X(MAX_DEBUG_MESSAGE_LENGTH, 0x9143)                                                            \
    X(DEBUG_SOURCE_APPLICATION, 0x824A)

/** Of extensions: X(name, suffix, value) */
#define FGI_OPENGL_EXTENSION_ENUMS(X)                                                              \
    X(GPU_DISJOINT, EXT, 0x8FBB)                                                                   \
    X(GPU_MEMORY_INFO_DEDICATED_VIDMEM, NVX, 0x9047)                                               \
    X(GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM, NVX, 0x9049)                                       \
    X(TEXTURE_FREE_MEMORY, ATI, 0x87FC)

/** Targets of pipeline statistics, in the order of the bits that captures name them by. */
#define FGI_OPENGL_STATISTICS(X)                                                                   \
    X(VERTICES_SUBMITTED, ARB, 0x82EE)                                                             \
    X(PRIMITIVES_SUBMITTED, ARB, 0x82EF)                                                           \
    X(VERTEX_SHADER_INVOCATIONS, ARB, 0x82F0)                                                      \
    X(GEOMETRY_SHADER_INVOCATIONS, , 0x887F)                                                       \
    X(GEOMETRY_SHADER_PRIMITIVES_EMITTED, ARB, 0x82F3)                                             \
    X(CLIPPING_INPUT_PRIMITIVES, ARB, 0x82F6)                                                      \
    X(CLIPPING_OUTPUT_PRIMITIVES, ARB, 0x82F7)                                                     \
    X(FRAGMENT_SHADER_INVOCATIONS, ARB, 0x82F4)                                                    \
    X(TESS_CONTROL_SHADER_PATCHES, ARB, 0x82F1)                                                    \
    X(TESS_EVALUATION_SHADER_INVOCATIONS, ARB, 0x82F2)                                             \
    X(COMPUTE_SHADER_INVOCATIONS, ARB, 0x82F5)
#define FGI_OPENGL_STATISTIC_COUNT 11

enum {
#define FGI_OPENGL_ENUM(name, value)                   FGI_GL_##name = (value),
#define FGI_OPENGL_EXTENSION_ENUM(name, suffix, value) FGI_GL_##name = (value),
    FGI_OPENGL_ENUMS(FGI_OPENGL_ENUM) FGI_OPENGL_EXTENSION_ENUMS(FGI_OPENGL_EXTENSION_ENUM)
        FGI_OPENGL_STATISTICS(FGI_OPENGL_EXTENSION_ENUM)
#undef FGI_OPENGL_ENUM
#undef FGI_OPENGL_EXTENSION_ENUM
};

typedef unsigned fgi_gl_enum;

/**
 * Functions: X(member, result, parameters, group). What is in a group comes with one extension and
 * has the same suffix; see opengl_entry.c.
 */
#define FGI_OPENGL_FUNCTIONS(X)                                                                    \
    X(GetString, const unsigned char *, (fgi_gl_enum name), BASE)                                  \
    X(GetStringi, const unsigned char *, (fgi_gl_enum name, unsigned index), BASE)                 \
    X(GetIntegerv, void, (fgi_gl_enum name, int *values), BASE)                                    \
    X(GetInteger64v, void, (fgi_gl_enum name, int64_t * values), BASE)                             \
    X(GenQueries, void, (int count, unsigned *names), QUERY)                                       \
    X(DeleteQueries, void, (int count, const unsigned *names), QUERY)                              \
    X(BeginQuery, void, (fgi_gl_enum target, unsigned query), QUERY)                               \
    X(EndQuery, void, (fgi_gl_enum target), QUERY)                                                 \
    X(QueryCounter, void, (unsigned query, fgi_gl_enum target), QUERY)                             \
    X(GetQueryiv, void, (fgi_gl_enum target, fgi_gl_enum name, int *values), QUERY)                \
    X(GetQueryObjectuiv, void, (unsigned query, fgi_gl_enum name, unsigned *values), QUERY)        \
    X(GetQueryObjectui64v, void, (unsigned query, fgi_gl_enum name, uint64_t *values), QUERY)      \
    X(PushDebugGroup, void, (fgi_gl_enum source, unsigned id, int length, const char *text),       \
      DEBUG)                                                                                       \
    X(PopDebugGroup, void, (void), DEBUG)                                                          \
    X(GetGraphicsResetStatus, fgi_gl_enum, (void), RESET)

struct fgi_opengl_functions {
#define FGI_OPENGL_MEMBER(name, result, parameters, group) result(*name) parameters;
    FGI_OPENGL_FUNCTIONS(FGI_OPENGL_MEMBER)
#undef FGI_OPENGL_MEMBER
};

#endif
