// SPDX-License-Identifier: Apache-2.0
// tests/tools/state_numbers.c - steps a scene and prints hashes of the numbers of its states
//
// tools/compare-states and tools/count-instructions compile it against two builds and compare what
// it prints. The numbers are those of layout 1 of the state in their order (clock, q, v, effort,
// d1, ...), whatever layout a build has itself, so that builds with different layouts compare; of
// scenes that it cannot represent, such as those with solids, the numbers of the layout of the
// build.
//
//     state_numbers [OPTION ...] SCENE [PATH=VALUE ...]

#include "lithe/lithe.h"

#include "data/state.h"
#include "data/system.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct Options {
    int64_t steps;    // at most; < 0: until the scene's end
    double seconds;   // processor time at most
    double min_ratio; // > 0: adaptive steps, down to this fraction of the scene's step
    double finer;     // > 0: this fraction of the scene's step in its place
    int32_t threads;
    int64_t dump;     // step whose numbers are printed; < 0: none
    bool every;       // print the hash of each step
    const char *save; // file for the last state, as this build has it
    const char *load; // file with the first state
} Options;

typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    double *numbers; // of layout 1
    int64_t count;
    uint64_t hash; // of all states so far
    double end;
} World;

static double busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- numbers -------------------------------------------------------------------------------------

#ifdef LITHE_STATE_LAYOUT
// Layout 1 has rods and trees, all others have the layout of this version.
static int32_t layout_of(const World *w) {
    return lithe_state_get_layout(w->model, w->state, 1, NULL) >= 0 ? 1 : LITHE_STATE_LAYOUT;
}

static const double *read_numbers(World *w) {
    lithe_state_get_layout(w->model, w->state, layout_of(w), w->numbers);
    return w->numbers;
}

static int64_t number_count(const World *w) {
    return lithe_state_get_layout(w->model, w->state, layout_of(w), NULL);
}
#else
static const double *read_numbers(World *w) {
    return lithe_state_data(w->state);
}

static int64_t number_count(const World *w) {
    return lithe_state_size(w->state);
}
#endif

// FNV-1a over words of 64 bits, with a shift that brings high bits down
static uint64_t hash_numbers(uint64_t hash, const double *numbers, int64_t count) {
    for (int64_t i = 0; i < count; i++) {
        uint64_t bits;
        memcpy(&bits, &numbers[i], sizeof bits);
        hash = (hash ^ bits) * 0x100000001b3u;
        hash ^= hash >> 29;
    }
    return hash;
}

static void take_numbers(World *w, const Options *options, int64_t step) {
    const double *numbers = read_numbers(w);
    w->hash = hash_numbers(w->hash, numbers, w->count);
    bool moment = options->every || (step & (step - 1)) == 0;
    if (moment)
        printf("step %lld time %.9g hash %016llx\n", (long long)step, lithe_state_time(w->state),
               (unsigned long long)w->hash);
    if (step == options->dump)
        for (int64_t i = 0; i < w->count; i++)
            printf("number %lld %a %.17g\n", (long long)i, numbers[i], numbers[i]);
}

// --- files of states -----------------------------------------------------------------------------

static bool save(const World *w, const char *path) {
    FILE *file = fopen(path, "wb");
    size_t count = (size_t)lithe_state_size(w->state);
    bool good = file && fwrite(lithe_state_data(w->state), sizeof(double), count, file) == count;
    return file && fclose(file) == 0 && good;
}

static bool load(World *w, const char *path) {
    FILE *file = fopen(path, "rb");
    size_t count = (size_t)lithe_state_size(w->state);
    double *data = malloc((count + 1) * sizeof(double));
    bool good = file && data && fread(data, sizeof(double), count + 1, file) == count;
    if (good)
        lithe_state_set(w->state, data);
    free(data);
    if (file)
        fclose(file);
    return good;
}

// --- the run -------------------------------------------------------------------------------------

static LitheStatus open_world(World *w, const Options *options, int argc, char **argv,
                              LitheError *error) {
    w->context = lithe_context_create(NULL);
    char step[128];
    const char *sets[64];
    int32_t count = 0;
    for (int i = 1; i < argc && count < 63; i++)
        sets[count++] = argv[i];
    LitheStatus status = lithe_scene_load(w->context, argv[0], sets, count, &w->scene, error);
    if (status == LITHE_OK)
        status = lithe_compile(w->scene, &w->model, &w->state, error);
    if (status == LITHE_OK && (options->min_ratio > 0 || options->finer > 0)) {
        // the step of the scene is known only now: load it again with another one
        double max = w->model->time.step;
        lithe_state_destroy(w->state);
        lithe_model_destroy(w->model);
        lithe_scene_destroy(w->scene);
        w->state = NULL, w->model = NULL, w->scene = NULL;
        if (options->min_ratio > 0)
            snprintf(step, sizeof step, "time.step={adaptive: {min: %.17g s, max: %.17g s}}",
                     options->min_ratio * max, max);
        else
            snprintf(step, sizeof step, "time.step=%.17g s", options->finer * max);
        sets[count++] = step;
        status = lithe_scene_load(w->context, argv[0], sets, count, &w->scene, error);
        if (status == LITHE_OK)
            status = lithe_compile(w->scene, &w->model, &w->state, error);
    }
    if (status != LITHE_OK)
        return status;
    w->work = lithe_work_create(w->model, options->threads);
    w->count = number_count(w);
    w->numbers = malloc((size_t)w->count * sizeof(double));
    w->end = w->model->time.end;
    if (w->model->time.start == LITHE_START_EQUILIBRIUM)
        status = lithe_equilibrium(w->model, w->state, w->work, NULL, error);
    return status;
}

static void print_sizes(const World *w, const char *when) {
    int64_t nodes = 0;
    for (int32_t i = 1; i <= lithe_rod_count(w->model); i++)
        nodes += lithe_rod_node_count(w->model, (LitheRodId){i});
    printf("%s bytes %zu peak %zu rod-nodes %lld coupling %zu bond %zu\n", when,
           lithe_context_bytes(w->context), lithe_context_peak_bytes(w->context), (long long)nodes,
           sizeof(LitheCoupling), sizeof(LitheBond));
}

// the steps; their number and what ended them is the last line
static void run(World *w, const Options *options) {
    LitheStatus status = LITHE_OK;
    LitheError error = {0};
    LitheReport report = {0};
    int64_t step = 0, contacts = 0;
    double start = busy();
    take_numbers(w, options, 0);
    const char *why = "end";
    // half a step of a fixed length: times are sums of steps
    double end = w->end - 0.5 * w->model->time.step;
    while (status == LITHE_OK && lithe_state_time(w->state) < end) {
        if (options->steps >= 0 && step >= options->steps) {
            why = "steps";
            break;
        }
        if (busy() - start > options->seconds) {
            why = "seconds";
            break;
        }
        status = lithe_step(w->model, w->state, w->work, &report, &error);
        contacts = report.contacts > contacts ? report.contacts : contacts;
        step++;
        take_numbers(w, options, step);
    }
    printf("steps %lld time %.9g of %.9g numbers %lld contacts %lld status %d hash %016llx\n",
           (long long)step, lithe_state_time(w->state), w->end, (long long)w->count,
           (long long)contacts, (int)status, (unsigned long long)w->hash);
    fprintf(stderr, "stopped by %s%s%s\n",
            status == LITHE_OK ? why : "failure: ", status == LITHE_OK ? "" : error.text, "");
}

static void close_world(World *w) {
    free(w->numbers);
    lithe_work_destroy(w->work);
    lithe_state_destroy(w->state);
    lithe_model_destroy(w->model);
    lithe_scene_destroy(w->scene);
    lithe_context_destroy(w->context);
}

// Kernels for AVX2 and FMA are not chosen from now on: valgrind does not know all of their
// instructions.
static void choose_portable_kernels(void) {
#ifdef __x86_64__
    extern struct {
        unsigned vendor, type, subtype, features[1];
    } __cpu_model; // of libgcc, which __builtin_cpu_supports reads
    const unsigned avx2 = 10, fma = 14;
    __cpu_model.features[0] &= ~(1u << avx2 | 1u << fma);
    if (__builtin_cpu_supports("avx2") || __builtin_cpu_supports("fma"))
        fputs("the kernels are not portable\n", stderr);
#endif
}

static int usage(void) {
    fputs("usage: state_numbers [--steps N] [--seconds S] [--threads N] [--adaptive MIN/MAX]\n"
          "                     [--finer FRACTION] [--every] [--dump STEP] [--sizes] [--save FILE] "
          "[--load FILE]\n"
          "                     [--portable] SCENE [PATH=VALUE ...]\n",
          stderr);
    return 2;
}

int main(int argc, char **argv) {
    static const struct option rows[] = {
        {"steps", required_argument, NULL, 'n'},   {"seconds", required_argument, NULL, 's'},
        {"threads", required_argument, NULL, 'j'}, {"adaptive", required_argument, NULL, 'a'},
        {"dump", required_argument, NULL, 'd'},    {"every", no_argument, NULL, 'e'},
        {"save", required_argument, NULL, 'w'},    {"load", required_argument, NULL, 'r'},
        {"sizes", no_argument, NULL, 'z'},         {"finer", required_argument, NULL, 'f'},
        {"portable", no_argument, NULL, 'p'},      {0}};
    Options options = {.steps = -1, .seconds = 1e9, .threads = 1, .dump = -1};
    bool sizes = false;
    for (int c; (c = getopt_long(argc, argv, "", rows, NULL)) != -1;) {
        switch (c) {
        case 'n':
            options.steps = atoll(optarg);
            break;
        case 's':
            options.seconds = atof(optarg);
            break;
        case 'j':
            options.threads = atoi(optarg);
            break;
        case 'a':
            options.min_ratio = atof(optarg);
            break;
        case 'f':
            options.finer = atof(optarg);
            break;
        case 'd':
            options.dump = atoll(optarg);
            break;
        case 'e':
            options.every = true;
            break;
        case 'w':
            options.save = optarg;
            break;
        case 'r':
            options.load = optarg;
            break;
        case 'z':
            sizes = true;
            break;
        case 'p':
            choose_portable_kernels();
            break;
        default:
            return usage();
        }
    }
    if (optind >= argc)
        return usage();
    World world = {.hash = 0xcbf29ce484222325u};
    LitheError error = {0};
    int code = 0;
    LitheStatus status = open_world(&world, &options, argc - optind, argv + optind, &error);
    if (status != LITHE_OK) {
        printf("refused %d\n", (int)status);
        fprintf(stderr, "%s\n", error.text);
    } else if (options.load && !load(&world, options.load)) {
        fprintf(stderr, "%s: no state of this scene\n", options.load);
        code = 1;
    } else {
        if (sizes)
            print_sizes(&world, "begin");
        run(&world, &options);
        if (sizes)
            print_sizes(&world, "end");
        if (options.save && !save(&world, options.save)) {
            fprintf(stderr, "%s: cannot be written\n", options.save);
            code = 1;
        }
    }
    close_world(&world);
    return code;
}
