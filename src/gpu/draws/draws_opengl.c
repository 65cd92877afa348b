/* SPDX-License-Identifier: MIT */
#include "gpu/draws/draws_opengl_list.h"
#include "gpu/draws/draws_priv.h"

/** GL calls a negative count an error, and draws nothing. */
static uint64_t some(int count)
{
    return count > 0 ? (uint64_t)count : 0;
}

static struct fg_draw_counts arrays(int count, int instances)
{
    return fgi_draws_plain(some(count), some(instances));
}

static struct fg_draw_counts elements(int count, int instances)
{
    return fgi_draws_indexed(some(count), some(instances));
}

static uint64_t sum(const int *counts, int draws)
{
    uint64_t total = 0;
    for (int i = 0; i < draws && counts != NULL; i++) {
        total += some(counts[i]);
    }
    return total;
}

static struct fg_draw_counts multi_arrays(const int *counts, int draws)
{
    return (struct fg_draw_counts){
        .calls = 1, .draws = some(draws), .vertices = sum(counts, draws), .instances = some(draws)
    };
}

static struct fg_draw_counts multi_elements(const int *counts, int draws)
{
    return (struct fg_draw_counts){
        .calls = 1, .draws = some(draws), .indices = sum(counts, draws), .instances = some(draws)
    };
}

/** How many vertices were captured only the GPU knows. */
static struct fg_draw_counts feedback(int instances)
{
    struct fg_draw_counts call = fgi_draws_unsized(1);
    call.instances = some(instances);
    return call;
}

#define FGI_DRAWS_PREFIX "gl"
#define FGI_DRAWS_CALL
FGI_DRAWS_API(fgi_draws_opengl, FGI_DRAWS_OPENGL)
