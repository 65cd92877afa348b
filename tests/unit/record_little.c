/* SPDX-License-Identifier: MIT */
/* A program that uses one small thing of the recorder: it must not carry the rest. */
#include <frameglass/graph.h>

int main(void)
{
    struct fg_graph_listeners listeners = { 0 };
    struct fg_graph_listener listener = { 0 };
    return fg_graph_listeners_add(&listeners, &listener) == FG_OK ? 0 : 1;
}
