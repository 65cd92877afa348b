// SPDX-License-Identifier: MIT
// @ts-check
/* The critical path of the selected span, of the chosen frames, of what is on screen, or of everything. */

import { KIND } from '../protocol/client.js';
import { askPath } from '../protocol/path.js';
import { rangeExtent } from '../model/frames.js';
import { PATH_OF } from '../model/path.js';
import { windowEnd } from '../model/window.js';
import { CHANNEL, isRenewed, traceOf, updateExplore } from './app_state.js';
import { wantedFamilies } from './links_data.js';
import { attempt } from './problems.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/path.js').PathOf} PathOf */

/** While the window moves nothing is asked. */
const STILL_MS = 250;

/** Why a path of this cannot be asked for; empty where it can. @param {Context} context @param {string} of */
export function mayFollow(context, of) {
    const { place, frames } = context.store.state;
    return of === 'span' && place.selected === null ? 'select a span first' : of === 'frame' && (!place.range || !frames || frames.count === 0) ? 'choose frames first' : '';
}

/** @param {Context} context @param {string} of */
export function choosePath(context, of) {
    const { path } = context.store.state.place.explore;
    const next = PATH_OF.find((item) => item === of) ?? 'off';
    updateExplore(context, { path: { ...path, of: next }, slice: null, table: next === 'off' ? 'stats' : 'path' });
}

/** The key of the path: of the selected span, else of what is on screen; a second time none. @param {Context} context */
export function togglePath(context) {
    const { explore, selected } = context.store.state.place;
    choosePath(context, explore.path.of !== 'off' ? 'off' : selected === null ? 'window' : 'span');
}

/** What it goes along: dependencies where the trace has any. @param {AppState} state @returns {'links' | 'parents'} */
export function pathBy(state) {
    return state.place.explore.path.by ?? ((state.info?.counts.dependencies ?? 0n) > 0n ? 'links' : 'parents');
}

/** The time that a path is of; null for all of it. @param {AppState} state */
function windowOf(state) {
    const { explore, range } = state.place;
    if (explore.path.of === 'frame' && range && state.frames) {
        return rangeExtent(state.frames, range);
    }
    return explore.path.of === 'window' ? { startNs: state.window.startNs, endNs: windowEnd(state.window) } : null;
}

/** What an answer is of: another one is asked for when it changes. @param {AppState} state */
function keyOf(state) {
    const { explore, selected, range } = state.place;
    const { of } = explore.path;
    const by = pathBy(state);
    const subject = of === 'span' ? selected : of === 'frame' ? `${range?.first}:${range?.last}` : of === 'window' ? `${state.window.startNs}+${state.window.lengthNs}` : '';
    return of === 'off' ? '' : `${of} ${by} ${subject} ${state.filter?.filter ?? 0} ${wantedFamilies(explore)}`;
}

/** @param {Context} context */
export function keepPath(context) {
    const { store, client } = context;
    let key = '';
    let timer = 0;
    const load = async (first = 0) => {
        const { state } = store;
        const { explore, selected } = state.place;
        const order = client.supersede(CHANNEL.PATH);
        const path = await tellWork(context, 'Path', CHANNEL.PATH, (tell) => askPath(client, traceOf(context), {
            by: pathBy(state),
            row: explore.path.of === 'span' ? selected : null,
            window: windowOf(state),
            filter: state.filter?.filter ?? 0,
            families: wantedFamilies(explore),
            slackOf: selected,
            first,
        }, order, tell));
        store.update({ path, pathNote: path.endpoint === null ? 'No span of these takes part in a path.' : '' });
    };
    store.listen((state, before) => {
        const next = state.phase === 'ready' ? keyOf(state) : '';
        if (next === key && !(isRenewed(state, before) && next !== '')) {
            return;
        }
        key = next;
        clearTimeout(timer);
        client.supersede(CHANNEL.PATH);
        const reason = mayFollow(context, state.place.explore.path.of);
        if (next === '' || !client.can(KIND.PATH) || reason !== '') {
            store.update({ path: null, pathNote: next === '' ? '' : reason });
            return;
        }
        timer = window.setTimeout(() => void attempt(context, 'The path could not be followed', () => load()), state.place.explore.path.of === 'window' ? STILL_MS : 0);
    });
    return { page: (/** @type {number} */ first) => void attempt(context, 'The path could not be followed', () => load(first)) };
}
