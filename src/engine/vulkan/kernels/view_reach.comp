/* SPDX-License-Identifier: MIT */
/* Rows of folded targets that are shown exactly and start before the window: each lane has one at most,
 *  and finds its place by how many of the others come before it. */
#version 460
#extension GL_GOOGLE_include_directive : require
#include "view.glsl"

void main()
{
    uint member = fg_invocation_index();
    if (fg_group_index() > args.words.member_count / FG_GROUP || member >= args.words.member_count) {
        return;
    }
    view_record r = view_record_at(args.words.target_count + member);
    if (r.first_span == FG_NO_ROW) {
        return;
    }
    view_record owner = view_record_at(r.first_member);
    uint place = fg_pair_at(args.words.marks, r.first_member * view_slots_of_target()).y;
    for (uint i = 0u; i < owner.members; i++) {
        uint other = fg_quads(args.words.records).at[(owner.first_member + i) * VIEW_RECORD_QUADS + 1u].x;
        place += uint(other < r.first_span);
    }
    if (place < args.words.span_limit) {
        fg_u32_put(args.words.rows, place, fg_u32_at(fg_fold_table(view_fold_of(owner.kind)).rows, r.first_span));
    }
}
