// SPDX-License-Identifier: MIT
// @ts-check
/* Figures over many spans, in steps: groups by any dimension, histograms, time buckets, scores. docs/PROTOCOL.md, 33 to 36. */

import { FLAG, KIND } from './client.js';
import { runTask } from './tasks.js';
import { i64Section, u32Section, u64Section } from './wire.js';

/** @typedef {import('./client.js').Client} Client */
/** @typedef {import('./views.js').Order} Order */
/** @typedef {import('./wire.js').Section} Section */
/** @typedef {import('./tasks.js').TaskProgress} TaskProgress */
/** @typedef {import('../model/analysis.js').Groups} Groups */
/** @typedef {import('../model/analysis.js').Histogram} Histogram */
/** @typedef {import('../model/analysis.js').Buckets} Buckets */
/** @typedef {import('../model/anomalies.js').Anomalies} Anomalies */
/** @typedef {import('../model/analysis.js').Dimension} Dimension */
/** @typedef {import('../model/analysis.js').Measure} Measure */
/** @typedef {{ startNs: bigint, endNs: bigint }} Range */
/**
 * Which spans are meant: all of it together; null, empty and 0 mean everything.
 * @typedef {object} Selection
 * @property {Range | null} window
 * @property {import('../model/frames.js').FrameRange | null} frames
 * @property {readonly number[]} tracks
 * @property {number} filter
 */
/** @typedef {(progress: TaskProgress) => void} Tell */

const NONE = 0xffffffff;
const PAGE_ROWS = 65536;
/** Unusual spans that a person may want to scroll through. */
const MOST_ODD = 10000;
const MEASURES = { duration: 0, clipped: 1, self: 2, depth: 3 };
/** Numbers of dimensions. */
export const DIMENSIONS = { all: 0, name: 1, category: 2, lane: 3, track: 4, process: 5, classes: 6, status: 7, frame: 8, pass: 9, scope: 10, depth: 11 };

/** @param {number} kind @param {Selection} selection @returns {Section[]} */
export function selectionSections(kind, selection) {
    const base = kind * 256;
    /** @type {Section[]} */
    const sections = [u32Section(base + 5, [selection.filter]), u32Section(base + 3, selection.tracks)];
    if (selection.window) {
        sections.push(i64Section(base + 1, [selection.window.startNs, selection.window.endNs]));
    }
    if (selection.frames) {
        sections.push(u32Section(base + 2, [selection.frames.first, selection.frames.last + 1]));
    }
    return sections;
}

/**
 * @param {Client} client @param {number} trace
 * @param {{ selection: Selection, by: Dimension, measure: Measure, percentiles: boolean }} question @param {Order} order @param {Tell} tell
 * @param {(groups: Groups) => void} [part] all but percentiles, which come last and are 0 there
 * @returns {Promise<Groups>}
 */
export async function askGroups(client, trace, question, order, tell, part = () => {}) {
    const reply = await runTask(client, trace, KIND.AGGREGATE, [
        ...selectionSections(KIND.AGGREGATE, question.selection),
        u32Section(0x2108, [DIMENSIONS[question.by]]),
        u32Section(0x2109, [MEASURES[question.measure]]),
        u32Section(0x210b, [question.percentiles ? 1 : 0]),
        u32Section(0x210e, [PAGE_ROWS]),
    ], order, tell, (some) => part(readGroups(client, trace, some)));
    return readGroups(client, trace, reply);
}

/** @param {Client} client @param {number} trace @param {import('./wire.js').Reply} reply @returns {Groups} */
function readGroups(client, trace, reply) {
    const [keys, names, clocks, largest] = [0x2148, 0x2149, 0x214a, 0x2155].map((tag) => reply.u32(tag));
    const [count, errors, unfinished, sum, mean, min, max, median, p95] =
        [0x214c, 0x214d, 0x214e, 0x214f, 0x2150, 0x2151, 0x2152, 0x2153, 0x2154].map((tag) => reply.u64(tag));
    const [selected, keyless] = Array.from(reply.u64(0x2141), Number);
    const states = reply.u8(0x214b);
    return {
        all: reply.one(0x2140, keys.length),
        selected,
        keyless,
        clipped: reply.u8(0x2142)[0] === 1,
        rows: Array.from(keys, (key, i) => ({
            key,
            name: client.name(trace, names[i]),
            clock: clocks[i],
            measured: (states[i] & 1) !== 0,
            saturated: (states[i] & 2) !== 0,
            count: Number(count[i]),
            errors: Number(errors[i]),
            unfinished: Number(unfinished[i]),
            sum: sum[i],
            mean: mean[i],
            min: min[i],
            max: max[i],
            median: median[i],
            p95: p95[i],
            largest: largest[i] === NONE ? null : largest[i],
        })),
    };
}

/**
 * Counts by powers of two.
 * @param {Client} client @param {number} trace @param {{ selection: Selection, measure: Measure }} question @param {Order} order @param {Tell} tell
 * @returns {Promise<Histogram>}
 */
export async function askHistogram(client, trace, question, order, tell) {
    const ask = (/** @type {Section[]} */ ...bins) => runTask(client, trace, KIND.HISTOGRAM,
        [...selectionSections(KIND.HISTOGRAM, question.selection), u32Section(0x2208, [MEASURES[question.measure]]), ...bins], order, tell);
    const reply = await ask(u32Section(0x2209, [1]));
    // Bins of equal widths begin and end with what there is.
    const [shortest = 0n, longest = 0n] = (await ask(u32Section(0x2209, [0]), u32Section(0x220a, [1]))).u64(0x2248);
    const [measured, , , unfinished] = Array.from(reply.u64(0x2249), Number);
    return {
        first: reply.u64(0x2240),
        last: reply.u64(0x2241),
        count: Float64Array.from(reply.u64(0x2242), Number),
        measured,
        unfinished,
        shortest,
        longest,
    };
}

/**
 * @param {Client} client @param {number} trace @param {{ selection: Selection, count: number }} question @param {Order} order @param {Tell} tell
 * @returns {Promise<Buckets>}
 */
export async function askBuckets(client, trace, question, order, tell) {
    const reply = await runTask(client, trace, KIND.BUCKETS, [
        ...selectionSections(KIND.BUCKETS, question.selection),
        u32Section(0x2308, [question.count]),
    ], order, tell);
    const [startNs, endNs] = reply.i64(0x2340);
    const numbers = (/** @type {number} */ tag) => Float64Array.from(reply.u64(tag), Number);
    return {
        startNs,
        endNs,
        lanes: reply.one(0x2341, 0),
        starts: numbers(0x2348),
        count: numbers(0x2349),
        covered: numbers(0x234a),
        sum: numbers(0x234b),
        capacity: numbers(0x234c),
        peak: reply.u32(0x234e),
    };
}

/** What something is compared with. @typedef {{ window: Range | null, frames: import('../model/frames.js').FrameRange | null, trace: number }} Baseline trace 0: the same */

/** Of the kinds that compare. @param {number} kind @param {Baseline} baseline @returns {Section[]} */
export function baseSections(kind, baseline) {
    const base = kind * 256;
    const sections = [u32Section(base + 15, [baseline.trace])];
    return [...sections,
        ...(baseline.window ? [i64Section(base + 12, [baseline.window.startNs, baseline.window.endNs])] : []),
        ...(baseline.frames ? [u32Section(base + 13, [baseline.frames.first, baseline.frames.last + 1])] : [])];
}

/**
 * @param {Client} client @param {number} trace
 * @param {{ selection: Selection, baseline: Baseline, by: Dimension, thresholdMicro: bigint, twoSided: boolean }} question
 * @param {Order} order @param {Tell} tell
 * @returns {Promise<Anomalies>}
 */
export async function askAnomalies(client, trace, question, order, tell) {
    const { selection, baseline, by, thresholdMicro, twoSided } = question;
    const sections = [
        ...selectionSections(KIND.ANOMALIES, selection),
        ...baseSections(KIND.ANOMALIES, baseline),
        u32Section(0x2408, [DIMENSIONS[by]]),
        u64Section(0x240a, [0n, 0n, thresholdMicro, 0n, 0n]),
        u32Section(0x240b, [twoSided ? 1 : 0]),
        u32Section(0x2410, [MOST_ODD]),
        u32Section(0x2411, [1]),
    ];
    const reply = await runTask(client, trace, KIND.ANOMALIES, sections, order, tell);
    const [row, names, tracks] = [0x2448, 0x2449, 0x244a].map((tag) => reply.u32(tag));
    const [durations, scores, means, deviations, peers] = [0x244b, 0x244c, 0x244d, 0x244e, 0x244f].map((tag) => reply.u64(tag));
    const errors = reply.u8(0x2450);
    const starts = reply.i64(0x2451);
    return {
        scores: reply.one(0x2440, 0),
        reasons: Array.from(reply.u64(0x2441), Number),
        anomalous: Number(reply.u64(0x2442)[0] ?? 0n),
        cut: (reply.flags & FLAG.OVERFLOW) !== 0,
        rows: Array.from(row, (id, i) => ({
            row: id,
            name: client.name(trace, names[i]),
            track: tracks[i],
            startNs: starts[i],
            durationNs: durations[i],
            score: Number(scores[i]) / 1e6,
            meanNs: means[i],
            deviationNs: deviations[i],
            peers: Number(peers[i]),
            error: errors[i] === 1,
        })),
    };
}
