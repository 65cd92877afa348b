/* SPDX-License-Identifier: MIT */
/* A crash where there are no zones: its dump has what sessions recorded. */
#include "record/flight_crash.h"

void fgi_crash_threads(struct fgi_crash_dump *dump)
{
    (void)dump;
}
