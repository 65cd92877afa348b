// SPDX-License-Identifier: MIT
// @ts-check
/* What can be taken out of the page as a file. Everything is made here or by the engine; nothing is sent anywhere. */

import { copyName } from '../model/notes.js';
import { escapeAttribute, fillTemplate } from '../model/standalone.js';
import { traceOf } from './app_state.js';
import { markSaved, notedCopy } from './notes.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../protocol/home.js').Progress} Progress */
/** @typedef {import('../protocol/home.js').Product} Product */
/** @typedef {{ name: string, blob: Blob }} Made a file and what to call it */

/** Bytes of a piece that is turned into text at a time: a multiple of three, so that pieces join. */
const PIECE_BYTES = 3 << 18;

/**
 * The capture as it was opened; unpacked where it was packed.
 * @param {Context} context @param {Progress} [progress]
 * @returns {Promise<Blob>}
 */
function captureBlob(context, progress = () => {}) {
    return context.home.file(traceOf(context), progress);
}

/** What files of this capture are called, without an ending. @param {Context} context */
export function stem(context) {
    return copyName(context.store.state.entry?.label ?? 'capture', '').replace(/\.sgpt$/, '');
}

/** @type {Record<Exclude<Product, 'redacted'>, string>} */
const ENDING = { chrome: '.chrome.json', 'graph-json': '.graph.json', csv: '.csv' };

/** @param {Context} context @param {Exclude<Product, 'redacted'>} what @param {Progress} progress @returns {Promise<Made>} */
export async function exportProduct(context, what, progress) {
    return { name: stem(context) + ENDING[what], blob: await context.home.make(traceOf(context), what, progress) };
}

/** The capture, or what is left of it without names. @param {Context} context @param {boolean} redact @param {Progress} progress @returns {Promise<Made>} */
export async function exportCapture(context, redact, progress) {
    if (redact) {
        return { name: 'capture.redacted.sgpt', blob: await context.home.make(traceOf(context), 'redacted', progress) };
    }
    const { entry } = context.store.state;
    const label = entry?.format === 'sgpt' ? copyName(entry.label, '') : (entry?.label ?? 'capture').replace(/\.(gz|zst)$/i, '');
    return { name: label, blob: await captureBlob(context, progress) };
}

/** A copy of the capture with the notes of this page. @param {Context} context @param {Progress} progress @returns {Promise<Made>} */
export async function exportNoted(context, progress) {
    const { entry, pageNotes } = context.store.state;
    const blob = await notedCopy(context, progress);
    markSaved(context, pageNotes);
    return { name: copyName(entry?.label ?? 'capture', 'noted'), blob };
}

/**
 * The page and the capture as one file that opens by itself.
 * @param {Context} context @param {boolean} redact @param {Progress} progress
 * @returns {Promise<Made>}
 */
export async function exportPage(context, redact, progress) {
    const [template, capture] = await Promise.all([context.home.template(), exportCapture(context, redact, progress)]);
    const { head, tail } = fillTemplate(template, escapeAttribute(capture.name));
    const packed = await gzip(capture.blob);
    return { name: `${redact ? 'capture.redacted' : stem(context)}.html`, blob: new Blob([head, ...(await base64(packed)), tail], { type: 'text/html' }) };
}

/** The browser's own packer. @param {Blob} blob */
function gzip(blob) {
    return new Response(blob.stream().pipeThrough(new CompressionStream('gzip'))).blob();
}

/** Piece by piece: one text of a large file would not fit. @param {Blob} blob @returns {Promise<string[]>} */
async function base64(blob) {
    const parts = [];
    for (let at = 0; at < blob.size; at += PIECE_BYTES) {
        const bytes = new Uint8Array(await blob.slice(at, at + PIECE_BYTES).arrayBuffer());
        let text = '';
        for (let i = 0; i < bytes.length; i += 0x8000) {
            text += String.fromCharCode(...bytes.subarray(i, i + 0x8000));
        }
        parts.push(btoa(text));
    }
    return parts;
}

/** Hand a file to the browser's downloads. @param {Made} made */
export function download(made) {
    const url = URL.createObjectURL(made.blob);
    const link = document.createElement('a');
    link.href = url;
    link.download = made.name;
    link.click();
    setTimeout(() => URL.revokeObjectURL(url), 60000);
}
