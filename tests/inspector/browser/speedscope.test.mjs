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

/* Up to so many frames all must be right; of more it is enough that some are: names may be shown elsewhere, too. */
const FEW = 4;

/**
 * Opens a text there and looks at the sandwich: a table of frames with their times.
 * @param {string} file its name
 * @param {string} text
 * @param {RegExp} title of the page, once it is read
 * @param {string} shown which profile, in the page's words
 * @param {[string, string][]} figures names of frames, and what each sums up to as the page writes it
 */
async function compare(file, text, title, shown, figures) {
    const tab = await browser.newPage();
    /** @type {string[]} */
    const wrong = [];
    tab.on('pageerror', (error) => wrong.push(String(error)));
    tab.on('dialog', (dialog) => { wrong.push(dialog.message()); void dialog.dismiss(); });
    await tab.goto(address(file, text));
    await soon.match(() => tab.title(), title);
    await tab.keyboard.press('3');
    await soon.holds(async () => {
        const words = await tab.locator('body').innerText();
        assert.ok(words.includes(shown), words.slice(0, 400));
        /* Only the rows on screen are there; what stands in them is complete. */
        const rows = words.split('\n').map((line) => line.trim());
        const known = figures.filter(([frame, total]) => rows.includes(frame) && words.includes(total));
        const named = figures.filter(([frame]) => rows.includes(frame));
        assert.ok(known.length > 0, words.slice(0, 800));
        if (named.length <= FEW) {
            assert.deepEqual(known, named);
        }
    });
    assert.deepEqual(wrong, []);
    await tab.close();
}

test('speedscope opens an exported capture and knows its spans', { skip, timeout: 240000 }, async () => {
    const path = join(folder, 'demo.speedscope.json');
    execFileSync(PROGRAM, ['export', demoCapture(), '--to', 'speedscope', '-o', path], { stdio: ['ignore', 'inherit', 'ignore'] });
    const text = readFileSync(path, 'utf8');
    const profiles = totals(text);
    assert.ok(profiles.some((/** @type {any} */ profile) => profile.total.has('g-buffer')), 'the passes are in a profile');
    const { name, total } = profiles[0];
    const figures = [...total].filter(([frame]) => frame !== '').map(([frame, ns]) => /** @type {[string, string]} */ ([frame, time(ns)]));
    await compare('demo.speedscope.json', text, /^trace/, `${name} (1/${profiles.length})`, figures);
});

/* Two threads, nested, times that are no round numbers. */
const EVENTS = [
    { ph: 'M', pid: 5, tid: 6, name: 'thread_name', args: { name: 'worker' } },
    { ph: 'X', pid: 5, tid: 6, name: 'outer', ts: 10, dur: 1000.125 },
    { ph: 'X', pid: 5, tid: 6, name: 'inner', ts: 20, dur: 300.5 },
    { ph: 'X', pid: 5, tid: 6, name: 'inner', ts: 400, dur: 411.25 },
    { ph: 'X', pid: 5, tid: 6, name: 'leaf', ts: 410, dur: 77.007 },
    { ph: 'X', pid: 5, tid: 7, name: 'alone', ts: 0, dur: 55.5 },
];
/** What is exported of them. @param {string} to */
function exported(to) {
    return execFileSync(PROGRAM, ['export', '-', '--to', to], { input: JSON.stringify(EVENTS), encoding: 'utf8' });
}

test('speedscope opens folded stacks and sums them up as the events do', { skip, timeout: 240000 }, async () => {
    const whole = [['outer', 1000125], ['inner', 711750], ['leaf', 77007], ['alone', 55500]];
    const figures = whole.map(([name, ns]) => /** @type {[string, string]} */ ([String(name), ns.toLocaleString('en-US')]));
    await compare('some.folded', exported('folded'), /folded/, 'some.folded', figures);
});

test('speedscope opens Chrome events and has every span of a thread', { skip, timeout: 240000 }, async () => {
    const text = exported('chrome');
    const spans = JSON.parse(text).traceEvents.filter((/** @type {any} */ event) => event.ph === 'X' && event.tid === 6);
    assert.equal(spans.length, 4);
    const sums = new Map([['outer', 1000125], ['inner', 711750], ['leaf', 77007]]);
    assert.deepEqual([...sums.keys()].sort(), [...new Set(spans.map((/** @type {any} */ span) => span.name))].sort());
    const figures = spans.map((/** @type {any} */ span) => /** @type {[string, string]} */ ([`${span.name} ${JSON.stringify(span.args)}`, time(Math.round(span.dur * 1000))]));
    await compare('some.json', text, /some.json/, 'worker', figures);
});

test('speedscope has the totals of nodes that were captured in detail', { skip, timeout: 240000 }, async () => {
    const text = execFileSync(PROGRAM, ['export', nodesFile(), '--to', 'speedscope'], { encoding: 'utf8' });
    const [{ name, total }] = totals(text);
    assert.deepEqual([...total].sort(), [...TOTALS].sort());
    const figures = [...TOTALS].map(([frame, ns]) => /** @type {[string, string]} */ ([frame, time(ns)]));
    await compare('nodes.speedscope.json', text, /^trace/, name, figures);
});
