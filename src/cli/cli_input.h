/* SPDX-License-Identifier: MIT */
/* The input of a command: opened with progress on a terminal, its damage told on standard error. */
#ifndef FGI_CLI_INPUT_H
#define FGI_CLI_INPUT_H
#include "cli/command.h"
#include "cli/device_choice.h"
#include <frameglass/open.h>
#include <frameglass/trace_task.h>

struct fgi_input {
    const char *command; /**< for messages */
    const char *path;    /**< as given */
    struct fg_document *document;
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_query *query;  /**< for the whole command */
    struct fgi_spool *spool; /**< what the document reads, when it was made here; NULL */
    struct fgi_device_choice engine_choice; /**< who answers */
};

/**
 * Open a file ("-": standard input) and load its trace. What is wrong is told on standard error:
 * why it cannot be read, or what was lost of it.
 *
 * @param out_input filled on FGI_GO; end it with fgi_input_close()
 * @return FGI_GO, or the exit status
 */
int fgi_input_open(const char *command, const char *path, struct fgi_input *out_input);
/**
 * As fgi_input_open(), with an engine of the user's choice, which is checked: "auto", "cpu",
 * "vulkan"; NULL = cpu. If it was not the CPU, fgi_input_close() tells on standard error who has
 * answered.
 */
int fgi_input_open_engine(const char *command, const char *path, const char *engine,
                          struct fgi_input *out_input);
void fgi_input_close(struct fgi_input *input);
/** As fgi_input_open(), but of a redacted copy: nothing in it is of anybody's choosing. */
int fgi_input_open_redacted(const char *command, const char *path, struct fgi_input *out_input);
/**
 * Only open it: for commands that look at the container itself. Trace, engine and query stay NULL.
 *
 * @param out_result NULL, or why it could not be opened (FG_OK on FGI_GO)
 */
int fgi_input_open_index(const char *command, const char *path, struct fgi_input *out_input,
                         enum fg_result *out_result);
/** How messages call it: the path, or "standard input". */
const char *fgi_input_name(const struct fgi_input *input);
/**
 * Say why it cannot be read: at which byte, and what is wrong there.
 *
 * @return FGI_EXIT_INPUT
 */
int fgi_input_fail(const struct fgi_input *input, enum fg_result result,
                   const struct fg_diag *diag);

/**
 * Frames [first, end) as the user counts them (the recorder's frame numbers) as indices, clipped
 * to what is there.
 */
void fgi_input_frame_range(const struct fgi_input *input, const struct fgi_option_range *range,
                           uint32_t *out_first, uint32_t *out_end);

/** For fg_open_options and exporters: a line on the terminal, at most ten times a second. */
struct fgi_progress {
    const char *what; /**< "reading demo.sgpt" */
    int64_t next_ns;
    bool is_shown;
};
/** False once the command was interrupted. */
bool fgi_progress_step(void *progress, uint64_t done, uint64_t total);
/** Wipes the line. */
void fgi_progress_end(struct fgi_progress *progress);
/**
 * Step a task to its end, with progress.
 *
 * @param what  "searching"
 * @param begun what making the task has given; nothing is done unless it is FG_OK
 * @return `begun`, FG_ERR_CANCELLED (interrupted), or what a step returned
 */
FG_MUST_USE enum fg_result fgi_task_run(struct fg_task *task, const char *what,
                                        enum fg_result begun);

#endif
