// SPDX-License-Identifier: MIT
// @ts-check
/*
 * What the user looks at, as the fragment of the address: so that a link, a reload and the back button lead there.
 * Only what differs from the first look is written. Anything that cannot be understood is left out, never guessed.
 */

import { FIRST_EXPLORE, formatExplore, parseMeasured, readExplore } from './address_explore.js';
import { FIRST_METRICS, FIRST_OBJECTS, formatDiagnostics, readDiagnostics } from './address_diagnostics.js';
import { COMPARE_BY, COMPARE_COLUMNS, COSTLY_FIRST } from './compare.js';
import { LARGEST_FIRST, RESOURCE_COLUMNS } from './memory.js';

/** @typedef {import('./window.js').TimeWindow} TimeWindow */
/** @typedef {import('./frames.js').FrameRange} FrameRange */
/** @typedef {import('./table.js').Sort} Sort */
/** @typedef {import('./table.js').StatColumn} StatColumn */
/** @typedef {'name' | 'pass' | 'track' | 'scope' | MoreBy} StatsBy */
/** @typedef {'category' | 'process' | 'lane' | 'depth' | 'status' | 'classes' | 'frame' | 'all'} MoreBy dimensions that come as groups */

/** @typedef {'timeline' | 'events' | 'structure' | 'resources' | 'compare' | 'notes' | 'capture' | 'metrics' | 'live'} ViewName */
/** @typedef {'name' | 'queue' | 'scope' | 'pool' | 'cost'} ColourBy */
/** @typedef {'auto' | 'ms' | 'us' | 'ns'} TimeUnit */

/** @typedef {{ by: StatsBy, name: string }} Mark */
/**
 * A version of a resource, in a way that holds over frame graphs.
 * @typedef {object} ResourceKey
 * @property {string} name
 * @property {number} version
 * @property {number} nth among the equals of one frame graph, from 0
 */
/**
 * One of two that are compared.
 * @typedef {object} Side
 * @property {number} file
 * @property {number} first rows of frames, both included
 * @property {number} last
 * @property {import('./address_explore.js').Measured} [time] in their place: a range of time, and first and last are 0
 */
/** @typedef {{ base: Side, next: Side }} Comparison */
/** @typedef {import('./compare.js').CompareBy} CompareBy */
/** @typedef {import('./compare.js').CompareSort} CompareSort */
/** @typedef {import('./memory.js').ResourceSort} ResourceSort */

/**
 * @typedef {object} Place
 * @property {number} file which of the files that were opened, from 1
 * @property {ViewName} view
 * @property {TimeWindow | null} window null: the first look
 * @property {number | null} selected row of a span
 * @property {number | null} pass identity of the selected pass, the same in all frame graphs
 * @property {ResourceKey | null} resource the selected resource version; never together with a pass or a span
 * @property {Comparison | null} compare
 * @property {CompareBy | null} compareBy what its rows are of; null: passes where there are any, else names
 * @property {CompareSort} compareSort
 * @property {boolean} compareClaimed only rows that differ by more than they vary by themselves
 * @property {ResourceSort} resourceSort
 * @property {string} resourceFind words that a resource must have
 * @property {boolean} sharing resources that could share memory, in place of all
 * @property {import('./address_diagnostics.js').MetricsPlace} metrics
 * @property {import('./address_diagnostics.js').ObjectsPlace} objects live resources
 * @property {import('./address_explore.js').ExplorePlace} explore what is asked of the trace
 * @property {FrameRange | null} range indices of frames
 * @property {string} find text that is searched
 * @property {Mark | null} mark row of the statistics whose spans are highlighted
 * @property {number[]} folded ids of tracks, ascending
 * @property {StatsBy} by
 * @property {Sort} sort
 * @property {number} budgetUs frame budget in microseconds; 0: no line
 * @property {string} filter text that the list of events is narrowed to
 * @property {ColourBy} colour what the hue of a box says
 * @property {TimeUnit} unit
 */

/** In the order of their tabs and their keys, 1 to 9. @type {readonly ViewName[]} */
export const VIEWS = ['timeline', 'events', 'structure', 'resources', 'compare', 'notes', 'capture', 'metrics', 'live'];
/** Views that show one frame. @type {readonly ViewName[]} */
export const FRAME_VIEWS = ['events', 'structure', 'resources'];
/** @type {readonly ColourBy[]} */
export const COLOURS = ['name', 'queue', 'scope', 'pool', 'cost'];
/** @type {readonly TimeUnit[]} */
export const UNIT_CHOICES = ['auto', 'ms', 'us', 'ns'];

/** @type {readonly StatsBy[]} */
export const STATS_BY = ['name', 'pass', 'track', 'scope', 'category', 'process', 'lane', 'depth', 'status', 'classes', 'frame', 'all'];
/** Those with a button of their own. */
export const MAIN_BY = STATS_BY.slice(0, 4);
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
        view: 'timeline',
        window: null,
        selected: null,
        pass: null,
        resource: null,
        compare: null,
        compareBy: null,
        compareSort: COSTLY_FIRST,
        compareClaimed: false,
        resourceSort: LARGEST_FIRST,
        resourceFind: '',
        sharing: false,
        metrics: FIRST_METRICS,
        objects: FIRST_OBJECTS,
        explore: FIRST_EXPLORE,
        range: null,
        find: '',
        mark: null,
        folded: [],
        by: 'name',
        sort: { column: 'total', descending: true },
        budgetUs: DEFAULT_BUDGET_US,
        filter: '',
        colour: 'name',
        unit: 'auto',
    };
}

/** @param {Place} place @returns {string} without "#"; empty for the first look */
export function formatPlace(place) {
    const first = firstPlace();
    const parts = [];
    if (place.file !== first.file) {
        parts.push(`file=${place.file}`);
    }
    if (place.view !== first.view) {
        parts.push(`view=${place.view}`);
    }
    if (place.window) {
        parts.push(`t=${place.window.startNs}+${trimNumber(place.window.lengthNs)}`);
    }
    if (place.selected !== null) {
        parts.push(`span=${place.selected}`);
    }
    if (place.pass !== null) {
        parts.push(`pass=${place.pass}`);
    }
    if (place.resource) {
        const { name, version, nth } = place.resource;
        parts.push(`res=${encodeURIComponent(name)}:${version}${nth > 0 ? `:${nth}` : ''}`);
    }
    if (place.compare) {
        parts.push(`cmp=${formatSide(place.compare.base)},${formatSide(place.compare.next)}`);
    }
    if (place.compareBy !== null) {
        parts.push(`cmpby=${place.compareBy}`);
    }
    if (formatSort(place.compareSort) !== formatSort(first.compareSort)) {
        parts.push(`cmpsort=${formatSort(place.compareSort)}`);
    }
    if (place.compareClaimed) {
        parts.push('cmponly=claimed');
    }
    if (formatSort(place.resourceSort) !== formatSort(first.resourceSort)) {
        parts.push(`rsort=${formatSort(place.resourceSort)}`);
    }
    if (place.resourceFind !== '') {
        parts.push(`rfind=${encodeURIComponent(place.resourceFind)}`);
    }
    if (place.sharing) {
        parts.push('rshow=sharing');
    }
    parts.push(...formatDiagnostics(place.metrics, place.objects), ...formatExplore(place.explore));
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
    if (formatSort(place.sort) !== formatSort(first.sort)) {
        parts.push(`sort=${formatSort(place.sort)}`);
    }
    if (place.budgetUs !== first.budgetUs) {
        parts.push(`budget=${place.budgetUs}`);
    }
    if (place.filter !== '') {
        parts.push(`filter=${encodeURIComponent(place.filter)}`);
    }
    if (place.colour !== first.colour) {
        parts.push(`colour=${place.colour}`);
    }
    if (place.unit !== first.unit) {
        parts.push(`unit=${place.unit}`);
    }
    return parts.join('&');
}

/** @param {Side} side */
export function formatSide(side) {
    return side.time ? `${side.file}:t${side.time.startNs}:${side.time.endNs}` : `${side.file}:${side.first}:${side.last}`;
}

/** @param {{ column: string, descending: boolean }} sort */
function formatSort(sort) {
    return `${sort.column}.${sort.descending ? 'desc' : 'asc'}`;
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
        case 'view':
            place.view = VIEWS.find((view) => view === value) ?? place.view;
            break;
        case 't':
            place.window = parseWindow(value);
            break;
        case 'span':
            place.selected = parseIndex(value);
            break;
        case 'pass':
            place.pass = parseIndex(value);
            break;
        case 'res':
            place.resource = parseResource(value);
            break;
        case 'cmp':
            place.compare = parseComparison(value);
            break;
        case 'cmpby':
            place.compareBy = COMPARE_BY.find((by) => by === value) ?? place.compareBy;
            break;
        case 'cmpsort':
            place.compareSort = parseSort(value, COMPARE_COLUMNS) ?? place.compareSort;
            break;
        case 'cmponly':
            place.compareClaimed = value === 'claimed';
            break;
        case 'rsort':
            place.resourceSort = parseSort(value, RESOURCE_COLUMNS) ?? place.resourceSort;
            break;
        case 'rfind':
            place.resourceFind = decode(value).slice(0, MAX_FIND);
            break;
        case 'rshow':
            place.sharing = value === 'sharing';
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
        case 'sort':
            place.sort = parseSort(value, STAT_COLUMNS) ?? place.sort;
            break;
        case 'budget':
            place.budgetUs = /^\d{1,8}$/.test(value) && Number(value) <= MAX_BUDGET_US ? Number(value) : place.budgetUs;
            break;
        case 'filter':
            place.filter = decode(value).slice(0, MAX_FIND);
            break;
        case 'colour':
            place.colour = COLOURS.find((colour) => colour === value) ?? place.colour;
            break;
        case 'unit':
            place.unit = UNIT_CHOICES.find((unit) => unit === value) ?? place.unit;
            break;
        default: {
            const text = (/** @type {string} */ part) => decode(part).slice(0, MAX_FIND);
            place.explore = readExplore(place.explore, key, value, text) ?? place.explore;
            readDiagnostics(place, key, value, text);
        }
    }
}

/**
 * @template {string} Column
 * @param {string} value @param {readonly Column[]} columns
 * @returns {{ column: Column, descending: boolean } | null} null where no column has that name
 */
function parseSort(value, columns) {
    const match = /^([a-z0-9]+)\.(asc|desc)$/.exec(value);
    const column = columns.find((name) => name === match?.[1]);
    return column ? { column, descending: match?.[2] === 'desc' } : null;
}

/** @param {string} value @returns {number | null} */
function parseIndex(value) {
    return /^\d{1,10}$/.test(value) ? Number(value) : null;
}

/** @param {string} value @returns {ResourceKey | null} */
function parseResource(value) {
    const match = /^([^:]*):(\d{1,10})(?::(\d{1,6}))?$/.exec(value);
    const name = match ? decode(match[1]) : null;
    return match && name !== null ? { name, version: Number(match[2]), nth: Number(match[3] ?? 0) } : null;
}

/** @param {string} value @returns {Comparison | null} */
function parseComparison(value) {
    const sides = value.split(',').map((side) => {
        const timed = /^([1-9]\d{0,2}):t(.*)$/.exec(side);
        const time = timed ? parseMeasured(timed[2]) : null;
        if (timed && time) {
            return { file: Number(timed[1]), first: 0, last: 0, time };
        }
        const match = /^([1-9]\d{0,2}):(\d{1,9}):(\d{1,9})$/.exec(side);
        return match ? { file: Number(match[1]), ...ordered(Number(match[2]), Number(match[3])) } : null;
    });
    const [base, next] = sides;
    return sides.length === 2 && base && next ? { base, next } : null;
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
    // The pass of a selected span is known only when the span was read: that is no step of its own.
    const sameSpan = from.selected !== null && from.selected === to.selected;
    const still = (/** @type {Place} */ place) => formatPlace({ ...place, window: null, pass: sameSpan ? null : place.pass });
    return still(from) !== still(to);
}
