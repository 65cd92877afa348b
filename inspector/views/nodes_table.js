// SPDX-License-Identifier: MIT
// @ts-check
/* Nodes that were captured in detail, those with the most time of their own first: draws, whether they were culled, and their attributes. */

import { byId, fill, h, onFrame } from './dom.js';
import { tableTabs } from './table_tabs.js';
import { drawNoRows, drawRows, rowKey, ROW_PX } from './virtual_rows.js';
import { hueVariable } from '../draw/palette.js';
import { counted, shortDuration } from '../model/format.js';
import { nodeTitle } from '../model/nodes.js';
import { visibleRows } from '../model/table.js';
import { trackOf } from '../state/app_state.js';
import { wantFacts } from '../state/nodes_data.js';
import { selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/nodes.js').NodeRow} NodeRow */

const COLUMNS = [
    { text: 'node', width: '26%' }, { text: 'id', width: '9%' }, { text: 'track', width: '11%' }, { text: 'self', width: '9%' }, { text: 'total', width: '9%' },
    { text: 'draws', width: '9%' }, { text: 'culled', width: '7%' }, { text: 'attributes', width: '20%' },
];
const TEXTS = ['node', 'track', 'culled', 'attributes'];

/** @param {Context} context */
export function nodesTable(context) {
    const { store } = context;
    const told = h('span', { class: 'range num' });
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Nodes by their own time' } },
        h('table', { class: 'num node-rows' }, h('colgroup', {}, ...COLUMNS.map(({ width }) => {
            const col = h('col');
            col.style.width = width;
            return col;
        })), h('thead', {}, h('tr', {}, ...COLUMNS.map(({ text }) => h('th', { class: TEXTS.includes(text) ? 'text' : '' }, text)))), body));
    const note = h('div', { class: 'note' });
    fill(byId('nodes-table'), h('div', { class: 'bar' }, tableTabs(context), told), scroller, note);

    const draw = onFrame(() => {
        const { state } = store;
        const rows = state.nodes?.rows ?? [];
        drawRows(scroller, body, rows, COLUMNS.length, (row) => nodeRow(context, row));
        if (rows.length === 0) {
            drawNoRows(body, COLUMNS.length, emptyReason(state));
        }
        told.textContent = rows.length > 0 ? counted(rows.length, 'node') : '';
        note.textContent = rows.length === 0 ? '' : `Self is less the time of the nodes right inside; draws in brackets are a node's own.${
            state.nodes?.isCut ? ' There are more nodes than can be told at once: choose fewer frames.' : ''}`;
        const { first, last } = visibleRows(scroller.scrollTop, scroller.clientHeight, ROW_PX, rows.length);
        wantFacts(context, rows.slice(first, last).map(({ row }) => row));
    }, body);
    scroller.addEventListener('scroll', draw);
    scroller.addEventListener('keydown', (event) => rowKey(event, body, (row) => {
        const press = event.key === 'Enter' || event.key === ' ';
        if (press) {
            row.click();
        }
        return press;
    }));
    store.listen((state, before) => {
        if (state.nodes !== before.nodes || state.nodeFacts !== before.nodeFacts || state.place.selected !== before.place.selected
            || state.place.explore.table !== before.place.explore.table || state.phase !== before.phase || state.place.unit !== before.place.unit) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(scroller);
}

/** @param {AppState} state */
function emptyReason(state) {
    return !state.nodes ? 'Looking for nodes…'
        : state.place.range ? 'No frame of the chosen ones was captured in detail.'
            : 'No frame of this trace was captured in detail: the program tells its nodes with frameglass/detail.h.';
}

/** @param {Context} context @param {NodeRow} node */
function nodeRow(context, node) {
    const { state } = context.store;
    const facts = state.nodeFacts.get(node.row);
    const on = node.row === state.place.selected;
    const track = trackOf(state, node.track)?.name ?? '';
    return h('tr', { class: on ? 'on' : undefined, tabindex: -1, data: { key: node.row }, aria: { selected: on }, onclick: () => void selectAndReveal(context, node.row) },
        h('td', { class: 'text', title: nodeTitle(node) }, h('span', { class: 'chip', colour: hueVariable(node.name) }), node.name || '(no name)'),
        h('td', {}, facts?.id ?? ''),
        h('td', { class: 'text', title: track }, track),
        h('td', {}, shortDuration(node.selfNs)),
        h('td', {}, shortDuration(node.totalNs)),
        h('td', {}, facts?.draws ?? ''),
        h('td', { class: 'text' }, facts?.culled ? 'culled' : ''),
        h('td', { class: 'text', title: facts?.rest ?? '' }, facts?.rest ?? ''));
}
