/* SPDX-License-Identifier: MIT */
/*
 * Figures of each group of selected rows, in three passes: counts, sums and high words of the least and
 * greatest; low words among the rows that have these high words; the lowest row of the greatest. A fourth
 * one adds up the squares of what values differ from their group's mean by. All of it by adding integers and by greatest words, so that no order matters. Least numbers are the greatest
 * of their complements: everything begins at 0. A sum has three words, that of squares five, and whoever makes one overflow
 * carries. Few groups are kept in the memory of the group first, several times, so that its invocations
 * seldom meet.
 *
 * Where all values have one word only, the first pass knows the least and the greatest already, and the second
 * one looks at no row. The third looks only where the greatest may be: the first one has marked the groups of
 * invocations whose own greatest was no less than the greatest by then.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "number_args.glsl"

layout(constant_id = 8) const uint FG_PASS = 0u;

/* enum of gpu_numbers.c */
const uint FG_CELL_WORDS = 24u;
const uint FG_CELL_COUNT = 0u;
const uint FG_CELL_OPEN = 1u;
const uint FG_CELL_FAILED = 2u;
const uint FG_CELL_ZEROES = 3u; /* of a caller's column: spans without a value */
const uint FG_CELL_SUM = 4u; /* three words */
const uint FG_CELL_HIGH = 7u; /* least, greatest, start, end: high words */
const uint FG_CELL_TRACK = 11u; /* greatest + 1, complement of least */
const uint FG_CELL_LOW = 13u; /* low words, as the high ones */
const uint FG_CELL_ROW = 17u; /* complement of the lowest */
const uint FG_CELL_SQUARES = 18u; /* five words */
const uint FG_CELL_SMALL = 23u; /* greatest of those without a high word */

const uint FG_LOCAL_SLOTS = 256u; /* as in gpu_numbers.c */
/* Of the first pass: all before the low words, the least without a high word, and the greatest such one. */
const uint FG_LOCAL_WORDS = 15u;
const uint FG_LOCAL_LEAST = FG_CELL_LOW;
const uint FG_LOCAL_SMALL = FG_CELL_LOW + 1u;

/* struct number_push of gpu_numbers.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_number_args numbers;
} args;

shared uint local_cells[FG_LOCAL_SLOTS * FG_LOCAL_WORDS];
shared uint local_selected;
shared uint local_keyless;
shared uint local_wanted; /* this group has something to do, or to be looked at again */

/* Words of a cell that a pass is about. */
uint first_word()
{
    return FG_PASS == 0u   ? FG_CELL_COUNT
           : FG_PASS == 1u ? FG_CELL_LOW
           : FG_PASS == 2u ? FG_CELL_ROW
                           : FG_CELL_SQUARES;
}
uint words_of_pass() { return FG_PASS == 0u ? FG_LOCAL_WORDS : FG_PASS == 1u ? 4u : FG_PASS == 2u ? 1u : 5u; }
bool is_local() { return args.numbers.replicas != FG_NO_ROW; }

uint local_index(uint slot, uint replica, uint word)
{
    return ((slot << args.numbers.replicas) + replica) * words_of_pass() + word - first_word();
}
uint own_index(uint slot, uint word)
{
    return local_index(slot, gl_LocalInvocationIndex & ((1u << args.numbers.replicas) - 1u), word);
}
uint cell_at(uint slot, uint word) { return fg_u32_at(args.numbers.cells, slot * FG_CELL_WORDS + word); }

uint cell_add(bool local, uint slot, uint word, uint value)
{
    if (local) {
        return atomicAdd(local_cells[own_index(slot, word)], value);
    }
    uint at = slot * FG_CELL_WORDS + word;
    return atomicAdd(fg_words(fg_chunk(args.numbers.cells, at)).at[at & args.numbers.cells.row_mask], value);
}
void cell_max(bool local, uint slot, uint word, uint value)
{
    /* Most are no greater than what is there by now: words only rise, so what is read may be old. */
    if (local) {
        uint place = own_index(slot, word);
        if (local_cells[place] < value) {
            atomicMax(local_cells[place], value);
        }
        return;
    }
    uint at = slot * FG_CELL_WORDS + word;
    uvec2 chunk = fg_chunk(args.numbers.cells, at);
    at &= args.numbers.cells.row_mask;
    if (fg_words(chunk).at[at] < value) {
        atomicMax(fg_words(chunk).at[at], value);
    }
}
void cell_add_sum(bool local, uint slot, uvec3 value)
{
    uint carry = 0u;
    if (value.x != 0u) {
        uint before = cell_add(local, slot, FG_CELL_SUM, value.x);
        carry = uint(before + value.x < value.x);
    }
    uint middle = value.y + carry;
    uint top = value.z + uint(middle < carry);
    if (middle != 0u) {
        uint before = cell_add(local, slot, FG_CELL_SUM + 1u, middle);
        top += uint(before + middle < middle);
    }
    if (top != 0u) {
        cell_add(local, slot, FG_CELL_SUM + 2u, top);
    }
}

void cell_add_squares(bool local, uint slot, u128 value)
{
    uint carry = 0u;
    for (int limb = 0; limb < 4; limb++) {
        uint word = value[limb] + carry;
        carry = uint(word < carry);
        if (word != 0u) {
            uint before = cell_add(local, slot, FG_CELL_SQUARES + uint(limb), word);
            carry += uint(before + word < word);
        }
    }
    if (carry != 0u) {
        cell_add(local, slot, FG_CELL_SQUARES + 4u, carry);
    }
}

/** What is the greatest of: least, greatest, start, end. High and low words. */
void extremes(u64 value, u64 start, u64 end, out uvec4 high, out uvec4 low)
{
    uvec2 v = u64_words(value);
    uvec2 s = u64_words(u64_flip_sign(start));
    uvec2 e = u64_words(u64_flip_sign(end));
    high = uvec4(~v.y, v.y, ~s.y, e.y);
    low = uvec4(~v.x, v.x, ~s.x, e.x);
}

void add_first(uint slot, uint status, u64 value, uvec4 high, bool is_zero)
{
    bool local = is_local();
    bool spans = (args.numbers.flags & FG_NUMBER_SPANS) != 0u;
    cell_add(local, slot, FG_CELL_COUNT, 1u);
    if ((status & FG_KIND_FAILED) != 0u) {
        cell_add(local, slot, FG_CELL_FAILED, 1u);
    }
    if (is_zero && spans) {
        cell_add(local, slot, FG_CELL_ZEROES, 1u);
    }
    cell_add_sum(local, slot, uvec3(u64_words(value), 0u));
    for (uint i = 0u; i < (spans ? 4u : 2u); i++) {
        cell_max(local, slot, FG_CELL_HIGH + i, high[i]);
    }
    uvec2 words = u64_words(value);
    if (words.y == 0u) {
        cell_max(local, slot, FG_LOCAL_LEAST, ~words.x);
        cell_max(local, slot, local ? FG_LOCAL_SMALL : FG_CELL_SMALL, words.x);
    }
}

/* What one word cannot tell of a slot is for the second pass. Where it can, the greatest is put to its place. */
bool wants_low(uint slot)
{
    uint greatest = cell_at(slot, FG_CELL_HIGH + 1u);
    if (cell_at(slot, FG_CELL_COUNT) == 0u) {
        return false;
    }
    if (greatest == 0u) {
        cell_max(false, slot, FG_CELL_LOW + 1u, cell_at(slot, FG_CELL_SMALL));
    }
    return greatest != 0u || cell_at(slot, FG_CELL_HIGH) != FG_NO_ROW ||
           (args.numbers.flags & FG_NUMBER_SPANS) != 0u;
}

/* Has nobody found the greatest of a slot in a row before these? */
bool wants_row(uint slot, uint first_row)
{
    return cell_at(slot, FG_CELL_COUNT) != 0u && cell_at(slot, FG_CELL_ROW) <= ~first_row;
}

/* Of all invocations alike. */
bool is_wanted(uint group, uint first_row)
{
    if (FG_PASS == 0u || FG_PASS == 3u || !is_local()) {
        return true;
    }
    if (FG_PASS == 2u && fg_words(args.numbers.candidates).at[group] == 0u) {
        return false;
    }
    if (gl_LocalInvocationIndex == 0u) {
        local_wanted = 0u;
    }
    barrier();
    for (uint slot = gl_LocalInvocationIndex; slot < args.numbers.slots; slot += FG_GROUP) {
        if (FG_PASS == 1u ? wants_low(slot) : wants_row(slot, first_row)) {
            atomicOr(local_wanted, 1u);
        }
    }
    barrier();
    return local_wanted != 0u;
}

void add_row(uint row, uint slot, uint lane, uint status, u64 start, u64 end)
{
    bool local = is_local();
    bool spans = (args.numbers.flags & FG_NUMBER_SPANS) != 0u;
    if (FG_PASS == 0u && spans) {
        uint track = fg_quad_at(args.trace.lanes, lane).x;
        cell_max(local, slot, FG_CELL_TRACK, track + 1u);
        cell_max(local, slot, FG_CELL_TRACK + 1u, ~track);
    }
    if ((status & FG_KIND_OPEN) != 0u) {
        if (FG_PASS == 0u) {
            cell_add(local, slot, FG_CELL_OPEN, 1u);
        }
        return;
    }
    if (!fg_has_value(args.numbers, row)) {
        if (FG_PASS == 0u) {
            cell_add(local, slot, FG_CELL_ZEROES, 1u);
            cell_add(local, slot, FG_CELL_FAILED, uint((status & FG_KIND_FAILED) != 0u));
        }
        return;
    }
    u64 value = fg_measured(args.trace, args.numbers, row, lane, start, end);
    uvec4 high;
    uvec4 low;
    extremes(value, start, end, high, low);
    if (FG_PASS == 0u) {
        add_first(slot, status, value, high, u64_equal(start, end));
    } else if (FG_PASS == 1u) {
        for (uint i = 0u; i < (spans ? 4u : 2u); i++) {
            if (high[i] == cell_at(slot, FG_CELL_HIGH + i)) {
                cell_max(local, slot, FG_CELL_LOW + i, low[i]);
            }
        }
    } else if (FG_PASS == 3u) {
        u64 mean = fg_u64_at(args.numbers.means, slot);
        u64 off = u64_less(mean, value) ? u64_sub(value, mean) : u64_sub(mean, value);
        cell_add_squares(local, slot, u128_product(off, off));
    } else if (high.y == cell_at(slot, FG_CELL_HIGH + 1u) && low.y == cell_at(slot, FG_CELL_LOW + 1u)) {
        cell_max(local, slot, FG_CELL_ROW, ~row);
    }
}

/** What the group's own tables of squares came to. */
void give_squares(uint slot)
{
    u128 sum = u128(0u);
    uint top = 0u;
    for (uint replica = 0u; replica < (1u << args.numbers.replicas); replica++) {
        uint at = local_index(slot, replica, FG_CELL_SQUARES);
        u128 part = u128(local_cells[at], local_cells[at + 1u], local_cells[at + 2u], local_cells[at + 3u]);
        sum = u128_add(sum, part);
        top += local_cells[at + 4u] + uint(u128_less(sum, part));
    }
    cell_add_squares(false, slot, sum);
    if (top != 0u) {
        cell_add(false, slot, FG_CELL_SQUARES + 4u, top);
    }
}

void mark_candidate(bool is_one)
{
    if (is_one) {
        atomicOr(local_wanted, 1u);
    }
}

/** What the group's own tables came to. */
void give_local()
{
    for (uint slot = gl_LocalInvocationIndex; slot < args.numbers.slots; slot += FG_GROUP) {
        if (FG_PASS == 3u) {
            give_squares(slot);
            continue;
        }
        uvec3 sum = uvec3(0u);
        uint greatest = 0u;
        for (uint word = first_word(); word < first_word() + words_of_pass(); word++) {
            bool is_sum = FG_PASS == 0u && word >= FG_CELL_SUM && word < FG_CELL_SUM + 3u;
            bool adds = FG_PASS == 0u && word < FG_CELL_HIGH;
            uint all = 0u;
            for (uint replica = 0u; replica < (1u << args.numbers.replicas); replica++) {
                uint value = local_cells[local_index(slot, replica, word)];
                if (is_sum) {
                    uint limb = word - FG_CELL_SUM;
                    uint before = sum[limb];
                    sum[limb] = before + value;
                    if (before + value < value && limb < 2u) {
                        sum[limb + 1u]++;
                        if (limb == 0u && sum.y == 0u) {
                            sum.z++;
                        }
                    }
                } else {
                    all = adds ? all + value : max(all, value);
                }
            }
            if (FG_PASS == 0u && word == FG_CELL_HIGH + 1u) {
                greatest = all;
                mark_candidate(all >= cell_at(slot, word) && all != 0u);
            }
            if (FG_PASS == 0u && word == FG_LOCAL_SMALL) {
                mark_candidate(greatest == 0u && cell_at(slot, FG_CELL_HIGH + 1u) == 0u &&
                               all >= cell_at(slot, FG_CELL_SMALL));
                cell_max(false, slot, FG_CELL_SMALL, all);
                continue;
            }
            if (all != 0u && adds) {
                cell_add(false, slot, word, all);
            } else if (all != 0u) {
                cell_max(false, slot, word, all);
            }
        }
        cell_add_sum(false, slot, sum);
    }
}

void main()
{
    uint count = args.trace.row_count;
    uint group = fg_group_index();
    uint each = FG_GROUP * FG_NUMBER_ROUNDS;
    if (group >= count / each + uint(count % each != 0u)) {
        return;
    }
    if (!is_wanted(group, group * each)) {
        return;
    }
    uint selected = 0u;
    uint keyless = 0u;
    if (gl_LocalInvocationIndex == 0u) {
        if (FG_PASS == 0u) {
            local_wanted = uint(!is_local());
        }
        local_selected = 0u;
        local_keyless = 0u;
    }
    if (is_local()) {
        uint words = (args.numbers.slots << args.numbers.replicas) * words_of_pass();
        for (uint i = gl_LocalInvocationIndex; i < words; i += FG_GROUP) {
            local_cells[i] = 0u;
        }
    }
    barrier();
    bool sees_lanes = (args.numbers.flags & FG_NUMBER_LANES) != 0u;
    for (uint i = 0u; i < FG_NUMBER_ROUNDS; i++) {
        uint row = group * each + i * FG_GROUP + gl_LocalInvocationIndex;
        if (row >= count) {
            break;
        }
        u64 start = fg_u64_at(args.trace.start, row);
        u64 end = fg_u64_at(args.trace.end, row);
        uint lane = 0u;
        uvec2 lane_key = uvec2(0u);
        if (sees_lanes) {
            lane = fg_u32_at(args.trace.lane, row);
            lane_key = fg_pair_at(args.numbers.lane_keys, lane);
        }
        if (!fg_is_chosen(args.trace, args.numbers, row, lane, start, end)) {
            continue;
        }
        uvec2 kind = fg_pair_at(args.numbers.kinds, fg_u32_at(args.trace.kind, row));
        uint key = kind.x;
        if (key != FG_NO_ROW) {
            key = fg_number_key(args.trace, args.numbers, row, kind.x, lane_key.x);
        }
        selected++;
        if (key >= args.numbers.key_count) {
            keyless++;
        } else {
            add_row(row, key * args.numbers.clocks + lane_key.y, lane, kind.y, start, end);
        }
    }
    if (FG_PASS == 0u) {
        atomicAdd(local_selected, selected);
        atomicAdd(local_keyless, keyless);
    }
    barrier();
    if (is_local()) {
        give_local();
    }
    barrier();
    if (FG_PASS == 0u && gl_LocalInvocationIndex == 0u) {
        fg_words(args.numbers.candidates).at[group] = local_wanted;
        atomicAdd(fg_words(args.numbers.totals).at[0], local_selected);
        atomicAdd(fg_words(args.numbers.totals).at[1], local_keyless);
    }
}
