// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_particles.c - sets of particles: keys, positions, limits, places, writing

#include "loading.h"

#include "lithe/lithe.h"

#define GRAINS \
    "particles:\n  grains: {material: nylon, radius: 1 cm, positions: [[0, 0, 0], [1, 0, 0], [2, " \
    "0, 0]]}\n"
// the second and the third set overlap the first
#define SETS \
    "particles:\n" \
    "  first: {material: nylon, radius: 1 cm, positions: [[0, 0, 0]]}\n" \
    "  second: {material: nylon, radius: 1 cm, positions: [[1.5 cm, 0, 0]]}\n" \
    "  third: {material: nylon, radius: 1 cm, positions: [[-1.5 cm, 0, 0]]}\n"
#define FILL "particles:\n  p: {material: nylon, radius: 1 cm, fill: "
#define BOX "box: {from: [0, 0, 0], to: [10 cm, 10 cm, 10 cm]}"

// A written scene must read as the same scene, and be written as the same text.
static void check_written(LitheScene *scene, const char *part) {
    char *text = NULL, *again = NULL;
    LitheScene *copy = NULL;
    FATAL(lithe_scene_write(scene, &text, &error) == LITHE_OK);
    if (part && !CHECK(strstr(text, part) != NULL))
        printf("%s", text);
    FATAL(parse(text, strlen(text), NULL, &copy) == LITHE_OK);
    FATAL(lithe_scene_write(copy, &again, &error) == LITHE_OK);
    CHECK_TEXT(again, text);
    for (int32_t i = 0; i < scene->particle_set_count; i++) {
        const LitheParticlesDef *a = &scene->particles[i], *b = &copy->particles[i];
        CHECK(a->count == b->count && a->radius == b->radius && a->mass == b->mass);
        CHECK(memcmp(a->positions, b->positions, (size_t)a->count * sizeof *a->positions) == 0);
    }
    lithe_scene_destroy(copy);
    lithe_text_free(context, text);
    lithe_text_free(context, again);
}

TEST(every_key_arrives) {
    LitheScene *s = take(HEAD "particles:\n"
                              "  one: {mass: 3 g, radius: 1 cm, at: [1 m, 2 m, 3 m]}\n"
                              "  few:\n"
                              "    material: nylon\n"
                              "    radii: [1 cm, 2 cm]\n"
                              "    masses: [1 g, 2 g]\n"
                              "    positions: [[0, 0, 0], [1, 0, 0]]\n"
                              "    velocity: [0, 0, -2 m/s]\n"
                              "    group: 2\n"
                              "    mask: [1, 3]\n"
                              "    self-contact: false\n",
                         NULL);
    FATAL(s != NULL && s->particle_set_count == 2);
    const LitheParticlesDef *one = &s->particles[0], *few = &s->particles[1];
    CHECK(one->count == 1 && one->positions[0].y == 2 && one->mass == 0.003 && one->radius == 0.01);
    CHECK(one->material.number == 0 && one->self_contact && one->mask == UINT32_MAX);
    CHECK(few->count == 2 && few->radii[1] == 0.02 && few->masses[0] == 0.001 && few->radius == 0);
    CHECK(few->material.number == 1 && few->velocity.z == -2 && few->group == 2 && few->mask == 5);
    CHECK(!few->self_contact);
    check_written(s, "    radii: [0.01, 0.02]\n");
    drop(s);
}

TEST(a_fill_becomes_positions_that_do_not_overlap) {
    LitheScene *s = take(HEAD FILL "{" BOX ", jitter: 1, seed: 3, spacing: 2.2 cm}}\n", NULL);
    FATAL(s != NULL);
    const LitheParticlesDef *p = &s->particles[0];
    CHECK(p->count > 50 && p->count < 160);
    for (int32_t i = 0; i < p->count; i++)
        for (int32_t k = 0; k < i; k++) {
            LitheVec3 a = p->positions[i], b = p->positions[k];
            CHECK(hypot(hypot(a.x - b.x, a.y - b.y), a.z - b.z) >= 0.02);
        }
    check_written(s, "    positions:\n");
    drop(s);
    s = take(HEAD FILL "{" BOX ", count: 7}}\n", NULL);
    FATAL(s != NULL);
    CHECK(s->particles[0].count == 7 && s->particles[0].positions[0].z == 0.01);
    // neighbours of the first row are 2.02 radii apart
    CHECK(fabs(s->particles[0].positions[1].x - 0.0302) < 1e-12);
    drop(s);
    s = take(HEAD FILL "{cylinder: {from: [0, 0, 0], to: [0, 0, 10 cm], radius: 1 cm}}}\n", NULL);
    FATAL(s != NULL);
    CHECK(s->particles[0].count == 3 && s->particles[0].positions[2].x == 0);
    drop(s);
}

TEST(copies_of_particles_differ_by_their_counters) {
    LitheScene *s = take(HEAD "particles:\n  bead: {repeat: {i: 3}, material: nylon, radius: 1 cm, "
                              "at: [10 cm*i, 0, 0]}\n"
                              "holds:\n  h: {repeat: {i: 3}, on: \"bead/{i}[0]\"}\n",
                         NULL);
    FATAL(s != NULL && s->particle_set_count == 3);
    CHECK_TEXT(s->particles[2].name, "bead/2");
    CHECK(s->particles[2].positions[0].x == 0.2 && s->holds[2].place.thing.number == 3);
    drop(s);
}

TEST(points_come_from_a_file) {
    context = lithe_context_create(NULL);
    LitheScene *s = NULL;
    const char *text = HEAD "particles:\n  p: {material: nylon, radius: 1 cm, file: points.txt}\n";
    LitheStatus status =
        lithe_scene_parse(context, text, strlen(text), "a.yaml", SCENES, NULL, 0, &s, &error);
    if (!CHECK(status == LITHE_OK))
        printf("  %s\n", error.text);
    CHECK(s && s->particles[0].count >= 2);
    drop(s);
    REFUSE(HEAD "particles: {p: {material: nylon, radius: 1 cm, file: x.txt}}\n",
           "particles.p.file: a scene given as text without a folder cannot refer to files");
}

TEST(wrong_particles_are_refused) {
    REFUSE(HEAD "particles: {p: {material: nylon, radius: 1 cm}}\n",
           "a.yaml:3:13: particles.p: one of at, positions, file and fill is expected");
    REFUSE(HEAD "particles: {p: {radius: 1 cm, at: [0, 0, 0], positions: [[1, 0, 0]]}}\n",
           "particles.p: at and positions are both given, one is expected");
    REFUSE(HEAD "particles: {p: {radius: 1 cm, radii: [1 cm], mass: 1 g, at: [0, 0, 0]}}\n",
           "radius and radii are both given, one is expected");
    REFUSE(HEAD "particles: {p: {material: nylon, at: [0, 0, 0]}}\n",
           "particles.p: radius is missing");
    REFUSE(HEAD "particles: {p: {material: nylon, radius: 0, at: [0, 0, 0]}}\n",
           "particles 'p': radius is 0 m, must be > 0");
    REFUSE(HEAD "particles: {p: {radius: 1 cm, at: [0, 0, 0]}}\n",
           "particles 'p': has neither a material nor a mass, must have one of them");
    REFUSE(HEAD "particles: {p: {radius: 1 cm, mass: 0, at: [0, 0, 0]}}\n",
           "particles.p: mass is 0 kg, must be > 0");
    REFUSE(HEAD "particles: {p: {radii: [1 cm, -1 cm], mass: 1 g, positions: [[0, 0, 0], [1, 0, "
                "0]]}}\n",
           "particles 'p': radii[1] is -0.01 m, must be > 0");
    REFUSE(HEAD "particles: {p: {radius: 1 cm, masses: [1 g], positions: [[0, 0, 0], [1, 0, "
                "0]]}}\n",
           "particles.p: masses has 1 values, but there are 2 particles");
    REFUSE(HEAD "particles: {p: {radius: 1 cm, mass: 1 g, positions: []}}\n",
           "particles 'p': the number of positions is 0, must be at least 1");
    REFUSE(HEAD ROPE "particles: {rope: {radius: 1 cm, mass: 1 g, at: [0, 0, 0]}}\n",
           "particles 'rope': the name is already taken by rod 1");
    REFUSE(HEAD "particles: {world: {radius: 1 cm, mass: 1 g, at: [0, 0, 0]}}\n",
           "particles 'world': the name is reserved for the world");
    REFUSE(HEAD "contact: {model: imc}\n" GRAINS,
           "model is imc, which supports rods only, not particles 'grains'; convex supports it");
}

TEST(wrong_fills_are_refused_before_anything_is_allocated) {
    REFUSE(HEAD FILL "{spacing: 3 cm}}\n",
           "particles.p.fill: has neither box nor cylinder, one is expected");
    REFUSE(HEAD FILL "{" BOX ", cylinder: {from: [0, 0, 0], to: [1, 0, 0], radius: 1}}}\n",
           "particles.p.fill: has box and cylinder, one is expected");
    REFUSE(HEAD FILL "{box: {from: [1, 0, 0], to: [0, 1, 1]}}}\n",
           "box: from is 1 m along x, must be <= to, 0 m");
    REFUSE(HEAD FILL "{" BOX ", spacing: 1 cm}}\n",
           "spacing is 0.01 m, must be >= 2 radius, 0.02 m");
    REFUSE(HEAD FILL "{" BOX ", jitter: 2}}\n", "jitter is 2, must be from 0 to 1");
    REFUSE(HEAD FILL "{" BOX ", count: 0}}\n", "count is 0, must be >= 1");
    REFUSE(HEAD FILL "{" BOX ", count: 1e12}}\n",
           "particles.p.fill.count: '1e12' is too large, the max is 2147483647");
    REFUSE(
        HEAD FILL "{box: {from: [0, 0, 0], to: [1, 1, 1 cm]}}}\n",
        "particles.p.fill: no particle fits: the region has no room for a ball of radius 0.01 m");
    REFUSE(
        HEAD FILL "{box: {from: [0, 0, 0], to: [1 km, 1 km, 1 km]}}}\n",
        "particles.p.fill: makes more than 10000000 particles in the scene, the max is 10000000");
    REFUSE(HEAD "particles: {p: {mass: 1 g, radii: [1 cm], fill: {" BOX "}}}\n",
           "particles.p.fill: needs one radius for all, but radii are given");
}

TEST(calls_are_checked_like_files) {
    context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheVec3 at[2] = {{0, 0, 0}, {1, 0, 0}};
    double masses[2] = {1, 2};
    LitheParticlesDef def = lithe_particles_def_default();
    def.name = "grains";
    def.positions = at;
    def.count = 2;
    def.masses = masses;
    FATAL(lithe_scene_add_particles(scene, &def).number == 1);
    CHECK(lithe_scene_check(scene, &error) == LITHE_OK);
    check_written(scene, "    masses: [1, 2]\n");
    scene->particles[0].count = LITHE_MOST_PARTICLES + 1;
    CHECK(lithe_scene_check(scene, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "particles 'grains': has 10000001 particles, the max is 10000000");
    scene->particles[0].count = 2;
    def.name = "more";
    // nothing is read of a set that is too large
    def.count = INT32_MAX;
    CHECK(lithe_scene_add_particles(scene, &def).number == 2);
    CHECK(lithe_scene_check(scene, &error) == LITHE_BAD_INPUT);
    def.count = 2;
    scene->particles[1].count = LITHE_MOST_PARTICLES - 1;
    at[1].x = NAN;
    def.name = "bad";
    lithe_scene_destroy(scene);
    scene = lithe_scene_create(context);
    CHECK(lithe_scene_add_particles(scene, &def).number == 1);
    CHECK(lithe_scene_check(scene, &error) == LITHE_BAD_INPUT);
    CHECK(strstr(error.text, "particles 'bad': positions[1] is (nan, 0, 0)") != NULL);
    drop(scene);
}

TEST(places_are_particles_by_number) {
    LitheScene *s = take(HEAD GRAINS "holds:\n"
                                     "  a: {on: \"grains[1]\"}\n"
                                     "  b: {on: \"grains[-1]\", hold: [x, z]}\n"
                                     "forces:\n"
                                     "  f: {on: \"grains[0]\", force: [0, 0, 1 N]}\n"
                                     "constraints:\n"
                                     "  c: {kind: rope, a: \"grains[0]\", b: world}\n",
                         NULL);
    FATAL(s != NULL);
    const LithePlace *p = &s->holds[0].place;
    CHECK(p->thing.kind == LITHE_THING_PARTICLES && p->thing.number == 1 && p->node == 1);
    CHECK(s->holds[1].place.node == -1 && s->holds[1].bits == (LITHE_HOLD_X | LITHE_HOLD_Z));
    const LitheAnchor *a = &s->constraints[0].a;
    CHECK(a->kind == LITHE_ANCHOR_PARTICLES && a->place.thing.kind == LITHE_THING_PARTICLES);
    LitheAnchor same = lithe_anchor_particle((LitheParticlesId){1}, 0);
    CHECK(same.kind == a->kind && same.place.thing.number == 1 && same.place.node == 0);
    check_written(s, "on: grains[-1]\n");
    drop(s);
}

TEST(places_that_particles_do_not_have_are_refused) {
    REFUSE(HEAD GRAINS "holds: {a: {on: grains.start}}\n",
           "holds.a.on: 'grains.start' is no place: grains is a set of particles, whose places are "
           "grains[3], and grains[-1] from the end");
    REFUSE(HEAD GRAINS "holds: {a: {on: grains.at(0.5)}}\n", "is a set of particles");
    REFUSE(HEAD GRAINS "holds: {a: {on: \"grains[3]\"}}\n",
           "hold 'a': on is particle 3 of 'grains', must be from -3 to 2");
    REFUSE(HEAD GRAINS "holds: {a: {on: \"grians[0]\"}}\n",
           "no rod or set of particles named 'grians'; did you mean grains?");
    REFUSE(HEAD GRAINS "holds: {a: {on: \"grains[0]\", hold: clamp}}\n",
           "hold 'a': hold: 'grains' is a set of particles, whose points have x, y, z and "
           "position, but no "
           "twist and no clamp");
    REFUSE(
        HEAD GRAINS "forces: {f: {on: \"grains[0]\", moment: [0, 0, 1 N m]}}\n",
        "force 'f': moment is given, but 'grains' is a set of particles, whose points take forces "
        "alone");
    REFUSE(HEAD GRAINS "drives: {x: {on: \"grains[0]\"}}\n",
           "drive 'x': on: 'grains' is a set of particles; drives act on rods: attach it to a "
           "driven body");
    REFUSE(HEAD GRAINS "holds: {a: {on: \"grains[0]\"}, b: {on: \"grains[-3]\", hold: x}}\n",
           "hold 'b': position of particle 0 of 'grains' is already prescribed by hold 'a'");
    REFUSE(HEAD GRAINS "constraints: {c: {kind: weld, a: \"grains[0]\", b: world}}\n",
           "constraint 'c': kind is weld, but a is a particle, which has no frame");
    REFUSE(HEAD GRAINS "constraints: {c: {kind: attach, a: \"grains[0]\", b: \"grains[-3]\"}}\n",
           "constraint 'c': a and b are the same particle of 'grains'");
    REFUSE(HEAD GRAINS "constraints: {c: {kind: attach, a: grains, b: world}}\n",
           "'grains' is a set of particles: name one of them, like grains[0]");
    REFUSE(HEAD GRAINS "constraints: {c: {kind: attach, a: {on: \"grains[0]\", at: [1, 0, 0]}, b: "
                       "world}}\n",
           "but a particle takes none");
    // the message about names of rods is unchanged
    REFUSE(HEAD ROPE "holds: {a: {on: rpe.start}}\n", "no rod named 'rpe'; did you mean rope?");
}

TEST(pairs_with_any_set_of_particles_can_be_ignored) {
    for (int ignored = 0; ignored < 2; ignored++) {
        LitheScene *s = take(ignored ? HEAD SETS "ignore: [[first, second]]\n" : HEAD SETS, NULL);
        FATAL(s != NULL);
        LitheModel *model = NULL;
        LitheState *state = NULL;
        LitheContacts *contacts = lithe_contacts_create(context);
        if (CHECK(contacts && lithe_compile(s, &model, &state, &error) == LITHE_OK)) {
            CHECK(lithe_find_contacts(model, state, 0, contacts, &error) == LITHE_OK);
            CHECK(lithe_contact_count(contacts) == (ignored ? 1 : 2));
        }
        lithe_contacts_destroy(contacts);
        lithe_state_destroy(state);
        lithe_model_destroy(model);
        drop(s);
    }
}

TEST(models_of_rods_refuse_particles_by_name) {
    REFUSE(HEAD GRAINS "contact: {model: imc}\n",
           "model is imc, which supports rods only, not particles 'grains'; convex supports it");
}

TEST(an_equilibrium_of_particles_that_nothing_holds_is_an_error_and_leaves_the_state) {
    LitheScene *s = take(HEAD ROPE GRAINS, NULL);
    FATAL(s != NULL);
    LitheModel *model = NULL;
    LitheState *state = NULL;
    CHECK(lithe_compile(s, &model, &state, &error) == LITHE_OK);
    LitheWork *work = model ? lithe_work_create(model, 1) : NULL;
    if (CHECK(work)) {
        uint64_t before = lithe_state_hash(state);
        CHECK(lithe_equilibrium(model, state, work, NULL, &error) == LITHE_CANNOT_GO_ON);
        CHECK(strstr(error.text, "nothing holds"));
        CHECK(lithe_state_hash(state) == before);
    }
    lithe_work_destroy(work);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    drop(s);
}

TEST(particles_are_things_that_ignore_and_record_know) {
    LitheScene *s = take(HEAD ROPE GRAINS "ignore: [[grains, rope]]\n"
                                          "record: {also: [grains.velocity]}\n",
                         NULL);
    FATAL(s != NULL);
    CHECK(s->ignored_pair_count == 1 && s->record.also_count == 1);
    drop(s);
}
