// SPDX-License-Identifier: MIT
// @ts-check
/* Over the table of live resources: the figures of the two points, and the growth over the capture. */

import { fill, h } from './dom.js';
import { chart } from './chart.js';
import { figures, title } from './tooltip.js';
import { drawGrowth } from '../draw/growth_picture.js';
import { byteSize, counted, duration, grouped, UNKNOWN } from '../model/format.js';
import { frameOfPoint, pointAt, sumText } from '../model/objects.js';
import { goToFrame } from '../state/navigate.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/objects.js').ObjectSum} ObjectSum */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @param {() => Palette} palette @param {Tooltip} tooltip */
export function objectsHead(context, palette, tooltip) {
    const { store } = context;
    const facts = h('div', { class: 'facts', role: 'group', aria: { label: 'Live resources of the chosen frames' } });
    const growth = () => store.state.objects?.growth ?? null;
    const curve = chart(tooltip, {
        label: 'Live resources over the capture. Left and right go along, Enter shows what lived in that frame',
        count: () => growth()?.timeNs.length ?? 0,
        current: () => marks(store.state).to,
        draw: (canvas, width, height, hover) => {
            const shown = growth();
            if (shown) {
                drawGrowth({ context: canvas, palette: palette(), width, height }, shown, { hover, ...marks(store.state) });
            }
        },
        tell: (point) => tellPoint(store.state, point),
        say: (point) => pointLines(store.state, point).join(', '),
        choose: (point) => {
            const frame = frameOfPoint(store.state.frames, growth()?.timeNs[point] ?? 0n);
            if (frame >= 0) {
                goToFrame(context, frame);
            }
        },
    });
    const root = h('div', { class: 'head-objects' }, facts, h('section', { class: 'pane', aria: { label: 'Over the capture' } },
        h('h2', {}, 'Over the capture ', h('span', { class: 'key bytes' }, h('i'), 'bytes, as told'), h('span', { class: 'key count' }, h('i'), 'how many')), curve.root));
    return {
        root,
        draw() {
            fill(facts, ...factsOf(store.state));
            curve.draw();
        },
    };
}

/** The chosen points in the curve. @param {AppState} state */
function marks(state) {
    const { objects, place } = state;
    if (!place.range || !objects?.growth) {
        return { from: -1, to: -1 };
    }
    return { from: pointAt(objects.growth, objects.points.fromNs + 1n), to: pointAt(objects.growth, objects.points.toNs) };
}

/** @param {AppState} state @param {number} point */
function pointLines(state, point) {
    const { objects, frames, info } = state;
    const growth = objects?.growth;
    if (!growth || !info || point >= growth.timeNs.length) {
        return [];
    }
    const frame = frameOfPoint(frames, growth.timeNs[point]);
    return [frame >= 0 && frames ? `frame ${frames.id[frame]}` : `at ${duration(growth.timeNs[point] - info.startNs)}`,
        counted(growth.count[point], 'live resource'), Number.isNaN(growth.bytes[point]) ? UNKNOWN : byteSize(growth.bytes[point])];
}

/** @param {AppState} state @param {number} point @returns {Child[]} */
function tellPoint(state, point) {
    const [head, ...lines] = pointLines(state, point);
    return head ? [title(head), ...lines.map((text) => figures(text))] : [];
}

/** @param {string} label @param {ObjectSum} sum @param {...Child} more */
function fact(label, sum, ...more) {
    return h('div', { class: 'fact' }, h('span', { class: 'label' }, label), h('b', {}, grouped(sum.count)),
        h('span', { class: 'more' }, sumText(sum),
            sum.unknown > 0 && sum.bytes !== null ? h('b', { class: 'missing' }, ` and ${grouped(sum.unknown)} of unknown size`) : null, ...more));
}

/** @param {AppState} state @returns {Child[]} */
function factsOf(state) {
    const { objects, frames, info } = state;
    if (!objects) {
        return [];
    }
    const { sums, peak } = objects;
    const frame = peak ? frameOfPoint(frames, peak.timeNs + 1n) : -1;
    return [
        fact('live at the end', sums.live),
        fact('created', sums.created),
        fact('destroyed', sums.destroyed),
        fact('created and still live', sums.kept),
        peak ? h('div', { class: 'fact' }, h('span', { class: 'label' }, 'peak until then'), h('b', {}, byteSize(peak.bytes)),
            h('span', { class: 'more' }, frame >= 0 && frames ? `in frame ${frames.id[frame]}` : info ? `at ${duration(peak.timeNs - info.startNs)}` : '')) : null,
    ];
}
