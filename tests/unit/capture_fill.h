/* SPDX-License-Identifier: MIT */
/* Payload structs filled at random, as far as their rules allow, through the codec's visitor. */
#ifndef FGI_TEST_CAPTURE_FILL_H
#define FGI_TEST_CAPTURE_FILL_H
#include "base/arena.h"
#include "capture/cap_codec.h"
#include "capture/cap_frame.h"

struct fill {
    struct fgi_arena arena; /**< owns all lists and texts */
    uint64_t state;         /**< of the generator: the seed */
    uint32_t symbol_count;  /**< symbols are below it; 0 = any number */
    unsigned max_items;     /**< of a list; 0 = 5 */
    /* Where the visitor is. */
    const char *lists[16];
    unsigned depth;
    uint32_t kind;
    uint32_t status;
    uint32_t mask;
};

uint64_t fill_random(struct fill *fill);
/** Fill the payload struct of a record kind (FRAM: `fields` is fgi_fields_frame_visit). */
void fill_payload(struct fill *fill, fgi_fields *fields, void *payload);
/** Make a filled struct obey the rules between fields that this record kind has. */
void fill_settle(struct fill *fill, uint32_t type, void *payload);
/** Whether the payload leaves out its last fields: bytes behind it would be taken for them. */
bool fill_ends_early(uint32_t type, const void *payload);
/** Point everything in the frame into this topology. */
void fill_settle_frame(struct fill *fill, struct fg_cap_frame *frame,
                       const struct fg_cap_topology *topology);
/** A valid topology. */
void fill_topology(struct fill *fill, struct fg_cap_topology *topology);

#endif
