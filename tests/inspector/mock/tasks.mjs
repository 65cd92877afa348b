// SPDX-License-Identifier: MIT
/* Long work in steps over the invented trace, and scores of its groups and rows. */

import { sums } from './compare.mjs';
import { text, texts, u32, u64, u8 } from './engine.mjs';
import { passIndex } from './graph.mjs';

const NONE = 0xffffffff;
/** Stages whose part is told, and sections that come with the last stage only: absent until then, or of nothing but zeros. */
const PARTS = {
    12: { stages: ['totals', 'percentiles'], zero: (tag) => [0x0c48, 0x0c4a, 0x0c4b].includes(tag), absent: () => false },
    23: { stages: ['frames', 'rows'], zero: () => false, absent: (tag) => tag === 0x1740 || (tag >= 0x1748 && tag < 0x1760) },
};

/**
 * TASK over the other answers: two steps for each, of which the second one waits as long as `options.held`.
 * @param {Record<number, (request: any) => any>} answers @param {{ held?: boolean }} options
 */
export function taskAnswer(answers, options) {
    const tasks = new Map();
    let last = 0;
    return (request) => {
        const [start, step, end] = [0x2501, 0x2502, 0x2503].map((tag) => request.sections.get(tag)?.[0] ?? 0);
        if (end) {
            tasks.delete(end);
            return [];
        }
        const number = start ? ++last : step;
        if (start) {
            tasks.set(number, { kind: start, steps: 0 });
        }
        const task = tasks.get(number);
        if (!task) {
            return null;
        }
        const { stages, zero, absent } = PARTS[task.kind] ?? { stages: ['all'], zero: () => false, absent: () => true };
        task.steps += start ? 0 : 1;
        const stage = Math.min(task.steps, stages.length - 1);
        const head = (left, done) => [u32(0x2540, [left]), u64(0x2541, [task.steps, 4, done, stages.length, task.steps, 0, 1])];
        if (task.steps < 2 || options.held) {
            const part = task.steps === 1 ? answers[task.kind](request).filter(({ tag }) => !absent(tag)) : [];
            return [...head(number, stage), text(0x2542, stages[stage]), ...part.map((section) => (zero(section.tag) ? { ...section, bytes: new Uint8Array(section.bytes.length) } : section))];
        }
        tasks.delete(number);
        return [...head(0, stages.length), ...answers[task.kind](request)];
    };
}

/** Dimensions as COMPARE numbers them. */
const BY = { 1: 0, 9: 1, 10: 3 };
const THRESHOLD = 0.25;

/** How much more the groups of one side take: mean duration over mean duration. */
export function groupScoresAnswer(trace, request) {
    const all = [0, trace.frames.length];
    const by = BY[request.sections.get(0x2608)?.[0] ?? 1] ?? 0;
    const kinds = request.sections.get(0x260b)?.[0] ?? 0;
    const sides = [request.sections.get(0x260d) ?? all, request.sections.get(0x2602) ?? all].map((frames) => sums(trace, by, frames));
    const isWanted = (group) => kinds === 0 || (kinds & (group.track === 2 ? 1 : 2)) !== 0;
    const mean = (group) => (group ? Math.floor([...group.frames.values()].reduce((sum, ns) => sum + ns, 0) / group.count) : 0);
    const keyOf = (group) => (group && by === 1 ? passIndex(group.name) : NONE);
    const rows = [...new Set([...sides[0].keys(), ...sides[1].keys()])].map((key) => sides.map((side) => side.get(key))).filter(([base, next]) => isWanted(base ?? next)).map(([base, next]) => {
        const [before, after] = [mean(base), mean(next)];
        const ratio = before > 0 ? after / before : 0;
        const score = base && next ? Math.max(0, ratio - 1) : 0;
        return { base, next, before, after, ratio, score, flags: !base ? 1 : !next ? 2 : score >= THRESHOLD ? 32 : 0 };
    }).sort((a, b) => b.score - a.score);
    const tint = (row) => (row.flags & 3 ? 0 : row.score < THRESHOLD ? 1 + Math.floor((row.score / THRESHOLD) * 126) : Math.min(255, 128 + Math.floor((row.score / THRESHOLD - 1) * 127)));
    return [u32(0x2640, [rows.length]), u32(0x2641, [rows.filter((row) => row.flags & 32).length, 0, 0, 0, 0]), texts(0x2648, rows.map((row) => (row.base ?? row.next).name)), u32(0x2649, rows.map((row) => keyOf(row.next))),
        u32(0x264a, rows.map((row) => keyOf(row.base))), u32(0x264b, rows.map(() => 0)), u32(0x264c, rows.map(() => 0)), u64(0x264d, rows.map((row) => row.next?.count ?? 0)), u64(0x264e, rows.map((row) => row.base?.count ?? 0)),
        u64(0x264f, rows.map((row) => row.after)), u64(0x2650, rows.map((row) => row.before)), u32(0x2651, rows.map(() => 0)), u32(0x2652, rows.map(() => 0)), u32(0x2653, rows.map((row) => row.flags)),
        u64(0x2654, rows.map((row) => Math.floor(row.ratio * 1e6))), u64(0x2655, rows.map((row) => Math.floor(row.score * 1e6))), u8(0x2656, rows.map(tint))];
}

/** Every third row is unusual, and those that do not exist are of no group. */
export function rowScoresAnswer(trace, request) {
    const rows = request.sections.get(0x2702) ?? [];
    return [u8(0x2740, rows.map((row) => (row < trace.spans.length && row % 3 === 0 ? 200 : 0))), u8(0x2741, rows.map((row) => (row < trace.spans.length ? 0 : 4)))];
}
