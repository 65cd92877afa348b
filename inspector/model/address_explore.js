// SPDX-License-Identifier: MIT
// @ts-check
/* The parts of the address for what is asked of a trace: what is shown, focused on, followed, summed up and scored. */

import { NO_BASELINE, formatBaseline, parseBaseline } from './anomalies.js';
import { EVERYTHING, formatOnly, readOnly } from './filter_terms.js';
import { formatFocus, parseFocus } from './focus.js';
import { NO_PATH, formatPath, parsePath } from './path.js';
import { formatSlice, parseSlice } from './slice.js';

/** @typedef {'auto' | 'exact' | 'representative' | 'density'} Detail */
/** @typedef {'hard' | 'smooth'} Handoff */
/** What figures are of. @typedef {'frames' | 'window' | 'measured' | 'all'} Over frames: the chosen ones, else all there is */
/** @typedef {{ startNs: bigint, endNs: bigint }} Measured */
/** @typedef {'stats' | 'path' | 'slice' | 'odd' | 'nodes'} Table */
/**
 * @typedef {object} ExplorePlace
 * @property {import('./filter_terms.js').OnlyPlace} only
 * @property {import('./focus.js').Focus | null} focus
 * @property {boolean} links dependencies are drawn
 * @property {number[]} familiesOff that are not
 * @property {import('./path.js').PathPlace} path
 * @property {import('./slice.js').SlicePlace | null} slice what led to a span, or followed from it
 * @property {import('./anomalies.js').AnomalyPlace} baseline
 * @property {Over} over
 * @property {Measured | null} measured
 * @property {Detail} detail
 * @property {Handoff} handoff
 * @property {boolean} curve concurrency over the window
 * @property {Table} table what is below the timeline
 */

/** @type {readonly Detail[]} */
export const DETAILS = ['auto', 'exact', 'representative', 'density'];
/** @type {readonly Over[]} */
export const OVERS = ['frames', 'window', 'measured', 'all'];

/** @type {readonly Table[]} */
export const TABLES = ['stats', 'path', 'slice', 'odd', 'nodes'];

/** @type {ExplorePlace} */
export const FIRST_EXPLORE = {
    only: EVERYTHING, focus: null, links: true, familiesOff: [], path: NO_PATH, slice: null, baseline: NO_BASELINE, over: 'frames', measured: null,
    detail: 'auto', handoff: 'hard', curve: false, table: 'stats',
};

/** @param {ExplorePlace} explore @returns {string[]} only what differs from the first look */
export function formatExplore(explore) {
    const parts = formatOnly(explore.only);
    if (explore.focus) {
        parts.push(`focus=${formatFocus(explore.focus)}`);
    }
    if (!explore.links) {
        parts.push('links=off');
    } else if (explore.familiesOff.length > 0) {
        parts.push(`links=-${explore.familiesOff.join('-')}`);
    }
    if (explore.path.of !== 'off') {
        parts.push(`path=${formatPath(explore.path)}`);
    }
    if (explore.slice) {
        parts.push(`slice=${formatSlice(explore.slice)}`);
    }
    if (explore.baseline.base !== 'off') {
        parts.push(`odd=${formatBaseline(explore.baseline)}`);
    }
    if (explore.over !== 'frames') {
        parts.push(`over=${explore.over}`);
    }
    if (explore.measured) {
        parts.push(`measured=${explore.measured.startNs}:${explore.measured.endNs}`);
    }
    if (explore.detail !== 'auto') {
        parts.push(`detail=${explore.detail}`);
    }
    if (explore.handoff !== 'hard') {
        parts.push(`handoff=${explore.handoff}`);
    }
    if (explore.table !== 'stats') {
        parts.push(`table=${explore.table}`);
    }
    if (explore.curve) {
        parts.push('curve=on');
    }
    return parts;
}

/** A range of time, "start:end". @param {string} value @returns {Measured | null} */
export function parseMeasured(value) {
    const match = /^(-?\d{1,19}):(-?\d{1,19})$/.exec(value);
    const [startNs, endNs] = match ? [BigInt(match[1]), BigInt(match[2])] : [0n, 0n];
    return startNs < endNs && BigInt.asIntN(64, startNs) === startNs && BigInt.asIntN(64, endNs) === endNs ? { startNs, endNs } : null;
}

/**
 * @param {ExplorePlace} explore @param {string} key @param {string} value @param {(value: string) => string} decode
 * @returns {ExplorePlace | null} null: the key is none of these
 */
export function readExplore(explore, key, value, decode) {
    switch (key) {
        case 'focus': return { ...explore, focus: parseFocus(value) };
        case 'links': return value === 'off' ? { ...explore, links: false }
            : { ...explore, familiesOff: [...new Set(value.split('-').filter((id) => /^\d{1,2}$/.test(id)).map(Number).filter((id) => id < 32))] };
        case 'path': return { ...explore, path: parsePath(value) ?? explore.path };
        case 'slice': return { ...explore, slice: parseSlice(value) };
        case 'odd': return { ...explore, baseline: parseBaseline(value) };
        case 'over': return { ...explore, over: OVERS.find((item) => item === value) ?? explore.over };
        case 'measured': return { ...explore, measured: parseMeasured(value) };
        case 'detail': return { ...explore, detail: DETAILS.find((item) => item === value) ?? explore.detail };
        case 'handoff': return { ...explore, handoff: value === 'smooth' ? 'smooth' : 'hard' };
        case 'table': return { ...explore, table: TABLES.find((item) => item === value) ?? explore.table };
        case 'curve': return { ...explore, curve: value === 'on' };
        default: {
            const only = readOnly(explore.only, key, value, decode);
            return only ? { ...explore, only } : null;
        }
    }
}
