// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_mistakes.c - all mistakes of a scene are reported at once; names that papers and
// other programs use, and what a file is that is no scene

#include "loading.h"

#include "lithe/model.h"

// the number of lines of the last message
static int lines(void) {
    int count = 1;
    for (const char *c = error.text; *c; c++)
        count += *c == '\n';
    return count;
}

static bool says(const char *part) {
    bool found = strstr(error.text, part) != NULL;
    if (!found)
        printf("  \"%s\" is not in:\n%s\n", part, error.text);
    return found;
}

static void refuse(const char *text) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    CHECK(parse(text, strlen(text), NULL, &scene) == LITHE_BAD_INPUT);
    CHECK(!scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

TEST(all_mistakes_of_form_are_reported_at_once) {
    refuse("lithe: 1\n"
           "titel: A rope\n"
           "time: {step: 1 kg, ende: 2 s}\n"
           "materials:\n"
           "  nylon: {young: 1 MPa, densty: 1000 kg/m^3}\n"
           "  steel: {density: 7850 kg/m^3}\n"
           "rods:\n"
           "  rope: {material: nylon, section: {circle: {radius: 2 s}},\n"
           "         shape: {line: {to: [1, 0]}}, nodes: 11}\n"
           "holds:\n"
           "  left: {on: rope.start}\n"
           "  right: {on: rop.end}\n");
    CHECK(lines() == 8);
    CHECK(says("a.yaml:2:1: titel: unknown key in a scene; did you mean title?"));
    CHECK(says("a.yaml:3:14: time.step: '1 kg' is a mass, a time is expected"));
    CHECK(says("a.yaml:3:20: time.ende: unknown key in time; did you mean end?"));
    CHECK(says("materials.nylon.densty: unknown key in material; did you mean density?"));
    CHECK(says("materials.steel: young is missing"));
    CHECK(says("rods.rope.section.circle.radius: '2 s' is a time, a length is expected"));
    CHECK(says("rods.rope.shape.line.to: has 2 values, 3 are expected"));
    CHECK(says("holds.right.on: no rod named 'rop'; did you mean rope?"));
    // rope has mistakes of its own, but it is there
    CHECK(!strstr(error.text, "holds.left"));
    CHECK(error.line == 2 && error.column == 1);
}

TEST(wrong_values_are_reported_beside_mistakes_of_form_and_several_of_an_object) {
    refuse("lithe: 1\n"
           "materials:\n"
           "  nylon: {young: -1 MPa, density: -5 kg/m^3, friction: 0.3}\n"
           "  steel: {young: 210 GPa, densty: 7850 kg/m^3}\n"
           "rods:\n"
           "  rope: {material: nylon, section: {circle: {radius: -2 mm}},\n"
           "         shape: {line: {to: [1, 0, 0]}}, nodes: 11}\n"
           "  wire: {material: steel, section: {circle: {radius: 1 mm}},\n"
           "         shape: {line: {to: [1, 0, 0]}}, nodes: 11}\n");
    CHECK(lines() == 4);
    CHECK(says("materials.steel.densty: unknown key in material; did you mean density?"));
    CHECK(says("material 'nylon': young is -1000000 Pa, must be > 0"));
    CHECK(says("material 'nylon': density is -5 kg/m^3, must be > 0"));
    CHECK(says("rod 'rope': radius is -0.002 m, must be > 0"));
    CHECK(!strstr(error.text, "wire")); // its material could not be read, which is said already
}

TEST(values_out_of_range_are_reported_for_every_object) {
    refuse("lithe: 1\n"
           "time: {step: -1 ms}\n"
           "materials:\n"
           "  nylon: {young: -1 MPa, density: 1000 kg/m^3}\n"
           "rods:\n"
           "  a: {material: nylon, section: {circle: {radius: -2 mm}}, nodes: 11,\n"
           "      shape: {line: {to: [1, 0, 0]}}}\n"
           "  b: {material: nylon, section: {circle: {radius: 2 mm}}, nodes: 1,\n"
           "      shape: {line: {to: [1, 0, 0]}}}\n");
    CHECK(lines() == 4);
    CHECK(says("step is -0.001 s, must be > 0"));
    CHECK(says("material 'nylon': young is -1000000 Pa, must be > 0"));
    CHECK(says("rod 'a': radius is -0.002 m, must be > 0"));
    CHECK(says("rod 'b': nodes"));
}

TEST(a_wrong_parameter_is_reported_once) {
    refuse("lithe: 1\n"
           "parameters: {r: 2 mmm, d: 2*r, n: 11}\n"
           "materials: {nylon: {young: 1 MPa, density: 1000 kg/m^3}}\n"
           "rods:\n"
           "  a: {material: nylon, section: {circle: {radius: r}}, nodes: n,\n"
           "      shape: {line: {to: [d, 0, 0]}}}\n");
    CHECK(lines() == 1);
    CHECK(says("parameters.r: '2 mmm': 'mmm' is no unit"));
}

TEST(mistakes_beyond_the_space_are_counted) {
    char text[20000] = "lithe: 1\nmaterials:\n";
    for (int i = 0; i < 90; i++) {
        size_t at = strlen(text);
        snprintf(text + at, sizeof text - at, "  m%d: {young: 1 s, density: 1 kg/m^3}\n", i);
    }
    refuse(text);
    int shown = lines() - 1, more = 0;
    const char *last = strrchr(error.text, '\n');
    CHECK(last && sscanf(last, "\nand %d more mistakes", &more) == 1);
    CHECK(shown > 20 && shown + more == 90);
}

// --- other names ---------------------------------------------------------------------------------

TEST(names_of_papers_mean_the_same) {
    LitheScene *scene =
        take("lithe: 1\n"
             "materials: {steel: {E: 200 GPa, nu: 0.3, rho: 7850, mu: 0.2}}\n"
             "rods:\n"
             "  a: {material: steel, section: {circle: {diameter: 4 mm}}, nodes: 5,\n"
             "      shape: {line: {to: [1, 0, 0]}}}\n"
             "particles: {p: {material: steel, diameter: 2 mm, at: [0, 0, 1]}}\n"
             "bodies: {ball: {material: steel, shape: {sphere: {diameter: 10 cm}}}}\n",
             NULL);
    FATAL(scene);
    const LitheMaterialDef *m = &scene->materials[0];
    CHECK(m->young == 200e9 && m->poisson == 0.3 && m->density == 7850 && m->friction == 0.2);
    CHECK_NEAR(scene->rods[0].section.radius, 2e-3, 1e-18);
    CHECK_NEAR(scene->particles[0].radius, 1e-3, 1e-18);
    CHECK_NEAR(scene->bodies[0].geoms[0].radius, 0.05, 1e-17);
    drop(scene);
    refuse("lithe: 1\nmaterials: {steel: {E: 200 GPa, young: 200 GPa, rho: 7850}}\n");
    CHECK(says("young and E are both given, one is expected"));
    refuse("lithe: 1\nbodies: {b: {shape: {sphere: {radius: 1, diameter: 2}}}}\n");
    CHECK(says("radius and diameter are both given"));
}

TEST(words_of_other_programs_are_recognised) {
    refuse("lithe: 1\nbodies: {floor: {fixed: true, shape: {plane: {}}}}\n");
    CHECK(says("did you mean half-space?"));
    refuse("lithe: 1\nbodies: {floor: {fixed: true, shape: {ground: {}}}}\n");
    CHECK(says("did you mean half-space?"));
    refuse("lithe: 1\nbodies: {b: {static: true, pos: [0, 0, 1], shape: {sphere: {radius: 1}}}}\n");
    CHECK(says("did you mean fixed?"));
    CHECK(says("did you mean at?"));
    refuse("lithe: 1\ntime: {dt: 1 ms}\nloads: {}\n");
    CHECK(says("did you mean step?"));
    CHECK(says("did you mean forces?"));
}

TEST(a_psi_is_a_pound_force_per_square_inch) {
    LitheScene *scene =
        take("lithe: 1\nmaterials: {m: {young: 1000 psi, density: 1000 kg/m^3}}\n", NULL);
    FATAL(scene);
    CHECK_NEAR(scene->materials[0].young, 6894757.293168, 1e-5);
    drop(scene);
}

TEST(a_ksi_is_1000_psi_and_a_Mpsi_a_million) {
    LitheScene *scene = take("lithe: 1\nmaterials: {a: {young: 10 Mpsi, density: 1000 kg/m^3},"
                             " b: {young: 10 ksi, density: 1000 kg/m^3}}\n",
                             NULL);
    FATAL(scene);
    CHECK_NEAR(scene->materials[0].young, 6.894757293168e10, 1);
    CHECK_NEAR(scene->materials[1].young, 6.894757293168e7, 1e-3);
    drop(scene);
}

TEST(kinds_of_constraints_are_suggested) {
    refuse("lithe: 1\n"
           "bodies: {a: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n"
           "constraints: {tether: {kind: atach, a: world, b: a}}\n");
    CHECK(says("constraints.tether.kind: 'atach' is not known here; did you mean attach?"));
}

TEST(parts_of_robots_are_suggested_by_their_last_part) {
    refuse("lithe: 1\n"
           "bodies:\n"
           "  arm/upper: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
           "  arm/lower: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}\n"
           "joints: {arm/joint1: {kind: revolute, child: arm/upper}}\n"
           "actuators: {motor: {joint: joint1, kind: force}}\n"
           "constraints: {tie: {kind: attach, a: lower, b: world}}\n");
    CHECK(says("no joint named 'joint1'; did you mean arm/joint1?"));
    CHECK(says("did you mean arm/lower?"));
}

// --- counters ------------------------------------------------------------------------------------

TEST(counters_may_have_the_names_of_units) {
    LitheScene *scene =
        take(HEAD "rods:\n"
                  "  bar:\n"
                  "    repeat: {s: 2, m: 2, h: 2}\n"
                  "    material: nylon\n"
                  "    section: {circle: {radius: 2 mm}}\n"
                  "    nodes: 11\n"
                  "    shape: {line: {from: [s*1 m, m*1 m, h*1 m], to: [10 m, m*2 m, 3 h/1 h]}}\n",
             NULL);
    FATAL(scene);
    CHECK(scene->rod_count == 8);
    // bar/1/0/1: a unit behind a number, otherwise a counter
    const LitheShapeDef *shape = &scene->rods[5].shape;
    CHECK(strcmp(scene->rods[5].name, "bar/1/0/1") == 0);
    CHECK(shape->from.x == 1 && shape->from.y == 0 && shape->from.z == 1);
    CHECK(shape->to.x == 10 && shape->to.y == 0 && shape->to.z == 3);
    drop(scene);
    REFUSE(HEAD "holds: {a: {repeat: {sin: 2}, on: rope.start}}\n",
           "'sin' is a function and cannot name a counter");
    REFUSE("lithe: 1\nparameters: {m: 2}\n", "cannot name a parameter");
}

TEST(places_by_fraction_are_repeated) {
    LitheScene *scene = take(HEAD ROPE "holds:\n"
                                       "  a: {repeat: {i: 3}, on: rope.at(i/4), hold: x}\n"
                                       "  b: {repeat: {i: 3}, on: \"rope.at({i/4})\", hold: y}\n"
                                       "  c: {repeat: {i: 3}, on: \"rope.at({i}/4)\", hold: z}\n",
                             NULL);
    FATAL(scene);
    CHECK(scene->hold_count == 9);
    for (int k = 0; k < 9; k++) {
        CHECK(scene->holds[k].place.kind == LITHE_PLACE_FRACTION);
        CHECK(scene->holds[k].place.fraction == 0.25 * (k % 3));
    }
    drop(scene);
}

// --- files that are no scenes --------------------------------------------------------------------

TEST(a_recording_a_journal_and_a_study_say_what_they_are) {
    const char recording[] = "\x89HDF\r\n\x1a\n\0\0\0";
    refuse_bytes(__LINE__, recording, sizeof recording, NULL,
                 "a.yaml: is a recording (HDF5), not a scene: lithe view, export, plot and resume");
    const char journal[] = "LITHEJ\r\n\0\x01\xff";
    refuse_bytes(__LINE__, journal, sizeof journal, NULL, "is the journal of a run, not a scene");
    REFUSE("lithe: 1\nscene: a.yaml\nvary: {time.end: [1 s, 2 s]}\n",
           "a.yaml: is a study, not a scene: lithe sweep takes it");
}

TEST(constraints_are_recorded_under_either_name) {
    LitheScene *scene = take("lithe: 1\n"
                             "bodies: {ball: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n"
                             "constraints: {hook: {kind: attach, a: ball, b: world}}\n"
                             "record: {also: [constraints.hook.force, constraints/hook.torque]}\n",
                             NULL);
    FATAL(scene);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    CHECK(lithe_compile(scene, &model, &state, &error) == LITHE_OK);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    drop(scene);
    refuse("lithe: 1\nrecord: {also: [constraints.hok.force]}\n");
    CHECK(says("'constraints.hok.force' is not the name of"));
}

TEST(bodies_are_not_held_or_driven_as_rods_are) {
    refuse("lithe: 1\n"
           "bodies: {ball: {mass: 1, inertia: [1, 1, 1, 0, 0, 0]}}\n"
           "drives: {up: {on: ball, direction: [0, 0, 1], speed: 1 m/s}}\n");
    CHECK(says("'ball' is no place"));
    CHECK(says("moved by pose-drives or actuators"));
}
