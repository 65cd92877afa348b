// SPDX-License-Identifier: MIT
// @ts-check
/* Two sides compared, and a copy of the capture with notes more. docs/PROTOCOL.md, COMPARE and AMEND. */

import { KIND } from './client.js';
import { runTask } from './tasks.js';
import { i64Section, textsSection, u32Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('../model/compare.js').Comparison} Comparison */
/** @typedef {import('../model/compare.js').CompareBy} CompareBy */
/** @typedef {import('../model/compare.js').CompareRow} CompareRow */
/** @typedef {import('../model/compare.js').RowState} RowState */
/** @typedef {import('../model/compare.js').Cause} Cause */
/** @typedef {import('../model/compare.js').ResourceChange} ResourceChange */
/**
 * @typedef {object} TraceSide
 * @property {number} trace
 * @property {import('../model/frames.js').FrameRange | null} frames null: a range of time, or all of a trace without any
 * @property {import('../model/address_explore.js').Measured} [time]
 */

const NONE = 0xffffffff;
const PAGE_ROWS = 65536;
const BY = { name: 0, pass: 1, track: 2, scope: 3, category: 4 };
/** @type {readonly RowState[]} */
const STATES = ['both', 'added', 'removed', 'culled', 'kept'];
/** @type {readonly Cause[]} */
const CAUSES = ['untold', 'noise', 'more work', 'less work', 'slower', 'faster', 'more work and slower', 'less work and faster',
    'more work but faster', 'less work but slower'];
/** @type {readonly ResourceChange['state'][]} */
const RESOURCE_STATES = ['changed', 'added', 'removed', 'changed'];

/** @param {number | undefined} value */
const orNull = (value) => (value === undefined || value === NONE ? null : value);

/**
 * @param {Client} client
 * @param {{ base: TraceSide, next: TraceSide, by: CompareBy }} question
 * @param {Order} order
 * @param {(progress: import('./tasks.js').TaskProgress) => void} [tell]
 * @param {(comparison: Comparison) => void} [part] whole frames, which are known before the rows
 * @returns {Promise<Comparison>}
 */
export async function askCompare(client, question, order, tell, part = () => {}) {
    const { base, next, by } = question;
    const reply = await runTask(client, base.trace, KIND.COMPARE, [
        ...(base.frames ? [u32Section(0x1701, [base.frames.first, base.frames.last + 1])] : []),
        ...(next.frames ? [u32Section(0x1702, [next.frames.first, next.frames.last + 1])] : []),
        ...(base.time ? [i64Section(0x1707, [base.time.startNs, base.time.endNs])] : []),
        ...(next.time ? [i64Section(0x1708, [next.time.startNs, next.time.endNs])] : []),
        u32Section(0x1703, [next.trace === base.trace ? 0 : next.trace]),
        u32Section(0x1704, [BY[by]]),
        u32Section(0x1706, [PAGE_ROWS]),
    ], order, tell, (some) => part(readComparison(some, false)));
    return readComparison(reply, true);
}

/** @param {Reply} reply @param {boolean} whole with its rows @returns {Comparison} */
function readComparison(reply, whole) {
    const rows = readRows(reply);
    const frames = reply.u32(0x1741);
    const gpu = reply.f64(0x1742);
    const cpu = reply.f64(0x1743);
    const topology = reply.u32(0x1744);
    const same = reply.u8(0x1745)[0] ?? 2;
    const length = reply.i64(0x1746);
    return {
        rows,
        whole,
        all: reply.one(0x1740, rows.length),
        frames: [frames[0] ?? 0, frames[1] ?? 0],
        gpuNs: [gpu[0] ?? -1, gpu[1] ?? -1],
        cpuNs: [cpu[0] ?? -1, cpu[1] ?? -1],
        lengthNs: [Number(length[0] ?? -1n), Number(length[1] ?? -1n)],
        topology: [orNull(topology[0]), orNull(topology[1])],
        graphs: same === 1 ? 'same' : same === 0 ? 'differ' : 'unknown',
        resources: readResources(reply),
        counters: readCounters(reply),
    };
}

/** @param {Reply} reply @returns {CompareRow[]} */
function readRows(reply) {
    const [scopes, tracks, units] = [0x1749, 0x174a, 0x1757].map((tag) => reply.texts(tag));
    const [states, causes, sides] = [0x174b, 0x1756, 0x175c].map((tag) => reply.u8(tag));
    const ordinals = reply.u32(0x175d);
    const [baseRows, newRows, baseIdentities, newIdentities] = [0x174c, 0x174d, 0x175a, 0x175b].map((tag) => reply.u32(tag));
    const [baseCounts, newCounts] = [0x174e, 0x174f].map((tag) => reply.u64(tag));
    const [baseNs, newNs, delta, noise, baseWork, newWork] = [0x1750, 0x1751, 0x1754, 0x1755, 0x1758, 0x1759].map((tag) => reply.f64(tag));
    const [baseMedians, newMedians] = [0x1752, 0x1753].map((tag) => reply.i64(tag));
    return reply.texts(0x1748).map((name, i) => ({
        name,
        scope: scopes[i] ?? '',
        track: tracks[i] ?? '',
        side: sides[i] === 1 ? 'gpu' : 'cpu',
        ordinal: ordinals[i] ?? 0,
        state: STATES[states[i]] ?? 'both',
        baseRow: orNull(baseRows[i]),
        newRow: orNull(newRows[i]),
        baseCount: Number(baseCounts[i] ?? 0n),
        newCount: Number(newCounts[i] ?? 0n),
        baseNs: baseNs[i] ?? -1,
        newNs: newNs[i] ?? -1,
        baseMedianNs: Number(baseMedians[i] ?? -1n),
        newMedianNs: Number(newMedians[i] ?? -1n),
        deltaNs: delta[i] ?? 0,
        noiseNs: noise[i] ?? -1,
        cause: CAUSES[causes[i]] ?? 'untold',
        unit: units[i] ?? '',
        baseWork: baseWork[i] ?? -1,
        newWork: newWork[i] ?? -1,
        baseIdentity: orNull(baseIdentities[i]),
        newIdentity: orNull(newIdentities[i]),
    }));
}

/** @param {Reply} reply @returns {ResourceChange[]} */
function readResources(reply) {
    const states = reply.u8(0x1761);
    const [baseBytes, newBytes] = [0x1762, 0x1763].map((tag) => reply.u64(tag));
    const [baseTexts, newTexts] = [0x1764, 0x1765].map((tag) => reply.texts(tag));
    return reply.texts(0x1760).map((name, i) => ({
        name,
        state: RESOURCE_STATES[states[i]] ?? 'changed',
        baseBytes: BigInt.asIntN(64, baseBytes[i] ?? -1n),
        newBytes: BigInt.asIntN(64, newBytes[i] ?? -1n),
        base: baseTexts[i] ?? '',
        next: newTexts[i] ?? '',
    }));
}

/** @param {Reply} reply */
function readCounters(reply) {
    const units = reply.texts(0x1769);
    const [base, next] = [0x176a, 0x176b].map((tag) => reply.f64(tag));
    return reply.texts(0x1768).map((name, i) => ({ name, unit: units[i] ?? '', base: base[i], next: next[i] }));
}

/**
 * How to make a copy with these notes in it: head, then the input from the head's end to keep, then tail.
 * @param {Client} client
 * @param {number} trace
 * @param {readonly { text: string, frame: number, timeNs: bigint }[]} notes frame below zero: it belongs to none
 * @returns {Promise<{ head: Uint8Array, keep: number, tail: Uint8Array }>}
 */
export async function askAmend(client, trace, notes) {
    const reply = await client.ask(KIND.AMEND, trace, [
        textsSection(0x1801, notes.map((note) => note.text)),
        u32Section(0x1802, notes.map((note) => (note.frame >= 0 ? note.frame : NONE))),
        i64Section(0x1803, notes.map((note) => (note.frame >= 0 ? 0n : note.timeNs))),
    ]);
    return { head: reply.u8(0x1842), keep: Number(reply.u64(0x1840)[0] ?? 0n), tail: reply.u8(0x1841) };
}
