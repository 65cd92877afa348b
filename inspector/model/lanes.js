// SPDX-License-Identifier: MIT
// @ts-check
/* What one window of the timeline holds, as it came from the engine, and what lies under a pixel of it. */

/** How a lane was answered. */
export const MODE = Object.freeze({ EXACT: 0, REPRESENTATIVE: 1, DENSITY: 2, UNANSWERED: 255 });
/** Flags of a span: what it is, how it ended, how it was sent. */
export const SPAN = Object.freeze({
    FRAME: 0x1, ENCODE: 0x2, GPU_PASS: 0x4, SCOPE: 0x8, FRAGMENT: 0x10, UNATTRIBUTED: 0x20, ZONE: 0x40,
    WAIT: 0x80, ASYNC: 0x100, SUBPASS: 0x200, RUNTIME: 0x400,
    UNFINISHED: 0x10000, LOST: 0x20000, ERROR: 0x40000, OVERLAP: 0x80000, PROVISIONAL: 0x100000, FORCED: 0x200000,
    CLIPPED_BEGIN: 0x1000000, CLIPPED_END: 0x2000000,
});

/**
 * @typedef {object} LaneView
 * @property {number} id of a lane, or of a group
 * @property {boolean} group
 * @property {number} mode of MODE
 * @property {number} binsMode what the bins are drawn as
 * @property {number} blend weight of the bins, 255 = all
 * @property {number} firstSpan range in the table of spans; the end is excluded
 * @property {number} lastSpan
 * @property {number} firstBin
 * @property {number} lastBin
 */
/**
 * @typedef {object} SpanColumns
 * @property {Uint32Array} row
 * @property {Float64Array} begin
 * @property {Float64Array} end
 * @property {Uint32Array} name
 * @property {Uint32Array} flags
 * @property {Uint32Array} scope path; empty unless asked for, like the next
 * @property {Uint32Array} origin query pool
 * @property {Uint8Array} tint how unusual it is: 128 and more is an anomaly; empty unless asked for
 */
/**
 * Each entry stands for a run of equal bins.
 * @typedef {object} BinColumns
 * @property {Uint32Array} offset
 * @property {Uint32Array} run
 * @property {Uint32Array} row
 * @property {Uint32Array} name
 * @property {Uint32Array} count
 * @property {Float64Array} cover
 * @property {Uint32Array} flags
 * @property {Uint32Array} scope of the row; empty unless asked for, like the next two
 * @property {Uint32Array} origin
 * @property {Float64Array} longest whole duration of the row
 * @property {Uint8Array} tint the highest of its spans; empty unless asked for
 */
/**
 * Offsets are nanoseconds from startNs, whole and exact.
 * @typedef {object} TimelineView
 * @property {bigint} startNs
 * @property {bigint} endNs
 * @property {number} widthPx
 * @property {number} binNs
 * @property {number} binOriginNs
 * @property {LaneView[]} lanes
 * @property {SpanColumns} spans
 * @property {BinColumns} bins
 * @property {boolean} incomplete some lanes were left for another question
 */
/**
 * @typedef {object} CounterView
 * @property {number} counter
 * @property {bigint} startNs
 * @property {boolean} exact samples; otherwise bins with a least and a most
 * @property {number} low
 * @property {number} high
 * @property {Float64Array} time from startNs
 * @property {Float64Array} value holds until the next
 * @property {Float64Array | null} least
 * @property {Float64Array | null} most
 */
/** @typedef {{ timeNs: bigint, track: number, text: string, frame: number, page?: number }} Mark page: number of a note that only the page has */
/**
 * What is under the pointer.
 * @typedef {object} Hit
 * @property {number} row
 * @property {number} name
 * @property {number} flags
 * @property {boolean} exact one span, drawn as it is; otherwise the longest of several
 * @property {bigint} startNs of the span, or of the bin
 * @property {bigint} endNs
 * @property {number} count spans that start in the bin
 * @property {number} coverNs of the bin
 * @property {number} binNs
 */

/**
 * First index in [from, to) whose value is greater.
 * @param {ArrayLike<number>} values
 * @param {number} from
 * @param {number} to
 * @param {number} value
 */
function upperBound(values, from, to, value) {
    let low = from;
    let high = to;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (values[middle] <= value) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

/**
 * The span or bin at a time of a lane. Exact spans lie over bins. Within the tolerance the nearest counts,
 * so that what is narrower than a pixel can be pointed at.
 * @param {TimelineView} view
 * @param {LaneView} lane
 * @param {number} atNs from the view's start, may have a fraction
 * @param {number} toleranceNs
 * @returns {Hit | null}
 */
export function hitLane(view, lane, atNs, toleranceNs) {
    const { spans, bins } = view;
    let best = -1;
    let bestGap = Infinity;
    let bestLength = Infinity;
    // Spans of a lane do not nest, those of a group may: look back as far as anything can reach.
    const last = upperBound(spans.begin, lane.firstSpan, lane.lastSpan, atNs + toleranceNs);
    for (let i = last - 1; i >= lane.firstSpan; i--) {
        const gap = Math.max(0, spans.begin[i] - atNs, atNs - spans.end[i]);
        const length = spans.end[i] - spans.begin[i];
        if (gap <= toleranceNs && (gap < bestGap || (gap === bestGap && length < bestLength))) {
            best = i;
            bestGap = gap;
            bestLength = length;
        }
        if (!lane.group && spans.begin[i] < atNs - toleranceNs) {
            break;
        }
    }
    if (best >= 0 && (bestGap === 0 || lane.mode === MODE.EXACT)) {
        return {
            row: spans.row[best],
            name: spans.name[best],
            flags: spans.flags[best],
            exact: true,
            startNs: view.startNs + BigInt(spans.begin[best]),
            endNs: view.startNs + BigInt(spans.end[best]),
            count: 1,
            coverNs: bestLength,
            binNs: 0,
        };
    }
    return hitBin(view, lane, bins, atNs);
}

/**
 * @param {TimelineView} view
 * @param {LaneView} lane
 * @param {TimelineView['bins']} bins
 * @param {number} atNs
 * @returns {Hit | null}
 */
function hitBin(view, lane, bins, atNs) {
    const offset = Math.floor((atNs - view.binOriginNs) / view.binNs);
    const at = upperBound(bins.offset, lane.firstBin, lane.lastBin, offset) - 1;
    // One bin of slack: bins are up to a pixel wide and a hand is not steadier than that.
    if (at < lane.firstBin || offset - bins.offset[at] > bins.run[at]) {
        return null;
    }
    const bin = Math.min(offset, bins.offset[at] + bins.run[at] - 1);
    const startNs = view.startNs + BigInt(view.binOriginNs) + BigInt(bin) * BigInt(view.binNs);
    return {
        row: bins.row[at],
        name: bins.name[at],
        flags: bins.flags[at],
        exact: false,
        startNs,
        endNs: startNs + BigInt(view.binNs),
        count: bins.count[at],
        coverNs: bins.cover[at],
        binNs: view.binNs,
    };
}

/**
 * Where an exactly drawn span is, if it is among those of the view.
 * @param {TimelineView} view
 * @param {number} row
 * @returns {{ lane: LaneView, index: number } | null}
 */
export function findRow(view, row) {
    const index = view.spans.row.indexOf(row);
    const lane = index < 0 ? undefined : view.lanes.find((item) => index >= item.firstSpan && index < item.lastSpan);
    return lane ? { lane, index } : null;
}

/**
 * Neighbour of a span on its lane among the exact spans of the view.
 * @param {TimelineView} view @param {number} row @param {1 | -1} step
 * @returns {number | null}
 */
export function neighbourRow(view, row, step) {
    const found = findRow(view, row);
    if (!found) {
        return null;
    }
    const next = found.index + step;
    return next >= found.lane.firstSpan && next < found.lane.lastSpan ? view.spans.row[next] : null;
}

/**
 * The value of a counter at a time: that of the last sample before it.
 * @param {CounterView} counter
 * @param {number} atNs from the counter view's start
 * @returns {{ timeNs: number, value: number, least: number, most: number } | null} with the time of that sample
 */
export function counterAt(counter, atNs) {
    const at = upperBound(counter.time, 0, counter.time.length, atNs) - 1;
    if (at < 0) {
        return null;
    }
    const value = counter.value[at];
    return { timeNs: counter.time[at], value, least: counter.least?.[at] ?? value, most: counter.most?.[at] ?? value };
}
