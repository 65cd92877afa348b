// SPDX-License-Identifier: MIT
/* A file that cannot be loaded. */

import './that_is_not_there.mjs';
