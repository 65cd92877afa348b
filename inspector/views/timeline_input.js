// SPDX-License-Identifier: MIT
// @ts-check
/* Pointer and wheel on the timeline. */

import { h, pageScale, pointIn } from './dom.js';
import { figures, remark, title } from './tooltip.js';
import { timeAt } from './timeline_view.js';
import { hueVariable } from '../draw/palette.js';
import { RULER_PX, UNANSWERED_TEXT } from '../draw/timeline_overlay.js';
import { counterAt, hitLane, MODE, SPAN } from '../model/lanes.js';
import { hitTrack } from '../model/layout.js';
import { counted, duration, exactNs, exactReading, grouped, reading } from '../model/format.js';
import { frameAtTime, rangeBetween } from '../model/frames.js';
import { measured, snapTo } from '../model/measure.js';
import { windowAround } from '../model/window.js';
import { CHANNEL, traceOf } from '../state/app_state.js';
import { glideTo, panBy, selectFrames, zoomBy } from '../state/navigate.js';
import { select } from '../state/selection.js';
import { isCancelled } from '../protocol/client.js';
import { askSpan } from '../protocol/queries.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('./timeline_view.js').TimelineShown} TimelineShown */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {import('../model/lanes.js').Hit} Hit */
/** @typedef {import('../model/layout.js').TrackBox} TrackBox */

/** A hand is not steadier than this. */
const NEAR_PX = 3;
const DRAG_PX = 4;
const WHEEL_ZOOM = 0.0022;

/** @param {Context} context @param {TimelineShown} shown @param {Tooltip} tooltip */
export function timelineInput(context, shown, tooltip) {
    const { store } = context;
    const stage = h('div', {
        class: 'stage', id: 'stage', tabindex: 0, role: 'application',
        aria: { label: 'Timeline. W and S zoom, A and D move, brackets go along a lane, slash searches, question mark lists all keys' },
    });
    shown.root.insertBefore(stage, shown.root.querySelector('.scrollbar'));
    /** @type {{ x: number, y: number, moved: boolean, measure: import('../model/measure.js').Place | null } | null} */
    let drag = null;

    stage.addEventListener('pointerdown', (event) => {
        if (event.button !== 0) {
            return;
        }
        stage.setPointerCapture(event.pointerId);
        stage.focus({ preventScroll: true });
        drag = { x: event.clientX, y: event.clientY, moved: false, measure: event.shiftKey ? placeAt(event) : null };
    });
    stage.addEventListener('pointermove', (event) => {
        if (!drag) {
            point(event);
            return;
        }
        if (!drag.moved && Math.hypot(event.clientX - drag.x, event.clientY - drag.y) < DRAG_PX) {
            return;
        }
        drag.moved = true;
        if (drag.measure !== null) {
            const to = placeAt(event);
            shown.setMeasure({ from: drag.measure.timeNs, to: to.timeNs });
            const { text, remarks } = measured(drag.measure, to, nsPerPx());
            tooltip.show(event.clientX, event.clientY, title('measured'), figures(text), ...remarks.map((line) => remark(line)));
            return;
        }
        stage.classList.add('dragging');
        tooltip.hide();
        panBy(context, (drag.x - event.clientX) / pageScale());
        scrollBy((drag.y - event.clientY) / pageScale());
        drag.x = event.clientX;
        drag.y = event.clientY;
    });
    stage.addEventListener('pointerup', (event) => {
        stage.classList.remove('dragging');
        const done = drag;
        drag = null;
        if (done && !done.moved) {
            click(event);
        }
        if (done?.measure !== null && done?.moved !== true) {
            shown.setMeasure(null);
        }
    });
    stage.addEventListener('pointercancel', () => {
        drag = null;
        stage.classList.remove('dragging');
    });
    stage.addEventListener('pointerleave', () => {
        shown.setHover(null);
        tooltip.hide();
    });
    stage.addEventListener('dblclick', (event) => {
        const hit = hitAt(event)?.hit;
        if (hit) {
            glideTo(context, windowAround(hit.startNs, hit.endNs, 0.15));
        }
    });
    stage.addEventListener('wheel', (event) => {
        event.preventDefault();
        tooltip.hide();
        const lines = event.deltaMode === WheelEvent.DOM_DELTA_LINE ? 16 : 1;
        if (event.shiftKey || Math.abs(event.deltaX) > Math.abs(event.deltaY)) {
            panBy(context, (event.deltaX || event.deltaY) * lines);
            return;
        }
        const anchor = pointIn(stage, event).x;
        // A pinch comes as a wheel with Ctrl, in small steps.
        const strength = event.ctrlKey ? 5 : 1;
        zoomBy(context, Math.exp(event.deltaY * lines * WHEEL_ZOOM * strength), anchor);
    }, { passive: false });
    shown.root.querySelector('.heads')?.addEventListener('wheel', (event) => {
        event.preventDefault();
        scrollBy(/** @type {WheelEvent} */ (event).deltaY);
    }, { passive: false });

    const scrollBy = (/** @type {number} */ px) => {
        const { scrollPx, timelineHeightPx } = store.state;
        const most = Math.max(0, shown.layout().height - timelineHeightPx);
        store.update({ scrollPx: Math.max(0, Math.min(most, scrollPx + px)) });
    };

    const nsPerPx = () => store.state.window.lengthNs / store.state.timelineWidthPx;
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
        if (!track || !view || at.y < RULER_PX) {
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

    const point = (/** @type {PointerEvent} */ event) => {
        const found = hitAt(event);
        shown.setHover(found?.hit ?? null, found?.box.track.boundNs);
        stage.classList.toggle('pointing', Boolean(found?.hit));
        if (found?.hit) {
            showHit(event, found.box, found.hit);
        } else if (found?.unanswered) {
            hovered = -1;
            tooltip.show(event.clientX, event.clientY, title(found.box.track.name), remark(UNANSWERED_TEXT));
        } else if (found?.box.track.kind === 'counter' && pointIn(shown.root, event).y > RULER_PX) {
            showCounter(event, found.box);
        } else {
            showPlain(event);
        }
    };

    let hovered = -1;
    const showHit = (/** @type {PointerEvent} */ event, /** @type {TrackBox} */ box, /** @type {Hit} */ hit) => {
        const { track } = box;
        const name = context.client.name(traceOf(context), hit.name) || '(no name)';
        const bound = track.boundNs > 0 ? ` · each end ±${grouped(track.boundNs)} ns` : '';
        if (hit.exact && !(hit.flags & (SPAN.CLIPPED_BEGIN | SPAN.CLIPPED_END))) {
            hovered = -1;
            tooltip.show(event.clientX, event.clientY, title(name, hueVariable(name)),
                figures(`${relative(hit.startNs)} → ${relative(hit.endNs)}`),
                figures(hit.flags & SPAN.UNFINISHED ? 'at least ' : '', exactNs(hit.endNs - hit.startNs), bound), ...hitRemarks(track, hit));
            return;
        }
        const many = () => [title(name, hueVariable(name)),
            remark(`the longest of what meets this bin of ${duration(hit.binNs)}; ${counted(hit.count, 'span')} start in it`)];
        tooltip.show(event.clientX, event.clientY, ...many());
        if (hovered !== hit.row) {
            hovered = hit.row;
            void exactTimes(hit.row, (lines) => tooltip.show(event.clientX, event.clientY, ...many(), ...lines));
        }
    };
    /**
     * The bin says which span is the longest; its exact times are asked for.
     * @param {number} row
     * @param {(lines: Node[]) => void} show
     */
    const exactTimes = async (row, show) => {
        try {
            const info = await askSpan(context.client, traceOf(context), row, context.client.supersede(CHANNEL.HOVER));
            if (hovered === row && stage.matches(':hover')) {
                show([figures(`${relative(info.startNs)} → ${relative(info.endNs)}`), figures(exactNs(info.endNs - info.startNs))]);
            }
        } catch (error) {
            if (!isCancelled(error)) {
                hovered = -1;
            }
        }
    };

    /** Times are told from the start of the trace. @param {bigint} ns */
    const relative = (ns) => exactNs(ns - (store.state.info?.startNs ?? 0n));

    const hitRemarks = (/** @type {TrackBox['track']} */ track, /** @type {Hit} */ hit) => {
        const list = [];
        if (track.domain === 'nominal') {
            list.push(remark('nominal clock: its place against other tracks is not measured'));
        }
        if (hit.flags & SPAN.UNFINISHED) {
            list.push(remark('no end was recorded'));
        }
        if (hit.flags & SPAN.SCOPE) {
            list.push(remark('a scope: the hull of its passes'));
        }
        return list;
    };
    const showCounter = (/** @type {PointerEvent} */ event, /** @type {TrackBox} */ box) => {
        const counter = store.state.counters.find((item) => item.counter === box.track.counter);
        if (!counter) {
            return;
        }
        const at = timeAt(shown, store.state, event);
        const value = counterAt(counter, Number(at - counter.startNs));
        const lines = !value ? [remark('no sample yet at this time')]
            : counter.exact ? [figures(exactReading(value.value, box.track.unit)), figures(`sampled at ${relative(counter.startNs + BigInt(value.timeNs))}`)]
                : [figures(`${reading(value.least, box.track.unit)} to ${reading(value.most, box.track.unit)}`), remark('the range of several samples here: zoom in for each')];
        tooltip.show(event.clientX, event.clientY, title(box.track.name), ...lines);
    };
    const showPlain = (/** @type {PointerEvent} */ event) => {
        hovered = -1;
        const { marks, window, timelineWidthPx } = store.state;
        const at = timeAt(shown, store.state, event);
        const near = BigInt(Math.ceil((window.lengthNs / timelineWidthPx) * 8));
        const note = marks.find((mark) => mark.timeNs - at < near && at - mark.timeNs < near);
        if (note) {
            tooltip.show(event.clientX, event.clientY, title('note'), remark(note.text), figures(relative(note.timeNs)));
        } else {
            tooltip.hide();
        }
    };

    const click = (/** @type {PointerEvent} */ event) => {
        if (pointIn(shown.root, event).y < RULER_PX) {
            const { frames } = store.state;
            const index = frames ? frameAtTime(frames, timeAt(shown, store.state, event)) : -1;
            if (index >= 0) {
                const { range } = store.state.place;
                selectFrames(context, event.shiftKey && range ? rangeBetween(range.first, index) : { first: index, last: index });
            }
            return;
        }
        select(context, hitAt(event)?.hit?.row ?? null);
    };
    return { stage, scrollBy };
}
