/* SPDX-License-Identifier: MIT */
/* The device itself: its clock, what it says of itself, its beginning and end. */
#include "gpu/software/software_priv.h"

#include "base/thread.h"

#include <stdio.h>

#define USUAL_DEVIATION_NS 100
#define NOISE_NS           100000

int64_t fgi_software_now(struct fg_device *device)
{
    const struct software_device *software = software_of(device);
    return (software->options.flags & FG_SOFTWARE_REAL_TIME) != 0
               ? fgi_clock_monotonic_ns() - software->epoch_ns
               : __atomic_load_n(&software->now_ns, __ATOMIC_RELAXED);
}

int64_t fg_software_now_ns(const struct fg_device *device)
{
    return fgi_software_now(&software_of(device)->base);
}

uint64_t fg_software_ticks_at(const struct fg_device *device, int64_t host_ns)
{
    const struct fg_software_options *options = &software_of(device)->options;
    struct fgi_rational ticks_per_ns = {
        (uint64_t)options->period_den * (uint64_t)(1000000 + options->drift_ppm),
        (uint64_t)options->period_num * 1000000,
    };
    return options->start_ticks + (uint64_t)fgi_ticks_to_ns(host_ns, ticks_per_ns);
}

uint64_t fgi_software_stamp(const struct software_device *device, int64_t host_ns)
{
    uint64_t ticks = fg_software_ticks_at(&device->base, host_ns);
    ticks -= ticks % device->options.quantum_ticks;
    return device->options.valid_bits >= 64 ? ticks
                                            : ticks & ((1ull << device->options.valid_bits) - 1);
}

static void software_wait(struct fg_device *device, int64_t duration_ns)
{
    fg_software_advance(device, duration_ns);
}

void fg_software_advance(struct fg_device *device, int64_t duration_ns)
{
    struct software_device *software = software_of(device);
    if ((software->options.flags & FG_SOFTWARE_REAL_TIME) != 0) {
        fgi_sleep_ns(duration_ns);
    } else if (duration_ns > 0) {
        /* One thread moves the clock; the recorder's own threads look at it. */
        __atomic_store_n(&software->now_ns, software->now_ns + duration_ns, __ATOMIC_RELAXED);
    }
}

void fg_software_lose(struct fg_device *device)
{
    struct software_device *software = software_of(device);
    int64_t now_ns = fgi_software_now(device);
    software->lost_ns = now_ns < software->lost_ns ? now_ns : software->lost_ns;
}

void fg_software_set_memory(struct fg_device *device, uint64_t used_bytes)
{
    software_of(device)->memory_bytes = used_bytes;
}

void fg_software_get_timer_counts(const struct fg_device *device, uint32_t *out_alive,
                                  uint32_t *out_created)
{
    *out_alive = software_of(device)->timers_alive;
    *out_created = software_of(device)->timers_created;
}

static enum fg_result software_calibrate(struct fg_device *device, uint32_t queue,
                                         struct fgi_clock_pair *out_pair)
{
    struct software_device *software = software_of(device);
    uint32_t flags = software->options.flags;
    int64_t now_ns = fgi_software_now(device);
    int64_t error_ns = 0;
    (void)queue;
    if ((flags & FG_SOFTWARE_NO_CALIBRATION) != 0) {
        return FG_ERR_UNSUPPORTED;
    }
    out_pair->deviation_ns = USUAL_DEVIATION_NS;
    if ((flags & FG_SOFTWARE_NOISY_CALIBRATION) != 0 && software->calibration_count++ % 4 != 3) {
        out_pair->deviation_ns = NOISE_NS;
        error_ns = NOISE_NS * 4 / 5;
    }
    if ((flags & FG_SOFTWARE_LYING_CLOCK) != 0) {
        error_ns += 1000000000;
    }
    out_pair->host_ns = now_ns;
    out_pair->device_ticks = fgi_software_stamp(software, now_ns + error_ns);
    return FG_OK;
}

static bool software_memory(struct fg_device *device, struct fgi_memory_use *out_use)
{
    const struct software_device *software = software_of(device);
    out_use->used_bytes = software->memory_bytes + (uint64_t)software->timers_alive * 65536;
    out_use->budget_bytes = 1ull << 30;
    return true;
}

static void software_label_begin(struct fg_device *device, void *commands, const char *name)
{
    struct fg_software_commands *recording = commands;
    (void)device;
    (void)name;
    recording->label_count++;
    recording->label_depth++;
}

static void software_label_end(struct fg_device *device, void *commands)
{
    struct fg_software_commands *recording = commands;
    (void)device;
    recording->label_depth--;
}

static void software_describe(struct fg_device *device,
                              void (*put)(void *context, const char *key, const char *value),
                              void (*feature)(void *context, const char *name), void *context)
{
    const struct fg_software_options *options = &software_of(device)->options;
    char text[32];
    put(context, "adapter.vendor", "Frameglass");
    put(context, "adapter.architecture", "arithmetic");
    put(context, "adapter.name", "software device");
    put(context, "adapter.description", "a deterministic device with stated costs");
    put(context, "adapter.kind", "software");
    put(context, "driver.name", "gpu/software");
    put(context, "driver.version", FG_VERSION_STRING);
    put(context, "driver.hint", "quantum_ticks and drift_ppm of its options change its clock");
    (void)snprintf(text, sizeof text, "%u", options->pool_max);
    put(context, "limit.pool_timestamps", text);
    (void)snprintf(text, sizeof text, "%u", options->valid_bits);
    put(context, "limit.timestamp_bits", text);
    if ((options->flags & FG_SOFTWARE_NO_TIMESTAMPS) == 0) {
        feature(context, "timestamps");
    }
    if ((options->flags & FG_SOFTWARE_NO_STATISTICS) == 0) {
        feature(context, "pipeline-statistics");
    }
    if ((options->flags & FG_SOFTWARE_NO_CALIBRATION) == 0) {
        feature(context, "calibrated-timestamps");
    }
}

static void software_close(struct fg_device *device)
{
    struct software_device *software = software_of(device);
    fgi_software_drop_queues(software);
    fgi_software_bundles_destroy(software);
    fgi_free(device->allocator, software->signals,
             software->signal_capacity * sizeof *software->signals);
    software->signals = NULL;
    software->signal_count = software->signal_capacity = 0;
}

static void software_free(struct fg_device *device)
{
    fgi_free(device->allocator, device, sizeof(struct software_device));
}

static const struct fgi_device_ops software_ops = {
    .host_ns = fgi_software_now,
    .wait = software_wait,
    .timer_create = fgi_software_timer_create,
    .timer_destroy = fgi_software_timer_destroy,
    .timer_begin = fgi_software_timer_begin,
    .slot_begin = fgi_software_slot_begin,
    .slot_end = fgi_software_slot_end,
    .copy_indirect = fgi_software_copy_indirect,
    .label_begin = software_label_begin,
    .label_end = software_label_end,
    .timer_read = fgi_software_timer_read,
    .indirect_read = fgi_software_indirect_read,
    .landing_create = fgi_software_landing_create,
    .landing_destroy = fgi_software_landing_destroy,
    .calibrate = software_calibrate,
    .memory = software_memory,
    .describe = software_describe,
    .close = software_close,
    .free = software_free,
};

static void fill_options(struct fg_software_options *options)
{
    options->queue_count = options->queue_count != 0 ? options->queue_count : 1;
    options->valid_bits = options->valid_bits != 0 ? options->valid_bits : 64;
    options->period_num = options->period_num != 0 ? options->period_num : 1;
    options->period_den = options->period_den != 0 ? options->period_den : 1;
    options->quantum_ticks = options->quantum_ticks != 0 ? options->quantum_ticks : 1;
    options->pool_max = options->pool_max != 0 ? options->pool_max : 4096;
}

static void fill_caps(struct fgi_device_caps *caps, const struct fg_software_options *options)
{
    bool timed = (options->flags & FG_SOFTWARE_NO_TIMESTAMPS) == 0;
    if (timed) {
        caps->period = (struct fgi_rational){ options->period_num, options->period_den };
    }
    caps->queue_count = options->queue_count;
    for (uint32_t i = 0; i < options->queue_count; i++) {
        (void)snprintf(caps->queues[i].name, sizeof caps->queues[i].name, "queue %u", i);
        caps->queues[i].family = i;
        caps->queues[i].valid_bits = timed ? options->valid_bits : 0;
    }
    caps->slots_max = options->pool_max / 2;
    caps->calibrated = timed && (options->flags & FG_SOFTWARE_NO_CALIBRATION) == 0;
    caps->landings = (options->flags & FG_SOFTWARE_NO_LANDINGS) == 0;
    caps->indirect = true;
    caps->memory = true;
    caps->clock_stands = (options->flags & FG_SOFTWARE_REAL_TIME) == 0;
    caps->nominal_reason = "the software device was told to have no calibration";
    caps->host_clock = "software host";
    /* Fragment and compute shader invocations: both are what the work said. */
    caps->statistics_mask =
        (options->flags & FG_SOFTWARE_NO_STATISTICS) == 0 ? 1u << 7 | 1u << 10 : 0;
}

enum fg_result fg_software_device_create(const struct fg_software_options *options,
                                         struct fg_device **out_device)
{
    static const struct fg_software_options defaults = { 0 };
    options = options != NULL ? options : &defaults;
    if (out_device == NULL || options->queue_count > SOFTWARE_QUEUES_MAX ||
        options->valid_bits > 64 || options->drift_ppm <= -1000000) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_allocator *allocator = fgi_allocator(options->allocator);
    struct software_device *software = fgi_calloc(allocator, 1, sizeof *software);
    if (software == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    software->options = *options;
    fill_options(&software->options);
    software->epoch_ns = fgi_clock_monotonic_ns();
    software->lost_ns = options->lose_at_ns != 0 ? options->lose_at_ns : SOFTWARE_NEVER;
    software->base.ops = &software_ops;
    fill_caps(&software->base.caps, &software->options);
    uint64_t key = options->native_key != 0 ? options->native_key : (uint64_t)(uintptr_t)software;
    enum fg_result result = fgi_device_init(&software->base, key, allocator, &options->limits);
    if (result != FG_OK) {
        fgi_free(allocator, software, sizeof *software);
        return result;
    }
    *out_device = &software->base;
    return FG_OK;
}
