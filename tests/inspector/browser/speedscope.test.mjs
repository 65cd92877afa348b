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
import { nodesFile, TOTALS } from './nodes.mjs';
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

/** A file as we write it for speedscope. @param {string} file @param {string} name */
function exported(file, name) {
    const path = join(folder, name);
    execFileSync(PROGRAM, ['export', file, '--to', 'speedscope', '-o', path]);
    return readFileSync(path, 'utf8');
}

/**
 * Opens it in the page; what its table of frames says is given to `body`, again until it holds.
 * @param {string} file @param {string} text @param {(words: string) => void} body
 */
async function sandwich(file, text, body) {
    const tab = await browser.newPage();
    const wrong = [];
    tab.on('pageerror', (error) => wrong.push(String(error)));
    tab.on('dialog', (dialog) => { wrong.push(dialog.message()); void dialog.dismiss(); });
    await tab.goto(address(file, text));
    await soon.match(() => tab.title(), /^trace/);
    await tab.keyboard.press('3'); // The sandwich: a table of frames with their times.
    await soon.holds(async () => body(await tab.locator('body').innerText()));
    assert.deepEqual(wrong, []);
    await tab.close();
}

test('speedscope opens an exported capture and knows its spans', { skip, timeout: 240000 }, async () => {
    const text = exported(demoCapture(), 'demo.speedscope.json');
    const profiles = totals(text);
    const gpu = profiles.find((/** @type {any} */ profile) => profile.total.has('g-buffer'));
    assert.ok(gpu, 'the passes are in a profile');
    const { name, total } = profiles[0];
    await sandwich('demo.speedscope.json', text, (words) => {
        assert.ok(words.includes(`${name} (1/${profiles.length})`), words.slice(0, 400));
        const known = [...total].filter(([frame, ns]) => frame !== '' && words.includes(frame) && words.includes(time(ns)));
        assert.ok(known.length > 0, words.slice(0, 400));
    });
});

test('speedscope has the totals of nodes that were captured in detail', { skip, timeout: 240000 }, async () => {
    const text = exported(nodesFile(), 'nodes.speedscope.json');
    const [{ total }] = totals(text);
    assert.deepEqual([...total].sort(), [...TOTALS].sort());
    await sandwich('nodes.speedscope.json', text, (words) => {
        for (const [name, ns] of TOTALS) {
            assert.ok(words.includes(name) && words.includes(time(ns)), `${name} ${time(ns)}: ${words.slice(0, 400)}`);
        }
    });
});
