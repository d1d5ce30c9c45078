// SPDX-License-Identifier: Apache-2.0
// cli/modes.c - lithe modes: frequencies of small vibrations, and the energies of each mode
//
// With x scaled to unit modal mass, omega^2 = x'Kx splits into the energies of bending, twisting
// and stretching (each x' K_part x >= 0, from the Gauss-Newton part of one stiffness at a time)
// and the rest, the geometric stiffness of the stress and the loads of the state: for a hanging
// chain it is the only part.

#include "cli/cli.h"

#include "base/memory.h"
#include "body/rod.h"
#include "body/unit.h"
#include "scene/scene.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct Options {
    const char *scene;
    const char *rod; // only this one, as if nothing touched it
    int32_t count;
    bool at_start;
    bool json;
    const char **sets;
    int32_t set_count;
} Options;

// --- energies of a mode --------------------------------------------------------------------------

enum { BENDING, TWIST, STRETCH, TENSION, PART_COUNT };
static const char *const part_names[PART_COUNT] = {"bending", "twist", "stretch", "tension"};

// x' K_part x of each part in s[0 .. 2] for one mode shape [1/s^2]
static void energies(const LitheModel *model, int32_t body, const LitheState *state,
                     LitheWork *work, const double *shape, double *y, double s[3]) {
    LitheRodWork *scratch = lithe_rod_work(work, model->rods[body].unit);
    const LitheStepPlan still = {
        .time = lithe_load_time(state), .h = 1, .a = 1, .inverse_a = 1, .still = true};
    int64_t dofs = 4 * (int64_t)model->rods[body].node_count;
    for (int part = 0; part < 3; part++) {
        // the rod with one of its stiffnesses only
        LitheRod one = model->rods[body];
        one.EI1 = part == BENDING ? one.EI1 : 0;
        one.EI2 = part == BENDING ? one.EI2 : 0;
        one.GJ = part == TWIST ? one.GJ : 0;
        one.EA = part == STRETCH ? one.EA : 0;
        s[part] = 0;
        if (!lithe_unit_ops(model, body)->begin(model, body, state, &still, work))
            continue;
        memcpy(scratch->q, scratch->q0, (size_t)dofs * sizeof(double));
        memset(scratch->matrix.panel, 0, LITHE_ROD_PANEL * (size_t)one.node_count * sizeof(double));
        lithe_rod_elastic(&one, scratch, 1, LITHE_HESSIAN_GAUSS_NEWTON, false);
        lithe_rod_multiply(&scratch->matrix, shape, y);
        for (int64_t i = 0; i < dofs; i++)
            s[part] += shape[i] * y[i];
    }
}

typedef struct Mode {
    double omega;
    double fraction[PART_COUNT]; // of the energy; magnitudes add up to 1, all 0 for a rigid mode
    const char *kind;
} Mode;

static Mode judge(double omega, const double s[3]) {
    Mode mode = {.omega = omega};
    double square = omega * fabs(omega);
    // tension may add or subtract (compression): fractions of the sum of magnitudes
    double part[PART_COUNT] = {s[0], s[1], s[2], square - s[0] - s[1] - s[2]};
    double sum = 0;
    for (int k = 0; k < PART_COUNT; k++)
        sum += fabs(part[k]);
    int max = 0;
    for (int k = 0; k < PART_COUNT; k++) {
        mode.fraction[k] = sum > 0 && omega != 0 ? part[k] / sum : 0;
        if (fabs(part[k]) > fabs(part[max]))
            max = k;
    }
    mode.kind = omega < 0 ? "unstable" : omega == 0 ? "rigid" : part_names[max];
    return mode;
}

// --- printing ------------------------------------------------------------------------------------

static void print_table(const char *rod, const Mode *modes, int32_t count) {
    printf("rod '%s'\n", rod);
    printf("%5s %14s %14s %12s  %-9s %8s %8s %8s %8s\n", "mode", "frequency", "omega", "period",
           "kind", "bending", "twist", "stretch", "tension");
    printf("%5s %14s %14s %12s  %-9s %8s %8s %8s %8s\n", "", "Hz", "rad/s", "s", "", "%", "%", "%",
           "%");
    for (int32_t i = 0; i < count; i++) {
        const Mode *m = &modes[i];
        if (m->omega > 0)
            printf("%5d %14.6g %14.6g %12.5g  %-9s", i + 1, m->omega / (2 * M_PI), m->omega,
                   2 * M_PI / m->omega, m->kind);
        else
            printf("%5d %14s %14.6g %12s  %-9s", i + 1, "-", m->omega, "-", m->kind);
        for (int k = 0; k < PART_COUNT; k++)
            printf(" %8.1f", 100 * m->fraction[k]);
        printf("\n");
    }
}

static void print_json(const char *rod, const Mode *modes, int32_t count) {
    for (int32_t i = 0; i < count; i++) {
        const Mode *m = &modes[i];
        LitheJson json = lithe_json_open(stdout);
        lithe_json_text(&json, "rod", rod);
        lithe_json_integer(&json, "mode", i + 1);
        lithe_json_number(&json, "frequency", m->omega > 0 ? m->omega / (2 * M_PI) : NAN);
        lithe_json_number(&json, "omega", m->omega);
        lithe_json_number(&json, "period", m->omega > 0 ? 2 * M_PI / m->omega : NAN);
        lithe_json_text(&json, "kind", m->kind);
        for (int k = 0; k < PART_COUNT; k++)
            lithe_json_number(&json, part_names[k], m->fraction[k]);
        lithe_json_close(&json);
    }
}

// --- finding them --------------------------------------------------------------------------------

static LitheStatus modes_of_rod(const LitheModel *model, const LitheState *state, LitheWork *work,
                                int32_t body, const Options *o, LitheError *error) {
    LitheContext *context = model->context;
    LitheRodId id = {body + 1};
    int64_t dofs = 4 * (int64_t)model->rods[body].node_count;
    double *omega = lithe_alloc_array(context, o->count, sizeof *omega);
    double *shapes = lithe_alloc_array(context, o->count * dofs + dofs, sizeof *shapes);
    Mode *modes = lithe_alloc_array(context, o->count, sizeof *modes);
    LitheStatus status = LITHE_OK;
    if (!omega || !shapes || !modes) {
        status = LITHE_NO_MEMORY;
        *error = (LitheError){.status = status, .text = "out of memory for the modes"};
    }
    if (status == LITHE_OK)
        status = lithe_modes(model, state, work, id, o->count, omega, shapes, error);
    for (int32_t i = 0; status == LITHE_OK && i < o->count; i++) {
        double s[3];
        energies(model, body, state, work, shapes + i * dofs, shapes + o->count * dofs, s);
        modes[i] = judge(omega[i], s);
    }
    if (status == LITHE_OK)
        (o->json ? print_json : print_table)(model->rods[body].name, modes, o->count);
    lithe_free(context, omega);
    lithe_free(context, shapes);
    lithe_free(context, modes);
    return status;
}

// --- everything together -------------------------------------------------------------------------

// whether units are coupled, or some are not rods: the modes are those of the whole world
static bool is_coupled(const LitheModel *model, const LitheState *state) {
    if (model->constraint_count > 0 || model->v_count != 4 * (int64_t)model->vertex_count)
        return true;
    LitheContacts *contacts = lithe_contacts_create(model->context);
    LitheError ignored;
    bool touch = contacts && lithe_find_contacts(model, state, 0, contacts, &ignored) == LITHE_OK &&
                 lithe_contact_count(contacts) > 0;
    lithe_contacts_destroy(contacts);
    return touch;
}

// what moves most: the unit with the largest part of the modal mass
static int32_t mover(const LitheModel *model, const LitheWork *work, const double *shape,
                     double *share) {
    int32_t best = 0;
    double sum = 0, most = -1;
    for (int32_t i = 0; i < model->unit_count; i++) {
        if (model->units[i].v_count == 0)
            continue;
        double own = lithe_unit_ops(model, i)->norm(model, i, work, shape + model->units[i].v_at);
        sum += own;
        if (own > most) {
            most = own;
            best = i;
        }
    }
    *share = sum > 0 ? most / sum : 0;
    return best;
}

static void print_world(const LitheModel *model, const LitheWork *work, const double *omega,
                        const double *shapes, const Options *o) {
    if (!o->json)
        printf("all things, with closed contacts, constraints and joints\n"
               "%5s %14s %14s %12s  %-9s %7s  %s\n%5s %14s %14s %12s  %-9s %7s\n",
               "mode", "frequency", "omega", "period", "kind", "share", "moves most", "", "Hz",
               "rad/s", "s", "", "%");
    for (int32_t i = 0; i < o->count; i++) {
        double share, w = omega[i];
        int32_t unit = mover(model, work, shapes + i * model->v_count, &share);
        const char *kind = w < 0 ? "unstable" : w == 0 ? "rigid" : "stable";
        const char *name = model->units[unit].name;
        if (o->json) {
            LitheJson json = lithe_json_open(stdout);
            lithe_json_integer(&json, "mode", i + 1);
            lithe_json_number(&json, "frequency", w > 0 ? w / (2 * M_PI) : NAN);
            lithe_json_number(&json, "omega", w);
            lithe_json_number(&json, "period", w > 0 ? 2 * M_PI / w : NAN);
            lithe_json_text(&json, "kind", kind);
            lithe_json_text(&json, "moves", name);
            lithe_json_number(&json, "share", share);
            lithe_json_close(&json);
        } else if (w > 0) {
            printf("%5d %14.6g %14.6g %12.5g  %-9s %7.1f  %s\n", i + 1, w / (2 * M_PI), w,
                   2 * M_PI / w, kind, 100 * share, name);
        } else {
            printf("%5d %14s %14.6g %12s  %-9s %7.1f  %s\n", i + 1, "-", w, "-", kind, 100 * share,
                   name);
        }
    }
    if (!o->json)
        printf("bending, twist and stretch are distinguished only for rods that nothing touches or "
               "holds together\n");
}

static LitheStatus modes_of_world(const LitheModel *model, const LitheState *state, LitheWork *work,
                                  const Options *o, LitheError *error) {
    LitheContext *context = model->context;
    double *omega = lithe_alloc_array(context, o->count, sizeof *omega);
    double *shapes = lithe_alloc_array(context, o->count * model->v_count + 1, sizeof *shapes);
    LitheStatus status = LITHE_OK;
    if (!omega || !shapes) {
        status = LITHE_NO_MEMORY;
        *error = (LitheError){.status = status, .text = "out of memory for the modes"};
    }
    Options own = *o;
    if (model->v_count < own.count)
        own.count = (int32_t)model->v_count;
    if (status == LITHE_OK)
        status = lithe_world_modes(model, state, work, own.count, omega, shapes, error);
    if (status == LITHE_OK)
        print_world(model, work, omega, shapes, &own);
    lithe_free(context, omega);
    lithe_free(context, shapes);
    return status;
}

static LitheStatus modes_of_scene(const LitheScene *scene, const Options *o, LitheError *error) {
    LitheModel *model = NULL;
    LitheState *state = NULL;
    LitheStatus status = lithe_compile(scene, &model, &state, error);
    if (status != LITHE_OK)
        return status;
    LitheWork *work = lithe_work_create(model, 1);
    if (!work) {
        *error = (LitheError){.status = LITHE_NO_MEMORY, .text = "out of memory"};
        status = LITHE_NO_MEMORY;
    }
    if (status == LITHE_OK && model->v_count == 0) {
        *error = (LitheError){.status = LITHE_NOT_SUPPORTED};
        snprintf(error->text, sizeof error->text, "%s: has nothing that moves, so no modes",
                 o->scene);
        status = LITHE_NOT_SUPPORTED;
    }
    if (status == LITHE_OK && o->rod && lithe_rod_find(model, o->rod).number == 0) {
        *error = (LitheError){.status = LITHE_BAD_INPUT};
        snprintf(error->text, sizeof error->text, "%s: no rod named '%s'; the first is '%s'",
                 o->scene, o->rod, model->rod_count > 0 ? model->rods[0].name : "none");
        status = LITHE_BAD_INPUT;
    }
    if (status == LITHE_OK && !o->at_start) {
        status = lithe_equilibrium(model, state, work, NULL, error);
        if (status == LITHE_CANNOT_GO_ON) {
            size_t at = strlen(error->text);
            snprintf(error->text + at, sizeof error->text - at,
                     "; --at start takes the shape as built");
        }
    }
    bool world = status == LITHE_OK && !o->rod && is_coupled(model, state);
    if (world)
        status = modes_of_world(model, state, work, o, error);
    for (int32_t r = 0; !world && status == LITHE_OK && r < model->rod_count; r++)
        if (!o->rod || strcmp(model->rods[r].name, o->rod) == 0)
            status = modes_of_rod(model, state, work, r, o, error);
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    return status;
}

// --- the command ---------------------------------------------------------------------------------

enum { KEY_SET = 's', KEY_ROD = 'r', KEY_COUNT = 'n', KEY_AT = 'a', KEY_JSON = 1000 };

static const struct argp_option options[] = {
    {"rod", KEY_ROD, "NAME", 0, "only this rod, as if nothing touched it (default: all)", 0},
    {"count", KEY_COUNT, "N", 0, "number of modes (default 10)", 0},
    {"at", KEY_AT, "start|equilibrium", 0,
     "about the shape as built, or the equilibrium under the loads (default)", 0},
    {"set", KEY_SET, "PATH=VALUE", 0, "change a value of the scene; may be repeated", 0},
    {"json", KEY_JSON, 0, 0, "one JSON object per mode", 0},
    {0},
};

static error_t parse(int key, char *text, struct argp_state *state) {
    Options *o = state->input;
    switch (key) {
    case KEY_ROD:
        o->rod = text;
        return 0;
    case KEY_COUNT:
        o->count = (int32_t)lithe_cli_integer(state, "--count", text, 1, 1000);
        return 0;
    case KEY_AT:
        if (strcmp(text, "start") != 0 && strcmp(text, "equilibrium") != 0)
            argp_error(state, "--at is '%s', must be start or equilibrium", text);
        o->at_start = strcmp(text, "start") == 0;
        return 0;
    case KEY_SET:
        lithe_cli_check_set(state, text);
        o->sets[o->set_count++] = text;
        return 0;
    case KEY_JSON:
        o->json = true;
        return 0;
    case ARGP_KEY_ARG:
        lithe_cli_one(state, "scene", text, &o->scene);
        return 0;
    case ARGP_KEY_END:
        if (!o->scene)
            argp_error(state, "no scene is given");
        return 0;
    default:
        return ARGP_ERR_UNKNOWN;
    }
}

int lithe_cli_modes(int argc, char **argv) {
    const struct argp argp = {
        .options = options,
        .parser = parse,
        .args_doc = "SCENE",
        .doc = "Frequencies of small vibrations of a scene.\v"
               "Where contacts, constraints or joints couple things, the modes are those of all "
               "together: closed contacts are springs, and friction sticks. Otherwise they are "
               "those of each rod. "
               "The kind of a mode is the largest part of its energy; tension is the part from "
               "the stress and the loads of the state (a hanging chain swings by it alone)."
               "\n\nExample:\n  lithe modes scenes/cantilever.yaml --count 4\n"};
    Options o = {.count = 10, .sets = calloc((size_t)argc, sizeof(char *))};
    if (!o.sets) {
        lithe_cli_complain("out of memory");
        return LITHE_EXIT_BAD_INPUT;
    }
    lithe_cli_parse(&argp, argc, argv, &o);

    LitheContext *context = lithe_cli_context(false);
    LitheError error = {0};
    LitheScene *scene = NULL;
    LitheStatus status = lithe_scene_load(context, o.scene, o.sets, o.set_count, &scene, &error);
    if (status == LITHE_OK)
        status = modes_of_scene(scene, &o, &error);
    int code = status == LITHE_OK ? LITHE_EXIT_DONE : lithe_cli_failed(&error);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    free(o.sets);
    return code;
}
