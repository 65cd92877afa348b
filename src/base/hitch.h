/* SPDX-License-Identifier: MIT */
/* Which frames hitch: the one published rule, used wherever frames are marked. */
#ifndef FGI_HITCH_H
#define FGI_HITCH_H
#include <frameglass/base.h>

/** Frames that the median is taken over: this many before, the frame itself, as many after. */
#define FGI_HITCH_REACH 15
/** With fewer known times around it a frame cannot be judged. */
#define FGI_HITCH_LEAST 5

/**
 * A frame hitches when its time is more than 1.5 times the median (nearest rank) of the known times
 * of the frames around it, itself included. Negative times are not known: they never hitch and do
 * not count.
 *
 * @param time_of   time of frame `index` in ns
 * @param out_flags `count` bytes; `flag` is set in those that hitch, the other bits stay
 */
void fgi_hitch_mark(int64_t (*time_of)(const void *context, size_t index), const void *context,
                    size_t count, uint8_t flag, uint8_t *out_flags);

#endif
