// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Notes that are written in the page. They are shown with those of the capture and live as long as the tab; the capture itself is
 * never changed: they go into a copy of it.
 */

import { askAmend } from '../protocol/compare.js';
import { addNote, allMarks, editNote, notesFromText, notesToText, recordedMarks, removeNote, unsavedCount } from '../model/notes.js';
import { isRenewed, traceOf } from './app_state.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/notes.js').PageNote} PageNote */
/** @typedef {import('../protocol/home.js').Progress} Progress */

/** Where the browser keeps them while another of the files is shown. @param {AppState} state */
function storageKey(state) {
    return `frameglass-notes ${location.pathname} ${state.place.file} ${state.entry?.label ?? ''} ${state.info?.counts.frames ?? 0}`;
}

/** @param {Context} context @param {PageNote[]} pageNotes */
function put(context, pageNotes) {
    const { store } = context;
    store.update({ pageNotes });
    try {
        sessionStorage.setItem(storageKey(store.state), notesToText(pageNotes));
    } catch {
        // Storage may be off: the notes then last as long as the page.
    }
}

/**
 * A note at a frame, or at a time where `frame` is below zero.
 * @param {Context} context @param {{ text: string, frame: number, timeNs: bigint }} note
 */
export function writeNote(context, note) {
    put(context, addNote(context.store.state.pageNotes, note));
}

/** @param {Context} context @param {number} id @param {string} text */
export function changeNote(context, id, text) {
    put(context, editNote(context.store.state.pageNotes, id, text));
}

/** @param {Context} context @param {number} id */
export function dropNote(context, id) {
    put(context, removeNote(context.store.state.pageNotes, id));
}

/**
 * The capture's bytes with the page's notes in them.
 * @param {Context} context @param {Progress} progress
 * @returns {Promise<Blob>}
 */
export async function notedCopy(context, progress) {
    const { store, client, home } = context;
    const trace = traceOf(context);
    const { head, keep, tail } = await askAmend(client, trace, store.state.pageNotes);
    const file = await home.file(trace, progress);
    if (file.size < keep) {
        throw new Error('the file has become shorter since it was opened: open it again');
    }
    return new Blob([copied(head), file.slice(head.length, keep), copied(tail)], { type: 'application/octet-stream' });
}

/** Out of the reply's buffer, which a Blob must not hold on to. @param {Uint8Array} bytes */
function copied(bytes) {
    return Uint8Array.from(bytes);
}

/** What is written now is in a copy. @param {Context} context @param {readonly PageNote[]} notes those that went into it */
export function markSaved(context, notes) {
    put(context, context.store.state.pageNotes.map((note) => (notes.includes(note) ? { ...note, saved: true } : note)));
}

/** @param {Context} context */
export function keepNotes(context) {
    const { store } = context;
    /** @type {readonly unknown[] | null} what this made of the marks last */
    let merged = null;
    store.listen((state, before) => {
        if (isRenewed(state, before) && before.phase !== 'ready') {
            store.update({ pageNotes: remembered(state) });
            return;
        }
        if (state.phase !== 'ready' || (state.pageNotes === before.pageNotes && (state.marks === before.marks || state.marks === merged))) {
            return;
        }
        const marks = allMarks(recordedMarks(state.marks), state.pageNotes);
        merged = marks;
        store.update({ marks });
    });
    addEventListener('beforeunload', (event) => {
        if (unsavedCount(store.state.pageNotes) > 0 && !isReload) {
            event.preventDefault();
        }
    });
}

/** @param {AppState} state */
function remembered(state) {
    try {
        return notesFromText(sessionStorage.getItem(storageKey(state)) ?? '[]');
    } catch {
        return [];
    }
}

/** The page loads itself anew: what the browser keeps comes back. */
let isReload = false;

/** Another of the files is about to be shown: nothing is lost by it. */
export function leavingForFile() {
    isReload = true;
}
