// SPDX-License-Identifier: MIT
// @ts-check
/* How much runs at once, along the lower edge of the timeline. */

import { xOf } from './timeline_overlay.js';
import { concurrency, utilisation } from '../model/analysis.js';
import { counted } from '../model/format.js';
import { windowEnd } from '../model/window.js';

/** @typedef {import('./timeline_overlay.js').OverlayFrame} OverlayFrame */
/** @typedef {import('../model/analysis.js').Buckets} Buckets */

export const LOAD_PX = 46;

/** Below the body of the frame. @param {OverlayFrame} frame @param {Buckets} buckets */
export function drawLoad(frame, buckets) {
    const { context, palette, gutter, width, height: top, window } = frame;
    const count = buckets.sum.length;
    const height = top + LOAD_PX;
    context.save();
    context.beginPath();
    context.rect(gutter, top, width - gutter, LOAD_PX);
    context.clip();
    context.fillStyle = palette.css.panel;
    context.fillRect(gutter, top, width - gutter, LOAD_PX);
    context.fillStyle = palette.css.line;
    context.fillRect(gutter, top, width - gutter, 1);
    const from = xOf(frame, buckets.startNs);
    const step = (xOf(frame, buckets.endNs) - from) / Math.max(1, count);
    let most = 0;
    let peak = 0;
    let sum = 0;
    let shown = 0;
    let used = 0;
    for (let i = 0; i < count; i++) {
        const x = from + i * step;
        if (x + step >= gutter && x <= width) {
            most = Math.max(most, concurrency(buckets, i));
            peak = Math.max(peak, buckets.peak[i]);
            sum += concurrency(buckets, i);
            used += utilisation(buckets, i);
            shown++;
        }
    }
    if (most > 0) {
        context.fillStyle = palette.css.accent;
        context.globalAlpha = 0.45;
        context.beginPath();
        context.moveTo(from, height);
        for (let i = 0; i < count; i++) {
            const y = height - (concurrency(buckets, i) / most) * (LOAD_PX - 15);
            context.lineTo(from + i * step, y);
            context.lineTo(from + (i + 1) * step, y);
        }
        context.lineTo(from + count * step, height);
        context.fill();
        context.globalAlpha = 1;
    }
    const whole = windowEnd(window) > buckets.startNs;
    context.fillStyle = palette.css['ink-2'];
    context.font = `11px ${palette.sans}`;
    context.textBaseline = 'top';
    context.textAlign = 'left';
    const mean = sum / Math.max(1, shown);
    const busy = Math.round((used / Math.max(1, shown)) * 100);
    const text = `${mean.toFixed(mean < 10 ? 2 : 0)} spans at once in the mean, ${peak} at most, nested ones counted; `
        + `${counted(buckets.lanes, 'lane')}, busy ${busy} % of the time`;
    context.fillText(most > 0 && whole ? text : 'nothing runs here', gutter + 8, top + 3);
    context.restore();
}
