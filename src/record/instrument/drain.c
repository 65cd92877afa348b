/* SPDX-License-Identifier: MIT */
/*
 * From the threads' rings to those who take what comes out of them. A ring has one producer, its
 * thread, and one consumer, whoever holds `drain`: everything here runs under that lock.
 *
 * Drained are all rings at the end of a frame, before a snapshot or a read, at the start and the
 * stop of a recording or a session, by the writer thread, and one ring at the end of its thread.
 */
#include "record/instrument/instrument_priv.h"

/* Number of the thread that holds `drain`; 0 = nobody. Only compared with the caller's own. */
static uint32_t drain_owner;

bool fgi_drain_is_mine(void)
{
    return __atomic_load_n(&drain_owner, __ATOMIC_RELAXED) == fgi_thread_number();
}

bool fgi_drain_enter(void)
{
    if (!fgi_instrument_ready() || fgi_drain_is_mine()) {
        return false;
    }
    fgi_mutex_lock(fgi_drain_lock);
    __atomic_store_n(&drain_owner, fgi_thread_number(), __ATOMIC_RELAXED);
    return true;
}

void fgi_drain_leave(void)
{
    __atomic_store_n(&drain_owner, 0, __ATOMIC_RELAXED);
    fgi_mutex_unlock(fgi_drain_lock);
}

/*
 * What the thread wrote and what it lost since the last time. Losses are looked at first and also
 * when nothing was written: those that are counted were then lost before the ring's head that is
 * read after them, and a thread's last losses are not forgotten with it.
 */
static struct fgi_batch gather(struct fgi_producer *thread)
{
    struct fgi_batch batch = { .thread = thread };
    const struct fg_thread_context *context = &thread->context;
    /* Pairs with the release in the producer that counts a loss: its time is written before. */
    const uint64_t dropped = __atomic_load_n(&thread->dropped, __ATOMIC_ACQUIRE);
    batch.lost = dropped - thread->dropped_taken;
    batch.lost_ticks = __atomic_load_n(&thread->dropped_ticks, __ATOMIC_RELAXED);
    /* Pairs with the release store of the head: the events below it are written. */
    const uint64_t head = __atomic_load_n(&context->head, __ATOMIC_ACQUIRE);
    const uint64_t count = head - thread->tail;
    if (count != 0) {
        const uint64_t begin = thread->tail & context->ring_mask;
        const uint64_t to_end = (uint64_t)context->ring_mask + 1 - begin;
        batch.pieces[0] = context->ring + begin;
        batch.piece_counts[0] = (size_t)(count < to_end ? count : to_end);
        batch.pieces[1] = context->ring;
        batch.piece_counts[1] = (size_t)count - batch.piece_counts[0];
    }
    return batch;
}

static void drain_ring(void *context, struct fgi_producer *thread)
{
    (void)context;
    const struct fgi_batch batch = gather(thread);
    const size_t count = batch.piece_counts[0] + batch.piece_counts[1];
    if (count == 0 && batch.lost == 0) {
        return;
    }
    fgi_history_take(&batch);
    fgi_streams_take(&batch);
    thread->dropped_taken += batch.lost;
    fgi_loss_add(&fgi_losses.producer_drops, batch.lost);
    /* Pairs with the acquire load in the producer's slow path: the events are read by now. */
    __atomic_store_n(&thread->tail, thread->tail + count, __ATOMIC_RELEASE);
}

void fgi_drain_locked(void)
{
    fgi_writer_begin_reports();
    fgi_threads_each(drain_ring, NULL);
    fgi_writer_end_reports();
    fgi_ticks_keep();
    fgi_streams_flush();
}

void fgi_drain(void)
{
    if (fgi_drain_enter()) {
        fgi_drain_locked();
        fgi_drain_leave();
    }
}

void fgi_drain_soon(void)
{
    if (!fgi_writer_runs()) {
        fgi_drain();
    }
}

void fgi_drain_thread(struct fgi_producer *thread)
{
    drain_ring(NULL, thread);
}

void fg_instrument_drain(void)
{
    fgi_drain();
}
