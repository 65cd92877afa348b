// SPDX-License-Identifier: MIT
// @ts-check
/*
 * What the user looks at, as the fragment of the address: so that a link, a reload and the back button lead there.
 * Only what differs from the first look is written. Anything that cannot be understood is left out, never guessed.
 */

/** @typedef {import('./window.js').TimeWindow} TimeWindow */
/** @typedef {import('./frames.js').FrameRange} FrameRange */
/** @typedef {import('./table.js').Sort} Sort */
/** @typedef {import('./table.js').StatColumn} StatColumn */
/** @typedef {'name' | 'pass' | 'track' | 'scope'} StatsBy */

/** @typedef {{ by: StatsBy, name: string }} Mark */

/**
 * @typedef {object} Place
 * @property {number} file which of the files that were opened, from 1
 * @property {TimeWindow | null} window null: the first look
 * @property {number | null} selected row of a span
 * @property {FrameRange | null} range indices of frames
 * @property {string} find text that is searched
 * @property {Mark | null} mark row of the statistics whose spans are highlighted
 * @property {number[]} folded ids of tracks, ascending
 * @property {StatsBy} by
 * @property {Sort} sort
 * @property {number} budgetUs frame budget in microseconds; 0: no line
 */

/** @type {readonly StatsBy[]} */
export const STATS_BY = ['name', 'pass', 'track', 'scope'];
/** @type {readonly StatColumn[]} */
export const STAT_COLUMNS = ['name', 'track', 'count', 'total', 'share', 'self', 'busy', 'min', 'median', 'p95', 'max'];
/** Longest text that can be searched. */
export const MAX_FIND = 200;
export const DEFAULT_BUDGET_US = 16667;
export const MAX_BUDGET_US = 10000000;

/** @returns {Place} */
export function firstPlace() {
    return {
        file: 1,
        window: null,
        selected: null,
        range: null,
        find: '',
        mark: null,
        folded: [],
        by: 'name',
        sort: { column: 'total', descending: true },
        budgetUs: DEFAULT_BUDGET_US,
    };
}

/** @param {Place} place @returns {string} without "#"; empty for the first look */
export function formatPlace(place) {
    const first = firstPlace();
    const parts = [];
    if (place.file !== first.file) {
        parts.push(`file=${place.file}`);
    }
    if (place.window) {
        parts.push(`t=${place.window.startNs}+${trimNumber(place.window.lengthNs)}`);
    }
    if (place.selected !== null) {
        parts.push(`span=${place.selected}`);
    }
    if (place.range) {
        parts.push(`frames=${place.range.first}:${place.range.last}`);
    }
    if (place.find !== '') {
        parts.push(`find=${encodeURIComponent(place.find)}`);
    }
    if (place.mark) {
        parts.push(`mark=${place.mark.by}:${encodeURIComponent(place.mark.name)}`);
    }
    if (place.folded.length > 0) {
        parts.push(`fold=${place.folded.join(',')}`);
    }
    if (place.by !== first.by) {
        parts.push(`by=${place.by}`);
    }
    if (place.sort.column !== first.sort.column || place.sort.descending !== first.sort.descending) {
        parts.push(`sort=${place.sort.column}.${place.sort.descending ? 'desc' : 'asc'}`);
    }
    if (place.budgetUs !== first.budgetUs) {
        parts.push(`budget=${place.budgetUs}`);
    }
    return parts.join('&');
}

/** Lengths come from zooming: three digits after the point are plenty. @param {number} value */
function trimNumber(value) {
    return Number(value.toFixed(3));
}

/** @param {string} fragment with or without "#" @returns {Place} */
export function parsePlace(fragment) {
    const place = firstPlace();
    for (const part of fragment.replace(/^#/, '').split('&')) {
        const at = part.indexOf('=');
        if (at > 0) {
            readPart(place, part.slice(0, at), part.slice(at + 1));
        }
    }
    return place;
}

/** @param {Place} place @param {string} key @param {string} value */
function readPart(place, key, value) {
    switch (key) {
        case 'file':
            place.file = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : place.file;
            break;
        case 't':
            place.window = parseWindow(value);
            break;
        case 'span':
            place.selected = /^\d{1,10}$/.test(value) ? Number(value) : null;
            break;
        case 'frames': {
            const match = /^(\d{1,9}):(\d{1,9})$/.exec(value);
            place.range = match ? ordered(Number(match[1]), Number(match[2])) : null;
            break;
        }
        case 'find':
            place.find = decode(value).slice(0, MAX_FIND);
            break;
        case 'mark': {
            const by = STATS_BY.find((item) => value.startsWith(`${item}:`));
            const name = by ? decode(value.slice(by.length + 1)) : '';
            place.mark = by && name !== '' ? { by, name } : null;
            break;
        }
        case 'fold':
            place.folded = [...new Set(value.split(',').filter((id) => /^\d{1,10}$/.test(id)).map(Number))]
                .sort((a, b) => a - b);
            break;
        case 'by':
            place.by = STATS_BY.find((by) => by === value) ?? place.by;
            break;
        case 'sort': {
            const match = /^([a-z0-9]+)\.(asc|desc)$/.exec(value);
            const column = STAT_COLUMNS.find((name) => name === match?.[1]);
            if (column) {
                place.sort = { column, descending: match?.[2] === 'desc' };
            }
            break;
        }
        case 'budget':
            place.budgetUs = /^\d{1,8}$/.test(value) && Number(value) <= MAX_BUDGET_US ? Number(value) : place.budgetUs;
            break;
        default:
    }
}

/** @param {string} value @returns {TimeWindow | null} */
function parseWindow(value) {
    const match = /^(-?\d{1,19})\+(\d{1,19}(?:\.\d{1,3})?)$/.exec(value);
    if (!match) {
        return null;
    }
    const startNs = BigInt(match[1]);
    const lengthNs = Number(match[2]);
    return lengthNs > 0 && BigInt.asIntN(64, startNs) === startNs ? { startNs, fraction: 0, lengthNs } : null;
}

/** @param {number} a @param {number} b @returns {FrameRange} */
function ordered(a, b) {
    return { first: Math.min(a, b), last: Math.max(a, b) };
}

/** @param {string} value */
function decode(value) {
    try {
        return decodeURIComponent(value);
    } catch {
        return '';
    }
}

/**
 * Whether going from one place to another is a step that the back button should undo. Moving about is none.
 * @param {Place} from
 * @param {Place} to
 */
export function isStep(from, to) {
    const still = (/** @type {Place} */ place) => formatPlace({ ...place, window: null });
    return still(from) !== still(to);
}
