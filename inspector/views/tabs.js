// SPDX-License-Identifier: MIT
// @ts-check
/* The tabs of the views. */

import { h } from './dom.js';
import { tabId } from './view_switch.js';
import { showView } from '../state/view_choice.js';
import { VIEWS } from '../model/address.js';
import { FOREIGN_HAS_NONE, isForeign } from '../model/capture_meta.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/address.js').ViewName} ViewName */

/** @type {Record<ViewName, string>} */
export const VIEW_LABELS = {
    timeline: 'Timeline', events: 'Events', structure: 'Structure', resources: 'Resources', compare: 'Compare', notes: 'Notes', capture: 'Capture',
    metrics: 'Metrics', live: 'Live',
};

/** What a trace of another tool does not have. @type {readonly ViewName[]} */
const RECORDED_VIEWS = ['events', 'structure', 'resources', 'live'];

/**
 * @param {Context} context
 * @param {readonly ViewName[]} names views that there are
 */
export function tabs(context, names) {
    const { store } = context;
    const buttons = VIEWS.filter((name) => names.includes(name)).map((name) => h('button', {
        id: tabId(name),
        role: 'tab',
        aria: { controls: `view-${name}` },
        data: { view: name },
        onclick: () => showView(context, name),
    }, VIEW_LABELS[name]));
    const list = h('div', { class: 'tabs', role: 'tablist', aria: { label: 'Views' } }, ...buttons);
    list.addEventListener('keydown', (event) => {
        const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
        const at = buttons.findIndex((button) => button === document.activeElement);
        if (step !== undefined && at >= 0) {
            const open = buttons.filter((button) => !button.disabled);
            const next = open[(open.indexOf(buttons[at]) + step + open.length) % open.length];
            next.focus();
            next.click();
            event.preventDefault();
            event.stopPropagation();
        }
    });
    const show = () => {
        const shown = buttons.find((button) => button.dataset.view === store.state.place.view) ?? buttons[0];
        for (const button of buttons) {
            const { view } = button.dataset;
            button.setAttribute('aria-selected', String(button === shown));
            // Where somebody is, the view itself says why it is empty.
            button.disabled = button !== shown && isForeign(store.state.info) && RECORDED_VIEWS.some((name) => name === view);
            button.title = `${button.textContent} (${button.disabled ? FOREIGN_HAS_NONE : VIEWS.findIndex((name) => name === view) + 1})`;
            button.tabIndex = button === shown ? 0 : -1;
        }
    };
    store.listen((state, before) => {
        if (state.place.view !== before.place.view || state.info !== before.info) {
            show();
        }
    });
    show();
    return list;
}
