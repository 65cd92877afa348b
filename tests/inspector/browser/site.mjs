// SPDX-License-Identifier: MIT
/* A web server for the static site, under a sub-folder: with range requests or without, and counting what is asked. */

import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { KEPT, listen } from '../mock/listen.mjs';

/** The folder that `make site` makes. */
export const SITE = process.env.FG_SITE ?? '';
/** Why these tests cannot run, or false. */
export const noSite = SITE !== '' && existsSync(join(SITE, 'index.html')) ? false : 'FG_SITE does not name the site';

const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml', '.wasm': 'application/wasm' };
/** Pages of other servers may read it. */
const SHARED = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Content-Range' };
const FOLDER = '/some/where/';

/**
 * @param {{ ranges?: boolean, files?: Record<string, Buffer | string>, cors?: boolean, kept?: boolean }} [options] files: beside the site's own; kept: a browser may keep those, and compiles them once for all tests
 */
export async function serveSite(options = {}) {
    const { ranges = true, files = {}, cors = false, kept = true } = options;
    /** @type {{ path: string, range: string, status: number, bytes: number }[]} */
    const asked = [];
    const server = createServer(async (request, response) => {
        const path = new URL(request.url ?? '/', 'http://127.0.0.1').pathname;
        const name = normalize(path.slice(FOLDER.length)).replace(/^\.$/, 'index.html');
        const given = files[name];
        const content = !path.startsWith(FOLDER) || name.startsWith('..') ? null
            : given !== undefined ? Buffer.from(given) : await readFile(join(SITE, name)).catch(() => null);
        const headers = { 'Content-Type': TYPES[extname(name)] ?? 'application/octet-stream', ...kept && content && given === undefined ? KEPT : {}, ...cors ? SHARED : {} };
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '');
        const reply = (status, more, body) => {
            asked.push({ path, range: request.headers.range ?? '', status, bytes: body?.length ?? 0 });
            response.writeHead(status, { ...headers, ...more, 'Content-Length': body?.length ?? 0 }).end(body);
        };
        if (!content) {
            reply(404, {}, undefined);
        } else if (ranges && range && content.length === 0) {
            reply(416, { 'Content-Range': 'bytes */0' }, undefined);
        } else if (ranges && range) {
            const [from, to] = [Number(range[1]), Math.min(Number(range[2]), content.length - 1)];
            reply(206, { 'Content-Range': `bytes ${from}-${to}/${content.length}` }, content.subarray(from, to + 1));
        } else {
            reply(200, {}, content);
        }
    });
    const { port, close } = await listen(server);
    return { address: `http://127.0.0.1:${port}${FOLDER}`, asked, close };
}

/**
 * Drop files on the page as a hand would.
 * @param {import('playwright-core').Page} page
 * @param {Record<string, Buffer>} files
 */
export async function dropFiles(page, files) {
    const list = Object.entries(files).map(([name, bytes]) => ({ name, base64: bytes.toString('base64') }));
    await page.evaluate((given) => {
        const transfer = new DataTransfer();
        for (const { name, base64 } of given) {
            transfer.items.add(new File([Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))], name));
        }
        const target = document.body;
        for (const kind of ['dragenter', 'dragover', 'drop']) {
            target.dispatchEvent(new DragEvent(kind, { bubbles: true, cancelable: true, dataTransfer: transfer }));
        }
    }, list);
}
