// SPDX-License-Identifier: MIT
// @ts-check
/* Notes that were written in the page: they stand beside those of the capture until they are saved into a copy. */

/** @typedef {import('./lanes.js').Mark} Mark */
/**
 * @typedef {object} PageNote
 * @property {number} id
 * @property {string} text
 * @property {number} frame row; below zero: it belongs to a time
 * @property {bigint} timeNs of the frame's begin, or the time itself
 * @property {boolean} saved it is in a copy of the capture, as it is now
 */

/** The protocol's limits. */
const MAX_NOTE_BYTES = 4096;
export const MAX_NOTES = 1024;

const encoder = new TextEncoder();

/** What stands in the way of a text as a note; empty when nothing does. @param {string} text */
export function noteProblem(text) {
    if (text.trim() === '') {
        return 'A note needs some words.';
    }
    const bytes = encoder.encode(text.trim()).length;
    return bytes > MAX_NOTE_BYTES ? `A note has room for ${MAX_NOTE_BYTES} bytes of text; this one has ${bytes}.` : '';
}

/** @param {readonly PageNote[]} notes @returns {number} that no copy has */
export function unsavedCount(notes) {
    return notes.filter((note) => !note.saved).length;
}

/** @param {readonly PageNote[]} notes @param {{ text: string, frame: number, timeNs: bigint }} note @returns {PageNote[]} */
export function addNote(notes, note) {
    const id = notes.reduce((most, item) => Math.max(most, item.id), 0) + 1;
    return [...notes, { ...note, text: note.text.trim(), id, saved: false }];
}

/** @param {readonly PageNote[]} notes @param {number} id @param {string} text @returns {PageNote[]} */
export function editNote(notes, id, text) {
    return notes.map((note) => (note.id === id && note.text !== text.trim() ? { ...note, text: text.trim(), saved: false } : note));
}

/** @param {readonly PageNote[]} notes @param {number} id */
export function removeNote(notes, id) {
    return notes.filter((note) => note.id !== id);
}

/**
 * The capture's notes and the page's, in order of time.
 * @param {readonly Mark[]} recorded @param {readonly PageNote[]} notes
 * @returns {Mark[]}
 */
export function allMarks(recorded, notes) {
    const own = notes.map((note) => ({ timeNs: note.timeNs, track: -1, text: note.text, frame: note.frame, page: note.id }));
    return [...recorded, ...own].sort((a, b) => (a.timeNs < b.timeNs ? -1 : a.timeNs > b.timeNs ? 1 : 0));
}

/** @param {readonly Mark[]} marks those that the capture holds */
export function recordedMarks(marks) {
    return marks.filter((mark) => mark.page === undefined);
}

/** Notes of one frame, in order. @param {readonly Mark[]} marks @param {number} frame row */
export function notesOfFrame(marks, frame) {
    return marks.filter((mark) => mark.frame === frame);
}

/** As text that a browser can keep while the page is loaded anew. @param {readonly PageNote[]} notes */
export function notesToText(notes) {
    return JSON.stringify(notes.map((note) => ({ ...note, timeNs: String(note.timeNs) })));
}

/** What is not understood is left out. @param {string} text @returns {PageNote[]} */
export function notesFromText(text) {
    try {
        const list = JSON.parse(text);
        return (Array.isArray(list) ? list : []).flatMap((item, i) => (
            typeof item?.text === 'string' && noteProblem(item.text) === '' && Number.isInteger(item.frame) && /^-?\d{1,19}$/.test(item.timeNs)
                ? [{ id: i + 1, text: item.text, frame: item.frame, timeNs: BigInt(item.timeNs), saved: item.saved === true }] : []));
    } catch {
        return [];
    }
}

/** A copy's name: "run.sgpt" becomes "run.noted.sgpt", "run.sgpt.gz" too. @param {string} label @param {string} kind as in "noted" */
export function copyName(label, kind) {
    const stem = label.replace(/\.(gz|zst)$/i, '').replace(/\.sgpt$/i, '').replace(/[\\/:*?"<>|\u0000-\u001f]/g, '_') || 'capture';
    return kind === '' ? `${stem}.sgpt` : `${stem}.${kind}.sgpt`;
}
