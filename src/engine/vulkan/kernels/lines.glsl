/* SPDX-License-Identifier: MIT */
/*
 * Dependencies as lines from where one row ends to where another starts, and which a window shows: by
 * cells of time, as many of each as it may have, by the hashes of their numbers. Hashes differ, so the
 * first few of a cell are those up to some hash: it is found digit by digit, by counting.
 */
#ifndef FG_LINES_GLSL
#define FG_LINES_GLSL
#include "gpu_table.glsl"

const uint LINES_CELLS = 256u; /* four of each of 64 lengths */
const uint LINES_NO_CELL = LINES_CELLS;
const uint LINES_BINS = 2048u; /* of a digit */
const uint LINES_QUADS = 3u;

/* struct fg_gpu_lines_counts */
const uint LINES_OUT_OF_FAMILY = 1u;
const uint LINES_HIDDEN = 2u;
const uint LINES_SAME = 3u;
const uint LINES_OUTSIDE = 4u;
const uint LINES_CULLED = 5u;
const uint LINES_OVER_BUDGET = 6u;
const uint LINES_REASONS = 8u;

/* enum fg_link_mark */
const uint LINES_PROJECTED = 2u; /* of a source; of a target twice that */
const uint LINES_NOT_SEEN = 8u;

/** struct fgi_gpu_lines_block of gpu_links_lines.c */
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer lines_block {
    fg_column first;    /* by row: dependencies out of it, of which the next two tell */
    fg_column links;
    fg_column others;
    fg_column families; /* by number of a dependency */
    fg_column shown;    /* by row: who stands for it; none = the row itself */
    fg_column cells;    /* by place in `links`; then whether the line is shown */
    fg_column kept;     /* places of lines that are shown */
    fg_column target;   /* struct fg_gpu_line, three quads each */
    fg_column bins;     /* LINES_BINS of each cell, cleared */
    uvec2 start_ns;
    uvec2 end_ns;
    uint top;    /* lanes lie at twice their number and one */
    uint bottom;
    uint wanted; /* families */
    uint most;
    uint most_of_cell;
    uint least_length; /* the shortest cells have 1 << least_length ns */
    uint link_count;
    uint reserved;
};

/** struct fgi_gpu_lines_state of gpu_links_lines.c */
layout(buffer_reference, std430, buffer_reference_align = 16) buffer lines_state {
    uint counts[LINES_REASONS]; /* the first: lines that are shown */
    uint choosing;              /* cells that do not show all */
    uint reserved[7];
    uint found[LINES_CELLS];
    uint share[LINES_CELLS]; /* of these may be shown */
    uint left[LINES_CELLS];  /* of these have not been found by the digits so far */
    uint hash[LINES_CELLS];  /* the digits so far, at the end the last hash that is shown */
};

/* struct lines_push of gpu_links_lines.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    lines_block block;
    lines_state state;
    uint digit; /* 0, 1, 2 */
} args;

/** fg_links_hash() */
uint lines_hash(uint link)
{
    link = (link ^ (link >> 16)) * 0x7feb352du;
    link = (link ^ (link >> 15)) * 0x846ca68bu;
    return link ^ (link >> 16);
}

/** The row in [low, high] whose dependencies have this place. */
uint lines_source(uint low, uint high, uint place)
{
    while (low < high) {
        uint middle = low + (high - low) / 2u;
        if (fg_u32_at(args.block.first, middle + 1u) <= place) {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

struct lines_line {
    uint link;
    uint marks;
    uint source;
    uint target;
    uint shown_source;
    uint shown_target;
    u64 from_ns;
    u64 to_ns;
};

/** Who is drawn for a row. */
uint lines_settle(uint row, uint which, inout uint marks)
{
    uint shown = fg_is_there(args.block.shown) ? fg_u32_at(args.block.shown, row) : row;
    if (shown == row) {
        return row;
    }
    marks |= (shown < args.trace.row_count ? LINES_PROJECTED : LINES_NOT_SEEN) << which;
    return shown < args.trace.row_count ? shown : row;
}

/** Rows and marks; false: there are no such rows. */
bool lines_ends(uint place, uint source, out lines_line line)
{
    line.link = fg_u32_at(args.block.links, place);
    line.marks = 0u;
    line.source = source;
    line.target = fg_u32_at(args.block.others, place);
    if (source >= args.trace.row_count || line.target >= args.trace.row_count) {
        return false;
    }
    line.shown_source = lines_settle(source, 0u, line.marks);
    line.shown_target = lines_settle(line.target, 1u, line.marks);
    return true;
}

void lines_times(inout lines_line line)
{
    line.from_ns = fg_u64_at(args.trace.end, line.shown_source);
    line.to_ns = fg_u64_at(args.trace.start, line.shown_target);
}

bool lines_is_choosing(uint cell)
{
    return cell < LINES_CELLS && args.state.share[cell] > 0u &&
           args.state.share[cell] < args.state.found[cell];
}

#endif
