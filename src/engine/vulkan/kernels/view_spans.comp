/* SPDX-License-Identifier: MIT */
/* Rows of the targets of a view that are shown exactly: each place of the answer finds its target. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

void main()
{
    uint place = fg_invocation_index();
    uint count = min(fg_pairs(args.words.totals).at[0].y, args.words.span_limit);
    if (fg_group_index() > count / FG_GROUP || place >= count) {
        return;
    }
    uint each = view_slots_of_target();
    uint target = 0u;
    uint end = args.words.target_count; /* the last target that does not begin behind the place */
    while (target + 1u < end) {
        uint middle = target + (end - target) / 2u;
        if (fg_pair_at(args.words.marks, middle * each).y <= place) {
            target = middle;
        } else {
            end = middle;
        }
    }
    view_record r = view_record_at(target);
    uint offset = place - fg_pair_at(args.words.marks, target * each).y;
    if ((r.gives & GIVES_SPANS) == 0u || offset >= view_spans_of(r)) {
        return;
    }
    if (!view_is_folded(r)) {
        fg_u32_put(args.words.rows, place, fg_u32_at(args.population.rows, r.first_span + offset));
    } else if (offset >= r.reach) { /* view_reach puts those before */
        uint row = fg_u32_at(fg_fold_table(view_fold_of(r.kind)).rows, r.at + (offset - r.reach));
        fg_u32_put(args.words.rows, place, row);
    }
}
