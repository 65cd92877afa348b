// SPDX-License-Identifier: MIT
// @ts-check
/* What capture this is, and how far it can be believed: always in sight. */

import { byId, fill, h, icon } from './dom.js';
import { badgeList } from './badges.js';
import { openHelp } from './help_view.js';
import { liveBadge } from './live_badge.js';
import { openButton } from './open_view.js';
import { optionsMenu } from './options_menu.js';
import { openPlace } from '../state/history.js';
import { goToMatch, setFind } from '../state/search.js';
import { toggleTheme } from '../state/theme.js';
import { counted, grouped } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @param {Context} context @param {HTMLElement} tabList of the views @param {HTMLElement} exportButton */
export function topBar(context, tabList, exportButton) {
    const { store } = context;
    const file = h('span', { class: 'file' });
    const files = h('select', { class: 'file', hidden: true, aria: { label: 'File that is shown' } });
    files.addEventListener('change', () => {
        const { view, compare } = store.state.place;
        openPlace({ file: Number(files.value), view, compare });
    });
    const list = badgeList(context);
    const find = findBox(context);
    const tools = h('div', { class: 'tools' }, find.element,
        openButton(context),
        exportButton,
        optionsMenu(context),
        h('button', { class: 'tool', title: 'Dark or light (T)', aria: { label: 'Dark or light' }, onclick: () => toggleTheme(context) }, icon('theme')),
        h('button', { class: 'tool', title: 'Keys and marks (?)', aria: { label: 'Help' }, onclick: () => openHelp() }, icon('help')));
    fill(byId('top'), h('h1', { class: 'product', aria: { label: 'Frameglass' } }, logo(), h('span', {}, 'Frameglass')),
        file, files, tabList, liveBadge(context), list.root, tools);

    const update = () => {
        const { state } = store;
        showFiles(files, state);
        file.hidden = state.entries.length > 1;
        file.textContent = state.entry?.label ?? '';
        file.title = state.entry ? [state.entry.label, state.entry.packing].filter(Boolean).join(', ') : '';
        document.title = state.entry ? `${state.entry.label} · Frameglass` : 'Frameglass';
        list.update();
    };
    store.listen((state, before) => {
        if (state.info !== before.info || state.engine !== before.engine || state.losses !== before.losses || state.tracks !== before.tracks || state.entry !== before.entry
            || state.place.file !== before.place.file) {
            update();
        }
        find.update(state, before);
    });
    update();
}

/** With one file its name is a text; with several they are a choice. @param {HTMLSelectElement} files @param {AppState} state */
function showFiles(files, state) {
    const { entries, place } = state;
    files.hidden = entries.length < 2;
    if (files.options.length !== entries.length) {
        fill(files, ...entries.map((entry, i) => {
            const option = h('option', {}, `${i + 1}: ${entry.label}`);
            option.value = String(i + 1);
            return option;
        }));
    }
    files.value = String(place.file);
    files.title = state.entry?.label ?? '';
}

function logo() {
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', '0 0 20 18');
    svg.setAttribute('aria-hidden', 'true');
    for (const [x, y, width, hue] of [[0, 1, 13, '--gpu'], [4, 7, 16, '--s0'], [2, 13, 8, '--s2']]) {
        const bar = document.createElementNS('http://www.w3.org/2000/svg', 'rect');
        bar.setAttribute('x', String(x));
        bar.setAttribute('y', String(y));
        bar.setAttribute('width', String(width));
        bar.setAttribute('height', '4.5');
        bar.setAttribute('rx', '1.2');
        bar.style.fill = `var(${hue})`;
        svg.appendChild(bar);
    }
    return svg;
}

/** @param {Context} context */
function findBox(context) {
    const { store } = context;
    const input = h('input', { type: 'search', id: 'find', placeholder: 'Search names (/)', aria: { label: 'Search names of spans' } });
    input.autocomplete = 'off';
    input.spellcheck = false;
    const found = h('span', { class: 'found num' });
    const step = (/** @type {1 | -1} */ by) => void goToMatch(context, by);
    const before = h('button', { title: 'Previous match (Shift+Enter)', aria: { label: 'Previous match' }, onclick: () => step(-1) }, icon('up'));
    const next = h('button', { title: 'Next match (Enter)', aria: { label: 'Next match' }, onclick: () => step(1) }, icon('down'));
    const element = h('div', { class: 'find', role: 'search' }, input, found, before, next);
    input.addEventListener('input', () => setFind(context, input.value));
    input.addEventListener('keydown', (event) => {
        if (event.key === 'Enter') {
            event.preventDefault();
            step(event.shiftKey ? -1 : 1);
        } else if (event.key === 'Escape') {
            setFind(context, '');
            input.blur();
        }
        event.stopPropagation();
    });
    const show = (/** @type {AppState} */ state) => {
        if (input.value !== state.place.find && document.activeElement !== input) {
            input.value = state.place.find;
        } else if (state.place.find === '') {
            input.value = '';
        }
        const { search } = state;
        found.textContent = !search ? '' : search.all === 0 ? 'no match'
            : search.index >= 0 ? `${grouped(search.index + 1)} of ${grouped(search.all)}` : counted(search.all, 'span');
        before.hidden = next.hidden = !search || search.all === 0;
    };
    show(store.state);
    return {
        element,
        /** @param {AppState} state @param {AppState} old */
        update(state, old) {
            if (state.search !== old.search || state.place.find !== old.place.find) {
                show(state);
            }
        },
    };
}
