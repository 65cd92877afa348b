// SPDX-License-Identifier: MIT
// @ts-check
/* How unusual spans are, against peers that somebody chose. */

/**
 * What the peers are: nothing yet, the chosen frames, what is on screen, the measured range, the whole trace, another file.
 * @typedef {'off' | 'frames' | 'window' | 'measured' | 'all' | 'file'} BaselineOf
 */
/** What peers have in common. @typedef {'name' | 'pass' | 'scope' | 'category' | 'track' | 'process' | 'depth' | 'classes' | 'all'} PeersBy */
/**
 * @typedef {object} AnomalyPlace
 * @property {BaselineOf} base
 * @property {{ startNs: bigint, endNs: bigint } | null} window of the base, fixed when it was chosen
 * @property {{ first: number, last: number } | null} frames likewise
 * @property {number} file likewise
 * @property {boolean} twoSided shorter than usual is unusual, too
 * @property {PeersBy} by
 * @property {number} from deviations that make a span unusual
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
export const BASELINES = ['off', 'frames', 'window', 'measured', 'all', 'file'];
export const BASELINE_WORDS = {
    off: 'off', frames: 'chosen frames', window: 'what is on screen', measured: 'the measured range', all: 'whole trace', file: 'file',
};
/** @type {readonly PeersBy[]} */
export const PEERS_BY = ['name', 'pass', 'scope', 'category', 'track', 'process', 'depth', 'classes', 'all'];
export const PEERS_WORDS = {
    name: 'one name', pass: 'one pass', scope: 'one scope', category: 'one category', track: 'one track', process: 'one process', depth: 'one depth',
    classes: 'one kind of span', all: 'all spans',
};
export const DEFAULT_FROM = 3;
export const MOST_FROM = 1000;
/** @type {AnomalyPlace} */
export const NO_BASELINE = { base: 'off', window: null, frames: null, file: 0, twoSided: false, by: 'name', from: DEFAULT_FROM };
/** In the order of the reasons. */
export const REASONS = ['scored', 'scored, more than fits', 'left out by the filter', 'without an end', 'of no group', 'no peers in the baseline',
    'peers only on other clocks', 'too few peers', 'a baseline that cannot be'];

/** Do the spans of the view tell how unusual they are? @param {{ anomalies: Anomalies | null, view: import('./lanes.js').TimelineView | null }} state */
export function isTinted({ anomalies, view }) {
    return (anomalies?.scores ?? 0) > 0 && view !== null && view.spans.tint.length === view.spans.row.length;
}

/** From here on a tint says that a span is unusual. */
export const TINTED_FROM = 128;

/** Reasons that are scores come first. */
const SCORED = 2;

/** Rows that were scored, and the others by reason. @param {readonly number[]} reasons */
export function reasonCounts(reasons) {
    const scored = reasons.slice(0, SCORED).reduce((sum, count) => sum + count, 0);
    const without = reasons.slice(SCORED).map((count, i) => ({ count, text: REASONS[SCORED + i] })).filter(({ count }) => count > 0);
    return { scored, without, notScored: without.reduce((sum, { count }) => sum + count, 0) };
}

/** What a person wrote as a number of deviations; null where it is none. @param {string} text */
export function readFrom(text) {
    const from = /^\s*\d{1,4}(\.\d{1,6})?\s*$/.test(text) ? Number(text) : 0;
    return from > 0 && from <= MOST_FROM ? from : null;
}

/** @param {AnomalyPlace} place */
export function formatBaseline(place) {
    const { base, frames, window } = place;
    const part = base === 'frames' && frames ? `:${frames.first}:${frames.last}`
        : (base === 'window' || base === 'measured') && window ? `:${window.startNs}:${window.endNs}`
            : base === 'file' ? `:${place.file}` : '';
    const options = [place.by === 'name' ? '' : `by:${place.by}`, place.from === DEFAULT_FROM ? '' : `from:${place.from}`, place.twoSided ? 'both' : ''];
    return [`${base}${part}`, ...options.filter(Boolean)].join(',');
}

/** @param {AnomalyPlace} place @param {readonly string[]} options @returns {AnomalyPlace} */
function withOptions(place, options) {
    return options.reduce((made, option) => {
        const [key, value = ''] = option.split(':');
        return key === 'both' ? { ...made, twoSided: true }
            : key === 'by' ? { ...made, by: PEERS_BY.find((item) => item === value) ?? made.by }
                : key === 'from' ? { ...made, from: readFrom(value) ?? made.from } : made;
    }, place);
}

/** @param {string} value @returns {AnomalyPlace} */
export function parseBaseline(value) {
    const [head, ...options] = value.split(',');
    const match = /^(frames|window|measured|all|file)((?::-?\d{1,19})*)$/.exec(head);
    if (!match) {
        return NO_BASELINE;
    }
    const base = BASELINES.find((item) => item === match[1]) ?? 'off';
    const numbers = match[2].split(':').slice(1).map(BigInt);
    const place = withOptions({ ...NO_BASELINE, base }, options);
    if (base === 'all') {
        return place;
    }
    if (base === 'file' && numbers.length === 1) {
        return { ...place, file: Number(numbers[0]) };
    }
    if (numbers.length !== 2 || numbers[0] > numbers[1]) {
        return NO_BASELINE;
    }
    return base === 'frames' ? { ...place, frames: { first: Number(numbers[0]), last: Number(numbers[1]) } }
        : base === 'file' ? NO_BASELINE : { ...place, window: { startNs: numbers[0], endNs: numbers[1] + (numbers[0] === numbers[1] ? 1n : 0n) } };
}
