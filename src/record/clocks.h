/* SPDX-License-Identifier: MIT */
/*
 * The clocks of a device: unwrapping, calibration and its checks. One policy for all backends.
 *
 * A domain is `calibrated` while paired readings of both clocks are to be had and the application's
 * own submits agree with them, otherwise `nominal`, with the reason.
 */
#ifndef FGI_RECORD_CLOCKS_H
#define FGI_RECORD_CLOCKS_H
#include "record/device.h"

#define FGI_CLOCK_TRIES       8         /* readings per calibration, at most */
#define FGI_CLOCK_PERIOD_NS   250000000 /* between calibrations */
#define FGI_CLOCK_HISTORY     16        /* deviations that "usual" is judged by */
#define FGI_CLOCK_OUTLIER     4         /* times the usual deviation: rejected */
#define FGI_CLOCK_REJECTS_MAX 4         /* in a row; then the device has changed */
#define FGI_CLOCK_FLOOR_NS    1000      /* deviations below are never outliers */
#define FGI_CLOCK_SLACK_NS    50000     /* submits may seem to be so much too late */
#define FGI_CLOCK_SLACK_PPM   200       /* and so much per time since the last reading */
#define FGI_CLOCK_CHECKS      32        /* frames that the agreement is judged by */
#define FGI_CLOCK_BAD_MAX     8         /* of them may disagree */

/** One device clock: the queues of one family. Zero is not valid; see fgi_clocks_init(). */
struct fgi_clock {
    uint32_t queue; /**< one queue of the family, to calibrate on */
    uint32_t family;
    uint32_t valid_bits;
    bool calibrated;
    const char *reason; /**< why not; static text */

    bool has_reference; /**< the two clocks at about one moment: what unwrapping starts from */
    int64_t reference_ns;
    uint64_t reference_ticks;

    uint64_t reading_count; /**< accepted */
    uint64_t rejected_count;
    uint32_t rejects_in_row;
    uint64_t reading_ticks; /**< the last accepted one, unwrapped */
    int64_t reading_ns;
    int64_t reading_deviation_ns;
    int64_t deviations[FGI_CLOCK_HISTORY];
    int64_t next_ns; /**< when to calibrate again */

    uint32_t check_count; /**< of the current window */
    uint32_t bad_count;
};

struct fgi_clocks {
    struct fgi_rational period;
    uint32_t count;
    struct fgi_clock clocks[FGI_QUEUES_MAX];
    uint32_t clock_of_queue[FGI_QUEUES_MAX];
};

void fgi_clocks_init(struct fgi_clocks *clocks, const struct fgi_device_caps *caps);
/** Before a new recording: forgets readings and verdicts, keeps the unwrapping. */
void fgi_clocks_restart(struct fgi_clocks *clocks, const struct fgi_device_caps *caps);

/**
 * Take a reading if one is due.
 *
 * @return true: the clock has a new reading (reading_*), or has just become nominal
 */
bool fgi_clock_calibrate(struct fgi_clocks *clocks, struct fgi_clock *clock,
                         struct fg_device *device, int64_t now_ns);

/**
 * 64-bit ticks of a raw stamp that was taken not long before or after `near_ns` of the host clock:
 * at most half a period of the counter off.
 */
uint64_t fgi_clock_unwrap(struct fgi_clocks *clocks, struct fgi_clock *clock, uint64_t raw_ticks,
                          int64_t near_ns);

/**
 * Hold the calibration against what the application knows: work cannot begin before its submit nor
 * end after its results were seen. Ticks are unwrapped.
 *
 * @return true: the clock has just become nominal
 */
bool fgi_clock_check(struct fgi_clocks *clocks, struct fgi_clock *clock, uint64_t begin_ticks,
                     uint64_t end_ticks, int64_t submit_ns, int64_t landed_ns);

#endif
