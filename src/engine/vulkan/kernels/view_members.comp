/* SPDX-License-Identifier: MIT */
/* Lanes of folded targets: where their spans are, and which of those meets the window from before. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

void main()
{
    uint member = fg_invocation_index();
    if (fg_group_index() > args.words.member_count / FG_GROUP || member >= args.words.member_count) {
        return;
    }
    member += args.words.target_count;
    view_asked asked = view_asked_at(member);
    view_record owner = view_record_at(asked.first_member);
    view_record r = view_record(0u, 0u, 0u, 0u, FG_NO_ROW, owner.gives & GIVES_BINS, 0u, 0u, FG_KIND_LANE,
                                asked.first_member, 0u, 0u);
    r.first = fg_u32_at(args.population.lane_first, asked.index);
    r.end = fg_u32_at(args.population.lane_first, asked.index + 1u);
    if ((owner.gives & GIVES_SPANS) != 0u) {
        r.at = view_lower(r, r.first, r.end, u64_of(args.words.start_ns));
        if (r.at > r.first && view_meets(r.at - 1u)) {
            r.first_span = fg_fold_place(args.trace, fg_fold_table(view_fold_of(owner.kind)), owner.first, owner.at,
                                         fg_u32_at(args.population.rows, r.at - 1u));
            atomicAdd(fg_words(args.words.records).at[(asked.first_member * VIEW_RECORD_QUADS + 2u) * 4u + 3u], 1u);
        }
    }
    view_record_put(member, r);
}
