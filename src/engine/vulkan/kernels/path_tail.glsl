/* SPDX-License-Identifier: MIT */
/* Backwards: the longest time from a row's start to the end of what depends on it. */
#ifndef FG_PATH_TAIL_GLSL
#define FG_PATH_TAIL_GLSL
#include "path.glsl"

shared uint path_heavy[PATH_GROUP];
shared uint path_heavy_count;
shared uvec2 path_longest[PATH_GROUP];

u64 path_tail_at(uint row)
{
    return u64_of(path_live_pairs(fg_chunk(args.words.tails, row)).at[row & args.words.tails.row_mask]);
}
void path_tail_put(uint row, u64 longest)
{
    path_live_pairs(fg_chunk(args.words.tails, row)).at[row & args.words.tails.row_mask] =
        u64_words(path_add(longest, path_own(row)));
}

/** What never has its turn has a tail of 0. */
u64 path_behind(u64 longest, uint at)
{
    uint target = fg_u32_at(args.words.out_others, at);
    bool is_followed = path_takes_part(target) && path_follows(args.words.out_links, at);
    return is_followed ? u64_max(longest, path_tail_at(target)) : longest;
}

/** By all of the group. */
void path_tail_heavy(uint row)
{
    uint lane = gl_LocalInvocationIndex;
    uvec2 out_of = path_range(args.words.out_offsets, row);
    u64 longest = u64_zero();
    for (uint at = out_of.x + lane; at < out_of.y; at += FG_GROUP) {
        longest = path_behind(longest, at);
    }
    path_longest[lane] = u64_words(longest);
    barrier();
    if (lane == 0u) {
        for (uint i = 1u; i < FG_GROUP; i++) {
            longest = u64_max(longest, u64_of(path_longest[i]));
        }
        path_tail_put(row, longest);
    }
    barrier();
}

void path_tail_light(uint row)
{
    uvec2 out_of = path_range(args.words.out_offsets, row);
    if (out_of.y - out_of.x > PATH_HEAVY) {
        path_heavy[atomicAdd(path_heavy_count, 1u)] = row;
        return;
    }
    u64 longest = u64_zero();
    for (uint at = out_of.x; at < out_of.y; at++) {
        longest = path_behind(longest, at);
    }
    path_tail_put(row, longest);
}

/** All of the group come here together; as path_turns(). */
void path_tails(uint turn, bool has_turn)
{
    if (gl_LocalInvocationIndex == 0u) {
        path_heavy_count = 0u;
    }
    barrier();
    if (has_turn) {
        path_tail_light(fg_u32_at(args.words.order, turn));
    }
    barrier();
    for (uint i = 0u; i < path_heavy_count; i++) {
        path_tail_heavy(path_heavy[i]);
    }
    barrier();
}

#endif
