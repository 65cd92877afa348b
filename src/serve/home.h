/* SPDX-License-Identifier: MIT */
/* The inputs that a server shows: opened at once, loaded when a client asks. */
#ifndef FGI_HOME_H
#define FGI_HOME_H
#include "serve/download.h"
#include "view/view.h"

enum { FGI_HOME_INPUTS = 2 };

struct fgi_home;

/** FG_OK or FG_ERR_NO_MEMORY. */
FG_MUST_USE enum fg_result fgi_home_create(const struct fg_allocator *allocator,
                                           struct fgi_home **out_home);
struct fg_open_options;
/** Who answers for the inputs that are opened from now on: only this of the options is looked at;
 *  a device is for one input. */
void fgi_home_use_engine(struct fgi_home *home, const struct fg_open_options *options);
/**
 * Open an input: its index is read, its payloads are not.
 *
 * @param path copied; "-" is standard input
 * @return as fg_open_path(); FG_ERR_LIMIT also for more than FGI_HOME_INPUTS
 */
FG_MUST_USE enum fg_result fgi_home_open(struct fgi_home *home, const char *path,
                                         struct fg_diag *diag);
/** As fgi_home_open(), of a file that may grow. What is packed or comes through a pipe does not. */
FG_MUST_USE enum fg_result fgi_home_follow(struct fgi_home *home, const char *path,
                                           struct fg_diag *diag);
/** Once all inputs are open: look at those that are followed, while somebody asks. */
FG_MUST_USE enum fg_result fgi_home_watch(struct fgi_home *home);
/** Answers as fgi_view_answer(); `home` is a struct fgi_home: for fgi_server_options. */
enum fg_result fgi_home_answer(void *home, const void *request, size_t size, struct fgi_bytes *out);
/**
 * A download of a trace, as docs/PROTOCOL.md, section 7, calls it; `home` is a struct fgi_home: for
 * fgi_server_options.
 *
 * @return FG_OK, FG_ERR_NOT_FOUND (no such trace or name), FG_ERR_BUSY (as many as may be made at
 *         once are), FG_ERR_NO_MEMORY
 */
enum fg_result fgi_home_download(void *home, uint32_t trace, const char *what,
                                 struct fgi_download *out_download);
/** Long work ends soon: call it before the server is stopped, which waits for what is at work. */
void fgi_home_end(struct fgi_home *home);
/** Cancels and waits for loading that is under way. No answer and no download may be at work. NULL
 * is legal. */
void fgi_home_destroy(struct fgi_home *home);

#endif
