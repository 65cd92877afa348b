/* SPDX-License-Identifier: MIT */
/*
 * What every capability shares: results, diagnostics, memory, and where bytes come from and go to.
 */
#ifndef FG_BASE_H
#define FG_BASE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
#define FG_BEGIN_DECLS extern "C" {
#define FG_END_DECLS   }
#else
#define FG_BEGIN_DECLS
#define FG_END_DECLS
#endif

#if defined(__GNUC__)
#define FG_API                 __attribute__((visibility("default")))
#define FG_MUST_USE            __attribute__((warn_unused_result))
#define FG_PRINTF(text, first) __attribute__((format(printf, text, first)))
#else
#define FG_API
#define FG_MUST_USE
#define FG_PRINTF(text, first)
#endif

#define FG_VERSION_MAJOR  0
#define FG_VERSION_MINOR  1
#define FG_VERSION_PATCH  0
#define FG_VERSION_STRING "0.1.0"

FG_BEGIN_DECLS

/**
 * Every result, once: X(value, name, text). Append only; values never change.
 * FG_OK is zero, everything else means that the call did not do what it was asked.
 */
#define FG_RESULTS(X)                                                                              \
    X(0, OK, "done")                                                                               \
    X(1, ERR_ARGUMENT, "an argument breaks the contract of the call")                              \
    X(2, ERR_NO_MEMORY, "memory ran out")                                                          \
    X(3, ERR_IO, "the operating system refused to read or write")                                  \
    X(4, ERR_NOT_FOUND, "there is no such thing")                                                  \
    X(5, ERR_FORMAT, "these bytes are not of a known format")                                      \
    X(6, ERR_VERSION, "the file needs a newer reader")                                             \
    X(7, ERR_CORRUPT, "the data is damaged")                                                       \
    X(8, ERR_LIMIT, "a limit was reached")                                                         \
    X(9, ERR_STATE, "not possible in this state")                                                  \
    X(10, ERR_BUSY, "somebody else holds it")                                                      \
    X(11, ERR_UNSUPPORTED, "the device or the build cannot do this")                               \
    X(12, ERR_CANCELLED, "cancelled by the caller")                                                \
    X(13, ERR_TIMEOUT, "the time was up before it was done")                                       \
    X(14, ERR_DEVICE_LOST, "the device was lost")                                                  \
    X(15, ERR_CLOCK, "these clocks cannot be compared")

enum fg_result {
#define FG_RESULT_ENUM(value, name, text) FG_##name = (value),
    FG_RESULTS(FG_RESULT_ENUM)
#undef FG_RESULT_ENUM
};

/** Name of a result ("FG_ERR_CORRUPT"); never NULL. Static memory. Threads: any. */
FG_API const char *fg_result_name(enum fg_result result);
/** One line of text for a person; never NULL. Static memory. Threads: any. */
FG_API const char *fg_result_text(enum fg_result result);
/** Version of the library that was linked, "major.minor.patch". Threads: any. */
FG_API const char *fg_version(void);

/** Where and why reading failed. Written only on failure; optional everywhere (NULL is legal). */
struct fg_diag {
    uint64_t offset;   /**< byte offset in the input */
    char message[240]; /**< what was expected and what was found; always terminated */
};

/**
 * Where memory comes from. NULL means libc. Borrowed: it outlives everything created with it.
 * Threads: as the functions themselves; the library may call them from any thread that calls it.
 */
struct fg_allocator {
    /** Resize `block` (NULL: allocate) to `size` bytes (0: free, returns NULL). NULL = refused. */
    void *(*resize)(void *context, void *block, size_t old_size, size_t size);
    void *context;
};

/**
 * Bytes read at offsets, never assumed to fit in memory. The size may grow while it is read (live
 * captures) and never shrinks. Borrowed as documented by whoever takes it.
 */
struct fg_source {
    /**
     * Read up to `size` bytes at `offset`. Fewer bytes are an end of file, not an error.
     * @return FG_OK or FG_ERR_IO
     */
    enum fg_result (*read_at)(void *context, uint64_t offset, void *bytes, size_t size,
                              size_t *out_read);
    /** Size in bytes now. FG_OK or FG_ERR_IO. */
    enum fg_result (*size)(void *context, uint64_t *out_size_bytes);
    void *context;
};

/** Bytes written forward. Every capture goes to one of these. */
struct fg_sink {
    /** Append all of `bytes`. FG_OK, FG_ERR_IO, FG_ERR_NO_MEMORY or FG_ERR_LIMIT. */
    enum fg_result (*write)(void *context, const void *bytes, size_t size);
    /**
     * Replace bytes that were written before. NULL where it cannot be done (pipes): the file then
     * stays without its CLOSED mark and readers recover it by its own records.
     */
    enum fg_result (*patch)(void *context, uint64_t offset, const void *bytes, size_t size);
    void *context;
};

/** A file opened for reading. Regular files only for `source`; see fg_file_source_open(). */
struct fg_file_source;
/**
 * Open a file for reading at offsets.
 *
 * @param path       copied
 * @param out_file   owned; close with fg_file_source_close(); untouched on failure
 * @param out_source borrowed until the file is closed
 * @return FG_OK, FG_ERR_NOT_FOUND, FG_ERR_IO, FG_ERR_NO_MEMORY, FG_ERR_UNSUPPORTED (not seekable)
 *
 * Threads: any; the source may be read from several threads at once.
 */
FG_API FG_MUST_USE enum fg_result fg_file_source_open(const char *path,
                                                      struct fg_file_source **out_file,
                                                      struct fg_source *out_source);
FG_API void fg_file_source_close(struct fg_file_source *file);

/** A file opened for writing; truncated when it exists. */
struct fg_file_sink;
/**
 * @param path     copied
 * @param out_file owned; close with fg_file_sink_close(); untouched on failure
 * @param out_sink borrowed until the file is closed; writes are unbuffered (one system call each)
 * @return FG_OK, FG_ERR_IO, FG_ERR_NO_MEMORY
 */
FG_API FG_MUST_USE enum fg_result fg_file_sink_open(const char *path,
                                                    struct fg_file_sink **out_file,
                                                    struct fg_sink *out_sink);
/** FG_ERR_IO when the operating system reports a late write error. NULL is FG_OK. */
FG_API enum fg_result fg_file_sink_close(struct fg_file_sink *file);

/** Growing memory that is a sink and, at any time, a source. */
struct fg_memory_sink;
/**
 * @param allocator   NULL = libc
 * @param limit_bytes 0 = no limit; a write over it fails with FG_ERR_LIMIT and leaves the bytes be
 */
FG_API FG_MUST_USE enum fg_result fg_memory_sink_create(const struct fg_allocator *allocator,
                                                        uint64_t limit_bytes,
                                                        struct fg_memory_sink **out_memory,
                                                        struct fg_sink *out_sink);
/** The bytes so far: borrowed until the next write or destroy. */
FG_API const void *fg_memory_sink_bytes(const struct fg_memory_sink *memory, size_t *out_size);
FG_API void fg_memory_sink_destroy(struct fg_memory_sink *memory);

/** Memory that somebody else holds, as a source. */
struct fg_memory_view {
    const void *bytes; /**< borrowed while the source is in use */
    size_t size;
};
/** @param view borrowed while the source is in use */
FG_API struct fg_source fg_memory_source(struct fg_memory_view *view);

FG_END_DECLS
#endif
