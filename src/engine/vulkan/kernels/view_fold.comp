/* SPDX-License-Identifier: MIT */
/* The longest span of a folded target that meets each bin: of those of its lanes. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "range_max.glsl"
#include "view.glsl"

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.words.slot_count / FG_GROUP || at >= args.words.slot_count) {
        return;
    }
    view_slot slot = view_slot_of(at);
    view_record r = view_record_at(slot.target);
    if (!view_is_bin(slot) || (r.gives & GIVES_BINS) == 0u || !view_is_folded(r)) {
        return;
    }
    uint each = view_slots_of_target();
    fg_longest longest = fg_longest_none();
    bool ends = false;
    for (uint i = 0u; i < r.members; i++) {
        view_best best = view_best_at((r.first_member + i) * each + slot.place);
        if (best.position != FG_NO_ROW) {
            uint row = fg_u32_at(args.population.rows, best.position);
            longest = fg_longer(longest, fg_longest(view_duration(best.position), row, best.position));
            ends = ends || best.ends;
        }
    }
    view_best_put(at, view_best(longest.place, ends));
}
