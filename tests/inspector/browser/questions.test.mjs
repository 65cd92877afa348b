// SPDX-License-Identifier: MIT
/*
 * Five questions that somebody has of a capture of the demo. Each is answered on screen after at most three actions from opening
 * the file: a click, a key, a choice. What the answer is comes from the command line, not from here.
 */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { boxOf, launch, openPage, waitAddress } from './browser.mjs';
import { ask, noProgram, serve } from './server.mjs';
import { noSite, serveSite } from './site.mjs';
import { soon } from './soon.mjs';

const PROGRAM = process.env.FG_FRAMEGLASS ?? '';
const FOLDER = process.env.FG_WORK ?? join(tmpdir(), 'frameglass-inspector');
const MOST_ACTIONS = 3;
const WARM_UP_FRAMES = 5;
/** The strip of the page begins and ends so far from its edges. */
const STRIP_PX = { left: 96, right: 108 };

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = noProgram ? browser : await launch(); });
after(async () => { await browser?.close(); });

/** A capture on the device of arithmetic: the same bytes of meaning on every machine. */
function arithmeticCapture() {
    mkdirSync(FOLDER, { recursive: true });
    const path = join(FOLDER, 'questions.sgpt');
    execFileSync(PROGRAM, ['demo', '--no-gpu', '-o', path, '--frames', '100'], { stdio: ['ignore', 'ignore', 'inherit'], timeout: 100000 });
    return path;
}

/** A page that counts what is done to it. @param {import('playwright-core').Page} page @param {number} frames */
function hand(page, frames) {
    let count = 0;
    const act = async (/** @type {() => Promise<unknown>} */ body) => {
        count += 1;
        assert.ok(count <= MOST_ACTIONS, 'no more than three actions');
        await body();
    };
    return {
        press: (/** @type {string} */ key) => act(() => page.keyboard.press(key)),
        click: (/** @type {string} */ selector) => act(() => page.locator(selector).first().click()),
        clickFrame: (/** @type {number} */ index) => act(async () => {
            const box = await boxOf(page.locator('#strip'));
            const width = box.width - STRIP_PX.left - STRIP_PX.right;
            await page.mouse.click(box.x + STRIP_PX.left + ((index + 0.5) * width) / frames, box.y + 50);
            await waitAddress(page, new RegExp(`frames=${index}:${index}`));
        }),
    };
}

/** Wait until an element that says something can be read: in the window, and nothing over it. @param {import('playwright-core').Page} page @param {string} selector @param {RegExp} says */
async function seen(page, selector, says) {
    const look = ([where, source]) => [...document.querySelectorAll(where)].some((element) => {
        const box = element.getBoundingClientRect();
        const inside = box.width > 0 && box.height > 0 && box.top >= 0 && box.left >= 0 && box.bottom <= innerHeight && box.right <= innerWidth;
        const top = inside ? document.elementFromPoint(box.left + Math.min(12, box.width / 2), box.top + box.height / 2) : null;
        return inside && new RegExp(source).test(element.innerText) && top !== null && (element.contains(top) || top.contains(element));
    });
    await page.waitForFunction(look, [selector, says.source], { timeout: 60000 }).catch(async () => {
        assert.fail(`${says} is not on screen in ${selector}: ${JSON.stringify(await page.locator(selector).allInnerTexts())}`);
    });
}
const plain = (/** @type {string} */ text) => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** What is true of a capture. @param {string} path */
function truthOf(path) {
    const { rows } = ask('frames', path, '--json');
    const length = (row) => Math.max(row.cpu_ns ?? -1, row.gpu_ns ?? -1);
    const settled = rows.slice(WARM_UP_FRAMES);
    const longest = settled.reduce((most, row) => (length(row) > length(most) ? row : most));
    const ofGpu = settled.reduce((most, row) => (row.gpu_ns > most.gpu_ns ? row : most));
    const near = rows.slice(Math.max(0, rows.indexOf(ofGpu) - 15), rows.indexOf(ofGpu) + 16).map((row) => row.gpu_ns).sort((a, b) => a - b);
    // The GPU's worst frame is the hitch where it is one, else the longest of all.
    const hitch = ofGpu.gpu_ns > 1.5 * near[Math.ceil(near.length / 2) - 1] ? ofGpu : longest;
    const { topologies } = ask('export', path, '--to', 'graph-json');
    return { path, rows, hitch, graph: topologies[hitch.topology], first: topologies[longest.topology], index: rows.indexOf(hitch) };
}

/** The pass that cost most beyond its noise, in one frame against others. */
function costliest(path, base, frame) {
    const { rows } = ask('diff', path, path, '--base-frames', base, '--new-frames', `${frame}:${frame + 1}`, '--all', '--json');
    const longer = rows.filter((row) => row.side === 'gpu' && row.claimed && row.delta_ns > 0);
    return longer.reduce((most, row) => (row.delta_ns > most.delta_ns ? row : most));
}

/** Open the page, do, and close. */
async function visit(address, truth, body) {
    const tools = await openPage(browser, address);
    try {
        await tools.ready();
        await body(tools.page, hand(tools.page, truth.rows.length), tools);
    } finally {
        await tools.close();
    }
}

/** The pass that made the hitch, as the panel names it. */
async function namedPass(page, truth) {
    await page.waitForSelector('#detail .costlier .pass-link', { timeout: 60000 });
    const range = await soon.holds(async () => {
        const found = /Took more than in frames? (\d+)(?: to (\d+))?/i.exec(await page.locator('#detail').innerText());
        assert.ok(found);
        return found;
    });
    const [first, last] = [Number(range[1]), Number(range[2] ?? range[1])];
    return costliest(truth.path, `${first}:${last + 1}`, truth.hitch.frame);
}

async function whichFrameHitched(page, _hand, truth) {
    await seen(page, '#capture-hitch + p', new RegExp(`frame ${truth.hitch.frame}: [\\d.]+ m?s on the`));
}

async function whichPassMadeIt(page, _hand, truth) {
    const pass = await namedPass(page, truth);
    await seen(page, '#detail .costlier li:first-child', new RegExp(`^${plain(pass.name)}\\s+\\+[\\d.]+ (s|ms|µs)`));
    if (pass.cause !== 'untold') {
        await seen(page, '#detail .costlier li:first-child', new RegExp(pass.cause));
    }
}

async function whatItReads(page, { click }, truth) {
    const named = await namedPass(page, truth);
    await click('#detail .costlier .pass-link');
    const { passes, resources } = truth.graph;
    const pass = passes.find((item) => item.name === named.name && item.scope === named.scope);
    assert.ok(pass && pass.reads.length > 0);
    for (const index of pass.reads) {
        const { name, version, imported } = resources[index];
        const writers = passes.filter((item) => item !== pass && (item.writes.includes(index) || item.creates.includes(index))).map((item) => plain(item.name));
        const who = writers.length > 0 ? `written by ${writers.join(', ')}` : imported ? 'imported' : 'no pass';
        await seen(page, '#detail .uses li', new RegExp(`^${plain(name)} v${version}\\b[^]*${who}`));
    }
}

async function theLargestTransient(page, { press, click }, truth) {
    await press('4');
    const { passes, resources } = truth.first;
    const culled = (item) => item.culled_frames > 0;
    const uses = (item, index) => [item.reads, item.writes, item.creates].some((list) => list.includes(index));
    const groups = Map.groupBy ? Map.groupBy(resources, (item) => item.id) : resources.reduce((map, item) => map.set(item.id, [...map.get(item.id) ?? [], item]), new Map());
    const all = [...groups.values()].map((versions) => {
        const users = passes.filter((item) => versions.some((version) => uses(item, version.index)));
        return { name: versions[0].name, transient: versions[0].transient, bytes: Math.max(...versions.map((item) => item.declared_bytes)), users, kept: users.some((item) => !culled(item)) };
    }).filter((group) => group.transient && group.kept);
    const most = Math.max(...all.map((group) => group.bytes));
    await page.waitForSelector('.fact button');
    const largest = await soon.holds(async () => {
        const fact = await page.locator('.fact', { hasText: 'largest transient' }).innerText();
        const named = all.filter((group) => group.bytes === most).find((group) => fact.includes(group.name));
        assert.ok(named, `${fact} names a resource of ${most} bytes`);
        return named;
    });
    const [first, last] = [largest.users[0], largest.users[largest.users.length - 1]];
    await seen(page, '.fact', new RegExp(`largest transient\\s+[\\d.]+ [KMG]iB\\s+${plain(largest.name)}\\s*, ${first === last ? `pass ${first.index + 1}` : `passes ${first.index + 1} to ${last.index + 1}`}`));
    await click('.fact:has-text("largest transient") button');
    await seen(page, '#detail .exact, #detail .num', new RegExp(`${most.toLocaleString('en')} B declared`));
    // The panel leaves out passes that were culled.
    const ran = largest.users.filter((item) => !culled(item));
    const [from, to] = [ran[0], ran[ran.length - 1]];
    await seen(page, '#detail p', new RegExp(from === to ? plain(from.name) : `from\\s+${plain(from.name)}\\s+to\\s+${plain(to.name)}`));
}

/** Frame 40 beside the hitch, however it was asked. */
async function changed(page, truth) {
    await waitAddress(page, new RegExp(`cmp=1:40:40,1:${truth.index}:${truth.index}`));
    await page.waitForSelector('.compare[data-state="ready"] tbody tr[data-key]', { timeout: 60000 });
    const { frame } = truth.hitch;
    const said = ask('diff', truth.path, truth.path, '--base-frames', '40:41', '--new-frames', `${frame}:${frame + 1}`, '--all', '--json');
    const most = costliest(truth.path, '40:41', frame);
    await seen(page, '.headline', new RegExp(`Frame ${frame}: [^]*\\(frame 40\\)`));
    await seen(page, '.headline', new RegExp(said.same_graphs ? 'frame graphs are the same' : 'frame graphs differ'));
    await seen(page, '.headline', new RegExp(`${plain(most.name)}\\s+\\+[\\d.]+ (s|ms|µs)`));
    await seen(page, '.compare tbody tr[data-key]', new RegExp(`${plain(most.name)}[^]*\\+`));
    await seen(page, '.compare td.scored', /^\d+\.\d\d$/);
}

async function whatChangedByKeys(page, { clickFrame, press }, truth) {
    await clickFrame(40);
    await press('b');
    await press('5');
    await changed(page, truth);
}

async function whatChangedByMouse(page, { clickFrame, click }, truth) {
    await click('[role="tab"]:has-text("Compare")');
    await clickFrame(40);
    await click('.take:has-text("take frame 40")');
    await changed(page, truth);
}

const QUESTIONS = {
    'which frame hitched': whichFrameHitched,
    'which pass made it': whichPassMadeIt,
    'what that pass reads and who wrote it': whatItReads,
    'what the largest transient resource is and when it lives': theLargestTransient,
    'what changed between frame 40 and the hitch, by keys': whatChangedByKeys,
    'what changed between frame 40 and the hitch, by the mouse': whatChangedByMouse,
};

test('five questions are answered within three actions, of the demo without a GPU', { skip: noProgram, timeout: 300000 }, async (group) => {
    const truth = truthOf(arithmeticCapture());
    assert.equal(truth.hitch.frame, 80, 'the demo hitches where it says so');
    const server = await serve(truth.path);
    for (const [question, answer] of Object.entries(QUESTIONS)) {
        await group.test(question, () => visit(server.address, truth, async (page, doing, { shot }) => {
            await answer(page, doing, truth);
            await shot(`question-${Object.keys(QUESTIONS).indexOf(question) + 1}`);
        }));
    }
    server.close();
});

test('the page alone answers them as well', { skip: noProgram || noSite, timeout: 300000 }, async (group) => {
    const truth = truthOf(arithmeticCapture());
    const server = await serveSite({ files: { 'demo.sgpt': readFileSync(truth.path) } });
    for (const [question, answer] of Object.entries(QUESTIONS)) {
        await group.test(question, () => visit(`${server.address}?file=demo.sgpt`, truth, (page, doing) => answer(page, doing, truth)));
    }
    server.close();
});

const onDevice = process.env.FG_CAPTURE || join(FOLDER, 'demo.sgpt');
test('so does a capture of a Vulkan device', { skip: noProgram || (existsSync(onDevice) ? false : 'no capture of the demo was made'), timeout: 300000 }, async (group) => {
    const truth = truthOf(onDevice);
    const server = await serve(truth.path);
    // What a software driver took is what the processor had to spare: which frame was longest is read, not presumed.
    for (const question of ['which frame hitched', 'what the largest transient resource is and when it lives']) {
        await group.test(question, () => visit(server.address, truth, (page, doing) => QUESTIONS[question](page, doing, truth)));
    }
    server.close();
});
