// SPDX-License-Identifier: MIT
// @ts-check
/* The panel on the right: the selected span, pass, resource or metric, else the selected frames and the capture. */

import { byId, fill } from './dom.js';
import { captureDetail } from './detail_capture.js';
import { metricDetail } from './detail_metric.js';
import { objectDetail } from './detail_object.js';
import { passDetail } from './detail_pass.js';
import { resourceDetail } from './detail_resource.js';
import { spanDetail } from './detail_span.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../draw/palette.js').Palette} Palette */

/** What is shown, so that another one begins at its top. @param {AppState} state */
function subject(state) {
    const { place, selection } = state;
    const { resource, metrics, objects } = place;
    if (metrics.chosen !== null || objects.chosen !== null) {
        return `metric ${metrics.chosen} object ${objects.chosen}`;
    }
    return resource ? `resource ${resource.name} ${resource.version} ${resource.nth}`
        : place.selected !== null ? `span ${selection?.info.row ?? ''}` : place.pass !== null ? `pass ${place.pass}` : '';
}

/** @param {Context} context @param {AppState} state @param {Palette} palette */
function content(context, state, palette) {
    const { place, selection } = state;
    if (place.resource) {
        return resourceDetail(context, place.resource);
    }
    if (place.metrics.chosen !== null && state.phase === 'ready') {
        return metricDetail(context, place.metrics.chosen);
    }
    if (place.objects.chosen !== null && state.phase === 'ready') {
        return objectDetail(context, place.objects.chosen);
    }
    if (selection && place.selected !== null) {
        return spanDetail(context, selection, palette);
    }
    return place.pass !== null && place.selected === null && state.phase === 'ready' ? passDetail(context, place.pass, palette) : captureDetail(context);
}

/** @param {Context} context @param {() => Palette} palette */
export function detailView(context, palette) {
    const root = byId('detail');
    root.tabIndex = 0;
    const { store } = context;
    let shown = '';
    const draw = () => {
        const { state } = store;
        const { scrollTop } = root;
        const active = document.activeElement;
        const held = active instanceof HTMLElement && root.contains(active);
        fill(root, ...content(context, state, palette()));
        const next = subject(state);
        root.scrollTop = next === shown ? scrollTop : 0;
        shown = next;
        // A link that was followed is gone: the keyboard stays in the panel.
        if (held) {
            root.focus({ preventScroll: true });
        }
    };
    /** What the program says of itself. @param {AppState} state @param {AppState} before */
    const toldChanged = (state, before) => state.metrics !== before.metrics || state.rangeMetrics !== before.rangeMetrics || state.sparks !== before.sparks
        || state.objects !== before.objects || state.place.view !== before.place.view || state.place.range !== before.place.range;
    store.listen((state, before) => {
        const { place } = state;
        const told = place.metrics.chosen !== null || place.objects.chosen !== null;
        const sameRange = place.range === before.place.range || state.selection !== null;
        const samePlace = place.pass === before.place.pass && place.resource === before.place.resource && place.selected === before.place.selected
            && place.metrics.chosen === before.place.metrics.chosen && place.objects.chosen === before.place.objects.chosen;
        const asked = place.explore.focus !== before.place.explore.focus || place.explore.path !== before.place.explore.path
            || place.explore.slice !== before.place.explore.slice || state.rowScore !== before.rowScore || state.anomalies !== before.anomalies;
        if (state.selection !== before.selection || (asked && state.selection !== null) || state.info !== before.info
            || state.frames !== before.frames || state.theme !== before.theme
            || state.phase !== before.phase || state.panel !== before.panel || state.frameCost !== before.frameCost || state.structure !== before.structure
            || state.structureNote !== before.structureNote
            || (state.verdict !== before.verdict && state.selection === null) || !sameRange || !samePlace || (told && toldChanged(state, before))) {
            draw();
        }
    });
    return { redraw: draw };
}
