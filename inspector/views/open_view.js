// SPDX-License-Identifier: MIT
// @ts-check
/* Opening a capture: the page with nothing in it, files that are dropped on it, how far a large one is. */

import { byId, fill, h, icon } from './dom.js';
import { MOST_FILES } from '../protocol/sources.js';
import { isOneFile } from '../protocol/worker_transport.js';
import { openFiles, stopOpening } from '../state/opening.js';
import { grouped } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').Opening} Opening */

const MIB = 1 << 20;

/** A button that lets somebody pick files. @param {Context} context @param {string} className @param {...import('./dom.js').Child} inside */
function pickButton(context, className, ...inside) {
    const input = h('input', { type: 'file', hidden: true, aria: { label: 'Capture to open' } });
    input.multiple = true;
    input.accept = '.sgpt,.cnatrace,.gz,application/gzip';
    input.addEventListener('change', () => {
        const files = [...input.files ?? []];
        input.value = '';
        void openFiles(context, files);
    });
    const title = `Open a capture of this computer, or ${MOST_FILES} to compare`;
    const button = h('button', { class: className, title, aria: { label: 'Open a capture' }, onclick: () => input.click() }, ...inside);
    return h('span', { class: 'pick' }, button, input);
}

/** For the top bar. @param {Context} context */
export function openButton(context) {
    return pickButton(context, 'tool', icon('open'));
}

/** @param {Context} context */
export function openView(context) {
    const { store } = context;
    const heading = h('h1', {}, 'Drop a capture here');
    const empty = h('div', { class: 'open-card' }, heading,
        h('p', {}, pickButton(context, 'action', 'Open a file…'), ' or drop one on this page; two are compared.'),
        h('dl', {},
            h('dt', {}, 'What it reads'), h('dd', {}, 'captures of Frameglass (', h('code', {}, '.sgpt'), ') and events of a process (',
                h('code', {}, '.cnatrace'), '), also packed with gzip.',
                ' Only the parts that are looked at are read, so a large file opens at once.'),
            ...isOneFile() ? [] : [h('dt', {}, 'From a web server'), h('dd', {}, 'add ', h('code', {}, '?file=demo.sgpt'), ' to the address of this page, twice for two files.')],
            h('dt', {}, 'To make one'), h('dd', {}, h('code', {}, 'frameglass demo -o demo.sgpt'), ' records the bundled renderer.'),
            h('dt', {}, 'Where it goes'), h('dd', {}, 'nowhere: the file is read by this page, in this browser, and nothing is sent.')));
    const loading = h('div', { class: 'open-card', role: 'status' });
    const root = h('section', { class: 'open', hidden: true, aria: { label: 'Open a capture' } }, empty, loading);
    const veil = h('div', { class: 'drop-veil', hidden: true }, h('b', {}, 'Drop to open'));
    byId('overlay').append(root, veil);

    const update = () => {
        const { phase, opening } = store.state;
        const isEmpty = phase === 'empty';
        root.hidden = !isEmpty && opening === null;
        root.classList.toggle('over', !isEmpty && opening !== null);
        empty.hidden = opening !== null;
        loading.hidden = opening === null;
        document.body.classList.toggle('nothing-open', isEmpty || (opening !== null && phase === 'connecting'));
        if (opening) {
            showOpening(context, loading, opening);
        }
    };
    store.listen((state, before) => {
        if (state.phase !== before.phase || state.opening !== before.opening) {
            update();
        }
    });
    update();
    takeDrops(context, veil);
}

/** @param {Opening} opening @returns {string} */
function progressText({ name, doing, done, all }) {
    const size = all > 0 ? `${grouped(Math.floor(done / MIB))} of ${grouped(Math.ceil(all / MIB))} MiB` : `${grouped(Math.floor(done / MIB))} MiB so far`;
    switch (doing) {
        case 'fetch': return `Loading ${name}: ${size}`;
        case 'unpack': return `Unpacking ${name}: ${size}`;
        case 'load': return `Reading ${name}: ${all > 0 ? `${Math.floor(100 * done / all)} %` : '…'}`;
        default: return `Opening ${name}…`;
    }
}

/** @param {Context} context @param {HTMLElement} card @param {Opening} opening */
function showOpening(context, card, opening) {
    let bar = card.querySelector('progress');
    if (!bar) {
        bar = h('progress', { aria: { label: 'How far it is' } });
        fill(card, h('p', { class: 'say' }), bar, h('button', { class: 'action', onclick: () => stopOpening(context) }, 'Stop'));
    }
    /** @type {HTMLElement} */ (card.querySelector('.say')).textContent = progressText(opening);
    if (opening.all > 0 && opening.doing !== 'open') {
        bar.max = opening.all;
        bar.value = opening.done;
    } else {
        bar.removeAttribute('value');
    }
}

/** Files may be dropped anywhere, whatever is open. @param {Context} context @param {HTMLElement} veil */
function takeDrops(context, veil) {
    const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes('Files') ?? false;
    addEventListener('dragover', (event) => {
        if (hasFiles(event)) {
            event.preventDefault();
            veil.hidden = false;
        }
    });
    addEventListener('dragleave', (event) => {
        // Leaving an element for another one within the page is none.
        if (event.relatedTarget === null) {
            veil.hidden = true;
        }
    });
    addEventListener('drop', (event) => {
        veil.hidden = true;
        if (hasFiles(event)) {
            event.preventDefault();
            void openFiles(context, [...event.dataTransfer?.files ?? []]);
        }
    });
}
