// SPDX-License-Identifier: MIT
// @ts-check
/* One object that holds what is shown. It is replaced, never changed; whoever listens compares what it cares for. */

/** @template {object} S */
export class Store {
    /** @param {S} initial */
    constructor(initial) {
        this.state = initial;
        /** @type {((state: S, before: S) => void)[]} */
        this.listeners = [];
    }

    /** @param {Partial<S>} change */
    update(change) {
        const before = this.state;
        const keys = /** @type {(keyof S)[]} */ (Object.keys(change));
        if (keys.every((key) => Object.is(change[key], before[key]))) {
            return;
        }
        this.state = { ...before, ...change };
        for (const listener of this.listeners) {
            listener(this.state, before);
        }
    }

    /** Listeners are told in the order in which they came. @param {(state: S, before: S) => void} listener */
    listen(listener) {
        this.listeners.push(listener);
    }
}
