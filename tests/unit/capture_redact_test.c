/* SPDX-License-Identifier: MIT */
/* A redacted copy: the same structure, work and times, and not one text that a person chose. */
#include "../support/cmocka_all.h"

#include "capture_bed.h"

#include "base/bytes.h"
#include "base/hash.h"
#include <frameglass/capture_copy.h>

#include <stdlib.h>
#include <string.h>

/* ---- A capture full of secrets --------------------------------------------------------------- */

static struct fg_cap_text text(const char *text)
{
    return (struct fg_cap_text){ text, strlen(text) };
}

/* Every text of it that somebody chose begins with "secret". */
static void write_secrets(struct bed *bed)
{
    const struct fg_capture_writer_options options = { .checkpoint_bytes = 1500 };
    bed_begin(bed, &options);
    struct fg_capture_writer *writer = bed->sample.writer;
    const struct fg_cap_text features[] = { text("VK_KHR_swapchain"), text("secretFeature") };
    const struct fg_cap_limit limits[] = {
        { text("maxImageDimension2D"), 16384 },
        { text("timestampValidBits.secret queue"), 64 },
    };
    const struct fg_cap_pair settings[] = {
        { text("adapter.kind"), text("discrete") },
        { text("secret.key"), text("secret value") },
    };
    const struct fg_cap_meta meta = {
        .session_hi = 0x7365637265743131,
        .session_lo = 0x7365637265743232,
        .start_wall_ns = 1700000000000000000,
        .level = FG_CAP_LEVEL_VERBOSE,
        .producer = text("secret producer"),
        .program = text("secret program"),
        .note = text("secret note"),
        .engine_version = text("secret version"),
        .engine_revision = text("secret revision"),
        .build_flags = text("secret flags"),
        .adapter_device = text("Some Device"),
        .driver_version = text("1.2.3"),
        .os = text("secret os"),
        .features = features,
        .feature_count = 2,
        .limits = limits,
        .limit_count = 2,
        .settings = settings,
        .setting_count = 2,
    };
    assert_int_equal(fg_capture_writer_meta(writer, &meta), FG_OK);
}

static uint32_t symbol(struct bed *bed, const char *name)
{
    uint32_t id;
    assert_int_equal(fg_capture_writer_symbol(bed->sample.writer, name, strlen(name), &id), FG_OK);
    return id;
}

static void write_secret_context(struct bed *bed)
{
    struct fg_capture_writer *writer = bed->sample.writer;
    const struct fg_cap_process process = { .id = 1, .os_id = 4711, .name = symbol(bed, "secret") };
    const struct fg_cap_clock clock = {
        .id = 1,
        .host_clock = FG_CAP_NONE,
        .name = symbol(bed, "monotonic"),
        .reason = symbol(bed, "secret reason"),
        .period_num = 1,
        .period_den = 1,
        .valid_bits = 64,
    };
    const struct fg_cap_track thread = { .id = 1,
                                         .process = 1,
                                         .parent = FG_CAP_NONE,
                                         .clock = 1,
                                         .name = symbol(bed, "secret thread"),
                                         .os_id = 4712 };
    const struct fg_cap_track queue = { .id = 2,
                                        .kind = FG_CAP_TRACK_GPU_QUEUE,
                                        .process = 1,
                                        .parent = FG_CAP_NONE,
                                        .clock = 1,
                                        .name = symbol(bed, "secret queue"),
                                        .os_id = UINT64_C(3) << 32 | 1 };
    const struct fg_cap_pipeline pipeline = { .label = symbol(bed, "secret pipeline"),
                                              .kind = FG_CAP_GPU_PASS_COMPUTE,
                                              .shader_module = symbol(bed, "/home/secret/x.spv"),
                                              .entry_point = symbol(bed, "secret_main"),
                                              .workgroup_x = 8,
                                              .workgroup_y = 8,
                                              .workgroup_z = 1,
                                              .vertex_layout_hash = 0x7365637265743333 };
    assert_int_equal(fg_capture_writer_process(writer, &process), FG_OK);
    assert_int_equal(fg_capture_writer_clock(writer, &clock), FG_OK);
    assert_int_equal(fg_capture_writer_track(writer, &thread), FG_OK);
    assert_int_equal(fg_capture_writer_track(writer, &queue), FG_OK);
    assert_int_equal(fg_capture_writer_pipeline(writer, &pipeline), FG_OK);
}

static void write_secret_frame(struct bed *bed)
{
    struct fg_capture_writer *writer = bed->sample.writer;
    uint32_t both = symbol(bed, "secret pass");
    uint32_t topology_id;
    const struct fg_cap_scope scope = { .name = symbol(bed, "secret scope"),
                                        .parent = FG_CAP_NONE };
    const uint32_t zero = 0;
    const struct fg_cap_graph_pass pass = {
        .id = 0x7365637265743434, .name = both, .writes = &zero, .write_count = 1
    };
    const struct fg_cap_resource resource = { .id = 0x7365637265743535,
                                              .name = symbol(bed, "secret resource"),
                                              .producer = 0,
                                              .kind = FG_CAP_RESOURCE_BUFFER,
                                              .footprint_bytes = 4096,
                                              .size_bytes = 4000 };
    const struct fg_cap_topology_gpu_pass gpu_pass = { .kind = FG_CAP_GPU_PASS_COMPUTE,
                                                       .label = both };
    const struct fg_cap_topology topology = { .name = symbol(bed, "secret graph"),
                                              .scopes = &scope,
                                              .scope_count = 1,
                                              .passes = &pass,
                                              .pass_count = 1,
                                              .resources = &resource,
                                              .resource_count = 1,
                                              .gpu_passes = &gpu_pass,
                                              .gpu_pass_count = 1 };
    assert_int_equal(fg_capture_writer_topology(writer, &topology, &topology_id), FG_OK);
    const struct fg_cap_binding binding = { .kind = FG_CAP_BINDING_STORAGE_BUFFER,
                                            .resource = 0x7365637265743535,
                                            .name = symbol(bed, "secret binding"),
                                            .size_bytes = FG_CAP_UNKNOWN };
    const struct fg_cap_work work = { .kind = FG_CAP_WORK_DISPATCH,
                                      .repeat = 1,
                                      .pipeline = symbol(bed, "secret pipeline"),
                                      .x = 77,
                                      .y = 1,
                                      .z = 1,
                                      .bindings = &binding,
                                      .binding_count = 1 };
    const struct fg_cap_gpu_pass instance = { .gpu_pass = 0,
                                              .track = 2,
                                              .submission = 0,
                                              .parent = FG_CAP_NONE,
                                              .logical = FG_CAP_NONE,
                                              .works = &work,
                                              .work_count = 1 };
    const struct fg_cap_semaphore semaphore = { .id = 0x7365637265743636, .value = 5 };
    const struct fg_cap_submission submission = {
        .track = 2, .submit_ticks = 1900, .signals = &semaphore, .signal_count = 1
    };
    const struct fg_cap_counter counters[] = {
        { symbol(bed, "secret counter"),
          symbol(bed, "secret unit"),
          { .kind = FG_CAP_VALUE_UINT, .u = 1234567 } },
        { symbol(bed, "memory.used"),
          symbol(bed, "bytes"),
          { .kind = FG_CAP_VALUE_TEXT, .text = text("secret text") } },
    };
    const struct fg_cap_cpu_pass cpu_pass = { .ref_count = 1, .track = 1 };
    const struct fg_cap_frame frame = { .frame = 9,
                                        .topology = topology_id,
                                        .level = FG_CAP_LEVEL_VERBOSE,
                                        .clock = 1,
                                        .track = 1,
                                        .begin_ticks = 1000,
                                        .end_ticks = 2000,
                                        .submit_ticks = 1900,
                                        .wait_ticks = FG_CAP_UNKNOWN,
                                        .present_wait_ticks = FG_CAP_UNKNOWN,
                                        .recorder_ns = FG_CAP_UNKNOWN,
                                        .submissions = &submission,
                                        .submission_count = 1,
                                        .counters = counters,
                                        .counter_count = 2,
                                        .passes = &cpu_pass,
                                        .pass_count = 1,
                                        .gpu_passes = &instance,
                                        .gpu_pass_count = 1 };
    assert_int_equal(fg_capture_writer_frame(writer, &frame), FG_OK);
}

static void write_secret_rest(struct bed *bed)
{
    struct fg_capture_writer *writer = bed->sample.writer;
    const struct fg_cap_note note = { .frame = 9,
                                      .clock = FG_CAP_NONE,
                                      .category = symbol(bed, "secret category"),
                                      .text = text("secret words") };
    const struct fg_cap_device_lost lost = { .frame = 9,
                                             .clock = FG_CAP_NONE,
                                             .reason = text("secret loss") };
    const struct fg_cap_block_span span = { .begin_ticks = 1100,
                                            .end_ticks = 1200,
                                            .name = symbol(bed, "secret zone"),
                                            .category = symbol(bed, "secret category"),
                                            .frame = 9,
                                            .object = 0x7365637265743737 };
    const struct fg_cap_span_block block = {
        .id = 1, .track = 1, .clock = 1, .spans = &span, .span_count = 1
    };
    const struct fg_cap_stack stack = { .id = 1,
                                        .parent = FG_CAP_NONE,
                                        .function = symbol(bed, "secret function"),
                                        .file = symbol(bed, "/home/secret/file.c"),
                                        .module = symbol(bed, "secret module"),
                                        .line = 99,
                                        .address = 0x7365637265743838 };
    const struct fg_cap_stacks stacks = { &stack, 1 };
    const struct fg_cap_sample sample = { .ticks = 1150, .stack = 1, .weight = 3 };
    const struct fg_cap_samples samples = { .track = 1,
                                            .clock = 1,
                                            .unit = symbol(bed, "secret samples"),
                                            .samples = &sample,
                                            .sample_count = 1 };
    const struct fg_cap_metric metric = { .id = 1,
                                          .track = FG_CAP_NONE,
                                          .name = symbol(bed, "secret metric"),
                                          .unit = symbol(bed, "%"),
                                          .description = symbol(bed, "secret description") };
    const struct fg_cap_metric of_frames = { .id = 2,
                                             .kind = FG_CAP_METRIC_FRAME,
                                             .track = FG_CAP_NONE,
                                             .name = symbol(bed, "secret counter"),
                                             .unit = symbol(bed, "secret unit") };
    const struct fg_cap_argument arguments[] = {
        { symbol(bed, "secret argument"),
          { .kind = FG_CAP_VALUE_SYMBOL, .u = symbol(bed, "secret symbol") } },
        { symbol(bed, "secret number"), { .kind = FG_CAP_VALUE_INT, .i = -7 } },
    };
    const struct fg_cap_argument_list list = { .owner = { .kind = FG_CAP_REF_FRAME, .a = 9 },
                                               .arguments = arguments,
                                               .argument_count = 2 };
    const struct fg_cap_arguments lists = { &list, 1 };
    const struct fg_cap_resource_event event = { .ticks = 1500,
                                                 .resource = 0x7365637265743939,
                                                 .frame = 9,
                                                 .name = symbol(bed, "secret image"),
                                                 .type = symbol(bed, "secret type"),
                                                 .heap = FG_CAP_NONE,
                                                 .size_bytes = 64 };
    const struct fg_cap_resource_detail detail = {
        .format = 37, .width = 4, .height = 4, .accuracy = FG_CAP_ACCURACY_ESTIMATED
    };
    const struct fg_cap_resource_events events = { 1, &event, 1, &detail, 1 };
    const struct fg_cap_event raw = { .ticks = 1600,
                                      .symbol = symbol(bed, "secret ring"),
                                      .kind = FG_CAP_EVENT_BEGIN };
    const struct fg_cap_events ring = { .track = 1, .clock = 1, .events = &raw, .event_count = 1 };
    const struct fg_cap_dependency dependency = { .from = { .kind = FG_CAP_REF_FRAME, .a = 9 },
                                                  .to = { .kind = FG_CAP_REF_FRAME, .a = 9 },
                                                  .name = symbol(bed, "secret arrow") };
    const struct fg_cap_dependencies dependencies = { &dependency, 1 };
    assert_int_equal(fg_capture_writer_note(writer, &note), FG_OK);
    assert_int_equal(fg_capture_writer_device_lost(writer, &lost), FG_OK);
    assert_int_equal(fg_capture_writer_span_block(writer, &block), FG_OK);
    assert_int_equal(fg_capture_writer_stacks(writer, &stacks), FG_OK);
    assert_int_equal(fg_capture_writer_samples(writer, &samples), FG_OK);
    assert_int_equal(fg_capture_writer_metric(writer, &metric), FG_OK);
    assert_int_equal(fg_capture_writer_metric(writer, &of_frames), FG_OK);
    assert_int_equal(fg_capture_writer_arguments(writer, &lists), FG_OK);
    assert_int_equal(fg_capture_writer_resource_events(writer, &events), FG_OK);
    assert_int_equal(fg_capture_writer_events(writer, &ring), FG_OK);
    assert_int_equal(fg_capture_writer_dependencies(writer, &dependencies), FG_OK);
    assert_int_equal(fg_capture_writer_raw(writer, FG_FOURCC('W', 'H', 'A', 'T'), "secret raw", 10),
                     FG_OK);
    assert_int_equal(fg_capture_writer_close(writer), FG_OK);
}

/* ---- Copies ---------------------------------------------------------------------------------- */

static struct fg_memory_sink *redacted(const struct fg_source *source, struct fg_memory_view *view,
                                       struct fg_capture_redact_report *report)
{
    struct fg_memory_sink *memory;
    struct fg_sink sink;
    assert_int_equal(fg_memory_sink_create(NULL, 0, &memory, &sink), FG_OK);
    assert_int_equal(fg_capture_redact(source, NULL, &sink, NULL, report), FG_OK);
    view->bytes = fg_memory_sink_bytes(memory, &view->size);
    return memory;
}

static bool contains(const struct fg_memory_view *view, const char *wanted)
{
    const char *bytes = view->bytes;
    size_t size = strlen(wanted);
    for (size_t i = 0; i + size <= view->size; i++) {
        if (memcmp(bytes + i, wanted, size) == 0) {
            return true;
        }
    }
    return false;
}

static void assert_no_defects(const struct fg_source *source)
{
    struct fg_capture *capture;
    struct fg_capture_record record;
    assert_int_equal(fg_capture_open(source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
    }
    assert_int_equal(fg_capture_defect_count(capture), 0);
    fg_capture_close(capture);
}

/* As text, and as the little-endian bytes of the numbers that stand for addresses. */
static void nothing_that_somebody_chose_is_left(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_memory_view copy_view;
    struct fg_capture_redact_report report;
    write_secrets(&bed);
    write_secret_context(&bed);
    write_secret_frame(&bed);
    write_secret_rest(&bed);
    struct fg_source source = bed_source(&bed, &view);
    struct fg_memory_sink *memory = redacted(&source, &copy_view, &report);
    struct fg_source copy = fg_memory_source(&copy_view);
    assert_true(contains(&view, "secret"));
    assert_false(contains(&copy_view, "secret"));
    assert_false(contains(&copy_view, "terces")); /* a number that was kept, from its low end */
    assert_false(contains(&copy_view, "home"));
    assert_true(contains(&copy_view, "Some Device"));
    assert_true(contains(&copy_view, "VK_KHR_swapchain"));
    assert_true(contains(&copy_view, "maxImageDimension2D"));
    assert_true(contains(&copy_view, "timestampValidBits.queue 1"));
    assert_true(contains(&copy_view, "memory.used"));
    assert_true(contains(&copy_view, "discrete"));
    assert_int_equal(report.note_count, 1);
    assert_int_equal(report.unknown_count, 1);
    assert_int_equal(report.refused_count, 0);
    assert_no_defects(&copy);
    fg_memory_sink_destroy(memory);
    bed_end(&bed);
}

static void equal_names_stay_equal_and_say_what_they_are_of(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_memory_view copy_view;
    struct fg_capture *capture;
    struct fg_capture_record record;
    bool seen_frame = false;
    write_secrets(&bed);
    write_secret_context(&bed);
    write_secret_frame(&bed);
    write_secret_rest(&bed);
    struct fg_source source = bed_source(&bed, &view);
    struct fg_memory_sink *memory = redacted(&source, &copy_view, NULL);
    struct fg_source copy = fg_memory_source(&copy_view);
    assert_int_equal(fg_capture_open(&copy, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_TOPO) {
            assert_int_equal(record.topology->passes[0].name, record.topology->gpu_passes[0].label);
            assert_string_equal(fg_capture_symbol(capture, record.topology->passes[0].name, NULL),
                                "pass 1");
            assert_int_equal(record.topology->resources[0].id, 1);
        } else if (record.type == FG_CAPTURE_TRAK && record.track->kind == FG_CAP_TRACK_THREAD) {
            assert_string_equal(fg_capture_symbol(capture, record.track->name, NULL), "thread 1");
            assert_true(record.track->os_id == FG_CAP_UNKNOWN);
        } else if (record.type == FG_CAPTURE_PROC) {
            assert_true(record.process->os_id == FG_CAP_UNKNOWN);
        } else if (record.type == FG_CAPTURE_FRAM) {
            const struct fg_cap_work *work = &record.frame->gpu_passes[0].works[0];
            seen_frame = true;
            assert_string_equal(fg_capture_symbol(capture, work->pipeline, NULL), "pipeline 1");
            assert_int_equal(work->x, 77);
            assert_int_equal(work->bindings[0].resource, 1); /* that of the graph */
            assert_int_equal(record.frame->counters[0].value.u, 1234567);
            assert_int_equal(record.frame->counters[1].value.text.size, 0);
            assert_int_equal(record.frame->submissions[0].signals[0].id, 1);
            assert_int_equal(record.frame->submissions[0].signals[0].value, 5);
        } else if (record.type == FG_CAPTURE_META) {
            assert_true(record.meta->start_wall_ns == 0 && record.meta->session_lo == 0);
            assert_int_equal(record.meta->feature_count, 1);
            assert_int_equal(record.meta->setting_count, 1);
        }
    }
    assert_true(seen_frame);
    fg_capture_close(capture);
    fg_memory_sink_destroy(memory);
    bed_end(&bed);
}

static void assert_named(struct fg_capture *capture, uint32_t symbol_id, const char *name)
{
    assert_string_equal(fg_capture_symbol(capture, symbol_id, NULL), name);
}

/* Zones, marks of the process, threads, metrics, live resources: their names go, the rest stays. */
static void what_a_process_says_of_itself_keeps_its_figures(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_memory_view copy_view;
    struct fg_capture *capture;
    struct fg_capture_record record;
    uint32_t frame_counter = 0, seen = 0;
    write_secrets(&bed);
    write_secret_context(&bed);
    write_secret_frame(&bed);
    write_secret_rest(&bed);
    struct fg_source source = bed_source(&bed, &view);
    struct fg_memory_sink *memory = redacted(&source, &copy_view, NULL);
    struct fg_source copy = fg_memory_source(&copy_view);
    assert_int_equal(fg_capture_open(&copy, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_FRAM) {
            frame_counter = record.frame->counters[0].name;
        } else if (record.type == FG_CAPTURE_MDEF && record.metric->id == 2) {
            /* The metric's values are those of the frames: they must still find each other. */
            assert_int_equal(record.metric->name, frame_counter);
            assert_int_equal(record.metric->kind, FG_CAP_METRIC_FRAME);
            seen |= 1;
        } else if (record.type == FG_CAPTURE_SPAN) {
            assert_named(capture, record.span_block->spans[0].name, "zone 1");
            assert_int_equal(record.span_block->spans[0].end_ticks, 1200);
            seen |= 2;
        } else if (record.type == FG_CAPTURE_REVT) {
            assert_named(capture, record.resource_events->events[0].type, "type 1");
            assert_int_equal(record.resource_events->detail_count, 1);
            assert_int_equal(record.resource_events->details[0].format, 37);
            assert_int_equal(record.resource_events->details[0].accuracy,
                             FG_CAP_ACCURACY_ESTIMATED);
            seen |= 4;
        }
    }
    assert_int_equal(seen, 7);
    fg_capture_close(capture);
    fg_memory_sink_destroy(memory);
    bed_end(&bed);
}

/* ---- The same, but for names ----------------------------------------------------------------- */

static void write_sections(struct bed *bed, uint64_t checkpoint_bytes)
{
    const struct fg_capture_writer_options options = { .checkpoint_bytes = checkpoint_bytes };
    bed_begin(bed, &options);
    sample_everything(&bed->sample);
    uint32_t topology = sample_topology(&bed->sample, 0, 7);
    for (unsigned i = 4; i < 60; i++) {
        sample_frame(&bed->sample, i, topology, 7, i % 3);
        sample_gpu_frame(&bed->sample, i, 7, i % 5 == 0 ? 2 : UINT32_MAX);
    }
    assert_int_equal(bed->sample.result, FG_OK);
    assert_int_equal(fg_capture_writer_close(bed->sample.writer), FG_OK);
}

/* Numbers of a capture that redacting must not touch, hashed. */
static uint64_t figures_of(const struct fg_source *source, size_t *out_frames)
{
    struct fg_capture *capture;
    struct fg_capture_record record;
    uint64_t hash = 0;
    *out_frames = 0;
    assert_int_equal(fg_capture_open(source, NULL, NULL, &capture), FG_OK);
    while (fg_capture_next(capture, &record) == FG_OK) {
        if (record.type == FG_CAPTURE_GSPN) {
            hash = fgi_hash64(hash, record.payload, record.length);
        } else if (record.type == FG_CAPTURE_SUMM) {
            hash = fgi_hash64(hash, record.payload, record.length);
        } else if (record.type == FG_CAPTURE_FRAM) {
            const struct fg_cap_frame *frame = record.frame;
            uint64_t head[] = { frame->frame,        frame->level,        frame->begin_ticks,
                                frame->end_ticks,    frame->submit_ticks, frame->wait_ticks,
                                frame->recorder_ns,  frame->pass_count,   frame->gpu_pass_count,
                                frame->counter_count };
            hash = fgi_hash64(hash, head, sizeof head);
            hash = fgi_hash64(hash, frame->passes, frame->pass_count * sizeof *frame->passes);
            hash = fgi_hash64(hash, frame->drops, frame->drop_count * sizeof *frame->drops);
            for (size_t i = 0; i < frame->gpu_pass_count; i++) {
                const struct fg_cap_gpu_pass *pass = &frame->gpu_passes[i];
                uint64_t shape[] = { pass->gpu_pass,        pass->graph_pass, pass->kind,
                                     pass->track,           pass->submission, pass->parent,
                                     pass->logical,         pass->fragment,   pass->work_count,
                                     pass->attachment_count };
                hash = fgi_hash64(hash, shape, sizeof shape);
                for (size_t j = 0; j < pass->work_count; j++) {
                    const struct fg_cap_work *work = &pass->works[j];
                    uint64_t figures[] = { work->kind,   work->repeat,     work->x,
                                           work->y,      work->z,          work->workgroup_x,
                                           work->offset, work->draw_count, work->binding_count };
                    hash = fgi_hash64(hash, figures, sizeof figures);
                }
                hash = fgi_hash64(hash, pass->attachments,
                                  pass->attachment_count * sizeof *pass->attachments);
            }
            (*out_frames)++;
        }
    }
    fg_capture_close(capture);
    return hash;
}

static void structure_work_and_times_are_the_same(void **state)
{
    (void)state;
    static const uint64_t distances[] = { 1500, 4 << 20 };
    for (size_t i = 0; i < 2; i++) {
        struct bed bed;
        struct fg_memory_view view;
        struct fg_memory_view copy_view;
        struct fg_capture_redact_report report;
        size_t before;
        size_t after;
        write_sections(&bed, distances[i]);
        struct fg_source source = bed_source(&bed, &view);
        struct fg_memory_sink *memory = redacted(&source, &copy_view, &report);
        struct fg_source copy = fg_memory_source(&copy_view);
        assert_true(figures_of(&source, &before) == figures_of(&copy, &after));
        assert_int_equal(before, after);
        assert_int_equal(report.refused_count, 0);
        assert_no_defects(&copy);
        fg_memory_sink_destroy(memory);
        bed_end(&bed);
    }
}

/* Redacting again changes nothing: names of aliases are aliases of the same numbers. */
static void a_redacted_copy_is_its_own_redacted_copy(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_memory_view first_view;
    struct fg_memory_view second_view;
    write_sections(&bed, 4 << 20);
    struct fg_source source = bed_source(&bed, &view);
    struct fg_memory_sink *first = redacted(&source, &first_view, NULL);
    source = fg_memory_source(&first_view);
    struct fg_memory_sink *second = redacted(&source, &second_view, NULL);
    assert_int_equal(first_view.size, second_view.size);
    assert_memory_equal(first_view.bytes, second_view.bytes, first_view.size);
    fg_memory_sink_destroy(second);
    fg_memory_sink_destroy(first);
    bed_end(&bed);
}

static enum fg_result write_forward(void *context, const void *bytes, size_t size)
{
    struct fgi_bytes *out = context;
    fgi_put_raw(out, bytes, size);
    return out->result;
}

static void a_sink_that_goes_forward_gets_the_same_bytes(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fg_memory_view copy_view;
    struct fgi_bytes forward = { 0 };
    const struct fg_sink sink = { .write = write_forward, .context = &forward };
    write_sections(&bed, 1500);
    struct fg_source source = bed_source(&bed, &view);
    struct fg_memory_sink *memory = redacted(&source, &copy_view, NULL);
    assert_int_equal(fg_capture_redact(&source, NULL, &sink, NULL, NULL), FG_OK);
    assert_int_equal(forward.size, copy_view.size);
    assert_memory_equal(forward.data, copy_view.bytes, copy_view.size);
    fgi_bytes_finish(&forward);
    fg_memory_sink_destroy(memory);
    bed_end(&bed);
}

static void damage_is_counted_and_the_rest_is_written(void **state)
{
    (void)state;
    struct bed bed;
    size_t size;
    write_sections(&bed, 1500);
    uint8_t *bytes = bed_copy(&bed, &size);
    for (size_t at = 33; at < size; at += 89) {
        bytes[at] ^= 0x21;
        struct fg_memory_view view = { bytes, size };
        struct fg_memory_view copy_view;
        struct fg_source source = fg_memory_source(&view);
        struct fg_memory_sink *memory = redacted(&source, &copy_view, NULL);
        struct fg_source copy = fg_memory_source(&copy_view);
        assert_no_defects(&copy);
        fg_memory_sink_destroy(memory);
        bytes[at] ^= 0x21;
    }
    free(bytes);
    bed_end(&bed);
}

static bool stop_late(void *context, uint64_t done, uint64_t total)
{
    unsigned *calls = context;
    assert_true(done <= total);
    return ++*calls < 20;
}

static void it_can_be_cancelled(void **state)
{
    (void)state;
    struct bed bed;
    struct fg_memory_view view;
    struct fgi_bytes forward = { 0 };
    const struct fg_sink sink = { .write = write_forward, .context = &forward };
    unsigned calls = 0;
    const struct fg_capture_redact_options options = { .progress = stop_late,
                                                       .progress_context = &calls };
    write_sections(&bed, 1500);
    struct fg_source source = bed_source(&bed, &view);
    assert_int_equal(fg_capture_redact(&source, &options, &sink, NULL, NULL), FG_ERR_CANCELLED);
    assert_int_equal(calls, 20);
    fgi_bytes_finish(&forward);
    bed_end(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_that_somebody_chose_is_left),
        cmocka_unit_test(equal_names_stay_equal_and_say_what_they_are_of),
        cmocka_unit_test(what_a_process_says_of_itself_keeps_its_figures),
        cmocka_unit_test(structure_work_and_times_are_the_same),
        cmocka_unit_test(a_redacted_copy_is_its_own_redacted_copy),
        cmocka_unit_test(a_sink_that_goes_forward_gets_the_same_bytes),
        cmocka_unit_test(damage_is_counted_and_the_rest_is_written),
        cmocka_unit_test(it_can_be_cancelled),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
