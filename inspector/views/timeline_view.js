// SPDX-License-Identifier: MIT
// @ts-check
/* The timeline: puts ground, boxes, text and names together, whenever something changed and only then. */

import { byId, fill, h, onFrame, pixelRatio, pointIn } from './dom.js';
import { timelineBoxes } from './timeline_boxes.js';
import { timelineHeads } from './timeline_heads.js';
import { timelineLegend } from './timeline_legend.js';
import { prepare } from '../draw/canvas.js';
import { drawLinks } from '../draw/links_picture.js';
import { drawLoad, LOAD_PX } from '../draw/load_picture.js';
import { drawInstants, drawLosses } from '../draw/timeline_flags.js';
import * as overlay from '../draw/timeline_overlay.js';
import { isTinted, TINTED_FROM } from '../model/anomalies.js';
import { widthCache } from '../model/fit.js';
import { frameAtTime, rangeExtent } from '../model/frames.js';
import { MODE } from '../model/lanes.js';
import { clampScroll, layoutOf } from '../model/layout.js';
import { ticks } from '../model/ruler.js';
import { pxToTime, windowEnd } from '../model/window.js';
import { traceOf } from '../state/app_state.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/layout.js').Layout} Layout */
/** @typedef {import('../model/lanes.js').Hit} Hit */
/** @typedef {import('../model/ruler.js').Tick} Tick */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {{ from: bigint, to: bigint }} Measure times between which the hand measured */

const { RULER_PX } = overlay;
/** Told with every step of long work, and nowhere in this picture. @type {ReadonlySet<keyof AppState>} */
const NOT_DRAWN = new Set(/** @type {(keyof AppState)[]} */ (['working', 'pace', 'stats', 'histogram', 'search', 'searchStep']));

/**
 * @typedef {object} TimelineShown
 * @property {() => Layout} layout
 * @property {() => number} gutter
 * @property {HTMLElement} root
 * @property {() => void} redraw
 * @property {(hit: Hit | null, boundNs?: number) => void} setHover with the error of the ends of what is drawn there
 * @property {(link: number) => void} setHoverLink number of a dependency under the pointer; -1 for none
 * @property {(measure: Measure | null) => void} setMeasure
 */

/**
 * Where the ruler counts from: the selected frames while they are on screen, else the start.
 * @param {AppState} state
 */
export function rulerOrigin(state) {
    const { frames, place, window, info } = state;
    if (frames && place.range) {
        const extent = rangeExtent(frames, place.range);
        if (extent.startNs < windowEnd(window) && extent.endNs > window.startNs) {
            const one = place.range.first === place.range.last;
            return { ns: extent.startNs, text: `from frame ${frames.id[place.range.first]}${one ? '' : ' on'}` };
        }
    }
    return { ns: info?.startNs ?? 0n, text: 'from the start' };
}

/** @param {Context} context @param {() => Palette} palette @returns {TimelineShown} */
export function timelineView(context, palette) {
    const { store } = context;
    const root = byId('timeline');
    const rects = h('canvas', { aria: { hidden: true } });
    const text = h('canvas', { aria: { hidden: true } });
    const corner = h('div', { class: 'corner' });
    const bar = h('div', {});
    const scrollbar = h('div', { class: 'scrollbar', hidden: true }, bar);
    const veil = h('div', { class: 'veil' });
    fill(root, rects, text, corner);
    const heads = timelineHeads(context);
    const legend = timelineLegend();
    root.append(scrollbar, legend.root, veil);

    const measureContext = h('canvas').getContext('2d');
    const nameText = (/** @type {number} */ name) => context.client.name(traceOf(context), name);
    const boxes = timelineBoxes(context, rects, nameText, (entries) => legend.update(entries));
    let measure = widthCache(() => 0);
    let measuredFont = '';
    /** @type {Hit | null} */
    let hover = null;
    let hoverBoundNs = 0;
    let hoverLink = -1;
    /** @type {Measure | null} */
    let measured = null;

    const layout = () => layoutOf(store.state.tracks, store.state.place.folded);
    /** Asked for once a picture: what was drawn before it may have moved things. */
    let gutterPx = corner.offsetWidth;
    const gutter = () => gutterPx;

    /** @param {Palette} colours @param {number} width @param {number} height @param {number} loadPx @param {Tick[]} marks */
    const drawText = (colours, width, height, loadPx, marks) => {
        const { state } = store;
        const drawing = prepare(text, width, height + loadPx, pixelRatio());
        const font = `11px ${colours.sans}`;
        if (measureContext && font !== measuredFont) {
            measureContext.font = font;
            measure = widthCache((word) => measureContext.measureText(word).width);
            measuredFont = font;
        }
        const frame = {
            context: drawing,
            palette: colours,
            window: state.window,
            layout: layout(),
            gutter: gutter(),
            width,
            height,
            scroll: state.scrollPx,
            measure,
            nameText,
        };
        overlay.drawRuler(frame, marks);
        drawOver(frame, store.state, { hover, hoverBoundNs, hoverLink, measured: measured ?? keptMeasure(store.state) });
    };

    const draw = onFrame(() => {
        const { state } = store;
        // What stands below the tracks covers none of them.
        const loadPx = state.place.explore.curve ? LOAD_PX : 0;
        const footPx = loadPx + legend.root.offsetHeight;
        const width = root.clientWidth;
        const height = root.clientHeight - footPx;
        root.style.setProperty('--foot', `${footPx}px`);
        updateVeil(veil, state);
        gutterPx = corner.offsetWidth;
        const left = gutterPx;
        const room = Math.max(0, height - RULER_PX);
        const heightPx = layout().height;
        const scrollPx = clampScroll(state.scrollPx, heightPx, room);
        if (state.timelineWidthPx !== width - left || state.timelineHeightPx !== room || state.scrollPx !== scrollPx) {
            store.update({ timelineWidthPx: width - left, timelineHeightPx: room, scrollPx });
        }
        if (state.phase !== 'ready' || width <= left) {
            return;
        }
        const colours = palette();
        for (const [canvas, below] of /** @type {const} */ ([[rects, 0], [text, loadPx]])) {
            canvas.style.width = `${width}px`;
            canvas.style.height = `${height + below}px`;
        }
        const origin = rulerOrigin(store.state);
        if (corner.textContent !== origin.text) {
            corner.textContent = origin.text;
        }
        const marks = ticks(store.state.window, width - left, origin.ns);
        boxes.draw({ layout: layout(), palette: colours, gutter: left, width, height }, marks);
        drawText(colours, width, height, loadPx, marks);
        heads.update(layout(), scrollPx, room);
        drawScrollbar(scrollbar, bar, heightPx, scrollPx, room);
        root.dataset.drawn = String(boxes.count());
        root.dataset.links = String(store.state.links?.lines.link.length ?? 0);
        root.dataset.unanswered = String(store.state.view?.lanes.filter((lane) => lane.mode === MODE.UNANSWERED).length ?? 0);
    });

    rects.addEventListener('webglcontextlost', (event) => event.preventDefault());
    rects.addEventListener('webglcontextrestored', () => {
        boxes.restore();
        draw();
    });
    store.listen((state, before) => {
        if (/** @type {(keyof AppState)[]} */ (Object.keys(state)).some((part) => state[part] !== before[part] && !NOT_DRAWN.has(part))) {
            draw();
        }
    });
    const sizes = new ResizeObserver(draw);
    sizes.observe(root);
    sizes.observe(legend.root);
    return {
        layout,
        gutter,
        root,
        redraw: draw,
        setHover(hit, boundNs = 0) {
            if (hit?.row !== hover?.row || hit?.exact !== hover?.exact) {
                hover = hit;
                hoverBoundNs = boundNs;
                draw();
            }
        },
        setHoverLink(link) {
            if (link !== hoverLink) {
                hoverLink = link;
                draw();
            }
        },
        setMeasure(measure) {
            measured = measure;
            draw();
        },
    };
}

/** @param {HTMLElement} scrollbar @param {HTMLElement} bar @param {number} height of all tracks @param {number} scrollPx @param {number} room */
function drawScrollbar(scrollbar, bar, height, scrollPx, room) {
    scrollbar.hidden = height <= room;
    if (height > room) {
        bar.style.top = `${(scrollPx / height) * room}px`;
        bar.style.height = `${(room / height) * room}px`;
    }
}

/**
 * Everything that lies over the boxes.
 * @param {overlay.OverlayFrame} frame @param {AppState} state
 * @param {{ hover: Hit | null, hoverBoundNs: number, hoverLink: number, measured: Measure | null }} hand
 */
function drawOver(frame, state, hand) {
    const { context, palette } = frame;
    const { frames, info, view, bright, highlight, selection, instants, losses } = state;
    const tinted = isTinted(state);
    if (info) {
        overlay.clipBody(frame);
        overlay.drawOutside(frame, info.startNs, info.endNs);
        context.restore();
    }
    if (frames && frames.count > 0) {
        const first = Math.max(0, frameAtTime(frames, state.window.startNs));
        const last = frameAtTime(frames, windowEnd(state.window));
        overlay.drawFrameBands(frame, frames, first, last, state.place.range);
    }
    overlay.clipBody(frame);
    if (view) {
        overlay.drawUnanswered(frame, view);
        // What steps back is nearly the ground: its name has the ink of the page.
        const quiet = highlight !== null || tinted;
        overlay.drawLabels(frame, view, (tint) => palette.css[quiet && !(tinted && (tint ?? 0) >= TINTED_FROM) ? 'ink-2' : 'on-hue']);
    }
    if (bright && highlight) {
        overlay.drawLabels(frame, bright, () => palette.css['on-hue']);
    }
    overlay.drawChosenCounter(frame, chosenCounter(state));
    if (state.links) {
        drawLinks(frame, state.links, { hover: hand.hoverLink, dim: highlight !== null || tinted });
    }
    if (view && selection) {
        overlay.drawSelection(frame, view, selection.info);
    }
    const hovered = view && hand.hover?.exact ? overlay.boxOfRow(frame, view, hand.hover.row) : null;
    if (hovered) {
        overlay.drawErrorBands(frame, hovered, hand.hoverBoundNs);
        overlay.outline(frame, hovered, palette.css.ink, 1);
    }
    overlay.drawMeasure(frame, hand.measured);
    context.restore();
    if (instants) {
        drawInstants(frame, instants);
    }
    if (losses) {
        drawLosses(frame, losses);
    }
    overlay.drawNotes(frame, state.marks);
    if (state.buckets) {
        drawLoad(frame, state.buckets);
    }
}

/** The range that was measured and is kept for figures. @param {AppState} state @returns {Measure | null} */
function keptMeasure(state) {
    const { measured } = state.place.explore;
    return measured ? { from: measured.startNs, to: measured.endNs } : null;
}

/** Number of the counter of the selected metric; -1 for none. @param {AppState} state */
function chosenCounter(state) {
    const { chosen } = state.place.metrics;
    return chosen === null ? -1 : state.metrics.find((metric) => metric.name === chosen)?.counter ?? -1;
}

/** While there is nothing to draw: why. @param {HTMLElement} veil @param {AppState} state */
function updateVeil(veil, state) {
    const { phase, entry, tracks, opening } = state;
    veil.hidden = opening !== null || (phase === 'ready' && tracks.length > 0);
    if (veil.hidden || veil.dataset.phase === `${phase}${entry?.done}`) {
        return;
    }
    veil.dataset.phase = `${phase}${entry?.done}`;
    if (phase === 'ready') {
        fill(veil, h('div', { class: 'empty' }, h('b', {}, 'No tracks'),
            'The capture holds no spans and no counters: nothing was recorded between its start and its end. The panel on the right shows what it does hold.'));
    } else if (phase === 'failed') {
        fill(veil);
    } else {
        const progress = h('progress', { aria: { label: 'Loading' } });
        if (entry && entry.steps > 0) {
            progress.max = entry.steps;
            progress.value = entry.done;
        }
        fill(veil, h('div', {}, phase === 'connecting' ? 'Asking frameglass view…' : `Reading ${entry?.label ?? 'the capture'}…`, progress));
    }
}

/**
 * The time under a pointer.
 * @param {TimelineShown} shown
 * @param {AppState} state
 * @param {MouseEvent} event
 */
export function timeAt(shown, state, event) {
    return pxToTime(state.window, pointIn(shown.root, event).x - shown.gutter(), state.timelineWidthPx);
}
