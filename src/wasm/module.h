/* SPDX-License-Identifier: MIT */
/*
 * The view protocol without threads and files: inputs are sources that somebody else reads. It is
 * what the WebAssembly module exports; it builds natively too, so that tests can compare the two.
 */
#ifndef FGI_MODULE_H
#define FGI_MODULE_H
#include "base/bytes.h"
#include <frameglass/base.h>

struct fgi_module;

/** Zero is every field's default. */
struct fgi_module_options {
    const struct fg_allocator *allocator; /**< NULL = libc */
    /** Steps of loading a trace, now and then; all is 0 while it is not known. NULL = never. */
    void (*progress)(uint32_t trace, uint64_t done, uint64_t all);
};

/** @param options NULL = all defaults */
FG_MUST_USE enum fg_result fgi_module_create(const struct fgi_module_options *options,
                                             struct fgi_module **out_module);
void fgi_module_destroy(struct fgi_module *module);
/**
 * Open an input: its index is read. It is loaded when a client asks LOAD, before that answer.
 *
 * @param source  copied; its context is borrowed until fgi_module_close()
 * @param label   copied; a name to show
 * @param is_live it may grow: fgi_module_grow()
 * @return number of the trace; 0 = failed, see fgi_module_error()
 */
uint32_t fgi_module_open(struct fgi_module *module, const struct fg_source *source,
                         const char *label, bool is_live);
/** The source may have grown: look. False when that failed, see fgi_module_error(). */
bool fgi_module_grow(struct fgi_module *module, uint32_t trace);
void fgi_module_close(struct fgi_module *module, uint32_t trace);
/** As fgi_view_answer(). */
FG_MUST_USE enum fg_result fgi_module_answer(struct fgi_module *module, const void *request,
                                             size_t size, struct fgi_bytes *out);
/**
 * Write the whole of a trace in another form: docs/PROTOCOL.md, section 7.
 *
 * @param what a format of exporters, or "redacted"
 * @return false when that failed, see fgi_module_error()
 */
bool fgi_module_export(struct fgi_module *module, uint32_t trace, const char *what,
                       const struct fg_sink *sink);
/** Text of the last failure; "" when there was none. Lent until the next call. */
const char *fgi_module_error(const struct fgi_module *module);

#endif
