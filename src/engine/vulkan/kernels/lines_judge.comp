/* SPDX-License-Identifier: MIT */
/* The cell of every dependency whose line crosses the window; what is not shown is counted by reason. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "lines.glsl"

shared uint bounds[2]; /* sources of the group's first and last places */
shared uint reasons[LINES_REASONS];
shared uint found[LINES_CELLS];

/** A difference of times or heights: size, and the sign as -1, 0, 1. */
struct part {
    u64 size;
    int sign;
};
part part_of(u64 from, u64 to)
{
    if (u64_equal(from, to)) {
        return part(u64_zero(), 0);
    }
    return u64_less_signed(from, to) ? part(u64_sub(to, from), 1) : part(u64_sub(from, to), -1);
}

/** On which side of a line a corner of the window lies: the sign of a * b - c * d. */
int side(part a, part b, part c, part d)
{
    int left = a.sign * b.sign;
    int right = c.sign * d.sign;
    if (left != right || left == 0) {
        return sign(left - right);
    }
    u128 x = u128_product(a.size, b.size);
    u128 y = u128_product(c.size, d.size);
    return u128_less(x, y) ? -left : u128_less(y, x) ? left : 0;
}

u64 height_of(uint row)
{
    return u64_from(fg_u32_at(args.trace.lane, row) * 2u + 1u);
}

/** A line whose times meet the window: whether it crosses the lanes there. */
bool crosses(lines_line line)
{
    u64 from_y = height_of(line.shown_source);
    u64 to_y = height_of(line.shown_target);
    u64 top = u64_from(args.block.top);
    u64 bottom = u64_from(args.block.bottom);
    u64 start = u64_of(args.block.start_ns);
    u64 end = u64_of(args.block.end_ns);
    if ((u64_less(from_y, top) && u64_less(to_y, top)) || (u64_less(bottom, from_y) && u64_less(bottom, to_y))) {
        return false;
    }
    part along = part_of(line.from_ns, line.to_ns);
    part down = part_of(from_y, to_y);
    part to_top = part_of(from_y, top);
    part to_bottom = part_of(from_y, bottom);
    part to_start = part_of(line.from_ns, start);
    part to_end = part_of(line.from_ns, end);
    int a = side(along, to_top, down, to_start);
    return a == 0 || a != side(along, to_top, down, to_end) || a != side(along, to_bottom, down, to_start) ||
           a != side(along, to_bottom, down, to_end);
}

/** The least n with 2^n not below a length; 63 for what is longer. */
uint length_of(u64 size)
{
    uvec2 words = u64_words(size);
    if (words.y == 0u && words.x <= 1u) {
        return 0u;
    }
    words = u64_words(u64_sub(size, u64_from(1u)));
    uint bits = words.y != 0u ? 33u + uint(findMSB(words.y)) : 1u + uint(findMSB(words.x));
    return min(bits, 63u);
}

uint cell_of(lines_line line)
{
    u64 lesser = u64_min_signed(line.from_ns, line.to_ns);
    uint bits = max(length_of(part_of(line.from_ns, line.to_ns).size), args.block.least_length);
    u64 start = u64_flip_sign(u64_of(args.block.start_ns)); /* from the least time on */
    u64 low = u64_shift_right(u64_sub_saturated(start, u64_shift_left(u64_from(1u), bits)), bits);
    u64 at = u64_sub_saturated(u64_shift_right(u64_flip_sign(lesser), bits), low);
    return bits * 4u + (u64_less(at, u64_from(3u)) ? u64_low(at) : 3u);
}

/** Why a line is not shown; 0: it has a cell. */
uint judge(uint place, out uint cell)
{
    lines_line line;
    cell = LINES_NO_CELL;
    if ((fg_u32_at(args.block.families, fg_u32_at(args.block.links, place)) & args.block.wanted) == 0u) {
        return LINES_OUT_OF_FAMILY;
    }
    uint source = lines_source(bounds[0], bounds[1], place);
    const uint hidden = LINES_NOT_SEEN | (LINES_NOT_SEEN << 1);
    if (!lines_ends(place, source, line) || (line.marks & hidden) == hidden) {
        return LINES_HIDDEN;
    }
    if (line.shown_source == line.shown_target) {
        return LINES_SAME;
    }
    lines_times(line);
    if (u64_less_signed(u64_max_signed(line.from_ns, line.to_ns), u64_of(args.block.start_ns)) ||
        u64_less_signed(u64_of(args.block.end_ns), u64_min_signed(line.from_ns, line.to_ns))) {
        return LINES_OUTSIDE;
    }
    if (!crosses(line)) {
        return LINES_CULLED;
    }
    cell = cell_of(line);
    return 0u;
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint place = fg_invocation_index();
    uint last = args.block.link_count - 1u; /* there is one */
    for (uint i = lane; i < LINES_CELLS; i += FG_GROUP) {
        found[i] = 0u;
        if (i < LINES_REASONS) {
            reasons[i] = 0u;
        }
        if (i < 2u) {
            uint edge = min(fg_group_index() * FG_GROUP + i * (FG_GROUP - 1u), last);
            bounds[i] = lines_source(0u, args.trace.row_count, edge);
        }
    }
    barrier();
    if (place <= last) {
        uint cell;
        uint reason = judge(place, cell);
        fg_u32_put(args.block.cells, place, cell);
        if (reason != 0u) {
            atomicAdd(reasons[reason], 1u);
        } else {
            atomicAdd(found[cell], 1u);
        }
    }
    barrier();
    for (uint i = lane; i < LINES_CELLS; i += FG_GROUP) {
        if (found[i] != 0u) {
            atomicAdd(args.state.found[i], found[i]);
        }
        if (i < LINES_REASONS && reasons[i] != 0u) {
            atomicAdd(args.state.counts[i], reasons[i]);
        }
    }
}
