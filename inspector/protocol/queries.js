// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about spans: statistics, search, filters, one span with everything that is known of it. */

import { KIND } from './client.js';
import { runTask } from './tasks.js';
import { i64Section, textSection, u32Section } from './wire.js';
import { domainOf } from './document.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('./wire.js').Section} Section */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('../model/table.js').StatRow} StatRow */
/** @typedef {import('../model/table.js').Stats} Stats */
/** @typedef {import('../model/address.js').StatsBy} StatsBy */
/** @typedef {import('../model/frames.js').FrameRange} FrameRange */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/span.js').Property} Property */
/** @typedef {import('../model/span.js').PropertyValue} PropertyValue */
/** @typedef {import('../model/span.js').Series} Series */

export const NONE = 0xffffffff;
const PAGE_ROWS = 65536;
/** @type {Partial<Record<StatsBy, number>>} */
const BY = { name: 0, pass: 1, track: 2, scope: 3 };

/** @param {number | undefined} value */
const orNull = (value) => (value === undefined || value === NONE ? null : value);

/**
 * @param {Client} client @param {number} trace
 * @param {{ by: StatsBy, frames: FrameRange | null, filter: number, window?: { startNs: bigint, endNs: bigint } | null }} question @param {Order} order
 * @param {(track: number) => string} trackName @param {(progress: import('./tasks.js').TaskProgress) => void} [tell]
 * @param {(stats: Stats) => void} [part] counts and sums, which are known first
 * @returns {Promise<Stats>}
 */
export async function askStats(client, trace, question, order, trackName, tell, part = () => {}) {
    /** @type {Section[]} */
    const sections = [u32Section(0x0c01, [BY[question.by] ?? 0])];
    if (question.frames) {
        sections.push(u32Section(0x0c03, [question.frames.first, question.frames.last + 1]));
    }
    if (question.window) {
        sections.push(i64Section(0x0c02, [question.window.startNs, question.window.endNs]));
    }
    if (question.filter) {
        sections.push(u32Section(0x0c05, [question.filter]));
    }
    sections.push(u32Section(0x0c08, [PAGE_ROWS]));
    const read = (/** @type {Reply} */ reply, /** @type {boolean} */ whole) => readStats(client, trace, reply, { by: question.by, trackName, whole });
    return read(await runTask(client, trace, KIND.STATS, sections, order, tell, (reply) => part(read(reply, false))), true);
}

/**
 * @param {Client} client @param {number} trace @param {Reply} reply
 * @param {{ by: StatsBy, trackName: (track: number) => string, whole: boolean }} of whole: percentiles are known
 * @returns {Stats}
 */
function readStats(client, trace, reply, { by, trackName, whole }) {
    const [keys, names, tracks, longest, clocks] = [0x0c42, 0x0c43, 0x0c44, 0x0c51, 0x0c52].map((tag) => reply.u32(tag));
    const [counts, unfinished, zeroes] = [0x0c45, 0x0c4f, 0x0c50].map((tag) => reply.u64(tag));
    const [total, self, busy, min, median, p95, max] =
        [0x0c46, 0x0c47, 0x0c48, 0x0c49, 0x0c4a, 0x0c4b, 0x0c4c].map((tag) => reply.u64(tag));
    const scopes = reply.u32(0x0c53);
    const rows = Array.from(keys, (key, i) => ({
        key,
        nameId: names[i],
        name: client.name(trace, names[i]),
        scope: by === 'pass' ? client.name(trace, scopes[i] ?? 0) : '',
        track: tracks[i] === NONE ? '' : trackName(tracks[i]),
        clock: clocks[i] ?? NONE,
        count: Number(counts[i]),
        totalNs: total[i],
        selfNs: self[i],
        busyNs: whole ? busy[i] : null,
        minNs: min[i],
        medianNs: whole ? median[i] : null,
        p95Ns: whole ? p95[i] : null,
        maxNs: max[i],
        zeros: Number(zeroes[i]),
        unfinished: Number(unfinished[i] ?? 0n),
        longest: longest[i],
    }));
    return { rows, all: reply.one(0x0c40, rows.length), state: whole ? 'whole' : 'counting' };
}

/**
 * @typedef {object} Found
 * @property {number} row
 * @property {string} name
 * @property {number} track
 * @property {number} frame below zero where it belongs to none
 * @property {bigint} startNs
 * @property {bigint} endNs
 */
/**
 * @param {Client} client
 * @param {number} trace
 * @param {{ text: string, after: number | null, limit: number, filter: number }} question
 * @param {Order} order
 * @param {(progress: import('./tasks.js').TaskProgress) => void} [tell]
 * @returns {Promise<{ found: Found[], all: number, next: number | null }>}
 */
export async function askSearch(client, trace, question, order, tell) {
    /** @type {Section[]} */
    const sections = [textSection(0x0e01, question.text)];
    if (question.after !== null) {
        sections.push(u32Section(0x0e02, [question.after]));
    }
    sections.push(u32Section(0x0e03, [question.limit]), u32Section(0x0e04, [question.filter]));
    const reply = await runTask(client, trace, KIND.SEARCH, sections, order, tell);
    const [names, tracks, frames] = [0x0e43, 0x0e44, 0x0e45].map((tag) => reply.u32(tag));
    const starts = reply.i64(0x0e46);
    const ends = reply.i64(0x0e47);
    const found = Array.from(reply.u32(0x0e42), (row, i) => ({
        row,
        name: client.name(trace, names[i]),
        track: tracks[i],
        frame: frames[i] === NONE ? -1 : frames[i],
        startNs: starts[i],
        endNs: ends[i],
    }));
    return { found, all: reply.one(0x0e40, found.length), next: orNull(reply.one(0x0e41, NONE)) };
}

/** @type {readonly import('../model/span.js').Quality[]} */
const QUALITIES = ['plain', 'encoded', 'resolved', 'declared', 'derived'];

/**
 * @param {Client} client @param {number} trace @param {number} row @param {Order} [order]
 * @returns {Promise<SpanInfo>}
 */
export async function askSpan(client, trace, row, order) {
    const reply = await client.ask(KIND.SPAN, trace, [u32Section(0x0f01, [row])], order);
    const times = reply.i64(0x0f40);
    const ids = reply.u32(0x0f41);
    const name = (/** @type {number} */ id) => client.name(trace, id);
    const fragmentStart = reply.i64(0x0f48);
    const fragmentEnd = reply.i64(0x0f49);
    return {
        row: ids[0],
        name: name(ids[1]),
        category: name(ids[2]),
        track: ids[3],
        lane: ids[4],
        depth: ids[5],
        parent: orNull(ids[6]),
        frame: orNull(ids[7]),
        identity: orNull(ids[8]),
        passName: name(ids[9]),
        scope: name(ids[10]),
        topology: orNull(ids[11]),
        pass: orNull(ids[12]),
        origin: orNull(ids[13]),
        startNs: times[0],
        endNs: times[1],
        selfNs: reply.u64(0x0f46)[0] ?? null,
        flags: reply.one(0x0f42, 0),
        boundNs: Number(reply.i64(0x0f44)[0] ?? -1n),
        domain: domainOf(reply.u8(0x0f45)[0] ?? 2),
        children: reply.one(0x0f4b, 0),
        fragments: Array.from(reply.u32(0x0f47), (fragment, i) => ({ row: fragment, startNs: fragmentStart[i], endNs: fragmentEnd[i] })),
        properties: readProperties(reply, name),
        waits: readLinks(reply, name, 0x0f60),
        wakes: readLinks(reply, name, 0x0f65),
    };
}

/** @param {Reply} reply @param {(id: number) => string} name @returns {Property[]} roots of the tree */
function readProperties(reply, name) {
    const depths = reply.u32(0x0f50);
    const types = reply.u8(0x0f52);
    const qualities = reply.u8(0x0f53);
    const values = reply.u64(0x0f54);
    /** @type {Property[]} */
    const roots = [];
    /** @type {Property[]} */
    const path = [];
    reply.u32(0x0f51).forEach((key, i) => {
        const value = readValue(types[i], values[i], name);
        const property = { key: name(key), quality: QUALITIES[qualities[i]] ?? 'plain', value, children: [] };
        path.length = Math.min(path.length, depths[i]);
        (path.length > 0 ? path[path.length - 1].children : roots).push(property);
        path.push(property);
    });
    return roots;
}

const floatBits = new BigUint64Array(1);
const floatValue = new Float64Array(floatBits.buffer);

/** @param {number} type @param {bigint} bits @param {(id: number) => string} name @returns {PropertyValue} */
function readValue(type, bits, name) {
    switch (type) {
        case 0: return { type: 'group' };
        case 1: return { type: 'integer', integer: BigInt.asIntN(64, bits) };
        case 2: return { type: 'integer', integer: bits };
        case 3:
            floatBits[0] = bits;
            return { type: 'float', float: floatValue[0] };
        case 4: return { type: 'text', text: name(Number(bits)) };
        case 5: return { type: 'text', text: bits === 0n ? 'no' : 'yes' };
        case 7: return { type: 'ns', integer: BigInt.asIntN(64, bits) };
        case 8: return { type: 'bytes', integer: bits };
        case 9: return { type: 'span', row: Number(bits) };
        case 10: return { type: 'resource', index: Number(bits) };
        case 11: return { type: 'object', integer: bits };
        case 12: return { type: 'time', integer: BigInt.asIntN(64, bits) };
        default: return { type: 'unknown' };
    }
}

/** @type {readonly import('../model/span.js').LinkFamily[]} */
const FAMILIES = ['other', 'semaphore', 'fence', 'queue order', 'data', 'flow', 'submit', 'frame graph'];

/**
 * Five columns: row, name, family, claimed, gap.
 * @param {Reply} reply
 * @param {(id: number) => string} name
 * @param {number} tag of the first
 */
function readLinks(reply, name, tag) {
    const names = reply.u32(tag + 1);
    const families = reply.u8(tag + 2);
    const claimed = reply.u8(tag + 3);
    const gaps = reply.i64(tag + 4);
    return Array.from(reply.u32(tag), (row, i) => ({
        row: orNull(row),
        name: name(names[i]),
        family: FAMILIES[families[i]] ?? 'other',
        gapNs: claimed[i] === 1 ? gaps[i] : null,
    }));
}

/**
 * The pass, or the name, of a span over all frames.
 * @param {Client} client
 * @param {number} trace
 * @param {number} row
 * @param {Order} order
 * @returns {Promise<Series>}
 */
export async function askSeries(client, trace, row, order) {
    const reply = await client.ask(KIND.SERIES, trace, [u32Section(0x1501, [row])], order);
    const summary = reply.u64(0x1543);
    return {
        frame: reply.u32(0x1540),
        ns: Float64Array.from(reply.u64(0x1541), Number),
        count: reply.u32(0x1542),
        minNs: summary[0] ?? 0n,
        medianNs: summary[1] ?? 0n,
        p95Ns: summary[2] ?? 0n,
        maxNs: summary[3] ?? 0n,
    };
}
