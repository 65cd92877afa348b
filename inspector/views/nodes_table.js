// SPDX-License-Identifier: MIT
// @ts-check
/* Nodes that were captured in detail, those with the most time of their own first or as the tree that they are: draws, whether culled, attributes. */

import { byId, fill, h, onFrame } from './dom.js';
import { tableTabs } from './table_tabs.js';
import { drawNoRows, drawRows, rowKey, ROW_PX } from './virtual_rows.js';
import { hueVariable } from '../draw/palette.js';
import { counted } from '../model/format.js';
import { nodeTitle, selfOf } from '../model/nodes.js';
import { columnUnit, visibleRows } from '../model/table.js';
import { trackOf } from '../state/app_state.js';
import { wantFacts } from '../state/nodes_data.js';
import { selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/nodes.js').NodeRow} NodeRow */

const COLUMNS = [
    { text: 'node', width: '19%' }, { text: 'id', width: '6%' }, { text: 'track', width: '8%' }, { text: 'self', width: '9%' }, { text: 'total', width: '9%' },
    { text: 'draws', width: '8%' }, { text: 'culled', width: '6%' }, { text: 'attributes', width: '35%' },
];
const TEXTS = ['node', 'track', 'culled', 'attributes'];

/** Room before a name for each node that it is in, in the tree. */
const INDENT_PX = 12;

/** @param {Context} context */
export function nodesTable(context) {
    const { store } = context;
    let isTree = false;
    const orders = [{ text: 'Longest first', tree: false }, { text: 'As a tree', tree: true }].map(({ text, tree }) =>
        h('button', { role: 'radio', aria: { checked: !tree }, onclick: () => choose(tree) }, text));
    const choose = (/** @type {boolean} */ tree) => {
        isTree = tree;
        orders.forEach((button, i) => button.setAttribute('aria-checked', String((i === 1) === tree)));
        scroller.scrollTop = 0;
        draw();
    };
    const heads = COLUMNS.map(({ text }) => h('th', { class: TEXTS.includes(text) ? 'text' : '' }, text));
    const told = h('span', { class: 'range num' });
    const body = h('tbody');
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Nodes by their own time' } },
        h('table', { class: 'num node-rows' }, h('colgroup', {}, ...COLUMNS.map(({ width }) => {
            const col = h('col');
            col.style.width = width;
            return col;
        })), h('thead', {}, h('tr', {}, ...heads)), body));
    const note = h('div', { class: 'note' });
    const order = h('div', { class: 'choice', role: 'radiogroup', aria: { label: 'Order of the nodes' } }, ...orders);
    fill(byId('nodes-table'), h('div', { class: 'bar' }, tableTabs(context), order, told), scroller, note);

    const draw = onFrame(() => {
        const { state } = store;
        const rows = (isTree ? state.nodes?.tree : state.nodes?.rows) ?? [];
        const units = { self: columnUnit(rows.map(({ selfNs }) => whole(selfNs))), total: columnUnit(rows.map(({ totalNs }) => whole(totalNs))) };
        heads[3].textContent = `self (${units.self.name})`;
        heads[4].textContent = `total (${units.total.name})`;
        drawRows(scroller, body, rows, COLUMNS.length, (row) => nodeRow(context, row, units, isTree));
        if (rows.length === 0) {
            drawNoRows(body, COLUMNS.length, emptyReason(state));
        }
        told.textContent = rows.length > 0 ? countText(rows) : '';
        note.textContent = rows.length === 0 ? '' : chosenText(state) || `Self is less the time of the nodes right inside; draws in brackets are a node's own.${
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

/** A captured frame is the root of its nodes, and none itself. @param {readonly NodeRow[]} rows */
function countText(rows) {
    const roots = rows.filter(({ depth, name }) => depth === 0 && name === 'frame').length;
    return roots === 0 ? counted(rows.length, 'node') : `${counted(rows.length - roots, 'node')} in ${counted(roots, 'frame')}`;
}

/** All attributes of the chosen node, which its row has no room for. @param {AppState} state */
function chosenText(state) {
    const node = state.nodes?.rows.find(({ row }) => row === state.place.selected);
    const rest = node && state.nodeFacts.get(node.row)?.rest;
    return rest ? `${node.name || '(no name)'}: ${rest}` : '';
}

/** @typedef {ReturnType<typeof columnUnit>} Unit */

const whole = (/** @type {number} */ ns) => BigInt(Math.round(ns));

/** @param {Context} context @param {NodeRow} node @param {{ self: Unit, total: Unit }} units @param {boolean} isTree */
function nodeRow(context, node, units, isTree) {
    const { state } = context.store;
    const facts = state.nodeFacts.get(node.row);
    const on = node.row === state.place.selected;
    const track = trackOf(state, node.track)?.name ?? '';
    const name = h('td', { class: 'text', title: nodeTitle(node, facts) }, h('span', { class: 'chip', colour: hueVariable(node.name) }), node.name || '(no name)');
    name.style.paddingLeft = isTree && node.depth > 0 ? `${6 + node.depth * INDENT_PX}px` : '';
    return h('tr', { class: on ? 'on' : undefined, tabindex: -1, data: { key: node.row }, aria: { selected: on }, onclick: () => void selectAndReveal(context, node.row) },
        name,
        h('td', {}, facts?.id ?? ''),
        h('td', { class: 'text', title: track }, track),
        h('td', {}, units.self.text(whole(selfOf(node, facts)))),
        h('td', {}, units.total.text(whole(node.totalNs))),
        h('td', {}, facts?.draws ?? ''),
        h('td', { class: 'text' }, facts?.culled ? 'culled' : ''),
        h('td', { class: 'text', title: facts?.rest ?? '' }, facts?.rest ?? ''));
}
