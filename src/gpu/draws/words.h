/* SPDX-License-Identifier: MIT */
/*
 * Words in the parameters of listed entry points. To the compiler they are "const" or a plain type;
 * who prints calls reads them in the parameters' text, which is why that text has to be written in
 * the lists themselves, and with the names that the API's own documentation gives.
 */
#ifndef FGI_WORDS_H
#define FGI_WORDS_H
#include <stdint.h>

/** The pointer is to so many: the name of another parameter, or a number. */
#define FGI_ARRAY(count) const
/** Whose structures lie `stride` bytes apart. */
#define FGI_STRIDED(count, stride) const
/** What clears a buffer of this kind: four of GL_COLOR, one of GL_DEPTH and GL_STENCIL. */
#define FGI_CLEAR_VALUES(buffer) const
/** Bytes without a type. */
#define FGI_BYTES(size) const
/** A text of so many bytes, or up to its end if that is negative. */
#define FGI_TEXT(length) const
/** The same, where 0 too says up to its end. */
#define FGI_MARKER(length) const

/* What an unsigned number of OpenGL is. */
typedef unsigned fgi_gl_enum;
typedef unsigned fgi_gl_primitive; /**< 0 is GL_POINTS */
typedef unsigned fgi_gl_factor;    /**< 0 is GL_ZERO */
typedef unsigned fgi_gl_clear_mask;
typedef unsigned fgi_gl_barriers;
typedef unsigned char fgi_gl_boolean;
typedef unsigned fgi_gl_program;
typedef unsigned fgi_gl_pipeline;
typedef unsigned fgi_gl_framebuffer;
typedef unsigned fgi_gl_renderbuffer;
typedef unsigned fgi_gl_texture;
typedef unsigned fgi_gl_buffer;
typedef unsigned fgi_gl_vertex_array;
typedef unsigned fgi_gl_sampler;
typedef unsigned fgi_gl_query;
typedef const void *fgi_gl_offset; /**< into the bound buffer, or memory */

#endif
