/* SPDX-License-Identifier: MIT */
/*
 * A view of lanes: what its kernels share. A target has a line of slots: one before the window, one
 * for each bin of the window, one behind it. Each slot says for itself what it gives: at most one
 * item of bins and one wide span, so that a scan over the slots is all the order there is. Spans of
 * a lane do not overlap: only the one before a bin's first start may reach into it.
 *
 * A folded target has lanes of its own as members: targets behind all targets, with slots behind all
 * slots, which give nothing by themselves. The longest of its bin is that of theirs.
 */
#ifndef FG_VIEW_GLSL
#define FG_VIEW_GLSL
#include "group_fold.glsl"

/* struct fgi_gpu_view_words of gpu_view.h */
layout(buffer_reference, std430, buffer_reference_align = 16) readonly buffer view_words {
    fg_column places; /* by slot of a bin: its first position; behind the last one the end */
    fg_column best;   /* by slot of a bin: view_best; FG_NO_ROW: no span meets it */
    fg_column marks;  /* by slot: items of bins, spans; then what is before it */
    fg_column bins;   /* struct fg_gpu_view_bins, three quads each */
    fg_column rows;   /* of spans */
    uvec2 targets;    /* view_asked, a quad of each target and member */
    uvec2 records;    /* view_record, three quads of each target and member */
    uvec2 answers;    /* struct fg_gpu_view_answer, two quads */
    uvec2 totals;     /* items of bins, spans */
    uvec2 start_ns;
    uvec2 end_ns;
    uvec2 first_bin;
    uvec2 wide_ns;
    uint level;
    uint bin_count;
    uint width_px;
    uint has_wide;
    uint detail;
    uint handoff;
    uint target_count;
    uint slot_count; /* of all targets */
    uint span_limit; /* rows that there is memory for */
    uint member_count;
    uint all_slots; /* with those of members */
    uint reserved;
};

/* struct view_push of gpu_view.c */
layout(push_constant, std430) uniform fg_args {
    fg_trace_table trace;
    fg_population_table population;
    view_words words;
    uvec2 tracks; /* fg_fold_table; not read where no target is such a group */
    uvec2 processes;
} args;

/* enum fg_view_mode, enum fg_view_detail, enum fg_view_handoff */
const uint VIEW_EXACT = 0u;
const uint VIEW_REPRESENTATIVE = 1u;
const uint VIEW_DENSITY = 2u;
const uint VIEW_NONE = 255u;
const uint DETAIL_EXACT = 1u;
const uint DETAIL_REPRESENTATIVE = 2u;
const uint DETAIL_DENSITY = 3u;
const uint HANDOFF_SMOOTH = 1u;

/* What a target gives. */
const uint GIVES_BINS = 1u;
const uint GIVES_SPANS = 2u; /* all that meet the window */
const uint GIVES_WIDE = 4u;

/** What the host says of a target, and of a member. */
struct view_asked {
    uint index; /* lane or group */
    uint mode;  /* the previous one */
    uint kind;
    uint first_member; /* of a member: the target that it belongs to */
    uint members;
};
view_asked view_asked_at(uint target)
{
    uvec4 a = fg_quads(args.words.targets).at[target];
    return view_asked(a.x, a.y & 0xffu, a.y >> 8, a.z, a.w);
}

/** What was found out of a target before its slots are looked at. Positions are those of its lane in
 *  the population, or of its group in the fold. */
struct view_record {
    uint first; /* position of its first span */
    uint end;
    uint at;         /* first that starts in the window */
    uint to;         /* first that starts behind it */
    uint first_span; /* of those that meet the window; of a member the position of its own before it */
    uint gives;
    uint modes;  /* mode, bins' mode, blend: a byte each */
    uint starts; /* in the bins of the window */
    uint kind;
    uint first_member; /* as a target */
    uint members;
    uint reach; /* members' spans that start before the window and meet it */
};
const uint VIEW_RECORD_QUADS = 3u;
view_record view_record_at(uint target)
{
    uvec4 a = fg_quads(args.words.records).at[target * VIEW_RECORD_QUADS];
    uvec4 b = fg_quads(args.words.records).at[target * VIEW_RECORD_QUADS + 1u];
    uvec4 c = fg_quads(args.words.records).at[target * VIEW_RECORD_QUADS + 2u];
    return view_record(a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w, c.x, c.y, c.z, c.w);
}
void view_record_put(uint target, view_record r)
{
    fg_quads(args.words.records).at[target * VIEW_RECORD_QUADS] = uvec4(r.first, r.end, r.at, r.to);
    fg_quads(args.words.records).at[target * VIEW_RECORD_QUADS + 1u] =
        uvec4(r.first_span, r.gives, r.modes, r.starts);
    fg_quads(args.words.records).at[target * VIEW_RECORD_QUADS + 2u] =
        uvec4(r.kind, r.first_member, r.members, r.reach);
}
bool view_is_folded(view_record r) { return r.kind != FG_KIND_LANE; }
/** Address of a fg_fold_table: references are not chosen between on all drivers. */
uvec2 view_fold_of(uint kind) { return kind == FG_KIND_TRACK ? args.tracks : args.processes; }
/** Spans that meet the window. */
uint view_spans_of(view_record r) { return view_is_folded(r) ? r.reach + (r.to - r.at) : r.to - r.first_span; }

/** A slot, by its number. */
struct view_slot {
    uint target;
    uint place; /* 0 is before the window, bin_count + 1 behind it */
};
uint view_slots_of_target() { return args.words.bin_count + 2u; }
view_slot view_slot_of(uint slot)
{
    uint each = view_slots_of_target();
    return view_slot(slot / each, slot % each);
}
bool view_is_bin(view_slot slot) { return slot.place > 0u && slot.place <= args.words.bin_count; }
/** Number of the bin of a slot. */
u64 view_bin(uint place)
{
    return u64_add(u64_of(args.words.first_bin), u64_sub(u64_from(place), u64_from(1u)));
}
u64 view_first_ns(u64 bin) { return u64_shift_left(bin, args.words.level); }
u64 view_width() { return u64_shift_left(u64_from(1u), args.words.level); }
u64 view_last_ns(u64 bin)
{
    return u64_add(view_first_ns(bin), u64_sub(view_width(), u64_from(1u)));
}

u64 view_start(uint position) { return fg_u64_at(args.population.start, position); }
u64 view_end(uint position) { return fg_u64_at(args.population.end, position); }
u64 view_duration(uint position) { return u64_sub(view_end(position), view_start(position)); }
bool view_meets(uint position)
{
    return fg_meets(view_start(position), view_end(position), u64_of(args.words.start_ns),
                    u64_of(args.words.end_ns));
}
/** First and last bin that a span meets. */
u64 view_first_bin(uint position)
{
    return u64_shift_right_signed(view_start(position), args.words.level);
}
u64 view_last_bin(uint position)
{
    u64 start = view_start(position);
    u64 end = view_end(position);
    u64 last = u64_less_signed(start, end) ? u64_sub(end, u64_from(1u)) : start;
    return u64_shift_right_signed(last, args.words.level);
}
/** First position in [first, last) of a target that does not start before a time. */
uint view_lower(view_record r, uint first, uint last, u64 time)
{
    if (!view_is_folded(r)) {
        return fg_population_lower(args.population, first, last, time);
    }
    return fg_lower(fg_fold_table(view_fold_of(r.kind)).start, first, last, time);
}
/** First position of a target that starts in a bin or behind it; behind the bin: after its end. */
uint view_place(view_record r, u64 bin) { return view_lower(r, r.first, r.end, view_first_ns(bin)); }
uint view_place_behind(view_record r, u64 bin)
{
    u64 last = view_last_ns(bin);
    if (u64_equal(last, u64_make(0xffffffffu, 0x7fffffffu))) {
        return r.end;
    }
    return view_lower(r, r.first, r.end, u64_add(last, u64_from(1u)));
}

/** The longest span that meets a slot's bin. A bin in which one starts or ends is told from those
 *  between, in which nothing changes. */
struct view_best {
    uint position; /* in the population; FG_NO_ROW: none */
    bool ends;     /* one that started in an earlier bin ends in it */
};
const uint VIEW_ENDS = 0x80000000u;
view_best view_best_at(uint slot)
{
    uint word = fg_u32_at(args.words.best, slot);
    bool is_there = word != FG_NO_ROW;
    return view_best(is_there ? word & ~VIEW_ENDS : FG_NO_ROW, is_there && (word & VIEW_ENDS) != 0u);
}
void view_best_put(uint slot, view_best best)
{
    uint word = best.position | (best.ends ? VIEW_ENDS : 0u);
    fg_u32_put(args.words.best, slot, best.position == FG_NO_ROW ? FG_NO_ROW : word);
}
bool view_is_stored(uint slot)
{
    return view_best_at(slot).ends ||
           fg_u32_at(args.words.places, slot + 1u) > fg_u32_at(args.words.places, slot);
}
/** Wide enough to be given beside bins, and in the window. */
bool view_is_wide(uint position)
{
    return args.words.has_wide != 0u && !u64_less(view_duration(position), u64_of(args.words.wide_ns)) &&
           view_meets(position);
}

#endif
