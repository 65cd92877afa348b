/* SPDX-License-Identifier: MIT */
/*
 * Barriers of random graphs, checked by a model of what Vulkan promises: work is ordered after
 * other work by scopes and chains of them, and sees what was made available and visible to it. The
 * model looks at pairs of accesses that overlap; nothing in it knows how hazards were found.
 */
#include "fake_vulkan.h"

#include "cmocka_all.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NODES = 40, USES = 3, BUFFERS = 2, BUFFER_WORDS = 48, OPERATIONS = NODES * USES * 2 };

/** A use as the model knows it. */
struct use {
    bool is_together; /**< with others that are: in no order */
    uint32_t buffer;
    uint64_t begin, end;
    VkPipelineStageFlags stages;
    VkAccessFlags reads, writes;
};

struct node {
    bool publishes;
    uint32_t use_count;
    struct use uses[USES];
};

struct model {
    uint32_t node_count;
    struct node nodes[NODES];
};

/** One use in one stage, after it was encoded. */
struct operation {
    uint32_t node;
    const struct use *use;
    VkPipelineStageFlags stage;
    VkPipelineStageFlags after; /**< stages that are ordered after it */
    bool is_available;
    VkAccessFlags visible[32]; /**< by stage bit */
};

struct state {
    struct operation operations[OPERATIONS];
    uint32_t operation_count;
};

static uint32_t seed;

static uint32_t any(uint32_t below)
{
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed % below;
}

/* Nodes. */

struct place {
    VkPipelineStageFlags stages;
    VkAccessFlags reads, writes;
};

static const struct place kernel_place = { VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT,
                                           VK_ACCESS_SHADER_READ_BIT, VK_ACCESS_SHADER_WRITE_BIT };
static const struct place transfer_place = { VK_PIPELINE_STAGE_TRANSFER_BIT,
                                             VK_ACCESS_TRANSFER_READ_BIT,
                                             VK_ACCESS_TRANSFER_WRITE_BIT };
static const struct place call_places[] = {
    { VK_PIPELINE_STAGE_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_FRAGMENT_SHADER_BIT,
      VK_ACCESS_SHADER_READ_BIT, VK_ACCESS_SHADER_WRITE_BIT },
    { VK_PIPELINE_STAGE_TRANSFER_BIT, VK_ACCESS_TRANSFER_READ_BIT, VK_ACCESS_TRANSFER_WRITE_BIT },
    { VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, VK_ACCESS_SHADER_READ_BIT, VK_ACCESS_SHADER_WRITE_BIT },
};
static const struct place publish_places[] = {
    { VK_PIPELINE_STAGE_VERTEX_INPUT_BIT, VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT, 0 },
    { VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT, VK_ACCESS_INDIRECT_COMMAND_READ_BIT, 0 },
    { VK_PIPELINE_STAGE_HOST_BIT, VK_ACCESS_HOST_READ_BIT, 0 },
};

static struct fg_compute_view view_of(const struct use *use)
{
    return (struct fg_compute_view){ .buffer = (VkBuffer)(uintptr_t)(use->buffer + 1),
                                     .offset_bytes = use->begin,
                                     .size_bytes = use->end - use->begin };
}

static struct use make_use(const struct place *place, uint32_t access)
{
    const uint32_t begin = any(BUFFER_WORDS);
    const uint32_t count = 1 + any(BUFFER_WORDS / 4);
    const uint32_t end = begin + count < BUFFER_WORDS ? begin + count : BUFFER_WORDS;
    return (struct use){ .buffer = any(BUFFERS),
                         .begin = begin * sizeof(uint32_t),
                         .end = end * sizeof(uint32_t),
                         .stages = place->stages,
                         .reads = (access & FG_COMPUTE_READ) != 0 ? place->reads : 0,
                         .writes = (access & FG_COMPUTE_WRITE) != 0 ? place->writes : 0 };
}

static void call_nothing(void *context, VkCommandBuffer commands)
{
    (void)context;
    (void)commands;
}

static const uint32_t some_words[1] = { 0 };
static const struct fg_compute_kernel kernel = { .name = "kernel",
                                                 .code = { { some_words, sizeof some_words } } };

/** Uses that are said; all but one of a kernel's let the graph know where. */
static void say_uses(struct fg_compute_node *node, const struct node *known,
                     struct fg_compute_use *out_uses, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        const struct use *use = &known->uses[i];
        const uint32_t access = (use->reads != 0 ? FG_COMPUTE_READ : 0u) |
                                (use->writes != 0 ? FG_COMPUTE_WRITE : 0u) |
                                (use->is_together ? FG_COMPUTE_TOGETHER : 0u);
        out_uses[i] = (struct fg_compute_use){ .view = view_of(use), .access = access };
        if (node->kind == FG_COMPUTE_CALL || node->kind == FG_COMPUTE_PUBLISH) {
            out_uses[i].stages = use->stages;
            out_uses[i].accesses = use->reads | use->writes;
        }
    }
    node->uses = out_uses;
    node->use_count = count;
}

static void make_kernel(struct fg_compute_node *node, struct node *known)
{
    known->use_count = 1 + any(2);
    for (uint32_t i = 0; i < known->use_count; i++) {
        known->uses[i] = make_use(&kernel_place, 1 + any(3));
        known->uses[i].is_together = known->uses[i].writes != 0 && any(2) == 0;
    }
    node->kind = FG_COMPUTE_DISPATCH;
    node->program.kernel = &kernel;
    node->group_count = 1;
}

/** The arguments are the last use, which is not said. */
static void make_indirect(struct fg_compute_node *node, struct node *known)
{
    static const struct place place = { VK_PIPELINE_STAGE_DRAW_INDIRECT_BIT,
                                        VK_ACCESS_INDIRECT_COMMAND_READ_BIT, 0 };
    make_kernel(node, known);
    struct use *use = &known->uses[known->use_count];
    *use = make_use(&place, FG_COMPUTE_READ);
    use->begin = any(BUFFER_WORDS - 3) * sizeof(uint32_t);
    use->end = use->begin + 3 * sizeof(uint32_t);
    node->kind = FG_COMPUTE_DISPATCH_INDIRECT;
    node->arguments = view_of(use);
    known->use_count++;
}

static void make_fill(struct fg_compute_node *node, struct node *known)
{
    known->use_count = 1;
    known->uses[0] = make_use(&transfer_place, FG_COMPUTE_WRITE);
    node->kind = FG_COMPUTE_FILL;
    node->target = view_of(&known->uses[0]);
}

static void make_copy(struct fg_compute_node *node, struct node *known)
{
    struct use *to = &known->uses[0];
    struct use *from = &known->uses[1];
    known->use_count = 2;
    *to = make_use(&transfer_place, FG_COMPUTE_WRITE);
    *from = make_use(&transfer_place, FG_COMPUTE_READ);
    from->buffer = (to->buffer + 1) % BUFFERS;
    const uint64_t to_bytes = to->end - to->begin;
    const uint64_t from_bytes = from->end - from->begin;
    const uint64_t size_bytes = to_bytes < from_bytes ? to_bytes : from_bytes;
    to->end = to->begin + size_bytes;
    from->end = from->begin + size_bytes;
    node->kind = FG_COMPUTE_COPY;
    node->source = view_of(from);
    node->target = view_of(to);
}

static void make_call(struct fg_compute_node *node, struct node *known)
{
    known->use_count = 1 + any(2);
    for (uint32_t i = 0; i < known->use_count; i++) {
        known->uses[i] = make_use(&call_places[any(3)], 1 + any(3));
    }
    node->kind = FG_COMPUTE_CALL;
    node->call = call_nothing;
}

static void make_publication(struct fg_compute_node *node, struct node *known, bool to_host)
{
    known->publishes = true;
    known->use_count = 1 + any(2);
    for (uint32_t i = 0; i < known->use_count; i++) {
        known->uses[i] = make_use(&publish_places[any(to_host ? 3 : 2)], FG_COMPUTE_READ);
    }
    node->kind = FG_COMPUTE_PUBLISH;
}

static void add_node(struct fg_compute_graph *graph, struct model *model, bool to_host)
{
    struct node *known = &model->nodes[model->node_count];
    struct fg_compute_node node = { 0 };
    struct fg_compute_use uses[USES];
    char name[16];
    *known = (struct node){ 0 };
    switch (any(14)) {
    case 0:
    case 1:
        make_fill(&node, known);
        break;
    case 2:
    case 3:
        make_copy(&node, known);
        break;
    case 4:
        make_publication(&node, known, to_host);
        break;
    case 5:
    case 6:
        make_call(&node, known);
        break;
    case 7:
    case 8:
        make_indirect(&node, known);
        break;
    default:
        make_kernel(&node, known);
    }
    uint32_t said = known->use_count;
    if (node.kind == FG_COMPUTE_FILL || node.kind == FG_COMPUTE_COPY) {
        said = 0;
    } else if (node.kind == FG_COMPUTE_DISPATCH_INDIRECT) {
        said--;
    }
    (void)snprintf(name, sizeof name, "%u", model->node_count);
    node.name = name;
    say_uses(&node, known, uses, said);
    assert_int_equal(fg_compute_graph_add(graph, &node), FG_OK);
    model->node_count++;
}

/* What Vulkan promises. */

static bool overlap(const struct use *a, const struct use *b)
{
    return a->buffer == b->buffer && a->begin < b->end && b->begin < a->end;
}

static bool conflict(const struct use *a, const struct use *b)
{
    return overlap(a, b) && (a->writes != 0 || b->writes != 0) &&
           !(a->is_together && b->is_together);
}

/** All scopes of one barrier apply to what was before it: they make no chain with each other. */
static void apply_barrier(struct state *state, const struct fake_command *barrier)
{
    for (uint32_t i = 0; i < state->operation_count; i++) {
        struct operation *operation = &state->operations[i];
        const VkPipelineStageFlags after = operation->after;
        const bool was_available = operation->is_available;
        for (uint32_t s = 0; s < barrier->scope_count; s++) {
            const struct fake_scope *scope = &barrier->scopes[s];
            const bool is_direct = (operation->stage & scope->from_stages) != 0;
            if (!is_direct && (after & scope->from_stages) == 0) {
                continue;
            }
            const bool makes_available =
                is_direct && (operation->use->writes & ~scope->from_accesses) == 0;
            operation->after |= (VkPipelineStageFlags)scope->to_stages;
            if (was_available || makes_available) {
                operation->is_available = true;
                for (uint32_t bit = 0; bit < 32; bit++) {
                    operation->visible[bit] |=
                        (scope->to_stages >> bit & 1) != 0 ? (VkAccessFlags)scope->to_accesses : 0;
                }
            }
        }
    }
}

/** What is wrong with this use in this stage, after that operation; NULL when nothing is. */
static const char *find_wrong(const struct operation *before, uint32_t node, const struct use *use,
                              uint32_t bit)
{
    const VkPipelineStageFlags stage = 1u << bit;
    const bool is_host = stage == VK_PIPELINE_STAGE_HOST_BIT;
    if (before->node == node || !conflict(before->use, use)) {
        return NULL;
    }
    if (before->node > node) {
        return "comes too early";
    }
    if (before->use->writes != 0 && use->reads != 0 && (use->reads & ~before->visible[bit]) != 0) {
        return "does not see what was written";
    }
    if (is_host || (before->use->writes == 0 && before->stage == VK_PIPELINE_STAGE_HOST_BIT)) {
        return NULL;
    }
    if ((before->after & stage) == 0) {
        return "does not wait";
    }
    if (before->use->writes != 0 && !before->is_available) {
        return "may be overwritten by what was written before";
    }
    return NULL;
}

static const char *apply_node(const struct model *model, struct state *state, uint32_t index)
{
    const struct node *node = &model->nodes[index];
    const uint32_t known_count = state->operation_count;
    for (uint32_t u = 0; u < node->use_count; u++) {
        const struct use *use = &node->uses[u];
        for (uint32_t bit = 0; bit < 32; bit++) {
            if ((use->stages >> bit & 1) == 0) {
                continue;
            }
            for (uint32_t i = 0; i < known_count; i++) {
                const char *wrong = find_wrong(&state->operations[i], index, use, bit);
                if (wrong != NULL) {
                    return wrong;
                }
            }
            state->operations[state->operation_count++] =
                (struct operation){ .node = index, .use = use, .stage = 1u << bit };
        }
    }
    return NULL;
}

/** Everything that was encoded, without one barrier. */
static const char *check_without(const struct model *model, size_t left_out)
{
    static struct state state;
    bool done[NODES] = { false };
    memset(&state, 0, sizeof state);
    for (size_t i = 0; i < fake.command_count; i++) {
        const struct fake_command *command = &fake.commands[i];
        if (command->kind == FAKE_BARRIER && i != left_out) {
            apply_barrier(&state, command);
        } else if (command->kind == FAKE_MARK) {
            /* Publications part what was added before from what was added later. */
            for (uint32_t other = 0; other < model->node_count; other++) {
                if (model->nodes[command->mark].publishes &&
                    done[other] != (other < command->mark)) {
                    return "is not where it was added";
                }
            }
            done[command->mark] = true;
            const char *wrong = apply_node(model, &state, command->mark);
            if (wrong != NULL) {
                return wrong;
            }
        }
    }
    return NULL;
}

/** The fewest barriers that this order can do with, as each can be as good as any. */
static uint32_t count_needed(const struct model *model)
{
    uint32_t since[NODES];
    uint32_t since_count = 0;
    uint32_t needed = 0;
    for (size_t i = 0; i < fake.command_count; i++) {
        bool waits = false;
        if (fake.commands[i].kind != FAKE_MARK) {
            continue;
        }
        const struct node *node = &model->nodes[fake.commands[i].mark];
        for (uint32_t s = 0; s < since_count; s++) {
            const struct node *other = &model->nodes[since[s]];
            for (uint32_t a = 0; a < node->use_count; a++) {
                for (uint32_t b = 0; b < other->use_count; b++) {
                    waits = waits || conflict(&node->uses[a], &other->uses[b]);
                }
            }
        }
        if (waits) {
            needed++;
            since_count = 0;
        }
        since[since_count++] = fake.commands[i].mark;
    }
    return needed;
}

/* Tests. */

static void mark_node(void *context, VkCommandBuffer commands, const struct fg_compute_node *node,
                      const struct fg_compute_workload *workload)
{
    (void)context, (void)commands, (void)workload;
    fake_mark((uint32_t)atoi(node->name));
}

/** @param to_host publish for the host too. What comes after waits for the writer alone, which
 * other barriers may have seen to in two steps: some of them are then more than needed. */
static void check_graphs(uint32_t first, uint32_t count, uint32_t flags, uint32_t compute_flags,
                         bool to_host)
{
    static struct model model;
    struct fg_compute *compute = NULL;
    struct fg_compute_graph *graph = NULL;
    fake_reset();
    struct fg_compute_options options = fake_options();
    options.flags |= compute_flags;
    assert_int_equal(fg_compute_create(&options, &compute, NULL), FG_OK);
    const struct fg_compute_graph_options graph_options = {
        .flags = flags | FG_COMPUTE_GRAPH_ENTERED, .listener = { .node_begin = mark_node }
    };
    assert_int_equal(fg_compute_graph_create(compute, &graph_options, &graph), FG_OK);
    for (uint32_t at = first; at < first + count; at++) {
        struct fg_compute_graph_counts counts;
        seed = at * 2654435761u | 1u;
        model.node_count = 0;
        fg_compute_graph_clear(graph);
        fake_forget();
        const uint32_t node_count = 1 + any(NODES);
        for (uint32_t i = 0; i < node_count; i++) {
            add_node(graph, &model, to_host);
        }
        assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
        assert_int_equal(fg_compute_graph_encode(graph, fake_commands()), FG_OK);
        fg_compute_graph_get_counts(graph, &counts);
        const char *wrong = check_without(&model, SIZE_MAX);
        if (wrong != NULL) {
            fail_msg("graph %u: a node %s", at, wrong);
        }
        uint32_t barriers = 0;
        for (size_t i = 0; i < fake.command_count; i++) {
            if (fake.commands[i].kind == FAKE_BARRIER) {
                barriers++;
                if (!to_host && check_without(&model, i) == NULL) {
                    fail_msg("graph %u: the barrier at %zu is not needed", at, i);
                }
            }
        }
        assert_int_equal(counts.barriers, barriers);
        if (!to_host) {
            assert_int_equal(barriers, count_needed(&model));
        }
    }
    fg_compute_graph_destroy(graph);
    fg_compute_destroy(compute);
    assert_int_equal(fake.alive, 0);
    fake_forget();
}

static void every_hazard_has_its_barrier_and_no_barrier_is_for_nothing(void **state)
{
    (void)state;
    check_graphs(1, 600, 0, 0, false);
}

static void nodes_in_the_order_of_addition_have_them_as_well(void **state)
{
    (void)state;
    check_graphs(10000, 300, FG_COMPUTE_GRAPH_IN_ORDER, 0, false);
}

static void barriers_of_the_older_kind_are_enough(void **state)
{
    (void)state;
    check_graphs(20000, 300, 0, FG_COMPUTE_NO_SYNCHRONIZATION2, false);
}

static void the_host_sees_what_is_published_for_it(void **state)
{
    (void)state;
    check_graphs(30000, 400, 0, 0, true);
}

/** Two chains that have nothing to do with each other, added in turn. */
static void what_does_not_wait_for_each_other_shares_barriers(void **state)
{
    (void)state;
    enum { LENGTH = 20, CHAINS = 3 };
    struct fg_compute *compute = NULL;
    fake_reset();
    const struct fg_compute_options options = fake_options();
    assert_int_equal(fg_compute_create(&options, &compute, NULL), FG_OK);
    for (int in_order = 0; in_order < 2; in_order++) {
        struct fg_compute_graph_counts counts;
        struct fg_compute_graph *graph = NULL;
        const struct fg_compute_graph_options graph_options = {
            .flags = in_order ? FG_COMPUTE_GRAPH_IN_ORDER : 0
        };
        assert_int_equal(fg_compute_graph_create(compute, &graph_options, &graph), FG_OK);
        for (uint32_t chain = 0; chain < CHAINS; chain++) {
            const struct fg_compute_use use = {
                .view = { (VkBuffer)(uintptr_t)1, chain * 64, 64, 0 },
                .access = FG_COMPUTE_READ_WRITE,
            };
            for (uint32_t i = 0; i < LENGTH; i++) {
                assert_int_equal(
                    fg_compute_graph_add(
                        graph, FG_COMPUTE_NODE(.name = "link", .program = { .kernel = &kernel },
                                               .group_count = 1, .uses = &use, .use_count = 1)),
                    FG_OK);
            }
        }
        assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
        fg_compute_graph_get_counts(graph, &counts);
        /* One at the beginning, and one before each link but the first. */
        assert_int_equal(counts.barriers, in_order ? 1 + CHAINS * (LENGTH - 1) : LENGTH);
        assert_int_equal(counts.hazards, CHAINS * (LENGTH - 1));
        fg_compute_graph_destroy(graph);
    }
    fg_compute_destroy(compute);
}

/** What counts into the same words does so at once. */
static void nodes_that_write_together_wait_for_what_was_before_only(void **state)
{
    (void)state;
    enum { WRITERS = 10 };
    const struct fg_compute_view view = { (VkBuffer)(uintptr_t)1, 0, 64, 0 };
    const struct fg_compute_use counts_in = { .view = view,
                                              .access =
                                                  FG_COMPUTE_READ_WRITE | FG_COMPUTE_TOGETHER };
    const struct fg_compute_use reads = { .view = view, .access = FG_COMPUTE_READ };
    struct fg_compute *compute = NULL;
    struct fg_compute_graph *graph = NULL;
    struct fg_compute_graph_counts counts;
    fake_reset();
    const struct fg_compute_options options = fake_options();
    assert_int_equal(fg_compute_create(&options, &compute, NULL), FG_OK);
    assert_int_equal(fg_compute_graph_create(compute, NULL, &graph), FG_OK);
    assert_int_equal(
        fg_compute_graph_add(
            graph, FG_COMPUTE_NODE(.name = "zero", .kind = FG_COMPUTE_FILL, .target = view)),
        FG_OK);
    for (uint32_t i = 0; i < WRITERS + 1; i++) {
        const struct fg_compute_node node = { .name = "node",
                                              .program = { .kernel = &kernel },
                                              .group_count = 1,
                                              .uses = i < WRITERS ? &counts_in : &reads,
                                              .use_count = 1 };
        assert_int_equal(fg_compute_graph_add(graph, &node), FG_OK);
    }
    assert_int_equal(fg_compute_graph_compile(graph), FG_OK);
    fg_compute_graph_get_counts(graph, &counts);
    assert_int_equal(counts.levels, 3);
    assert_int_equal(counts.hazards, 2 * WRITERS);
    fg_compute_graph_destroy(graph);
    fg_compute_destroy(compute);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_hazard_has_its_barrier_and_no_barrier_is_for_nothing),
        cmocka_unit_test(nodes_in_the_order_of_addition_have_them_as_well),
        cmocka_unit_test(barriers_of_the_older_kind_are_enough),
        cmocka_unit_test(the_host_sees_what_is_published_for_it),
        cmocka_unit_test(what_does_not_wait_for_each_other_shares_barriers),
        cmocka_unit_test(nodes_that_write_together_wait_for_what_was_before_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
