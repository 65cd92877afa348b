// SPDX-License-Identifier: MIT
// @ts-check
/* The frame graph of one frame: who reads what, who made it, and what hangs on what. */

import { byteSize, UNKNOWN } from './format.js';

/** @typedef {import('./address.js').ResourceKey} ResourceKey */

/**
 * @typedef {object} GraphPass
 * @property {string} name
 * @property {string} scope path, parts joined with "/"; empty at the root
 * @property {number} identity the same in all frame graphs
 * @property {boolean} culled
 * @property {boolean} sideEffect
 * @property {boolean} async
 * @property {boolean} failed left by an error
 * @property {boolean} known false: the frame says nothing about it
 * @property {number | null} refs reference count in the frame
 * @property {number} gpuNs sum of its spans in the frame; below zero where it is not known
 * @property {number} cpuNs
 * @property {number | null} row its longest span in the frame
 */
/**
 * @typedef {object} GraphVersion
 * @property {string} name
 * @property {number} version
 * @property {number} nth among equals of name and version
 * @property {number | null} previous the version before it
 * @property {string} kind empty where it is not known
 * @property {boolean} transient
 * @property {boolean} imported
 * @property {boolean} culledOnly nobody uses it but culled passes
 * @property {bigint} bytes declared; below zero: unknown
 * @property {number} format of VkFormat; 0: none
 * @property {number[]} size dimension, width, height, depth, layers
 * @property {number} mips
 * @property {number} samples
 * @property {bigint} usage flags of Vulkan
 * @property {number | null} producer the pass that makes this version
 * @property {number | null} first pass of the first write
 * @property {number | null} last pass of the last read
 * @property {bigint} id the same for all versions of a resource
 */
/** @typedef {{ pass: number, resource: number, access: number }} GraphEdge access: bits of ACCESS */
/**
 * What came over the wire. Passes are in the order of their execution; passes and versions are named by position.
 * @typedef {object} GraphTables
 * @property {number} topology
 * @property {number | null} frame row
 * @property {number} users frames that have this graph
 * @property {bigint} declaredBytes below zero: unknown
 * @property {bigint} peakBytes of concurrent declared lifetimes
 * @property {number} unknownBytes resources whose footprint is not known
 * @property {GraphPass[]} passes
 * @property {GraphVersion[]} versions
 * @property {GraphEdge[]} edges by pass, then resource
 * @property {{ before: number, after: number }[]} orders that no resource explains
 */

export const ACCESS = Object.freeze({ READS: 1, WRITES: 2, CREATES: 4 });
const MAKES = ACCESS.WRITES | ACCESS.CREATES;

/** A frame graph with what follows from its tables. */
export class FrameStructure {
    /** @param {GraphTables} tables */
    constructor(tables) {
        this.topology = tables.topology;
        this.frame = tables.frame;
        this.users = tables.users;
        this.declaredBytes = tables.declaredBytes;
        this.peakBytes = tables.peakBytes;
        this.unknownBytes = tables.unknownBytes;
        this.passes = tables.passes;
        this.versions = tables.versions;
        this.edges = tables.edges;
        this.orders = tables.orders;
        /** Edges of each pass. @type {GraphEdge[][]} */
        this.ofPass = tables.passes.map(() => []);
        /** Edges of each version. @type {GraphEdge[][]} */
        this.ofVersion = tables.versions.map(() => []);
        for (const edge of tables.edges) {
            this.ofPass[edge.pass]?.push(edge);
            this.ofVersion[edge.resource]?.push(edge);
        }
    }

    /** @param {number | null} identity @returns {number | null} position of the pass in this graph */
    passOf(identity) {
        const index = identity === null ? -1 : this.passes.findIndex((pass) => pass.identity === identity);
        return index < 0 ? null : index;
    }

    /** @param {ResourceKey | null} key @returns {number | null} position of the version in this graph */
    versionOf(key) {
        const index = key === null ? -1
            : this.versions.findIndex((item) => item.name === key.name && item.version === key.version && item.nth === key.nth);
        return index < 0 ? null : index;
    }

    /** @param {number} version @returns {ResourceKey} */
    keyOf(version) {
        const { name, version: number, nth } = this.versions[version];
        return { name, version: number, nth };
    }

    /** How a pass uses a version: bits of ACCESS, 0 where it does not. @param {number} pass @param {number} version */
    accessOf(pass, version) {
        return this.ofPass[pass]?.find((edge) => edge.resource === version)?.access ?? 0;
    }

    /** What a pass reads. @param {number} pass @returns {number[]} versions */
    inputsOf(pass) {
        return pick(this.ofPass[pass], ACCESS.READS, 'resource');
    }

    /** What a pass writes or creates. @param {number} pass @returns {number[]} versions */
    outputsOf(pass) {
        return pick(this.ofPass[pass], MAKES, 'resource');
    }

    /** @param {number} version @returns {number[]} passes, in order */
    readersOf(version) {
        return pick(this.ofVersion[version], ACCESS.READS, 'pass');
    }

    /** @param {number} version @returns {number[]} passes, in order */
    writersOf(version) {
        return pick(this.ofVersion[version], MAKES, 'pass');
    }

    /** All versions of the same resource, oldest first. @param {number} version @returns {number[]} */
    chainOf(version) {
        const { versions } = this;
        const linked = new Set([version]);
        const { id } = versions[version];
        versions.forEach((item, index) => {
            if (item.id === id) {
                linked.add(index);
            }
        });
        for (let at = versions[version].previous; at !== null && !linked.has(at); at = versions[at].previous) {
            linked.add(at);
        }
        return [...linked].sort((a, b) => versions[a].version - versions[b].version || a - b);
    }
}

/** "reads", "writes", "creates", "reads and writes". @param {number} access */
export function accessText(access) {
    const makes = (access & ACCESS.CREATES) !== 0 ? 'creates' : (access & ACCESS.WRITES) !== 0 ? 'writes' : '';
    return [(access & ACCESS.READS) !== 0 ? 'reads' : '', makes].filter(Boolean).join(' and ');
}

/**
 * Why a pass did not run, in words; empty where it did.
 * @param {GraphPass} pass
 */
export function culledReason(pass) {
    return pass.culled ? 'culled: no pass that was kept reads what it makes, and it has no side effect' : '';
}

/** "shadow atlas v3". @param {GraphVersion} version */
export function versionName(version) {
    return `${version.name || '(no name)'} v${version.version}`;
}

/** What a version is declared to take. @param {GraphVersion} version */
export function versionBytes(version) {
    return version.bytes < 0n ? UNKNOWN : byteSize(version.bytes);
}

/**
 * @param {readonly GraphEdge[] | undefined} edges
 * @param {number} bits
 * @param {'pass' | 'resource'} end
 */
function pick(edges, bits, end) {
    return (edges ?? []).filter((edge) => (edge.access & bits) !== 0).map((edge) => edge[end]);
}
