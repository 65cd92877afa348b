/* SPDX-License-Identifier: MIT */
#include "game_world.h"

#include <frameglass/instrument.h>
#include <stdio.h>

enum {
    MOVE_PARTS = 8,
    ANIMATE_PARTS = 4,
    LOAD_EVERY = 90, /* updates */
    R8G8B8A8_UNORM = 37,
    BC7_UNORM = 145, /* as in VkFormat */
};

void gm_world_init(struct gm_world *world, uint32_t seed)
{
    uint64_t random = seed ^ 0x776f726cu;
    *world = (struct gm_world){ 0 };
    for (int i = 0; i < GM_THINGS; i++) {
        world->x[i] = (float)gm_random(&random, 1000) / 1000.0f;
        world->y[i] = (float)gm_random(&random, 1000) / 1000.0f;
        world->to_x[i] = (float)gm_random(&random, 1000) / 100000.0f - 0.005f;
        world->to_y[i] = (float)gm_random(&random, 1000) / 100000.0f - 0.005f;
    }
}

static void move(void *context, uint32_t part)
{
    struct gm_world *world = context;
    for (uint32_t i = part * (GM_THINGS / MOVE_PARTS); i < (part + 1) * (GM_THINGS / MOVE_PARTS);
         i++) {
        float x = world->x[i] + world->to_x[i], y = world->y[i] + world->to_y[i];
        if (x < 0.0f || x > 1.0f) {
            world->to_x[i] = -world->to_x[i];
            x = world->x[i];
        }
        if (y < 0.0f || y > 1.0f) {
            world->to_y[i] = -world->to_y[i];
            y = world->y[i];
        }
        world->x[i] = x;
        world->y[i] = y;
    }
}

static void animate(void *context, uint32_t part)
{
    struct gm_world *world = context;
    for (uint32_t i = part; i < GM_THINGS; i += ANIMATE_PARTS) {
        world->frame_of[i] = (world->frame_of[i] + 1 + i % 3) % 24;
    }
}

/* Names of resources are copied: these are made as they are needed. */
static void load_area(void *context, uint32_t part)
{
    struct gm_area *area = context;
    char name[64];
    (void)part;
    for (uint32_t i = 0; i < GM_AREA_TEXTURES; i++) {
        FG_ZONE("Content/LoadTexture");
        (void)snprintf(name, sizeof(name), "area %u, texture %u", area->number, i + 1);
        gm_resource_create(&area->textures[i], &(struct fg_object_desc){
                                                   .type = FG_OBJECT_TEXTURE_2D,
                                                   .accuracy = FG_ACCURACY_ESTIMATED,
                                                   .name = name,
                                                   .format = i == 0 ? R8G8B8A8_UNORM : BC7_UNORM,
                                                   .width = 256u << i % 3,
                                                   .height = 256,
                                                   .mip_count = 8,
                                                   .layer_count = 1,
                                               });
    }
    (void)snprintf(name, sizeof(name), "area %u, vertices", area->number);
    gm_resource_create(&area->vertices,
                       &(struct fg_object_desc){ .type = FG_OBJECT_VERTEX_BUFFER,
                                                 .name = name,
                                                 .size_bytes = 32u * 1000 * area->number });
    (void)snprintf(name, sizeof(name), "area %u, indices", area->number);
    gm_resource_create(&area->indices,
                       &(struct fg_object_desc){ .type = FG_OBJECT_INDEX_BUFFER,
                                                 .name = name,
                                                 .size_bytes = 2u * 6000 * area->number });
}

static void leave_area(struct gm_area *area)
{
    if (area->number == 0) {
        return;
    }
    for (uint32_t i = 0; i < GM_AREA_TEXTURES; i++) {
        gm_resource_destroy(&area->textures[i]);
    }
    gm_resource_destroy(&area->vertices);
    gm_resource_destroy(&area->indices);
    area->number = 0;
}

void gm_world_finish(struct gm_world *world)
{
    for (int i = 0; i < GM_AREAS; i++) {
        leave_area(&world->areas[i]);
    }
}

void gm_world_key(struct gm_world *world, uint32_t key)
{
    world->key_count++;
    world->to_x[key % GM_THINGS] += 0.001f;
}

void gm_world_update(struct gm_world *world, struct gm_jobs *jobs)
{
    FG_ZONE("Game/Update");
    struct gm_area *area = NULL;
    if (world->update_count++ % LOAD_EVERY == 0) {
        area = &world->areas[world->loaded_count % GM_AREAS];
        leave_area(area);
        area->number = ++world->loaded_count;
        gm_jobs_start(jobs, &(struct gm_job){ "Content/LoadArea", load_area, area }, 1);
    }
    gm_jobs_start(jobs, &(struct gm_job){ "World/Move", move, world }, MOVE_PARTS);
    gm_jobs_start(jobs, &(struct gm_job){ "World/Animate", animate, world }, ANIMATE_PARTS);
    gm_jobs_wait(jobs);
    if (area != NULL) {
        FG_EVENT("area loaded", area->number);
    }
    FG_FRAME_COUNTER_ADD("Runtime/UpdateCount", FG_UNIT_COUNT, 1);
}
