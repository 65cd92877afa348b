// SPDX-License-Identifier: MIT
// @ts-check
/* Colours come from the style sheet, so that there is one place for dark, light and high contrast. */

import { HUE_COUNT, hueOf, mix, packColour, parseColour } from '../model/colour.js';

const TOKENS = /** @type {const} */ (['ground', 'panel', 'raised', 'line', 'line-soft', 'ink', 'ink-2', 'ink-3', 'accent',
    'select', 'gpu', 'cpu', 'bad', 'warn', 'good', 'on-hue', 'lane']);
/** @typedef {typeof TOKENS[number]} Token */

/**
 * @typedef {object} Palette
 * @property {Record<Token, string>} css
 * @property {Record<Token, [number, number, number]>} rgb
 * @property {[number, number, number][]} hues
 * @property {string} sans font family of names
 * @property {string} mono font family of figures
 */

/** @param {Element} element @returns {Palette} */
export function readPalette(element) {
    const style = getComputedStyle(element);
    const value = (/** @type {string} */ name) => style.getPropertyValue(`--${name}`).trim();
    const css = /** @type {Record<Token, string>} */ (Object.fromEntries(TOKENS.map((name) => [name, value(name)])));
    const rgb = /** @type {Record<Token, [number, number, number]>} */ (
        Object.fromEntries(TOKENS.map((name) => [name, parseColour(css[name])])));
    const hues = Array.from({ length: HUE_COUNT }, (_, i) => parseColour(value(`s${i}`)));
    return { css, rgb, hues, sans: value('sans'), mono: value('mono') };
}

/** How far deeper lanes move towards the ground, so that nesting reads without borders. */
const DEPTH_FADE = [0, 0.1, 0.18, 0.24, 0.28];
/** What is not highlighted steps back this far. */
const DIM_FADE = 0.74;

/**
 * Packed colours of names, remembered. A palette change makes a new one.
 * @param {Palette} palette
 * @param {(name: number) => string} nameText
 */
export function nameColours(palette, nameText) {
    /** @type {Map<number, number>} */
    const known = new Map();
    return (/** @type {number} */ name, /** @type {number} */ depth, /** @type {boolean} */ dim) => {
        const level = Math.min(depth, DEPTH_FADE.length - 1);
        const key = (name * 8 + level) * 2 + (dim ? 1 : 0);
        let colour = known.get(key);
        if (colour === undefined) {
            const hue = palette.hues[hueOf(nameText(name))];
            colour = packColour(mix(hue, palette.rgb.ground, dim ? DIM_FADE : DEPTH_FADE[level]));
            known.set(key, colour);
        }
        return colour;
    };
}

/** @param {string} name @returns {string} custom property with the hue of a name */
export function hueVariable(name) {
    return `var(--s${hueOf(name)})`;
}
