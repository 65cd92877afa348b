// SPDX-License-Identifier: MIT
// @ts-check
/* The keys, and what the marks mean. */

import { closeButton, makeDialog } from './dialog.js';
import { fill, h } from './dom.js';

/** @type {readonly [string, readonly [readonly string[], string][]][]} */
const KEYS = [
    ['Views', [
        [['1–9'], 'Timeline, Events, Structure, Resources, Compare, Notes, Capture, Metrics, Live'],
        [['Esc'], 'drop what is selected: a span, a pass, a resource, a metric'],
    ]],
    ['Timeline', [
        [['W', 'S'], 'zoom in, out (also + and -)'],
        [['A', 'D'], 'earlier, later (also ← →)'],
        [['↑', '↓'], 'scroll the tracks'],
        [['Z'], 'fold all processes or tracks, unfold them again; a click on a name folds one'],
        [['wheel'], 'zoom about the pointer; with Shift sideways, with Ctrl finer'],
        [['drag'], 'move; with Shift a range of frames or a measured time'],
        [['0'], 'whole capture'],
        [['Home'], 'first look'],
    ]],
    ['Frames', [
        [[',', '.'], 'frame before, after'],
        [['H', 'Shift+H'], 'next hitch, the one before'],
        [['click'], 'a bar of the strip: that frame'],
        [['drag'], 'on the strip: a range of frames'],
        [['Esc'], 'drop the selection, then the range'],
    ]],
    ['Spans', [
        [['click'], 'select'],
        [['double click'], 'zoom to the span'],
        [['F'], 'zoom to what is selected'],
        [['[', ']'], 'neighbour on the same lane'],
        [['P'], 'parent'],
        [['J', 'Shift+J'], 'next place where events were lost, the one before'],
    ]],
    ['Dependencies, paths, figures', [
        [['Shift+click'], 'a span: focus on it, and on more spans; also R of the selected one'],
        [['<', '>'], 'one hop less, one more'],
        [['Q'], 'which way dependencies are followed'],
        [['Y'], 'dependencies on or off'],
        [['X', 'Shift+X'], 'what led to the selected span; what followed from it'],
        [['G'], 'critical path of the selected span, else of what is on screen'],
        [['V'], 'how much runs at once'],
        [['I'], 'what is shown at all: the filters'],
    ]],
    ['Structure', [
        [['←', '↑', '→', '↓'], 'go about; with Shift to the next use'],
        [['Enter'], 'select the pass of the column: what it needs and what needs it'],
        [['R'], 'select the resource of the row: its versions and readers'],
    ]],
    ['Events', [
        [['↑', '↓'], 'go along; → unfolds, ← folds or goes out'],
        [['Enter'], 'select the event'],
        [['Space'], 'what it uses, and who made that'],
    ]],
    ['Resources', [
        [['↑', '↓'], 'go along the rows; → shows the versions, ← folds them'],
        [['Enter'], 'select the resource; on a curve the pass or the frame'],
        [['←', '→'], 'go along a curve'],
        [['F'], 'filter by name, format, usage'],
    ]],
    ['Metrics and live resources', [
        [['↑', '↓'], 'go along the rows'],
        [['Enter'], 'select; in the curve: that frame'],
        [['→'], 'of a metric: its track on the timeline'],
        [['F'], 'filter'],
    ]],
    ['Take out and compare', [
        [['B', 'C'], 'these frames are the base of a comparison; compare the base with these'],
        [['X'], 'swap the sides'],
        [['Enter', 'Shift+Enter'], 'in its rows: the span on the new side, on the base'],
        [['M'], 'write a note'],
        [['E'], 'export'],
    ]],
    ['Everywhere', [
        [['/'], 'search'],
        [['Enter', 'Shift+Enter'], 'next match, the one before (in the box)'],
        [['N', 'Shift+N'], 'the same, outside of it'],
        [['L'], 'of a capture that grows: keep to the newest frames, or pause'],
        [['O'], 'how it is shown: colours, units, theme'],
        [['K', 'U'], 'next colouring of the timeline, next unit of times'],
        [['T'], 'dark or light'],
        [['?'], 'this page'],
    ]],
];

/** @type {readonly [string, string][]} */
const MARKS = [
    ['solid', 'one span, exactly as it was recorded'],
    ['several', 'several under one pixel: the longest of them stands for all'],
    ['density', 'too many to tell apart: how much of the time is covered'],
];

/** @type {readonly [string, string][]} */
const GRAPH_MARKS = [
    ['●', 'the pass reads this version of the resource'],
    ['■', 'it writes it: a new version of what was there'],
    ['▣', 'it creates it: nothing from before is kept'],
    ['○ □ ×', 'a culled pass: nobody that was kept reads what it makes'],
    ['▸ ―', 'needed by the selected pass, through any number of steps'],
    ['› ┄', 'needs the selected pass'],
    ['╸╸╸', 'a resource from before the frame, or one that outlives it'],
];

/** @type {HTMLDialogElement | null} */
let dialog = null;

function build() {
    const keys = KEYS.map(([title, rows]) => h('section', {}, h('h3', {}, title),
        h('dl', {}, ...rows.flatMap(([names, text]) => [
            h('dt', {}, ...names.map((name) => h('kbd', {}, name))), h('dd', {}, text)]))));
    const marks = h('section', {}, h('h3', {}, 'Marks'), h('dl', {},
        ...MARKS.flatMap(([kind, text]) => [h('dt', {}, h('span', { class: `sample ${kind}` })), h('dd', {}, text)]),
        h('dt', {}, h('span', { class: 'sample unfinished' })), h('dd', {}, 'no end was recorded; with a red end: a zone around it ended first'),
        h('dt', {}, h('span', { class: 'mark marker' }, '⚑')), h('dd', {}, 'a marker of the program, with its value'),
        h('dt', {}, h('span', { class: 'mark loss' }, '−12')), h('dd', {}, 'so many events of the track were lost before this time: what is missing may have happened'),
        h('dt', {}, h('span', { class: 'sample hitch' }, '▼')), h('dd', {}, 'a hitch: over 1.5 times the median of the 31 frames around it')));
    const caveats = h('section', {}, h('h3', {}, 'How to read it'), h('dl', {},
        h('dt', {}, 'nominal'), h('dd', {}, 'CPU and GPU are two clocks, placed together at each submit: an order or a gap across them means nothing'),
        h('dt', {}, 'calibrated'), h('dd', {}, 'one axis, with the error that is written beside it'),
        h('dt', {}, 'encoded'), h('dd', {}, 'counted while recording; resolved ones were read back from the device'),
        h('dt', {}, 'declared'), h('dd', {}, 'what the graph asked for, not what was allocated'),
        h('dt', {}, 'unknown'), h('dd', {}, 'not recorded; never the same as zero')));
    const graph = h('section', {}, h('h3', {}, 'Marks of the structure'), h('dl', {},
        ...GRAPH_MARKS.flatMap(([mark, text]) => [h('dt', {}, h('span', { class: 'mark' }, mark)), h('dd', {}, text)])));
    const made = makeDialog('Help');
    fill(made, closeButton(made), h('h2', {}, 'Keys and marks'), h('div', { class: 'keys' }, ...keys, marks, graph, caveats));
    return made;
}

export function openHelp() {
    dialog ??= build();
    if (!dialog.open) {
        dialog.showModal();
    }
}
