/* SPDX-License-Identifier: MIT */
/* Brightness in 128 bins of a sixth of a stop, and the exposure that follows from them. */

const uint BIN_COUNT = 128;
const float DARKEST = -12.0; /* log2 of the radiance of bin 0 */
const float BINS_PER_STOP = 6.0;

layout(set = 0, binding = 1, std430) buffer Histogram {
    uint bins[BIN_COUNT];
};
