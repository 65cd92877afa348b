/* SPDX-License-Identifier: MIT */
/* Slots hold function pointers; POSIX lets them be read as pointers to anything. */
#include "gpu/draws/slots.h"

#include <stddef.h>
#include <stdint.h>

void fgi_slot_put_in(struct fgi_slot_patch *patch)
{
    void *function = __atomic_load_n(patch->slot, __ATOMIC_RELAXED);
    if (patch->patched || function == NULL) {
        return;
    }
    atomic_store_explicit(patch->original, (fgi_slot_function)(uintptr_t)function,
                          memory_order_relaxed);
    /* release: who calls through the slot sees the original */
    __atomic_store_n(patch->slot, (void *)(uintptr_t)patch->wrapper, __ATOMIC_RELEASE);
    patch->patched = true;
}

bool fgi_slot_put_back(struct fgi_slot_patch *patch)
{
    if (patch->patched &&
        __atomic_load_n(patch->slot, __ATOMIC_RELAXED) == (void *)(uintptr_t)patch->wrapper) {
        fgi_slot_function original = atomic_load_explicit(patch->original, memory_order_relaxed);
        __atomic_store_n(patch->slot, (void *)(uintptr_t)original, __ATOMIC_RELEASE);
        patch->patched = false;
    }
    return !patch->patched;
}
