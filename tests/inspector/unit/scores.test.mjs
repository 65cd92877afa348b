// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NO_BASELINE, formatBaseline, parseBaseline, readFrom, reasonCounts } from '../../../inspector/model/anomalies.js';
import { Client } from '../../../inspector/protocol/client.js';
import { askGroupScores, askRowScore } from '../../../inspector/protocol/scores.js';
import { arrangeRows, COSTLY_FIRST } from '../../../inspector/model/compare.js';
import { groupKey, isRegression, noScoreWord, scoreFacts, scoreText, whyNoScore, worst } from '../../../inspector/model/group_scores.js';
import { parsePath, pathRemarks } from '../../../inspector/model/path.js';
import { suggestions } from '../../../inspector/model/sides.js';
import { makeEngine } from '../mock/engine.mjs';
import { parseSlice, sliceReach, sliceRemarks, stepSlice, stepText } from '../../../inspector/model/slice.js';

const group = (change) => ({
    name: 'a', key: null, baseKey: null, count: 4, baseCount: 8, meanNs: 3000n, baseMeanNs: 2000n, errors: 0, baseErrors: 0, flags: 0, ratio: 1.5, score: 0.5, tint: 200, ...change,
});

test('a score of a group says what it was made of, or why there is none', () => {
    assert.match(scoreFacts(group({})), /3[^,]*µs on average \(of 4\), 2[^,]*µs in the base \(of 8\): 1\.50×\.$/);
    assert.match(scoreFacts(group({ errors: 250000 })), /25\.0 % fail, 0\.0 % did/);
    for (const [flags, why, word] of [[1, /base/, 'only new'], [2, /compared/, 'only base'], [4, /cannot/, 'cannot be'], [8, /cannot/, 'cannot be']]) {
        assert.match(whyNoScore(group({ flags })), why);
        assert.match(scoreFacts(group({ flags })), /^Not scored: /);
        assert.equal(noScoreWord(group({ flags })), word);
    }
    assert.equal(noScoreWord(null), 'no spans');
    assert.equal(isRegression(group({ flags: 32 })), true);
    assert.equal(scoreText(group({ flags: 16 })).startsWith('>'), true);
    assert.equal(scoreText(group({ score: 0.256 })), '0.26');
});

test('of groups that are one row the worst is told, and one without a score never hides another', () => {
    assert.equal(worst([]), null);
    assert.equal(worst([group({ score: 0, flags: 1 }), group({ name: 'b', score: 0 })])?.name, 'b');
    assert.equal(worst([group({ name: 'c', score: 2 }), group({ flags: 2, score: 0 }), group({ score: 1 })])?.name, 'c');
});

test('rows of a comparison sort by score, those without one last', () => {
    assert.equal(groupKey('gpu', { identities: [3, null] }), 'gpu 3:-');
    assert.notEqual(groupKey('gpu', { name: 'a' }), groupKey('cpu', { name: 'a' }));
    const rows = ['a', 'b', 'c'].map((name) => ({ name, scope: '', track: '', state: 'both', deltaNs: 0, noiseNs: 1 }));
    const scores = { a: 0.1, b: -1, c: 4 };
    const names = (descending) => arrangeRows(rows, { column: 'score', descending }, { find: '', claimed: false }, (row) => scores[row.name]).map((row) => row.name).join('');
    assert.equal(names(true), 'cab');
    assert.equal(arrangeRows(rows, COSTLY_FIRST, { find: '', claimed: false }).length, 3);
});

test('a baseline, its peers and its threshold come back from the address', () => {
    for (const text of ['all', 'all,from:2', 'frames:3:9,by:pass', 'file:2,both', 'window:-9:4', 'measured:1:2,by:all,from:0.5,both']) {
        assert.equal(formatBaseline(parseBaseline(text)), text);
    }
    assert.deepEqual(parseBaseline('all,by:colour,from:-1,else'), { ...NO_BASELINE, base: 'all' });
    assert.deepEqual(['3', ' 2.5 ', '0', '-1', 'x', '1e3', '1001', ''].map(readFrom), [3, 2.5, null, null, null, null, null, null]);
});

test('what has no score is counted by reason', () => {
    const { scored, notScored, without } = reasonCounts([5, 1, 0, 2, 0, 0, 0, 3, 0]);
    assert.deepEqual([scored, notScored, without.map(({ count }) => count)], [6, 5, [2, 3]]);
    assert.match(without[0].text, /without an end/);
});

test('causes and consequences: steps, waits, and what is missing', () => {
    assert.deepEqual(parseSlice('7:back:2'), { row: 7, way: 'back', hops: 2 });
    assert.equal(parseSlice('7:sideways'), null);
    const far = { row: 1, way: 'on', hops: 8 };
    assert.equal(stepSlice(far, 1).hops, null);
    assert.equal(stepSlice({ ...far, hops: null }, -1).hops, 8);
    assert.equal(stepSlice({ ...far, hops: 1 }, -1).hops, 1);
    assert.deepEqual([0, -1, 2].map(stepText), ['the span', '1 step before', '2 steps after']);
    const item = (hops, via, gapNs) => ({ row: 9, hops, via, family: 5, gapNs, name: '', track: 0, startNs: 0n, endNs: 1n });
    const answer = { items: [item(0, null, null), item(-1, 9, 4n), item(-2, 9, null)], left: 0, hidden: 1, more: true };
    assert.deepEqual(sliceReach(answer), { before: 2, after: 0, most: 2 });
    assert.deepEqual(sliceRemarks(answer).map((line) => line.slice(0, 12)), ['There is mor', '1 dependency', '1 wait is no']);
    assert.deepEqual(sliceRemarks({ ...answer, items: answer.items.slice(0, 2), hidden: 0, more: false, left: 7 }).length, 1);
});

test('a path says when it goes by parents, and nothing was chosen unless the address says so', () => {
    assert.deepEqual(parsePath('all'), { of: 'all', by: null });
    assert.deepEqual(parsePath('all:links'), { of: 'all', by: 'links' });
    assert.equal(parsePath('all:sideways'), null);
    const path = { by: 'parents', flags: 0, counts: { chain: 2, links: 1 }, sums: { unclaimed: 0, overlapNs: 0n } };
    assert.match(pathRemarks(path, 'all')[0], /By parents/);
    assert.deepEqual(pathRemarks({ ...path, by: 'links' }, 'all'), []);
    const wrapper = { ...path, by: /** @type {const} */ ('links'), lengthNs: 1065720000n, counts: { ...path.counts, chain: 1, links: 5 } };
    assert.match(pathRemarks(wrapper, 'window')[0], /Filter \(I\) hides it, with at most 1,065,719 µs, or ask for the selected span\.$/);
    assert.match(pathRemarks(wrapper, 'span')[0], /with at most 1,065,719 µs\.$/, 'what is chosen already is not advised');
});

test('two traces without frames are compared as wholes; one with and one without are not offered', () => {
    const known = { file: 1, frames: null, marks: [], range: null };
    assert.deepEqual(suggestions({ ...known, files: [{ label: 'a', frames: 0 }, { label: 'b', frames: 0 }] })[0].pair,
        { base: { file: 1, first: 0, last: 0 }, next: { file: 2, first: 0, last: 0 } });
    assert.deepEqual(suggestions({ ...known, files: [{ label: 'a', frames: 0 }, { label: 'b', frames: 4 }] }), []);
});

test('scores of groups and of rows are read, at once and in steps', async () => {
    const engine = makeEngine();
    const client = new Client(async (buffer) => new Uint8Array(engine(buffer)).slice().buffer);
    const question = { selection: { window: null, frames: { first: 80, last: 80 }, tracks: [], filter: 0 }, baseline: { window: null, frames: { first: 65, last: 79 }, trace: 0 }, by: 'pass', tracks: 'gpu' };
    const ask = () => askGroupScores(client, 1, question, client.supersede(3));
    const groups = await ask();
    assert.ok(groups.length > 3 && groups.every(({ tint, score }) => (tint > 127) === (score >= 0.25)));
    assert.ok(isRegression(groups[0]) && groups[0].score > 0.25 && groups[0].key !== null && groups[0].baseKey === groups[0].key);
    client.kinds = new Set([37]);
    assert.deepEqual(await ask(), groups);
    assert.deepEqual(await askRowScore(client, 1, 1, 3, { channel: 3, generation: 0 }), { tint: 200, reason: 0 });
    assert.deepEqual(await askRowScore(client, 1, 1, 1e9, { channel: 3, generation: 0 }), { tint: 0, reason: 4 });
});
