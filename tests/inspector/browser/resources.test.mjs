// SPDX-License-Identifier: MIT
/* The view of resources over the invented engine: figures, table, curves, sharing, keys, address. */

import assert from 'node:assert/strict';
import { declared } from '../mock/graph.mjs';
import { boxOf, waitAddress } from './browser.mjs';
import { scene } from './scene.mjs';
import { soon } from './soon.mjs';

const VIEW = { hash: '#view=resources' };

/** @param {import('playwright-core').Page} page */
async function drawn(page) {
    await page.waitForSelector('#view-resources tr[data-key]', { timeout: 60000 });
    await page.waitForFunction(() => [...document.querySelectorAll('#view-resources .chart')].every((chart) => Number(chart.dataset.drawn) > 0));
}

/** @param {number} bytes */
const mib = (bytes) => `${(bytes / 2 ** 20).toFixed(bytes >= 100 * 2 ** 20 ? 0 : 1)} MiB`;

scene('resources: the largest on top, with format, usage, lifetime and the passes at its ends', {}, async ({ page, shot }) => {
    await drawn(page);
    await soon.holds(async () => {
        const rows = await page.locator('#view-resources tr[aria-level="1"]').allInnerTexts();
        assert.equal(rows.length, 15);
        assert.match(rows[0], /shadow atlas 4 versions\s+64\.0 MiB\s+D32F\s+4096²\s+sampled, depth target\s+transient\s+cascade 0\s+clustered lights/);
        assert.match(rows.at(-1) ?? '', /scene geometry\s+unknown\s+–\s+buffer\s+indices, vertices\s+imported\s+none\s+g-buffer/);
    });
    const { total, peak, unknown } = declared(1);
    await soon.holds(async () => {
        const facts = await page.locator('#view-resources .facts').innerText();
        assert.match(facts, new RegExp(`peak at one time\\s+${mib(Number(peak))}\\s+at clustered lights, pass 11`), facts);
        assert.match(facts, new RegExp(`declared in all\\s+${mib(Number(total))}\\s+${unknown} of unknown size`), facts);
        assert.match(facts, /really in use\s+\d+ MiB\s+budget not recorded/);
        assert.match(facts, /largest transient\s+64\.0 MiB\s+shadow atlas, passes 3 to 11/);
    });
    await soon.holds(async () => {
        const bar = await page.locator('#view-resources tr[aria-level="1"] .life').first().evaluate((life) => {
            const [outer, inner] = [life.getBoundingClientRect(), life.querySelector('i').getBoundingClientRect()];
            return [(inner.left - outer.left) / outer.width, inner.width / outer.width];
        });
        assert.ok(Math.abs(bar[0] - 2 / 18) < 0.02 && Math.abs(bar[1] - 9 / 18) < 0.02, String(bar));
    });
    await shot('resources-dark');
}, VIEW);

scene('resources: columns sort, words filter, versions unfold, and the address keeps what it should', {}, async ({ page }) => {
    await drawn(page);
    await page.click('#view-resources th button[data-column="name"]');
    await page.waitForFunction(() => document.querySelector('#view-resources tr[aria-level="1"]')?.textContent?.includes('albedo'));
    await waitAddress(page, /rsort=name\.asc/);
    await page.keyboard.press('f');
    await page.keyboard.type('depth target');
    await page.waitForFunction(() => document.querySelectorAll('#view-resources tr[aria-level="1"]').length === 2);
    await soon.match(() => page.locator('#view-resources > .bar').innerText(), /2 of 15/);
    await waitAddress(page, /rfind=depth%20target/);
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => document.querySelectorAll('#view-resources tr[aria-level="1"]').length === 15);
    const atlas = page.locator('#view-resources tr[aria-level="1"]', { hasText: 'shadow atlas' });
    await soon.equal(() => atlas.getAttribute('aria-expanded'), 'false');
    await atlas.focus();
    await page.keyboard.press('ArrowRight');
    await page.waitForFunction(() => document.querySelectorAll('#view-resources tr[aria-level="2"]').length === 4);
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitAddress(page, /res=shadow%20atlas:1/);
    await soon.match(() => page.locator('#detail').innerText(), /shadow atlas\s+frame 80 · v1 of 4 versions · transient\s+64\.0 MiB declared/);
}, VIEW);

scene('resources: the curves tell of a pass and of a frame, choose them, and go along by key', {}, async ({ page, shot }) => {
    await drawn(page);
    const passes = page.locator('#view-resources .passes .chart');
    await soon.holds(async () => {
        const box = await boxOf(passes);
        await page.mouse.move(box.x + 1, box.y + box.height / 2);
        await page.mouse.move(box.x + 62 + ((box.width - 72) * 10.5) / 18, box.y + box.height / 2);
        assert.match(await page.locator('.tip:not([hidden])').innerText(), new RegExp(`lighting/ clustered lights\\s+pass 11 of 18\\s+${mib(Number(declared(1).peak))} declared alive, \\d+ resources\\s+64\\.0 MiB\\s+shadow atlas`));
    });
    await shot('resources-hover-dark');
    await page.mouse.down();
    await page.mouse.up();
    await waitAddress(page, /pass=10/);
    await page.waitForFunction(() => document.querySelector('#detail h2')?.textContent?.includes('clustered lights'));
    const frames = page.locator('#view-resources .frames .chart');
    await frames.focus();
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    const { total, peak } = declared(1);
    await soon.match(() => page.locator('.tip:not([hidden])').innerText(), new RegExp(`frame 118\\s+declared ${mib(Number(total))}\\s+declared at its peak ${mib(Number(peak))}\\s+in use \\d+ MiB\\s+budget not recorded`));
    await page.keyboard.press('Enter');
    await waitAddress(page, /frames=118:118/);
    await page.waitForFunction(() => /Frame 118/.test(document.querySelector('#view-resources > .bar')?.textContent ?? ''));
}, VIEW);

scene('resources: what could share memory is an estimate with its rule, and its members link', {}, async ({ page, shot }) => {
    await drawn(page);
    await page.click('#view-resources [role="radio"]:has-text("Could share memory")');
    await waitAddress(page, /rshow=sharing/);
    await soon.holds(async () => {
        const text = await page.locator('#view-resources .sharing').innerText();
        assert.match(text, /At most [\d.]+ [KM]iB less: \d+ transient resources declare/);
        assert.match(text, /An estimate from declared sizes/);
        assert.match(text, /2 that only culled passes use/);
        assert.match(text, /Block 1 [\d.]+ MiB in place of [\d.]+ MiB: [\d.]+ [KM]iB less/);
    });
    await shot('resources-sharing-dark');
    await page.click('#view-resources .sharing li .name button >> nth=1');
    await waitAddress(page, /res=/);
    await soon.match(() => page.locator('#detail').innerText(), /could share memory/i);
}, VIEW);

scene('resources: without a counter of memory nothing is said to be zero', { noMemory: true }, async ({ page }) => {
    await drawn(page);
    await soon.match(() => page.locator('#view-resources .facts').innerText(), /really in use\s+not recorded/);
    await soon.match(() => page.locator('#view-resources .memory-legend').innerText(), /real memory: not recorded\s+budget: not recorded/);
}, VIEW);

for (const [width, height, scheme, ratio] of /** @type {const} */ ([[1280, 720, 'light', 1], [3840, 2160, 'dark', 1]])) {
    scene(`resources: nothing collides at ${width} x ${height}, ${scheme}`, {}, async ({ page, rest, shot }) => {
        await drawn(page);
        await rest();
        await soon.holds(async () => {
            const bad = await page.evaluate(() => {
                const view = document.getElementById('view-resources');
                const box = view.getBoundingClientRect();
                const outside = [...view.querySelectorAll('.facts, .chart, .bar, .list')].filter((part) => {
                    const at = part.getBoundingClientRect();
                    return at.height > 0 && (at.right > box.right + 1 || at.bottom > box.bottom + 1);
                }).map((part) => part.className);
                const cells = [...view.querySelectorAll('tr[aria-level="1"] td:nth-child(2)')].filter((cell) => cell.scrollWidth > cell.clientWidth + 1).map((cell) => cell.textContent);
                const pictures = [...view.querySelectorAll('.chart')].filter((chart) => {
                    const [at, picture] = [chart.getBoundingClientRect(), chart.querySelector('canvas').getBoundingClientRect()];
                    return Math.abs(at.width - picture.width) > 1 || Math.abs(at.height - picture.height) > 1;
                }).map((chart) => `${chart.parentElement.className} is drawn at another size`);
                return [...outside, ...cells, ...pictures];
            });
            assert.deepEqual(bad, []);
        });
        await shot(`resources-${width}-${scheme}`);
    }, { ...VIEW, width, height, scheme, ratio });
}
