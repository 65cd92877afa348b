// SPDX-License-Identifier: MIT
// @ts-check
/* A name keeps its colour: in every view, every capture, every session. */

/** How many hues the palette has; the style sheet names them --s0 to --s9. */
export const HUE_COUNT = 10;

/**
 * Names that differ only by a number are one family and share a hue: "cascade 0" and "cascade 3".
 * @param {string} name
 */
export function family(name) {
    const short = name.replace(/[\s_.#:[\](){}/\\-]*\d+[\s\])}]*$/u, '').trim();
    return short === '' ? name : short.toLowerCase();
}

/** FNV-1a over UTF-16 units. @param {string} text */
export function hash32(text) {
    let hash = 0x811c9dc5;
    for (let i = 0; i < text.length; i++) {
        hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
    }
    // One more mix: the low bits of FNV alone repeat for short names.
    hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d);
    return (hash ^ (hash >>> 13)) >>> 0;
}

/** @param {string} name @returns {number} index of the hue */
export function hueOf(name) {
    return hash32(family(name)) % HUE_COUNT;
}

/**
 * "#rrggbb" or "rgb(r, g, b)" to components from 0 to 1.
 * @param {string} text
 * @returns {[number, number, number]}
 */
export function parseColour(text) {
    const hex = /^#([0-9a-f]{6})$/i.exec(text.trim());
    if (hex) {
        const value = parseInt(hex[1], 16);
        return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
    }
    const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim());
    if (short) {
        return [parseInt(short[1], 16) / 15, parseInt(short[2], 16) / 15, parseInt(short[3], 16) / 15];
    }
    const parts = /rgba?\(\s*([\d.]+)[,\s]+([\d.]+)[,\s]+([\d.]+)/.exec(text);
    if (parts) {
        return [Number(parts[1]) / 255, Number(parts[2]) / 255, Number(parts[3]) / 255];
    }
    throw new Error(`not a colour: ${text}`);
}

/**
 * Packed as the painter wants it: bytes r, g, b, a from low to high.
 * @param {readonly number[]} rgb
 * @param {number} [alpha]
 */
export function packColour(rgb, alpha = 1) {
    const byte = (/** @type {number} */ v) => Math.round(Math.min(1, Math.max(0, v)) * 255);
    return (byte(rgb[0]) | (byte(rgb[1]) << 8) | (byte(rgb[2]) << 16) | (byte(alpha) << 24)) >>> 0;
}

/**
 * @param {readonly number[]} from
 * @param {readonly number[]} to
 * @param {number} share
 * @returns {[number, number, number]}
 */
export function mix(from, to, share) {
    return [
        from[0] + (to[0] - from[0]) * share,
        from[1] + (to[1] - from[1]) * share,
        from[2] + (to[2] - from[2]) * share,
    ];
}

/** For style sheets and canvases. @param {readonly number[]} rgb 0 to 1 */
export function cssColour(rgb) {
    return `rgb(${rgb.map((part) => Math.round(part * 255)).join(' ')})`;
}
