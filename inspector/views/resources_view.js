// SPDX-License-Identifier: MIT
// @ts-check
/* Resources of the shown frame: what they declare, when they live, what could share memory; and memory over the frames. */

import { fill, h, onFrame } from './dom.js';
import { findField } from './find_field.js';
import { frameNote } from './frame_note.js';
import { resourcesHead } from './resources_head.js';
import { resourcesSharing } from './resources_sharing.js';
import { resourcesTable } from './resources_table.js';
import { updatePlace } from '../state/app_state.js';
import { aliasingOf } from '../model/aliasing.js';
import { groupsOf } from '../model/memory.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */

/**
 * @param {Context} context
 * @param {() => Palette} palette
 * @param {Tooltip} tooltip
 * @returns {import('./view_switch.js').View}
 */
export function resourcesView(context, palette, tooltip) {
    const { store } = context;
    const head = resourcesHead(context, palette, tooltip);
    const table = resourcesTable(context);
    const sharing = resourcesSharing(context);
    const title = h('h2');
    const all = h('button', { role: 'radio', onclick: () => updatePlace(context, { sharing: false }) });
    const some = h('button', { role: 'radio', onclick: () => updatePlace(context, { sharing: true }) });
    const choice = h('div', { class: 'choice', role: 'radiogroup', aria: { label: 'Which resources' } }, all, some);
    const field = findField('name, format, usage…', 'Only resources that have these words', (resourceFind) => updatePlace(context, { resourceFind }));
    const found = h('span', { class: 'range' });
    const note = frameNote(context);
    const body = h('div', { class: 'list' }, table.root, sharing.root);
    const empty = h('p', { class: 'empty' });
    const root = h('div', { class: 'view-resources' }, head.root, h('div', { class: 'bar' }, title, choice, field.root, found, note.root), body, empty);

    const isShown = () => store.state.place.view === 'resources';
    const draw = onFrame(() => {
        if (!isShown()) {
            return;
        }
        const { state } = store;
        const { place, structure: graph, frames } = state;
        head.draw();
        root.classList.toggle('without', !graph);
        empty.hidden = graph !== null;
        if (!graph) {
            fill(empty, h('b', {}, 'No resources to show'), emptyReason(state));
            return;
        }
        note.draw(graph.frame);
        title.textContent = graph.frame !== null && frames ? `Frame ${frames.id[graph.frame]}` : '';
        const aliasing = aliasingOf(graph);
        all.textContent = `Resources ${groupsOf(graph).length}`;
        some.textContent = `Could share memory ${aliasing.blocks.reduce((sum, block) => sum + block.members.length, 0)}`;
        all.setAttribute('aria-checked', String(!place.sharing));
        some.setAttribute('aria-checked', String(place.sharing));
        field.show(place.resourceFind);
        field.root.hidden = place.sharing;
        table.root.hidden = place.sharing;
        sharing.root.hidden = !place.sharing;
        if (place.sharing) {
            sharing.draw(graph, aliasing);
            found.textContent = '';
        } else {
            const shown = table.draw(graph);
            found.textContent = place.resourceFind.trim() === '' ? '' : `${shown} of ${groupsOf(graph).length}`;
        }
    });
    store.listen((state, before) => {
        if (isShown() && (state.structure !== before.structure || state.structureNote !== before.structureNote || state.memory !== before.memory
            || state.place !== before.place || state.phase !== before.phase || state.frames !== before.frames || state.marks !== before.marks)) {
            draw();
        }
    });
    return {
        name: 'resources',
        root,
        show: draw,
        hide: () => tooltip.hide(),
        redraw: draw,
        key: (event) => !store.state.place.sharing && field.key(event),
    };
}

/** @param {AppState} state */
function emptyReason(state) {
    if (state.phase !== 'ready') {
        return state.phase === 'failed' ? 'The capture could not be opened.' : 'They come with the trace.';
    }
    return state.structureNote || 'They are on their way.';
}
