// SPDX-License-Identifier: MIT
// @ts-check
/* What led to a span, or followed from it. docs/PROTOCOL.md, SLICE. */

import { KIND } from './client.js';
import { runTask } from './tasks.js';
import { u32Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('../model/slice.js').SliceAnswer} SliceAnswer */
/** @typedef {import('../model/slice.js').SlicePlace} SlicePlace */

const NONE = 0xffffffff;
const WAYS = { back: 0, on: 1, both: 2 };

/**
 * @param {Client} client @param {number} trace @param {{ slice: SlicePlace, filter: number, families: number }} question @param {Order} order
 * @returns {Promise<SliceAnswer>}
 */
export async function askSlice(client, trace, { slice, filter, families }, order) {
    const reply = await runTask(client, trace, KIND.SLICE, [
        u32Section(0x2001, [slice.row]),
        u32Section(0x2002, [WAYS[slice.way]]),
        u32Section(0x2004, [filter]),
        u32Section(0x2005, [families]),
        u32Section(0x2006, [slice.hops ?? 0]),
    ], order);
    const [names, tracks, via] = [0x2044, 0x2045, 0x2049].map((tag) => reply.u32(tag));
    const [claimed, family, derived] = [0x2043, 0x204a, 0x204c].map((tag) => reply.u8(tag));
    const [starts, ends, gaps] = [0x2046, 0x2047, 0x204b].map((tag) => reply.i64(tag));
    const hops = reply.i32(0x2041);
    const [left, , hidden, more] = reply.u32(0x2048);
    return {
        items: Array.from(reply.u32(0x2040), (row, i) => ({
            row,
            hops: hops[i],
            via: via[i] === NONE ? null : via[i],
            family: family[i],
            derived: derived[i] === 1,
            gapNs: claimed[i] === 1 ? gaps[i] : null,
            name: client.name(trace, names[i]),
            track: tracks[i],
            startNs: starts[i],
            endNs: ends[i],
        })),
        left, hidden, more: more === 1,
    };
}
