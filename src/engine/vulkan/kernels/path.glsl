/* SPDX-License-Identifier: MIT */
/*
 * Paths over dependencies, layer by layer: a row has its turn when all that it depends on had theirs.
 * In its turn it takes the longest of these, the lowest row among equals, and is over; what depends on
 * it has one open dependency less. Nothing of this depends on the order within a layer.
 */
#ifndef FG_PATH_GLSL
#define FG_PATH_GLSL
#include "gpu_table.glsl"

const uint PATH_ROWS = 256u;   /* that a group of a pass over all rows looks at */
const uint PATH_HEAVY = 64u;   /* a row with more dependencies is a whole group's work */
const uint PATH_GROUP = 256u;  /* the largest group */
const uint PATH_FOUND = 1024u; /* rows that a group puts in order at once */
const uint PATH_LAYERS = 1024u; /* that one group does in one dispatch */

/** struct fgi_gpu_path_words. */
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer path_words {
    fg_column out_offsets; /* by row: where its dependencies begin, out of it and into it */
    fg_column out_links;
    fg_column out_others;
    fg_column in_offsets;
    fg_column in_links;
    fg_column in_others;
    fg_column families; /* by dependency: the bit of its family */
    fg_column passing;  /* a bit for each row that may take part; none = all */
    fg_column part;     /* a bit for each row that does; none = all */
    fg_column open;     /* by row: dependencies on rows whose turn has not come */
    fg_column nodes;    /* by row: length, predecessor, hops */
    fg_column order;    /* rows by turn */
    fg_column layers;   /* first turn of each layer, and the end */
    fg_column turned;   /* a bit for each row that had its turn */
    fg_column stuck;    /* and for each that takes part and never had */
    fg_column lengths;
    fg_column roots; /* this and the next: none where they are not asked for */
    fg_column tails;
    fg_column slacks;
    fg_column earliest;
    fg_column latest;
    fg_column predecessors;
    fg_column hops;
    fg_column chain;
    uvec2 start_ns; /* rows that meet it may take part */
    uvec2 end_ns;
    uvec2 length_ns; /* of the path: for figures */
    uvec2 length_at; /* where that is; 0 = it is told */
    uint wanted;     /* families */
    uint alone_rows; /* a layer of so many rows is one group's work */
    uint group_rows; /* rows that a group takes of a larger one: forwards */
    uint back_rows;  /* and backwards */
    uint chain_row;  /* the last row of the chain that is not told yet */
    uint chain_left; /* rows up to it */
    uint chain_step; /* that one dispatch may go */
};

/** struct fgi_gpu_path_state. */
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer path_state {
    uint rows; /* that take part */
    uint links;
    uint left_out;
    uint invalid; /* 0: that is of parents */
    uint max_hops;
    uint is_saturated;
    uint stuck; /* inverse of the lowest row that was left out; 0: none was */
    uint is_done;
    uint layer; /* layers that are over; backwards: that are still to come */
    uint ready; /* rows in order */
    uint first; /* turn of the layer at hand */
    uint many;  /* rows of the layer that many groups take */
    uint chain_row;
    uint reserved;
};

layout(buffer_reference, std430, buffer_reference_align = 4) coherent buffer path_live_words { uint at[]; };
layout(buffer_reference, std430, buffer_reference_align = 8) coherent buffer path_live_pairs { uvec2 at[]; };
layout(buffer_reference, std430, buffer_reference_align = 16) coherent buffer path_live_quads { uvec4 at[]; };

/* struct path_push of gpu_path.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    path_words words;
    path_state state;
    uvec2 arguments; /* of the dispatch for a layer that many groups take */
} args;

/* What other invocations of a group have written in a turn before. */
uint path_u32_at(fg_column column, uint row)
{
    return path_live_words(fg_chunk(column, row)).at[row & column.row_mask];
}
void path_u32_put(fg_column column, uint row, uint value)
{
    path_live_words(fg_chunk(column, row)).at[row & column.row_mask] = value;
}
uvec4 path_node_at(uint row)
{
    return path_live_quads(fg_chunk(args.words.nodes, row)).at[row & args.words.nodes.row_mask];
}
void path_node_put(uint row, uvec4 node)
{
    path_live_quads(fg_chunk(args.words.nodes, row)).at[row & args.words.nodes.row_mask] = node;
}

bool path_takes_part(uint row)
{
    return row < args.trace.row_count &&
           (!fg_is_there(args.words.part) || fg_mask_bit(args.words.part, row));
}
bool path_follows(fg_column links, uint at)
{
    return args.words.wanted == 0xffffffffu ||
           (fg_u32_at(args.words.families, fg_u32_at(links, at)) & args.words.wanted) != 0u;
}
u64 path_own(uint row)
{
    return u64_sub(fg_u64_at(args.trace.end, row), fg_u64_at(args.trace.start, row));
}
/** a + b; where that is too much it is told. */
u64 path_add(u64 a, u64 b)
{
    if (u64_less(u64_add(a, b), a)) {
        atomicOr(args.state.is_saturated, 1u);
    }
    return u64_add_saturated(a, b);
}
uvec2 path_range(fg_column offsets, uint row)
{
    return uvec2(fg_u32_at(offsets, row), fg_u32_at(offsets, row + 1u));
}

#endif
