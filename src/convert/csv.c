/* SPDX-License-Identifier: MIT */
#include "convert/csv.h"

#include <string.h>

void fgi_csv_text(struct fgi_bytes *line, const char *text)
{
    size_t size = strlen(text);
    if (strcspn(text, ",\"\r\n") == size) {
        fgi_put_raw(line, text, size);
        return;
    }
    fgi_put_u8(line, '"');
    for (size_t i = 0; i < size; i++) {
        if (text[i] == '"') {
            fgi_put_u8(line, '"');
        }
        fgi_put_u8(line, (uint8_t)text[i]);
    }
    fgi_put_u8(line, '"');
}
