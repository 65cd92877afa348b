/* SPDX-License-Identifier: MIT */
/* At level OFF this is the same object code with the macros and without. See test_levels.py. */
#ifndef WITHOUT
#include <frameglass/instrument.h>
#define IF_WITH(code) code
#else
#include <stdint.h>
#define IF_WITH(code)
#endif

#ifdef __cplusplus
extern "C" {
#endif
int64_t work(const int64_t *values, int count);
int64_t next_value(void);
extern const char *wanted_name;
#ifdef __cplusplus
}
#endif

int64_t work(const int64_t *values, int count)
{
    int64_t sum = 0;
    IF_WITH(FG_FRAME();)
    IF_WITH(FG_ZONE("nothing/work");)
    for (int i = 0; i < count; i++) {
        IF_WITH(FG_ZONE_BEGIN(zone, "nothing/step");)
        IF_WITH(FG_COUNTER_ADD("nothing/steps", FG_UNIT_COUNT, next_value());)
        sum += values[i];
        IF_WITH(FG_FRAME_COUNTER_ADD("nothing/sum", FG_UNIT_COUNT, sum++);)
        IF_WITH(FG_ZONE_END(zone);)
    }
    IF_WITH(FG_ZONE_IN(FG_CATEGORY_DRAW, wanted_name);)
    IF_WITH(FG_EVENT("nothing/event", (sum = 0));)
    IF_WITH(FG_EVENT_IN(FG_CATEGORY_GPU, "nothing/event", count);)
    IF_WITH(FG_GAUGE_SET("nothing/gauge", FG_UNIT_BYTES, sum * next_value());)
    IF_WITH(FG_GAUGE_ADD("nothing/gauge", FG_UNIT_BYTES, -1);)
    return sum;
}
