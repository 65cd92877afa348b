/* SPDX-License-Identifier: MIT */
/* A document from inside: what the formats fill. */
#ifndef FGI_DOCUMENT_PRIV_H
#define FGI_DOCUMENT_PRIV_H
#include "open/document.h"
#include <frameglass/capture.h>
#include <frameglass/capture_cnatrace.h>
#include <frameglass/trace.h>

struct fgi_spool;

enum { FGI_PACKING_DEPTH = 4 };

/** A format that can be read; one file each, listed in format_list.c. */
struct fgi_format {
    const char *name;
    const char *about; /**< one line for people */
    /**
     * Are these the first bytes of such an input? Decides alone: no two formats may both say so.
     */
    bool (*sniff)(const uint8_t *head, size_t size);
    /** Read the index: fills what the strip needs. */
    enum fg_result (*open)(struct fg_document *document, struct fg_diag *diag);
    /**
     * Make a trace, also a second time after the input has grown: then it stands beside
     * document->trace, which may be asked meanwhile, and keeps that one's numbers.
     */
    enum fg_result (*load)(struct fg_document *document, struct fg_diag *diag,
                           struct fg_trace **out_trace);
    /**
     * Frames of the index; both NULL: the format has none. `frames` is given a range that exists.
     */
    uint64_t (*frame_count)(const struct fg_document *document);
    void (*frames)(const struct fg_document *document, uint64_t first, size_t count,
                   struct fg_strip_frame *out_frames);
    /** Has the input grown since it was read? NULL: such inputs do not grow. */
    enum fg_result (*poll)(struct fg_document *document, bool *out_grown);
    /** Free what open made; also after it has failed. The trace is gone by then. */
    void (*close)(struct fg_document *document);
};

struct fg_document {
    const struct fg_allocator *allocator;
    struct fg_open_options options; /**< with the defaults filled in; `format` is not kept */
    const struct fgi_format *format;
    struct fg_source source;     /**< unpacked */
    struct fgi_spool *spool;     /**< holds the unpacked bytes; NULL when they are read in place */
    struct fg_file_source *file; /**< when it was opened by its path */
    char packing[64];
    struct fg_diag packing_defect; /**< message "" = none */
    struct fg_capture *capture;    /**< sgpt only */
    struct fg_cnatrace *cnatrace;  /**< cnatrace only */
    struct fg_trace *trace;
    struct fg_engine *engine;
    struct fg_diag engine_diag; /**< why it is not the one that was asked for; message "" = it is */
    /* What was lent before the input grew, until it is forgotten. */
    struct fg_trace *old_trace;
    struct fg_engine *old_engine;
    bool is_behind;                    /**< the input has grown since the trace was made */
    int64_t rebuilt_at_ns, rebuild_ns; /**< the last time that it grew: when that was done, how long
                                            it took; 0 = never */
};

/* What 0 stands for in fg_open_options. */
#define FGI_SPOOL_MEMORY_BYTES (256ull << 20)
#define FGI_SPOOL_LIMIT_BYTES  (64ull << 30)

/* After a rebuild that took longer than the first, polls rest so many times what it took. */
#define FGI_REBUILD_FREE_NS INT64_C(50000000)
#define FGI_REBUILD_REST    3

extern const struct fgi_format fgi_format_chrome;
extern const struct fgi_format fgi_format_cnatrace;
extern const struct fgi_format fgi_format_sgpt;

/** The format that these first bytes show, or that is called `name` (NULL: guess); NULL: none. */
const struct fgi_format *fgi_open_format_find(const char *name, const uint8_t *head, size_t size);

/** What of another tool begins so and is not read: "a Perfetto protobuf trace", ...; NULL. */
const char *fgi_open_foreign_name(const uint8_t *head, size_t size);

/** Fails with FG_ERR_FORMAT and says what these first bytes should have been. */
enum fg_result fgi_open_no_format(const char *name, const uint8_t *head, size_t size,
                                  struct fg_diag *diag);

/** Undo every packing of document->source; FG_OK also when there is none. */
enum fg_result fgi_document_unpack(struct fg_document *document, struct fg_diag *diag);
/** Free what holds unpacked bytes; NULL is legal. Beside the above, as builds differ in both. */
void fgi_document_free_spool(struct fgi_spool *spool);

/** fg_open_source() for a source that `file` and `spool` (either may be NULL) hold up: both are
 *  transferred on success. */
enum fg_result fgi_document_open(const struct fg_source *source, struct fg_file_source *file,
                                 struct fgi_spool *spool, const struct fg_open_options *options,
                                 struct fg_diag *diag, struct fg_document **out_document);

#endif
