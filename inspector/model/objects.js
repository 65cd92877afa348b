// SPDX-License-Identifier: MIT
// @ts-check
/*
 * Live resources: what the program said it created and destroyed. Two points of time are chosen; what lived at the second, and what
 * came and went between them, are the questions. Sizes are what the program told, exact or estimated: never what was allocated.
 */

import { formatName } from './vulkan_formats.js';
import { byteSize, grouped, UNKNOWN } from './format.js';
import { frameAtTime } from './frames.js';

/** @typedef {import('./metrics.js').Accuracy} Accuracy */
/** @typedef {'live' | 'created' | 'destroyed' | 'kept'} ObjectsShown kept: created between the points and alive at the second */
/**
 * @typedef {object} LiveObject
 * @property {number} number the same while a capture grows
 * @property {bigint} id the application's
 * @property {string} name
 * @property {string} type
 * @property {bigint | null} bytes null: not known
 * @property {Accuracy} accuracy of the bytes
 * @property {number} format of a VkFormat; 0: none
 * @property {readonly number[]} size width, height, depth, mips, layers; 0: not told
 * @property {bigint | null} madeNs null: it was there before the capture knew of it
 * @property {bigint | null} goneNs null: it lives at the end of the capture
 * @property {number | null} madeFrame
 * @property {number | null} goneFrame
 * @property {number} changes events of it until the second point
 */
/** @typedef {{ count: number, bytes: bigint | null, unknown: number }} ObjectSum unknown: of how many the size is not known */
/** @typedef {ObjectSum & { name: string }} TypeSum */
/** @typedef {{ timeNs: BigInt64Array, count: Float64Array, bytes: Float64Array }} Growth what lived at each time; NaN: not known */
/** @typedef {{ timeNs: bigint, kind: string, bytes: bigint | null, name: string, frame: number | null }} ObjectEvent */
/**
 * @typedef {object} ObjectsAnswer
 * @property {LiveObject[]} rows
 * @property {number} all more than there are rows where they did not fit
 * @property {Record<ObjectsShown, ObjectSum>} sums
 * @property {{ bytes: bigint, timeNs: bigint } | null} peak of what lived at one time until the second point
 * @property {TypeSum[]} types of what is shown, the heaviest first
 * @property {Growth | null} growth
 * @property {ObjectEvent[]} events of the one that was asked for
 */
/** @typedef {'number' | 'name' | 'type' | 'bytes' | 'created' | 'destroyed'} ObjectColumn */
/** @typedef {{ column: ObjectColumn, descending: boolean }} ObjectSort */

/** In the order of the protocol. @type {readonly ObjectsShown[]} */
export const OBJECTS_SHOWN = ['live', 'created', 'destroyed', 'kept'];
/** @type {readonly ObjectColumn[]} */
export const OBJECT_COLUMNS = ['number', 'name', 'type', 'bytes', 'created', 'destroyed'];
/** @type {ObjectSort} */
export const HEAVIEST_FIRST = { column: 'bytes', descending: true };
/** What each choice means. @type {Record<ObjectsShown, string>} */
export const SHOWN_WORDS = {
    live: 'what lives at the end of the range',
    created: 'what was created in the range, whether it still lives or not',
    destroyed: 'what was destroyed in the range',
    kept: 'what was created in the range and still lives at its end: where leaks are found',
};

/** @param {ObjectSort} sort @param {ObjectColumn} column @returns {ObjectSort} */
export function nextObjectSort(sort, column) {
    return sort.column === column ? { column, descending: !sort.descending } : { column, descending: column !== 'name' && column !== 'type' };
}

/** @param {LiveObject} object */
export function objectFormat(object) {
    return object.format > 0 ? formatName(object.format) : '';
}

/** Its size in words; empty where none was told. @param {LiveObject} object */
export function objectExtent(object) {
    const [width, height, depth, mips, layers] = object.size;
    const flat = width === 0 ? '' : depth > 1 ? `${width}×${height}×${depth}` : width === height ? `${width}²` : `${width}×${Math.max(1, height)}`;
    return [flat, layers > 1 ? `${layers} layers` : '', mips > 1 ? `${mips} mips` : ''].filter(Boolean).join(' ');
}

/** @param {Pick<LiveObject, 'bytes' | 'accuracy'>} object */
export function objectBytes({ bytes, accuracy }) {
    return bytes === null ? UNKNOWN : `${accuracy === 'estimated' ? '≈ ' : ''}${byteSize(bytes)}`;
}

/** How a resource is called that has no name. @param {LiveObject} object */
export function objectName(object) {
    return object.name || `${object.type || 'resource'} #${grouped(object.id)}`;
}

/** A sum in words; what is in no figure is said. @param {ObjectSum} sum */
export function sumText(sum) {
    return sum.count === 0 ? '0 B' : sum.bytes === null ? UNKNOWN : byteSize(sum.bytes);
}

/**
 * The two points: the chosen frames from the begin of the first to the begin of the one after the last, else the whole capture.
 * @param {import('./frames.js').FrameTable | null} frames @param {import('./frames.js').FrameRange | null} range
 * @param {{ startNs: bigint, endNs: bigint }} info
 * @returns {{ fromNs: bigint, toNs: bigint }}
 */
export function objectPoints(frames, range, info) {
    if (!frames || !range || frames.count === 0) {
        return { fromNs: info.startNs, toNs: info.endNs };
    }
    const last = Math.min(range.last, frames.count - 1);
    const toNs = last + 1 < frames.count ? frames.startNs[last + 1] : info.endNs;
    const fromNs = frames.startNs[Math.min(range.first, last)];
    return { fromNs, toNs: toNs > fromNs ? toNs : fromNs + 1n };
}

/** The frame that holds a point of the growth; -1 where there is none. @param {import('./frames.js').FrameTable | null} frames @param {bigint} timeNs */
export function frameOfPoint(frames, timeNs) {
    return frames && frames.count > 0 ? Math.max(0, frameAtTime(frames, timeNs - 1n)) : -1;
}

/** The part of the growth that ends at a time. @param {Growth} growth @param {bigint} timeNs */
export function pointAt(growth, timeNs) {
    const at = growth.timeNs.findIndex((end) => end >= timeNs);
    return at < 0 ? growth.timeNs.length - 1 : at;
}
