// SPDX-License-Identifier: Apache-2.0
// cli/common.c - messages, arguments, JSON, numbers with units

#include "cli/cli.h"

#include "scene/quantity.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <unistd.h>

// --- messages ------------------------------------------------------------------------------------

// warnings that have been printed, the last ones; not kept: all are printed
static char said[8][256];
static int said_count = -1;

static bool is_said(const char *text) {
    if (said_count < 0)
        return false;
    char *slot = said[said_count % 8];
    for (int i = 0; i < 8; i++)
        if (strncmp(said[i], text, sizeof said[i] - 1) == 0)
            return true;
    snprintf(slot, sizeof said[0], "%s", text);
    said_count++;
    return false;
}

void lithe_cli_warn_once(void) {
    said_count = 0;
}

static void log_warning(LitheLogLevel level, const char *text, void *user) {
    (void)user;
    if (level == LITHE_LOG_WARNING && !is_said(text))
        fprintf(stderr, "lithe: warning: %s\n", text);
}

static void log_line(LitheLogLevel level, const char *text, void *user) {
    log_warning(level, text, user);
    if (level == LITHE_LOG_INFO)
        fprintf(stderr, "lithe: %s\n", text);
}

LitheContext *lithe_cli_context(bool quiet) {
    LitheContextDef def = lithe_context_def_default();
    def.log = quiet ? log_warning : log_line;
    LitheContext *context = lithe_context_create(&def);
    if (!context) {
        lithe_cli_complain("out of memory");
        exit(LITHE_EXIT_BAD_INPUT);
    }
    return context;
}

int lithe_cli_failed(const LitheError *error) {
    // several mistakes of a scene: one per line
    for (const char *line = error->text; line;) {
        int length = (int)strcspn(line, "\n");
        lithe_cli_complain("%.*s", length, line);
        line = line[length] ? line + length + 1 : NULL;
    }
    switch (error->status) {
    case LITHE_OK:
        return LITHE_EXIT_DONE;
    case LITHE_CANNOT_GO_ON:
    case LITHE_INTERRUPTED:
        return LITHE_EXIT_STOPPED;
    default:
        return LITHE_EXIT_BAD_INPUT;
    }
}

void lithe_cli_complain(const char *format, ...) {
    fflush(stdout);
    fputs("lithe: ", stderr);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

bool lithe_cli_executable(char *path, size_t size) {
    ssize_t length = readlink("/proc/self/exe", path, size - 1);
    if (length > 0) {
        path[length] = '\0';
        return true;
    }
    // in a bare root: the name that it was started by
    const char *started = (const char *)getauxval(AT_EXECFN);
    char resolved[PATH_MAX];
    if (!started || !realpath(started, resolved) || strlen(resolved) >= size)
        return false;
    strcpy(path, resolved);
    return true;
}

void lithe_cli_print_notes(const LitheScene *scene) {
    enum { SHOWN = 5 };
    int32_t count = lithe_scene_note_count(scene);
    for (int32_t i = 0; i < count && i < SHOWN; i++)
        lithe_cli_complain("note: %s", lithe_scene_note(scene, i));
    if (count > SHOWN)
        lithe_cli_complain("note: %d more notes on the files of robots: see lithe check",
                           (int)count - SHOWN);
}

// --- arguments -----------------------------------------------------------------------------------

void lithe_cli_parse(const struct argp *argp, int argc, char **argv, void *input) {
    argp_err_exit_status = LITHE_EXIT_BAD_INPUT;
    error_t code = argp_parse(argp, argc, argv, 0, NULL, input);
    if (code != 0) {
        lithe_cli_complain("%s", strerror(code));
        exit(LITHE_EXIT_BAD_INPUT);
    }
}

bool lithe_cli_parse_time(const char *text, double *time, LitheError *error) {
    char why[256] = "", found[64];
    LitheQuantity quantity = {0};
    *error = (LitheError){.status = LITHE_BAD_INPUT};
    if (!lithe_quantity_parse(text, NULL, NULL, &quantity, why, sizeof why)) {
        snprintf(error->text, sizeof error->text, "'%.100s': %s", text, why);
        return false;
    }
    if (!lithe_quantity_fits(&quantity, LITHE_WANT_TIME) || !isfinite(quantity.value)) {
        lithe_dimension_text(&quantity.dimension, found, sizeof found);
        snprintf(error->text, sizeof error->text,
                 "'%.100s' is %s, a time is expected, such as 3s or 250ms", text,
                 isfinite(quantity.value) ? found : "not finite");
        return false;
    }
    *time = quantity.value;
    return true;
}

double lithe_cli_time(struct argp_state *state, const char *option, const char *text) {
    LitheError error;
    double time = 0;
    if (!lithe_cli_parse_time(text, &time, &error))
        argp_error(state, "%s %s", option, error.text);
    if (!(time > 0))
        argp_error(state, "%s is %g s, must be > 0", option, time);
    return time;
}

void lithe_cli_name(struct argp_state *state, const char *option, const char *text) {
    if (!*text)
        argp_error(state, "%s is empty", option);
}

void lithe_cli_one(struct argp_state *state, const char *what, const char *text, const char **to) {
    if (*to)
        argp_error(state, "expected one %s, unexpected argument '%s'", what, text);
    *to = text;
}

void lithe_cli_check_set(struct argp_state *state, const char *text) {
    if (!strchr(text, '=') || text[0] == '=')
        argp_error(state, "--set %s: expected PATH=VALUE, such as time.step=1ms", text);
}

void lithe_cli_default_out(const char *path, const char *suffix, char *out, size_t size) {
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    snprintf(out, size, "%.*s%s", length, name, suffix);
}

int64_t lithe_cli_integer(struct argp_state *state, const char *option, const char *text,
                          int64_t low, int64_t high) {
    char *end = NULL;
    errno = 0;
    long long value = strtoll(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || value < low || value > high)
        argp_error(state, "%s is '%s', must be a whole number from %lld to %lld", option, text,
                   (long long)low, (long long)high);
    return value;
}

// --- JSON ----------------------------------------------------------------------------------------

LitheJson lithe_json_open(FILE *file) {
    fputc('{', file);
    return (LitheJson){file, 0};
}

void lithe_json_close(LitheJson *json) {
    fputs("}\n", json->file);
    fflush(json->file);
}

static void json_quoted(FILE *file, const char *text) {
    fputc('"', file);
    for (const unsigned char *c = (const unsigned char *)text; *c; c++) {
        if (*c == '"' || *c == '\\')
            fprintf(file, "\\%c", *c);
        else if (*c < 0x20)
            fprintf(file, "\\u%04x", *c);
        else
            fputc(*c, file);
    }
    fputc('"', file);
}

static void json_name(LitheJson *json, const char *name) {
    if (json->fields++ > 0)
        fputs(", ", json->file);
    json_quoted(json->file, name);
    fputs(": ", json->file);
}

void lithe_json_number(LitheJson *json, const char *name, double value) {
    json_name(json, name);
    if (isfinite(value))
        fprintf(json->file, "%.17g", value);
    else
        fputs("null", json->file);
}

void lithe_json_integer(LitheJson *json, const char *name, int64_t value) {
    json_name(json, name);
    fprintf(json->file, "%lld", (long long)value);
}

void lithe_json_text(LitheJson *json, const char *name, const char *value) {
    json_name(json, name);
    if (value)
        json_quoted(json->file, value);
    else
        fputs("null", json->file);
}

void lithe_json_hash(LitheJson *json, const char *name, uint64_t value) {
    json_name(json, name);
    fprintf(json->file, "\"%016llx\"", (unsigned long long)value);
}

void lithe_json_bool(LitheJson *json, const char *name, bool value) {
    json_name(json, name);
    fputs(value ? "true" : "false", json->file);
}

void lithe_json_null(LitheJson *json, const char *name) {
    json_name(json, name);
    fputs("null", json->file);
}

void lithe_json_stages(LitheJson *json, const double *seconds) {
    json_name(json, "stages");
    LitheJson inner = {json->file, 0};
    fputc('{', json->file);
    for (int32_t i = LITHE_STAGE_NONE + 1; i < LITHE_STAGE_COUNT; i++)
        lithe_json_number(&inner, lithe_stage_name((LitheStage)i), seconds ? seconds[i] : NAN);
    fputc('}', json->file);
}

// --- numbers as text -----------------------------------------------------------------------------

char *lithe_cli_nice(double value, const char *unit, char out[32]) {
    static const char *const prefixes[] = {"n", "u", "m", "", "k", "M", "G"};
    // no prefix for compound units: "mN m^2" would be ambiguous
    bool simple = !strpbrk(unit, " ^/") && strncmp(unit, "kg", 2) != 0;
    double size = fabs(value);
    int step = 3;
    if (simple && isfinite(value) && size > 0) {
        step = (int)floor(log10(size) / 3 + 1e-9) + 3;
        step = step < 0 ? 0 : step > 6 ? 6 : step;
    }
    snprintf(out, 32, "%.4g %s%s", value / pow(1000, step - 3), prefixes[step], unit);
    return out;
}

char *lithe_cli_bytes(int64_t bytes, char out[32]) {
    return lithe_cli_nice((double)bytes, "B", out);
}

char *lithe_cli_duration(double seconds, char out[32]) {
    if (!(seconds < 1e8))
        snprintf(out, 32, "over 3 years");
    else if (seconds >= 3600)
        snprintf(out, 32, "%d h %d min", (int)(seconds / 3600), (int)fmod(seconds / 60, 60));
    else if (seconds >= 60)
        snprintf(out, 32, "%d min %d s", (int)(seconds / 60), (int)fmod(seconds, 60));
    else if (seconds >= 9.5)
        snprintf(out, 32, "%.0f s", seconds);
    else
        snprintf(out, 32, "%.1f s", seconds);
    return out;
}
