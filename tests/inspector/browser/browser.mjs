// SPDX-License-Identifier: MIT
/* A page in a real browser, watched: whatever it complains about or asks for elsewhere fails the test. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { leavePage, takePage } from './pages.mjs';
import { soon } from './soon.mjs';

/** @typedef {import('playwright-core').Page} Page */

const CANDIDATES = [process.env.FG_CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SHOTS = process.env.FG_SHOTS ?? '';
/** For one thing that is waited for: only what never comes meets it. */
const LIMIT_MS = 60000;
/** Longer than the page puts anything off: the address is written a quarter of a second late. */
const QUIET_MS = 300;
/** What the browser complains of where a test breaks the page's policy itself. */
export const POLICY_BROKEN = /^\w+: .*Content Security Policy|^error: policy: /;

/** @returns {string} */
function browserPath() {
    const found = CANDIDATES.find((path) => path && existsSync(path));
    assert.ok(found, 'no Chromium found: install the package chromium or set FG_CHROMIUM');
    return found;
}

export function launch() {
    return chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/** Hears what a page complains of and what it waits for. @param {Page} page @param {RegExp} [expected] complaints that are the test's own doing */
function watch(page, expected) {
    /** @type {string[]} */
    const complaints = [];
    /** @param {string} text */
    const complain = (text) => {
        if (!expected?.test(text)) {
            complaints.push(text);
        }
    };
    /** @type {Set<import('playwright-core').Request>} */
    const waiting = new Set();
    page.on('request', (request) => {
        if (request.isNavigationRequest()) {
            waiting.clear(); // Whoever asked for the rest is gone.
        }
        waiting.add(request);
        const { hostname, protocol } = new URL(request.url());
        if (hostname !== '127.0.0.1' || protocol !== 'http:') {
            complain(`asked elsewhere: ${request.url()}`);
        }
    });
    page.on('requestfinished', (request) => waiting.delete(request));
    page.on('requestfailed', (request) => {
        waiting.delete(request);
        // A page that begins anew leaves what it was still loading.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') {
            complain(`failed: ${request.url()}`);
        }
    });
    page.on('console', (message) => {
        // The software renderer of the test browser tells of its own slowness when a screenshot reads it back.
        if (message.type() !== 'log' && !/GPU stall due to ReadPixels/.test(message.text())) {
            complain(`${message.type()}: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => complain(`exception: ${error.stack}`));
    return { complaints, waiting };
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @param {{ width?: number, height?: number, scheme?: 'dark' | 'light', ratio?: number, reducedMotion?: 'reduce' | 'no-preference', expected?: RegExp, before?: () => void }} [options] expected: complaints that are the test's own doing, whenever they come; before: runs in the page, before its own code
 */
export async function openPage(browser, address, options = {}) {
    const { ratio = 1, before } = options;
    const page = await takePage(browser, { ratio, before });
    page.context().setDefaultTimeout(LIMIT_MS);
    await page.setViewportSize({ width: options.width ?? 1280, height: options.height ?? 720 });
    await page.emulateMedia({ colorScheme: options.scheme ?? 'dark', reducedMotion: options.reducedMotion ?? 'reduce', contrast: null });
    const { complaints, waiting } = watch(page, options.expected);
    await page.goto(address);
    return {
        page,
        complaints,
        /** The trace is there and the timeline was drawn. */
        async ready() {
            await page.waitForSelector('#strip[data-drawn="trace"]');
            await page.waitForFunction(() => Number(document.getElementById('timeline')?.dataset.drawn) > 0);
        },
        /** Nothing is asked for and nothing changes any more: for what is drawn anew under the hand until then, and for what must not be there. */
        async rest() {
            await soon.holds(async () => {
                const quietMs = await page.evaluate(() => performance.now() - /** @type {any} */ (globalThis).lastChange.ms);
                assert.ok(waiting.size === 0 && quietMs >= QUIET_MS, `${waiting.size} requests, the last change ${quietMs} ms ago`);
            });
        },
        /** @param {string} name kept in the build folder */
        async shot(name) {
            if (SHOTS) {
                mkdirSync(SHOTS, { recursive: true });
                await page.screenshot({ path: join(SHOTS, `${name}.png`) });
            }
        },
        async close() {
            await leavePage(browser, page, { ratio, before });
            assert.deepEqual(complaints, []);
        },
    };
}

/** Fragment of the address, once it says what is expected. @param {import('playwright-core').Page} page @param {RegExp} pattern */
export async function waitAddress(page, pattern) {
    const found = await page.waitForFunction((source) => (new RegExp(source).test(location.hash) ? { hash: location.hash } : null), pattern.source);
    return (await found.jsonValue())?.hash ?? '';
}

/**
 * Where an element is, once it stays there: of one that is drawn anew between being found and being measured, the next one.
 * @param {import('playwright-core').Locator} locator
 */
export function boxOf(locator) {
    return soon.holds(async () => {
        const before = await locator.boundingBox();
        await locator.page().evaluate(() => new Promise((done) => { requestAnimationFrame(done); }));
        const box = await locator.boundingBox();
        assert.ok(box, `${locator} has no box`);
        assert.deepEqual(box, before, `${locator} moves`);
        return box;
    });
}

/** The window that an address tells: start and length in ns. @param {string} hash */
export function windowOf(hash) {
    const match = /t=(-?\d+)\+([\d.]+)/.exec(hash);
    assert.ok(match, hash);
    return { startNs: BigInt(match[1]), lengthNs: Number(match[2]) };
}

/** The window of the address, once it tells one. @param {import('playwright-core').Page} page */
export async function shownWindow(page) {
    let hash = await waitAddress(page, /t=/);
    // The address follows with a delay: it counts once it stays the same.
    for (let before = ''; before !== hash;) {
        before = hash;
        await page.waitForTimeout(400);
        hash = await page.evaluate(() => location.hash);
    }
    return windowOf(hash);
}

/** Runs in the page: the first place of a grid where a tip says something. @param {{ left: number, top: number, right: number, bottom: number, stepX: number, stepY: number, source: string }} grid */
function searchTips({ left, top, right, bottom, stepX, stepY, source }) {
    const stage = /** @type {HTMLElement} */ (document.getElementById('stage'));
    const pattern = new RegExp(source);
    let found = null;
    for (let y = top; y < bottom && !found; y += stepY) {
        for (let x = left; x < right && !found; x += stepX) {
            stage.dispatchEvent(new PointerEvent('pointermove', { clientX: x, clientY: y, bubbles: true }));
            const tips = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.tip:not([hidden])')]);
            found = tips.some((tip) => pattern.test(tip.innerText)) ? { x, y } : null;
        }
    }
    stage.dispatchEvent(new PointerEvent('pointerleave'));
    return found;
}

/**
 * Put the pointer where the tip of the timeline says what is looked for. The page is searched with events made there, thousands
 * in one go; then the pointer itself goes to the place, and has to be told the same.
 * @param {import('playwright-core').Page} page
 * @param {() => Promise<{ left: number, top: number, right: number, bottom: number, stepX: number, stepY: number }>} gridOf
 * @param {RegExp} pattern without flags
 */
export function pointFor(page, gridOf, pattern) {
    return soon.holds(async () => {
        const grid = await gridOf();
        const place = await page.evaluate(searchTips, { ...grid, source: pattern.source });
        assert.ok(place, `nothing on the timeline says ${pattern}`);
        await page.mouse.move(place.x < grid.left + 2 ? place.x + 1 : place.x - 1, place.y);
        await page.mouse.move(place.x, place.y);
        const text = (await page.locator('.tip:not([hidden])').allInnerTexts()).join('\n');
        assert.match(text, pattern, 'the pointer itself');
        return { ...place, text };
    });
}

/** Move over the timeline until the tip says what is looked for. @param {import('playwright-core').Page} page @param {RegExp} pattern @param {number} [from] share of the height, to begin there */
export function hoverFor(page, pattern, from = 0) {
    return pointFor(page, async () => {
        const box = await boxOf(page.locator('#stage'));
        return { left: box.x + 4, top: box.y + Math.max(45, from * box.height), right: box.x + box.width, bottom: box.y + box.height, stepX: box.width / 70, stepY: 9 };
    }, pattern);
}
