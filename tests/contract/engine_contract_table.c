/* SPDX-License-Identifier: MIT */
#include "engine/cpu/engine_cpu.h"
#include "engine_contract.h"

const struct contract_engine contract_engines[] = {
    { "cpu", fgi_engine_cpu_create, 0, NULL },
};
const size_t contract_engine_count = sizeof contract_engines / sizeof *contract_engines;

int contract_engines_end(void **state)
{
    (void)state;
    return 0;
}
