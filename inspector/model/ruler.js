// SPDX-License-Identifier: MIT
// @ts-check
/* Where the ticks of the time ruler are, and what they say. */

import { offsetNs } from './window.js';
import { grouped, unitFor } from './format.js';

/** @typedef {import('./window.js').TimeWindow} TimeWindow */
/**
 * @typedef {object} Tick
 * @property {number} px
 * @property {string} label empty for a minor tick
 */

const MINUTE_NS = 60e9;
/** Above a second people count in minutes and hours. */
const LONG_STEPS_NS = [1e9, 2e9, 5e9, 10e9, 15e9, 30e9, MINUTE_NS, 2 * MINUTE_NS, 5 * MINUTE_NS, 10 * MINUTE_NS,
    15 * MINUTE_NS, 30 * MINUTE_NS, 60 * MINUTE_NS];

/**
 * The smallest pleasant step that is at least `atLeastNs`.
 * @param {number} atLeastNs
 * @returns {{ stepNs: number, minor: number }} and how many minor steps divide it
 */
export function pickStep(atLeastNs) {
    if (atLeastNs > LONG_STEPS_NS[LONG_STEPS_NS.length - 1]) {
        const hours = Math.ceil(atLeastNs / (60 * MINUTE_NS));
        const power = 10 ** Math.floor(Math.log10(hours));
        const lead = [1, 2, 5, 10].find((n) => n * power >= hours) ?? 10;
        return { stepNs: lead * power * 60 * MINUTE_NS, minor: lead === 2 ? 4 : 5 };
    }
    if (atLeastNs > 1e9) {
        const stepNs = LONG_STEPS_NS.find((step) => step >= atLeastNs) ?? MINUTE_NS;
        return { stepNs, minor: stepNs % 15e9 === 0 && stepNs % 60e9 !== 0 ? 3 : 5 };
    }
    const power = 10 ** Math.floor(Math.log10(Math.max(1, atLeastNs)));
    const lead = [1, 2, 5, 10].find((n) => n * power >= atLeastNs) ?? 10;
    const stepNs = lead * power;
    return { stepNs, minor: stepNs <= 1 ? 1 : lead === 2 ? 4 : 5 };
}

/**
 * @param {number} valueNs distance from the origin
 * @param {number} stepNs
 * @param {number} spanNs largest distance on screen: decides the unit, so that all labels share it
 */
export function tickLabel(valueNs, stepNs, spanNs) {
    if (stepNs >= 1e9 && spanNs >= 2 * MINUTE_NS) {
        const sign = valueNs < 0 ? '-' : '';
        const seconds = Math.round(Math.abs(valueNs) / 1e9);
        const two = (/** @type {number} */ n) => String(n).padStart(2, '0');
        const hours = Math.floor(seconds / 3600);
        const minutes = Math.floor(seconds / 60) % 60;
        return hours > 0 ? `${sign}${hours}:${two(minutes)}:${two(seconds % 60)}` : `${sign}${minutes}:${two(seconds % 60)}`;
    }
    // Twice a unit, so that "1,500 µs" becomes "1.5 ms" only when all labels are better for it.
    const unit = unitFor(spanNs / 2);
    const digits = Math.max(0, Math.round(Math.log10(unit.ns)) - Math.floor(Math.log10(stepNs) + 1e-9));
    const [whole, rest] = (valueNs / unit.ns).toFixed(digits).split('.');
    return `${grouped(whole === '-0' && !rest ? '0' : whole)}${rest === undefined ? '' : `.${rest}`} ${unit.name}`;
}

/**
 * Ticks of a window, counted from `originNs` (the selected frame or the start of the trace).
 * @param {TimeWindow} window
 * @param {number} widthPx
 * @param {bigint} originNs
 * @param {number} [labelPx] room that a label needs
 * @returns {Tick[]}
 */
export function ticks(window, widthPx, originNs, labelPx = 84) {
    if (widthPx <= 0) {
        return [];
    }
    const leftNs = offsetNs({ ...window, startNs: originNs, fraction: 0 }, window.startNs) + window.fraction;
    const rightNs = leftNs + window.lengthNs;
    const spanNs = Math.max(Math.abs(leftNs), Math.abs(rightNs));
    // Long labels at deep zoom need more room than short ones: seven pixels a character, in the first guess.
    const first = pickStep((labelPx * window.lengthNs) / widthPx);
    const needPx = Math.max(labelPx, tickLabel(spanNs, first.stepNs, spanNs).length * 7 + 14);
    const { stepNs, minor } = pickStep((needPx * window.lengthNs) / widthPx);
    const minorNs = stepNs / minor;
    const scale = widthPx / window.lengthNs;
    /** @type {Tick[]} */
    const list = [];
    const from = Math.floor(leftNs / minorNs);
    const to = Math.ceil(rightNs / minorNs);
    if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to)) {
        return []; // So far from the origin that neighbouring ticks are one number.
    }
    for (let index = from; index <= to; index++) {
        const value = index * minorNs;
        const major = ((index % minor) + minor) % minor === 0;
        list.push({ px: (value - leftNs) * scale, label: major ? tickLabel(value, stepNs, spanNs) : '' });
    }
    return list;
}
