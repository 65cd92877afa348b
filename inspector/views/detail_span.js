// SPDX-License-Identifier: MIT
// @ts-check
/* Everything that is known of one span. What is not known says so. */

import { announce, h, icon } from './dom.js';
import { passUses, waitLists } from './detail_links.js';
import { sparkline } from './detail_spark.js';
import { workParts } from './detail_work.js';
import { hueVariable } from '../draw/palette.js';
import { PEERS_WORDS, REASONS } from '../model/anomalies.js';
import { exactNs, grouped, readableNs, shortDuration, UNKNOWN } from '../model/format.js';
import { SPAN } from '../model/lanes.js';
import { changeText } from '../model/pass_cost.js';
import { durationAt, partsAt, stepOfPeriod } from '../model/precision.js';
import { againstMedian, warnings } from '../model/span.js';
import { trackOf } from '../state/app_state.js';
import { focusOn, hasLinks } from '../state/links_data.js';
import { goToFrame } from '../state/navigate.js';
import { choosePath } from '../state/path_data.js';
import { select, selectAndReveal } from '../state/selection.js';
import { toggleSlice } from '../state/slice_data.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../state/app_state.js').Selection} Selection */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('./dom.js').Child} Child */

/** The step of a span's clock: what is smaller means nothing. @param {AppState} state @param {SpanInfo} info */
function stepOf(state, info) {
    const clock = trackOf(state, info.track)?.clock ?? -1;
    return stepOfPeriod(state.info?.clocks[clock]?.period ?? '1');
}

/** The frame graph of the span's own frame. @param {AppState} state @param {Selection} selection @returns {FrameStructure | null} */
function graphOf(state, selection) {
    const { info, structure } = selection;
    return structure ?? (state.structure && state.structure.frame === info.frame ? state.structure : null);
}

/** @param {Context} context @param {Selection} selection @param {Palette} palette @returns {Child[]} */
export function spanDetail(context, selection, palette) {
    const { state } = context.store;
    const { info, series } = selection;
    const graph = graphOf(state, selection);
    const step = stepOf(state, info);
    announce(`${info.name || '(no name)'}, ${durationAt(info.endNs - info.startNs, step)}`);
    return [
        ...heading(context, info.name),
        pathLine(context, info),
        ...durationLines(context, selection, step),
        ...warnings(info.flags).map((text) => h('p', { class: 'warning' }, text)),
        ...(series ? sparkline(context, palette, series, info.frame) : []),
        ...change(context, info, step),
        ...uses(context, info, graph),
        ways(context, info),
        ...workParts({ context, graph, pass: info.pass }, info.properties),
        ...waitLists(context, info, step),
        ...fragments(context, info, step),
        ...times(context, info),
    ];
}

/** What can be asked from a span on. @param {Context} context @param {SpanInfo} info */
function ways(context, info) {
    const { explore } = context.store.state.place;
    const slice = explore.slice?.row === info.row ? explore.slice.way : null;
    return !hasLinks(context) ? null : h('div', { class: 'asks' },
        h('button', { class: 'action', title: 'Dim what is not connected to it by dependencies (R)', onclick: () => focusOn(context, info.row) },
            explore.focus?.seeds.includes(info.row) ? 'Leave focus' : 'Focus'),
        h('button', { class: 'action', title: 'What it depends on, and what it waited for (G)', onclick: () => choosePath(context, explore.path.of === 'span' ? 'off' : 'span') },
            explore.path.of === 'span' ? 'End the path' : 'Critical path'),
        h('button', { class: 'action', title: 'Dim all but what led to it, and list the waits (X)', onclick: () => void toggleSlice(context, 'back') },
            slice === 'back' ? 'All spans again' : 'What led to it'),
        h('button', { class: 'action', title: 'Dim all but what followed from it (Shift+X)', onclick: () => void toggleSlice(context, 'on') },
            slice === 'on' ? 'All spans again' : 'What it caused'));
}

/** Its score among its peers, or why it has none. @param {Context} context @param {SpanInfo} info */
function scoreLine(context, info) {
    const { rowScore, anomalies, place } = context.store.state;
    if (!rowScore || !anomalies || rowScore.row !== info.row) {
        return null;
    }
    const { from, by } = place.explore.baseline;
    const listed = anomalies.rows.find((item) => item.row === info.row);
    const text = rowScore.tint === 0 ? `Not scored: ${REASONS[rowScore.reason]}.`
        : listed ? `Unusual: ${listed.score.toFixed(1)} deviations from `
            + `${shortDuration(Number(listed.meanNs))} ±${shortDuration(Number(listed.deviationNs))}, as usual for ${PEERS_WORDS[by]}.`
            : rowScore.tint >= 128 ? `Unusual: ${from} deviations or more from its peers.` : `Usual: under ${from} deviations from its peers.`;
    return h('p', { class: rowScore.tint >= 128 ? 'warning' : 'faint' }, text);
}

/** @param {Context} context @param {string} name @returns {Child[]} */
export function heading(context, name) {
    return [h('h2', {}, h('span', { class: 'chip', colour: hueVariable(name) }), h('span', {}, name || '(no name)'),
        h('button', { class: 'close', title: 'Drop the selection (Esc)', aria: { label: 'Drop the selection' }, onclick: () => select(context, null) }, icon('close')))];
}

/** @param {Context} context @param {SpanInfo} info */
function pathLine(context, info) {
    const { state } = context.store;
    const frame = info.frame;
    const track = trackOf(state, info.track);
    /** @type {Child[]} */
    const parts = [];
    if (frame !== null && state.frames) {
        parts.push(h('button', { onclick: () => goToFrame(context, frame) }, `frame ${state.frames.id[frame]}`), ' › ');
    }
    for (const scope of info.scope === '' ? [] : info.scope.split('/')) {
        parts.push(scope, ' › ');
    }
    if (info.passName !== '' && info.passName !== info.name) {
        parts.push(info.passName, ' › ');
    }
    if (parts.length > 0) {
        parts.push(info.name || '(no name)', '  ·  ');
    }
    parts.push(track?.name ?? '');
    if (info.parent !== null) {
        const parent = info.parent;
        parts.push('  ·  ', h('button', { title: 'P', onclick: () => void selectAndReveal(context, parent) }, 'parent'));
    }
    return h('div', { class: 'path' }, ...parts);
}

/** @param {Context} context @param {Selection} selection @param {number} step @returns {Child[]} */
function durationLines(context, selection, step) {
    const { info, series } = selection;
    const length = info.endNs - info.startNs;
    const parts = partsAt(length, step);
    const bound = info.domain === 'calibrated' && info.boundNs >= 0 ? `each end ±${durationAt(info.boundNs, 1)}` : '';
    const against = series && info.frame !== null ? againstMedian(series, info.frame) : '';
    const open = info.flags & SPAN.UNFINISHED ? 'at least ' : '';
    return [
        h('div', { class: 'big' }, open ? h('small', {}, open) : null, parts.number, h('small', {}, ` ${[parts.unit, bound].filter(Boolean).join(' · ')}`)),
        h('div', { class: 'num exact' }, [exactNs(length), info.selfNs !== null && info.children > 0 && !open ? `self ${readableNs(info.selfNs)}` : '',
            step > 1 ? `its clock ticks every ${Number(step.toFixed(3))} ns` : ''].filter(Boolean).join(' · ')),
        against ? h('div', {}, against) : null,
        scoreLine(context, info),
        info.domain === 'nominal' ? h('p', { class: 'warning' }, nominalText(context, info)) : null,
    ];
}

/** @param {Context} context @param {SpanInfo} info */
function nominalText(context, info) {
    const { state } = context.store;
    const clock = trackOf(state, info.track)?.clock ?? -1;
    const reason = state.info?.clocks[clock]?.reason ?? '';
    return `Nominal clock: the length is the device's own, the place against other tracks is not measured. ${reason}`.trim();
}

/** Against the last frame in which it ran. @param {Context} context @param {SpanInfo} info @param {number} step @returns {Child[]} */
function change(context, info, step) {
    const { panel, frames } = context.store.state;
    if (!panel?.change || panel.base === null || !frames || panel.pass !== info.identity || panel.frame !== info.frame) {
        return [];
    }
    const { title, text } = changeText(panel.change, `frame ${frames.id[panel.base]}`, step);
    return [h('h3', {}, title), h('p', { class: 'change' }, text)];
}

/** @param {Context} context @param {SpanInfo} info @param {FrameStructure | null} graph @returns {Child[]} */
function uses(context, info, graph) {
    if (info.pass === null) {
        return [];
    }
    if (graph && graph.passes[info.pass]) {
        return passUses(context, graph, info.pass);
    }
    return context.store.state.info?.level === 0 ? [h('h3', {}, 'reads and writes'), h('p', { class: 'faint' }, 'not recorded at the timing level')] : [];
}

/** @param {Context} context @param {SpanInfo} info @param {number} step @returns {Child[]} */
function fragments(context, info, step) {
    if (info.fragments.length < 2) {
        return [];
    }
    return [h('h3', {}, `${info.fragments.length} fragments of this pass`), h('dl', { class: 'num' }, ...info.fragments.flatMap((part) => [
        h('dt', {}, part.row === info.row ? `span ${part.row} (this)`
            : h('button', { class: 'link', onclick: () => void selectAndReveal(context, part.row) }, `span ${part.row}`)),
        h('dd', {}, durationAt(part.endNs - part.startNs, step)),
    ]))];
}

/** @param {Context} context @param {SpanInfo} info @returns {Child[]} */
function times(context, info) {
    const origin = context.store.state.info?.startNs ?? 0n;
    const clock = { host: 'CPU clock', calibrated: `calibrated, ±${grouped(Math.max(0, info.boundNs))} ns`, nominal: 'nominal' }[info.domain];
    return [h('h3', {}, 'times from the start'), h('dl', { class: 'num' },
        h('dt', {}, 'begin'), h('dd', {}, readableNs(info.startNs - origin)),
        h('dt', {}, 'end'), h('dd', { class: info.flags & SPAN.UNFINISHED ? 'unknown' : '' }, info.flags & SPAN.UNFINISHED ? UNKNOWN : readableNs(info.endNs - origin)),
        h('dt', {}, 'clock'), h('dd', {}, clock),
        ...(info.origin !== null ? [h('dt', {}, 'query pool'), h('dd', {}, String(info.origin))] : []),
        ...(info.category ? [h('dt', {}, 'category'), h('dd', {}, info.category)] : []),
        h('dt', {}, 'row'), h('dd', {}, grouped(info.row)))];
}
