/* SPDX-License-Identifier: MIT */
#include "serve/home.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "home/document_view.h"
#include "serve/home_priv.h"
#include <stdio.h>
#include <string.h>

static bool report(void *context, uint64_t done, uint64_t total)
{
    struct fgi_home_input *input = context;
    if (input->trace != 0) {
        fgi_view_progress(input->home->view, input->trace, done, total);
    }
    return !atomic_load_explicit(&input->home->is_ending, memory_order_relaxed);
}

static void load_input(void *context)
{
    struct fgi_home_input *input = context;
    struct fgi_view *view = input->home->view;
    struct fg_diag diag = { 0 };
    fgi_mutex_lock(input->home->reading);
    enum fg_result result = fg_document_load(input->document, &diag);
    if (result == FG_OK) {
        fgi_view_attach(view, input->trace, fg_document_trace(input->document),
                        fg_document_engine(input->document));
    } else {
        char text[320];
        fgi_failure_text(text, sizeof text, result, &diag);
        fgi_view_fail(view, input->trace, result, text);
    }
    fgi_mutex_unlock(input->home->reading);
}

struct fgi_home_input *fgi_home_find(struct fgi_home *home, uint32_t trace)
{
    for (size_t i = 0; i < home->count; i++) {
        if (home->inputs[i].trace == trace) {
            return &home->inputs[i];
        }
    }
    return NULL;
}

/* A client asks for the trace: load on a thread of its own, so that the strip stays alive. */
static void begin_load(void *context, uint32_t trace)
{
    struct fgi_home *home = context;
    enum fg_result result = FG_ERR_NOT_FOUND;
    fgi_mutex_lock(home->loading);
    struct fgi_home_input *input = fgi_home_find(home, trace);
    if (input != NULL) {
        fgi_thread_join(input->loader); /* one that has failed before */
        input->loader = NULL;
        result = fgi_thread_create(home->allocator, load_input, input, &input->loader);
    }
    fgi_mutex_unlock(home->loading);
    if (result != FG_OK) {
        fgi_view_fail(home->view, trace, result, fg_result_text(result));
    }
}

enum fg_result fgi_home_create(const struct fg_allocator *allocator, struct fgi_home **out_home)
{
    struct fgi_home *home = fgi_calloc(allocator, 1, sizeof *home);
    if (home == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    home->allocator = allocator;
    const struct fgi_view_options options = {
        .allocator = allocator,
        .home = FGI_VIEW_SERVER,
        .load = begin_load,
        .amend = fgi_home_amend,
        .context = home,
    };
    enum fg_result result = fgi_mutex_create(allocator, &home->loading);
    if (result == FG_OK) {
        result = fgi_mutex_create(allocator, &home->reading);
    }
    if (result == FG_OK) {
        result = fgi_mutex_create(allocator, &home->watching);
    }
    if (result == FG_OK) {
        result = fgi_view_create(&options, &home->view);
    }
    if (result != FG_OK) {
        fgi_home_destroy(home);
        return result;
    }
    *out_home = home;
    return FG_OK;
}

void fgi_home_use_engine(struct fgi_home *home, const struct fg_open_options *options)
{
    home->engine = options->engine;
    home->runner = options->runner;
    home->runner_context = options->runner_context;
}

/* The part of a path that may be shown, owned: a directory's name tells about its owner. */
static char *label_of(const struct fgi_home *home, const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *label = strcmp(path, "-") == 0 ? "standard input"
                        : slash == NULL        ? path
                                               : slash + 1;
    char *copy = fgi_malloc(home->allocator, strlen(label) + 1);
    if (copy != NULL) {
        memcpy(copy, label, strlen(label) + 1);
    }
    return copy;
}

static void free_input(struct fgi_home *home, struct fgi_home_input *input)
{
    fg_document_close(input->document);
    if (input->label != NULL) {
        fgi_free(home->allocator, input->label, strlen(input->label) + 1);
    }
}

/* Bytes of the file as it is, packed or not; UINT64_MAX when it is a stream. */
static uint64_t size_of(const char *path)
{
    struct fg_file_source *file = NULL;
    struct fg_source source;
    uint64_t size = UINT64_MAX;
    if (strcmp(path, "-") != 0 && fg_file_source_open(path, &file, &source) == FG_OK) {
        if (source.size(source.context, &size) != FG_OK) {
            size = UINT64_MAX;
        }
        fg_file_source_close(file);
    }
    return size;
}

struct fgi_view_input fgi_home_describe(const struct fgi_home_input *input)
{
    return fgi_view_input_of(input->document, input->label, input->size_bytes, input->is_live);
}

static enum fg_result open_input(struct fgi_home *home, const char *path, uint32_t flags,
                                 struct fg_diag *diag)
{
    if (home->count == FGI_HOME_INPUTS) {
        return FG_ERR_LIMIT;
    }
    struct fgi_home_input *input = &home->inputs[home->count];
    *input = (struct fgi_home_input){ .home = home, .size_bytes = size_of(path) };
    const struct fg_open_options options = {
        .allocator = home->allocator,
        .flags = flags,
        .progress = report,
        .progress_context = input,
        .engine = home->engine,
        .runner = home->runner,
        .runner_context = home->runner_context,
    };
    input->label = label_of(home, path);
    enum fg_result result = input->label == NULL
                                ? FG_ERR_NO_MEMORY
                                : fg_open_path(path, &options, diag, &input->document);
    bool is_plain = input->size_bytes != UINT64_MAX;
    if (result == FG_OK && (flags & FG_OPEN_FOLLOW) != 0 && is_plain &&
        fg_document_packing(input->document)[0] == 0) {
        result = fgi_home_begin_following(input);
    }
    if (result == FG_OK) {
        const struct fgi_view_input from = fgi_home_describe(input);
        result = fgi_view_add(home->view, &from, &input->trace);
    }
    if (result != FG_OK) {
        free_input(home, input);
        return result;
    }
    home->count++;
    return FG_OK;
}

enum fg_result fgi_home_open(struct fgi_home *home, const char *path, struct fg_diag *diag)
{
    return open_input(home, path, 0, diag);
}

enum fg_result fgi_home_follow(struct fgi_home *home, const char *path, struct fg_diag *diag)
{
    return open_input(home, path, FG_OPEN_FOLLOW, diag);
}

enum fg_result fgi_home_answer(void *home, const void *request, size_t size, struct fgi_bytes *out)
{
    struct fgi_home *own = home;
    fgi_home_note_asking(own);
    return fgi_view_answer(own->view, request, size, out);
}

void fgi_home_end(struct fgi_home *home)
{
    atomic_store_explicit(&home->is_ending, true, memory_order_relaxed);
    fgi_home_stop_following(home);
}

void fgi_home_destroy(struct fgi_home *home)
{
    if (home == NULL) {
        return;
    }
    fgi_home_end(home);
    fgi_thread_join(home->watcher);
    for (size_t i = 0; i < home->count; i++) {
        fgi_thread_join(home->inputs[i].loader);
    }
    fgi_view_destroy(home->view);
    for (size_t i = 0; i < home->count; i++) {
        free_input(home, &home->inputs[i]);
    }
    fgi_mutex_destroy(home->loading);
    fgi_mutex_destroy(home->reading);
    fgi_mutex_destroy(home->watching);
    fgi_free(home->allocator, home, sizeof *home);
}
