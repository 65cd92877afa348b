// SPDX-License-Identifier: MIT
// @ts-check
/* From which pass to which something lives, as a small bar over all passes. */

import { h } from './dom.js';

/**
 * @param {number} first pass; below zero: never
 * @param {number} last
 * @param {number} count of passes
 * @param {string} [style] class of the bar
 */
export function lifeBar(first, last, count, style = '') {
    if (first < 0 || count === 0) {
        return h('span', { class: 'life none' }, '–');
    }
    const bar = h('i', { class: style || undefined });
    bar.style.left = `${(first / count) * 100}%`;
    bar.style.width = `${((last - first + 1) / count) * 100}%`;
    const text = first === last ? `pass ${first + 1} of ${count}` : `passes ${first + 1} to ${last + 1} of ${count}`;
    return h('span', { class: 'life', role: 'img', title: text, aria: { label: text } }, bar);
}
