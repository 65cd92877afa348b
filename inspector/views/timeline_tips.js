// SPDX-License-Identifier: MIT
// @ts-check
/* What is told of whatever the pointer is on: a span, several of them, a counter, markers, losses, a note. */

import { figures, remark, title } from './tooltip.js';
import { hueVariable } from '../draw/palette.js';
import { counted, duration, exactNs, exactReading, grouped, readableNs, reading } from '../model/format.js';
import { frameAtTime } from '../model/frames.js';
import { instantText } from '../model/instants.js';
import { counterAt, SPAN } from '../model/lanes.js';
import { LINK, familyName } from '../model/links.js';
import { NO_PROOF } from '../model/losses.js';
import { isCancelled } from '../protocol/client.js';
import { askSpan } from '../protocol/queries.js';
import { CHANNEL, traceOf } from '../state/app_state.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/lanes.js').Hit} Hit */
/** @typedef {import('../model/layout.js').Track} Track */
/** @typedef {import('../model/instants.js').Instant} Instant */
/** @typedef {import('./tooltip.js').Tooltip} Tooltip */
/** @typedef {ReturnType<typeof import('../draw/timeline_flags.js').marksAt>} Marked */

/** Markers that a tip names. */
const NAMED = 8;

/** Times are told from the start of the trace. @param {Context} context @param {bigint} ns */
function relative(context, ns) {
    return exactNs(ns - (context.store.state.info?.startNs ?? 0n));
}

/**
 * Exact times of a span, and above them how long it takes as it reads best.
 * @param {Context} context @param {bigint} startNs @param {bigint} endNs @param {string} open @param {string} bound
 */
function timeLines(context, startNs, endNs, open = '', bound = '') {
    const length = exactNs(endNs - startNs);
    const reads = duration(endNs - startNs);
    return [reads === length ? null : figures(open, reads), figures(`${relative(context, startNs)} → ${relative(context, endNs)}`), figures(open, length, bound)];
}

/** @param {Track} track @param {Hit} hit */
function hitRemarks(track, hit) {
    const list = [];
    if (track.domain === 'nominal') {
        list.push(remark('nominal clock: its place against other tracks is not measured'));
    }
    if (hit.flags & SPAN.FORCED) {
        list.push(remark('ended by force: a zone around it ended first, and that end is drawn'));
    } else if (hit.flags & SPAN.UNFINISHED) {
        list.push(remark('no end was recorded'));
    }
    if (hit.flags & SPAN.SCOPE) {
        list.push(remark('a scope: the hull of its passes'));
    }
    return list;
}

/**
 * Several markers under one flag. Those that came counted are told by the names of the first ones.
 * @param {{ list: readonly Instant[], count: number }} flag @param {boolean} binned @param {(id: number) => string} name
 */
function severalLines({ list, count }, binned, name) {
    const head = title(counted(count, 'marker'));
    if (binned) {
        const names = [...new Set(list.map((item) => name(item.name) || '(no name)'))];
        return [head, figures(names.slice(0, NAMED).join(', ') + (names.length > NAMED ? ', …' : '')), remark('names of the first ones only: zoom in for each')];
    }
    return [head, ...list.slice(0, NAMED).map((item) => figures(instantText(name(item.name), item.value))),
        remark(list.length > NAMED ? `and ${grouped(list.length - NAMED)} more: zoom in for each` : 'zoom in for each')];
}

/** @param {Context} context @param {Tooltip} tooltip @param {HTMLElement} stage */
export function timelineTips(context, tooltip, stage) {
    const { store } = context;
    /** The row whose exact times are shown or on their way. */
    let hovered = -1;
    /** The dependency whose ends are shown or on their way. */
    let linkHovered = -1;
    /** @type {Node[]} */
    let linkLines = [];

    /**
     * The bin says which span is the longest; its exact times are asked for.
     * @param {number} row @param {(lines: (Node | null)[]) => void} show
     */
    const exactTimes = async (row, show) => {
        try {
            const info = await askSpan(context.client, traceOf(context), row, context.client.supersede(CHANNEL.HOVER));
            if (hovered === row && stage.matches(':hover')) {
                show(timeLines(context, info.startNs, info.endNs));
            }
        } catch (error) {
            if (!isCancelled(error)) {
                hovered = -1;
            }
        }
    };

    return {
        /** @param {MouseEvent} event @param {Track} track @param {Hit} hit */
        span(event, track, hit) {
            const name = context.client.name(traceOf(context), hit.name) || '(no name)';
            const bound = track.boundNs > 0 ? ` · each end ±${grouped(track.boundNs)} ns` : '';
            if (hit.exact && !(hit.flags & (SPAN.CLIPPED_BEGIN | SPAN.CLIPPED_END))) {
                hovered = -1;
                tooltip.show(event.clientX, event.clientY, title(name, hueVariable(name)),
                    ...timeLines(context, hit.startNs, hit.endNs, hit.flags & SPAN.UNFINISHED ? 'at least ' : '', bound), ...hitRemarks(track, hit));
                return;
            }
            const many = () => [title(name, hueVariable(name)),
                remark(`the longest of what meets this bin of ${duration(hit.binNs)}; ${counted(hit.count, 'span')} start in it`)];
            tooltip.show(event.clientX, event.clientY, ...many());
            if (hovered !== hit.row) {
                hovered = hit.row;
                void exactTimes(hit.row, (lines) => tooltip.show(event.clientX, event.clientY, ...many(), ...lines));
            }
        },
        /**
         * A dependency: both ends, and what is not certain of it.
         * @param {MouseEvent} event @param {{ link: number, source: number, target: number, family: number, marks: number }} link
         */
        async link(event, link) {
            const head = title(`dependency: ${familyName(link.family)}`);
            const remarks = [
                link.marks & (LINK.SOURCE_PROJECTED | LINK.TARGET_PROJECTED) ? remark('drawn at a span around a hidden end') : null,
                link.marks & (LINK.SOURCE_HIDDEN | LINK.TARGET_HIDDEN) ? remark('an end is hidden by the filter') : null,
                link.marks & LINK.UNCLAIMED ? remark('which end came first is not certain: the clocks do not tell') : null,
            ];
            hovered = -1;
            if (linkHovered !== link.link) {
                linkHovered = link.link;
                tooltip.show(event.clientX, event.clientY, head, ...remarks);
                try {
                    const order = context.client.supersede(CHANNEL.HOVER);
                    const [from, to] = await Promise.all([link.source, link.target].map((row) => askSpan(context.client, traceOf(context), row, order)));
                    linkLines = [figures(`${from.name || '(no name)'} → ${to.name || '(no name)'}`), figures(`gap ${readableNs(to.startNs - from.endNs)}`)];
                } catch (error) {
                    linkHovered = isCancelled(error) ? linkHovered : -1;
                    linkLines = [];
                }
            }
            if (linkHovered === link.link && stage.matches(':hover')) {
                tooltip.show(event.clientX, event.clientY, head, ...linkLines.map((line) => line.cloneNode(true)), ...remarks);
            }
        },
        /** @param {MouseEvent} event @param {Track} track @param {bigint} at */
        counter(event, track, at) {
            hovered = -1;
            const { counters, metrics, frames } = store.state;
            const counter = counters.find((item) => item.counter === track.counter);
            if (!counter) {
                return;
            }
            const metric = metrics.find((item) => item.counter === track.counter);
            const value = counterAt(counter, Number(at - counter.startNs));
            const frame = metric?.kind === 'frame counter' && value && frames ? frameAtTime(frames, counter.startNs + BigInt(Math.round(value.timeNs))) : -1;
            const lines = !value ? [remark('no sample yet at this time')]
                : counter.exact ? [figures(exactReading(value.value, track.unit)),
                    figures(frame >= 0 && frames ? `in frame ${frames.id[frame]}` : `sampled at ${relative(context, counter.startNs + BigInt(value.timeNs))}`)]
                    : [figures(`${reading(value.least, track.unit)} to ${reading(value.most, track.unit)}`), remark('the range of several samples here: zoom in for each')];
            const kind = metric && metric.kind !== 'not told' ? `${metric.kind}${metric.accuracy === 'estimated' ? ', estimated' : ''}` : '';
            tooltip.show(event.clientX, event.clientY, title(track.name), ...lines, kind ? remark(kind) : null);
        },
        /** @param {MouseEvent} event @param {Track | null} track @param {Marked} marked @returns {boolean} whether there was anything */
        marks(event, track, { loss, flag }) {
            if (!loss && !flag) {
                return false;
            }
            hovered = -1;
            const name = (/** @type {number} */ id) => context.client.name(traceOf(context), id);
            const start = store.state.instants?.startNs ?? 0n;
            const lossLines = loss ? [title(`${counted(loss.count, 'event')} lost`),
                remark(`${loss.gaps > 1 ? `at ${grouped(loss.gaps)} places here` : 'before this time'}${track ? `, on ${track.name}` : ''}: `
                    + `spans and markers are missing. ${NO_PROOF}`)] : [];
            const flagLines = !flag ? [] : flag.count === 1
                ? [title(instantText(name(flag.first.name), null)), flag.first.value === null ? null : figures(grouped(flag.first.value)),
                    figures(`at ${relative(context, start + BigInt(Math.round(flag.first.at)))}`)]
                : severalLines(flag, store.state.instants?.binned === true, name);
            tooltip.show(event.clientX, event.clientY, ...lossLines, ...flagLines);
            return true;
        },
        /** @param {MouseEvent} event @param {string} head @param {string} text */
        say(event, head, text) {
            hovered = -1;
            tooltip.show(event.clientX, event.clientY, title(head), remark(text));
        },
        /** A note, or nothing. @param {MouseEvent} event @param {bigint} at */
        note(event, at) {
            hovered = -1;
            const { marks, window, timelineWidthPx } = store.state;
            const near = BigInt(Math.ceil((window.lengthNs / timelineWidthPx) * 8));
            const note = marks.find((mark) => mark.timeNs - at < near && at - mark.timeNs < near);
            if (note) {
                tooltip.show(event.clientX, event.clientY, title('note'), remark(note.text), figures(relative(context, note.timeNs)));
            } else {
                tooltip.hide();
            }
        },
    };
}
