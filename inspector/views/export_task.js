// SPDX-License-Identifier: MIT
// @ts-check
/* A file that is being made: how far it is, that it is there, or why it is not. Said in words. */

import { announce, fill, h } from './dom.js';
import { download } from '../state/exports.js';
import { byteSize } from '../model/format.js';

/** @typedef {import('../state/exports.js').Made} Made */
/** @typedef {import('../protocol/home.js').Progress} Progress */

/** One line; one file at a time. */
export function taskLine() {
    const words = h('span', {});
    const bar = h('progress', { aria: { label: 'How much of the file is there' } });
    const root = h('div', { class: 'task', role: 'status', hidden: true }, words, bar);
    let isBusy = false;

    const say = (/** @type {string} */ text, /** @type {'busy' | 'done' | 'failed'} */ state) => {
        root.hidden = false;
        root.dataset.state = state;
        bar.hidden = state !== 'busy';
        fill(words, text);
    };
    return {
        root,
        isBusy: () => isBusy,
        /**
         * @param {string} what as in "The Chrome trace"
         * @param {(progress: Progress) => Promise<Made>} make
         */
        async run(what, make) {
            if (isBusy) {
                return;
            }
            isBusy = true;
            bar.removeAttribute('value');
            say(`${what} is being made…`, 'busy');
            try {
                const made = await make((done, all) => {
                    if (all > 0) {
                        bar.max = all;
                        bar.value = Math.min(done, all);
                    }
                    say(`${what}: ${byteSize(done)}${all > 0 ? ` of ${byteSize(all)}` : ''}…`, 'busy');
                });
                download(made);
                say(`${made.name} (${byteSize(made.blob.size)}) was given to the browser's downloads.`, 'done');
                announce(`${made.name} was made.`);
            } catch (error) {
                const text = error instanceof Error ? error.message : String(error);
                say(`${what} could not be made: ${text}`, 'failed');
                announce(`${what} could not be made: ${text}`);
            } finally {
                isBusy = false;
            }
        },
    };
}
