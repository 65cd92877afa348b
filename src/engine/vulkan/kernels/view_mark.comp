/* SPDX-License-Identifier: MIT */
/* What each slot of a view gives: how many items of bins, how many spans. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

/** A bin in which a span starts or ends is an item; of those between, in which nothing changes, only
 *  the first of the window. */
bool is_item(view_slot slot, uint at)
{
    return view_best_at(at).position != FG_NO_ROW &&
           (slot.place == 1u || view_is_stored(at) || view_is_stored(at - 1u));
}

/** A wide span is given by the first bin of which it is the longest. Of a folded line's these come as
 *  their spans start: one that is longer and starts later ends later. */
bool is_wide_of_bin(view_slot slot, uint at)
{
    uint best = view_best_at(at).position;
    if (best == FG_NO_ROW || !view_is_wide(best)) {
        return false;
    }
    return slot.place == 1u || view_best_at(at - 1u).position != best;
}

/** Or at the window's ends, where it only reaches into the first or the last bin: a wide span covers
 *  the bin behind the one in which it starts, and the one before that in which it ends. */
bool is_wide_before(view_record r, uint at)
{
    if (r.at == r.first || !view_is_wide(r.at - 1u) || view_best_at(at + 1u).position == r.at - 1u) {
        return false;
    }
    return args.words.bin_count < 2u || view_best_at(at + 2u).position != r.at - 1u;
}
bool is_wide_behind(view_record r, uint at)
{
    return r.to > r.at && view_is_wide(r.to - 1u) && view_best_at(at - 1u).position != r.to - 1u &&
           u64_equal(view_first_bin(r.to - 1u), view_bin(args.words.bin_count));
}

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.words.slot_count / FG_GROUP || at >= args.words.slot_count) {
        return;
    }
    view_slot slot = view_slot_of(at);
    view_record r = view_record_at(slot.target);
    uint items = 0u;
    uint spans = 0u;
    bool has_bins = (r.gives & GIVES_BINS) != 0u;
    bool has_wide = (r.gives & GIVES_WIDE) != 0u;
    if (view_is_bin(slot) && has_bins) {
        items = uint(is_item(slot, at));
        spans = uint(has_wide && is_wide_of_bin(slot, at));
    } else if (slot.place == 0u && (r.gives & GIVES_SPANS) != 0u) {
        /* More than there is memory for are only known to be more. */
        spans = min(view_spans_of(r), args.words.span_limit + 1u);
    } else if (slot.place == 0u && has_wide && !view_is_folded(r)) {
        spans = uint(is_wide_before(r, at));
    } else if (slot.place > args.words.bin_count && has_wide && !view_is_folded(r)) {
        spans = uint(is_wide_behind(r, at));
    }
    fg_u64_put(args.words.marks, at, u64_make(items, spans));
}
