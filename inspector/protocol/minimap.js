// SPDX-License-Identifier: MIT
// @ts-check
/* The whole trace in few cells. docs/PROTOCOL.md, MINIMAP. */

import { FLAG, KIND } from './client.js';
import { u32Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('../model/minimap.js').Minimap} Minimap */

export const MINIMAP_OF = Object.freeze({ TRACKS: 1, PROCESSES: 2 });

/**
 * @param {Client} client @param {number} trace
 * @param {{ of: number, filter: number }} question @param {Order} order
 * @returns {Promise<Minimap>}
 */
export async function askMinimap(client, trace, { of, filter }, order) {
    const reply = await client.ask(KIND.MINIMAP, trace, [u32Section(0x1c01, [of]), u32Section(0x1c02, [filter])], order);
    const level = reply.one(0x1c40, 0);
    const [first, last] = [...reply.i64(0x1c41), 0n, -1n];
    const ranges = reply.u32(0x1c4a);
    const answered = reply.u8(0x1c49);
    const category = reply.u32(0x1c51);
    const name = reply.u32(0x1c55);
    return {
        startNs: first << BigInt(level),
        binNs: 2 ** level,
        bins: last >= first ? Number(last - first) + 1 : 0,
        groups: Array.from(reply.u32(0x1c48), (group, i) => ({ group, answered: answered[i] === 1, first: ranges[i], last: ranges[i + 1] })),
        cells: {
            bin: reply.u32(0x1c50),
            category,
            lanes: reply.u32(0x1c52),
            starts: reply.u32(0x1c53),
            row: reply.u32(0x1c54),
            name,
            longest: reply.f64(0x1c56),
            cover: reply.f64(0x1c57),
            flags: reply.u32(0x1c58),
        },
        incomplete: (reply.flags & FLAG.OVERFLOW) !== 0,
    };
}
