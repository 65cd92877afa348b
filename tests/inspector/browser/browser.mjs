// SPDX-License-Identifier: MIT
/* A page in a real browser, watched: whatever it complains about or asks for elsewhere fails the test. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const CANDIDATES = [process.env.FG_CHROMIUM, '/usr/bin/chromium-headless-shell', '/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const SHOTS = process.env.FG_SHOTS ?? '';

/** @returns {string} */
function browserPath() {
    const found = CANDIDATES.find((path) => path && existsSync(path));
    assert.ok(found, 'no Chromium found: install the package chromium or set FG_CHROMIUM');
    return found;
}

export function launch() {
    return chromium.launch({ executablePath: browserPath(), args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

/**
 * @param {import('playwright-core').Browser} browser
 * @param {string} address
 * @param {{ width?: number, height?: number, scheme?: 'dark' | 'light', ratio?: number, reducedMotion?: 'reduce' | 'no-preference', expectPolicy?: boolean }} [options] expectPolicy: the test breaks the policy itself
 */
export async function openPage(browser, address, options = {}) {
    const context = await browser.newContext({
        viewport: { width: options.width ?? 1280, height: options.height ?? 720 },
        colorScheme: options.scheme ?? 'dark',
        deviceScaleFactor: options.ratio ?? 1,
        reducedMotion: options.reducedMotion ?? 'reduce',
    });
    const page = await context.newPage();
    const complaints = [];
    page.on('console', (message) => {
        // The software renderer of the test browser tells of its own slowness when a screenshot reads it back.
        const ours = options.expectPolicy && /Content Security Policy|^policy: /.test(message.text());
        if (message.type() !== 'log' && !ours && !/GPU stall due to ReadPixels/.test(message.text())) {
            complaints.push(`${message.type()}: ${message.text()}`);
        }
    });
    page.on('pageerror', (error) => complaints.push(`exception: ${error.stack}`));
    page.on('requestfailed', (request) => {
        // A page that begins anew leaves what it was still loading.
        if (request.failure()?.errorText !== 'net::ERR_ABORTED') {
            complaints.push(`failed: ${request.url()}`);
        }
    });
    page.on('request', (request) => {
        const { hostname, protocol } = new URL(request.url());
        if (hostname !== '127.0.0.1' || protocol !== 'http:') {
            complaints.push(`asked elsewhere: ${request.url()}`);
        }
    });
    await page.addInitScript(() => {
        document.addEventListener('securitypolicyviolation', (event) => console.error(`policy: ${event.violatedDirective} ${event.blockedURI}`));
    });
    await page.goto(address);
    return {
        page,
        complaints,
        /** The trace is there and the timeline was drawn. */
        async ready() {
            await page.waitForSelector('#strip[data-drawn="trace"]', { timeout: 60000 });
            await page.waitForFunction(() => Number(document.getElementById('timeline')?.dataset.drawn) > 0, null, { timeout: 60000 });
        },
        /** @param {string} name kept in the build folder */
        async shot(name) {
            if (SHOTS) {
                mkdirSync(SHOTS, { recursive: true });
                await page.screenshot({ path: join(SHOTS, `${name}.png`) });
            }
        },
        async close() {
            await context.close();
            assert.deepEqual(complaints, []);
        },
    };
}

/** Fragment of the address, once it says what is expected. @param {import('playwright-core').Page} page @param {RegExp} pattern */
export async function waitAddress(page, pattern) {
    await page.waitForFunction((source) => new RegExp(source).test(location.hash), pattern.source, { timeout: 15000 });
    return page.evaluate(() => location.hash);
}

/**
 * Where an element is: of one that is drawn anew between being found and being measured, the next one.
 * @param {import('playwright-core').Locator} locator
 */
export async function boxOf(locator) {
    for (let i = 0; i < 20; i++) {
        const box = await locator.boundingBox();
        if (box) {
            return box;
        }
        await locator.page().waitForTimeout(50);
    }
    assert.fail(`${locator} has no box`);
}

/** The window of the address: start and length in ns. @param {import('playwright-core').Page} page */
export async function shownWindow(page) {
    let hash = await waitAddress(page, /t=/);
    // The address follows with a delay: it counts once it stays the same.
    for (let before = ''; before !== hash;) {
        before = hash;
        await page.waitForTimeout(400);
        hash = await page.evaluate(() => location.hash);
    }
    const match = /t=(-?\d+)\+([\d.]+)/.exec(hash);
    assert.ok(match, hash);
    return { startNs: BigInt(match[1]), lengthNs: Number(match[2]) };
}

/** Move over the timeline until the tip says what is looked for. @param {import('playwright-core').Page} page @param {RegExp} pattern @param {number} [from] share of the height, to begin there */
export async function hoverFor(page, pattern, from = 0) {
    const box = await boxOf(page.locator('#stage'));
    assert.ok(box);
    for (let y = Math.max(45, from * box.height); y < box.height; y += 9) {
        for (let x = 4; x < box.width; x += box.width / 70) {
            await page.mouse.move(box.x + x, box.y + y);
            const said = await page.locator('.tip:not([hidden])').allInnerTexts();
            if (said.some((text) => pattern.test(text))) {
                return { x: box.x + x, y: box.y + y, text: said.join('\n') };
            }
        }
    }
    assert.fail(`nothing on the timeline says ${pattern}`);
}
