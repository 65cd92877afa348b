/* SPDX-License-Identifier: MIT */
#include "wasm/module.h"
#include "base/alloc.h"
#include "convert/exporter.h"
#include "home/document_view.h"
#include "open/document.h"
#include "view/view.h"
#include <frameglass/capture_copy.h>
#include <frameglass/open.h>
#include <stdio.h>
#include <string.h>

enum { INPUTS = 16, LABEL_BYTES = 256 };

struct module_input {
    struct fgi_module *module;
    uint32_t trace; /* 0 = slot is free */
    bool is_live;
    uint64_t size_bytes;
    char label[LABEL_BYTES];
    struct fg_document *document;
};

struct fgi_module {
    const struct fg_allocator *allocator;
    void (*progress)(uint32_t trace, uint64_t done, uint64_t all);
    struct fgi_view *view;
    struct module_input inputs[INPUTS];
    char error[320];
};

static struct module_input *input_of(struct fgi_module *module, uint32_t trace)
{
    for (size_t i = 0; i < INPUTS; i++) {
        if (module->inputs[i].trace == trace) {
            return &module->inputs[i];
        }
    }
    return NULL;
}

static void set_error(struct fgi_module *module, enum fg_result result, const struct fg_diag *diag)
{
    fgi_failure_text(module->error, sizeof module->error, result, diag);
}

static void load(void *context, uint32_t trace)
{
    struct fgi_module *module = context;
    struct module_input *input = input_of(module, trace);
    struct fg_diag diag = { 0 };
    enum fg_result result = fg_document_load(input->document, &diag);
    if (result == FG_OK) {
        fgi_view_attach(module->view, trace, fg_document_trace(input->document),
                        fg_document_engine(input->document));
    } else {
        set_error(module, result, &diag);
        fgi_view_fail(module->view, trace, result, module->error);
    }
}

static enum fg_result amend(void *context, uint32_t trace, const struct fgi_view_note *notes,
                            size_t count, struct fg_diag *diag, struct fgi_view_amendment *out)
{
    struct fgi_module *module = context;
    const struct module_input *input = input_of(module, trace);
    return input == NULL
               ? FG_ERR_NOT_FOUND
               : fgi_document_amend(module->allocator, input->document, notes, count, diag, out);
}

enum fg_result fgi_module_create(const struct fgi_module_options *wanted,
                                 struct fgi_module **out_module)
{
    const struct fg_allocator *allocator = wanted != NULL ? wanted->allocator : NULL;
    struct fgi_module *module = fgi_calloc(allocator, 1, sizeof *module);
    if (module == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    const struct fgi_view_options options = {
        .allocator = allocator,
        .home = FGI_VIEW_MODULE,
        .load = load,
        .amend = amend,
        .context = module,
    };
    module->allocator = allocator;
    module->progress = wanted != NULL ? wanted->progress : NULL;
    enum fg_result result = fgi_view_create(&options, &module->view);
    if (result != FG_OK) {
        fgi_module_destroy(module);
        return result;
    }
    *out_module = module;
    return FG_OK;
}

void fgi_module_destroy(struct fgi_module *module)
{
    if (module == NULL) {
        return;
    }
    fgi_view_destroy(module->view);
    for (size_t i = 0; i < INPUTS; i++) {
        fg_document_close(module->inputs[i].document);
    }
    fgi_free(module->allocator, module, sizeof *module);
}

static bool report(void *context, uint64_t done, uint64_t total)
{
    const struct module_input *input = context;
    if (input->trace != 0 && input->module->progress != NULL) {
        input->module->progress(input->trace, done, total);
    }
    return true;
}

/* What the index says of an input, for the first time or again. */
static struct fgi_view_input describe(const struct module_input *input)
{
    return fgi_view_input_of(input->document, input->label, input->size_bytes, input->is_live);
}

uint32_t fgi_module_open(struct fgi_module *module, const struct fg_source *source,
                         const char *label, bool is_live)
{
    struct fg_diag diag = { 0 };
    struct module_input *input = input_of(module, 0);
    enum fg_result result = input == NULL ? FG_ERR_LIMIT : FG_OK;
    if (result == FG_OK) {
        *input = (struct module_input){ .module = module, .is_live = is_live };
        snprintf(input->label, sizeof input->label, "%s", label);
        result = source->size(source->context, &input->size_bytes);
    }
    if (result == FG_OK) {
        const struct fg_open_options options = {
            .allocator = module->allocator,
            .flags = is_live ? FG_OPEN_FOLLOW : 0,
            .progress = report,
            .progress_context = input,
        };
        result = fg_open_source(source, &options, &diag, &input->document);
    }
    if (result == FG_OK) {
        const struct fgi_view_input from = describe(input);
        result = fg_document_frame_count(input->document) > SIZE_MAX
                     ? FG_ERR_LIMIT
                     : fgi_view_add(module->view, &from, &input->trace);
    }
    if (result == FG_OK) {
        return input->trace;
    }
    if (input != NULL) {
        fg_document_close(input->document);
        *input = (struct module_input){ 0 };
    }
    set_error(module, result, &diag);
    return 0;
}

bool fgi_module_grow(struct fgi_module *module, uint32_t trace)
{
    struct module_input *input = trace == 0 ? NULL : input_of(module, trace);
    struct fg_diag diag = { 0 };
    bool has_grown = false;
    if (input == NULL) {
        set_error(module, FG_ERR_NOT_FOUND, &diag);
        return false;
    }
    enum fg_result result = fgi_document_grow(input->document, &diag, &has_grown);
    if (result == FG_OK && has_grown) {
        const struct fg_source *source = fgi_document_source(input->document);
        (void)source->size(source->context, &input->size_bytes);
        const struct fgi_view_input from = describe(input);
        result = fgi_view_replace(module->view, trace, &from, fg_document_trace(input->document),
                                  fg_document_engine(input->document));
        fgi_document_forget(input->document);
    }
    if (result != FG_OK) {
        set_error(module, result, &diag);
    }
    return result == FG_OK;
}

void fgi_module_close(struct fgi_module *module, uint32_t trace)
{
    struct module_input *input = trace == 0 ? NULL : input_of(module, trace);
    if (input != NULL) {
        fgi_view_remove(module->view, trace);
        fg_document_close(input->document);
        *input = (struct module_input){ 0 };
    }
}

enum fg_result fgi_module_answer(struct fgi_module *module, const void *request, size_t size,
                                 struct fgi_bytes *out)
{
    return fgi_view_answer(module->view, request, size, out);
}

static enum fg_result export_trace(struct fgi_module *module, struct fg_document *document,
                                   const struct fgi_exporter *exporter, const struct fg_sink *sink,
                                   struct fg_diag *diag)
{
    enum fg_result result = fg_document_load(document, diag);
    if (result != FG_OK) {
        return result;
    }
    const struct fgi_export work = {
        .allocator = module->allocator,
        .trace = fg_document_trace(document),
        .sink = sink,
    };
    return exporter->write(&work);
}

bool fgi_module_export(struct fgi_module *module, uint32_t trace, const char *what,
                       const struct fg_sink *sink)
{
    struct module_input *input = trace == 0 ? NULL : input_of(module, trace);
    const struct fgi_exporter *exporter = fgi_exporter_find(what);
    struct fg_diag diag = { 0 };
    enum fg_result result = FG_ERR_NOT_FOUND;
    if (input != NULL && exporter != NULL) {
        result = export_trace(module, input->document, exporter, sink, &diag);
    } else if (input != NULL && strcmp(what, "redacted") == 0) {
        const struct fg_capture_redact_options options = { .allocator = module->allocator };
        result =
            fg_capture_redact(fgi_document_source(input->document), &options, sink, &diag, NULL);
    }
    if (result != FG_OK) {
        set_error(module, result, &diag);
    }
    return result == FG_OK;
}

const char *fgi_module_error(const struct fgi_module *module)
{
    return module->error;
}
