/* SPDX-License-Identifier: MIT */
/*
 * What a driver is like, for people: whether equal work measures equal and with which stamps, what
 * a stamp costs, how well its clock can be calibrated. Exit status 1 when equal work does not
 * measure equal with the stamps that the recorder chooses.
 */
#include "equal_work.h"
#include "base/rank.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PASS_NS = 2000000,
    COST_SLOTS = 512,
    COST_ROUNDS = 9,
    CALIBRATIONS = 400,
    DRIFT_NS = 2000000000,
};

static void print_meta(void *context, const char *key, const char *value)
{
    (void)context;
    if (strncmp(key, "limit.", 6) != 0) {
        printf("  %-28s %s\n", key, value);
    }
}

static void ignore_feature(void *context, const char *name)
{
    (void)context;
    (void)name;
}

static void describe(struct bed *bed)
{
    struct fg_device *device = equal_device(bed, FG_VULKAN_STAMPS_AUTO, 0);
    const struct fgi_device_caps *caps = &device->caps;
    struct fgi_memory_use use;
    device->ops->describe(device, print_meta, ignore_feature, NULL);
    printf("  %-28s %" PRIu64 "/%" PRIu64 " ns, %u bits\n", "tick", caps->period.num,
           caps->period.den, (unsigned)caps->queues[0].valid_bits);
    printf("  %-28s %s\n", "clock", caps->calibrated ? "calibrated" : caps->nominal_reason);
    printf("  %-28s %s\n", "pipeline statistics", caps->statistics_mask != 0 ? "yes" : "no");
    if (caps->memory && device->ops->memory(device, &use)) {
        printf("  %-28s %" PRIu64 " of %" PRIu64 " MiB\n", "memory", use.used_bytes >> 20,
               use.budget_bytes >> 20);
    } else {
        printf("  %-28s unknown\n", "memory");
    }
    fg_device_destroy(device);
}

static bool print_equal(struct bed *bed, enum fg_vulkan_stamps stamps, uint32_t loops,
                        bool alternating, const char *what)
{
    struct fg_device *device = equal_device(bed, stamps, 0);
    struct equal_work work = equal_work_best(bed, device, loops, alternating);
    fg_device_destroy(device);
    printf("  %-28s", what);
    for (int pass = 0; pass < EQUAL_PASSES; pass++) {
        printf(" %" PRId64, work.median_ns[pass] / 1000);
    }
    printf(" us; worst %d %% (try %d): %s\n", work.worst_percent, work.tries,
           work.worst_percent <= EQUAL_TOLERANCE_PERCENT ? "equal" : "NOT EQUAL");
    return work.worst_percent <= EQUAL_TOLERANCE_PERCENT;
}

static bool check_equal_work(struct bed *bed)
{
    uint32_t loops = bed_loops_for(bed, PASS_NS);
    printf("equal work: ten passes, medians of %d frames, best of at most %d, %u loops\n",
           EQUAL_FRAMES, EQUAL_TRIES, (unsigned)loops);
    bool good = print_equal(bed, FG_VULKAN_STAMPS_AUTO, loops, false, "as chosen, one target");
    good = print_equal(bed, FG_VULKAN_STAMPS_AUTO, loops, true, "as chosen, two targets") && good;
    (void)print_equal(bed, FG_VULKAN_STAMPS_LONE, loops, false, "lone stamps");
    (void)print_equal(bed, FG_VULKAN_STAMPS_PAIRED, loops, false, "paired stamps");
    return good;
}

/** Nothing between the stamps: what is left of a pass is what its stamps cost. */
static void measure_stamps(struct bed *bed)
{
    struct fg_device *device = equal_device(bed, FG_VULKAN_STAMPS_AUTO, 0);
    struct fgi_timer *timer = NULL;
    struct fgi_slot_result *results = calloc(COST_SLOTS, sizeof *results);
    VkCommandBuffer commands = bed_commands(bed, VK_COMMAND_BUFFER_LEVEL_PRIMARY);
    VkFence fence = bed_fence(bed);
    int64_t empty_ns[COST_ROUNDS];
    int64_t total_ns[COST_ROUNDS];
    int64_t record_ns[COST_ROUNDS];
    int64_t read_ns[COST_ROUNDS];
    if (results == NULL ||
        device->ops->timer_create(device, 0, COST_SLOTS, false, 0, &timer) != FG_OK) {
        abort();
    }
    for (int round = 0; round < COST_ROUNDS; round++) {
        bed_begin(commands, VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT);
        if (!device->ops->timer_begin(device, timer, commands, 0)) {
            abort();
        }
        int64_t begin_ns = bed_clock_ns();
        for (uint32_t slot = 0; slot < COST_SLOTS; slot++) {
            device->ops->slot_begin(device, timer, commands, slot, false);
            device->ops->slot_end(device, timer, commands, slot, false);
        }
        record_ns[round] = (bed_clock_ns() - begin_ns) * 1000 / (2 * COST_SLOTS);
        bed_end(commands);
        bed_submit(bed, &commands, 1, fence);
        bed_fence_wait(bed, fence);
        begin_ns = bed_clock_ns();
        if (device->ops->timer_read(device, timer, NULL, 0, COST_SLOTS, results) != FG_OK) {
            abort();
        }
        read_ns[round] = (bed_clock_ns() - begin_ns) * 1000 / COST_SLOTS;
        int64_t empty[COST_SLOTS];
        for (int slot = 0; slot < COST_SLOTS; slot++) {
            empty[slot] =
                fgi_ticks_to_ns((int64_t)(results[slot].end_ticks - results[slot].begin_ticks),
                                device->caps.period);
        }
        empty_ns[round] = fgi_rank_ns(empty, COST_SLOTS, 50);
        total_ns[round] =
            fgi_ticks_to_ns((int64_t)(results[COST_SLOTS - 1].end_ticks - results[0].begin_ticks) *
                                1000 / (2 * COST_SLOTS),
                            device->caps.period);
    }
    int64_t recorded = fgi_rank_ns(record_ns, COST_ROUNDS, 50);
    int64_t read = fgi_rank_ns(read_ns, COST_ROUNDS, 50);
    int64_t total = fgi_rank_ns(total_ns, COST_ROUNDS, 50);
    printf("stamps: medians of %d rounds of %d empty passes\n", COST_ROUNDS, COST_SLOTS);
    printf("  %-28s %" PRId64 ".%03" PRId64 " ns\n", "GPU, per stamp", total / 1000, total % 1000);
    printf("  %-28s %" PRId64 " ns\n", "GPU, an empty pass shows",
           fgi_rank_ns(empty_ns, COST_ROUNDS, 50));
    printf("  %-28s %" PRId64 ".%03" PRId64 " ns\n", "CPU, recording a stamp", recorded / 1000,
           recorded % 1000);
    printf("  %-28s %" PRId64 ".%03" PRId64 " ns\n", "CPU, reading a pass", read / 1000,
           read % 1000);
    device->ops->timer_destroy(device, timer);
    vkDestroyFence(bed->device, fence, NULL);
    free(results);
    fg_device_destroy(device);
}

/** The reading with the smallest deviation of many. */
static struct fgi_clock_pair best_reading(struct fg_device *device, int64_t *deviations_ns)
{
    struct fgi_clock_pair best = { .deviation_ns = INT64_MAX };
    for (int i = 0; i < CALIBRATIONS; i++) {
        struct fgi_clock_pair pair = { 0 };
        if (device->ops->calibrate(device, 0, &pair) != FG_OK) {
            abort();
        }
        deviations_ns[i] = pair.deviation_ns;
        if (pair.deviation_ns < best.deviation_ns) {
            best = pair;
        }
    }
    return best;
}

static void measure_clock(struct bed *bed)
{
    struct fg_device *device = equal_device(bed, FG_VULKAN_STAMPS_AUTO, 0);
    int64_t deviations_ns[CALIBRATIONS];
    printf("clock: %d calibrated readings\n", CALIBRATIONS);
    if (!device->caps.calibrated) {
        printf("  none: %s\n", device->caps.nominal_reason);
        fg_device_destroy(device);
        return;
    }
    int64_t begin_ns = bed_clock_ns();
    struct fgi_clock_pair first = best_reading(device, deviations_ns);
    printf("  %-28s %" PRId64 " ns\n", "CPU, per reading",
           (bed_clock_ns() - begin_ns) / CALIBRATIONS);
    printf("  %-28s", "deviation min/50/95/max");
    printf(" %" PRId64, fgi_rank_ns(deviations_ns, CALIBRATIONS, 0));
    printf(" / %" PRId64, fgi_rank_ns(deviations_ns, CALIBRATIONS, 50));
    printf(" / %" PRId64, fgi_rank_ns(deviations_ns, CALIBRATIONS, 95));
    printf(" / %" PRId64 " ns\n", fgi_rank_ns(deviations_ns, CALIBRATIONS, 100));
    while (bed_clock_ns() - first.host_ns < DRIFT_NS) {
        struct timespec pause = { .tv_nsec = 50000000 };
        nanosleep(&pause, NULL);
    }
    struct fgi_clock_pair second = best_reading(device, deviations_ns);
    int64_t device_ns =
        fgi_ticks_to_ns((int64_t)(second.device_ticks - first.device_ticks), device->caps.period);
    int64_t host_ns = second.host_ns - first.host_ns;
    printf("  %-28s %+" PRId64 " ns in %" PRId64 " ms (+/- %" PRId64 ")\n", "drift",
           device_ns - host_ns, host_ns / 1000000, first.deviation_ns + second.deviation_ns);
    fg_device_destroy(device);
}

int main(void)
{
    struct bed bed;
    if (!bed_create(&bed, BED_WITHOUT_VALIDATION)) {
        return 1;
    }
    printf("device\n");
    describe(&bed);
    bool good = check_equal_work(&bed);
    measure_stamps(&bed);
    measure_clock(&bed);
    bed_destroy(&bed);
    printf("%s\n", good ? "good: equal work measures equal"
                        : "bad: equal work does not measure equal with the chosen stamps");
    return good ? 0 : 1;
}
