/* SPDX-License-Identifier: MIT */
/* The dependencies that a window shows: admitted by cells of time, culled, bundled. */
#include "base/alloc.h"
#include "engine/cpu/links_priv.h"
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

static bool is_exact(const struct fgi_display *d, uint32_t link)
{
    size_t low = 0, high = d->exact_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (d->exact[middle] < link) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < d->exact_count && d->exact[low] == link;
}

/* Judge a line that its cell may show. *out_is_admitted: it takes one of the cell's places. */
static enum fg_result judge(struct fgi_display *d, uint32_t link, uint32_t hash, unsigned class,
                            bool *out_is_admitted)
{
    struct fg_links_left_out *left = &d->reply->left_out;
    struct fgi_link_ends ends;
    *out_is_admitted = false;
    d->question->visits->dependencies++;
    if (d->request.families != UINT32_MAX &&
        !fgi_family_is_in(d->request.families, fgi_graph_family(&d->graph, link))) {
        left->families++;
        return FG_OK;
    }
    struct fg_link_line line = { .link = link,
                                 .source = fgi_graph_source(&d->graph, link),
                                 .target = fgi_graph_target(&d->graph, link) };
    line.shown_source = line.source;
    line.shown_target = line.target;
    if (d->bits) {
        const struct fgi_link_reading reading = { d->trace, &d->graph, d->bits, &d->cursor,
                                                  &d->question->visits->spans };
        if (!fgi_link_ends(&reading, line.source, line.target, &ends)) {
            return d->cursor.result;
        }
        line.shown_source = ends.shown_source;
        line.shown_target = ends.shown_target;
        line.marks = ends.marks;
    }
    if (!fgi_display_settle(d, &line, true) || !fgi_display_settle(d, &line, false)) {
        left->placeless++;
        return d->cursor.result;
    }
    if (line.shown_source == line.shown_target) {
        left->same++;
        return FG_OK;
    }
    *out_is_admitted = true;
    if (!fgi_line_crosses(&d->box, line.from_ns, d->request.places[line.source_place].y, line.to_ns,
                          d->request.places[line.target_place].y)) {
        left->culled++;
        return FG_OK;
    }
    if (!FGI_ANSWER_GROW(d->question->arena, d->lines, d->line_capacity, d->line_count + 1)) {
        return FG_ERR_NO_MEMORY;
    }
    d->lines[d->line_count++] =
        (struct fgi_candidate){ .line = line, .class = class, .hash = hash };
    return FG_OK;
}

/* ---- cells ----------------------------------------------------------------------------------- */

static bool take(void *context, uint32_t link, uint32_t hash)
{
    struct fgi_display *d = context;
    if (!FGI_ANSWER_GROW(d->question->arena, d->found, d->found_capacity, d->found_count + 1)) {
        return false;
    }
    d->found[d->found_count++] = (uint64_t)hash << 32 | link;
    return true;
}

static void sift(uint64_t *items, size_t at, size_t count)
{
    uint64_t item = items[at];
    for (size_t child = 2 * at + 1; child < count; child = 2 * at + 1) {
        child += child + 1 < count && items[child + 1] > items[child];
        if (items[child] <= item) {
            break;
        }
        items[at] = items[child];
        at = child;
    }
    items[at] = item;
}

static void sort_found(uint64_t *items, size_t count)
{
    for (size_t i = count / 2; i-- > 0;) {
        sift(items, i, count);
    }
    for (size_t end = count; end > 1; end--) {
        uint64_t top = items[0];
        items[0] = items[end - 1];
        items[end - 1] = top;
        sift(items, 0, end - 1);
    }
}

struct stretch {
    uint32_t first, end;
};

/* A hash below which about `wanted` of `total` lie; generously. */
static uint64_t threshold(uint64_t wanted, uint64_t total)
{
    wanted += wanted / 4 + 16;
    return wanted >= total ? UINT32_MAX : (wanted << 32) / total;
}

/*
 * Show the first lines of a cell by hash. They are looked for below a threshold that is raised when
 * it did not suffice: then those below the former one have been judged.
 */
static enum fg_result show_cell(struct fgi_display *d, const struct stretch *stretches,
                                unsigned first, unsigned end, unsigned class)
{
    uint64_t total = 0;
    uint64_t examined = 0;
    uint32_t admitted = 0;
    uint64_t most = (uint64_t)d->share * 4 + FGI_LINK_LOOKS;
    for (unsigned c = first; c < end; c++) {
        total += stretches[c].end - stretches[c].first;
    }
    d->near += total;
    uint64_t low = 0;
    uint64_t wanted = d->share;
    while (total > 0 && low <= UINT32_MAX && admitted < d->share && examined < most) {
        uint64_t high = threshold(wanted, total);
        d->found_count = 0;
        for (unsigned c = first; c < end && high >= low; c++) {
            if (!fgi_link_index_scan(d->index, stretches[c].first, stretches[c].end, (uint32_t)low,
                                     (uint32_t)high, take, d)) {
                return FG_ERR_NO_MEMORY;
            }
        }
        sort_found(d->found, d->found_count);
        size_t i = 0;
        for (; i < d->found_count && admitted < d->share && examined < most; i++, examined++) {
            bool is_admitted;
            enum fg_result result =
                judge(d, (uint32_t)d->found[i], (uint32_t)(d->found[i] >> 32), class, &is_admitted);
            if (result != FG_OK) {
                return result;
            }
            admitted += is_admitted;
        }
        low = high + 1;
        wanted *= 4;
    }
    d->reply->left_out.over_budget += total - examined;
    return FG_OK;
}

/* Cells of 2^bits ns whose lines may meet the window; those of the classes [first, end). */
static enum fg_result show_cells(struct fgi_display *d, unsigned bits, unsigned first, unsigned end)
{
    struct stretch stretches[FGI_LINK_CLASSES];
    int64_t low = d->box.start_ns;
    uint64_t length = UINT64_C(1) << bits;
    low = fgi_duration(INT64_MIN, low) < length ? INT64_MIN : (int64_t)((uint64_t)low - length);
    int64_t last = d->box.end_ns >> bits;
    const struct fgi_link_reading reading = { d->trace, &d->graph, d->bits, &d->cursor,
                                              &d->question->visits->steps };
    for (int64_t cell = low >> bits; cell <= last; cell++) {
        int64_t start = (int64_t)((uint64_t)cell << bits);
        int64_t until = (int64_t)((uint64_t)start + (length - 1));
        if (fgi_question_cancelled(d->question)) {
            return FG_ERR_CANCELLED;
        }
        for (unsigned c = first; c < end; c++) {
            stretches[c] = (struct stretch){ 0, 0 };
            if (d->index->class_first[c] < d->index->class_first[c + 1]) {
                stretches[c].end =
                    fgi_link_index_range(d->index, &reading, c, start, until, &stretches[c].first);
            }
        }
        enum fg_result result = d->cursor.result;
        if (result == FG_OK) {
            result = show_cell(d, stretches, first, end, bits);
        }
        if (result != FG_OK) {
            return result;
        }
    }
    return FG_OK;
}

static enum fg_result admit(struct fgi_display *d)
{
    uint64_t window = fgi_duration(d->box.start_ns, d->box.end_ns);
    unsigned k = 0;
    while (k < FGI_LINK_CLASSES - 1 && UINT64_C(1) << k < window) {
        k++;
    }
    enum fg_result result = show_cells(d, k, 0, k + 1);
    for (unsigned class = k + 1; class < FGI_LINK_CLASSES && result == FG_OK; class ++) {
        if (d->index->class_first[class] < d->index->class_first[class + 1]) {
            result = show_cells(d, class, class, class + 1);
        }
    }
    d->reply->left_out.outside += d->index->count - d->near;
    return result;
}

/* ---- the reply ------------------------------------------------------------------------------- */

static bool shorter_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_candidate *lines = context;
    return lines[a].class != lines[b].class ? lines[a].class < lines[b].class
                                            : lines[a].hash < lines[b].hash;
}

static bool link_before(void *context, uint32_t a, uint32_t b)
{
    const struct fgi_candidate *lines = context;
    return lines[a].line.link < lines[b].line.link;
}

/* The candidates to show, by number; at most the budget. */
static enum fg_result choose_shown(struct fgi_display *d, uint32_t **out_order, size_t *out_count)
{
    size_t count = d->line_count;
    uint32_t *order = fgi_arena_alloc(d->question->arena, count + 1, sizeof *order);
    if (!order) {
        return FG_ERR_NO_MEMORY;
    }
    for (uint32_t i = 0; i < count; i++) {
        order[i] = i;
    }
    if (count > d->reply->budget) {
        enum fg_result result =
            fgi_sort_u32(d->cpu->allocator, order, count, shorter_before, d->lines);
        if (result != FG_OK) {
            return result;
        }
        d->reply->left_out.over_budget += count - d->reply->budget;
        count = d->reply->budget;
    }
    *out_order = order;
    *out_count = count;
    return count > 0 ? fgi_sort_u32(d->cpu->allocator, order, count, link_before, d->lines) : FG_OK;
}

static enum fg_result write_lines(struct fgi_display *d, struct fg_link_line **out_lines)
{
    uint32_t *order = NULL;
    size_t count = 0;
    enum fg_result result = choose_shown(d, &order, &count);
    if (result != FG_OK) {
        return result;
    }
    struct fg_link_line *lines =
        fgi_arena_alloc(d->question->arena, count + d->exact_count + 1, sizeof *lines);
    if (!lines) {
        return FG_ERR_NO_MEMORY;
    }
    uint32_t written = 0;
    for (size_t i = 0; i < d->exact_count && result == FG_OK; i++) {
        bool is_there;
        result = fgi_display_make_exact(d, d->exact[i], &lines[written], &is_there);
        written += is_there;
        d->reply->exact_overflow += !is_there;
    }
    d->reply->exact_count = d->reply->extra_lines = written;
    for (size_t i = 0; i < count && result == FG_OK; i++) {
        struct fg_link_line *line = &d->lines[order[i]].line;
        if (is_exact(d, line->link)) {
            d->reply->extra_lines--; /* the exact one is it */
        } else {
            result = fgi_display_finish_line(d, line);
            lines[written++] = *line;
        }
    }
    d->reply->lines = *out_lines = lines;
    d->reply->line_count = written;
    return result;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static enum fg_result show(struct fgi_display *d)
{
    const struct fg_links_request *r = &d->request;
    struct fg_link_line *lines = NULL;
    uint64_t window = fgi_duration(r->start_ns, r->end_ns);
    d->graph = fgi_cpu_graph(d->cpu, UINT32_MAX);
    d->index = d->population->links;
    d->reply->budget = fg_links_budget(
        r->max_lines, fgi_duration(d->trace->info.first_ns, d->trace->info.last_ns), window);
    d->share = d->reply->budget / 4 > 0 ? d->reply->budget / 4 : 1;
    d->reply->left_out.hidden = d->index->hidden;
    d->reply->left_out.same = d->index->same;
    enum fg_result result = fgi_display_find_places(d);
    if (result == FG_OK) {
        result = fgi_display_choose_exact(d);
    }
    if (result == FG_OK) {
        result = admit(d);
    }
    if (result == FG_OK) {
        result = write_lines(d, &lines);
    }
    if (result == FG_OK && (r->bundling == FG_BUNDLE_ALWAYS ||
                            (r->bundling == FG_BUNDLE_AUTO &&
                             fg_links_are_bundled(d->index->typical_ns, window, r->width_px)))) {
        result = fgi_bundle_lines(d->question, r, d->cpu->allocator, lines, d->reply);
    }
    return result;
}

static enum fg_result step(struct fgi_work *work, const struct fgi_question *question,
                           uint64_t max_rows)
{
    struct fgi_display *d = (struct fgi_display *)work;
    enum fg_result result = FG_OK;
    uint64_t done = 0;
    bool has_index = work->stage > 0;
    d->question = question;
    while (result == FG_OK && !has_index && done < max_rows) {
        result = fgi_link_index_step(d->cpu, question, d->population, d->bits, max_rows - done,
                                     &done, &has_index);
    }
    work->stage = result == FG_OK && has_index ? 1 : 0;
    if (work->stage == 1 && done < max_rows) {
        result = show(d);
        done += d->line_count + 1;
        work->stage = result == FG_OK ? 2 : 1;
        work->is_done = result == FG_OK;
    }
    work->done_rows += done;
    work->total_rows = work->total_rows < work->done_rows ? work->done_rows : work->total_rows;
    fgi_cursor_finish(&d->cursor);
    return result;
}

static void destroy(struct fgi_work *work)
{
    struct fgi_display *d = (struct fgi_display *)work;
    fgi_cursor_finish(&d->cursor);
    if (d->filter) {
        (void)fgi_cpu_filter_destroy(&d->cpu->engine, d->filter);
    }
    fgi_free(d->cpu->allocator, d, sizeof *d);
}

static const struct fgi_task_ops links_ops = { step, destroy };

/* A copy that stays; NULL stays NULL. */
static bool keep(struct fgi_arena *arena, const void **items, size_t count, size_t size)
{
    void *copy = fgi_arena_alloc(arena, count + 1, size);
    if (copy && count > 0) {
        memcpy(copy, *items, count * size);
    }
    *items = copy;
    return copy != NULL;
}

static bool keep_request(struct fgi_display *d, struct fgi_arena *arena)
{
    struct fg_links_request *r = &d->request;
    return keep(arena, (const void **)&r->places, r->place_count, sizeof *r->places) &&
           keep(arena, (const void **)&r->selected, r->selected_count, sizeof *r->selected) &&
           keep(arena, (const void **)&r->rows, r->row_count, sizeof *r->rows);
}

enum fg_result fgi_cpu_links_begin(struct fg_engine *engine, const struct fgi_question *question,
                                   const struct fg_links_request *request,
                                   struct fgi_links_work **out_work)
{
    struct fgi_engine_cpu *cpu = fgi_cpu(engine);
    struct fgi_cpu_filter *filter = NULL;
    enum fg_result result = fgi_filter_hold(cpu, request->filter, &filter);
    if (result != FG_OK) {
        return result;
    }
    struct fgi_display *d = fgi_calloc(cpu->allocator, 1, sizeof *d);
    if (!d) {
        (void)fgi_cpu_filter_destroy(engine, request->filter);
        return FG_ERR_NO_MEMORY;
    }
    d->cpu = cpu;
    d->trace = engine->trace;
    d->request = *request;
    d->filter = request->filter;
    d->population = filter ? &filter->population : &cpu->all;
    d->bits = filter ? filter->bits : NULL;
    d->cursor = fgi_trace_cursor(engine->trace);
    d->box = (struct fgi_view_box){ request->start_ns, request->end_ns, request->top_y,
                                    request->bottom_y };
    d->reply = &d->face.reply;
    d->face.work = (struct fgi_work){ .ops = &links_ops,
                                      .kind = FGI_WORK_LINKS,
                                      .total_rows = fgi_link_index_rows(cpu, d->population) + 1,
                                      .stage_count = 2 };
    if (!keep_request(d, question->arena)) {
        destroy(&d->face.work);
        return FG_ERR_NO_MEMORY;
    }
    *out_work = &d->face;
    return FG_OK;
}

static uint64_t population_bytes(const struct fgi_population *population)
{
    return fgi_link_index_bytes(population->links) + fgi_link_making_bytes(population->making);
}

uint64_t fgi_cpu_links_bytes(const struct fg_engine *engine)
{
    const struct fgi_engine_cpu *cpu = (const struct fgi_engine_cpu *)engine;
    uint64_t bytes = population_bytes(&cpu->all) + fgi_links_bytes(&cpu->derived.links);
    for (size_t i = 0; i < cpu->filters.count; i++) {
        bytes += population_bytes(&cpu->filters.items[i]->population);
    }
    return bytes;
}
