/* SPDX-License-Identifier: MIT */
#include "game_sound.h"

#include <frameglass/instrument.h>
#include <frameglass/object.h>
#include <pthread.h>
#include <stdlib.h>

enum { BLOCK_NS = 10000000, SAMPLES = 480 };

struct voice {
    struct voice *next;
    struct fg_object object;
    uint32_t blocks_left;
    float phase;
};
struct gm_sound {
    pthread_t thread;
    pthread_mutex_t lock; /* guards what follows, up to the line */
    pthread_cond_t wanted;
    struct voice *voices;
    int64_t wanted_ns;
    bool ending;
    /* ---- */
    uint64_t voice_count;   /* the player's */
    struct fg_loop *blocks; /* the thread's, from here on */
    float mixed[SAMPLES];
};

static void forget(struct voice *voice)
{
    FG_GAUGE_ADD("Audio/AllocatedVoices", FG_UNIT_COUNT, -1);
    (void)fg_object_destroy(&voice->object);
    free(voice);
}

/* With the lock. */
static void mix_block(struct gm_sound *sound)
{
    FG_ZONE("Audio/Mix");
    struct voice **at = &sound->voices;
    while (*at != NULL) {
        struct voice *voice = *at;
        for (int i = 0; i < SAMPLES; i++) {
            sound->mixed[i] = sound->mixed[i] * 0.5f + voice->phase;
            voice->phase = voice->phase > 1.0f ? 0.0f : voice->phase + 0.01f;
        }
        if (--voice->blocks_left == 0) {
            *at = voice->next;
            forget(voice);
        } else {
            at = &voice->next;
        }
    }
}

static void *play(void *context)
{
    struct gm_sound *sound = context;
    fg_thread_set_name("sound");
    if (fg_loop_create("sound blocks", &sound->blocks) != FG_OK) {
        sound->blocks = NULL; /* the diagnostics are off: NULL would be the process's own loop */
    }
    (void)pthread_mutex_lock(&sound->lock);
    while (!sound->ending || sound->wanted_ns >= BLOCK_NS) {
        if (sound->wanted_ns < BLOCK_NS) {
            (void)pthread_cond_wait(&sound->wanted, &sound->lock);
            continue;
        }
        sound->wanted_ns -= BLOCK_NS;
        const bool in_frame = sound->blocks != NULL && fg_loop_begin(sound->blocks);
        mix_block(sound);
        FG_COUNTER_ADD("Audio/Blocks", FG_UNIT_COUNT, 1);
        if (in_frame) {
            (void)fg_loop_end(sound->blocks);
        }
    }
    (void)pthread_mutex_unlock(&sound->lock);
    fg_loop_destroy(sound->blocks);
    return NULL;
}

struct gm_sound *gm_sound_create(void)
{
    struct gm_sound *sound = calloc(1, sizeof(*sound));
    if (sound == NULL) {
        return NULL;
    }
    (void)pthread_mutex_init(&sound->lock, NULL);
    (void)pthread_cond_init(&sound->wanted, NULL);
    if (pthread_create(&sound->thread, NULL, play, sound) != 0) {
        (void)pthread_cond_destroy(&sound->wanted);
        (void)pthread_mutex_destroy(&sound->lock);
        free(sound);
        return NULL;
    }
    return sound;
}

void gm_sound_destroy(struct gm_sound *sound)
{
    if (sound == NULL) {
        return;
    }
    (void)pthread_mutex_lock(&sound->lock);
    sound->ending = true;
    (void)pthread_cond_signal(&sound->wanted);
    (void)pthread_mutex_unlock(&sound->lock);
    (void)pthread_join(sound->thread, NULL);
    while (sound->voices != NULL) {
        struct voice *voice = sound->voices;
        sound->voices = voice->next;
        forget(voice);
    }
    (void)pthread_cond_destroy(&sound->wanted);
    (void)pthread_mutex_destroy(&sound->lock);
    free(sound);
}

void gm_sound_play(struct gm_sound *sound, uint32_t block_count)
{
    struct voice *voice = calloc(1, sizeof(*voice));
    if (voice == NULL) {
        return;
    }
    voice->blocks_left = block_count;
    voice->object = fg_object_create(&(struct fg_object_desc){
        .type = FG_OBJECT_AUDIO_VOICE, .name = "voice", .size_bytes = sizeof(*voice) });
    /* Made in every mode, so that what goes does not take it below zero. */
    FG_GAUGE_ADD("Audio/AllocatedVoices", FG_UNIT_COUNT, 1);
    FG_COUNTER_ADD("Audio/VoiceCreations", FG_UNIT_COUNT, 1);
    sound->voice_count++;
    (void)pthread_mutex_lock(&sound->lock);
    voice->next = sound->voices;
    sound->voices = voice;
    (void)pthread_mutex_unlock(&sound->lock);
}

void gm_sound_advance(struct gm_sound *sound, int64_t duration_ns)
{
    (void)pthread_mutex_lock(&sound->lock);
    sound->wanted_ns += duration_ns;
    (void)pthread_cond_signal(&sound->wanted);
    (void)pthread_mutex_unlock(&sound->lock);
}

uint64_t gm_sound_voices(const struct gm_sound *sound)
{
    return sound->voice_count;
}
