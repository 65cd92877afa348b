/* SPDX-License-Identifier: MIT */
/* Timers and landings: what real devices do with query pools. */
#include "gpu/software/software_priv.h"

#include <string.h>

void fgi_software_timer_reset(struct fgi_timer *timer)
{
    for (uint32_t i = 0; i < timer->slot_count; i++) {
        timer->slots[i] = (struct software_slot){
            .begin_ns = SOFTWARE_NEVER,
            .end_ns = SOFTWARE_NEVER,
            .readable_ns = SOFTWARE_NEVER,
        };
    }
    for (uint32_t i = 0; i < timer->indirect_count; i++) {
        timer->indirects[i].written_ns = SOFTWARE_NEVER;
        timer->indirects[i].readable_ns = SOFTWARE_NEVER;
    }
}

static void free_timer(const struct fg_allocator *allocator, struct fgi_timer *timer)
{
    fgi_free(allocator, timer->slots, timer->slot_count * sizeof *timer->slots);
    fgi_free(allocator, timer->indirects, timer->indirect_count * sizeof *timer->indirects);
    fgi_free(allocator, timer, sizeof *timer);
}

enum fg_result fgi_software_timer_create(struct fg_device *device, uint32_t queue, uint32_t slots,
                                         bool statistics, uint32_t indirect_slots,
                                         struct fgi_timer **out_timer)
{
    struct software_device *software = software_of(device);
    (void)statistics; /* every slot has room for them */
    if (slots == 0 || slots > software->options.pool_max / 2) {
        return FG_ERR_LIMIT;
    }
    struct fgi_timer *timer = fgi_calloc(device->allocator, 1, sizeof *timer);
    if (timer == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    timer->queue = queue;
    timer->slot_count = slots;
    timer->indirect_count = indirect_slots;
    timer->slots = fgi_calloc(device->allocator, slots, sizeof *timer->slots);
    timer->indirects = fgi_calloc(device->allocator, indirect_slots, sizeof *timer->indirects);
    if (timer->slots == NULL || (indirect_slots != 0 && timer->indirects == NULL)) {
        free_timer(device->allocator, timer);
        return FG_ERR_NO_MEMORY;
    }
    fgi_software_timer_reset(timer);
    software->timers_alive++;
    software->timers_created++;
    *out_timer = timer;
    return FG_OK;
}

void fgi_software_timer_destroy(struct fg_device *device, struct fgi_timer *timer)
{
    software_of(device)->timers_alive--;
    free_timer(device->allocator, timer);
}

bool fgi_software_timer_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                              uint32_t flags)
{
    (void)device;
    (void)commands;
    (void)flags;
    fgi_software_timer_reset(timer);
    return true;
}

void fgi_software_slot_begin(struct fg_device *device, struct fgi_timer *timer, void *commands,
                             uint32_t slot, bool statistics)
{
    (void)device;
    fgi_software_push(commands, (struct software_op){ .kind = SOFTWARE_BEGIN,
                                                      .timer = timer,
                                                      .index = slot,
                                                      .statistics = statistics });
}

void fgi_software_slot_end(struct fg_device *device, struct fgi_timer *timer, void *commands,
                           uint32_t slot, bool statistics)
{
    (void)device;
    fgi_software_push(commands, (struct software_op){ .kind = SOFTWARE_END,
                                                      .timer = timer,
                                                      .index = slot,
                                                      .statistics = statistics });
}

void fgi_software_copy_indirect(struct fg_device *device, struct fgi_timer *timer, void *commands,
                                uint32_t first, const struct fgi_indirect_copy *copies,
                                uint32_t count)
{
    (void)device;
    for (uint32_t i = 0; i < count; i++) {
        fgi_software_push(
            commands, (struct software_op){ .kind = SOFTWARE_COPY,
                                            .timer = timer,
                                            .index = first + i,
                                            .address = copies[i].buffer + copies[i].offset_bytes,
                                            .size = copies[i].size_bytes });
    }
}

/** Was something written at `written_ns` ever seen: before the loss, and late enough. */
static bool is_there(const struct software_device *device, int64_t written_ns, int64_t readable_ns)
{
    int64_t now_ns = fgi_software_now(&((struct software_device *)(uintptr_t)device)->base);
    if (now_ns >= device->lost_ns) {
        return written_ns <= device->lost_ns && written_ns != SOFTWARE_NEVER;
    }
    return readable_ns <= now_ns && readable_ns != SOFTWARE_NEVER && written_ns != SOFTWARE_NEVER;
}

enum fg_result fgi_software_timer_read(struct fg_device *device, struct fgi_timer *timer,
                                       struct fgi_landing *landing, uint32_t first, uint32_t count,
                                       struct fgi_slot_result *out)
{
    struct software_device *software = software_of(device);
    const struct software_slot *slots = landing != NULL ? landing->slots : timer->slots;
    for (uint32_t i = 0; i < count; i++) {
        const struct software_slot *slot = &slots[first + i];
        out[i] = (struct fgi_slot_result){ 0 };
        out[i].has_begin = is_there(software, slot->begin_ns, slot->readable_ns);
        out[i].has_end = is_there(software, slot->end_ns, slot->readable_ns);
        out[i].begin_ticks = out[i].has_begin ? slot->begin_ticks : 0;
        out[i].end_ticks = out[i].has_end ? slot->end_ticks : 0;
        out[i].has_statistics = out[i].has_end && slot->has_statistics;
        if (out[i].has_statistics) {
            out[i].statistics[0] = out[i].statistics[1] = slot->invocations;
        }
    }
    return fgi_software_now(device) >= software->lost_ns ? FG_ERR_DEVICE_LOST : FG_OK;
}

enum fg_result fgi_software_indirect_read(struct fg_device *device, struct fgi_timer *timer,
                                          struct fgi_landing *landing, uint32_t first,
                                          uint32_t count, uint32_t (*out_words)[FGI_INDIRECT_WORDS],
                                          bool *out_have)
{
    struct software_device *software = software_of(device);
    const struct software_indirect *indirects =
        landing != NULL ? landing->indirects : timer->indirects;
    for (uint32_t i = 0; i < count; i++) {
        const struct software_indirect *indirect = &indirects[first + i];
        out_have[i] = is_there(software, indirect->written_ns, indirect->readable_ns);
        if (out_have[i]) {
            memcpy(out_words[i], indirect->words, sizeof indirect->words);
        }
    }
    return fgi_software_now(device) >= software->lost_ns ? FG_ERR_DEVICE_LOST : FG_OK;
}

/* ---- landings ---- */

static void free_landing(const struct fg_allocator *allocator, struct fgi_landing *landing)
{
    if (landing != NULL) {
        fgi_free(allocator, landing->slots, landing->slot_count * sizeof *landing->slots);
        fgi_free(allocator, landing->indirects,
                 landing->indirect_count * sizeof *landing->indirects);
        fgi_free(allocator, landing, sizeof *landing);
    }
}

static void free_bundle(struct software_device *device, struct software_bundle *bundle)
{
    const struct fg_allocator *allocator = device->base.allocator;
    for (uint32_t i = 0; bundle->landings != NULL && i < bundle->count; i++) {
        free_landing(allocator, bundle->landings[i]);
    }
    fgi_free(allocator, bundle->landings, bundle->count * sizeof(struct fgi_landing *));
    fg_software_commands_destroy(bundle->before);
    fg_software_commands_destroy(bundle->after);
    fgi_free(allocator, bundle, sizeof *bundle);
}

void fgi_software_bundles_destroy(struct software_device *device)
{
    while (device->bundles != NULL) {
        struct software_bundle *bundle = device->bundles;
        device->bundles = bundle->next;
        free_bundle(device, bundle);
    }
}

static struct fgi_landing *create_landing(struct software_device *device, struct fgi_timer *timer)
{
    const struct fg_allocator *allocator = device->base.allocator;
    struct fgi_landing *landing = fgi_calloc(allocator, 1, sizeof *landing);
    if (landing == NULL) {
        return NULL;
    }
    landing->timer = timer;
    landing->slot_count = timer != NULL ? timer->slot_count : 1;
    landing->indirect_count = timer != NULL ? timer->indirect_count : 0;
    landing->slots = fgi_calloc(allocator, landing->slot_count, sizeof *landing->slots);
    landing->indirects = fgi_calloc(allocator, landing->indirect_count, sizeof *landing->indirects);
    if (landing->slots == NULL || (landing->indirect_count != 0 && landing->indirects == NULL)) {
        free_landing(allocator, landing);
        return NULL;
    }
    for (uint32_t i = 0; i < landing->slot_count; i++) {
        landing->slots[i].begin_ns = landing->slots[i].end_ns = SOFTWARE_NEVER;
        landing->slots[i].readable_ns = SOFTWARE_NEVER;
    }
    for (uint32_t i = 0; i < landing->indirect_count; i++) {
        landing->indirects[i].written_ns = SOFTWARE_NEVER;
        landing->indirects[i].readable_ns = SOFTWARE_NEVER;
    }
    return landing;
}

static void record_landing(struct software_bundle *bundle, struct fgi_landing *landing)
{
    if (landing->timer == NULL) {
        fgi_software_push(bundle->before,
                          (struct software_op){ .kind = SOFTWARE_WHOLE_BEGIN, .landing = landing });
        fgi_software_push(bundle->after,
                          (struct software_op){ .kind = SOFTWARE_WHOLE_END, .landing = landing });
        return;
    }
    fgi_software_push(bundle->before,
                      (struct software_op){ .kind = SOFTWARE_RESET, .timer = landing->timer });
    fgi_software_push(
        bundle->after,
        (struct software_op){ .kind = SOFTWARE_LAND, .timer = landing->timer, .landing = landing });
    landing->timer->pending = landing;
}

static struct software_bundle *create_bundle(struct software_device *device,
                                             struct fgi_timer *const *timers, uint32_t count,
                                             bool whole)
{
    const struct fg_allocator *allocator = device->base.allocator;
    struct software_bundle *bundle = fgi_calloc(allocator, 1, sizeof *bundle);
    if (bundle == NULL) {
        return NULL;
    }
    bundle->count = count + (whole ? 1 : 0);
    bundle->landings = fgi_calloc(allocator, bundle->count, sizeof(struct fgi_landing *));
    bundle->before = fgi_software_commands_new(allocator);
    bundle->after = fgi_software_commands_new(allocator);
    bool made = bundle->landings != NULL && bundle->before != NULL && bundle->after != NULL;
    for (uint32_t i = 0; made && i < bundle->count; i++) {
        bundle->landings[i] = create_landing(device, i < count ? timers[i] : NULL);
        made = bundle->landings[i] != NULL;
    }
    for (uint32_t i = 0; made && i < bundle->count; i++) {
        bundle->landings[i]->bundle = bundle;
        record_landing(bundle, bundle->landings[i]);
    }
    if (!made || bundle->before->out_of_memory || bundle->after->out_of_memory) {
        for (uint32_t i = 0; i < count; i++) {
            timers[i]->pending = NULL;
        }
        free_bundle(device, bundle);
        return NULL;
    }
    bundle->alive = bundle->count;
    return bundle;
}

static bool is_busy(struct fgi_timer *const *timers, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        /* What was prepared and never submitted is not in the way. */
        if (timers[i]->pending != NULL && timers[i]->pending->bundle->submitted) {
            return true;
        }
        for (uint32_t k = 0; k < i; k++) {
            if (timers[k] == timers[i]) {
                return true;
            }
        }
    }
    return false;
}

enum fg_result fgi_software_landing_create(struct fg_device *device, uint32_t queue,
                                           struct fgi_timer *const *timers, uint32_t count,
                                           bool whole, struct fgi_landing **out_landings,
                                           struct fg_submit_extra *out_extra)
{
    struct software_device *software = software_of(device);
    (void)queue;
    if (is_busy(timers, count)) {
        return FG_ERR_BUSY;
    }
    struct software_bundle *bundle = create_bundle(software, timers, count, whole);
    if (bundle == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < bundle->count; i++) {
        out_landings[i] = bundle->landings[i];
    }
    bundle->next = software->bundles;
    software->bundles = bundle;
    *out_extra = (struct fg_submit_extra){ bundle->before, bundle->after };
    return FG_OK;
}

static void drop_bundle(struct software_device *device, struct software_bundle *bundle)
{
    struct software_bundle **link = &device->bundles;
    while (*link != bundle) {
        link = &(*link)->next;
    }
    *link = bundle->next;
    free_bundle(device, bundle);
}

void fgi_software_landing_destroy(struct fg_device *device, struct fgi_landing *landing)
{
    struct software_bundle *bundle = landing->bundle;
    if (landing->destroyed) {
        return;
    }
    landing->destroyed = true;
    if (--bundle->alive == 0 && bundle->has_run) {
        drop_bundle(software_of(device), bundle);
    }
}

void fgi_software_bundle_ran(struct software_device *device, struct software_bundle *bundle)
{
    bundle->has_run = true;
    for (uint32_t i = 0; i < bundle->count; i++) {
        struct fgi_timer *timer = bundle->landings[i]->timer;
        if (timer != NULL && timer->pending == bundle->landings[i]) {
            timer->pending = NULL;
        }
    }
    if (bundle->alive == 0) {
        drop_bundle(device, bundle);
    }
}
