/* SPDX-License-Identifier: MIT */
/* What each slot of a view gives: how many items of bins, how many spans. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

/** A bin in which a span starts or ends is an item; of those between, which one span covers, only
 *  the first of the window. */
bool is_item(view_record r, view_slot slot, uint at, uint best)
{
    uint first = fg_u32_at(args.words.places, at);
    if (best == FG_NO_ROW || fg_u32_at(args.words.places, at + 1u) > first) {
        return best != FG_NO_ROW;
    }
    u64 bin = view_bin(slot.place);
    return slot.place == 1u || u64_equal(view_last_bin(first - 1u), bin) ||
           u64_equal(view_first_bin(first - 1u), u64_sub(bin, u64_from(1u)));
}

/** A wide span is given by the first bin of which it is the longest. */
bool is_wide_of_bin(view_slot slot, uint at, uint best)
{
    if (best == FG_NO_ROW || !view_is_wide(best)) {
        return false;
    }
    return slot.place == 1u || fg_u32_at(args.words.best, at - 1u) != best;
}

/** Or at the window's ends, where it only reaches into the first or the last bin: a wide span covers
 *  the bin behind the one in which it starts, and the one before that in which it ends. */
bool is_wide_before(view_record r, uint at)
{
    if (r.at == r.first || !view_is_wide(r.at - 1u) || fg_u32_at(args.words.best, at + 1u) == r.at - 1u) {
        return false;
    }
    return args.words.bin_count < 2u || fg_u32_at(args.words.best, at + 2u) != r.at - 1u;
}
bool is_wide_behind(view_record r, uint at)
{
    return r.to > r.at && view_is_wide(r.to - 1u) && fg_u32_at(args.words.best, at - 1u) != r.to - 1u &&
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
        uint best = fg_u32_at(args.words.best, at);
        items = uint(is_item(r, slot, at, best));
        spans = uint(has_wide && is_wide_of_bin(slot, at, best));
    } else if (slot.place == 0u && (r.gives & GIVES_SPANS) != 0u) {
        /* More than there is memory for are only known to be more. */
        spans = min(r.to - r.first_span, args.words.span_limit + 1u);
    } else if (slot.place == 0u && has_wide) {
        spans = uint(is_wide_before(r, at));
    } else if (slot.place > args.words.bin_count && has_wide) {
        spans = uint(is_wide_behind(r, at));
    }
    fg_u64_put(args.words.marks, at, u64_make(items, spans));
}
