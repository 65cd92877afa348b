/* SPDX-License-Identifier: MIT */
#include "cli/cli_input.h"
#include "base/clock.h"
#include "cli/cli_copy.h"
#include "cli/cli_terminal.h"
#include "open/spool.h"
#include <frameglass/trace.h>

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum {
    PROGRESS_INTERVAL_NS = 100000000,
    DEFECTS_SHOWN = 5,
    SPOOL_MEMORY_BYTES = 64 << 20,
    STEP_ROWS = 4 << 20, /* of a task: some 10 to 100 ms */
};

bool fgi_progress_step(void *context, uint64_t done, uint64_t total)
{
    struct fgi_progress *progress = context;
    if (fgi_is_interrupted()) {
        return false;
    }
    if (!fgi_stderr_is_terminal()) {
        return true;
    }
    int64_t now_ns = fgi_clock_monotonic_ns();
    if (progress->next_ns == 0) {
        progress->next_ns = now_ns + PROGRESS_INTERVAL_NS; /* short work shows nothing */
        return true;
    }
    if (now_ns < progress->next_ns) {
        return true;
    }
    progress->next_ns = now_ns + PROGRESS_INTERVAL_NS;
    progress->is_shown = true;
    if (total > 0) {
        fprintf(stderr, "\r%s %3u %%\033[K", progress->what,
                (unsigned)((double)done / (double)total * 100));
    } else {
        fprintf(stderr, "\r%s %" PRIu64 " MB\033[K", progress->what, done / 1000000);
    }
    fflush(stderr);
    return true;
}

void fgi_progress_end(struct fgi_progress *progress)
{
    if (progress->is_shown) {
        fprintf(stderr, "\r\033[K");
        progress->is_shown = false;
    }
}

enum fg_result fgi_task_run(struct fg_task *task, const char *what, enum fg_result begun)
{
    struct fgi_progress progress = { .what = what };
    struct fg_task_progress at = { .is_done = true };
    enum fg_result result = begun;
    if (result == FG_OK) {
        fg_task_progress(task, &at);
    }
    while (result == FG_OK && !at.is_done) {
        result = fg_task_step(task, STEP_ROWS, &at);
        if (result == FG_OK && !fgi_progress_step(&progress, at.done_rows, at.total_rows)) {
            result = FG_ERR_CANCELLED;
        }
    }
    fgi_progress_end(&progress);
    return result;
}

const char *fgi_input_name(const struct fgi_input *input)
{
    return strcmp(input->path, "-") == 0 ? "standard input" : input->path;
}

int fgi_input_fail(const struct fgi_input *input, enum fg_result result, const struct fg_diag *diag)
{
    if (fgi_is_interrupted()) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: interrupted",
                                fgi_input_name(input));
    }
    const char *why = diag->message[0] != '\0' ? diag->message : fg_result_text(result);
    if (diag->offset > 0) {
        return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: at byte %" PRIu64 ": %s",
                                fgi_input_name(input), diag->offset, why);
    }
    return fgi_command_fail(input->command, FGI_EXIT_INPUT, "%s: %s", fgi_input_name(input), why);
}

/* What was lost of an input that could be read in part. */
static void tell_damage(const struct fgi_input *input)
{
    struct fg_trace_info info;
    const struct fg_trace_defect *defect;
    const char *path = fgi_input_name(input);
    const char *packing = fg_document_packing_defect(input->document);
    fg_trace_get_info(input->trace, &info);
    if (packing != NULL) {
        fgi_command_fail(input->command, 0, "%s: %s; what comes before it was read", path, packing);
    }
    if (info.defects > 0) {
        fgi_command_fail(input->command, 0,
                         "%s: damaged in %u place%s; the rest was read (frameglass validate lists "
                         "them all)",
                         path, (unsigned)info.defects, info.defects == 1 ? "" : "s");
    }
    for (uint32_t i = 0; i < DEFECTS_SHOWN; i++) {
        defect = fg_trace_defect(input->trace, i);
        if (defect != NULL) {
            fprintf(stderr, "  at byte %" PRIu64 ": %s: %s\n", defect->offset, defect->kind,
                    fg_trace_text(input->trace, defect->text));
        }
    }
    if (info.defects == 0 && info.recovered) {
        fgi_command_fail(input->command, 0,
                         "%s: the recording was not closed; everything that was written was read",
                         path);
    }
}

static bool is_interrupted(void *context)
{
    (void)context;
    return fgi_is_interrupted();
}

/* The trace of a document that is open. */
static enum fg_result load_input(struct fgi_input *input, struct fg_diag *diag)
{
    enum fg_result result = fg_document_load(input->document, diag);
    if (result == FG_OK) {
        input->trace = fg_document_trace(input->document);
        input->engine = fg_document_engine(input->document);
        result = fg_query_create(input->engine, NULL, is_interrupted, NULL, &input->query);
    }
    return result;
}

/* Opens it, and loads it too when asked; the input is closed again on failure. */
static enum fg_result open_input(struct fgi_input *input, bool with_trace, struct fg_diag *diag)
{
    char what[120];
    struct fgi_progress progress = { .what = what };
    struct fg_open_options options = {
        .progress = fgi_progress_step,
        .progress_context = &progress,
    };
    fgi_device_choice_use(&input->engine_choice, &options);
    snprintf(what, sizeof what, "reading %.100s", fgi_input_name(input));
    fgi_interrupt_arm();
    enum fg_result result = fg_open_path(input->path, &options, diag, &input->document);
    if (result == FG_OK && with_trace) {
        result = load_input(input, diag);
    }
    fgi_progress_end(&progress);
    if (result != FG_OK) {
        fgi_input_close(input);
    }
    return result;
}

int fgi_input_open_engine(const char *command, const char *path, const char *engine,
                          struct fgi_input *out_input)
{
    struct fg_diag diag = { 0 };
    struct fgi_input *input = out_input;
    *input = (struct fgi_input){ .command = command, .path = path };
    input->engine_choice.engine = engine != NULL ? engine : "cpu";
    int go = fgi_device_choice_check(command, &input->engine_choice);
    if (go != FGI_GO) {
        return go;
    }
    enum fg_result result = open_input(input, true, &diag);
    if (result != FG_OK) {
        return fgi_input_fail(input, result, &diag);
    }
    tell_damage(input);
    return FGI_GO;
}

int fgi_input_open(const char *command, const char *path, struct fgi_input *out_input)
{
    return fgi_input_open_engine(command, path, NULL, out_input);
}

int fgi_input_open_index(const char *command, const char *path, struct fgi_input *out_input,
                         enum fg_result *out_result)
{
    struct fg_diag diag = { 0 };
    struct fgi_input input = {
        .command = command,
        .path = path,
        .engine_choice = { .engine = "cpu" },
    };
    enum fg_result result = open_input(&input, false, &diag);
    if (out_result != NULL) {
        *out_result = result;
    }
    if (result != FG_OK) {
        return fgi_input_fail(&input, result, &diag);
    }
    *out_input = input;
    return FGI_GO;
}

/* A redacted copy of `from` in a spool, opened in its place. */
static enum fg_result open_copy(const struct fgi_input *from, struct fgi_input *input,
                                struct fg_diag *diag)
{
    enum fg_result result = fgi_spool_create(NULL, SPOOL_MEMORY_BYTES, UINT64_MAX, &input->spool);
    if (result != FG_OK) {
        return result;
    }
    struct fg_sink sink = fgi_spool_sink(input->spool);
    result = fgi_copy_capture(from, true, &sink, diag);
    if (result == FG_OK) {
        struct fg_source source = fgi_spool_source(input->spool);
        result = fg_open_source(&source, NULL, diag, &input->document);
    }
    return result == FG_OK ? load_input(input, diag) : result;
}

int fgi_input_open_redacted(const char *command, const char *path, struct fgi_input *out_input)
{
    struct fg_diag diag = { 0 };
    struct fgi_input original;
    struct fgi_input input = { .command = command, .path = path };
    int status = fgi_input_open_index(command, path, &original, NULL);
    if (status != FGI_GO) {
        return status;
    }
    enum fg_result result = open_copy(&original, &input, &diag);
    if (result != FG_OK) {
        status = fgi_input_fail(&original, result, &diag);
        fgi_input_close(&input);
    } else {
        *out_input = input;
    }
    fgi_input_close(&original);
    return status;
}

/* Only where it was asked for: what is answered is the same. */
static void tell_engine(const struct fgi_input *input)
{
    const char *engine = input->engine_choice.engine;
    if (input->engine != NULL && engine != NULL && strcmp(engine, "cpu") != 0) {
        char words[600];
        fgi_engine_words(input->engine, words, sizeof words);
        fgi_command_fail(input->command, 0, "answered by %s", words);
    }
}

void fgi_input_close(struct fgi_input *input)
{
    tell_engine(input);
    fg_query_destroy(input->query);
    fg_document_close(input->document);
    fgi_spool_destroy(input->spool);
    fgi_device_choice_end(&input->engine_choice);
}

void fgi_input_frame_range(const struct fgi_input *input, const struct fgi_option_range *range,
                           uint32_t *out_first, uint32_t *out_end)
{
    struct fg_trace_info info;
    fg_trace_get_info(input->trace, &info);
    uint32_t count = (uint32_t)info.frames;
    uint32_t first = 0;
    while (range->has_first && first < count &&
           fg_trace_frame(input->trace, first)->id < (uint64_t)range->first) {
        first++;
    }
    uint32_t end = first;
    while (end < count &&
           (!range->has_end || fg_trace_frame(input->trace, end)->id < (uint64_t)range->end)) {
        end++;
    }
    *out_first = first;
    *out_end = end;
}
