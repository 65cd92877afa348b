// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Which transient resources could share memory. The rule is simple and stated on the page: resources by size, the
 * largest first; each goes into the first block where no member is alive at the same time as it; a block is as large as
 * its largest member. An estimate from declared sizes and the order of the passes, nothing that was measured.
 */

import { groupsOf } from './memory.js';

/** @typedef {import('./memory.js').ResourceGroup} ResourceGroup */
/** @typedef {import('./memory.js').GraphLike} GraphLike */
/**
 * @typedef {object} SharedBlock
 * @property {ResourceGroup[]} members largest first
 * @property {bigint} bytes of the block
 * @property {bigint} savedBytes what its members would take less
 */
/**
 * @typedef {object} Aliasing
 * @property {SharedBlock[]} blocks of two members or more, by what they save
 * @property {bigint} candidateBytes sum of all that was looked at
 * @property {bigint} savedBytes by the rule
 * @property {bigint} floorBytes the most of it that is alive at one pass: no arrangement takes less
 * @property {number} candidates
 * @property {{ unknown: number, inherits: number, async: number, culled: number }} left what was left out, and why
 */

/** @param {ResourceGroup} a @param {ResourceGroup} b */
export function aliveTogether(a, b) {
    return a.first <= b.last && b.first <= a.last;
}

/** @param {ResourceGroup} a @param {ResourceGroup} b */
function bySize(a, b) {
    return a.bytes === b.bytes ? (a.first - b.first || (a.id < b.id ? -1 : 1)) : a.bytes < b.bytes ? 1 : -1;
}

/** @param {readonly ResourceGroup[]} groups @param {number} passCount @returns {Aliasing} */
export function findAliasing(groups, passCount) {
    const left = { unknown: 0, inherits: 0, async: 0, culled: 0 };
    const candidates = groups.filter((group) => {
        if (!group.transient || group.imported || group.first < 0) {
            return false;
        }
        const reason = group.culledOnly ? 'culled' : group.bytes < 0n ? 'unknown' : group.inherits ? 'inherits' : group.async ? 'async' : null;
        if (reason) {
            left[reason] += 1;
        }
        return reason === null && group.bytes > 0n;
    }).sort(bySize);
    /** @type {ResourceGroup[][]} */
    const blocks = [];
    for (const group of candidates) {
        const block = blocks.find((members) => members.every((member) => !aliveTogether(member, group)));
        if (block) {
            block.push(group);
        } else {
            blocks.push([group]);
        }
    }
    const sum = (/** @type {ResourceGroup[]} */ list) => list.reduce((all, group) => all + group.bytes, 0n);
    const shared = blocks.filter((members) => members.length > 1).map((members) => ({
        members, bytes: members[0].bytes, savedBytes: sum(members) - members[0].bytes,
    })).sort((a, b) => (a.savedBytes < b.savedBytes ? 1 : a.savedBytes > b.savedBytes ? -1 : bySize(a.members[0], b.members[0])));
    return {
        blocks: shared,
        candidateBytes: sum(candidates),
        savedBytes: shared.reduce((all, block) => all + block.savedBytes, 0n),
        floorBytes: peakOf(candidates, passCount),
        candidates: candidates.length,
        left,
    };
}

/** @param {readonly ResourceGroup[]} groups @param {number} passCount */
function peakOf(groups, passCount) {
    let peak = 0n;
    for (let pass = 0; pass < passCount; pass++) {
        const alive = groups.reduce((all, group) => (group.first <= pass && pass <= group.last ? all + group.bytes : all), 0n);
        peak = alive > peak ? alive : peak;
    }
    return peak;
}

/** The block that a resource is in, from 0; -1 for none. @param {Aliasing} aliasing @param {bigint} id */
export function blockOf(aliasing, id) {
    return aliasing.blocks.findIndex((block) => block.members.some((member) => member.id === id));
}

/** @type {WeakMap<GraphLike, Aliasing>} */
const known = new WeakMap();

/** What could share memory in a graph, computed once for each. @param {GraphLike} graph @returns {Aliasing} */
export function aliasingOf(graph) {
    let aliasing = known.get(graph);
    if (!aliasing) {
        aliasing = findAliasing(groupsOf(graph), graph.passes.length);
        known.set(graph, aliasing);
    }
    return aliasing;
}
