// SPDX-License-Identifier: Apache-2.0
// tests/scene/test_set.c - sets of vertices and edges: keys, limits, places, writing

#include "loading.h"

#include "lithe/lithe.h"

#define GRAINS \
    "particles:\n  grains: {material: nylon, radius: 1 cm, positions: [[0, 0, 0], [1, 0, 0], [2, " \
    "0, 0]]}\n"
#define ON_GRAINS HEAD GRAINS "sets: {left: {of: grains, "
#define ON_ROPE HEAD ROPE "sets: {left: {of: rope, "

TEST(sets_of_all_regions_arrive_and_are_written_the_same) {
    LitheScene *s =
        take(HEAD ROPE GRAINS
             "sets:\n"
             "  a: {of: grains, list: [0, 2, -2]}\n"
             "  b: {of: grains, box: {from: [0, 0, 0], to: [1, 2, 3]}}\n"
             "  c: {of: rope, what: edges, sphere: {centre: [1, 0, 0], radius: 20 cm}}\n"
             "  d: {of: rope, plane: {point: [0, 0, 1], normal: [0, 1, 1], thickness: 1 cm}}\n"
             "  e: {of: rope, cylinder: {from: [0, 0, 0], to: [1, 0, 0], radius: 1 cm}}\n"
             "  f: {repeat: {i: 2}, of: rope, list: [i]}\n"
             "holds:\n"
             "  still: {on: b, hold: [x, y]}\n"
             "  stiff: {on: c, hold: clamp}\n"
             "forces:\n"
             "  wind: {on: d, force: [1 N, 0, 0]}\n"
             "  turn: {on: c, moment: [1 N m, 0, 0]}\n",
             NULL);
    FATAL(s != NULL && s->set_count == 7);
    const LitheSetDef *a = &s->sets[0], *c = &s->sets[2], *d = &s->sets[3];
    CHECK(a->of.kind == LITHE_THING_PARTICLES && a->of.number == 1 && a->count == 3);
    CHECK(a->list[1] == 2 && a->list[2] == -2 && a->region.kind == LITHE_REGION_LIST);
    CHECK(s->sets[1].region.kind == LITHE_REGION_BOX && s->sets[1].region.b.z == 3);
    CHECK(c->of.kind == LITHE_THING_ROD && c->what == LITHE_SET_EDGES);
    CHECK(c->region.kind == LITHE_REGION_SPHERE && c->region.a.x == 1 && c->region.size == 0.2);
    CHECK(d->region.kind == LITHE_REGION_PLANE && d->region.b.y == 1 && d->region.size == 0.01);
    CHECK(s->sets[4].region.kind == LITHE_REGION_CYLINDER && s->sets[4].region.b.x == 1);
    CHECK(s->sets[6].list[0] == 1);
    CHECK(s->holds[0].place.kind == LITHE_PLACE_SET && s->holds[0].place.set.number == 2);
    CHECK(s->forces[0].place.kind == LITHE_PLACE_SET && s->forces[0].place.set.number == 4);

    char *text = NULL, *again = NULL;
    LitheScene *copy = NULL;
    FATAL(lithe_scene_write(s, &text, &error) == LITHE_OK);
    CHECK(strstr(text, "  a:\n    of: grains\n    list: [0, 2, -2]\n") != NULL);
    CHECK(strstr(text, "    what: edges\n    sphere:\n      centre: [1, 0, 0]\n") != NULL);
    CHECK(strstr(text, "    on: b\n") != NULL);
    FATAL(parse(text, strlen(text), NULL, &copy) == LITHE_OK);
    FATAL(lithe_scene_write(copy, &again, &error) == LITHE_OK);
    CHECK_TEXT(again, text);
    for (int32_t i = 0; i < s->set_count; i++)
        CHECK(memcmp(&s->sets[i].region, &copy->sets[i].region, sizeof copy->sets[i].region) == 0);
    lithe_text_free(context, text);
    lithe_text_free(context, again);
    lithe_scene_destroy(copy);
    drop(s);
}

TEST(wrong_sets_are_refused) {
    REFUSE(ON_GRAINS "}}\n", "sets.left: one of list, box, sphere, plane and cylinder is expected");
    REFUSE(ON_GRAINS "list: [0], sphere: {centre: [0, 0, 0], radius: 1}}}\n",
           "sets.left: list and sphere are both given, one is expected");
    REFUSE(ON_GRAINS "list: []}}\n", "set 'left': list has 0 members, must have at least 1");
    REFUSE(ON_GRAINS "list: [0, 3]}}\n",
           "set 'left': list[1] is 3, must be from -3 to 2 for 'grains'");
    REFUSE(ON_GRAINS "list: [0.5]}}\n", "'0.5' is 0.5, a whole number is expected");
    REFUSE(ON_GRAINS "what: faces, list: [0]}}\n",
           "set 'left': what is faces, but particles 'grains' has none");
    REFUSE(ON_GRAINS "what: edges, list: [0]}}\n",
           "set 'left': what is edges, but particles 'grains' has none");
    REFUSE(ON_ROPE "what: faces, list: [0]}}\n",
           "set 'left': what is faces, but rod 'rope' has none");
    // 11 nodes, 10 edges
    REFUSE(ON_ROPE "what: edges, list: [10]}}\n",
           "set 'left': list[0] is 10, must be from -10 to 9 for 'rope'");
    REFUSE(ON_ROPE "sphere: {centre: [0, 0, 0], radius: 0}}}\n",
           "a.yaml:5:25: set 'left': sphere: radius is 0 m, must be > 0 and finite");
    REFUSE(ON_ROPE "plane: {point: [0, 0, 0], normal: [0, 0, 0], thickness: 1}}}\n",
           "set 'left': plane: normal is zero, must have a direction");
    REFUSE(HEAD GRAINS "sets: {left: {of: grians, list: [0]}}\n",
           "no rod or set of particles named 'grians'; did you mean grains?");
}

TEST(sets_are_places_of_holds_and_forces_alone) {
#define LEFT ON_ROPE "list: [0, 1]}}\n"
    REFUSE(LEFT "holds: {h: {on: rigth}}\n", "'rigth' is no place; places are");
    REFUSE(LEFT "holds: {h: {on: rigth}}\n", "or the name of a set");
    REFUSE(LEFT "holds: {h: {on: left, hold: twist}}\n",
           "hold 'h': hold: set 'left' has vertices, which have no twist and no clamp; a set of "
           "edges has");
    REFUSE(LEFT "forces: {f: {on: left, moment: [1 N m, 0, 0]}}\n",
           "force 'f': moment is given, but set 'left' has vertices; it acts on a set of edges");
    REFUSE(ON_ROPE "what: edges, list: [0]}}\nforces: {f: {on: left, force: [1 N, 0, 0]}}\n",
           "force 'f': force is given, but set 'left' has edges; it acts on a set of vertices");
    REFUSE(LEFT "drives: {d: {on: left}}\n",
           "drive 'd': on: 'left' is a set; drives act on single places of rods");
    REFUSE(ON_GRAINS "list: [0]}}\nholds: {h: {on: left, hold: clamp}}\n",
           "hold 'h': hold: 'grains' is a set of particles");
    REFUSE(LEFT "constraints: {c: {kind: attach, a: left, b: world}}\n",
           "'left' is a set: constraints tie single places");
    // without sets the message is unchanged
    REFUSE(HEAD ROPE "holds: {h: {on: rope}}\n",
           "ROD.at(0.5), PARTICLES[3], SOLID[3] and SOLID.GROUP");
}

TEST(calls_are_checked_like_files) {
    context = lithe_context_create(NULL);
    LitheScene *scene = lithe_scene_create(context);
    LitheVec3 at = {0, 0, 0};
    LitheParticlesDef grains = lithe_particles_def_default();
    grains.name = "grains";
    grains.positions = &at;
    grains.count = 1;
    grains.mass = 1;
    LitheSetDef set = lithe_set_def_default();
    int32_t first = 0;
    set.name = "left";
    set.list = &first;
    set.count = 1;
    LitheHoldDef hold = lithe_hold_def_default();
    hold.name = "still";
    hold.place.kind = LITHE_PLACE_SET;
    set.of = lithe_thing_particles(lithe_scene_add_particles(scene, &grains));
    hold.place.set = lithe_scene_add_set(scene, &set);
    CHECK(hold.place.set.number == 1 && lithe_scene_add_hold(scene, &hold));
    CHECK(lithe_scene_check(scene, &error) == LITHE_OK);
    scene->holds[0].place.set.number = 2;
    CHECK(lithe_scene_check(scene, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "hold 'still': on is set number 2 of 1");
    scene->sets[0].of = lithe_thing_body((LitheBodyId){1});
    CHECK(lithe_scene_check(scene, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "set 'left': of is a body, must be a rod, particles or a solid");
    scene->sets[0].of = lithe_thing_rod((LitheRodId){1});
    CHECK(lithe_scene_check(scene, &error) == LITHE_BAD_INPUT);
    CHECK_TEXT(error.text, "set 'left': of is rod number 1 of 0");
    drop(scene);
}
