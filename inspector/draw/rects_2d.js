// SPDX-License-Identifier: MIT
// @ts-check
/* The same rectangles on a plain canvas, for a browser that has no WebGL2: slower, and as honest. */

import { PATTERN, STRIDE } from './instances.js';

/** @typedef {import('./rects_gl.js').RectPainter} RectPainter */

const WORDS = STRIDE / 4;

/** @param {number} colour @param {number} alpha */
function cssColour(colour, alpha) {
    return `rgba(${colour & 255}, ${(colour >> 8) & 255}, ${(colour >> 16) & 255}, ${((colour >>> 24) / 255) * alpha})`;
}

/** @implements {RectPainter} */
class PlainPainter {
    /** @param {HTMLCanvasElement} canvas @param {CanvasRenderingContext2D} context */
    constructor(canvas, context) {
        this.canvas = canvas;
        this.context = context;
        /** @type {Map<number, { floats: Float32Array, words: Uint32Array, count: number }>} */
        this.slots = new Map();
        this.ratio = 1;
    }

    /** @type {RectPainter['begin']} */
    begin(width, height, ratio, ground) {
        const { canvas, context } = this;
        canvas.width = Math.max(1, Math.round(width * ratio));
        canvas.height = Math.max(1, Math.round(height * ratio));
        this.ratio = ratio;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = `rgb(${ground.map((v) => Math.round(v * 255)).join(', ')})`;
        context.fillRect(0, 0, width, height);
    }

    /** @type {RectPainter['upload']} */
    upload(slot, batch) {
        const bytes = batch.used().slice().buffer;
        this.slots.set(slot, { floats: new Float32Array(bytes), words: new Uint32Array(bytes), count: batch.count });
    }

    /** @type {RectPainter['draw']} */
    draw(slot, placement, clip) {
        const held = this.slots.get(slot);
        if (!held) {
            return;
        }
        const { context } = this;
        const pixel = 1 / this.ratio;
        context.save();
        context.beginPath();
        context.rect(clip.x, clip.y, clip.width, clip.height);
        context.clip();
        for (let i = 0; i < held.count; i++) {
            const at = i * WORDS;
            const left = held.floats[at] * placement.scaleX + placement.shiftX;
            let right = held.floats[at + 1] * placement.scaleX + placement.shiftX;
            const pattern = held.words[at + 5];
            if (right < clip.x || left > clip.x + clip.width) {
                continue;
            }
            if (right - left > 3 && (pattern === PATTERN.SOLID || pattern === PATTERN.UNFINISHED)) {
                right -= 1;
            }
            this.fill(left, Math.max(right - left, pixel), held.floats[at + 2] + placement.shiftY,
                held.floats[at + 3], held.words[at + 4], pattern);
        }
        context.restore();
    }

    /**
     * @param {number} x @param {number} width @param {number} y @param {number} height
     * @param {number} colour @param {number} pattern
     */
    fill(x, width, y, height, colour, pattern) {
        const { context } = this;
        const plain = pattern === PATTERN.SOLID || pattern === PATTERN.PLAIN;
        context.fillStyle = cssColour(colour, plain ? 1 : 0.4);
        context.fillRect(x, y, width, height);
        if (plain) {
            return;
        }
        context.fillStyle = cssColour(colour, 0.8);
        for (let line = y; line < y + height; line += 4) {
            context.fillRect(x, line, width, 2);
        }
    }

    destroy() {
        this.slots.clear();
    }
}

/** @param {HTMLCanvasElement} canvas @returns {RectPainter} */
export function makePlainPainter(canvas) {
    const context = canvas.getContext('2d', { alpha: false });
    if (!context) {
        throw new Error('this browser draws on no canvas, neither with WebGL2 nor without');
    }
    return new PlainPainter(canvas, context);
}
