/* SPDX-License-Identifier: MIT */
#include "serve/home.h"
#include "base/alloc.h"
#include "base/thread.h"
#include <frameglass/open.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

struct input {
    struct fgi_home *home;
    struct fg_document *document;
    uint32_t trace; /* number in the view; 0 until it is there */
    struct fgi_thread *loader;
};

struct fgi_home {
    const struct fg_allocator *allocator;
    struct fgi_view *view;
    atomic_bool is_ending;     /* relaxed: a loader that sees it late only works a little longer */
    struct fgi_mutex *loading; /* guards the loader of each input */
    struct input inputs[FGI_HOME_INPUTS];
    size_t count;
};

static bool report(void *context, uint64_t done, uint64_t total)
{
    struct input *input = context;
    if (input->trace != 0) {
        fgi_view_progress(input->home->view, input->trace, done, total);
    }
    return !atomic_load_explicit(&input->home->is_ending, memory_order_relaxed);
}

static void load_input(void *context)
{
    struct input *input = context;
    struct fgi_view *view = input->home->view;
    struct fg_diag diag = { 0 };
    enum fg_result result = fg_document_load(input->document, &diag);
    if (result == FG_OK) {
        fgi_view_attach(view, input->trace, fg_document_trace(input->document),
                        fg_document_engine(input->document));
        return;
    }
    char text[320];
    if (diag.message[0] != 0) {
        snprintf(text, sizeof text, "%s (at byte %llu)", diag.message,
                 (unsigned long long)diag.offset);
    } else {
        snprintf(text, sizeof text, "%s", fg_result_text(result));
    }
    fgi_view_fail(view, input->trace, result, text);
}

/* A client asks for the trace: load on a thread of its own, so that the strip stays alive. */
static void begin_load(void *context, uint32_t trace)
{
    struct fgi_home *home = context;
    enum fg_result result = FG_ERR_NOT_FOUND;
    fgi_mutex_lock(home->loading);
    for (size_t i = 0; i < home->count; i++) {
        struct input *input = &home->inputs[i];
        if (input->trace == trace) {
            fgi_thread_join(input->loader); /* one that has failed before */
            input->loader = NULL;
            result = fgi_thread_create(home->allocator, load_input, input, &input->loader);
        }
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
        .context = home,
    };
    enum fg_result result = fgi_mutex_create(allocator, &home->loading);
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

/* The part of a path that may be shown: a directory's name tells about its owner. */
static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return strcmp(path, "-") == 0 ? "standard input" : slash == NULL ? path : slash + 1;
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

/* The index's frames in the view's form. `out_frames` is owned by the caller. */
static enum fg_result copy_frames(struct fgi_home *home, const struct fg_document *document,
                                  struct fgi_view_frame **out_frames, size_t *out_count)
{
    enum { PIECE = 256 };
    uint64_t count = fg_document_frame_count(document);
    *out_frames = NULL;
    *out_count = 0;
    if (count == 0) {
        return FG_OK;
    }
    if (count > SIZE_MAX / sizeof **out_frames) {
        return FG_ERR_LIMIT;
    }
    struct fgi_view_frame *frames = fgi_calloc(home->allocator, (size_t)count, sizeof *frames);
    if (frames == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (size_t done = 0, got = 1; done < count && got != 0; done += got) {
        struct fg_strip_frame piece[PIECE];
        got =
            fg_document_frames(document, done, count - done < PIECE ? count - done : PIECE, piece);
        for (size_t i = 0; i < got; i++) {
            frames[done + i] = (struct fgi_view_frame){
                .number = piece[i].frame,
                .cpu_ns = piece[i].cpu_ns,
                .gpu_ns = piece[i].gpu_ns,
                .dropped = piece[i].dropped,
            };
        }
    }
    *out_frames = frames;
    *out_count = (size_t)count;
    return FG_OK;
}

static enum fg_result add_to_view(struct fgi_home *home, struct input *input, const char *path)
{
    struct fgi_view_frame *frames = NULL;
    size_t count = 0;
    enum fg_result result = copy_frames(home, input->document, &frames, &count);
    const struct fgi_view_input from = {
        .label = base_name(path),
        .format = fg_document_format(input->document),
        .packing = fg_document_packing(input->document),
        .size_bytes = size_of(path),
        .frames = frames,
        .frame_count = count,
    };
    if (result == FG_OK) {
        result = fgi_view_add(home->view, &from, &input->trace);
    }
    fgi_free(home->allocator, frames, count * sizeof *frames);
    return result;
}

enum fg_result fgi_home_open(struct fgi_home *home, const char *path, struct fg_diag *diag)
{
    if (home->count == FGI_HOME_INPUTS) {
        return FG_ERR_LIMIT;
    }
    struct input *input = &home->inputs[home->count];
    *input = (struct input){ .home = home };
    const struct fg_open_options options = {
        .allocator = home->allocator,
        .progress = report,
        .progress_context = input,
    };
    enum fg_result result = fg_open_path(path, &options, &input->document, diag);
    if (result != FG_OK) {
        return result;
    }
    result = add_to_view(home, input, path);
    if (result != FG_OK) {
        fg_document_close(input->document);
        return result;
    }
    home->count++;
    return FG_OK;
}

enum fg_result fgi_home_answer(void *home, const void *request, size_t size, struct fgi_bytes *out)
{
    struct fgi_home *own = home;
    return fgi_view_answer(own->view, request, size, out);
}

void fgi_home_destroy(struct fgi_home *home)
{
    if (home == NULL) {
        return;
    }
    atomic_store_explicit(&home->is_ending, true, memory_order_relaxed);
    for (size_t i = 0; i < home->count; i++) {
        fgi_thread_join(home->inputs[i].loader);
    }
    fgi_view_destroy(home->view);
    for (size_t i = 0; i < home->count; i++) {
        fg_document_close(home->inputs[i].document);
    }
    fgi_mutex_destroy(home->loading);
    fgi_free(home->allocator, home, sizeof *home);
}
