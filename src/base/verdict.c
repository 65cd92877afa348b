/* SPDX-License-Identifier: MIT */
#include "base/verdict.h"

/** 15 % without a multiplication that could overflow. */
static int64_t tolerance_of(int64_t frame_ns)
{
    return frame_ns / 100 * 15 + frame_ns % 100 * 15 / 100;
}

enum fgi_verdict fgi_verdict_of_frame(const struct fgi_verdict_input *input)
{
    if (input->frame_ns <= 0 || input->cpu_work_ns < 0 || input->gpu_ns < 0) {
        return FGI_VERDICT_UNKNOWN;
    }
    int64_t tolerance = tolerance_of(input->frame_ns);
    int64_t full = input->frame_ns - tolerance;
    int64_t difference = input->cpu_work_ns > input->gpu_ns ? input->cpu_work_ns - input->gpu_ns
                                                            : input->gpu_ns - input->cpu_work_ns;
    if (input->present_wait_ns > tolerance && input->cpu_work_ns < full && input->gpu_ns < full) {
        return FGI_VERDICT_PRESENT;
    }
    /* Not even one after the other could they fill it: something else did, and nobody told what.
       Written so that no sum overflows. */
    if (input->present_wait_ns <= tolerance && input->cpu_work_ns < full &&
        input->gpu_ns < full - input->cpu_work_ns) {
        return FGI_VERDICT_UNKNOWN;
    }
    if (difference <= tolerance || (input->cpu_work_ns >= full && input->gpu_ns >= full)) {
        return FGI_VERDICT_BALANCED;
    }
    return input->cpu_work_ns > input->gpu_ns ? FGI_VERDICT_CPU : FGI_VERDICT_GPU;
}

enum fgi_verdict fgi_verdict_inferred(const struct fgi_verdict_input *input)
{
    if (input->frame_ns <= 0 || input->cpu_work_ns < 0) {
        return FGI_VERDICT_UNKNOWN;
    }
    int64_t tolerance = tolerance_of(input->frame_ns);
    int64_t wait = input->present_wait_ns > 0 ? input->present_wait_ns : 0;
    if (input->cpu_work_ns < input->frame_ns - tolerance - wait) {
        return FGI_VERDICT_GPU;
    }
    return wait > tolerance ? FGI_VERDICT_PRESENT : FGI_VERDICT_CPU;
}

struct fgi_judgement fgi_verdict_judge(const struct fgi_verdict_input *input,
                                       enum fgi_gpu_time gpu_time)
{
    const enum fgi_verdict measured =
        gpu_time == FGI_GPU_TIME_WHOLE || gpu_time == FGI_GPU_TIME_PART
            ? fgi_verdict_of_frame(input)
            : FGI_VERDICT_UNKNOWN;
    const bool is_enough = gpu_time == FGI_GPU_TIME_WHOLE || measured == FGI_VERDICT_GPU;
    if (gpu_time == FGI_GPU_TIME_PENDING || is_enough) {
        return (struct fgi_judgement){ .verdict = measured };
    }
    const enum fgi_verdict guess = fgi_verdict_inferred(input);
    return (struct fgi_judgement){ guess, guess != FGI_VERDICT_UNKNOWN };
}

enum fgi_verdict fgi_verdict_of_window(const uint32_t counts[FGI_VERDICTS])
{
    uint64_t told = 0;
    for (int verdict = FGI_VERDICT_CPU; verdict < FGI_VERDICT_MIXED; verdict++) {
        told += counts[verdict];
    }
    if (told == 0) {
        return FGI_VERDICT_UNKNOWN;
    }
    for (int verdict = FGI_VERDICT_CPU; verdict < FGI_VERDICT_MIXED; verdict++) {
        if (counts[verdict] > told / 2) {
            return (enum fgi_verdict)verdict;
        }
    }
    return FGI_VERDICT_MIXED;
}

const char *fgi_verdict_name(enum fgi_verdict verdict)
{
    switch (verdict) {
    case FGI_VERDICT_CPU:
        return "cpu";
    case FGI_VERDICT_GPU:
        return "gpu";
    case FGI_VERDICT_PRESENT:
        return "present";
    case FGI_VERDICT_BALANCED:
        return "balanced";
    case FGI_VERDICT_MIXED:
        return "mixed";
    case FGI_VERDICT_UNKNOWN:
        break;
    }
    return NULL;
}
