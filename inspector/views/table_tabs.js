// SPDX-License-Identifier: MIT
// @ts-check
/* What is below the timeline: the statistics, the critical path, what led to a span, what is unusual, nodes. One of them, chosen in the bar of each. */

import { byId, h } from './dom.js';
import { KIND } from '../protocol/client.js';
import { updateExplore } from '../state/app_state.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/address_explore.js').Table} Table */

/** @type {readonly { id: Table, text: string, title: string }[]} */
const TABLES = [
    { id: 'stats', text: 'Statistics', title: 'Sums and percentiles by any dimension' },
    { id: 'path', text: 'Path', title: 'The longest chain of spans that depend on each other, and what it waited for' },
    { id: 'slice', text: 'Causes', title: 'What led to a span, and what followed from it' },
    { id: 'odd', text: 'Unusual', title: 'Spans that are unusual among their peers' },
    { id: 'nodes', text: 'Nodes', title: 'Nodes of a scene, where a frame was captured in detail' },
];

/** @param {Context} context */
export function tableTabs(context) {
    const { store } = context;
    const root = h('div', { class: 'choice tables', role: 'radiogroup', hidden: true, aria: { label: 'Table' } }, ...TABLES.map(({ id, text, title }) =>
        h('button', { role: 'radio', title, data: { table: id }, onclick: () => updateExplore(context, { table: id }) }, text)));
    const show = () => {
        root.hidden = !context.client.can(KIND.PATH);
        for (const button of root.children) {
            button.setAttribute('aria-checked', String(/** @type {HTMLElement} */ (button).dataset.table === store.state.place.explore.table));
        }
    };
    store.listen((state, before) => {
        if (state.phase !== before.phase || state.place.explore.table !== before.place.explore.table) {
            show();
        }
    });
    show();
    return root;
}

/** The sections of the tables: the chosen one is shown. @param {Context} context */
export function keepTables({ store }) {
    const show = () => {
        const { table } = store.state.place.explore;
        byId('stats').hidden = table !== 'stats';
        byId('path-table').hidden = table !== 'path';
        byId('slice-table').hidden = table !== 'slice';
        byId('odd-table').hidden = table !== 'odd';
        byId('nodes-table').hidden = table !== 'nodes';
    };
    store.listen((state, before) => {
        if (state.place.explore.table !== before.place.explore.table) {
            show();
        }
    });
    show();
}
