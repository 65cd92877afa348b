/* SPDX-License-Identifier: MIT */
/*
 * Which parts of a population meet a window: batches of the third level, 65,536 positions each, in
 * their order, and how many groups look into them. One group goes through all of them.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rows.glsl"

shared uint places[FG_GROUP];

void main()
{
    uint lane = gl_LocalInvocationIndex;
    fg_words list = fg_words(args.list);
    fg_population_table population = args.population;
    u64 a = u64_of(args.window.start_ns);
    u64 b = u64_of(args.window.end_ns);
    bool has_parts = population.level_count > ROWS_LEVEL;
    uint parts = min(population.count, 1u);
    if (has_parts) {
        parts = population.batch_count / ROWS_BATCHES + uint(population.batch_count % ROWS_BATCHES != 0u);
    }
    if (fg_group_index() != 0u) {
        return;
    }
    uint listed = 0u;
    for (uint first = 0u; first < parts; first += FG_GROUP) {
        uint part = first + lane;
        bool meets = part < parts;
        if (meets && has_parts) {
            meets = fg_batch_meets(
                fg_batch_at(population.batches, population.level_first[ROWS_LEVEL] + part), a, b);
        }
        places[lane] = uint(meets);
        barrier();
        for (uint step = 1u; step < FG_GROUP; step *= 2u) {
            uint before = lane >= step ? places[lane - step] : 0u;
            barrier();
            places[lane] += before;
            barrier();
        }
        if (meets) {
            list.at[ROWS_LIST_HEAD + listed + places[lane] - 1u] = part;
        }
        listed += places[FG_GROUP - 1u];
        barrier();
    }
    if (lane == 0u) {
        list.at[3] = listed;
        fg_fold(listed * FG_BATCH_FAN, args.list);
        fg_words(args.counts).at[3] = has_parts ? parts : 0u;
    }
}
