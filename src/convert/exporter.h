/* SPDX-License-Identifier: MIT */
/* A trace in the formats of other tools, written forward as it is read: nothing grows with it. */
#ifndef FGI_EXPORTER_H
#define FGI_EXPORTER_H
#include <frameglass/base.h>

struct fg_sink;
struct fg_trace;

/** What every exporter is given. */
struct fgi_export {
    const struct fg_allocator *allocator; /**< NULL = libc */
    const struct fg_trace *trace;         /**< borrowed for the call */
    const struct fg_sink *sink;           /**< only written forward */
    /** Rows done and rows in all; false cancels. NULL = never called. */
    bool (*progress)(void *context, uint64_t done, uint64_t total);
    void *progress_context;
    /** `count` things of a kind ("frame graphs") found no room in the format. NULL = not told. */
    void (*lacks)(void *context, const char *what, uint64_t count);
    void *lacks_context;
    /** What found no room in the format, which then has the newest; NULL = not asked for. */
    uint64_t *left_out;
};

struct fgi_exporter {
    const char *name;  /**< as `frameglass export --to` calls it */
    const char *about; /**< one line for people */
    /** FG_OK, FG_ERR_CANCELLED, FG_ERR_NO_MEMORY, or what the sink or the trace returned. */
    enum fg_result (*write)(const struct fgi_export *work);
};

/** Number `index`; NULL past the end. The first makes captures. */
const struct fgi_exporter *fgi_exporter_get(unsigned index);
/** By its name; NULL when there is none. */
const struct fgi_exporter *fgi_exporter_find(const char *name);

#endif
