/* SPDX-License-Identifier: MIT */
#include "open/document.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/result.h"
#include "open/document_priv.h"
#include "open/engine_choice.h"
#include "trace/engine.h"
#include "trace/model.h"

#include <stdio.h>

enum {
    HEAD_BYTES = 4096,
    SHOWN_BYTES = 4,
};

static struct fg_open_options with_defaults(const struct fg_open_options *options)
{
    struct fg_open_options full = options != NULL ? *options : (struct fg_open_options){ 0 };
    if (full.spool_memory_bytes == 0) {
        full.spool_memory_bytes = FGI_SPOOL_MEMORY_BYTES;
    }
    if (full.spool_limit_bytes == 0) {
        full.spool_limit_bytes = FGI_SPOOL_LIMIT_BYTES;
    }
    return full;
}

/* "sgpt, chrome": for the message that none of them fits. */
static void list_formats(char *text, size_t size)
{
    size_t used = 0;
    text[0] = '\0';
    const char *name;
    for (unsigned i = 0; (name = fg_open_format_name(i, NULL)) != NULL && used < size; i++) {
        int more = snprintf(text + used, size - used, "%s%s", i > 0 ? ", " : "", name);
        used += more > 0 ? (size_t)more : 0;
    }
}

enum fg_result fgi_open_no_format(const char *name, const uint8_t *head, size_t size,
                                  struct fg_diag *diag)
{
    char known[120];
    char found[SHOWN_BYTES * 3 + 1] = "";
    list_formats(known, sizeof known);
    if (name != NULL) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0, "no format is called %.40s (known: %s)", name,
                        known);
    }
    if (size == 0) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0, "the input is empty");
    }
    const char *foreign = fgi_open_foreign_name(head, size);
    if (foreign != NULL) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0,
                        "it looks like %s: such files are not read (those that are: %s)", foreign,
                        known);
    }
    for (size_t i = 0; i < size && i < SHOWN_BYTES; i++) {
        snprintf(found + 3 * i, 4, " %02x", head[i]);
    }
    return fgi_fail(diag, FG_ERR_FORMAT, 0,
                    "expected the start of a known format (%s), found the bytes%s", known, found);
}

static enum fg_result find_format(struct fg_document *document, const char *name,
                                  struct fg_diag *diag)
{
    uint8_t *head = fgi_malloc(document->allocator, HEAD_BYTES);
    if (head == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    size_t size = 0;
    const struct fg_source *source = &document->source;
    enum fg_result result = source->read_at(source->context, 0, head, HEAD_BYTES, &size);
    if (result != FG_OK) {
        result = fgi_fail(diag, result, 0, "the input cannot be read");
    } else {
        document->format = fgi_open_format_find(name, head, size);
        if (document->format == NULL) {
            result = fgi_open_no_format(name, head, size, diag);
        }
    }
    fgi_free(document->allocator, head, HEAD_BYTES);
    return result;
}

enum fg_result fgi_document_open(const struct fg_source *source, struct fg_file_source *file,
                                 struct fgi_spool *spool, const struct fg_open_options *options,
                                 struct fg_diag *diag, struct fg_document **out_document)
{
    const struct fg_allocator *allocator = options != NULL ? options->allocator : NULL;
    struct fg_document *document = fgi_calloc(allocator, 1, sizeof *document);
    if (document == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    document->allocator = allocator;
    document->options = with_defaults(options);
    document->source = *source;
    enum fg_result result = fgi_document_unpack(document, diag);
    if (result == FG_OK) {
        result = find_format(document, document->options.format, diag);
    }
    document->options.format = NULL; /* the caller's text may go after this call */
    if (result == FG_OK) {
        result = document->format->open(document, diag);
    }
    if (result != FG_OK) {
        fg_document_close(document);
        return result;
    }
    document->file = file;
    if (document->spool == NULL) {
        document->spool = spool;
    } else {
        fgi_document_free_spool(spool); /* everything has been unpacked out of it */
    }
    *out_document = document;
    return FG_OK;
}

enum fg_result fg_open_source(const struct fg_source *source, const struct fg_open_options *options,
                              struct fg_diag *diag, struct fg_document **out_document)
{
    if (source == NULL || source->read_at == NULL || source->size == NULL || out_document == NULL) {
        return FG_ERR_ARGUMENT;
    }
    return fgi_document_open(source, NULL, NULL, options, diag, out_document);
}

void fg_document_close(struct fg_document *document)
{
    if (document == NULL) {
        return;
    }
    fgi_document_forget(document);
    fgi_engine_destroy(document->engine);
    fgi_trace_destroy(document->trace);
    if (document->format != NULL) {
        document->format->close(document);
    }
    fgi_document_free_spool(document->spool);
    fg_file_source_close(document->file);
    fgi_free(document->allocator, document, sizeof *document);
}

const char *fg_document_format(const struct fg_document *document)
{
    return document->format->name;
}

const char *fg_document_packing(const struct fg_document *document)
{
    return document->packing;
}

const char *fg_document_packing_defect(const struct fg_document *document)
{
    return document->packing_defect.message[0] != '\0' ? document->packing_defect.message : NULL;
}

/* A new trace and an engine over it; what was there before is kept until it is forgotten. */
static enum fg_result load(struct fg_document *document, struct fg_diag *diag)
{
    struct fg_trace *trace = NULL;
    struct fg_engine *engine = NULL;
    fgi_document_forget(document);
    enum fg_result result = document->format->load(document, diag, &trace);
    if (result != FG_OK) {
        return result;
    }
    result = fgi_engine_choose(&document->options, document->allocator, trace,
                               &document->engine_diag, &engine);
    if (result != FG_OK) {
        fgi_trace_destroy(trace);
        return fgi_fail(diag, result, 0, "the trace cannot be indexed: %s", fg_result_text(result));
    }
    document->old_engine = document->engine;
    document->old_trace = document->trace;
    document->engine = engine;
    document->trace = trace;
    return FG_OK;
}

void fgi_document_forget(struct fg_document *document)
{
    fgi_engine_destroy(document->old_engine);
    fgi_trace_destroy(document->old_trace);
    document->old_engine = NULL;
    document->old_trace = NULL;
}

enum fg_result fg_document_load(struct fg_document *document, struct fg_diag *diag)
{
    if (document == NULL) {
        return FG_ERR_ARGUMENT;
    }
    return document->trace == NULL ? load(document, diag) : FG_OK;
}

/* Making the trace anew takes at most a quarter of the time, unless it is done in no time. */
static bool is_resting(const struct fg_document *document)
{
    int64_t since = fgi_clock_monotonic_ns() - document->rebuilt_at_ns;
    return document->rebuild_ns > FGI_REBUILD_FREE_NS && since >= 0 &&
           since / FGI_REBUILD_REST < document->rebuild_ns;
}

enum fg_result fgi_document_grow(struct fg_document *document, struct fg_diag *diag,
                                 bool *out_grown)
{
    *out_grown = false;
    bool follows = (document->options.flags & FG_OPEN_FOLLOW) != 0;
    if (!follows || document->format->poll == NULL || document->spool != NULL) {
        return FG_OK; /* what was unpacked or came through a pipe is complete */
    }
    if (is_resting(document)) {
        return FG_OK;
    }
    enum fg_result result = document->format->poll(document, out_grown);
    if (result != FG_OK) {
        return fgi_fail(diag, result, 0, "the input cannot be read");
    }
    document->is_behind |= *out_grown; /* also when making the trace anew has failed before */
    *out_grown = document->is_behind;
    if (!document->is_behind || document->trace == NULL) {
        document->is_behind = false;
        return FG_OK;
    }
    int64_t begin_ns = fgi_clock_monotonic_ns();
    result = load(document, diag);
    document->rebuilt_at_ns = fgi_clock_monotonic_ns();
    document->rebuild_ns = document->rebuilt_at_ns - begin_ns;
    document->is_behind = result != FG_OK;
    return result;
}

enum fg_result fg_document_poll(struct fg_document *document, struct fg_diag *diag, bool *out_grown)
{
    enum fg_result result = fgi_document_grow(document, diag, out_grown);
    fgi_document_forget(document);
    return result;
}

struct fg_trace *fg_document_trace(const struct fg_document *document)
{
    return document != NULL ? document->trace : NULL;
}

struct fg_engine *fg_document_engine(const struct fg_document *document)
{
    return document != NULL ? document->engine : NULL;
}

struct fg_capture *fgi_document_capture(const struct fg_document *document)
{
    return document != NULL ? document->capture : NULL;
}

const struct fg_source *fgi_document_source(const struct fg_document *document)
{
    return &document->source;
}

uint64_t fg_document_frame_count(const struct fg_document *document)
{
    return document->format->frame_count != NULL ? document->format->frame_count(document) : 0;
}

size_t fg_document_frames(const struct fg_document *document, uint64_t first, size_t count,
                          struct fg_strip_frame *out_frames)
{
    uint64_t total = fg_document_frame_count(document);
    if (first >= total) {
        return 0;
    }
    if (count > total - first) {
        count = (size_t)(total - first);
    }
    document->format->frames(document, first, count, out_frames);
    return count;
}
