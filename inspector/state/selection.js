// SPDX-License-Identifier: MIT
// @ts-check
/*
 * What is selected: a span, a pass of the frame graph (with its span in the shown frame, where it has one), or a resource version.
 * One at a time. The selection follows the shown frame.
 */

import { askSeries, askSpan } from '../protocol/queries.js';
import { askFrameStructure } from '../protocol/structure.js';
import { RequestError, STATUS } from '../protocol/client.js';
import { CHANNEL, isRenewed, traceOf, updatePlace } from './app_state.js';
import { attempt } from './problems.js';
import { revealTime } from './navigate.js';
import { worstHitch } from '../model/frames.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/address.js').Place} Place */
/** @typedef {import('../model/address.js').ResourceKey} ResourceKey */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */

/**
 * The frame that views of one frame show: the last selected one, else that of the selected span, else the hitch that the first look
 * goes to, else the first; null where there is none.
 * @param {AppState} state
 * @returns {number | null}
 */
export function shownFrame(state) {
    const { frames, place, selection } = state;
    if (!frames || frames.count === 0) {
        return null;
    }
    if (place.range) {
        return Math.min(place.range.last, frames.count - 1);
    }
    const own = place.selected !== null && selection?.info.row === place.selected ? selection.info.frame : null;
    return own ?? Math.max(0, worstHitch(frames));
}

/**
 * What a place is when nothing is selected in it.
 * @param {Place} place @returns {Pick<Place, 'selected' | 'pass' | 'resource' | 'metrics' | 'objects'>}
 */
export function nothingChosen(place) {
    const { metrics, objects } = place;
    return {
        selected: null,
        pass: null,
        resource: null,
        metrics: metrics.chosen === null ? metrics : { ...metrics, chosen: null },
        objects: objects.chosen === null ? objects : { ...objects, chosen: null },
    };
}

/** @param {Place} place */
export function hasChosen(place) {
    return place.selected !== null || place.pass !== null || place.resource !== null || place.metrics.chosen !== null || place.objects.chosen !== null;
}

/** A span, or nothing at all. @param {Context} context @param {number | null} row */
export function select(context, row) {
    const { place } = context.store.state;
    if (row === null ? hasChosen(place) : row !== place.selected || place.resource !== null) {
        // Which pass a span belongs to is known when it was read.
        updatePlace(context, { ...nothingChosen(place), selected: row });
    }
}

/** A pass, with its span in the shown frame. @param {Context} context @param {number | null} identity */
export function selectPass(context, identity) {
    const { structure } = context.store.state;
    const index = structure && structure.frame === shownFrame(context.store.state) ? structure.passOf(identity) : null;
    const selected = index === null ? null : structure?.passes[index].row ?? null;
    updatePlace(context, { ...nothingChosen(context.store.state.place), pass: identity, selected });
}

/** @param {Context} context @param {ResourceKey | null} resource */
export function selectResource(context, resource) {
    updatePlace(context, { ...nothingChosen(context.store.state.place), resource });
}

/** Select a span and bring it on screen. @param {Context} context @param {number} row */
export async function selectAndReveal(context, row) {
    await attempt(context, 'The span could not be read', async () => {
        const info = await askSpan(context.client, traceOf(context), row);
        select(context, row);
        unfold(context, info.track);
        revealTime(context, info.startNs, info.endNs);
    });
}

/** @param {Context} context @param {number} track */
function unfold(context, track) {
    const { folded } = context.store.state.place;
    if (folded.includes(track)) {
        updatePlace(context, { folded: folded.filter((id) => id !== track) });
    }
}

/**
 * Another frame is shown: a pass is shown in it, anything else of the frame before is let go.
 * @param {Context} context
 */
function follow(context) {
    const { place, structure, selection, frames } = context.store.state;
    const { range, selected, pass } = place;
    const shown = shownFrame(context.store.state);
    const frame = selected !== null && selection?.info.row === selected ? selection.info.frame : null;
    const left = range !== null && frame !== null && (frame < range.first || frame > range.last);
    if (selected !== null && !left) {
        return;
    }
    if (pass === null || !frames) {
        if (left) {
            updatePlace(context, { selected: null });
        }
    } else if (structure && structure.frame === shown) {
        const index = structure.passOf(pass);
        const row = index === null ? null : structure.passes[index].row;
        if (row !== selected) {
            updatePlace(context, { selected: row });
        }
    }
}

/** @param {Context} context */
export function keepSelection(context) {
    const { store, client } = context;
    /** @type {Map<number, Promise<FrameStructure>>} by frame; a session looks at few */
    const structures = new Map();

    /** @param {SpanInfo} info @returns {Promise<FrameStructure> | null} */
    const structureOf = (info) => {
        if (info.pass === null || info.frame === null) {
            return null;
        }
        const frame = info.frame;
        const shown = store.state.structure;
        if (shown && shown.frame === frame) {
            return Promise.resolve(shown);
        }
        let found = structures.get(frame);
        if (!found) {
            found = askFrameStructure(client, traceOf(context), frame);
            structures.set(frame, found);
            found.catch(() => structures.delete(frame));
        }
        return found;
    };

    const load = async (/** @type {number} */ row) => {
        const order = client.supersede(CHANNEL.SPAN);
        const trace = traceOf(context);
        try {
            const [info, series] = await Promise.all([askSpan(client, trace, row, order), askSeries(client, trace, row, order)]);
            store.update({ selection: { info, series, structure: null } });
            if (store.state.place.selected === row && store.state.place.pass !== info.identity) {
                updatePlace(context, { pass: info.identity });
            }
            const structure = await structureOf(info);
            if (structure && store.state.selection?.info === info) {
                store.update({ selection: { info, series, structure } });
            }
        } catch (error) {
            if (error instanceof RequestError && error.status === STATUS.NOT_FOUND) {
                // An old address may name a span that this capture does not have.
                updatePlace(context, { selected: null });
            }
            throw error;
        }
    };

    store.listen((state, before) => {
        if (state.phase === 'ready' && (state.place.range !== before.place.range || state.structure !== before.structure)) {
            follow(context);
        }
    });
    store.listen((state, before) => {
        const { selected } = state.place;
        if (isRenewed(state, before)) {
            structures.clear();
        }
        if (state.phase !== 'ready' || (!isRenewed(state, before) && selected === before.place.selected)) {
            return;
        }
        if (selected === null) {
            client.supersede(CHANNEL.SPAN);
            store.update({ selection: null });
        } else {
            void attempt(context, `Span ${selected} could not be read`, () => load(selected));
        }
    });
}
