// SPDX-License-Identifier: MIT
// @ts-check
/* Everything that can be taken out of the page as a file. */

import { closeButton, makeDialog } from './dialog.js';
import { byId, fill, h, icon, pageScale } from './dom.js';
import { taskLine } from './export_task.js';
import { VIEW_LABELS } from './tabs.js';
import { paintElement, pngOf } from '../draw/page_picture.js';
import { exportCapture, exportNoted, exportPage, exportProduct, stem } from '../state/exports.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/exports.js').Made} Made */
/** @typedef {import('../protocol/home.js').Progress} Progress */
/**
 * @typedef {object} Choice
 * @property {string} id
 * @property {string} title
 * @property {string} text
 * @property {string} what it is called while it is made
 * @property {(progress: Progress) => Promise<Made>} make
 */

/** Everything that was changed is on screen, and the canvases still hold what they drew. @returns {Promise<void>} */
function drawnNow() {
    return new Promise((done) => { requestAnimationFrame(() => done()); });
}

/** @param {Context} context @param {() => void} redraw @param {HTMLElement} root @param {string} kind */
async function picture(context, redraw, root, kind) {
    redraw();
    await drawnNow();
    const blob = await pngOf(paintElement(root, Math.max(1, devicePixelRatio), pageScale()));
    return { name: `${stem(context)}.${kind}.png`, blob };
}

/**
 * A button for the top bar, and what it opens.
 * @param {Context} context @param {() => void} redraw of everything that is on screen
 */
export function exportMenu(context, redraw) {
    const { store } = context;
    const redact = h('input', { type: 'checkbox', id: 'export-redact' });
    const task = taskLine();
    const menu = makeDialog('Export', 'export');
    // The menu is in the way of a picture: it steps aside for it.
    const aside = async (/** @type {() => Promise<Made>} */ make) => {
        menu.classList.add('aside');
        try {
            return await make();
        } finally {
            menu.classList.remove('aside');
        }
    };
    /** @type {readonly Choice[]} */
    const data = [
        { id: 'chrome', title: 'Chrome trace', text: 'Spans, scopes and counters for chrome://tracing, Perfetto and others. It knows no frame graph.',
            what: 'The Chrome trace', make: (progress) => exportProduct(context, 'chrome', progress) },
        { id: 'graph', title: 'Frame graph', text: 'Passes, resources and edges of every topology, as JSON.',
            what: 'The frame graph', make: (progress) => exportProduct(context, 'graph-json', progress) },
        { id: 'csv', title: 'Spans as a table', text: 'One line a span, as CSV.', what: 'The table', make: (progress) => exportProduct(context, 'csv', progress) },
    ];
    /** @type {readonly Choice[]} */
    const whole = [
        { id: 'html', title: 'Page with the capture', text: 'One HTML file that opens by itself in any browser: for a bug report.',
            what: 'The page', make: (progress) => exportPage(context, redact.checked, progress) },
        { id: 'capture', title: 'Capture', text: 'The file itself.', what: 'The capture', make: (progress) => exportCapture(context, redact.checked, progress) },
    ];
    /** @type {readonly Choice[]} */
    const pictures = [
        { id: 'png', title: '', text: 'As it is on screen, as PNG.',
            what: 'The picture', make: () => aside(() => picture(context, redraw, byId('views'), store.state.place.view)) },
        { id: 'png-page', title: 'Picture of the page', text: 'With the frames and the details, as PNG.',
            what: 'The picture', make: () => aside(() => picture(context, redraw, document.body, 'page')) },
    ];
    const noted = /** @type {Choice} */ ({ id: 'noted', title: 'Copy with notes', text: 'The capture with the notes of this page in it.',
            what: 'The copy with the notes', make: (progress) => exportNoted(context, progress) });
    const push = (/** @type {Choice} */ choice) => h('button', { class: 'choice-row', data: { export: choice.id }, onclick: () => void task.run(choice.what, choice.make) },
        h('b', {}, choice.title), h('span', {}, choice.text));
    const view = push(pictures[0]);
    const notes = push(noted);
    const option = h('label', { class: 'check' }, redact, h('span', {}, 'Remove names: passes, resources, threads, notes, paths and settings'));
    const optionNote = h('p', { class: 'faint' }, 'What is left: times, structure, sizes, formats, the device. Nothing is sent anywhere: files are made here.');
    fill(menu, closeButton(menu),
        h('h2', {}, 'Export'),
        h('section', { aria: { label: 'For other programs' } }, h('h3', {}, 'For other programs'), ...data.map(push)),
        h('section', { aria: { label: 'To pass on' } }, h('h3', {}, 'To pass on'), ...whole.map(push), notes, option, optionNote),
        h('section', { aria: { label: 'Pictures' } }, h('h3', {}, 'Pictures'), view, push(pictures[1])),
        task.root);
    menu.addEventListener('keydown', (event) => {
        if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
            const list = [...menu.querySelectorAll('button.choice-row:not([disabled]):not([hidden])')];
            const at = list.indexOf(/** @type {Element} */ (document.activeElement));
            const next = list[(at + (event.key === 'ArrowDown' ? 1 : -1) + list.length) % list.length];
            if (next instanceof HTMLElement) {
                next.focus();
                event.preventDefault();
            }
        }
    });
    const open = () => {
        const { entry, pageNotes, place, phase } = store.state;
        if (phase !== 'ready' || menu.open) {
            return;
        }
        fill(view, h('b', {}, `Picture of ${VIEW_LABELS[place.view]}`), h('span', {}, pictures[0].text));
        notes.hidden = pageNotes.length === 0;
        const ours = entry?.format === 'sgpt';
        redact.disabled = !ours;
        redact.checked &&= ours;
        option.title = ours ? '' : 'Only captures of this program can be redacted; import it first.';
        if (!task.isBusy()) {
            task.root.hidden = true;
        }
        menu.showModal();
        /** @type {HTMLElement | null} */ (menu.querySelector('button.choice-row'))?.focus();
    };
    return {
        open,
        button: h('button', { class: 'tool', id: 'export', title: 'Export (E)', aria: { label: 'Export', haspopup: 'dialog' }, onclick: open }, icon('save')),
    };
}
