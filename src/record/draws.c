/* SPDX-License-Identifier: MIT */
#include "record/draws.h"

#include <frameglass/instrument.h>

void fgi_draws_publish(const struct fgi_draws *draws)
{
#if FG_LEVEL >= 1
    /* How primitives are assembled is not told here: lists of triangles are assumed. */
    const struct fg_metric primitives = fg_metric_register(&(struct fg_metric_desc){
        .name = "Graphics/SubmittedPrimitives",
        .kind = FG_METRIC_FRAME_COUNTER,
        .unit = FG_UNIT_COUNT,
        .accuracy = FG_ACCURACY_ESTIMATED,
    });
    fg_metric_add(primitives, (int64_t)draws->primitives);
#endif
    FG_FRAME_COUNTER_ADD("Graphics/DrawCalls", FG_UNIT_COUNT,
                         (int64_t)(draws->indexed + draws->plain + draws->indirect));
    FG_FRAME_COUNTER_ADD("Graphics/IndexedDrawCalls", FG_UNIT_COUNT, (int64_t)draws->indexed);
    FG_FRAME_COUNTER_ADD("Graphics/NonIndexedDrawCalls", FG_UNIT_COUNT, (int64_t)draws->plain);
    FG_FRAME_COUNTER_ADD("Graphics/IndirectDrawCalls", FG_UNIT_COUNT, (int64_t)draws->indirect);
    FG_FRAME_COUNTER_ADD("Graphics/EffectChanges", FG_UNIT_COUNT, (int64_t)draws->effects);
    FG_FRAME_COUNTER_ADD("Graphics/RenderTargetChanges", FG_UNIT_COUNT, (int64_t)draws->targets);
    FG_FRAME_COUNTER_ADD("Graphics/Dispatches", FG_UNIT_COUNT, (int64_t)draws->dispatches);
    (void)draws;
}
