// SPDX-License-Identifier: MIT
/*
 * What the page itself does while a large capture is zoomed and panned: the work of its main thread for each picture, in Chromium
 * without a GPU, at 1280 x 720. Prints JSON.
 *
 *   node bench/page/zoom.mjs FRAMEGLASS|SITE|ADDRESS CAPTURE [SECONDS [on|off]]      after `npm ci` in tests/inspector
 *
 * With the program the capture is read by its server, with the folder of the page as files (build/site) by WebAssembly in the page;
 * an address is that of a server that runs already.
 * "on" and "off": dependencies are drawn, or are not.
 *
 * "own" is what the page's code runs for a picture: input, replies, timers, drawing calls. "thread" is all that its main thread does,
 * with the browser's style, layout, painting and the measuring itself. Both from the browser's own trace, in CPU time of the thread,
 * which stays the same on a busy machine.
 */

import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { basename } from 'node:path';
import { launch } from '../../tests/inspector/browser/browser.mjs';
import { serveSite } from './site_server.mjs';

const [program, capture, seconds = '8', links = 'on'] = process.argv.slice(2);
if (!capture) {
    console.error('usage: zoom.mjs FRAMEGLASS|SITE|ADDRESS CAPTURE [SECONDS [on|off]]');
    process.exit(2);
}

/** @returns {Promise<{ address: string, close: () => void }>} */
function serve() {
    return new Promise((resolve, reject) => {
        const child = spawn(program, ['view', capture, '--no-browser'], { stdio: ['ignore', 'pipe', 'inherit'] });
        let said = '';
        child.stdout.on('data', (part) => {
            said += part;
            const address = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}\//.exec(said)?.[0];
            if (address) {
                resolve({ address, close: () => child.kill('SIGTERM') });
            }
        });
        child.on('exit', (code) => reject(new Error(`frameglass view ended with ${code}`)));
        child.on('error', reject);
    });
}

/** Nearest-rank percentile. @param {number[]} values @param {number} p */
function percentile(values, p) {
    const sorted = [...values].sort((a, b) => a - b);
    return sorted.length === 0 ? NaN : sorted[Math.max(0, Math.ceil(p * sorted.length) - 1)];
}

/** @param {number[]} values in µs */
function figures(values) {
    const ms = (/** @type {number} */ us) => Math.round(us / 10) / 100;
    return { p50_ms: ms(percentile(values, 0.5)), p95_ms: ms(percentile(values, 0.95)), most_ms: ms(Math.max(0, ...values)) };
}

/** @typedef {{ name: string, ph: string, ts: number, dur?: number, tdur?: number, tid: number, pid: number }} Event */

/** What is inside of no other one of the list. @param {Event[]} sorted by their begin */
function outermost(sorted) {
    let until = -1;
    return sorted.filter((event) => {
        const isInside = event.ts < until;
        until = Math.max(until, event.ts + (event.dur ?? 0));
        return !isInside;
    });
}

/** Where the page's own code runs. */
const OWN = new Set(['FireAnimationFrame', 'EventDispatch', 'FunctionCall', 'RunMicrotasks', 'TimerFire']);

/** Work for each picture of the page's main thread. @param {Event[]} events */
function work(events) {
    const { pid, tid } = events.filter((event) => event.name === 'FireAnimationFrame')[0];
    const mine = events.filter((event) => event.pid === pid && event.tid === tid && event.ph === 'X').sort((a, b) => a.ts - b.ts);
    const begins = mine.filter((event) => event.name === 'FireAnimationFrame').map((event) => event.ts);
    const tasks = outermost(mine.filter((event) => event.name === 'RunTask'));
    const own = outermost(mine.filter((event) => OWN.has(event.name)));
    /** A task that draws ends its picture. */
    const ends = tasks.map((task) => task.ts + (task.dur ?? 0)).filter((end, i) => begins.some((begin) => begin >= tasks[i].ts && begin < end));
    const sums = (/** @type {Event[]} */ list) => {
        const cpu = ends.map(() => 0);
        let picture = 0;
        for (const event of list) {
            while (picture < ends.length && event.ts >= ends[picture]) {
                picture++;
            }
            if (picture < ends.length) {
                cpu[picture] += event.tdur ?? event.dur ?? 0;
            }
        }
        return cpu;
    };
    return { pictures: ends.length, own: figures(sums(own)), thread: figures(sums(tasks)) };
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {import('playwright-core').Page} page
 * @param {(step: number) => Promise<void>} move
 */
async function traced(browser, page, move) {
    await page.waitForTimeout(500);
    await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline', 'disabled-by-default-devtools.timeline'] });
    const until = Date.now() + Number(seconds) * 1000;
    for (let step = 0; Date.now() < until; step++) {
        await move(step);
    }
    const { traceEvents } = JSON.parse((await browser.stopTracing()).toString());
    return work(traceEvents);
}

const isAddress = /^https?:/.test(program);
const inPage = !isAddress && statSync(program).isDirectory();
const server = isAddress ? { address: program, close: () => {} } : inPage ? await serveSite(program, capture) : await serve();
const browser = await launch();
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } });
const began = Date.now();
page.setDefaultNavigationTimeout(300000);
await page.goto(`${server.address}${inPage ? `?file=${basename(capture)}` : ''}#links=${links}`);
await page.waitForFunction(() => Number(document.getElementById('timeline')?.dataset.drawn) > 0, null, { timeout: 300000 });
const drawnMs = Date.now() - began;
await page.keyboard.press('0');
await page.waitForTimeout(1500);
const box = await page.locator('#stage').boundingBox();
if (!box) {
    throw new Error('the timeline is not on screen');
}
const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
await page.mouse.move(middle.x, middle.y);
/** @type {Record<string, ReturnType<typeof work>>} */
const result = {};
// From the whole capture to single spans and back, as a wheel does it.
result.zoom = await traced(browser, page, (step) => page.mouse.wheel(0, step % 80 < 40 ? -120 : 120));
await page.keyboard.press('0');
await page.waitForTimeout(1500);
// The whole capture dragged to and fro; then a sixteenth of it.
const drag = async () => {
    await page.mouse.move(middle.x, middle.y);
    await page.mouse.down();
    const part = await traced(browser, page, (step) => page.mouse.move(middle.x + 300 * Math.sin(step / 12), middle.y));
    await page.mouse.up();
    return part;
};
result.pan_whole = await drag();
for (let i = 0; i < 14; i++) {
    await page.mouse.wheel(0, -120);
    await page.waitForTimeout(60);
}
await page.waitForTimeout(1000);
result.pan_part = await drag();
const drawn = await page.evaluate(() => { const { drawn, links: lines } = /** @type {HTMLElement} */ (document.getElementById('timeline')).dataset; return { boxes: Number(drawn), lines: Number(lines) }; });
console.log(JSON.stringify({ bench: 'zoom', home: inPage ? 'page' : 'server', links, capture_bytes: statSync(capture).size, first_timeline_ms: drawnMs, at_the_end: drawn, browser: `Chromium ${browser.version()}`, cpu: cpus()[0].model, cores: cpus().length,
    load: loadavg()[0], ...result }, null, 2));
await browser.close();
server.close();
