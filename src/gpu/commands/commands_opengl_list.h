/* SPDX-License-Identifier: MIT */
/*
 * What a list shows of OpenGL besides draws: X(role, name, parameters, arguments), where the role
 * is OPEN or CLOSE for what names a group. A test holds the types against GL's headers.
 */
#ifndef FGI_COMMANDS_OPENGL_LIST_H
#define FGI_COMMANDS_OPENGL_LIST_H
#include "gpu/draws/words.h"

/** Clears. */
#define FGI_COMMANDS_GL_CLEARS(X)                                                                  \
    X(PLAIN, Clear, (fgi_gl_clear_mask mask), (mask))                                              \
    X(PLAIN, ClearColor, (float red, float green, float blue, float alpha),                        \
      (red, green, blue, alpha))                                                                   \
    X(PLAIN, ClearDepth, (double depth), (depth))                                                  \
    X(PLAIN, ClearDepthf, (float d), (d))                                                          \
    X(PLAIN, ClearStencil, (int s), (s))                                                           \
    X(PLAIN, ClearBufferiv,                                                                        \
      (fgi_gl_enum buffer, int drawbuffer, FGI_CLEAR_VALUES(buffer) int *value),                   \
      (buffer, drawbuffer, value))                                                                 \
    X(PLAIN, ClearBufferuiv,                                                                       \
      (fgi_gl_enum buffer, int drawbuffer, FGI_CLEAR_VALUES(buffer) unsigned *value),              \
      (buffer, drawbuffer, value))                                                                 \
    X(PLAIN, ClearBufferfv,                                                                        \
      (fgi_gl_enum buffer, int drawbuffer, FGI_CLEAR_VALUES(buffer) float *value),                 \
      (buffer, drawbuffer, value))                                                                 \
    X(PLAIN, ClearBufferfi, (fgi_gl_enum buffer, int drawbuffer, float depth, int stencil),        \
      (buffer, drawbuffer, depth, stencil))                                                        \
    X(PLAIN, ClearNamedFramebufferiv,                                                              \
      (fgi_gl_framebuffer framebuffer, fgi_gl_enum buffer, int drawbuffer,                         \
       FGI_CLEAR_VALUES(buffer) int *value),                                                       \
      (framebuffer, buffer, drawbuffer, value))                                                    \
    X(PLAIN, ClearNamedFramebufferuiv,                                                             \
      (fgi_gl_framebuffer framebuffer, fgi_gl_enum buffer, int drawbuffer,                         \
       FGI_CLEAR_VALUES(buffer) unsigned *value),                                                  \
      (framebuffer, buffer, drawbuffer, value))                                                    \
    X(PLAIN, ClearNamedFramebufferfv,                                                              \
      (fgi_gl_framebuffer framebuffer, fgi_gl_enum buffer, int drawbuffer,                         \
       FGI_CLEAR_VALUES(buffer) float *value),                                                     \
      (framebuffer, buffer, drawbuffer, value))                                                    \
    X(PLAIN, ClearNamedFramebufferfi,                                                              \
      (fgi_gl_framebuffer framebuffer, fgi_gl_enum buffer, int drawbuffer, float depth,            \
       int stencil),                                                                               \
      (framebuffer, buffer, drawbuffer, depth, stencil))                                           \
    X(PLAIN, ClearBufferData,                                                                      \
      (fgi_gl_enum target, fgi_gl_enum internalformat, fgi_gl_enum format, fgi_gl_enum type,       \
       fgi_gl_offset data),                                                                        \
      (target, internalformat, format, type, data))                                                \
    X(PLAIN, ClearBufferSubData,                                                                   \
      (fgi_gl_enum target, fgi_gl_enum internalformat, intptr_t offset, intptr_t size,             \
       fgi_gl_enum format, fgi_gl_enum type, fgi_gl_offset data),                                  \
      (target, internalformat, offset, size, format, type, data))                                  \
    X(PLAIN, ClearNamedBufferData,                                                                 \
      (fgi_gl_buffer buffer, fgi_gl_enum internalformat, fgi_gl_enum format, fgi_gl_enum type,     \
       fgi_gl_offset data),                                                                        \
      (buffer, internalformat, format, type, data))                                                \
    X(PLAIN, ClearNamedBufferSubData,                                                              \
      (fgi_gl_buffer buffer, fgi_gl_enum internalformat, intptr_t offset, intptr_t size,           \
       fgi_gl_enum format, fgi_gl_enum type, fgi_gl_offset data),                                  \
      (buffer, internalformat, offset, size, format, type, data))                                  \
    X(PLAIN, ClearTexImage,                                                                        \
      (fgi_gl_texture texture, int level, fgi_gl_enum format, fgi_gl_enum type,                    \
       fgi_gl_offset data),                                                                        \
      (texture, level, format, type, data))                                                        \
    X(PLAIN, ClearTexSubImage,                                                                     \
      (fgi_gl_texture texture, int level, int xoffset, int yoffset, int zoffset, int width,        \
       int height, int depth, fgi_gl_enum format, fgi_gl_enum type, fgi_gl_offset data),           \
      (texture, level, xoffset, yoffset, zoffset, width, height, depth, format, type, data))       \
    X(PLAIN, InvalidateFramebuffer,                                                                \
      (fgi_gl_enum target, int numAttachments,                                                     \
       FGI_ARRAY(numAttachments) fgi_gl_enum *attachments),                                        \
      (target, numAttachments, attachments))                                                       \
    X(PLAIN, InvalidateSubFramebuffer,                                                             \
      (fgi_gl_enum target, int numAttachments, FGI_ARRAY(numAttachments) fgi_gl_enum *attachments, \
       int x, int y, int width, int height),                                                       \
      (target, numAttachments, attachments, x, y, width, height))                                  \
    X(PLAIN, InvalidateNamedFramebufferData,                                                       \
      (fgi_gl_framebuffer framebuffer, int numAttachments,                                         \
       FGI_ARRAY(numAttachments) fgi_gl_enum *attachments),                                        \
      (framebuffer, numAttachments, attachments))

/** Copies, and what fills buffers. */
#define FGI_COMMANDS_GL_COPIES(X)                                                                  \
    X(PLAIN, CopyBufferSubData,                                                                    \
      (fgi_gl_enum readTarget, fgi_gl_enum writeTarget, intptr_t readOffset, intptr_t writeOffset, \
       intptr_t size),                                                                             \
      (readTarget, writeTarget, readOffset, writeOffset, size))                                    \
    X(PLAIN, CopyNamedBufferSubData,                                                               \
      (fgi_gl_buffer readBuffer, fgi_gl_buffer writeBuffer, intptr_t readOffset,                   \
       intptr_t writeOffset, intptr_t size),                                                       \
      (readBuffer, writeBuffer, readOffset, writeOffset, size))                                    \
    X(PLAIN, CopyImageSubData,                                                                     \
      (fgi_gl_texture srcName, fgi_gl_enum srcTarget, int srcLevel, int srcX, int srcY, int srcZ,  \
       fgi_gl_texture dstName, fgi_gl_enum dstTarget, int dstLevel, int dstX, int dstY, int dstZ,  \
       int srcWidth, int srcHeight, int srcDepth),                                                 \
      (srcName, srcTarget, srcLevel, srcX, srcY, srcZ, dstName, dstTarget, dstLevel, dstX, dstY,   \
       dstZ, srcWidth, srcHeight, srcDepth))                                                       \
    X(PLAIN, CopyTexImage1D,                                                                       \
      (fgi_gl_enum target, int level, fgi_gl_enum internalformat, int x, int y, int width,         \
       int border),                                                                                \
      (target, level, internalformat, x, y, width, border))                                        \
    X(PLAIN, CopyTexImage2D,                                                                       \
      (fgi_gl_enum target, int level, fgi_gl_enum internalformat, int x, int y, int width,         \
       int height, int border),                                                                    \
      (target, level, internalformat, x, y, width, height, border))                                \
    X(PLAIN, CopyTexSubImage1D,                                                                    \
      (fgi_gl_enum target, int level, int xoffset, int x, int y, int width),                       \
      (target, level, xoffset, x, y, width))                                                       \
    X(PLAIN, CopyTexSubImage2D,                                                                    \
      (fgi_gl_enum target, int level, int xoffset, int yoffset, int x, int y, int width,           \
       int height),                                                                                \
      (target, level, xoffset, yoffset, x, y, width, height))                                      \
    X(PLAIN, CopyTexSubImage3D,                                                                    \
      (fgi_gl_enum target, int level, int xoffset, int yoffset, int zoffset, int x, int y,         \
       int width, int height),                                                                     \
      (target, level, xoffset, yoffset, zoffset, x, y, width, height))                             \
    X(PLAIN, CopyTextureSubImage1D,                                                                \
      (fgi_gl_texture texture, int level, int xoffset, int x, int y, int width),                   \
      (texture, level, xoffset, x, y, width))                                                      \
    X(PLAIN, CopyTextureSubImage2D,                                                                \
      (fgi_gl_texture texture, int level, int xoffset, int yoffset, int x, int y, int width,       \
       int height),                                                                                \
      (texture, level, xoffset, yoffset, x, y, width, height))                                     \
    X(PLAIN, CopyTextureSubImage3D,                                                                \
      (fgi_gl_texture texture, int level, int xoffset, int yoffset, int zoffset, int x, int y,     \
       int width, int height),                                                                     \
      (texture, level, xoffset, yoffset, zoffset, x, y, width, height))                            \
    X(PLAIN, BlitFramebuffer,                                                                      \
      (int srcX0, int srcY0, int srcX1, int srcY1, int dstX0, int dstY0, int dstX1, int dstY1,     \
       fgi_gl_clear_mask mask, fgi_gl_enum filter),                                                \
      (srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1, mask, filter))                      \
    X(PLAIN, BlitNamedFramebuffer,                                                                 \
      (fgi_gl_framebuffer readFramebuffer, fgi_gl_framebuffer drawFramebuffer, int srcX0,          \
       int srcY0, int srcX1, int srcY1, int dstX0, int dstY0, int dstX1, int dstY1,                \
       fgi_gl_clear_mask mask, fgi_gl_enum filter),                                                \
      (readFramebuffer, drawFramebuffer, srcX0, srcY0, srcX1, srcY1, dstX0, dstY0, dstX1, dstY1,   \
       mask, filter))                                                                              \
    X(PLAIN, GenerateMipmap, (fgi_gl_enum target), (target))                                       \
    X(PLAIN, GenerateTextureMipmap, (fgi_gl_texture texture), (texture))                           \
    X(PLAIN, ReadPixels,                                                                           \
      (int x, int y, int width, int height, fgi_gl_enum format, fgi_gl_enum type, void *pixels),   \
      (x, y, width, height, format, type, pixels))                                                 \
    X(PLAIN, BufferData,                                                                           \
      (fgi_gl_enum target, intptr_t size, fgi_gl_offset data, fgi_gl_enum usage),                  \
      (target, size, data, usage))                                                                 \
    X(PLAIN, BufferSubData,                                                                        \
      (fgi_gl_enum target, intptr_t offset, intptr_t size, fgi_gl_offset data),                    \
      (target, offset, size, data))                                                                \
    X(PLAIN, NamedBufferData,                                                                      \
      (fgi_gl_buffer buffer, intptr_t size, fgi_gl_offset data, fgi_gl_enum usage),                \
      (buffer, size, data, usage))                                                                 \
    X(PLAIN, NamedBufferSubData,                                                                   \
      (fgi_gl_buffer buffer, intptr_t offset, intptr_t size, fgi_gl_offset data),                  \
      (buffer, offset, size, data))

/** Binds. */
#define FGI_COMMANDS_GL_BINDS(X)                                                                   \
    X(PLAIN, UseProgram, (fgi_gl_program program), (program))                                      \
    X(PLAIN, BindProgramPipeline, (fgi_gl_pipeline pipeline), (pipeline))                          \
    X(PLAIN, BindFramebuffer, (fgi_gl_enum target, fgi_gl_framebuffer framebuffer),                \
      (target, framebuffer))                                                                       \
    X(PLAIN, BindRenderbuffer, (fgi_gl_enum target, fgi_gl_renderbuffer renderbuffer),             \
      (target, renderbuffer))                                                                      \
    X(PLAIN, BindVertexArray, (fgi_gl_vertex_array array), (array))                                \
    X(PLAIN, BindBuffer, (fgi_gl_enum target, fgi_gl_buffer buffer), (target, buffer))             \
    X(PLAIN, BindBufferBase, (fgi_gl_enum target, unsigned index, fgi_gl_buffer buffer),           \
      (target, index, buffer))                                                                     \
    X(PLAIN, BindBufferRange,                                                                      \
      (fgi_gl_enum target, unsigned index, fgi_gl_buffer buffer, intptr_t offset, intptr_t size),  \
      (target, index, buffer, offset, size))                                                       \
    X(PLAIN, BindVertexBuffer,                                                                     \
      (unsigned bindingindex, fgi_gl_buffer buffer, intptr_t offset, int stride),                  \
      (bindingindex, buffer, offset, stride))                                                      \
    X(PLAIN, ActiveTexture, (fgi_gl_enum texture), (texture))                                      \
    X(PLAIN, BindTexture, (fgi_gl_enum target, fgi_gl_texture texture), (target, texture))         \
    X(PLAIN, BindTextureUnit, (unsigned unit, fgi_gl_texture texture), (unit, texture))            \
    X(PLAIN, BindTextures, (unsigned first, int count, FGI_ARRAY(count) fgi_gl_texture *textures), \
      (first, count, textures))                                                                    \
    X(PLAIN, BindSampler, (unsigned unit, fgi_gl_sampler sampler), (unit, sampler))                \
    X(PLAIN, BindSamplers, (unsigned first, int count, FGI_ARRAY(count) fgi_gl_sampler *samplers), \
      (first, count, samplers))                                                                    \
    X(PLAIN, BindImageTexture,                                                                     \
      (unsigned unit, fgi_gl_texture texture, int level, fgi_gl_boolean layered, int layer,        \
       fgi_gl_enum access, fgi_gl_enum format),                                                    \
      (unit, texture, level, layered, layer, access, format))                                      \
    X(PLAIN, DrawBuffer, (fgi_gl_enum buf), (buf))                                                 \
    X(PLAIN, DrawBuffers, (int n, FGI_ARRAY(n) fgi_gl_enum *bufs), (n, bufs))                      \
    X(PLAIN, ReadBuffer, (fgi_gl_enum src), (src))

/** States. */
#define FGI_COMMANDS_GL_STATES(X)                                                                  \
    X(PLAIN, Viewport, (int x, int y, int width, int height), (x, y, width, height))               \
    X(PLAIN, ViewportIndexedf, (unsigned index, float x, float y, float w, float h),               \
      (index, x, y, w, h))                                                                         \
    X(PLAIN, Scissor, (int x, int y, int width, int height), (x, y, width, height))                \
    X(PLAIN, ScissorIndexed, (unsigned index, int left, int bottom, int width, int height),        \
      (index, left, bottom, width, height))                                                        \
    X(PLAIN, DepthRange, (double n, double f), (n, f))                                             \
    X(PLAIN, DepthRangef, (float n, float f), (n, f))                                              \
    X(PLAIN, Enable, (fgi_gl_enum cap), (cap))                                                     \
    X(PLAIN, Disable, (fgi_gl_enum cap), (cap))                                                    \
    X(PLAIN, Enablei, (fgi_gl_enum target, unsigned index), (target, index))                       \
    X(PLAIN, Disablei, (fgi_gl_enum target, unsigned index), (target, index))                      \
    X(PLAIN, BlendFunc, (fgi_gl_factor sfactor, fgi_gl_factor dfactor), (sfactor, dfactor))        \
    X(PLAIN, BlendFuncSeparate,                                                                    \
      (fgi_gl_factor sfactorRGB, fgi_gl_factor dfactorRGB, fgi_gl_factor sfactorAlpha,             \
       fgi_gl_factor dfactorAlpha),                                                                \
      (sfactorRGB, dfactorRGB, sfactorAlpha, dfactorAlpha))                                        \
    X(PLAIN, BlendFunci, (unsigned buf, fgi_gl_factor src, fgi_gl_factor dst), (buf, src, dst))    \
    X(PLAIN, BlendFuncSeparatei,                                                                   \
      (unsigned buf, fgi_gl_factor srcRGB, fgi_gl_factor dstRGB, fgi_gl_factor srcAlpha,           \
       fgi_gl_factor dstAlpha),                                                                    \
      (buf, srcRGB, dstRGB, srcAlpha, dstAlpha))                                                   \
    X(PLAIN, BlendEquation, (fgi_gl_enum mode), (mode))                                            \
    X(PLAIN, BlendEquationSeparate, (fgi_gl_enum modeRGB, fgi_gl_enum modeAlpha),                  \
      (modeRGB, modeAlpha))                                                                        \
    X(PLAIN, BlendEquationi, (unsigned buf, fgi_gl_enum mode), (buf, mode))                        \
    X(PLAIN, BlendEquationSeparatei, (unsigned buf, fgi_gl_enum modeRGB, fgi_gl_enum modeAlpha),   \
      (buf, modeRGB, modeAlpha))                                                                   \
    X(PLAIN, BlendColor, (float red, float green, float blue, float alpha),                        \
      (red, green, blue, alpha))                                                                   \
    X(PLAIN, ColorMask,                                                                            \
      (fgi_gl_boolean red, fgi_gl_boolean green, fgi_gl_boolean blue, fgi_gl_boolean alpha),       \
      (red, green, blue, alpha))                                                                   \
    X(PLAIN, ColorMaski,                                                                           \
      (unsigned index, fgi_gl_boolean r, fgi_gl_boolean g, fgi_gl_boolean b, fgi_gl_boolean a),    \
      (index, r, g, b, a))                                                                         \
    X(PLAIN, LogicOp, (fgi_gl_enum opcode), (opcode))                                              \
    X(PLAIN, DepthFunc, (fgi_gl_enum func), (func))                                                \
    X(PLAIN, DepthMask, (fgi_gl_boolean flag), (flag))                                             \
    X(PLAIN, StencilFunc, (fgi_gl_enum func, int ref, unsigned mask), (func, ref, mask))           \
    X(PLAIN, StencilFuncSeparate, (fgi_gl_enum face, fgi_gl_enum func, int ref, unsigned mask),    \
      (face, func, ref, mask))                                                                     \
    X(PLAIN, StencilOp, (fgi_gl_factor fail, fgi_gl_factor zfail, fgi_gl_factor zpass),            \
      (fail, zfail, zpass))                                                                        \
    X(PLAIN, StencilOpSeparate,                                                                    \
      (fgi_gl_enum face, fgi_gl_factor sfail, fgi_gl_factor dpfail, fgi_gl_factor dppass),         \
      (face, sfail, dpfail, dppass))                                                               \
    X(PLAIN, StencilMask, (unsigned mask), (mask))                                                 \
    X(PLAIN, StencilMaskSeparate, (fgi_gl_enum face, unsigned mask), (face, mask))                 \
    X(PLAIN, CullFace, (fgi_gl_enum mode), (mode))                                                 \
    X(PLAIN, FrontFace, (fgi_gl_enum mode), (mode))                                                \
    X(PLAIN, PolygonMode, (fgi_gl_enum face, fgi_gl_enum mode), (face, mode))                      \
    X(PLAIN, PolygonOffset, (float factor, float units), (factor, units))                          \
    X(PLAIN, PolygonOffsetClamp, (float factor, float units, float clamp), (factor, units, clamp)) \
    X(PLAIN, ClipControl, (fgi_gl_enum origin, fgi_gl_enum depth), (origin, depth))                \
    X(PLAIN, LineWidth, (float width), (width))                                                    \
    X(PLAIN, PointSize, (float size), (size))                                                      \
    X(PLAIN, PatchParameteri, (fgi_gl_enum pname, int value), (pname, value))                      \
    X(PLAIN, PrimitiveRestartIndex, (unsigned index), (index))

/** Order, queries, and names. */
#define FGI_COMMANDS_GL_ORDER(X)                                                                   \
    X(PLAIN, MemoryBarrier, (fgi_gl_barriers barriers), (barriers))                                \
    X(PLAIN, MemoryBarrierByRegion, (fgi_gl_barriers barriers), (barriers))                        \
    X(PLAIN, BeginQuery, (fgi_gl_enum target, fgi_gl_query id), (target, id))                      \
    X(PLAIN, EndQuery, (fgi_gl_enum target), (target))                                             \
    X(PLAIN, BeginQueryIndexed, (fgi_gl_enum target, unsigned index, fgi_gl_query id),             \
      (target, index, id))                                                                         \
    X(PLAIN, EndQueryIndexed, (fgi_gl_enum target, unsigned index), (target, index))               \
    X(PLAIN, QueryCounter, (fgi_gl_query id, fgi_gl_enum target), (id, target))                    \
    X(PLAIN, BeginConditionalRender, (fgi_gl_query id, fgi_gl_enum mode), (id, mode))              \
    X(PLAIN, BeginTransformFeedback, (fgi_gl_primitive primitiveMode), (primitiveMode))            \
    X(PLAIN, DebugMessageInsert,                                                                   \
      (fgi_gl_enum source, fgi_gl_enum type, unsigned id, fgi_gl_enum severity, int length,        \
       FGI_TEXT(length) char *buf),                                                                \
      (source, type, id, severity, length, buf))                                                   \
    X(PLAIN, DebugMessageInsertKHR,                                                                \
      (fgi_gl_enum source, fgi_gl_enum type, unsigned id, fgi_gl_enum severity, int length,        \
       FGI_TEXT(length) char *buf),                                                                \
      (source, type, id, severity, length, buf))                                                   \
    X(PLAIN, InsertEventMarkerEXT, (int length, FGI_MARKER(length) char *marker),                  \
      (length, marker))                                                                            \
    X(OPEN, PushDebugGroup,                                                                        \
      (fgi_gl_enum source, unsigned id, int length, FGI_TEXT(length) char *message),               \
      (source, id, length, message))                                                               \
    X(OPEN, PushDebugGroupKHR,                                                                     \
      (fgi_gl_enum source, unsigned id, int length, FGI_TEXT(length) char *message),               \
      (source, id, length, message))                                                               \
    X(OPEN, PushGroupMarkerEXT, (int length, FGI_MARKER(length) char *marker), (length, marker))   \
/** Without parameters: X(role, name). */
#define FGI_COMMANDS_OPENGL_BARE(X)                                                                \
    X(PLAIN, TextureBarrier)                                                                       \
    X(PLAIN, Flush)                                                                                \
    X(PLAIN, Finish)                                                                               \
    X(PLAIN, EndConditionalRender)                                                                 \
    X(PLAIN, EndTransformFeedback)                                                                 \
    X(PLAIN, PauseTransformFeedback)                                                               \
    X(PLAIN, ResumeTransformFeedback)                                                              \
    X(CLOSE, PopDebugGroup)                                                                        \
    X(CLOSE, PopDebugGroupKHR)                                                                     \
    X(CLOSE, PopGroupMarkerEXT)

/** With parameters. */
#define FGI_COMMANDS_OPENGL(X)                                                                     \
    FGI_COMMANDS_GL_CLEARS(X)                                                                      \
    FGI_COMMANDS_GL_COPIES(X)                                                                      \
    FGI_COMMANDS_GL_BINDS(X) FGI_COMMANDS_GL_STATES(X) FGI_COMMANDS_GL_ORDER(X)

#endif
