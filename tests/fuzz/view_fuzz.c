/* SPDX-License-Identifier: MIT */
/* Any bytes as a request buffer: there is always a reply that keeps the rules, and no harm. */
#include "cmocka_all.h"
#include "view_bed.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct fgt_view_bed bed;

static void finish(void)
{
    fgt_view_bed_finish(&bed);
}

/* What a view remembers (names that a client has, filters, tasks) ends with it: an input that fails
 * does so by itself. */
static void begin(void)
{
    if (bed.view == NULL) {
        fgt_view_bed_make(&bed);
        atexit(finish);
    } else {
        fgt_view_bed_renew(&bed);
    }
    fgt_view_bed_attach(&bed);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fgi_bytes answer = { 0 };
    begin();
    if (fgi_view_answer(bed.view, data, size, &answer) != FG_OK) {
        abort();
    }
    /* Takes every reply apart; a broken rule ends the process. */
    size_t at = 0;
    for (unsigned index = 0; at < answer.size; index++) {
        struct fgt_reply reply = fgt_reply_at(&answer, index);
        at = (size_t)(reply.message - answer.data) + reply.size;
    }
    fgi_bytes_finish(&answer);
    return 0;
}
