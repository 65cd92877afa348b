/* SPDX-License-Identifier: MIT */
/* Makes a recorder's device of an OpenGL context: its clock, its debug groups, its end. */
#include "base/alloc.h"
#include "gpu/opengl/opengl_priv.h"

#include <stdio.h>
#include <string.h>

enum {
    PASSES = 256,    /* timed in a command buffer, if nobody says otherwise: two names each */
    GROUPS_MAX = 32, /* of ours: half of what every context has room for */
};

bool fgi_opengl_is_here(struct fgi_opengl_device *device)
{
    if (atomic_load_explicit(&device->thread, memory_order_relaxed) == fgi_thread_number()) {
        return true;
    }
    fgi_opengl_count(&device->other_threads, 1);
    return false;
}

bool fgi_opengl_is_lost(struct fgi_opengl_device *device)
{
    if (!device->lost && device->has_reset_status) {
        device->lost = device->gl.GetGraphicsResetStatus() != 0;
    }
    return device->lost;
}

void fgi_opengl_check_disjoint(struct fgi_opengl_device *device)
{
    int disjoint = 0;
    if (device->has_disjoint) {
        device->gl.GetIntegerv(FGI_GL_GPU_DISJOINT, &disjoint);
    }
    if (disjoint != 0) {
        device->disjoint++;
        fgi_opengl_order_forget(device);
        fgi_opengl_count(&device->disjoint_seen, 1);
    }
}

static int64_t host_ns(struct fg_device *base)
{
    return fgi_opengl_device(base)->now_ns();
}

static void wait_ns(struct fg_device *base, int64_t duration_ns)
{
    fgi_opengl_device(base)->wait(duration_ns);
}

/**
 * The GL clock as of when the driver gets here, which is not when the GPU does: reading it waits
 * for no work. Between two readings of the host's clock, so at most half of their distance off.
 */
static enum fg_result calibrate(struct fg_device *base, uint32_t queue,
                                struct fgi_clock_pair *out_pair)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    int64_t ticks = 0;
    (void)queue;
    if (!base->caps.calibrated || device->lost) {
        return FG_ERR_UNSUPPORTED;
    }
    if (!fgi_opengl_is_here(device)) {
        return FG_ERR_BUSY;
    }
    int64_t before_ns = device->now_ns();
    device->gl.GetInteger64v(FGI_GL_TIMESTAMP, &ticks);
    int64_t taken_ns = device->now_ns() - before_ns;
    if (ticks == 0) {
        return FG_ERR_UNSUPPORTED;
    }
    out_pair->device_ticks = (uint64_t)ticks & device->tick_mask;
    out_pair->host_ns = before_ns + taken_ns / 2;
    out_pair->deviation_ns = (taken_ns + 1) / 2;
    fgi_opengl_order_reading(device, out_pair);
    return FG_OK;
}

/** A group too many would be an error of the application's context. */
static void label_begin(struct fg_device *base, void *commands, const char *name)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)commands;
    if (!fgi_opengl_is_here(device) || device->group_depth++ >= GROUPS_MAX) {
        return;
    }
    size_t size = strlen(name);
    size_t most = device->group_text_max > 1 ? (size_t)device->group_text_max - 1 : 0;
    device->gl.PushDebugGroup(FGI_GL_DEBUG_SOURCE_APPLICATION, 0, (int)(size < most ? size : most),
                              name);
}

static void label_end(struct fg_device *base, void *commands)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    (void)commands;
    if (fgi_opengl_is_here(device) && device->group_depth != 0 &&
        --device->group_depth < GROUPS_MAX) {
        device->gl.PopDebugGroup();
    }
}

static void close_device(struct fg_device *base)
{
    (void)base; /* query objects went with their timers; nothing else is on the context */
}

static void free_device(struct fg_device *base)
{
    fgi_free(base->allocator, base, sizeof(struct fgi_opengl_device));
}

#define COMMON_OPERATIONS                                                                          \
    .host_ns = host_ns, .wait = wait_ns, .timer_create = fgi_opengl_timer_create,                  \
    .timer_destroy = fgi_opengl_timer_destroy, .timer_begin = fgi_opengl_timer_begin,              \
    .slot_begin = fgi_opengl_slot_begin, .slot_end = fgi_opengl_slot_end,                          \
    .timer_read = fgi_opengl_timer_read, .calibrate = calibrate, .memory = fgi_opengl_memory,      \
    .describe = fgi_opengl_describe, .close = close_device, .free = free_device

static const struct fgi_device_ops operations = { COMMON_OPERATIONS };
static const struct fgi_device_ops operations_with_groups = {
    COMMON_OPERATIONS,
    .label_begin = label_begin,
    .label_end = label_end,
};

static void choose_timing(struct fgi_opengl_device *device)
{
    if (device->timestamp_bits != 0 && (device->flags & FG_OPENGL_NO_TIMESTAMPS) == 0) {
        device->timing = FG_OPENGL_TIMING_STAMPS;
        device->tick_mask =
            device->timestamp_bits < 64 ? (UINT64_C(1) << device->timestamp_bits) - 1 : UINT64_MAX;
    } else if (device->elapsed_bits != 0 && (device->flags & FG_OPENGL_NO_ELAPSED) == 0) {
        device->timing = FG_OPENGL_TIMING_ELAPSED;
        device->tick_mask = UINT64_MAX;
    }
}

/** NULL when calibrate() works, otherwise why it does not: static text for the capture. */
static const char *why_nominal(const struct fgi_opengl_device *device)
{
    if (device->timing == FG_OPENGL_TIMING_ELAPSED) {
        return "elapsed queries give durations only: passes are laid end to end";
    }
    if (device->flags & FG_OPENGL_NO_CALIBRATION) {
        return "the application asked for no calibration";
    }
    return device->gl.GetInteger64v != NULL ? NULL : "the context's clock cannot be read";
}

static void fill_caps(struct fgi_opengl_device *device, const struct fg_opengl_options *options)
{
    struct fgi_device_caps *caps = &device->base.caps;
    caps->queue_count = 1;
    (void)snprintf(caps->queues[0].name, sizeof caps->queues[0].name, "%s",
                   options->queue_name != NULL ? options->queue_name : "graphics");
    caps->host_clock = "monotonic";
    caps->not_of_execution = fgi_opengl_is_not_of_execution(device);
    if (device->timing != FG_OPENGL_TIMING_NONE) {
        bool stamps = device->timing == FG_OPENGL_TIMING_STAMPS;
        caps->period = (struct fgi_rational){ 1, 1 };
        caps->queues[0].valid_bits = stamps ? (uint32_t)device->timestamp_bits : 64;
        caps->nominal_reason = why_nominal(device);
        caps->calibrated = caps->nominal_reason == NULL;
    }
    caps->memory = (device->has_nvx_memory || device->has_ati_memory) &&
                   (device->flags & FG_OPENGL_NO_MEMORY_INFO) == 0;
    if ((device->flags & FG_OPENGL_NO_PIPELINE_STATISTICS) != 0 ||
        device->timing == FG_OPENGL_TIMING_NONE) {
        caps->statistics_mask = 0;
        device->statistic_count = 0;
    }
}

enum fg_result fgi_opengl_create(const struct fg_opengl_options *options,
                                 const struct fgi_opengl_host *host, struct fg_device **out_device)
{
    struct fgi_opengl_device *device = fgi_calloc(options->allocator, 1, sizeof *device);
    if (device == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    device->base.allocator = fgi_allocator(options->allocator);
    device->base.caps.clock_stands = host != NULL;
    device->now_ns = host != NULL ? host->now_ns : fgi_clock_monotonic_ns;
    device->wait = host != NULL ? host->wait : fgi_sleep_ns;
    device->flags = options->flags;
    device->memory_next_ns = device->names_next_ns = INT64_MIN;
    atomic_store_explicit(&device->thread, fgi_thread_number(), memory_order_relaxed);
    enum fg_result result = fgi_opengl_load(device, options->get_proc_address);
    if (result != FG_OK) {
        goto fail;
    }
    if (options->flags & FG_OPENGL_NO_DEBUG_GROUPS) {
        device->gl.PushDebugGroup = NULL;
    }
    device->base.ops = device->gl.PushDebugGroup != NULL ? &operations_with_groups : &operations;
    choose_timing(device);
    fill_caps(device, options);
    struct fg_recorder_limits limits = options->limits;
    limits.passes = limits.passes != 0 ? limits.passes : PASSES;
    const void *key = options->native_context != NULL ? options->native_context : device;
    result = fgi_device_init(&device->base, (uint64_t)(uintptr_t)key, options->allocator, &limits);
    if (result != FG_OK) {
        goto fail;
    }
    *out_device = &device->base;
    return FG_OK;

fail:
    free_device(&device->base);
    return result;
}

enum fg_result fg_opengl_device_create(const struct fg_opengl_options *options,
                                       struct fg_device **out_device)
{
    if (options == NULL || options->get_proc_address == NULL || out_device == NULL) {
        return FG_ERR_ARGUMENT;
    }
    return fgi_opengl_create(options, NULL, out_device);
}

void fg_opengl_adopt(struct fg_device *base)
{
    if (base != NULL) {
        atomic_store_explicit(&fgi_opengl_device(base)->thread, fgi_thread_number(),
                              memory_order_relaxed);
    }
}

struct fg_commands *fg_opengl_commands_begin(struct fg_device *device, struct fg_frame *frame)
{
    struct fg_commands_desc desc = { .native = device };
    return fg_commands_begin(frame, &desc);
}

enum fg_opengl_timing fg_opengl_get_timing(const struct fg_device *base)
{
    return base != NULL ? fgi_opengl_device(base)->timing : FG_OPENGL_TIMING_NONE;
}

void fg_opengl_get_counts(const struct fg_device *base, struct fg_opengl_counts *out_counts)
{
    struct fgi_opengl_device *device = fgi_opengl_device(base);
    *out_counts = (struct fg_opengl_counts){ 0 };
    if (device == NULL) {
        return;
    }
    const struct {
        uint32_t *out;
        atomic_uint *counter;
    } pairs[] = {
        { &out_counts->queries, &device->queries_made },
        { &out_counts->queries_alive, &device->queries_alive },
        { &out_counts->disjoint, &device->disjoint_seen },
        { &out_counts->passes_disjoint, &device->passes_disjoint },
        { &out_counts->passes_impossible, &device->passes_impossible },
        { &out_counts->passes_in_the_way, &device->passes_in_the_way },
        { &out_counts->other_threads, &device->other_threads },
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        *pairs[i].out = atomic_load_explicit(pairs[i].counter, memory_order_relaxed);
    }
}
