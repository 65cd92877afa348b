/* SPDX-License-Identifier: MIT */
/* Names come from files that nobody vouches for: none of them may speak to the terminal. */
#include "base/strings.h"
#include "cli/cli_output.h"

#include <stdio.h>
#include <string.h>

/* Length of the character at `text`; 0 when its first byte has to be spelled out. */
static size_t showable(const char *text)
{
    const uint8_t *at = (const uint8_t *)text;
    size_t length = at[0] < 0x80 ? 1 : at[0] < 0xE0 ? 2 : at[0] < 0xF0 ? 3 : 4;
    if (at[0] < 0x20 || at[0] == 0x7F || strnlen(text, length) < length ||
        !fgi_utf8_valid(text, length)) {
        return 0;
    }
    if (at[0] == 0xC2 && at[1] < 0xA0) {
        return 0; /* C1 controls, among them a CSI of one character */
    }
    if (at[0] == 0xE2 && ((at[1] == 0x80 && at[2] >= 0xA8 && at[2] <= 0xAE) ||
                          (at[1] == 0x81 && at[2] >= 0xA6 && at[2] <= 0xA9))) {
        return 0; /* line separators and what turns the direction of text */
    }
    return length;
}

const char *fgi_plain_text(const char *text, char *out, size_t size)
{
    static const char cut[] = "...";
    size_t used = 0;
    size_t whole = 0; /* where a cut would keep room for its mark */
    while (*text != '\0') {
        char spelled[5];
        size_t length = showable(text);
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
