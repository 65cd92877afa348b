// SPDX-License-Identifier: MIT
// @ts-check
/* Names of the tracks, down the left side: buttons that fold, with the worth of each track's clock. */

import { byId, fill, h, icon } from './dom.js';
import { trackScore } from './track_score.js';
import { updatePlace } from '../state/app_state.js';
import { foldAll, isConstant, visibleBoxes } from '../model/layout.js';
import { MODE } from '../model/lanes.js';
import { NO_PROOF } from '../model/losses.js';
import { ACCURACY_WORDS, KIND_WORDS, shortReading } from '../model/metrics.js';
import { counted, grouped, pageUnit, shortDuration } from '../model/format.js';

/** @typedef {import('../state/app_state.js').Context} Context */
/** @typedef {import('../state/app_state.js').AppState} AppState */
/** @typedef {import('../model/layout.js').Layout} Layout */
/** @typedef {import('../model/layout.js').Track} Track */
/** @typedef {import('../model/layout.js').TrackBox} TrackBox */
/** @typedef {import('../model/metrics.js').Metric} Metric */

/** @param {Context} context @param {number} id */
export function toggleFold(context, id) {
    const { folded } = context.store.state.place;
    const next = folded.includes(id) ? folded.filter((other) => other !== id) : [...folded, id];
    updatePlace(context, { folded: next.sort((a, b) => a - b) });
}

/** There is little room beside a curve. @param {number} value @param {string} unit */
function shortText(value, unit) {
    return unit === 'ns' && !pageUnit() ? shortDuration(value) : shortReading(value, unit);
}

/** Everything folded, or unfolded again. @param {Context} context */
export function toggleFoldAll(context) {
    const { tracks, place } = context.store.state;
    updatePlace(context, { folded: foldAll(tracks, place.folded) });
}

/** @param {Track} track */
function clockText(track) {
    if (track.kind === 'process') {
        return '';
    }
    if (track.kind === 'counters') {
        return grouped(track.spans);
    }
    if (track.kind === 'counter') {
        return isConstant(track) ? shortText(track.high, track.unit) : '';
    }
    if (track.domain === 'host') {
        return track.kind === 'cpu' ? 'CPU' : '';
    }
    return track.domain === 'calibrated' && track.boundNs >= 0 ? `±${shortDuration(track.boundNs)}` : track.domain;
}

/** @param {Track} track @param {AppState} state */
function clockTitle(track, state) {
    const reason = state.info?.clocks[track.clock]?.reason ?? '';
    if (track.kind === 'counters') {
        return 'values over time.';
    }
    if (track.kind === 'process') {
        return `a process. ${counted(track.spans, 'span')} on ${counted(state.tracks.filter((item) => item.counter < 0 && item.process?.group === track.id).length, 'track')}.`;
    }
    const metric = track.kind === 'counter' ? state.metrics.find((item) => item.counter === track.counter) : undefined;
    const told = metric && metric.kind !== 'not told' ? ` ${KIND_WORDS[metric.kind]}; ${ACCURACY_WORDS[metric.accuracy]}.` : '';
    const count = track.kind === 'counter' ? `${counted(track.spans, 'sample')}${track.process ? ` of ${track.process.name}` : ''}.${told}` : `${counted(track.spans, 'span')}.`;
    if (track.domain === 'nominal') {
        return `${count} Nominal clock: each frame is placed at its submit on the CPU's axis; no time between this and other tracks means anything. ${reason}`.trim();
    }
    if (track.domain === 'calibrated') {
        return `${count} Calibrated: brought to the CPU's axis, each time within ${grouped(Math.max(0, track.boundNs))} ns.`;
    }
    return count;
}

/** How a track is drawn where it is not span by span: a sample of the pattern. @param {number | undefined} mode */
function modeMark(mode) {
    const text = mode === MODE.DENSITY ? 'drawn as coverage' : 'drawn by the longest of several';
    return mode !== MODE.DENSITY && mode !== MODE.REPRESENTATIVE ? null
        : h('span', { class: `mode ${mode === MODE.DENSITY ? 'density' : 'several'}`, title: `${text}: zoom in for spans` }, h('span', { class: 'unseen' }, `, ${text}`));
}

/** The coarsest representation of each track. @param {AppState} state @param {readonly import('../model/layout.js').TrackBox[]} boxes @returns {Map<number, number>} */
function modesOf(state, boxes) {
    const modes = new Map(state.view?.lanes.map((lane) => [lane.group ? -1 - lane.id : lane.id, lane.mode]));
    return new Map(boxes.map((box) => {
        const drawn = box.lanes.map((lane) => modes.get(lane.folded ? -1 - lane.lane : lane.lane) ?? MODE.EXACT).filter((mode) => mode !== MODE.UNANSWERED);
        return [box.track.id, Math.max(MODE.EXACT, ...drawn)];
    }));
}

/** What was lost of the tracks that a header stands for. @param {AppState} state @param {readonly number[]} tracks */
function lossOf(state, tracks) {
    const losses = state.losses?.tracks.filter((item) => tracks.includes(item.track)) ?? [];
    const [first] = losses;
    return losses.length < 2 ? first : {
        count: losses.reduce((sum, loss) => sum + loss.count, 0n),
        gaps: losses.reduce((sum, loss) => sum + loss.gaps, 0),
    };
}

/** @param {Context} context */
export function timelineHeads(context) {
    const root = h('div', { class: 'heads' });
    byId('timeline').appendChild(root);
    const { store } = context;

    /** @param {TrackBox} box @param {number | undefined} mode */
    const makeHead = ({ track, folded, inside, tracks }, mode) => {
        const clock = clockText(track);
        const loss = lossOf(store.state, tracks);
        const score = trackScore(store.state, tracks);
        const lost = loss ? ` ${counted(loss.count, 'event')} of it lost, at ${counted(loss.gaps, 'place')}. ${NO_PROOF}` : '';
        const metric = track.kind === 'counter' ? store.state.metrics.find((item) => item.counter === track.counter) : undefined;
        const below = track.kind === 'counter' && !folded && !isConstant(track) ? rangeText(track, metric) : '';
        const head = h('button', {
            class: `head kind-${track.kind}${inside ? ' inside' : ''}${score.tinted ? ' worse' : ''}`,
            title: `${track.name}: ${clockTitle(track, store.state)}${lost}${score.title}`,
            aria: { expanded: !folded },
            data: { track: track.id },
            onclick: () => toggleFold(context, track.id),
        }, h('span', { class: 'fold' }, icon('down')),
        h('span', { class: 'name' }, track.name, below ? h('span', { class: 'below num' }, below) : null),
        loss ? h('span', { class: 'lost num' }, `−${grouped(loss.count)}`, h('span', { class: 'unseen' }, ' events lost')) : null,
        modeMark(mode),
        score.mark,
        clock ? h('span', { class: `clock ${track.domain}` }, clock) : null);
        return head;
    };

    /** @type {Layout | null} */
    let shownLayout = null;
    let shownKey = '';
    /** @type {unknown} */
    let shownLosses = null;
    /** @type {unknown} */
    let shownScores = null;
    return {
        root,
        /** @param {Layout} layout @param {number} scroll @param {number} height */
        update(layout, scroll, height) {
            const boxes = visibleBoxes(layout, scroll, scroll + height);
            const modes = modesOf(store.state, boxes);
            const key = `${boxes.map((box) => `${box.track.id}.${modes.get(box.track.id)}`).join()} ${pageUnit()?.name}`;
            const { losses, trackScores } = store.state;
            if (layout !== shownLayout || key !== shownKey || losses !== shownLosses || trackScores !== shownScores) {
                const focused = document.activeElement instanceof HTMLElement ? document.activeElement.dataset.track : undefined;
                fill(root, ...boxes.map((box) => {
                    const head = makeHead(box, modes.get(box.track.id));
                    head.dataset.y = String(box.y);
                    head.classList.toggle('tall', box.track.kind === 'counter' && !box.folded && !isConstant(box.track));
                    return head;
                }));
                shownLayout = layout;
                shownKey = key;
                shownLosses = losses;
                shownScores = trackScores;
                if (focused !== undefined) {
                    const again = root.querySelector(`[data-track="${CSS.escape(focused)}"]`);
                    if (again instanceof HTMLElement) {
                        again.focus({ preventScroll: true });
                    }
                }
            }
            for (const child of root.children) {
                if (child instanceof HTMLElement) {
                    child.style.top = `${Number(child.dataset.y) - scroll}px`;
                }
            }
        },
    };
}

/** The range of a counter, below its name; its only value beside it. @param {Track} track @param {Metric | undefined} metric */
function rangeText(track, metric) {
    if (Number.isNaN(track.low)) {
        return '';
    }
    const range = `${shortText(track.low, track.unit)} to ${shortText(track.high, track.unit)}`;
    return `${metric?.accuracy === 'estimated' ? '≈ ' : ''}${range}${metric?.kind === 'frame counter' ? ' /frame' : ''}`;
}
