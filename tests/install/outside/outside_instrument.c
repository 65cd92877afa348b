/* SPDX-License-Identifier: MIT */
/* Instrumented at whatever level the project that builds it has; says what came of it. */
#include <frameglass/instrument.h>

#include <stdio.h>

int main(void)
{
    struct fg_process_event events[8];
    struct fg_process_event_page page = { 0 };
    {
        FG_FRAME();
        FG_ZONE("outside");
        FG_FRAME_COUNTER_ADD("outside/steps", FG_UNIT_COUNT, 3);
    }
#if FG_LEVEL >= 1
    fg_instrument_read_events(0, events, 8, &page);
#else
    (void)events;
#endif
    printf("level %d, %d events\n", FG_LEVEL, (int)page.event_count);
    return 0;
}
