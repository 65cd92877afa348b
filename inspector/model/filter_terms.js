// SPDX-License-Identifier: MIT
// @ts-check
/* Which spans are shown at all: what a person filters by, as words and in the address. */

/**
 * All of it holds together; the first look has none of it.
 * @typedef {object} OnlyPlace
 * @property {boolean} errors only spans that failed
 * @property {boolean} noRuntime none that the runtime made
 * @property {number} shortChildNs hides spans inside a parent that are not longer; 0: off
 * @property {number} similarPercent hides parents of which a child is about as long; 0: off
 * @property {number} leastNs shorter ones are hidden; 0: off
 * @property {number} mostNs longer ones are hidden; 0: off
 * @property {string[]} categories empty: all
 * @property {number[]} tracks empty: all
 */

/** @type {OnlyPlace} */
export const EVERYTHING = { errors: false, noRuntime: false, shortChildNs: 0, similarPercent: 0, leastNs: 0, mostNs: 0, categories: [], tracks: [] };
const MOST_NS = 1e15;

/** @param {OnlyPlace} only */
export function isEverything(only) {
    return formatOnly(only).length === 0;
}

/** @param {OnlyPlace} only @returns {string[]} parts of the address */
export function formatOnly(only) {
    const words = [
        only.errors ? 'errors' : '',
        only.noRuntime ? 'noruntime' : '',
        only.shortChildNs > 0 ? `child:${only.shortChildNs}` : '',
        only.similarPercent > 0 ? `parent:${only.similarPercent}` : '',
        only.leastNs > 0 ? `least:${only.leastNs}` : '',
        only.mostNs > 0 ? `most:${only.mostNs}` : '',
    ].filter(Boolean);
    return [
        ...(words.length > 0 ? [`only=${words.join(',')}`] : []),
        ...(only.categories.length > 0 ? [`cats=${only.categories.map(encodeURIComponent).join(',')}`] : []),
        ...(only.tracks.length > 0 ? [`tracks=${only.tracks.join(',')}`] : []),
    ];
}

/** @param {string} text @param {number} most */
function count(text, most) {
    return /^\d{1,16}$/.test(text) ? Math.min(most, Number(text)) : 0;
}

/** @param {OnlyPlace} only @param {string} key @param {string} value @param {(value: string) => string} decode @returns {OnlyPlace | null} null: not of these */
export function readOnly(only, key, value, decode) {
    switch (key) {
        case 'only': {
            const words = new Map(value.split(',').map((word) => /** @type {[string, string]} */ ([word.split(':')[0], word.split(':')[1] ?? ''])));
            return {
                ...only,
                errors: words.has('errors'),
                noRuntime: words.has('noruntime'),
                shortChildNs: count(words.get('child') ?? '', MOST_NS),
                similarPercent: count(words.get('parent') ?? '', 100),
                leastNs: count(words.get('least') ?? '', MOST_NS),
                mostNs: count(words.get('most') ?? '', MOST_NS),
            };
        }
        case 'cats':
            return { ...only, categories: value.split(',').map(decode).filter(Boolean).slice(0, 64) };
        case 'tracks':
            return { ...only, tracks: value.split(',').filter((id) => /^\d{1,9}$/.test(id)).map(Number).slice(0, 4096) };
        default:
            return null;
    }
}

/** What is hidden, in a few words. @param {OnlyPlace} only @param {(ns: number) => string} duration */
export function onlyWords(only, duration) {
    return [
        only.errors ? 'errors only' : '',
        only.noRuntime ? 'no runtime' : '',
        only.leastNs > 0 ? `from ${duration(only.leastNs)} on` : '',
        only.mostNs > 0 ? `up to ${duration(only.mostNs)}` : '',
        only.shortChildNs > 0 ? `no children up to ${duration(only.shortChildNs)}` : '',
        only.similarPercent > 0 ? `no parents within ${only.similarPercent} % of a child` : '',
        only.categories.length > 0 ? (only.categories.length === 1 ? only.categories[0] : `${only.categories.length} categories`) : '',
        only.tracks.length > 0 ? (only.tracks.length === 1 ? 'one track' : `${only.tracks.length} tracks`) : '',
    ].filter(Boolean);
}
