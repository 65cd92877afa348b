// SPDX-License-Identifier: MIT
// @ts-check
/* Times without digits that the clock does not have. */

import { grouped, groupedFixed, pageUnit, unitFor } from './format.js';

const MOST_DIGITS = 3;

/**
 * The step of a clock, as its device declares it.
 * @param {string} period nanoseconds of a tick, "52" or "625/12"
 * @returns {number} at least 1: the axis counts whole nanoseconds
 */
export function stepOfPeriod(period) {
    const [ticks, over] = period.split('/').map(Number);
    const step = over > 0 ? ticks / over : ticks;
    return Number.isFinite(step) && step > 1 ? step : 1;
}

/**
 * A duration of which `stepNs` is the smallest part that means something: "4.7 µs" on a clock that ticks every 32 ns.
 * @param {bigint | number} ns
 * @param {number} stepNs
 * @returns {{ number: string, unit: string }}
 */
export function partsAt(ns, stepNs) {
    const value = Number(ns);
    const step = Math.max(1, stepNs);
    if (value === 0) {
        return { number: '0', unit: 'ns' };
    }
    const unit = unitFor(Math.abs(value) < step ? step : value);
    const most = pageUnit() ? Infinity : MOST_DIGITS;
    const digits = Math.min(most, Math.max(0, Math.floor(Math.log10(unit.ns / step) + 1e-9)));
    // A step larger than the unit: whole steps, so that no digit is made up.
    const scaled = (unit.ns < step ? Math.round(value / step) * step : value) / unit.ns;
    return { number: groupedFixed(scaled, digits), unit: unit.name };
}

/** @param {bigint | number} ns @param {number} stepNs */
export function durationAt(ns, stepNs) {
    const parts = partsAt(ns, stepNs);
    return `${parts.number} ${parts.unit}`;
}

/** A computed figure in as many digits as it can bear. @param {number} value @param {number} [digits] that count */
export function figure(value, digits = 3) {
    if (value === 0 || !Number.isFinite(value)) {
        return value === 0 ? '0' : 'unknown';
    }
    const power = Math.floor(Math.log10(Math.abs(value)));
    if (power >= digits) {
        return grouped(Math.round(value));
    }
    return power < -6 ? value.toPrecision(digits) : groupedFixed(value, Math.max(0, digits - 1 - power));
}
