// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps the comparison of two sides, while the view that shows it is in sight, and the frames of other files that it needs. */

import { RequestError, STATUS, isCancelled } from '../protocol/client.js';
import { askCompare } from '../protocol/compare.js';
import { askFrames, askInfo, askLoad, askTraces } from '../protocol/document.js';
import { askMarks } from '../protocol/views.js';
import { formatSide } from '../model/address.js';
import { clampRange, worstHitch } from '../model/frames.js';
import { neighbours, samePair, suggestions } from '../model/sides.js';
import { CHANNEL, isRenewed, updatePlace } from './app_state.js';
import { attempt } from './problems.js';
import { shownFrame } from './selection.js';
import { tellWork } from './working.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/address.js').Side} Side */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/frames.js').FrameRange} FrameRange */
/** @typedef {import('../model/lanes.js').Mark} Mark */
/** @typedef {import('../model/sides.js').Pair} Pair */
/**
 * @typedef {object} FileData
 * @property {FrameTable | null} frames null while they are on their way
 * @property {readonly Mark[]} marks
 * @property {bigint} startNs its first time
 * @property {string} problem
 */

const POLL_MS = 120;

/** What is known of one of the files. @param {AppState} state @param {number} file @returns {FileData} */
export function fileData(state, file) {
    return file === state.place.file ? { frames: state.frames, marks: state.marks, startNs: state.info?.startNs ?? 0n, problem: '' }
        : state.otherFiles.get(file) ?? { frames: null, marks: [], startNs: 0n, problem: '' };
}

/** The frames that a side is of; null of a range of time, and where its file has none: all of it is meant. @param {AppState} state @param {Side} side */
export function framesOf(state, side) {
    return side.time || fileData(state, side.file).frames?.count === 0 ? null : { first: side.first, last: side.last };
}

/** The frames that somebody chose, or looks at. @param {AppState} state @returns {FrameRange | null} */
export function chosenFrames(state) {
    const { place, frames } = state;
    const index = shownFrame(state);
    const range = place.range ?? (index === null ? null : { first: index, last: index });
    return range && frames ? clampRange(range, frames.count) : null;
}

/** What the rows of the comparison are of: passes where there are any. @param {AppState} state @returns {import('../protocol/compare.js').CompareBy} */
export function compareByOf(state) {
    return state.place.compareBy ?? ((state.info?.counts.passes ?? 0n) > 0n ? 'pass' : 'name');
}

/** @param {Context} context @param {Pair | null} pair @param {import('../protocol/compare.js').CompareBy | null} [by] what its rows are of; as before where it is not given */
export function setCompare(context, pair, by = context.store.state.place.compareBy) {
    if (!samePair(pair, context.store.state.place.compare) || by !== context.store.state.place.compareBy) {
        updatePlace(context, { compare: pair, compareBy: by });
    }
}

/**
 * The side that goes with the first one that is taken: a base is set against the hitch, frames against those before them.
 * @param {AppState} state @param {'base' | 'next'} which @param {Side} side
 * @returns {Pair}
 */
function pairFor(state, which, side) {
    const { frames, place } = state;
    if (!frames || side.time || side.file !== place.file) {
        return { base: side, next: side };
    }
    const hitch = worstHitch(frames);
    const before = neighbours(frames, side);
    return which === 'base' ? { base: side, next: hitch >= 0 ? { file: side.file, first: hitch, last: hitch } : side }
        : { base: before ? { file: side.file, ...before } : side, next: side };
}

/** @param {Context} context @param {'base' | 'next'} which @param {Side} side */
export function setSide(context, which, side) {
    const pair = context.store.state.place.compare ?? pairFor(context.store.state, which, side);
    setCompare(context, { ...pair, [which]: side });
}

/** The range that was measured becomes a side. @param {Context} context @param {'base' | 'next'} which */
export function takeMeasured(context, which) {
    const { file, explore } = context.store.state.place;
    if (explore.measured) {
        setSide(context, which, { file, first: 0, last: 0, time: explore.measured });
    }
}

/** @param {Context} context */
export function swapSides(context) {
    const pair = context.store.state.place.compare;
    if (pair) {
        setCompare(context, { base: pair.next, next: pair.base });
    }
}

/**
 * The chosen frames become a side.
 * @param {Context} context @param {'base' | 'next'} which
 * @returns {FrameRange | null} null where there are no frames
 */
export function takeChosen(context, which) {
    const { state } = context.store;
    const range = chosenFrames(state);
    if (range) {
        setSide(context, which, { file: state.place.file, ...range });
    }
    return range;
}

/** The pair that is worth a look first. @param {AppState} state @returns {Pair | null} */
function firstPair(state) {
    const { frames, marks, place, entries } = state;
    return suggestions({ file: place.file, frames, marks, range: place.range, files: entries })[0]?.pair ?? null;
}

/** A side within the frames that its file has; a range of time as it is. @param {AppState} state @param {Side} side @returns {Side | null} */
function inside(state, side) {
    const { frames } = fileData(state, side.file);
    if (frames && side.time) {
        return side;
    }
    if (frames?.count === 0) {
        return { file: side.file, first: 0, last: 0 };
    }
    const range = frames ? clampRange(side, frames.count) : null;
    return range ? { file: side.file, ...range } : null;
}

/** @param {Context} context */
export function keepCompare(context) {
    const { store, client } = context;
    /** What the comparison was asked for. */
    let asked = '';
    /** @type {Set<number>} */
    const loading = new Set();

    const tell = (/** @type {string} */ text) => store.update({ comparison: null, comparisonNote: text });

    const loadFile = async (/** @type {number} */ file) => {
        const put = (/** @type {FileData} */ data) => store.update({ otherFiles: new Map([...store.state.otherFiles, [file, data]]) });
        const { trace, label } = store.state.entries[file - 1];
        loading.add(file);
        try {
            await waitFor(context, trace);
            const [frames, marks, info] = await Promise.all([askFrames(client, trace), askMarks(client, trace), askInfo(client, trace)]);
            put({ frames, marks: marks.marks, startNs: info.startNs, problem: '' });
        } catch (error) {
            put({ frames: null, marks: [], startNs: 0n, problem: `${label} could not be opened: ${error instanceof Error ? error.message : String(error)}` });
        } finally {
            loading.delete(file);
        }
    };

    const load = async (/** @type {Pair} */ pair, /** @type {string} */ key) => {
        const { entries } = store.state;
        const side = (/** @type {Side} */ of) => ({ trace: entries[of.file - 1].trace, frames: framesOf(store.state, of), time: of.time });
        try {
            const question = { base: side(pair.base), next: side(pair.next), by: compareByOf(store.state) };
            const order = client.supersede(CHANNEL.COMPARE);
            const show = (/** @type {import('../model/compare.js').Comparison} */ comparison) => store.update({ comparison, comparisonNote: '' });
            show(await tellWork(context, 'Comparison', CHANNEL.COMPARE, (tellProgress, part) =>
                askCompare(client, question, order, tellProgress, (some) => part(() => show(some)))));
        } catch (error) {
            if (isCancelled(error)) {
                // Nothing else took its place: somebody did not want to wait.
                if (asked === key) {
                    asked = '';
                    tell('The comparison was stopped. Choose a side, or what is compared, to begin it again.');
                }
                throw error;
            }
            asked = '';
            const lacks = error instanceof RequestError && error.status === STATUS.UNSUPPORTED;
            tell(lacks ? 'The program that serves this page is older than the page and does not compare. Start frameglass view again.'
                : error instanceof Error ? error.message : String(error));
        }
    };

    const check = () => {
        const { state } = store;
        const { compare, file } = state.place;
        if (state.place.view !== 'compare' || state.phase !== 'ready') {
            return;
        }
        if (!compare) {
            const pair = firstPair(state);
            if (pair) {
                setCompare(context, pair);
            } else {
                tell('');
            }
            return;
        }
        const wanted = [...new Set([compare.base.file, compare.next.file])];
        const missing = wanted.find((number) => !state.entries[number - 1]);
        if (missing !== undefined) {
            tell(`File ${missing} of this address is not open: frameglass view was started with ${state.entries.length === 1 ? 'one file' : `${state.entries.length} files`}.`);
            return;
        }
        for (const number of wanted) {
            if (number !== file && !state.otherFiles.has(number) && !loading.has(number)) {
                void loadFile(number);
            }
        }
        const problem = wanted.map((number) => fileData(state, number).problem).find((text) => text !== '');
        if (problem) {
            tell(problem);
            return;
        }
        const base = inside(state, compare.base);
        const next = inside(state, compare.next);
        if (!base || !next) {
            tell('');
            return;
        }
        const without = [base, next].map((side) => fileData(state, side.file).frames?.count === 0);
        if (without[0] !== without[1] && !base.time && !next.time) {
            tell('One side has frames, the other has none: means of a frame cannot be set against a whole trace.');
            return;
        }
        if (!samePair({ base, next }, compare)) {
            setCompare(context, { base, next });
            return;
        }
        const key = [formatSide(base), formatSide(next), compareByOf(state), state.revision].join();
        if (key !== asked) {
            asked = key;
            void attempt(context, 'The comparison could not be made', () => load({ base, next }, key));
        }
    };

    store.listen((state, before) => {
        if (isRenewed(state, before) && state.otherFiles.size > 0) {
            store.update({ otherFiles: new Map() });
        }
        if (isRenewed(state, before) || state.place !== before.place || state.otherFiles !== before.otherFiles || state.frames !== before.frames) {
            check();
        }
    });
}

/** Until a trace is loaded. @param {Context} context @param {number} trace */
async function waitFor(context, trace) {
    const { client } = context;
    for (let entries = await askLoad(client, trace); ;) {
        const entry = entries.find((item) => item.trace === trace);
        if (!entry || entry.state === 'failed') {
            throw new Error(entry?.failure || 'it cannot be read. frameglass validate says what is wrong with it.');
        }
        if (entry.state === 'loaded') {
            return;
        }
        await new Promise((done) => { setTimeout(done, POLL_MS); });
        entries = await askTraces(client);
    }
}
