/* SPDX-License-Identifier: MIT */
/* Traces of other tools that are known by their first bytes and are not read: told by name. */
#include "open/document_priv.h"

#include <string.h>

struct beginning {
    const char *bytes;
    size_t size;
    const char *what;
};
#define BEGINNING(text, what)                                                                      \
    {                                                                                              \
        (text), sizeof(text) - 1, (what)                                                           \
    }
static const struct beginning beginnings[] = {
    BEGINNING("\x10\x00\x04\x46\x78\x54\x16\x00", "a Fuchsia trace"),
    BEGINNING("\x0d\xf0\xad\x0b\x00\x00\x00\x00", "a spall trace"),
    BEGINNING("tlZ\x04", "a Tracy trace"),
    BEGINNING("tZst", "a Tracy trace"),
    BEGINNING("RDOC", "a RenderDoc capture"),
    BEGINNING("PERFILE2", "a file of perf record"),
    BEGINNING("\xc1\x1f\xfc\xc1", "a CTF (LTTng) trace"),
    BEGINNING("SQLite format 3", "an SQLite database, as Nsight Systems exports them"),
    BEGINNING("# tracer:", "a text of ftrace (systrace)"),
    BEGINNING("TRACE:", "a text of ftrace (systrace)"),
    BEGINNING("<!DOCTYPE html", "an HTML page, as systrace makes them"),
    BEGINNING("<html", "an HTML page, as systrace makes them"),
};

/* A number of protobuf's variable length at head[*at]; false: it is none, or goes on behind. */
static bool read_varint(const uint8_t *head, size_t size, size_t *at, uint64_t *out_value)
{
    *out_value = 0;
    for (unsigned shift = 0; shift < 64 && *at < size; shift += 7) {
        uint8_t byte = head[(*at)++];
        *out_value |= (uint64_t)(byte & 0x7f) << shift;
        if (byte < 0x80) {
            return true;
        }
    }
    return false;
}

/* Goes over a field of a message; false: there is none. `*at` is at most `end` afterwards, which is
   where the message ends, and the field may. */
static bool skip_field(const uint8_t *head, size_t end, size_t *at, uint64_t *out_tag)
{
    enum { WIRE_BITS = 3, WIRE_NUMBER = 0, WIRE_64 = 1, WIRE_BYTES = 2, WIRE_32 = 5 };
    uint64_t length = 0;
    if (!read_varint(head, end, at, out_tag) || *out_tag >> WIRE_BITS == 0) {
        return false;
    }
    switch (*out_tag & ((1u << WIRE_BITS) - 1)) {
    case WIRE_NUMBER:
        return read_varint(head, end, at, &length);
    case WIRE_64:
        length = 8;
        break;
    case WIRE_BYTES:
        if (!read_varint(head, end, at, &length)) {
            return false;
        }
        break;
    case WIRE_32:
        length = 4;
        break;
    default:
        return false;
    }
    bool fits = length <= end - *at;
    *at = fits ? *at + (size_t)length : end;
    return fits;
}

/*
 * A Perfetto trace is a message of packets, each field 1 with its length in front. A pprof profile
 * begins likewise, but a number in field 1, which no packet has, is the first thing in there.
 * What the beginning cuts is not looked at.
 */
static const char *protobuf_name(const uint8_t *head, size_t size)
{
    enum { PACKET = 0x0a, NUMBER_ONE = 0x08, VALUE_TYPE_MOST = 16 };
    uint64_t length, tag;
    size_t fields = 0;
    for (size_t at = 0; at < size;) {
        if (head[at++] != PACKET || !read_varint(head, size, &at, &length)) {
            return NULL;
        }
        bool is_cut = length > size - at;
        size_t end = is_cut ? size : at + (size_t)length;
        for (; at < end; fields++) {
            if (!skip_field(head, end, &at, &tag) && (!is_cut || at < end)) {
                return NULL;
            }
            if (fields == 0 && tag == NUMBER_ONE) {
                return length <= VALUE_TYPE_MOST ? "a pprof profile" : NULL;
            }
        }
    }
    return fields > 0 ? "a Perfetto protobuf trace" : NULL;
}

const char *fgi_open_foreign_name(const uint8_t *head, size_t size)
{
    for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++) {
        const struct beginning *b = &beginnings[i];
        if (size >= b->size && memcmp(head, b->bytes, b->size) == 0) {
            return b->what;
        }
    }
    return protobuf_name(head, size);
}
