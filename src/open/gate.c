/* SPDX-License-Identifier: MIT */
#include "open/gate.h"
#include "open/document_priv.h"
#include "open/packing.h"

#include <string.h>

static enum fg_result gate_write(void *context, const void *bytes, size_t size)
{
    struct fgi_gate *gate = context;
    if (!gate->is_open) {
        size_t room = sizeof gate->head - gate->head_size;
        size_t more = size < room ? size : room;
        memcpy(gate->head + gate->head_size, bytes, more);
        gate->head_size += more;
        if (gate->head_size == sizeof gate->head) {
            if (fgi_packing_find(gate->head, gate->head_size) == NULL &&
                fgi_open_format_find(gate->format, gate->head, gate->head_size) == NULL) {
                return FG_ERR_FORMAT;
            }
            gate->is_open = true;
        }
    }
    return gate->to->write(gate->to->context, bytes, size);
}

struct fg_sink fgi_gate_sink(struct fgi_gate *gate)
{
    return (struct fg_sink){ .write = gate_write, .context = gate };
}
