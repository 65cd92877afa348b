/* SPDX-License-Identifier: MIT */
/* What goes out of the house whole: copies with notes, downloads. */
#include "base/alloc.h"
#include "open/document.h"
#include "serve/home_priv.h"
#include <frameglass/capture_copy.h>
#include <string.h>

/* ---- A copy with notes ----------------------------------------------------------------------- */

static enum fg_result amend_document(const struct fgi_home *home,
                                     const struct fg_document *document,
                                     const struct fg_capture_new_note *notes, size_t count,
                                     struct fg_diag *diag, struct fgi_view_amendment *out)
{
    const struct fg_capture_options options = { .allocator = home->allocator };
    struct fg_capture_amendment made;
    if (fgi_document_capture(document) == NULL) {
        return FG_ERR_UNSUPPORTED;
    }
    enum fg_result result =
        fg_capture_amend(fgi_document_source(document), &options, notes, count, diag, &made);
    if (result == FG_OK) {
        memcpy(out->head, made.head, sizeof out->head);
        out->keep_bytes = made.keep_bytes;
        fgi_put_raw(&out->tail, made.tail, made.tail_bytes);
        fg_capture_amendment_finish(home->allocator, &made);
        result = out->tail.result;
    }
    return result;
}

enum fg_result fgi_home_amend(void *home, uint32_t trace, const struct fgi_view_note *notes,
                              size_t count, struct fg_diag *diag, struct fgi_view_amendment *out)
{
    struct fgi_home *own = home;
    const struct fgi_home_input *input = fgi_home_find(own, trace);
    struct fg_capture_new_note *list = fgi_calloc(own->allocator, count, sizeof *list);
    if (input == NULL || list == NULL) {
        fgi_free(own->allocator, list, count * sizeof *list);
        return input == NULL ? FG_ERR_NOT_FOUND : FG_ERR_NO_MEMORY;
    }
    for (size_t i = 0; i < count; i++) {
        list[i] = (struct fg_capture_new_note){
            .frame = notes[i].frame,
            .has_time = notes[i].has_time,
            .time_ns = notes[i].time_ns,
            .text = { notes[i].text, notes[i].size },
        };
    }
    enum fg_result result = amend_document(own, input->document, list, count, diag, out);
    fgi_free(own->allocator, list, count * sizeof *list);
    return result;
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

/* ---- All of them ----------------------------------------------------------------------------- */

struct offer {
    const char *what;
    const char *type;
    const char *ending;
    enum fg_result (*open)(struct fgi_home_input *input, struct fgi_download *out);
};

static const struct offer offers[] = {
    { "file", "application/octet-stream", ".sgpt", download_file },
};

enum fg_result fgi_home_download(void *home, uint32_t trace, const char *what,
                                 struct fgi_download *out_download)
{
    struct fgi_home_input *input = fgi_home_find(home, trace);
    for (size_t i = 0; input != NULL && i < sizeof offers / sizeof *offers; i++) {
        if (strcmp(offers[i].what, what) == 0) {
            *out_download = (struct fgi_download){ .type = offers[i].type };
            fgi_download_name(out_download->name, sizeof out_download->name, input->label,
                              offers[i].ending);
            return offers[i].open(input, out_download);
        }
    }
    return FG_ERR_NOT_FOUND;
}
