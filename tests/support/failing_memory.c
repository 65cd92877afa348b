/* SPDX-License-Identifier: MIT */
#include "failing_memory.h"

#include <stdlib.h>

static void *failing_resize(void *context, void *block, size_t old_size, size_t size)
{
    struct failing *failing = context;
    (void)old_size;
    if (size == 0) {
        failing->alive -= block != NULL;
        free(block);
        return NULL;
    }
    if (failing->countdown == 0) {
        failing->refused = true;
        failing->countdown -= !failing->stays;
        return NULL;
    }
    failing->countdown -= failing->countdown > 0;
    void *grown = realloc(block, size);
    failing->alive += block == NULL && grown != NULL;
    return grown;
}

struct fg_allocator failing_allocator(struct failing *failing)
{
    return (struct fg_allocator){ failing_resize, failing };
}
