/* SPDX-License-Identifier: MIT */
#include "fake_vulkan.h"

#include <stdlib.h>
#include <string.h>

struct fake_vulkan fake;

/** An allocation; mapped ones have bytes. */
struct fake_memory {
    uint64_t size_bytes;
    void *host;
};

void fake_forget(void)
{
    free(fake.commands);
    fake.commands = NULL;
    fake.command_count = 0;
    fake.command_room = 0;
}

void fake_reset(void)
{
    fake_forget();
    fake = (struct fake_vulkan){
        .properties = { .apiVersion = VK_API_VERSION_1_2,
                        .deviceName = "fake",
                        .limits = { .maxStorageBufferRange = 1u << 30,
                                    .maxPushConstantsSize = 128,
                                    .maxComputeSharedMemorySize = 32768,
                                    .maxComputeWorkGroupCount = { 65535, 65535, 65535 },
                                    .maxComputeWorkGroupInvocations = 1024,
                                    .maxComputeWorkGroupSize = { 1024, 1024, 64 },
                                    .minStorageBufferOffsetAlignment = 64,
                                    .minUniformBufferOffsetAlignment = 64,
                                    .timestampPeriod = 2.0f } },
        .subgroup = { .subgroupSize = 32,
                      .supportedStages = VK_SHADER_STAGE_ALL,
                      .supportedOperations = 0xff },
        .max_allocation_bytes = UINT64_C(1) << 32,
        .heap_bytes = { UINT64_C(1) << 34, UINT64_C(1) << 34 },
        .timestamp_bits = 64,
        .countdown = -1,
        .next_handle = 1,
    };
}

/** Whether this call fails; if so, with fake.failure. */
static bool fails(void)
{
    const bool now = fake.countdown == 0;
    if (fake.countdown >= 0) {
        fake.countdown--;
    }
    fake.failed = fake.failed || now;
    return now;
}

static struct fake_command *command(enum fake_command_kind kind)
{
    if (fake.command_count == fake.command_room) {
        fake.command_room = fake.command_room * 2 + 64;
        fake.commands = realloc(fake.commands, fake.command_room * sizeof *fake.commands);
        if (fake.commands == NULL) {
            abort();
        }
    }
    struct fake_command *made = &fake.commands[fake.command_count++];
    *made = (struct fake_command){ .kind = kind };
    return made;
}

void fake_mark(uint32_t mark)
{
    command(FAKE_MARK)->mark = mark;
}

static VkResult make(void *out_handle)
{
    const uint64_t handle = fake.next_handle;
    if (fails()) {
        return fake.failure;
    }
    fake.next_handle++;
    fake.alive++;
    memcpy(out_handle, &handle, sizeof handle);
    return VK_SUCCESS;
}

/** Memory is asked for right after its buffer. */
static uint64_t last_buffer_bytes;

static VkResult VKAPI_PTR CreateBuffer(VkDevice device, const VkBufferCreateInfo *info,
                                       const VkAllocationCallbacks *callbacks, VkBuffer *out)
{
    (void)device, (void)callbacks;
    last_buffer_bytes = info->size;
    return make(out);
}

static VkResult VKAPI_PTR CreateShaderModule(VkDevice device, const VkShaderModuleCreateInfo *info,
                                             const VkAllocationCallbacks *callbacks,
                                             VkShaderModule *out)
{
    (void)device, (void)info, (void)callbacks;
    return make(out);
}

static VkResult VKAPI_PTR CreatePipelineLayout(VkDevice device,
                                               const VkPipelineLayoutCreateInfo *info,
                                               const VkAllocationCallbacks *callbacks,
                                               VkPipelineLayout *out)
{
    (void)device, (void)info, (void)callbacks;
    return make(out);
}

static VkResult VKAPI_PTR CreateComputePipelines(VkDevice device, VkPipelineCache cache,
                                                 uint32_t count,
                                                 const VkComputePipelineCreateInfo *info,
                                                 const VkAllocationCallbacks *callbacks,
                                                 VkPipeline *out)
{
    (void)device, (void)cache, (void)count, (void)info, (void)callbacks;
    return make(out);
}

#define DESTROY(name, type)                                                                        \
    static void VKAPI_PTR name(VkDevice device, type object,                                       \
                               const VkAllocationCallbacks *callbacks)                             \
    {                                                                                              \
        (void)device, (void)callbacks;                                                             \
        fake.alive -= object != VK_NULL_HANDLE;                                                    \
    }
DESTROY(DestroyBuffer, VkBuffer)
DESTROY(DestroyShaderModule, VkShaderModule)
DESTROY(DestroyPipelineLayout, VkPipelineLayout)
DESTROY(DestroyPipeline, VkPipeline)

static VkResult VKAPI_PTR AllocateMemory(VkDevice device, const VkMemoryAllocateInfo *info,
                                         const VkAllocationCallbacks *callbacks,
                                         VkDeviceMemory *out)
{
    (void)device, (void)callbacks;
    if (fails()) {
        return fake.failure;
    }
    if (fake.largest_bytes != 0 && info->allocationSize > fake.largest_bytes) {
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    }
    struct fake_memory *memory = calloc(1, sizeof *memory);
    memory->size_bytes = info->allocationSize;
    fake.allocated_bytes += memory->size_bytes;
    fake.alive++;
    memcpy(out, &memory, sizeof memory);
    return VK_SUCCESS;
}

static void VKAPI_PTR FreeMemory(VkDevice device, VkDeviceMemory handle,
                                 const VkAllocationCallbacks *callbacks)
{
    (void)device, (void)callbacks;
    struct fake_memory *memory = NULL;
    memcpy(&memory, &handle, sizeof memory);
    if (memory != NULL) {
        fake.allocated_bytes -= memory->size_bytes;
        fake.alive--;
        free(memory->host);
        free(memory);
    }
}

static VkResult VKAPI_PTR MapMemory(VkDevice device, VkDeviceMemory handle, VkDeviceSize offset,
                                    VkDeviceSize size, VkMemoryMapFlags flags, void **out)
{
    (void)device, (void)offset, (void)size, (void)flags;
    struct fake_memory *memory = NULL;
    memcpy(&memory, &handle, sizeof memory);
    if (fails()) {
        return fake.failure;
    }
    memory->host = calloc(1, memory->size_bytes);
    *out = memory->host;
    return VK_SUCCESS;
}

static VkResult VKAPI_PTR BindBufferMemory(VkDevice device, VkBuffer buffer, VkDeviceMemory memory,
                                           VkDeviceSize offset)
{
    (void)device, (void)buffer, (void)memory, (void)offset;
    return fails() ? fake.failure : VK_SUCCESS;
}

static VkDeviceAddress VKAPI_PTR GetBufferDeviceAddress(VkDevice device,
                                                        const VkBufferDeviceAddressInfo *info)
{
    (void)device;
    return (uint64_t)info->buffer << 32;
}

static void VKAPI_PTR GetBufferMemoryRequirements(VkDevice device, VkBuffer buffer,
                                                  VkMemoryRequirements *out)
{
    (void)device, (void)buffer;
    *out = (VkMemoryRequirements){ last_buffer_bytes, 256, 7 };
}

static void VKAPI_PTR GetPhysicalDeviceProperties2(VkPhysicalDevice physical,
                                                   VkPhysicalDeviceProperties2 *out)
{
    (void)physical;
    out->properties = fake.properties;
    for (VkBaseOutStructure *next = out->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES) {
            VkPhysicalDeviceSubgroupProperties *subgroup = (void *)next;
            subgroup->subgroupSize = fake.subgroup.subgroupSize;
            subgroup->supportedStages = fake.subgroup.supportedStages;
            subgroup->supportedOperations = fake.subgroup.supportedOperations;
        } else if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES) {
            ((VkPhysicalDeviceMaintenance3Properties *)next)->maxMemoryAllocationSize =
                fake.max_allocation_bytes;
        }
    }
}

static void VKAPI_PTR GetPhysicalDeviceMemoryProperties2(VkPhysicalDevice physical,
                                                         VkPhysicalDeviceMemoryProperties2 *out)
{
    (void)physical;
    const VkMemoryPropertyFlags visible =
        VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    out->memoryProperties = (VkPhysicalDeviceMemoryProperties){
        .memoryTypeCount = 3,
        .memoryTypes = { { VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0 },
                         { visible | VK_MEMORY_PROPERTY_HOST_CACHED_BIT, 1 },
                         { visible | VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT, 0 } },
        .memoryHeapCount = 2,
        .memoryHeaps = { { fake.heap_bytes[0], VK_MEMORY_HEAP_DEVICE_LOCAL_BIT },
                         { fake.heap_bytes[1], 0 } },
    };
    for (VkBaseOutStructure *next = out->pNext; next != NULL; next = next->pNext) {
        if (next->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT) {
            VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = (void *)next;
            budget->heapBudget[0] = fake.budget_bytes;
            budget->heapUsage[0] = fake.allocated_bytes;
        }
    }
}

static void VKAPI_PTR GetPhysicalDeviceQueueFamilyProperties(VkPhysicalDevice physical,
                                                             uint32_t *count,
                                                             VkQueueFamilyProperties *out)
{
    (void)physical;
    *count = 1;
    *out = (VkQueueFamilyProperties){ .queueFlags = VK_QUEUE_COMPUTE_BIT,
                                      .queueCount = 1,
                                      .timestampValidBits = fake.timestamp_bits };
}

static VkResult VKAPI_PTR EnumerateDeviceExtensionProperties(VkPhysicalDevice physical,
                                                             const char *layer, uint32_t *count,
                                                             VkExtensionProperties *out)
{
    (void)physical, (void)layer;
    *count = fake.has_budget;
    if (out != NULL && fake.has_budget) {
        *out = (VkExtensionProperties){ VK_EXT_MEMORY_BUDGET_EXTENSION_NAME, 1 };
    }
    return VK_SUCCESS;
}

static void VKAPI_PTR CmdBindPipeline(VkCommandBuffer commands, VkPipelineBindPoint point,
                                      VkPipeline pipeline)
{
    (void)commands, (void)point, (void)pipeline;
}

static void VKAPI_PTR CmdPushConstants(VkCommandBuffer commands, VkPipelineLayout layout,
                                       VkShaderStageFlags stages, uint32_t offset, uint32_t size,
                                       const void *values)
{
    (void)commands, (void)layout, (void)stages, (void)offset, (void)size, (void)values;
}

static void VKAPI_PTR CmdDispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    (void)commands;
    struct fake_command *made = command(FAKE_DISPATCH);
    made->groups[0] = x;
    made->groups[1] = y;
    made->groups[2] = z;
}

static void VKAPI_PTR CmdDispatchIndirect(VkCommandBuffer commands, VkBuffer buffer,
                                          VkDeviceSize offset)
{
    (void)commands, (void)buffer, (void)offset;
    (void)command(FAKE_DISPATCH_INDIRECT);
}

static void VKAPI_PTR CmdFillBuffer(VkCommandBuffer commands, VkBuffer buffer, VkDeviceSize offset,
                                    VkDeviceSize size, uint32_t word)
{
    (void)commands, (void)buffer, (void)offset, (void)size, (void)word;
    (void)command(FAKE_FILL);
}

static void VKAPI_PTR CmdCopyBuffer(VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                                    uint32_t count, const VkBufferCopy *regions)
{
    (void)commands, (void)from, (void)to, (void)count, (void)regions;
    (void)command(FAKE_COPY);
}

static void VKAPI_PTR CmdPipelineBarrier(VkCommandBuffer commands, VkPipelineStageFlags from,
                                         VkPipelineStageFlags to, VkDependencyFlags flags,
                                         uint32_t count, const VkMemoryBarrier *barriers,
                                         uint32_t buffer_count,
                                         const VkBufferMemoryBarrier *buffers, uint32_t image_count,
                                         const VkImageMemoryBarrier *images)
{
    (void)commands, (void)flags, (void)buffer_count, (void)buffers, (void)image_count, (void)images;
    struct fake_command *made = command(FAKE_BARRIER);
    made->scopes[made->scope_count++] = (struct fake_scope){ from, 0, to, 0 };
    for (uint32_t i = 0; i < count; i++) {
        made->scopes[made->scope_count++] =
            (struct fake_scope){ from, barriers[i].srcAccessMask, to, barriers[i].dstAccessMask };
    }
}

static void VKAPI_PTR CmdPipelineBarrier2(VkCommandBuffer commands, const VkDependencyInfo *info)
{
    (void)commands;
    struct fake_command *made = command(FAKE_BARRIER);
    for (uint32_t i = 0; i < info->memoryBarrierCount; i++) {
        const VkMemoryBarrier2 *barrier = &info->pMemoryBarriers[i];
        made->scopes[made->scope_count++] =
            (struct fake_scope){ barrier->srcStageMask, barrier->srcAccessMask,
                                 barrier->dstStageMask, barrier->dstAccessMask };
    }
}

#define FAKE_FUNCTIONS(X)                                                                          \
    X(AllocateMemory)                                                                              \
    X(BindBufferMemory)                                                                            \
    X(CmdBindPipeline)                                                                             \
    X(CmdCopyBuffer)                                                                               \
    X(CmdDispatch)                                                                                 \
    X(CmdDispatchIndirect)                                                                         \
    X(CmdFillBuffer)                                                                               \
    X(CmdPipelineBarrier)                                                                          \
    X(CmdPipelineBarrier2)                                                                         \
    X(CmdPushConstants)                                                                            \
    X(CreateBuffer)                                                                                \
    X(CreateComputePipelines)                                                                      \
    X(CreatePipelineLayout)                                                                        \
    X(CreateShaderModule)                                                                          \
    X(DestroyBuffer)                                                                               \
    X(DestroyPipeline)                                                                             \
    X(DestroyPipelineLayout)                                                                       \
    X(DestroyShaderModule)                                                                         \
    X(EnumerateDeviceExtensionProperties)                                                          \
    X(FreeMemory)                                                                                  \
    X(GetBufferDeviceAddress)                                                                      \
    X(GetBufferMemoryRequirements)                                                                 \
    X(GetPhysicalDeviceMemoryProperties2)                                                          \
    X(GetPhysicalDeviceProperties2)                                                                \
    X(GetPhysicalDeviceQueueFamilyProperties)                                                      \
    X(MapMemory)

static PFN_vkVoidFunction find(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction function;
    } functions[] = {
#define FAKE_ENTRY(name) { "vk" #name, (PFN_vkVoidFunction)(name) },
        FAKE_FUNCTIONS(FAKE_ENTRY)
#undef FAKE_ENTRY
    };
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        if (strcmp(functions[i].name, name) == 0 &&
            (fake.missing == NULL || strcmp(fake.missing, name) != 0)) {
            return functions[i].function;
        }
    }
    return NULL;
}

static PFN_vkVoidFunction VKAPI_PTR of_device(VkDevice device, const char *name)
{
    (void)device;
    return find(name);
}

static PFN_vkVoidFunction VKAPI_PTR of_instance(VkInstance instance, const char *name)
{
    (void)instance;
    return find(name);
}

struct fg_compute_options fake_options(void)
{
    return (struct fg_compute_options){
        .instance = (VkInstance)&fake,
        .physical_device = (VkPhysicalDevice)&fake,
        .device = (VkDevice)&fake,
        .get_instance_proc_addr = of_instance,
        .get_device_proc_addr = of_device,
        .flags = FG_COMPUTE_ADDRESS | FG_COMPUTE_SYNCHRONIZATION2 | FG_COMPUTE_INT64,
    };
}

VkCommandBuffer fake_commands(void)
{
    return (VkCommandBuffer)&fake;
}
