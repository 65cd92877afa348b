// SPDX-License-Identifier: MIT
/* What we write for speedscope is opened by speedscope's own page, which has no idea of us. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, test } from 'node:test';
import { launch } from './browser.mjs';
import { demoCapture, noProgram } from './server.mjs';
import { soon } from './soon.mjs';

const PROGRAM = process.env.FG_FRAMEGLASS ?? '';
const skip = noProgram;
const folder = mkdtempSync(join(tmpdir(), 'fg-speedscope-'));
const page = join(dirname(createRequire(import.meta.url).resolve('speedscope/package.json')), 'dist/release/index.html');
/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = skip ? browser : await launch(); });
after(async () => {
    await browser?.close();
    rmSync(folder, { recursive: true });
});

/** The way in that its own command line takes. @param {string} file @param {string} text */
function address(file, text) {
    const script = join(folder, `${file}.js`);
    const packed = Buffer.from(text, 'utf8').toString('base64');
    writeFileSync(script, `speedscope.loadFileFromBase64(${JSON.stringify(file)}, ${JSON.stringify(packed)})`);
    return `${pathToFileURL(page).href}#localProfilePath=${script}`;
}

/**
 * Profiles by name: for each frame what its evented spans sum up to, read without any of our code.
 * @param {string} text
 */
function totals(text) {
    const file = JSON.parse(text);
    return file.profiles.map((/** @type {any} */ profile) => {
        /** @type {Map<string, number>} */
        const total = new Map();
        const open = [];
        for (const event of profile.events) {
            if (event.type === 'O') {
                open.push(event);
            } else {
                const begun = open.pop();
                assert.equal(begun.frame, event.frame, 'ends close what was opened last');
                const { name } = file.shared.frames[event.frame];
                total.set(name, (total.get(name) ?? 0) + event.at - begun.at);
            }
        }
        assert.equal(open.length, 0, 'all ends are there');
        return { name: profile.name, total };
    });
}

/** A time as speedscope writes it. @param {number} ns */
function time(ns) {
    const units = /** @type {const} */ ([[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']]);
    const [size, unit] = units.find(([least]) => ns >= least) ?? units[3];
    return `${(ns / size).toFixed(2)}${unit}`;
}

test('speedscope opens an exported capture and knows its spans', { skip, timeout: 240000 }, async () => {
    const path = join(folder, 'demo.speedscope.json');
    execFileSync(PROGRAM, ['export', demoCapture(), '--to', 'speedscope', '-o', path]);
    const text = readFileSync(path, 'utf8');
    const profiles = totals(text);
    const gpu = profiles.find((/** @type {any} */ profile) => profile.total.has('g-buffer'));
    assert.ok(gpu, 'the passes are in a profile');
    const tab = await browser.newPage();
    const wrong = [];
    tab.on('pageerror', (error) => wrong.push(String(error)));
    tab.on('dialog', (dialog) => { wrong.push(dialog.message()); void dialog.dismiss(); });
    await tab.goto(address('demo.speedscope.json', text));
    await soon.match(() => tab.title(), /^trace/);
    await tab.keyboard.press('3'); // The sandwich: a table of frames with their times.
    const { name, total } = profiles[0];
    await soon.holds(async () => {
        const words = await tab.locator('body').innerText();
        assert.ok(words.includes(`${name} (1/${profiles.length})`), words.slice(0, 400));
        const known = [...total].filter(([frame, ns]) => frame !== '' && words.includes(frame) && words.includes(time(ns)));
        assert.ok(known.length > 0, words.slice(0, 400));
    });
    assert.deepEqual(wrong, []);
    await tab.close();
});
