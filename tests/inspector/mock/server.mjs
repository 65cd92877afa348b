// SPDX-License-Identifier: MIT
/* Serves the page with the invented engine, under the same rules for scripts and styles as the product's server. */

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { DOWNLOADS, TEMPLATE } from './compare.mjs';
import { makeEngine } from './engine.mjs';
import { KEPT, listen } from './listen.mjs';

const ROOT = fileURLToPath(new URL('../../../inspector/', import.meta.url));
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript; charset=utf-8', '.css': 'text/css; charset=utf-8', '.svg': 'image/svg+xml' };
const POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
const TOKEN = '0123456789abcdef0123456789abcdef';

/** @returns {Promise<{ address: string, close: () => void }>} */
export async function serveInvented(options = {}) {
    const engine = makeEngine(options);
    const server = createServer((request, response) => {
        const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
        if (!path.startsWith(`/${TOKEN}/`)) {
            response.writeHead(404).end();
            return;
        }
        const headers = { 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff', 'Cache-Control': 'no-store' };
        if (request.method === 'POST') {
            const parts = [];
            request.on('data', (part) => parts.push(part));
            request.on('end', async () => {
                await new Promise((done) => { setTimeout(done, options.delayMs ?? 0); });
                response.writeHead(200, { ...headers, 'Content-Type': 'application/octet-stream' }).end(engine(Buffer.concat(parts)));
            });
            return;
        }
        const name = normalize(path.slice(TOKEN.length + 2)) || '.';
        const made = name === 'standalone.html' ? TEMPLATE : DOWNLOADS[/^x\/\d+\/([a-z-]+)$/.exec(name)?.[1] ?? ''];
        if (made !== undefined && !(options.refuse ?? []).includes(name)) {
            response.writeHead(200, { ...headers, 'Content-Type': 'application/octet-stream' }).end(made);
            return;
        }
        const file = name === '.' ? 'index.html' : name;
        readFile(join(ROOT, file)).then(
            (content) => response.writeHead(200, { ...headers, ...KEPT, 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' }).end(content),
            () => response.writeHead(404, headers).end());
    });
    const { port, close } = await listen(server);
    return { address: `http://127.0.0.1:${port}/${TOKEN}/`, close };
}
