// SPDX-License-Identifier: MIT
// @ts-check
/* What the timeline is focused on: spans, and how far dependencies are followed from them. */

/** @typedef {'both' | 'out' | 'in'} Direction */
/**
 * @typedef {object} Focus
 * @property {number[]} seeds rows, in the order in which they were chosen
 * @property {Direction} direction
 * @property {number | null} hops null: as far as it goes
 */
/**
 * @typedef {object} FocusAnswer
 * @property {number} rows reached, the seeds among them
 * @property {number} seeds rows that there are
 * @property {number} repeated
 * @property {number} missing seeds that are no rows
 * @property {number} notFollowed rows behind which nothing was looked for: too many
 * @property {number} frontier rows of the last hop
 * @property {number[]} hops rows first reached by so many
 */

/** @type {readonly Direction[]} */
export const DIRECTIONS = ['both', 'out', 'in'];
export const DIRECTION_WORDS = { both: 'either way', out: 'what they woke', in: 'what they waited for' };
export const DEFAULT_HOPS = 2;
const MOST_SEEDS = 64;
const MOST_HOPS = 1024;

/** As in the address: seeds, direction, hops. @param {Focus} focus */
export function formatFocus(focus) {
    return `${focus.seeds.join(',')}:${focus.direction}:${focus.hops ?? 'all'}`;
}

/** @param {string} value @returns {Focus | null} */
export function parseFocus(value) {
    const match = /^(\d{1,10}(?:,\d{1,10}){0,63}):(both|out|in):(\d{1,4}|all)$/.exec(value);
    if (!match) {
        return null;
    }
    const hops = match[3] === 'all' ? null : Math.min(MOST_HOPS, Number(match[3]));
    const seeds = [...new Set(match[1].split(',').map(Number))];
    return { seeds, direction: DIRECTIONS.find((item) => item === match[2]) ?? 'both', hops };
}

/** A seed more, or less; null when none is left. @param {Focus | null} focus @param {number} row @returns {Focus | null} */
export function toggleSeed(focus, row) {
    if (!focus) {
        return { seeds: [row], direction: 'both', hops: DEFAULT_HOPS };
    }
    const seeds = focus.seeds.includes(row) ? focus.seeds.filter((seed) => seed !== row) : [...focus.seeds, row].slice(-MOST_SEEDS);
    return seeds.length > 0 ? { ...focus, seeds } : null;
}

/** One hop more or less; after the last the whole way. @param {Focus} focus @param {1 | -1} step @returns {Focus} */
export function stepHops(focus, step) {
    const most = 8;
    if (focus.hops === null) {
        return { ...focus, hops: step < 0 ? most : null };
    }
    const hops = focus.hops + step;
    return { ...focus, hops: hops > most ? null : Math.max(0, hops) };
}

/** @param {Focus} focus @returns {Focus} */
export function nextDirection(focus) {
    const at = DIRECTIONS.indexOf(focus.direction);
    return { ...focus, direction: DIRECTIONS[(at + 1) % DIRECTIONS.length] };
}
