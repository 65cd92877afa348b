// SPDX-License-Identifier: MIT
// @ts-check
/* Memory over the frames: asked when the view of resources is first looked at, and again when the capture has grown. */

import { askTopologyBytes } from '../protocol/memory.js';
import { askCounters } from '../protocol/views.js';
import { counterByFrame, declaredByFrame } from '../model/memory_history.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('../model/memory_history.js').MemoryHistory} MemoryHistory */

/** Samples are asked for in as many bins as a reply can have: a frame rarely holds more than one. */
const WIDTH_PX = 16384;

/** @param {Context} context */
export function keepMemory(context) {
    const { store, client } = context;
    let isCurrent = false;

    const load = async () => {
        const { frames, info } = store.state;
        if (!frames || !info) {
            return;
        }
        const trace = traceOf(context);
        const order = client.supersede(CHANNEL.RESOURCES);
        const counters = info.memoryCounters;
        const wanted = [counters.used, counters.budget].filter((counter) => counter !== null);
        const question = { startNs: info.startNs, endNs: info.endNs + 1n, widthPx: WIDTH_PX, counters: wanted };
        const [topologies, answers] = await Promise.all([askTopologyBytes(client, trace),
            wanted.length > 0 && info.endNs > info.startNs ? askCounters(client, trace, question, order) : []]);
        const column = (/** @type {number | null} */ counter) => {
            const found = counter === null ? undefined : answers.find((answer) => answer.counter === counter);
            return found ? counterByFrame(frames, found, info.endNs) : null;
        };
        store.update({ memory: { ...declaredByFrame(frames, topologies), used: column(counters.used), budget: column(counters.budget) } });
    };

    store.listen((state, before) => {
        if (isRenewed(state, before) || state.frames !== before.frames) {
            isCurrent = false;
        }
        if (state.phase === 'ready' && state.place.view === 'resources' && !isCurrent) {
            isCurrent = true;
            void attempt(context, 'The memory of the frames could not be read', load);
        }
    });
}
