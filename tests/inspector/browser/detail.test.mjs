// SPDX-License-Identifier: MIT
/* The panel over the invented engine: a pass with and without a span, a resource, and the links between them. */

import assert from 'node:assert/strict';
import { waitAddress } from './browser.mjs';
import { scene } from './scene.mjs';
import { soon } from './soon.mjs';

/** @param {import('playwright-core').Page} page @param {RegExp} pattern */
async function panelSays(page, pattern) {
    await page.waitForFunction((source) => new RegExp(source).test(document.getElementById('detail')?.innerText ?? ''), pattern.source, { timeout: 60000 });
    return page.locator('#detail').innerText();
}

scene('a pass links to what it reads and who wrote that, and says why it is slower', {}, async ({ page, shot }) => {
    await soon.holds(async () => {
        const text = await panelSays(page, /Why it is slower than in frame 79/i);
        assert.match(text, /frame 80 › geometry › g-buffer/);
        assert.match(text, /Reads\s+scene geometry v0 buffer\s+unknown\s+imported: from outside of the frame graph/);
        assert.match(text, /depth v0 D32F 1600×900\s+5\.5 MiB\s+written by prepass/);
        assert.match(text, /normals v0 RG16F 1600×900\s+5\.5 MiB\s+read by ambient occlusion, clustered lights/);
        assert.match(text, /workgroup size\s+unknown/);
        assert.match(text, /depth D32_SFLOAT\s+clear → store/);
    });
    await shot('detail-pass-dark');
    await page.click('#detail .who .pass-link:has-text("cull instances")');
    await waitAddress(page, /pass=6/);
    await panelSays(page, /frame 80 › geometry › cull instances/);
}, { hash: '#view=resources&frames=80:80&pass=7' });

scene('a culled pass has no time and says why; its resource says who uses it', {}, async ({ page, shot }) => {
    await soon.holds(async () => {
        const text = await panelSays(page, /Culled: what it makes/);
        assert.match(text, /frame 80 › hud › debug lines/);
        assert.match(text, /read only by 1 pass that was culled too/);
        assert.match(text, /No frame of the capture has a time of it/);
        assert.doesNotMatch(text, /\b0(\.0+)? (ms|ns)\b/);
    });
    await shot('detail-culled-dark');
    await page.click('#detail .use .link:has-text("debug picture v0")');
    await waitAddress(page, /res=debug%20picture:0/);
    await soon.match(() => panelSays(page, /only culled passes use it/), /written by debug lines\s+read by debug overlay/);
}, { hash: '#view=resources&frames=80:80&pass=16' });

scene('a resource shows its chain of versions with every writer and reader, and what could share its memory', {}, async ({ page, shot }) => {
    await soon.holds(async () => {
        const text = await panelSays(page, /v1 of 2 versions/);
        assert.match(text, /1\.4 MiB declared\s+1,440,000 B declared by the graph, not measured/);
        assert.match(text, /v0\s+written by ambient occlusion\s+read by ao blur\s+v1\s+written by ao blur\s+read by clustered lights/);
        assert.match(text, /3 passes of 18, from ambient occlusion to clustered lights/);
    });
    await soon.equal(() => page.locator('#detail .chain [aria-current="true"]').innerText().then((line) => line.split('\n')[0]), 'v1');
    await shot('detail-resource-dark');
    await page.focus('#detail .chain .link');
    await page.keyboard.press('Enter');
    await waitAddress(page, /res=ao:0/);
    await page.click('#detail .close');
    await page.waitForFunction(() => !location.hash.includes('res='));
}, { hash: '#view=resources&frames=80:80&res=ao:1' });

scene('what another frame graph does not have is said, not guessed', {}, async ({ page }) => {
    await panelSays(page, /The frame graph of frame 10 does not have this resource/);
    await page.evaluate(() => { location.hash = '#view=resources&frames=10:10&pass=4000'; });
    await panelSays(page, /The frame graph of frame 10 does not have this pass/);
}, { hash: '#view=resources&frames=10:10&res=sharpened:3', width: 1920, height: 1080, scheme: 'light' });
