/* SPDX-License-Identifier: MIT */
/* Chrome's Trace Event JSON. The file is read once, when the trace is made. */
#include "convert/import_chrome.h"
#include "open/document_priv.h"

static enum fg_result open_chrome(struct fg_document *document, struct fg_diag *diag)
{
    return fgi_chrome_probe(&document->source, document->allocator, diag);
}

static enum fg_result load_chrome(struct fg_document *document, struct fg_diag *diag,
                                  struct fg_trace **out_trace)
{
    const struct fgi_chrome_options options = {
        .allocator = document->allocator,
        .max_rows = document->options.max_rows,
        .progress = document->options.progress,
        .progress_context = document->options.progress_context,
    };
    return fgi_import_chrome(&document->source, &options, diag, out_trace);
}

static void close_chrome(struct fg_document *document)
{
    (void)document; /* what was kept went with the trace */
}

const struct fgi_format fgi_format_chrome = {
    .name = "chrome",
    .about = "Chrome's Trace Event JSON, and what many tools write as such",
    .sniff = fgi_chrome_sniff,
    .open = open_chrome,
    .load = load_chrome,
    .close = close_chrome,
};
