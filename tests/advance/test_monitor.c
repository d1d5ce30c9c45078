// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_monitor.c - the advice of the monitor fits the scheme of the run

#include "test.h"

#include "advance/monitor.h"
#include "data/model.h"
#include "lithe/scene.h"

static void keep_line(LitheLogLevel level, const char *text, void *user) {
    (void)level;
    snprintf(user, 512, "%s", text);
}

// a ball that flies above a floor, after one step of the monitor; its last message is in `line`
typedef struct Flight {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheMonitor monitor;
    LitheReport report;
    char line[512];
} Flight;

static bool judge(Flight *f) {
    LitheError error = {0};
    return lithe_monitor_step(f->model, f->state, NULL, &f->report, &f->monitor, &error) ==
           LITHE_OK;
}

static bool begin(const char *scheme, Flight *f) {
    char text[512];
    LitheError error = {0};
    LitheContextDef def = lithe_context_def_default();
    *f = (Flight){.report = {.step = 1e-3}};
    def.log = keep_line;
    def.log_user = f->line;
    f->context = lithe_context_create(&def);
    snprintf(text, sizeof text,
             "lithe: 1\n"
             "time: {step: 1 ms, end: 1 s, scheme: %s, max-energy-gain: 0}\n"
             "gravity: none\n"
             "materials: {m: {young: 1 MPa, density: 1000}}\n"
             "bodies:\n"
             "  ball: {material: m, shape: {sphere: {radius: 3 cm}}, velocity: [1, 0, 0]}\n"
             "  floor: {fixed: true, material: m, shape: {half-space: {}}, at: [0, 0, -1]}\n",
             scheme);
    bool ok = lithe_scene_parse(f->context, text, strlen(text), NULL, NULL, NULL, 0, &f->scene,
                                &error) == LITHE_OK &&
              lithe_compile(f->scene, &f->model, &f->state, &error) == LITHE_OK;
    if (ok)
        lithe_monitor_begin(f->model, f->state, &f->monitor);
    return ok && judge(f);
}

static void speed_up(Flight *f, double factor) {
    for (int32_t i = 0; i < lithe_model_dof_count(f->model); i++)
        f->state->v[i] *= factor;
}

static void end(Flight *f) {
    lithe_state_destroy(f->state);
    lithe_model_destroy(f->model);
    lithe_scene_destroy(f->scene);
    lithe_context_destroy(f->context);
}

// the warning of a ball whose speed has doubled within a step of this scheme
static void warning_of(const char *scheme, char line[512]) {
    Flight f;
    if (CHECK(begin(scheme, &f))) {
        speed_up(&f, 2);
        CHECK(judge(&f));
    }
    snprintf(line, 512, "%s", f.line);
    end(&f);
}

// The speed grows by a fifth, which is booked as the work of a contact that stored nothing: the
// balance (M1) is zero, the rise (M6) is not.
TEST(energy_that_contacts_did_not_store_is_reported) {
    static const char *const schemes[] = {"backward-euler", "midpoint", "tr-bdf2"};
    for (int k = 0; k < 3; k++) {
        Flight f;
        FATAL(begin(schemes[k], &f));
        double before = lithe_energy(f.model, f.state).kinetic;
        speed_up(&f, 1.2);
        f.state->took[LITHE_TOOK_NORMAL] -= lithe_energy(f.model, f.state).kinetic - before;
        CHECK(judge(&f));
        if (k < 2)
            CHECK_TEXT(f.line, "above its lowest value and what contacts stored");
        else
            CHECK(!*f.line);
        end(&f);
    }
}

// the same far below the energy at which something moves visibly (M4): rounding of a world at rest
TEST(a_rise_of_the_rounding_of_a_world_at_rest_is_not_reported) {
    Flight f;
    FATAL(begin("backward-euler", &f));
    speed_up(&f, 1e-12);
    lithe_monitor_begin(f.model, f.state, &f.monitor);
    CHECK(judge(&f));
    for (int k = 0; k < 3; k++) {
        double before = lithe_energy(f.model, f.state).kinetic;
        speed_up(&f, 1.2);
        f.state->took[LITHE_TOOK_NORMAL] -= lithe_energy(f.model, f.state).kinetic - before;
        CHECK(judge(&f));
    }
    CHECK(!*f.line);
    end(&f);
}

TEST(energy_from_nothing_is_blamed_on_the_step_or_on_the_scheme_that_is_used) {
    char line[512];
    warning_of("backward-euler", line);
    CHECK_TEXT(line, "doubtful; a smaller step may help");
    warning_of("tr-bdf2", line);
    CHECK_TEXT(line, "doubtful; a smaller step may help");
    warning_of("midpoint", line);
    CHECK_TEXT(line, "doubtful; a smaller step or scheme: tr-bdf2 or backward-euler may help");
}

// two digits said "residual 1e-06, tolerance 1e-06" of a solve that had not converged
TEST(a_residual_just_above_the_tolerance_is_shown_to_be_above) {
    Flight f;
    FATAL(begin("backward-euler", &f));
    double tolerance = f.model->contact.tolerance;
    f.report.solve_unconverged = 1;
    f.report.solve_residual = 1.00784 * tolerance;
    CHECK(judge(&f));
    CHECK(tolerance == 1e-6);
    CHECK_TEXT(f.line,
               "did not converge (the coupled solve: residual 1.00784e-06, tolerance 1e-06)");
    end(&f);
}

// One step alone is the onset of slip; the warning comes once.
TEST(friction_that_does_not_settle_in_two_steps_in_a_row_is_reported) {
    static const char part[] = "the friction of two steps in a row did not settle";
    Flight f;
    FATAL(begin("backward-euler", &f));
    for (int k = 0; k < 4; k++) {
        f.report.friction_unsettled = k % 2 == 0;
        CHECK(judge(&f));
    }
    CHECK(!*f.line);
    f.report.friction_unsettled = true;
    CHECK(judge(&f) && !*f.line);
    CHECK(judge(&f));
    CHECK_TEXT(f.line, part);
    *f.line = '\0';
    CHECK(judge(&f) && judge(&f) && !*f.line);

    // one linearisation per step is a choice of the scene
    lithe_monitor_begin(f.model, f.state, &f.monitor);
    f.model->contact.passes = 1;
    CHECK(judge(&f) && judge(&f) && !*f.line);
    end(&f);
}

// A body that a drive holds, tied to the world, away from where the tie requires it.
TEST(a_tie_that_its_things_cannot_meet_stops_the_run) {
    static const char text[] =
        "lithe: 1\ntime: {step: 5 ms, end: 1 s}\ngravity: none\n"
        "bodies: {b: {mass: 1, inertia: [2e-3, 2e-3, 2e-3, 0, 0, 0], at: [0.2, 0, 0]}}\n"
        "joints: {j: {kind: revolute, child: b, at: [0, 0, 0], axis: [0, 1, 0]}}\n"
        "actuators: {a: {joint: j, kind: prescribed, target: 0}}\n"
        "constraints: {c: {kind: attach, a: b, b: world}}\n";
    LitheError error = {0};
    Flight f = {.report = {.step = 5e-3}};
    f.context = lithe_context_create(NULL);
    FATAL(lithe_scene_parse(f.context, text, strlen(text), NULL, NULL, NULL, 0, &f.scene, &error) ==
              LITHE_OK &&
          lithe_compile(f.scene, &f.model, &f.state, &error) == LITHE_OK);
    lithe_monitor_begin(f.model, f.state, &f.monitor);
    CHECK(judge(&f));
    f.state->q[0] = 0.3;
    CHECK(lithe_monitor_step(f.model, f.state, NULL, &f.report, &f.monitor, &error) ==
          LITHE_CANNOT_GO_ON);
    CHECK_TEXT(error.text, "constraint 'c' cannot be met");
    f.state->q[0] = 0;
    CHECK(judge(&f));
    lithe_state_destroy(f.state);
    lithe_model_destroy(f.model);
    lithe_scene_destroy(f.scene);
    lithe_context_destroy(f.context);
}
