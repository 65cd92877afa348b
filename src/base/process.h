/* SPDX-License-Identifier: MIT */
/* What a program with a server in it needs of the operating system. Not in WebAssembly. */
#ifndef FGI_PROCESS_H
#define FGI_PROCESS_H
#include <frameglass/base.h>

/** Unpredictable bytes, for secrets. FG_OK or FG_ERR_IO. Threads: any. */
FG_MUST_USE enum fg_result fgi_random_bytes(void *bytes, size_t size);

/**
 * A socket that listens on 127.0.0.1 and on no other address.
 *
 * @param port       0 = a free one
 * @param out_socket a file descriptor, owned by the caller
 * @return FG_OK, FG_ERR_BUSY (the port is taken), FG_ERR_IO
 */
FG_MUST_USE enum fg_result fgi_listen_loopback(uint16_t port, int *out_socket, uint16_t *out_port);

/**
 * Start a program, found on PATH, that goes on by itself: no terminal input, its output thrown
 * away, not waited for.
 *
 * @param arguments the program's name and its arguments, ended by NULL
 * @return FG_OK, FG_ERR_NOT_FOUND, FG_ERR_IO
 */
FG_MUST_USE enum fg_result fgi_process_start(const char *const *arguments);

/**
 * From here on SIGINT and SIGTERM do not end the process but fgi_stop_wait(), and a peer that hung
 * up is a write error. Call before any thread is started: threads inherit it.
 */
void fgi_stop_arm(void);
/** Sleep until the process is asked to stop (true) or `timeout_ns` is over; negative = for ever. */
bool fgi_stop_wait(int64_t timeout_ns);

#endif
