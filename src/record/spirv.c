/* SPDX-License-Identifier: MIT */
/*
 * A module is a header and a list of instructions, each of which says its own length. What is
 * needed here stands before the first function, and few ids of it: each is looked up by walking the
 * list again, so that a module of any size needs no memory.
 */
#include "record/spirv.h"
#include "base/result.h"
#include <string.h>

enum {
    HEADER_WORDS = 5,
    MAGIC = 0x07230203,

    OP_ENTRY_POINT = 15,
    OP_EXECUTION_MODE = 16,
    OP_TYPE_INT = 21,
    OP_CONSTANT = 43,
    OP_CONSTANT_COMPOSITE = 44,
    OP_SPEC_CONSTANT = 50,
    OP_SPEC_CONSTANT_COMPOSITE = 51,
    OP_FUNCTION = 54,
    OP_DECORATE = 71,
    OP_EXECUTION_MODE_ID = 331,

    MODE_LOCAL_SIZE = 17,
    MODE_LOCAL_SIZE_ID = 38,
    DECORATION_SPEC_ID = 1,
    DECORATION_BUILT_IN = 11,
    BUILT_IN_WORKGROUP_SIZE = 25,

    MODEL_GL_COMPUTE = 5,
    MODEL_KERNEL = 6,
    MODEL_TASK_NV = 5267,
    MODEL_MESH_NV = 5268,
    MODEL_TASK = 5364,
    MODEL_MESH = 5365,
};

#define MAGIC_SWAPPED UINT32_C(0x03022307)

struct module {
    const uint32_t *words;
    size_t declarations_end; /**< words before the first function */
};

/** One instruction; words[0] is its length and opcode. */
struct instruction {
    const uint32_t *words;
    uint32_t opcode;
    uint32_t length;
};

/** The declaration at `*position`, moved past it; false at the end. Lengths were checked before. */
static bool next(const struct module *module, size_t *position, struct instruction *out)
{
    if (*position >= module->declarations_end) {
        return false;
    }
    out->words = module->words + *position;
    out->opcode = out->words[0] & 0xffff;
    out->length = out->words[0] >> 16;
    *position += out->length;
    return true;
}

/** The fewest words that the instructions read here must have; 1 for all others. */
static uint32_t shortest(uint32_t opcode)
{
    switch (opcode) {
    case OP_ENTRY_POINT:
    case OP_TYPE_INT:
    case OP_CONSTANT:
    case OP_SPEC_CONSTANT:
        return 4;
    case OP_EXECUTION_MODE:
    case OP_EXECUTION_MODE_ID:
    case OP_CONSTANT_COMPOSITE:
    case OP_SPEC_CONSTANT_COMPOSITE:
    case OP_DECORATE:
        return 3;
    default:
        return 1;
    }
}

/** Walk all of it once, so that nothing later has to check a length again. */
static enum fg_result check_layout(const uint32_t *words, size_t word_count,
                                   struct module *out_module, struct fg_diag *diag)
{
    if (word_count < HEADER_WORDS) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0,
                        "SPIR-V has a header of 5 words, this has %zu words", word_count);
    }
    if (words[0] == MAGIC_SWAPPED) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0, "SPIR-V in the other byte order");
    }
    if (words[0] != MAGIC) {
        return fgi_fail(diag, FG_ERR_FORMAT, 0, "not SPIR-V: the first word is 0x%08x",
                        (unsigned)words[0]);
    }
    size_t position = HEADER_WORDS;
    size_t declarations_end = 0;
    while (position < word_count) {
        uint32_t opcode = words[position] & 0xffff;
        uint32_t length = words[position] >> 16;
        if (length == 0 || length > word_count - position) {
            return fgi_fail(diag, FG_ERR_CORRUPT, (uint64_t)position * 4,
                            "instruction %u says %u words, %zu are left", (unsigned)opcode,
                            (unsigned)length, word_count - position);
        }
        if (length < shortest(opcode)) {
            return fgi_fail(diag, FG_ERR_CORRUPT, (uint64_t)position * 4,
                            "instruction %u is cut short: %u words", (unsigned)opcode,
                            (unsigned)length);
        }
        if (opcode == OP_FUNCTION && declarations_end == 0) {
            declarations_end = position;
        }
        position += length;
    }
    out_module->words = words;
    out_module->declarations_end = declarations_end ? declarations_end : word_count;
    return FG_OK;
}

static bool has_workgroups(uint32_t model)
{
    return model == MODEL_GL_COMPUTE || model == MODEL_KERNEL || model == MODEL_TASK_NV ||
           model == MODEL_MESH_NV || model == MODEL_TASK || model == MODEL_MESH;
}

/** True when the text packed in words (low byte first) from word `first` on is exactly `name`. */
static bool literal_is(const struct instruction *instruction, uint32_t first, const char *name)
{
    size_t capacity = (size_t)(instruction->length - first) * 4;
    for (size_t i = 0; i < capacity; i++) {
        char letter = (char)(instruction->words[first + i / 4] >> (i % 4 * 8) & 0xff);
        if (letter != name[i]) {
            return false;
        }
        if (letter == 0) {
            return true;
        }
    }
    return false;
}

/**
 * Entry points of one name may exist once per execution model: the one with workgroups is meant.
 * `*out_id` is 0 when the only ones of that name have none, or when no name was given and there is
 * a choice.
 */
static enum fg_result find_entry_point(const struct module *module, const char *name,
                                       uint32_t *out_id, struct fg_diag *diag)
{
    struct instruction instruction;
    size_t found = 0;
    size_t candidates = 0;
    uint32_t id = 0;
    for (size_t position = HEADER_WORDS; next(module, &position, &instruction);) {
        if (instruction.opcode != OP_ENTRY_POINT ||
            (name != NULL && !literal_is(&instruction, 3, name))) {
            continue;
        }
        found++;
        if (has_workgroups(instruction.words[1])) {
            candidates++;
            id = instruction.words[2];
        }
    }
    if (found == 0) {
        return fgi_fail(diag, FG_ERR_NOT_FOUND, 0, "no entry point %s%.100s", name ? "named " : "",
                        name ? name : "at all");
    }
    *out_id = candidates == 1 ? id : 0;
    return FG_OK;
}

/** The instruction that gives a constant its id; all four kinds keep it in word 2. */
static bool find_constant(const struct module *module, uint32_t id, struct instruction *out)
{
    for (size_t position = HEADER_WORDS; next(module, &position, out);) {
        if ((out->opcode == OP_CONSTANT || out->opcode == OP_SPEC_CONSTANT ||
             out->opcode == OP_CONSTANT_COMPOSITE || out->opcode == OP_SPEC_CONSTANT_COMPOSITE) &&
            out->words[2] == id) {
            return true;
        }
    }
    return false;
}

static bool is_int32(const struct module *module, uint32_t type)
{
    struct instruction instruction;
    for (size_t position = HEADER_WORDS; next(module, &position, &instruction);) {
        if (instruction.opcode == OP_TYPE_INT && instruction.words[1] == type) {
            return instruction.words[2] == 32;
        }
    }
    return false;
}

/** True when `id` carries the decoration; its operand is wanted where `out_operand` is given. */
static bool decoration_of(const struct module *module, uint32_t id, uint32_t decoration,
                          uint32_t *out_operand)
{
    struct instruction instruction;
    for (size_t position = HEADER_WORDS; next(module, &position, &instruction);) {
        if (instruction.opcode == OP_DECORATE && instruction.length >= 4 &&
            instruction.words[1] == id && instruction.words[2] == decoration) {
            *out_operand = instruction.words[3];
            return true;
        }
    }
    return false;
}

/** Value of a 32-bit integer constant; false where it is not known. */
static bool scalar_value(const struct module *module, uint32_t id,
                         const struct fgi_spirv_specialization *specialization, uint32_t *out_value)
{
    struct instruction constant;
    uint32_t spec_id;
    if (!find_constant(module, id, &constant) || !is_int32(module, constant.words[1])) {
        return false;
    }
    if (constant.opcode == OP_SPEC_CONSTANT) {
        if (specialization == NULL) {
            return false;
        }
        if (decoration_of(module, id, DECORATION_SPEC_ID, &spec_id)) {
            for (size_t i = 0; i < specialization->count; i++) {
                if (specialization->constants[i].id == spec_id) {
                    *out_value = specialization->constants[i].value;
                    return true;
                }
            }
        }
    } else if (constant.opcode != OP_CONSTANT) {
        return false;
    }
    *out_value = constant.words[3];
    return true;
}

static bool scalar_values(const struct module *module, const uint32_t ids[3],
                          const struct fgi_spirv_specialization *specialization,
                          uint32_t out_values[3])
{
    for (int i = 0; i < 3; i++) {
        if (!scalar_value(module, ids[i], specialization, &out_values[i])) {
            return false;
        }
    }
    return true;
}

/** The module's constant that is decorated WorkgroupSize; 0 when there is none. */
static uint32_t find_workgroup_constant(const struct module *module)
{
    struct instruction instruction;
    for (size_t position = HEADER_WORDS; next(module, &position, &instruction);) {
        if (instruction.opcode == OP_DECORATE && instruction.length >= 4 &&
            instruction.words[2] == DECORATION_BUILT_IN &&
            instruction.words[3] == BUILT_IN_WORKGROUP_SIZE) {
            return instruction.words[1];
        }
    }
    return 0;
}

/** The mode's instruction for an entry point; false when it has none with three operands. */
static bool find_mode(const struct module *module, uint32_t entry_point, uint32_t opcode,
                      uint32_t mode, struct instruction *out)
{
    for (size_t position = HEADER_WORDS; next(module, &position, out);) {
        if (out->opcode == opcode && out->length >= 6 && out->words[1] == entry_point &&
            out->words[2] == mode) {
            return true;
        }
    }
    return false;
}

static void resolve(const struct module *module, uint32_t entry_point,
                    const struct fgi_spirv_specialization *specialization,
                    struct fgi_spirv_workgroup *workgroup)
{
    struct instruction instruction;
    uint32_t constant = find_workgroup_constant(module);
    if (constant != 0) {
        workgroup->known =
            find_constant(module, constant, &instruction) &&
            (instruction.opcode == OP_CONSTANT_COMPOSITE ||
             instruction.opcode == OP_SPEC_CONSTANT_COMPOSITE) &&
            instruction.length == 6 &&
            scalar_values(module, instruction.words + 3, specialization, workgroup->size);
    } else if (find_mode(module, entry_point, OP_EXECUTION_MODE_ID, MODE_LOCAL_SIZE_ID,
                         &instruction)) {
        workgroup->known =
            scalar_values(module, instruction.words + 3, specialization, workgroup->size);
    } else if (find_mode(module, entry_point, OP_EXECUTION_MODE, MODE_LOCAL_SIZE, &instruction)) {
        memcpy(workgroup->size, instruction.words + 3, sizeof workgroup->size);
        workgroup->known = true;
    }
}

enum fg_result fgi_spirv_workgroup(const uint32_t *words, size_t word_count,
                                   const char *entry_point,
                                   const struct fgi_spirv_specialization *specialization,
                                   struct fgi_spirv_workgroup *out_workgroup, struct fg_diag *diag)
{
    struct module module;
    struct fgi_spirv_workgroup workgroup = { 0 };
    uint32_t id = 0;
    if (words == NULL || out_workgroup == NULL) {
        return fgi_fail(diag, FG_ERR_ARGUMENT, 0, "no module");
    }
    enum fg_result result = check_layout(words, word_count, &module, diag);
    if (result != FG_OK) {
        return result;
    }
    result = find_entry_point(&module, entry_point, &id, diag);
    if (result != FG_OK) {
        return result;
    }
    if (id != 0) {
        resolve(&module, id, specialization, &workgroup);
    }
    if (workgroup.known &&
        (workgroup.size[0] == 0 || workgroup.size[1] == 0 || workgroup.size[2] == 0)) {
        return fgi_fail(diag, FG_ERR_CORRUPT, 0, "a workgroup of %u x %u x %u invocations",
                        (unsigned)workgroup.size[0], (unsigned)workgroup.size[1],
                        (unsigned)workgroup.size[2]);
    }
    if (!workgroup.known) {
        memset(workgroup.size, 0, sizeof workgroup.size);
    }
    *out_workgroup = workgroup;
    return FG_OK;
}
