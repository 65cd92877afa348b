// SPDX-License-Identifier: MIT
/* Where servers of tests listen: at the address that one before them had, so that a browser knows what it compiled for that. */

/** Unlike those of the product, a page's files are kept: a browser compiles them once for all tests. */
export const KEPT = { 'Cache-Control': 'max-age=3600' };

/** Ports that nobody listens at any more. @type {number[]} */
const left = [];

/** @param {import('node:http').Server} server @param {number} port 0: any @returns {Promise<boolean>} whether it listens there */
function listenAt(server, port) {
    return new Promise((done) => {
        const refused = () => done(false);
        server.once('error', refused);
        server.listen(port, '127.0.0.1', () => {
            server.off('error', refused);
            done(true);
        });
    });
}

/** @param {import('node:http').Server} server @returns {Promise<{ port: number, close: () => void }>} */
export async function listen(server) {
    // Somebody else may have taken it since.
    while (!await listenAt(server, left.pop() ?? 0)) { /* the next one */ }
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    return {
        port,
        close() {
            server.closeAllConnections();
            server.close();
            left.push(port);
        },
    };
}
