// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the dependencies that the timeline shows: asked again when the boxes are, when the lanes move, and for the selected span. */

import { KIND } from '../protocol/client.js';
import { askFocus, askLinks } from '../protocol/links.js';
import { toggleSeed } from '../model/focus.js';
import { layoutTracks, visibleBoxes } from '../model/layout.js';
import { CHANNEL, isRenewed, traceOf, updateExplore } from './app_state.js';
import { attempt } from './problems.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/address_explore.js').ExplorePlace} ExplorePlace */

const FAMILIES = 32;
/** Lanes that one question has room for. */
const MOST_PLACES = 16384;

/** Families that are drawn and followed, as bits; 0 for all. @param {ExplorePlace} explore */
export function wantedFamilies(explore) {
    let bits = 0;
    for (let family = 0; family < FAMILIES && explore.familiesOff.length > 0; family++) {
        bits |= explore.familiesOff.includes(family) ? 0 : 1 << family;
    }
    return bits >>> 0;
}

/** @param {Context} context @param {number} family */
export function toggleFamily(context, family) {
    const { familiesOff, links } = context.store.state.place.explore;
    if (!links) {
        updateExplore(context, { links: true, familiesOff: [...Array(FAMILIES).keys()].filter((id) => id !== family) });
        return;
    }
    const off = familiesOff.includes(family) ? familiesOff.filter((id) => id !== family) : [...familiesOff, family].sort((a, b) => a - b);
    updateExplore(context, { familiesOff: off });
}

/** @param {Context} context */
export function toggleLinks(context) {
    updateExplore(context, { links: !context.store.state.place.explore.links });
}

/** A seed of the focus more or less. @param {Context} context @param {number} row */
export function focusOn(context, row) {
    updateExplore(context, { focus: toggleSeed(context.store.state.place.explore.focus, row) });
}

/** Does the trace have dependencies, and the engine an answer? @param {Context} context */
export function hasLinks(context) {
    return context.client.can(KIND.LINKS) && (context.store.state.info?.counts.dependencies ?? 0n) > 0n;
}

/** Where lanes are, and which of them are near the screen. @param {AppState} state */
function placesOf(state) {
    const layout = layoutTracks(state.tracks, new Set(state.place.folded));
    const near = state.timelineHeightPx;
    const inView = /** @type {[number, number]} */ ([Math.floor(state.scrollPx - near / 2), Math.ceil(state.scrollPx + near * 1.5)]);
    const all = layout.boxes.flatMap((box) => box.lanes);
    const lanes = all.length <= MOST_PLACES ? all
        : visibleBoxes(layout, inView[0] - near, inView[1] + near).flatMap((box) => box.lanes).slice(0, MOST_PLACES);
    const single = lanes.filter((lane) => !lane.folded);
    const folded = lanes.filter((lane) => lane.folded);
    return {
        lanes: single.map((lane) => lane.lane),
        groups: folded.map((lane) => lane.lane),
        placeY: [...single, ...folded].map((lane) => Math.round(lane.y + lane.height / 2)),
        inView,
    };
}

/** @param {Context} context */
export function keepLinks(context) {
    const { store, client } = context;
    /** What the lines at hand were asked for. @type {unknown[]} */
    let asked = [];
    const load = async () => {
        const { state } = store;
        const { view, place } = state;
        if (!view) {
            return;
        }
        const order = client.supersede(CHANNEL.LINKS);
        const links = await tellWork(context, 'Dependencies', CHANNEL.LINKS, (tell) => askLinks(client, traceOf(context), {
            startNs: view.startNs,
            endNs: view.endNs,
            widthPx: view.widthPx,
            ...placesOf(state),
            filter: state.filter?.filter ?? 0,
            families: wantedFamilies(place.explore),
            rows: place.selected === null ? [] : [place.selected],
        }, order, tell));
        store.update({ links });
    };
    store.listen((state) => {
        const { explore, folded, selected } = state.place;
        const page = Math.round(state.scrollPx / Math.max(1, state.timelineHeightPx / 2));
        const wanted = [state.view, state.filter, explore.links, explore.familiesOff, folded, selected, page];
        if (state.phase !== 'ready' || wanted.every((part, i) => part === asked[i])) {
            return;
        }
        asked = wanted;
        if (!explore.links || !hasLinks(context)) {
            client.supersede(CHANNEL.LINKS);
            store.update({ links: null });
        } else {
            void attempt(context, 'The dependencies could not be read', load);
        }
    });
    keepFocus(context);
}

/** How far the focus reaches, for those who ask why not further. @param {Context} context */
function keepFocus(context) {
    const { store, client } = context;
    store.listen((state, before) => {
        const { explore } = state.place;
        const same = explore.focus === before.place.explore.focus && explore.familiesOff === before.place.explore.familiesOff;
        if (state.phase !== 'ready' || (same && !isRenewed(state, before))) {
            return;
        }
        const order = client.supersede(CHANNEL.FOCUS);
        const { focus } = explore;
        if (!focus || !client.can(KIND.FOCUS)) {
            store.update({ focus: null });
            return;
        }
        void attempt(context, 'The focus could not be followed', async () => {
            store.update({ focus: await askFocus(client, traceOf(context), focus, wantedFamilies(explore), order) });
        });
    });
}
