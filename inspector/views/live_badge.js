// SPDX-License-Identifier: MIT
// @ts-check
/* In the top bar: whether the capture still grows, and whether the page keeps to its end. */

import { announce, fill, h } from './dom.js';
import { toggleFollowing } from '../state/live.js';
import { counted } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/live.js').Live} Live */

/** @param {Live} live @returns {{ word: string, rest: string, tone: '' | 'good' | 'warn', title: string }} */
function saying(live) {
    if (live.ended) {
        return { word: 'ended', rest: '', tone: '', title: 'The program that wrote this capture has ended it: nothing more will come.' };
    }
    if (live.lost) {
        return { word: 'not followed', rest: ' any more', tone: 'warn', title: `Nothing more will come: ${live.trouble}` };
    }
    const next = live.following ? 'L or a click pauses; so does moving about.' : 'L or a click goes back to the newest frames.';
    const word = live.following ? 'live' : 'paused';
    if (live.trouble) {
        return { word, rest: ': cannot be read', tone: 'warn', title: `The file could not be looked at: ${live.trouble}` };
    }
    if (live.quietS > 0) {
        return {
            word,
            rest: `: has not grown for ${live.quietS} s`,
            tone: 'warn',
            title: `The file has not grown for ${counted(live.quietS, 'second')}, and its end was not written: the program may have stopped, or crashed. ${next}`,
        };
    }
    return live.following
        ? { word, rest: '', tone: 'good', title: `The capture grows, and the newest frames are shown. ${next}` }
        : { word, rest: '', tone: '', title: `The capture grows; what is shown stays where it is. ${next}` };
}

/** @param {Context} context @returns {HTMLElement} */
export function liveBadge(context) {
    const { store } = context;
    const badge = h('button', { id: 'live-badge', class: 'badge num live', hidden: true, onclick: () => toggleFollowing(context) });
    store.listen((state, before) => {
        if (state.live === before.live) {
            return;
        }
        const { live } = state;
        badge.hidden = live === null;
        if (!live) {
            return;
        }
        const { word, rest, tone, title } = saying(live);
        badge.disabled = live.ended || live.lost;
        badge.title = title;
        badge.classList.toggle('alert', tone === 'warn');
        badge.setAttribute('aria-pressed', String(live.following));
        fill(badge, h('b', { class: tone }, live.ended || live.lost || !live.following ? word : `● ${word}`), rest);
        const was = before.live ? saying(before.live) : null;
        if (was && (was.word !== word || (was.rest === '') !== (rest === ''))) {
            announce(`${word}${rest}`);
        }
    });
    return badge;
}
