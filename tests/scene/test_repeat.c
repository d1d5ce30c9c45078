// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_repeat.c - repeated objects of a file, and paths in files

#include "scene/scene.h"

#include "base/memory.h"
#include "test.h"

#define HEAD "lithe: 1\nmaterials: {nylon: {young: 1 MPa, density: 1000 kg/m^3}}\n"
#define ROD "material: nylon, section: {circle: {radius: 2 mm}}, nodes: 11, "

static LitheContext *context;
static LitheError error;

static LitheStatus parse(const char *text, const char *override, LitheScene **scene) {
    memset(&error, 0, sizeof error);
    *scene = NULL;
    return lithe_scene_parse(context, text, strlen(text), "a.yaml", NULL, &override,
                             override ? 1 : 0, scene, &error);
}

static LitheScene *take(const char *text, const char *override) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    if (parse(text, override, &scene) != LITHE_OK)
        printf("  %s\n", error.text);
    return scene;
}

static void drop(LitheScene *scene) {
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static void refuse(int line, const char *text, const char *override, const char *part) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    LitheStatus status = parse(text, override, &scene);
    if (status != LITHE_BAD_INPUT || !strstr(error.text, part) || scene) {
        test_list.failures++;
        printf("  line %d: status %d, got \"%s\", expected \"%s\"\n", line, status, error.text,
               part);
    }
    drop(scene);
}

#define REFUSE(text, part) refuse(__LINE__, text, NULL, part)

// --- expansion -----------------------------------------------------------------------------------

static const char grid[] = HEAD
    "parameters: {n: 3, d: 10 mm}\n"
    "rods:\n"
    "  first: {" ROD "shape: {line: {to: [1, 0, 0]}}}\n"
    "  bar: {repeat: {i: n, j: n - 1}, " ROD
    "shape: {line: {from: [i*d, j*d, 0], to: [i*d, j*d, 10 cm*(1 + i + j)]}}}\n"
    "holds:\n"
    "  foot: {repeat: {i: n, j: n - 1}, on: \"bar/{i}/{j}.start\"}\n"
    "  top: {repeat: {k: 2}, on: \"bar/{n - 1}/{1 - k}[k + 1]\"}\n"
    "drives: {pull: {repeat: {i: n}, on: \"bar/{i}/0.end\", direction: [0, 0, 1], speed: 1 "
    "mm/s*i}}\n"
    "forces: {push: {repeat: {i: n, where: i != 1}, on: \"bar/{i}/1.end\", force: [i + 1, 0, 0]}}\n"
    "bodies:\n"
    "  link: {repeat: {i: n}, at: [i, 0, 0], mass: 1 + i, inertia: [1, 1, 1, 0, 0, 0]}\n"
    "joints: {hinge: {repeat: {i: n - 1}, kind: revolute, parent: \"link/{i}\", child: \"link/{i + "
    "1}\", at: [i + 0.5, 0, 0]}}\n"
    "chains: {rope: {repeat: {i: 2}, material: nylon, radius: 1 mm, capsules: 3, shape: {line: "
    "{from: [0, i, 0], to: [1, i, 0]}}}}\n"
    "constraints: {tie: {repeat: {i: 2}, kind: attach, a: \"bar/{i}/0[5]\", b: {on: "
    "\"rope/{i}/2\", "
    "at: [i, 0, 0]}}}\n";

TEST(copies_have_numbers_in_their_names_and_counters_in_their_values) {
    LitheScene *s = take(grid, NULL);
    FATAL(s != NULL);
    CHECK(s->rod_count == 1 + 6 && s->hold_count == 6 + 2 && s->drive_count == 3);
    char name[32];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++) {
            const LitheRodDef *rod = &s->rods[1 + 2 * i + j];
            snprintf(name, sizeof name, "bar/%d/%d", i, j);
            CHECK(strcmp(rod->name, name) == 0);
            CHECK_NEAR(rod->shape.from.x, 0.01 * i, 1e-17);
            CHECK_NEAR(rod->shape.to.z, 0.1 * (1 + i + j), 1e-16);
            CHECK(s->holds[2 * i + j].place.thing.number == 2 + 2 * i + j);
        }
    // braces choose the rod, an expression the node
    CHECK(s->holds[6].place.thing.number == 7 && s->holds[6].place.node == 1);
    CHECK(s->holds[7].place.thing.number == 6 && s->holds[7].place.node == 2);
    CHECK(s->drives[2].motion.rate == 2e-3 && strcmp(s->drives[2].name, "pull/2") == 0);
    // where omits one of three
    FATAL(s->force_count == 2);
    CHECK(strcmp(s->forces[1].name, "push/2") == 0 && s->forces[1].force.x == 3);
    CHECK(s->bodies[2].mass == 3 && s->joint_count == 2);
    CHECK(s->joints[1].parent.number == 2 && s->joints[1].child.number == 3);
    // chains of capsules are bodies
    CHECK(s->body_count == 3 + 6 && strcmp(s->bodies[8].name, "rope/1/2") == 0);
    const LitheConstraintDef *tie = NULL;
    for (int32_t i = 0; i < s->constraint_count; i++)
        if (strcmp(s->constraints[i].name, "tie/1") == 0)
            tie = &s->constraints[i];
    FATAL(tie != NULL);
    CHECK(tie->a.place.thing.number == 4 && tie->b.body.number == 9 && tie->b.at.x == 1);
    drop(s);
}

TEST(counts_can_be_set_and_be_zero) {
    LitheScene *s = take(grid, "rods.bar.nodes=7");
    FATAL(s != NULL);
    CHECK(s->rods[0].nodes == 11 && s->rods[6].nodes == 7);
    drop(s);
    const char text[] = HEAD "rods: {a: {repeat: {i: 4}, " ROD "shape: {line: {to: [i + 1, 0, "
                             "0]}}}}\n";
    s = take(text, "rods.a.repeat.i=2");
    FATAL(s != NULL);
    CHECK(s->rod_count == 2);
    drop(s);
    s = take(text, "rods.a.repeat.i=0");
    FATAL(s != NULL);
    CHECK(s->rod_count == 0);
    drop(s);
    refuse(__LINE__, text, "rods.a.repeat.k=2", "--set rods.a.repeat.k: no counter named 'k'");
}

TEST(conditions_compare_in_six_ways) {
    static const struct {
        const char *where;
        int count;
    } cases[] = {{"i < 2", 2},  {"i <= 2", 3}, {"i > 2", 2},       {"i >= 2", 3},
                 {"i == 2", 1}, {"i != 2", 4}, {"2*i - 3 < 1", 2}, {"i/3 <= 1/3", 2}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        char text[400];
        snprintf(text, sizeof text,
                 HEAD "rods: {a: {repeat: {i: 5, where: \"%s\"}, " ROD
                      "shape: {line: {to: [1, 0, 0]}}}}\n",
                 cases[k].where);
        LitheScene *s = take(text, NULL);
        FATAL(s != NULL);
        if (!CHECK(s->rod_count == cases[k].count))
            printf("  %s: %d\n", cases[k].where, s->rod_count);
        drop(s);
    }
}

// --- messages ------------------------------------------------------------------------------------

#define SHAPE "shape: {line: {to: [1, 0, 0]}}"

#define LINES "  a:\n    material: nylon\n    section: {circle: {radius: 2 mm}}\n    " SHAPE "\n"

TEST(messages_name_the_place_and_the_copy) {
    // errors when a copy is read
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 3, j: 2}\n    nodes: 10/(i - 1)\n",
           "a.yaml:9:12: rods.a/1/0.nodes: '10/(i - 1)': division by zero (for i = 1, j = 0)");
    REFUSE(HEAD "rods:\n" LINES "holds: {h: {repeat: {i: 3}, on: \"a/{i}.start\"}}\n",
           "a.yaml:8:34: holds.h/0.on: no rod named 'a/0'");
    REFUSE(HEAD "rods:\n" LINES "holds: {h: {repeat: {i: 3}, on: \"a[{i/2}]\"}}\n",
           "holds.h/1.on: 'i/2' is 0.5, a whole number is expected (for i = 1)");
    REFUSE(HEAD "rods:\n" LINES "holds: {h: {repeat: {i: 3}, on: \"a/{i.start\"}}\n",
           "'a/{i.start': a value and } are expected behind {");
    REFUSE(HEAD "rods:\n" LINES "holds: {h: {repeat: {i: 3}, on: \"a/{q}.start\"}}\n",
           "'q' is no number and no parameter (for i = 0)");
    // errors when a copy is checked
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 3}\n    nodes: 3 - i\n",
           "a.yaml:9:12: rod 'a/2': nodes is 1, must be >= 2");
    REFUSE(HEAD "rods:\n" LINES
                "    repeat: {i: 3, j: 2}\n    twist: 1\n    drag: {normal: 1 - i}\n",
           "a.yaml:10:20: rod 'a/2/0': drag.normal is -1 Pa s, must be >= 0");
    REFUSE(HEAD "chains: {c: {repeat: {i: 2}, material: nylon, radius: 1 - i, capsules: 3, " SHAPE
                "}}\n",
           "a.yaml:3:55: chain 'c/1': radius is 0 m, must be > 0");
    // equal names
    REFUSE(HEAD "rods:\n" LINES "  a/1: {" ROD SHAPE "}\n  b: {" ROD SHAPE "}\n"
                "drives: {a: {repeat: {i: 2}, on: b.end}}\n",
           "drive 'a/1': the name is already taken by rod 2");
}

TEST(wrong_counters_are_refused) {
    REFUSE(HEAD "rods:\n" LINES "    repeat: 3\n",
           "a.yaml:8:13: rods.a.repeat: names with counts are expected, like {i: 10, j: 5}");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {}\n", "rods.a.repeat: a counter is expected");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: -1}\n",
           "a.yaml:8:17: rods.a.repeat.i: is -1, must be >= 0");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 1.5}\n",
           "'1.5' is 1.5, a whole number is expected");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 1001, j: 1000}\n",
           "rods.a.repeat.j: makes more than 1000000 copies");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 2000000000}\n", "more than 1000000 copies");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {a: 1, b: 1, c: 1, d: 1, e: 1}\n",
           "rods.a.repeat.e: more than 4 counters");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {max: 3}\n", "'max' is a function");
    REFUSE(HEAD "parameters: {i: 3}\nrods:\n" LINES "    repeat: {i: 3}\n",
           "'i' is a parameter already");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 3, where: i}\n",
           "'i': a comparison by <, <=, >, >=, == or != is expected");
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 3, where: i < 1 mm}\n",
           "rods.a.repeat.where: ' 1 mm' is a length, a plain number is expected (for i = 0)");
    // counters end with their object
    REFUSE(HEAD "rods:\n" LINES "    repeat: {i: 3}\n  b: {" ROD SHAPE ", twist: i}\n",
           "rods.b.twist: 'i': 'i' is no number and no parameter");
    // materials cannot be repeated
    REFUSE("lithe: 1\nmaterials: {a: {repeat: {i: 2}, young: 1, density: 1}}\n",
           "materials.a.repeat: unknown key in material");
}

// --- writing -------------------------------------------------------------------------------------

static void check_round_trip(const char *text) {
    LitheScene *s = take(text, NULL), *again = NULL;
    FATAL(s != NULL);
    char *first = NULL, *second = NULL;
    CHECK(lithe_scene_write(s, &first, &error) == LITHE_OK);
    FATAL(first != NULL);
    CHECK(!strstr(first, "repeat") && !strstr(first, "{i}"));
    if (!CHECK(parse(first, NULL, &again) == LITHE_OK))
        printf("  %s\n%s\n", error.text, first);
    FATAL(again != NULL);
    CHECK(again->rod_count == s->rod_count && again->hold_count == s->hold_count &&
          again->body_count == s->body_count && again->constraint_count == s->constraint_count);
    for (int32_t i = 0; i < s->rod_count; i++) {
        const LitheShapeDef *a = &s->rods[i].shape, *b = &again->rods[i].shape;
        CHECK(strcmp(s->rods[i].name, again->rods[i].name) == 0);
        CHECK(memcmp(&a->from, &b->from, sizeof a->from) == 0 &&
              memcmp(&a->to, &b->to, sizeof a->to) == 0);
        FATAL(a->kind == b->kind && a->piece_count == b->piece_count);
        CHECK(!a->pieces ||
              memcmp(a->pieces, b->pieces, (size_t)a->piece_count * sizeof *a->pieces) == 0);
    }
    CHECK(lithe_scene_write(again, &second, &error) == LITHE_OK);
    CHECK(second && strcmp(first, second) == 0);
    lithe_text_free(context, first);
    lithe_text_free(context, second);
    lithe_scene_destroy(again);
    drop(s);
}

TEST(a_written_scene_has_all_copies_and_reads_back_the_same) {
    check_round_trip(grid);
}

// --- paths ---------------------------------------------------------------------------------------

static const char loops[] = HEAD
    "rods: {a: {repeat: {i: 2}, " ROD
    "shape: {path: {pieces: [{straight: 10 cm}, {turn: 360 deg*(i + 1), radius: 3 cm, climb: 1 "
    "cm}, {straight: 0.1/3}], at: [0, 0, i]}}}}\n"
    "chains: {c: {material: nylon, radius: 1 mm, capsules: 30, shape: {path: {pieces: [{straight: "
    "1 "
    "cm}, {turn: -90 deg, radius: 3 cm}]}}}}\n";

TEST(paths_are_read_and_written) {
    LitheScene *s = take(loops, NULL);
    FATAL(s != NULL && s->rod_count == 2);
    const LitheShapeDef *shape = &s->rods[1].shape;
    FATAL(shape->kind == LITHE_SHAPE_PATH && shape->piece_count == 3);
    CHECK_NEAR(shape->pieces[1].turn, 4 * M_PI, 1e-14);
    CHECK(shape->pieces[1].radius == 0.03 && shape->pieces[1].climb == 0.01);
    CHECK(shape->pieces[0].straight == 0.1 && shape->pieces[0].turn == 0);
    drop(s);
    check_round_trip(loops);
}

#define PATH "rods: {a: {" ROD "shape: {path: {pieces: "

TEST(wrong_paths_are_refused) {
    REFUSE(HEAD PATH "[]}}}}\n",
           "a.yaml:3:90: rod 'a': pieces has no pieces, must have at least 1");
    REFUSE(HEAD PATH "[{straight: 1}, {climb: 1}]}}}}\n",
           "rod 'a': pieces[1] is neither straight nor a turn, must be one of them");
    REFUSE(HEAD PATH "[{straight: 1, turn: 1}]}}}}\n", "pieces[0] is straight and a turn");
    REFUSE(HEAD PATH "[{straight: -1}]}}}}\n",
           "a.yaml:3:110: rod 'a': pieces[0].straight is -1 m, must be >= 0");
    REFUSE(HEAD PATH "[{turn: 1}]}}}}\n", "pieces[0].radius is 0 m, must be > 0");
    REFUSE(HEAD PATH "[{straight: 1 s}]}}}}\n",
           "rods.a.shape.path.pieces[0].straight: '1 s' is a time, a length is expected");
    REFUSE(HEAD PATH "{straight: 1}}}}}\n", "a list of pieces is expected");
}

// --- lists by one expression ---------------------------------------------------------------------

#define BENT \
    HEAD "rods: {a: {repeat: {i: 2}, " ROD "shape: {line: {from: [i, 0, 0], to: [i, 1, 0]}}}}\n" \
         "natural-drives: {grow: {repeat: {i: 2}, rod: \"a/{i}\", "

TEST(one_expression_gives_all_values_of_a_list) {
    LitheScene *s = take(BENT "node-curvature1: {repeat: {n: 11}, value: 3 1/m*(10*i + n)}, "
                              "node-twist: {repeat: {n: 10 + 1}, value: \"uniform(4, i, n)\"}}}\n",
                         NULL);
    FATAL(s != NULL);
    CHECK(s->natural_drive_count == 2);
    for (int i = 0; i < 2; i++) {
        const LitheNaturalDriveDef *d = &s->natural_drives[i];
        FATAL(d->node_value_count == 11);
        for (int n = 0; n < 11; n++) {
            CHECK(d->node_curvature1[n] == 3 * (10 * i + n));
            CHECK(d->node_twist[n] >= 0 && d->node_twist[n] < 1);
            CHECK(n == 0 || d->node_twist[n] != d->node_twist[n - 1]);
        }
        CHECK(!d->node_curvature2);
    }
    CHECK(s->natural_drives[0].node_twist[0] != s->natural_drives[1].node_twist[0]);
    drop(s);
}

TEST(wrong_lists_by_one_expression_are_refused) {
    REFUSE(BENT "node-twist: {repeat: {i: 11}, value: 1}}}\n", "'i' is a counter already");
    REFUSE(BENT "node-twist: {repeat: {n: 11}}}}\n", "a list is expected, or {repeat: {n: COUNT}");
    REFUSE(BENT "node-twist: {repeat: {n: 11}, value: 1, more: 2}}}\n",
           "a list is expected, or {repeat: {n: COUNT}");
    REFUSE(BENT "node-twist: {repeat: {n: 11, where: n > 2}, value: 1}}}\n", "no 'where'");
    REFUSE(BENT "node-twist: {repeat: {n: 0}, value: 1}}}\n", "is an empty list");
    REFUSE(BENT "node-twist: {repeat: {n: 11}, value: n*1 s}}}\n", "is a time");
    REFUSE(BENT "node-twist: {repeat: {n: 11}, value: 1/(n - 3)}}}\n",
           "division by zero (for i = 0, n = 3)");
    REFUSE(BENT "node-twist: {repeat: {n: 12}, value: 1}}}\n", "11");
    REFUSE(BENT "node-twist: {repeat: {n: 2, m: 2, k: 2, l: 2}, value: 1}}}\n",
           "more than 4 counters");
}

// --- memory --------------------------------------------------------------------------------------

static void fail_all(const char *text) {
    context = lithe_context_create(NULL);
    int n = 1;
    for (; n < 2000; n++) {
        LitheScene *s = NULL;
        lithe_context_fail_at(context, n);
        LitheStatus status = parse(text, NULL, &s);
        lithe_context_fail_at(context, 0);
        lithe_scene_destroy(s);
        CHECK(lithe_context_bytes(context) == 0);
        if (status == LITHE_OK)
            break;
        if (!CHECK(status == LITHE_NO_MEMORY && !s))
            printf("  n = %d: %s\n", n, error.text);
    }
    CHECK(n > 50 && n < 2000);
    lithe_context_destroy(context);
}

TEST(every_failed_allocation_of_copies_and_paths_leaves_nothing_behind) {
    fail_all(grid);
    fail_all(loops);
}

LONG_TEST(a_hundred_thousand_copies_are_read) {
    const char text[] = HEAD "bodies: {grain: {repeat: {i: 100, j: 1000}, at: [i, j, 0], mass: 1, "
                             "inertia: [1, 1, 1, 0, 0, 0]}}\n";
    LitheScene *s = take(text, NULL);
    FATAL(s != NULL);
    CHECK(s->body_count == 100000 && s->bodies[99999].at.y == 999);
    drop(s);
}
