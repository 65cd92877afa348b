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

/** An empty slot, and one that is patched, stay as they are. */
void fgi_slot_put_in(struct fgi_slot_patch *patch);
/** True: the slot holds what it held. False: somebody changed it since, and it was left. */
bool fgi_slot_put_back(struct fgi_slot_patch *patch);

#endif
