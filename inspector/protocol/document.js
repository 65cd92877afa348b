// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about the capture as a whole: what there is, the strip, the tracks, the frames. */

import { KIND, FLAG } from './client.js';
import { u32Section } from './wire.js';
import { emptyFrames, firstUses } from '../model/frames.js';
import { VERDICTS } from '../model/verdict.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/layout.js').Track} Track */
/** @typedef {import('../model/layout.js').TrackKind} TrackKind */
/** @typedef {import('../model/layout.js').Domain} Domain */

/** @typedef {'known' | 'loading' | 'loaded' | 'failed'} TraceState */
/** @typedef {'no' | 'growing' | 'ended' | 'lost'} Growth whether the file is followed while something writes it; lost: it cannot be any more */
/**
 * @typedef {object} TraceEntry
 * @property {number} trace
 * @property {TraceState} state
 * @property {string} label
 * @property {string} format
 * @property {string} packing
 * @property {bigint} bytes below zero when it is not known
 * @property {number} done
 * @property {number} steps 0 when it is not known
 * @property {string} failure
 * @property {number} frames
 * @property {number} revision
 * @property {Growth} growth
 */
/** @typedef {{ name: string, count: bigint }} Count */
/**
 * @typedef {object} Clock
 * @property {string} name
 * @property {Domain} domain
 * @property {number} boundNs below zero where none is claimed
 * @property {string} reason why it is nominal
 * @property {string} period ns per tick, as the device declares it
 * @property {number} bits
 * @property {number} readings paired readings that were used
 * @property {number} rejected readings left out as outliers
 */
/**
 * @typedef {object} Info
 * @property {Record<string, bigint>} counts
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {string} format
 * @property {string} version
 * @property {boolean} closed
 * @property {boolean} recovered
 * @property {number | null} level null when it was not recorded
 * @property {boolean} deviceLost
 * @property {Count[]} dropped
 * @property {Count[]} repairs
 * @property {{ name: string, offset: bigint, text: string }[]} defects
 * @property {number} defectCount all of them; the list may be shorter
 * @property {Count[]} skipped
 * @property {{ key: string, value: string }[]} meta
 * @property {Clock[]} clocks
 * @property {number} overheadNs below zero where it was not stored
 * @property {{ used: number | null, budget: number | null }} memoryCounters of the device's memory in use, and of its budget; null: not recorded
 */

/** @type {readonly TraceState[]} */
const STATES = ['known', 'loading', 'loaded', 'failed'];
/** @type {readonly Growth[]} */
const GROWTH = ['no', 'growing', 'ended', 'lost'];
/** @type {readonly Domain[]} */
const DOMAINS = ['host', 'calibrated', 'nominal'];
/** @type {readonly TrackKind[]} */
const TRACK_KINDS = ['cpu', 'gpu', 'async', 'counter'];
const COUNTS = ['spans', 'unfinished', 'instants', 'counters', 'counter samples', 'samples', 'objects', 'other events',
    'dependencies', 'names', 'processes', 'tracks', 'lanes', 'frames', 'resources', 'topologies', 'skipped records', 'notes', 'passes'];
const PAGE_ROWS = 65536;
const NONE = 0xffffffff;

/** @param {number} code @returns {Domain} */
export function domainOf(code) {
    return DOMAINS[code] ?? 'nominal';
}

/** @param {Client} client @returns {Promise<TraceEntry[]>} */
export async function askHello(client) {
    const reply = await client.ask(KIND.HELLO, 0);
    client.client = reply.one(0x0140, 0);
    client.kinds = new Set(reply.u16(0x0143));
    return readTraces(reply);
}

/** @param {Client} client @returns {Promise<TraceEntry[]>} */
export async function askTraces(client) {
    return readTraces(await client.ask(KIND.TRACES, 0));
}

/** @param {Client} client @param {number} trace @returns {Promise<TraceEntry[]>} */
export async function askLoad(client, trace) {
    return readTraces(await client.ask(KIND.LOAD, trace));
}

/** @param {Reply} reply @returns {TraceEntry[]} */
function readTraces(reply) {
    const numbers = reply.u32(0x0240);
    const states = reply.u8(0x0241);
    const [labels, formats, packings, failures] = [0x0242, 0x0243, 0x0244, 0x0249].map((tag) => reply.texts(tag));
    const [bytes, done, steps, revisions] = [0x0245, 0x0246, 0x0247, 0x0248].map((tag) => reply.u64(tag));
    const frames = reply.u32(0x024b);
    const growth = reply.u8(0x024c);
    return Array.from(numbers, (trace, i) => ({
        trace,
        state: STATES[states[i]] ?? 'failed',
        label: labels[i],
        format: formats[i],
        packing: packings[i] ?? '',
        bytes: BigInt.asIntN(64, bytes[i]),
        done: Number(done[i]),
        steps: Number(steps[i]),
        failure: failures[i] ?? '',
        frames: frames[i],
        revision: Number(revisions[i] ?? 0n),
        growth: GROWTH[growth[i] ?? 0] ?? 'no',
    }));
}

/** Whole strip, page by page. @param {Client} client @param {number} trace @returns {Promise<FrameTable>} */
export async function askStrip(client, trace) {
    const pages = await askPages(client, KIND.STRIP, trace, 0x0401, [], 0x0441);
    const frames = emptyFrames(pages.count);
    pages.fill((reply, at) => {
        frames.id.set(signed(reply.u64(0x0441)), at);
        frames.cpuNs.set(toNumbers(reply.i64(0x0443)), at);
        frames.gpuNs.set(toNumbers(reply.i64(0x0444)), at);
        frames.dropped.set(reply.u32(0x0446), at);
        frames.flags.set(reply.u8(0x0447), at);
    });
    return frames;
}

/** Frames of the loaded trace. @param {Client} client @param {number} trace @returns {Promise<FrameTable>} */
export async function askFrames(client, trace) {
    const pages = await askPages(client, KIND.FRAMES, trace, 0x0d01, [u32Section(0x0d02, [PAGE_ROWS])], 0x0d41);
    const { count } = pages;
    const frames = emptyFrames(count);
    const detail = {
        endNs: new BigInt64Array(count),
        gpuBusyNs: new Float64Array(count),
        gpuStartNs: new BigInt64Array(count),
        gpuEndNs: new BigInt64Array(count),
        topology: new Uint32Array(count),
        fresh: new Uint8Array(count),
        verdict: new Uint8Array(count),
        frameNs: new Float64Array(count),
        cpuWorkNs: new Float64Array(count),
        presentWaitNs: new Float64Array(count),
        missing: new Uint32Array(count),
        latencyNs: new Float64Array(count),
        overheadNs: new Float64Array(count),
        level: new Uint8Array(count),
    };
    frames.detail = detail;
    pages.fill((reply, at) => {
        frames.id.set(signed(reply.u64(0x0d42)), at);
        frames.startNs.set(reply.i64(0x0d43), at);
        detail.endNs.set(reply.i64(0x0d44), at);
        frames.cpuNs.set(toNumbers(reply.i64(0x0d45)), at);
        frames.gpuNs.set(toNumbers(reply.i64(0x0d46)), at);
        detail.gpuBusyNs.set(toNumbers(reply.i64(0x0d47)), at);
        detail.gpuStartNs.set(reply.i64(0x0d48), at);
        detail.gpuEndNs.set(reply.i64(0x0d49), at);
        frames.spans.set(reply.u32(0x0d4a), at);
        frames.dropped.set(reply.u32(0x0d4b), at);
        detail.topology.set(reply.u32(0x0d4c), at);
        detail.verdict.set(reply.u8(0x0d4d), at);
        detail.frameNs.set(toNumbers(reply.i64(0x0d56)), at);
        detail.cpuWorkNs.set(toNumbers(reply.i64(0x0d57)), at);
        detail.presentWaitNs.set(toNumbers(reply.i64(0x0d54)), at);
        frames.flags.set(reply.u16(0x0d4e), at);
        detail.missing.set(reply.u32(0x0d50), at);
        detail.latencyNs.set(toNumbers(reply.i64(0x0d52)), at);
        detail.overheadNs.set(toNumbers(reply.i64(0x0d53)), at);
        detail.level.set(reply.u8(0x0d55), at);
    });
    detail.fresh = firstUses(detail.topology);
    return frames;
}

/**
 * What bounds these frames together.
 * @param {Client} client @param {number} trace @param {import('../model/frames.js').FrameRange} range @param {import('./views.js').Order} order
 * @returns {Promise<import('../model/verdict.js').VerdictWindow>}
 */
export async function askVerdict(client, trace, range, order) {
    const sections = [u32Section(0x0d01, [range.first]), u32Section(0x0d02, [1]), u32Section(0x0d03, [range.first, range.last + 1])];
    const reply = await client.ask(KIND.FRAMES, trace, sections, order);
    return {
        range,
        verdict: VERDICTS[reply.u32(0x0d58)[0] ?? 0] ?? 'unknown',
        counts: Array.from(VERDICTS, (_, i) => reply.u32(0x0d59)[i] ?? 0),
        inferred: reply.u32(0x0d5a)[0] ?? 0,
    };
}

/**
 * All pages of a table. The tag of ALL is the kind's first reply tag.
 * @param {Client} client @param {number} kind @param {number} trace @param {number} firstTag
 * @param {import('./wire.js').Section[]} sections @param {number} countTag a u32 or u64 column of the table
 */
async function askPages(client, kind, trace, firstTag, sections, countTag) {
    /** @type {Reply[]} */
    const replies = [];
    let count = 0;
    for (let more = true; more;) {
        const reply = await client.ask(kind, trace, [u32Section(firstTag, [count]), ...sections]);
        const rows = reply.sections.get(countTag)?.count ?? 0;
        replies.push(reply);
        count += rows;
        more = rows > 0 && (reply.flags & FLAG.OVERFLOW) !== 0;
    }
    return {
        count,
        /** @param {(reply: Reply, at: number) => void} put */
        fill(put) {
            let at = 0;
            for (const reply of replies) {
                put(reply, at);
                at += reply.sections.get(countTag)?.count ?? 0;
            }
        },
    };
}

/** @param {BigUint64Array} values */
function signed(values) {
    return new BigInt64Array(values.buffer, values.byteOffset, values.length);
}

/** Durations below 2^53 are exact as numbers; -1 stays "not known". @param {BigInt64Array} values */
function toNumbers(values) {
    return Float64Array.from(values, Number);
}

/** @param {string[]} names @param {BigUint64Array} counts @returns {Count[]} */
function countTable(names, counts) {
    return names.map((name, i) => ({ name, count: counts[i] }));
}

/** @param {Client} client @param {number} trace @returns {Promise<Info>} */
export async function askInfo(client, trace) {
    const reply = await client.ask(KIND.INFO, trace);
    const names = (/** @type {number} */ tag) => Array.from(reply.u32(tag), (id) => client.name(trace, id));
    const numbers = reply.u64(0x0540);
    const range = reply.i64(0x0541);
    const format = reply.texts(0x0542);
    const state = reply.u8(0x0543);
    const metaValues = names(0x054e);
    const defectOffsets = reply.u64(0x0549);
    const defectTexts = names(0x054a);
    // What a first view shows is everything with a time; complete spans alone where nothing else is known.
    const from = state[5] === 1 ? 2 : 0;
    return {
        counts: Object.fromEntries(COUNTS.map((name, i) => [name, numbers[i] ?? 0n])),
        startNs: range[from] ?? 0n,
        endNs: range[from + 1] ?? 0n,
        format: format[0] ?? '',
        version: format[1] ?? '',
        closed: state[0] === 1,
        recovered: state[1] === 1,
        level: state[2] === undefined || state[2] === 255 ? null : state[2],
        deviceLost: state[3] === 1,
        dropped: countTable(names(0x0544), reply.u64(0x0545)),
        repairs: countTable(reply.texts(0x0546), reply.u64(0x0547)),
        defects: reply.texts(0x0548).map((name, i) => ({ name, offset: defectOffsets[i], text: defectTexts[i] ?? '' })),
        defectCount: Number(reply.u64(0x0558)[0] ?? 0n),
        skipped: countTable(names(0x054b), reply.u64(0x054c)),
        meta: names(0x054d).map((key, i) => ({ key, value: metaValues[i] ?? '' })),
        clocks: readClocks(reply, names),
        overheadNs: Number(reply.i64(0x0559)[0] ?? -1n),
        memoryCounters: { used: knownCounter(reply.u32(0x055a)[0]), budget: knownCounter(reply.u32(0x055a)[1]) },
    };
}

/** @param {number | undefined} counter */
function knownCounter(counter) {
    return counter === undefined || counter === NONE ? null : counter;
}

/** @param {Reply} reply @param {(tag: number) => string[]} names @returns {Clock[]} */
function readClocks(reply, names) {
    const rejected = reply.u32(0x0551);
    const domains = reply.u8(0x0552);
    const bounds = reply.i64(0x0553);
    const reasons = names(0x0554);
    const periods = reply.u64(0x0555);
    const bits = reply.u8(0x0556);
    const readings = reply.u32(0x0557);
    return names(0x0550).map((name, i) => ({
        name,
        domain: domainOf(domains[i]),
        boundNs: Number(bounds[i]),
        reason: reasons[i] ?? '',
        period: periods[2 * i + 1] === 1n ? String(periods[2 * i]) : `${periods[2 * i]}/${periods[2 * i + 1]}`,
        bits: bits[i],
        readings: readings[i],
        rejected: rejected[i] ?? 0,
    }));
}

/**
 * @typedef {object} Tracks
 * @property {Track[]} tracks position = number
 * @property {Uint32Array} laneTrack
 * @property {Uint32Array} laneDepth
 */

/** Counters are shown as tracks; their ids are apart from those of tracks of spans. */
const COUNTER_IDS = 0x40000000;

/** @param {Client} client @param {number} trace @returns {Promise<Tracks>} */
export async function askTracks(client, trace) {
    const reply = await client.ask(KIND.TRACKS, trace);
    const kinds = reply.u8(0x064a);
    const [clocks, lanes, laneCounts, groups, spans] = [0x064b, 0x064f, 0x0650, 0x0651, 0x0652].map((tag) => reply.u32(tag));
    const domains = reply.u8(0x064c);
    const bounds = reply.i64(0x064d);
    const processes = readProcesses(reply, client, trace);
    const owners = reply.u32(0x0649);
    /** @type {Track[]} */
    const tracks = Array.from(reply.u32(0x0648), (name, id) => ({
        id,
        kind: TRACK_KINDS[kinds[id]] ?? 'async',
        name: client.name(trace, name) || `track ${id}`,
        domain: domainOf(domains[id]),
        clock: clocks[id] === NONE ? -1 : clocks[id],
        boundNs: Number(bounds[id]),
        firstLane: lanes[id],
        laneCount: laneCounts[id],
        group: groups[id],
        spans: spans[id],
        counter: -1,
        unit: '',
        low: NaN,
        high: NaN,
        process: processes[owners[id]] ?? null,
    }));
    return {
        tracks: [...tracks.filter((track) => track.kind !== 'counter'), ...readCounters(reply, client, trace, tracks)],
        laneTrack: reply.u32(0x0658),
        laneDepth: reply.u32(0x0659),
    };
}

/** @param {Reply} reply @param {Client} client @param {number} trace @returns {import('../model/layout.js').Process[]} position = number */
function readProcesses(reply, client, trace) {
    const ids = reply.i64(0x0641);
    const groups = reply.u32(0x0642);
    return Array.from(reply.u32(0x0640), (name, i) => ({ group: groups[i], name: client.name(trace, name) || `process ${ids[i]}` }));
}

/** @param {Reply} reply @param {Client} client @param {number} trace @param {readonly Track[]} tracks @returns {Track[]} */
function readCounters(reply, client, trace, tracks) {
    const units = reply.u32(0x0661);
    const owners = reply.u32(0x0662);
    const samples = reply.u32(0x0663);
    return Array.from(reply.u32(0x0660), (name, counter) => ({
        id: COUNTER_IDS + counter,
        kind: 'counter',
        name: client.name(trace, name) || `counter ${counter}`,
        domain: 'host',
        clock: -1,
        boundNs: -1,
        firstLane: 0,
        laneCount: 0,
        group: 0,
        spans: samples[counter] ?? 0,
        counter,
        unit: client.name(trace, units[counter] ?? 0),
        low: NaN,
        high: NaN,
        process: tracks[owners[counter]]?.process ?? null,
    }));
}
