/* SPDX-License-Identifier: MIT */
/* The part of `frameglass info` about what the loaded trace takes. */
#ifndef FGI_INFO_MEMORY_H
#define FGI_INFO_MEMORY_H
#include "base/json.h"

struct fg_trace;

/** Key "memory" into an object that is open. */
void fgi_info_memory_json(struct fgi_json *json, const struct fg_trace *trace);
uint64_t fgi_info_memory_bytes(const struct fg_trace *trace);

#endif
