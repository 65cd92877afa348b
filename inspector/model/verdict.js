// SPDX-License-Identifier: MIT
// @ts-check
/* What bounds frames, in words. The engine decides it, by the rule in docs/VERDICT.md; here is only how it is said. */

import { FRAME, frameAtTime } from './frames.js';
import { counted, duration } from './format.js';

/** @typedef {import('./frames.js').FrameTable} FrameTable */
/** @typedef {import('./frames.js').FrameRange} FrameRange */
/** @typedef {'unknown' | 'cpu' | 'gpu' | 'present' | 'balanced' | 'mixed'} Verdict */
/**
 * Of frames together.
 * @typedef {object} VerdictWindow
 * @property {FrameRange} range
 * @property {Verdict} verdict
 * @property {readonly number[]} counts frames by verdict, in the order of VERDICTS
 * @property {number} inferred of how many of those that can be told it is a guess
 */

/** By the numbers of the protocol. @type {readonly Verdict[]} */
export const VERDICTS = ['unknown', 'cpu', 'gpu', 'present', 'balanced', 'mixed'];
/** @type {Record<Verdict, string>} */
const WORDS = { unknown: 'cannot be told', cpu: 'CPU-bound', gpu: 'GPU-bound', present: 'present-bound', balanced: 'balanced', mixed: 'mixed' };
const SHORT = ['', 'CPU', 'GPU', 'present', 'balanced'];
const INFERRED = 'no whole GPU time to go by, so it is inferred: a guess from the frame\'s length, the CPU\'s work and the wait for present, which is left out.';

/** @param {FrameTable} frames @param {number} index @returns {Verdict} */
export function verdictOf(frames, index) {
    return VERDICTS[frames.detail?.verdict[index] ?? 0] ?? 'unknown';
}

/** @param {FrameTable} frames @param {number} index */
function isInferred(frames, index) {
    return (frames.flags[index] & FRAME.INFERRED) !== 0;
}

/** "GPU-bound (inferred)"; empty where it cannot be told. @param {FrameTable} frames @param {number} index */
export function verdictText(frames, index) {
    const verdict = verdictOf(frames, index);
    return verdict === 'unknown' ? '' : `${WORDS[verdict]}${isInferred(frames, index) ? ' (inferred)' : ''}`;
}

/**
 * All that the rule needs is known, and still nothing that was measured bounds it.
 * @param {FrameTable} frames @param {number} index
 */
function isUnfilled(frames, index) {
    const { detail } = frames;
    return detail !== null && verdictOf(frames, index) === 'unknown' && !(frames.flags[index] & FRAME.PAUSE)
        && detail.frameNs[index] >= 0 && detail.cpuWorkNs[index] >= 0 && detail.gpuBusyNs[index] >= 0;
}

/** How many of them nothing that was measured fills. @param {FrameTable | null} frames @param {FrameRange} range */
export function unfilledWithin(frames, range) {
    let count = 0;
    for (let i = range.first; frames && i <= Math.min(range.last, frames.count - 1); i++) {
        count += Number(isUnfilled(frames, i));
    }
    return count;
}

/** The figures that the rule goes by. @param {FrameTable} frames @param {number} index */
export function verdictReason(frames, index) {
    const { detail } = frames;
    if (!detail) {
        return '';
    }
    const frameNs = detail.frameNs[index];
    const presentNs = detail.presentWaitNs[index];
    if (frames.flags[index] & FRAME.PAUSE) {
        return 'A pause follows this frame, so nothing is said of what bounds it.';
    }
    const isOpen = isUnfilled(frames, index);
    if (verdictOf(frames, index) === 'unknown' && !isOpen) {
        return frameNs < 0 ? 'The last frame has no length, so nothing is said of what bounds it.' : '';
    }
    const parts = [
        `CPU worked ${duration(detail.cpuWorkNs[index])}`,
        detail.gpuBusyNs[index] >= 0 ? `GPU was busy ${duration(detail.gpuBusyNs[index])}` : '',
        presentNs >= 0 ? `waited for present ${duration(presentNs)}` : '',
    ].filter(Boolean);
    if (isOpen) {
        const leftNs = frameNs - detail.cpuWorkNs[index] - detail.gpuBusyNs[index] - Math.max(0, presentNs);
        return `Of ${duration(frameNs)}: ${parts.join(', ')}. At least ${duration(leftNs)} were none of this, so what bounds it cannot be told.`;
    }
    return `Of ${duration(frameNs)}: ${parts.join(', ')}.${isInferred(frames, index) ? ` There was ${INFERRED}` : ''}`;
}

/** @param {VerdictWindow} window */
function toldOf(window) {
    return window.counts.slice(1, 5).reduce((sum, count) => sum + count, 0);
}

/** The words alone: what a chip says. @param {VerdictWindow} window */
export function windowWords(window) {
    const { verdict, inferred } = window;
    const guessed = inferred === 0 ? '' : inferred === toldOf(window) ? ' (inferred)' : ` (${inferred} inferred)`;
    return `${WORDS[verdict]}${guessed}`;
}

/** As the command line says it: "GPU-bound: GPU 57, CPU 2 of 59 frames". @param {VerdictWindow} window */
export function windowText(window) {
    const told = toldOf(window);
    const parts = SHORT.map((word, i) => (i > 0 && window.counts[i] > 0 ? `${word} ${window.counts[i]}` : '')).filter(Boolean);
    const rest = window.counts[0] > told ? `, ${window.counts[0]} cannot be told` : ''; // few speak for many
    return `${windowWords(window)}${told > 0 ? `: ${parts.join(', ')} of ${told} frame${told === 1 ? '' : 's'}${rest}` : ''}`;
}

/**
 * Why the chip says what it says.
 * @param {VerdictWindow} window @param {number} unfilled of how many it cannot be told because nothing that was measured fills them
 */
export function windowReason(window, unfilled) {
    const { inferred } = window;
    const told = toldOf(window);
    const untold = window.counts[0] > 0 && (told === 0 || window.counts[0] <= told) ? ` Of ${counted(window.counts[0], 'frame')} it cannot be told.` : '';
    const guessed = inferred === 0 ? '' : inferred === toldOf(window) ? ` There was ${INFERRED}` : ` Of ${counted(inferred, 'frame')} there was ${INFERRED}`;
    const rule = window.verdict === 'mixed' ? 'Nothing bounds more than half of them.' : 'It is what bounds more than half of those that can be told.';
    const why = unfilled === 0 ? '' : ` In ${counted(unfilled, 'frame')} CPU and GPU together took less than the frame, and no wait for present was told that explains the rest.`;
    return `${windowText(window)}.${toldOf(window) > 0 ? ` ${rule}` : ''}${untold}${why}${guessed}`;
}

/**
 * Frames that run at some time of [from, to): each runs until the next one begins.
 * @param {FrameTable} frames @param {bigint} fromNs @param {bigint} toNs
 * @returns {FrameRange | null}
 */
export function framesWithin(frames, fromNs, toNs) {
    const last = frameAtTime(frames, toNs - 1n);
    return last < 0 ? null : { first: Math.max(0, frameAtTime(frames, fromNs)), last };
}
