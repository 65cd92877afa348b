// SPDX-License-Identifier: MIT
// @ts-check
/* Where the page lives, as far as whole files are concerned: what can be downloaded. docs/PROTOCOL.md sections 7, 8 and 10. */

import { httpTransport } from './http.js';

/** @typedef {(done: number, all: number) => void} Progress bytes; all is 0 where it is not known */
/** @typedef {'redacted' | 'chrome' | 'graph-json' | 'csv'} Product what the engine writes of a capture */
/**
 * @typedef {object} Home
 * @property {'server' | 'worker'} kind
 * @property {import('./client.js').Transport} transport
 * @property {() => string} [trouble] why a file could not be read, where the engine cannot know; said once
 * @property {(trace: number, progress: Progress) => Promise<Blob>} file the capture's own bytes, unpacked
 * @property {(trace: number, what: Product, progress: Progress) => Promise<Blob>} make
 * @property {() => Promise<string>} template the page as one file, with nothing in the place of its capture
 */

/** @type {Record<Product, string>} */
const MEDIA = { redacted: 'application/octet-stream', chrome: 'application/json', 'graph-json': 'application/json', csv: 'text/csv' };

/** A download that did not come. */
export class DownloadError extends Error {}

/**
 * @param {string} address
 * @returns {Promise<Response>}
 */
async function get(address) {
    let response;
    try {
        response = await fetch(address, { cache: 'no-store', credentials: 'same-origin' });
    } catch {
        throw new DownloadError('frameglass view does not answer: it may have been stopped. Start it again, then open the address that it prints.');
    }
    if (!response.ok) {
        // What went wrong is said in the body, in a sentence; a server that does not know the address says nothing.
        const said = (await response.text()).trim();
        const isSentence = said !== '' && said.length < 500 && !said.startsWith('<');
        throw new DownloadError(isSentence ? said : `frameglass view answered with HTTP status ${response.status}. Is it older than this page?`);
    }
    return response;
}

/** @param {Response} response @param {string} media @param {Progress} progress */
async function collect(response, media, progress) {
    const all = Number(response.headers.get('Content-Length') ?? 0);
    const reader = response.body?.getReader();
    /** @type {BlobPart[]} */
    const parts = [];
    let done = 0;
    progress(0, all);
    try {
        for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
            parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
            done += part.value.length;
            progress(done, all);
        }
    } catch {
        throw new DownloadError('the download ended early: frameglass view was stopped, or could not read the file any more.');
    }
    return new Blob(parts, { type: media });
}

/** The local server. @param {string} base address of the page, ending in a slash @returns {Home} */
export function serverHome(base) {
    const address = (/** @type {number} */ trace, /** @type {string} */ what) => new URL(`x/${trace}/${what}`, base).href;
    return {
        kind: 'server',
        transport: httpTransport(new URL('q', base).href),
        file: async (trace, progress) => collect(await get(address(trace, 'file')), 'application/octet-stream', progress),
        make: async (trace, what, progress) => collect(await get(address(trace, what)), MEDIA[what], progress),
        template: async () => (await get(new URL('standalone.html', base).href)).text(),
    };
}
