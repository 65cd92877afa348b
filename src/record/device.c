/* SPDX-License-Identifier: MIT */
/* The life of a device's recorder: who stamps which device, who still refers to it, its end. */
#include "record/device.h"
#include "record/record_priv.h"
#include "record/session_priv.h"

#include <stdatomic.h>
#include <string.h>

/*
 * The native devices that have a stamping owner. A spin on one flag: held for a few stores, at
 * creation and destruction of devices only.
 */
#define CLAIMS_MAX 64
static struct {
    atomic_flag busy; /* guards keys */
    uint64_t keys[CLAIMS_MAX];
} claims = { ATOMIC_FLAG_INIT, { 0 } };

static enum fg_result claim(uint64_t key)
{
    enum fg_result result = FG_OK;
    size_t free_index = CLAIMS_MAX;
    /* acquire: pairs with the release in this function and in unclaim() */
    while (atomic_flag_test_and_set_explicit(&claims.busy, memory_order_acquire)) {
    }
    for (size_t i = 0; i < CLAIMS_MAX; i++) {
        if (claims.keys[i] == key) {
            result = FG_ERR_BUSY;
        } else if (claims.keys[i] == 0) {
            free_index = i;
        }
    }
    if (result == FG_OK && free_index == CLAIMS_MAX) {
        result = FG_ERR_LIMIT;
    }
    if (result == FG_OK) {
        claims.keys[free_index] = key;
    }
    atomic_flag_clear_explicit(&claims.busy, memory_order_release);
    return result;
}

static void unclaim(uint64_t key)
{
    /* acquire: pairs with the release in claim() */
    while (atomic_flag_test_and_set_explicit(&claims.busy, memory_order_acquire)) {
    }
    for (size_t i = 0; i < CLAIMS_MAX; i++) {
        if (claims.keys[i] == key) {
            claims.keys[i] = 0;
        }
    }
    atomic_flag_clear_explicit(&claims.busy, memory_order_release);
}

static uint32_t with_default(uint32_t value, uint32_t fallback)
{
    return value != 0 ? value : fallback;
}

static struct fg_recorder_limits fill_limits(const struct fg_recorder_limits *given,
                                             const struct fgi_device_caps *caps)
{
    struct fg_recorder_limits limits = given != NULL ? *given : (struct fg_recorder_limits){ 0 };
    limits.passes = with_default(limits.passes, 1024);
    if (caps->slots_max != 0 && limits.passes > caps->slots_max) {
        limits.passes = caps->slots_max;
    }
    limits.passes_max = with_default(limits.passes_max, 16384);
    limits.work_max = with_default(limits.work_max, 262144);
    limits.text_max = with_default(limits.text_max, 1u << 20);
    limits.commands_max = with_default(limits.commands_max, 256);
    limits.frames_max = with_default(limits.frames_max, 16);
    return limits;
}

enum fg_result fgi_device_init(struct fg_device *device, uint64_t native_key,
                               const struct fg_allocator *allocator,
                               const struct fg_recorder_limits *limits)
{
    /* What has no queue is no native device, and nobody else could stamp it. */
    if (device == NULL || device->ops == NULL ||
        (native_key == 0) != (device->caps.queue_count == 0) ||
        device->caps.queue_count > FGI_QUEUES_MAX) {
        return FG_ERR_ARGUMENT;
    }
    allocator = fgi_allocator(allocator);
    struct fgi_recorder *recorder = fgi_calloc(allocator, 1, sizeof *recorder);
    if (recorder == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    enum fg_result result = fgi_mutex_create(allocator, &recorder->lock);
    if (result != FG_OK) {
        goto fail_memory;
    }
    result = native_key != 0 ? claim(native_key) : FG_OK;
    if (result != FG_OK) {
        goto fail_lock;
    }
    recorder->device = device;
    recorder->ops = device->ops;
    recorder->allocator = allocator;
    recorder->limits = fill_limits(limits, &device->caps);
    recorder->native_key = native_key;
    recorder->process = fgi_process_id();
    recorder->refs = 1;
    recorder->pipeline_ids.allocator = allocator;
    recorder->pipeline_texts.allocator = allocator;
    fgi_clocks_init(&recorder->clocks, &device->caps);
    device->allocator = allocator;
    device->recorder = recorder;
    return FG_OK;

fail_lock:
    fgi_mutex_destroy(recorder->lock);
fail_memory:
    fgi_free(allocator, recorder, sizeof *recorder);
    return result;
}

bool fgi_recorder_is_ours(const struct fgi_recorder *recorder)
{
    return recorder->process == fgi_process_id();
}

void fgi_recorder_ref(struct fgi_recorder *recorder)
{
    fgi_mutex_lock(recorder->lock);
    recorder->refs++;
    fgi_mutex_unlock(recorder->lock);
}

static void free_recorder(struct fgi_recorder *recorder)
{
    struct fg_device *device = recorder->device;
    const struct fgi_device_ops *ops = recorder->ops;
    const struct fg_allocator *allocator = recorder->allocator;
    fgi_graphs_finish(recorder);
    fgi_free(allocator, recorder->pipelines,
             recorder->pipeline_capacity * sizeof *recorder->pipelines);
    fgi_map64_finish(&recorder->pipeline_ids);
    fgi_arena_finish(&recorder->pipeline_texts);
    fgi_free(allocator, recorder->armed_rows,
             recorder->armed_row_capacity * sizeof *recorder->armed_rows);
    fgi_mutex_destroy(recorder->lock);
    fgi_free(allocator, recorder, sizeof *recorder);
    ops->free(device);
}

void fgi_recorder_unref(struct fgi_recorder *recorder)
{
    fgi_mutex_lock(recorder->lock);
    bool last = --recorder->refs == 0;
    fgi_mutex_unlock(recorder->lock);
    if (last) {
        free_recorder(recorder);
    }
}

void fgi_recorder_update_want(struct fgi_recorder *recorder)
{
    recorder->want = 0;
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        if (fgi_session_is_running(recorder->sessions[i])) {
            recorder->want |= fgi_session_wants(recorder->sessions[i]);
        }
    }
}

void fgi_recorder_lose(struct fgi_recorder *recorder)
{
    if (recorder->lost) {
        return;
    }
    recorder->lost = true;
    fgi_recorder_give_up(recorder, NULL);
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        fgi_session_halt(recorder->sessions[i], FG_OK);
    }
}

void fg_device_poll(struct fg_device *device)
{
    if (device == NULL || !fgi_recorder_is_ours(device->recorder)) {
        return;
    }
    fgi_mutex_lock(device->recorder->lock);
    if (!device->recorder->dead) {
        fgi_recorder_poll(device->recorder);
    }
    fgi_mutex_unlock(device->recorder->lock);
}

void fg_device_report_lost(struct fg_device *device)
{
    if (device == NULL || !fgi_recorder_is_ours(device->recorder)) {
        return;
    }
    fgi_mutex_lock(device->recorder->lock);
    if (!device->recorder->dead) {
        fgi_recorder_lose(device->recorder);
    }
    fgi_mutex_unlock(device->recorder->lock);
}

/** Everything that lives on the native device or refers to it. */
static void release_all(struct fgi_recorder *recorder)
{
    struct fg_frame *lists[] = { recorder->in_flight, recorder->open, recorder->free_frames };
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        while (lists[i] != NULL) {
            struct fg_frame *frame = lists[i];
            lists[i] = frame->next;
            fgi_frame_free(recorder, frame);
        }
    }
    recorder->in_flight = recorder->open = recorder->free_frames = NULL;
    struct fg_commands *commands[] = { recorder->free_commands, recorder->reused };
    for (size_t i = 0; i < 2; i++) {
        while (commands[i] != NULL) {
            struct fg_commands *next = commands[i]->next;
            fgi_commands_free(recorder, commands[i]);
            commands[i] = next;
        }
    }
    recorder->free_commands = recorder->reused = NULL;
    fgi_pools_destroy(recorder);
}

void fg_device_destroy(struct fg_device *device)
{
    if (device == NULL) {
        return;
    }
    struct fgi_recorder *recorder = device->recorder;
    if (!fgi_recorder_is_ours(recorder)) {
        return; /* a fork's child owns neither the device nor the memory's locks */
    }
    fgi_mutex_lock(recorder->lock);
    if (!recorder->lost) {
        fgi_recorder_poll(recorder);
    }
    fgi_recorder_give_up(recorder, NULL);
    for (uint32_t i = 0; i < recorder->session_count; i++) {
        fgi_session_halt(recorder->sessions[i], FG_OK);
    }
    release_all(recorder);
    recorder->dead = true;
    recorder->ops->close(device);
    if (recorder->native_key != 0) {
        unclaim(recorder->native_key);
    }
    fgi_mutex_unlock(recorder->lock);
    fgi_recorder_unref(recorder);
}

/** Equal descriptions get one id: the key is a hash of label and workgroup. */
static uint64_t pipeline_key(const struct fg_pipeline_desc *desc, size_t size)
{
    uint64_t key = fgi_hash64(0, desc->label != NULL ? desc->label : "", size);
    return fgi_hash64(key, desc->workgroup, sizeof desc->workgroup);
}

static uint32_t add_pipeline(struct fgi_recorder *recorder, const struct fg_pipeline_desc *desc)
{
    size_t size = desc->label != NULL ? strlen(desc->label) : 0;
    uint64_t key = pipeline_key(desc, size);
    uint32_t index;
    if (fgi_map64_get(&recorder->pipeline_ids, key, &index)) {
        return index + 1;
    }
    if (FGI_GROW(recorder->allocator, recorder->pipelines, recorder->pipeline_capacity,
                 recorder->pipeline_count + 1, FGI_PIPELINES_MAX) != FG_OK) {
        return 0;
    }
    struct fgi_pipeline *pipeline = &recorder->pipelines[recorder->pipeline_count];
    pipeline->label = size == 0 ? "" : fgi_arena_text(&recorder->pipeline_texts, desc->label, size);
    memcpy(pipeline->workgroup, desc->workgroup, sizeof pipeline->workgroup);
    if (pipeline->label == NULL ||
        fgi_map64_put(&recorder->pipeline_ids, key, (uint32_t)recorder->pipeline_count) != FG_OK) {
        return 0;
    }
    return (uint32_t)++recorder->pipeline_count;
}

uint32_t fg_pipeline_register(struct fg_device *device, const struct fg_pipeline_desc *desc)
{
    if (device == NULL || desc == NULL || !fgi_recorder_is_ours(device->recorder)) {
        return 0;
    }
    fgi_mutex_lock(device->recorder->lock);
    uint32_t id = add_pipeline(device->recorder, desc);
    fgi_mutex_unlock(device->recorder->lock);
    return id;
}
