// SPDX-License-Identifier: MIT
// @ts-check
/* The page as one file: where its capture goes. docs/PROTOCOL.md section 10. */

/** The element that holds the capture, empty in the template: its attributes may come in any order. */
const PLACE = /<script\b(?=[^>]*\bid="capture")[^>]*>\s*<\/script>/;

/** A text within quotation marks of markup. @param {string} text */
export function escapeAttribute(text) {
    return text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/**
 * What comes before the capture's text and what after it.
 * @param {string} template
 * @param {string} label escaped
 * @returns {{ head: string, tail: string }}
 */
export function fillTemplate(template, label) {
    const match = PLACE.exec(template);
    if (!match) {
        throw new Error('the page as one file is not part of this build: its place for a capture is missing');
    }
    const end = match.index + match[0].length;
    return {
        head: `${template.slice(0, match.index)}<script id="capture" type="text/plain" data-label="${label}" data-packing="gzip">`,
        tail: `<\/script>${template.slice(end)}`,
    };
}
