/* SPDX-License-Identifier: MIT */
/* A HUD's life, and what the application tells it. */
#include "hud/hud_priv.h"

#include "base/clock.h"
#include "base/memory_use.h"

#include <string.h>

_Static_assert((int)FG_HUD_VERDICT_CPU == (int)FGI_VERDICT_CPU &&
                   (int)FG_HUD_VERDICT_GPU == (int)FGI_VERDICT_GPU &&
                   (int)FG_HUD_VERDICT_PRESENT == (int)FGI_VERDICT_PRESENT &&
                   (int)FG_HUD_VERDICT_BALANCED == (int)FGI_VERDICT_BALANCED &&
                   (int)FG_HUD_VERDICT_MIXED == (int)FGI_VERDICT_MIXED &&
                   FG_HUD_VERDICTS == FGI_VERDICTS &&
                   FG_HUD_GPU_LATE_FRAMES == FGI_VERDICT_LATE_FRAMES,
               "the public verdicts are the rule's");

static int64_t monotonic_ns(void *context)
{
    (void)context;
    return fgi_clock_monotonic_ns();
}

int64_t fgi_hud_now(const struct fg_hud *hud)
{
    return hud->now_ns(hud->clock_context);
}

int64_t fgi_hud_span(int64_t begin_ns, int64_t end_ns)
{
    if (end_ns <= begin_ns) {
        return 0;
    }
    /* Unsigned: times may be as far apart as the application's clock likes to say. */
    const uint64_t between = (uint64_t)end_ns - (uint64_t)begin_ns;
    return between > (uint64_t)FGI_HUD_LONGEST_NS ? FGI_HUD_LONGEST_NS : (int64_t)between;
}

int64_t fgi_hud_since(const struct fg_hud *hud, int64_t begin_ns)
{
    return fgi_hud_span(begin_ns, fgi_hud_now(hud));
}

void fgi_hud_copy_name(char *out, size_t capacity, const char *name)
{
    size_t size = 0;
    if (name == NULL) {
        name = "";
    }
    while (size < capacity - 1 && name[size] != '\0') {
        size++;
    }
    /* Not in the middle of a character: continuation bytes are 10xxxxxx. */
    while (size > 0 && ((unsigned char)name[size] & 0xC0) == 0x80) {
        size--;
    }
    memcpy(out, name, size);
    out[size] = '\0';
}

static void forget(struct fg_hud *hud)
{
    const size_t from = offsetof(struct fg_hud, frames);
    memset((char *)hud + from, 0, offsetof(struct fg_hud, quads) - from);
    hud->process_bytes = -1;
    hud->gpu_used_bytes = -1;
    hud->gpu_budget_bytes = -1;
    fgi_hud_passes_reset(&hud->passes);
}

static bool options_are_legal(const struct fg_hud_options *options)
{
    const uint32_t known = FG_HUD_DISABLED | FG_HUD_CPU_WITHOUT_HUD | FG_HUD_NO_PROCESS_MEMORY |
                           FG_HUD_GPU_NOT_OF_EXECUTION;
    return (options->flags & ~known) == 0 && options->budget_ns >= 0 && options->pass_max <= 1024 &&
           options->metric_max <= 64;
}

enum fg_result fg_hud_create(const struct fg_hud_options *options, struct fg_hud **out_hud)
{
    static const struct fg_hud_options defaults;
    struct fg_hud *hud;
    if (options == NULL) {
        options = &defaults;
    }
    if (out_hud == NULL || !options_are_legal(options)) {
        return FG_ERR_ARGUMENT;
    }
    hud = fgi_calloc(options->allocator, 1, sizeof *hud);
    if (hud == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    hud->allocator = options->allocator;
    hud->flags = options->flags;
    hud->gap_limit_ns = options->gap_limit_ns != 0 ? options->gap_limit_ns : FGI_HUD_GAP_NS;
    hud->now_ns = options->now_ns != NULL ? options->now_ns : monotonic_ns;
    hud->clock_context = options->clock_context;
    hud->metric_max = options->metric_max != 0 ? options->metric_max : 16;
    hud->passes.max = options->pass_max != 0 ? options->pass_max : 64;
    hud->passes.rows = fgi_calloc(hud->allocator, hud->passes.max, sizeof *hud->passes.rows);
    hud->passes.order = fgi_calloc(hud->allocator, hud->passes.max, sizeof *hud->passes.order);
    hud->metrics = fgi_calloc(hud->allocator, hud->metric_max, sizeof *hud->metrics);
    if (hud->passes.rows == NULL || hud->passes.order == NULL || hud->metrics == NULL) {
        fg_hud_destroy(hud);
        return FG_ERR_NO_MEMORY;
    }
    fg_hud_set_budget(hud, options->budget_ns);
    forget(hud);
    hud->is_enabled = (options->flags & FG_HUD_DISABLED) == 0;
    *out_hud = hud;
    return FG_OK;
}

void fg_hud_destroy(struct fg_hud *hud)
{
    if (hud != NULL) {
        fgi_free(hud->allocator, hud->metrics, hud->metric_max * sizeof *hud->metrics);
        fgi_free(hud->allocator, hud->passes.order, hud->passes.max * sizeof *hud->passes.order);
        fgi_free(hud->allocator, hud->passes.rows, hud->passes.max * sizeof *hud->passes.rows);
        fgi_free(hud->allocator, hud, sizeof *hud);
    }
}

void fg_hud_enable(struct fg_hud *hud)
{
    if (hud != NULL && !hud->is_enabled) {
        forget(hud);
        hud->is_enabled = true;
    }
}

void fg_hud_disable(struct fg_hud *hud)
{
    if (hud != NULL) {
        hud->is_enabled = false;
    }
}

bool fg_hud_is_enabled(const struct fg_hud *hud)
{
    return hud != NULL && hud->is_enabled;
}

void fg_hud_set_budget(struct fg_hud *hud, int64_t budget_ns)
{
    if (hud != NULL) {
        /* Three of them are added up, and their bins multiplied. */
        hud->budget_ns = budget_ns <= 0                   ? FGI_HUD_BUDGET_NS
                         : budget_ns > FGI_HUD_LONGEST_NS ? FGI_HUD_LONGEST_NS
                                                          : budget_ns;
    }
}

static int64_t known_time(int64_t told_ns)
{
    return told_ns <= 0 ? -1 : told_ns > FGI_HUD_LONGEST_NS ? FGI_HUD_LONGEST_NS : told_ns;
}

/** The frame's time since the present before; negative: none. Gaps are counted here. */
static int64_t frame_time(struct fg_hud *hud, int64_t present_ns, int64_t cpu_ns,
                          bool *out_is_after_gap)
{
    *out_is_after_gap = false;
    if (hud->frame_count == 0 || present_ns <= hud->present_ns) {
        return -1;
    }
    const int64_t ns = fgi_hud_span(hud->present_ns, present_ns);
    /* A frame that was worked on all that time is a hitch, and no gap. */
    const int64_t rest_ns = cpu_ns > 0 ? ns - cpu_ns : ns;
    if (hud->is_idle || (hud->gap_limit_ns > 0 && rest_ns > hud->gap_limit_ns)) {
        *out_is_after_gap = true;
        hud->gap_count++;
        hud->gap_ns += ns < INT64_MAX - hud->gap_ns ? ns : INT64_MAX - hud->gap_ns;
        return -1;
    }
    return ns;
}

/** What was told about this frame before it was. */
static void take_early(struct fg_hud *hud, struct fgi_hud_frame *frame)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < hud->early_count; i++) {
        const struct fgi_hud_early *early = &hud->early[i];
        if (early->number > frame->number) {
            hud->early[kept++] = *early;
            continue;
        }
        if (early->number < frame->number) {
            hud->gpu_lost += early->has_gpu;
            continue;
        }
        if (early->has_gpu) {
            frame->gpu_ns = early->gpu_ns;
            frame->gpu_state = early->gpu_ns < 0 ? FG_HUD_GPU_MISSING : FG_HUD_GPU_MEASURED;
        }
        frame->own_gpu_ns = early->has_own ? early->own_gpu_ns : -1;
    }
    hud->early_count = kept;
}

/** What has not come by now is missing; it may still come. */
static void give_up_waiting(struct fg_hud *hud)
{
    if (hud->frame_count > FG_HUD_GPU_LATE_FRAMES) {
        const uint64_t index = hud->frame_count - 1 - FG_HUD_GPU_LATE_FRAMES;
        struct fgi_hud_frame *late = &hud->frames[index % FG_HUD_FRAMES];
        if (late->gpu_state == FG_HUD_GPU_PENDING) {
            late->gpu_state = FG_HUD_GPU_MISSING;
            fgi_hud_judge(hud, late);
        }
    }
}

static void push_frame(struct fg_hud *hud, const struct fg_hud_frame *told, int64_t now_ns)
{
    const int64_t present_ns = told->present_ns != 0 ? told->present_ns : now_ns;
    struct fgi_hud_frame frame = {
        .number = told->number,
        .cpu_ns = known_time(told->cpu_ns),
        .present_wait_ns = known_time(told->present_wait_ns),
        .gpu_ns = -1,
        .own_gpu_ns = -1,
        .own_draw_ns = hud->own_draw_ns,
    };
    if (frame.cpu_ns >= 0 && (hud->flags & FG_HUD_CPU_WITHOUT_HUD) == 0) {
        frame.cpu_ns = frame.cpu_ns > frame.own_draw_ns ? frame.cpu_ns - frame.own_draw_ns : 0;
    }
    frame.frame_ns = frame_time(hud, present_ns, frame.cpu_ns, &frame.is_after_gap);
    take_early(hud, &frame);
    fgi_hud_judge(hud, &frame);
    hud->frames[hud->frame_count % FG_HUD_FRAMES] = frame;
    hud->frame_count++;
    hud->present_ns = present_ns;
    hud->is_idle = false;
    if (frame.frame_ns >= 0) {
        fgi_hud_long_add(&hud->lasting, frame.frame_ns);
    }
    give_up_waiting(hud);
}

void fg_hud_frame(struct fg_hud *hud, const struct fg_hud_frame *frame)
{
    if (hud == NULL || !hud->is_enabled || frame == NULL) {
        return;
    }
    if (hud->frame_count > 0 && frame->number <= hud->newest.number) {
        hud->refused_frames++;
        return;
    }
    const int64_t begin_ns = fgi_hud_now(hud);
    push_frame(hud, frame, begin_ns);
    hud->newest = *frame;
    fgi_hud_copy_name(hud->cache_reason, sizeof hud->cache_reason, frame->cache_reason);
    if (frame->passes != NULL) {
        fgi_hud_passes_add(&hud->passes, frame->passes, frame->pass_count);
    }
    fgi_hud_passes_end_frame(&hud->passes, begin_ns);
    if ((hud->flags & FG_HUD_NO_PROCESS_MEMORY) == 0 &&
        hud->frame_count % FGI_HUD_MEMORY_EVERY == 1) {
        hud->process_bytes = fgi_process_resident_bytes();
    }
    hud->own_draws_newest = hud->own_draws;
    hud->own_draws = 0;
    hud->own_draw_ns = 0;
    hud->frames[(hud->frame_count - 1) % FG_HUD_FRAMES].own_feed_ns = fgi_hud_since(hud, begin_ns);
}

void fg_hud_idle(struct fg_hud *hud)
{
    if (hud != NULL && hud->is_enabled) {
        hud->is_idle = true;
    }
}

/** A frame of the window by its number; NULL when it is not there. */
static struct fgi_hud_frame *find_frame(struct fg_hud *hud, uint64_t number)
{
    const uint32_t count = fgi_hud_window_count(hud);
    for (uint32_t age = 0; age < count; age++) {
        struct fgi_hud_frame *frame = &hud->frames[(hud->frame_count - 1 - age) % FG_HUD_FRAMES];
        if (frame->number <= number) {
            return frame->number == number ? frame : NULL;
        }
    }
    return NULL;
}

/**
 * Where to keep what is told about a frame that will be told later; NULL: there is no room. Of too
 * many, the frame that is furthest off makes room: a number that never comes would stay for good.
 */
static struct fgi_hud_early *early_entry(struct fg_hud *hud, uint64_t number)
{
    if (hud->frame_count > 0 && number <= hud->newest.number) {
        return NULL;
    }
    for (uint32_t i = 0; i < hud->early_count; i++) {
        if (hud->early[i].number == number) {
            return &hud->early[i];
        }
    }
    if (hud->early_count < FGI_HUD_EARLY) {
        hud->early[hud->early_count] = (struct fgi_hud_early){ .number = number };
        return &hud->early[hud->early_count++];
    }
    struct fgi_hud_early *furthest = &hud->early[0];
    for (uint32_t i = 1; i < FGI_HUD_EARLY; i++) {
        furthest = hud->early[i].number > furthest->number ? &hud->early[i] : furthest;
    }
    if (number > furthest->number) {
        return NULL;
    }
    hud->gpu_lost += furthest->has_gpu;
    *furthest = (struct fgi_hud_early){ .number = number };
    return furthest;
}

static int64_t gpu_time(int64_t told_ns)
{
    return told_ns < 0 ? -1 : told_ns > FGI_HUD_LONGEST_NS ? FGI_HUD_LONGEST_NS : told_ns;
}

void fg_hud_gpu(struct fg_hud *hud, uint64_t frame_number, int64_t gpu_ns)
{
    struct fgi_hud_frame *frame;
    struct fgi_hud_early *early;
    if (hud == NULL || !hud->is_enabled) {
        return;
    }
    frame = find_frame(hud, frame_number);
    if (frame != NULL) {
        frame->gpu_ns = gpu_time(gpu_ns);
        frame->gpu_state = gpu_ns < 0 ? FG_HUD_GPU_MISSING : FG_HUD_GPU_MEASURED;
        fgi_hud_judge(hud, frame);
        return;
    }
    early = early_entry(hud, frame_number);
    if (early == NULL) {
        hud->gpu_lost++;
        return;
    }
    early->gpu_ns = gpu_time(gpu_ns);
    early->has_gpu = true;
}

void fg_hud_own_gpu(struct fg_hud *hud, uint64_t frame_number, int64_t gpu_ns)
{
    struct fgi_hud_frame *frame;
    struct fgi_hud_early *early;
    if (hud == NULL || !hud->is_enabled) {
        return;
    }
    frame = find_frame(hud, frame_number);
    if (frame != NULL) {
        frame->own_gpu_ns = gpu_time(gpu_ns);
        fgi_hud_judge(hud, frame);
        return;
    }
    early = early_entry(hud, frame_number);
    if (early != NULL) {
        early->own_gpu_ns = gpu_time(gpu_ns);
        early->has_own = true;
    }
}

void fg_hud_own_cost(struct fg_hud *hud, int64_t cpu_ns, uint32_t draw_count)
{
    if (hud != NULL && hud->is_enabled) {
        if (cpu_ns > 0) {
            hud->own_draw_ns += cpu_ns < FGI_HUD_LONGEST_NS ? cpu_ns : FGI_HUD_LONGEST_NS;
        }
        if (hud->own_draw_ns > FGI_HUD_LONGEST_NS) {
            hud->own_draw_ns = FGI_HUD_LONGEST_NS;
        }
        hud->own_draws += draw_count;
    }
}

void fg_hud_metric(struct fg_hud *hud, const char *name, int64_t value, enum fg_unit unit)
{
    char copy[FGI_HUD_METRIC_NAME];
    uint32_t index = 0;
    if (hud == NULL || !hud->is_enabled) {
        return;
    }
    fgi_hud_copy_name(copy, sizeof copy, name);
    while (index < hud->metric_count && strcmp(hud->metrics[index].name, copy) != 0) {
        index++;
    }
    if (index == hud->metric_max || copy[0] == '\0') {
        hud->refused_metrics++;
        return;
    }
    if (index == hud->metric_count) {
        memcpy(hud->metrics[index].name, copy, sizeof copy);
        hud->metric_count++;
    }
    hud->metrics[index].value = value;
    hud->metrics[index].unit = unit;
}

void fg_hud_gpu_memory(struct fg_hud *hud, int64_t used_bytes, int64_t budget_bytes)
{
    if (hud != NULL && hud->is_enabled) {
        hud->gpu_used_bytes = used_bytes;
        hud->gpu_budget_bytes = budget_bytes;
    }
}
