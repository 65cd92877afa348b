// SPDX-License-Identifier: MIT
/* More failures than an accident. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

for (const number of [1, 2, 3, 4]) {
    test(`fault ${number}`, () => assert.fail(`fault ${number}`));
}
