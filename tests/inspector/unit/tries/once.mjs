// SPDX-License-Identifier: MIT
/* What an unlucky machine does to tests: two fail the first time only, one of them in a part of it. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

/** @param {string} name */
function failOnce(name) {
    const path = join(process.env.TRIES_FOLDER ?? '', name);
    if (!existsSync(path)) {
        writeFileSync(path, '');
        assert.fail(`the first time of ${name}`);
    }
}

test('always good', () => {});
test('good the second time (1 of 2)', () => failOnce('test'));
test('with parts', async (group) => {
    await group.test('a good part', () => {});
    await group.test('a part that is good the second time', () => failOnce('part'));
});
test('left out', { skip: 'for a reason' }, () => {});
