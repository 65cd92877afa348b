// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Live resources: what the program said it made and gave up. The chosen frames are the two points: what lives at their end, what came
 * and went in them, and what came and stayed.
 */

import { fill, h, onFrame } from './dom.js';
import { findField } from './find_field.js';
import { lossesLine } from './losses_line.js';
import { objectsHead } from './objects_head.js';
import { drawNoRows, drawRows, drawSortHead, rowKey } from './virtual_rows.js';
import { byteSize, counted, duration, grouped, UNKNOWN } from '../model/format.js';
import { nextObjectSort, objectBytes, objectExtent, objectFormat, objectName, OBJECTS_SHOWN, SHOWN_WORDS } from '../model/objects.js';
import { rangeName } from '../model/sides.js';
import { updatePlace } from '../state/app_state.js';
import { chooseObject, updateObjects } from '../state/diagnostics.js';
import { goToFrame } from '../state/navigate.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {import('../model/objects.js').LiveObject} LiveObject */
/** @typedef {import('../model/objects.js').ObjectColumn} ObjectColumn */
/** @typedef {import('../model/objects.js').ObjectsShown} ObjectsShown */
/** @typedef {import('./dom.js').Child} Child */

/** @type {readonly { id: ObjectColumn | 'format' | 'size', label: string, width?: string, class: string, title: string }[]} */
const COLUMNS = [
    { id: 'name', label: 'resource', class: 'text', title: '' },
    { id: 'type', label: 'type', width: '15cqw', class: 'text', title: 'as the program told' },
    { id: 'bytes', label: 'bytes', width: '12cqw', class: '', title: '≈: an estimate of the program; never what was allocated' },
    { id: 'format', label: 'format', width: '10cqw', class: 'text', title: '' },
    { id: 'size', label: 'size', width: '14cqw', class: 'text', title: '' },
    { id: 'created', label: 'created', width: '12cqw', class: '', title: 'the frame; "before" where it was there before the recording' },
    { id: 'destroyed', label: 'destroyed', width: '12cqw', class: '', title: 'the frame; a dash where it lives to the end of the capture' },
];
/** @type {Record<ObjectsShown, string>} */
const CHOICES = { live: 'Live', created: 'Created', destroyed: 'Destroyed', kept: 'Created and still live' };
const MAX_TYPES = 8;

/** @param {Context} context @param {() => Palette} palette @param {Tooltip} tooltip @returns {import('./view_switch.js').View} */
export function objectsView(context, palette, tooltip) {
    const { store } = context;
    const head = objectsHead(context, palette, tooltip);
    const where = h('span', { class: 'range' });
    const all = h('button', { class: 'link', onclick: () => updatePlace(context, { range: null }) }, 'whole capture');
    const buttons = OBJECTS_SHOWN.map((shown) => h('button', { role: 'radio', title: SHOWN_WORDS[shown], data: { shown }, onclick: () => updateObjects(context, { shown }) }));
    const choice = h('div', { class: 'choice', role: 'radiogroup', aria: { label: 'Which live resources' } }, ...buttons);
    const field = findField('name, type…', 'Only live resources that have this text', (find) => updateObjects(context, { find }));
    const types = h('div', { class: 'chips', role: 'group', aria: { label: 'By type' } });
    const headRow = h('tr');
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Live resources. Up and down go along, Enter selects' } },
        h('table', { class: 'num' }, h('colgroup'), h('thead', {}, headRow), body));
    const note = h('div', { class: 'note' });
    const empty = h('p', { class: 'empty' });
    const root = h('section', { class: 'view-objects list-view', aria: { label: 'Live resources' } }, head.root,
        h('div', { class: 'bar' }, choice, field.root, where, all), types, empty, scroller, note, lossesLine(context));

    const isShown = () => store.state.place.view === 'live';
    const draw = onFrame(() => {
        if (!isShown()) {
            return;
        }
        const { state } = store;
        const { objects, place } = state;
        const none = !objects || OBJECTS_SHOWN.every((shown) => objects.sums[shown].count === 0);
        root.classList.toggle('without', none);
        empty.hidden = !none;
        if (!objects || none) {
            fill(empty, h('b', {}, 'No live resources'), emptyReason(state));
            root.dataset.drawn = '0';
            return;
        }
        head.draw();
        for (const button of buttons) {
            const shown = /** @type {ObjectsShown} */ (button.dataset.shown);
            button.textContent = `${CHOICES[shown]} ${grouped(objects.sums[shown].count)}`;
            button.setAttribute('aria-checked', String(shown === place.objects.shown));
        }
        where.textContent = place.range && state.frames ? rangeName(state.frames, place.range) : 'in the whole capture';
        all.hidden = place.range === null;
        field.show(place.objects.find);
        fill(types, ...typeChips(context, state));
        drawSortHead(headRow, COLUMNS, place.objects.sort, '', (column) => column.label, (column) => {
            if (column.id !== 'format' && column.id !== 'size') {
                updateObjects(context, { sort: nextObjectSort(store.state.place.objects.sort, column.id) });
            }
        });
        drawRows(scroller, body, objects.rows, COLUMNS.length, (row) => objectRow(context, row));
        if (objects.rows.length === 0) {
            drawNoRows(body, COLUMNS.length, noRows(state));
        }
        fill(note, 'Sizes as the program told them, exact or estimated (≈): no measure of what was allocated.',
            objects.all > objects.rows.length ? h('b', {}, ` The first ${grouped(objects.rows.length)} of ${grouped(objects.all)}: the sums are of all.`) : null);
        root.dataset.drawn = String(objects.rows.length);
    }, body);
    scroller.addEventListener('scroll', draw);
    scroller.addEventListener('keydown', (event) => {
        const taken = rowKey(event, body, (row, isRow) => {
            if (isRow && (event.key === 'Enter' || event.key === ' ')) {
                row.click();
                return true;
            }
            return false;
        });
        if (taken || event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            event.stopPropagation();
        }
    });
    new ResizeObserver(draw).observe(scroller);
    store.listen((state, before) => {
        if (isShown() && (state.objects !== before.objects || state.place !== before.place || state.phase !== before.phase || state.frames !== before.frames)) {
            draw();
        }
    });
    return { name: 'live', root, show: draw, hide: () => tooltip.hide(), redraw: draw, key: (event) => field.key(event) };
}

/** @param {AppState} state */
function emptyReason(state) {
    if (state.phase !== 'ready') {
        return state.phase === 'failed' ? 'The capture could not be opened.' : 'They come with the trace.';
    }
    return state.objects ? 'The program says of none that it made it: fg_object_create() of frameglass/object.h does. '
        + 'What a frame graph declares is under Resources.' : 'They are on their way.';
}

/** @param {AppState} state */
function noRows(state) {
    const { find, shown } = state.place.objects;
    if (find.trim() !== '') {
        return `None of them has "${find.trim()}" in its name or type.`;
    }
    return { live: 'Nothing lives at the end of these frames.', created: 'Nothing was created in these frames.', destroyed: 'Nothing was destroyed in these frames.',
        kept: 'Everything that was created in these frames was destroyed in them: nothing stays.' }[shown];
}

/** What is shown, by type: a leak is many of one. A press narrows to it. @param {Context} context @param {AppState} state @returns {Child[]} */
function typeChips(context, state) {
    const { objects, place } = state;
    const list = objects?.types ?? [];
    return [...list.slice(0, MAX_TYPES).map((sum) => {
        const on = place.objects.find === sum.name;
        const press = () => updateObjects(context, { find: on ? '' : sum.name });
        return h('button', { class: 'badge num', aria: { pressed: on }, title: on ? 'Show all types' : `Only ${sum.name}`, onclick: press },
            h('b', {}, grouped(sum.count)), ` ${sum.name || 'no type'} `, sum.bytes === null ? UNKNOWN : byteSize(sum.bytes));
    }), list.length > MAX_TYPES ? h('span', { class: 'faint' }, `and ${counted(list.length - MAX_TYPES, 'type')} more`) : null];
}

/** A time as its frame, where there are frames. @param {Context} context @param {bigint | null} timeNs @param {number | null} frame @param {string} none */
function momentCell(context, timeNs, frame, none) {
    const { frames, info } = context.store.state;
    if (timeNs === null) {
        return h('td', { class: 'unknown' }, none);
    }
    const told = duration(timeNs - (info?.startNs ?? 0n));
    const go = (/** @type {MouseEvent} */ event) => {
        event.stopPropagation();
        goToFrame(context, frame ?? 0);
    };
    return h('td', { title: `${told} from the start` }, frame !== null && frames && frame < frames.count
        ? h('button', { class: 'link', tabindex: -1, onclick: go }, `frame ${frames.id[frame]}`) : told);
}

/** @param {Context} context @param {LiveObject} object */
function objectRow(context, object) {
    const on = context.store.state.place.objects.chosen === object.number;
    const choose = () => chooseObject(context, on ? null : object.number);
    return h('tr', { class: on ? 'on' : undefined, tabindex: -1, aria: { selected: on }, data: { key: object.number }, onclick: choose },
        h('td', { class: object.name ? 'text' : 'text unknown', title: objectName(object) }, objectName(object)),
        h('td', { class: 'text' }, object.type || '–'),
        h('td', { class: object.bytes === null ? 'unknown' : '', title: object.bytes === null ? '' : `${grouped(object.bytes)} B, ${object.accuracy}` },
            objectBytes(object)),
        h('td', { class: 'text' }, objectFormat(object) || '–'),
        h('td', { class: 'text' }, objectExtent(object) || '–'),
        momentCell(context, object.madeNs, object.madeFrame, 'before'),
        momentCell(context, object.goneNs, object.goneFrame, '–'));
}
