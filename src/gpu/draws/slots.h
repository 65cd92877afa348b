/* SPDX-License-Identifier: MIT */
/* A place in somebody's dispatch table, and the wrapper that is in it for a while. */
#ifndef FGI_SLOTS_H
#define FGI_SLOTS_H
#include <stdatomic.h>
#include <stdbool.h>

typedef void (*fgi_slot_function)(void);

struct fgi_slot_patch {
    void **slot;
    fgi_slot_function wrapper;
    /** What the slot held. Written before the wrapper is put in, read by the wrapper. */
    _Atomic(fgi_slot_function) *original;
    bool patched;
};

fgi_slot_function fgi_slot_get(const struct fgi_slot_patch *patch);
/**
 * An empty slot, and one that is patched, stay as they are. Of one that holds the wrapper already
 * (the application put back a copy of its table) the original stays what it was.
 * @param function what the slot holds, or what is behind that
 */
void fgi_slot_put_in(struct fgi_slot_patch *patch, fgi_slot_function function);
/** True: the slot holds what it held, also where the application wrote that itself. False: somebody
 * changed it since, and it was left. */
bool fgi_slot_put_back(struct fgi_slot_patch *patch);

#endif
