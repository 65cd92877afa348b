/* SPDX-License-Identifier: MIT */
/* Sizes and places of the public structures, to be compared between levels. See test_levels.py. */
#include <frameglass/flight.h>
#include <frameglass/instrument.h>
#include <frameglass/object.h>

#include <stdio.h>

#define SIZE(type)         printf(#type " %zu\n", sizeof(struct type))
#define PLACE(type, field) printf(#type "." #field " %zu\n", offsetof(struct type, field))

int main(void)
{
    SIZE(fg_zone);
    SIZE(fg_site);
    SIZE(fg_metric);
    SIZE(fg_metric_desc);
    SIZE(fg_loop_scope);
    SIZE(fg_ring_event);
    SIZE(fg_zone_slot);
    SIZE(fg_thread_context);
    PLACE(fg_thread_context, head);
    PLACE(fg_thread_context, open);
    PLACE(fg_thread_context, counted);
    SIZE(fg_instrument_options);
    SIZE(fg_instrument_losses);
    SIZE(fg_metric_row);
    SIZE(fg_loop_row);
    SIZE(fg_object);
    SIZE(fg_object_desc);
    SIZE(fg_object_row);
    SIZE(fg_snapshot);
    PLACE(fg_snapshot, object_total_bytes);
    SIZE(fg_process_event);
    SIZE(fg_process_event_page);
    SIZE(fg_recording);
    SIZE(fg_session_options);
    SIZE(fg_flight_options);
    return 0;
}
