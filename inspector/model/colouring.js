// SPDX-License-Identifier: MIT
// @ts-check
/* What the colour of a span tells: its name, or on request its queue, scope, query pool or cost. */

/** @typedef {'name' | 'queue' | 'scope' | 'pool' | 'cost'} Colouring */

/** @type {readonly { id: Colouring, text: string, title: string }[]} */
export const COLOURINGS = [
    { id: 'name', text: 'name', title: 'Spans of one name have one colour, in every view' },
    { id: 'queue', text: 'queue', title: 'A colour for each queue and thread' },
    { id: 'scope', text: 'scope', title: 'A colour for each outermost scope' },
    { id: 'pool', text: 'query pool', title: 'A colour for each pool of timestamps that the times came from' },
    { id: 'cost', text: 'cost', title: 'How much of the frame budget a span takes' },
];

/** What VIEW must be asked for besides: FIELDS of the protocol. @type {Record<Colouring, number>} */
export const COLOURING_FIELDS = { name: 0, queue: 0, scope: 8, pool: 2, cost: 16 };

/** Lowest share of the frame budget of each step of cost; the first one has everything below the second. */
export const COST_SHARES = [0, 0.01, 0.02, 0.05, 0.1, 0.2];

/** @param {number} ns @param {number} budgetNs @returns {number} index of the step */
export function costStep(ns, budgetNs) {
    let step = 0;
    while (step + 1 < COST_SHARES.length && ns >= COST_SHARES[step + 1] * budgetNs) {
        step++;
    }
    return step;
}

/** @param {number} step */
export function costLabel(step) {
    const percent = (/** @type {number} */ share) => `${Math.round(share * 100)} %`;
    const last = step === COST_SHARES.length - 1;
    return step === 0 ? `under ${percent(COST_SHARES[1])} of the budget`
        : last ? `${percent(COST_SHARES[step])} and more` : `${percent(COST_SHARES[step])} to ${percent(COST_SHARES[step + 1])}`;
}

/** The outermost part of a scope path. @param {string} path */
export function outermostScope(path) {
    const slash = path.indexOf('/');
    return slash < 0 ? path : path.slice(0, slash);
}
