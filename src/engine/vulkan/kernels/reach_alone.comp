/* SPDX-License-Identifier: MIT */
/*
 * Hops as long as they are small, by one group: a long chain takes one dispatch for many hops. The
 * first one that is not small is left to reach_degrees.comp and what follows it.
 */
#version 460
#extension GL_GOOGLE_include_directive : require
#define FG_SCAN_U32
#include "scan_values.glsl"
#define FG_STRIPS 1
#include "scan_group.glsl"
#include "reach.glsl"

shared uint here[REACH_ALONE];
shared uint there[REACH_ALONE];
shared uint before[REACH_ALONE];

/** Dependencies before each row's; all of them. */
uint count_edges(uint count)
{
    uint edges = 0u;
    for (uint base = 0u; base < count; base += FG_GROUP) {
        uint i = base + fg_lane();
        uint degree[FG_STRIPS];
        degree[0] = i < count ? reach_degree(here[i]) : 0u;
        uint total = fg_group_scan(degree);
        if (i < count) {
            before[i] = edges + degree[0];
        }
        edges += total;
        barrier();
    }
    return edges;
}

reach_edge edge_of(uint edge, uint count)
{
    uint low = 0u;
    uint high = count - 1u;
    while (low < high) {
        uint middle = high - (high - low) / 2u;
        if (before[middle] <= edge) {
            low = middle;
        } else {
            high = middle - 1u;
        }
    }
    return reach_edge_at(here[low], edge - before[low]);
}

/** Expand `count` rows; how many were found. */
uint expand(uint count, uint edges, uint base, uint found, bool is_behind)
{
    for (uint edge = fg_lane(); edge < edges; edge += FG_GROUP) {
        reach_claim(edge_of(edge, count), base + edge, is_behind);
    }
    memoryBarrierBuffer();
    barrier();
    uint won = 0u;
    for (uint first = 0u; first < edges && !is_behind; first += FG_GROUP) {
        uint edge = first + fg_lane();
        reach_edge leads = reach_edge(FG_NO_ROW, FG_NO_ROW);
        uint is_first[FG_STRIPS];
        is_first[0] = 0u;
        if (edge < edges) {
            leads = edge_of(edge, count);
            is_first[0] = uint(leads.row < args.trace.row_count &&
                               reach_lower(leads.row, FG_NO_ROW) == base + edge);
        }
        bool is_taken = is_first[0] != 0u;
        uint total = fg_group_scan(is_first);
        if (is_taken) {
            uint place = won + is_first[0];
            reach_take(leads, place, found);
            if (place < REACH_ALONE) {
                there[place] = leads.row;
            }
        }
        won += total;
        barrier();
    }
    return won;
}

void main()
{
    if (fg_group_index() != 0u) {
        return;
    }
    uint first = args.state.first;
    uint count = args.state.count;
    uint hop = args.state.hop;
    uint base = args.state.edge_base;
    uint overflow = args.state.overflow;
    uint behind = args.state.behind;
    bool is_done = args.state.is_done != 0u;
    uint pending = 0u;
    uint records = 0u;
    uint small = min(args.words.alone_rows, REACH_ALONE);
    bool has_slice = (args.words.flags & REACH_SLICE) != 0u;
    for (uint i = fg_lane(); i < min(count, small); i += FG_GROUP) {
        here[i] = fg_u32_at(args.words.rows, first + i);
    }
    barrier();
    while (!is_done && pending == 0u && records < args.words.record_room) {
        bool is_behind = hop == args.words.max_hops;
        uint rows = min(count, args.words.capacity);
        if (rows == 0u || (is_behind && !has_slice)) {
            is_done = true;
            break;
        }
        uint edges = 0u;
        if (rows <= small) {
            edges = count_edges(rows);
        }
        if (rows > small || edges > args.words.alone_edges) {
            pending = rows;
            break;
        }
        uint won = expand(rows, edges, base, first + count, is_behind);
        uint taken = reach_room(first + count, won);
        if (fg_lane() == 0u) {
            reach_record(records, rows, taken, edges);
        }
        records++;
        overflow += won - taken;
        behind += count - rows;
        first += count;
        count = taken;
        base += edges;
        hop++;
        is_done = taken == 0u;
        for (uint i = fg_lane(); i < min(count, REACH_ALONE); i += FG_GROUP) {
            here[i] = there[i];
        }
        barrier();
    }
    if (fg_lane() == 0u) {
        args.state.first = first;
        args.state.count = count;
        args.state.hop = hop;
        args.state.edge_base = base;
        args.state.overflow = overflow;
        args.state.behind = behind;
        args.state.is_done = uint(is_done);
        args.state.expand = pending;
        args.state.record_count = records;
    }
}
