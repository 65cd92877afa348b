/* SPDX-License-Identifier: MIT */
/* Every format that can be read. A new one is a file of its own and a line here. */
#include "open/document_priv.h"

#include <string.h>

static const struct fgi_format *const formats[] = {
    &fgi_format_sgpt,
    &fgi_format_cnatrace,
    &fgi_format_chrome,
};
enum { FORMAT_COUNT = sizeof formats / sizeof *formats };

const struct fgi_format *fgi_open_format_find(const char *name, const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < FORMAT_COUNT; i++) {
        bool is_it =
            name != NULL ? strcmp(name, formats[i]->name) == 0 : formats[i]->sniff(head, size);
        if (is_it) {
            return formats[i];
        }
    }
    return NULL;
}

const char *fg_open_format_name(unsigned index, const char **out_about)
{
    if (index >= FORMAT_COUNT) {
        return NULL;
    }
    if (out_about != NULL) {
        *out_about = formats[index]->about;
    }
    return formats[index]->name;
}
