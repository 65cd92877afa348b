// SPDX-License-Identifier: MIT
/* What all tests need is not there. */

import { before, test } from 'node:test';

before(() => { throw new Error('no browser'); });
test('never begun', () => {});
