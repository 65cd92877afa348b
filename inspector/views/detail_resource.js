// SPDX-License-Identifier: MIT
// @ts-check
/* A resource of the frame graph: what it declares, when it lives, every version with who writes and who reads it. */

import { announce, h, icon } from './dom.js';
import { bytesText, passLink, passLinks, versionLink } from './detail_links.js';
import { lifeBar } from './life_bar.js';
import { aliasingOf, blockOf } from '../model/aliasing.js';
import { byteSize, counted, grouped, UNKNOWN } from '../model/format.js';
import { groupsOf, lifeWord } from '../model/memory.js';
import { selectResource } from '../state/selection.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/address.js').ResourceKey} ResourceKey */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/memory.js').ResourceGroup} ResourceGroup */
/** @typedef {import('./dom.js').Child} Child */

/** @param {Context} context @param {string} name @returns {Child[]} */
function heading(context, name) {
    return [h('h2', {}, h('span', {}, name || '(no name)'),
        h('button', { class: 'close', title: 'Drop the selection (Esc)', aria: { label: 'Drop the selection' }, onclick: () => selectResource(context, null) }, icon('close')))];
}

/** @param {Context} context @param {ResourceKey} key @returns {Child[]} */
export function resourceDetail(context, key) {
    const { structure: graph, structureNote, frames } = context.store.state;
    const version = graph?.versionOf(key) ?? null;
    const number = graph && graph.frame !== null && frames ? `frame ${frames.id[graph.frame]}` : 'this frame';
    const group = graph && version !== null ? groupsOf(graph).find((item) => item.versions.includes(version)) : undefined;
    if (!graph || version === null || !group) {
        return [...heading(context, `${key.name} v${key.version}`),
            h('p', { class: 'warning' }, graph ? `The frame graph of ${number} does not have this resource.` : structureNote || 'The frame graph is on its way.')];
    }
    announce(`${key.name} version ${key.version}, ${group.bytes < 0n ? 'size unknown' : byteSize(group.bytes)} declared`);
    return [
        ...heading(context, group.name),
        h('div', { class: 'path' }, [number, group.versions.length > 1 ? `v${key.version} of ${group.versions.length} versions` : 'one version', lifeWord(group)].join('  ·  ')),
        h('div', { class: group.bytes < 0n ? 'big unknown' : 'big' }, ...bigBytes(group.bytes)),
        group.bytes >= 1024n ? h('div', { class: 'num exact' }, `${grouped(group.bytes)} B declared by the graph, not measured`) : null,
        group.culledOnly ? h('p', { class: 'reason' }, 'In this frame only culled passes use it: it needed no memory.') : null,
        h('h3', {}, 'what it is'),
        h('dl', { class: 'num' },
            ...entry('kind', group.kind || UNKNOWN), ...entry('form', group.shape || UNKNOWN),
            ...entry('usage', group.usage.join(', ') || 'none declared'), ...entry('memory', MEMORY[lifeWord(group)])),
        ...lifetime(context, graph, group),
        ...chain(context, graph, group, version),
        ...sharing(context, graph, group),
    ];
}

/** @type {Record<string, string>} */
const MEMORY = { transient: 'transient: of this frame only', imported: 'imported: it lives outside of the graph', kept: 'kept by the graph' };

/** @param {string} key @param {string} text */
function entry(key, text) {
    return [h('dt', {}, key), h('dd', { class: text === UNKNOWN ? 'unknown' : text.length > 24 ? 'wide' : undefined }, text)];
}

/** @param {bigint} bytes @returns {Child[]} */
function bigBytes(bytes) {
    if (bytes < 0n) {
        return [UNKNOWN, h('small', {}, ' size')];
    }
    const [number, unit] = byteSize(bytes).split(' ');
    return [number, h('small', {}, ` ${unit} declared`)];
}

/** @param {Context} context @param {FrameStructure} graph @param {ResourceGroup} group @returns {Child[]} */
function lifetime(context, graph, group) {
    if (group.first < 0) {
        return [h('h3', {}, 'lifetime'), h('p', { class: 'faint' }, 'No pass of this frame uses it.')];
    }
    const kept = group.keptFirst >= 0;
    const [from, to] = kept ? [group.keptFirst, group.keptLast] : [group.first, group.last];
    const count = counted(to - from + 1, 'pass', 'passes');
    return [h('h3', {}, 'lifetime'),
        lifeBar(group.first, group.last, graph.passes.length, { keptFirst: group.keptFirst, keptLast: group.keptLast }),
        h('p', {}, ...(group.imported ? [`The whole frame: it is imported, all ${count}.`]
            : from === to ? ['One pass of ', String(graph.passes.length), ': ', passLink(context, graph, from)]
            : [`${count} of ${graph.passes.length}, from `, passLink(context, graph, from), ' to ', passLink(context, graph, to)])),
        kept && (from !== group.first || to !== group.last) ? h('p', { class: 'faint' },
            'Grey in the bar: culled passes would use it there. The figures above the table count that as declared.') : null,
        group.inherits && !group.imported ? h('p', { class: 'faint' }, 'It is read before anything writes it: what it holds is from before the frame.') : null,
        group.async ? h('p', { class: 'faint' }, 'A pass for another queue uses it: the order of passes does not tell its lifetime exactly.') : null];
}

/** Every version, oldest first. @param {Context} context @param {FrameStructure} graph @param {ResourceGroup} group @param {number} selected @returns {Child[]} */
function chain(context, graph, group, selected) {
    return [h('h3', {}, 'versions'), h('ol', { class: 'chain' }, ...group.versions.map((version) => {
        const { version: number, imported, bytes } = graph.versions[version];
        const writers = graph.writersOf(version);
        const readers = graph.readersOf(version);
        const mine = version === selected;
        return h('li', { class: mine ? 'on' : undefined, aria: mine ? { current: 'true' } : undefined },
            h('div', { class: 'use' }, mine ? h('b', {}, `v${number}`) : versionLink(context, graph, version, `v${number}`),
                bytes !== group.bytes ? bytesText(bytes) : null),
            h('div', { class: 'who' }, ...(writers.length > 0 ? ['written by ', ...passLinks(context, graph, writers)]
                : [imported ? 'as it was imported' : 'no pass of this frame writes it'])),
            h('div', { class: 'who' }, ...(readers.length > 0 ? ['read by ', ...passLinks(context, graph, readers)] : ['nobody reads it'])));
    }))];
}

/** @param {Context} context @param {FrameStructure} graph @param {ResourceGroup} group @returns {Child[]} */
function sharing(context, graph, group) {
    const aliasing = aliasingOf(graph);
    const at = blockOf(aliasing, group.id);
    if (at < 0) {
        return [];
    }
    const block = aliasing.blocks[at];
    const others = block.members.filter((member) => member.id !== group.id);
    return [h('h3', {}, 'could share memory'),
        h('p', {}, `Never alive at the same time as ${counted(others.length, 'other')} below: in one block all of them would take `,
            `${byteSize(block.savedBytes)} less. An estimate from declared sizes.`),
        h('ul', { class: 'uses' }, ...others.map((member) => h('li', {}, h('div', { class: 'use' },
            versionLink(context, graph, member.versions[0], member.name), bytesText(member.bytes)))))];
}
