// SPDX-License-Identifier: MIT
// @ts-check
/* The filter that says what is shown at all: made of what a person chose, kept while it is wanted. */

import { askFilter, dropFilter } from '../protocol/filters.js';
import { SPAN } from '../model/lanes.js';
import { EVERYTHING, formatOnly, isEverything } from '../model/filter_terms.js';
import { CHANNEL, isRenewed, traceOf, updateExplore } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../protocol/filters.js').Terms} Terms */
/** @typedef {import('../model/filter_terms.js').OnlyPlace} OnlyPlace */

const STATUS_ERROR = 8;
/** No name has this number: nothing passes. */
const NO_NAME = 0xfffffffe;

/** @param {Context} context @param {Partial<OnlyPlace>} change */
export function setOnly(context, change) {
    const { only } = context.store.state.place.explore;
    updateExplore(context, { only: { ...only, ...change } });
}

/** @param {Context} context */
export function showEverything(context) {
    updateExplore(context, { only: EVERYTHING });
}

/** Terms of what is shown at all; a highlight has them, too. @param {Context} context @returns {Terms} */
export function onlyTerms(context) {
    const { only } = context.store.state.place.explore;
    const names = context.client.namesOf(traceOf(context));
    const categories = only.categories.map((category) => names.indexOf(category)).map((id) => (id < 0 ? NO_NAME : id));
    return {
        ...(only.errors ? { status: STATUS_ERROR } : {}),
        ...(only.noRuntime ? { flags: /** @type {[number, number]} */ ([0, SPAN.RUNTIME]) } : {}),
        shortChildNs: only.shortChildNs,
        similarPercent: only.similarPercent,
        leastNs: only.leastNs,
        mostNs: only.mostNs,
        categories,
        tracks: only.tracks,
    };
}

/** @param {Context} context */
export function keepFilter(context) {
    const { store, client } = context;
    let current = '';
    const make = async (/** @type {string} */ key) => {
        const order = client.supersede(CHANNEL.FILTER);
        const trace = traceOf(context);
        const made = key === '' ? null : await askFilter(client, trace, onlyTerms(context), order);
        const old = store.state.filter;
        const stale = key !== current;
        if (!stale) {
            store.update({ filter: made ? { ...made, key } : null });
        }
        const unused = stale ? made?.filter ?? 0 : old?.filter ?? 0;
        if (unused > 0) {
            await dropFilter(client, trace, unused);
        }
    };
    store.listen((state, before) => {
        const { only } = state.place.explore;
        const key = isEverything(only) ? '' : formatOnly(only).join('&');
        if (state.phase !== 'ready' || (key === current && !(isRenewed(state, before) && key !== ''))) {
            return;
        }
        current = key;
        void attempt(context, 'The filter could not be made', () => make(key));
    });
}
