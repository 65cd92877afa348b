/* SPDX-License-Identifier: MIT */
/* Cases of budgets, aggregates, histograms, time buckets, comparisons and anomalies. */
#include "base/rank.h"
#include "cases.h"
#include <frameglass/trace_anomaly.h>
#include <string.h>

/* ---- percentile -------------------------------------------------------------------------------
 */

static bool try_percentile(const struct fgt_case *c)
{
    const json_t *samples = fgt_case_input(c, "samples");
    size_t count = json_array_size(samples);
    int64_t values[64];
    if (count == 0 || count > sizeof values / sizeof *values) {
        return fgt_case_differs(c, "%zu samples", count);
    }
    for (size_t i = 0; i < count; i++) {
        values[i] = (int64_t)fgt_case_natural_at(samples, i);
    }
    uint64_t latest = (uint64_t)values[count - 1];
    uint64_t p50 = (uint64_t)fgi_rank_ns(values, count, 50);
    uint64_t p95 = (uint64_t)fgi_rank_ns(values, count, 95);
    if (latest != fgt_case_natural(fgt_case_expected(c, "latest")) ||
        p50 != fgt_case_natural(fgt_case_expected(c, "p50")) ||
        p95 != fgt_case_natural(fgt_case_expected(c, "p95"))) {
        return fgt_case_differs(c, "p50 %d, p95 %d", (int)p50, (int)p95);
    }
    return true;
}

/* ---- budgets: invocations are our rows; commands follow the same scale -------------------------
 */

static bool try_budget(const struct fgt_case *c)
{
    const json_t *initial = fgt_case_input(c, "initialBudget");
    const json_t *observations = fgt_case_input(c, "observations");
    const json_t *steps = fgt_case_expected(c, "steps");
    struct fg_task_budget rows = {
        .rows = fgt_case_natural(json_object_get(initial, "maximumInvocationCount")),
    };
    for (size_t i = 0; i < json_array_size(observations); i++) {
        const json_t *seen = json_array_get(observations, i);
        const json_t *step = json_array_get(steps, i);
        const json_t *budget = json_object_get(step, "budget");
        fg_task_budget_adjust(
            &rows, fgt_case_natural(json_object_get(seen, "invocations")),
            (uint64_t)fgt_case_ns(fgt_case_real(json_object_get(seen, "milliseconds"))));
        struct fg_task_budget commands = rows;
        commands.rows = fgt_case_natural(json_object_get(initial, "maximumCommandCount"));
        double scale = rows.scale_q16 / 65536.0;
        if (!fgt_case_near(scale, fgt_case_real(json_object_get(step, "scale"))) ||
            fg_task_budget_rows(&rows) !=
                fgt_case_natural(json_object_get(budget, "maximumInvocationCount")) ||
            fg_task_budget_rows(&commands) !=
                fgt_case_natural(json_object_get(budget, "maximumCommandCount"))) {
            return fgt_case_differs(c, "step %zu: scale %g, rows %d, commands %d", i, scale,
                                    (int)fg_task_budget_rows(&rows),
                                    (int)fg_task_budget_rows(&commands));
        }
    }
    return true;
}

static const struct fgt_case_operation operations[] = {
    { "percentile", try_percentile },
    { "budget-controller", try_budget },
    { NULL, NULL },
};
static const struct fgt_case_yield yields[] = {
    { NULL, NULL, NULL },
};
const struct fgt_case_part fgt_cases_analysis = { "analysis", operations, yields };
