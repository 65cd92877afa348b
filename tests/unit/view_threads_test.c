/* SPDX-License-Identifier: MIT */
/* Many clients at once, while the trace is loaded anew and requests cancel each other. */
#include "base/thread.h"
#include "cmocka_all.h"
#include "view_bed.h"
#include <stdatomic.h>

enum { CLIENTS = 4, ROUNDS = 200, RELOADS = 40 };

struct client {
    struct fgt_view_bed *bed;
    atomic_uint answered, cancelled, other;
    uint32_t number;
};

static void run_client(void *context)
{
    struct client *client = context;
    for (uint32_t i = 0; i < ROUNDS; i++) {
        static const uint16_t kinds[] = { FGI_KIND_INFO,   FGI_KIND_TRACKS, FGI_KIND_STATS,
                                          FGI_KIND_TRACES, FGI_KIND_STRIP,  FGI_KIND_FRAMES };
        struct fgt_request request;
        fgt_request_begin(&request, kinds[i % 6], client->bed->number);
        request.client = client->number;
        request.generation = i % 7 == 0 ? i / 2 + 1 : i + 1;
        struct fgt_reply reply = fgt_ask(client->bed->view, &request);
        atomic_uint *count = reply.status == FG_OK              ? &client->answered
                             : reply.status == FG_ERR_CANCELLED ? &client->cancelled
                                                                : &client->other;
        atomic_fetch_add_explicit(count, 1, memory_order_relaxed);
        fgt_reply_finish(&reply);
    }
}

static void clients_and_reloads_do_not_disturb_each_other(void **state)
{
    struct fgt_view_bed bed;
    struct client clients[CLIENTS];
    struct fgi_thread *threads[CLIENTS];
    (void)state;
    fgt_view_bed_make(&bed);
    fgt_view_bed_attach(&bed);
    for (uint32_t i = 0; i < CLIENTS; i++) {
        struct fgt_request request;
        fgt_request_begin(&request, FGI_KIND_HELLO, 0);
        struct fgt_reply reply = fgt_ask(bed.view, &request);
        clients[i] = (struct client){ .bed = &bed, .number = reply.client };
        fgt_reply_finish(&reply);
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        assert_int_equal(fgi_thread_create(NULL, run_client, &clients[i], &threads[i]), FG_OK);
    }
    for (uint32_t i = 0; i < RELOADS; i++) {
        fgi_view_progress(bed.view, bed.number, i, RELOADS);
        fgt_view_bed_attach(&bed);
    }
    for (uint32_t i = 0; i < CLIENTS; i++) {
        fgi_thread_join(threads[i]);
        unsigned answered = atomic_load_explicit(&clients[i].answered, memory_order_relaxed);
        unsigned cancelled = atomic_load_explicit(&clients[i].cancelled, memory_order_relaxed);
        assert_int_equal(answered + cancelled, ROUNDS);
        assert_true(answered > ROUNDS / 2);
    }
    fgt_view_bed_finish(&bed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(clients_and_reloads_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
