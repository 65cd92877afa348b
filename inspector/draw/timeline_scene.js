// SPDX-License-Identifier: MIT
// @ts-check
/* From what the engine answered to rectangles. Horizontal positions are pixels of the reply; the painter moves them. */

import { PATTERN } from './instances.js';
import { TINTED_FROM } from '../model/anomalies.js';
import { packColour, mix } from '../model/colour.js';
import { MODE, SPAN } from '../model/lanes.js';
import { frameAtTime } from '../model/frames.js';
import { CONSTANT_PX, COUNTER_PX, HEAD_PX, isConstant } from '../model/layout.js';
import { timeToPx, windowEnd } from '../model/window.js';

/** @typedef {import('./instances.js').Instances} Instances */
/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/lanes.js').TimelineView} TimelineView */
/** @typedef {import('../model/lanes.js').LaneView} LaneView */
/** @typedef {import('../model/lanes.js').CounterView} CounterView */
/** @typedef {import('../model/layout.js').Layout} Layout */
/** @typedef {import('../model/layout.js').LaneBox} LaneBox */
/** @typedef {import('../model/layout.js').TrackBox} TrackBox */
/** @typedef {import('./span_colours.js').SpanColours} SpanColours */

/** Nothing is drawn further out than this: a float stays exact to a hundredth of a pixel. */
const FAR_PX = 60000;
/** The processor's spans step back a little: the graphics processor is the subject. */
const CPU_DEPTH = 2;
/** The cut end of a zone that was ended by force. */
const FORCED_PX = 3;

/**
 * @typedef {object} SceneOptions
 * @property {SpanColours} colours
 * @property {Uint32Array} laneDepth
 * @property {boolean} quiet something else is highlighted, or tinted
 * @property {boolean} tinted spans say how unusual they are
 * @property {Palette} palette
 */

/** Boxes by what the engine calls them. @param {Layout} layout */
export function boxesById(layout) {
    /** @type {Map<string, { lane: LaneBox, box: TrackBox }>} */
    const map = new Map();
    for (const box of layout.boxes) {
        for (const lane of box.lanes) {
            map.set(`${lane.folded ? 'g' : 'l'}${lane.lane}`, { lane, box });
        }
    }
    return map;
}

/** @param {LaneView} lane */
export function laneKey(lane) {
    return `${lane.group ? 'g' : 'l'}${lane.id}`;
}

/**
 * @param {Instances} out
 * @param {Layout} layout
 * @param {Palette} palette
 * @param {number} gutter
 * @param {number} width
 */
export function buildGround(out, layout, palette, gutter, width) {
    out.clear();
    const panel = packColour(palette.rgb.panel);
    const band = packColour(palette.rgb.raised);
    const line = packColour(palette.rgb.line);
    const lane = packColour(palette.rgb.lane);
    out.push(0, gutter, 0, Math.max(layout.height, 10000), panel, PATTERN.PLAIN);
    for (const box of layout.boxes) {
        if (box.track.kind === 'counter') {
            out.push(gutter, width, box.y, box.height, lane, PATTERN.PLAIN);
            out.push(0, width, box.y + box.height - 1, 1, packColour(palette.rgb['line-soft']), PATTERN.PLAIN);
            continue;
        }
        const isLine = box.bodyY === box.y;
        out.push(gutter, width, box.bodyY, box.height - (isLine ? 0 : HEAD_PX + 1), lane, PATTERN.PLAIN);
        out.push(0, isLine ? gutter : width, box.y, HEAD_PX, band, PATTERN.PLAIN);
        out.push(0, width, box.y + HEAD_PX, 1, line, PATTERN.PLAIN);
    }
}

/**
 * Vertical lines under everything: ticks and the starts of frames.
 * @param {Instances} out
 * @param {{ frames: import('../model/frames.js').FrameTable | null, window: import('../model/window.js').TimeWindow }} shown
 * @param {Palette} palette
 * @param {import('../model/ruler.js').Tick[]} marks
 * @param {number} width @param {number} height @param {number} top
 */
export function buildGrid(out, { frames, window }, palette, marks, width, height, top) {
    out.clear();
    const strong = packColour(palette.rgb.line);
    const soft = packColour(palette.rgb['line-soft']);
    for (const tick of marks) {
        out.push(tick.px, tick.px + 1, top, height, tick.label ? strong : soft, PATTERN.PLAIN);
    }
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
        out.push(x, x + 1, top, height, edge, PATTERN.PLAIN);
    }
}

/** @param {Instances} out @param {TimelineView} view @param {Layout} layout @param {SceneOptions} options */
export function buildSpans(out, view, layout, options) {
    out.clear();
    const boxes = boxesById(layout);
    for (const lane of view.lanes) {
        const place = boxes.get(laneKey(lane));
        if (!place || lane.mode === MODE.UNANSWERED) {
            continue;
        }
        const depth = (lane.group ? 0 : options.laneDepth[lane.id] ?? 0) + (place.box.track.kind === 'cpu' ? CPU_DEPTH : 0);
        const pxPerNs = view.widthPx / Number(view.endNs - view.startNs);
        pushBins(out, view, lane, place, depth, pxPerNs, options);
        pushSpans(out, view, lane, place, depth, pxPerNs, options);
    }
}

/**
 * @param {Instances} out @param {TimelineView} view @param {LaneView} lane @param {{ lane: LaneBox, box: TrackBox }} place
 * @param {number} depth @param {number} pxPerNs @param {SceneOptions} options
 */
function pushSpans(out, view, lane, place, depth, pxPerNs, options) {
    const { spans } = view;
    const y = place.lane.y + 1;
    const height = place.lane.height - 2;
    for (let i = lane.firstSpan; i < lane.lastSpan; i++) {
        const x0 = Math.max(-FAR_PX, spans.begin[i] * pxPerNs);
        const x1 = Math.min(FAR_PX, spans.end[i] * pxPerNs);
        const open = (spans.flags[i] & (SPAN.UNFINISHED | SPAN.LOST)) !== 0;
        const base = options.colours.of(spans, i, spans.end[i] - spans.begin[i], place.box.track, depth, options.quiet);
        const colour = weighed(tintOf(base, spans.tint[i], options), 255 - (lane.blend === 255 ? 0 : lane.blend));
        out.push(x0, Math.max(x0, x1), y, height, colour, open ? PATTERN.UNFINISHED : PATTERN.SOLID);
        if (spans.flags[i] & SPAN.FORCED && x1 - x0 > FORCED_PX * 2) {
            // Cut off: the end is that of the zone around it.
            out.push(x1 - FORCED_PX, x1, y, height, packColour(options.palette.rgb.bad), PATTERN.PLAIN);
        }
    }
}

/** Steps between what is usual and what is twice the threshold. */
const TINTS = 8;

/**
 * The colour of what is unusual: from the threshold on it leaves that of its name. Below, it steps back with the rest.
 * @param {number} colour @param {number | undefined} tint @param {SceneOptions} options
 */
function tintOf(colour, tint, { tinted, palette }) {
    if (!tinted || tint === undefined || tint < TINTED_FROM) {
        return colour;
    }
    const step = Math.ceil(((tint - TINTED_FROM + 1) * TINTS) / 128) / TINTS;
    return packColour(mix(palette.rgb.warn, palette.rgb.bad, step));
}

/** @param {number} colour packed @param {number} weight 255 = all of it */
function weighed(colour, weight) {
    return weight >= 255 ? colour : ((colour & 0xffffff) | (Math.round(((colour >>> 24) * weight) / 255) << 24)) >>> 0;
}

/**
 * Bins that follow each other and look the same become one rectangle.
 * @param {Instances} out @param {TimelineView} view @param {LaneView} lane @param {{ lane: LaneBox, box: TrackBox }} place
 * @param {number} depth @param {number} pxPerNs @param {SceneOptions} options
 */
function pushBins(out, view, lane, place, depth, pxPerNs, options) {
    const { bins, binNs, binOriginNs } = view;
    const density = lane.binsMode === MODE.DENSITY;
    const inset = density ? Math.round(place.lane.height * 0.22) : 1;
    const pattern = density ? PATTERN.DENSITY : PATTERN.REPRESENTATIVE;
    let from = -1;
    let until = 0;
    let colour = 0;
    const flush = () => {
        if (from >= 0) {
            out.push((binOriginNs + from * binNs) * pxPerNs, (binOriginNs + until * binNs) * pxPerNs,
                place.lane.y + inset, place.lane.height - 2 * inset, colour, pattern);
        }
    };
    for (let i = lane.firstBin; i < lane.lastBin; i++) {
        // Seven steps of coverage: enough to see, few enough to join neighbours.
        const cover = density ? Math.ceil(Math.min(1, bins.cover[i] / binNs) * 7) / 7 : 1;
        const own = options.colours.of(bins, i, bins.longest[i], place.box.track, depth, options.quiet);
        const base = tintOf(own, bins.tint[i], options);
        const next = weighed(((base & 0xffffff) | (Math.round((0.4 + 0.6 * cover) * 255) << 24)) >>> 0, lane.blend);
        if (from >= 0 && bins.offset[i] === until && next === colour) {
            until += bins.run[i];
            continue;
        }
        flush();
        from = bins.offset[i];
        until = from + bins.run[i];
        colour = next;
    }
    flush();
}

/**
 * @param {Instances} out
 * @param {CounterView[]} counters
 * @param {Layout} layout
 * @param {Palette} palette
 * @param {number} widthPx
 * @param {number} lengthNs of the reply
 */
export function buildCounters(out, counters, layout, palette, widthPx, lengthNs) {
    out.clear();
    const area = packColour(mix(palette.rgb.lane, palette.rgb.accent, 0.17));
    const edge = packColour(mix(palette.rgb.lane, palette.rgb.accent, 0.75));
    const pxPerNs = widthPx / lengthNs;
    for (const counter of counters) {
        const box = layout.boxes.find((item) => item.track.counter === counter.counter);
        if (!box || box.folded) {
            continue;
        }
        const flat = isConstant(box.track);
        const bottom = box.bodyY + (flat ? CONSTANT_PX : COUNTER_PX);
        const scale = flat ? () => CONSTANT_PX / 2 : counterScale(counter);
        const count = counter.time.length;
        for (let i = 0; i < count; i++) {
            const x0 = Math.max(-FAR_PX, counter.time[i] * pxPerNs);
            const x1 = Math.min(FAR_PX, i + 1 < count ? counter.time[i + 1] * pxPerNs : widthPx);
            if (!(x1 > x0) || Number.isNaN(counter.value[i])) {
                continue;
            }
            const most = scale(counter.most?.[i] ?? counter.value[i]);
            const least = scale(counter.least?.[i] ?? counter.value[i]);
            if (!flat) {
                out.push(x0, x1, bottom - least, least, area, PATTERN.PLAIN);
            }
            out.push(x0, x1, bottom - most - 1, most - least + 1, edge, PATTERN.PLAIN);
        }
    }
}

/**
 * Height in pixels of a value: from zero where all values are positive, so that sizes compare.
 * @param {CounterView} counter
 */
function counterScale(counter) {
    const low = Math.min(0, counter.low);
    const size = Math.max(counter.high, 0) - low;
    const room = COUNTER_PX - 5;
    return (/** @type {number} */ value) => (size > 0 ? Math.max(0, ((value - low) / size) * room) : 0);
}
