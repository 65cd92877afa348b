/* SPDX-License-Identifier: MIT */
/* The oracle for filters. */
#include "engine_contract.h"
#include "support/cmocka_all.h"
#include <math.h>
#include <string.h>

static bool contains(const char *text, const char *part)
{
    size_t n = strlen(part);
    for (size_t i = 0; i + n <= strlen(text); i++) {
        size_t same = 0;
        for (; same < n; same++) {
            char x = text[i + same], y = part[same];
            x = x >= 'A' && x <= 'Z' ? (char)(x + 32) : x;
            y = y >= 'A' && y <= 'Z' ? (char)(y + 32) : y;
            if (x != y) {
                break;
            }
        }
        if (same == n) {
            return true;
        }
    }
    return false;
}

static bool is_one_of(const uint32_t *items, uint32_t count, uint32_t item)
{
    for (uint32_t i = 0; i < count; i++) {
        if (items[i] == item) {
            return true;
        }
    }
    return items == NULL;
}

static uint64_t length(const struct plain_span *s)
{
    return (uint64_t)s->end - (uint64_t)s->start;
}

/* Terms about a span and those that are its parent or its direct children. */
static bool passes_relations(const struct contract *c, const struct plain_span *s)
{
    const struct fg_filter_terms *t = &c->terms;
    uint32_t row = (uint32_t)(s - c->plain->spans);
    if (t->mask && (row >= t->mask_rows || !(t->mask[row / 64] >> (row % 64) & 1))) {
        return false;
    }
    if (t->short_child_ns > 0 && s->parent != FG_NONE && length(s) <= t->short_child_ns) {
        return false;
    }
    for (uint32_t i = 0; t->similar_parent_percent > 0 && i < c->plain->span_count; i++) {
        const struct plain_span *child = &c->plain->spans[i];
        if (child->parent == row) {
            double difference = fabs((double)length(s) - (double)length(child));
            if (difference * 100 <= (double)length(s) * t->similar_parent_percent) {
                return false;
            }
        }
    }
    return true;
}

static bool passes(const struct contract *c, const struct plain_span *s)
{
    const struct fg_filter_terms *t = &c->terms;
    uint64_t duration = (uint64_t)s->end - (uint64_t)s->start;
    bool in_frames = !t->has_frames ||
                     (s->frame != FG_NONE && s->frame >= t->first_frame && s->frame < t->end_frame);
    return in_frames && passes_relations(c, s) &&
           (!t->text || contains(fg_trace_text(c->plain->trace, s->name), t->text)) &&
           is_one_of(t->names, t->name_count, s->name) &&
           is_one_of(t->categories, t->category_count, s->category) &&
           is_one_of(t->tracks, t->track_count, s->track) &&
           (s->classes & t->required_classes) == t->required_classes &&
           !(s->classes & t->excluded_classes) &&
           (t->status_mask == 0 || (t->status_mask & (1u << s->status))) &&
           duration >= t->min_duration_ns &&
           (t->max_duration_ns == 0 || duration <= t->max_duration_ns) &&
           (!t->has_range || contract_meets(s->start, s->end, t->start_ns, t->end_ns));
}

static void random_mask(struct contract *c)
{
    struct plain_trace *p = c->plain;
    for (size_t i = 0; i < sizeof c->mask / sizeof *c->mask; i++) {
        c->mask[i] = plain_random(p) | plain_random(p);
    }
    c->terms.mask = c->mask;
    c->terms.mask_rows = plain_below(p, 4) ? PLAIN_SPANS_MAX : plain_below(p, PLAIN_SPANS_MAX);
}

static void add_random_term(struct contract *c)
{
    struct plain_trace *p = c->plain;
    struct fg_filter_terms *t = &c->terms;
    static const char *const texts[] = { "b", "SH", "ow", "map", "zzz" };
    switch (plain_below(p, 12)) {
    case 0:
        t->text = texts[plain_below(p, 5)];
        break;
    case 1:
        t->names = c->term_numbers[0];
        t->name_count = plain_below(p, 4);
        break;
    case 2:
        t->categories = c->term_numbers[1];
        t->category_count = 1;
        break;
    case 3:
        t->tracks = c->term_numbers[2];
        t->track_count = 1 + plain_below(p, 3);
        break;
    case 4:
        t->required_classes = FG_CLASS_GPU_PASS;
        break;
    case 5:
        t->excluded_classes = FG_CLASS_SCOPE | FG_CLASS_ZONE;
        t->status_mask = 1u << FG_SPAN_COMPLETE;
        break;
    case 6:
        t->has_frames = true;
        t->first_frame = plain_below(p, 4);
        t->end_frame = plain_below(p, 3) == 0 ? FG_NONE : t->first_frame + plain_below(p, 9);
        break;
    case 7:
        t->min_duration_ns = plain_below(p, 40);
        t->max_duration_ns = plain_below(p, 2) ? 0 : 300;
        break;
    case 8:
        t->short_child_ns = 1 + plain_below(p, 100);
        break;
    case 9:
        t->similar_parent_percent = 1 + plain_below(p, 100);
        break;
    case 10:
        random_mask(c);
        break;
    default:
        t->has_range = true;
        t->start_ns = (int64_t)plain_below(p, 2000) - 500;
        t->end_ns = t->start_ns + 1 + plain_below(p, 3000);
        break;
    }
}

/* The same bits elsewhere, with others behind what counts. */
static void check_equal_masks(struct contract *c)
{
    uint64_t mask[PLAIN_SPANS_MAX / 64 + 2];
    struct fg_filter_terms terms = c->terms;
    uint32_t id = 0;
    uint32_t rows = 0;
    memcpy(mask, c->mask, sizeof c->mask);
    mask[PLAIN_SPANS_MAX / 64 + 1] = UINT64_MAX;
    for (uint32_t i = terms.mask_rows; i < PLAIN_SPANS_MAX; i++) {
        mask[i / 64] ^= UINT64_C(1) << (i % 64);
    }
    terms.mask = mask;
    assert_int_equal(fg_query_filter_create(c->query, &terms, &id, &rows), FG_OK);
    assert_int_equal(id, c->filter);
    assert_int_equal(fg_query_filter_destroy(c->query, id), FG_OK);
}

void contract_take_filter(struct contract *c)
{
    struct plain_trace *p = c->plain;
    uint32_t rows = 0, expected = 0;
    if (plain_below(p, 3) == 0) {
        return;
    }
    for (uint32_t i = 0; i < 4; i++) {
        c->term_numbers[0][i] = p->names[plain_below(p, p->name_count)];
        c->term_numbers[1][i] = plain_below(p, 2) ? p->names[0] : 0;
        c->term_numbers[2][i] = plain_below(p, p->track_count);
    }
    memset(&c->terms, 0, sizeof c->terms);
    for (uint32_t terms = 1 + plain_below(p, 3); terms > 0; terms--) {
        add_random_term(c);
    }
    for (uint32_t row = 0; row < p->span_count; row++) {
        c->passes[row] = passes(c, &p->spans[row]);
        expected += c->passes[row];
    }
    assert_int_equal(fg_query_filter_create(c->query, &c->terms, &c->filter, &rows), FG_OK);
    assert_int_not_equal(c->filter, 0);
    assert_int_equal(rows, expected);
    /* Equal terms are the same filter, to be destroyed as often as it was made. */
    uint32_t again = 0;
    assert_int_equal(fg_query_filter_create(c->query, &c->terms, &again, &rows), FG_OK);
    assert_int_equal(again, c->filter);
    assert_int_equal(fg_query_filter_destroy(c->query, again), FG_OK);
    if (c->terms.mask) {
        check_equal_masks(c);
    }
}

void contract_drop_filter(struct contract *c)
{
    if (c->filter != 0) {
        assert_int_equal(fg_query_filter_destroy(c->query, c->filter), FG_OK);
        assert_int_equal(fg_query_filter_destroy(c->query, c->filter), FG_ERR_NOT_FOUND);
    }
    c->filter = 0;
    memset(c->passes, 1, sizeof c->passes);
    fg_query_reset(c->query);
}
