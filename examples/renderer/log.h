/* SPDX-License-Identifier: MIT */
/* The first failure of a run, kept as text until the run's end. */
#ifndef RD_LOG_H
#define RD_LOG_H

#include <stdbool.h>

struct rd_log {
    char text[512];
};

/** Keep the first failure. @return false always, so that callers can return it. */
bool rd_fail(struct rd_log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
