// SPDX-License-Identifier: MIT
// @ts-check
/* Links of the panel: from a pass to its resources, from a resource to its passes, from a span to what it waited for. */

import { h } from './dom.js';
import { hueVariable } from '../draw/palette.js';
import { byteSize, UNKNOWN } from '../model/format.js';
import { durationAt } from '../model/precision.js';
import { resourceShape } from '../model/span.js';
import { selectAndReveal, selectPass, selectResource } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/span.js').Link} Link */
/** @typedef {import('./dom.js').Child} Child */

/** From so many on, a list of passes is folded. */
const MANY_PASSES = 6;

/** @param {Context} context @param {FrameStructure} graph @param {number} index of a pass */
export function passLink(context, graph, index) {
    const pass = graph.passes[index];
    const name = pass.name || '(no name)';
    return h('button', {
        class: pass.culled ? 'link pass-link gone' : 'link pass-link', title: pass.scope ? `${pass.scope}/${name}` : name,
        onclick: () => selectPass(context, pass.identity),
    }, h('span', { class: 'chip', colour: hueVariable(pass.name), aria: { hidden: true } }), name);
}

/** @param {Context} context @param {FrameStructure} graph @param {number} version @param {string} [text] instead of its name */
export function versionLink(context, graph, version, text) {
    const { name, version: number } = graph.versions[version];
    return h('button', { class: 'link', onclick: () => selectResource(context, graph.keyOf(version)) }, text ?? `${name || '(no name)'} v${number}`);
}

/** Passes in their order; many are folded. @param {Context} context @param {FrameStructure} graph @param {readonly number[]} passes @returns {Child[]} */
export function passLinks(context, graph, passes) {
    const join = (/** @type {readonly number[]} */ list) => list.flatMap((pass, i) => [i > 0 ? ', ' : null, passLink(context, graph, pass)]);
    if (passes.length <= MANY_PASSES) {
        return join(passes);
    }
    return [...join(passes.slice(0, MANY_PASSES - 1)), ' ', h('details', { class: 'inline' },
        h('summary', {}, `and ${passes.length - MANY_PASSES + 1} more`), ...join(passes.slice(MANY_PASSES - 1)))];
}

/** Declared bytes. @param {bigint} bytes */
export function bytesText(bytes) {
    return h('span', { class: bytes < 0n ? 'figure unknown' : 'figure' }, bytes < 0n ? UNKNOWN : byteSize(bytes));
}

/** @param {Context} context @param {FrameStructure} graph @param {number} version @param {Child[]} who */
function useOf(context, graph, version, who) {
    const resource = graph.versions[version];
    return h('li', {},
        h('div', { class: 'use' }, h('span', {}, versionLink(context, graph, version), ' ', h('span', { class: 'faint num' }, resourceShape(resource))), bytesText(resource.bytes)),
        h('div', { class: 'who' }, ...who));
}

/** @param {FrameStructure} graph @param {number} version @param {number} pass */
function othersThat(graph, version, pass) {
    const others = (/** @type {number[]} */ list) => list.filter((other) => other !== pass);
    return { writers: others(graph.writersOf(version)), readers: others(graph.readersOf(version)) };
}

/** Who wrote what is read. @param {Context} context @param {FrameStructure} graph @param {number} version @param {number} pass @returns {Child[]} */
function whoWrote(context, graph, version, pass) {
    const { writers } = othersThat(graph, version, pass);
    if (writers.length > 0) {
        return ['written by ', ...passLinks(context, graph, writers)];
    }
    return [graph.versions[version].imported ? 'imported: from outside of the frame graph' : 'no pass of this frame writes it'];
}

/** Who reads what is written. @param {Context} context @param {FrameStructure} graph @param {number} version @param {number} pass @returns {Child[]} */
function whoReads(context, graph, version, pass) {
    const { readers } = othersThat(graph, version, pass);
    const next = graph.versions.findIndex((other) => other.previous === version);
    const writers = next < 0 ? [] : graph.writersOf(next).filter((other) => other !== pass);
    /** @type {Child[]} */
    const list = readers.length > 0 ? ['read by ', ...passLinks(context, graph, readers)] : [];
    if (writers.length > 0) {
        list.push(list.length > 0 ? '; ' : '', 'next version by ', ...passLinks(context, graph, writers));
    }
    return list.length > 0 ? list : [graph.versions[version].imported ? 'no pass reads it after that: it leaves the frame graph' : 'no pass of this frame reads it'];
}

/**
 * What a pass reads and writes, with the other side of each.
 * @param {Context} context @param {FrameStructure} graph @param {number} pass
 * @returns {Child[]}
 */
export function passUses(context, graph, pass) {
    const inputs = graph.inputsOf(pass);
    const outputs = graph.outputsOf(pass);
    const section = (/** @type {string} */ title, /** @type {number[]} */ list, /** @type {typeof whoReads} */ who) => (list.length === 0 ? [] : [
        h('h3', {}, title),
        h('ul', { class: 'uses' }, ...list.map((version) => useOf(context, graph, version, who(context, graph, version, pass))))]);
    return [...section('reads', inputs, whoWrote), ...section('writes', outputs, whoReads),
        h('p', { class: 'faint' }, inputs.length + outputs.length > 0 ? 'Sizes as declared, not as allocated.' : 'It reads and writes no resource of the graph.')];
}

/** What a gap bears: on one clock its step, across clocks their error. @param {SpanInfo} info @param {Link} link @param {number} stepNs */
function gapStep(info, link, stepNs) {
    return link.family === 'queue order' ? stepNs : Math.max(stepNs, info.boundNs);
}

/** @param {Context} context @param {SpanInfo} info @param {number} stepNs @returns {Child[]} */
export function waitLists(context, info, stepNs) {
    const row = (/** @type {Link} */ link) => {
        const target = link.row;
        const label = target === null ? h('span', { class: 'faint' }, `${link.name || 'outside of the capture'}`)
            : h('button', { class: 'link', onclick: () => void selectAndReveal(context, target) }, link.name || `span ${target}`);
        const gap = link.gapNs === null ? 'not claimed' : durationAt(link.gapNs, gapStep(info, link, stepNs));
        return [h('dt', {}, label, ' ', h('span', { class: 'faint' }, FAMILY[link.family])), h('dd', { class: link.gapNs === null ? 'unknown' : '' }, gap)];
    };
    const unclaimed = [...info.waits, ...info.wakes].some((link) => link.gapNs === null && link.row !== null);
    return [
        h('h3', {}, 'waited on'),
        info.waits.length > 0 ? h('dl', { class: 'num' }, ...byClaim(info.waits).flatMap(row)) : h('p', { class: 'faint' }, 'nothing known'),
        ...(info.wakes.length > 0 ? [h('h3', {}, 'waited for by'), h('dl', { class: 'num' }, ...byClaim(info.wakes).flatMap(row))] : []),
        unclaimed ? h('p', { class: 'faint' }, 'A gap that is smaller than the clocks\' error, or that crosses clocks, is not claimed.') : null,
    ];
}

/** What each kind of wait is. @type {Record<import('../model/span.js').LinkFamily, string>} */
const FAMILY = {
    other: 'other', semaphore: 'semaphore', fence: 'fence', 'queue order': 'before it on the queue', data: 'written, then read', flow: 'flow', submit: 'submit',
    'frame graph': 'frame graph',
};

/** What can be said first, and of that the shortest gap: it came last and was waited for. @param {readonly Link[]} links */
function byClaim(links) {
    const gap = (/** @type {Link} */ link) => (link.gapNs === null ? Infinity : Number(link.gapNs));
    return [...links].sort((a, b) => gap(a) - gap(b) || 0);
}
