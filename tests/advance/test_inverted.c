// SPDX-License-Identifier: Apache-2.0
// tests/advance/test_inverted.c - elements of solids that are turned inside out are counted, warned
// of, and stop a run where they are many

#include "test.h"

#include "advance/monitor.h"
#include "body/unit.h"
#include "data/model.h"
#include "lithe/lithe.h"

#include <string.h>

typedef struct Cube {
    LitheContext *context;
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheMonitor monitor;
    LitheReport report;
    LitheError error;
    int lines;
    char line[512]; // the last message
} Cube;

static void keep_line(LitheLogLevel level, const char *text, void *user) {
    Cube *cube = user;
    (void)level;
    cube->lines++;
    snprintf(cube->line, sizeof cube->line, "%s", text);
}

/// A cube of 6 x 6 x 6 cells of 1 cm, `keys` are further keys of it.
static bool begin(Cube *cube, const char *keys) {
    char text[1024];
    LitheContextDef def = lithe_context_def_default();
    *cube = (Cube){.report = {.step = 1e-3}};
    def.log = keep_line;
    def.log_user = cube;
    cube->context = lithe_context_create(&def);
    snprintf(text, sizeof text,
             "lithe: 1\ngravity: none\ntime: {step: 1 ms, end: 1 s}\n"
             "materials: {m: {young: 1 MPa, poisson: 0.3, density: 1000}}\n"
             "solids: {cube: {material: m, %s, mesh: {box: {size: [6 cm, 6 cm, 6 cm], "
             "divisions: [6, 6, 6]}}}}\n",
             keys);
    bool ok = lithe_scene_parse(cube->context, text, strlen(text), NULL, NULL, NULL, 0,
                                &cube->scene, &cube->error) == LITHE_OK &&
              lithe_compile(cube->scene, &cube->model, &cube->state, &cube->error) == LITHE_OK;
    if (!CHECK(ok))
        printf("  %s\n", cube->error.text);
    else
        lithe_monitor_begin(cube->model, cube->state, &cube->monitor);
    return ok;
}

static void end(Cube *cube) {
    lithe_state_destroy(cube->state);
    lithe_model_destroy(cube->model);
    lithe_scene_destroy(cube->scene);
    CHECK(lithe_context_bytes(cube->context) == 0);
    lithe_context_destroy(cube->context);
}

static LitheStatus judge(Cube *cube) {
    lithe_report_inverted(cube->model, cube->state, &cube->report);
    return lithe_monitor_step(cube->model, cube->state, NULL, &cube->report, &cube->monitor,
                              &cube->error);
}

static Vec3 corner(const Cube *cube, int32_t element, int a) {
    const LitheTetMesh *mesh = &cube->model->solids[0].mesh;
    int32_t node = mesh->elements[(int64_t)element * mesh->nodes_per_element + a];
    return v3_load(cube->state->q + cube->model->units[0].q_at + 3 * (int64_t)node);
}

/// Elements with four nodes whose volume is negative, and the first of them.
static int32_t count(const Cube *cube, int32_t *first) {
    int32_t sum = 0;
    for (int32_t e = cube->model->solids[0].mesh.element_count - 1; e >= 0; e--) {
        Vec3 o = corner(cube, e, 0), a = v3_sub(corner(cube, e, 1), o);
        Vec3 b = v3_sub(corner(cube, e, 2), o), c = v3_sub(corner(cube, e, 3), o);
        if (v3_dot(a, v3_cross(b, c)) > 0)
            continue;
        *first = e;
        sum++;
    }
    return sum;
}

TEST(a_few_elements_that_are_turned_inside_out_are_counted_and_warned_of_once) {
    Cube cube;
    if (begin(&cube, "law: corotated")) {
        CHECK(judge(&cube) == LITHE_OK && cube.report.inverted == 0 && cube.lines == 0);
        double *x = cube.state->q + cube.model->units[0].q_at;
        for (int c = 0; c < 3; c++)
            x[c] += x[c] < 0 ? 0.015 : -0.015; // a corner of the cube, through its cell
        lithe_monitor_begin(cube.model, cube.state, &cube.monitor); // not its energy is judged here
        int32_t first = -1, inverted = count(&cube, &first);
        CHECK(inverted > 0 && judge(&cube) == LITHE_OK);
        CHECK(cube.report.inverted == inverted && cube.report.inverted_element == first);
        char want[64];
        snprintf(want, sizeof want, "number %d at [", (int)first);
        if (!CHECK(cube.lines == 1 && strstr(cube.line, "solid 'cube'") && strstr(cube.line, want)))
            printf("  %d elements: %s\n", inverted, cube.line);
        CHECK(judge(&cube) == LITHE_OK && cube.lines == 1);
    }
    end(&cube);
}

TEST(a_solid_that_is_turned_inside_out_stops_the_run_and_its_resume) {
    static const char *const keys[] = {"law: corotated-lagged", "law: mooney-rivlin",
                                       "law: corotated, quadratic: true"};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++) {
        Cube cube;
        if (begin(&cube, keys[k])) {
            const LitheSolid *solid = &cube.model->solids[0];
            double *x = cube.state->q + cube.model->units[0].q_at;
            for (int32_t i = 0; i < solid->mesh.node_count; i++)
                x[3 * (int64_t)i] *= -1;
            CHECK(judge(&cube) == LITHE_CANNOT_GO_ON);
            CHECK(cube.report.inverted == solid->mesh.element_count);
            CHECK(
                strstr(cube.error.text, "100 % of the elements of solid 'cube' are turned inside"));
            CHECK(lithe_monitor_resume(cube.model, cube.state, &cube.monitor, NULL, &cube.error) ==
                  LITHE_CANNOT_GO_ON);
        }
        end(&cube);
    }
}

// a face of the cube is driven through the opposite one, which is held
static LitheStatus fold(Cube *cube, const char *law) {
    char keys[400];
    snprintf(keys, sizeof keys,
             "law: %s, mesh: {box: {size: [6 cm, 6 cm, 6 cm], divisions: [2, 2, 2]}}}}\n"
             "holds: {low: {on: cube.x-min}}\n"
             "drives: {high: {on: cube.x-max, kind: clamp, direction: [-1, 0, 0], motion: {value: "
             "0, rate: 5}}}\n#",
             law);
    LitheStatus status = LITHE_OK;
    if (begin(cube, keys)) {
        LitheWork *work = lithe_work_create(cube->model, 1);
        for (int i = 0; i < 16 && status == LITHE_OK && cube->report.inverted == 0; i++)
            status = lithe_step(cube->model, cube->state, work, &cube->report, &cube->error);
        lithe_work_destroy(work);
    }
    return status;
}

TEST(steps_that_invert_elements_are_cut_and_mooney_rivlin_refuses_them) {
    Cube cube;
    CHECK(fold(&cube, "corotated") == LITHE_OK && cube.report.inverted > 0);
    CHECK(cube.report.pieces > 1);
    end(&cube);
    CHECK(fold(&cube, "mooney-rivlin") == LITHE_CANNOT_GO_ON && cube.report.inverted == 0);
    CHECK_TEXT(cube.error.text, "of solid 'cube' at [");
    CHECK_TEXT(cube.error.text, "would be turned inside out");
    int32_t first;
    CHECK(count(&cube, &first) == 0);
    end(&cube);
}
