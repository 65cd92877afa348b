/* SPDX-License-Identifier: MIT */
/* The part of `frameglass info` about the program itself: metrics, live resources, losses. */
#ifndef FGI_INFO_STATE_H
#define FGI_INFO_STATE_H
#include "base/json.h"

struct fg_query;
struct fg_trace;

/** Keys "metrics", "live_resources" and "losses" into an object that is open. */
FG_MUST_USE enum fg_result fgi_info_state_json(struct fgi_json *json, const struct fg_trace *trace,
                                               struct fg_query *query);
/** Tables for people; nothing where the input has nothing of it. */
FG_MUST_USE enum fg_result fgi_info_state_print(const struct fg_trace *trace,
                                                struct fg_query *query);

#endif
