/* SPDX-License-Identifier: MIT */
/* Nodes and their costs, plans against the rule applied step by step, runs, and paces. */
#include "engine/vulkan/compute_priv.h"
#include "fake_vulkan.h"

#include "cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NODES = 60, TOLD = 16 };

static struct fg_compute *compute;
static uint32_t seed;

static uint32_t any(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

static int setup(void **state)
{
    (void)state;
    const struct fg_compute_options options = (fake_reset(), fake_options());
    seed = 99;
    return fg_compute_create(&options, &compute, NULL) == FG_OK ? 0 : -1;
}

static int teardown(void **state)
{
    (void)state;
    fg_compute_destroy(compute);
    compute = NULL;
    fake_forget();
    return fake.alive == 0 ? 0 : -1;
}

static const uint32_t some_words[1] = { 0 };
static const struct fg_compute_kernel kernel = { .name = "kernel",
                                                 .code = { { some_words, sizeof some_words } } };
static const struct fg_compute_kernel pushed = { .name = "pushed",
                                                 .code = { { some_words, sizeof some_words } },
                                                 .push_bytes = 8,
                                                 .group_size = 64 };

static struct fg_compute_view view_at(uint64_t offset_bytes, uint64_t size_bytes)
{
    return (struct fg_compute_view){ (VkBuffer)(uintptr_t)1, offset_bytes, size_bytes, 0 };
}

/* Nodes. */

static void groups_fold_into_all_dimensions_and_none_is_too_large(void **state)
{
    (void)state;
    uint32_t groups[3];
    for (uint32_t limit = 1; limit <= 6; limit++) {
        for (uint64_t count = 0; count <= limit * limit * limit; count++) {
            assert_true(fgi_compute_fold(count, limit, groups));
            const uint64_t made = (uint64_t)groups[0] * groups[1] * groups[2];
            assert_true(made >= count);
            assert_true(groups[0] <= limit && groups[1] <= limit && groups[2] <= limit);
            /* At most one group less than a line of each would be too few. */
            assert_true(count == 0 || (uint64_t)(groups[0] - 1) * groups[1] * groups[2] < count);
        }
        assert_false(fgi_compute_fold((uint64_t)limit * limit * limit + 1, limit, groups));
    }
    assert_true(fgi_compute_fold(65535, 65535, groups));
    assert_true(groups[0] == 65535 && groups[1] == 1 && groups[2] == 1);
    assert_true(fgi_compute_fold(65536, 65535, groups));
    assert_true(groups[0] == 32768 && groups[1] == 2 && groups[2] == 1);
    assert_true(fgi_compute_fold(UINT64_C(4294836225) + 7, 65535, groups));
    assert_true(groups[0] <= 65535 && groups[1] <= 65535 && groups[2] == 2);
    assert_false(fgi_compute_fold(UINT64_C(1) << 32, 65535, groups));
    assert_false(fgi_compute_fold(UINT32_MAX - 1, 65535, groups));
}

static void a_dispatch_is_encoded_folded(void **state)
{
    (void)state;
    const struct fg_compute_node node = { .name = "many",
                                          .program = { .kernel = &kernel },
                                          .group_count = 200000 };
    assert_int_equal(fg_compute_node_encode(compute, &node, fake_commands()), FG_OK);
    assert_int_equal(fake.command_count, 1);
    assert_int_equal(fake.commands[0].kind, FAKE_DISPATCH);
    assert_int_equal(fake.commands[0].groups[0], 50000);
    assert_int_equal(fake.commands[0].groups[1], 4);
    const struct fg_compute_node none = { .name = "none", .program = { .kernel = &kernel } };
    assert_int_equal(fg_compute_node_encode(compute, &none, fake_commands()), FG_OK);
    assert_int_equal(fake.command_count, 1);
}

static void call_nothing(void *context, VkCommandBuffer commands)
{
    (void)context;
    (void)commands;
}

static void costs_are_known_or_said(void **state)
{
    (void)state;
    const struct fg_compute_use uses[] = {
        { .view = view_at(0, 100), .access = FG_COMPUTE_READ },
        { .view = view_at(200, 40), .access = FG_COMPUTE_READ_WRITE },
    };
    struct fg_compute_node node = { .name = "node",
                                    .program = { .kernel = &kernel, .group_size = 32 },
                                    .group_count = 10,
                                    .uses = uses,
                                    .use_count = 2 };
    struct fg_compute_workload load = fg_compute_node_workload(compute, &node);
    assert_true(load.invocations == 320 && load.commands == 1 && load.read_bytes == 140 &&
                load.write_bytes == 40);
    node.program.kernel = &pushed;
    assert_int_equal(fg_compute_node_workload(compute, &node).invocations, 640);
    node.kind = FG_COMPUTE_DISPATCH_INDIRECT;
    node.arguments = view_at(512, 64);
    load = fg_compute_node_workload(compute, &node);
    assert_true(load.invocations == 640 && load.read_bytes == 152);
    node.workload.invocations = 7;
    load = fg_compute_node_workload(compute, &node);
    assert_true(load.invocations == 7 && load.commands == 0 && load.read_bytes == 0);
    node = (struct fg_compute_node){ .name = "fill",
                                     .kind = FG_COMPUTE_FILL,
                                     .target = view_at(0, 64) };
    load = fg_compute_node_workload(compute, &node);
    assert_true(load.invocations == 0 && load.commands == 1 && load.read_bytes == 0 &&
                load.write_bytes == 64);
    node = (struct fg_compute_node){
        .name = "copy", .kind = FG_COMPUTE_COPY, .source = view_at(64, 64), .target = view_at(0, 64)
    };
    load = fg_compute_node_workload(compute, &node);
    assert_true(load.commands == 1 && load.read_bytes == 64 && load.write_bytes == 64);
    node = (struct fg_compute_node){
        .name = "call", .kind = FG_COMPUTE_CALL, .call = call_nothing, .uses = uses, .use_count = 2
    };
    load = fg_compute_node_workload(compute, &node);
    assert_true(load.commands == 0 && load.read_bytes == 0);
}

static void nodes_that_make_no_sense_are_refused_with_a_word(void **state)
{
    (void)state;
    const struct fg_compute_use no_access = { .view = view_at(0, 4) };
    const struct fg_compute_use no_buffer = { .access = FG_COMPUTE_READ };
    const struct fg_compute_use wrong = { .view = view_at(0, 4),
                                          .access = FG_COMPUTE_READ,
                                          .stages = VK_PIPELINE_STAGE_TRANSFER_BIT,
                                          .accesses = VK_ACCESS_TRANSFER_WRITE_BIT };
    const struct {
        struct fg_compute_node node;
        enum fg_result expected;
    } nodes[] = {
        { { .kind = FG_COMPUTE_PUBLISH }, FG_ERR_ARGUMENT },
        { { .name = "node" }, FG_ERR_ARGUMENT },
        { { .name = "node", .program = { .kernel = &pushed } }, FG_ERR_ARGUMENT },
        { { .name = "node", .program = { .kernel = &kernel, .group_size = 2048 } }, FG_ERR_LIMIT },
        { { .name = "node", .program = { .kernel = &kernel }, .group_count = UINT64_MAX },
          FG_ERR_LIMIT },
        { { .name = "node", .program = { .kernel = &kernel, .constant_count = 9 } },
          FG_ERR_ARGUMENT },
        { { .name = "node",
            .kind = FG_COMPUTE_DISPATCH_INDIRECT,
            .program = { .kernel = &kernel },
            .arguments = view_at(0, 8) },
          FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_FILL, .target = view_at(2, 8) }, FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_FILL, .target = view_at(4, 6) }, FG_ERR_ARGUMENT },
        { { .name = "node",
            .kind = FG_COMPUTE_COPY,
            .source = view_at(0, 8),
            .target = view_at(4, 8) },
          FG_ERR_ARGUMENT },
        { { .name = "node",
            .kind = FG_COMPUTE_COPY,
            .source = view_at(0, 8),
            .target = view_at(8, 4) },
          FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_CALL }, FG_ERR_ARGUMENT },
        { { .name = "node", .kind = (enum fg_compute_node_kind)77 }, FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_PUBLISH, .use_count = 1 }, FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_PUBLISH, .uses = &no_access, .use_count = 1 },
          FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_PUBLISH, .uses = &no_buffer, .use_count = 1 },
          FG_ERR_ARGUMENT },
        { { .name = "node", .kind = FG_COMPUTE_PUBLISH, .uses = &wrong, .use_count = 1 },
          FG_ERR_ARGUMENT },
    };
    struct fg_compute_graph *graph = NULL;
    assert_int_equal(fg_compute_graph_create(compute, NULL, &graph), FG_OK);
    for (size_t i = 0; i < sizeof nodes / sizeof *nodes; i++) {
        struct fg_diag diag = { 0 };
        assert_int_equal(fg_compute_node_check(compute, &nodes[i].node, &diag), nodes[i].expected);
        assert_true(diag.message[0] != '\0');
        assert_int_equal(fg_compute_graph_add(graph, &nodes[i].node), nodes[i].expected);
        assert_int_equal(fg_compute_node_encode(compute, &nodes[i].node, fake_commands()),
                         nodes[i].expected);
    }
    assert_int_equal(fake.command_count, 0);
    fg_compute_graph_destroy(graph);
    fg_compute_graph_destroy(NULL);
}

static void what_a_node_points_to_is_copied(void **state)
{
    (void)state;
    struct fg_compute_graph *graph = NULL;
    struct fg_compute_plan *plan = NULL;
    uint64_t push = 5;
    char name[] = "first";
    struct fg_compute_use use = { .view = view_at(0, 8), .access = FG_COMPUTE_READ };
    assert_int_equal(fg_compute_graph_create(compute, NULL, &graph), FG_OK);
    assert_int_equal(
        fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = name, .program = { .kernel = &pushed },
                                                    .group_count = 1, .push = &push, .uses = &use,
                                                    .use_count = 1)),
        FG_OK);
    push = 6;
    name[0] = '?';
    use.view.size_bytes = 1000;
    assert_int_equal(fg_compute_graph_encode(graph, fake_commands()), FG_ERR_STATE);
    assert_int_equal(fg_compute_plan_create(graph, NULL, FG_COMPUTE_ATOMIC, &plan), FG_ERR_STATE);
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    assert_int_equal(fg_compute_graph_add(graph, FG_COMPUTE_NODE(.name = "late")), FG_ERR_STATE);
    assert_int_equal(fg_compute_plan_create(graph, NULL, FG_COMPUTE_ATOMIC, &plan), FG_OK);
    struct fg_compute_workload load;
    const struct fg_compute_node *node = fg_compute_plan_node(plan, 0, &load);
    assert_string_equal(node->name, "first");
    assert_int_equal(*(const uint64_t *)node->push, 5);
    assert_int_equal(node->uses[0].view.size_bytes, 8);
    assert_int_equal(load.read_bytes, 8);
    fg_compute_plan_destroy(plan);
    fg_compute_plan_destroy(NULL);
    fg_compute_graph_destroy(graph);
}

/* Plans. */

static enum fg_result add_any(struct fg_compute_graph *graph)
{
    struct fg_compute_node node = { .name = "call", .kind = FG_COMPUTE_CALL, .call = call_nothing };
    if (any(4) != 0) {
        node.workload = (struct fg_compute_workload){ any(500), any(4), any(3000), any(2000) };
    }
    if (any(6) == 0) {
        node.kind = FG_COMPUTE_PUBLISH;
        if (any(3) != 0) {
            node.workload = (struct fg_compute_workload){ 0, 0, 0, 0 };
        }
    }
    return fg_compute_graph_add(graph, &node);
}

static void add_load(uint64_t *sum, const struct fg_compute_workload *load)
{
    sum[0] += load->invocations;
    sum[1] += load->commands;
    sum[2] += load->read_bytes;
    sum[3] += load->write_bytes;
}

/** The longest run of nodes that may be one step, each length tried by itself. */
static uint32_t longest_step(const struct fg_compute_plan *plan, uint32_t first,
                             uint32_t node_count, const uint64_t *most,
                             enum fg_compute_policy policy)
{
    uint32_t best = 1;
    for (uint32_t count = 1; count <= node_count - first; count++) {
        bool is_allowed = true;
        uint64_t sum[4] = { 0, 0, 0, 0 };
        uint64_t before[4] = { 0, 0, 0, 0 };
        for (uint32_t i = 0; i < count; i++) {
            struct fg_compute_workload load;
            const struct fg_compute_node *node = fg_compute_plan_node(plan, first + i, &load);
            const bool is_free = load.invocations == 0 && load.commands == 0 &&
                                 load.read_bytes == 0 && load.write_bytes == 0;
            const bool publishes = node->kind == FG_COMPUTE_PUBLISH;
            add_load(sum, &load);
            for (int d = 0; d < 4 && i > 0 && !(publishes && is_free); d++) {
                /* Over the budget with it, or the budget was reached without it. */
                is_allowed =
                    is_allowed && (most[d] == 0 || (sum[d] <= most[d] && before[d] < most[d]));
            }
            add_load(before, &load);
            if (publishes && policy == FG_COMPUTE_PROGRESSIVE && i + 1 < count) {
                is_allowed = false;
            }
        }
        best = is_allowed ? count : best;
        if (!is_allowed) {
            break;
        }
    }
    return best;
}

static bool is_oversized(const struct fg_compute_plan *plan, const struct fg_compute_step *step,
                         const uint64_t *most)
{
    bool over = false;
    for (uint32_t i = 0; i < step->count; i++) {
        struct fg_compute_workload load;
        uint64_t sum[4] = { 0, 0, 0, 0 };
        (void)fg_compute_plan_node(plan, step->first + i, &load);
        add_load(sum, &load);
        for (int d = 0; d < 4; d++) {
            over = over || (most[d] != 0 && sum[d] > most[d]);
        }
    }
    return over;
}

static void check_plan(struct fg_compute_graph *graph, enum fg_compute_policy policy)
{
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_graph_counts counts;
    const uint64_t most[4] = { any(2) * (1 + any(1500)), any(2) * (1 + any(8)),
                               any(2) * (1 + any(9000)), any(2) * (1 + any(5000)) };
    const struct fg_compute_budget budget = { .most = { most[0], most[1], most[2], most[3] } };
    assert_int_equal(fg_compute_plan_create(graph, &budget, policy, &plan), FG_OK);
    fg_compute_graph_get_counts(graph, &counts);
    uint32_t place = 0;
    uint32_t oversized = 0;
    uint64_t all[4] = { 0, 0, 0, 0 };
    const uint32_t step_count = fg_compute_plan_step_count(plan);
    for (uint32_t i = 0; i < step_count; i++) {
        const struct fg_compute_step step = fg_compute_plan_step(plan, i);
        const struct fg_compute_node *last =
            fg_compute_plan_node(plan, step.first + step.count - 1, NULL);
        assert_int_equal(step.first, place);
        assert_int_equal(step.count, longest_step(plan, place, counts.nodes, most, policy));
        assert_int_equal(step.exceeds_budget, is_oversized(plan, &step, most));
        const bool publishes = i + 1 == step_count ? counts.publications != 0
                                                   : policy == FG_COMPUTE_PROGRESSIVE &&
                                                         last->kind == FG_COMPUTE_PUBLISH;
        assert_int_equal(step.publishes, publishes);
        oversized += step.exceeds_budget;
        add_load(all, &step.workload);
        place += step.count;
    }
    assert_int_equal(place, counts.nodes);
    assert_int_equal(oversized, fg_compute_plan_oversized_count(plan));
    assert_true(all[0] == counts.workload.invocations && all[1] == counts.workload.commands &&
                all[2] == counts.workload.read_bytes && all[3] == counts.workload.write_bytes);
    fg_compute_plan_destroy(plan);
}

static void plans_are_cut_as_the_rule_says(void **state)
{
    (void)state;
    struct fg_compute_graph *graph = NULL;
    assert_int_equal(fg_compute_graph_create(compute, NULL, &graph), FG_OK);
    for (uint32_t i = 0; i < 800; i++) {
        const uint32_t count = any(NODES);
        fg_compute_graph_clear(graph);
        for (uint32_t n = 0; n < count; n++) {
            assert_int_equal(add_any(graph), FG_OK);
        }
        assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
        check_plan(graph, FG_COMPUTE_ATOMIC);
        check_plan(graph, FG_COMPUTE_PROGRESSIVE);
    }
    fg_compute_graph_destroy(graph);
}

/* Runs. */

struct told {
    uint32_t count;
    char names[TOLD][16];
    uint64_t generations[TOLD];
    int depth;
    uint32_t begun;
};

static void on_begin(void *context, VkCommandBuffer commands, const struct fg_compute_node *node,
                     const struct fg_compute_workload *workload)
{
    struct told *told = context;
    assert_ptr_equal(commands, fake_commands());
    assert_non_null(node->name);
    assert_true(workload->commands <= 1);
    assert_int_equal(told->depth, 0);
    told->depth++;
    told->begun++;
}

static void on_end(void *context, VkCommandBuffer commands, const struct fg_compute_node *node)
{
    struct told *told = context;
    (void)commands;
    (void)node;
    told->depth--;
    assert_int_equal(told->depth, 0);
}

static void on_published(void *context, const char *name, uint64_t generation)
{
    struct told *told = context;
    assert_true(told->count < TOLD);
    (void)snprintf(told->names[told->count], sizeof told->names[0], "%s", name);
    told->generations[told->count++] = generation;
}

/** fill, summary, fill, fill, histogram, fill, complete: a command each. */
static struct fg_compute_graph *make_profile(struct told *told)
{
    static const char *const names[] = { "fill",      "summary", "fill",    "fill",
                                         "histogram", "fill",    "complete" };
    struct fg_compute_graph *graph = NULL;
    const struct fg_compute_graph_options options = { .listener = { on_begin, on_end, on_published,
                                                                    told } };
    assert_int_equal(fg_compute_graph_create(compute, &options, &graph), FG_OK);
    const struct fg_compute_sink sink = fg_compute_graph_sink(graph);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const bool fills = strcmp(names[i], "fill") == 0;
        const struct fg_compute_use use = { .view = view_at(0, 64), .access = FG_COMPUTE_READ };
        const struct fg_compute_node node = {
            .name = names[i],
            .kind = fills ? FG_COMPUTE_FILL : FG_COMPUTE_PUBLISH,
            .target = view_at(0, 64),
            .uses = fills ? NULL : &use,
            .use_count = fills ? 0 : 1,
        };
        assert_int_equal(fg_compute_sink_add(&sink, &node), FG_OK);
    }
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    return graph;
}

static void stages_are_published_when_their_steps_have_completed(void **state)
{
    (void)state;
    struct told told = { 0 };
    struct fg_compute_graph *graph = make_profile(&told);
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    const struct fg_compute_budget budget = { .most = { .commands = 1 } };
    assert_int_equal(fg_compute_plan_create(graph, &budget, FG_COMPUTE_PROGRESSIVE, &plan), FG_OK);
    assert_int_equal(fg_compute_plan_step_count(plan), 4);
    fg_compute_run_begin(plan, &run);
    assert_int_equal(fg_compute_run_complete(&run, 1), FG_ERR_ARGUMENT);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    assert_int_equal(told.count, 0);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    assert_int_equal(fg_compute_run_complete(&run, 0), FG_OK);
    assert_int_equal(told.count, 0);
    assert_int_equal(fg_compute_run_complete(&run, 1), FG_OK);
    assert_int_equal(told.count, 1);
    assert_string_equal(told.names[0], "summary");
    assert_int_equal(told.generations[0], run.generation);
    assert_int_equal(fg_compute_run_complete(&run, 2), FG_OK);
    assert_int_equal(told.count, 1);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_ERR_NOT_FOUND);
    assert_int_equal(fg_compute_run_complete(&run, 4), FG_OK);
    assert_int_equal(fg_compute_run_complete(&run, 4), FG_OK);
    assert_int_equal(told.count, 3);
    assert_string_equal(told.names[1], "histogram");
    assert_string_equal(told.names[2], "complete");
    assert_int_equal(run.published_count, 3);
    assert_int_equal(told.begun, 7);
    fg_compute_plan_destroy(plan);
    fg_compute_graph_destroy(graph);
}

static void an_atomic_plan_publishes_at_its_end(void **state)
{
    (void)state;
    struct told told = { 0 };
    struct fg_compute_graph *graph = make_profile(&told);
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    const struct fg_compute_budget budget = { .most = { .commands = 1 } };
    assert_int_equal(fg_compute_plan_create(graph, &budget, FG_COMPUTE_ATOMIC, &plan), FG_OK);
    fg_compute_run_begin(plan, &run);
    for (uint32_t i = 1; i <= 4; i++) {
        assert_int_equal(told.count, 0);
        assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
        assert_int_equal(fg_compute_run_complete(&run, i), FG_OK);
    }
    assert_int_equal(told.count, 3);
    assert_string_equal(told.names[0], "summary");
    fg_compute_plan_destroy(plan);
    fg_compute_graph_destroy(graph);
}

static void a_cancelled_run_publishes_nothing_more(void **state)
{
    (void)state;
    struct told told = { 0 };
    struct fg_compute_graph *graph = make_profile(&told);
    struct fg_compute_plan *plan = NULL;
    struct fg_compute_run run;
    struct fg_compute_run later;
    assert_int_equal(fg_compute_plan_create(graph, NULL, FG_COMPUTE_PROGRESSIVE, &plan), FG_OK);
    fg_compute_run_begin(plan, &run);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    assert_int_equal(fg_compute_run_complete(&run, 1), FG_OK);
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_OK);
    const uint64_t generation = fg_compute_graph_cancel(graph);
    const size_t command_count = fake.command_count;
    assert_int_equal(fg_compute_run_encode(&run, fake_commands()), FG_ERR_CANCELLED);
    assert_int_equal(fg_compute_run_complete(&run, 2), FG_ERR_CANCELLED);
    assert_int_equal(fake.command_count, command_count);
    assert_int_equal(told.count, 1);
    fg_compute_run_begin(plan, &later);
    assert_int_equal(later.generation, generation);
    for (uint32_t i = 1; i <= 3; i++) {
        assert_int_equal(fg_compute_run_encode(&later, fake_commands()), FG_OK);
        assert_int_equal(fg_compute_run_complete(&later, i), FG_OK);
    }
    assert_int_equal(told.count, 4);
    assert_int_equal(told.generations[3], generation);
    fg_compute_plan_destroy(plan);
    fg_compute_graph_destroy(graph);
}

/** Without a change nothing of an encoding differs from the one before. */
static void encoding_again_gives_the_same_commands(void **state)
{
    (void)state;
    struct told told = { 0 };
    struct fg_compute_graph *graph = make_profile(&told);
    assert_int_equal(fg_compute_graph_encode(graph, fake_commands()), FG_OK);
    const size_t command_count = fake.command_count;
    assert_int_equal(fg_compute_graph_encode(graph, fake_commands()), FG_OK);
    assert_int_equal(fake.command_count, 2 * command_count);
    assert_memory_equal(fake.commands, fake.commands + command_count,
                        command_count * sizeof *fake.commands);
    /* The first one is that of the beginning: all that was written before, for all that follows. */
    assert_int_equal(fake.commands[0].kind, FAKE_BARRIER);
    assert_int_equal(fake.commands[0].scopes[0].from_stages, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT);
    assert_int_equal(fake.commands[0].scopes[0].to_stages,
                     VK_PIPELINE_STAGE_TRANSFER_BIT | VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT);
    fg_compute_graph_destroy(graph);
}

/* Paces. */

static void a_pace_follows_measured_time(void **state)
{
    (void)state;
    struct fg_compute_pace pace;
    const struct fg_compute_budget base = { .most = { .invocations = 1000, .commands = 10 } };
    const struct fg_compute_workload full = { .invocations = 1000, .commands = 1 };
    fg_compute_pace_init(&pace, &base, FG_COMPUTE_INTERACTIVE);
    assert_true(pace.target_ms == 4);
    fg_compute_pace_observe(&pace, &full, 8);
    assert_true(fabs(pace.scale - 0.875) < 1e-12);
    struct fg_compute_budget budget = fg_compute_pace_budget(&pace);
    assert_int_equal(budget.most.invocations, 875);
    assert_int_equal(budget.most.commands, 9);
    fg_compute_pace_observe(&pace, &full, 2);
    assert_true(fabs(pace.scale - 1.09375) < 1e-12);
    budget = fg_compute_pace_budget(&pace);
    assert_int_equal(budget.most.invocations, 1094);
    assert_int_equal(budget.most.commands, 11);
    assert_int_equal(budget.most.read_bytes, 0);
    /* Twice of what was asked for in just the time: as good as full. */
    const double scale = pace.scale;
    fg_compute_pace_observe(&pace, &(struct fg_compute_workload){ .invocations = 2200 }, 4);
    assert_true(pace.scale == scale);
    for (int i = 0; i < 100; i++) {
        budget = fg_compute_pace_budget(&pace);
        fg_compute_pace_observe(&pace, &budget.most, 1000);
    }
    assert_true(pace.scale == 0.125);
    for (int i = 0; i < 100; i++) {
        budget = fg_compute_pace_budget(&pace);
        fg_compute_pace_observe(&pace, &budget.most, 0.001);
    }
    assert_true(pace.scale == 4);
    /* Nothing measured, or nothing done: nothing is known. */
    fg_compute_pace_observe(&pace, &full, 0);
    fg_compute_pace_observe(&pace, &(struct fg_compute_workload){ 0 }, 50);
    assert_true(pace.scale == 4);
    fg_compute_pace_init(&pace, &base, FG_COMPUTE_BACKGROUND);
    assert_true(pace.target_ms == 16);
    fg_compute_pace_init(&pace, &base, FG_COMPUTE_NORMAL);
    assert_true(pace.target_ms == 8);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    const struct CMUnitTest tests[] = {
        TEST(groups_fold_into_all_dimensions_and_none_is_too_large),
        TEST(a_dispatch_is_encoded_folded),
        TEST(costs_are_known_or_said),
        TEST(nodes_that_make_no_sense_are_refused_with_a_word),
        TEST(what_a_node_points_to_is_copied),
        TEST(plans_are_cut_as_the_rule_says),
        TEST(stages_are_published_when_their_steps_have_completed),
        TEST(an_atomic_plan_publishes_at_its_end),
        TEST(a_cancelled_run_publishes_nothing_more),
        TEST(encoding_again_gives_the_same_commands),
        TEST(a_pace_follows_measured_time),
    };
#undef TEST
    return cmocka_run_group_tests(tests, NULL, NULL);
}
