/* SPDX-License-Identifier: MIT */
/* Work figures: a walk over the tree of a span's arguments. */
#include "trace/work_figures.h"
#include <frameglass/trace.h>
#include <stdio.h>
#include <string.h>

/* Calls of which the counts were read back are told by their number in the list. */
enum { CALLS_MAX = 256 };

#define BY_DEVICE " (counted by the device)"

enum call_kind { CALL_OTHER, CALL_DRAW, CALL_DRAW_UNKNOWN, CALL_DISPATCH, CALL_RAYS, CALL_COPY };

struct call {
    uint8_t kind; /* enum call_kind */
    bool is_indirect, counts_draws;
    bool has_first, has_second;
    double first, second; /* vertices and instances, bytes, invocations */
    double group_size;    /* invocations of a workgroup; 0 = not known */
    double repeat;
    double draws;           /* indirect: how many answers there must be */
    double answers;         /* read back */
    double answered_amount; /* their sum, in the call's unit */
};
enum section {
    SECTION_OTHER,
    SECTION_WORK,
    SECTION_ATTACHMENTS,
    SECTION_STATISTICS,
    SECTION_RESOLVED
};

struct reading {
    const struct fg_trace *trace;
    struct fgi_work_amounts *out;
    enum section section;
    struct call calls[CALLS_MAX];
    uint32_t call_count;
    bool is_cut;
    uint32_t answer_of; /* call that the answer at hand belongs to */
    double answer[3];
    double width, height;
    bool has_attachment, has_unknown_size;
    double largest;
};

static void put(struct fgi_work_amounts *work, enum fgi_work_unit unit, enum fgi_work_state state,
                double amount)
{
    struct fgi_work_amounts more = { 0 };
    more.units[unit] = (struct fgi_work_figure){ (uint8_t)state, amount };
    fgi_work_add(work, &more);
}

static bool starts(const char *text, const char *with)
{
    return strncmp(text, with, strlen(with)) == 0;
}

static struct call call_of(const char *word)
{
    struct call call = { .repeat = 1, .is_indirect = strstr(word, "indirect") != NULL };
    call.counts_draws = strstr(word, "count") != NULL;
    if (strcmp(word, "draw mesh tasks") == 0) {
        call.kind = CALL_DRAW_UNKNOWN;
    } else if (starts(word, "draw")) {
        call.kind = CALL_DRAW;
    } else if (starts(word, "dispatch")) {
        call.kind = CALL_DISPATCH;
        call.draws = 1;
    } else if (strcmp(word, "trace rays") == 0) {
        call.kind = CALL_RAYS;
    } else if (strcmp(word, "copy") == 0) {
        call.kind = CALL_COPY;
    }
    return call;
}

/* "8 x 8 x 1" */
static double size_of_workgroup(const char *text)
{
    unsigned x = 0, y = 0, z = 0;
    return sscanf(text, "%u x %u x %u", &x, &y, &z) == 3 ? (double)x * y * z : 0;
}

static bool number_of(const struct fg_trace_arg *arg, double *out_number)
{
    if (arg->kind != FG_ARG_UINT && arg->kind != FG_ARG_BYTES) {
        return false;
    }
    *out_number = (double)arg->value.natural;
    return true;
}

static void see_call_arg(struct reading *r, const struct fg_trace_arg *arg, const char *key)
{
    struct call *call = &r->calls[r->call_count - 1];
    double number = 0;
    if (strcmp(key, "workgroup size") == 0 && arg->kind == FG_ARG_TEXT) {
        call->group_size = size_of_workgroup(fg_trace_text(r->trace, arg->value.text));
        return;
    }
    if (!number_of(arg, &number)) {
        return;
    }
    if (strcmp(key, "repeat") == 0) {
        call->repeat = number;
    } else if (strcmp(key, "draws at most") == 0) {
        call->draws = number;
    } else if (strcmp(key, "vertices") == 0 || strcmp(key, "indices") == 0 ||
               strcmp(key, "bytes") == 0 || strcmp(key, "x") == 0) {
        call->first = number;
        call->has_first = true;
    } else if (strcmp(key, "instances") == 0 || strcmp(key, "y") == 0) {
        call->second = number;
        call->has_second = true;
    } else if (strcmp(key, "z") == 0) {
        call->second *= number;
    }
}

static void see_work_arg(struct reading *r, const struct fg_trace_arg *arg, const char *key)
{
    if (arg->depth == 1 && arg->kind == FG_ARG_GROUP) {
        if (r->call_count == CALLS_MAX) {
            r->is_cut = true;
            return;
        }
        r->calls[r->call_count++] = call_of(key);
    } else if (arg->depth == 1 && strcmp(key, "not listed") == 0) {
        r->is_cut = true;
    } else if (arg->depth == 2 && r->call_count > 0 && !r->is_cut) {
        see_call_arg(r, arg, key);
    }
}

static void end_attachment(struct reading *r)
{
    if (r->has_attachment) {
        r->has_unknown_size |= r->width == 0 || r->height == 0;
        r->largest = r->width * r->height > r->largest ? r->width * r->height : r->largest;
    }
    r->width = r->height = 0;
}

static void see_attachment_arg(struct reading *r, const struct fg_trace_arg *arg, const char *key)
{
    double number = 0;
    if (arg->depth == 1 && arg->kind == FG_ARG_GROUP) {
        end_attachment(r);
        r->has_attachment = true;
    } else if (arg->depth == 2 && number_of(arg, &number)) {
        if (strcmp(key, "width") == 0) {
            r->width = number;
        } else if (strcmp(key, "height") == 0) {
            r->height = number;
        }
    }
}

static void see_statistic(struct reading *r, const struct fg_trace_arg *arg, const char *key)
{
    double number = 0;
    if (arg->depth != 1 || !number_of(arg, &number)) {
        return;
    }
    if (strcmp(key, "input assembly vertices") == 0) {
        put(r->out, FGI_WORK_DEVICE_VERTICES, FGI_WORK_READ_BACK, number);
    } else if (strcmp(key, "fragment invocations") == 0) {
        put(r->out, FGI_WORK_FRAGMENTS, FGI_WORK_READ_BACK, number);
    }
}

static void end_answer(struct reading *r)
{
    if (r->answer_of < r->call_count) {
        struct call *call = &r->calls[r->answer_of];
        call->answers++;
        call->answered_amount += call->kind == CALL_DISPATCH
                                     ? r->answer[0] * r->answer[1] * r->answer[2] * call->group_size
                                     : r->answer[0] * r->answer[1];
    }
    r->answer_of = CALLS_MAX;
}

static void see_resolved(struct reading *r, const struct fg_trace_arg *arg, const char *key)
{
    double number = 0;
    if (arg->depth == 1 && arg->kind == FG_ARG_GROUP) {
        unsigned work = 0;
        end_answer(r);
        r->answer_of = sscanf(key, "work %u,", &work) == 1 ? work : CALLS_MAX;
        memset(r->answer, 0, sizeof r->answer);
    } else if (arg->depth == 2 && number_of(arg, &number) && key[0] >= 'x' && key[0] <= 'z' &&
               key[1] == '\0') {
        r->answer[key[0] - 'x'] = number;
    }
}

static enum section section_of(const char *key)
{
    static const char *const names[] = { [SECTION_WORK] = "work",
                                         [SECTION_ATTACHMENTS] = "attachments",
                                         [SECTION_STATISTICS] = "statistics",
                                         [SECTION_RESOLVED] = "resolved" };
    for (unsigned i = SECTION_WORK; i <= SECTION_RESOLVED; i++) {
        if (strcmp(key, names[i]) == 0) {
            return (enum section)i;
        }
    }
    return SECTION_OTHER;
}

static void end_call(struct reading *r, const struct call *call)
{
    static const uint8_t units[] = { [CALL_DRAW] = FGI_WORK_VERTICES,
                                     [CALL_DRAW_UNKNOWN] = FGI_WORK_VERTICES,
                                     [CALL_DISPATCH] = FGI_WORK_INVOCATIONS,
                                     [CALL_RAYS] = FGI_WORK_INVOCATIONS,
                                     [CALL_COPY] = FGI_WORK_BYTES };
    enum fgi_work_unit unit = (enum fgi_work_unit)units[call->kind];
    bool has_size = call->kind != CALL_DISPATCH || call->group_size > 0;
    if (call->is_indirect) {
        double wanted = call->counts_draws ? 1 : call->draws * call->repeat;
        bool is_known = has_size && call->answers > 0 && call->answers >= wanted;
        put(r->out, unit, is_known ? FGI_WORK_READ_BACK : FGI_WORK_UNKNOWN, call->answered_amount);
        return;
    }
    double amount = call->first * call->repeat;
    if (call->kind != CALL_COPY) {
        amount *= call->second;
    }
    if (call->kind == CALL_DISPATCH) {
        amount *= call->group_size;
    }
    bool is_known = call->kind != CALL_DRAW_UNKNOWN && has_size && call->has_first &&
                    (call->kind == CALL_COPY || call->has_second);
    put(r->out, unit, is_known ? FGI_WORK_ENCODED : FGI_WORK_UNKNOWN, amount);
}

static void end_reading(struct reading *r)
{
    end_attachment(r);
    end_answer(r);
    for (uint32_t i = 0; i < r->call_count; i++) {
        if (r->calls[i].kind != CALL_OTHER) {
            end_call(r, &r->calls[i]);
        }
    }
    if (r->is_cut) {
        put(r->out, FGI_WORK_VERTICES, FGI_WORK_UNKNOWN, 0);
        put(r->out, FGI_WORK_INVOCATIONS, FGI_WORK_UNKNOWN, 0);
        put(r->out, FGI_WORK_BYTES, FGI_WORK_UNKNOWN, 0);
    }
    if (r->has_attachment) {
        put(r->out, FGI_WORK_PIXELS, r->has_unknown_size ? FGI_WORK_UNKNOWN : FGI_WORK_ENCODED,
            r->largest);
    }
}

void fgi_work_of_args(const struct fg_trace *trace, const struct fg_trace_arg *args, uint32_t count,
                      struct fgi_work_amounts *out_work)
{
    struct reading r = { .trace = trace, .out = out_work, .answer_of = CALLS_MAX };
    memset(out_work, 0, sizeof *out_work);
    for (uint32_t i = 0; i < count; i++) {
        const char *key = fg_trace_text(trace, args[i].key);
        if (args[i].depth == 0) {
            r.section = args[i].kind == FG_ARG_GROUP ? section_of(key) : SECTION_OTHER;
        } else if (r.section == SECTION_WORK) {
            see_work_arg(&r, &args[i], key);
        } else if (r.section == SECTION_ATTACHMENTS) {
            see_attachment_arg(&r, &args[i], key);
        } else if (r.section == SECTION_STATISTICS) {
            see_statistic(&r, &args[i], key);
        } else if (r.section == SECTION_RESOLVED) {
            see_resolved(&r, &args[i], key);
        }
    }
    end_reading(&r);
}

void fgi_work_add(struct fgi_work_amounts *sum, const struct fgi_work_amounts *more)
{
    for (unsigned i = 0; i < FGI_WORK_UNITS; i++) {
        /* States are in the order in which one outweighs the other. */
        if (more->units[i].state > sum->units[i].state) {
            sum->units[i].state = more->units[i].state;
        }
        sum->units[i].amount += more->units[i].amount;
    }
}

const char *fgi_work_unit_text(enum fgi_work_unit unit, enum fgi_work_state state)
{
    static const char *const encoded[FGI_WORK_UNITS] = {
        [FGI_WORK_INVOCATIONS] = "invocations",
        [FGI_WORK_PIXELS] = "pixels",
        [FGI_WORK_VERTICES] = "vertices",
        [FGI_WORK_FRAGMENTS] = "fragment invocations" BY_DEVICE,
        [FGI_WORK_DEVICE_VERTICES] = "vertices" BY_DEVICE,
        [FGI_WORK_BYTES] = "bytes",
    };
    static const char *const read_back[FGI_WORK_UNITS] = {
        [FGI_WORK_INVOCATIONS] = "invocations (read back)",
        [FGI_WORK_VERTICES] = "vertices (read back)",
    };
    return state == FGI_WORK_READ_BACK && read_back[unit] ? read_back[unit] : encoded[unit];
}
