/* SPDX-License-Identifier: MIT */
/* Metadata as pairs with unique keys: a key that a trace has several times is a list. */
#ifndef FGI_META_VALUES_H
#define FGI_META_VALUES_H
#include "base/json.h"

struct fg_trace;

/**
 * All values of the key of entry `index`, in order and terminated: "a, b, c".
 *
 * @param out replaced
 * @return false when an entry before it has the same key, and so its values too
 */
bool fgi_meta_values(const struct fg_trace *trace, uint32_t index, struct fgi_bytes *out);
/** Every key with its values, into an object that is open. */
void fgi_meta_json(struct fgi_json *json, const struct fg_trace *trace);

#endif
