// SPDX-License-Identifier: MIT
// @ts-check
/* Questions about a window of time: boxes, counters, marks. */

import { KIND, FLAG } from './client.js';
import { i64Section, u32Section, u8Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('../model/lanes.js').LaneView} LaneView */
/** @typedef {import('../model/lanes.js').TimelineView} TimelineView */
/** @typedef {import('../model/lanes.js').CounterView} CounterView */
/** @typedef {import('../model/lanes.js').Mark} Mark */
/** @typedef {import('../model/instants.js').InstantView} InstantView */

/**
 * @typedef {object} ViewQuestion
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {number} widthPx
 * @property {number[]} lanes
 * @property {number[]} groups
 * @property {number} filter
 * @property {number} fields columns that are wanted besides
 * @property {number[]} modes one for each lane, then group; 255 = none yet
 * @property {number} scores whose tints are wanted; 0 for none
 * @property {import('../model/address_explore.js').Detail} detail
 * @property {import('../model/address_explore.js').Handoff} handoff
 */
/** @typedef {{ channel: number, generation: number }} Order */

const NO_MODE = 255;
const DETAILS = { auto: 0, exact: 1, representative: 2, density: 3 };

/**
 * @param {Client} client @param {number} trace @param {ViewQuestion} question @param {Order} order
 * @returns {Promise<TimelineView>}
 */
export async function askView(client, trace, question, order) {
    const { startNs, endNs, widthPx, lanes, groups, filter, fields, modes, scores, detail, handoff } = question;
    const reply = await client.ask(KIND.VIEW, trace, [
        i64Section(0x0701, [startNs, endNs]),
        u32Section(0x0702, [widthPx]),
        u32Section(0x0703, lanes),
        u32Section(0x0704, groups),
        u32Section(0x0705, [filter]),
        u8Section(0x0707, modes),
        u32Section(0x0709, [fields]),
        u32Section(0x070a, [scores]),
        u32Section(0x070b, [DETAILS[detail], handoff === 'smooth' ? 1 : 0]),
    ], order);
    const ids = reply.u32(0x0748);
    const answered = reply.u8(0x0749);
    const spanRanges = reply.u32(0x074a);
    const binRanges = reply.u32(0x074b);
    const level = reply.one(0x0741, 0);
    const originBin = reply.i64(0x0742)[0] ?? 0n;
    const spans = {
        row: reply.u32(0x0750),
        begin: reply.f64(0x0751),
        end: reply.f64(0x0752),
        name: reply.u32(0x0753),
        flags: reply.u32(0x0755),
        scope: reply.u32(0x0759),
        origin: reply.u32(0x0757),
        tint: reply.u8(0x075a),
    };
    const offset = reply.u32(0x0760);
    const runs = reply.u32(0x0767);
    const bins = {
        offset,
        run: runs.length === offset.length ? runs : new Uint32Array(offset.length).fill(1),
        row: reply.u32(0x0761),
        name: reply.u32(0x0762),
        count: reply.u32(0x0764),
        cover: reply.f64(0x0765),
        flags: reply.u32(0x0766),
        scope: reply.u32(0x0769),
        origin: reply.u32(0x0768),
        longest: reply.f64(0x076a),
        tint: reply.u8(0x076b),
    };
    const binsModes = reply.u8(0x074c);
    const blends = reply.u8(0x074d);
    /** @type {LaneView[]} */
    const views = Array.from(ids, (id, i) => ({
        id,
        group: i >= lanes.length,
        mode: answered[i],
        binsMode: binsModes[i] ?? answered[i],
        blend: blends[i] ?? 255,
        firstSpan: spanRanges[i],
        lastSpan: spanRanges[i + 1],
        firstBin: binRanges[i],
        lastBin: binRanges[i + 1],
    }));
    return {
        startNs,
        endNs,
        widthPx,
        binNs: 2 ** level,
        // Where bin 0 of the reply begins, from the start of the window: at most one bin before it.
        binOriginNs: Number((originBin << BigInt(level)) - startNs),
        lanes: views,
        spans,
        bins,
        incomplete: (reply.flags & FLAG.OVERFLOW) !== 0 || answered.includes(NO_MODE),
    };
}

/**
 * @param {Client} client @param {number} trace
 * @param {{ startNs: bigint, endNs: bigint, widthPx: number, counters: number[] }} question
 * @param {Order} order
 * @returns {Promise<CounterView[]>}
 */
export async function askCounters(client, trace, question, order) {
    const { startNs, endNs, widthPx, counters } = question;
    const reply = await client.ask(KIND.COUNTERS, trace, [
        i64Section(0x0801, [startNs, endNs]),
        u32Section(0x0802, [widthPx]),
        u32Section(0x0803, counters),
    ], order);
    const level = reply.one(0x0841, 0);
    const binNs = 2 ** level;
    const origin = Number(((reply.i64(0x0842)[0] ?? 0n) << BigInt(level)) - startNs);
    const modes = reply.u8(0x0849);
    const sampleRanges = reply.u32(0x084a);
    const binRanges = reply.u32(0x084b);
    const [low, high, sampleTime, sampleValue, binLow, binHigh, binLast] =
        [0x084c, 0x084d, 0x0850, 0x0851, 0x0859, 0x085a, 0x085b].map((tag) => reply.f64(tag));
    const binOffset = reply.u32(0x0858);
    return Array.from(reply.u32(0x0848), (counter, i) => {
        const exact = modes[i] !== 1;
        const [from, to] = exact ? [sampleRanges[i], sampleRanges[i + 1]] : [binRanges[i], binRanges[i + 1]];
        return {
            counter,
            startNs,
            exact,
            low: low[i],
            high: high[i],
            time: exact ? sampleTime.slice(from, to) : Float64Array.from(binOffset.subarray(from, to), (bin) => origin + bin * binNs),
            value: exact ? sampleValue.slice(from, to) : binLast.slice(from, to),
            least: exact ? null : binLow.slice(from, to),
            most: exact ? null : binHigh.slice(from, to),
        };
    });
}

const NONE = 0xffffffff;
/** More markers than this in a window come as bins. */
const MAX_INSTANTS = 20000;

/**
 * The markers of a window.
 * @param {Client} client @param {number} trace
 * @param {{ startNs: bigint, endNs: bigint, widthPx: number }} question
 * @param {Order} order
 * @returns {Promise<InstantView>}
 */
export async function askInstants(client, trace, question, order) {
    const { startNs, endNs, widthPx } = question;
    const reply = await client.ask(KIND.MARKS, trace, [
        i64Section(0x0901, [startNs, endNs]),
        u32Section(0x0902, [1]),
        u32Section(0x0904, [MAX_INSTANTS]),
        u32Section(0x0905, [widthPx]),
    ], order);
    const counts = reply.u32(0x095b);
    const binned = counts.length > 0;
    const [times, tracks, names] = binned ? [reply.i64(0x095c), reply.u32(0x0959), reply.u32(0x095d)] : [reply.i64(0x0942), reply.u32(0x0943), reply.u32(0x0944)];
    const values = reply.i64(0x0947);
    const has = reply.u8(0x0946);
    return {
        startNs,
        all: reply.one(0x0940, times.length),
        binned,
        list: Array.from(times, (timeNs, i) => ({
            at: Number(timeNs - startNs),
            track: tracks[i] === NONE ? -1 : tracks[i],
            name: names[i],
            value: !binned && has[i] === 1 ? values[i] : null,
            count: binned ? counts[i] : 1,
        })),
    };
}

/**
 * How many markers each track has.
 * @param {Client} client @param {number} trace @param {{ startNs: bigint, endNs: bigint }} window
 * @returns {Promise<Map<number, number>>} by track; -1: of the whole capture
 */
export async function askInstantCounts(client, trace, { startNs, endNs }) {
    // As wide as one pixel: a bin or two for each track.
    const reply = await client.ask(KIND.MARKS, trace, [i64Section(0x0901, [startNs, endNs]), u32Section(0x0902, [1]), u32Section(0x0904, [1]), u32Section(0x0905, [1])]);
    const counts = reply.u32(0x095b);
    const binned = counts.length > 0;
    /** @type {Map<number, number>} */
    const sums = new Map();
    reply.u32(binned ? 0x0959 : 0x0943).forEach((id, i) => {
        const track = id === NONE ? -1 : id;
        sums.set(track, (sums.get(track) ?? 0) + (binned ? counts[i] : 1));
    });
    return sums;
}

/**
 * All notes, up to what is worth drawing.
 * @param {Client} client
 * @param {number} trace
 * @returns {Promise<{ marks: Mark[], all: number }>}
 */
export async function askMarks(client, trace) {
    const reply = await client.ask(KIND.MARKS, trace, [u32Section(0x0902, [2]), u32Section(0x0904, [10000])]);
    const times = reply.i64(0x0942);
    const tracks = reply.u32(0x0943);
    const names = reply.u32(0x0944);
    const frames = reply.u32(0x0945);
    const marks = Array.from(reply.u8(0x0941), (_, i) => ({
        timeNs: times[i],
        track: tracks[i] === 0xffffffff ? -1 : tracks[i],
        text: client.name(trace, names[i]),
        frame: frames[i] === 0xffffffff ? -1 : frames[i],
    }));
    return { marks, all: reply.one(0x0940, marks.length) };
}
