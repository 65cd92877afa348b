/* SPDX-License-Identifier: MIT */
/* A capture as canonical JSON: what README.md in this folder describes. */
#ifndef FGI_TEST_CAPTURE_JSON_H
#define FGI_TEST_CAPTURE_JSON_H
#include "base/json.h"
#include <frameglass/capture.h>

/** Read a whole capture and print it. A refused file prints as such and is FG_OK. */
enum fg_result fgi_test_capture_json(const struct fg_source *source,
                                     const struct fg_capture_options *options,
                                     const struct fg_sink *sink);
/** One payload struct of a record type, as JSON. */
void fgi_test_payload_json(struct fgi_json *json, uint32_t type, const void *payload);

#endif
