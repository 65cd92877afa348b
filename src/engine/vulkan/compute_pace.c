/* SPDX-License-Identifier: MIT */
/* Budgets that follow measured time. Nothing that is answered depends on these numbers. */
#include <frameglass/compute_plan.h>

static double clamp(double value, double low, double high)
{
    return value < low ? low : value > high ? high : value;
}

void fg_compute_pace_init(struct fg_compute_pace *pace, const struct fg_compute_budget *base,
                          enum fg_compute_class of)
{
    *pace = (struct fg_compute_pace){ .base = *base, .target_ms = 8, .scale = 1 };
    if (of == FG_COMPUTE_INTERACTIVE) {
        pace->target_ms = 4;
    } else if (of == FG_COMPUTE_BACKGROUND) {
        pace->target_ms = 16;
    }
}

/** 0 stays 0, which is any; nothing else becomes it. */
static uint64_t scaled(uint64_t most, double scale)
{
    const double value = (double)most * scale;
    if (most == 0) {
        return 0;
    }
    return value < 1 ? 1 : value >= 0x1p63 ? UINT64_MAX : (uint64_t)(value + 0.5);
}

struct fg_compute_budget fg_compute_pace_budget(const struct fg_compute_pace *pace)
{
    const struct fg_compute_workload *most = &pace->base.most;
    return (struct fg_compute_budget){ .most = {
                                           .invocations = scaled(most->invocations, pace->scale),
                                           .commands = scaled(most->commands, pace->scale),
                                           .read_bytes = scaled(most->read_bytes, pace->scale),
                                           .write_bytes = scaled(most->write_bytes, pace->scale),
                                       } };
}

/** How full a budget was. */
static double fullness(uint64_t value, uint64_t most)
{
    return most != 0 ? (double)value / (double)most : 0;
}

static double max_double(double a, double b)
{
    return a > b ? a : b;
}

void fg_compute_pace_observe(struct fg_compute_pace *pace,
                             const struct fg_compute_workload *workload, double ms)
{
    const struct fg_compute_budget budget = fg_compute_pace_budget(pace);
    const struct fg_compute_workload *most = &budget.most;
    double full = fullness(workload->invocations, most->invocations);
    full = max_double(full, fullness(workload->commands, most->commands));
    full = max_double(full, fullness(workload->read_bytes, most->read_bytes));
    full = max_double(full, fullness(workload->write_bytes, most->write_bytes));
    if (!(ms > 0) || full == 0) {
        return;
    }
    /* A step that was hardly filled would have taken longer: it says little for more. */
    const double factor = clamp(pace->target_ms * clamp(full, 0, 1) / ms, 0.5, 2);
    pace->scale = clamp(pace->scale + (pace->scale * factor - pace->scale) / 4, 0.125, 4);
}
