// SPDX-License-Identifier: MIT
// @ts-check
/* Puts the page together. */

import { Client } from './protocol/client.js';
import { Store } from './state/store.js';
import { initialState } from './state/app_state.js';
import { keepAnomalies } from './state/anomalies_data.js';
import { keepCompare } from './state/compare_data.js';
import { keepCompareScores } from './state/compare_scores.js';
import { keepEngine } from './state/engine_data.js';
import { keepEvents } from './state/events_data.js';
import { keepFilter } from './state/filter_data.js';
import { keepAddress } from './state/history.js';
import { keepLinks } from './state/links_data.js';
import { keepLive } from './state/live.js';
import { keepMinimap } from './state/minimap_data.js';
import { keepNodes } from './state/nodes_data.js';
import { keepNotes } from './state/notes.js';
import { begin, chooseHome } from './state/opening.js';
import { keepMemory } from './state/memory_data.js';
import { keepMetrics } from './state/metrics_data.js';
import { keepObjects } from './state/objects_data.js';
import { keepFrameCost } from './state/frame_cost.js';
import { keepPanel } from './state/panel_data.js';
import { keepPath } from './state/path_data.js';
import { keepSlice } from './state/slice_data.js';
import { keepSearch } from './state/search.js';
import { keepSelection } from './state/selection.js';
import { keepStats } from './state/stats_data.js';
import { keepVerdict } from './state/verdict_data.js';
import { keepStructure } from './state/structure_data.js';
import { appearanceKey, keepTheme } from './state/theme.js';
import { keepUnit } from './state/unit.js';
import { keepTimelineData } from './state/timeline_data.js';
import { readPalette } from './draw/palette.js';
import { banner } from './views/banner.js';
import { budgetView } from './views/budget_view.js';
import { captureView } from './views/capture_view.js';
import { compareView } from './views/compare_view.js';
import { byId, pageScale, pointIn } from './views/dom.js';
import { detailView } from './views/detail_view.js';
import { exportMenu } from './views/export_menu.js';
import { exploreKey } from './views/explore_keys.js';
import { exploreBar } from './views/explore_bar.js';
import { eventsView } from './views/events_view.js';
import { keys } from './views/keys.js';
import { metricsView } from './views/metrics_view.js';
import { minimapView } from './views/minimap_view.js';
import { noteDialog } from './views/notes_dialog.js';
import { notesView } from './views/notes_view.js';
import { objectsView } from './views/objects_view.js';
import { resourcesView } from './views/resources_view.js';
import { nodesTable } from './views/nodes_table.js';
import { oddTable } from './views/odd_table.js';
import { openView } from './views/open_view.js';
import { pathTable } from './views/path_table.js';
import { sliceTable } from './views/slice_table.js';
import { splitter } from './views/splitter.js';
import { statsView } from './views/stats_view.js';
import { structureView } from './views/structure_view.js';
import { stripView } from './views/strip_view.js';
import { timelineInput } from './views/timeline_input.js';
import { timelineView } from './views/timeline_view.js';
import { keepTables } from './views/table_tabs.js';
import { takeKeys } from './views/take_keys.js';
import { tabs } from './views/tabs.js';
import { makeTooltip } from './views/tooltip.js';
import { topBar } from './views/top_bar.js';
import { viewSwitch } from './views/view_switch.js';

const home = chooseHome();
const context = {
    store: new Store(initialState()),
    client: new Client(home.transport),
    home,
};

/** @type {{ key: string, palette: import('./draw/palette.js').Palette } | null} */
let known = null;
/** Colours as they are now: read again when the theme changed. */
function palette() {
    const key = appearanceKey();
    if (known?.key !== key) {
        known = { key, palette: readPalette(document.documentElement) };
    }
    return known.palette;
}

keepTheme(context, redraw);
keepAddress(context);
keepUnit(context, redraw);
keepEngine(context);
keepFilter(context);
keepTimelineData(context);
keepLinks(context);
const path = keepPath(context);
keepSlice(context);
keepAnomalies(context);
keepNodes(context);
keepMinimap(context);
keepLive(context);
keepStats(context);
keepVerdict(context);
keepSelection(context);
keepStructure(context);
keepEvents(context);
keepPanel(context);
keepFrameCost(context);
keepMemory(context);
keepMetrics(context);
keepObjects(context);
keepSearch(context);
keepCompare(context);
keepCompareScores(context);
keepNotes(context);

const tooltip = makeTooltip();
banner(context);
openView(context);
const minimap = minimapView(context, palette, tooltip);
const strip = stripView(context, palette, tooltip);
budgetView(context);
const timeline = timelineView(context, palette);
const input = timelineInput(context, timeline, tooltip);
const explore = exploreBar(context, palette);
statsView(context);
pathTable(context, path.page);
sliceTable(context);
oddTable(context);
nodesTable(context);
keepTables(context);

const writer = noteDialog(context);
const menu = exportMenu(context, redraw);

/** @type {import('./views/view_switch.js').View[]} */
const views = [
    { name: 'timeline', root: byId('view-timeline'), show: timeline.redraw, hide: () => tooltip.hide(), redraw: timeline.redraw },
    eventsView(context),
    structureView(context, palette, tooltip),
    resourcesView(context, palette, tooltip),
    compareView(context),
    notesView(context, writer),
    captureView(context),
    metricsView(context),
    objectsView(context, palette, tooltip),
];
const shown = viewSwitch(context, views);
topBar(context, tabs(context, views.map((view) => view.name)), menu.button);
const detail = detailView(context, palette);
splitter('side-splitter', 'vertical', '--side', 'detail', {
    label: 'Width of the details',
    least: 240,
    most: () => (innerWidth / pageScale()) * 0.6,
});
splitter('stats-splitter', 'horizontal', '--table', 'stats', {
    label: 'Height of the statistics',
    least: 90,
    most: () => (innerHeight / pageScale()) * 0.6,
});

/** @type {number | null} */
let pointerX = null;
input.stage.addEventListener('pointermove', (event) => {
    pointerX = pointIn(input.stage, event).x;
});
input.stage.addEventListener('pointerleave', () => {
    pointerX = null;
});
const takeKey = takeKeys(context, writer, menu);
keys(context, input, () => pointerX, (event) => shown.key(event) || takeKey(event) || exploreKey(context, event, explore.openFilter));

function redraw() {
    minimap.redraw();
    strip.redraw();
    shown.redraw();
    detail.redraw();
}
/** Another screen, another resolution: canvases follow. */
function watchResolution() {
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener('change', () => {
        redraw();
        watchResolution();
    }, { once: true });
}
watchResolution();
void begin(context);
