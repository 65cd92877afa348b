/* SPDX-License-Identifier: MIT */
/* Frame times of the long window, kept sorted, so that percentiles are exact and cost nothing. */
#include "hud/hud_priv.h"

#include <string.h>

/** How many of the sorted times are under `ns`. */
static uint32_t count_under(const struct fgi_hud_long *lasting, int64_t ns)
{
    uint32_t low = 0;
    uint32_t high = lasting->count;
    while (low < high) {
        const uint32_t middle = low + (high - low) / 2;
        if (lasting->sorted[middle] < ns) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

void fgi_hud_long_add(struct fgi_hud_long *lasting, int64_t frame_ns)
{
    if (lasting->count == FG_HUD_LONG_FRAMES) {
        const uint32_t at = count_under(lasting, lasting->times[lasting->next]);
        lasting->count--;
        memmove(&lasting->sorted[at], &lasting->sorted[at + 1],
                (lasting->count - at) * sizeof lasting->sorted[0]);
    }
    const uint32_t at = count_under(lasting, frame_ns);
    memmove(&lasting->sorted[at + 1], &lasting->sorted[at],
            (lasting->count - at) * sizeof lasting->sorted[0]);
    lasting->sorted[at] = frame_ns;
    lasting->count++;
    lasting->times[lasting->next] = frame_ns;
    lasting->next = (lasting->next + 1) % FG_HUD_LONG_FRAMES;
}

int64_t fgi_hud_long_rank(const struct fgi_hud_long *lasting, uint32_t permille)
{
    const uint32_t position = (lasting->count * permille + 999) / 1000;
    return lasting->sorted[position > 0 ? position - 1 : 0];
}

void fgi_hud_long_bins(const struct fgi_hud_long *lasting, int64_t budget_ns, uint32_t *bins)
{
    uint32_t below = 0;
    for (uint32_t bin = 0; bin < FG_HUD_BINS; bin++) {
        const uint32_t upto = bin + 1 == FG_HUD_BINS
                                  ? lasting->count
                                  : count_under(lasting, 3 * budget_ns * (bin + 1) / FG_HUD_BINS);
        bins[bin] = upto - below;
        below = upto;
    }
}
