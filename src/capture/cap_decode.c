/* SPDX-License-Identifier: MIT */
/* One record: decode, check, learn. FORMAT.md, 9.3. */
#include "capture/cap_reader_priv.h"

#include <string.h>

/* What decoding a record has found out, before anything is named. */
struct finding {
    enum fg_capture_defect_kind refusal; /* 0 = used */
    uint64_t refusal_detail;
    bool symbol_changed;
    uint32_t changed_symbol;
    bool topology_unknown;
    uint32_t topology;
    bool template_unknown;
    uint32_t template_id;
    bool frame_unknown;
    bool frame_order;
    uint64_t frame;
};

static void refuse(struct finding *finding, enum fg_capture_defect_kind kind, uint64_t detail)
{
    finding->refusal = kind;
    finding->refusal_detail = detail;
}

static struct fgi_codec decoder(struct fg_capture *capture, uint32_t length)
{
    return (struct fgi_codec){
        .mode = FGI_CODEC_DECODE,
        .in = fgi_reader_make(capture->payload, length),
        .arena = &capture->arena,
        .on_ref = fgi_known_ref,
        .context = capture,
    };
}

/* FG_OK and perhaps a refusal; FG_ERR_NO_MEMORY. */
static enum fg_result codec_outcome(const struct fgi_codec *codec, uint32_t type,
                                    struct finding *finding)
{
    enum fg_result result = fgi_c_result(codec);
    if (result == FG_ERR_CORRUPT) {
        refuse(finding, FG_CAPTURE_DEFECT_bad_payload, type);
        return FG_OK;
    }
    return result;
}

static void check_outcome(const struct fgi_frame_outcome *outcome, struct finding *finding)
{
    if (outcome->pass_range) {
        refuse(finding, FG_CAPTURE_DEFECT_pass_range, outcome->bad_pass);
    } else if (outcome->resource_range) {
        refuse(finding, FG_CAPTURE_DEFECT_resource_range, outcome->bad_resource);
    }
}

/* ---- Checks by kind -------------------------------------------------------------------------- */

static void check_topology(struct fg_capture *capture, const struct fg_cap_topology *topology,
                           uint32_t length, struct finding *finding, bool *out_restated)
{
    struct fgi_frame_outcome outcome;
    if (!fgi_topology_check(topology, &outcome)) {
        check_outcome(&outcome, finding);
        return;
    }
    if (fgi_known_same_topology(capture, topology->id, length, out_restated) != FG_OK) {
        refuse(finding, FG_CAPTURE_DEFECT_topology_changed, topology->id);
    }
}

/* The first instance that is outside of the count. */
static bool bad_instance(const struct fg_cap_gpu_frame *gpu, uint32_t *out_instance)
{
    for (size_t i = 0; i < gpu->span_count; i++) {
        *out_instance = gpu->spans[i].instance;
        if (*out_instance >= gpu->instance_count) {
            return true;
        }
    }
    for (size_t i = 0; i < gpu->statistics_count; i++) {
        *out_instance = gpu->statistics[i].instance;
        if (*out_instance >= gpu->instance_count) {
            return true;
        }
    }
    for (size_t i = 0; i < gpu->resolved_count; i++) {
        *out_instance = gpu->resolved[i].instance;
        if (*out_instance >= gpu->instance_count) {
            return true;
        }
    }
    return false;
}

static void check_gpu_frame(struct fg_capture *capture, const struct fg_cap_gpu_frame *gpu,
                            struct finding *finding)
{
    uint32_t instance;
    uint32_t count = FGI_PASSES_UNKNOWN;
    if (bad_instance(gpu, &instance)) {
        refuse(finding, FG_CAPTURE_DEFECT_pass_range, instance);
        return;
    }
    bool known = fgi_map64_get(&capture->frame_passes, gpu->frame, &count);
    if (known && count != FGI_PASSES_UNKNOWN && count != gpu->instance_count) {
        refuse(finding, FG_CAPTURE_DEFECT_instance_mismatch, gpu->instance_count);
        return;
    }
    finding->frame = gpu->frame;
    finding->frame_unknown = !known && capture->from_start;
}

/* Parents are stated before their children, in an earlier record or in this one. */
static enum fg_result check_stacks(struct fg_capture *capture, const struct fg_cap_stacks *stacks)
{
    struct fgi_map64 stated = { .allocator = capture->allocator };
    enum fg_result result = FG_OK;
    for (size_t i = 0; i < stacks->stack_count && result == FG_OK; i++) {
        uint32_t parent = stacks->stacks[i].parent;
        uint32_t ignored;
        if (parent != FG_CAP_NONE && !fgi_map64_get(&stated, parent, &ignored)) {
            fgi_known_ref(capture, FGI_REF_STACK, parent);
        }
        result = fgi_map64_put(&stated, stacks->stacks[i].id, 0);
    }
    fgi_map64_finish(&stated);
    return result;
}

static enum fg_result check_plain(struct fg_capture *capture, uint32_t length,
                                  struct fg_capture_record *record, struct finding *finding)
{
    size_t bad;
    switch (record->type) {
    case FG_CAPTURE_META:
        if (capture->meta_taken) {
            refuse(finding, FG_CAPTURE_DEFECT_meta_repeated, 0);
        }
        return FG_OK;
    case FG_CAPTURE_TOPO:
        check_topology(capture, record->topology, length, finding, &record->restated);
        return FG_OK;
    case FG_CAPTURE_GSPN:
        check_gpu_frame(capture, record->gpu_frame, finding);
        return FG_OK;
    case FG_CAPTURE_SPAN:
        bad = fgi_block_spans_check(record->span_block);
        if (bad != record->span_block->span_count) {
            refuse(finding, FG_CAPTURE_DEFECT_bad_order, bad);
        }
        return FG_OK;
    case FG_CAPTURE_DEPS:
        bad = fgi_dependencies_check(record->dependencies);
        if (bad != record->dependencies->dependency_count) {
            refuse(finding, FG_CAPTURE_DEFECT_bad_order, bad);
        }
        return FG_OK;
    case FG_CAPTURE_STAK:
        return check_stacks(capture, record->stacks);
    default:
        return FG_OK;
    }
}

/* ---- What a used record defines -------------------------------------------------------------- */

static enum fg_result learn_id(struct fg_capture *capture, struct fg_capture_record *record,
                               enum fgi_codec_ref kind, uint32_t id)
{
    record->restated = fgi_known_id(capture, kind, id);
    return fgi_known_add_id(capture, kind, id);
}

static enum fg_result learn(struct fg_capture *capture, struct fg_capture_record *record,
                            struct finding *finding)
{
    enum fg_result result = FG_OK;
    switch (record->type) {
    case FG_CAPTURE_META:
        capture->meta_taken = true;
        return FG_OK;
    case FG_CAPTURE_SYMS:
        return fgi_known_add_symbols(capture, record->symbols, &finding->symbol_changed,
                                     &finding->changed_symbol);
    case FG_CAPTURE_TOPO:
        return fgi_known_add_topology(capture, record->topology->id, record->length);
    case FG_CAPTURE_TRAK:
        return learn_id(capture, record, FGI_REF_TRACK, record->track->id);
    case FG_CAPTURE_CLKS:
        return learn_id(capture, record, FGI_REF_CLOCK, record->clock->id);
    case FG_CAPTURE_PROC:
        return learn_id(capture, record, FGI_REF_PROCESS, record->process->id);
    case FG_CAPTURE_MDEF:
        return learn_id(capture, record, FGI_REF_METRIC, record->metric->id);
    case FG_CAPTURE_STAK:
        for (size_t i = 0; i < record->stacks->stack_count && result == FG_OK; i++) {
            result = learn_id(capture, record, FGI_REF_STACK, record->stacks->stacks[i].id);
        }
        return result;
    default:
        return FG_OK;
    }
}

/* ---- Kinds that one function does not describe ----------------------------------------------- */

static enum fg_result decode_frame(struct fg_capture *capture, struct fg_capture_record *record,
                                   struct finding *finding)
{
    struct fgi_codec codec = decoder(capture, record->length);
    struct fgi_frame_context context = {
        .topology = fgi_known_topology,
        .find_template = fgi_known_template,
        .context = capture,
    };
    struct fgi_frame_outcome outcome;
    struct fg_cap_frame *frame = fgi_arena_alloc(&capture->arena, 1, sizeof *frame);
    if (frame == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    fgi_frame_decode(&codec, frame, &context, &outcome);
    enum fg_result result = codec_outcome(&codec, record->type, finding);
    if (result != FG_OK || finding->refusal != 0) {
        return result;
    }
    check_outcome(&outcome, finding);
    if (finding->refusal != 0) {
        return FG_OK;
    }
    finding->topology_unknown = outcome.topology_unknown;
    finding->topology = frame->topology;
    finding->template_unknown = record->incomplete = outcome.template_unknown;
    finding->template_id = outcome.template_id;
    finding->frame = frame->frame;
    finding->frame_order = capture->any_frame && frame->frame <= capture->last_frame;
    record->frame = frame;
    uint32_t count = record->incomplete ? FGI_PASSES_UNKNOWN : (uint32_t)frame->gpu_pass_count;
    result = fgi_map64_put(&capture->frame_passes, frame->frame, count);
    if (result == FG_OK) {
        capture->any_frame = true;
        capture->last_frame = frame->frame;
    }
    return result;
}

static enum fg_result decode_template(struct fg_capture *capture, struct fg_capture_record *record,
                                      struct finding *finding)
{
    struct fgi_codec codec = decoder(capture, record->length);
    struct fgi_template shapes = { 0 };
    fgi_fields_template(&codec, &shapes);
    enum fg_result result = codec_outcome(&codec, record->type, finding);
    if (result != FG_OK || finding->refusal != 0) {
        return result;
    }
    if (fgi_known_same_template(capture, shapes.id, record->length, &record->restated) != FG_OK) {
        refuse(finding, FG_CAPTURE_DEFECT_template_changed, shapes.id);
        return FG_OK;
    }
    return fgi_known_add_template(capture, shapes.id, record->length);
}

static enum fg_result decode_checkpoint(struct fg_capture *capture,
                                        struct fg_capture_record *record, struct finding *finding)
{
    struct fgi_reader in = fgi_reader_make(capture->payload, record->length);
    (void)fgi_get_varint32(&in);
    (void)fgi_get_raw(&in, 16);
    (void)fgi_get_varint(&in);
    (void)fgi_get_varint(&in);
    if (in.failed) {
        refuse(finding, FG_CAPTURE_DEFECT_bad_payload, record->type);
        return FG_OK;
    }
    fgi_known_forget_templates(capture);
    return FG_OK;
}

/* Index of the first record that the directory and the records taken do not agree on. The last one
 * taken is the directory itself, which is not listed; one that is not valid is, as any record. */
static bool directory_differs(const struct fg_capture *capture,
                              const struct fgi_cap_directory *directory, uint32_t *out_index)
{
    size_t first = 0;
    size_t end = capture->taken_count - 1;
    while (first < end && capture->taken[first].offset < directory->section_offset) {
        first++;
    }
    size_t count = end - first;
    for (*out_index = 0; *out_index < directory->record_count; (*out_index)++) {
        struct fgi_cap_record_entry entry = fgi_cap_directory_record(capture->payload, *out_index);
        if (*out_index >= count) {
            return true;
        }
        const struct fgi_cap_record_entry *taken = &capture->taken[first + *out_index];
        if (entry.type != taken->type || entry.length != taken->length ||
            entry.offset != taken->offset) {
            return true;
        }
    }
    return *out_index != count;
}

static void decode_directory(struct fg_capture *capture, struct fg_capture_record *record,
                             struct finding *finding)
{
    struct fgi_cap_directory directory;
    uint32_t index;
    if (!fgi_cap_directory_load(capture->payload, record->length, record->offset, &directory)) {
        refuse(finding, FG_CAPTURE_DEFECT_bad_payload, record->type);
        return;
    }
    bool damage = capture->last_damage != 0 && capture->last_damage >= directory.section_offset;
    bool whole = capture->from_start && !damage;
    if (whole && directory_differs(capture, &directory, &index)) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_directory_mismatch, record->offset, index);
    }
    capture->taken_count = 0;
}

static enum fg_result decode_plain(struct fg_capture *capture, struct fg_capture_record *record,
                                   const struct fgi_codec_entry *entry, struct finding *finding)
{
    struct fgi_codec codec = decoder(capture, record->length);
    void *data = fgi_arena_alloc(&capture->arena, 1, entry->size);
    if (data == NULL) {
        return FG_ERR_NO_MEMORY;
    }
    entry->fields(&codec, data);
    enum fg_result result = codec_outcome(&codec, record->type, finding);
    if (result != FG_OK || finding->refusal != 0) {
        return result;
    }
    record->data = data;
    result = check_plain(capture, record->length, record, finding);
    if (result != FG_OK || finding->refusal != 0) {
        return result;
    }
    return learn(capture, record, finding);
}

static enum fg_result decode_kind(struct fg_capture *capture, struct fg_capture_record *record,
                                  struct finding *finding)
{
    const struct fgi_codec_entry *entry = fgi_codec_find(record->type);
    if (record->length > capture->max_payload_bytes) {
        refuse(finding, FG_CAPTURE_DEFECT_bad_payload, record->type);
        return FG_OK;
    }
    if (entry != NULL) {
        return decode_plain(capture, record, entry, finding);
    }
    switch (record->type) {
    case FG_CAPTURE_FRAM:
        return decode_frame(capture, record, finding);
    case FG_CAPTURE_TMPL:
        return decode_template(capture, record, finding);
    case FG_CAPTURE_CKPT:
        return decode_checkpoint(capture, record, finding);
    case FG_CAPTURE_DIRE:
        decode_directory(capture, record, finding);
        return FG_OK;
    default:
        capture->skipped_count += capture->muted ? 0 : 1;
        return FG_OK;
    }
}

/* ---- Naming ---------------------------------------------------------------------------------- */

static void name_missing(struct fg_capture *capture, uint64_t offset, enum fgi_codec_ref ref,
                         enum fg_capture_defect_kind kind)
{
    if (capture->missing.any[ref]) {
        fgi_capture_defect(capture, kind, offset, capture->missing.id[ref]);
    }
}

static void name_findings(struct fg_capture *capture, uint64_t offset,
                          const struct finding *finding)
{
    if (finding->refusal != 0) {
        fgi_capture_defect(capture, finding->refusal, offset, finding->refusal_detail);
        return;
    }
    if (finding->symbol_changed) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_symbol_changed, offset,
                           finding->changed_symbol);
    }
    name_missing(capture, offset, FGI_REF_SYMBOL, FG_CAPTURE_DEFECT_symbol_unknown);
    if (finding->topology_unknown) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_topology_unknown, offset, finding->topology);
    }
    if (finding->template_unknown) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_template_unknown, offset,
                           finding->template_id);
    }
    name_missing(capture, offset, FGI_REF_TRACK, FG_CAPTURE_DEFECT_track_unknown);
    name_missing(capture, offset, FGI_REF_CLOCK, FG_CAPTURE_DEFECT_clock_unknown);
    name_missing(capture, offset, FGI_REF_PROCESS, FG_CAPTURE_DEFECT_process_unknown);
    name_missing(capture, offset, FGI_REF_METRIC, FG_CAPTURE_DEFECT_metric_unknown);
    name_missing(capture, offset, FGI_REF_STACK, FG_CAPTURE_DEFECT_stack_unknown);
    if (finding->frame_unknown) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_frame_unknown, offset, finding->frame);
    }
    if (finding->frame_order) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_frame_order, offset, finding->frame);
    }
}

enum fg_result fgi_decode(struct fg_capture *capture, const struct fgi_cap_framing *framing,
                          uint64_t offset, struct fg_capture_record *out_record, bool *out_used)
{
    struct finding finding = { 0 };
    *out_record = (struct fg_capture_record){
        .type = framing->type,
        .offset = offset,
        .length = framing->length,
        .payload = capture->payload,
    };
    fgi_arena_reset(&capture->arena);
    memset(&capture->missing, 0, sizeof capture->missing);
    if (capture->from_start && capture->records_taken == 0 && framing->type != FG_CAPTURE_META) {
        fgi_capture_defect(capture, FG_CAPTURE_DEFECT_meta_missing, offset, framing->type);
    }
    enum fg_result result = decode_kind(capture, out_record, &finding);
    if (result == FG_OK) {
        name_findings(capture, offset, &finding);
        capture->records_taken++;
        capture->bytes_taken += (uint64_t)FG_CAPTURE_FRAMING_BYTES + framing->length;
        *out_used = finding.refusal == 0;
    }
    return result;
}
