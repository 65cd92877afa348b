// SPDX-License-Identifier: MIT
/* What a program says of itself, over the invented engine: threads and zones, markers, losses, metrics, live resources. */

import assert from 'node:assert/strict';
import { LEAK_BYTES } from '../mock/diagnostics.mjs';
import { HITCH_FRAME, FRAME_COUNT } from '../mock/trace.mjs';
import { boxOf, pointFor, waitAddress } from './browser.mjs';
import { scene } from './scene.mjs';
import { soon } from './soon.mjs';

const TOLD = { diagnostics: true };

/** The table of a view is in sight and holds so many rows. @param {import('playwright-core').Page} page @param {string} view @param {number} rows */
async function rowsDrawn(page, view, rows) {
    await page.waitForFunction(([name, count]) => {
        const root = document.getElementById(`view-${name}`);
        return root?.dataset.drawn === count && root.checkVisibility();
    }, [view, String(rows)], { timeout: 60000 });
}

/** Texts of the rows in sight. @param {import('playwright-core').Page} page @param {string} view */
const rowTexts = (page, view) => page.locator(`#view-${view} tbody tr[data-key]`).allInnerTexts();

/** Pixels between two looks: no flag, and no mark of a loss, is narrower. */
const STEP = 8;
const HEAD_PX = 23;
const ROW_PX = 18;

/**
 * Move along a track until the tip says what is looked for: in the band with its name (-1), or in a lane.
 * @param {import('playwright-core').Page} page @param {string} track @param {number} depth @param {RegExp} pattern
 */
function along(page, track, depth, pattern) {
    return pointFor(page, async () => {
        const head = await boxOf(page.locator('.heads .head', { hasText: track }));
        const stage = await boxOf(page.locator('#stage'));
        const y = depth < 0 ? head.y + HEAD_PX / 2 : head.y + HEAD_PX + (depth + 0.5) * ROW_PX;
        return { left: stage.x + 2, top: y, right: stage.x + stage.width, bottom: y + 1, stepX: STEP, stepY: 1 };
    }, pattern);
}

scene('threads stand beside the queues with their names; a zone that was ended by force says so, in words', TOLD, async ({ page, ready, shot }) => {
    await ready();
    await soon.holds(async () => {
        const heads = await page.locator('.heads .head .name').allInnerTexts();
        assert.deepEqual(heads.slice(0, 6), ['Graphics queue', 'Async compute', 'Render thread', 'Game thread', 'Worker 1', 'Loader']);
    });
    const { x, y } = await along(page, 'Game thread', 2, /physics step[^]*at least [\d,]+ ns\nended by force: a zone around it ended first/);
    await page.mouse.click(x, y);
    await page.waitForFunction(() => /physics step/.test(document.querySelector('#detail h2')?.textContent ?? ''));
    await soon.holds(async () => {
        const detail = await page.locator('#detail').innerText();
        assert.match(detail, /Ended by force: a zone around it ended first, and that end is drawn/);
        assert.doesNotMatch(detail, /No end was recorded/);
        assert.match(detail, /end\s+unknown/);
    });
    await shot('diagnostics-timeline-dark');
});

scene('a zone that never ended is told apart from one that was ended by force', TOLD, async ({ page, ready }) => {
    await ready();
    const { x, y, text } = await along(page, 'Loader', 0, /load next level[^]*no end was recorded/);
    assert.doesNotMatch(text, /by force/);
    await page.mouse.click(x, y);
    await page.waitForFunction(() => /No end was recorded/.test(document.getElementById('detail')?.textContent ?? ''));
}, { hash: `#frames=${FRAME_COUNT - 1}:${FRAME_COUNT - 1}&fold=0,1,2,3,4` });

scene('a marker is a flag with its value; too many are counted, and zooming in tells each', { ...TOLD, manyMarkers: true }, async ({ page, ready, shot }) => {
    await ready();
    await along(page, 'Game thread', -1, /^entities\n1,080\nat [\d,]+ ns/);
    await along(page, 'Worker 1', -1, /\d+ markers[^]*(packet|more: zoom in for each)/);
    await page.keyboard.press('0');
    await page.waitForFunction(() => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) > 1.9e9);
    await along(page, 'Worker 1', -1, /[\d,]+ markers[^]*packet\nnames of the first ones only/);
    await shot('diagnostics-many-markers-dark');
});

scene('losses stand where they were noticed, add up when one zooms out, and are in the name of the track', TOLD, async ({ page, ready, shot }) => {
    await ready();
    await soon.match(() => page.locator('.heads .head', { hasText: 'Worker 1' }).innerText(), /−1,519/);
    await soon.match(async () => await page.locator('.heads .head', { hasText: 'Worker 1' }).getAttribute('title') ?? '', /1,519 events of it lost, at 3 places\. A missing event is no proof/);
    await along(page, 'Worker 1', -1, /1,500 events lost\nbefore this time, on Worker 1: spans and markers are missing/);
    await page.keyboard.press('0');
    await page.waitForFunction(() => Number(/\+([\d.]+)/.exec(location.hash)?.[1]) > 1.9e9);
    await along(page, 'Worker 1', -1, /1,507 events lost[^]*at 2 places here/);
    await shot('diagnostics-losses-dark');
    // From the keyboard: the next place, and the one before it.
    await page.keyboard.press('j');
    await page.waitForFunction(() => /events? lost on (Worker 1|Loader)/.test(document.getElementById('live')?.textContent ?? ''));
    const first = await page.locator('#live').textContent();
    await page.keyboard.press('Shift+J');
    await page.waitForFunction((text) => document.getElementById('live')?.textContent !== text && /lost on/.test(document.getElementById('live')?.textContent ?? ''), first);
});

scene('the six counters of losses stand beside the views that could lack something, and lead to where it is told', TOLD, async ({ page, ready, shot }) => {
    await ready();
    for (const [key, root] of [['1', '#stats'], ['8', '#view-metrics'], ['9', '#view-live']]) {
        await page.keyboard.press(key);
        await page.waitForSelector(`${root} .losses-line:visible`);
        await soon.match(() => page.locator(`${root} .losses-line`).innerText(), /1,522 dropped\s+0 overwritten\s+4 before the start\s+2 malformed zones\s+0 malformed frames\s+1 failed sources/);
    }
    await page.locator('#view-live .losses-line button').click();
    await waitAddress(page, /view=capture/);
    const card = page.locator('#about-losses');
    await card.waitFor();
    await soon.match(() => card.innerText(), /Worker 1\s+1,519\s+3[\s\S]*A missing event is no proof/);
    await shot('diagnostics-capture-dark');
    await card.locator('button', { hasText: 'Worker 1' }).click();
    await waitAddress(page, /^(?!.*view=)/);
});

scene('a capture that says nothing of losses shows no counters of them', {}, async ({ page, ready, rest }) => {
    await ready();
    await page.waitForSelector('#stats tbody tr[data-name]');
    await rest();
    assert.equal(await page.locator('#stats .losses-line').isVisible(), false);
    await page.keyboard.press('8');
    await soon.match(async () => (await rowTexts(page, 'metrics'))[0], /GPU memory\s+\d+ MiB\s+\d+ MiB\s+\d+ MiB\s+120\s+–\s+bytes\s+–/);
    await rest();
    assert.equal(await page.locator('#view-metrics .losses-line').isVisible(), false);
    await page.keyboard.press('9');
    await page.waitForFunction(() => /says of none that it made it/.test(document.querySelector('#view-live .empty')?.textContent ?? ''));
});

scene('metrics: name, value, unit, kind and accuracy; a dash where nothing was published; sorted and filtered, in the address', TOLD, async ({ page, shot }) => {
    await rowsDrawn(page, 'metrics', 10);
    await page.waitForFunction(() => document.querySelectorAll('#view-metrics svg.curve').length === 8);
    await soon.holds(async () => {
        const rows = await rowTexts(page, 'metrics');
        assert.match(rows[0], /Audio\/AllocatedVoices\s+–\s+–\s+–\s+–\s+gauge\s+count\s+exact/);
        assert.match(rows.find((row) => row.includes('Runtime/WorkTime')) ?? '', /≈ 8\.\d+ ms\s+≈ 8\.\d+ ms\s+≈ 24\.\d+ ms\s+120\s+frame counter\s+ns\s+estimated/);
        assert.match(rows.find((row) => row.includes('GPU/Temperature')) ?? '', /–\s+–\s+–\s+–\s+gauge\s+count\s+unavailable/);
        assert.match(rows.find((row) => row.includes('Audio/VoiceCreations')) ?? '', /357\s+0\s+357\s+120\s+counter/);
    });
    await soon.match(() => page.locator('#view-metrics .note').innerText(), /2 metrics with a dash: never published, which is not 0/);
    await soon.equal(() => page.locator('#view-metrics tr[data-key="world/seed"] td:nth-child(2)').getAttribute('title'), '9,007,199,254,740,993', 'every digit');
    await shot('metrics-dark');
    await page.locator('#view-metrics th button', { hasText: 'value' }).click();
    await waitAddress(page, /msort=value\.desc/);
    await page.waitForFunction(() => document.querySelector('#view-metrics tbody tr[data-key]')?.getAttribute('data-key') === 'world/seed');
    await soon.match(async () => (await rowTexts(page, 'metrics')).at(-1) ?? '', /GPU\/Temperature/, 'without a value: last');
    await page.keyboard.press('f');
    await page.keyboard.type('frame counter');
    await rowsDrawn(page, 'metrics', 2);
    await waitAddress(page, /mfind=frame%20counter/);
    await page.keyboard.press('Escape');
    await rowsDrawn(page, 'metrics', 10);
}, { hash: '#view=metrics' });

scene('metrics: the chosen frames narrow the values', TOLD, async ({ page }) => {
    await rowsDrawn(page, 'metrics', 10);
    await page.waitForFunction(() => /values in frame 80/.test(document.querySelector('#view-metrics .bar')?.textContent ?? '')
        && /≈ 24\.\d+ ms\s*≈ 24/.test(document.querySelector('#view-metrics tr[data-key="Runtime/WorkTime"]')?.textContent ?? ''));
    await soon.match(async () => (await rowTexts(page, 'metrics')).find((row) => row.includes('Audio/VoiceCreations')) ?? '', /240\s+240\s+240\s+1\s+counter/);
    await page.locator('#view-metrics .bar .link').click();
    await page.waitForFunction(() => /357/.test(document.querySelector('#view-metrics tr[data-key="Audio/VoiceCreations"]')?.textContent ?? ''));
}, { hash: `#view=metrics&frames=${HITCH_FRAME}:${HITCH_FRAME}` });

scene('metrics: a row leads to its track and back, from the keyboard', TOLD, async ({ page, shot }) => {
    await rowsDrawn(page, 'metrics', 10);
    await page.locator('#view-metrics tbody tr[data-key="Runtime/WorkTime"]').focus();
    await page.keyboard.press('Enter');
    await waitAddress(page, /metric=Runtime%2FWorkTime/);
    await page.waitForFunction(() => /a value is that of one frame/.test(document.getElementById('detail')?.textContent ?? ''));
    await page.locator('#view-metrics tbody tr[data-key="Runtime/WorkTime"]').focus();
    await page.keyboard.press('ArrowRight');
    await waitAddress(page, /^(?!.*view=).*metric=/);
    await soon.holds(async () => {
        const head = await boxOf(page.locator('.heads .head', { hasText: 'Runtime/WorkTime' }));
        const timeline = await boxOf(page.locator('#timeline'));
        assert.ok(head.y >= timeline.y && head.y + head.height <= timeline.y + timeline.height + 1, 'the track is in sight');
    });
    await page.waitForFunction(() => document.querySelector('#detail .ways')?.textContent?.includes('All metrics'));
    await shot('metric-track-dark');
    await page.locator('#detail .ways button', { hasText: 'All metrics' }).click();
    await waitAddress(page, /view=metrics.*metric=|metric=.*view=metrics/);
    await page.waitForFunction(() => document.querySelector('#view-metrics tr.on')?.getAttribute('data-key') === 'Runtime/WorkTime');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => !location.hash.includes('metric='));
}, { hash: '#view=metrics' });

scene('live resources: what lives, what came and went, and what came and stayed', TOLD, async ({ page, shot }) => {
    const leaked = FRAME_COUNT - HITCH_FRAME;
    await rowsDrawn(page, 'live', 45);
    await soon.holds(async () => {
        const rows = await rowTexts(page, 'live');
        assert.match(rows[0], /shadow atlas\s+render target 2d\s+≈ 64\.0 MiB\s+D32F\s+4096² 4 layers\s+frame 0\s+–/);
        assert.match(rows[1], /backbuffer\s+render target 2d\s+≈ 7\.9 MiB\s+RGBA8\s+1920×1080\s+before\s+–/);
    });
    await soon.match(() => page.locator('#view-live .facts').innerText(), /live at the end\s+45\s+82\.0 MiB and 1 of unknown size[\s\S]*created\s+164/);
    await shot('live-dark');
    await page.locator('#view-live .choice button', { hasText: 'Created and still live' }).click();
    await waitAddress(page, /lshow=kept/);
    await rowsDrawn(page, 'live', 44);
    // The leak: many of one type.
    const chip = page.locator('#view-live .chips .badge', { hasText: 'texture 2d' });
    await soon.match(() => chip.innerText(), new RegExp(`${leaked} texture 2d ${leaked * LEAK_BYTES / 2 ** 20}\\.0 MiB`));
    await chip.click();
    await rowsDrawn(page, 'live', leaked);
    await waitAddress(page, /lfind=texture%202d/);
    await page.locator('#view-live tbody tr[data-key]').first().focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await waitAddress(page, /live=\d+/);
    await page.waitForFunction(() => /history, 1 event/i.test(document.getElementById('detail')?.textContent ?? ''));
    await soon.match(() => page.locator('#detail').innerText(), /decal 81[\s\S]*≈ 256\.0? KiB|decal 81[\s\S]*256 KiB/);
}, { hash: '#view=live' });

scene('live resources between two frames: only what happened there', TOLD, async ({ page }) => {
    await rowsDrawn(page, 'live', 10);
    await page.waitForFunction(() => /created and still live\s*11/i.test(document.querySelector('#view-live .facts')?.textContent ?? ''));
    await soon.holds(async () => {
        const facts = await page.locator('#view-live .facts').innerText();
        assert.match(facts, /created\s+20/, 'ten that stay, and one of each frame that does not');
        assert.match(facts, /destroyed\s+11/);
    });
    await soon.match(async () => (await rowTexts(page, 'live'))[0], /decal 85\s+texture 2d/);
    await soon.match(() => page.locator('#view-live .bar').innerText(), /frames 85 to 94/);
    // A point of the curve is a frame.
    await page.locator('#view-live .chart').focus();
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await waitAddress(page, /frames=0:0/);
}, { hash: '#view=live&frames=85:94&lshow=kept&lsort=number.asc&lfind=decal' });
