/* SPDX-License-Identifier: MIT */
/*
 * A thread with a rhythm of its own, as a sound device has: a block of ten milliseconds at a time.
 * It is a loop of its own for Frameglass too, beside the frames of the process.
 */
#ifndef GAME_SOUND_H
#define GAME_SOUND_H
#include <stdint.h>

struct gm_sound;
/** NULL: out of memory or threads */
struct gm_sound *gm_sound_create(void);
/** Plays to the end of what it was given, then forgets its voices. */
void gm_sound_destroy(struct gm_sound *sound);
/** Start a voice; it lasts so many blocks. */
void gm_sound_play(struct gm_sound *sound, uint32_t block_count);
/** The device wants the sound of so much time. */
void gm_sound_advance(struct gm_sound *sound, int64_t duration_ns);
/** Voices that were made so far. */
uint64_t gm_sound_voices(const struct gm_sound *sound);

#endif
