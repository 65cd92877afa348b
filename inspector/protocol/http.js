// SPDX-License-Identifier: MIT
// @ts-check
/* The protocol over HTTP, to the server that this page came from. docs/PROTOCOL.md section 7. */

/** @typedef {import('./client.js').Transport} Transport */

/** The server could not be reached, or did not answer with a reply buffer. */
export class TransportError extends Error {}

/**
 * @param {string} address of the question endpoint
 * @returns {Transport}
 */
export function httpTransport(address) {
    return async (buffer) => {
        let response;
        try {
            response = await fetch(address, {
                method: 'POST',
                headers: { 'Content-Type': 'application/octet-stream' },
                body: /** @type {Uint8Array<ArrayBuffer>} */ (buffer),
                cache: 'no-store',
                credentials: 'same-origin',
            });
        } catch {
            throw new TransportError('frameglass view does not answer: it may have been stopped. Start it again, then open the address that it prints.');
        }
        if (!response.ok) {
            throw new TransportError(`frameglass view answered with HTTP status ${response.status}. Open the address that it printed, with its whole token.`);
        }
        return response.arrayBuffer();
    };
}
