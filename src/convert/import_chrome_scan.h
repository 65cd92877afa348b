/* SPDX-License-Identifier: MIT */
/*
 * Events that lie in memory whole and are written as almost all are, taken apart at one go. Only
 * where their members are is noted; nothing is kept, mended or understood, so that it can be done
 * ahead, on another thread. Whatever is out of the ordinary is left to the tokenizer.
 */
#ifndef FGI_IMPORT_CHROME_SCAN_H
#define FGI_IMPORT_CHROME_SCAN_H
#include <frameglass/base.h>

/** What members of events are called. */
enum fgi_chrome_key {
    FGI_CHROME_KEY_OTHER,
    FGI_CHROME_KEY_PHASE,
    FGI_CHROME_KEY_NAME,
    FGI_CHROME_KEY_CATEGORY,
    FGI_CHROME_KEY_PID,
    FGI_CHROME_KEY_TID,
    FGI_CHROME_KEY_TS,
    FGI_CHROME_KEY_DUR,
    FGI_CHROME_KEY_ARGS,
    FGI_CHROME_KEY_ID,
    FGI_CHROME_KEY_ID2,
    FGI_CHROME_KEY_SCOPE,
    FGI_CHROME_KEY_BIND_ID,
    FGI_CHROME_KEY_BIND_POINT,
    FGI_CHROME_KEY_FLOW_IN,
    FGI_CHROME_KEY_FLOW_OUT,
    FGI_CHROME_KEY_INSTANT_SCOPE,
    FGI_CHROME_KEY_STACK,
    FGI_CHROME_KEY_STACK_FRAME,
    FGI_CHROME_KEY_WEIGHT,
};
enum fgi_chrome_key fgi_chrome_key_of(const char *key, size_t size);

struct fgi_chrome_part { /* a member */
    const char *text;    /* in the bytes that were scanned */
    int64_t ns;          /* of a time: whole nanoseconds, where they are */
    uint32_t size;
    uint8_t key;   /* enum fgi_chrome_key */
    uint8_t token; /* enum fgi_json_token: of a text, a number, a word, or FGI_JSON_RAW */
    uint8_t flags; /* enum fgi_json_text_flags */
    bool has_ns;
};
struct fgi_chrome_record { /* an event */
    const uint8_t *begin;
    uint32_t first, count; /* its parts */
};
enum fgi_chrome_stop {
    FGI_CHROME_STOP_CUT,  /* the bytes end */
    FGI_CHROME_STOP_ODD,  /* not an event, or not an ordinary one */
    FGI_CHROME_STOP_FULL, /* no room for another */
};
struct fgi_chrome_scan {
    struct fgi_chrome_record *records; /* the caller's, as are `parts` */
    struct fgi_chrome_part *parts;
    uint32_t record_capacity, part_capacity;
    uint32_t record_count, part_count;
};
/**
 * Fill it anew with the events of a list.
 *
 * @param bytes      where an item is due
 * @param is_comma_due whether one stands before it
 * @param out_stop   behind the last event that was taken
 */
enum fgi_chrome_stop fgi_chrome_scan(struct fgi_chrome_scan *scan, const uint8_t *bytes,
                                     const uint8_t *end, bool is_comma_due,
                                     const uint8_t **out_stop);

#endif
