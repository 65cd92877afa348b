/* SPDX-License-Identifier: MIT */
#include "base/result.h"

#include <stdarg.h>
#include <stdio.h>

const char *fg_result_name(enum fg_result result)
{
    switch (result) {
#define FGI_RESULT_NAME(value, name, text)                                                         \
    case FG_##name:                                                                                \
        return "FG_" #name;
        FG_RESULTS(FGI_RESULT_NAME)
#undef FGI_RESULT_NAME
    }
    return "FG_ERR_?";
}

const char *fg_result_text(enum fg_result result)
{
    switch (result) {
#define FGI_RESULT_TEXT(value, name, text)                                                         \
    case FG_##name:                                                                                \
        return text;
        FG_RESULTS(FGI_RESULT_TEXT)
#undef FGI_RESULT_TEXT
    }
    return "a result that this version does not know";
}

const char *fg_version(void)
{
    return FG_VERSION_STRING;
}

enum fg_result fgi_fail(struct fg_diag *diag, enum fg_result result, uint64_t offset,
                        const char *format, ...)
{
    if (diag != NULL) {
        va_list arguments;
        va_start(arguments, format);
        diag->offset = offset;
        vsnprintf(diag->message, sizeof diag->message, format, arguments);
        va_end(arguments);
    }
    return result;
}
