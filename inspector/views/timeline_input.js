// SPDX-License-Identifier: MIT
// @ts-check
/* Pointer and wheel on the timeline. */

import { h, pageScale, pointIn } from './dom.js';
import { figures, remark, title } from './tooltip.js';
import { timeAt } from './timeline_view.js';
import { timelinePointer } from './timeline_pointer.js';
import { timelineTips } from './timeline_tips.js';
import { RULER_PX, UNANSWERED_TEXT } from '../draw/timeline_overlay.js';
import { frameAtTime, rangeBetween } from '../model/frames.js';
import { measured } from '../model/measure.js';
import { windowAround } from '../model/window.js';
import { chooseMetric } from '../state/diagnostics.js';
import { glideTo, panBy, selectFrames, zoomBy } from '../state/navigate.js';
import { updateExplore } from '../state/app_state.js';
import { focusOn } from '../state/links_data.js';
import { select, selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('./timeline_view.js').TimelineShown} TimelineShown */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */

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
    const tips = timelineTips(context, tooltip, stage);
    const { hitAt, linkUnder, placeAt, marksUnder, nsPerPx } = timelinePointer(context, shown);
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
        if (done && done.measure !== null) {
            keepMeasure(context, done.moved ? done.measure.timeNs : null, placeAt(event).timeNs);
            shown.setMeasure(null);
        }
    });
    stage.addEventListener('pointercancel', () => {
        drag = null;
        stage.classList.remove('dragging');
    });
    stage.addEventListener('pointerleave', () => {
        shown.setHover(null);
        shown.setHoverLink(-1);
        tooltip.hide();
    });
    stage.addEventListener('dblclick', (event) => {
        const hit = hitAt(event)?.hit;
        if (hit) {
            glideTo(context, windowAround(hit.startNs, hit.endNs, 0.15));
        }
    });
    wheelInput(context, shown, stage, tooltip, (px) => scrollBy(px));

    const scrollBy = (/** @type {number} */ px) => {
        const { scrollPx, timelineHeightPx } = store.state;
        const most = Math.max(0, shown.layout().height - timelineHeightPx);
        store.update({ scrollPx: Math.max(0, Math.min(most, scrollPx + px)) });
    };

    const point = (/** @type {PointerEvent} */ event) => {
        const found = hitAt(event);
        const marked = marksUnder(event);
        const link = marked ? null : linkUnder(event, Boolean(found?.hit?.exact));
        shown.setHover(link ? null : found?.hit ?? null, found?.box.track.boundNs);
        shown.setHoverLink(link?.link ?? -1);
        stage.classList.toggle('pointing', Boolean(found?.hit) || marked !== null || link !== null);
        const at = timeAt(shown, store.state, event);
        if (marked && tips.marks(event, marked.track, marked.marks)) {
            return;
        }
        if (link) {
            void tips.link(event, link);
        } else if (found?.hit) {
            tips.span(event, found.box.track, found.hit);
        } else if (found?.unanswered) {
            tips.say(event, found.box.track.name, UNANSWERED_TEXT);
        } else if (found?.box.track.kind === 'counter' && pointIn(shown.root, event).y > RULER_PX) {
            tips.counter(event, found.box.track, at);
        } else {
            tips.note(event, at);
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
        const found = hitAt(event);
        const row = found?.hit?.row ?? null;
        if (row !== null && (event.shiftKey || event.ctrlKey || event.metaKey)) {
            focusOn(context, row);
            return;
        }
        const link = linkUnder(event, Boolean(found?.hit?.exact));
        if (link) {
            void selectAndReveal(context, link.source === store.state.place.selected ? link.target : link.source);
            return;
        }
        const metric = found?.box.track.kind === 'counter' ? store.state.metrics.find((item) => item.counter === found.box.track.counter) : undefined;
        if (metric) {
            chooseMetric(context, metric.name);
        } else {
            select(context, row);
        }
    };
    return { stage, scrollBy };
}

/** A range that was measured stays, and figures can be of it. @param {Context} context @param {bigint | null} from null: it was let go @param {bigint} to */
function keepMeasure(context, from, to) {
    const { explore } = context.store.state.place;
    if (from !== null && from !== to) {
        updateExplore(context, { measured: from < to ? { startNs: from, endNs: to } : { startNs: to, endNs: from }, over: explore.over });
    } else if (from === null && explore.measured) {
        updateExplore(context, { measured: null, over: explore.over === 'measured' ? 'frames' : explore.over });
    }
}

/**
 * The wheel zooms about the pointer, moves, or scrolls the tracks.
 * @param {Context} context @param {TimelineShown} shown @param {HTMLElement} stage @param {Tooltip} tooltip @param {(px: number) => void} scrollBy
 */
function wheelInput(context, shown, stage, tooltip, scrollBy) {
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
}
