/* SPDX-License-Identifier: MIT */
#include "capture/cap_columns.h"

#include "base/bytes.h"

#include <string.h>

enum {
    COLUMN_DEPTH = 1,
    COLUMN_CATEGORY = 2,
    COLUMN_FLAGS = 4,
    COLUMN_FRAME = 8,
    COLUMN_OBJECT = 16,
    COLUMN_VALUE = 32,
    COLUMNS_KNOWN = 63,
    SPAN_BYTES_MIN = 3,
    LINK_BYTES_MIN = 9,
    LINKS_MAX = 1 << 20
};

/* Where the decoding is: `failed` once and for all. */
struct input {
    const uint8_t *at, *end;
    bool failed;
};

static uint64_t get_slowly(struct input *in)
{
    struct fgi_reader reader = fgi_reader_make(in->at, (size_t)(in->end - in->at));
    uint64_t value = fgi_get_varint(&reader);
    in->at += reader.position;
    in->failed |= reader.failed;
    return value;
}

static inline uint64_t load_le64(const uint8_t *at)
{
    uint64_t value;
    memcpy(&value, at, sizeof value);
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
    value = __builtin_bswap64(value);
#endif
    return value;
}

/*
 * Up to eight bytes at once: the lowest byte without its top bit ends the number, and its groups of
 * seven bits are pushed together in three steps. A zero last byte is not the shortest form.
 */
static inline uint64_t get(struct input *in)
{
    if (in->end - in->at < 8) {
        return get_slowly(in);
    }
    uint64_t word = load_le64(in->at);
    if ((word & 0x80) == 0) {
        in->at++;
        return word & 0x7f;
    }
    uint64_t stops = ~word & UINT64_C(0x8080808080808080);
    if (stops == 0) {
        return get_slowly(in);
    }
    unsigned bits = (unsigned)__builtin_ctzll(stops) + 1;
    in->at += bits / 8;
    word &= UINT64_MAX >> (64 - bits);
    in->failed |= word >> (bits - 8) == 0;
    word &= UINT64_C(0x7f7f7f7f7f7f7f7f);
    word = (word & UINT64_C(0x007f007f007f007f)) | (word & UINT64_C(0x7f007f007f007f00)) >> 1;
    word = (word & UINT64_C(0x00003fff00003fff)) | (word & UINT64_C(0x3fff00003fff0000)) >> 2;
    return (word & UINT64_C(0x0fffffff)) | (word & UINT64_C(0x0fffffff00000000)) >> 4;
}

static inline uint32_t get32(struct input *in)
{
    uint64_t value = get(in);
    in->failed |= value > UINT32_MAX;
    return (uint32_t)value;
}

static inline int64_t get_signed(struct input *in)
{
    uint64_t value = get(in);
    return (int64_t)((value >> 1) ^ (0 - (value & 1)));
}

static void get_u32s(struct input *in, uint32_t *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i] = get32(in);
    }
}

static void get_opt64s(struct input *in, uint64_t *out, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        out[i] = get(in) - 1;
    }
}

/* ---- spans ----------------------------------------------------------------------------------- */

struct span_head {
    uint32_t id, track, clock, count, columns;
    int64_t first_ticks, last_ticks;
};

static bool span_head(struct input *in, struct span_head *out_head)
{
    struct span_head head = { .id = get32(in), .track = get32(in), .clock = get32(in) };
    if (in->failed || in->end - in->at < 16) {
        return false;
    }
    head.first_ticks = (int64_t)load_le64(in->at);
    head.last_ticks = (int64_t)load_le64(in->at + 8);
    in->at += 16;
    head.count = get32(in);
    head.columns = get32(in);
    *out_head = head;
    return !in->failed && head.count > 0 && head.count <= FG_CAP_BLOCK_SPANS &&
           head.columns <= COLUMNS_KNOWN &&
           (size_t)(in->end - in->at) / SPAN_BYTES_MIN >= head.count;
}

bool fgi_span_columns_head(const uint8_t *payload, size_t size, struct fgi_span_columns *out_spans)
{
    struct input in = { payload, payload + size, false };
    struct span_head head;
    bool is_sound = span_head(&in, &head);
    if (is_sound) {
        *out_spans = (struct fgi_span_columns){
            .id = head.id, .track = head.track, .clock = head.clock, .count = head.count
        };
    }
    return is_sound;
}

size_t fgi_span_columns_size(const uint8_t *payload, size_t size)
{
    struct input in = { payload, payload + size, false };
    struct span_head head;
    if (!span_head(&in, &head)) {
        return 0;
    }
    size_t bytes = 8 + 8 + 4;
    bytes += head.columns & COLUMN_DEPTH ? 4 : 0;
    bytes += head.columns & COLUMN_CATEGORY ? 4 : 0;
    bytes += head.columns & COLUMN_FLAGS ? 4 : 0;
    bytes += head.columns & COLUMN_FRAME ? 8 : 0;
    bytes += head.columns & COLUMN_OBJECT ? 8 : 0;
    bytes += head.columns & COLUMN_VALUE ? 8 : 0;
    return bytes * head.count;
}

static void *take(uint8_t **memory, size_t bytes)
{
    void *taken = *memory;
    *memory += bytes;
    return taken;
}

/* The widest ones first, so that each is aligned. */
static void lay_out_spans(struct fgi_span_columns *spans, uint32_t columns, uint8_t *memory)
{
    size_t n = spans->count;
    spans->begin_ticks = take(&memory, n * 8);
    spans->end_ticks = take(&memory, n * 8);
    spans->frame = columns & COLUMN_FRAME ? take(&memory, n * 8) : NULL;
    spans->object = columns & COLUMN_OBJECT ? take(&memory, n * 8) : NULL;
    spans->value = columns & COLUMN_VALUE ? take(&memory, n * 8) : NULL;
    spans->name = take(&memory, n * 4);
    spans->depth = columns & COLUMN_DEPTH ? take(&memory, n * 4) : NULL;
    spans->category = columns & COLUMN_CATEGORY ? take(&memory, n * 4) : NULL;
    spans->flags = columns & COLUMN_FLAGS ? take(&memory, n * 4) : NULL;
}

/* Begins rise, ends follow begins, equal begins come the longer first, the head says the range. */
static bool get_times(struct input *in, const struct span_head *head, int64_t *begins,
                      int64_t *ends)
{
    int64_t before = head->first_ticks;
    bool bad = false;
    for (uint32_t i = 0; i < head->count; i++) {
        int64_t begin = (int64_t)((uint64_t)before + get(in));
        bad |= begin < before;
        begins[i] = before = begin;
    }
    int64_t last = INT64_MIN;
    for (uint32_t i = 0; i < head->count; i++) {
        int64_t end = (int64_t)((uint64_t)begins[i] + get(in));
        bad |= end < begins[i];
        bad |= i > 0 && begins[i] == begins[i - 1] && ends[i - 1] < end;
        last = end > last ? end : last;
        ends[i] = end;
    }
    return !bad && !in->failed && begins[0] == head->first_ticks && last == head->last_ticks;
}

bool fgi_span_columns_decode(const uint8_t *payload, size_t size, void *memory,
                             struct fgi_span_columns *out_spans)
{
    struct input in = { payload, payload + size, false };
    struct span_head head;
    if (!span_head(&in, &head)) {
        return false;
    }
    struct fgi_span_columns spans = {
        .id = head.id, .track = head.track, .clock = head.clock, .count = head.count
    };
    lay_out_spans(&spans, head.columns, memory);
    if (!get_times(&in, &head, spans.begin_ticks, spans.end_ticks)) {
        return false;
    }
    if (spans.depth) {
        get_u32s(&in, spans.depth, head.count);
    }
    get_u32s(&in, spans.name, head.count);
    if (spans.category) {
        get_u32s(&in, spans.category, head.count);
    }
    if (spans.flags) {
        get_u32s(&in, spans.flags, head.count);
    }
    if (spans.frame) {
        get_opt64s(&in, spans.frame, head.count);
    }
    if (spans.object) {
        get_opt64s(&in, spans.object, head.count);
    }
    for (uint32_t i = 0; spans.value && i < head.count; i++) {
        spans.value[i] = get_signed(&in);
    }
    *out_spans = spans;
    return !in.failed;
}

struct fg_cap_block_span fgi_span_columns_item(const struct fgi_span_columns *spans, uint32_t i)
{
    return (struct fg_cap_block_span){
        .begin_ticks = spans->begin_ticks[i],
        .end_ticks = spans->end_ticks[i],
        .depth = spans->depth ? spans->depth[i] : 0,
        .name = spans->name[i],
        .category = spans->category ? spans->category[i] : 0,
        .flags = spans->flags ? spans->flags[i] : 0,
        .frame = spans->frame ? spans->frame[i] : FG_CAP_UNKNOWN,
        .object = spans->object ? spans->object[i] : FG_CAP_UNKNOWN,
        .value = spans->value ? spans->value[i] : 0,
    };
}

/* ---- dependencies ---------------------------------------------------------------------------- */

static uint32_t link_count(struct input *in)
{
    uint32_t count = get32(in);
    bool fits =
        !in->failed && count <= LINKS_MAX && (size_t)(in->end - in->at) / LINK_BYTES_MIN >= count;
    return fits ? count : 0;
}

size_t fgi_link_columns_size(const uint8_t *payload, size_t size)
{
    struct input in = { payload, payload + size, false };
    return (size_t)link_count(&in) * 7 * sizeof(uint32_t);
}

bool fgi_link_columns_decode(const uint8_t *payload, size_t size, void *memory,
                             struct fgi_link_columns *out_links)
{
    struct input in = { payload, payload + size, false };
    uint32_t n = link_count(&in);
    uint32_t *next = memory;
    struct fgi_link_columns links = { .count = n };
    uint32_t **const columns[] = { &links.from_block, &links.from_index, &links.to_block,
                                   &links.to_index,   &links.family,     &links.flags,
                                   &links.name };
    for (size_t c = 0; c < sizeof columns / sizeof *columns; c++) {
        *columns[c] = next;
        next += n;
    }
    uint64_t block = 0, index = 0, to_block = 0, to_index = 0;
    bool bad = n == 0;
    for (uint32_t i = 0; i < n; i++) {
        uint64_t kind_step = get(&in);
        uint64_t block_step = get(&in);
        uint64_t index_step = get(&in);
        bool same = block_step == 0;
        uint64_t to_kind = get(&in);
        index = same ? index + index_step : index_step;
        block += block_step;
        uint64_t to_block_before = to_block, to_index_before = to_index;
        to_block = block + (uint64_t)get_signed(&in);
        to_index = index + (uint64_t)get_signed(&in);
        /* The same source: targets rise. Numbers over 32 bits are none that a block has. */
        bad |= i > 0 && same && index_step == 0 &&
               (to_block < to_block_before ||
                (to_block == to_block_before && to_index < to_index_before));
        bad |= (kind_step | to_kind) != 0 ||
               (block | index | to_block | to_index | block_step | index_step) > UINT32_MAX;
        links.from_block[i] = (uint32_t)block;
        links.from_index[i] = (uint32_t)index;
        links.to_block[i] = (uint32_t)to_block;
        links.to_index[i] = (uint32_t)to_index;
        links.family[i] = get32(&in);
        links.flags[i] = get32(&in);
        links.name[i] = get32(&in);
    }
    *out_links = links;
    return !bad && !in.failed;
}
