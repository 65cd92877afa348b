// SPDX-License-Identifier: MIT
// @ts-check
/* What one frame gave the device, in order: a tree of submissions, scopes, passes and calls, with what each uses. */

import { byteSize, grouped } from './format.js';

/** @typedef {'submission' | 'scope' | 'pass' | 'gpu pass' | 'draw' | 'dispatch' | 'copy' | 'work' | 'culled' | 'wait' | 'signal'} EventKind */
/** @typedef {'none' | 'encoded' | 'resolved' | 'unknown'} CountQuality */
/** @typedef {'binding' | 'attachment' | 'declared'} BindKind */

/**
 * @typedef {object} FrameEvent
 * @property {EventKind} kind
 * @property {number} depth
 * @property {number | null} row its span
 * @property {string} name
 * @property {number | null} pass position in the frame graph
 * @property {number | null} track
 * @property {bigint} startNs means nothing where ns is below zero
 * @property {number} ns below zero: never measured, or never came
 * @property {CountQuality} quality of the counts
 * @property {[bigint, bigint, bigint]} counts what they are hangs on the kind
 * @property {string} pipeline
 */
/**
 * @typedef {object} Bind
 * @property {number} event
 * @property {BindKind} kind
 * @property {string} slot
 * @property {number | null} resource version in the frame graph
 * @property {string} name of the resource
 * @property {number} access bits of ACCESS; 0: not known
 * @property {number | null} producer the pass that made what is read
 * @property {string} text such as "clear, store"
 */

/** @type {readonly EventKind[]} */
export const EVENT_KINDS = ['submission', 'scope', 'pass', 'gpu pass', 'draw', 'dispatch', 'copy', 'work', 'culled', 'wait', 'signal'];
/** @type {readonly CountQuality[]} */
export const QUALITIES = ['none', 'encoded', 'resolved', 'unknown'];
/** @type {readonly BindKind[]} */
export const BIND_KINDS = ['binding', 'attachment', 'declared'];

/** Calls are many: under more than so many siblings they are folded at first. */
const MANY_CALLS = 12;

/** All events of a frame with what follows from their order. */
export class FrameEvents {
    /**
     * @param {number} frame row
     * @param {FrameEvent[]} events
     * @param {Bind[]} binds
     */
    constructor(frame, events, binds) {
        this.frame = frame;
        this.events = events;
        /** @type {Bind[][]} */
        this.binds = events.map(() => []);
        for (const bind of binds) {
            this.binds[bind.event]?.push(bind);
        }
        /** @type {(number | null)[]} */
        this.parents = [];
        /** Position behind the last one inside of each. @type {number[]} */
        this.ends = events.map((_, i) => i + 1);
        /** Names an event also in the next frame. @type {string[]} */
        this.keys = [];
        this.link();
    }

    link() {
        /** @type {number[]} */
        const path = [];
        /** @type {Map<string, number>} */
        const seen = new Map();
        this.events.forEach((event, index) => {
            path.length = Math.min(path.length, event.depth);
            this.parents.push(path.length > 0 ? path[path.length - 1] : null);
            for (const outer of path) {
                this.ends[outer] = index + 1;
            }
            path.push(index);
            const parent = this.parents[index];
            const name = `${parent === null ? '' : this.keys[parent]}/${event.kind}:${event.name}`;
            const nth = seen.get(name) ?? 0;
            seen.set(name, nth + 1);
            this.keys.push(nth === 0 ? name : `${name}#${nth}`);
        });
    }

    /** @param {number} index */
    hasInside(index) {
        return this.ends[index] > index + 1;
    }

    /** Whether it is open when nobody said anything: long lists of calls are not. @param {number} index */
    isOpenAtFirst(index) {
        const inside = this.ends[index] - index - 1;
        return inside > 0 && (!isCall(this.events[index + 1].kind) || inside <= MANY_CALLS);
    }

    /** Names what an event uses, which folds apart from what is inside of it. @param {number} index */
    usesKey(index) {
        return `${this.keys[index]}?uses`;
    }

    /** First and last measured time: what the bars are drawn in. @returns {{ startNs: bigint, endNs: bigint } | null} */
    extent() {
        let startNs = null;
        let endNs = null;
        for (const event of this.events) {
            if (event.ns >= 0) {
                const end = event.startNs + BigInt(Math.round(event.ns));
                startNs = startNs === null || event.startNs < startNs ? event.startNs : startNs;
                endNs = endNs === null || end > endNs ? end : endNs;
            }
        }
        return startNs === null || endNs === null ? null : { startNs, endNs: endNs > startNs ? endNs : startNs + 1n };
    }

    /** The event of a pass: its own, not one inside of it. @param {number} pass */
    eventOfPass(pass) {
        return this.events.findIndex((event) => event.pass === pass && (event.kind === 'pass' || event.kind === 'culled'));
    }

    /** @param {number | null} row of a span */
    eventOfRow(row) {
        return row === null ? -1 : this.events.findIndex((event) => event.row === row);
    }
}

/** @param {EventKind} kind */
export function isCall(kind) {
    return kind === 'draw' || kind === 'dispatch' || kind === 'copy' || kind === 'work';
}

/**
 * A line of the list: an event, or one thing that the event above uses.
 * @typedef {object} EventLine
 * @property {number} event
 * @property {number} bind position among those of the event; -1: the event itself
 * @property {boolean} match false: it is only there for what is inside of it
 */

/**
 * Lines in sight: what is not folded, or everything that fits a text with what it is in.
 * @param {FrameEvents} list
 * @param {(key: string, first: boolean) => boolean} isOpen whether a key is unfolded, and what holds when nobody said
 * @param {string} filter
 * @returns {EventLine[]}
 */
export function eventLines(list, isOpen, filter) {
    const text = filter.trim().toLowerCase();
    /** @type {EventLine[]} */
    const lines = [];
    const kept = text === '' ? null : matching(list, text);
    for (let index = 0; index < list.events.length;) {
        if (kept && kept[index] === 0) {
            index += 1;
            continue;
        }
        lines.push({ event: index, bind: -1, match: !kept || kept[index] === 2 });
        const open = isOpen(list.keys[index], list.isOpenAtFirst(index));
        if (isOpen(list.usesKey(index), false)) {
            list.binds[index].forEach((_, bind) => lines.push({ event: index, bind, match: true }));
        }
        // A filter looks into what is folded as well.
        index = open || kept ? index + 1 : list.ends[index];
    }
    return lines;
}

/** 0: no; 1: something inside of it does; 2: it does itself. @param {FrameEvents} list @param {string} text lower case */
function matching(list, text) {
    const found = new Uint8Array(list.events.length);
    list.events.forEach((event, index) => {
        const texts = [event.name, event.pipeline, ...list.binds[index].map((bind) => bind.name)];
        if (!texts.some((item) => item.toLowerCase().includes(text))) {
            return;
        }
        found[index] = 2;
        for (let outer = list.parents[index]; outer !== null && found[outer] === 0; outer = list.parents[outer]) {
            found[outer] = 1;
        }
    });
    return found;
}

/** How many fit a filter. @param {readonly EventLine[]} lines */
export function countMatches(lines) {
    return lines.reduce((sum, line) => sum + (line.bind < 0 && line.match ? 1 : 0), 0);
}

/**
 * What an event asked of the device, in words.
 * @param {FrameEvent} event
 * @returns {string} empty where nothing is counted
 */
export function workText(event) {
    const [x, y, z] = event.counts;
    if (event.kind === 'wait' || event.kind === 'signal') {
        return x === 0n && y === 0n ? '' : `value ${grouped(y)} of 0x${x.toString(16)}`;
    }
    if (event.quality === 'unknown') {
        return 'unknown';
    }
    if (event.quality === 'none') {
        return '';
    }
    switch (event.kind) {
        case 'draw': {
            const many = z > 1n ? ` · ${grouped(z)} draws` : '';
            const unit = /index/i.test(event.name) ? 'indices' : 'vertices';
            return `${grouped(x)} ${unit}${y === 1n ? '' : ` × ${grouped(y)}`}${many}`;
        }
        case 'dispatch': return `${grouped(x)} × ${grouped(y)} × ${grouped(z)} groups`;
        case 'copy': return byteSize(x);
        default: return '';
    }
}

/** What the figures of an event rest on. @param {FrameEvent} event */
export function qualityText(event) {
    return event.quality === 'none' || event.kind === 'wait' || event.kind === 'signal' ? '' : event.quality;
}
