/* SPDX-License-Identifier: MIT */
/* Attachments and pipelines, told in Vulkan's structures. */
#include "gpu/vulkan/vulkan_priv.h"
#include "record/spirv.h"
#include <string.h>

enum { CONSTANTS_MAX = 64 };

static enum fg_load_op load_op(VkAttachmentLoadOp op)
{
    return op == VK_ATTACHMENT_LOAD_OP_NONE_EXT    ? FG_LOAD_NONE
           : op <= VK_ATTACHMENT_LOAD_OP_DONT_CARE ? (enum fg_load_op)(op + 1)
                                                   : FG_LOAD_UNKNOWN;
}

static enum fg_store_op store_op(VkAttachmentStoreOp op)
{
    return op == VK_ATTACHMENT_STORE_OP_NONE        ? FG_STORE_NONE
           : op <= VK_ATTACHMENT_STORE_OP_DONT_CARE ? (enum fg_store_op)(op + 1)
                                                    : FG_STORE_UNKNOWN;
}

static enum fg_attachment_kind attachment_kind(VkFormat format)
{
    switch (format) {
    case VK_FORMAT_D16_UNORM:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D32_SFLOAT:
        return FG_ATTACHMENT_DEPTH;
    case VK_FORMAT_S8_UINT:
        return FG_ATTACHMENT_STENCIL;
    case VK_FORMAT_D16_UNORM_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
        return FG_ATTACHMENT_DEPTH_STENCIL;
    default:
        return FG_ATTACHMENT_COLOR;
    }
}

struct fg_attachment fg_vulkan_attachment(const VkRenderingAttachmentInfo *info, VkFormat format,
                                          VkExtent2D extent)
{
    return (struct fg_attachment){
        .kind = attachment_kind(format),
        .format = (uint32_t)format,
        .load = load_op(info->loadOp),
        .store = store_op(info->storeOp),
        .width = extent.width,
        .height = extent.height,
    };
}

struct fg_attachment fg_vulkan_attachment_of_pass(const VkAttachmentDescription *info,
                                                  VkExtent2D extent)
{
    return (struct fg_attachment){
        .kind = attachment_kind(info->format),
        .format = (uint32_t)info->format,
        .load = load_op(info->loadOp),
        .store = store_op(info->storeOp),
        .samples = (uint32_t)info->samples,
        .width = extent.width,
        .height = extent.height,
    };
}

/** Entries of four bytes: others cannot be a workgroup size. False when there are too many. */
static bool copy_constants(const VkSpecializationInfo *info, struct fgi_spirv_constant *out,
                           size_t *out_count)
{
    *out_count = 0;
    for (uint32_t i = 0; info != NULL && i < info->mapEntryCount; i++) {
        const VkSpecializationMapEntry *entry = &info->pMapEntries[i];
        if (entry->size != sizeof out->value) {
            continue;
        }
        if (*out_count == CONSTANTS_MAX) {
            return false;
        }
        out[*out_count].id = entry->constantID;
        memcpy(&out[*out_count].value, (const char *)info->pData + entry->offset,
               sizeof out->value);
        ++*out_count;
    }
    return true;
}

static void find_words(const VkPipelineShaderStageCreateInfo *stage, const uint32_t **words,
                       size_t *word_count)
{
    for (const VkBaseInStructure *next = stage->pNext; next != NULL && *words == NULL;
         next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO) {
            const VkShaderModuleCreateInfo *module = (const VkShaderModuleCreateInfo *)next;
            *words = module->pCode;
            *word_count = module->codeSize / sizeof **words;
        }
    }
}

uint32_t fg_vulkan_pipeline_register(struct fg_device *device, const char *label,
                                     const VkPipelineShaderStageCreateInfo *stage,
                                     const uint32_t *words, size_t word_count, struct fg_diag *diag)
{
    struct fg_pipeline_desc desc = { .label = label };
    struct fgi_spirv_constant constants[CONSTANTS_MAX];
    struct fgi_spirv_specialization specialization = { constants, 0 };
    struct fgi_spirv_workgroup workgroup = { 0 };
    if (device == NULL) {
        return 0;
    }
    if (stage != NULL) {
        find_words(stage, &words, &word_count);
    }
    if (stage != NULL && words != NULL) {
        bool told = copy_constants(stage->pSpecializationInfo, constants, &specialization.count);
        enum fg_result result = fgi_spirv_workgroup(
            words, word_count, stage->pName, told ? &specialization : NULL, &workgroup, diag);
        if (result == FG_OK && workgroup.known) {
            memcpy(desc.workgroup, workgroup.size, sizeof desc.workgroup);
        }
    }
    return fg_pipeline_register(device, &desc);
}
