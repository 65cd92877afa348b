// SPDX-License-Identifier: MIT
/*
 * What a page says is there soon, not at once: a row stands before its figures have come, a click is answered by a worker.
 * An assertion about a page therefore reads again until it holds, and fails with its own error once the limit is over.
 *
 *   await soon.match(() => page.locator('#detail').innerText(), /g-buffer/);
 *   await soon.holds(async () => {
 *       const rows = await page.locator('tr').allInnerTexts();
 *       assert.match(rows[0], /shadow atlas/);
 *   });
 *
 * "There is nothing of it" holds before anything is drawn, too: first wait for what is drawn at the same time or later.
 */

import assert from 'node:assert/strict';
import { setTimeout as pause } from 'node:timers/promises';

/** No page needs as long as this, on no machine: it ends what would never hold. */
const LIMIT_MS = 30000;
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 250;

/**
 * Repeat a body that reads and asserts until it passes. It must change nothing that a second time would miss.
 * @template T
 * @param {() => Promise<T>} body
 * @returns {Promise<T>}
 */
async function holds(body) {
    const end = performance.now() + LIMIT_MS;
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
        try {
            return await body();
        } catch (error) {
            if (performance.now() >= end) {
                throw error;
            }
        }
        await pause(pauseMs);
    }
}

/**
 * An assertion of node:assert whose first word is read anew each time.
 * @param {'match' | 'equal' | 'notEqual' | 'deepEqual' | 'notDeepEqual' | 'ok'} name
 */
const again = (name) => (/** @type {() => unknown} */ read, /** @type {any[]} */ ...rest) => holds(async () => {
    const value = await read();
    /** @type {any} */ (assert[name])(value, ...rest);
});

export const soon = {
    holds,
    match: again('match'),
    equal: again('equal'),
    notEqual: again('notEqual'),
    deepEqual: again('deepEqual'),
    notDeepEqual: again('notDeepEqual'),
    ok: again('ok'),
};
