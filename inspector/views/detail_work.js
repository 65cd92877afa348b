// SPDX-License-Identifier: MIT
// @ts-check
/* What a GPU pass was given to do: calls, attachments, bindings, queries, and what they cost. */

import { h } from './dom.js';
import { versionLink, passLink } from './detail_links.js';
import { propertyDt, propertyRows } from './detail_properties.js';
import { counted, grouped, UNKNOWN } from '../model/format.js';
import { find, readAttachment, readCalls, readQueries } from '../model/pass_parts.js';
import { listText } from '../model/span.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/span.js').Property} Property */
/** @typedef {import('../model/pass_parts.js').Call} Call */
/** @typedef {import('../model/pass_parts.js').Binding} Binding */
/** @typedef {import('./dom.js').Child} Child */
/** @typedef {{ context: Context, graph: FrameStructure | null, pass: number | null }} Where the graph of the span's frame, and its pass in it */

/** From so many on, calls are folded. */
const MANY_CALLS = 8;
/** Groups that have a form of their own here. */
const OWN = new Set(['work', 'attachments', 'statistics', 'resolved', 'submission']);
const TITLES = /** @type {Record<string, string>} */ ({ pipeline: 'pipelines', arguments: 'arguments' });

/** @param {Where} where @param {readonly Property[]} properties @returns {Child[]} */
export function workParts(where, properties) {
    const rest = properties.filter((property) => property.value.type === 'group' && !OWN.has(property.key) && listText(property) === null);
    const loose = properties.filter((property) => property.value.type !== 'group' || (!OWN.has(property.key) && listText(property) !== null));
    return [
        ...work(where, properties),
        ...rest.flatMap((group) => generic(where, TITLES[group.key] ?? group.key, group.children)),
        ...attachments(where, find(properties, 'attachments')),
        ...queries(find(properties, 'statistics')),
        ...generic(where, 'also', loose),
        ...generic(where, 'submission', find(properties, 'submission')?.children ?? []),
    ];
}

/** A group that has no form of its own. @param {Where} where @param {string} title @param {readonly Property[]} list @returns {Child[]} */
function generic(where, title, list) {
    const said = told(title, list);
    return list.length === 0 ? [] : [h('h3', {}, ...said.title), h('dl', { class: 'num' }, ...propertyRows(where, list, 0, said.isSaid))];
}

/**
 * Where all figures come from the same source it is said once, in the title.
 * @param {string} title
 * @param {readonly Property[]} list
 * @returns {{ title: Child[], isSaid: boolean }}
 */
function told(title, list) {
    const { quality } = list[0] ?? { quality: 'plain' };
    const isSaid = quality !== 'plain' && list.every((property) => property.quality === quality);
    return { title: isSaid ? [title, h('span', { class: 'quality' }, ` ${quality}`)] : [title], isSaid };
}

/** @param {Where} where @param {readonly Property[]} properties @returns {Child[]} */
function work(where, properties) {
    const group = find(properties, 'work');
    if (!group) {
        return [];
    }
    const calls = readCalls(properties);
    const figures = group.children.filter((child) => child.value.type !== 'group' && child.key !== 'has indirect');
    const indirect = find(group.children, 'has indirect')?.value;
    const { title, isSaid } = told('work', figures);
    const all = h('ul', { class: 'calls num' }, ...calls.map((call, i) => callItem(where, call, i, calls.length)));
    return [
        h('h3', {}, ...title),
        h('dl', { class: 'num' }, ...propertyRows(where, figures, 0, isSaid)),
        indirect?.type === 'text' && indirect.text === 'yes' ? h('p', { class: 'faint' }, 'Some counts are on the device: known only where they were read back.') : null,
        calls.length > MANY_CALLS ? h('details', {}, h('summary', {}, counted(calls.length, 'call')), all) : calls.length > 0 ? all : null,
    ];
}

/** @param {Where} where @param {Call} call @param {number} number @param {number} count */
function callItem(where, call, number, count) {
    const quality = call.amount === '' ? '' : call.quality === 'unknown' ? '' : ` (${call.quality})`;
    const rows = [
        ...(call.invocations ? [h('dt', {}, 'invocations (derived)'), h('dd', { class: call.invocations === UNKNOWN ? 'unknown' : '' }, call.invocations)] : []),
        ...(call.workgroup ? [h('dt', {}, 'workgroup size'), h('dd', { class: call.workgroup === UNKNOWN ? 'unknown' : '' }, call.workgroup)] : []),
        ...(call.pipeline ? [h('dt', {}, 'pipeline'), h('dd', {}, call.pipeline)] : []),
        ...propertyRows(where, call.rest, 0),
    ];
    const bindings = call.bindings.length === 0 ? null : h('details', {}, h('summary', {}, counted(call.bindings.length, 'binding')),
        h('ul', { class: 'uses' }, ...call.bindings.map((binding) => bindingItem(where, binding))));
    const head = [h('b', {}, call.name), call.repeat > 1 ? ` × ${grouped(call.repeat)}` : '', ' ',
        h('span', { class: call.amount === UNKNOWN ? 'unknown' : '' }, call.amount + quality)];
    if (count <= 2) {
        return h('li', {}, h('div', {}, ...head), h('dl', {}, ...rows), bindings);
    }
    return h('li', {}, h('details', { class: 'call' }, h('summary', {}, h('span', { class: 'faint' }, `${number} `), ...head,
        call.pipeline ? h('span', { class: 'faint' }, ` · ${call.pipeline}`) : null), h('dl', {}, ...rows), bindings));
}

/** The version of a resource that the pass uses: what it reads, else what it writes. @param {Where} where @param {bigint | null} id */
function versionUsed(where, id) {
    const { graph, pass } = where;
    if (!graph || pass === null || id === null) {
        return null;
    }
    return [...graph.inputsOf(pass), ...graph.outputsOf(pass)].find((version) => graph.versions[version].id === id) ?? null;
}

/** @param {Where} where @param {Binding} binding */
function bindingItem(where, binding) {
    const { context, graph, pass } = where;
    const version = versionUsed(where, binding.id);
    // A resource of the graph that the graph does not declare for this pass is worth knowing.
    const other = version === null && graph ? graph.versions.reduce((last, item, i) => (item.id === binding.id ? i : last), -1) : -1;
    const name = binding.name || (binding.id !== null ? `object 0x${binding.id.toString(16)}` : UNKNOWN);
    const shown = version ?? (other >= 0 ? other : null);
    return h('li', {},
        h('div', { class: 'use' }, h('span', {}, h('span', { class: 'faint' }, `${binding.slot} `),
            graph && shown !== null ? versionLink(context, graph, shown, version === null ? graph.versions[shown].name : undefined) : name),
        h('span', { class: 'figure' }, binding.range)),
        h('div', { class: 'who' }, binding.kind, ...(graph && version !== null ? boundFrom(where, graph, version)
            : graph && pass !== null && other >= 0 ? [', not declared by the graph for this pass'] : [])));
}

/** Who made what is bound. @param {Where} where @param {FrameStructure} graph @param {number} version @returns {Child[]} */
function boundFrom(where, graph, version) {
    const writers = graph.writersOf(version);
    const others = writers.filter((other) => other !== where.pass);
    return others.length > 0 ? [', written by ', passLink(where.context, graph, others[0])]
        : writers.length > 0 ? [', this pass writes it'] : [graph.versions[version].imported ? ', imported' : ''];
}

/** One line for each. @param {Where} where @param {Property | undefined} group @returns {Child[]} */
function attachments(where, group) {
    if (!group || group.children.length === 0) {
        return [];
    }
    const { context, graph } = where;
    return [h('h3', {}, 'attachments'), h('ul', { class: 'uses' }, ...group.children.map((child) => {
        const { slot, resource, shape, load, store } = readAttachment(child);
        const known = resource !== null && graph?.versions[resource] !== undefined;
        return h('li', {}, h('div', { class: 'use' },
            h('span', {}, h('span', { class: 'faint' }, `${slot} `), known && graph ? versionLink(context, graph, resource) : null,
                ' ', h('span', { class: 'faint num' }, shape)),
            h('span', { class: 'figure', title: `${load} at its begin, ${store} at its end` }, ops(load, store))));
    }))];
}

/** @param {string} load @param {string} store */
function ops(load, store) {
    const word = (/** @type {string} */ text) => h('span', { class: text === UNKNOWN ? 'unknown' : '' }, text);
    return h('span', {}, word(load), ' → ', word(store));
}

/** @param {Property | undefined} group @returns {Child[]} */
function queries(group) {
    if (!group) {
        return [];
    }
    const { counted: some, zero } = readQueries(group);
    const { title, isSaid } = told('statistics queries', group.children);
    return [h('h3', {}, ...title),
        some.length > 0 ? h('dl', { class: 'num' }, ...some.flatMap((property) => propertyDt(property, isSaid))) : null,
        zero.length > 0 ? h('p', { class: 'faint' }, `Counted as 0: ${zero.join(', ')}.`) : null];
}
