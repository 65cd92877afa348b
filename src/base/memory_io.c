/* SPDX-License-Identifier: MIT */
/* Memory as a sink and as a source. */
#include "base/alloc.h"
#include "base/bytes.h"

#include <string.h>

struct fg_memory_sink {
    const struct fg_allocator *allocator;
    struct fgi_bytes bytes;
};

static enum fg_result memory_write(void *context, const void *data, size_t size)
{
    struct fg_memory_sink *memory = context;
    fgi_put_raw(&memory->bytes, data, size);
    enum fg_result result = memory->bytes.result;
    memory->bytes.result = FG_OK; /* a smaller write may still fit */
    return result;
}

static enum fg_result memory_patch(void *context, uint64_t offset, const void *data, size_t size)
{
    struct fg_memory_sink *memory = context;
    if (offset > memory->bytes.size || size > memory->bytes.size - offset) {
        return FG_ERR_ARGUMENT;
    }
    if (size != 0) {
        memcpy(memory->bytes.data + offset, data, size);
    }
    return FG_OK;
}

enum fg_result fg_memory_sink_create(const struct fg_allocator *allocator, uint64_t limit_bytes,
                                     struct fg_memory_sink **out_memory, struct fg_sink *out_sink)
{
    if (out_memory == NULL || out_sink == NULL) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_memory_sink *memory = fgi_calloc(allocator, 1, sizeof *memory);
    if (memory == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    memory->allocator = allocator;
    memory->bytes.allocator = allocator;
    memory->bytes.limit = limit_bytes < SIZE_MAX / 2 ? (size_t)limit_bytes : 0;
    *out_memory = memory;
    *out_sink = (struct fg_sink){ .write = memory_write, .patch = memory_patch, .context = memory };
    return FG_OK;
}

const void *fg_memory_sink_bytes(const struct fg_memory_sink *memory, size_t *out_size)
{
    *out_size = memory != NULL ? memory->bytes.size : 0;
    return memory != NULL && memory->bytes.size != 0 ? memory->bytes.data : (const void *)"";
}

void fg_memory_sink_destroy(struct fg_memory_sink *memory)
{
    if (memory != NULL) {
        fgi_bytes_finish(&memory->bytes);
        fgi_free(memory->allocator, memory, sizeof *memory);
    }
}

static enum fg_result view_read_at(void *context, uint64_t offset, void *bytes, size_t size,
                                   size_t *out_read)
{
    const struct fg_memory_view *view = context;
    size_t left = offset < view->size ? view->size - (size_t)offset : 0;
    *out_read = size < left ? size : left;
    if (*out_read != 0) {
        memcpy(bytes, (const char *)view->bytes + offset, *out_read);
    }
    return FG_OK;
}

static enum fg_result view_size(void *context, uint64_t *out_size_bytes)
{
    *out_size_bytes = ((const struct fg_memory_view *)context)->size;
    return FG_OK;
}

struct fg_source fg_memory_source(struct fg_memory_view *view)
{
    return (struct fg_source){ .read_at = view_read_at, .size = view_size, .context = view };
}
