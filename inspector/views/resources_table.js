// SPDX-License-Identifier: MIT
// @ts-check
/* The table of resources, each with its versions under it. Rows are made only for what is in sight. */

import { fill, h, onFrame } from './dom.js';
import { bytesText, passLink } from './detail_links.js';
import { lifeBar } from './life_bar.js';
import { drawNoRows, drawRows, drawSortHead, rowKey } from './virtual_rows.js';
import { updatePlace } from '../state/app_state.js';
import { selectResource } from '../state/selection.js';
import { byteSize, counted } from '../model/format.js';
import { filterGroups, groupsOf, lifeWord, nextResourceSort, sortGroups } from '../model/memory.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/memory.js').ResourceGroup} ResourceGroup */
/** @typedef {import('../model/memory.js').ResourceColumn} ResourceColumn */
/** @typedef {{ group: ResourceGroup, version: number | null }} Row a version of null is the resource itself */

/** @type {readonly { id: ResourceColumn, label: string, width?: string, class: string, title: string }[]} */
const COLUMNS = [
    { id: 'name', label: 'resource', class: 'text', title: '' },
    { id: 'bytes', label: 'declared', width: '12cqw', class: '', title: 'bytes as the graph declares them, each resource once at its largest version' },
    { id: 'format', label: 'format', width: '10cqw', class: 'text', title: '' },
    { id: 'size', label: 'size', width: '10cqw', class: 'text', title: '' },
    { id: 'usage', label: 'usage', width: '12cqw', class: 'text', title: 'what it may be used for' },
    { id: 'kind', label: 'memory', width: '8cqw', class: 'text', title: 'transient: of one frame only; imported: it lives outside of the graph' },
    { id: 'life', label: 'lifetime', width: '11cqw', class: 'text', title: 'from the first pass that uses it to the last' },
    { id: 'writer', label: 'first writer', width: '10cqw', class: 'text', title: '' },
    { id: 'reader', label: 'last reader', width: '10cqw', class: 'text', title: '' },
];

/** @param {Context} context */
export function resourcesTable(context) {
    const { store } = context;
    /** Names of resources whose versions are shown. @type {Set<string>} */
    const open = new Set();
    /** @type {{ graph: FrameStructure | null, rows: Row[], largest: number }} */
    let shown = { graph: null, rows: [], largest: 0 };
    const headRow = h('tr');
    const body = h('tbody');
    const table = h('table', { class: 'num', role: 'treegrid', aria: { label: 'Resources' } }, h('colgroup'), h('thead', {}, headRow), body);
    const scroller = h('div', { class: 'scroller', tabindex: 0, role: 'region', aria: { label: 'Rows of the resources' } }, table);
    const note = h('div', { class: 'note' });
    const root = h('div', { class: 'resources' }, scroller, note);

    const toggle = (/** @type {ResourceGroup} */ group, /** @type {boolean} */ on) => {
        if (on) {
            open.add(String(group.id));
        } else {
            open.delete(String(group.id));
        }
        update();
    };
    const tools = { context, isOpen: (/** @type {ResourceGroup} */ group) => open.has(String(group.id)), toggle };

    const drawSoon = onFrame(() => {
        const { graph, rows, largest } = shown;
        if (!graph) {
            return;
        }
        drawRows(scroller, body, rows, COLUMNS.length, (row) => (
            row.version === null ? groupRow(tools, graph, row.group, largest) : versionRow(tools, graph, row.group, row.version)));
        if (rows.length === 0) {
            const find = store.state.place.resourceFind.trim();
            drawNoRows(body, COLUMNS.length, find === '' ? 'The frame graph has no resources.' : `No resource has "${find}" in its name, format or usage.`);
        }
    }, body);
    const update = () => {
        const { graph } = shown;
        if (!graph) {
            return;
        }
        const { place } = store.state;
        const groups = sortGroups(filterGroups(groupsOf(graph), place.resourceFind), place.resourceSort);
        const rows = groups.flatMap((group) => [{ group, version: null }, ...(open.has(String(group.id)) ? group.versions.map((version) => ({ group, version })) : [])]);
        const largest = groupsOf(graph).reduce((most, group) => Math.max(most, Number(group.bytes)), 0);
        shown = { graph, rows, largest };
        drawHead(headRow, context);
        drawSoon();
    };
    scroller.addEventListener('scroll', drawSoon);
    scroller.addEventListener('keydown', (event) => {
        const taken = rowKey(event, body, (row, isRow) => {
            const item = shown.rows.find((candidate) => rowId(candidate.group, candidate.version) === row.dataset.key);
            if (event.key === 'ArrowRight' || event.key === 'ArrowLeft') {
                if (item && item.version === null) {
                    toggle(item.group, event.key === 'ArrowRight');
                }
            } else if ((event.key === 'Enter' || event.key === ' ') && isRow) {
                row.click();
            } else {
                return false;
            }
            return true;
        });
        // At the last row as well, the keys stay with the table.
        if (taken || event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            event.preventDefault();
            event.stopPropagation();
        }
    });
    new ResizeObserver(drawSoon).observe(scroller);
    return {
        root,
        /** @param {FrameStructure} graph @returns {number} resources that are shown */
        draw(graph) {
            shown = { ...shown, graph };
            update();
            fill(note, 'Bytes as the frame graph declares them: what was allocated may be more or less.', ...notes(graph));
            return shown.rows.filter((row) => row.version === null).length;
        },
    };
}

/** @param {FrameStructure} graph @returns {import('./dom.js').Child[]} */
function notes(graph) {
    const groups = groupsOf(graph);
    const unknown = groups.filter((group) => group.bytes < 0n).length;
    const culled = groups.filter((group) => group.culledOnly).length;
    return [
        unknown > 0 ? h('b', {}, ` ${counted(unknown, 'resource')} of unknown size.`) : null,
        culled > 0 ? ` Grey: ${counted(culled, 'resource')} that only culled passes use.` : null,
    ];
}

/** @param {ResourceGroup} group @param {number | null} version */
function rowId(group, version) {
    return `${group.id}:${version ?? ''}`;
}

/** @param {HTMLElement} row @param {Context} context */
function drawHead(row, context) {
    const { resourceSort: sort } = context.store.state.place;
    drawSortHead(row, COLUMNS, sort, '', (column) => column.label,
        (column) => updatePlace(context, { resourceSort: nextResourceSort(context.store.state.place.resourceSort, column.id) }));
}

/**
 * @typedef {object} Tools
 * @property {Context} context
 * @property {(group: ResourceGroup) => boolean} isOpen
 * @property {(group: ResourceGroup, on: boolean) => void} toggle
 */

/** @param {Tools} tools @param {FrameStructure} graph @param {ResourceGroup} group @param {number} largest */
function groupRow(tools, graph, group, largest) {
    const { context } = tools;
    const isOpen = tools.isOpen(group);
    const chosen = graph.versionOf(context.store.state.place.resource);
    const on = chosen !== null && group.versions.includes(chosen);
    const many = group.versions.length > 1;
    const meter = h('i');
    meter.style.width = `${largest > 0 && group.bytes > 0n ? (Number(group.bytes) / largest) * 100 : 0}%`;
    return h('tr', {
        class: [on ? 'on' : '', group.culledOnly ? 'gone' : ''].join(' ').trim() || undefined,
        tabindex: -1, data: { key: rowId(group, null) },
        aria: { level: 1, selected: on, ...(many ? { expanded: isOpen } : {}) },
        onclick: () => selectResource(context, graph.keyOf(group.versions[group.versions.length - 1])),
    },
    h('td', { class: 'text', title: group.name },
        many ? h('button', {
            class: 'twist', tabindex: -1, aria: { label: isOpen ? 'Fold its versions' : 'Show its versions', expanded: isOpen },
            onclick: (event) => { event.stopPropagation(); tools.toggle(group, !isOpen); },
        }, isOpen ? '▾' : '▸') : h('span', { class: 'twist' }),
        group.name || '(no name)', many ? h('span', { class: 'unit' }, ` ${group.versions.length} versions`) : null),
    h('td', { class: group.bytes < 0n ? 'unknown' : '' }, bytesText(group.bytes), h('span', { class: 'meter' }, meter)),
    h('td', { class: 'text' }, group.format || (group.kind === 'texture' ? h('span', { class: 'unknown' }, 'unknown') : '–')),
    h('td', { class: 'text', title: group.extent }, group.extent || '–'),
    h('td', { class: 'text', title: group.usage.join(', ') }, group.usage.join(', ') || '–'),
    h('td', { class: 'text' }, lifeWord(group)),
    h('td', { class: 'text' }, lifeBar(group.first, group.last, graph.passes.length,
        { style: group.imported ? 'outside' : '', keptFirst: group.keptFirst, keptLast: group.keptLast })),
    passCell(context, graph, group.firstWriter),
    passCell(context, graph, group.lastReader));
}

/** @param {Context} context @param {FrameStructure} graph @param {number} pass */
function passCell(context, graph, pass) {
    return h('td', { class: 'text' }, pass < 0 ? h('span', { class: 'unknown' }, 'none') : passLink(context, graph, pass));
}

/** @param {Tools} tools @param {FrameStructure} graph @param {ResourceGroup} group @param {number} version */
function versionRow(tools, graph, group, version) {
    const { context } = tools;
    const item = graph.versions[version];
    const on = graph.versionOf(context.store.state.place.resource) === version;
    const writers = graph.writersOf(version);
    const readers = graph.readersOf(version);
    const passes = [...writers, ...readers];
    const first = passes.length > 0 ? Math.min(...passes) : -1;
    const last = passes.length > 0 ? Math.max(...passes) : -1;
    const same = item.bytes === group.bytes;
    return h('tr', {
        class: on ? 'version on' : 'version', tabindex: -1, data: { key: rowId(group, version) }, aria: { level: 2, selected: on },
        onclick: () => selectResource(context, graph.keyOf(version)),
    },
    h('td', { class: 'text' }, h('span', { class: 'twist' }), `v${item.version}`),
    h('td', {}, same ? h('span', { class: 'unit' }, 'the same memory') : item.bytes < 0n ? bytesText(item.bytes) : byteSize(item.bytes)),
    h('td', { class: 'text', colspan: 4 }, h('span', { class: 'unit' }, `${counted(writers.length, 'writer')}, ${counted(readers.length, 'reader')}`)),
    h('td', { class: 'text' }, lifeBar(first, last, graph.passes.length, { style: 'part' })),
    passCell(context, graph, writers[0] ?? -1),
    passCell(context, graph, readers[readers.length - 1] ?? -1));
}
