/* SPDX-License-Identifier: MIT */
/* The capture itself, as it is or redacted, for commands that write it somewhere. */
#ifndef FGI_CLI_COPY_H
#define FGI_CLI_COPY_H
#include "cli/cli_input.h"

/**
 * Write the bytes of an input that is a capture: unpacked, and with nothing left that a person
 * chose when `redact` is set. What could not be kept is told on standard error.
 *
 * @param sink only written forward, if it has no patch function
 * @param diag NULL, or where to say why not
 * @return FG_OK, FG_ERR_UNSUPPORTED (no capture), or what reading and writing returned
 */
FG_MUST_USE enum fg_result fgi_copy_capture(const struct fgi_input *input, bool redact,
                                            const struct fg_sink *sink, struct fg_diag *diag);

/** What a capture has no room for: by kind, in words, as it is found. */
struct fgi_left_out {
    struct {
        const char *what;
        uint64_t count;
    } kinds[16];
    size_t count;
};
/**
 * Write the trace of an input as a capture: copied where it is one, else converted.
 *
 * @param sink         one that cannot be patched gets all of it at once, when it is whole
 * @param out_left_out what found no room
 */
FG_MUST_USE enum fg_result fgi_convert_capture(const struct fgi_input *input,
                                               const struct fg_sink *sink, struct fg_diag *diag,
                                               struct fgi_left_out *out_left_out);

#endif
