/* SPDX-License-Identifier: MIT */
/* A digit of the last hash that a cell shows. FG_LINES_COUNT: how often each is in its cell, among
 * those that begin with the digits so far. Else a group takes a cell and finds it. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"

#ifdef FG_LINES_COUNT
void main()
{
    uint place = fg_invocation_index();
    if (place >= args.block.link_count || args.state.choosing == 0u) {
        return;
    }
    uint cell = fg_u32_at(args.block.cells, place);
    if (!lines_is_choosing(cell)) {
        return;
    }
    uint hash = lines_hash(fg_u32_at(args.block.links, place));
    uint shift = args.digit == 0u ? 21u : args.digit == 1u ? 10u : 0u;
    uint bins = args.digit == 2u ? LINES_BINS / 2u : LINES_BINS;
    if (args.digit == 0u || hash >> (args.digit == 1u ? 21u : 10u) == args.state.hash[cell]) {
        uint at = cell * LINES_BINS + ((hash >> shift) & (bins - 1u));
        uvec2 chunk = fg_chunk(args.block.bins, at);
        atomicAdd(fg_words(chunk).at[at & args.block.bins.row_mask], 1u);
    }
}
#else
const uint RUNS = 64u;
const uint RUN = LINES_BINS / RUNS;
shared uint runs[RUNS];

void main()
{
    uint cell = fg_group_index();
    uint lane = gl_LocalInvocationIndex;
    if (!lines_is_choosing(cell)) {
        return;
    }
    uint first = cell * LINES_BINS;
    for (uint i = lane; i < RUNS; i += FG_GROUP) {
        uint sum = 0u;
        for (uint k = 0u; k < RUN; k++) {
            sum += fg_u32_at(args.block.bins, first + i * RUN + k);
        }
        runs[i] = sum;
    }
    barrier();
    if (lane == 0u) {
        uint left = args.state.left[cell];
        uint run = 0u;
        while (run + 1u < RUNS && runs[run] < left) {
            left -= runs[run++];
        }
        uint digit = run * RUN;
        uint end = digit + RUN - 1u;
        while (digit < end && fg_u32_at(args.block.bins, first + digit) < left) {
            left -= fg_u32_at(args.block.bins, first + digit++);
        }
        args.state.left[cell] = left;
        args.state.hash[cell] = (args.state.hash[cell] << (args.digit == 2u ? 10u : 11u)) | digit;
    }
    barrier();
    for (uint i = lane; i < LINES_BINS; i += FG_GROUP) {
        fg_u32_put(args.block.bins, first + i, 0u);
    }
}
#endif
