// SPDX-License-Identifier: MIT
// @ts-check
/* Figures over many spans: what can be asked for, and what comes back. */

/** @typedef {'all' | 'name' | 'category' | 'lane' | 'track' | 'process' | 'classes' | 'status' | 'frame' | 'pass' | 'scope' | 'depth'} Dimension */
/** @typedef {'duration' | 'clipped' | 'self' | 'depth'} Measure */
/**
 * @typedef {object} GroupRow
 * @property {number} key
 * @property {string} name empty where a number is all there is
 * @property {number} clock
 * @property {boolean} measured
 * @property {boolean} saturated the sum does not fit
 * @property {number} count complete spans
 * @property {number} errors
 * @property {number} unfinished
 * @property {bigint} sum
 * @property {bigint} mean
 * @property {bigint} min
 * @property {bigint} max
 * @property {bigint} median
 * @property {bigint} p95
 * @property {number | null} largest row
 */
/** @typedef {{ all: number, selected: number, keyless: number, clipped: boolean, rows: GroupRow[] }} Groups */
/** @typedef {{ first: BigUint64Array, last: BigUint64Array, count: Float64Array, shortest: bigint, longest: bigint, measured: number, unfinished: number }} Histogram */
/**
 * @typedef {object} Buckets
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {number} lanes over which utilisation is told
 * @property {Float64Array} starts
 * @property {Float64Array} count
 * @property {Float64Array} covered ns
 * @property {Float64Array} sum ns
 * @property {Float64Array} capacity ns
 * @property {Uint32Array} peak
 */

/** What spans are. By the bits of their classes. */
const CLASS_WORDS = ['frame', 'encode', 'GPU pass', 'scope', 'fragment', 'outside any pass', 'zone', 'wait', 'async', 'subpass', 'runtime', 'present'];
export const STATUS_WORDS = ['complete', 'unfinished', 'lost', 'error', 'ended by force'];

/** Name of a group. @param {Dimension} by @param {GroupRow} row */
export function groupName(by, row) {
    switch (by) {
        case 'classes': {
            const words = CLASS_WORDS.filter((_, bit) => row.key & (1 << bit));
            return words.length > 0 ? words.join(', ') : 'none told';
        }
        case 'status': return STATUS_WORDS[row.key] ?? String(row.key);
        case 'depth': return `depth ${row.key}`;
        case 'frame': return `frame ${row.key}`;
        case 'lane': return `${row.name || 'lane'} (lane ${row.key})`;
        case 'category': return row.name || '(no category)';
        default: return row.name || '(no name)';
    }
}

/** Mean concurrency of bucket i. @param {Buckets} buckets @param {number} i */
export function concurrency(buckets, i) {
    const length = Number(buckets.endNs - buckets.startNs) / Math.max(1, buckets.sum.length);
    return length > 0 ? buckets.sum[i] / length : 0;
}

/** Share of the lanes' time that is used in bucket i. @param {Buckets} buckets @param {number} i */
export function utilisation(buckets, i) {
    return buckets.capacity[i] > 0 ? Math.min(1, buckets.sum[i] / buckets.capacity[i]) : 0;
}
