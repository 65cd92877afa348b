/* SPDX-License-Identifier: MIT */
/*
 * Ask RenderDoc for a capture, when this process runs under it.
 *
 *     void *library = dlopen("librenderdoc.so", RTLD_NOW | RTLD_NOLOAD);      the program's loader
 *     struct fg_renderdoc renderdoc;
 *     if (fg_renderdoc_connect(library != NULL ? dlsym(library, "RENDERDOC_GetAPI") : NULL,
 *                              &renderdoc, &diag) == FG_OK) {
 *         fg_renderdoc_trigger(&renderdoc);                                   the next frame
 *     }
 *
 * RenderDoc must have been there before the graphics API was loaded: it is never loaded from here,
 * and nothing is linked. Declarations are ours, made from RenderDoc's documentation of its
 * in-application interface, version 1.0.0, which later versions keep to.
 *
 * Threads: any; RenderDoc takes its own locks. The value is not written after the connect.
 */
#ifndef FG_RENDERDOC_H
#define FG_RENDERDOC_H
#include <frameglass/base.h>
FG_BEGIN_DECLS

#define FG_RENDERDOC_SYMBOL "RENDERDOC_GetAPI"
#define FG_RENDERDOC_LINUX  "librenderdoc.so" /**< the library that has it, on Linux */

/** A value: no ending. All zero is "not there", with which every call below does nothing. */
struct fg_renderdoc {
    const void *functions; /**< RenderDoc's table */
    int major, minor, patch;
};

/**
 * @param get_api         what the loader says that FG_RENDERDOC_SYMBOL is; NULL = it is not there
 * @param out_renderdoc   all zero on failure
 * @param diag            why not, in words for a person. NULL is legal
 * @return FG_OK; FG_ERR_NOT_FOUND (get_api is NULL), FG_ERR_UNSUPPORTED (RenderDoc refuses the
 *         version, has another one, or lacks functions), FG_ERR_ARGUMENT
 */
FG_API enum fg_result fg_renderdoc_connect(void *get_api, struct fg_renderdoc *out_renderdoc,
                                           struct fg_diag *diag);
/**
 * Of the window that is active in RenderDoc, the next frame: from a present to the next.
 * @return FG_OK; FG_ERR_NOT_FOUND (no RenderDoc)
 */
FG_API enum fg_result fg_renderdoc_trigger(const struct fg_renderdoc *renderdoc);

/**
 * What is called from here to the end, for programs that present nothing.
 *
 * @param device VkInstance's dispatch pointer or GL context; NULL = whichever there is
 * @param window NULL = whichever there is, or none
 * @return FG_OK; FG_ERR_NOT_FOUND (no RenderDoc)
 */
FG_API enum fg_result fg_renderdoc_begin(const struct fg_renderdoc *renderdoc, void *device,
                                         void *window);
/** @return FG_OK; FG_ERR_NOT_FOUND (no RenderDoc), FG_ERR_STATE (nothing was captured) */
FG_API enum fg_result fg_renderdoc_end(const struct fg_renderdoc *renderdoc, void *device,
                                       void *window);
/** Whether a capture is being made, triggered or begun. */
FG_API bool fg_renderdoc_is_capturing(const struct fg_renderdoc *renderdoc);

/** Captures that this process has made. */
FG_API uint32_t fg_renderdoc_count(const struct fg_renderdoc *renderdoc);
/**
 * @param index    from 0
 * @param out_path the capture's file, terminated; cut to nothing when `size` is too small
 * @return FG_OK; FG_ERR_NOT_FOUND (no such capture), FG_ERR_LIMIT (`size` is too small)
 */
FG_API enum fg_result fg_renderdoc_path(const struct fg_renderdoc *renderdoc, uint32_t index,
                                        char *out_path, size_t size);

FG_END_DECLS
#endif
