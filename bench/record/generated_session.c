/* SPDX-License-Identifier: MIT */
#include "generated_session.h"

#include <frameglass/gpu.h>

#include <stdio.h>
#include <string.h>

#define PASSES_MAX 2000
#define QUEUES_MAX 4
#define PIPELINES  32

/* Everything that is made once per recording. */
struct generator {
    struct generated_options options;
    struct fg_device *device;
    struct fg_software_commands *natives[QUEUES_MAX];
    uint32_t pipelines[PIPELINES];
    uint64_t random;
    struct generated_result result;
};

/* The graph's arrays: the same in every call, filled again each time. */
static struct fg_graph_pass passes[PASSES_MAX];
static struct fg_graph_resource resources[PASSES_MAX];
static char pass_names[PASSES_MAX][40];
static char resource_names[PASSES_MAX][40];
static uint32_t pass_reads[PASSES_MAX][3];
static uint32_t pass_creates[PASSES_MAX];

static const char *const areas[] = { "shadow", "geometry", "lighting", "effects",
                                     "post",   "upscale",  "ui",       "debug" };
static const char *const steps[] = { "setup", "downsample", "filter", "resolve",
                                     "copy",  "composite",  "trace",  "denoise" };

static uint32_t area_of(uint32_t pass, uint32_t pass_count)
{
    return pass * 8 / pass_count;
}

static bool is_compute(uint32_t pass)
{
    return pass % 5 < 2;
}

static bool is_culled(uint32_t pass)
{
    return pass % 40 == 39;
}

struct fg_graph_desc generated_graph(const struct generated_options *options, uint32_t half)
{
    static const char *scope_lists[8][2];
    uint32_t count = options->pass_count;
    for (uint32_t i = 0; i < 8; i++) {
        scope_lists[i][0] = areas[i];
        scope_lists[i][1] = i % 2 == 0 ? "main view" : "secondary view";
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t area = area_of(i, count);
        uint32_t reads = i == 0 ? 0 : i < 3 ? 1 : 2;
        (void)snprintf(pass_names[i], sizeof pass_names[i], "%s %s %u", areas[area],
                       steps[i * 7 % 8], i);
        (void)snprintf(resource_names[i], sizeof resource_names[i], "%s target %u", areas[area], i);
        pass_reads[i][0] = i == 0 ? 0 : i - 1;
        pass_reads[i][1] = i / 2;
        pass_creates[i] = i;
        passes[i] = (struct fg_graph_pass){
            .id = 1000 + i,
            .name = pass_names[i],
            .scopes = scope_lists[area],
            .scope_count = 1 + i % 2,
            .flags = (is_culled(i) ? FG_GRAPH_PASS_CULLED : 0u) |
                     (i == count - 1 ? FG_GRAPH_PASS_SIDE_EFFECT : 0u),
            .ref_count = is_culled(i) ? 0 : 1 + i % 3,
            .reads = pass_reads[i],
            .read_count = reads,
            .creates = &pass_creates[i],
            .create_count = 1,
        };
        bool buffer = is_compute(i);
        resources[i] = (struct fg_graph_resource){
            .id = 5000 + i,
            .name = resource_names[i],
            .flags = i == count - 1 ? FG_RESOURCE_IMPORTED : FG_RESOURCE_TRANSIENT,
            .desc = { .kind = buffer ? FG_RESOURCE_BUFFER : FG_RESOURCE_TEXTURE,
                      .usage = buffer ? 0x20 : 0x14,
                      .size_bytes = buffer ? 65536u * (1 + i % 16) : 0,
                      .format = i % 3 == 0 ? 97 : 37,
                      .width = (half == 0 ? 1920u : 1280u) >> (i % 4),
                      .height = (half == 0 ? 1080u : 720u) >> (i % 4),
                      .mips = 1 + i % 4 },
        };
    }
    return (struct fg_graph_desc){
        .name = "generated",
        .passes = passes,
        .pass_count = count,
        .resources = resources,
        .resource_count = count,
        .revision = half + 1,
    };
}

static uint32_t next_random(struct generator *generator, uint32_t limit)
{
    generator->random = generator->random * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(generator->random >> 33) % limit;
}

static void record_work(struct generator *generator, struct fg_commands *commands, uint32_t pass,
                        uint32_t frame)
{
    /* One pass in twenty does other work in every frame; the others repeat themselves. */
    uint32_t variation = pass % 20 == 3 ? frame : 0;
    uint32_t calls = is_compute(pass) ? 1 + pass % 3 : 1 + pass % 6;
    for (uint32_t i = 0; i < calls; i++) {
        fg_gpu_pipeline(commands, generator->pipelines[(pass + i) % PIPELINES]);
        fg_gpu_bind(commands,
                    (const struct fg_binding[]){
                        { .kind = FG_BINDING_UNIFORM_BUFFER, .slot = 0, .resource = 5000 + pass },
                        { .kind = FG_BINDING_SAMPLED_TEXTURE, .slot = 1, .resource = 4999 + pass },
                    },
                    2);
        if (is_compute(pass) && pass % 15 == 0) {
            fg_gpu_dispatch_indirect(
                commands, &(struct fg_indirect){ .buffer = 77 + pass, .offset_bytes = 16 * i });
        } else if (is_compute(pass)) {
            fg_gpu_dispatch(commands, 240 >> i, 135 + variation % 7, 1);
        } else {
            fg_gpu_draw_indexed(commands, 3000 + 30 * i + variation % 100, 1 + pass % 4);
        }
    }
    generator->result.works += calls;
}

static void record_pass(struct generator *generator, struct fg_commands *commands,
                        struct fg_software_commands *native, uint32_t pass, uint32_t frame)
{
    const struct fg_attachment attachments[] = {
        { .format = 97, .load = FG_LOAD_CLEAR, .store = FG_STORE_STORE, .resource = 5000 + pass },
        { .kind = FG_ATTACHMENT_DEPTH,
          .format = 126,
          .load = FG_LOAD_LOAD,
          .store = FG_STORE_DISCARD },
    };
    int64_t cost_ns = 5000 + pass * 977 % 90000;
    cost_ns += cost_ns * next_random(generator, 60) / 1000 + (frame % 97 == 96 ? cost_ns : 0);
    fg_commands_graph_pass_begin(commands, pass, pass_names[pass]);
    fg_gpu_pass_begin(commands,
                      &(struct fg_gpu_pass_desc){
                          .label = pass_names[pass],
                          .kind = is_compute(pass) ? FG_GPU_PASS_COMPUTE : FG_GPU_PASS_RENDER,
                          .attachments = attachments,
                          .attachment_count = is_compute(pass) ? 0 : 1 + pass % 2,
                      });
    record_work(generator, commands, pass, frame);
    fg_software_work(native, cost_ns, 1000 + pass);
    fg_gpu_pass_end(commands);
    fg_software_advance(generator->device, 1200 + next_random(generator, 700));
    fg_commands_graph_pass_end(commands);
    generator->result.pass_instances++;
}

static void describe_frame(struct generator *generator, struct fg_frame *frame, uint32_t number)
{
    uint32_t half = number * 2 / generator->options.frame_count;
    struct fg_graph_desc graph = generated_graph(&generator->options, half);
    fg_frame_set_graph(frame, &graph);
    fg_frame_counter(frame, "meshes", FG_UNIT_COUNT, 1200 + number % 10);
    fg_frame_counter(frame, "lights", FG_UNIT_COUNT, 64);
}

static bool run_frame(struct generator *generator, uint32_t number)
{
    struct fg_frame *frame = fg_frame_begin(generator->device);
    uint32_t count = generator->options.pass_count;
    uint32_t queues = generator->options.queue_count;
    bool done = true;
    describe_frame(generator, frame, number);
    for (uint32_t queue = 0; queue < queues; queue++) {
        struct fg_software_commands *native = generator->natives[queue];
        fg_software_commands_reset(native);
        struct fg_commands *commands = fg_commands_begin(
            frame, &(struct fg_commands_desc){ .native = native, .queue = queue });
        for (uint32_t i = count * queue / queues; i < count * (queue + 1) / queues; i++) {
            if (!is_culled(i)) {
                record_pass(generator, commands, native, i, number);
            }
        }
        fg_commands_end(commands);
        struct fg_semaphore_op edge = { .semaphore = 9, .value = (uint64_t)number * 8 + queue };
        struct fg_semaphore_op signal = { .semaphore = 9,
                                          .value = (uint64_t)number * 8 + queue + 1 };
        fg_frame_submit(frame,
                        &(struct fg_submission){ .queue = queue,
                                                 .commands = &commands,
                                                 .commands_count = 1,
                                                 .waits = &edge,
                                                 .wait_count = queue != 0,
                                                 .signals = &signal,
                                                 .signal_count = 1 },
                        NULL);
        done &= fg_software_submit(generator->device,
                                   &(struct fg_software_submission){ .queue = queue,
                                                                     .commands = &native,
                                                                     .commands_count = 1,
                                                                     .waits = &edge,
                                                                     .wait_count = queue != 0,
                                                                     .signals = &signal,
                                                                     .signal_count = 1 }) == FG_OK;
    }
    fg_frame_end(frame);
    fg_software_advance(generator->device, 16000000);
    return done;
}

static void register_pipelines(struct generator *generator)
{
    for (uint32_t i = 0; i < PIPELINES; i++) {
        char label[40];
        (void)snprintf(label, sizeof label, "%s pipeline %u", steps[i % 8], i);
        generator->pipelines[i] = fg_pipeline_register(
            generator->device, &(struct fg_pipeline_desc){
                                   .label = label, .workgroup = { 8, 8, i % 7 == 0 ? 0 : 1 } });
    }
}

static bool prepare(struct generator *generator, struct fg_session **out_session)
{
    const struct generated_options *options = &generator->options;
    struct fg_software_options device_options = { .queue_count = options->queue_count,
                                                  .limits = { .passes = 2048 },
                                                  .pool_max = 8192,
                                                  .latency_ns = 20000000 };
    struct fg_session_options session_options = { .level = options->level,
                                                  .flags = options->session_flags,
                                                  .path = options->path,
                                                  .byte_budget = UINT64_MAX,
                                                  .note = "the fixed generated session" };
    bool done = fg_software_device_create(&device_options, &generator->device) == FG_OK &&
                fg_session_create(generator->device, &session_options, out_session) == FG_OK &&
                fg_session_start(*out_session) == FG_OK;
    for (uint32_t i = 0; done && i < options->queue_count; i++) {
        done = fg_software_commands_create(generator->device, &generator->natives[i]) == FG_OK;
    }
    if (done) {
        register_pipelines(generator);
    }
    return done;
}

bool generated_record(const struct generated_options *options,
                      void (*visit)(void *context, struct fg_session *session), void *context,
                      struct generated_result *out_result)
{
    struct generator generator = { .options = *options, .random = 1 };
    struct fg_session *session = NULL;
    generator.options.frame_count = options->frame_count != 0 ? options->frame_count : 600;
    generator.options.pass_count = options->pass_count != 0 ? options->pass_count : 200;
    generator.options.queue_count = options->queue_count != 0 ? options->queue_count : 1;
    if (generator.options.pass_count > PASSES_MAX || generator.options.queue_count > QUEUES_MAX) {
        return false;
    }
    bool done = prepare(&generator, &session);
    for (uint32_t i = 0; done && i < generator.options.frame_count; i++) {
        done = run_frame(&generator, i);
    }
    done = done && fg_session_finish(session, 1000000000) == FG_OK;
    if (done) {
        struct fg_session_status status;
        fg_session_get_status(session, &status);
        generator.result.bytes = status.bytes_written;
        generator.result.frames = status.frames_landed;
        if (visit != NULL) {
            visit(context, session);
        }
        *out_result = generator.result;
    }
    for (uint32_t i = 0; i < QUEUES_MAX; i++) {
        fg_software_commands_destroy(generator.natives[i]);
    }
    fg_session_destroy(session);
    fg_device_destroy(generator.device);
    return done;
}
