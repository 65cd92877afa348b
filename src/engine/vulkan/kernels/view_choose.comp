/* SPDX-License-Identifier: MIT */
/* How each target of a view is shown, by the spans that start in its window: one invocation each. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

/** What is on screen stays a little longer than it would newly appear. */
uint bins_mode(uint spans, uint previous)
{
    if (args.words.detail == DETAIL_REPRESENTATIVE || args.words.detail == DETAIL_DENSITY) {
        return args.words.detail == DETAIL_DENSITY ? VIEW_DENSITY : VIEW_REPRESENTATIVE;
    }
    uint most_a_px = 4u;
    if (previous == VIEW_REPRESENTATIVE) {
        most_a_px = 5u;
    } else if (previous == VIEW_DENSITY) {
        most_a_px = 3u;
    }
    return spans <= args.words.width_px * most_a_px ? VIEW_REPRESENTATIVE : VIEW_DENSITY;
}

/** From 5 pixels per span (0) to 3 (255): floor(255 * n * n * (3 * d - 2 * n) / (d * d * d)). */
uint smooth_blend(uint spans, uint width_px)
{
    if (spans <= width_px / 5u) {
        return 0u;
    }
    if (spans >= (width_px + 2u) / 3u) {
        return 255u;
    }
    uint n = spans * 5u - width_px;
    uint d = spans * 2u;
    u64 whole = u64_multiply(u64_product(d, d), u64_from(d));
    u64 part = u64_multiply(u64_multiply(u64_product(n, n), u64_from(255u)), u64_from(3u * d - 2u * n));
    uint blend = 0u;
    for (uint bit = 128u; bit > 0u; bit >>= 1u) {
        if (!u64_less(part, u64_multiply(whole, u64_from(blend | bit)))) {
            blend |= bit;
        }
    }
    return blend;
}

uint blend_of(uint spans, uint previous)
{
    if (args.words.detail == DETAIL_EXACT) {
        return 0u;
    }
    if (args.words.handoff == HANDOFF_SMOOTH) {
        return smooth_blend(spans, args.words.width_px);
    }
    uint exact_px = 4u;
    if (previous == VIEW_EXACT) {
        exact_px = 3u;
    } else if (previous == VIEW_REPRESENTATIVE || previous == VIEW_DENSITY) {
        exact_px = 5u;
    }
    return spans <= args.words.width_px / exact_px ? 0u : 255u;
}

void main()
{
    uint target = fg_invocation_index();
    if (fg_group_index() > args.words.target_count / FG_GROUP || target >= args.words.target_count) {
        return;
    }
    view_asked asked = view_asked_at(target);
    view_record r = view_record(0u, 0u, 0u, 0u, 0u, 0u, 0u, 0u, asked.kind,
                                asked.first_member, asked.members, 0u);
    if (view_is_folded(r)) {
        fg_fold_table fold = fg_fold_table(view_fold_of(asked.kind));
        r.first = fg_u32_at(fold.first, asked.index);
        r.end = fg_u32_at(fold.first, asked.index + 1u);
    } else if (asked.index < args.trace.lane_count) {
        r.first = fg_u32_at(args.population.lane_first, asked.index);
        r.end = fg_u32_at(args.population.lane_first, asked.index + 1u);
    }
    u64 first_bin = u64_of(args.words.first_bin);
    r.starts = view_place_behind(r, view_bin(args.words.bin_count)) - view_place(r, first_bin);
    r.at = view_lower(r, r.first, r.end, u64_of(args.words.start_ns));
    r.to = view_lower(r, r.at, r.end, u64_of(args.words.end_ns));
    r.first_span = r.at;
    /* Of a lane's that start before the window only the last may meet it. */
    if (!view_is_folded(r) && r.at > r.first && view_meets(r.at - 1u)) {
        r.first_span = r.at - 1u;
    }
    uint blend = blend_of(r.starts, asked.mode);
    uint bins = blend > 0u ? bins_mode(r.starts, asked.mode) : VIEW_NONE;
    uint mode = blend <= 127u ? VIEW_EXACT : bins;
    r.modes = mode | bins << 8 | blend << 16;
    if (r.first < r.end) {
        r.gives = (blend > 0u ? GIVES_BINS : 0u) | (blend < 255u ? GIVES_SPANS : GIVES_WIDE);
    }
    view_record_put(target, r);
}
