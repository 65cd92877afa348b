/* SPDX-License-Identifier: MIT */
/* The server's inputs from inside. */
#ifndef FGI_HOME_PRIV_H
#define FGI_HOME_PRIV_H
#include "serve/home.h"
#include <frameglass/open.h>
#include <stdatomic.h>

struct fgi_mutex;
struct fgi_thread;

/* Where a recording's random number is, whatever the length of its other fields. */
enum { FGI_MARK_OFFSET = 32, FGI_MARK_BYTES = 32 };

struct fgi_home_input {
    struct fgi_home *home;
    struct fg_document *document;
    char *label;    /**< to show: a base name; owned */
    uint32_t trace; /**< number in the view; 0 until it is there */
    struct fgi_thread *loader;
    uint64_t size_bytes; /**< as opened, packed or not; UINT64_MAX: a stream */

    /* Of an input that is followed; guarded by `reading`. */
    bool is_live;        /**< look at it */
    uint64_t seen_bytes; /**< its size when it was looked at */
    uint8_t mark[FGI_MARK_BYTES];
    size_t mark_size; /**< bytes of it that were there */
};

struct fgi_home {
    const struct fg_allocator *allocator;
    struct fgi_view *view;
    atomic_bool is_ending;     /* relaxed: whoever sees it late only works a little longer */
    atomic_uint job_count;     /* downloads that are made, not just read */
    struct fgi_mutex *loading; /* guards the loader of each input */
    /** Guards every document: one thread loads it or makes it grow. Taken before the view's. */
    struct fgi_mutex *reading;
    /** Guards what follows; woken when somebody asks after a while, and at the end. */
    struct fgi_mutex *watching;
    int64_t last_asked_ns;
    bool has_asked;
    bool is_idle;               /**< the watcher waits for a question */
    struct fgi_thread *watcher; /**< NULL: nothing is followed */
    struct fgi_home_input inputs[FGI_HOME_INPUTS];
    size_t count;
    /* Who answers for what is opened next: as in fg_open_options. */
    uint32_t engine;
    const struct fg_compute_runner *(*runner)(void *context, struct fg_diag *diag);
    void *runner_context;
};

/** The input of a trace; NULL when there is none. */
struct fgi_home_input *fgi_home_find(struct fgi_home *home, uint32_t trace);
/** What the view is told of an input. */
struct fgi_view_input fgi_home_describe(const struct fgi_home_input *input);

/* home_follow.c */
/** Remember what a new input is, to know it again. FG_OK, FG_ERR_IO. */
enum fg_result fgi_home_begin_following(struct fgi_home_input *input);
/** Somebody is there. */
void fgi_home_note_asking(struct fgi_home *home);
/** With `is_ending` set: let the watcher see it. */
void fgi_home_stop_following(struct fgi_home *home);

/** The view's amend; `home` is a struct fgi_home. */
enum fg_result fgi_home_amend(void *home, uint32_t trace, const struct fgi_view_note *notes,
                              size_t count, struct fg_diag *diag, struct fgi_view_amendment *out);

#endif
