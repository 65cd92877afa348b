/* SPDX-License-Identifier: MIT */
/* Questions that the engine does not answer yet: weak, replaced one after the other. */
#include <frameglass/trace_anomaly.h>

#define WEAK __attribute__((weak))
WEAK enum fg_result fg_task_anomalies(struct fg_query *q, const struct fg_anomaly_request *r, uint32_t s, struct fg_task **o) { (void)q; (void)r; (void)s; (void)o; return FG_ERR_UNSUPPORTED; }
WEAK enum fg_result fg_task_result_anomalies(struct fg_task *t, struct fg_anomaly_reply *o) { (void)t; (void)o; return FG_ERR_UNSUPPORTED; }
WEAK enum fg_result fg_query_scores(struct fg_query *q, uint32_t s, const uint32_t *r, uint32_t c, uint8_t *t, uint8_t *e) { (void)q; (void)s; (void)r; (void)c; (void)t; (void)e; return FG_ERR_NOT_FOUND; }
WEAK enum fg_result fg_query_tints(struct fg_query *q, const struct fg_tints_request *r, struct fg_tints_reply *o) { (void)q; (void)r; (void)o; return FG_ERR_NOT_FOUND; }
WEAK enum fg_result fg_query_scores_destroy(struct fg_query *q, uint32_t s) { (void)q; (void)s; return FG_ERR_NOT_FOUND; }
