// SPDX-License-Identifier: MIT
// @ts-check
/* Which events of the list are in sight: what is folded, by hand or at first, the filter, and the line of the keyboard. */

import { eventLines } from '../model/events.js';

/** @typedef {import('../model/events.js').FrameEvents} FrameEvents */
/** @typedef {import('../model/events.js').EventLine} EventLine */

export class EventsShown {
    constructor() {
        /** What was folded or unfolded by hand, by the key of an event: it holds for the next frame as well. @type {Map<string, boolean>} */
        this.folds = new Map();
        /** @type {EventLine[]} */
        this.lines = [];
        /** @type {FrameEvents | null} */
        this.list = null;
        this.filter = '';
        /** The line of the keyboard. */
        this.cursor = -1;
    }

    /** @param {string} key @param {boolean} first */
    isOpen(key, first) {
        return this.folds.get(key) ?? first;
    }

    /** @param {number} event */
    openOf(event) {
        return this.list ? this.isOpen(this.list.keys[event], this.list.isOpenAtFirst(event)) : false;
    }

    /** @param {number} event */
    usesOpen(event) {
        return this.list ? this.isOpen(this.list.usesKey(event), false) : false;
    }

    /** @param {FrameEvents | null} list @param {string} filter */
    show(list, filter) {
        this.list = list;
        this.filter = filter;
        this.rebuild();
    }

    rebuild() {
        this.lines = this.list ? eventLines(this.list, (key, first) => this.isOpen(key, first), this.filter) : [];
        this.cursor = Math.min(this.cursor, this.lines.length - 1);
    }

    /** The cursor stays on its event. @param {number} event @param {boolean} open @param {boolean} [uses] what it uses, not what is inside */
    setOpen(event, open, uses = false) {
        if (!this.list) {
            return;
        }
        this.folds.set(uses ? this.list.usesKey(event) : this.list.keys[event], open);
        const at = this.lines[this.cursor]?.event;
        this.rebuild();
        this.cursor = at === undefined ? this.cursor : this.lineOf(at);
    }

    /** @param {boolean} open */
    openAll(open) {
        const { list } = this;
        list?.events.forEach((_, event) => {
            if (list.hasInside(event)) {
                this.folds.set(list.keys[event], open);
            }
        });
        this.rebuild();
    }

    /** @param {number} event @returns {number} -1 where it is folded away */
    lineOf(event) {
        return this.lines.findIndex((line) => line.event === event && line.bind < 0);
    }

    /** Unfold what is around an event. @param {number} event @returns {number} its line, where the cursor was elsewhere; -1: nothing is to do */
    reach(event) {
        const { list } = this;
        if (!list || event < 0) {
            return -1;
        }
        for (let outer = list.parents[event]; outer !== null; outer = list.parents[outer]) {
            if (!this.openOf(outer)) {
                this.folds.set(list.keys[outer], true);
            }
        }
        this.rebuild();
        const line = this.lineOf(event);
        if (line < 0 || this.lines[this.cursor]?.event === event) {
            return -1;
        }
        this.cursor = line;
        return line;
    }

    /**
     * Right unfolds or goes on, left folds or goes out.
     * @param {boolean} open
     * @returns {number} the line to go to; -1: something was folded or unfolded
     */
    fold(open) {
        const { list, lines, cursor } = this;
        const line = lines[cursor];
        if (!list || !line) {
            return -1;
        }
        if (line.bind < 0 && list.hasInside(line.event) && this.openOf(line.event) !== open) {
            this.setOpen(line.event, open);
            return -1;
        }
        if (open) {
            return cursor + 1;
        }
        const outer = line.bind >= 0 ? line.event : list.parents[line.event];
        return outer === null ? cursor : this.lineOf(outer);
    }
}
