// SPDX-License-Identifier: MIT
/* Two frames of a scene whose nodes were captured in detail: spans of the category "node" with what a recorder says of them. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CARDS = 40;

/** What each name takes in all, in ns. */
export const TOTALS = new Map([['frame', 2 * (CARDS * 20 + 10) * 1000], ['card', 2 * CARDS * 16000], ['label', 2 * CARDS * 5000]]);

/** @returns {string} a file */
export function nodesFile() {
    const events = [{ ph: 'M', name: 'thread_name', pid: 1, tid: 1, args: { name: 'nodes' } }];
    const node = (name, ts, dur, args) => events.push({ ph: 'X', pid: 1, tid: 1, cat: 'node', name, ts, dur, args });
    for (const start of [1000, 5000]) {
        node('frame', start, CARDS * 20 + 10, { nodes: 2 * CARDS });
        for (let i = 0; i < CARDS; i++) {
            const at = start + i * 20;
            node('card', at, 16, { id: 10 * i, draws: 3, 'self draws': 1, culled: false, fills: 2, 'blur radius': 2.5 });
            node('label', at + 4, 5, { id: 10 * i + 1, draws: 2, 'self draws': 2, culled: i === 7 });
        }
    }
    const folder = process.env.FG_WORK ?? join(tmpdir(), 'frameglass-inspector');
    mkdirSync(folder, { recursive: true });
    const path = join(folder, 'nodes.json');
    writeFileSync(path, JSON.stringify({ traceEvents: events }));
    return path;
}
