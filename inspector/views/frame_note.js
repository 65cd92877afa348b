// SPDX-License-Identifier: MIT
// @ts-check
/* That the shown frame has notes, in one line for the head of a view of one frame. */

import { fill, h } from './dom.js';
import { showView } from '../state/view_choice.js';
import { counted } from '../model/format.js';
import { notesOfFrame } from '../model/notes.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/** @param {Context} context */
export function frameNote(context) {
    const root = h('span', { class: 'frame-note' });
    return {
        root,
        /** @param {number | null} frame that the view shows */
        draw(frame) {
            const notes = frame === null ? [] : notesOfFrame(context.store.state.marks, frame);
            const text = `${notes.length === 1 ? 'note' : counted(notes.length, 'note')}: ${notes.map((note) => note.text).join(' · ')}`;
            root.hidden = notes.length === 0;
            fill(root, notes.length === 0 ? null : h('button', { class: 'link', title: `${text}\nShow all notes`, onclick: () => showView(context, 'notes') }, text));
        },
    };
}
