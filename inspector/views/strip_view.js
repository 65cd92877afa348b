// SPDX-License-Identifier: MIT
// @ts-check
/* The frame strip: drawn from the directory before anything else; a click is a frame, a drag a range. */

import { announce, byId, fill, h, onFrame, pixelRatio, pointIn } from './dom.js';
import { figures, remark, title } from './tooltip.js';
import { prepare } from '../draw/canvas.js';
import { drawStrip, STRIP_LEFT, STRIP_RIGHT } from '../draw/strip_picture.js';
import { goToFrame, selectFrames, showFrames } from '../state/navigate.js';
import { FRAME, frameAtPx, frameAtTime, frameNs, mayHaveGpu, NO_TOPOLOGY, rangeBetween } from '../model/frames.js';
import { counted, duration, exactNs } from '../model/format.js';
import { verdictReason, verdictText } from '../model/verdict.js';
import { windowEnd } from '../model/window.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/address.js').Side} Side */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {() => import('../draw/palette.js').Palette} PaletteSource */

/** @param {Context} context @param {PaletteSource} palette @param {Tooltip} tooltip */
export function stripView(context, palette, tooltip) {
    const { store } = context;
    const root = byId('strip');
    const canvas = h('canvas', { aria: { hidden: true } });
    const stage = h('div', {
        class: 'stage',
        tabindex: 0,
        role: 'slider',
        aria: { label: 'Frame. Left and right choose one, with Shift a range', valuemin: 0, valuenow: 0, valuetext: 'all frames' },
    });
    const empty = h('div', { class: 'empty', hidden: true });
    fill(root, canvas, stage, empty);
    let hover = -1;
    /** A range that is being drawn; it counts when the button is let go. @type {{ from: number, to: number, moved: boolean } | null} */
    let brush = null;

    const draw = onFrame(() => {
        const { frames, place, marks } = store.state;
        const { clientWidth: width, clientHeight: height } = root;
        if (!frames) {
            return;
        }
        const drawing = { context: prepare(canvas, width, height, pixelRatio()), palette: palette(), width, height };
        canvas.style.width = `${width}px`;
        canvas.style.height = `${height}px`;
        empty.hidden = frames.count > 0;
        stage.hidden = frames.count === 0;
        if (frames.count === 0) {
            fill(empty, h('b', {}, 'No frames'), 'The capture has no finished frame yet, or its format knows none. The timeline below shows what there is.');
            return;
        }
        const notes = marks.filter((mark) => mark.frame >= 0).map((mark) => ({ frame: mark.frame, isOpen: mark.page !== undefined }));
        const range = brush?.moved ? rangeBetween(brush.from, brush.to) : place.range;
        drawStrip({ ...drawing, frames, range, hover, budgetNs: place.budgetUs * 1000, shown: shownFrames(store.state), notes, sides: comparedSides(store.state) });
        root.dataset.drawn = store.state.phase === 'ready' ? 'trace' : 'directory';
    });

    const frameAt = (/** @type {PointerEvent | MouseEvent} */ event) => {
        return frameAtPx(pointIn(root, event).x - STRIP_LEFT, root.clientWidth - STRIP_LEFT - STRIP_RIGHT, store.state.frames?.count ?? 0);
    };
    stage.addEventListener('pointerdown', (event) => {
        if (event.button === 0) {
            stage.setPointerCapture(event.pointerId);
            brush = { from: frameAt(event), to: frameAt(event), moved: false };
        }
    });
    stage.addEventListener('pointermove', (event) => {
        const index = frameAt(event);
        if (brush && (brush.moved || index !== brush.from)) {
            brush.moved = true;
            brush.to = index;
            draw();
        }
        if (index !== hover) {
            hover = index;
            draw();
        }
        const { frames } = store.state;
        if (frames && index >= 0) {
            tooltip.show(event.clientX, event.clientY, ...frameLines(frames, index));
        }
    });
    stage.addEventListener('pointerup', (event) => {
        const done = brush;
        brush = null;
        if (!done || store.state.phase !== 'ready') {
            return;
        }
        if (done.moved) {
            const range = rangeBetween(done.from, frameAt(event));
            selectFrames(context, range);
            showFrames(context, range);
        } else if (event.shiftKey && store.state.place.range) {
            selectFrames(context, rangeBetween(store.state.place.range.first, done.from));
        } else {
            goToFrame(context, done.from);
        }
    });
    stage.addEventListener('pointerleave', () => {
        hover = -1;
        tooltip.hide();
        draw();
    });
    stage.addEventListener('dblclick', () => selectFrames(context, null));
    stage.addEventListener('keydown', (event) => stripKey(context, event));
    store.listen((state, before) => {
        if (state.frames !== before.frames || state.place !== before.place || state.window !== before.window
            || state.marks !== before.marks || state.theme !== before.theme) {
            draw();
        }
        if (state.place.range !== before.place.range || state.frames !== before.frames) {
            describe(stage, state);
        }
    });
    new ResizeObserver(draw).observe(root);
    return { redraw: draw };
}

/** @param {HTMLElement} stage @param {AppState} state */
function describe(stage, state) {
    const { frames, place } = state;
    if (!frames || frames.count === 0) {
        return;
    }
    stage.setAttribute('aria-valuemax', String(frames.count - 1));
    const now = place.range?.last ?? 0;
    stage.setAttribute('aria-valuenow', String(now));
    stage.setAttribute('aria-valuetext', place.range ? frameSentence(frames, place.range.first, place.range.last) : 'all frames');
}

/** @param {FrameTable} frames @param {number} first @param {number} last */
function frameSentence(frames, first, last) {
    if (first !== last) {
        return `frames ${frames.id[first]} to ${frames.id[last]}`;
    }
    const gpu = frames.gpuNs[first] >= 0 ? duration(frames.gpuNs[first]) : 'unknown';
    return `frame ${frames.id[first]}, GPU ${gpu}${frames.flags[first] & 3 ? ', a hitch' : ''}`;
}

/** The frames that are compared, as far as they are of this file. @param {AppState} state */
function comparedSides(state) {
    const { compare, view, file } = state.place;
    if (!compare || view !== 'compare') {
        return [];
    }
    /** @type {{ range: Side, label: string, hue: 'accent' | 'select' }[]} */
    const sides = [{ range: compare.base, label: 'base', hue: 'accent' }, { range: compare.next, label: 'new', hue: 'select' }];
    return sides.filter(({ range }) => range.file === file && !range.time && range.last < (state.frames?.count ?? 0));
}

/** What the timeline shows, in frames. @param {AppState} state */
function shownFrames(state) {
    const { frames, window, phase } = state;
    if (!frames || frames.count === 0 || phase !== 'ready') {
        return null;
    }
    const place = (/** @type {bigint} */ time) => {
        const index = frameAtTime(frames, time);
        if (index < 0) {
            return 0;
        }
        const start = frames.startNs[index];
        const length = index + 1 < frames.count ? Number(frames.startNs[index + 1] - start) : Math.max(1, frameNs(frames, index));
        return index + Math.min(1, Number(time - start) / Math.max(1, length));
    };
    return { from: place(window.startNs), to: place(windowEnd(window)) };
}

/** @param {FrameTable} frames @param {number} index */
export function frameLines(frames, index) {
    const time = (/** @type {number} */ ns, /** @type {string} */ missing) => (ns >= 0 ? exactNs(ns) : missing);
    const flags = frames.flags[index];
    const verdict = verdictText(frames, index);
    const topology = frames.detail?.topology[index] ?? NO_TOPOLOGY;
    return [
        title(`frame ${frames.id[index]}`),
        mayHaveGpu(frames, index) ? figures(`GPU ${time(frames.gpuNs[index], 'times never came')}`) : null,
        figures(`CPU ${time(frames.cpuNs[index], 'unknown')}`),
        figures(counted(frames.spans[index], 'span'), frames.dropped[index] > 0 ? `, ${frames.dropped[index]} refused` : '',
            topology !== NO_TOPOLOGY ? `, topology ${topology}` : ''),
        verdict ? remark(verdict) : null,
        verdictReason(frames, index) ? figures(verdictReason(frames, index)) : null,
        flags & FRAME.GPU_HITCH ? remark('GPU hitch: over 1.5 times the median around it') : null,
        flags & FRAME.CPU_HITCH ? remark('CPU hitch: over 1.5 times the median around it') : null,
        frames.detail?.fresh[index] ? remark('the first frame of this structure') : null,
        flags & FRAME.DEVICE_LOST ? remark('the device was lost in this frame') : null,
        flags & FRAME.NOTE ? remark('has a note') : null,
    ];
}

/** @param {Context} context @param {KeyboardEvent} event */
function stripKey(context, event) {
    const { frames, place, phase } = context.store.state;
    const step = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10 }[event.key];
    if (step === undefined || !frames || phase !== 'ready') {
        return;
    }
    event.preventDefault();
    event.stopPropagation();
    const last = place.range?.last ?? -1;
    const next = Math.min(frames.count - 1, Math.max(0, last + step));
    if (event.shiftKey && place.range) {
        selectFrames(context, rangeBetween(place.range.first, next));
        showFrames(context, rangeBetween(place.range.first, next));
    } else {
        goToFrame(context, next);
        announce(frameSentence(frames, next, next));
    }
}
