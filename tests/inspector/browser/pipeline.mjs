// SPDX-License-Identifier: MIT
/*
 * A trace of another tool, without frames: on three threads each item is launched, copied and computed, in this order, and flows
 * say which waited for which. One computation takes ten times as long as its peers, one copy failed.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ITEMS = 200;
/** The item whose computation is unusual. */
export const ODD = 120;
const STEP_US = 100;

/** @param {number} [slower] times that each computation takes @returns {object[]} events of a Chrome trace */
export function pipelineEvents(slower = 1) {
    const thread = (tid, name) => ({ ph: 'M', name: 'thread_name', pid: 1, tid, args: { name } });
    const events = [{ ph: 'M', name: 'process_name', pid: 1, tid: 0, args: { name: 'pipeline' } }, thread(1, 'launcher'), thread(2, 'copies'), thread(3, 'computations')];
    for (let i = 0, late = 0; i < ITEMS; i++) {
        const at = i * STEP_US + late;
        const took = i === ODD ? 500 : Math.round((50 + (i % 5)) * slower);
        const span = (tid, name, cat, ts, dur) => events.push({ ph: 'X', pid: 1, tid, name, cat, ts, dur });
        const flow = (id, from, to) => events.push({ ph: 's', pid: 1, tid: from[0], ts: from[1], id, name: 'next', cat: 'flow' },
            { ph: 'f', bp: 'e', pid: 1, tid: to[0], ts: to[1], id, name: 'next', cat: 'flow' });
        span(1, 'launch', 'host', at, 20);
        span(1, 'prepare', 'runtime', at + 2, 10);
        span(2, 'copy', 'memory', at + 25, 15);
        span(3, 'compute', 'device', at + 45, took);
        flow(2 * i, [1, at + 15], [2, at + 26]);
        flow(2 * i + 1, [2, at + 38], [3, at + 46]);
        late += took > 60 ? took : 0;
    }
    return events;
}

/** The same in a file. @param {number} [slower] @returns {string} */
export function pipelineFile(slower = 1) {
    const folder = process.env.FG_WORK ?? join(tmpdir(), 'frameglass-inspector');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, slower === 1 ? 'pipeline.json' : 'pipeline-slower.json');
    writeFileSync(path, JSON.stringify({ traceEvents: pipelineEvents(slower) }));
    return path;
}
