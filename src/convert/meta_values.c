/* SPDX-License-Identifier: MIT */
#include "convert/meta_values.h"
#include <frameglass/trace.h>

#include <string.h>

bool fgi_meta_values(const struct fg_trace *trace, uint32_t index, struct fgi_bytes *out)
{
    const struct fg_trace_meta *meta;
    uint32_t key = fg_trace_meta(trace, index)->key;
    fgi_bytes_clear(out);
    for (uint32_t i = 0; (meta = fg_trace_meta(trace, i)) != NULL; i++) {
        if (meta->key != key) {
            continue;
        }
        if (i < index) {
            return false;
        }
        const char *text = fg_trace_text(trace, meta->value);
        fgi_put_raw(out, ", ", out->size > 0 ? 2 : 0);
        fgi_put_raw(out, text, strlen(text));
    }
    fgi_put_u8(out, '\0');
    return true;
}

void fgi_meta_json(struct fgi_json *json, const struct fg_trace *trace)
{
    const struct fg_trace_meta *meta;
    struct fgi_bytes values = { 0 };
    for (uint32_t i = 0; (meta = fg_trace_meta(trace, i)) != NULL; i++) {
        if (fgi_meta_values(trace, i, &values) && values.result == FG_OK) {
            fgi_json_key_text(json, fg_trace_text(trace, meta->key), (const char *)values.data);
        }
    }
    if (json->result == FG_OK) {
        json->result = values.result;
    }
    fgi_bytes_finish(&values);
}
