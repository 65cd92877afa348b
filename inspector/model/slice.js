// SPDX-License-Identifier: MIT
// @ts-check
/* What led to a span, and what followed from it, over dependencies. */

/** @typedef {'back' | 'on' | 'both'} SliceWay back: what led to it, on: what followed from it */
/**
 * @typedef {object} SlicePlace
 * @property {number} row whose causes and consequences
 * @property {SliceWay} way
 * @property {number | null} hops null: as far as it goes
 */
/**
 * @typedef {object} SliceItem
 * @property {number} row
 * @property {number} hops below 0: before the span
 * @property {number | null} via row that it was reached from, one hop nearer; null: the span itself
 * @property {number} family of the dependency between the two
 * @property {boolean} derived the dependency was not recorded: it follows from the frame graph
 * @property {bigint | null} gapNs from the end of the earlier one to the start of the later; null: the clocks do not tell it
 * @property {string} name
 * @property {number} track
 * @property {bigint} startNs
 * @property {bigint} endNs
 */
/**
 * @typedef {object} SliceAnswer
 * @property {SliceItem[]} items the span itself first, then by hops
 * @property {number} left rows next in line that there was no room for
 * @property {number} hidden dependencies to rows that are not shown
 * @property {boolean} more there is more behind the hops
 */

/** @type {readonly SliceWay[]} */
export const SLICE_WAYS = ['back', 'on', 'both'];
export const SLICE_WORDS = { back: 'what led to it', on: 'what followed from it', both: 'what led to it and what followed' };
export const MOST_SLICE_HOPS = 8;

/** @param {SlicePlace} slice */
export function formatSlice(slice) {
    return `${slice.row}:${slice.way}${slice.hops === null ? '' : `:${slice.hops}`}`;
}

/** @param {string} value @returns {SlicePlace | null} */
export function parseSlice(value) {
    const match = /^(\d{1,10}):(back|on|both)(?::(\d{1,4}))?$/.exec(value);
    const way = SLICE_WAYS.find((item) => item === match?.[2]);
    const hops = Number(match?.[3] ?? 0);
    return match && way ? { row: Number(match[1]), way, hops: hops > 0 ? hops : null } : null;
}

/** One hop more or less; after the last the whole way. @param {SlicePlace} slice @param {1 | -1} step @returns {SlicePlace} */
export function stepSlice(slice, step) {
    const hops = slice.hops === null ? (step < 0 ? MOST_SLICE_HOPS : null) : slice.hops + step;
    return { ...slice, hops: hops === null || hops > MOST_SLICE_HOPS ? null : Math.max(1, hops) };
}

/** Where an item is, in words. @param {number} hops */
export function stepText(hops) {
    const count = Math.abs(hops);
    return hops === 0 ? 'the span' : `${count} ${count === 1 ? 'step' : 'steps'} ${hops < 0 ? 'before' : 'after'}`;
}

/** What a person has to know of the answer, in sentences. @param {SliceAnswer} slice */
export function sliceRemarks(slice) {
    const lines = [];
    if (slice.left > 0) {
        lines.push(`There is no room for ${slice.left} more next in line: this is the nearest part.`);
    }
    if (slice.more) {
        lines.push('There is more behind so many steps.');
    }
    if (slice.hidden > 0) {
        lines.push(`${slice.hidden} ${slice.hidden === 1 ? 'dependency leads' : 'dependencies lead'} to spans that the filter hides: nothing behind them is told.`);
    }
    const untold = slice.items.filter((item) => item.via !== null && item.gapNs === null).length;
    if (untold > 0) {
        lines.push(`${untold} ${untold === 1 ? 'wait is' : 'waits are'} not told: within the error of the clocks, or between clocks that nothing connects.`);
    }
    return lines;
}

/** How far a slice goes. @param {SliceAnswer} slice */
export function sliceReach(slice) {
    const hops = slice.items.map((item) => item.hops);
    return {
        before: hops.filter((hop) => hop < 0).length,
        after: hops.filter((hop) => hop > 0).length,
        most: hops.reduce((most, hop) => Math.max(most, Math.abs(hop)), 0),
    };
}
