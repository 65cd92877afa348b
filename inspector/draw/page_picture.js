// SPDX-License-Identifier: MIT
// @ts-check
/*
 * A picture of what is on screen: elements are painted as their computed styles say, canvases as they are. It needs nothing but a
 * plain canvas, so it works offline and under the page's own rules for what may be loaded.
 */

/** @typedef {CanvasRenderingContext2D} Brush */
/** @typedef {{ left: number, top: number, right: number, bottom: number }} Box */

/**
 * @param {Element} root what is painted, as far as it is on screen
 * @param {number} ratio pixels of the picture to one of the screen's units
 * @param {number} zoom how much larger than its style says everything is
 * @returns {HTMLCanvasElement}
 */
export function paintElement(root, ratio, zoom) {
    const box = root.getBoundingClientRect();
    const canvas = document.createElement('canvas');
    canvas.width = Math.max(1, Math.round(box.width * ratio));
    canvas.height = Math.max(1, Math.round(box.height * ratio));
    const brush = canvas.getContext('2d');
    if (!brush) {
        throw new Error('this browser draws on no canvas');
    }
    brush.scale(ratio, ratio);
    brush.translate(-box.left, -box.top);
    brush.fillStyle = backgroundBehind(root);
    brush.fillRect(box.left, box.top, box.width, box.height);
    paint(brush, root, box, zoom);
    return canvas;
}

/** What shows through an element without a ground of its own. @param {Element} root */
function backgroundBehind(root) {
    for (let element = /** @type {Element | null} */ (root); element; element = element.parentElement) {
        const { backgroundColor } = getComputedStyle(element);
        if (!isClear(backgroundColor)) {
            return backgroundColor;
        }
    }
    return '#000';
}

/** @param {string} colour */
const isClear = (colour) => colour === 'transparent' || /^rgba\(.*, 0\)$/.test(colour);

/** @param {Box} a @param {Box} b */
const meet = (a, b) => a.left < b.right && a.right > b.left && a.top < b.bottom && a.bottom > b.top;

/** @param {Brush} brush @param {Element} element @param {Box} clip @param {number} zoom */
function paint(brush, element, clip, zoom) {
    const style = getComputedStyle(element);
    const box = element.getBoundingClientRect();
    if (style.display === 'none' || style.visibility === 'hidden' || Number(style.opacity) === 0) {
        return;
    }
    if (style.display !== 'contents' && !meet(box, clip) && box.width * box.height > 0) {
        return;
    }
    brush.save();
    brush.globalAlpha *= Number(style.opacity);
    let inner = clip;
    if (style.display !== 'contents') {
        paintBox(brush, box, style, zoom);
        if (style.overflowX !== 'visible' || style.overflowY !== 'visible') {
            brush.beginPath();
            brush.rect(box.left, box.top, box.width, box.height);
            brush.clip();
            inner = { left: Math.max(clip.left, box.left), top: Math.max(clip.top, box.top), right: Math.min(clip.right, box.right), bottom: Math.min(clip.bottom, box.bottom) };
        }
    }
    if (element instanceof HTMLCanvasElement) {
        if (element.width > 0 && element.height > 0) {
            brush.drawImage(element, box.left, box.top, box.width, box.height);
        }
    } else if (element instanceof SVGSVGElement) {
        paintShapes(brush, element);
    } else if (element instanceof HTMLInputElement || element instanceof HTMLSelectElement || element instanceof HTMLTextAreaElement) {
        paintField(brush, element, box, style, zoom);
    } else if (element instanceof HTMLProgressElement) {
        brush.fillStyle = style.color;
        brush.fillRect(box.left, box.top, box.width * Math.max(0, element.position), box.height);
    } else {
        paintChildren(brush, element, inner, style, zoom);
    }
    brush.restore();
}

/**
 * What lies in the flow first, then what is lifted above it.
 * @param {Brush} brush @param {Element} element @param {Box} clip @param {CSSStyleDeclaration} style @param {number} zoom
 */
function paintChildren(brush, element, clip, style, zoom) {
    /** @type {{ order: number, child: Element }[]} */
    const lifted = [];
    for (const node of element.childNodes) {
        if (node instanceof Text) {
            paintText(brush, node, element, style, zoom);
        } else if (node instanceof Element) {
            const own = getComputedStyle(node);
            if (own.position === 'static') {
                paint(brush, node, clip, zoom);
            } else {
                lifted.push({ order: Number(own.zIndex) || 0, child: node });
            }
        }
    }
    for (const { child } of lifted.sort((a, b) => a.order - b.order)) {
        paint(brush, child, clip, zoom);
    }
}

/** @param {Brush} brush @param {DOMRect} box @param {CSSStyleDeclaration} style @param {number} zoom */
function paintBox(brush, box, style, zoom) {
    const radius = Math.min(parseFloat(style.borderTopLeftRadius) * zoom || 0, box.height / 2, box.width / 2);
    const outline = new Path2D();
    outline.roundRect(box.left, box.top, box.width, box.height, radius);
    if (!isClear(style.backgroundColor)) {
        brush.fillStyle = style.backgroundColor;
        brush.fill(outline);
    }
    const gradient = /(?:rgba?|color)\([^()]*\)|#[0-9a-f]{3,8}/i.exec(style.backgroundImage);
    if (gradient && style.backgroundImage.includes('gradient')) {
        // Hatching, told apart from a plain ground by being half as strong.
        brush.save();
        brush.globalAlpha *= 0.5;
        brush.fillStyle = gradient[0];
        brush.fill(outline);
        brush.restore();
    }
    const sides = /** @type {const} */ (['Top', 'Right', 'Bottom', 'Left']).map((side) => ({
        side,
        width: style[`border${side}Style`] === 'none' ? 0 : parseFloat(style[`border${side}Width`]) * zoom,
        colour: style[`border${side}Color`],
    }));
    if (radius > 0 && sides.every((side) => side.width > 0 && side.colour === sides[0].colour)) {
        const half = sides[0].width / 2;
        brush.strokeStyle = sides[0].colour;
        brush.lineWidth = sides[0].width;
        brush.beginPath();
        brush.roundRect(box.left + half, box.top + half, box.width - 2 * half, box.height - 2 * half, radius);
        brush.stroke();
        return;
    }
    for (const { side, width, colour } of sides) {
        if (width > 0 && !isClear(colour)) {
            brush.fillStyle = colour;
            brush.fillRect(side === 'Right' ? box.right - width : box.left, side === 'Bottom' ? box.bottom - width : box.top,
                side === 'Left' || side === 'Right' ? width : box.width, side === 'Top' || side === 'Bottom' ? width : box.height);
        }
    }
}

/** @param {Brush} brush @param {CSSStyleDeclaration} style @param {number} zoom */
function setFont(brush, style, zoom) {
    brush.font = `${style.fontStyle} ${style.fontWeight} ${parseFloat(style.fontSize) * zoom}px ${style.fontFamily}`;
    brush.fillStyle = style.color;
    brush.textBaseline = 'alphabetic';
    brush.textAlign = 'left';
}

/** @param {string} text @param {CSSStyleDeclaration} style */
function shownText(text, style) {
    const plain = style.whiteSpace.startsWith('pre') ? text : text.replace(/\s+/g, ' ');
    return style.textTransform === 'uppercase' ? plain.toUpperCase() : plain;
}

/** @param {Brush} brush @param {Text} node @param {Element} parent @param {CSSStyleDeclaration} style @param {number} zoom */
function paintText(brush, node, parent, style, zoom) {
    if (node.data.trim() === '') {
        return;
    }
    setFont(brush, style, zoom);
    for (const line of linesOf(node)) {
        const text = shownText(line.text, style);
        const room = style.textOverflow === 'ellipsis' && parent.scrollWidth > parent.clientWidth
            ? parent.getBoundingClientRect().right - parseFloat(style.paddingRight) * zoom - line.box.left : Infinity;
        const shown = cut(brush, text, room);
        const metrics = brush.measureText(shown);
        const height = metrics.fontBoundingBoxAscent + metrics.fontBoundingBoxDescent;
        const baseline = line.box.top + (line.box.height - height) / 2 + metrics.fontBoundingBoxAscent;
        brush.fillText(shown, line.box.left, baseline);
        if (style.textDecorationLine.includes('underline')) {
            brush.fillRect(line.box.left, baseline + 2 * zoom, metrics.width, zoom);
        }
    }
}

/** @param {Brush} brush @param {string} text @param {number} room */
function cut(brush, text, room) {
    if (brush.measureText(text).width <= room + 0.5) {
        return text;
    }
    let length = text.length;
    while (length > 0 && brush.measureText(`${text.slice(0, length)}…`).width > room) {
        length -= 1;
    }
    return `${text.slice(0, length)}…`;
}

/** A text as its lines lie on screen. @param {Text} node @returns {{ text: string, box: DOMRect }[]} */
function linesOf(node) {
    const range = document.createRange();
    // White space at the begin may or may not have been drawn: the first letter says where the text is.
    range.setStart(node, Math.max(0, node.data.search(/\S/)));
    range.setEnd(node, node.length);
    const boxes = [...range.getClientRects()].filter((box) => box.width > 0);
    if (boxes.length < 2) {
        return boxes.map((box) => ({ text: node.data.trim(), box }));
    }
    /** @type {{ text: string, box: DOMRect }[]} */
    const lines = [];
    for (let i = 0; i < node.length; i++) {
        range.setStart(node, i);
        range.setEnd(node, i + 1);
        const box = range.getBoundingClientRect();
        const line = lines.at(-1);
        if (line && Math.abs(box.top - line.box.top) < box.height / 2) {
            line.text += node.data[i];
        } else if (box.width > 0 && node.data[i].trim() !== '') {
            lines.push({ text: node.data[i], box });
        }
    }
    return lines;
}

/** @param {Brush} brush @param {HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement} field @param {DOMRect} box @param {CSSStyleDeclaration} style @param {number} zoom */
function paintField(brush, field, box, style, zoom) {
    if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio')) {
        brush.strokeStyle = style.color;
        brush.lineWidth = zoom;
        brush.strokeRect(box.left + 0.5, box.top + 0.5, box.width - 1, box.height - 1);
        if (field.checked) {
            brush.fillStyle = style.color;
            brush.fillRect(box.left + 3 * zoom, box.top + 3 * zoom, box.width - 6 * zoom, box.height - 6 * zoom);
        }
        return;
    }
    const hint = field instanceof HTMLSelectElement ? '' : field.placeholder;
    const text = field instanceof HTMLSelectElement ? field.selectedOptions[0]?.text ?? '' : field.value || hint;
    setFont(brush, style, zoom);
    brush.globalAlpha *= field.value === '' ? 0.7 : 1;
    brush.textBaseline = 'middle';
    const left = box.left + (parseFloat(style.paddingLeft) + parseFloat(style.borderLeftWidth)) * zoom;
    brush.fillText(cut(brush, text, box.right - left), left, box.top + box.height / 2);
}

/** Icons: paths, boxes, lines and circles. @param {Brush} brush @param {SVGSVGElement} svg */
function paintShapes(brush, svg) {
    for (const shape of svg.querySelectorAll('path, rect, circle, line')) {
        const matrix = shape instanceof SVGGraphicsElement ? shape.getScreenCTM() : null;
        if (!matrix) {
            continue;
        }
        const number = (/** @type {string} */ name) => Number(shape.getAttribute(name) ?? 0);
        const path = new Path2D(shape.localName === 'path' ? shape.getAttribute('d') ?? '' : undefined);
        if (shape.localName === 'rect') {
            path.roundRect(number('x'), number('y'), number('width'), number('height'), number('rx'));
        } else if (shape.localName === 'circle') {
            path.arc(number('cx'), number('cy'), number('r'), 0, 2 * Math.PI);
        } else if (shape.localName === 'line') {
            path.moveTo(number('x1'), number('y1'));
            path.lineTo(number('x2'), number('y2'));
        }
        const style = getComputedStyle(shape);
        brush.save();
        brush.transform(matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f);
        if (style.fill !== 'none') {
            brush.fillStyle = style.fill;
            brush.fill(path);
        }
        if (style.stroke !== 'none') {
            brush.strokeStyle = style.stroke;
            brush.lineWidth = parseFloat(style.strokeWidth);
            brush.lineCap = 'round';
            brush.lineJoin = 'round';
            brush.stroke(path);
        }
        brush.restore();
    }
}

/** @param {HTMLCanvasElement} canvas @returns {Promise<Blob>} */
export function pngOf(canvas) {
    return new Promise((resolve, reject) => {
        canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('the browser could not make a picture of this size'))), 'image/png');
    });
}
