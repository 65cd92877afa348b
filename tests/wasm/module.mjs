// SPDX-License-Identifier: MIT
// @ts-check
/** frameglass.wasm under Node, over a file; and messages of the view protocol put together and taken apart. */
import { closeSync, fstatSync, openSync, readFileSync, readSync } from 'node:fs';

const SIZES = { 1: 1, 2: 2, 3: 4, 4: 8, 5: 8, 6: 8, 7: 1, 9: 4 };
export const TYPE = { U8: 1, U16: 2, U32: 3, U64: 4, I64: 5, F64: 6, TEXT: 7, I32: 9 };

/**
 * A request.
 * @param {number} kind
 * @param {[number, number, (number | bigint)[] | string][]} [sections] tag, type, values
 * @param {{id?: number, client?: number, trace?: number, names?: number, generation?: number}} [head]
 */
export function request(kind, sections = [], head = {}) {
  const payloads = sections.map(([, type, values]) => {
    if (typeof values === 'string') return new TextEncoder().encode(values);
    const bytes = new Uint8Array(values.length * SIZES[/** @type {1} */ (type)]);
    const view = new DataView(bytes.buffer);
    values.forEach((value, i) => {
      if (type === TYPE.U8) view.setUint8(i, Number(value));
      else if (type === TYPE.U32) view.setUint32(4 * i, Number(value), true);
      else if (type === TYPE.I32) view.setInt32(4 * i, Number(value), true);
      else if (type === TYPE.I64) view.setBigInt64(8 * i, BigInt(value), true);
      else throw new Error(`type ${type}`);
    });
    return bytes;
  });
  let offset = 48 + 16 * sections.length;
  const size = payloads.reduce((sum, bytes) => sum + ((bytes.length + 7) & ~7), offset);
  const message = new Uint8Array(size);
  const view = new DataView(message.buffer);
  view.setUint32(0, 0x51564746, true);
  view.setUint16(4, 1, true);
  view.setUint16(6, kind, true);
  view.setUint32(8, size, true);
  view.setUint16(12, sections.length, true);
  view.setUint32(16, head.id ?? kind, true);
  view.setUint32(20, head.client ?? 0, true);
  view.setUint32(24, head.trace ?? 1, true);
  view.setUint32(28, head.generation ?? 0, true);
  view.setUint32(32, head.names ?? 0, true);
  sections.forEach(([tag, type], i) => {
    const bytes = payloads[i];
    view.setUint16(48 + 16 * i, tag, true);
    view.setUint8(50 + 16 * i, type);
    view.setUint32(52 + 16 * i, bytes.length / SIZES[/** @type {1} */ (type)], true);
    view.setUint32(56 + 16 * i, offset, true);
    view.setUint32(60 + 16 * i, bytes.length, true);
    message.set(bytes, offset);
    offset += (bytes.length + 7) & ~7;
  });
  return message;
}

/**
 * A reply taken apart.
 * @param {Uint8Array} message
 */
export function reply(message) {
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  /** @type {Map<number, {type: number, count: number, offset: number, bytes: number}>} */
  const sections = new Map();
  for (let i = 0; i < view.getUint16(12, true); i++) {
    const at = 48 + 16 * i;
    sections.set(view.getUint16(at, true), {
      type: view.getUint8(at + 2),
      count: view.getUint32(at + 4, true),
      offset: view.getUint32(at + 8, true),
      bytes: view.getUint32(at + 12, true),
    });
  }
  return {
    kind: view.getUint16(6, true),
    size: view.getUint32(8, true),
    names: view.getUint32(32, true),
    status: view.getUint32(36, true),
    count: (/** @type {number} */ tag) => sections.get(tag)?.count ?? 0,
    u8: (/** @type {number} */ tag, i = 0) => view.getUint8((sections.get(tag)?.offset ?? 0) + i),
    u32: (/** @type {number} */ tag, i = 0) => view.getUint32((sections.get(tag)?.offset ?? 0) + 4 * i, true),
    i64: (/** @type {number} */ tag, i = 0) => view.getBigInt64((sections.get(tag)?.offset ?? 0) + 8 * i, true),
    u64: (/** @type {number} */ tag, i = 0) => view.getBigUint64((sections.get(tag)?.offset ?? 0) + 8 * i, true),
    text: (/** @type {number} */ tag) => {
      const section = sections.get(tag);
      return section ? new TextDecoder().decode(message.subarray(section.offset, section.offset + section.bytes)) : '';
    },
  };
}

/** The module over files. Sources are file descriptors. */
export class Module {
  /** @param {string} path of frameglass.wasm */
  constructor(path) {
    const compiled = new WebAssembly.Module(readFileSync(path));
    /** What it wants of its embedder. */
    this.imports = WebAssembly.Module.imports(compiled);
    const readAt = (/** @type {number} */ source, /** @type {number} */ offset, /** @type {number} */ into,
      /** @type {number} */ bytes) => {
      this.reads.push({ offset, bytes });
      return readSync(source, new Uint8Array(this.api.memory.buffer, into, bytes), 0, bytes, offset);
    };
    /** @type {Uint8Array[]} what an export has written */
    this.written = [];
    /** How often an export may write. */
    this.writesLeft = Infinity;
    /** @type {{trace: number, done: number, steps: number}[]} */
    this.steps = [];
    const write = (/** @type {number} */ from, /** @type {number} */ bytes) => {
      this.written.push(new Uint8Array(this.api.memory.buffer, from, bytes).slice());
      return --this.writesLeft > 0 ? 1 : 0;
    };
    const progress = (/** @type {number} */ trace, /** @type {number} */ done, /** @type {number} */ steps) => {
      this.steps.push({ trace, done, steps });
    };
    const embedder = { read_at: readAt, write, progress };
    this.api = /** @type {any} */ (new WebAssembly.Instance(compiled, { frameglass: embedder }).exports);
    /** @type {{offset: number, bytes: number}[]} what the module has read */
    this.reads = [];
    const status = this.api.fg_wasm_start();
    if (status !== 0) throw new Error(`start: ${status}`);
  }

  /** @param {Uint8Array} bytes */
  copyIn(bytes) {
    const at = this.api.fg_wasm_alloc(bytes.length || 1);
    new Uint8Array(this.api.memory.buffer, at, bytes.length).set(bytes);
    return at;
  }

  /**
   * @param {string} path
   * @param {string} label
   * @returns {number} trace; 0 = failed
   */
  open(path, label, live = 0) {
    this.file = openSync(path, 'r');
    const name = new TextEncoder().encode(label);
    const at = this.copyIn(name);
    const trace = this.api.fg_wasm_open(this.file, fstatSync(this.file).size, at, name.length, live);
    this.api.fg_wasm_free(at, name.length || 1);
    return trace;
  }

  /** @param {Uint8Array} bytes */
  ask(bytes) {
    const at = this.copyIn(bytes);
    const answer = this.api.fg_wasm_request(at, bytes.length);
    const size = this.api.fg_wasm_reply_bytes();
    this.api.fg_wasm_free(at, bytes.length || 1);
    if (answer === 0 || answer % 8 !== 0) throw new Error(`reply at ${answer}`);
    return new Uint8Array(this.api.memory.buffer, answer, size).slice();
  }

  /**
   * The whole of a trace in another form; null when that was refused.
   * @param {number} trace
   * @param {string} what
   */
  export(trace, what) {
    this.written = [];
    const name = new TextEncoder().encode(what);
    const at = this.copyIn(name);
    const ok = this.api.fg_wasm_export(trace, at, name.length);
    this.api.fg_wasm_free(at, name.length || 1);
    return ok ? Buffer.concat(this.written) : null;
  }

  error() {
    const memory = new Uint8Array(this.api.memory.buffer);
    const at = this.api.fg_wasm_error();
    return new TextDecoder().decode(memory.subarray(at, memory.indexOf(0, at)));
  }

  close() {
    if (this.file !== undefined) closeSync(this.file);
  }
}
