// SPDX-License-Identifier: MIT
// @ts-check
/* The longest chain of spans that depend on each other. docs/PROTOCOL.md, PATH. */

import { KIND } from './client.js';
import { runTask } from './tasks.js';
import { i64Section, u32Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('./wire.js').Section} Section */
/** @typedef {import('../model/path.js').PathAnswer} PathAnswer */
/** @typedef {import('../model/path.js').PieceKind} PieceKind */

const NONE = 0xffffffff;
const NO_SLACK = (1n << 64n) - 1n;
/** Pieces that one answer has room for. */
export const PATH_PIECES = 65536;
/** @type {readonly PieceKind[]} */
const KINDS = ['work', 'wait', 'queue', 'unknown'];

/**
 * @typedef {object} PathQuestion
 * @property {'links' | 'parents'} by
 * @property {number | null} row the path that ends here; null: the longest of all
 * @property {{ startNs: bigint, endNs: bigint } | null} window
 * @property {number} filter
 * @property {number} families bits, 0 for all
 * @property {number | null} slackOf a row whose slack is wanted
 * @property {number} first piece that is wanted
 */

/**
 * @param {Client} client @param {number} trace @param {PathQuestion} question @param {Order} order
 * @param {(progress: import('./tasks.js').TaskProgress) => void} tell
 * @returns {Promise<PathAnswer>}
 */
export async function askPath(client, trace, question, order, tell) {
    const { by, row, window, filter, families, slackOf, first } = question;
    /** @type {Section[]} */
    const sections = [
        u32Section(0x1f01, [by === 'parents' ? 1 : 0]),
        u32Section(0x1f04, [filter]),
        u32Section(0x1f05, [families]),
        u32Section(0x1f06, [first]),
        u32Section(0x1f07, [PATH_PIECES]),
    ];
    if (row !== null) {
        sections.push(u32Section(0x1f02, [row]));
    }
    if (window) {
        sections.push(i64Section(0x1f03, [window.startNs, window.endNs]));
    }
    if (slackOf !== null) {
        sections.push(u32Section(0x1f08, [slackOf]));
    }
    const reply = await runTask(client, trace, KIND.PATH, sections, order, tell);
    const [rows, links, leftOut, invalid, maxHops, chain, cycle] = reply.u32(0x1f43);
    const [workNs, waitNs, queueNs, unknownNs, overlapNs, unclaimed] = reply.u64(0x1f44);
    const kinds = reply.u8(0x1f48);
    const [claimed, family, derived] = [0x1f49, 0x1f52, 0x1f53].map((tag) => reply.u8(tag));
    const [pieceRow, pieceLink, names, tracks] = [0x1f4a, 0x1f4b, 0x1f4e, 0x1f4f].map((tag) => reply.u32(tag));
    const [starts, ends] = [0x1f4c, 0x1f4d].map((tag) => reply.i64(tag));
    const endpoint = reply.one(0x1f41, NONE);
    const slack = reply.u64(0x1f50)[0];
    return {
        lengthNs: reply.u64(0x1f40)[0] ?? 0n,
        endpoint: endpoint === NONE ? null : endpoint,
        flags: reply.one(0x1f42, 0),
        counts: { rows, links, leftOut, invalid, maxHops, chain, cycle },
        sums: { workNs, waitNs, queueNs, unknownNs, overlapNs, unclaimed: Number(unclaimed) },
        by,
        all: reply.one(0x1f45, 0),
        first,
        cycle: Array.from(reply.u32(0x1f46)),
        pieces: Array.from(kinds, (kind, i) => ({
            kind: KINDS[kind] ?? 'unknown',
            claimed: claimed[i] === 1,
            row: pieceRow[i] === NONE ? null : pieceRow[i],
            link: pieceLink[i] === NONE ? null : pieceLink[i],
            family: family[i] ?? 0,
            derived: derived[i] === 1,
            startNs: starts[i],
            endNs: ends[i],
            name: client.name(trace, names[i]),
            track: tracks[i] === NONE ? null : tracks[i],
        })),
        slackNs: slack === undefined || slack === NO_SLACK ? null : slack,
    };
}
