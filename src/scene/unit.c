// SPDX-License-Identifier: Apache-2.0
// scene/unit.c - the units of scene files, and the names of dimensions

#include "scene/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

typedef struct UnitRow {
    const char *name;
    bool prefixes; // takes SI prefixes
    LitheUnitOfMeasure unit;
} UnitRow;

// exponents of length, mass, time, angle, cycle
static const UnitRow rows[] = {
    {"m", true, {1, 0, {1, 0, 0, 0, 0}}},
    {"g", true, {1, -3, {0, 1, 0, 0, 0}}},
    {"s", true, {1, 0, {0, 0, 1, 0, 0}}},
    {"N", true, {1, 0, {1, 1, -2, 0, 0}}},
    {"Pa", true, {1, 0, {-1, 1, -2, 0, 0}}},
    {"J", true, {1, 0, {2, 1, -2, 0, 0}}},
    {"W", true, {1, 0, {2, 1, -3, 0, 0}}},
    {"Hz", true, {1, 0, {0, 0, -1, 0, 1}}},
    // pound-force per square inch: 0.45359237 kg times 9.80665 m/s^2 over (0.0254 m)^2
    {"psi", false, {0.45359237 * 9.80665 / (0.0254 * 0.0254), 0, {-1, 1, -2, 0, 0}}},
    {"ksi", false, {0.45359237 * 9.80665 / (0.0254 * 0.0254), 3, {-1, 1, -2, 0, 0}}},
    {"Mpsi", false, {0.45359237 * 9.80665 / (0.0254 * 0.0254), 6, {-1, 1, -2, 0, 0}}},
    {"lbf", false, {0.45359237 * 9.80665, 0, {1, 1, -2, 0, 0}}},
    {"bar", false, {1, 5, {-1, 1, -2, 0, 0}}},
    {"t", false, {1, 3, {0, 1, 0, 0, 0}}},
    {"min", false, {60, 0, {0, 0, 1, 0, 0}}},
    {"h", false, {3600, 0, {0, 0, 1, 0, 0}}},
    {"rad", true, {1, 0, {0, 0, 0, 1, 0}}},
    {"deg", false, {M_PI / 180, 0, {0, 0, 0, 1, 0}}},
    {"turn", false, {2 * M_PI, 0, {0, 0, 0, 1, 0}}},
    {"turns", false, {2 * M_PI, 0, {0, 0, 0, 1, 0}}},
    {"rpm", false, {2 * M_PI / 60, 0, {0, 0, -1, 1, 0}}},
    {"inch", false, {0.0254, 0, {1, 0, 0, 0, 0}}},
    {"ft", false, {0.3048, 0, {1, 0, 0, 0, 0}}},
    {"lb", false, {0.45359237, 0, {0, 1, 0, 0, 0}}},
    {"%", false, {1, -2, {0, 0, 0, 0, 0}}},
};
#define ROW_COUNT (sizeof rows / sizeof *rows)

// both code points that look like a micro sign are accepted
static const struct {
    const char *text;
    int power;
} prefixes[] = {
    {"p", -12}, {"n", -9}, {"u", -6}, {"\xc2\xb5", -6}, {"\xce\xbc", -6}, {"m", -3}, {"c", -2},
    {"d", -1},  {"h", 2},  {"k", 3},  {"M", 6},         {"G", 9},         {"T", 12},
};
#define PREFIX_COUNT (sizeof prefixes / sizeof *prefixes)

bool lithe_unit_find(const char *word, LitheUnitOfMeasure *unit) {
    // whole names first: "min" is not a milli-inch, "ft" not a femto-tonne
    for (size_t i = 0; i < ROW_COUNT; i++)
        if (strcmp(word, rows[i].name) == 0) {
            *unit = rows[i].unit;
            return true;
        }
    for (size_t p = 0; p < PREFIX_COUNT; p++) {
        size_t length = strlen(prefixes[p].text);
        if (strncmp(word, prefixes[p].text, length) != 0)
            continue;
        for (size_t i = 0; i < ROW_COUNT; i++)
            if (rows[i].prefixes && strcmp(word + length, rows[i].name) == 0) {
                *unit = rows[i].unit;
                unit->power += prefixes[p].power;
                return true;
            }
    }
    return false;
}

// units that people write out
static const char *const written[][2] = {
    {"meter", "m"},     {"metre", "m"},    {"newton", "N"},     {"pascal", "Pa"}, {"gram", "g"},
    {"kilogram", "kg"}, {"degree", "deg"}, {"radian", "rad"},   {"second", "s"},  {"sec", "s"},
    {"minute", "min"},  {"hour", "h"},     {"in", "inch"},      {"foot", "ft"},   {"feet", "ft"},
    {"joule", "J"},     {"watt", "W"},     {"hertz", "Hz"},     {"tonne", "t"},   {"inche", "inch"},
    {"percent", "%"},   {"rev", "turn"},   {"\xc2\xb0", "deg"},
};

bool lithe_unit_suggest(const char *word, char out[16]) {
    size_t length = strlen(word);
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        size_t n = strlen(written[i][0]);
        bool plural = length == n + 1 && (word[n] == 's' || word[n] == 'S');
        if (strncasecmp(word, written[i][0], n) == 0 && (length == n || plural)) {
            snprintf(out, 16, "%s", written[i][1]);
            return true;
        }
    }
    // of mPa and MPa the larger one was meant
    int best = -100;
    for (size_t i = 0; i < ROW_COUNT; i++)
        for (size_t p = 0; p <= PREFIX_COUNT; p++) {
            bool plain = p == PREFIX_COUNT;
            char name[16];
            if (!plain && !rows[i].prefixes)
                continue;
            snprintf(name, sizeof name, "%s%s", plain ? "" : prefixes[p].text, rows[i].name);
            int power = plain ? 0 : prefixes[p].power;
            if (strcasecmp(word, name) == 0 && power > best) {
                best = power;
                memcpy(out, name, sizeof name);
            }
        }
    return best > -100;
}

bool lithe_is_unit(const char *word) {
    LitheUnitOfMeasure unit;
    return lithe_unit_find(word, &unit);
}

// --- dimensions ----------------------------------------------------------------------------------

static const struct {
    const char *name;
    const char *unit;
    LitheDimension dimension;
} wanted_rows[LITHE_WANT_COUNT] = {
    [LITHE_WANT_NUMBER] = {"a plain number", "", {0, 0, 0, 0, 0}},
    [LITHE_WANT_LENGTH] = {"a length", "m", {1, 0, 0, 0, 0}},
    [LITHE_WANT_TIME] = {"a time", "s", {0, 0, 1, 0, 0}},
    [LITHE_WANT_ANGLE] = {"an angle", "rad", {0, 0, 0, 1, 0}},
    [LITHE_WANT_SPEED] = {"a speed", "m/s", {1, 0, -1, 0, 0}},
    [LITHE_WANT_ANGULAR_VELOCITY] = {"an angular velocity", "rad/s", {0, 0, -1, 1, 0}},
    [LITHE_WANT_ACCELERATION] = {"an acceleration", "m/s^2", {1, 0, -2, 0, 0}},
    [LITHE_WANT_FREQUENCY] = {"a frequency", "Hz", {0, 0, -1, 0, 1}},
    [LITHE_WANT_PRESSURE] = {"a pressure", "Pa", {-1, 1, -2, 0, 0}},
    [LITHE_WANT_DENSITY] = {"a density", "kg/m^3", {-3, 1, 0, 0, 0}},
    [LITHE_WANT_RATE] = {"a rate", "1/s", {0, 0, -1, 0, 0}},
    [LITHE_WANT_CURVATURE] = {"a curvature", "1/m", {-1, 0, 0, 0, 0}},
    [LITHE_WANT_TWIST] = {"a twist per length", "rad/m", {-1, 0, 0, 1, 0}},
    [LITHE_WANT_FORCE] = {"a force", "N", {1, 1, -2, 0, 0}},
    [LITHE_WANT_MOMENT] = {"a moment", "N m", {2, 1, -2, 0, 0}},
    [LITHE_WANT_BENDING_STIFFNESS] = {"a bending stiffness", "N m^2", {3, 1, -2, 0, 0}},
    [LITHE_WANT_MASS_PER_LENGTH] = {"a mass per length", "kg/m", {-1, 1, 0, 0, 0}},
    [LITHE_WANT_INERTIA_PER_LENGTH] = {"a moment of inertia per length", "kg m", {1, 1, 0, 0, 0}},
    [LITHE_WANT_VISCOSITY] = {"a viscosity", "Pa s", {-1, 1, -1, 0, 0}},
    [LITHE_WANT_STIFFNESS] = {"a spring stiffness", "N/m", {0, 1, -2, 0, 0}},
    [LITHE_WANT_DAMPING] = {"a damping coefficient", "N s/m", {0, 1, -1, 0, 0}},
    [LITHE_WANT_ROTATIONAL_STIFFNESS] = {"a rotational stiffness", "N m/rad", {2, 1, -2, -1, 0}},
    [LITHE_WANT_ROTATIONAL_DAMPING] = {"a rotational damping coefficient",
                                       "N m s/rad",
                                       {2, 1, -1, -1, 0}},
    [LITHE_WANT_MASS] = {"a mass", "kg", {0, 1, 0, 0, 0}},
    [LITHE_WANT_INERTIA] = {"a moment of inertia", "kg m^2", {2, 1, 0, 0, 0}},
    [LITHE_WANT_DISSIPATION] = {"a time per length", "s/m", {-1, 0, 1, 0, 0}},
    [LITHE_WANT_ANGULAR_ACCELERATION] = {"an angular acceleration", "rad/s^2", {0, 0, -2, 1, 0}},
    [LITHE_WANT_PRESSURE_RATE] = {"a pressure per time", "Pa/s", {-1, 1, -3, 0, 0}},
    [LITHE_WANT_FORCE_RATE] = {"a force per time", "N/s", {1, 1, -3, 0, 0}},
    [LITHE_WANT_MOMENT_RATE] = {"a moment per time", "N m/s", {2, 1, -3, 0, 0}},
    [LITHE_WANT_STIFFNESS_PER_AREA] = {"a stiffness per area", "N/m^3", {-2, 1, -2, 0, 0}},
    [LITHE_WANT_AREA] = {"an area", "m^2", {2, 0, 0, 0, 0}},
    [LITHE_WANT_PITCH] = {"a length per angle", "m/rad", {1, 0, 0, -1, 0}},
};

const char *lithe_wanted_name(LitheWanted wanted) {
    return wanted_rows[wanted].name;
}

const char *lithe_wanted_unit(LitheWanted wanted) {
    return wanted_rows[wanted].unit;
}

static bool same(double a, double b) {
    return fabs(a - b) < 1e-9;
}

bool lithe_quantity_fits(const LitheQuantity *quantity, LitheWanted wanted) {
    const LitheDimension *d = &quantity->dimension, *w = &wanted_rows[wanted].dimension;
    if (same(d->length, 0) && same(d->mass, 0) && same(d->time, 0) && same(d->angle, 0) &&
        same(d->cycle, 0))
        return true;
    return same(d->length, w->length) && same(d->mass, w->mass) && same(d->time, w->time) &&
           (same(d->angle, w->angle) || same(d->angle, 0)) &&
           (same(d->cycle, w->cycle) || same(d->cycle, 0));
}

void lithe_dimension_text(const LitheDimension *dimension, char *text, size_t size) {
    const LitheDimension *d = dimension;
    for (int i = 0; i < LITHE_WANT_COUNT; i++) {
        const LitheDimension *w = &wanted_rows[i].dimension;
        if (same(d->length, w->length) && same(d->mass, w->mass) && same(d->time, w->time) &&
            same(d->angle, w->angle) && same(d->cycle, w->cycle)) {
            snprintf(text, size, "%s", wanted_rows[i].name);
            return;
        }
    }
    const double exponents[] = {d->mass, d->length, d->time, d->angle, d->cycle};
    static const char *const names[] = {"kg", "m", "s", "rad", "cycle"};
    const char *space = "in ";
    size_t at = 0;
    text[0] = '\0';
    for (int i = 0; i < 5 && at < size; i++) {
        if (same(exponents[i], 0))
            continue;
        at += (size_t)snprintf(text + at, size - at, "%s%s", space, names[i]);
        if (!same(exponents[i], 1) && at < size)
            at += (size_t)snprintf(text + at, size - at, "^%.3g", exponents[i]);
        space = " ";
    }
}
