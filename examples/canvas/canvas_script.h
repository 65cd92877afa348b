/* SPDX-License-Identifier: MIT */
/*
 * Input that was written down: a line for each event, "FRAME WORD NUMBERS...", in order of frames.
 *
 *     10 press 100 80       15 move 140 90        20 release
 *     30 pan 8 0            40 zoom 1.1 320 240   50 key P shift alt     60 idle 50 (milliseconds)
 *     70 to 90 pan 4 2      the same in each of these frames
 */
#ifndef CANVAS_SCRIPT_H
#define CANVAS_SCRIPT_H
#include "canvas_editor.h"

struct cv_script {
    const char *text; /**< borrowed, or `owned` */
    char *owned;
};

/**
 * @param name_or_path one that is built in ("still", "pan", "zoom", "drag", "edit", "tour"), or a
 *                     file; NULL = "still"
 * @return false: no such file, or it is not understood; said on standard error
 */
bool cv_script_open(struct cv_script *script, const char *name_or_path);
void cv_script_close(struct cv_script *script);
/**
 * Give what is written for this frame to the editor.
 *
 * @param out_idle_ms how long nothing happens before it; 0
 */
void cv_script_play(const struct cv_script *script, uint64_t frame, struct cv_editor *editor,
                    uint32_t *out_idle_ms);

#endif
