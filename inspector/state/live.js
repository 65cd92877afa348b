// SPDX-License-Identifier: MIT
// @ts-check
/*
 * A capture that is still being written: the page looks for growth now and then, reads what is new, and keeps to the newest frames
 * until somebody looks at something else. Of a file that does not grow nothing is ever asked.
 */

import { askTraces } from '../protocol/document.js';
import { FRAME_VIEWS } from '../model/address.js';
import { rangeExtent } from '../model/frames.js';
import { windowAround } from '../model/window.js';
import { readTrace } from './loading.js';
import { isCancelled } from '../protocol/client.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../protocol/document.js').TraceEntry} TraceEntry */
/**
 * @typedef {object} Live
 * @property {boolean} following
 * @property {boolean} ended its end was written
 * @property {boolean} lost it cannot be followed any more; trouble says why
 * @property {number} quietS seconds since it grew; 0 while that is nothing special
 * @property {string} trouble why it cannot be looked at; '' = it can
 */

/** Twice a second; when reading what is new takes long, less than half of the time goes into it. */
const POLL_MS = 500;
const REST = 2;
/** After so much the page says that nothing comes. */
const QUIET_S = 5;
/** Frames that are shown where the window was not chosen. */
const NEWEST_FRAMES = 10;

/**
 * The window moved so that the newest frames are at its right edge.
 * @param {AppState} state
 */
function newestWindow(state) {
    const { frames, info, window } = state;
    if (!frames || frames.count === 0 || !info) {
        return window;
    }
    const last = frames.count - 1;
    const { startNs, endNs } = rangeExtent(frames, { first: Math.max(0, last - NEWEST_FRAMES + 1), last });
    if (state.place.window === null && state.live?.following !== true) {
        return windowAround(startNs, endNs);
    }
    const margin = BigInt(Math.floor(window.lengthNs / 20));
    return { ...window, startNs: endNs + margin - BigInt(Math.floor(window.lengthNs)), fraction: 0 };
}

/** Following or paused, by hand. @param {Context} context */
export function toggleFollowing(context) {
    const { store } = context;
    const { live } = store.state;
    if (live && !live.ended && !live.lost) {
        store.update({ live: { ...live, following: !live.following } });
    }
}

/** @param {AppState} state */
function isGrowing(state) {
    return state.phase === 'ready' && state.entry?.growth === 'growing';
}

/** @param {Context} context */
export function keepLive(context) {
    const { store, client } = context;
    let timer = 0;
    let grewAt = 0;
    /** What following itself changes is no sign that somebody looks elsewhere. */
    let isMine = false;

    const change = (/** @type {Partial<AppState>} */ update) => {
        isMine = true;
        store.update(update);
        isMine = false;
    };

    const follow = () => {
        const { state } = store;
        const { frames, place } = state;
        if (!state.live?.following || !frames || frames.count === 0) {
            return;
        }
        const newest = frames.count - 1;
        const range = FRAME_VIEWS.includes(place.view) ? { first: newest, last: newest } : place.range;
        change({ window: newestWindow(state), place: { ...place, range, window: null } });
    };

    const renew = async (/** @type {TraceEntry} */ entry) => {
        const loaded = await readTrace(context, entry.trace);
        change({ ...loaded, entry, revision: store.state.revision + 1 });
        follow();
    };

    const look = async () => {
        timer = 0;
        const { entry, live } = store.state;
        if (!entry || !live) {
            return;
        }
        const began = performance.now();
        let trouble = '';
        let ended = false;
        let lost = false;
        try {
            const now = (await askTraces(client)).find((each) => each.trace === entry.trace);
            if (now && now.state === 'loaded' && now.revision !== entry.revision) {
                grewAt = began;
                await renew(now);
            } else if (now && now.growth !== entry.growth) {
                change({ entry: { ...entry, growth: now.growth } });
            }
            ended = now?.growth === 'ended';
            lost = now?.growth === 'lost';
            trouble = now?.failure ?? '';
        } catch (error) {
            // While the engine reads what is new it may refuse: the next look will do.
            trouble = isCancelled(error) ? '' : error instanceof Error ? error.message : String(error);
        }
        tellState(ended, lost, trouble);
        const tookMs = performance.now() - began;
        if (isGrowing(store.state)) {
            next(Math.max(POLL_MS, tookMs * REST));
        }
    };

    const tellState = (/** @type {boolean} */ ended, /** @type {boolean} */ lost, /** @type {string} */ trouble) => {
        const { live } = store.state;
        if (!live) {
            return;
        }
        const quiet = Math.floor((performance.now() - grewAt) / 1000);
        const quietS = ended || lost || quiet < QUIET_S ? 0 : quiet;
        if (ended !== live.ended || lost !== live.lost || quietS !== live.quietS || trouble !== live.trouble) {
            change({ live: { ended, lost, quietS, trouble, following: live.following && !ended && !lost } });
        }
    };

    const next = (/** @type {number} */ ms) => {
        if (timer === 0 && !document.hidden) {
            timer = window.setTimeout(look, ms);
        }
    };

    document.addEventListener('visibilitychange', () => {
        if (document.hidden) {
            clearTimeout(timer);
            timer = 0;
        } else if (isGrowing(store.state)) {
            next(0);
        }
    });

    store.listen((state, before) => {
        if (state.phase === 'ready' && before.phase !== 'ready') {
            const { growth, failure } = state.entry ?? { growth: 'no', failure: '' };
            const chosen = state.place.window !== null || state.place.range !== null;
            grewAt = performance.now();
            if (growth !== 'no') {
                change({ live: { following: growth === 'growing' && !chosen, ended: growth === 'ended', lost: growth === 'lost', quietS: 0, trouble: failure } });
            }
            if (growth === 'growing') {
                if (!chosen) {
                    change({ window: newestWindow({ ...store.state, live: null }) });
                }
                follow();
                next(POLL_MS);
            }
            return;
        }
        if (isMine || state.phase !== 'ready' || !state.live) {
            return;
        }
        if (state.live.following && before.live && !before.live.following) {
            follow();
        } else if (state.live.following && looksElsewhere(state, before)) {
            store.update({ live: { ...state.live, following: false } });
        } else if (state.live.following && state.place.view !== before.place.view) {
            follow();
        }
    });
}

/** Somebody has moved, or chosen something that would run away. @param {AppState} state @param {AppState} before */
function looksElsewhere(state, before) {
    const { place } = state;
    const was = before.place;
    return (place.window !== was.window && place.window !== null)
        || (place.selected !== was.selected && place.selected !== null)
        || (place.range !== was.range && place.range !== null && place.view === was.view);
}
