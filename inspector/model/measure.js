// SPDX-License-Identifier: MIT
// @ts-check
/* What may be said of the time between two places: no more than the hand and the clocks know. */

import { duration, exactNs } from './format.js';

/** @typedef {import('./layout.js').Track} Track */
/**
 * @typedef {object} Place
 * @property {bigint} timeNs
 * @property {boolean} exact the end of a span; otherwise where the hand was
 * @property {Track | null} track null: over none
 */

/** A hand that is this near to the end of a span means it. */
const SNAP_PX = 6;

/**
 * The end of a span that is meant by a time near it.
 * @param {bigint} startNs @param {bigint} endNs of the span @param {bigint} atNs @param {number} nsPerPx
 * @returns {bigint | null}
 */
export function snapTo(startNs, endNs, atNs, nsPerPx) {
    const gap = (/** @type {bigint} */ edge) => Math.abs(Number(edge - atNs)) / nsPerPx;
    const nearest = gap(startNs) <= gap(endNs) ? startNs : endNs;
    return gap(nearest) <= SNAP_PX ? nearest : null;
}

/** A length as exactly as a pixel allows. @param {number} ns @param {number} stepNs */
function roughly(ns, stepNs) {
    const step = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(1, stepNs))));
    const [number, unit] = duration(Math.round(ns / step) * step).split(' ');
    return `about ${number.includes('.') ? number.replace(/\.?0+$/, '') : number} ${unit}`;
}

/**
 * @param {Place} from @param {Place} to @param {number} nsPerPx
 * @returns {{ text: string, remarks: string[] }}
 */
export function measured(from, to, nsPerPx) {
    const lengthNs = Math.abs(Number(to.timeNs - from.timeNs));
    const exact = from.exact && to.exact;
    const text = exact ? exactNs(lengthNs) : roughly(lengthNs, nsPerPx);
    const remarks = exact ? [] : [`one pixel is ${duration(Math.max(1, Math.round(nsPerPx)))}; at the ends of spans it is exact`];
    const [a, b] = [from.track, to.track];
    if (!a || !b || a.clock === b.clock || a.id === b.id) {
        return { text, remarks };
    }
    if (a.domain === 'nominal' || b.domain === 'nominal') {
        return { text: 'not measured', remarks: [`${a.name} and ${b.name} are not one clock here: nothing is measured across`] };
    }
    const boundNs = Math.max(0, a.boundNs) + Math.max(0, b.boundNs);
    if (lengthNs <= boundNs) {
        const most = `no more than ${duration(lengthNs + boundNs)}`;
        return { text: most, remarks: [`the clocks of ${a.name} and ${b.name} agree within ${duration(boundNs)}: which came first is not known`] };
    }
    return { text: `${text} ±${duration(boundNs)}`, remarks: [...remarks, `the clocks of ${a.name} and ${b.name} agree within that`] };
}
