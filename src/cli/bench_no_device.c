/* SPDX-License-Identifier: MIT */
/* A build without an engine on devices draws nothing there. */
#include "cli/bench_reference.h"

const struct fgi_bench_renderer *fgi_bench_device_renderer(struct fgi_bench *bench)
{
    (void)bench;
    return NULL;
}

enum fg_result fgi_bench_device_open(struct fgi_bench *bench)
{
    (void)bench;
    return FG_ERR_UNSUPPORTED;
}

void fgi_bench_device_close(struct fgi_bench *bench)
{
    (void)bench;
}

void fgi_bench_device_put(const struct fgi_bench *bench, struct fgi_json *json)
{
    (void)bench;
    (void)json;
}
