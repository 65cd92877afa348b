// SPDX-License-Identifier: MIT
// @ts-check
/* Two sides beside each other: what changed, in words that claim no more than is known. */

import { counted, duration, grouped, groupedFixed } from './format.js';

/** @typedef {import('./address.js').Side} Side */
/** @typedef {'name' | 'pass' | 'scope' | 'category' | 'track'} CompareBy */
/** @typedef {'both' | 'added' | 'removed' | 'culled' | 'kept'} RowState culled: since; kept: no longer culled */
/**
 * @typedef {'untold' | 'noise' | 'more work' | 'less work' | 'slower' | 'faster' | 'more work and slower' | 'less work and faster'
 *   | 'more work but faster' | 'less work but slower'} Cause
 */
/**
 * @typedef {object} CompareRow times are of a frame: the mean; below zero where it does not occur
 * @property {string} name
 * @property {string} scope
 * @property {string} track empty where there are several
 * @property {'cpu' | 'gpu'} side whose time it is; a pass that has both has two rows
 * @property {number} ordinal number among those of equal name and scope
 * @property {RowState} state
 * @property {number | null} baseRow longest span on that side, in its own trace
 * @property {number | null} newRow
 * @property {number} baseCount
 * @property {number} newCount
 * @property {number} baseNs
 * @property {number} newNs
 * @property {number} baseMedianNs of the frames in which it occurs
 * @property {number} newMedianNs
 * @property {number} deltaNs
 * @property {number} noiseNs a smaller difference is not claimed; below zero: how much it varies is not known
 * @property {Cause} cause
 * @property {string} unit of work; empty: not known
 * @property {number} baseWork of a frame; below zero: not known
 * @property {number} newWork
 * @property {number | null} baseIdentity of the pass, in its own trace
 * @property {number | null} newIdentity
 */
/** @typedef {{ name: string, state: 'added' | 'removed' | 'changed', baseBytes: bigint, newBytes: bigint, base: string, next: string }} ResourceChange */
/** @typedef {{ name: string, unit: string, base: number, next: number }} CounterChange */
/**
 * @typedef {object} Comparison pairs are base, new
 * @property {CompareRow[]} rows
 * @property {boolean} whole false: the rows are on their way
 * @property {number} all
 * @property {[number, number]} frames 0 of a range of time, and of a trace that has none: all of it is compared
 * @property {[number, number]} gpuNs below zero: not known
 * @property {[number, number]} cpuNs
 * @property {[number, number]} lengthNs of ranges of time, and of traces without frames from their first time to their last; below zero otherwise
 * @property {[number | null, number | null]} topology
 * @property {'same' | 'differ' | 'unknown'} graphs
 * @property {ResourceChange[]} resources
 * @property {CounterChange[]} counters
 */
/** @typedef {'name' | 'track' | 'base' | 'next' | 'delta' | 'ratio' | 'score' | 'cause'} CompareColumn */
/** @typedef {{ column: CompareColumn, descending: boolean }} CompareSort */

/** @type {readonly CompareColumn[]} */
export const COMPARE_COLUMNS = ['name', 'track', 'base', 'next', 'delta', 'ratio', 'score', 'cause'];
/** @type {readonly CompareBy[]} */
export const COMPARE_BY = ['pass', 'name', 'scope', 'category', 'track'];

/** Whether a row's difference is more than what it varies by itself. Where that is not known nothing is claimed. @param {CompareRow} row */
export function isClaimed(row) {
    return row.noiseNs >= 0 && Math.abs(row.deltaNs) > row.noiseNs;
}

/** A name that tells it from its equals. @param {CompareRow} row */
export function rowName(row) {
    return `${row.name || '(no name)'}${row.ordinal > 0 ? ` #${row.ordinal + 1}` : ''}`;
}

/** New to base; null where one of them is missing or nothing. @param {number} base @param {number} next */
export function ratioOf(base, next) {
    return base > 0 && next > 0 ? next / base : null;
}

/** "3.00×": enough digits to tell it from 1. @param {number} ratio */
export function times(ratio) {
    const off = Math.abs(ratio - 1);
    const digits = ratio >= 100 ? 0 : ratio >= 10 ? 1 : (off > 0 && off < 0.01) || ratio < 0.1 ? 3 : 2;
    return `${groupedFixed(ratio, digits)}×`;
}

/** With its sign always, and a true minus. @param {number} ns */
export function signedDuration(ns) {
    return ns === 0 ? 'no difference' : `${ns > 0 ? '+' : '−'}${duration(Math.abs(ns))}`;
}

/** What is counted, without where it was counted. @param {string} unit */
function plainUnit(unit) {
    return unit.replace(/\s*\([^)]*\)/g, '');
}

/** One of what is counted: "pixels" is "pixel". @param {string} unit */
function oneOf(unit) {
    const plain = plainUnit(unit);
    return plain.endsWith('vertices') ? `${plain.slice(0, -4)}ex` : plain.endsWith('s') ? plain.slice(0, -1) : plain;
}

/** How far a ratio is from 1, rounded up so that it is never understated. @param {number} ratio */
function within(ratio) {
    const percent = Math.abs(ratio - 1) * 100;
    return `within ${percent <= 0.1 ? '0.1' : percent < 1 ? (Math.ceil(percent * 10) / 10).toFixed(1) : Math.ceil(percent)} %`;
}

/** What differs by more than this is no longer called unchanged, though the engine does not claim it. */
const UNCHANGED = 0.05;

/** What the engine does not claim to have changed. @param {string} what @param {number} ratio */
function notClaimed(what, ratio) {
    return Math.abs(ratio - 1) <= UNCHANGED ? `${what} unchanged ${within(ratio)}` : `${what} ${times(ratio)}, no more than it varies`;
}

/** Work and rate of a row, where both sides are known. @param {CompareRow} row */
function workOf(row) {
    const work = ratioOf(row.baseWork, row.newWork);
    const time = ratioOf(row.baseNs, row.newNs);
    return work !== null && time !== null ? { work, rate: time / work } : null;
}

/** @type {Record<Exclude<RowState, 'both'>, string>} */
const STATE_TEXT = {
    added: 'added: the base does not have it',
    removed: 'removed: only the base has it',
    culled: 'culled since: nobody reads what it makes any more',
    kept: 'no longer culled: now somebody reads what it makes',
};

/**
 * Why a row differs, as far as it is known.
 * @param {CompareRow} row @param {boolean} [isLong] with where its work was counted
 */
export function causeText(row, isLong = false) {
    if (row.state !== 'both') {
        return STATE_TEXT[row.state];
    }
    if (row.deltaNs === 0) {
        return row.baseNs < 0 || row.newNs < 0 ? 'not known on both sides' : 'no difference';
    }
    if (!isClaimed(row)) {
        return row.noiseNs < 0 ? 'not claimed: how much it varies is not known' : `within its noise (±${duration(Math.round(row.noiseNs))})`;
    }
    const ratios = workOf(row);
    if (!ratios || row.cause === 'untold') {
        return row.unit === '' ? 'not told: no work was recorded' : `not told: ${plainUnit(row.unit)} ${ratios ? 'do not explain it' : 'are not known on both sides'}`;
    }
    const one = oneOf(row.unit);
    const work = `${times(ratios.work)} ${isLong ? row.unit : plainUnit(row.unit)}`;
    const rate = `${times(ratios.rate)} the time per ${one}`;
    switch (row.cause) {
        case 'more work':
        case 'less work':
            return `${row.cause}: ${work}, ${notClaimed('rate', ratios.rate)}`;
        case 'slower':
        case 'faster':
            return `${row.cause} rate: ${rate}, ${ratios.work === 1 ? 'work the same' : notClaimed('work', ratios.work)}`;
        default:
            return `${row.cause}: ${work}, ${rate}`;
    }
}

/**
 * What to say first. Each part is a sentence.
 * @typedef {object} Headline
 * @property {string} time
 * @property {string} change what ends it: the difference
 * @property {'slower' | 'faster' | 'even' | 'unknown'} tone
 * @property {string} graph
 * @property {CompareRow[]} costly rows that explain most, at most three
 * @property {string} limits
 */

/**
 * @param {Comparison} comparison
 * @param {readonly [string, string]} names of the sides, as in "frame 79"
 * @returns {Headline}
 */
export function headline(comparison, names) {
    if (areWhole(comparison)) {
        return wholeHeadline(comparison, names);
    }
    if (comparison.frames.includes(0)) {
        return mixedHeadline(comparison, names);
    }
    const { gpuNs, cpuNs } = comparison;
    const gpu = gpuNs[0] >= 0 && gpuNs[1] >= 0;
    const [base, next] = gpu ? gpuNs : cpuNs;
    const known = base >= 0 && next >= 0;
    const delta = next - base;
    const what = gpu ? 'on the GPU' : 'on the CPU (GPU times are not known on both sides)';
    const ratio = ratioOf(base, next);
    const even = ratio !== null && Math.abs(ratio - 1) < 0.0005;
    let time = `How long ${names[0]} and ${names[1]} took is not known on both sides.`;
    let change = '';
    if (known) {
        const share = ratio === null ? '' : `, ${times(ratio)}`;
        const of = (/** @type {0 | 1} */ side) => (comparison.frames[side] > 1 ? `mean of ${names[side]}` : names[side]);
        time = `${capital(of(1))}: ${duration(Math.round(next))} ${what}, against ${duration(Math.round(base))} (${of(0)}): `;
        change = even ? 'as good as the same.' : `${signedDuration(Math.round(delta))}${share}.`;
    }
    return {
        time,
        change,
        tone: !known ? 'unknown' : even ? 'even' : delta > 0 ? 'slower' : 'faster',
        graph: graphSentence(comparison),
        costly: costlyRows(comparison, gpu ? 'gpu' : 'cpu', delta),
        limits: limitsSentence(comparison),
    };
}

/** Is there one of each: a range of time, or a trace without frames? @param {Comparison} comparison */
export function areWhole({ frames }) {
    return frames[0] === 0 && frames[1] === 0;
}

/** How long two ranges of time or whole traces are. @param {Comparison} comparison @param {readonly [string, string]} names @returns {Headline} */
function wholeHeadline(comparison, names) {
    const [base, next] = comparison.lengthNs;
    const known = base >= 0 && next >= 0;
    const delta = next - base;
    const ratio = ratioOf(base, next);
    return {
        time: known ? `${capital(names[1])}: ${duration(next)} long, against ${duration(base)} (${names[0]}): ` : 'On one side at least nothing has a time.',
        change: !known ? '' : delta === 0 ? 'the same.' : `${signedDuration(delta)}${ratio === null ? '' : `, ${times(ratio)}`}.`,
        tone: 'unknown',
        graph: '',
        costly: [],
        limits: comparison.whole ? 'There is one of each: nothing shows how much a time varies by itself, so no row\'s difference is claimed.' : '',
    };
}

/** Frames beside a range of time, which stands for one frame. @param {Comparison} comparison @param {readonly [string, string]} names @returns {Headline} */
function mixedHeadline({ frames, lengthNs, whole }, names) {
    const [mean, sum] = frames[0] === 0 ? [1, 0] : [0, 1];
    const length = lengthNs[sum] >= 0 ? `, ${duration(lengthNs[sum])} long` : '';
    return {
        time: `${capital(names[sum])}${length}: its sums beside ${frames[mean] > 1 ? 'the means of ' : ''}${names[mean]}.`,
        change: '',
        tone: 'unknown',
        graph: '',
        costly: [],
        limits: whole ? 'Nothing shows how much a range of time varies by itself, so no difference of a row that both sides have is claimed.' : '',
    };
}

/** @param {string} text */
function capital(text) {
    return text.charAt(0).toUpperCase() + text.slice(1);
}

/** @param {Comparison} comparison */
function graphSentence(comparison) {
    if (comparison.graphs === 'same') {
        return 'The frame graphs are the same.';
    }
    if (comparison.graphs === 'unknown') {
        return 'Whether the frame graphs are the same is not known: they were not recorded on both sides.';
    }
    const of = (/** @type {RowState} */ state) => new Set(comparison.rows.filter((row) => row.state === state).map((row) => `${row.scope}/${row.name}`)).size;
    const parts = [[of('added'), 'added'], [of('removed'), 'removed'], [of('culled'), 'culled since'], [of('kept'), 'no longer culled']]
        .filter(([count]) => Number(count) > 0).map(([count, word]) => `${count} ${word}`);
    if (comparison.resources.length > 0) {
        parts.push(`${counted(comparison.resources.length, 'resource')} not the same`);
    }
    return `The frame graphs differ${parts.length > 0 ? `: ${parts.join(', ')}` : ''}.`;
}

/** Claimed rows in the direction of the whole, the most costly first. @param {Comparison} comparison @param {'cpu' | 'gpu'} side @param {number} delta */
function costlyRows(comparison, side, delta) {
    const same = comparison.rows.filter((row) => row.side === side && isClaimed(row) && (delta === 0 || row.deltaNs > 0 === delta > 0));
    return same.sort((a, b) => Math.abs(b.deltaNs) - Math.abs(a.deltaNs)).slice(0, 3);
}

/** @param {Comparison} comparison */
function limitsSentence(comparison) {
    const [base, next] = comparison.frames;
    const parts = [];
    if (base === 1 && next === 1) {
        parts.push('One frame on each side: this is what these two did, not what frames do.');
    } else if (base === 1 || next === 1) {
        parts.push(`One frame of the ${base === 1 ? 'base' : 'new side'} beside the mean of ${grouped(Math.max(base, next))}.`);
    }
    const still = comparison.rows.filter((row) => row.noiseNs >= 0 && !isClaimed(row) && row.deltaNs !== 0).length;
    const unknown = comparison.rows.filter((row) => row.noiseNs < 0 && row.deltaNs !== 0).length;
    if (still > 0) {
        parts.push(`${counted(still, 'row')} ${still === 1 ? 'differs' : 'differ'} by less than ${still === 1 ? 'it varies' : 'they vary'} anyway: not claimed.`);
    }
    if (unknown > 0) {
        const them = unknown === 1 ? '1 row varies by itself' : `${grouped(unknown)} rows vary by themselves`;
        parts.push(`How much ${them} is not known: not claimed.`);
    }
    return parts.join(' ');
}

/** @type {Record<Exclude<CompareColumn, 'score'>, (row: CompareRow) => number | string>} */
const VALUE = {
    name: (row) => `${row.scope}/${row.name}`,
    track: (row) => row.track,
    base: (row) => row.baseNs,
    next: (row) => row.newNs,
    delta: (row) => Math.abs(row.deltaNs),
    ratio: (row) => ratioOf(row.baseNs, row.newNs) ?? -1,
    cause: (row) => causeText(row),
};

/** @type {CompareSort} */
export const COSTLY_FIRST = Object.freeze({ column: 'delta', descending: true });

/** The next sort when a header is pressed. @param {CompareSort} sort @param {CompareColumn} column @returns {CompareSort} */
export function nextCompareSort(sort, column) {
    const isText = column === 'name' || column === 'track' || column === 'cause';
    return sort.column === column ? { column, descending: !sort.descending } : { column, descending: !isText };
}

const collator = new Intl.Collator('en', { numeric: true, sensitivity: 'base' });

/**
 * Rows that hold a text, in order. Equal ones by name, so that the order never depends on where they came from.
 * @param {readonly CompareRow[]} rows @param {CompareSort} sort @param {{ find: string, claimed: boolean }} filter
 * @param {(row: CompareRow) => number} [scoreOf] below zero where it has none
 */
export function arrangeRows(rows, sort, filter, scoreOf = () => -1) {
    const find = filter.find.trim().toLowerCase();
    const value = sort.column === 'score' ? scoreOf : VALUE[sort.column];
    const sign = sort.descending ? -1 : 1;
    return rows
        .filter((row) => (find === '' || `${row.scope}/${row.name}`.toLowerCase().includes(find)) && (!filter.claimed || row.state !== 'both' || isClaimed(row)))
        .sort((a, b) => {
            const [left, right] = [value(a), value(b)];
            const order = typeof left === 'string' ? collator.compare(left, String(right)) : left - Number(right);
            return sign * order || collator.compare(`${a.scope}/${a.name}`, `${b.scope}/${b.name}`) || collator.compare(a.track, b.track);
        });
}

/**
 * Of two descriptions the words that differ, so that a change can be read at a glance.
 * @param {string} base @param {string} next
 * @returns {{ base: string, next: string }}
 */
export function changedWords(base, next) {
    const [a, b] = [base, next].map((text) => text.split(', '));
    let start = 0;
    while (start < a.length && start < b.length && a[start] === b[start]) {
        start += 1;
    }
    let end = 0;
    while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) {
        end += 1;
    }
    return { base: a.slice(start, a.length - end).join(', '), next: b.slice(start, b.length - end).join(', ') };
}
