// SPDX-License-Identifier: MIT
// @ts-check
/* From nothing to a first picture: the strip from the directory, then the trace, then everything about it. */

import { askFrames, askHello, askInfo, askLoad, askStrip, askTraces, askTracks } from '../protocol/document.js';
import { RequestError } from '../protocol/client.js';
import { askSpan } from '../protocol/queries.js';
import { askLosses, askMetrics } from '../protocol/diagnostics.js';
import { askCounters, askInstantCounts, askMarks } from '../protocol/views.js';
import { clampRange, rangeExtent, worstHitch } from '../model/frames.js';
import { orderTracks } from '../model/layout.js';
import { makeWindow, windowAround } from '../model/window.js';
import { updatePlace } from './app_state.js';
import { pinned } from './view_choice.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../protocol/document.js').TraceEntry} TraceEntry */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {import('../model/layout.js').Track} Track */

const POLL_MS = 120;
/** Frames of the first look where none stands out. */
const FIRST_FRAMES = 3;

/** @param {number} ms @returns {Promise<void>} */
const pause = (ms) => new Promise((done) => { setTimeout(done, ms); });

/** @param {Context} context */
export async function loadCapture(context) {
    const { store, client, home } = context;
    try {
        const entries = await askHello(client);
        const file = entries[store.state.place.file - 1] ? store.state.place.file : 1;
        const entry = entries[file - 1];
        if (!entry) {
            throw new Error('frameglass view has no capture open. Start it with the name of a file.');
        }
        store.update({ entries, entry });
        updatePlace(context, { file });
        store.update({ frames: await askStrip(client, entry.trace), phase: 'strip' });
        await waitLoaded(context, entry.trace);
        const loaded = await readTrace(context, entry.trace);
        const { place } = store.state;
        const range = place.range ? clampRange(place.range, loaded.frames.count) : null;
        const ofSpan = range === null ? await frameOfSpan(context, entry.trace) : null;
        const look = range ?? (ofSpan === null ? null : { first: ofSpan, last: ofSpan });
        store.update({ ...loaded, window: place.window ?? firstWindow({ ...store.state, ...loaded, place: { ...place, range: look } }) });
        updatePlace(context, { range });
        store.update({ place: pinned(store.state, ofSpan) });
        store.update({ phase: 'ready', revision: store.state.revision + 1 });
    } catch (error) {
        if (context.home !== home) {
            return; // Another file was opened meanwhile, or none is wanted any more.
        }
        const advice = error instanceof Error ? error.message : String(error);
        const name = store.state.entry?.label;
        store.update({
            phase: 'failed',
            problem: { what: name ? `${name} could not be opened` : 'The capture could not be opened', advice, lasting: true },
        });
    }
}

/** The frame of the span that the address names; null where it names none, or one that this capture does not have. @param {Context} context @param {number} trace */
async function frameOfSpan(context, trace) {
    const { selected } = context.store.state.place;
    try {
        return selected === null ? null : (await askSpan(context.client, trace, selected)).frame;
    } catch (error) {
        if (error instanceof RequestError) {
            return null; // Whoever reads the selection says so.
        }
        throw error;
    }
}

/** Everything about a loaded trace that the page always has. @param {Context} context @param {number} trace */
export async function readTrace(context, trace) {
    const { client } = context;
    const [info, tracks, frames, marks, metrics, losses] = await Promise.all([
        askInfo(client, trace), askTracks(client, trace), askFrames(client, trace), askMarks(client, trace),
        askMetrics(client, trace, null), askLosses(client, trace)]);
    const instants = (info.counts.instants ?? 0n) > 0n ? await askInstantCounts(client, trace, { startNs: info.startNs, endNs: info.endNs + 1n }) : new Map();
    const lossy = new Set(losses.tracks.map((loss) => loss.track));
    // A track on which nothing happened would only take room.
    const used = tracks.tracks.filter((track) => track.spans > 0 || track.kind === 'counter' || instants.has(track.id) || lossy.has(track.id));
    return {
        info,
        tracks: orderTracks(await withRanges(context, trace, info, used)),
        laneDepth: tracks.laneDepth,
        frames,
        marks: marks.marks,
        metrics,
        losses,
    };
}

/**
 * Counters with their smallest and largest value: how much room they deserve.
 * @param {Context} context @param {number} trace @param {Info} info @param {Track[]} tracks
 */
async function withRanges(context, trace, info, tracks) {
    const counters = tracks.filter((track) => track.counter >= 0).map((track) => track.counter);
    if (counters.length === 0 || info.endNs <= info.startNs) {
        return tracks;
    }
    const question = { startNs: info.startNs, endNs: info.endNs, widthPx: 1, counters };
    const answers = await askCounters(context.client, trace, question, { channel: 0, generation: 0 });
    return tracks.map((track) => {
        const range = track.counter >= 0 ? answers.find((answer) => answer.counter === track.counter) : undefined;
        return range ? { ...track, low: range.low, high: range.high } : track;
    });
}

/** @param {Context} context @param {number} trace */
async function waitLoaded(context, trace) {
    const { store, client } = context;
    const mine = (/** @type {TraceEntry[]} */ list) => list.find((entry) => entry.trace === trace);
    let entry = mine(await askLoad(client, trace));
    while (entry && entry.state !== 'loaded') {
        if (entry.state === 'failed') {
            throw new Error(context.home.trouble?.() || entry.failure || 'the capture cannot be read. frameglass validate says what is wrong with it.');
        }
        store.update({ entry, phase: 'loading' });
        await pause(POLL_MS);
        entry = mine(await askTraces(client));
    }
    if (!entry) {
        throw new Error('the capture was closed while it was being loaded');
    }
    store.update({ entry });
}

/**
 * The first look: the frames that the address selects, else the frame that stands out most, else the first few, else all there is.
 * @param {AppState} state
 */
export function firstWindow(state) {
    const { frames, info, place } = state;
    if (frames && frames.count > 0) {
        const chosen = place.range ? clampRange(place.range, frames.count) : null;
        const worst = worstHitch(frames);
        const range = chosen ?? (worst >= 0 ? { first: worst, last: worst } : { first: 0, last: Math.min(FIRST_FRAMES, frames.count) - 1 });
        const extent = rangeExtent(frames, range);
        return windowAround(extent.startNs, extent.endNs);
    }
    return info ? windowAround(info.startNs, info.endNs) : makeWindow(0n, 1e6);
}
