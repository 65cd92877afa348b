/* SPDX-License-Identifier: MIT */
#include "canvas_script.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_MAX = 1 << 20, LINE_MAX_SIZE = 128 };

static const struct {
    const char *name;
    const char *text;
} built_in[] = {
    { "still", "" },
    { "pan", "1 to 100000 pan 3 1\n" },
    { "zoom", "1 to 60 zoom 1.02 320 240\n61 to 120 zoom 0.98 320 240\n" },
    { "drag", "2 press 200 160\n3 to 3 move 210 165\n4 move 220 170\n5 move 230 175\n"
              "6 move 240 180\n7 move 250 185\n8 release\n" },
    { "edit", "2 press 200 160\n2 release\n3 to 6 key right shift\n8 key L\n10 key L\n"
              "12 key delete\n" },
    { "tour", "3 key P shift\n5 to 14 pan 6 2\n15 to 24 zoom 1.03 320 240\n"
              "25 to 34 zoom 0.971 320 240\n35 press 200 160\n36 move 210 165\n37 move 220 170\n"
              "38 move 240 180\n39 release\n40 idle 40\n42 key P shift alt\n44 to 48 key down\n"
              "50 to 59 pan -6 -2\n" },
};

/** One line, taken apart. */
struct line {
    unsigned long long first, last;
    char word[16];
    char rest[LINE_MAX_SIZE];
};

/** @return false: it is none, and not empty either */
static bool parse_line(const char *text, struct line *line)
{
    int used = 0;
    if (sscanf(text, "%llu to %llu %15s %n", &line->first, &line->last, line->word, &used) < 3) {
        used = 0;
        if (sscanf(text, "%llu %15s %n", &line->first, line->word, &used) < 2) {
            return false;
        }
        line->last = line->first;
    }
    (void)snprintf(line->rest, sizeof(line->rest), "%s", used > 0 ? text + used : "");
    return true;
}

static bool parse_key(const char *rest, struct cv_event *event)
{
    static const struct {
        const char *name;
        int key;
    } names[] = {
        { "escape", CV_KEY_ESCAPE }, { "delete", CV_KEY_DELETE }, { "left", CV_KEY_LEFT },
        { "right", CV_KEY_RIGHT },   { "up", CV_KEY_UP },         { "down", CV_KEY_DOWN }
    };
    char name[16];
    if (sscanf(rest, "%15s", name) != 1) {
        return false;
    }
    event->key = strlen(name) == 1 ? name[0] : CV_KEY_NONE;
    for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        event->key = strcmp(name, names[i].name) == 0 ? names[i].key : event->key;
    }
    event->has_shift = strstr(rest, "shift") != NULL;
    event->has_alt = strstr(rest, "alt") != NULL;
    return event->key != CV_KEY_NONE;
}

static bool parse_event(const struct line *line, struct cv_event *event)
{
    static const struct {
        const char *word;
        enum cv_event_kind kind;
        int numbers;
    } words[] = { { "move", CV_EVENT_MOVE, 2 },       { "press", CV_EVENT_PRESS, 2 },
                  { "release", CV_EVENT_RELEASE, 0 }, { "pan", CV_EVENT_PAN, 2 },
                  { "zoom", CV_EVENT_ZOOM, 3 },       { "key", CV_EVENT_KEY, 0 },
                  { "close", CV_EVENT_CLOSE, 0 } };
    for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
        if (strcmp(line->word, words[i].word) != 0) {
            continue;
        }
        float a = 0, b = 0, c = 0;
        *event = (struct cv_event){ .kind = words[i].kind };
        if (event->kind == CV_EVENT_KEY) {
            return parse_key(line->rest, event);
        }
        const int numbers = sscanf(line->rest, "%f %f %f", &a, &b, &c);
        event->factor = a;
        event->x = words[i].numbers == 3 ? b : a;
        event->y = words[i].numbers == 3 ? c : b;
        return words[i].numbers == 0 || numbers >= words[i].numbers;
    }
    return false;
}

/** @return where the next line begins; NULL: there is none */
static const char *next_line(const char *text, char line[LINE_MAX_SIZE])
{
    if (*text == '\0') {
        return NULL;
    }
    const size_t length = strcspn(text, "\n");
    (void)snprintf(line, LINE_MAX_SIZE, "%.*s", (int)length, text);
    return text + length + (text[length] == '\n');
}

static bool check(const char *text, const char *name)
{
    char copy[LINE_MAX_SIZE];
    int number = 1;
    for (; (text = next_line(text, copy)) != NULL; number++) {
        struct line line;
        struct cv_event event;
        const bool is_empty = copy[strspn(copy, " \t\r")] == '\0' || copy[0] == '#';
        if (!is_empty && (!parse_line(copy, &line) ||
                          (strcmp(line.word, "idle") != 0 && !parse_event(&line, &event)))) {
            fprintf(stderr, "canvas: %s:%d: not understood: %s\n", name, number, copy);
            return false;
        }
    }
    return true;
}

static char *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    char *text = file != NULL ? calloc(1, FILE_MAX + 2) : NULL;
    if (text != NULL) {
        errno = 0;
        const size_t size = fread(text, 1, FILE_MAX + 1, file);
        if (ferror(file) || size > FILE_MAX || memchr(text, '\0', size) != NULL) {
            /* A folder, more than a script is, no text. */
            errno = errno != 0 ? errno : size > FILE_MAX ? EFBIG : EINVAL;
            free(text);
            text = NULL;
        }
    }
    if (file != NULL) {
        const int why = errno;
        (void)fclose(file);
        errno = why;
    }
    return text;
}

bool cv_script_open(struct cv_script *script, const char *name_or_path)
{
    const char *name = name_or_path != NULL ? name_or_path : "still";
    *script = (struct cv_script){ .text = NULL };
    for (size_t i = 0; i < sizeof(built_in) / sizeof(built_in[0]); i++) {
        if (strcmp(name, built_in[i].name) == 0) {
            script->text = built_in[i].text;
            return true;
        }
    }
    script->text = script->owned = read_file(name);
    if (script->text == NULL) {
        fprintf(stderr,
                "canvas: script %s: %s; built in are still, pan, zoom, drag, edit and tour\n", name,
                strerror(errno));
        return false;
    }
    return check(script->text, name);
}

void cv_script_close(struct cv_script *script)
{
    free(script->owned);
    script->owned = NULL;
}

void cv_script_play(const struct cv_script *script, uint64_t frame, struct cv_editor *editor,
                    uint32_t *out_idle_ms)
{
    char copy[LINE_MAX_SIZE];
    *out_idle_ms = 0;
    for (const char *at = script->text; (at = next_line(at, copy)) != NULL;) {
        struct line line;
        struct cv_event event;
        if (!parse_line(copy, &line) || frame < line.first || frame > line.last) {
            continue;
        }
        if (strcmp(line.word, "idle") == 0) {
            *out_idle_ms = (uint32_t)strtoul(line.rest, NULL, 10);
        } else if (parse_event(&line, &event)) {
            cv_editor_handle(editor, &event);
        }
    }
}
