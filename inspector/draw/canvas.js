// SPDX-License-Identifier: MIT
// @ts-check
/* Plain canvases at the device's own resolution. */

/**
 * Fit a canvas to CSS pixels and clear it.
 * @param {HTMLCanvasElement} canvas
 * @param {number} width
 * @param {number} height
 * @param {number} ratio
 * @returns {CanvasRenderingContext2D} which counts in CSS pixels
 */
export function prepare(canvas, width, height, ratio) {
    const deviceWidth = Math.max(1, Math.round(width * ratio));
    const deviceHeight = Math.max(1, Math.round(height * ratio));
    if (canvas.width !== deviceWidth || canvas.height !== deviceHeight) {
        canvas.width = deviceWidth;
        canvas.height = deviceHeight;
    }
    const context = canvas.getContext('2d');
    if (!context) {
        throw new Error('this browser draws on no canvas');
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, width, height);
    return context;
}

/**
 * A straight line of one device pixel.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x0
 * @param {number} y0
 * @param {number} x1
 * @param {number} y1
 */
export function line(context, x0, y0, x1, y1) {
    context.beginPath();
    context.moveTo(x0, y0);
    context.lineTo(x1, y1);
    context.stroke();
}

/**
 * A small triangle that points down (size > 0) or up.
 * @param {CanvasRenderingContext2D} context
 * @param {number} x
 * @param {number} y tip
 * @param {number} size
 */
export function marker(context, x, y, size) {
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x - Math.abs(size), y - size * 1.4);
    context.lineTo(x + Math.abs(size), y - size * 1.4);
    context.fill();
}

/**
 * A flag on its staff: a note. An open one is not in the capture.
 * @param {CanvasRenderingContext2D} context @param {number} x of the staff @param {number} y top
 * @param {string} colour @param {boolean} isOpen
 */
export function drawFlag(context, x, y, colour, isOpen) {
    context.fillStyle = context.strokeStyle = colour;
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 8, y + 3.5);
    context.lineTo(x, y + 7);
    if (isOpen) {
        context.stroke();
    } else {
        context.fill();
    }
    context.fillRect(Math.round(x) - 1, y, 1.5, 13);
}
