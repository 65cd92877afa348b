/* SPDX-License-Identifier: MIT */
/*
 * The view protocol over HTTP, for the page on the same machine. What is let in and what is not is
 * docs/PROTOCOL.md, section 7.
 */
#ifndef FGI_SERVER_H
#define FGI_SERVER_H
#include "base/bytes.h"
#include "serve/download.h"

struct fgi_server;

struct fgi_server_options {
    const struct fg_allocator *allocator; /**< NULL = libc; outlives the server */
    uint16_t port;                        /**< 0 = a free one */
    /** Inactivity after which a connection is closed, and most time for a request; 0 = 15. */
    unsigned timeout_s;
    unsigned connection_limit; /**< 0 = 64 */
    /**
     * Answer a request buffer; as fgi_view_answer(). Called on several threads at once.
     */
    enum fg_result (*answer)(void *context, const void *request, size_t size,
                             struct fgi_bytes *out);
    /**
     * Begin a download. Called on several threads at once. NULL: there are none.
     *
     * @return FG_OK, FG_ERR_NOT_FOUND, or why not now
     */
    enum fg_result (*download)(void *context, uint32_t trace, const char *what,
                               struct fgi_download *out_download);
    void *context;
};

/**
 * Listen on 127.0.0.1 and answer from threads of its own.
 *
 * @param out_server owned; untouched on failure
 * @return FG_OK, FG_ERR_BUSY (the port is taken), FG_ERR_IO, FG_ERR_NO_MEMORY
 */
FG_MUST_USE enum fg_result fgi_server_start(const struct fgi_server_options *options,
                                            struct fgi_server **out_server);
/** "http://127.0.0.1:PORT/TOKEN/": the secret is in it. Lent until the end. */
const char *fgi_server_address(const struct fgi_server *server);
/** Ends all connections and waits for answers at work. NULL is legal. */
void fgi_server_stop(struct fgi_server *server);

#endif
