// SPDX-License-Identifier: Apache-2.0
// scene/pressure.c - pressures, cavities and swells of solids: defaults, limits

#include "base/log.h"
#include "scene/copy.h"
#include "scene/objects.h"

LithePressureDef lithe_pressure_def_default(void) {
    return (LithePressureDef){.place = {.kind = LITHE_PLACE_GROUP},
                              .pressure = lithe_profile_def_default()};
}

bool lithe_copy_pressure(LitheContext *context, void *def) {
    return lithe_copy_profile(context, &((LithePressureDef *)def)->pressure);
}

void lithe_release_pressure(LitheContext *context, void *def) {
    lithe_free_profile(context, &((LithePressureDef *)def)->pressure);
}

bool lithe_scene_add_pressure(LitheScene *scene, const LithePressureDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_PRESSURE, def) > 0;
}

void lithe_check_part(LitheCheck *check, const LithePlace *p) {
    lithe_check_place(check, "on", p);
    if (check->status != LITHE_OK)
        return;
    bool group = p->kind == LITHE_PLACE_GROUP, set = p->kind == LITHE_PLACE_SET;
    const LitheSetDef *of = set ? &check->scene->sets[p->set.number - 1] : NULL;
    if (!group && !set)
        lithe_check_fail(check, "on",
                         "on is a single node, must be a group or a set of nodes of a solid");
    else if (set && of->of.kind != LITHE_THING_SOLID)
        lithe_check_fail(
            check, "on",
            "on: set '%s' is not of a solid, which pressures, cavities, swells and fibres need",
            of->name);
    else if (set && of->what != LITHE_SET_VERTICES)
        lithe_check_fail(check, "on", "on: set '%s' must be one of vertices", of->name);
}

void lithe_check_pressure(LitheCheck *check, const void *def) {
    const LithePressureDef *p = def;
    lithe_check_part(check, &p->place);
    lithe_check_profile(check, "pressure", &p->pressure, "Pa");
}

// --- cavities ------------------------------------------------------------------------------------

// the standard atmosphere [Pa]
#define ATMOSPHERE 101325

LitheCavityDef lithe_cavity_def_default(void) {
    return (LitheCavityDef){.place = {.kind = LITHE_PLACE_GROUP},
                            .pressure = lithe_profile_def_default(),
                            .gas = lithe_profile_def_default(),
                            .outside = ATMOSPHERE,
                            .exponent = 1};
}

bool lithe_copy_cavity(LitheContext *context, void *def) {
    LitheCavityDef *cavity = def;
    bool ok = lithe_copy_profile(context, &cavity->pressure);
    return lithe_copy_profile(context, &cavity->gas) && ok;
}

void lithe_release_cavity(LitheContext *context, void *def) {
    LitheCavityDef *cavity = def;
    lithe_free_profile(context, &cavity->pressure);
    lithe_free_profile(context, &cavity->gas);
}

LitheCavityId lithe_scene_add_cavity(LitheScene *scene, const LitheCavityDef *def) {
    return (LitheCavityId){lithe_object_add(scene, LITHE_OBJECT_CAVITY, def)};
}

static bool is_constant(const LitheProfileDef *p, double value) {
    return p->count == 0 && p->value == value && p->rate == 0 && p->amplitude == 0;
}

// values of a profile must be positive, where its table says them
static void check_positive(LitheCheck *check, const char *key, const LitheProfileDef *p,
                           const char *unit) {
    if (p->rate != 0 || p->amplitude != 0)
        return;
    for (int32_t i = 0; i < (p->count > 0 ? p->count : 1); i++) {
        double value = p->count > 0 ? p->values[i] : p->value;
        if (!(value > 0))
            lithe_check_fail(check, key, "%s is %.9g%s%s, must be > 0", key, value,
                             *unit ? " " : "", unit);
    }
}

void lithe_check_cavity(LitheCheck *check, const void *def) {
    const LitheCavityDef *c = def;
    lithe_check_part(check, &c->place);
    lithe_check_profile(check, "pressure", &c->pressure, "Pa");
    lithe_check_profile(check, "gas", &c->gas, "Pa");
    lithe_check_number(check, "outside", c->outside, "Pa", LITHE_NOT_NEGATIVE);
    lithe_check_number(check, "exponent", c->exponent, "", LITHE_POSITIVE);
    bool gas = !is_constant(&c->gas, 0);
    if (check->status == LITHE_OK && !gas && is_constant(&c->pressure, 0) && check->warn)
        lithe_log(check->scene->context, LITHE_LOG_WARNING,
                  "%s: pressure and gas are 0: it acts on nothing, only its volume is recorded",
                  check->label);
    if (check->status != LITHE_OK || !gas)
        return;
    check_positive(check, "gas", &c->gas, "Pa");
    if (!is_constant(&c->pressure, 0))
        lithe_check_fail(check, "pressure",
                         "pressure and gas are both given: a gas has the pressure of its volume");
}

// --- swells --------------------------------------------------------------------------------------

LitheSwellDef lithe_swell_def_default(void) {
    LitheSwellDef def = {.place = {.kind = LITHE_PLACE_GROUP},
                         .factor = lithe_profile_def_default()};
    def.factor.value = 1;
    return def;
}

bool lithe_copy_swell(LitheContext *context, void *def) {
    return lithe_copy_profile(context, &((LitheSwellDef *)def)->factor);
}

void lithe_release_swell(LitheContext *context, void *def) {
    lithe_free_profile(context, &((LitheSwellDef *)def)->factor);
}

bool lithe_scene_add_swell(LitheScene *scene, const LitheSwellDef *def) {
    return lithe_object_add(scene, LITHE_OBJECT_SWELL, def) > 0;
}

void lithe_check_swell(LitheCheck *check, const void *def) {
    const LitheSwellDef *s = def;
    lithe_check_part(check, &s->place);
    lithe_check_profile(check, "factor", &s->factor, "");
    lithe_check_direction(check, "along", s->along);
    if (check->status == LITHE_OK)
        check_positive(check, "factor", &s->factor, "");
}
