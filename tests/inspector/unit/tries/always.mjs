// SPDX-License-Identifier: MIT
/* One test at fault, beside a good one. */

import assert from 'node:assert/strict';
import { test } from 'node:test';

let times = 0;
test('another that is good', () => { times++; });
test('at fault', () => assert.fail(`at fault, after ${times} others`));
