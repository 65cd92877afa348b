// SPDX-License-Identifier: MIT
// @ts-check
/* Everything that is known of one span. What is not known says so. */

import { announce, h, icon, pixelRatio, pointIn } from './dom.js';
import { prepare } from '../draw/canvas.js';
import { hueVariable } from '../draw/palette.js';
import { drawSpark } from '../draw/spark.js';
import { duration, durationParts, exactNs, grouped, milliseconds, counted, UNKNOWN } from '../model/format.js';
import { frameAtPx } from '../model/frames.js';
import { SPAN } from '../model/lanes.js';
import { againstMedian, passResources, propertyLabel, propertyText, resourceBytes, resourceShape, warnings } from '../model/span.js';
import { trackOf } from '../state/app_state.js';
import { goToFrame } from '../state/navigate.js';
import { select, selectAndReveal } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').Selection} Selection */
/** @typedef {import('../draw/palette.js').Palette} Palette */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/span.js').Property} Property */
/** @typedef {import('../model/span.js').Link} Link */
/** @typedef {import('../model/span.js').Resource} Resource */
/** @typedef {import('../model/span.js').Structure} Structure */
/** @typedef {import('./dom.js').Child} Child */

const SPARK_HEIGHT = 60;
/** From so many on, groups of one name are folded. */
const MANY = 4;
/** Long tables begin with these groups; the rest follows in its own order. */
const GROUP_TITLES = /** @type {Record<string, string>} */ ({ work: 'work', pipeline: 'pipeline', attachments: 'attachments', bindings: 'bindings',
    statistics: 'statistics queries', submission: 'submission', arguments: 'arguments' });

/** @param {Context} context @param {Selection} selection @param {Palette} palette @returns {Child[]} */
export function spanDetail(context, selection, palette) {
    const { info, structure } = selection;
    const name = info.name || '(no name)';
    announce(`${name}, ${duration(info.endNs - info.startNs)}`);
    return [
        h('h2', {}, h('span', { class: 'chip', colour: hueVariable(info.name) }), h('span', {}, name),
            h('button', { class: 'close', title: 'Drop the selection (Esc)', aria: { label: 'Drop the selection' }, onclick: () => select(context, null) }, icon('close'))),
        pathLine(context, info),
        ...durationLines(context, selection),
        ...warnings(info.flags).map((text) => h('p', { class: 'warning' }, text)),
        ...sparkline(context, selection, palette),
        ...properties(context, info, structure),
        ...resources(info, structure, context.store.state.info?.level ?? null),
        ...links(context, info),
        ...fragments(context, info),
        ...times(context, info),
    ];
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
    parts.push(info.name || '(no name)', '  ·  ', track?.name ?? '');
    if (info.parent !== null) {
        const parent = info.parent;
        parts.push('  ·  ', h('button', { title: 'P', onclick: () => void selectAndReveal(context, parent) }, 'parent'));
    }
    return h('div', { class: 'path' }, ...parts);
}

/** @param {Context} context @param {Selection} selection @returns {Child[]} */
function durationLines(context, selection) {
    const { info, series } = selection;
    const length = info.endNs - info.startNs;
    const parts = durationParts(length);
    const bound = info.domain === 'calibrated' && info.boundNs >= 0 ? `each end ±${duration(info.boundNs)}` : '';
    const against = series && info.frame !== null ? againstMedian(series, info.frame) : '';
    const open = info.flags & SPAN.UNFINISHED ? 'at least ' : '';
    return [
        h('div', { class: 'big' }, open ? h('small', {}, open) : null, parts.number, h('small', {}, ` ${[parts.unit, bound].filter(Boolean).join(' · ')}`)),
        h('div', { class: 'num exact' }, [exactNs(length), info.selfNs !== null && info.children > 0 && !open ? `self ${exactNs(info.selfNs)}` : ''].filter(Boolean).join(' · ')),
        against ? h('div', {}, against) : null,
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

/** @param {Context} context @param {Selection} selection @param {Palette} palette @returns {Child[]} */
function sparkline(context, selection, palette) {
    const { series, info } = selection;
    const count = context.store.state.frames?.count ?? 0;
    if (!series || series.frame.length < 2) {
        return [];
    }
    const canvas = h('canvas', { role: 'img', aria: { label: 'Its time in every frame' } });
    const box = h('div', { class: 'spark', title: 'Its time in every frame; a click goes to the frame' }, canvas);
    box.addEventListener('click', (event) => {
        goToFrame(context, frameAtPx(pointIn(box, event).x, box.clientWidth, count));
    });
    // The width is known once the panel is on the page.
    requestAnimationFrame(() => {
        if (canvas.isConnected) {
            const width = box.clientWidth;
            drawSpark(prepare(canvas, width, SPARK_HEIGHT, pixelRatio()), palette, width, SPARK_HEIGHT, series, count, info.frame);
        }
    });
    return [box, h('div', { class: 'num spark-note' },
        `${counted(series.frame.length, 'frame')} · median ${milliseconds(series.medianNs)} · p95 ${milliseconds(series.p95Ns)} · max ${milliseconds(series.maxNs)} ms`)];
}

/** @param {Context} context @param {SpanInfo} info @param {Structure | null} structure @returns {Child[]} */
function properties(context, info, structure) {
    const groups = info.properties.filter((property) => property.value.type === 'group');
    const loose = info.properties.filter((property) => property.value.type !== 'group');
    const section = (/** @type {string} */ title, /** @type {Property[]} */ list) => (list.length === 0 ? [] : [
        h('h3', {}, title),
        h('dl', { class: 'num' }, ...propertyList(context, list, structure, 0)),
    ]);
    return [
        ...groups.flatMap((group) => section(GROUP_TITLES[group.key] ?? group.key, group.children)),
        ...section('also', loose),
    ];
}

/**
 * Groups of one name that come often are folded into one line: a pass may hold hundreds of calls.
 * @param {Context} context @param {Property[]} list @param {Structure | null} structure @param {number} depth
 * @returns {Child[]}
 */
function propertyList(context, list, structure, depth) {
    /** @type {Map<string, Property[]>} */
    const groups = new Map();
    for (const property of list.filter((item) => item.value.type === 'group')) {
        groups.set(property.key, [...(groups.get(property.key) ?? []), property]);
    }
    return list.flatMap((property) => {
        const same = groups.get(property.key) ?? [];
        if (property.value.type !== 'group' || same.length < MANY) {
            return propertyRows(context, property, structure, depth);
        }
        if (property !== same[0]) {
            return [];
        }
        return [h('div', { class: 'span' }, h('details', {}, h('summary', {}, `${grouped(same.length)} × ${property.key}`),
            h('dl', {}, ...same.flatMap((item) => propertyRows(context, item, structure, depth)))))];
    });
}

/**
 * @param {Context} context
 * @param {Property} property
 * @param {Structure | null} structure
 * @param {number} depth
 * @returns {Child[]}
 */
function propertyRows(context, property, structure, depth) {
    const indent = depth === 0 ? '' : depth === 1 ? 'deep' : 'deeper';
    const { value } = property;
    if (value.type === 'group') {
        return [h('dt', { class: `group ${indent}` }, property.key),
            ...propertyList(context, property.children, structure, depth + 1)];
    }
    /** @type {Child} */
    let shown = propertyText(property);
    if (value.type === 'span') {
        const { row } = value;
        shown = h('button', { class: 'link', onclick: () => void selectAndReveal(context, row) }, `span ${row}`);
    } else if (value.type === 'resource') {
        const resource = structure?.resources[value.index];
        shown = resource ? `${resource.name} v${resource.version}` : `resource ${value.index}`;
    }
    const long = typeof shown === 'string' && shown.length > 26;
    return [h('dt', { class: indent }, propertyLabel(property)),
        h('dd', { class: [value.type === 'unknown' ? 'unknown' : '', long ? 'wide' : ''].join(' ') }, shown)];
}

/** @param {Resource} resource */
function aboutResource(resource) {
    return [`v${resource.version}`, resource.imported ? 'imported' : '', resourceShape(resource)].filter(Boolean).join(' ');
}

/**
 * @param {SpanInfo} info
 * @param {Structure | null} structure
 * @param {number | null} level
 * @returns {Child[]}
 */
function resources(info, structure, level) {
    if (info.pass === null) {
        return [];
    }
    if (!structure) {
        return level === 0 ? [h('h3', {}, 'reads and writes'), h('p', { class: 'faint' }, 'not recorded at the timing level')] : [];
    }
    const { reads, writes } = passResources(structure, info.pass);
    const section = (/** @type {string} */ title, /** @type {Resource[]} */ list) => (list.length === 0 ? [] : [
        h('h3', {}, title),
        h('dl', { class: 'num' }, ...list.flatMap((resource) => [
            h('dt', {}, resource.name, ' ', h('span', { class: 'faint' }, aboutResource(resource))),
            h('dd', { class: resource.bytes < 0n ? 'unknown' : '' }, resourceBytes(resource)),
        ])),
    ]);
    const any = reads.length + writes.length > 0;
    return [...section('reads', reads), ...section('writes', writes),
        any ? h('p', { class: 'faint num' }, 'sizes as declared, not as allocated') : h('p', { class: 'faint' }, 'It reads and writes no resource of the graph.')];
}

/** @param {Context} context @param {SpanInfo} info @returns {Child[]} */
function links(context, info) {
    const row = (/** @type {Link} */ link) => {
        const target = link.row;
        const label = target === null ? h('span', { class: 'faint' }, `${link.name || 'outside of the capture'}`)
            : h('button', { class: 'link', onclick: () => void selectAndReveal(context, target) }, link.name || `span ${target}`);
        const gap = link.gapNs === null ? 'not claimed' : duration(link.gapNs);
        return [h('dt', {}, label, ' ', h('span', { class: 'faint' }, link.family)), h('dd', { class: link.gapNs === null ? 'unknown' : '' }, gap)];
    };
    return [
        h('h3', {}, 'waited on'),
        info.waits.length > 0 ? h('dl', { class: 'num' }, ...info.waits.flatMap((link) => row(link))) : h('p', { class: 'faint' }, 'nothing known'),
        ...(info.waits.some((link) => link.gapNs === null && link.row !== null)
            ? [h('p', { class: 'faint' }, 'A gap that is smaller than the clocks\' error, or that crosses clocks, is not claimed.')] : []),
        ...(info.wakes.length > 0 ? [h('h3', {}, 'waited for by'), h('dl', { class: 'num' }, ...info.wakes.flatMap((link) => row(link)))] : []),
    ];
}

/** @param {Context} context @param {SpanInfo} info @returns {Child[]} */
function fragments(context, info) {
    if (info.fragments.length < 2) {
        return [];
    }
    return [h('h3', {}, `${info.fragments.length} fragments of this pass`), h('dl', { class: 'num' }, ...info.fragments.flatMap((part) => [
        h('dt', {}, part.row === info.row ? `span ${part.row} (this)`
            : h('button', { class: 'link', onclick: () => void selectAndReveal(context, part.row) }, `span ${part.row}`)),
        h('dd', {}, duration(part.endNs - part.startNs)),
    ]))];
}

/** @param {Context} context @param {SpanInfo} info @returns {Child[]} */
function times(context, info) {
    const origin = context.store.state.info?.startNs ?? 0n;
    const clock = { host: 'CPU clock', calibrated: `calibrated, ±${grouped(Math.max(0, info.boundNs))} ns`, nominal: 'nominal' }[info.domain];
    return [h('h3', {}, 'times from the start'), h('dl', { class: 'num' },
        h('dt', {}, 'begin'), h('dd', {}, exactNs(info.startNs - origin)),
        h('dt', {}, 'end'), h('dd', { class: info.flags & SPAN.UNFINISHED ? 'unknown' : '' }, info.flags & SPAN.UNFINISHED ? UNKNOWN : exactNs(info.endNs - origin)),
        h('dt', {}, 'clock'), h('dd', {}, clock),
        ...(info.origin !== null ? [h('dt', {}, 'query pool'), h('dd', {}, String(info.origin))] : []),
        ...(info.category ? [h('dt', {}, 'category'), h('dd', {}, info.category)] : []),
        h('dt', {}, 'row'), h('dd', {}, grouped(info.row)))];
}
