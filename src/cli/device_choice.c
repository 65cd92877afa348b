/* SPDX-License-Identifier: MIT */
/* The option that says who answers. */
#include "cli/device_choice.h"
#include <frameglass/trace_engine.h>
#include <stdio.h>
#include <string.h>

static const char *const words[] = {
    [FG_OPEN_ENGINE_AUTO] = "auto",
    [FG_OPEN_ENGINE_CPU] = "cpu",
    [FG_OPEN_ENGINE_VULKAN] = "vulkan",
};
enum { WORDS = sizeof words / sizeof *words };

/* Its place in `words`; WORDS: none of them. */
static uint32_t engine_of(const struct fgi_device_choice *choice)
{
    uint32_t engine = choice->engine == NULL ? FG_OPEN_ENGINE_AUTO : 0;
    while (choice->engine != NULL && engine < WORDS && strcmp(choice->engine, words[engine]) != 0) {
        engine++;
    }
    return engine;
}

int fgi_device_choice_check(const char *command, const struct fgi_device_choice *choice)
{
    return engine_of(choice) < WORDS
               ? FGI_GO
               : fgi_command_fail(command, FGI_EXIT_USAGE, "--engine must be auto, cpu or vulkan");
}

void fgi_engine_words(const struct fg_engine *engine, char *text, size_t size)
{
    struct fg_engine_info info;
    fg_engine_get_info(engine, &info);
    const char *device = info.device != NULL ? info.device : "";
    const char *on = info.device != NULL ? " on " : "";
    if (info.reason != NULL) {
        snprintf(text, size, "the CPU in place of %s%s%s: %s", info.name, on, device, info.reason);
    } else if (info.device != NULL) {
        snprintf(text, size, "%s on %s", info.name, device);
    } else {
        snprintf(text, size, "the CPU");
    }
}

static const struct fg_compute_runner *find_runner(void *context, struct fg_diag *diag)
{
    struct fgi_device_choice *choice = context;
    bool is_new = choice->device == NULL;
    const struct fg_compute_runner *runner = fgi_device_runner(&choice->device, diag);
    if (runner != NULL && is_new && choice->profile != NULL) {
        enum fg_result result = fgi_device_record(choice->device, choice->profile);
        if (result != FG_OK) {
            fgi_command_fail("view", 0, "%s: what the device does is not recorded: %s",
                             choice->profile, fg_result_text(result));
        }
    }
    return runner;
}

void fgi_device_choice_use(struct fgi_device_choice *choice, struct fg_open_options *options)
{
    options->engine = engine_of(choice);
    options->runner = find_runner;
    options->runner_context = choice;
}

void fgi_device_choice_end(struct fgi_device_choice *choice)
{
    fgi_device_destroy(choice->device);
    choice->device = NULL;
}
