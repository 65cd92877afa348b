/* SPDX-License-Identifier: MIT */
/* What a call counts as. */
#ifndef FGI_DRAW_COUNTS_H
#define FGI_DRAW_COUNTS_H
#include <frameglass/draw_counter.h>

static inline struct fg_draw_counts fgi_draws_plain(uint64_t vertices, uint64_t instances)
{
    return (struct fg_draw_counts){
        .calls = 1, .draws = 1, .vertices = vertices * instances, .instances = instances
    };
}
static inline struct fg_draw_counts fgi_draws_indexed(uint64_t indices, uint64_t instances)
{
    return (struct fg_draw_counts){
        .calls = 1, .draws = 1, .indices = indices * instances, .instances = instances
    };
}
/** Draws whose size is not told. */
static inline struct fg_draw_counts fgi_draws_unsized(uint64_t draws)
{
    return (struct fg_draw_counts){ .calls = 1, .draws = draws, .unsized_draws = draws };
}
/** And not even their number. */
static inline struct fg_draw_counts fgi_draws_uncounted(uint64_t draws_max)
{
    return (struct fg_draw_counts){ .calls = 1,
                                    .draws = 1,
                                    .unsized_draws = 1,
                                    .uncounted_calls = 1,
                                    .uncounted_draws_max = draws_max };
}
static inline struct fg_draw_counts fgi_draws_dispatch(uint64_t x, uint64_t y, uint64_t z)
{
    return (struct fg_draw_counts){ .dispatches = 1, .workgroups = x * y * z };
}
static inline struct fg_draw_counts fgi_draws_dispatch_indirect(void)
{
    return (struct fg_draw_counts){ .dispatches = 1 };
}
static inline struct fg_draw_counts fgi_draws_trace(void)
{
    return (struct fg_draw_counts){ .traces = 1 };
}

#endif
