// SPDX-License-Identifier: MIT
// @ts-check
/* Rectangles through WebGL2: one draw call for a batch, whatever its size. */

import { STRIDE } from './instances.js';

/** @typedef {import('./instances.js').Instances} Instances */
/**
 * From the space of a batch to CSS pixels of the canvas.
 * @typedef {object} Placement
 * @property {number} scaleX
 * @property {number} shiftX
 * @property {number} shiftY
 */
/** @typedef {{ x: number, y: number, width: number, height: number }} Box */
/**
 * What a painter of rectangles does; rects_2d.js is another one.
 * @typedef {object} RectPainter
 * @property {(width: number, height: number, ratio: number, ground: readonly number[]) => void} begin
 * @property {(slot: number, batch: Instances) => void} upload
 * @property {(slot: number, placement: Placement, clip: Box) => void} draw
 * @property {() => void} destroy
 */

const VERTEX = `#version 300 es
precision highp float;
layout(location = 0) in vec4 box;
layout(location = 1) in vec4 colour;
layout(location = 2) in uint pattern;
uniform vec3 placement;
uniform vec2 view;
uniform float ratio;
flat out vec4 fill;
flat out uint kind;
out vec2 inside;
void main() {
    vec2 corner = vec2(gl_VertexID & 1, gl_VertexID >> 1);
    float left = box.x * placement.x + placement.y;
    float right = box.y * placement.x + placement.y;
    float pixel = 1.0 / ratio;
    if (pattern != 4u) {
        // Neighbours that touch are kept apart by one pixel where there is room; what is there is never invisible.
        if (right - left > 3.0) {
            right -= pattern == 0u || pattern == 3u ? 1.0 : 0.0;
        }
        right = max(right, left + pixel);
    }
    left = floor(left * ratio + 0.5) * pixel;
    right = max(floor(right * ratio + 0.5) * pixel, left + pixel);
    vec2 at = vec2(mix(left, right, corner.x), box.z + corner.y * box.w + placement.z);
    inside = vec2((at.x - placement.y) * ratio, (at.y - placement.z) * ratio) / max(1.0, ratio);
    fill = colour;
    kind = pattern;
    gl_Position = vec4(at.x / view.x * 2.0 - 1.0, 1.0 - at.y / view.y * 2.0, 0.0, 1.0);
}`;

const FRAGMENT = `#version 300 es
precision highp float;
flat in vec4 fill;
flat in uint kind;
in vec2 inside;
out vec4 result;
void main() {
    float alpha = fill.a;
    if (kind == 1u) {
        alpha *= mod(inside.x + inside.y, 6.0) < 2.0 ? 0.45 : 0.92;
    } else if (kind == 2u) {
        alpha *= mod(inside.x + inside.y, 4.0) < 2.0 ? 0.3 : 0.85;
    } else if (kind == 3u) {
        alpha *= mod(inside.x - inside.y + 4096.0, 8.0) < 4.0 ? 0.5 : 0.9;
    }
    result = vec4(fill.rgb * alpha, alpha);
}`;

/** @param {WebGL2RenderingContext} gl @param {number} type @param {string} source */
function compile(gl, type, source) {
    const shader = gl.createShader(type);
    if (!shader) {
        throw new Error('the graphics context was lost');
    }
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS) && !gl.isContextLost()) {
        throw new Error(`a shader of the timeline does not compile: ${gl.getShaderInfoLog(shader)}`);
    }
    return shader;
}

/** @param {WebGL2RenderingContext} gl */
function link(gl) {
    const program = gl.createProgram();
    gl.attachShader(program, compile(gl, gl.VERTEX_SHADER, VERTEX));
    gl.attachShader(program, compile(gl, gl.FRAGMENT_SHADER, FRAGMENT));
    gl.linkProgram(program);
    if (!gl.getProgramParameter(program, gl.LINK_STATUS) && !gl.isContextLost()) {
        throw new Error(`the program of the timeline does not link: ${gl.getProgramInfoLog(program)}`);
    }
    return program;
}

/** @implements {RectPainter} */
class GlPainter {
    /** @param {HTMLCanvasElement} canvas @param {WebGL2RenderingContext} gl */
    constructor(canvas, gl) {
        this.canvas = canvas;
        this.gl = gl;
        /** @type {Map<number, { array: WebGLVertexArrayObject, buffer: WebGLBuffer, count: number, room: number }>} */
        this.slots = new Map();
        this.program = link(gl);
        this.placement = gl.getUniformLocation(this.program, 'placement');
        this.view = gl.getUniformLocation(this.program, 'view');
        this.ratioAt = gl.getUniformLocation(this.program, 'ratio');
        this.ratio = 1;
        this.height = 0;
    }

    /** @type {RectPainter['begin']} */
    begin(width, height, ratio, ground) {
        const { gl, canvas } = this;
        const deviceWidth = Math.max(1, Math.round(width * ratio));
        const deviceHeight = Math.max(1, Math.round(height * ratio));
        if (canvas.width !== deviceWidth || canvas.height !== deviceHeight) {
            canvas.width = deviceWidth;
            canvas.height = deviceHeight;
        }
        this.ratio = ratio;
        this.height = height;
        gl.viewport(0, 0, deviceWidth, deviceHeight);
        gl.disable(gl.SCISSOR_TEST);
        gl.clearColor(ground[0], ground[1], ground[2], 1);
        gl.clear(gl.COLOR_BUFFER_BIT);
        gl.enable(gl.BLEND);
        gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
        gl.useProgram(this.program);
        gl.uniform2f(this.view, deviceWidth / ratio, deviceHeight / ratio);
        gl.uniform1f(this.ratioAt, ratio);
    }

    /** @type {RectPainter['upload']} */
    upload(slot, batch) {
        const { gl } = this;
        const held = this.slots.get(slot) ?? this.makeSlot(slot);
        gl.bindBuffer(gl.ARRAY_BUFFER, held.buffer);
        const used = batch.used();
        if (used.byteLength > held.room) {
            held.room = batch.bytes.byteLength;
            gl.bufferData(gl.ARRAY_BUFFER, held.room, gl.DYNAMIC_DRAW);
        }
        gl.bufferSubData(gl.ARRAY_BUFFER, 0, used);
        held.count = batch.count;
    }

    /** @param {number} slot */
    makeSlot(slot) {
        const { gl } = this;
        const array = gl.createVertexArray();
        const buffer = gl.createBuffer();
        gl.bindVertexArray(array);
        gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
        gl.enableVertexAttribArray(0);
        gl.vertexAttribPointer(0, 4, gl.FLOAT, false, STRIDE, 0);
        gl.enableVertexAttribArray(1);
        gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, STRIDE, 16);
        gl.enableVertexAttribArray(2);
        gl.vertexAttribIPointer(2, 1, gl.UNSIGNED_INT, STRIDE, 20);
        for (let attribute = 0; attribute < 3; attribute++) {
            gl.vertexAttribDivisor(attribute, 1);
        }
        const held = { array, buffer, count: 0, room: 0 };
        this.slots.set(slot, held);
        return held;
    }

    /** @type {RectPainter['draw']} */
    draw(slot, placement, clip) {
        const { gl, ratio } = this;
        const held = this.slots.get(slot);
        if (!held || held.count === 0 || clip.width <= 0 || clip.height <= 0) {
            return;
        }
        gl.enable(gl.SCISSOR_TEST);
        gl.scissor(Math.round(clip.x * ratio), Math.round((this.height - clip.y - clip.height) * ratio),
            Math.round(clip.width * ratio), Math.round(clip.height * ratio));
        gl.uniform3f(this.placement, placement.scaleX, placement.shiftX, placement.shiftY);
        gl.bindVertexArray(held.array);
        gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, held.count);
    }

    destroy() {
        for (const held of this.slots.values()) {
            this.gl.deleteBuffer(held.buffer);
            this.gl.deleteVertexArray(held.array);
        }
        this.slots.clear();
        this.gl.deleteProgram(this.program);
    }
}

/** @param {HTMLCanvasElement} canvas @returns {RectPainter | null} null where there is no WebGL2 */
export function makeGlPainter(canvas) {
    const gl = canvas.getContext('webgl2', { alpha: false, antialias: false, depth: false, stencil: false });
    return gl ? new GlPainter(canvas, gl) : null;
}
