/* SPDX-License-Identifier: MIT */
/* Who is let in: decided on text alone, so that it can be tested without a network. */
#ifndef FGI_GUARD_H
#define FGI_GUARD_H
#include <frameglass/base.h>

#define FGI_TOKEN_LENGTH 32

struct fgi_guard {
    uint16_t port;
    char token[FGI_TOKEN_LENGTH + 1]; /**< hexadecimal digits */
};

/** A new token; the port is set by whoever listens. FG_OK or FG_ERR_IO (no random source). */
FG_MUST_USE enum fg_result fgi_guard_init(struct fgi_guard *guard);
/**
 * Is this exactly the Host of our address? NULL is not. Stops names that were bound to 127.0.0.1.
 */
bool fgi_guard_host(const struct fgi_guard *guard, const char *host);
/** Is this exactly our own Origin? NULL is not. */
bool fgi_guard_origin(const struct fgi_guard *guard, const char *origin);
/**
 * The part of a path behind "/TOKEN/", or NULL when the token is not there or not ours. Takes the
 * same time wherever a wrong token differs.
 */
const char *fgi_guard_path(const struct fgi_guard *guard, const char *path);

#endif
