/* SPDX-License-Identifier: MIT */
/* The option that says who answers. */
#include "cli/device_choice.h"
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

static const struct fg_compute_runner *find_runner(void *context, struct fg_diag *diag)
{
    struct fgi_device_choice *choice = context;
    return fgi_device_runner(&choice->device, diag);
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
