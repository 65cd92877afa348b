// SPDX-License-Identifier: MIT
// @ts-check
/* Where captures come from when the page is alone: the address, the page itself, files that somebody drops. */

/** @typedef {import('./worker_transport.js').Wanted} Wanted */

/** The engine takes more, the page compares two. */
export const MOST_FILES = 2;

/** Last part of a path, as a name to show. @param {string} path */
function baseName(path) {
    const last = path.split('/').filter(Boolean).pop() ?? path;
    try {
        return decodeURIComponent(last);
    } catch {
        return last;
    }
}

/**
 * The files that an address names: `?file=demo.sgpt`, relative to the page, once or twice.
 * @param {string} search @param {string} base @returns {Wanted[]}
 */
export function addressSources(search, base) {
    return new URLSearchParams(search).getAll('file').filter((text) => text !== '').slice(0, MOST_FILES).map((text) => {
        const url = new URL(text, base);
        if (url.protocol !== 'http:' && url.protocol !== 'https:') {
            throw new Error(`The address of this page names a file that is not on a web server: ${text}. Drop the file here instead.`);
        }
        return { name: baseName(url.pathname), url: url.href };
    });
}

/** @param {Iterable<File>} files @returns {Wanted[]} */
export function fileSources(files) {
    return [...files].slice(0, MOST_FILES).map((file) => ({ name: file.name, blob: file }));
}
