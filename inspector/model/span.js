// SPDX-License-Identifier: MIT
// @ts-check
/* One span with everything that is known of it, and how its parts read. */

import { byteSize, duration, exactNs, grouped, UNKNOWN } from './format.js';
import { SPAN } from './lanes.js';
import { figure } from './precision.js';
import { formatName } from './vulkan_formats.js';

/** @typedef {'plain' | 'encoded' | 'resolved' | 'declared' | 'derived'} Quality */
/** @typedef {'other' | 'semaphore' | 'fence' | 'queue order' | 'data' | 'flow' | 'submit' | 'frame graph'} LinkFamily */
/**
 * @typedef {{ type: 'group' } | { type: 'unknown' } | { type: 'integer' | 'ns' | 'bytes' | 'time', integer: bigint }
 *     | { type: 'float', float: number } | { type: 'text', text: string } | { type: 'span', row: number }
 *     | { type: 'object', integer: bigint } | { type: 'resource', index: number }} PropertyValue
 */
/** @typedef {{ key: string, quality: Quality, value: PropertyValue, children: Property[] }} Property */
/** @typedef {{ row: number | null, name: string, family: LinkFamily, gapNs: bigint | null }} Link a gap of null is not claimed */
/**
 * @typedef {object} SpanInfo
 * @property {number} row
 * @property {string} name
 * @property {string} category
 * @property {number} track
 * @property {number} lane
 * @property {number} depth
 * @property {number | null} parent
 * @property {number | null} frame row in the table of frames
 * @property {number | null} identity of its pass, the same in all frame graphs
 * @property {string} passName name of its pass; empty where it has none
 * @property {string} scope path of its pass, parts joined with "/"
 * @property {number | null} topology
 * @property {number | null} pass position in the topology
 * @property {number | null} origin query pool or other source of its times
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {bigint | null} selfNs less the union of its direct children
 * @property {number} flags
 * @property {number} boundNs error of each end against other clocks; below zero where none is claimed
 * @property {import('./layout.js').Domain} domain
 * @property {number} children
 * @property {{ row: number, startNs: bigint, endNs: bigint }[]} fragments
 * @property {Property[]} properties
 * @property {Link[]} waits
 * @property {Link[]} wakes
 */
/**
 * @typedef {object} Series
 * @property {Uint32Array} frame
 * @property {Float64Array} ns
 * @property {Uint32Array} count
 * @property {bigint} minNs
 * @property {bigint} medianNs
 * @property {bigint} p95Ns
 * @property {bigint} maxNs
 */
/** @typedef {Pick<import('./structure.js').GraphVersion, 'kind' | 'format' | 'size' | 'mips' | 'samples'>} Shape what is told of a resource's form */

/** @param {Shape} resource */
export function resourceShape(resource) {
    const [dimension, width, height, depth, layers] = resource.size;
    const parts = [];
    if (resource.format > 0) {
        parts.push(formatName(resource.format));
    }
    if (width > 0) {
        const flat = width === height ? `${width}²` : `${width}×${height}`;
        parts.push(dimension === 3 ? `${width}×${height}×${depth}` : dimension === 1 ? String(width) : flat);
    } else if (resource.kind) {
        parts.push(resource.kind);
    }
    if (layers > 1) {
        parts.push(`${layers} layers`);
    }
    if (resource.mips > 1) {
        parts.push(`${resource.mips} mips`);
    }
    if (resource.samples > 1) {
        parts.push(`${resource.samples} samples`);
    }
    return parts.join(' ');
}

/** @param {PropertyValue} value @returns {string} */
export function valueText(value) {
    switch (value.type) {
        case 'integer': return grouped(value.integer);
        case 'ns': return duration(value.integer);
        case 'time': return exactNs(value.integer);
        case 'bytes': return byteSize(value.integer);
        case 'float': return Number.isFinite(value.float) ? String(Number(value.float.toPrecision(6))) : UNKNOWN;
        case 'text': return value.text;
        case 'object': return `0x${value.integer.toString(16)}`;
        case 'unknown': return UNKNOWN;
        default: return '';
    }
}

/** A list of plain values or of such lists, as one line; null: it is something else. @param {Property} property @returns {string | null} */
export function listText(property) {
    const { value, children } = property;
    if (value.type !== 'group' || !children.every((child, i) => child.key === String(i))) {
        return null;
    }
    const parts = children.map((child) => (child.value.type === 'group' ? listText(child)
        : child.value.type === 'integer' ? String(child.value.integer)
            : child.value.type === 'span' || child.value.type === 'resource' ? null : propertyText(child)));
    return parts.includes(null) ? null : `[${parts.join(', ')}]`;
}

/** A property as text; formats of Vulkan come as their numbers. @param {Property} property */
export function propertyText(property) {
    const { key, value, quality } = property;
    if (quality === 'derived' && value.type === 'float') {
        // A quotient of a measured time bears few digits.
        return figure(value.float);
    }
    return key === 'format' && value.type === 'integer' ? formatName(Number(value.integer)) : valueText(value);
}

/** Where a count comes from is always said. @param {Property} property */
export function propertyLabel(property) {
    return property.quality === 'plain' ? property.key : `${property.key} (${property.quality})`;
}

/** What must be said of a span before its figures are believed. @param {number} flags @returns {string[]} */
export function warnings(flags) {
    const list = [];
    if (flags & SPAN.LOST) {
        list.push('It was open when the device was lost.');
    }
    if (flags & SPAN.FORCED) {
        list.push('Ended by force: a zone around it ended first, and that end is drawn. Its own was never recorded, so it is in no statistics.');
    } else if (flags & SPAN.UNFINISHED) {
        list.push('No end was recorded: it is drawn to the end of its parent or of the trace, and is in no statistics.');
    }
    if (flags & SPAN.UNATTRIBUTED) {
        list.push('GPU work outside of any pass of the frame graph.');
    }
    if (flags & SPAN.SCOPE) {
        list.push('A scope: the hull of its passes, not a measurement of its own.');
    }
    if (flags & SPAN.ERROR) {
        list.push('The program left it by an error.');
    }
    if (flags & SPAN.PROVISIONAL) {
        list.push('The capture still grows: this may change.');
    }
    return list;
}

/**
 * A span against its pass in other frames: "3.1× its median".
 * @param {Series} series
 * @param {number} frame
 * @returns {string} empty where there is nothing to compare with
 */
export function againstMedian(series, frame) {
    const at = series.frame.indexOf(frame);
    if (at < 0 || series.frame.length < 3) {
        return '';
    }
    if (series.medianNs <= 0n) {
        return 'the median is 0 ns: the clock is too coarse for this pass';
    }
    const ratio = series.ns[at] / Number(series.medianNs);
    return `${ratio >= 10 ? ratio.toFixed(0) : ratio.toFixed(ratio >= 1.95 ? 1 : 2)}× its median`;
}
