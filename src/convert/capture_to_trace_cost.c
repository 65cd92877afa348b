/* SPDX-License-Identifier: MIT */
/*
 * What one draw, one pixel and one invocation of a GPU pass took. Told only where the count is
 * known, and never from a count that was partly encoded and partly read back.
 */
#include "capture/work_kind.h"
#include "convert/capture_to_trace_listing.h"
#include "trace/work_figures.h"
#include <stdio.h>

void fgi_count_calls(const struct fg_cap_gpu_pass *pass, struct fgi_call_counts *out_counts)
{
    *out_counts = (struct fgi_call_counts){ .draws_are_known = true };
    for (size_t i = 0; i < pass->work_count; i++) {
        const struct fg_cap_work *work = &pass->works[i];
        bool is_indirect = fgi_work_is_indirect(work->kind);
        out_counts->has_direct_dispatch |=
            work->kind == FG_CAP_WORK_DISPATCH || work->kind == FG_CAP_WORK_TRACE_RAYS;
        if (work->kind <= FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT ||
            work->kind == FG_CAP_WORK_DRAW_MESH) {
            uint64_t draws = (uint64_t)work->repeat * (is_indirect ? work->draw_count : 1);
            out_counts->draws += draws;
            out_counts->draws_are_known &= out_counts->draws >= draws;
        }
        if (work->kind == FG_CAP_WORK_DRAW_INDIRECT_COUNT ||
            work->kind == FG_CAP_WORK_DRAW_INDEXED_INDIRECT_COUNT) {
            out_counts->draws_are_known = false;
        }
    }
}

/* The count and what one of it took. */
static void put_rate(struct fgi_listing *l, const char *unit, const char *one, const char *how,
                     double count, uint64_t span_ns)
{
    char key[64];
    if (!(count >= 1 && count < 0x1p53)) {
        return;
    }
    snprintf(key, sizeof key, "%s%s", unit, how);
    fgi_list_number(l, key, (uint64_t)count, FG_QUALITY_DERIVED);
    snprintf(key, sizeof key, "ns per %s%s", one, how);
    fgi_list_put(l, key,
                 (struct fg_trace_arg){ .kind = FG_ARG_DOUBLE,
                                        .quality = FG_QUALITY_DERIVED,
                                        .value.real = (double)span_ns / count });
}

void fgi_list_cost(struct fgi_listing *l, const struct fgi_call_counts *counts, uint64_t span_ns)
{
    static const char *const read_back = " (read back)";
    struct fgi_work_amounts work;
    if (l->result != FG_OK) {
        return;
    }
    fgi_work_of_args(l->backing->trace, l->out, l->count, &work);
    const struct fgi_work_figure *pixels = &work.units[FGI_WORK_PIXELS];
    const struct fgi_work_figure *invocations = &work.units[FGI_WORK_INVOCATIONS];
    const struct fgi_work_figure *fragments = &work.units[FGI_WORK_FRAGMENTS];
    uint32_t before = l->count;
    fgi_list_begin(l, "cost");
    if (counts->draws_are_known) {
        put_rate(l, "draws", "draw", "", (double)counts->draws, span_ns);
    }
    if (pixels->state == FGI_WORK_ENCODED) {
        put_rate(l, "pixels", "pixel", "", pixels->amount, span_ns);
    }
    if (invocations->state == FGI_WORK_ENCODED) {
        put_rate(l, "invocations", "invocation", "", invocations->amount, span_ns);
    } else if (invocations->state == FGI_WORK_READ_BACK && !counts->has_direct_dispatch) {
        put_rate(l, "invocations", "invocation", read_back, invocations->amount, span_ns);
    }
    if (fragments->state == FGI_WORK_READ_BACK) {
        put_rate(l, "fragment invocations", "fragment invocation", read_back, fragments->amount,
                 span_ns);
    }
    fgi_list_end(l);
    if (l->count == before + 1) {
        l->count = before; /* nothing is known: no empty group */
    }
}
