// SPDX-License-Identifier: MIT
// @ts-check
/* Asks and gets answers: batches what is asked at once, keeps the names, drops what newer questions replaced. */

import { WireError, joinMessages, splitReplies, writeMessage } from './wire.js';

/** @typedef {import('./wire.js').Section} Section */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {(buffer: Uint8Array) => Promise<ArrayBuffer>} Transport */

export const KIND = Object.freeze({
    HELLO: 1, TRACES: 2, LOAD: 3, STRIP: 4, INFO: 5, TRACKS: 6, VIEW: 7, COUNTERS: 8, MARKS: 9, FILTER_CREATE: 10,
    FILTER_DESTROY: 11, STATS: 12, FRAMES: 13, SEARCH: 14, SPAN: 15, PICK: 16, STRUCTURE: 17, NAMES: 18, CANCEL: 19,
    TOPOLOGIES: 20, SERIES: 21, EVENTS: 22, COMPARE: 23, AMEND: 24, METRICS: 25, OBJECTS: 26, LOSSES: 27,
    MINIMAP: 28, LINKS: 29, FOCUS: 30, PATH: 31, SLICE: 32, AGGREGATE: 33, HISTOGRAM: 34, BUCKETS: 35, ANOMALIES: 36, TASK: 37,
    GROUP_SCORES: 38, ROW_SCORES: 39, ENGINE: 40,
});
export const STATUS = Object.freeze({ OK: 0, NOT_FOUND: 4, STATE: 9, UNSUPPORTED: 11, CANCELLED: 12 });
export const FLAG = Object.freeze({ OVERFLOW: 1, PROVISIONAL: 2, NAMES_MISSING: 4, PARTIAL: 8, INSTEAD: 16 });

const TAG_ERROR_TEXT = 0x0040;
const TAG_NAMES_FIRST = 0x0042;
const TAG_NAMES = 0x0043;
const BATCH = 32;

/** What the engine refused, in its words. */
export class RequestError extends Error {
    /** @param {number} status @param {number} kind @param {string} text */
    constructor(status, kind, text) {
        super(text || `the engine refused a request (kind ${kind}, status ${status})`);
        this.status = status;
        this.kind = kind;
    }
}

/** A newer question took the place of this one: nothing to report. */
export class Cancelled extends Error {}

/** @param {unknown} error */
export function isCancelled(error) {
    return error instanceof Cancelled;
}

/**
 * @typedef {object} Question
 * @property {number} kind
 * @property {number} trace
 * @property {readonly Section[]} sections
 * @property {number} channel
 * @property {number} generation
 * @property {(reply: Reply) => void} resolve
 * @property {(error: Error) => void} reject
 */

export class Client {
    /** @param {Transport} transport */
    constructor(transport) {
        this.transport = transport;
        this.client = 0;
        this.lastId = 0;
        /** @type {Question[]} */
        this.waiting = [];
        /** @type {Map<number, string[]>} by trace; name 0 is the empty text */
        this.names = new Map();
        /** @type {number[]} newest generation of each channel */
        this.generations = new Array(32).fill(0);
        /** Requests that were sent: a page at rest sends none. */
        this.sent = 0;
        /** Requests without an answer yet: long work waits for those of the hand. */
        this.open = 0;
        /** What the engine says that it answers. @type {ReadonlySet<number>} */
        this.kinds = new Set();
        /** Traces of which another engine answers than was asked for. @type {Set<number>} */
        this.instead = new Set();
        /** Told once of each. @type {((trace: number) => void) | null} */
        this.onInstead = null;
    }

    /** Does the engine answer questions of this kind? @param {number} kind */
    can(kind) {
        return this.kinds.has(kind);
    }

    /** Another engine from now on: what was known of the one before is forgotten. @param {Transport} transport */
    become(transport) {
        this.transport = transport;
        this.client = 0;
        this.names.clear();
        this.instead.clear();
        this.kinds = new Set();
    }

    /**
     * @param {number} kind
     * @param {number} trace
     * @param {readonly Section[]} [sections]
     * @param {{ channel?: number, generation?: number }} [order]
     * @returns {Promise<Reply>}
     */
    ask(kind, trace, sections = [], order = {}) {
        return new Promise((resolve, reject) => {
            if (this.waiting.length === 0) {
                queueMicrotask(() => this.flush());
            }
            this.waiting.push({ kind, trace, sections, channel: order.channel ?? 0, generation: order.generation ?? 0, resolve, reject });
        });
    }

    /** A new generation on a channel: what was asked on it before is out of date. @param {number} channel */
    supersede(channel) {
        return { channel, generation: ++this.generations[channel] };
    }

    flush() {
        while (this.waiting.length > 0) {
            this.send(this.waiting.splice(0, BATCH)).catch(() => {});
        }
    }

    /** @param {Question[]} questions */
    async send(questions) {
        const ids = questions.map(() => (this.lastId = (this.lastId + 1) >>> 0));
        const messages = questions.map((question, index) => writeMessage({
            kind: question.kind,
            id: ids[index],
            client: this.client,
            trace: question.trace,
            channel: question.channel,
            generation: question.generation,
            names: this.namesOf(question.trace).length,
        }, question.sections));
        this.sent += questions.length;
        this.open += questions.length;
        try {
            const replies = splitReplies(await this.transport(joinMessages(messages)));
            if (replies.length !== questions.length) {
                throw new WireError(`${questions.length} requests got ${replies.length} replies`);
            }
            await Promise.all(questions.map((question, index) => this.settle(question, replies[index])));
        } catch (error) {
            const reason = error instanceof Error ? error : new Error(String(error));
            for (const question of questions) {
                question.reject(reason);
            }
        } finally {
            this.open -= questions.length;
        }
    }

    /** @param {Question} question @param {Reply} reply */
    async settle(question, reply) {
        if ((reply.flags & FLAG.INSTEAD) !== 0 && !this.instead.has(question.trace)) {
            this.instead.add(question.trace);
            this.onInstead?.(question.trace);
        }
        const stale = question.generation !== 0 && question.generation < this.generations[question.channel];
        if (reply.status === STATUS.CANCELLED || stale) {
            this.takeNames(reply);
            question.reject(new Cancelled());
            return;
        }
        if (reply.status !== STATUS.OK) {
            question.reject(new RequestError(reply.status, question.kind, reply.text(TAG_ERROR_TEXT)));
            return;
        }
        this.takeNames(reply);
        if (reply.flags & FLAG.NAMES_MISSING && question.kind !== KIND.NAMES) {
            await this.fetchNames(question.trace);
        }
        question.resolve(reply);
    }

    /** @param {number} trace */
    async fetchNames(trace) {
        for (let more = true; more;) {
            const before = this.namesOf(trace).length;
            const reply = await this.ask(KIND.NAMES, trace);
            more = (reply.flags & FLAG.NAMES_MISSING) !== 0 && this.namesOf(trace).length > before;
        }
    }

    /** @param {Reply} reply */
    takeNames(reply) {
        const texts = reply.texts(TAG_NAMES);
        const first = reply.one(TAG_NAMES_FIRST, 0);
        const names = this.namesOf(reply.trace);
        if (first > names.length) {
            throw new WireError('names of the reply do not continue those that are known');
        }
        for (let i = Math.max(0, names.length - first); i < texts.length; i++) {
            names[first + i] = texts[i];
        }
    }

    /** @param {number} trace @returns {string[]} */
    namesOf(trace) {
        let names = this.names.get(trace);
        if (!names) {
            names = [];
            this.names.set(trace, names);
        }
        return names;
    }

    /** @param {number} trace @param {number} id */
    name(trace, id) {
        return this.namesOf(trace)[id] ?? '';
    }
}
