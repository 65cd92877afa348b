// SPDX-License-Identifier: MIT
/* The first time a test fails, the second time the program ends under it. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';

test('ends the program', () => {
    const path = join(process.env.TRIES_FOLDER ?? '', 'breaks');
    if (existsSync(path)) {
        process.exit(1);
    }
    writeFileSync(path, '');
    assert.fail('the first time');
});
