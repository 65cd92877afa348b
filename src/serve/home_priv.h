/* SPDX-License-Identifier: MIT */
/* The server's inputs from inside. */
#ifndef FGI_HOME_PRIV_H
#define FGI_HOME_PRIV_H
#include "serve/home.h"
#include <frameglass/open.h>
#include <stdatomic.h>

struct fgi_mutex;
struct fgi_thread;

struct fgi_home_input {
    struct fgi_home *home;
    struct fg_document *document;
    char *label;    /**< to show: a base name; owned */
    uint32_t trace; /**< number in the view; 0 until it is there */
    struct fgi_thread *loader;
};

struct fgi_home {
    const struct fg_allocator *allocator;
    struct fgi_view *view;
    atomic_bool is_ending;     /* relaxed: whoever sees it late only works a little longer */
    atomic_uint job_count;     /* downloads that are made, not just read */
    struct fgi_mutex *loading; /* guards the loader of each input */
    struct fgi_home_input inputs[FGI_HOME_INPUTS];
    size_t count;
};

/** The input of a trace; NULL when there is none. */
struct fgi_home_input *fgi_home_find(struct fgi_home *home, uint32_t trace);
/** The view's amend; `home` is a struct fgi_home. */
enum fg_result fgi_home_amend(void *home, uint32_t trace, const struct fgi_view_note *notes,
                              size_t count, struct fg_diag *diag, struct fgi_view_amendment *out);

#endif
