// SPDX-License-Identifier: MIT
// @ts-check
/* From which pass to which something lives, as a small bar over all passes. */

import { h } from './dom.js';

/**
 * @param {number} first pass; below zero: never
 * @param {number} last
 * @param {number} count of passes
 * @param {{ style?: string, keptFirst?: number, keptLast?: number }} [more] class of the bar; the part in which passes that were not culled use it
 */
export function lifeBar(first, last, count, more = {}) {
    if (first < 0 || count === 0) {
        return h('span', { class: 'life none' }, '–');
    }
    const { style = '', keptFirst = first, keptLast = last } = more;
    const bar = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) => {
        const element = h('i', { class: name || undefined });
        element.style.left = `${(from / count) * 100}%`;
        element.style.width = `${((to - from + 1) / count) * 100}%`;
        return element;
    };
    const part = keptFirst !== first || keptLast !== last;
    const text = (first === last ? `pass ${first + 1} of ${count}` : `passes ${first + 1} to ${last + 1} of ${count}`)
        + (!part ? '' : keptFirst < 0 ? ', all of them culled' : `; without culled ones ${keptFirst + 1} to ${keptLast + 1}`);
    return h('span', { class: 'life', role: 'img', title: text, aria: { label: text } },
        part ? bar(first, last, 'culled') : null, keptFirst >= 0 ? bar(keptFirst, keptLast, style) : null);
}
