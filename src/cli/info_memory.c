/* SPDX-License-Identifier: MIT */
#include "cli/info_memory.h"
#include "trace/model.h"

#include <string.h>

enum { NAMES_MAX = 64 };

/* Columns and tables by name, in the order in which they are told. */
struct listing {
    struct {
        const char *name;
        uint64_t bytes;
    } items[NAMES_MAX];
    size_t count;
    uint64_t bytes;
};

static void see(void *context, const char *name, uint64_t bytes)
{
    struct listing *list = context;
    size_t i = 0;
    while (i < list->count && strcmp(list->items[i].name, name) != 0) {
        i++;
    }
    list->bytes += bytes;
    if (bytes == 0 || i == NAMES_MAX) {
        return;
    }
    list->count = i == list->count ? i + 1 : list->count;
    list->items[i].name = name;
    list->items[i].bytes += bytes;
}

void fgi_info_memory_json(struct fgi_json *json, const struct fg_trace *trace)
{
    struct listing list = { 0 };
    fgi_trace_memory(trace, see, &list);
    fgi_json_key(json, "memory");
    fgi_json_object_begin(json);
    fgi_json_key_uint(json, "bytes", list.bytes);
    fgi_json_key(json, "parts");
    fgi_json_array_begin(json);
    for (size_t i = 0; i < list.count; i++) {
        fgi_json_inline_object_begin(json);
        fgi_json_key_text(json, "name", list.items[i].name);
        fgi_json_key_uint(json, "bytes", list.items[i].bytes);
        fgi_json_object_end(json);
    }
    fgi_json_array_end(json);
    fgi_json_object_end(json);
}

uint64_t fgi_info_memory_bytes(const struct fg_trace *trace)
{
    struct listing list = { 0 };
    fgi_trace_memory(trace, see, &list);
    return list.bytes;
}
