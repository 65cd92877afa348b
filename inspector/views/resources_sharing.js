// SPDX-License-Identifier: MIT
// @ts-check
/* Transient resources that are never alive together: what could share memory, by a rule that is said. */

import { fill, h } from './dom.js';
import { bytesText, passLink, versionLink } from './detail_links.js';
import { lifeBar } from './life_bar.js';
import { byteSize, counted } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/aliasing.js').Aliasing} Aliasing */
/** @typedef {import('../model/aliasing.js').SharedBlock} SharedBlock */
/** @typedef {import('../model/memory.js').ResourceGroup} ResourceGroup */

/** @param {Context} context */
export function resourcesSharing(context) {
    const root = h('div', { class: 'sharing scroller', tabindex: 0, role: 'region', aria: { label: 'Resources that could share memory' } });
    /** @type {Aliasing | null} */
    let shown = null;
    let selected = '';
    return {
        root,
        /** @param {FrameStructure} graph @param {Aliasing} aliasing */
        draw(graph, aliasing) {
            const { resource } = context.store.state.place;
            const now = resource ? `${resource.name}:${resource.version}:${resource.nth}` : '';
            if (aliasing !== shown || now !== selected) {
                shown = aliasing;
                selected = now;
                fill(root, summary(aliasing), ...aliasing.blocks.map((block, i) => blockOf(context, graph, block, i)));
            }
        },
    };
}

/** @param {Aliasing} aliasing */
function summary(aliasing) {
    const { candidates, candidateBytes, savedBytes, floorBytes, blocks } = aliasing;
    const told = candidates === 0 ? 'No transient resource of known size is alive in this frame: there is nothing to share.'
        : blocks.length === 0 ? `The ${counted(candidates, 'transient resource')} looked at are alive together in pairs everywhere: none could share memory.`
            : `At most ${byteSize(savedBytes)} less: ${counted(candidates, 'transient resource')} declare ${byteSize(candidateBytes)},`
                + ` by this rule they would need ${byteSize(candidateBytes - savedBytes)}. `
                + `No arrangement needs less than the ${byteSize(floorBytes)} that are alive at one pass.`;
    return h('div', { class: 'rule' }, h('p', {}, h('b', {}, told)),
        h('p', { class: 'faint' }, 'An estimate from declared sizes and the order of the passes. ',
            'The rule: the largest first, each into the first block in which nothing is alive at the same time; '
            + `a block is as large as its largest member. Alignment, formats and what the program already shares are not known. ${leftOut(aliasing)}`));
}

/** @param {Aliasing} aliasing */
function leftOut(aliasing) {
    const { unknown, inherits, async: other, culled } = aliasing.left;
    const parts = [
        unknown > 0 ? `${unknown} of unknown size` : '',
        inherits > 0 ? `${inherits} that hold something from before the frame` : '',
        other > 0 ? `${other} that passes for another queue use` : '',
        culled > 0 ? `${culled} that only culled passes use` : '',
    ].filter(Boolean);
    return parts.length > 0 ? `Left out: ${parts.join(', ')}.` : '';
}

/** @param {Context} context @param {FrameStructure} graph @param {SharedBlock} block @param {number} number */
function blockOf(context, graph, block, number) {
    const chosen = graph.versionOf(context.store.state.place.resource);
    const member = (/** @type {ResourceGroup} */ group) => h('li', { class: chosen !== null && group.versions.includes(chosen) ? 'on' : undefined },
        h('span', { class: 'name' }, versionLink(context, graph, group.versions[group.versions.length - 1], group.name || '(no name)')),
        bytesText(group.bytes), lifeBar(group.first, group.last, graph.passes.length),
        h('span', { class: 'ends' }, passLink(context, graph, group.first), group.last > group.first ? ' … ' : null,
            group.last > group.first ? passLink(context, graph, group.last) : null));
    const id = `block-${number + 1}`;
    return h('section', { class: 'block', aria: { labelledby: id } },
        h('h3', { id }, `Block ${number + 1} `, h('span', { class: 'faint' },
            `${byteSize(block.bytes)} in place of ${byteSize(block.bytes + block.savedBytes)}: ${byteSize(block.savedBytes)} less`)),
        h('ul', {}, ...block.members.map(member)));
}
