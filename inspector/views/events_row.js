// SPDX-License-Identifier: MIT
// @ts-check
/* One line of the list of events: an event, or a thing that it uses. */

import { h, icon } from './dom.js';
import { hueVariable } from '../draw/palette.js';
import { isCall, qualityText, workText } from '../model/events.js';
import { counted, duration, exactNs, UNKNOWN } from '../model/format.js';
import { accessText, versionName } from '../model/structure.js';
import { trackOf } from '../state/app_state.js';
import { selectPass, selectResource } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/events.js').FrameEvents} FrameEvents */
/** @typedef {import('../model/events.js').FrameEvent} FrameEvent */
/** @typedef {import('../model/events.js').EventKind} EventKind */
/** @typedef {import('../model/events.js').EventLine} EventLine */
/** @typedef {import('./dom.js').Child} Child */
/**
 * What lines are made with.
 * @typedef {object} Lines
 * @property {Context} context
 * @property {FrameEvents} list
 * @property {{ main: number, pass: number | null, version: number | null }} marks
 * @property {{ startNs: bigint, endNs: bigint } | null} extent of the frame's bars
 * @property {{ toggle: (event: number) => void, toggleUses: (event: number) => void, choose: (line: number) => void,
 *     openOf: (event: number) => boolean, usesOpen: (event: number) => boolean }} actions
 */

/** @type {readonly { label: string, width: string, class: string, title?: string }[]} */
export const EVENT_COLUMNS = [
    { label: 'event', width: '32%', class: 'text' },
    { label: 'queue', width: '10%', class: 'text queue' },
    { label: 'begins', width: '10%', class: '', title: 'from the first measured event of the frame' },
    { label: 'takes', width: '10%', class: '', title: 'a dash: never measured, or it never came' },
    { label: 'when', width: '12%', class: 'text when', title: 'its place within the frame' },
    { label: 'work', width: '17%', class: 'text', title: 'what it asked of the device' },
    { label: 'counted', width: '8%', class: 'text', title: 'encoded: while recording; resolved: read back from the device' },
    { label: 'pipeline', width: '11%', class: 'text pipeline' },
];
const INDENT_PX = 14;
/** @type {Record<EventKind, string>} */
const KIND_TEXT = {
    submission: 'submit', scope: 'scope', pass: 'pass', 'gpu pass': 'GPU pass', draw: 'draw',
    dispatch: 'dispatch', copy: 'copy', work: 'work', culled: 'culled', wait: 'wait', signal: 'signal',
};

/** @param {Lines} lines @param {EventLine} line @param {number} at position of the line @returns {HTMLTableRowElement} */
export function eventRow(lines, line, at) {
    const { list, marks, actions } = lines;
    const event = list.events[line.event];
    const inside = list.hasInside(line.event);
    const open = inside && actions.openOf(line.event);
    const selected = line.event === marks.main;
    const uses = list.binds[line.event];
    const named = event.name || '(no name)';
    const chip = event.kind === 'pass' || event.kind === 'gpu pass' || event.kind === 'scope';
    const name = h('td', { class: 'text tree' },
        inside ? h('button', { class: 'fold', tabindex: -1, aria: { label: open ? 'fold' : 'unfold' },
            onclick: stopped(() => actions.toggle(line.event)) }, icon('down')) : h('span', { class: 'fold' }),
        h('span', { class: `kind kind-${event.kind.replace(' ', '-')}` }, KIND_TEXT[event.kind]),
        chip ? h('span', { class: 'chip', colour: hueVariable(event.name) }) : null,
        h('span', { class: 'name' }, named),
        uses.length > 0 ? h('button', {
            class: 'use-count', tabindex: -1, title: 'What it uses, and who made that (Space)', aria: { expanded: actions.usesOpen(line.event) },
            onclick: stopped(() => actions.toggleUses(line.event)),
        }, counted(uses.length, 'use')) : null);
    name.style.paddingLeft = `${6 + event.depth * INDENT_PX}px`;
    name.title = named;
    const classes = [selected ? 'on' : '', event.kind === 'culled' ? 'culled' : '', line.match ? '' : 'context',
        event.pass !== null && event.pass === marks.pass && !selected ? 'near' : '', usesVersion(lines, line.event) ? 'uses-it' : ''];
    const row = h('tr', {
        class: classes.filter(Boolean).join(' '), tabindex: -1, data: { line: at, event: line.event },
        aria: { level: event.depth + 1, selected, rowindex: at + 2, ...(inside ? { expanded: open } : {}) },
        onclick: () => actions.choose(at),
    }, name, ...cells(lines, event));
    row.addEventListener('dblclick', () => inside && actions.toggle(line.event));
    return row;
}

/** @param {Lines} lines @param {FrameEvent} event @returns {HTMLElement[]} */
function cells(lines, event) {
    const { context, extent } = lines;
    const measured = event.ns >= 0;
    const begins = measured && extent ? Number(event.startNs - extent.startNs) : 0;
    const quality = qualityText(event);
    const work = workText(event);
    return [
        h('td', { class: 'text queue' }, event.track === null ? '' : trackOf(context.store.state, event.track)?.name ?? ''),
        h('td', {}, measured ? duration(begins) : ''),
        h('td', { title: measured ? exactNs(Math.round(event.ns)) : undefined }, measured ? duration(event.ns) : lacksTime(event) ? h('span', { class: 'faint' }, '–') : ''),
        h('td', { class: 'text when' }, measured && extent ? whenBar(event, extent) : ''),
        h('td', { class: work === UNKNOWN ? 'text faint' : 'text', title: work }, work),
        h('td', { class: `text quality-${quality}` }, quality),
        h('td', { class: 'text pipeline', title: event.pipeline }, event.pipeline),
    ];
}

/** Calls are never measured one by one; that of a pass is missed. @param {FrameEvent} event */
function lacksTime(event) {
    return !isCall(event.kind) && event.kind !== 'wait' && event.kind !== 'signal' && event.kind !== 'submission';
}

/** @param {FrameEvent} event @param {{ startNs: bigint, endNs: bigint }} extent */
function whenBar(event, extent) {
    const length = Number(extent.endNs - extent.startNs);
    const bar = h('i', { colour: event.kind === 'submission' ? 'var(--ink-3)' : hueVariable(event.name) });
    const left = (Number(event.startNs - extent.startNs) / length) * 100;
    bar.style.left = `${Math.min(99, left)}%`;
    bar.style.width = `${Math.max(0.5, Math.min(100 - left, (event.ns / length) * 100))}%`;
    return h('span', { class: 'span-bar' }, bar);
}

/** @param {Lines} lines @param {number} event */
function usesVersion(lines, event) {
    const { marks, list } = lines;
    return marks.version !== null && list.binds[event].some((bind) => bind.resource === marks.version);
}

/** @param {Lines} lines @param {EventLine} line @param {number} at @returns {HTMLTableRowElement} */
export function bindRow(lines, line, at) {
    const { list, context, marks } = lines;
    const { structure } = context.store.state;
    const event = list.events[line.event];
    const bind = list.binds[line.event][line.bind];
    const graph = structure?.frame === list.frame ? structure : null;
    const version = bind.resource;
    const known = graph && version !== null ? graph.versions[version] : undefined;
    const maker = graph && bind.producer !== null ? graph.passes[bind.producer] : undefined;
    const name = known ? versionName(known) : bind.name || '(no name)';
    const what = graph && known && version !== null
        ? h('button', { class: 'link', tabindex: -1, title: 'Select the resource', onclick: stopped(() => selectResource(context, graph.keyOf(version))) }, name) : name;
    const from = maker
        ? h('span', {}, 'written by ', h('button', { class: 'link producer', tabindex: -1, title: 'Go to the pass that made it',
            onclick: stopped(() => selectPass(context, maker.identity)) }, maker.name))
        : h('span', { class: 'faint' }, (bind.access & 1) !== 0 && known ? (known.imported ? 'from outside of the frame' : 'nobody wrote it') : '');
    const first = h('td', { class: 'text tree', colspan: 3 }, h('span', { class: 'fold' }),
        h('span', { class: 'kind kind-use' }, bind.kind === 'declared' ? 'declared' : bind.slot || bind.kind), what);
    first.style.paddingLeft = `${6 + (event.depth + 1) * INDENT_PX}px`;
    const row = h('tr', {
        class: ['bind', version !== null && version === marks.version ? 'on' : ''].filter(Boolean).join(' '), tabindex: -1, data: { line: at, bind: line.bind },
        aria: { level: event.depth + 2, rowindex: at + 2 },
        onclick: () => lines.actions.choose(at),
    }, first, h('td', { class: 'text', colspan: 2 }, accessText(bind.access) || h('span', { class: 'faint' }, bind.kind === 'binding' ? 'use not known' : '')),
    h('td', { class: 'text', colspan: 2 }, from), h('td', { class: 'text' }, bind.text));
    return row;
}

/** A press on a link is none on its row. @param {() => void} work */
function stopped(work) {
    return (/** @type {MouseEvent} */ event) => {
        event.stopPropagation();
        work();
    };
}
