// SPDX-License-Identifier: MIT
// @ts-check
/* Writes a note, in any view. */

import { closeButton, makeDialog } from './dialog.js';
import { announce, fill, h } from './dom.js';
import { chosenFrames } from '../state/compare_data.js';
import { changeNote, writeNote } from '../state/notes.js';
import { MAX_NOTES, noteProblem } from '../model/notes.js';
import { duration } from '../model/format.js';
import { rangeText, readRange } from '../model/sides.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/notes.js').PageNote} PageNote */

/**
 * @typedef {object} Writer
 * @property {() => void} open a new note
 * @property {(note: PageNote) => void} edit
 */

/** A time as somebody writes it, in the unit beside it. @param {string} text @returns {number | null} ns */
function readTime(text) {
    const match = /^\s*([\d,]*\.?\d+)\s*(s|ms|us|µs|ns)?\s*$/i.exec(text);
    if (!match) {
        return null;
    }
    const unit = { s: 1e9, ms: 1e6, us: 1e3, µs: 1e3, ns: 1 }[(match[2] ?? 'ms').toLowerCase()] ?? 1e6;
    return Math.round(Number(match[1].replaceAll(',', '')) * unit);
}

/** @param {Context} context @returns {Writer} */
export function noteDialog(context) {
    const { store } = context;
    const title = h('h2', {});
    const text = h('textarea', { aria: { label: 'Text of the note', describedby: 'note-problem' } });
    text.rows = 4;
    const frame = h('input', { type: 'text', aria: { label: 'Frame of the note' } });
    const time = h('input', { type: 'text', aria: { label: 'Time of the note, from the begin of the capture' } });
    const isFrame = h('input', { type: 'radio', id: 'note-at-frame' });
    const isTime = h('input', { type: 'radio', id: 'note-at-time' });
    isFrame.name = isTime.name = 'note-at';
    const where = h('fieldset', { class: 'where' }, h('legend', {}, 'Where'),
        h('label', {}, isFrame, 'at frame'), frame, h('label', {}, isTime, 'at time'), time);
    const problem = h('p', { class: 'problem', id: 'note-problem', role: 'alert' });
    const submit = h('button', { class: 'push', type: 'submit' }, '');
    const form = h('form', {}, text, where, problem,
        h('p', { class: 'faint' }, 'The capture is not changed. The note stays in this page until it is saved into a copy (Notes, or Export).'),
        h('div', { class: 'row' }, submit, h('button', { class: 'push plain', type: 'button', onclick: () => dialog.close() }, 'Cancel')));
    const dialog = makeDialog('Note', 'note-dialog');
    fill(dialog, closeButton(dialog), title, form);
    /** @type {PageNote | null} */
    let edited = null;

    /** @returns {{ frame: number, timeNs: bigint } | string} */
    const place = () => {
        const { frames, info } = store.state;
        if (isFrame.checked && frames) {
            const { range, problem: wrong } = readRange(frames, frame.value.trim() === '' ? '?' : frame.value);
            return !range ? wrong : range.first !== range.last ? 'a note belongs to one frame' : { frame: range.first, timeNs: frames.startNs[range.first] };
        }
        const at = readTime(time.value);
        const start = info?.startNs ?? 0n;
        return at === null || (info && start + BigInt(at) > info.endNs) ? `write a time within the capture, as in ${duration(info ? Number(info.endNs - start) / 2 : 1e6)}`
            : { frame: -1, timeNs: start + BigInt(at) };
    };
    const done = () => {
        const at = edited ? '' : place();
        const wrong = noteProblem(text.value) || (typeof at === 'string' ? at : '');
        problem.textContent = wrong;
        if (wrong) {
            return;
        }
        if (edited) {
            changeNote(context, edited.id, text.value);
            announce('The note was changed. It is not saved.');
        } else if (typeof at !== 'string') {
            writeNote(context, { text: text.value, ...at });
            announce('The note was added. It is not saved.');
        }
        dialog.close();
    };
    form.addEventListener('submit', (event) => {
        event.preventDefault();
        done();
    });
    text.addEventListener('keydown', (event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            event.preventDefault();
            done();
        }
    });
    frame.addEventListener('focus', () => { isFrame.checked = true; });
    time.addEventListener('focus', () => { isTime.checked = true; });
    const show = (/** @type {string} */ heading, /** @type {string} */ word) => {
        title.textContent = heading;
        submit.textContent = word;
        problem.textContent = '';
        dialog.showModal();
        text.focus();
    };
    return {
        open() {
            const { frames, info, window, phase, pageNotes } = store.state;
            if (phase !== 'ready' || !info) {
                return;
            }
            edited = null;
            text.value = '';
            where.hidden = false;
            const chosen = chosenFrames(store.state);
            const hasFrames = frames !== null && frames.count > 0;
            isFrame.checked = hasFrames;
            isTime.checked = !hasFrames;
            isFrame.disabled = frame.disabled = !hasFrames;
            frame.value = chosen && frames ? rangeText(frames, { first: chosen.last, last: chosen.last }) : '';
            const middle = Number(window.startNs - info.startNs) + window.lengthNs / 2;
            time.value = duration(Math.max(0, Math.round(middle)));
            show('New note', 'Add the note');
            fill(problem, pageNotes.length >= MAX_NOTES ? `A copy takes ${MAX_NOTES} notes: remove some first.` : '');
            submit.disabled = pageNotes.length >= MAX_NOTES;
        },
        edit(note) {
            edited = note;
            text.value = note.text;
            where.hidden = true;
            submit.disabled = false;
            show('Change the note', 'Change it');
        },
    };
}
