// SPDX-License-Identifier: MIT
// @ts-check
/* The panel on the right: the selected span, else the selected frames and the capture. */

import { byId, fill } from './dom.js';
import { captureDetail } from './detail_capture.js';
import { spanDetail } from './detail_span.js';

/** @typedef {import('../state/app_state.js').Context} Context */

/** @param {Context} context @param {() => import('../draw/palette.js').Palette} palette */
export function detailView(context, palette) {
    const root = byId('detail');
    root.tabIndex = 0;
    const { store } = context;
    const draw = () => {
        const { state } = store;
        const { scrollTop } = root;
        fill(root, ...(state.selection ? spanDetail(context, state.selection, palette()) : captureDetail(context)));
        root.scrollTop = scrollTop;
    };
    store.listen((state, before) => {
        if (state.selection?.info !== before.selection?.info) {
            root.scrollTop = 0;
        }
        const sameRange = state.place.range === before.place.range || state.selection !== null;
        if (state.selection !== before.selection || state.info !== before.info || state.frames !== before.frames
            || state.theme !== before.theme || state.phase !== before.phase || !sameRange) {
            draw();
        }
    });
    return { redraw: draw };
}
