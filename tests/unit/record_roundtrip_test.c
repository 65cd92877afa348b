/* SPDX-License-Identifier: MIT */
/*
 * What was told is what is read: structure, work, submissions, reused and nested command buffers.
 */
#include "record_bed.h"
#include "../support/cmocka_all.h"

#include <stdio.h>
#include <string.h>

static const char *const scopes_a[] = { "view", "shadows" };
static const char *const scopes_b[] = { "view" };
static const uint32_t index_0[] = { 0 };
static const uint32_t index_2[] = { 2 };

static const struct fg_graph_pass graph_passes[] = {
    { .id = 100,
      .name = "cascade",
      .scopes = scopes_a,
      .scope_count = 2,
      .ref_count = 1,
      .creates = index_0,
      .create_count = 1 },
    { .id = 101,
      .name = "draw",
      .scopes = scopes_b,
      .scope_count = 1,
      .ref_count = 2,
      .reads = index_0,
      .read_count = 1,
      .writes = index_2,
      .write_count = 1 },
    { .id = 102,
      .name = "unused",
      .flags = FG_GRAPH_PASS_CULLED,
      .reads = index_0,
      .read_count = 1 },
    { .id = 103,
      .name = "present",
      .flags = FG_GRAPH_PASS_SIDE_EFFECT | FG_GRAPH_PASS_ASYNC,
      .reads = index_2,
      .read_count = 1 },
};
static const struct fg_graph_resource graph_resources[] = {
    { .id = 7,
      .name = "shadow map",
      .flags = FG_RESOURCE_TRANSIENT,
      .desc = { .kind = FG_RESOURCE_TEXTURE,
                .usage = 0x24,
                .format = 126, /* D32_SFLOAT */
                .width = 1024,
                .height = 512,
                .layers = 4,
                .mips = 2 } },
    { .id = 8,
      .name = "back buffer",
      .flags = FG_RESOURCE_IMPORTED,
      .desc = { .kind = FG_RESOURCE_TEXTURE, .format = 44, .width = 10, .height = 10 } },
    { .id = 8,
      .version = 1,
      .name = "back buffer",
      .flags = FG_RESOURCE_IMPORTED,
      .desc = { .kind = FG_RESOURCE_TEXTURE, .format = 44, .width = 10, .height = 10 } },
    { .id = 9,
      .name = "lights",
      .flags = FG_RESOURCE_CLEARED,
      .desc = { .kind = FG_RESOURCE_BUFFER,
                .usage = 0x20,
                .size_bytes = 4096,
                .clear_offset_bytes = 16,
                .clear_size_bytes = 64 } },
    { .id = 10, .name = "something" },
};
static const struct fg_graph_edge graph_edges[] = { { 0, 3 } };
static const struct fg_graph_desc graph = { .name = "main",
                                            .passes = graph_passes,
                                            .pass_count = 4,
                                            .resources = graph_resources,
                                            .resource_count = 5,
                                            .edges = graph_edges,
                                            .edge_count = 1 };

static void assert_symbol(const struct fg_capture *capture, uint32_t symbol, const char *text)
{
    assert_string_equal(fg_capture_symbol(capture, symbol, NULL), text);
}

static void check_passes(const struct fg_capture *capture, const struct fg_cap_topology *topology)
{
    assert_int_equal(topology->pass_count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct fg_cap_graph_pass *pass = &topology->passes[i];
        assert_int_equal(pass->id, graph_passes[i].id);
        assert_symbol(capture, pass->name, graph_passes[i].name);
        assert_int_equal(pass->read_count, graph_passes[i].read_count);
        assert_int_equal(pass->write_count, graph_passes[i].write_count);
        assert_int_equal(pass->create_count, graph_passes[i].create_count);
    }
    assert_int_equal(topology->passes[1].reads[0], 0);
    assert_int_equal(topology->passes[1].writes[0], 2);
    assert_int_equal(topology->passes[2].flags, 0); /* culling is the frame's */
    assert_int_equal(topology->passes[3].flags, FG_CAP_PASS_SIDE_EFFECT | FG_CAP_PASS_ASYNC);
    const struct fg_cap_scope *inner = &topology->scopes[topology->passes[0].scope];
    assert_symbol(capture, inner->name, "shadows");
    assert_symbol(capture, topology->scopes[inner->parent].name, "view");
    assert_int_equal(topology->passes[1].scope, inner->parent); /* one forest, scopes shared */
    assert_int_equal(topology->passes[2].scope, FG_CAP_NONE);
    assert_int_equal(topology->scope_count, 2);
}

static void check_topology(const struct fg_capture *capture, const struct fg_cap_topology *topology)
{
    const struct fg_cap_resource *resources = topology->resources;
    assert_symbol(capture, topology->name, "main");
    check_passes(capture, topology);
    assert_int_equal(topology->resource_count, 5);
    assert_symbol(capture, resources[0].name, "shadow map");
    assert_int_equal(resources[0].flags, FG_CAP_RESOURCE_TRANSIENT);
    assert_int_equal(resources[0].producer, 0);
    assert_int_equal(resources[0].footprint_bytes, (1024 * 512 + 512 * 256) * 4 * 4);
    assert_int_equal(resources[0].format, 126);
    assert_int_equal(resources[0].layer_count, 4);
    assert_int_equal(resources[0].mip_count, 2);
    assert_int_equal(resources[0].dimension, 2);
    assert_int_equal(resources[0].sample_count, 1);
    assert_int_equal(resources[0].usage, 0x24);
    assert_int_equal(resources[1].producer, FG_CAP_NONE);
    assert_int_equal(resources[2].producer, 1);
    assert_int_equal(resources[2].version, 1);
    assert_int_equal(resources[2].id, resources[1].id);
    assert_int_equal(resources[3].kind, FG_CAP_RESOURCE_BUFFER);
    assert_int_equal(resources[3].size_bytes, 4096);
    assert_int_equal(resources[3].footprint_bytes, 4096);
    assert_int_equal(resources[3].clear_offset, 16);
    assert_int_equal(resources[3].clear_bytes, 64);
    assert_int_equal(resources[4].kind, FG_CAP_RESOURCE_OTHER);
    assert_true(resources[4].footprint_bytes == FG_CAP_UNKNOWN); /* unknown is not zero */
    assert_int_equal(topology->edge_count, 1);
    assert_int_equal(topology->edges[0].to, 3);
    assert_int_equal(topology->gpu_pass_count, 2);
    assert_int_equal(topology->gpu_passes[1].owner, 1);
}

static void a_graph_is_read_back_as_it_was_described(void **state)
{
    struct bed bed;
    struct seen seen;
    size_t size;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_frame_set_graph(bed.frame, &graph);
    for (uint32_t pass = 0; pass < 2; pass++) {
        fg_commands_graph_pass_begin(bed.commands[0], pass, graph_passes[pass].name);
        bed_pass(&bed, 0, "gpu", 100);
        fg_software_advance(bed.device, 5000);
        fg_commands_graph_pass_end(bed.commands[0]);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const void *bytes = fg_session_bytes(bed.session, &size);
    seen_topology(bytes, size, seen.frames[0].topology, check_topology);
    const struct fg_cap_cpu_pass *passes = seen.frames[0].cpu_passes;
    assert_int_equal(seen.frames[0].cpu_pass_count, 4);
    assert_int_equal(passes[0].end_ticks - passes[0].begin_ticks, 5000);
    assert_int_equal(passes[1].ref_count, 2);
    assert_int_equal(passes[2].graph_pass, 2);
    assert_int_equal(passes[2].flags, FG_CAP_CPU_PASS_CULLED);
    assert_int_equal(passes[3].flags, 0); /* ran, but recorded nothing that was watched */
    seen_free(&seen);
    bed_close(&bed);
}

static void equal_graphs_share_a_topology_and_culling_does_not_part_them(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    for (uint32_t i = 0; i < 30; i++) {
        struct fg_graph_pass passes[4];
        char name[16];
        memcpy(passes, graph_passes, sizeof passes);
        (void)snprintf(name, sizeof name, "%s", "draw"); /* another address every time */
        passes[1].name = name;
        passes[2].flags = i % 2 == 0 ? FG_GRAPH_PASS_CULLED : 0;
        passes[1].ref_count = i;
        struct fg_graph_desc desc = graph;
        desc.passes = passes;
        desc.revision = i < 20 ? 0 : 5;
        if (i >= 25) {
            passes[3].name = "renamed";
            desc.revision = 6;
        }
        bed_begin(&bed, 1);
        fg_frame_set_graph(bed.frame, &desc);
        fg_commands_graph_pass_begin(bed.commands[0], 1, NULL);
        bed_pass(&bed, 0, "gpu", 100);
        fg_commands_graph_pass_end(bed.commands[0]);
        bed_end(&bed);
    }
    seen_bed(&seen, &bed);
    assert_int_equal(seen.topology_count, 2);
    for (uint32_t i = 0; i < 30; i++) {
        assert_int_equal(seen.frames[i].topology == seen.frames[0].topology, i < 25);
        assert_int_equal(seen.frames[i].cpu_passes[0].ref_count, i);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void other_gpu_passes_under_an_equal_graph_are_another_topology(void **state)
{
    struct bed bed;
    struct seen seen;
    static const char *const labels[] = { "refresh", "refrain", "refresh" };
    (void)state;
    bed_open(&bed, NULL, NULL);
    for (int i = 0; i < 4; i++) {
        bed_begin(&bed, 1);
        fg_frame_set_graph(bed.frame, &graph);
        fg_commands_graph_pass_begin(bed.commands[0], i < 3 ? 0 : 1, NULL);
        bed_pass(&bed, 0, labels[i % 3], 100);
        fg_commands_graph_pass_end(bed.commands[0]);
        bed_end(&bed);
    }
    seen_bed(&seen, &bed);
    assert_int_equal(seen.topology_count, 3); /* another label; another owner */
    for (int i = 0; i < 4; i++) {
        assert_string_equal(seen.frames[i].passes[0].label, labels[i % 3]);
        assert_int_equal(seen.frames[i].passes[0].graph_pass, i < 3 ? 0 : 1);
    }
    assert_int_equal(seen.frames[0].topology, seen.frames[2].topology);
    seen_free(&seen);
    bed_close(&bed);
}

static void topologies_that_churn_are_stored_each_and_stay_right(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    for (uint32_t i = 0; i < 200; i++) { /* more than the writer keeps, and all come again */
        char label[24];
        (void)snprintf(label, sizeof label, "churn %u", i % 100);
        struct fg_graph_pass pass = { .name = label };
        bed_begin(&bed, 1);
        fg_frame_set_graph(bed.frame, &(struct fg_graph_desc){ .passes = &pass, .pass_count = 1 });
        fg_commands_graph_pass_begin(bed.commands[0], 0, label);
        bed_pass(&bed, 0, label, 100);
        fg_commands_graph_pass_end(bed.commands[0]);
        bed_end(&bed);
    }
    seen_bed(&seen, &bed);
    assert_true(seen.topology_count >= 100);
    for (uint32_t i = 0; i < 200; i++) {
        char label[24];
        (void)snprintf(label, sizeof label, "churn %u", i % 100);
        assert_string_equal(seen.frames[i].passes[0].label, label);
        assert_string_equal(seen.frames[i].passes[0].owner, label);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void a_graph_with_an_index_out_of_range_is_refused_and_counted(void **state)
{
    struct bed bed;
    struct seen seen;
    uint32_t wrong[] = { 5 };
    struct fg_graph_pass pass = { .name = "p", .reads = wrong, .read_count = 1 };
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    fg_frame_set_graph(bed.frame, &(struct fg_graph_desc){ .passes = &pass,
                                                           .pass_count = 1,
                                                           .resources = graph_resources,
                                                           .resource_count = 5 });
    fg_commands_graph_pass_begin(bed.commands[0], 0, "p");
    bed_pass(&bed, 0, "gpu", 100);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].passes[0].graph_pass, FG_CAP_NONE);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_OTHER], 1);
    seen_free(&seen);
    bed_close(&bed);
}

static void work_is_read_back_as_it_was_told(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    uint32_t known = fg_pipeline_register(
        bed.device, &(struct fg_pipeline_desc){ .label = "cull", .workgroup = { 64, 1, 1 } });
    uint32_t again = fg_pipeline_register(
        bed.device, &(struct fg_pipeline_desc){ .label = "cull", .workgroup = { 64, 1, 1 } });
    uint32_t unknown =
        fg_pipeline_register(bed.device, &(struct fg_pipeline_desc){ .label = "spec" });
    assert_int_equal(known, again);
    assert_int_not_equal(known, unknown);
    const struct fg_attachment attachments[] = {
        { .format = 44,
          .load = FG_LOAD_CLEAR,
          .store = FG_STORE_STORE,
          .samples = 4,
          .width = 10,
          .height = 11,
          .resource = 8 },
        { .kind = FG_ATTACHMENT_DEPTH,
          .format = 126,
          .load = FG_LOAD_LOAD,
          .store = FG_STORE_DISCARD,
          .resource = 7 },
        { .format = 1, .resource = 12345 },
    };
    bed_begin(&bed, 1);
    struct fg_commands *commands = bed.commands[0];
    fg_frame_set_graph(bed.frame, &graph);
    fg_gpu_dispatch(commands, 1, 1, 1); /* outside of every pass: counted */
    fg_commands_graph_pass_begin(commands, 1, "draw");
    fg_gpu_pass_begin(commands, &(struct fg_gpu_pass_desc){ .kind = FG_GPU_PASS_RENDER,
                                                            .attachments = attachments,
                                                            .attachment_count = 3 });
    fg_gpu_draw(commands, 3, 2);
    fg_gpu_draw(commands, 3, 2);
    fg_gpu_draw(commands, 3, 2);
    fg_gpu_draw_indexed(commands, 36, 100);
    fg_gpu_draw_indexed_indirect(commands, &(struct fg_indirect){ .buffer = 55,
                                                                  .offset_bytes = 40,
                                                                  .draw_count = 9,
                                                                  .stride_bytes = 20,
                                                                  .count_buffer = 56,
                                                                  .resource = 9 });
    fg_gpu_pass_end(commands);
    fg_gpu_pass_begin(commands, NULL);
    fg_gpu_pipeline(commands, known);
    fg_gpu_dispatch(commands, 4, 5, 6);
    fg_gpu_pipeline(commands, unknown);
    fg_gpu_dispatch(commands, 4, 5, 6);
    fg_gpu_dispatch_indirect(commands, &(struct fg_indirect){ .buffer = 77, .offset_bytes = 12 });
    fg_gpu_copy(commands, 65536);
    fg_gpu_clear(commands);
    fg_gpu_pass_end(commands);
    fg_commands_graph_pass_end(commands);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_pass *draw = &seen.frames[0].passes[0];
    assert_int_equal(draw->work_count, 3);
    assert_int_equal(draw->works[0].repeat, 3);
    assert_int_equal(draw->works[0].x, 3);
    assert_int_equal(draw->works[0].y, 2);
    assert_int_equal(draw->works[1].kind, FG_CAP_WORK_DRAW_INDEXED);
    assert_int_equal(draw->works[1].x, 36);
    assert_int_equal(draw->works[2].kind, FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT);
    assert_int_equal(draw->works[2].buffer, 9);
    assert_int_equal(draw->works[2].offset, 40);
    assert_int_equal(draw->works[2].draw_count, 9);
    assert_int_equal(draw->works[2].stride_bytes, 20);
    assert_int_equal(draw->attachment_count, 3);
    assert_int_equal(draw->attachments[0].load, FG_CAP_LOAD_CLEAR);
    assert_int_equal(draw->attachments[0].store, FG_CAP_STORE_STORE);
    assert_int_equal(draw->attachments[0].sample_count, 4);
    assert_int_equal(draw->attachments[0].resource, 2); /* the version that this pass writes */
    assert_int_equal(draw->attachments[1].kind, FG_CAP_ATTACHMENT_DEPTH);
    assert_int_equal(draw->attachments[1].resource, 0); /* the one that it reads */
    assert_int_equal(draw->attachments[2].resource, FG_CAP_NONE);
    const struct seen_pass *compute = &seen.frames[0].passes[1];
    assert_int_equal(compute->work_count, 5);
    assert_string_equal(compute->pipelines[0], "cull");
    assert_int_equal(compute->works[0].workgroup_x, 64);
    assert_string_equal(compute->pipelines[1], "spec");
    assert_int_equal(compute->works[1].workgroup_x, 0); /* unknown */
    assert_int_equal(compute->works[2].buffer, 77);
    assert_int_equal(compute->works[2].offset, 12);
    assert_int_equal(compute->works[3].kind, FG_CAP_WORK_COPY);
    assert_int_equal(compute->works[3].x, 65536);
    assert_int_equal(compute->works[4].kind, FG_CAP_WORK_CLEAR);
    assert_int_equal(seen.frames[0].drops[FG_CAP_DROP_OTHER], 1);
    seen_free(&seen);
    bed_close(&bed);
}

static void bindings_hold_until_they_are_replaced(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, &(struct fg_session_options){ .level = FG_LEVEL_VERBOSE });
    bed_begin(&bed, 1);
    struct fg_commands *commands = bed.commands[0];
    for (uint32_t i = 0; i < 2; i++) {
        struct fg_binding set[] = {
            { .kind = FG_BINDING_UNIFORM_BUFFER, .slot = 0, .resource = 10 + i },
            { .kind = FG_BINDING_STORAGE_TEXTURE,
              .set = 1,
              .slot = 3,
              .element = 2,
              .resource = 20,
              .offset_bytes = 4,
              .size_bytes = 8 },
        };
        fg_gpu_pass_begin(commands, NULL);
        fg_gpu_bind(commands, set, i == 0 ? 2 : 1); /* the second time only one changes */
        fg_gpu_dispatch(commands, 1, 1, 1);
        fg_gpu_pass_end(commands);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    for (uint32_t i = 0; i < 2; i++) {
        const struct seen_pass *pass = &seen.frames[0].passes[i];
        assert_int_equal(pass->works[0].binding_count, 2);
        assert_int_equal(pass->bindings[0].resource, 10 + i);
        assert_true(pass->bindings[0].size_bytes == FG_CAP_UNKNOWN);
        assert_int_equal(pass->bindings[1].set, 1);
        assert_int_equal(pass->bindings[1].slot, 3);
        assert_int_equal(pass->bindings[1].element, 2);
        assert_int_equal(pass->bindings[1].kind, FG_CAP_BINDING_STORAGE_TEXTURE);
        assert_int_equal(pass->bindings[1].offset, 4);
        assert_int_equal(pass->bindings[1].size_bytes, 8);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void an_empty_binding_empties_its_slot(void **state)
{
    struct bed bed;
    struct seen seen;
    const struct fg_binding three[] = {
        { .kind = FG_BINDING_UNIFORM_BUFFER, .slot = 0, .resource = 10 },
        { .kind = FG_BINDING_STORAGE_BUFFER, .slot = 1, .resource = 11 },
        { .kind = FG_BINDING_SAMPLER, .slot = 2 },
    };
    const struct fg_binding empty[] = { { .slot = 1 }, { .slot = 7 } };
    (void)state;
    bed_open(&bed, NULL, &(struct fg_session_options){ .level = FG_LEVEL_VERBOSE });
    bed_begin(&bed, 1);
    fg_gpu_pass_begin(bed.commands[0], NULL);
    fg_gpu_bind(bed.commands[0], three, 3);
    fg_gpu_dispatch(bed.commands[0], 1, 1, 1);
    fg_gpu_bind(bed.commands[0], empty, 2);
    fg_gpu_dispatch(bed.commands[0], 1, 1, 1);
    fg_gpu_pass_end(bed.commands[0]);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    const struct seen_pass *pass = &seen.frames[0].passes[0];
    assert_int_equal(pass->works[0].binding_count, 3);
    assert_int_equal(pass->works[1].binding_count, 2);
    seen_free(&seen);
    bed_close(&bed);
}

static void submissions_and_their_semaphores_are_dependencies(void **state)
{
    struct bed bed;
    struct seen seen;
    const struct fg_semaphore_op first = { 900, 5 };
    const struct fg_semaphore_op second = { 901, 0 };
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .queue_count = 2 }, NULL);
    bed_begin(&bed, 2);
    bed_pass(&bed, 0, "producer", 5000);
    bed_pass(&bed, 1, "consumer", 700);
    const struct fg_submission submissions[2] = {
        { .queue = 0,
          .commands = &bed.commands[0],
          .commands_count = 1,
          .signals = &first,
          .signal_count = 1 },
        { .queue = 1,
          .commands = &bed.commands[1],
          .commands_count = 1,
          .waits = &first,
          .wait_count = 1,
          .signals = &second,
          .signal_count = 1 },
    };
    fg_software_advance(bed.device, 100);
    for (int i = 1; i >= 0; i--) { /* the waiting one first: the device holds it back */
        fg_commands_end(bed.commands[i]);
        fg_frame_submit(bed.frame, &submissions[i], NULL);
        assert_int_equal(fg_software_submit(bed.device,
                                            &(struct fg_software_submission){
                                                .queue = submissions[i].queue,
                                                .commands = &bed.native[i],
                                                .commands_count = 1,
                                                .waits = submissions[i].waits,
                                                .wait_count = submissions[i].wait_count,
                                                .signals = submissions[i].signals,
                                                .signal_count = submissions[i].signal_count }),
                         FG_OK);
        fg_software_advance(bed.device, 30);
    }
    fg_frame_waited(bed.frame, FG_WAIT_OTHER, 40);
    fg_frame_waited(bed.frame, FG_WAIT_PRESENT, 2);
    fg_frame_counter(bed.frame, "lights", FG_UNIT_COUNT, -3);
    fg_frame_end(bed.frame);
    seen_bed(&seen, &bed);
    const struct seen_frame *frame = &seen.frames[0];
    assert_int_equal(frame->submission_count, 2);
    assert_int_equal(frame->submissions[0].track, 2);
    assert_int_equal(frame->submissions[0].submit_ticks, 100);
    assert_int_equal(frame->submissions[0].waits[0].id, 900);
    assert_int_equal(frame->submissions[0].waits[0].value, 5);
    assert_int_equal(frame->submissions[0].signals[0].id, 901);
    assert_int_equal(frame->submissions[1].submit_ticks, 130);
    assert_int_equal(frame->submissions[1].signals[0].id, 900);
    assert_int_equal(frame->submissions[1].wait_count, 0);
    assert_string_equal(frame->passes[0].label, "consumer");
    assert_int_equal(frame->passes[0].span.begin_ticks, 130 + 5000); /* it waited */
    assert_int_equal(frame->passes[1].submission, 1);
    assert_int_equal(frame->wait_ticks, 42);
    assert_int_equal(frame->present_wait_ticks, 2);
    assert_string_equal(frame->counters[0], "lights");
    assert_int_equal(frame->counter_values[0], -3);
    assert_string_equal(frame->counters[1], "memory.used");
    seen_free(&seen);
    bed_close(&bed);
}

static void statistics_come_where_they_were_asked_for(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    for (uint32_t i = 0; i < 2; i++) {
        fg_gpu_pass_begin(bed.commands[0], &(struct fg_gpu_pass_desc){ .statistics = i == 1 });
        fg_software_work(bed.native[0], 10, 123 + i);
        fg_gpu_pass_end(bed.commands[0]);
    }
    bed_end(&bed);
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frames[0].passes[0].statistics_mask, 0);
    assert_int_equal(seen.frames[0].passes[1].statistics_mask, 1u << 7 | 1u << 10);
    assert_int_equal(seen.frames[0].passes[1].statistics[0], 124);
    assert_int_equal(seen.frames[0].passes[1].statistics[1], 124);
    seen_free(&seen);
    bed_close(&bed);
}

static void indirect_counts_are_resolved_only_when_asked_for(void **state)
{
    (void)state;
    for (uint32_t asked = 0; asked < 2; asked++) {
        struct bed bed;
        struct seen seen;
        static uint32_t arguments[10];
        bed_open(&bed, NULL,
                 &(struct fg_session_options){ .flags = asked ? FG_SESSION_RESOLVE_INDIRECT : 0 });
        bed_begin(&bed, 1);
        memset(arguments, 0, sizeof arguments);
        for (uint32_t i = 0; i < 10; i++) { /* the GPU itself makes the arguments */
            fg_software_store(bed.native[0], &arguments[i], 100 + i);
        }
        fg_gpu_pass_begin(bed.commands[0], NULL);
        fg_gpu_dispatch(bed.commands[0], 1, 1, 1);
        fg_gpu_dispatch_indirect(bed.commands[0],
                                 &(struct fg_indirect){ .buffer = (uint64_t)(uintptr_t)arguments });
        fg_gpu_draw_indirect(bed.commands[0],
                             &(struct fg_indirect){ .buffer = (uint64_t)(uintptr_t)arguments,
                                                    .offset_bytes = 4,
                                                    .draw_count = 2,
                                                    .stride_bytes = 16 });
        fg_gpu_pass_end(bed.commands[0]);
        bed_end(&bed);
        seen_bed(&seen, &bed);
        const struct seen_pass *pass = &seen.frames[0].passes[0];
        assert_int_equal(pass->works[1].x, 0); /* what was encoded stays as it was */
        assert_int_equal(pass->resolved_count, asked ? 3 : 0);
        if (asked) {
            assert_int_equal(pass->resolved[0].work, 1);
            assert_int_equal(pass->resolved[0].z, 102);
            assert_int_equal(pass->resolved[2].work, 2);
            assert_int_equal(pass->resolved[2].draw, 1);
            assert_int_equal(pass->resolved[2].x, 105);
            assert_int_equal(pass->resolved[2].y, 106);
        }
        seen_free(&seen);
        bed_close(&bed);
    }
}

static void secondaries_lie_inside_the_pass_that_executes_them(void **state)
{
    struct bed bed;
    struct seen seen;
    struct fg_software_commands *natives[2] = { NULL, NULL };
    struct fg_commands *secondaries[3] = { NULL, NULL, NULL };
    (void)state;
    bed_open(&bed, NULL, NULL);
    bed_begin(&bed, 1);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(fg_software_commands_create(bed.device, &natives[i]), FG_OK);
        secondaries[i] = fg_commands_begin(
            bed.frame,
            &(struct fg_commands_desc){ .native = natives[i], .flags = FG_COMMANDS_SECONDARY });
        fg_gpu_pass_begin(secondaries[i], &(struct fg_gpu_pass_desc){ .label = "inner" });
        fg_software_work(natives[i], 100 * (i + 1), 0);
        fg_gpu_pass_end(secondaries[i]);
        fg_commands_end(secondaries[i]);
    }
    bed_pass(&bed, 0, "before", 10);
    fg_gpu_pass_begin(bed.commands[0], &(struct fg_gpu_pass_desc){ .label = "outer" });
    fg_gpu_execute(bed.commands[0], secondaries, 3);
    fg_software_execute(bed.native[0], natives[0]);
    fg_software_execute(bed.native[0], natives[1]);
    fg_gpu_pass_end(bed.commands[0]);
    bed_pass(&bed, 0, "after", 10);
    bed_end(&bed);
    seen_bed(&seen, &bed);
    static const char *const labels[] = { "before", "outer", "inner", "inner", "after" };
    static const uint32_t parents[] = { FG_CAP_NONE, FG_CAP_NONE, 1, 1, FG_CAP_NONE };
    assert_int_equal(seen.frames[0].pass_count, 5);
    for (size_t i = 0; i < 5; i++) {
        assert_string_equal(seen.frames[0].passes[i].label, labels[i]);
        assert_int_equal(seen.frames[0].passes[i].parent, parents[i]);
        assert_int_equal(seen.frames[0].passes[i].span.status, FG_CAP_SPAN_OK);
    }
    assert_int_equal(seen_duration(&seen.frames[0].passes[1]), 300);
    seen_free(&seen);
    fg_software_commands_destroy(natives[0]);
    fg_software_commands_destroy(natives[1]);
    bed_close(&bed);
}

/* Submit a reused command buffer in a frame of its own. */
static void submit_reused(struct bed *bed, struct fg_commands *const *commands,
                          struct fg_software_commands *const *natives, uint32_t count)
{
    struct fg_submit_extra extra;
    struct fg_frame *frame = fg_frame_begin(bed->device);
    fg_frame_submit(frame, &(struct fg_submission){ .commands = commands, .commands_count = count },
                    &extra);
    assert_int_equal(
        fg_software_submit(bed->device, &(struct fg_software_submission){ .commands = natives,
                                                                          .commands_count = count,
                                                                          .extra = extra }),
        FG_OK);
    fg_frame_end(frame);
    fg_software_advance(bed->device, 1000000);
}

static void reused_command_buffers_have_times_of_each_submission(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    bed_open(&bed, &(struct fg_software_options){ .latency_ns = 2500000 }, NULL);
    struct fg_commands *reused =
        fg_commands_create(bed.device, &(struct fg_commands_desc){ .native = bed.native[0] });
    fg_gpu_pass_begin(reused, &(struct fg_gpu_pass_desc){ .label = "again", .statistics = true });
    fg_gpu_dispatch(reused, 3, 2, 1);
    fg_software_work(bed.native[0], 5000, 11);
    fg_gpu_pass_end(reused);
    fg_commands_end(reused);
    for (int i = 0; i < 10; i++) {
        submit_reused(&bed, &reused, &bed.native[0], 1);
    }
    fg_commands_destroy(reused); /* its last uses have not landed yet */
    seen_bed(&seen, &bed);
    assert_int_equal(seen.frame_count, 10);
    assert_int_equal(seen.topology_count, 1);
    for (int i = 0; i < 10; i++) {
        const struct seen_pass *pass = &seen.frames[i].passes[0];
        assert_string_equal(pass->label, "again");
        assert_int_equal(pass->span.status, FG_CAP_SPAN_OK);
        assert_int_equal(pass->span.begin_ticks, i * 1000000);
        assert_int_equal(seen_duration(pass), 5000);
        assert_int_equal(pass->works[0].x, 3);
        assert_int_equal(pass->statistics[0], 11);
        assert_int_equal(seen.frames[i].dropped, 0);
    }
    seen_free(&seen);
    bed_close(&bed);
}

static void simultaneous_use_is_timed_as_a_whole_and_counted(void **state)
{
    struct bed bed;
    struct seen seen;
    (void)state;
    for (int declared = 0; declared < 2; declared++) {
        bed_open(&bed, NULL, NULL);
        struct fg_commands *reused = fg_commands_create(
            bed.device,
            &(struct fg_commands_desc){ .native = bed.native[0],
                                        .flags = declared ? FG_COMMANDS_SIMULTANEOUS : 0 });
        fg_gpu_pass_begin(reused, &(struct fg_gpu_pass_desc){ .label = "shared" });
        fg_software_work(bed.native[0], 5000, 0);
        fg_gpu_pass_end(reused);
        fg_commands_end(reused);
        struct fg_commands *twice[] = { reused, reused };
        struct fg_software_commands *natives[] = { bed.native[0], bed.native[0] };
        submit_reused(&bed, twice, natives, 2);
        seen_bed(&seen, &bed);
        const struct seen_frame *frame = &seen.frames[0];
        assert_int_equal(frame->pass_count, 3);
        assert_int_equal(frame->passes[0].span.status, FG_CAP_SPAN_NO_SLOT);
        assert_int_equal(frame->passes[1].span.status, FG_CAP_SPAN_NO_SLOT);
        assert_int_equal(frame->passes[2].kind, FG_CAP_GPU_PASS_SUBMISSION);
        assert_int_equal(frame->passes[2].span.status, FG_CAP_SPAN_OK);
        assert_int_equal(seen_duration(&frame->passes[2]), 10000);
        assert_int_equal(frame->drops[FG_CAP_DROP_SIMULTANEOUS], 2);
        seen_free(&seen);
        fg_commands_destroy(reused);
        bed_close(&bed);
    }
}

static void reused_command_buffers_are_reset_even_when_nobody_records(void **state)
{
    struct bed bed;
    struct fg_submit_extra extra;
    (void)state;
    bed_open(&bed, NULL, NULL);
    struct fg_commands *reused =
        fg_commands_create(bed.device, &(struct fg_commands_desc){ .native = bed.native[0] });
    fg_gpu_pass_begin(reused, NULL);
    fg_gpu_pass_end(reused);
    fg_commands_end(reused);
    assert_int_equal(fg_session_finish(bed.session, 0), FG_OK);
    for (int i = 0; i < 3; i++) {
        struct fg_frame *frame = fg_frame_begin(bed.device);
        assert_non_null(frame);
        assert_null(
            fg_commands_begin(frame, &(struct fg_commands_desc){ .native = bed.native[0] }));
        fg_frame_submit(frame, &(struct fg_submission){ .commands = &reused, .commands_count = 1 },
                        &extra);
        assert_non_null(extra.before);
        assert_int_equal(fg_software_submit(
                             bed.device,
                             &(struct fg_software_submission){
                                 .commands = &bed.native[0], .commands_count = 1, .extra = extra }),
                         FG_OK);
        fg_frame_end(frame);
    }
    fg_commands_destroy(reused);
    assert_null(fg_frame_begin(bed.device));
    bed_close(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_graph_is_read_back_as_it_was_described),
        cmocka_unit_test(equal_graphs_share_a_topology_and_culling_does_not_part_them),
        cmocka_unit_test(other_gpu_passes_under_an_equal_graph_are_another_topology),
        cmocka_unit_test(topologies_that_churn_are_stored_each_and_stay_right),
        cmocka_unit_test(a_graph_with_an_index_out_of_range_is_refused_and_counted),
        cmocka_unit_test(work_is_read_back_as_it_was_told),
        cmocka_unit_test(bindings_hold_until_they_are_replaced),
        cmocka_unit_test(an_empty_binding_empties_its_slot),
        cmocka_unit_test(submissions_and_their_semaphores_are_dependencies),
        cmocka_unit_test(statistics_come_where_they_were_asked_for),
        cmocka_unit_test(indirect_counts_are_resolved_only_when_asked_for),
        cmocka_unit_test(secondaries_lie_inside_the_pass_that_executes_them),
        cmocka_unit_test(reused_command_buffers_have_times_of_each_submission),
        cmocka_unit_test(simultaneous_use_is_timed_as_a_whole_and_counted),
        cmocka_unit_test(reused_command_buffers_are_reset_even_when_nobody_records),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
