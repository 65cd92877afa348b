/* SPDX-License-Identifier: MIT */
#include "record/clocks.h"

#include <string.h>

void fgi_clocks_init(struct fgi_clocks *clocks, const struct fgi_device_caps *caps)
{
    memset(clocks, 0, sizeof *clocks);
    clocks->period = caps->period;
    for (uint32_t queue = 0; queue < caps->queue_count; queue++) {
        uint32_t index = 0;
        while (index < clocks->count &&
               clocks->clocks[index].family != caps->queues[queue].family) {
            index++;
        }
        clocks->clock_of_queue[queue] = index;
        if (index == clocks->count) {
            struct fgi_clock *clock = &clocks->clocks[clocks->count++];
            clock->queue = queue;
            clock->family = caps->queues[queue].family;
            clock->valid_bits = caps->queues[queue].valid_bits;
        }
    }
    fgi_clocks_restart(clocks, caps);
}

void fgi_clocks_restart(struct fgi_clocks *clocks, const struct fgi_device_caps *caps)
{
    for (uint32_t i = 0; i < clocks->count; i++) {
        struct fgi_clock *clock = &clocks->clocks[i];
        clock->calibrated = caps->calibrated && clock->valid_bits != 0;
        clock->reason = NULL;
        if (clock->valid_bits == 0) {
            clock->reason = "this queue has no timestamps";
        } else if (!caps->calibrated) {
            clock->reason = caps->nominal_reason != NULL
                                ? caps->nominal_reason
                                : "the device has no calibrated timestamps";
        }
        clock->reading_count = 0;
        clock->rejected_count = 0;
        clock->rejects_in_row = 0;
        clock->next_ns = INT64_MIN;
        clock->check_count = 0;
        clock->bad_count = 0;
    }
}

/** Median of the last accepted deviations; 0 while there are none. */
static int64_t usual_deviation_ns(const struct fgi_clock *clock)
{
    int64_t sorted[FGI_CLOCK_HISTORY];
    size_t count =
        clock->reading_count < FGI_CLOCK_HISTORY ? (size_t)clock->reading_count : FGI_CLOCK_HISTORY;
    for (size_t i = 0; i < count; i++) {
        size_t at = i;
        for (; at > 0 && sorted[at - 1] > clock->deviations[i]; at--) {
            sorted[at] = sorted[at - 1];
        }
        sorted[at] = clock->deviations[i];
    }
    return count == 0 ? 0 : sorted[(count + 1) / 2 - 1];
}

/** Rounds away nothing: ticks of a duration, for where a counter must be by now. */
static int64_t ns_to_ticks(int64_t ns, struct fgi_rational period)
{
    return fgi_ticks_to_ns(ns, (struct fgi_rational){ period.den, period.num });
}

uint64_t fgi_clock_unwrap(struct fgi_clocks *clocks, struct fgi_clock *clock, uint64_t raw_ticks,
                          int64_t near_ns)
{
    if (clock->valid_bits == 0 || clock->valid_bits >= 64) {
        return raw_ticks;
    }
    if (!clock->has_reference) {
        clock->has_reference = true;
        clock->reference_ns = near_ns;
        clock->reference_ticks = raw_ticks;
        return raw_ticks;
    }
    uint64_t expected = clock->reference_ticks +
                        (uint64_t)ns_to_ticks(near_ns - clock->reference_ns, clocks->period);
    uint64_t ticks =
        expected + (uint64_t)fgi_ticks_difference(raw_ticks, expected, clock->valid_bits);
    /* Moves on with the stamps, so that the drift between the clocks never adds up. */
    if (near_ns > clock->reference_ns) {
        clock->reference_ns = near_ns;
        clock->reference_ticks = ticks;
    }
    return ticks;
}

/** The best of a few readings; stops early at a usual one. Else why there is none. */
static enum fg_result read_best(struct fgi_clock *clock, struct fg_device *device, int64_t usual_ns,
                                struct fgi_clock_pair *out_best)
{
    bool have = false;
    for (int attempt = 0; attempt < FGI_CLOCK_TRIES; attempt++) {
        struct fgi_clock_pair pair;
        enum fg_result result = device->ops->calibrate(device, clock->queue, &pair);
        if (result != FG_OK) {
            return have ? FG_OK : result;
        }
        if (!have || pair.deviation_ns < out_best->deviation_ns) {
            *out_best = pair;
            have = true;
        }
        if (clock->reading_count != 0 && out_best->deviation_ns <= usual_ns) {
            break;
        }
    }
    return FG_OK;
}

static void make_nominal(struct fgi_clock *clock, const char *reason)
{
    clock->calibrated = false;
    clock->reason = reason;
}

bool fgi_clock_calibrate(struct fgi_clocks *clocks, struct fgi_clock *clock,
                         struct fg_device *device, int64_t now_ns)
{
    if (!clock->calibrated || now_ns < clock->next_ns) {
        return false;
    }
    int64_t usual_ns = usual_deviation_ns(clock);
    struct fgi_clock_pair best = { 0 };
    enum fg_result result = read_best(clock, device, usual_ns, &best);
    if (result == FG_ERR_BUSY) {
        return false; /* still due */
    }
    clock->next_ns = now_ns + FGI_CLOCK_PERIOD_NS;
    if (result != FG_OK) {
        make_nominal(clock, "the device stopped to give calibrated readings");
        return true;
    }
    bool outlier = clock->reading_count != 0 && best.deviation_ns > FGI_CLOCK_FLOOR_NS &&
                   best.deviation_ns / FGI_CLOCK_OUTLIER > usual_ns;
    if (outlier && ++clock->rejects_in_row <= FGI_CLOCK_REJECTS_MAX) {
        clock->rejected_count++;
        return false;
    }
    clock->rejects_in_row = 0;
    clock->reading_ticks = fgi_clock_unwrap(clocks, clock, best.device_ticks, best.host_ns);
    clock->reading_ns = best.host_ns;
    clock->reading_deviation_ns = best.deviation_ns;
    clock->deviations[clock->reading_count % FGI_CLOCK_HISTORY] = best.deviation_ns;
    clock->reading_count++;
    return true;
}

bool fgi_clock_check(struct fgi_clocks *clocks, struct fgi_clock *clock, uint64_t begin_ticks,
                     uint64_t end_ticks, int64_t submit_ns, int64_t landed_ns)
{
    if (!clock->calibrated || clock->reading_count == 0) {
        return false;
    }
    int64_t begin_ns =
        clock->reading_ns +
        fgi_ticks_to_ns((int64_t)(begin_ticks - clock->reading_ticks), clocks->period);
    int64_t end_ns = clock->reading_ns +
                     fgi_ticks_to_ns((int64_t)(end_ticks - clock->reading_ticks), clocks->period);
    int64_t apart_ns = submit_ns > clock->reading_ns ? submit_ns - clock->reading_ns
                                                     : clock->reading_ns - submit_ns;
    int64_t bound_ns =
        clock->reading_deviation_ns + FGI_CLOCK_SLACK_NS + apart_ns / 1000000 * FGI_CLOCK_SLACK_PPM;
    bool bad = begin_ns < submit_ns - bound_ns || end_ns > landed_ns + bound_ns;
    clock->bad_count += bad ? 1 : 0;
    if (clock->bad_count >= FGI_CLOCK_BAD_MAX) {
        make_nominal(clock, "calibrated readings disagree with the application's own submits");
        return true;
    }
    if (++clock->check_count == FGI_CLOCK_CHECKS) {
        clock->check_count = 0;
        clock->bad_count = 0;
    }
    return false;
}
