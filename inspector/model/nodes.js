// SPDX-License-Identifier: MIT
// @ts-check
/* Nodes of a scene that were captured in detail: what each took, by itself and with all that is in it. */

import { exactNs } from './format.js';
import { propertyText } from './span.js';

/** Spans of this category are nodes, whoever recorded them. */
export const NODE_CATEGORY = 'node';

/** @typedef {import('./span.js').Property} Property */
/** A span of a lane; an inner one is in a later lane. @typedef {{ row: number, name: number, lane: number, begin: number, end: number }} NodeSpan */
/** @typedef {{ row: number, name: string, track: number, depth: number, totalNs: number, selfNs: number }} NodeRow */
/**
 * What the capture says of a node: known keys, and everything else as one text.
 * @typedef {{ id: string, selfNs: number | null, draws: string, culled: boolean, rest: string }} NodeFacts selfNs is null where it is silent
 */

/**
 * The nodes of one track with their own times: less what the nodes right inside of them cover. Nested as the engine nests spans.
 * @param {readonly NodeSpan[]} spans @param {number} track @param {(id: number) => string} nameOf @returns {NodeRow[]} in the order of their begins
 */
export function nodesOf(spans, track, nameOf) {
    const sorted = [...spans].sort((a, b) => a.begin - b.begin || b.end - a.end || a.lane - b.lane || a.row - b.row);
    /** Those around the next one, and up to where what they have inside covers them. @type {{ end: number, covered: number, node: NodeRow }[]} */
    const open = [];
    return sorted.map(({ row, name, begin, end }) => {
        while (open.length > 0 && (open[open.length - 1].end < end || open[open.length - 1].end <= begin)) {
            open.pop();
        }
        const node = { row, name: nameOf(name), track, depth: open.length, totalNs: end - begin, selfNs: end - begin };
        const around = open.at(-1);
        if (around && end > around.covered) {
            around.node.selfNs -= end - Math.max(begin, around.covered);
            around.covered = end;
        }
        open.push({ end, covered: begin, node });
        return node;
    });
}

/** The most of its own first. @param {readonly NodeRow[]} nodes @returns {NodeRow[]} */
export function bySelf(nodes) {
    return [...nodes].sort((a, b) => b.selfNs - a.selfNs || b.totalNs - a.totalNs || a.row - b.row);
}

/** Times have columns of their own. */
const TOLD = ['total ns', 'self ns', 'id', 'draws', 'self draws', 'culled'];

/** @param {readonly Property[]} properties @returns {NodeFacts} */
export function nodeFacts(properties) {
    const flat = properties.flatMap((property) => (property.value.type === 'group' ? property.children : [property]));
    const text = (/** @type {string} */ key) => {
        const property = flat.find((item) => item.key === key);
        return property ? propertyText(property) : '';
    };
    const [draws, own] = [text('draws'), text('self draws')];
    const self = flat.find(({ key }) => key === 'self ns')?.value;
    return {
        id: text('id'),
        selfNs: self?.type === 'integer' || self?.type === 'ns' ? Number(self.integer) : null,
        draws: own !== '' && own !== draws ? `${draws} (${own})` : draws,
        culled: ['yes', '1'].includes(text('culled')),
        rest: flat.filter(({ key }) => !TOLD.includes(key)).map((property) => `${property.key} ${propertyText(property)}`).join(' · '),
    };
}

/** What the recorder measured, where it tells it: it knows of nodes, too, that it had no room for. @param {NodeRow} node @param {NodeFacts} [facts] */
export function selfOf(node, facts) {
    return facts?.selfNs ?? node.selfNs;
}

/** @param {NodeRow} node @param {NodeFacts} [facts] */
export function nodeTitle(node, facts) {
    return `${node.name || '(no name)'}: ${exactNs(BigInt(Math.round(node.totalNs)))}, of its own ${exactNs(BigInt(Math.round(selfOf(node, facts))))}`;
}
