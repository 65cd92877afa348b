/* SPDX-License-Identifier: MIT */
#include "fake_gl.h"

#include <stdio.h>
#include <string.h>

struct fake_gl fake;

#define START_NS 1000000000

static void reset(const char *version, const char *extensions)
{
    memset(&fake, 0, sizeof fake);
    fake.version = version;
    fake.extensions = extensions;
    fake.timestamp_bits = fake.elapsed_bits = fake.statistic_bits = 64;
    fake.clock_offset_ns = 5000000000;
    fake.read_ns = 600;
    fake.latency_ns = 2000000;
    fake.names_left = -1;
    fake.tells_resets = true;
    fake.now_ns = fake.gpu_ns = START_NS;
    fake.thread = fgi_thread_number();
}

void fake_reset(void)
{
    reset("4.6 (Core Profile) fake", "GL_NVX_gpu_memory_info");
    fake.total_kib = 8 << 20;
    fake.free_kib = 6 << 20;
}

void fake_reset_es(void)
{
    reset("OpenGL ES 3.2 fake", "GL_EXT_disjoint_timer_query GL_ATI_meminfo");
    fake.free_kib = 3 << 20;
}

uint64_t fake_ticks_at(int64_t host_ns)
{
    int64_t passed_ns = host_ns - START_NS;
    return (uint64_t)(host_ns + fake.clock_offset_ns + passed_ns / 1000 * fake.drift_ppm / 1000);
}

void fake_work(int64_t cost_ns)
{
    fake.gpu_ns = (fake.gpu_ns > fake.now_ns ? fake.gpu_ns : fake.now_ns) + cost_ns;
    fake.invocations += (uint64_t)cost_ns / 10;
}

void fake_move(void)
{
    fake.thread = fgi_thread_number();
    for (unsigned i = 1; i < FAKE_QUERIES && fake.moves != FAKE_KEEPS; i++) {
        struct fake_query *query = &fake.queries[i];
        if (query->issued && query->target == FGI_GL_TIMESTAMP &&
            query->readable_ns > fake.now_ns) {
            query->readable_ns = fake.now_ns;
            query->value = fake.moves == FAKE_ZEROS ? 0 : query->old_value;
        }
    }
}

void fake_advance(int64_t duration_ns)
{
    fake.now_ns += duration_ns;
}

static int64_t host_now(void)
{
    fake.host_reads++;
    return fake.now_ns;
}

const struct fgi_opengl_host *fake_host(void)
{
    static const struct fgi_opengl_host host = { host_now, fake_advance };
    return &host;
}

/** False: there is no context on this thread. */
static bool enter(void)
{
    fake.calls++;
    fake.wrong_thread += fgi_thread_number() != fake.thread;
    return fgi_thread_number() == fake.thread;
}

static void need(bool condition)
{
    fake.errors += condition ? 0 : 1;
}

static unsigned *running_at(unsigned target)
{
    return &fake.running[target == FGI_GL_TIME_ELAPSED                  ? 0
                         : target == FGI_GL_GEOMETRY_SHADER_INVOCATIONS ? 1
                                                                        : 2 + (target - 0x82EE)];
}

static const unsigned char *gl_GetString(unsigned name)
{
    const char *text = name == FGI_GL_VERSION    ? fake.version
                       : name == FGI_GL_VENDOR   ? "nobody"
                       : name == FGI_GL_RENDERER ? "arithmetic"
                                                 : NULL;
    return enter() ? (const unsigned char *)text : NULL;
}

/** The extension of that number; NULL when there are fewer. */
static const char *extension_at(unsigned index)
{
    static char word[64];
    const char *at = fake.extensions;
    for (unsigned i = 0; *at != 0; i++) {
        size_t size = strcspn(at, " ");
        if (i == index) {
            (void)snprintf(word, sizeof word, "%.*s", (int)size, at);
            return word;
        }
        at += size + (at[size] == ' ');
    }
    return NULL;
}

static const unsigned char *gl_GetStringi(unsigned name, unsigned index)
{
    need(name == FGI_GL_EXTENSIONS && extension_at(index) != NULL);
    return enter() ? (const unsigned char *)extension_at(index) : NULL;
}

static void gl_GetIntegerv(unsigned name, int *values)
{
    if (!enter()) {
        return;
    }
    switch (name) {
    case FGI_GL_NUM_EXTENSIONS:
        for (*values = 0; extension_at((unsigned)*values) != NULL;) {
            ++*values;
        }
        break;
    case FGI_GL_GPU_DISJOINT:
        need(strstr(fake.extensions, "GL_EXT_disjoint_timer_query") != NULL);
        *values = fake.disjoint;
        fake.disjoint = false;
        break;
    case FGI_GL_RESET_NOTIFICATION_STRATEGY:
        *values = fake.tells_resets ? FGI_GL_LOSE_CONTEXT_ON_RESET : 0x8261;
        break;
    case FGI_GL_MAX_DEBUG_MESSAGE_LENGTH:
        *values = 32;
        break;
    case FGI_GL_GPU_MEMORY_INFO_DEDICATED_VIDMEM:
        need(strstr(fake.extensions, "GL_NVX_gpu_memory_info") != NULL);
        *values = fake.total_kib;
        break;
    case FGI_GL_GPU_MEMORY_INFO_CURRENT_AVAILABLE_VIDMEM:
        *values = fake.free_kib;
        fake.memory_reads++;
        break;
    case FGI_GL_TEXTURE_FREE_MEMORY:
        need(strstr(fake.extensions, "GL_ATI_meminfo") != NULL);
        memset(values, 0, 4 * sizeof *values);
        *values = fake.free_kib;
        fake.memory_reads++;
        break;
    default:
        need(false);
        break;
    }
}

static uint64_t wrapped(uint64_t ticks)
{
    return fake.timestamp_bits >= 64 ? ticks : ticks & ((UINT64_C(1) << fake.timestamp_bits) - 1);
}

static void gl_GetInteger64v(unsigned name, int64_t *values)
{
    if (enter()) {
        need(name == FGI_GL_TIMESTAMP);
        fake.clock_reads++;
        fake.now_ns += fake.read_ns / 2;
        *values = (int64_t)wrapped(fake_ticks_at(fake.now_ns + fake.reads_ahead_ns));
        fake.now_ns += fake.read_ns - fake.read_ns / 2;
    }
}

static void gl_GenQueries(int count, unsigned *names)
{
    unsigned next = 1;
    for (int i = 0; enter() && i < count && fake.names_left != 0; i++) {
        while (next < FAKE_QUERIES && fake.queries[next].made) {
            next++;
        }
        if (next == FAKE_QUERIES) {
            need(false);
            return;
        }
        fake.queries[next] = (struct fake_query){ .made = true };
        fake.queries_alive++;
        fake.names_left -= fake.names_left > 0;
        names[i] = next;
    }
}

static void gl_DeleteQueries(int count, const unsigned *names)
{
    for (int i = 0; enter() && i < count; i++) {
        struct fake_query *query = &fake.queries[names[i]];
        if (names[i] != 0 && query->made) {
            fake.deleted_running += query->running;
            fake.queries_alive--;
            query->made = false;
        }
    }
}

/** What the GPU shows when it gets to this command. */
static uint64_t gpu_value(unsigned target)
{
    int64_t at_ns = fake.gpu_ns > fake.now_ns ? fake.gpu_ns : fake.now_ns;
    return target == FGI_GL_TIME_ELAPSED || target == FGI_GL_TIMESTAMP ? fake_ticks_at(at_ns)
                                                                       : fake.invocations;
}

static void finish_query(struct fake_query *query, uint64_t value)
{
    query->old_value = query->value;
    query->value = value;
    query->issued = true;
    query->readable_ns = (fake.gpu_ns > fake.now_ns ? fake.gpu_ns : fake.now_ns) + fake.latency_ns;
}

static void gl_BeginQuery(unsigned target, unsigned name)
{
    struct fake_query *query = &fake.queries[name];
    if (!enter()) {
        return;
    }
    if (!query->made || *running_at(target) != 0 ||
        (query->target != 0 && query->target != target)) {
        need(false);
        return;
    }
    *running_at(target) = name;
    query->target = target;
    query->running = true;
    query->issued = false;
    query->begun_value = gpu_value(target);
}

static void gl_EndQuery(unsigned target)
{
    unsigned name = *running_at(target);
    if (!enter() || name == 0) {
        need(false);
        return;
    }
    struct fake_query *query = &fake.queries[name];
    uint64_t value = gpu_value(target) - query->begun_value;
    *running_at(target) = 0;
    query->running = false;
    if (target == FGI_GL_TIME_ELAPSED && fake.absolute_elapsed && !fake.told_absolute) {
        fake.told_absolute = true;
        value = gpu_value(target);
    }
    finish_query(query, value);
}

static void gl_QueryCounter(unsigned name, unsigned target)
{
    struct fake_query *query = &fake.queries[name];
    if (!enter()) {
        return;
    }
    need(target == FGI_GL_TIMESTAMP && query->made && fake.timestamp_bits != 0);
    query->target = target;
    bool second = (fake.wild_stamps || fake.zero_stamps) && fake.stamps++ % 2 != 0;
    uint64_t value = gpu_value(target) + (second && fake.wild_stamps ? 3600000000000 : 0);
    finish_query(query, second && fake.zero_stamps ? 0 : wrapped(value));
}

static void gl_GetQueryiv(unsigned target, unsigned name, int *values)
{
    if (!enter()) {
        return;
    }
    if (name == FGI_GL_CURRENT_QUERY) {
        *values = (int)*running_at(target);
        return;
    }
    need(name == FGI_GL_QUERY_COUNTER_BITS);
    *values = target == FGI_GL_TIMESTAMP      ? fake.timestamp_bits
              : target == FGI_GL_TIME_ELAPSED ? fake.elapsed_bits
                                              : fake.statistic_bits;
}

static bool is_available(const struct fake_query *query)
{
    return fake.lost || (query->issued && !fake.never && query->readable_ns <= fake.now_ns);
}

static void gl_GetQueryObjectuiv(unsigned name, unsigned what, unsigned *values)
{
    if (enter()) {
        const struct fake_query *query = &fake.queries[name];
        need(query->made && !query->running && query->target != 0);
        need(what == FGI_GL_QUERY_RESULT_AVAILABLE);
        *values = is_available(query);
    }
}

static void gl_GetQueryObjectui64v(unsigned name, unsigned what, uint64_t *values)
{
    if (enter()) {
        const struct fake_query *query = &fake.queries[name];
        need(query->made && !query->running && query->target != 0);
        need(what == FGI_GL_QUERY_RESULT);
        fake.blocked += !is_available(query);
        *values = fake.lost ? 0xDEAD : query->value;
    }
}

static void gl_PushDebugGroup(unsigned source, unsigned id, int length, const char *text)
{
    (void)id;
    if (!enter() || fake.groups_open == FAKE_GROUPS || length >= 32 ||
        source != FGI_GL_DEBUG_SOURCE_APPLICATION) {
        need(false);
        return;
    }
    fake.groups_pushed++;
    (void)snprintf(fake.groups[fake.groups_open++], FAKE_TEXT, "%.*s", length, text);
    if (length > fake.longest_size) {
        fake.longest_size = length;
        (void)snprintf(fake.longest, FAKE_TEXT, "%.*s", length, text);
    }
}

static void gl_PopDebugGroup(void)
{
    if (!enter() || fake.groups_open == 0) {
        need(false);
        return;
    }
    fake.groups_open--;
}

static unsigned gl_GetGraphicsResetStatus(void)
{
    return enter() && fake.lost ? 0x8253 : 0;
}

/** A getter that knows no better: what is called and is not there is an error. */
static void gl_nothing(void)
{
    need(false);
}

fg_opengl_function fake_get_proc_address(const char *name)
{
    static const struct {
        const char *name;
        fg_opengl_function function;
    } functions[] = {
#define FAKE_ENTRY(member, result, parameters, group)                                              \
    { "gl" #member, (fg_opengl_function)gl_##member },
        FGI_OPENGL_FUNCTIONS(FAKE_ENTRY)
#undef FAKE_ENTRY
    };
    bool es = fake.version != NULL && strncmp(fake.version, "OpenGL ES", 9) == 0;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
        size_t size = strlen(functions[i].name);
        const char *suffix = name + size;
        if (strncmp(functions[i].name, name, size) == 0 &&
            (*suffix == 0 || (es && strcmp(suffix, "EXT") == 0))) {
            return functions[i].function;
        }
    }
    return strncmp(name, "gl", 2) == 0 ? gl_nothing : NULL;
}
