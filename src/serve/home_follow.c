/* SPDX-License-Identifier: MIT */
/*
 * Inputs that grow while they are shown. One thread looks at them, and only while somebody asks: a
 * page that is closed costs nothing.
 */
#include "base/clock.h"
#include "base/thread.h"
#include "open/document.h"
#include "home/document_view.h"
#include "serve/home_priv.h"
#include <stdio.h>
#include <string.h>

static const int64_t look_ns = 250000000;    /* from look to look */
static const int64_t asked_ns = 3000000000;  /* so long after a question somebody is there */
static const int64_t idle_ns = 600000000000; /* a question ends it sooner */

/* The first bytes of a recording, which no other one has: they hold its random number. */
static enum fg_result read_mark(const struct fgi_home_input *input, uint8_t *mark, size_t *out_size)
{
    const struct fg_source *source = fgi_document_source(input->document);
    return source->read_at(source->context, FGI_MARK_OFFSET, mark, FGI_MARK_BYTES, out_size);
}

/* Is this still the recording that was opened, and at least as much of it? */
static enum fg_result is_the_same(struct fgi_home_input *input, bool *out_same)
{
    const struct fg_source *source = fgi_document_source(input->document);
    uint8_t mark[FGI_MARK_BYTES];
    size_t size = 0;
    uint64_t now_bytes = 0;
    enum fg_result result = source->size(source->context, &now_bytes);
    if (result == FG_OK) {
        result = read_mark(input, mark, &size);
    }
    if (result != FG_OK) {
        return result;
    }
    *out_same = now_bytes >= input->seen_bytes && size >= input->mark_size &&
                memcmp(mark, input->mark, input->mark_size) == 0;
    if (*out_same) {
        memcpy(input->mark, mark, size);
        input->mark_size = size;
        input->seen_bytes = now_bytes;
    }
    return FG_OK;
}

static enum fg_result look_for_growth(struct fgi_home_input *input, struct fg_diag *diag)
{
    struct fgi_view *view = input->home->view;
    bool has_grown = false;
    enum fg_result result = fgi_document_grow(input->document, diag, &has_grown);
    if (result == FG_OK && has_grown) {
        struct fgi_view_input from = fgi_home_describe(input);
        from.size_bytes = input->seen_bytes;
        result = fgi_view_replace(view, input->trace, &from, fg_document_trace(input->document),
                                  fg_document_engine(input->document));
        fgi_document_forget(input->document);
    }
    return result;
}

/* What was shown stays, whatever happens to the file. */
static void look_at(struct fgi_home_input *input)
{
    struct fgi_view *view = input->home->view;
    struct fg_diag diag = { 0 };
    bool is_same = true;
    enum fg_result result = is_the_same(input, &is_same);
    if (result == FG_OK && !is_same) {
        input->is_live = false;
        fgi_view_trouble(view, input->trace,
                         "the file was cut, or written anew, while it was followed: what was read "
                         "before stays; start frameglass view again to see what is in it now",
                         true);
        return;
    }
    if (result == FG_OK) {
        result = look_for_growth(input, &diag);
    }
    if (result != FG_OK) {
        char text[320];
        fgi_failure_text(text, sizeof text, result, &diag);
        fgi_view_trouble(view, input->trace, text, false);
    } else {
        fgi_view_trouble(view, input->trace, NULL, false);
    }
}

static bool is_ending(const struct fgi_home *home)
{
    return atomic_load_explicit(&home->is_ending, memory_order_relaxed);
}

static void watch(void *context)
{
    struct fgi_home *home = context;
    fgi_mutex_lock(home->watching);
    while (!is_ending(home)) {
        bool is_asked =
            home->has_asked && fgi_clock_monotonic_ns() - home->last_asked_ns < asked_ns;
        home->is_idle = !is_asked;
        fgi_mutex_wait(home->watching, is_asked ? look_ns : idle_ns);
        fgi_mutex_unlock(home->watching);
        for (size_t i = 0; is_asked && i < home->count && !is_ending(home); i++) {
            fgi_mutex_lock(home->reading);
            if (home->inputs[i].is_live) {
                look_at(&home->inputs[i]);
            }
            fgi_mutex_unlock(home->reading);
        }
        fgi_mutex_lock(home->watching);
    }
    fgi_mutex_unlock(home->watching);
}

enum fg_result fgi_home_begin_following(struct fgi_home_input *input)
{
    const struct fg_source *source = fgi_document_source(input->document);
    enum fg_result result = source->size(source->context, &input->seen_bytes);
    if (result == FG_OK) {
        result = read_mark(input, input->mark, &input->mark_size);
    }
    input->is_live = result == FG_OK;
    return result;
}

enum fg_result fgi_home_watch(struct fgi_home *home)
{
    bool any = false;
    for (size_t i = 0; i < home->count; i++) {
        any |= home->inputs[i].is_live;
    }
    return any && home->watcher == NULL
               ? fgi_thread_create(home->allocator, watch, home, &home->watcher)
               : FG_OK;
}

void fgi_home_note_asking(struct fgi_home *home)
{
    if (home->watcher != NULL) {
        fgi_mutex_lock(home->watching);
        home->last_asked_ns = fgi_clock_monotonic_ns();
        home->has_asked = true;
        if (home->is_idle) {
            fgi_mutex_wake_all(home->watching);
        }
        fgi_mutex_unlock(home->watching);
    }
}

void fgi_home_stop_following(struct fgi_home *home)
{
    if (home->watcher != NULL) {
        fgi_mutex_lock(home->watching);
        fgi_mutex_wake_all(home->watching);
        fgi_mutex_unlock(home->watching);
    }
}
