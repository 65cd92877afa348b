/* SPDX-License-Identifier: MIT */
/* A Vulkan device of this machine that questions about traces are answered on, and its queue. */
#ifndef FGI_DEVICE_CHOICE_H
#define FGI_DEVICE_CHOICE_H
#include "cli/command.h"
#include <frameglass/open.h>

/** Who answers, as a command was told. Zero is "auto" without a device so far. */
struct fgi_device_choice {
    const char *engine; /**< "auto", "cpu", "vulkan"; NULL = auto */
    struct fgi_device *device;
    const char *profile; /**< where to record what the device does; NULL = nowhere */
};

/** The option, for commands that ask about whole traces; into `options`. */
#define FGI_OPTION_ENGINE(choice)                                                                  \
    {                                                                                              \
        .name = "engine", .kind = FGI_OPTION_TEXT, .value = &(choice)->engine,                     \
        .argument = "auto|cpu|vulkan",                                                             \
        .about = "who answers; auto: of a large trace whoever is faster"                           \
    }
/** The same for commands that ask once: the word alone goes to fgi_input_open_engine(). */
#define FGI_OPTION_ONE_ENGINE(word)                                                                \
    {                                                                                              \
        .name = "engine", .kind = FGI_OPTION_TEXT, .value = (word), .argument = "auto|cpu|vulkan", \
        .about = "who answers; cpu when not given"                                                 \
    }
/** As words of a sentence: "vulkan on LLVM 15", "the CPU in place of vulkan: no driver". */
void fgi_engine_words(const struct fg_engine *engine, char *text, size_t size);
/** FGI_GO, or the exit status for a word that is none of the three, told on standard error. */
int fgi_device_choice_check(const char *command, const struct fgi_device_choice *choice);
/**
 * Set what opening needs. The device is made when it is wanted.
 *
 * @param choice outlives the document: fgi_device_choice_end() after that is closed
 */
void fgi_device_choice_use(struct fgi_device_choice *choice, struct fg_open_options *options);
/** Ends the device, if one was made. */
void fgi_device_choice_end(struct fgi_device_choice *choice);

/** Of os_device.c, or of device_none.c where the build has no engine on devices. */
const struct fg_compute_runner *fgi_device_runner(struct fgi_device **device, struct fg_diag *diag);
struct fgi_render_device;
/** What drawing needs of a device that was made besides; false: its queue does not draw. */
bool fgi_device_drawing(const struct fgi_device *device, struct fgi_render_device *out_drawing);
/** Record from now on what the device does, as a capture at `path` (device_profile.h). */
FG_MUST_USE enum fg_result fgi_device_record(struct fgi_device *device, const char *path);
/** NULL is legal. */
void fgi_device_destroy(struct fgi_device *device);

#endif
