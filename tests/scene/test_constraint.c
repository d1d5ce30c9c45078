// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_constraint.c - constraints, chains and settings of contact in scenes and files

#include "scene/scene.h"

#include "base/memory.h"
#include "lithe/lithe.h"
#include "math/quat.h"
#include "test.h"

static LitheContext *context;
static LitheError error;

// a rod 'rope' of 11 nodes, bodies 'crate', 'hand' and the fixed 'floor'
#define HEAD \
    "lithe: 1\n" \
    "materials: {wood: {young: 1 GPa, poisson: 0.25, density: 700 kg/m^3}}\n" \
    "rods: {rope: {material: wood, section: {circle: {radius: 1 mm}}, shape: {line: {to: [1, 0, " \
    "0]}}, nodes: 11}}\n" \
    "bodies:\n" \
    "  crate: {shape: {box: {size: [0.1, 0.1, 0.1]}}, material: wood, at: [0, 0, 1]}\n" \
    "  hand: {shape: {sphere: {radius: 1 cm}}, material: wood, at: [1, 2, 3]}\n" \
    "  floor: {shape: {half-space: {}}, fixed: true}\n"

static LitheStatus parse(const char *text, LitheScene **scene) {
    memset(&error, 0, sizeof error);
    *scene = NULL;
    return lithe_scene_parse(context, text, strlen(text), "a.yaml", NULL, NULL, 0, scene, &error);
}

static void refuse(int line, const char *text, const char *part) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    LitheStatus status = parse(text, &scene);
    if (status != LITHE_BAD_INPUT || !strstr(error.text, part) || scene) {
        test_list.failures++;
        printf("  line %d: status %d, got \"%s\", expected \"%s\"\n", line, status, error.text,
               part);
    }
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

#define REFUSE(text, part) refuse(__LINE__, text, part)
#define TIE(inside) HEAD "constraints:\n  tie: {" inside "}\n"

static LitheScene *take(const char *text) {
    LitheScene *scene;
    context = lithe_context_create(NULL);
    if (parse(text, &scene) != LITHE_OK)
        printf("  %s\n", error.text);
    return scene;
}

static void drop(LitheScene *scene) {
    lithe_scene_destroy(scene);
    CHECK(lithe_context_bytes(context) == 0);
    lithe_context_destroy(context);
}

static bool near3(LitheVec3 a, double x, double y, double z) {
    return fabs(a.x - x) < 1e-12 && fabs(a.y - y) < 1e-12 && fabs(a.z - z) < 1e-12;
}

// --- files ---------------------------------------------------------------------------------------

// one of every kind, with every key
static const char every[] = HEAD "\
contact: {enabled: false, friction-law: similar, passes: 3, tolerance: 1e-7, max-iterations: 40,\n\
  stick-speed: 1 um/s, sigma: 1e-4, beta: 0.2, margin: 3 mm}\n\
constraints:\n\
  pin: {kind: attach, a: rope.start, b: world, stiffness: 1 kN/m, damping: 2 N s/m}\n\
  glue: {kind: weld, a: {on: crate, at: [0, 0, 5 cm], rotate: [0, 0, 90 deg]}, b: rope.at(0.31),\n\
    turn-stiffness: 3 N m/rad, turn-damping: 0.1 N m s/rad, as-built: false, breaks-at: 12 N}\n\
  arm/bar: {kind: distance, a: hand, b: crate, length: 40 cm, active: false}\n\
  line: {kind: rope, a: {on: world, at: [0, 0, 2]}, b: 'rope[-2]'}\n\
  prop: {kind: strut, a: floor, b: rope.end, length: 2 cm,\n\
    switch: {table: [[0, 0], [1 s, 1]], kind: hold}}\n\
  hinge: {kind: hinge-spring, a: rope.end, b: hand, bend-stiffness: 0.2 N m/rad,\n\
    twist-stiffness: 0.3 N m/rad, turn-damping: 1 mN m s/rad}\n";

TEST(every_key_arrives_where_it_belongs) {
    LitheScene *s = take(every);
    FATAL(s != NULL && s->constraint_count == 6);
    const LitheContactDef *c = &s->contact;
    CHECK(!c->enabled && c->law == LITHE_FRICTION_SIMILAR && c->passes == 3);
    CHECK(c->tolerance == 1e-7 && c->max_iterations == 40 && c->stick_speed == 1e-6);
    CHECK(c->sigma == 1e-4 && c->beta == 0.2 && c->margin == 3e-3 && !c->single);
    const LitheConstraintDef *pin = &s->constraints[0], *glue = &s->constraints[1];
    CHECK(pin->kind == LITHE_CONSTRAINT_ATTACH && pin->a.kind == LITHE_ANCHOR_ROD);
    CHECK(pin->a.place.node == 0 && pin->b.kind == LITHE_ANCHOR_WORLD);
    CHECK(pin->stiffness == 1000 && pin->damping == 2 && pin->as_built && pin->active);
    CHECK(pin->gate.value == 1 && pin->gate.count == 0 && pin->breaks_at == 0);
    CHECK(glue->kind == LITHE_CONSTRAINT_WELD && glue->a.body.number == 1);
    CHECK(near3(glue->a.at, 0, 0, 0.05) && !glue->as_built && glue->breaks_at == 12);
    CHECK_NEAR(glue->a.rotation.w, sqrt(0.5), 1e-15);
    CHECK_NEAR(glue->a.rotation.z, sqrt(0.5), 1e-15);
    CHECK(glue->b.place.kind == LITHE_PLACE_FRACTION && glue->b.place.fraction == 0.31);
    CHECK(glue->turn_stiffness == 3 && glue->turn_damping == 0.1);
    CHECK(strcmp(s->constraints[2].name, "arm/bar") == 0 && s->constraints[2].length == 0.4);
    CHECK(!s->constraints[2].active);
    CHECK(near3(s->constraints[3].a.at, 0, 0, 2) && s->constraints[3].b.place.node == -2);
    CHECK(s->constraints[4].gate.count == 2 && s->constraints[4].gate.kind == LITHE_PROFILE_HOLD);
    CHECK(s->constraints[5].bend_stiffness == 0.2 && s->constraints[5].twist_stiffness == 0.3);
    CHECK(s->constraints[5].turn_damping == 1e-3);
    drop(s);
}

TEST(each_kind_of_constraint_has_the_name_that_scenes_give_it) {
    for (LitheConstraintKind kind = 0; kind <= LITHE_CONSTRAINT_TENDON; kind++) {
        const LitheConstraintKindInfo *info = lithe_constraint_kind_info(kind);
        char text[1500];
        snprintf(text, sizeof text,
                 HEAD "constraints:\n  one: {kind: %s, a: rope.end, b: hand%s}\n", info->name,
                 info->frames == LITHE_ALIGNS_FRAME ? ", bend-stiffness: 1 N m/rad" : "");
        LitheScene *s = take(text);
        FATAL(s != NULL);
        CHECK(s->constraint_count == 1 && s->constraints[0].kind == kind);
        drop(s);
    }
}

TEST(without_a_word_contact_is_as_the_library_has_it) {
    LitheScene *s = take(HEAD "contact: {passes: auto, margin: auto}\n");
    FATAL(s != NULL);
    LitheContactDef usual = lithe_contact_def_default();
    CHECK(s->contact.enabled && s->contact.law == LITHE_FRICTION_LAGGED);
    CHECK(s->contact.passes == 0 && s->contact.margin == 0 && s->contact.beta == usual.beta);
    CHECK(usual.stick_speed == 1e-8 && usual.sigma == 1e-6 && usual.beta == 0.01);
    CHECK(s->materials[0].torsional_friction == 0 && s->materials[0].rolling_friction == 0);
    drop(s);
}

TEST(what_is_written_reads_back_to_the_last_bit) {
    LitheScene *s = take(every), *again = NULL;
    char *text = NULL, *second = NULL;
    FATAL(s != NULL);
    // numbers that have no short form
    s->constraints[1].a.at.x = 1.0 / 3;
    s->constraints[1].a.rotation = q4_exp(v3(0.1, 0.2, 0.3));
    s->constraints[1].b.place.fraction = 0.1 + 0.2;
    s->contact.sigma = 1.0 / 7;
    s->materials[0].rolling_friction = 1e-3 / 3;
    FATAL(lithe_scene_write(s, &text, &error) == LITHE_OK);
    if (!CHECK(parse(text, &again) == LITHE_OK))
        printf("  %s\n%s\n", error.text, text);
    FATAL(again != NULL);
    FATAL(again->constraint_count == s->constraint_count);
    for (int32_t i = 0; i < s->constraint_count; i++) {
        const LitheConstraintDef *a = &s->constraints[i], *b = &again->constraints[i];
        CHECK(strcmp(a->name, b->name) == 0 && a->kind == b->kind && a->as_built == b->as_built);
        CHECK(memcmp(&a->a.at, &b->a.at, sizeof a->a.at) == 0);
        CHECK(memcmp(&a->a.rotation, &b->a.rotation, sizeof a->a.rotation) == 0);
        CHECK(a->b.place.fraction == b->b.place.fraction && a->b.place.node == b->b.place.node);
        CHECK(a->length == b->length && a->stiffness == b->stiffness && a->active == b->active);
        CHECK(a->gate.count == b->gate.count && a->gate.value == b->gate.value);
    }
    CHECK(again->contact.sigma == 1.0 / 7 && again->contact.passes == 3);
    CHECK(again->materials[0].rolling_friction == 1e-3 / 3);
    FATAL(lithe_scene_write(again, &second, &error) == LITHE_OK);
    CHECK(strcmp(text, second) == 0);
    lithe_text_free(context, text);
    lithe_text_free(context, second);
    lithe_scene_destroy(again);
    drop(s);
}

TEST(what_is_wrong_is_named_with_its_place) {
    REFUSE(TIE("kind: glue, a: rope.end, b: crate"), "a.yaml:9:15: constraints.tie.kind: 'glue'");
    REFUSE(TIE("kind: attach, a: rope.end"), "constraints.tie: b is missing");
    REFUSE(TIE("kind: attach, a: rope.end, b: crat"), "no body named 'crat'; did you mean crate");
    REFUSE(TIE("kind: attach, a: rop.end, b: crate"), "no rod named 'rop'");
    REFUSE(TIE("kind: attach, a: rope, b: crate"),
           "a.yaml:9:26: constraints.tie.a: 'rope' is a rod: name a place on it, like rope.end");
    REFUSE(TIE("kind: attach, a: {at: [0, 0, 0]}, b: crate"), "on is missing");
    REFUSE(TIE("kind: attach, a: [1, 2, 3], b: crate"),
           "a place on a rod, a particle, a node of a solid, the name");
    REFUSE(TIE("kind: distance, a: rope.end, b: crate, length: 0 m"),
           "constraints.tie: length is 0 m, must be > 0 (kind attach keeps two places");
    REFUSE(TIE("kind: rope, a: rope.end, b: crate, length: 0"), "length is 0 m, must be > 0");
    REFUSE(TIE("kind: attach, a: world, b: world"),
           "a.yaml:9:36: constraint 'tie': a is on the world and b on the world, neither of which");
    REFUSE(TIE("kind: attach, a: floor, b: world"), "a is on floor and b on the world");
    REFUSE(TIE("kind: attach, a: crate, b: {on: crate, at: [0, 0, 1]}"), "both on body 'crate'");
    REFUSE(TIE("kind: attach, a: rope.end, b: 'rope[10]'"), "the same place of rod 'rope'");
    REFUSE(TIE("kind: attach, a: rope.end, b: 'rope[11]'"), "b is node 11 of rod 'rope'");
    REFUSE(TIE("kind: attach, a: crate, b: rope.at(1.5)"), "b is at 1.5 of rod 'rope'");
    REFUSE(TIE("kind: attach, a: {on: rope.end, at: [0, 0, 1]}, b: crate"),
           "a.yaml:9:41: constraint 'tie': a.at is (0, 0, 1) m, but a place on a rod takes none");
    REFUSE(TIE("kind: attach, a: {on: crate, rotate: [2, 0, 0, 0]}, b: hand"), "a.rotate is the");
    REFUSE(TIE("kind: rope, a: crate, b: hand, length: -1 m"),
           "a.yaml:9:48: constraint 'tie': length is -1 m, must be >= 0");
    REFUSE(TIE("kind: rope, a: crate, b: hand, length: 1 s"), "is a time, a length is expected");
    REFUSE(TIE("kind: rope, a: crate, b: hand, as-built: false"), "length is missing");
    REFUSE(TIE("kind: attach, a: crate, b: hand, length: 1 m"), "kind attach takes none");
    REFUSE(TIE("kind: attach, a: crate, b: hand, damping: 1"), "needs stiffness > 0");
    REFUSE(TIE("kind: attach, a: crate, b: hand, turn-stiffness: 1"), "kind attach takes none");
    REFUSE(TIE("kind: weld, a: crate, b: hand, turn-damping: 1"), "needs turn-stiffness > 0");
    REFUSE(TIE("kind: weld, a: crate, b: hand, breaks-at: -1"), "breaks-at is -1 N, must be >= 0");
    REFUSE(TIE("kind: hinge-spring, a: crate, b: hand"), "are both 0");
    REFUSE(TIE("kind: hinge-spring, a: crate, b: hand, bend-stiffness: 1, breaks-at: 1"),
           "kind hinge-spring takes none");
    REFUSE(TIE("kind: attach, a: crate, b: hand, switch: {table: [[1, 0], [0, 1]]}"),
           "switch: table[1] is at 0 s, must be after 1 s");
    REFUSE(HEAD "contact: {passes: -1}\n", "a.yaml:8:19: contact: passes is -1");
    REFUSE(HEAD "contact: {passes: many}\n", "contact.passes");
    REFUSE(HEAD "contact: {tolerance: 0}\n", "tolerance is 0, must be > 0");
    REFUSE(HEAD "contact: {max-iterations: 0}\n", "max-iterations is 0");
    REFUSE(HEAD "contact: {stick-speed: 0}\n", "stick-speed is 0 m/s, must be > 0");
    REFUSE(HEAD "contact: {margin: 1 mm, single: true}\n", "single has none");
    REFUSE(HEAD "contact: {model: barrier}\n", "'barrier' is not known here");
    REFUSE("lithe: 1\nmaterials: {m: {young: 1, density: 1, rolling-friction: -1 mm}}\n",
           "rolling-friction is -0.001 m, must be >= 0");
}

TEST(nan_and_wrong_numbers_are_refused_in_every_field) {
    static const size_t numbers[] = {
        offsetof(LitheConstraintDef, length),          offsetof(LitheConstraintDef, stiffness),
        offsetof(LitheConstraintDef, damping),         offsetof(LitheConstraintDef, turn_stiffness),
        offsetof(LitheConstraintDef, turn_damping),    offsetof(LitheConstraintDef, bend_stiffness),
        offsetof(LitheConstraintDef, twist_stiffness), offsetof(LitheConstraintDef, breaks_at),
        offsetof(LitheConstraintDef, a.at.y),          offsetof(LitheConstraintDef, b.rotation.x),
        offsetof(LitheConstraintDef, gate.value),
    };
    const double bad[] = {NAN, INFINITY, -INFINITY};
    LitheScene *s = take(TIE("kind: weld, a: crate, b: hand"));
    FATAL(s != NULL);
    const LitheConstraintDef good = s->constraints[0];
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        for (int k = 0; k < 3; k++) {
            *(double *)((char *)&s->constraints[0] + numbers[i]) = bad[k];
            if (!CHECK(lithe_scene_check(s, &error) == LITHE_BAD_INPUT))
                printf("  number %zu is %g\n", i, bad[k]);
            CHECK_TEXT(error.text, "constraint 'tie'");
            s->constraints[0] = good;
        }
    s->constraints[0].kind = (LitheConstraintKind)17;
    CHECK(lithe_scene_check(s, &error) == LITHE_BAD_INPUT);
    s->constraints[0] = good;
    s->constraints[0].a.body.number = 4;
    CHECK(lithe_scene_check(s, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "a is body number 4 of 3");
    s->constraints[0] = good;
    s->contact.sigma = NAN;
    CHECK(lithe_scene_check(s, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "contact: sigma is nan, must be finite");
    drop(s);
}

TEST(two_constraints_cannot_share_a_name) {
    LitheScene *s = take(TIE("kind: weld, a: crate, b: hand"));
    FATAL(s != NULL);
    LitheConstraintDef def = s->constraints[0];
    CHECK(lithe_scene_add_constraint(s, &def).number == 2);
    CHECK(lithe_scene_check(s, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "the name is already taken by constraint 1");
    drop(s);
}

// --- chains --------------------------------------------------------------------------------------

#define WOOD "lithe: 1\nmaterials: {wood: {young: 1 GPa, poisson: 0.25, density: 700 kg/m^3}}\n"
#define CHAIN(inside) WOOD "chains:\n  c: {" inside "}\n"

// the end of a capsule of a chain: side -1 or 1
static Vec3 end_of(const LitheBodyDef *body, double side) {
    return v3_add(body->at,
                  q4_rotate(body->rotation, v3(0, 0, 0.5 * side * body->geoms[0].length)));
}

TEST(a_chain_is_a_rope_in_pieces) {
    LitheScene *s = take(CHAIN("material: wood, radius: 4 mm, shape: {helix: {radius: 0.3 m, "
                               "pitch: 0.1 m, turns: 1}}, capsules: 30, velocity: [1, 2, 3], "
                               "damping: 0.5, start: pinned, end: fixed, group: 3, mask: [1, 2]"));
    FATAL(s != NULL && s->body_count == 30 && s->constraint_count == 2 * 29 + 2);
    double mass = 0, length = 0, r = 4e-3;
    for (int32_t i = 0; i < 30; i++) {
        const LitheBodyDef *b = &s->bodies[i];
        CHECK(b->geom_count == 1 && b->geoms[0].kind == LITHE_GEOM_CAPSULE);
        CHECK(b->geoms[0].radius == r && b->geoms[0].group == 4 && b->geoms[0].mask == 3);
        CHECK(near3(b->velocity, 1, 2, 3));
        if (i > 0) {
            Vec3 gap = v3_sub(end_of(b, -1), end_of(&s->bodies[i - 1], 1));
            CHECK(v3_norm(gap) < 1e-14);
            // no twist: the rotation from one to the next has no component along either axis
            Quat turn = q4_mul(q4_conj(s->bodies[i - 1].rotation), b->rotation);
            CHECK_NEAR(q4_log(turn).z, 0, 1e-14);
        }
        mass += b->mass;
        length += b->geoms[0].length;
    }
    CHECK(strcmp(s->bodies[29].name, "c/29") == 0);
    CHECK_NEAR(mass, 700 * M_PI * r * r * length, 1e-12);
    double l = s->bodies[3].geoms[0].length, second = M_PI * r * r * r * r / 4;
    const LitheConstraintDef *joint = &s->constraints[6], *spring = &s->constraints[7];
    CHECK(strcmp(joint->name, "c/joint-4") == 0 && strcmp(spring->name, "c/spring-4") == 0);
    CHECK(joint->kind == LITHE_CONSTRAINT_ATTACH && spring->a.body.number == 4);
    CHECK(spring->kind == LITHE_CONSTRAINT_HINGE_SPRING && !spring->as_built);
    CHECK_NEAR(spring->bend_stiffness, 1e9 * second / l, 1e-6 * spring->bend_stiffness);
    CHECK_NEAR(spring->twist_stiffness, 4e8 * 2 * second / l, 1e-6 * spring->twist_stiffness);
    CHECK(spring->turn_damping == 0.5);
    CHECK(s->constraints[58].kind == LITHE_CONSTRAINT_ATTACH);
    CHECK(strcmp(s->constraints[58].name, "c/start") == 0);
    CHECK(near3(s->constraints[58].a.at, 0.3, 0, 0));
    CHECK(s->constraints[59].kind == LITHE_CONSTRAINT_WELD);
    CHECK(s->ignored_pair_count == 29 && strcmp(s->ignored_pairs[0].b, "c/1") == 0);
    drop(s);
}

TEST(a_closed_chain_meets_itself_without_stress) {
    // not planar: transported frames return rotated
    LitheScene *s = take(CHAIN("material: wood, radius: 4 mm, natural: shape, shape: {spline: "
                               "{points: [[0, 0, 0], [1, 0, 0.5], [1, 1, 1], [0, 1, 0.2]], closed: "
                               "true}}, capsules: 17"));
    FATAL(s != NULL && s->body_count == 17 && s->constraint_count == 34);
    CHECK(v3_norm(v3_sub(end_of(&s->bodies[0], -1), end_of(&s->bodies[16], 1))) < 1e-14);
    const LitheConstraintDef *seam = &s->constraints[33];
    CHECK(seam->a.body.number == 17 && seam->b.body.number == 1 && seam->as_built);
    Quat a = q4_mul(s->bodies[16].rotation, seam->a.rotation);
    Quat b = q4_mul(s->bodies[0].rotation, seam->b.rotation);
    CHECK_NEAR(q4_log(q4_mul(q4_conj(a), b)).z, 0, 1e-14);
    // without that rotation there would be twist at the seam
    CHECK(fabs(q4_log(q4_mul(q4_conj(a), s->bodies[0].rotation)).z) > 0.01);
    CHECK(s->ignored_pair_count == 17);
    drop(s);
}

TEST(capsules_shorter_than_thick_overlap_more_than_their_neighbours) {
    LitheScene *s = take(CHAIN("material: wood, radius: 6 mm, shape: {line: {to: [0.1 m, 0, 0]}}, "
                               "capsules: 10"));
    FATAL(s != NULL);
    // ends a centimetre apart overlap, those two centimetres apart do not
    CHECK(s->ignored_pair_count == 9 + 8);
    drop(s);
}

TEST(a_chain_written_out_is_its_bodies_and_constraints) {
    LitheScene *s = take(CHAIN("material: wood, radius: 4 mm, shape: {arc: {radius: 1 m, angle: 1 "
                               "rad}}, capsules: 7, start: fixed")),
               *again = NULL;
    char *text = NULL, *second = NULL;
    FATAL(s != NULL && lithe_scene_write(s, &text, &error) == LITHE_OK);
    if (!CHECK(parse(text, &again) == LITHE_OK))
        printf("  %s\n", error.text);
    FATAL(again != NULL && lithe_scene_write(again, &second, &error) == LITHE_OK);
    CHECK(strcmp(text, second) == 0);
    CHECK(again->body_count == 7 && again->constraint_count == 13);
    CHECK(memcmp(again->bodies[5].inertia, s->bodies[5].inertia, sizeof s->bodies[5].inertia) == 0);
    lithe_text_free(context, text);
    lithe_text_free(context, second);
    lithe_scene_destroy(again);
    drop(s);
}

LONG_TEST(what_is_wrong_with_a_chain_is_named_with_its_place) {
    REFUSE(CHAIN("material: wood, radius: -1 mm, shape: {line: {to: [1, 0, 0]}}, capsules: 3"),
           "a.yaml:4:31: chain 'c': radius is -0.001 m, must be > 0");
    REFUSE(CHAIN("material: wood, radius: 1 mm, shape: {line: {to: [1, 0, 0]}}, capsules: 0"),
           "chain 'c': capsules is 0, must be from 1 to");
    REFUSE(CHAIN("material: wood, radius: 1 mm, shape: {line: {to: [0, 0, 0]}}, capsules: 4"),
           "chain 'c': line: from and to are the same point");
    REFUSE(CHAIN("material: wood, radius: 1 mm, shape: {ring: {radius: 1}}, capsules: 9, start: "
                 "fixed"),
           "chain 'c': start is held, but a closed chain has no ends");
    REFUSE(CHAIN("material: wood, radius: 1 mm, capsules: 9"), "shape is missing");
    REFUSE(CHAIN("material: gold, radius: 1 mm, shape: {ring: {radius: 1}}, capsules: 9"),
           "no material named 'gold'");
    REFUSE(CHAIN("material: wood, radius: 1 cm, shape: {overhand-knot: {unknotting: 5, length: 10 "
                 "cm}}, capsules: 90"),
           "a.yaml:4:37: chain 'c': ");
}

TEST(damping_that_a_chain_cannot_have_is_noted) {
    LitheScene *s = take("lithe: 1\nmaterials: {w: {young: 1, density: 1, damping: {mass: 1}}}\n"
                         "chains: {c: {material: w, radius: 1 mm, shape: {line: {to: [1, 0, 0]}}, "
                         "capsules: 2}}\n");
    FATAL(s != NULL && lithe_scene_note_count(s) == 1);
    CHECK_TEXT(lithe_scene_note(s, 0), "chain 'c': the damping of material 'w'");
    drop(s);
}

TEST(a_chain_that_fails_leaves_the_scene_as_it_was) {
    LitheScene *s = take(HEAD);
    FATAL(s != NULL);
    LitheChainDef def = lithe_chain_def_default();
    def.name = "c";
    def.material = (LitheMaterialId){1};
    def.capsules = 4;
    def.shape.to = def.shape.from;
    CHECK(lithe_scene_add_chain(s, &def, &error) == LITHE_BAD_INPUT && s->body_count == 3);
    CHECK_TEXT(error.text, "chain 'c': line: from and to");
    def.shape.to.x = 1;
    int n = 1;
    for (; n < 500; n++) {
        lithe_context_fail_at(context, n);
        LitheStatus status = lithe_scene_add_chain(s, &def, &error);
        lithe_context_fail_at(context, 0);
        if (status == LITHE_OK)
            break;
        CHECK(status == LITHE_NO_MEMORY && s->body_count == 3 && s->constraint_count == 0);
        CHECK(s->ignored_pair_count == 0);
    }
    CHECK(n > 20 && s->body_count == 7 && s->constraint_count == 6 && s->ignored_pair_count == 3);
    CHECK(lithe_scene_check(s, &error) == LITHE_OK);
    drop(s);
}

// --- memory --------------------------------------------------------------------------------------

TEST(every_failed_allocation_leaves_nothing_behind) {
    static const char text[] = HEAD "\
chains: {c: {material: wood, radius: 1 mm, shape: {ring: {radius: 1}}, capsules: 3}}\n\
constraints:\n\
  tie: {kind: weld, a: crate, b: rope.end, switch: {table: [[0, 0], [1, 1]]}}\n";
    context = lithe_context_create(NULL);
    int n = 1;
    for (bool failed = true; failed && n < 5000; n++) {
        LitheScene *scene = NULL;
        LitheModel *model = NULL;
        LitheState *state = NULL;
        char *written = NULL;
        lithe_context_fail_at(context, n);
        LitheStatus status = parse(text, &scene);
        if (status == LITHE_OK)
            status = lithe_scene_write(scene, &written, &error);
        if (status == LITHE_OK)
            status = lithe_compile(scene, &model, &state, &error);
        lithe_context_fail_at(context, 0);
        failed = status != LITHE_OK;
        if (failed && !CHECK(status == LITHE_NO_MEMORY))
            printf("  allocation %d: %s\n", n, error.text);
        lithe_text_free(context, written);
        lithe_model_destroy(model);
        lithe_state_destroy(state);
        lithe_scene_destroy(scene);
        CHECK(lithe_context_bytes(context) == 0);
    }
    CHECK(n > 100 && n < 5000);
    lithe_context_destroy(context);
}

// --- models of contact ---------------------------------------------------------------------------

#define ROPE \
    "lithe: 1\n" \
    "materials: {wood: {young: 1 GPa, poisson: 0.25, density: 700 kg/m^3}}\n" \
    "rods: {rope: {material: wood, section: {circle: {radius: 1 mm}}, shape: {line: {to: [1, 0, " \
    "0]}}, nodes: 11}}\n"

TEST(a_model_that_cannot_serve_something_names_it_and_the_model_that_can) {
    REFUSE(HEAD "contact: {model: imc}\n",
           "a.yaml:8:18: contact: model is imc, which supports rods "
           "only, not body 'crate'; convex supports it");
    REFUSE(HEAD "contact: {model: spt}\n", "rods only, not body 'crate'; convex supports it");
    REFUSE(ROPE "contact: {model: imc}\ntime: {scheme: midpoint}\n",
           "needs time.scheme backward-euler, not midpoint; convex supports it");
    REFUSE(ROPE "contact: {model: imc}\n"
                "constraints: {tie: {kind: attach, a: rope.start, b: world}}\n",
           "does not support constraints ('tie'); convex does");
    REFUSE("lithe: 1\n"
           "materials: {wood: {young: 1 GPa, density: 700 kg/m^3}}\n"
           "rods: {tape: {material: wood, section: {rectangle: {width: 1 mm, height: "
           "2 mm}}, shape: {line: {to: [1, 0, 0]}}}}\n"
           "contact: {model: imc}\n",
           "supports round sections only, not rod 'tape'; convex does");
}

#define BALL "lithe: 1\nbodies: {ball: {mass: 1 kg, inertia: [1, 1, 1, 0, 0, 0]}}\n"

TEST(the_name_of_each_contact_model_selects_it_in_a_scene) {
    for (int model = 0; model < LITHE_CONTACT_MODEL_COUNT; model++) {
        const LitheContactModelInfo *info = lithe_contact_model_info((LitheContactModel)model);
        char text[1000];
        bool rods = info->things & 1u << LITHE_THING_ROD;
        snprintf(text, sizeof text, "%scontact: {model: %s}\n", rods ? ROPE : BALL, info->name);
        LitheScene *scene = take(text);
        if (CHECK(scene))
            CHECK((int)scene->contact.model == model);
        drop(scene);
        CHECK(rods || info->things & 1u << LITHE_THING_BODY);
    }
}

TEST(numbers_of_imc_have_limits) {
    REFUSE(ROPE "contact: {imc: {sharpness: 0}}\n", "imc.sharpness is 0, must be > 0");
    REFUSE(ROPE "contact: {imc: {reach: -1}}\n", "imc.reach is -1, must be > 0");
    REFUSE(ROPE "contact: {imc: {plain: -1}}\n", "imc.plain is -1, must be >= 0");
    REFUSE(ROPE "contact: {imc: {friction: sticky}}\n", "sticky");
}

TEST(numbers_of_lcp_are_read_and_written) {
    LitheScene *scene =
        take(BALL "contact: {model: lcp, lcp: {solver: lemke, directions: 8, rank: false, "
                  "push-speed: 0.5 m/s}}\n");
    if (CHECK(scene)) {
        CHECK(scene->contact.lcp.solver == LITHE_LCP_BY_LEMKE && !scene->contact.lcp.rank);
        CHECK_NEAR(scene->contact.lcp.push_speed, 0.5, 1e-15);
        char *text;
        if (CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK)) {
            CHECK_TEXT(text, "directions: 8");
            CHECK_TEXT(text, "solver: lemke");
            lithe_text_free(context, text);
        }
    }
    drop(scene);
}

TEST(numbers_of_imc_are_read_and_written) {
    LitheScene *scene = take(ROPE "contact: {model: imc, imc: {friction: paper, force: 2 mN, "
                                  "stick-speed: 1 mm/s, plain: 20}}\n");
    if (CHECK(scene)) {
        CHECK(scene->contact.model == LITHE_CONTACT_IMC);
        CHECK(scene->contact.imc.friction == LITHE_IMC_PAPER && scene->contact.imc.plain == 20);
        CHECK_NEAR(scene->contact.imc.force, 2e-3, 1e-15);
        CHECK_NEAR(scene->contact.imc.stick_speed, 1e-3, 1e-15);
        char *text;
        if (CHECK(lithe_scene_write(scene, &text, &error) == LITHE_OK)) {
            CHECK_TEXT(text, "friction: paper");
            CHECK_TEXT(text, "plain: 20");
            lithe_text_free(context, text);
        }
    }
    drop(scene);
}
