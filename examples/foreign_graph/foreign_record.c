/* SPDX-License-Identifier: MIT */
#include "foreign_record.h"

static void around(void *self, size_t pass, bool begins)
{
    struct foreign_record *record = self;
    if (!begins) {
        fg_gpu_pass_end(record->commands);
        fg_commands_graph_pass_end(record->commands);
        return;
    }
    fg_commands_graph_pass_begin(record->commands, (uint32_t)pass, NULL);
    fg_gpu_pass_begin(record->commands,
                      &(struct fg_gpu_pass_desc){ .kind = record->graph->passes[pass].compute
                                                              ? FG_GPU_PASS_COMPUTE
                                                              : FG_GPU_PASS_RENDER });
}

/* Every write is a new version; `latest` holds the newest one of each resource, plus one. */
void foreign_record_begin(struct foreign_record *record, struct foreign_graph *graph,
                          struct fg_frame *frame, struct fg_commands *commands)
{
    struct fg_graph_pass passes[FOREIGN_PASSES] = { { 0 } };
    struct fg_graph_resource versions[FOREIGN_PASSES * FOREIGN_RESOURCES] = { { 0 } };
    uint32_t reads[FOREIGN_PASSES][FOREIGN_RESOURCES], writes[FOREIGN_PASSES][FOREIGN_RESOURCES];
    uint32_t latest[FOREIGN_PASSES * FOREIGN_RESOURCES] = { 0 }, count = 0;
    for (size_t i = 0; i < graph->count; i++) {
        const struct foreign_pass *pass = &graph->passes[i];
        passes[i].reads = reads[i];
        passes[i].creates = writes[i];
        passes[i].ref_count = (uint32_t)pass->readers;
        passes[i].flags = (pass->alive ? 0u : FG_GRAPH_PASS_CULLED) |
                          (pass->keep ? FG_GRAPH_PASS_SIDE_EFFECT : 0u);
        for (int r = 0; r < pass->read_count; r++) {
            if (latest[pass->reads[r]] != 0) {
                reads[i][passes[i].read_count++] = latest[pass->reads[r]] - 1;
            }
        }
        for (int w = 0; w < pass->write_count; w++) {
            uint32_t before = latest[pass->writes[w]];
            versions[count].id = (uint64_t)pass->writes[w] + 1;
            versions[count].version = before == 0 ? 0 : versions[before - 1].version + 1;
            writes[i][passes[i].create_count++] = count;
            latest[pass->writes[w]] = ++count;
        }
    }
    *record = (struct foreign_record){ graph, commands };
    graph->observer = (struct foreign_observer){ commands != NULL ? around : NULL, record };
    fg_frame_set_graph(frame, &(struct fg_graph_desc){ .passes = passes,
                                                       .pass_count = (uint32_t)graph->count,
                                                       .resources = versions,
                                                       .resource_count = count });
}
