// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the statistics of the chosen frames, of what is on screen, of a measured range, or of everything. */

import { KIND } from '../protocol/client.js';
import { askBuckets, askGroups, askHistogram } from '../protocol/analysis.js';
import { askFilter, dropFilter } from '../protocol/filters.js';
import { askStats } from '../protocol/queries.js';
import { groupName } from '../model/analysis.js';
import { MAIN_BY } from '../model/address.js';
import { SPAN } from '../model/lanes.js';
import { windowEnd } from '../model/window.js';
import { CHANNEL, isRenewed, traceOf, trackOf } from './app_state.js';
import { onlyTerms } from './filter_data.js';
import { attempt } from './problems.js';
import { bothTerms } from './search.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/table.js').StatRow} StatRow */
/** @typedef {import('../model/analysis.js').Dimension} Dimension */
/** @typedef {import('../model/analysis.js').Groups} Groups */
/** @typedef {import('../protocol/analysis.js').Selection} Selection */
/** @typedef {import('./app_state.js').Stats} Stats */
/** @typedef {import('../protocol/views.js').Order} Order */

/** While the window moves nothing is asked. */
const STILL_MS = 250;
const BUCKETS = 512;
const NONE = 0xffffffff;

/** Rows of these are named for their spans: a search narrows the rows. Of all others it narrows the spans that are counted. */
export const NAMED_BY = ['name', 'pass'];

/** Are the figures of those spans alone that the search found? @param {AppState} state */
function isOfFound({ place }) {
    return place.find.trim() !== '' && !NAMED_BY.includes(place.by);
}

/** The filter of what the search found; null while it is on its way. @param {AppState} state */
function foundFilter({ highlight }) {
    return highlight?.key.startsWith('find:') ? highlight.filter : null;
}

/** What the figures are of. @param {AppState} state @returns {Selection} */
function selectionOf(state) {
    const { over, measured } = state.place.explore;
    const { window } = state;
    const filter = isOfFound(state) ? foundFilter(state) : state.filter?.filter;
    return {
        frames: over === 'frames' ? state.place.range : null,
        window: over === 'window' ? { startNs: window.startNs, endNs: windowEnd(window) } : over === 'measured' ? measured : null,
        tracks: [],
        filter: filter ?? 0,
    };
}

/**
 * What groups are of, less the hulls of what is counted already: STATS leaves them out itself.
 * @param {Context} context @param {Dimension} by @param {Order} order @param {(selection: Selection) => Promise<Stats>} ask
 */
async function withoutScopes(context, by, order, ask) {
    const { client, store } = context;
    const selection = selectionOf(store.state);
    if (by !== 'category' || (store.state.frames?.count ?? 0) === 0) {
        return ask(selection);
    }
    const only = onlyTerms(context);
    const terms = isOfFound(store.state) ? bothTerms(only, { text: store.state.place.find.trim() }) : only;
    const { filter } = await askFilter(client, traceOf(context), { ...terms, flags: [0, (terms.flags?.[1] ?? 0) | SPAN.SCOPE] }, order);
    try {
        return await ask({ ...selection, filter });
    } finally {
        await dropFilter(client, traceOf(context), filter);
    }
}

/**
 * Groups of a dimension that STATS does not have as rows of the table: durations, and own times beside them. What is not known of them is null.
 * @param {Context} context @param {Dimension} by @param {Selection} selection @param {Order} order
 * @returns {Promise<Stats>}
 */
async function askGroupRows(context, by, selection, order) {
    const { client, store } = context;
    const trace = traceOf(context);
    /** @param {Groups} groups @param {ReadonlyMap<string, bigint>} own @param {boolean} whole @returns {Stats} */
    const read = (groups, own, whole) => ({
        rows: groups.rows.map((row) => groupRow(by, row, own, whole)), all: groups.all, state: whole ? 'whole' : 'counting',
    });
    return tellWork(context, 'Statistics', CHANNEL.STATS, async (tell, part) => {
        const self = await askGroups(client, trace, { selection, by, measure: 'self', percentiles: false }, order, tell);
        const own = new Map(self.rows.map((row) => [`${row.key} ${row.clock}`, row.sum]));
        const question = { selection, by, measure: /** @type {const} */ ('duration'), percentiles: true };
        const show = (/** @type {Groups} */ groups) => part(() => store.update({ stats: read(groups, own, false) }));
        return read(await askGroups(client, trace, question, order, tell, show), own, true);
    });
}

/**
 * @param {Dimension} by @param {Groups['rows'][number]} row @param {ReadonlyMap<string, bigint>} own times without children
 * @param {boolean} whole percentiles are known
 * @returns {StatRow}
 */
function groupRow(by, row, own, whole) {
    return {
        key: row.key,
        nameId: 0,
        name: groupName(by, row),
        scope: '',
        track: '',
        clock: row.clock,
        count: row.count,
        totalNs: row.sum,
        selfNs: own.get(`${row.key} ${row.clock}`) ?? 0n,
        busyNs: null,
        minNs: row.min,
        medianNs: whole ? row.median : null,
        p95Ns: whole ? row.p95 : null,
        maxNs: row.max,
        zeros: null,
        unfinished: row.unfinished,
        longest: row.largest ?? NONE,
    };
}

/** @param {Context} context */
export function keepStats(context) {
    const { store, client } = context;
    /** What the statistics are of. @type {unknown[]} */
    let asked = [];
    let timer = 0;
    let turns = 0;
    const load = async () => {
        const { state } = store;
        const { by } = state.place;
        const order = client.supersede(CHANNEL.STATS);
        const selection = selectionOf(state);
        const main = MAIN_BY.includes(by);
        if (!main && client.can(KIND.AGGREGATE)) {
            store.update({ stats: await withoutScopes(context, by, order, (some) => askGroupRows(context, by, some, order)) });
            return;
        }
        const name = (/** @type {number} */ track) => trackOf(store.state, track)?.name ?? '';
        store.update({ stats: await tellWork(context, 'Statistics', CHANNEL.STATS, (tell, part) =>
            askStats(client, traceOf(context), { by: main ? by : 'name', ...selection }, order, name, tell, (stats) => part(() => store.update({ stats })))) });
    };
    store.listen((state) => {
        const { by, range, view, explore } = state.place;
        const { over } = explore;
        const found = isOfFound(state) ? state.highlight : null;
        const wanted = [by, range, state.frames, state.filter, found, over, over === 'measured' ? explore.measured : over === 'window' ? state.window : null];
        const waits = isOfFound(state) && foundFilter(state) === null;
        if (state.phase !== 'ready' || view !== 'timeline' || waits || wanted.every((part, i) => part === asked[i])) {
            return;
        }
        const moved = wanted.slice(0, 6).every((part, i) => part === asked[i]);
        asked = wanted;
        clearTimeout(timer);
        const turn = ++turns;
        const ask = () => void attempt(context, 'The statistics could not be computed', load).then(() => {
            const { stats } = store.state;
            // Nothing else took its place: somebody did not want to wait for the rest.
            if (turn === turns && stats?.state === 'counting') {
                store.update({ stats: { ...stats, state: 'stopped' } });
            }
        });
        if (moved && over === 'window') {
            timer = window.setTimeout(ask, STILL_MS);
        } else {
            ask();
        }
    });
    keepHistogram(context);
    keepBuckets(context);
}

/** Durations of what is highlighted, else of all that the figures are of. @param {Context} context */
function keepHistogram(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    let timer = 0;
    const load = async () => {
        const { state } = store;
        const order = client.supersede(CHANNEL.HISTOGRAM);
        const filter = state.highlight?.filter || state.filter?.filter || 0;
        const histogram = await tellWork(context, 'Durations', CHANNEL.HISTOGRAM, (tell) =>
            askHistogram(client, traceOf(context), { selection: { ...selectionOf(state), filter }, measure: 'duration' }, order, tell));
        store.update({ histogram });
    };
    store.listen((state) => {
        const { range, view, explore } = state.place;
        const wanted = [state.revision, range, state.filter, state.highlight, explore.over, explore.over === 'window' ? state.window : explore.measured];
        if (state.phase !== 'ready' || view !== 'timeline' || !client.can(KIND.HISTOGRAM) || wanted.every((part, i) => part === asked[i])) {
            return;
        }
        asked = wanted;
        clearTimeout(timer);
        timer = window.setTimeout(() => void attempt(context, 'The durations could not be counted', load), STILL_MS);
    });
}

/** How much runs at once, over what the timeline has at hand. @param {Context} context */
function keepBuckets(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    const load = async () => {
        const { view, tracks, filter } = store.state;
        if (!view) {
            return;
        }
        const order = client.supersede(CHANNEL.BUCKETS);
        // Clocks that nothing connects cannot be counted together.
        const sure = tracks.filter((track) => track.kind !== 'counter' && track.domain !== 'nominal');
        const some = sure.length < tracks.filter((track) => track.kind !== 'counter').length;
        const selection = { window: { startNs: view.startNs, endNs: view.endNs }, frames: null, tracks: some ? sure.map((track) => track.id) : [], filter: filter?.filter ?? 0 };
        const buckets = await tellWork(context, 'Load', CHANNEL.BUCKETS, (tell) => askBuckets(client, traceOf(context), { selection, count: BUCKETS }, order, tell));
        store.update({ buckets });
    };
    store.listen((state, before) => {
        const { curve } = state.place.explore;
        const wanted = [curve, curve ? state.view : null, state.filter];
        if (state.phase !== 'ready' || (!isRenewed(state, before) && wanted.every((part, i) => part === asked[i]))) {
            return;
        }
        asked = wanted;
        client.supersede(CHANNEL.BUCKETS);
        if (!curve || !client.can(KIND.BUCKETS)) {
            store.update({ buckets: null });
        } else {
            void attempt(context, 'The load could not be computed', load);
        }
    });
}
