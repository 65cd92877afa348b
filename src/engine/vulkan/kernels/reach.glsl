/* SPDX-License-Identifier: MIT */
/*
 * What is reached from some rows along dependencies, hop by hop. Rows of a hop are expanded in their
 * order, each one's dependencies in theirs: so every dependency that is followed has a number, higher
 * than those of all hops before, and the lowest number that leads to a row is how it was found first.
 */
#ifndef FG_REACH_GLSL
#define FG_REACH_GLSL
#include "gpu_table.glsl"

const uint REACH_SLICE = 1u;     /* flags: what lies behind the last hop is asked for */
const uint REACH_RANGE = 2u;     /* rows that do not meet the range are not gone through */
const uint REACH_OUT = 1u;       /* directions */
const uint REACH_IN = 2u;
const uint REACH_ALONE = 1024u;  /* rows that one group can expand by itself */
const uint REACH_EDGES = 256u;   /* dependencies that a group looks at */

/** struct fgi_gpu_reach_words. */
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer reach_words {
    fg_column out_offsets; /* by row: where its dependencies begin, out of it and into it */
    fg_column out_links;
    fg_column out_others;
    fg_column in_offsets;
    fg_column in_links;
    fg_column in_others;
    fg_column families; /* by dependency: the bit of its family */
    fg_column passing;  /* a bit for each row; none = all */
    fg_column best;     /* by row: the lowest number that led to it; FG_NO_ROW */
    fg_column rows;     /* reached, as found */
    fg_column via;      /* by which dependency */
    fg_column mask;     /* a bit for each row that was reached */
    fg_column offsets;  /* of the hop at hand: dependencies before each row's */
    fg_column edges;    /* a bit for each dependency of the hop: it found its row first */
    fg_column won;      /* their places */
    uvec2 start_ns;
    uvec2 end_ns;
    uint wanted; /* families */
    uint directions;
    uint flags;
    uint capacity; /* rows that one hop may expand */
    uint max_hops;
    uint max_rows;
    uint seed_count;
    uint record_room;
    uint alone_rows; /* a hop of so many rows and dependencies is one group's work */
    uint alone_edges;
};

/** struct fgi_gpu_reach_state. */
layout(buffer_reference, std430, buffer_reference_align = 16) buffer reach_state {
    uint first; /* of the hop at hand */
    uint count;
    uint hop;
    uint edge_base; /* number of its first dependency */
    uint is_done;
    uint expand; /* rows that are to be expanded by many groups; 0 = none */
    uint edges;  /* of these */
    uint won;
    uint record_count;
    uint hidden;
    uint outside;
    uint overflow;
    uint is_limited;
    uint behind; /* rows that were reached and not expanded: the capacity of a hop */
};

/* struct reach_push of gpu_reach.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    reach_words words;
    reach_state state;
    uvec2 records; /* of hops: rows expanded, rows found, dependencies, 0 */
} args;

uint reach_out_degree(uint row)
{
    return (args.words.directions & REACH_OUT) != 0u
               ? fg_u32_at(args.words.out_offsets, row + 1u) - fg_u32_at(args.words.out_offsets, row)
               : 0u;
}
uint reach_degree(uint row)
{
    uint degree = reach_out_degree(row);
    if ((args.words.directions & REACH_IN) != 0u) {
        degree += fg_u32_at(args.words.in_offsets, row + 1u) - fg_u32_at(args.words.in_offsets, row);
    }
    return degree;
}

/** Where a dependency of a row leads, and its number in the trace. */
struct reach_edge {
    uint row;
    uint link;
};
reach_edge reach_edge_at(uint from, uint at)
{
    uint degree = reach_out_degree(from);
    if (at < degree) {
        at += fg_u32_at(args.words.out_offsets, from);
        return reach_edge(fg_u32_at(args.words.out_others, at), fg_u32_at(args.words.out_links, at));
    }
    at += fg_u32_at(args.words.in_offsets, from) - degree;
    return reach_edge(fg_u32_at(args.words.in_others, at), fg_u32_at(args.words.in_links, at));
}

/** Lowers the number that leads to a row; what it was before. With FG_NO_ROW it is only read. */
uint reach_lower(uint row, uint number)
{
    uvec2 chunk = fg_chunk(args.words.best, row);
    return atomicMin(fg_words(chunk).at[row & args.words.best.row_mask], number);
}

bool reach_meets(uint row)
{
    return (args.words.flags & REACH_RANGE) == 0u ||
           fg_meets(fg_u64_at(args.trace.start, row), fg_u64_at(args.trace.end, row),
                    u64_of(args.words.start_ns), u64_of(args.words.end_ns));
}

/** Judge where a dependency leads: it may be the first to find the row. */
void reach_claim(reach_edge edge, uint number, bool is_behind)
{
    if ((fg_u32_at(args.words.families, edge.link) & args.words.wanted) == 0u ||
        edge.row >= args.trace.row_count) {
        return;
    }
    bool passes = !fg_is_there(args.words.passing) || fg_mask_bit(args.words.passing, edge.row);
    if (passes && reach_meets(edge.row)) {
        if (!is_behind) {
            reach_lower(edge.row, number);
        } else if (reach_lower(edge.row, FG_NO_ROW) == FG_NO_ROW) {
            atomicOr(args.state.is_limited, 1u);
        }
    } else if (!is_behind && reach_lower(edge.row, FG_NO_ROW) == FG_NO_ROW) {
        if (passes) {
            atomicAdd(args.state.outside, 1u);
        } else {
            atomicAdd(args.state.hidden, 1u);
        }
    }
}

/** It did, as one whose place among these is known. */
void reach_take(reach_edge edge, uint place, uint found)
{
    uvec2 chunk = fg_chunk(args.words.mask, edge.row >> 5);
    atomicOr(fg_words(chunk).at[(edge.row >> 5) & args.words.mask.row_mask], 1u << (edge.row & 31u));
    if (found + place < args.words.max_rows) {
        fg_u32_put(args.words.rows, found + place, edge.row);
        fg_u32_put(args.words.via, found + place, edge.link);
    }
}

/** Of rows that were found those that there is room for; the others are counted. */
uint reach_room(uint found, uint won)
{
    return min(won, args.words.max_rows - min(args.words.max_rows, found));
}
void reach_record(uint at, uint expanded, uint taken, uint edges)
{
    fg_quads(args.records).at[at] = uvec4(expanded, taken, edges, 0u);
}

#endif
