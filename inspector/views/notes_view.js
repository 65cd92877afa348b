// SPDX-License-Identifier: MIT
// @ts-check
/* The notes of the capture and those that were written here, at their frames. */

import { fill, h, icon, onFrame } from './dom.js';
import { goToFrame, glideTo } from '../state/navigate.js';
import { exportNoted } from '../state/exports.js';
import { dropNote } from '../state/notes.js';
import { showView } from '../state/view_choice.js';
import { counted, duration, grouped } from '../model/format.js';
import { unsavedCount } from '../model/notes.js';
import { windowAround } from '../model/window.js';
import { taskLine } from './export_task.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/lanes.js').Mark} Mark */
/** @typedef {import('./view_switch.js').View} View */
/** @typedef {import('./notes_dialog.js').Writer} Writer */

/** More would take long to draw, and nobody reads them all. */
const MAX_SHOWN = 2000;
/** What is shown around a note that belongs to no frame. */
const AROUND_NS = 1e6;

/** @param {Context} context @param {Mark} mark */
function goToMark(context, mark) {
    showView(context, 'timeline');
    if (mark.frame >= 0) {
        goToFrame(context, mark.frame);
    } else {
        glideTo(context, windowAround(mark.timeNs, mark.timeNs + 1n, AROUND_NS));
    }
}

/** @param {Context} context @param {Writer} writer @returns {View} */
export function notesView(context, writer) {
    const { store } = context;
    const title = h('h2', {}, 'Notes');
    const state = h('p', { class: 'state' });
    const task = taskLine();
    const save = h('button', { class: 'push', id: 'notes-save', onclick: () => void task.run('The copy with the notes', (progress) => exportNoted(context, progress)) },
        icon('save'), 'Save a copy with them');
    const add = h('button', { class: 'push', id: 'notes-add', title: 'Write a note for the shown frame (M)', onclick: () => writer.open() }, icon('note'), 'New note');
    const list = h('ol', { class: 'notes' });
    const root = h('div', { class: 'page notes-page' }, h('div', { class: 'page-head' }, title, add, save), state, task.root, list);
    let isShown = false;

    const draw = onFrame(() => {
        if (!isShown) {
            return;
        }
        const { marks, pageNotes, phase, info } = store.state;
        const unsaved = unsavedCount(pageNotes);
        add.disabled = phase !== 'ready';
        save.disabled = pageNotes.length === 0;
        const recorded = marks.length - pageNotes.length;
        title.textContent = marks.length === 0 ? 'Notes' : counted(marks.length, 'note');
        state.classList.toggle('warning', unsaved > 0);
        state.textContent = unsaved > 0
            ? `${counted(unsaved, 'note')} of this page ${unsaved === 1 ? 'is' : 'are'} not saved: closing the page loses ${unsaved === 1 ? 'it' : 'them'}. `
                + `The capture itself is never changed; a copy of it takes them.`
            : pageNotes.length > 0
                ? `${counted(pageNotes.length, 'note')} of this page ${pageNotes.length === 1 ? 'is' : 'are'} in the copy that was saved, not in the capture that is open.`
                : recorded > 0 ? 'All of them are in the capture.' : '';
        const start = info?.startNs ?? 0n;
        const shown = marks.slice(0, MAX_SHOWN);
        fill(list, ...shown.map((mark) => noteItem(context, mark, start, writer)),
            marks.length > shown.length ? h('li', { class: 'faint' }, `and ${grouped(marks.length - shown.length)} more: search finds them`) : null,
            marks.length === 0 && phase === 'ready' ? h('li', { class: 'empty' }, h('b', {}, 'No notes'),
                'A recording program writes notes at its frames, and you can write some here: press M in any view, or New note above. '
                + 'They stand at their frames in the strip and on the timeline.') : null);
    }, list);
    store.listen((now, before) => {
        if (now.marks !== before.marks || now.pageNotes !== before.pageNotes || now.phase !== before.phase || now.place.unit !== before.place.unit) {
            draw();
        }
    });
    return {
        name: 'notes',
        root,
        show: () => {
            isShown = true;
            draw();
        },
        hide: () => {
            isShown = false;
        },
        redraw: draw,
    };
}

/** @param {Context} context @param {Mark} mark @param {bigint} startNs of the capture @param {Writer} writer */
function noteItem(context, mark, startNs, writer) {
    const { frames, pageNotes } = context.store.state;
    const own = mark.page === undefined ? null : pageNotes.find((note) => note.id === mark.page) ?? null;
    const where = mark.frame >= 0 && frames ? `frame ${frames.id[mark.frame]}` : `at ${duration(mark.timeNs - startNs)}`;
    return h('li', { class: own ? (own.saved ? 'own' : 'own unsaved') : undefined, data: { frame: mark.frame } },
        h('button', { class: 'link where num', title: 'Show it on the timeline', onclick: () => goToMark(context, mark) }, where),
        h('div', { class: 'text' }, h('p', {}, mark.text),
            h('p', { class: 'faint' }, mark.frame >= 0 ? `at ${duration(mark.timeNs - startNs)}, ` : '',
                own ? (own.saved ? 'written here, saved in a copy' : 'written here, not saved') : 'in the capture')),
        own ? h('div', { class: 'row' },
            h('button', { class: 'link', aria: { label: `Change the note of ${where}` }, onclick: () => writer.edit(own) }, 'change'),
            h('button', { class: 'link', aria: { label: `Remove the note of ${where}` }, onclick: () => dropNote(context, own.id) }, 'remove')) : null);
}
