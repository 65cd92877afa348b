/* SPDX-License-Identifier: MIT */
/* Slots hold function pointers; POSIX lets them be read as pointers to anything. */
#include "gpu/draws/slots.h"

#include <stddef.h>
#include <stdint.h>

fgi_slot_function fgi_slot_get(const struct fgi_slot_patch *patch)
{
    return (fgi_slot_function)(uintptr_t)__atomic_load_n(patch->slot, __ATOMIC_RELAXED);
}

static void put(const struct fgi_slot_patch *patch, fgi_slot_function function)
{
    /* release: who calls through the slot sees the original */
    __atomic_store_n(patch->slot, (void *)(uintptr_t)function, __ATOMIC_RELEASE);
}

void fgi_slot_put_in(struct fgi_slot_patch *patch, fgi_slot_function function)
{
    if (patch->patched || function == NULL) {
        return;
    }
    if (function != patch->wrapper) {
        atomic_store_explicit(patch->original, function, memory_order_relaxed);
    }
    put(patch, patch->wrapper);
    patch->patched = true;
}

bool fgi_slot_put_back(struct fgi_slot_patch *patch)
{
    if (patch->patched) {
        const fgi_slot_function original =
            atomic_load_explicit(patch->original, memory_order_relaxed);
        const fgi_slot_function now = fgi_slot_get(patch);
        if (now == patch->wrapper) {
            put(patch, original);
        }
        patch->patched = now != patch->wrapper && now != original;
    }
    return !patch->patched;
}
