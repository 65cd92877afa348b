// SPDX-License-Identifier: MIT
// @ts-check
/* What the page knows and shows, in one type. */

import { firstPlace } from '../model/address.js';
import { makeWindow } from '../model/window.js';

/** @typedef {import('../model/address.js').Place} Place */
/** @typedef {import('../model/window.js').TimeWindow} TimeWindow */
/** @typedef {import('../model/frames.js').FrameTable} FrameTable */
/** @typedef {import('../model/layout.js').Track} Track */
/** @typedef {import('../model/lanes.js').TimelineView} TimelineView */
/** @typedef {import('../model/lanes.js').CounterView} CounterView */
/** @typedef {import('../model/lanes.js').Mark} Mark */
/** @typedef {import('../model/losses.js').Losses} Losses */
/** @typedef {import('../model/table.js').StatRow} StatRow */
/** @typedef {import('../model/span.js').SpanInfo} SpanInfo */
/** @typedef {import('../model/span.js').Series} Series */
/** @typedef {import('../model/structure.js').FrameStructure} FrameStructure */
/** @typedef {import('../model/events.js').FrameEvents} FrameEvents */
/** @typedef {import('../protocol/document.js').TraceEntry} TraceEntry */
/** @typedef {import('../protocol/document.js').Info} Info */
/** @typedef {import('../protocol/queries.js').Found} Found */
/** @typedef {import('../protocol/client.js').Client} Client */
/** @typedef {import('../model/compare.js').Comparison} Comparison */
/** @typedef {import('../model/notes.js').PageNote} PageNote */
/** @typedef {import('../model/group_scores.js').GroupScore} GroupScore */
/** @typedef {import('./compare_data.js').FileData} FileData */

/** @typedef {'connecting' | 'empty' | 'strip' | 'loading' | 'ready' | 'failed'} Phase empty: nothing is open yet */
/** @typedef {{ what: string, advice: string, lasting: boolean }} Problem */
/** @typedef {import('../protocol/worker_transport.js').WorkerHome} WorkerHome */
/** @typedef {{ name: string, doing: string, done: number, all: number, home: WorkerHome }} Opening files on their way in; all is 0 where it is not known */
/** @typedef {import('../model/objects.js').ObjectsAnswer & { of: number | null, points: { fromNs: bigint, toNs: bigint } }} ShownObjects of: whose history it has */
/** @typedef {import('../model/table.js').Stats} Stats */
/** @typedef {{ filter: number, rows: number, key: string }} Highlight */
/** How far long work is, for those who wait: null when none is on its way. @typedef {{ what: string, channel: number, done: number, all: number } | null} Working */
/** @typedef {{ text: string, found: Found[], all: number, next: number | null, index: number }} Search an index of -1: none was gone to yet */
/** @typedef {{ info: SpanInfo, series: Series | null, structure: FrameStructure | null }} Selection structure: of the span's own frame */

/**
 * @typedef {object} AppState
 * @property {Phase} phase
 * @property {number} revision counts up when what was asked before is out of date: a followed capture grew, another file is shown
 * @property {Opening | null} opening
 * @property {import('./live.js').Live | null} live of a capture that is followed
 * @property {TraceEntry[]} entries all files that were opened
 * @property {TraceEntry | null} entry the one that is shown
 * @property {Problem | null} problem
 * @property {Info | null} info
 * @property {import('../model/engine.js').EngineInfo | null} engine who answers; null while that is not known (engine_data.js)
 * @property {Track[]} tracks in display order
 * @property {Uint32Array} laneDepth
 * @property {FrameTable | null} frames from the directory first, from the trace when it is loaded
 * @property {Mark[]} marks
 * @property {Place} place what the address says
 * @property {TimeWindow} window what is on screen, also while it moves
 * @property {number} timelineWidthPx
 * @property {number} scrollPx
 * @property {number} timelineHeightPx of the part under the ruler
 * @property {TimelineView | null} view
 * @property {import('../model/pace.js').Pace | null} pace how long views take (pace_data.js)
 * @property {TimelineView | null} bright the same window, only what is highlighted
 * @property {CounterView[]} counters
 * @property {import('../model/instants.js').InstantView | null} instants markers of the same window
 * @property {readonly import('../model/metrics.js').Metric[]} metrics of the whole capture
 * @property {readonly import('../model/metrics.js').Metric[] | null} rangeMetrics in the chosen frames (metrics_data.js)
 * @property {import('./metrics_data.js').Sparks | null} sparks
 * @property {Losses | null} losses
 * @property {ShownObjects | null} objects live resources, once somebody looked (objects_data.js)
 * @property {Highlight | null} highlight
 * @property {Highlight | null} filter what is shown at all; null: everything (filter_data.js)
 * @property {import('../model/minimap.js').Minimap | null} minimap the whole trace in few cells (minimap_data.js)
 * @property {import('../model/links.js').LinkView | null} links dependencies of the window (links_data.js)
 * @property {import('../model/focus.js').FocusAnswer | null} focus how far the focus reaches
 * @property {import('../model/path.js').PathAnswer | null} path the critical path (path_data.js)
 * @property {string} pathNote why there is none; empty while it is on its way or there
 * @property {import('../model/slice.js').SliceAnswer | null} slice what led to a span, or followed from it (slice_data.js)
 * @property {string} sliceNote why there is none; empty while it is on its way or there
 * @property {import('../model/analysis.js').Groups | null} groups statistics by a dimension that STATS does not have
 * @property {import('../model/analysis.js').Histogram | null} histogram of the marked name, else of all that the figures are of
 * @property {import('../model/analysis.js').Buckets | null} buckets how much runs at once, over the window
 * @property {import('../model/anomalies.js').Anomalies | null} anomalies against the chosen baseline (anomalies_data.js)
 * @property {ReadonlyMap<number, GroupScore> | null} trackScores by id of the track: how much more its spans take than in the baseline
 * @property {{ row: number, tint: number, reason: number } | null} rowScore of the selected span, while spans are scored
 * @property {ReadonlyMap<string, GroupScore> | null} groupScores of the rows of the comparison, by groupKey() (compare_scores.js)
 * @property {import('../model/verdict.js').VerdictWindow | null} verdict of the frames that the statistics are of (verdict_data.js)
 * @property {import('./nodes_data.js').Nodes | null} nodes that were captured in detail, while their table is shown
 * @property {ReadonlyMap<number, import('../model/nodes.js').NodeFacts>} nodeFacts by row: what the capture says of those that were in sight
 * @property {Working} working
 * @property {Search | null} search
 * @property {{ text: string, step: 1 | -1 } | null} searchStep asked for before the matches of its text were there
 * @property {Stats | null} stats
 * @property {Selection | null} selection
 * @property {FrameStructure | null} structure of the shown frame, while somebody looks at it (structure_data.js)
 * @property {import('./panel_data.js').Panel | null} panel what is known of the selected pass beyond its span
 * @property {import('./frame_cost.js').FrameCost | null} frameCost what one frame took more than those before it
 * @property {import('../model/memory_history.js').MemoryHistory | null} memory over the frames, once somebody looked at it
 * @property {string} structureNote why there is none; empty while it is on its way or there
 * @property {Comparison | null} comparison of place.compare, while the view is shown (compare_data.js)
 * @property {string} comparisonNote why there is none; empty while it is on its way or there
 * @property {ReadonlyMap<number, FileData>} otherFiles by number: files that are compared with the one that is shown
 * @property {readonly PageNote[]} pageNotes notes that were written here and are in no capture that is open (notes.js)
 * @property {FrameEvents | null} events of the shown frame, while the list of events is shown (events_data.js)
 * @property {string} eventsNote why there are none; empty while they are on their way or there
 * @property {import('./theme.js').Theme} theme
 * @property {import('./theme.js').Contrast} contrast
 * @property {import('./theme.js').Hues} hues
 */

/** @returns {AppState} */
export function initialState() {
    return {
        phase: 'connecting',
        revision: 0,
        opening: null,
        live: null,
        entries: [],
        entry: null,
        problem: null,
        info: null,
        engine: null,
        tracks: [],
        laneDepth: new Uint32Array(0),
        frames: null,
        marks: [],
        place: firstPlace(),
        window: makeWindow(0n, 1e6),
        timelineWidthPx: 0,
        scrollPx: 0,
        timelineHeightPx: 0,
        view: null,
        pace: null,
        bright: null,
        counters: [],
        instants: null,
        metrics: [],
        rangeMetrics: null,
        sparks: null,
        losses: null,
        objects: null,
        highlight: null,
        filter: null,
        minimap: null,
        links: null,
        focus: null,
        path: null,
        pathNote: '',
        slice: null,
        sliceNote: '',
        groups: null,
        histogram: null,
        buckets: null,
        anomalies: null,
        trackScores: null,
        rowScore: null,
        groupScores: null,
        verdict: null,
        nodes: null,
        nodeFacts: new Map(),
        working: null,
        search: null,
        searchStep: null,
        stats: null,
        selection: null,
        structure: null,
        panel: null,
        frameCost: null,
        memory: null,
        structureNote: '',
        events: null,
        eventsNote: '',
        comparison: null,
        comparisonNote: '',
        otherFiles: new Map(),
        pageNotes: [],
        theme: 'auto',
        contrast: 'auto',
        hues: 'usual',
    };
}

/**
 * What every part of the state is given.
 * @typedef {object} Context
 * @property {import('./store.js').Store<AppState>} store
 * @property {Client} client
 * @property {import('../protocol/home.js').Home} home
 */

/** Channels of the protocol: a newer question on one replaces the older. */
export const CHANNEL = Object.freeze({
    VIEW: 1, STATS: 2, SPAN: 3, SEARCH: 4, HOVER: 5, STRUCTURE: 6, EVENTS: 7, COMPARE: 8, RESOURCES: 9, LIVE: 10, FRAME_COST: 11, METRICS: 12, OBJECTS: 13, SPARKS: 14,
    MINIMAP: 15, LINKS: 16, FILTER: 17, FOCUS: 18, PATH: 19, GROUPS: 20, HISTOGRAM: 21, BUCKETS: 22, ANOMALIES: 23, HIGHLIGHT: 24, CATEGORIES: 25, SLICE: 26,
    TRACK_SCORES: 27, ROW_SCORE: 28, GROUP_SCORES: 29, NODES: 30, VERDICT: 31,
});

/**
 * Is what was asked before out of date? Whatever keeps answers asks again when this says so, and forgets what it kept.
 * @param {AppState} state @param {AppState} before
 */
export function isRenewed(state, before) {
    return state.phase === 'ready' && (before.phase !== 'ready' || state.revision !== before.revision);
}

/** Number of the trace that is shown, 0 before there is one. @param {Context} context */
export function traceOf(context) {
    return context.store.state.entry?.trace ?? 0;
}

/** @param {Context} context @param {Partial<Place>} change */
export function updatePlace(context, change) {
    const { store } = context;
    store.update({ place: { ...store.state.place, ...change } });
}

/** What is asked of the trace. @param {Context} context @param {Partial<import('../model/address_explore.js').ExplorePlace>} change */
export function updateExplore(context, change) {
    updatePlace(context, { explore: { ...context.store.state.place.explore, ...change } });
}

/** @param {AppState} state @param {number} id @returns {Track | undefined} */
export function trackOf(state, id) {
    return state.tracks.find((track) => track.id === id);
}
