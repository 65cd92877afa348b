/* SPDX-License-Identifier: MIT */
/*
 * What the profiler of a renderer costs the program that it watches, beside what such a profiler
 * was said to cost where the idea comes from: a HUD 0.1 ms a frame, a mark of a phase 0.01 ms, the
 * GPU timer 0.2 ms, a frame captured in detail 1 to 3 ms. Medians of CPU time, with every driver of
 * OpenGL and Vulkan that is there, and what each costs while it is off. A table, or JSON.
 *
 *   bench_renderer_costs [--json]
 */
#include "hud_feed.h"
#include "hud_gl.h"
#include "hud_vk.h"
#include "base/rank.h"
#include "cost_detail.h"
#include "cost_timer.h"

#include <stdio.h>
#include <string.h>

enum { FRAMES = 300, WARM_UP = 1100, ROWS_MAX = 16 };

enum { HUD_NS = 100000, MARK_NS = 10000, TIMER_NS = 200000, DETAIL_NS = 1000000 };

/** A line of the table. */
struct row {
    const char *what;
    const char *api; /**< NULL = it needs none */
    const char *driver;
    int64_t said_ns; /**< what it was said to cost, at least */
    int64_t ps;      /**< what it costs here */
    int64_t off_ps;  /**< negative = not measured apart */
};
struct table {
    struct row rows[ROWS_MAX];
    int count;
};

static void add(struct table *table, const struct row row)
{
    if (table->count < ROWS_MAX) {
        table->rows[table->count++] = row;
    }
}

/** Statistics, panel and draw, of each renderer. */
static void measure_hud(struct table *table, struct hud_gl *gl, struct hud_vk *vk)
{
    static int64_t gl_ns[FRAMES], vk_ns[FRAMES], off_ns[FRAMES];
    struct hud_feed feed = { .present_ns = 1 };
    if (fg_hud_create(NULL, &feed.hud) != FG_OK) {
        return;
    }
    for (int i = 0; i < WARM_UP; i++) {
        hud_feed_frame(&feed);
    }
    for (int i = 0; i < FRAMES; i++) {
        hud_feed_frame(&feed);
        const int64_t rest_ns = feed.feed_ns + feed.build_ns;
        gl_ns[i] = rest_ns + hud_gl_frame(gl, &feed.list);
        vk_ns[i] = rest_ns + hud_vk_frame(vk, &feed.list);
    }
    fg_hud_disable(feed.hud);
    for (int i = 0; i < FRAMES; i++) {
        hud_feed_frame(&feed);
        off_ns[i] = feed.feed_ns + feed.build_ns;
    }
    const int64_t off_ps = fgi_rank_ns(off_ns, FRAMES, 50) * 1000;
    if (gl != NULL) {
        add(table, (struct row){ "HUD, each frame", "OpenGL", hud_gl_device(gl), HUD_NS,
                                 fgi_rank_ns(gl_ns, FRAMES, 50) * 1000, off_ps });
    }
    if (vk != NULL) {
        add(table, (struct row){ "HUD, each frame", "Vulkan", hud_vk_device(vk), HUD_NS,
                                 fgi_rank_ns(vk_ns, FRAMES, 50) * 1000, off_ps });
    }
    fg_hud_destroy(feed.hud);
}

static void measure_marks(struct table *table)
{
    struct mark_costs costs;
    if (mark_measure(&costs)) {
        add(table, (struct row){ "mark, where it is made", NULL, NULL, MARK_NS, costs.thread_ps,
                                 costs.off_ps });
        add(table,
            (struct row){ "mark, until it is written", NULL, NULL, MARK_NS, costs.all_ps, -1 });
    }
}

static void add_timer(struct table *table, const char *api, const char *driver,
                      const struct timer_costs *costs)
{
    const int64_t more_ns = costs->frame_ns - costs->without_ns;
    add(table, (struct row){ "GPU timer, each frame", api, driver, TIMER_NS, more_ns * 1000,
                             costs->off_ns * 1000 });
    add(table, (struct row){ "the same, and its record", api, driver, TIMER_NS,
                             costs->frame_ns * 1000, -1 });
    add(table, (struct row){ "GPU timer, set up once", api, driver, TIMER_NS,
                             costs->setup_ns * 1000, -1 });
}

static void measure_timers(struct table *table, struct hud_gl *gl, struct hud_vk *vk)
{
    struct timer_costs costs;
    if (timer_gl_measure(gl, &costs)) {
        add_timer(table, "OpenGL", hud_gl_device(gl), &costs);
    }
    if (vk != NULL && timer_vk_measure(&costs)) {
        add_timer(table, "Vulkan", hud_vk_device(vk), &costs);
    }
}

static void measure_detail(struct table *table)
{
    struct detail_costs costs;
    if (detail_measure(&costs)) {
        add(table, (struct row){ "2,000 nodes, in memory", NULL, NULL, DETAIL_NS,
                                 costs.memory_ns * 1000, costs.off_ns * 1000 });
        add(table, (struct row){ "2,000 nodes, into a capture", NULL, NULL, DETAIL_NS,
                                 costs.written_ns * 1000, -1 });
    }
}

static void print_table(const struct table *table)
{
    printf("%-28s %10s %12s %8s %9s  %s\n", "", "said, us", "measured, us", "ratio", "off, ns",
           "driver");
    for (int i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        char off[32] = "-";
        if (row->off_ps >= 0) {
            (void)snprintf(off, sizeof off, "%.1f", (double)row->off_ps / 1000);
        }
        printf("%-28s %10.0f %12.3f %8.1f %9s  ", row->what, (double)row->said_ns / 1000,
               (double)row->ps / 1e6, (double)row->said_ns * 1000 / (double)row->ps, off);
        if (row->api != NULL) {
            printf("%s, %s\n", row->api, row->driver);
        } else {
            printf("-\n");
        }
    }
}

static void print_json(const struct table *table)
{
    printf("{ \"bench\": \"renderer_costs\", \"commit\": \"%s\", \"statistic\": \"median\",\n"
           "  \"rows\": [\n",
           FG_COMMIT);
    for (int i = 0; i < table->count; i++) {
        const struct row *row = &table->rows[i];
        printf("    { \"what\": \"%s\"", row->what);
        if (row->api != NULL) {
            printf(", \"api\": \"%s\", \"driver\": \"%s\"", row->api, row->driver);
        }
        printf(", \"said_ns\": %lld, \"ns\": %.3f, \"ratio\": %.2f", (long long)row->said_ns,
               (double)row->ps / 1000, (double)row->said_ns * 1000 / (double)row->ps);
        if (row->off_ps >= 0) {
            printf(", \"off_ns\": %.3f", (double)row->off_ps / 1000);
        }
        printf(" }%s\n", i + 1 < table->count ? "," : "");
    }
    printf("  ] }\n");
}

int main(int argc, char **argv)
{
    static struct table table;
    const bool is_json = argc == 2 && strcmp(argv[1], "--json") == 0;
    if (argc > 1 && !is_json) {
        fprintf(stderr, "usage: bench_renderer_costs [--json]\n");
        return 2;
    }
    struct hud_gl *gl = hud_gl_open(hud_feed_target.width_px, hud_feed_target.height_px);
    struct hud_vk *vk = hud_vk_open();
    measure_hud(&table, gl, vk);
    measure_marks(&table);
    measure_timers(&table, gl, vk);
    measure_detail(&table);
    (is_json ? print_json : print_table)(&table);
    hud_vk_close(vk);
    hud_gl_close(gl);
    return 0;
}
