// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Keeps the boxes of the timeline at hand: somewhat more than is on screen, asked again when the screen leaves it or
 * when it was made for another scale. One question is on its way at a time; a useless one is cancelled.
 */

import { askCounters, askInstants, askView } from '../protocol/views.js';
import { COUNTER_PX, layoutOf, visibleBoxes } from '../model/layout.js';
import { COLOURING_FIELDS } from '../model/colouring.js';
import { MODE } from '../model/lanes.js';
import { clampInt64, windowEnd } from '../model/window.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { paceKeeper } from './pace_data.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/lanes.js').TimelineView} TimelineView */

/** Share of the window that is fetched beyond each edge. */
const MARGIN = 0.5;
/** A reply serves scales up to this much finer or coarser than it was made for. */
const SCALE_SLACK = 1.35;
/** Up to so many lanes all are asked for; beyond, those near the screen: what nobody sees costs as much as what is seen. */
const ALL_LANES = 64;
const MAX_WIDTH_PX = 16384;
/** A window that was not moved for so long rests. */
const REST_MS = 250;

/**
 * @typedef {object} Wanted
 * @property {number[]} lanes
 * @property {number[]} groups
 * @property {number[]} counters
 * @property {string} key
 */

/** @typedef {{ startNs: bigint, endNs: bigint, nsPerPx: number, key: string, isCoarse: boolean }} Held what a reply was made for; isCoarse: with less detail than was chosen */

/** Columns that the colours need. @param {AppState} state */
function fieldsOf(state) {
    return COLOURING_FIELDS[state.place.colour];
}

/**
 * By whole screens, half a one beyond each edge: scrolling within one asks nothing.
 * @param {import('../model/layout.js').Layout} layout @param {AppState} state
 */
function nearBoxes(layout, state) {
    const screen = Math.max(COUNTER_PX, state.timelineHeightPx);
    const top = Math.floor(state.scrollPx / screen) * screen;
    return visibleBoxes(layout, top - screen / 2, top + 2.5 * screen);
}

/** @param {AppState} state @returns {Wanted} */
function wantedLanes(state) {
    const layout = layoutOf(state.tracks, state.place.folded);
    const count = layout.boxes.reduce((sum, box) => sum + box.lanes.length, 0);
    const boxes = count <= ALL_LANES ? layout.boxes : nearBoxes(layout, state);
    const lanes = boxes.flatMap((box) => box.lanes.filter((lane) => !lane.folded).map((lane) => lane.lane));
    const groups = boxes.flatMap((box) => box.lanes.filter((lane) => lane.folded).map((lane) => lane.lane));
    const counters = boxes.filter((box) => box.track.kind === 'counter' && !box.folded).map((box) => box.track.counter);
    const { explore } = state.place;
    const key = [lanes.join(), groups.join(), counters.join(), state.highlight?.filter ?? 0, state.filter?.filter ?? 0, state.anomalies?.scores ?? 0,
        explore.detail, explore.handoff, fieldsOf(state)].join(';');
    return { lanes, groups, counters, key };
}

/**
 * @param {AppState} state
 * @param {Held | null} held
 * @param {Wanted} wanted
 */
function serves(state, held, wanted) {
    if (!held || held.key !== wanted.key) {
        return false;
    }
    const scale = state.window.lengthNs / state.timelineWidthPx / held.nsPerPx;
    const covers = overlaps(state, held, true);
    return covers && scale < SCALE_SLACK && scale > 1 / SCALE_SLACK;
}

/** @param {AppState} state @param {{ startNs: bigint, endNs: bigint }} held @param {boolean} whole */
function overlaps(state, held, whole) {
    const { info, window } = state;
    // What lies outside of the trace holds nothing and needs no asking.
    const start = info && window.startNs < info.startNs ? info.startNs : window.startNs;
    const edge = windowEnd(window);
    const end = info && edge > info.endNs ? info.endNs : edge;
    return whole ? held.startNs <= start && held.endNs >= end : held.startNs < end && held.endNs > start;
}

/** @param {Context} context */
export function keepTimelineData(context) {
    const { store, client } = context;
    /** @type {Held | null} */
    let held = null;
    /** @type {Held | null} */
    let asked = null;
    /** @type {{ channel: number, generation: number }} */
    let order = { channel: CHANNEL.VIEW, generation: 0 };
    const pace = paceKeeper(context);
    let restTimer = 0;

    const fetchView = async (/** @type {Wanted} */ wanted) => {
        const { state } = store;
        const { window, timelineWidthPx, highlight } = state;
        const margin = BigInt(Math.ceil(window.lengthNs * MARGIN));
        const startNs = clampInt64(window.startNs - margin);
        const endNs = clampInt64(windowEnd(window) + margin);
        const nsPerPx = window.lengthNs / timelineWidthPx;
        const widthPx = Math.min(MAX_WIDTH_PX, Math.max(1, Math.round(Number(endNs - startNs) / nsPerPx)));
        const detail = pace.detail(restTimer !== 0);
        const mine = { startNs, endNs, nsPerPx, key: wanted.key, isCoarse: detail !== state.place.explore.detail };
        asked = mine;
        const sample = pace.begin();
        order = client.supersede(CHANNEL.VIEW);
        const ask = (/** @type {number} */ filter, /** @type {TimelineView | null} */ before) => askView(client, traceOf(context), {
            startNs, endNs, widthPx, lanes: wanted.lanes, groups: wanted.groups, filter, fields: fieldsOf(state), modes: modesOf(wanted, before),
            scores: state.anomalies?.scores ?? 0, detail, handoff: state.place.explore.handoff,
        }, order);
        const hasInstants = (state.info?.counts.instants ?? 0n) > 0n;
        const [view, bright, counters, instants] = await Promise.all([
            ask(state.filter?.filter ?? 0, state.view),
            highlight && highlight.filter > 0 ? ask(highlight.filter, state.bright) : null,
            wanted.counters.length > 0
                ? askCounters(client, traceOf(context), { startNs, endNs, widthPx, counters: wanted.counters }, order) : [],
            hasInstants ? askInstants(client, traceOf(context), { startNs, endNs, widthPx }, order) : null,
        ]);
        held = mine;
        store.update({ view, bright, counters, instants });
        sample(view);
    };

    const check = () => {
        const { state } = store;
        if (state.phase !== 'ready' || state.timelineWidthPx <= 0) {
            return;
        }
        const wanted = wantedLanes(state);
        if (serves(state, held, wanted)) {
            return;
        }
        const pending = /** @type {Held | null} */ (asked);
        if (pending) {
            // Let the one on its way arrive, if it shows any of what is wanted now.
            if (pending.key === wanted.key && overlaps(state, pending, false)) {
                return;
            }
        }
        const mine = fetchView(wanted);
        const token = /** @type {Held | null} */ (asked);
        void attempt(context, 'The timeline could not be read', () => mine).finally(() => {
            if (asked === token) {
                asked = null;
                if (held === token) {
                    check();
                }
            }
        });
    };
    /** After the last move: what was asked with less detail is asked again. */
    const rest = () => {
        restTimer = 0;
        if (held?.isCoarse) {
            held = null;
            check();
        }
    };
    store.listen((state, before) => {
        if (isRenewed(state, before)) {
            held = null;
            asked = null;
        }
        if (state.window !== before.window && state.engine?.device) {
            clearTimeout(restTimer);
            restTimer = window.setTimeout(rest, REST_MS);
        }
        if (state.revision !== before.revision || state.window !== before.window || state.place.folded !== before.place.folded || state.phase !== before.phase
            || state.timelineWidthPx !== before.timelineWidthPx || state.highlight !== before.highlight || state.filter !== before.filter
            || state.anomalies !== before.anomalies || state.place.explore !== before.place.explore
            || state.place.colour !== before.place.colour || state.scrollPx !== before.scrollPx || state.timelineHeightPx !== before.timelineHeightPx) {
            check();
        }
    });
}

/**
 * The modes that are shown now, for the engine's hysteresis.
 * @param {Wanted} wanted
 * @param {TimelineView | null} view
 */
function modesOf(wanted, view) {
    const find = (/** @type {number} */ id, /** @type {boolean} */ group) =>
        view?.lanes.find((lane) => lane.id === id && lane.group === group)?.mode ?? MODE.UNANSWERED;
    return [...wanted.lanes.map((id) => find(id, false)), ...wanted.groups.map((id) => find(id, true))];
}
