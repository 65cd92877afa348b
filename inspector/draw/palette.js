// SPDX-License-Identifier: MIT
// @ts-check
/* Colours come from the style sheet, so that there is one place for dark, light and high contrast. */

import { HUE_COUNT, hueOf, parseColour } from '../model/colour.js';
import { COST_SHARES } from '../model/colouring.js';

const TOKENS = /** @type {const} */ (['ground', 'panel', 'raised', 'line', 'line-soft', 'ink', 'ink-2', 'ink-3', 'accent',
    'select', 'gpu', 'cpu', 'bad', 'warn', 'good', 'on-hue', 'lane', 'read', 'write', 'life']);
/** @typedef {typeof TOKENS[number]} Token */

/**
 * @typedef {object} Palette
 * @property {Record<Token, string>} css
 * @property {Record<Token, [number, number, number]>} rgb
 * @property {[number, number, number][]} hues
 * @property {[number, number, number][]} heat from little to much
 * @property {[number, number, number]} neutral of what has no colour of its own
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
    const heat = COST_SHARES.map((_, i) => parseColour(value(`heat${i}`)));
    return { css, rgb, hues, heat, neutral: parseColour(value('neutral')), sans: value('sans'), mono: value('mono') };
}

/** @param {string} name @returns {string} custom property with the hue of a name */
export function hueVariable(name) {
    return `var(--s${hueOf(name)})`;
}
