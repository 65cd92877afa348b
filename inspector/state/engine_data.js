// SPDX-License-Identifier: MIT
// @ts-check
/* Keeps who answers: asked once for a trace, and again when a reply says that it has changed. */

import { KIND } from '../protocol/client.js';
import { askEngine } from '../protocol/engine.js';
import { isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';

/** @typedef {import('./app_state.js').Context} Context */

/** @param {Context} context */
export function keepEngine(context) {
    const { store, client } = context;
    const look = () => void attempt(context, 'Who answers could not be told', async () => {
        const trace = traceOf(context);
        const engine = await askEngine(client, trace);
        if (trace === traceOf(context)) {
            store.update({ engine });
        }
    });
    store.listen((state, before) => {
        if (isRenewed(state, before)) {
            if (client.can(KIND.ENGINE)) {
                look();
            } else {
                store.update({ engine: null });
            }
        }
    });
    client.onInstead = (trace) => {
        if (trace === traceOf(context) && store.state.phase === 'ready' && client.can(KIND.ENGINE)) {
            look();
        }
    };
}
