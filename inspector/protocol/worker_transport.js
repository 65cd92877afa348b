// SPDX-License-Identifier: MIT
// @ts-check
/*
 * The page alone in a browser: the engine is a WebAssembly module in a worker of this page, and nothing leaves it.
 *
 * To the worker: { id, op, ... } with op start, open, request, make, file. From it: { id, ... } or { id, error }, and
 * { progress: 'fetch' | 'unpack' | 'load' | 'export', trace, done, all } in between.
 */

/** @typedef {import('./client.js').Transport} Transport */
/** @typedef {import('./home.js').Home} Home */
/** @typedef {import('./home.js').Progress} Progress */
/** @typedef {{ name: string, blob?: Blob, url?: string, text?: string }} Wanted a file of this browser, of a server, or of this page (base64) */
/** @typedef {{ trace: number, packing: string, warning: string }} Opened */
/** @typedef {{ progress: string, trace: number, done: number, all: number }} Step */

/** What went wrong in the worker, in a sentence. */
export class WorkerError extends Error {}

/** Text of an element that holds a part of the page as one file; null where the page is not one. @param {string} id */
function textInside(id) {
    return document.getElementById(id)?.textContent ?? null;
}

/** The page as it came, before anything was drawn, less its capture: what another capture is put into. */
const atStart = textInside('engine') === null ? null : pageText();

/** Whether everything is in one file: it asks no server for anything. */
export function isOneFile() {
    return atStart !== null;
}

function pageText() {
    const parts = [...document.body.children].filter((element) => element.id !== 'capture').map((element) => element.outerHTML);
    const empty = '<script id="capture" type="text/plain" data-label="" data-packing="gzip"></script>';
    return ['<!doctype html>', '<!-- SPDX-License-Identifier: MIT -->', '<html lang="en">', document.head.outerHTML,
        '<body>', ...parts, empty, '</body>', '</html>', ''].join('\n');
}

/** The engine is inside of the page, or a file beside it. */
function engineParts() {
    const worker = textInside('worker');
    const engine = textInside('engine');
    if (worker !== null && engine !== null) {
        const script = new Blob([Uint8Array.from(atob(worker), (letter) => letter.charCodeAt(0))], { type: 'text/javascript' });
        const url = URL.createObjectURL(script);
        return { script: url, start: { text: engine }, started: () => URL.revokeObjectURL(url) };
    }
    return {
        script: new URL('protocol/wasm_worker.js', document.baseURI).href,
        start: { url: new URL('frameglass.wasm', document.baseURI).href },
        started: () => {},
    };
}

/** The capture that this page carries inside; null where it has none. @returns {Wanted | null} */
export function captureInside() {
    const element = document.getElementById('capture');
    const text = element?.textContent ?? '';
    return text.trim() === '' ? null : { name: element?.dataset.label || 'capture', text };
}

/**
 * A worker with the engine in it. It starts at once, so that it is there when the first file comes.
 * @implements {Home}
 */
export class WorkerHome {
    constructor() {
        const { script, start, started } = engineParts();
        this.kind = /** @type {const} */ ('worker');
        /** @type {Map<number, { resolve: (answer: any) => void, reject: (error: Error) => void }>} */
        this.waiting = new Map();
        this.lastId = 0;
        this.closed = '';
        this.isStopped = false;
        /** Why a file could not be read, where the engine could not know. */
        this.lastTrouble = '';
        /** @type {(step: Step) => void} */
        this.onStep = () => {};
        this.worker = new Worker(script);
        this.worker.onmessage = ({ data }) => this.take(data);
        this.worker.onerror = (event) => {
            event.preventDefault();
            this.end(event.message ? `The engine has stopped: ${event.message}. Load the page again.`
                : 'The engine could not be started: a part of this page is missing. Load it again, or get the whole folder.');
        };
        /** Rejects where the browser cannot run it: whoever opens something is told. */
        this.ready = this.send('start', start).finally(started);
        this.ready.catch(() => {});
        /** @type {Transport} */
        this.transport = async (buffer) => {
            const { reply, trouble } = await this.send('request', { buffer }, [buffer.buffer]);
            this.lastTrouble = trouble || this.lastTrouble;
            return reply;
        };
    }

    trouble() {
        const text = this.lastTrouble;
        this.lastTrouble = '';
        return text;
    }

    /** @param {any} data */
    take(data) {
        if (data.progress) {
            this.onStep(data);
            return;
        }
        const waiting = this.waiting.get(data.id);
        this.waiting.delete(data.id);
        if (data.error) {
            waiting?.reject(new WorkerError(data.error));
        } else {
            waiting?.resolve(data);
        }
    }

    /** @param {string} op @param {object} wanted @param {Transferable[]} [transfer] @returns {Promise<any>} */
    send(op, wanted, transfer = []) {
        if (this.closed) {
            return Promise.reject(new WorkerError(this.closed));
        }
        return new Promise((resolve, reject) => {
            this.waiting.set(++this.lastId, { resolve, reject });
            this.worker.postMessage({ id: this.lastId, op, ...wanted }, transfer);
        });
    }

    /** Its index is read; nothing else yet. @param {Wanted} wanted @returns {Promise<Opened>} */
    async open(wanted) {
        await this.ready;
        return this.send('open', wanted);
    }

    /** @param {number} trace @param {Progress} progress */
    async file(trace, progress) {
        return (await this.watched(progress, () => this.send('file', { trace }))).blob;
    }

    /** @param {number} trace @param {import('./home.js').Product} what @param {Progress} progress */
    async make(trace, what, progress) {
        return (await this.watched(progress, () => this.send('make', { trace, what }))).blob;
    }

    /** @template T @param {Progress} progress @param {() => Promise<T>} work */
    async watched(progress, work) {
        const before = this.onStep;
        this.onStep = (step) => progress(step.done, step.all);
        try {
            return await work();
        } finally {
            this.onStep = before;
        }
    }

    /** The page as one file with nothing in the place of its capture: a file beside this one, or this page itself. */
    async template() {
        if (atStart) {
            return atStart;
        }
        const response = await fetch(new URL('standalone.html', document.baseURI)).catch(() => null);
        if (!response?.ok) {
            throw new WorkerError('standalone.html, which is a part of this site, is missing. frameglass export FILE --to html makes the same file.');
        }
        return response.text();
    }

    /** The user does not want it any more: no error to tell. */
    stop() {
        this.isStopped = true;
        this.end('Loading was stopped.');
    }

    /** Stop whatever it does; nothing that was open stays. @param {string} [why] */
    end(why = 'The file was closed.') {
        this.closed = this.closed || why;
        this.worker.terminate();
        const waiting = [...this.waiting.values()];
        this.waiting.clear();
        waiting.forEach(({ reject }) => reject(new WorkerError(this.closed)));
    }
}
