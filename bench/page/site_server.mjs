// SPDX-License-Identifier: MIT
/* The page's files and one capture from a folder, in ranges, as a plain file host gives them. */

import { createServer } from 'node:http';
import { openSync, readSync, readFileSync, statSync } from 'node:fs';
import { basename, extname, join } from 'node:path';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };

/**
 * @param {string} site @param {string} capture
 * @returns {Promise<{ address: string, close: () => void }>}
 */
export async function serveSite(site, capture) {
    const size = statSync(capture).size;
    const file = openSync(capture, 'r');
    const server = createServer((request, response) => {
        const path = new URL(request.url ?? '/', 'http://x').pathname.slice(1) || 'index.html';
        if (path !== basename(capture)) {
            response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' }).end(readFileSync(join(site, path)));
            return;
        }
        const [from, to] = /(\d+)-(\d+)/.exec(request.headers.range ?? '')?.slice(1).map(Number) ?? [0, size - 1];
        const part = Buffer.alloc(Math.min(to, size - 1) - from + 1);
        readSync(file, part, 0, part.length, from);
        response.writeHead(206, { 'Content-Range': `bytes ${from}-${from + part.length - 1}/${size}` }).end(part);
    });
    await new Promise((done) => { server.listen(0, '127.0.0.1', () => done(undefined)); });
    const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
    return { address: `http://127.0.0.1:${port}/`, close: () => server.close() };
}
