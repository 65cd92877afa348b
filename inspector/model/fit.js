// SPDX-License-Identifier: MIT
// @ts-check
/* Labels are fitted in the page, which knows its font. */

const ELLIPSIS = '…';

/**
 * A cache of text widths for one font. `measure` is asked once per text.
 * @param {(text: string) => number} measure
 * @param {number} [capacity] texts kept; a new generation starts when it is full
 */
export function widthCache(measure, capacity = 8192) {
    /** @type {Map<string, number>} */
    let known = new Map();
    return (/** @type {string} */ text) => {
        let width = known.get(text);
        if (width === undefined) {
            width = measure(text);
            if (known.size >= capacity) {
                known = new Map();
            }
            known.set(text, width);
        }
        return width;
    };
}

/**
 * The text if it fits, else its beginning with an ellipsis, else nothing: fewer than two letters say nothing.
 * @param {string} text
 * @param {number} roomPx
 * @param {(text: string) => number} width
 */
export function fitLabel(text, roomPx, width) {
    if (text === '' || roomPx <= 0) {
        return '';
    }
    if (width(text) <= roomPx) {
        return text;
    }
    const letters = Array.from(text);
    let low = 1;
    let high = letters.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (width(letters.slice(0, middle).join('') + ELLIPSIS) <= roomPx) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    const short = letters.slice(0, low).join('').trimEnd();
    return low >= 2 && width(short + ELLIPSIS) <= roomPx ? short + ELLIPSIS : '';
}

/** Letters that are kept at the end of a name that is cut in its middle. */
const TAIL = 4;

/**
 * As fitLabel, but what tells names of a family apart is often at their end: "generated pass 12" is cut to "gener…s 12".
 * @param {string} text
 * @param {number} roomPx
 * @param {(text: string) => number} width
 */
export function fitMiddle(text, roomPx, width) {
    if (width(text) <= roomPx || !/\d$/.test(text)) {
        return fitLabel(text, roomPx, width);
    }
    const letters = Array.from(text);
    const tail = letters.slice(-TAIL).join('');
    const head = fitLabel(letters.slice(0, -TAIL).join(''), roomPx - width(tail), width);
    return head === '' ? fitLabel(text, roomPx, width) : head.endsWith(ELLIPSIS) ? head + tail : head.slice(0, -1) + ELLIPSIS + tail;
}
