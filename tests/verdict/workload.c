/* SPDX-License-Identifier: MIT */
#include "workload.h"

#include <frameglass/gpu.h>
#include <frameglass/gpu_software.h>

#include <stdio.h>
#include <string.h>

#define MS INT64_C(1000000)

enum { GPU_LATE_FRAMES = 2 };

#define UNKNOWN  FG_HUD_VERDICT_UNKNOWN
#define CPU      FG_HUD_VERDICT_CPU
#define GPU      FG_HUD_VERDICT_GPU
#define PRESENT  FG_HUD_VERDICT_PRESENT
#define BALANCED FG_HUD_VERDICT_BALANCED
#define MIXED    FG_HUD_VERDICT_MIXED

#define TIMED   WORKLOAD_TIMED
#define UNTIMED WORKLOAD_UNTIMED
#define NOISE   WORKLOAD_NOISE

/* CPU, GPU, wait for present, another wait. */
static const struct workload workloads[] = {
    { "cpu", "the CPU works all the time", { { 16 * MS, 4 * MS, 0, 0, CPU } }, 1, TIMED, 0, CPU },
    { "gpu", "it waits for the GPU", { { 4 * MS, 16 * MS, 0, 12 * MS, GPU } }, 1, TIMED, 0, GPU },
    { "balanced",
      "both work all the time",
      { { 16 * MS, 15 * MS, 0, 0, BALANCED } },
      1,
      TIMED,
      0,
      BALANCED },
    { "present",
      "both have time to spare",
      { { 3 * MS, 6 * MS, 13 * MS, 0, PRESENT } },
      1,
      TIMED,
      0,
      PRESENT },
    { "alternating",
      "by turns the CPU and the GPU",
      { { 16 * MS, 4 * MS, 0, 0, CPU }, { 4 * MS, 16 * MS, 0, 12 * MS, GPU } },
      2,
      TIMED,
      0,
      MIXED },
    { "mostly-gpu",
      "three of four frames wait for the GPU",
      { { 4 * MS, 16 * MS, 0, 12 * MS, GPU },
        { 4 * MS, 16 * MS, 0, 12 * MS, GPU },
        { 4 * MS, 16 * MS, 0, 12 * MS, GPU },
        { 16 * MS, 4 * MS, 0, 0, CPU } },
      4,
      TIMED,
      0,
      GPU },
    { "capped",
      "every other frame sleeps, and only another wait than for present is told",
      { { 2 * MS, 3600000, 0, 14 * MS, UNKNOWN }, { 4 * MS, 16 * MS, 0, 12 * MS, GPU } },
      2,
      TIMED,
      0,
      GPU },
    { "paused", "idle for three seconds", { { 16 * MS, 4 * MS, 0, 0, CPU } }, 1, TIMED, 17, CPU },
    { "untimed-cpu",
      "no GPU times: the CPU works all the time",
      { { 16 * MS, 4 * MS, 0, 0, CPU } },
      1,
      UNTIMED,
      0,
      CPU },
    { "untimed-gpu",
      "no GPU times: the CPU waits for something that is no present",
      { { 4 * MS, 16 * MS, 0, 12 * MS, GPU } },
      1,
      UNTIMED,
      0,
      GPU },
    { "untimed-present",
      "no GPU times: all that it waits for is present, which is not taken for the GPU",
      { { 4 * MS, 6 * MS, 12 * MS, 0, PRESENT } },
      1,
      UNTIMED,
      0,
      PRESENT },
    { "noise",
      "GPU times that are not of execution: the CPU works all the time, whatever they say",
      { { 16 * MS, 15 * MS, 0, 0, CPU }, { 16 * MS, 3 * MS, 0, 0, CPU } },
      2,
      NOISE,
      0,
      CPU },
};

const struct workload *workload_at(size_t index)
{
    return index < sizeof workloads / sizeof *workloads ? &workloads[index] : NULL;
}

const struct workload *workload_find(const char *name)
{
    const struct workload *workload;
    for (size_t i = 0; (workload = workload_at(i)) != NULL; i++) {
        if (strcmp(workload->name, name) == 0) {
            return workload;
        }
    }
    return NULL;
}

static const struct workload_frame *turn_of(const struct workload *workload, uint64_t number)
{
    return &workload->turns[number % workload->turn_count];
}

enum fg_hud_verdict workload_truth(const struct workload *workload, uint64_t number)
{
    const bool is_paused = workload->pause_after != 0 && number == workload->pause_after;
    return is_paused ? UNKNOWN : turn_of(workload, number)->truth;
}

struct run {
    const struct workload *workload;
    struct fg_device *device;
    struct fg_session *session;
    struct fg_software_commands *natives[2]; /* of even and odd frames */
    struct fg_hud *hud;
};

static int64_t now_of(void *device)
{
    return fg_software_now_ns(device);
}

/* The frame's GPU time comes frames later, or it is known that it never will. */
static void tell_gpu(const struct run *run, uint64_t number)
{
    if (number >= GPU_LATE_FRAMES && run->workload->times != UNTIMED) {
        const uint64_t late = number - GPU_LATE_FRAMES;
        fg_hud_gpu(run->hud, late, turn_of(run->workload, late)->gpu_ns);
    }
    if (run->workload->times == UNTIMED) {
        fg_hud_gpu(run->hud, number, -1);
    }
}

static bool run_frame(const struct run *run, uint64_t number, bool is_shown)
{
    const struct workload_frame *turn = turn_of(run->workload, number);
    struct fg_software_commands *native = run->natives[number % 2];
    struct fg_frame *frame = fg_frame_begin(run->device);
    fg_software_commands_reset(native);
    struct fg_commands *commands =
        fg_commands_begin(frame, &(struct fg_commands_desc){ .native = native });
    fg_gpu_pass_begin(
        commands, &(struct fg_gpu_pass_desc){ .label = "everything", .kind = FG_GPU_PASS_RENDER });
    fg_software_work(native, turn->gpu_ns, 1000);
    fg_gpu_pass_end(commands);
    fg_software_advance(run->device, turn->cpu_ns);
    fg_commands_end(commands);
    struct fg_submit_extra extra = { 0 };
    fg_frame_submit(frame, &(struct fg_submission){ .commands = &commands, .commands_count = 1 },
                    &extra);
    const bool done = fg_software_submit(run->device, &(struct fg_software_submission){
                                                          .commands = &native,
                                                          .commands_count = 1,
                                                          .extra = extra,
                                                      }) == FG_OK;
    fg_software_advance(run->device, turn->other_wait_ns);
    fg_frame_waited(frame, FG_WAIT_OTHER, turn->other_wait_ns);
    fg_software_advance(run->device, turn->present_wait_ns);
    fg_frame_waited(frame, FG_WAIT_PRESENT, turn->present_wait_ns);
    fg_frame_end(frame);
    if (is_shown) {
        fg_hud_frame(run->hud,
                     &(const struct fg_hud_frame){ .number = number,
                                                   .present_ns = now_of(run->device),
                                                   .cpu_ns = turn->cpu_ns,
                                                   .present_wait_ns = turn->present_wait_ns });
        tell_gpu(run, number);
    }
    if (run->workload->pause_after != 0 && number == run->workload->pause_after) {
        fg_software_advance(run->device, 3000 * MS);
    }
    return done;
}

/* What a killed program would have left behind. */
static bool copy_file(const char *from_path, const char *to_path)
{
    char bytes[4096];
    size_t size = 0;
    FILE *from = fopen(from_path, "rb");
    FILE *to = fopen(to_path, "wb");
    bool done = from != NULL && to != NULL;
    while (done && (size = fread(bytes, 1, sizeof bytes, from)) > 0) {
        done = fwrite(bytes, 1, size, to) == size;
    }
    done = to != NULL && fclose(to) == 0 && done;
    return from != NULL && fclose(from) == 0 && done;
}

static bool run_all(struct run *run, struct workload_seen *out_seen)
{
    bool done = (run->workload->times != NOISE ||
                 fg_session_set_meta(run->session, "driver.times", "not of execution") == FG_OK) &&
                fg_session_start(run->session) == FG_OK &&
                fg_software_commands_create(run->device, &run->natives[0]) == FG_OK &&
                fg_software_commands_create(run->device, &run->natives[1]) == FG_OK;
    fg_software_advance(run->device, 100 * MS);
    for (uint64_t i = 0; done && i <= WORKLOAD_FRAMES; i++) {
        done = run_frame(run, i, i < WORKLOAD_FRAMES);
    }
    for (uint64_t i = 0; i < GPU_LATE_FRAMES; i++) {
        tell_gpu(run, WORKLOAD_FRAMES + i);
    }
    memset(out_seen, 0, sizeof *out_seen);
    return done && fg_hud_get_statistics(run->hud, &out_seen->statistics) == FG_OK &&
           fg_hud_get_samples(run->hud, out_seen->samples, WORKLOAD_FRAMES) == WORKLOAD_FRAMES;
}

bool workload_run(const struct workload *workload, const char *path, bool close,
                  struct workload_seen *out_seen)
{
    struct run run = { .workload = workload };
    char part[256];
    (void)snprintf(part, sizeof part, "%s.part", path);
    const struct fg_software_options device_options = {
        .flags = workload->times == UNTIMED ? FG_SOFTWARE_NO_TIMESTAMPS : 0,
    };
    const struct fg_session_options session_options = { .path = close ? path : part,
                                                        .note = workload->about };
    const uint32_t hud_flags = workload->times == NOISE ? FG_HUD_GPU_NOT_OF_EXECUTION : 0;
    bool done =
        fg_software_device_create(&device_options, &run.device) == FG_OK &&
        fg_session_create(run.device, &session_options, &run.session) == FG_OK &&
        fg_hud_create(FG_HUD_OPTIONS(.flags = FG_HUD_NO_PROCESS_MEMORY | hud_flags,
                                     .now_ns = now_of, .clock_context = run.device),
                      &run.hud) == FG_OK &&
        run_all(&run, out_seen) &&
        (close ? fg_session_finish(run.session, 1000 * MS) == FG_OK : copy_file(part, path));
    fg_hud_destroy(run.hud);
    fg_session_destroy(run.session);
    fg_software_commands_destroy(run.natives[0]);
    fg_software_commands_destroy(run.natives[1]);
    fg_device_destroy(run.device);
    if (!close) {
        (void)remove(part);
    }
    return done;
}
