// SPDX-License-Identifier: MIT
/* The page as a user meets it: the program's own server, a recorded capture, and figures that agree with the command line. */

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { hoverFor, launch, openPage, POLICY_BROKEN, shownWindow, waitAddress } from './browser.mjs';
import { ask, demoCapture, noProgram, serve } from './server.mjs';
import { soon } from './soon.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {{ address: string, close: () => void }} */
let server;
let capture = '';
before(async () => {
    if (!noProgram) {
        capture = demoCapture();
        server = await serve(capture);
        browser = await launch();
    }
}, { timeout: 450000 });
after(async () => {
    await browser?.close();
    server?.close();
});

/** @param {string} name @param {(tools: Awaited<ReturnType<typeof openPage>>) => Promise<void>} body @param {object} [view] */
function scene(name, body, view = {}) {
    test(name, { timeout: 180000, skip: noProgram }, async () => {
        const tools = await openPage(browser, server.address + (view.hash ?? ''), view);
        try {
            await body(tools);
        } finally {
            await tools.close();
        }
    });
}

const BOUND = { null: 'cannot be told', cpu: 'CPU-bound', gpu: 'GPU-bound', present: 'present-bound', balanced: 'balanced', mixed: 'mixed' };
/** The page's words for what the command line says. */
const boundBy = ({ verdict, basis, inferred }) => `${BOUND[verdict]}${basis === 'inferred' || inferred ? ' (inferred)' : ''}`;
const plain = (text) => Number(text.replaceAll(',', ''));

test('the strip comes from the directory, before the trace is loaded', { timeout: 180000, skip: noProgram }, async () => {
    // A server of its own: a trace that another page has loaded would be there at once.
    const fresh = await serve(capture);
    const context = await browser.newContext({ viewport: { width: 1280, height: 720 } });
    const page = await context.newPage();
    await page.addInitScript(() => {
        window.drawn = [];
        new MutationObserver(() => {
            const now = document.getElementById('strip')?.dataset.drawn;
            if (now && window.drawn.at(-1) !== now) {
                window.drawn.push(now);
            }
        }).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-drawn'] });
    });
    await page.goto(fresh.address);
    await page.waitForSelector('#strip[data-drawn="trace"]', { timeout: 60000 });
    await soon.deepEqual(() => page.evaluate(() => window.drawn), ['directory', 'trace']);
    await context.close();
    fresh.close();
});

scene('the frame that hitches is the first look, and its figures are those of the command line', async ({ page, ready, shot }) => {
    await ready();
    const { rows } = ask('frames', capture, '--json');
    const settled = rows.slice(5); // the first frames warm up
    const hitch = settled.reduce((worst, row) => (row.gpu_ns > worst.gpu_ns ? row : worst));
    assert.equal(hitch.frame, 80);
    await page.keyboard.press('.');
    await page.keyboard.press(',');
    await waitAddress(page, /frames=80:80/);
    // A busy machine draws it in seconds.
    const length = hitch.gpu_ns < 1e9 ? `${(hitch.gpu_ns / 1e6).toFixed(3)} ms` : `${(hitch.gpu_ns / 1e9).toFixed(3)} s`;
    await soon.holds(async () => {
        const detail = await page.locator('#detail').innerText();
        assert.match(detail, /Frame 80/);
        assert.ok(detail.includes(`${length} GPU`), detail.slice(0, 300));
        assert.ok(detail.includes(boundBy(hitch)), detail.slice(0, 300));
    });
    await soon.holds(async () => {
        await page.locator('#strip .stage').hover({ position: { x: 96 + ((80.5) * (1280 - 204)) / rows.length, y: 40 } });
        const tip = await page.locator('.tip').innerText();
        assert.match(tip, /frame 80/);
        assert.equal(plain(/GPU ([\d,]+) ns/.exec(tip)?.[1] ?? ''), hitch.gpu_ns);
        assert.ok(tip.includes(hitch.verdict ? `\n${boundBy(hitch)}\nOf ` : '\nOf '), tip);
    });
    await shot('demo-frame-80-dark');
});

scene('statistics are those of the command line, for all frames and for a range', async ({ page, ready }) => {
    await ready();
    for (const [hash, words] of [['', []], ['#frames=70:79', ['--frames', '70:80']]]) {
        await page.evaluate((fragment) => { location.hash = fragment; }, hash);
        await page.waitForFunction((text) => document.querySelector('#stats .range')?.textContent === text, hash === '' ? 'all 100 frames' : 'frames 70 to 79');
        const { rows, verdict } = ask('stats', capture, '--by', 'name', '--json', ...words);
        const shares = ['CPU', 'GPU', 'present', 'balanced'].map((word) => [word, verdict[word.toLowerCase()]]).filter(([, count]) => count > 0);
        await soon.holds(async () => {
            const chip = page.locator('#stats .verdict');
            const words = boundBy({ ...verdict, inferred: verdict.inferred === verdict.told });
            assert.equal(await chip.innerText(), verdict.verdict ? words : `bound by: ${words}`);
            const reason = verdict.told > 0 ? `${words}: ${shares.map((part) => part.join(' ')).join(', ')} of ${verdict.told} frames.` : `${words}.`;
            assert.ok((await chip.getAttribute('title')).startsWith(reason), reason);
        });
        const top = rows[0];
        await page.waitForFunction(([name, count]) => {
            const row = document.querySelector('#stats tbody tr[data-name]');
            return row?.dataset.name === name && row.children[2].textContent === count;
        }, [top.name, String(top.count)]);
        await soon.holds(async () => {
            const unit = /\b(s|ms|µs)\b/.exec(await page.locator('#stats th button[data-column="total"]').innerText())?.[1] ?? '';
            // From 1,000 on a column has one digit less: a slow machine gets there.
            const text = await page.locator('#stats tbody tr[data-name] td').nth(3).innerText();
            const digits = text.split('.')[1].length;
            assert.ok(digits >= 2, text);
            assert.equal(plain(text).toFixed(digits), (top.total_ns / { s: 1e9, ms: 1e6, µs: 1e3 }[unit]).toFixed(digits));
        });
    }
    await soon.match(() => page.locator('#stats .note').innerText(), /On a coarse clock judge the median/);
});

scene('a pass tells its work, pipeline, attachments and resources, and never an unknown as zero', async ({ page, ready, rest, shot }) => {
    await ready();
    const { x, y, text } = await hoverFor(page, /^g-buffer/);
    const length = plain(/\n([\d,]+) ns/.exec(text)?.[1] ?? '');
    await page.mouse.click(x, y);
    await page.waitForFunction(() => /Sizes as declared/.test(document.getElementById('detail')?.innerText ?? ''));
    await soon.holds(async () => {
        const detail = await page.locator('#detail').innerText();
        assert.match(detail, new RegExp(`${length.toLocaleString('en-US')} ns`));
        assert.match(detail, /frame 80 › geometry › g-buffer/);
        for (const part of [/\nWork encoded\n/, /draw calls\n\d+/, /\nAttachments\n/, /RGBA16F/, /\nReads\n/, /written by depth late/, /\nWrites\n/, /Waited on/]) {
            assert.match(detail, part);
        }
    });
    await rest(); // A panel that is drawn anew folds what was unfolded.
    await page.locator('#detail details summary').first().click();
    await soon.match(() => page.locator('#detail').innerText(), /draw indexed indirect unknown/);
    await soon.equal(() => page.locator('#detail dt').evaluateAll((list) => list.filter((item) => item.textContent.trim() === '' || item.textContent.startsWith(' (')).length), 0, 'no key is empty');
    await shot('demo-selection-dark');
});

scene('search, zoom, fold and address work on a recorded capture too', async ({ page, ready, shot }) => {
    await ready();
    await page.locator('#find').fill('bloom');
    await page.waitForFunction(() => /^\d[\d,]* spans?$/.test(document.querySelector('.found')?.textContent ?? ''));
    await page.locator('#find').press('Enter');
    await waitAddress(page, /span=\d+.*find=bloom/);
    await page.waitForFunction(() => /bloom/.test(document.querySelector('#detail h2')?.textContent ?? ''));
    await shot('demo-search-dark');
    await page.locator('#find').press('Escape');
    await page.locator('.head').first().click();
    await waitAddress(page, /fold=\d+/);
    await page.locator('#stage').focus();
    await page.keyboard.press('w'); // the hit may have been in sight: only now is there a window in the address
    const before = await shownWindow(page);
    await page.keyboard.press('w');
    await page.waitForFunction((length) => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) < length, before.lengthNs);
    await page.keyboard.press('0');
    const all = ask('info', capture, '--json');
    await page.waitForFunction((length) => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) > length, (all.end_ns - all.start_ns) * 0.99);
    await shot('demo-whole-dark');
    const hash = await waitAddress(page, /fold=\d+/);
    const again = await openPage(browser, server.address + hash);
    await again.ready();
    await soon.equal(() => again.page.locator('.head').first().getAttribute('aria-expanded'), 'false');
    await again.close();
});

scene('the clock, the losses and the level are in sight', async ({ page, ready }) => {
    await ready();
    const info = ask('info', capture, '--json');
    const lost = Object.values(info.dropped).reduce((sum, count) => sum + count, 0);
    await soon.holds(async () => {
        const text = (await page.locator('.badges .badge').evaluateAll((list) => list.map((badge) => badge.ariaLabel ?? ''))).join('\n');
        assert.match(text, /GPU clock (calibrated|nominal)/);
        assert.match(text, new RegExp(`lost ${lost}`));
        assert.match(text, /workload level/);
    });
});

scene('the page obeys its own content security policy', async ({ page, ready }) => {
    await ready();
    const blocked = await page.evaluate(() => new Promise((done) => {
        document.addEventListener('securitypolicyviolation', (event) => done(event.violatedDirective), { once: true });
        const script = document.createElement('script');
        script.textContent = 'window.injected = true';
        document.head.appendChild(script);
        setTimeout(() => done('nothing was blocked'), 20000);
    }));
    assert.match(blocked, /^script-src/);
    assert.equal(await page.evaluate(() => 'injected' in window), false);
}, { expected: POLICY_BROKEN });

test('a capture that was cut in the middle is shown as far as it goes, and says so', { timeout: 180000, skip: noProgram }, async () => {
    const cut = join(process.env.FG_WORK ?? '/tmp', 'cut.sgpt');
    copyFileSync(capture, cut);
    const bytes = readFileSync(capture);
    writeFileSync(cut, bytes.subarray(0, Math.floor(bytes.length * 0.6)));
    const own = await serve(cut);
    const tools = await openPage(browser, own.address);
    try {
        await readDamage(tools);
    } finally {
        own.close();
    }
    await tools.close();
});

/** @param {Awaited<ReturnType<typeof openPage>>} tools */
async function readDamage(tools) {
    await tools.ready();
    await soon.match(() => tools.page.locator('.badges').innerText(), /defect|repair|not closed|recovered/);
    await tools.rest();
    await tools.page.locator('.badge.alert, .badge.alarm').last().click();
    await soon.holds(async () => {
        const told = await tools.page.locator('#views').innerText();
        assert.match(told, /short record/);
        assert.match(told, /found by reading the whole file/);
    });
    await tools.shot('cut-dark');
}

scene('light, and very large', async ({ page, ready, shot }) => {
    await ready();
    await hoverFor(page, /^g-buffer/);
    await shot('demo-light-4k');
}, { scheme: 'light', width: 3840, height: 2160 });
