// SPDX-License-Identifier: MIT
// @ts-check
/* What capture this is, and how far it can be believed: always in sight. */

import { byId, fill, h, icon } from './dom.js';
import { showSection } from './capture_view.js';
import { openHelp } from './help_view.js';
import { liveBadge } from './live_badge.js';
import { openButton } from './open_view.js';
import { optionsMenu } from './options_menu.js';
import { openPlace } from '../state/history.js';
import { goToMatch, setFind } from '../state/search.js';
import { toggleTheme } from '../state/theme.js';
import { showView } from '../state/view_choice.js';
import { LEVELS } from '../model/capture_meta.js';
import { counted, grouped, shortDuration } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {{ text: [string, string, string], tone: '' | 'good' | 'warn' | 'bad', title: string, section: string }} Badge before, stressed, after */

/** @param {Info} info @returns {Badge} */
function clockBadge(info) {
    const devices = info.clocks.filter((clock) => clock.domain !== 'host');
    const nominal = devices.find((clock) => clock.domain === 'nominal');
    if (nominal) {
        return {
            text: ['GPU clock ', 'nominal', ''],
            tone: 'warn',
            title: `CPU and GPU are two clocks here: each frame's GPU work is placed at its submit, and nothing is measured across. ${nominal.reason}`.trim(),
            section: 'clocks',
        };
    }
    if (devices.length === 0) {
        return { text: ['', 'CPU clock only', ''], tone: '', title: 'The capture has no device clock.', section: 'clocks' };
    }
    const bound = Math.max(...devices.map((clock) => clock.boundNs));
    return {
        text: ['GPU clock ', 'calibrated', bound >= 0 ? ` ±${shortDuration(bound)}` : ''],
        tone: 'good',
        title: 'GPU times were brought to the CPU clock with paired readings; the bound is the largest error of any of them.',
        section: 'clocks',
    };
}

/** @param {AppState} state @returns {Badge[]} */
export function badges(state) {
    const { info } = state;
    if (!info) {
        return [];
    }
    const lost = info.dropped.reduce((sum, item) => sum + item.count, 0n);
    const repairs = info.repairs.reduce((sum, item) => sum + item.count, 0n);
    const skipped = info.skipped.reduce((sum, item) => sum + item.count, 0n);
    /** @type {Badge[]} */
    const list = [clockBadge(info), {
        text: ['', `lost ${grouped(lost)}`, ''],
        tone: lost > 0n ? 'bad' : 'good',
        title: lost > 0n ? info.dropped.map((item) => `${grouped(item.count)} ${item.name}`).join(', ') : 'Nothing was refused while recording.',
        section: 'losses',
    }];
    if (info.deviceLost) {
        list.push({ text: ['', 'device lost', ''], tone: 'bad', title: 'The device was lost during this capture.', section: 'losses' });
    }
    if (info.level !== null) {
        const verbose = info.level === 3;
        list.push({
            text: ['', LEVELS[info.level] ?? `level ${info.level}`, verbose ? ' level: internal repro' : ' level'],
            tone: verbose ? 'warn' : '',
            title: verbose ? 'A level 3 capture is an internal repro level: its own cost shows in its times, and it tells more about the program than you may want to share.'
                : 'How much was recorded.',
            section: 'recording',
        });
    }
    if (info.defectCount > 0 || repairs > 0n || info.recovered || !info.closed) {
        const damage = info.defectCount;
        list.push({
            text: ['', damage > 0 ? counted(damage, 'defect') : repairs > 0n ? counted(repairs, 'repair') : info.closed ? 'recovered' : 'not closed', ''],
            tone: damage > 0 ? 'bad' : 'warn',
            title: damage > 0 ? 'The file is damaged and was read in part.' : 'Reading put something right, or the recorder never reached its stop.',
            section: 'damage',
        });
    }
    if (skipped > 0n) {
        list.push({ text: ['', grouped(skipped), ' parts not shown'], tone: 'warn', title: 'The capture holds records that this version does not know.', section: 'skipped' });
    }
    return list;
}

/** What a narrow page leaves out; a mark of a bound is no word and stays. @param {string} text */
function more(text) {
    return text === '' ? null : h('span', { class: /[a-z]{3}/i.test(text) ? 'more' : undefined }, text);
}

/** @param {Context} context @param {HTMLElement} tabList of the views @param {HTMLElement} exportButton */
export function topBar(context, tabList, exportButton) {
    const { store } = context;
    const file = h('span', { class: 'file' });
    const files = h('select', { class: 'file', hidden: true, aria: { label: 'File that is shown' } });
    files.addEventListener('change', () => {
        const { view, compare } = store.state.place;
        openPlace({ file: Number(files.value), view, compare });
    });
    const list = h('div', { class: 'badges', role: 'group', aria: { label: 'About the capture' } });
    const find = findBox(context);
    const tools = h('div', { class: 'tools' }, find.element,
        openButton(context),
        exportButton,
        optionsMenu(context),
        h('button', { class: 'tool', title: 'Dark or light (T)', aria: { label: 'Dark or light' }, onclick: () => toggleTheme(context) }, icon('theme')),
        h('button', { class: 'tool', title: 'Keys and marks (?)', aria: { label: 'Help' }, onclick: () => openHelp() }, icon('help')));
    fill(byId('top'), h('h1', { class: 'product', aria: { label: 'Frameglass' } }, logo(), h('span', {}, 'Frameglass')), file, files, tabList, liveBadge(context), list, tools);

    const update = () => {
        const { state } = store;
        showFiles(files, state);
        file.hidden = state.entries.length > 1;
        file.textContent = state.entry?.label ?? '';
        file.title = state.entry ? [state.entry.label, state.entry.packing].filter(Boolean).join(', ') : '';
        document.title = state.entry ? `${state.entry.label} · Frameglass` : 'Frameglass';
        fill(list, ...badges(state).map((badge) => h('button', {
            class: `badge num ${badge.tone === 'bad' ? 'alarm' : badge.tone === 'warn' ? 'alert' : ''}`,
            title: badge.title,
            // All of it, on a narrow page as well.
            aria: { label: badge.text.join('') },
            onclick: () => {
                showView(context, 'capture');
                showSection(badge.section);
            },
        }, more(badge.text[0]), h('b', { class: badge.tone }, badge.text[1]), more(badge.text[2]))));
    };
    store.listen((state, before) => {
        if (state.info !== before.info || state.entry !== before.entry || state.place.file !== before.place.file) {
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
