// SPDX-License-Identifier: MIT
// @ts-check
/*
 * What the panel knows of a selected pass beyond its span: how it compares with the last frame in which it ran, and its times in all frames
 * where it has no span in the shown one.
 */

import { askCompare } from '../protocol/compare.js';
import { RequestError } from '../protocol/client.js';
import { askSeries, askStats } from '../protocol/queries.js';
import { rowOfPass } from '../model/pass_cost.js';
import { CHANNEL, isRenewed, traceOf } from './app_state.js';
import { attempt } from './problems.js';
import { shownFrame } from './selection.js';

/** @typedef {import('./app_state.js').Context} Context */
/** @typedef {import('./app_state.js').AppState} AppState */
/** @typedef {import('../model/compare.js').CompareRow} CompareRow */
/** @typedef {import('../model/span.js').Series} Series */
/**
 * @typedef {object} Panel
 * @property {number} pass identity
 * @property {number} frame row
 * @property {CompareRow | null} change against the last frame in which it ran; null where it cannot be told
 * @property {number | null} base that frame
 * @property {Series | null} series of a pass that has no span in the frame
 * @property {number | null} longest its longest span in any frame
 */

/** Comparisons that are kept. */
const KEPT = 16;

/** @typedef {{ pass: number, frame: number, bare: boolean, base: number | null }} Wanted base: the frame to compare with */

/** The last frame before one in which a pass ran. @param {Series | null} series @param {number} frame @returns {number | null} */
function ranBefore(series, frame) {
    const before = series?.frame.filter((item) => item < frame) ?? [];
    return before.length > 0 ? before[before.length - 1] : null;
}

/** The pass that the panel shows, and in which frame. @param {AppState} state @returns {Wanted | null} */
function wanted(state) {
    const { pass, selected } = state.place;
    const own = selected !== null && state.selection?.info.row === selected ? state.selection : null;
    const frame = own ? own.info.frame : shownFrame(state);
    return pass === null || frame === null || (selected !== null && !own) ? null
        : { pass, frame, bare: selected === null, base: own ? ranBefore(own.series, frame) : null };
}

/** @param {Context} context */
export function keepPanel(context) {
    const { store, client } = context;
    /** @type {Map<string, Promise<CompareRow[]>>} by the two frames */
    const compared = new Map();
    let key = '';

    /** @param {number} base @param {number} frame */
    const compare = (base, frame) => {
        const name = `${base} ${frame}`;
        const known = compared.get(name);
        if (known) {
            return known;
        }
        const trace = traceOf(context);
        const side = (/** @type {number} */ row) => ({ trace, frames: { first: row, last: row } });
        const asked = askCompare(client, { base: side(base), next: side(frame), by: 'pass' }, { channel: 0, generation: 0 }).then((answer) => answer.rows);
        compared.set(name, asked);
        asked.catch(() => compared.delete(name));
        if (compared.size > KEPT) {
            compared.delete(/** @type {string} */ (compared.keys().next().value));
        }
        return asked;
    };

    /** @param {number} pass @returns {Promise<{ series: Series | null, longest: number | null }>} */
    const history = async (pass) => {
        const order = client.supersede(CHANNEL.HOVER);
        const { rows } = await askStats(client, traceOf(context), { by: 'pass', frames: null, filter: 0 }, order, () => '');
        const mine = rows.filter((row) => row.key === pass && row.count > 0);
        const best = mine.reduce((/** @type {typeof mine[0] | null} */ found, row) => (found === null || row.maxNs > found.maxNs ? row : found), null);
        return best === null ? { series: null, longest: null }
            : { series: await askSeries(client, traceOf(context), best.longest, order), longest: best.longest };
    };

    const load = async (/** @type {Wanted} */ { pass, frame, bare, base }) => {
        const mine = key;
        const [rows, past] = await Promise.all([
            base !== null ? compare(base, frame).catch((error) => {
                // An engine that does not compare is no reason to show nothing else.
                if (error instanceof RequestError) {
                    return [];
                }
                throw error;
            }) : [],
            bare ? history(pass) : { series: null, longest: null },
        ]);
        if (mine === key) {
            store.update({ panel: { pass, frame, base, change: rowOfPass(rows, pass), ...past } });
        }
    };

    store.listen((state, before) => {
        if (isRenewed(state, before)) {
            compared.clear();
            key = '';
        }
        const want = state.phase === 'ready' ? wanted(state) : null;
        const next = want ? `${want.pass} ${want.frame} ${want.bare} ${want.base}` : '';
        if (next === key) {
            return;
        }
        key = next;
        if (want) {
            void attempt(context, 'The pass could not be read', () => load(want));
        } else {
            store.update({ panel: null });
        }
    });
}
