// SPDX-License-Identifier: MIT
// @ts-check
/* Going between metrics, live resources, losses and the timeline. */

import { layoutTracks, scrollInto, COUNTERS_ID } from '../model/layout.js';
import { nextLoss } from '../model/losses.js';
import { windowAround, windowEnd } from '../model/window.js';
import { updatePlace } from './app_state.js';
import { glideTo } from './navigate.js';
import { nothingChosen } from './selection.js';
import { showView } from './view_choice.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/address_diagnostics.js').MetricsPlace} MetricsPlace */
/** @typedef {import('../model/address_diagnostics.js').ObjectsPlace} ObjectsPlace */

/** @param {Context} context @param {string | null} name */
export function chooseMetric(context, name) {
    const { place } = context.store.state;
    if (name !== place.metrics.chosen) {
        updatePlace(context, { ...nothingChosen(place), metrics: { ...place.metrics, chosen: name } });
    }
}

/** @param {Context} context @param {number | null} number */
export function chooseObject(context, number) {
    const { place } = context.store.state;
    if (number !== place.objects.chosen) {
        updatePlace(context, { ...nothingChosen(place), objects: { ...place.objects, chosen: number } });
    }
}

/** @param {Context} context @param {Partial<MetricsPlace>} change */
export function updateMetrics(context, change) {
    updatePlace(context, { metrics: { ...context.store.state.place.metrics, ...change } });
}

/** @param {Context} context @param {Partial<ObjectsPlace>} change */
export function updateObjects(context, change) {
    updatePlace(context, { objects: { ...context.store.state.place.objects, ...change } });
}

/** A track in sight on the timeline, unfolded. @param {Context} context @param {number} id */
export function showTrack(context, id) {
    const { store } = context;
    showView(context, 'timeline');
    const { tracks, place, scrollPx, timelineHeightPx } = store.state;
    const track = tracks.find((item) => item.id === id);
    if (!track) {
        return;
    }
    const over = track.kind === 'counter' ? COUNTERS_ID : track.process?.group;
    const folded = place.folded.filter((other) => other !== id && other !== over);
    if (folded.length !== place.folded.length) {
        updatePlace(context, { folded });
    }
    const box = layoutTracks(tracks, new Set(folded)).boxes.find((item) => item.track.id === id);
    if (box) {
        store.update({ scrollPx: scrollInto(scrollPx, Math.max(box.height, timelineHeightPx), box.y, box.height) });
    }
}

/** The track of a metric. @param {Context} context @param {string} name */
export function showMetricTrack(context, name) {
    const { metrics, tracks } = context.store.state;
    const counter = metrics.find((metric) => metric.name === name)?.counter ?? -1;
    const track = counter < 0 ? undefined : tracks.find((item) => item.counter === counter);
    if (track) {
        chooseMetric(context, name);
        showTrack(context, track.id);
    }
}

/** A loss in the middle of the timeline. @param {Context} context @param {import('../model/losses.js').Loss} loss */
export function showLoss(context, loss) {
    if (loss.track >= 0) {
        showTrack(context, loss.track);
    } else {
        showView(context, 'timeline');
    }
    const { window } = context.store.state;
    const half = Math.max(1, Math.floor(window.lengthNs / 2));
    glideTo(context, windowAround(loss.timeNs - BigInt(half), loss.timeNs + BigInt(half), 0));
}

/** The next loss after what is on screen, or the one before it. @param {Context} context @param {1 | -1} step @returns {import('../model/losses.js').Loss | null} */
export function goToLoss(context, step) {
    const { losses, window } = context.store.state;
    const middle = window.startNs + (windowEnd(window) - window.startNs) / 2n;
    const loss = losses ? nextLoss(losses.list, middle, step) : null;
    if (loss) {
        showLoss(context, loss);
    }
    return loss;
}
