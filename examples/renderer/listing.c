/* SPDX-License-Identifier: MIT */
#include "listing.h"

#include <frameglass/command_list.h>
#include <frameglass/renderdoc.h>

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct rd_listing {
    const struct rd_options *options;
    const struct rd_pipelines *pipelines;
    struct rd_log *log;
    struct fg_command_list *list;
    struct fg_renderdoc renderdoc;
    bool is_captured;
};

/** Every entry point of a command buffer that this program calls. */
#define CALLS(X)                                                                                   \
    X(vkBeginCommandBuffer)                                                                        \
    X(vkCmdBeginRendering)                                                                         \
    X(vkCmdBindDescriptorSets)                                                                     \
    X(vkCmdBindIndexBuffer)                                                                        \
    X(vkCmdBindPipeline)                                                                           \
    X(vkCmdBindVertexBuffers)                                                                      \
    X(vkCmdCopyBuffer)                                                                             \
    X(vkCmdCopyBufferToImage)                                                                      \
    X(vkCmdCopyImage)                                                                              \
    X(vkCmdCopyImageToBuffer)                                                                      \
    X(vkCmdDispatch)                                                                               \
    X(vkCmdDraw)                                                                                   \
    X(vkCmdDrawIndexedIndirect)                                                                    \
    X(vkCmdEndRendering)                                                                           \
    X(vkCmdFillBuffer)                                                                             \
    X(vkCmdPipelineBarrier2)                                                                       \
    X(vkCmdPushConstants)                                                                          \
    X(vkCmdResetQueryPool)                                                                         \
    X(vkCmdSetScissor)                                                                             \
    X(vkCmdSetViewport)                                                                            \
    X(vkCmdWriteTimestamp)                                                                         \
    X(vkEndCommandBuffer)                                                                          \
    X(vkQueueSubmit)                                                                               \
    X(vkQueueSubmit2)

static const char *name_pipeline(void *context, const char *kind, uint64_t object)
{
    const struct rd_pipelines *pipelines = ((const struct rd_listing *)context)->pipelines;
    for (int i = 0; strcmp(kind, "VkPipeline") == 0 && i < RD_PIPELINE_COUNT; i++) {
        if ((uint64_t)(uintptr_t)pipelines->all[i].pipeline == object) {
            return pipelines->all[i].label;
        }
    }
    return NULL;
}

bool rd_listing_open(const struct rd_options *options, const struct rd_pipelines *pipelines,
                     struct rd_log *log, struct rd_listing **out_listing)
{
    static const struct fg_draw_slot slots[] = {
#define SLOT(name) { #name, (void **)&name },
        CALLS(SLOT)
#undef SLOT
    };
    *out_listing = NULL;
    if (options->command_list_path == NULL && options->renderdoc_frame == 0) {
        return true;
    }
    struct rd_listing *listing = calloc(1, sizeof(*listing));
    if (listing == NULL) {
        return rd_fail(log, "out of memory");
    }
    *listing = (struct rd_listing){ .options = options, .pipelines = pipelines, .log = log };
    const struct fg_command_list_options list = {
        .slots = slots,
        .slot_count = sizeof(slots) / sizeof(slots[0]),
        .name_of = name_pipeline,
        .name_context = listing,
    };
    *out_listing = listing;
    return options->command_list_path == NULL ||
           fg_command_list_create(&list, &listing->list) == FG_OK ||
           rd_fail(log, "out of memory for a list of commands");
}

void rd_listing_close(struct rd_listing *listing)
{
    if (listing != NULL) {
        fg_command_list_destroy(listing->list);
        free(listing);
    }
}

static bool begin_renderdoc(struct rd_listing *listing)
{
    struct fg_diag diag = { .offset = 0 };
    /* Only what is here already: RenderDoc has to come before Vulkan does. */
    void *library = dlopen(FG_RENDERDOC_LINUX, RTLD_NOW | RTLD_NOLOAD);
    void *get = library != NULL ? dlsym(library, FG_RENDERDOC_SYMBOL) : NULL;
    const enum fg_result result = fg_renderdoc_connect(get, &listing->renderdoc, &diag);
    if (library != NULL) {
        (void)dlclose(library); /* the one that is here stays */
    }
    if (result != FG_OK) {
        return rd_fail(listing->log, "no capture: %s", diag.message);
    }
    listing->is_captured = true;
    return fg_renderdoc_begin(&listing->renderdoc, NULL, NULL) == FG_OK;
}

static bool end_renderdoc(struct rd_listing *listing)
{
    char path[1024] = "";
    const struct fg_renderdoc *renderdoc = &listing->renderdoc;
    listing->is_captured = false;
    if (fg_renderdoc_end(renderdoc, NULL, NULL) != FG_OK) {
        return rd_fail(listing->log, "RenderDoc %d.%d.%d captured nothing", renderdoc->major,
                       renderdoc->minor, renderdoc->patch);
    }
    (void)fg_renderdoc_path(renderdoc, fg_renderdoc_count(renderdoc) - 1, path, sizeof(path));
    (void)fprintf(stderr, "renderer: RenderDoc %d.%d.%d captured a frame: %s\n", renderdoc->major,
                  renderdoc->minor, renderdoc->patch, path);
    return true;
}

bool rd_listing_frame_begin(struct rd_listing *listing, uint32_t frame)
{
    if (listing == NULL) {
        return true;
    }
    const struct rd_options *options = listing->options;
    const uint32_t listed =
        options->command_list_frame > 0 ? options->command_list_frame : options->frame_count;
    if (frame + 1 == options->renderdoc_frame && !begin_renderdoc(listing)) {
        return false;
    }
    return listing->list == NULL || frame + 1 != listed ||
           fg_command_list_begin(listing->list) == FG_OK ||
           rd_fail(listing->log, "the frame's commands cannot be listed");
}

bool rd_listing_frame_end(struct rd_listing *listing)
{
    if (listing == NULL) {
        return true;
    }
    if (fg_command_list_is_on(listing->list)) {
        (void)fg_command_list_end(listing->list);
        const enum fg_result result =
            fg_command_list_write_file(listing->list, listing->options->command_list_path);
        if (result != FG_OK) {
            return rd_fail(listing->log, "%s: %s", listing->options->command_list_path,
                           fg_result_text(result));
        }
    }
    return !listing->is_captured || end_renderdoc(listing);
}

void rd_listing_pause(struct rd_listing *listing)
{
    fg_command_list_pause(listing != NULL ? listing->list : NULL);
}

void rd_listing_resume(struct rd_listing *listing)
{
    fg_command_list_resume(listing != NULL ? listing->list : NULL);
}

void rd_listing_pass_begin(struct rd_listing *listing, VkCommandBuffer commands, const char *name)
{
    if (listing != NULL) {
        fg_command_list_scope_begin(listing->list, commands, name);
    }
}

void rd_listing_pass_end(struct rd_listing *listing, VkCommandBuffer commands)
{
    if (listing != NULL) {
        fg_command_list_scope_end(listing->list, commands);
    }
}
