/* SPDX-License-Identifier: MIT */
/*
 * What is under a pointer, on the device: the rule of fg_query_pick(), answered through a small
 * ring of slots that nobody waits for. A slot has control words and a result of its own, and nodes
 * that are encoded once into a command buffer of its own: as many picks are in flight as there are
 * slots.
 *
 *     fg_gpu_picks_create(gpu, 3, &picks);
 *     fg_gpu_picks_add(picks, slot, population, &sink);        once for each slot
 *
 *     fg_gpu_picks_ask(picks, FG_GPU_PICK_HOVER, &request, &id);    when the pointer moves
 *     slot = fg_gpu_picks_take(picks, serial);                      once a frame
 *     if (slot != FG_NONE) submit the command buffer of that slot
 *     fg_gpu_picks_complete(picks, serial_that_has_completed);
 *     while (fg_gpu_picks_poll(picks, &answer) == FG_OK) ...
 *
 * Of what waits for a slot only the newest is kept: of hovering and of selecting each, so that the
 * one never replaces the other.
 *
 * Threads: as gpu_trace.h.
 */
#ifndef FG_GPU_TRACE_PICK_H
#define FG_GPU_TRACE_PICK_H
#include <frameglass/gpu_trace.h>
FG_BEGIN_DECLS

struct fg_gpu_picks;

enum { FG_GPU_PICK_SLOTS_MAX = 16 };

/**
 * Take the memory of a ring of picks.
 *
 * @param gpu       outlives it
 * @param slots     1 to FG_GPU_PICK_SLOTS_MAX; 0 = 3
 * @param out_picks owned: fg_gpu_picks_destroy(); untouched on failure
 * @return FG_OK; FG_ERR_ARGUMENT; FG_ERR_NO_MEMORY; of fg_compute_memory_take()
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_picks_create(struct fg_gpu_trace *gpu, uint32_t slots,
                                                      struct fg_gpu_picks **out_picks);
/** NULL is legal. */
FG_API void fg_gpu_picks_destroy(struct fg_gpu_picks *picks);
/**
 * Add the nodes of one slot: what its control words ask, brought to where the host reads it. They
 * run only in submissions that the slot was taken for.
 *
 * @param population built before they run
 * @return of the sink; FG_ERR_ARGUMENT (no such slot, or a population of another trace)
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_picks_add(const struct fg_gpu_picks *picks, uint32_t slot,
                                                   const struct fg_gpu_population *population,
                                                   const struct fg_compute_sink *sink);

enum fg_gpu_pick_purpose {
    FG_GPU_PICK_HOVER = 0,
    FG_GPU_PICK_SELECT = 1, /**< takes the next slot before what is hovered */
};
enum { FG_GPU_PICK_PURPOSES = 2 };
/** As struct fg_pick_request; the filter is the population's. */
struct fg_gpu_pick_request {
    uint32_t kind;  /**< enum fg_view_kind */
    uint32_t index; /**< of the lane, track or process */
    int64_t time_ns;
    uint64_t tolerance_ns;
};
/**
 * Ask. It waits for a slot; what waited with the same purpose is given up and counted.
 *
 * @param out_id numbers from 1 on, ascending
 * @return FG_OK; FG_ERR_ARGUMENT (no such lane, track, process or purpose)
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_picks_ask(struct fg_gpu_picks *picks, uint32_t purpose,
                                                   const struct fg_gpu_pick_request *request,
                                                   uint64_t *out_id);
/**
 * Give what waits a slot, and write of its control words what differs from the slot's last ones.
 *
 * @param serial of the submission that the slot's nodes go into; does not fall
 * @return the slot; FG_NONE: nothing waits, or no slot is free, and it is deferred and counted
 */
FG_API uint32_t fg_gpu_picks_take(struct fg_gpu_picks *picks, uint64_t serial);
/** All work up to this serial has completed: what it found can be polled. */
FG_API void fg_gpu_picks_complete(struct fg_gpu_picks *picks, uint64_t serial);

struct fg_gpu_pick_answer {
    uint64_t id;
    uint32_t purpose; /**< enum fg_gpu_pick_purpose */
    uint32_t row;     /**< FG_NONE: nothing is there */
};
/**
 * The oldest answer that was not told yet; its slot is free then. Of hovering only the newest one
 * that has completed is told.
 *
 * @return FG_OK; FG_ERR_BUSY (not yet); FG_ERR_NOT_FOUND (nothing is in flight or waits)
 */
FG_API FG_MUST_USE enum fg_result fg_gpu_picks_poll(struct fg_gpu_picks *picks,
                                                    struct fg_gpu_pick_answer *out_answer);

struct fg_gpu_picks_counts {
    uint64_t asked;
    uint64_t answered;      /**< told by fg_gpu_picks_poll() */
    uint64_t deferred;      /**< found no free slot; each one once */
    uint64_t replaced;      /**< given up for a newer one before they had a slot */
    uint64_t stale;         /**< of hovering: answered, but not told, as a newer one was */
    uint64_t written_bytes; /**< of control words, by all takes */
    uint32_t in_flight;
    uint32_t waiting;
};
FG_API void fg_gpu_picks_get_counts(const struct fg_gpu_picks *picks,
                                    struct fg_gpu_picks_counts *out_counts);
/** Where the nodes of a slot put the row: a uint32_t, which kernels may read as well. */
FG_API struct fg_compute_view fg_gpu_picks_result(const struct fg_gpu_picks *picks, uint32_t slot);

FG_END_DECLS
#endif
