// SPDX-License-Identifier: MIT
/*
 * How long the page alone in a browser takes to its first picture: from the moment a capture is opened to the frame strip, and to
 * the timeline. In Chromium, without a GPU. Prints JSON.
 *
 *   node bench/page/first_picture.mjs SITE CAPTURE [REPEATS [strip]]      after `npm ci` in tests/inspector; "strip": only that
 *
 * "drop": the page lies open, a file is given to it. "url": the page is loaded with ?file=, everything included.
 */

import { statSync } from 'node:fs';
import { cpus } from 'node:os';
import { basename } from 'node:path';
import { launch } from '../../tests/inspector/browser/browser.mjs';
import { serveSite } from './site_server.mjs';

const [site, capture, repeats = '5', only = ''] = process.argv.slice(2);
if (!capture) {
    console.error('usage: first_picture.mjs SITE CAPTURE [REPEATS [strip]]');
    process.exit(2);
}
const size = statSync(capture).size;
const { address, close } = await serveSite(site, capture);

/** Runs in the page, before anything else: notes when the strip and the timeline were drawn. */
function watch() {
    const times = /** @type {any} */ (globalThis).times = { from: 0, strip: 0, timeline: 0 };
    const look = () => {
        const strip = document.getElementById('strip');
        const timeline = document.getElementById('timeline');
        times.strip ||= strip?.dataset.drawn ? performance.now() : 0;
        times.timeline ||= strip?.dataset.drawn === 'trace' && Number(timeline?.dataset.drawn) > 0 ? performance.now() : 0;
        if (!times.timeline) {
            requestAnimationFrame(look);
        }
    };
    addEventListener('change', () => { times.from = performance.now(); }, { capture: true });
    requestAnimationFrame(look);
}

/** @param {import('playwright-core').Browser} browser @param {'drop' | 'url'} how */
async function once(browser, how) {
    const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
    await page.addInitScript(watch);
    await page.goto(how === 'url' ? `${address}?file=${basename(capture)}` : address);
    if (how === 'drop') {
        await page.waitForSelector('.open:not([hidden])');
        await page.waitForTimeout(1000);
        await page.setInputFiles('.open input[type="file"]', capture);
    }
    await page.waitForFunction(() => /** @type {any} */ (globalThis).times.strip > 0, null, { timeout: 120000 });
    if (only !== 'strip') {
        await page.waitForFunction(() => /** @type {any} */ (globalThis).times.timeline > 0, null, { timeout: 240000 });
    }
    const times = await page.evaluate(() => /** @type {any} */ (globalThis).times);
    await page.close();
    return { strip_ms: times.strip - times.from, timeline_ms: times.timeline - times.from };
}

/** @param {number[]} values */
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

const browser = await launch();
const figures = {};
for (const how of /** @type {const} */ (['drop', 'url'])) {
    await once(browser, how);
    const runs = [];
    for (let i = 0; i < Number(repeats); i++) {
        runs.push(await once(browser, how));
    }
    figures[how] = {
        strip_ms: Math.round(median(runs.map((run) => run.strip_ms))),
        strip_worst_ms: Math.round(Math.max(...runs.map((run) => run.strip_ms))),
        ...only === 'strip' ? {} : { timeline_ms: Math.round(median(runs.map((run) => run.timeline_ms))) },
    };
}
console.log(JSON.stringify({ bench: 'first_picture', capture_bytes: size, browser: `Chromium ${browser.version()}`, cpu: cpus()[0].model, cores: cpus().length, repeats: Number(repeats), ...figures }, null, 2));
await browser.close();
close();
