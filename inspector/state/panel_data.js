// SPDX-License-Identifier: MIT
// @ts-check
/*
 * What the panel knows of a selected pass beyond its span: how it compares with the frame before, and its times in all frames
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
 * @property {CompareRow | null} change against the frame before; null where it cannot be told
 * @property {Series | null} series of a pass that has no span in the frame
 * @property {number | null} longest its longest span in any frame
 */

/** Frames whose comparison with the one before is kept. */
const KEPT = 16;

/** The pass that the panel shows, and in which frame. @param {AppState} state @returns {{ pass: number, frame: number, bare: boolean } | null} */
function wanted(state) {
    const { pass, selected } = state.place;
    const frame = selected !== null && state.selection?.info.row === selected ? state.selection.info.frame : shownFrame(state);
    return pass === null || frame === null ? null : { pass, frame, bare: selected === null };
}

/** @param {Context} context */
export function keepPanel(context) {
    const { store, client } = context;
    /** @type {Map<number, Promise<CompareRow[]>>} by frame */
    const compared = new Map();
    let key = '';

    /** Rows of a frame against the one before. @param {number} frame */
    const compare = (frame) => {
        const known = compared.get(frame);
        if (known) {
            return known;
        }
        const trace = traceOf(context);
        const side = (/** @type {number} */ row) => ({ trace, first: row, last: row });
        const asked = askCompare(client, { base: side(frame - 1), next: side(frame), by: 'pass' }, { channel: 0, generation: 0 }).then((answer) => answer.rows);
        compared.set(frame, asked);
        asked.catch(() => compared.delete(frame));
        if (compared.size > KEPT) {
            compared.delete(/** @type {number} */ (compared.keys().next().value));
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

    const load = async (/** @type {{ pass: number, frame: number, bare: boolean }} */ { pass, frame, bare }) => {
        const mine = key;
        const [rows, past] = await Promise.all([
            frame > 0 ? compare(frame).catch((error) => {
                // An engine that does not compare is no reason to show nothing else.
                if (error instanceof RequestError) {
                    return [];
                }
                throw error;
            }) : [],
            bare ? history(pass) : { series: null, longest: null },
        ]);
        if (mine === key) {
            store.update({ panel: { pass, frame, change: rowOfPass(rows, pass), ...past } });
        }
    };

    store.listen((state, before) => {
        if (isRenewed(state, before)) {
            compared.clear();
            key = '';
        }
        const want = state.phase === 'ready' ? wanted(state) : null;
        const next = want ? `${want.pass} ${want.frame} ${want.bare}` : '';
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
