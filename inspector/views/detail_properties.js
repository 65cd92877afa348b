// SPDX-License-Identifier: MIT
// @ts-check
/* Properties that have no form of their own: a tree of keys and values. */

import { h } from './dom.js';
import { versionLink } from './detail_links.js';
import { grouped } from '../model/format.js';
import { listText, propertyLabel, propertyText } from '../model/span.js';
import { selectAndReveal } from '../state/selection.js';

/** @typedef {import('../model/span.js').Property} Property */
/** @typedef {import('./dom.js').Child} Child */
/** @typedef {import('./detail_work.js').Where} Where */

/** From so many on, groups of one name are folded. */
const MANY = 4;
/** A longer value has a line of its own. */
const WIDE = 26;

/** One property as it reads. @param {Property} property @param {boolean} isSaid where it comes from was said before @returns {Child[]} */
export function propertyDt(property, isSaid) {
    const text = propertyText(property);
    return [h('dt', {}, isSaid ? property.key : propertyLabel(property)),
        h('dd', { class: [property.value.type === 'unknown' ? 'unknown' : '', text.length > WIDE ? 'wide' : ''].join(' ').trim() || undefined }, text)];
}

/**
 * Groups of one name that come often are folded into one line: a pass may hold hundreds of calls.
 * @param {Where} where @param {readonly Property[]} list @param {number} depth @param {boolean} [isSaid] where they come from was said before
 * @returns {Child[]}
 */
export function propertyRows(where, list, depth, isSaid = false) {
    /** @type {Map<string, Property[]>} */
    const groups = new Map();
    for (const property of list.filter((item) => item.value.type === 'group' && listText(item) === null)) {
        groups.set(property.key, [...(groups.get(property.key) ?? []), property]);
    }
    return list.flatMap((property) => {
        const same = groups.get(property.key) ?? [];
        if (property.value.type !== 'group' || same.length < MANY) {
            return oneProperty(where, property, depth, isSaid);
        }
        if (property !== same[0]) {
            return [];
        }
        return [h('div', { class: 'span' }, h('details', {}, h('summary', {}, `${grouped(same.length)} × ${property.key}`),
            h('dl', {}, ...same.flatMap((item) => oneProperty(where, item, depth, isSaid)))))];
    });
}

/** @param {Where} where @param {Property} property @param {number} depth @param {boolean} isSaid @returns {Child[]} */
function oneProperty(where, property, depth, isSaid) {
    const indent = depth === 0 ? '' : depth === 1 ? 'deep' : 'deeper';
    const { value } = property;
    const list = listText(property);
    if (value.type === 'group' && list === null) {
        return [h('dt', { class: `group ${indent}` }, property.key), h('dd', { class: 'none' }), ...propertyRows(where, property.children, depth + 1)];
    }
    const { context, graph } = where;
    /** @type {Child} */
    let shown = list ?? propertyText(property);
    if (value.type === 'span') {
        const { row } = value;
        shown = h('button', { class: 'link', onclick: () => void selectAndReveal(context, row) }, `span ${row}`);
    } else if (value.type === 'resource') {
        shown = graph?.versions[value.index] ? versionLink(context, graph, value.index) : `resource ${value.index}`;
    }
    const long = typeof shown === 'string' && shown.length > WIDE;
    return [h('dt', { class: indent || undefined }, isSaid ? property.key : propertyLabel(property)),
        h('dd', { class: [value.type === 'unknown' ? 'unknown' : '', long ? 'wide' : ''].join(' ').trim() || undefined }, shown)];
}
