// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Client, KIND, RequestError, isCancelled } from '../../../inspector/protocol/client.js';
import { askHello, askStrip } from '../../../inspector/protocol/document.js';
import { askView } from '../../../inspector/protocol/views.js';
import { Reply, WireError, i64Section, splitReplies, textSection, u32Section, writeMessage } from '../../../inspector/protocol/wire.js';
import { makeEngine, readRequests, text, texts, u32, u64, writeReply } from '../mock/engine.mjs';
import { BASE_NS } from '../mock/trace.mjs';

const header = { kind: 7, id: 5, client: 9, trace: 1, channel: 3, generation: 2, names: 11 };
const asBuffer = (parts) => new Uint8Array(Buffer.concat(parts)).slice().buffer;
const bare = (kind) => ({ kind, id: 1, trace: 1, names: 0 });

test('a request is laid out as the protocol says', () => {
    const message = writeMessage(header, [u32Section(0x0702, [960]), textSection(0x0a01, 'ü!'), i64Section(0x0701, [-1n, 2n])]);
    const view = new DataView(message.buffer);
    assert.equal(String.fromCharCode(...message.subarray(0, 4)), 'FGVQ');
    assert.equal(view.getUint16(4, true), 1);
    assert.equal(view.getUint32(8, true), message.length);
    assert.equal(message.length % 8, 0);
    assert.deepEqual([view.getUint16(14, true), view.getUint32(16, true), view.getUint32(20, true), view.getUint32(28, true), view.getUint32(32, true)], [3, 5, 9, 2, 11]);
    for (let i = 0; i < 3; i++) {
        assert.equal(view.getUint32(48 + 16 * i + 8, true) % 8, 0, 'payloads are aligned');
    }
    const [request] = readRequests(message);
    assert.deepEqual(request.sections.get(0x0702), [960]);
    assert.equal(request.sections.get(0x0a01), 'ü!');
    assert.deepEqual(request.sections.get(0x0701), [-1n, 2n]);
});

test('columns of a reply are views, texts are decoded, missing ones are empty', () => {
    const reply = new Reply(asBuffer([writeReply(bare(5), [u32(1, [1, 2, 3]), texts(2, ['', 'ä', 'three']), u64(3, [2n ** 63n])])]), 0);
    assert.deepEqual([...reply.u32(1)], [1, 2, 3]);
    assert.equal(reply.u32(1).buffer, reply.buffer);
    assert.deepEqual(reply.texts(2), ['', 'ä', 'three']);
    assert.equal(reply.u64(3)[0], 2n ** 63n);
    assert.equal(reply.f64(99).length, 0);
    assert.deepEqual(reply.texts(99), []);
    assert.throws(() => reply.u32(3), WireError);
});

test('a cut or foreign reply is refused, at every length', () => {
    const whole = new Uint8Array(asBuffer([writeReply(bare(5), [u32(1, [1, 2, 3])])]));
    for (let length = 1; length < whole.length; length++) {
        assert.throws(() => splitReplies(whole.slice(0, length).buffer), Error, String(length));
    }
    const foreign = whole.slice();
    foreign[0] ^= 1;
    assert.throws(() => splitReplies(foreign.buffer), WireError);
    const outside = whole.slice();
    new DataView(outside.buffer).setUint32(48 + 12, 4096, true);
    assert.throws(() => splitReplies(outside.buffer), WireError);
});

test('what is asked at once goes in one buffer, and each gets its own answer', async () => {
    let buffers = 0;
    const engine = makeEngine();
    const client = new Client(async (buffer) => { buffers++; return asBuffer([engine(buffer)]); });
    const [entries, strip] = await Promise.all([askHello(client), askStrip(client, 1)]);
    assert.equal(buffers, 1);
    assert.equal(entries[0].label, 'invented.sgpt');
    assert.equal(strip.count, 120);
    assert.ok(strip.gpuNs[80] > 2 * strip.gpuNs[79]);
});

test('names are kept and only new ones are sent', async () => {
    const asked = [];
    const engine = makeEngine();
    const client = new Client(async (buffer) => { asked.push(...readRequests(buffer).map((request) => request.names)); return asBuffer([engine(buffer)]); });
    await client.ask(KIND.TRACKS, 1);
    await client.ask(KIND.TRACKS, 1);
    assert.equal(asked[0], 0);
    assert.ok(asked[1] > 10);
    assert.equal(client.name(1, 0), '');
    assert.equal(client.namesOf(1).indexOf('g-buffer') > 0, true);
});

test('an error of the engine keeps its words; the rest of the batch is answered', async () => {
    const client = new Client(async (buffer) => asBuffer(readRequests(buffer).map((request) => (request.kind === KIND.SPAN
        ? writeReply(request, [text(0x0040, 'no such row')], { status: 4 }) : writeReply(request, [u32(1, [7])])))));
    const [bad, good] = await Promise.allSettled([client.ask(KIND.SPAN, 1), client.ask(KIND.INFO, 1)]);
    assert.equal(good.status, 'fulfilled');
    assert.ok(bad.status === 'rejected' && bad.reason instanceof RequestError && bad.reason.message === 'no such row' && bad.reason.status === 4);
});

test('an answer that a newer question replaced is dropped, also when it comes late', async () => {
    const waiting = [];
    const client = new Client((buffer) => new Promise((done) => { waiting.push(() => done(asBuffer(readRequests(buffer).map((request) => writeReply(request, []))))); }));
    const first = client.ask(KIND.VIEW, 1, [], client.supersede(1));
    await Promise.resolve();
    const second = client.ask(KIND.VIEW, 1, [], client.supersede(1));
    await Promise.resolve();
    waiting[1]();
    waiting[0]();
    await second;
    await assert.rejects(first, isCancelled);
});

test('a dead server rejects everything that was asked', async () => {
    const client = new Client(() => Promise.reject(new Error('gone')));
    const results = await Promise.allSettled([client.ask(KIND.INFO, 1), client.ask(KIND.TRACKS, 1)]);
    assert.deepEqual(results.map((result) => result.status), ['rejected', 'rejected']);
});

test('times of a view come back to the nanosecond beyond 2^53', async () => {
    const engine = makeEngine();
    const client = new Client(async (buffer) => asBuffer([engine(buffer)]));
    const view = await askView(client, 1, { startNs: BASE_NS + 1n, endNs: BASE_NS + 30_000_001n, widthPx: 1000, lanes: [3], groups: [], filter: 0, modes: [255] }, { channel: 1, generation: 0 });
    assert.equal(view.startNs + BigInt(view.spans.begin[0]), BASE_NS);
    assert.equal(view.spans.end[0] - view.spans.begin[0], 8e6);
    assert.ok(view.binOriginNs <= 0 && view.binOriginNs > -view.binNs);
});
