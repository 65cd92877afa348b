// SPDX-License-Identifier: MIT
// @ts-check
/* Which passes made a frame longer than those before it, each leading to its details. */

import { h } from './dom.js';
import { setCompare } from '../state/compare_data.js';
import { selectAndReveal } from '../state/selection.js';
import { showView } from '../state/view_choice.js';
import { hueVariable } from '../draw/palette.js';
import { causeText, ratioOf, rowName, signedDuration, times } from '../model/compare.js';
import { FRAME } from '../model/frames.js';
import { costlierRows } from '../model/pass_cost.js';
import { rangeName } from '../model/sides.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/compare.js').CompareRow} CompareRow */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @param {CompareRow} row */
function costlier(context, row) {
    const { newRow } = row;
    const ratio = ratioOf(row.baseNs, row.newNs);
    const name = [h('span', { class: 'chip', colour: hueVariable(row.name), aria: { hidden: true } }), rowName(row)];
    return h('li', {},
        h('div', { class: 'use' },
            newRow === null ? h('span', {}, ...name)
                : h('button', {
                    class: 'link pass-link', title: row.scope ? `${row.scope}/${rowName(row)}` : rowName(row),
                    onclick: () => void selectAndReveal(context, newRow),
                }, ...name),
            h('span', { class: 'figure' }, `${signedDuration(Math.round(row.deltaNs))}${ratio === null ? '' : `, ${times(ratio)}`}`)),
        // Work is recorded of passes; of a zone there is none to tell of.
        row.newIdentity === null ? null : h('div', { class: 'who' }, causeText(row)));
}

/**
 * What one frame took more than the frames before it; nothing while it is not known.
 * @param {Context} context @param {number} index of the frame
 * @returns {Child[]}
 */
export function frameCost(context, index) {
    const { frames, frameCost: cost, place } = context.store.state;
    if (!frames || cost?.frame !== index) {
        return [];
    }
    const { file } = place;
    const flags = frames.flags[index];
    // A hitch of the CPU alone is told by the CPU's times.
    const side = flags & FRAME.CPU_HITCH && !(flags & FRAME.GPU_HITCH) ? 'cpu' : 'gpu';
    const rows = costlierRows(cost.rows, side);
    const before = rangeName(frames, cost.base);
    const compare = () => {
        setCompare(context, { base: { file, ...cost.base }, next: { file, first: index, last: index } }, cost.by);
        showView(context, 'compare');
    };
    return [
        h('h3', {}, `took more than in ${before}`),
        rows.length > 0 ? h('ul', { class: 'uses costlier' }, ...rows.map((row) => costlier(context, row)))
            : h('p', { class: 'faint' }, `${cost.by === 'pass' ? 'No pass' : 'Nothing'} took more on the ${side.toUpperCase()} than it varies by itself.`),
        h('p', { class: 'compare-frame' }, h('button', { class: 'link', onclick: compare }, 'Compare all of it')),
    ];
}
