// SPDX-License-Identifier: MIT
// @ts-check
/* What is shown at all: all the filters by name, in one panel. They hold together. */

import { closeButton, makeDialog } from './dialog.js';
import { fill, h } from './dom.js';
import { grouped } from '../model/format.js';
import { CHANNEL, traceOf } from '../state/app_state.js';
import { setOnly, showEverything } from '../state/filter_data.js';
import { askGroups } from '../protocol/analysis.js';
import { attempt } from '../state/problems.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/filter_terms.js').OnlyPlace} OnlyPlace */

/** More than these are not listed: a person searches then. */
const MOST_LISTED = 200;
const US = 1000;

/** @param {string} text @param {string} title @param {(on: boolean) => void} set */
function check(text, title, set) {
    const input = h('input', { type: 'checkbox' });
    input.addEventListener('change', () => set(input.checked));
    return { input, label: h('label', { title }, input, h('span', {}, text)) };
}

/** @param {string} text @param {string} unit @param {string} title @param {number} most @param {(value: number) => void} set */
function number(text, unit, title, most, set) {
    const input = h('input', { type: 'number', placeholder: 'off', aria: { label: `${text} (${unit})` } });
    input.min = '0';
    input.max = String(most);
    input.step = 'any';
    input.addEventListener('change', () => set(Number.isFinite(input.valueAsNumber) ? Math.min(most, Math.max(0, input.valueAsNumber)) : 0));
    return { input, label: h('label', { title }, h('span', {}, text), input, h('span', { class: 'unit' }, unit)) };
}

/** A list of things that may be chosen; none chosen means all. @param {string} label */
function choices(label) {
    const list = h('div', { class: 'choices', role: 'group', aria: { label } });
    return {
        list,
        /** @param {readonly { id: string, text: string, count: string }[]} items @param {readonly string[]} chosen @param {(ids: string[]) => void} set */
        show(items, chosen, set) {
            const boxes = items.slice(0, MOST_LISTED).map((item) => {
                const box = check(item.text, item.text, (on) => set(on ? [...chosen, item.id] : chosen.filter((id) => id !== item.id)));
                box.input.checked = chosen.includes(item.id);
                box.input.dataset.id = item.id;
                box.label.append(h('span', { class: 'num' }, item.count));
                return box.label;
            });
            const held = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.id : undefined;
            fill(list, ...(boxes.length > 0 ? boxes : [h('span', { class: 'faint' }, 'none')]),
                items.length > MOST_LISTED ? h('span', { class: 'faint' }, `and ${grouped(items.length - MOST_LISTED)} more`) : null);
            const again = held === undefined ? null : list.querySelector(`[data-id="${CSS.escape(held)}"]`);
            if (again instanceof HTMLElement) {
                again.focus();
            }
        },
    };
}

/** @param {Context} context */
export function filterPanel(context) {
    const { store } = context;
    const menu = makeDialog('What is shown', 'filters');
    const errors = check('errors only', 'only spans that the source marks as failed', (on) => setOnly(context, { errors: on }));
    const runtime = check('hide runtime', 'no spans that the runtime made', (on) => setOnly(context, { noRuntime: on }));
    const least = number('at least', 'µs', 'shorter spans are hidden', 1e12, (us) => setOnly(context, { leastNs: Math.round(us * US) }));
    const most = number('at most', 'µs', 'longer spans are hidden, as one that covers everything', 1e12, (us) => setOnly(context, { mostNs: Math.round(us * US) }));
    const child = number('hide children up to', 'µs', 'spans inside another one that are not longer are hidden', 1e12,
        (us) => setOnly(context, { shortChildNs: Math.round(us * US) }));
    const parent = number('hide parents within', '% of a child', 'spans of which one child is about as long are hidden', 100,
        (percent) => setOnly(context, { similarPercent: Math.round(percent) }));
    const categories = choices('Categories');
    const tracks = choices('Tracks');
    const count = h('p', { class: 'faint', role: 'status' });
    fill(menu, closeButton(menu), h('h2', {}, 'What is shown'),
        h('div', { class: 'terms' }, errors.label, runtime.label, least.label, most.label, child.label, parent.label),
        h('div', { class: 'lists' }, h('section', {}, h('h3', {}, 'Categories'), categories.list), h('section', {}, h('h3', {}, 'Tracks'), tracks.list)),
        h('div', { class: 'row' }, h('button', { class: 'action', onclick: () => showEverything(context) }, 'Show everything'), count));
    /** @type {{ name: string, count: number }[]} */
    let known = [];

    const show = () => {
        const { state } = store;
        const { only } = state.place.explore;
        errors.input.checked = only.errors;
        runtime.input.checked = only.noRuntime;
        for (const [field, value] of /** @type {const} */ ([[least, only.leastNs / US], [most, only.mostNs / US],
            [child, only.shortChildNs / US], [parent, only.similarPercent]])) {
            if (document.activeElement !== field.input) {
                field.input.value = value > 0 ? String(value) : '';
            }
        }
        categories.show(known.map((item) => ({ id: item.name, text: item.name, count: grouped(item.count) })), only.categories,
            (ids) => setOnly(context, { categories: ids }));
        const rows = state.tracks.filter((track) => track.kind !== 'counter');
        const several = rows.some((track) => track.process?.group !== rows[0].process?.group);
        const textOf = (/** @type {typeof rows[number]} */ track) => (several && track.process ? `${track.name}, ${track.process.name}` : track.name);
        tracks.show(rows.map((track) => ({ id: String(track.id), text: textOf(track), count: grouped(track.spans) })), only.tracks.map(String),
            (ids) => setOnly(context, { tracks: ids.map(Number) }));
        count.textContent = state.filter ? `${grouped(state.filter.rows)} of ${grouped(Number(state.info?.counts.spans ?? 0n))} spans are shown` : 'everything is shown';
    };
    store.listen((state, before) => {
        if (menu.open && (state.place.explore !== before.place.explore || state.filter !== before.filter || state.tracks !== before.tracks)) {
            show();
        }
    });
    const readCategories = () => attempt(context, 'The categories could not be read', async () => {
        const order = context.client.supersede(CHANNEL.CATEGORIES);
        const selection = { window: null, frames: null, tracks: [], filter: 0 };
        const groups = await askGroups(context.client, traceOf(context), { selection, by: 'category', measure: 'duration', percentiles: false }, order, () => {});
        /** @type {Map<string, number>} */
        const sums = new Map();
        for (const row of groups.rows) {
            sums.set(row.name, (sums.get(row.name) ?? 0) + row.count + row.unfinished);
        }
        known = [...sums].filter(([name]) => name !== '').map(([name, total]) => ({ name, count: total }));
        show();
    });
    return {
        open() {
            show();
            menu.showModal();
            void readCategories();
        },
    };
}
