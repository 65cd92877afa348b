// SPDX-License-Identifier: MIT
/* Notes of the page, the page as one file, and what a capture says of itself. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { addNote, allMarks, copyName, editNote, noteProblem, notesFromText, notesOfFrame, notesToText, recordedMarks, removeNote, unsavedCount } from '../../../inspector/model/notes.js';
import { escapeAttribute, fillTemplate } from '../../../inspector/model/standalone.js';
import { groupMeta, isForeign, limitText, noPasses, softwareTimes } from '../../../inspector/model/capture_meta.js';

const note = (text, frame = 3, timeNs = 30n) => ({ text, frame, timeNs });

test('notes are added, changed and removed; a change is not saved', () => {
    let notes = addNote(addNote([], note(' one ')), note('two', -1, 10n));
    assert.deepEqual(notes.map((item) => [item.id, item.text, item.saved]), [[1, 'one', false], [2, 'two', false]]);
    notes = notes.map((item) => ({ ...item, saved: true }));
    assert.equal(unsavedCount(notes), 0);
    assert.equal(unsavedCount(editNote(notes, 1, 'one')), 0, 'the same text is no change');
    assert.equal(unsavedCount(editNote(notes, 1, 'uno')), 1);
    assert.deepEqual(removeNote(notes, 1).map((item) => item.id), [2]);
    assert.equal(addNote(removeNote(notes, 1), note('three')).at(-1)?.id, 3, 'a number is not given twice while another has it');
});

test('what a note cannot be is said', () => {
    assert.match(noteProblem('  '), /some words/);
    assert.equal(noteProblem('a'.repeat(4096)), '');
    assert.match(noteProblem('é'.repeat(2049)), /4096 bytes of text; this one has 4098/);
});

test('notes of the page stand among those of the capture by time, and can be told apart', () => {
    const recorded = [{ timeNs: 20n, track: -1, text: 'r', frame: 2 }];
    const marks = allMarks(recorded, addNote(addNote([], note('late')), note('early', -1, 1n)));
    assert.deepEqual(marks.map((mark) => mark.text), ['early', 'r', 'late']);
    assert.deepEqual(recordedMarks(marks), recorded);
    assert.deepEqual([2, 3, 4].map((frame) => notesOfFrame(marks, frame).map((mark) => mark.text)), [['r'], ['late'], []]);
});

test('kept notes come back as they were, and nonsense does not', () => {
    const notes = addNote([], note('one', 3, 9007199254740993000n));
    assert.deepEqual(notesFromText(notesToText(notes)), notes);
    assert.deepEqual(notesFromText('{'), []);
    assert.deepEqual(notesFromText('[{"text":5},{"text":"x","frame":0.5,"timeNs":"1"},{"text":"x","frame":0,"timeNs":"now"}]'), []);
});

test('a copy is named after its capture', () => {
    assert.equal(copyName('run.sgpt', 'noted'), 'run.noted.sgpt');
    assert.equal(copyName('run.sgpt.gz', 'noted'), 'run.noted.sgpt');
    assert.equal(copyName('a/b:c.sgpt', ''), 'a_b_c.sgpt');
    assert.equal(copyName('', 'noted'), 'capture.noted.sgpt');
});

test('the capture goes into its place in the page, whatever its name', () => {
    const page = '<a><script type="text/plain" data-packing="gzip" id="capture" data-label="">\n</script><script>x</script>';
    const { head, tail } = fillTemplate(page, escapeAttribute('"><b>&.sgpt'));
    assert.equal(`${head}DATA${tail}`, '<a><script id="capture" type="text/plain" data-label="&quot;&gt;&lt;b&gt;&amp;.sgpt" data-packing="gzip">DATA</script><script>x</script>');
    assert.throws(() => fillTemplate('<html></html>', ''), /not part of this build/);
    assert.throws(() => fillTemplate('<script id="capture">full</script>', ''), /missing/, 'a place that is taken is none');
});

test('what a capture says of itself is told in groups', () => {
    const meta = [['producer', 'p'], ['note', 'n'], ['start_wall_ns', '1795986319543207987'], ['adapter_device', 'd'], ['setting.a.b', '1'], ['limit.maxX', '65536'],
        ['feature', 'b, a'], ['feature', 'c'], ['vendor', '']].map(([key, value]) => ({ key, value }));
    const groups = groupMeta(meta);
    assert.deepEqual(groups.features, ['a', 'b', 'c']);
    assert.deepEqual(groups.notes, ['n']);
    assert.deepEqual(groups.settings, [{ key: 'a.b', value: '1' }]);
    assert.deepEqual(groups.device, [{ key: 'adapter device', value: 'd' }]);
    assert.deepEqual(groups.program.map((entry) => entry.key), ['producer', 'recorded', 'vendor']);
    assert.match(groups.program[1].value, /^2026-11-29 \d\d:\d\d:\d\d UTC$/);
    assert.equal(limitText('65536'), '65,536');
    assert.equal(limitText('4294967295'), 'no limit');
});

test('a trace is of another tool where it has neither a level nor frames', () => {
    assert.equal(isForeign({ level: null, counts: { frames: 0n } }), true);
    assert.equal(isForeign({ level: 0, counts: { frames: 0n } }), false, 'a recording that ended before its first frame');
    assert.equal(isForeign({ level: null, counts: { frames: 3n } }), false);
    assert.equal(isForeign(null), false, 'nothing is known of it yet');
    assert.deepEqual([noPasses({ level: null, counts: { passes: 0n } }) !== '', noPasses({ level: 1, counts: { passes: 4n } }), noPasses(null)], [true, '', '']);
});

test('what is known of a software device\'s times is said where they are', () => {
    const of = (hint) => softwareTimes({ meta: [{ key: 'device', value: 'x' }, { key: 'setting.driver.hint', value: hint }] });
    assert.equal(of('a software device: its GL times are noise'), 'The GPU is a software device: its GL times are noise.');
    assert.equal(of('clocks follow load; lock them'), '');
    assert.equal(softwareTimes({ meta: [] }), '');
    assert.equal(softwareTimes(null), '');
});
