// SPDX-License-Identifier: MIT
// @ts-check
/* A live resource: what the program told of it, and everything that happened to it. */

import { announce, h, icon } from './dom.js';
import { byteSize, counted, duration, exactNs, grouped, UNKNOWN } from '../model/format.js';
import { objectBytes, objectExtent, objectFormat, objectName } from '../model/objects.js';
import { chooseObject } from '../state/diagnostics.js';
import { goToFrame } from '../state/navigate.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/objects.js').LiveObject} LiveObject */
/** @typedef {import('../model/objects.js').ObjectEvent} ObjectEvent */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @param {number} number @returns {Child[]} */
export function objectDetail(context, number) {
    const { objects } = context.store.state;
    const object = objects?.rows.find((row) => row.number === number);
    const events = objects?.of === number ? objects.events : [];
    const name = object ? objectName(object) : events[0]?.name || `resource ${number}`;
    const head = h('h2', {}, h('span', {}, name),
        h('button', { class: 'close', title: 'Drop the selection (Esc)', aria: { label: 'Drop the selection' }, onclick: () => chooseObject(context, null) }, icon('close')));
    announce(`${name}${object ? `, ${objectBytes(object)}` : ''}`);
    const missing = () => [h('p', { class: 'faint' }, objects ? 'It is not among those that are shown.' : 'It is on its way.')];
    return [head, ...(object ? facts(context, object) : missing()), ...history(context, events)];
}

/** @param {Context} context @param {LiveObject} object @returns {Child[]} */
function facts(context, object) {
    const [number, unit] = object.bytes === null ? [UNKNOWN, 'size'] : byteSize(object.bytes).split(' ');
    return [
        h('div', { class: 'path' }, [object.type || 'no type', object.goneNs === null ? 'lives at the end of the capture' : 'was destroyed'].join('  ·  ')),
        h('div', { class: object.bytes === null ? 'big unknown' : 'big' }, object.accuracy === 'estimated' ? '≈ ' : '', number, h('small', {}, ` ${unit}`)),
        object.bytes !== null && object.bytes >= 1024n ? h('div', { class: 'num exact' }, `${grouped(object.bytes)} B`) : null,
        object.accuracy === 'estimated' ? h('p', { class: 'faint' }, 'An estimate from what it is: drivers pad and align.') : null,
        h('h3', {}, 'what it is'),
        h('dl', { class: 'num' }, ...entry('number of the program', `#${grouped(object.id)}`), ...entry('format', objectFormat(object) || '–'),
            ...entry('size', objectExtent(object) || '–'),
            ...entry('created', object.madeNs === null ? 'before the recording' : at(context, object.madeNs, object.madeFrame)),
            ...entry('destroyed', object.goneNs === null ? '–' : at(context, object.goneNs, object.goneFrame)),
            ...(object.madeNs !== null && object.goneNs !== null ? entry('lived', duration(object.goneNs - object.madeNs)) : [])),
    ];
}

/** @param {Context} context @param {bigint} timeNs @param {number | null} frame @returns {Child} */
function at(context, timeNs, frame) {
    const { frames, info } = context.store.state;
    return frame !== null && frames && frame < frames.count ? h('button', { class: 'link', onclick: () => goToFrame(context, frame) }, `frame ${frames.id[frame]}`)
        : exactNs(timeNs - (info?.startNs ?? 0n));
}

/** @param {Context} context @param {readonly ObjectEvent[]} events @returns {Child[]} */
function history(context, events) {
    if (events.length === 0) {
        return [];
    }
    return [h('h3', {}, `history, ${counted(events.length, 'event')}`), h('ol', { class: 'chain' }, ...events.map((event) => h('li', {},
        h('div', { class: 'use' }, h('span', {}, event.kind), h('span', { class: 'figure' }, event.bytes === null ? UNKNOWN : byteSize(event.bytes))),
        h('div', { class: 'who' }, at(context, event.timeNs, event.frame)))))];
}

/** @param {string} key @param {Child} value */
function entry(key, value) {
    return [h('dt', {}, key), h('dd', { class: value === '–' ? 'unknown' : undefined }, value)];
}
