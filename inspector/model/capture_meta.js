// SPDX-License-Identifier: MIT
// @ts-check
/* What a capture says of where it was recorded, in groups. */

/** @typedef {{ key: string, value: string }} Entry value empty: it was withheld */
/** @typedef {{ device: Entry[], program: Entry[], settings: Entry[], limits: Entry[], features: string[], notes: string[] }} MetaGroups */

/** @typedef {{ level: number | null, counts: Record<string, bigint> }} Recorded */

/** Was the trace made by another tool, so that it has neither a level nor frames? @param {Recorded | null} info */
export function isForeign(info) {
    return info !== null && info.level === null && (info.counts.frames ?? 0n) === 0n;
}

/** Of what only a recording of Frameglass holds. */
export const FOREIGN_HAS_NONE = 'a trace of another tool has none';

/** Why nothing can be told by pass or scope; empty where it can. @param {Recorded | null} info */
export function noPasses(info) {
    return info?.counts.passes === 0n ? 'this trace has no passes' : '';
}

/**
 * What the recorder says of times that a software device makes up, as a sentence; empty where it says nothing.
 * @param {{ meta: readonly Entry[] } | null} info
 */
export function softwareTimes(info) {
    const hint = info?.meta.find(({ key, value }) => key.endsWith('driver.hint') && value.startsWith('a software device'))?.value ?? '';
    return hint && `The GPU is ${hint}.`;
}

/** Recording levels by number. */
export const LEVELS = ['timing', 'structure', 'workload', 'verbose'];
const DEVICE = /^(adapter_|driver|api$|os$|cpu)/;
/** Said elsewhere on the page. */
const ELSEWHERE = new Set(['level']);

/** @param {readonly Entry[]} meta in file order @returns {MetaGroups} */
export function groupMeta(meta) {
    /** @type {Map<string, string>} values of one key are told together */
    const values = new Map();
    for (const { key, value } of meta) {
        const before = values.get(key);
        values.set(key, before === undefined ? value : `${before}, ${value}`);
    }
    /** @type {MetaGroups} */
    const groups = { device: [], program: [], settings: [], limits: [], features: [], notes: [] };
    for (const [key, value] of values) {
        if (key === 'feature') {
            groups.features.push(...value.split(',').map((feature) => feature.trim()).filter(Boolean).sort());
        } else if (key === 'note') {
            groups.notes.push(value);
        } else if (key.startsWith('setting.')) {
            groups.settings.push({ key: key.slice(8), value });
        } else if (key.startsWith('limit.')) {
            groups.limits.push({ key: key.slice(6), value });
        } else if (DEVICE.test(key)) {
            groups.device.push(readable(key, value));
        } else if (!ELSEWHERE.has(key)) {
            groups.program.push(readable(key, value));
        }
    }
    return groups;
}

/** @param {string} key @param {string} value @returns {Entry} */
function readable(key, value) {
    if (key === 'start_wall_ns' && /^\d{1,19}$/.test(value)) {
        const date = new Date(Number(BigInt(value) / 1000000n));
        return { key: 'recorded', value: `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC` };
    }
    return { key: key.replaceAll('_', ' '), value };
}

/** Whole numbers in groups; 2^32 - 1 and 2^64 - 1 stand for no limit. @param {string} value */
export function limitText(value) {
    if (value === '4294967295' || value === '18446744073709551615') {
        return 'no limit';
    }
    return /^\d{5,}$/.test(value) ? value.replace(/\B(?=(\d{3})+$)/g, ',') : value;
}
