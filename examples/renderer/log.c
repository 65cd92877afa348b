/* SPDX-License-Identifier: MIT */
#include "log.h"

#include <stdarg.h>
#include <stdio.h>

bool rd_fail(struct rd_log *log, const char *format, ...)
{
    if (log->text[0] == '\0') {
        va_list arguments;
        va_start(arguments, format);
        (void)vsnprintf(log->text, sizeof(log->text), format, arguments);
        va_end(arguments);
    }
    return false;
}
