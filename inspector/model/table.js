// SPDX-License-Identifier: MIT
// @ts-check
/* Sorting, cutting and units of tables. */

import { groupedFixed, pageUnit } from './format.js';

/** @typedef {'name' | 'track' | 'count' | 'total' | 'share' | 'self' | 'busy' | 'min' | 'median' | 'p95' | 'max'} StatColumn */
/** @typedef {{ column: StatColumn, descending: boolean }} Sort */

/**
 * @typedef {object} StatRow
 * @property {number} key name, pass identity, track or scope, as the engine numbers it
 * @property {number} nameId
 * @property {string} name
 * @property {string} scope path of a pass; empty otherwise
 * @property {string} track empty where the row spans several
 * @property {number} clock position in the table of clocks; a row never mixes clocks
 * @property {number} count
 * @property {bigint} totalNs
 * @property {bigint} selfNs
 * @property {bigint | null} busyNs time in which one of them ran; null: not known of this dimension, or not yet
 * @property {bigint} minNs
 * @property {bigint | null} medianNs null: not known yet
 * @property {bigint | null} p95Ns
 * @property {bigint} maxNs
 * @property {number | null} zeros spans of zero length among them; null: not known of this dimension
 * @property {number} unfinished rows without an end: counted, in no figure
 * @property {number} longest row of the longest span
 */
/** @typedef {{ rows: StatRow[], all: number, state: 'whole' | 'counting' | 'stopped' }} Stats counting: percentiles are on their way; stopped: and were not waited for */

/** @type {Record<Exclude<StatColumn, 'share'>, (row: StatRow) => bigint | number | string>} */
const VALUE = {
    name: (row) => row.name,
    track: (row) => row.track,
    count: (row) => row.count,
    total: (row) => row.totalNs,
    self: (row) => row.selfNs,
    busy: (row) => row.busyNs ?? -1n,
    min: (row) => row.minNs,
    median: (row) => row.medianNs ?? -1n,
    p95: (row) => row.p95Ns ?? -1n,
    max: (row) => row.maxNs,
};

/** Text columns start at A, figures with the largest. @param {StatColumn} column @returns {Sort} */
export function firstSort(column) {
    return { column, descending: column !== 'name' && column !== 'track' };
}

/** The next sort when a header is pressed. @param {Sort} sort @param {StatColumn} column @returns {Sort} */
export function nextSort(sort, column) {
    return sort.column === column ? { column, descending: !sort.descending } : firstSort(column);
}

/**
 * Equal rows are ordered by name, so that the order never depends on where they came from.
 * @param {readonly StatRow[]} rows
 * @param {Sort} sort
 */
export function sortRows(rows, sort) {
    const totals = clockTotals(rows);
    const shareOf = (/** @type {StatRow} */ row) => share(row.selfNs, totals.get(row.clock)?.selfNs ?? 0n);
    const value = sort.column === 'share' ? shareOf : VALUE[sort.column];
    const sign = sort.descending ? -1 : 1;
    return [...rows].sort((a, b) => {
        const left = value(a);
        const right = value(b);
        if (left === right) {
            return compareText(a.name, b.name) || compareText(a.track, b.track);
        }
        if (typeof left === 'string' && typeof right === 'string') {
            return sign * compareText(left, right);
        }
        return left < right ? -sign : sign;
    });
}

/** Numbers within names in their order: "mip 2" before "mip 10". */
const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** @param {string} a @param {string} b */
export function compareText(a, b) {
    return collator.compare(a, b) || (a < b ? -1 : a > b ? 1 : 0);
}

/**
 * Own time of each clock. CPU and GPU run side by side, so a share of their sum would mean nothing.
 * @param {readonly StatRow[]} rows
 * @returns {Map<number, { selfNs: bigint, largestNs: bigint }>}
 */
export function clockTotals(rows) {
    /** @type {Map<number, { selfNs: bigint, largestNs: bigint }>} */
    const totals = new Map();
    for (const { clock, selfNs } of rows) {
        const known = totals.get(clock);
        totals.set(clock, {
            selfNs: (known?.selfNs ?? 0n) + selfNs,
            largestNs: known && known.largestNs > selfNs ? known.largestNs : selfNs,
        });
    }
    return totals;
}

/**
 * Share of a total, for the bar beside it.
 * @param {bigint} part
 * @param {bigint} whole
 */
export function share(part, whole) {
    return whole > 0n ? Number((part * 1000000n) / whole) / 1000000 : 0;
}

/**
 * Rows to make elements for, when the rest is only room to scroll.
 * @param {number} scrollTop
 * @param {number} viewHeight
 * @param {number} rowHeight
 * @param {number} count
 * @returns {{ first: number, last: number }} last is excluded
 */
export function visibleRows(scrollTop, viewHeight, rowHeight, count) {
    const spare = 6;
    const first = Math.max(0, Math.floor(scrollTop / rowHeight) - spare);
    const last = Math.min(count, Math.ceil((scrollTop + viewHeight) / rowHeight) + spare);
    return { first: Math.min(first, last), last };
}

/** @type {readonly { name: string, ns: number, digits: number }[]} */
const UNITS = [
    { name: 's', ns: 1e9, digits: 3 },
    { name: 'ms', ns: 1e6, digits: 3 },
    { name: 'µs', ns: 1e3, digits: 3 },
];
/** A column changes to the larger unit from here on: five digits before the point. */
const WIDE = 1e4;

/**
 * One unit for a whole column, so that its figures compare and none is too wide.
 * @param {readonly bigint[]} values
 * @returns {{ name: string, text: (ns: bigint) => string }}
 */
export function columnUnit(values) {
    const chosen = pageUnit();
    if (chosen) {
        const digits = chosen.ns === 1 ? 0 : 3;
        return { name: chosen.name, text: (ns) => groupedFixed(Number(ns) / chosen.ns, digits) };
    }
    const largest = Number(values.reduce((most, value) => (value > most ? value : most), 0n));
    const unit = largest >= WIDE * 1e6 ? UNITS[0] : largest >= WIDE ? UNITS[1] : UNITS[2];
    const digits = largest >= 1000 * unit.ns ? unit.digits - 1 : unit.digits;
    const least = 10 ** -digits;
    // What is not zero never looks like it.
    const text = (/** @type {bigint} */ ns) => {
        const value = Number(ns) / unit.ns;
        return value > 0 && value < least / 2 ? `<${least.toFixed(digits)}` : groupedFixed(value, digits);
    };
    return { name: unit.name, text };
}
