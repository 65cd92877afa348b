// SPDX-License-Identifier: MIT
// @ts-check
/* How things are shown: what colours tell, the unit of times, theme, contrast, hues. */

import { closeButton, makeDialog } from './dialog.js';
import { fill, h, icon } from './dom.js';
import { updateExplore, updatePlace } from '../state/app_state.js';
import { CONTRASTS, HUES, THEMES } from '../state/theme.js';
import { COLOURINGS } from '../model/colouring.js';
import { TIME_UNITS } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {{ id: string, text: string, title?: string }} Choice */

/** @type {readonly { id: import('../model/address_explore.js').Detail, text: string, title: string }[]} */
const DETAIL_CHOICES = [
    { id: 'auto', text: 'by pixels', title: 'Spans where they have room, the longest of several where not, coverage where there are many' },
    { id: 'exact', text: 'every span', title: 'Spans at every zoom, as far as one answer may hold' },
    { id: 'representative', text: 'the longest', title: 'Where spans have no room the longest of several stands for all' },
    { id: 'density', text: 'coverage', title: 'Where spans have no room how much of the time is covered' },
];
/** @type {readonly { id: import('../model/address_explore.js').Handoff, text: string, title: string }[]} */
const HANDOFF_CHOICES = [
    { id: 'hard', text: 'at once', title: 'One representation at a time' },
    { id: 'smooth', text: 'smoothly', title: 'Both are drawn while they take turns' },
];

/**
 * @param {string} name of the group
 * @param {string} label
 * @param {readonly Choice[]} choices
 * @param {(id: string) => void} choose
 */
function radios(name, label, choices, choose) {
    const list = h('fieldset', {}, h('legend', {}, label), ...choices.map((choice) => {
        const input = h('input', { type: 'radio' });
        input.name = name;
        input.value = choice.id;
        input.addEventListener('change', () => choose(choice.id));
        return h('label', { title: choice.title }, input, h('span', {}, choice.text));
    }));
    return {
        list,
        /** @param {string} id */
        check(id) {
            for (const input of list.querySelectorAll('input')) {
                input.checked = input.value === id;
            }
        },
    };
}

/**
 * @template {string} T
 * @param {readonly { id: T }[]} choices
 * @param {string} id
 * @returns {T}
 */
function known(choices, id) {
    return (choices.find((choice) => choice.id === id) ?? choices[0]).id;
}

/** A button for the top bar. @param {Context} context */
export function optionsMenu(context) {
    const { store } = context;
    const groups = {
        colour: radios('colour', 'Colours of the timeline', COLOURINGS, (id) => updatePlace(context, { colour: known(COLOURINGS, id) })),
        detail: radios('detail', 'Detail of the timeline', DETAIL_CHOICES, (id) => updateExplore(context, { detail: known(DETAIL_CHOICES, id) })),
        handoff: radios('handoff', 'Change of detail', HANDOFF_CHOICES, (id) => updateExplore(context, { handoff: known(HANDOFF_CHOICES, id) })),
        unit: radios('unit', 'Times', TIME_UNITS, (id) => updatePlace(context, { unit: known(TIME_UNITS, id) })),
        theme: radios('theme', 'Theme', THEMES, (id) => store.update({ theme: known(THEMES, id) })),
        contrast: radios('contrast', 'Contrast', CONTRASTS, (id) => store.update({ contrast: known(CONTRASTS, id) })),
        hues: radios('hues', 'Hues', HUES, (id) => store.update({ hues: known(HUES, id) })),
    };
    const menu = makeDialog('How it is shown', 'options');
    fill(menu, closeButton(menu),
        h('h2', {}, 'How it is shown'), ...Object.values(groups).map((group) => group.list));

    const check = () => {
        const { place, theme, contrast, hues } = store.state;
        groups.colour.check(place.colour);
        groups.detail.check(place.explore.detail);
        groups.handoff.check(place.explore.handoff);
        groups.unit.check(place.unit);
        groups.theme.check(theme);
        groups.contrast.check(contrast);
        groups.hues.check(hues);
    };
    store.listen((state, before) => {
        if (menu.open && (state.place !== before.place || state.theme !== before.theme
            || state.contrast !== before.contrast || state.hues !== before.hues)) {
            check();
        }
    });
    return h('button', {
        class: 'tool', title: 'Colours, units, theme (O)', id: 'options', aria: { label: 'How it is shown', haspopup: 'dialog' },
        onclick: () => {
            check();
            menu.showModal();
        },
    }, icon('options'));
}

/** The colouring after the one that is shown. @param {Context} context */
export function nextColouring(context) {
    const { colour } = context.store.state.place;
    const at = COLOURINGS.findIndex((item) => item.id === colour);
    updatePlace(context, { colour: COLOURINGS[(at + 1) % COLOURINGS.length].id });
}

/** @param {Context} context */
export function nextUnit(context) {
    const { unit } = context.store.state.place;
    const at = TIME_UNITS.findIndex((item) => item.id === unit);
    updatePlace(context, { unit: TIME_UNITS[(at + 1) % TIME_UNITS.length].id });
}
