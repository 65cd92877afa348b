/* SPDX-License-Identifier: MIT */
#include "serve/guard.h"
#include "base/process.h"
#include <stdio.h>
#include <string.h>

enum fg_result fgi_guard_init(struct fgi_guard *guard)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t secret[FGI_TOKEN_LENGTH / 2];
    enum fg_result result = fgi_random_bytes(secret, sizeof secret);
    if (result != FG_OK) {
        return result;
    }
    for (size_t i = 0; i < sizeof secret; i++) {
        guard->token[2 * i] = digits[secret[i] >> 4];
        guard->token[2 * i + 1] = digits[secret[i] & 15];
    }
    guard->token[FGI_TOKEN_LENGTH] = 0;
    return FG_OK;
}

/* Is `text` one of the two names of this machine with our port? */
static bool is_own(const struct fgi_guard *guard, const char *text, const char *prefix)
{
    static const char *const names[] = { "127.0.0.1", "localhost" };
    char expected[64];
    for (size_t i = 0; text != NULL && i < sizeof names / sizeof *names; i++) {
        snprintf(expected, sizeof expected, "%s%s:%u", prefix, names[i], (unsigned)guard->port);
        if (strcmp(text, expected) == 0) {
            return true;
        }
    }
    return false;
}

bool fgi_guard_host(const struct fgi_guard *guard, const char *host)
{
    return is_own(guard, host, "");
}

bool fgi_guard_origin(const struct fgi_guard *guard, const char *origin)
{
    return is_own(guard, origin, "http://");
}

const char *fgi_guard_path(const struct fgi_guard *guard, const char *path)
{
    if (path == NULL || strlen(path) < FGI_TOKEN_LENGTH + 2) {
        return NULL;
    }
    volatile unsigned difference = (unsigned)(path[0] ^ '/');
    for (size_t i = 0; i < FGI_TOKEN_LENGTH; i++) {
        difference |= (unsigned)(path[1 + i] ^ guard->token[i]);
    }
    difference |= (unsigned)(path[1 + FGI_TOKEN_LENGTH] ^ '/');
    return difference == 0 ? path + FGI_TOKEN_LENGTH + 2 : NULL;
}
