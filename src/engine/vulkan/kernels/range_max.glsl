/* SPDX-License-Identifier: MIT */
/*
 * The longest of a range of places: the greatest duration, of equal ones that of the lowest row. A tree
 * over the places, of FG_TREE_ARITY children each; a node has the best place under it:
 * duration (two words), row, place. Levels lie behind one another, the one above the places first.
 */
#ifndef FG_RANGE_MAX_GLSL
#define FG_RANGE_MAX_GLSL
#include "prelude.glsl"

const uint FG_TREE_BITS = 3u; /* as in primitives.h */
const uint FG_TREE_ARITY = 1u << FG_TREE_BITS;

/* struct fgi_range_max_push of primitives.h */
struct fg_range_max {
    fg_column durations;
    fg_column rows; /* none = the places themselves */
    fg_column nodes;
};

struct fg_longest {
    u64 duration;
    uint row; /* FG_NO_ROW = there is none */
    uint place;
};
fg_longest fg_longest_none() { return fg_longest(u64_zero(), FG_NO_ROW, FG_NO_ROW); }
fg_longest fg_longer(fg_longest a, fg_longest b)
{
    bool better = u64_less(a.duration, b.duration) ||
                  (u64_equal(a.duration, b.duration) && b.row < a.row);
    if (better) {
        return b;
    }
    return a;
}
fg_longest fg_longest_place(fg_range_max tree, uint place)
{
    uint row = fg_is_there(tree.rows) ? fg_u32_at(tree.rows, place) : place;
    return fg_longest(fg_u64_at(tree.durations, place), row, place);
}
fg_longest fg_longest_node(fg_range_max tree, uint node)
{
    uvec4 words = fg_quad_at(tree.nodes, node);
    return fg_longest(u64_of(words.xy), words.z, words.w);
}

/** The longest of the places [first, last) of a tree over `count` places. */
fg_longest fg_range_max_query(fg_range_max tree, uint count, uint first, uint last)
{
    fg_longest best = fg_longest_none();
    last = min(last, count);
    uint nodes = 0u; /* where this level begins */
    uint width = count;
    bool places = true;
    while (first < last) {
        /* What sticks out of whole parents on either side; all of it where no parent is whole. */
        uint whole_first = (first >> FG_TREE_BITS) + uint((first & (FG_TREE_ARITY - 1u)) != 0u);
        uint whole_last = last >> FG_TREE_BITS;
        bool ends = whole_first >= whole_last;
        uint left = ends ? last : whole_first << FG_TREE_BITS;
        uint right = ends ? last : whole_last << FG_TREE_BITS;
        for (uint i = first; i < left; i++) {
            fg_longest one = fg_longest_none();
            if (places) {
                one = fg_longest_place(tree, i);
            } else {
                one = fg_longest_node(tree, nodes + i);
            }
            best = fg_longer(best, one);
        }
        for (uint i = right; i < last; i++) {
            fg_longest one = fg_longest_none();
            if (places) {
                one = fg_longest_place(tree, i);
            } else {
                one = fg_longest_node(tree, nodes + i);
            }
            best = fg_longer(best, one);
        }
        if (ends) {
            break;
        }
        nodes += places ? 0u : width;
        width = (width >> FG_TREE_BITS) + uint((width & (FG_TREE_ARITY - 1u)) != 0u);
        places = false;
        first = whole_first;
        last = whole_last;
    }
    return best;
}

#endif
