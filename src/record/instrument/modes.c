/* SPDX-License-Identifier: MIT */
/* The modes of the process's diagnostics: all that there is at every level of the library. */
#include "record/instrument/instrument_priv.h"

uint32_t fg_instrument_state = FG_LIBRARY_LEVEL;

static bool has_ended;

enum fg_instrument_mode fg_instrument_build_mode(void)
{
    return (enum fg_instrument_mode)FG_LIBRARY_LEVEL;
}

enum fg_instrument_mode fg_instrument_mode(void)
{
    return fgi_state_mode(__atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED));
}

/* relaxed: nothing else hangs on it; a thread sets its context right by itself */
static void change_to(enum fg_instrument_mode mode)
{
    uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    uint32_t next;
    do {
        if (fgi_state_mode(state) == mode) {
            return;
        }
        next = ((state >> 2) + 1) << 2 | (uint32_t)mode;
    } while (!__atomic_compare_exchange_n(&fg_instrument_state, &state, next, false,
                                          __ATOMIC_RELAXED, __ATOMIC_RELAXED));
}

bool fg_instrument_set_mode(enum fg_instrument_mode mode)
{
    if ((int)mode < 0 || (int)mode > FG_LIBRARY_LEVEL ||
        (mode != FG_INSTRUMENT_OFF && __atomic_load_n(&has_ended, __ATOMIC_RELAXED))) {
        return false;
    }
    change_to(mode);
    return true;
}

void fgi_mode_end(void)
{
    __atomic_store_n(&has_ended, true, __ATOMIC_RELAXED);
    change_to(FG_INSTRUMENT_OFF);
}

/*
 * A program refers to the one of its own FG_LEVEL (instrument_macros.h). A library of a lower level
 * does not have it, and then its name is the linker's message.
 */
#if FG_LIBRARY_LEVEL >= 1
const char fg_needs_a_library_built_with_FRAMEGLASS_LEVEL_STATS_or_FULL = 1;
#endif
#if FG_LIBRARY_LEVEL >= 2
const char fg_needs_a_library_built_with_FRAMEGLASS_LEVEL_FULL = 2;
#endif
