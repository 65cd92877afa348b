// SPDX-License-Identifier: MIT
// @ts-check
/**
 * The WebAssembly module and the native code answer the same requests with the same bytes, for every capture given.
 *
 *   FG_WASM=frameglass.wasm FG_NATIVE=native_answers FG_CAPTURES=file:file FG_LARGE=file node --test equal.test.mjs
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { Module, TYPE, reply, request } from './module.mjs';

const wasm = process.env.FG_WASM ?? '';
const native = process.env.FG_NATIVE ?? '';
const large = process.env.FG_LARGE ?? '';
const captures = (process.env.FG_CAPTURES ?? '').split(':').filter(Boolean);
const { U8, U32, I64, TEXT } = TYPE;

/** A small generator of numbers, so that a failure can be repeated. @param {number} state */
function numbers(state) {
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}

/**
 * Requests about a capture that is loaded: what a page asks, and what none would.
 * @param {Module} module
 */
function questions(module) {
  const info = reply(module.ask(request(5)));
  const tracks = reply(module.ask(request(6)));
  const [spans, frames, topologies] = [0, 13, 15].map((i) => Number(info.u64(0x0540, i)));
  const [first, last] = [info.i64(0x0541, 2), info.i64(0x0541, 3)];
  const lanes = Array.from({ length: tracks.count(0x0658) }, (_, i) => i);
  const groups = [...Array(tracks.count(0x0648)).keys(), ...[...Array(tracks.count(0x0640)).keys()].map((i) => 0x80000000 + i)];
  const counters = Array.from({ length: tracks.count(0x0660) }, (_, i) => i);
  const random = numbers(spans + frames);
  const list = [1, 2, 4, 5, 6, 13, 18, 20].map((kind) => request(kind));
  for (let i = 0; i < 40; i++) {
    const extent = last - first + 1n;
    const length = extent >> BigInt(Math.floor(random() * 24));
    const from = first + BigInt(Math.floor(random() * Number(extent)));
    const window = /** @type {[number, number, bigint[]]} */ ([0x0701, I64, [from, from + length + 1n]]);
    const width = 1 + Math.floor(random() * 2000);
    list.push(request(7, [window, [0x0702, U32, [width]], [0x0703, U32, lanes], [0x0704, U32, groups],
      [0x0707, U8, [...lanes, ...groups].map(() => Math.floor(random() * 4))], [0x0709, U32, [7]]], { names: 2 }));
    list.push(request(7, [window, [0x0702, U32, [width]], [0x0703, U32, lanes], [0x0706, U32, [5, 9]]]));
    list.push(request(8, [[0x0801, I64, [from, from + length + 1n]], [0x0802, U32, [width]], [0x0803, U32, counters]]));
    list.push(request(16, [[lanes.length && i % 2 ? 0x1001 : 0x1002, U32, [0]], [0x1003, I64, [from]],
      [0x1004, I64, [length]]]));
    list.push(request(15, [[0x0F01, U32, [Math.floor(random() * spans)]]]));
    list.push(request(21, [[0x1501, U32, [Math.floor(random() * spans)]]]));
    list.push(request(17, [[0x1101, U32, [Math.floor(random() * frames)]]]));
    list.push(request(22, [[0x1601, U32, [Math.floor(random() * frames)]], [0x1602, U32, [i]], [0x1603, U32, [50]]]));
    list.push(request(12, [[0x0C01, U32, [i % 4]], [0x0C02, I64, [from, from + length + 1n]],
      [0x0C06, U32, [i % 9, i % 2]], [0x0C08, U32, [20]]]));
    const [a, b] = [random(), random()].map((part) => Math.floor(part * frames));
    list.push(request(23, [[0x1701, U32, [a, a + 1]], [0x1702, U32, [b, b + 1 + (i % 3) * 20]], [0x1704, U32, [i % 4]]]));
  }
  list.push(...explored(random, spans, lanes, groups, [first, last + 1n]));
  for (let i = 0; i < topologies; i++) list.push(request(17, [[0x1102, U32, [i]]]));
  list.push(request(9), request(10, [[0x0A01, TEXT, 'a'], [0x0A07, I64, [1, 0]]]));
  list.push(request(7, [[0x0701, I64, [first, last + 1n]], [0x0702, U32, [500]], [0x0703, U32, lanes], [0x0705, U32, [1]]]));
  list.push(request(12, [[0x0C05, U32, [1]]]), request(14, [[0x0E01, TEXT, 's'], [0x0E03, U32, [7]]]));
  list.push(request(11, [[0x0B01, U32, [1]]]), request(11, [[0x0B01, U32, [1]]]), request(99), request(7));
  list.push(new Uint8Array(0), new Uint8Array(47), list[5].slice(0, 50));
  return list;
}

/**
 * What is asked of a trace beyond what it shows: dependencies, paths, figures, scores, work in steps.
 * @param {() => number} random @param {number} spans @param {number[]} lanes @param {number[]} groups @param {bigint[]} whole
 */
function explored(random, spans, lanes, groups, whole) {
  const some = () => Math.floor(random() * spans);
  const places = lanes.slice(0, 8);
  const list = [request(28), request(28, [[0x1C01, U32, [2]]])];
  for (let i = 0; i < 6; i++) {
    list.push(request(29, [[0x1D01, I64, whole], [0x1D02, U32, [800]], [0x1D03, U32, places], [0x1D05, TYPE.I32, places.map((_, k) => k * 18)],
      [0x1D06, TYPE.I32, [0, 300]], [0x1D09, U32, [20 * i, 0]], [0x1D0C, U32, [some()]]]));
    list.push(request(30, [[0x1E01, U32, [some(), some()]], [0x1E02, U32, [i % 3, i, 0, 0]]]));
    list.push(request(31, [[0x1F02, U32, [some()]], [0x1F08, U32, [some()]]]), request(32, [[0x2001, U32, [some()]], [0x2002, U32, [i % 3]]]));
    list.push(request(10, [[0x0A0C, U32, [some()]], [0x0A0A, I64, [500n]], [0x0A0B, U32, [i]]]));
  }
  for (let by = 0; by < 12; by++) list.push(request(33, [[0x2108, U32, [by]], [0x2109, U32, [by % 4]], [0x210B, U32, [1]]]));
  list.push(request(34, [[0x2209, U32, [1]]]), request(34, [[0x220A, U32, [9]]]), request(35, [[0x2308, U32, [50]], [0x2304, U32, places.slice(0, 1)]]));
  list.push(request(36, [[0x2408, U32, [1]], [0x2411, U32, [1]]]));
  list.push(request(7, [[0x0701, I64, whole], [0x0702, U32, [300]], [0x0703, U32, places], [0x0704, U32, groups], [0x070A, U32, [1]], [0x070B, U32, [0, 1]]]));
  list.push(request(37, [[0x2501, U32, [33]], [0x2108, U32, [1]]]), ...Array.from({ length: 3 }, () => request(37, [[0x2502, U32, [1]], [0x2108, U32, [1]]])));
  return list;
}

/** Buffers, each behind its size. @param {Uint8Array[]} buffers */
function packed(buffers) {
  return Buffer.concat(buffers.flatMap((bytes) => {
    const size = Buffer.alloc(4);
    size.writeUInt32LE(bytes.length);
    return [size, bytes];
  }));
}

/** @param {Buffer} bytes */
function unpacked(bytes) {
  const buffers = [];
  for (let at = 0; at < bytes.length;) {
    const size = bytes.readUInt32LE(at);
    buffers.push(bytes.subarray(at + 4, at + 4 + size));
    at += 4 + size;
  }
  return buffers;
}

test('the module wants three functions of its embedder', () => {
  const module = new Module(wasm);
  assert.deepEqual(module.imports.map(({ module, name }) => `${module}.${name}`).sort(),
    ['frameglass.progress', 'frameglass.read_at', 'frameglass.write']);
});

test('the strip is there before the payloads are read', { skip: large === '' }, () => {
  const module = new Module(wasm);
  assert.equal(module.open(large, 'x'), 1, module.error());
  const strip = reply(module.ask(request(4)));
  assert.equal(strip.status, 0);
  assert.equal(strip.u32(0x0440), 2000);
  assert.equal(reply(module.ask(request(5))).status, 9);
  /* Everything that was read is the head of the file or its directory. */
  const directory = Number(readFileSync(large).readBigUInt64LE(16));
  for (const { offset, bytes } of module.reads) {
    assert.ok(offset + bytes <= 4096 || offset >= directory, `${bytes} bytes at ${offset} were read`);
  }
  module.close();
});

test('an input that is no capture is refused with a reason', () => {
  const module = new Module(wasm);
  assert.equal(module.open(wasm, 'x'), 0);
  assert.notEqual(module.error(), '');
  module.close();
});

test('loading tells how far it is', { skip: large === '' }, () => {
  const module = new Module(wasm);
  const trace = module.open(large, 'x');
  assert.deepEqual(module.steps, [], 'its index takes no time');
  assert.equal(reply(module.ask(request(3))).u8(0x0241), 2);
  assert.ok(module.steps.length >= 2, `${module.steps.length} times`);
  for (const [i, { trace: of, done, steps }] of module.steps.entries()) {
    assert.equal(of, trace);
    assert.ok(done <= steps || steps === 0, `${done} of ${steps}`);
    assert.ok(i === 0 || done >= module.steps[i - 1].done, 'it only goes forward');
  }
  module.close();
});

test('an export has the bytes of the native one', { skip: captures.length === 0 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fg-wasm-'));
  try {
    for (const what of ['chrome', 'graph-json', 'csv', 'redacted']) {
      const module = new Module(wasm);
      const out = join(folder, what);
      const made = module.export(module.open(captures[0], 'x'), what);
      execFileSync(native, [captures[0], 'export', what, out]);
      assert.ok(made !== null && made.length > 100, `${what}: ${module.error()}`);
      assert.ok(made.equals(readFileSync(out)), what);
      module.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('an export that is not wanted any more stops, and one that is unknown says so', { skip: large === '' }, () => {
  const module = new Module(wasm);
  const trace = module.open(large, 'x');
  module.writesLeft = 2;
  assert.equal(module.export(trace, 'csv'), null);
  assert.equal(module.written.length, 2);
  assert.match(module.error(), /cancelled/);
  module.writesLeft = Infinity;
  assert.equal(module.export(trace, 'a name that is longer than any format ever will be'), null);
  assert.match(module.error(), /no such thing/);
  assert.equal(module.export(trace + 1, 'csv'), null);
  module.close();
});

test('an input that is followed grows', { skip: large === '' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'fg-wasm-'));
  try {
    const path = join(folder, 'growing.sgpt');
    const bytes = readFileSync(large);
    bytes.fill(0, 8, 12).fill(0, 16, 32); /* as a writer leaves it that has not ended */
    const half = bytes.length >> 1;
    writeFileSync(path, bytes.subarray(0, half));
    const module = new Module(wasm);
    const trace = module.open(path, 'growing', 1);
    assert.equal(trace, 1, module.error());
    assert.equal(reply(module.ask(request(3))).u8(0x0241), 2, 'it loads');
    const before = reply(module.ask(request(5))).u64(0x0540, 13);
    assert.ok(before > 0n && before < 2000n, `${before} frames`);
    writeFileSync(path, bytes);
    assert.equal(module.api.fg_wasm_grow(trace, bytes.length), 1, module.error());
    assert.equal(reply(module.ask(request(5))).u64(0x0540, 13), 2000n);
    module.close();
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const answered = new Set();
for (const path of captures) {
  test(`the same bytes for ${basename(path)}`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'fg-wasm-'));
    try {
      const probe = new Module(wasm);
      assert.equal(probe.open(path, 'capture'), 1, probe.error());
      const load = request(3);
      assert.equal(reply(probe.ask(load)).u8(0x0241), 2, 'it loads');
      const list = [request(1), request(4), request(7), load, ...questions(probe)];
      probe.close();
      const module = new Module(wasm);
      module.open(path, 'capture');
      const mine = list.map((bytes) => module.ask(bytes));
      module.close();
      writeFileSync(join(folder, 'requests'), packed(list));
      execFileSync(native, [path, 'capture', join(folder, 'requests'), join(folder, 'replies')]);
      const theirs = unpacked(readFileSync(join(folder, 'replies')));
      assert.equal(theirs.length, mine.length);
      mine.forEach((bytes, i) => {
        assert.ok(Buffer.from(bytes).equals(theirs[i]), `reply ${i}, kind ${reply(bytes).kind}`);
        if (reply(bytes).status === 0) answered.add(reply(bytes).kind);
      });
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
}

test('every kind of request was really answered', { skip: captures.length === 0 }, () => {
  for (let kind = 1; kind <= 21; kind++) {
    if (kind !== 19) assert.ok(answered.has(kind), `kind ${kind}`);
  }
});
