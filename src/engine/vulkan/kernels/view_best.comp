/* SPDX-License-Identifier: MIT */
/* The longest span of a lane that meets each bin of a view: from the range maximum, or by a look at all. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "range_max.glsl"
#include "view.glsl"

fg_longest place_of(uint position)
{
    return fg_longest(view_duration(position), fg_u32_at(args.population.rows, position), position);
}

fg_longest longest_of(uint first, uint last)
{
    if (fg_is_there(args.population.nodes)) {
        fg_range_max tree =
            fg_range_max(args.population.durations, args.population.rows, args.population.nodes);
        return fg_range_max_query(tree, args.population.count, first, last);
    }
    fg_longest best = fg_longest_none();
    for (uint i = first; i < last; i++) {
        best = fg_longer(best, place_of(i));
    }
    return best;
}

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.words.all_slots / FG_GROUP || at >= args.words.all_slots) {
        return;
    }
    view_slot slot = view_slot_of(at);
    view_record r = view_record_at(slot.target);
    if (!view_is_bin(slot) || (r.gives & GIVES_BINS) == 0u || view_is_folded(r)) {
        return;
    }
    uint first = fg_u32_at(args.words.places, at);
    uint last = fg_u32_at(args.words.places, at + 1u);
    fg_longest best = longest_of(first, last);
    bool ends = false;
    if (first > r.first) {
        u64 bin = view_bin(slot.place);
        u64 last_bin = view_last_bin(first - 1u);
        ends = u64_equal(last_bin, bin);
        if (!u64_less_signed(last_bin, bin)) {
            best = fg_longer(best, place_of(first - 1u));
        }
    }
    view_best_put(at, view_best(best.place, ends));
}
