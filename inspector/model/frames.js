// SPDX-License-Identifier: MIT
// @ts-check
/* What the frame strip shows: columns, its scale, hitches and changes, and which frame is where. */

/**
 * Frames in order, as columns. A duration below zero is not known.
 * @typedef {object} FrameTable
 * @property {number} count
 * @property {BigInt64Array} id the recorder's frame number
 * @property {BigInt64Array} startNs
 * @property {Float64Array} cpuNs
 * @property {Float64Array} gpuNs
 * @property {Uint32Array} spans
 * @property {Uint32Array} dropped
 * @property {Uint16Array} flags of FRAME
 * @property {FrameDetail | null} detail what only a loaded trace knows
 */
/**
 * @typedef {object} FrameDetail
 * @property {BigInt64Array} endNs of the CPU side
 * @property {Float64Array} gpuBusyNs
 * @property {BigInt64Array} gpuStartNs
 * @property {BigInt64Array} gpuEndNs
 * @property {Uint32Array} topology NO_TOPOLOGY where none was recorded
 * @property {Uint8Array} fresh 1 where the structure is one that no frame before had; the first frame is none
 * @property {Uint8Array} verdict by VERDICTS of verdict.js
 * @property {Float64Array} frameNs to the next frame's begin
 * @property {Float64Array} cpuWorkNs without what was waited
 * @property {Float64Array} presentWaitNs
 * @property {Uint32Array} missing GPU passes whose times never came
 * @property {Float64Array} latencyNs submit to results
 * @property {Float64Array} overheadNs the recorder's own
 * @property {Uint8Array} level of the recording
 */
/** @typedef {{ first: number, last: number }} FrameRange both included */

export const NO_TOPOLOGY = 0xffffffff;
/** Flags of a frame; the engine decides them, by the rule in docs/PROTOCOL.md. */
export const FRAME = Object.freeze({ GPU_HITCH: 1, CPU_HITCH: 2, DROPPED: 4, NO_GPU: 8, NEW_TOPOLOGY: 16, NOTE: 32, DEVICE_LOST: 64, INFERRED: 128, PAUSE: 256 });
const HITCH = FRAME.GPU_HITCH | FRAME.CPU_HITCH;

/** @param {number} count @returns {FrameTable} */
export function emptyFrames(count = 0) {
    return {
        count,
        id: new BigInt64Array(count),
        startNs: new BigInt64Array(count),
        cpuNs: new Float64Array(count).fill(-1),
        gpuNs: new Float64Array(count).fill(-1),
        spans: new Uint32Array(count),
        dropped: new Uint32Array(count),
        flags: new Uint16Array(count),
        detail: null,
    };
}

/** False: the program has no GPU, so no times of one are missing. @param {FrameTable} frames @param {number} index */
export function mayHaveGpu(frames, index) {
    return frames.gpuNs[index] >= 0 || (frames.flags[index] & FRAME.NO_GPU) !== 0;
}

/** @param {FrameTable} frames @param {number} index */
export function isHitch(frames, index) {
    return (frames.flags[index] & HITCH) !== 0;
}

/**
 * Frames whose structure appears for the first time, the very first left out.
 * @param {Uint32Array} topology
 */
export function firstUses(topology) {
    const fresh = new Uint8Array(topology.length);
    /** @type {Set<number>} */
    const seen = new Set();
    topology.forEach((id, i) => {
        if (id !== NO_TOPOLOGY && !seen.has(id)) {
            fresh[i] = seen.size > 0 ? 1 : 0;
            seen.add(id);
        }
    });
    return fresh;
}

/** The first frames of a recording make pipelines and fill caches: they hitch and explain nothing. */
export const WARM_UP_FRAMES = 5;

/** @param {number} index of a frame */
export function isWarmUp(index) {
    return index < WARM_UP_FRAMES;
}

/** @param {FrameTable} frames @param {number} flags one of these @param {number} first @param {number} end */
function longestOf(frames, flags, first, end) {
    let longest = -1;
    for (let i = first; i < end; i += 1) {
        if (frames.flags[i] & flags && (longest < 0 || frameNs(frames, i) > frameNs(frames, longest))) {
            longest = i;
        }
    }
    return longest;
}

/**
 * The longest hitch after the warm-up, or in it when there is no other; -1 when there is none.
 * @param {FrameTable} frames
 */
export function longestHitch(frames) {
    const settled = longestOf(frames, HITCH, WARM_UP_FRAMES, frames.count);
    return settled >= 0 ? settled : longestOf(frames, HITCH, 0, Math.min(WARM_UP_FRAMES, frames.count));
}

/**
 * The hitch to look at first: the longest of the GPU after the warm-up, whose passes are what a capture knows best, else the longest
 * of all; -1 when there is none.
 * @param {FrameTable} frames
 */
export function worstHitch(frames) {
    const ofGpu = longestOf(frames, FRAME.GPU_HITCH, WARM_UP_FRAMES, frames.count);
    return ofGpu >= 0 ? ofGpu : longestHitch(frames);
}

/**
 * The next hitch from a frame on, wrapping around; -1 when there is none.
 * @param {FrameTable} frames
 * @param {number} from
 * @param {1 | -1} step
 */
export function nextHitch(frames, from, step) {
    for (let i = 1; i <= frames.count; i++) {
        const index = (((from + i * step) % frames.count) + frames.count) % frames.count;
        if (isHitch(frames, index)) {
            return index;
        }
    }
    return -1;
}

/** Nearest-rank percentile of sorted values. @param {ArrayLike<number>} sorted @param {number} p */
export function percentile(sorted, p) {
    return sorted.length === 0 ? NaN : sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}

/** Known values of a column, sorted. @param {Float64Array} column */
export function sortedKnown(column) {
    return column.filter((value) => value >= 0).sort();
}

/**
 * What a frame took: the longer of both sides; below zero where neither is known.
 * @param {FrameTable} frames
 * @param {number} index
 */
export function frameNs(frames, index) {
    return Math.max(frames.cpuNs[index], frames.gpuNs[index]);
}

/**
 * The top of the scale. One extreme frame must not flatten all others: past four times p95 bars are cut and marked.
 * @param {FrameTable} frames
 * @returns {{ topNs: number, medianNs: number, cut: boolean }}
 */
export function stripScale(frames) {
    const both = new Float64Array(frames.count);
    for (let i = 0; i < frames.count; i++) {
        both[i] = frameNs(frames, i);
    }
    const known = sortedKnown(both);
    if (known.length === 0) {
        return { topNs: 1, medianNs: NaN, cut: false };
    }
    const largest = known[known.length - 1];
    const limit = 4 * percentile(known, 0.95);
    const cut = limit > 0 && largest > limit;
    return { topNs: Math.max(1, (cut ? limit : largest) * 1.08), medianNs: percentile(known, 0.5), cut };
}

/**
 * Round values to label the scale with.
 * @param {number} topNs
 * @param {number} [about] how many steps there is room for
 * @returns {number[]} ascending, zero first
 */
export function scaleMarks(topNs, about = 2.2) {
    const raw = topNs / about;
    const power = 10 ** Math.floor(Math.log10(Math.max(1, raw)));
    const step = ([1, 2, 2.5, 5, 10].find((n) => n * power >= raw) ?? 10) * power;
    const marks = [];
    for (let value = 0; value <= topNs; value += step) {
        marks.push(value);
    }
    return marks;
}

/**
 * One column of the strip: a frame, or the largest of several when there are more frames than room.
 * @typedef {object} StripColumn
 * @property {number} x left edge in px
 * @property {number} width px, gap included
 * @property {number} first
 * @property {number} last
 * @property {number} gpuNs
 * @property {number} cpuNs
 * @property {number} dropped
 * @property {number} flags of all frames in it
 * @property {boolean} fresh one of them has a structure that no frame before it had
 */

/**
 * @param {FrameTable} frames
 * @param {number} widthPx
 * @returns {StripColumn[]}
 */
export function stripColumns(frames, widthPx) {
    const { count } = frames;
    if (count === 0 || widthPx <= 0) {
        return [];
    }
    const columns = Math.min(count, Math.max(1, Math.floor(widthPx)));
    /** @type {StripColumn[]} */
    const list = [];
    for (let c = 0; c < columns; c++) {
        const first = Math.floor((c * count) / columns);
        const last = Math.max(first, Math.floor(((c + 1) * count) / columns) - 1);
        const x = (first * widthPx) / count;
        const column = { x, width: ((last + 1) * widthPx) / count - x, first, last, gpuNs: -1, cpuNs: -1, dropped: 0, flags: 0, fresh: false };
        for (let i = first; i <= last; i++) {
            column.gpuNs = Math.max(column.gpuNs, frames.gpuNs[i]);
            column.cpuNs = Math.max(column.cpuNs, frames.cpuNs[i]);
            column.dropped += frames.dropped[i];
            column.flags |= frames.flags[i];
            column.fresh ||= frames.detail?.fresh[i] === 1;
        }
        list.push(column);
    }
    return list;
}

/**
 * @param {number} px
 * @param {number} widthPx
 * @param {number} count
 * @returns {number} frame index, -1 when there is none
 */
export function frameAtPx(px, widthPx, count) {
    if (count === 0 || widthPx <= 0) {
        return -1;
    }
    return Math.min(count - 1, Math.max(0, Math.floor((px * count) / widthPx)));
}

/** Index of the frame with a number, or -1. @param {FrameTable} frames @param {bigint} id */
export function frameIndexOf(frames, id) {
    let low = 0;
    let high = frames.count - 1;
    while (low <= high) {
        const middle = (low + high) >> 1;
        const value = frames.id[middle];
        if (value === id) {
            return middle;
        }
        if (value < id) {
            low = middle + 1;
        } else {
            high = middle - 1;
        }
    }
    return -1;
}

/**
 * The frame that is running at a time: the last that started by then; -1 before the first.
 * @param {FrameTable} frames
 * @param {bigint} timeNs
 */
export function frameAtTime(frames, timeNs) {
    let low = 0;
    let high = frames.count;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (frames.startNs[middle] <= timeNs) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low - 1;
}

/**
 * All that belongs to a range of frames, on both sides.
 * @param {FrameTable} frames
 * @param {FrameRange} range
 * @returns {{ startNs: bigint, endNs: bigint }}
 */
export function rangeExtent(frames, range) {
    let startNs = frames.startNs[range.first];
    let endNs = startNs;
    for (let i = range.first; i <= range.last; i++) {
        const start = frames.startNs[i];
        const ends = frames.detail
            ? [frames.detail.endNs[i], ...(frames.gpuNs[i] >= 0 ? [frames.detail.gpuEndNs[i]] : [])]
            : [start + BigInt(Math.max(0, Math.round(frameNs(frames, i))))];
        startNs = start < startNs ? start : startNs;
        for (const end of ends) {
            endNs = end > endNs ? end : endNs;
        }
    }
    return { startNs, endNs: endNs > startNs ? endNs : startNs + 1n };
}

/** @param {number} a @param {number} b @returns {FrameRange} */
export function rangeBetween(a, b) {
    return { first: Math.min(a, b), last: Math.max(a, b) };
}

/**
 * Any order, kept within the table.
 * @param {FrameRange} range
 * @param {number} count
 * @returns {FrameRange | null}
 */
export function clampRange(range, count) {
    if (count === 0) {
        return null;
    }
    const inside = (/** @type {number} */ v) => Math.min(count - 1, Math.max(0, v));
    return rangeBetween(inside(range.first), inside(range.last));
}
