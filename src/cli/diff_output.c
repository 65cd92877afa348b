/* SPDX-License-Identifier: MIT */
/* A comparison for people. */
#include "cli/diff_output.h"
#include <frameglass/trace_structure.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Lines of what is beside the times; --json has all. */
enum { LISTED_MOST = 20 };
enum { TEXT = 160, NUMBER = 40 };

static bool is_claimed(const struct fg_compare_row *row)
{
    return fg_compare_is_claimed(row->delta_ns, row->noise_ns);
}

static int64_t whole(double ns)
{
    return ns >= 9.2e18 ? INT64_MAX : ns <= -9.2e18 ? INT64_MIN : (int64_t)llround(ns);
}

/* "geometry/g-buffer", "blur (2)" for the second of that name. */
static const char *label_of(const struct fgi_diff *diff, struct fgi_arena *arena,
                            const struct fg_compare_row *row)
{
    char ordinal[NUMBER] = "";
    if (row->ordinal > 0) {
        snprintf(ordinal, sizeof ordinal, " (%u)", row->ordinal + 1);
    }
    bool has_scope = row->scope[0] != '\0' && strcmp(diff->by, "scope") != 0;
    size_t size = strlen(row->scope) + strlen(row->name) + sizeof ordinal + 2;
    char *text = fgi_arena_alloc(arena, size, 1);
    if (text != NULL) {
        snprintf(text, size, "%s%s%s%s", has_scope ? row->scope : "", has_scope ? "/" : "",
                 row->name, ordinal);
    }
    return text;
}

/* Two whole traces or ranges of time: nothing shows how much a figure of them varies. */
static bool are_whole(const struct fg_compare_reply *reply)
{
    return reply->frames[FG_COMPARE_BASE] == 0 && reply->frames[FG_COMPARE_NEW] == 0;
}

/* Nothing to look at: known on both sides, and the same to the nanosecond. */
static bool is_equal(const struct fg_compare_row *row)
{
    return row->state == FG_COMPARE_BOTH && row->delta_ns == 0 && row->sides[0].mean_ns >= 0 &&
           row->sides[1].mean_ns >= 0 && row->sides[0].count == row->sides[1].count;
}

/* Why, in words. */
static const char *reason_of(const struct fgi_diff *diff, struct fgi_arena *arena,
                             const struct fg_compare_row *row)
{
    static const char *const states[] = { [FG_COMPARE_ADDED] = "added",
                                          [FG_COMPARE_REMOVED] = "removed",
                                          [FG_COMPARE_CULLED] = "culled since",
                                          [FG_COMPARE_UNCULLED] = "no longer culled" };
    const double works[2] = { row->sides[0].work, row->sides[1].work };
    char text[TEXT];
    if (row->state != FG_COMPARE_BOTH) {
        return states[row->state];
    }
    if (row->noise_ns < 0) {
        return row->sides[0].mean_ns < 0 || row->sides[1].mean_ns < 0 ? "times are missing"
               : are_whole(&diff->reply)                              ? "not judged"
                                         : "not judged: too few frames around";
    }
    const char *cause = fg_compare_cause_text(row->cause);
    if (row->cause <= FG_CAUSE_NOISE) {
        return cause;
    }
    if (works[0] > 0 && row->cause != FG_CAUSE_SLOWER && row->cause != FG_CAUSE_FASTER) {
        snprintf(text, sizeof text, "%s: %.2f times the %s", cause, works[1] / works[0],
                 row->work_unit);
    } else if (works[0] > 0) {
        snprintf(text, sizeof text, "%s: as many %s", cause, row->work_unit);
    } else {
        snprintf(text, sizeof text, "%s: %s where there were none", cause, row->work_unit);
    }
    return fgi_arena_text(arena, text, strlen(text));
}

static struct fgi_cell time_cell(const struct fg_compare_figures *figures)
{
    return (struct fgi_cell){ .is_known = figures->median_ns >= 0,
                              .value = whole(figures->mean_ns) };
}

/* In hundredths of a percent of the base. */
static struct fgi_cell change_cell(double base_ns, double delta_ns)
{
    double change = base_ns > 0 ? delta_ns / base_ns * 1e4 : INFINITY;
    return fabs(change) < 1e12 ? fgi_cell_number(whole(change)) : (struct fgi_cell){ 0 };
}

static enum fg_result print_rows(const struct fgi_diff *diff)
{
    const struct fgi_column columns[] = {
        { diff->by, FGI_COLUMN_TEXT, NULL },     { "on", FGI_COLUMN_TEXT, NULL },
        { "base", FGI_COLUMN_DURATION, NULL },   { "new", FGI_COLUMN_DURATION, NULL },
        { "change", FGI_COLUMN_DURATION, NULL }, { "of base", FGI_COLUMN_PERCENT, NULL },
        { "noise", FGI_COLUMN_DURATION, NULL },  { "why", FGI_COLUMN_TEXT, NULL },
    };
    enum { COLUMN_COUNT = sizeof columns / sizeof *columns };
    struct fgi_table table = { .columns = columns, .column_count = COLUMN_COUNT };
    struct fgi_arena arena = { 0 };
    for (uint32_t i = 0; i < diff->reply.row_count; i++) {
        const struct fg_compare_row *row = &diff->reply.rows[i];
        if (!diff->lists_all && (row->cause == FG_CAUSE_NOISE || is_equal(row))) {
            continue;
        }
        const char *label = label_of(diff, &arena, row);
        const char *reason = reason_of(diff, &arena, row);
        if (label == NULL || reason == NULL) {
            table.result = FG_ERR_NO_MEMORY;
            break;
        }
        struct fgi_cell cells[COLUMN_COUNT] = {
            fgi_cell_text(label),
            fgi_cell_text(row->track[0] != '\0' ? row->track
                          : row->is_gpu         ? "GPU"
                                                : "CPU"),
            time_cell(&row->sides[FG_COMPARE_BASE]),
            time_cell(&row->sides[FG_COMPARE_NEW]),
            fgi_cell_number(whole(row->delta_ns)),
            change_cell(row->sides[FG_COMPARE_BASE].mean_ns, row->delta_ns),
            fgi_cell_maybe(whole(ceil(row->noise_ns))),
            fgi_cell_text(reason),
        };
        fgi_table_row(&table, cells);
    }
    if (table.row_count > 0 && table.result == FG_OK) {
        printf("\n");
        fgi_table_print(&table);
    }
    enum fg_result result = table.result;
    fgi_table_finish(&table);
    fgi_arena_finish(&arena);
    return result;
}

static void print_total(const char *what, const struct fg_compare_total *total)
{
    char base[NUMBER], other[NUMBER], delta[NUMBER], noise[NUMBER];
    if (total->mean_ns[0] < 0 || total->mean_ns[1] < 0) {
        printf("%s a frame    not known on %s\n", what,
               total->mean_ns[0] >= 0   ? "the new side"
               : total->mean_ns[1] >= 0 ? "the base"
                                        : "both sides");
        return;
    }
    printf("%s a frame    %s -> %s, %s%s", what,
           fgi_duration_text(whole(total->mean_ns[0]), base, sizeof base),
           fgi_duration_text(whole(total->mean_ns[1]), other, sizeof other),
           total->delta_ns > 0 ? "+" : "",
           fgi_duration_text(whole(total->delta_ns), delta, sizeof delta));
    if (total->mean_ns[0] > 0) {
        printf(" (%+.1f %%)", total->delta_ns / total->mean_ns[0] * 100);
    }
    if (total->noise_ns < 0) {
        printf("; how much it varies is not known\n");
    } else {
        printf("; %s the noise of %s\n",
               fg_compare_is_claimed(total->delta_ns, total->noise_ns) ? "more than" : "within",
               fgi_duration_text(whole(ceil(total->noise_ns)), noise, sizeof noise));
    }
}

/* From the first time of a trace to its last, or of a range. */
static void print_lengths(const struct fg_compare_reply *reply)
{
    char base[NUMBER], other[NUMBER], delta[NUMBER];
    int64_t base_ns = reply->length_ns[FG_COMPARE_BASE];
    int64_t other_ns = reply->length_ns[FG_COMPARE_NEW];
    if (base_ns < 0 || other_ns < 0) {
        printf("length         not known: nothing has a time\n");
        return;
    }
    printf("length         %s -> %s, %s%s", fgi_duration_text(base_ns, base, sizeof base),
           fgi_duration_text(other_ns, other, sizeof other), other_ns > base_ns ? "+" : "",
           fgi_duration_text(other_ns - base_ns, delta, sizeof delta));
    if (base_ns > 0) {
        printf(" (%+.1f %%)", ((double)other_ns - (double)base_ns) / (double)base_ns * 100);
    }
    printf("\n");
}

static void print_head(const struct fgi_diff *diff)
{
    static const char *const same[] = { "differ", "are the same", "were not recorded" };
    char name[FGI_PLAIN_TEXT];
    for (int i = 0; i < 2; i++) {
        fgi_plain_text(diff->names[i], name, sizeof name);
        if (diff->has_range[i]) {
            printf("%s           %s: a range of time\n", i == 0 ? "base" : "new ", name);
        } else if (are_whole(&diff->reply)) {
            printf("%s           %s: all of it\n", i == 0 ? "base" : "new ", name);
        } else {
            printf("%s           %s: %u frame%s\n", i == 0 ? "base" : "new ", name,
                   diff->reply.frames[i], diff->reply.frames[i] == 1 ? "" : "s");
        }
    }
    if (are_whole(&diff->reply)) {
        print_lengths(&diff->reply);
        return;
    }
    print_total("GPU", &diff->reply.gpu);
    print_total("CPU", &diff->reply.cpu);
    printf("frame graphs   %s\n", same[diff->reply.same]);
}

static const char *bytes_or_unknown(uint64_t bytes, char *out, size_t size)
{
    return bytes == FG_UNKNOWN_BYTES ? "unknown size" : fgi_bytes_text(bytes, out, size);
}

static void print_resources(const struct fgi_diff *diff)
{
    char name[FGI_PLAIN_TEXT], bytes[2][NUMBER];
    uint32_t count = diff->reply.resource_count;
    uint32_t most = diff->lists_all || count < LISTED_MOST ? count : LISTED_MOST;
    if (count > 0) {
        printf("\nresources (declared):\n");
    }
    for (uint32_t i = 0; i < most; i++) {
        const struct fg_compare_resource *item = &diff->reply.resources[i];
        const char *sizes[2];
        for (int k = 0; k < 2; k++) {
            sizes[k] = bytes_or_unknown(item->bytes[k], bytes[k], sizeof bytes[k]);
        }
        printf("  %s: ", fgi_plain_text(item->name, name, sizeof name));
        if (item->state == FG_COMPARE_RESOURCE_CHANGED) {
            printf("%s, %s -> %s, %s\n", item->text[0], sizes[0], item->text[1], sizes[1]);
        } else {
            int k = item->state == FG_COMPARE_RESOURCE_ADDED ? FG_COMPARE_NEW : FG_COMPARE_BASE;
            printf("%s: %s, %s\n", k == FG_COMPARE_NEW ? "added" : "removed", item->text[k],
                   sizes[k]);
        }
    }
    if (most < count) {
        printf("  and %u more (--all lists them)\n", count - most);
    }
}

static void print_counters(const struct fgi_diff *diff)
{
    char name[FGI_PLAIN_TEXT], unit[FGI_PLAIN_TEXT];
    uint32_t count = diff->reply.counter_count;
    uint32_t most = diff->lists_all || count < LISTED_MOST ? count : LISTED_MOST;
    if (count > 0) {
        printf("\ncounters (mean of the frames):\n");
    }
    for (uint32_t i = 0; i < most; i++) {
        const struct fg_compare_counter *item = &diff->reply.counters[i];
        printf("  %s: %.10g -> %.10g%s%s\n", fgi_plain_text(item->name, name, sizeof name),
               item->mean[0], item->mean[1], item->unit[0] != '\0' ? " " : "",
               fgi_plain_text(item->unit, unit, sizeof unit));
    }
    if (most < count) {
        printf("  and %u more (--all lists them)\n", count - most);
    }
}

/* What has to be known to read it right. */
static void print_remarks(const struct fgi_diff *diff)
{
    uint32_t quiet = 0, unknown = 0, equal = 0;
    for (uint32_t i = 0; i < diff->reply.row_count; i++) {
        quiet += diff->reply.rows[i].cause == FG_CAUSE_NOISE;
        unknown += diff->reply.rows[i].noise_ns < 0;
        equal += is_equal(&diff->reply.rows[i]);
    }
    if (are_whole(&diff->reply)) {
        printf("\nThere is one of each: nothing shows how much a time varies by itself, so no "
               "difference is claimed.\n");
        if (equal > 0 && !diff->lists_all) {
            printf("%u of %u rows do not differ at all and are not listed (--all lists them).\n",
                   equal, diff->reply.row_count);
        }
        if (diff->reply.row_count == 0) {
            printf("Nothing of this kind is there; --by name takes all spans.\n");
        }
        return;
    }
    printf("\n%u of %u rows are claimed to differ: by more than they vary from frame to frame.\n",
           diff->reply.row_count - quiet - unknown, diff->reply.row_count);
    if (quiet > 0 && !diff->lists_all) {
        printf("%u are within their noise and not listed (--all lists them).\n", quiet);
    }
    if (unknown > 0) {
        printf("%u are not judged: too few frames around them, or times are missing.\n", unknown);
    }
    if (diff->reply.row_count == 0) {
        printf("Nothing of this kind is in these frames; --by name takes all spans.\n");
    }
}

static void print_gate(const struct fgi_diff *diff)
{
    struct fgi_arena arena = { 0 };
    char name[FGI_PLAIN_TEXT];
    static const char *const verdicts[] = {
        [FGI_DIFF_PASS] = "passed",
        [FGI_DIFF_FAIL] = "failed",
        [FGI_DIFF_UNKNOWN] = "cannot be judged: ",
    };
    enum fgi_diff_verdict verdict = fgi_diff_verdict(diff);
    printf("\ngate: %s%s\n", verdicts[verdict],
           verdict == FGI_DIFF_UNKNOWN ? fgi_diff_unknown_text(&diff->reply) : "");
    if (fgi_diff_total_fails(diff, &diff->reply.gpu)) {
        printf("  GPU time of a frame\n");
    }
    if (fgi_diff_total_fails(diff, &diff->reply.cpu)) {
        printf("  CPU time of a frame\n");
    }
    for (uint32_t i = 0; i < diff->reply.row_count; i++) {
        const struct fg_compare_row *row = &diff->reply.rows[i];
        const char *label = fgi_diff_row_fails(diff, row) ? label_of(diff, &arena, row) : NULL;
        if (label != NULL) {
            printf("  %s (%s)\n", fgi_plain_text(label, name, sizeof name),
                   row->is_gpu ? "GPU" : "CPU");
        }
    }
    fgi_arena_finish(&arena);
}

static bool exceeds(const struct fgi_diff *diff, double base_ns, double delta_ns)
{
    return base_ns <= 0 || delta_ns / base_ns * 100 > diff->most_percent;
}

bool fgi_diff_row_fails(const struct fgi_diff *diff, const struct fg_compare_row *row)
{
    const struct fg_compare_total *total = row->is_gpu ? &diff->reply.gpu : &diff->reply.cpu;
    bool is_new = row->state == FG_COMPARE_ADDED || row->state == FG_COMPARE_UNCULLED;
    double base = is_new ? total->mean_ns[FG_COMPARE_BASE] : row->sides[FG_COMPARE_BASE].mean_ns;
    return diff->has_gate && is_claimed(row) && row->delta_ns > 0 &&
           exceeds(diff, base, row->delta_ns);
}

bool fgi_diff_total_fails(const struct fgi_diff *diff, const struct fg_compare_total *total)
{
    return diff->has_gate && total->delta_ns > 0 &&
           fg_compare_is_claimed(total->delta_ns, total->noise_ns) &&
           exceeds(diff, total->mean_ns[FG_COMPARE_BASE], total->delta_ns);
}

/* A program that died at its start, or whose GPU times never came, has proved nothing. */
const char *fgi_diff_unknown_text(const struct fg_compare_reply *reply)
{
    bool has_frames[2], has_gpu[2];
    for (int i = 0; i < 2; i++) {
        has_frames[i] = reply->frames[i] > 0;
        has_gpu[i] = reply->gpu.mean_ns[i] >= 0;
    }
    if (!has_frames[FG_COMPARE_BASE] || !has_frames[FG_COMPARE_NEW]) {
        return has_frames[FG_COMPARE_BASE]  ? "the new side has no frames"
               : has_frames[FG_COMPARE_NEW] ? "the base has no frames"
                                            : "there are no frames on either side";
    }
    if (has_gpu[FG_COMPARE_BASE] != has_gpu[FG_COMPARE_NEW]) {
        return has_gpu[FG_COMPARE_BASE] ? "the new side has no GPU times, the base has"
                                        : "the base has no GPU times, the new side has";
    }
    return NULL;
}

enum fgi_diff_verdict fgi_diff_verdict(const struct fgi_diff *diff)
{
    bool fails = fgi_diff_total_fails(diff, &diff->reply.gpu) ||
                 fgi_diff_total_fails(diff, &diff->reply.cpu);
    for (uint32_t i = 0; i < diff->reply.row_count && !fails; i++) {
        fails = fgi_diff_row_fails(diff, &diff->reply.rows[i]);
    }
    return fgi_diff_unknown_text(&diff->reply) != NULL ? FGI_DIFF_UNKNOWN
           : fails                                     ? FGI_DIFF_FAIL
                                                       : FGI_DIFF_PASS;
}

enum fg_result fgi_diff_print(const struct fgi_diff *diff)
{
    print_head(diff);
    enum fg_result result = print_rows(diff);
    print_resources(diff);
    print_counters(diff);
    print_remarks(diff);
    if (diff->has_gate) {
        print_gate(diff);
    }
    return result;
}
