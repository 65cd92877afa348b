/* SPDX-License-Identifier: MIT */
/* Arguments and other containers that were taken as they stand; numbers and times. */
#include "convert/import_chrome_priv.h"

#include <string.h>

#define BILLION UINT32_C(1000000000)

void fgi_chrome_members_begin(struct fgi_chrome_members *members,
                              const struct fg_allocator *allocator, const char *text, size_t size)
{
    struct fgi_json_item item;
    fgi_json_start(&members->reader, allocator);
    members->reader.max_text_bytes = SIZE_MAX / 2;
    fgi_json_feed(&members->reader, text, size);
    (void)fgi_json_next(&members->reader, &item);
}

bool fgi_chrome_members_next(struct fgi_chrome_members *members, struct fgi_json_item *out_item,
                             enum fgi_json_token *out_token)
{
    enum fgi_json_token token = fgi_json_next(&members->reader, out_item);
    if (token == FGI_JSON_OBJECT || token == FGI_JSON_ARRAY) {
        fgi_json_take(&members->reader, SIZE_MAX / 2);
        token = fgi_json_next(&members->reader, out_item);
    }
    *out_token = token;
    return token == FGI_JSON_STRING || token == FGI_JSON_NUMBER || token == FGI_JSON_WORD ||
           token == FGI_JSON_RAW;
}

void fgi_chrome_members_end(struct fgi_chrome_members *members)
{
    fgi_json_finish_reading(&members->reader);
}

bool fgi_chrome_is_key(const struct fgi_json_item *item, const char *key)
{
    size_t size = strlen(key);
    return item->key_size == size && item->key != NULL && memcmp(item->key, key, size) == 0;
}

bool fgi_chrome_member(struct fgi_chrome *c, const char *text, size_t size, const char *key,
                       struct fgi_json_item *out_item, enum fgi_json_token *out_token)
{
    struct fgi_chrome_members members;
    bool found = false;
    if (size == 0) {
        return false;
    }
    fgi_chrome_members_begin(&members, c->allocator, text, size);
    while (!found && fgi_chrome_members_next(&members, out_item, out_token)) {
        found = fgi_chrome_is_key(out_item, key);
    }
    fgi_chrome_members_end(&members);
    return found; /* the text is in the caller's: the reader copied nothing */
}

bool fgi_chrome_decimal(const struct fgi_json_item *item, enum fgi_json_token token, int shift,
                        struct fgi_decimal *out_decimal)
{
    return (token == FGI_JSON_NUMBER || token == FGI_JSON_STRING) &&
           fgi_decimal_read(item->text, item->size, shift, out_decimal);
}

bool fgi_chrome_natural(const struct fgi_json_item *item, enum fgi_json_token token,
                        uint64_t *out_value)
{
    struct fgi_decimal decimal;
    if (!fgi_chrome_decimal(item, token, 0, &decimal) || decimal.is_negative ||
        decimal.is_saturated) {
        return false;
    }
    *out_value = decimal.whole;
    return true;
}

/* ---- times ----------------------------------------------------------------------------------- */

struct fgi_chrome_time fgi_chrome_time_of(const struct fgi_decimal *decimal)
{
    struct fgi_chrome_time time = { 0 };
    uint64_t limit = decimal->is_negative ? (uint64_t)INT64_MAX + 1 : (uint64_t)INT64_MAX;
    if (decimal->whole >= limit) {
        time.ns = decimal->is_negative ? INT64_MIN : INT64_MAX;
        return time;
    }
    time.ns = (int64_t)decimal->whole;
    time.billionths = decimal->billionths;
    if (decimal->is_negative) {
        time.ns = -time.ns - (time.billionths > 0);
        time.billionths = time.billionths > 0 ? BILLION - time.billionths : 0;
    }
    return time;
}

int64_t fgi_chrome_round(struct fgi_chrome_time time)
{
    return time.ns < INT64_MAX ? time.ns + (time.billionths >= BILLION / 2) : time.ns;
}

struct fgi_chrome_time fgi_chrome_add(struct fgi_chrome_time a, struct fgi_chrome_time b)
{
    uint32_t billionths = a.billionths + b.billionths;
    int64_t carry = billionths >= BILLION;
    if (b.ns > 0 && a.ns > INT64_MAX - b.ns - carry) {
        return (struct fgi_chrome_time){ .ns = INT64_MAX };
    }
    if (b.ns < 0 && a.ns < INT64_MIN - b.ns) {
        return (struct fgi_chrome_time){ .ns = INT64_MIN };
    }
    return (struct fgi_chrome_time){
        .ns = a.ns + b.ns + carry,
        .billionths = carry ? billionths - BILLION : billionths,
    };
}
