// SPDX-License-Identifier: MIT
// @ts-check
/* What lies under a pointer on the timeline: a span or several, a place to measure from, markers and losses. */

import { pointIn } from './dom.js';
import { timeAt } from './timeline_view.js';
import { marksAt } from '../draw/timeline_flags.js';
import { NOTE_ROW_PX, RULER_PX } from '../draw/timeline_overlay.js';
import { hitLane, MODE, SPAN } from '../model/lanes.js';
import { linkAt } from '../model/links.js';
import { hitTrack } from '../model/layout.js';
import { snapTo } from '../model/measure.js';
import { timeToPx } from '../model/window.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('./timeline_view.js').TimelineShown} TimelineShown */
/** @typedef {import('../model/lanes.js').Hit} Hit */
/** @typedef {import('../model/layout.js').TrackBox} TrackBox */

/** A hand is not steadier than this. */
const NEAR_PX = 3;
const NEAR_LINK_PX = 5;
/** A span under a line is what is meant, unless the hand is right on the line. */
const ON_SPAN_PX = 1.5;

/** @param {Context} context @param {TimelineShown} shown */
export function timelinePointer(context, shown) {
    const { store } = context;
    const nsPerPx = () => store.state.window.lengthNs / store.state.timelineWidthPx;
    /** Is a height one of tracks? Below them the load and the legend are. @param {number} y */
    const onTracks = (y) => y >= RULER_PX && y < RULER_PX + store.state.timelineHeightPx;
    /** Where a measure begins or ends. @param {MouseEvent} event @returns {import('../model/measure.js').Place} */
    const placeAt = (event) => {
        const timeNs = timeAt(shown, store.state, event);
        const found = hitAt(event);
        const hit = found?.hit;
        const whole = hit?.exact && !(hit.flags & (SPAN.CLIPPED_BEGIN | SPAN.CLIPPED_END));
        const edge = hit && whole ? snapTo(hit.startNs, hit.endNs, timeNs, nsPerPx()) : null;
        return { timeNs: edge ?? timeNs, exact: edge !== null, track: found?.box.track ?? null };
    };

    /** @param {MouseEvent} event @returns {{ box: TrackBox, hit: Hit | null, unanswered: boolean } | null} */
    const hitAt = (event) => {
        const { state } = store;
        const at = pointIn(shown.root, event);
        const track = hitTrack(shown.layout(), at.y - RULER_PX + state.scrollPx);
        const { view } = state;
        if (!track || !view || !onTracks(at.y)) {
            return null;
        }
        const lane = track.lane;
        const answer = lane ? view.lanes.find((item) => item.id === lane.lane && item.group === lane.folded) : undefined;
        const scale = nsPerPx();
        const atNs = Number(state.window.startNs - view.startNs) + state.window.fraction + (at.x - shown.gutter()) * scale;
        return {
            box: track.box,
            hit: answer ? hitLane(view, answer, atNs, scale * NEAR_PX) : null,
            unanswered: answer?.mode === MODE.UNANSWERED,
        };
    };

    /**
     * The dependency under a pointer: near its way, nearer where a span lies under it, too.
     * @param {MouseEvent} event @param {boolean} onSpan
     * @returns {{ link: number, source: number, target: number, family: number, marks: number } | null}
     */
    const linkUnder = (event, onSpan) => {
        const { links, window, timelineWidthPx, scrollPx } = store.state;
        const at = pointIn(shown.root, event);
        if (!links || links.lines.link.length === 0 || !onTracks(at.y)) {
            return null;
        }
        const scale = timelineWidthPx / window.lengthNs;
        const shift = shown.gutter() + timeToPx(window, links.startNs, timelineWidthPx);
        const i = linkAt(links, at, onSpan ? ON_SPAN_PX : NEAR_LINK_PX, (ns) => shift + ns * scale, (y) => y - scrollPx + RULER_PX);
        const { lines } = links;
        return i < 0 ? null : { link: lines.link[i], source: lines.source[i], target: lines.target[i], family: lines.family[i], marks: lines.marks[i] };
    };

    /** Markers and losses in the band of a track's name, or in the ruler. @param {MouseEvent} event */
    const marksUnder = (event) => {
        const { state } = store;
        const at = pointIn(shown.root, event);
        const inRuler = at.y < RULER_PX && at.y >= RULER_PX - NOTE_ROW_PX;
        const track = onTracks(at.y) ? hitTrack(shown.layout(), at.y - RULER_PX + state.scrollPx) : null;
        if (!inRuler && !(track && (track.head || track.box.folded) && track.box.tracks.length > 0)) {
            return null;
        }
        const gutter = shown.gutter();
        const shape = {
            layout: shown.layout(), window: state.window, gutter, width: gutter + state.timelineWidthPx, scroll: state.scrollPx,
            height: RULER_PX + state.timelineHeightPx,
        };
        const marks = marksAt(shape, state.instants, state.losses, inRuler ? null : track?.box ?? null, at.x);
        return marks.loss || marks.flag ? { track: track?.box.track ?? null, marks } : null;
    };
    return { hitAt, linkUnder, placeAt, marksUnder, nsPerPx };
}
