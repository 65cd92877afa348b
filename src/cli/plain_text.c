/* SPDX-License-Identifier: MIT */
/* Names come from files that nobody vouches for: none of them may speak to the terminal. */
#include "base/strings.h"
#include "cli/cli_output.h"

#include <stdio.h>
#include <string.h>

const char *fgi_plain_text(const char *text, char *out, size_t size)
{
    static const char cut[] = "...";
    size_t used = 0;
    size_t whole = 0; /* where a cut would keep room for its mark */
    while (*text != '\0') {
        char spelled[5];
        size_t length = fgi_utf8_showable(text, strnlen(text, 4));
        const char *from = text;
        text += length > 0 ? length : 1;
        if (length == 0) {
            (void)snprintf(spelled, sizeof spelled, "\\x%02x", (unsigned)(uint8_t)*from);
            from = spelled;
            length = sizeof spelled - 1;
        }
        if (used + length + 1 > size) {
            memcpy(out + whole, cut, sizeof cut);
            return out;
        }
        memcpy(out + used, from, length);
        used += length;
        whole = used + sizeof cut <= size ? used : whole;
    }
    out[used] = '\0';
    return out;
}
