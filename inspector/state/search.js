// SPDX-License-Identifier: MIT
// @ts-check
/* What is searched, and what is highlighted for it: a filter of the engine, so that nothing is missed at any zoom. */

import { askFilter, dropFilter } from '../protocol/filters.js';
import { reachOf } from '../protocol/links.js';
import { askSearch } from '../protocol/queries.js';
import { CHANNEL, isRenewed, traceOf, updatePlace } from './app_state.js';
import { MAX_FIND } from '../model/address.js';
import { STATUS_WORDS } from '../model/analysis.js';
import { formatFocus } from '../model/focus.js';
import { formatOnly } from '../model/filter_terms.js';
import { firstMatch, ranked, rankOf } from '../model/search.js';
import { formatSlice } from '../model/slice.js';
import { onlyTerms } from './filter_data.js';
import { wantedFamilies } from './links_data.js';
import { attempt } from './problems.js';
import { selectAndReveal } from './selection.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('./app_state.js').Found} Found */
/** @typedef {import('../model/address.js').Mark} MarkedRow */
/** @typedef {import('../protocol/filters.js').Terms} Terms */

const PAGE_ROWS = 1000;
const TYPING_MS = 140;

/** @param {Context} context @param {string} text */
export function setFind(context, text) {
    updatePlace(context, { find: text.slice(0, MAX_FIND) });
}

/** @param {Context} context @param {MarkedRow | null} mark */
export function setMark(context, mark) {
    updatePlace(context, { mark });
}

/** Go to the next match, or to the one before. @param {Context} context @param {1 | -1} step */
export async function goToMatch(context, step) {
    const { store } = context;
    const { search, place } = store.state;
    const text = place.find.trim();
    if (text !== (search?.text ?? '')) {
        // What is there yet was found for other words.
        store.update({ searchStep: { text, step } });
        return;
    }
    if (!search || search.found.length === 0) {
        return;
    }
    const onDevice = deviceTracks(context);
    const rank = (/** @type {Found | undefined} */ found) => (found ? rankOf(found, search.text, onDevice) : 4);
    // More of the same rank may be in what was not read yet.
    if (step > 0 && search.next !== null && search.index >= 0 && rank(search.found[search.index + 1]) > rank(search.found[search.index])) {
        await morePages(context);
    }
    const now = store.state.search;
    if (!now || now.text !== search.text) {
        return;
    }
    const first = firstMatch(now.found, now.text, onDevice, store.state.window.startNs);
    const count = now.found.length;
    const index = now.index < 0 ? Math.max(0, first) : (now.index + step + count) % count;
    store.update({ search: { ...now, index } });
    await selectAndReveal(context, now.found[index].row);
}

/** Which tracks are queues of the device. @param {Context} context */
function deviceTracks(context) {
    const ids = new Set(context.store.state.tracks.filter((track) => track.kind === 'gpu').map((track) => track.id));
    return (/** @type {number} */ track) => ids.has(track);
}

/** @param {Context} context @param {string} text @param {number | null} after the last row of the page before @param {import('../protocol/views.js').Order} order */
function searchPage(context, text, after, order) {
    const question = { text, after, limit: PAGE_ROWS, filter: context.store.state.filter?.filter ?? 0 };
    return tellWork(context, 'Search', CHANNEL.SEARCH, (tell) => askSearch(context.client, traceOf(context), question, order, tell));
}

/** @param {Context} context */
async function morePages(context) {
    const { store, client } = context;
    const { search } = store.state;
    await attempt(context, 'The search could not go on', async () => {
        if (search) {
            const order = { channel: CHANNEL.SEARCH, generation: client.generations[CHANNEL.SEARCH] };
            const page = await searchPage(context, search.text, search.next, order);
            if (store.state.search === search) {
                const found = ranked([...search.found, ...page.found], search.text, deviceTracks(context));
                store.update({ search: { ...search, found, next: page.next, index: found.indexOf(search.found[search.index]) } });
            }
        }
    });
}

/**
 * What the highlight is for; empty for none. What was asked for last is no order: words before a row of the table, this before what led
 * to a span, that before the path, this before the focus.
 * @param {AppState} state
 */
function highlightKey(state) {
    const { find, mark, explore } = state.place;
    const only = formatOnly(explore.only).join('&');
    const key = find.trim() !== '' ? `find:${find.trim()}` : mark ? `${mark.by}:${mark.name}`
        : state.slice ? `slice:${explore.slice ? formatSlice(explore.slice) : ''}:${state.slice.items.length}:${wantedFamilies(explore)}`
        : state.path && state.path.pieces.length > 0 ? `path:${state.path.endpoint}:${state.path.lengthNs}:${state.path.first}:${state.path.pieces.length}`
            : explore.focus ? `focus:${formatFocus(explore.focus)}:${wantedFamilies(explore)}` : '';
    return key === '' ? '' : `${key} ${only}`;
}

/** What the highlight shows; null for nothing at all. @param {Context} context @returns {Terms | null} */
function highlightTerms(context) {
    const { place, path, slice } = context.store.state;
    const { find, mark, explore } = place;
    if (find.trim() !== '') {
        return { text: find.trim() };
    }
    if (mark) {
        const terms = markTerms(context, mark);
        return terms.names?.length === 0 || terms.tracks?.length === 0 ? null : terms;
    }
    if (slice) {
        return { rows: slice.items.map((item) => item.row) };
    }
    if (path && path.pieces.length > 0) {
        return { rows: path.pieces.flatMap((piece) => (piece.kind === 'work' && piece.row !== null ? [piece.row] : [])) };
    }
    return explore.focus ? { focus: { seeds: explore.focus.seeds, reach: reachOf(explore.focus, wantedFamilies(explore)) } } : null;
}

/** @param {Context} context @param {MarkedRow} mark @returns {Terms} */
function markTerms(context, mark) {
    if (mark.by === 'track') {
        return { tracks: context.store.state.tracks.filter((track) => track.name === mark.name).map((track) => track.id) };
    }
    if (mark.by === 'status') {
        const status = STATUS_WORDS.indexOf(mark.name);
        return { status: status < 0 ? 0 : 1 << status };
    }
    const id = context.client.namesOf(traceOf(context)).indexOf(mark.name);
    if (mark.by === 'category') {
        return id < 0 ? { names: [] } : { categories: [id] };
    }
    return { names: id < 0 ? [] : [id] };
}

/** No name has this number: nothing passes. */
const NO_NAME = 0xfffffffe;

/** What a highlight shows of what is shown at all: both hold. @param {Terms} only @param {Terms} terms @returns {Terms} */
export function bothTerms(only, terms) {
    const both = { ...only, ...terms };
    for (const list of /** @type {const} */ (['tracks', 'categories'])) {
        const [a, b] = [only[list] ?? [], terms[list] ?? []];
        both[list] = a.length === 0 ? b : b.length === 0 ? a : a.filter((id) => b.includes(id));
        if (both[list].length === 0 && a.length > 0) {
            both.names = [NO_NAME];
        }
    }
    both.status = only.status && terms.status ? only.status & terms.status : only.status || terms.status;
    return both.status === 0 ? { ...both, names: [NO_NAME] } : both;
}

/** @param {Context} context */
export function keepSearch(context) {
    const { store, client } = context;
    let timer = 0;
    let current = '';

    const highlight = async (/** @type {string} */ key) => {
        const terms = key === '' ? null : highlightTerms(context);
        const order = client.supersede(CHANNEL.HIGHLIGHT);
        const made = terms === null ? { filter: 0, rows: 0 } : await askFilter(client, traceOf(context), bothTerms(onlyTerms(context), terms), order);
        const old = store.state.highlight?.filter ?? 0;
        // Typing went on meanwhile: what was made for the shorter text is not wanted any more.
        const stale = key !== current;
        if (!stale) {
            store.update({ highlight: key === '' ? null : { ...made, key } });
        }
        const unused = stale ? made.filter : old;
        if (unused > 0) {
            await dropFilter(client, traceOf(context), unused);
        }
    };
    const search = async () => {
        const text = store.state.place.find.trim();
        const order = client.supersede(CHANNEL.SEARCH);
        if (text === '') {
            store.update({ search: null, searchStep: null });
            return;
        }
        const page = await searchPage(context, text, null, order);
        const { search: before } = store.state;
        const index = before?.text === text && before.index < page.found.length ? before.index : -1;
        const { searchStep } = store.state;
        store.update({ search: { text, found: ranked(page.found, text, deviceTracks(context)), all: page.all, next: page.next, index }, searchStep: null });
        if (searchStep?.text === text) {
            await goToMatch(context, searchStep.step);
        }
    };

    store.listen((state, before) => {
        const key = highlightKey(state);
        const again = (isRenewed(state, before) || state.filter !== before.filter) && key !== '';
        if (state.phase !== 'ready' || (key === current && !again)) {
            return;
        }
        current = key;
        clearTimeout(timer);
        timer = window.setTimeout(() => {
            void attempt(context, 'The search failed', search);
            void attempt(context, 'The highlight could not be made', () => highlight(key));
        }, TYPING_MS);
    });
}
