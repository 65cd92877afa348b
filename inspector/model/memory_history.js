// SPDX-License-Identifier: MIT
// @ts-check
/* Memory over the frames: what their graphs declare, and what the device said was in use. */

/** @typedef {import('./frames.js').FrameTable} FrameTable */
/** @typedef {import('./lanes.js').CounterView} CounterView */

/**
 * Frame graphs as a list. Bytes below zero are not known.
 * @typedef {object} TopologyBytes
 * @property {bigint[]} declared
 * @property {bigint[]} peak
 * @property {Uint32Array} unknown resources of unknown size, which are in neither
 */
/**
 * One value a frame; NaN where it is not known.
 * @typedef {object} MemoryHistory
 * @property {Float64Array} declared
 * @property {Float64Array} peak
 * @property {Uint32Array} unknown
 * @property {Float64Array | null} used null where the capture has no such counter
 * @property {Float64Array | null} budget
 */

/** @param {FrameTable} frames @param {TopologyBytes} topologies */
export function declaredByFrame(frames, topologies) {
    const declared = new Float64Array(frames.count).fill(NaN);
    const peak = new Float64Array(frames.count).fill(NaN);
    const unknown = new Uint32Array(frames.count);
    for (let i = 0; i < frames.count; i++) {
        const topology = frames.detail?.topology[i] ?? -1;
        const bytes = topologies.declared[topology];
        if (bytes !== undefined && bytes >= 0n) {
            declared[i] = Number(bytes);
            peak[i] = Number(topologies.peak[topology] ?? -1n) < 0 ? NaN : Number(topologies.peak[topology]);
        }
        unknown[i] = topologies.unknown[topology] ?? 0;
    }
    return { declared, peak, unknown };
}

/**
 * A counter at the end of each frame: a sample holds until the next one, and before the first nothing is known.
 * @param {FrameTable} frames
 * @param {CounterView} counter
 * @param {bigint} endNs of the trace
 */
export function counterByFrame(frames, counter, endNs) {
    const values = new Float64Array(frames.count).fill(NaN);
    let at = -1;
    for (let i = 0; i < frames.count; i++) {
        const until = Number((i + 1 < frames.count ? frames.startNs[i + 1] : endNs + 1n) - counter.startNs);
        while (at + 1 < counter.time.length && counter.time[at + 1] < until) {
            at += 1;
        }
        values[i] = at < 0 ? NaN : counter.value[at];
    }
    return values;
}

/** A budget that is further above is told in words: drawn, it would flatten all else. */
const FAR = 3;

/**
 * The top of the scale.
 * @param {MemoryHistory} history
 * @returns {{ top: number, budgetFits: boolean }}
 */
export function historyScale(history) {
    let most = 0;
    for (const column of [history.declared, history.peak, history.used]) {
        column?.forEach((value) => {
            most = value > most ? value : most;
        });
    }
    const budget = history.budget ? history.budget.reduce((best, value) => (value > best ? value : best), 0) : 0;
    const budgetFits = budget > 0 && budget <= most * FAR;
    return { top: Math.max(1, budgetFits ? budget : 0, most) * 1.06, budgetFits };
}

/** Round amounts of memory to label a scale with, zero first. @param {number} top @param {number} about steps that there is room for */
export function byteMarks(top, about) {
    const raw = Math.max(1, top / Math.max(1, about));
    const unit = 1024 ** Math.floor(Math.log(raw) / Math.log(1024));
    const step = ([1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024].find((n) => n * unit >= raw) ?? 1024) * unit;
    const marks = [];
    for (let value = 0; value <= top; value += step) {
        marks.push(value);
    }
    return marks;
}
