/* SPDX-License-Identifier: MIT */
/* Items of bins, wide spans and answers of a view, each where the scan of its slots says. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

/** What is before a slot; behind the last one all there is. */
uvec2 before(uint slot)
{
    return slot < args.words.slot_count ? fg_pair_at(args.words.marks, slot)
                                        : fg_pairs(args.words.totals).at[0];
}

/** How much of a bin lies before a time. */
u64 offset_in(u64 bin, u64 time)
{
    u64 of = u64_shift_right_signed(time, args.words.level);
    if (!u64_equal(of, bin)) {
        return u64_less_signed(of, bin) ? u64_zero() : view_width();
    }
    return u64_sub(time, view_first_ns(bin));
}

/** Sum of what starts in a bin, less what of the last one lies behind it, and of the one before. */
u64 covered_of_lane(view_record r, u64 bin, uint first, uint last)
{
    u64 sum = u64_zero();
    if (last > first) {
        u64 end = view_end(last - 1u);
        sum = u64_sub(fg_u64_at(args.population.prefix, last), fg_u64_at(args.population.prefix, first));
        if (u64_less_signed(view_last_ns(bin), end)) {
            sum = u64_sub(sum, u64_sub(end, u64_add(view_last_ns(bin), u64_from(1u))));
        }
    }
    if (first > r.first) {
        sum = u64_add(sum, offset_in(bin, view_end(first - 1u)));
    }
    return sum;
}

/** Time that the spans of a folded line cover before the end of the bin, less that before its begin. */
u64 covered_of_fold(view_record r, u64 bin, uint first, uint last)
{
    fg_fold_table fold = fg_fold_table(view_fold_of(r.kind));
    u64 before = fg_fold_covered(fold, r.first, first, view_first_ns(bin));
    u64 with = fg_fold_covered(fold, r.first, last, u64_add(view_last_ns(bin), u64_from(1u)));
    if (u64_equal(view_last_ns(bin), u64_make(0xffffffffu, 0x7fffffffu))) {
        with = fg_u64_at(fold.sums, last); /* no time is behind it */
    }
    return u64_sub(with, before);
}

/** So many bins in a row, all covered by the span before them. */
uint run_of_lane(u64 bin, uint place, uint position)
{
    u64 left = u64_sub(view_last_bin(position), bin);
    uint in_window = args.words.bin_count + 1u - place;
    return u64_high(left) != 0u ? in_window : min(u64_low(left), in_window);
}
/** So many slots until the next item of a folded line, or behind its last bin: whatever covers a bin in
 *  which nothing changes reaches that far. */
uint run_of_fold(view_slot slot, uint at, uint item)
{
    uint low = at + 1u;
    uint high = at + (args.words.bin_count + 1u - slot.place);
    while (low < high) {
        uint middle = low + (high - low) / 2u;
        if (before(middle + 1u).x > item + 1u) {
            high = middle;
        } else {
            low = middle + 1u;
        }
    }
    return low - at;
}

void put_item(view_record r, view_slot slot, uint at, uint item)
{
    u64 bin = view_bin(slot.place);
    uint first = fg_u32_at(args.words.places, at);
    uint last = fg_u32_at(args.words.places, at + 1u);
    uint best = view_best_at(at).position;
    uint row = fg_u32_at(args.population.rows, best);
    uvec4 kind = fg_quad_at(args.trace.kinds, fg_u32_at(args.trace.kind, row));
    uint count = 1u;
    u64 covered = u64_zero();
    if (view_is_folded(r)) {
        covered = covered_of_fold(r, bin, first, last);
        count = view_is_stored(at) ? 1u : run_of_fold(slot, at, item);
    } else {
        covered = covered_of_lane(r, bin, first, last);
        count = view_is_stored(at) ? 1u : run_of_lane(bin, slot.place, first - 1u);
    }
    fg_quad_put(args.words.bins, item * 3u, uvec4(u64_words(bin), u64_words(covered)));
    fg_quad_put(args.words.bins, item * 3u + 1u, uvec4(u64_words(view_duration(best)), count, last - first));
    fg_quad_put(args.words.bins, item * 3u + 2u, uvec4(row, kind.x, kind.y, kind.z));
}

uint wide_of(view_record r, view_slot slot, uint at)
{
    if (slot.place == 0u) {
        return r.at - 1u;
    }
    return view_is_bin(slot) ? view_best_at(at).position : r.to - 1u;
}

void put_answer(view_record r, uint target, uvec2 first, uvec2 end)
{
    uint spans = (r.gives & GIVES_SPANS) != 0u ? view_spans_of(r) : end.y - first.y;
    fg_quads(args.words.answers).at[target * 2u] = uvec4(r.modes, first.y, spans, first.x);
    fg_quads(args.words.answers).at[target * 2u + 1u] = uvec4(end.x - first.x, r.starts, 0u, 0u);
}

void main()
{
    uint at = fg_invocation_index();
    if (fg_group_index() > args.words.slot_count / FG_GROUP || at >= args.words.slot_count) {
        return;
    }
    view_slot slot = view_slot_of(at);
    view_record r = view_record_at(slot.target);
    uvec2 own = before(at);
    uvec2 next = before(at + 1u);
    if (next.x > own.x) {
        put_item(r, slot, at, own.x);
    }
    if (next.y > own.y && (r.gives & GIVES_WIDE) != 0u && own.y < args.words.span_limit) {
        fg_u32_put(args.words.rows, own.y, fg_u32_at(args.population.rows, wide_of(r, slot, at)));
    }
    if (slot.place == 0u) {
        put_answer(r, slot.target, own, before(at + view_slots_of_target()));
    }
}
