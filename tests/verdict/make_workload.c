/* SPDX-License-Identifier: MIT */
/* Records a workload and prints what the HUD said of it, as JSON: make_workload NAME OUT.sgpt */
#include "workload.h"

#include <inttypes.h>
#include <stdio.h>

static const char *word(enum fg_hud_verdict verdict)
{
    const char *name = fg_hud_verdict_name(verdict);
    return name != NULL ? name : "";
}

static void print(const struct workload *workload, const struct workload_seen *seen)
{
    const struct fg_hud_statistics *s = &seen->statistics;
    printf("{\"truth\": \"%s\", \"verdict\": \"%s\", \"inferred\": %" PRIu32 ", \"cpu\": %" PRIu32
           ", \"gpu\": %" PRIu32 ", \"present\": %" PRIu32 ", \"balanced\": %" PRIu32
           ", \"frames\": [",
           word(workload->window_truth), word(s->verdict), s->inferred_count,
           s->verdict_counts[FG_HUD_VERDICT_CPU], s->verdict_counts[FG_HUD_VERDICT_GPU],
           s->verdict_counts[FG_HUD_VERDICT_PRESENT], s->verdict_counts[FG_HUD_VERDICT_BALANCED]);
    for (uint32_t i = 0; i < WORKLOAD_FRAMES; i++) {
        const struct fg_hud_sample *sample = &seen->samples[i];
        printf("%s{\"frame\": %" PRIu64 ", \"verdict\": \"%s\", \"inferred\": %s, \"truth\": "
               "\"%s\"}",
               i > 0 ? ", " : "", sample->number, word(sample->verdict),
               sample->is_inferred ? "true" : "false", word(workload_truth(workload, i)));
    }
    printf("]}\n");
}

int main(int argc, char **argv)
{
    const struct workload *workload = argc == 3 ? workload_find(argv[1]) : NULL;
    struct workload_seen seen;
    if (workload == NULL) {
        fprintf(stderr, "usage: make_workload NAME OUT.sgpt\nNAME is one of\n");
        for (size_t i = 0; (workload = workload_at(i)) != NULL; i++) {
            fprintf(stderr, "  %-16s %s\n", workload->name, workload->about);
        }
        return 2;
    }
    if (!workload_run(workload, argv[2], true, &seen)) {
        fprintf(stderr, "make_workload: the recording failed\n");
        return 1;
    }
    print(workload, &seen);
    return 0;
}
