// SPDX-License-Identifier: MIT
// @ts-check
/* The rectangles of the timeline: made anew when what they show has changed, else only moved. */

import { pixelRatio } from './dom.js';
import { Instances } from '../draw/instances.js';
import { makePlainPainter } from '../draw/rects_2d.js';
import { makeGlPainter } from '../draw/rects_gl.js';
import { spanColours } from '../draw/span_colours.js';
import { RULER_PX } from '../draw/timeline_overlay.js';
import { buildCounters, buildGrid, buildGround, buildSpans } from '../draw/timeline_scene.js';
import { DEFAULT_BUDGET_US } from '../model/address.js';
import { isTinted } from '../model/anomalies.js';
import { timeToPx } from '../model/window.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/layout.js').Layout} Layout */
/** @typedef {import('../model/ruler.js').Tick} Tick */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {{ layout: Layout, palette: Palette, gutter: number, width: number, height: number }} Sheet */

const SLOT = { GROUND: 0, GRID: 1, COUNTERS: 2, SPANS: 3, BRIGHT: 4 };

/**
 * @param {Context} context @param {HTMLCanvasElement} canvas @param {(name: number) => string} nameText
 * @param {(entries: import('../draw/span_colours.js').LegendEntry[]) => void} showLegend
 */
export function timelineBoxes(context, canvas, nameText, showLegend) {
    const { store } = context;
    let painter = makeGlPainter(canvas) ?? makePlainPainter(canvas);
    const batches = {
        ground: new Instances(256),
        grid: new Instances(512),
        counters: new Instances(512),
        spans: new Instances(8192),
        bright: new Instances(1024),
    };
    /** @type {unknown[]} what the batches were made of */
    let built = [];

    /** @param {Sheet} sheet */
    const build = ({ layout, palette, gutter, width }) => {
        const { view, bright, counters, laneDepth, highlight, place } = store.state;
        const now = [palette, layout, view, bright, counters, width, place.colour, place.budgetUs];
        if (now.every((part, i) => part === built[i])) {
            return;
        }
        built = now;
        buildGround(batches.ground, layout, palette, gutter, width);
        painter.upload(SLOT.GROUND, batches.ground);
        batches.spans.clear();
        batches.bright.clear();
        batches.counters.clear();
        const spans = spanColours(palette, place.colour, (place.budgetUs || DEFAULT_BUDGET_US) * 1000, nameText);
        const options = { colours: spans, laneDepth, palette, tinted: isTinted(store.state) };
        if (view) {
            buildSpans(batches.spans, view, layout, { ...options, quiet: highlight !== null || options.tinted });
            buildCounters(batches.counters, counters, layout, palette, view.widthPx, Number(view.endNs - view.startNs));
        }
        if (bright && highlight) {
            buildSpans(batches.bright, bright, layout, { ...options, quiet: false });
        }
        painter.upload(SLOT.SPANS, batches.spans);
        painter.upload(SLOT.BRIGHT, batches.bright);
        painter.upload(SLOT.COUNTERS, batches.counters);
        showLegend(spans.legend());
    };

    return {
        /** @param {Sheet} sheet @param {Tick[]} marks of the ruler */
        draw(sheet, marks) {
            build(sheet);
            const { state } = store;
            const { palette, gutter, width, height } = sheet;
            const body = { x: gutter, y: RULER_PX, width: width - gutter, height: height - RULER_PX };
            painter.begin(width, height, pixelRatio(), palette.rgb.ground);
            const below = { scaleX: 1, shiftX: 0, shiftY: RULER_PX - state.scrollPx };
            painter.draw(SLOT.GROUND, below, { x: 0, y: RULER_PX, width, height: body.height });
            buildGrid(batches.grid, { frames: state.frames, window: state.window }, palette, marks, body.width, height, RULER_PX);
            painter.upload(SLOT.GRID, batches.grid);
            painter.draw(SLOT.GRID, { scaleX: 1, shiftX: gutter, shiftY: 0 }, body);
            for (const slot of [SLOT.COUNTERS, SLOT.SPANS, SLOT.BRIGHT]) {
                const source = slot === SLOT.BRIGHT ? state.bright : state.view;
                if (source) {
                    const nsPerReplyPx = Number(source.endNs - source.startNs) / source.widthPx;
                    painter.draw(slot, {
                        scaleX: (nsPerReplyPx * body.width) / state.window.lengthNs,
                        shiftX: gutter + timeToPx(state.window, source.startNs, body.width),
                        shiftY: RULER_PX - state.scrollPx,
                    }, body);
                }
            }
        },
        count: () => batches.spans.count,
        /** The graphics context came back. */
        restore() {
            painter = makeGlPainter(canvas) ?? painter;
            built = [];
        },
    };
}
