/* SPDX-License-Identifier: MIT */
#include "frame_submit.h"

#include "listing.h"

#include <frameglass/instrument.h>

/** A command buffer of the frame while it is recorded. */
struct batch {
    struct rd_commands commands;
    uint32_t queue;
    bool open;
    bool waits_for_compute;
};

struct submission {
    struct rd_frame *frame;
    struct rd_device *device;
    const struct rd_pipelines *pipelines;
    struct rd_recorder *recorder;
    struct batch graphics;
    struct batch compute;
    uint32_t graphics_count; /**< command buffers begun */
    bool plan_changed;
    uint32_t gpu_pass_count;
    uint32_t draw_count;
    struct fg_zone zone; /**< around the pass that is recorded */
};

static bool open_batch(struct submission *s, struct batch *batch, VkCommandBuffer buffer,
                       uint32_t queue)
{
    const VkCommandBufferBeginInfo info = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    if (!rd_check(s->device, vkBeginCommandBuffer(buffer, &info), "vkBeginCommandBuffer")) {
        return false;
    }
    *batch = (struct batch){
        .open = true,
        .queue = queue,
        .commands = {
            .device = s->device,
            .pipelines = s->pipelines,
            .buffer = buffer,
            .pool = s->frame->slot->descriptors,
            .recorded = rd_record_commands(s->recorder, buffer, queue),
        },
    };
    return true;
}

static VkResult submit(const struct rd_queue *queue, const VkSubmitInfo2 *info)
{
    FG_ZONE("Frame/Submit");
    return vkQueueSubmit2(queue->queue, 1, info, VK_NULL_HANDLE);
}

/** End the batch, submit it, signal its queue's timeline. */
static bool close_batch(struct submission *s, struct batch *batch, const struct rd_queue *awaited)
{
    struct rd_queue *queue = &s->device->queues[batch->queue];
    const VkCommandBufferSubmitInfo buffer = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = batch->commands.buffer,
    };
    const VkSemaphoreSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = awaited != NULL ? awaited->timeline : VK_NULL_HANDLE,
        .value = awaited != NULL ? awaited->submitted : 0,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSemaphoreSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
        .semaphore = queue->timeline,
        .value = queue->submitted + 1,
        .stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
    };
    const VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = awaited != NULL ? 1 : 0,
        .pWaitSemaphoreInfos = &wait,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &buffer,
        .signalSemaphoreInfoCount = 1,
        .pSignalSemaphoreInfos = &signal,
    };
    const struct rd_record_signal recorded_wait = { wait.semaphore, wait.value };
    const struct rd_record_signal recorded_signal = { signal.semaphore, signal.value };
    batch->open = false;
    s->gpu_pass_count += batch->commands.gpu_pass_count;
    s->draw_count += batch->commands.draw_count;
    rd_record_commands_end(batch->commands.recorded);
    if (!rd_check(s->device, vkEndCommandBuffer(batch->commands.buffer), "vkEndCommandBuffer")) {
        return false;
    }
    rd_record_submit(s->recorder, batch->queue, batch->commands.recorded, &recorded_wait,
                     info.waitSemaphoreInfoCount, &recorded_signal, 1);
    const VkResult result = submit(queue, &info);
    if (result != VK_SUCCESS) {
        rd_record_submit_failed(s->recorder, result == VK_ERROR_DEVICE_LOST);
        return rd_check(s->device, result, "vkQueueSubmit2");
    }
    queue->submitted++;
    return true;
}

/** Submit the graphics batch; the compute work of the frame follows the first one. */
static bool flush(struct submission *s)
{
    if (s->graphics.open) {
        const bool waits = s->graphics.waits_for_compute;
        if (!close_batch(s, &s->graphics, waits ? &s->device->queues[RD_QUEUE_COMPUTE] : NULL)) {
            return false;
        }
    }
    return !s->compute.open || close_batch(s, &s->compute, &s->device->queues[RD_QUEUE_GRAPHICS]);
}

static bool choose_batch(struct submission *s, const struct rd_pass *pass, struct batch **out_batch)
{
    if ((pass->flags & RD_PASS_ASYNC) != 0 && s->device->queue_count > 1) {
        *out_batch = &s->compute;
        return s->compute.open ||
               open_batch(s, &s->compute, s->frame->slot->compute, RD_QUEUE_COMPUTE);
    }
    *out_batch = &s->graphics;
    if ((pass->flags & RD_PASS_NEW_BATCH) != 0 && s->graphics_count < RD_MAX_BATCHES && !flush(s)) {
        return false;
    }
    if (s->graphics.open) {
        return true;
    }
    const bool first = s->graphics_count == 0;
    struct rd_frame *frame = s->frame;
    if (!open_batch(s, &s->graphics, s->frame->slot->graphics[s->graphics_count++],
                    RD_QUEUE_GRAPHICS)) {
        return false;
    }
    if (first) {
        rd_display_begin(frame->display, s->graphics.commands.buffer, frame->slot_index,
                         frame->index + 1);
    }
    if (first && frame->measures) {
        rd_heat_measure(frame->heat, s->graphics.commands.buffer, frame->slot_index,
                        (uint64_t)frame->width_px * frame->height_px);
    }
    if (first && s->plan_changed) {
        rd_barrier_full(s->graphics.commands.buffer);
    }
    return true;
}

static bool before_pass(void *user, const struct rd_graph *graph, uint16_t position)
{
    struct submission *s = user;
    struct batch *batch;
    if (!choose_batch(s, &graph->passes[graph->order[position]], &batch)) {
        return false;
    }
    struct rd_barriers barriers = {
        .device = s->device,
        .plan = s->frame->plan,
        .graph = graph,
        .commands = batch->commands.buffer,
        .queue = batch->queue,
    };
    rd_barriers_record(&barriers, position);
    batch->waits_for_compute = batch->waits_for_compute || (barriers.waits_for_other_queue &&
                                                            batch->queue == RD_QUEUE_GRAPHICS);
    s->frame->commands = &batch->commands;
    return true;
}

/** Null for the compute queue: stamps are of one queue. */
static VkCommandBuffer stamped_commands(const struct submission *s)
{
    const bool is_graphics = s->frame->commands == &s->graphics.commands;
    return is_graphics ? s->graphics.commands.buffer : VK_NULL_HANDLE;
}

static void tell_begin(void *user, const struct rd_graph *graph, uint16_t pass)
{
    struct submission *s = user;
    s->zone = fg_zone_begin(graph->passes[pass].name, FG_CATEGORY_DRAW);
    rd_record_graph_pass_begin(s->frame->commands->recorded, pass, graph->passes[pass].name);
    rd_listing_pass_begin(s->frame->listing, s->frame->commands->buffer, graph->passes[pass].name);
    rd_heat_pass_begin(s->frame->heat, stamped_commands(s), s->frame->slot_index,
                       graph->passes[pass].name);
}

static void tell_end(void *user, const struct rd_graph *graph, uint16_t pass)
{
    const struct submission *s = user;
    (void)graph;
    (void)pass;
    rd_heat_pass_end(s->frame->heat, stamped_commands(s), s->frame->slot_index);
    rd_listing_pass_end(s->frame->listing, s->frame->commands->buffer);
    rd_record_graph_pass_end(s->frame->commands->recorded);
    (void)fg_zone_end(s->zone);
}

bool rd_frame_submit(struct rd_frame *frame, struct rd_device *device,
                     const struct rd_pipelines *pipelines, struct rd_recorder *recorder,
                     bool plan_changed, struct rd_frame_result *out_result)
{
    FG_ZONE("Frame/Record");
    struct submission s = {
        .frame = frame,
        .device = device,
        .pipelines = pipelines,
        .recorder = recorder,
        .plan_changed = plan_changed,
    };
    const struct rd_graph_backend backend = { .user = &s, .before = before_pass };
    const struct rd_graph_listener listener = { .user = &s, .begin = tell_begin, .end = tell_end };
    if (!rd_graph_add_listener(frame->graph, &listener)) {
        return rd_fail(device->log, "the frame graph has too many listeners");
    }
    bool ok = rd_graph_execute(frame->graph, &backend);
    rd_graph_remove_listener(frame->graph, &s);
    ok = ok && flush(&s);
    frame->slot->done_value = device->queues[RD_QUEUE_GRAPHICS].submitted;
    out_result->gpu_pass_count = s.gpu_pass_count;
    out_result->draw_count = s.draw_count;
    return ok;
}
