// SPDX-License-Identifier: Apache-2.0
// cli/compare.c - lithe compare: one scene under every contact model that supports it

#include "cli/compare.h"

#include "base/log.h"
#include "base/status.h"
#include "base/suggest.h"
#include "record/recording.h"
#include "record/series.h"
#include "run/session.h"
#include "scene/scene.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

typedef struct Options {
    LitheCliRun request;
    LitheComparison all;
    const char **sets; // [set_count], and room for model and scheme
    int32_t set_count;
    const char *out, *force;
} Options;

static const char *model_name(int32_t model) {
    return lithe_contact_model_info((LitheContactModel)model)->name;
}

// --- supported models ----------------------------------------------------------------------------

static LitheStatus load(const Options *o, const char *model, LitheScene **scene,
                        LitheError *error) {
    char set[64];
    snprintf(set, sizeof set, "contact.model=%s", model);
    o->sets[o->set_count] = set;
    LitheStatus status =
        lithe_scene_load(o->all.context, o->all.scene, o->sets, o->set_count + 1, scene, error);
    if (status != LITHE_OK || (*scene)->time.scheme != LITHE_SCHEME_AUTO ||
        (*scene)->contact.model == LITHE_CONTACT_LCP)
        return status;
    // models are compared under one scheme: the one that all support, except lcp with its own
    lithe_scene_destroy(*scene);
    o->sets[o->set_count + 1] = "time.scheme=backward-euler";
    return lithe_scene_load(o->all.context, o->all.scene, o->sets, o->set_count + 2, scene, error);
}

// The clause after ", which " of a message such as "--set contact.model: contact: model is imc,
// which ...; convex ..."
static void take_reason(const char *text, char *reason, size_t size) {
    const char *which = strstr(text, ", which ");
    if (!which) {
        snprintf(reason, size, "%.1000s", text);
        return;
    }
    which += strlen(", which ");
    snprintf(reason, size, "it %.*s", (int)strcspn(which, ";"), which);
}

// convex supports every scene but those with a scheme that only lcp has: what both refuse is an
// error of the scene itself
static LitheStatus load_any(const Options *o, LitheScene **scene, LitheError *error) {
    LitheError second = {0};
    LitheStatus status = load(o, model_name(LITHE_CONTACT_CONVEX), scene, error);
    if (status != LITHE_BAD_INPUT)
        return status;
    return load(o, model_name(LITHE_CONTACT_LCP), scene, &second) == LITHE_OK ? LITHE_OK : status;
}

static LitheStatus find_supported(Options *o, LitheScene **scene, LitheError *error) {
    LitheStatus status = load_any(o, scene, error);
    if (status != LITHE_OK)
        return status;
    if (!lithe_scene_has_things(*scene))
        return lithe_fail(error, LITHE_BAD_INPUT,
                          "%s: has no rods, bodies, arms, solids or particles: there is nothing to "
                          "compare",
                          o->all.scene);
    if (!(*scene)->contact.enabled)
        lithe_log(o->all.context, LITHE_LOG_WARNING,
                  "%s: contact is not enabled: the models have nothing to differ in", o->all.scene);
    int32_t supported = 0;
    for (int32_t i = 0; i < o->all.count; i++) {
        LitheCompared *c = &o->all.of[i];
        LitheScene *tried = NULL;
        LitheError why = {0};
        status = load(o, c->model, &tried, &why);
        if (status == LITHE_NO_MEMORY)
            return lithe_fail_memory(error, "a scene");
        c->supported = status == LITHE_OK;
        supported += c->supported;
        if (!c->supported)
            take_reason(why.text, c->reason, sizeof c->reason);
        lithe_scene_destroy(tried);
    }
    if (supported == 0)
        return lithe_fail(error, LITHE_BAD_INPUT, "%s: %s does not support this scene: %.800s",
                          o->all.scene, o->all.of[0].model, o->all.of[0].reason);
    return LITHE_OK;
}

// --- compared quantities -------------------------------------------------------------------------

// the force of the first drive that pulls; without one the largest tension of the first rod, or the
// kinetic energy
static void usual_force(const Options *o, const LitheScene *scene, char *name, size_t size) {
    if (scene->rod_count > 0)
        snprintf(name, size, "%s.tension.max", scene->rods[0].name);
    else
        snprintf(name, size, "energy.kinetic");
    for (int32_t i = 0; i < scene->drive_count; i++)
        if (scene->drives[i].kind != LITHE_DRIVE_TWIST) {
            snprintf(name, size, "%s.force", scene->drives[i].name);
            break;
        }
    if (o->force)
        snprintf(name, size, "%s", o->force);
}

// an empty recording already has names and units, so a wrong --force is found before the runs
static LitheStatus find_force(Options *o, const LitheScene *scene, LitheError *error) {
    LitheRunDef def = lithe_run_def_default();
    LitheSession session;
    LitheSeriesSet set = {0};
    char path[] = "--force";
    usual_force(o, scene, o->all.quantity, sizeof o->all.quantity);
    LitheStatus status =
        lithe_session_begin(&session, scene, &def, NULL,
                            o->request.until != 0 ? o->request.until : scene->time.end, error);
    if (status == LITHE_OK) {
        LitheRecording empty = {
            .context = o->all.context, .path = path, .layout = session.layout, .file = -1};
        status = lithe_recording_series(&empty, o->all.quantity, &set, error);
    }
    if (status == LITHE_OK) {
        snprintf(o->all.unit, sizeof o->all.unit, "%s", set.unit);
        if (set.count != 1)
            status = lithe_fail(error, LITHE_BAD_INPUT,
                                "--force: '%s' is %d series, one is expected: %s, say",
                                o->all.quantity, set.count, set.series[0].name);
        lithe_series_release(&set);
    }
    lithe_session_end(&session);
    return status;
}

// --- the folder ----------------------------------------------------------------------------------

// "folder/knot.yaml" makes "knot.compare" in the current folder
static void name_folder(Options *o) {
    const char *slash = strrchr(o->all.scene, '/');
    const char *name = slash ? slash + 1 : o->all.scene;
    const char *dot = strrchr(name, '.');
    int length = dot && dot > name ? (int)(dot - name) : (int)strlen(name);
    if (o->out)
        snprintf(o->all.folder, sizeof o->all.folder, "%s", o->out);
    else
        snprintf(o->all.folder, sizeof o->all.folder, "%.*s.compare", length, name);
    for (size_t n = strlen(o->all.folder); n > 1 && o->all.folder[n - 1] == '/'; n--)
        o->all.folder[n - 1] = '\0';
}

// Whether the folder holds the results of a comparison.
static bool has_results(const LitheComparison *all) {
    char path[4096], start[10] = "";
    lithe_compare_file(all, "compare.json", path);
    FILE *file = fopen(path, "r");
    size_t read = file ? fread(start, 1, sizeof start - 1, file) : 0;
    if (file)
        fclose(file);
    return read > 0 && strncmp(start, "{\"model\"", 8) == 0;
}

// Fails for a file of one of our names that is not of an earlier comparison.
static LitheStatus check_older(const LitheComparison *all, const char *name, LitheError *error) {
    char path[4096];
    struct stat older;
    bool ours = true;
    lithe_compare_file(all, name, path);
    if (stat(path, &older) != 0 || older.st_size == 0)
        return LITHE_OK;
    LitheStatus status = LITHE_OK;
    if (strstr(name, ".h5"))
        status = lithe_recording_peek(all->context, path, &ours, error);
    else
        ours = has_results(all);
    if (status == LITHE_OK && !ours)
        status = lithe_fail(error, LITHE_BAD_INPUT,
                            "%s: exists and is not of a comparison: move it away, or give another "
                            "folder with --out",
                            path);
    return status;
}

// Makes the folder when missing and removes the files of an earlier comparison.
static LitheStatus open_folder(const LitheComparison *all, LitheError *error) {
    static const char *const ours[] = {"convex.h5",  "imc.h5",       "spt.h5",
                                       "lcp.h5",     "force.svg",    "gap.svg",
                                       "curves.csv", "compare.json", "report.txt"};
    if (mkdir(all->folder, 0777) != 0 && errno != EEXIST)
        return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot create this folder: %s", all->folder,
                          strerror(errno));
    LitheStatus status = LITHE_OK;
    for (size_t i = 0; status == LITHE_OK && i < sizeof ours / sizeof *ours; i++)
        status = check_older(all, ours[i], error);
    if (status != LITHE_OK)
        return status;
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++) {
        char path[4096];
        lithe_compare_file(all, ours[i], path);
        if (unlink(path) != 0 && errno != ENOENT)
            return lithe_fail(error, LITHE_FILE_ERROR, "%s: cannot be replaced: %s", path,
                              strerror(errno));
    }
    return LITHE_OK;
}

// --- the runs ------------------------------------------------------------------------------------

static double processor_time(void) {
    struct timespec t = {0};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

// A model that cannot continue is part of the comparison: its frames are recorded with the reason.
static LitheStatus run_model(Options *o, LitheCompared *c, LitheError *error) {
    char name[64], path[4096];
    LitheScene *scene = NULL;
    LitheStatus status = load(o, c->model, &scene, error);
    if (status != LITHE_OK)
        return status;
    bool prints = !o->request.quiet && !o->request.json;
    if (prints) {
        printf("%s ...\n", c->model);
        fflush(stdout);
    }
    snprintf(name, sizeof name, "%s.h5", c->model);
    lithe_compare_file(&o->all, name, path);
    o->request.out = path;
    LitheRunDef def = lithe_cli_run_def(&o->request);
    double began = processor_time();
    status = lithe_run(scene, &def, &c->summary, error);
    c->busy_seconds = processor_time() - began;
    if (prints && isatty(STDERR_FILENO))
        fputs("\r\033[K", stderr);
    lithe_scene_destroy(scene);
    if (status == LITHE_CANNOT_GO_ON && access(path, F_OK) == 0) {
        c->stopped = true;
        snprintf(c->reason, sizeof c->reason, "%.1000s", error->text);
        status = LITHE_OK;
    }
    return status;
}

static int report(const Options *o) {
    const LitheComparison *all = &o->all;
    bool stopped = false;
    int32_t supported = 0;
    if (o->request.json)
        lithe_compare_json(all, stdout);
    else if (!o->request.quiet) {
        printf("\n");
        lithe_compare_table(all, stdout);
        printf("\n%s: report.txt, compare.json, curves.csv, plots, recordings\n", all->folder);
    }
    for (int32_t i = 0; i < all->count; i++) {
        const LitheCompared *c = &all->of[i];
        supported += c->supported;
        stopped = stopped || c->stopped;
        if (c->stopped)
            lithe_cli_complain("%s: %s", c->model, c->reason);
        if (c->summary.topology_changes > 0 && !o->request.quiet)
            lithe_cli_complain("warning: %s: knots or links changed, first %s", c->model,
                               c->summary.topology_first);
    }
    if (supported == 1 && all->count > 1 && !o->request.quiet)
        lithe_cli_complain("warning: only %s supports this scene: nothing to compare it with",
                           lithe_compare_first(all)->model);
    return stopped ? LITHE_EXIT_STOPPED : LITHE_EXIT_DONE;
}

static int compare(Options *o) {
    LitheError error = {0};
    LitheScene *scene = NULL;
    LitheStatus status = find_supported(o, &scene, &error);
    if (status == LITHE_OK)
        status = find_force(o, scene, &error);
    if (status == LITHE_OK) {
        o->all.title = scene->title;
        name_folder(o);
        status = open_folder(&o->all, &error);
    }
    for (int32_t i = 0; status == LITHE_OK && i < o->all.count; i++)
        if (o->all.of[i].supported)
            status = run_model(o, &o->all.of[i], &error);
    if (status == LITHE_OK)
        status = lithe_compare_measure(&o->all, &error);
    if (status == LITHE_OK)
        status = lithe_compare_write(&o->all, &error);
    int code = status == LITHE_OK ? report(o) : lithe_cli_failed(&error);
    lithe_compare_release(&o->all);
    lithe_scene_destroy(scene);
    return code;
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_SET = 's', KEY_OUT = 'o', KEY_UNTIL = 'u', KEY_THREADS = 'j', KEY_QUIET = 'q' };
enum { KEY_MODELS = 'm', KEY_FORCE = 'f', KEY_JSON = 1000, KEY_SMOOTH, KEY_LOG };

static const struct argp_option options[] = {
    {"models", KEY_MODELS, "A,B", 0,
     "which, in this order; the others are compared with the first (default: convex,imc,spt,lcp)",
     0},
    {"force", KEY_FORCE, "QUANTITY", 0,
     "what is compared, as lithe plot names it (default: the force of the first drive, else the "
     "largest tension of the first rod, else the kinetic energy)",
     0},
    {"smooth", KEY_SMOOTH, "TIME", 0, "compare means over this time", 0},
    {"log", KEY_LOG, 0, 0, "logarithmic axis of the plot of forces", 0},
    {"out", KEY_OUT, "FOLDER", 0,
     "folder of the results (default: SCENE.compare in the current folder)", 0},
    {"set", KEY_SET, "PATH=VALUE", 0, "change a value of the scene; may be repeated", 0},
    {"until", KEY_UNTIL, "TIME", 0, "simulate up to this time in place of the scene's end", 0},
    {"threads", KEY_THREADS, "N", 0, "threads (default 1); the result is the same for any number",
     0},
    {"quiet", KEY_QUIET, 0, 0, "print only errors and warnings", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object per model, no table", 0},
    {0},
};

static void add_model(struct argp_state *state, LitheComparison *all, const char *name) {
    for (int32_t i = 0; i < all->count; i++)
        if (strcmp(all->of[i].model, name) == 0)
            argp_error(state, "--models names %s twice", name);
    const char *models[LITHE_COMPARE_MODELS];
    for (int32_t i = 0; i < LITHE_COMPARE_MODELS; i++) {
        models[i] = model_name(i);
        if (strcmp(models[i], name) == 0) {
            all->of[all->count++] = (LitheCompared){.model = models[i]};
            return;
        }
    }
    const char *meant = lithe_suggest(name, models, LITHE_COMPARE_MODELS);
    if (name[0] == '\0')
        argp_error(state, "--models has an empty name; there are convex, imc, spt and lcp");
    else if (meant)
        argp_error(state, "--models: no contact model named '%s': did you mean '%s'?", name, meant);
    else
        argp_error(state,
                   "--models: no contact model named '%s'; there are convex, imc, spt and lcp",
                   name);
}

static void take_models(struct argp_state *state, LitheComparison *all, const char *text) {
    all->count = 0;
    for (;;) {
        char name[64];
        size_t length = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)(length < 60 ? length : 60), text);
        add_model(state, all, name);
        if (text[length] == '\0')
            return;
        text += length + 1;
    }
}

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_MODELS:
        take_models(state, &o->all, text);
        return 0;
    case KEY_FORCE:
        o->force = text;
        return 0;
    case KEY_SMOOTH:
        o->all.smooth = lithe_cli_time(state, "--smooth", text);
        return 0;
    case KEY_LOG:
        o->all.log = true;
        return 0;
    case KEY_OUT:
        if (strlen(text) == 0 || strlen(text) > 2900)
            argp_error(state, "--out is %s", text[0] ? "too long" : "empty");
        o->out = text;
        return 0;
    case KEY_SET:
        lithe_cli_check_set(state, text);
        if (strncmp(text, "contact.model=", 14) == 0)
            argp_error(state, "--set %s: --models says which contact models are compared", text);
        o->sets[o->set_count++] = text;
        return 0;
    case KEY_UNTIL:
        o->request.until = lithe_cli_time(state, "--until", text);
        return 0;
    case KEY_THREADS:
        o->request.threads = (int32_t)lithe_cli_integer(state, "--threads", text, 1, 1024);
        return 0;
    case KEY_QUIET:
        o->request.quiet = true;
        return 0;
    case KEY_JSON:
        o->request.json = true;
        return 0;
    case ARGP_KEY_ARG:
        lithe_cli_one(state, "scene", text, &o->all.scene);
        return 0;
    case ARGP_KEY_END:
        if (!o->all.scene)
            argp_error(state, "no scene is given (lithe examples lists the included ones)");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_compare(int argc, char **argv) {
    if (lithe_compare_wants_recordings(argc, argv))
        return lithe_compare_recordings(argc, argv);
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "SCENE\nA.h5 B.h5 [QUANTITY...]",
        .doc =
            "Run a scene under every contact model that supports it, side by side; or compare two "
            "recordings ('lithe compare A.h5 B.h5 --help').\v"
            "Force, overlap, drift, energy, iterations and time as a table and as plots in a "
            "folder, and in words what differs between the models. A model that does not "
            "support the scene is named with the reason. Exit code 3 when a run stopped before "
            "its end.\n\nExample:\n"
            "  lithe compare scenes/knot-imc.yaml --until 5s --smooth 0.5s --models convex,imc\n"};
    Options o = {.request = {.threads = 1}, .all = {.count = LITHE_COMPARE_MODELS}};
    for (int32_t i = 0; i < LITHE_COMPARE_MODELS; i++)
        o.all.of[i].model = model_name(i);
    o.sets = calloc((size_t)argc + 2, sizeof *o.sets);
    if (!o.sets) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);
    o.all.context = lithe_cli_context(o.request.quiet);
    int code = compare(&o);
    lithe_context_destroy(o.all.context);
    free(o.sets);
    return code;
}
