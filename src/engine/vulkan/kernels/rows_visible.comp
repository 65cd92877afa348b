/* SPDX-License-Identifier: MIT */
/*
 * Rows of a population that meet a window in chosen lanes. Of each part that was listed 16 groups
 * look at a batch of the second level each, and where that may meet the window at its batches.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "rows.glsl"

shared uint seen;

void look_into(uint batch, u64 a, u64 b)
{
    uint first = batch * FG_BATCH_ROWS;
    uint end = min(first + FG_BATCH_ROWS, args.population.count);
    for (uint p = first + gl_LocalInvocationIndex; p < end; p += FG_GROUP) {
        uint row = fg_u32_at(args.population.rows, p);
        if (!fg_meets(fg_u64_at(args.population.start, p), fg_u64_at(args.population.end, p), a, b) ||
            row >= args.trace.row_count) {
            continue;
        }
        if (!fg_is_there(args.window.lanes) ||
            fg_mask_bit(args.window.lanes, fg_u32_at(args.trace.lane, row))) {
            uvec2 chunk = fg_chunk(args.mask, row >> 5);
            atomicOr(fg_words(chunk).at[(row >> 5) & args.mask.row_mask], 1u << (row & 31u));
            atomicAdd(seen, 1u);
        }
    }
}

void main()
{
    uint group = fg_group_index();
    uint lane = gl_LocalInvocationIndex;
    u64 a = u64_of(args.window.start_ns);
    u64 b = u64_of(args.window.end_ns);
    fg_population_table population = args.population;
    if (group / FG_BATCH_FAN >= fg_words(args.list).at[3]) {
        return;
    }
    uint part = fg_words(args.list).at[ROWS_LIST_HEAD + group / FG_BATCH_FAN];
    uint above = part * FG_BATCH_FAN + group % FG_BATCH_FAN;
    uint batch = above * FG_BATCH_FAN;
    uint end = min(batch + FG_BATCH_FAN, population.batch_count);
    if (batch >= end) {
        return;
    }
    uint looked = 0u, batches = 0u, rows = 0u;
    bool meets = true;
    if (population.level_count > 1u) {
        meets = fg_batch_meets(fg_batch_at(population.batches, population.level_first[1] + above), a, b);
        looked++;
    }
    if (lane == 0u) {
        seen = 0u;
    }
    barrier();
    for (; meets && batch < end; batch++) {
        looked++;
        if (fg_batch_meets(fg_batch_at(population.batches, batch), a, b)) {
            look_into(batch, a, b);
            batches++;
            rows += min(FG_BATCH_ROWS, population.count - batch * FG_BATCH_ROWS);
        }
    }
    barrier();
    if (lane == 0u) {
        fg_words counts = fg_words(args.counts);
        if (batches > 0u) {
            atomicAdd(counts.at[0], seen);
            atomicAdd(counts.at[1], batches);
            atomicAdd(counts.at[2], rows);
        }
        atomicAdd(counts.at[3], looked);
    }
}
