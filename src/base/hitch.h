/* SPDX-License-Identifier: MIT */
/* Which frames hitch: the one published rule, used wherever frames are marked. */
#ifndef FGI_HITCH_H
#define FGI_HITCH_H
#include <frameglass/base.h>

/** Frames that the median is taken over: this many before, the frame itself, as many after. */
#define FGI_HITCH_REACH 15
/** With fewer known times around it a frame cannot be judged. */
#define FGI_HITCH_LEAST 5

/** The two sides of a frame: its times on the CPU and on the GPU. */
enum { FGI_HITCH_CPU, FGI_HITCH_GPU, FGI_HITCH_SIDES };

/** Time of one side of frame `index` in ns; negative = not known. */
typedef int64_t (*fgi_hitch_time)(const void *context, size_t index);

/**
 * A frame hitches on a side when its time there is more than 1.5 times the median (nearest rank) of
 * the known times of the frames around it, itself included, and when what it takes more than that
 * median is more than a tenth of the longer side's median: nobody notices a millisecond of CPU time
 * where the GPU takes a hundred. Times that are not known never hitch and do not count.
 *
 * @param flags     what to set in a frame that hitches on that side; the other bits stay
 * @param out_flags `count` bytes
 */
void fgi_hitch_mark(const fgi_hitch_time times[FGI_HITCH_SIDES], const void *context, size_t count,
                    const uint8_t flags[FGI_HITCH_SIDES], uint8_t *out_flags);

#endif
