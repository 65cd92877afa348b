// SPDX-License-Identifier: MIT
// @ts-check
/*
 * The worker that holds the engine: frameglass.wasm over files of this browser and of web servers. docs/PROTOCOL.md section 8.
 * It stands alone, without imports, so that it can also start from a text inside of the page. What it is told and what it
 * answers is in worker_transport.js.
 */

(() => {
    /** @typedef {{ size: number, read: (offset: number, bytes: number) => Uint8Array, blob: () => Promise<Blob> }} Source */
    /** @typedef {{ fg_wasm_start: () => number, fg_wasm_alloc: (bytes: number) => number, fg_wasm_free: (at: number, bytes: number) => void,
     *   fg_wasm_open: (source: number, size: number, label: number, bytes: number, live: number) => number,
     *   fg_wasm_close: (trace: number) => void, fg_wasm_request: (at: number, bytes: number) => number, fg_wasm_reply_bytes: () => number,
     *   fg_wasm_export: (trace: number, what: number, bytes: number) => number, fg_wasm_error: () => number, memory: WebAssembly.Memory }} Engine */
    /** @typedef {{ source: Source, label: string, packing: string }} Opened */

    const scope = /** @type {any} */ (self);
    /** Sources are read in pieces of so much, and so many pieces are kept. */
    const PIECE_BYTES = 1 << 20;
    const PIECES = 16;
    const HEAD_BYTES = 1 << 16;
    const PROGRESS_MS = 50;
    const UNPACKED_PART_BYTES = 8 << 20;

    /** @type {Engine | null} */
    let engine = null;
    /** @type {Source[]} by the number that the engine knows */
    const sources = [];
    /** @type {Map<number, Opened>} by trace */
    const opened = new Map();
    /** @type {Uint8Array<ArrayBuffer>[]} what an export has made so far */
    let made = [];
    let madeBytes = 0;
    let told = 0;
    /** Why a source could not be read: the engine only knows that it could not. */
    let trouble = '';

    /** A sentence for the user. */
    class Refusal extends Error {}

    /** @param {string} what @param {number} trace @param {number} done @param {number} all 0 = not known @param {boolean} [always] */
    function tell(what, trace, done, all, always = false) {
        const now = performance.now();
        if (always || now - told >= PROGRESS_MS) {
            told = now;
            scope.postMessage({ progress: what, trace, done, all });
        }
    }

    /**
     * A source of which pieces are kept: the engine reads small parts that lie near each other.
     * @param {number} size
     * @param {(from: number, to: number) => Uint8Array} fetchPiece
     * @param {() => Promise<Blob>} blob
     * @returns {Source}
     */
    function inPieces(size, fetchPiece, blob) {
        /** @type {Map<number, Uint8Array>} the one used last is last */
        const kept = new Map();
        const piece = (/** @type {number} */ index) => {
            const found = kept.get(index) ?? fetchPiece(index * PIECE_BYTES, Math.min(size, (index + 1) * PIECE_BYTES));
            kept.delete(index);
            kept.set(index, found);
            if (kept.size > PIECES) {
                kept.delete(/** @type {number} */ (kept.keys().next().value));
            }
            return found;
        };
        return {
            size,
            blob,
            read: (offset, bytes) => {
                const index = Math.floor(offset / PIECE_BYTES);
                const start = offset - index * PIECE_BYTES;
                return piece(index).subarray(start, start + bytes);
            },
        };
    }

    /** @param {Blob} blob @param {string} name */
    function blobSource(blob, name) {
        const reader = new scope.FileReaderSync();
        const fetchPiece = (/** @type {number} */ from, /** @type {number} */ to) => {
            try {
                return new Uint8Array(reader.readAsArrayBuffer(blob.slice(from, to)));
            } catch {
                throw new Refusal(`${name} can no longer be read: it was changed or removed since it was opened. Open it again.`);
            }
        };
        return inPieces(blob.size, fetchPiece, async () => blob);
    }

    /** @param {string} url @param {number} size @param {string} name */
    function rangeSource(url, size, name) {
        const changed = new Refusal(`${name} has changed on its server while it was read. Load the page again.`);
        const fetchPiece = (/** @type {number} */ from, /** @type {number} */ to) => {
            const request = new XMLHttpRequest();
            request.open('GET', url, false);
            request.responseType = 'arraybuffer';
            request.setRequestHeader('Range', `bytes=${from}-${to - 1}`);
            try {
                request.send();
            } catch {
                throw new Refusal(`${name} can no longer be read: its server does not answer.`);
            }
            if (request.status !== 206) {
                throw new Refusal(`${name}: its server answered with HTTP status ${request.status} to a request for a part of it.`);
            }
            if (totalOf(request.getResponseHeader('Content-Range')) !== size || request.response.byteLength !== to - from) {
                throw changed;
            }
            return new Uint8Array(request.response);
        };
        return inPieces(size, fetchPiece, async () => download(await get(url, {}, name), name));
    }

    /** Size of the whole in "bytes 0-65535/1234567"; -1 when it is not told. @param {string | null} range */
    function totalOf(range) {
        const match = /^bytes \d+-\d+\/(\d+)$/.exec(range ?? '');
        return match ? Number(match[1]) : -1;
    }

    /** No part of an empty file can be given: that is how servers say that it is empty. @param {Response} response */
    function isEmpty(response) {
        return response.status === 416 && /^bytes \*\/0$/.test(response.headers.get('Content-Range') ?? '');
    }

    /** @param {string} url @param {Record<string, string>} headers @param {string} name */
    async function get(url, headers, name) {
        let response;
        try {
            response = await fetch(url, { headers, credentials: 'same-origin' });
        } catch {
            const elsewhere = new URL(url).origin !== scope.location.origin;
            throw new Refusal(elsewhere
                ? `${url} did not answer, or does not let this page read it: the server has to allow other origins`
                    + ' (Access-Control-Allow-Origin). Download the file and drop it here.'
                : `${url} did not answer. Is its server running?`);
        }
        if (!response.ok && !isEmpty(response)) {
            throw new Refusal(response.status === 404 ? `There is no such file: ${url} (HTTP status 404).`
                : `${name}: ${url} answered with HTTP status ${response.status}.`);
        }
        return response;
    }

    /** @param {Response} response @param {string} name */
    async function download(response, name) {
        const all = Number(response.headers.get('Content-Length') ?? 0);
        /** @type {BlobPart[]} */
        const parts = [];
        let done = 0;
        const reader = response.body?.getReader();
        try {
            for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
                parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
                done += part.value.length;
                tell('fetch', 0, done, all);
            }
        } catch {
            throw new Refusal(`${name}: the download ended early, after ${done} bytes.`);
        }
        return new Blob(parts);
    }

    /** By parts of it where the server can do that, else whole. @param {string} url @param {string} name @returns {Promise<Source>} */
    async function urlSource(url, name) {
        const response = await get(url, { Range: `bytes=0-${HEAD_BYTES - 1}` }, name);
        if (isEmpty(response)) {
            return blobSource(new Blob([]), name);
        }
        const size = response.status === 206 ? totalOf(response.headers.get('Content-Range')) : -1;
        if (response.status !== 206) {
            return blobSource(await download(response, name), name);
        }
        await response.body?.cancel();
        return size < 0 ? blobSource(await download(await get(url, {}, name), name), name) : rangeSource(url, size, name);
    }

    /**
     * Undo gzip. Of a stream that is cut off or damaged what came before is used, as everywhere.
     * @param {Blob} packed @param {string} name @returns {Promise<{ blob: Blob, warning: string }>}
     */
    async function gunzip(packed, name) {
        const reader = packed.stream().pipeThrough(new DecompressionStream('gzip')).getReader();
        /** @type {BlobPart[]} */
        const whole = [];
        /** @type {BlobPart[]} */
        let parts = [];
        let bytes = 0;
        let warning = '';
        const flush = () => {
            // A blob of blobs may leave memory for the disk; an array cannot.
            whole.push(new Blob(parts));
            parts = [];
        };
        try {
            for (let part = await reader.read(), last = 0; !part.done; part = await reader.read()) {
                parts.push(/** @type {Uint8Array<ArrayBuffer>} */ (part.value));
                bytes += part.value.length;
                if (bytes - last > UNPACKED_PART_BYTES) {
                    last = bytes;
                    flush();
                }
                tell('unpack', 0, bytes, 0);
            }
        } catch {
            if (bytes === 0) {
                throw new Refusal(`its gzip packing is cut off or damaged at its very beginning. Get the file again.`);
            }
            warning = `The gzip packing of ${name} is cut off or damaged: what came before, ${bytes} bytes unpacked, is shown.`;
        }
        flush();
        return { blob: new Blob(whole), warning };
    }

    /** @param {{ blob?: Blob, url?: string, text?: string, name: string }} wanted @returns {Promise<{ source: Source, packing: string, warning: string }>} */
    async function prepare(wanted) {
        const { name } = wanted;
        const source = wanted.url !== undefined ? await urlSource(wanted.url, name)
            : blobSource(wanted.blob ?? new Blob([bytesOfText(wanted.text ?? '')]), name);
        const head = source.size > 0 ? source.read(0, 4) : new Uint8Array(0);
        if (head[0] === 0x28 && head[1] === 0xb5 && head[2] === 0x2f && head[3] === 0xfd) {
            throw new Refusal(`it is packed with zstd, which browsers cannot undo. Unpack it first (zstd -d), or open it with frameglass view.`);
        }
        if (head[0] !== 0x1f || head[1] !== 0x8b || head[2] !== 8) {
            return { source, packing: '', warning: '' };
        }
        const { blob, warning } = await gunzip(await source.blob(), name);
        return { source: blobSource(blob, name), packing: 'gzip', warning };
    }

    /** Base64, a part at a time: the text of a large capture is long. @param {string} text */
    function bytesOfText(text) {
        const PART = 1 << 20;
        const clean = text.trim();
        const bytes = new Uint8Array(Math.floor(clean.length / 4) * 3 - (clean.endsWith('==') ? 2 : clean.endsWith('=') ? 1 : 0));
        for (let from = 0, at = 0; from < clean.length; from += PART) {
            const part = atob(clean.slice(from, from + PART));
            for (let i = 0; i < part.length; i++) {
                bytes[at++] = part.charCodeAt(i);
            }
        }
        return bytes;
    }

    /** What the module asks of us. */
    const imports = {
        frameglass: {
            /** @param {number} number @param {number} offset @param {number} into @param {number} bytes */
            read_at: (number, offset, into, bytes) => {
                const source = sources[number];
                let done = 0;
                try {
                    while (done < bytes && offset + done < source.size) {
                        const part = source.read(offset + done, bytes - done);
                        new Uint8Array(running().memory.buffer, into + done, part.length).set(part);
                        done += part.length;
                    }
                } catch (error) {
                    trouble = error instanceof Error ? error.message : String(error);
                    return -1;
                }
                return done;
            },
            /** @param {number} from @param {number} bytes */
            write: (from, bytes) => {
                made.push(new Uint8Array(running().memory.buffer, from, bytes).slice());
                madeBytes += bytes;
                tell('export', 0, madeBytes, 0);
                return 1;
            },
            progress: (/** @type {number} */ trace, /** @type {number} */ done, /** @type {number} */ all) => tell('load', trace, done, all),
        },
    };

    function running() {
        if (!engine) {
            throw new Refusal('The engine is not there yet.');
        }
        return engine;
    }

    /** @param {{ url?: string, text?: string }} where */
    async function start(where) {
        const bytes = where.url !== undefined ? await (await get(where.url, {}, 'The engine')).arrayBuffer()
            : await new Response(new Blob([bytesOfText(where.text ?? '')]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();
        const { instance } = await WebAssembly.instantiate(bytes, imports);
        engine = /** @type {Engine} */ (/** @type {unknown} */ (instance.exports));
        if (engine.fg_wasm_start() !== 0) {
            throw new Refusal('Memory ran out before anything was opened.');
        }
        return {};
    }

    /** Bytes inside of the module for as long as `use` needs them. @template T @param {Uint8Array} bytes @param {(at: number) => T} use */
    function lend(bytes, use) {
        const { fg_wasm_alloc, fg_wasm_free } = running();
        const at = fg_wasm_alloc(bytes.length || 1);
        if (at === 0) {
            throw new Refusal('Memory ran out.');
        }
        new Uint8Array(running().memory.buffer, at, bytes.length).set(bytes);
        try {
            return use(at);
        } finally {
            fg_wasm_free(at, bytes.length || 1);
        }
    }

    /** Why the engine refused; what it could not read is told by whoever read it. */
    function lastError() {
        const memory = new Uint8Array(running().memory.buffer);
        const at = running().fg_wasm_error();
        const text = trouble || new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
        trouble = '';
        return text;
    }

    /** @param {{ blob?: Blob, url?: string, text?: string, name: string }} wanted */
    async function open(wanted) {
        const { source, packing, warning } = await prepare(wanted);
        const number = sources.push(source) - 1;
        const label = new TextEncoder().encode(wanted.name);
        const trace = lend(label, (at) => running().fg_wasm_open(number, source.size, at, label.length, 0));
        if (trace === 0) {
            throw new Refusal(lastError() || 'more files are open than the engine takes');
        }
        opened.set(trace, { source, label: wanted.name, packing });
        return { trace, packing, warning };
    }

    /** @param {{ buffer: Uint8Array }} wanted */
    function request({ buffer }) {
        const reply = lend(buffer, (at) => {
            const from = running().fg_wasm_request(at, buffer.length);
            return from === 0 ? null : new Uint8Array(running().memory.buffer, from, running().fg_wasm_reply_bytes()).slice();
        });
        if (!reply) {
            throw new Refusal('Memory ran out. A browser gives a page at most 4 GiB: frameglass view on the command line has no such limit.');
        }
        return { reply: reply.buffer, trouble: takeTrouble() };
    }

    function takeTrouble() {
        const text = trouble;
        trouble = '';
        return text;
    }

    /** @param {{ trace: number, what: string }} wanted */
    function make({ trace, what }) {
        made = [];
        madeBytes = 0;
        const name = new TextEncoder().encode(what);
        const ok = lend(name, (at) => running().fg_wasm_export(trace, at, name.length));
        const blob = new Blob(made);
        made = [];
        if (!ok) {
            throw new Refusal(lastError());
        }
        return { blob };
    }

    /** @param {{ trace: number }} wanted */
    async function file({ trace }) {
        const found = opened.get(trace);
        if (!found) {
            throw new Refusal('That file is not open any more.');
        }
        return { blob: await found.source.blob() };
    }

    /** @type {Record<string, (wanted: any) => any>} */
    const work = { start, open, request, make, file };
    /** One after the other, in the order in which they came. */
    let turn = Promise.resolve();
    scope.addEventListener('message', (/** @type {MessageEvent} */ { data }) => {
        turn = turn.then(async () => {
            try {
                const answer = await work[data.op](data);
                scope.postMessage({ id: data.id, ...answer }, answer.reply ? [answer.reply] : []);
            } catch (error) {
                const text = error instanceof Refusal ? error.message : `The engine has stopped: ${error instanceof Error ? error.message : error}. Load the page again.`;
                scope.postMessage({ id: data.id, error: text });
            }
        });
    });
})();
