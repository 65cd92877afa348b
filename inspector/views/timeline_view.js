// SPDX-License-Identifier: MIT
// @ts-check
/* The timeline: puts ground, boxes, text and names together, whenever something changed and only then. */

import { byId, fill, h, onFrame, pixelRatio, pointIn } from './dom.js';
import { timelineHeads } from './timeline_heads.js';
import { timelineLegend } from './timeline_legend.js';
import { prepare } from '../draw/canvas.js';
import { Instances, PATTERN } from '../draw/instances.js';
import { makePlainPainter } from '../draw/rects_2d.js';
import { makeGlPainter } from '../draw/rects_gl.js';
import { spanColours } from '../draw/span_colours.js';
import { buildCounters, buildGround, buildSpans } from '../draw/timeline_scene.js';
import * as overlay from '../draw/timeline_overlay.js';
import { DEFAULT_BUDGET_US } from '../model/address.js';
import { packColour } from '../model/colour.js';
import { widthCache } from '../model/fit.js';
import { frameAtTime, rangeExtent } from '../model/frames.js';
import { MODE } from '../model/lanes.js';
import { clampScroll, layoutTracks } from '../model/layout.js';
import { ticks } from '../model/ruler.js';
import { pxToTime, timeToPx, windowEnd } from '../model/window.js';
import { traceOf } from '../state/app_state.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/layout.js').Layout} Layout */
/** @typedef {import('../model/lanes.js').Hit} Hit */
/** @typedef {import('../model/ruler.js').Tick} Tick */
/** @typedef {import('../draw/rects_gl.js').RectPainter} RectPainter */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {{ from: bigint, to: bigint }} Measure times between which the hand measured */

const { RULER_PX } = overlay;
const SLOT = { GROUND: 0, GRID: 1, COUNTERS: 2, SPANS: 3, BRIGHT: 4 };

/**
 * @typedef {object} TimelineShown
 * @property {() => Layout} layout
 * @property {() => number} gutter
 * @property {HTMLElement} root
 * @property {() => void} redraw
 * @property {(hit: Hit | null, boundNs?: number) => void} setHover with the error of the ends of what is drawn there
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

    let painter = makeGlPainter(rects) ?? makePlainPainter(rects);
    const batches = {
        ground: new Instances(256),
        grid: new Instances(512),
        counters: new Instances(512),
        spans: new Instances(8192),
        bright: new Instances(1024),
    };
    const measureContext = h('canvas').getContext('2d');
    const nameText = (/** @type {number} */ name) => context.client.name(traceOf(context), name);
    /** @type {unknown[]} what the batches were made of */
    let built = [];
    /** @type {{ tracks: unknown, folded: unknown, layout: Layout } | null} */
    let laid = null;
    let measure = widthCache(() => 0);
    let measuredFont = '';
    /** @type {Hit | null} */
    let hover = null;
    let hoverBoundNs = 0;
    /** @type {Measure | null} */
    let measured = null;

    const layout = () => {
        const { tracks, place } = store.state;
        if (!laid || laid.tracks !== tracks || laid.folded !== place.folded) {
            laid = { tracks, folded: place.folded, layout: layoutTracks(tracks, new Set(place.folded)) };
        }
        return laid.layout;
    };
    /** Asked for once a picture: what was drawn before it may have moved things. */
    let gutterPx = corner.offsetWidth;
    const gutter = () => gutterPx;

    const build = (/** @type {Palette} */ colours, /** @type {number} */ width) => {
        const { view, bright, counters, laneDepth, highlight, place } = store.state;
        const now = [colours, layout(), view, bright, counters, width, place.colour, place.budgetUs];
        if (now.every((part, i) => part === built[i])) {
            return;
        }
        built = now;
        const shown = layout();
        buildGround(batches.ground, shown, colours, gutter(), width);
        painter.upload(SLOT.GROUND, batches.ground);
        batches.spans.clear();
        batches.bright.clear();
        batches.counters.clear();
        const spans = spanColours(colours, place.colour, (place.budgetUs || DEFAULT_BUDGET_US) * 1000, nameText);
        if (view) {
            buildSpans(batches.spans, view, shown, { colours: spans, laneDepth, dim: highlight !== null });
            buildCounters(batches.counters, counters, shown, colours, view.widthPx, Number(view.endNs - view.startNs));
        }
        if (bright && highlight) {
            buildSpans(batches.bright, bright, shown, { colours: spans, laneDepth, dim: false });
        }
        painter.upload(SLOT.SPANS, batches.spans);
        painter.upload(SLOT.BRIGHT, batches.bright);
        painter.upload(SLOT.COUNTERS, batches.counters);
        legend.update(spans.legend());
    };

    /** @param {Palette} colours @param {number} width @param {number} height @param {Tick[]} marks */
    const drawRects = (colours, width, height, marks) => {
        const { state } = store;
        const left = gutter();
        const body = { x: left, y: RULER_PX, width: width - left, height: height - RULER_PX };
        painter.begin(width, height, pixelRatio(), colours.rgb.ground);
        const below = { scaleX: 1, shiftX: 0, shiftY: RULER_PX - state.scrollPx };
        painter.draw(SLOT.GROUND, below, { x: 0, y: RULER_PX, width, height: body.height });
        buildGrid(batches.grid, state, colours, marks, width - left, height);
        painter.upload(SLOT.GRID, batches.grid);
        painter.draw(SLOT.GRID, { scaleX: 1, shiftX: left, shiftY: 0 }, body);
        for (const slot of [SLOT.COUNTERS, SLOT.SPANS, SLOT.BRIGHT]) {
            const source = slot === SLOT.BRIGHT ? state.bright : state.view;
            if (source) {
                const nsPerReplyPx = Number(source.endNs - source.startNs) / source.widthPx;
                painter.draw(slot, {
                    scaleX: (nsPerReplyPx * (width - left)) / state.window.lengthNs,
                    shiftX: left + timeToPx(state.window, source.startNs, width - left),
                    shiftY: RULER_PX - state.scrollPx,
                }, body);
            }
        }
    };

    /** @param {Palette} colours @param {number} width @param {number} height @param {Tick[]} marks */
    const drawText = (colours, width, height, marks) => {
        const { state } = store;
        const drawing = prepare(text, width, height, pixelRatio());
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
        const { frames, info, view, bright, highlight, selection } = state;
        if (info) {
            overlay.clipBody(frame);
            overlay.drawOutside(frame, info.startNs, info.endNs);
            drawing.restore();
        }
        if (frames && frames.count > 0) {
            const first = Math.max(0, frameAtTime(frames, state.window.startNs));
            const last = frameAtTime(frames, windowEnd(state.window));
            overlay.drawFrameBands(frame, frames, first, last, state.place.range);
        }
        overlay.clipBody(frame);
        if (view) {
            overlay.drawUnanswered(frame, view);
            overlay.drawLabels(frame, view, highlight ? colours.css['ink-3'] : colours.css['on-hue']);
        }
        if (bright && highlight) {
            overlay.drawLabels(frame, bright, colours.css['on-hue']);
        }
        if (view && selection) {
            drawSelection(frame, view, selection);
        }
        const hovered = view && hover?.exact ? overlay.boxOfRow(frame, view, hover.row) : null;
        if (hovered) {
            overlay.drawErrorBands(frame, hovered, hoverBoundNs);
            overlay.outline(frame, hovered, colours.css.ink, 1);
        }
        drawMeasure(frame, measured);
        drawing.restore();
        overlay.drawNotes(frame, state.marks);
    };

    const draw = onFrame(() => {
        const { state } = store;
        const { clientWidth: width, clientHeight: height } = root;
        updateVeil(veil, state);
        gutterPx = corner.offsetWidth;
        const left = gutterPx;
        const room = Math.max(0, height - RULER_PX);
        const scrollPx = clampScroll(state.scrollPx, layout().height, room);
        if (state.timelineWidthPx !== width - left || state.timelineHeightPx !== room || state.scrollPx !== scrollPx) {
            store.update({ timelineWidthPx: width - left, timelineHeightPx: room, scrollPx });
        }
        if (state.phase !== 'ready' || width <= left) {
            return;
        }
        const colours = palette();
        for (const canvas of [rects, text]) {
            canvas.style.width = `${width}px`;
            canvas.style.height = `${height}px`;
        }
        const origin = rulerOrigin(store.state);
        if (corner.textContent !== origin.text) {
            corner.textContent = origin.text;
        }
        const marks = ticks(store.state.window, width - left, origin.ns);
        build(colours, width);
        drawRects(colours, width, height, marks);
        drawText(colours, width, height, marks);
        heads.update(layout(), scrollPx, room);
        const fits = layout().height <= room;
        scrollbar.hidden = fits;
        if (!fits) {
            bar.style.top = `${(scrollPx / layout().height) * room}px`;
            bar.style.height = `${(room / layout().height) * room}px`;
        }
        root.dataset.drawn = String(batches.spans.count);
        root.dataset.unanswered = String(store.state.view?.lanes.filter((lane) => lane.mode === MODE.UNANSWERED).length ?? 0);
    });

    rects.addEventListener('webglcontextlost', (event) => event.preventDefault());
    rects.addEventListener('webglcontextrestored', () => {
        painter = makeGlPainter(rects) ?? painter;
        built = [];
        draw();
    });
    store.listen((state, before) => {
        if (state !== before) {
            draw();
        }
    });
    new ResizeObserver(draw).observe(root);
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
        setMeasure(measure) {
            measured = measure;
            draw();
        },
    };
}

/**
 * Vertical lines under everything: ticks and the starts of frames.
 * @param {Instances} out
 * @param {AppState} state
 * @param {Palette} palette
 * @param {import('../model/ruler.js').Tick[]} marks
 * @param {number} width
 * @param {number} height
 */
function buildGrid(out, state, palette, marks, width, height) {
    out.clear();
    const strong = packColour(palette.rgb.line);
    const soft = packColour(palette.rgb['line-soft']);
    for (const tick of marks) {
        out.push(tick.px, tick.px + 1, RULER_PX, height, tick.label ? strong : soft, PATTERN.PLAIN);
    }
    const { frames, window } = state;
    if (!frames || frames.count === 0) {
        return;
    }
    const first = Math.max(0, frameAtTime(frames, window.startNs));
    const last = frameAtTime(frames, windowEnd(window));
    // Many frames on screen: their edges step back, so that they never hide what is between them.
    const spacing = width / Math.max(1, last - first);
    if (spacing < 6) {
        return;
    }
    const edge = packColour(palette.rgb['ink-3'], Math.min(0.75, spacing / 160));
    for (let i = first; i <= last; i++) {
        const x = timeToPx(window, frames.startNs[i], width);
        out.push(x, x + 1, RULER_PX, height, edge, PATTERN.PLAIN);
    }
}

/**
 * @param {overlay.OverlayFrame} frame
 * @param {import('../model/lanes.js').TimelineView} view
 * @param {import('../state/app_state.js').Selection} selection
 */
function drawSelection(frame, view, selection) {
    for (const wait of selection.info.waits) {
        if (wait.row !== null) {
            overlay.drawWait(frame, view, wait.row, selection.info.row);
        }
    }
    const box = overlay.boxOfRow(frame, view, selection.info.row);
    if (box) {
        overlay.drawErrorBands(frame, box, selection.info.boundNs);
        overlay.outline(frame, box, frame.palette.css.select, 2);
    }
}

/** @param {overlay.OverlayFrame} frame @param {Measure | null} measure */
function drawMeasure(frame, measure) {
    if (!measure) {
        return;
    }
    const { context, palette, window, gutter, width, height } = frame;
    const x0 = gutter + timeToPx(window, measure.from, width - gutter);
    const x1 = gutter + timeToPx(window, measure.to, width - gutter);
    context.fillStyle = palette.css.accent;
    context.globalAlpha = 0.14;
    context.fillRect(Math.min(x0, x1), RULER_PX, Math.abs(x1 - x0), height);
    context.globalAlpha = 1;
    context.fillRect(Math.round(x0), RULER_PX, 1, height);
    context.fillRect(Math.round(x1), RULER_PX, 1, height);
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
