/* SPDX-License-Identifier: MIT */
/* Where each bin of a view begins among the spans of its line, and where the last one ends. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.words.all_slots / FG_GROUP || at >= args.words.all_slots) {
        return;
    }
    view_slot slot = view_slot_of(at);
    view_record r = view_record_at(slot.target);
    if (slot.place == 0u || (r.gives & GIVES_BINS) == 0u) {
        return;
    }
    uint place;
    if (slot.place <= args.words.bin_count) {
        place = view_place(r, view_bin(slot.place));
    } else {
        place = view_place_behind(r, view_bin(args.words.bin_count));
    }
    fg_u32_put(args.words.places, at, place);
}
