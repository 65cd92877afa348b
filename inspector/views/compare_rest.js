// SPDX-License-Identifier: MIT
// @ts-check
/* What else is not the same on both sides: resources, counters, and the notes between them. */

import { fill, h } from './dom.js';
import { goToFrame } from '../state/navigate.js';
import { fileData } from '../state/compare_data.js';
import { changedWords, ratioOf, times } from '../model/compare.js';
import { byteSize, reading, UNKNOWN } from '../model/format.js';
import { notesBetween, notesIn, rangeName } from '../model/sides.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/compare.js').Comparison} Comparison */
/** @typedef {import('./dom.js').Child} Child */

/** A table of these many rows is all that somebody reads here. */
const MAX_ROWS = 500;

/** @param {Context} context */
export function compareRest(context) {
    const root = h('div', { class: 'rest' });
    const draw = () => {
        const { state } = context.store;
        const { comparison } = state;
        root.hidden = !comparison;
        if (!comparison) {
            return;
        }
        fill(root,
            panel('Resources', comparison.resources.length, resources(comparison)),
            panel('Counters', comparison.counters.length, counters(comparison)),
            notesPanel(context, state));
    };
    return { root, draw };
}

/** @param {string} title @param {number} count @param {Child[]} children */
function panel(title, count, children) {
    return h('section', { aria: { label: title } }, h('h3', {}, title, count > 0 ? h('span', { class: 'unit' }, ` ${count}`) : null),
        h('div', { class: 'list', tabindex: 0, role: 'region', aria: { label: `${title}, list` } }, ...children));
}

/** @param {bigint} bytes */
const size = (bytes) => (bytes < 0n ? UNKNOWN : byteSize(bytes));

/** What is told where a side is a range of time, or has no frames. */
const OF_FRAMES = 'Compared of frames only.';

/** @param {Comparison} comparison @returns {Child[]} */
function resources({ resources: list, graphs, frames }) {
    if (list.length === 0) {
        return [h('p', { class: 'faint' }, frames.includes(0) ? OF_FRAMES : graphs === 'unknown' ? 'Not recorded on both sides.' : 'The same on both sides.')];
    }
    return [h('table', { class: 'num differing' }, h('tbody', {}, ...list.slice(0, MAX_ROWS).map((item) => {
        const words = item.state === 'changed' ? changedWords(item.base, item.next) : { base: item.base, next: item.next };
        const text = [words.base, words.next].filter(Boolean).join(' → ');
        const bytes = item.state === 'added' ? size(item.newBytes) : item.state === 'removed' || item.baseBytes === item.newBytes ? size(item.baseBytes)
            : `${size(item.baseBytes)} → ${size(item.newBytes)}`;
        return h('tr', { class: item.state }, h('th', { class: 'text', title: item.name }, item.name || '(no name)'),
            h('td', { class: `state ${item.state}` }, item.state), h('td', { class: 'bytes' }, bytes), h('td', { class: 'text', title: `${item.base} → ${item.next}` }, text));
    }))), list.length > MAX_ROWS ? h('p', { class: 'faint' }, `and ${list.length - MAX_ROWS} more`) : null, h('p', { class: 'faint' }, 'Sizes as declared.')];
}

/** @param {Comparison} comparison @returns {Child[]} */
function counters({ counters: list, frames }) {
    if (list.length === 0) {
        return [h('p', { class: 'faint' }, frames.includes(0) ? OF_FRAMES : 'No counter has another mean.')];
    }
    return [h('table', { class: 'num counters' }, h('tbody', {}, ...list.slice(0, MAX_ROWS).map((item) => {
        const ratio = ratioOf(item.base, item.next);
        return h('tr', {}, h('th', { class: 'text', title: item.name }, item.name || '(no name)'),
            h('td', {}, `${reading(item.base, item.unit)} → ${reading(item.next, item.unit)}`), h('td', {}, ratio === null ? '' : times(ratio)));
    }))), h('p', { class: 'faint' }, 'Means over the frames of each side.')];
}

/** @param {Context} context @param {AppState} state */
function notesPanel(context, state) {
    const pair = state.place.compare;
    const { frames, marks } = state;
    const isOne = pair !== null && pair.base.file === pair.next.file && pair.base.file === state.place.file && !pair.base.time && !pair.next.time;
    if (!pair || !isOne || !frames) {
        const others = pair ? [pair.base, pair.next].flatMap((side) => notesIn(fileData(state, side.file).marks, side).map((mark) => ({ mark, file: side.file }))) : [];
        const isOfFrames = state.comparison?.frames.every((count) => count > 0) ?? true;
        return panel(isOfFrames ? 'Notes in these frames' : 'Notes', others.length, others.length === 0 ? [h('p', { class: 'faint' }, 'None.')]
            : others.slice(0, MAX_ROWS).map(({ mark, file }) => h('p', { class: 'note-line' }, h('span', { class: 'unit' }, `file ${file} `), mark.text)));
    }
    const list = notesBetween(marks, pair);
    return panel('Notes between', list.length, list.length === 0 ? [h('p', { class: 'faint' }, 'None lies between the two sides.')]
        : list.slice(0, MAX_ROWS).map((mark) => h('p', { class: 'note-line' },
            h('button', { class: 'link', title: 'Select this frame', onclick: () => goToFrame(context, mark.frame) }, rangeName(frames, { first: mark.frame, last: mark.frame })),
            ` ${mark.text}`, mark.page === undefined ? null : h('span', { class: 'unit' }, ' (not saved)'))));
}

