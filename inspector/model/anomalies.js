// SPDX-License-Identifier: MIT
// @ts-check
/* How unusual spans are, against peers that somebody chose. */

/** What the peers are: nothing yet, the chosen frames, what is on screen, the whole trace, another file. @typedef {'off' | 'frames' | 'window' | 'all' | 'file'} BaselineOf */
/**
 * @typedef {object} AnomalyPlace
 * @property {BaselineOf} base
 * @property {{ startNs: bigint, endNs: bigint } | null} window of the base, fixed when it was chosen
 * @property {{ first: number, last: number } | null} frames likewise
 * @property {number} file likewise
 * @property {boolean} twoSided shorter than usual is unusual, too
 */
/**
 * @typedef {object} Anomalies
 * @property {number} scores number of the kept scores
 * @property {number[]} reasons rows by why they have a score, or none
 * @property {number} anomalous
 * @property {boolean} cut
 * @property {AnomalyRow[]} rows
 */
/**
 * @typedef {object} AnomalyRow
 * @property {number} row
 * @property {string} name
 * @property {number} track
 * @property {bigint} startNs
 * @property {bigint} durationNs
 * @property {number} score
 * @property {bigint} meanNs
 * @property {bigint} deviationNs
 * @property {number} peers
 * @property {boolean} error
 */

/** @type {readonly BaselineOf[]} */
export const BASELINES = ['off', 'frames', 'window', 'all', 'file'];
export const BASELINE_WORDS = { off: 'off', frames: 'chosen frames', window: 'what is on screen', all: 'whole trace', file: 'other file' };
/** @type {AnomalyPlace} */
export const NO_BASELINE = { base: 'off', window: null, frames: null, file: 0, twoSided: false };
/** In the order of the reasons. */
export const REASONS = ['scored', 'scored, more than fits', 'left out by the selection', 'without an end', 'of no group', 'no peers in the baseline',
    'peers only on other clocks', 'too few peers', 'a baseline that cannot be'];
export const THRESHOLD = 3;

/** @param {AnomalyPlace} place */
export function formatBaseline(place) {
    const part = place.base === 'frames' && place.frames ? `:${place.frames.first}:${place.frames.last}`
        : place.base === 'window' && place.window ? `:${place.window.startNs}:${place.window.endNs}`
            : place.base === 'file' ? `:${place.file}` : '';
    return `${place.base}${part}${place.twoSided ? ',both' : ''}`;
}

/** @param {string} value @returns {AnomalyPlace} */
export function parseBaseline(value) {
    const match = /^(frames|window|all|file)((?::-?\d{1,19})*)(,both)?$/.exec(value);
    if (!match) {
        return NO_BASELINE;
    }
    const numbers = match[2].split(':').slice(1).map(BigInt);
    const place = { ...NO_BASELINE, twoSided: match[3] !== undefined };
    if (match[1] === 'all') {
        return { ...place, base: 'all' };
    }
    if (match[1] === 'file' && numbers.length === 1) {
        return { ...place, base: 'file', file: Number(numbers[0]) };
    }
    if (numbers.length !== 2 || numbers[0] > numbers[1]) {
        return NO_BASELINE;
    }
    return match[1] === 'frames' ? { ...place, base: 'frames', frames: { first: Number(numbers[0]), last: Number(numbers[1]) } }
        : { ...place, base: 'window', window: { startNs: numbers[0], endNs: numbers[1] + (numbers[0] === numbers[1] ? 1n : 0n) } };
}
