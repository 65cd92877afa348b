/* SPDX-License-Identifier: MIT */
#include "software_frame.h"

#include <frameglass/instrument.h>
#include <stddef.h>
#include <string.h>

enum { MAX_MIPS = 16, MAX_BINDINGS = 12, HITCH_RAYS = 10 };

/* The pass that is to blame for the hitch. */
static const char hitch_pass[] = "reflections";

/** A number in [0, 1000) that belongs to a seed, a frame and a step. */
static uint32_t chance(const struct sd_frame *frame, uint32_t step)
{
    uint32_t x = frame->seed * 747796405u + frame->index * 2891336453u + step * 277803737u + 1u;
    x = ((x >> ((x >> 28) + 4)) ^ x) * 277803737u;
    return ((x >> 22) ^ x) % 1000;
}

static struct rd_texture_desc texture_desc(const struct sd_frame *frame,
                                           const struct sd_resource *resource)
{
    struct rd_texture_desc desc = {
        .width_px = resource->side_px,
        .height_px = resource->side_px,
        .layer_count = resource->layers,
        .mip_count = 1,
        .format = resource->format,
    };
    if (resource->divisor != 0) {
        desc.width_px = frame->width_px / resource->divisor;
        desc.height_px = frame->height_px / resource->divisor;
    }
    desc.width_px = desc.width_px > 0 ? desc.width_px : 1;
    desc.height_px = desc.height_px > 0 ? desc.height_px : 1;
    for (uint32_t side = desc.width_px > desc.height_px ? desc.width_px : desc.height_px;
         resource->mips && side > 1; side /= 2) {
        desc.mip_count++;
    }
    return desc;
}

static uint16_t import(struct sd_frame *frame, const struct sd_resource *resource)
{
    if (resource->format == 0) {
        const struct rd_buffer_desc desc = { resource->size_bytes };
        return rd_graph_import_buffer(frame->graph, resource->name, &desc, NULL);
    }
    const struct rd_texture_desc desc = texture_desc(frame, resource);
    return rd_graph_import_texture(frame->graph, resource->name, &desc, NULL);
}

static uint16_t create(struct sd_frame *frame, uint16_t pass, const struct sd_ref *ref)
{
    const struct sd_resource *resource = &sd_resources[ref->resource];
    if (resource->format == 0) {
        const struct rd_buffer_desc desc = { resource->size_bytes };
        return rd_graph_create_buffer(frame->graph, pass, resource->name, &desc, ref->use);
    }
    const struct rd_texture_desc desc = texture_desc(frame, resource);
    return rd_graph_create_texture(frame->graph, pass, resource->name, &desc, ref->use);
}

/** "outer/inner" as scopes. Names live in the table; the graph borrows them. */
static uint16_t scope_of(struct rd_graph *graph, const char *scope)
{
    if (scope[0] == '\0') {
        return RD_GRAPH_NONE;
    }
    if (strcmp(scope, "post/bloom") == 0) {
        return rd_graph_scope(graph, rd_graph_scope(graph, RD_GRAPH_NONE, "post"), "bloom");
    }
    return rd_graph_scope(graph, RD_GRAPH_NONE, scope);
}

static uint32_t count_refs(const struct sd_ref *refs, uint32_t capacity)
{
    uint32_t count = 0;
    while (count < capacity && refs[count].resource != SD_END) {
        count++;
    }
    return count;
}

static void declare_step(struct sd_frame *frame, uint32_t step_index)
{
    const struct sd_step *step = &sd_steps[step_index];
    const struct rd_pass_desc desc = {
        .name = step->name,
        .scope = scope_of(frame->graph, step->scope),
        .kind = step->kind,
        .flags = step->flags,
    };
    const uint16_t pass = rd_graph_add_pass(frame->graph, &desc);
    if (pass == RD_GRAPH_NONE) {
        return;
    }
    frame->steps[pass] = (uint16_t)step_index;
    for (uint32_t i = 0; i < count_refs(step->reads, SD_MAX_REFS); i++) {
        const struct sd_ref *ref = &step->reads[i];
        rd_graph_read(frame->graph, pass, frame->versions[ref->resource], ref->use);
    }
    for (uint32_t i = 0; i < count_refs(step->makes, SD_MAX_MAKES); i++) {
        const struct sd_ref *ref = &step->makes[i];
        uint16_t *version = &frame->versions[ref->resource];
        *version = *version == RD_GRAPH_NONE
                       ? create(frame, pass, ref)
                       : rd_graph_write(frame->graph, pass, *version, ref->use);
    }
}

/** Near shadows follow every frame; the third every second, the last every fourth. */
static bool is_due(const struct sd_frame *frame, uint8_t cascade)
{
    static const uint32_t periods[SD_CASCADE_COUNT + 1] = { 1, 1, 1, 2, 4 };
    return frame->index % periods[cascade] == 0;
}

bool sd_frame_declare(struct sd_frame *frame)
{
    FG_ZONE("Graph/Declare");
    rd_graph_reset(frame->graph);
    for (uint32_t i = 0; i < SD_RESOURCE_COUNT; i++) {
        frame->versions[i] =
            i < SD_IMPORTED_COUNT ? import(frame, &sd_resources[i]) : RD_GRAPH_NONE;
    }
    for (uint32_t i = 0; i < sd_step_count; i++) {
        if (is_due(frame, sd_steps[i].cascade)) {
            declare_step(frame, i);
        }
    }
    for (uint32_t i = 0; i < SD_IMPORTED_COUNT; i++) {
        if (sd_resources[i].kept) {
            rd_graph_keep(frame->graph, frame->versions[i]);
        }
    }
    return rd_graph_compile(frame->graph);
}

static uint64_t footprint(const struct sd_frame *frame, const struct rd_resource *resource)
{
    uint64_t bytes;
    (void)fg_resource_footprint(&frame->recorded_graph->resources[resource->last_version].desc,
                                &bytes);
    return bytes;
}

void sd_frame_memory(const struct sd_frame *frame, uint64_t *out_unshared_bytes,
                     uint64_t *out_shared_bytes)
{
    struct rd_placement places[RD_GRAPH_MAX_RESOURCES];
    uint32_t count = 0;
    *out_unshared_bytes = 0;
    for (uint16_t i = 0; i < frame->graph->resource_count; i++) {
        const struct rd_resource *resource = &frame->graph->resources[i];
        if (resource->imported || resource->first_position == RD_GRAPH_NONE) {
            continue;
        }
        places[count++] = (struct rd_placement){
            .size_bytes = footprint(frame, resource),
            .alignment_bytes = 65536,
            .first_position = resource->first_position,
            .last_position = resource->last_position,
        };
        *out_unshared_bytes += places[count - 1].size_bytes;
    }
    *out_shared_bytes = rd_graph_place(places, count);
}

void sd_frame_resident(const struct sd_frame *frame, uint64_t *out_image_bytes,
                       uint64_t *out_buffer_bytes)
{
    *out_image_bytes = 0;
    *out_buffer_bytes = 0;
    for (uint16_t i = 0; i < frame->graph->resource_count; i++) {
        const struct rd_resource *resource = &frame->graph->resources[i];
        if (resource->imported) {
            *(resource->kind == RD_RESOURCE_TEXTURE ? out_image_bytes : out_buffer_bytes) +=
                footprint(frame, resource);
        }
    }
}

static uint64_t identity(const struct sd_frame *frame, const struct rd_edge *edge)
{
    return rd_record_resource_id(frame->graph->versions[edge->version].resource);
}

/** What a pass does with an attachment when it begins. */
static enum fg_load_op load_of(const struct sd_frame *frame, const struct rd_edge *edge,
                               bool redrawn)
{
    if (edge->kind == RD_EDGE_READ) {
        return FG_LOAD_LOAD;
    }
    if (edge->kind == RD_EDGE_CREATE || redrawn) {
        return FG_LOAD_CLEAR;
    }
    /* All of an imported picture is drawn over: what it held does not matter. */
    return frame->graph->versions[edge->previous].producer == RD_GRAPH_NONE ? FG_LOAD_DISCARD
                                                                            : FG_LOAD_LOAD;
}

static uint32_t attach(const struct sd_frame *frame, uint16_t pass_index,
                       struct fg_attachment out[SD_MAX_MAKES + 1])
{
    const struct rd_pass *pass = &frame->graph->passes[pass_index];
    const struct sd_step *step = &sd_steps[frame->steps[pass_index]];
    uint32_t count = 0;
    for (uint16_t e = 0; e < pass->edge_count && count <= SD_MAX_MAKES; e++) {
        const struct rd_edge *edge = &frame->graph->edges[pass->first_edge + e];
        const uint32_t depth = edge->use & (RD_USE_DEPTH_READ | RD_USE_DEPTH_WRITE);
        const struct rd_resource *resource =
            &frame->graph->resources[frame->graph->versions[edge->version].resource];
        if (depth == 0 && (edge->use & RD_USE_COLOR) == 0) {
            continue;
        }
        out[count++] = (struct fg_attachment){
            .kind = depth != 0 ? FG_ATTACHMENT_DEPTH : FG_ATTACHMENT_COLOR,
            .format = resource->texture.format,
            .load = load_of(frame, edge, step->cascade != 0),
            .store = edge->kind == RD_EDGE_READ ? FG_STORE_NONE : FG_STORE_STORE,
            .samples = 1,
            .width = resource->texture.width_px,
            .height = resource->texture.height_px,
            .resource = identity(frame, edge),
        };
    }
    return count;
}

static enum fg_binding_kind binding_kind(uint32_t use, bool image)
{
    if ((use & RD_USE_UNIFORM) != 0) {
        return FG_BINDING_UNIFORM_BUFFER;
    }
    if ((use & RD_USE_SAMPLED) != 0) {
        return FG_BINDING_SAMPLED_TEXTURE;
    }
    return image ? FG_BINDING_STORAGE_TEXTURE : FG_BINDING_STORAGE_BUFFER;
}

/** What shaders see; attachments, vertex fetch and copies are not bindings. */
static void bind_all(const struct sd_frame *frame, struct fg_commands *commands,
                     uint16_t pass_index)
{
    static const uint32_t seen =
        RD_USE_UNIFORM | RD_USE_SAMPLED | RD_USE_STORAGE_READ | RD_USE_STORAGE_WRITE;
    const struct rd_pass *pass = &frame->graph->passes[pass_index];
    struct fg_binding bindings[MAX_BINDINGS];
    uint32_t count = 0;
    for (uint16_t e = 0; e < pass->edge_count && count < MAX_BINDINGS; e++) {
        const struct rd_edge *edge = &frame->graph->edges[pass->first_edge + e];
        const struct rd_resource *resource =
            &frame->graph->resources[frame->graph->versions[edge->version].resource];
        if ((edge->use & seen) != 0) {
            bindings[count] = (struct fg_binding){
                .kind = binding_kind(edge->use, resource->kind == RD_RESOURCE_TEXTURE),
                .slot = count,
                .resource = identity(frame, edge),
                .size_bytes = resource->buffer.size_bytes,
            };
            count++;
        }
    }
    /* One set replaces the other whole: what it does not fill is empty. */
    for (uint32_t i = count; i < MAX_BINDINGS; i++) {
        bindings[i] = (struct fg_binding){ .slot = i };
    }
    fg_gpu_bind(commands, bindings, MAX_BINDINGS);
}

/** Draws that the GPU wrote: the arguments are where it would have put them. */
static void draw_indirect(const struct sd_frame *frame, struct fg_commands *commands,
                          uint32_t step_index, uint64_t resource)
{
    struct sd_arguments *arguments = frame->slot->arguments[step_index];
    for (uint32_t i = 0; i < sd_steps[step_index].draws; i++) {
        arguments[i] = (struct sd_arguments){
            .index_count = 300 + 36 * (i * 37 % 53),
            .instance_count = 1 + (i * 7 + frame->index / 8) % 23,
            .first_index = 4096 * i,
        };
        const struct fg_indirect indirect = {
            .buffer = (uint64_t)(uintptr_t)arguments,
            .offset_bytes = i * sizeof(struct sd_arguments),
            .draw_count = 1,
            .stride_bytes = sizeof(struct sd_arguments),
            .resource = resource,
        };
        fg_gpu_draw_indexed_indirect(commands, &indirect);
    }
}

static void draw(const struct sd_frame *frame, struct fg_commands *commands, uint16_t pass_index)
{
    const struct rd_pass *pass = &frame->graph->passes[pass_index];
    const struct sd_step *step = &sd_steps[frame->steps[pass_index]];
    for (uint16_t e = 0; e < pass->edge_count; e++) {
        const struct rd_edge *edge = &frame->graph->edges[pass->first_edge + e];
        if ((edge->use & RD_USE_INDIRECT) != 0) {
            draw_indirect(frame, commands, frame->steps[pass_index], identity(frame, edge));
            return;
        }
    }
    if (step->instances != 0) {
        fg_gpu_draw(commands, 6, step->instances);
        return;
    }
    for (uint32_t i = 0; i < step->draws; i++) {
        fg_gpu_draw(commands, step->draws == 1 ? 3 : 6 + 6 * i, 1);
    }
}

static uint32_t groups(uint32_t threads, uint32_t workgroup)
{
    return (threads + workgroup - 1) / workgroup;
}

static bool is_slow(const struct sd_frame *frame, const struct sd_step *step)
{
    return frame->hitch && strcmp(step->name, hitch_pass) == 0;
}

static void dispatch(const struct sd_frame *frame, struct fg_commands *commands,
                     const struct sd_step *step, uint32_t level)
{
    const uint32_t divisor = (step->divisor != 0 ? step->divisor : 1) << level;
    if (step->threads != 0) {
        fg_gpu_dispatch(commands, groups(step->threads, step->workgroup[0]), 1, 1);
        return;
    }
    const uint32_t width = frame->width_px / divisor > 0 ? frame->width_px / divisor : 1;
    const uint32_t height = frame->height_px / divisor > 0 ? frame->height_px / divisor : 1;
    fg_gpu_dispatch(commands, groups(width, step->workgroup[0]), groups(height, step->workgroup[1]),
                    is_slow(frame, step) ? HITCH_RAYS : 1);
}

static int64_t cost_of(const struct sd_frame *frame, uint32_t step_index)
{
    const struct sd_step *step = &sd_steps[step_index];
    const uint64_t pixels = (uint64_t)frame->width_px * frame->height_px;
    uint64_t cost_ns = step->fixed_ns + step->ns_per_kilopixel * pixels / 1000;
    cost_ns = cost_ns * (980 + chance(frame, step_index) / 25) / 1000;
    return (int64_t)(is_slow(frame, step) ? cost_ns * HITCH_RAYS : cost_ns);
}

static uint64_t copied_bytes(const struct sd_step *step)
{
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < count_refs(step->makes, SD_MAX_MAKES); i++) {
        bytes += sd_resources[step->makes[i].resource].size_bytes;
    }
    return bytes;
}

/** One GPU pass of a step; those that make mip levels have one for each. */
static void record_part(struct sd_frame *frame, uint32_t batch, uint16_t pass, uint32_t level,
                        const char *label, int64_t cost_ns)
{
    static const enum fg_gpu_pass_kind kinds[] = {
        [RD_PASS_RASTER] = FG_GPU_PASS_RENDER,
        [RD_PASS_COMPUTE] = FG_GPU_PASS_COMPUTE,
        [RD_PASS_TRANSFER] = FG_GPU_PASS_TRANSFER,
    };
    const uint32_t step_index = frame->steps[pass];
    const struct sd_step *step = &sd_steps[step_index];
    struct fg_commands *commands = frame->commands[batch];
    struct fg_attachment attachments[SD_MAX_MAKES + 1];
    const bool raster = step->kind == RD_PASS_RASTER;
    const struct fg_gpu_pass_desc desc = {
        .label = label,
        .kind = kinds[step->kind],
        .attachment_count = raster ? attach(frame, pass, attachments) : 0,
        .attachments = attachments,
        .statistics = raster,
    };
    fg_gpu_pass_begin(commands, &desc);
    if (step->kind == RD_PASS_TRANSFER) {
        fg_gpu_copy(commands, copied_bytes(step));
    } else {
        fg_gpu_pipeline(commands, frame->pipelines[step_index]);
        bind_all(frame, commands, pass);
        if (raster) {
            draw(frame, commands, pass);
        } else {
            dispatch(frame, commands, step, level);
        }
    }
    fg_software_work(frame->slot->natives[batch], cost_ns,
                     (uint64_t)frame->width_px * frame->height_px);
    fg_gpu_pass_end(commands);
    frame->gpu_pass_count++;
    *(batch == SD_COMPUTE_BATCH ? &frame->compute_ns : &frame->graphics_ns) += cost_ns;
}

static void record_pass(struct sd_frame *frame, uint32_t batch, uint16_t pass)
{
    static const char *const levels[MAX_MIPS] = {
        "pyramid 0",  "pyramid 1",  "pyramid 2",  "pyramid 3", "pyramid 4",  "pyramid 5",
        "pyramid 6",  "pyramid 7",  "pyramid 8",  "pyramid 9", "pyramid 10", "pyramid 11",
        "pyramid 12", "pyramid 13", "pyramid 14", "pyramid 15"
    };
    const uint32_t step_index = frame->steps[pass];
    const struct sd_step *step = &sd_steps[step_index];
    const struct sd_resource *made = &sd_resources[step->makes[0].resource];
    const uint32_t level_count = made->mips ? texture_desc(frame, made).mip_count : 1;
    int64_t cost_ns = cost_of(frame, step_index);
    fg_commands_graph_pass_begin(frame->commands[batch], pass, step->name);
    for (uint32_t level = 0; level < level_count && level < MAX_MIPS; level++) {
        record_part(frame, batch, pass, level, made->mips ? levels[level] : step->name, cost_ns);
        /* A level has a quarter of the pixels of the one above it, and a start of its own. */
        cost_ns = cost_ns / 4 + 1500;
    }
    fg_commands_graph_pass_end(frame->commands[batch]);
    fg_software_advance(frame->device, 14000 + 9 * chance(frame, step_index + SD_MAX_STEPS));
}

static bool reads_other_queue(const struct rd_graph *graph, const struct rd_pass *pass)
{
    for (uint16_t e = 0; e < pass->edge_count; e++) {
        const struct rd_edge *edge = &graph->edges[pass->first_edge + e];
        const uint16_t producer = graph->versions[edge->version].producer;
        if (edge->kind == RD_EDGE_READ && producer != RD_GRAPH_NONE &&
            (graph->passes[producer].flags & RD_PASS_ASYNC) != 0) {
            return true;
        }
    }
    return false;
}

void sd_frame_record(struct sd_frame *frame)
{
    FG_ZONE("Frame/Record");
    const struct rd_graph *graph = frame->graph;
    uint32_t batch = 0;
    for (uint32_t i = 0; i < SD_BATCH_COUNT; i++) {
        struct fg_software_commands *native = frame->slot->natives[i];
        fg_software_commands_reset(native);
        frame->commands[i] = fg_commands_begin(
            frame->recorded,
            &(struct fg_commands_desc){ .native = native, .queue = i == SD_COMPUTE_BATCH });
    }
    for (uint16_t i = 0; i < graph->order_count; i++) {
        const struct rd_pass *pass = &graph->passes[graph->order[i]];
        if ((pass->flags & RD_PASS_ASYNC) != 0) {
            record_pass(frame, SD_COMPUTE_BATCH, graph->order[i]);
            batch = batch == 0 ? 1 : batch;
            continue;
        }
        if (batch == 1 && reads_other_queue(graph, pass)) {
            batch = 2;
        }
        record_pass(frame, batch, graph->order[i]);
    }
    for (uint32_t i = 0; i < SD_BATCH_COUNT; i++) {
        fg_commands_end(frame->commands[i]);
    }
}
