/* SPDX-License-Identifier: MIT */
/*
 * How much a figure varies from frame to frame without any reason that we know: the rule that
 * docs/CLI.md gives at `diff`, and nothing else, decides what is claimed.
 */
#include "base/alloc.h"
#include "trace/compare_priv.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Of a normal distribution: standard deviation over median absolute deviation. */
#define DEVIATION_OF_MEDIAN 1.4826
/* Fewer figures than this tell nothing: of one part, of all parts together. */
enum { NEAR = 4, WITNESSES_LEAST = 6 };

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

/* By nearest rank, like all of our medians. Sorts. */
static double median_of(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_size);
    return values[(count + 1) / 2 - 1];
}

/* Does a frame show how much the figure varies? A single frame does not judge itself. */
static bool is_witness(const struct fgi_compare_side *side, uint32_t frame)
{
    uint32_t length = side->end - side->first;
    if (frame >= side->first && frame < side->end) {
        return length > 1;
    }
    uint32_t distance = frame < side->first ? side->first - frame : frame - side->end + 1;
    return length < FGI_COMPARE_LONG_RANGE && distance <= FGI_COMPARE_WITNESSES;
}

/* Median of the nine items around one, itself among them; fewer where there are no more. */
static double median_around(const double *items, uint32_t count, uint32_t at)
{
    double around[2 * NEAR + 1];
    uint32_t n = count < 2 * NEAR + 1 ? count : 2 * NEAR + 1;
    uint32_t first = at > NEAR ? at - NEAR : 0;
    first = first > count - n ? count - n : first;
    memcpy(around, items + first, n * sizeof *around);
    return median_of(around, n);
}

/*
 * Deviations of the witnesses from the median of what is around each: that the figure changed for
 * good somewhere, or drifts, is no variation from frame to frame.
 */
static uint32_t put_deviations(const struct fgi_compare_side *side,
                               const struct fgi_compare_value *values, uint32_t count,
                               double *scratch, double *out)
{
    bool is_single = side->end - side->first == 1;
    uint32_t kept = 0, witnesses = 0, at = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (!is_single || values[i].frame != side->first) {
            scratch[kept++] = values[i].ns;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        if (is_single && values[i].frame == side->first) {
            continue;
        }
        if (is_witness(side, values[i].frame)) {
            out[witnesses++] = fabs(scratch[at] - median_around(scratch, kept, at));
        }
        at++;
    }
    return witnesses;
}

/* The spread of one frame's figure. */
static double robust_spread(const struct fgi_compare_side *side,
                            const struct fgi_compare_value *values, uint32_t count, double *scratch,
                            double *deviations, struct fgi_compare_spread *out)
{
    uint32_t n = put_deviations(side, values, count, scratch, deviations);
    if (n < WITNESSES_LEAST) {
        return 0;
    }
    out->witnesses = n;
    double spread = DEVIATION_OF_MEDIAN * median_of(deviations, n);
    /* Times have longer tails than a normal distribution: nine of ten are to be in. */
    double wide = deviations[(n * 9 + 9) / 10 - 1] / 1.645;
    spread = wide > spread ? wide : spread;
    for (uint32_t i = 1; i < n && spread == 0; i++) {
        /* Nearly all are equal. A deviation that comes twice is the step of a clock that is coarser
           than it says; one that comes once is a hitch. */
        spread = deviations[i] == deviations[i - 1] ? deviations[i] : 0;
    }
    return spread;
}

/* Sum and sum of squares of deviations from the mean over the frames compared. */
static void moments(const struct fgi_compare_side *side, const struct fgi_compare_value *values,
                    uint32_t count, uint32_t frame_count, double *out_mean, double *out_squares)
{
    double sum = 0;
    uint32_t there = 0;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].frame >= side->first && values[i].frame < side->end) {
            sum += values[i].ns;
            there++;
        }
    }
    *out_mean = sum / frame_count;
    double squares = (frame_count - there) * *out_mean * *out_mean;
    for (uint32_t i = 0; i < count; i++) {
        if (values[i].frame >= side->first && values[i].frame < side->end) {
            squares += (values[i].ns - *out_mean) * (values[i].ns - *out_mean);
        }
    }
    *out_squares = squares;
}

enum fg_result fgi_compare_spread(const struct fgi_compare_side *side,
                                  const struct fgi_compare_value *values, uint32_t count,
                                  uint32_t frame_count, double quantum_ns, double spans,
                                  struct fgi_compare_spread *out_spread)
{
    *out_spread = (struct fgi_compare_spread){ .mean_ns = -1, .quantum_ns = quantum_ns };
    if (frame_count == 0) {
        return FG_OK;
    }
    size_t bytes = ((size_t)count + 1) * 2 * sizeof(double);
    double *scratch = fgi_malloc(side->allocator, bytes);
    double squares = 0;
    if (!scratch) {
        return FG_ERR_NO_MEMORY;
    }
    moments(side, values, count, frame_count, &out_spread->mean_ns, &squares);
    double spread = robust_spread(side, values, count, scratch, scratch + count, out_spread);
    fgi_free(side->allocator, scratch, bytes);
    double variance = spread * spread;
    if (frame_count > 1) {
        /* A mean feels what a median does not: one hitch in ten frames is no change of the ten. */
        double plain = squares / (frame_count - 1);
        variance = plain > variance ? plain : variance;
    }
    double rounding = quantum_ns * quantum_ns / 6 * spans;
    out_spread->variance = (variance + rounding) / frame_count;
    return FG_OK;
}

double fgi_compare_noise(const struct fgi_compare_spread *base,
                         const struct fgi_compare_spread *other)
{
    const struct fgi_compare_spread *sides[2] = { base, other };
    double variance = 0, quantum = 0, witnesses = 0;
    for (int i = 0; i < 2; i++) {
        if (!sides[i]) {
            continue;
        }
        if (sides[i]->mean_ns < 0 || sides[i]->witnesses == 0) {
            return -1;
        }
        variance += sides[i]->variance;
        quantum = sides[i]->quantum_ns > quantum ? sides[i]->quantum_ns : quantum;
        witnesses =
            witnesses == 0 || sides[i]->witnesses < witnesses ? sides[i]->witnesses : witnesses;
    }
    if (witnesses == 0) {
        return -1;
    }
    double noise = 3 * (1 + 6 / witnesses) * sqrt(variance);
    return noise > quantum ? noise : quantum;
}
