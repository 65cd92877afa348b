/* SPDX-License-Identifier: MIT */
/* Turns of rows, one for each invocation of a group; those with many dependencies are all's work. */
#ifndef FG_PATH_TURN_GLSL
#define FG_PATH_TURN_GLSL
#include "path_found.glsl"

/** The longest of what a row depends on; FG_NO_ROW: nothing. */
struct path_best {
    u64 time;
    uint row;
};

shared uint path_heavy[PATH_GROUP];
shared uint path_heavy_count;
shared uvec2 path_lengths[PATH_GROUP];
shared uint path_rows[PATH_GROUP];

void path_better(inout path_best best, path_best other)
{
    if (other.row == FG_NO_ROW) {
        return;
    }
    if (best.row == FG_NO_ROW || u64_less(best.time, other.time) ||
        (u64_equal(best.time, other.time) && other.row < best.row)) {
        best = other;
    }
}

void path_pull(inout path_best best, uint at)
{
    uint source = fg_u32_at(args.words.in_others, at);
    if (path_takes_part(source) && path_follows(args.words.in_links, at)) {
        path_better(best, path_best(u64_of(path_node_at(source).xy), source));
    }
}

void path_push(uint at)
{
    uint target = fg_u32_at(args.words.out_others, at);
    if (path_takes_part(target) && path_follows(args.words.out_links, at)) {
        uvec2 chunk = fg_chunk(args.words.open, target);
        if (atomicAdd(fg_words(chunk).at[target & args.words.open.row_mask], 0xffffffffu) == 1u) {
            path_found(target);
        }
    }
}

void path_end_turn(uint row, path_best best)
{
    uint hops = 0u;
    uint root = row;
    if (best.row != FG_NO_ROW) {
        hops = path_node_at(best.row).w + 1u;
    }
    path_node_put(row, uvec4(u64_words(path_add(best.time, path_own(row))), best.row, hops));
    if (fg_is_there(args.words.roots)) {
        if (best.row != FG_NO_ROW) {
            root = path_u32_at(args.words.roots, best.row);
        }
        path_u32_put(args.words.roots, row, root);
    }
}

/** By all of the group. */
void path_turn_heavy(uint row)
{
    uint lane = gl_LocalInvocationIndex;
    uvec2 into = path_range(args.words.in_offsets, row);
    uvec2 out_of = path_range(args.words.out_offsets, row);
    path_best best = path_best(u64_zero(), FG_NO_ROW);
    for (uint at = into.x + lane; at < into.y; at += FG_GROUP) {
        path_pull(best, at);
    }
    path_lengths[lane] = u64_words(best.time);
    path_rows[lane] = best.row;
    barrier();
    if (lane == 0u) {
        for (uint i = 1u; i < FG_GROUP; i++) {
            path_better(best, path_best(u64_of(path_lengths[i]), path_rows[i]));
        }
        path_end_turn(row, best);
    }
    for (uint at = out_of.x + lane; at < out_of.y; at += FG_GROUP) {
        path_push(at);
    }
    barrier();
}

void path_turn_light(uint row)
{
    uvec2 into = path_range(args.words.in_offsets, row);
    uvec2 out_of = path_range(args.words.out_offsets, row);
    if (into.y - into.x > PATH_HEAVY || out_of.y - out_of.x > PATH_HEAVY) {
        path_heavy[atomicAdd(path_heavy_count, 1u)] = row;
        return;
    }
    path_best best = path_best(u64_zero(), FG_NO_ROW);
    for (uint at = into.x; at < into.y; at++) {
        path_pull(best, at);
    }
    path_end_turn(row, best);
    for (uint at = out_of.x; at < out_of.y; at++) {
        path_push(at);
    }
}

/** All of the group come here together; `turn` is this invocation's own where it has one. */
void path_turns(uint turn, bool has_turn)
{
    if (gl_LocalInvocationIndex == 0u) {
        path_heavy_count = 0u;
        path_found_count = 0u;
    }
    barrier();
    if (has_turn) {
        path_turn_light(path_u32_at(args.words.order, turn));
    }
    barrier();
    for (uint i = 0u; i < path_heavy_count; i++) {
        path_turn_heavy(path_heavy[i]);
    }
    path_put_found();
    barrier();
}

#endif
