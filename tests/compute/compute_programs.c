/* SPDX-License-Identifier: MIT */
#include "compute_programs.h"

#include "kernels/mix.h"

#include <string.h>

enum { MOST_WORDS = 200 };

struct mix_push {
    uint64_t source;
    uint64_t target;
    uint32_t count;
    uint32_t salt;
    uint32_t keeps;
};

static const struct fg_compute_kernel mix = {
    .name = "mix",
    .code = FGI_CODE_mix,
    .push_bytes = sizeof(uint32_t) * 7,
};

struct program {
    uint32_t seed;
    struct fg_compute_view view;
    uint32_t group_size;
    const struct fg_compute_sink *sink;
    uint32_t *words;
};

uint32_t program_random(uint32_t *seed, uint32_t below)
{
    *seed ^= *seed << 13;
    *seed ^= *seed >> 17;
    *seed ^= *seed << 5;
    return *seed % below;
}

void program_words(uint32_t seed, uint32_t *words)
{
    for (uint32_t i = 0; i < PROGRAM_ALL; i++) {
        words[i] = program_random(&seed, UINT32_MAX);
    }
    /* Four arguments, of 0 .. 3 groups; each indirect dispatch begins with the last. */
    for (uint32_t i = 0; i < PROGRAM_CHOICES; i++) {
        words[PROGRAM_WORDS + i] = i % 4 == 0 ? i / 4 : 1;
    }
    for (uint32_t i = 0; i < PROGRAM_ARGUMENTS; i++) {
        words[PROGRAM_WORDS + PROGRAM_CHOICES + i] = words[PROGRAM_WORDS + 12 + i % 4];
    }
}

static struct fg_compute_view part(const struct program *program, uint32_t first, uint32_t count)
{
    return fg_compute_view_part(program->view, first * sizeof(uint32_t), count * sizeof(uint32_t));
}

/** Two ranges that do not overlap. */
static void pick(struct program *program, uint32_t *out_source, uint32_t *out_target,
                 uint32_t *out_count)
{
    do {
        *out_count = 1 + program_random(&program->seed, MOST_WORDS);
        *out_source = program_random(&program->seed, PROGRAM_WORDS - *out_count);
        *out_target = program_random(&program->seed, PROGRAM_WORDS - *out_count);
    } while (*out_source < *out_target + *out_count && *out_target < *out_source + *out_count);
}

/** @param indirect place of the arguments; 0 = a dispatch that is not */
static enum fg_result add_mix(struct program *program, uint32_t indirect)
{
    static const uint32_t sizes[] = { 0, 32, 64 };
    uint32_t source;
    uint32_t target;
    uint32_t count;
    pick(program, &source, &target, &count);
    const uint32_t group_size = indirect != 0 ? 32 : sizes[program_random(&program->seed, 3)];
    const uint32_t width = group_size != 0 ? group_size : program->group_size;
    const struct fg_compute_view from = part(program, source, count);
    const struct fg_compute_view to = part(program, target, count);
    const struct mix_push push = { .source = from.address,
                                   .target = to.address,
                                   .count = count,
                                   .salt = program_random(&program->seed, 1000),
                                   .keeps = program_random(&program->seed, 2) };
    const struct fg_compute_use uses[] = {
        { .view = from, .access = FG_COMPUTE_READ },
        { .view = to, .access = push.keeps != 0 ? FG_COMPUTE_READ_WRITE : FG_COMPUTE_WRITE },
    };
    const struct fg_compute_node node = {
        .name = "mix",
        .kind = indirect != 0 ? FG_COMPUTE_DISPATCH_INDIRECT : FG_COMPUTE_DISPATCH,
        .program = { .kernel = &mix, .group_size = group_size },
        .group_count = indirect != 0 ? 3 : (count + width - 1) / width,
        .arguments = indirect != 0 ? part(program, indirect, 4) : part(program, 0, 0),
        .push = &push,
        .uses = uses,
        .use_count = 2,
    };
    const uint32_t reached = indirect != 0 ? program->words[indirect] * width : count;
    for (uint32_t i = 0; i < count && i < reached; i++) {
        const uint32_t kept = push.keeps != 0 ? program->words[target + i] * 1664525u : 0;
        program->words[target + i] = kept + program->words[source + i] + push.salt + i;
    }
    return fg_compute_sink_add(program->sink, &node);
}

static enum fg_result add_fill(struct program *program)
{
    uint32_t source;
    uint32_t target;
    uint32_t count;
    pick(program, &source, &target, &count);
    for (uint32_t i = 0; i < count; i++) {
        program->words[target + i] = source;
    }
    return fg_compute_sink_add(
        program->sink, FG_COMPUTE_NODE(.name = "fill", .kind = FG_COMPUTE_FILL,
                                       .target = part(program, target, count), .word = source));
}

static enum fg_result add_copy(struct program *program, uint32_t source, uint32_t target,
                               uint32_t count)
{
    memmove(program->words + target, program->words + source, count * sizeof *program->words);
    return fg_compute_sink_add(program->sink,
                               FG_COMPUTE_NODE(.name = "copy", .kind = FG_COMPUTE_COPY,
                                               .source = part(program, source, count),
                                               .target = part(program, target, count)));
}

static enum fg_result add_publication(struct program *program)
{
    uint32_t source;
    uint32_t target;
    uint32_t count;
    pick(program, &source, &target, &count);
    const struct fg_compute_use uses[] = {
        { .view = part(program, source, count),
          .access = FG_COMPUTE_READ,
          .stages = VK_PIPELINE_STAGE_HOST_BIT,
          .accesses = VK_ACCESS_HOST_READ_BIT },
        { .view = part(program, target, count),
          .access = FG_COMPUTE_READ,
          .stages = VK_PIPELINE_STAGE_VERTEX_INPUT_BIT,
          .accesses = VK_ACCESS_VERTEX_ATTRIBUTE_READ_BIT },
    };
    return fg_compute_sink_add(program->sink,
                               FG_COMPUTE_NODE(.name = "published", .kind = FG_COMPUTE_PUBLISH,
                                               .uses = uses, .use_count = 2));
}

static enum fg_result add_any(struct program *program)
{
    const uint32_t argument =
        PROGRAM_WORDS + PROGRAM_CHOICES + 4 * program_random(&program->seed, PROGRAM_ARGUMENTS / 4);
    const uint32_t choice = PROGRAM_WORDS + 4 * program_random(&program->seed, PROGRAM_CHOICES / 4);
    uint32_t source;
    uint32_t target;
    uint32_t count;
    switch (program_random(&program->seed, 12)) {
    case 0:
        return add_fill(program);
    case 1:
    case 2:
        pick(program, &source, &target, &count);
        return add_copy(program, source, target, count);
    case 3:
        return add_copy(program, choice, argument, 4);
    case 4:
    case 5:
        return add_mix(program, argument);
    case 6:
        return add_publication(program);
    default:
        return add_mix(program, 0);
    }
}

enum fg_result program_add(uint32_t seed, uint32_t node_count, struct fg_compute_view view,
                           uint32_t group_size, const struct fg_compute_sink *sink, uint32_t *words)
{
    struct program program = {
        .seed = seed, .view = view, .group_size = group_size, .sink = sink, .words = words
    };
    enum fg_result result = FG_OK;
    for (uint32_t i = 0; result == FG_OK && i < node_count; i++) {
        result = add_any(&program);
    }
    return result;
}
