// SPDX-License-Identifier: MIT
// @ts-check
/* Nodes that were captured in detail, while their table is shown; what the capture says of each is asked for those in sight. */

import { askGroups } from '../protocol/analysis.js';
import { KIND } from '../protocol/client.js';
import { askFilter, dropFilter } from '../protocol/filters.js';
import { askSpan } from '../protocol/queries.js';
import { askView } from '../protocol/views.js';
import { NODE_CATEGORY, bySelf, nodeFacts, nodesOf } from '../model/nodes.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../model/nodes.js').NodeRow} NodeRow */
/** @typedef {import('../model/nodes.js').NodeFacts} NodeFacts */
/**
 * What the table shows: nodes of the chosen frames, not all where they were too many; the tree has each before what is in it.
 * @typedef {{ rows: NodeRow[], tree: NodeRow[], isCut: boolean }} Nodes
 */

/** Of one request, the most that are told of at once. */
const MOST_ASKED = 64;

/** Where the chosen frames lie, else everything. @param {Context} context */
function wantedTime(context) {
    const { frames, place, info } = context.store.state;
    const all = { startNs: info?.startNs ?? 0n, endNs: info?.endNs ?? 1n };
    const endNs = frames?.detail?.endNs;
    return place.range && frames && endNs ? { startNs: frames.startNs[place.range.first], endNs: endNs[place.range.last] } : all;
}

/** The number of the category in this trace; null where no span has it. @param {Context} context @param {import('../protocol/views.js').Order} order */
async function categoryOf(context, order) {
    const selection = { window: null, frames: null, tracks: [], filter: 0 };
    /** @type {import('../model/analysis.js').Groups} */
    const groups = await tellWork(context, 'Nodes', CHANNEL.NODES, (tell) =>
        askGroups(context.client, traceOf(context), { selection, by: 'category', measure: 'duration', percentiles: false }, order, tell));
    return groups.rows.find((row) => row.name === NODE_CATEGORY)?.key ?? null;
}

/** @param {Context} context @returns {Promise<Nodes>} */
async function findNodes(context) {
    const { client, store } = context;
    const trace = traceOf(context);
    const order = client.supersede(CHANNEL.NODES);
    const category = await categoryOf(context, order);
    if (category === null) {
        return { rows: [], tree: [], isCut: false };
    }
    const { filter } = await askFilter(client, trace, { categories: [category] }, order);
    try {
        const tracks = store.state.tracks.filter(({ counter }) => counter < 0);
        const lanes = tracks.flatMap(({ firstLane, laneCount }) => Array.from({ length: laneCount }, (_, i) => firstLane + i));
        const view = await askView(client, trace, {
            ...wantedTime(context), widthPx: 1024, lanes, groups: [], filter, fields: 0, modes: lanes.map(() => 255), scores: 0, detail: 'exact', handoff: 'hard',
        }, order);
        const tree = tracks.flatMap(({ id, firstLane, laneCount }) => {
            const mine = view.lanes.filter((lane) => lane.id >= firstLane && lane.id < firstLane + laneCount);
            const spans = mine.flatMap((lane) => Array.from({ length: lane.lastSpan - lane.firstSpan }, (_, i) => {
                const at = lane.firstSpan + i;
                return { row: view.spans.row[at], name: view.spans.name[at], lane: lane.id, begin: view.spans.begin[at], end: view.spans.end[at] };
            }));
            return nodesOf(spans, id, (number) => client.name(trace, number));
        });
        return { rows: bySelf(tree), tree, isCut: view.incomplete };
    } finally {
        await dropFilter(client, trace, filter);
    }
}

/** @param {Context} context */
export function keepNodes(context) {
    const { store, client } = context;
    /** @type {unknown[]} */
    let asked = [];
    const load = async () => store.update({ nodes: await findNodes(context), nodeFacts: new Map() });
    store.listen((state, before) => {
        const on = state.place.explore.table === 'nodes' && state.place.view === 'timeline';
        const wanted = [on, on ? state.place.range : null];
        if (state.phase !== 'ready' || (!isRenewed(state, before) && wanted.every((part, i) => part === asked[i]))) {
            return;
        }
        asked = wanted;
        client.supersede(CHANNEL.NODES);
        if (on && client.can(KIND.AGGREGATE)) {
            void attempt(context, 'The nodes could not be read', load);
        } else {
            store.update({ nodes: null, nodeFacts: new Map() });
        }
    });
}

/** @type {WeakMap<ReadonlyMap<number, NodeFacts>, Set<number>>} */
const underway = new WeakMap();

/** What is in sight is asked once. @param {Context} context @param {readonly number[]} rows */
export function wantFacts(context, rows) {
    const { store, client } = context;
    const { nodes } = store.state;
    const known = store.state.nodeFacts;
    const waiting = underway.get(known) ?? new Set();
    const missing = rows.filter((row) => !known.has(row) && !waiting.has(row)).slice(0, MOST_ASKED);
    if (missing.length === 0) {
        return;
    }
    underway.set(known, new Set([...waiting, ...missing]));
    void attempt(context, 'What is known of the nodes could not be read', async () => {
        const told = await Promise.all(missing.map((row) => askSpan(client, traceOf(context), row)));
        if (store.state.nodes === nodes) {
            const facts = new Map(store.state.nodeFacts);
            told.forEach(({ row, properties }) => facts.set(row, nodeFacts(properties)));
            store.update({ nodeFacts: facts });
        }
    });
}
