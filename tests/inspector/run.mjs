// SPDX-License-Identifier: MIT
/*
 * Runs the inspector's tests and prints TAP: node run.mjs [types|unit|browser]...
 *
 *   FG_FRAMEGLASS   the program; without it the tests over a recorded capture are skipped
 *   FG_SITE         folder of the static site; without it the tests of the page alone are skipped
 *   FG_WORK         folder for captures made here
 *   FG_SHOTS        folder for screenshots; without it none are kept
 *   FG_CHROMIUM     the browser
 */

import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { demoCapture, noProgram } from './browser/server.mjs';
import { runWithSecondTry } from './tries.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const wanted = process.argv.slice(2);
const parts = wanted.length > 0 ? wanted : ['types', 'unit', 'browser'];
/** Files of pages at once, each in a browser of its own: a page waits as often as it works. */
const BESIDE = availableParallelism() + 1;
let failed = 0;

/** @param {string[]} words */
function node(words) {
    const { status } = spawnSync(process.execPath, words, { cwd: HERE, stdio: 'inherit' });
    return status === 0;
}

/** @param {string} part */
function filesOf(part) {
    return readdirSync(join(HERE, part)).filter((name) => name.endsWith('.test.mjs')).map((name) => join(HERE, part, name));
}

for (const part of parts) {
    if (part !== 'unit' && !existsSync(join(HERE, 'node_modules'))) {
        console.log(`not ok - ${part}: the test tools are not installed. Run npm ci in tests/inspector.`);
        failed++;
    } else if (part === 'types') {
        const ok = node([join('node_modules', 'typescript', 'bin', 'tsc'), '-p', 'tsconfig.json']);
        console.log(`${ok ? 'ok' : 'not ok'} - the page is type-checked`);
        console.log(`# pass ${ok ? 1 : 0}\n# fail ${ok ? 0 : 1}`);
        failed += ok ? 0 : 1;
    } else if (part === 'unit') {
        failed += node(['--test', '--test-reporter=tap', '--test-concurrency=1', ...filesOf(part)]) ? 0 : 1;
    } else if (part === 'browser') {
        if (!noProgram) {
            demoCapture(); // Before any of them wants it: files run side by side.
        }
        failed += await runWithSecondTry(filesOf(part), { beside: BESIDE, write: (text) => { process.stdout.write(text); } }) ? 0 : 1;
    } else {
        console.error(`there is no part ${part}: types, unit, browser`);
        failed++;
    }
}
process.exitCode = failed > 0 ? 1 : 0;
