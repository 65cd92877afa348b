/* SPDX-License-Identifier: MIT */
/* The frame's geometry once more, into maps; and one of them over the picture. */
#include "passes.h"

#include "../formats.h"
#include "../listing.h"

#include <time.h>

static const float OPACITY = 0.8f;

static int64_t now_ns(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static bool draw_meshes(struct rd_frame *frame, uint32_t map, enum rd_heat_item item,
                        enum rd_pipeline_id pipeline, uint16_t draws)
{
    fg_overdraw_vulkan_item(frame->heat->maps, frame->commands->buffer, map, item);
    return rd_draw_meshes(frame, pipeline, draws, 0);
}

static bool draw_sky_and_fireflies(struct rd_frame *frame, uint32_t map)
{
    struct rd_commands *commands = frame->commands;
    const struct rd_binding bindings[] = {
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.constants)),
        rd_bind_buffer(rd_frame_buffer(frame, frame->v.particles)),
    };
    fg_overdraw_vulkan_item(frame->heat->maps, commands->buffer, map, RD_HEAT_SKY);
    if (!rd_bind(commands, RD_PIPELINE_HEAT_SKY, NULL, 0, NULL)) {
        return false;
    }
    rd_draw(commands, 3, 1);
    fg_overdraw_vulkan_item(frame->heat->maps, commands->buffer, map, RD_HEAT_FIREFLIES);
    if (!rd_bind(commands, RD_PIPELINE_HEAT_FIREFLIES, bindings, 2, NULL)) {
        return false;
    }
    rd_draw(commands, 6, RD_PARTICLE_COUNT);
    return true;
}

/** Tone mapping; of costs, also what covers every pixel without drawing. */
static bool draw_full(struct rd_frame *frame, uint32_t map, enum fg_overdraw_kind kind)
{
    struct rd_commands *commands = frame->commands;
    const uint32_t end =
        kind == FG_OVERDRAW_COSTS ? rd_heat_item_count() : (uint32_t)RD_HEAT_FIRST_FULL;
    if (!rd_bind(commands, RD_PIPELINE_HEAT_FULL, NULL, 0, NULL)) {
        return false;
    }
    for (uint32_t item = RD_HEAT_TONEMAP; item < end; item++) {
        fg_overdraw_vulkan_item(frame->heat->maps, commands->buffer, map, item);
        rd_draw(commands, 3, 1);
    }
    return true;
}

static bool draw_map(struct rd_frame *frame, enum fg_overdraw_kind kind)
{
    struct rd_commands *commands = frame->commands;
    const uint32_t map = rd_heat_map(frame->slot_index, kind);
    const struct fg_overdraw_vulkan_pass pass = {
        .kind = kind,
        .costs = frame->heat->costs,
        .width_px = frame->width_px,
        .height_px = frame->height_px,
        .depth_view = rd_frame_image(frame, frame->v.heat_depth)->view,
        .reads_back = true,
        .frame = frame->index + 1,
    };
    const uint32_t draw_count = commands->draw_count;
    rd_begin_work(commands, kind == FG_OVERDRAW_COSTS ? "cost map" : "overdraw map",
                  RD_PASS_RASTER);
    const enum fg_result result =
        fg_overdraw_vulkan_begin(frame->heat->maps, commands->buffer, map, &pass);
    bool ok = result == FG_OK;
    if (!ok) {
        (void)rd_fail(frame->device->log, "heat map: %s", fg_result_text(result));
    }
    ok =
        ok &&
        draw_meshes(frame, map, RD_HEAT_DEPTH_EARLY, RD_PIPELINE_HEAT_DEPTH,
                    frame->v.draws_early) &&
        draw_meshes(frame, map, RD_HEAT_DEPTH_LATE, RD_PIPELINE_HEAT_DEPTH, frame->v.draws_late) &&
        draw_meshes(frame, map, RD_HEAT_SURFACES, RD_PIPELINE_HEAT_SURFACES,
                    frame->v.draws_early) &&
        draw_meshes(frame, map, RD_HEAT_SURFACES, RD_PIPELINE_HEAT_SURFACES, frame->v.draws_late) &&
        draw_sky_and_fireflies(frame, map) && draw_full(frame, map, kind);
    fg_overdraw_vulkan_end(frame->heat->maps, commands->buffer, map);
    rd_end_work(commands);
    /* They are the profiler's, not the frame's. */
    commands->draw_count = draw_count;
    return ok;
}

/** The second map clears the depth that the first one has used. */
static void depth_barrier(struct rd_commands *commands)
{
    const VkPipelineStageFlags2 tests =
        VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;
    const VkMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
        .srcStageMask = tests,
        .srcAccessMask = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
        .dstStageMask = tests,
        .dstAccessMask = VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT |
                         VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT,
    };
    const VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &barrier,
    };
    vkCmdPipelineBarrier2(commands->buffer, &info);
}

static void draw_overlay(struct rd_frame *frame)
{
    struct rd_heat *heat = frame->heat;
    struct rd_commands *commands = frame->commands;
    const struct rd_image *picture = rd_frame_image(frame, frame->v.picture);
    const struct rd_target target = { .image = picture };
    const enum fg_overdraw_kind kind =
        frame->options->heat == RD_HEAT_COSTS ? FG_OVERDRAW_COSTS : FG_OVERDRAW_COUNTS;
    const struct fg_overdraw_vulkan_overlay overlay = { .scale = &heat->scale,
                                                        .opacity = OPACITY,
                                                        .width_px = picture->width_px,
                                                        .height_px = picture->height_px };
    const struct fg_hud_target corner = { .width_px = picture->width_px,
                                          .height_px = picture->height_px,
                                          .corner = FG_HUD_BOTTOM_RIGHT };
    struct fg_overdraw_cost_totals totals;
    fg_overdraw_costs_totals(heat->costs, &totals);
    fg_overdraw_legend_build(&heat->scale, heat->has_statistics ? &heat->statistics : NULL,
                             kind == FG_OVERDRAW_COSTS ? &totals : NULL, &corner, &heat->legend);
    rd_begin_draws(commands, "heat", &target, 1, NULL);
    fg_overdraw_vulkan_overlay(heat->maps, commands->buffer, rd_heat_map(frame->slot_index, kind),
                               &overlay);
    rd_record_draw(commands->recorded, 3, 1);
    fg_hud_vulkan_draw(frame->display->renderer, commands->buffer,
                       RD_DISPLAY_SLOTS + frame->slot_index, &heat->legend.list);
    rd_record_draw(commands->recorded, 4, heat->legend.list.quad_count);
    rd_end_draws(commands);
}

static bool draw_heat(void *user, uint32_t shows)
{
    struct rd_frame *frame = user;
    const int64_t begin_ns = now_ns();
    rd_listing_pause(frame->listing);
    rd_display_heat_begin(frame->display, frame->commands->buffer, frame->slot_index);
    bool ok = !frame->maps_counts || draw_map(frame, FG_OVERDRAW_COUNTS);
    if (frame->maps_counts && frame->maps_costs) {
        depth_barrier(frame->commands);
    }
    ok = ok && (!frame->maps_costs || draw_map(frame, FG_OVERDRAW_COSTS));
    if (ok && shows != 0) {
        draw_overlay(frame);
    }
    rd_listing_resume(frame->listing);
    frame->heat_ns = now_ns() - begin_ns;
    return ok;
}

void rd_add_heat(struct rd_frame *frame)
{
    struct rd_graph *graph = frame->graph;
    const bool shows = frame->options->heat == RD_HEAT_COSTS ? frame->maps_costs
                                                             : frame->options->heat != RD_HEAT_OFF;
    if (!frame->maps_counts && !frame->maps_costs) {
        return;
    }
    const uint16_t pass =
        rd_frame_pass(frame, "", "heat", RD_PASS_RASTER, RD_PASS_SIDE_EFFECT, draw_heat, shows);
    rd_graph_read(graph, pass, frame->v.constants, RD_USE_UNIFORM);
    rd_graph_read(graph, pass, frame->v.instances, RD_USE_STORAGE_READ);
    rd_graph_read(graph, pass, frame->v.particles, RD_USE_STORAGE_READ);
    rd_graph_read(graph, pass, frame->v.geometry, RD_USE_GEOMETRY);
    rd_graph_read(graph, pass, frame->v.draws_early, RD_USE_INDIRECT | RD_USE_STORAGE_READ);
    rd_graph_read(graph, pass, frame->v.draws_late, RD_USE_INDIRECT | RD_USE_STORAGE_READ);
    frame->v.heat_depth =
        rd_frame_texture(frame, pass, "heat depth", RD_FORMAT_DEPTH, 1, RD_USE_DEPTH_WRITE);
    if (shows) {
        frame->v.picture = rd_graph_write(graph, pass, frame->v.picture, RD_USE_COLOR);
    }
}
