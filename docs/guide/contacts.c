// SPDX-License-Identifier: Apache-2.0
// docs/guide/contacts.c - a cord lies over a beam: what touches, how far is it, what does a ray
// meet?

#include <lithe/lithe.h>
#include <stdio.h>
#include <string.h>

static const char text[] =
    "lithe: 1\n"
    "materials:\n"
    "  rubber: {young: 1 MPa, density: 1100 kg/m^3, friction: 0.8}\n"
    "  wood: {young: 10 GPa, poisson: 0.3, density: 700 kg/m^3, friction: 0.4}\n"
    "rods:\n"
    "  cord: {material: rubber, section: {circle: {radius: 3 mm}},\n"
    "         shape: {line: {from: [0, -20 cm, 5.31 cm], to: [0, 20 cm, 5.31 cm]}}, nodes: 41}\n"
    "bodies:\n"
    "  beam: {material: wood, fixed: true, shape: {capsule: {radius: 5 cm, length: 50 cm},\n"
    "         rotate: {axis: [0, 1, 0], angle: 90 deg}}}\n"
    "  lamp: {material: wood, fixed: true, shape: {sphere: {radius: 10 cm}}, at: [0, 0, 50 cm]}\n";

static int explain(const LitheError *error) {
    fprintf(stderr, "%s\n", error->text);
    return 1;
}

int main(void) {
    LitheContext *context = lithe_context_create(NULL);
    LitheScene *scene;
    LitheModel *model;
    LitheState *state;
    LitheError error;
    if (lithe_scene_parse(context, text, strlen(text), "beam.yaml", NULL, NULL, 0, &scene,
                          &error) != LITHE_OK ||
        lithe_compile(scene, &model, &state, &error) != LITHE_OK)
        return explain(&error);

    // everything that is nearer than a millimetre
    LitheContacts *contacts = lithe_contacts_create(context);
    if (lithe_find_contacts(model, state, 1e-3, contacts, &error) != LITHE_OK)
        return explain(&error);
    const LitheContact *all = lithe_contact_data(contacts);
    for (int32_t i = 0; i < lithe_contact_count(contacts); i++)
        printf(
            "edge %d of %s, %.2f along, and %s: gap %.3f mm, normal (%g, %g, %g), friction %.3f\n",
            all[i].a.part, lithe_thing_name(model, all[i].a.thing), all[i].a.s,
            lithe_thing_name(model, all[i].b.thing), 1e3 * all[i].gap, all[i].normal.x,
            all[i].normal.y, all[i].normal.z, all[i].friction);

    LitheNearestPlaces nearest;
    if (lithe_find_distance(model, state, "lamp", "beam", &nearest, &error) != LITHE_OK)
        return explain(&error);
    printf("from lamp to beam: %.3f m\n", nearest.distance);

    LitheRayCast cast;
    LitheVec3 from = {0, 0, 0.3}, down = {0, 0, -1};
    if (lithe_cast_ray(model, state, from, down, 10, &cast, &error) != LITHE_OK)
        return explain(&error);
    if (cast.hit)
        printf("straight down: %s after %.3f m\n", lithe_thing_name(model, cast.what.thing),
               cast.distance);

    lithe_contacts_destroy(contacts);
    lithe_state_destroy(state);
    lithe_model_destroy(model);
    lithe_scene_destroy(scene);
    lithe_context_destroy(context);
    return 0;
}
