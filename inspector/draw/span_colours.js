// SPDX-License-Identifier: MIT
// @ts-check
/* From spans and bins to packed colours, remembered; and the legend of what was coloured. */

import { HUE_COUNT, hueOf, mix, packColour } from '../model/colour.js';
import { costLabel, costStep, outermostScope } from '../model/colouring.js';

/** @typedef {import('./palette.js').Palette} Palette */
/** @typedef {import('../model/colouring.js').Colouring} Colouring */
/** @typedef {import('../model/layout.js').Track} Track */
/** @typedef {[number, number, number]} Rgb */
/** @typedef {{ name: Uint32Array, scope: Uint32Array, origin: Uint32Array }} ColouredColumns spans or bins */
/** @typedef {{ label: string, rgb: Rgb, order: number }} LegendEntry */
/**
 * @typedef {object} SpanColours
 * @property {(columns: ColouredColumns, i: number, ns: number, track: Track, depth: number, dim: boolean) => number} of
 * @property {() => LegendEntry[]} legend what was coloured so far; empty where the colour tells the name
 */

/** How far deeper lanes move towards the ground, so that nesting reads without borders. */
const DEPTH_FADE = [0, 0.1, 0.18, 0.24, 0.28];
/** What is not highlighted steps back this far. */
const DIM_FADE = 0.74;
const NONE = 0xffffffff;

/**
 * A palette, a colouring or a budget that changed makes a new one.
 * @param {Palette} palette
 * @param {Colouring} colouring
 * @param {number} budgetNs
 * @param {(name: number) => string} nameText
 * @returns {SpanColours}
 */
export function spanColours(palette, colouring, budgetNs, nameText) {
    /** @type {Map<number, LegendEntry>} */
    const entries = new Map();
    /** @type {Map<number, number>} */
    const packed = new Map();

    /** @param {ColouredColumns} columns @param {number} i @param {number} ns @param {Track} track */
    const keyOf = (columns, i, ns, track) => {
        switch (colouring) {
            case 'queue': return track.id;
            case 'scope': return columns.scope[i] ?? 0;
            case 'pool': return columns.origin[i] ?? NONE;
            case 'cost': return costStep(ns, budgetNs);
            default: return columns.name[i];
        }
    };
    /** @param {number} key @param {Track} track @returns {LegendEntry} */
    const entryOf = (key, track) => {
        const neutral = (/** @type {string} */ label) => ({ label, rgb: palette.neutral, order: Infinity });
        switch (colouring) {
            case 'queue': return { label: track.name, rgb: palette.hues[track.id % HUE_COUNT], order: track.id };
            case 'scope': {
                const scope = outermostScope(nameText(key));
                return scope === '' ? neutral('no scope') : { label: scope, rgb: palette.hues[hueOf(scope)], order: entries.size };
            }
            case 'pool': return key === NONE ? neutral('not from a query pool')
                : { label: `pool ${key}`, rgb: palette.hues[key % HUE_COUNT], order: key };
            case 'cost': return { label: costLabel(key), rgb: palette.heat[key], order: key };
            default: return { label: '', rgb: palette.hues[hueOf(nameText(key))], order: 0 };
        }
    };
    return {
        of(columns, i, ns, track, depth, dim) {
            const key = keyOf(columns, i, ns, track);
            const level = Math.min(depth, DEPTH_FADE.length - 1);
            const place = (key * 8 + level) * 2 + (dim ? 1 : 0);
            let colour = packed.get(place);
            if (colour === undefined) {
                let entry = entries.get(key);
                if (!entry) {
                    entry = entryOf(key, track);
                    entries.set(key, entry);
                }
                colour = packColour(mix(entry.rgb, palette.rgb.ground, dim ? DIM_FADE : colouring === 'cost' ? 0 : DEPTH_FADE[level]));
                packed.set(place, colour);
            }
            return colour;
        },
        legend() {
            if (colouring === 'name') {
                return [];
            }
            /** @type {Map<string, LegendEntry>} scopes below one another share the outermost */
            const byLabel = new Map([...entries.values()].map((entry) => [entry.label, entry]));
            return [...byLabel.values()].sort((a, b) => a.order - b.order);
        },
    };
}
