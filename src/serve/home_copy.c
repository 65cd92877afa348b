/* SPDX-License-Identifier: MIT */
/* What goes out of the house whole: copies with notes, downloads. */
#include "base/alloc.h"
#include "convert/exporter.h"
#include "home/document_view.h"
#include "open/document.h"
#include "serve/home_priv.h"
#include <frameglass/capture_copy.h>
#include <string.h>

/* ---- A copy with notes ----------------------------------------------------------------------- */

enum fg_result fgi_home_amend(void *home, uint32_t trace, const struct fgi_view_note *notes,
                              size_t count, struct fg_diag *diag, struct fgi_view_amendment *out)
{
    struct fgi_home *own = home;
    const struct fgi_home_input *input = fgi_home_find(own, trace);
    return input == NULL
               ? FG_ERR_NOT_FOUND
               : fgi_document_amend(own->allocator, input->document, notes, count, diag, out);
}

/* ---- The file as it is ----------------------------------------------------------------------- */

static enum fg_result read_file(void *context, uint64_t offset, void *bytes, size_t size,
                                size_t *out_read)
{
    const struct fg_source *source = context;
    return source->read_at(source->context, offset, bytes, size, out_read);
}

static void close_nothing(void *context)
{
    (void)context; /* the document holds its source */
}

static enum fg_result download_file(struct fgi_home_input *input, struct fgi_download *out)
{
    const struct fg_source *source = fgi_document_source(input->document);
    out->read = read_file;
    out->close = close_nothing;
    out->context = (void *)(uintptr_t)source;
    return source->size(source->context, &out->size_bytes);
}

/* ---- What is made of it ---------------------------------------------------------------------- */

/* Each of them holds a trace of its own while it is at work. */
enum { JOBS_MAX = 4 };

/*
 * A download that is written while it is read. It reads the input through a document of its own, so
 * that a slow reader keeps nobody from asking, and what grows may be loaded anew meanwhile.
 */
struct job {
    struct fgi_home *home;
    const struct fg_source *source;
    const struct fgi_exporter *exporter; /* NULL: a redacted copy */
};

static bool job_goes_on(void *context, uint64_t done, uint64_t total)
{
    const struct job *job = context;
    (void)done;
    (void)total;
    return !atomic_load_explicit(&job->home->is_ending, memory_order_relaxed);
}

static enum fg_result write_redacted(void *context, const struct fg_sink *sink)
{
    struct job *job = context;
    const struct fg_capture_redact_options options = {
        .allocator = job->home->allocator,
        .progress = job_goes_on,
        .progress_context = job,
    };
    return fg_capture_redact(job->source, &options, sink, NULL, NULL);
}

static enum fg_result write_exporter(void *context, const struct fg_sink *sink)
{
    struct job *job = context;
    struct fg_document *document = NULL;
    const struct fg_open_options options = {
        .allocator = job->home->allocator,
        .progress = job_goes_on,
        .progress_context = job,
    };
    enum fg_result result = fg_open_source(job->source, &options, NULL, &document);
    if (result == FG_OK) {
        result = fg_document_load(document, NULL);
    }
    if (result == FG_OK) {
        const struct fgi_export work = {
            .allocator = job->home->allocator,
            .trace = fg_document_trace(document),
            .sink = sink,
            .progress = job_goes_on,
            .progress_context = job,
        };
        result = job->exporter->write(&work);
    }
    fg_document_close(document);
    return result;
}

static void end_job(void *context)
{
    struct job *job = context;
    atomic_fetch_sub_explicit(&job->home->job_count, 1, memory_order_relaxed);
    fgi_free(job->home->allocator, job, sizeof *job);
}

static enum fg_result open_job(struct fgi_home_input *input, const struct fgi_exporter *exporter,
                               struct fgi_download *out)
{
    struct fgi_home *home = input->home;
    struct job *job = fgi_calloc(home->allocator, 1, sizeof *job);
    if (job == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    *job = (struct job){ home, fgi_document_source(input->document), exporter };
    enum fg_result result = FG_ERR_BUSY;
    /* Only counted, nothing is passed on by it. */
    if (atomic_fetch_add_explicit(&home->job_count, 1, memory_order_relaxed) < JOBS_MAX) {
        result = fgi_download_create(
            home->allocator, exporter != NULL ? write_exporter : write_redacted, end_job, job, out);
    }
    if (result != FG_OK) {
        end_job(job);
    }
    return result;
}

/* ---- All of them ----------------------------------------------------------------------------- */

struct offer {
    const char *what; /* also the exporter's name */
    const char *type;
    const char *ending;
};

static const struct offer offers[] = {
    { "file", "application/octet-stream", ".sgpt" },
    { "redacted", "application/octet-stream", ".sgpt" },
    { "chrome", "application/json", ".json" },
    { "graph-json", "application/json", ".graph.json" },
    { "csv", "text/csv; charset=utf-8", ".csv" },
};

static enum fg_result open_offer(struct fgi_home_input *input, const struct offer *offer,
                                 struct fgi_download *out)
{
    bool is_redacted = strcmp(offer->what, "redacted") == 0;
    *out = (struct fgi_download){ .type = offer->type };
    /* A file's name may say as much as the names in it. */
    fgi_download_name(out->name, sizeof out->name, is_redacted ? "redacted" : input->label,
                      offer->ending);
    if (strcmp(offer->what, "file") == 0) {
        return download_file(input, out);
    }
    if (is_redacted) {
        bool is_capture = fgi_document_capture(input->document) != NULL;
        return is_capture ? open_job(input, NULL, out) : FG_ERR_NOT_FOUND;
    }
    return open_job(input, fgi_exporter_find(offer->what), out);
}

enum fg_result fgi_home_download(void *home, uint32_t trace, const char *what,
                                 struct fgi_download *out_download)
{
    struct fgi_home_input *input = fgi_home_find(home, trace);
    for (size_t i = 0; input != NULL && i < sizeof offers / sizeof *offers; i++) {
        if (strcmp(offers[i].what, what) == 0) {
            return open_offer(input, &offers[i], out_download);
        }
    }
    return FG_ERR_NOT_FOUND;
}
