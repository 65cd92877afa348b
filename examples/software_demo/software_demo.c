/* SPDX-License-Identifier: MIT */
/* A run from the first frame to the last, on clocks that move only when told. */
#include "software_demo.h"

#include "software_frame.h"

#include <frameglass/instrument.h>
#include <frameglass/session.h>

#include <stdio.h>
#include <stdlib.h>

enum { SLOT_COUNT = 4, IN_FLIGHT = 2, MAX_TOPOLOGIES = 64, DEFAULT_FRAMES = 120 };
enum { SEMAPHORE_GRAPHICS = 1, SEMAPHORE_COMPUTE = 2 };

static const int64_t refresh_ns = 16666667;
static const int64_t landing_ns = 1000000;

struct run {
    struct rd_options options;
    struct rd_summary *summary;
    struct fg_device *device;
    struct fg_session *session;
    struct sd_slot slots[SLOT_COUNT];
    int64_t done_ns[SLOT_COUNT]; /**< when the device is through with each */
    uint32_t pipelines[SD_MAX_STEPS];
    struct rd_graph graph;
    struct rd_recorded_graph recorded;
    uint64_t topologies[MAX_TOPOLOGIES];
};

static bool fail(struct run *run, const char *what, enum fg_result result)
{
    (void)snprintf(run->summary->error, sizeof(run->summary->error), "%s: %s", what,
                   fg_result_text(result));
    return false;
}

static enum fg_level level_of(enum rd_level level)
{
    static const enum fg_level levels[] = {
        [RD_LEVEL_WORKLOAD] = FG_LEVEL_WORKLOAD,
        [RD_LEVEL_TIMING] = FG_LEVEL_TIMING,
        [RD_LEVEL_STRUCTURE] = FG_LEVEL_STRUCTURE,
        [RD_LEVEL_VERBOSE] = FG_LEVEL_VERBOSE,
    };
    return levels[level];
}

static void describe(const struct run *run)
{
    static const char *const features[] = {
        "ambient occlusion", "auto exposure", "bloom",           "clustered lighting", "haze",
        "occlusion culling", "reflections",   "shadow cascades", "temporal filter"
    };
    char text[64];
    (void)fg_session_set_meta(run->session, "engine.name", "frameglass demo without a GPU");
    (void)fg_session_set_meta(run->session, "engine.version", "1");
    (void)snprintf(text, sizeof(text), "%ux%u", run->options.width_px, run->options.height_px);
    (void)fg_session_set_meta(run->session, "render.output_resolution", text);
    (void)fg_session_set_meta(run->session, "render.resolution",
                              "as the picture; 1.25 times as much from frame 60 on");
    (void)fg_session_set_meta(run->session, "render.upscaler", "none");
    (void)fg_session_set_meta(run->session, "render.queues", "graphics, compute");
    (void)snprintf(text, sizeof(text), "%u", run->options.seed);
    (void)fg_session_set_meta(run->session, "demo.seed", text);
    (void)fg_session_set_meta(run->session, "demo.hitch_frame", "80");
    (void)fg_session_set_meta(run->session, "demo.resize_frame", "60");
    for (size_t i = 0; i < sizeof(features) / sizeof(features[0]); i++) {
        (void)fg_session_add_feature(run->session, features[i]);
    }
}

static void register_pipelines(struct run *run)
{
    for (uint32_t i = 0; i < sd_step_count; i++) {
        const struct sd_step *step = &sd_steps[i];
        if (step->kind != RD_PASS_TRANSFER) {
            const bool compute = step->kind == RD_PASS_COMPUTE;
            run->pipelines[i] = fg_pipeline_register(
                run->device,
                &(struct fg_pipeline_desc){
                    .label = step->name,
                    .workgroup = { step->workgroup[0], step->workgroup[1], compute ? 1 : 0 } });
        }
    }
}

static bool start(struct run *run)
{
    const struct fg_software_options device = {
        .queue_count = 2,
        .start_ticks = 987654321,
        .drift_ppm = 12,
        .latency_ns = landing_ns,
    };
    const struct fg_session_options options = {
        .level = level_of(run->options.level),
        .flags = run->options.level == RD_LEVEL_VERBOSE ? FG_SESSION_RESOLVE_INDIRECT : 0,
        .note = "made without a GPU: the times are invented, the resolution grows at frame 60, "
                "frame 80 is a deliberate hitch",
        .path = run->options.capture_path,
    };
    enum fg_result result = fg_software_device_create(&device, &run->device);
    for (int i = 0; i < SLOT_COUNT * SD_BATCH_COUNT && result == FG_OK; i++) {
        result = fg_software_commands_create(
            run->device, &run->slots[i / SD_BATCH_COUNT].natives[i % SD_BATCH_COUNT]);
    }
    if (result == FG_OK) {
        result = fg_session_create(run->device, &options, &run->session);
    }
    if (result == FG_OK) {
        describe(run);
        result = fg_session_start(run->session);
    }
    if (result != FG_OK) {
        char what[256];
        (void)snprintf(what, sizeof(what), "cannot record into %.200s", run->options.capture_path);
        return fail(run, what, result);
    }
    register_pipelines(run);
    return true;
}

/** Let time pass until then. @return how long that was */
static int64_t wait_until(struct run *run, int64_t time_ns)
{
    const int64_t now_ns = fg_software_now_ns(run->device);
    if (time_ns <= now_ns) {
        return 0;
    }
    fg_software_advance(run->device, time_ns - now_ns);
    return time_ns - now_ns;
}

static void count_topology(struct run *run, uint64_t hash)
{
    struct rd_summary *summary = run->summary;
    for (uint32_t i = 0; i < summary->topology_count; i++) {
        if (run->topologies[i] == hash) {
            return;
        }
    }
    if (summary->topology_count < MAX_TOPOLOGIES) {
        run->topologies[summary->topology_count++] = hash;
    }
}

static void publish(struct run *run, const struct sd_frame *frame)
{
    struct rd_summary *summary = run->summary;
    uint64_t image_bytes;
    uint64_t buffer_bytes;
    sd_frame_resident(frame, &image_bytes, &buffer_bytes);
    sd_frame_memory(frame, &summary->transient_unshared_bytes, &summary->transient_bytes);
    /* Textures come in bit by bit while somebody walks through the scene, and go again. */
    const uint64_t streamed = (frame->index * 3 % 90) * 655360;
    const struct {
        const char *name;
        enum fg_unit unit;
        uint64_t value;
    } counters[] = {
        { "scene.instances", FG_UNIT_COUNT, 8192 },
        { "scene.lights", FG_UNIT_COUNT, 160 + frame->index / 10 % 24 },
        { "scene.particles", FG_UNIT_COUNT, 16384 },
        { "resident.images", FG_UNIT_BYTES, image_bytes },
        { "resident.streamed", FG_UNIT_BYTES, streamed },
        { "resident.buffers", FG_UNIT_BYTES, buffer_bytes },
        { "resident.transient", FG_UNIT_BYTES, summary->transient_bytes },
        { "declared.transient", FG_UNIT_BYTES, summary->transient_unshared_bytes },
        { "render.width", FG_UNIT_COUNT, frame->width_px },
        { "render.height", FG_UNIT_COUNT, frame->height_px },
    };
    fg_software_set_memory(run->device,
                           image_bytes + streamed + buffer_bytes + summary->transient_bytes);
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        fg_frame_counter(frame->recorded, counters[i].name, counters[i].unit,
                         (int64_t)counters[i].value);
    }
    summary->graph_pass_count = run->graph.pass_count;
    summary->culled_pass_count = (uint32_t)(run->graph.pass_count - run->graph.order_count);
    summary->gpu_pass_count = frame->gpu_pass_count;
}

/** One command buffer to its queue: announced to the recorder, then to the device. */
static enum fg_result submit_one(struct sd_frame *frame, uint32_t batch,
                                 const struct fg_semaphore_op *wait,
                                 const struct fg_semaphore_op *signal)
{
    const uint32_t queue = batch == SD_COMPUTE_BATCH;
    const struct fg_submission submission = {
        .queue = queue,
        .commands = &frame->commands[batch],
        .commands_count = 1,
        .waits = wait,
        .wait_count = wait != NULL,
        .signals = signal,
        .signal_count = signal != NULL,
    };
    const struct fg_software_submission native = {
        .queue = queue,
        .commands = &frame->slot->natives[batch],
        .commands_count = 1,
        .waits = wait,
        .wait_count = wait != NULL,
        .signals = signal,
        .signal_count = signal != NULL,
    };
    fg_frame_submit(frame->recorded, &submission, NULL);
    return fg_software_submit(frame->device, &native);
}

static enum fg_result submit(struct sd_frame *frame)
{
    FG_ZONE("Frame/Submit");
    const struct fg_semaphore_op uploaded = { SEMAPHORE_GRAPHICS, frame->index * 2 + 1 };
    const struct fg_semaphore_op computed = { SEMAPHORE_COMPUTE, frame->index + 1 };
    const struct fg_semaphore_op finished = { SEMAPHORE_GRAPHICS, frame->index * 2 + 2 };
    enum fg_result result = submit_one(frame, 0, NULL, &uploaded);
    if (result == FG_OK) {
        result = submit_one(frame, SD_COMPUTE_BATCH, &uploaded, &computed);
    }
    if (result == FG_OK) {
        result = submit_one(frame, 1, NULL, NULL);
    }
    return result == FG_OK ? submit_one(frame, 2, &computed, &finished) : result;
}

static void note_script(const struct run *run, uint32_t index)
{
    if (index == RD_RESIZE_FRAME) {
        (void)fg_session_note(run->session, "internal resolution grows by a quarter");
    } else if (index == RD_HITCH_FRAME) {
        (void)fg_session_note(run->session,
                              "deliberate hitch: reflections trace ten rays for each pixel");
    }
}

static bool run_frame(struct run *run, uint32_t index)
{
    FG_FRAME();
    const uint32_t scale = index >= RD_RESIZE_FRAME ? 5 : 4;
    struct sd_frame frame = {
        .device = run->device,
        .recorded = fg_frame_begin(run->device),
        .slot = &run->slots[index % SLOT_COUNT],
        .pipelines = run->pipelines,
        .graph = &run->graph,
        .recorded_graph = &run->recorded,
        .index = index,
        .width_px = run->options.width_px * scale / 4,
        .height_px = run->options.height_px * scale / 4,
        .seed = run->options.seed,
        .hitch = index == RD_HITCH_FRAME,
    };
    const uint32_t oldest = (index + SLOT_COUNT - IN_FLIGHT) % SLOT_COUNT;
    fg_frame_waited(frame.recorded, FG_WAIT_OTHER, wait_until(run, run->done_ns[oldest]));
    note_script(run, index);
    fg_software_advance(run->device, 600000); /* What the rest of such a program does. */
    if (!sd_frame_declare(&frame)) {
        (void)snprintf(run->summary->error, sizeof(run->summary->error), "frame graph: %s",
                       run->graph.error);
        fg_frame_end(frame.recorded);
        return false;
    }
    const uint64_t hash = rd_graph_hash(&run->graph);
    count_topology(run, hash);
    rd_record_graph_into(frame.recorded, &run->recorded, &run->graph, hash);
    sd_frame_record(&frame);
    const enum fg_result result = submit(&frame);
    const int64_t now_ns = fg_software_now_ns(run->device);
    const int64_t before_ns = run->done_ns[(index + SLOT_COUNT - 1) % SLOT_COUNT];
    run->done_ns[index % SLOT_COUNT] = (before_ns > now_ns ? before_ns : now_ns) +
                                       frame.graphics_ns + frame.compute_ns + landing_ns;
    publish(run, &frame);
    FG_FRAME_COUNTER_ADD("Runtime/DrawCount", FG_UNIT_COUNT, 1);
    fg_frame_waited(frame.recorded, FG_WAIT_PRESENT,
                    wait_until(run, (now_ns / refresh_ns + 1) * refresh_ns));
    fg_frame_end(frame.recorded);
    run->summary->frame_count++;
    return result == FG_OK || fail(run, "the software device refused a submission", result);
}

static bool finish(struct run *run)
{
    struct fg_session_status status;
    fg_software_advance(run->device, 1000000000);
    const enum fg_result result = fg_session_finish(run->session, landing_ns);
    fg_session_get_status(run->session, &status);
    run->summary->capture_frame_count = status.frames_written;
    run->summary->capture_bytes = status.bytes_written;
    run->summary->seconds = (double)fg_software_now_ns(run->device) * 1e-9 - 1.0;
    return result == FG_OK || fail(run, "the capture is not complete", result);
}

static uint32_t or_default(uint32_t value, uint32_t fallback)
{
    return value > 0 ? value : fallback;
}

bool sd_run(const struct rd_options *options, struct rd_summary *out_summary)
{
    *out_summary = (struct rd_summary){ .device_name = "no GPU: a device made of arithmetic" };
    struct run *run = calloc(1, sizeof(*run));
    if (run == NULL) {
        (void)snprintf(out_summary->error, sizeof(out_summary->error), "out of memory");
        return false;
    }
    run->options = *options;
    run->options.frame_count = or_default(options->frame_count, DEFAULT_FRAMES);
    run->options.width_px = or_default(options->width_px, 1280);
    run->options.height_px = or_default(options->height_px, 720);
    run->options.seed = or_default(options->seed, 7);
    run->summary = out_summary;
    bool ok = start(run);
    for (uint32_t i = 0; ok && i < run->options.frame_count; i++) {
        ok = run_frame(run, i);
    }
    ok = ok && finish(run);
    fg_session_destroy(run->session);
    for (int i = 0; i < SLOT_COUNT * SD_BATCH_COUNT; i++) {
        fg_software_commands_destroy(run->slots[i / SD_BATCH_COUNT].natives[i % SD_BATCH_COUNT]);
    }
    fg_device_destroy(run->device);
    free(run);
    return ok;
}
