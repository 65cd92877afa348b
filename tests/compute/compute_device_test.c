/* SPDX-License-Identifier: MIT */
/* What a device must be, what is made of what it allows, and what happens when it fails. */
#include "engine/vulkan/compute_priv.h"
#include "fake_vulkan.h"

#include "cmocka_all.h"
#include "failing_memory.h"

#include <string.h>

static int setup(void **state)
{
    (void)state;
    fake_reset();
    return 0;
}

static int teardown(void **state)
{
    (void)state;
    fake_forget();
    return fake.alive == 0 ? 0 : -1;
}

static struct fg_compute *make(const struct fg_compute_options *options)
{
    struct fg_compute *compute = NULL;
    assert_int_equal(fg_compute_create(options, &compute, NULL), FG_OK);
    return compute;
}

static struct fg_compute_facts facts_of(const struct fg_compute_options *options)
{
    struct fg_compute *compute = make(options);
    const struct fg_compute_facts facts = *fg_compute_get_facts(compute);
    fg_compute_destroy(compute);
    return facts;
}

static void facts_are_what_a_good_device_allows(void **state)
{
    (void)state;
    const struct fg_compute_options options = fake_options();
    const struct fg_compute_facts facts = facts_of(&options);
    assert_int_equal(facts.flags, FG_COMPUTE_ADDRESS | FG_COMPUTE_INT64 | FG_COMPUTE_SUBGROUP |
                                      FG_COMPUTE_SYNCHRONIZATION2);
    assert_int_equal(facts.group_size, 256);
    assert_int_equal(facts.max_group_size, 1024);
    assert_int_equal(facts.group_limit, 65535);
    assert_int_equal(facts.subgroup_size, 32);
    assert_int_equal(facts.alignment_bytes, 256);
    assert_int_equal(facts.block_bytes, 64 << 20);
    assert_int_equal(facts.budget_bytes, UINT64_C(1) << 34);
    assert_int_equal(facts.timestamp_bits, 64);
    assert_true(facts.timestamp_period_ns == 2.0f);
    assert_string_equal(facts.device_name, "fake");
}

static void low_limits_lower_what_is_used(void **state)
{
    (void)state;
    const struct fg_compute_options options = fake_options();
    fake.properties.limits.maxComputeWorkGroupInvocations = 192;
    fake.properties.limits.maxComputeWorkGroupCount[1] = 1000;
    fake.properties.limits.minStorageBufferOffsetAlignment = 1024;
    fake.properties.limits.maxStorageBufferRange = 5000;
    fake.subgroup.supportedOperations &= ~(VkSubgroupFeatureFlags)VK_SUBGROUP_FEATURE_BALLOT_BIT;
    fake.timestamp_bits = 0;
    struct fg_compute_facts facts = facts_of(&options);
    assert_int_equal(facts.group_size, 128);
    assert_int_equal(facts.max_group_size, 192);
    assert_int_equal(facts.group_limit, 1000);
    assert_int_equal(facts.alignment_bytes, 1024);
    assert_int_equal(facts.block_bytes, 4096);
    assert_int_equal(facts.flags & FG_COMPUTE_SUBGROUP, 0);
    assert_int_equal(facts.subgroup_size, 0);
    assert_int_equal(facts.timestamp_bits, 0);
    assert_true(facts.timestamp_period_ns == 0);
    fake.max_allocation_bytes = 2500;
    facts = facts_of(&options);
    assert_int_equal(facts.block_bytes, 2048);
}

static void options_lower_further_and_leave_out(void **state)
{
    (void)state;
    struct fg_compute_options options = fake_options();
    options.flags |= FG_COMPUTE_NO_INT64 | FG_COMPUTE_NO_SUBGROUP | FG_COMPUTE_NO_SYNCHRONIZATION2;
    options.group_size = 64;
    options.group_limit = 7;
    options.block_bytes = 1 << 20;
    options.budget_bytes = 3 << 20;
    const struct fg_compute_facts facts = facts_of(&options);
    assert_int_equal(facts.flags, FG_COMPUTE_ADDRESS);
    assert_int_equal(facts.group_size, 64);
    assert_int_equal(facts.group_limit, 7);
    assert_int_equal(facts.block_bytes, 1 << 20);
    assert_int_equal(facts.budget_bytes, 3 << 20);
    options.group_size = 1024; /* what kernels have shared memory for */
    assert_int_equal(facts_of(&options).group_size, 256);
    options.group_size = 8; /* what one word of bits needs */
    assert_int_equal(facts_of(&options).group_size, 32);
    options.group_size = 96;
    struct fg_compute *compute = NULL;
    assert_int_equal(fg_compute_create(&options, &compute, NULL), FG_ERR_ARGUMENT);
    assert_null(compute);
}

static void features_are_read_from_what_the_device_was_made_with(void **state)
{
    (void)state;
    VkPhysicalDeviceBufferDeviceAddressFeatures address = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_BUFFER_DEVICE_ADDRESS_FEATURES,
        .bufferDeviceAddress = VK_TRUE,
    };
    VkPhysicalDeviceSynchronization2Features synchronization2 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
        .pNext = &address,
        .synchronization2 = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures core = { .shaderInt64 = VK_TRUE };
    const VkDeviceCreateInfo older = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &synchronization2,
                                       .pEnabledFeatures = &core };
    VkPhysicalDeviceVulkan13Features later13 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .synchronization2 = VK_TRUE,
    };
    VkPhysicalDeviceVulkan12Features later12 = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
        .pNext = &later13,
        .bufferDeviceAddress = VK_TRUE,
    };
    const VkPhysicalDeviceFeatures2 later = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
        .pNext = &later12,
        .features = { .shaderInt64 = VK_TRUE },
    };
    const VkDeviceCreateInfo newer = { .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                       .pNext = &later };
    const uint32_t all = FG_COMPUTE_ADDRESS | FG_COMPUTE_INT64 | FG_COMPUTE_SYNCHRONIZATION2;
    assert_int_equal(fgi_compute_enabled(&older), all);
    assert_int_equal(fgi_compute_enabled(&newer), all);
    later12.bufferDeviceAddress = VK_FALSE;
    assert_int_equal(fgi_compute_enabled(&newer), all & ~(uint32_t)FG_COMPUTE_ADDRESS);
    assert_int_equal(fgi_compute_enabled(NULL), 0);
}

static void assert_refused(const struct fg_compute_options *options, const char *word)
{
    struct fg_compute *compute = NULL;
    struct fg_diag diag = { 0 };
    assert_int_equal(fg_compute_create(options, &compute, &diag), FG_ERR_UNSUPPORTED);
    assert_null(compute);
    if (strstr(diag.message, word) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", diag.message, word);
    }
    assert_int_equal(fake.alive, 0);
}

static void a_device_that_is_not_enough_is_refused_with_a_word(void **state)
{
    (void)state;
    static const char *const needed[] = {
#define NAME(name) "vk" #name,
        FGI_COMPUTE_INSTANCE_FUNCTIONS(NAME) FGI_COMPUTE_DEVICE_FUNCTIONS(NAME)
#undef NAME
    };
    struct fg_compute_options options = fake_options();
    for (size_t i = 0; i < sizeof needed / sizeof *needed; i++) {
        fake.missing = needed[i];
        assert_refused(&options, needed[i]);
    }
    fake.missing = "vkCmdPipelineBarrier2";
    assert_int_equal(facts_of(&options).flags & FG_COMPUTE_SYNCHRONIZATION2, 0);
    fake.missing = NULL;
    options.get_device_proc_addr = NULL;
    assert_refused(&options, "vkGetDeviceProcAddr");
    options = fake_options();
    options.flags &= ~(uint32_t)FG_COMPUTE_ADDRESS;
    assert_refused(&options, "bufferDeviceAddress");
    options = fake_options();
    fake.properties.apiVersion = VK_API_VERSION_1_1;
    assert_refused(&options, "Vulkan 1.1");
    fake.properties.apiVersion = VK_API_VERSION_1_3;
    fake.properties.limits.maxPushConstantsSize = 64;
    assert_refused(&options, "64 bytes of push constants");
    fake.properties.limits.maxPushConstantsSize = 128;
    options.instance = VK_NULL_HANDLE;
    struct fg_compute *compute = NULL;
    assert_int_equal(fg_compute_create(&options, &compute, NULL), FG_ERR_ARGUMENT);
    fg_compute_destroy(NULL);
}

/* Everything there is, once. */

static const uint32_t some_words[1] = { 0 };
static const struct fg_compute_kernel kernel = { .name = "kernel",
                                                 .code = { { some_words, sizeof some_words } },
                                                 .push_bytes = 8 };

static enum fg_result add_nodes(struct fg_compute_graph *graph,
                                const struct fg_compute_memory *memories)
{
    static const uint64_t push = 0;
    const struct fg_compute_use use = { .view = memories[FG_COMPUTE_DEVICE].view,
                                        .access = FG_COMPUTE_READ_WRITE };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; result == FG_OK && i < 6; i++) {
        result = fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "dispatch",
                                                             .program = { .kernel = &kernel,
                                                                          .constant_count = 1,
                                                                          .constants = { i } },
                                                             .group_count = 5, .push = &push,
                                                             .uses = &use, .use_count = 1));
    }
    if (result == FG_OK) {
        result = fg_compute_graph_add(
            graph, FG_COMPUTE_NODE(.name = "copy", .kind = FG_COMPUTE_COPY,
                                   .source = memories[FG_COMPUTE_DEVICE].view,
                                   .target = memories[FG_COMPUTE_READBACK].view));
    }
    return result;
}

static enum fg_result run_graph(struct fg_compute *compute,
                                const struct fg_compute_memory *memories)
{
    struct fg_compute_graph *graph = NULL;
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    const struct fg_compute_budget budget = { .most = { .commands = 2 } };
    enum fg_result result = fg_compute_graph_create(compute, NULL, &graph);
    if (result == FG_OK) {
        result = add_nodes(graph, memories);
    }
    if (result == FG_OK) {
        result = fg_compute_graph_compile(graph);
    }
    if (result == FG_OK) {
        result = fg_compute_plan_create(graph, &budget, FG_COMPUTE_ATOMIC, &plan);
    }
    if (result == FG_OK) {
        fg_compute_run_begin(plan, &run);
        do {
            result = fg_compute_run_encode(&run, fake_commands());
        } while (result == FG_OK);
        result = result == FG_ERR_NOT_FOUND ? FG_OK : result;
    }
    fg_compute_plan_destroy(plan);
    fg_compute_graph_destroy(graph);
    return result;
}

static enum fg_result use_all(struct fg_compute *compute)
{
    struct fg_compute_memory memories[FG_COMPUTE_MEMORY_KINDS] = { { .host = NULL } };
    struct fg_compute_memory piece;
    struct fg_compute_ring *ring = NULL;
    enum fg_result result = FG_OK;
    for (int i = 0; result == FG_OK && i < FG_COMPUTE_MEMORY_KINDS; i++) {
        result =
            fg_compute_memory_take(compute, (enum fg_compute_memory_kind)i, 1000, &memories[i]);
    }
    if (result == FG_OK) {
        result = fg_compute_ring_create(compute, FG_COMPUTE_UPLOAD, 5000, &ring);
    }
    for (uint64_t i = 0; result == FG_OK && i < 9; i++) {
        result = fg_compute_ring_take(ring, 100, i, &piece);
    }
    if (result == FG_OK) {
        result = run_graph(compute, memories);
    }
    fg_compute_ring_destroy(ring);
    for (int i = 0; i < FG_COMPUTE_MEMORY_KINDS; i++) {
        fg_compute_memory_free(compute, &memories[i]);
    }
    return result;
}

/** @param out_lost what it thinks of its device at the end; untouched where there was no compute */
static enum fg_result make_and_use_all(const struct fg_compute_options *options, bool *out_lost)
{
    struct fg_compute *compute = NULL;
    enum fg_result result = fg_compute_create(options, &compute, NULL);
    if (result == FG_OK) {
        result = use_all(compute);
        *out_lost = fg_compute_is_lost(compute);
    }
    fg_compute_destroy(compute);
    return result;
}

static void any_allocation_of_the_host_may_fail(void **state)
{
    (void)state;
    struct fg_compute_options options = fake_options();
    bool lost = false;
    for (int stays = 0; stays < 2; stays++) {
        bool refused = true;
        uint32_t failures = 0;
        for (long countdown = 0; refused; countdown++) {
            struct failing failing = { .countdown = countdown, .stays = stays != 0 };
            const struct fg_allocator allocator = failing_allocator(&failing);
            options.allocator = &allocator;
            const enum fg_result result = make_and_use_all(&options, &lost);
            refused = failing.refused;
            /* Doing without the list of extensions is no failure. */
            assert_true(result == FG_OK || (refused && result == FG_ERR_NO_MEMORY));
            failures += result != FG_OK;
            assert_int_equal(failing.alive, 0);
            assert_int_equal(fake.alive, 0);
        }
        assert_true(failures > 20);
    }
}

static void any_call_of_vulkan_may_fail(void **state)
{
    (void)state;
    static const struct {
        VkResult result;
        enum fg_result expected;
    } failures[] = {
        { VK_ERROR_OUT_OF_DEVICE_MEMORY, FG_ERR_NO_MEMORY },
        { VK_ERROR_OUT_OF_HOST_MEMORY, FG_ERR_NO_MEMORY },
        { VK_ERROR_DEVICE_LOST, FG_ERR_DEVICE_LOST },
        { VK_ERROR_UNKNOWN, FG_ERR_UNSUPPORTED },
    };
    struct fg_compute_options options = fake_options();
    for (size_t i = 0; i < sizeof failures / sizeof *failures; i++) {
        uint32_t seen = 0;
        fake.failure = failures[i].result;
        fake.failed = true;
        for (long countdown = 0; fake.failed; countdown++) {
            struct failing failing = { .countdown = -1 };
            const struct fg_allocator allocator = failing_allocator(&failing);
            bool lost = failures[i].result == VK_ERROR_DEVICE_LOST;
            options.allocator = &allocator;
            fake.failed = false;
            fake.countdown = countdown;
            const enum fg_result result = make_and_use_all(&options, &lost);
            /* Other memory, or a smaller block, may do where one was refused. */
            assert_true(result == failures[i].expected || result == FG_OK);
            assert_true(!fake.failed || result != FG_OK ||
                        failures[i].result != VK_ERROR_DEVICE_LOST);
            assert_true(!fake.failed || lost == (failures[i].result == VK_ERROR_DEVICE_LOST));
            seen += result != FG_OK;
            assert_int_equal(fake.alive, 0);
            assert_int_equal(failing.alive, 0);
        }
        assert_true(seen > 10);
    }
}

static void a_lost_device_answers_everything_with_it_and_can_be_ended(void **state)
{
    (void)state;
    struct fg_compute_memory memory;
    struct fg_compute_memory other;
    struct fg_compute_graph *graph = NULL;
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    const struct fg_compute_options options = fake_options();
    struct fg_compute *compute = make(&options);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 64, &memory), FG_OK);
    assert_int_equal(fg_compute_graph_create(compute, NULL, &graph), FG_OK);
    const struct fg_compute_node node = { .name = "fill",
                                          .kind = FG_COMPUTE_FILL,
                                          .target = memory.view };
    assert_int_equal(fg_compute_graph_add(graph, &node), FG_OK);
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    assert_int_equal(fg_compute_plan_create(graph, NULL, FG_COMPUTE_ATOMIC, &plan), FG_OK);
    fg_compute_run_begin(plan, &run);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    assert_false(fg_compute_is_lost(compute));
    fg_compute_set_lost(compute);
    assert_true(fg_compute_is_lost(compute));
    const size_t command_count = fake.command_count;
    assert_int_equal(fg_compute_run_complete(&run, 1), FG_ERR_DEVICE_LOST);
    assert_int_equal(fg_compute_memory_take(compute, FG_COMPUTE_DEVICE, 64, &other),
                     FG_ERR_DEVICE_LOST);
    assert_int_equal(fg_compute_prepare(compute, &(struct fg_compute_program){ .kernel = &kernel }),
                     FG_ERR_DEVICE_LOST);
    assert_int_equal(fg_compute_graph_encode(graph, fake_commands()), FG_ERR_DEVICE_LOST);
    assert_int_equal(fg_compute_node_encode(compute, &node, fake_commands()), FG_ERR_DEVICE_LOST);
    fg_compute_run_begin(plan, &run);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_ERR_DEVICE_LOST);
    assert_int_equal(fake.command_count, command_count);
    fg_compute_memory_free(compute, &memory);
    fg_compute_plan_destroy(plan);
    fg_compute_graph_destroy(graph);
    fg_compute_destroy(compute);
}

static void a_kernel_without_code_for_the_device_is_refused(void **state)
{
    (void)state;
    static const struct fg_compute_kernel wants_int64 = {
        .name = "wide", .code = { [FG_COMPUTE_VARIANT_INT64] = { some_words, sizeof some_words } }
    };
    const struct fg_compute_program program = { .kernel = &wants_int64 };
    struct fg_compute_options options = fake_options();
    struct fg_compute *compute = make(&options);
    assert_int_equal(fg_compute_prepare(compute, &program), FG_OK);
    fg_compute_destroy(compute);
    options.flags |= FG_COMPUTE_NO_INT64;
    compute = make(&options);
    assert_int_equal(fg_compute_prepare(compute, &program), FG_ERR_UNSUPPORTED);
    fg_compute_destroy(compute);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(facts_are_what_a_good_device_allows),
        TEST(low_limits_lower_what_is_used),
        TEST(options_lower_further_and_leave_out),
        TEST(features_are_read_from_what_the_device_was_made_with),
        TEST(a_device_that_is_not_enough_is_refused_with_a_word),
        TEST(any_allocation_of_the_host_may_fail),
        TEST(any_call_of_vulkan_may_fail),
        TEST(a_lost_device_answers_everything_with_it_and_can_be_ended),
        TEST(a_kernel_without_code_for_the_device_is_refused),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
