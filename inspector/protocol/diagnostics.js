// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about what a program says of itself: metrics, live resources, losses. */

import { KIND, FLAG } from './client.js';
import { i64Section, textSection, u32Section } from './wire.js';
import { OBJECTS_SHOWN } from '../model/objects.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('../model/metrics.js').Metric} Metric */
/** @typedef {import('../model/metrics.js').MetricKind} MetricKind */
/** @typedef {import('../model/metrics.js').Accuracy} Accuracy */
/** @typedef {import('../model/metrics.js').Figure} Figure */
/** @typedef {import('../model/objects.js').ObjectsAnswer} ObjectsAnswer */
/** @typedef {import('../model/objects.js').ObjectColumn} ObjectColumn */
/** @typedef {import('../model/objects.js').ObjectSum} ObjectSum */
/** @typedef {import('../model/losses.js').Losses} Losses */
/** @typedef {import('../model/losses.js').Loss} Loss */
/** @typedef {{ fromNs: bigint, toNs: bigint }} Points */

const NONE = 0xffffffff;
const PAGE_ROWS = 65536;
/** More gaps than this are summed by track only: the page says so. */
const MAX_GAPS = 8 * PAGE_ROWS;
const UNKNOWN_BYTES = 0xffffffffffffffffn;
const EARLIEST = -(1n << 63n);
const LATEST = (1n << 63n) - 1n;

/** @type {readonly MetricKind[]} */
const METRIC_KINDS = ['counter', 'gauge', 'frame counter', 'delta'];
/** @type {readonly Accuracy[]} */
const ACCURACIES = ['exact', 'estimated', 'unavailable'];

const floatBits = new BigUint64Array(1);
const floatValue = new Float64Array(floatBits.buffer);

/** @param {number} type @param {bigint} bits @returns {Figure} */
function figure(type, bits) {
    if (type === 1) {
        return BigInt.asIntN(64, bits);
    }
    floatBits[0] = bits;
    return type === 3 && !Number.isNaN(floatValue[0]) ? floatValue[0] : null;
}

/**
 * @param {Client} client @param {number} trace @param {Points | null} points null: of the whole capture @param {Order} [order]
 * @returns {Promise<Metric[]>}
 */
export async function askMetrics(client, trace, points, order) {
    /** @type {Metric[]} */
    const metrics = [];
    for (let more = true; more;) {
        const reply = await client.ask(KIND.METRICS, trace, [
            ...(points ? [i64Section(0x1901, [points.fromNs, points.toNs])] : []),
            u32Section(0x1902, [metrics.length]), u32Section(0x1903, [PAGE_ROWS]),
        ], order);
        const page = readMetrics(reply, (id) => client.name(trace, id));
        metrics.push(...page);
        more = page.length > 0 && (reply.flags & FLAG.OVERFLOW) !== 0;
    }
    return metrics;
}

/** @param {Reply} reply @param {(id: number) => string} name @returns {Metric[]} */
function readMetrics(reply, name) {
    const [units, abouts, counters] = [0x1942, 0x1943, 0x1946].map((tag) => reply.u32(tag));
    const [kinds, accuracies, types] = [0x1944, 0x1945, 0x1947].map((tag) => reply.u8(tag));
    const [last, samples, low, high] = [0x1948, 0x194a, 0x194b, 0x194c].map((tag) => reply.u64(tag));
    const times = reply.i64(0x1949);
    return Array.from(reply.u32(0x1941), (id, i) => ({
        name: name(id),
        kind: METRIC_KINDS[kinds[i]] ?? 'not told',
        unit: name(units[i]),
        about: name(abouts[i]),
        accuracy: ACCURACIES[accuracies[i]] ?? 'not told',
        last: figure(types[i], last[i]),
        lastNs: times[i] ?? 0n,
        low: samples[i] > 0n ? figure(types[i], low[i]) : null,
        high: samples[i] > 0n ? figure(types[i], high[i]) : null,
        samples: Number(samples[i]),
        counter: counters[i] === NONE ? -1 : counters[i],
    }));
}

/** @type {Record<ObjectColumn, number>} */
const SORT_COLUMN = { number: 0, bytes: 1, name: 2, type: 3, created: 4, destroyed: 5 };
const EVENT_KINDS = ['created', 'destroyed', 'memory bound', 'resized', 'uploaded', 'evicted', 'renamed'];

/**
 * @typedef {object} ObjectsQuestion
 * @property {Points} points
 * @property {import('../model/objects.js').ObjectsShown} shown
 * @property {import('../model/objects.js').ObjectSort} sort
 * @property {string} find
 * @property {number} limit rows
 * @property {number} growth points of the curve; 0: none is wanted
 * @property {number | null} object whose history is wanted
 */
/**
 * @param {Client} client @param {number} trace @param {ObjectsQuestion} question @param {Order} order
 * @returns {Promise<ObjectsAnswer>}
 */
export async function askObjects(client, trace, question, order) {
    const { points, shown, sort, find, limit, growth, object } = question;
    const reply = await client.ask(KIND.OBJECTS, trace, [
        i64Section(0x1a01, [points.fromNs, points.toNs]),
        u32Section(0x1a02, [OBJECTS_SHOWN.indexOf(shown)]),
        u32Section(0x1a04, [limit]),
        u32Section(0x1a05, [SORT_COLUMN[sort.column], sort.descending ? 1 : 0]),
        ...(find.trim() !== '' ? [textSection(0x1a06, find.trim())] : []),
        ...(growth > 0 ? [u32Section(0x1a07, [growth])] : []),
        ...(object !== null ? [u32Section(0x1a08, [object])] : []),
    ], order);
    const name = (/** @type {number} */ id) => client.name(trace, id);
    const sums = readSums(reply, 0x1a41, 0x1a42, 0x1a43);
    const peak = reply.u64(0x1a44)[0] ?? UNKNOWN_BYTES;
    return {
        rows: readObjects(reply, name),
        all: reply.one(0x1a40, 0),
        sums: { live: sums[0], created: sums[1], destroyed: sums[2], kept: sums[3] },
        peak: peak === UNKNOWN_BYTES ? null : { bytes: peak, timeNs: reply.i64(0x1a45)[0] ?? 0n },
        types: readSums(reply, 0x1a59, 0x1a5a, 0x1a5b).map((sum, i) => ({ ...sum, name: name(reply.u32(0x1a58)[i]) })),
        growth: growth > 0 ? {
            timeNs: reply.i64(0x1a60),
            count: Float64Array.from(reply.u64(0x1a61), Number),
            bytes: Float64Array.from(reply.u64(0x1a62), (value) => (value === UNKNOWN_BYTES ? NaN : Number(value))),
        } : null,
        events: readEvents(reply, name),
    };
}

/** @param {Reply} reply @param {number} counts @param {number} bytes @param {number} unknown tags @returns {ObjectSum[]} */
function readSums(reply, counts, bytes, unknown) {
    const sums = reply.u64(bytes);
    const lacking = reply.u64(unknown);
    return Array.from(reply.u64(counts), (count, i) => ({ count: Number(count), bytes: knownBytes(sums[i]), unknown: Number(lacking[i] ?? 0n) }));
}

/** @param {bigint} bytes */
function knownBytes(bytes) {
    return bytes === UNKNOWN_BYTES ? null : bytes;
}

/** @param {Reply} reply @param {(id: number) => string} name @returns {import('../model/objects.js').LiveObject[]} */
function readObjects(reply, name) {
    const [names, types, formats, sizes, madeFrames, goneFrames, changes] =
        [0x1a4a, 0x1a4b, 0x1a4e, 0x1a4f, 0x1a52, 0x1a53, 0x1a54].map((tag) => reply.u32(tag));
    const [ids, bytes] = [0x1a49, 0x1a4c].map((tag) => reply.u64(tag));
    const accuracies = reply.u8(0x1a4d);
    const [made, gone] = [0x1a50, 0x1a51].map((tag) => reply.i64(tag));
    const frame = (/** @type {number} */ row) => (row === NONE ? null : row);
    return Array.from(reply.u32(0x1a48), (number, i) => ({
        number,
        id: ids[i],
        name: name(names[i]),
        type: name(types[i]),
        bytes: knownBytes(bytes[i]),
        accuracy: ACCURACIES[accuracies[i]] ?? 'not told',
        format: formats[i],
        size: Array.from(sizes.subarray(5 * i, 5 * i + 5)),
        madeNs: made[i] === EARLIEST ? null : made[i],
        goneNs: gone[i] === LATEST ? null : gone[i],
        madeFrame: frame(madeFrames[i]),
        goneFrame: frame(goneFrames[i]),
        changes: changes[i],
    }));
}

/** @param {Reply} reply @param {(id: number) => string} name @returns {import('../model/objects.js').ObjectEvent[]} */
function readEvents(reply, name) {
    const kinds = reply.u8(0x1a69);
    const bytes = reply.u64(0x1a6a);
    const names = reply.u32(0x1a6b);
    const frames = reply.u32(0x1a6c);
    return Array.from(reply.i64(0x1a68), (timeNs, i) => ({
        timeNs,
        kind: EVENT_KINDS[kinds[i]] ?? 'changed',
        bytes: knownBytes(bytes[i]),
        name: name(names[i]),
        frame: frames[i] === NONE ? null : frames[i],
    }));
}

/** All gaps, page by page. @param {Client} client @param {number} trace @returns {Promise<Losses>} */
export async function askLosses(client, trace) {
    /** @type {Loss[]} */
    const list = [];
    /** @type {Reply} */
    let reply;
    do {
        reply = await client.ask(KIND.LOSSES, trace, [u32Section(0x1b02, [list.length]), u32Section(0x1b03, [PAGE_ROWS])]);
        const before = list.length;
        const tracks = reply.u32(0x1b48);
        const times = reply.i64(0x1b49);
        const since = reply.i64(0x1b4a);
        reply.u64(0x1b4b).forEach((count, i) => {
            list.push({ track: tracks[i] === NONE ? -1 : tracks[i], timeNs: times[i], sinceNs: since[i] === EARLIEST ? null : since[i], count });
        });
        if (list.length === before) {
            break;
        }
    } while ((reply.flags & FLAG.OVERFLOW) !== 0 && list.length < MAX_GAPS);
    const lost = reply.u64(0x1b51);
    const gaps = reply.u32(0x1b52);
    const [first, last] = [0x1b53, 0x1b54].map((tag) => reply.i64(tag));
    return {
        list,
        all: reply.one(0x1b40, list.length),
        counters: Array.from(reply.u64(0x1b41), knownBytes),
        tracks: Array.from(reply.u32(0x1b50), (track, i) => ({ track: track === NONE ? -1 : track, count: lost[i], gaps: gaps[i], firstNs: first[i], lastNs: last[i] })),
    };
}
