/* SPDX-License-Identifier: MIT */
/*
 * Places in the program, as the macros leave them: their first use registers what they are about,
 * and then for good, whatever came of it.
 *
 * A library of a level below a macro's has none of what the macro calls: programs do not link then.
 */
#include "record/instrument/instrument_priv.h"

#if FG_LIBRARY_LEVEL >= 2
/* The place's label; 0 = refused. */
static uint32_t label_of(struct fg_site *site, const char *name, enum fg_category category)
{
    uint32_t label = __atomic_load_n(&site->label, __ATOMIC_RELAXED);
    if (label == 0 && fgi_instrument_ready()) {
        label = fg_label_register(name, category);
        label = label != 0 ? label : UINT32_MAX;
        __atomic_store_n(&site->label, label, __ATOMIC_RELAXED);
    }
    return label == UINT32_MAX ? 0 : label;
}

struct fg_zone fg_zone_begin_at(struct fg_site *site, const char *name, enum fg_category category)
{
    const struct fg_zone inactive = { 0 };
    return fg_instrument_mode() == FG_INSTRUMENT_FULL
               ? fg_zone_begin_label(label_of(site, name, category))
               : inactive;
}

void fg_mark_at(struct fg_site *site, const char *name, enum fg_category category, int64_t value)
{
    if (fg_instrument_mode() == FG_INSTRUMENT_FULL) {
        fg_mark_label(label_of(site, name, category), value);
    }
}
#endif

#if FG_LIBRARY_LEVEL >= 1
uint32_t fg_metric_at(struct fg_site *site, const char *name, int kind, int unit)
{
    uint32_t id = __atomic_load_n(&site->metric, __ATOMIC_RELAXED);
    if (id == 0 && fgi_instrument_ready()) {
        const struct fg_metric_desc desc = { .name = name,
                                             .kind = (enum fg_metric_kind)kind,
                                             .unit = (enum fg_unit)unit };
        id = fg_metric_register(&desc).id;
        id = id != 0 ? id : UINT32_MAX;
        __atomic_store_n(&site->metric, id, __ATOMIC_RELAXED);
    }
    return id == UINT32_MAX ? 0 : id;
}

void fg_counter_add_at(struct fg_site *site, const char *name, int kind, int unit, int64_t amount)
{
    const uint32_t state = __atomic_load_n(&fg_instrument_state, __ATOMIC_RELAXED);
    if (fgi_state_mode(state) == FG_INSTRUMENT_OFF) {
        return;
    }
    struct fg_thread_context *context = fg_thread_context;
    const uint32_t slot = __atomic_load_n(&site->metric, __ATOMIC_RELAXED) - 1;
    if (context->state == state && slot < FG_METRICS_MAX) {
        fg_hot_count(context, slot, amount); /* where the macros call: the usual case */
    } else {
        fg_metric_add((struct fg_metric){ fg_metric_at(site, name, kind, unit) }, amount);
    }
}
#endif
