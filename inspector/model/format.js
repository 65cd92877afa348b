// SPDX-License-Identifier: MIT
// @ts-check
/* Numbers as text. Units are always named; unknown is a word and never a zero. */

export const UNKNOWN = 'unknown';

/** @param {bigint | number | string} value whole number @returns {string} with thousands separated */
export function grouped(value) {
    const text = String(value);
    const sign = text.startsWith('-') ? '-' : '';
    return sign + text.slice(sign.length).replace(/\B(?=(\d{3})+(?!\d))/g, ',');
}

/** Exact nanoseconds. @param {bigint | number} ns */
export function exactNs(ns) {
    return `${grouped(ns)} ns`;
}

/** @type {readonly { name: string, ns: number }[]} */
export const UNITS = [
    { name: 's', ns: 1e9 },
    { name: 'ms', ns: 1e6 },
    { name: 'µs', ns: 1e3 },
    { name: 'ns', ns: 1 },
];

/** @typedef {'auto' | 'ms' | 'us' | 'ns'} TimeUnit */
/** @type {readonly { id: TimeUnit, text: string, title?: string }[]} */
export const TIME_UNITS = [
    { id: 'auto', text: 'as each reads best', title: 'Each time in its own unit; the figures of a column share one' },
    { id: 'ms', text: 'ms' },
    { id: 'us', text: 'µs' },
    { id: 'ns', text: 'ns' },
];

/** @type {typeof UNITS[number] | null} one for the whole page, because times in two units do not compare */
let chosenUnit = null;

/** From now on all times are told in this unit. @param {TimeUnit} id */
export function setTimeUnit(id) {
    chosenUnit = id === 'auto' ? null : UNITS[['ms', 'us', 'ns'].indexOf(id) + 1];
}

/** The unit in which a duration reads best, or the chosen one. @param {number} ns */
export function unitFor(ns) {
    return chosenUnit ?? bestUnit(ns);
}

/** @param {number} ns */
function bestUnit(ns) {
    const size = Math.abs(ns);
    return UNITS.find((unit) => size >= unit.ns) ?? UNITS[3];
}

/**
 * A duration for reading: the number and its unit apart, so that the unit can be set smaller.
 * @param {bigint | number} ns
 * @returns {{ number: string, unit: string }}
 */
export function durationParts(ns) {
    const value = Number(ns);
    const unit = unitFor(value);
    if (unit.ns === 1) {
        return { number: grouped(Math.round(value)), unit: 'ns' };
    }
    const scaled = value / unit.ns;
    // A chosen unit keeps every digit down to a nanosecond.
    const digits = chosenUnit ? Math.round(Math.log10(unit.ns)) : scaled >= 1000 ? 0 : 3;
    return { number: groupedFixed(scaled, digits), unit: unit.name };
}

/** @param {bigint | number} ns */
export function duration(ns) {
    const parts = durationParts(ns);
    return `${parts.number} ${parts.unit}`;
}

/** A duration in fewer digits and its own unit, for badges. @param {bigint | number} ns */
export function shortDuration(ns) {
    const value = Number(ns);
    const unit = bestUnit(value);
    const scaled = value / unit.ns;
    const digits = unit.ns === 1 || scaled >= 100 ? 0 : scaled >= 10 ? 1 : 2;
    return `${Number(scaled.toFixed(digits))} ${unit.name}`;
}

/** Exact, and so that nobody has to count digits. @param {bigint | number} ns */
export function readableNs(ns) {
    return Math.abs(Number(ns)) < 1e4 ? exactNs(ns) : `${exactNs(ns)} (${shortDuration(ns)})`;
}

/** The unit that was chosen for the whole page; null: each time in the unit in which it reads best. */
export function pageUnit() {
    return chosenUnit;
}

/** @param {number} value @param {number} digits */
export function groupedFixed(value, digits) {
    const [whole, rest] = value.toFixed(digits).split('.');
    return rest === undefined ? grouped(whole) : `${grouped(whole)}.${rest}`;
}

/** @param {number | bigint} bytes */
export function byteSize(bytes) {
    const value = Number(bytes);
    if (value < 1024) {
        return `${value} B`;
    }
    const power = Math.min(4, Math.floor(Math.log2(value) / 10));
    const scaled = value / 1024 ** power;
    return `${scaled.toFixed(scaled >= 100 ? 0 : 1)} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][power]}`;
}

/** @param {number} share 0 to 1 */
export function percent(share) {
    return `${(share * 100).toFixed(1)} %`;
}

/**
 * A reading of a counter: whole if it is whole, else as many digits as help.
 * @param {number} value
 * @param {string} [unit]
 */
export function reading(value, unit = '') {
    if (!Number.isFinite(value)) {
        return UNKNOWN;
    }
    if (unit === 'bytes' || unit === 'B') {
        return byteSize(value);
    }
    if (unit === 'ns') {
        return duration(value);
    }
    if (unit === 'basis points') {
        return `${groupedFixed(value / 100, 2)} %`;
    }
    const text = Number.isInteger(value) ? grouped(value) : groupedFixed(value, Math.abs(value) >= 100 ? 1 : 3);
    return unit === '' || unit === 'count' ? text : unit === 'per second' ? `${text} /s` : `${text} ${unit}`;
}

/** A reading with every digit that was recorded, beside the short form where there is one. @param {number} value @param {string} [unit] */
export function exactReading(value, unit = '') {
    const short = reading(value, unit);
    if (!Number.isFinite(value)) {
        return short;
    }
    const [whole, rest] = String(value).split('.');
    const digits = /e/.test(String(value)) ? String(value) : rest === undefined ? grouped(whole) : `${grouped(whole)}.${rest}`;
    const full = unit ? `${digits} ${unit}` : digits;
    return full === short ? full : `${full} (${short})`;
}

/** "1 frame", "2 frames". @param {number | bigint} count @param {string} one @param {string} [many] */
export function counted(count, one, many = `${one}s`) {
    return `${grouped(count)} ${Number(count) === 1 ? one : many}`;
}
