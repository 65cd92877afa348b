// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Declared memory of a frame graph: resources with all their versions, when each is alive, what is alive at each pass.
 * Declared, never allocated: the engine's figures follow the same rules (docs/PROTOCOL.md, BYTES of STRUCTURE).
 */

import { resourceShape } from './span.js';
import { formatName } from './vulkan_formats.js';
import { usageWords } from './vulkan_usage.js';

/**
 * What is read of a structure here.
 * @typedef {object} VersionLike
 * @property {string} name
 * @property {number} version
 * @property {string} kind
 * @property {boolean} transient
 * @property {boolean} imported
 * @property {boolean} culledOnly nobody uses it but passes that were culled
 * @property {bigint} bytes declared; below zero when unknown
 * @property {number} format
 * @property {number[]} size dimension, width, height, depth, layers
 * @property {number} mips
 * @property {number} samples
 * @property {bigint} usage
 * @property {bigint} id the same for all versions of one resource
 */
/** @typedef {{ pass: number, resource: number, access: number }} EdgeLike */
/**
 * @typedef {object} GraphLike
 * @property {{ async: boolean, culled: boolean }[]} passes
 * @property {VersionLike[]} versions
 * @property {EdgeLike[]} edges
 */

/**
 * One resource: all versions of it share its memory.
 * @typedef {object} ResourceGroup
 * @property {bigint} id
 * @property {string} name
 * @property {number[]} versions positions in the structure, oldest first
 * @property {string} kind
 * @property {bigint} bytes the largest known of its versions; below zero when none is known
 * @property {boolean} transient
 * @property {boolean} imported
 * @property {boolean} culledOnly no pass that was kept uses any version
 * @property {string} shape format and size in words
 * @property {string} format empty for none
 * @property {string} extent size without the format
 * @property {string[]} usage in words
 * @property {number} first pass from which it is alive; -1 when no pass touches it
 * @property {number} last pass until which it is alive; -1 when no pass touches it
 * @property {number} keptFirst as first, of passes that were not culled
 * @property {number} keptLast
 * @property {number} firstWriter pass; -1 for none
 * @property {number} lastReader pass; -1 for none
 * @property {boolean} inherits its first use is a read: what it holds is from before the frame
 * @property {boolean} async a pass for another queue uses it: its lifetime is not told by the order of passes
 */

const READS = 1;
const WRITES = 2 | 4;

/** @param {GraphLike} graph @returns {ResourceGroup[]} in the order in which they first appear */
export function groupResources(graph) {
    /** @type {Map<bigint, number[]>} */
    const byId = new Map();
    graph.versions.forEach((version, i) => {
        const known = byId.get(version.id);
        if (known) {
            known.push(i);
        } else {
            byId.set(version.id, [i]);
        }
    });
    /** @type {EdgeLike[][]} */
    const edges = graph.versions.map(() => []);
    for (const edge of graph.edges) {
        edges[edge.resource]?.push(edge);
    }
    return [...byId].map(([id, positions]) => {
        positions.sort((a, b) => graph.versions[a].version - graph.versions[b].version);
        return makeGroup(graph, id, positions, positions.flatMap((i) => edges[i]));
    });
}

/** @param {GraphLike} graph @param {bigint} id @param {number[]} positions @param {EdgeLike[]} edges @returns {ResourceGroup} */
function makeGroup(graph, id, positions, edges) {
    const versions = positions.map((i) => graph.versions[i]);
    const largest = versions.reduce((best, version) => (version.bytes > best.bytes ? version : best), versions[0]);
    const imported = versions.some((version) => version.imported);
    const passes = edges.map((edge) => edge.pass);
    const writers = edges.filter((edge) => (edge.access & WRITES) !== 0).map((edge) => edge.pass);
    const readers = edges.filter((edge) => (edge.access & READS) !== 0).map((edge) => edge.pass);
    const firstUse = passes.length > 0 ? passes.reduce((a, b) => Math.min(a, b)) : -1;
    const lastUse = passes.reduce((a, b) => Math.max(a, b), -1);
    const shape = resourceShape(largest);
    const format = largest.format > 0 ? formatName(largest.format) : '';
    const kept = passes.filter((pass) => !graph.passes[pass]?.culled);
    return {
        id,
        name: largest.name,
        versions: positions,
        kind: largest.kind,
        bytes: largest.bytes,
        transient: versions.some((version) => version.transient),
        imported,
        culledOnly: versions.every((version) => version.culledOnly),
        shape,
        format,
        extent: shape.slice(format.length).trim(),
        usage: usageWords(largest.kind, versions.reduce((all, version) => all | version.usage, 0n)),
        // What was imported lives outside of the graph: all the time.
        first: imported ? 0 : firstUse,
        last: imported ? graph.passes.length - 1 : lastUse,
        keptFirst: imported ? 0 : kept.reduce((a, b) => (a < 0 ? b : Math.min(a, b)), -1),
        keptLast: imported ? graph.passes.length - 1 : kept.reduce((a, b) => Math.max(a, b), -1),
        firstWriter: writers.length > 0 ? writers.reduce((a, b) => Math.min(a, b)) : -1,
        lastReader: readers.reduce((a, b) => Math.max(a, b), -1),
        inherits: firstUse >= 0 && !writers.includes(firstUse),
        async: passes.some((pass) => graph.passes[pass]?.async),
    };
}

/**
 * What is declared to be alive, pass by pass.
 * @typedef {object} AliveCurve
 * @property {Float64Array} bytes at each pass
 * @property {bigint} peak
 * @property {number} peakPass -1 where there is no pass
 * @property {bigint} declared each resource once
 * @property {bigint} culledBytes of resources that only culled passes use: in the figures, as the graph declares them
 * @property {number} unknown resources of unknown size: in no figure
 */

/** @param {readonly ResourceGroup[]} groups @param {number} passCount @returns {AliveCurve} */
export function aliveCurve(groups, passCount) {
    const change = new Array(passCount + 1).fill(0n);
    let declared = 0n;
    let culledBytes = 0n;
    let unknown = 0;
    for (const group of groups) {
        if (group.bytes < 0n) {
            unknown += 1;
            continue;
        }
        declared += group.bytes;
        culledBytes += group.culledOnly ? group.bytes : 0n;
        if (group.first >= 0 && group.last >= group.first) {
            change[group.first] += group.bytes;
            change[group.last + 1] -= group.bytes;
        }
    }
    const bytes = new Float64Array(passCount);
    let alive = 0n;
    let peak = 0n;
    let peakPass = -1;
    for (let pass = 0; pass < passCount; pass++) {
        alive += change[pass];
        bytes[pass] = Number(alive);
        if (peakPass < 0 || alive > peak) {
            peak = alive;
            peakPass = pass;
        }
    }
    return { bytes, peak, peakPass, declared, culledBytes, unknown };
}

/** @param {readonly ResourceGroup[]} groups @param {number} pass @returns {ResourceGroup[]} alive there, largest first */
export function aliveAt(groups, pass) {
    return groups.filter((group) => group.bytes >= 0n && group.first >= 0 && group.first <= pass && pass <= group.last)
        .sort((a, b) => (a.bytes < b.bytes ? 1 : a.bytes > b.bytes ? -1 : 0));
}

/** @param {ResourceGroup} group */
export function lifeWord(group) {
    return group.imported ? 'imported' : group.transient ? 'transient' : 'kept';
}

/** @typedef {'name' | 'bytes' | 'format' | 'size' | 'usage' | 'kind' | 'life' | 'writer' | 'reader'} ResourceColumn */
/** @typedef {{ column: ResourceColumn, descending: boolean }} ResourceSort */

/** @type {readonly ResourceColumn[]} */
export const RESOURCE_COLUMNS = ['name', 'bytes', 'format', 'size', 'usage', 'kind', 'life', 'writer', 'reader'];
/** The first look: the largest on top. @type {ResourceSort} */
export const LARGEST_FIRST = Object.freeze({ column: 'bytes', descending: true });

/** @type {Record<ResourceColumn, (group: ResourceGroup) => bigint | number | string>} */
const VALUE = {
    name: (group) => group.name,
    bytes: (group) => group.bytes,
    format: (group) => group.format,
    size: (group) => group.extent,
    usage: (group) => group.usage.join(', '),
    kind: (group) => lifeWord(group),
    life: (group) => group.first,
    writer: (group) => group.firstWriter,
    reader: (group) => group.lastReader,
};
/** Columns that begin with the largest. */
const FIGURES = new Set(['bytes']);

/** @param {ResourceSort} sort @param {ResourceColumn} column @returns {ResourceSort} when a header is pressed */
export function nextResourceSort(sort, column) {
    return sort.column === column ? { column, descending: !sort.descending } : { column, descending: FIGURES.has(column) };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/** Unknown sizes and passes that are none stay last, whichever way. @param {readonly ResourceGroup[]} groups @param {ResourceSort} sort */
export function sortGroups(groups, sort) {
    const value = VALUE[sort.column];
    const sign = sort.descending ? -1 : 1;
    return [...groups].sort((a, b) => {
        const [left, right] = [value(a), value(b)];
        if (left === right) {
            return collator.compare(a.name, b.name) || (a.id < b.id ? -1 : 1);
        }
        if (typeof left === 'string' && typeof right === 'string') {
            return left === '' ? 1 : right === '' ? -1 : sign * collator.compare(left, right);
        }
        if (Number(left) < 0 || Number(right) < 0) {
            return Number(left) < 0 ? 1 : -1;
        }
        return left < right ? -sign : sign;
    });
}

/** Every word must be in the name, the format, the usage or the kind. @param {readonly ResourceGroup[]} groups @param {string} text */
export function filterGroups(groups, text) {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return groups.filter((group) => {
        const all = `${group.name} ${group.shape} ${group.usage.join(' ')} ${group.kind} ${lifeWord(group)}`.toLowerCase();
        return words.every((word) => all.includes(word));
    });
}

/** @type {WeakMap<GraphLike, ResourceGroup[]>} */
const known = new WeakMap();

/** Resources of a graph, computed once for each. @param {GraphLike} graph @returns {ResourceGroup[]} */
export function groupsOf(graph) {
    let groups = known.get(graph);
    if (!groups) {
        groups = groupResources(graph);
        known.set(graph, groups);
    }
    return groups;
}
