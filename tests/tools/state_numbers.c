// SPDX-License-Identifier: Apache-2.0
// tests/tools/state_numbers.c - steps a scene and prints hashes of its numbers
//
// tools/compare-states and tools/count-instructions compile it against two builds and compare what
// it prints: the numbers of named_numbers.h, whatever layout of the state a build has.
//
//     state_numbers [OPTION ...] SCENE [PATH=VALUE ...]
//     state_numbers --differences A B

#include "named_numbers.h"

#include "data/system.h"

#include <getopt.h>
#include <math.h>
#include <time.h>

typedef struct Options {
    int64_t steps;    // at most; < 0: until the scene's end
    double seconds;   // processor time at most
    double min_ratio; // > 0: adaptive steps, down to this fraction of the scene's step
    double finer;     // > 0: this fraction of the scene's step in its place
    int32_t threads;
    int64_t dump;     // step whose numbers are printed; < 0: none
    bool every;       // print the hash of each step
    bool counts;      // print what the reports of all steps add up to
    const char *pack; // file for what steps start from, each `interval` steps
    int64_t interval;
    const char *single; // such a file: one step from each, with its numbers in `out`
    const char *out;
    const char *save; // file for the last state, as this build has it
    const char *load; // file with the first state
} Options;

typedef struct World {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheWork *work;
    LitheReport report;
    NamedNumbers numbers;
    uint64_t hash; // of all numbers so far
    double end;
} World;

static double busy(void) {
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

// --- numbers -------------------------------------------------------------------------------------

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
    NamedNumbers *n = &w->numbers;
    named_read(n, w->model, w->state, w->work, &w->report);
    w->hash = hash_numbers(w->hash, n->values, n->count);
    bool moment = options->every || (step & (step - 1)) == 0;
    if (moment)
        printf("step %lld time %.9g hash %016llx\n", (long long)step, lithe_state_time(w->state),
               (unsigned long long)w->hash);
    if (step == options->dump)
        for (int64_t i = 0; i < n->count; i++) {
            char name[128];
            named_name(n, i, name, sizeof name);
            printf("number %s %a %.17g\n", name, n->values[i], n->values[i]);
        }
}

// what the reports of a run add up to: the reasons of other attempts, and what followed
#define COUNTS(ROW) \
    ROW(line_search_cuts) \
    ROW(hessians_corrected) \
    ROW(bodies_unconverged) \
    ROW(joints_at_limit) \
    ROW(solve_unconverged) \
    ROW(friction_unsettled) \
    ROW(constraints_broken) \
    ROW(pieces) \
    ROW(rejected) \
    ROW(crossings_avoided) \
    ROW(stiffened) \
    ROW(held) \
    ROW(softened) \
    ROW(euler) \
    ROW(calmed) \
    ROW(energy_gained) \
    ROW(halted) \
    ROW(guarded) \
    ROW(poses_missed) \
    ROW(inverted) \
    ROW(contacts_dropped) \
    ROW(contacts_returned) \
    ROW(fall_backs) \
    ROW(weakened)

typedef struct Counts {
#define ROW(member) int64_t member;
    COUNTS(ROW)
#undef ROW
} Counts;

static void add_counts(Counts *sum, const LitheReport *report) {
#define ROW(member) sum->member += report->member;
    COUNTS(ROW)
#undef ROW
}

static void print_counts(const Counts *sum) {
#define ROW(member) \
    if (sum->member > 0) \
        printf("count %s %lld\n", #member, (long long)sum->member);
    COUNTS(ROW)
#undef ROW
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
    LitheReport *report = &w->report;
    Counts counts = {0};
    FILE *pack = options->pack ? fopen(options->pack, "wb") : NULL;
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
        if (pack && step % options->interval == 0) {
            named_pack(&w->numbers, w->state);
            named_write(&w->numbers, pack);
        }
        status = lithe_step(w->model, w->state, w->work, report, &error);
        contacts = report->contacts > contacts ? report->contacts : contacts;
        add_counts(&counts, report);
        step++;
        take_numbers(w, options, step);
    }
    if (pack)
        fclose(pack);
    if (options->counts)
        print_counts(&counts);
    printf("steps %lld time %.9g of %.9g numbers %lld contacts %lld status %d hash %016llx\n",
           (long long)step, lithe_state_time(w->state), w->end, (long long)w->numbers.count,
           (long long)contacts, (int)status, (unsigned long long)w->hash);
    fprintf(stderr, "stopped by %s%s%s\n",
            status == LITHE_OK ? why : "failure: ", status == LITHE_OK ? "" : error.text, "");
}

// one step from each packed state; what came of it
static bool run_singles(World *w, const Options *options) {
    FILE *in = fopen(options->single, "rb"), *out = fopen(options->out, "wb");
    LitheState *fresh = lithe_state_copy(w->state);
    NamedNumbers start = {0};
    bool good = in && out && fresh;
    int64_t count = 0;
    while (good && named_next(&start, in)) {
        LitheError error = {0};
        w->report = (LitheReport){0};
        lithe_state_set(w->state, lithe_state_data(fresh));
        good = named_unpack(&start, w->state);
        if (!good)
            break;
        LitheStatus status = lithe_step(w->model, w->state, w->work, &w->report, &error);
        named_read(&w->numbers, w->model, w->state, w->work, &w->report);
        *named_group(&w->numbers, "report", "status", 1) = status;
        good = named_write(&w->numbers, out);
        count++;
    }
    free(start.values);
    free(start.groups);
    lithe_state_destroy(fresh);
    if (in)
        fclose(in);
    good = out && fclose(out) == 0 && good;
    if (good)
        printf("states %lld\n", (long long)count);
    else
        fprintf(stderr, "%s: no states of this scene\n", options->single);
    return good;
}

// --- differences ---------------------------------------------------------------------------------

// of numbers with the same quantity, of any thing
typedef struct Difference {
    const char *what; // the end of a name of a group
    double largest;   // over the largest such number of its step
    char where[128];
    int64_t step;
} Difference;

static const char *quantity_of(const char *name) {
    const char *dot = strrchr(name, '.');
    return dot && strncmp(name, "report.", 7) != 0 ? dot + 1 : name;
}

static Difference *difference_of(Difference *list, int32_t *count, const char *what) {
    for (int32_t i = 0; i < *count; i++)
        if (strcmp(list[i].what, what) == 0)
            return &list[i];
    list[*count] = (Difference){.what = strdup(what), .step = -1};
    return &list[(*count)++];
}

// largest number of this quantity in both
static double scale_of(const NamedNumbers *a, const NamedNumbers *b, const char *what) {
    double scale = 0;
    for (int64_t g = 0; g < a->group_count; g++)
        if (strcmp(quantity_of(a->groups[g].name), what) == 0)
            for (int64_t i = 0; i < a->groups[g].count; i++) {
                int64_t at = a->groups[g].at + i;
                scale = fmax(scale, fmax(fabs(a->values[at]), fabs(b->values[at])));
            }
    return scale;
}

static bool same_groups(const NamedNumbers *a, const NamedNumbers *b) {
    bool same = a->group_count == b->group_count;
    for (int64_t g = 0; same && g < a->group_count; g++)
        same = a->groups[g].count == b->groups[g].count &&
               strcmp(a->groups[g].name, b->groups[g].name) == 0;
    return same;
}

static void compare_step(const NamedNumbers *a, const NamedNumbers *b, int64_t step,
                         Difference *list, int32_t *count) {
    for (int64_t g = 0; g < a->group_count; g++) {
        const NamedGroup *group = &a->groups[g];
        const char *what = quantity_of(group->name);
        Difference *d = difference_of(list, count, what);
        double scale = -1;
        for (int64_t i = group->at; i < group->at + group->count; i++) {
            double difference = fabs(a->values[i] - b->values[i]);
            if (difference == 0 || (isnan(a->values[i]) && isnan(b->values[i])))
                continue;
            scale = scale < 0 ? scale_of(a, b, what) : scale;
            if (!(difference / scale <= d->largest)) {
                d->largest = difference / scale;
                d->step = step;
                snprintf(d->where, sizeof d->where, "%.95s[%lld]", group->name,
                         (long long)(i - group->at));
            }
        }
    }
}

// the largest difference of each quantity; 1: files of different steps
static int print_differences(const char *first, const char *second) {
    FILE *files[] = {fopen(first, "rb"), fopen(second, "rb")};
    NamedNumbers a = {0}, b = {0};
    Difference list[256];
    int32_t count = 0;
    int64_t steps = 0, others = 0;
    if (!files[0] || !files[1]) {
        fprintf(stderr, "%s or %s: cannot be read\n", first, second);
        return 1;
    }
    for (;; steps++) {
        bool more = named_next(&a, files[0]);
        if (named_next(&b, files[1]) != more) {
            fprintf(stderr, "the files have different numbers of steps\n");
            return 1;
        }
        if (!more)
            break;
        if (same_groups(&a, &b))
            compare_step(&a, &b, steps, list, &count);
        else
            others++;
    }
    for (int32_t i = 0; i < count; i++)
        if (list[i].step >= 0)
            printf("difference %.3g %s at %s in step %lld\n", list[i].largest, list[i].what,
                   list[i].where, (long long)list[i].step);
    printf("compared %lld of %lld steps, the others have different contacts\n",
           (long long)(steps - others), (long long)steps);
    return 0;
}

static void close_world(World *w) {
    free(w->numbers.values);
    free(w->numbers.groups);
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
          "                     [--finer FRACTION] [--every] [--dump STEP] [--sizes] [--counts]\n"
          "                     [--save FILE] [--load FILE] [--pack FILE --interval N]\n"
          "                     [--single FILE --out FILE] [--portable] SCENE [PATH=VALUE ...]\n"
          "       state_numbers --differences A B\n",
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
        {"portable", no_argument, NULL, 'p'},      {"counts", no_argument, NULL, 'c'},
        {"pack", required_argument, NULL, 'P'},    {"interval", required_argument, NULL, 'i'},
        {"single", required_argument, NULL, 'S'},  {"out", required_argument, NULL, 'o'},
        {"differences", no_argument, NULL, 'D'},   {0}};
    Options options = {.steps = -1, .seconds = 1e9, .threads = 1, .dump = -1, .interval = 1};
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
        case 'c':
            options.counts = true;
            break;
        case 'P':
            options.pack = optarg;
            break;
        case 'i':
            options.interval = atoll(optarg);
            break;
        case 'S':
            options.single = optarg;
            break;
        case 'o':
            options.out = optarg;
            break;
        case 'D':
            return optind + 2 == argc ? print_differences(argv[optind], argv[optind + 1]) : usage();
        case 'p':
            choose_portable_kernels();
            break;
        default:
            return usage();
        }
    }
    if (optind >= argc || options.interval < 1 || !options.single != !options.out)
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
    } else if (options.single) {
        code = run_singles(&world, &options) ? 0 : 1;
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
