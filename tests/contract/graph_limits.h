/* SPDX-License-Identifier: MIT */
/* Tests of limits that need no random traces. */
#ifndef GRAPH_LIMITS_H
#define GRAPH_LIMITS_H
#include "engine_contract.h"
#include "trace/links_rules.h"

void graph_work_follows_the_view_and_not_the_trace(void **state);
void graph_questions_leave_nothing_when_memory_is_refused(void **state);

#endif
