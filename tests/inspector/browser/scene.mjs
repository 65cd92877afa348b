// SPDX-License-Identifier: MIT
/* A scene: the page over an engine that was invented for it, opened and closed around a test. */

import { after, before, test } from 'node:test';
import { serveInvented } from '../mock/server.mjs';
import { launch, openPage } from './browser.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
before(async () => { browser = await launch(); });
after(async () => { await browser.close(); });

/** @param {string} name @param {object} options of the engine @param {(tools: Awaited<ReturnType<typeof openPage>>, server: { address: string }) => Promise<void>} body @param {object} [view] */
export function scene(name, options, body, view = {}) {
    test(name, { timeout: view.timeoutMs ?? 240000 }, async () => {
        const server = await serveInvented(options);
        const tools = await openPage(browser, server.address + (view.hash ?? ''), view);
        try {
            await body(tools, server);
        } finally {
            await tools.close();
            server.close();
        }
    });
}

/** The browser of all scenes, for a second page of one. */
export function browserOfScenes() {
    return browser;
}

/** In one page what has to hold in either colour scheme. @param {Awaited<ReturnType<typeof openPage>>} tools @param {(scheme: 'dark' | 'light') => Promise<void>} check */
export async function inEitherScheme({ page, rest }, check) {
    for (const scheme of /** @type {const} */ (['dark', 'light'])) {
        await page.emulateMedia({ colorScheme: scheme });
        await page.waitForFunction((theme) => document.documentElement.dataset.theme === theme, scheme);
        await rest();
        await check(scheme);
    }
}
