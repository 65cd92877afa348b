/* SPDX-License-Identifier: MIT */
/* A ring of picks: which waits, which has a slot, and what came back. */
#include <frameglass/gpu_trace_pick.h>

#include "base/alloc.h"
#include "engine/vulkan/gpu_lanes.h"
#include "engine/vulkan/gpu_rows.h"
#include "trace/model.h"

enum { DEFAULT_SLOTS = 3, RESULT_WORDS = 2, SLOT_BYTES = 256 };

struct asked {
    uint64_t id; /**< 0: nothing */
    struct fgi_gpu_pick_words words;
    bool was_deferred;
};
enum slot_state { SLOT_FREE, SLOT_IN_FLIGHT, SLOT_DONE };
struct slot {
    enum slot_state state;
    uint64_t id;
    uint64_t serial;
    uint32_t purpose;
};

struct fg_gpu_picks {
    struct fg_gpu_trace *gpu;
    uint32_t slot_count;
    uint64_t each_bytes;              /**< of a slot in `words` and `results` */
    struct fg_compute_memory words;   /**< struct fgi_gpu_pick_words by slot */
    struct fg_compute_memory results; /**< two words by slot */
    struct fg_compute_memory lanes;   /**< by process */
    struct fgi_gpu_lanes by_process;
    struct asked waiting[FG_GPU_PICK_PURPOSES];
    struct slot slots[FG_GPU_PICK_SLOTS_MAX];
    uint64_t last_serial;
    uint64_t told_hover; /**< id of the newest one that was told */
    struct fg_gpu_picks_counts counts;
};

/* ---- making it ------------------------------------------------------------------------------- */

static enum fg_result take_memory(struct fg_gpu_picks *picks)
{
    struct fg_compute *compute = picks->gpu->compute;
    const uint64_t slots_bytes = picks->slot_count * picks->each_bytes;
    const uint64_t lanes_bytes = (picks->gpu->trace->lanes.count + 1) * sizeof(uint32_t);
    enum fg_result result =
        fg_compute_memory_take(compute, FG_COMPUTE_CONTROL, slots_bytes, &picks->words);
    result = result == FG_OK ? fg_compute_memory_take(compute, FG_COMPUTE_READBACK, slots_bytes,
                                                      &picks->results)
                             : result;
    result = result == FG_OK
                 ? fg_compute_memory_take(compute, FG_COMPUTE_CONTROL, lanes_bytes, &picks->lanes)
                 : result;
    if (result == FG_OK) {
        fg_compute_write(compute, &picks->lanes, 0, picks->by_process.lanes, lanes_bytes);
    }
    return result;
}

enum fg_result fg_gpu_picks_create(struct fg_gpu_trace *gpu, uint32_t slots,
                                   struct fg_gpu_picks **out_picks)
{
    if (slots > FG_GPU_PICK_SLOTS_MAX) {
        return FG_ERR_ARGUMENT;
    }
    struct fg_gpu_picks *picks = fgi_calloc(gpu->allocator, 1, sizeof *picks);
    if (!picks) {
        return FG_ERR_NO_MEMORY;
    }
    const uint64_t alignment = fg_compute_get_facts(gpu->compute)->alignment_bytes;
    picks->gpu = gpu;
    picks->slot_count = slots > 0 ? slots : DEFAULT_SLOTS;
    picks->each_bytes = alignment > SLOT_BYTES ? alignment : SLOT_BYTES;
    enum fg_result result = fgi_gpu_lanes_list(gpu, &picks->by_process);
    result = result == FG_OK ? take_memory(picks) : result;
    if (result != FG_OK) {
        fg_gpu_picks_destroy(picks);
        return result;
    }
    *out_picks = picks;
    return FG_OK;
}

void fg_gpu_picks_destroy(struct fg_gpu_picks *picks)
{
    if (!picks) {
        return;
    }
    const struct fg_gpu_trace *gpu = picks->gpu;
    fgi_gpu_memory_end(gpu->compute, &picks->words);
    fgi_gpu_memory_end(gpu->compute, &picks->results);
    fgi_gpu_memory_end(gpu->compute, &picks->lanes);
    fgi_gpu_lanes_finish(gpu, &picks->by_process);
    fgi_free(gpu->allocator, picks, sizeof *picks);
}

struct fg_compute_view fg_gpu_picks_result(const struct fg_gpu_picks *picks, uint32_t slot)
{
    return fg_compute_view_part(picks->results.view, slot * picks->each_bytes,
                                RESULT_WORDS * sizeof(uint32_t));
}

enum fg_result fg_gpu_picks_add(const struct fg_gpu_picks *picks, uint32_t slot,
                                const struct fg_gpu_population *population,
                                const struct fg_compute_sink *sink)
{
    if (slot >= picks->slot_count || population->gpu != picks->gpu) {
        return FG_ERR_ARGUMENT;
    }
    const struct fg_compute_view result_view = fg_gpu_picks_result(picks, slot);
    const struct fgi_gpu_pick pick = {
        .population = population,
        .words = fg_compute_view_part(picks->words.view, slot * picks->each_bytes,
                                      sizeof(struct fgi_gpu_pick_words)),
        .lanes = picks->lanes.view,
        .result = result_view,
    };
    const struct fg_compute_use seen = { .view = result_view,
                                         .access = FG_COMPUTE_READ,
                                         .stages = VK_PIPELINE_STAGE_HOST_BIT,
                                         .accesses = VK_ACCESS_HOST_READ_BIT };
    const enum fg_result result = fgi_gpu_pick(sink, &pick);
    return result == FG_OK ? fg_compute_sink_add(
                                 sink, FG_COMPUTE_NODE(.name = "picked", .kind = FG_COMPUTE_PUBLISH,
                                                       .uses = &seen, .use_count = 1))
                           : result;
}

/* ---- asking ---------------------------------------------------------------------------------- */

enum fg_result fg_gpu_picks_ask(struct fg_gpu_picks *picks, uint32_t purpose,
                                const struct fg_gpu_pick_request *request, uint64_t *out_id)
{
    const struct fg_trace *trace = picks->gpu->trace;
    const size_t counts[] = { [FG_VIEW_LANE] = trace->lanes.count,
                              [FG_VIEW_TRACK] = trace->tracks.count,
                              [FG_VIEW_PROCESS] = trace->processes.count };
    if (purpose >= FG_GPU_PICK_PURPOSES || request->kind > FG_VIEW_PROCESS ||
        request->index >= counts[request->kind]) {
        return FG_ERR_ARGUMENT;
    }
    const uint32_t lanes =
        fgi_gpu_lanes_of(picks->gpu, &picks->by_process, request->kind, request->index);
    struct fgi_gpu_pick_words words = { .lane_count = lanes,
                                        .time_ns = request->time_ns,
                                        .tolerance_ns = request->tolerance_ns };
    if (request->kind == FG_VIEW_PROCESS) {
        words.lanes =
            picks->lanes.view.address + picks->by_process.first[request->index] * sizeof(uint32_t);
    } else if (lanes > 0) {
        words.first_lane =
            fgi_gpu_lanes_at(picks->gpu, &picks->by_process, request->kind, request->index, 0);
    }
    struct asked *asked = &picks->waiting[purpose];
    picks->counts.replaced += asked->id != 0;
    *asked = (struct asked){ .id = ++picks->counts.asked, .words = words };
    *out_id = asked->id;
    return FG_OK;
}

/** FG_NONE: all are in flight, or hold what was not polled. */
static uint32_t free_slot(const struct fg_gpu_picks *picks)
{
    for (uint32_t i = 0; i < picks->slot_count; i++) {
        if (picks->slots[i].state == SLOT_FREE) {
            return i;
        }
    }
    return FG_NONE;
}

uint32_t fg_gpu_picks_take(struct fg_gpu_picks *picks, uint64_t serial)
{
    const uint32_t purpose =
        picks->waiting[FG_GPU_PICK_SELECT].id != 0 ? FG_GPU_PICK_SELECT : FG_GPU_PICK_HOVER;
    const uint32_t slot = free_slot(picks);
    if (slot == FG_NONE) {
        for (uint32_t i = 0; i < FG_GPU_PICK_PURPOSES; i++) {
            struct asked *late = &picks->waiting[i];
            picks->counts.deferred += late->id != 0 && !late->was_deferred;
            late->was_deferred = true;
        }
        return FG_NONE;
    }
    struct asked *asked = &picks->waiting[purpose];
    if (asked->id == 0) {
        return FG_NONE;
    }
    picks->last_serial = serial > picks->last_serial ? serial : picks->last_serial;
    picks->slots[slot] = (struct slot){
        .state = SLOT_IN_FLIGHT, .id = asked->id, .serial = picks->last_serial, .purpose = purpose
    };
    picks->counts.written_bytes +=
        fg_compute_write(picks->gpu->compute, &picks->words, slot * picks->each_bytes,
                         &asked->words, sizeof asked->words);
    asked->id = 0;
    return slot;
}

/* ---- answers --------------------------------------------------------------------------------- */

void fg_gpu_picks_complete(struct fg_gpu_picks *picks, uint64_t serial)
{
    uint64_t newest = picks->told_hover;
    for (uint32_t i = 0; i < picks->slot_count; i++) {
        struct slot *slot = &picks->slots[i];
        if (slot->state == SLOT_IN_FLIGHT && slot->serial <= serial) {
            slot->state = SLOT_DONE;
        }
        if (slot->state == SLOT_DONE && slot->purpose == FG_GPU_PICK_HOVER && slot->id > newest) {
            newest = slot->id;
        }
    }
    for (uint32_t i = 0; i < picks->slot_count; i++) {
        struct slot *slot = &picks->slots[i];
        if (slot->state == SLOT_DONE && slot->purpose == FG_GPU_PICK_HOVER && slot->id < newest) {
            slot->state = SLOT_FREE;
            picks->counts.stale++;
        }
    }
}

enum fg_result fg_gpu_picks_poll(struct fg_gpu_picks *picks, struct fg_gpu_pick_answer *out_answer)
{
    uint32_t oldest = FG_NONE;
    bool has_more = false;
    for (uint32_t i = 0; i < FG_GPU_PICK_PURPOSES; i++) {
        has_more = has_more || picks->waiting[i].id != 0;
    }
    for (uint32_t i = 0; i < picks->slot_count; i++) {
        const struct slot *slot = &picks->slots[i];
        has_more = has_more || slot->state == SLOT_IN_FLIGHT;
        if (slot->state == SLOT_DONE && (oldest == FG_NONE || slot->id < picks->slots[oldest].id)) {
            oldest = i;
        }
    }
    if (oldest == FG_NONE) {
        return has_more ? FG_ERR_BUSY : FG_ERR_NOT_FOUND;
    }
    struct slot *slot = &picks->slots[oldest];
    const uint32_t *found =
        (const uint32_t *)((const char *)picks->results.host + oldest * picks->each_bytes);
    *out_answer =
        (struct fg_gpu_pick_answer){ .id = slot->id, .purpose = slot->purpose, .row = found[0] };
    picks->told_hover = slot->purpose == FG_GPU_PICK_HOVER ? slot->id : picks->told_hover;
    slot->state = SLOT_FREE;
    picks->counts.answered++;
    return FG_OK;
}

void fg_gpu_picks_get_counts(const struct fg_gpu_picks *picks,
                             struct fg_gpu_picks_counts *out_counts)
{
    struct fg_gpu_picks_counts counts = picks->counts;
    for (uint32_t i = 0; i < picks->slot_count; i++) {
        counts.in_flight += picks->slots[i].state == SLOT_IN_FLIGHT;
    }
    for (uint32_t i = 0; i < FG_GPU_PICK_PURPOSES; i++) {
        counts.waiting += picks->waiting[i].id != 0;
    }
    *out_counts = counts;
}
