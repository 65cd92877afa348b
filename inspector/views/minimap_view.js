// SPDX-License-Identifier: MIT
// @ts-check
/* The whole trace over everything else: a click brings its moment to the middle, a drag moves the window, with Shift it draws one. */

import { announce, byId, fill, h, onFrame, pixelRatio, pointIn } from './dom.js';
import { figures, remark, title } from './tooltip.js';
import { prepare } from '../draw/canvas.js';
import { drawMinimap, drawMinimapWindow } from '../draw/minimap_picture.js';
import { DEFAULT_BUDGET_US } from '../model/address.js';
import { hueOf } from '../model/colour.js';
import { costStep } from '../model/colouring.js';
import { rangeExtent } from '../model/frames.js';
import { counted, duration, exactNs, percent } from '../model/format.js';
import { bandsOf, cellAt, minimapTime } from '../model/minimap.js';
import { makeWindow, windowAround } from '../model/window.js';
import { KIND } from '../protocol/client.js';
import { traceOf } from '../state/app_state.js';
import { glideTo, jumpTo, panBy, zoomBy } from '../state/navigate.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/minimap.js').Extent} Extent */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */

const DRAG_PX = 3;

/** @param {AppState} state @returns {Extent} */
function extentOf(state) {
    return { startNs: state.info?.startNs ?? 0n, endNs: state.info?.endNs ?? 1n };
}

/** Tracks of spans, in the order of the timeline, as groups. @param {AppState} state @returns {number[]} */
function groupsOf(state) {
    const ofTracks = state.tracks.filter((track) => track.kind !== 'counter').map((track) => track.group);
    const map = state.minimap;
    const known = new Set(ofTracks);
    return map && map.groups.length > 0 && !map.groups.some((group) => known.has(group.group)) ? map.groups.map((group) => group.group) : ofTracks;
}

/**
 * What the colours of cells tell is what those of the timeline tell; of scopes and pools the cells do not know, and keep to names.
 * @param {Context} context @param {import('../draw/palette.js').Palette} palette @param {import('../model/minimap.js').Minimap} map
 * @returns {(cell: number, group: number) => readonly [number, number, number]}
 */
function hueOfCells(context, palette, { cells }) {
    const { place, tracks } = context.store.state;
    const track = new Map(tracks.map((item) => [item.group, item.id]));
    const budgetNs = (place.budgetUs || DEFAULT_BUDGET_US) * 1000;
    return (cell, group) => {
        switch (place.colour) {
            case 'queue': return palette.hues[(track.get(group) ?? 0) % palette.hues.length];
            case 'cost': return palette.heat[costStep(cells.longest[cell], budgetNs)];
            default: return palette.hues[hueOf(context.client.name(traceOf(context), cells.name[cell]))];
        }
    };
}

/** @param {AppState} state @returns {Extent | null} what is chosen: measured, or frames */
function chosenExtent(state) {
    const { place, frames } = state;
    return place.explore.over === 'measured' && place.explore.measured ? place.explore.measured
        : place.range && frames && frames.count > 0 ? rangeExtent(frames, place.range) : null;
}

/** @param {Context} context @param {() => import('../draw/palette.js').Palette} palette @param {Tooltip} tooltip */
export function minimapView(context, palette, tooltip) {
    const { store } = context;
    const root = byId('minimap');
    const ground = h('canvas', { aria: { hidden: true } });
    const over = h('canvas', { aria: { hidden: true } });
    const stage = h('div', {
        class: 'stage', tabindex: 0, role: 'slider',
        aria: { label: 'Whole trace. Left and right move the window, plus and minus zoom', valuemin: 0, valuemax: 100, valuenow: 0 },
    });
    const empty = h('div', { class: 'empty', hidden: true });
    fill(root, ground, over, stage, empty);
    /** @type {unknown[]} */
    let drawn = [];
    /** @type {{ x: number, moved: boolean, from: bigint | null } | null} */
    let drag = null;

    const draw = onFrame(() => {
        const { state } = store;
        const { minimap } = state;
        const { clientWidth: width, clientHeight: height } = root;
        const shown = state.phase === 'ready' && context.client.can(KIND.MINIMAP);
        document.body.classList.toggle('with-minimap', shown);
        document.body.classList.toggle('without-frames', shown && (state.frames?.count ?? 0) === 0);
        empty.hidden = !shown || (minimap !== null && minimap.bins > 0);
        empty.textContent = minimap === null ? 'Reading the overview…' : state.filter ? 'No span passes the filter.' : 'No spans.';
        if (!minimap || !shown || width === 0 || height === 0) {
            return;
        }
        const colours = palette();
        const sheet = { palette: colours, width, height };
        const now = [minimap, colours, width, height, state.tracks, state.place.colour, state.place.budgetUs, pixelRatio()];
        if (now.some((part, i) => part !== drawn[i])) {
            drawn = now;
            for (const canvas of [ground, over]) {
                canvas.style.width = `${width}px`;
                canvas.style.height = `${height}px`;
            }
            drawMinimap({ ...sheet, context: prepare(ground, width, height, pixelRatio()) }, minimap, extentOf(state), groupsOf(state), hueOfCells(context, colours, minimap));
            root.dataset.drawn = String(minimap.cells.bin.length);
        }
        drawMinimapWindow({ ...sheet, context: prepare(over, width, height, pixelRatio()) }, extentOf(state), state.window, chosenExtent(state));
        describe(stage, state);
    });

    const timeAt = (/** @type {PointerEvent} */ event) => minimapTime(extentOf(store.state), pointIn(root, event).x, root.clientWidth);
    const centre = (/** @type {bigint} */ timeNs) => {
        const { window } = store.state;
        return makeWindow(timeNs - BigInt(Math.floor(window.lengthNs / 2)), window.lengthNs);
    };
    stage.addEventListener('pointerdown', (event) => {
        if (event.button === 0) {
            stage.setPointerCapture(event.pointerId);
            drag = { x: event.clientX, moved: false, from: event.shiftKey ? timeAt(event) : null };
        }
    });
    stage.addEventListener('pointermove', (event) => {
        if (!drag) {
            tip(event);
            return;
        }
        drag.moved ||= Math.abs(event.clientX - drag.x) >= DRAG_PX;
        if (drag.moved) {
            tooltip.hide();
            const at = timeAt(event);
            jumpTo(context, drag.from === null ? centre(at) : windowAround(drag.from < at ? drag.from : at, drag.from < at ? at : drag.from, 0));
        }
    });
    stage.addEventListener('pointerup', (event) => {
        const done = drag;
        drag = null;
        if (done && !done.moved && store.state.phase === 'ready') {
            glideTo(context, centre(timeAt(event)));
        }
    });
    stage.addEventListener('pointercancel', () => { drag = null; });
    stage.addEventListener('pointerleave', () => tooltip.hide());
    stage.addEventListener('wheel', (event) => {
        event.preventDefault();
        zoomBy(context, Math.exp(event.deltaY * 0.0022), store.state.timelineWidthPx / 2);
    }, { passive: false });
    stage.addEventListener('keydown', (event) => minimapKey(context, event));

    const tip = (/** @type {PointerEvent} */ event) => {
        const { state } = store;
        const at = timeAt(event);
        const map = state.minimap;
        const i = map ? cellAt(map, bandsOf(groupsOf(state), root.clientHeight), at, pointIn(root, event).y) : -1;
        const from = exactNs(at - extentOf(state).startNs);
        if (!map || i < 0) {
            tooltip.show(event.clientX, event.clientY, figures(from, ' from the start'), remark('nothing runs here'));
            return;
        }
        const { cells, binNs } = map;
        const name = context.client.name(traceOf(context), cells.category[i]) || context.client.name(traceOf(context), cells.name[i]) || '(no name)';
        tooltip.show(event.clientX, event.clientY, title(name), figures(from, ' from the start'),
            figures(`${counted(cells.starts[i], 'span')} begin in ${duration(binNs)}, ${percent(Math.min(1, cells.cover[i] / (binNs * cells.lanes[i])))} covered`),
            remark(`longest: ${context.client.name(traceOf(context), cells.name[i]) || '(no name)'}, ${duration(cells.longest[i])}`));
    };
    store.listen((state, before) => {
        if (state.minimap !== before.minimap || state.window !== before.window || state.phase !== before.phase || state.theme !== before.theme
            || state.tracks !== before.tracks || state.frames !== before.frames || state.place !== before.place || state.info !== before.info) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(root);
    return { redraw: draw };
}

/** @param {HTMLElement} stage @param {AppState} state */
function describe(stage, state) {
    const { startNs, endNs } = extentOf(state);
    const middle = Number(state.window.startNs - startNs) + state.window.lengthNs / 2;
    const now = Math.round((100 * middle) / Math.max(1, Number(endNs - startNs)));
    stage.setAttribute('aria-valuenow', String(Math.max(0, Math.min(100, now))));
    stage.setAttribute('aria-valuetext', `${duration(state.window.lengthNs)} from ${exactNs(state.window.startNs - startNs)} on`);
}

/** @param {Context} context @param {KeyboardEvent} event */
function minimapKey(context, event) {
    const { window, timelineWidthPx: width, phase } = context.store.state;
    if (phase !== 'ready' || event.ctrlKey || event.metaKey || event.altKey) {
        return;
    }
    const extent = extentOf(context.store.state);
    switch (event.key) {
        case 'ArrowLeft': panBy(context, -width / 4); break;
        case 'ArrowRight': panBy(context, width / 4); break;
        case '+': case '=': zoomBy(context, 0.7, width / 2); break;
        case '-': zoomBy(context, 1 / 0.7, width / 2); break;
        case 'Home': jumpTo(context, makeWindow(extent.startNs, window.lengthNs)); break;
        case 'End': jumpTo(context, makeWindow(extent.endNs - BigInt(Math.ceil(window.lengthNs)), window.lengthNs)); break;
        default: return;
    }
    event.preventDefault();
    event.stopPropagation();
    announce(`${duration(context.store.state.window.lengthNs)} from ${exactNs(context.store.state.window.startNs - extent.startNs)} on`);
}
