// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_load.c - scene files: what they contain, and the messages for wrong ones

#include "loading.h"

TEST(every_key_arrives_where_it_belongs) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    CHECK(lithe_scene_load(context, SCENES "everything.yaml", NULL, 0, &s, &error) == LITHE_OK);
    FATAL(s != NULL);
    CHECK_TEXT(s->title, "Everything at once");
    CHECK(s->time.step == 1e-3 && s->time.end == 2 && s->time.tolerance == 1e-8);
    CHECK(s->time.scheme == LITHE_SCHEME_MIDPOINT && s->time.start == LITHE_START_EQUILIBRIUM);
    CHECK(s->time.max_iterations == 40);
    CHECK(s->gravity.x == 0 && s->gravity.z == -9.81);
    CHECK(s->record.every == 0.01 && s->record.also_count == 2);

    // the library's material comes first; our parameter takes precedence over the library's
    FATAL(s->material_count == 2);
    CHECK_TEXT(s->materials[0].name, "rubber");
    CHECK(s->materials[0].young == 5e5 && s->materials[0].poisson == 0.5);
    const LitheMaterialDef *nylon = &s->materials[1];
    CHECK(nylon->young == 18e6 && nylon->poisson == 0.4 && nylon->shear == 6e6);
    CHECK(nylon->damping_mass == 1 && nylon->damping_stiffness == 2e-3);

    FATAL(s->rod_count == 9);
    const LitheRodDef *rope = &s->rods[0];
    CHECK(rope->material.number == 2 && rope->section.radius == 2e-3 && rope->nodes == 11);
    CHECK(rope->shape.from.z == 0.01 && rope->shape.to.x == 1 && rope->shape.at.y == 1e-3);
    CHECK_NEAR(rope->shape.rotate.z, 0.5235987755982988, 1e-15);
    CHECK(rope->clamp_start && !rope->clamp_end && rope->director.z == 1);
    CHECK_NEAR(rope->twist, 18.84955592153876, 1e-14);
    CHECK(rope->natural == LITHE_NATURAL_AS_SHAPED && rope->natural_curvature1 == 1);
    CHECK(rope->natural_stretch == 0.95 && rope->node_curvature1[10] == 10);
    CHECK(rope->node_value_count == 11 && rope->edge_value_count == 10);
    CHECK(rope->node_twist[10] == 5 && rope->edge_stretch[9] == 0.99);
    CHECK(rope->velocity.z == 1e-3 && rope->drag_normal == 0.01 && rope->drag_tangent == 0.005);
    CHECK_NEAR(rope->spin.z, 6.283185307179586, 1e-14);
    CHECK(s->rods[1].section.kind == LITHE_SECTION_RECTANGLE && s->rods[1].section.width == 0.02);
    CHECK(s->rods[1].nodes == 22 && s->rods[1].drag_tangent == 0.01);
    const LitheSectionDef *cable = &s->rods[2].section;
    CHECK(cable->EA == 1000 && cable->EI1 == 1e-3 && cable->EI2 == 1e-3 && cable->GJ == 1e-3);
    CHECK(cable->mass_per_length == 0.02 && cable->spin_per_length == 1e-6);
    CHECK(s->rods[2].material.number == 0 && cable->damping_mass == 0.1);
    CHECK(s->rods[3].shape.pitch == -5e-3 && s->rods[3].shape.turns == 2.5);
    CHECK(s->rods[3].clamp_start && s->rods[3].clamp_end);
    CHECK(s->rods[4].shape.kind == LITHE_SHAPE_CATENARY && s->rods[4].shape.length == 1.2);
    CHECK(s->rods[5].nodes == 0 && s->rods[5].shape.closed && s->rods[5].shape.point_count == 5);
    CHECK(s->rods[6].shape.kind == LITHE_SHAPE_SPLINE && s->rods[6].section.radius == 1e-3);
    // points of a file become those of a polyline
    CHECK(s->rods[7].shape.kind == LITHE_SHAPE_POLYLINE && s->rods[7].shape.point_count == 4);
    CHECK(s->rods[7].shape.points[3].z == 0.1 && s->rods[7].shape.path == NULL);
    CHECK(s->rods[8].shape.unknotting == 1);

    FATAL(s->hold_count == 4 && s->drive_count == 4);
    CHECK(s->holds[0].bits == (LITHE_HOLD_X | LITHE_HOLD_Y | LITHE_HOLD_TWIST));
    CHECK(s->holds[1].place.node == 3 && s->holds[1].bits == LITHE_HOLD_CLAMP);
    CHECK(s->holds[2].place.kind == LITHE_PLACE_FRACTION && s->holds[2].place.fraction == 0.5);
    CHECK(s->holds[3].place.thing.number == 3 && s->holds[3].place.node == -2);
    const LitheDriveDef *pull = &s->drives[0], *turn = &s->drives[1], *grip = &s->drives[2];
    CHECK(pull->outward && pull->motion.rate == 0.4 && pull->stiffness == 1e6 && pull->along_only);
    CHECK(turn->kind == LITHE_DRIVE_TWIST && turn->stiffness == 3 && turn->damping == 0.1);
    CHECK_NEAR(turn->turn.rate, 6.283185307179586, 1e-15);
    CHECK(grip->motion.kind == LITHE_PROFILE_SMOOTH && grip->motion.values[1] == 0.1);
    CHECK(grip->turn.rate == 1 && grip->turn.frequency == 2 && grip->axis.x == 1);
    CHECK(s->drives[3].motion.value == 5e-3);
    CHECK(s->forces[0].force.z == -1 && s->forces[0].moment.y == 1e-3);
    CHECK(s->forces[0].profile.count == 2 && s->forces[1].profile.rate == 2);
    CHECK(s->forces[1].profile.value == 0);
    CHECK(s->natural_drives[0].curvature1 == 5 && s->natural_drives[0].edge_stretch[18] == 0.1);
    CHECK(s->natural_drives[0].profile.kind == LITHE_PROFILE_HOLD);
    CHECK(s->natural_drives[1].node_twist[3] == 3 && s->natural_drives[1].profile.value == 1);
    drop(s);
}

TEST(keys_have_a_second_name_in_the_words_of_the_field) {
    LitheScene *s = take(
        HEAD
        "contact: {max-cuts: 3}\n"
        "bodies: {ball: {mass: 1, inertia: [1, 1, 1, 0, 0, 0], angular-velocity: [0, 2, 0]}}\n"
        "rods: {cable: {shape: {line: {to: [1, 0, 0]}}, nodes: 3, angular-velocity: [0, 0, 1],\n"
        "  section: {stiffness: {EA: 1, mass-per-length: 1, radius: 1 mm,\n"
        "    rotary-inertia-per-length: 1e-6}}}}\n",
        NULL);
    FATAL(s != NULL);
    CHECK(s->contact.most_cuts == 3 && s->bodies[0].spin.y == 2 && s->rods[0].spin.z == 1);
    CHECK(s->rods[0].section.spin_per_length == 1e-6);
    char *text = NULL;
    if (CHECK(lithe_scene_write(s, &text, &error) == LITHE_OK)) {
        CHECK_TEXT(text, "most-cuts: 3");
        CHECK(!strstr(text, "max-cuts") && !strstr(text, "angular-velocity"));
    }
    lithe_text_free(context, text);
    drop(s);
    REFUSE(HEAD "contact: {most-cuts: 3, max-cuts: 4}\n", "max-cuts and most-cuts are both given");
}

TEST(defaults_are_those_of_the_defs) {
    LitheScene *s = take(HEAD ROPE, NULL);
    FATAL(s != NULL);
    LitheRodDef usual = lithe_rod_def_default();
    LitheTimeDef time = lithe_time_def_default();
    CHECK(s->rods[0].natural_stretch == usual.natural_stretch && !s->rods[0].clamp_start);
    CHECK(s->time.step == time.step && s->time.end == time.end);
    CHECK(s->time.scheme == time.scheme && s->time.max_iterations == time.max_iterations);
    CHECK(s->gravity.z == -9.81 && s->record.every == 0.01 && s->title == NULL);
    drop(s);
}

TEST(gravity_is_none_a_number_or_a_vector) {
    static const struct {
        const char *text;
        LitheVec3 g;
    } cases[] = {
        {"lithe: 1\ngravity: none\n", {0, 0, 0}},
        {"lithe: 1\ngravity: 1.62 m/s^2\n", {0, 0, -1.62}},
        {"lithe: 1\ngravity: [1 m/s^2, 0, 2]\n", {1, 0, 2}},
    };
    for (int i = 0; i < 3; i++) {
        LitheScene *s = take(cases[i].text, NULL);
        FATAL(s != NULL);
        CHECK(s->gravity.x == cases[i].g.x && s->gravity.z == cases[i].g.z);
        drop(s);
    }
}

TEST(json_is_read_too) {
    LitheScene *s = take("{\"lithe\": 1, \"time\": {\"step\": \"2 ms\", \"end\": 1e1}}", NULL);
    FATAL(s != NULL);
    CHECK(s->time.step == 2e-3 && s->time.end == 10);
    drop(s);
}

TEST(messages_name_file_line_column_path_and_value) {
    REFUSE(HEAD "rods:\n  lace:\n    material: nylon\n    section: {circle: {radius: -2 mm}}\n"
                "    shape: {line: {to: [1, 0, 0]}}\n",
           "a.yaml:6:32: rod 'lace': radius is -0.002 m, must be > 0");
    REFUSE(HEAD "rods:\n  lace:\n    section: {circle: {radius: 3 s}}\n",
           "a.yaml:5:32: rods.lace.section.circle.radius: '3 s' is a time, a length is expected");
    REFUSE(HEAD "rods:\n  lace:\n    section: {circle: {raduis: 3 mm}}\n",
           "a.yaml:5:24: rods.lace.section.circle.raduis: unknown key in section circle; did you "
           "mean radius?");
    REFUSE("lithe: 1\ntime:\n  scheme: backward-eler\n",
           "a.yaml:3:11: time.scheme: 'backward-eler' "
           "is not known here; did you mean "
           "backward-euler?");
    REFUSE("lithe: 1\ntime: {qqqqqq: 1}\n",
           "known: step, end, scheme, start, tolerance, max-iterations");
    REFUSE("lithe: 1\ntiem: {}\n", "a.yaml:2:1: tiem: unknown key in a scene; did you mean time?");
    REFUSE(HEAD "rods: {rope: {material: nylom}}\n", "no material named 'nylom'; did you mean "
                                                     "nylon?");
    REFUSE(HEAD "rods: {rope: {material: nylon, shape: {line: {to: [1, 0, 0]}}}}\n",
           "rods.rope: section is missing");
    REFUSE(HEAD ROPE "holds: {a: {hold: x}}\n", "a.yaml:5:9: holds.a: on is missing");
    REFUSE(HEAD "holds: {a: {on: rope.start}}\n", "no rod named 'rope' (the scene defines none)");
}

TEST(repeated_keys_and_names_are_refused_with_both_places) {
    REFUSE("lithe: 1\ntime: {step: 1 ms}\ntime: {end: 2 s}\n",
           "a.yaml:3:1: time: this key occurs twice, first at line 2");
    REFUSE("lithe: 1\ntime: {step: 1 ms, step: 2 ms}\n", "this key occurs twice");
}

TEST(values_of_the_wrong_form_are_refused) {
    REFUSE(HEAD ROPE "record: 3\n", "record: a mapping is expected; known: every, also");
    REFUSE(HEAD "rods: {rope: {nodes: 2.5}}\n", "'2.5' is 2.5, a whole number is expected");
    REFUSE(HEAD "rods: {rope: {nodes: 3 m}}\n", "'3 m' is a length, a plain number is expected");
    REFUSE(HEAD "rods: {rope: {nodes: 99999999999}}\n", "is too large, the max is 2147483647");
    REFUSE(HEAD "rods: {rope: {nodes: [3]}}\n", "is a list, a whole number is expected");
    REFUSE(HEAD "rods: {rope: {nodes: }}\n", "has no value");
    REFUSE(HEAD "rods: {rope: {velocity: [1, 2]}}\n", "has 2 values, 3 are expected");
    REFUSE(HEAD "rods: {rope: {velocity: 3}}\n", "a list of 3 values is expected");
    REFUSE(HEAD "rods: {rope: {section: {}}}\n", "one of its kinds is expected; known: circle, "
                                                 "rectangle, ellipse, stiffness");
    REFUSE(HEAD "rods: {rope: {section: {circle: {radius: 1}, ellipse: {}}}}\n",
           "one of its kinds is expected");
    REFUSE(HEAD "rods: {1rope: {}}\n", "'1rope': a name has letters");
    REFUSE(HEAD "rods: {a.b: {}}\n", "'a.b': a name has letters");
    REFUSE(HEAD "rods: [1]\n", "rods: names with mappings are expected");
    REFUSE(HEAD "rods: {rope: {shape: {polyline: {points: [], closed: maybe}}}}\n",
           "'maybe' is not known here");
    REFUSE(HEAD ROPE "forces: {f: {on: rope.start, profile: {table: [[0]]}}}\n",
           "a pair [time, value] is expected");
    REFUSE(HEAD ROPE "forces: {f: {on: rope.start, profile: {table: [[0, 1]], value: 2}}}\n",
           "value and table are both given");
    REFUSE(HEAD ROPE "drives: {d: {on: rope.end, speed: 1, motion: 2}}\n",
           "speed and motion are both given");
    REFUSE(HEAD ROPE "drives: {d: {on: rope.end, kind: twist, stiffness: 3 N/m}}\n",
           "'3 N/m' is a spring stiffness, a rotational stiffness is expected");
    REFUSE(HEAD ROPE "drives: {d: {on: rope.end, motion: {rate: 3 rad/s}}}\n",
           "is an angular velocity, a speed is expected");
    REFUSE(HEAD ROPE "drives: {d: {on: rope.end, direction: inward}}\n",
           "a vector or the word outward is expected");
    REFUSE(HEAD "rods: {r: {shape: {arc: {radius: 1, angle: 1, rotate: {axis: [0, 0, 0], angle: 1}"
                "}}}}\n",
           "axis is (0, 0, 0), must have a direction");
    // the squares of these overflow and underflow
    REFUSE(HEAD "rods: {r: {shape: {arc: {radius: 1, angle: 1, rotate: {axis: [1e200, 0, 0], angle:"
                " 1}}}}}\n",
           "axis is (1e+200, 0, 0), must have a direction");
    REFUSE(HEAD "rods: {r: {shape: {arc: {radius: 1, angle: 1, rotate: {axis: [1e-160, 0, 0], "
                "angle: 1}}}}}\n",
           "axis is (1e-160, 0, 0), must have a direction");
    REFUSE(HEAD "rods: {r: {shape: {arc: {radius: 1, angle: 1, rotate: {axis: [0, 0, 1], ange: 1}"
                "}}}}\n",
           "ange: unknown key in rotate; did you mean angle?");
    REFUSE(HEAD "rods: {r: {natural: {node-twist: [1, 2], node-curvature1: [1]}}}\n",
           "has 1 values, another list of the same kind has 2");
}

TEST(places_are_read_in_all_their_forms) {
    static const struct {
        const char *place;
        LithePlaceKind kind;
        int32_t node;
        double fraction;
    } cases[] = {
        {"rope.start", LITHE_PLACE_NODE, 0, 0},         {"rope.end", LITHE_PLACE_NODE, -1, 0},
        {"rope.middle", LITHE_PLACE_FRACTION, 0, 0.5},  {"rope[3]", LITHE_PLACE_NODE, 3, 0},
        {"rope[-2]", LITHE_PLACE_NODE, -2, 0},          {"rope.node(2*3)", LITHE_PLACE_NODE, 6, 0},
        {"rope.at(0.3)", LITHE_PLACE_FRACTION, 0, 0.3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[500];
        snprintf(text, sizeof text, HEAD ROPE "holds:\n  h:\n    on: %s\n", cases[i].place);
        LitheScene *s = take(text, NULL);
        FATAL(s != NULL);
        const LithePlace *p = &s->holds[0].place;
        CHECK(p->kind == cases[i].kind && p->node == cases[i].node);
        CHECK(p->kind == LITHE_PLACE_NODE || p->fraction == cases[i].fraction);
        drop(s);
    }
    REFUSE(HEAD ROPE "holds: {h: {on: rope}}\n",
           "'rope' is no place; places are ROD.start, ROD.end, ROD.middle, "
           "ROD[3], ROD.node(3), ROD.at(0.5), PARTICLES[3], SOLID[3] and SOLID.GROUP");
    REFUSE(HEAD ROPE "holds: {h: {on: rope.tip}}\n", "'rope.tip' is no place");
    REFUSE(HEAD ROPE "holds: {h: {on: rope.strat}}\n",
           "'rope.strat' is no place, did you mean 'rope.start'? Places are ROD.start");
    REFUSE(HEAD ROPE
           "bodies: {plate: {fixed: true, shape: {sphere: {radius: 1}}}}\n"
           "sets: {left: {of: rope, list: [0, 1]}}\nforces: {f: {on: plat, force: [1, 0, 0]}}\n",
           "'plat' is no place, did you mean 'plate'? Places are ROD.start, ROD.end, ROD.middle, "
           "ROD[3], ROD.node(3), ROD.at(0.5), PARTICLES[3], SOLID[3] and SOLID.GROUP, or the name "
           "of a set, or the name of a body");
    REFUSE(HEAD ROPE "holds: {h: {on: lace.end}}\n", "no rod named 'lace'");
    REFUSE(HEAD ROPE "holds: {h: {on: rope.node(1.5)}}\n", "a whole number is expected");
    REFUSE(HEAD ROPE "holds: {h: {on: rope.at(2)}}\n", "must be from 0 to 1");
    REFUSE(HEAD ROPE "holds: {h: {on: rope.node(11)}}\n", "must be from -11 to 10");
}

TEST(parameters_may_refer_to_each_other_in_any_order) {
    LitheScene *s = take("lithe: 1\nparameters: {a: 2*b, b: 3 ms}\ntime: {step: a + b}\n", NULL);
    FATAL(s != NULL);
    CHECK_NEAR(s->time.step, 0.009, 1e-17);
    drop(s);
    REFUSE("lithe: 1\nparameters: {a: b, b: c, c: a}\n", "refers to itself");
    REFUSE("lithe: 1\nparameters: {speed: 1}\ntime: {step: sped}\n",
           "'sped' is no number and no parameter; did you mean speed?");
    REFUSE("lithe: 1\nparameters: {mm: 1}\n", "'mm' is a unit or function");
    REFUSE("lithe: 1\nparameters: {pi: 1}\n", "'pi' is a unit or function");
    REFUSE("lithe: 1\nparameters: {a-b: 1}\n", "'a-b': a parameter's name has letters");
    REFUSE("lithe: 1\nparameters: {a: 2 m + 1 s}\n", "parameters.a: '2 m + 1 s': + needs equal");
    char text[6000] = "lithe: 1\nparameters:\n  p0: 1\n";
    for (int i = 1; i < 200; i++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "  p%d: p%d\n", i, i - 1);
    // sorted by name, p10 and p100 come before what they refer to
    LitheScene *deep;
    context = lithe_context_create(NULL);
    LitheStatus status = parse(text, strlen(text), NULL, &deep);
    CHECK(status == LITHE_OK || strstr(error.text, "deep"));
    drop(deep);
}

TEST(overrides_replace_and_add_values) {
    LitheScene *s = take(HEAD ROPE, "rods.rope.nodes=51");
    FATAL(s != NULL);
    CHECK(s->rods[0].nodes == 51);
    drop(s);
    s = take(HEAD ROPE, "time.end=7 s");
    FATAL(s != NULL);
    CHECK(s->time.end == 7);
    drop(s);
    s = take("lithe: 1\nparameters: {r: 1 ms}\ntime: {step: r}\n", "parameters.r=3ms");
    FATAL(s != NULL);
    CHECK(s->time.step == 3e-3);
    drop(s);
    s = take(HEAD ROPE, "rods.rope.section={ellipse: {width: 2 mm, height: 1 mm}}");
    FATAL(s != NULL);
    CHECK(s->rods[0].section.kind == LITHE_SECTION_ELLIPSE);
    drop(s);
    s = take(HEAD ROPE, "materials.nylon.damping.mass=2 1/s");
    FATAL(s != NULL);
    CHECK(s->materials[0].damping_mass == 2);
    drop(s);
    s = take(HEAD ROPE, "gravity=none");
    FATAL(s != NULL);
    CHECK(s->gravity.z == 0);
    drop(s);
}

TEST(wrong_overrides_are_reported_as_such) {
    REFUSE_SET(HEAD ROPE, "rods.ropee.nodes=5",
               "--set rods.ropee.nodes: no rod named 'ropee'; did you mean rope?");
    REFUSE_SET(HEAD ROPE, "rods.rope.nods=5",
               "--set rods.rope.nods: nods: unknown key in rod; did you mean nodes?");
    REFUSE_SET(HEAD ROPE, "rods.rope.nodes=1", "--set rods.rope.nodes: rod 'rope': nodes is 1");
    REFUSE_SET(HEAD ROPE, "rods.rope.nodes=x", "--set rods.rope.nodes: rods.rope.nodes: 'x'");
    REFUSE_SET(HEAD ROPE, "rodz=5", "--set rodz: rodz: unknown key in scene; did you mean rods?");
    REFUSE_SET(HEAD ROPE, "parameters.q=5", "--set parameters.q: no parameter named 'q'");
    REFUSE_SET(HEAD ROPE, "rods.rope.nodes.x=5", "--set rods.rope.nodes.x: nodes has no parts");
    REFUSE_SET(HEAD ROPE, "lithe=2", "--set lithe: lithe cannot be set");
    REFUSE_SET(HEAD ROPE, "nodes", "--set nodes: PATH=VALUE is expected");
    REFUSE_SET(HEAD ROPE, "=5", "PATH=VALUE is expected");
    REFUSE_SET(HEAD ROPE, "time.end=", "--set time.end: has no value");
    REFUSE_SET(HEAD ROPE, "time.end=[", "--set time.end: not YAML");
    REFUSE_SET(HEAD ROPE, "rods..nodes=5", "no rod named ''");
    REFUSE_SET(HEAD ROPE, "time.=5", "unknown key");
}

TEST(a_missing_file_of_points_is_named_where_the_scene_names_it) {
    context = lithe_context_create(NULL);
    LitheScene *scene = NULL;
    const char *text = HEAD "rods:\n  rope: {material: nylon, section: {circle: {radius: 1 mm}},\n"
                            "    shape: {file: {path: no-points.txt}}}\n";
    CHECK(lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &scene,
                            &error) == LITHE_FILE_ERROR);
    CHECK_TEXT(error.text, ": rods.rope.shape.file.path: cannot read ");
    CHECK_TEXT(error.text, "no-points.txt: No such file");
    CHECK(strncmp(error.text, "a.yaml:", 7) == 0);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}
