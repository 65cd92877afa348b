// SPDX-License-Identifier: MIT
// @ts-check
/* A growing list of rectangles, laid out as the graphics memory wants it. */

/** How a rectangle is filled. What is not one exact span is never plain. */
export const PATTERN = Object.freeze({
    /** one span, as it was recorded */
    SOLID: 0,
    /** several spans under one pixel, shown by the longest of them */
    REPRESENTATIVE: 1,
    /** how much of the time is covered by spans too many to tell apart */
    DENSITY: 2,
    /** a span whose end was never recorded */
    UNFINISHED: 3,
    /** lines and grounds: no gap, no smallest width */
    PLAIN: 4,
});

/** Bytes of one rectangle: x0, x1, y, height as floats, colour and pattern as words. */
export const STRIDE = 24;
const WORDS = STRIDE / 4;

export class Instances {
    /** @param {number} [capacity] */
    constructor(capacity = 1024) {
        this.count = 0;
        this.capacity = capacity;
        this.bytes = new ArrayBuffer(capacity * STRIDE);
        this.floats = new Float32Array(this.bytes);
        this.words = new Uint32Array(this.bytes);
    }

    clear() {
        this.count = 0;
    }

    /**
     * @param {number} x0
     * @param {number} x1
     * @param {number} y
     * @param {number} height
     * @param {number} colour packed, see packColour
     * @param {number} pattern one of PATTERN
     */
    push(x0, x1, y, height, colour, pattern) {
        if (this.count === this.capacity) {
            this.grow();
        }
        const at = this.count * WORDS;
        this.floats[at] = x0;
        this.floats[at + 1] = x1;
        this.floats[at + 2] = y;
        this.floats[at + 3] = height;
        this.words[at + 4] = colour;
        this.words[at + 5] = pattern;
        this.count++;
    }

    grow() {
        this.capacity *= 2;
        const bytes = new ArrayBuffer(this.capacity * STRIDE);
        new Uint32Array(bytes).set(this.words);
        this.bytes = bytes;
        this.floats = new Float32Array(bytes);
        this.words = new Uint32Array(bytes);
    }

    /** The part that is in use. */
    used() {
        return new Uint8Array(this.bytes, 0, this.count * STRIDE);
    }
}
