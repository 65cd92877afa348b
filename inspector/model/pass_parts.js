// SPDX-License-Identifier: MIT
// @ts-check
/* What the properties of a GPU pass say of its calls, attachments and queries, in the form in which they are shown. */

import { UNKNOWN, byteSize, counted, grouped } from './format.js';
import { propertyText } from './span.js';

/** @typedef {import('./span.js').Property} Property */

/** @param {readonly Property[]} list @param {string} key @returns {Property | undefined} */
export function find(list, key) {
    return list.find((property) => property.key === key);
}

/** @param {Property | undefined} property @returns {string} empty where there is none */
function textOf(property) {
    return property ? propertyText(property) : '';
}

/** @param {Property | undefined} property @returns {number | null} null where it is not known */
function numberOf(property) {
    return property?.value.type === 'integer' ? Number(property.value.integer) : null;
}

/** @param {Property | undefined} property @returns {number | null} */
function resourceOf(property) {
    return property?.value.type === 'resource' ? property.value.index : null;
}

/**
 * @typedef {object} Attachment
 * @property {string} slot "color", "depth"
 * @property {number | null} resource version in the topology
 * @property {string} shape "D32F 2048²"
 * @property {string} load "unknown" where it is not known
 * @property {string} store
 */

const ATTACHMENT_KEYS = new Set(['format', 'load', 'store', 'samples', 'width', 'height', 'resource']);

/** @param {Property} group one child of the attachments @returns {Attachment} */
export function readAttachment(group) {
    const part = (/** @type {string} */ key) => find(group.children, key);
    const width = numberOf(part('width'));
    const height = numberOf(part('height'));
    const samples = numberOf(part('samples'));
    const size = width === null || height === null ? '' : width === height ? `${width}²` : `${width}×${height}`;
    const more = group.children.filter((child) => !ATTACHMENT_KEYS.has(child.key) && child.value.type !== 'group');
    return {
        slot: group.key,
        resource: resourceOf(part('resource')),
        shape: [textOf(part('format')), size, samples !== null && samples > 1 ? `${samples} samples` : '',
            ...more.map((child) => `${child.key} ${propertyText(child)}`)].filter(Boolean).join(' '),
        load: textOf(part('load')) || UNKNOWN,
        store: textOf(part('store')) || UNKNOWN,
    };
}

/**
 * @typedef {object} Binding
 * @property {string} slot "set 0, slot 2"
 * @property {string} kind
 * @property {string} name the application's own; often empty
 * @property {bigint | null} id of the resource; the graph's own where it is one of the graph's
 * @property {string} range "720 B at 256"; empty where neither is known
 */

/** @param {Property} group @returns {Binding} */
export function readBinding(group) {
    const part = (/** @type {string} */ key) => find(group.children, key);
    const [size, offset] = [part('size'), part('offset')];
    const at = offset?.value.type === 'bytes' && offset.value.integer > 0n ? ` at ${byteSize(offset.value.integer)}` : '';
    const object = part('resource')?.value;
    return {
        slot: group.key.replace(/ \[0\]$/, ''),
        kind: textOf(part('kind')),
        name: textOf(part('name')),
        id: object?.type === 'object' ? object.integer : null,
        range: size?.value.type === 'bytes' ? byteSize(size.value.integer) + at : '',
    };
}

/**
 * @typedef {object} Call
 * @property {string} name "dispatch", "draw indexed indirect"
 * @property {string} amount what it asked for: "16 × 1 × 1 groups"; "unknown" where the counts are on the device
 * @property {'encoded' | 'resolved' | 'unknown'} quality of the amount
 * @property {string} pipeline
 * @property {string} workgroup "64 x 1 x 1", "unknown"; empty where there is none
 * @property {string} invocations derived; "unknown", or empty where there are none
 * @property {number} repeat
 * @property {Binding[]} bindings
 * @property {Property[]} rest what has no place of its own
 */

const CALL_KEYS = new Set(['x', 'y', 'z', 'vertices', 'indices', 'instances', 'bytes', 'count', 'pipeline', 'workgroup size', 'invocations',
    'repeat', 'bindings']);

/** Counts that were read back, by the number of the call: "work 3, draw 0". @param {Property | undefined} group */
function resolvedCounts(group) {
    /** @type {Map<number, number[][]>} */
    const counts = new Map();
    for (const item of group?.children ?? []) {
        const match = /^work (\d+), draw \d+$/.exec(item.key);
        if (match) {
            const call = Number(match[1]);
            counts.set(call, [...(counts.get(call) ?? []), ['x', 'y', 'z'].map((key) => numberOf(find(item.children, key)) ?? 0)]);
        }
    }
    return counts;
}

/** @param {string} name @param {readonly number[][]} counts of each draw */
function resolvedAmount(name, counts) {
    if (!name.startsWith('draw')) {
        return counts.map((count) => `${count.map(grouped).join(' × ')} groups`).join(', ');
    }
    const unit = name.includes('indexed') ? ['index', 'indices'] : ['vertex', 'vertices'];
    const sum = (/** @type {number} */ i) => counts.reduce((all, count) => all + count[i], 0);
    return counts.length === 1
        ? `${counted(counts[0][0], unit[0], unit[1])} × ${counted(counts[0][1], 'instance')}`
        : `${counted(counts.length, 'draw')}, ${counted(sum(1), 'instance')} in all`;
}

/** @param {Property} call */
function encodedAmount(call) {
    const number = (/** @type {string} */ key) => numberOf(find(call.children, key));
    const groups = ['x', 'y', 'z'].map(number);
    if (groups.every((value) => value !== null)) {
        return `${groups.map((value) => grouped(value ?? 0)).join(' × ')} groups`;
    }
    const parts = [];
    for (const [key, one, many] of [['vertices', 'vertex', 'vertices'], ['indices', 'index', 'indices'], ['instances', 'instance', 'instances']]) {
        const value = number(key);
        if (value !== null) {
            parts.push(counted(value, one, many));
        }
    }
    const bytes = find(call.children, 'bytes');
    return bytes ? propertyText(bytes) : parts.join(' × ');
}

/**
 * Calls of a pass, in their order.
 * @param {readonly Property[]} properties of the span
 * @returns {Call[]}
 */
export function readCalls(properties) {
    const groups = (find(properties, 'work')?.children ?? []).filter((child) => child.value.type === 'group');
    const counts = resolvedCounts(find(properties, 'resolved'));
    return groups.map((call, i) => {
        const resolved = counts.get(i);
        const encoded = encodedAmount(call);
        return {
            name: call.key,
            amount: resolved ? resolvedAmount(call.key, resolved) : encoded || (find(call.children, 'count') ? UNKNOWN : ''),
            quality: resolved ? 'resolved' : encoded ? 'encoded' : 'unknown',
            pipeline: textOf(find(call.children, 'pipeline')),
            workgroup: textOf(find(call.children, 'workgroup size')),
            invocations: textOf(find(call.children, 'invocations')),
            repeat: numberOf(find(call.children, 'repeat')) ?? 1,
            bindings: (find(call.children, 'bindings')?.children ?? []).map(readBinding),
            rest: call.children.filter((child) => !CALL_KEYS.has(child.key)),
        };
    });
}

/** Queries that counted something, and the names of those that counted none. @param {Property | undefined} group */
export function readQueries(group) {
    const all = group?.children ?? [];
    const isZero = (/** @type {Property} */ property) => property.value.type === 'integer' && property.value.integer === 0n;
    return { counted: all.filter((property) => !isZero(property)), zero: all.filter(isZero).map((property) => property.key) };
}
