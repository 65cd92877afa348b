// SPDX-License-Identifier: MIT
/* A second try mends what an unlucky machine did, and hides nothing else. */

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

/** @param {string} name */
const pathOf = (name) => fileURLToPath(new URL(`tries/${name}.mjs`, import.meta.url));

/** What a run of some files prints, and whether it passed. @param {string[]} names */
function runOf(...names) {
    const folder = mkdtempSync(join(tmpdir(), 'fg-tries-'));
    const { NODE_TEST_CONTEXT: _mine, ...environment } = process.env;
    const { stdout, status } = spawnSync(process.execPath, [pathOf('main'), ...names.map(pathOf)], { encoding: 'utf8', env: { ...environment, TRIES_FOLDER: folder } });
    rmSync(folder, { recursive: true });
    return { lines: stdout.split('\n'), stdout, passed: status === 0 };
}

/** @param {string} stdout @param {string} what */
const count = (stdout, what) => Number(new RegExp(`^# ${what} (\\d+)$`, 'm').exec(stdout)?.[1]);

test('what passes the second time counts once, as passed; its first error is told', () => {
    const { lines, stdout, passed } = runOf('once');
    assert.ok(passed, stdout);
    assert.deepEqual(['tests', 'pass', 'fail', 'skipped'].map((what) => count(stdout, what)), [6, 5, 0, 1]);
    assert.equal(lines.filter((line) => /^ok \d+ - good the second time \(1 of 2\)$/.test(line)).length, 1);
    assert.ok(lines.includes('    ok 1 - a good part') && lines.includes('    ok 2 - a part that is good the second time'), stdout);
    assert.ok(!lines.some((line) => /^\s*not ok/.test(line)), stdout);
    assert.match(stdout, /^# first try failed: good the second time \(1 of 2\)$/m);
    assert.match(stdout, /^#.*the first time of test/m);
    assert.match(stdout, /^#.*the first time of part/m);
    assert.equal(lines.at(-2), '# second try: 2 (good the second time (1 of 2); with parts)');
    assert.ok(lines.includes('1..4'), stdout);
});

test('the second try is of the file that was run, wherever its test is written down', () => {
    const { lines, stdout, passed } = runOf('elsewhere');
    assert.ok(passed, stdout);
    assert.deepEqual([count(stdout, 'tests'), count(stdout, 'pass')], [1, 1]);
    assert.equal(lines.at(-2), '# second try: 1 (good the second time, from elsewhere)');
});

test('what fails twice fails the run: both errors are told', () => {
    const { lines, stdout, passed } = runOf('always');
    assert.ok(!passed, stdout);
    assert.deepEqual([count(stdout, 'pass'), count(stdout, 'fail')], [1, 1]);
    assert.match(stdout, /^#.*at fault, after 1 others/m);
    assert.match(stdout, /^not ok 2 - at fault$[^]*^  error: 'at fault, after 0 others'/m);
    assert.equal(lines.at(-2), '# second try: 1 (at fault)');
});

test('a file that cannot be loaded gets no second try, what fails beside it does', () => {
    const { lines, stdout, passed } = runOf('broken', 'once');
    assert.ok(!passed, stdout);
    assert.deepEqual([count(stdout, 'pass'), count(stdout, 'fail')], [5, 1]);
    assert.match(lines.at(-2) ?? '', /^# second try: 2 \(good/);
});

for (const [name, what, fails] of /** @type {const} */ ([['many', 'more failures than an accident', 4], ['hook', 'a hook that fails', 1]])) {
    test(`${what}: no second try`, () => {
        const { stdout, passed } = runOf(name);
        assert.ok(!passed, stdout);
        assert.equal(count(stdout, 'fail'), fails, stdout);
        assert.match(stdout, /^not ok 1 - /m);
        assert.doesNotMatch(stdout, /second try/);
    });
}

test('a second try that does not end passes for nothing', () => {
    const { stdout, passed } = runOf('breaks');
    assert.ok(!passed, stdout);
    assert.deepEqual([count(stdout, 'pass'), count(stdout, 'fail')], [0, 1]);
});

test('no test at all is no success', () => {
    const { passed } = runOf();
    assert.ok(!passed);
});
