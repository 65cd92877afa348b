/* SPDX-License-Identifier: MIT */
/*
 * Scan of a group's values: FG_STRIPS of each invocation, in the order of strips, then of fg_lane().
 * Before it are defined: T, combine(), identity(), FG_STRIPS.
 */
#ifndef FG_SCAN_GROUP_GLSL
#define FG_SCAN_GROUP_GLSL
#include "prelude.glsl"


#ifdef FG_SUBGROUP
shared T fg_scan_total;
shared T fg_scan_parts[FG_STRIPS * ((FG_GROUP + FG_SUBGROUP_SIZE - 1u) / FG_SUBGROUP_SIZE)];

#ifdef FG_SCAN_U32
T fg_subgroup_inclusive(T value) { return subgroupInclusiveAdd(value); }
T fg_subgroup_before(T inclusive, T value) { return inclusive - value; }
#else
T fg_subgroup_inclusive(T value)
{
    for (uint step = 1u; step < gl_SubgroupSize; step <<= 1u) {
        T before = u64_of(subgroupShuffleUp(u64_words(value), step));
        if (gl_SubgroupInvocationID >= step) {
            value = combine(before, value);
        }
    }
    return value;
}
T fg_subgroup_before(T inclusive, T value)
{
    T before = u64_of(subgroupShuffleUp(u64_words(inclusive), 1u));
    return gl_SubgroupInvocationID == 0u ? identity() : before;
}
#endif

/** The parts of all strips and subgroups become what is before them. Of the first subgroup. */
void fg_scan_parts_of_group()
{
    uint count = uint(FG_STRIPS) * gl_NumSubgroups;
    uint each = (count + gl_SubgroupSize - 1u) / gl_SubgroupSize;
    uint first = min(gl_SubgroupInvocationID * each, count);
    uint last = min(first + each, count);
    T sum = identity();
    for (uint i = first; i < last; i++) {
        sum = combine(sum, fg_scan_parts[i]);
    }
    T inclusive = fg_subgroup_inclusive(sum);
    T before = fg_subgroup_before(inclusive, sum);
    for (uint i = first; i < last; i++) {
        T part = fg_scan_parts[i];
        fg_scan_parts[i] = before;
        before = combine(before, part);
    }
    if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) {
        fg_scan_total = inclusive;
    }
}

/** Each value becomes what is before it in the group; the answer is all of them. Every invocation
 *  calls it; between two calls there is a barrier. */
T fg_group_scan(inout T values[FG_STRIPS])
{
    for (int k = 0; k < FG_STRIPS; k++) {
        T inclusive = fg_subgroup_inclusive(values[k]);
        values[k] = fg_subgroup_before(inclusive, values[k]);
        if (gl_SubgroupInvocationID == gl_SubgroupSize - 1u) {
            fg_scan_parts[uint(k) * gl_NumSubgroups + gl_SubgroupID] = inclusive;
        }
    }
    barrier();
    if (gl_SubgroupID == 0u) {
        fg_scan_parts_of_group();
    }
    barrier();
    for (int k = 0; k < FG_STRIPS; k++) {
        values[k] = combine(fg_scan_parts[uint(k) * gl_NumSubgroups + gl_SubgroupID], values[k]);
    }
    return fg_scan_total;
}
#else
const uint FG_SCAN_LINES = 16u;
shared T fg_scan_parts[FG_STRIPS * FG_GROUP];
shared T fg_scan_sums[FG_GROUP];
shared T fg_scan_lines[FG_SCAN_LINES];

/** Each value becomes what is before it in the group; the answer is all of them. Every invocation
 *  calls it; between two calls there is a barrier. */
T fg_group_scan(inout T values[FG_STRIPS])
{
    uint lane = gl_LocalInvocationIndex;
    for (int k = 0; k < FG_STRIPS; k++) {
        fg_scan_parts[uint(k) * FG_GROUP + lane] = values[k];
    }
    barrier();
    T sum = identity();
    for (int k = 0; k < FG_STRIPS; k++) {
        sum = combine(sum, fg_scan_parts[lane * uint(FG_STRIPS) + uint(k)]);
    }
    fg_scan_sums[lane] = sum;
    barrier();
    uint width = FG_GROUP / FG_SCAN_LINES;
    if (lane < FG_SCAN_LINES) {
        T before = identity();
        for (uint i = lane * width; i < (lane + 1u) * width; i++) {
            T part = fg_scan_sums[i];
            fg_scan_sums[i] = before;
            before = combine(before, part);
        }
        fg_scan_lines[lane] = before;
    }
    barrier();
    T before = identity();
    T total = identity();
    for (uint line = 0u; line < FG_SCAN_LINES; line++) {
        if (line == lane / width) {
            before = total;
        }
        total = combine(total, fg_scan_lines[line]);
    }
    before = combine(before, fg_scan_sums[lane]);
    for (int k = 0; k < FG_STRIPS; k++) {
        uint at = lane * uint(FG_STRIPS) + uint(k);
        T part = fg_scan_parts[at];
        fg_scan_parts[at] = before;
        before = combine(before, part);
    }
    barrier();
    for (int k = 0; k < FG_STRIPS; k++) {
        values[k] = fg_scan_parts[uint(k) * FG_GROUP + lane];
    }
    return total;
}
#endif

#endif
