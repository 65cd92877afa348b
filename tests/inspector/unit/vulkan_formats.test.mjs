// SPDX-License-Identifier: MIT
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { formatName } from '../../../inspector/model/vulkan_formats.js';

const read = (/** @type {string} */ path) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test('the page and the engine call the same numbers the same formats', () => {
    const table = /names\[\] = \{([^}]*)\}/.exec(read('src/trace/format_name.c'))?.[1] ?? '';
    const engine = [...table.matchAll(/"([^"]+)"/g)].map((match) => match[1]);
    const page = /NAMES = `([^`]*)`/.exec(read('inspector/model/vulkan_formats.js'))?.[1].trim().split(/\s+/) ?? [];
    assert.equal(engine.length, 184);
    assert.deepEqual(page, engine);
    assert.equal(formatName(126), 'D32F');
    assert.equal(formatName(engine.length + 1), `format ${engine.length + 1}`);
});
