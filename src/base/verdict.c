/* SPDX-License-Identifier: MIT */
#include "base/verdict.h"

enum fgi_verdict fgi_verdict_of_frame(const struct fgi_verdict_input *input)
{
    if (input->frame_ns <= 0 || input->cpu_work_ns < 0 || input->gpu_ns < 0) {
        return FGI_VERDICT_UNKNOWN;
    }
    /* 15 % without a multiplication that could overflow. */
    int64_t tolerance = input->frame_ns / 100 * 15 + input->frame_ns % 100 * 15 / 100;
    int64_t full = input->frame_ns - tolerance;
    int64_t difference = input->cpu_work_ns > input->gpu_ns ? input->cpu_work_ns - input->gpu_ns
                                                            : input->gpu_ns - input->cpu_work_ns;
    if (input->present_wait_ns > tolerance && input->cpu_work_ns < full && input->gpu_ns < full) {
        return FGI_VERDICT_PRESENT;
    }
    if (difference <= tolerance || (input->cpu_work_ns >= full && input->gpu_ns >= full)) {
        return FGI_VERDICT_BALANCED;
    }
    return input->cpu_work_ns > input->gpu_ns ? FGI_VERDICT_CPU : FGI_VERDICT_GPU;
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
    case FGI_VERDICT_UNKNOWN:
        break;
    }
    return NULL;
}
