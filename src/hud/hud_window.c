/* SPDX-License-Identifier: MIT */
/* What the frames of the window say together. */
#include "hud/hud_priv.h"

#include <string.h>

uint32_t fgi_hud_window_count(const struct fg_hud *hud)
{
    return hud->frame_count < FG_HUD_FRAMES ? (uint32_t)hud->frame_count : FG_HUD_FRAMES;
}

const struct fgi_hud_frame *fgi_hud_window_frame(const struct fg_hud *hud, uint32_t age)
{
    return &hud->frames[(hud->frame_count - 1 - age) % FG_HUD_FRAMES];
}

int64_t fgi_hud_gpu_of(const struct fgi_hud_frame *frame)
{
    if (frame->gpu_state != FG_HUD_GPU_MEASURED) {
        return -1;
    }
    const int64_t own_ns = frame->own_gpu_ns > 0 ? frame->own_gpu_ns : 0;
    return frame->gpu_ns > own_ns ? frame->gpu_ns - own_ns : 0;
}

enum fg_hud_class fgi_hud_class_of(int64_t frame_ns, int64_t budget_ns)
{
    if (frame_ns < 0) {
        return FG_HUD_CLASS_UNKNOWN;
    }
    if (frame_ns <= budget_ns + budget_ns / 20) {
        return FG_HUD_CLASS_WITHIN;
    }
    return frame_ns <= 2 * budget_ns + budget_ns / 10 ? FG_HUD_CLASS_OVER : FG_HUD_CLASS_FAR_OVER;
}

void fgi_hud_judge(const struct fg_hud *hud, struct fgi_hud_frame *frame)
{
    const struct fgi_verdict_input input = {
        .frame_ns = frame->frame_ns,
        .cpu_work_ns = frame->cpu_ns,
        .gpu_ns = fgi_hud_gpu_of(frame),
        .present_wait_ns = frame->present_wait_ns,
    };
    static const enum fgi_gpu_time gpu_times[] = {
        [FG_HUD_GPU_PENDING] = FGI_GPU_TIME_PENDING,
        [FG_HUD_GPU_MEASURED] = FGI_GPU_TIME_WHOLE,
        [FG_HUD_GPU_MISSING] = FGI_GPU_TIME_MISSING,
    };
    const bool is_measured = frame->gpu_state == FG_HUD_GPU_MEASURED;
    const enum fgi_gpu_time gpu_time =
        is_measured && (hud->flags & FG_HUD_GPU_NOT_OF_EXECUTION) != 0
            ? FGI_GPU_TIME_MISSING
            : gpu_times[frame->gpu_state];
    const struct fgi_judgement judged = fgi_verdict_judge(&input, gpu_time);
    frame->verdict = judged.verdict;
    frame->is_inferred = judged.is_inferred;
}

/** A range that is being gathered: `mean_ns` holds the sum until it is closed. */
static void add_to_range(struct fg_hud_range *range, int64_t ns)
{
    if (ns < 0) {
        return;
    }
    range->min_ns = range->count == 0 || ns < range->min_ns ? ns : range->min_ns;
    range->max_ns = range->count == 0 || ns > range->max_ns ? ns : range->max_ns;
    range->mean_ns += ns;
    range->count++;
}

static void close_range(struct fg_hud_range *range)
{
    if (range->count > 0) {
        range->mean_ns = (range->mean_ns + range->count / 2) / range->count;
    }
}

static double per_second(int64_t ns)
{
    return ns > 0 ? 1e9 / (double)ns : 0.0;
}

static void gather_window(const struct fg_hud *hud, struct fg_hud_statistics *out)
{
    const uint32_t count = fgi_hud_window_count(hud);
    out->gpu_newest_ns = -1;
    for (uint32_t age = 0; age < count; age++) {
        const struct fgi_hud_frame *frame = fgi_hud_window_frame(hud, age);
        const int64_t gpu_ns = fgi_hud_gpu_of(frame);
        if (frame->frame_ns >= 0) { /* else the figures were not of the same frames */
            add_to_range(&out->frame, frame->frame_ns);
            add_to_range(&out->cpu, frame->cpu_ns);
            add_to_range(&out->gpu, gpu_ns);
            add_to_range(&out->present_wait, frame->present_wait_ns);
        }
        add_to_range(&out->own_cpu, frame->own_draw_ns + frame->own_feed_ns);
        add_to_range(&out->own_gpu, frame->own_gpu_ns);
        out->class_counts[fgi_hud_class_of(frame->frame_ns, hud->budget_ns)]++;
        out->verdict_counts[frame->verdict]++;
        out->inferred_count += frame->is_inferred;
        out->gpu_pending_count += frame->gpu_state == FG_HUD_GPU_PENDING;
        out->gpu_missing_count += frame->gpu_state == FG_HUD_GPU_MISSING;
        if (gpu_ns >= 0 && out->gpu_newest_ns < 0 && age < FG_HUD_GPU_LATE_FRAMES) {
            out->gpu_newest_ns = gpu_ns;
            out->gpu_newest_age = age;
        }
    }
    close_range(&out->frame);
    close_range(&out->cpu);
    close_range(&out->gpu);
    close_range(&out->present_wait);
    close_range(&out->own_cpu);
    close_range(&out->own_gpu);
    out->window_count = count;
    out->fps = per_second(out->frame.mean_ns);
    out->verdict = (enum fg_hud_verdict)fgi_verdict_of_window(out->verdict_counts);
}

enum fg_result fg_hud_get_statistics(const struct fg_hud *hud,
                                     struct fg_hud_statistics *out_statistics)
{
    if (out_statistics == NULL) {
        return FG_ERR_ARGUMENT;
    }
    memset(out_statistics, 0, sizeof *out_statistics);
    if (hud == NULL || !hud->is_enabled) {
        return FG_ERR_STATE;
    }
    gather_window(hud, out_statistics);
    out_statistics->frame_count = hud->frame_count;
    out_statistics->gap_count = hud->gap_count;
    out_statistics->gap_ns = hud->gap_ns;
    out_statistics->long_count = hud->lasting.count;
    out_statistics->budget_ns = hud->budget_ns;
    fgi_hud_long_bins(&hud->lasting, hud->budget_ns, out_statistics->histogram);
    if (hud->lasting.count >= 100) {
        out_statistics->low_1_percent_fps = per_second(fgi_hud_long_rank(&hud->lasting, 990));
    }
    if (hud->lasting.count >= 1000) {
        out_statistics->low_01_percent_fps = per_second(fgi_hud_long_rank(&hud->lasting, 999));
    }
    out_statistics->own_draw_count = hud->own_draws_newest;
    out_statistics->process_bytes = hud->process_bytes;
    out_statistics->gpu_used_bytes = hud->gpu_used_bytes;
    out_statistics->gpu_budget_bytes = hud->gpu_budget_bytes;
    out_statistics->refused_frames = hud->refused_frames;
    out_statistics->gpu_lost = hud->gpu_lost;
    out_statistics->unclosed_passes = hud->passes.unclosed;
    out_statistics->refused_passes = hud->passes.refused;
    out_statistics->refused_metrics = hud->refused_metrics;
    return FG_OK;
}

size_t fg_hud_get_samples(const struct fg_hud *hud, struct fg_hud_sample *samples, size_t capacity)
{
    if (hud == NULL || !hud->is_enabled || samples == NULL) {
        return 0;
    }
    const uint32_t window = fgi_hud_window_count(hud);
    const uint32_t count = capacity < window ? (uint32_t)capacity : window;
    for (uint32_t i = 0; i < count; i++) {
        const struct fgi_hud_frame *frame = fgi_hud_window_frame(hud, count - 1 - i);
        samples[i] = (struct fg_hud_sample){
            .number = frame->number,
            .frame_ns = frame->frame_ns,
            .cpu_ns = frame->cpu_ns,
            .gpu_ns = fgi_hud_gpu_of(frame),
            .present_wait_ns = frame->present_wait_ns,
            .own_gpu_ns = frame->own_gpu_ns,
            .own_cpu_ns = frame->own_draw_ns,
            .gpu_state = frame->gpu_state,
            .frame_class = fgi_hud_class_of(frame->frame_ns, hud->budget_ns),
            .verdict = (enum fg_hud_verdict)frame->verdict,
            .is_inferred = frame->is_inferred,
            .is_after_gap = frame->is_after_gap,
        };
    }
    return count;
}

const char *fg_hud_verdict_name(enum fg_hud_verdict verdict)
{
    return fgi_verdict_name((enum fgi_verdict)verdict);
}
