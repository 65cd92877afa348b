/* SPDX-License-Identifier: MIT */
#include "capture_sample.h"

#include <stdio.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(array)[0])
#define TEXT(literal)                                                                              \
    (struct fg_cap_text)                                                                           \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

enum { MAX_PASSES = 256 };

static void did(struct sample *sample, enum fg_result result)
{
    if (sample->result == FG_OK) {
        sample->result = result;
    }
}

uint32_t sample_symbol(struct sample *sample, const char *text)
{
    uint32_t symbol = 0;
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_symbol(sample->writer, text, strlen(text), &symbol));
    }
    return symbol;
}

static void put_meta(struct sample *sample)
{
    const struct fg_cap_text features[] = { TEXT("geometryShader"), TEXT("samplerAnisotropy") };
    const struct fg_cap_limit limits[] = { { TEXT("maxImageDimension2D"), 16384 } };
    const struct fg_cap_pair settings[] = { { TEXT("resolution"), TEXT("320x180") },
                                            { TEXT("upscaler"), TEXT("") } };
    const struct fg_cap_meta meta = {
        .session_hi = 0x0123456789abcdefu,
        .session_lo = 0xfedcba9876543210u,
        .start_wall_ns = 1700000000123456789,
        .level = FG_CAP_LEVEL_WORKLOAD,
        .development = 2,
        .producer = TEXT("frameglass sample"),
        .program = TEXT("sample"),
        .note = TEXT("a na\xc3\xafve note"),
        .engine_version = TEXT("1.2.3"),
        .engine_revision = TEXT("abc"),
        .build_flags = TEXT("-O2"),
        .adapter_vendor = TEXT("vendor"),
        .adapter_architecture = TEXT("architecture"),
        .adapter_device = TEXT("device"),
        .adapter_description = TEXT("description"),
        .driver = TEXT("driver"),
        .driver_version = TEXT("23.1"),
        .api = TEXT("Vulkan 1.3"),
        .os = TEXT("Linux"),
        .features = features,
        .feature_count = COUNT(features),
        .limits = limits,
        .limit_count = COUNT(limits),
        .settings = settings,
        .setting_count = COUNT(settings),
    };
    did(sample, fg_capture_writer_meta(sample->writer, &meta));
}

static void put_clocks(struct sample *sample)
{
    const struct fg_cap_reading readings[] = { { 1000, 500000, 120 }, { 2000, 510000, 80 } };
    const struct fg_cap_clock host = {
        .id = SAMPLE_CLOCK_HOST,
        .kind = FG_CAP_CLOCK_MONOTONIC,
        .domain = FG_CAP_DOMAIN_HOST,
        .host_clock = FG_CAP_NONE,
        .name = sample_symbol(sample, "CLOCK_MONOTONIC"),
        .period_num = 1,
        .period_den = 1,
        .valid_bits = 63,
    };
    const struct fg_cap_clock gpu = {
        .id = SAMPLE_CLOCK_GPU,
        .kind = FG_CAP_CLOCK_DEVICE,
        .domain = FG_CAP_DOMAIN_CALIBRATED,
        .host_clock = SAMPLE_CLOCK_HOST,
        .name = sample_symbol(sample, "device"),
        .period_num = 625,
        .period_den = 12,
        .valid_bits = 36,
        .readings = readings,
        .reading_count = COUNT(readings),
    };
    did(sample, fg_capture_writer_clock(sample->writer, &host));
    did(sample, fg_capture_writer_clock(sample->writer, &gpu));
}

static void put_tracks(struct sample *sample)
{
    const struct fg_cap_process process = {
        .id = 1,
        .os_id = 4242,
        .name = sample_symbol(sample, "sample"),
        .sort = -1,
    };
    const struct fg_cap_track cpu = {
        .id = SAMPLE_TRACK_CPU,
        .kind = FG_CAP_TRACK_THREAD,
        .process = 1,
        .parent = FG_CAP_NONE,
        .clock = SAMPLE_CLOCK_HOST,
        .name = sample_symbol(sample, "main thread"),
        .os_id = 4243,
    };
    const struct fg_cap_track queue = {
        .id = SAMPLE_TRACK_QUEUE,
        .kind = FG_CAP_TRACK_GPU_QUEUE,
        .process = 1,
        .parent = SAMPLE_TRACK_CPU,
        .clock = SAMPLE_CLOCK_GPU,
        .name = sample_symbol(sample, "graphics queue"),
        .os_id = UINT64_C(2) << 32 | 1,
        .queue_flags = 7,
        .sort = 3,
    };
    did(sample, fg_capture_writer_process(sample->writer, &process));
    did(sample, fg_capture_writer_track(sample->writer, &cpu));
    did(sample, fg_capture_writer_track(sample->writer, &queue));
}

void sample_begin(struct sample *sample)
{
    if (sample->result == FG_OK) {
        put_meta(sample);
        put_clocks(sample);
        put_tracks(sample);
    }
}

/* ---- Frames ---------------------------------------------------------------------------------- */

static uint32_t numbered(struct sample *sample, const char *prefix, unsigned variant,
                         unsigned number)
{
    char text[64];
    (void)snprintf(text, sizeof text, "%s %u.%u", prefix, variant, number);
    return sample_symbol(sample, text);
}

uint32_t sample_topology(struct sample *sample, unsigned variant, unsigned pass_count)
{
    struct fg_cap_graph_pass passes[MAX_PASSES] = { 0 };
    struct fg_cap_resource resources[MAX_PASSES] = { 0 };
    struct fg_cap_topology_gpu_pass gpu_passes[MAX_PASSES] = { 0 };
    uint32_t indices[MAX_PASSES];
    const struct fg_cap_scope scopes[] = {
        { sample_symbol(sample, "frame"), FG_CAP_NONE },
        { sample_symbol(sample, "lighting"), 0 },
    };
    const struct fg_cap_edge edges[] = { { 0, pass_count - 1 } };
    for (unsigned i = 0; i < pass_count; i++) {
        indices[i] = i;
        passes[i] = (struct fg_cap_graph_pass){
            .id = 100 + i,
            .name = numbered(sample, "pass", variant, i),
            .scope = i % 3 == 0 ? FG_CAP_NONE : i % 2,
            .flags = i + 1 == pass_count ? FG_CAP_PASS_SIDE_EFFECT : 0,
            .reads = &indices[i != 0 ? i - 1 : 0],
            .read_count = i != 0 ? 1 : 0,
            .writes = &indices[i],
            .write_count = 1,
            .creates = &indices[i],
            .create_count = i % 2,
        };
        resources[i] = (struct fg_cap_resource){
            .id = 7000 + i / 2,
            .name = numbered(sample, "target", variant, i / 2),
            .version = i % 2,
            .flags = i == 0 ? FG_CAP_RESOURCE_IMPORTED : FG_CAP_RESOURCE_TRANSIENT,
            .producer = i,
            .kind = i % 3,
            .usage = 0x13,
            .footprint_bytes = i % 3 != 0 ? 1000 * (i + 1) : FG_CAP_UNKNOWN,
        };
        if (i % 3 == FG_CAP_RESOURCE_BUFFER) {
            resources[i].size_bytes = 65536;
            resources[i].clear_offset = 16;
            resources[i].clear_bytes = 256;
        } else if (i % 3 == FG_CAP_RESOURCE_TEXTURE) {
            resources[i].format = 37;
            resources[i].dimension = 2;
            resources[i].width = 320;
            resources[i].height = 180;
            resources[i].depth = resources[i].layer_count = resources[i].sample_count = 1;
            resources[i].mip_count = 9;
        }
        gpu_passes[i] = (struct fg_cap_topology_gpu_pass){
            .owner = i != 1 ? i : FG_CAP_NONE,
            .kind = FG_CAP_GPU_PASS_RENDER + i % 2,
            .label = numbered(sample, "gpu pass", variant, i),
        };
    }
    const struct fg_cap_topology topology = {
        .name = sample_symbol(sample, "main graph"),
        .scopes = scopes,
        .scope_count = COUNT(scopes),
        .passes = passes,
        .pass_count = pass_count,
        .resources = resources,
        .resource_count = pass_count,
        .gpu_passes = gpu_passes,
        .gpu_pass_count = pass_count,
        .edges = edges,
        .edge_count = COUNT(edges),
    };
    uint32_t id = 0;
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_topology(sample->writer, &topology, &id));
    }
    return id;
}

static struct fg_cap_work work_of(struct sample *sample, unsigned pass, unsigned variant)
{
    struct fg_cap_work work = {
        .kind = pass % 8,
        .repeat = 1 + pass % 3,
        .pipeline = numbered(sample, "pipeline", 0, pass % 5),
        .x = 3 + variant,
        .y = 1,
    };
    if (work.kind == FG_CAP_WORK_DISPATCH || work.kind == FG_CAP_WORK_DISPATCH_INDIRECT) {
        work.workgroup_x = 8;
        work.workgroup_y = 8;
        work.workgroup_z = 1;
    }
    if (work.kind >= FG_CAP_WORK_DRAW_INDIRECT && work.kind != FG_CAP_WORK_DISPATCH) {
        work.buffer = 99;
        work.offset = 64 * pass;
        work.draw_count = 4;
        work.stride_bytes = 20;
    }
    return work;
}

void sample_frame(struct sample *sample, uint64_t frame, uint32_t topology, unsigned pass_count,
                  unsigned variant)
{
    struct fg_cap_cpu_pass passes[MAX_PASSES] = { 0 };
    struct fg_cap_gpu_pass gpu_passes[MAX_PASSES] = { 0 };
    struct fg_cap_work works[MAX_PASSES];
    uint64_t begin = 1000000 + frame * 16666667;
    const struct fg_cap_attachment attachment = {
        FG_CAP_ATTACHMENT_COLOR, 37, FG_CAP_LOAD_CLEAR, FG_CAP_STORE_STORE, 1, 320, 180, 0
    };
    for (unsigned i = 0; i < pass_count; i++) {
        works[i] = work_of(sample, i, i == 1 ? variant : 0);
        passes[i] = (struct fg_cap_cpu_pass){
            .graph_pass = i,
            .flags = i == 2 ? FG_CAP_CPU_PASS_CULLED : FG_CAP_CPU_PASS_TIMED,
            .ref_count = i % 3,
            .track = SAMPLE_TRACK_CPU,
        };
        if (i != 2) {
            passes[i].begin_ticks = begin + 1000 * i + frame;
            passes[i].end_ticks = passes[i].begin_ticks + 700 + 13 * i;
        }
        gpu_passes[i] = (struct fg_cap_gpu_pass){
            .gpu_pass = i,
            .track = SAMPLE_TRACK_QUEUE,
            .submission = 0,
            .parent = FG_CAP_NONE,
            .logical = FG_CAP_NONE,
            .attachments = &attachment,
            .attachment_count = i % 2,
            .works = &works[i],
            .work_count = 1,
        };
    }
    const struct fg_cap_semaphore semaphores[] = { { 5, 0 }, { 6, 40 + frame } };
    const struct fg_cap_submission submission = {
        .track = SAMPLE_TRACK_QUEUE,
        .submit_ticks = begin + 90000,
        .waits = semaphores,
        .wait_count = 1,
        .signals = semaphores + 1,
        .signal_count = 1,
    };
    const struct fg_cap_counter counters[] = {
        { sample_symbol(sample, "memory used"),
          sample_symbol(sample, "bytes"),
          { .kind = FG_CAP_VALUE_UINT, .u = 123456789 } },
        { sample_symbol(sample, "scale"), 0, { .kind = FG_CAP_VALUE_F64, .f = 0.75 } },
    };
    const struct fg_cap_drop drop = { FG_CAP_DROP_POOL_FULL, 2 };
    const struct fg_cap_frame payload = {
        .frame = frame,
        .topology = topology,
        .level = FG_CAP_LEVEL_WORKLOAD,
        .clock = SAMPLE_CLOCK_HOST,
        .track = SAMPLE_TRACK_CPU,
        .begin_ticks = begin,
        .end_ticks = begin + 100000 + frame,
        .submit_ticks = begin + 90000,
        .wait_ticks = 500,
        .present_wait_ticks = FG_CAP_UNKNOWN,
        .recorder_ns = 1234,
        .submissions = &submission,
        .submission_count = 1,
        .counters = counters,
        .counter_count = COUNT(counters),
        .drops = &drop,
        .drop_count = frame % 2,
        .passes = passes,
        .pass_count = pass_count,
        .gpu_passes = gpu_passes,
        .gpu_pass_count = pass_count,
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_frame(sample->writer, &payload));
    }
}

void sample_gpu_frame(struct sample *sample, uint64_t frame, unsigned pass_count, uint32_t missing)
{
    struct fg_cap_gpu_span spans[MAX_PASSES] = { 0 };
    uint64_t epoch = 50000 + frame * 320000;
    for (unsigned i = 0; i < pass_count; i++) {
        spans[i].instance = i;
        spans[i].origin = 1;
        if (i == missing) {
            spans[i].status = FG_CAP_SPAN_MISSING;
        } else {
            spans[i].begin_ticks = epoch + 100 * i;
            spans[i].end_ticks = epoch + 100 * i + 60 + frame;
        }
    }
    const struct fg_cap_gpu_frame payload = {
        .frame = frame,
        .clock = SAMPLE_CLOCK_GPU,
        .flags = FG_CAP_GPU_FRAME_LAST,
        .instance_count = pass_count,
        .epoch_ticks = epoch,
        .latency_ns = 33000000,
        .spans = spans,
        .span_count = pass_count,
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_gpu_frame(sample->writer, &payload));
    }
}

/* ---- One of everything ----------------------------------------------------------------------- */

static void put_odd_frame(struct sample *sample, uint64_t frame)
{
    /* Spelled-out GPU passes, fragments, a marker inside a pass, bindings; no topology. */
    const struct fg_cap_binding bindings[] = {
        { 0, 1, 2, FG_CAP_BINDING_STORAGE_BUFFER, 77, sample_symbol(sample, "lights"), 256, 4096 },
        { 0, 3, 0, FG_CAP_BINDING_SAMPLED_TEXTURE, 78, 0, 0, FG_CAP_UNKNOWN },
    };
    const struct fg_cap_work works[] = {
        { .kind = FG_CAP_WORK_COPY, .repeat = 1, .x = UINT64_C(5000000000) },
        { .kind = FG_CAP_WORK_DISPATCH,
          .repeat = 2,
          .pipeline = sample_symbol(sample, "cull"),
          .x = 10,
          .y = 20,
          .z = 30,
          .bindings = bindings,
          .binding_count = COUNT(bindings) },
    };
    const struct fg_cap_gpu_pass gpu_passes[] = {
        { FG_CAP_NONE, FG_CAP_NONE, FG_CAP_GPU_PASS_COMPUTE, sample_symbol(sample, "loose"),
          FG_CAP_NONE, FG_CAP_NONE, FG_CAP_NONE, FG_CAP_NONE, 0, NULL, 0, works, COUNT(works) },
        { FG_CAP_NONE, FG_CAP_NONE, FG_CAP_GPU_PASS_MARKER, sample_symbol(sample, "inside"),
          SAMPLE_TRACK_QUEUE, FG_CAP_NONE, 0, FG_CAP_NONE, 0, NULL, 0, NULL, 0 },
        { FG_CAP_NONE, FG_CAP_NONE, FG_CAP_GPU_PASS_COMPUTE, sample_symbol(sample, "loose"),
          SAMPLE_TRACK_QUEUE, FG_CAP_NONE, FG_CAP_NONE, 0, 1, NULL, 0, NULL, 0 },
        { FG_CAP_NONE, FG_CAP_NONE, FG_CAP_GPU_PASS_OTHER, 0, FG_CAP_NONE, FG_CAP_NONE, FG_CAP_NONE,
          FG_CAP_NONE, 0, NULL, 0, NULL, 0 },
    };
    const struct fg_cap_frame payload = {
        .frame = frame,
        .topology = FG_CAP_NONE,
        .level = FG_CAP_LEVEL_VERBOSE,
        .clock = SAMPLE_CLOCK_HOST,
        .track = FG_CAP_NONE,
        .begin_ticks = 900,
        .end_ticks = 800,
        .submit_ticks = FG_CAP_UNKNOWN,
        .wait_ticks = FG_CAP_UNKNOWN,
        .present_wait_ticks = 12,
        .recorder_ns = FG_CAP_UNKNOWN,
        .gpu_passes = gpu_passes,
        .gpu_pass_count = COUNT(gpu_passes),
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_frame(sample->writer, &payload));
    }
    const struct fg_cap_gpu_span spans[] = {
        { 3, FG_CAP_SPAN_INVALID, 4, UINT64_MAX - 5, 10 },
        { 0, FG_CAP_SPAN_OPEN, 4, 5000000000, 0 },
        { 1, FG_CAP_SPAN_LOST, 4, 0, 0 },
        { 2, FG_CAP_SPAN_NO_SLOT, 0, 0, 0 },
        { 2, FG_CAP_SPAN_OK, 0, 70, 70 },
    };
    const uint64_t values[] = { 1, UINT64_C(1) << 40 };
    const struct fg_cap_statistics statistics = { 1, 0x401, values, 2 };
    const struct fg_cap_resolved resolved = { 0, 1, 0, 640, 480, 1 };
    const struct fg_cap_gpu_frame gpu = {
        .frame = frame,
        .clock = SAMPLE_CLOCK_GPU,
        .instance_count = COUNT(gpu_passes),
        .epoch_ticks = 60,
        .latency_ns = FG_CAP_UNKNOWN,
        .spans = spans,
        .span_count = COUNT(spans),
        .statistics = &statistics,
        .statistics_count = 1,
        .resolved = &resolved,
        .resolved_count = 1,
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_gpu_frame(sample->writer, &gpu));
    }
}

static void put_spans(struct sample *sample)
{
    const struct fg_cap_block_span spans[] = {
        { -5000, 9000, 0, sample_symbol(sample, "outer"), sample_symbol(sample, "app"), 0, 1, 17,
          0 },
        { -5000, -4000, 1, sample_symbol(sample, "inner"), 0, FG_CAP_BLOCK_SPAN_UNFINISHED,
          FG_CAP_UNKNOWN, FG_CAP_UNKNOWN, 0 },
        { 10, 10, 1, sample_symbol(sample, "mark"), 0, FG_CAP_BLOCK_SPAN_INSTANT, FG_CAP_UNKNOWN,
          FG_CAP_UNKNOWN, 0 },
    };
    const struct fg_cap_span_block block = { .id = 0,
                                             .track = SAMPLE_TRACK_CPU,
                                             .clock = SAMPLE_CLOCK_HOST,
                                             .spans = spans,
                                             .span_count = COUNT(spans) };
    const struct fg_cap_block_span plain[] = {
        { INT64_MIN, INT64_MAX, 0, 0, 0, 0, FG_CAP_UNKNOWN, FG_CAP_UNKNOWN, 0 },
    };
    const struct fg_cap_span_block extremes = { .id = 9,
                                                .track = SAMPLE_TRACK_CPU,
                                                .clock = SAMPLE_CLOCK_HOST,
                                                .spans = plain,
                                                .span_count = COUNT(plain) };
    const struct fg_cap_dependency dependencies[] = {
        { { FG_CAP_REF_BLOCK_SPAN, 0, 1 },
          { FG_CAP_REF_GPU_PASS, 1, 0 },
          FG_CAP_DEPENDENCY_SUBMIT,
          1,
          sample_symbol(sample, "submit") },
        { { FG_CAP_REF_BLOCK_SPAN, 0, 2 },
          { FG_CAP_REF_BLOCK_SPAN, 9, 0 },
          FG_CAP_DEPENDENCY_FLOW,
          0,
          0 },
        { { FG_CAP_REF_GPU_PASS, 1, 0 },
          { FG_CAP_REF_CPU_PASS, 1, 2 },
          FG_CAP_DEPENDENCY_WAKE,
          0,
          0 },
    };
    const struct fg_cap_dependencies list = { dependencies, COUNT(dependencies) };
    const struct fg_cap_argument arguments[] = {
        { sample_symbol(sample, "int"), { .kind = FG_CAP_VALUE_INT, .i = -7 } },
        { sample_symbol(sample, "float"), { .kind = FG_CAP_VALUE_F64, .f = -0.0 } },
        { sample_symbol(sample, "bool"), { .kind = FG_CAP_VALUE_BOOL, .u = 1 } },
        { sample_symbol(sample, "text"),
          { .kind = FG_CAP_VALUE_TEXT,
            .text = TEXT("a\xff"
                         "b") } },
        { sample_symbol(sample, "symbol"),
          { .kind = FG_CAP_VALUE_SYMBOL, .u = sample_symbol(sample, "as symbol") } },
        { sample_symbol(sample, "later"), { .kind = 200, .text = TEXT("SREC") } },
    };
    const struct fg_cap_argument_list lists[] = {
        { { FG_CAP_REF_BLOCK_SPAN, 0, 1 }, arguments, COUNT(arguments) },
        { { FG_CAP_REF_EVENT, SAMPLE_TRACK_CPU, 12 }, NULL, 0 },
    };
    const struct fg_cap_arguments all = { lists, COUNT(lists) };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_span_block(sample->writer, &block));
        did(sample, fg_capture_writer_span_block(sample->writer, &extremes));
        did(sample, fg_capture_writer_dependencies(sample->writer, &list));
        did(sample, fg_capture_writer_arguments(sample->writer, &all));
    }
}

static void put_samples(struct sample *sample)
{
    const struct fg_cap_stack stacks[] = {
        { 1, FG_CAP_NONE, sample_symbol(sample, "main"), sample_symbol(sample, "main.c"),
          sample_symbol(sample, "app"), 10, 0x400000 },
        { 2, 1, sample_symbol(sample, "draw"), 0, 0, 0, 0 },
    };
    const struct fg_cap_stacks table = { stacks, COUNT(stacks) };
    const struct fg_cap_sample samples[] = { { 100, 2, 1 }, { 90, 1, 3 }, { 95, FG_CAP_NONE, 1 } };
    const struct fg_cap_samples list = { SAMPLE_TRACK_CPU, SAMPLE_CLOCK_HOST,
                                         sample_symbol(sample, "samples"), samples,
                                         COUNT(samples) };
    const struct fg_cap_metric metric = { 1,
                                          FG_CAP_METRIC_GAUGE,
                                          FG_CAP_NONE,
                                          sample_symbol(sample, "temperature"),
                                          sample_symbol(sample, "C"),
                                          sample_symbol(sample, "of the device"),
                                          FG_CAP_ACCURACY_EXACT };
    const struct fg_cap_metric_sample values[] = {
        { 5, { .kind = FG_CAP_VALUE_F64, .f = 61.5 } },
        { 8, { .kind = FG_CAP_VALUE_INT, .i = -3 } },
    };
    const struct fg_cap_metric_samples metric_samples = { 1, SAMPLE_CLOCK_HOST, values,
                                                          COUNT(values) };
    const struct fg_cap_resource_event events[] = {
        { 1000, FG_CAP_RESOURCE_CREATED, 77, 1, sample_symbol(sample, "shadow map"),
          sample_symbol(sample, "image"), 0, 4194304 },
        { 2000, FG_CAP_RESOURCE_DESTROYED, 77, FG_CAP_UNKNOWN, 0, 0, FG_CAP_NONE, FG_CAP_UNKNOWN },
    };
    const struct fg_cap_resource_events resources = { SAMPLE_CLOCK_HOST, events, COUNT(events),
                                                      NULL, 0 };
    const struct fg_cap_event raw[] = {
        { 10, sample_symbol(sample, "zone"), FG_CAP_EVENT_BEGIN, 0, 0 },
        { 12, 0, FG_CAP_EVENT_NONE, 0, 0 },
        { 14, sample_symbol(sample, "count"), FG_CAP_EVENT_VALUE, 1, UINT64_MAX },
        { 20, 0, FG_CAP_EVENT_END, 0, 0 },
    };
    const struct fg_cap_events ring = {
        SAMPLE_TRACK_CPU, SAMPLE_CLOCK_HOST, 10, 3, raw, COUNT(raw)
    };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_stacks(sample->writer, &table));
        did(sample, fg_capture_writer_samples(sample->writer, &list));
        did(sample, fg_capture_writer_metric(sample->writer, &metric));
        did(sample, fg_capture_writer_metric_samples(sample->writer, &metric_samples));
        did(sample, fg_capture_writer_resource_events(sample->writer, &resources));
        did(sample, fg_capture_writer_events(sample->writer, &ring));
    }
}

static void put_rest(struct sample *sample)
{
    const struct fg_cap_pipeline pipeline = { sample_symbol(sample, "cull"),
                                              FG_CAP_GPU_PASS_COMPUTE,
                                              sample_symbol(sample, "cull.spv"),
                                              sample_symbol(sample, "main"),
                                              64,
                                              1,
                                              1,
                                              0xdeadbeefcafef00du };
    const struct fg_cap_note note = { 1, SAMPLE_CLOCK_HOST, 1234, sample_symbol(sample, "hitch"),
                                      TEXT("here: SREC SGPT") };
    const struct fg_cap_instance_ref open[] = { { 1, 3 }, { 2, 0 } };
    const struct fg_cap_device_lost lost = { 2, FG_CAP_NONE, 0, TEXT("reset"), open, COUNT(open) };
    const struct fg_cap_counter_summary counter = {
        sample_symbol(sample, "memory used"), sample_symbol(sample, "bytes"), 2, 1.0, 2.0, 1.5
    };
    const struct fg_cap_counters counters = { &counter, 1 };
    const struct fg_cap_drop drops[] = { { FG_CAP_DROP_POOL_FULL, 2 }, { 99, 1 } };
    const struct fg_cap_summary summary = { 3, 2,       3702,  300000,      1500,
                                            1, 1048576, drops, COUNT(drops) };
    if (sample->result == FG_OK) {
        did(sample, fg_capture_writer_pipeline(sample->writer, &pipeline));
        did(sample, fg_capture_writer_note(sample->writer, &note));
        did(sample, fg_capture_writer_device_lost(sample->writer, &lost));
        did(sample, fg_capture_writer_counters(sample->writer, &counters));
        did(sample, fg_capture_writer_summary(sample->writer, &summary));
    }
}

void sample_everything(struct sample *sample)
{
    sample_begin(sample);
    uint32_t topology = sample_topology(sample, 0, 9);
    sample_frame(sample, 1, topology, 9, 0);
    sample_frame(sample, 2, topology, 9, 1);
    sample_gpu_frame(sample, 1, 9, 4);
    sample_gpu_frame(sample, 2, 9, UINT32_MAX);
    put_odd_frame(sample, 3);
    put_spans(sample);
    put_samples(sample);
    put_rest(sample);
}
